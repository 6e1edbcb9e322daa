//! WHALE after A. Albarghouthi, A. Gurfinkel, M. Chechik, *Whale: An Interpolation-based Algorithm for Inter-procedural
//! Verification*, VMCAI 2012. `docs/algorithms/whale.md` has an example.
//!
//! | Paper | Here |
//! |---|---|
//! | iARG, justification R^J, covering R^C | [`iarg::Iarg`] |
//! | guard G, summary S | [`Spec`] |
//! | EXPANDARG | [`Search::expand_arg`] |
//! | COVERARG | [`Search::cover_arg`] |
//! | REFINEARG | [`Search::refine_arg`] |
//! | RESET | [`iarg::Iarg::reset`] |
//! | UPDATE | [`iarg::Iarg::update`] |
//! | UPDATEGUARD | [`iarg::Iarg::update_guard`] |
//! | IDAGCOND | [`unfold::Unfolder::unfold`] |
//! | SPECCOND | [`rorqual_inference::contracts::speccond`] |
//! | STITP | [`Search::stitp`] |
//! | GUARD, SUM | [`unfold::Unfolding::guard`], [`unfold::Unfolding::sum`] |
//!
//! "Departure:" marks each place where we differ.

mod cover;
mod expand;
mod iarg;
mod refine;
mod unfold;

#[cfg(test)]
mod iarg_tests;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use rorqual_encoding::{Encoding, Obstacle, Procedure, Setting};
use rorqual_evidence::{Answer, Event, Observer, Origin, Reason, Stop, Technique, Trace, Verdict, Violation};
use rorqual_inference::contracts::{Contracts, Formulas, Ignored, Part, Spec, evidence, exits_to, needed};
use rorqual_logic::Term;
use rorqual_solver::Limits;

use crate::inference::{Advice, Inference, Mattering};
use crate::registry::Engine;
use crate::solver::PathSolver;
use crate::task::{Task, beyond_contracts};
use iarg::{ArgId, Iarg, Paths};

/// The settings of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whale {
    /// How many paths EXPANDARG adds.
    pub expand: Expand,
    /// Whether calls of one procedure share an ARG; if nothing is said, they do in programs without recursion.
    pub merge: Option<bool>,
}

/// How many paths EXPANDARG adds at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expand {
    /// One path of one procedure, which may violate what is demanded.
    One,
    /// All paths of one procedure.
    Some,
    /// All paths, of procedures that are called and not active already too, as long as there are few ARGs.
    All,
}

impl Default for Whale {
    fn default() -> Whale {
        Whale { expand: Expand::All, merge: None }
    }
}

impl Engine for Whale {
    fn name(&self) -> &'static str {
        "whale"
    }

    fn summary(&self) -> &'static str {
        "guards and summaries of functions and loops from interpolants: proofs for recursive programs"
    }

    fn run(
        &self,
        task: &Task<'_>,
        inference: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Answer {
        observer.on(Event::Started { engine: self.name() });
        let encoding = task.encoding(Setting::default());
        let encoding = &mut *encoding.borrow_mut();
        if let Some(answer) = beyond_contracts(encoding) {
            return answer;
        }
        let first = encoding.first_procedure();
        let merges = self.merge.unwrap_or(!encoding.is_recursive());
        let iarg = Iarg::new(&mut encoding.pool, first, merges);
        let search = Search {
            iarg,
            queue: VecDeque::from([Iarg::root()]),
            solver: PathSolver::new(limits),
            procedures: encoding.all_procedures().into_iter().collect(),
            encoding,
            inference,
            interpolants: Formulas::new(),
            ignored: Ignored::new(),
            obstacle: None,
            refinements: 0,
            config: *self,
            limits: limits.clone(),
            observer,
        };
        search.run()
    }
}

struct Search<'s, 'p> {
    encoding: &'s mut Encoding<'p>,
    inference: &'s mut dyn Inference,
    procedures: Vec<Procedure>,
    iarg: Iarg,
    /// ARGs to be processed, first in first out.
    queue: VecDeque<ArgId>,
    solver: PathSolver,
    /// What refutations said of procedures.
    interpolants: Formulas,
    /// Exits to obstacles that are known to be reached.
    ignored: Ignored,
    /// The first of them.
    obstacle: Option<Obstacle>,
    refinements: usize,
    config: Whale,
    limits: Limits,
    observer: &'s mut dyn Observer,
}

