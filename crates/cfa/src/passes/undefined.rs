//! Functions that are called and not defined: what is assumed of them.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_source::Span;

use super::checks::Rebuilt;
use crate::automaton::{Callee, Edge, Operation};
use crate::build::{AutomatonBuilder, Draft};
use crate::expr::{ExprKind, PlaceKind};
use crate::index::{ExprId, FunctionId, PlaceId, TypeId, VariableId};
use crate::program::{Function, Program, Variable, VariableKind};
use crate::types::Type;

/// What a call of a function without body may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UndefinedFunctions {
    /// It returns any value and writes nothing.
    Any,
    /// It returns any value, may write every object that it gets a pointer to non-const to and what can be reached from
    /// there, and may call functions that it gets. Of a structure whose member it gets, it may only write the member, if
    /// that has no pointers.
    #[default]
    Havoc,
    /// As before, and it may write all global variables, and through pointers that were given to any such function.
    HavocAll,
    /// Nobody knows.
    Refuse,
}

/// The origin of what a function without body writes, for messages.
pub fn written_by(function: &str) -> String {
    format!("what `{function}` writes")
}

/// Variables of at most so many bytes get inputs where a function may write them, which can be replayed; of larger ones
/// nothing is known.
const MOST_INPUT_BYTES: u64 = 1024;

/// The functions without body that can be called, with the place of a call, in the order of their names. `is_known`
/// tells which functions without body are known all the same.
pub fn undefined_functions(
    program: &Program,
    is_known: &dyn Fn(&Function) -> bool,
) -> BTreeMap<String, (FunctionId, Span)> {
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::from([program.start]);
    let mut open = vec![program.start];
    while let Some(function) = open.pop() {
        let Some(body) = &program.functions[function].body else { continue };
        for edge in body.edges().values() {
            for (callee, span) in callees(program, edge) {
                let details = &program.functions[callee];
                if details.body.is_none() && !is_known(details) {
                    found.entry(details.name.clone()).or_insert((callee, span));
                } else if seen.insert(callee) {
                    open.push(callee);
                }
            }
        }
    }
    found
}

/// The functions that an edge may call; through a pointer, all whose address is taken.
pub(super) fn callees(program: &Program, edge: &Edge) -> Vec<(FunctionId, Span)> {
    match edge.operation {
        Operation::Call { callee: Callee::Function(function), .. } => vec![(function, edge.span)],
        Operation::Call { callee: Callee::Pointer(_), .. } => {
            addressed(program).into_iter().map(|function| (function, edge.span)).collect()
        }
        _ => Vec::new(),
    }
}

/// The functions whose address is taken.
pub(super) fn addressed(program: &Program) -> BTreeSet<FunctionId> {
    let function = |kind: &ExprKind| match kind {
        ExprKind::FunctionAddress(function) => Some(*function),
        _ => None,
    };
    program.exprs.values().filter_map(|expr| function(&expr.kind)).collect()
}

/// The program with calls of undefined functions as they are meant to be.
pub fn treat_undefined(
    program: Program,
    meaning: UndefinedFunctions,
    is_known: &dyn Fn(&Function) -> bool,
) -> Program {
    if meaning == UndefinedFunctions::Any {
        return program;
    }
    let functions: BTreeSet<FunctionId> = {
        let open = program.functions.iter().filter(|(_, function)| function.body.is_none());
        open.filter(|(_, function)| !is_known(function)).map(|(id, _)| id).collect()
    };
    let mut pass =
        Pass { program, meaning, functions, globals: Vec::new(), kept: None, wrapped: BTreeMap::new() };
    if meaning == UndefinedFunctions::HavocAll {
        pass.find_globals();
    }
    pass.define_addressed();
    let bodies: Vec<FunctionId> = pass.program.functions.ids().collect();
    for function in bodies {
        if pass.changes(function)
            && let Some(old) = pass.program.functions[function].body.take()
        {
            let mut new = Rebuilt::new(&old);
            for edge in old.edges().values() {
                pass.edge(&mut new, edge);
            }
            new.finish(&mut pass.program, function, &old);
        }
    }
    pass.program
}

