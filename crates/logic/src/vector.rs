//! Constructors of bit-vector terms: constants, division and shifts. The other operations are in
//! the modules [`sum`](crate::sum), [`bitwise`](crate::bitwise), [`slice`](crate::slice) and
//! [`compare`](crate::compare).

use dashu::base::BitTest;
use dashu::integer::UBig;

use crate::bits::Bits;
use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;

impl TermPool {
    /// A constant.
    pub fn bits(&mut self, bits: Bits) -> Term {
        let sort = Sort::BitVec(bits.width());
        self.intern(Op::Bits(bits), &[], sort)
    }

    /// The constant `value` modulo 2^width.
    pub fn bv(&mut self, value: impl Into<UBig>, width: u32) -> Term {
        self.bits(Bits::new(value, width))
    }

    pub(crate) fn both(&self, lhs: Term, rhs: Term) -> Option<(&Bits, &Bits)> {
        Some((self.as_bits(lhs)?, self.as_bits(rhs)?))
    }

    pub(crate) fn folded(&mut self, lhs: Term, rhs: Term, fold: fn(&Bits, &Bits) -> Bits) -> Option<Term> {
        let value = self.both(lhs, rhs).map(|(lhs, rhs)| fold(lhs, rhs))?;
        Some(self.bits(value))
    }

    pub(crate) fn same_width(&self, lhs: Term, rhs: Term) -> u32 {
        let width = self.width(lhs);
        assert_eq!(width, self.width(rhs), "both operands have one width");
        width
    }

    pub(crate) fn is_zero(&self, term: Term) -> bool {
        self.as_bits(term).is_some_and(Bits::is_zero)
    }

    pub(crate) fn is_one(&self, term: Term) -> bool {
        self.as_bits(term).is_some_and(Bits::is_one)
    }

    pub(crate) fn is_ones(&self, term: Term) -> bool {
        self.as_bits(term).is_some_and(Bits::is_ones)
    }

    pub(crate) fn zero(&mut self, width: u32) -> Term {
        self.bv(0u8, width)
    }

    /// A constant operand comes first, else the smaller term.
    pub(crate) fn ordered(&self, lhs: Term, rhs: Term) -> (Term, Term) {
        let rank = |term: Term| (self.as_bits(term).is_none(), term);
        if rank(lhs) <= rank(rhs) { (lhs, rhs) } else { (rhs, lhs) }
    }

