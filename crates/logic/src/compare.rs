//! Constructors of comparisons of bit-vectors and of overflow predicates.

use dashu::base::BitTest;
use dashu::integer::{IBig, UBig};

use crate::bits::Bits;
use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;

/// How the bits above some width follow from those below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// They are zero.
    Zero,
    /// They repeat the highest bit below.
    Kept,
}

/// A comparison of two terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Comparison {
    Eq,
    Ult,
    Slt,
}

/// So many cases of a conditional are looked at.
const CASES: u32 = 64;

/// A constant times a number.
enum Product {
    Fits(Term),
    TooLarge,
}

impl TermPool {
    /// The fewest bits that determine the term in the given way, by its form.
    fn significant(&self, term: Term, sign: Sign) -> u32 {
        let inner = || self.width(self.arguments(term)[0]);
        match (self.op(term), sign) {
            (Op::ZeroExtend, Sign::Zero) | (Op::SignExtend, Sign::Kept) => inner(),
            (Op::ZeroExtend, Sign::Kept) => inner() + 1,
            (Op::Bits(bits), Sign::Zero) => (bits.unsigned().bit_len() as u32).max(1),
            (Op::Bits(bits), Sign::Kept) => {
                let magnitude = if bits.sign() { bits.not() } else { bits.clone() };
                magnitude.unsigned().bit_len() as u32 + 1
            }
            _ => self.width(term),
        }
    }

    /// Both terms with fewer bits, where their forms show that the others follow. Extension keeps
    /// equality and the unsigned order, and extension by the sign the signed order too.
    fn narrowed(&mut self, lhs: Term, rhs: Term, sign: Sign) -> Option<(Term, Term)> {
        let width = self.significant(lhs, sign).max(self.significant(rhs, sign));
        if width >= self.width(lhs) {
            return None;
        }
        Some((self.bv_extract(lhs, width - 1, 0), self.bv_extract(rhs, width - 1, 0)))
    }

    /// `lhs < rhs`, where the ranges of the two decide it.
    fn decided(&self, lhs: Term, rhs: Term, signed: bool) -> Option<bool> {
        if !signed && let Some((lhs, rhs)) = self.unsigned_range(lhs).zip(self.unsigned_range(rhs)) {
            return if lhs.1 < rhs.0 { Some(true) } else { (rhs.1 <= lhs.0).then_some(false) };
        }
        let ((lhs_least, lhs_most), (rhs_least, rhs_most)) =
            (self.range(lhs, signed), self.range(rhs, signed));
        if lhs_most < rhs_least {
            return Some(true);
        }
        (rhs_most <= lhs_least).then_some(false)
    }

    /// The least and the greatest value as signed numbers, from those as unsigned ones.
    fn signed_range(&self, term: Term) -> (IBig, IBig) {
        let width = self.width(term);
        let (half, all) = (IBig::ONE << (width as usize - 1), IBig::ONE << width as usize);
        if let Some((low, high)) = self.unsigned_range(term) {
            let (low, high) = (IBig::from(low), IBig::from(high));
            if high < half {
                return (low, high);
            }
            if low >= half {
                return (low - &all, high - all);
            }
        }
        (-&half, half - IBig::ONE)
    }

    /// The least and the greatest value, by the term's form.
    fn range(&self, term: Term, signed: bool) -> (IBig, IBig) {
        let power = |exponent: u32| IBig::ONE << exponent as usize;
        match (self.op(term), signed) {
            (Op::Bits(bits), true) => (bits.signed(), bits.signed()),
            (Op::Bits(bits), false) => (bits.unsigned().clone().into(), bits.unsigned().clone().into()),
            (Op::ZeroExtend, _) => (IBig::ZERO, power(self.width(self.arguments(term)[0])) - IBig::ONE),
            (Op::SignExtend, true) => {
                let half = power(self.width(self.arguments(term)[0]) - 1);
                (-&half, half - IBig::ONE)
            }
            (_, true) => self.signed_range(term),
            (_, false) => (IBig::ZERO, power(self.width(term)) - IBig::ONE),
        }
    }

    /// A comparison by the cases of a conditional with a constant, if a case is decided: what it would take to compute its value
    /// is not needed then.
    fn lifted(&mut self, comparison: Comparison, lhs: Term, rhs: Term) -> Option<Term> {
        let is_left = self.as_bits(rhs).is_some();
        let (conditional, constant) = if is_left { (lhs, rhs) } else { (rhs, lhs) };
        self.as_bits(constant)?;
        let (Op::Ite, &[condition, then, otherwise]) = (self.op(conditional), self.arguments(conditional))
        else {
            return None;
        };
        let key = (comparison, lhs, rhs);
        if let Some(&known) = self.lifted.get(&key) {
            return Some(known);
        }
        let sides = |case: Term| if is_left { (case, constant) } else { (constant, case) };
        if !self.has_decided_case(comparison, conditional, &sides, &mut { CASES }) {
            return None;
        }
        let [then, otherwise] = [then, otherwise].map(|case| {
            let (lhs, rhs) = sides(case);
            match comparison {
                Comparison::Eq => self.eq(lhs, rhs),
                Comparison::Ult => self.bv_ult(lhs, rhs),
                Comparison::Slt => self.bv_slt(lhs, rhs),
            }
        });
        let cases = self.ite(condition, then, otherwise);
        self.lifted.insert(key, cases);
        Some(cases)
    }

