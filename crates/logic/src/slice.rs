//! Constructors that cut and join vectors: extraction, concatenation, extension, rotation.

use crate::bits::Bits;
use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;

impl TermPool {
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
        let (term, high, low) = self.extract_source(term, high, low);
        if self.width(term) == high - low + 1 {
            return term;
        }
        if let Some(bits) = self.as_bits(term) {
            let value = bits.extract(high, low);
            return self.bits(value);
        }
        if matches!(self.op(term), Op::ZeroExtend | Op::SignExtend) {
            return self.extract_of_extension(term, high, low);
        }
        if self.narrows(term, low, &mut 8) {
            return self.extract_of_operation(term, high, low);
        }
        self.intern(Op::Extract { high, low }, &[term], Sort::BitVec(high - low + 1))
    }

    /// The same bits of the innermost part of nested extractions and concatenations that has them.
    fn extract_source(&self, term: Term, high: u32, low: u32) -> (Term, u32, u32) {
        let (mut term, mut high, mut low) = (term, high, low);
        loop {
            match (self.op(term), self.arguments(term)) {
                (Op::Extract { low: below, .. }, &[of]) => {
                    (term, high, low) = (of, high + below, low + below);
                }
                (Op::Concat, &[_, lower]) if high < self.width(lower) => term = lower,
                (Op::Concat, &[upper, lower]) if low >= self.width(lower) => {
                    let split = self.width(lower);
                    (term, high, low) = (upper, high - split, low - split);
                }
                _ => return (term, high, low),
            }
        }
    }

    fn extract_of_extension(&mut self, term: Term, high: u32, low: u32) -> Term {
        let of = self.arguments(term)[0];
        let (inner, width) = (self.width(of), high - low + 1);
        let is_zero_extension = *self.op(term) == Op::ZeroExtend;
        if high < inner {
            return self.bv_extract(of, high, low);
        }
        if is_zero_extension && low >= inner {
            return self.zero(width);
        }
        let kept = self.bv_extract(of, inner - 1, low.min(inner - 1));
        if is_zero_extension { self.bv_zero_extend(kept, width) } else { self.bv_sign_extend(kept, width) }
    }

    /// Whether bits of the term from `low` on are better taken from its operands: all of them are
    /// constants or extensions, and the operation does not carry from below `low`.
    fn narrows(&self, term: Term, low: u32, fuel: &mut u32) -> bool {
        if *fuel == 0 {
            return false;
        }
        *fuel -= 1;
        match self.op(term) {
            Op::Bits(_) | Op::ZeroExtend | Op::SignExtend => true,
            Op::BvAdd | Op::BvMul | Op::BvNeg if low > 0 => false,
            Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot => {
                self.arguments(term).iter().all(|&argument| self.narrows(argument, low, fuel))
            }
            _ => false,
        }
    }

    /// The recursion ends, because [`narrows`](Self::narrows) has bounded the depth.
    fn extract_of_operation(&mut self, term: Term, high: u32, low: u32) -> Term {
        let arguments: Vec<Term> = self.arguments(term).to_vec();
        let arguments: Vec<Term> =
            arguments.into_iter().map(|argument| self.bv_extract(argument, high, low)).collect();
        match (self.op(term).clone(), arguments.as_slice()) {
            (Op::BvAdd, &[lhs, rhs]) => self.bv_add(lhs, rhs),
            (Op::BvMul, &[lhs, rhs]) => self.bv_mul(lhs, rhs),
            (Op::BvAnd, &[lhs, rhs]) => self.bv_and(lhs, rhs),
            (Op::BvOr, &[lhs, rhs]) => self.bv_or(lhs, rhs),
            (Op::BvXor, &[lhs, rhs]) => self.bv_xor(lhs, rhs),
            (Op::BvNeg, &[of]) => self.bv_neg(of),
            (Op::BvNot, &[of]) => self.bv_not(of),
            (op, _) => unreachable!("{op:?} is not narrowed"),
        }
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
}
