//! Predicate abstraction of procedures, for programs with recursion: what a function may do is described by the predicates of
//! its inputs and outputs, whoever calls it, and what is known of one call serves all others (section 5 of the paper; summaries
//! as in Sharir and Pnueli, and Reps, Horwitz and Sagiv).
//!
//! A *fact* is a combination of predicates with which a procedure may end in some way, derived from its body and facts about the
//! calls in it. Facts are found from the innermost calls on, until there are no others: then they are inductive. A fact that
//! the program goes wrong has a finite derivation, which is executed, or refuted by interpolants of the cuts around its calls.
//!
//! After a refinement only those facts are derived again whose own derivations have a part with new predicates.
//!
//! Departure: facts are about all inputs of a procedure, reachable or not.

mod derivation;
mod facts;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::LocationId;
use rorqual_encoding::{Encoding, Ending, Obstacle, Procedure, Target, trace_of_calls};
use rorqual_evidence::{Answer, Event, Observer, Reason, Stop, Technique, Trace, Verdict, Violation};
use rorqual_inference::atoms_of;
use rorqual_inference::contracts::{Contracts, Ignored, Part, at_call, at_exit, evidence, exit_to, needed};
use rorqual_inference::solutions::{Cube, literals};
use rorqual_interpolation::strategy::Goal;
use rorqual_logic::{Evaluator, Term};
use rorqual_solver::{Answer as Solved, BitVecSolver, GaveUp, Limits, Model};

use super::config::Predicate;
use crate::solver::{PathAnswer, PathSolver};
use derivation::{Derivation, condition, ends};
use facts::{Fact, FactId, Facts};

/// How a procedure ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// Something goes wrong inside.
    Fails,
    /// At an exit.
    At(LocationId),
}

/// A procedure and how it ends.
pub(super) type Key = (Procedure, End);
/// The predicates that facts are combinations of.
pub(super) type Predicates = BTreeMap<Key, BTreeSet<Term>>;

/// Searches a program without looking into its calls.
pub(super) struct Search<'s, 'p> {
    config: &'s Predicate,
    encoding: &'s mut Encoding<'p>,
    limits: Limits,
    observer: &'s mut dyn Observer,
    procedures: Vec<Procedure>,
    predicates: Predicates,
    facts: Facts,
    /// Ends of procedures about which there may be more facts.
    pending: BTreeSet<Key>,
    solver: BitVecSolver,
    paths: PathSolver,
    /// Exits to obstacles that are known to be reached.
    ignored: Ignored,
    /// The first of them.
    obstacle: Option<Obstacle>,
}

impl<'s, 'p> Search<'s, 'p> {
    pub(super) fn new(
        config: &'s Predicate,
        encoding: &'s mut Encoding<'p>,
        limits: &Limits,
        observer: &'s mut dyn Observer,
    ) -> Search<'s, 'p> {
        let procedures: Vec<Procedure> = encoding.all_procedures().into_iter().collect();
        let ends: Vec<Key> = ends_of(encoding, &procedures).collect();
        let exchange = config.exchange.as_ref();
        let predicates = exchange.map(|exchange| exchange.load_ends(encoding, &ends)).unwrap_or_default();
        Search {
            config,
            pending: ends.into_iter().collect(),
            procedures,
            encoding,
            limits: limits.clone(),
            observer,
            predicates,
            facts: Facts::default(),
            solver: BitVecSolver::new(),
            paths: PathSolver::new(limits).accepting(config.interpolants),
            ignored: Ignored::new(),
            obstacle: None,
        }
    }

    pub(super) fn run(mut self) -> Answer {
        let explored = self.explore();
        if let Some(exchange) = &self.config.exchange {
            let ends: Vec<Key> = ends_of(self.encoding, &self.procedures).collect();
            exchange.save_ends(self.encoding, &ends, &self.predicates);
        }
        let verdict = match explored {
            Ok(Some(trace)) => Verdict::Unsafe(Violation::Trace(trace)),
            Ok(None) => match self.obstacle.take() {
                Some(Obstacle { construct, span }) => {
                    Verdict::Unknown(Reason::Unsupported { construct, span })
                }
                None => self.proof(),
            },
            Err(stop) => stop.into(),
        };
        Answer::new(verdict, Technique::PredicateAbstraction)
    }

