//! Weaving: where an event of a specification happens, the program calls the function that takes the automaton's step.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_source::{Diagnostic, Severity, Span};

use super::{Calls, Event, Formula, Goal, Kind, Node, Pattern, Rule, Specification, Trigger};
use crate::automaton::{Automaton, Callee, Edge, ErrorKind, HaltKind, Operation};
use crate::build::AutomatonBuilder;
use crate::check::Check;
use crate::expr::{BinaryOp, ExprKind, PlaceKind, UnaryOp};
use crate::index::{Arena, ExprId, FunctionId, PlaceId, TypeId, VariableId};
use crate::passes::checks::Rebuilt;
use crate::passes::undefined::{addressed, chain, forward};
use crate::program::{Function, Program, Variable, VariableKind};
use crate::types::{IntKind, Type};

/// The program with specifications woven into it, and warnings about those whose events never happen; or errors, about events
/// that do not fit the calls of the program.
pub fn weave(
    mut program: Program,
    specifications: &[Specification],
) -> (Program, Result<Vec<Diagnostic>, Vec<Diagnostic>>) {
    let mut handlers = Vec::new();
    let mut first = Vec::new();
    for specification in specifications {
        let ghosts = add_ghosts(&mut program, specification, &mut first);
        for (number, event) in specification.events.iter().enumerate() {
            let function = add_handler(&mut program, specification, (number, event), &ghosts);
            handlers.push(Handler { event: event.clone(), function });
        }
    }
    let mut weaver = Weaver { program, handlers, seen: BTreeSet::new(), errors: Vec::new() };
    weaver.redirect_pointers();
    weaver.weave_functions(&first);
    let warnings = unmatched(specifications, &weaver);
    let told = if weaver.errors.is_empty() { Ok(warnings) } else { Err(weaver.errors) };
    (weaver.program, told)
}

/// Warnings about specifications whose calls do not happen anywhere.
fn unmatched(specifications: &[Specification], weaver: &Weaver) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let mut number = 0;
    for specification in specifications {
        let own = number..number + specification.events.len();
        number = own.end;
        let is_call = |at: &usize| weaver.handlers[*at].event.trigger != Trigger::Exit;
        if !own.into_iter().filter(is_call).any(|at| weaver.seen.contains(&at)) {
            let message = format!("no event of the specification `{}` ever happens", specification.name);
            let help = "the program calls none of its functions with so many arguments, so the specification says \
                        nothing about it";
            warnings.push(warning(message, specification.span).with_help(help));
        }
    }
    warnings
}

fn warning(message: String, span: Span) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..Diagnostic::error(message, span) }
}

/// An event, and the function that is called when it happens.
struct Handler {
    event: Event,
    function: FunctionId,
}

fn type_of(program: &mut Program, kind: Kind) -> TypeId {
    match kind {
        Kind::Int => program.types.int(IntKind::LongLong),
        Kind::Pointer => {
            let void = program.types.intern(Type::Void);
            program.types.pointer_to(void)
        }
    }
}

fn load(program: &mut Program, variable: VariableId, span: Span) -> ExprId {
    let ty = program.variables[variable].ty;
    let place = program.add_place(PlaceKind::Variable(variable), ty, span);
    program.add_expr(ExprKind::Load(place), ty, span)
}

fn store(program: &mut Program, variable: VariableId, value: ExprId, span: Span) -> Operation {
    let ty = program.variables[variable].ty;
    Operation::Assign { target: program.add_place(PlaceKind::Variable(variable), ty, span), value }
}

/// The ghost variables of a specification; their first values are added to what the program starts with.
fn add_ghosts(
    program: &mut Program,
    specification: &Specification,
    first: &mut Vec<(Operation, Span)>,
) -> Vec<VariableId> {
    let mut ghosts = Vec::new();
    for ghost in &specification.ghosts {
        // No name of the program has such brackets.
        let name = format!("<{}>{}", specification.name, ghost.name);
        let ty = type_of(program, ghost.kind);
        let variable = Variable::new(name, ty, VariableKind::Static, &program.types, ghost.span);
        let variable = program.variables.push(variable);
        let value = program.add_expr(ExprKind::Int(ghost.first), ty, ghost.span);
        first.push((store(program, variable, value, ghost.span), ghost.span));
        ghosts.push(variable);
    }
    ghosts
}

