//! Statements: control structures, scopes, and jumps.

use rorqual_cfa::{BinaryOp, Draft, ExprId, ExprKind, HaltKind, IntKind, Operation, PlaceKind, Type, TypeId};
use rorqual_source::Span;

use super::FunctionLowering;
use super::scope::Exit;
use crate::typed::{self, Case, StmtKind};

/// Where the cases of a `switch` are.
pub(super) struct Cases {
    numbered: Vec<Draft>,
    default: Draft,
    /// How many scopes are open around it.
    scopes: usize,
}

impl FunctionLowering<'_, '_> {
    pub(super) fn stmt(&mut self, id: typed::StmtId) {
        let typed::Stmt { kind, span } = self.lowering.stmts[id].clone();
        match kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.effects(expr),
            StmtKind::Block(_) => {
                self.enter_scope();
                self.block(id);
                self.leave_scope(span);
            }
            StmtKind::Sequence(stmts) => self.stmts(&stmts),
            StmtKind::Declare { variable, initializer: Some(initializer) } => {
                self.declare_initialized(variable, &initializer, span);
            }
            StmtKind::Declare { variable, initializer: None } => self.declare(variable, span),
            StmtKind::DeclareArray { variable, size } => self.declare_array(variable, size, span),
            StmtKind::If { condition, then, otherwise } => self.if_else(condition, then, otherwise, span),
            StmtKind::While { condition, body } => self.while_loop(condition, body, span),
            StmtKind::DoWhile { body, condition } => self.do_loop(body, condition, span),
            StmtKind::For { init, condition, step, body } => self.for_loop(init, condition, step, body, span),
            StmtKind::Switch { value, body, cases, has_default } => {
                self.switch(value, body, &cases, has_default, span);
            }
            StmtKind::Case(number, body) => {
                let draft = self.switches.last().map(|switch| switch.numbered[number as usize]);
                self.case(draft, body, span);
            }
            StmtKind::Default(body) => {
                let draft = self.switches.last().map(|switch| switch.default);
                self.case(draft, body, span);
            }
            StmtKind::Label(label, body) => {
                self.place_label(label, span);
                self.stmt(body);
            }
            StmtKind::Goto(label) => self.goto(label, span),
            StmtKind::ComputedGoto(target) => self.computed_goto(target, span),
            StmtKind::Break => self.leave(self.breaks.last().copied(), span),
            StmtKind::Continue => self.leave(self.continues.last().copied(), span),
            StmtKind::Return(value) => self.return_value(value, span),
            StmtKind::Assembly { template, outputs, inputs, clobbers_memory } => {
                let named = crate::assembly::symbols(&template);
                if let Some(name) = named.intersection(&self.lowering.symbols).next() {
                    self.unsupported(&format!("inline assembly that names `{name}`"), span);
                    return;
                }
                let outputs = outputs.iter().map(|&output| self.place(output)).collect();
                let inputs = inputs.iter().map(|&input| self.value(input)).collect();
                self.emit(Operation::Assembly { template, outputs, inputs, clobbers_memory }, span);
            }
            StmtKind::Unsupported(construct) => self.unsupported(&construct, span),
        }
    }

    /// The statements of a block, without opening a scope for them.
    pub(super) fn block(&mut self, id: typed::StmtId) {
        if let StmtKind::Block(stmts) = self.lowering.stmts[id].kind.clone() {
            self.stmts(&stmts);
        }
    }

    fn stmts(&mut self, stmts: &[typed::StmtId]) {
        for &stmt in stmts {
            self.stmt(stmt);
        }
    }

    // Control structures.

    fn if_else(
        &mut self,
        condition: typed::ExprId,
        then: typed::StmtId,
        otherwise: Option<typed::StmtId>,
        span: Span,
    ) {
        let [holds, fails, end] = std::array::from_fn(|_| self.automaton.location());
        self.enter_scope();
        self.condition(condition, holds, fails);
        self.current = holds;
        self.scoped(then);
        self.jump(end, end_of(span));
        self.current = fails;
        if let Some(otherwise) = otherwise {
            self.scoped(otherwise);
        }
        self.jump(end, end_of(span));
        self.current = end;
        self.leave_scope(span);
    }

    fn while_loop(&mut self, condition: typed::ExprId, body: typed::StmtId, span: Span) {
        let [head, inside, end] = std::array::from_fn(|_| self.automaton.location());
        self.enter_loop_scope();
        self.jump(head, span);
        self.automaton.mark_loop(head, span);
        self.current = head;
        self.condition(condition, inside, end);
        self.current = inside;
        self.loop_body(body, head, end);
        self.jump(head, span);
        self.current = end;
        self.leave_scope(span);
    }

    fn do_loop(&mut self, body: typed::StmtId, condition: typed::ExprId, span: Span) {
        let [head, test, end] = std::array::from_fn(|_| self.automaton.location());
        self.enter_loop_scope();
        self.jump(head, span);
        self.automaton.mark_loop(head, span);
        self.current = head;
        self.loop_body(body, test, end);
        self.jump(test, span);
        self.current = test;
        self.condition(condition, head, end);
        self.current = end;
        self.leave_scope(span);
    }

    fn for_loop(
        &mut self,
        init: Option<typed::StmtId>,
        condition: Option<typed::ExprId>,
        step: Option<typed::ExprId>,
        body: typed::StmtId,
        span: Span,
    ) {
        let [head, inside, advance, end] = std::array::from_fn(|_| self.automaton.location());
        self.enter_loop_scope();
        if let Some(init) = init {
            self.stmt(init);
        }
        self.jump(head, span);
        self.automaton.mark_loop(head, span);
        self.current = head;
        match condition {
            Some(condition) => self.condition(condition, inside, end),
            None => self.jump(inside, span),
        }
        self.current = inside;
        self.loop_body(body, advance, end);
        self.jump(advance, span);
        self.current = advance;
        if let Some(step) = step {
            self.effects(step);
        }
        self.jump(head, span);
        self.current = end;
        self.leave_scope(span);
    }

    fn loop_body(&mut self, body: typed::StmtId, continues: Draft, breaks: Draft) {
        let scopes = self.scopes.len();
        self.breaks.push(Exit { draft: breaks, scopes });
        self.continues.push(Exit { draft: continues, scopes });
        self.scoped(body);
        self.breaks.pop();
        self.continues.pop();
    }

    fn switch(
        &mut self,
        value: typed::ExprId,
        body: typed::StmtId,
        cases: &[Case],
        has_default: bool,
        span: Span,
    ) {
        let value_span = self.lowering.exprs[value].span;
        self.enter_scope();
        let value = self.value(value);
        let value = self.switch_value(value);
        let end = self.automaton.location();
        let drafts: Vec<Draft> = cases.iter().map(|_| self.automaton.location()).collect();
        let default = if has_default { self.automaton.location() } else { end };
        for (case, &draft) in cases.iter().zip(&drafts) {
            self.select(value, *case, draft, value_span);
        }
        self.jump(default, span);
        let scopes = self.scopes.len();
        self.switches.push(Cases { numbered: drafts, default, scopes });
        self.breaks.push(Exit { draft: end, scopes });
        self.scoped(body);
        self.breaks.pop();
        self.switches.pop();
        self.jump(end, span);
        self.current = end;
        self.leave_scope(span);
    }

    /// The value is compared many times, so it is kept unless it is just a variable.
    fn switch_value(&mut self, value: ExprId) -> ExprId {
        let program = &self.lowering.program;
        let converted = match program.exprs[value].kind {
            ExprKind::Convert(operand) => operand,
            _ => value,
        };
        let is_plain = match program.exprs[converted].kind {
            ExprKind::Load(place) => matches!(program.places[place].kind, PlaceKind::Variable(_)),
            _ => false,
        };
        if is_plain { value } else { self.snapshot(value) }
    }

    /// Goes to `target` if the value is in the case, and on if it is not.
    fn select(&mut self, value: ExprId, case: Case, target: Draft, span: Span) {
        let ty = self.type_of(value);
        let int = self.types().int(IntKind::Int);
        let next = self.automaton.location();
        if case.low == case.high {
            let bound = self.int(case.low, ty, span);
            let equal = self.compare(BinaryOp::Eq, value, bound, int, span);
            self.branch(equal, target, next, span);
        } else {
            let low = self.int(case.low, ty, span);
            let at_least = self.compare(BinaryOp::Ge, value, low, int, span);
            let middle = self.automaton.location();
            self.branch(at_least, middle, next, span);
            self.current = middle;
            let high = self.int(case.high, ty, span);
            let at_most = self.compare(BinaryOp::Le, value, high, int, span);
            self.branch(at_most, target, next, span);
        }
        self.current = next;
    }

    fn compare(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, int: TypeId, span: Span) -> ExprId {
        self.expr(ExprKind::Binary { op, lhs, rhs }, int, span)
    }

    fn return_value(&mut self, value: Option<typed::ExprId>, span: Span) {
        let function = &self.lowering.program.functions[self.function];
        let returns_void = match self.lowering.program.types.get(function.ty) {
            Type::Function { result, .. } => matches!(self.lowering.program.types.get(*result), Type::Void),
            _ => false,
        };
        let value = match value {
            Some(value) if returns_void => {
                self.effects(value);
                None
            }
            Some(value) => Some(self.value(value)),
            None => None,
        };
        self.emit_to(self.exit, Operation::Return { value }, span);
    }

    // Labels and jumps.

    fn case(&mut self, draft: Option<Draft>, body: typed::StmtId, span: Span) {
        let (Some(draft), Some(switch)) = (draft, self.switches.last()) else {
            self.unsupported("a `case` outside of a `switch`", span);
            return self.stmt(body);
        };
        let entered = self.scopes[switch.scopes..].to_vec();
        let before = std::mem::replace(&mut self.current, draft);
        self.begin_lives(&entered, span);
        self.automaton.jump(before, self.current, span);
        self.stmt(body);
    }

    fn computed_goto(&mut self, target: typed::ExprId, span: Span) {
        use rorqual_cfa::Id;
        let value = self.value(target);
        let value = self.snapshot(value);
        let (ty, int) = (self.type_of(value), self.types().int(IntKind::Int));
        let taken = self.lowering.definitions[self.function.index()].taken_labels.clone();
        for (label, id) in taken {
            let address = self.expr(ExprKind::LabelAddress(self.function, id), ty, span);
            let equal = self.compare(BinaryOp::Eq, value, address, int, span);
            let [here, next] = std::array::from_fn(|_| self.automaton.location());
            self.branch(equal, here, next, span);
            self.current = here;
            self.goto(label, span);
            self.current = next;
        }
        self.emit_to(self.sink, Operation::Halt(HaltKind::Unreachable), span);
    }
}

/// The closing brace of a block.
pub(super) fn end_of(span: Span) -> Span {
    span.file().map_or(span, |file| Span::new(file, span.end().saturating_sub(1), span.end()))
}
