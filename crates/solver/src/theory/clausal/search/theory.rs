//! Where the search asks the theory: what it learns from the simplex, and splits.

use super::{Search, VariableState};
use crate::proof::Literal;
use crate::theory::clausal::log::Entry;
use crate::theory::clausal::{Evidence, constraint_of};
use crate::theory::divisibility::find_divisibility;
use crate::theory::linear::Constraint;
use crate::theory::simplex::{ConstraintId, Farkas};

/// What is to be done about values that satisfy all clauses over the rationals.
pub(super) enum IntegerStep {
    /// The values are integers already.
    Integral,
    /// A new literal to decide.
    Split(Literal),
    /// A lemma whose literals are all false.
    Conflict(Entry),
    /// The budget allows no further split.
    Spent,
}

impl Search<'_> {
    /// Tells the simplex the new literals; returns a lemma whose literals are all false.
    pub(super) fn check_theory(&mut self) -> Option<Entry> {
        while self.asserted < self.trail.len() {
            let literal = self.trail[self.asserted];
            self.asserted += 1;
            if let Some(id) = self.constraint_id(literal)
                && let Err(conflict) = self.simplex.assert(id)
            {
                return Some(self.farkas_lemma(&conflict));
            }
        }
        match self.simplex.make_feasible() {
            Ok(()) => None,
            Err(conflict) => Some(self.farkas_lemma(&conflict)),
        }
    }

    fn constraint_id(&mut self, literal: Literal) -> Option<ConstraintId> {
        if let Some(&id) = self.constraint_ids.get(&literal) {
            return Some(id);
        }
        let id = self.simplex.add(&constraint_of(literal, &self.atoms)?);
        self.constraint_ids.insert(literal, id);
        self.constraint_literals.push(literal);
        Some(id)
    }

    fn farkas_lemma(&mut self, conflict: &Farkas) -> Entry {
        let literals = conflict.coefficients.iter().map(|(id, _)| -self.constraint_literals[id.0]);
        let literals: Vec<Literal> = literals.collect();
        let weights = conflict.coefficients.iter().map(|(_, weight)| weight.clone()).collect();
        self.lemma(literals, Evidence::Farkas(weights))
    }

    fn lemma(&mut self, literals: Vec<Literal>, evidence: Evidence) -> Entry {
        self.clauses.push(literals.clone());
        self.log.lemma(literals, evidence)
    }

    /// Rounds nothing: refutes the equalities, or splits on the first value that is no integer.
    pub(super) fn integer_step(&mut self) -> IntegerStep {
        let Some((variable, value)) = self.simplex.first_fractional() else {
            return IntegerStep::Integral;
        };
        let bound = value.floor();
        if let Some(lemma) = self.divisibility_lemma() {
            return IntegerStep::Conflict(lemma);
        }
        if self.splits >= self.budget.splits {
            return IntegerStep::Spent;
        }
        self.splits += 1;
        let literal = self.variables.len() as Literal;
        self.atoms.insert(literal, Constraint::at_most(variable, &bound));
        self.variables.push(VariableState::default());
        self.watches.resize(2 * self.variables.len(), Vec::new());
        IntegerStep::Split(literal)
    }

    fn divisibility_lemma(&mut self) -> Option<Entry> {
        let literals: Vec<Literal> =
            self.trail.iter().copied().filter(|literal| self.constraint_ids.contains_key(literal)).collect();
        let constraints: Vec<Constraint> =
            literals.iter().filter_map(|&literal| constraint_of(literal, &self.atoms)).collect();
        let found = find_divisibility(&constraints)?;
        let clause = found.multipliers.iter().map(|(index, _)| -literals[*index]).collect();
        let multipliers = found.multipliers.into_iter().map(|(_, multiplier)| multiplier).collect();
        Some(self.lemma(clause, Evidence::Divisibility { multipliers, modulus: found.modulus }))
    }
}
