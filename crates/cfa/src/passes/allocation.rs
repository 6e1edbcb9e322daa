//! Calls that may fail although what they ask for is possible: with this pass every allocation returns null or succeeds.

use std::collections::BTreeSet;

use super::checks::Rebuilt;
use super::undefined::addressed;
use crate::automaton::{Callee, Edge, Operation};
use crate::build::AutomatonBuilder;
use crate::expr::{ExprKind, PlaceKind};
use crate::index::{ExprId, FunctionId, PlaceId, VariableId};
use crate::program::{Function, Program, Variable, VariableKind};
use crate::types::{IntKind, Type};

/// Whether memory that can be there is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Allocation {
    /// It always is.
    #[default]
    Succeeds,
    /// An input decides.
    MayFail,
}

/// The program with allocations that may fail. `is_allocator` tells which functions without body return null then and
/// change nothing.
pub fn with_failing_allocations(program: Program, is_allocator: &dyn Fn(&Function) -> bool) -> Program {
    let allocators: BTreeSet<FunctionId> = {
        let all = program.functions.iter();
        all.filter(|(_, function)| is_allocator(function)).map(|(id, _)| id).collect()
    };
    let mut pass = Pass { program, allocators };
    for function in pass.program.functions.ids().collect::<Vec<FunctionId>>() {
        if pass.changes(function)
            && let Some(old) = pass.program.functions[function].body.take()
        {
            let choice = pass.choice(function);
            let mut new = Rebuilt::new(&old);
            for edge in old.edges().values() {
                pass.edge(&mut new, edge, choice);
            }
            new.finish(&mut pass.program, function, &old);
        }
    }
    pass.refuse_addressed();
    pass.program
}

struct Pass {
    program: Program,
    allocators: BTreeSet<FunctionId>,
}

/// What decides whether an allocation in a function fails.
#[derive(Clone, Copy)]
struct Choice {
    variable: VariableId,
    place: PlaceId,
    value: ExprId,
}

impl Pass {
    fn changes(&self, function: FunctionId) -> bool {
        let Some(body) = &self.program.functions[function].body else { return false };
        body.edges().values().any(|edge| self.allocated(edge).is_some())
    }

    /// Where the result of an allocation goes, and who makes it.
    fn allocated(&self, edge: &Edge) -> Option<(PlaceId, FunctionId)> {
        match edge.operation {
            Operation::Call { target: Some(target), callee: Callee::Function(callee), .. } => {
                self.allocators.contains(&callee).then_some((target, callee))
            }
            _ => None,
        }
    }

    fn choice(&mut self, function: FunctionId) -> Choice {
        let span = self.program.functions[function].span;
        let ty = self.program.types.int(IntKind::Bool);
        let variable = Variable::new("allocation_fails", ty, VariableKind::Local, &self.program.types, span);
        let variable = self.program.variables.push(Variable { function: Some(function), ..variable });
        let place = self.program.add_place(PlaceKind::Variable(variable), ty, span);
        let value = self.program.add_expr(ExprKind::Load(place), ty, span);
        Choice { variable, place, value }
    }

    fn edge(&mut self, new: &mut Rebuilt, edge: &Edge, choice: Choice) {
        let (from, to, span) = (new.at(edge.source), new.at(edge.target), edge.span);
        let Some((target, callee)) = self.allocated(edge) else {
            new.builder.edge(from, to, edge.operation.clone(), span);
            return;
        };
        let origin = format!("whether `{}` fails", self.program.functions[callee].name);
        let from = new.step(from, Operation::Declare(choice.variable), span);
        let from = new.step(from, Operation::Havoc { target: choice.place, origin }, span);
        let assume = |holds| Operation::Assume { condition: choice.value, holds };
        let fails = new.step(from, assume(true), span);
        let ty = self.program.places[target].ty;
        let value = self.program.add_expr(ExprKind::Zero, ty, span);
        new.builder.edge(fails, to, Operation::Assign { target, value }, span);
        let succeeds = new.step(from, assume(false), span);
        new.builder.edge(succeeds, to, edge.operation.clone(), span);
    }

    /// A call through a pointer may reach an allocator, and then it is not known whether it fails.
    fn refuse_addressed(&mut self) {
        for function in addressed(&self.program) {
            if self.allocators.contains(&function) {
                let name = &self.program.functions[function].name;
                let construct = format!("a call of `{name}`, which may fail, through a pointer");
                refuse(&mut self.program, function, construct);
            }
        }
    }
}

/// Gives a function a body that is not supported.
fn refuse(program: &mut Program, function: FunctionId, construct: String) {
    let span = program.functions[function].span;
    let mut builder = AutomatonBuilder::default();
    let [entry, exit] = std::array::from_fn(|_| builder.location());
    builder.edge(entry, exit, Operation::Unsupported { construct }, span);
    let types = match program.types.get(program.functions[function].ty) {
        Type::Function { parameters, .. } => parameters.clone(),
        _ => Vec::new(),
    };
    let mut parameters = Vec::new();
    for ty in types {
        let variable = Variable::new("argument", ty, VariableKind::Parameter, &program.types, span);
        parameters.push(program.variables.push(Variable { function: Some(function), ..variable }));
    }
    program.functions[function].parameters = parameters;
    program.functions[function].body = Some(builder.finish(entry, exit, &[]).0);
}
