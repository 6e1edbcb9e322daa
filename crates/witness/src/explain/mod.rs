//! The story of an execution for people: where it starts to go wrong, with which values, and how it ends.
//!
//! Only steps that matter for the end are told ([`slice`]), and loops are told as one step with the values that
//! they leave behind.

mod control;
mod loops;
mod slice;

use std::collections::HashMap;
use std::fmt::Write;

use rorqual_cfa::{Callee, Edge, ErrorKind, Operation, PlaceId, PlaceKind, Printer, Program, VariableKind};
use rorqual_interpreter::{Access, InputRecord, InputValue, Outcome, RecordedStep, Touch};
use rorqual_source::Span;

use crate::cells;
use crate::places::call_text;
use crate::replay::Replay;
use loops::{Group, groups};

/// One line of a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryLine {
    /// The place it speaks of; [`Span::NONE`] where lines are left out.
    pub span: Span,
    /// What happens: lower case, no full stop.
    pub text: String,
}

/// Longer stories are shortened in the middle.
const LONGEST: usize = 30;
/// How many lines of a shortened story come before the gap.
const BEFORE_GAP: usize = 10;
/// How many values a loop is told with.
const LOOP_VALUES: usize = 5;
/// How many values one line is told with: the first ones and the last ones.
const LINE_VALUES: (usize, usize) = (4, 4);
/// How many places are told that lost memory comes from.
const LOST: usize = 3;
/// Longer pieces of source text are not quoted.
const QUOTED: usize = 60;

/// The story of an execution.
pub fn explain(program: &Program, replay: &Replay) -> Vec<StoryLine> {
    let teller = Teller::new(program, replay);
    let mut lines: Vec<StoryLine> = merged(program, teller.lines()).into_iter().map(Told::line).collect();
    lines.extend(teller.lost());
    lines.extend(teller.ending());
    shortened(lines)
}

/// The story as numbered lines, `  1. file.c:12  n = 4 (input)`.
pub fn story_text(program: &Program, lines: &[StoryLine]) -> String {
    let place = |line: &StoryLine| {
        let position = program.sources.position(line.span);
        if line.span == Span::NONE { String::new() } else { format!("{}:{}", position.file, position.line) }
    };
    let places: Vec<String> = lines.iter().map(place).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
    let digits = lines.len().to_string().len();
    let mut out = String::new();
    for (number, (line, place)) in lines.iter().zip(&places).enumerate() {
        let _ = writeln!(out, "  {:>digits$}. {place:<width$}  {}", number + 1, line.text);
    }
    out
}

/// What is told of steps, before it is put into lines.
enum Told {
    /// Values that steps of one line gave, as `x = 3`.
    Values(Span, Vec<String>),
    Other(StoryLine),
}

impl Told {
    /// Many values are told by the first and the last ones.
    fn line(self) -> StoryLine {
        let (span, values) = match self {
            Told::Values(span, values) => (span, values),
            Told::Other(line) => return line,
        };
        let (first, last) = LINE_VALUES;
        let text = match values.len().checked_sub(first + last) {
            None | Some(0 | 1) => values.join(", "),
            Some(hidden) => {
                let (start, end) = (&values[..first], &values[first + hidden..]);
                format!("{}, … {hidden} more values, {}", start.join(", "), end.join(", "))
            }
        };
        StoryLine { span, text }
    }
}

struct Teller<'a> {
    program: &'a Program,
    replay: &'a Replay,
    matters: Vec<bool>,
    /// The inputs by the position of the step that took them.
    inputs: HashMap<usize, Vec<&'a InputRecord>>,
    /// For each step, the call that its function was entered with.
    callers: Vec<Option<usize>>,
    /// For each step, the least number of functions that are active behind it.
    least_depths: Vec<usize>,
}

