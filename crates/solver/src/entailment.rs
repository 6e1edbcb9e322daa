//! Entailment with memory: engines ask the same question many times.

use std::collections::{HashMap, VecDeque};

use rorqual_logic::{Term, TermPool};

use crate::answer::Answer;
use crate::limits::Limits;
use crate::model::Model;
use crate::sat::BitVecSolver;

/// So many models of a premise are kept.
const MODELS_PER_PREMISE: usize = 6;

/// What happened to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The terms alone decided it.
    Trivial,
    /// It was asked before.
    MemoHit,
    /// A model of the premise that was found before is a counterexample.
    OldModel,
    /// The solver found a counterexample.
    Sat,
    /// The solver proved it.
    Unsat,
    /// The solver gave up.
    Unknown,
}

/// Learns what happens to questions; for statistics and progress.
pub trait Observer {
    /// Called once per question.
    fn on(&mut self, event: Event);
}

/// Ignores everything.
impl Observer for () {
    fn on(&mut self, _event: Event) {}
}

/// Counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// All questions.
    pub queries: u64,
    /// Those that the terms alone decided.
    pub trivial: u64,
    /// Those that had been asked before.
    pub memo_hits: u64,
    /// Those that a model from before refuted.
    pub old_models: u64,
    /// Those that the solver refuted.
    pub sat: u64,
    /// Those that the solver proved.
    pub unsat: u64,
    /// Those that the solver gave up.
    pub unknown: u64,
}

impl Observer for Statistics {
    fn on(&mut self, event: Event) {
        self.queries += 1;
        let counter = match event {
            Event::Trivial => &mut self.trivial,
            Event::MemoHit => &mut self.memo_hits,
            Event::OldModel => &mut self.old_models,
            Event::Sat => &mut self.sat,
            Event::Unsat => &mut self.unsat,
            Event::Unknown => &mut self.unknown,
        };
        *counter += 1;
    }
}

/// Answers whether one formula entails another, for the terms of one pool.
#[derive(Debug, Default)]
pub struct Entailment<O = ()> {
    solver: BitVecSolver,
    memo: HashMap<(Term, Term), bool>,
    /// Models of premises, from questions whose answer was no. Most questions about a premise have the same answer, and
    /// to evaluate a formula is much cheaper than to ask.
    models: HashMap<Term, VecDeque<Model>>,
    observer: O,
}

impl<O: Observer> Entailment<O> {
    /// Nothing asked yet.
    pub fn new(observer: O) -> Entailment<O> {
        Entailment { solver: BitVecSolver::new(), memo: HashMap::new(), models: HashMap::new(), observer }
    }

    /// What has watched so far.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// Whether every model of `premise` is one of `conclusion`; nothing if the limits do not
    /// suffice. Only answers are remembered, so that more generous limits may help later.
    pub fn entails(
        &mut self,
        pool: &mut TermPool,
        premise: Term,
        conclusion: Term,
        limits: &Limits,
    ) -> Option<bool> {
        if let Some(answer) = trivially(pool, premise, conclusion) {
            self.observer.on(Event::Trivial);
            return Some(answer);
        }
        if let Some(&known) = self.memo.get(&(premise, conclusion)) {
            self.observer.on(Event::MemoHit);
            return Some(known);
        }
        if self.is_refuted(pool, premise, conclusion) {
            self.observer.on(Event::OldModel);
            return Some(false);
        }
        let negated = pool.not(conclusion);
        let (event, answer) = match self.solver.check(pool, &[premise, negated], limits) {
            Answer::Sat(model) => {
                self.keep(premise, model);
                (Event::Sat, false)
            }
            Answer::Unsat(_) => (Event::Unsat, true),
            Answer::Unknown(_) => {
                self.observer.on(Event::Unknown);
                return None;
            }
        };
        self.observer.on(event);
        self.memo.insert((premise, conclusion), answer);
        Some(answer)
    }

    /// Whether the conclusion is false in a model of the premise that is known.
    fn is_refuted(&self, pool: &TermPool, premise: Term, conclusion: Term) -> bool {
        let models = self.models.get(&premise).into_iter().flatten();
        models.into_iter().any(|model| !model.satisfies(pool, conclusion))
    }

    /// Keeps a model of a premise, the newest ones first.
    fn keep(&mut self, premise: Term, model: Model) {
        let models = self.models.entry(premise).or_default();
        models.push_front(model);
        models.truncate(MODELS_PER_PREMISE);
    }
}

/// Entailments that hold for the shape of the terms.
fn trivially(pool: &TermPool, premise: Term, conclusion: Term) -> Option<bool> {
    use rorqual_logic::Op;
    let conjuncts = |term: Term| match pool.op(term) {
        Op::And => pool.arguments(term).to_vec(),
        _ => vec![term],
    };
    let holds = premise == conclusion
        || pool.as_bool(premise) == Some(false)
        || pool.as_bool(conclusion) == Some(true)
        || {
            let known = conjuncts(premise);
            conjuncts(conclusion).iter().all(|conjunct| known.binary_search(conjunct).is_ok())
        };
    holds.then_some(true)
}

#[cfg(test)]
mod tests {
    use rorqual_logic::Sort;

    use super::*;

    #[test]
    fn questions_are_decided_once() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::BitVec(32));
        let (five, ten, twenty) = (pool.bv(5u8, 32), pool.bv(10u8, 32), pool.bv(20u8, 32));
        let (strong, weak) = (pool.bv_ult(x, ten), pool.bv_ult(x, twenty));
        let both = pool.and2(strong, weak);
        let mut service = Entailment::new(Statistics::default());
        let limits = Limits::none();
        assert_eq!(service.entails(&mut pool, strong, weak, &limits), Some(true));
        assert_eq!(service.entails(&mut pool, strong, weak, &limits), Some(true));
        assert_eq!(service.entails(&mut pool, weak, strong, &limits), Some(false));
        let stronger = pool.bv_ult(x, five);
        assert_eq!(service.entails(&mut pool, weak, stronger, &limits), Some(false));
        assert_eq!(service.entails(&mut pool, both, weak, &limits), Some(true));
        let cancelled = Limits::none().with_duration(std::time::Duration::ZERO);
        assert_eq!(service.entails(&mut pool, strong, stronger, &cancelled), None);
        let expected =
            Statistics { queries: 6, trivial: 1, memo_hits: 1, old_models: 1, sat: 1, unsat: 1, unknown: 1 };
        assert_eq!(*service.observer(), expected);
    }
}
