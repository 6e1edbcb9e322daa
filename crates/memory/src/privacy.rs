//! Variables of recursive functions that only the call which has made them can reach through pointers. One name stands for
//! the variables of all active calls of a function, so pointers between those calls would be about several variables with
//! one name.

use rorqual_cfa::{Callee, ExprId, FunctionId, Operation, Program, VariableId};

use crate::effects::Effects;
use crate::points_to::Memory;
use crate::targets::{Object, Targets};

impl Effects {
    /// Whether no two calls of a function share a variable of it, because the function is not recursive, or because pointers
    /// to the variable are gone or out of reach whenever the function is called again.
    ///
    /// Pointers may be kept in variables and results of functions that cannot call the owner: while these are active, the
    /// owner is not called, and they were given the pointer by its last call. And in variables of the owner that are no
    /// parameters: they are as new in each call as the variable itself. To reach those through pointers from another call, they
    /// must be shared themselves.
    pub fn is_private(&self, program: &Program, memory: &Memory, variable: VariableId) -> bool {
        let declared = &program.variables[variable];
        let Some(owner) = declared.function.filter(|_| !declared.kind.is_global()) else { return true };
        if !self.is_recursive(owner) {
            return true;
        }
        let points = |targets: &Targets| {
            targets.places.iter().any(|&(object, _)| object == Object::Variable(variable))
        };
        let is_out_of_reach = |holder: Object| match holder {
            Object::Variable(holder) => {
                let details = &program.variables[holder];
                let is_parameter = program.functions[owner].parameters.contains(&holder);
                match details.function.filter(|_| !details.kind.is_global()) {
                    Some(function) if function == owner => !is_parameter,
                    Some(function) => !self.may_enter(function, owner),
                    None => false,
                }
            }
            Object::Result(function) => !self.may_enter(function, owner),
            _ => false,
        };
        !memory.scatters(points)
            && memory.holders(points).all(is_out_of_reach)
            && !unnamed_arguments(program, memory).any(|argument| points(&memory.targets(program, argument)))
    }
}

/// The arguments of calls that no parameter takes.
fn unnamed_arguments<'p>(program: &'p Program, memory: &'p Memory) -> impl Iterator<Item = ExprId> + 'p {
    let bodies = memory.called().iter().filter_map(|&function| program.functions[function].body.as_ref());
    let edges = bodies.flat_map(|body| body.edges().values());
    edges.flat_map(move |edge| {
        let Operation::Call { callee, arguments, .. } = &edge.operation else { return Vec::new() };
        let taken = taken_arguments(program, memory, *callee);
        arguments.iter().skip(taken).copied().collect()
    })
}

/// How many arguments all functions that a call may call have parameters for. Functions without body keep nothing that is
/// not stored.
fn taken_arguments(program: &Program, memory: &Memory, callee: Callee) -> usize {
    let taken = |callee: FunctionId| {
        let function = &program.functions[callee];
        if function.body.is_some() { function.parameters.len() } else { usize::MAX }
    };
    memory.callees(program, callee).into_iter().map(taken).min().unwrap_or(0)
}
