//! `FunFrog` after O. Sery, G. Fedyukovich, N. Sharygina, *Interpolation-Based Function Summaries in Bounded Model Checking*,
//! HVC 2011, and *`FunFrog`: Bounded Model Checking with Interpolation-Based Function Summarization*, ATVA 2012.
//!
//! | Paper | Here |
//! |---|---|
//! | partitioned bounded model checking formula | [`partitions::Partitions`] |
//! | function summary `I_f` | [`summaries::Summaries`] |
//! | substitution of summaries | [`partitions::Partitions::new`], `summarise_calls` |
//! | refinement: counterexample-guided | [`influence::Influence`] |
//! | refinement: greedy | [`Refine::Greedy`] |
//! | verification conditions one after the other | [`Search::check_all`] |
//!
//! `docs/algorithms/funfrog.md` has an example. "Departure:" marks each place where we differ. The greatest one: a call that is
//! not looked into may do anything that its summary allows, and loops are calls too. So what is proved holds for all numbers of iterations.

mod goal;
mod influence;
mod partitions;
mod patience;
mod summaries;
#[cfg(test)]
mod tests;

use rorqual_cfa::Instance;
use rorqual_encoding::{Encoding, Ending, Obstacle, Procedure, Setting, trace_of_calls};
use rorqual_evidence::{Answer, Event, Observer, Reason, Stop, Technique, Verdict, Violation};
use rorqual_inference::contracts::{evidence, exits_to, needed};
use rorqual_interpolation::System;
use rorqual_interpolation::strategy::Goal as Arranged;
use rorqual_solver::{Limits, Model};
use rorqual_source::Span;

use crate::inference::Inference;
use crate::registry::Engine;
use crate::solver::{PathAnswer, PathSolver};
use crate::task::{Task, beyond_contracts};
use goal::{Asked, Goal, Known};
use influence::Influence;
use partitions::{Material, Names, Partitions, Site};
pub use patience::Budget;
use patience::Costs;
use summaries::Summaries;

/// The settings of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FunFrog {
    /// Which bodies come back where summaries are not enough.
    pub refine: Refine,
    /// How often a loop or a recursive function is followed; without limit if absent.
    pub unwind: Option<u64>,
    /// The strength of summaries where they come from a proof about bits. Summaries at the level of words are tried first.
    pub strength: Strength,
    /// What a property may cost as long as others wait.
    pub budget: Budget,
}

/// How strong summaries from proofs about bits are. Departure: McMillan's dual system, the weakest, has no interpolants of trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strength {
    /// McMillan's system: what the callees do is kept as far as the proof tells.
    #[default]
    Strong,
    /// Pudlák's system: weaker, and the same for callers and callees.
    Symmetric,
}

impl From<Strength> for System {
    fn from(strength: Strength) -> System {
        match strength {
            Strength::Strong => System::McMillan,
            Strength::Symmetric => System::Pudlak,
        }
    }
}

/// Which bodies come back where summaries are not enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Refine {
    /// Those of calls that the error trace rests on.
    #[default]
    Guided,
    /// Those of all calls.
    Greedy,
}

impl Engine for FunFrog {
    fn name(&self) -> &'static str {
        "funfrog"
    }

    fn summary(&self) -> &'static str {
        "summaries of calls from interpolants, reused from property to property"
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
        let goals = Goal::all(encoding);
        let properties = goals.iter().map(|goal| goal.open(encoding, &Known::default()).len());
        let others_wait = properties.sum::<usize>() > 1;
        let own =
            if others_wait { limits.clone().with_conflicts(self.budget.conflicts) } else { limits.clone() };
        let mut search = Search {
            goals,
            procedures: encoding.all_procedures().into_iter().collect(),
            encoding,
            inference,
            solver: PathSolver::new(&own).with_system(self.strength.into()),
            summaries: Summaries::default(),
            names: Names::new(),
            known: Known::default(),
            costs: others_wait.then(|| Costs::new(self.budget)),
            obstacle: None,
            violations: Vec::new(),
            bounds: Vec::new(),
            is_all_bounded: false,
            entered: 0,
            wants_all: task.wants_all,
            config: *self,
            limits: limits.clone(),
            observer,
        };
        let verdict = search.run().unwrap_or_else(Verdict::from);
        let beyond = match &verdict {
            Verdict::Unknown(Reason::Bound { .. }) if !search.is_all_bounded => search.bounded(),
            _ => Vec::new(),
        };
        let later = search.known.later.into_iter().collect();
        Answer { further: search.violations, later, beyond, ..Answer::new(verdict, Technique::Summaries) }
    }
}

