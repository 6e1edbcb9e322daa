//! Expressions in our terms.

use rorqual_cfa::{IntKind, StringId, StringLiteral, Type, TypeId, VariableId};
use rorqual_source::Span;
use rucc_sema::{Base, Const, Conversion, ExprKind as Theirs, StrId};

use super::Adapter;
use super::decls::Entity;
use super::measures::BitFieldSize;
use super::types::VARIABLE_STRUCTURE;
use crate::typed::{Builtin, Expr, ExprId, ExprKind, Stride};

impl Adapter<'_> {
    /// The expression. Reading a place is an explicit load in the result.
    pub(super) fn expr(&mut self, id: rucc_sema::ExprId) -> ExprId {
        if let Some(&length) = self.lengths.get(&id) {
            return self.load_variable(length);
        }
        let theirs = self.checked.tast[id];
        let span = self.expr_span(id);
        let ty = self.ty(theirs.ty);
        if self.member_lengths.contains(&id) {
            return self.unsupported(VARIABLE_STRUCTURE, ty, span);
        }
        if self.is_computed(id) && self.unit.effectful_sizes.contains(&self.checked.tast.expr_span(id)) {
            return self.unsupported("the size of an expression with side effects", ty, span);
        }
        if let Some(refused) = self.repaired_cast(id, ty, span) {
            return refused;
        }
        match theirs.kind {
            Theirs::Error => self.unsupported("an erroneous expression", ty, span),
            Theirs::Const(constant) => match self.checked.tast[constant] {
                Const::Int(value) if ty == self.size_type() => match self.bit_field_size(id, value) {
                    Some(BitFieldSize::Is(size)) => self.int(i128::from(size), ty, span),
                    Some(BitFieldSize::Unclear) => {
                        self.unsupported("a number in a macro with the size of a bit-field", ty, span)
                    }
                    None => self.int(value, ty, span),
                },
                constant => self.constant(constant, ty, span),
            },
            Theirs::Str(string) => {
                let string = self.string(string, ty);
                self.push(ExprKind::Text(string), ty, span)
            }
            Theirs::Decl(decl) => self.declared(decl, ty, span),
            Theirs::Member { base, field } => self.member(base, field, ty, span),
            Theirs::Subscript { base, index } => self.subscript(base, index, ty, span),
            Theirs::Call { callee, args } => self.call(callee, args, ty, span),
            Theirs::Unary { op, operand } => self.unary(op, operand, theirs.ty, ty, span),
            Theirs::Binary { op, lhs, rhs } => self.binary(op, lhs, rhs, ty, span),
            Theirs::Assign { op: None, lhs, rhs, .. } => {
                let (target, value) = (self.register_operand(lhs), self.expr(rhs));
                self.push(ExprKind::Assign { target, value }, ty, span)
            }
            Theirs::Assign { op: Some(op), computation, lhs, rhs } => {
                self.compound_assign(op, computation, lhs, rhs, ty, span)
            }
            Theirs::Cond { cond, then, otherwise } => self.conditional(cond, then, otherwise, ty, span),
            Theirs::Comma { lhs, rhs } => {
                let (lhs, rhs) = (self.expr(lhs), self.expr(rhs));
                self.push(ExprKind::Comma(lhs, rhs), ty, span)
            }
            Theirs::Cast(operand) => self.cast(operand, ty, span),
            Theirs::Convert { kind, operand } => self.conversion(kind, operand, ty, span),
            Theirs::CompoundLiteral(decl) => self.compound_literal(decl, ty, span),
            Theirs::StmtExpr(stmt) => self.statement_expression(stmt, ty, span),
            Theirs::LabelAddr(label) => self.label_address(label, ty, span),
            builtin => self.builtin(builtin, ty, span),
        }
    }

    /// A cast that only a repair made acceptable: refused if it is about vectors, and else wrong.
    fn repaired_cast(&mut self, id: rucc_sema::ExprId, ty: TypeId, span: Span) -> Option<ExprId> {
        let place = self.checked.tast.expr_span(id);
        let cast = self.unit.repairs.casts.iter().find(|cast| cast.span == place)?;
        if !rucc_types::is_vector(&self.checked.types, self.checked.tast[id].ty) {
            self.rejected.push(cast.clone());
        }
        Some(self.unsupported_type("a conversion", ty, span))
    }

    /// A place that is written, or an operand of inline assembly: uses of a machine register that mean what they mean for
    /// other variables.
    pub(super) fn register_operand(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let named = match self.checked.tast[id].kind {
            Theirs::Convert { kind: Conversion::Lvalue, operand } => operand,
            _ => id,
        };
        let Theirs::Decl(decl) = self.checked.tast[named].kind else { return self.expr(id) };
        if self.checked.tast[decl].register.is_none() {
            return self.expr(id);
        }
        let span = self.expr_span(id);
        let ty = self.ty(self.checked.tast[named].ty);
        let Entity::Variable(variable) = self.entity(decl) else { return self.expr(id) };
        let place = self.push(ExprKind::Variable(variable), ty, span);
        if named == id { place } else { self.push(ExprKind::Load(place), ty, span) }
    }

    /// Where an expression is. rucc leaves out the parentheses around the outermost operands.
    fn expr_span(&mut self, id: rucc_sema::ExprId) -> Span {
        let span = self.span(self.checked.tast.expr_span(id));
        self.program.sources.with_parentheses(span)
    }

    /// Whether an expression is the size of a variable-length array.
    fn is_computed(&self, id: rucc_sema::ExprId) -> bool {
        match self.checked.tast[id].kind {
            Theirs::Binary { op: rucc_ast::BinaryOp::Mul, lhs, rhs } => {
                self.is_length(lhs) || self.is_computed(rhs)
            }
            _ => false,
        }
    }

    fn is_length(&self, id: rucc_sema::ExprId) -> bool {
        match self.checked.tast[id].kind {
            _ if self.lengths.contains_key(&id) => true,
            Theirs::Convert { operand, .. } | Theirs::Cast(operand) => self.is_length(operand),
            _ => false,
        }
    }

    /// Adds an expression. It has effects if its operands have, or if its kind always has.
    pub(super) fn push(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        let exprs = &self.program.exprs;
        let any = |operands: &[ExprId]| operands.iter().any(|&operand| exprs[operand].has_effects);
        let has_effects = match &kind {
            ExprKind::Variable(_)
            | ExprKind::Text(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(..) => false,
            ExprKind::Deref(operand)
            | ExprKind::Load(operand)
            | ExprKind::AddressOf(operand)
            | ExprKind::Convert(operand)
            | ExprKind::Unary(_, operand)
            | ExprKind::Member { base: operand, .. } => any(&[*operand]),
            ExprKind::Index { base: lhs, index: rhs }
            | ExprKind::Binary(_, lhs, rhs)
            | ExprKind::PointerAdd { pointer: lhs, index: rhs, .. }
            | ExprKind::PointerSub { lhs, rhs, .. }
            | ExprKind::And(lhs, rhs)
            | ExprKind::Or(lhs, rhs)
            | ExprKind::Comma(lhs, rhs) => any(&[*lhs, *rhs]),
            ExprKind::Conditional { condition, then, otherwise } => {
                any(&[*condition, *otherwise]) || then.is_some_and(|then| any(&[then]))
            }
            ExprKind::CompoundLiteral { .. }
            | ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Call { .. }
            | ExprKind::Statement { .. }
            | ExprKind::Builtin(_)
            | ExprKind::Unsupported(_) => true,
        };
        self.program.exprs.push(Expr { kind, ty, span, has_effects })
    }

    pub(super) fn unsupported(&mut self, what: &str, ty: TypeId, span: Span) -> ExprId {
        self.push(ExprKind::Unsupported(what.to_owned()), ty, span)
    }

    pub(super) fn int(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        let pointer_mask = (1 << self.program.types.model().pointer_width()) - 1;
        let is_pointer = matches!(self.program.types.get(ty), Type::Pointer(_));
        let value = if is_pointer { value & pointer_mask } else { value };
        self.push(ExprKind::Int(value), ty, span)
    }

    /// The expression converted to `ty`, which is itself if it has that type.
    pub(super) fn convert(&mut self, operand: ExprId, ty: TypeId) -> ExprId {
        let Expr { ty: from, span, .. } = self.program.exprs[operand];
        if from == ty {
            return operand;
        }
        if let (ExprKind::Int(value), Type::Int(kind)) =
            (&self.program.exprs[operand].kind, self.program.types.get(ty))
        {
            let (value, kind) = (*value, *kind);
            if self.program.types.as_int(from).is_some() {
                let value = wrap(value, kind, kind.width(self.program.types.model()));
                return self.int(value, ty, span);
            }
        }
        self.push(ExprKind::Convert(operand), ty, span)
    }

    fn constant(&mut self, constant: Const, ty: TypeId, span: Span) -> ExprId {
        match constant {
            Const::Int(value) => match self.program.types.get(ty) {
                Type::Float(_) => self.unsupported("an integer constant of floating type", ty, span),
                Type::Opaque { name, .. } => {
                    let what = format!("a constant of type `{name}`");
                    self.unsupported(&what, ty, span)
                }
                _ => self.int(value, ty, span),
            },
            Const::Float(value) => match self.program.types.get(ty) {
                Type::Float(_) => self.push(ExprKind::Float(value.to_bits()), ty, span),
                _ => self.unsupported("a decimal floating-point constant", ty, span),
            },
            Const::Complex { .. } | Const::ComplexInt { .. } => {
                self.unsupported("a complex constant", ty, span)
            }
            Const::Address(address) => self.address_constant(address, ty, span),
            Const::Apart { .. } => self.unsupported("a difference of label addresses", ty, span),
        }
    }

    fn address_constant(&mut self, address: rucc_sema::Address, ty: TypeId, span: Span) -> ExprId {
        let base = match address.base {
            Base::Absolute => return self.int(address.offset, ty, span),
            Base::Label(label) => self.label_address(label, ty, span),
            Base::Decl(decl) => match self.entity(decl) {
                Entity::Function(function) => self.push(ExprKind::FunctionAddress(function), ty, span),
                Entity::Variable(variable) => {
                    let place_ty = self.program.variables[variable].ty;
                    let place = self.push(ExprKind::Variable(variable), place_ty, span);
                    self.address_of(place, ty, span)
                }
            },
            Base::Str(string) => {
                let char_ty = self.program.types.int(IntKind::Char);
                let length = Some(self.checked.tast[string].elements.len() as u64 + 1);
                let array = self.program.types.intern(Type::Array { element: char_ty, length });
                let string = self.string(string, array);
                let place = self.push(ExprKind::Text(string), array, span);
                self.address_of(place, ty, span)
            }
        };
        if address.offset == 0 {
            return base;
        }
        let difference = self.difference_type();
        let index = self.int(address.offset, difference, span);
        self.push(ExprKind::PointerAdd { pointer: base, index, stride: Stride::Bytes(1) }, ty, span)
    }

    pub(super) fn string_bytes(&self, id: StrId) -> Vec<u8> {
        let mut bytes = self.checked.tast[id].bytes(&self.session.target);
        bytes.pop();
        bytes
    }

    fn string(&mut self, id: StrId, ty: TypeId) -> StringId {
        if let Some(&known) = self.strings.get(&id) {
            return known;
        }
        let bytes = self.checked.tast[id].bytes(&self.session.target);
        let string = self.program.strings.push(StringLiteral { bytes, ty });
        self.strings.insert(id, string);
        string
    }

    fn declared(&mut self, decl: rucc_sema::DeclId, ty: TypeId, span: Span) -> ExprId {
        if let Some(&pointer) = self.dynamic_arrays.get(&decl) {
            let pointer = self.load_variable(pointer);
            return self.push(ExprKind::Deref(pointer), ty, span);
        }
        if self.checked.tast[decl].register.is_some() {
            return self.unsupported("a variable in a machine register", ty, span);
        }
        match self.entity(decl) {
            Entity::Variable(variable) if self.is_captured(variable) => self.captured(variable, ty, span),
            Entity::Variable(variable) => self.push(ExprKind::Variable(variable), ty, span),
            Entity::Function(function) => {
                // A function designator stands only where its address is wanted.
                let pointer = self.program.types.pointer_to(ty);
                self.push(ExprKind::FunctionAddress(function), pointer, span)
            }
        }
    }

    /// Whether a variable belongs to a call of a function around the one at hand.
    fn is_captured(&self, variable: VariableId) -> bool {
        let variable = &self.program.variables[variable];
        !variable.kind.is_global() && variable.function.is_some() && variable.function != self.function
    }

    fn captured(&mut self, variable: VariableId, ty: TypeId, span: Span) -> ExprId {
        let name = &self.program.variables[variable].name;
        let what = format!("the variable `{name}` of an outer function in a nested function");
        self.unsupported(&what, ty, span)
    }

    pub(super) fn load_variable(&mut self, variable: VariableId) -> ExprId {
        let (ty, span) = (self.program.variables[variable].ty, self.program.variables[variable].span);
        if self.is_captured(variable) {
            return self.captured(variable, ty, span);
        }
        let place = self.push(ExprKind::Variable(variable), ty, span);
        self.push(ExprKind::Load(place), ty, span)
    }

    /// Whether an expression is a structure whose scalars are stored in the other order of bytes.
    fn is_reverse(&self, id: rucc_sema::ExprId) -> bool {
        let types = &self.checked.types;
        match types.kind(types.canonical(self.checked.tast[id].ty)) {
            rucc_types::TypeKind::Record(record) => types.record_info(record).reverse,
            _ => false,
        }
    }

    fn member(&mut self, their_base: rucc_sema::ExprId, field: u32, ty: TypeId, span: Span) -> ExprId {
        let base = self.expr(their_base);
        let Some(record) = self.program.types.as_record(self.program.exprs[base].ty) else {
            return self.unsupported("a member of something that is not a structure", ty, span);
        };
        if !self.program.types.record(record).complete {
            return self.unsupported(VARIABLE_STRUCTURE, ty, span);
        }
        let is_single_byte = self.program.types.size_of(ty) == Some(1);
        if self.is_reverse(their_base) && !is_single_byte {
            return self.unsupported("a member that is stored in the other order of bytes", ty, span);
        }
        let is_place = self.program.is_place(base);
        let member = self.push(ExprKind::Member { base, field }, ty, span);
        // A member of a value (the result of a call, say) is a value.
        if is_place { member } else { self.push(ExprKind::Load(member), ty, span) }
    }

    fn subscript(
        &mut self,
        base: rucc_sema::ExprId,
        index: rucc_sema::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let stride = self.pointee_stride(self.checked.tast[base].ty);
        let index = self.expr(index);
        let difference = self.difference_type();
        let index = self.convert(index, difference);
        if let (Theirs::Convert { kind: Conversion::ArrayDecay, operand }, Stride::Bytes(_)) =
            (self.checked.tast[base].kind, stride)
        {
            let base = self.array(operand);
            if let Some(pointer) = self.dynamic_array_pointer(base, ty) {
                return self.element_behind(pointer, index, stride, ty, span);
            }
            if matches!(self.program.types.get(self.program.exprs[base].ty), Type::Array { .. }) {
                return self.push(ExprKind::Index { base, index }, ty, span);
            }
        }
        let pointer = self.expr(base);
        let pointer_ty = self.program.exprs[pointer].ty;
        if !matches!(self.program.types.get(pointer_ty), Type::Pointer(_)) {
            return self.unsupported("an element of a vector", ty, span);
        }
        self.element_behind(pointer, index, stride, ty, span)
    }

    fn element_behind(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        stride: Stride,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let pointer_ty = self.program.exprs[pointer].ty;
        let address = self.push(ExprKind::PointerAdd { pointer, index, stride }, pointer_ty, span);
        self.push(ExprKind::Deref(address), ty, span)
    }

    /// The hidden pointer of a variable-length array, which points to its elements.
    fn dynamic_array_pointer(&self, array: ExprId, element: TypeId) -> Option<ExprId> {
        let ExprKind::Deref(pointer) = self.program.exprs[array].kind else { return None };
        let pointee = self.program.types.pointee(self.program.exprs[pointer].ty);
        (pointee == Some(element)).then_some(pointer)
    }

    pub(super) fn pointee_stride(&mut self, pointer: rucc_types::TypeId) -> Stride {
        match rucc_types::pointee(&self.checked.types, pointer) {
            Some(element) => self.stride(element),
            None => Stride::Bytes(1),
        }
    }

    fn call(
        &mut self,
        callee: rucc_sema::ExprId,
        arguments: rucc_sema::ExprList,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let callee = self.expr(callee);
        if self.is_assumption(callee)
            && let &[condition] = &self.checked.tast[arguments]
        {
            return self.assumption(condition, ty, span);
        }
        let arguments = self.checked.tast[arguments].iter().map(|&argument| self.expr(argument)).collect();
        self.push(ExprKind::Call { callee, arguments }, ty, span)
    }

    fn is_assumption(&self, callee: ExprId) -> bool {
        match self.program.exprs[callee].kind {
            ExprKind::FunctionAddress(function) => {
                self.program.functions[function].function.name == "__builtin_assume"
            }
            _ => false,
        }
    }

    /// clang's `__builtin_assume`: behaviour is undefined if the condition is false. A condition with side effects is not
    /// evaluated.
    fn assumption(&mut self, condition: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        let void = self.program.types.intern(Type::Void);
        let nothing = self.push(ExprKind::Int(0), ty, span);
        let condition = self.expr(condition);
        if self.program.exprs[condition].has_effects {
            return nothing;
        }
        let unreachable = self.push(ExprKind::Builtin(Builtin::Unreachable), void, span);
        let nothing = self.push(ExprKind::Convert(nothing), void, span);
        let test = ExprKind::Conditional { condition, then: Some(nothing), otherwise: unreachable };
        let test = self.push(test, void, span);
        self.convert(test, ty)
    }

    pub(super) fn unsupported_type(&mut self, what: &str, ty: TypeId, span: Span) -> ExprId {
        let what = format!("{what} on the type `{}`", self.program.types.name(ty));
        self.unsupported(&what, ty, span)
    }

    /// The address of a place. The root variable is known to pointers from now on.
    pub(super) fn address_of(&mut self, place: ExprId, ty: TypeId, span: Span) -> ExprId {
        match self.program.exprs[place].kind {
            ExprKind::FunctionAddress(_) => return place,
            ExprKind::Deref(pointer) => return self.convert(pointer, ty),
            _ => self.take_address(place),
        }
        self.push(ExprKind::AddressOf(place), ty, span)
    }

    fn take_address(&mut self, place: ExprId) {
        match self.program.exprs[place].kind {
            ExprKind::Variable(variable) | ExprKind::CompoundLiteral { variable, .. } => {
                self.program.variables[variable].address_taken = true;
            }
            ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => self.take_address(base),
            _ => {}
        }
    }

    fn cast(&mut self, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        let operand = self.expr(operand);
        let from = self.program.exprs[operand].ty;
        let types = &self.program.types;
        if from == ty || matches!(types.get(ty), Type::Void) {
            return if from == ty { operand } else { self.push(ExprKind::Convert(operand), ty, span) };
        }
        if !types.is_scalar(from) || !types.is_scalar(ty) {
            return self.unsupported_type("a conversion", if types.is_scalar(ty) { from } else { ty }, span);
        }
        let converted = self.convert(operand, ty);
        self.program.exprs[converted].span = span;
        converted
    }

    fn conversion(&mut self, kind: Conversion, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        match kind {
            Conversion::Lvalue => {
                let place = self.expr(operand);
                if self.is_variable_record(self.checked.tast[operand].ty) {
                    return self.unsupported(VARIABLE_STRUCTURE, ty, span);
                }
                if !self.program.is_place(place) {
                    return place;
                }
                let place_ty = self.program.exprs[place].ty;
                let load = self.push(ExprKind::Load(place), place_ty, span);
                self.convert(load, ty)
            }
            Conversion::ArrayDecay => {
                let place = self.array(operand);
                self.address_of(place, ty, span)
            }
            Conversion::FunctionDecay => self.expr(operand),
            Conversion::NullPointer => self.null_pointer(operand, ty, span),
            Conversion::Arithmetic | Conversion::Pointer | Conversion::Bool | Conversion::Void => {
                self.cast(operand, ty, span)
            }
            Conversion::Broadcast | Conversion::Hardbool => self.unsupported_type("a conversion", ty, span),
        }
    }

    /// An array as a place; one in the result of a call is a place in a temporary.
    fn array(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let array = self.expr(id);
        match self.program.exprs[array].kind {
            ExprKind::Load(place) => place,
            _ => array,
        }
    }

    fn null_pointer(&mut self, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        let operand = self.expr(operand);
        if self.program.exprs[operand].has_effects {
            return self.convert(operand, ty);
        }
        self.int(0, ty, span)
    }

    fn label_address(&mut self, label: rucc_sema::LabelId, ty: TypeId, span: Span) -> ExprId {
        match self.function {
            Some(function) => {
                let label = self.taken_label(label);
                self.push(ExprKind::LabelAddress(function, label), ty, span)
            }
            None => self.unsupported("a label address outside of its function", ty, span),
        }
    }
}

/// The value of an integer constant after conversion to the type.
pub(super) fn wrap(value: i128, kind: IntKind, width: u32) -> i128 {
    if kind == IntKind::Bool {
        return i128::from(value != 0);
    }
    let unused = 128 - width;
    if kind.is_signed() { value << unused >> unused } else { ((value as u128) << unused >> unused) as i128 }
}
