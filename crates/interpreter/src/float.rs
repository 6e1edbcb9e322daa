//! Arithmetic on floating-point numbers, which are kept as the bits of their format.
//!
//! Every operation rounds to its type in the direction that it is told. To nearest, ties to even, `float` and `double`
//! use the processor; everything else is done by `rustc_apfloat`. Departure: on ILP32, gcc computes on the
//! x87 with excess precision; here every operation rounds to its type on both data models.

mod remainder;
mod root;

use std::cmp::Ordering;

use rorqual_cfa::{BinaryOp, FloatKind};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use crate::value::IntShape;

pub(crate) use remainder::{nearest_remainder, truncated_remainder};
pub(crate) use root::square_root;

/// The direction of rounding that every program starts with, and that constants are computed with.
pub(crate) const TO_NEAREST: Round = Round::NearestTiesToEven;

/// Evaluates `$body` with `$format` standing for the type that implements `$kind`.
macro_rules! with_format {
    ($kind:expr, $format:ident => $body:expr) => {
        match $kind {
            FloatKind::Half => {
                type $format = Half;
                $body
            }
            FloatKind::Float => {
                type $format = Single;
                $body
            }
            FloatKind::Double => {
                type $format = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $format = X87DoubleExtended;
                $body
            }
            FloatKind::Quad => {
                type $format = Quad;
                $body
            }
        }
    };
}

/// A floating-point number taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Nan,
    Infinite,
    /// `mantissa * 2^exponent`; `mantissa` may be zero.
    Finite {
        mantissa: u128,
        exponent: i32,
    },
}

/// How many bits of the format hold the fraction (with the explicit leading bit of the x87's
/// format), and how many the exponent.
fn fields(kind: FloatKind) -> (u32, u32) {
    match kind {
        FloatKind::Half => (10, 5),
        FloatKind::Float => (23, 8),
        FloatKind::Double => (52, 11),
        FloatKind::LongDouble => (64, 15),
        FloatKind::Quad => (112, 15),
    }
}

/// Takes a number apart; the sign is [`sign`]'s.
pub(crate) fn classify(kind: FloatKind, bits: u128) -> Class {
    let (fraction_bits, exponent_bits) = fields(kind);
    let fraction = bits & ((1 << fraction_bits) - 1);
    let biased = ((bits >> fraction_bits) & ((1 << exponent_bits) - 1)) as i32;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let explicit = kind == FloatKind::LongDouble;
    let digits = if explicit { fraction_bits - 1 } else { fraction_bits } as i32;
    if biased == (1 << exponent_bits) - 1 {
        let payload = if explicit { fraction & !(1 << 63) } else { fraction };
        return if payload == 0 { Class::Infinite } else { Class::Nan };
    }
    let hidden = u128::from(biased != 0 && !explicit) << fraction_bits;
    Class::Finite { mantissa: fraction | hidden, exponent: biased.max(1) - bias - digits }
}

fn sign_mask(kind: FloatKind) -> u128 {
    1 << (kind.value_bits() - 1)
}

/// Whether the sign bit is set.
pub(crate) fn sign(kind: FloatKind, bits: u128) -> bool {
    bits & sign_mask(kind) != 0
}

pub(crate) fn negate(kind: FloatKind, bits: u128) -> u128 {
    bits ^ sign_mask(kind)
}

pub(crate) fn magnitude(kind: FloatKind, bits: u128) -> u128 {
    bits & !sign_mask(kind)
}

pub(crate) fn is_zero(kind: FloatKind, bits: u128) -> bool {
    magnitude(kind, bits) == 0
}

pub(crate) fn is_nan(kind: FloatKind, bits: u128) -> bool {
    classify(kind, bits) == Class::Nan
}

/// `lhs op rhs` for the four operations of arithmetic; other operators give `None`.
pub(crate) fn arithmetic(op: BinaryOp, kind: FloatKind, lhs: u128, rhs: u128, round: Round) -> Option<u128> {
    let result = match kind {
        FloatKind::Double if round == TO_NEAREST => {
            let (a, b) = (f64::from_bits(lhs as u64), f64::from_bits(rhs as u64));
            let result = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                _ => return None,
            };
            u128::from(result.to_bits())
        }
        FloatKind::Float if round == TO_NEAREST => {
            let (a, b) = (f32::from_bits(lhs as u32), f32::from_bits(rhs as u32));
            let result = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                _ => return None,
            };
            u128::from(result.to_bits())
        }
        _ => with_format!(kind, F => software::<F>(op, lhs, rhs, round))?,
    };
    Some(with_sign_of_new_nan(kind, result, &[lhs, rhs]))
}

