//! Values: typed expressions to expressions without effects, whose effects have become edges.

use rorqual_cfa::{BinaryOp, Draft, ExprId, ExprKind, Operation, Type, TypeId, UnaryOp, VarArgs};
use rorqual_source::Span;

use super::FunctionLowering;
use super::assign::Wanted;
use crate::typed::{self, Builtin, ExprKind as Typed, Stride};

impl FunctionLowering<'_, '_> {
    /// The value of an expression after its effects have happened.
    pub(super) fn value(&mut self, id: typed::ExprId) -> ExprId {
        let typed::Expr { kind, ty, span, .. } = self.lowering.exprs[id].clone();
        match kind {
            Typed::Int(value) => self.int(value, ty, span),
            Typed::Float(bits) => self.expr(ExprKind::Float(bits), ty, span),
            Typed::Variable(_)
            | Typed::Text(_)
            | Typed::Deref(_)
            | Typed::Member { .. }
            | Typed::Index { .. }
            | Typed::CompoundLiteral { .. } => {
                let place = self.place(id);
                self.load(place, span)
            }
            Typed::Load(place) => {
                let place = self.place(place);
                self.expr(ExprKind::Load(place), ty, span)
            }
            Typed::AddressOf(place) => {
                let place = self.place(place);
                self.take_address(place);
                self.expr(ExprKind::AddressOf(place), ty, span)
            }
            Typed::FunctionAddress(function) => {
                if self.lowering.may_be_missing(function) {
                    let name = self.lowering.program.functions[function].name.clone();
                    self.unsupported(&format!("the address of the weak function `{name}`"), span);
                }
                self.lowering.addressed_functions.insert(function);
                self.expr(ExprKind::FunctionAddress(function), ty, span)
            }
            Typed::LabelAddress(function, label) => self.label_address(function, label, ty, span),
            Typed::Convert(operand) => self.convert(operand, ty, span),
            Typed::Unary(op, operand) => {
                let operand = self.value(operand);
                self.expr(ExprKind::Unary { op, operand }, ty, span)
            }
            Typed::Binary(op, lhs, rhs) => {
                let (lhs, rhs) = if self.evaluates_right_first(op, lhs, rhs) {
                    let (rhs, lhs) = self.in_order(rhs, lhs);
                    (lhs, rhs)
                } else {
                    self.in_order(lhs, rhs)
                };
                self.expr(ExprKind::Binary { op, lhs, rhs }, ty, span)
            }
            Typed::PointerAdd { pointer, index, stride } => {
                let (pointer, index) = self.in_order(pointer, index);
                self.pointer_offset(pointer, index, stride, ty, span)
            }
            Typed::PointerSub { lhs, rhs, stride } => self.pointer_difference(lhs, rhs, stride, ty, span),
            Typed::And(..) | Typed::Or(..) => self.truth_value(id, ty, span),
            Typed::Conditional { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, ty, span)
            }
            Typed::Comma(lhs, rhs) => {
                self.effects(lhs);
                self.value(rhs)
            }
            Typed::Assign { target, value } => {
                let value = self.assign(target, value, Wanted::Value, span);
                value.expect("an assignment whose value is wanted has one")
            }
            Typed::CompoundAssign { .. } => {
                let value = self.compound_assign(id, Wanted::Value);
                value.expect("an assignment whose value is wanted has one")
            }
            Typed::Call { callee, arguments } => self.call_value(callee, &arguments, ty, span),
            Typed::Statement { block, value } => self.statement_value(block, value, ty, span),
            Typed::Builtin(builtin) => self.builtin(&builtin, ty, span),
            Typed::Unsupported(construct) => {
                self.unsupported(&construct, span);
                self.expr(ExprKind::Zero, ty, span)
            }
        }
    }

    /// Evaluates an expression for its effects only.
    pub(super) fn effects(&mut self, id: typed::ExprId) {
        let typed::Expr { kind, ty, span, .. } = self.lowering.exprs[id].clone();
        match kind {
            Typed::Assign { target, value } => {
                self.assign(target, value, Wanted::Effects, span);
            }
            Typed::CompoundAssign { .. } => {
                self.compound_assign(id, Wanted::Effects);
            }
            Typed::Comma(lhs, rhs) => {
                self.effects(lhs);
                self.effects(rhs);
            }
            Typed::Convert(operand) if matches!(self.types().get(ty), Type::Void) => self.effects(operand),
            Typed::Convert(operand) | Typed::Load(operand) | Typed::AddressOf(operand)
                if !self.lowering.options.keep_unused =>
            {
                self.effects(operand);
            }
            Typed::Call { callee, arguments } => self.call_effects(callee, &arguments, ty, span),
            Typed::Conditional { condition, then, otherwise } => {
                self.conditional_effects(condition, then, otherwise);
            }
            Typed::And(..) | Typed::Or(..) if self.lowering.exprs[id].has_effects => {
                let end = self.automaton.location();
                self.condition(id, end, end);
                self.current = end;
            }
            Typed::Statement { block, value } => self.statement_effects(block, value),
            _ => {
                let value = self.value(id);
                self.keep_unused(value);
            }
        }
    }

    /// Evaluates a value that nobody uses, where that is to be seen.
    fn keep_unused(&mut self, value: ExprId) {
        let ty = self.type_of(value);
        let is_copied = self.types().is_scalar(ty)
            || matches!(self.types().get(ty), Type::Record(_)) && self.types().size_of(ty).is_some();
        let is_visible = self.lowering.options.keep_unused && is_copied;
        if is_visible && !self.is_stable(value) {
            self.snapshot(value);
        }
    }

    /// Both values, the first evaluated before the second.
    pub(super) fn in_order(&mut self, first: typed::ExprId, second: typed::ExprId) -> (ExprId, ExprId) {
        let mut first_value = self.value(first);
        if self.lowering.exprs[second].has_effects {
            first_value = self.operand(first_value);
        }
        (first_value, self.value(second))
    }

    /// gcc makes a variable the right operand of a commutative operation or comparison before it
    /// decides on the order, so `x + f()` calls `f` first.
    fn evaluates_right_first(&self, op: BinaryOp, lhs: typed::ExprId, rhs: typed::ExprId) -> bool {
        let is_swappable = op.is_comparison()
            || matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        is_swappable && self.is_variable(lhs) && !self.is_variable(rhs)
    }

    /// Whether the value is that of a variable, possibly converted to a type of the same width.
    fn is_variable(&self, id: typed::ExprId) -> bool {
        let expr = &self.lowering.exprs[id];
        match expr.kind {
            Typed::Load(place) => matches!(self.lowering.exprs[place].kind, Typed::Variable(_)),
            Typed::Convert(operand) => {
                let types = &self.lowering.program.types;
                let from = self.lowering.exprs[operand].ty;
                let same_width = types.as_int(from).is_some()
                    && types.as_int(expr.ty).is_some()
                    && types.width(from) == types.width(expr.ty);
                same_width && self.is_variable(operand)
            }
            _ => false,
        }
    }

    fn convert(&mut self, operand: typed::ExprId, ty: TypeId, span: Span) -> ExprId {
        if matches!(self.types().get(ty), Type::Void) {
            self.effects(operand);
            return self.expr(ExprKind::Zero, ty, span);
        }
        let operand = self.value(operand);
        self.converted(operand, ty, span)
    }

    pub(super) fn converted(&mut self, operand: ExprId, ty: TypeId, span: Span) -> ExprId {
        if self.type_of(operand) == ty {
            return operand;
        }
        self.expr(ExprKind::Convert(operand), ty, span)
    }

    fn label_address(
        &mut self,
        function: rorqual_cfa::FunctionId,
        label: typed::Label,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        use rorqual_cfa::Id;
        let taken = &self.lowering.definitions[function.index()].taken_labels;
        let found = taken.iter().find(|(taken, _)| *taken == label);
        let label = found.expect("every label whose address is taken was entered").1;
        self.expr(ExprKind::LabelAddress(function, label), ty, span)
    }

    pub(super) fn pointer_offset(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        stride: Stride,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        match stride {
            Stride::Bytes(stride) => self.expr(ExprKind::PointerOffset { pointer, index, stride }, ty, span),
            Stride::Computed(size) => {
                let size = self.value(size);
                let index_ty = self.type_of(index);
                let size = self.converted(size, index_ty, span);
                let kind = ExprKind::Binary { op: BinaryOp::Mul, lhs: index, rhs: size };
                let index = self.expr(kind, index_ty, span);
                self.expr(ExprKind::PointerOffset { pointer, index, stride: 1 }, ty, span)
            }
        }
    }

    fn pointer_difference(
        &mut self,
        lhs: typed::ExprId,
        rhs: typed::ExprId,
        stride: Stride,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let (lhs, rhs) = self.in_order(lhs, rhs);
        match stride {
            // GNU C's structures without members have size zero; gcc divides by zero there too.
            Stride::Bytes(stride) => {
                self.expr(ExprKind::PointerDifference { lhs, rhs, stride: stride.max(1) }, ty, span)
            }
            Stride::Computed(size) => {
                let bytes = self.expr(ExprKind::PointerDifference { lhs, rhs, stride: 1 }, ty, span);
                let size = self.value(size);
                let size = self.converted(size, ty, span);
                self.expr(ExprKind::Binary { op: BinaryOp::Div, lhs: bytes, rhs: size }, ty, span)
            }
        }
    }

    /// 1 or 0 in a temporary, by the way that control takes.
    fn truth_value(&mut self, id: typed::ExprId, ty: TypeId, span: Span) -> ExprId {
        let [holds, fails, end] = std::array::from_fn(|_| self.automaton.location());
        self.condition(id, holds, fails);
        let temporary = self.temporary(ty, span);
        for (draft, value) in [(holds, 1), (fails, 0)] {
            self.current = draft;
            let target = self.variable_place(temporary, span);
            let value = self.int(value, ty, span);
            self.emit(Operation::Assign { target, value }, span);
            self.jump(end, span);
        }
        self.current = end;
        self.load_variable(temporary, span)
    }

    fn conditional(
        &mut self,
        condition: typed::ExprId,
        then: Option<typed::ExprId>,
        otherwise: typed::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        if matches!(self.types().get(ty), Type::Void) {
            self.conditional_effects(condition, then, otherwise);
            return self.expr(ExprKind::Zero, ty, span);
        }
        let temporary = self.temporary(ty, span);
        let [holds, fails, end] = std::array::from_fn(|_| self.automaton.location());
        let shared = match then {
            Some(_) => {
                self.condition(condition, holds, fails);
                None
            }
            None => {
                let value = self.value(condition);
                let value = self.snapshot(value);
                let span = self.lowering.exprs[condition].span;
                self.branch(value, holds, fails, span);
                Some(value)
            }
        };
        self.current = holds;
        let value = match (then, shared) {
            (Some(then), _) => self.value(then),
            (None, Some(shared)) => self.converted(shared, ty, span),
            (None, None) => unreachable!("a conditional without a middle operand shares its condition"),
        };
        self.store_and_jump(temporary, value, end, span);
        self.current = fails;
        let value = self.value(otherwise);
        self.store_and_jump(temporary, value, end, span);
        self.current = end;
        self.load_variable(temporary, span)
    }

    fn store_and_jump(&mut self, temporary: rorqual_cfa::VariableId, value: ExprId, end: Draft, span: Span) {
        let target = self.variable_place(temporary, span);
        let value_span = self.lowering.program.expr_spans[value];
        self.emit(Operation::Assign { target, value }, value_span.or(span));
        self.jump(end, span);
    }

    fn conditional_effects(
        &mut self,
        condition: typed::ExprId,
        then: Option<typed::ExprId>,
        otherwise: typed::ExprId,
    ) {
        let [holds, fails, end] = std::array::from_fn(|_| self.automaton.location());
        let span = self.lowering.exprs[condition].span;
        self.condition(condition, holds, fails);
        self.current = holds;
        if let Some(then) = then {
            self.effects(then);
        }
        self.jump(end, span);
        self.current = fails;
        self.effects(otherwise);
        self.jump(end, span);
        self.current = end;
    }

    fn statement_value(
        &mut self,
        block: typed::StmtId,
        value: Option<typed::ExprId>,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let Some(value) = value else {
            self.statement_effects(block, None);
            return self.expr(ExprKind::Zero, ty, span);
        };
        let temporary = self.temporary(ty, span);
        self.enter_scope();
        self.block(block);
        let value = self.value(value);
        let target = self.variable_place(temporary, span);
        self.emit(Operation::Assign { target, value }, span);
        self.leave_scope(span);
        self.load_variable(temporary, span)
    }

    fn statement_effects(&mut self, block: typed::StmtId, value: Option<typed::ExprId>) {
        let span = self.lowering.stmts[block].span;
        self.enter_scope();
        self.block(block);
        if let Some(value) = value {
            self.effects(value);
        }
        self.leave_scope(span);
    }

    fn builtin(&mut self, builtin: &Builtin, ty: TypeId, span: Span) -> ExprId {
        match builtin {
            Builtin::Overflow { op, lhs, rhs, result, store } => {
                self.overflow(*op, *lhs, *rhs, *result, *store, ty, span)
            }
            Builtin::StackAllocate(size) => {
                let size = self.value(*size);
                let temporary = self.temporary(ty, span);
                let target = self.variable_place(temporary, span);
                self.emit(Operation::StackAllocate { target, size }, span);
                self.load(target, span)
            }
            Builtin::Unreachable => {
                self.emit_to(self.sink, Operation::Halt(rorqual_cfa::HaltKind::Unreachable), span);
                self.expr(ExprKind::Zero, ty, span)
            }
            Builtin::Trap => {
                self.emit_to(self.sink, Operation::Halt(rorqual_cfa::HaltKind::Abort), span);
                self.expr(ExprKind::Zero, ty, span)
            }
            Builtin::VaStart(list) => {
                let list = self.value(*list);
                self.var_args(VarArgs::Start { list }, ty, span)
            }
            Builtin::VaEnd(list) => {
                let list = self.value(*list);
                self.var_args(VarArgs::End { list }, ty, span)
            }
            Builtin::VaCopy(target, source) => {
                let (target, source) = self.in_order(*target, *source);
                self.var_args(VarArgs::Copy { target, source }, ty, span)
            }
            Builtin::VaArg(list) => {
                let list = self.value(*list);
                let temporary = self.temporary(ty, span);
                let target = self.variable_place(temporary, span);
                self.emit(Operation::VarArgs(VarArgs::Next { list, target, ty }), span);
                self.load(target, span)
            }
        }
    }

    fn var_args(&mut self, operation: VarArgs, ty: TypeId, span: Span) -> ExprId {
        self.emit(Operation::VarArgs(operation), span);
        self.expr(ExprKind::Zero, ty, span)
    }

    #[allow(clippy::too_many_arguments, reason = "these are the parts of one built-in call")]
    fn overflow(
        &mut self,
        op: rorqual_cfa::OverflowOp,
        lhs: typed::ExprId,
        rhs: typed::ExprId,
        result: TypeId,
        store: Option<typed::ExprId>,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let (lhs, rhs) = self.in_order(lhs, rhs);
        let (lhs, rhs) = (self.snapshot(lhs), self.snapshot(rhs));
        let overflows = self.expr(ExprKind::Overflows { op, lhs, rhs, result }, ty, span);
        let Some(store) = store else { return overflows };
        let overflows = self.snapshot(overflows);
        let pointer = self.value(store);
        let target = self.deref(pointer, result, span);
        // Arithmetic modulo the width of the result commutes with the conversion to it.
        let (lhs, rhs) = (self.converted(lhs, result, span), self.converted(rhs, result, span));
        let op = match op {
            rorqual_cfa::OverflowOp::Add => BinaryOp::Add,
            rorqual_cfa::OverflowOp::Sub => BinaryOp::Sub,
            rorqual_cfa::OverflowOp::Mul => BinaryOp::Mul,
        };
        let value = self.expr(ExprKind::Binary { op, lhs, rhs }, result, span);
        self.emit(Operation::Assign { target, value }, span);
        overflows
    }

    /// Two edges that go on by whether a value is zero.
    pub(super) fn branch(&mut self, condition: ExprId, holds: Draft, fails: Draft, span: Span) {
        self.automaton.edge(self.current, holds, Operation::Assume { condition, holds: true }, span);
        self.automaton.edge(self.current, fails, Operation::Assume { condition, holds: false }, span);
        self.current = self.automaton.location();
    }

    /// Goes on at `holds` or `fails` by the value of a typed expression.
    pub(super) fn condition(&mut self, id: typed::ExprId, holds: Draft, fails: Draft) {
        let typed::Expr { kind, span, .. } = self.lowering.exprs[id].clone();
        match kind {
            Typed::Unary(UnaryOp::IsZero, operand) => self.condition(operand, fails, holds),
            Typed::And(lhs, rhs) => {
                let middle = self.automaton.location();
                self.condition(lhs, middle, fails);
                self.current = middle;
                self.condition(rhs, holds, fails);
            }
            Typed::Or(lhs, rhs) => {
                let middle = self.automaton.location();
                self.condition(lhs, holds, middle);
                self.current = middle;
                self.condition(rhs, holds, fails);
            }
            Typed::Comma(lhs, rhs) => {
                self.effects(lhs);
                self.condition(rhs, holds, fails);
            }
            Typed::Conditional { condition, then: Some(then), otherwise } => {
                let [first, second] = std::array::from_fn(|_| self.automaton.location());
                self.condition(condition, first, second);
                self.current = first;
                self.condition(then, holds, fails);
                self.current = second;
                self.condition(otherwise, holds, fails);
            }
            // Widening keeps a truth value, and so does the conversion of one to `_Bool`.
            Typed::Convert(operand) if self.keeps_truth(operand, id) => self.condition(operand, holds, fails),
            Typed::Int(value) => self.jump(if value == 0 { fails } else { holds }, span),
            _ => {
                let value = self.value(id);
                self.branch(value, holds, fails, span);
            }
        }
    }

    fn keeps_truth(&self, operand: typed::ExprId, converted: typed::ExprId) -> bool {
        let types = &self.lowering.program.types;
        let (from, to) = (self.lowering.exprs[operand].ty, self.lowering.exprs[converted].ty);
        match (types.as_int(from), types.as_int(to)) {
            (Some(_), Some(rorqual_cfa::IntKind::Bool)) => true,
            // A check of conversions sees the change of a negative number.
            (Some(from), Some(to))
                if self.lowering.options.keep_unused && from.is_signed() && !to.is_signed() =>
            {
                false
            }
            (Some(from), Some(to)) => to.width(types.model()) >= from.width(types.model()),
            _ => false,
        }
    }
}
