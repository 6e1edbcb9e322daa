//! Sums and products of bit-vectors, in a normal form.
//!
//! A sum is kept as a constant plus multiples of different terms: `c + (((a·x) + (b·y)) + …)`, with
//! the terms in ascending order, so that equal sums are equal terms and `x + y - x` is `y`. A factor
//! of one is left out, a factor of minus one is `bvneg`, any other is `bvmul` by a constant; shifts
//! to the left by a constant are multiples as well. Arithmetic is modulo 2^width throughout. Sums
//! of more than [`SUMMANDS`] multiples are not searched: building them would take quadratic time.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;

/// How many multiples are collected. Longer sums come from unrolled loops over arrays.
const SUMMANDS: usize = 16;

/// A constant plus multiples of terms that are themselves no sums and no multiples. No factor is
/// zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) constant: Bits,
    pub(crate) multiples: BTreeMap<Term, Bits>,
}

impl Sum {
    fn add(&mut self, factor: &Bits, term: Term) {
        let known = self.multiples.get(&term);
        let factor = known.map_or_else(|| factor.clone(), |known| known.add(factor));
        if factor.is_zero() {
            self.multiples.remove(&term);
        } else {
            self.multiples.insert(term, factor);
        }
    }
}

impl TermPool {
    /// `bvneg`
    pub fn bv_neg(&mut self, term: Term) -> Term {
        let minus_one = Bits::ones(self.width(term));
        self.scaled(&minus_one, term)
    }

    /// `bvadd`, as a normalised sum.
    pub fn bv_add(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        let one = Bits::new(1u8, width);
        match self.linear(&[(one.clone(), lhs), (one, rhs)]) {
            Some(sum) => self.sum(&sum),
            None => self.long_sum(lhs, rhs),
        }
    }

    /// `bvsub`
    pub fn bv_sub(&mut self, lhs: Term, rhs: Term) -> Term {
        let negated = self.bv_neg(rhs);
        self.bv_add(lhs, negated)
    }

    /// `bvmul`, with constant factors gathered in front. Constants that are added to a factor are multiplied out, so that
    /// `x + x·(y - 1)` is `x·y`.
    pub fn bv_mul(&mut self, lhs: Term, rhs: Term) -> Term {
        let width = self.same_width(lhs, rhs);
        for (constant, term) in [(lhs, rhs), (rhs, lhs)] {
            if let Some(factor) = self.as_bits(constant) {
                let factor = factor.clone();
                return self.scaled(&factor, term);
            }
        }
        for (shifted, other) in [(lhs, rhs), (rhs, lhs)] {
            if let Some((constant, factor, term)) = self.shifted(shifted) {
                let product = self.bv_mul(term, other);
                let (product, multiple) = (self.scaled(&factor, product), self.scaled(&constant, other));
                return self.bv_add(product, multiple);
            }
        }
        let ((lhs_factor, lhs), (rhs_factor, rhs)) = (self.multiple(lhs), self.multiple(rhs));
        let product = self.intern(Op::BvMul, &[lhs.min(rhs), lhs.max(rhs)], Sort::BitVec(width));
        self.scaled(&lhs_factor.mul(&rhs_factor), product)
    }

    /// The term as a constant that is not zero plus a multiple of a term, if it is one.
    fn shifted(&self, term: Term) -> Option<(Bits, Bits, Term)> {
        if !matches!(self.op(term), Op::BvAdd) {
            return None;
        }
        let sum = self.linear(&[(Bits::new(1u8, self.width(term)), term)])?;
        let mut multiples = sum.multiples.into_iter();
        match (multiples.next(), multiples.next()) {
            (Some((of, factor)), None) if !sum.constant.is_zero() => Some((sum.constant, factor, of)),
            _ => None,
        }
    }

    /// The term as a factor and a term that is no multiple by a constant.
    fn multiple(&self, term: Term) -> (Bits, Term) {
        let width = self.width(term);
        match (self.op(term), self.arguments(term)) {
            (Op::BvNeg, &[of]) => (Bits::ones(width), of),
            (Op::BvMul, &[factor, of]) if self.as_bits(factor).is_some() => {
                let factor = self.as_bits(factor).cloned();
                (factor.unwrap_or_else(|| unreachable!("checked above")), of)
            }
            _ => (Bits::new(1u8, width), term),
        }
    }

