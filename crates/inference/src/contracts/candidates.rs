//! Where candidates for guards and summaries come from: relations between what a procedure is given, what it gives back
//! and the constants of the program, as far as they hold in all samples.

use std::collections::BTreeSet;

use rorqual_cfa::{LocationId, Type};
use rorqual_encoding::{CellId, Elements, Encoding, Object, Procedure};
use rorqual_logic::{Assignment, Bits, Sort, Term};

use super::budget::Budget;
use super::spec::{Meaning, meaning};
use super::tables::{Entry, Number, Rows};
use crate::formulas::{is_comparison, relations};
use crate::samples::calls::Sample;
use crate::samples::{State, literals_of, set, truths};

/// What candidates of a procedure are made of.
pub(crate) struct Material<'m> {
    pub(crate) procedure: Procedure,
    /// The cells that it may read, and those that it may write.
    pub(crate) reads: &'m BTreeSet<CellId>,
    pub(crate) writes: &'m [CellId],
    pub(crate) constants: &'m [u64],
    pub(crate) samples: &'m [Sample],
    /// Formulas of interest.
    pub(crate) interest: &'m [Term],
    pub(crate) budget: &'m Budget,
}

/// Candidates for the guard.
pub(crate) fn guards(encoding: &mut Encoding<'_>, material: &Material<'_>) -> Vec<Term> {
    let numbers = before(encoding, material);
    let mut atoms = BTreeSet::new();
    relate(encoding, &numbers, &[], material.constants, &mut atoms);
    atoms.extend(conditions(encoding, material));
    atoms.extend(atoms_of_interest(encoding, material, |meaning| matches!(meaning, Meaning::Before(_))));
    let states: Vec<Assignment> =
        material.samples.iter().map(|sample| assignment(encoding, sample, None)).collect();
    let mut found = literals(encoding, atoms, &states);
    // For a guard, what a procedure is given is what there is to determine.
    let numbers = numbers.into_iter().map(|number| Number { is_result: true, ..number }).collect();
    let rows = Rows::of(encoding, numbers, &states, material.budget.tables);
    let open = rows.undetermined(encoding, &mut found);
    found.truncate(material.budget.relations.guards);
    if material.procedure.head.is_some() {
        found.extend(rows.by_each(encoding, &open));
    }
    found
}

/// Candidates for a summary.
#[derive(Debug, Default)]
pub(crate) struct Summaries {
    pub(crate) all: Vec<Term>,
    /// Those of them that say what happens for one value of what the procedure is given.
    pub(crate) entries: Vec<Entry>,
}

/// Candidates for the summary of an exit.
pub(crate) fn summaries(encoding: &mut Encoding<'_>, material: &Material<'_>, exit: LocationId) -> Summaries {
    let budget = &material.budget.relations;
    let given = before(encoding, material);
    let mut results = Vec::new();
    let used = used_terms(encoding, material);
    let mut writes = material.writes.to_vec();
    writes.sort_by_key(|&cell| {
        let details = encoding.cells().get(cell);
        !matches!(details.object, Some(Object::Result(_))) && !used.contains(&details.symbol)
    });
    for cell in writes {
        let term = encoding.after(cell);
        results.extend(number(encoding, cell, term, true));
    }
    results.truncate(budget.cells);
    let ended = |sample: &&Sample| sample.after.as_ref().is_some_and(|(end, _)| *end == exit);
    let samples: Vec<&Sample> = material.samples.iter().filter(ended).collect();
    if samples.is_empty() {
        // Perhaps no execution ends there: many loops have exits to errors.
        return Summaries { all: vec![encoding.pool.bottom()], entries: Vec::new() };
    }
    let states: Vec<Assignment> = samples
        .iter()
        .map(|sample| assignment(encoding, sample, sample.after.as_ref().map(|(_, state)| state)))
        .collect();
    let mut atoms = BTreeSet::new();
    relate(encoding, &results, &given, material.constants, &mut atoms);
    atoms.extend(atoms_of_interest(encoding, material, |_| true));
    let products = products(encoding, &results, &given, budget.factors);
    atoms.extend(products.iter().map(|&(_, product)| product));
    let atoms: Vec<Term> = atoms.into_iter().collect();
    let mut found = literals(encoding, atoms.iter().copied().collect(), &states);
    // Entries of multiplication tables are hard to prove, and say nothing new.
    let is_product = |at: usize| products.iter().any(|(of, product)| *of == at && found.contains(product));
    let multiplied: Vec<usize> = (0..results.len()).filter(|&at| is_product(at)).collect();
    let first = given.len();
    let rows = Rows::of(encoding, [given, results].concat(), &states, material.budget.tables);
    let mut open = rows.undetermined(encoding, &mut found);
    open.retain(|&at| at < first || !multiplied.contains(&(at - first)));
    if material.procedure.head.is_some() {
        // What a loop does is told by its guard, which holds in each iteration, and not by cases of its start.
        return Summaries { all: found, entries: Vec::new() };
    }
    let mut conditions = conditions(encoding, material);
    conditions.truncate(budget.conditions);
    rows.by_conditions(encoding, &conditions, &states, &open, &mut found);
    let entries = rows.by_values(encoding, &open);
    found.extend(entries.iter().map(|entry| entry.formula(&mut encoding.pool)));
    clauses(encoding, &conditions, &atoms, &states, (&mut found, budget.clauses));
    let mut known = BTreeSet::new();
    found.retain(|&candidate| known.insert(candidate));
    Summaries { all: found, entries }
}

