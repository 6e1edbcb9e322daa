//! k-induction after M. Sheeran, S. Singh, G. Stålmarck, *Checking Safety Properties Using Induction and a SAT-Solver*,
//! FMCAD 2000, for each loop of a program (A. Donaldson, L. Haller, D. Kroening, P. Rümmer, *Software Verification Using
//! k-Induction*, SAS 2011): bounded model checking, but a loop that a small bound does not end is proved by induction. What it
//! does not change keeps its value, and loops inside that are bounded are unwound.
//!
//! | in the literature | here |
//! |---|---|
//! | base case and step case | `rorqual_symbolic::induction` |
//! | the loops to be cut | [`Search::with_induction`] |
//! | the least `k` | [`Induction::search`] |
//!
//! Departure: all loops have the same `k`.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rorqual_evidence::{Answer, Event, Observer, Reason, Stop, Technique, Verdict};
use rorqual_solver::Limits;
use rorqual_symbolic::{Bounds, Executor, Outcome};

use crate::bmc::Search;
use crate::inference::Inference;
use crate::registry::Engine;
use crate::task::Task;

/// A loop that ends after so many times more iterations than others is unwound where induction fails.
const LONGER: u64 = 4;

/// How far it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Induction {
    /// A loop that inputs decide about is proved by induction if it may have more iterations.
    pub unwound: u64,
    /// The same for loops that inputs do not decide about.
    pub decided: u64,
    /// The greatest `k`; without limit if absent.
    pub last: Option<u64>,
    /// At most so many edges are executed at once.
    pub edges: u64,
    /// The solver is asked at most so often whether a loop can go on; without limit if absent.
    pub queries: Option<u64>,
    /// At most so many conflicts for each of these questions.
    pub feasibility: u32,
    /// At most so many terms are made.
    pub terms: usize,
    /// At most so many conflicts in each query; without limit if absent.
    pub conflicts: Option<u32>,
}

impl Default for Induction {
    fn default() -> Induction {
        Induction {
            unwound: 4,
            decided: 300,
            last: None,
            edges: u64::MAX,
            queries: None,
            feasibility: 2_000,
            terms: 50_000_000,
            conflicts: None,
        }
    }
}

impl Engine for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn summary(&self) -> &'static str {
        "k-induction for each loop that a small bound does not end; the others are unwound"
    }

    fn run(
        &self,
        task: &Task<'_>,
        _: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Answer {
        observer.on(Event::Started { engine: self.name() });
        let verdict = self.search(task, limits, observer).unwrap_or_else(Verdict::from);
        Answer::new(verdict, Technique::KInduction)
    }
}

impl Induction {
    fn search(&self, task: &Task<'_>, limits: &Limits, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        let limits = self.conflicts.map_or(limits.clone(), |most| limits.clone().with_conflicts(most));
        let mut search = Search { executor: Executor::new(task.searched), limits };
        let mut bounds = Bounds {
            undecided: 0,
            decided: self.decided,
            depth: 1_000,
            edges: self.edges,
            terms: self.terms,
            queries: self.queries.unwrap_or(u64::MAX),
            conflicts: self.feasibility,
            ..Bounds::default()
        };
        for k in 1..=self.last.unwrap_or(u64::MAX) {
            observer.on(Event::Step { steps: k });
            let unwound = k.max(self.unwound);
            if unwound > bounds.undecided {
                bounds.undecided = unwound;
                let bounds = Bounds { inductive: BTreeMap::new(), ..bounds.clone() };
                let base = search.executor.execute(&bounds, &search.limits)?;
                if let Some(violation) = search.violation(&base, &mut base.failures.iter().collect())? {
                    return Ok(Verdict::Unsafe(violation));
                }
                if base.cuts.is_empty() {
                    return search.proof(base);
                }
            }
            let mut outcome = search.with_induction(&mut bounds, k)?;
            let mut fails = search.fails(&outcome)?;
            if fails && k == 1 && search.unwind_short_loops(&mut bounds, self.unwound * LONGER)? {
                outcome = search.with_induction(&mut bounds, k)?;
                fails = search.fails(&outcome)?;
            }
            if !outcome.cuts.is_empty() {
                return Ok(Verdict::Unknown(crate::bmc::bounded(task.searched, &outcome)));
            }
            if !fails {
                return search.proof(outcome);
            }
        }
        Ok(Verdict::Unknown(Reason::OutOfIdeas))
    }
}

impl Search<'_> {
    /// Executes a program with induction for all loops that end in no other way, until it is known what they change.
    fn with_induction(&mut self, bounds: &mut Bounds, k: u64) -> Result<Outcome, Stop> {
        bounds.inductive.values_mut().for_each(|own| *own = k);
        loop {
            let outcome = self.executor.execute(bounds, &self.limits)?;
            let mut is_final = !outcome.is_preliminary || self.executor.is_spent();
            for (cut, _) in &outcome.cuts {
                let head = (cut.function, cut.location);
                if self.executor.is_loop(head) && bounds.inductive.insert(head, k).is_none() {
                    is_final = false;
                }
            }
            if is_final {
                return Ok(outcome);
            }
        }
    }
    /// Whether a violation is left.
    fn fails(&mut self, outcome: &Outcome) -> Result<bool, Stop> {
        Ok(self.violation(outcome, &mut outcome.failures.iter().collect())?.is_some())
    }

    /// Unwinds loops that some more iterations end, if the others are proved by induction; whether there are any.
    fn unwind_short_loops(&mut self, bounds: &mut Bounds, most: u64) -> Result<bool, Stop> {
        let mut found = false;
        for (head, k) in bounds.inductive.clone() {
            bounds.inductive.remove(&head);
            bounds.loops.insert(head, most);
            let outcome = self.executor.execute(bounds, &self.limits)?;
            let is_cut = outcome.cuts.iter().any(|(cut, _)| (cut.function, cut.location) == head);
            if is_cut || self.executor.is_spent() {
                bounds.loops.remove(&head);
                bounds.inductive.insert(head, k);
            } else {
                found = true;
            }
        }
        Ok(found)
    }
}
