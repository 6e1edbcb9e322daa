//! From a model to a trace: blocks are executed with the values that the model gives to what comes from outside.

use std::collections::HashMap;

use rorqual_engine::{CellValue, Trace, TraceEvent};
use rorqual_logic::{Assignment, Bits, Evaluator, Op, SymbolId, Term, Value};
use rorqual_source::Span;

use crate::Encoding;
use crate::block::{Block, Exit, Target};
use crate::cells::{Cell, CellId, Elements};
use crate::context::Point;
use crate::path::Path;
use crate::translate::Taken;

/// The values of all cells that were written, and the model.
struct Machine<'m> {
    model: &'m Assignment,
    cells: HashMap<CellId, Value>,
}

/// The execution that a model describes, up to the violation or obstacle. `model` has the symbols of the program's
/// cells at its start and those of each block at its position, as [`Path`] names them.
pub fn trace(encoding: &mut Encoding<'_>, model: &Assignment) -> Option<Trace> {
    let mut machine = Machine { model, cells: HashMap::new() };
    let mut trace = Trace { events: Vec::new(), error: Span::NONE, approximations: Vec::new() };
    let mut point = encoding.start();
    for position in 0.. {
        let block = encoding.block(point);
        let values = machine.assignment(encoding, &block, position);
        collect(encoding, &block, &values, &mut trace);
        let exit = block.exits.iter().find(|exit| Evaluator::new(&encoding.pool, &values).holds(exit.guard))?;
        match machine.leave(encoding, exit, &values) {
            Some(next) => point = next,
            None => return Some(trace),
        }
    }
    None
}

impl Machine<'_> {
    /// The values of all symbols that a block mentions.
    fn assignment(&self, encoding: &mut Encoding<'_>, block: &Block, position: usize) -> Assignment {
        let mut roots: Vec<Term> = block.steps.iter().map(|step| step.guard).collect();
        for step in &block.steps {
            roots.extend(step.taken.iter().flat_map(|taken| match taken {
                Taken::Input(inputs) => inputs.clone(),
                Taken::Declared(_, values) => values.iter().map(|&(_, value)| value).collect(),
            }));
        }
        for exit in &block.exits {
            roots.push(exit.guard);
            roots.extend(exit.updates.iter().map(|&(_, value)| value));
        }
        let mut values = Assignment::new();
        for root in encoding.pool.subterms(&roots) {
            if let Op::Symbol(symbol) = *encoding.pool.op(root) {
                values.set(symbol, self.value(encoding, root, symbol, position));
            }
        }
        values
    }

    fn value(&self, encoding: &mut Encoding<'_>, symbol: Term, id: SymbolId, position: usize) -> Value {
        let sort = encoding.pool.sort(symbol);
        let known = match encoding.cells.of_symbol(id) {
            Some(cell) => self.cells.get(&cell).or_else(|| self.model.get(id)),
            None => {
                let own = Path::own_symbol(encoding, symbol, position);
                match *encoding.pool.op(own) {
                    Op::Symbol(own) => self.model.get(own),
                    _ => None,
                }
            }
        };
        known.cloned().unwrap_or_else(|| Value::default_of(sort))
    }

    /// Takes an exit; the next point, if there is one.
    fn leave(&mut self, encoding: &Encoding<'_>, exit: &Exit, values: &Assignment) -> Option<Point> {
        let mut evaluator = Evaluator::new(&encoding.pool, values);
        let new: Vec<(CellId, Value)> =
            exit.updates.iter().map(|&(cell, term)| (cell, evaluator.value(term).clone())).collect();
        self.cells.extend(new);
        match exit.target {
            Target::Point(point) => Some(point),
            Target::Error | Target::Unsupported(_) => None,
        }
    }
}

/// Notes what the edges of a block that are taken take from outside.
fn collect(encoding: &Encoding<'_>, block: &Block, values: &Assignment, trace: &mut Trace) {
    let mut evaluator = Evaluator::new(&encoding.pool, values);
    for step in &block.steps {
        if !evaluator.holds(step.guard) {
            continue;
        }
        for taken in &step.taken {
            let event = event(encoding, taken, &mut evaluator, step.span);
            trace.events.push(event);
        }
        trace.approximations.extend(step.approximations.iter().map(|what| (what.clone(), step.span)));
        if step.error.is_some() {
            trace.error = step.span;
        }
    }
}

fn event(encoding: &Encoding<'_>, taken: &Taken, evaluator: &mut Evaluator<'_>, span: Span) -> TraceEvent {
    match taken {
        Taken::Input(inputs) => {
            let values = inputs.iter().map(|&input| evaluator.value(input).bits().clone()).collect();
            TraceEvent::Input { values, span }
        }
        Taken::Declared(variable, declared) => {
            let mut cells = Vec::new();
            for &(cell, value) in declared {
                add_cell_values(encoding.cells.get(cell), evaluator.value(value), &mut cells);
            }
            TraceEvent::Declared { variable: *variable, cells }
        }
    }
}

/// Arrays with more elements are left at any value: nobody initialises that much by chance and needs it.
const LARGEST_ARRAY: u64 = 1 << 16;

fn add_cell_values(cell: &Cell, value: &Value, cells: &mut Vec<CellValue>) {
    match (value, cell.elements) {
        (Value::Bits(value), Elements::One) => {
            cells.push(CellValue { bit_offset: cell.bit_offset, value: value.clone() });
        }
        (Value::Array(array), Elements::Many { count, stride }) if count <= LARGEST_ARRAY => {
            for at in 0..count {
                let value = array.get(&Bits::new(at, array.index_width())).clone();
                cells.push(CellValue { bit_offset: cell.bit_offset + at * stride, value });
            }
        }
        _ => {}
    }
}
