//! Test runs: the program is run with made-up inputs before anybody reasons about it. A run costs next to nothing compared
//! with a formula for it, so violations behind many rounds of a loop, or deep in a recursion, are found here or not at all.
//!
//! Nothing is concluded from runs without a violation. How long the search lasts is counted in steps of the interpreter, so
//! that it finds the same everywhere.

mod plan;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeSet;

use rorqual_cfa::{Instance, Program};
use rorqual_evidence::{Answer, Event, Observer, Reason, Technique, Verdict, Violation};
use rorqual_interpreter::{
    Companions, Config, Console, Execution, GivenInput, Halt, Limit, Outcome, Stream, Uninitialized, run_with,
};
use rorqual_solver::Limits;

use crate::inference::Inference;
use crate::registry::Engine;
use crate::task::Task;
use plan::{Plan, plans};
use values::{Drawer, Experience, Vocabulary};

/// How long runs may be, and how many steps all of them may take together.
#[derive(Debug, Clone, Copy)]
struct Stage {
    run: u64,
    total: u64,
}

/// First many short runs, then longer ones with the plans whose runs were cut. The interpreter takes 20 to 30 million steps in
/// a second.
const SHORT: [Stage; 2] = [Stage { run: 10_000, total: 1_000_000 }, Stage { run: 300_000, total: 1_500_000 }];

/// The last stage, if there is a reason for so long runs.
const LONG: Stage = Stage { run: 5_000_000, total: 5_000_000 };

/// The last stage of a program without inputs: its only run decides, if it ends.
const ONLY: Stage = Stage { run: 50_000_000, total: 50_000_000 };

/// Making up and keeping an input takes as long as so many steps.
const INPUT_STEPS: u64 = 20;

/// How often a run that ends in a false assumption is tried again with other values there.
const ATTEMPTS: usize = 6;

/// A run whose objects need more is not worth its time.
const MEMORY: u64 = 32 << 20;

/// The engine. Its budgets are fixed, so that it finds the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Testing {
    /// How long runs are.
    pub runs: Runs,
}

/// How long runs are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Runs {
    /// Short ones, and then long ones.
    #[default]
    All,
    /// Short ones only. What is left is kept with the task.
    Short,
    /// Long ones only, if short ones have left any.
    Long,
}

/// What short runs have left for long ones.
#[derive(Debug, Clone)]
pub struct Untried {
    /// The plans whose runs were cut.
    plans: Vec<Plan>,
    stage: Stage,
}

impl Engine for Testing {
    fn name(&self) -> &'static str {
        "testing"
    }

    fn summary(&self) -> &'static str {
        "test runs: the program is run with made-up inputs, for violations"
    }

    fn run(
        &self,
        task: &Task<'_>,
        _: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Answer {
        observer.on(Event::Started { engine: self.name() });
        let mut search = Search::new(task.program, limits, observer);
        search.wants_all = task.wants_all;
        match self.runs {
            Runs::All => search.all_stages(),
            Runs::Short => {
                let untried = search.short_stages();
                task.set_untried_runs(untried);
            }
            Runs::Long => {
                if let Some(Untried { plans, stage }) = task.take_untried_runs() {
                    search.stage(plans, stage);
                }
            }
        }
        let mut found = search.found.into_iter().map(|(_, inputs)| Violation::Inputs(inputs));
        let verdict = match found.next() {
            Some(violation) => Verdict::Unsafe(violation),
            None => Verdict::Unknown(limits.spent().map_or(Reason::OutOfIdeas, Reason::Limit)),
        };
        Answer { further: found.collect(), ..Answer::new(verdict, Technique::TestRun) }
    }
}

/// Looks for a run that violates the specification: the inputs that it takes, where reading an uninitialised scalar takes one.
pub fn search(program: &Program, limits: &Limits, observer: &mut dyn Observer) -> Option<Vec<GivenInput>> {
    let mut search = Search::new(program, limits, observer);
    search.all_stages();
    search.found.into_iter().next().map(|(_, inputs)| inputs)
}

/// How a run ended, if not in a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// By itself.
    Over,
    /// It took more steps or inputs than it may.
    Cut,
    /// The values were not welcome.
    Refused,
}

/// What is known of a run.
#[derive(Debug, Clone, Copy)]
struct Ran {
    ending: Ending,
    took_inputs: bool,
}

