//! Floating-point numbers as text, exactly as glibc's `printf` writes them: the full decimal
//! expansion is computed with long integers and then rounded in the current direction.

use std::cmp::Ordering;
use std::fmt::Write;

use rorqual_cfa::FloatKind;
use rustc_apfloat::Round;

use crate::float::{self, Class};

/// How the magnitude of a number loses digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// To the nearest, ties to even.
    Nearest,
    /// To the next above.
    Away,
    /// To the next below.
    Truncate,
}

impl Cut {
    /// The cut for a direction of rounding and a sign.
    pub(crate) fn of(round: Round, negative: bool) -> Cut {
        match (round, negative) {
            (Round::TowardPositive, false) | (Round::TowardNegative, true) => Cut::Away,
            (Round::TowardZero | Round::TowardPositive | Round::TowardNegative, _) => Cut::Truncate,
            _ => Cut::Nearest,
        }
    }

    /// Whether the digit before the cut grows by one.
    fn grows(self, odd: bool, rest: Rest) -> bool {
        match self {
            Cut::Nearest => rest == Rest::AboveHalf || rest == Rest::Half && odd,
            Cut::Away => rest != Rest::Zero,
            Cut::Truncate => false,
        }
    }
}

/// What is cut off, compared with half of the last digit before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Zero,
    BelowHalf,
    Half,
    AboveHalf,
}

/// A number in decimal: `0.d1 d2 d3 … * 10^point`, with no digits for zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// Values 0 to 9, the first one non-zero.
    digits: Vec<u8>,
    point: i32,
    cut: Cut,
}

impl Decimal {
    /// The exact value of `mantissa * 2^exponent`, and how it is to be cut when it is written.
    pub(crate) fn exact(mantissa: u128, exponent: i32, cut: Cut) -> Decimal {
        let mut number = Natural::new(mantissa);
        if exponent >= 0 {
            number.multiply_power(2, exponent as u32);
        } else {
            // m / 2^k = m * 5^k / 10^k.
            number.multiply_power(5, exponent.unsigned_abs());
        }
        let digits = number.into_digits();
        let point = digits.len() as i32 + exponent.min(0);
        Decimal { digits, point, cut }
    }

    /// The exponent of the first digit; 0 for zero.
    pub(crate) fn exponent(&self) -> i32 {
        if self.digits.is_empty() { 0 } else { self.point - 1 }
    }

    /// Keeps the given number of digits (possibly none, or less) and rounds.
    fn round_to(&mut self, count: i64) {
        if self.digits.is_empty() || count >= self.digits.len() as i64 {
            return;
        }
        // Digits that are cut off before the first one are less than half of what is in front of them.
        let kept = usize::try_from(count).unwrap_or(0);
        let rest = self.digits.split_off(kept);
        let rest = if count < 0 { Rest::BelowHalf } else { rest_of(&rest) };
        let odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        if self.cut.grows(odd, rest) {
            // The last place that is kept may lie before the first digit.
            let missing = i32::try_from(kept as i64 - count).unwrap_or(0);
            self.point += missing;
            self.increment();
        }
    }

    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    /// The digit that stands for `10^position`.
    fn digit(&self, position: i32) -> char {
        let index = i64::from(self.point) - 1 - i64::from(position);
        let digit = usize::try_from(index).ok().and_then(|index| self.digits.get(index));
        char::from(b'0' + digit.copied().unwrap_or(0))
    }

    /// `%f`: digits, a point, and `precision` digits after it.
    pub(crate) fn fixed(&self, precision: usize, keep_point: bool) -> String {
        let mut rounded = self.clone();
        rounded.round_to(i64::from(self.point) + precision as i64);
        let mut out: String =
            (0..rounded.point.max(1)).rev().map(|position| rounded.digit(position)).collect();
        if precision > 0 || keep_point {
            out.push('.');
        }
        out.extend((1..=precision as i32).map(|position| rounded.digit(-position)));
        out
    }

