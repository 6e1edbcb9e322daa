//! WHALE (A. Albarghouthi, A. Gurfinkel, M. Chechik, *Whale: An Interpolation-based Algorithm for Inter-procedural
//! Verification*, VMCAI 2012). `docs/algorithms/whale.md` has the departures and an example.
//!
//! The names of the paper's procedures are kept: EXPANDARG, COVERARG, REFINEARG, RESET and UPDATE.

mod candidates;
mod contracts;
mod houdini;
mod iarg;
mod learning;
mod loops;
mod probe;
mod proof;
mod samples;
mod spec;
mod tables;
mod unfold;

use std::collections::VecDeque;

use rorqual_cfa::Program;
use rorqual_encoding::{
    Blocks, Detail, Encoding, Ending, Executed, Obstacle, Procedure, Target, Undefined, trace_of_calls,
};
use rorqual_engine::{Event, Observer, Reason, Trace, Verdict};
use rorqual_interpolation::Tree;
use rorqual_interpolation::strategy::Goal;
use rorqual_logic::{Assignment, Term};
use rorqual_solver::{Limits, Model};

use crate::solver::{PathAnswer, PathSolver};
use crate::stop::Stop;
use contracts::Contracts;
use iarg::{ArgId, Iarg};
use learning::{Formulas, Learner, Source};
use spec::{Spec, at_exit, speccond};
use unfold::{CallEnd, Ignored, Unfolder, Unfolding, exit_to, failure};

/// So many executions are tried each time that contracts have been learned.
const PROBES: usize = 12;

/// The settings of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// After so many refinements, and again each time that they double, contracts of recursive programs are learned.
    /// For others there is a lesson before the first one too.
    pub first_contracts: usize,
    /// How far EXPANDARG goes.
    pub expand: Expand,
}

/// How far EXPANDARG goes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expand {
    /// The ARG at hand: all paths of one procedure.
    One,
    /// Also all calls of procedures that are not active already, as long as there are few ARGs.
    Some,
    /// The same, however many there are.
    All,
}