struct Pass {
    program: Program,
    meaning: UndefinedFunctions,
    /// Those that are not defined.
    functions: BTreeSet<FunctionId>,
    /// The global variables, where functions that are not defined may write them.
    globals: Vec<VariableId>,
    /// A variable for all pointers that such functions were given, and may have kept.
    kept: Option<VariableId>,
    /// Those whose address is taken have a body that calls another function in their place.
    wrapped: BTreeMap<FunctionId, FunctionId>,
}

/// What a call may write.
#[derive(Default)]
struct Written {
    /// These variables.
    variables: BTreeSet<VariableId>,
    /// These members of structures.
    members: Vec<PlaceId>,
    /// All that can be reached from these values.
    reachable: Vec<ExprId>,
    /// All that can be reached from what these pointers point to.
    behind: Vec<ExprId>,
}

impl Pass {
    fn find_globals(&mut self) {
        let globals = self.program.variables.iter().filter(|(_, variable)| variable.kind.is_global());
        self.globals = globals.map(|(id, _)| id).collect();
        let void = self.program.types.intern(Type::Void);
        let pointer = self.program.types.pointer_to(void);
        let name = "<pointers that were given away>";
        let kept = Variable::new(name, pointer, VariableKind::Static, &self.program.types, Span::NONE);
        self.kept = Some(self.program.variables.push(kept));
    }

    /// Whether some edge of a function has to be changed.
    fn changes(&self, function: FunctionId) -> bool {
        let Some(body) = &self.program.functions[function].body else { return false };
        body.edges().values().any(|edge| match edge.operation {
            Operation::Call { callee: Callee::Function(callee), .. } => {
                self.functions.contains(&callee) || self.wrapped.contains_key(&callee)
            }
            _ => false,
        })
    }

    fn edge(&mut self, new: &mut Rebuilt, edge: &Edge) {
        let (from, to) = (new.at(edge.source), new.at(edge.target));
        let Operation::Call { callee: Callee::Function(callee), arguments, target } = &edge.operation else {
            new.builder.edge(from, to, edge.operation.clone(), edge.span);
            return;
        };
        let callee = self.wrapped.get(callee).unwrap_or(callee);
        if !self.functions.contains(callee) {
            new.builder.edge(from, to, edge.operation.clone(), edge.span);
            return;
        }
        if self.meaning == UndefinedFunctions::Refuse {
            let name = &self.program.functions[*callee].name;
            let construct = format!("a call of the undefined function `{name}`");
            new.builder.edge(from, to, Operation::Unsupported { construct }, edge.span);
            return;
        }
        let (target, arguments) = (*target, arguments.clone());
        let call =
            Operation::Call { target, callee: Callee::Function(*callee), arguments: arguments.clone() };
        let mut operations = vec![call];
        operations.extend(self.effects(*callee, &arguments, edge.span));
        chain(new, edge, operations);
    }

    /// What a call does beside returning something.
    fn effects(&mut self, callee: FunctionId, arguments: &[ExprId], span: Span) -> Vec<Operation> {
        let origin = self.program.functions[callee].name.clone();
        let mut written = self.written(callee, arguments);
        let mut operations = Vec::new();
        if let Some(kept) = self.kept {
            let target = self.place(kept);
            let ty = self.program.places[target].ty;
            for &value in written.reachable.clone().iter().chain(&written.behind.clone()) {
                let value = self.program.add_expr(ExprKind::Convert(value), ty, span);
                operations.push(Operation::Assign { target, value });
            }
            written.reachable.push(self.program.add_expr(ExprKind::Load(target), ty, span));
            self.add_globals(&mut written, span);
        }
        // Inputs can be replayed, so they are preferred.
        let variables = written.variables.iter().map(|&variable| self.place(variable));
        for target in variables.chain(written.members).collect::<Vec<PlaceId>>() {
            operations.push(Operation::Havoc { target, origin: written_by(&origin) });
        }
        if !written.reachable.is_empty() || !written.behind.is_empty() {
            let (written, read) = (written.reachable.into(), written.behind.into());
            operations.push(Operation::Clobber { written, read, origin });
        }
        operations
    }