struct Search<'a> {
    program: &'a Program,
    limits: &'a Limits,
    observer: &'a mut dyn Observer,
    vocabulary: Vocabulary,
    experience: Experience,
    /// Whether any run took an input.
    takes_inputs: bool,
    /// Whether runs go on after the first violation.
    wants_all: bool,
    /// Violations, each of another property, and the inputs of a run that leads there.
    found: Vec<(Instance, Vec<GivenInput>)>,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, limits: &'a Limits, observer: &'a mut dyn Observer) -> Search<'a> {
        Search {
            program,
            limits,
            observer,
            vocabulary: Vocabulary::of(program),
            experience: Experience::default(),
            takes_inputs: false,
            wants_all: false,
            found: Vec::new(),
        }
    }

    /// Whether enough is known.
    fn is_over(&self) -> bool {
        !self.wants_all && !self.found.is_empty() || self.limits.spent().is_some()
    }

    /// Short runs, and then long ones.
    fn all_stages(&mut self) {
        if let Some(Untried { plans, stage }) = self.short_stages() {
            self.stage(plans, stage);
        }
    }

    /// Short runs; what they leave for long ones, if there is a reason for such.
    fn short_stages(&mut self) -> Option<Untried> {
        let mut open = plans(&self.vocabulary);
        for stage in SHORT {
            open = self.stage(open, stage);
            // Short runs have shown what one value for all inputs leads to.
            open.sort_by_key(|plan| matches!(plan, Plan::Same(_)));
        }
        // A loop lasts longer only if the program names a large number, or for ever.
        let stage = match self.takes_inputs {
            false => ONLY,
            true if self.vocabulary.has_large_number() => LONG,
            true => return None,
        };
        (!open.is_empty()).then_some(Untried { plans: open, stage })
    }

    /// Runs each plan once; returns those whose runs were cut.
    fn stage(&mut self, plans: Vec<Plan>, stage: Stage) -> Vec<Plan> {
        let mut left = stage.total;
        let mut cut = Vec::new();
        let mut plans = plans.into_iter();
        for plan in plans.by_ref() {
            if self.is_over() {
                return Vec::new();
            }
            let ran = self.attempts(plan, stage.run, &mut left);
            if ran.ending == Ending::Cut {
                cut.push(plan);
            }
            // Without inputs all plans do the same.
            if !ran.took_inputs && ran.ending != Ending::Cut {
                return Vec::new();
            }
            if left == 0 || !ran.took_inputs {
                break;
            }
        }
        cut.extend(plans);
        cut
    }

    /// Runs a plan until no assumption refuses its values.
    fn attempts(&mut self, plan: Plan, steps: u64, left: &mut u64) -> Ran {
        let mut avoided = BTreeSet::new();
        let mut ran = Ran { ending: Ending::Over, took_inputs: false };
        for attempt in 0..ATTEMPTS {
            let steps = steps.min(*left);
            let most = (steps / INPUT_STEPS) as usize;
            let mut drawer =
                Drawer::new(plan, attempt, most, &self.vocabulary, &mut self.experience, &mut avoided);
            let execution = run(self.program, steps, self.limits, &mut drawer);
            let ending = ending(&execution.outcome);
            let inputs = drawer.finish(ending == Some(Ending::Refused));
            // Starting a run takes time too, and more of it for a large program.
            let start = self.program.exprs.len() as u64;
            *left = left.saturating_sub(execution.steps + INPUT_STEPS * inputs.len() as u64 + start);
            self.observer.on(Event::TestRun);
            let took_inputs = !inputs.is_empty();
            let ending = ending.unwrap_or(Ending::Over);
            if let Outcome::Violation { kind, span } = execution.outcome {
                let instance = Instance { error: kind, span };
                if !self.found.iter().any(|(known, _)| *known == instance) {
                    self.found.push((instance, inputs));
                }
            }
            ran = Ran { ending, took_inputs };
            self.takes_inputs |= ran.took_inputs;
            if ending != Ending::Refused || !ran.took_inputs || *left == 0 {
                break;
            }
        }
        ran
    }
}

/// How a run ended; nothing if in a violation.
fn ending(outcome: &Outcome) -> Option<Ending> {
    match outcome {
        Outcome::Violation { .. } => None,
        Outcome::LimitReached { limit: Limit::Steps, .. } | Outcome::InputsExhausted { .. } => {
            Some(Ending::Cut)
        }
        // Many programs say what they assume with `abort`.
        Outcome::AssumptionFailed { .. } | Outcome::Halted { kind: Halt::Abort, .. } => Some(Ending::Refused),
        _ => Some(Ending::Over),
    }
}

fn run(program: &Program, steps: u64, limits: &Limits, drawer: &mut Drawer<'_>) -> Execution {
    let config = Config {
        uninitialized: Uninitialized::Input,
        step_limit: Some(steps),
        memory_limit: MEMORY,
        cancelled: limits.cancellation().cloned(),
        ..Config::default()
    };
    let companions = Companions { source: Some(drawer), ..Companions::default() };
    run_with(program, &config, &mut Silence, companions)
}

/// Takes what the program writes, and has nothing to read.
struct Silence;

impl Console for Silence {
    fn write(&mut self, _: Stream, _: &[u8]) {}

    fn read(&mut self) -> Option<u8> {
        None
    }
}
