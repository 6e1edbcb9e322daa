//! Predicate abstraction after T. A. Henzinger, R. Jhala, R. Majumdar, K. L. McMillan, *Abstractions from Proofs*,
//! POPL 2004, on lazy abstraction (Henzinger, Jhala, Majumdar, Sutre, POPL 2002). `docs/algorithms/predicate.md` has more.
//!
//! | Paper | Here |
//! |---|---|
//! | predicate map Π | [`precision::Precision`] |
//! | abstract postcondition `SP_Π` | [`abstractor::Abstractor::post`] |
//! | abstract reachability tree | [`art::Art`] |
//! | Extract (Algorithm 1) | [`refiner::Refiner::refine`] |
//! | refined from the first node that needs it on | [`Search::restart`] |
//!
//! "Departure:" marks each place where we differ.

mod abstractor;
mod art;
mod config;
mod landmark;
mod map;
mod precision;
mod procedures;
mod refiner;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rorqual_encoding::{Block, Detail, Encoding, Obstacle, Setting, Target};
use rorqual_evidence::{
    Answer, Event, Invariant, Observer, Reason, Stop, Technique, Trace, Verdict, Violation,
};
use rorqual_inference::proof::{Conjuncts, all_points, conjuncts_of, invariant};
use rorqual_logic::Term;
use rorqual_solver::{GaveUp, Limits, Model};

use crate::harmless::Harmless;
use crate::inference::Inference;
use crate::registry::Engine;
use crate::task::Task;
use abstractor::Abstractor;
use art::{Art, NodeId};
use precision::Precision;
use refiner::{Refinement, Refiner};

pub use config::{Abstraction, Calls, HeapFree, Locality, Predicate};
pub use map::{Exchange, MapError, PredicateMap};

impl Engine for Predicate {
    fn name(&self) -> &'static str {
        "predicate"
    }

    fn summary(&self) -> &'static str {
        "predicate abstraction from proofs: predicates per location, refined where paths need them"
    }

    fn run(
        &self,
        task: &Task<'_>,
        _: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Answer {
        observer.on(Event::Started { engine: self.name() });
        if self.calls == Calls::Summaries || task.is_recursive() {
            let encoding = task.encoding(Setting::default());
            let mut encoding = encoding.borrow_mut();
            if !encoding.has_memory_checks() {
                let answer = procedures::Search::new(self, &mut encoding, limits, observer).run();
                // Where calls are inlined, more constructs are supported, and a recursive call may be out of reach.
                if !matches!(answer.verdict, Verdict::Unknown(Reason::Unsupported { .. })) {
                    return answer;
                }
            }
        }
        if let Some(budget) = self.heap_free
            && let Some(answer) = self.run_heap_free(task, budget, limits, observer)
        {
            return answer;
        }
        let encoding = task.encoding(self.setting(Detail::Full));
        let mut encoding = encoding.borrow_mut();
        Search::new(self, &mut encoding, limits, observer).run()
    }
}

impl Predicate {
    /// Departure: what is in allocated memory is left out first. Only proofs count there, and the end of the time.
    fn run_heap_free(
        &self,
        task: &Task<'_>,
        budget: HeapFree,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Option<Answer> {
        let encoding = task.encoding(self.setting(Detail::HeapFree));
        let mut encoding = encoding.borrow_mut();
        if !encoding.has_vague_memory() {
            return None;
        }
        let proof_limits = limits.clone().with_duration(budget.time);
        let mut search = Search::new(self, &mut encoding, &proof_limits, observer);
        search.proof_within = Some(budget.refinements);
        let mut answer = search.run();
        answer.origin.heap_free = true;
        let is_over = limits.spent().is_some();
        (is_over || matches!(answer.verdict, Verdict::Safe(_))).then_some(answer)
    }
}

struct Search<'s, 'p> {
    encoding: &'s mut Encoding<'p>,
    limits: Limits,
    observer: &'s mut dyn Observer,
    art: Art,
    precision: Precision,
    abstractor: Abstractor,
    refiner: Refiner,
    /// The first obstacle that can be reached.
    obstacle: Option<Obstacle>,
    harmless: Harmless,
    /// How many refinements are left, if only a proof is wanted.
    proof_within: Option<usize>,
    /// Where the predicates go in the end.
    exchange: Option<Arc<Exchange>>,
}

/// Why a search is over before the tree is complete.
enum End {
    /// A path to an error is feasible.
    Violation(Trace),
    Stopped(Stop),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        End::Stopped(stop)
    }
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(
        config: &Predicate,
        encoding: &'s mut Encoding<'p>,
        limits: &Limits,
        observer: &'s mut dyn Observer,
    ) -> Search<'s, 'p> {
        let top = encoding.pool.top();
        let mut precision = Precision::new(config.locality);
        if let Some(exchange) = &config.exchange {
            exchange.load(encoding, &mut precision);
        }
        Search {
            art: Art::new(encoding.start(), top),
            encoding,
            limits: limits.clone(),
            observer,
            precision,
            abstractor: Abstractor::new(config, limits),
            refiner: Refiner::new(config, limits),
            proof_within: None,
            exchange: config.exchange.clone(),
            obstacle: None,
            harmless: Harmless::default(),
        }
    }

