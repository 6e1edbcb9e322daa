//! Results of functions without body that cannot be just anything: with this pass nothing outside of their range is
//! looked at behind a call, such as a `close` that returns 7.

use std::collections::{BTreeMap, BTreeSet};

use super::checks::Rebuilt;
use super::undefined::addressed;
use crate::automaton::{Callee, Edge, Operation};
use crate::build::Draft;
use crate::expr::{BinaryOp, ExprKind, PlaceKind};
use crate::index::{ExprId, FunctionId, PlaceId, TypeId, VariableId};
use crate::program::{Function, Program, Variable, VariableKind};
use crate::types::{IntKind, Type};
use rorqual_source::Span;

/// What the result of a function is between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultRange {
    /// The lowest result.
    pub lowest: i128,
    /// The highest one, if it is not that of the type.
    pub highest: Option<HighestResult>,
}

/// The highest result of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HighestResult {
    /// A number.
    Number(i128),
    /// The argument at a position. Negative results are not compared with it.
    Argument(usize),
}

/// The program in which functions without body return nothing but what is in their range.
pub fn with_result_ranges(program: Program, range_of: &dyn Fn(&Function) -> Option<ResultRange>) -> Program {
    let ranges: BTreeMap<FunctionId, ResultRange> = {
        let open = program.functions.iter().filter(|(_, function)| function.body.is_none());
        open.filter_map(|(id, function)| Some((id, range_of(function)?))).collect()
    };
    let addressed = addressed(&program);
    let mut pass = Pass { program, ranges, addressed };
    for function in pass.program.functions.ids().collect::<Vec<FunctionId>>() {
        if pass.changes(function)
            && let Some(old) = pass.program.functions[function].body.take()
        {
            let mut new = Rebuilt::new(&old);
            for edge in old.edges().values() {
                pass.edge(&mut new, function, edge);
            }
            new.finish(&mut pass.program, function, &old);
        }
    }
    pass.program
}

struct Pass {
    program: Program,
    ranges: BTreeMap<FunctionId, ResultRange>,
    /// The functions that pointers may point to.
    addressed: BTreeSet<FunctionId>,
}

impl Pass {
    fn changes(&self, function: FunctionId) -> bool {
        let Some(body) = &self.program.functions[function].body else { return false };
        body.edges().values().any(|edge| self.ranged(edge).is_some())
    }

    /// Where a result goes that has a range, and the functions that may return it, with their ranges.
    fn ranged(&self, edge: &Edge) -> Option<(PlaceId, Vec<(FunctionId, ResultRange)>)> {
        let Operation::Call { target: Some(target), callee, .. } = edge.operation else { return None };
        let ty = self.program.places[target].ty;
        if self.program.types.as_int(ty).is_none_or(|kind| kind == IntKind::Bool) {
            return None;
        }
        // A result that is declared otherwise is not what the range speaks of.
        let has_type = |function: FunctionId| {
            let ty_of = self.program.functions[function].ty;
            matches!(self.program.types.get(ty_of), Type::Function { result, .. } if *result == ty)
        };
        let may_be_called = |function: FunctionId| match callee {
            Callee::Function(callee) => callee == function,
            Callee::Pointer(_) => self.addressed.contains(&function),
        };
        let ranges = self.ranges.iter().map(|(&function, &range)| (function, range));
        let ranges: Vec<_> =
            ranges.filter(|&(function, _)| may_be_called(function) && has_type(function)).collect();
        (!ranges.is_empty()).then_some((target, ranges))
    }

    fn edge(&mut self, new: &mut Rebuilt, function: FunctionId, edge: &Edge) {
        let (mut from, to, span) = (new.at(edge.source), new.at(edge.target), edge.span);
        let ranged = self.ranged(edge);
        let (Some((target, ranges)), Operation::Call { callee, arguments, .. }) = (ranged, &edge.operation)
        else {
            new.builder.edge(from, to, edge.operation.clone(), span);
            return;
        };
        // What is called, and what bounds the result, is known before the call, which may store the result there.
        let mut kept = |pass: &mut Pass, name: &str, value: ExprId| {
            let (variable, place, load) = pass.temporary(function, name, pass.program.exprs[value].ty, span);
            from = new.step(from, Operation::Declare(variable), span);
            from = new.step(from, Operation::Assign { target: place, value }, span);
            load
        };
        let pointer = match callee {
            Callee::Function(_) => None,
            Callee::Pointer(pointer) => Some(kept(self, "callee", *pointer)),
        };
        let mut bounded = Vec::new();
        for (callee, range) in ranges {
            let bound = match range.highest {
                Some(HighestResult::Argument(position)) => arguments.get(position).copied(),
                _ => None,
            };
            let bound = bound.filter(|&bound| self.is_integer(self.program.exprs[bound].ty));
            bounded.push((callee, range, bound.map(|value| kept(self, "bound", value))));
        }
        let ty = self.program.places[target].ty;
        let (variable, place, result) = self.temporary(function, "result", ty, span);
        from = new.step(from, Operation::Declare(variable), span);
        let call = Operation::Call { target: Some(place), callee: *callee, arguments: arguments.clone() };
        from = new.step(from, call, span);
        for (callee, range, bound) in bounded {
            let is_called = pointer.map(|pointer| self.points_to(pointer, callee, span));
            from = self.in_range(new, from, (is_called, range, bound), result, span);
        }
        new.builder.edge(from, to, Operation::Assign { target, value: result }, span);
    }

