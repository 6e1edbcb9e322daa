//! Farkas refutations: their checker, and the interpolants that they give.
//!
//! Constraints `e_i <= 0` with weights `w_i >= 0` such that the sum of all `w_i * e_i` is a positive
//! number contradict each other. Split into A and B, the weighted sum over A is an interpolant: A
//! implies it, it contradicts B with the weighted sum over B, and the variables that B does not mention
//! cancel in it, as they cancel in the whole sum. Over the integers it may be divided by the common
//! divisor of its coefficients and its constant rounded: A still implies it, and it only got stronger.
//!
//! The negated sum over B is a weaker interpolant, the *dual* one. The *decomposed* one (M. Blicha, A. Hyvärinen,
//! J. Kofroň, N. Sharygina, *Decomposing Farkas Interpolants*, TACAS 2019) is stronger: it splits
//! the sum over A into summands in each of which the A-local variables cancel, and takes their
//! conjunction. Departure: the paper looks for a nonnegative basis of the kernel of the A-local
//! columns; we walk from the weights to extreme rays of the kernel's nonnegative cone, which always succeeds
//! and gives at most as many conjuncts as the kernel has dimensions.

use std::collections::BTreeSet;

use dashu::integer::IBig;

use super::linear::{Constraint, LinearExpr, Relation, Variable, join_equalities};
use super::rational::Rational;
use super::simplex::{Simplex, primitive};

/// Whether the weights are not negative and the weighted sum of the constraints is `c <= 0` for a
/// positive number `c`. Shares nothing with the simplex that finds the weights.
pub fn check_farkas(constraints: &[Constraint], weights: &[IBig]) -> bool {
    if constraints.len() != weights.len() || weights.iter().any(|weight| *weight < IBig::ZERO) {
        return false;
    }
    let sum = weighted_sum(constraints, weights, |_| true);
    sum.is_constant() && *sum.constant() > IBig::ZERO
}

/// The sum over A, divided and rounded: the strongest interpolant that is one inequality with this
/// direction. The weights must be a Farkas refutation; `in_a` tells which constraints belong to A.
pub fn farkas_interpolant(
    constraints: &[Constraint],
    weights: &[IBig],
    in_a: impl Fn(usize) -> bool,
) -> Constraint {
    Constraint::new(weighted_sum(constraints, weights, in_a))
}

/// The negated sum over B: the weakest interpolant that is one inequality.
pub fn dual_farkas_interpolant(
    constraints: &[Constraint],
    weights: &[IBig],
    in_a: impl Fn(usize) -> bool,
) -> Constraint {
    Constraint::new(weighted_sum(constraints, weights, |index| !in_a(index))).negated()
}

/// A conjunction that A implies, that implies [`farkas_interpolant`], and that mentions no variable for
/// which `is_a_local` holds. Without true conjuncts; a false one stands alone.
pub fn decomposed_farkas_interpolant(
    constraints: &[Constraint],
    weights: &[IBig],
    in_a: impl Fn(usize) -> bool,
    is_a_local: impl Fn(Variable) -> bool,
) -> Vec<Constraint> {
    conjuncts(constraints, weights, in_a, is_a_local)
}

/// A *disjunction* that [`dual_farkas_interpolant`] implies, and that mentions no variable for which
/// `is_b_local` holds; the negation of what B's sum decomposes into.
pub fn decomposed_dual_farkas_interpolant(
    constraints: &[Constraint],
    weights: &[IBig],
    in_a: impl Fn(usize) -> bool,
    is_b_local: impl Fn(Variable) -> bool,
) -> Vec<Constraint> {
    let conjuncts = conjuncts(constraints, weights, |index| !in_a(index), is_b_local);
    conjuncts.iter().map(Constraint::negated).collect()
}

/// The conjuncts of an interpolant as relations, where an inequality `e <= 0` becomes the equality
/// `e = 0` if the conjunction of `premises`, which must imply the interpolant, implies that too.
/// Invariants of loops are made of equalities, and a stronger interpolant is still one.
pub fn strengthen_to_equalities(premises: &[Constraint], interpolant: &[Constraint]) -> Vec<Relation> {
    let mut conjunction = interpolant.to_vec();
    for constraint in interpolant {
        let opposite = Constraint::new(constraint.expr().negated());
        if implies(premises, &opposite) {
            conjunction.push(opposite);
        }
    }
    join_equalities(&conjunction)
}

/// Whether the premises imply the conclusion by linear arithmetic over the rationals, with the negated
/// conclusion tightened to integers. `false` may be due to missing integer reasoning.
pub fn implies(premises: &[Constraint], conclusion: &Constraint) -> bool {
    let mut simplex = Simplex::new();
    for constraint in premises.iter().chain([&conclusion.negated()]) {
        let id = simplex.add(constraint);
        if simplex.assert(id).is_err() {
            return true;
        }
    }
    simplex.make_feasible().is_err()
}

