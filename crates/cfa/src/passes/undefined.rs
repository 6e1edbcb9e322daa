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
    #[default]
    Any,
    /// It returns any value and may write whatever its arguments point to.
    Havoc,
    /// Nobody knows.
    Refuse,
}

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
    let mut pass = Pass { program, meaning, functions };
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
    pass.define_addressed();
    pass.program
}

struct Pass {
    program: Program,
    meaning: UndefinedFunctions,
    /// Those that are not defined.
    functions: BTreeSet<FunctionId>,
}

impl Pass {
    /// Whether some edge of a function has to be changed.
    fn changes(&self, function: FunctionId) -> bool {
        let Some(body) = &self.program.functions[function].body else { return false };
        body.edges().values().any(|edge| match edge.operation {
            Operation::Call { callee: Callee::Function(callee), .. } => self.functions.contains(&callee),
            _ => false,
        })
    }

    fn edge(&mut self, new: &mut Rebuilt, edge: &Edge) {
        let (from, to) = (new.at(edge.source), new.at(edge.target));
        let Operation::Call { callee: Callee::Function(callee), arguments, .. } = &edge.operation else {
            new.builder.edge(from, to, edge.operation.clone(), edge.span);
            return;
        };
        if !self.functions.contains(callee) {
            new.builder.edge(from, to, edge.operation.clone(), edge.span);
            return;
        }
        let name = self.program.functions[*callee].name.clone();
        let havoc = self.meaning == UndefinedFunctions::Havoc;
        if !havoc {
            let construct = format!("a call of the undefined function `{name}`");
            new.builder.edge(from, to, Operation::Unsupported { construct }, edge.span);
            return;
        }
        // Inputs can be replayed, so they are preferred.
        let any = |target| Operation::Havoc { target, origin: name.clone() };
        let writes = match self.written(arguments) {
            Some(places) => places.into_iter().map(any).collect(),
            None => vec![Operation::Clobber { arguments: arguments.clone(), origin: name.clone() }],
        };
        let operations: Vec<Operation> = [edge.operation.clone()].into_iter().chain(writes).collect();
        chain(new, from, to, operations, edge.span);
    }

    /// The places that a call may write through its arguments, if they can be told.
    fn written(&mut self, arguments: &[ExprId]) -> Option<Vec<PlaceId>> {
        let mut variables = BTreeSet::new();
        for &argument in arguments {
            match self.target(argument)? {
                Target::Nothing => {}
                Target::Variable(variable) => {
                    variables.insert(variable);
                }
            }
        }
        let places = variables.into_iter().map(|variable| self.place(variable));
        Some(places.collect())
    }

    fn place(&mut self, variable: VariableId) -> PlaceId {
        let Variable { ty, span, .. } = self.program.variables[variable];
        self.program.add_place(PlaceKind::Variable(variable), ty, span)
    }

    fn target(&self, argument: ExprId) -> Option<Target> {
        let expr = &self.program.exprs[argument];
        match (&expr.kind, self.program.types.get(expr.ty)) {
            (_, Type::Int(_) | Type::Float(_)) | (ExprKind::Int(0) | ExprKind::Zero, Type::Pointer(_)) => {
                Some(Target::Nothing)
            }
            (ExprKind::Convert(inner), Type::Pointer(_)) => self.target(*inner),
            (ExprKind::AddressOf(place), _) => match self.program.places[*place].kind {
                PlaceKind::Text(_) => Some(Target::Nothing),
                _ => {
                    let variable = self.program.root_variable(*place)?;
                    let simple = !self.has_pointer(self.program.variables[variable].ty);
                    simple.then_some(Target::Variable(variable))
                }
            },
            _ => None,
        }
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

    /// A call through a pointer may reach an undefined function, which then is not supported either.
    fn define_addressed(&mut self) {
        for function in addressed(&self.program) {
            if self.functions.contains(&function) {
                self.refuse(function);
            }
        }
    }

    fn refuse(&mut self, function: FunctionId) {
        let (name, span) =
            (self.program.functions[function].name.clone(), self.program.functions[function].span);
        let mut builder = AutomatonBuilder::default();
        let [entry, exit] = std::array::from_fn(|_| builder.location());
        let construct = format!("a call of the undefined function `{name}`");
        builder.edge(entry, exit, Operation::Unsupported { construct }, span);
        let types = match self.program.types.get(self.program.functions[function].ty) {
            Type::Function { parameters, .. } => parameters.clone(),
            _ => Vec::new(),
        };
        let mut parameters = Vec::new();
        for ty in types {
            let kind = VariableKind::Parameter;
            let variable = Variable::new("argument", ty, kind, &self.program.types, span);
            parameters.push(self.program.variables.push(Variable { function: Some(function), ..variable }));
        }
        self.program.functions[function].parameters = parameters;
        self.program.functions[function].body = Some(builder.finish(entry, exit, &[]).0);
    }
}

/// What a pointer argument lets a function write.
enum Target {
    Nothing,
    Variable(VariableId),
}

/// Operations one after the other.
fn chain(new: &mut Rebuilt, from: Draft, to: Draft, mut operations: Vec<Operation>, span: Span) {
    let last = operations.pop().unwrap_or(Operation::Skip);
    let at = operations.into_iter().fold(from, |at, operation| new.step(at, operation, span));
    new.builder.edge(at, to, last, span);
}