fn number(encoding: &Encoding<'_>, cell: CellId, term: Term, is_result: bool) -> Option<Number> {
    let details = encoding.cells().get(cell);
    let types = &encoding.program.types;
    match (encoding.pool.sort(term), types.get(details.ty?), details.elements) {
        (Sort::BitVec(width), Type::Int(_), Elements::One) => {
            Some(Number { term, width, signed: !types.is_unsigned(details.ty?), is_result })
        }
        _ => None,
    }
}

fn before(encoding: &mut Encoding<'_>, material: &Material<'_>) -> Vec<Number> {
    let symbol = |cell: CellId| encoding.cells().get(cell).symbol;
    let cells = material.reads.iter();
    let numbers = cells.filter_map(|&cell| number(encoding, cell, symbol(cell), false)).collect();
    first_used(encoding, material, numbers)
}

/// The terms that decide what a procedure does.
fn used_terms(encoding: &mut Encoding<'_>, material: &Material<'_>) -> BTreeSet<Term> {
    let conditions = conditions(encoding, material);
    encoding.pool.subterms(&conditions).into_iter().collect()
}

/// As many numbers as candidates may be about: those that decide what the procedure does come first.
fn first_used(encoding: &mut Encoding<'_>, material: &Material<'_>, mut numbers: Vec<Number>) -> Vec<Number> {
    if numbers.len() > material.budget.relations.cells {
        let used = used_terms(encoding, material);
        numbers.sort_by_key(|number| !used.contains(&number.term));
        numbers.truncate(material.budget.relations.cells);
    }
    numbers
}

/// The values of a sample.
fn assignment(encoding: &mut Encoding<'_>, sample: &Sample, ended: Option<&State>) -> Assignment {
    let mut values = Assignment::new();
    for (&cell, value) in &sample.before {
        let (before, after) = (encoding.cells().get(cell).symbol, encoding.after(cell));
        set(&encoding.pool, &mut values, before, value.clone());
        set(&encoding.pool, &mut values, after, value.clone());
    }
    for (&cell, value) in ended.into_iter().flatten() {
        let after = encoding.after(cell);
        set(&encoding.pool, &mut values, after, value.clone());
    }
    values
}

/// Equations of results, by their positions, with products of two given numbers, if there are few.
fn products(
    encoding: &mut Encoding<'_>,
    results: &[Number],
    given: &[Number],
    most: usize,
) -> Vec<(usize, Term)> {
    let mut found = Vec::new();
    if given.len() > most {
        return found;
    }
    for (at, one) in given.iter().enumerate() {
        for other in given[at + 1..].iter().filter(|other| other.width == one.width) {
            let product = encoding.pool.bv_mul(one.term, other.term);
            let fitting = results.iter().enumerate().filter(|(_, result)| result.width == one.width);
            found.extend(fitting.map(|(at, result)| (at, encoding.pool.eq(result.term, product))));
        }
    }
    found
}

