//! The general simplex over the rationals, after B. Dutertre and L. de Moura, *A Fast Linear-Arithmetic
//! Solver for DPLL(T)*, CAV 2006. Feasibility only: there is no objective, and as integer constraints
//! are never strict, there are no infinitesimals.
//!
//! Every linear form that occurs in a constraint owns a column, every constraint is a bound on a column,
//! and each bound remembers its constraint. A conflict is therefore read off one row as a sum of
//! constraints with positive coefficients that says `positive <= 0` ([`Farkas`]).
//!
//! Not for integers: see [`integer`](super::integer).

use std::collections::BTreeMap;

use dashu::base::{Gcd, UnsignedAbs};
use dashu::integer::IBig;

use super::linear::{Constraint, LinearExpr, Variable};
use super::rational::Rational;

/// The number of a constraint in the order in which a [`Simplex`] came to know them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintId(pub usize);

/// Constraints whose sum, weighted with these positive integers, is `c <= 0` for a positive number `c`.
/// Sorted by constraint, without duplicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Farkas {
    /// The constraints with their weights.
    pub coefficients: Vec<(ConstraintId, IBig)>,
}

/// What [`Simplex::check`] finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Feasibility {
    /// Values that satisfy the asserted constraints.
    Feasible(BTreeMap<Variable, Rational>),
    /// Why no rational values do.
    Conflict(Farkas),
}

type Column = usize;

/// The pivots of one check that may prefer sparse columns.
const SPARSE_PIVOTS: u64 = 200;

#[derive(Debug, Clone)]
struct Bound {
    value: Rational,
    reason: ConstraintId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

#[derive(Debug, Clone)]
enum Known {
    Bound(Column, Side, Rational),
    True,
    False,
}

/// `basic = sum of coefficient * column` over nonbasic columns; sorted by column.
#[derive(Debug, Clone)]
struct Row {
    basic: Column,
    terms: Vec<(Column, Rational)>,
}

/// An incremental solver for conjunctions of linear constraints.
#[derive(Debug, Clone, Default)]
pub struct Simplex {
    /// The columns of variables, and of forms with several variables, whose first coefficient is positive.
    variables: BTreeMap<Variable, Column>,
    forms: BTreeMap<LinearExpr, Column>,
    known: Vec<Known>,
    rows: Vec<Row>,
    row_of: Vec<Option<usize>>,
    lower: Vec<Option<Bound>>,
    upper: Vec<Option<Bound>>,
    /// Nonbasic columns are always within their bounds, and every row holds.
    values: Vec<Rational>,
    /// The asserted constraint that is false by itself, if there is one.
    falsum: Option<ConstraintId>,
    trail: Vec<Undo>,
    levels: Vec<usize>,
    pivots: u64,
}

#[derive(Debug, Clone)]
enum Undo {
    Bound(Column, Side, Option<Bound>),
    Falsum,
}

impl Simplex {
    /// A solver that knows no constraint.
    pub fn new() -> Simplex {
        Simplex::default()
    }

    /// Makes a constraint known, without asserting it. Known constraints outlive [`pop`](Self::pop).
    pub fn add(&mut self, constraint: &Constraint) -> ConstraintId {
        let known = self.as_bound(constraint.expr());
        self.known.push(known);
        ConstraintId(self.known.len() - 1)
    }

