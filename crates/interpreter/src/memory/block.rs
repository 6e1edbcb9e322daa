//! Bytes with what C knows about them: which bits are set, and which bytes hold a pointer.

use std::collections::BTreeMap;

use rorqual_cfa::BitRange;

use crate::guide::CellBits;
use crate::value::{ObjectId, Pointer};

/// Which bits of a block have a value.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mask {
    All,
    /// One bit for each bit.
    Bits(Vec<u8>),
}

/// How the bytes at some offset came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stored {
    /// As numbers, or as a null pointer.
    Number,
    /// As a pointer, which may belong to an object.
    Pointer(Option<ObjectId>),
}

/// What is known about a pointer that was stored whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StoredPointer {
    provenance: Option<ObjectId>,
    /// How many bytes it has.
    length: usize,
}

/// The content of an object or of a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    bytes: Vec<u8>,
    mask: Mask,
    /// The pointers that were stored whole, by offset. A null pointer has no entry; a pointer
    /// that belongs to no object has one, so that it gains none by being stored.
    pointers: BTreeMap<usize, StoredPointer>,
}

impl Block {
    /// A block of zeros.
    pub(crate) fn zeroed(size: usize) -> Block {
        Block::from_bytes(vec![0; size])
    }

    /// A block that has the given bytes.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Block {
        Block { bytes, mask: Mask::All, pointers: BTreeMap::new() }
    }

    /// A block without values.
    pub(crate) fn indeterminate(size: usize) -> Block {
        Block { bytes: vec![0; size], mask: Mask::Bits(vec![0; size]), pointers: BTreeMap::new() }
    }

    /// Makes this an indeterminate block of another size, reusing its memory if there is some.
    pub(crate) fn reset(&mut self, size: usize) {
        if self.bytes.capacity() < size {
            *self = Block::indeterminate(size);
            return;
        }
        self.bytes.clear();
        self.bytes.resize(size, 0);
        match &mut self.mask {
            Mask::Bits(bits) => {
                bits.clear();
                bits.resize(size, 0);
            }
            mask @ Mask::All => *mask = Mask::Bits(vec![0; size]),
        }
        self.pointers.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Up to 16 bytes as a number, whether they are set or not.
    pub(crate) fn number(&self, offset: usize, length: usize) -> u128 {
        let mut buffer = [0; 16];
        buffer[..length].copy_from_slice(&self.bytes[offset..offset + length]);
        u128::from_le_bytes(buffer)
    }

    /// Whether all bits of a range of bytes are set.
    pub(crate) fn is_set(&self, offset: usize, length: usize) -> bool {
        match &self.mask {
            Mask::All => true,
            Mask::Bits(bits) => bits[offset..offset + length].iter().all(|&byte| byte == 0xff),
        }
    }

    /// The mask of up to 16 bytes: one for each bit that is set.
    pub(crate) fn mask(&self, offset: usize, length: usize) -> u128 {
        let mut buffer = [0xff; 16];
        if let Mask::Bits(bits) = &self.mask {
            buffer[..length].copy_from_slice(&bits[offset..offset + length]);
        }
        u128::from_le_bytes(buffer)
    }

    /// Stores a number in up to 16 bytes.
    pub(crate) fn set_number(&mut self, offset: usize, length: usize, value: u128) {
        self.bytes[offset..offset + length].copy_from_slice(&value.to_le_bytes()[..length]);
        self.mark(offset, length);
        self.forget_pointers(offset, length);
    }

    /// Stores bytes.
    pub(crate) fn set_bytes(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.mark(offset, bytes.len());
        self.forget_pointers(offset, bytes.len());
    }

    /// Stores the same byte in a whole range.
    pub(crate) fn fill(&mut self, offset: usize, length: usize, byte: u8) {
        if byte == 0 && length == self.len() {
            // Fresh zeros come from the system without being touched.
            *self = Block::zeroed(length);
            return;
        }
        self.bytes[offset..offset + length].fill(byte);
        self.mark(offset, length);
        self.forget_pointers(offset, length);
    }

    /// Stores a pointer with its provenance.
    pub(crate) fn set_pointer(&mut self, offset: usize, length: usize, pointer: Pointer) {
        self.set_number(offset, length, u128::from(pointer.address));
        if pointer.address != 0 {
            let provenance = pointer.provenance;
            self.pointers.insert(offset, StoredPointer { provenance, length });
        }
    }

    /// What was stored at exactly this offset.
    pub(crate) fn stored(&self, offset: usize) -> Stored {
        match self.pointers.get(&offset) {
            Some(stored) => Stored::Pointer(stored.provenance),
            None => Stored::Number,
        }
    }

    /// The objects whose pointers have bytes in a range.
    pub(crate) fn pointers_in(&self, offset: usize, length: usize) -> Vec<ObjectId> {
        if self.pointers.is_empty() {
            return Vec::new();
        }
        let touched = self.touched(offset, length);
        touched.filter_map(|(_, stored)| stored.provenance).collect()
    }

    /// The stored pointers that have bytes in a range.
    fn touched(&self, offset: usize, length: usize) -> impl Iterator<Item = (usize, StoredPointer)> {
        let near = self.pointers.range(offset.saturating_sub(7)..offset + length);
        near.map(|(&at, &stored)| (at, stored)).filter(move |(at, stored)| at + stored.length > offset)
    }

    /// Makes a range indeterminate.
    pub(crate) fn unset(&mut self, offset: usize, length: usize) {
        self.explicit_mask()[offset..offset + length].fill(0);
        self.forget_pointers(offset, length);
    }

    /// The bits of a bit-field that starts in the byte at `offset`.
    pub(crate) fn bits(&self, offset: usize, range: BitRange) -> u128 {
        gather(&self.bytes[offset..], range)
    }

    /// The mask of the bits of a bit-field.
    pub(crate) fn bits_mask(&self, offset: usize, range: BitRange) -> u128 {
        match &self.mask {
            Mask::All => u128::MAX,
            Mask::Bits(bits) => gather(&bits[offset..], range),
        }
    }

    /// Stores the low bits of `value` in a bit-field.
    pub(crate) fn set_bits(&mut self, offset: usize, range: BitRange, value: u128) {
        scatter(&mut self.bytes[offset..], range, value);
        if let Mask::Bits(bits) = &mut self.mask {
            scatter(&mut bits[offset..], range, u128::MAX);
        }
        self.forget_pointers(offset, bit_field_bytes(range));
    }

    /// Makes a bit-field indeterminate.
    pub(crate) fn unset_bits(&mut self, offset: usize, range: BitRange) {
        scatter(&mut self.explicit_mask()[offset..], range, 0);
    }

    /// Gives bits that stay indeterminate the values which a guide keeps for them. What lies beyond the
    /// end is dropped.
    pub(crate) fn hide(&mut self, cell: CellBits) {
        let start = (cell.bit_offset % 8) as u32;
        let offset = usize::try_from(cell.bit_offset / 8).unwrap_or(usize::MAX);
        let range = BitRange { start, width: cell.width.min(128) };
        if offset.saturating_add(bit_field_bytes(range)) <= self.len() {
            scatter(&mut self.bytes[offset..], range, cell.bits);
        }
    }

    /// A copy of a range.
    pub(crate) fn extract(&self, offset: usize, length: usize) -> Block {
        let range = offset..offset + length;
        let starting = self.pointers.range(range.clone());
        let whole = starting.filter(|(at, stored)| *at + stored.length <= range.end);
        Block {
            bytes: self.bytes[range.clone()].to_vec(),
            mask: match &self.mask {
                Mask::All => Mask::All,
                Mask::Bits(bits) => Mask::Bits(bits[range.clone()].to_vec()),
            },
            pointers: whole.map(|(&at, &stored)| (at - offset, stored)).collect(),
        }
    }

    /// Stores a whole block.
    pub(crate) fn insert(&mut self, offset: usize, block: &Block) {
        let length = block.len();
        self.bytes[offset..offset + length].copy_from_slice(&block.bytes);
        match (&block.mask, &mut self.mask) {
            (Mask::All, _) => self.mark(offset, length),
            (Mask::Bits(from), Mask::Bits(to)) => to[offset..offset + length].copy_from_slice(from),
            (Mask::Bits(from), Mask::All) => {
                self.explicit_mask()[offset..offset + length].copy_from_slice(from);
            }
        }
        self.forget_pointers(offset, length);
        for (&at, &stored) in &block.pointers {
            self.pointers.insert(offset + at, stored);
        }
    }

    fn mark(&mut self, offset: usize, length: usize) {
        if let Mask::Bits(bits) = &mut self.mask {
            bits[offset..offset + length].fill(0xff);
        }
    }

    fn explicit_mask(&mut self) -> &mut [u8] {
        if self.mask == Mask::All {
            self.mask = Mask::Bits(vec![0xff; self.bytes.len()]);
        }
        match &mut self.mask {
            Mask::Bits(bits) => bits,
            Mask::All => &mut [],
        }
    }

    fn forget_pointers(&mut self, offset: usize, length: usize) {
        if self.pointers.is_empty() {
            return;
        }
        let touched: Vec<usize> = self.touched(offset, length).map(|(at, _)| at).collect();
        for at in touched {
            self.pointers.remove(&at);
        }
    }
}

