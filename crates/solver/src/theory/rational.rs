//! Exact rational numbers that stay in machine words while they are small. The tableau of the simplex
//! spends nearly all of its time here, and on the cores of program paths nearly every entry fits.

use std::cmp::Ordering;

use dashu::base::Signed;
use dashu::integer::IBig;
use dashu::rational::RBig;

/// A rational number in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rational(Repr);

/// `Big` holds only what does not fit `Small`, and both are reduced, so equality is structural.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Repr {
    /// A numerator and a positive denominator without common divisor.
    Small(i64, i64),
    Big(Box<RBig>),
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational(Repr::Small(0, 1));
    /// One.
    pub const ONE: Rational = Rational(Repr::Small(1, 1));

    /// `numerator / denominator`, which must not be zero.
    pub fn new(numerator: &IBig, denominator: &IBig) -> Rational {
        Rational::from_big(RBig::from_parts_signed(numerator.clone(), denominator.clone()))
    }

    fn from_big(value: RBig) -> Rational {
        match (i64::try_from(value.numerator()), i64::try_from(value.denominator())) {
            (Ok(numerator), Ok(denominator)) => Rational(Repr::Small(numerator, denominator)),
            _ => Rational(Repr::Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> RBig {
        match &self.0 {
            Repr::Small(numerator, denominator) => {
                RBig::from_parts_signed(IBig::from(*numerator), IBig::from(*denominator))
            }
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// Reduces; the denominator must be positive. Both come from products of two words, so the sum of
    /// two numerators cannot overflow: each is at most `2^126` in size.
    fn reduced(numerator: i128, denominator: i128) -> Rational {
        if denominator == 1 {
            return match i64::try_from(numerator) {
                Ok(numerator) => Rational(Repr::Small(numerator, 1)),
                Err(_) => Rational::from_big(RBig::from(IBig::from(numerator))),
            };
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).cast_signed();
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Rational(Repr::Small(numerator, denominator)),
            _ => Rational::from_big(RBig::from_parts_signed(numerator.into(), denominator.into())),
        }
    }

    /// The numerator.
    pub fn numerator(&self) -> IBig {
        match &self.0 {
            Repr::Small(numerator, _) => IBig::from(*numerator),
            Repr::Big(value) => value.numerator().clone(),
        }
    }

    /// The denominator, which is positive.
    pub fn denominator(&self) -> IBig {
        match &self.0 {
            Repr::Small(_, denominator) => IBig::from(*denominator),
            Repr::Big(value) => IBig::from(value.denominator().clone()),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// Whether it is greater than zero.
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Repr::Small(numerator, _) => *numerator > 0,
            // Zero is small, so the sign decides.
            Repr::Big(value) => value.is_positive(),
        }
    }

    /// Whether it is an integer.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, denominator) => *denominator == 1,
            Repr::Big(value) => value.is_int(),
        }
    }

    /// The greatest integer that is not greater.
    pub fn floor(&self) -> IBig {
        match &self.0 {
            Repr::Small(numerator, denominator) => IBig::from(numerator.div_euclid(*denominator)),
            Repr::Big(value) => value.floor(),
        }
    }

    /// `self + other`
    #[must_use]
    pub fn plus(&self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (&Repr::Small(a, b), &Repr::Small(c, d)) if b == d => {
                Rational::reduced(i128::from(a) + i128::from(c), i128::from(b))
            }
            (&Repr::Small(a, b), &Repr::Small(c, d)) => {
                let (a, b, c, d) = (i128::from(a), i128::from(b), i128::from(c), i128::from(d));
                Rational::reduced(a * d + c * b, b * d)
            }
            _ => Rational::from_big(self.to_big() + other.to_big()),
        }
    }

    /// `self - other`
    #[must_use]
    pub fn minus(&self, other: &Rational) -> Rational {
        self.plus(&other.negated())
    }

    /// `self * other`
    #[must_use]
    pub fn times(&self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (&Repr::Small(a, b), &Repr::Small(c, d)) => {
                Rational::reduced(i128::from(a) * i128::from(c), i128::from(b) * i128::from(d))
            }
            _ => Rational::from_big(self.to_big() * other.to_big()),
        }
    }

    /// `1 / self`, which must not be zero.
    #[must_use]
    pub fn inverse(&self) -> Rational {
        match &self.0 {
            Repr::Small(numerator, denominator) => {
                let sign = i128::from(numerator.signum());
                Rational::reduced(sign * i128::from(*denominator), sign * i128::from(*numerator))
            }
            Repr::Big(value) => Rational::from_big(RBig::ONE / value.as_ref()),
        }
    }

    /// `-self`
    #[must_use]
    pub fn negated(&self) -> Rational {
        match &self.0 {
            Repr::Small(numerator, denominator) => {
                Rational::reduced(-i128::from(*numerator), i128::from(*denominator))
            }
            Repr::Big(value) => Rational::from_big(-value.as_ref().clone()),
        }
    }
}

impl From<&IBig> for Rational {
    fn from(value: &IBig) -> Rational {
        match i64::try_from(value) {
            Ok(value) => Rational(Repr::Small(value, 1)),
            Err(_) => Rational(Repr::Big(Box::new(RBig::from(value.clone())))),
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (&Repr::Small(a, b), &Repr::Small(c, d)) if b == d => a.cmp(&c),
            (&Repr::Small(a, b), &Repr::Small(c, d)) => {
                (i128::from(a) * i128::from(d)).cmp(&(i128::from(c) * i128::from(b)))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Euclid's algorithm; divisions of double words are an order of magnitude slower than of words, so it
/// leaves them as soon as it can.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_of_words(a, b));
        }
        (a, b) = (b, a % b);
    }
    a
}

fn gcd_of_words(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(numerator: i64, denominator: i64) -> Rational {
        Rational::new(&numerator.into(), &denominator.into())
    }

    #[test]
    fn small_numbers_follow_the_rules() {
        assert_eq!(rational(1, 2).plus(&rational(1, 3)), rational(5, 6));
        assert_eq!(rational(1, 2).minus(&rational(1, 2)), Rational::ZERO);
        assert_eq!(rational(-2, 3).times(&rational(3, -2)), Rational::ONE);
        assert_eq!(rational(-2, 3).inverse(), rational(-3, 2));
        assert_eq!(rational(-7, 2).floor(), IBig::from(-4));
        assert!(rational(-1, 2) < rational(-1, 3));
    }

    #[test]
    fn large_numbers_come_back_to_words() {
        let large = rational(i64::MAX, 1);
        let square = large.times(&large);
        assert!(matches!(square.0, Repr::Big(_)));
        assert_eq!(square.times(&large.inverse()), large);
        assert!(square > large && square.negated() < large);
        assert_eq!(rational(i64::MIN, 1).negated().negated(), rational(i64::MIN, 1));
        assert_eq!(rational(i64::MIN, 1).inverse().inverse(), rational(i64::MIN, 1));
    }
}
