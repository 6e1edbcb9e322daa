//! From a model to a trace: blocks are executed with the values that the model gives to what comes from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rorqual_cfa::ErrorKind;
use rorqual_evidence::{CellValue, Trace, TraceEvent};
use rorqual_logic::{ArrayValue, Assignment, Bits, Evaluator, Op, Sort, Term, Value};
use rorqual_memory::{ClassId, displacements};
use rorqual_source::Span;

use crate::Encoding;
use crate::block::{Block, Step, Target};
use crate::cells::{Cell, CellId, Elements};
use crate::context::Point;
use crate::path::Path;
use crate::translate::{Obstacle, Taken};

/// Executes blocks one after the other with concrete values.
#[derive(Debug, Clone)]
pub struct Runner {
    point: Point,
    cells: BTreeMap<CellId, Value>,
}

/// The execution that a model describes, up to the violation or obstacle. `model` has the symbols of the program's
/// cells at its start and those of each block at its position, as [`Path`] names them.
pub fn trace(encoding: &mut Encoding<'_>, model: &Assignment) -> Option<Trace> {
    let outside = outside(encoding, model);
    let mut trace = Trace { events: Vec::new(), outside, error: Span::NONE, approximations: Vec::new() };
    let mut runner = Runner::new(encoding);
    for position in 0.. {
        let block = encoding.block(runner.point);
        let values = runner.assignment(encoding, &block, &mut |encoding, symbol, is_cell| {
            let known = if is_cell { symbol } else { Path::own_symbol(encoding, symbol, position) };
            match *encoding.pool.op(known) {
                Op::Symbol(id) => model.get(id).cloned(),
                _ => None,
            }
        });
        collect(encoding, &block, &values, &mut trace);
        match runner.leave(encoding, &block, &values)? {
            Target::Point(_) => {}
            Target::Error | Target::Unsupported(_) => return Some(trace),
        }
    }
    None
}

/// A body of a procedure with values, and what its calls did.
#[derive(Debug)]
pub struct Executed {
    /// The body.
    pub body: Rc<Block>,
    /// The values of its symbols.
    pub values: Assignment,
    /// The calls that were made, by their numbers.
    pub calls: BTreeMap<usize, Executed>,
}

/// Where an execution through procedures ends badly.
#[derive(Debug)]
pub enum Ending {
    /// A violation, and which.
    Violation(Trace, ErrorKind),
    /// Something that is not supported.
    Obstacle(Obstacle),
}

/// The execution that a model describes, from the first procedure on.
pub fn trace_of_calls(encoding: &Encoding<'_>, first: &Executed, model: &Assignment) -> Option<Ending> {
    let outside = outside(encoding, model);
    let mut trace = Trace { events: Vec::new(), outside, error: Span::NONE, approximations: Vec::new() };
    match follow(encoding, first, &mut trace) {
        End::Violation(error) => Some(Ending::Violation(trace, error)),
        End::Obstacle(obstacle) => Some(Ending::Obstacle(obstacle)),
        End::Fine => None,
    }
}

/// How a call ends.
enum End {
    Fine,
    Violation(ErrorKind),
    Obstacle(Obstacle),
}

/// Follows an execution up to its bad end, if it has one.
fn follow(encoding: &Encoding<'_>, executed: &Executed, trace: &mut Trace) -> End {
    let mut evaluator = Evaluator::new(&encoding.pool, &executed.values);
    for step in &executed.body.steps {
        if !evaluator.holds(step.guard) {
            continue;
        }
        note(encoding, step, &mut evaluator, trace);
        if let Some(called) = step.call.and_then(|call| executed.calls.get(&call)) {
            match follow(encoding, called, trace) {
                End::Fine => {}
                bad => return bad,
            }
        }
        if let Some(error) = &step.error {
            return End::Violation(error.clone());
        }
    }
    let mut exits = executed.body.exits.iter();
    let obstacle = exits.find_map(|exit| match &exit.target {
        Target::Unsupported(obstacle) if evaluator.holds(exit.guard) => Some(obstacle.clone()),
        _ => None,
    });
    obstacle.map_or(End::Fine, End::Obstacle)
}

