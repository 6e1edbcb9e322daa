//! Blocks: when the objects of a block live (C11 6.2.4p6), and the jumps between blocks.
//!
//! An object lives from the entry into its block, by whatever way, until the block is left. A jump
//! backwards in the block does not end its life, so its declaration may be reached again while
//! it lives. A variable-length array lives from its declaration on, and a jump to before that ends it.

use rorqual_cfa::{Draft, Operation, VariableId};
use rorqual_source::Span;

use super::FunctionLowering;
use super::control::end_of;
use crate::typed;

/// A block whose variables are alive.
#[derive(Clone)]
pub(super) struct Scope {
    /// Distinguishes this block from all others of the function.
    id: u32,
    /// What was declared so far, in order.
    declared: Vec<Declared>,
    /// Whether control may come back to before the next declaration without leaving the block.
    repeats: bool,
    /// Whether there is a label in the part of the block before, so that jumps lead back to it.
    has_label: bool,
}

#[derive(Clone, Copy)]
enum Declared {
    Variable(VariableId),
    /// The hidden pointer of a variable-length array.
    Array(VariableId),
}

/// Where `break` or `continue` leads, and how many scopes are still open there.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub(super) draft: Draft,
    pub(super) scopes: usize,
}

/// A label of the function.
pub(super) struct LabelPlace {
    draft: Draft,
    /// The scopes around it as they are there, once it is reached.
    scopes: Vec<Scope>,
}

impl LabelPlace {
    pub(super) fn new(draft: Draft) -> LabelPlace {
        LabelPlace { draft, scopes: Vec::new() }
    }

    pub(super) fn draft(&self) -> Draft {
        self.draft
    }
}

/// A jump out of blocks or to a label, which is made when all blocks are known.
pub(super) struct PendingJump {
    from: Draft,
    to: Destination,
    /// The scopes around the jump as they are there.
    scopes: Vec<Scope>,
    span: Span,
}

enum Destination {
    Label(typed::Label),
    Exit(Exit),
}

impl FunctionLowering<'_, '_> {
    pub(super) fn enter_scope(&mut self) {
        self.scopes.push(Scope {
            id: self.next_scope,
            declared: Vec::new(),
            repeats: false,
            has_label: false,
        });
        self.next_scope += 1;
    }

    /// The scope of a loop's own expressions, which are evaluated again and again inside of it.
    pub(super) fn enter_loop_scope(&mut self) {
        self.enter_scope();
        if let Some(scope) = self.scopes.last_mut() {
            scope.repeats = true;
        }
    }

    pub(super) fn leave_scope(&mut self, span: Span) {
        let scope = self.scopes.pop().expect("every scope that is left was entered");
        self.end_lives(&[scope], end_of(span));
    }

    /// A statement that is a block even without braces (C11 6.8.4p3, 6.8.5p5).
    pub(super) fn scoped(&mut self, stmt: typed::StmtId) {
        let span = self.lowering.stmts[stmt].span;
        self.enter_scope();
        self.stmt(stmt);
        self.leave_scope(span);
    }

    /// A declaration is reached: the value of the variable becomes indeterminate.
    pub(super) fn declare(&mut self, variable: VariableId, span: Span) {
        self.emit(Operation::Declare(variable), span);
        if let Some(scope) = self.scopes.last_mut() {
            scope.declared.push(Declared::Variable(variable));
            if scope.has_label {
                self.behind_labels.entry(scope.id).or_default().push(variable);
            }
        }
    }

    /// A declaration with an initialiser. Where the object may be alive already, the initialiser may
    /// read what it holds.
    pub(super) fn declare_initialized(
        &mut self,
        variable: VariableId,
        initializer: &typed::Initializer,
        span: Span,
    ) {
        let may_be_alive = self.scopes.last().is_some_and(|scope| scope.repeats)
            && self.lowering.program.variables[variable].address_taken;
        if may_be_alive {
            let evaluated = self.evaluated(initializer);
            self.declare(variable, span);
            self.initialize(variable, &evaluated, span);
        } else {
            self.declare(variable, span);
            self.initialize(variable, initializer, span);
        }
    }

    pub(super) fn declare_array(&mut self, variable: VariableId, size: typed::ExprId, span: Span) {
        let size = self.value(size);
        let target = self.variable_place(variable, span);
        self.emit(Operation::StackAllocate { target, size }, span);
        if let Some(scope) = self.scopes.last_mut() {
            scope.declared.push(Declared::Array(variable));
        }
    }

    /// A jump into the middle of blocks: what was declared there before lives.
    pub(super) fn begin_lives(&mut self, scopes: &[Scope], span: Span) {
        for declared in scopes.iter().flat_map(|scope| &scope.declared) {
            if let Declared::Variable(variable) = *declared {
                self.emit(Operation::Declare(variable), span);
            }
        }
    }