    /// Asserts a known constraint. A conflict with one other constraint is found at once, and then the
    /// constraint is not asserted; other conflicts are found by [`check`](Self::check).
    pub fn assert(&mut self, id: ConstraintId) -> Result<(), Farkas> {
        let (column, side, value) = match self.known[id.0].clone() {
            Known::True => return Ok(()),
            Known::False => {
                if self.falsum.is_none() {
                    self.falsum = Some(id);
                    self.trail.push(Undo::Falsum);
                }
                return Err(Farkas { coefficients: vec![(id, IBig::ONE)] });
            }
            Known::Bound(column, side, value) => (column, side, value),
        };
        let beyond = |one: &Rational, other: &Rational| match side {
            Side::Lower => one > other,
            Side::Upper => one < other,
        };
        let (same, opposite) = match side {
            Side::Lower => (&self.lower[column], &self.upper[column]),
            Side::Upper => (&self.upper[column], &self.lower[column]),
        };
        if same.as_ref().is_some_and(|bound| !beyond(&value, &bound.value)) {
            return Ok(());
        }
        if let Some(bound) = opposite
            && beyond(&value, &bound.value)
        {
            return Err(farkas(vec![(id, Rational::ONE), (bound.reason, Rational::ONE)]));
        }
        let must_move = self.row_of[column].is_none() && beyond(&value, &self.values[column]);
        if must_move {
            self.move_nonbasic(column, &value);
        }
        let bound = Some(Bound { value, reason: id });
        let old = std::mem::replace(self.bound_mut(column, side), bound);
        self.trail.push(Undo::Bound(column, side, old));
        Ok(())
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// Takes back what was asserted since the matching [`push`](Self::push). Bounds only grow wider, so
    /// the values of nonbasic columns remain good.
    pub fn pop(&mut self) {
        let length = self.levels.pop().expect("every pop has its push");
        for undo in self.trail.split_off(length).into_iter().rev() {
            match undo {
                Undo::Bound(column, side, old) => *self.bound_mut(column, side) = old,
                Undo::Falsum => self.falsum = None,
            }
        }
    }

    /// How many pivots were made so far: a measure of the effort that does not depend on the machine.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// Decides the asserted constraints over the rationals.
    pub fn check(&mut self) -> Feasibility {
        match self.make_feasible() {
            Ok(()) => Feasibility::Feasible(self.assignment()),
            Err(farkas) => Feasibility::Conflict(farkas),
        }
    }

    /// [`check`](Self::check) without copying the assignment.
    pub fn make_feasible(&mut self) -> Result<(), Farkas> {
        if let Some(id) = self.falsum {
            return Err(Farkas { coefficients: vec![(id, IBig::ONE)] });
        }
        // Bland's rule, the least column that will do both times, never cycles. Before it must be obeyed,
        // columns that few rows mention are better: the tableau stays sparse.
        let patience = self.pivots + SPARSE_PIVOTS;
        while let Some((row, side)) = self.violated_row() {
            let entering = if self.pivots < patience {
                self.candidates(row, side).min_by_key(|&column| self.occurrences(column))
            } else {
                self.candidates(row, side).next()
            };
            let Some(entering) = entering else {
                return Err(self.explain(row, side));
            };
            self.pivot_to_bound(row, entering, side);
        }
        Ok(())
    }

    /// The values found by the last successful check.
    pub fn assignment(&self) -> BTreeMap<Variable, Rational> {
        self.variables.iter().map(|(&variable, &column)| (variable, self.values[column].clone())).collect()
    }

    /// The first variable, in the order of variables, whose value is not an integer.
    pub fn first_fractional(&self) -> Option<(Variable, &Rational)> {
        self.variables
            .iter()
            .map(|(&variable, &column)| (variable, &self.values[column]))
            .find(|(_, value)| !value.is_integer())
    }

    fn bound_mut(&mut self, column: Column, side: Side) -> &mut Option<Bound> {
        match side {
            Side::Lower => &mut self.lower[column],
            Side::Upper => &mut self.upper[column],
        }
    }

    /// The constraint as a bound. The content of `expr` is one, so the bound needs no division.
    fn as_bound(&mut self, expr: &LinearExpr) -> Known {
        let Some((_, first)) = expr.terms().next() else {
            return if *expr.constant() > IBig::ZERO { Known::False } else { Known::True };
        };
        let positive = *first > IBig::ZERO;
        let bound = if positive { -expr.constant().clone() } else { expr.constant().clone() };
        let mut form = if positive { expr.clone() } else { expr.negated() };
        form.add_constant(&bound);
        let side = if positive { Side::Upper } else { Side::Lower };
        Known::Bound(self.column_of_form(form), side, Rational::from(&bound))
    }

    fn column_of_form(&mut self, form: LinearExpr) -> Column {
        if form.terms().len() == 1 {
            let variable = form.variables().next().expect("the form has one term");
            return self.column_of_variable(variable);
        }
        if let Some(&column) = self.forms.get(&form) {
            return column;
        }
        let mut terms = Vec::new();
        for (variable, coefficient) in form.terms() {
            let column = self.column_of_variable(variable);
            let coefficient = Rational::from(coefficient);
            match self.row_of[column] {
                None => terms = add_rows(&terms, &coefficient, &[(column, Rational::ONE)]),
                Some(row) => terms = add_rows(&terms, &coefficient, &self.rows[row].terms),
            }
        }
        let value = terms
            .iter()
            .fold(Rational::ZERO, |sum, (column, factor)| sum.plus(&factor.times(&self.values[*column])));
        let column = self.new_column(value);
        self.row_of[column] = Some(self.rows.len());
        self.rows.push(Row { basic: column, terms });
        self.forms.insert(form, column);
        column
    }

    fn column_of_variable(&mut self, variable: Variable) -> Column {
        if let Some(&column) = self.variables.get(&variable) {
            return column;
        }
        let column = self.new_column(Rational::ZERO);
        self.variables.insert(variable, column);
        column
    }

    fn new_column(&mut self, value: Rational) -> Column {
        self.row_of.push(None);
        self.lower.push(None);
        self.upper.push(None);
        self.values.push(value);
        self.values.len() - 1
    }

    fn move_nonbasic(&mut self, column: Column, value: &Rational) {
        let difference = value.minus(&self.values[column]);
        for row in &self.rows {
            if let Some(factor) = row.coefficient(column) {
                self.values[row.basic] = self.values[row.basic].plus(&factor.times(&difference));
            }
        }
        self.values[column] = value.clone();
    }

    /// The row of the least basic column that is outside a bound.
    fn violated_row(&self) -> Option<(usize, Side)> {
        let mut best: Option<(Column, usize, Side)> = None;
        for (index, row) in self.rows.iter().enumerate() {
            if best.is_some_and(|(column, ..)| column < row.basic) {
                continue;
            }
            let value = &self.values[row.basic];
            if self.lower[row.basic].as_ref().is_some_and(|bound| *value < bound.value) {
                best = Some((row.basic, index, Side::Lower));
            } else if self.upper[row.basic].as_ref().is_some_and(|bound| *value > bound.value) {
                best = Some((row.basic, index, Side::Upper));
            }
        }
        best.map(|(_, row, side)| (row, side))
    }

    /// The columns, in order, that can move the row's basic column towards its bound.
    fn candidates(&self, row: usize, violated: Side) -> impl Iterator<Item = Column> {
        let can_move = move |(column, factor): &&(Column, Rational)| {
            self.blocking(*column, factor, violated).is_none_or(|bound| bound.value != self.values[*column])
        };
        self.rows[row].terms.iter().filter(can_move).map(|(column, _)| *column)
    }

    fn occurrences(&self, column: Column) -> usize {
        self.rows.iter().filter(|row| row.coefficient(column).is_some()).count()
    }

    /// The bound of a column that stops the sum it occurs in from moving away from `violated`.
    fn blocking(&self, column: Column, factor: &Rational, violated: Side) -> Option<&Bound> {
        if (violated == Side::Lower) == factor.is_positive() {
            self.upper[column].as_ref()
        } else {
            self.lower[column].as_ref()
        }
    }

    /// The violated bound and those that block its row contradict each other.
    fn explain(&self, row: usize, violated: Side) -> Farkas {
        let basic = self.rows[row].basic;
        let bound = match violated {
            Side::Lower => &self.lower[basic],
            Side::Upper => &self.upper[basic],
        };
        let reason = bound.as_ref().expect("a violated bound exists").reason;
        let mut weights = vec![(reason, Rational::ONE)];
        for (column, factor) in &self.rows[row].terms {
            let bound = self.blocking(*column, factor, violated).expect("no column of the row can move");
            let weight = if factor.is_positive() { factor.clone() } else { factor.negated() };
            weights.push((bound.reason, weight));
        }
        farkas(weights)
    }

    /// Exchanges the row's basic column, which moves to its violated bound, with the entering column.
    fn pivot_to_bound(&mut self, row: usize, entering: Column, violated: Side) {
        self.pivots += 1;
        let leaving = self.rows[row].basic;
        let target =
            self.bound_mut(leaving, violated).as_ref().expect("a violated bound exists").value.clone();
        let factor = self.rows[row].coefficient(entering).expect("the entering column occurs").clone();
        let step = target.minus(&self.values[leaving]).times(&factor.inverse());
        self.values[leaving] = target;
        self.values[entering] = self.values[entering].plus(&step);
        self.rows[row].solve_for(entering, &factor.inverse());
        self.row_of[leaving] = None;
        self.row_of[entering] = Some(row);
        let pivot = self.rows[row].terms.clone();
        for (index, other) in self.rows.iter_mut().enumerate() {
            if index == row {
                continue;
            }
            let Ok(position) = other.terms.binary_search_by_key(&entering, |term| term.0) else {
                continue;
            };
            let (_, factor) = other.terms.remove(position);
            self.values[other.basic] = self.values[other.basic].plus(&factor.times(&step));
            other.terms = add_rows(&other.terms, &factor, &pivot);
        }
    }
}

impl Row {
    fn coefficient(&self, column: Column) -> Option<&Rational> {
        let position = self.terms.binary_search_by_key(&column, |term| term.0).ok()?;
        Some(&self.terms[position].1)
    }