    /// What a call may write through its arguments.
    fn written(&self, callee: FunctionId, arguments: &[ExprId]) -> Written {
        let mut written = Written::default();
        let read_only = &self.program.functions[callee].read_only;
        for (position, &argument) in arguments.iter().enumerate() {
            match (self.target(argument), read_only.contains(&position)) {
                (Some(Target::Nothing), _) | (Some(Target::Variable(_) | Target::Member(_)), true) => {}
                (Some(Target::Variable(variable)), false) => {
                    written.variables.insert(variable);
                }
                (Some(Target::Member(member)), false) => written.members.push(member),
                (None, true) => written.behind.push(argument),
                (None, false) => written.reachable.push(argument),
            }
        }
        written
    }

    fn add_globals(&mut self, written: &mut Written, span: Span) {
        for &variable in &self.globals.clone() {
            if self.is_simple(variable) {
                written.variables.insert(variable);
                continue;
            }
            self.program.variables[variable].address_taken = true;
            let place = self.place(variable);
            let ty = self.program.types.pointer_to(self.program.places[place].ty);
            written.reachable.push(self.program.add_expr(ExprKind::AddressOf(place), ty, span));
        }
    }

    fn place(&mut self, variable: VariableId) -> PlaceId {
        place(&mut self.program, variable)
    }

    fn target(&self, argument: ExprId) -> Option<Target> {
        let expr = &self.program.exprs[argument];
        match (&expr.kind, self.program.types.get(expr.ty)) {
            (_, Type::Int(_) | Type::Float(_)) | (ExprKind::Int(0) | ExprKind::Zero, Type::Pointer(_)) => {
                Some(Target::Nothing)
            }
            (ExprKind::Convert(inner), Type::Pointer(_)) if self.is_pointer(*inner) => self.target(*inner),
            (ExprKind::AddressOf(place), _) => match self.program.places[*place].kind {
                PlaceKind::Text(_) => Some(Target::Nothing),
                _ if self.meaning == UndefinedFunctions::Havoc
                    && let Some(member) = self.member(*place) =>
                {
                    Some(Target::Member(member))
                }
                _ => {
                    let variable = self.program.root_variable(*place)?;
                    self.is_simple(variable).then_some(Target::Variable(variable))
                }
            },
            _ => None,
        }
    }

    /// The member of a structure that a place is, or that is an array with the place in it, if any value of it can be an
    /// input. What is stored in pointers may point to memory of the program.
    fn member(&self, place: PlaceId) -> Option<PlaceId> {
        let details = &self.program.places[place];
        match details.kind {
            PlaceKind::Element { base, .. } => self.member(base),
            PlaceKind::Member { .. } => {
                let is_small = |size| (1..=MOST_INPUT_BYTES).contains(&size);
                let is_small = self.program.types.size_of(details.ty).is_some_and(is_small);
                (is_small && !self.has_pointer(details.ty)).then_some(place)
            }
            _ => None,
        }
    }

    fn is_pointer(&self, expr: ExprId) -> bool {
        matches!(self.program.types.get(self.program.exprs[expr].ty), Type::Pointer(_))
    }

    /// Whether any value of a variable can be an input: it has no pointers, and is not large.
    fn is_simple(&self, variable: VariableId) -> bool {
        let Variable { ty, size, .. } = self.program.variables[variable];
        let is_small = self.program.types.size_of(ty).is_some_and(|size| size <= MOST_INPUT_BYTES);
        size.is_none() && is_small && !self.has_pointer(ty)
    }