struct Search<'s, 'p> {
    encoding: &'s mut Encoding<'p>,
    inference: &'s mut dyn Inference,
    procedures: Vec<Procedure>,
    goals: Vec<Goal>,
    solver: PathSolver,
    summaries: Summaries,
    names: Names,
    known: Known,
    /// What properties have cost, if there are several.
    costs: Option<Costs>,
    /// The first thing that is not supported and can be reached.
    obstacle: Option<Obstacle>,
    violations: Vec<Violation>,
    /// Loops and recursive functions that go on behind their bound.
    bounds: Vec<(Span, u64)>,
    /// Whether something that is no property is known within the bound only.
    is_all_bounded: bool,
    /// How many bodies were brought back in all.
    entered: usize,
    wants_all: bool,
    config: FunFrog,
    limits: Limits,
    observer: &'s mut dyn Observer,
}

/// What a search for violations of a goal ends with.
enum Searched {
    /// There is none.
    Nothing,
    Violation(Model),
    /// The budget of some properties is spent.
    Spent(Vec<Instance>),
    /// The error traces of some properties go on behind the bound.
    Bounded(Vec<Instance>),
}

/// What refinement does about an error trace.
enum Refined {
    /// There are more bodies now, or executions behind a bound are left out.
    Partitions,
    /// All that is left to look into is behind the bound.
    Bounded,
    /// The trace rests on no summary.
    Real,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Verdict, Stop> {
        let checked = self.check_all();
        if !self.violations.is_empty() {
            return Ok(Verdict::Unsafe(self.violations.remove(0)));
        }
        checked?;
        if let Some(Obstacle { construct, span }) = self.obstacle.take() {
            return Ok(Verdict::Unknown(Reason::Unsupported { construct, span }));
        }
        // What is left for later is said beside; whether there is anything about which bounds say something comes first.
        if !self.bounds.is_empty() && (self.is_all_bounded || !self.bounded().is_empty()) {
            return Ok(Verdict::Unknown(Reason::Bound { loops: std::mem::take(&mut self.bounds) }));
        }
        if !self.known.later.is_empty() {
            return Ok(Verdict::Unknown(Reason::OutOfIdeas));
        }
        Ok(self.proof())
    }

    /// The properties that hold within the bound, and of which nothing is known behind it.
    fn bounded(&self) -> Vec<Instance> {
        let Known { bounded, violated, later, .. } = &self.known;
        bounded.iter().filter(|one| !violated.contains(one) && !later.contains(one)).cloned().collect()
    }

    /// What can be proved, and then what can be refuted within the bound.
    fn check_all(&mut self) -> Result<(), Stop> {
        self.check_asked()?;
        if self.known.bounded.is_empty() {
            return Ok(());
        }
        self.known.asked = Asked::Bounded;
        self.check_asked()
    }

    /// One verification condition after the other, each with the summaries of those before it.
    fn check_asked(&mut self) -> Result<(), Stop> {
        let goals = std::mem::take(&mut self.goals);
        let mut checked = Ok(());
        for (number, goal) in goals.iter().enumerate() {
            match self.check((number, goal)) {
                Err(Stop::Solver(_)) if self.costs.is_some() => self.leave(goal),
                Err(stop) => {
                    goals[number..].iter().for_each(|goal| self.leave(goal));
                    checked = Err(stop);
                    break;
                }
                Ok(()) => {}
            }
        }
        self.goals = goals;
        checked
    }