/// How the processing of an ARG, or of all, ends.
enum Outcome {
    /// The search goes on.
    Open,
    /// A violation.
    Violation(Trace),
    /// Inference knows the answer.
    Answered(Box<Answer>),
}

impl Search<'_, '_> {
    fn run(mut self) -> Answer {
        let verdict = match self.explore() {
            Ok(Outcome::Violation(trace)) => Verdict::Unsafe(Violation::Trace(trace)),
            Ok(Outcome::Answered(answer)) => return *answer,
            Ok(Outcome::Open) => self.proof(),
            Err(stop) => stop.into(),
        };
        let with_facts = !self.inference.contracts().is_empty();
        Answer::with_origin(verdict, Origin { with_facts, ..Technique::Summaries.into() })
    }

    /// What it means that nothing is left to do.
    fn proof(&mut self) -> Verdict {
        if let Some(Obstacle { construct, span }) = self.obstacle.take() {
            return Verdict::Unknown(Reason::Unsupported { construct, span });
        }
        let all = self.proved();
        let needed = needed(self.encoding, all, &self.procedures, &self.ignored, &self.limits);
        Verdict::Safe(evidence(self.encoding, &needed, &self.procedures).into())
    }

    /// Processes ARGs until nothing is left to do, or until the answer is known.
    fn explore(&mut self) -> Result<Outcome, Stop> {
        while let Some(id) = self.queue.pop_front() {
            Stop::check(&self.limits)?;
            match self.process(id)? {
                Outcome::Open => {}
                done => return Ok(done),
            }
        }
        Ok(Outcome::Open)
    }

    fn process(&mut self, id: ArgId) -> Result<Outcome, Stop> {
        if !self.is_open(id) || self.cover_arg(id) {
            return Ok(Outcome::Open);
        }
        if self.inference.is_due(self.refinements) {
            let mattering = Mattering::OfProcedures(&self.interpolants);
            let advice = self.inference.consult(
                self.encoding,
                mattering,
                self.refinements,
                &self.limits,
                self.observer,
            );
            if let Advice::Answer(answer) = advice {
                return Ok(Outcome::Answered(answer));
            }
        }
        if self.iarg.get(id).paths != Paths::All && !self.expand_arg(id)? {
            self.iarg.set_safe(id);
            return Ok(Outcome::Open);
        }
        self.refine_arg(id)
    }

    /// Whether there is something to be shown for an ARG itself.
    fn is_open(&self, id: ArgId) -> bool {
        let arg = self.iarg.get(id);
        !arg.is_safe
            && self.iarg.is_demanded(id)
            && self.encoding.pool.as_bool(arg.spec.guard) != Some(false)
            && self.iarg.uncovered().contains(&id)
    }

    /// Something that is not supported can be reached. The search goes on for a violation.
    fn ignore(&mut self, obstacle: Obstacle) {
        self.ignored.extend(exits_to(self.encoding, &self.procedures, &obstacle));
        self.obstacle.get_or_insert(obstacle);
    }

    /// What was proved: the contracts of all calls, and the specifications of the ARGs that are not covered. A procedure
    /// without any is never called.
    fn proved(&mut self) -> Contracts {
        let mut all = self.inference.contracts().clone();
        let uncovered = self.iarg.uncovered();
        for &procedure in &self.procedures {
            let args = uncovered.iter().map(|&id| self.iarg.get(id));
            let specs: Vec<Spec> = args
                .filter(|arg| arg.procedure == procedure && arg.is_safe)
                .map(|arg| arg.spec.clone())
                .collect();
            let guards: Vec<Term> = specs.iter().map(|spec| spec.guard).collect();
            all.push(Part::Guard(procedure), self.encoding.pool.or(&guards));
            for spec in specs {
                for (exit, summary) in spec.summaries {
                    let formula = self.encoding.pool.implies(spec.guard, summary);
                    all.push(Part::Summary(procedure, exit), formula);
                }
            }
        }
        all
    }
}
