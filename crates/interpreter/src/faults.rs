//! What the automatic checks ask of memory: whether an access or a `free` would be undefined, and whether memory
//! is lost. Nothing is accessed, so nothing changes.

use std::collections::BTreeSet;

use rorqual_cfa::{ExprId, Fault, PlaceId, VariableKind};

use crate::machine::Machine;
use crate::memory::{Life, ObjectKind, bit_field_bytes};
use crate::outcome::{Cause, Run, Stop};
use crate::place::{Target, is_whole};
use crate::storage::Storage;
use crate::undefined::{Access, Undefined};
use crate::value::{ObjectId, Pointer, Scalar, Shape, Value};

impl Machine<'_> {
    /// Whether an access to a place is undefined in the given way.
    pub(crate) fn is_faulty(&mut self, place: PlaceId, fault: Fault) -> Run<Scalar> {
        let target = self.target(place)?;
        let problem = match self.try_access(target, place) {
            Ok(()) => None,
            Err(stop) => Some(self.failed(stop, place)),
        };
        let found = match problem {
            None if fault == Fault::Constant => self.is_constant(target),
            None => fault == Fault::Uninitialized && self.is_unset(target, place)?,
            Some(stop) => is_such(stop, fault)?,
        };
        Ok(Scalar::Int(i128::from(found)))
    }

    /// Whether an access to so many bytes is undefined in the given way.
    pub(crate) fn is_faulty_block(&self, pointer: Pointer, length: i128, fault: Fault) -> Run<Scalar> {
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        let found = match self.memory.check(pointer, length, Access::Read) {
            Ok(()) => fault == Fault::Constant && length > 0 && self.is_constant(Target::Memory(pointer)),
            Err(stop) => is_such(stop, fault)?,
        };
        Ok(Scalar::Int(i128::from(found)))
    }

    /// Checks a read of a place without making it.
    fn try_access(&self, target: Target, place: PlaceId) -> Run<()> {
        let size = self.program.types.size_of(self.program.places[place].ty).unwrap_or(0);
        match target {
            Target::Slot(_) => Ok(()),
            Target::Memory(pointer) => self.memory.check(pointer, size, Access::Read),
            Target::Bits(pointer, range) => {
                self.memory.check(pointer, bit_field_bytes(range) as u64, Access::Read)
            }
        }
    }

    /// Whether a target is in an object that must not be written.
    fn is_constant(&self, target: Target) -> bool {
        let (Target::Memory(pointer) | Target::Bits(pointer, _)) = target else { return false };
        let object = pointer.provenance.and_then(|id| self.memory.live(id));
        object.is_some_and(|object| match object.kind {
            ObjectKind::Variable(variable) => self.program.variables[variable].constant,
            ObjectKind::Text(_) => true,
            _ => false,
        })
    }

    /// Whether some bits of a scalar were never set.
    fn is_unset(&self, target: Target, place: PlaceId) -> Run<bool> {
        let shape = self.layout.place(place);
        Ok(match target {
            Target::Slot(slot) => self.slots[slot].is_none(),
            Target::Memory(_) if matches!(shape, Shape::Aggregate | Shape::None) => false,
            Target::Memory(pointer) => {
                let (_, mask) = self.memory.partial(pointer, shape)?;
                !is_whole(mask, shape.value_bytes(self.memory.model()) as u32 * 8)
            }
            Target::Bits(pointer, range) => {
                let (_, mask) = self.memory.load_bits(pointer, range)?;
                !is_whole(mask, range.width)
            }
        })
    }

    /// Whether a pointer must not be given to `free`.
    pub(crate) fn is_bad_free(&mut self, pointer: ExprId) -> Run<Scalar> {
        let pointer = self.eval(pointer)?.pointer();
        let is_block = |id: ObjectId| {
            let object = self.memory.live(id);
            object.is_some_and(|object| object.kind == ObjectKind::Heap && object.base == pointer.address)
        };
        let good = pointer.is_null() || pointer.provenance.is_some_and(is_block);
        Ok(Scalar::Int(i128::from(!good)))
    }

    /// Whether there is heap memory that nothing points to.
    pub(crate) fn leaks(&mut self) -> Scalar {
        let lost = self.lost_objects();
        self.record_lost(&lost);
        Scalar::Int(i128::from(!lost.is_empty()))
    }

    /// The heap memory that nothing points to. An object whose address became a number counts as
    /// found, because the number may be anywhere.
    fn lost_objects(&self) -> Vec<ObjectId> {
        let mut found: BTreeSet<ObjectId> = BTreeSet::new();
        let mut open: Vec<ObjectId> = self.memory.roots();
        let temporary = self.temporary_slots();
        let slots = self.slots.iter().enumerate().filter(|(at, _)| !temporary.contains(at));
        open.extend(slots.filter_map(|(_, slot)| slot.and_then(provenance)));
        for frame in &self.frames {
            for argument in frame.further_arguments.iter().flat_map(|arguments| arguments.iter()) {
                if let Value::Scalar(value) = &argument.value {
                    open.extend(provenance(*value));
                }
            }
        }
        while let Some(id) = open.pop() {
            if let Some(object) = self.memory.live(id)
                && found.insert(id)
            {
                open.extend(object.block.pointers_in(0, object.block.len()));
            }
        }
        self.memory.live_heap().filter(|id| !found.contains(id)).collect()
    }
}

impl Machine<'_> {
    /// The slots of temporaries in all frames: no variable of the program, so what they hold is not kept by them.
    fn temporary_slots(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for (id, variable) in self.program.variables.iter() {
            if variable.kind != VariableKind::Temporary {
                continue;
            }
            if let Storage::LocalSlot(number) = self.layout.storage(id) {
                let frames = self.frames.iter().filter(|frame| Some(frame.function) == variable.function);
                found.extend(frames.map(|frame| frame.first_slot + number as usize));
            }
        }
        found
    }
}

/// Whether an access that cannot be made is undefined in the given way.
fn is_such(mut stop: Stop, fault: Fault) -> Run<bool> {
    Ok(match stop.cause_mut() {
        Cause::Undefined(Undefined::Dangling { .. }) => fault == Fault::Life,
        Cause::Undefined(
            Undefined::OutOfBounds { .. } | Undefined::InvalidPointer { .. } | Undefined::NotAnObject { .. },
        ) => fault == Fault::Bounds,
        Cause::Undefined(_) => false,
        // The bounds of the object are not known.
        _ => return Err(stop),
    })
}

fn provenance(value: Scalar) -> Option<ObjectId> {
    match value {
        Scalar::Pointer(pointer) => pointer.provenance,
        _ => None,
    }
}

impl crate::memory::Memory<'_> {
    /// The live objects that are found without following pointers.
    fn roots(&self) -> Vec<ObjectId> {
        let alive = self.objects.iter().enumerate().filter(|(_, object)| object.life == Life::Alive);
        let roots = alive.filter(|(_, object)| object.kind != ObjectKind::Heap || object.exposed);
        roots.map(|(index, object)| ObjectId { index: index as u32, generation: object.generation }).collect()
    }

    fn live_heap(&self) -> impl Iterator<Item = ObjectId> {
        let alive = self.objects.iter().enumerate().filter(|(_, object)| object.life == Life::Alive);
        let heap = alive.filter(|(_, object)| object.kind == ObjectKind::Heap);
        heap.map(|(index, object)| ObjectId { index: index as u32, generation: object.generation })
    }
}