/// The processors give the negative quiet NaN for an operation without a NaN among its
/// operands, which `printf` shows as `-nan`.
fn with_sign_of_new_nan(kind: FloatKind, result: u128, operands: &[u128]) -> u128 {
    let is_new = is_nan(kind, result) && !operands.iter().any(|&operand| is_nan(kind, operand));
    if is_new { result | sign_mask(kind) } else { result }
}

/// Positive infinity.
pub(crate) fn infinity(kind: FloatKind) -> u128 {
    with_format!(kind, F => F::INFINITY.to_bits())
}

/// The NaN that an operation without a result gives.
pub(crate) fn invalid(kind: FloatKind) -> u128 {
    with_format!(kind, F => F::NAN.to_bits()) | sign_mask(kind)
}

fn software<F: Float>(op: BinaryOp, lhs: u128, rhs: u128, round: Round) -> Option<u128> {
    let (a, b) = (F::from_bits(lhs), F::from_bits(rhs));
    let result = match op {
        BinaryOp::Add => a.add_r(b, round),
        BinaryOp::Sub => a.sub_r(b, round),
        BinaryOp::Mul => a.mul_r(b, round),
        BinaryOp::Div => a.div_r(b, round),
        _ => return None,
    };
    Some(result.value.to_bits())
}

/// `x * y + z`, rounded once.
pub(crate) fn multiply_add(kind: FloatKind, [x, y, z]: [u128; 3], round: Round) -> u128 {
    let result = with_format!(kind, F => {
        let [x, y, z] = [x, y, z].map(F::from_bits);
        x.mul_add_r(y, z, round).value.to_bits()
    });
    with_sign_of_new_nan(kind, result, &[x, y, z])
}

/// `mantissa * 2^exponent`, rounded. Exact, or rounded only once, if the result is no subnormal number or the mantissa
/// fits the format.
pub(crate) fn compose(kind: FloatKind, mantissa: u128, exponent: i32, round: Round) -> u128 {
    let bits = with_format!(kind, F => F::from_u128_r(mantissa, round).value.to_bits());
    scale(kind, bits, exponent, round)
}

/// The number times a power of two, rounded once.
pub(crate) fn scale(kind: FloatKind, bits: u128, exponent: i32, round: Round) -> u128 {
    match classify(kind, bits) {
        Class::Finite { mantissa, .. } if mantissa != 0 => {
            with_format!(kind, F => F::from_bits(bits).scalbn_r(exponent, round).to_bits())
        }
        _ => bits,
    }
}

/// The next number above, or below.
pub(crate) fn neighbour(kind: FloatKind, bits: u128, above: bool) -> u128 {
    with_format!(kind, F => {
        let value = F::from_bits(bits);
        (if above { value.next_up() } else { value.next_down() }).value.to_bits()
    })
}

/// The direction that rounds the magnitude of a negative number as `round` rounds the number.
fn mirrored(round: Round) -> Round {
    match round {
        Round::TowardPositive => Round::TowardNegative,
        Round::TowardNegative => Round::TowardPositive,
        other => other,
    }
}

/// The order of two numbers; `None` if one is a NaN.
pub(crate) fn compare(kind: FloatKind, lhs: u128, rhs: u128) -> Option<Ordering> {
    match kind {
        FloatKind::Double => f64::from_bits(lhs as u64).partial_cmp(&f64::from_bits(rhs as u64)),
        FloatKind::Float => f32::from_bits(lhs as u32).partial_cmp(&f32::from_bits(rhs as u32)),
        _ => with_format!(kind, F => F::from_bits(lhs).partial_cmp(&F::from_bits(rhs))),
    }
}

