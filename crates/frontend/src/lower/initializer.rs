//! Initialisers: the object becomes zero, then each value goes to its place.

use rorqual_cfa::{
    BitRange, ExprId, ExprKind, IntKind, Operation, PlaceId, PlaceKind, StringId, Type, TypeId, VariableId,
};
use rorqual_source::Span;

use super::FunctionLowering;
use crate::typed::{self, ExprKind as Typed, InitialValue, Initializer};

impl FunctionLowering<'_, '_> {
    /// Gives a variable its initial value. Values are evaluated in the order of their places, as
    /// gcc does, whatever order designators have.
    pub(super) fn initialize(&mut self, variable: VariableId, initializer: &Initializer, span: Span) {
        let ty = self.lowering.program.variables[variable].ty;
        let target = self.variable_place(variable, span);
        let [entry] = initializer.entries.as_slice() else {
            return self.initialize_aggregate(target, initializer, span);
        };
        let typed::Expr { kind, ty: value_ty, .. } = self.lowering.exprs[entry.value].clone();
        let covers_all = entry.offset == 0
            && entry.bits.is_none()
            && match kind {
                Typed::Text(_) => self.fits(ty, value_ty),
                _ => value_ty == ty && (self.types().is_scalar(ty) || self.types().as_record(ty).is_some()),
            };
        if covers_all {
            self.store_initial(target, entry, span);
        } else {
            self.initialize_aggregate(target, initializer, span);
        }
    }

    /// The initialiser with its values evaluated into temporaries.
    pub(super) fn evaluated(&mut self, initializer: &Initializer) -> Initializer {
        let entries = in_order_of_places(initializer).into_iter().map(|entry| {
            let typed::Expr { ref kind, ty, span, .. } = self.lowering.exprs[entry.value];
            if matches!(kind, Typed::Text(_) | Typed::Int(_) | Typed::Float(_)) {
                return entry.clone();
            }
            let temporary = self.temporary(ty, span);
            let target = self.variable_place(temporary, span);
            self.store(target, entry.value, span);
            let mut push =
                |kind| self.lowering.exprs.push(typed::Expr { kind, ty, span, has_effects: false });
            let place = push(Typed::Variable(temporary));
            InitialValue { value: push(Typed::Load(place)), ..entry.clone() }
        });
        Initializer { entries: entries.collect() }
    }

    fn initialize_aggregate(&mut self, target: PlaceId, initializer: &Initializer, span: Span) {
        let ty = self.lowering.program.places[target].ty;
        let zero = match self.types().get(ty) {
            Type::Int(_) | Type::Pointer(_) => ExprKind::Int(0),
            Type::Float(_) => ExprKind::Float(0),
            _ => ExprKind::Zero,
        };
        let zero = self.expr(zero, ty, span);
        self.emit(Operation::Assign { target, value: zero }, span);
        for entry in in_order_of_places(initializer) {
            let value_ty = self.lowering.exprs[entry.value].ty;
            let value_span = self.lowering.exprs[entry.value].span.or(span);
            let place = self.part(target, entry.offset, entry.bits, value_ty, value_span);
            match place {
                Some(place) => self.store_initial(place, entry, value_span),
                None => self.unsupported("this initialiser", value_span),
            }
        }
    }

    fn store_initial(&mut self, target: PlaceId, entry: &InitialValue, span: Span) {
        if let Typed::Text(string) = self.lowering.exprs[entry.value].kind {
            let ty = self.lowering.program.places[target].ty;
            if let Type::Array { element, length: None } = *self.types().get(ty) {
                self.store_characters(target, element, string, span);
                return;
            }
            let value = self.expr(ExprKind::Text(string), ty, span);
            self.emit(Operation::Assign { target, value }, span);
            return;
        }
        self.store(target, entry.value, span);
    }