    fn run(mut self) -> Answer {
        let explored = self.explore();
        if let Some(exchange) = &self.exchange {
            exchange.save(self.encoding, &self.precision);
        }
        let verdict = match explored {
            Ok(()) => match self.obstacle.take() {
                Some(Obstacle { construct, span }) => {
                    Verdict::Unknown(Reason::Unsupported { construct, span })
                }
                None => Verdict::Safe(self.invariant().into()),
            },
            Err(End::Violation(trace)) => Verdict::Unsafe(Violation::Trace(trace)),
            Err(End::Stopped(stop)) => stop.into(),
        };
        Answer::new(verdict, Technique::PredicateAbstraction)
    }

    /// Lazy abstraction: one open node after the other is covered or expanded, until none is left. Then, at each point, the
    /// disjunction of the expanded nodes' labels is an inductive invariant.
    fn explore(&mut self) -> Result<(), End> {
        while let Some(node) = self.art.next_open() {
            Stop::check(&self.limits)?;
            if self.harmless.contains(self.encoding, self.art.point(node)) {
                self.art.close(node);
            } else if !self.cover(node) {
                self.expand(node)?;
            }
        }
        Ok(())
    }

    /// Covers a node by an expanded one at its point, or by all of them together.
    fn cover(&mut self, node: NodeId) -> bool {
        let label = self.art.label(node);
        let others = self.art.expanded_at(self.art.point(node));
        let labels: Vec<Term> = others.iter().map(|&other| self.art.label(other)).collect();
        let alone = (0..others.len()).find(|&at| self.refiner.entails(self.encoding, label, labels[at]));
        let by = match alone {
            Some(at) => &others[at..=at],
            None => {
                let union = self.encoding.pool.or(&labels);
                if others.len() < 2 || !self.refiner.entails(self.encoding, label, union) {
                    return false;
                }
                &others[..]
            }
        };
        self.art.cover(node, by);
        self.observer.on(Event::Covered);
        true
    }

    /// Adds a child for each exit that the label allows, unless a path to an error has to be refuted first: that changes
    /// the node itself or one above it, so it has to wait.
    fn expand(&mut self, node: NodeId) -> Result<(), End> {
        let (point, label) = (self.art.point(node), self.art.label(node));
        self.observer.on(Event::Expanded { nodes: self.art.len(), span: self.encoding.span(point) });
        let block = self.encoding.block(point);
        for number in wrong_exits(&block) {
            // Another obstacle changes no answer.
            let is_known = self.obstacle.is_some() && block.exits[number].target != Target::Error;
            if !is_known
                && self.abstractor.is_possible(self.encoding, label, (point, &block.exits[number]))?
                && self.refine(node, number)?
            {
                return Ok(());
            }
        }
        for (number, exit) in block.exits.iter().enumerate() {
            let Target::Point(target) = exit.target else { continue };
            let predicates = self.precision.at(self.encoding, target);
            let post = self.abstractor.post(self.encoding, label, (point, number), predicates)?;
            if self.encoding.pool.as_bool(post) != Some(false) {
                self.art.add_child(node, number, target, post);
            }
        }
        self.art.set_expanded(node);
        Ok(())
    }

