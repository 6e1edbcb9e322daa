//! The functions of `<math.h>`, for `double`, `float` and partly `long double`.
//!
//! Functions that are not exactly rounded by their definition (`sin`, `pow`, …) give what the
//! library of the machine gives that runs the interpreter; the last bit may differ elsewhere.

use rorqual_cfa::{FloatKind, IntKind};
use rustc_apfloat::Round;

use super::{Call, Native, int_shape};
use crate::float::{self, Class};
use crate::machine::Machine;
use crate::outcome::{Run, Stop};
use crate::value::{Scalar, Shape, Value};

/// A floating-point argument with its format.
type Number = (FloatKind, u128);

pub(super) fn find(name: &str) -> Option<Native> {
    one_number(name).or_else(|| two_numbers(name)).or_else(|| classification(name)).or_else(|| other(name))
}

/// Implements a function of one `double` by an expression over `f64`, and its variants for
/// `float` by the same over `f32`.
macro_rules! real {
    ($x:ident => $body:expr, double) => {
        |machine, call| {
            let $x: f64 = double(machine, call, 0)?;
            Ok(from_double($body))
        }
    };
    ($x:ident => $body:expr, float) => {
        |machine, call| {
            let $x: f32 = single(machine, call, 0)?;
            Ok(from_single($body))
        }
    };
    ($x:ident, $y:ident => $body:expr, double) => {
        |machine, call| {
            let ($x, $y): (f64, f64) = (double(machine, call, 0)?, double(machine, call, 1)?);
            Ok(from_double($body))
        }
    };
    ($x:ident, $y:ident => $body:expr, float) => {
        |machine, call| {
            let ($x, $y): (f32, f32) = (single(machine, call, 0)?, single(machine, call, 1)?);
            Ok(from_single($body))
        }
    };
}

fn one_number(name: &str) -> Option<Native> {
    Some(match name {
        "sqrt" => real!(x => x.sqrt(), double),
        "sqrtf" => real!(x => x.sqrt(), float),
        "sin" => real!(x => x.sin(), double),
        "sinf" => real!(x => x.sin(), float),
        "cos" => real!(x => x.cos(), double),
        "cosf" => real!(x => x.cos(), float),
        "tan" => real!(x => x.tan(), double),
        "tanf" => real!(x => x.tan(), float),
        "asin" => real!(x => x.asin(), double),
        "asinf" => real!(x => x.asin(), float),
        "acos" => real!(x => x.acos(), double),
        "acosf" => real!(x => x.acos(), float),
        "atan" => real!(x => x.atan(), double),
        "atanf" => real!(x => x.atan(), float),
        "sinh" => real!(x => x.sinh(), double),
        "cosh" => real!(x => x.cosh(), double),
        "tanh" => real!(x => x.tanh(), double),
        "exp" => real!(x => x.exp(), double),
        "expf" => real!(x => x.exp(), float),
        "exp2" => real!(x => x.exp2(), double),
        "log" => real!(x => x.ln(), double),
        "logf" => real!(x => x.ln(), float),
        "log2" => real!(x => x.log2(), double),
        "log2f" => real!(x => x.log2(), float),
        "log10" => real!(x => x.log10(), double),
        "log10f" => real!(x => x.log10(), float),
        "log1p" => real!(x => x.ln_1p(), double),
        "expm1" => real!(x => x.exp_m1(), double),
        "cbrt" => real!(x => x.cbrt(), double),
        "floor" | "floorf" | "floorl" => |machine, call| rounded(machine, call, Round::TowardNegative),
        "ceil" | "ceilf" | "ceill" => |machine, call| rounded(machine, call, Round::TowardPositive),
        "trunc" | "truncf" | "truncl" => |machine, call| rounded(machine, call, Round::TowardZero),
        "round" | "roundf" | "roundl" => |machine, call| rounded(machine, call, Round::NearestTiesToAway),
        "rint" | "rintf" | "rintl" | "nearbyint" | "nearbyintf" | "nearbyintl" => {
            |machine, call| rounded(machine, call, Round::NearestTiesToEven)
        }
        "fabs" | "fabsf" | "fabsl" => |machine, call| {
            let (kind, bits) = number(machine, call, 0)?;
            Ok(from_bits(float::magnitude(kind, bits)))
        },
        _ => return None,
    })
}

