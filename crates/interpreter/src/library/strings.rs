//! Functions on strings.

use super::bytes::check_overlap;
use super::{Call, Native};
use crate::machine::Machine;
use crate::operation::MAXIMUM_ALIGN;
use crate::outcome::Run;
use crate::value::{Pointer, Value};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "strlen" => strlen,
        "strnlen" => strnlen,
        "strcpy" => strcpy,
        "stpcpy" => stpcpy,
        "strncpy" => strncpy,
        "strcat" => strcat,
        "strncat" => strncat,
        "strcmp" | "strcoll" => |machine, call| compare(machine, call, None, same),
        "strncmp" => |machine, call| compare(machine, call, Some(call.size(2)?), same),
        "strcasecmp" => |machine, call| compare(machine, call, None, lower),
        "strncasecmp" => |machine, call| compare(machine, call, Some(call.size(2)?), lower),
        "strchr" | "index" => strchr,
        "strrchr" | "rindex" => strrchr,
        "strstr" => strstr,
        "strspn" => |machine, call| span(machine, call, true),
        "strcspn" => |machine, call| span(machine, call, false),
        "strpbrk" => strpbrk,
        "strtok" => strtok,
        "strdup" => strdup,
        "strndup" => strndup,
        _ => return None,
    })
}

fn same(byte: u8) -> u8 {
    byte
}

