//! Small arrays, element by element: what random executions leave in each element, as candidates.
//!
//! A table that a program fills once, or an array of a few counters, is known by the values or the bounds of its elements;
//! no quantifier is needed for that.

use std::collections::BTreeSet;

use rorqual_cfa::Type;
use rorqual_encoding::{Cell, CellId, Elements, Encoding};
use rorqual_logic::{Bits, Sort, SymbolId, Term, TermPool};

use super::Budget;
use crate::formulas::at_most;
use crate::samples::State;

/// The arrays to look at: none, unless what matters has to do with some array. Then others may be its source.
pub(crate) fn arrays(encoding: &Encoding<'_>, relevant: &BTreeSet<SymbolId>, budget: &Budget) -> Vec<CellId> {
    let cells = encoding.cells();
    let is_array = |cell: CellId| !matches!(cells.get(cell).elements, Elements::One);
    if !relevant.iter().filter_map(|&symbol| cells.of_symbol(symbol)).any(is_array) {
        return Vec::new();
    }
    let mut left = budget.elements;
    let mut found = Vec::new();
    for (id, cell) in cells.iter() {
        let is_number = cell.ty.is_some_and(|ty| matches!(encoding.program.types.get(ty), Type::Int(_)));
        if let Elements::Many { count, .. } = cell.elements
            && is_number
            && count <= budget.array.min(left)
        {
            left -= count;
            found.push(id);
        }
    }
    found
}

/// What holds for each element in all samples: its value, or else its bounds and that it is not negative.
pub(crate) fn atoms(encoding: &mut Encoding<'_>, arrays: &[CellId], samples: &[State]) -> Vec<Term> {
    let mut found = Vec::new();
    for &array in arrays {
        let cell = encoding.cells().get(array).clone();
        let (Elements::Many { count, .. }, Some(ty)) = (cell.elements, cell.ty) else { continue };
        for at in 0..count {
            let Some(values) = values(encoding, &cell, array, at, samples) else { break };
            let signed = !encoding.program.types.is_unsigned(ty);
            relate(&mut encoding.pool, cell.symbol, at, &values, signed, &mut found);
        }
    }
    found
}

/// The values of an element in the samples, unless some sample does not have the array.
fn values(
    encoding: &Encoding<'_>,
    cell: &Cell,
    array: CellId,
    at: u64,
    samples: &[State],
) -> Option<BTreeSet<Bits>> {
    let Sort::Array { index, .. } = encoding.pool.sort(cell.symbol) else { return None };
    let index = Bits::new(at, index);
    samples.iter().map(|state| Some(state.get(&array)?.array().get(&index).clone())).collect()
}

fn relate(
    pool: &mut TermPool,
    array: Term,
    at: u64,
    values: &BTreeSet<Bits>,
    signed: bool,
    found: &mut Vec<Term>,
) {
    let Sort::Array { index, element: width } = pool.sort(array) else { return };
    // Negative numbers come first, if there are any.
    let order = |bits: &&Bits| (signed && !bits.sign(), (*bits).clone());
    let (Some(least), Some(most)) = (values.iter().min_by_key(order), values.iter().max_by_key(order)) else {
        return;
    };
    let is_negative = signed && least.sign();
    let index = pool.bv(at, index);
    let element = pool.select(array, index);
    let (least, most, zero) = (pool.bits(least.clone()), pool.bits(most.clone()), pool.bv(0u8, width));
    if least == most {
        found.push(pool.eq(element, least));
        return;
    }
    let mut bounds = vec![(least, element), (element, most)];
    if !is_negative {
        bounds.push((zero, element));
    }
    for (low, high) in bounds {
        found.push(at_most(pool, low, high, signed));
    }
}