    /// Stores a string in a flexible array member, which has no length of its own to store it as
    /// a whole.
    fn store_characters(&mut self, array: PlaceId, element: TypeId, string: StringId, span: Span) {
        let size = self.types().size_of(element).unwrap_or(1).max(1) as usize;
        let is_signed = self.types().as_int(element).is_some_and(IntKind::is_signed);
        let bytes = self.lowering.program.strings[string].bytes.clone();
        for (position, character) in bytes.chunks(size).enumerate() {
            let mut padded = [0; 16];
            padded[..character.len()].copy_from_slice(character);
            let unused = 128 - 8 * character.len() as u32;
            let value = i128::from_le_bytes(padded) << unused;
            let value = if is_signed { value >> unused } else { (value as u128 >> unused) as i128 };
            let index = self.index(position as u64, span);
            let target = self.place_of(PlaceKind::Element { base: array, index }, element, span);
            let value = self.int(value, element, span);
            self.emit(Operation::Assign { target, value }, span);
        }
    }

    /// Stores the value of a typed expression in a place without effects.
    pub(super) fn store(&mut self, target: PlaceId, value: typed::ExprId, span: Span) {
        let value_span = self.lowering.exprs[value].span.or(span);
        if let Some(origin) = self.input_origin(value) {
            self.emit(Operation::Havoc { target, origin }, value_span);
            return;
        }
        match self.lowering.exprs[value].kind.clone() {
            Typed::Call { callee, arguments } if !self.is_special_call(callee) => {
                let call = self.prepare_call(callee, &arguments, false);
                self.emit_call(call, Some(target), value_span);
            }
            _ => {
                let value = self.value(value);
                self.emit(Operation::Assign { target, value }, span);
            }
        }
    }

    /// The part of a place that starts at a byte offset and has the given type (or is the given
    /// bit-field).
    fn part(
        &mut self,
        whole: PlaceId,
        offset: u64,
        bits: Option<BitRange>,
        wanted: TypeId,
        span: Span,
    ) -> Option<PlaceId> {
        let ty = self.lowering.program.places[whole].ty;
        if offset == 0 && bits.is_none() && self.fits(ty, wanted) {
            return Some(whole);
        }
        match self.types().get(ty).clone() {
            Type::Array { element, length } => {
                let size = self.types().size_of(element).filter(|&size| size > 0)?;
                let index = offset / size;
                if length.is_some_and(|length| index >= length) {
                    return None;
                }
                let index = self.index(index, span);
                let place = self.place_of(PlaceKind::Element { base: whole, index }, element, span);
                self.part(place, offset % size, bits, wanted, span)
            }
            Type::Record(record) => {
                let fields = self.types().record(record).fields.clone();
                fields.iter().enumerate().find_map(|(number, field)| {
                    let kind = PlaceKind::Member { base: whole, field: number as u32 };
                    if field.bits.is_some() || bits.is_some() && self.types().is_scalar(field.ty) {
                        let is_it = field.bits == bits && bits.is_some() && field.offset == offset;
                        return is_it.then(|| self.place_of(kind, field.ty, span));
                    }
                    // The size of a flexible array member is not known.
                    let size = self.types().size_of(field.ty).unwrap_or(u64::MAX - field.offset);
                    if !(field.offset..field.offset + size.max(1)).contains(&offset) {
                        return None;
                    }
                    let place = self.place_of(kind, field.ty, span);
                    self.part(place, offset - field.offset, bits, wanted, span)
                })
            }
            _ => None,
        }
    }

    /// Whether a value of the type `wanted` is stored in a place of this type as a whole. A
    /// string may initialise an array of another length.
    fn fits(&mut self, ty: TypeId, wanted: TypeId) -> bool {
        if ty == wanted {
            return true;
        }
        match (self.types().get(ty).clone(), self.types().get(wanted).clone()) {
            (Type::Array { element: a, .. }, Type::Array { element: b, .. }) => {
                a == b || self.is_character(a) && self.is_character(b)
            }
            _ => false,
        }
    }

    fn is_character(&mut self, ty: TypeId) -> bool {
        let kind = self.types().as_int(ty);
        matches!(kind, Some(IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar))
    }

    fn index(&mut self, value: u64, span: Span) -> ExprId {
        let kind = self.types().model().difference_type();
        let ty = self.types().int(kind);
        self.int(i128::from(value), ty, span)
    }
}

fn in_order_of_places(initializer: &Initializer) -> Vec<&InitialValue> {
    let mut entries: Vec<&InitialValue> = initializer.entries.iter().collect();
    entries.sort_by_key(|entry| (entry.offset, entry.bits.map_or(0, |bits| bits.start)));
    entries
}
