//! Where candidates for guards and summaries come from: relations between what a procedure is given, what it gives back
//! and the constants of the program, as far as they hold in all samples.

use std::collections::BTreeSet;

use rorqual_cfa::{LocationId, Type};
use rorqual_encoding::{CellId, Elements, Encoding, Object, Procedure};
use rorqual_logic::{Assignment, Bits, Evaluator, Op, Sort, Term, TermPool, Value};

use super::samples::{Sample, State};
use super::spec::{Meaning, after, meaning};
use super::tables::{Entry, Number, Rows};

/// So many cells are related to each other.
const MOST_CELLS: usize = 12;
/// Products are looked at for so many given numbers.
const FEW_FACTORS: usize = 3;
/// A guard has so many candidates.
const MOST_GUARDS: usize = 200;
/// So many conditions of the program make cases.
const MOST_CONDITIONS: usize = 12;
/// So many implications are tried.
const MOST_CLAUSES: usize = 300;

/// What candidates of a procedure are made of.
pub(super) struct Material<'m> {
    pub(super) procedure: Procedure,
    /// The cells that it may read, and those that it may write.
    pub(super) reads: &'m BTreeSet<CellId>,
    pub(super) writes: &'m [CellId],
    pub(super) constants: &'m [u64],
    pub(super) samples: &'m [Sample],
    /// Formulas that were of interest.
    pub(super) seen: &'m [Term],
}

/// Candidates for the guard.
pub(super) fn guards(encoding: &mut Encoding<'_>, material: &Material<'_>) -> Vec<Term> {
    let numbers = before(encoding, material);
    let mut atoms = BTreeSet::new();
    relate(encoding, &numbers, &[], material.constants, &mut atoms);
    atoms.extend(conditions(encoding, material));
    atoms.extend(seen_atoms(encoding, material, |meaning| matches!(meaning, Meaning::Before(_))));
    let states: Vec<Assignment> =
        material.samples.iter().map(|sample| assignment(encoding, sample, None)).collect();
    let mut found = literals(encoding, atoms, &states);
    // For a guard, what a procedure is given is what there is to determine.
    let numbers = numbers.into_iter().map(|number| Number { is_result: true, ..number }).collect();
    let rows = Rows::of(encoding, numbers, &states);
    let open = rows.undetermined(encoding, &mut found);
    found.truncate(MOST_GUARDS);
    if material.procedure.head.is_some() {
        found.extend(rows.by_each(encoding, &open));
    }
    found
}

/// Candidates for a summary.
#[derive(Debug, Default)]
pub(super) struct Summaries {
    pub(super) all: Vec<Term>,
    /// Those of them that say what happens for one value of what the procedure is given.
    pub(super) entries: Vec<Entry>,
}

/// Candidates for the summary of an exit.
pub(super) fn summaries(encoding: &mut Encoding<'_>, material: &Material<'_>, exit: LocationId) -> Summaries {
    let given = before(encoding, material);
    let mut results = Vec::new();
    let used = used_terms(encoding, material);
    let mut writes = material.writes.to_vec();
    writes.sort_by_key(|&cell| {
        let details = encoding.cells().get(cell);
        !matches!(details.object, Some(Object::Result(_))) && !used.contains(&details.symbol)
    });
    for cell in writes {
        let term = after(encoding, cell);
        results.extend(number(encoding, cell, term, true));
    }
    results.truncate(MOST_CELLS);
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
    atoms.extend(seen_atoms(encoding, material, |_| true));
    let products = products(encoding, &results, &given);
    atoms.extend(products.iter().map(|&(_, product)| product));
    let atoms: Vec<Term> = atoms.into_iter().collect();
    let mut found = literals(encoding, atoms.iter().copied().collect(), &states);
    // Entries of multiplication tables are hard to prove, and say nothing new.
    let is_product = |at: usize| products.iter().any(|(of, product)| *of == at && found.contains(product));
    let multiplied: Vec<usize> = (0..results.len()).filter(|&at| is_product(at)).collect();
    let first = given.len();
    let rows = Rows::of(encoding, [given, results].concat(), &states);
    let mut open = rows.undetermined(encoding, &mut found);
    open.retain(|&at| at < first || !multiplied.contains(&(at - first)));
    if material.procedure.head.is_some() {
        // What a loop does is told by its guard, which holds in each round, and not by cases of its start.
        return Summaries { all: found, entries: Vec::new() };
    }
    let mut conditions = conditions(encoding, material);
    conditions.truncate(MOST_CONDITIONS);
    rows.by_conditions(encoding, &conditions, &states, &open, &mut found);
    let entries = rows.by_values(encoding, &open);
    found.extend(entries.iter().map(|entry| entry.formula(&mut encoding.pool)));
    clauses(encoding, &conditions, &atoms, &states, &mut found);
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
    if numbers.len() > MOST_CELLS {
        let used = used_terms(encoding, material);
        numbers.sort_by_key(|number| !used.contains(&number.term));
        numbers.truncate(MOST_CELLS);
    }
    numbers
}

