//! Integer types and what gcc computes in them. The generator uses this only to keep away from
//! undefined behaviour; the values that programs are compared with come from gcc.

use rorqual_cfa::DataModel;

use super::program::long_bits;
use crate::random::Random;

/// The sign and the width in which an operation is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Integer {
    pub(super) signed: bool,
    pub(super) bits: u32,
}

pub(super) const INT: Integer = Integer { signed: true, bits: 32 };

/// A type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IntegerType {
    pub(super) name: &'static str,
    pub(super) integer: Integer,
    pub(super) is_boolean: bool,
    /// The width if it is a bit-field.
    pub(super) field: Option<u32>,
}

/// All types of variables, without bit-fields.
pub(super) fn integer_types(model: DataModel) -> Vec<IntegerType> {
    let long = long_bits(model);
    let mut types = vec![
        plain("char", true, 8),
        plain("signed char", true, 8),
        plain("unsigned char", false, 8),
        plain("short", true, 16),
        plain("unsigned short", false, 16),
        plain("int", true, 32),
        plain("unsigned", false, 32),
        plain("long", true, long),
        plain("unsigned long", false, long),
        plain("long long", true, 64),
        plain("unsigned long long", false, 64),
        plain("enum natural", false, 32),
        plain("enum whole", true, 32),
        IntegerType { is_boolean: true, ..plain("_Bool", false, 1) },
    ];
    if model == DataModel::Lp64 {
        types.extend([plain("__int128", true, 128), plain("unsigned __int128", false, 128)]);
    }
    types
}

fn plain(name: &'static str, signed: bool, bits: u32) -> IntegerType {
    IntegerType { name, integer: Integer { signed, bits }, is_boolean: false, field: None }
}

/// How many types `any_type` chooses from by number.
pub(super) fn type_count(model: DataModel) -> usize {
    integer_types(model).len() + FIELD_BASES
}

/// Bases of bit-fields; their widths are chosen at random.
const FIELD_BASES: usize = 8;

/// The type with a number below `type_count`; the last ones are bit-fields.
pub(super) fn numbered_type(model: DataModel, number: usize, random: &mut Random) -> IntegerType {
    let types = integer_types(model);
    if let Some(known) = types.get(number) {
        return *known;
    }
    let bases =
        ["int", "unsigned", "long long", "unsigned long long", "short", "unsigned char", "_Bool", "long"];
    let base = bases[(number - types.len()) % FIELD_BASES];
    let base = *types.iter().find(|known| known.name == base).expect("bases are types");
    let width = 1 + random.below(base.integer.bits as usize) as u32;
    // `int` alone in a bit-field is signed in gcc.
    IntegerType { integer: Integer { bits: width, ..base.integer }, field: Some(width), ..base }
}

/// Any type, bit-fields too.
pub(super) fn any_type(model: DataModel, random: &mut Random) -> IntegerType {
    let number = random.below(type_count(model));
    numbered_type(model, number, random)
}

impl Integer {
    fn mask(self) -> u128 {
        if self.bits == 128 { u128::MAX } else { (1 << self.bits) - 1 }
    }

    /// The bits of a value of this type, from any bits.
    pub(super) fn wrap(self, bits: u128) -> u128 {
        bits & self.mask()
    }

    /// The bits extended to 128 as the sign says.
    pub(super) fn extended(self, bits: u128) -> u128 {
        let negative = self.signed && bits >> (self.bits - 1) & 1 == 1;
        if negative { bits | !self.mask() } else { bits }
    }

    fn promoted(self) -> Integer {
        if self.bits < 32 { INT } else { self }
    }

    /// The usual arithmetic conversions.
    pub(super) fn common(self, other: Integer) -> Integer {
        let (left, right) = (self.promoted(), other.promoted());
        if left.bits == right.bits {
            return Integer { signed: left.signed && right.signed, bits: left.bits };
        }
        if left.bits > right.bits { left } else { right }
    }

    fn holds(self, value: i128) -> bool {
        let bits = value as u128;
        self.extended(self.wrap(bits)) == bits && (self.signed || value >= 0)
    }
}

impl IntegerType {
    /// What is stored if a value with these (extended) bits is assigned.
    pub(super) fn store(self, extended: u128) -> u128 {
        if self.is_boolean { u128::from(extended != 0) } else { self.integer.wrap(extended) }
    }

    /// A value of the type; bounds are more likely than by chance.
    pub(super) fn value(self, random: &mut Random) -> u128 {
        let any = u128::from(random.next()) << 64 | u128::from(random.next());
        let all = self.integer.mask();
        let top = all ^ (all >> 1);
        let small = any % 20;
        let chosen = match random.below(12) {
            0 => 0,
            1 => 1,
            2 => all,
            3 => top,
            4 => top.wrapping_sub(1),
            5 => all - 1,
            6 => 1u128 << (any % u128::from(self.integer.bits)),
            7 | 8 => small,
            9 => small.wrapping_neg(),
            _ => any,
        };
        self.integer.wrap(chosen)
    }
}

