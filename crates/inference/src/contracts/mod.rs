//! Contracts: guards and summaries that hold for all calls of procedures, and how they are inferred.

mod bodies;
pub(crate) mod budget;
mod candidates;
mod loops;
mod obligations;
mod probe;
mod proof;
mod rounds;
mod spec;
mod tables;

use std::collections::BTreeMap;

use rorqual_cfa::LocationId;
use rorqual_encoding::{Encoding, Procedure};
use rorqual_logic::Term;
use rorqual_solver::{BitVecSolver, Limits};

use crate::obligations::Lists;
pub use bodies::{Ignored, exit_to, exits_to, failure};
pub use budget::Budget;
pub use probe::probe;
pub use proof::{evidence, needed};
pub use rounds::{ContractRounds, Formulas, Infer, Source};
pub use spec::{Spec, at_call, at_exit, speccond, value_at, weaker_over};

/// A part of a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What must hold where a procedure starts.
    Guard(Procedure),
    /// What holds where a procedure ends at a location.
    Summary(Procedure, LocationId),
}

/// What holds for all calls of procedures.
#[derive(Debug, Clone, Default)]
pub struct Contracts {
    /// The conjuncts of guards and summaries.
    parts: Lists<Part>,
}

impl Contracts {
    /// Nothing is known.
    pub const fn none() -> Contracts {
        Contracts { parts: BTreeMap::new() }
    }

    /// The conjuncts of a part.
    fn part(&self, part: Part) -> &[Term] {
        self.parts.get(&part).map_or(&[], Vec::as_slice)
    }

    /// Adds a conjunct to a part, unless it is there.
    pub fn push(&mut self, part: Part, conjunct: Term) {
        let list = self.parts.entry(part).or_default();
        if !list.contains(&conjunct) {
            list.push(conjunct);
        }
    }

    /// What holds for a procedure, as formulas.
    pub fn spec(&self, encoding: &mut Encoding<'_>, procedure: Procedure) -> Spec {
        let pool = &mut encoding.pool;
        let guard = pool.and(self.part(Part::Guard(procedure)));
        let summaries = self.parts.iter().filter_map(|(part, list)| match *part {
            Part::Summary(of, exit) if of == procedure => Some((exit, pool.and(list))),
            _ => None,
        });
        Spec { guard, summaries: summaries.collect() }
    }

    /// Adds what holds as well. Both hold by induction, so they do together.
    pub fn add(&mut self, others: Contracts) {
        for (part, list) in others.parts {
            for conjunct in list {
                self.push(part, conjunct);
            }
        }
    }

    /// How many conjuncts there are.
    pub fn len(&self) -> usize {
        self.parts.values().map(Vec::len).sum()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is known in a body: its guard, and behind each call what that ensures. Whether guards of callees hold is
    /// not said.
    pub fn known_in(&self, encoding: &mut Encoding<'_>, procedure: Procedure) -> Vec<Term> {
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

    /// Whether the contracts alone exclude all violations in any procedure, with at most `conflicts` per query.
    pub fn suffice(
        &self,
        encoding: &mut Encoding<'_>,
        procedures: &[Procedure],
        ignored: &Ignored,
        conflicts: u32,
        limits: &Limits,
    ) -> bool {
        let mut solver = BitVecSolver::new();
        let limits = limits.clone().with_conflicts(conflicts);
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
pub fn failure_inside(encoding: &mut Encoding<'_>, procedure: Procedure, ignored: &Ignored) -> Term {
    let failure = failure(encoding, procedure, ignored);
    let body = encoding.body_of(procedure);
    let bottom = encoding.pool.bottom();
    let flags = body.calls.iter().map(|call| (call.fails, bottom)).collect();
    encoding.pool.substitute(failure, &flags)
}
