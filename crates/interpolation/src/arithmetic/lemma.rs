//! Partial interpolants of lemmas of linear arithmetic, as formulas over integers.

use std::collections::HashMap;

use dashu::integer::IBig;
use rorqual_logic::{Op, Sort, Term, TermPool};
use rorqual_solver::theory::clausal::{ClausalRefutation, Evidence};
use rorqual_solver::theory::farkas::{
    decomposed_farkas_interpolant, dual_farkas_interpolant, farkas_interpolant,
};
use rorqual_solver::theory::linear::{Constraint, Variable};

use super::table::{Meaning, Table};
use crate::propositional::{Label, LabelledLemma, LemmaInterpolator};

/// Which of the interpolants of a Farkas refutation to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// The sum of A's inequalities. Relates symbols, and so survives further rounds of a loop.
    Strongest,
    /// The sum of A's inequalities, split into a conjunction where A's own symbols cancel in groups.
    Decomposed,
    /// The negated sum of B's inequalities.
    Weakest,
}

impl Choice {
    /// In the order in which they are tried: relations between symbols first, values last.
    pub const ALL: [Choice; 3] = [Choice::Strongest, Choice::Weakest, Choice::Decomposed];
}

/// The terms of constraints, and back.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    by_term: HashMap<Term, Constraint>,
}

impl Constraints {
    /// A constraint as an atom over integer symbols.
    pub(super) fn term(&mut self, pool: &mut TermPool, constraint: &Constraint) -> Term {
        let mut summands = Vec::new();
        for (variable, coefficient) in constraint.expr().terms() {
            let symbol = pool.symbol(&format!("integer!{}", variable.0), Sort::Int);
            summands.push(pool.int_scale(coefficient.clone(), symbol));
        }
        let (sum, bound) = (pool.int_add(&summands), pool.int(-constraint.expr().constant().clone()));
        let term = pool.int_le(sum, bound);
        // A constraint without variables is true or false, and no atom.
        if pool.as_bool(term).is_none() {
            self.by_term.insert(term, constraint.clone());
        }
        term
    }

    /// The constraint that an atom, or the negation of one, is.
    pub(super) fn constraint(&self, pool: &TermPool, term: Term) -> Option<Constraint> {
        if *pool.op(term) == Op::Not {
            return self.by_term.get(&pool.arguments(term)[0]).map(Constraint::negated);
        }
        self.by_term.get(&term).cloned()
    }
}

/// Interpolates the lemmas of one refutation.
pub(super) struct LinearLemmas<'l> {
    pub(super) refutation: &'l ClausalRefutation,
    pub(super) table: &'l Table,
    pub(super) choice: Choice,
    pub(super) constraints: &'l mut Constraints,
}

impl LemmaInterpolator for LinearLemmas<'_> {
    fn partial_interpolant(&mut self, pool: &mut TermPool, labelled: &LabelledLemma) -> Option<Term> {
        let lemma = self.refutation.lemmas.get(labelled.number)?;
        let Evidence::Farkas(weights) = &lemma.evidence else { return None };
        let premises = lemma.premises(&self.refutation.atoms)?;
        // Literals labelled `Both` may be taken for either side.
        let label = |literal: i32| labelled.literals.iter().find(|(other, _)| *other == literal);
        let in_a: Vec<bool> = lemma
            .literals
            .iter()
            .map(|&literal| label(literal).is_some_and(|&(_, label)| label == Label::A))
            .collect();
        let conjuncts = self.conjuncts(&premises, weights, &in_a);
        let terms: Vec<Term> =
            conjuncts.iter().map(|constraint| self.constraints.term(pool, constraint)).collect();
        Some(pool.and(&terms))
    }
}

impl LinearLemmas<'_> {
    fn conjuncts(&self, premises: &[Constraint], weights: &[IBig], in_a: &[bool]) -> Vec<Constraint> {
        match self.choice {
            Choice::Strongest => vec![farkas_interpolant(premises, weights, |at| in_a[at])],
            Choice::Weakest => vec![dual_farkas_interpolant(premises, weights, |at| in_a[at])],
            Choice::Decomposed => {
                let is_a_local = |variable: Variable| {
                    let of_b = premises.iter().zip(in_a).filter(|&(_, &in_a)| !in_a);
                    let is_in_b = of_b
                        .into_iter()
                        .any(|(constraint, _)| constraint.expr().variables().any(|other| other == variable));
                    !is_in_b || matches!(self.table.meaning(variable), Meaning::Local(_))
                };
                decomposed_farkas_interpolant(premises, weights, |at| in_a[at], is_a_local)
            }
        }
    }
}
