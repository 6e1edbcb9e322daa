//! Types in our terms. Records that several files define alike become one record.

use std::collections::HashSet;

use rorqual_cfa::{BitRange, Field, FloatKind, IntKind, Record, RecordId, RecordKind, Type, TypeId};
use rucc_types::{ArrayLen, TypeKind};

use super::Adapter;
use crate::typed::{Expr, ExprId, ExprKind, Stride};

/// What structures with variable-length arrays among their members are called.
pub(super) const VARIABLE_STRUCTURE: &str = "a structure of variable size";

impl Adapter<'_> {
    /// The type without qualifiers, typedefs, atomicity and enumerations.
    pub(super) fn ty(&mut self, id: rucc_types::TypeId) -> TypeId {
        let id = self.checked.types.canonical(id);
        if let Some(&known) = self.types.get(&id) {
            return known;
        }
        let ty = match self.checked.types.kind(id) {
            TypeKind::Void => Type::Void,
            TypeKind::Bool => Type::Int(IntKind::Bool),
            TypeKind::Int(kind) => Type::Int(int_kind(kind)),
            TypeKind::BitInt { signed, width } if width <= 128 => {
                Type::Int(IntKind::BitField { width: width as u8, signed })
            }
            TypeKind::Float(kind) => match float_kind(kind) {
                Some(kind) => Type::Float(kind),
                None => self.opaque(id),
            },
            TypeKind::Pointer(pointee) => Type::Pointer(self.ty(pointee)),
            TypeKind::Atomic(inner) | TypeKind::Typedef { underlying: inner, .. } => {
                let inner = self.ty(inner);
                self.types.insert(id, inner);
                return inner;
            }
            TypeKind::Array { elem, len } => {
                let length = match len {
                    ArrayLen::Fixed(length) => Some(length),
                    ArrayLen::Unknown | ArrayLen::Star | ArrayLen::Variable(_) => None,
                };
                Type::Array { element: self.ty(elem), length }
            }
            TypeKind::Function(function) => self.function_type(function),
            TypeKind::Record(record) => Type::Record(self.record(record)),
            TypeKind::Enum(enumeration) => {
                let underlying = self.checked.types.enum_info(enumeration).underlying;
                match underlying {
                    Some(underlying) => {
                        let underlying = self.ty(underlying);
                        self.types.insert(id, underlying);
                        return underlying;
                    }
                    None => Type::Int(IntKind::UnsignedInt),
                }
            }
            TypeKind::Complex(_) | TypeKind::Vector { .. } | TypeKind::BitInt { .. } => self.opaque(id),
        };
        let ours = self.program.types.intern(ty);
        self.types.insert(id, ours);
        ours
    }

    fn opaque(&mut self, id: rucc_types::TypeId) -> Type {
        let layout = rucc_types::layout(&self.checked.types, id, &self.session.target);
        let (size, align) = layout.map_or((1, 1), |layout| (layout.size, layout.align));
        let name = rucc_types::spell(&self.checked.types, &self.session.interner, id);
        Type::Opaque { name, size, align }
    }

    fn function_type(&mut self, id: rucc_types::FunctionId) -> Type {
        let signature = self.checked.types.signature(id).clone();
        Type::Function {
            result: self.ty(signature.ret),
            parameters: signature.params.iter().map(|&parameter| self.ty(parameter)).collect(),
            variadic: signature.variadic,
            prototyped: signature.prototyped,
        }
    }

    fn record(&mut self, id: rucc_types::RecordId) -> RecordId {
        if let Some(&known) = self.records.get(&id) {
            return known;
        }
        let info = self.checked.types.record_info(id).clone();
        if let Some(same) = self.same_record_of_another_file(id) {
            self.records.insert(id, same);
            if self.program.types.record(same).complete || info.layout.is_none() {
                return same;
            }
            // Other files only mention the record; this one defines it.
            self.complete_record(same, &info);
            return same;
        }
        let ours = self.program.types.add_record(Record {
            kind: record_kind(info.kind),
            tag: info.tag.map(|tag| self.name(tag)),
            fields: Vec::new(),
            size: 0,
            align: 1,
            complete: false,
        });
        // Entered before its members are translated, because they may point back to it.
        self.records.insert(id, ours);
        self.complete_record(ours, &info);
        ours
    }

    fn complete_record(&mut self, id: RecordId, info: &rucc_types::RecordInfo) {
        let fields = info.fields.iter().map(|field| self.field(field)).collect();
        let record = self.program.types.record_mut(id);
        record.fields = fields;
        if let Some(layout) = info.layout {
            (record.size, record.align) = (layout.size, layout.align);
            record.complete = info.variable.is_none();
        }
    }

    fn field(&mut self, field: &rucc_types::Field) -> Field {
        Field {
            name: field.name.map(|name| self.name(name)),
            ty: self.ty(field.ty),
            offset: field.offset + u64::from(field.bit / 8),
            bits: field.bits.map(|width| BitRange { start: field.bit % 8, width }),
        }
    }

    /// A record of a file that was read before and that this one may be: with the same tag,
    /// members and layout, or with the same tag where one of the two is incomplete.
    fn same_record_of_another_file(&self, id: rucc_types::RecordId) -> Option<RecordId> {
        let info = self.checked.types.record_info(id);
        let tag = info.tag.map(|tag| self.session.interner.resolve(tag));
        if tag.is_none() && info.layout.is_none() {
            return None;
        }
        let own: HashSet<RecordId> = self.records.values().copied().collect();
        let (complete, incomplete): (Vec<_>, Vec<_>) = self
            .program
            .types
            .records()
            .filter(|(other, record)| record.tag.as_deref() == tag && !own.contains(other))
            .partition(|(_, record)| record.complete);
        let mut candidates = complete.into_iter().chain(incomplete).map(|(other, _)| other);
        candidates.find(|&other| self.same_record(id, other, &mut HashSet::new()))
    }

    /// Whether two records agree. Pairs under comparison count as equal, which makes the
    /// comparison of recursive types end with the right answer.
    fn same_record(
        &self,
        theirs: rucc_types::RecordId,
        ours: RecordId,
        assumed: &mut HashSet<(rucc_types::RecordId, RecordId)>,
    ) -> bool {
        if !assumed.insert((theirs, ours)) {
            return true;
        }
        let info = self.checked.types.record_info(theirs);
        let record = self.program.types.record(ours);
        let tag = info.tag.map(|tag| self.session.interner.resolve(tag));
        if record.tag.as_deref() != tag || record.kind != record_kind(info.kind) {
            return false;
        }
        let Some(layout) = info.layout else { return true };
        if !record.complete {
            return true;
        }
        record.size == layout.size
            && record.fields.len() == info.fields.len()
            && info.fields.iter().zip(&record.fields).all(|(theirs, ours)| {
                theirs.name.map(|name| self.session.interner.resolve(name)) == ours.name.as_deref()
                    && theirs.offset + u64::from(theirs.bit / 8) == ours.offset
                    && theirs.bits == ours.bits.map(|bits| bits.width)
                    && self.same_type(theirs.ty, ours.ty, assumed)
            })
    }

    fn same_type(
        &self,
        theirs: rucc_types::TypeId,
        ours: TypeId,
        assumed: &mut HashSet<(rucc_types::RecordId, RecordId)>,
    ) -> bool {
        let theirs = self.checked.types.canonical(theirs);
        match (self.checked.types.kind(theirs), self.program.types.get(ours)) {
            (TypeKind::Void, Type::Void) | (TypeKind::Bool, Type::Int(IntKind::Bool)) => true,
            (TypeKind::Int(kind), Type::Int(ours)) => int_kind(kind) == *ours,
            (TypeKind::Float(kind), Type::Float(ours)) => float_kind(kind) == Some(*ours),
            (TypeKind::Pointer(theirs), Type::Pointer(ours)) => self.same_type(theirs, *ours, assumed),
            (TypeKind::Atomic(inner) | TypeKind::Typedef { underlying: inner, .. }, _) => {
                self.same_type(inner, ours, assumed)
            }
            (TypeKind::Array { elem, len }, Type::Array { element, length }) => {
                let same_length = match len {
                    ArrayLen::Fixed(fixed) => *length == Some(fixed),
                    _ => length.is_none(),
                };
                same_length && self.same_type(elem, *element, assumed)
            }
            (TypeKind::Function(function), Type::Function { result, parameters, variadic, .. }) => {
                let signature = self.checked.types.signature(function);
                signature.variadic == *variadic
                    && signature.params.len() == parameters.len()
                    && self.same_type(signature.ret, *result, assumed)
                    && signature.params.iter().zip(parameters).all(|(&a, &b)| self.same_type(a, b, assumed))
            }
            (TypeKind::Record(theirs), Type::Record(ours)) => self.same_record(theirs, *ours, assumed),
            (TypeKind::Enum(enumeration), Type::Int(_)) => {
                let underlying = self.checked.types.enum_info(enumeration).underlying;
                underlying.is_some_and(|underlying| self.same_type(underlying, ours, assumed))
            }
            _ => false,
        }
    }

    /// How far elements of the type are apart.
    pub(super) fn stride(&mut self, element: rucc_types::TypeId) -> Stride {
        if let Some(size) = self.computed_size(element) {
            return Stride::Computed(size);
        }
        let element = self.ty(element);
        // A function pointer moves by one byte in GNU C.
        Stride::Bytes(self.program.types.size_of(element).unwrap_or(1))
    }

    /// The size in bytes of a type that is not constant, as an expression: that of a variable-length array. Structures with
    /// such members have no size that could be used.
    pub(super) fn computed_size(&mut self, id: rucc_types::TypeId) -> Option<ExprId> {
        let id = self.checked.types.canonical(id);
        if self.is_variable_record(id) {
            let ty = self.size_type();
            return Some(self.unsupported(VARIABLE_STRUCTURE, ty, rorqual_source::Span::NONE));
        }
        let TypeKind::Array { elem, len } = self.checked.types.kind(id) else {
            return None;
        };
        let element_size = match self.computed_size(elem) {
            Some(size) => size,
            None => {
                let ArrayLen::Variable(_) = len else { return None };
                let element = self.ty(elem);
                let size = self.program.types.size_of(element)?;
                self.size_constant(size)
            }
        };
        let length = match len {
            ArrayLen::Fixed(length) => self.size_constant(length),
            ArrayLen::Variable(vla) => {
                let length = self.checked.tast.vla_size(vla);
                let length = self.expr(length);
                let size_type = self.size_type();
                self.convert(length, size_type)
            }
            ArrayLen::Unknown | ArrayLen::Star => return None,
        };
        let ty = self.size_type();
        let span = self.program.exprs[length].span;
        let kind = ExprKind::Binary(rorqual_cfa::BinaryOp::Mul, length, element_size);
        Some(self.push(kind, ty, span))
    }

    /// Whether a type is a structure or union with a variable-length array among its members.
    pub(super) fn is_variable_record(&self, id: rucc_types::TypeId) -> bool {
        let types = &self.checked.types;
        match types.kind(types.canonical(id)) {
            TypeKind::Record(record) => types.record_info(record).variable.is_some(),
            _ => false,
        }
    }

    /// Whether scalars of a structure, or of one inside of it, are stored in the other order of bytes.
    pub(super) fn has_reverse_order(&self, id: rucc_types::TypeId) -> bool {
        let types = &self.checked.types;
        match types.kind(types.canonical(id)) {
            TypeKind::Record(record) => {
                let info = types.record_info(record);
                info.reverse || info.fields.iter().any(|field| self.has_reverse_order(field.ty))
            }
            TypeKind::Array { elem, .. } => self.has_reverse_order(elem),
            _ => false,
        }
    }

    /// The lengths in the types of members. C fixes them when the structure is declared, which is not seen any more.
    pub(super) fn member_lengths(&self) -> HashSet<rucc_sema::ExprId> {
        let mut lengths = Vec::new();
        for (_, info) in self.checked.types.records() {
            for field in &info.fields {
                self.collect_lengths(field.ty, &mut lengths);
            }
        }
        lengths.into_iter().collect()
    }

    pub(super) fn size_type(&mut self) -> TypeId {
        let kind = self.program.types.model().size_type();
        self.program.types.int(kind)
    }

    pub(super) fn difference_type(&mut self) -> TypeId {
        let kind = self.program.types.model().difference_type();
        self.program.types.int(kind)
    }

    fn size_constant(&mut self, value: u64) -> ExprId {
        let ty = self.size_type();
        let kind = ExprKind::Int(i128::from(value));
        self.program.exprs.push(Expr { kind, ty, span: rorqual_source::Span::NONE, has_effects: false })
    }
}