    /// A multiple of a term. Sums are multiplied out when that costs no more multiplications: by
    /// minus one, or where there is only one multiple.
    fn scaled(&mut self, factor: &Bits, term: Term) -> Term {
        let is_cheap = factor.is_ones();
        if let Some(sum) = self.linear(&[(factor.clone(), term)])
            && (is_cheap || sum.multiples.len() <= 1)
        {
            return self.sum(&sum);
        }
        // All multiples that vanish leave a constant, which is a sum of no multiples.
        self.scaled_atom(factor, term)
    }

    /// A multiple of a term that is not looked into.
    fn scaled_atom(&mut self, factor: &Bits, term: Term) -> Term {
        let sort = self.sort(term);
        if factor.is_zero() {
            return self.zero(factor.width());
        }
        if factor.is_one() {
            return term;
        }
        if factor.is_ones() {
            return self.intern(Op::BvNeg, &[term], sort);
        }
        let factor = self.bits(factor.clone());
        self.intern(Op::BvMul, &[factor, term], sort)
    }

    /// The sum of multiples of terms, unless it is too long.
    pub(crate) fn linear(&self, terms: &[(Bits, Term)]) -> Option<Sum> {
        let mut sum = self.collected(terms)?;
        while let Some((factor, dividend)) = self.take_division(&mut sum) {
            let mut summands: Vec<(Bits, Term)> =
                sum.multiples.iter().map(|(&term, factor)| (factor.clone(), term)).collect();
            summands.push((factor, dividend));
            let constant = sum.constant.clone();
            sum = self.collected(&summands)?;
            sum.constant = sum.constant.add(&constant);
        }
        Some(sum)
    }

    /// Takes a remainder and the product of its quotient and divisor out of a sum: together they are a multiple of the
    /// dividend, even if the divisor is zero.
    fn take_division(&self, sum: &mut Sum) -> Option<(Bits, Term)> {
        let (remainder, product, dividend) = sum.multiples.iter().find_map(|(&remainder, factor)| {
            let quotient = match self.op(remainder) {
                Op::BvUrem => Op::BvUdiv,
                Op::BvSrem => Op::BvSdiv,
                _ => return None,
            };
            let &[dividend, divisor] = self.arguments(remainder) else { return None };
            let is_quotient =
                |term: Term| *self.op(term) == quotient && self.arguments(term) == [dividend, divisor];
            let is_product = |&(&term, other): &(&Term, &Bits)| match (self.as_bits(divisor), self.op(term)) {
                (Some(divisor), _) => is_quotient(term) && *other == factor.mul(divisor),
                (None, Op::BvMul) => {
                    let &[lhs, rhs] = self.arguments(term) else { return false };
                    let is_whole = is_quotient(lhs) && rhs == divisor || is_quotient(rhs) && lhs == divisor;
                    is_whole && other == factor
                }
                _ => false,
            };
            let (&product, _) = sum.multiples.iter().find(is_product)?;
            Some((remainder, product, dividend))
        })?;
        sum.multiples.remove(&product);
        Some((sum.multiples.remove(&remainder)?, dividend))
    }

    fn collected(&self, terms: &[(Bits, Term)]) -> Option<Sum> {
        let width = terms.first()?.0.width();
        let mut sum = Sum { constant: Bits::new(0u8, width), multiples: BTreeMap::new() };
        let mut stack = terms.to_vec();
        let mut multiples = 0;
        while let Some((factor, term)) = stack.pop() {
            let arguments = self.arguments(term);
            match self.op(term) {
                Op::Bits(bits) => sum.constant = sum.constant.add(&factor.mul(bits)),
                Op::BvAdd => stack.extend(arguments.iter().map(|&argument| (factor.clone(), argument))),
                Op::BvNeg => stack.push((factor.neg(), arguments[0])),
                // -x is ~x + 1.
                Op::BvNot => {
                    sum.constant = sum.constant.sub(&factor);
                    stack.push((factor.neg(), arguments[0]));
                }
                Op::BvMul if self.as_bits(arguments[0]).is_some() => {
                    let inner = self.as_bits(arguments[0])?;
                    stack.push((factor.mul(inner), arguments[1]));
                }
                _ => {
                    multiples += 1;
                    if multiples > SUMMANDS {
                        return None;
                    }
                    sum.add(&factor, term);
                }
            }
        }
        Some(sum)
    }