    /// Refutes the path to an error and tracks the predicates of its interpolants. Whether the path was refuted: one to
    /// something that is not supported may be feasible.
    fn refine(&mut self, node: NodeId, exit: usize) -> Result<bool, End> {
        if let Some(left) = &mut self.proof_within {
            *left = left.checked_sub(1).ok_or(Stop::Solver(GaveUp::Conflicts))?;
        }
        match self.refiner.refine(self.encoding, &self.art, (node, exit))? {
            Refinement::Feasible(model) => self.reached(node, exit, &model).map(|()| false),
            Refinement::Spurious(interpolants) => {
                self.observer.on(Event::Refining { depth: interpolants.len() });
                for &(node, interpolant) in &interpolants {
                    let point = self.art.point(node);
                    self.precision.add_interpolant(self.encoding, point, interpolant);
                }
                self.tell_precision();
                self.restart(&interpolants)?;
                Ok(true)
            }
        }
    }

    /// Tells how many predicates there are.
    fn tell_precision(&mut self) {
        let points = self.art.points();
        let counts = points.iter().map(|&point| self.precision.at(self.encoding, point).len());
        let counts: Vec<usize> = counts.filter(|&count| count > 0).collect();
        self.observer.on(Event::Tracking {
            predicates: self.precision.len(),
            tracked: counts.iter().sum(),
            locations: counts.len(),
            most: counts.into_iter().max().unwrap_or(0),
        });
    }

    /// The path to an error is feasible, or that to something that is not supported.
    fn reached(&mut self, node: NodeId, exit: usize, model: &Model) -> Result<(), End> {
        if self.proof_within.is_some() {
            let what = "a violation that may need the content of the heap".to_owned();
            return Err(Stop::Solver(GaveUp::Unsupported(what)).into());
        }
        let block = self.encoding.block(self.art.point(node));
        if let Target::Unsupported(obstacle) = &block.exits[exit].target {
            self.obstacle.get_or_insert_with(|| obstacle.clone());
            return Ok(());
        }
        let trace = rorqual_encoding::trace(self.encoding, model.assignment());
        Err(trace.map_or_else(|| Stop::without_trace().into(), End::Violation))
    }

    /// Explores again from the first node on whose label does not imply its interpolant. What is above and beside it stays
    /// as it is.
    fn restart(&mut self, interpolants: &[(NodeId, Term)]) -> Result<(), End> {
        for &(node, interpolant) in interpolants {
            let label = self.art.label(node);
            if self.refiner.entails(self.encoding, label, interpolant) {
                continue;
            }
            let (parent, exit) = self.art.parent(node).expect("the first interpolant is `true`");
            let predicates = self.precision.at(self.encoding, self.art.point(node));
            let from = (self.art.point(parent), exit);
            let label = self.abstractor.post(self.encoding, self.art.label(parent), from, predicates)?;
            // The predicates express the interpolant, so only a query that was given up can be the reason.
            if !self.refiner.entails(self.encoding, label, interpolant) {
                break;
            }
            let uncovered = self.art.restart(node, label);
            (0..uncovered).for_each(|_| self.observer.on(Event::Uncovered));
            if self.encoding.pool.as_bool(label) == Some(false) {
                self.art.close(node);
            }
            return Ok(());
        }
        Err(Stop::Solver(GaveUp::Conflicts).into())
    }

    /// The invariant that a complete tree gives.
    fn invariant(&mut self) -> Invariant {
        let mut all = Conjuncts::new();
        for (point, labels) in self.art.labels() {
            all.insert(point, conjuncts_of(&mut self.encoding.pool, &labels));
        }
        // Where nothing was explored, nothing has to hold.
        for point in all_points(self.encoding) {
            if self.harmless.contains(self.encoding, point) {
                all.insert(point, Vec::new());
            }
        }
        invariant(self.encoding, all, &self.limits)
    }
}

/// The exits to errors, and then those to what is not supported.
fn wrong_exits(block: &Block) -> Vec<usize> {
    let numbers = |is_wanted: &dyn Fn(&Target) -> bool| {
        let exits = block.exits.iter().enumerate();
        exits.filter(|(_, exit)| is_wanted(&exit.target)).map(|(number, _)| number).collect::<Vec<_>>()
    };
    let errors = numbers(&|target| *target == Target::Error);
    [errors, numbers(&|target| matches!(target, Target::Unsupported(_)))].concat()
}