fn lower(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

fn strlen(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let length = machine.string(call.pointer(0)?)?.len();
    Ok(Value::int(length as i128))
}

fn strnlen(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let length = machine.string_up_to(call.pointer(0)?, call.size(1)?)?.len();
    Ok(Value::int(length as i128))
}

/// Copies the string of argument 1 to `target`, and returns how long it is.
fn copy_string(machine: &mut Machine<'_>, call: &Call<'_>, target: Pointer, limit: u64) -> Run<usize> {
    let source = call.pointer(1)?;
    let bytes = machine.string_up_to(source, limit)?;
    machine.write_string(target, &bytes)?;
    let size = bytes.len() as u64 + 1;
    check_overlap(call, target, source, [size, size.min(limit)])?;
    Ok(bytes.len())
}

fn strcpy(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let target = call.pointer(0)?;
    copy_string(machine, call, target, u64::MAX)?;
    Ok(Value::pointer(target))
}

fn stpcpy(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let target = call.pointer(0)?;
    let length = copy_string(machine, call, target, u64::MAX)?;
    Ok(Value::pointer(machine.memory.offset(target, length as i128)))
}

fn strncpy(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (target, source, size) = (call.pointer(0)?, call.pointer(1)?, call.size(2)?);
    machine.memory.check(target, size, crate::undefined::Access::Write)?;
    let bytes = machine.string_up_to(source, size)?;
    machine.memory.write(target, &bytes)?;
    let length = bytes.len() as u64;
    let rest = machine.memory.offset(target, i128::from(length));
    machine.memory.fill(rest, size - length, 0)?;
    check_overlap(call, target, source, [size, size.min(length + 1)])?;
    Ok(Value::pointer(target))
}

fn strcat(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let target = call.pointer(0)?;
    let length = machine.string(target)?.len();
    let end = machine.memory.offset(target, length as i128);
    copy_string(machine, call, end, u64::MAX)?;
    Ok(Value::pointer(target))
}

fn strncat(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (target, limit) = (call.pointer(0)?, call.size(2)?);
    let length = machine.string(target)?.len();
    let end = machine.memory.offset(target, length as i128);
    copy_string(machine, call, end, limit)?;
    Ok(Value::pointer(target))
}

/// glibc gives the difference of the first characters that differ; any number of its sign
/// would do.
fn compare(machine: &mut Machine<'_>, call: &Call<'_>, limit: Option<u64>, fold: fn(u8) -> u8) -> Run<Value> {
    let (lhs, rhs) = (call.pointer(0)?, call.pointer(1)?);
    for offset in 0..i128::from(limit.unwrap_or(u64::MAX)) {
        let a = fold(machine.read_byte(machine.memory.offset(lhs, offset))?);
        let b = fold(machine.read_byte(machine.memory.offset(rhs, offset))?);
        if a != b {
            return Ok(Value::int(i128::from(a) - i128::from(b)));
        }
        if a == 0 {
            break;
        }
    }
    Ok(Value::int(0))
}

fn at(machine: &Machine<'_>, base: Pointer, position: Option<usize>) -> Value {
    Value::pointer(match position {
        Some(position) => machine.memory.offset(base, position as i128),
        None => Pointer::NULL,
    })
}

/// Stops at the first match, as what follows it need not be a string.
fn strchr(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (string, wanted) = (call.pointer(0)?, call.int(1)? as u8);
    for position in 0.. {
        let byte = machine.read_byte(machine.memory.offset(string, position))?;
        if byte == wanted {
            return Ok(at(machine, string, Some(position as usize)));
        }
        if byte == 0 {
            break;
        }
    }
    Ok(Value::pointer(Pointer::NULL))
}

fn strrchr(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (string, wanted) = (call.pointer(0)?, call.int(1)? as u8);
    let mut bytes = machine.string(string)?;
    bytes.push(0);
    let position = bytes.iter().rposition(|&byte| byte == wanted);
    Ok(at(machine, string, position))
}

fn strstr(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let string = call.pointer(0)?;
    let (text, wanted) = (machine.string(string)?, machine.string(call.pointer(1)?)?);
    let position = (0..=text.len()).find(|&start| text[start..].starts_with(&wanted));
    Ok(at(machine, string, position))
}

/// How many bytes at the start of a string are (or are not) in a set.
fn prefix(machine: &mut Machine<'_>, string: Pointer, set: &[u8], inside: bool) -> Run<usize> {
    for position in 0.. {
        let byte = machine.read_byte(machine.memory.offset(string, position))?;
        if byte == 0 || set.contains(&byte) != inside {
            return Ok(position as usize);
        }
    }
    Ok(0)
}

fn span(machine: &mut Machine<'_>, call: &Call<'_>, inside: bool) -> Run<Value> {
    let set = machine.string(call.pointer(1)?)?;
    let length = prefix(machine, call.pointer(0)?, &set, inside)?;
    Ok(Value::int(length as i128))
}

fn strpbrk(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let string = call.pointer(0)?;
    let set = machine.string(call.pointer(1)?)?;
    let length = prefix(machine, string, &set, false)?;
    let end = machine.memory.offset(string, length as i128);
    let found = machine.read_byte(end)? != 0;
    Ok(at(machine, string, found.then_some(length)))
}

fn strtok(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let given = call.pointer(0)?;
    let start = if given.is_null() { machine.library.token } else { given };
    if start.is_null() {
        return Ok(Value::pointer(Pointer::NULL));
    }
    let set = machine.string(call.pointer(1)?)?;
    let skipped = prefix(machine, start, &set, true)?;
    let token = machine.memory.offset(start, skipped as i128);
    let length = prefix(machine, token, &set, false)?;
    let end = machine.memory.offset(token, length as i128);
    let is_last = machine.read_byte(end)? == 0;
    machine.library.token = if is_last {
        end
    } else {
        machine.memory.write(end, &[0])?;
        machine.memory.offset(end, 1)
    };
    let token = if length == 0 { Pointer::NULL } else { token };
    Ok(Value::pointer(token))
}

fn duplicate(machine: &mut Machine<'_>, bytes: &[u8]) -> Run<Value> {
    let copy = machine.heap(bytes.len() as u64 + 1, MAXIMUM_ALIGN)?;
    machine.write_string(copy, bytes)?;
    Ok(Value::pointer(copy))
}

fn strdup(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let bytes = machine.string(call.pointer(0)?)?;
    duplicate(machine, &bytes)
}

fn strndup(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let bytes = machine.string_up_to(call.pointer(0)?, call.size(1)?)?;
    duplicate(machine, &bytes)
}
