//! Arithmetic on integers. Values are extended to 128 bits; those of `unsigned __int128` are
//! wrapped, so operations that care look at the shape.

use std::cmp::Ordering;

use rorqual_cfa::{BinaryOp, OverflowOp, UnaryOp};

use crate::undefined::Undefined;
use crate::value::IntShape;

/// The result of an operation, and whether the exact result did not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wrapped {
    pub(crate) value: i128,
    pub(crate) overflow: bool,
}

fn wrapped(shape: IntShape, (value, lost): (i128, bool)) -> Wrapped {
    let result = shape.wrap(value);
    Wrapped { value: result, overflow: lost || result != value }
}

/// `lhs + rhs`, `lhs - rhs` or `lhs * rhs`. `overflow` is exact for signed types only.
pub(crate) fn wrapping(op: OverflowOp, lhs: i128, rhs: i128, shape: IntShape) -> Wrapped {
    let result = match op {
        OverflowOp::Add => lhs.overflowing_add(rhs),
        OverflowOp::Sub => lhs.overflowing_sub(rhs),
        OverflowOp::Mul => lhs.overflowing_mul(rhs),
    };
    wrapped(shape, result)
}

pub(crate) fn negate(value: i128, shape: IntShape) -> Wrapped {
    wrapped(shape, value.overflowing_neg())
}

/// `lhs / rhs` or `lhs % rhs`; `ty` names the type for the message.
pub(crate) fn divide(
    op: BinaryOp,
    lhs: i128,
    rhs: i128,
    shape: IntShape,
    ty: impl Fn() -> String,
) -> Result<i128, Undefined> {
    if rhs == 0 {
        return Err(Undefined::DivisionByZero);
    }
    if !shape.signed {
        let (a, b) = (lhs as u128, rhs as u128);
        return Ok((if op == BinaryOp::Div { a / b } else { a % b }) as i128);
    }
    let quotient = lhs.checked_div(rhs).filter(|&value| shape.wrap(value) == value);
    let Some(quotient) = quotient else {
        return Err(Undefined::QuotientOverflow { ty: ty() });
    };
    Ok(if op == BinaryOp::Div { quotient } else { lhs % rhs })
}

/// `lhs << rhs` or `lhs >> rhs`; a left shift overflows if C11 says so, that is, if a
/// negative number is shifted or `lhs * 2^rhs` does not fit.
pub(crate) fn shift(op: BinaryOp, lhs: i128, rhs: i128, shape: IntShape) -> Result<Wrapped, Undefined> {
    if rhs < 0 || rhs >= i128::from(shape.width) {
        return Err(Undefined::ShiftCount { count: rhs, width: shape.width });
    }
    let count = rhs as u32;
    if op == BinaryOp::Shl {
        let value = shape.wrap(lhs << count);
        return Ok(Wrapped { value, overflow: shape.signed && (lhs < 0 || value >> count != lhs) });
    }
    let value = if shape.signed { lhs >> count } else { ((lhs as u128) >> count) as i128 };
    Ok(Wrapped { value, overflow: false })
}

pub(crate) fn compare(lhs: i128, rhs: i128, shape: IntShape) -> Ordering {
    if shape.signed { lhs.cmp(&rhs) } else { (lhs as u128).cmp(&(rhs as u128)) }
}

/// The operations on the bits of one integer.
pub(crate) fn bits(op: UnaryOp, value: i128, shape: IntShape) -> Result<i128, Undefined> {
    let unsigned = IntShape { signed: false, ..shape };
    let bits = unsigned.wrap(value) as u128;
    let zeros_of_zero = matches!(op, UnaryOp::LeadingZeros | UnaryOp::TrailingZeros) && bits == 0;
    if zeros_of_zero {
        return Err(Undefined::ZerosOfZero);
    }
    Ok(match op {
        UnaryOp::ByteSwap => shape.wrap((bits.swap_bytes() >> (128 - shape.width)) as i128),
        UnaryOp::LeadingZeros => i128::from(bits.leading_zeros() - (128 - shape.width)),
        UnaryOp::TrailingZeros => i128::from(bits.trailing_zeros()),
        UnaryOp::CountOnes => i128::from(bits.count_ones()),
        _ => shape.wrap(!value),
    })
}

/// A number of any sign below `2^128`.
type Exact = (bool, u128);

fn exact(value: i128, shape: IntShape) -> Exact {
    if shape.signed { (value < 0, value.unsigned_abs()) } else { (false, value as u128) }
}