/// The integer rounded to the format.
pub(crate) fn from_int(kind: FloatKind, value: i128, shape: IntShape, round: Round) -> u128 {
    if shape.signed || value >= 0 {
        match kind {
            FloatKind::Double if round == TO_NEAREST => u128::from((value as f64).to_bits()),
            FloatKind::Float if round == TO_NEAREST => u128::from((value as f32).to_bits()),
            _ => with_format!(kind, F => F::from_i128_r(value, round).value.to_bits()),
        }
    } else {
        with_format!(kind, F => F::from_u128_r(value as u128, round).value.to_bits())
    }
}

/// The number truncated to an integer; `None` if that does not fit.
pub(crate) fn to_int(kind: FloatKind, bits: u128, shape: IntShape) -> Option<i128> {
    if shape.boolean {
        return Some(i128::from(!is_zero(kind, bits)));
    }
    if matches!(kind, FloatKind::Float | FloatKind::Double) {
        let value = to_f64(kind, bits);
        // Within this bound, which includes most numbers, the processor truncates exactly.
        if value.abs() < 9e18 {
            let truncated = i128::from(value as i64);
            return (shape.wrap(truncated) == truncated).then_some(truncated);
        }
    }
    to_int_rounded(kind, bits, shape, Round::TowardZero)
}

/// The number rounded to an integer; `None` if that does not fit.
pub(crate) fn to_int_rounded(kind: FloatKind, bits: u128, shape: IntShape, round: Round) -> Option<i128> {
    let width = shape.width as usize;
    let mut exact = false;
    let (status, value) = with_format!(kind, F => if shape.signed {
        let result = F::from_bits(bits).to_i128_r(width, round, &mut exact);
        (result.status, result.value)
    } else {
        let result = F::from_bits(bits).to_u128_r(width, round, &mut exact);
        (result.status, result.value as i128)
    });
    (!status.contains(Status::INVALID_OP)).then_some(value)
}

/// The number rounded to another format.
pub(crate) fn convert(from: FloatKind, to: FloatKind, bits: u128, round: Round) -> u128 {
    match (from, to) {
        _ if from == to => bits,
        (FloatKind::Float, FloatKind::Double) => u128::from(f64::from(f32::from_bits(bits as u32)).to_bits()),
        (FloatKind::Double, FloatKind::Float) if round == TO_NEAREST => {
            u128::from((f64::from_bits(bits as u64) as f32).to_bits())
        }
        _ => with_format!(from, F => convert_from(F::from_bits(bits), to, round)),
    }
}

fn convert_from<F>(value: F, to: FloatKind, round: Round) -> u128
where
    F: FloatConvert<Half>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>,
{
    let mut loses = false;
    with_format!(to, T => FloatConvert::<T>::convert_r(value, round, &mut loses).value.to_bits())
}

/// The number that `text` writes in decimal or hexadecimal, rounded to the format.
pub(crate) fn parse(kind: FloatKind, text: &str, round: Round) -> Option<u128> {
    parse_with_status(kind, text, round).map(|(bits, _)| bits)
}

/// The same, and whether the number is rounded, too large or too small.
pub(crate) fn parse_with_status(kind: FloatKind, text: &str, round: Round) -> Option<(u128, Status)> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let round = if negative { mirrored(round) } else { round };
    let lower = digits.to_ascii_lowercase();
    let (positive, status) = match lower.as_str() {
        "inf" | "infinity" => (with_format!(kind, F => F::INFINITY.to_bits()), Status::OK),
        "nan" => (with_format!(kind, F => F::NAN.to_bits()), Status::OK),
        _ => {
            let has_exponent = lower.contains('p');
            let hexadecimal = lower.starts_with("0x");
            let text = if hexadecimal && !has_exponent { format!("{lower}p0") } else { lower };
            with_format!(kind, F => {
                let parsed = F::from_str_r(&text, round).ok()?;
                (parsed.value.to_bits(), parsed.status)
            })
        }
    };
    Some((if negative { negate(kind, positive) } else { positive }, status))
}

/// The number rounded to an integer of the same format.
pub(crate) fn round(kind: FloatKind, bits: u128, round: Round) -> u128 {
    with_format!(kind, F => F::from_bits(bits).round_to_integral(round).value.to_bits())
}

