//! WHALE (A. Albarghouthi, A. Gurfinkel, M. Chechik, *Whale: An Interpolation-based Algorithm for Inter-procedural
//! Verification*, VMCAI 2012). `docs/algorithms/whale.md` has the departures and an example.
//!
//! The names of the paper's procedures are kept: EXPANDARG, COVERARG, REFINEARG, RESET, UPDATE and UPDATEGUARD.

mod candidates;
mod contracts;
mod cover;
mod expand;
mod houdini;
mod iarg;
mod learning;
mod loops;
mod probe;
mod proof;
mod refine;
mod samples;
mod spec;
mod tables;
mod unfold;

#[cfg(test)]
mod iarg_tests;

use std::collections::VecDeque;

use rorqual_cfa::Program;
use rorqual_encoding::{
    Blocks, Detail, Encoding, Ending, Executed, Obstacle, Procedure, Target, Undefined, trace_of_calls,
};
use rorqual_engine::{Event, Observer, Reason, Trace, Verdict};
use rorqual_logic::{Assignment, Term};
use rorqual_solver::Limits;

use crate::impact;
use crate::solver::PathSolver;
use crate::stop::Stop;
use contracts::Contracts;
use iarg::{ArgId, Iarg, Paths};
use learning::{Formulas, Learner, Source};
use spec::Spec;
use unfold::{Ignored, Unfolder};

/// So many executions are tried each time that contracts have been learned.
const PROBES: usize = 12;

/// The settings of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Whether contracts are learned from samples and facts, beside those that refutations tell.
    pub lessons: bool,
    /// Whether invariants of loops will do as proof, without contracts.
    pub invariants: bool,
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

impl Default for Config {
    fn default() -> Config {
        Config { lessons: true, invariants: true, expand: Expand::All, merge: None }
    }
}

/// Checks a program.
pub fn check(program: &Program, config: Config, limits: &Limits, observer: &mut dyn Observer) -> Verdict {
    observer.on(Event::Started { engine: "whale" });
    let mut encoding = Encoding::new(program, Blocks::Large, Undefined::Ends, Detail::Full);
    if encoding.has_memory_checks() {
        let construct = "a check of memory by contracts".to_owned();
        return Verdict::Unknown(Reason::Unsupported { construct, span: encoding.span(encoding.start()) });
    }
    if config.invariants
        && !encoding.is_recursive()
        && let Some(verdict) = impact::prove_by_facts(program, limits, observer)
    {
        return verdict;
    }
    let first = encoding.first_procedure();
    let merges = config.merge.unwrap_or(!encoding.is_recursive());
    let iarg = Iarg::new(&mut encoding.pool, first, merges);
    let learner = Learner::new(&mut encoding);
    let learn_at = if config.lessons { learner.first_lesson() } else { usize::MAX };
    let search = Search {
        encoding,
        iarg,
        queue: VecDeque::from([Iarg::root()]),
        solver: PathSolver::new(limits),
        learner,
        contracts: Contracts::default(),
        seen: Formulas::new(),
        ignored: Ignored::new(),
        obstacle: None,
        refinements: 0,
        learn_at,
        config,
        limits: limits.clone(),
        observer,
    };
    search.run()
}

/// Whether a program has functions that are called again before they have returned.
pub fn is_recursive(program: &Program) -> bool {
    Encoding::new(program, Blocks::Large, Undefined::Ends, Detail::Full).is_recursive()
}

struct Search<'p, 'o> {
    encoding: Encoding<'p>,
    iarg: Iarg,
    /// ARGs to be processed, first in first out.
    queue: VecDeque<ArgId>,
    solver: PathSolver,
    learner: Learner,
    /// What holds for all calls.
    contracts: Contracts,
    /// Interpolants.
    seen: Formulas,
    /// Exits to obstacles that are known to be reached.
    ignored: Ignored,
    /// The first of them.
    obstacle: Option<Obstacle>,
    refinements: usize,
    /// The number of refinements after which contracts are learned next.
    learn_at: usize,
    config: Config,
    limits: Limits,
    observer: &'o mut dyn Observer,
}

/// The trace of an execution that goes wrong, unless it rests on what is not modelled exactly.
fn exact_trace(encoding: &Encoding<'_>, executed: &Executed) -> Option<Trace> {
    match trace_of_calls(encoding, executed, &Assignment::new())? {
        Ending::Violation(trace) => Some(trace).filter(|trace| trace.approximations.is_empty()),
        Ending::Obstacle(_) => None,
    }
}

/// How the processing of an ARG, or of all, ends.
enum Outcome {
    /// The search goes on.
    Open,
    /// The contracts suffice.
    Proved,
    /// A violation.
    Violation(Trace),
}

