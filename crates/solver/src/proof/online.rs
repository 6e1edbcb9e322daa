//! Checks each step of a run of `CaDiCaL` when it is made. Nothing is kept but the clauses that are in use, so this suits
//! long runs with many queries, of which no proof is needed afterwards.

use cadical_sys::ProofTracer;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::proof::{Literal, Writer};

/// The clauses that were added, or follow from those.
#[derive(Debug, Default)]
pub(crate) struct OnlineChecker {
    clauses: FxHashMap<i64, Box<[Literal]>>,
    /// Clauses that were taken out, and may be put back.
    weakened: FxHashSet<i64>,
    /// By variable: 1 if it is true, -1 if it is false, 0 if it is open. All are open between steps.
    values: Vec<i8>,
    /// The literals that have a value.
    trail: Vec<Literal>,
    /// The clauses that the last refutation ends with.
    concluded: Vec<i64>,
    /// Why the steps so far are no proof.
    flaw: Option<&'static str>,
    /// Where steps are kept, if they are.
    writer: Option<Writer>,
}

impl OnlineChecker {
    /// One that keeps the steps.
    pub(crate) fn keeping() -> OnlineChecker {
        OnlineChecker { writer: Some(Writer::default()), ..OnlineChecker::default() }
    }

    /// Where steps are kept.
    pub(crate) fn writer(&mut self) -> Option<&mut Writer> {
        self.writer.as_mut()
    }

    /// Says which clauses a refutation ends with.
    pub(crate) fn conclude(&mut self, clauses: Vec<i64>) {
        self.concluded = clauses;
    }

    /// Adds what the steps start from.
    pub(crate) fn give(&mut self, id: i64, clause: &[Literal]) {
        self.add(id, clause);
    }

    /// The clauses that the last refutation ends with.
    pub(crate) fn concluded(&self) -> &[i64] {
        &self.concluded
    }

    /// The literals of a clause.
    pub(crate) fn clause(&self, id: i64) -> Option<&[Literal]> {
        self.clauses.get(&id).map(AsRef::as_ref)
    }

    /// Whether the last refutation shows that these assumptions contradict the clauses.
    pub(crate) fn refutes(&self, assumptions: &[Literal]) -> Result<(), &'static str> {
        if let Some(flaw) = self.flaw {
            return Err(flaw);
        }
        let assumed: FxHashSet<Literal> = assumptions.iter().copied().collect();
        let is_about_assumptions = |id: &i64| {
            self.clauses
                .get(id)
                .is_some_and(|clause| clause.iter().all(|&literal| assumed.contains(&-literal)))
        };
        if self.concluded.iter().any(is_about_assumptions) {
            Ok(())
        } else {
            Err("a refutation that does not end with its assumptions")
        }
    }

    fn value(&self, literal: Literal) -> i8 {
        let value = self.values.get(literal.unsigned_abs() as usize).copied().unwrap_or(0);
        if literal < 0 { -value } else { value }
    }

    fn assign(&mut self, literal: Literal) {
        let variable = literal.unsigned_abs() as usize;
        if self.values.len() <= variable {
            self.values.resize(variable + 1, 0);
        }
        self.values[variable] = if literal < 0 { -1 } else { 1 };
        self.trail.push(literal);
    }

    /// Propagates under the negation of a clause until an antecedent becomes empty.
    fn follows(&mut self, clause: &[Literal], antecedents: &[i64]) -> Result<(), &'static str> {
        for &literal in clause {
            match self.value(literal) {
                // A tautology follows from nothing.
                1 => return Ok(()),
                -1 => {}
                _ => self.assign(-literal),
            }
        }
        for antecedent in antecedents {
            let known = self.clauses.get(antecedent).ok_or("a step from a clause that was never added")?;
            let (mut open, mut is_satisfied, mut is_unit) = (None, false, true);
            for &literal in known {
                match self.value(literal) {
                    1 => is_satisfied = true,
                    -1 => {}
                    _ if open.is_some_and(|other| other != literal) => is_unit = false,
                    _ => open = Some(literal),
                }
            }
            match open {
                _ if is_satisfied => {}
                _ if !is_unit => return Err("an antecedent that does not become a unit"),
                None => return Ok(()),
                Some(literal) => self.assign(literal),
            }
        }
        Err("antecedents that do not prove their clause")
    }

    /// Adds what follows.
    pub(crate) fn derive(&mut self, id: i64, clause: &[Literal], antecedents: &[i64]) {
        let result = self.follows(clause, antecedents);
        while let Some(literal) = self.trail.pop() {
            self.values[literal.unsigned_abs() as usize] = 0;
        }
        match result {
            Ok(()) => {
                self.add(id, clause);
                if let Some(writer) = &mut self.writer {
                    writer.derived(id, clause, antecedents);
                }
            }
            Err(flaw) => self.flaw = Some(flaw),
        }
    }

    fn add(&mut self, id: i64, clause: &[Literal]) {
        if clause.iter().any(|&literal| literal == 0 || literal == i32::MIN) {
            self.flaw = Some("a clause with an invalid literal");
        }
        if self.clauses.insert(id, clause.into()).is_some() {
            self.flaw = Some("two clauses with one number");
        }
    }
}

