//! Functions whose results are defined to the last bit.

use std::cmp::Ordering;

use rorqual_cfa::{BinaryOp, FloatKind, IntKind};
use rustc_apfloat::Round;

use super::super::{Call, Native, UNKNOWN_RESULT, int_shape};
use super::{from_bits, number, numbers};
use crate::float::{self, Class, TO_NEAREST};
use crate::machine::Machine;
use crate::outcome::Run;
use crate::value::{IntShape, Scalar, Shape, Value};

pub(super) fn find(name: &str) -> Option<Native> {
    rounding(name).or_else(|| arithmetic(name)).or_else(|| parts(name))
}

fn rounding(name: &str) -> Option<Native> {
    Some(match name {
        "floor" | "floorf" | "floorl" => |machine, call| rounded(machine, call, Round::TowardNegative),
        "ceil" | "ceilf" | "ceill" => |machine, call| rounded(machine, call, Round::TowardPositive),
        "trunc" | "truncf" | "truncl" => |machine, call| rounded(machine, call, Round::TowardZero),
        "round" | "roundf" | "roundl" => |machine, call| rounded(machine, call, Round::NearestTiesToAway),
        "roundeven" | "roundevenf" | "roundevenl" => |machine, call| rounded(machine, call, TO_NEAREST),
        "rint" | "rintf" | "rintl" | "nearbyint" | "nearbyintf" | "nearbyintl" => {
            |machine, call| rounded(machine, call, machine.rounding)
        }
        "lround" | "lroundf" | "lroundl" => {
            |machine, call| to_integer(machine, call, IntKind::Long, Round::NearestTiesToAway)
        }
        "llround" | "llroundf" | "llroundl" => {
            |machine, call| to_integer(machine, call, IntKind::LongLong, Round::NearestTiesToAway)
        }
        "lrint" | "lrintf" | "lrintl" => {
            |machine, call| to_integer(machine, call, IntKind::Long, machine.rounding)
        }
        "llrint" | "llrintf" | "llrintl" => {
            |machine, call| to_integer(machine, call, IntKind::LongLong, machine.rounding)
        }
        _ => return None,
    })
}

fn arithmetic(name: &str) -> Option<Native> {
    Some(match name {
        "sqrt" | "sqrtf" | "sqrtl" => |machine, call| {
            let (kind, bits) = number(machine, call, 0)?;
            Ok(from_bits(float::square_root(kind, bits, machine.rounding)))
        },
        "fma" | "fmaf" | "fmal" => |machine, call| {
            let (kind, operands) = numbers(machine, call)?;
            Ok(from_bits(float::multiply_add(kind, operands, machine.rounding)))
        },
        "fmod" | "fmodf" | "fmodl" => |machine, call| {
            let (kind, [x, y]) = numbers(machine, call)?;
            Ok(from_bits(float::truncated_remainder(kind, x, y)))
        },
        "remainder" | "remainderf" | "remainderl" | "drem" | "dremf" | "dreml" => |machine, call| {
            let (kind, [x, y]) = numbers(machine, call)?;
            let result = float::nearest_remainder(kind, x, y).bits;
            guess_sign_of_zero(machine, call, kind, result);
            Ok(from_bits(result))
        },
        "remquo" | "remquof" | "remquol" => remainder_and_quotient,
        "fdim" | "fdimf" | "fdiml" => positive_difference,
        "fmin" | "fminf" | "fminl" => |machine, call| extreme(machine, call, Ordering::Less),
        "fmax" | "fmaxf" | "fmaxl" => |machine, call| extreme(machine, call, Ordering::Greater),
        _ => return None,
    })
}

fn parts(name: &str) -> Option<Native> {
    Some(match name {
        "fabs" | "fabsf" | "fabsl" => |machine, call| {
            let (kind, bits) = number(machine, call, 0)?;
            Ok(from_bits(float::magnitude(kind, bits)))
        },
        "copysign" | "copysignf" | "copysignl" => |machine, call| {
            let (kind, [value, sign]) = numbers(machine, call)?;
            let magnitude = float::magnitude(kind, value);
            Ok(from_bits(if float::sign(kind, sign) { float::negate(kind, magnitude) } else { magnitude }))
        },
        "nextafter" | "nextafterf" | "nextafterl" | "nexttoward" | "nexttowardf" | "nexttowardl" => {
            next_after
        }
        "ldexp" | "ldexpf" | "ldexpl" | "scalbn" | "scalbnf" | "scalbnl" | "scalbln" | "scalblnf"
        | "scalblnl" => |machine, call| {
            let (kind, bits) = number(machine, call, 0)?;
            let exponent = call.int(1)?.clamp(-100_000, 100_000) as i32;
            Ok(from_bits(float::scale(kind, bits, exponent, machine.rounding)))
        },
        "frexp" | "frexpf" | "frexpl" => fraction_and_exponent,
        "modf" | "modff" | "modfl" => fraction_and_whole,
        "ilogb" | "ilogbf" | "ilogbl" => |machine, call| {
            let (kind, bits) = number(machine, call, 0)?;
            Ok(Value::int(i128::from(exponent(kind, bits).unwrap_or(match float::classify(kind, bits) {
                Class::Infinite => i32::MAX,
                _ => i32::MIN,
            }))))
        },
        "logb" | "logbf" | "logbl" => leading_exponent,
        _ => return None,
    })
}

fn rounded(machine: &Machine<'_>, call: &Call<'_>, round: Round) -> Run<Value> {
    let (kind, bits) = number(machine, call, 0)?;
    Ok(from_bits(float::round(kind, bits, round)))
}

