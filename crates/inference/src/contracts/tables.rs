//! Equations between numbers that hold in samples: in all of them, where a condition holds, or for single values, as in a
//! table; and entries of tables beyond the samples.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rorqual_cfa::LocationId;
use rorqual_encoding::{Encoding, Procedure};
use rorqual_evidence::Stop;
use rorqual_logic::{Assignment, Evaluator, Term, TermPool, Value};
use rorqual_solver::{BitVecSolver, Limits};

use super::bodies::exit_to;
use super::budget::Tables as Budget;
use super::spec::at_exit;
use super::{Contracts, Part};
use crate::candidates::linear::{self, constant, null_space};

/// A number that a candidate may be about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    pub(crate) term: Term,
    pub(crate) width: u32,
    pub(crate) signed: bool,
    /// Whether it is to be determined by the others.
    pub(crate) is_result: bool,
}

/// A linear form that has one value.
struct Equation {
    form: Term,
    value: Term,
    /// The results in it.
    results: Vec<usize>,
}

impl Equation {
    fn in_case(self, case: &[(Term, Term)]) -> Entry {
        Entry { case: case.to_vec(), form: self.form, value: self.value }
    }
}

/// Numbers with their values.
pub(crate) type Case = Vec<(Term, Term)>;

/// The entry of a table: where numbers have these values, a linear form has that one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) case: Case,
    pub(crate) form: Term,
    pub(crate) value: Term,
}

impl Entry {
    /// The case as a formula.
    pub(crate) fn condition(&self, pool: &mut TermPool) -> Term {
        let equations: Vec<Term> = self.case.iter().map(|&(number, value)| pool.eq(number, value)).collect();
        pool.and(&equations)
    }

    /// The entry as a formula.
    pub(crate) fn formula(&self, pool: &mut TermPool) -> Term {
        let (case, equation) = (self.condition(pool), pool.eq(self.form, self.value));
        pool.implies(case, equation)
    }

    /// The cases next to this one: one of the values is one more.
    pub(crate) fn next_cases(&self, pool: &mut TermPool) -> Vec<Case> {
        let mut cases = Vec::new();
        for at in 0..self.case.len() {
            let mut case = self.case.clone();
            let one = pool.bv(1u8, pool.width(case[at].1));
            case[at].1 = pool.bv_add(case[at].1, one);
            cases.push(case);
        }
        cases
    }
}

/// The numbers of all samples.
pub(crate) struct Rows {
    numbers: Vec<Number>,
    values: Vec<Vec<i128>>,
    budget: Budget,
}

impl Rows {
    pub(crate) fn of(
        encoding: &Encoding<'_>,
        numbers: Vec<Number>,
        states: &[Assignment],
        budget: Budget,
    ) -> Rows {
        let mut values = Vec::new();
        for state in states {
            let mut evaluator = Evaluator::new(&encoding.pool, state);
            let value = |number: &Number| match evaluator.value(number.term) {
                Value::Bits(bits) => i128::try_from(bits.signed()).unwrap_or(0),
                _ => 0,
            };
            values.push(numbers.iter().map(value).collect());
        }
        Rows { numbers, values, budget }
    }

    /// Adds equations that hold in all samples; the results that none of them determines.
    pub(crate) fn undetermined(&self, encoding: &mut Encoding<'_>, found: &mut Vec<Term>) -> Vec<usize> {
        let all: Vec<usize> = (0..self.values.len()).collect();
        let equations = self.equations(encoding, &all);
        found.extend(equations.iter().map(|one| encoding.pool.eq(one.form, one.value)));
        let determined: BTreeSet<usize> = equations.into_iter().flat_map(|one| one.results).collect();
        let is_open = |&at: &usize| self.numbers[at].is_result && !determined.contains(&at);
        (0..self.numbers.len()).filter(is_open).collect()
    }

