//! Every operator at every pair of integer types: binary, unary, assignment, steps, casts and
//! conditionals. Numbers of combinations are scrambled, so that few programs already meet many.

use super::integer::{INT, IntegerType, Value, any_type, binary, literal, numbered_type, type_count, unary};
use super::writer::{Variable, Writer};

const BINARY: [&str; 18] =
    ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||"];

const ASSIGNMENTS: [&str; 11] = ["", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];

/// Combinations that one program tests.
const PER_PROGRAM: usize = 8;

/// How often values are chosen anew until the operation is defined.
const ATTEMPTS: usize = 60;

/// A prime that does not divide the number of combinations, so that all are met.
const SCRAMBLE: usize = 7_919;

fn combinations(writer: &Writer, total: usize) -> Vec<usize> {
    let first = writer.round * PER_PROGRAM;
    (first..first + PER_PROGRAM).map(|number| number.wrapping_mul(SCRAMBLE) % total).collect()
}

fn pair(writer: &mut Writer, number: usize) -> (IntegerType, IntegerType) {
    let types = type_count(writer.model);
    let left = numbered_type(writer.model, number % types, &mut writer.random);
    (left, numbered_type(writer.model, number / types % types, &mut writer.random))
}

/// Values for which the operator is defined.
fn operands(
    writer: &mut Writer,
    operator: &str,
    left: IntegerType,
    right: IntegerType,
) -> Option<(u128, u128)> {
    (0..ATTEMPTS).find_map(|_| {
        let (a, b) = (left.value(&mut writer.random), right.value(&mut writer.random));
        let values = (Value { integer: left.integer, bits: a }, Value { integer: right.integer, bits: b });
        (operator.is_empty() || binary(operator, values.0, values.1).is_some()).then_some((a, b))
    })
}

fn result_bits(operator: &str, left: &Variable, right: &Variable) -> u32 {
    binary(operator, left.value(), right.value()).map_or(32, |value| value.integer.bits)
}

/// `a op b`, with two variables and with a constant on either side.
pub(super) fn binary_operators(writer: &mut Writer) {
    let types = type_count(writer.model);
    for number in combinations(writer, types * types * BINARY.len()) {
        let (left, right) = pair(writer, number);
        let operator = BINARY[number / (types * types)];
        let Some((a, b)) = operands(writer, operator, left, right) else { continue };
        let (left, right) = (writer.variable(left, a), writer.variable(right, b));
        let bits = result_bits(operator, &left, &right);
        writer.observe_integer(bits, format!("{} {operator} {}", left.access, right.access));
        if right.of.field.is_none() && writer.random.once_in(3) {
            let constant = format!("({}){}", right.of.name, literal(right.of.integer, b));
            writer.observe_integer(bits, format!("{} {operator} {constant}", left.access));
        }
        if left.of.field.is_none() && writer.random.once_in(3) {
            let constant = format!("({}){}", left.of.name, literal(left.of.integer, a));
            writer.observe_integer(bits, format!("{constant} {operator} {}", right.access));
        }
    }
}

/// `a op= b` as a value, and what is stored then.
pub(super) fn assignments(writer: &mut Writer) {
    let types = type_count(writer.model);
    for number in combinations(writer, types * types * ASSIGNMENTS.len()) {
        let (left, right) = pair(writer, number);
        let operator = ASSIGNMENTS[number / (types * types)];
        let Some((a, b)) = operands(writer, operator, left, right) else { continue };
        let target = loop {
            let target = writer.variable(left, a);
            if target.is_writable {
                break target;
            }
        };
        let right = writer.variable(right, b);
        let bits = left.integer.bits;
        match writer.random.below(4) {
            0 => {
                let chained = any_type(writer.model, &mut writer.random);
                let name = writer.name("w");
                writer.line(format!("{} {name};", chained.name));
                let value = format!("{name} = {} {operator}= {}", target.access, right.access);
                writer.observe_integer(chained.integer.bits.max(bits), value);
                writer.observe_integer(128.min(chained.integer.bits.max(64)), name);
            }
            1 => {
                writer.line(format!("{} {operator}= {};", target.access, right.access));
            }
            2 => {
                let value = format!(
                    "(0, ({} {operator}= {})) == {}",
                    target.access,
                    right.access,
                    literal(left.integer, a)
                );
                writer.observe(value);
            }
            _ => {
                let value = format!("{} {operator}= {}", target.access, right.access);
                writer.observe_integer(bits, value);
            }
        }
        writer.observe_variable(&target);
        writer.observe_variable(&right);
    }
}

/// `++` and `--`, before and after, at every type.
pub(super) fn steps(writer: &mut Writer) {
    let types = type_count(writer.model);
    for number in combinations(writer, types * 4) {
        let of = numbered_type(writer.model, number % types, &mut writer.random);
        let (operator, after) = [("++", true), ("++", false), ("--", true), ("--", false)][number / types];
        let one = Value { integer: INT, bits: 1 };
        let bits = (0..ATTEMPTS)
            .map(|_| of.value(&mut writer.random))
            .find(|&bits| binary(&operator[..1], Value { integer: of.integer, bits }, one).is_some());
        let Some(bits) = bits else { continue };
        let variable = writer.variable(of, bits);
        if !variable.is_writable {
            continue;
        }
        let access = &variable.access;
        let expression = if after { format!("{access}{operator}") } else { format!("{operator}{access}") };
        let expression = match writer.random.below(3) {
            0 => format!("({expression}) + 0"),
            1 => format!("({expression}) == {}", literal(of.integer, bits)),
            _ => expression,
        };
        writer.observe_integer(of.integer.bits, expression);
        writer.observe_variable(&variable);
    }
}

/// Unary operators and casts.
pub(super) fn unary_and_casts(writer: &mut Writer) {
    let types = type_count(writer.model);
    for number in combinations(writer, types * types) {
        let (of, to) = pair(writer, number);
        let bits = of.value(&mut writer.random);
        let variable = writer.variable(of, bits);
        let access = variable.access.clone();
        let cast = format!("({}){access}", to.name);
        writer.observe_integer(to.integer.bits.max(if to.field.is_some() { 64 } else { 0 }), cast);
        for operator in ["-", "~", "!", "+"] {
            if let Some(value) = unary(operator, variable.value()) {
                writer.observe_integer(value.integer.bits, format!("{operator}{access}"));
            }
        }
        let member = writer.variable(to, to.store(variable.value().extended()));
        if member.is_writable {
            writer.line(format!("{} = {access};", member.access));
            writer.observe_variable(&member);
        }
    }
}

/// `c ? a : b` with operands of different types, and the comma.
pub(super) fn conditionals(writer: &mut Writer) {
    let types = type_count(writer.model);
    for number in combinations(writer, types * types) {
        let (left, right) = pair(writer, number);
        let (a, b) = (left.value(&mut writer.random), right.value(&mut writer.random));
        let (left, right) = (writer.variable(left, a), writer.variable(right, b));
        let of = any_type(writer.model, &mut writer.random);
        let bits = of.value(&mut writer.random);
        let condition = writer.variable(of, bits);
        let common = left.of.integer.common(right.of.integer);
        let chosen = format!("{} ? {} : {}", condition.access, left.access, right.access);
        writer.observe_integer(common.bits, chosen.clone());
        writer.observe_integer(common.bits, format!("({}, {chosen})", condition.access));
        writer.observe(format!("(({chosen}) < 0) + ({} ?: 3 > 0)", condition.access));
    }
}
