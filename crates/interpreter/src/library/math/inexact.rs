//! Functions that every library approximates: no standard says what their last bits are. They give what the library of
//! the machine gives that runs the interpreter, and a violation behind them is reported only if the result is certain:
//!
//! - where Annex F of C names the result (zeros, infinities, NaN, and the few other arguments listed here);
//! - where the result of `pow`, `exp2` or `log2` is a number of the type, which all libraries then give.

#![allow(clippy::float_cmp, reason = "what Annex F says is about exactly these numbers")]

use rorqual_cfa::FloatKind;

use super::super::{Call, Native};
use super::{from_bits, number, numbers};
use crate::float::{self, Class};
use crate::machine::Machine;
use crate::outcome::Run;
use crate::value::Value;

/// A function of one number: for both formats, and which arguments have a certain result.
struct Real {
    double: fn(f64) -> f64,
    single: fn(f32) -> f32,
    /// For a finite argument; a NaN gives a NaN.
    is_certain: fn(f64) -> bool,
}

macro_rules! real {
    ($method:ident, $certain:expr) => {
        |machine, call| {
            one(machine, call, &Real { double: f64::$method, single: f32::$method, is_certain: $certain })
        }
    };
}

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "sin" | "sinf" => real!(sin, |x| x == 0.0 || x.is_infinite()),
        "cos" | "cosf" => real!(cos, |x| x == 0.0 || x.is_infinite()),
        "tan" | "tanf" => real!(tan, |x| x == 0.0 || x.is_infinite()),
        "asin" | "asinf" => real!(asin, |x| x == 0.0 || x.abs() > 1.0),
        "acos" | "acosf" => real!(acos, |x| x == 1.0 || x.abs() > 1.0),
        "atan" | "atanf" => real!(atan, |x| x == 0.0),
        "sinh" | "sinhf" => real!(sinh, |x| x == 0.0 || x.is_infinite()),
        "cosh" | "coshf" => real!(cosh, |x| x == 0.0 || x.is_infinite()),
        "tanh" | "tanhf" => real!(tanh, |x| x == 0.0 || x.is_infinite()),
        "asinh" | "asinhf" => real!(asinh, |x| x == 0.0 || x.is_infinite()),
        "acosh" | "acoshf" => real!(acosh, |x| x <= 1.0 || x.is_infinite()),
        "atanh" | "atanhf" => real!(atanh, |x| x == 0.0 || x.abs() >= 1.0),
        "exp" | "expf" => real!(exp, |x| x == 0.0 || x.is_infinite()),
        "exp2" | "exp2f" => real!(exp2, is_small_integer),
        "expm1" | "expm1f" => real!(exp_m1, |x| x == 0.0 || x.is_infinite()),
        "log" | "logf" => real!(ln, is_edge_of_logarithm),
        "log2" | "log2f" => real!(log2, |x| is_edge_of_logarithm(x) || is_power_of_two(x)),
        "log10" | "log10f" => real!(log10, is_edge_of_logarithm),
        "log1p" | "log1pf" => real!(ln_1p, |x| x == 0.0 || x <= -1.0 || x.is_infinite()),
        "cbrt" | "cbrtf" => real!(cbrt, |x| x == 0.0 || x.is_infinite()),
        "pow" | "powf" => power,
        "atan2" | "atan2f" => |machine, call| two(machine, call, f64::atan2, f32::atan2),
        "hypot" | "hypotf" => |machine, call| two(machine, call, f64::hypot, f32::hypot),
        _ => return None,
    })
}

fn is_edge_of_logarithm(x: f64) -> bool {
    x == 1.0 || x <= 0.0 || x.is_infinite()
}

/// Whether two to the power of it is a number of every format, or zero or infinity there.
fn is_small_integer(x: f64) -> bool {
    x.is_infinite() || x.trunc() == x && x.abs() <= 126.0
}

fn is_power_of_two(x: f64) -> bool {
    match float::classify(FloatKind::Double, float::from_f64(x)) {
        Class::Finite { mantissa, .. } => mantissa.is_power_of_two(),
        _ => false,
    }
}

fn one(machine: &mut Machine<'_>, call: &Call<'_>, function: &Real) -> Run<Value> {
    let (kind, bits) = number(machine, call, 0)?;
    if !float::is_nan(kind, bits) && !(function.is_certain)(float::to_f64(kind, bits)) {
        machine.guess(call);
    }
    Ok(from_bits(match kind {
        FloatKind::Float => u128::from((function.single)(f32::from_bits(bits as u32)).to_bits()),
        _ => float::from_f64((function.double)(float::to_f64(kind, bits))),
    }))
}

fn two(
    machine: &mut Machine<'_>,
    call: &Call<'_>,
    double: fn(f64, f64) -> f64,
    single: fn(f32, f32) -> f32,
) -> Run<Value> {
    let (kind, [x, y]) = numbers(machine, call)?;
    machine.guess(call);
    Ok(computed(kind, [x, y], double, single))
}

fn computed(
    kind: FloatKind,
    [x, y]: [u128; 2],
    double: fn(f64, f64) -> f64,
    single: fn(f32, f32) -> f32,
) -> Value {
    from_bits(match kind {
        FloatKind::Float => u128::from(single(f32::from_bits(x as u32), f32::from_bits(y as u32)).to_bits()),
        _ => float::from_f64(double(float::to_f64(kind, x), float::to_f64(kind, y))),
    })
}

fn power(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (kind, [x, y]) = numbers(machine, call)?;
    if !is_certain_power(kind, float::to_f64(kind, x), float::to_f64(kind, y)) {
        machine.guess(call);
    }
    Ok(computed(kind, [x, y], f64::powf, f32::powf))
}

/// Whether a power is named by Annex F, or is a number of the format that can be computed by exact multiplications.
fn is_certain_power(kind: FloatKind, base: f64, exponent: f64) -> bool {
    let is_named = exponent == 0.0 || base == 1.0 || base.is_nan() || exponent.is_nan();
    let is_edge = base == 0.0 || base.is_infinite() || exponent.is_infinite();
    is_named || is_edge || (0.0..=64.0).contains(&exponent) && exact_power(kind, base, exponent)
}

fn exact_power(kind: FloatKind, base: f64, exponent: f64) -> bool {
    if exponent.trunc() != exponent {
        return false;
    }
    let digits = if kind == FloatKind::Float { 24 } else { 53 };
    let Class::Finite { mantissa, exponent: scale } =
        float::classify(FloatKind::Double, float::from_f64(base))
    else {
        return false;
    };
    let zeros = mantissa.trailing_zeros();
    let odd = mantissa >> zeros;
    let power = odd.checked_pow(exponent as u32);
    let size = (scale + zeros as i32).unsigned_abs() * exponent as u32;
    // The exponent must stay in the normal range of a `float`, with room for the digits.
    power.is_some_and(|power| 128 - power.leading_zeros() <= digits) && size <= 100
}
