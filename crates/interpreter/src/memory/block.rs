//! Bytes with what C knows about them: which bits are set, which bytes hold a pointer, and which unknown bytes are copies
//! of each other.

use std::collections::BTreeMap;

use rorqual_cfa::BitRange;

use super::bytes::Bytes;
use crate::guide::CellBits;
use crate::value::{ObjectId, Pointer};

/// Which bits of a block have a value.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mask {
    All,
    /// One bit for each bit.
    Bits(Bytes),
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
pub(crate) struct StoredPointer {
    provenance: Option<ObjectId>,
    /// How many bytes it has.
    length: usize,
}

/// The number of a byte that had no value when it was copied. All its copies have this number, so that they get one value.
pub(crate) type UnknownId = u64;

/// Bytes without value one after the other that were copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Unknowns {
    first: UnknownId,
    length: usize,
}

/// The content of an object or of a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    bytes: Bytes,
    mask: Mask,
    /// The pointers that were stored whole, by offset. A null pointer has no entry; a pointer
    /// that belongs to no object has one, so that it gains none by being stored.
    pointers: BTreeMap<usize, StoredPointer>,
    /// By offset. Bits that have got a value since are none of them.
    unknowns: BTreeMap<usize, Unknowns>,
}

impl Block {
    /// A block of zeros.
    pub(crate) fn zeroed(size: usize) -> Block {
        Block::of(Bytes::filled(size, 0), Mask::All)
    }

