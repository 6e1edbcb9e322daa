//! Violation sequences: the inputs of an execution as waypoints.

use rorqual_cfa::{Operation, PlaceKind, Program, VariableId, VariableKind};
use rorqual_interpreter::{Config, InputRecord, Outcome, RecordedStep};
use rorqual_source::Span;

use crate::cells;
use crate::constraints::constraints;
use crate::literals;
use crate::model::{Action, Location, Segment, Waypoint, WaypointKind};
use crate::places::{behind_declaration, call_end, location};
use crate::replay::{Replay, replay_constraints};

/// The waypoints of an execution: the results of calls that are inputs, the values of uninitialised variables behind
/// their declarations, of variables that are defined nowhere, and of other memory where it is read first, and the
/// violation. Inputs that the format has no waypoint for are left out: aggregates, infinities, and parameters of the
/// entry function. So are those before the first step that was recorded. Empty unless the execution ends in a violation
/// or in undefined behaviour.
pub fn violation_sequence(program: &Program, replay: &Replay) -> Vec<Segment> {
    let span = match &replay.execution.outcome {
        Outcome::Violation { span, .. } | Outcome::Undefined { span, .. } => *span,
        _ => return Vec::new(),
    };
    let sequence = Sequence { program, replay };
    let inputs = &replay.execution.inputs;
    let mut waypoints: Vec<(usize, Waypoint)> =
        inputs.iter().filter_map(|input| sequence.input(input)).collect();
    // Stable: waypoints of one step stay in the order of their inputs.
    waypoints.sort_by_key(|(step, _)| *step);
    let target = sequence.target(span).into_iter();
    let all = waypoints.into_iter().map(|(_, waypoint)| waypoint).chain(target);
    all.map(|waypoint| Segment(vec![waypoint])).collect()
}

/// Runs the program along a violation sequence, which may come from another tool.
pub fn replay_violation(program: &Program, segments: &[Segment], config: &Config) -> Replay {
    replay_constraints(program, &constraints(segments), config)
}

struct Sequence<'a> {
    program: &'a Program,
    replay: &'a Replay,
}

impl Sequence<'_> {
    /// The waypoint of an input, and the step that it belongs to.
    fn input(&self, input: &InputRecord) -> Option<(usize, Waypoint)> {
        let value = literals::input(input.value, &input.ty)?;
        let recording = &self.replay.recording;
        let step = input.step.checked_sub(recording.dropped_steps() + 1)? as usize;
        match input.cell {
            Some(cell) => {
                let lvalue = cells::lvalue(self.program, cell.variable, cell.bit_offset)?;
                let declared = self.declaration(step, cell.variable)?;
                let span = self.program.variables[cell.variable].span;
                let at = behind_declaration(self.program, span)?;
                let location = self.location(&recording.steps()[declared], span, at)?;
                Some((declared, assumption(location, format!("{lvalue} == {value}"))))
            }
            None if input.origin.starts_with("uninitialized `") => {
                let lvalue = input.origin.trim_start_matches("uninitialized ").trim_matches('`');
                // Places with temporary variables have no name in C.
                let is_named = !lvalue.contains('#');
                let location = self.location(&recording.steps()[step], input.span, input.span.start());
                Some((step, assumption(location.filter(|_| is_named)?, format!("{lvalue} == {value}"))))
            }
            None => {
                let together = self.replay.execution.inputs.iter().filter(|other| other.step == input.step);
                let is_scalar = together.filter(|other| other.cell.is_none()).count() == 1;
                if let Some(variable) = self.undefined_variable(step).filter(|_| is_scalar) {
                    let details = &self.program.variables[variable];
                    let at = location(self.program, details.span.file()?, details.span.start(), None);
                    let name = cells::source_name(self.program, variable);
                    return Some((step, assumption(at, format!("{name} == {value}"))));
                }
                let end = call_end(self.program, input.span, &input.origin).filter(|_| is_scalar)?;
                let location = self.location(&recording.steps()[step], input.span, end)?;
                Some((step, function_return(location, format!("\\result == {value}"))))
            }
        }
    }

    /// The variable that is defined nowhere and gets its value in a step.
    fn undefined_variable(&self, step: usize) -> Option<VariableId> {
        let step = &self.replay.recording.steps()[step];
        let body = self.program.functions[step.function].body.as_ref()?;
        let Operation::Havoc { target, .. } = &body.edges()[step.edge].operation else { return None };
        match self.program.places[*target].kind {
            PlaceKind::Variable(variable) => {
                Some(variable).filter(|&id| self.program.variables[id].kind == VariableKind::External)
            }
            _ => None,
        }
    }

    /// The step that declared a variable which the given step reads.
    fn declaration(&self, step: usize, variable: VariableId) -> Option<usize> {
        let steps = &self.replay.recording.steps()[..=step];
        steps.iter().rposition(|step| {
            let body = self.program.functions[step.function].body.as_ref();
            let edge = body.map(|body| &body.edges()[step.edge]);
            edge.is_some_and(|edge| edge.operation == Operation::Declare(variable))
        })
    }

    fn location(&self, step: &RecordedStep, span: Span, at: u32) -> Option<Location> {
        let function = &self.program.functions[step.function].name;
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