/// The atoms and negated atoms that hold in all states.
fn literals(encoding: &mut Encoding<'_>, atoms: BTreeSet<Term>, states: &[Assignment]) -> Vec<Term> {
    let atoms: Vec<Term> = atoms.into_iter().collect();
    let truths = truths(&encoding.pool, &atoms, states);
    literals_of(&mut encoding.pool, &atoms, &truths)
}

/// Atoms of the formulas of interest, over symbols of specifications only.
fn atoms_of_interest(
    encoding: &mut Encoding<'_>,
    material: &Material<'_>,
    fits: impl Fn(Meaning) -> bool,
) -> Vec<Term> {
    let largest = material.budget.relations.condition_size;
    let mut found = Vec::new();
    for atom in encoding.pool.subterms(material.interest) {
        if is_comparison(&encoding.pool, atom) && !encoding.pool.is_larger_than(atom, largest) {
            let symbols = encoding.pool.free_symbols(atom);
            if symbols.into_iter().all(|symbol| meaning(encoding, symbol).is_some_and(&fits)) {
                found.push(atom);
            }
        }
    }
    found
}

/// The conditions of a body over what it is given.
fn conditions(encoding: &mut Encoding<'_>, material: &Material<'_>) -> Vec<Term> {
    let body = encoding.body_of(material.procedure);
    let mut roots: Vec<Term> = body.exits.iter().map(|exit| exit.guard).collect();
    roots.extend(body.calls.iter().map(|call| call.guard));
    let largest = material.budget.relations.condition_size;
    let mut found = Vec::new();
    for atom in encoding.pool.subterms(&roots) {
        let is_given =
            |symbol| encoding.cells().of_symbol(symbol).is_some_and(|cell| material.reads.contains(&cell));
        if is_comparison(&encoding.pool, atom)
            && !encoding.pool.is_larger_than(atom, largest)
            && encoding.pool.free_symbols(atom).into_iter().all(is_given)
        {
            found.push(atom);
        }
    }
    found
}

/// Comparisons of numbers with constants, with each other and with others.
fn relate(
    encoding: &mut Encoding<'_>,
    numbers: &[Number],
    others: &[Number],
    constants: &[u64],
    atoms: &mut BTreeSet<Term>,
) {
    let pool = &mut encoding.pool;
    for (at, &one) in numbers.iter().enumerate() {
        for &other in numbers[at + 1..].iter().chain(others) {
            if one.width == other.width {
                atoms.extend(relations(pool, one.term, other.term, one.signed && other.signed));
            }
            let (one, other) = (pool.bv_extract(one.term, 0, 0), pool.bv_extract(other.term, 0, 0));
            atoms.insert(pool.eq(one, other));
        }
    }
    for one in numbers {
        for constant in [0, 1].into_iter().chain(constants.iter().copied()) {
            let bound = pool.bits(Bits::new(constant, one.width.max(64)).extract(one.width - 1, 0));
            atoms.extend(relations(pool, one.term, bound, one.signed));
        }
    }
    atoms.retain(|&atom| encoding.pool.as_bool(atom).is_none());
}

/// Implications from a condition to an atom or a negated atom that hold in all states, where the atom does not hold always.
fn clauses(
    encoding: &mut Encoding<'_>,
    conditions: &[Term],
    atoms: &[Term],
    states: &[Assignment],
    (found, most): (&mut Vec<Term>, usize),
) {
    let known: BTreeSet<Term> = found.iter().copied().collect();
    let (of_atoms, of_conditions) =
        (truths(&encoding.pool, atoms, states), truths(&encoding.pool, conditions, states));
    let mut implied = Vec::new();
    for (condition, when) in conditions.iter().zip(&of_conditions) {
        for (atom, holds) in atoms.iter().zip(&of_atoms) {
            for wanted in [true, false] {
                let case =
                    || when.iter().zip(holds).filter(|&(&when, _)| when == wanted).map(|(_, &holds)| holds);
                for value in [true, false] {
                    if case().next().is_some() && case().all(|holds| holds == value) {
                        implied.push((*condition, wanted, *atom, value));
                    }
                }
            }
        }
    }
    let mut added = 0;
    for (condition, wanted, atom, value) in implied {
        let literal = if value { atom } else { encoding.pool.not(atom) };
        if known.contains(&literal) || added >= most {
            continue;
        }
        let case = if wanted { condition } else { encoding.pool.not(condition) };
        found.push(encoding.pool.implies(case, literal));
        added += 1;
    }
}
