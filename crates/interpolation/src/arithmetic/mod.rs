//! The arithmetic strategy: the parts are refuted as clauses over linear integer arithmetic, and the
//! interpolants that the refutation gives are written as bit-vector formulas again.
//!
//! The answer is a candidate. Arithmetic may ignore wrapping, and knows little of bit operations, so only what
//! the bit-precise verifier accepts may be used; [`strategy`](crate::strategy) sees to that.

mod lemma;
mod render;
mod table;
mod translate;
mod values;
mod views;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_logic::{Term, TermPool};
use rorqual_solver::proof::{Origin, OriginalClause, Part};
use rorqual_solver::theory::clausal::{Budget, ClausalAnswer, ClausalRefutation, solve};

use crate::error::InterpolationError;
use crate::interpolants::Interpolants;
use crate::propositional::System;
pub use lemma::Choice;
use lemma::{Constraints, LinearLemmas};
pub use render::Equalities;
use render::Renderer;
use table::Table;
pub use translate::Wrapping;

/// Terms nested deeper than this are not translated: the translation follows them with the call stack.
const DEPTH_LIMIT: usize = 500;

/// A refutation of parts in linear arithmetic.
#[derive(Debug)]
pub struct LinearRefutation {
    table: Table,
    refutation: ClausalRefutation,
    constraints: Constraints,
}

impl LinearRefutation {
    /// Refutes the parts; `None` if linear arithmetic has a model of them, or gives up.
    pub fn find(
        pool: &mut TermPool,
        parts: &[Term],
        wrapping: Wrapping,
        budget: Budget,
    ) -> Option<LinearRefutation> {
        if depth(pool, parts) > DEPTH_LIMIT {
            return None;
        }
        let table = translate::translate(pool, parts, wrapping);
        let ClausalAnswer::Unsat(mut refutation) = solve(&table.problem, budget) else { return None };
        let mut constraints = Constraints::default();
        refutation.proof.atoms = table.booleans.clone();
        for (&variable, constraint) in &refutation.atoms {
            if constraint.expr().variables().all(|integer| table.is_symbol(integer)) {
                let term = constraints.term(pool, constraint);
                refutation.proof.atoms.insert(variable, term);
            }
        }
        Some(LinearRefutation { table, refutation, constraints })
    }

    /// The parts that the refutation uses.
    pub fn core(&self) -> BTreeSet<Part> {
        let part = |clause: &OriginalClause| match clause.origin {
            Origin::Part(part) => Some(part),
            Origin::Lemma(_) => None,
        };
        self.refutation.proof.originals.iter().filter_map(part).collect()
    }

    /// Formulas over integers, by whatever is asked of the interpolants of the refutation.
    pub fn interpolate(
        &mut self,
        pool: &mut TermPool,
        system: System,
        choice: Choice,
        ask: impl FnOnce(&mut Interpolants<'_>, &mut TermPool) -> Result<Vec<Term>, InterpolationError>,
    ) -> Result<Vec<Term>, InterpolationError> {
        let LinearRefutation { table, refutation, constraints } = self;
        let lemmas = LinearLemmas { refutation, table, choice, constraints };
        let mut interpolants = Interpolants::new(&refutation.proof, system, lemmas)?;
        for (variable, parts) in lemma_occurrences(table, refutation) {
            interpolants.add_occurrences(variable, parts);
        }
        ask(&mut interpolants, pool)
    }

    /// The formulas over bit-vectors; `None` if one speaks about something that only one part knows.
    pub fn render(
        &self,
        pool: &mut TermPool,
        formulas: &[Term],
        equalities: Equalities,
    ) -> Option<Vec<Term>> {
        let renderer = Renderer { table: &self.table, constraints: &self.constraints, equalities };
        formulas.iter().map(|&formula| renderer.formula(pool, formula)).collect()
    }
}

/// The parts of atoms that lemmas mention and no clause of a part in the proof does: those whose clauses
/// have the atom, and for an atom of a split those that have its integer.
fn lemma_occurrences(table: &Table, refutation: &ClausalRefutation) -> BTreeMap<i32, BTreeSet<Part>> {
    let is_of_part = |clause: &&OriginalClause| matches!(clause.origin, Origin::Part(_));
    let of_parts = refutation.proof.originals.iter().filter(is_of_part);
    let known: BTreeSet<i32> =
        of_parts.flat_map(|clause| clause.literals.iter().map(|literal| literal.abs())).collect();
    let mut occurrences: BTreeMap<i32, BTreeSet<Part>> = BTreeMap::new();
    for (literals, part) in &table.problem.clauses {
        for variable in literals.iter().map(|literal| literal.abs()) {
            if refutation.atoms.contains_key(&variable) && !known.contains(&variable) {
                occurrences.entry(variable).or_default().insert(*part);
            }
        }
    }
    for variable in &refutation.splits {
        let Some(constraint) = refutation.atoms.get(variable) else { continue };
        for integer in constraint.expr().variables() {
            occurrences.entry(*variable).or_default().extend(table.parts_of(integer));
        }
    }
    occurrences
}

/// The length of the longest chain of arguments.
fn depth(pool: &TermPool, parts: &[Term]) -> usize {
    let mut depths: HashMap<Term, usize> = HashMap::new();
    let mut deepest = 0;
    for term in pool.subterms(parts) {
        let below = pool.arguments(term).iter().map(|argument| depths[argument]).max().unwrap_or(0);
        deepest = deepest.max(below + 1);
        depths.insert(term, below + 1);
    }
    deepest
}
