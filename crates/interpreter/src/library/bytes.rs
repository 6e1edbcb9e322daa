//! Functions on bytes: `memcpy` and its like.

use super::{Call, Native};
use crate::machine::Machine;
use crate::outcome::Run;
use crate::undefined::Undefined;
use crate::value::{Pointer, Value};

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "memcpy" => memcpy,
        "mempcpy" => mempcpy,
        "memmove" => memmove,
        "bcopy" => bcopy,
        "memset" => memset,
        "bzero" => bzero,
        "memcmp" | "bcmp" => memcmp,
        "memchr" => memchr,
        _ => return None,
    })
}

impl Machine<'_> {
    /// Copies bytes with everything that is known about them.
    fn copy(&mut self, target: Pointer, source: Pointer, size: u64) -> Run<()> {
        let block = self.memory.extract(source, size)?;
        self.memory.insert(target, &block)
    }
}

/// Reports ranges that share a byte.
pub(super) fn check_overlap(call: &Call<'_>, target: Pointer, source: Pointer, sizes: [u64; 2]) -> Run<()> {
    let (first, second) = (u128::from(target.address), u128::from(source.address));
    let apart = first + u128::from(sizes[0]) <= second || second + u128::from(sizes[1]) <= first;
    if apart || sizes.contains(&0) || target.provenance != source.provenance {
        return Ok(());
    }
    let function = call.name.to_owned();
    Err(Undefined::Overlap { function }.into())
}

fn memcpy(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (target, source, size) = (call.pointer(0)?, call.pointer(1)?, call.size(2)?);
    machine.copy(target, source, size)?;
    check_overlap(call, target, source, [size, size])?;
    Ok(Value::pointer(target))
}

fn mempcpy(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    memcpy(machine, call)?;
    let end = machine.memory.offset(call.pointer(0)?, i128::from(call.size(2)?));
    Ok(Value::pointer(end))
}

fn memmove(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let target = call.pointer(0)?;
    machine.copy(target, call.pointer(1)?, call.size(2)?)?;
    Ok(Value::pointer(target))
}

fn bcopy(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    machine.copy(call.pointer(1)?, call.pointer(0)?, call.size(2)?)?;
    Ok(Value::Indeterminate)
}

fn memset(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let target = call.pointer(0)?;
    machine.memory.fill(target, call.size(2)?, call.int(1)? as u8)?;
    Ok(Value::pointer(target))
}

fn bzero(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    machine.memory.fill(call.pointer(0)?, call.size(1)?, 0)?;
    Ok(Value::Indeterminate)
}

/// glibc gives the difference of the first bytes that differ; any number of its sign would do.
fn memcmp(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (lhs, rhs, size) = (call.pointer(0)?, call.pointer(1)?, call.size(2)?);
    machine.memory.check(lhs, size, crate::undefined::Access::Read)?;
    machine.memory.check(rhs, size, crate::undefined::Access::Read)?;
    for offset in 0..i128::from(size) {
        let a = machine.read_byte(machine.memory.offset(lhs, offset))?;
        let b = machine.read_byte(machine.memory.offset(rhs, offset))?;
        if a != b {
            return Ok(Value::int(i128::from(a) - i128::from(b)));
        }
    }
    Ok(Value::int(0))
}

fn memchr(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (pointer, wanted, size) = (call.pointer(0)?, call.int(1)? as u8, call.size(2)?);
    for offset in 0..i128::from(size) {
        let at = machine.memory.offset(pointer, offset);
        if machine.read_byte(at)? == wanted {
            return Ok(Value::pointer(at));
        }
    }
    Ok(Value::pointer(Pointer::NULL))
}