    /// `%e`: one digit, a point, `precision` digits, and the exponent.
    pub(crate) fn scientific(&self, precision: usize, keep_point: bool) -> String {
        let mut rounded = self.clone();
        rounded.round_to(precision as i64 + 1);
        let exponent = rounded.exponent();
        let mut out = String::from(rounded.digit(exponent));
        if precision > 0 || keep_point {
            out.push('.');
        }
        out.extend((1..=precision as i32).map(|position| rounded.digit(exponent - position)));
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:02}", exponent.unsigned_abs());
        out
    }

    /// `%g`: the shorter of the two with `precision` significant digits; trailing zeros go
    /// unless `keep_zeros`.
    pub(crate) fn general(&self, precision: usize, keep_zeros: bool) -> String {
        let precision = precision.max(1);
        let mut rounded = self.clone();
        rounded.round_to(precision as i64);
        let exponent = rounded.exponent();
        let is_fixed = exponent >= -4 && i64::from(exponent) < precision as i64;
        let text = if is_fixed {
            self.fixed((precision as i64 - 1 - i64::from(exponent)) as usize, keep_zeros)
        } else {
            self.scientific(precision - 1, keep_zeros)
        };
        if keep_zeros { text } else { without_zeros(&text) }
    }
}

/// What the digits that are cut off, at least one, amount to.
fn rest_of(digits: &[u8]) -> Rest {
    let further = digits[1..].iter().any(|&digit| digit != 0);
    match digits[0] {
        0 if !further => Rest::Zero,
        0..5 => Rest::BelowHalf,
        5 if !further => Rest::Half,
        _ => Rest::AboveHalf,
    }
}

