//! The values that a bit-vector can have, by its form.

use crate::bits::Bits;
use crate::pool::{Op, Term, TermPool};

/// So many subterms are looked at.
const FUEL: u32 = 24;

/// The least and the greatest value.
pub(crate) type Range = (u128, u128);

impl TermPool {
    /// The least and the greatest value of a vector of at most 128 bits, as an unsigned number.
    pub(crate) fn unsigned_range(&self, term: Term) -> Option<Range> {
        self.range_within(term, &mut { FUEL })
    }

    fn range_within(&self, term: Term, fuel: &mut u32) -> Option<Range> {
        let width = self.width(term);
        if width > 128 {
            return None;
        }
        let most = u128::MAX >> (128 - width);
        let any = (0, most);
        if let Some(bits) = self.as_bits(term) {
            return number(bits).map(|value| (value, value));
        }
        if *fuel == 0 {
            return Some(any);
        }
        *fuel -= 1;
        let arguments = self.arguments(term);
        let constant = |at: usize| arguments.get(at).and_then(|&term| self.as_bits(term)).and_then(number);
        let fitting = |range: Option<Range>| range.filter(|&(_, high)| high <= most);
        let range = match self.op(term) {
            Op::ZeroExtend => self.range_within(arguments[0], fuel)?,
            Op::BvUrem => {
                let (low, high) = self.range_within(arguments[0], fuel)?;
                let (divisor, divisor_most) = self.range_within(arguments[1], fuel)?;
                if high < divisor {
                    (low, high)
                } else if divisor > 0 {
                    (0, high.min(divisor_most - 1))
                } else {
                    (0, high)
                }
            }
            Op::BvUdiv => {
                let (low, high) = self.range_within(arguments[0], fuel)?;
                constant(1)
                    .filter(|&divisor| divisor > 0)
                    .map_or(any, |divisor| (low / divisor, high / divisor))
            }
            Op::BvLshr => {
                let (low, high) = self.range_within(arguments[0], fuel)?;
                constant(1).filter(|&count| count < 128).map_or(any, |count| (low >> count, high >> count))
            }
            Op::BvAnd => {
                let (_, left) = self.range_within(arguments[0], fuel)?;
                let (_, right) = self.range_within(arguments[1], fuel)?;
                (0, left.min(right))
            }
            Op::BvAdd => {
                let (low, high) = self.range_within(arguments[0], fuel)?;
                let (other_low, other_high) = self.range_within(arguments[1], fuel)?;
                let sum = high.checked_add(other_high).map(|high| (low.wrapping_add(other_low), high));
                fitting(sum).unwrap_or(any)
            }
            Op::BvMul => {
                let (low, high) = self.range_within(arguments[0], fuel)?;
                let (other_low, other_high) = self.range_within(arguments[1], fuel)?;
                let product = high.checked_mul(other_high).map(|high| (low.wrapping_mul(other_low), high));
                fitting(product).unwrap_or(any)
            }
            Op::Ite => {
                let (low, high) = self.range_within(arguments[1], fuel)?;
                let (other_low, other_high) = self.range_within(arguments[2], fuel)?;
                (low.min(other_low), high.max(other_high))
            }
            Op::Extract { low: from, .. } if self.width(arguments[0]) <= 128 => {
                let (low, high) = self.range_within(arguments[0], fuel)?;
                fitting(Some((low >> from, high >> from))).unwrap_or(any)
            }
            Op::Concat => {
                let shift = self.width(arguments[1]);
                let (low, high) = self.range_within(arguments[0], fuel)?;
                let (other_low, other_high) = self.range_within(arguments[1], fuel)?;
                ((low << shift) | other_low, (high << shift) | other_high)
            }
            _ => any,
        };
        Some(range)
    }
}

fn number(bits: &Bits) -> Option<u128> {
    u128::try_from(bits.unsigned().clone()).ok()
}
