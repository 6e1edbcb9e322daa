//! Recordings: the edges that an execution took, and which scalars each of them read and wrote.
//! They are for telling people how an execution came to its end; replaying needs inputs only. What pointers
//! pointed to is for tests of those who say so without running the program.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use rorqual_cfa::{Callee, EdgeId, FunctionId, Id, Operation, PlaceId, PlaceKind, StringId, VariableId};

use crate::inputs::InputValue;
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::place::Target;
use crate::storage::Storage;
use crate::undefined::Access;
use crate::value::{ObjectId, Pointer, Scalar, Shape};

/// An edge that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedStep {
    /// The function.
    pub function: FunctionId,
    /// The edge of its automaton.
    pub edge: EdgeId,
    /// Which activation of the function: no two have the same number.
    pub frame: u64,
    /// How many functions were active.
    pub depth: usize,
    /// Where the step's accesses are in the recording.
    touches: Range<usize>,
}

/// A part of the state that is read and written together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// A scalar variable whose address nobody takes.
    Slot {
        /// The activation it belongs to; 0 for global variables.
        frame: u64,
        /// Its number among those of the function or the program.
        slot: usize,
    },
    /// Some bytes of memory. No two objects ever share an address.
    Bytes {
        /// The first.
        address: u64,
        /// How many.
        length: u64,
    },
}

impl Spot {
    /// Whether the two have something in common.
    pub fn overlaps(self, other: Spot) -> bool {
        match (self, other) {
            (Spot::Bytes { address, length }, Spot::Bytes { address: other, length: other_length }) => {
                address < other + other_length && other < address + length
            }
            _ => self == other,
        }
    }
}

/// A read or write of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// Read or written.
    pub access: Access,
    /// What.
    pub spot: Spot,
    /// The value of a scalar.
    pub value: Option<InputValue>,
}

/// What an object was made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The declaration of a variable.
    Variable(VariableId),
    /// A string literal.
    Text(StringId),
    /// A library function or a variable-length array, on this edge.
    Edge(FunctionId, EdgeId),
    /// The run-time system.
    Runtime,
}

/// A place that was found through a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointing {
    /// The place, which is a [`PlaceKind::Deref`].
    pub place: PlaceId,
    /// The live object that the pointer was derived from.
    pub origin: Origin,
    /// How many bytes the pointer was behind its start.
    pub offset: u64,
    /// How many bytes the object has.
    pub size: u64,
}

/// How many steps a recording keeps at least. Accounts for at most 100 MB, and nobody reads a
/// longer story.
const KEPT_STEPS: usize = 200_000;

/// The last steps of an execution.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    steps: Vec<RecordedStep>,
    touches: Vec<Touch>,
    /// How many touches were dropped from the start.
    dropped_touches: usize,
    dropped_steps: u64,
    /// Where the accesses of the step that is being chosen start.
    open: usize,
    /// The edges that made objects without a declaration.
    makers: HashMap<ObjectId, (FunctionId, EdgeId)>,
    /// The edges that made the memory which nothing pointed to when that was looked at last.
    lost: BTreeSet<(FunctionId, EdgeId)>,
    /// The step in which the life of each variable began last.
    declarations: HashMap<VariableId, u64>,
    /// The calls whose result could be an input, but nobody looks at it.
    ignored: Vec<(u64, FunctionId)>,
    pointings: BTreeSet<Pointing>,
}

impl Recording {
    /// The steps in order.
    pub fn steps(&self) -> &[RecordedStep] {
        &self.steps
    }

    /// How many steps came before the first one that was kept.
    pub fn dropped_steps(&self) -> u64 {
        self.dropped_steps
    }

    /// Where all pointers pointed to that places were found through, each way once.
    pub fn pointings(&self) -> &BTreeSet<Pointing> {
        &self.pointings
    }

    /// The edges that made the heap memory which nothing pointed to at the end, if the execution ends in a leak.
    pub fn lost(&self) -> &BTreeSet<(FunctionId, EdgeId)> {
        &self.lost
    }

    /// The calls of functions without body, library functions aside, whose result nobody looks at: the number of the edge,
    /// counted from 1, and the function. They take no input.
    pub fn ignored_calls(&self) -> &[(u64, FunctionId)] {
        &self.ignored
    }

    /// The number of the edge with which the life of a variable began last.
    pub(crate) fn declared(&self, variable: VariableId) -> Option<u64> {
        self.declarations.get(&variable).copied()
    }

    /// What a step read and wrote, in order. Library functions tell nothing.
    pub fn touches(&self, step: &RecordedStep) -> &[Touch] {
        let start = step.touches.start.saturating_sub(self.dropped_touches);
        &self.touches[start..step.touches.end.saturating_sub(self.dropped_touches)]
    }

    /// From here on accesses belong to the next step.
    pub(crate) fn open(&mut self) {
        self.open = self.dropped_touches + self.touches.len();
    }

    pub(crate) fn push(&mut self, function: FunctionId, edge: EdgeId, frame: u64, depth: usize) {
        if self.steps.len() >= 2 * KEPT_STEPS {
            self.drop_old();
        }
        let end = self.dropped_touches + self.touches.len();
        self.steps.push(RecordedStep { function, edge, frame, depth, touches: self.open..end });
    }

    fn drop_old(&mut self) {
        self.steps.drain(..KEPT_STEPS);
        self.dropped_steps += KEPT_STEPS as u64;
        let first = self.steps.first().map_or(self.dropped_touches, |step| step.touches.start);
        self.touches.drain(..first - self.dropped_touches);
        self.dropped_touches = first;
    }

