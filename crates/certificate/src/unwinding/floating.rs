//! Floating-point operations on constants, computed by the processor that the checker runs on. Only `float` and `double` are
//! followed, in the rounding mode that programs start with, and only where the result is a number.

use std::ops::{Add, Div, Mul, Sub};

use rorqual_cfa::{BinaryOp, FloatKind};

/// A number of a kind that is followed. Every `float` is a `double`.
fn decoded(kind: FloatKind, bits: u64) -> Option<f64> {
    let value = match kind {
        FloatKind::Float => f64::from(f32::from_bits(u32::try_from(bits).ok()?)),
        FloatKind::Double => f64::from_bits(bits),
        _ => return None,
    };
    (!value.is_nan()).then_some(value)
}

/// The bits of a number, rounded to a kind.
#[expect(clippy::cast_possible_truncation, reason = "a conversion rounds")]
fn encoded(kind: FloatKind, value: f64) -> Option<u64> {
    match kind {
        _ if value.is_nan() => None,
        FloatKind::Float => Some(u64::from((value as f32).to_bits())),
        FloatKind::Double => Some(value.to_bits()),
        _ => None,
    }
}

/// A sum, difference, product or quotient.
pub(super) fn arithmetic(op: BinaryOp, kind: FloatKind, lhs: u64, rhs: u64) -> Option<u64> {
    let (left, right) = (decoded(kind, lhs)?, decoded(kind, rhs)?);
    if kind == FloatKind::Float {
        let float = |bits: u64| Some(f32::from_bits(u32::try_from(bits).ok()?));
        let value = calculated(op, float(lhs)?, float(rhs)?)?;
        return encoded(kind, f64::from(value));
    }
    encoded(kind, calculated(op, left, right)?)
}

fn calculated<T>(op: BinaryOp, lhs: T, rhs: T) -> Option<T>
where
    T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    Some(match op {
        BinaryOp::Add => lhs + rhs,
        BinaryOp::Sub => lhs - rhs,
        BinaryOp::Mul => lhs * rhs,
        BinaryOp::Div => lhs / rhs,
        _ => return None,
    })
}

/// Whether a comparison holds.
pub(super) fn comparison(op: BinaryOp, kind: FloatKind, lhs: u64, rhs: u64) -> Option<bool> {
    let order = decoded(kind, lhs)?.partial_cmp(&decoded(kind, rhs)?)?;
    Some(match op {
        BinaryOp::Eq => order.is_eq(),
        BinaryOp::Ne => order.is_ne(),
        BinaryOp::Lt => order.is_lt(),
        BinaryOp::Le => order.is_le(),
        BinaryOp::Gt => order.is_gt(),
        BinaryOp::Ge => order.is_ge(),
        _ => return None,
    })
}

/// A number in another kind.
pub(super) fn converted(from: FloatKind, to: FloatKind, bits: u64) -> Option<u64> {
    encoded(to, decoded(from, bits)?)
}

/// An integer as a number. `float` is rounded once only: from integers that `double` has exactly.
#[expect(clippy::cast_precision_loss, reason = "a conversion rounds")]
pub(super) fn from_integer(to: FloatKind, value: i128) -> Option<u64> {
    let is_exact = value.unsigned_abs() < 1 << f64::MANTISSA_DIGITS;
    encoded(to, value as f64).filter(|_| to == FloatKind::Double || is_exact)
}

/// A number without its fraction, if that is an integer from `least` to `most`.
#[expect(clippy::cast_possible_truncation, reason = "its range was looked at")]
pub(super) fn to_integer(from: FloatKind, bits: u64, least: i128, most: i128) -> Option<i128> {
    let value = decoded(from, bits)?.trunc();
    let is_small = value.abs() < 1e30;
    Some(value as i128).filter(|whole| is_small && (least..=most).contains(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOUBLE: FloatKind = FloatKind::Double;

    #[test]
    fn constants_are_folded() {
        let bits = |value: f64| value.to_bits();
        assert_eq!(arithmetic(BinaryOp::Mul, DOUBLE, bits(4.0), bits(0.77)), Some(bits(3.08)));
        assert_eq!(arithmetic(BinaryOp::Div, DOUBLE, bits(0.0), bits(0.0)), None);
        assert_eq!(comparison(BinaryOp::Lt, DOUBLE, bits(-0.0), bits(0.0)), Some(false));
        assert_eq!(comparison(BinaryOp::Ne, DOUBLE, bits(f64::NAN), bits(0.0)), None);
        let third = arithmetic(BinaryOp::Div, FloatKind::Float, 1f32.to_bits().into(), 3f32.to_bits().into());
        assert_eq!(third, Some((1f32 / 3f32).to_bits().into()));
        assert_eq!(converted(DOUBLE, FloatKind::Float, bits(0.1)), Some(0.1f32.to_bits().into()));
        assert_eq!(arithmetic(BinaryOp::Add, FloatKind::LongDouble, 0, 0), None);
    }

    #[test]
    fn integers_are_rounded_once() {
        assert_eq!(from_integer(DOUBLE, (1 << 53) + 1), Some(9_007_199_254_740_992f64.to_bits()));
        assert_eq!(from_integer(FloatKind::Float, 16_777_217), Some(16_777_216f32.to_bits().into()));
        assert_eq!(from_integer(FloatKind::Float, i128::from(u64::MAX)), None);
        assert_eq!(to_integer(DOUBLE, (-3.58f64).to_bits(), -128, 127), Some(-3));
        assert_eq!(to_integer(DOUBLE, 128.5f64.to_bits(), -128, 127), None);
        assert_eq!(to_integer(DOUBLE, f64::INFINITY.to_bits(), i128::MIN, i128::MAX), None);
    }
}
