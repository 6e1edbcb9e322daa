//! What can go wrong with accesses to memory and with pointers.

use super::{Pass, Tested};
use crate::check::Check;
use crate::expr::{BinaryOp, ExprKind, Fault, PlaceKind, UnaryOp};
use crate::hazard::Hazard;
use crate::index::{ExprId, FunctionId, PlaceId};
use crate::types::Type;

impl Pass {
    /// An access to a place.
    pub(super) fn access(&mut self, place: PlaceId) {
        self.guard_access(place);
        self.indices(place);
        if let Some(pointer) = self.program.root_pointer(place) {
            let is_null = |pass: &mut Pass, span| pass.is_zero(pointer, span);
            self.add(Check::Null, Tested::Place(place), "an access through a null pointer in", is_null);
        }
        let has_dereference = self.program.has_dereference(place);
        if has_dereference {
            let what = "an access after the end of the object's life in";
            self.fault(Check::UseAfterFree, place, what, Fault::Life);
        }
        if has_dereference || self.has_unknown_length(place) {
            self.fault(Check::Bounds, place, "an access out of bounds in", Fault::Bounds);
        }
    }

    /// A write through a pointer must not change what is constant. Places that name a constant variable are written by
    /// its initialisation only.
    pub(super) fn written(&mut self, place: PlaceId) {
        if self.program.has_dereference(place) {
            self.fault(Check::ConstWrite, place, "a write to a constant object in", Fault::Constant);
        }
    }

    pub(super) fn fault(&mut self, check: Check, place: PlaceId, what: &str, fault: Fault) {
        let faulty = |pass: &mut Pass, span| pass.expr(ExprKind::Faulty { place, fault }, pass.int, span);
        self.add(check, Tested::Place(place), what, faulty);
    }

    /// Whether a function without body accesses what its first arguments point to, as many bytes as the last says, and
    /// nothing else.
    pub(super) fn accesses_blocks(&self, function: FunctionId, arguments: &[ExprId]) -> bool {
        let function = &self.program.functions[function];
        let name = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
        function.body.is_none() && arguments.len() == 3 && matches!(name, "memcpy" | "memmove" | "memset")
    }

    /// The accesses of a function that copies or sets memory.
    pub(super) fn blocks(&mut self, function: FunctionId, arguments: &[ExprId]) {
        if !self.accesses_blocks(function, arguments) {
            return;
        }
        let length = arguments[2];
        self.written_block(arguments[0], length);
        for &pointer in &arguments[..2] {
            if !matches!(self.program.types.get(self.program.exprs[pointer].ty), Type::Pointer(_)) {
                continue;
            }
            let is_guarded = self.guarded.contains(&Hazard::Block(pointer));
            let is_null = |pass: &mut Pass, span| {
                let (null, none) = (pass.is_zero(pointer, span), pass.is_zero(length, span));
                pass.compare(BinaryOp::Gt, null, none, span)
            };
            if is_guarded || self.wants(Check::Null) {
                self.test(Check::Null, Tested::Expr(pointer), "an access through a null pointer,", is_null);
            }
            let faults = [
                (Check::UseAfterFree, Fault::Life, "an access after the end of the object's life, through"),
                (Check::Bounds, Fault::Bounds, "an access out of bounds, through"),
            ];
            for (check, fault, what) in faults {
                let faulty = |pass: &mut Pass, span| {
                    pass.expr(ExprKind::FaultyBlock { pointer, length, fault }, pass.int, span)
                };
                if is_guarded || self.wants(check) {
                    self.test(check, Tested::Expr(pointer), what, faulty);
                }
            }
        }
    }

    fn written_block(&mut self, pointer: ExprId, length: ExprId) {
        if !matches!(self.program.types.get(self.program.exprs[pointer].ty), Type::Pointer(_)) {
            return;
        }
        let fault = Fault::Constant;
        let faulty = |pass: &mut Pass, span| {
            pass.expr(ExprKind::FaultyBlock { pointer, length, fault }, pass.int, span)
        };
        self.add(Check::ConstWrite, Tested::Expr(pointer), "a write to a constant object, through", faulty);
    }

