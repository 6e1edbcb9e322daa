//! What an execution takes from outside, and its values in a model.

use rorqual_cfa::VariableId;
use rorqual_evidence::{CellValue, Trace, TraceEvent};
use rorqual_logic::{Assignment, Bits, Evaluator, Term};
use rorqual_source::Span;

use crate::executor::{Executor, Failure, Outcome};
use crate::object::ObjectId;

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
                events.extend(self.event(event, &mut evaluator));
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

    fn event(&self, event: &Event, evaluator: &mut Evaluator<'_>) -> Option<TraceEvent> {
        let mut bits = |term: Term| evaluator.value(term).bits().clone();
        Some(match event {
            Event::Input { values, span } => {
                TraceEvent::Input { values: values.iter().map(|&value| bits(value)).collect(), span: *span }
            }
            Event::DeclaredScalar { variable, value } => {
                let cells = vec![CellValue { bit_offset: 0, value: bits(*value) }];
                TraceEvent::Declared { variable: *variable, cells }
            }
            Event::DeclaredObject { variable, object, epoch } => TraceEvent::Declared {
                variable: *variable,
                cells: self.unset_values(*object, *epoch, &mut bits),
            },
            Event::Allocated { object, span } => {
                TraceEvent::Allocated { cells: self.unset_values(*object, 0, &mut bits), span: *span }
            }
        })
    }

    /// The bytes of an object that were read before they were written.
    fn unset_values(
        &self,
        object: ObjectId,
        epoch: u32,
        bits: &mut impl FnMut(Term) -> Bits,
    ) -> Vec<CellValue> {
        let own = self.unset_symbols.iter().filter(|((id, own, ..), _)| *id == object && *own == epoch);
        let mut cells: Vec<CellValue> = own
            .filter(|((.., offset, _), _)| *offset != u64::MAX)
            .map(|((.., offset, _), &symbol)| CellValue { bit_offset: offset * 8, value: bits(symbol) })
            .collect();
        cells.sort_by_key(|cell| (cell.bit_offset, cell.value.width()));
        cells
    }
}
