//! Remainders of divisions, which are exact: no direction of rounding matters.

use rorqual_cfa::FloatKind;

use super::{Class, TO_NEAREST, classify, compose, invalid, is_nan, is_zero, negate, sign};

/// A remainder with the quotient that belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Remainder {
    /// The bits of the remainder.
    pub(crate) bits: u128,
    /// The last three bits of the truncated quotient's magnitude, plus one if it was rounded up, with the quotient's sign:
    /// what glibc stores.
    pub(crate) quotient: i32,
}

/// `fmod`: the quotient is truncated.
pub(crate) fn truncated_remainder(kind: FloatKind, lhs: u128, rhs: u128) -> u128 {
    let result = special(kind, lhs, rhs).or_else(|| {
        let division = Division::of(kind, lhs, rhs)?;
        Some(division.result(kind, lhs, division.rest, false))
    });
    result.unwrap_or(lhs)
}

/// `remainder`: the quotient is rounded to nearest, ties to even.
pub(crate) fn nearest_remainder(kind: FloatKind, lhs: u128, rhs: u128) -> Remainder {
    if let Some(bits) = special(kind, lhs, rhs) {
        return Remainder { bits, quotient: 0 };
    }
    let Some(division) = Division::of(kind, lhs, rhs) else { return Remainder { bits: lhs, quotient: 0 } };
    let Division { rest, divisor, quotient, .. } = division;
    let odd = quotient % 2 == 1;
    let up = rest > divisor - rest || (rest == divisor - rest && odd);
    let bits = if up {
        division.result(kind, lhs, divisor - rest, true)
    } else {
        division.result(kind, lhs, rest, false)
    };
    let magnitude = (quotient + u128::from(up)) as i32;
    let negative = sign(kind, lhs) != sign(kind, rhs);
    Remainder { bits, quotient: if negative { -magnitude } else { magnitude } }
}

/// Remainders that no division is needed for.
fn special(kind: FloatKind, lhs: u128, rhs: u128) -> Option<u128> {
    match (classify(kind, lhs), classify(kind, rhs)) {
        _ if is_nan(kind, lhs) => Some(lhs),
        _ if is_nan(kind, rhs) => Some(rhs),
        (Class::Infinite, _) => Some(invalid(kind)),
        _ if is_zero(kind, rhs) => Some(invalid(kind)),
        (_, Class::Infinite) => Some(lhs),
        _ if is_zero(kind, lhs) => Some(lhs),
        _ => None,
    }
}

/// The magnitude of a number divided by that of another one, in units of `2^exponent`.
struct Division {
    exponent: i32,
    divisor: u128,
    /// Less than the divisor.
    rest: u128,
    /// The truncated quotient, modulo 8.
    quotient: u128,
}

impl Division {
    /// Nothing if the first number is less than half of the second one.
    fn of(kind: FloatKind, lhs: u128, rhs: u128) -> Option<Division> {
        let (Class::Finite { mantissa: x, exponent: above }, Class::Finite { mantissa: y, exponent: below }) =
            (classify(kind, lhs), classify(kind, rhs))
        else {
            return None;
        };
        let digits = |number: u128| 128 - number.leading_zeros() as i32;
        if digits(y) + below > digits(x) + above + 1 {
            return None;
        }
        let exponent = above.min(below);
        let divisor = y << (below - exponent);
        // The quotient counts only modulo 8, and the rest modulo eight divisors knows it.
        let modulus = divisor * 8;
        let rest = (0..above - exponent).fold(x % modulus, |rest, _| rest * 2 % modulus);
        Some(Division { exponent, divisor, rest: rest % divisor, quotient: rest / divisor })
    }

    /// The number of so many units that has the sign of `lhs`, or the other one.
    fn result(&self, kind: FloatKind, lhs: u128, units: u128, flipped: bool) -> u128 {
        let magnitude = compose(kind, units, self.exponent, TO_NEAREST);
        if sign(kind, lhs) == flipped { magnitude } else { negate(kind, magnitude) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> u128 {
        u128::from(value.to_bits())
    }

    /// Rust's `%` is exact too.
    #[test]
    fn truncated_remainders_agree_with_the_standard_library() {
        let values = [1.0, -1.0, 0.1, 5.5, -7.25, 1e300, 1e-300, 5e-324, 3.0, f64::MAX, -0.0, 6.0];
        for x in values {
            for y in values.into_iter().filter(|&y| y != 0.0) {
                let result = truncated_remainder(FloatKind::Double, double(x), double(y));
                assert_eq!(result, double(x % y), "{x} % {y}");
            }
        }
    }

    #[test]
    fn nearest_remainders_with_their_quotients() {
        let remainder = |x: f64, y: f64| {
            let result = nearest_remainder(FloatKind::Double, double(x), double(y));
            (f64::from_bits(result.bits as u64), result.quotient)
        };
        assert_eq!(remainder(5.0, 3.0), (-1.0, 2));
        assert_eq!(remainder(-5.0, 3.0), (1.0, -2));
        assert_eq!(remainder(3.0, 2.0), (-1.0, 2));
        assert_eq!(remainder(1.0, 2.0), (1.0, 0));
        assert_eq!(remainder(29.0, 2.0), (1.0, 6));
        assert_eq!(remainder(31.0, 2.0), (-1.0, 8));
        assert_eq!(remainder(1.0, 1e300), (1.0, 0));
        assert!(remainder(1.0, 0.0).0.is_nan());
        assert!(remainder(-4.0, 2.0).0.is_sign_negative());
    }
}