    fn touch(&mut self, touch: Touch) {
        self.touches.push(touch);
        let end = self.dropped_touches + self.touches.len();
        if let Some(step) = self.steps.last_mut()
            && step.touches.start >= self.open
        {
            step.touches.end = end;
        }
    }
}

impl Machine<'_> {
    /// Records an access to a scalar.
    pub(crate) fn record_scalar(&mut self, access: Access, target: Target, shape: Shape, value: Scalar) {
        if self.recording.is_none() {
            return;
        }
        let spot = match target {
            Target::Slot(slot) => self.slot_spot(slot),
            Target::Memory(pointer) => {
                let length = shape.value_bytes(self.memory.model()) as u64;
                Spot::Bytes { address: pointer.address, length }
            }
            Target::Bits(pointer, range) => {
                let length = u64::from((range.start + range.width).div_ceil(8));
                Spot::Bytes { address: pointer.address, length }
            }
        };
        let value = Some(InputValue::of(value, shape));
        if let Some(recording) = &mut self.recording {
            recording.touch(Touch { access, spot, value });
        }
    }

    /// Records that a variable in a slot was read.
    pub(crate) fn record_slot_read(&mut self, place: PlaceId, value: Scalar) {
        if self.recording.is_none() {
            return;
        }
        let PlaceKind::Variable(variable) = self.program.places[place].kind else { return };
        let slot = match self.layout.storage(variable) {
            Storage::LocalSlot(number) => self.first_slot + number as usize,
            Storage::GlobalSlot(number) => number as usize,
            Storage::LocalObject(_) | Storage::GlobalObject(_) => return,
        };
        self.record_scalar(Access::Read, Target::Slot(slot), self.layout.place(place), value);
    }

    /// Records an access to a whole object or a part of one.
    pub(crate) fn record_bytes(&mut self, access: Access, pointer: Pointer, length: u64) {
        if let Some(recording) = &mut self.recording {
            let spot = Spot::Bytes { address: pointer.address, length };
            recording.touch(Touch { access, spot, value: None });
        }
    }

    /// Records that the edge that was taken last made an object.
    pub(crate) fn record_maker(&mut self, object: ObjectId) {
        if let Some(recording) = &mut self.recording
            && let Some(step) = recording.steps.last()
        {
            recording.makers.insert(object, (step.function, step.edge));
        }
    }

    /// Records which objects nothing points to.
    pub(crate) fn record_lost(&mut self, objects: &[ObjectId]) {
        if let Some(recording) = &mut self.recording {
            recording.lost = objects.iter().filter_map(|id| recording.makers.get(id).copied()).collect();
        }
    }

    /// Records where a pointer points to that a place is found through.
    pub(crate) fn record_pointing(&mut self, place: PlaceId, pointer: Pointer) {
        let Some(recording) = &mut self.recording else { return };
        let Some((id, object)) = pointer.provenance.and_then(|id| Some((id, self.memory.live(id)?))) else {
            return;
        };
        let origin = match object.kind {
            ObjectKind::Variable(variable) => Origin::Variable(variable),
            ObjectKind::Text(text) => Origin::Text(text),
            ObjectKind::Heap | ObjectKind::Stack => match recording.makers.get(&id) {
                Some(&(function, edge)) => Origin::Edge(function, edge),
                None => Origin::Runtime,
            },
            _ => Origin::Runtime,
        };
        let offset = pointer.address.wrapping_sub(object.base);
        recording.pointings.insert(Pointing { place, origin, offset, size: object.size });
    }

    fn slot_spot(&self, slot: usize) -> Spot {
        match self.frames.last() {
            Some(frame) if slot >= self.first_slot => {
                Spot::Slot { frame: frame.serial, slot: slot - self.first_slot }
            }
            _ => Spot::Slot { frame: 0, slot },
        }
    }

    /// Records that an edge is taken.
    pub(crate) fn record_step(&mut self, edge: EdgeId, operation: &Operation) {
        let depth = self.frames.len();
        let step = self.current_step();
        let frame = self.frame();
        let (function, serial) = (frame.function, frame.serial);
        let Some(recording) = &mut self.recording else { return };
        recording.push(function, edge, serial, depth);
        match operation {
            Operation::Declare(variable) => {
                recording.declarations.insert(*variable, step);
            }
            Operation::Call { target: None, callee: Callee::Function(callee), .. }
                if self.program.functions[*callee].body.is_none()
                    && self.natives[callee.index()].is_none() =>
            {
                recording.ignored.push((step, *callee));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_steps_are_dropped_with_their_accesses() {
        let mut recording = Recording::default();
        let (function, edge) = (FunctionId::new(0), EdgeId::new(0));
        for step in 0..5 * KEPT_STEPS {
            recording.open();
            recording.push(function, edge, step as u64, 1);
            let spot = Spot::Slot { frame: step as u64, slot: 0 };
            recording.touch(Touch { access: Access::Write, spot, value: None });
        }
        assert!(recording.steps().len() <= 2 * KEPT_STEPS && recording.steps().len() >= KEPT_STEPS);
        assert_eq!(recording.dropped_steps() as usize + recording.steps().len(), 5 * KEPT_STEPS);
        for step in recording.steps() {
            let expected = Spot::Slot { frame: step.frame, slot: 0 };
            assert!(matches!(recording.touches(step), [touch] if touch.spot == expected));
        }
    }
}