impl Search<'_, '_> {
    fn run(mut self) -> Verdict {
        let suffices = match self.explore() {
            Ok(Outcome::Violation(trace)) => return Verdict::Unsafe(trace),
            Ok(Outcome::Proved) => true,
            Ok(Outcome::Open) => false,
            Err(stop) => return stop.into(),
        };
        if let Some(Obstacle { construct, span }) = self.obstacle.take() {
            return Verdict::Unknown(Reason::Unsupported { construct, span });
        }
        let procedures = self.learner.procedures();
        let all = if suffices { self.contracts.clone() } else { self.proved(&procedures) };
        let needed = proof::needed(&mut self.encoding, all, &procedures, &self.ignored, &self.limits);
        Verdict::Safe(proof::evidence(self.encoding, &needed, &procedures))
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
        if !self.is_open(id) {
            return Ok(Outcome::Open);
        }
        if self.cover_arg(id) {
            return Ok(Outcome::Open);
        }
        if self.refinements >= self.learn_at {
            self.learn_at = learning::FIRST_LESSON.max(2 * self.refinements + 1);
            match self.learn()? {
                Outcome::Open => {}
                done => return Ok(done),
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
        for procedure in self.learner.procedures() {
            let body = self.encoding.body_of(procedure);
            let exits = body.exits.iter().enumerate();
            let same = exits.filter(|(_, exit)| exit.target == Target::Unsupported(obstacle.clone()));
            self.ignored.extend(same.map(|(number, _)| (procedure, number)));
        }
        self.obstacle.get_or_insert(obstacle);
    }

    /// Departure: contracts for all calls are learned from samples. If one of these is a violation, it is the answer.
    fn learn(&mut self) -> Result<Outcome, Stop> {
        for &source in self.learner.next_lesson() {
            let known = &self.contracts;
            let learned = self.learner.learn(&mut self.encoding, source, known, &self.seen, &self.limits)?;
            if let Some(executed) = self.learner.take_violation()
                && let Some(trace) = exact_trace(&self.encoding, &executed)
            {
                return Ok(Outcome::Violation(trace));
            }
            let before = self.contracts.clone();
            self.contracts.add(learned);
            self.observer.on(Event::Learned { facts: self.contracts.len() });
            let procedures = self.learner.procedures();
            if self.contracts.suffice(&mut self.encoding, &procedures, &self.ignored, &self.limits) {
                return Ok(Outcome::Proved);
            }
            if source == Source::SamplesOfViolations {
                // Formulas stay small.
                self.contracts = before;
            }
        }
        let found = if self.refinements > 0 { self.probe()? } else { None };
        Ok(found.map_or(Outcome::Open, Outcome::Violation))
    }

    /// Departure: contracts say which inputs may lead to a violation, and executing the program with them is cheaper than
    /// unfolding it.
    fn probe(&mut self) -> Result<Option<Trace>, Stop> {
        let own = self.violation_of(Iarg::root());
        let beyond = Some(&self.contracts);
        let mut unfolder =
            Unfolder { encoding: &mut self.encoding, iarg: &self.iarg, ignored: &self.ignored, beyond };
        let unfolding = unfolder.unfold(Iarg::root());
        let mut query = [own, unfolding.own.clone()].concat();
        query.extend(unfolding.without_traces.iter().map(|&(_, formula)| formula));
        query.extend(unfolding.parts.iter().flat_map(|part| part.formulas.iter().copied()));
        let mut prober = probe::Prober::new(&mut self.encoding, &self.limits, query);
        for _ in 0..PROBES {
            let Some(model) = prober.next_model(&mut self.encoding)? else { break };
            let suspect = unfolding.executed(&mut self.encoding, &model);
            if let Some(executed) = prober.run(&mut self.encoding, &suspect)
                && let Some(trace) = exact_trace(&self.encoding, &executed)
            {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// What was proved: the contracts of all calls, and the specifications of the ARGs that are not covered. A procedure
    /// without any is never called.
    fn proved(&mut self, procedures: &[Procedure]) -> Contracts {
        let mut all = self.contracts.clone();
        let uncovered = self.iarg.uncovered();
        for &procedure in procedures {
            let args = uncovered.iter().map(|&id| self.iarg.get(id));
            let specs: Vec<Spec> = args
                .filter(|arg| arg.procedure == procedure && arg.is_safe)
                .map(|arg| arg.spec.clone())
                .collect();
            let contract = all.of.entry(procedure).or_default();
            let guards: Vec<Term> = specs.iter().map(|spec| spec.guard).collect();
            contract.guard.push(self.encoding.pool.or(&guards));
            for spec in specs {
                for (exit, summary) in spec.summaries {
                    let formula = self.encoding.pool.implies(spec.guard, summary);
                    contract.summaries.entry(exit).or_default().push(formula);
                }
            }
        }
        all
    }
}
