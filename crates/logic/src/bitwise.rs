//! Constructors of the bitwise operations.

use crate::bits::Bits;
use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;

impl TermPool {
    /// `bvnot`
    pub fn bv_not(&mut self, term: Term) -> Term {
        if let Some(bits) = self.as_bits(term) {
            let value = bits.not();
            return self.bits(value);
        }
        let arguments = self.arguments(term);
        match self.op(term) {
            Op::BvNot => arguments[0],
            // ~(c + x) is (-1 - c) - x: a sum stays a sum.
            Op::BvAdd | Op::BvNeg => {
                let minus_one = self.bits(Bits::ones(self.width(term)));
                self.bv_sub(minus_one, term)
            }
            _ => self.intern(Op::BvNot, &[term], self.sort(term)),
        }
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
        if self.is_complement(lhs, rhs) {
            return self.zero(width);
        }
        if let Some(simpler) = self.regrouped(&Op::BvAnd, lhs, rhs, TermPool::bv_and) {
            return simpler;
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
        if self.is_complement(lhs, rhs) {
            return self.bits(Bits::ones(width));
        }
        if let Some(simpler) = self.regrouped(&Op::BvOr, lhs, rhs, TermPool::bv_or) {
            return simpler;
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
        if self.is_complement(lhs, rhs) {
            return self.bits(Bits::ones(width));
        }
        if let Some(simpler) = self.regrouped(&Op::BvXor, lhs, rhs, TermPool::bv_xor) {
            return simpler;
        }
        self.intern(Op::BvXor, &[lhs, rhs], Sort::BitVec(width))
    }

    /// `bvnand`
    pub fn bv_nand(&mut self, lhs: Term, rhs: Term) -> Term {
        let both = self.bv_and(lhs, rhs);
        self.bv_not(both)
    }

    /// `bvnor`
    pub fn bv_nor(&mut self, lhs: Term, rhs: Term) -> Term {
        let either = self.bv_or(lhs, rhs);
        self.bv_not(either)
    }

    /// `bvxnor`
    pub fn bv_xnor(&mut self, lhs: Term, rhs: Term) -> Term {
        let different = self.bv_xor(lhs, rhs);
        self.bv_not(different)
    }

    /// `bvcomp`: the vector of one bit that is one for equal operands.
    pub fn bv_comp(&mut self, lhs: Term, rhs: Term) -> Term {
        let equal = self.eq(lhs, rhs);
        let (one, zero) = (self.bv(1u8, 1), self.zero(1));
        self.ite(equal, one, zero)
    }

    fn is_complement(&self, lhs: Term, rhs: Term) -> bool {
        let negates =
            |outer: Term, inner: Term| *self.op(outer) == Op::BvNot && self.arguments(outer)[0] == inner;
        negates(lhs, rhs) || negates(rhs, lhs)
    }

    /// Gathers constants, and lets an operand meet itself inside of the other: `x & (x & y)` is
    /// `x & y`, `x ^ (x ^ y)` is `y`.
    fn regrouped(
        &mut self,
        op: &Op,
        lhs: Term,
        rhs: Term,
        operation: fn(&mut TermPool, Term, Term) -> Term,
    ) -> Option<Term> {
        for (outer, inner) in [(lhs, rhs), (rhs, lhs)] {
            if self.op(inner) != op {
                continue;
            }
            let (first, second) = (self.arguments(inner)[0], self.arguments(inner)[1]);
            if outer == first || outer == second {
                let other = if outer == first { second } else { first };
                return Some(if *op == Op::BvXor { other } else { inner });
            }
            if self.as_bits(first).is_some() {
                // The constant goes outside, where it meets the next one.
                return Some(if self.as_bits(outer).is_some() {
                    let constant = operation(self, outer, first);
                    operation(self, constant, second)
                } else {
                    let rest = operation(self, outer, second);
                    operation(self, first, rest)
                });
            }
        }
        None
    }
}
