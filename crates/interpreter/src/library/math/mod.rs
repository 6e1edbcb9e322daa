//! The functions of `<math.h>` and `<fenv.h>`, for `double`, `float` and `long double`.
//!
//! `exact` holds those that IEEE 754 or C define to the last bit, `inexact` those that every library approximates as
//! well as it can, and `environment` the direction of rounding.

mod classes;
mod environment;
mod exact;
mod inexact;

use rorqual_cfa::FloatKind;

use super::{Call, Native};
use crate::float::{self, TO_NEAREST};
use crate::machine::Machine;
use crate::outcome::{Guessed, Run};
use crate::value::{Scalar, Shape, Value};

/// A floating-point argument with its format.
type Number = (FloatKind, u128);

pub(super) fn find(name: &str) -> Option<Native> {
    let tables = [exact::find, inexact::find, classes::find, environment::find];
    tables.into_iter().find_map(|table| table(name))
}

fn number(machine: &Machine<'_>, call: &Call<'_>, index: usize) -> Run<Number> {
    let value = call.scalar(index)?;
    match (machine.shape(call.arguments[index].ty), value) {
        (Shape::Float(kind), Scalar::Float(bits)) => Ok((kind, bits)),
        _ => Err(call.problem(format!("argument {} is not a floating-point number", index + 1))),
    }
}

/// The first arguments, in the format of the first one.
fn numbers<const N: usize>(machine: &Machine<'_>, call: &Call<'_>) -> Run<(FloatKind, [u128; N])> {
    let (kind, _) = number(machine, call, 0)?;
    let mut all = [0; N];
    for (index, bits) in all.iter_mut().enumerate() {
        let (from, given) = number(machine, call, index)?;
        *bits = float::convert(from, kind, given, TO_NEAREST);
    }
    Ok((kind, all))
}

fn from_bits(bits: u128) -> Value {
    Value::Scalar(Scalar::Float(bits))
}

impl Machine<'_> {
    /// What the call gives is only likely: nothing wrong that happens from here on is sure to happen.
    pub(super) fn guess(&mut self, call: &Call<'_>) {
        if self.guessed.is_none() {
            self.guessed = Some(Guessed { function: call.name.to_owned(), span: self.span() });
        }
    }
}
