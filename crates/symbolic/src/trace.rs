//! What an execution takes from outside, and its values in a model.

use rorqual_cfa::VariableId;
use rorqual_evidence::{CellValue, Trace, TraceEvent};
use rorqual_logic::{Assignment, Bits, Evaluator, Term, Value};
use rorqual_source::Span;

use crate::executor::{Executor, Failure, Outcome};
use crate::object::ObjectId;

/// So many bytes of large objects get values.
const SHOWN_BYTES: u64 = 1024;

/// Something that an execution takes from outside.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    Input { values: Vec<Term>, span: Span },
    DeclaredScalar { variable: VariableId, value: Term },
    DeclaredObject { variable: VariableId, object: ObjectId, epoch: u32 },
    Allocated { object: ObjectId, span: Span },
}

impl Executor<'_> {
    /// The execution that a model describes.
    pub fn trace(&mut self, outcome: &Outcome, failure: &Failure, model: &Assignment) -> Trace {
        let depends_on_addresses = self.has_base(failure.guard);
        let mut evaluator = Evaluator::new(&self.pool, model);
        let mut events = Vec::new();
        for (guard, event) in &outcome.events {
            if evaluator.holds(*guard) {
                events.push(self.event(event, &mut evaluator));
            }
        }
        let happen = outcome.approximations.iter().filter(|(guard, ..)| evaluator.holds(*guard));
        let mut approximations: Vec<(String, Span)> =
            happen.map(|(_, what, span)| (what.clone(), *span)).collect();
        if depends_on_addresses {
            approximations.push(("where objects lie in memory".to_owned(), failure.span));
        }
        approximations.dedup();
        Trace { events, outside: Vec::new(), error: failure.span, approximations }
    }

    fn event(&self, event: &Event, evaluator: &mut Evaluator<'_>) -> TraceEvent {
        let bits = |evaluator: &mut Evaluator<'_>, term: Term| evaluator.value(term).bits().clone();
        match event {
            Event::Input { values, span } => {
                let values = values.iter().map(|&value| bits(evaluator, value)).collect();
                TraceEvent::Input { values, span: *span }
            }
            Event::DeclaredScalar { variable, value } => {
                let cells = vec![CellValue { bit_offset: 0, value: bits(evaluator, *value) }];
                TraceEvent::Declared { variable: *variable, cells }
            }
            Event::DeclaredObject { variable, object, epoch } => TraceEvent::Declared {
                variable: *variable,
                cells: self.unset_values(*object, *epoch, evaluator),
            },
            Event::Allocated { object, span } => {
                TraceEvent::Allocated { cells: self.unset_values(*object, 0, evaluator), span: *span }
            }
        }
    }

    /// The bytes of an object that were read before they were written.
    fn unset_values(&self, object: ObjectId, epoch: u32, evaluator: &mut Evaluator<'_>) -> Vec<CellValue> {
        let mut cells = Vec::new();
        for (&(id, own, offset, bytes), &symbol) in &self.unset_symbols {
            if id != object || own != epoch {
                continue;
            }
            match evaluator.value(symbol) {
                // The last symbol may have more bytes than the object.
                Value::Bits(value) => cells.extend((0..bytes).map(|at| CellValue {
                    bit_offset: (offset + u64::from(at)) * 8,
                    value: value.extract(at * 8 + 7, at * 8),
                })),
                Value::Array(array) => {
                    for at in 0..SHOWN_BYTES / u64::from(bytes) {
                        let value = array.get(&Bits::new(at, array.index_width())).clone();
                        cells.push(CellValue { bit_offset: at * u64::from(bytes) * 8, value });
                    }
                }
                Value::Bool(_) | Value::Int(_) => {}
            }
        }
        cells.sort_by_key(|cell| (cell.bit_offset, cell.value.width()));
        cells
    }
}
