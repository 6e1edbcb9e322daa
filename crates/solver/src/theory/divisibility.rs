//! Equalities without common integer solution, though each alone and all together over the rationals
//! may have one: `x = 2a` and `x = 2b + 1`. No number of splits refutes these on unbounded variables.
//!
//! They are found by bringing the equalities to Hermite normal form (A. Schrijver, *Theory of Linear and
//! Integer Programming*, 1986, corollary 4.1a): some combination of them has coefficients that a number
//! divides, and a constant that it does not. As with Farkas refutations, the part of the combination
//! that comes from A is an interpolant, of the form "the number divides this expression".

use std::collections::{BTreeMap, BTreeSet};

use dashu::base::Abs;
use dashu::integer::IBig;

use super::linear::{Constraint, LinearExpr, Variable};
use super::rational::Rational;
use super::simplex::primitive;

/// Equalities, each a constraint whose opposite is given too, whose sum with these multipliers has
/// coefficients that the modulus divides, and a constant that it does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divisibility {
    /// One direction of each equality with its multiplier, which may be negative; and the opposite
    /// direction with multiplier zero.
    pub multipliers: Vec<(usize, IBig)>,
    /// What divides the coefficients.
    pub modulus: IBig,
}

/// The interpolant of a refutation by divisibility: A implies that `modulus` divides the answer, and B
/// contradicts that. Both directions of an equality must be on the same side.
pub fn divisibility_interpolant(
    equalities: &[LinearExpr],
    multipliers: &[IBig],
    modulus: &IBig,
    in_a: impl Fn(usize) -> bool,
) -> LinearExpr {
    let mut sum = LinearExpr::default();
    for (index, (equality, multiplier)) in equalities.iter().zip(multipliers).enumerate() {
        if in_a(index) {
            sum.add_scaled(multiplier, equality);
        }
    }
    // Multiples of the modulus change nothing; among them are all terms with A-local variables, because
    // the modulus divides their coefficients in the whole sum, and B has none of them.
    let reduce = |value: &IBig| value % modulus;
    let terms: Vec<_> = sum.terms().map(|(variable, factor)| (reduce(factor), variable)).collect();
    LinearExpr::new(terms, reduce(sum.constant()))
}

/// Whether each constraint with a multiplier other than zero is one direction of an equality, and the
/// sum of the equalities with these multipliers has no integer solution modulo the modulus.
pub fn check_divisibility(constraints: &[Constraint], multipliers: &[IBig], modulus: &IBig) -> bool {
    if constraints.len() != multipliers.len() || *modulus <= IBig::ZERO {
        return false;
    }
    let mut sum = LinearExpr::default();
    for (constraint, multiplier) in constraints.iter().zip(multipliers) {
        let opposite = constraint.expr().negated();
        if !multiplier.is_zero() && !constraints.iter().any(|other| *other.expr() == opposite) {
            return false;
        }
        sum.add_scaled(multiplier, constraint.expr());
    }
    sum.terms().all(|(_, factor)| (factor % modulus).is_zero()) && !(sum.constant() % modulus).is_zero()
}

/// The most entries of a matrix that is brought to normal form. The matrix is dense; larger ones would
/// cost more than the splits that they may save.
const LARGEST_MATRIX: usize = 1 << 16;

/// Evidence that the equalities among the constraints have no common integer solution, if they have
/// none although each alone, and all together over the rationals, may have.
pub fn find_divisibility(constraints: &[Constraint]) -> Option<Divisibility> {
    let equalities = equalities(constraints);
    let variables: Vec<Variable> = equalities
        .iter()
        .flat_map(|&(index, _)| constraints[index].expr().variables())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    if equalities.len() * variables.len() > LARGEST_MATRIX {
        return None;
    }
    let rows = equalities.iter().map(|&(index, _)| {
        let expr = constraints[index].expr();
        let coefficients = variables.iter().map(|&variable| expr.coefficient(variable)).collect();
        (coefficients, -expr.constant().clone())
    });
    let combination = integrality_gap(rows.collect())?;
    let modulus = combination.iter().fold(IBig::ONE, |product, value| lcm(&product, &value.denominator()));
    let scale = Rational::from(&modulus);
    let mut multipliers = Vec::new();
    for ((index, opposite), factor) in equalities.into_iter().zip(&combination) {
        if !factor.is_zero() {
            multipliers.push((index, factor.times(&scale).floor()));
            multipliers.push((opposite, IBig::ZERO));
        }
    }
    Some(Divisibility { multipliers, modulus })
}

