//! Automatic checks as automata: before an operation that can go wrong, control branches to a violation if it
//! would. Everything that understands automata understands the checks, without knowing that there are any.
//!
//! ```text
//! L0 -> L1  x = a + b     becomes     L0 -> L2  [overflows(a + b, int)]      L2 -> sink  error: signed overflow …
//!                                     L0 -> L3  [!overflows(a + b, int)]     L3 -> L1    x = a + b
//! ```
//!
//! Conditions read the very operands of the operation, whose evaluation has no effects; inner operations are
//! tested before outer ones. A program without a selected check is not changed by it: what is undefined in C then
//! ends an execution, or wraps around.

mod conditions;
mod guards;
mod initialized;
mod memory;
mod reach;

use std::collections::{BTreeSet, HashSet};

use rorqual_source::Span;

use crate::automaton::{Automaton, Callee, Edge, ErrorKind, HaltKind, Operation};
use crate::build::{AutomatonBuilder, Draft};
use crate::check::Check;
use crate::expr::{Expr, ExprKind, PlaceKind};
use crate::hazard::Hazard;
use crate::index::{ExprId, FunctionId, Id, LabelId, LocationId, PlaceId, TypeId, VariableId};
use crate::program::{Function, Program, Variable, VariableKind};
use crate::property::Instance;
use crate::types::{IntKind, Type};

pub use guards::guard;
pub use reach::{ReachTest, add_reach_test, reach_tests};

/// A condition under which the next operation is a violation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Test {
    check: Check,
    /// What goes wrong, to be followed by the place: "division by zero in `a / b`".
    what: String,
    /// The test fails if this scalar is not zero.
    condition: ExprId,
    span: Span,
}

impl Test {
    /// The violation if it fails.
    fn error(&self) -> ErrorKind {
        ErrorKind::Check { check: self.check, what: self.what.clone() }
    }
}

/// Adds the given checks to a program. `reads_memory` tells which functions without body are known to read memory
/// through their arguments: what they read is not tested, so such a call is not supported where memory is checked.
///
/// Without [`Check::Assertions`] among them, violations of the program's own specification only end the program.
pub fn add_checks(program: Program, checks: &[Check], reads_memory: &dyn Fn(&Function) -> bool) -> Program {
    let own: Vec<Check> = checks.iter().copied().filter(|&check| check != Check::UnreachableCode).collect();
    if own == [Check::Assertions] {
        return program;
    }
    with_tests(program, own.into_iter().collect(), BTreeSet::new(), reads_memory)
}

/// Adds the given checks, but for some instances. Where one of these happens, the program does what it does without the
/// check; after a violation of its own specification it ends.
pub fn add_checks_except(
    program: Program,
    checks: &[Check],
    except: BTreeSet<Instance>,
    reads_memory: &dyn Fn(&Function) -> bool,
) -> Program {
    if except.is_empty() {
        return add_checks(program, checks, reads_memory);
    }
    with_tests(program, checks.iter().copied().collect(), except, reads_memory)
}

fn with_tests(
    program: Program,
    checks: BTreeSet<Check>,
    except: BTreeSet<Instance>,
    reads_memory: &dyn Fn(&Function) -> bool,
) -> Program {
    let readers = program.functions.iter().filter(|(_, function)| function.body.is_none());
    let readers = readers.filter(|(_, function)| reads_memory(function)).map(|(id, _)| id).collect();
    let pass = Pass::new(program, checks, readers);
    Pass { except, ..pass }.run()
}

/// The pass over one program.
struct Pass {
    program: Program,
    checks: BTreeSet<Check>,
    /// The instances of the checks that are not tested.
    except: BTreeSet<Instance>,
    /// The single operations that are tested, if there are no checks.
    guarded: BTreeSet<Hazard>,
    int: TypeId,
    /// Functions without body that read through pointers.
    readers: BTreeSet<FunctionId>,
    /// Built-in functions that ask for overflow: what they compute wraps around by intention.
    wrapping: HashSet<Span>,
    /// What is tested already at the location at hand.
    tested: BTreeSet<(Check, Tested)>,
    /// The tests for the edge at hand.
    tests: Vec<Test>,
    /// The notes of the function at hand.
    shadows_at_hand: initialized::Shadows,
}

