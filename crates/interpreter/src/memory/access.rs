//! Reads and writes through pointers, with all their checks.

use rorqual_cfa::BitRange;

use super::{Block, Life, Memory, ObjectKind, Stored, bit_field_bytes};
use crate::outcome::{Cause, Run, Stop};
use crate::undefined::{Access, Undefined};
use crate::value::{ObjectId, Pointer, Scalar, Shape};

/// Where an access goes: the entry in the table of objects, and the offset in the object.
type Target = (usize, usize);

impl Memory<'_> {
    /// Checks an access of `length` bytes.
    pub(super) fn resolve(&self, pointer: Pointer, length: u64, access: Access) -> Run<Target> {
        let Some(id) = pointer.provenance else {
            return Err(invalid(pointer, access));
        };
        let object = &self.objects[id.index as usize];
        if object.generation != id.generation || object.life != Life::Alive {
            return Err(self.dangling(id, access));
        }
        let offset = pointer.address.wrapping_sub(object.base);
        if offset > object.size || object.size - offset < length {
            return Err(self.out_of_bounds(id, pointer, length, access));
        }
        if access == Access::Write && matches!(object.kind, ObjectKind::Text(_)) {
            let object = self.describe(id);
            return Err(Undefined::ReadOnly { object }.into());
        }
        if !object.kind.has_bytes() {
            let object = self.describe(id);
            return Err(Undefined::NotAnObject { object }.into());
        }
        let is_read = access == Access::Read && object.unmodelled;
        if is_read && !object.block.is_set(offset as usize, length as usize) {
            return Err(Stop::new(Cause::Unmodelled(object.kind.name(self.program))));
        }
        Ok((id.index as usize, offset as usize))
    }

    fn dangling(&self, id: ObjectId, access: Access) -> Stop {
        let object = &self.objects[id.index as usize];
        let freed = object.generation == id.generation && object.life == Life::Freed;
        let object = self.describe(id);
        Undefined::Dangling { access, object, freed }.into()
    }

    fn out_of_bounds(&self, id: ObjectId, pointer: Pointer, length: u64, access: Access) -> Stop {
        let object = &self.objects[id.index as usize];
        if pointer.is_null() {
            return Undefined::NullPointer { access }.into();
        }
        if object.incomplete {
            let name = self.describe(id);
            return Stop::unsupported(format!("access to {name}, whose size is not known,"));
        }
        if !object.kind.has_bytes() {
            let object = self.describe(id);
            return Undefined::NotAnObject { object }.into();
        }
        Undefined::OutOfBounds {
            access,
            index: None,
            offset: i128::from(pointer.address) - i128::from(object.base),
            length,
            object: self.describe(id),
            size: object.size,
        }
        .into()
    }

    /// Checks an access without making it.
    pub(crate) fn check(&self, pointer: Pointer, length: u64, access: Access) -> Run<()> {
        if length == 0 {
            return Ok(());
        }
        self.resolve(pointer, length, access).map(|_| ())
    }

    /// The scalar at an address; `None` if some of its bits were never set.
    pub(crate) fn load(&mut self, pointer: Pointer, shape: Shape) -> Run<Option<Scalar>> {
        let length = shape.value_bytes(self.model());
        let (index, offset) = self.resolve(pointer, length as u64, Access::Read)?;
        let block = &self.objects[index].block;
        if !block.is_set(offset, length) {
            return Ok(None);
        }
        let number = block.number(offset, length);
        Ok(Some(match shape {
            Shape::Pointer => Scalar::Pointer(match block.stored(offset) {
                Stored::Pointer(provenance) => Pointer { address: number as u64, provenance },
                Stored::Number => self.pointer_from_int(number as u64),
            }),
            Shape::Float(_) => {
                self.expose_bytes(index, offset, length);
                Scalar::Float(number)
            }
            Shape::Int(shape) => {
                self.expose_bytes(index, offset, length);
                Scalar::Int(shape.wrap(number as i128))
            }
            Shape::Aggregate | Shape::None => Scalar::Int(0),
        }))
    }

    /// The bits of the scalar at an address, and which of them are set.
    pub(crate) fn partial(&self, pointer: Pointer, shape: Shape) -> Run<(u128, u128)> {
        let length = shape.value_bytes(self.model());
        let (index, offset) = self.resolve(pointer, length as u64, Access::Read)?;
        let block = &self.objects[index].block;
        Ok((block.number(offset, length), block.mask(offset, length)))
    }

    fn expose_bytes(&mut self, index: usize, offset: usize, length: usize) {
        for id in self.objects[index].block.pointers_in(offset, length) {
            self.expose(id);
        }
    }

    /// Stores a scalar.
    pub(crate) fn store(&mut self, pointer: Pointer, shape: Shape, value: Scalar) -> Run<()> {
        let length = shape.value_bytes(self.model());
        let (index, offset) = self.resolve(pointer, length as u64, Access::Write)?;
        let block = &mut self.objects[index].block;
        match value {
            Scalar::Int(value) => block.set_number(offset, length, value as u128),
            Scalar::Float(bits) => block.set_number(offset, length, bits),
            Scalar::Pointer(pointer) => block.set_pointer(offset, length, pointer),
        }
        self.charge(index)
    }

    /// The bits of a bit-field, and which of them are set.
    pub(crate) fn load_bits(&self, pointer: Pointer, range: BitRange) -> Run<(u128, u128)> {
        let length = bit_field_bytes(range) as u64;
        let (index, offset) = self.resolve(pointer, length, Access::Read)?;
        let block = &self.objects[index].block;
        Ok((block.bits(offset, range), block.bits_mask(offset, range)))
    }

    /// Stores the low bits of a value in a bit-field.
    pub(crate) fn store_bits(&mut self, pointer: Pointer, range: BitRange, value: u128) -> Run<()> {
        let length = bit_field_bytes(range) as u64;
        let (index, offset) = self.resolve(pointer, length, Access::Write)?;
        self.objects[index].block.set_bits(offset, range, value);
        self.charge(index)
    }

    /// Makes a bit-field indeterminate.
    pub(crate) fn unset_bits(&mut self, pointer: Pointer, range: BitRange) -> Run<()> {
        let length = bit_field_bytes(range) as u64;
        let (index, offset) = self.resolve(pointer, length, Access::Write)?;
        self.objects[index].block.unset_bits(offset, range);
        Ok(())
    }

    /// A copy of some bytes with everything that is known about them. What is not known has the same value in both.
    pub(crate) fn extract(&mut self, pointer: Pointer, length: u64) -> Run<Block> {
        if length == 0 {
            return Ok(Block::zeroed(0));
        }
        let (index, offset) = self.resolve(pointer, length, Access::Read)?;
        self.check_length(index, length)?;
        self.name_unknowns(index, offset, length as usize)?;
        Ok(self.objects[index].block.extract(offset, length as usize))
    }

    /// Stores a whole block.
    pub(crate) fn insert(&mut self, pointer: Pointer, block: &Block) -> Run<()> {
        if block.len() == 0 {
            return Ok(());
        }
        let (index, offset) = self.resolve(pointer, block.len() as u64, Access::Write)?;
        self.check_length(index, block.len() as u64)?;
        self.objects[index].block.insert(offset, block);
        self.charge(index)
    }

    /// Stores the same byte in a whole range.
    pub(crate) fn fill(&mut self, pointer: Pointer, length: u64, byte: u8) -> Run<()> {
        if length == 0 {
            return Ok(());
        }
        let (index, offset) = self.resolve(pointer, length, Access::Write)?;
        self.check_length(index, length)?;
        self.objects[index].block.fill(offset, length as usize, byte);
        self.charge(index)
    }

    /// Stores bytes.
    pub(crate) fn write(&mut self, pointer: Pointer, bytes: &[u8]) -> Run<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (index, offset) = self.resolve(pointer, bytes.len() as u64, Access::Write)?;
        self.objects[index].block.set_bytes(offset, bytes);
        self.charge(index)
    }

    /// Makes a range indeterminate.
    pub(crate) fn unset(&mut self, pointer: Pointer, length: u64) -> Run<()> {
        if length == 0 {
            return Ok(());
        }
        let (index, offset) = self.resolve(pointer, length, Access::Write)?;
        self.check_length(index, length)?;
        self.objects[index].block.unset(offset, length as usize);
        Ok(())
    }
}

fn invalid(pointer: Pointer, access: Access) -> Stop {
    if pointer.is_null() {
        return Undefined::NullPointer { access }.into();
    }
    Undefined::InvalidPointer { access, address: pointer.address }.into()
}
