//! Violation sequences: the inputs of an execution as waypoints.

use std::collections::HashMap;

use rorqual_cfa::{FunctionId, Program, VariableId, VariableKind};
use rorqual_interpreter::{Config, InputRecord, Outcome};
use rorqual_source::Span;

use crate::cells;
use crate::constraints::constraints;
use crate::literals;
use crate::model::{Action, Location, Segment, Waypoint, WaypointKind};
use crate::places::{behind_declaration, call_end, location};
use crate::replay::{Replay, replay_constraints};
use crate::target::target;

/// The waypoints of an execution: the results of calls that are inputs, the values of uninitialised variables behind
/// their declarations, of variables that are defined nowhere, and of other memory where it is read first, and the
/// violation. Inputs that the format has no waypoint for are left out: aggregates, infinities, and parameters of the
/// entry function. Empty unless the execution ends in a violation or in undefined behaviour.
pub fn violation_sequence(program: &Program, replay: &Replay) -> Vec<Segment> {
    let span = match &replay.execution.outcome {
        Outcome::Violation { span, .. } | Outcome::Undefined { span, .. } => *span,
        _ => return Vec::new(),
    };
    let inputs = &replay.execution.inputs;
    let mut taken: HashMap<u64, usize> = HashMap::new();
    for input in inputs.iter().filter(|input| input.cell.is_none()) {
        *taken.entry(input.step).or_default() += 1;
    }
    let sequence = Sequence { program, replay, taken };
    let mut waypoints: Vec<(u64, Waypoint)> =
        inputs.iter().filter_map(|input| sequence.input(input)).collect();
    // Stable: waypoints of one step stay in the order of their inputs.
    waypoints.sort_by_key(|(step, _)| *step);
    let target = sequence.target(span).into_iter();
    let all = waypoints.into_iter().map(|(_, waypoint)| waypoint).chain(target);
    all.map(|waypoint| Segment(vec![waypoint])).collect()
}

/// Runs the program along a violation sequence, which may come from another tool. The violation that it ends in may be
/// another one than that of the witness: [`Replay::reaches`] tells.
pub fn replay_violation(program: &Program, segments: &[Segment], config: &Config) -> Replay {
    let target = target(segments);
    let is_meant = |replay: &Replay| match target {
        Some(target) => replay.reaches(program, target),
        None => replay.violation().is_some(),
    };
    replay_constraints(program, &constraints(segments), config, &is_meant)
}

struct Sequence<'a> {
    program: &'a Program,
    replay: &'a Replay,
    /// How many inputs each step took, uninitialised variables aside.
    taken: HashMap<u64, usize>,
}

impl Sequence<'_> {
    /// The waypoint of an input, and the step that it belongs to.
    fn input(&self, input: &InputRecord) -> Option<(u64, Waypoint)> {
        let value = literals::input(input.value, &input.ty)?;
        match input.cell {
            Some(cell) => {
                let lvalue = cells::lvalue(self.program, cell.variable, cell.bit_offset)?;
                let variable = &self.program.variables[cell.variable];
                let at = behind_declaration(self.program, variable.span)?;
                let location = self.location(variable.function?, variable.span, at)?;
                Some((cell.declared?, assumption(location, format!("{lvalue} == {value}"))))
            }
            None if input.origin.starts_with("uninitialized `") => {
                let lvalue = input.origin.trim_start_matches("uninitialized ").trim_matches('`');
                // Places with temporary variables have no name in C.
                let is_named = !lvalue.contains('#');
                let location = self.location(input.function, input.span, input.span.start());
                Some((input.step, assumption(location.filter(|_| is_named)?, format!("{lvalue} == {value}"))))
            }
            None => {
                let is_scalar = self.taken.get(&input.step) == Some(&1);
                if let Some(variable) = self.undefined_variable(input).filter(|_| is_scalar) {
                    let details = &self.program.variables[variable];
                    let at = location(self.program, details.span.file()?, details.span.start(), None);
                    let name = cells::source_name(self.program, variable);
                    return Some((input.step, assumption(at, format!("{name} == {value}"))));
                }
                let end = call_end(self.program, input.span, &input.origin).filter(|_| is_scalar)?;
                let location = self.location(input.function, input.span, end)?;
                Some((input.step, function_return(location, format!("\\result == {value}"))))
            }
        }
    }

    /// The variable that is defined nowhere and starts with an input.
    fn undefined_variable(&self, input: &InputRecord) -> Option<VariableId> {
        let name = input.origin.strip_prefix("the external variable ")?;
        let mut variables = self.program.variables.iter();
        variables
            .find(|(_, variable)| variable.kind == VariableKind::External && variable.name == name)
            .map(|(id, _)| id)
    }

    fn location(&self, function: FunctionId, span: Span, at: u32) -> Option<Location> {
        let function = &self.program.functions[function].name;
        Some(location(self.program, span.file()?, at, Some(function)))
    }

    fn target(&self, span: Span) -> Option<Waypoint> {
        let function = self.replay.execution.stack.first().map(|entry| entry.function.as_str());
        let location = location(self.program, span.file()?, span.start(), function);
        Some(Waypoint { action: Action::Follow, kind: WaypointKind::Target, location, constraint: None })
    }
}

fn assumption(location: Location, constraint: String) -> Waypoint {
    let constraint = Some(constraint);
    Waypoint { action: Action::Follow, kind: WaypointKind::Assumption, location, constraint }
}

fn function_return(location: Location, constraint: String) -> Waypoint {
    let constraint = Some(constraint);
    Waypoint { action: Action::Follow, kind: WaypointKind::FunctionReturn, location, constraint }
}
