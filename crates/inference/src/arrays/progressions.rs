//! Arrays whose elements are an arithmetic progression in random executions.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Cell, CellId, Elements, Encoding, Point};
use rorqual_logic::{Bits, Op, Sort, Term};

use super::Budget;
use super::indices::{indices, symbol};
use crate::formulas::of_blocks;
use crate::samples::Samples;

/// That each element is a multiple of its index and a constant, for the arrays where that is so in all samples.
pub(crate) fn equations(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    samples: &Samples,
    budget: &Budget,
) -> Vec<Term> {
    let is_array = |cell: &Cell| matches!(cell.elements, Elements::Many { .. });
    let arrays: Vec<(CellId, Cell)> = encoding
        .cells()
        .iter()
        .filter(|(_, cell)| is_array(cell))
        .map(|(id, cell)| (id, cell.clone()))
        .collect();
    let roots = of_blocks(encoding, points);
    let signed = indices(&encoding.pool, &roots)
        .iter()
        .any(|&index| matches!(encoding.pool.op(index), Op::SignExtend));
    let mut found = Vec::new();
    for (id, cell) in arrays {
        let written = written(points, samples, id, budget.elements);
        if let Some((factor, start)) = progression(&written, budget.progression) {
            found.extend(equation(encoding, cell.symbol, &factor, &start, signed));
        }
    }
    found
}

/// The elements that were written in samples, each with its values.
fn written(
    points: &[Point],
    samples: &Samples,
    array: CellId,
    most: usize,
) -> BTreeMap<Bits, BTreeSet<Bits>> {
    let mut found: BTreeMap<Bits, BTreeSet<Bits>> = BTreeMap::new();
    for state in points.iter().flat_map(|&point| samples.at(point)) {
        let Some(value) = state.get(&array) else { continue };
        for (index, element) in value.array().entries().take(most) {
            found.entry(index.clone()).or_default().insert(element.clone());
        }
    }
    found
}

/// The factor and the constant.
fn progression(written: &BTreeMap<Bits, BTreeSet<Bits>>, fewest: usize) -> Option<(Bits, Bits)> {
    let mut elements = Vec::new();
    for (index, values) in written {
        let [value] = &values.iter().collect::<Vec<_>>()[..] else { return None };
        elements.push((resized(index, value.width()), (*value).clone()));
    }
    let neighbours = |pair: &&[(Bits, Bits)]| pair[1].0.add(&pair[0].0.neg()).is_one();
    let pair = elements.windows(2).find(neighbours).filter(|_| elements.len() >= fewest)?;
    let factor = pair[1].1.add(&pair[0].1.neg());
    let start = pair[0].1.add(&factor.mul(&pair[0].0).neg());
    let fits = |(index, value): &(Bits, Bits)| factor.mul(index).add(&start) == *value;
    elements.iter().all(fits).then_some((factor, start))
}

fn resized(number: &Bits, width: u32) -> Bits {
    if number.width() > width { number.extract(width - 1, 0) } else { number.zero_extend(width) }
}

/// The equation for any index, in the way in which the program's counters index arrays.
fn equation(
    encoding: &mut Encoding<'_>,
    array: Term,
    factor: &Bits,
    start: &Bits,
    signed: bool,
) -> Option<Term> {
    let pool = &mut encoding.pool;
    let Sort::Array { index: width, element } = pool.sort(array) else { return None };
    let any = symbol(pool, width.min(32))?;
    let index = if signed { pool.bv_sign_extend(any, width) } else { pool.bv_zero_extend(any, width) };
    let number = if element < pool.width(any) {
        pool.bv_extract(any, element - 1, 0)
    } else {
        pool.bv_zero_extend(any, element)
    };
    let (factor, start) = (pool.bits(factor.clone()), pool.bits(start.clone()));
    let product = pool.bv_mul(number, factor);
    let value = pool.bv_add(product, start);
    let read = pool.select(array, index);
    Some(pool.eq(read, value))
}
