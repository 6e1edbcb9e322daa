//! What can be said of the objects that pointers point to: how large they are, and that they are alive. Loops over arrays
//! on the heap need the first, and hardly any finite number of iterations tells it.

use rorqual_encoding::{Encoding, ObjectPointer};
use rorqual_logic::{Evaluator, Term};

use super::Budget;
use super::atoms::Number;
use crate::samples::{State, assignment};

/// Atoms about the objects of pointers: pointers are into the same one, and inside or at the end of it; sizes are
/// multiples of numbers, perhaps with one element more, or constant.
pub(crate) fn atoms(
    encoding: &mut Encoding<'_>,
    pointers: &[ObjectPointer],
    numbers: &[Number],
    samples: &[State],
    budget: &Budget,
) -> Vec<Term> {
    let mut found = Vec::new();
    let pointers = &pointers[..pointers.len().min(budget.pointers)];
    for (at, pointer) in pointers.iter().enumerate() {
        let pool = &mut encoding.pool;
        for other in &pointers[at + 1..] {
            found.push(pool.eq(pointer.base, other.base));
        }
        let null = pool.bv(0u8, pool.width(pointer.value));
        found.push(pool.eq(pointer.value, null));
        found.push(pool.eq(pointer.value, pointer.base));
        if let Some(life) = pointer.life {
            let alive = pool.bv(1u8, 1);
            found.push(pool.eq(life, alive));
        }
        if let Some(size) = pointer.size {
            let offset = pool.bv_sub(pointer.value, pointer.base);
            found.push(pool.bv_ule(offset, size));
            found.extend(constant(encoding, size, samples));
            for number in numbers {
                found.extend(multiples(encoding, size, pointer.stride, *number));
            }
        }
    }
    found.retain(|&atom| encoding.pool.as_bool(atom).is_none());
    found
}

/// That a term has the value that it has in all samples, if that is one.
fn constant(encoding: &mut Encoding<'_>, term: Term, samples: &[State]) -> Option<Term> {
    let value = |state: &State| {
        let assignment = assignment(encoding, state);
        Evaluator::new(&encoding.pool, &assignment).value(term).bits().clone()
    };
    let first = value(samples.first()?);
    let is_constant = samples.iter().all(|state| value(state) == first);
    let first = encoding.pool.bits(first);
    is_constant.then(|| encoding.pool.eq(term, first))
}

/// That a size is a number of elements, or one more, or less.
fn multiples(encoding: &mut Encoding<'_>, size: Term, stride: u64, number: Number) -> Vec<Term> {
    let pool = &mut encoding.pool;
    let width = pool.width(size);
    if number.width > width {
        return Vec::new();
    }
    let count = if number.signed {
        pool.bv_sign_extend(number.symbol, width)
    } else {
        pool.bv_zero_extend(number.symbol, width)
    };
    let stride = pool.bv(stride, width);
    let exact = pool.bv_mul(count, stride);
    let more = pool.bv_add(exact, stride);
    vec![pool.eq(size, exact), pool.eq(size, more), pool.bv_ule(exact, size)]
}
