//! Where candidates for guards and summaries come from: relations between what a procedure is given, what it gives back
//! and the constants of the program, as far as they hold in all samples.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{LocationId, Type};
use rorqual_encoding::{CellId, Elements, Encoding, Procedure};
use rorqual_logic::{Assignment, Bits, Evaluator, Op, Sort, Term, TermPool, Value};

use super::samples::{Sample, State};
use super::spec::{Meaning, after, meaning};
use crate::facts::linear::null_space;

/// So many cells are related to each other.
const MOST_CELLS: usize = 12;
/// So many values of a cell, or of two, make cases of their own.
const MOST_VALUES: usize = 64;
const MOST_PAIRS: usize = 200;
/// So many conditions of the program make cases.
const MOST_CONDITIONS: usize = 12;
/// So many implications are tried.
const MOST_CLAUSES: usize = 300;
/// Coefficients of equations are no larger than this.
const LARGEST_COEFFICIENT: i128 = 64;

/// A number that a candidate may be about.
#[derive(Debug, Clone, Copy)]
struct Number {
    term: Term,
    width: u32,
    signed: bool,
    is_after: bool,
}

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
    literals(encoding, atoms, &states)
}

/// Candidates for the summary of an exit.
pub(super) fn summaries(encoding: &mut Encoding<'_>, material: &Material<'_>, exit: LocationId) -> Vec<Term> {
    let given = before(encoding, material);
    let mut results = Vec::new();
    for &cell in material.writes {
        let term = after(encoding, cell);
        results.extend(number(encoding, cell, term, true));
    }
    results.truncate(MOST_CELLS);
    let ended = |sample: &&Sample| sample.after.as_ref().is_some_and(|(end, _)| *end == exit);
    let samples: Vec<&Sample> = material.samples.iter().filter(ended).collect();
    if samples.is_empty() {
        return Vec::new();
    }
    let states: Vec<Assignment> = samples
        .iter()
        .map(|sample| assignment(encoding, sample, sample.after.as_ref().map(|(_, state)| state)))
        .collect();
    let mut atoms = BTreeSet::new();
    relate(encoding, &results, &given, material.constants, &mut atoms);
    atoms.extend(seen_atoms(encoding, material, |_| true));
    let atoms: Vec<Term> = atoms.into_iter().collect();
    let mut found = literals(encoding, atoms.iter().copied().collect(), &states);
    let rows = Rows::of(encoding, [given, results].concat(), &states);
    let open = rows.undetermined(encoding, &mut found);
    let conditions = conditions(encoding, material);
    rows.by_conditions(encoding, &conditions, &states, &open, &mut found);
    rows.by_values(encoding, &open, &mut found);
    clauses(encoding, &conditions, &atoms, &states, &mut found);
    let mut known = BTreeSet::new();
    found.retain(|&candidate| known.insert(candidate));
    found
}

fn number(encoding: &Encoding<'_>, cell: CellId, term: Term, is_after: bool) -> Option<Number> {
    let details = encoding.cells().get(cell);
    let types = &encoding.program.types;
    match (encoding.pool.sort(term), types.get(details.ty?), details.elements) {
        (Sort::BitVec(width), Type::Int(_), Elements::One) => {
            Some(Number { term, width, signed: !types.is_unsigned(details.ty?), is_after })
        }
        _ => None,
    }
}