/// What a test is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tested {
    Expr(ExprId),
    Place(PlaceId),
}

/// The automaton that is being built from an old one.
pub(super) struct Rebuilt {
    pub(super) builder: AutomatonBuilder,
    /// The new location of each old one.
    drafts: Vec<Draft>,
    /// Where the function starts.
    entry: Draft,
    sink: Draft,
}

impl Rebuilt {
    pub(super) fn new(old: &Automaton) -> Rebuilt {
        let mut builder = AutomatonBuilder::default();
        let drafts: Vec<Draft> = old.locations().ids().map(|_| builder.location()).collect();
        for (&draft, location) in drafts.iter().zip(old.locations().values()) {
            location.loop_statements.iter().for_each(|&statement| builder.mark_loop(draft, statement));
            location.labels.iter().for_each(|label| builder.mark_label(draft, label.clone()));
            if location.is_marked {
                builder.mark(draft);
            }
        }
        let sink = builder.location();
        let entry = drafts[old.entry().index()];
        Rebuilt { builder, drafts, entry, sink }
    }

    pub(super) fn at(&self, location: LocationId) -> Draft {
        self.drafts[location.index()]
    }

    /// Goes on from `from` if the test holds, and to a violation if it fails.
    fn test(&mut self, from: Draft, test: &Test) -> Draft {
        let [fails, holds] = std::array::from_fn(|_| self.builder.location());
        let assume = |holds| Operation::Assume { condition: test.condition, holds };
        self.builder.edge(from, fails, assume(true), test.span);
        self.builder.edge(from, holds, assume(false), test.span);
        let error = test.error();
        self.builder.edge(fails, self.sink, Operation::Error(error), test.span);
        holds
    }

    pub(super) fn step(&mut self, from: Draft, operation: Operation, span: Span) -> Draft {
        let next = self.builder.location();
        self.builder.edge(from, next, operation, span);
        next
    }

    /// The function starts with an operation.
    pub(super) fn prepend(&mut self, operation: Operation, span: Span) {
        let before = self.builder.location();
        self.builder.edge(before, self.entry, operation, span);
        self.entry = before;
    }

    /// The finished automaton goes to its function, whose labels move with it.
    pub(super) fn finish(self, program: &mut Program, function: FunctionId, old: &Automaton) {
        let labels: Vec<LabelId> = program.functions[function].labels.ids().collect();
        let placed = |&label: &LabelId| program.functions[function].labels[label].location;
        let placed: Vec<(LabelId, LocationId)> =
            labels.iter().filter_map(|label| Some((*label, placed(label)?))).collect();
        let tracked: Vec<Draft> = placed.iter().map(|&(_, location)| self.at(location)).collect();
        let (entry, exit) = (self.entry, self.at(old.exit()));
        let (automaton, found) = self.builder.finish(entry, exit, &tracked);
        for ((label, _), location) in placed.into_iter().zip(found) {
            program.functions[function].labels[label].location = location;
        }
        program.functions[function].body = Some(automaton);
    }
}

impl Pass {
    fn new(mut program: Program, checks: BTreeSet<Check>, readers: BTreeSet<FunctionId>) -> Pass {
        let int = program.types.int(IntKind::Int);
        let asks = |(id, expr): (ExprId, &Expr)| {
            matches!(expr.kind, ExprKind::Overflows { .. }).then(|| program.expr_spans[id])
        };
        let wrapping = program.exprs.iter().filter_map(asks).collect();
        Pass {
            program,
            checks,
            except: BTreeSet::new(),
            guarded: BTreeSet::new(),
            int,
            readers,
            wrapping,
            tested: BTreeSet::new(),
            tests: Vec::new(),
            shadows_at_hand: initialized::Shadows::new(),
        }
    }

