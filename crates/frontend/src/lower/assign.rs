//! Assignments, in the order of gcc: what is stored is computed before the place it goes to,
//! except that a call which gives the whole value comes last.

use rorqual_cfa::{ExprId, ExprKind, Operation, PlaceId, PlaceKind};
use rorqual_source::Span;

use super::FunctionLowering;
use crate::typed::{self, CompoundOp, ExprKind as Typed};

/// What an assignment is evaluated for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Effects,
    Value,
}

impl FunctionLowering<'_, '_> {
    /// Stores a value. The answer is the value of the assignment, if that is wanted.
    pub(super) fn assign(
        &mut self,
        target: typed::ExprId,
        value: typed::ExprId,
        wanted: Wanted,
        span: Span,
    ) -> Option<ExprId> {
        if let Some(origin) = self.input_origin(value) {
            let place = self.place(target);
            let receiver = self.receiver(place, wanted);
            self.emit(Operation::Havoc { target: receiver, origin }, span);
            return self.pass_on(receiver, place, wanted, span);
        }
        match self.lowering.exprs[value].kind.clone() {
            Typed::Call { callee, arguments } if !self.is_special_call(callee) => {
                let target_has_effects = self.lowering.exprs[target].has_effects;
                let prepared = self.prepare_call(callee, &arguments, target_has_effects);
                let place = self.place(target);
                let place = self.freeze_against_calls(place);
                let receiver = self.receiver(place, wanted);
                let call_span = self.lowering.exprs[value].span;
                self.emit_call(prepared, Some(receiver), call_span);
                self.pass_on(receiver, place, wanted, span)
            }
            Typed::Comma(lhs, rhs) => {
                self.effects(lhs);
                self.assign(target, rhs, wanted, span)
            }
            _ => {
                let value = self.value(value);
                let value = self.before_effects_of(target, value);
                let place = self.place(target);
                self.store_value(place, value, wanted, span)
            }
        }
    }

    /// Stores a value in a place. The value of the assignment is what was stored, not what the same
    /// expression for the place means afterwards: `a[a[0]] = 1` may change its own index.
    fn store_value(&mut self, place: PlaceId, value: ExprId, wanted: Wanted, span: Span) -> Option<ExprId> {
        if wanted == Wanted::Value && self.is_kept_apart(place) {
            let value = self.snapshot(value);
            self.emit(Operation::Assign { target: place, value }, span);
            return Some(value);
        }
        let place = self.receiver(place, wanted);
        self.emit(Operation::Assign { target: place, value }, span);
        (wanted == Wanted::Value).then(|| self.load(place, span))
    }

    /// Where a call or an input leaves its value on the way to `place`.
    fn receiver(&mut self, place: PlaceId, wanted: Wanted) -> PlaceId {
        if wanted == Wanted::Effects {
            return place;
        }
        if !self.is_kept_apart(place) {
            return self.freeze(place);
        }
        let ty = self.lowering.program.places[place].ty;
        let span = self.lowering.program.place_spans[place];
        let temporary = self.temporary(ty, span);
        self.variable_place(temporary, span)
    }

    fn pass_on(&mut self, receiver: PlaceId, place: PlaceId, wanted: Wanted, span: Span) -> Option<ExprId> {
        if wanted == Wanted::Effects {
            return None;
        }
        let value = self.load(receiver, span);
        if self.is_kept_apart(place) {
            self.emit(Operation::Assign { target: place, value }, span);
        }
        Some(value)
    }

    /// Whether the value of an assignment to the place is kept in a temporary. A place that cannot
    /// change its meaning is just read, and so are bit-fields, which narrow what they store, and
    /// structures, which are expensive to copy; their places are frozen.
    fn is_kept_apart(&self, place: PlaceId) -> bool {
        let program = &self.lowering.program;
        program.types.is_scalar(program.places[place].ty)
            && !self.is_bit_field(place)
            && !self.is_stable_place(place)
    }

    fn is_bit_field(&self, place: PlaceId) -> bool {
        let program = &self.lowering.program;
        let PlaceKind::Member { base, field } = program.places[place].kind else { return false };
        let record = program.types.as_record(program.places[base].ty);
        record.is_some_and(|record| program.types.record(record).fields[field as usize].bits.is_some())
    }

    /// The value as it is before the effects of evaluating `target`. gcc reads a right side that is
    /// just a place only when it stores it.
    fn before_effects_of(&mut self, target: typed::ExprId, value: ExprId) -> ExprId {
        if !self.lowering.exprs[target].has_effects {
            return value;
        }
        match self.lowering.program.exprs[value].kind {
            ExprKind::Load(place) => {
                let span = self.lowering.program.expr_spans[value];
                let place = self.freeze(place);
                self.load(place, span)
            }
            _ => self.operand(value),
        }
    }

    /// The right side of `target op= value` and the place: the right side first if it has effects,
    /// else the place.
    fn operand_and_place(&mut self, value: typed::ExprId, target: typed::ExprId) -> (ExprId, PlaceId) {
        if !self.lowering.exprs[value].has_effects {
            let place = self.place(target);
            return (self.value(value), place);
        }
        let mut operand = self.value(value);
        if self.lowering.exprs[target].has_effects {
            operand = self.operand(operand);
        }
        (operand, self.place(target))
    }

    /// `target op= value`, `++` and `--`. The answer is the value of the expression, if that is wanted.
    pub(super) fn compound_assign(&mut self, id: typed::ExprId, wanted: Wanted) -> Option<ExprId> {
        let typed::Expr { kind, ty, span, .. } = self.lowering.exprs[id].clone();
        let Typed::CompoundAssign { op, target, value, computation, yields_old_value } = kind else {
            unreachable!("the caller has looked at the kind")
        };
        let (operand, place) = self.operand_and_place(value, target);
        let place_ty = self.lowering.program.places[place].ty;
        let target_span = self.lowering.exprs[target].span;
        let old = self.load(place, target_span);
        let keeps_old = wanted == Wanted::Value && yields_old_value;
        let old = if keeps_old { self.snapshot(old) } else { old };
        let new = match op {
            CompoundOp::Arithmetic(op) => {
                let lhs = self.converted(old, computation, target_span);
                let kind = ExprKind::Binary { op, lhs, rhs: operand };
                self.expr(kind, computation, span)
            }
            CompoundOp::Pointer(stride) => self.pointer_offset(old, operand, stride, place_ty, span),
        };
        let new = self.converted(new, place_ty, span);
        if keeps_old {
            self.store_value(place, new, Wanted::Effects, span);
            return Some(old);
        }
        let new = self.store_value(place, new, wanted, span)?;
        Some(self.converted(new, ty, span))
    }
}