impl Runner {
    /// At the start of the program.
    pub fn new(encoding: &Encoding<'_>) -> Runner {
        Runner { point: encoding.start(), cells: BTreeMap::new() }
    }

    /// At a point, with values of cells.
    pub fn at(point: Point, cells: BTreeMap<CellId, Value>) -> Runner {
        Runner { point, cells }
    }

    /// Where control is.
    pub fn point(&self) -> Point {
        self.point
    }

    /// The cells that have been written, with their values.
    pub fn cells(&self) -> &BTreeMap<CellId, Value> {
        &self.cells
    }

    /// Executes a block; `choose` gives the values that come from outside, by their width. Whether control is
    /// at a point afterwards.
    pub fn step(&mut self, encoding: &mut Encoding<'_>, choose: &mut dyn FnMut(u32) -> Bits) -> bool {
        let block = encoding.block(self.point);
        let values = self.assignment(encoding, &block, &mut |encoding, symbol, _| {
            Some(match encoding.pool.sort(symbol) {
                Sort::BitVec(width) => Value::Bits(choose(width)),
                Sort::Bool => Value::Bool(choose(1).is_one()),
                Sort::Array { index, element } => Value::Array(ArrayValue::constant(index, choose(element))),
                Sort::Int => return None,
            })
        });
        matches!(self.leave(encoding, &block, &values), Some(Target::Point(_)))
    }

    /// The values of all symbols that a block mentions. `outside` gives those that come from outside, and those of
    /// cells that nothing has written.
    fn assignment<'p>(
        &self,
        encoding: &mut Encoding<'p>,
        block: &Block,
        outside: &mut dyn FnMut(&mut Encoding<'p>, Term, bool) -> Option<Value>,
    ) -> Assignment {
        let mut values = Assignment::new();
        for &(symbol, term) in &block.symbols {
            let cell = encoding.cells.of_symbol(symbol);
            let known = cell.and_then(|cell| self.cells.get(&cell).cloned());
            let value = known.or_else(|| outside(encoding, term, cell.is_some()));
            values.set(symbol, value.unwrap_or_else(|| Value::default_of(encoding.pool.sort(term))));
        }
        values
    }

    /// Takes the exit whose guard holds; where it leads.
    fn leave<'b>(
        &mut self,
        encoding: &Encoding<'_>,
        block: &'b Block,
        values: &Assignment,
    ) -> Option<&'b Target> {
        let mut evaluator = Evaluator::new(&encoding.pool, values);
        let exit = block.exits.iter().find(|exit| evaluator.holds(exit.guard))?;
        let new: Vec<(CellId, Value)> =
            exit.updates.iter().map(|&(cell, term)| (cell, evaluator.value(term).clone())).collect();
        self.cells.extend(new);
        if let Target::Point(point) = exit.target {
            self.point = point;
        }
        Some(&exit.target)
    }
}

/// Notes what the edges of a block that are taken take from outside.
fn collect(encoding: &Encoding<'_>, block: &Block, values: &Assignment, trace: &mut Trace) {
    let mut evaluator = Evaluator::new(&encoding.pool, values);
    for step in &block.steps {
        if evaluator.holds(step.guard) {
            note(encoding, step, &mut evaluator, trace);
        }
    }
}

/// Notes what an edge takes from outside, and whether it is a violation.
fn note(encoding: &Encoding<'_>, step: &Step, evaluator: &mut Evaluator<'_>, trace: &mut Trace) {
    for taken in &step.taken {
        let event = event(encoding, taken, evaluator, step.span);
        trace.events.push(event);
    }
    trace.approximations.extend(step.approximations.iter().map(|what| (what.clone(), step.span)));
    if step.error.is_some() {
        trace.error = step.span;
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
        Taken::Allocated { class, address, size, cells } => {
            let cells = allocated_values(encoding, *class, [*address, *size], cells, evaluator);
            TraceEvent::Allocated { cells, span }
        }
    }
}

