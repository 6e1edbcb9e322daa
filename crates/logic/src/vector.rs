//! Constructors of bit-vector terms.

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

    fn both(&self, lhs: Term, rhs: Term) -> Option<(&Bits, &Bits)> {
        Some((self.as_bits(lhs)?, self.as_bits(rhs)?))
    }

    fn folded(&mut self, lhs: Term, rhs: Term, fold: fn(&Bits, &Bits) -> Bits) -> Option<Term> {
        let value = self.both(lhs, rhs).map(|(lhs, rhs)| fold(lhs, rhs))?;
        Some(self.bits(value))
    }

    fn same_width(&self, lhs: Term, rhs: Term) -> u32 {
        let width = self.width(lhs);
        assert_eq!(width, self.width(rhs), "both operands have one width");
        width
    }

    fn is_zero(&self, term: Term) -> bool {
        self.as_bits(term).is_some_and(Bits::is_zero)
    }

    fn is_one(&self, term: Term) -> bool {
        self.as_bits(term).is_some_and(Bits::is_one)
    }

    fn is_ones(&self, term: Term) -> bool {
        self.as_bits(term).is_some_and(Bits::is_ones)
    }

    fn zero(&mut self, width: u32) -> Term {
        self.bv(0u8, width)
    }

    /// A constant operand comes first, else the smaller term.
    fn ordered(&self, lhs: Term, rhs: Term) -> (Term, Term) {
        let rank = |term: Term| (self.as_bits(term).is_none(), term);
        if rank(lhs) <= rank(rhs) { (lhs, rhs) } else { (rhs, lhs) }
    }

    /// `bvnot`
    pub fn bv_not(&mut self, term: Term) -> Term {
        if let Some(bits) = self.as_bits(term) {
            let value = bits.not();
            return self.bits(value);
        }
        match self.op(term) {
            Op::BvNot => self.arguments(term)[0],
            _ => self.intern(Op::BvNot, &[term], self.sort(term)),
        }
    }

    /// `bvneg`
    pub fn bv_neg(&mut self, term: Term) -> Term {
        if let Some(bits) = self.as_bits(term) {
            let value = bits.neg();
            return self.bits(value);
        }
        match self.op(term) {
            Op::BvNeg => self.arguments(term)[0],
            _ => self.intern(Op::BvNeg, &[term], self.sort(term)),
        }
    }

    /// `bvadd`, with constants gathered in front.
    pub fn bv_add(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::add) {
            return value;
        }
        let (lhs, rhs) = self.ordered(lhs, rhs);
        if self.is_zero(lhs) {
            return rhs;
        }
        if *self.op(lhs) == Op::BvNeg && self.arguments(lhs)[0] == rhs
            || *self.op(rhs) == Op::BvNeg && self.arguments(rhs)[0] == lhs
        {
            return self.zero(width);
        }
        // c + (d + x) is (c + d) + x, and x + (c + y) is c + (x + y).
        for (outer, inner) in [(lhs, rhs), (rhs, lhs)] {
            if *self.op(inner) == Op::BvAdd {
                let (first, second) = (self.arguments(inner)[0], self.arguments(inner)[1]);
                if self.as_bits(first).is_some() {
                    let (constant, rest) = if self.as_bits(outer).is_some() {
                        (self.bv_add(outer, first), second)
                    } else {
                        (first, self.bv_add(outer, second))
                    };
                    return self.add_constant(constant, rest);
                }
            }
        }
        self.intern(Op::BvAdd, &[lhs, rhs], Sort::BitVec(width))
    }

    fn add_constant(&mut self, constant: Term, rest: Term) -> Term {
        if self.is_zero(constant) {
            return rest;
        }
        let rest_starts_with_constant =
            *self.op(rest) == Op::BvAdd && self.as_bits(self.arguments(rest)[0]).is_some();
        if rest_starts_with_constant || self.as_bits(rest).is_some() {
            return self.bv_add(constant, rest);
        }
        let sort = self.sort(rest);
        self.intern(Op::BvAdd, &[constant, rest], sort)
    }

    /// `bvsub`
    pub fn bv_sub(&mut self, lhs: Term, rhs: Term) -> Term {
        let rhs = self.bv_neg(rhs);
        self.bv_add(lhs, rhs)
    }

    /// `bvmul`
    pub fn bv_mul(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::mul) {
            return value;
        }
        let (lhs, rhs) = self.ordered(lhs, rhs);
        if self.is_zero(lhs) {
            return lhs;
        }
        if self.is_one(lhs) {
            return rhs;
        }
        if self.is_ones(lhs) {
            return self.bv_neg(rhs);
        }
        self.intern(Op::BvMul, &[lhs, rhs], Sort::BitVec(width))
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
            None => self.intern(Op::BvUdiv, &[lhs, rhs], Sort::BitVec(width)),
        }
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
            None => self.intern(Op::BvUrem, &[lhs, rhs], Sort::BitVec(width)),
        }
    }

    /// `bvsdiv`
    pub fn bv_sdiv(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::sdiv) {
            return value;
        }
        if self.is_one(rhs) && width > 1 {
            return lhs;
        }
        self.intern(Op::BvSdiv, &[lhs, rhs], Sort::BitVec(width))
    }

    /// `bvsrem`
    pub fn bv_srem(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::srem) {
            return value;
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

    /// `bvshl`
    pub fn bv_shl(&mut self, lhs: Term, rhs: Term) -> Term {
        self.shift(Op::BvShl, lhs, rhs, Bits::shl)
    }

    /// `bvlshr`
    pub fn bv_lshr(&mut self, lhs: Term, rhs: Term) -> Term {
        self.shift(Op::BvLshr, lhs, rhs, Bits::lshr)
    }

    /// `bvashr`
    pub fn bv_ashr(&mut self, lhs: Term, rhs: Term) -> Term {
        self.shift(Op::BvAshr, lhs, rhs, Bits::ashr)
    }

    /// `rotate_left` by a constant.
    pub fn bv_rotate_left(&mut self, term: Term, count: u32) -> Term {
        let width = self.width(term);
        let count = count % width;
        if count == 0 {
            return term;
        }
        let high = self.bv_extract(term, width - count - 1, 0);
        let low = self.bv_extract(term, width - 1, width - count);
        self.bv_concat(high, low)
    }

    /// `rotate_right` by a constant.
    pub fn bv_rotate_right(&mut self, term: Term, count: u32) -> Term {
        let width = self.width(term);
        self.bv_rotate_left(term, width - count % width)
    }

    /// `bvand`
    pub fn bv_and(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::and) {
            return value;
        }
        let (lhs, rhs) = self.ordered(lhs, rhs);
        if lhs == rhs || self.is_ones(lhs) {
            return rhs;
        }
        if self.is_zero(lhs) {
            return lhs;
        }
        if self.bv_not(lhs) == rhs {
            return self.zero(width);
        }
        self.intern(Op::BvAnd, &[lhs, rhs], Sort::BitVec(width))
    }

    /// `bvor`
    pub fn bv_or(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::or) {
            return value;
        }
        let (lhs, rhs) = self.ordered(lhs, rhs);
        if lhs == rhs || self.is_zero(lhs) {
            return rhs;
        }
        if self.is_ones(lhs) {
            return lhs;
        }
        if self.bv_not(lhs) == rhs {
            return self.bits(Bits::ones(width));
        }
        self.intern(Op::BvOr, &[lhs, rhs], Sort::BitVec(width))
    }

    /// `bvxor`
    pub fn bv_xor(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        if let Some(value) = self.folded(lhs, rhs, Bits::xor) {
            return value;
        }
        let (lhs, rhs) = self.ordered(lhs, rhs);
        if lhs == rhs {
            return self.zero(width);
        }
        if self.is_zero(lhs) {
            return rhs;
        }
        if self.is_ones(lhs) {
            return self.bv_not(rhs);
        }
        self.intern(Op::BvXor, &[lhs, rhs], Sort::BitVec(width))
    }

    /// `concat`: `high` above `low`.
    pub fn bv_concat(&mut self, high: Term, low: Term) -> Term {
        if let Some(value) = self.folded(high, low, Bits::concat) {
            return value;
        }
        let width = self.width(high) + self.width(low);
        if self.is_zero(high) {
            return self.bv_zero_extend(low, width);
        }
        if let (Op::Extract { high: top, low: middle }, Op::Extract { high: below, low: bottom }) =
            (self.op(high), self.op(low))
            && self.arguments(high) == self.arguments(low)
            && *middle == below + 1
        {
            let (top, bottom, of) = (*top, *bottom, self.arguments(high)[0]);
            return self.bv_extract(of, top, bottom);
        }
        self.intern(Op::Concat, &[high, low], Sort::BitVec(width))
    }

    /// `extract`: the bits from `low` up to and including `high`.
    ///
    /// # Panics
    /// If the term does not have these bits.
    pub fn bv_extract(&mut self, term: Term, high: u32, low: u32) -> Term {
        let width = self.width(term);
        assert!(low <= high && high < width, "bits {low} to {high} of {width}");
        if width == high - low + 1 {
            return term;
        }
        if let Some(bits) = self.as_bits(term) {
            let value = bits.extract(high, low);
            return self.bits(value);
        }
        let arguments: Vec<Term> = self.arguments(term).to_vec();
        match *self.op(term) {
            Op::Extract { low: below, .. } => {
                return self.bv_extract(arguments[0], high + below, low + below);
            }
            Op::Concat => {
                let split = self.width(arguments[1]);
                if high < split {
                    return self.bv_extract(arguments[1], high, low);
                }
                if low >= split {
                    return self.bv_extract(arguments[0], high - split, low - split);
                }
            }
            Op::ZeroExtend | Op::SignExtend => {
                let inner = self.width(arguments[0]);
                if high < inner {
                    return self.bv_extract(arguments[0], high, low);
                }
                if low >= inner && *self.op(term) == Op::ZeroExtend {
                    return self.zero(high - low + 1);
                }
            }
            _ => {}
        }
        self.intern(Op::Extract { high, low }, &[term], Sort::BitVec(high - low + 1))
    }

    /// `zero_extend` to a width.
    ///
    /// # Panics
    /// If the term is wider.
    pub fn bv_zero_extend(&mut self, term: Term, width: u32) -> Term {
        self.extend(Op::ZeroExtend, term, width, Bits::zero_extend)
    }

    /// `sign_extend` to a width.
    ///
    /// # Panics
    /// If the term is wider.
    pub fn bv_sign_extend(&mut self, term: Term, width: u32) -> Term {
        if *self.op(term) == Op::ZeroExtend {
            return self.bv_zero_extend(term, width);
        }
        self.extend(Op::SignExtend, term, width, Bits::sign_extend)
    }

    fn extend(&mut self, op: Op, term: Term, width: u32, fold: fn(&Bits, u32) -> Bits) -> Term {
        let narrow = self.width(term);
        assert!(narrow <= width, "an extension does not shorten");
        if narrow == width {
            return term;
        }
        if let Some(bits) = self.as_bits(term) {
            let value = fold(bits, width);
            return self.bits(value);
        }
        if *self.op(term) == op {
            let inner = self.arguments(term)[0];
            return self.intern(op, &[inner], Sort::BitVec(width));
        }
        self.intern(op, &[term], Sort::BitVec(width))
    }

    /// `bvult`
    pub fn bv_ult(&mut self, lhs: Term, rhs: Term) -> Term {
        self.same_width(lhs, rhs);
        if let Some((lhs, rhs)) = self.both(lhs, rhs) {
            let value = lhs.unsigned() < rhs.unsigned();
            return self.bool(value);
        }
        if lhs == rhs || self.is_zero(rhs) || self.is_ones(lhs) {
            return self.bottom();
        }
        if self.is_zero(lhs) {
            return self.ne(lhs, rhs);
        }
        if self.is_one(rhs) {
            let zero = self.zero(self.width(lhs));
            return self.eq(lhs, zero);
        }
        self.intern(Op::BvUlt, &[lhs, rhs], Sort::Bool)
    }

    /// `bvule`
    pub fn bv_ule(&mut self, lhs: Term, rhs: Term) -> Term {
        let greater = self.bv_ult(rhs, lhs);
        self.not(greater)
    }

    /// `bvslt`
    pub fn bv_slt(&mut self, lhs: Term, rhs: Term) -> Term {
        self.same_width(lhs, rhs);
        if let Some((lhs, rhs)) = self.both(lhs, rhs) {
            let value = lhs.signed() < rhs.signed();
            return self.bool(value);
        }
        if lhs == rhs {
            return self.bottom();
        }
        self.intern(Op::BvSlt, &[lhs, rhs], Sort::Bool)
    }

    /// `bvsle`
    pub fn bv_sle(&mut self, lhs: Term, rhs: Term) -> Term {
        let greater = self.bv_slt(rhs, lhs);
        self.not(greater)
    }

    /// Whether the sum does not fit the width, as unsigned (`bvuaddo`) or signed (`bvsaddo`)
    /// numbers.
    pub fn bv_add_overflows(&mut self, lhs: Term, rhs: Term, signed: bool) -> Term {
        self.overflows(lhs, rhs, signed, 1, TermPool::bv_add)
    }

    /// Whether the difference does not fit the width (`bvusubo`, `bvssubo`).
    pub fn bv_sub_overflows(&mut self, lhs: Term, rhs: Term, signed: bool) -> Term {
        if !signed {
            return self.bv_ult(lhs, rhs);
        }
        self.overflows(lhs, rhs, signed, 1, TermPool::bv_sub)
    }

    /// Whether the product does not fit the width (`bvumulo`, `bvsmulo`).
    pub fn bv_mul_overflows(&mut self, lhs: Term, rhs: Term, signed: bool) -> Term {
        let width = self.width(lhs);
        self.overflows(lhs, rhs, signed, width, TermPool::bv_mul)
    }

    /// Whether the signed quotient does not fit the width (`bvsdivo`).
    pub fn bv_sdiv_overflows(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        let minimum = self.bits(Bits::new(UBig::ONE << (width as usize - 1), width));
        let minus_one = self.bits(Bits::ones(width));
        let (is_minimum, is_minus_one) = (self.eq(lhs, minimum), self.eq(rhs, minus_one));
        self.and2(is_minimum, is_minus_one)
    }

    /// Whether the negation does not fit the width (`bvnego`).
    pub fn bv_neg_overflows(&mut self, term: Term) -> Term {
        let width = self.width(term);
        let minimum = self.bits(Bits::new(UBig::ONE << (width as usize - 1), width));
        self.eq(term, minimum)
    }

    /// Computes with `extra` more bits and looks whether the result survives their loss.
    fn overflows(
        &mut self,
        lhs: Term,
        rhs: Term,
        signed: bool,
        extra: u32,
        operation: fn(&mut TermPool, Term, Term) -> Term,
    ) -> Term {
        let width = self.same_width(lhs, rhs);
        let extend = if signed { TermPool::bv_sign_extend } else { TermPool::bv_zero_extend };
        let (wide_lhs, wide_rhs) = (extend(self, lhs, width + extra), extend(self, rhs, width + extra));
        let wide = operation(self, wide_lhs, wide_rhs);
        let narrow = self.bv_extract(wide, width - 1, 0);
        let back = extend(self, narrow, width + extra);
        self.ne(wide, back)
    }

    /// Simpler equalities: of a sum or negation with a constant, and of an extension with a
    /// constant.
    pub(crate) fn eq_rewritten(&mut self, lhs: Term, rhs: Term) -> Option<Term> {
        let value = self.as_bits(rhs)?.clone();
        let arguments: Vec<Term> = self.arguments(lhs).to_vec();
        match self.op(lhs) {
            Op::BvAdd => {
                let constant = self.as_bits(arguments[0])?.clone();
                let rest = self.bits(value.sub(&constant));
                Some(self.eq(arguments[1], rest))
            }
            Op::BvNeg => {
                let negated = self.bits(value.neg());
                Some(self.eq(arguments[0], negated))
            }
            Op::BvNot => {
                let negated = self.bits(value.not());
                Some(self.eq(arguments[0], negated))
            }
            Op::ZeroExtend | Op::SignExtend => {
                let is_zero_extension = *self.op(lhs) == Op::ZeroExtend;
                let narrow = value.extract(self.width(arguments[0]) - 1, 0);
                let back = if is_zero_extension {
                    narrow.zero_extend(value.width())
                } else {
                    narrow.sign_extend(value.width())
                };
                if back != value {
                    return Some(self.bottom());
                }
                let narrow = self.bits(narrow);
                Some(self.eq(arguments[0], narrow))
            }
            Op::Ite => {
                // Only where a branch decides, so that the term does not grow.
                let (then, otherwise) =
                    (self.as_bits(arguments[1])?.clone(), self.as_bits(arguments[2])?.clone());
                Some(match (then == value, otherwise == value) {
                    (true, false) => arguments[0],
                    (false, true) => self.not(arguments[0]),
                    (false, false) => self.bottom(),
                    (true, true) => self.top(),
                })
            }
            _ => None,
        }
    }
}