    fn run(mut self) -> Program {
        for function in self.program.functions.ids() {
            if let Some(body) = self.program.functions[function].body.take() {
                self.rebuild(function, &body);
            }
        }
        self.program
    }

    fn wants(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }

    fn wants_memory(&self) -> bool {
        self.checks.iter().any(|check| check.is_about_memory())
    }

    fn rebuild(&mut self, function: FunctionId, old: &Automaton) {
        let shadows = self.shadows(function, old);
        let mut new = Rebuilt::new(old);
        self.reset_all(&mut new, &shadows, old);
        self.shadows_at_hand = shadows;
        for location in old.locations().ids() {
            let mut current = new.at(location);
            self.tested.clear();
            for id in old.outgoing(location) {
                let edge = &old.edges()[id];
                self.visit_operation(function, &edge.operation, edge.span);
                for test in self.take_tests() {
                    current = new.test(current, &test);
                }
                self.edge(&mut new, current, function, edge);
            }
        }
        new.finish(&mut self.program, function, old);
    }

    /// The tests for the edge at hand that are wanted.
    fn take_tests(&mut self) -> Vec<Test> {
        let tests = std::mem::take(&mut self.tests);
        tests.into_iter().filter(|test| self.is_meant(&test.error(), test.span)).collect()
    }

    /// Whether an instance is one of those that are tested.
    fn is_meant(&self, error: &ErrorKind, span: Span) -> bool {
        self.except.is_empty() || !self.except.contains(&Instance { error: error.clone(), span })
    }

    /// The operation itself, and what must be noted after it.
    fn edge(&mut self, new: &mut Rebuilt, from: Draft, function: FunctionId, edge: &Edge) {
        let target = new.at(edge.target);
        let operation = match &edge.operation {
            Operation::Error(_) if self.is_guard() => Operation::Halt(HaltKind::Abort),
            Operation::Halt(HaltKind::Unreachable)
                if self.guarded.contains(&Hazard::Unreachable(function, edge.span)) =>
            {
                let what = "a point that must not be reached is reached".to_owned();
                Operation::Error(ErrorKind::Check { check: Check::Assertions, what })
            }
            // Those of automatic checks are not there yet.
            Operation::Error(error)
                if !(self.wants(Check::Assertions) && self.is_meant(error, edge.span)) =>
            {
                Operation::Halt(HaltKind::Abort)
            }
            Operation::Halt(HaltKind::Unreachable) if self.wants(Check::Unreachable) => {
                let written = self.program.sources.text(edge.span);
                let what = format!("an execution that reaches `{}`", written.trim());
                let error = ErrorKind::Check { check: Check::Unreachable, what };
                let is_meant = self.is_meant(&error, edge.span);
                if is_meant { Operation::Error(error) } else { edge.operation.clone() }
            }
            // Whether the caller uses a result that is not there cannot be told from here.
            Operation::Return { value: None } if self.wants(Check::Uninitialized) && self.gives(function) => {
                let construct = "a check of a result that is not there".to_owned();
                Operation::Unsupported { construct }
            }
            Operation::Call { target: Some(place), callee, arguments } if self.is_tested_later(*place) => {
                let call = (*callee, arguments.clone());
                return self.split_call(new, from, function, *place, call, edge);
            }
            Operation::Call { callee, arguments, .. } if self.is_unclear(*callee, arguments) => {
                let name = match callee {
                    Callee::Function(callee) => format!("`{}`", self.program.functions[*callee].name),
                    Callee::Pointer(_) => "behind a pointer".to_owned(),
                };
                let construct = format!("a check of what the library function {name} accesses");
                Operation::Unsupported { construct }
            }
            other => other.clone(),
        };
        self.emit(new, from, target, operation, edge.span);
    }

