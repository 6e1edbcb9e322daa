//! Inferred facts for engines that ask: rounds of inference, each after about twice as many refinements as the last.

use rorqual_encoding::{Encoding, Point, Undefined};
use rorqual_engines::ahead::{Ahead, Outcome};
use rorqual_engines::ic3::{Found, Ic3, Queries};
use rorqual_engines::{Advice, Inference, Mattering, Task};
use rorqual_evidence::{Answer, Event, Observer, Technique, Trace, Verdict, Violation};
use rorqual_inference::contracts::Contracts;
use rorqual_inference::proof::all_points;
use rorqual_inference::{
    Budgets, Facts, Interest, MOST_POINTS, Round, exclude_obstacles, proof, reads_arrays, suffice,
};
use rorqual_solver::Limits;

use crate::repair::{Earlier, still_inductive};

/// Most programs without loops that need invariants never have so many refinements.
const FIRST_ROUND: usize = 2;
/// Up to so many points, combinations of atoms are looked at in the first round already. Programs with more are often
/// decided before all combinations are known.
const FEW_POINTS: usize = 8;

/// The budget of IC3 in the first round; each round doubles it, so many times.
const IC3: Ic3 = Ic3 {
    points: MOST_POINTS,
    fewest_modes: 4,
    refinements: 200,
    conflicts: Some(20_000),
    queries: Some(Queries { work: 20_000_000, least_size: 300, few: 1_000, by_size: 10 }),
};
const MOST_DOUBLED: usize = 4;

/// A bounded search ahead of an engine. Interpolants say nothing about a violation after the thousandth iteration of a loop
/// until all iterations before are refuted, one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LookAhead {
    /// At most so many blocks for each refinement so far,
    pub steps: u64,
    /// so many terms,
    pub terms: usize,
    /// and so many queries,
    pub queries: usize,
    /// each with at most so many conflicts.
    pub conflicts: u32,
    /// More refinements than these do not let it go further.
    pub farthest: usize,
}

impl Default for LookAhead {
    /// Where constants decide which way executions go, it goes far; where inputs do, it ends early.
    fn default() -> LookAhead {
        LookAhead { steps: 400, terms: 20_000, queries: 40, conflicts: 500, farthest: 50 }
    }
}

impl LookAhead {
    fn search(&self, task: &Task<'_>, refinements: usize, limits: &Limits) -> Option<Trace> {
        let factor = refinements.min(self.farthest);
        let ahead = Ahead {
            steps: Some(self.steps * factor as u64),
            terms: self.terms * factor,
            queries: self.queries * factor,
            conflicts: Some(self.conflicts),
            undefined: Undefined::EndsEarly,
        };
        match ahead.search(task, limits, &mut ()) {
            Outcome::Violation(trace) => Some(trace),
            _ => None,
        }
    }
}

/// IC3 with the budget of a strategy, as an engine of its own.
pub(crate) fn budgeted_ic3() -> Ic3 {
    IC3
}

/// Infers facts about points.
pub struct FactInference<'t, 'p> {
    task: &'t Task<'p>,
    look_ahead: Option<LookAhead>,
    rounds: Rounds,
    facts: Facts,
    /// After so many refinements there is a round.
    next: usize,
    /// What a proof of an earlier version says, until it was looked at; then its formulas.
    earlier: Option<Earlier>,
    remembered: Interest,
}

impl<'t, 'p> FactInference<'t, 'p> {
    /// For a task of which nothing is known.
    pub fn new(task: &'t Task<'p>, look_ahead: Option<LookAhead>) -> FactInference<'t, 'p> {
        FactInference {
            task,
            look_ahead,
            rounds: Rounds::default(),
            facts: Facts::none(),
            next: FIRST_ROUND,
            earlier: None,
            remembered: Interest::new(),
        }
    }

    /// For a task of which an earlier version was proved.
    pub(crate) fn repairing(task: &'t Task<'p>, earlier: Earlier) -> FactInference<'t, 'p> {
        FactInference { next: 0, earlier: Some(earlier), ..FactInference::new(task, None) }
    }