/// The function that takes the step of an event.
fn add_handler(
    program: &mut Program,
    specification: &Specification,
    (number, event): (usize, &Event),
    ghosts: &[VariableId],
) -> FunctionId {
    let what = match &event.trigger {
        // The number tells events apart, so one of the functions will do.
        Trigger::Call(calls) => calls.functions[0].0.clone(),
        Trigger::Return(calls, _) => format!("{}-return", calls.functions[0].0),
        Trigger::Exit => "exit".to_owned(),
    };
    let name = format!("<{}>{what}-{}", specification.name, number + 1);
    let types: Vec<TypeId> = event.parameters.iter().map(|&(_, kind)| type_of(program, kind)).collect();
    let result = program.types.intern(Type::Void);
    let parameters = types.clone();
    let ty = program.types.intern(Type::Function { parameters, result, variadic: false, prototyped: true });
    let function = program.functions.push(Function {
        name,
        ty,
        parameters: Vec::new(),
        labels: Arena::default(),
        body: None,
        noreturn: false,
        read_only: Vec::new(),
        is_foreign: true,
        span: event.span,
    });
    for ((name, _), ty) in event.parameters.iter().zip(types) {
        let name = if name.is_empty() { "number" } else { name };
        let variable = Variable::new(name, ty, VariableKind::Parameter, &program.types, event.span);
        let variable = program.variables.push(Variable { function: Some(function), ..variable });
        program.functions[function].parameters.push(variable);
    }
    let steps = Steps { program, specification, event, ghosts, function };
    let body = steps.body();
    program.functions[function].body = Some(body);
    function
}

/// Makes the body of the function of an event.
struct Steps<'a> {
    program: &'a mut Program,
    specification: &'a Specification,
    event: &'a Event,
    ghosts: &'a [VariableId],
    function: FunctionId,
}