    /// Whether a function is declared to give a result.
    fn gives(&self, function: FunctionId) -> bool {
        match *self.program.types.get(self.program.functions[function].ty) {
            Type::Function { result, .. } => !matches!(self.program.types.get(result), Type::Void),
            _ => false,
        }
    }

    /// An edge, with what it does to the notes about variables that have a value.
    fn emit(&mut self, new: &mut Rebuilt, from: Draft, target: Draft, operation: Operation, span: Span) {
        let mut notes = self.noted(&operation, span);
        let Some(last) = notes.pop() else {
            new.builder.edge(from, target, operation, span);
            return;
        };
        let mut at = new.step(from, operation, span);
        for note in notes {
            at = new.step(at, note, span);
        }
        new.builder.edge(at, target, last, span);
    }

    /// Whether the place in which a call stores its result is tested after the call.
    fn is_tested_later(&self, place: PlaceId) -> bool {
        let is_guarded = self.guarded.contains(&Hazard::Access(place));
        (self.wants_memory() || is_guarded)
            && !matches!(self.program.places[place].kind, PlaceKind::Variable(_))
    }

    /// A call whose result goes to a temporary first, because the call may change what the place is.
    fn split_call(
        &mut self,
        new: &mut Rebuilt,
        from: Draft,
        function: FunctionId,
        place: PlaceId,
        (callee, arguments): (Callee, Box<[ExprId]>),
        edge: &Edge,
    ) {
        let ty = self.program.places[place].ty;
        let name = format!("#result {}", self.program.variables.len());
        let temporary = self.variable(name, ty, function, edge.span);
        let target = self.variable_place(temporary, edge.span);
        let call = Operation::Call { target: Some(target), callee, arguments };
        let mut at = new.step(from, call, edge.span);
        let value = self.expr(ExprKind::Load(target), ty, edge.span);
        self.tested.clear();
        self.visit_target(place);
        for test in self.take_tests() {
            at = new.test(at, &test);
        }
        new.builder.edge(at, new.at(edge.target), Operation::Assign { target: place, value }, edge.span);
    }

    /// Whether a call reads memory that is not tested: it has pointers to more than string literals.
    fn is_unclear(&self, callee: Callee, arguments: &[ExprId]) -> bool {
        let is_pointer = |&argument: &ExprId| {
            let ty = self.program.exprs[argument].ty;
            matches!(self.program.types.get(ty), Type::Pointer(_)) && !self.is_text(argument)
        };
        let reads = match callee {
            Callee::Function(function) => {
                let is_tested = self.releases(function) || self.accesses_blocks(function, arguments);
                self.readers.contains(&function) && !is_tested
            }
            Callee::Pointer(_) => self.program.exprs.values().any(|expr| match expr.kind {
                ExprKind::FunctionAddress(function) => self.readers.contains(&function),
                _ => false,
            }),
        };
        self.wants_memory() && reads && arguments.iter().any(is_pointer)
    }

    /// Whether a function without body ends the life of heap memory.
    fn frees(&self, function: FunctionId) -> bool {
        let function = &self.program.functions[function];
        function.body.is_none() && matches!(function.name.as_str(), "free" | "cfree" | "__builtin_free")
    }

    fn is_text(&self, expr: ExprId) -> bool {
        match self.program.exprs[expr].kind {
            ExprKind::Convert(inner) => self.is_text(inner),
            ExprKind::AddressOf(place) => matches!(self.program.places[place].kind, PlaceKind::Text(_)),
            _ => false,
        }
    }

    // Tables.

    fn expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.program.add_expr(kind, ty, span)
    }

    fn variable(&mut self, name: String, ty: TypeId, function: FunctionId, span: Span) -> VariableId {
        let variable = Variable::new(name, ty, VariableKind::Temporary, &self.program.types, span);
        self.program.variables.push(Variable { function: Some(function), ..variable })
    }

    fn variable_place(&mut self, variable: VariableId, span: Span) -> PlaceId {
        let ty = self.program.variables[variable].ty;
        self.program.add_place(PlaceKind::Variable(variable), ty, span)
    }
}