fn without_zeros(text: &str) -> String {
    let (number, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    let number =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    format!("{number}{exponent}")
}

/// `%a`: hexadecimal digits and a power of two. Without a precision, as many digits as needed.
pub(crate) fn hexadecimal(
    kind: FloatKind,
    bits: u128,
    precision: Option<usize>,
    keep_point: bool,
    cut: Cut,
) -> String {
    let Class::Finite { mantissa, exponent } = float::classify(kind, bits) else {
        return String::new();
    };
    // glibc writes the 64 bits of a long double as 16 digits, the first of which is up to `f`;
    // the other formats have a leading bit of their own and digits for the rest.
    let fraction_bits = match kind {
        FloatKind::Half => 10,
        FloatKind::Float => 23,
        FloatKind::Double => 52,
        FloatKind::LongDouble => 60,
        FloatKind::Quad => 112,
    };
    let digits = u32::div_ceil(fraction_bits, 4);
    let mut value = mantissa << (digits * 4 - fraction_bits);
    let mut exponent = if mantissa == 0 { 0 } else { exponent + fraction_bits as i32 };
    let mut shown = digits as usize;
    if let Some(precision) = precision.filter(|&precision| precision < shown) {
        let dropped = 4 * (shown - precision) as u32;
        value = cut_digits(value, dropped, cut);
        shown = precision;
        // A first digit of 16 would not be one digit.
        if value >> (4 * shown) > 15 {
            value >>= 4;
            exponent += 4;
        }
    }
    let first = value >> (4 * shown);
    let fraction = value & ((1u128 << (4 * shown)) - 1);
    let mut text = if shown == 0 { String::new() } else { format!("{fraction:0shown$x}") };
    match precision {
        Some(precision) => text.extend(std::iter::repeat_n('0', precision.saturating_sub(text.len()))),
        None => text.truncate(text.trim_end_matches('0').len()),
    }
    let point = if text.is_empty() && !keep_point { "" } else { "." };
    format!("0x{first:x}{point}{text}p{exponent:+}")
}

fn cut_digits(value: u128, dropped: u32, cut: Cut) -> u128 {
    let (kept, rest) = (value >> dropped, value & ((1 << dropped) - 1));
    let rest = match (rest, rest.cmp(&(1 << (dropped - 1)))) {
        (0, _) => Rest::Zero,
        (_, Ordering::Less) => Rest::BelowHalf,
        (_, Ordering::Equal) => Rest::Half,
        (_, Ordering::Greater) => Rest::AboveHalf,
    };
    kept + u128::from(cut.grows(kept & 1 == 1, rest))
}

/// A short text that reads back as the same number.
pub(crate) fn shortest(kind: FloatKind, bits: u128) -> String {
    let sign = if float::sign(kind, bits) { "-" } else { "" };
    match float::classify(kind, bits) {
        Class::Nan => format!("{sign}nan"),
        Class::Infinite => format!("{sign}inf"),
        Class::Finite { .. } => match kind {
            FloatKind::Float => format!("{:?}", f32::from_bits(bits as u32)),
            FloatKind::Double => format!("{:?}", f64::from_bits(bits as u64)),
            _ => format!("{sign}{}", hexadecimal(kind, bits, None, false, Cut::Nearest)),
        },
    }
}

/// A natural number of any size: digits to the base `2^32`, lowest first.
struct Natural(Vec<u32>);

impl Natural {
    fn new(value: u128) -> Natural {
        let limbs = (0..4).map(|index| (value >> (32 * index)) as u32);
        Natural(limbs.collect())
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for limb in &mut self.0 {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn multiply_power(&mut self, base: u32, exponent: u32) {
        // The greatest powers of 2 and 5 that fit a limb have at least 13 factors.
        for _ in 0..exponent / 13 {
            self.multiply(base.pow(13));
        }
        self.multiply(base.pow(exponent % 13));
    }

    fn divide(&mut self, divisor: u32) -> u32 {
        let mut rest = 0;
        for limb in self.0.iter_mut().rev() {
            let value = (rest << 32) | u64::from(*limb);
            *limb = (value / u64::from(divisor)) as u32;
            rest = value % u64::from(divisor);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        rest as u32
    }

    /// The decimal digits, highest first and without leading zeros.
    fn into_digits(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while self.0.iter().any(|&limb| limb != 0) {
            let mut group = self.divide(1_000_000_000);
            for _ in 0..9 {
                digits.push((group % 10) as u8);
                group /= 10;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(value: f64) -> Decimal {
        match float::classify(FloatKind::Double, float::from_f64(value)) {
            Class::Finite { mantissa, exponent } => Decimal::exact(mantissa, exponent, Cut::Nearest),
            other => panic!("{other:?}"),
        }
    }

    /// Rust's own formatting is exact, too.
    #[test]
    fn agrees_with_the_standard_library() {
        let values = [0.0, 0.1, 0.5, 1.5, 2.5, 9.995, 1e22, 1e-7, 123_456.789, f64::MAX, 5e-324];
        for value in values {
            for precision in [0, 1, 2, 6, 17, 40] {
                assert_eq!(decimal(value).fixed(precision, false), format!("{value:.precision$}"));
                let text = format!("{value:.precision$e}");
                let (mantissa, exponent) = text.split_once('e').unwrap();
                let exponent: i32 = exponent.parse().unwrap();
                let sign = if exponent < 0 { '-' } else { '+' };
                let expected = format!("{mantissa}e{sign}{:02}", exponent.abs());
                assert_eq!(decimal(value).scientific(precision, false), expected);
            }
        }
    }

    #[test]
    fn general_format_as_glibc_writes_it() {
        let general = |value, precision| decimal(value).general(precision, false);
        assert_eq!(general(100_000.0, 6), "100000");
        assert_eq!(general(1_000_000.0, 6), "1e+06");
        assert_eq!(general(0.0001, 6), "0.0001");
        assert_eq!(general(0.00001, 6), "1e-05");
        assert_eq!(general(0.0, 6), "0");
        assert_eq!(general(999_999.5, 6), "1e+06");
        assert_eq!(general(1.0 / 3.0, 0), "0.3");
        assert_eq!(decimal(1.0).general(6, true), "1.00000");
    }

    #[test]
    fn hexadecimal_format_as_glibc_writes_it() {
        let double =
            |value: f64| hexadecimal(FloatKind::Double, float::from_f64(value), None, false, Cut::Nearest);
        assert_eq!(double(1.0), "0x1p+0");
        assert_eq!(double(0.1), "0x1.999999999999ap-4");
        assert_eq!(double(0.0), "0x0p+0");
        assert_eq!(double(5e-324), "0x0.0000000000001p-1022");
        let one =
            float::convert(FloatKind::Double, FloatKind::LongDouble, float::from_f64(1.0), float::TO_NEAREST);
        assert_eq!(hexadecimal(FloatKind::LongDouble, one, None, false, Cut::Nearest), "0x8p-3");
        let precise = |value, precision| {
            hexadecimal(FloatKind::Double, float::from_f64(value), Some(precision), false, Cut::Nearest)
        };
        assert_eq!(precise(1.999, 1), "0x2.0p+0");
        assert_eq!(precise(1.0, 3), "0x1.000p+0");
    }
}