    /// The term of a sum.
    pub(crate) fn sum(&mut self, sum: &Sum) -> Term {
        let sort = Sort::BitVec(sum.constant.width());
        let mut rest = None;
        for (&term, factor) in &sum.multiples {
            let multiple = self.scaled_atom(factor, term);
            rest = Some(match rest {
                None => multiple,
                Some(rest) => self.intern(Op::BvAdd, &[rest, multiple], sort),
            });
        }
        match rest {
            None => self.bits(sum.constant.clone()),
            Some(rest) if sum.constant.is_zero() => rest,
            // -x - 1 is ~x, which is what a bitwise operation sees best.
            Some(rest) if sum.constant.is_ones() && *self.op(rest) == Op::BvNeg => {
                let of = self.arguments(rest)[0];
                self.intern(Op::BvNot, &[of], sort)
            }
            Some(rest) => {
                let constant = self.bits(sum.constant.clone());
                self.intern(Op::BvAdd, &[constant, rest], sort)
            }
        }
    }

    /// A sum too long to normalise: only the constants are gathered.
    fn long_sum(&mut self, lhs: Term, rhs: Term) -> Term {
        let sort = self.sort(lhs);
        let ((lhs_constant, lhs), (rhs_constant, rhs)) = (self.offset(lhs), self.offset(rhs));
        let rest = match (lhs, rhs) {
            (Some(lhs), Some(rhs)) => self.intern(Op::BvAdd, &[lhs.min(rhs), lhs.max(rhs)], sort),
            (Some(rest), None) | (None, Some(rest)) => rest,
            (None, None) => unreachable!("two constants are a short sum"),
        };
        let constant = lhs_constant.add(&rhs_constant);
        if constant.is_zero() {
            return rest;
        }
        let constant = self.bits(constant);
        self.intern(Op::BvAdd, &[constant, rest], sort)
    }

    /// The term as a constant and the rest of a sum, if there is a rest.
    pub(crate) fn offset(&self, term: Term) -> (Bits, Option<Term>) {
        let none = || Bits::new(0u8, self.width(term));
        match (self.op(term), self.arguments(term)) {
            (Op::Bits(bits), _) => (bits.clone(), None),
            (Op::BvAdd, &[first, rest]) => match self.as_bits(first) {
                Some(constant) => (constant.clone(), Some(rest)),
                None => (none(), Some(term)),
            },
            _ => (none(), Some(term)),
        }
    }

    /// Whether two vectors differ under every assignment because they are different constants, or
    /// the same term plus different constants.
    pub(crate) fn always_differ(&self, lhs: Term, rhs: Term) -> bool {
        let ((lhs_constant, lhs), (rhs_constant, rhs)) = (self.offset(lhs), self.offset(rhs));
        lhs == rhs && lhs_constant != rhs_constant
    }

    /// An equality of sums with what both sides share taken away, if they share anything.
    pub(crate) fn eq_of_sums(&mut self, lhs: Term, rhs: Term) -> Option<(Term, Term)> {
        let is_sum = |pool: &TermPool, term: Term| *pool.op(term) == Op::BvAdd;
        if !is_sum(self, lhs) && !is_sum(self, rhs) {
            return None;
        }
        let width = self.width(lhs);
        let (one, minus_one) = (Bits::new(1u8, width), Bits::ones(width));
        let (left, right) = (self.linear(&[(one.clone(), lhs)])?, self.linear(&[(one.clone(), rhs)])?);
        let difference = self.linear(&[(one, lhs), (minus_one, rhs)])?;
        let shares_constant = !left.constant.is_zero() && !right.constant.is_zero();
        let shares_term = left.multiples.keys().any(|term| right.multiples.contains_key(term));
        if !shares_constant && !shares_term {
            return None;
        }
        let sides = self.sides(&difference);
        // Factors such as 2^(width-1) are their own negation, so nothing may have changed.
        (sides != (lhs, rhs) && sides != (rhs, lhs)).then_some(sides)
    }

    /// A sum that is zero as an equality of two sums with small positive factors, where possible.
    fn sides(&mut self, difference: &Sum) -> (Term, Term) {
        let zero = Bits::new(0u8, difference.constant.width());
        let mut left = Sum { constant: zero.clone(), multiples: BTreeMap::new() };
        let mut right = left.clone();
        for (&term, factor) in &difference.multiples {
            if factor.sign() && !factor.neg().sign() {
                right.add(&factor.neg(), term);
            } else {
                left.add(factor, term);
            }
        }
        if difference.constant.sign() || right.multiples.is_empty() {
            right.constant = difference.constant.neg();
        } else {
            left.constant = difference.constant.clone();
        }
        (self.sum(&left), self.sum(&right))
    }
}
