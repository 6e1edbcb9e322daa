//! The floating-point environment: the direction of rounding. Exceptions are not tracked: no function that asks
//! for them is here, so that raising and clearing them has no effect that could be seen.

use rorqual_cfa::IntKind;
use rustc_apfloat::Round;

use super::super::{Call, Native, int_shape};
use crate::float::TO_NEAREST;
use crate::machine::Machine;
use crate::outcome::Run;
use crate::value::{Pointer, Scalar, Shape, Value};

/// The numbers of `<fenv.h>` on x86: bits of the control word of the x87.
const DIRECTIONS: [(i128, Round); 4] = [
    (0, TO_NEAREST),
    (0x400, Round::TowardNegative),
    (0x800, Round::TowardPositive),
    (0xc00, Round::TowardZero),
];

/// The control word of the x87 without its direction of rounding: all exceptions masked, full precision.
const CONTROL_WORD: i128 = 0x37f;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "fesetround" => |machine, call| {
            let wanted = call.int(0)?;
            Ok(match DIRECTIONS.into_iter().find(|&(number, _)| number == wanted) {
                Some((_, round)) => {
                    machine.rounding = round;
                    Value::int(0)
                }
                None => Value::int(1),
            })
        },
        "fegetround" => |machine, _| Ok(Value::int(control_bits(machine.rounding))),
        "feclearexcept" | "feraiseexcept" => |_, _| Ok(Value::int(0)),
        "fegetenv" | "feholdexcept" => |machine, call| {
            let bits = Scalar::Int(CONTROL_WORD | control_bits(machine.rounding));
            machine.memory.store(call.pointer(0)?, control_word(machine), bits)?;
            Ok(Value::int(0))
        },
        "fesetenv" | "feupdateenv" => set_environment,
        "__builtin_flt_rounds" => |machine, _| {
            Ok(Value::int(match machine.rounding {
                Round::TowardZero => 0,
                Round::TowardPositive => 2,
                Round::TowardNegative => 3,
                _ => 1,
            }))
        },
        _ => return None,
    })
}

fn control_bits(round: Round) -> i128 {
    DIRECTIONS.into_iter().find(|&(_, direction)| direction == round).map_or(0, |(number, _)| number)
}

/// An environment starts with the control word; the rest of it is about exceptions.
fn control_word(machine: &Machine<'_>) -> Shape {
    int_shape(IntKind::UnsignedShort, machine.memory.model())
}

fn set_environment(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let environment = call.pointer(0)?;
    machine.rounding = if is_default(machine, environment) {
        TO_NEAREST
    } else {
        let low = machine.read_byte(environment)?;
        let high = machine.read_byte(machine.memory.offset(environment, 1))?;
        let word = i128::from(u16::from_le_bytes([low, high]));
        DIRECTIONS.into_iter().find(|&(number, _)| number == word & 0xc00).map_or(TO_NEAREST, |found| found.1)
    };
    Ok(Value::int(0))
}

/// `FE_DFL_ENV` is the address -1.
fn is_default(machine: &Machine<'_>, environment: Pointer) -> bool {
    environment.address == machine.memory.wrap_address(u64::MAX)
}