    /// Every index on the way to a place must be inside of its array.
    fn indices(&mut self, place: PlaceId) {
        match self.program.places[place].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) | PlaceKind::Deref(_) => {}
            PlaceKind::Member { base, .. } => self.indices(base),
            PlaceKind::Element { base, index } => {
                self.indices(base);
                if let Some(length) = self.length(base).map(i128::from) {
                    if self.constant(index).is_some_and(|index| (0..length).contains(&index)) {
                        return;
                    }
                    let outside = |pass: &mut Pass, span| pass.is_outside(index, length, span);
                    self.add(Check::Bounds, Tested::Expr(index), "an index out of bounds,", outside);
                } else {
                    let stride = self.program.types.size_of(self.program.places[place].ty).unwrap_or(0);
                    self.distance(Tested::Expr(index), index, stride);
                }
            }
        }
    }

    /// A pointer must not be moved by more bytes than a difference of pointers can be.
    pub(super) fn distance(&mut self, tested: Tested, index: ExprId, stride: u64) {
        let ty = self.program.exprs[index].ty;
        let most = (1i128 << (self.program.types.width(ty) - 1)) - 1;
        let stride = i128::from(stride.max(1));
        if self.magnitude(index).saturating_mul(stride) <= most {
            return;
        }
        let too_far = |pass: &mut Pass, span| {
            let (low, high) =
                (pass.number((-most - 1) / stride, ty, span), pass.number(most / stride, ty, span));
            let (lhs, rhs) =
                (pass.compare(BinaryOp::Lt, index, low, span), pass.compare(BinaryOp::Gt, index, high, span));
            pass.expr(ExprKind::Binary { op: BinaryOp::Or, lhs, rhs }, pass.int, span)
        };
        self.add(Check::Bounds, tested, "an index that is too large for any object in", too_far);
    }

    /// A number that no value of an integer exceeds, by its type and where it comes from.
    fn magnitude(&self, expr: ExprId) -> i128 {
        match self.program.exprs[expr].kind {
            ExprKind::Int(value) => value.saturating_abs(),
            ExprKind::Zero => 0,
            ExprKind::Convert(operand) if self.keeps_magnitude(operand, expr) => {
                self.magnitude(operand).min(self.largest(expr))
            }
            ExprKind::Unary { op: UnaryOp::Negate, operand } => self.magnitude(operand),
            _ => self.largest(expr),
        }
    }

    /// Whether a conversion makes no negative number a large one.
    fn keeps_magnitude(&self, operand: ExprId, converted: ExprId) -> bool {
        let types = &self.program.types;
        let [from, to] = [operand, converted].map(|expr| self.program.exprs[expr].ty);
        self.int_kind(from).is_some() && (types.is_unsigned(from) || !types.is_unsigned(to))
    }

    fn largest(&self, expr: ExprId) -> i128 {
        let ty = self.program.exprs[expr].ty;
        let bits = self.program.types.width(ty) - u32::from(!self.program.types.is_unsigned(ty));
        if bits < 127 { 1 << bits } else { i128::MAX }
    }

    /// The length of an array, if it says how many elements can be accessed: a last member with at most one
    /// element is used like one without length.
    fn length(&self, array: PlaceId) -> Option<u64> {
        let Type::Array { length, .. } = *self.program.types.get(self.program.places[array].ty) else {
            return None;
        };
        let is_member = matches!(self.program.places[array].kind, PlaceKind::Member { .. });
        length.filter(|&length| length > 1 || !is_member)
    }

    fn has_unknown_length(&self, place: PlaceId) -> bool {
        match self.program.places[place].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) | PlaceKind::Deref(_) => false,
            PlaceKind::Member { base, .. } => self.has_unknown_length(base),
            PlaceKind::Element { base, .. } => self.length(base).is_none() || self.has_unknown_length(base),
        }
    }
}