    /// Leaves what is open of a goal for later, unless it is alone.
    fn leave(&mut self, goal: &Goal) {
        if self.costs.is_some() {
            let open = goal.open(self.encoding, &self.known);
            self.known.later.extend(open.into_iter().map(|(instance, _)| instance));
        }
    }

    /// Checks a goal with summaries in the place of bodies, until nothing more goes wrong.
    fn check(&mut self, (number, goal): (usize, &Goal)) -> Result<(), Stop> {
        let contracts = self.inference.contracts().clone();
        let at_exits = self.summaries.at_exits.clone();
        let material = Material { goal, known: &self.known, summaries: &[&contracts, &at_exits] };
        let mut partitions = Partitions::new(self.encoding, &material);
        while self.wants_more() && goal.is_open(self.encoding, &self.known) {
            let known = self.known.clone();
            let material = Material { goal, known: &known, summaries: &[&contracts, &at_exits] };
            match self.search(number, &mut partitions, &material)? {
                Searched::Nothing => break,
                Searched::Violation(model) => {
                    self.note(&partitions, &model)?;
                    partitions.exclude_failures(self.encoding, goal, &self.known);
                }
                Searched::Spent(instances) => {
                    self.known.later.extend(instances);
                    // Bodies that were brought back for these would only be a burden for the others.
                    let material = Material { known: &self.known, ..material };
                    partitions = Partitions::new(self.encoding, &material);
                }
                Searched::Bounded(instances) => {
                    self.known.bounded.extend(instances);
                    let known = self.known.clone();
                    let material = Material { known: &known, ..material };
                    // What is within the bound will be needed for the others too.
                    let order = partitions.order().to_vec();
                    partitions = Partitions::new(self.encoding, &material);
                    for site in order {
                        partitions.enter(self.encoding, site, &mut self.names, &material);
                    }
                }
            }
        }
        Ok(())
    }

    fn wants_more(&self) -> bool {
        self.wants_all || self.violations.is_empty()
    }

    /// A violation, if there is one: bodies are brought back until the summaries of the other calls are enough, or until
    /// the error trace rests on none.
    fn search(
        &mut self,
        goal: usize,
        partitions: &mut Partitions,
        material: &Material<'_>,
    ) -> Result<Searched, Stop> {
        loop {
            Stop::check(&self.limits)?;
            let formula = partitions.formula();
            let Some(model) = self.solver.model(self.encoding, &formula)? else {
                // What holds within the bound only is no summary.
                if !partitions.is_bounded() {
                    self.summarise(goal, partitions, material)?;
                }
                return Ok(Searched::Nothing);
            };
            match self.refine(partitions, material, &model) {
                Refined::Partitions => {}
                Refined::Bounded => {
                    return Ok(Searched::Bounded(self.accused(partitions, material, &model)));
                }
                Refined::Real => return Ok(Searched::Violation(model)),
            }
            let spent = self.charge(partitions, material, &model);
            if !spent.is_empty() {
                return Ok(Searched::Spent(spent));
            }
        }
    }

    /// The properties that an error trace violates; all that are open as long as it says only that one is violated in some call.
    fn accused(
        &mut self,
        partitions: &mut Partitions,
        material: &Material<'_>,
        model: &Model,
    ) -> Vec<Instance> {
        let open = material.goal.open(self.encoding, material.known);
        let violated = partitions.violated(self.encoding, material.goal, &open, model.assignment());
        if violated.is_empty() { open.into_iter().map(|(instance, _)| instance).collect() } else { violated }
    }

    /// Charges an error trace to properties. Returns those whose budget is spent.
    fn charge(
        &mut self,
        partitions: &mut Partitions,
        material: &Material<'_>,
        model: &Model,
    ) -> Vec<Instance> {
        if self.costs.is_none() {
            return Vec::new();
        }
        let accused = self.accused(partitions, material, model);
        self.costs.as_mut().map_or(Vec::new(), |costs| costs.charge(accused))
    }