impl ProofTracer for OnlineChecker {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        if !restored {
            if let Some(writer) = &mut self.writer {
                writer.given(id);
            }
            return self.add(id, clause);
        }
        self.weakened.remove(&id);
        // What is put back must be what was taken out.
        let is_known = self.clauses.get(&id).is_some_and(|known| {
            let known: FxHashSet<Literal> = known.iter().copied().collect();
            clause.iter().all(|literal| known.contains(literal))
                && known.iter().all(|literal| clause.contains(literal))
        });
        if !is_known {
            self.flaw = Some("a clause that is put back was never there");
        }
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        if witness != 0 {
            self.flaw = Some("a step that preserves satisfiability only");
        }
        self.derive(id, clause, antecedents);
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.derive(id, clause, antecedents);
    }

    fn delete_clause(&mut self, id: i64, _redundant: bool, _clause: &[i32]) {
        if !self.weakened.contains(&id) {
            self.clauses.remove(&id);
        }
    }

    fn weaken_minus(&mut self, id: i64, _clause: &[i32]) {
        self.weakened.insert(id);
    }

    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _literal: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _kind: i32, _model: &[i32]) {}

    fn conclude_unsat(&mut self, _kind: i32, clauses: &[i64]) {
        self.concluded = clauses.to_vec();
    }

    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two clauses and a step that may follow from them.
    fn checked(clause: &[i32], antecedents: &[i64]) -> OnlineChecker {
        let mut checker = OnlineChecker::default();
        checker.add_original_clause(1, false, &[1, 2], false);
        checker.add_original_clause(2, false, &[1, -2], false);
        checker.add_derived_clause(3, false, 0, clause, antecedents);
        checker.conclude_unsat(2, &[3]);
        checker
    }

    #[test]
    fn a_step_counts_only_if_it_follows() {
        assert_eq!(checked(&[1], &[1, 2]).refutes(&[-1]), Ok(()));
        assert!(checked(&[2], &[1, 2]).refutes(&[-2]).is_err(), "it does not follow");
        assert!(checked(&[1], &[1]).refutes(&[-1]).is_err(), "an antecedent is missing");
        assert!(checked(&[1], &[1, 7]).refutes(&[-1]).is_err(), "an antecedent is not there");
        assert!(checked(&[1], &[1, 2]).refutes(&[3]).is_err(), "it is about something else");
    }

    #[test]
    fn what_is_put_back_must_have_been_there() {
        let mut checker = checked(&[1], &[1, 2]);
        checker.weaken_minus(1, &[1, 2]);
        checker.delete_clause(1, false, &[1, 2]);
        checker.add_original_clause(1, false, &[2, 1], true);
        assert_eq!(checker.refutes(&[-1]), Ok(()));
        checker.add_original_clause(2, false, &[1], true);
        assert!(checker.refutes(&[-1]).is_err());
    }
}
