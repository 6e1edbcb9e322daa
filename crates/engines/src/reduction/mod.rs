//! Recursion by reduction, after Y.-F. Chen, C. Hsieh, M.-H. Tsai, B.-Y. Wang, F. Wang, *Verifying Recursive Programs using
//! Intraprocedural Analyzers*, SAS 2014 (`CPArec`). `docs/algorithms/reduction.md` has an example.
//!
//! | Paper | Here |
//! |---|---|
//! | BASICANALYZER | [`Analyzer`] |
//! | Algorithm 1, `VerifyRecursive` | [`Search::verify_recursive`] |
//! | UNWIND, under-approximation, instantiation, assertion | [`program`] |
//! | Algorithm 2, `ComputeSummary` | [`compute::compute_summary`] |
//! | Algorithm 3, `CheckSummary` | [`check::Checker`] |
//! | quantifier elimination (Redlog) | [`project`] |
//!
//! "Departure:" marks each place where we differ.

mod analyzer;
mod check;
mod compute;
mod config;
mod evidence;
mod external;
pub mod program;
mod project;
mod summary;
#[cfg(test)]
mod tests;

use rorqual_cfa::Program;
use rorqual_evidence::{
    Answer, Claim, Event, Invariant, Observer, Reason, Stop, Technique, Unwinding, Verdict, Violation,
};
use rorqual_logic::TermPool;
use rorqual_solver::Limits;

use crate::inference::Inference;
use crate::registry::Engine;
use crate::task::Task;
use check::Checker;
use compute::compute_summary;
use evidence::{evidence, original_invariant};
use program::{Deepest, Recursion, Reduced, unwound};

pub use analyzer::{ANALYZERS, Analyzer, Finding, analyzer};
pub use config::Reduction;
pub use external::External;
pub use project::Budget;
pub use summary::{Demands, Summaries, Summary};

impl Engine for Reduction {
    fn name(&self) -> &'static str {
        "reduction"
    }

    fn summary(&self) -> &'static str {
        "recursion by reduction: summaries from proofs of programs without recursion (CPArec)"
    }

    fn run(
        &self,
        task: &Task<'_>,
        _: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Answer {
        observer.on(Event::Started { engine: self.name() });
        let recursion = Recursion::of(task.searched);
        let mut search =
            Search { program: task.searched, recursion, config: self, limits, observer, obstacle: None };
        let verdict = search.verify_recursive().unwrap_or_else(Verdict::from);
        Answer::new(verdict, Technique::Reduction)
    }
}

struct Search<'s> {
    program: &'s Program,
    recursion: Recursion,
    config: &'s Reduction,
    limits: &'s Limits,
    observer: &'s mut dyn Observer,
    /// Why a check of summaries had no answer.
    obstacle: Option<Reason>,
}

impl Search<'_> {
    /// `VerifyRecursive`. Departures: what is proved of functions is kept from one `k` to the next, and once no call is
    /// deeper than `k`, the under-approximation is exact.
    fn verify_recursive(&mut self) -> Result<Verdict, Stop> {
        let mut summaries = Summaries::default();
        for k in 1..=self.config.last.unwrap_or(usize::MAX) {
            Stop::check(self.limits)?;
            let reduced = unwound(self.program, &self.recursion, k, Deepest::Blocked);
            let invariant = match self.analyze(&reduced) {
                Finding::Error(violation) => return Ok(Verdict::Unsafe(self.original(&reduced, violation))),
                Finding::Unknown(reason) => return Ok(Verdict::Unknown(reason)),
                Finding::Pass(invariant) => invariant,
            };
            self.observer.on(Event::Unwound { k });
            if self.recursion.is_empty() {
                return Ok(Verdict::Safe(self.without_recursion(&reduced, &invariant)));
            }
            if let Some(claim) = self.summarised(&reduced, &invariant, k, &mut summaries)? {
                return Ok(Verdict::Safe(claim));
            }
            if self.is_complete(k) {
                return Ok(Verdict::Safe(Claim::Unwinding(self.bounds(k))));
            }
        }
        Ok(Verdict::Unknown(self.obstacle.take().unwrap_or(Reason::OutOfIdeas)))
    }

    fn analyze(&mut self, reduced: &Reduced) -> Finding {
        self.config.analyzer.analyze(reduced, self.limits, self.observer)
    }

    /// A violation of the program, from one of the reduced program.
    fn original(&self, reduced: &Reduced, violation: Violation) -> Violation {
        match violation {
            Violation::Trace(trace) => Violation::Trace(reduced.original_trace(self.program, &trace)),
            Violation::Inputs(inputs) => Violation::Inputs(inputs),
        }
    }

    fn without_recursion(&self, reduced: &Reduced, invariant: &Invariant) -> Claim {
        let mut pool = TermPool::new();
        let locations = original_invariant(self.program, reduced, invariant, &mut pool);
        Invariant { pool, locations, contracts: Vec::new() }.into()
    }

    /// The proof, if what an invariant says of recursive functions is enough for one.
    fn summarised(
        &mut self,
        reduced: &Reduced,
        invariant: &Invariant,
        k: usize,
        summaries: &mut Summaries,
    ) -> Result<Option<Claim>, Stop> {
        let cost = (self.config.projection, self.limits);
        compute_summary(self.program, &self.recursion, reduced, invariant, summaries, cost);
        let mut checker = Checker {
            program: self.program,
            recursion: &self.recursion,
            analyzer: &*self.config.analyzer,
            limits: self.limits.clone(),
            observer: &mut *self.observer,
            k,
            exclusions: self.config.exclusions,
            obstacle: None,
        };
        let computed = summaries.len();
        let checked = checker.check_summary(summaries)?;
        checker.observer.on(Event::Summarised { computed, kept: summaries.len() });
        self.obstacle = checker.obstacle.take();
        let proof =
            checked.map(|checked| evidence(self.program, &self.recursion, summaries, &checked).into());
        // What calls fulfil depends on how deep they are.
        summaries.require_nothing();
        Ok(proof)
    }

    /// Whether no call is deeper than `k`.
    fn is_complete(&mut self, k: usize) -> bool {
        let reduced = unwound(self.program, &self.recursion, k, Deepest::Forbidden);
        matches!(self.analyze(&reduced), Finding::Pass(_))
    }

    fn bounds(&self, k: usize) -> Unwinding {
        let depths = self.recursion.functions().map(|function| (function, k as u64)).collect();
        Unwinding { depths, ..Unwinding::default() }
    }
}