impl Steps<'_> {
    /// The rules one after the other, until one applies.
    fn body(mut self) -> Automaton {
        let mut builder = AutomatonBuilder::default();
        let [entry, exit, sink] = std::array::from_fn(|_| builder.location());
        let mut at = entry;
        for rule in &self.event.rules {
            let span = rule.span;
            let [mut applies, next] = std::array::from_fn(|_| builder.location());
            let condition = self.condition(rule);
            builder.edge(at, applies, Operation::Assume { condition, holds: true }, span);
            builder.edge(at, next, Operation::Assume { condition, holds: false }, span);
            for operation in self.effects(rule) {
                let then = builder.location();
                builder.edge(applies, then, operation, span);
                applies = then;
            }
            match &rule.to {
                Some(Goal::Error(text)) => {
                    let what = format!("{}: {text}", self.specification.name);
                    let error = ErrorKind::Check { check: Check::Assertions, what };
                    builder.edge(applies, sink, Operation::Error(error), span);
                }
                _ => {
                    builder.edge(applies, exit, Operation::Return { value: None }, span);
                }
            }
            at = next;
        }
        builder.edge(at, exit, Operation::Return { value: None }, self.event.span);
        builder.finish(entry, exit, &[]).0
    }

    /// What a rule does to the ghost variables.
    fn effects(&mut self, rule: &Rule) -> Vec<Operation> {
        let mut effects = Vec::new();
        for (ghost, value) in &rule.actions {
            let value = self.value(value);
            effects.push(store(self.program, self.ghosts[*ghost], value, rule.span));
        }
        if let Some(Goal::State(state)) = rule.to {
            let value = self.number(state as i128, rule.span);
            effects.push(store(self.program, self.ghosts[0], value, rule.span));
        }
        effects
    }

    /// When a rule applies.
    fn condition(&mut self, rule: &Rule) -> ExprId {
        let span = rule.span;
        let mut claims = self.numbers_fit(span);
        if !rule.from.is_empty() {
            let mut any = None;
            for &state in &rule.from {
                let (now, state) =
                    (load(self.program, self.ghosts[0], span), self.number(state as i128, span));
                let is = self.binary(BinaryOp::Eq, now, state, span);
                any = Some(any.map_or(is, |any| self.binary(BinaryOp::Or, any, is, span)));
            }
            claims.extend(any);
        }
        if let Some(guard) = &rule.guard {
            claims.push(self.truth(guard));
        }
        let all = claims.into_iter().reduce(|all, claim| self.binary(BinaryOp::And, all, claim, span));
        all.unwrap_or_else(|| {
            let int = self.program.types.int(IntKind::Int);
            self.program.add_expr(ExprKind::Int(1), int, span)
        })
    }

    /// That arguments are the numbers of their patterns.
    fn numbers_fit(&mut self, span: Span) -> Vec<ExprId> {
        let patterns = match &self.event.trigger {
            Trigger::Call(calls) | Trigger::Return(calls, _) => calls.arguments.as_slice(),
            Trigger::Exit => &[],
        };
        let mut claims = Vec::new();
        for pattern in patterns {
            if let Pattern::Number(parameter, number) = *pattern {
                let (value, number) = (self.parameter(parameter, span), self.number(number, span));
                claims.push(self.binary(BinaryOp::Eq, value, number, span));
            }
        }
        claims
    }

    fn parameter(&mut self, number: usize, span: Span) -> ExprId {
        let variable = self.program.functions[self.function].parameters[number];
        load(self.program, variable, span)
    }

    fn number(&mut self, number: i128, span: Span) -> ExprId {
        let ty = type_of(self.program, Kind::Int);
        self.program.add_expr(ExprKind::Int(number), ty, span)
    }

    /// An operation on two numbers or pointers: comparisons give `int`.
    fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let is_arithmetic = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        let ty = if is_arithmetic {
            type_of(self.program, Kind::Int)
        } else {
            self.program.types.int(IntKind::Int)
        };
        self.program.add_expr(ExprKind::Binary { op, lhs, rhs }, ty, span)
    }

    /// The `int` 1 if a value is not zero, else 0.
    fn truth(&mut self, formula: &Formula) -> ExprId {
        let int = self.program.types.int(IntKind::Int);
        let span = formula.span;
        match &formula.node {
            Node::Not(inner) => {
                let inner = self.truth(inner);
                self.program.add_expr(ExprKind::Unary { op: UnaryOp::IsZero, operand: inner }, int, span)
            }
            Node::Both(lhs, rhs) => {
                let (lhs, rhs) = (self.truth(lhs), self.truth(rhs));
                self.binary(BinaryOp::And, lhs, rhs, span)
            }
            Node::Either(lhs, rhs) => {
                let (lhs, rhs) = (self.truth(lhs), self.truth(rhs));
                self.binary(BinaryOp::Or, lhs, rhs, span)
            }
            Node::Binary(op, lhs, rhs) if !matches!(op, BinaryOp::Add | BinaryOp::Sub) => {
                let (lhs, rhs) = (self.value(lhs), self.value(rhs));
                self.binary(*op, lhs, rhs, span)
            }
            Node::Constant(_) | Node::Ghost(_) | Node::Parameter(_) | Node::Binary(..) => {
                let value = self.value(formula);
                let ty = type_of(self.program, formula.kind);
                let zero = self.program.add_expr(ExprKind::Int(0), ty, span);
                self.binary(BinaryOp::Ne, value, zero, span)
            }
        }
    }

    /// The value of a formula in the type of its kind.
    fn value(&mut self, formula: &Formula) -> ExprId {
        let span = formula.span;
        let ty = type_of(self.program, formula.kind);
        match &formula.node {
            Node::Constant(number) => self.program.add_expr(ExprKind::Int(*number), ty, span),
            Node::Ghost(ghost) => load(self.program, self.ghosts[*ghost], span),
            Node::Parameter(parameter) => self.parameter(*parameter, span),
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs) => {
                let (lhs, rhs) = (self.value(lhs), self.value(rhs));
                self.binary(*op, lhs, rhs, span)
            }
            Node::Not(_) | Node::Both(..) | Node::Either(..) | Node::Binary(..) => {
                let truth = self.truth(formula);
                self.program.add_expr(ExprKind::Convert(truth), ty, span)
            }
        }
    }
}