    /// Derives facts and refines predicates until nothing goes wrong, or a violation is found.
    fn explore(&mut self) -> Result<Option<Trace>, Stop> {
        while let Some(wrong) = self.saturate()? {
            if let Some(trace) = self.refine(wrong)? {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// Derives facts until there are no others, or the program goes wrong.
    fn saturate(&mut self) -> Result<Option<FactId>, Stop> {
        let all: Vec<Key> = ends_of(self.encoding, &self.procedures).collect();
        while !self.pending.is_empty() {
            for &key in &all {
                if !self.pending.remove(&key) {
                    continue;
                }
                while let Some(fact) = self.derive(key)? {
                    let fact = self.facts.add(key, fact);
                    self.wake_callers(key.0);
                    if key == (self.encoding.first_procedure(), End::Fails) {
                        return Ok(Some(fact));
                    }
                }
            }
            let span = self.encoding.span(self.encoding.start());
            self.observer.on(Event::Expanded { nodes: self.facts.len(), span });
        }
        Ok(None)
    }

    /// There are new facts about a procedure, and so there may be others about those that call it.
    fn wake_callers(&mut self, callee: Procedure) {
        for &caller in &self.procedures {
            let body = self.encoding.body_of(caller);
            if body.calls.iter().any(|call| call.procedure == callee) {
                self.pending.extend(ends_of(self.encoding, &[caller]));
            }
        }
    }

    /// Drops the facts about some ends, and all that were derived from them.
    fn forget(&mut self, ends: &BTreeSet<Key>) {
        self.pending.extend(ends);
        self.pending.extend(self.facts.forget(ends));
    }

    /// Another fact about how a procedure ends.
    fn derive(&mut self, key: Key) -> Result<Option<Fact>, Stop> {
        Stop::check(&self.limits)?;
        if self.facts.about(key).count() > self.config.facts {
            return Err(Stop::Solver(GaveUp::Conflicts));
        }
        let (predicates, before) = self.predicates_before(key);
        let query = self.premises(key, &before);
        let model = match self.solver.check(&mut self.encoding.pool, &query, &self.limits) {
            Solved::Sat(model) => model,
            Solved::Unsat(_) => return Ok(None),
            Solved::Unknown(reason) => return Err(reason.into()),
        };
        let mut evaluator = Evaluator::new(&self.encoding.pool, model.assignment());
        let cube: Cube = before.iter().map(|&predicate| evaluator.holds(predicate)).collect();
        let literals = literals(&mut self.encoding.pool, &predicates, &cube);
        let formula = self.encoding.pool.and(&literals);
        let calls = self.calls(key, &model);
        Ok(Some(Fact { cube, formula, calls }))
    }

    /// The predicates of an end, and what they say over the symbols of the body.
    fn predicates_before(&mut self, key: Key) -> (Vec<Term>, Vec<Term>) {
        let predicates: Vec<Term> = self.predicates.get(&key).into_iter().flatten().copied().collect();
        let body = self.encoding.body_of(key.0);
        let before = match key.1 {
            End::Fails => predicates.clone(),
            End::At(location) => match exit_to(&body, location) {
                Some(exit) => {
                    predicates.iter().map(|&predicate| at_exit(self.encoding, exit, predicate)).collect()
                }
                None => predicates.clone(),
            },
        };
        (predicates, before)
    }

    /// That a procedure ends in a way that is no fact yet, if its calls do what facts say.
    fn premises(&mut self, key: Key, before: &[Term]) -> Vec<Term> {
        let body = self.encoding.body_of(key.0);
        let mut query = vec![condition(self.encoding, key.0, &body, key.1, &self.ignored)];
        for (_, fact) in self.facts.about(key) {
            let same = literals(&mut self.encoding.pool, before, &fact.cube);
            let same = self.encoding.pool.and(&same);
            query.push(self.encoding.pool.not(same));
        }
        for call in &body.calls {
            for (end, flag) in ends(call) {
                let mut ways = Vec::new();
                for (_, fact) in self.facts.about((call.procedure, end)) {
                    ways.push(at_call(self.encoding, call, fact.formula));
                }
                let some = self.encoding.pool.or(&ways);
                query.push(self.encoding.pool.implies(flag, some));
            }
        }
        query
    }

    /// The facts about calls that hold in a model.
    fn calls(&mut self, key: Key, model: &Model) -> Vec<(usize, FactId)> {
        let body = self.encoding.body_of(key.0);
        let mut found = Vec::new();
        for (number, call) in body.calls.iter().enumerate() {
            for (end, flag) in ends(call) {
                for (fact, details) in self.facts.about((call.procedure, end)) {
                    let way = at_call(self.encoding, call, details.formula);
                    let mut evaluator = Evaluator::new(&self.encoding.pool, model.assignment());
                    if evaluator.holds(flag) && evaluator.holds(way) {
                        found.push((number, fact));
                        break;
                    }
                }
            }
        }
        found
    }

    /// The trace of a derivation, or predicates that exclude it.
    fn refine(&mut self, wrong: FactId) -> Result<Option<Trace>, Stop> {
        let derivation = Derivation::of(self.encoding, &self.facts, wrong, &self.ignored);
        let (parts, tree) = derivation.parts();
        let interpolants = match self.paths.solve(self.encoding, &parts, &Goal::Tree(tree))? {
            PathAnswer::Feasible(model) => return self.reached(&derivation, &model),
            PathAnswer::Refuted(interpolants) => interpolants,
        };
        self.observer.on(Event::Refining { depth: parts.len() });
        let mut refined = BTreeSet::new();
        for (key, interpolant) in derivation.extract(self.encoding, &interpolants) {
            for atom in atoms_of(self.encoding, &[interpolant]) {
                if self.predicates.entry(key).or_default().insert(atom) {
                    refined.insert(key);
                }
            }
        }
        self.tell_predicates();
        self.forget(&refined);
        // The predicates express the interpolants, which exclude the derivation.
        if refined.is_empty() { Err(Stop::Solver(GaveUp::Conflicts)) } else { Ok(None) }
    }

    /// Tells how many predicates there are.
    fn tell_predicates(&mut self) {
        let counts: Vec<usize> = self.predicates.values().map(BTreeSet::len).collect();
        let different: BTreeSet<Term> = self.predicates.values().flatten().copied().collect();
        self.observer.on(Event::Tracking {
            predicates: different.len(),
            tracked: counts.iter().sum(),
            locations: counts.len(),
            most: counts.into_iter().max().unwrap_or(0),
        });
    }

    /// The derivation is an execution, to a violation or to something that is not supported.
    fn reached(&mut self, derivation: &Derivation, model: &Model) -> Result<Option<Trace>, Stop> {
        let executed = derivation.executed(self.encoding, model.assignment(), 0);
        match trace_of_calls(self.encoding, &executed, model.assignment()) {
            Some(Ending::Violation(trace, _)) => Ok(Some(trace)),
            Some(Ending::Obstacle(obstacle)) => {
                self.ignore(obstacle);
                Ok(None)
            }
            None => Err(Stop::without_trace()),
        }
    }

    /// Something that is not supported can be reached. The search goes on for a violation.
    fn ignore(&mut self, obstacle: Obstacle) {
        let mut changed = BTreeSet::new();
        for &procedure in &self.procedures {
            let body = self.encoding.body_of(procedure);
            let exits = body.exits.iter().enumerate();
            let same = exits.filter(|(_, exit)| exit.target == Target::Unsupported(obstacle.clone()));
            for (number, _) in same {
                self.ignored.insert((procedure, number));
                changed.insert((procedure, End::Fails));
            }
        }
        self.forget(&changed);
        self.obstacle.get_or_insert(obstacle);
    }

    /// All facts as contracts: nothing goes wrong unless a fact says so, and a procedure ends as facts say.
    fn proof(&mut self) -> Verdict {
        let mut contracts = Contracts::none();
        for &procedure in &self.procedures {
            for (_, fact) in self.facts.about((procedure, End::Fails)) {
                contracts.push(Part::Guard(procedure), self.encoding.pool.not(fact.formula));
            }
            for exit in self.encoding.exits_of(procedure) {
                let facts = self.facts.about((procedure, End::At(exit)));
                let ways: Vec<Term> = facts.map(|(_, fact)| fact.formula).collect();
                contracts.push(Part::Summary(procedure, exit), self.encoding.pool.or(&ways));
            }
        }
        let needed = needed(self.encoding, contracts, &self.procedures, &self.ignored, &self.limits);
        Verdict::Safe(evidence(self.encoding, &needed, &self.procedures).into())
    }
}

/// The ways in which procedures end, failures first.
fn ends_of(encoding: &mut Encoding<'_>, procedures: &[Procedure]) -> impl Iterator<Item = Key> + use<> {
    let mut all = Vec::new();
    for &procedure in procedures {
        all.push((procedure, End::Fails));
        all.extend(encoding.exits_of(procedure).into_iter().map(|exit| (procedure, End::At(exit))));
    }
    all.into_iter()
}
