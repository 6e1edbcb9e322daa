//! Clauses over linear constraints and Boolean variables: a small solver that explains its answers.
//!
//! The cores that interpolation refutes are small, and what counts is the proof: conflict-driven clause
//! learning records the antecedents of each learned clause, and the theory enters only as lemmas that
//! are clauses over atoms, each with evidence of its own. So the refutation is propositional, and the
//! rules of labelled interpolation apply to it unchanged (notes in `docs/algorithms/interpolation.md`).
//!
//! Splits: over the integers, the negation of `x <= c` is `x >= c + 1`. A split is therefore one new
//! variable whose two literals are its two halves; that one of them holds needs no lemma. New variables
//! stand for bounds of single variables only, so no atom mixes what an interpolant must separate.
//!
//! Not for large formulas: clauses are never deleted, and there is no preprocessing.

use std::collections::{BTreeMap, BTreeSet};

use dashu::integer::IBig;

use super::divisibility::check_divisibility;
use super::farkas::check_farkas;
use super::linear::{Constraint, Variable};
use crate::proof::{Literal, Part, Proof};

mod log;
mod search;

/// A conjunction of clauses.
#[derive(Debug, Clone, Default)]
pub struct ClausalProblem {
    /// The clauses with the parts that they belong to.
    pub clauses: Vec<(Vec<Literal>, Part)>,
    /// The constraints that variables stand for; the other variables are Boolean. A negative literal
    /// stands for the integer negation ([`Constraint::negated`]).
    pub atoms: BTreeMap<i32, Constraint>,
}

/// How much work [`solve`] may do. The defaults are for cores of program paths: a path with hundreds of
/// loop iterations that linear arithmetic refutes takes a few conflicts, not thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Conflicts, propositional and of the theory.
    pub conflicts: u64,
    /// New atoms for integer splits.
    pub splits: u64,
    /// Pivots of the simplex; checked between calls of it.
    pub pivots: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { conflicts: 20_000, splits: 1_000, pivots: 200_000 }
    }
}

/// What [`solve`] finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClausalAnswer {
    /// Values that satisfy all clauses.
    Sat(ClausalModel),
    /// Why there are none.
    Unsat(ClausalRefutation),
    /// The budget was spent.
    GaveUp,
}

/// Values that satisfy clauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClausalModel {
    /// The values of the variables in clauses, also of those that stand for constraints.
    pub booleans: BTreeMap<i32, bool>,
    /// The values of the variables in constraints.
    pub integers: BTreeMap<Variable, IBig>,
}

/// A refutation, trimmed to what it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClausalRefutation {
    /// The resolution steps. `Origin::Lemma(k)` names the `k`-th lemma. Its `atoms` are left empty: what
    /// variables stand for as terms is known to the caller only.
    pub proof: Proof,
    /// The lemmas, in the order of their clauses.
    pub lemmas: Vec<Lemma>,
    /// The constraints that variables of the proof stand for, with those of splits.
    pub atoms: BTreeMap<i32, Constraint>,
    /// The variables that splits introduced; each stands for `x <= c`.
    pub splits: BTreeSet<i32>,
}

/// A clause that holds in linear integer arithmetic: the constraints of its negated literals
/// contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lemma {
    /// The clause, without duplicates.
    pub literals: Vec<Literal>,
    /// Why it holds.
    pub evidence: Evidence,
}

/// Why a lemma holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// The positive weight of the constraint of each negated literal, in their order.
    Farkas(Vec<IBig>),
    /// The negated literals are equalities in both directions without common integer solution.
    Divisibility {
        /// For each negated literal, in their order; zero for one of the directions of each equality.
        multipliers: Vec<IBig>,
        /// What divides the coefficients of the sum, and not its constant.
        modulus: IBig,
    },
}

impl Lemma {
    /// The constraints of the negated literals; `None` if a literal is not an atom.
    pub fn premises(&self, atoms: &BTreeMap<i32, Constraint>) -> Option<Vec<Constraint>> {
        self.literals.iter().map(|&literal| constraint_of(-literal, atoms)).collect()
    }
}

/// The constraint that a literal stands for; `None` if its variable is Boolean.
pub fn constraint_of(literal: Literal, atoms: &BTreeMap<i32, Constraint>) -> Option<Constraint> {
    let constraint = atoms.get(&literal.abs())?;
    Some(if literal > 0 { constraint.clone() } else { constraint.negated() })
}

/// Whether a lemma's evidence proves it.
pub fn check_lemma(lemma: &Lemma, atoms: &BTreeMap<i32, Constraint>) -> bool {
    let Some(premises) = lemma.premises(atoms) else {
        return false;
    };
    match &lemma.evidence {
        Evidence::Farkas(weights) => check_farkas(&premises, weights),
        Evidence::Divisibility { multipliers, modulus } => {
            check_divisibility(&premises, multipliers, modulus)
        }
    }
}

/// Decides a conjunction of clauses.
pub fn solve(problem: &ClausalProblem, budget: Budget) -> ClausalAnswer {
    search::Search::new(problem, budget).run()
}

#[cfg(test)]
mod tests;