/// A constant expression with a value of the type.
pub(super) fn literal(integer: Integer, bits: u128) -> String {
    let extended = integer.extended(bits);
    if integer.bits > 64 {
        let (high, low) = ((extended >> 64) as u64, extended as u64);
        let text = format!("(((unsigned __int128){high}ULL << 64) | {low}ULL)");
        return if integer.signed { format!("((__int128){text})") } else { text };
    }
    if !integer.signed {
        return format!("{extended}{}", if extended > 0x7fff_ffff { "ULL" } else { "" });
    }
    match extended as i128 as i64 {
        i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
        value if !(-0x7fff_ffff..=0x7fff_ffff).contains(&value) => format!("({value}LL)"),
        value if value < 0 => format!("({value})"),
        value => value.to_string(),
    }
}

/// A typed value: the bits are those of the type, not extended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) integer: Integer,
    pub(super) bits: u128,
}

impl Value {
    pub(super) fn of_int(value: bool) -> Value {
        Value { integer: INT, bits: u128::from(value) }
    }

    pub(super) fn extended(self) -> u128 {
        self.integer.extended(self.bits)
    }

    pub(super) fn is_true(self) -> bool {
        self.bits != 0
    }

    pub(super) fn converted(self, to: Integer) -> Value {
        Value { integer: to, bits: to.wrap(self.extended()) }
    }

    pub(super) fn promoted(self) -> Value {
        self.converted(self.integer.promoted())
    }
}

/// The value of a unary operator, or nothing if it is undefined.
pub(super) fn unary(operator: &str, operand: Value) -> Option<Value> {
    if operator == "!" {
        return Some(Value::of_int(!operand.is_true()));
    }
    let operand = operand.promoted();
    match operator {
        "+" => Some(operand),
        "~" => Some(Value { bits: operand.integer.wrap(!operand.bits), ..operand }),
        _ => binary("-", Value { bits: 0, ..operand }, operand),
    }
}

/// The value of a binary operator, or nothing if it is undefined.
pub(super) fn binary(operator: &str, left: Value, right: Value) -> Option<Value> {
    match operator {
        "&&" => return Some(Value::of_int(left.is_true() && right.is_true())),
        "||" => return Some(Value::of_int(left.is_true() || right.is_true())),
        "<<" | ">>" => return shift(operator, left.promoted(), right.promoted()),
        _ => {}
    }
    let common = left.integer.common(right.integer);
    let (left, right) = (left.converted(common), right.converted(common));
    if matches!(operator, "<" | ">" | "<=" | ">=" | "==" | "!=") {
        return Some(Value::of_int(compare(operator, left, right)));
    }
    let bits = if common.signed { signed(operator, left, right)? } else { unsigned(operator, left, right)? };
    Some(Value { integer: common, bits: common.wrap(bits) })
}

fn compare(operator: &str, left: Value, right: Value) -> bool {
    let order = if left.integer.signed {
        (left.extended() as i128).cmp(&(right.extended() as i128))
    } else {
        left.bits.cmp(&right.bits)
    };
    match operator {
        "<" => order.is_lt(),
        ">" => order.is_gt(),
        "<=" => order.is_le(),
        ">=" => order.is_ge(),
        "==" => order.is_eq(),
        _ => order.is_ne(),
    }
}

fn signed(operator: &str, left: Value, right: Value) -> Option<u128> {
    let (integer, left, right) = (left.integer, left.extended() as i128, right.extended() as i128);
    let result = match operator {
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        // The remainder is undefined where the quotient is.
        "/" | "%" => {
            let quotient = left.checked_div(right).filter(|&quotient| integer.holds(quotient))?;
            if operator == "/" { quotient } else { left.checked_rem(right)? }
        }
        "&" => left & right,
        "|" => left | right,
        _ => left ^ right,
    };
    integer.holds(result).then_some(result as u128)
}

fn unsigned(operator: &str, left: Value, right: Value) -> Option<u128> {
    let (left, right) = (left.bits, right.bits);
    Some(match operator {
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        "&" => left & right,
        "|" => left | right,
        _ => left ^ right,
    })
}

fn shift(operator: &str, left: Value, right: Value) -> Option<Value> {
    let integer = left.integer;
    let distance = right.extended();
    if distance >= u128::from(integer.bits) {
        return None;
    }
    let bits = match (operator, integer.signed) {
        (">>", true) => ((left.extended() as i128) >> distance) as u128,
        (">>", false) => left.bits >> distance,
        (_, false) => left.bits << distance,
        (_, true) => {
            let value = left.extended() as i128;
            let shifted = value.checked_mul(1i128.checked_shl(distance as u32)?)?;
            if distance > 126 || value < 0 || !integer.holds(shifted) {
                return None;
            }
            shifted as u128
        }
    };
    Some(Value { integer, bits: integer.wrap(bits) })
}
