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
//! | invariants that strengthen the step | candidates, of which [`Houdini`] keeps what is inductive |
//!
//! Departures: all loops have the same `k`, and it may be 0: then what is known at the head of a loop is what the loop keeps.

mod houdini;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rorqual_evidence::{Answer, Event, Observer, Reason, Stop, Technique, Verdict};
use rorqual_logic::Term;
use rorqual_solver::{Answer as Decision, Limits};
use rorqual_symbolic::{Bounds, Cuts, Executor, Guesses, Outcome};

use crate::bmc::Search;
use crate::inference::Inference;
use crate::registry::Engine;
use crate::task::Task;
use houdini::{Houdini, Name};

/// A loop that ends after so many times more iterations than others is unwound where induction fails.
const LONGER: u64 = 4;

/// How far it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Induction {
    /// A loop that inputs decide about is proved by induction if it may have more iterations.
    pub unwound: u64,
    /// The same for loops that inputs do not decide about.
    pub decided: u64,
    /// So many candidates are made for what a loop keeps.
    pub candidates: usize,
    /// At most so many conflicts to find out what of it is not kept. What is too hard to decide is left out.
    pub keeping: u32,
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
            candidates: 400,
            keeping: 2_000,
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
            cuts: Cuts::Unknown,
            candidates: self.candidates,
            ..Bounds::default()
        };
        if let Some(verdict) = search.base(&bounds, self.unwound)? {
            return Ok(verdict);
        }
        for attempt in attempts().take_while(|attempt| self.last.is_none_or(|last| attempt.k <= last)) {
            observer.on(Event::Step { steps: attempt.k });
            if attempt.unwinds_short_loops {
                search.unwind_short_loops(&mut bounds, self.unwound * LONGER)?;
            }
            bounds.guesses = attempt.guesses;
            let outcome = search.with_induction(&mut bounds, attempt.k)?;
            let kept = search.kept_without_failure(&outcome, self.keeping)?;
            if !outcome.cuts.is_empty() {
                return Ok(Verdict::Unknown(crate::bmc::bounded(task.searched, &outcome)));
            }
            if let Some(kept) = kept {
                return search.proof_with(outcome, kept);
            }
            if attempt.k > self.unwound
                && let Some(verdict) = search.base(&bounds, attempt.k)?
            {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Unknown(Reason::OutOfIdeas))
    }
}

/// How loops are proved by induction.
struct Attempt {
    k: u64,
    guesses: Guesses,
    /// Whether loops are unwound first that few iterations end.
    unwinds_short_loops: bool,
}

/// What is tried, one after the other.
fn attempts() -> impl Iterator<Item = Attempt> {
    let attempt = |unwinds_short_loops| move |(k, guesses)| Attempt { k, guesses, unwinds_short_loops };
    let first = [(0, Guesses::Few), (0, Guesses::Many), (1, Guesses::Few)].into_iter().map(attempt(false));
    let unwound = [(1, Guesses::Few)].into_iter().map(attempt(true));
    let further = (0..).map(|k| (k, Guesses::Many)).map(attempt(false));
    first.chain(unwound).chain(further)
}

impl Search<'_> {
    /// What is known from executions with few iterations: a violation, or all if there are no more.
    fn base(&mut self, bounds: &Bounds, unwound: u64) -> Result<Option<Verdict>, Stop> {
        let unwinding = Bounds {
            undecided: unwound,
            inductive: BTreeMap::new(),
            loops: BTreeMap::new(),
            cuts: Cuts::Possible,
            ..bounds.clone()
        };
        let base = self.executor.execute(&unwinding, &self.limits)?;
        if let Some(violation) = self.violation(&base, &mut base.failures.iter().collect())? {
            return Ok(Some(Verdict::Unsafe(violation)));
        }
        if base.cuts.is_empty() { self.proof(base).map(Some) } else { Ok(None) }
    }

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

    /// The candidates that loops keep, as many as are needed, if these exclude all violations.
    fn kept_without_failure(&mut self, outcome: &Outcome, conflicts: u32) -> Result<Option<Vec<Name>>, Stop> {
        let few = self.limits.clone().with_conflicts(conflicts);
        let mut houdini = Houdini::new(&mut self.executor, outcome, &self.limits);
        houdini.run(&few)?;
        let fails: Vec<Term> = outcome.failures.iter().map(|failure| failure.guard).collect();
        match houdini.ask(&fails)? {
            Decision::Sat(_) => Ok(None),
            Decision::Unknown(reason) => Err(Stop::Solver(reason)),
            Decision::Unsat(core) => Ok(Some(houdini.needed(&core)?)),
        }
    }

    /// The proof with what loops keep.
    fn proof_with(&mut self, mut outcome: Outcome, kept: Vec<Name>) -> Result<Verdict, Stop> {
        let mut given = Vec::new();
        for (head, at) in kept {
            let candidate = self.executor.candidates(head)[at].clone();
            given.push(candidate.counts);
            outcome.unwinding.kept.entry(head).or_default().push(candidate.kept);
        }
        self.proof_given(outcome, &given)
    }

    /// Unwinds loops that some more iterations end, if the others are proved by induction.
    fn unwind_short_loops(&mut self, bounds: &mut Bounds, most: u64) -> Result<(), Stop> {
        bounds.guesses = Guesses::None;
        for (head, k) in bounds.inductive.clone() {
            bounds.inductive.remove(&head);
            bounds.loops.insert(head, most);
            let asking = Bounds { cuts: Cuts::Possible, ..bounds.clone() };
            let outcome = self.executor.execute(&asking, &self.limits)?;
            let is_cut = outcome.cuts.iter().any(|(cut, _)| (cut.function, cut.location) == head);
            if is_cut || self.executor.is_spent() {
                bounds.loops.remove(&head);
                bounds.inductive.insert(head, k);
            }
        }
        Ok(())
    }
}