fn add((lhs_negative, lhs): Exact, (rhs_negative, rhs): Exact) -> Option<Exact> {
    if lhs_negative == rhs_negative {
        return lhs.checked_add(rhs).map(|sum| (lhs_negative, sum));
    }
    Some(if lhs >= rhs { (lhs_negative, lhs - rhs) } else { (rhs_negative, rhs - lhs) })
}

/// Whether the exact result of the operation does not fit into `result`.
pub(crate) fn overflows(
    op: OverflowOp,
    (lhs, lhs_shape): (i128, IntShape),
    (rhs, rhs_shape): (i128, IntShape),
    result: IntShape,
) -> bool {
    let (lhs, rhs) = (exact(lhs, lhs_shape), exact(rhs, rhs_shape));
    let exact = match op {
        OverflowOp::Add => add(lhs, rhs),
        OverflowOp::Sub => add(lhs, (!rhs.0, rhs.1)),
        OverflowOp::Mul => lhs.1.checked_mul(rhs.1).map(|product| (lhs.0 != rhs.0, product)),
    };
    !exact.is_some_and(|exact| fits(exact, result))
}

fn fits((negative, magnitude): Exact, shape: IntShape) -> bool {
    let width = if shape.boolean { 1 } else { shape.width };
    if shape.signed {
        let bound = 1u128 << (width - 1);
        magnitude < bound || (negative && magnitude == bound)
    } else {
        (!negative || magnitude == 0) && (width == 128 || magnitude >> width == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(width: u32, signed: bool) -> IntShape {
        IntShape { width, signed, boolean: false }
    }

    #[test]
    fn arithmetic_wraps_and_says_so() {
        let max = i128::from(i32::MAX);
        let sum = wrapping(OverflowOp::Add, max, 1, shape(32, true));
        assert_eq!(sum.value, i128::from(i32::MIN));
        assert!(sum.overflow);
        assert!(negate(i128::from(i32::MIN), shape(32, true)).overflow);
        assert!(wrapping(OverflowOp::Mul, i128::MAX, 2, shape(128, true)).overflow);
        let big = i128::from(u64::MAX);
        assert_eq!(wrapping(OverflowOp::Mul, big, big, shape(64, false)).value, 1);
    }

    #[test]
    fn quotients_that_do_not_exist() {
        let divide = |lhs, rhs| divide(BinaryOp::Rem, lhs, rhs, shape(32, true), String::new);
        assert_eq!(divide(-7, 2), Ok(-1));
        assert_eq!(divide(1, 0), Err(Undefined::DivisionByZero));
        assert!(matches!(divide(i128::from(i32::MIN), -1), Err(Undefined::QuotientOverflow { .. })));
    }

    #[test]
    fn shifts() {
        let int = shape(32, true);
        assert!(shift(BinaryOp::Shl, 1, 32, int).is_err());
        assert!(shift(BinaryOp::Shr, 1, -1, int).is_err());
        assert!(shift(BinaryOp::Shl, 1, 31, int).unwrap().overflow);
        assert!(!shift(BinaryOp::Shl, 1, 30, int).unwrap().overflow);
        assert_eq!(shift(BinaryOp::Shr, -8, 1, int).unwrap().value, -4);
    }

    #[test]
    fn overflow_of_mixed_types_is_exact() {
        let (int, unsigned, wide) = (shape(32, true), shape(32, false), shape(128, false));
        assert!(overflows(OverflowOp::Sub, (0, unsigned), (1, unsigned), unsigned));
        assert!(!overflows(OverflowOp::Sub, (0, unsigned), (1, unsigned), int));
        assert!(overflows(OverflowOp::Mul, (-1, wide), (2, int), wide));
        assert!(!overflows(OverflowOp::Add, (-1, wide), (-1, int), wide));
        let least = (i128::from(i32::MIN), int);
        assert!(!overflows(OverflowOp::Mul, least, (1, int), int));
        assert!(overflows(OverflowOp::Mul, least, (-1, int), int));
    }

    #[test]
    fn bit_counts_look_at_the_width() {
        let short = shape(16, true);
        assert_eq!(bits(UnaryOp::LeadingZeros, 1, short), Ok(15));
        assert_eq!(bits(UnaryOp::CountOnes, -1, short), Ok(16));
        assert_eq!(bits(UnaryOp::ByteSwap, 0x1280, short), Ok(-0x7fee));
        assert_eq!(bits(UnaryOp::TrailingZeros, 0, short), Err(Undefined::ZerosOfZero));
    }
}
