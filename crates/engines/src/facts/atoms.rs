//! Where candidates come from.

use std::collections::BTreeSet;

use rorqual_cfa::Type;
use rorqual_encoding::{CellId, Elements, Encoding, Point};
use rorqual_logic::{Evaluator, Op, Sort, SymbolId, Term, TermPool};

use super::linear;
use super::samples::{State, assignment};

/// So many variables are related to each other and to constants, at most.
const MOST_CELLS: usize = 24;
const MOST_CONSTANTS: usize = 40;
const MOST_ATOMS: usize = 600;
/// So many conditions split the samples, and so many atoms come of it.
const MOST_CASES: usize = 12;

/// A cell that holds a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub(super) cell: CellId,
    pub(super) symbol: Term,
    pub(super) width: u32,
    pub(super) signed: bool,
}

/// Atoms of interest at a point over the relevant cells: conditions of the block that starts there, atoms of formulas
/// that were seen, and relations between numbers.
pub(super) fn collect(
    encoding: &mut Encoding<'_>,
    point: Point,
    seen: &[Term],
    relevant: &BTreeSet<SymbolId>,
    samples: &[State],
) -> Vec<Term> {
    let block = encoding.block(point);
    let mut roots: Vec<Term> = block.exits.iter().map(|exit| exit.guard).collect();
    roots.extend(block.exits.iter().flat_map(|exit| exit.updates.iter().map(|&(_, value)| value)));
    roots.extend_from_slice(seen);
    let mut atoms: BTreeSet<Term> = BTreeSet::new();
    let terms = encoding.pool.subterms(&roots);
    for &term in &terms {
        if is_atom(encoding, term) && is_over(encoding, term, relevant) {
            atoms.insert(term);
        }
    }
    let mut numbers = numbers(encoding, &terms);
    numbers.retain(|number| !encoding.pool.free_symbols(number.symbol).is_disjoint(relevant));
    numbers.truncate(MOST_CELLS);
    let bounds = bounds(encoding, &terms, &numbers);
    relate(encoding, &numbers, &bounds, &mut atoms);
    atoms.extend(linear::equations(encoding, &numbers, samples));
    atoms.into_iter().take(MOST_ATOMS).collect()
}

/// The cells with numbers that the block at a point has to do with.
pub(super) fn numbers_at(encoding: &mut Encoding<'_>, point: Point) -> Vec<Number> {
    let block = encoding.block(point);
    let mut roots: Vec<Term> = block.exits.iter().map(|exit| exit.guard).collect();
    roots.extend(block.exits.iter().flat_map(|exit| exit.updates.iter().map(|&(_, value)| value)));
    let terms = encoding.pool.subterms(&roots);
    let mut numbers = numbers(encoding, &terms);
    numbers.truncate(MOST_CELLS);
    numbers
}

/// The atoms that formulas consist of, in the order in which they were made.
pub(super) fn of_formulas(encoding: &Encoding<'_>, formulas: &[Term]) -> Vec<Term> {
    let pool = &encoding.pool;
    let mut atoms = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = formulas.to_vec();
    while let Some(formula) = open.pop() {
        if !seen.insert(formula) {
            continue;
        }
        match pool.op(formula) {
            Op::And | Op::Or | Op::Not => open.extend_from_slice(pool.arguments(formula)),
            Op::Bool(_) => {}
            _ => {
                atoms.insert(formula);
            }
        }
    }
    atoms.into_iter().collect()
}