fn record_kind(kind: rucc_types::RecordKind) -> RecordKind {
    match kind {
        rucc_types::RecordKind::Struct => RecordKind::Struct,
        rucc_types::RecordKind::Union => RecordKind::Union,
    }
}

fn int_kind(kind: rucc_types::IntKind) -> IntKind {
    match kind {
        rucc_types::IntKind::Char => IntKind::Char,
        rucc_types::IntKind::SChar => IntKind::SignedChar,
        rucc_types::IntKind::UChar => IntKind::UnsignedChar,
        rucc_types::IntKind::Short => IntKind::Short,
        rucc_types::IntKind::UShort => IntKind::UnsignedShort,
        rucc_types::IntKind::Int => IntKind::Int,
        rucc_types::IntKind::UInt => IntKind::UnsignedInt,
        rucc_types::IntKind::Long => IntKind::Long,
        rucc_types::IntKind::ULong => IntKind::UnsignedLong,
        rucc_types::IntKind::LongLong => IntKind::LongLong,
        rucc_types::IntKind::ULongLong => IntKind::UnsignedLongLong,
        rucc_types::IntKind::Int128 => IntKind::Int128,
        rucc_types::IntKind::UInt128 => IntKind::UnsignedInt128,
    }
}

fn float_kind(kind: rucc_types::FloatKind) -> Option<FloatKind> {
    Some(match kind {
        rucc_types::FloatKind::Float16 => FloatKind::Half,
        rucc_types::FloatKind::Float | rucc_types::FloatKind::Float32 => FloatKind::Float,
        rucc_types::FloatKind::Double | rucc_types::FloatKind::Float32x | rucc_types::FloatKind::Float64 => {
            FloatKind::Double
        }
        rucc_types::FloatKind::LongDouble | rucc_types::FloatKind::Float64x => FloatKind::LongDouble,
        rucc_types::FloatKind::Float128 => FloatKind::Quad,
        rucc_types::FloatKind::Decimal32
        | rucc_types::FloatKind::Decimal64
        | rucc_types::FloatKind::Decimal128 => return None,
    })
}
