//! Statements in our terms.

use std::collections::HashMap;

use rorqual_cfa::{LabelId, TypeId, Variable, VariableId, VariableKind};
use rorqual_source::Span;
use rucc_sema::{DeclId, DeclKind, Stmt as Theirs, StorageDuration};
use rucc_types::{ArrayLen, TypeKind};

use super::Adapter;
use super::decls::Entity;
use crate::typed::{Case, ExprId, ExprKind, Initializer, Label, Stmt, StmtId, StmtKind};

impl Adapter<'_> {
    pub(super) fn stmt(&mut self, id: rucc_sema::StmtId) -> StmtId {
        let span = self.span(self.checked.tast.stmt_span(id));
        let kind = match self.checked.tast[id] {
            Theirs::Error => StmtKind::Unsupported("an erroneous statement".to_owned()),
            Theirs::Empty => StmtKind::Empty,
            Theirs::Expr(expr) => StmtKind::Expr(self.expr(expr)),
            Theirs::Block(stmts) => {
                let stmts = &self.checked.tast[stmts];
                self.in_scope(span, |adapter| StmtKind::Block(adapter.stmts(stmts)))
            }
            Theirs::Decls(_) => StmtKind::Sequence(self.stmts(&[id])),
            Theirs::If { cond, then, otherwise } => StmtKind::If {
                condition: self.condition(cond),
                then: self.stmt(then),
                otherwise: otherwise.map(|otherwise| self.stmt(otherwise)),
            },
            Theirs::While { cond, body } => {
                StmtKind::While { condition: self.condition(cond), body: self.stmt(body) }
            }
            Theirs::DoWhile { body, cond } => {
                StmtKind::DoWhile { body: self.stmt(body), condition: self.condition(cond) }
            }
            Theirs::For { init, cond, step, body } => self.in_scope(span, |adapter| StmtKind::For {
                init: init.map(|init| adapter.stmt(init)),
                condition: cond.map(|cond| adapter.condition(cond)),
                step: step.map(|step| adapter.expr(step)),
                body: adapter.stmt(body),
            }),
            Theirs::Switch { cond, body, cases, default } => {
                self.switch(cond, body, cases, default.is_some())
            }
            Theirs::Case { case: _, body } => {
                let number = self.cases.last().and_then(|cases| cases.get(&id)).copied();
                let body = self.stmt(body);
                number.map_or(StmtKind::Unsupported("a `case` outside of a `switch`".to_owned()), |number| {
                    StmtKind::Case(number, body)
                })
            }
            Theirs::Default { body } => StmtKind::Default(self.stmt(body)),
            Theirs::Label { label, body } => {
                let label = self.label(label);
                StmtKind::Label(label, self.stmt(body))
            }
            Theirs::Goto(label) => StmtKind::Goto(self.label(label)),
            Theirs::IndirectGoto(target) => StmtKind::ComputedGoto(self.expr(target)),
            Theirs::Asm(asm) => self.assembly(asm),
            Theirs::Break => StmtKind::Break,
            Theirs::Continue => StmtKind::Continue,
            Theirs::Return(value) => StmtKind::Return(value.map(|value| self.expr(value))),
        };
        self.push_stmt(kind, span)
    }

    fn push_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.program.stmts.push(Stmt { kind, span })
    }

    fn in_scope<T>(&mut self, scope: Span, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let result = work(self);
        self.scope = outer;
        result
    }

    fn stmts(&mut self, ids: &[rucc_sema::StmtId]) -> Vec<StmtId> {
        let mut stmts = Vec::with_capacity(ids.len());
        for &id in ids {
            match self.checked.tast[id] {
                Theirs::Decls(decls) => {
                    for &decl in &self.checked.tast[decls] {
                        self.declaration_stmt(decl, &mut stmts);
                    }
                }
                _ => stmts.push(self.stmt(id)),
            }
        }
        stmts
    }

    fn declaration_stmt(&mut self, id: DeclId, stmts: &mut Vec<StmtId>) {
        let decl = self.checked.tast[id].clone();
        stmts.extend(self.bind_lengths(decl.ty));
        if decl.kind == DeclKind::Function && decl.body.is_some() && !self.top_level.contains(&id) {
            self.nested_function(id);
        }
        if decl.kind != DeclKind::Object {
            return;
        }
        if decl.duration != StorageDuration::Automatic || decl.linkage != rucc_sema::Linkage::None {
            self.entity(id);
            return;
        }
        let span = self.span(self.checked.tast.decl_span(id));
        if decl.cleanup.is_some() {
            let kind = StmtKind::Unsupported("the attribute `cleanup`".to_owned());
            stmts.push(self.push_stmt(kind, span));
        }
        if let Some(size) = self.computed_size(decl.ty) {
            let variable = self.dynamic_array(id);
            stmts.push(self.push_stmt(StmtKind::DeclareArray { variable, size }, span));
            return;
        }
        // The initialiser may name the variable itself, so that comes first.
        let Entity::Variable(variable) = self.entity(id) else {
            return;
        };
        let initializer = self.initializer(&decl);
        stmts.push(self.push_stmt(StmtKind::Declare { variable, initializer }, span));
    }

    /// GNU's functions inside of functions. Their uses of the variables around them, which automata cannot express,
    /// are not supported; but for that they are functions like others.
    fn nested_function(&mut self, id: DeclId) {
        let Entity::Function(nested) = self.entity(id) else { return };
        let (function, scope) = (self.function, self.scope);
        let (labels, cases) = (std::mem::take(&mut self.labels), std::mem::take(&mut self.cases));
        self.define_function(id, nested);
        (self.function, self.scope) = (function, scope);
        (self.labels, self.cases) = (labels, cases);
    }

    /// The hidden pointer that stands for a variable-length array.
    fn dynamic_array(&mut self, id: DeclId) -> VariableId {
        let array = self.local(id, VariableKind::Local);
        let rorqual_cfa::Type::Array { element, .. } =
            *self.program.types.get(self.program.variables[array].ty)
        else {
            return array;
        };
        let pointer = self.program.types.pointer_to(element);
        let align = self.program.types.align_of(pointer);
        let variable = &mut self.program.variables[array];
        (variable.ty, variable.align) = (pointer, align);
        self.dynamic_arrays.insert(id, array);
        array
    }

    /// Evaluates the lengths of variable-length arrays inside of a type, once, into hidden
    /// variables: C fixes them when the declaration is reached.
    pub(super) fn bind_lengths(&mut self, ty: rucc_types::TypeId) -> Vec<StmtId> {
        let mut lengths = Vec::new();
        self.collect_lengths(ty, &mut lengths);
        lengths.into_iter().filter_map(|length| self.bind_length(length)).collect()
    }

    pub(super) fn collect_lengths(&self, ty: rucc_types::TypeId, lengths: &mut Vec<rucc_sema::ExprId>) {
        match self.checked.types.kind(self.checked.types.canonical(ty)) {
            TypeKind::Pointer(inner) | TypeKind::Atomic(inner) => self.collect_lengths(inner, lengths),
            TypeKind::Array { elem, len } => {
                // gcc evaluates those of the elements first.
                self.collect_lengths(elem, lengths);
                if let ArrayLen::Variable(vla) = len {
                    lengths.push(self.checked.tast.vla_size(vla));
                }
            }
            _ => {}
        }
    }

    fn bind_length(&mut self, length: rucc_sema::ExprId) -> Option<StmtId> {
        if self.lengths.contains_key(&length) {
            return None;
        }
        let value = self.expr(length);
        let (ty, span) = (self.program.exprs[value].ty, self.program.exprs[value].span);
        let variable = self.hidden_variable("length", ty, VariableKind::Temporary, span);
        self.lengths.insert(length, variable);
        self.program.array_lengths.insert(variable);
        let target = self.push(ExprKind::Variable(variable), ty, span);
        let assign = self.push(ExprKind::Assign { target, value }, ty, span);
        Some(self.push_stmt(StmtKind::Expr(assign), span))
    }

    /// A variable that the program does not name.
    pub(super) fn hidden_variable(
        &mut self,
        name: &str,
        ty: TypeId,
        kind: VariableKind,
        span: Span,
    ) -> VariableId {
        let variable = Variable::new(name, ty, kind, &self.program.types, span);
        self.program.variables.push(Variable { function: self.function, ..variable })
    }

    fn switch(
        &mut self,
        cond: rucc_sema::ExprId,
        body: rucc_sema::StmtId,
        cases: rucc_sema::CaseList,
        has_default: bool,
    ) -> StmtKind {
        let value = self.expr(cond);
        let listed = &self.checked.tast[cases];
        let mut numbers = HashMap::new();
        self.number_cases(body, cases.as_usize_range().start, &mut numbers);
        self.cases.push(numbers);
        let body = self.stmt(body);
        self.cases.pop();
        let cases = listed.iter().map(|case| Case { low: case.low, high: case.high }).collect();
        StmtKind::Switch { value, body, cases, has_default }
    }

    /// The number of each `case` statement of this `switch` in its table.
    fn number_cases(
        &self,
        stmt: rucc_sema::StmtId,
        first: usize,
        numbers: &mut HashMap<rucc_sema::StmtId, u32>,
    ) {
        let mut stack = vec![stmt];
        while let Some(at) = stack.pop() {
            match self.checked.tast[at] {
                Theirs::Case { case, body } => {
                    numbers.insert(at, (case.index() - first) as u32);
                    stack.push(body);
                }
                Theirs::Default { body } | Theirs::Label { body, .. } => stack.push(body),
                Theirs::Block(stmts) => stack.extend(&self.checked.tast[stmts]),
                Theirs::If { then, otherwise, .. } => {
                    stack.push(then);
                    stack.extend(otherwise);
                }
                Theirs::While { body, .. } | Theirs::DoWhile { body, .. } | Theirs::For { body, .. } => {
                    stack.push(body);
                }
                // An inner `switch` numbers its own.
                _ => {}
            }
        }
    }

    fn label(&mut self, id: rucc_sema::LabelId) -> Label {
        if let Some(&known) = self.labels.get(&id) {
            return known;
        }
        let name = self.name(self.checked.tast[id].name);
        let function = self.function.expect("labels stand in functions");
        let names = &mut self.program.functions[function].label_names;
        let label = Label(names.len() as u32);
        names.push(name);
        self.labels.insert(id, label);
        label
    }

    pub(super) fn taken_label(&mut self, id: rucc_sema::LabelId) -> Label {
        let label = self.label(id);
        let function = self.function.expect("labels stand in functions");
        let definition = &mut self.program.functions[function];
        if !definition.taken_labels.iter().any(|(taken, _)| *taken == label) {
            let name = definition.label_names[label.0 as usize].clone();
            let taken: LabelId = definition.function.labels.push(rorqual_cfa::Label { name, location: None });
            definition.taken_labels.push((label, taken));
        }
        label
    }

    pub(super) fn statement_expression(&mut self, stmt: rucc_sema::StmtId, ty: TypeId, span: Span) -> ExprId {
        let block_span = self.span(self.checked.tast.stmt_span(stmt));
        let Theirs::Block(ids) = self.checked.tast[stmt] else {
            return self.unsupported("a statement expression without a block", ty, span);
        };
        let ids = &self.checked.tast[ids];
        let (block, value) = self.in_scope(block_span, |adapter| match ids.split_last() {
            Some((&last, before)) if !matches!(adapter.program.types.get(ty), rorqual_cfa::Type::Void) => {
                let mut stmts = adapter.stmts(before);
                let value = adapter.last_value(last, &mut stmts);
                (stmts, value)
            }
            _ => (adapter.stmts(ids), None),
        });
        let block = self.push_stmt(StmtKind::Block(block), block_span);
        self.push(ExprKind::Statement { block, value }, ty, span)
    }

    /// The value of the last statement; labels in front of it become statements of their own.
    fn last_value(&mut self, last: rucc_sema::StmtId, stmts: &mut Vec<StmtId>) -> Option<ExprId> {
        match self.checked.tast[last] {
            Theirs::Expr(value) => Some(self.expr(value)),
            Theirs::Label { label, body } => {
                let label = self.label(label);
                let span = self.span(self.checked.tast.stmt_span(last));
                let empty = self.push_stmt(StmtKind::Empty, span);
                stmts.push(self.push_stmt(StmtKind::Label(label, empty), span));
                self.last_value(body, stmts)
            }
            _ => {
                stmts.push(self.stmt(last));
                None
            }
        }
    }

    pub(super) fn compound_literal(&mut self, decl: DeclId, ty: TypeId, span: Span) -> ExprId {
        let Entity::Variable(variable) = self.entity(decl) else {
            return self.unsupported("a compound literal of a function", ty, span);
        };
        let declared = self.checked.tast[decl].clone();
        let initializer: Option<Initializer> = (declared.duration == StorageDuration::Automatic)
            .then(|| self.initializer(&declared).unwrap_or_default());
        self.push(ExprKind::CompoundLiteral { variable, initializer }, ty, span)
    }

    fn assembly(&mut self, id: rucc_sema::AsmId) -> StmtKind {
        let asm = self.checked.tast[id];
        if !self.checked.tast[asm.labels].is_empty() {
            return StmtKind::Unsupported("an `asm goto`".to_owned());
        }
        let template = String::from_utf8_lossy(&self.string_bytes(asm.template)).into_owned();
        let outputs = &self.checked.tast[asm.outputs];
        let outputs: Vec<ExprId> = outputs.iter().map(|output| self.register_operand(output.value)).collect();
        if !outputs.iter().all(|&output| self.program.is_place(output)) {
            return StmtKind::Unsupported("an output of inline assembly that is not a place".to_owned());
        }
        let inputs = &self.checked.tast[asm.inputs];
        let inputs = inputs.iter().map(|input| {
            let value = self.register_operand(input.value);
            if !self.program.is_place(value) {
                return value;
            }
            // A memory operand: the assembly may read it, and reads it through its address.
            let (ty, span) = (self.program.exprs[value].ty, self.program.exprs[value].span);
            let pointer = self.program.types.pointer_to(ty);
            self.address_of(value, pointer, span)
        });
        let inputs = inputs.collect();
        let clobbers = &self.checked.tast[asm.clobbers];
        let clobbers_memory = clobbers.iter().any(|&clobber| self.string_bytes(clobber) == b"memory");
        StmtKind::Assembly { template, outputs, inputs, clobbers_memory }
    }
}