    /// `bvudiv`
    pub fn bv_udiv(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::udiv) {
            return value;
        }
        match self.as_bits(rhs).and_then(Bits::log2) {
            Some(0) => lhs,
            Some(count) => {
                let count = self.bv(count, width);
                self.bv_lshr(lhs, count)
            }
            None => self.quotient(lhs, rhs),
        }
    }

    /// A quotient that is divided again is divided by the product.
    fn quotient(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.width(lhs);
        if let (Op::BvUdiv, &[inner, first]) = (self.op(lhs), self.arguments(lhs))
            && let (Some(first), Some(second)) = (self.as_bits(first), self.as_bits(rhs))
            && !first.is_zero()
            && !second.is_zero()
        {
            let product = first.unsigned() * second.unsigned();
            if product.bit_len() > width as usize {
                return self.zero(width);
            }
            let product = self.bv(product, width);
            return self.bv_udiv(inner, product);
        }
        self.division_by_range(lhs, rhs, true)
            .unwrap_or_else(|| self.intern(Op::BvUdiv, &[lhs, rhs], Sort::BitVec(width)))
    }

    /// `bvurem`
    pub fn bv_urem(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::urem) {
            return value;
        }
        match self.as_bits(rhs).and_then(Bits::log2) {
            Some(0) => self.zero(width),
            Some(count) => {
                let low = self.bv_extract(lhs, count - 1, 0);
                self.bv_zero_extend(low, width)
            }
            None => self
                .division_by_range(lhs, rhs, false)
                .unwrap_or_else(|| self.intern(Op::BvUrem, &[lhs, rhs], Sort::BitVec(width))),
        }
    }

    /// A quotient or remainder that the ranges of the operands show to be simpler: one of the two cases of a dividend less
    /// than twice the divisor, or one of fewer bits.
    fn division_by_range(&mut self, lhs: Term, rhs: Term, is_quotient: bool) -> Option<Term> {
        let width = self.width(lhs);
        let ((_, most), (divisor, divisor_most)) = (self.unsigned_range(lhs)?, self.unsigned_range(rhs)?);
        if most < divisor {
            return Some(if is_quotient { self.zero(width) } else { lhs });
        }
        if most / 2 < divisor {
            let is_less = self.bv_ult(lhs, rhs);
            let (less, not_less) = if is_quotient {
                (self.zero(width), self.bv(1u8, width))
            } else {
                (lhs, self.bv_sub(lhs, rhs))
            };
            return Some(self.ite(is_less, less, not_less));
        }
        // What a division by zero gives depends on the width.
        let bits = (u128::BITS - most.max(divisor_most).leading_zeros()).max(1);
        if bits >= width || is_quotient && divisor == 0 {
            return None;
        }
        let [lhs, rhs] = [lhs, rhs].map(|term| self.bv_extract(term, bits - 1, 0));
        let narrow = if is_quotient { self.bv_udiv(lhs, rhs) } else { self.bv_urem(lhs, rhs) };
        Some(self.bv_zero_extend(narrow, width))
    }

    /// Whether the form of the term shows that its highest bit is zero.
    pub(crate) fn is_never_negative(&self, term: Term) -> bool {
        match self.op(term) {
            Op::ZeroExtend => true,
            Op::Bits(bits) => !bits.sign(),
            Op::BvUdiv | Op::BvUrem | Op::BvLshr | Op::BvAnd | Op::BvAdd | Op::Ite => {
                let half = 1u128 << (self.width(term).min(128) - 1);
                self.unsigned_range(term).is_some_and(|(_, most)| most < half)
            }
            _ => false,
        }
    }

    /// `bvsdiv`
    pub fn bv_sdiv(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::sdiv) {
            return value;
        }
        if self.is_ones(rhs) {
            return self.bv_neg(lhs);
        }
        if self.is_one(rhs) {
            return lhs;
        }
        if self.is_never_negative(lhs) && self.is_never_negative(rhs) {
            return self.bv_udiv(lhs, rhs);
        }
        self.intern(Op::BvSdiv, &[lhs, rhs], Sort::BitVec(width))
    }

    /// `bvsrem`
    pub fn bv_srem(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::srem) {
            return value;
        }
        if self.is_one(rhs) || self.is_ones(rhs) {
            return self.zero(width);
        }
        if self.is_never_negative(lhs) && self.is_never_negative(rhs) {
            return self.bv_urem(lhs, rhs);
        }
        self.intern(Op::BvSrem, &[lhs, rhs], Sort::BitVec(width))
    }

    /// `bvsmod`: the remainder with the sign of the divisor.
    pub fn bv_smod(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        let zero = self.zero(width);
        let remainder = self.bv_srem(lhs, rhs);
        let (lhs_negative, rhs_negative) = (self.bv_slt(lhs, zero), self.bv_slt(rhs, zero));
        let same_sign = self.eq(lhs_negative, rhs_negative);
        let is_zero = self.eq(remainder, zero);
        let keep = self.or2(same_sign, is_zero);
        let moved = self.bv_add(remainder, rhs);
        self.ite(keep, remainder, moved)
    }

    fn shift(&mut self, op: Op, lhs: Term, rhs: Term, fold: fn(&Bits, &Bits) -> Bits) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, fold) {
            return value;
        }
        if self.is_zero(rhs) || self.is_zero(lhs) {
            return lhs;
        }
        self.intern(op, &[lhs, rhs], Sort::BitVec(width))
    }

    /// The count of a shift by a constant, at most the width.
    fn constant_count(&self, count: Term) -> Option<u32> {
        let bits = self.as_bits(count)?;
        let count = bits.to_u64().unwrap_or(u64::MAX);
        Some(count.min(u64::from(bits.width())) as u32)
    }

    /// `bvshl`; by a constant, it is a multiple.
    pub fn bv_shl(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(count) = self.constant_count(rhs) {
            let factor = self.bv(UBig::ONE << count as usize, width);
            return self.bv_mul(factor, lhs);
        }
        self.shift(Op::BvShl, lhs, rhs, Bits::shl)
    }

    /// `bvlshr`
    pub fn bv_lshr(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if self.constant_count(rhs) == Some(width) {
            return self.zero(width);
        }
        self.shift(Op::BvLshr, lhs, rhs, Bits::lshr)
    }

    /// `bvashr`
    pub fn bv_ashr(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if self.constant_count(rhs) == Some(width) {
            let all_but_one = self.bv(width - 1, width);
            return self.bv_ashr(lhs, all_but_one);
        }
        if self.is_never_negative(lhs) {
            return self.bv_lshr(lhs, rhs);
        }
        self.shift(Op::BvAshr, lhs, rhs, Bits::ashr)
    }
}