    /// Equations that hold in some samples, each with a result in it.
    fn equations(&self, encoding: &mut Encoding<'_>, rows: &[usize]) -> Vec<Equation> {
        let mut found = Vec::new();
        let Some(&first) = rows.first() else { return found };
        let is_constant = |at: usize| rows.iter().all(|&row| self.values[row][at] == self.values[first][at]);
        for (at, number) in self.numbers.iter().enumerate() {
            if number.is_result && is_constant(at) {
                let value = constant(&mut encoding.pool, number.width, self.values[first][at]);
                found.push(Equation { form: number.term, value, results: vec![at] });
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
            columns.sort_by_key(|&at| self.numbers[at].is_result);
            if columns.len() < 2 || rows.len() < columns.len() + 2 {
                continue;
            }
            let constant_first = |&row: &usize| {
                let mut values = vec![1];
                values.extend(columns.iter().map(|&at| self.values[row][at]));
                values
            };
            let matrix = rows.iter().map(constant_first).collect();
            for solution in null_space(matrix, columns.len() + 1) {
                found.extend(self.equation(encoding, &columns, &solution));
            }
        }
        found
    }

    /// An equation with a result. The first coefficient is that of 1.
    fn equation(
        &self,
        encoding: &mut Encoding<'_>,
        columns: &[usize],
        solution: &[i128],
    ) -> Option<Equation> {
        let used = || columns.iter().zip(&solution[1..]).filter(|&(_, &factor)| factor != 0);
        let results: Vec<usize> =
            used().map(|(&at, _)| at).filter(|&at| self.numbers[at].is_result).collect();
        if results.is_empty() || solution[1..].iter().any(|factor| factor.abs() > self.budget.coefficient) {
            return None;
        }
        let width = self.numbers[results[0]].width;
        let summands = used().map(|(&at, &factor)| (self.numbers[at].term, factor));
        let form = linear::form(&mut encoding.pool, summands, width);
        let value = constant(&mut encoding.pool, width, -solution[0]);
        Some(Equation { form, value, results })
    }

    /// Equations that hold where a condition of the program does, or does not.
    pub(crate) fn by_conditions(
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
                for Equation { form, value, .. } in self.equations(encoding, &rows) {
                    let equation = encoding.pool.eq(form, value);
                    found.push(encoding.pool.implies(case, equation));
                }
            }
        }
    }

    /// Equations that hold where a cell has one value, or two cells have.
    pub(crate) fn by_values(&self, encoding: &mut Encoding<'_>, open: &[usize]) -> Vec<Entry> {
        let mut entries = Vec::new();
        if open.is_empty() {
            return entries;
        }
        let given: Vec<usize> = (0..self.numbers.len()).filter(|&at| !self.numbers[at].is_result).collect();
        let all: Vec<usize> = (0..self.values.len()).collect();
        for &one in &given {
            for (value, rows) in self.split(&all, one) {
                let case = vec![self.has_value(encoding, one, value)];
                let equations = self.equations(encoding, &rows);
                let is_determined = |at: &usize| equations.iter().any(|one| one.results.contains(at));
                let determined = open.iter().all(is_determined);
                entries.extend(equations.into_iter().map(|one| one.in_case(&case)));
                if determined {
                    continue;
                }
                for &other in given.iter().filter(|&&other| other > one) {
                    for (second, rows) in self.split(&rows, other) {
                        if entries.len() > self.budget.entries {
                            return entries;
                        }
                        let both = vec![case[0], self.has_value(encoding, other, second)];
                        let equations = self.equations(encoding, &rows);
                        entries.extend(equations.into_iter().map(|one| one.in_case(&both)));
                    }
                }
            }
        }
        entries
    }

    /// What the other numbers are for each value of one of them, where that is the same in all samples.
    pub(crate) fn by_each(&self, encoding: &mut Encoding<'_>, open: &[usize]) -> Vec<Term> {
        let mut found = Vec::new();
        let all: Vec<usize> = (0..self.values.len()).collect();
        for one in 0..self.numbers.len() {
            let values = self.split(&all, one);
            if values.len() > self.budget.few_values {
                continue;
            }
            for (value, rows) in values {
                let case = [self.has_value(encoding, one, value)];
                let others = |&&at: &&usize| {
                    at != one && rows.iter().all(|&row| self.values[row][at] == self.values[rows[0]][at])
                };
                for &at in open.iter().filter(others) {
                    let number = self.numbers[at];
                    let value = constant(&mut encoding.pool, number.width, self.values[rows[0]][at]);
                    let entry = Entry { case: case.to_vec(), form: number.term, value };
                    found.push(entry.formula(&mut encoding.pool));
                }
            }
        }
        found.truncate(self.budget.entries);
        found
    }

    fn has_value(&self, encoding: &mut Encoding<'_>, at: usize, value: i128) -> (Term, Term) {
        let number = self.numbers[at];
        (number.term, constant(&mut encoding.pool, number.width, value))
    }

    /// The samples by the values of a number.
    fn split(&self, rows: &[usize], at: usize) -> Vec<(i128, Vec<usize>)> {
        let mut values: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
        for &row in rows {
            values.entry(self.values[row][at]).or_default().push(row);
        }
        let mut values: Vec<(i128, Vec<usize>)> = values.into_iter().collect();
        values.sort_by_key(|(value, _)| value.abs());
        values.truncate(self.budget.values);
        values
    }
}

