//! How obligations are refuted: by a part of them ([`Lazy`](super::lazy::Lazy)), as a whole, and case by case where that is hard.

use std::collections::BTreeSet;

use rorqual_logic::{Op, Sort, Term};
use rorqual_solver::{Answer, GaveUp, Limits, Model, Refutation, proof, refute};

use super::cases::by_cases;
use super::stretch::{Failure, Stretch};
use super::{Checker, Obligation, Stop, rejected};

/// The conflicts after which an obligation is proved case by case. A contradiction for all cases at once has to be
/// found among the products of the ones for each.
const WHOLE_CONFLICTS: u32 = 5_000;
/// The same for an obligation about numbers only, and the conflicts after which that is written by cases.
const NUMBERS_CONFLICTS: u32 = 15_000;
const PLAIN_CONFLICTS: u32 = 5_000;

/// An obligation as it is refuted.
pub(super) struct Query<'q> {
    pub(super) obligation: &'q Obligation,
    /// Symbols that are assumed to hold.
    pub(super) assumptions: &'q [Term],
    pub(super) stretch: &'q Stretch,
    /// Those of them that were needed so far.
    pub(super) needed: BTreeSet<Term>,
}

impl Checker<'_> {
    /// Refutes an obligation in a case. Where that is hard, it is done in the cases that are left to tell apart.
    pub(super) fn refute_by(
        &mut self,
        query: &mut Query<'_>,
        splits: &[&[Term]],
        case: &mut Vec<Term>,
        limits: &Limits,
    ) -> Result<(), Stop> {
        let Some((cases, rest)) = splits.split_first() else {
            return self.refute(query, case, limits);
        };
        if cases.len() <= 1 {
            return self.refute_by(query, rest, case, limits);
        }
        let conflicts =
            if self.has_arrays(&query.obligation.formulas) { WHOLE_CONFLICTS } else { NUMBERS_CONFLICTS };
        let answer = self.refute(query, case, &within(limits, conflicts));
        if !matches!(answer, Err(Stop::Limit { reason: GaveUp::Conflicts, .. })) {
            return answer;
        }
        for &one in *cases {
            case.push(one);
            self.refute_by(query, rest, case, limits)?;
            case.pop();
        }
        Ok(())
    }

    /// Refutes the formulas of an obligation in a case, and checks the proof.
    fn refute(&mut self, query: &mut Query<'_>, case: &[Term], limits: &Limits) -> Result<(), Stop> {
        let claim = || query.obligation.claim.clone();
        let mut formulas = query.obligation.formulas.clone();
        formulas.extend_from_slice(case);
        if let Some(needed) = self.lazy.refute(&mut self.pool, &formulas, query.assumptions, limits) {
            query.needed.extend(needed);
            return Ok(());
        }
        let conjunction = self.pool.and(&formulas);
        match self.refutation(conjunction, query.assumptions, limits) {
            Answer::Unsat(refutation) => {
                proof::check(refutation.proof())
                    .map_err(|error| rejected(claim(), format!("the solver's proof is wrong: {error}")))?;
                // The first part is the conjunction.
                let parts = refutation.core().into_iter().filter_map(|part| part.0.checked_sub(1));
                query.needed.extend(parts.map(|at| query.assumptions[at as usize]));
                Ok(())
            }
            Answer::Sat(model) => {
                Err(rejected(claim(), self.counterexample(query.stretch, query.obligation, &model)))
            }
            Answer::Unknown(reason) => Err(Stop::Limit { obligation: claim(), reason }),
        }
    }

    /// Refutes a formula. Where that is hard for one about numbers, it is written by cases first. What is left open then is
    /// tried as it is, and so is what has a model: that of the formula itself tells more.
    fn refutation(
        &mut self,
        formula: Term,
        assumptions: &[Term],
        limits: &Limits,
    ) -> Answer<Model, Refutation> {
        let parts = |formula| [&[formula], assumptions].concat();
        if !self.has_arrays(&[formula]) {
            let first = refute(&mut self.pool, &parts(formula), &within(limits, PLAIN_CONFLICTS));
            if !matches!(first, Answer::Unknown(GaveUp::Conflicts)) {
                return first;
            }
            let cases = by_cases(&mut self.pool, formula);
            let second = refute(&mut self.pool, &parts(cases), &within(limits, 2 * NUMBERS_CONFLICTS));
            let is_last = limits.conflicts().is_none_or(|conflicts| conflicts > NUMBERS_CONFLICTS);
            let is_hard = matches!(second, Answer::Unknown(GaveUp::Conflicts));
            if !(second.is_sat() || is_hard && is_last) {
                return second;
            }
        }
        refute(&mut self.pool, &parts(formula), limits)
    }

    fn has_arrays(&self, formulas: &[Term]) -> bool {
        let is_array = |&term: &Term| matches!(self.pool.sort(term), Sort::Array { .. });
        self.pool.subterms(formulas).iter().any(is_array)
    }

    /// What a model says: the failure that is reached, and the state it comes from.
    fn counterexample(&self, stretch: &Stretch, obligation: &Obligation, model: &Model) -> String {
        /// More values do not help to see the point.
        const VALUES: usize = 8;
        let reached = |failure: &&Failure| {
            obligation.cases.contains(&failure.taken) && model.satisfies(&self.pool, failure.taken)
        };
        let what = match stretch.failures.iter().find(reached) {
            Some(failure) => format!("{} at {}", failure.what, self.program.sources.position(failure.span)),
            None => "it can be false".to_owned(),
        };
        let mut values: Vec<String> = Vec::new();
        for term in self.pool.subterms(&obligation.formulas) {
            if let Op::Symbol(symbol) = self.pool.op(term)
                && let name = self.pool.symbol_name(*symbol)
                && self.cells.find(name).is_some()
                && self.pool.sort(term).width().is_some()
            {
                let value = model.value(&self.pool, term);
                values.push(format!("{name} = {}", value.bits().unsigned()));
            }
        }
        values.sort();
        values.truncate(VALUES);
        if values.is_empty() { what } else { format!("{what}, for example from {}", values.join(", ")) }
    }
}

/// Limits with no more conflicts than these.
pub(super) fn within(limits: &Limits, conflicts: u32) -> Limits {
    limits.clone().with_conflicts(limits.conflicts().map_or(conflicts, |most| most.min(conflicts)))
}
