//! `qsort` and `bsearch`, which call functions of the program.

use super::{Call, Native};
use crate::machine::Machine;
use crate::outcome::{Limit, Run};
use crate::value::{Argument, Pointer, Value};

/// How deep library functions that call back may be nested: each level uses the stack of
/// this process.
const DEEPEST_NESTING: usize = 50;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "qsort" => qsort,
        "bsearch" => bsearch,
        _ => return None,
    })
}

impl Machine<'_> {
    /// Calls the comparison in argument `index` of a call.
    fn compare_by(&mut self, call: &Call<'_>, index: usize, lhs: Pointer, rhs: Pointer) -> Run<i128> {
        if self.library.nesting >= DEEPEST_NESTING {
            return Err(Limit::CallDepth.into());
        }
        let function = self.function_behind(call.scalar(index)?)?;
        let parameters = &self.program.functions[function].parameters;
        let pointers = [lhs, rhs].into_iter().enumerate().map(|(position, pointer)| Argument {
            // Pointers of all types are alike, so the parameter's own type fits.
            ty: parameters
                .get(position)
                .map_or(call.arguments[0].ty, |&parameter| self.program.variables[parameter].ty),
            value: Value::pointer(pointer),
        });
        let mut arguments: Vec<Argument> = pointers.collect();
        self.library.nesting += 1;
        let result = self.call_and_run(function, &mut arguments)?;
        self.library.nesting -= 1;
        match result {
            Value::Scalar(value) => Ok(value.int()),
            _ => Err(call.problem("the comparison returns no value".to_owned())),
        }
    }
}

/// Sorts by merging, as glibc does, so equal elements keep their order. The comparison sees
/// copies of the elements.
fn qsort(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (base, count, size) = (call.pointer(0)?, call.size(1)?, call.size(2)?);
    if count < 2 || size == 0 {
        return Ok(Value::Indeterminate);
    }
    let Some(total) = count.checked_mul(size) else {
        return Err(call.problem("the array is larger than the memory".to_owned()));
    };
    let content = machine.memory.extract(base, total)?;
    let copy = machine.runtime_object("an array that `qsort` sorts", total)?;
    let copied = machine.memory.pointer_to(copy);
    machine.memory.insert(copied, &content)?;
    let element = |machine: &Machine<'_>, index: u64| machine.memory.offset(copied, i128::from(index * size));
    let mut order: Vec<u64> = (0..count).collect();
    let mut width = 1;
    while width < order.len() {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
                let (lhs, rhs) = (element(machine, *first), element(machine, *second));
                if machine.compare_by(call, 3, lhs, rhs)? <= 0 {
                    merged.push(*first);
                    left = left_rest;
                } else {
                    merged.push(*second);
                    right = right_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        order = merged;
        width *= 2;
    }
    for (position, &index) in (0..).zip(&order) {
        let block = content.extract((index * size) as usize, size as usize);
        let target = machine.memory.offset(base, position * i128::from(size));
        machine.memory.insert(target, &block)?;
    }
    machine.memory.kill(copy, crate::memory::Life::Ended);
    Ok(Value::Indeterminate)
}

fn bsearch(machine: &mut Machine<'_>, call: &Call<'_>) -> Run<Value> {
    let (key, base, size) = (call.pointer(0)?, call.pointer(1)?, call.size(3)?);
    let (mut low, mut high) = (0, call.size(2)?);
    while low < high {
        let middle = u64::midpoint(low, high);
        let element = machine.memory.offset(base, i128::from(middle.wrapping_mul(size)));
        match machine.compare_by(call, 4, key, element)? {
            0 => return Ok(Value::pointer(element)),
            order if order < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(Value::pointer(Pointer::NULL))
}
