//! Classes of characters in the C locale, as functions and as glibc's tables.

use super::{Call, Native};
use crate::machine::Machine;
use crate::memory::Block;
use crate::outcome::Run;
use crate::value::{Pointer, Value};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "isupper" => |_, call| is(call, UPPER),
        "islower" => |_, call| is(call, LOWER),
        "isalpha" => |_, call| is(call, ALPHA),
        "isdigit" => |_, call| is(call, DIGIT),
        "isxdigit" => |_, call| is(call, HEX_DIGIT),
        "isspace" => |_, call| is(call, SPACE),
        "isprint" => |_, call| is(call, PRINT),
        "isgraph" => |_, call| is(call, GRAPH),
        "isblank" => |_, call| is(call, BLANK),
        "iscntrl" => |_, call| is(call, CONTROL),
        "ispunct" => |_, call| is(call, PUNCTUATION),
        "isalnum" => |_, call| is(call, ALPHANUMERIC),
        "isascii" => |_, call| Ok(Value::int(i128::from((0..128).contains(&call.int(0)?)))),
        "toascii" => |_, call| Ok(Value::int(call.int(0)? & 127)),
        "tolower" => |_, call| map(call, u8::to_ascii_lowercase),
        "toupper" => |_, call| map(call, u8::to_ascii_uppercase),
        "__ctype_b_loc" => class_table,
        "__ctype_tolower_loc" => |machine, _| map_table(machine, "lower", u8::to_ascii_lowercase),
        "__ctype_toupper_loc" => |machine, _| map_table(machine, "upper", u8::to_ascii_uppercase),
        _ => return None,
    })
}

// The bits of glibc's `<ctype.h>` on a little-endian machine.
const UPPER: u16 = 1 << 8;
const LOWER: u16 = 1 << 9;
const ALPHA: u16 = 1 << 10;
const DIGIT: u16 = 1 << 11;
const HEX_DIGIT: u16 = 1 << 12;
const SPACE: u16 = 1 << 13;
const PRINT: u16 = 1 << 14;
const GRAPH: u16 = 1 << 15;
const BLANK: u16 = 1 << 0;
const CONTROL: u16 = 1 << 1;
const PUNCTUATION: u16 = 1 << 2;
const ALPHANUMERIC: u16 = 1 << 3;

fn classes(byte: u8) -> u16 {
    let vertical_tab = 0x0b;
    let tests = [
        (byte.is_ascii_uppercase(), UPPER),
        (byte.is_ascii_lowercase(), LOWER),
        (byte.is_ascii_alphabetic(), ALPHA),
        (byte.is_ascii_digit(), DIGIT),
        (byte.is_ascii_hexdigit(), HEX_DIGIT),
        (byte.is_ascii_whitespace() || byte == vertical_tab, SPACE),
        (byte.is_ascii_graphic() || byte == b' ', PRINT),
        (byte.is_ascii_graphic(), GRAPH),
        (byte == b' ' || byte == b'\t', BLANK),
        (byte.is_ascii_control(), CONTROL),
        (byte.is_ascii_punctuation(), PUNCTUATION),
        (byte.is_ascii_alphanumeric(), ALPHANUMERIC),
    ];
    tests.into_iter().filter_map(|(holds, class)| holds.then_some(class)).sum()
}

/// The character of an argument; `None` for the end of a file.
fn character(call: &Call<'_>) -> Run<Option<u8>> {
    match call.int(0)? {
        -1 => Ok(None),
        value => match u8::try_from(value) {
            Ok(byte) => Ok(Some(byte)),
            Err(_) => Err(call.problem(format!("{value} is neither EOF nor a character"))),
        },
    }
}

fn is(call: &Call<'_>, class: u16) -> Run<Value> {
    let classes = character(call)?.map_or(0, classes);
    Ok(Value::int(i128::from(classes & class)))
}

fn map(call: &Call<'_>, mapping: fn(&u8) -> u8) -> Run<Value> {
    let mapped = character(call)?.map_or(-1, |byte| i128::from(mapping(&byte)));
    Ok(Value::int(mapped))
}

/// The tables have entries for -128 to 255; the pointer points to the entry for 0.
fn table(machine: &mut Machine<'_>, name: &'static str, bytes: Vec<u8>) -> Run<Value> {
    if let Some(&pointer) = machine.library.character_tables.get(name) {
        return Ok(Value::pointer(pointer));
    }
    let middle = bytes.len() / 3;
    let object = machine.runtime_object("a table of `<ctype.h>`", bytes.len() as u64)?;
    *machine.memory.block_mut(object) = Block::from_bytes(bytes);
    let start = machine.memory.pointer_to(object);
    let zero = machine.memory.offset(start, middle as i128);
    let pointer = pointer_object(machine, zero)?;
    machine.library.character_tables.insert(name, pointer);
    Ok(Value::pointer(pointer))
}

fn pointer_object(machine: &mut Machine<'_>, content: Pointer) -> Run<Pointer> {
    let width = machine.memory.model().pointer_width() / 8;
    let object = machine.runtime_object("a pointer of `<ctype.h>`", u64::from(width))?;
    machine.memory.block_mut(object).set_pointer(0, width as usize, content);
    Ok(machine.memory.pointer_to(object))
}

fn class_table(machine: &mut Machine<'_>, _: &Call<'_>) -> Run<Value> {
    let entries = (-128..256).map(|value| u8::try_from(value).map_or(0, classes));
    let bytes = entries.flat_map(u16::to_le_bytes).collect();
    table(machine, "classes", bytes)
}

fn map_table(machine: &mut Machine<'_>, name: &'static str, mapping: fn(&u8) -> u8) -> Run<Value> {
    let entries = (-128..256).map(|value: i32| match u8::try_from(value) {
        Ok(byte) => i32::from(mapping(&byte)),
        Err(_) if value == -1 => -1,
        Err(_) => value + 256,
    });
    let bytes = entries.flat_map(i32::to_le_bytes).collect();
    table(machine, name, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are those of glibc's own table.
    #[test]
    fn classes_have_the_bits_of_glibc() {
        assert_eq!(classes(b'A'), 0xd508);
        assert_eq!(classes(b'z'), 0xc608);
        assert_eq!(classes(b'f'), 0xd608);
        assert_eq!(classes(b'7'), 0xd808);
        assert_eq!(classes(b' '), 0x6001);
        assert_eq!(classes(b'\t'), 0x2003);
        assert_eq!(classes(0x0b), 0x2002);
        assert_eq!(classes(b'!'), 0xc004);
        assert_eq!(classes(0x80), 0);
    }
}
