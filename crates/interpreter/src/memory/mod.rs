//! The memory: objects with lifetimes and bounds, and pointers that know their object.
//!
//! The rules are those of the PNVI-ae-udi model (Gustedt, Sewell, Memarian, Gomes, Uecker,
//! *A Provenance-aware Memory Object Model for C*, WG14 N2676, 2021): a pointer carries the object it was
//! derived from; turning it into an integer, or reading its bytes as numbers, *exposes* the
//! object; an integer becomes a pointer to the exposed live object that its address is in.
//! Departure: arithmetic may leave the bounds of an object, as gcc's users expect; only
//! accesses are checked. Addresses are never used again, and objects never touch each other.

mod access;
mod block;
mod bytes;
mod object;
mod unknown;

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU32;

use rorqual_cfa::{DataModel, Program};

pub(crate) use block::{Block, Stored, bit_field_bytes};
pub(crate) use object::{Life, Object, ObjectKind};

use self::bytes::Bytes;
use crate::outcome::{Limit, Run};
use crate::undefined::Undefined;
use crate::value::{ObjectId, Pointer};

/// Entries of dead objects are used again only once there are this many, so that messages can
/// still name recently dead objects.
const QUARANTINE: usize = 4096;

/// A dead object keeps its memory for the next object in its entry, if it is no more than this.
const KEPT_CAPACITY: usize = 256;

/// At least so many bytes lie between two objects.
const GAP: u64 = 8;

/// All objects.
#[derive(Debug)]
pub(crate) struct Memory<'p> {
    program: &'p Program,
    pub(crate) objects: Vec<Object>,
    dead: VecDeque<u32>,
    /// The live exposed objects by their base address.
    exposed: BTreeMap<u64, ObjectId>,
    next_address: u64,
    live_bytes: u64,
    limit: u64,
    unknown: unknown::Unknown,
}

impl<'p> Memory<'p> {
    /// A memory without objects.
    pub(crate) fn new(program: &'p Program, limit: u64) -> Memory<'p> {
        Memory {
            program,
            objects: Vec::new(),
            dead: VecDeque::new(),
            exposed: BTreeMap::new(),
            // Low addresses stay free, as on every system with a guarded null page.
            next_address: 0x1_0000,
            live_bytes: 0,
            limit,
            unknown: unknown::Unknown::default(),
        }
    }

    pub(crate) fn model(&self) -> DataModel {
        self.program.types.model()
    }

    /// The address cut to the width of a pointer.
    pub(crate) fn wrap_address(&self, address: u64) -> u64 {
        match self.model() {
            DataModel::Ilp32 => address & 0xffff_ffff,
            DataModel::Lp64 => address,
        }
    }

    /// A fresh object without values.
    pub(crate) fn allocate(&mut self, kind: ObjectKind, size: u64, align: u64) -> Run<ObjectId> {
        let base = self.reserve(size, align)?;
        let charged = Bytes::charge(size);
        self.live_bytes += charged;
        if self.dead.len() > QUARANTINE
            && let Some(index) = self.dead.pop_front()
        {
            let object = &mut self.objects[index as usize];
            // After four billion lives an entry stays dead for ever.
            if let Some(generation) = object.generation.checked_add(1) {
                object.generation = generation;
                object.kind = kind;
                object.life = Life::Alive;
                object.base = base;
                object.size = size;
                object.exposed = false;
                object.incomplete = false;
                object.unmodelled = false;
                object.charged = charged;
                object.block.reset(size as usize);
                return Ok(ObjectId { index, generation });
            }
        }
        let generation = NonZeroU32::MIN;
        self.objects.push(Object {
            generation,
            kind,
            life: Life::Alive,
            base,
            size,
            exposed: false,
            incomplete: false,
            unmodelled: false,
            charged,
            block: Block::indeterminate(size as usize),
        });
        let index = self.objects.len() as u32 - 1;
        Ok(ObjectId { index, generation })
    }

    /// Finds room for an object within the limits.
    fn reserve(&mut self, size: u64, align: u64) -> Run<u64> {
        let fits = self.live_bytes.saturating_add(Bytes::charge(size)) <= self.limit;
        // The last page stays free, so that one past the end of an object never wraps.
        let end = self.wrap_address(u64::MAX) - 0xfff;
        let align = align.max(1).next_power_of_two();
        let base = self.next_address.checked_next_multiple_of(align);
        let next = base.and_then(|base| base.checked_add(size)?.checked_add(GAP));
        match (base, next) {
            (Some(base), Some(next)) if fits && next <= end => {
                self.next_address = next;
                Ok(base)
            }
            _ => Err(Limit::Memory.into()),
        }
    }

    /// Counts what a large object has come to occupy.
    fn charge(&mut self, index: usize) -> Run<()> {
        let object = &mut self.objects[index];
        let occupied = object.block.occupied() as u64;
        if occupied > object.charged {
            self.live_bytes += occupied - object.charged;
            object.charged = occupied;
            if self.live_bytes > self.limit {
                return Err(Limit::Memory.into());
            }
        }
        Ok(())
    }

    /// Whether so many bytes can be handled at once in an object.
    fn check_length(&self, index: usize, length: u64) -> Run<()> {
        if length > self.limit && length < self.objects[index].size {
            return Err(Limit::Memory.into());
        }
        Ok(())
    }

    /// Ends the lifetime of an object.
    pub(crate) fn kill(&mut self, id: ObjectId, life: Life) {
        let object = &mut self.objects[id.index as usize];
        if object.generation != id.generation || object.life != Life::Alive {
            return;
        }
        object.life = life;
        self.live_bytes -= object.charged;
        if object.exposed {
            self.exposed.remove(&object.base);
        }
        if object.block.len() > KEPT_CAPACITY {
            object.block = Block::zeroed(0);
        }
        self.dead.push_back(id.index);
    }

    /// The live object behind `id`.
    pub(crate) fn live(&self, id: ObjectId) -> Option<&Object> {
        let object = &self.objects[id.index as usize];
        (object.generation == id.generation && object.life == Life::Alive).then_some(object)
    }

    /// The content of a live object, to initialise it whatever its kind.
    pub(crate) fn block_mut(&mut self, id: ObjectId) -> &mut Block {
        &mut self.objects[id.index as usize].block
    }

    /// Says that bounds of the object are not known.
    pub(crate) fn mark_incomplete(&mut self, id: ObjectId) {
        self.objects[id.index as usize].incomplete = true;
    }

    /// The `length` bytes at an address have a value from here on that is not modelled.
    pub(crate) fn forget(&mut self, pointer: Pointer, length: u64) -> Run<()> {
        self.unset(pointer, length)?;
        if let Some(id) = pointer.provenance {
            self.objects[id.index as usize].unmodelled = true;
        }
        Ok(())
    }

    /// A pointer to the start of an object.
    pub(crate) fn pointer_to(&self, id: ObjectId) -> Pointer {
        Pointer { address: self.objects[id.index as usize].base, provenance: Some(id) }
    }

    /// The pointer moved by some bytes. One that is moved by more than a difference of pointers can be has left its object
    /// for good.
    pub(crate) fn offset(&self, pointer: Pointer, bytes: i128) -> Pointer {
        let address = self.wrap_address(pointer.address.wrapping_add(bytes as u64));
        let most = 1i128 << (self.model().pointer_width() - 1);
        let is_distance = (-most..most).contains(&bytes);
        Pointer { address, provenance: pointer.provenance.filter(|_| is_distance) }
    }

    /// The pointer to an element of a variable. One that runs over the end of the address space has left its object for
    /// good.
    pub(crate) fn element(&self, base: Pointer, bytes: i128) -> Pointer {
        let moved = self.offset(base, bytes);
        let is_exact = i128::from(base.address).checked_add(bytes) == Some(i128::from(moved.address));
        Pointer { provenance: moved.provenance.filter(|_| is_exact), ..moved }
    }

    /// Remembers that the address of the object is known as a number.
    pub(crate) fn expose(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.index as usize];
        let alive = object.generation == id.generation && object.life == Life::Alive;
        if alive && !object.exposed {
            object.exposed = true;
            self.exposed.insert(object.base, id);
        }
    }