fn weighted_sum(
    constraints: &[Constraint],
    weights: &[IBig],
    selected: impl Fn(usize) -> bool,
) -> LinearExpr {
    let mut sum = LinearExpr::default();
    for (index, (constraint, weight)) in constraints.iter().zip(weights).enumerate() {
        if selected(index) {
            sum.add_scaled(weight, constraint.expr());
        }
    }
    sum
}

fn conjuncts(
    constraints: &[Constraint],
    weights: &[IBig],
    selected: impl Fn(usize) -> bool,
    is_local: impl Fn(Variable) -> bool,
) -> Vec<Constraint> {
    let used: Vec<usize> =
        (0..constraints.len()).filter(|&index| selected(index) && !weights[index].is_zero()).collect();
    let exprs: Vec<&LinearExpr> = used.iter().map(|&index| constraints[index].expr()).collect();
    let start: Vec<Rational> = used.iter().map(|&index| Rational::from(&weights[index])).collect();
    let mut found = Vec::new();
    for ray in decompose(&exprs, start, is_local) {
        let mut sum = LinearExpr::default();
        for (expr, weight) in exprs.iter().zip(&ray) {
            sum.add_scaled(weight, expr);
        }
        let constraint = Constraint::new(sum);
        if constraint.is_false() {
            return vec![constraint];
        }
        if !constraint.is_true() && !found.contains(&constraint) {
            found.push(constraint);
        }
    }
    found
}

/// Writes nonnegative weights under which the local variables cancel as a sum of such weights with
/// minimal support (the answer leaves out their positive factors, which do not matter).
fn decompose(
    exprs: &[&LinearExpr],
    mut weights: Vec<Rational>,
    is_local: impl Fn(Variable) -> bool,
) -> Vec<Vec<IBig>> {
    let locals: BTreeSet<Variable> =
        exprs.iter().flat_map(|expr| expr.variables()).filter(|&variable| is_local(variable)).collect();
    let mut rays = Vec::new();
    while weights.iter().any(|weight| !weight.is_zero()) {
        let mut ray = weights.clone();
        // Each step loses an entry of the support; without other kernel vectors the ray is extreme.
        while let Some(direction) = other_kernel_vector(exprs, &locals, &ray) {
            step_to_boundary(&mut ray, &direction);
        }
        let negated: Vec<Rational> = ray.iter().map(Rational::negated).collect();
        step_to_boundary(&mut weights, &negated);
        rays.push(primitive(&ray));
    }
    rays
}

/// Adds the largest multiple of `direction`, which has a negative entry, that keeps the vector nonnegative.
fn step_to_boundary(vector: &mut [Rational], direction: &[Rational]) {
    let step = vector
        .iter()
        .zip(direction)
        .filter(|(_, change)| !change.is_zero() && !change.is_positive())
        .map(|(value, change)| value.times(&change.inverse()).negated())
        .min()
        .expect("the direction has a negative entry");
    for (value, change) in vector.iter_mut().zip(direction) {
        *value = value.plus(&step.times(change));
    }
}

/// A vector in the kernel of the local columns, with support within that of `weights`, with a negative
/// entry, and with an entry zero where `weights` is not, so that it is no multiple of it.
fn other_kernel_vector(
    exprs: &[&LinearExpr],
    locals: &BTreeSet<Variable>,
    weights: &[Rational],
) -> Option<Vec<Rational>> {
    let support: Vec<usize> = (0..weights.len()).filter(|&index| !weights[index].is_zero()).collect();
    let mut matrix: Vec<Vec<Rational>> = locals
        .iter()
        .map(|&local| support.iter().map(|&index| Rational::from(&exprs[index].coefficient(local))).collect())
        .collect();
    let pivots = reduce_to_echelon(&mut matrix, support.len());
    let free: Vec<usize> = (0..support.len()).filter(|column| !pivots.contains(column)).collect();
    // One free column belongs to the multiples of `weights`.
    let (&chosen, _) = free.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let mut vector = vec![Rational::ZERO; weights.len()];
    vector[support[chosen]] = Rational::ONE.negated();
    for (row, &pivot) in matrix.iter().zip(&pivots) {
        vector[support[pivot]] = row[chosen].clone();
    }
    Some(vector)
}

/// Brings a matrix to reduced row echelon form and returns the pivot column of each nonzero row.
fn reduce_to_echelon(matrix: &mut [Vec<Rational>], columns: usize) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..columns {
        let rank = pivots.len();
        let Some(row) = (rank..matrix.len()).find(|&row| !matrix[row][column].is_zero()) else {
            continue;
        };
        matrix.swap(rank, row);
        let inverse = matrix[rank][column].inverse();
        matrix[rank].iter_mut().for_each(|value| *value = value.times(&inverse));
        let pivot = matrix[rank].clone();
        for (index, other) in matrix.iter_mut().enumerate() {
            if index != rank && !other[column].is_zero() {
                let factor = other[column].negated();
                for (value, change) in other.iter_mut().zip(&pivot) {
                    if !change.is_zero() {
                        *value = value.plus(&factor.times(change));
                    }
                }
            }
        }
        pivots.push(column);
    }
    pivots
}