    /// Keeps what still holds of an earlier version; whether that is enough.
    fn keep_earlier(&mut self, encoding: &mut Encoding<'_>, limits: &Limits) -> bool {
        let Some(earlier) = self.earlier.take() else { return false };
        self.remembered = earlier.interest(encoding);
        self.facts = still_inductive(encoding, &self.remembered, limits);
        let points: Vec<Point> = all_points(encoding).into_iter().collect();
        suffice(encoding, &self.facts, &points, limits)
    }

    /// What is of interest to an engine now, with what was to an earlier version.
    fn with_remembered(&self, interest: &Interest) -> Interest {
        let mut all = interest.clone();
        for (&point, formulas) in &self.remembered {
            all.entry(point).or_default().extend(formulas);
        }
        all
    }
}

impl Inference for FactInference<'_, '_> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn contracts(&self) -> &Contracts {
        const { &Contracts::none() }
    }

    fn is_due(&self, refinements: usize) -> bool {
        refinements >= self.next
    }

    fn consult(
        &mut self,
        encoding: &mut Encoding<'_>,
        mattering: Mattering<'_>,
        refinements: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Advice {
        let Mattering::AtPoints(interest) = mattering else { return Advice::Nothing };
        self.next = 2 * refinements.max(self.next) + 1;
        if let Some(look_ahead) = self.look_ahead
            && let Some(trace) = look_ahead.search(self.task, refinements, limits)
        {
            let verdict = Verdict::Unsafe(Violation::Trace(trace));
            return Advice::Answer(Box::new(Answer::new(verdict, Technique::BoundedSearch)));
        }
        let before = self.facts.len();
        let proved_by = if self.keep_earlier(encoding, limits) {
            Some(Technique::Houdini)
        } else {
            let interest = self.with_remembered(interest);
            self.rounds.next(encoding, &mut self.facts, &interest, limits)
        };
        observer.on(Event::Learned { facts: self.facts.len() });
        if let Some(technique) = proved_by
            && exclude_obstacles(encoding, &self.facts, limits)
            && let Some(invariant) = proof::of_facts(encoding, &self.facts, MOST_POINTS, limits)
        {
            return Advice::Answer(Box::new(Answer::new(Verdict::Safe(invariant.into()), technique)));
        }
        if self.facts.len() > before { Advice::Facts } else { Advice::Nothing }
    }
}

/// Rounds of inference, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    done: usize,
}

impl Rounds {
    /// Adds facts. Ends with the technique after which they exclude all violations, if there is one.
    pub(crate) fn next(
        &mut self,
        encoding: &mut Encoding<'_>,
        facts: &mut Facts,
        interest: &Interest,
        limits: &Limits,
    ) -> Option<Technique> {
        let round = Round::begin(encoding, interest, &Budgets::default(), limits)?;
        let is_first = self.done == 0;
        let skips_combinations = is_first && round.points().len() > FEW_POINTS;
        for technique in [
            Technique::Houdini,
            Technique::Ic3,
            Technique::NodeInvariants,
            Technique::ArrayInvariants,
            Technique::PredicateAbstraction,
        ] {
            match technique {
                Technique::Houdini => round.literals(encoding, facts, limits),
                Technique::Ic3 => self.ic3(encoding, &round, facts, limits),
                Technique::NodeInvariants => round.nodes(encoding, facts, limits),
                Technique::ArrayInvariants => round.arrays(encoding, facts, limits),
                _ if skips_combinations => continue,
                _ => round.combinations(encoding, facts, interest, limits),
            }
            if suffice(encoding, facts, round.points(), limits) {
                return Some(technique);
            }
        }
        self.done += 1;
        round.clauses(encoding, facts, limits);
        suffice(encoding, facts, round.points(), limits).then_some(Technique::Houdini)
    }

    fn ic3(&self, encoding: &mut Encoding<'_>, round: &Round, facts: &mut Facts, limits: &Limits) {
        if round.points().len() < 2 || reads_arrays(encoding, round.points()) {
            return;
        }
        let queries = IC3
            .queries
            .map(|queries| Queries { work: queries.work << self.done.min(MOST_DOUBLED), ..queries });
        if let Ok(Found::Clauses(clauses)) = (Ic3 { queries, ..IC3 }).search(encoding, facts, limits, &mut ())
        {
            facts.add(&mut encoding.pool, clauses);
        }
    }
}