    /// Whether more can be reached from an object of the type.
    fn has_pointer(&self, ty: TypeId) -> bool {
        match self.program.types.get(ty) {
            Type::Int(_) | Type::Float(_) | Type::Void => false,
            Type::Array { element, .. } => self.has_pointer(*element),
            Type::Record(record) => {
                self.program.types.record(*record).fields.iter().any(|field| self.has_pointer(field.ty))
            }
            _ => true,
        }
    }

    /// A call through a pointer may reach an undefined function: it gets a body that calls it.
    fn define_addressed(&mut self) {
        for function in addressed(&self.program) {
            if self.functions.remove(&function) {
                let details = Function { body: None, ..self.program.functions[function].clone() };
                let called = self.program.functions.push(details);
                self.functions.insert(called);
                self.wrapped.insert(function, called);
                forward(&mut self.program, function, called);
                // Whoever looks for the function by its name finds the one without body.
                self.program.functions[function].name += "@pointer";
            }
        }
    }
}

/// What a pointer argument lets a function write.
enum Target {
    Nothing,
    Variable(VariableId),
    Member(PlaceId),
}

/// Gives a function a body that calls another one with the same arguments.
pub(super) fn forward(program: &mut Program, function: FunctionId, called: FunctionId) {
    let Function { name, ty, span, .. } = program.functions[function].clone();
    let (result, types) = match program.types.get(ty) {
        Type::Function { parameters, result, variadic: false, prototyped: true } => {
            (Some(*result), parameters.clone())
        }
        Type::Function { parameters, .. } => (None, parameters.clone()),
        _ => (None, Vec::new()),
    };
    let variable = |program: &mut Program, name: &str, ty: TypeId, kind: VariableKind| {
        let variable = Variable::new(name, ty, kind, &program.types, span);
        program.variables.push(Variable { function: Some(function), ..variable })
    };
    let load = |program: &mut Program, variable: VariableId| {
        let place = place(program, variable);
        let ty = program.places[place].ty;
        program.add_expr(ExprKind::Load(place), ty, span)
    };
    let parameters: Vec<VariableId> =
        types.into_iter().map(|ty| variable(program, "argument", ty, VariableKind::Parameter)).collect();
    let arguments = parameters.iter().map(|&parameter| load(program, parameter)).collect();
    program.functions[function].parameters = parameters;
    let mut builder = AutomatonBuilder::default();
    let [entry, called_at, exit] = std::array::from_fn(|_| builder.location());
    let Some(result) = result else {
        // What a call passes cannot be told from the declaration.
        let construct = format!("a call of the undefined function `{name}` through a pointer");
        builder.edge(entry, exit, Operation::Unsupported { construct }, span);
        program.functions[function].body = Some(builder.finish(entry, exit, &[]).0);
        return;
    };
    let is_void = matches!(program.types.get(result), Type::Void);
    let target = (!is_void).then(|| variable(program, "result", result, VariableKind::Temporary));
    let place = target.map(|target| place(program, target));
    let value = target.map(|target| load(program, target));
    let callee = Callee::Function(called);
    builder.edge(entry, called_at, Operation::Call { target: place, callee, arguments }, span);
    builder.edge(called_at, exit, Operation::Return { value }, span);
    program.functions[function].body = Some(builder.finish(entry, exit, &[]).0);
}

fn place(program: &mut Program, variable: VariableId) -> PlaceId {
    let Variable { ty, span, .. } = program.variables[variable];
    program.add_place(PlaceKind::Variable(variable), ty, span)
}

/// Operations one after the other, in the place of an edge.
pub(super) fn chain(new: &mut Rebuilt, edge: &Edge, operations: Vec<Operation>) {
    let (from, to) = (new.at(edge.source), new.at(edge.target));
    chain_between(new, from, to, operations, edge.span);
}

fn chain_between(new: &mut Rebuilt, from: Draft, to: Draft, mut operations: Vec<Operation>, span: Span) {
    let last = operations.pop().unwrap_or(Operation::Skip);
    let at = operations.into_iter().fold(from, |at, operation| new.step(at, operation, span));
    new.builder.edge(at, to, last, span);
}