    /// Makes `entering` basic; `inverse` is the inverse of its coefficient.
    fn solve_for(&mut self, entering: Column, inverse: &Rational) {
        let leaving = std::mem::replace(&mut self.basic, entering);
        self.terms.retain(|(column, _)| *column != entering);
        let negated = inverse.negated();
        for (_, factor) in &mut self.terms {
            *factor = factor.times(&negated);
        }
        let position = self.terms.partition_point(|(column, _)| *column < leaving);
        self.terms.insert(position, (leaving, inverse.clone()));
    }
}

/// `lhs + factor * rhs`, merging by column.
fn add_rows(
    lhs: &[(Column, Rational)],
    factor: &Rational,
    rhs: &[(Column, Rational)],
) -> Vec<(Column, Rational)> {
    let mut sum = Vec::with_capacity(lhs.len() + rhs.len());
    let (mut left, mut right) = (lhs.iter().peekable(), rhs.iter().peekable());
    loop {
        let (column, value) = match (left.peek(), right.peek()) {
            (None, None) => return sum,
            (Some(l), Some(r)) if l.0 == r.0 => (l.0, l.1.plus(&factor.times(&r.1))),
            (Some(l), r) if r.is_none_or(|r| l.0 < r.0) => (l.0, l.1.clone()),
            (_, Some(r)) => (r.0, factor.times(&r.1)),
            (Some(_), None) => unreachable!("the guard above holds without a right side"),
        };
        left.next_if(|term| term.0 == column);
        right.next_if(|term| term.0 == column);
        if !value.is_zero() {
            sum.push((column, value));
        }
    }
}

/// Clears the denominators and common factors of the weights, and joins what repeats.
fn farkas(weights: Vec<(ConstraintId, Rational)>) -> Farkas {
    let mut joined: BTreeMap<ConstraintId, Rational> = BTreeMap::new();
    for (id, weight) in weights {
        let sum = joined.entry(id).or_insert(Rational::ZERO);
        *sum = sum.plus(&weight);
    }
    let values: Vec<Rational> = joined.values().cloned().collect();
    Farkas { coefficients: joined.into_keys().zip(primitive(&values)).collect() }
}

/// The multiple of a vector whose entries are integers without common divisor.
pub(super) fn primitive(vector: &[Rational]) -> Vec<IBig> {
    let mut denominator = IBig::ONE;
    for value in vector {
        let other = value.denominator();
        let divisor = IBig::from((&denominator).gcd(&other));
        denominator = denominator * other / divisor;
    }
    let mut values: Vec<IBig> =
        vector.iter().map(|value| value.numerator() * (&denominator / value.denominator())).collect();
    let mut content = IBig::ZERO;
    for value in values.iter().filter(|value| !value.is_zero()) {
        content = if content.is_zero() {
            IBig::from(value.clone().unsigned_abs())
        } else {
            IBig::from((&content).gcd(value))
        };
    }
    if content > IBig::ONE {
        for value in &mut values {
            *value /= &content;
        }
    }
    values
}