fn two_numbers(name: &str) -> Option<Native> {
    Some(match name {
        "fmod" => real!(x, y => x % y, double),
        "fmodf" => real!(x, y => x % y, float),
        "pow" => real!(x, y => x.powf(y), double),
        "powf" => real!(x, y => x.powf(y), float),
        "atan2" => real!(x, y => x.atan2(y), double),
        "atan2f" => real!(x, y => x.atan2(y), float),
        "hypot" => real!(x, y => x.hypot(y), double),
        "fdim" => real!(x, y => if x <= y { 0.0 } else { x - y }, double),
        "fmin" | "fminf" | "fminl" => |machine, call| extreme(machine, call, std::cmp::Ordering::Less),
        "fmax" | "fmaxf" | "fmaxl" => |machine, call| extreme(machine, call, std::cmp::Ordering::Greater),
        "copysign" | "copysignf" | "copysignl" => copysign,
        _ => return None,
    })
}

fn classification(name: &str) -> Option<Native> {
    Some(match name {
        "isnan" | "isnanf" | "isnanl" | "__isnan" | "__isnanf" | "__isnanl" => {
            |machine, call| test(machine, call, |class, _| i128::from(class == Class::Nan))
        }
        "isinf" | "isinff" | "isinfl" | "__isinf" | "__isinff" | "__isinfl" | "isinf_sign" => {
            |machine, call| test(machine, call, infinite_sign)
        }
        "isfinite" | "finite" | "finitef" | "finitel" | "__finite" | "__finitef" | "__finitel" => {
            |machine, call| test(machine, call, |class, _| i128::from(matches!(class, Class::Finite { .. })))
        }
        "signbit" | "signbitf" | "signbitl" | "__signbit" | "__signbitf" | "__signbitl" => {
            |machine, call| test(machine, call, |_, negative| i128::from(negative))
        }
        "__fpclassify" | "__fpclassifyf" | "__fpclassifyl" => classify,
        _ => return None,
    })
}

fn other(name: &str) -> Option<Native> {
    Some(match name {
        "inf" | "huge_val" => |_, _| Ok(from_double(f64::INFINITY)),
        "inff" | "huge_valf" => |_, _| Ok(from_single(f32::INFINITY)),
        "nan" => |_, _| Ok(from_double(f64::NAN)),
        "nanf" => |_, _| Ok(from_single(f32::NAN)),
        "ldexp" | "scalbn" => ldexp,
        "frexp" => frexp,
        "modf" => modf,
        "fma" => |machine, call| {
            let [x, y, z] = [0, 1, 2].map(|index| double(machine, call, index));
            Ok(from_double(x?.mul_add(y?, z?)))
        },
        "lround" | "lrint" | "llround" | "llrint" => to_long,
        "sqrtl" | "sinl" | "cosl" | "tanl" | "expl" | "logl" | "powl" | "fmodl" | "log2l" | "log10l"
        | "atan2l" | "infl" | "nanl" | "huge_vall" => {
            |_, call| Err(Stop::unsupported(format!("the library function `{}`", call.name)))
        }
        _ => return None,
    })
}

fn number(machine: &Machine<'_>, call: &Call<'_>, index: usize) -> Run<Number> {
    let value = call.scalar(index)?;
    match (machine.shape(call.arguments[index].ty), value) {
        (Shape::Float(kind), Scalar::Float(bits)) => Ok((kind, bits)),
        _ => Err(call.problem(format!("argument {} is not a floating-point number", index + 1))),
    }
}

fn double(machine: &Machine<'_>, call: &Call<'_>, index: usize) -> Run<f64> {
    let (kind, bits) = number(machine, call, index)?;
    Ok(float::to_f64(kind, bits))
}