fn before(encoding: &Encoding<'_>, material: &Material<'_>) -> Vec<Number> {
    let symbol = |cell: CellId| encoding.cells().get(cell).symbol;
    let cells = material.reads.iter();
    let mut numbers: Vec<Number> =
        cells.filter_map(|&cell| number(encoding, cell, symbol(cell), false)).collect();
    numbers.truncate(MOST_CELLS);
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

fn is_atom(encoding: &Encoding<'_>, term: Term) -> bool {
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
    found.truncate(MOST_CONDITIONS);
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
        let (one, other) = (pool.bv_extract(one, 0, 0), pool.bv_extract(other, 0, 0));
        atoms.insert(pool.eq(one, other));
    };
    for (at, &one) in numbers.iter().enumerate() {
        for &other in numbers[at + 1..].iter().chain(others).filter(|other| other.width == one.width) {
            compare(pool, atoms, one.term, other.term, one.signed && other.signed);
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

/// The numbers of all samples.
struct Rows {
    numbers: Vec<Number>,
    rows: Vec<Vec<i128>>,
}

impl Rows {
    fn of(encoding: &Encoding<'_>, numbers: Vec<Number>, states: &[Assignment]) -> Rows {
        let mut rows = Vec::new();
        for state in states {
            let mut evaluator = Evaluator::new(&encoding.pool, state);
            let value = |number: &Number| match evaluator.value(number.term) {
                Value::Bits(bits) => i128::try_from(bits.signed()).unwrap_or(0),
                _ => 0,
            };
            rows.push(numbers.iter().map(value).collect());
        }
        Rows { numbers, rows }
    }

    /// Adds equations that hold in all samples; the results that none of them determines.
    fn undetermined(&self, encoding: &mut Encoding<'_>, found: &mut Vec<Term>) -> Vec<usize> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let determined = self.equations(encoding, &all, None, found);
        let is_open = |&at: &usize| self.numbers[at].is_after && !determined.contains(&at);
        (0..self.numbers.len()).filter(is_open).collect()
    }

    /// Adds equations that hold in some samples, under a condition; the results that they determine.
    fn equations(
        &self,
        encoding: &mut Encoding<'_>,
        rows: &[usize],
        condition: Option<Term>,
        found: &mut Vec<Term>,
    ) -> BTreeSet<usize> {
        let mut determined = BTreeSet::new();
        let Some(&first) = rows.first() else { return determined };
        let is_constant = |at: usize| rows.iter().all(|&row| self.rows[row][at] == self.rows[first][at]);
        let mut add = |encoding: &mut Encoding<'_>, equation: Term| {
            let candidate = match condition {
                None => equation,
                Some(condition) => encoding.pool.implies(condition, equation),
            };
            if encoding.pool.as_bool(candidate).is_none() {
                found.push(candidate);
            }
        };
        for (at, number) in self.numbers.iter().enumerate() {
            if number.is_after && is_constant(at) {
                let bits = Bits::from_signed(&self.rows[first][at].into(), number.width);
                let value = encoding.pool.bits(bits);
                let equation = encoding.pool.eq(number.term, value);
                add(encoding, equation);
                determined.insert(at);
            }
        }
        let mut widths: Vec<u32> = self.numbers.iter().map(|number| number.width).collect();
        widths.sort_unstable();
        widths.dedup();
        for width in widths {
            // Results last: the free columns of a null space, so that there is an equation for each.
            let mut columns: Vec<usize> = (0..self.numbers.len())
                .filter(|&at| self.numbers[at].width == width && !is_constant(at))
                .collect();
            columns.sort_by_key(|&at| self.numbers[at].is_after);
            if columns.len() < 2 || rows.len() < columns.len() + 2 {
                continue;
            }
            let constant_first = |&row: &usize| {
                let mut values = vec![1];
                values.extend(columns.iter().map(|&at| self.rows[row][at]));
                values
            };
            let matrix = rows.iter().map(constant_first).collect();
            for solution in null_space(matrix, columns.len() + 1) {
                if let Some((equation, results)) = self.equation(encoding, &columns, &solution) {
                    add(encoding, equation);
                    determined.extend(results);
                }
            }
        }
        determined
    }

    /// An equation with a result, and the results in it. The first coefficient is that of 1.
    fn equation(
        &self,
        encoding: &mut Encoding<'_>,
        columns: &[usize],
        solution: &[i128],
    ) -> Option<(Term, Vec<usize>)> {
        let used = || columns.iter().zip(&solution[1..]).filter(|&(_, &factor)| factor != 0);
        let results: Vec<usize> = used().map(|(&at, _)| at).filter(|&at| self.numbers[at].is_after).collect();
        if results.is_empty() || solution[1..].iter().any(|factor| factor.abs() > LARGEST_COEFFICIENT) {
            return None;
        }
        let width = self.numbers[results[0]].width;
        let pool = &mut encoding.pool;
        let mut sum = pool.bits(Bits::from_signed(&solution[0].into(), width));
        for (&at, &factor) in used() {
            let factor = pool.bits(Bits::from_signed(&factor.into(), width));
            let product = pool.bv_mul(self.numbers[at].term, factor);
            sum = pool.bv_add(sum, product);
        }
        let zero = pool.bv(0u8, width);
        Some((pool.eq(sum, zero), results))
    }

    /// Equations that hold where a condition of the program does, or does not.
    fn by_conditions(
        &self,
        encoding: &mut Encoding<'_>,
        conditions: &[Term],
        states: &[Assignment],
        open: &[usize],
        found: &mut Vec<Term>,
    ) {
        if open.is_empty() {
            return;
        }
        for &condition in conditions {
            let truths: Vec<bool> =
                states.iter().map(|state| Evaluator::new(&encoding.pool, state).holds(condition)).collect();
            for wanted in [true, false] {
                let rows: Vec<usize> = (0..truths.len()).filter(|&row| truths[row] == wanted).collect();
                let case = if wanted { condition } else { encoding.pool.not(condition) };
                if rows.len() < truths.len() {
                    self.equations(encoding, &rows, Some(case), found);
                }
            }
        }
    }

    /// Equations that hold where a cell has one value, or two cells have.
    fn by_values(&self, encoding: &mut Encoding<'_>, open: &[usize], found: &mut Vec<Term>) {
        if open.is_empty() {
            return;
        }
        let given: Vec<usize> = (0..self.numbers.len()).filter(|&at| !self.numbers[at].is_after).collect();
        let all: Vec<usize> = (0..self.rows.len()).collect();
        for &one in &given {
            for (value, rows) in self.split(&all, one) {
                let case = self.has_value(encoding, one, value);
                let determined = self.equations(encoding, &rows, Some(case), found);
                if open.iter().all(|at| determined.contains(at)) {
                    continue;
                }
                let mut pairs = 0;
                for &other in given.iter().filter(|&&other| other > one) {
                    for (second, rows) in self.split(&rows, other) {
                        pairs += 1;
                        if pairs > MOST_PAIRS {
                            break;
                        }
                        let both = self.has_value(encoding, other, second);
                        let both = encoding.pool.and2(case, both);
                        self.equations(encoding, &rows, Some(both), found);
                    }
                }
            }
        }
    }

    fn has_value(&self, encoding: &mut Encoding<'_>, at: usize, value: i128) -> Term {
        let number = self.numbers[at];
        let value = encoding.pool.bits(Bits::from_signed(&value.into(), number.width));
        encoding.pool.eq(number.term, value)
    }

    /// The samples by the values of a number.
    fn split(&self, rows: &[usize], at: usize) -> Vec<(i128, Vec<usize>)> {
        let mut values: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
        for &row in rows {
            values.entry(self.rows[row][at]).or_default().push(row);
        }
        let mut values: Vec<(i128, Vec<usize>)> = values.into_iter().collect();
        values.sort_by_key(|(value, _)| value.abs());
        values.truncate(MOST_VALUES);
        values
    }
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
