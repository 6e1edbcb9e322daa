//! Replays: executions that are led along a trace, a witness or a list of inputs, and recorded.

use rorqual_cfa::{ErrorKind, Program, VariableId};
use rorqual_evidence::{Trace, TraceEvent, Violation};
use rorqual_interpreter::{
    CellBits, Companions, Config, Execution, GivenInput, Guide, InputRequest, Inputs, OutOfStep, Outcome,
    Recording, Transcript, Uninitialized, run_with,
};
use rorqual_logic::Bits;
use rorqual_source::Span;

use crate::constraints::{Constraint, Strategy, WitnessGuide};

/// An execution with the story of how it came to its end.
#[derive(Debug, Clone)]
pub struct Replay {
    /// How it ended, and the inputs it took. They replay with `Inputs::List` and `Uninitialized::Input`.
    pub execution: Execution,
    /// Its last steps.
    pub recording: Recording,
}

impl Replay {
    /// The violation of the program's specification that the execution ends in.
    pub fn violation(&self) -> Option<(&ErrorKind, Span)> {
        match &self.execution.outcome {
            Outcome::Violation { kind, span } => Some((kind, *span)),
            _ => None,
        }
    }
}

/// Runs the program with the values of a trace. Limits and checks are those of `config`; its inputs
/// and its meaning of uninitialised variables are not used.
pub fn replay_trace(program: &Program, trace: &Trace, config: &Config) -> Replay {
    replay(program, config, Some(&mut TraceGuide { events: &trace.events, outside: &trace.outside }))
}

/// Runs the program along a violation, however it was found.
pub fn replay_found(program: &Program, violation: &Violation, config: &Config) -> Replay {
    match violation {
        Violation::Trace(trace) => replay_trace(program, trace, config),
        Violation::Inputs(inputs) => replay_inputs(program, inputs.clone(), config),
    }
}

/// Runs the program with a list of inputs. Uninitialised variables take inputs too.
pub fn replay_inputs(program: &Program, inputs: Vec<GivenInput>, config: &Config) -> Replay {
    let config = Config { inputs: Inputs::List(inputs), ..config.clone() };
    replay(program, &config, None)
}

/// Runs the program with the values that a witness constrains, reading their places first strictly and then
/// ever more leniently, until the violation that is meant is reached. If none is, the first attempt is returned that
/// ended in another violation, or else the last one.
pub(crate) fn replay_constraints(
    program: &Program,
    constraints: &[Constraint],
    config: &Config,
    is_meant: &dyn Fn(&Replay) -> bool,
) -> Replay {
    let attempt = |strategy| {
        let mut guide = WitnessGuide::new(program, constraints, strategy);
        replay(program, config, Some(&mut guide))
    };
    let [first, further @ ..] = Strategy::ALL;
    let mut result = attempt(first);
    for strategy in further {
        if is_meant(&result) || matches!(result.execution.outcome, Outcome::Cancelled { .. }) {
            break;
        }
        let next = attempt(strategy);
        if result.violation().is_none() || is_meant(&next) {
            result = next;
        }
    }
    result
}

fn replay(program: &Program, config: &Config, guide: Option<&mut dyn Guide>) -> Replay {
    let config = Config { uninitialized: Uninitialized::Input, ..config.clone() };
    let mut recording = Recording::default();
    let mut console = Transcript::default();
    // Borrowed anew, because a guide lives longer than what is made here.
    let guide: Option<&mut dyn Guide> = match guide {
        Some(guide) => Some(&mut *guide),
        None => None,
    };
    let companions = Companions { guide, recording: Some(&mut recording), ..Companions::default() };
    let execution = run_with(program, &config, &mut console, companions);
    Replay { execution, recording }
}

/// Gives the values of a trace, in the order of its events.
struct TraceGuide<'a> {
    /// Those that are left.
    events: &'a [TraceEvent],
    outside: &'a [(u64, rorqual_evidence::CellValue)],
}

impl TraceGuide<'_> {
    /// The next input and the events behind it. Variables that are declared before it on the trace, but not in
    /// this execution, are passed over.
    fn next_input(&self) -> Option<(&[Bits], Span, usize)> {
        self.events.iter().enumerate().find_map(|(at, event)| match event {
            TraceEvent::Input { values, span } => Some((values.as_slice(), *span, at + 1)),
            TraceEvent::Declared { .. } | TraceEvent::Allocated { .. } => None,
        })
    }
}

fn cell_bits(cell: &rorqual_evidence::CellValue) -> CellBits {
    CellBits { bit_offset: cell.bit_offset, width: cell.value.width(), bits: number(&cell.value) }
}

impl Guide for TraceGuide<'_> {
    fn required(&mut self, request: &InputRequest<'_>) -> Result<Vec<u128>, OutOfStep> {
        let Some((values, span, passed)) = self.next_input() else { return Ok(Vec::new()) };
        // Code that nobody wrote has no span to compare.
        if span != request.span && span != Span::NONE {
            return Err(OutOfStep { expected: span });
        }
        let values = values.iter().map(number).collect();
        self.events = &self.events[passed..];
        Ok(values)
    }

    fn offered(&mut self, request: &InputRequest<'_>) -> Vec<u128> {
        match self.next_input() {
            Some((values, span, passed)) if span == request.span => {
                let values = values.iter().map(number).collect();
                self.events = &self.events[passed..];
                values
            }
            _ => Vec::new(),
        }
    }

    fn declared(&mut self, variable: VariableId) -> Vec<CellBits> {
        let ahead = self.events.iter().enumerate();
        let declared = ahead.map_while(|(at, event)| match event {
            TraceEvent::Declared { variable, cells } => Some((at, *variable, cells)),
            TraceEvent::Input { .. } | TraceEvent::Allocated { .. } => None,
        });
        let found = declared.into_iter().find(|(_, declared, _)| *declared == variable);
        let Some((at, _, cells)) = found else { return Vec::new() };
        let cells = cells.iter().map(cell_bits).collect();
        self.events = &self.events[at + 1..];
        cells
    }

    fn allocated(&mut self, span: Span) -> Vec<CellBits> {
        let mut ahead = self
            .events
            .iter()
            .enumerate()
            .take_while(|(_, event)| !matches!(event, TraceEvent::Input { .. }));
        let found = ahead.find_map(|(at, event)| match event {
            TraceEvent::Allocated { cells, span: own } if *own == span => Some((at, cells)),
            _ => None,
        });
        let Some((at, cells)) = found else { return Vec::new() };
        let cells = cells.iter().map(cell_bits).collect();
        self.events = &self.events[at + 1..];
        cells
    }

    fn given(&mut self, number: u64) -> Vec<CellBits> {
        let inside = self.outside.iter().filter(|(address, _)| *address >= number);
        let moved = inside.filter_map(|(address, cell)| {
            let by = (address - number).checked_mul(8)?;
            Some(CellBits { bit_offset: cell.bit_offset.checked_add(by)?, ..cell_bits(cell) })
        });
        moved.collect()
    }

    fn unset(&mut self, _: &str, _: Span) -> Option<u128> {
        None
    }
}

/// The bits as a number; no scalar of C has more than 128.
fn number(bits: &Bits) -> u128 {
    u128::try_from(bits.unsigned().clone()).unwrap_or(0)
}