fn single(machine: &Machine<'_>, call: &Call<'_>, index: usize) -> Run<f32> {
    let (kind, bits) = number(machine, call, index)?;
    Ok(f32::from_bits(float::convert(kind, FloatKind::Float, bits) as u32))
}

fn from_bits(bits: u128) -> Value {
    Value::Scalar(Scalar::Float(bits))
}

fn from_double(value: f64) -> Value {
    from_bits(float::from_f64(value))
}

fn from_single(value: f32) -> Value {
    from_bits(u128::from(value.to_bits()))
}

fn rounded(machine: &mut Machine<'_>, call: &Call<'_>, round: Round) -> Run<Value> {
    let (kind, bits) = number(machine, call, 0)?;
    Ok(from_bits(float::round(kind, bits, round)))
}

fn extreme(machine: &mut Machine<'_>, call: &Call<'_>, wanted: std::cmp::Ordering) -> Run<Value> {
    let ((kind, lhs), (_, rhs)) = (number(machine, call, 0)?, number(machine, call, 1)?);
    let take_lhs = match float::compare(kind, lhs, rhs) {
        None => !float::is_nan(kind, lhs),
        Some(order) => order == wanted || order.is_eq(),
    };
    Ok(from_bits(if take_lhs { lhs } else { rhs }))
}

fn copysign(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let ((kind, value), (_, sign)) = (number(machine, call, 0)?, number(machine, call, 1)?);
    let magnitude = float::magnitude(kind, value);
    Ok(from_bits(if float::sign(kind, sign) { float::negate(kind, magnitude) } else { magnitude }))
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

/// Scales in steps that each stay exact as long as the result is.
fn ldexp(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let mut value = double(machine, call, 0)?;
    let mut exponent = call.int(1)?.clamp(-5000, 5000) as i32;
    while exponent > 1000 {
        value *= 2f64.powi(1000);
        exponent -= 1000;
    }
    while exponent < -1000 && value.abs() > 2f64.powi(-20) {
        value *= 2f64.powi(-900);
        exponent += 900;
    }
    let factor = if exponent < -1022 { 0.0 } else { 2f64.powi(exponent) };
    Ok(from_double(value * factor))
}

fn frexp(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let value = double(machine, call, 0)?;
    let shape = int_shape(IntKind::Int, machine.memory.model());
    let (fraction, exponent) = match float::classify(FloatKind::Double, float::from_f64(value)) {
        Class::Finite { mantissa, exponent } if mantissa != 0 => {
            let digits = 128 - mantissa.leading_zeros() as i32;
            let fraction = mantissa as f64 / 2f64.powi(digits);
            (fraction.copysign(value), exponent + digits)
        }
        _ => (value, 0),
    };
    machine.memory.store(call.pointer(1)?, shape, Scalar::Int(i128::from(exponent)))?;
    Ok(from_double(fraction))
}

fn modf(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let value = double(machine, call, 0)?;
    let whole = value.trunc();
    let shape = Shape::Float(FloatKind::Double);
    let bits = Scalar::Float(float::from_f64(whole));
    machine.memory.store(call.pointer(1)?, shape, bits)?;
    let fraction = if value.is_infinite() { 0.0 } else { value - whole };
    Ok(from_double(fraction.copysign(value)))
}

fn to_long(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let value = double(machine, call, 0)?;
    let round = if call.name.ends_with("round") { value.round() } else { value.round_ties_even() };
    let kind = if call.name.contains("ll") { IntKind::LongLong } else { IntKind::Long };
    let shape = int_shape(kind, machine.memory.model());
    let Shape::Int(shape) = shape else {
        return Ok(Value::int(0));
    };
    match float::to_int(FloatKind::Double, float::from_f64(round), shape) {
        Some(value) => Ok(Value::int(value)),
        None => Err(call.problem(format!("{value} does not fit into the result"))),
    }
}