impl<'a> Teller<'a> {
    fn new(program: &'a Program, replay: &'a Replay) -> Teller<'a> {
        let mut inputs: HashMap<usize, Vec<&InputRecord>> = HashMap::new();
        for input in &replay.execution.inputs {
            if let Some(step) = input.step.checked_sub(replay.recording.dropped_steps() + 1) {
                inputs.entry(step as usize).or_default().push(input);
            }
        }
        let steps = replay.recording.steps();
        Teller {
            program,
            replay,
            matters: slice::slice(program, &replay.recording),
            inputs,
            callers: callers(steps),
            least_depths: least_depths(steps),
        }
    }

    fn steps(&self) -> &'a [RecordedStep] {
        self.replay.recording.steps()
    }

    fn edge(&self, step: &RecordedStep) -> Option<&'a Edge> {
        let body = self.program.functions[step.function].body.as_ref()?;
        Some(&body.edges()[step.edge])
    }

    fn lines(&self) -> Vec<Told> {
        let mut lines: Vec<Told> = self.untold().map(Told::Other).into_iter().collect();
        for group in groups(self.program, self.steps()) {
            match group {
                Group::Step(at) if self.matters[at] => lines.extend(self.step(at)),
                Group::Step(_) => {}
                Group::Loop { span, steps, entered } => {
                    lines.extend(self.told_loop(span, steps, entered).into_iter().map(Told::Other));
                }
            }
        }
        lines
    }

    /// What is said of the steps that nobody remembers.
    fn untold(&self) -> Option<StoryLine> {
        let dropped = self.replay.recording.dropped_steps();
        let inputs = self.replay.execution.inputs.iter().filter(|input| input.step <= dropped).count();
        let taking = match inputs {
            0 => String::new(),
            1 => " with one input".to_owned(),
            _ => format!(" with {inputs} inputs"),
        };
        let text = format!("… the first {dropped} steps{taking}");
        (dropped > 0).then_some(StoryLine { span: Span::NONE, text })
    }

    /// A loop as one line, if something in it matters. The calls that are still active are told on their own.
    fn told_loop(&self, span: Span, steps: std::ops::Range<usize>, entered: u64) -> Vec<StoryLine> {
        let mut values: Vec<(String, String)> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut lines = Vec::new();
        let start = steps.start;
        for at in steps {
            for (_, name, value) in self.facts(at) {
                // A variable that matters is told with the value it has at the end.
                if let Some(&known) = known.get(&name) {
                    values[known].1 = value;
                } else if self.matters[at] {
                    known.insert(name.clone(), values.len());
                    values.push((name, value));
                }
            }
            lines.extend(self.active_call(at).filter(|_| self.matters[at]));
        }
        if values.is_empty() {
            return lines;
        }
        let shown = values[values.len().saturating_sub(LOOP_VALUES)..].iter();
        let shown: Vec<String> = shown.map(|(name, value)| format!("{name} = {value}")).collect();
        let times = if entered == 1 { "once".to_owned() } else { format!("{entered} times") };
        // It may have begun before the first step that is remembered.
        let least = if start == 0 && self.replay.recording.dropped_steps() > 0 { "at least " } else { "" };
        lines.insert(
            0,
            StoryLine { span, text: format!("loop entered {least}{times}, {}", shown.join(", ")) },
        );
        lines
    }

    fn step(&self, at: usize) -> Vec<Told> {
        let facts = self.facts(at).into_iter();
        let values = facts.map(|(span, name, value)| Told::Values(span, vec![format!("{name} = {value}")]));
        values.chain(self.active_call(at).map(Told::Other)).collect()
    }

    /// What the step gave values to, for people: places, names and values.
    fn facts(&self, at: usize) -> Vec<(Span, String, String)> {
        let step = &self.steps()[at];
        let Some(edge) = self.edge(step) else { return Vec::new() };
        let inputs = self.inputs.get(&at).map_or(&[][..], Vec::as_slice);
        let unset = inputs.iter().filter_map(|input| {
            let cell = input.cell?;
            let name = cells::lvalue(self.program, cell.variable, cell.bit_offset)?;
            Some((edge.span, name, format!("{} (uninitialised)", shown(input.value)?)))
        });
        let mut facts: Vec<_> = unset.collect();
        let written = self.replay.recording.touches(step).iter().rev();
        let written =
            written.filter(|touch| touch.access == Access::Write).find_map(|touch: &Touch| touch.value);
        let is_input = inputs.iter().any(|input| input.cell.is_none());
        let target = match &edge.operation {
            Operation::Assign { target, .. } | Operation::Havoc { target, .. } => Some(*target),
            Operation::Call { target, callee: Callee::Function(callee), .. }
                if self.program.functions[*callee].body.is_none() =>
            {
                *target
            }
            Operation::Return { .. } => self.result_place(at),
            _ => None,
        };
        if let Some((target, value)) = target.zip(written.and_then(shown)) {
            let value = if is_input { format!("{value} (input)") } else { value };
            facts.extend(self.name(target, is_input).map(|name| (edge.span, name, value)));
        }
        facts
    }

    /// Where the result of a function goes that the step returns from.
    fn result_place(&self, at: usize) -> Option<PlaceId> {
        let call = &self.steps()[self.callers[at]?];
        match self.edge(call)?.operation {
            Operation::Call { target, .. } => target,
            _ => None,
        }
    }

    /// The name of a place. Temporaries have one only if they hold an input: the call that gave it.
    fn name(&self, place: PlaceId, is_input: bool) -> Option<String> {
        let program = self.program;
        let span = program.place_spans[place];
        match program.places[place].kind {
            PlaceKind::Variable(variable) if program.variables[variable].kind == VariableKind::Temporary => {
                let source = program.sources.text(program.variables[variable].span);
                (is_input && is_quotable(source)).then(|| source.to_owned())
            }
            PlaceKind::Variable(variable) => Some(cells::source_name(program, variable).to_owned()),
            _ => {
                let source = program.sources.text(span);
                let is_named = is_quotable(source) && self.denotes(source, place);
                Some(if is_named { source.to_owned() } else { Printer::new(program).place(place) })
            }
        }
    }

    /// Whether a text looks like the place: that of an initialiser in braces is its value.
    fn denotes(&self, source: &str, place: PlaceId) -> bool {
        match self.program.places[place].kind {
            PlaceKind::Member { base, field } => {
                let record = self.program.types.as_record(self.program.places[base].ty);
                let field = record.map(|record| &self.program.types.record(record).fields[field as usize]);
                let name = field.and_then(|field| field.name.as_deref()).unwrap_or("");
                source.strip_suffix(name).is_some_and(|base| base.ends_with(['.', '>']))
            }
            PlaceKind::Element { .. } => source.ends_with(']'),
            PlaceKind::Deref(_) => source.starts_with('*') || source.ends_with(']'),
            PlaceKind::Variable(_) | PlaceKind::Text(_) => true,
        }
    }

    /// The call of a function that has not returned, with the values of its parameters.
    fn active_call(&self, at: usize) -> Option<StoryLine> {
        let step = &self.steps()[at];
        let next = self.steps().get(at + 1).filter(|next| next.depth > step.depth)?;
        if self.least_depths[at] <= step.depth || step.depth <= 1 {
            return None;
        }
        let edge = self.edge(step)?;
        let function = &self.program.functions[next.function];
        let source = self.program.sources.text(edge.span);
        let call = if is_quotable(source) { source.to_owned() } else { format!("{}(…)", function.name) };
        let written =
            self.replay.recording.touches(step).iter().filter(|touch| touch.access == Access::Write);
        let values = written.map(|touch| touch.value.and_then(shown));
        let named = function.parameters.iter().zip(values).filter_map(|(&parameter, value)| {
            Some(format!("{} = {}", cells::source_name(self.program, parameter), value?))
        });
        let values: Vec<String> = named.collect();
        let with = if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
        Some(StoryLine { span: edge.span, text: format!("{call} is called{with}") })
    }

    /// Where the memory comes from that nothing points to at the end.
    fn lost(&self) -> Vec<StoryLine> {
        let lost = self.replay.recording.lost().iter();
        let edges = lost.filter_map(|&(function, edge)| {
            Some(&self.program.functions[function].body.as_ref()?.edges()[edge])
        });
        let told = edges.map(|edge| {
            let source = call_text(self.program, edge.span).filter(|source| is_quotable(source));
            let maker = source.map_or_else(|| "this".to_owned(), |source| format!("`{source}`"));
            StoryLine { span: edge.span, text: format!("nothing points at the end to memory from {maker}") }
        });
        told.take(LOST).collect()
    }

    fn ending(&self) -> Option<StoryLine> {
        let sources = &self.program.sources;
        let (span, text) = match &self.replay.execution.outcome {
            Outcome::Violation { kind: ErrorKind::Assertion, span } => {
                let source = call_text(self.program, *span).unwrap_or_else(|| sources.text(*span));
                let is_written = source.starts_with("assert") && is_quotable(source);
                (
                    *span,
                    if is_written {
                        format!("{source} is false")
                    } else {
                        "the assertion is false".to_owned()
                    },
                )
            }
            Outcome::Violation { kind: ErrorKind::Call { function }, span } => {
                (*span, format!("{function}() is called"))
            }
            Outcome::Violation { kind: ErrorKind::Check { what, .. }, span } => (*span, what.clone()),
            Outcome::Undefined { kind, span } => (*span, kind.to_string()),
            _ => return None,
        };
        Some(StoryLine { span, text })
    }
}

