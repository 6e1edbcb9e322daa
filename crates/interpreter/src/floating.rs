//! Floating-point arithmetic on constants, for those who describe programs without running them. Everything is rounded
//! to nearest.

use rorqual_cfa::{BinaryOp, DataModel, FloatKind, IntKind};

use crate::eval::compares;
use crate::float::{self, TO_NEAREST};
use crate::value::IntShape;

/// The result of `+`, `-`, `*` or `/`, as the bits of its format.
pub fn arithmetic(op: BinaryOp, kind: FloatKind, lhs: u128, rhs: u128) -> Option<u128> {
    float::arithmetic(op, kind, lhs, rhs, TO_NEAREST)
}

/// Whether a comparison holds.
pub fn compare(op: BinaryOp, kind: FloatKind, lhs: u128, rhs: u128) -> bool {
    compares(op, float::compare(kind, lhs, rhs))
}

/// A number in another format.
pub fn convert(from: FloatKind, to: FloatKind, bits: u128) -> u128 {
    float::convert(from, to, bits, TO_NEAREST)
}

/// A number as an integer, if it fits.
pub fn to_int(from: FloatKind, bits: u128, to: IntKind, model: DataModel) -> Option<i128> {
    float::to_int(from, bits, IntShape::of(to, model))
}

/// An integer, given by its bits, as a number.
pub fn from_int(to: FloatKind, bits: u128, from: IntKind, model: DataModel) -> u128 {
    let shape = IntShape::of(from, model);
    float::from_int(to, shape.wrap(bits.cast_signed()), shape, TO_NEAREST)
}
