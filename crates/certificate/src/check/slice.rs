//! Some bytes or bits of a cell that holds all bytes of a union, or of a variable of which only bytes are known.

use rorqual_logic::{Bits, Term};

use super::step::Step;

/// Some bits of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slice {
    /// From one bit to another.
    Fixed { high: u32, low: u32 },
    /// So many bits from a byte on that is not known, and from a bit of it on.
    From { byte: Term, bit: u32, width: u32 },
}

impl Step<'_> {
    /// The slice of `width` bits from a byte of a cell on, and whether it lies in the cell.
    pub(super) fn slice(&mut self, cell: u32, byte: Term, (bit, width): (u32, u32)) -> (Term, Slice) {
        if let Some(bits) = self.pool.as_bits(byte) {
            let start = bits.to_u64().and_then(|byte| u32::try_from(byte.checked_mul(8)?).ok());
            let low = start.and_then(|start| start.checked_add(bit));
            let slice = low.and_then(|low| Some((low, low.checked_add(width)?)));
            return match slice.filter(|&(_, end)| end <= cell) {
                Some((low, end)) => (self.pool.top(), Slice::Fixed { high: end - 1, low }),
                None => (self.pool.bottom(), Slice::Fixed { high: width - 1, low: 0 }),
            };
        }
        let needed = (bit + width).div_ceil(8);
        let Some(last) = (cell / 8).checked_sub(needed) else {
            return (self.pool.bottom(), Slice::Fixed { high: cell - 1, low: 0 });
        };
        let last = self.pool.bv(last, self.world.pointer_width);
        (self.pool.bv_ule(byte, last), Slice::From { byte, bit, width })
    }

    /// What is in a slice.
    pub(super) fn sliced(&mut self, cell: Term, slice: Option<Slice>) -> Term {
        match slice {
            None => cell,
            Some(Slice::Fixed { high, low }) => self.pool.bv_extract(cell, high, low),
            Some(Slice::From { byte, bit, width }) => {
                let count = self.shift_count(cell, byte, bit);
                let moved = self.pool.bv_lshr(cell, count);
                self.pool.bv_extract(moved, width - 1, 0)
            }
        }
    }

    /// A cell with a slice replaced.
    pub(super) fn replaced(&mut self, old: Term, slice: Option<Slice>, value: Term) -> Term {
        match slice {
            None => value,
            Some(Slice::Fixed { high, low }) => self.spliced(old, (high, low), value),
            Some(Slice::From { byte, bit, width }) => {
                let count = self.shift_count(old, byte, bit);
                let all = self.pool.width(old);
                let ones = self.pool.bits(Bits::ones(width));
                let (ones, value) =
                    (self.pool.bv_zero_extend(ones, all), self.pool.bv_zero_extend(value, all));
                let (hole, value) = (self.pool.bv_shl(ones, count), self.pool.bv_shl(value, count));
                let around = self.pool.bv_not(hole);
                let kept = self.pool.bv_and(old, around);
                self.pool.bv_or(kept, value)
            }
        }
    }

    fn spliced(&mut self, old: Term, (high, low): (u32, u32), value: Term) -> Term {
        let mut new = value;
        if low > 0 {
            let below = self.pool.bv_extract(old, low - 1, 0);
            new = self.pool.bv_concat(new, below);
        }
        let width = self.pool.width(old);
        if high + 1 < width {
            let above = self.pool.bv_extract(old, width - 1, high + 1);
            new = self.pool.bv_concat(above, new);
        }
        new
    }

    /// By how many bits a cell is shifted to bring a byte to its low end. Bytes beyond the cell do not matter.
    fn shift_count(&mut self, cell: Term, byte: Term, bit: u32) -> Term {
        let width = self.pool.width(cell);
        let count = if self.pool.width(byte) < width {
            self.pool.bv_zero_extend(byte, width)
        } else {
            self.pool.bv_extract(byte, width - 1, 0)
        };
        let (eight, bit) = (self.pool.bv(8u8, width), self.pool.bv(bit, width));
        let bits = self.pool.bv_mul(count, eight);
        self.pool.bv_add(bits, bit)
    }
}