/// The tables of summaries.
pub(crate) type Tables = Vec<(Procedure, LocationId, Entry)>;

/// Adds entries to tables in contracts: what these say of one value often determines what happens for the next one, which
/// no execution of reasonable length gets to.
pub(crate) fn extend(
    encoding: &mut Encoding<'_>,
    tables: Tables,
    known: &Contracts,
    contracts: &mut Contracts,
    budget: Budget,
    limits: &Limits,
) -> Result<(), Stop> {
    let mut solver = BitVecSolver::new();
    let mut open = VecDeque::new();
    let mut tried = BTreeSet::new();
    for (procedure, exit, entry) in tables {
        let formula = entry.formula(&mut encoding.pool);
        if contracts.part(Part::Summary(procedure, exit)).contains(&formula) {
            tried.insert((procedure, exit, entry.form, entry.case.clone()));
            open.push_back((procedure, exit, entry));
        }
    }
    // Entries for one value say more than those for two.
    open.make_contiguous().sort_by_key(|(_, _, entry): &(Procedure, LocationId, Entry)| entry.case.len());
    let mut left = budget.extensions;
    while let Some((procedure, exit, entry)) = open.pop_front() {
        for case in entry.next_cases(&mut encoding.pool) {
            if left == 0 || !tried.insert((procedure, exit, entry.form, case.clone())) {
                continue;
            }
            left -= 1;
            Stop::check(limits)?;
            let mut premises = known.known_in(encoding, procedure);
            premises.extend(contracts.known_in(encoding, procedure));
            let limits = limits.clone().with_conflicts(budget.conflicts);
            let asked = (procedure, exit, Entry { case, form: entry.form, value: entry.form });
            if let Some(next) = determined(encoding, &mut solver, premises, asked, &limits) {
                contracts.push(Part::Summary(procedure, exit), next.formula(&mut encoding.pool));
                if next.case.len() == 1 {
                    open.push_front((procedure, exit, next));
                } else {
                    open.push_back((procedure, exit, next));
                }
            }
        }
    }
    Ok(())
}

/// An entry with the value that premises determine for its form, if they do.
fn determined(
    encoding: &mut Encoding<'_>,
    solver: &mut BitVecSolver,
    premises: Vec<Term>,
    (procedure, exit, mut entry): (Procedure, LocationId, Entry),
    limits: &Limits,
) -> Option<Entry> {
    let body = encoding.body_of(procedure);
    let exit = exit_to(&body, exit)?;
    let here = at_exit(encoding, exit, entry.form);
    let mut query = premises;
    query.extend([exit.guard, entry.condition(&mut encoding.pool)]);
    let model = solver.check(&mut encoding.pool, &query, limits).model()?;
    let value = model.value(&encoding.pool, here);
    entry.value = encoding.pool.constant(&value);
    query.push(encoding.pool.ne(here, entry.value));
    solver.check(&mut encoding.pool, &query, limits).is_unsat().then_some(entry)
}