    /// Whether a pointer points to a function.
    fn points_to(&mut self, pointer: ExprId, function: FunctionId, span: Span) -> ExprId {
        let ty = self.program.exprs[pointer].ty;
        let address = self.program.add_expr(ExprKind::FunctionAddress(function), ty, span);
        self.compare(BinaryOp::Eq, pointer, address, span)
    }

    /// Goes on with results that are in a range, if a condition holds.
    fn in_range(
        &mut self,
        new: &mut Rebuilt,
        from: Draft,
        (condition, range, bound): (Option<ExprId>, ResultRange, Option<ExprId>),
        result: ExprId,
        span: Span,
    ) -> Draft {
        let mut at = match condition {
            Some(condition) => new.step(from, Operation::Assume { condition, holds: true }, span),
            None => from,
        };
        for condition in self.conditions(result, range, span) {
            at = new.step(at, Operation::Assume { condition, holds: true }, span);
        }
        if let Some(bound) = bound {
            at = self.bounded(new, at, [result, bound], span);
        }
        if let Some(condition) = condition {
            new.builder.edge(from, at, Operation::Assume { condition, holds: false }, span);
        }
        at
    }

    /// Goes on with results that are negative or not above a bound. Only natural numbers are converted to its type.
    fn bounded(&mut self, new: &mut Rebuilt, from: Draft, [result, bound]: [ExprId; 2], span: Span) -> Draft {
        let [ty, bound_ty] = [result, bound].map(|expr| self.program.exprs[expr].ty);
        let fitted = self.program.add_expr(ExprKind::Convert(result), bound_ty, span);
        let is_below = self.compare(BinaryOp::Le, fitted, bound, span);
        let is_below = Operation::Assume { condition: is_below, holds: true };
        if !self.program.types.as_int(ty).is_some_and(IntKind::is_signed) {
            return new.step(from, is_below, span);
        }
        let zero = self.program.add_expr(ExprKind::Int(0), ty, span);
        let is_negative = self.compare(BinaryOp::Lt, result, zero, span);
        let assume = |holds| Operation::Assume { condition: is_negative, holds };
        let end = new.step(from, assume(true), span);
        let natural = new.step(from, assume(false), span);
        new.builder.edge(natural, end, is_below, span);
        end
    }

    /// What holds of a result.
    fn conditions(&mut self, result: ExprId, range: ResultRange, span: Span) -> Vec<ExprId> {
        let ty = self.program.exprs[result].ty;
        let is_signed = self.program.types.as_int(ty).is_some_and(IntKind::is_signed);
        let mut conditions = Vec::new();
        if is_signed {
            let lowest = self.program.add_expr(ExprKind::Int(range.lowest), ty, span);
            conditions.push(self.compare(BinaryOp::Ge, result, lowest, span));
        }
        if let Some(HighestResult::Number(highest)) = range.highest {
            let highest = self.program.add_expr(ExprKind::Int(highest), ty, span);
            conditions.push(self.compare(BinaryOp::Le, result, highest, span));
        }
        conditions
    }

    fn compare(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let int = self.program.types.int(IntKind::Int);
        self.program.add_expr(ExprKind::Binary { op, lhs, rhs }, int, span)
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        self.program.types.as_int(ty).is_some()
    }

    /// A variable of a function, its place, and its value.
    fn temporary(
        &mut self,
        function: FunctionId,
        name: &str,
        ty: TypeId,
        span: Span,
    ) -> (VariableId, PlaceId, ExprId) {
        let variable = Variable::new(name, ty, VariableKind::Temporary, &self.program.types, span);
        let variable = self.program.variables.push(Variable { function: Some(function), ..variable });
        let place = self.program.add_place(PlaceKind::Variable(variable), ty, span);
        let value = self.program.add_expr(ExprKind::Load(place), ty, span);
        (variable, place, value)
    }
}