    /// Brings back bodies.
    fn refine(&mut self, partitions: &mut Partitions, material: &Material<'_>, model: &Model) -> Refined {
        self.observer.on(Event::Refining { depth: partitions.len() });
        let influence = Influence::of(self.encoding, partitions, material, model.assignment());
        // Values first: whether a call ends at all matters only if all else is real.
        let needed = if influence.by_values.is_empty() { influence.by_ending } else { influence.by_values };
        if needed.is_empty() {
            return Refined::Real;
        }
        let chosen: Vec<Site> = match self.config.refine {
            Refine::Guided => needed.into_iter().collect(),
            Refine::Greedy => partitions.open_calls(),
        };
        let is_behind =
            |site: &Site| self.config.unwind.is_some_and(|bound| partitions.iteration(*site) > bound);
        let (behind, within): (Vec<Site>, Vec<Site>) = chosen.into_iter().partition(is_behind);
        if within.is_empty() {
            let open = material.goal.open(self.encoding, material.known);
            if self.known.asked == Asked::Within && !open.is_empty() {
                return Refined::Bounded;
            }
            // What is not supported is no property that could be set aside.
            self.is_all_bounded |= self.known.asked == Asked::Within;
        }
        if within.is_empty() || self.known.asked == Asked::Bounded {
            for site in behind {
                self.exclude(partitions, site);
            }
        }
        for site in within {
            self.enter(partitions, site, material);
        }
        Refined::Partitions
    }

    /// Leaves out the executions in which a call behind the bound is made.
    fn exclude(&mut self, partitions: &mut Partitions, site: Site) {
        let (iteration, span) = (partitions.iteration(site), partitions.span(site));
        partitions.exclude(self.encoding, site);
        if !self.bounds.iter().any(|&(known, _)| known == span) {
            self.bounds.push((span, iteration - 1));
        }
    }

    fn enter(&mut self, partitions: &mut Partitions, site: Site, material: &Material<'_>) {
        let span = partitions.span(site);
        self.entered += 1;
        partitions.enter(self.encoding, site, &mut self.names, material);
        self.observer.on(Event::Expanded { nodes: self.entered, span });
    }

    /// The summaries of all calls that were looked into, from one refutation.
    fn summarise(
        &mut self,
        goal: usize,
        partitions: &mut Partitions,
        material: &Material<'_>,
    ) -> Result<(), Stop> {
        if partitions.len() == 1 {
            return Ok(());
        }
        let (parts, tree) = partitions.arranged();
        let PathAnswer::Refuted(interpolants) =
            self.solver.solve(self.encoding, &parts, &Arranged::Tree(tree))?
        else {
            return Err(Stop::without_trace());
        };
        self.summaries.add(self.encoding, &mut self.solver, (goal, material.goal), partitions, &interpolants);
        Ok(())
    }

    /// Notes what goes wrong in an execution.
    fn note(&mut self, partitions: &Partitions, model: &Model) -> Result<(), Stop> {
        let executed = partitions.copies.executed(self.encoding, model);
        match trace_of_calls(self.encoding, &executed, model.assignment()) {
            Some(Ending::Violation(trace, error)) => {
                self.known.violated.insert(Instance { error, span: trace.error });
                self.violations.push(Violation::Trace(trace));
                Ok(())
            }
            Some(Ending::Obstacle(obstacle)) => {
                self.ignore(obstacle);
                Ok(())
            }
            None => Err(Stop::without_trace()),
        }
    }

    /// Something that is not supported can be reached. The search goes on for a violation.
    fn ignore(&mut self, obstacle: Obstacle) {
        self.known.obstacles.extend(exits_to(self.encoding, &self.procedures, &obstacle));
        self.obstacle.get_or_insert(obstacle);
    }

    /// All goals hold: the summaries are contracts, and prove each other.
    fn proof(&mut self) -> Verdict {
        let mut all = self.summaries.contracts(self.encoding, &self.goals, &self.procedures);
        all.add(self.inference.contracts().clone());
        let needed = needed(self.encoding, all, &self.procedures, &self.known.obstacles, &self.limits);
        Verdict::Safe(evidence(self.encoding, &needed, &self.procedures).into())
    }
}
