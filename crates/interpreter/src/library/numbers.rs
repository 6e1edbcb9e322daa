//! Numbers from text, absolute values, random numbers, time, and the end of the program.

use std::collections::VecDeque;

use rorqual_cfa::{BinaryOp, FloatKind, IntKind};
use rorqual_models::library::{ERRNO_FORGOTTEN, ERRNO_LOCATION};
use rustc_apfloat::{Round, Status};

use super::{Call, Native, int_shape};
use crate::float;
use crate::integer;
use crate::machine::Machine;
use crate::memory::Block;
use crate::outcome::{Cause, Halt, Run, Stop};
use crate::undefined::Undefined;
use crate::value::{IntShape, Pointer, Scalar, Shape, Value};

/// glibc's `ERANGE`.
const RANGE_ERROR: i32 = 34;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "abs" => |machine, call| absolute(machine, call, IntKind::Int),
        "labs" => |machine, call| absolute(machine, call, IntKind::Long),
        "llabs" | "imaxabs" => |machine, call| absolute(machine, call, IntKind::LongLong),
        "div" => |machine, call| quotient_and_rest(machine, call, IntKind::Int),
        "ldiv" => |machine, call| quotient_and_rest(machine, call, IntKind::Long),
        "lldiv" | "imaxdiv" => |machine, call| quotient_and_rest(machine, call, IntKind::LongLong),
        "atoi" => |machine, call| ascii_to(machine, call, IntKind::Int),
        "atol" => |machine, call| ascii_to(machine, call, IntKind::Long),
        "atoll" => |machine, call| ascii_to(machine, call, IntKind::LongLong),
        "strtol" => |machine, call| string_to(machine, call, IntKind::Long),
        "strtoul" => |machine, call| string_to(machine, call, IntKind::UnsignedLong),
        "strtoll" | "strtoimax" => |machine, call| string_to(machine, call, IntKind::LongLong),
        "strtoull" | "strtoumax" => |machine, call| string_to(machine, call, IntKind::UnsignedLongLong),
        "strtod" => |machine, call| string_to_float(machine, call, FloatKind::Double),
        "strtof" => |machine, call| string_to_float(machine, call, FloatKind::Float),
        "strtold" => |machine, call| string_to_float(machine, call, FloatKind::LongDouble),
        "atof" => |machine, call| {
            let text = machine.string(call.pointer(0)?)?;
            let prefix = float_prefix(FloatKind::Double, &text, machine.rounding);
            Ok(Value::Scalar(Scalar::Float(prefix.bits)))
        },
        "rand" | "random" => |machine, _| Ok(Value::int(i128::from(machine.library.random.next()))),
        "srand" | "srandom" => |machine, call| {
            machine.library.random = Random::new(call.int(0)? as u32);
            Ok(Value::Indeterminate)
        },
        "time" => time,
        "clock" => |machine, call| machine.time(call.name).map(Value::Scalar),
        ERRNO_LOCATION => |machine, _| machine.errno().map(Value::pointer),
        ERRNO_FORGOTTEN => |machine, call| {
            let length = int_shape(IntKind::Int, machine.memory.model()).value_bytes(machine.memory.model());
            machine.memory.forget(call.pointer(0)?, length as u64)?;
            Ok(Value::Indeterminate)
        },
        "getenv" | "secure_getenv" => |_, _| Ok(Value::pointer(Pointer::NULL)),
        "exit" | "_exit" | "_Exit" | "quick_exit" => {
            |_, call| Err(Stop::new(Cause::Finished(call.int(0)? as i32)))
        }
        "abort" | "__builtin_trap" => |_, _| Err(Stop::new(Cause::Halted(Halt::Abort))),
        "__builtin_unreachable" => |_, _| Err(Undefined::Unreachable.into()),
        _ => return None,
    })
}

fn shape_of(machine: &Machine<'_>, kind: IntKind) -> IntShape {
    IntShape::of(kind, machine.memory.model())
}

fn absolute(machine: &mut Machine<'_>, call: &Call<'_>, kind: IntKind) -> Run<Value> {
    let shape = shape_of(machine, kind);
    let magnitude = call.int(0)?.wrapping_abs();
    let value = shape.wrap(magnitude);
    if value != magnitude && machine.config.overflow {
        return Err(Undefined::SignedOverflow { operator: "abs", ty: kind.name().into_owned() }.into());
    }
    Ok(Value::int(value))
}

/// A structure with the quotient and, behind it, the rest.
fn quotient_and_rest(machine: &mut Machine<'_>, call: &Call<'_>, kind: IntKind) -> Run<Value> {
    let shape = shape_of(machine, kind);
    let (dividend, divisor) = (call.int(0)?, call.int(1)?);
    let bytes = (shape.width / 8) as usize;
    let mut block = Block::zeroed(2 * bytes);
    for (offset, op) in [(0, BinaryOp::Div), (bytes, BinaryOp::Rem)] {
        let value = integer::divide(op, dividend, divisor, shape, || kind.name().into_owned())?;
        block.set_number(offset, bytes, value as u128);
    }
    Ok(Value::Block(Box::new(block)))
}