    /// The pointer that an integer stands for.
    pub(crate) fn pointer_from_int(&self, address: u64) -> Pointer {
        let below = self.exposed.range(..=address).next_back();
        let provenance = below.and_then(|(&base, &id)| {
            let size = self.objects[id.index as usize].size;
            (address - base <= size).then_some(id)
        });
        Pointer { address, provenance }
    }

    /// The object behind a pointer, alive or dead, for messages.
    pub(crate) fn describe(&self, id: ObjectId) -> String {
        let object = &self.objects[id.index as usize];
        if object.generation != id.generation {
            return "an object".to_owned();
        }
        match object.kind {
            ObjectKind::Variable(variable) => {
                let name = &self.program.variables[variable].name;
                format!("`{}`", name.split('#').next().unwrap_or(name))
            }
            ObjectKind::Heap => "heap memory".to_owned(),
            ObjectKind::Given => "memory from outside".to_owned(),
            ObjectKind::Stack => "stack memory".to_owned(),
            ObjectKind::Text(string) => {
                let bytes = &self.program.strings[string].bytes;
                let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
                let shown = &text[..text.len().min(20)];
                let dots = if shown.len() < text.len() { "…" } else { "" };
                format!("the string literal \"{}{dots}\"", shown.escape_ascii())
            }
            ObjectKind::Function(function) => {
                format!("the function `{}`", self.program.functions[function].name)
            }
            ObjectKind::Label(function, label) => {
                format!("the label `{}`", self.program.functions[function].labels[label].name)
            }
            ObjectKind::Runtime(name) => name.to_owned(),
        }
    }

    /// Ends the lifetime of heap memory.
    pub(crate) fn free(&mut self, pointer: Pointer) -> Run<()> {
        let id = self.check_free(pointer)?;
        self.kill(id, Life::Freed);
        Ok(())
    }

    /// The heap memory that a pointer may free.
    pub(crate) fn check_free(&self, pointer: Pointer) -> Run<ObjectId> {
        let problem = |problem: String| Undefined::Free { problem };
        let Some(id) = pointer.provenance else {
            return Err(problem(format!("{:#x} is freed but points to no object", pointer.address)).into());
        };
        let object = &self.objects[id.index as usize];
        let dead = object.generation != id.generation || object.life == Life::Freed;
        if dead {
            return Err(problem("heap memory is freed twice".to_owned()).into());
        }
        if object.kind != ObjectKind::Heap {
            let object = self.describe(id);
            return Err(problem(format!("{object} is freed but was not allocated by `malloc`")).into());
        }
        if object.base != pointer.address {
            let offset = pointer.address.wrapping_sub(object.base) as i64;
            let message =
                format!("a pointer to offset {offset} of heap memory is freed instead of its start");
            return Err(problem(message).into());
        }
        Ok(id)
    }
}
