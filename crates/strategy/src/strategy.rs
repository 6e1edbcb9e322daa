//! Strategies as values, and how they are run.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rorqual_engines::{Engine, Inference, Task};
use rorqual_evidence::{Observer, Reason, Verdict};
use rorqual_solver::{Deadline, GaveUp, Limits};

use crate::condition::Condition;
use crate::contracts::ContractInference;
use crate::facts::{FactInference, LookAhead};
use crate::judge::{Judge, Judged};
use crate::race::{self, Ration};

/// What an engine gets beside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Help {
    /// Nothing: the engine does what its paper says.
    None,
    /// Inferred facts about points, and perhaps a bounded search ahead of its own.
    Facts(Option<LookAhead>),
    /// Inferred contracts of functions and loops.
    Contracts,
}

/// A way to search a program.
#[derive(Clone)]
pub enum Strategy {
    /// An engine, and what helps it.
    Engine(Arc<dyn Engine>, Help),
    /// One part after the other, until one has the answer.
    Sequence(Vec<Part>),
    /// All at once, until one has the answer. Where there is one thread only, one after the other.
    Race(Vec<Part>, Ration),
    /// For a part of the time only. What is found in that time is checked without this limit.
    AtMost(Portion, Box<Strategy>),
    /// The program without models of library functions: these may do anything, so only proofs count.
    WithoutModels(Box<Strategy>),
}

/// A part of the time that there is for a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Portion {
    /// Which part.
    pub part: f64,
    /// It is never longer than this.
    pub most: Duration,
}

impl Portion {
    /// The time, given all that there is.
    fn of(self, all: Option<Duration>) -> Duration {
        all.map_or(self.most, |all| all.mul_f64(self.part).min(self.most))
    }
}

impl fmt::Display for Portion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} % of the time, but at most {:?}", self.part * 100.0, self.most)
    }
}

/// A part of a sequence.
#[derive(Debug, Clone)]
pub struct Part {
    /// Why it is there.
    pub why: &'static str,
    /// When it is tried.
    pub when: Condition,
    /// What is tried.
    pub what: Strategy,
}

impl Strategy {
    /// An engine alone.
    pub fn engine(engine: impl Engine + 'static) -> Strategy {
        Strategy::Engine(Arc::new(engine), Help::None)
    }

    /// An engine with help.
    #[must_use]
    pub fn with(engine: impl Engine + 'static, help: Help) -> Strategy {
        Strategy::Engine(Arc::new(engine), help)
    }

    /// Runs the strategy: the outcome that was accepted, or else the open one that says most. None if nothing was tried.
    pub fn run<J: Judge>(&self, run: &mut Run<'_, J>, task: &Task<'_>) -> Option<Judged<J::Outcome>> {
        match self {
            Strategy::Engine(engine, help) => Some(run.engine(engine.as_ref(), *help, task)),
            Strategy::Sequence(parts) => run.sequence(parts, task),
            Strategy::Race(parts, ration) => race::run(parts, *ration, run, task),
            Strategy::AtMost(portion, strategy) => {
                let end = run.end.into_iter().chain(Deadline::after(portion.of(run.time))).min();
                let mut run = Run { end, observer: &mut *run.observer, ..*run };
                strategy.run(&mut run, task)
            }
            Strategy::WithoutModels(strategy) => {
                let task = task.without_models.as_deref()?;
                let mut run = Run { only_proofs: true, observer: &mut *run.observer, ..*run };
                strategy.run(&mut run, task)
            }
        }
    }

    /// The strategy as lines for people: what is tried for a task, and what is not.
    pub fn describe(&self, task: &Task<'_>, depth: usize, lines: &mut Vec<String>) {
        let indent = "  ".repeat(depth);
        match self {
            Strategy::Engine(..) => lines.push(format!("{indent}{self}")),
            Strategy::Sequence(parts) => describe_parts(parts, task, depth, lines),
            Strategy::Race(parts, _) => {
                lines.push(format!("{indent}at the same time, if there are threads for it:"));
                describe_parts(parts, task, depth + 1, lines);
            }
            Strategy::AtMost(portion, strategy) => {
                lines.push(format!("{indent}for {portion}:"));
                strategy.describe(task, depth + 1, lines);
            }
            Strategy::WithoutModels(strategy) => {
                lines.push(format!("{indent}without models of library functions, for proofs only:"));
                strategy.describe(task.without_models.as_deref().unwrap_or(task), depth + 1, lines);
            }
        }
    }
}