/// An integer at the start of a text.
struct Prefix {
    negative: bool,
    /// At most what 128 bits hold.
    magnitude: u128,
    /// How many bytes it takes with leading space; 0 if there is none.
    length: usize,
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// Space and a sign at the start of a text: how long they are, and whether it is a minus.
fn sign_prefix(text: &[u8]) -> (usize, bool) {
    let space = text.iter().take_while(|&&byte| is_space(byte)).count();
    match text.get(space) {
        Some(b'-') => (space + 1, true),
        Some(b'+') => (space + 1, false),
        _ => (space, false),
    }
}

fn integer_prefix(text: &[u8], base: u32) -> Prefix {
    let (mut at, negative) = sign_prefix(text);
    let rest = &text[at..];
    let hex_follows = rest.get(2).is_some_and(u8::is_ascii_hexdigit);
    let is_hex = matches!(rest, [b'0', b'x' | b'X', ..]) && hex_follows;
    let base = match base {
        0 if is_hex => 16,
        0 if rest.first() == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    if base == 16 && is_hex {
        at += 2;
    }
    let digits = text[at..].iter().map_while(|&byte| char::from(byte).to_digit(base));
    let count = digits.clone().count();
    let magnitude = digits
        .fold(0u128, |value, digit| value.saturating_mul(u128::from(base)).saturating_add(u128::from(digit)));
    Prefix { negative, magnitude, length: if count == 0 { 0 } else { at + count } }
}

fn ascii_to(machine: &mut Machine<'_>, call: &Call<'_>, kind: IntKind) -> Run<Value> {
    let text = machine.string(call.pointer(0)?)?;
    let prefix = integer_prefix(&text, 10);
    // glibc's `atoi` is `(int) strtol`.
    let wide = if kind == IntKind::Int { IntKind::Long } else { kind };
    let (value, _) = clamp(&prefix, shape_of(machine, wide));
    Ok(Value::int(shape_of(machine, kind).wrap(value)))
}

/// The number in the range of a type, and whether it had to be changed for that.
fn clamp(prefix: &Prefix, shape: IntShape) -> (i128, bool) {
    let bound = 1u128 << (shape.width - 1);
    let limit = match (shape.signed, prefix.negative) {
        (true, true) => bound,
        (true, false) => bound - 1,
        (false, _) => bound + (bound - 1),
    };
    let clamped = prefix.magnitude > limit;
    let magnitude = prefix.magnitude.min(limit) as i128;
    // A clamped unsigned number is the greatest one, whatever its sign.
    let negated = prefix.negative && (shape.signed || !clamped);
    let value = if negated { magnitude.wrapping_neg() } else { magnitude };
    (shape.wrap(value), clamped)
}

fn store_end(machine: &mut Machine<'_>, call: &Call<'_>, length: usize) -> Run<()> {
    let end = call.pointer(1)?;
    if end.is_null() {
        return Ok(());
    }
    let rest = machine.memory.offset(call.pointer(0)?, length as i128);
    machine.memory.store(end, Shape::Pointer, Scalar::Pointer(rest))
}

fn string_to(machine: &mut Machine<'_>, call: &Call<'_>, kind: IntKind) -> Run<Value> {
    let text = machine.string(call.pointer(0)?)?;
    let base = call.int(2)?;
    if base != 0 && !(2..=36).contains(&base) {
        return Err(call.problem(format!("the base {base} does not exist")));
    }
    let prefix = integer_prefix(&text, base as u32);
    store_end(machine, call, prefix.length)?;
    let (value, clamped) = clamp(&prefix, shape_of(machine, kind));
    if clamped {
        machine.set_errno(RANGE_ERROR)?;
    }
    Ok(Value::int(value))
}

/// A floating-point number at the start of a text.
struct FloatPrefix {
    /// How many bytes it takes with leading space; 0 if there is none.
    length: usize,
    bits: u128,
    /// Whether the number is too large, or too small to be exact, for its type.
    out_of_range: bool,
}

/// The longest start of a text that is a floating-point number.
fn float_prefix(kind: FloatKind, text: &[u8], round: Round) -> FloatPrefix {
    let (start, _) = sign_prefix(text);
    let body: Vec<u8> = text[start..].iter().map(u8::to_ascii_lowercase).collect();
    let words: [&[u8]; 3] = [b"infinity", b"inf", b"nan"];
    let word = words.into_iter().find(|word| body.starts_with(word));
    let length = match word {
        Some(word) => word.len(),
        None => number_length(&body),
    };
    if length == 0 {
        return FloatPrefix { length: 0, bits: 0, out_of_range: false };
    }
    let space = text.iter().take_while(|&&byte| is_space(byte)).count();
    let end = start + length;
    let number = std::str::from_utf8(&text[space..end]).ok();
    let parsed = number.and_then(|number| float::parse_with_status(kind, number, round));
    let (bits, status) = parsed.unwrap_or((0, Status::OK));
    FloatPrefix { length: end, bits, out_of_range: status.intersects(Status::OVERFLOW | Status::UNDERFLOW) }
}

/// How long the number at the start of a lower-case text is.
fn number_length(text: &[u8]) -> usize {
    if text.starts_with(b"0x") {
        let length = digits_length(&text[2..], u8::is_ascii_hexdigit, b'p');
        if length > 0 {
            return length + 2;
        }
    }
    digits_length(text, u8::is_ascii_digit, b'e')
}

fn digits_length(text: &[u8], is_digit: fn(&u8) -> bool, marker: u8) -> usize {
    let count = |from: usize| text[from..].iter().take_while(|byte| is_digit(byte)).count();
    let whole = count(0);
    let mut end = whole;
    if text.get(end) == Some(&b'.') {
        let fraction = count(end + 1);
        if whole + fraction == 0 {
            return 0;
        }
        end += 1 + fraction;
    }
    if end == 0 {
        return 0;
    }
    if text.get(end) == Some(&marker) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let from = end + 1 + sign;
        let exponent =
            text.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
        if exponent > 0 {
            end = from + exponent;
        }
    }
    end
}

fn string_to_float(machine: &mut Machine<'_>, call: &Call<'_>, kind: FloatKind) -> Run<Value> {
    let text = machine.string(call.pointer(0)?)?;
    let prefix = float_prefix(kind, &text, machine.rounding);
    store_end(machine, call, prefix.length)?;
    if prefix.out_of_range {
        machine.set_errno(RANGE_ERROR)?;
    }
    Ok(Value::Scalar(Scalar::Float(prefix.bits)))
}

/// The time is an input, as only the world outside knows it.
fn time(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let now = machine.time(call.name)?;
    let target = call.pointer(0)?;
    if !target.is_null() {
        let shape = int_shape(IntKind::Long, machine.memory.model());
        machine.memory.store(target, shape, now)?;
    }
    Ok(Value::Scalar(now))
}

/// glibc's `rand` with its state of 31 numbers (`TYPE_3`).
#[derive(Debug)]
pub(super) struct Random {
    state: VecDeque<u32>,
}

impl Random {
    pub(super) fn new(seed: u32) -> Random {
        let mut word = i64::from(seed.max(1) as i32);
        let mut state = VecDeque::with_capacity(31);
        for _ in 0..31 {
            state.push_back(word as u32);
            word = 16807 * word % 2_147_483_647;
            if word < 0 {
                word += 2_147_483_647;
            }
        }
        // glibc starts with the fourth number as the oldest one.
        state.rotate_left(3);
        let mut random = Random { state };
        for _ in 0..310 {
            random.next();
        }
        random
    }