/// For each step, the one before it that called the function it belongs to.
fn callers(steps: &[RecordedStep]) -> Vec<Option<usize>> {
    // The last step of each active function.
    let mut active: Vec<usize> = Vec::new();
    let mut callers = Vec::with_capacity(steps.len());
    for (at, step) in steps.iter().enumerate() {
        while active.last().is_some_and(|&last| steps[last].depth >= step.depth) {
            active.pop();
        }
        callers.push(active.last().copied());
        active.push(at);
    }
    callers
}

/// For each step, the least depth of those behind it; of the last one there is none.
fn least_depths(steps: &[RecordedStep]) -> Vec<usize> {
    let mut depths = vec![usize::MAX; steps.len()];
    for at in (1..steps.len()).rev() {
        depths[at - 1] = depths[at].min(steps[at].depth);
    }
    depths
}

fn is_quotable(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= QUOTED && !text.contains('\n')
}

/// A value for people. The addresses of objects mean nothing to them.
fn shown(value: InputValue) -> Option<String> {
    match value {
        InputValue::Address(0) => Some("NULL".to_owned()),
        InputValue::Address(_) => None,
        other => Some(other.to_string()),
    }
}

/// Values that one line of the program gives are told in one line, equal ones in a row once.
fn merged(program: &Program, lines: Vec<Told>) -> Vec<Told> {
    let place = |span: Span| (span.file(), program.sources.position(span).line);
    let mut merged: Vec<Told> = Vec::new();
    for line in lines {
        match (merged.last_mut(), line) {
            (Some(Told::Values(last, known)), Told::Values(span, values)) if place(*last) == place(span) => {
                if known.last() != values.last() {
                    known.extend(values);
                }
            }
            (_, line) => merged.push(line),
        }
    }
    merged
}

fn shortened(mut lines: Vec<StoryLine>) -> Vec<StoryLine> {
    if lines.len() > LONGEST {
        let hidden = lines.len() - LONGEST + 1;
        let gap = StoryLine { span: Span::NONE, text: format!("… {hidden} more steps") };
        lines.splice(BEFORE_GAP..BEFORE_GAP + hidden, [gap]);
    }
    lines
}
