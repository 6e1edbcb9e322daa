//! Tests of single operations: what a proof that rests on some operations being defined leaves to be proved.

use std::collections::BTreeSet;

use super::super::undefined::addressed;
use super::{Pass, Tested};
use crate::automaton::Callee;
use crate::check::Check;
use crate::expr::{BinaryOp, ExprKind, Fault, PlaceKind};
use crate::hazard::Hazard;
use crate::index::{ExprId, PlaceId};
use crate::program::Program;
use crate::types::IntKind;

/// The program in which the only violations are that some operations are undefined when they are executed. Where its own
/// specification is violated, it ends.
pub fn guard(program: Program, hazards: &BTreeSet<Hazard>) -> Program {
    let mut pass = Pass::new(program, BTreeSet::new(), BTreeSet::new());
    pass.guarded.clone_from(hazards);
    pass.run()
}

impl Pass {
    /// Whether the violations of the program are those of single operations.
    pub(super) fn is_guard(&self) -> bool {
        !self.guarded.is_empty()
    }

    /// Tests an access to a place: its whole object counts, and not the bounds of arrays inside of it.
    pub(super) fn guard_access(&mut self, place: PlaceId) {
        self.guard_truth(place);
        if !self.guarded.contains(&Hazard::Access(place)) {
            return;
        }
        if let Some((index, length)) = self.only_index(place) {
            let outside = |pass: &mut Pass, span| pass.is_outside(index, i128::from(length), span);
            return self.test(Check::Bounds, Tested::Place(place), "an access out of bounds in", outside);
        }
        if let Some(pointer) = self.program.root_pointer(place) {
            let is_null = |pass: &mut Pass, span| pass.is_zero(pointer, span);
            self.test(Check::Null, Tested::Place(place), "an access through a null pointer in", is_null);
        }
        let faults = [
            (Check::UseAfterFree, Fault::Life, "an access after the end of the object's life in"),
            (Check::Bounds, Fault::Bounds, "an access out of bounds in"),
        ];
        for (check, fault, what) in faults {
            if fault == Fault::Life && !self.program.has_dereference(place) {
                continue;
            }
            let faulty = |pass: &mut Pass, span| pass.expr(ExprKind::Faulty { place, fault }, pass.int, span);
            self.test(check, Tested::Place(place), what, faulty);
        }
    }

    /// Tests that a `_Bool` is 0 or 1, by its byte.
    fn guard_truth(&mut self, place: PlaceId) {
        if !self.guarded.contains(&Hazard::Truth(place)) {
            return;
        }
        let is_neither = |pass: &mut Pass, span| {
            if let Some(variable) = pass.program.root_variable(place) {
                pass.program.variables[variable].address_taken = true;
            }
            let byte = pass.program.types.int(IntKind::UnsignedChar);
            let pointers = [pass.program.places[place].ty, byte].map(|ty| pass.program.types.pointer_to(ty));
            let address = pass.expr(ExprKind::AddressOf(place), pointers[0], span);
            let address = pass.expr(ExprKind::Convert(address), pointers[1], span);
            let byte_place = pass.program.add_place(PlaceKind::Deref(address), byte, span);
            let value = pass.expr(ExprKind::Load(byte_place), byte, span);
            let one = pass.number(1, byte, span);
            pass.compare(BinaryOp::Gt, value, one, span)
        };
        let what = "a `_Bool` that is neither 0 nor 1 in";
        self.test(Check::Uninitialized, Tested::Place(place), what, is_neither);
    }

    /// The index of an element of a variable that is an array, and the length of the array.
    fn only_index(&self, place: PlaceId) -> Option<(ExprId, u64)> {
        let PlaceKind::Element { base, index } = self.program.places[place].kind else { return None };
        let PlaceKind::Variable(_) = self.program.places[base].kind else { return None };
        match *self.program.types.get(self.program.places[base].ty) {
            crate::types::Type::Array { length, .. } => length.map(|length| (index, length)),
            _ => None,
        }
    }