    pub(super) fn next(&mut self) -> u32 {
        let oldest = self.state.pop_front().unwrap_or(0);
        let value = oldest.wrapping_add(self.state[self.state.len() - 3]);
        self.state.push_back(value);
        value >> 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program linked with glibc 2.36 prints.
    #[test]
    fn random_numbers_are_those_of_glibc() {
        let mut random = Random::new(1);
        let first: Vec<u32> = (0..4).map(|_| random.next()).collect();
        assert_eq!(first, [1_804_289_383, 846_930_886, 1_681_692_777, 1_714_636_915]);
        assert_eq!(Random::new(42).next(), 71_876_166);
    }

    #[test]
    fn integers_at_the_start_of_a_text() {
        let parse = |text: &str, base| {
            let prefix = integer_prefix(text.as_bytes(), base);
            (prefix.negative, prefix.magnitude, prefix.length)
        };
        assert_eq!(parse("  -12x", 10), (true, 12, 5));
        assert_eq!(parse("0x1f", 0), (false, 31, 4));
        assert_eq!(parse("0x", 0), (false, 0, 1));
        assert_eq!(parse("017", 0), (false, 15, 3));
        assert_eq!(parse("+", 10), (false, 0, 0));
    }

    #[test]
    fn floats_at_the_start_of_a_text() {
        let parse = |text: &str| {
            let prefix = float_prefix(FloatKind::Double, text.as_bytes(), float::TO_NEAREST);
            (prefix.length, f64::from_bits(prefix.bits as u64))
        };
        assert_eq!(parse(" 1.5e3x"), (6, 1500.0));
        assert_eq!(parse("1e"), (1, 1.0));
        assert_eq!(parse(".5"), (2, 0.5));
        assert_eq!(parse("-0x1.8p1"), (8, -3.0));
        assert_eq!(parse("x"), (0, 0.0));
        assert_eq!(parse("infx"), (3, f64::INFINITY));
    }
}