fn lcm(one: &IBig, other: &IBig) -> IBig {
    // The multiple of (1/one, 1/other) without denominators and common factors is (other, one) / gcd.
    let inverses = [Rational::new(&IBig::ONE, one), Rational::new(&IBig::ONE, other)];
    primitive(&inverses)[0].clone() * one
}

/// The pairs of opposite constraints.
fn equalities(constraints: &[Constraint]) -> Vec<(usize, usize)> {
    let mut seen: BTreeMap<&LinearExpr, usize> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (index, constraint) in constraints.iter().enumerate() {
        if seen.insert(constraint.expr(), index).is_none()
            && let Some(&opposite) = seen.get(&constraint.expr().negated())
            && !constraint.expr().is_constant()
        {
            pairs.push((index, opposite));
        }
    }
    pairs
}

/// For a system `A x = b`, a rational combination `y` of its rows such that `y A` is integral and `y b`
/// is not; `None` if the system has an integer solution, or no rational one.
fn integrality_gap(mut rows: Vec<(Vec<IBig>, IBig)>) -> Option<Vec<Rational>> {
    let mut pivots: Vec<usize> = Vec::new();
    let mut solution: Vec<IBig> = Vec::new();
    for index in 0..rows.len() {
        if !clear_row(&mut rows[index..], pivots.len()) {
            continue;
        }
        let (row, constant) = &rows[index];
        let known: IBig = row.iter().zip(&solution).map(|(factor, value)| factor * value).sum();
        let rest = constant - known;
        let pivot = &row[pivots.len()];
        pivots.push(index);
        if !(&rest % pivot).is_zero() {
            return Some(last_row_of_inverse(&rows, &pivots));
        }
        solution.push(rest / pivot);
    }
    None
}

/// Unimodular column operations from column `first` on, after which the first of the rows has one entry
/// there at most, in that column. Returns whether it has one.
fn clear_row(rows: &mut [(Vec<IBig>, IBig)], first: usize) -> bool {
    loop {
        let entries: Vec<usize> =
            (first..rows[0].0.len()).filter(|&column| !rows[0].0[column].is_zero()).collect();
        let Some(&least) = entries.iter().min_by_key(|&&column| (&rows[0].0[column]).abs()) else {
            return false;
        };
        if entries.len() == 1 {
            for (row, _) in rows {
                row.swap(first, least);
            }
            return true;
        }
        for column in entries.into_iter().filter(|&column| column != least) {
            let quotient = &rows[0].0[column] / &rows[0].0[least];
            for (row, _) in rows.iter_mut() {
                let change = &row[least] * &quotient;
                row[column] -= change;
            }
        }
    }
}

/// The last row of the inverse of the lower triangular matrix that the pivot rows form.
fn last_row_of_inverse(rows: &[(Vec<IBig>, IBig)], pivots: &[usize]) -> Vec<Rational> {
    let mut combination = vec![Rational::ZERO; rows.len()];
    for column in (0..pivots.len()).rev() {
        let target = if column + 1 == pivots.len() { Rational::ONE } else { Rational::ZERO };
        let mut rest = target;
        for &row in &pivots[column + 1..] {
            let product = combination[row].times(&Rational::from(&rows[row].0[column]));
            rest = rest.minus(&product);
        }
        let pivot = Rational::from(&rows[pivots[column]].0[column]);
        combination[pivots[column]] = rest.times(&pivot.inverse());
    }
    combination
}