impl Expand {
    /// Calls are followed up to so many ARGs.
    fn most_args(self, is_recursive: bool) -> usize {
        match self {
            Expand::One => 0,
            Expand::Some if is_recursive => 64,
            Expand::Some => 400,
            Expand::All => usize::MAX,
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config { first_contracts: 2, expand: Expand::Some }
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
    let spec = Spec::top(&mut encoding.pool);
    let iarg = Iarg::new(encoding.first_procedure(), spec);
    let learner = Learner::new(&mut encoding);
    let learn_at = learner.first_lesson(config.first_contracts);
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
        let arg = self.iarg.get(id);
        if self.iarg.is_covered(id)
            || arg.is_safe
            || self.encoding.pool.as_bool(arg.spec.guard) == Some(false)
        {
            return Ok(Outcome::Open);
        }
        if self.cover_arg(id) {
            return Ok(Outcome::Open);
        }
        if self.refinements >= self.learn_at {
            self.learn_at = self.config.first_contracts.max(2 * self.refinements + 1);
            match self.learn()? {
                Outcome::Open => {}
                done => return Ok(done),
            }
        }
        if self.iarg.get(id).callees.is_none() {
            self.expand_arg(id);
        }
        self.refine_arg(id)
    }

    /// COVERARG, for all that may cover an ARG.
    fn cover_arg(&mut self, id: ArgId) -> bool {
        for by in self.iarg.candidates(id) {
            let (strong, weak) = (self.iarg.get(by).spec.clone(), self.iarg.get(id).spec.clone());
            if self.implies(id, &strong, &weak) {
                let uncovered = self.iarg.cover(id, by);
                self.observer.on(Event::Covered);
                self.queue.extend(uncovered);
                return true;
            }
        }
        false
    }

    /// Whether a procedure that behaves according to one specification does so according to another.
    fn implies(&mut self, id: ArgId, strong: &Spec, weak: &Spec) -> bool {
        if !self.solver.entails(&mut self.encoding, weak.guard, strong.guard) {
            return false;
        }
        let procedure = self.iarg.get(id).procedure;
        for exit in self.encoding.exits_of(procedure) {
            let pool = &mut self.encoding.pool;
            let (known, wanted) = (strong.summary(pool, exit), weak.summary(pool, exit));
            let known = pool.and2(known, weak.guard);
            if !self.solver.entails(&mut self.encoding, known, wanted) {
                return false;
            }
        }
        true
    }

    /// EXPANDARG: all paths at once. Departure: calls of procedures that are not active already are expanded too, as
    /// long as there are few ARGs, because a procedure of which no path is known has no summary worth guessing.
    fn expand_arg(&mut self, id: ArgId) {
        let mut open = vec![id];
        let most = self.config.expand.most_args(self.encoding.is_recursive());
        while let Some(one) = open.pop() {
            let procedure = self.iarg.get(one).procedure;
            let span = self.encoding.procedure_span(procedure);
            let body = self.encoding.body_of(procedure);
            let calls: Vec<Procedure> = body.calls.iter().map(|call| call.procedure).collect();
            self.iarg.expand(&mut self.encoding.pool, one, &calls);
            self.observer.on(Event::Expanded { nodes: self.iarg.len(), span });
            for callee in self.iarg.callees(one) {
                if self.iarg.len() < most && !self.iarg.is_active_above(callee) {
                    open.push(callee);
                }
            }
        }
    }

    /// REFINEARG: refutes all violations of the specification along the traces that are known, and guesses the
    /// specifications of callees from the refutation.
    fn refine_arg(&mut self, id: ArgId) -> Result<Outcome, Stop> {
        self.observer.on(Event::Refining { depth: self.iarg.len() });
        self.refinements += 1;
        let own = self.violation_of(id);
        if self.refine_by_known(id, &own)? {
            return Ok(Outcome::Open);
        }
        let mut unfolder =
            Unfolder { encoding: &mut self.encoding, iarg: &self.iarg, ignored: &self.ignored, beyond: None };
        let unfolding = unfolder.unfold(id);
        let own = [own, unfolding.own.clone()].concat();
        match self.solve(&unfolding, own)? {
            PathAnswer::Feasible(model) => self.refuted(id, &unfolding, &model),
            PathAnswer::Refuted(interpolants) => {
                self.update_callees(id, &unfolding, &interpolants);
                Ok(Outcome::Open)
            }
        }
    }

    /// What an ARG must not do: start with its guard, and go wrong or end without its summary.
    fn violation_of(&mut self, id: ArgId) -> Vec<Term> {
        let procedure = self.iarg.get(id).procedure;
        let spec = self.iarg.get(id).spec.clone();
        let body = self.encoding.body_of(procedure);
        let mut formulas = self.contracts.known_in(&mut self.encoding, procedure);
        for call in &body.calls {
            // What holds for all calls holds for this one.
            let guard = self.contracts.spec(&mut self.encoding, call.procedure).guard;
            let guard = spec::at_call(&mut self.encoding, call, guard);
            formulas.push(self.encoding.pool.implies(call.guard, guard));
        }
        let mut bad = vec![failure(&mut self.encoding, procedure, &self.ignored)];
        for (&location, &summary) in &spec.summaries {
            if let Some(exit) = exit_to(&body, location) {
                let after = at_exit(&mut self.encoding, exit, summary);
                let not = self.encoding.pool.not(after);
                bad.push(self.encoding.pool.and2(exit.guard, not));
            }
        }
        formulas.extend([spec.guard, self.encoding.pool.or(&bad)]);
        formulas
    }

    /// Departure: before traces are looked at, the specifications of other ARGs of the same procedures are tried for all
    /// calls. If they do, the callees are covered at once.
    fn refine_by_known(&mut self, id: ArgId, own: &[Term]) -> Result<bool, Stop> {
        let body = self.encoding.body_of(self.iarg.get(id).procedure);
        let callees = self.iarg.callees(id);
        let mut choices = Vec::new();
        let mut query = own.to_vec();
        for (call, &callee) in body.calls.iter().zip(&callees) {
            let Some(known) = self.iarg.known_for(callee, id) else { return Ok(false) };
            let spec = self.iarg.get(known).spec.clone();
            query.extend(speccond(&mut self.encoding, call, &spec));
            choices.push((callee, spec));
        }
        Stop::check(&self.limits)?;
        if self.solver.is_possible(&mut self.encoding, &query) {
            return Ok(false);
        }
        for (callee, spec) in choices {
            self.update(callee, spec);
        }
        self.iarg.set_safe(id);
        Ok(true)
    }

    /// STITP. Departure: the summaries come from one refutation as the interpolants of a tree; guards say when a
    /// callee may fail. A way of ending that is impossible whatever the callee is given needs no refutation.
    fn solve(&mut self, unfolding: &Unfolding, mut own: Vec<Term>) -> Result<PathAnswer, Stop> {
        let mut interpolants = Vec::new();
        let mut parts = Vec::new();
        for part in &unfolding.parts {
            Stop::check(&self.limits)?;
            let mut alone = part.formulas.clone();
            alone.push(part.flag);
            if self.solver.is_possible(&mut self.encoding, &alone) {
                interpolants.push(None);
                parts.push(part.formulas.clone());
            } else {
                let never = self.encoding.pool.not(part.flag);
                interpolants.push(Some(never));
                own.push(never);
            }
        }
        parts.push(own);
        let goal = Goal::Tree(Tree::star(parts.len() - 1));
        match self.solver.solve(&mut self.encoding, &parts, &goal)? {
            PathAnswer::Refuted(found) => {
                let mut found = found.into_iter();
                let known = |one: Option<Term>| one.or_else(|| found.next()).expect("one for each part");
                Ok(PathAnswer::Refuted(interpolants.into_iter().map(known).collect()))
            }
            feasible @ PathAnswer::Feasible(_) => Ok(feasible),
        }
    }

    /// UPDATE of all callees with what the interpolants say.
    fn update_callees(&mut self, id: ArgId, unfolding: &Unfolding, interpolants: &[Term]) {
        let body = self.encoding.body_of(self.iarg.get(id).procedure);
        let callees = self.iarg.callees(id);
        let bottom = self.encoding.pool.bottom();
        let mut specs: Vec<Spec> = Vec::new();
        for call in &body.calls {
            // Where no trace ends, the guess is that none does.
            let summaries = call.ends.iter().map(|&(exit, _)| (exit, bottom)).collect();
            specs.push(Spec { guard: self.encoding.pool.top(), summaries });
        }
        for (part, &interpolant) in unfolding.parts.iter().zip(interpolants) {
            let formula = unfolding.generalize(&mut self.encoding, part, interpolant);
            self.seen.entry(body.calls[part.call].procedure).or_default().push(formula);
            match part.end {
                CallEnd::Fails => specs[part.call].guard = self.encoding.pool.not(formula),
                CallEnd::At(exit) => {
                    specs[part.call].summaries.insert(exit, formula);
                }
            }
        }
        for (callee, spec) in callees.into_iter().zip(specs) {
            self.update(callee, spec);
        }
        self.iarg.set_safe(id);
    }

    fn update(&mut self, callee: ArgId, spec: Spec) {
        if self.iarg.get(callee).spec != spec || !self.iarg.get(callee).is_safe {
            let uncovered = self.iarg.uncover_covered_by(callee);
            let reset = self.iarg.reset(&mut self.encoding.pool, callee);
            self.iarg.update(callee, spec);
            self.queue.extend(uncovered);
            self.queue.extend(reset);
        }
        self.queue.push_back(callee);
    }

    /// A trace violates the specification of an ARG: for the first one that is a violation, for others the specification
    /// was a wrong guess, and what rests on it is taken back.
    fn refuted(&mut self, id: ArgId, unfolding: &Unfolding, model: &Model) -> Result<Outcome, Stop> {
        let Some((caller, _)) = self.iarg.get(id).caller else {
            let executed = unfolding.executed(&mut self.encoding, model);
            return match trace_of_calls(&self.encoding, &executed, model.assignment()) {
                Some(Ending::Violation(trace)) => Ok(Outcome::Violation(trace)),
                Some(Ending::Obstacle(obstacle)) => {
                    self.ignore(obstacle);
                    self.queue.push_back(id);
                    Ok(Outcome::Open)
                }
                None => Err(Stop::without_trace()),
            };
        };
        let uncovered = self.iarg.uncover_covered_by(id);
        self.queue.extend(uncovered);
        let reset = self.iarg.reset(&mut self.encoding.pool, caller);
        self.queue.extend(reset);
        self.queue.push_back(caller);
        Ok(Outcome::Open)
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
        for &procedure in procedures {
            let is_part = |&id: &ArgId| self.iarg.get(id).procedure == procedure && self.iarg.is_proved(id);
            let args: Vec<ArgId> = self.iarg.ids().filter(is_part).collect();
            let specs: Vec<Spec> = args.into_iter().map(|id| self.iarg.get(id).spec.clone()).collect();
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