    fn end_lives(&mut self, scopes: &[Scope], span: Span) {
        for scope in scopes.iter().rev() {
            self.end_lives_of(&scope.declared, span);
        }
    }

    fn end_lives_of(&mut self, declared: &[Declared], span: Span) {
        for declared in declared.iter().rev() {
            match *declared {
                Declared::Variable(variable) => self.end_life(variable, span),
                Declared::Array(variable) => {
                    let pointer = self.load_variable(variable, span);
                    self.emit(Operation::StackRelease { pointer }, span);
                }
            }
        }
    }

    /// Nobody can tell whether a variable is alive that no pointer knows.
    fn end_life(&mut self, variable: VariableId, span: Span) {
        if self.lowering.program.variables[variable].address_taken {
            self.emit(Operation::Expire(variable), span);
        }
    }

    // Jumps.

    /// Leaves for a loop's or switch's end.
    pub(super) fn leave(&mut self, exit: Option<Exit>, span: Span) {
        let Some(exit) = exit else {
            self.unsupported("a `break` or `continue` outside of a loop", span);
            return;
        };
        let left = self.scopes[exit.scopes.min(self.scopes.len())..].to_vec();
        if left.iter().any(|scope| scope.has_label) {
            return self.jump_later(Destination::Exit(exit), span);
        }
        self.end_lives(&left, span);
        self.jump(exit.draft, span);
    }

    pub(super) fn goto(&mut self, label: typed::Label, span: Span) {
        self.jump_later(Destination::Label(label), span);
    }

    fn jump_later(&mut self, to: Destination, span: Span) {
        self.jumps.push(PendingJump { from: self.current, to, scopes: self.scopes.clone(), span });
        self.current = self.automaton.location();
    }

    pub(super) fn place_label(&mut self, label: typed::Label, span: Span) {
        use rorqual_cfa::Id;
        for scope in &mut self.scopes {
            (scope.repeats, scope.has_label) = (true, true);
        }
        let place = &mut self.labels[label.0 as usize];
        place.scopes.clone_from(&self.scopes);
        let draft = place.draft;
        let name = self.lowering.definitions[self.function.index()].label_names[label.0 as usize].clone();
        self.automaton.mark_label(draft, name);
        self.jump(draft, span);
        self.current = draft;
    }

    /// Makes all jumps that had to wait, ending the lives of what is left behind.
    pub(super) fn resolve_jumps(&mut self) {
        for jump in std::mem::take(&mut self.jumps) {
            self.current = jump.from;
            match jump.to {
                Destination::Exit(exit) => {
                    self.leave_behind(&jump.scopes[exit.scopes..], jump.span);
                    self.jump(exit.draft, jump.span);
                }
                Destination::Label(label) => self.jump_to_label(label, &jump.scopes, jump.span),
            }
        }
    }

    fn jump_to_label(&mut self, label: typed::Label, from: &[Scope], span: Span) {
        let place = &self.labels[label.0 as usize];
        let (draft, to) = (place.draft, place.scopes.clone());
        let common = from.iter().zip(&to).take_while(|(from, to)| from.id == to.id).count();
        self.leave_behind(&from[common..], span);
        for (from, to) in from[..common].iter().zip(&to).rev() {
            self.release_arrays(&from.declared, to.declared.len(), span);
        }
        self.begin_lives(&to[common..], span);
        self.jump(draft, span);
    }

    /// The arrays whose declarations a jump backwards goes past.
    fn release_arrays(&mut self, declared: &[Declared], kept: usize, span: Span) {
        let passed = declared.get(kept..).unwrap_or_default();
        let arrays = passed.iter().filter(|passed| matches!(passed, Declared::Array(_)));
        let arrays: Vec<Declared> = arrays.copied().collect();
        self.end_lives_of(&arrays, span);
    }

    /// Ends the lives in blocks that a jump leaves; a variable that is declared behind the jump may be alive
    /// if there is a label to come back to.
    fn leave_behind(&mut self, scopes: &[Scope], span: Span) {
        for scope in scopes.iter().rev() {
            self.end_lives_of(&scope.declared, span);
            let behind = self.behind_labels.get(&scope.id).filter(|_| scope.has_label);
            let is_declared = |variable: VariableId| {
                scope
                    .declared
                    .iter()
                    .any(|known| matches!(*known, Declared::Variable(known) if known == variable))
            };
            let later: Vec<VariableId> =
                behind.into_iter().flatten().copied().filter(|&variable| !is_declared(variable)).collect();
            for variable in later {
                self.end_life(variable, span);
            }
        }
    }
}