/// Puts calls of handlers where events happen.
struct Weaver {
    program: Program,
    handlers: Vec<Handler>,
    /// The handlers that are called.
    seen: BTreeSet<usize>,
    errors: Vec<Diagnostic>,
}

/// A call in the program.
struct Site<'e> {
    function: FunctionId,
    callee: FunctionId,
    arguments: &'e [ExprId],
    target: Option<PlaceId>,
    span: Span,
}

impl Weaver {
    /// Calls through pointers reach functions of events by way of others that call them, where events are seen.
    fn redirect_pointers(&mut self) {
        let mut others: BTreeMap<FunctionId, FunctionId> = BTreeMap::new();
        for function in addressed(&self.program) {
            if self.is_named(&self.program.functions[function].name) {
                let details = Function { body: None, ..self.program.functions[function].clone() };
                let other = self.program.functions.push(Function { labels: Arena::default(), ..details });
                forward(&mut self.program, other, function);
                self.program.functions[other].name += "@pointer";
                others.insert(function, other);
            }
        }
        for expr in self.program.exprs.ids().collect::<Vec<ExprId>>() {
            if let ExprKind::FunctionAddress(function) = &mut self.program.exprs[expr].kind
                && let Some(other) = others.get(function)
            {
                *function = *other;
            }
        }
    }

    /// Whether some event is about a function of that name.
    fn is_named(&self, name: &str) -> bool {
        self.handlers.iter().any(|handler| match &handler.event.trigger {
            Trigger::Call(calls) | Trigger::Return(calls, _) => calls.names(name),
            Trigger::Exit => false,
        })
    }

    fn weave_functions(&mut self, first: &[(Operation, Span)]) {
        let own: BTreeSet<FunctionId> = self.handlers.iter().map(|handler| handler.function).collect();
        for function in self.program.functions.ids().collect::<Vec<FunctionId>>() {
            if own.contains(&function) {
                continue;
            }
            let Some(old) = self.program.functions[function].body.take() else { continue };
            let mut new = Rebuilt::new(&old);
            for edge in old.edges().values() {
                let is_first = function == self.program.start && edge.source == old.entry();
                let mut operations: Vec<Operation> = Vec::new();
                if is_first {
                    operations.extend(first.iter().map(|(operation, _)| operation.clone()));
                }
                operations.extend(self.operations(function, edge));
                chain(&mut new, edge, operations);
            }
            new.finish(&mut self.program, function, &old);
        }
    }

    /// What an edge does, with the steps of the automata.
    fn operations(&mut self, function: FunctionId, edge: &Edge) -> Vec<Operation> {
        let is_end = match &edge.operation {
            Operation::Call { target, callee: Callee::Function(callee), arguments } => {
                let (callee, target, span) = (*callee, *target, edge.span);
                return self.call(&Site { function, callee, arguments, target, span });
            }
            Operation::Halt(HaltKind::Exit(_)) => true,
            Operation::Return { .. } => function == self.program.start,
            _ => false,
        };
        let mut operations = Vec::new();
        for number in 0..self.handlers.len() {
            if is_end && self.handlers[number].event.trigger == Trigger::Exit {
                self.seen.insert(number);
                operations.push(self.step(number, Box::default()));
            }
        }
        operations.push(edge.operation.clone());
        operations
    }

    fn step(&self, number: usize, arguments: Box<[ExprId]>) -> Operation {
        let callee = Callee::Function(self.handlers[number].function);
        Operation::Call { target: None, callee, arguments }
    }