/// The values of a sample.
fn assignment(encoding: &mut Encoding<'_>, sample: &Sample, ended: Option<&State>) -> Assignment {
    let mut values = Assignment::new();
    let mut set = |encoding: &Encoding<'_>, term: Term, value: &Value| {
        if let Op::Symbol(symbol) = *encoding.pool.op(term) {
            values.set(symbol, value.clone());
        }
    };
    for (&cell, value) in &sample.before {
        let symbol = encoding.cells().get(cell).symbol;
        set(encoding, symbol, value);
        let term = after(encoding, cell);
        set(encoding, term, value);
    }
    for (&cell, value) in ended.into_iter().flatten() {
        let term = after(encoding, cell);
        set(encoding, term, value);
    }
    values
}

/// Equations of results, by their positions, with products of two given numbers, if there are few.
fn products(encoding: &mut Encoding<'_>, results: &[Number], given: &[Number]) -> Vec<(usize, Term)> {
    let mut found = Vec::new();
    if given.len() > FEW_FACTORS {
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
    let (mut was_true, mut was_false) = (vec![false; atoms.len()], vec![false; atoms.len()]);
    for state in states {
        let mut evaluator = Evaluator::new(&encoding.pool, state);
        for (at, &atom) in atoms.iter().enumerate() {
            let holds = evaluator.holds(atom);
            was_true[at] |= holds;
            was_false[at] |= !holds;
        }
    }
    let mut found = Vec::new();
    for (at, atom) in atoms.into_iter().enumerate() {
        if !was_false[at] {
            found.push(atom);
        }
        if !was_true[at] {
            found.push(encoding.pool.not(atom));
        }
    }
    found
}

/// Atoms of formulas that were of interest, over symbols of specifications only.
fn seen_atoms(
    encoding: &mut Encoding<'_>,
    material: &Material<'_>,
    fits: impl Fn(Meaning) -> bool,
) -> Vec<Term> {
    let mut found = Vec::new();
    for atom in encoding.pool.subterms(material.seen) {
        if is_atom(encoding, atom) && !encoding.pool.is_larger_than(atom, 20) {
            let symbols = encoding.pool.free_symbols(atom);
            if symbols.into_iter().all(|symbol| meaning(encoding, symbol).is_some_and(&fits)) {
                found.push(atom);
            }
        }
    }
    found
}

/// Whether a term compares.
pub(super) fn is_atom(encoding: &Encoding<'_>, term: Term) -> bool {
    matches!(encoding.pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
}

/// The conditions of a body over what it is given.
fn conditions(encoding: &mut Encoding<'_>, material: &Material<'_>) -> Vec<Term> {
    let body = encoding.body_of(material.procedure);
    let mut roots: Vec<Term> = body.exits.iter().map(|exit| exit.guard).collect();
    roots.extend(body.calls.iter().map(|call| call.guard));
    let mut found = Vec::new();
    for atom in encoding.pool.subterms(&roots) {
        let is_given =
            |symbol| encoding.cells().of_symbol(symbol).is_some_and(|cell| material.reads.contains(&cell));
        if is_atom(encoding, atom)
            && !encoding.pool.is_larger_than(atom, 20)
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
    let compare = |pool: &mut TermPool, atoms: &mut BTreeSet<Term>, one: Term, other: Term, signed: bool| {
        atoms.insert(pool.eq(one, other));
        for (low, high) in [(one, other), (other, one)] {
            atoms.insert(if signed { pool.bv_sle(low, high) } else { pool.bv_ule(low, high) });
        }
    };
    for (at, &one) in numbers.iter().enumerate() {
        for &other in numbers[at + 1..].iter().chain(others) {
            if one.width == other.width {
                compare(pool, atoms, one.term, other.term, one.signed && other.signed);
            }
            let (one, other) = (pool.bv_extract(one.term, 0, 0), pool.bv_extract(other.term, 0, 0));
            atoms.insert(pool.eq(one, other));
        }
    }
    for one in numbers {
        for constant in [0, 1].into_iter().chain(constants.iter().copied()) {
            let bound = pool.bits(Bits::new(constant, one.width.max(64)).extract(one.width - 1, 0));
            atoms.insert(pool.eq(one.term, bound));
            for (low, high) in [(one.term, bound), (bound, one.term)] {
                atoms.insert(if one.signed { pool.bv_sle(low, high) } else { pool.bv_ule(low, high) });
            }
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
    found: &mut Vec<Term>,
) {
    let known: BTreeSet<Term> = found.iter().copied().collect();
    let mut evaluators: Vec<Evaluator<'_>> =
        states.iter().map(|state| Evaluator::new(&encoding.pool, state)).collect();
    let mut truths =
        |term: Term| -> Vec<bool> { evaluators.iter_mut().map(|evaluator| evaluator.holds(term)).collect() };
    let atoms: Vec<(Term, Vec<bool>)> = atoms.iter().map(|&atom| (atom, truths(atom))).collect();
    let conditions: Vec<(Term, Vec<bool>)> =
        conditions.iter().map(|&condition| (condition, truths(condition))).collect();
    let mut implied = Vec::new();
    for (condition, when) in &conditions {
        for (atom, holds) in &atoms {
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
    drop(evaluators);
    let mut added = 0;
    for (condition, wanted, atom, value) in implied {
        let literal = if value { atom } else { encoding.pool.not(atom) };
        if known.contains(&literal) || added >= MOST_CLAUSES {
            continue;
        }
        let case = if wanted { condition } else { encoding.pool.not(condition) };
        found.push(encoding.pool.implies(case, literal));
        added += 1;
    }
}
