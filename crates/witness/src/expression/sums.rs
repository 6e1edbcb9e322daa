//! Sums as people write them: without casts and cuts where nothing can wrap, with a minus for what is negated.

use rorqual_logic::{Op, Term};

use super::{Number, Reading, Writer, mask, signed_type, unsigned_literal};

/// The terms of a sum: what is added, and what is added or, if `true`, subtracted.
struct Sum {
    first: Term,
    second: Term,
    is_difference: bool,
}

impl Writer<'_> {
    /// A sum, product or negation of signed numbers, if the vector holds its value whatever the operands are.
    pub(super) fn exact_operation(&mut self, term: Term, guards: &mut Vec<String>) -> Option<Number> {
        let (low, high) = self.exact_range(term)?;
        let arguments = self.pool.arguments(term).to_vec();
        let cast = match (low, high) {
            _ if fits(low, high, 32) => String::new(),
            _ if fits(low, high, 64) => format!("({})", signed_type(64)),
            _ => return None,
        };
        if *self.pool.op(term) == Op::BvNeg {
            let operand = self.number(arguments[0], Reading::Signed, guards)?.text;
            return Some(Number::plain(format!("(-{cast}{operand})")));
        }
        let (first, second, operator) = match self.pool.op(term) {
            Op::BvMul => (arguments[0], arguments[1], "*"),
            _ => {
                let Sum { first, second, is_difference } = self.sum(&arguments);
                (first, second, if is_difference { "-" } else { "+" })
            }
        };
        let lhs = self.number(first, Reading::Signed, guards)?.text;
        // A constant that is subtracted is written without its sign.
        let rhs = match self.pool.as_bits(second).filter(|_| operator == "-") {
            Some(bits) if self.range(second).0 < 0 => {
                let negated = u128::try_from(bits.neg().unsigned().clone()).ok()?;
                crate::literals::integer(i128::try_from(negated).ok()?)
            }
            _ => self.number(second, Reading::Signed, guards)?.text,
        };
        Some(Number::plain(format!("({cast}{lhs} {operator} {rhs})")))
    }

    /// The sum of two vectors in the unsigned type for their width.
    pub(super) fn wrapping_sum(&mut self, arguments: &[Term], guards: &mut Vec<String>) -> Option<String> {
        let Sum { first, second, is_difference } = self.sum(arguments);
        let lhs = self.operand(first, guards)?;
        let width = self.pool.width(second);
        let rhs = match self.pool.as_bits(second).filter(|_| is_difference) {
            Some(bits) if self.range(second).0 < 0 => {
                let negated = u128::try_from(bits.neg().unsigned().clone()).ok()? & mask(width);
                unsigned_literal(negated, self.container(width)?)
            }
            _ => self.operand(second, guards)?,
        };
        Some(format!("({lhs} {} {rhs})", if is_difference { "-" } else { "+" }))
    }

    /// Constants come last; what is negated, and negative constants, are subtracted. A negative constant is left as it is.
    fn sum(&self, arguments: &[Term]) -> Sum {
        let (mut first, mut second) = (arguments[0], arguments[1]);
        let negated = |term: Term| (*self.pool.op(term) == Op::BvNeg).then(|| self.pool.arguments(term)[0]);
        if negated(first).is_some() || (self.pool.is_value(first) && negated(second).is_none()) {
            (first, second) = (second, first);
        }
        if let Some(inner) = negated(second) {
            return Sum { first, second: inner, is_difference: true };
        }
        let is_difference = self.pool.is_value(second) && self.range(second).0 < 0;
        Sum { first, second, is_difference }
    }

    /// Whether a vector of one bit is the sign of a signed number: that number.
    pub(super) fn signed_by(&self, bit: Term) -> Option<Term> {
        let Op::Extract { high, low } = *self.pool.op(bit) else { return None };
        let of = self.pool.arguments(bit)[0];
        (high == low && high + 1 == self.pool.width(of)).then_some(of)
    }

    /// The signed values that a vector may have.
    fn range(&self, term: Term) -> (i128, i128) {
        self.exact_range(term).unwrap_or_else(|| full(self.pool.width(term)))
    }

    /// The values of an operation whose result never leaves the range of the vector.
    fn exact_range(&self, term: Term) -> Option<(i128, i128)> {
        let width = self.pool.width(term);
        if width > 64 {
            return None;
        }
        let arguments = self.pool.arguments(term);
        let of = |at: usize| self.range(arguments[at]);
        let (low, high) = match self.pool.op(term) {
            Op::Bits(bits) => {
                let unused = 128 - width;
                let value = (u128::try_from(bits.unsigned().clone()).ok()? << unused) as i128 >> unused;
                (value, value)
            }
            Op::SignExtend => of(0),
            Op::ZeroExtend => (0, mask(self.pool.width(arguments[0])) as i128),
            Op::BvNeg => {
                let (low, high) = of(0);
                (-high, -low)
            }
            Op::BvAdd => {
                let ((a, b), (c, d)) = (of(0), of(1));
                (a + c, b + d)
            }
            Op::BvMul => {
                let ((a, b), (c, d)) = (of(0), of(1));
                let products = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
                (products.into_iter().min()?, products.into_iter().max()?)
            }
            _ => return None,
        };
        fits(low, high, width).then_some((low, high))
    }
}

/// All signed numbers of a width up to 64; wider vectors are not looked at.
fn full(width: u32) -> (i128, i128) {
    let half = 1i128 << (width.min(65) - 1);
    (-half, half - 1)
}

fn fits(low: i128, high: i128, width: u32) -> bool {
    let (least, most) = full(width);
    least <= low && high <= most
}