/// The number as a `double`, rounded.
pub(crate) fn to_f64(kind: FloatKind, bits: u128) -> f64 {
    f64::from_bits(convert(kind, FloatKind::Double, bits, TO_NEAREST) as u64)
}

/// The bits of a `double`.
pub(crate) fn from_f64(value: f64) -> u128 {
    u128::from(value.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: IntShape = IntShape { width: 32, signed: true, boolean: false };
    const UNSIGNED_LONG: IntShape = IntShape { width: 64, signed: false, boolean: false };

    fn double(value: f64) -> u128 {
        from_f64(value)
    }

    #[test]
    fn conversion_to_integers_truncates_and_checks_the_range() {
        let to = |value, shape| to_int(FloatKind::Double, double(value), shape);
        assert_eq!(to(-2.9, INT), Some(-2));
        assert_eq!(to(2_147_483_647.9, INT), Some(i128::from(i32::MAX)));
        assert_eq!(to(2_147_483_648.0, INT), None);
        assert_eq!(to(f64::NAN, INT), None);
        assert_eq!(to(f64::INFINITY, UNSIGNED_LONG), None);
        assert_eq!(to(-0.5, UNSIGNED_LONG), Some(0));
        assert_eq!(to(-1.0, UNSIGNED_LONG), None);
        assert_eq!(to(18_446_744_073_709_549_568.0, UNSIGNED_LONG), Some(18_446_744_073_709_549_568));
    }

    #[test]
    fn long_double_keeps_64_bits_of_a_mantissa() {
        let big = from_int(FloatKind::LongDouble, i128::from(u64::MAX), UNSIGNED_LONG, TO_NEAREST);
        assert_eq!(to_int(FloatKind::LongDouble, big, UNSIGNED_LONG), Some(i128::from(u64::MAX)));
        let one = from_int(FloatKind::LongDouble, 1, INT, TO_NEAREST);
        assert_eq!(one, 0x3fff_8000_0000_0000_0000);
        let sum = arithmetic(BinaryOp::Add, FloatKind::LongDouble, big, one, TO_NEAREST).unwrap();
        let class = classify(FloatKind::LongDouble, sum);
        assert_eq!(class, Class::Finite { mantissa: 1 << 63, exponent: 1 });
    }

    #[test]
    fn parts_of_subnormal_numbers() {
        let least = Class::Finite { mantissa: 1, exponent: -1074 };
        assert_eq!(classify(FloatKind::Double, 1), least);
        assert_eq!(
            classify(FloatKind::Float, u128::from(1.5f32.to_bits())),
            Class::Finite { mantissa: 3 << 22, exponent: -23 }
        );
    }

    #[test]
    fn zero_by_zero_is_the_negative_nan() {
        let nan = arithmetic(BinaryOp::Div, FloatKind::Double, 0, 0, TO_NEAREST).unwrap();
        assert!(is_nan(FloatKind::Double, nan) && sign(FloatKind::Double, nan));
        assert_eq!(compare(FloatKind::Double, nan, nan), None);
    }

    #[test]
    fn conversions_round_to_nearest() {
        let tenth = double(0.1);
        let single = convert(FloatKind::Double, FloatKind::Float, tenth, TO_NEAREST);
        assert_eq!(single, u128::from(0.1f32.to_bits()));
        let wide = convert(FloatKind::Double, FloatKind::LongDouble, tenth, TO_NEAREST);
        assert_eq!(convert(FloatKind::LongDouble, FloatKind::Double, wide, TO_NEAREST), tenth);
        let half = convert(FloatKind::Double, FloatKind::Half, tenth, TO_NEAREST);
        assert_eq!(half, 0x2e66);
    }

    #[test]
    fn texts_of_numbers() {
        assert_eq!(parse(FloatKind::Double, "0x1.8p1", TO_NEAREST), Some(double(3.0)));
        assert_eq!(parse(FloatKind::Double, "-1e-3", TO_NEAREST), Some(double(-0.001)));
        assert_eq!(parse(FloatKind::Double, "-inf", TO_NEAREST), Some(double(f64::NEG_INFINITY)));
        assert_eq!(parse(FloatKind::Double, "x", TO_NEAREST), None);
    }
}
