//! Contracts that hold for all calls of procedures.

use std::collections::BTreeMap;

use rorqual_cfa::LocationId;
use rorqual_encoding::{Encoding, Procedure};
use rorqual_logic::Term;
use rorqual_solver::{BitVecSolver, Limits};

use super::spec::{Spec, at_call};
use super::unfold::{Ignored, failure};

/// Whether contracts suffice is asked with so many conflicts.
const CONFLICTS: u32 = 10_000;

/// The conjuncts of a guard and of summaries.
#[derive(Debug, Clone, Default)]
pub(super) struct Contract {
    pub(super) guard: Vec<Term>,
    pub(super) summaries: BTreeMap<LocationId, Vec<Term>>,
}

/// What holds for all calls of procedures.
#[derive(Debug, Clone, Default)]
pub(super) struct Contracts {
    pub(super) of: BTreeMap<Procedure, Contract>,
}

impl Contracts {
    /// What holds for a procedure, as formulas.
    pub(super) fn spec(&self, encoding: &mut Encoding<'_>, procedure: Procedure) -> Spec {
        let pool = &mut encoding.pool;
        let Some(contract) = self.of.get(&procedure) else { return Spec::top(pool) };
        let guard = pool.and(&contract.guard);
        let summaries = contract.summaries.iter().map(|(&exit, list)| (exit, pool.and(list))).collect();
        Spec { guard, summaries }
    }

    /// Adds what holds as well. Both hold by induction, so they do together.
    pub(super) fn add(&mut self, others: Contracts) {
        let add = |list: &mut Vec<Term>, more: Vec<Term>| {
            for conjunct in more {
                if !list.contains(&conjunct) {
                    list.push(conjunct);
                }
            }
        };
        for (procedure, contract) in others.of {
            let own = self.of.entry(procedure).or_default();
            add(&mut own.guard, contract.guard);
            for (exit, list) in contract.summaries {
                add(own.summaries.entry(exit).or_default(), list);
            }
        }
    }

    /// How many conjuncts there are.
    pub(super) fn len(&self) -> usize {
        let size = |contract: &Contract| {
            contract.guard.len() + contract.summaries.values().map(Vec::len).sum::<usize>()
        };
        self.of.values().map(size).sum()
    }

    /// What is known in a body: its guard, and behind each call what that ensures. Whether guards of callees hold is
    /// not said.
    pub(super) fn known_in(&self, encoding: &mut Encoding<'_>, procedure: Procedure) -> Vec<Term> {
        let mut known = vec![self.spec(encoding, procedure).guard];
        let body = encoding.body_of(procedure);
        for call in &body.calls {
            let spec = self.spec(encoding, call.procedure);
            for &(exit, ends) in &call.ends {
                let summary = spec.summary(&mut encoding.pool, exit);
                let summary = at_call(encoding, call, summary);
                known.push(encoding.pool.implies(ends, summary));
            }
        }
        known
    }

    /// Whether the contracts alone exclude that anything goes wrong in any procedure.
    pub(super) fn suffice(
        &self,
        encoding: &mut Encoding<'_>,
        procedures: &[Procedure],
        ignored: &Ignored,
        limits: &Limits,
    ) -> bool {
        let mut solver = BitVecSolver::new();
        let limits = limits.clone().with_conflicts(CONFLICTS);
        for &procedure in procedures {
            let mut query = self.known_in(encoding, procedure);
            query.push(failure_inside(encoding, procedure, ignored));
            if !solver.check(&mut encoding.pool, &query, &limits).is_unsat() {
                return false;
            }
        }
        true
    }
}

/// When something goes wrong in a body itself. That nothing does in its calls is shown elsewhere.
pub(super) fn failure_inside(encoding: &mut Encoding<'_>, procedure: Procedure, ignored: &Ignored) -> Term {
    let failure = failure(encoding, procedure, ignored);
    let body = encoding.body_of(procedure);
    let bottom = encoding.pool.bottom();
    let flags = body.calls.iter().map(|call| (call.fails, bottom)).collect();
    encoding.pool.substitute(failure, &flags)
}