/// Conditions of the block at a point over the variables of other atoms, and the equations that hold in all samples
/// where one of them holds or does not.
pub(super) fn by_cases(
    encoding: &mut Encoding<'_>,
    point: Point,
    own: &[Term],
    samples: &[State],
) -> Vec<Term> {
    let relevant: BTreeSet<SymbolId> =
        own.iter().flat_map(|&atom| encoding.pool.free_symbols(atom)).collect();
    let block = encoding.block(point);
    let mut roots: Vec<Term> = block.exits.iter().map(|exit| exit.guard).collect();
    roots.extend(block.exits.iter().flat_map(|exit| exit.updates.iter().map(|&(_, value)| value)));
    let terms = encoding.pool.subterms(&roots);
    let mut numbers = numbers(encoding, &terms);
    numbers.retain(|number| !encoding.pool.free_symbols(number.symbol).is_disjoint(&relevant));
    let is_condition = |term: &Term| is_atom(encoding, *term) && is_over(encoding, *term, &relevant);
    let conditions: Vec<Term> = terms.iter().copied().filter(is_condition).take(MOST_CASES).collect();
    let mut found = Vec::new();
    for condition in conditions {
        let case = |holds: bool| -> Vec<State> {
            let in_case = |state: &&State| {
                let assignment = assignment(encoding, state);
                Evaluator::new(&encoding.pool, &assignment).holds(condition) == holds
            };
            samples.iter().filter(in_case).cloned().collect()
        };
        let cases = [case(true), case(false)];
        let equations: Vec<Term> =
            cases.iter().flat_map(|case| linear::equations(encoding, &numbers, case)).collect();
        if !equations.is_empty() {
            found.push(condition);
            found.extend(equations);
        }
    }
    found.truncate(MOST_CASES);
    found
}

fn is_atom(encoding: &Encoding<'_>, term: Term) -> bool {
    matches!(encoding.pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
}

fn is_over(encoding: &Encoding<'_>, term: Term, relevant: &BTreeSet<SymbolId>) -> bool {
    !encoding.pool.is_larger_than(term, 20) && encoding.pool.free_symbols(term).is_subset(relevant)
}

/// The cells with numbers among the terms.
pub(super) fn numbers(encoding: &Encoding<'_>, terms: &[Term]) -> Vec<Number> {
    let mut found = Vec::new();
    for &term in terms {
        let Op::Symbol(symbol) = *encoding.pool.op(term) else { continue };
        let Some(cell) = encoding.cells().of_symbol(symbol) else { continue };
        let details = encoding.cells().get(cell);
        let types = &encoding.program.types;
        let Some(ty) = details.ty else { continue };
        if let (Sort::BitVec(width), Type::Int(_), Elements::One) =
            (encoding.pool.sort(term), types.get(ty), details.elements)
        {
            found.push(Number { cell, symbol: term, width, signed: !types.is_unsigned(ty) });
        }
    }
    found.sort_by_key(|number| number.cell);
    found
}

/// The constants that each number is compared with in the terms or gets from some block, and zero and one.
fn bounds(encoding: &mut Encoding<'_>, terms: &[Term], numbers: &[Number]) -> Vec<BTreeSet<Term>> {
    let mut bounds: Vec<BTreeSet<Term>> = Vec::new();
    for number in numbers {
        bounds.push([0u8, 1].into_iter().map(|value| encoding.pool.bv(value, number.width)).collect());
    }
    let position = |symbol: Term| numbers.iter().position(|number| number.symbol == symbol);
    for &term in terms.iter().filter(|&&term| is_atom(encoding, term)) {
        let [one, other] = encoding.pool.arguments(term)[..] else { continue };
        for (symbol, constant) in [(one, other), (other, one)] {
            if let Some(at) = position(symbol)
                && encoding.pool.as_bits(constant).is_some()
            {
                bounds[at].insert(constant);
            }
        }
    }
    for (cell, value) in encoding.all_updates() {
        if let Some(at) = numbers.iter().position(|number| number.cell == cell) {
            bounds[at].extend(constant_leaves(&encoding.pool, value));
        }
    }
    for set in &mut bounds {
        *set = std::mem::take(set).into_iter().take(MOST_CONSTANTS).collect();
    }
    bounds
}

/// The constants that a value may be, by its conditionals.
fn constant_leaves(pool: &TermPool, value: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![value];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if pool.as_bits(term).is_some() {
            found.push(term);
        } else if matches!(pool.op(term), Op::Ite) {
            open.extend_from_slice(&pool.arguments(term)[1..]);
        }
    }
    found
}

fn relate(
    encoding: &mut Encoding<'_>,
    numbers: &[Number],
    bounds: &[BTreeSet<Term>],
    atoms: &mut BTreeSet<Term>,
) {
    let pool = &mut encoding.pool;
    for (&number, bounds) in numbers.iter().zip(bounds) {
        for &bound in bounds {
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