    /// Tests a division: the quotient must exist, and fit.
    pub(super) fn guard_division(&mut self, id: ExprId, (lhs, rhs): (ExprId, ExprId)) {
        if !self.guarded.contains(&Hazard::Arithmetic(id)) {
            return;
        }
        let is_zero = |pass: &mut Pass, span| pass.is_zero(rhs, span);
        self.test(Check::DivZero, Tested::Expr(id), "division by zero in", is_zero);
        let ty = self.program.exprs[id].ty;
        if !self.program.types.is_unsigned(ty) {
            let overflows = |pass: &mut Pass, span| pass.negates_least((lhs, rhs), ty, span);
            self.test(Check::Overflow, Tested::Expr(id), "signed overflow in", overflows);
        }
    }

    /// Tests the count of a shift.
    pub(super) fn guard_shift(&mut self, id: ExprId, count: ExprId) {
        if self.guarded.contains(&Hazard::Arithmetic(id)) {
            let width = i128::from(self.program.types.width(self.program.exprs[id].ty));
            let too_far = |pass: &mut Pass, span| pass.is_outside(count, width, span);
            self.test(Check::Shift, Tested::Expr(id), "a shift by a count out of range in", too_far);
        }
    }

    /// Tests the operand of a count of zeros.
    pub(super) fn guard_zeros(&mut self, id: ExprId, operand: ExprId) {
        if self.guarded.contains(&Hazard::Arithmetic(id)) {
            let is_zero = |pass: &mut Pass, span| pass.is_zero(operand, span);
            self.test(Check::Shift, Tested::Expr(id), "a count of zeros that is given zero in", is_zero);
        }
    }

    /// Tests what is freed: it must be null or the start of live heap memory, if the function that is called frees it.
    pub(super) fn guard_free(&mut self, callee: Callee, arguments: &[ExprId]) {
        let Some(&freed) = arguments.first() else { return };
        if !self.guarded.contains(&Hazard::Free(freed)) {
            return;
        }
        let (pointer, mut functions) = match callee {
            Callee::Function(function) => (None, BTreeSet::from([function])),
            Callee::Pointer(pointer) => (Some(pointer), addressed(&self.program)),
        };
        functions.retain(|&function| self.releases(function));
        if functions.is_empty() {
            return;
        }
        let bad = |pass: &mut Pass, span| {
            let bad = pass.expr(ExprKind::BadFree(freed), pass.int, span);
            let Some(pointer) = pointer else { return bad };
            let mut is_called = pass.number(0, pass.int, span);
            for function in functions {
                let address = ExprKind::FunctionAddress(function);
                let address = pass.expr(address, pass.program.exprs[pointer].ty, span);
                let rhs = pass.compare(BinaryOp::Eq, pointer, address, span);
                let either = ExprKind::Binary { op: BinaryOp::Or, lhs: is_called, rhs };
                is_called = pass.expr(either, pass.int, span);
            }
            pass.both(is_called, bad, span)
        };
        self.test(Check::DoubleFree, Tested::Expr(freed), "an invalid free of", bad);
    }

    /// Tests what a call through a pointer calls: it must be a function whose address the program takes.
    pub(super) fn guard_callee(&mut self, pointer: ExprId) {
        if !self.guarded.contains(&Hazard::Callee(pointer)) {
            return;
        }
        let functions = addressed(&self.program);
        let is_none = |pass: &mut Pass, span| {
            let ty = pass.program.exprs[pointer].ty;
            let mut all = pass.number(1, pass.int, span);
            for function in functions {
                let address = pass.expr(ExprKind::FunctionAddress(function), ty, span);
                let differs = pass.compare(BinaryOp::Ne, pointer, address, span);
                all = pass.both(all, differs, span);
            }
            all
        };
        self.test(Check::Null, Tested::Expr(pointer), "a call through a pointer to no function in", is_none);
    }
}
