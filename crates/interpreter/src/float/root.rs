//! Square roots, which IEEE 754 defines exactly: the root, rounded once.

use rorqual_cfa::FloatKind;
use rustc_apfloat::Round;

use super::{Class, classify, compose, invalid, is_zero, sign};

/// The square root of a number.
pub(crate) fn square_root(kind: FloatKind, bits: u128, round: Round) -> u128 {
    match classify(kind, bits) {
        Class::Nan => bits,
        Class::Finite { .. } if is_zero(kind, bits) => bits,
        _ if sign(kind, bits) => invalid(kind),
        Class::Infinite => bits,
        Class::Finite { mantissa, exponent } => {
            let (root, exponent) = digits(mantissa, exponent, precision(kind) + 2);
            // The root of a number is far from being subnormal, so scaling it is exact.
            compose(kind, root, exponent, round)
        }
    }
}

/// How many bits a mantissa has.
fn precision(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half => 11,
        FloatKind::Float => 24,
        FloatKind::Double => 53,
        FloatKind::LongDouble => 64,
        FloatKind::Quad => 113,
    }
}

/// The first `count` or more binary digits of the root of `mantissa * 2^exponent`, computed one by one as with pencil and
/// paper, and one more that tells whether digits other than zero follow.
fn digits(mantissa: u128, exponent: i32, count: u32) -> (u128, i32) {
    let odd = exponent.rem_euclid(2);
    let radicand = mantissa << odd;
    let mut exponent = (exponent - odd) / 2;
    let (mut root, mut rest) = (0u128, 0u128);
    let mut next_digit = |pair: u128| {
        rest = rest << 2 | pair;
        let trial = root << 2 | 1;
        let fits = trial <= rest;
        if fits {
            rest -= trial;
        }
        root = root << 1 | u128::from(fits);
        (root, rest)
    };
    let pairs = (0..64).rev().map(|index| radicand >> (2 * index) & 3);
    let (mut found, mut left) = (0, 0);
    for pair in pairs {
        (found, left) = next_digit(pair);
    }
    while 128 - found.leading_zeros() < count {
        (found, left) = next_digit(0);
        exponent -= 1;
    }
    (found << 1 | u128::from(left != 0), exponent - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The processor's square root is exact too.
    #[test]
    fn agrees_with_the_processor() {
        let values = [0.0, -0.0, 1.0, 2.0, 3.0, 0.1, 1e300, 5e-324, 2.5e-310, f64::MAX, f64::INFINITY, 1e22];
        for value in values {
            let root = square_root(FloatKind::Double, u128::from(value.to_bits()), super::super::TO_NEAREST);
            assert_eq!(root, u128::from(value.sqrt().to_bits()), "{value}");
        }
        let nan = square_root(FloatKind::Double, u128::from((-1f64).to_bits()), super::super::TO_NEAREST);
        assert_eq!(classify(FloatKind::Double, nan), Class::Nan);
    }

    #[test]
    fn directions_enclose_a_root_that_is_no_number() {
        let two = u128::from(2f64.to_bits());
        let [down, up] = [Round::TowardNegative, Round::TowardPositive]
            .map(|round| square_root(FloatKind::Double, two, round));
        assert_eq!(up, down + 1);
        let four = u128::from(4f64.to_bits());
        assert_eq!(square_root(FloatKind::Double, four, Round::TowardPositive), u128::from(2f64.to_bits()));
    }
}
