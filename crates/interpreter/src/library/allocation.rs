//! Memory that the program asks for: `malloc` and its like.

use super::{Call, Native};
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::operation::MAXIMUM_ALIGN;
use crate::outcome::Run;
use crate::undefined::Undefined;
use crate::value::{Pointer, Scalar, Shape, Value};

/// `ENOMEM` on Linux.
const OUT_OF_MEMORY: i128 = 12;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "malloc" => malloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "reallocarray" => reallocarray,
        "free" | "cfree" => free,
        "alloca" => alloca,
        "aligned_alloc" | "memalign" => aligned_alloc,
        "posix_memalign" => posix_memalign,
        _ => return None,
    })
}

impl Machine<'_> {
    /// Fresh heap memory without values; null where no object can be so large.
    pub(super) fn heap(&mut self, size: u64, align: u64) -> Run<Pointer> {
        if size > self.memory.model().largest_object() {
            self.skip_memory();
            return Ok(Pointer::NULL);
        }
        let object = self.memory.allocate(ObjectKind::Heap, size, align)?;
        self.hide_memory(object, None);
        self.record_maker(object);
        Ok(self.memory.pointer_to(object))
    }
}

fn malloc(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    machine.heap(call.size(0)?, MAXIMUM_ALIGN).map(Value::pointer)
}

fn calloc(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let size = product(call, 0)?;
    let pointer = machine.heap(size, MAXIMUM_ALIGN)?;
    if !pointer.is_null() {
        machine.memory.fill(pointer, size, 0)?;
    }
    Ok(Value::pointer(pointer))
}

/// The product of two arguments; one that does not fit is larger than every object.
fn product(call: &Call<'_>, first: usize) -> Run<u64> {
    let (count, size) = (call.size(first)?, call.size(first + 1)?);
    Ok(count.saturating_mul(size))
}

fn realloc(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    resize(machine, call.pointer(0)?, call.size(1)?)
}

fn reallocarray(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    resize(machine, call.pointer(0)?, product(call, 1)?)
}

/// Always moves, so that pointers to the old place are found out. A size of zero frees, as
/// glibc does; one that is too large leaves the old object as it is.
fn resize(machine: &mut Machine<'_>, old: Pointer, size: u64) -> Run<Value> {
    if old.is_null() {
        return machine.heap(size, MAXIMUM_ALIGN).map(Value::pointer);
    }
    let old_size = old.provenance.and_then(|id| machine.memory.live(id)).map(|object| object.size);
    let kept = old_size.unwrap_or(0).min(size);
    let content = machine.memory.extract(old, kept);
    machine.memory.check_free(old)?;
    let new = if size == 0 { Pointer::NULL } else { machine.heap(size, MAXIMUM_ALIGN)? };
    if size == 0 || !new.is_null() {
        machine.memory.free(old)?;
    }
    if !new.is_null() {
        machine.memory.insert(new, &content?)?;
    }
    Ok(Value::pointer(new))
}

fn free(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let pointer = call.pointer(0)?;
    if !pointer.is_null() {
        machine.memory.free(pointer)?;
    }
    Ok(Value::Indeterminate)
}

fn alloca(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    machine.stack_object(call.int(0)?).map(Value::pointer)
}

fn checked_align(call: &Call<'_>, index: usize) -> Run<u64> {
    let align = call.size(index)?;
    if align.is_power_of_two() {
        return Ok(align.max(MAXIMUM_ALIGN));
    }
    Err(Undefined::LibraryArgument {
        function: call.name.to_owned(),
        problem: format!("the alignment {align} is not a power of two"),
    }
    .into())
}

fn aligned_alloc(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let align = checked_align(call, 0)?;
    machine.heap(call.size(1)?, align).map(Value::pointer)
}

fn posix_memalign(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let align = checked_align(call, 1)?;
    let pointer = machine.heap(call.size(2)?, align)?;
    if pointer.is_null() {
        return Ok(Value::int(OUT_OF_MEMORY));
    }
    machine.memory.store(call.pointer(0)?, Shape::Pointer, Scalar::Pointer(pointer))?;
    Ok(Value::int(0))
}