/// Arrays with more elements are left at any value: nobody initialises that much by chance and needs it.
const LARGEST_ARRAY: u64 = 1 << 16;

/// What the model says of memory from outside, by address. What it says of the rest of memory does no harm.
fn outside(encoding: &Encoding<'_>, model: &Assignment) -> Vec<(u64, CellValue)> {
    let addresses = addresses(encoding, model);
    let mut values = Vec::new();
    let is_memory = |cell: &Cell| cell.elements == Elements::Scattered && !cell.is_ghost;
    for (_, cell) in encoding.cells.iter().filter(|(_, cell)| is_memory(cell)) {
        let Op::Symbol(symbol) = *encoding.pool.op(cell.symbol) else { continue };
        let Some(Value::Array(array)) = model.get(symbol) else { continue };
        for address in &addresses {
            let value = CellValue { bit_offset: cell.bit_offset, value: array.get(address).clone() };
            values.extend(address.to_u64().map(|address| (address, value)));
        }
    }
    values
}

/// All numbers of a model that may be addresses of allocated memory.
fn addresses(encoding: &Encoding<'_>, model: &Assignment) -> BTreeSet<Bits> {
    let width = encoding.pointer_width();
    let start = rorqual_memory::heap_start(encoding.program.types.model());
    let mut found = BTreeSet::new();
    let mut note = |number: &Bits| {
        if number.width() == width && number.to_u64().is_some_and(|number| number >= start) {
            found.insert(number.clone());
        }
    };
    for (_, value) in model.symbols() {
        match value {
            Value::Bits(number) => note(number),
            Value::Array(array) => {
                note(array.default_element());
                array.entries().for_each(|(index, element)| [index, element].into_iter().for_each(&mut note));
            }
            Value::Bool(_) | Value::Int(_) => {}
        }
    }
    found
}

/// So many bytes of new memory are given values.
const MOST_BYTES: u64 = 4096;

/// The values of the scalars in new memory.
fn allocated_values(
    encoding: &Encoding<'_>,
    class: ClassId,
    [address, size]: [Term; 2],
    contents: &[(CellId, Term)],
    evaluator: &mut Evaluator<'_>,
) -> Vec<CellValue> {
    let types = &encoding.program.types;
    let element = encoding.analysis.memory.class(class).element;
    let stride = element.map_or(1, |element| types.size_of(element).unwrap_or(1));
    let [address, size] = [address, size].map(|term| evaluator.value(term).bits().to_u64().unwrap_or(0));
    let mut values = Vec::new();
    for &(cell, content) in contents.iter().filter(|_| address != 0) {
        let details = encoding.cells.get(cell);
        let Value::Array(array) = evaluator.value(content).clone() else { continue };
        for start in (0..size.min(MOST_BYTES)).step_by(stride as usize) {
            // Elements of arrays inside of elements are found by their own addresses.
            let offset = details.bit_offset / 8;
            let inner = element.map_or_else(|| vec![0], |element| displacements(types, element, offset));
            for within in inner {
                let index = Bits::new(address + start + within, array.index_width());
                let bit_offset = 8 * (start + within) + details.bit_offset;
                values.push(CellValue { bit_offset, value: array.get(&index).clone() });
            }
        }
    }
    values
}

fn add_cell_values(cell: &Cell, value: &Value, cells: &mut Vec<CellValue>) {
    match (value, cell.elements) {
        (Value::Bits(value), Elements::One) => {
            // Whoever replays this takes scalars, and no scalar is wider.
            for low in (0..value.width()).step_by(128) {
                let high = (low + 127).min(value.width() - 1);
                let bit_offset = cell.bit_offset + u64::from(low);
                cells.push(CellValue { bit_offset, value: value.extract(high, low) });
            }
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
