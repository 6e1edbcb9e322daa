//! Which kind of number an argument is, and numbers that need no argument.

use rorqual_cfa::FloatKind;

use super::super::{Call, Native};
use super::{from_bits, number};
use crate::float::{self, Class};
use crate::machine::Machine;
use crate::outcome::Run;
use crate::value::Value;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "isnan" | "isnanf" | "isnanl" | "__isnan" | "__isnanf" | "__isnanl" => {
            |machine, call| test(machine, call, |class, _| i128::from(class == Class::Nan))
        }
        "isinf"
        | "isinff"
        | "isinfl"
        | "__isinf"
        | "__isinff"
        | "__isinfl"
        | "isinf_sign"
        | "__builtin_isinf_sign" => |machine, call| test(machine, call, infinite_sign),
        "__builtin_isfinite" | "finite" | "finitef" | "finitel" | "__finite" | "__finitef" | "__finitel" => {
            |machine, call| test(machine, call, |class, _| i128::from(matches!(class, Class::Finite { .. })))
        }
        "signbit" | "signbitf" | "signbitl" | "__signbit" | "__signbitf" | "__signbitl" => {
            |machine, call| test(machine, call, |_, negative| i128::from(negative))
        }
        "__fpclassify" | "__fpclassifyf" | "__fpclassifyl" => classify,
        "__builtin_inf" | "__builtin_huge_val" => |_, _| Ok(infinity(FloatKind::Double)),
        "__builtin_inff" | "__builtin_huge_valf" => |_, _| Ok(infinity(FloatKind::Float)),
        "__builtin_infl" | "__builtin_huge_vall" => |_, _| Ok(infinity(FloatKind::LongDouble)),
        "nan" => |machine, call| not_a_number(machine, call, FloatKind::Double),
        "nanf" => |machine, call| not_a_number(machine, call, FloatKind::Float),
        "nanl" => |machine, call| not_a_number(machine, call, FloatKind::LongDouble),
        _ => return None,
    })
}

fn infinity(kind: FloatKind) -> Value {
    from_bits(float::infinity(kind))
}

/// The text may choose among the NaNs; which one it chooses is only guessed.
fn not_a_number(machine: &mut Machine<'_>, call: &Call<'_>, kind: FloatKind) -> Run<Value> {
    if !machine.string(call.pointer(0)?)?.is_empty() {
        machine.guess(call);
    }
    Ok(from_bits(float::magnitude(kind, float::invalid(kind))))
}

fn test(machine: &mut Machine<'_>, call: &Call<'_>, test: fn(Class, bool) -> i128) -> Run<Value> {
    let (kind, bits) = number(machine, call, 0)?;
    Ok(Value::int(test(float::classify(kind, bits), float::sign(kind, bits))))
}

fn infinite_sign(class: Class, negative: bool) -> i128 {
    match (class, negative) {
        (Class::Infinite, true) => -1,
        (Class::Infinite, false) => 1,
        _ => 0,
    }
}

/// glibc's numbers for `FP_NAN`, `FP_INFINITE`, `FP_ZERO`, `FP_SUBNORMAL` and `FP_NORMAL`.
fn classify(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (kind, bits) = number(machine, call, 0)?;
    let leading_bit = match kind {
        FloatKind::Half => 10,
        FloatKind::Float => 23,
        FloatKind::Double => 52,
        FloatKind::LongDouble => 63,
        FloatKind::Quad => 112,
    };
    Ok(Value::int(match float::classify(kind, bits) {
        Class::Nan => 0,
        Class::Infinite => 1,
        Class::Finite { mantissa: 0, .. } => 2,
        Class::Finite { mantissa, .. } if mantissa >> leading_bit == 0 => 3,
        Class::Finite { .. } => 4,
    }))
}
