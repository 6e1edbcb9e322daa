//! Where candidates come from.

use std::collections::BTreeSet;

use rorqual_cfa::Type;
use rorqual_encoding::{CellId, Elements, Encoding, Point};
use rorqual_logic::{Op, Sort, Term};

use super::linear;
use super::samples::State;

/// So many variables are related to each other and to constants, at most.
const MOST_CELLS: usize = 24;
const MOST_CONSTANTS: usize = 40;
const MOST_ATOMS: usize = 600;

/// A cell that holds a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub(super) cell: CellId,
    pub(super) symbol: Term,
    pub(super) width: u32,
    pub(super) signed: bool,
}

/// Atoms of interest at a point: conditions of the block that starts there, atoms of formulas that were seen, and
/// relations between numbers.
pub(super) fn collect(
    encoding: &mut Encoding<'_>,
    point: Point,
    seen: &[Term],
    samples: &[State],
) -> Vec<Term> {
    let block = encoding.block(point);
    let mut roots: Vec<Term> = block.exits.iter().map(|exit| exit.guard).collect();
    roots.extend(block.exits.iter().flat_map(|exit| exit.updates.iter().map(|&(_, value)| value)));
    roots.extend_from_slice(seen);
    let mut atoms: BTreeSet<Term> = BTreeSet::new();
    let terms = encoding.pool.subterms(&roots);
    for &term in &terms {
        if is_atom(encoding, term) && is_over_cells(encoding, term) {
            atoms.insert(term);
        }
    }
    let numbers = numbers(encoding, &terms);
    let constants = constants(encoding, &terms);
    relate(encoding, &numbers, &constants, &mut atoms);
    atoms.extend(linear::equations(encoding, &numbers, samples));
    atoms.into_iter().take(MOST_ATOMS).collect()
}

fn is_atom(encoding: &Encoding<'_>, term: Term) -> bool {
    matches!(encoding.pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
}

fn is_over_cells(encoding: &Encoding<'_>, term: Term) -> bool {
    let mut symbols = encoding.pool.free_symbols(term).into_iter();
    let is_cell = |symbol| encoding.cells().of_symbol(symbol).is_some();
    !encoding.pool.is_larger_than(term, 20) && symbols.all(is_cell)
}

/// The cells with numbers among the terms.
fn numbers(encoding: &Encoding<'_>, terms: &[Term]) -> Vec<Number> {
    let mut found = Vec::new();
    for &term in terms {
        let Op::Symbol(symbol) = *encoding.pool.op(term) else { continue };
        let Some(cell) = encoding.cells().of_symbol(symbol) else { continue };
        let details = encoding.cells().get(cell);
        let types = &encoding.program.types;
        if let (Sort::BitVec(width), Type::Int(_), Elements::One) =
            (encoding.pool.sort(term), types.get(details.ty), details.elements)
        {
            found.push(Number { cell, symbol: term, width, signed: !types.is_unsigned(details.ty) });
        }
    }
    found.sort_by_key(|number| number.cell);
    found.truncate(MOST_CELLS);
    found
}

/// The constants among the terms, and zero and one, by width.
fn constants(encoding: &Encoding<'_>, terms: &[Term]) -> Vec<Term> {
    let found: BTreeSet<Term> =
        terms.iter().copied().filter(|&term| encoding.pool.as_bits(term).is_some()).collect();
    found.into_iter().take(MOST_CONSTANTS).collect()
}

fn relate(encoding: &mut Encoding<'_>, numbers: &[Number], constants: &[Term], atoms: &mut BTreeSet<Term>) {
    let pool = &mut encoding.pool;
    for &number in numbers {
        let (zero, one) = (pool.bv(0u8, number.width), pool.bv(1u8, number.width));
        let fitting = constants.iter().copied().filter(|&constant| pool.width(constant) == number.width);
        let mut bounds: Vec<Term> = fitting.collect();
        bounds.extend([zero, one]);
        for bound in bounds {
            atoms.insert(pool.eq(number.symbol, bound));
            for (low, high) in [(number.symbol, bound), (bound, number.symbol)] {
                atoms.insert(if number.signed { pool.bv_sle(low, high) } else { pool.bv_ule(low, high) });
            }
        }
        let last = pool.bv_extract(number.symbol, 0, 0);
        let even = pool.bv(0u8, 1);
        atoms.insert(pool.eq(last, even));
    }
    for (at, &one) in numbers.iter().enumerate() {
        for &other in &numbers[at + 1..] {
            if one.width != other.width {
                continue;
            }
            atoms.insert(pool.eq(one.symbol, other.symbol));
            for (low, high) in [(one.symbol, other.symbol), (other.symbol, one.symbol)] {
                let signed = one.signed && other.signed;
                atoms.insert(if signed { pool.bv_sle(low, high) } else { pool.bv_ule(low, high) });
            }
        }
    }
    atoms.retain(|&atom| pool.as_bool(atom).is_none());
}