    /// A block that has the given bytes.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Block {
        Block::of(Bytes::Piece(bytes), Mask::All)
    }

    /// A block without values.
    pub(crate) fn indeterminate(size: usize) -> Block {
        Block::of(Bytes::filled(size, 0), Mask::Bits(Bytes::filled(size, 0)))
    }

    fn of(bytes: Bytes, mask: Mask) -> Block {
        Block { bytes, mask, pointers: BTreeMap::new(), unknowns: BTreeMap::new() }
    }

    /// Makes this an indeterminate block of another size, reusing its memory if there is some.
    pub(crate) fn reset(&mut self, size: usize) {
        self.bytes.reset(size, 0);
        match &mut self.mask {
            Mask::Bits(bits) => bits.reset(size, 0),
            mask @ Mask::All => *mask = Mask::Bits(Bytes::filled(size, 0)),
        }
        self.pointers.clear();
        self.unknowns.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// How many bytes are kept.
    pub(crate) fn occupied(&self) -> usize {
        self.bytes.occupied()
    }

    /// Up to 16 bytes as a number, whether they are set or not.
    pub(crate) fn number(&self, offset: usize, length: usize) -> u128 {
        let mut buffer = [0; 16];
        self.bytes.read(offset, &mut buffer[..length]);
        u128::from_le_bytes(buffer)
    }

    /// Whether all bits of a range of bytes are set.
    pub(crate) fn is_set(&self, offset: usize, length: usize) -> bool {
        match &self.mask {
            Mask::All => true,
            Mask::Bits(bits) => bits.is_filled(offset, length, 0xff),
        }
    }

    /// The mask of up to 16 bytes: one for each bit that is set.
    pub(crate) fn mask(&self, offset: usize, length: usize) -> u128 {
        let mut buffer = [0xff; 16];
        if let Mask::Bits(bits) = &self.mask {
            bits.read(offset, &mut buffer[..length]);
        }
        u128::from_le_bytes(buffer)
    }

    /// Stores a number in up to 16 bytes.
    pub(crate) fn set_number(&mut self, offset: usize, length: usize, value: u128) {
        self.bytes.write(offset, &value.to_le_bytes()[..length]);
        self.mark(offset, length);
        self.forget_pointers(offset, length);
    }

    /// Stores bytes.
    pub(crate) fn set_bytes(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes.write(offset, bytes);
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
        self.bytes.fill(offset, length, byte);
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
        self.explicit_mask().fill(offset, length, 0);
        self.forget_pointers(offset, length);
        self.forget_unknowns(offset, length);
    }

    /// The bits of a bit-field that starts in the byte at `offset`.
    pub(crate) fn bits(&self, offset: usize, range: BitRange) -> u128 {
        gather(&field(&self.bytes, offset, range), range)
    }

    /// The mask of the bits of a bit-field.
    pub(crate) fn bits_mask(&self, offset: usize, range: BitRange) -> u128 {
        match &self.mask {
            Mask::All => u128::MAX,
            Mask::Bits(bits) => gather(&field(bits, offset, range), range),
        }
    }

    /// Stores the low bits of `value` in a bit-field.
    pub(crate) fn set_bits(&mut self, offset: usize, range: BitRange, value: u128) {
        set_field(&mut self.bytes, offset, range, value);
        if let Mask::Bits(bits) = &mut self.mask {
            set_field(bits, offset, range, u128::MAX);
        }
        self.forget_pointers(offset, bit_field_bytes(range));
    }

    /// Makes a bit-field indeterminate.
    pub(crate) fn unset_bits(&mut self, offset: usize, range: BitRange) {
        set_field(self.explicit_mask(), offset, range, 0);
        self.forget_unknowns(offset, bit_field_bytes(range));
    }

    /// Gives bits that stay indeterminate the values which a guide keeps for them. What lies beyond the
    /// end is dropped.
    pub(crate) fn hide(&mut self, cell: CellBits) {
        let start = (cell.bit_offset % 8) as u32;
        let offset = usize::try_from(cell.bit_offset / 8).unwrap_or(usize::MAX);
        let range = BitRange { start, width: cell.width.min(128) };
        if offset.saturating_add(bit_field_bytes(range)) <= self.len() {
            set_field(&mut self.bytes, offset, range, cell.bits);
        }
    }

    /// A copy of a range.
    pub(crate) fn extract(&self, offset: usize, length: usize) -> Block {
        let end = offset + length;
        let starting = self.pointers.range(offset..end);
        let whole = starting.filter(|(at, stored)| *at + stored.length <= end);
        Block {
            bytes: self.bytes.extract(offset, length),
            mask: match &self.mask {
                Mask::All => Mask::All,
                Mask::Bits(bits) => Mask::Bits(bits.extract(offset, length)),
            },
            pointers: whole.map(|(&at, &stored)| (at - offset, stored)).collect(),
            unknowns: self.unknowns_in(offset, length).map(|(at, run)| (at - offset, run)).collect(),
        }
    }

    /// Stores a whole block.
    pub(crate) fn insert(&mut self, offset: usize, block: &Block) {
        let length = block.len();
        self.bytes.insert(offset, &block.bytes);
        match (&block.mask, &mut self.mask) {
            (Mask::All, _) => self.mark(offset, length),
            (Mask::Bits(from), Mask::Bits(to)) => to.insert(offset, from),
            (Mask::Bits(from), Mask::All) => self.explicit_mask().insert(offset, from),
        }
        self.forget_pointers(offset, length);
        for (&at, &stored) in &block.pointers {
            self.pointers.insert(offset + at, stored);
        }
        self.forget_unknowns(offset, length);
        for (&at, &run) in &block.unknowns {
            self.unknowns.insert(offset + at, run);
        }
    }

    /// Gives numbers to all bytes of a range that have no value, from `next` on. The first number that is left.
    pub(crate) fn name_unknowns(&mut self, offset: usize, length: usize, mut next: UnknownId) -> UnknownId {
        if self.is_set(offset, length) {
            return next;
        }
        let mut at = offset;
        while at < offset + length {
            let known = self.unknowns_in(at, offset + length - at).next();
            let end = known.map_or(offset + length, |(start, _)| start);
            let unset: Vec<usize> = (at..end).filter(|&at| self.mask(at, 1) & 0xff != 0xff).collect();
            for run in unset.chunk_by(|one, other| one + 1 == *other) {
                self.unknowns.insert(run[0], Unknowns { first: next, length: run.len() });
                next += run.len() as u64;
            }
            at = known.map_or(end, |(start, run)| start + run.length);
        }
        next
    }

    /// The number of the byte at an offset, if it was unknown when it was copied.
    pub(crate) fn unknown(&self, offset: usize) -> Option<UnknownId> {
        let (start, run) = self.unknowns_in(offset, 1).next()?;
        Some(run.first + (offset - start) as u64)
    }

    pub(crate) fn has_unknowns(&self) -> bool {
        !self.unknowns.is_empty()
    }

    /// The pointer that was stored at exactly this offset.
    pub(crate) fn stored_pointer(&self, offset: usize) -> Option<StoredPointer> {
        self.pointers.get(&offset).copied()
    }

    /// Gives bits of a byte that have none a value, and perhaps the pointer that starts there.
    pub(crate) fn learn(&mut self, offset: usize, value: u8, known: u8, pointer: Option<StoredPointer>) {
        let own = self.mask(offset, 1) as u8;
        let (bits, new) = (self.number(offset, 1) as u8, known & !own);
        self.bytes.write(offset, &[(bits & !new) | (value & new)]);
        self.explicit_mask().write(offset, &[own | new]);
        if let Some(pointer) = pointer.filter(|_| own == 0) {
            self.pointers.insert(offset, pointer);
        }
    }

    /// The parts of runs of unknown bytes that lie in a range.
    fn unknowns_in(&self, offset: usize, length: usize) -> impl Iterator<Item = (usize, Unknowns)> {
        let before = self.unknowns.range(..offset).next_back();
        let inside = self.unknowns.range(offset..offset + length);
        before.into_iter().chain(inside).filter_map(move |(&start, &run)| {
            let (from, to) = (start.max(offset), (start + run.length).min(offset + length));
            let first = run.first + (from - start) as u64;
            (from < to).then(|| (from, Unknowns { first, length: to - from }))
        })
    }

    fn forget_unknowns(&mut self, offset: usize, length: usize) {
        if self.unknowns.is_empty() {
            return;
        }
        let end = offset + length;
        let behind: Vec<(usize, Unknowns)> = self.unknowns_in(end, self.len() - end).take(1).collect();
        let before: Option<(usize, Unknowns)> = self
            .unknowns
            .range(..offset)
            .next_back()
            .map(|(&at, &run)| (at, Unknowns { length: run.length.min(offset - at), ..run }));
        self.unknowns.retain(|&at, _| !(offset..end).contains(&at));
        self.unknowns.extend(before.into_iter().chain(behind));
    }

    fn mark(&mut self, offset: usize, length: usize) {
        if let Mask::Bits(bits) = &mut self.mask {
            bits.fill(offset, length, 0xff);
        }
    }

    fn explicit_mask(&mut self) -> &mut Bytes {
        if self.mask == Mask::All {
            self.mask = Mask::Bits(Bytes::filled(self.bytes.len(), 0xff));
        }
        match &mut self.mask {
            Mask::Bits(bits) => bits,
            Mask::All => &mut self.bytes,
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

/// The bytes that a bit-field touches: at most 17.
type Field = [u8; 17];

fn field(bytes: &Bytes, offset: usize, range: BitRange) -> Field {
    let mut field = Field::default();
    bytes.read(offset, &mut field[..bit_field_bytes(range)]);
    field
}

fn set_field(bytes: &mut Bytes, offset: usize, range: BitRange, value: u128) {
    let mut field = field(bytes, offset, range);
    scatter(&mut field, range, value);
    bytes.write(offset, &field[..bit_field_bytes(range)]);
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

    #[test]
    fn copies_of_unknown_bytes_have_their_numbers() {
        let mut block = Block::indeterminate(8);
        block.set_number(2, 2, 7);
        assert_eq!(block.name_unknowns(0, 8, 10), 16);
        let mut other = Block::indeterminate(8);
        other.insert(1, &block.extract(1, 5));
        assert_eq!((other.unknown(1), other.unknown(2), other.unknown(4)), (Some(11), None, Some(12)));
        assert_eq!(other.name_unknowns(0, 8, 16), 19, "only the bytes that have no numbers get new ones");
        assert_eq!((other.unknown(0), other.unknown(1), other.unknown(7)), (Some(16), Some(11), Some(18)));
        other.unset(4, 1);
        assert_eq!((other.unknown(4), other.unknown(5)), (None, Some(13)));
        other.learn(5, 0xab, 0xff, None);
        assert_eq!((other.number(5, 1), other.is_set(5, 1)), (0xab, true));
    }
}
