//! Assignments, in the order of gcc: what is stored is computed before the place it goes to,
//! except that a call which gives the whole value comes last.

use rorqual_cfa::{ExprId, ExprKind, Operation, PlaceId};
use rorqual_source::Span;

use super::FunctionLowering;
use crate::typed::{self, CompoundOp, ExprKind as Typed};

impl FunctionLowering<'_, '_> {
    /// Stores a value and answers where.
    pub(super) fn assign(&mut self, target: typed::ExprId, value: typed::ExprId, span: Span) -> PlaceId {
        if let Some(origin) = self.input_origin(value) {
            let place = self.place(target);
            self.emit(Operation::Havoc { target: place, origin }, span);
            return place;
        }
        match self.lowering.exprs[value].kind.clone() {
            Typed::Call { callee, arguments } if !self.is_special_call(callee) => {
                let target_has_effects = self.lowering.exprs[target].has_effects;
                let prepared = self.prepare_call(callee, &arguments, target_has_effects);
                let place = self.place(target);
                let place = self.freeze_against_calls(place);
                let call_span = self.lowering.exprs[value].span;
                self.emit_call(prepared, Some(place), call_span);
                place
            }
            Typed::Comma(lhs, rhs) => {
                self.effects(lhs);
                self.assign(target, rhs, span)
            }
            _ => {
                let value = self.value(value);
                let value = self.before_effects_of(target, value);
                let place = self.place(target);
                self.emit(Operation::Assign { target: place, value }, span);
                place
            }
        }
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

    /// `target op= value`, `++` and `--`. The result is of interest only if `wanted`.
    pub(super) fn compound_assign(&mut self, id: typed::ExprId, wanted: bool) -> ExprId {
        let typed::Expr { kind, ty, span, .. } = self.lowering.exprs[id].clone();
        let Typed::CompoundAssign { op, target, value, computation, yields_old_value } = kind else {
            unreachable!("the caller has looked at the kind")
        };
        let (operand, place) = self.operand_and_place(value, target);
        let place_ty = self.lowering.program.places[place].ty;
        let target_span = self.lowering.exprs[target].span;
        let old = self.load(place, target_span);
        let old = if wanted && yields_old_value { self.snapshot(old) } else { old };
        let new = match op {
            CompoundOp::Arithmetic(op) => {
                let lhs = self.converted(old, computation, target_span);
                let kind = ExprKind::Binary { op, lhs, rhs: operand };
                self.expr(kind, computation, span)
            }
            CompoundOp::Pointer(stride) => self.pointer_offset(old, operand, stride, place_ty, span),
        };
        let new = self.converted(new, place_ty, span);
        let place = if wanted && !yields_old_value { self.freeze(place) } else { place };
        self.emit(Operation::Assign { target: place, value: new }, span);
        if yields_old_value { old } else { self.expr(ExprKind::Load(place), ty, span) }
    }
}
