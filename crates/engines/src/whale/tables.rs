//! Equations between numbers that hold in samples: in all of them, where a condition holds, or for single values, as in a
//! table.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::Encoding;
use rorqual_logic::{Assignment, Bits, Evaluator, Term, TermPool, Value};

use crate::facts::linear::null_space;

/// So many values of a cell make cases of their own, and there are so many entries.
const MOST_VALUES: usize = 64;
const MOST_ENTRIES: usize = 400;
/// A number with at most so many values tells rounds of a loop apart.
const FEW_VALUES: usize = 16;
/// Coefficients of equations are no larger than this.
const LARGEST_COEFFICIENT: i128 = 64;

/// A number that a candidate may be about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub(super) term: Term,
    pub(super) width: u32,
    pub(super) signed: bool,
    /// Whether it is to be determined by the others.
    pub(super) is_result: bool,
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
pub(super) type Case = Vec<(Term, Term)>;

/// The entry of a table: where numbers have these values, a linear form has that one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) case: Case,
    pub(super) form: Term,
    pub(super) value: Term,
}

impl Entry {
    /// The case as a formula.
    pub(super) fn condition(&self, pool: &mut TermPool) -> Term {
        let equations: Vec<Term> = self.case.iter().map(|&(number, value)| pool.eq(number, value)).collect();
        pool.and(&equations)
    }

    /// The entry as a formula.
    pub(super) fn formula(&self, pool: &mut TermPool) -> Term {
        let (case, equation) = (self.condition(pool), pool.eq(self.form, self.value));
        pool.implies(case, equation)
    }

    /// The cases next to this one: one of the values is one more.
    pub(super) fn next_cases(&self, pool: &mut TermPool) -> Vec<Case> {
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
pub(super) struct Rows {
    numbers: Vec<Number>,
    rows: Vec<Vec<i128>>,
}

impl Rows {
    pub(super) fn of(encoding: &Encoding<'_>, numbers: Vec<Number>, states: &[Assignment]) -> Rows {
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
    pub(super) fn undetermined(&self, encoding: &mut Encoding<'_>, found: &mut Vec<Term>) -> Vec<usize> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
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
        let is_constant = |at: usize| rows.iter().all(|&row| self.rows[row][at] == self.rows[first][at]);
        for (at, number) in self.numbers.iter().enumerate() {
            if number.is_result && is_constant(at) {
                let value = constant(encoding, number.width, self.rows[first][at]);
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
                values.extend(columns.iter().map(|&at| self.rows[row][at]));
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
        if results.is_empty() || solution[1..].iter().any(|factor| factor.abs() > LARGEST_COEFFICIENT) {
            return None;
        }
        let width = self.numbers[results[0]].width;
        let mut form = constant(encoding, width, 0);
        for (&at, &factor) in used() {
            let factor = constant(encoding, width, factor);
            let product = encoding.pool.bv_mul(self.numbers[at].term, factor);
            form = encoding.pool.bv_add(form, product);
        }
        let value = constant(encoding, width, -solution[0]);
        Some(Equation { form, value, results })
    }

    /// Equations that hold where a condition of the program does, or does not.
    pub(super) fn by_conditions(
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
    pub(super) fn by_values(&self, encoding: &mut Encoding<'_>, open: &[usize]) -> Vec<Entry> {
        let mut entries = Vec::new();
        if open.is_empty() {
            return entries;
        }
        let given: Vec<usize> = (0..self.numbers.len()).filter(|&at| !self.numbers[at].is_result).collect();
        let all: Vec<usize> = (0..self.rows.len()).collect();
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
                        if entries.len() > MOST_ENTRIES {
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
    pub(super) fn by_each(&self, encoding: &mut Encoding<'_>, open: &[usize]) -> Vec<Term> {
        let mut found = Vec::new();
        let all: Vec<usize> = (0..self.rows.len()).collect();
        for one in 0..self.numbers.len() {
            let values = self.split(&all, one);
            if values.len() > FEW_VALUES {
                continue;
            }
            for (value, rows) in values {
                let case = [self.has_value(encoding, one, value)];
                let others = |&&at: &&usize| {
                    at != one && rows.iter().all(|&row| self.rows[row][at] == self.rows[rows[0]][at])
                };
                for &at in open.iter().filter(others) {
                    let number = self.numbers[at];
                    let value = constant(encoding, number.width, self.rows[rows[0]][at]);
                    let entry = Entry { case: case.to_vec(), form: number.term, value };
                    found.push(entry.formula(&mut encoding.pool));
                }
            }
        }
        found.truncate(MOST_ENTRIES);
        found
    }

    fn has_value(&self, encoding: &mut Encoding<'_>, at: usize, value: i128) -> (Term, Term) {
        let number = self.numbers[at];
        (number.term, constant(encoding, number.width, value))
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

fn constant(encoding: &mut Encoding<'_>, width: u32, value: i128) -> Term {
    encoding.pool.bits(Bits::from_signed(&value.into(), width))
}
