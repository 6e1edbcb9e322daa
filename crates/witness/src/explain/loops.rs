//! Steps grouped by the outermost loop that they are taken in.

use std::collections::HashMap;
use std::ops::Range;

use rorqual_cfa::{Automaton, FunctionId, LocationId, Operation, Program};
use rorqual_interpreter::RecordedStep;
use rorqual_source::Span;

/// A step on its own, or all steps of a loop that was entered more than once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Group {
    Step(usize),
    Loop { span: Span, steps: Range<usize>, entered: u64 },
}

/// The groups in the order of the steps. Functions that a loop calls belong to the loop.
pub(super) fn groups(program: &Program, steps: &[RecordedStep]) -> Vec<Group> {
    let mut loops: HashMap<FunctionId, Vec<(LocationId, Span)>> = HashMap::new();
    let mut groups = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        let step = &steps[at];
        let Some(body) = &program.functions[step.function].body else {
            at += 1;
            continue;
        };
        let known = loops.entry(step.function).or_insert_with(|| loops_of(body));
        let span = body.edges()[step.edge].span;
        let around = known.iter().filter(|(_, statement)| contains(*statement, span));
        let outermost = around.max_by_key(|(_, statement)| statement.end() - statement.start()).copied();
        match outermost {
            None => {
                groups.push(Group::Step(at));
                at += 1;
            }
            Some((head, statement)) => {
                let end = loop_end(steps, at, body, statement);
                let entered = entries(&steps[at..end], end == steps.len(), body, head);
                if entered > 1 {
                    groups.push(Group::Loop { span: statement, steps: at..end, entered });
                } else {
                    groups.extend((at..end).map(Group::Step));
                }
                at = end;
            }
        }
    }
    groups
}

fn loops_of(body: &Automaton) -> Vec<(LocationId, Span)> {
    let locations = body.locations().iter();
    locations
        .flat_map(|(id, location)| location.loop_statements.iter().map(move |&span| (id, span)))
        .collect()
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.file().is_some()
        && outer.file() == inner.file()
        && outer.start() <= inner.start()
        && inner.end() <= outer.end()
}

/// The first step behind the loop that the step at `start` is in.
fn loop_end(steps: &[RecordedStep], start: usize, body: &Automaton, statement: Span) -> usize {
    let first = &steps[start];
    let inside = |step: &RecordedStep| {
        step.depth > first.depth
            || (step.frame == first.frame && contains(statement, body.edges()[step.edge].span))
    };
    start + steps[start..].iter().take_while(|step| inside(step)).count()
}

/// How many times the body of a loop was entered. An arrival at the head enters it unless the condition is
/// false: then nothing but tests follows until the loop is left.
fn entries(steps: &[RecordedStep], is_cut: bool, body: &Automaton, head: LocationId) -> u64 {
    let frame = steps[0].frame;
    let own = steps.iter().filter(|step| step.frame == frame).map(|step| &body.edges()[step.edge]);
    let (mut arrivals, mut works) = (0, false);
    for edge in own {
        if edge.source == head {
            (arrivals, works) = (arrivals + 1, false);
        }
        works |=
            !matches!(edge.operation, Operation::Assume { .. } | Operation::Skip | Operation::Declare(_));
    }
    let tests_first =
        body.outgoing(head).any(|edge| matches!(body.edges()[edge].operation, Operation::Assume { .. }));
    let last_counts = is_cut || works || !tests_first;
    if last_counts { arrivals } else { u64::saturating_sub(arrivals, 1) }
}