/// How many bytes a bit-field touches.
pub(crate) fn bit_field_bytes(range: BitRange) -> usize {
    (range.start + range.width).div_ceil(8) as usize
}

fn gather(bytes: &[u8], range: BitRange) -> u128 {
    let mut value = 0;
    for (index, &byte) in bytes[..bit_field_bytes(range)].iter().enumerate() {
        let position = index as i32 * 8 - range.start as i32;
        let byte = u128::from(byte);
        value |= if position < 0 { byte >> -position } else { byte << position };
    }
    if range.width < 128 { value & ((1 << range.width) - 1) } else { value }
}

fn scatter(bytes: &mut [u8], range: BitRange, value: u128) {
    for bit in 0..range.width {
        let at = range.start + bit;
        let mask = 1 << (at % 8);
        let byte = &mut bytes[at as usize / 8];
        *byte = if value >> bit & 1 == 1 { *byte | mask } else { *byte & !mask };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_fields_may_span_bytes_and_leave_their_neighbours_alone() {
        let mut block = Block::indeterminate(4);
        let range = BitRange { start: 6, width: 11 };
        block.set_bits(1, range, 0b101_1001_0011);
        assert_eq!(block.bits(1, range), 0b101_1001_0011);
        assert_eq!(block.bits_mask(1, range), (1 << 11) - 1);
        assert!(!block.is_set(1, 1), "the low bits of the first byte stay unset");
        assert!(block.is_set(2, 1));
        block.unset_bits(1, BitRange { start: 7, width: 1 });
        assert_eq!(block.bits_mask(1, range), 0b111_1111_1101);
    }

    #[test]
    fn pointers_follow_copies_and_do_not_survive_partial_overwrites() {
        let id = ObjectId { index: 3, generation: std::num::NonZeroU32::MIN };
        let mut block = Block::indeterminate(24);
        let pointer = Pointer { address: 64, provenance: Some(id) };
        block.set_pointer(8, 8, pointer);
        let copy = block.extract(8, 8);
        assert_eq!(copy.stored(0), Stored::Pointer(Some(id)));
        let mut other = Block::zeroed(24);
        other.insert(16, &copy);
        assert_eq!(other.stored(16), Stored::Pointer(Some(id)));
        assert_eq!(block.extract(8, 7).stored(0), Stored::Number, "a part of a pointer is no pointer");
        other.set_number(12, 4, 0);
        assert_eq!(other.stored(16), Stored::Pointer(Some(id)));
        other.set_number(20, 1, 0);
        assert_eq!(other.stored(16), Stored::Number);
    }

    #[test]
    fn a_pointer_into_no_object_is_remembered_as_such() {
        let mut block = Block::zeroed(8);
        block.set_pointer(0, 8, Pointer::invalid(7));
        assert_eq!(block.stored(0), Stored::Pointer(None));
    }
}