/// The parts as lines, and why some are not tried.
fn describe_parts(parts: &[Part], task: &Task<'_>, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    for part in parts {
        let holds = part.when.holds(task, false);
        let mark = if holds { "" } else { "not tried: " };
        let when = match (part.when, holds) {
            (Condition::Always, _) => String::new(),
            (condition, true) => format!(", as {}", condition.text()),
            (condition, false) => format!(", only if {}", condition.text()),
        };
        lines.push(format!("{indent}- {mark}{}{when}", part.why));
        if holds {
            part.what.describe(task, depth + 1, lines);
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Engine(engine, help) => {
                write!(f, "{}: {}", engine.name(), engine.summary())?;
                match help {
                    Help::None => Ok(()),
                    Help::Facts(None) => f.write_str("; with inferred facts"),
                    Help::Facts(Some(_)) => f.write_str("; with inferred facts and a bounded search ahead"),
                    Help::Contracts => f.write_str("; with inferred contracts"),
                }
            }
            Strategy::Sequence(_) => f.write_str("one after the other"),
            Strategy::Race(..) => f.write_str("at the same time"),
            Strategy::AtMost(portion, strategy) => write!(f, "for {portion}: {strategy}"),
            Strategy::WithoutModels(strategy) => write!(f, "without models of library functions: {strategy}"),
        }
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a run of a strategy needs.
pub struct Run<'a, J: Judge> {
    /// Who looks at evidence.
    pub judge: &'a J,
    /// When to stop.
    pub limits: &'a Limits,
    /// Who learns what happens.
    pub observer: &'a mut (dyn Observer + Send),
    /// How many threads there may be.
    pub threads: usize,
    /// Whether test runs were made for the same program with at least the same checks.
    pub is_tested: bool,
    /// Whether only proofs count.
    pub only_proofs: bool,
    /// How long it may take, if that is known.
    pub time: Option<Duration>,
    /// When engines have to end before the limits say so.
    pub end: Option<Deadline>,
}

impl<J: Judge> Run<'_, J> {
    fn engine(&mut self, engine: &dyn Engine, help: Help, task: &Task<'_>) -> Judged<J::Outcome> {
        let mut inference: Box<dyn Inference> = match help {
            Help::None => Box::new(()),
            Help::Facts(look_ahead) => Box::new(FactInference::new(task, look_ahead)),
            Help::Contracts => Box::new(ContractInference::default()),
        };
        let limits = match self.end {
            Some(end) => &self.limits.clone().with_deadline(end),
            None => self.limits,
        };
        let mut answer = engine.run(task, inference.as_mut(), limits, self.observer);
        // Its own time being over is no reason for the whole to end.
        if let Verdict::Unknown(Reason::Limit(GaveUp::Time)) = answer.verdict
            && self.limits.spent().is_none()
        {
            answer.verdict = Verdict::Unknown(Reason::Solver(GaveUp::Time));
        }
        // A violation that does not count must not be an outcome, not even an open one.
        if self.only_proofs && matches!(answer.verdict, Verdict::Unsafe(_)) {
            answer.verdict = Verdict::Unknown(Reason::OutOfIdeas);
            answer.further.clear();
        }
        self.judge.judge(task, answer, self.limits)
    }

    fn sequence(&mut self, parts: &[Part], task: &Task<'_>) -> Option<Judged<J::Outcome>> {
        let mut open: Option<J::Outcome> = None;
        for part in parts {
            if open.is_some() && self.limits.spent().is_some() {
                break;
            }
            if !part.when.holds(task, self.is_tested) {
                continue;
            }
            match part.what.run(self, task) {
                Some(Judged::Open(outcome)) => {
                    open = Some(match open {
                        Some(earlier) => self.judge.prefer(earlier, outcome),
                        None => outcome,
                    });
                }
                accepted @ Some(Judged::Accepted(_)) => return accepted,
                None => {}
            }
        }
        open.map(Judged::Open)
    }
}
