//! Atoms: conditions of the program and relations between its variables.

use std::collections::BTreeSet;

use rorqual_cfa::Type;
use rorqual_encoding::{CellId, Elements, Encoding, Point};
use rorqual_logic::{Evaluator, Op, Sort, SymbolId, Term};

use super::{Budget, linear};
use crate::formulas::{is_comparison, leaves, of_blocks, relations};
use crate::samples::{State, assignment};

/// A cell that holds a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    pub(crate) cell: CellId,
    pub(crate) symbol: Term,
    pub(crate) width: u32,
    pub(crate) signed: bool,
}

/// Atoms at a point over the relevant cells: conditions of the block that starts there, atoms of formulas of interest,
/// and relations between numbers.
pub(crate) fn collect(
    encoding: &mut Encoding<'_>,
    point: Point,
    (interest, relevant): (&[Term], &BTreeSet<SymbolId>),
    samples: &[State],
    budget: &Budget,
) -> Vec<Term> {
    let mut roots = of_blocks(encoding, &[point]);
    roots.extend_from_slice(interest);
    let terms = encoding.pool.subterms(&roots);
    let mut atoms: BTreeSet<Term> = conditions(encoding, &terms, relevant, budget).collect();
    let mut numbers = numbers_over(encoding, &terms, relevant);
    numbers.truncate(budget.cells);
    let bounds = bounds(encoding, &terms, &numbers, budget.constants);
    relate(encoding, &numbers, &bounds, &mut atoms);
    atoms.extend(linear::equations(encoding, &numbers, samples, budget));
    atoms.into_iter().take(budget.atoms).collect()
}

/// The cells with numbers that the block at a point has to do with.
pub(crate) fn numbers_at(encoding: &mut Encoding<'_>, point: Point, budget: &Budget) -> Vec<Number> {
    let roots = of_blocks(encoding, &[point]);
    let terms = encoding.pool.subterms(&roots);
    let mut numbers = numbers(encoding, &terms);
    numbers.truncate(budget.cells);
    numbers
}

/// The atoms that formulas consist of, in the order in which they were made.
pub fn of_formulas(encoding: &Encoding<'_>, formulas: &[Term]) -> Vec<Term> {
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
pub(crate) fn by_cases(
    encoding: &mut Encoding<'_>,
    point: Point,
    own: &[Term],
    samples: &[State],
    budget: &Budget,
) -> Vec<Term> {
    let relevant: BTreeSet<SymbolId> =
        own.iter().flat_map(|&atom| encoding.pool.free_symbols(atom)).collect();
    let roots = of_blocks(encoding, &[point]);
    let terms = encoding.pool.subterms(&roots);
    let numbers = numbers_over(encoding, &terms, &relevant);
    let conditions: Vec<Term> = conditions(encoding, &terms, &relevant, budget).take(budget.cases).collect();
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
            cases.iter().flat_map(|case| linear::equations(encoding, &numbers, case, budget)).collect();
        if !equations.is_empty() {
            found.push(condition);
            found.extend(equations);
        }
    }
    found.truncate(budget.cases);
    found
}

/// The comparisons of relevant cells among terms.
fn conditions(
    encoding: &Encoding<'_>,
    terms: &[Term],
    relevant: &BTreeSet<SymbolId>,
    budget: &Budget,
) -> impl Iterator<Item = Term> {
    let pool = &encoding.pool;
    terms.iter().copied().filter(move |&term| {
        is_comparison(pool, term)
            && !pool.is_larger_than(term, budget.condition_size)
            && pool.free_symbols(term).is_subset(relevant)
    })
}

/// The relevant cells with numbers among the terms.
fn numbers_over(encoding: &Encoding<'_>, terms: &[Term], relevant: &BTreeSet<SymbolId>) -> Vec<Number> {
    let mut numbers = numbers(encoding, terms);
    numbers.retain(|number| !encoding.pool.free_symbols(number.symbol).is_disjoint(relevant));
    numbers
}

/// The cells with numbers among the terms.
pub(crate) fn numbers(encoding: &Encoding<'_>, terms: &[Term]) -> Vec<Number> {
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
fn bounds(
    encoding: &mut Encoding<'_>,
    terms: &[Term],
    numbers: &[Number],
    most: usize,
) -> Vec<BTreeSet<Term>> {
    let mut bounds: Vec<BTreeSet<Term>> = Vec::new();
    for number in numbers {
        bounds.push([0u8, 1].into_iter().map(|value| encoding.pool.bv(value, number.width)).collect());
    }
    let position = |symbol: Term| numbers.iter().position(|number| number.symbol == symbol);
    for &term in terms.iter().filter(|&&term| is_comparison(&encoding.pool, term)) {
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
            let constants = leaves(&encoding.pool, value).into_iter();
            bounds[at].extend(constants.filter(|&leaf| encoding.pool.as_bits(leaf).is_some()));
        }
    }
    for set in &mut bounds {
        *set = std::mem::take(set).into_iter().take(most).collect();
    }
    bounds
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
            atoms.extend(relations(pool, number.symbol, bound, number.signed));
        }
        let last = pool.bv_extract(number.symbol, 0, 0);
        let even = pool.bv(0u8, 1);
        atoms.insert(pool.eq(last, even));
    }
    for (at, &one) in numbers.iter().enumerate() {
        for &other in &numbers[at + 1..] {
            if one.width == other.width {
                atoms.extend(relations(pool, one.symbol, other.symbol, one.signed && other.signed));
            }
        }
    }
    atoms.retain(|&atom| pool.as_bool(atom).is_none());
}