    fn call(&mut self, site: &Site<'_>) -> Vec<Operation> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut target = site.target;
        for number in 0..self.handlers.len() {
            let event = self.handlers[number].event.clone();
            match &event.trigger {
                Trigger::Call(calls) if self.fits(calls, site) => {
                    let values = self.bound(&event, calls, site);
                    before.push(self.step(number, values.into()));
                    self.seen.insert(number);
                }
                Trigger::Return(calls, result) if self.fits(calls, site) => {
                    let mut values = self.bound(&event, calls, site);
                    self.keep(&mut values, site, &mut before);
                    if let Some(result) = result {
                        let kind = event.parameters[*result].1;
                        values.extend(self.result(&event, kind, site, &mut target));
                    }
                    after.push(self.step(number, values.into()));
                    self.seen.insert(number);
                }
                Trigger::Call(_) | Trigger::Return(..) | Trigger::Exit => {}
            }
        }
        let callee = Callee::Function(site.callee);
        before.push(Operation::Call { target, callee, arguments: site.arguments.into() });
        if let (Some(kept), Some(wanted)) = (target, site.target)
            && kept != wanted
        {
            let ty = self.program.places[kept].ty;
            let value = self.program.add_expr(ExprKind::Load(kept), ty, site.span);
            after.push(Operation::Assign { target: wanted, value });
        }
        before.extend(after);
        before
    }

    fn fits(&self, calls: &Calls, site: &Site<'_>) -> bool {
        let (wanted, given) = (calls.arguments.len(), site.arguments.len());
        calls.names(&self.program.functions[site.callee].name)
            && (wanted == given || (calls.is_open && wanted < given))
    }

    /// The arguments that an event binds, in the types of their kinds.
    fn bound(&mut self, event: &Event, calls: &Calls, site: &Site<'_>) -> Vec<ExprId> {
        let mut values = Vec::new();
        for (pattern, &argument) in calls.arguments.iter().zip(site.arguments) {
            if let Pattern::Bound(parameter) | Pattern::Number(parameter, _) = *pattern {
                let kind = event.parameters[parameter].1;
                values.extend(self.converted(event, argument, kind, site.span));
            }
        }
        values
    }

    /// A value in the type of a kind. Other values are an error of the specification.
    fn converted(&mut self, event: &Event, value: ExprId, kind: Kind, span: Span) -> Option<ExprId> {
        let fits = matches!(
            (self.program.types.get(self.program.exprs[value].ty), kind),
            (Type::Int(_), Kind::Int) | (Type::Pointer(_), Kind::Pointer)
        );
        if !fits {
            let message = format!("{} is expected, but the call has something else there", kind.text());
            self.errors.push(Diagnostic::error(message, event.span).with_note("the call", span));
            return None;
        }
        let ty = type_of(&mut self.program, kind);
        Some(self.program.add_expr(ExprKind::Convert(value), ty, span))
    }

    /// Keeps values until the call has returned.
    fn keep(&mut self, values: &mut [ExprId], site: &Site<'_>, before: &mut Vec<Operation>) {
        for value in values {
            let variable = self.temporary(site, self.program.exprs[*value].ty);
            before.push(store(&mut self.program, variable, *value, site.span));
            *value = load(&mut self.program, variable, site.span);
        }
    }

    /// The result of a call, which is kept in a variable of its own.
    fn result(
        &mut self,
        event: &Event,
        kind: Kind,
        site: &Site<'_>,
        target: &mut Option<PlaceId>,
    ) -> Option<ExprId> {
        if *target == site.target {
            let ty = match (self.program.types.get(self.program.functions[site.callee].ty), site.target) {
                (_, Some(place)) => self.program.places[place].ty,
                (Type::Function { result, .. }, None) => *result,
                _ => type_of(&mut self.program, kind),
            };
            let variable = self.temporary(site, ty);
            *target = Some(self.program.add_place(PlaceKind::Variable(variable), ty, site.span));
        }
        let place = (*target)?;
        let ty = self.program.places[place].ty;
        let value = self.program.add_expr(ExprKind::Load(place), ty, site.span);
        self.converted(event, value, kind, site.span)
    }

    fn temporary(&mut self, site: &Site<'_>, ty: TypeId) -> VariableId {
        let variable = Variable::new("<spec>", ty, VariableKind::Temporary, &self.program.types, site.span);
        self.program.variables.push(Variable { function: Some(site.function), ..variable })
    }
}