/// A result that does not fit is unspecified, which is not undefined.
fn to_integer(machine: &mut Machine<'_>, call: &Call<'_>, kind: IntKind, round: Round) -> Run<Value> {
    let (format, bits) = number(machine, call, 0)?;
    let shape = IntShape::of(kind, machine.memory.model());
    match float::to_int_rounded(format, bits, shape, round) {
        Some(value) => Ok(Value::int(value)),
        None => UNKNOWN_RESULT(machine, call),
    }
}

/// A remainder of zero has the sign of the dividend. glibc, which subtracts, gives another one when rounding downwards.
fn guess_sign_of_zero(machine: &mut Machine<'_>, call: &Call<'_>, kind: FloatKind, result: u128) {
    if machine.rounding == Round::TowardNegative && float::is_zero(kind, result) {
        machine.guess(call);
    }
}

/// C asks for at least three bits of the quotient; what is stored is what glibc stores.
fn remainder_and_quotient(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (kind, [x, y]) = numbers(machine, call)?;
    let is_defined = matches!(float::classify(kind, x), Class::Finite { .. })
        && !float::is_nan(kind, y)
        && !float::is_zero(kind, y);
    if !is_defined {
        machine.guess(call);
    }
    let result = float::nearest_remainder(kind, x, y);
    guess_sign_of_zero(machine, call, kind, result.bits);
    let shape = int_shape(IntKind::Int, machine.memory.model());
    machine.memory.store(call.pointer(2)?, shape, Scalar::Int(i128::from(result.quotient)))?;
    Ok(from_bits(result.bits))
}

fn positive_difference(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (kind, [x, y]) = numbers(machine, call)?;
    if float::compare(kind, x, y).is_some_and(Ordering::is_le) {
        return Ok(from_bits(0));
    }
    let difference = float::arithmetic(BinaryOp::Sub, kind, x, y, machine.rounding);
    Ok(from_bits(difference.unwrap_or(0)))
}

/// C leaves open which of two zeros is the lesser one.
fn extreme(machine: &mut Machine<'_>, call: &Call<'_>, wanted: Ordering) -> Run<Value> {
    let (kind, [x, y]) = numbers(machine, call)?;
    let take_first = match float::compare(kind, x, y) {
        None => !float::is_nan(kind, x),
        Some(order) => order == wanted || order.is_eq(),
    };
    if float::is_zero(kind, x) && float::is_zero(kind, y) && x != y {
        machine.guess(call);
    }
    Ok(from_bits(if take_first { x } else { y }))
}

/// `nexttoward` gets its direction as a `long double`, which all other formats fit into.
fn next_after(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let ((kind, value), (direction, toward)) = (number(machine, call, 0)?, number(machine, call, 1)?);
    let [wide, toward] = [(kind, value), (direction, toward)]
        .map(|(kind, bits)| float::convert(kind, FloatKind::LongDouble, bits, TO_NEAREST));
    let back = || float::convert(FloatKind::LongDouble, kind, toward, TO_NEAREST);
    let result = match float::compare(FloatKind::LongDouble, wide, toward) {
        None if float::is_nan(kind, value) => value,
        None | Some(Ordering::Equal) => back(),
        // The sign of zero is that of the direction.
        Some(order) if float::is_zero(kind, value) => {
            let least = float::neighbour(kind, 0, true);
            if order.is_lt() { least } else { float::negate(kind, least) }
        }
        Some(order) => float::neighbour(kind, value, order.is_lt()),
    };
    Ok(from_bits(result))
}

/// The `e` of `m * 2^e` with `1 <= m < 2`, for a number that has one.
fn exponent(kind: FloatKind, bits: u128) -> Option<i32> {
    match float::classify(kind, bits) {
        Class::Finite { mantissa, exponent } if mantissa != 0 => {
            Some(exponent + 127 - mantissa.leading_zeros() as i32)
        }
        _ => None,
    }
}

fn leading_exponent(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (kind, bits) = number(machine, call, 0)?;
    let infinity = float::infinity(kind);
    Ok(from_bits(match (exponent(kind, bits), float::classify(kind, bits)) {
        (Some(exponent), _) => float::from_int(kind, i128::from(exponent), SIGNED, TO_NEAREST),
        (None, Class::Nan) => bits,
        (None, Class::Infinite) => infinity,
        (None, Class::Finite { .. }) => float::negate(kind, infinity),
    }))
}

const SIGNED: IntShape = IntShape { width: 32, signed: true, boolean: false };

fn fraction_and_exponent(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (kind, bits) = number(machine, call, 0)?;
    let exponent = match (exponent(kind, bits), float::classify(kind, bits)) {
        (Some(exponent), _) => exponent + 1,
        (None, Class::Finite { .. }) => 0,
        // What is stored for numbers without a fraction is left open; glibc stores zero.
        (None, _) => {
            machine.guess(call);
            0
        }
    };
    let shape = int_shape(IntKind::Int, machine.memory.model());
    machine.memory.store(call.pointer(1)?, shape, Scalar::Int(i128::from(exponent)))?;
    Ok(from_bits(float::scale(kind, bits, -exponent, TO_NEAREST)))
}

fn fraction_and_whole(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (kind, bits) = number(machine, call, 0)?;
    let whole = float::round(kind, bits, Round::TowardZero);
    machine.memory.store(call.pointer(1)?, Shape::Float(kind), Scalar::Float(whole))?;
    let fraction = match float::classify(kind, bits) {
        Class::Nan => return Ok(from_bits(bits)),
        Class::Infinite => 0,
        Class::Finite { .. } => {
            let difference = float::arithmetic(BinaryOp::Sub, kind, bits, whole, TO_NEAREST);
            float::magnitude(kind, difference.unwrap_or(0))
        }
    };
    Ok(from_bits(if float::sign(kind, bits) { float::negate(kind, fraction) } else { fraction }))
}