    /// Whether a case of a conditional, or of those in it, is decided.
    fn has_decided_case(
        &self,
        comparison: Comparison,
        conditional: Term,
        sides: &dyn Fn(Term) -> (Term, Term),
        fuel: &mut u32,
    ) -> bool {
        let (Op::Ite, &[_, then, otherwise]) = (self.op(conditional), self.arguments(conditional)) else {
            return false;
        };
        [then, otherwise].into_iter().any(|case| {
            if *fuel == 0 {
                return false;
            }
            *fuel -= 1;
            let (lhs, rhs) = sides(case);
            let is_decided = self.as_bits(case).is_some()
                || match comparison {
                    Comparison::Eq => self.are_apart(lhs, rhs),
                    Comparison::Ult => self.decided(lhs, rhs, false).is_some(),
                    Comparison::Slt => self.decided(lhs, rhs, true).is_some(),
                };
            is_decided || self.has_decided_case(comparison, case, sides, fuel)
        })
    }

    /// Whether the ranges of two terms have no value in common.
    fn are_apart(&self, lhs: Term, rhs: Term) -> bool {
        let ranges = self.unsigned_range(lhs).zip(self.unsigned_range(rhs));
        ranges.is_some_and(|(one, other)| one.1 < other.0 || other.1 < one.0)
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
        if let Some((lhs, rhs)) =
            self.narrowed(lhs, rhs, Sign::Zero).or_else(|| self.narrowed(lhs, rhs, Sign::Kept))
        {
            return self.bv_ult(lhs, rhs);
        }
        if let Some(decided) = self.decided(lhs, rhs, false) {
            return self.bool(decided);
        }
        if let Some(simpler) = self.ult_of_quotient(lhs, rhs) {
            return simpler;
        }
        if let Some(cases) = self.lifted(Comparison::Ult, lhs, rhs) {
            return cases;
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
        if self.is_never_negative(lhs) && self.is_never_negative(rhs) {
            return self.bv_ult(lhs, rhs);
        }
        if let Some((lhs, rhs)) = self.narrowed(lhs, rhs, Sign::Kept) {
            return self.bv_slt(lhs, rhs);
        }
        if let Some(decided) = self.decided(lhs, rhs, true) {
            return self.bool(decided);
        }
        if let Some(cases) = self.lifted(Comparison::Slt, lhs, rhs) {
            return cases;
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
            Op::BvUdiv => {
                let next = value.unsigned() + UBig::ONE;
                let least = match self.times(arguments[1], value.unsigned())? {
                    Product::Fits(least) => self.bv_ule(least, arguments[0]),
                    Product::TooLarge => self.bottom(),
                };
                let end = match self.times(arguments[1], &next)? {
                    Product::Fits(end) => self.bv_ult(arguments[0], end),
                    Product::TooLarge => self.top(),
                };
                Some(self.and2(least, end))
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

    /// A constant divisor times a number, if the product fits.
    fn times(&mut self, divisor: Term, number: &UBig) -> Option<Product> {
        let divisor = self.as_bits(divisor).filter(|divisor| !divisor.is_zero())?.clone();
        let product = divisor.unsigned() * number;
        let fits = product.bit_len() <= divisor.width() as usize;
        Some(if fits { Product::Fits(self.bv(product, divisor.width())) } else { Product::TooLarge })
    }

    /// `lhs < rhs` where one of them is a quotient and the other a constant: no division is needed.
    fn ult_of_quotient(&mut self, lhs: Term, rhs: Term) -> Option<Term> {
        if let (Op::BvUdiv, &[dividend, divisor], Some(bound)) =
            (self.op(lhs), self.arguments(lhs), self.as_bits(rhs))
        {
            let bound = bound.unsigned().clone();
            let end = self.times(divisor, &bound)?;
            return Some(match end {
                Product::Fits(end) => self.bv_ult(dividend, end),
                Product::TooLarge => self.top(),
            });
        }
        if let (Op::BvUdiv, &[dividend, divisor], Some(bound)) =
            (self.op(rhs), self.arguments(rhs), self.as_bits(lhs))
        {
            let next = bound.unsigned() + UBig::ONE;
            let least = self.times(divisor, &next)?;
            return Some(match least {
                Product::Fits(least) => self.bv_ule(least, dividend),
                Product::TooLarge => self.bottom(),
            });
        }
        None
    }

    /// Simpler equalities of vectors that are no constants.
    pub(crate) fn eq_narrowed(&mut self, lhs: Term, rhs: Term) -> Option<Term> {
        self.sort(lhs).width()?;
        if self.are_apart(lhs, rhs) {
            return Some(self.bottom());
        }
        if let Some((lhs, rhs)) = self.eq_of_sums(lhs, rhs) {
            return Some(self.eq(lhs, rhs));
        }
        let narrowed = self.narrowed(lhs, rhs, Sign::Zero).or_else(|| self.narrowed(lhs, rhs, Sign::Kept));
        if let Some((lhs, rhs)) = narrowed {
            return Some(self.eq(lhs, rhs));
        }
        self.lifted(Comparison::Eq, lhs, rhs)
    }
}
