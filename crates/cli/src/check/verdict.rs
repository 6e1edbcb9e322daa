//! Verdicts as people read them.

use std::fmt::Write;

use rorqual_certificate::Guard;
use rorqual_cfa::{ErrorKind, Program};
use rorqual_engine::{Assumption, Invariant, LocationInvariant, Reason, Trace, assumptions_text};
use rorqual_logic::TermPool;
use rorqual_solver::GaveUp;
use rorqual_source::{Diagnostic, Span};
use rorqual_witness::{Replay, StoryLine, Summary, explain, story_text, summaries};

use super::arguments::{CheckArguments, Engine};
use super::names::NamesIn;
use super::progress::Counters;
use super::rounds::{FoundBy, Round};
use super::watch::{Bounds, Cause, cpu_time};
use crate::exit::Status;
use crate::render::{self, Message};

/// Invariants of so many loops are shown, each cut to so many characters.
const SHOWN_INVARIANTS: usize = 10;
const SHOWN_FORMULA: usize = 400;

/// A verdict whose evidence was looked at.
pub(crate) enum Answer {
    /// The checker has proved it again.
    Safe {
        invariant: Box<Invariant>,
        obligations: usize,
        /// What this proof rests on, beside what every verdict about the program does.
        assumptions: Vec<Assumption>,
        /// Why operations are defined that it rests on.
        guard: Option<Box<Guard>>,
    },
    /// The trace was replayed.
    Unsafe(Box<Replay>),
    Unknown(Reason),
    /// The checker does not follow the proof.
    Unconfirmed {
        obligation: String,
        reason: String,
    },
    /// The only violation that was found rests on something that is not modelled exactly.
    Approximated(Trace),
    /// The only violation that was found comes after undefined behaviour.
    UndefinedBefore {
        kind: String,
        span: Span,
    },
    /// There is a proof, but it rests on operations being defined, and an execution has undefined behaviour there.
    RestsOnUndefined {
        kind: String,
        span: Span,
        story: Vec<StoryLine>,
    },
    /// The trace does not replay, and there is no excuse for it.
    NotReplayed {
        problem: String,
        dump: String,
    },
}

/// What the verdict was found with.
pub(crate) struct Circumstances<'a> {
    pub(crate) arguments: &'a CheckArguments,
    /// The answer, and the program and checks that it is about.
    pub(crate) round: &'a Round,
    pub(crate) counters: &'a Counters,
    pub(crate) cause: Option<Cause>,
    /// What every verdict about the program rests on.
    pub(crate) assumptions: &'a [Assumption],
}

/// The line for a verdict that is not known.
pub(crate) fn unknown(reason: &str) -> String {
    format!("unknown: {reason}")
}

/// The line for a violation.
pub(crate) fn violation(program: &Program, replay: &Replay) -> String {
    let what = match replay.violation() {
        Some((ErrorKind::Assertion, span)) => format!("the assertion at {} can fail", place(program, span)),
        Some((ErrorKind::Call { function }, span)) => {
            format!("`{function}` can be called at {}", place(program, span))
        }
        Some((ErrorKind::Check { what, .. }, span)) => format!("{what} at {}", place(program, span)),
        None => "the specification can be violated".to_owned(),
    };
    format!("unsafe: {what}")
}

fn place(program: &Program, span: Span) -> String {
    let position = program.sources.position(span);
    format!("{}:{}", position.file, position.line)
}

/// The first line when a limit ends the process before the engine has noticed.
pub(crate) fn last_words(engine: Engine, bounds: Bounds, cause: Cause) -> String {
    format!("{}\n", unknown(&format!("{} (engine: {})", limit(bounds, cause), engine.name())))
}

/// Which limit was reached.
fn limit(bounds: Bounds, cause: Cause) -> String {
    match (cause, bounds) {
        (Cause::Time, Bounds { cpu_time: Some(limit), .. }) => format!("time limit of {limit:?} reached"),
        (Cause::Memory, Bounds { memory: Some(limit), .. }) => {
            format!("memory limit of {} MB reached", limit / 1_000_000)
        }
        (Cause::User, _) => "interrupted".to_owned(),
        (Cause::Time, _) => "time limit reached".to_owned(),
        (Cause::Memory, _) => "memory limit reached".to_owned(),
    }
}

impl Circumstances<'_> {
    pub(crate) fn program(&self) -> &Program {
        &self.round.program
    }

    /// The first line of the output, and the exit code.
    pub(crate) fn first_line(&self) -> (String, Status) {
        match &self.round.answer {
            Answer::Safe { .. } => (self.safe(), Status::Success),
            Answer::Unsafe(replay) => (violation(self.program(), replay), Status::Violation),
            Answer::NotReplayed { .. } => {
                let text = "an error trace does not replay, which is a defect of rorqual";
                (unknown(text), Status::InternalError)
            }
            other => (unknown(&self.reason(other)), Status::Unknown),
        }
    }

    /// The verdict in one word.
    pub(crate) fn verdict(&self) -> &'static str {
        match &self.round.answer {
            Answer::Safe { .. } => "safe",
            Answer::Unsafe(_) => "unsafe",
            _ => "unknown",
        }
    }

    /// A proof is worth as much as what it rests on, so the verdict says so.
    fn safe(&self) -> String {
        match self.assumptions().as_slice() {
            [] => "safe".to_owned(),
            assumptions => format!("safe, assuming {}", assumptions_text(assumptions)),
        }
    }

    /// What the answer rests on, sorted.
    pub(crate) fn assumptions(&self) -> Vec<Assumption> {
        let mut all = self.assumptions.to_vec();
        if let Answer::Safe { assumptions, .. } = &self.round.answer {
            all.extend_from_slice(assumptions);
        }
        all.sort();
        all
    }

    pub(crate) fn place(&self, span: Span) -> String {
        place(self.program(), span)
    }

    /// Why there is no verdict, in one line.
    pub(crate) fn reason(&self, answer: &Answer) -> String {
        let engine = self.arguments.engine.name();
        match answer {
            Answer::Unknown(Reason::Unsupported { construct, span }) => {
                format!("{construct} is not supported ({})", self.place(*span))
            }
            Answer::Unknown(Reason::Unmodelled { function, span }) => format!(
                "the only violation found rests on the result of `{function}`, which is not modelled exactly ({})",
                self.place(*span)
            ),
            Answer::Unknown(Reason::Bound { steps, span }) => {
                format!("no violation within {steps} steps, and the loop at {} goes on", self.place(*span))
            }
            Answer::Unknown(Reason::Limit(_)) => {
                let bounds =
                    Bounds { cpu_time: self.arguments.time_limit, memory: self.arguments.memory_limit };
                let limit = self.cause.map_or_else(|| "interrupted".to_owned(), |cause| limit(bounds, cause));
                let refinements = self.counters.refinements;
                format!("{limit} after {refinements} refinements (engine: {engine})")
            }
            Answer::Unknown(Reason::Solver(GaveUp::Unsupported(what))) => {
                format!("{what} is not supported by the solver (engine: {engine})")
            }
            Answer::Unknown(Reason::Solver(reason)) => format!("{reason} (engine: {engine})"),
            Answer::Approximated(trace) => {
                let what = trace.approximations.first().map_or("something", |(what, _)| what);
                format!("the only violation found rests on {what}, which is not modelled exactly")
            }
            Answer::UndefinedBefore { kind, span } => {
                format!(
                    "the only violation found comes after undefined behaviour at {}: {kind}",
                    self.place(*span)
                )
            }
            Answer::RestsOnUndefined { kind, span, .. } => {
                format!(
                    "the proof rests on undefined behaviour that happens at {}: {kind}",
                    self.place(*span)
                )
            }
            Answer::Unconfirmed { .. } => {
                format!("a proof was found that the checker does not follow (engine: {engine})")
            }
            Answer::Safe { .. } | Answer::Unsafe(_) | Answer::NotReplayed { .. } => String::new(),
        }
    }

    /// Everything behind the first line.
    pub(crate) fn details(&self) -> String {
        match &self.round.answer {
            Answer::Safe { invariant, obligations, .. } => self.invariants(invariant, *obligations),
            Answer::Unconfirmed { obligation, reason } => format!(
                "  it is not proved that {obligation}: {reason}\n  = note: the checker knows less about memory than the \
                 engines; until it agrees, no verdict is given\n"
            ),
            Answer::Unsafe(replay) => self.story(replay),
            Answer::Unknown(Reason::Unsupported { span, .. }) => self.picture(
                *span,
                "no verdict is given, because skipping this could hide a bug",
                "leave it out of the program, or replace it by something simpler",
            ),
            Answer::Unknown(Reason::Unmodelled { span, .. }) => self.picture(
                *span,
                "the function has one right result for its arguments, and it is not known here",
                "give a model of the function with `--model FILE`",
            ),
            Answer::Unknown(Reason::Limit(_) | Reason::Solver(_) | Reason::Bound { .. }) => self.divergence(),
            Answer::Approximated(trace) => {
                let span = trace.approximations.first().map_or(Span::NONE, |&(_, span)| span);
                self.picture(
                    span,
                    "the value of this may be anything in the search, so the violation may not be real",
                    "avoid it, or assume something about its result",
                )
            }
            Answer::UndefinedBefore { span, .. } => self.picture(
                *span,
                "a verdict speaks of executions without undefined behaviour up to the violation",
                "mend this place first",
            ),
            Answer::RestsOnUndefined { span, story, .. } => {
                let picture = self.picture(
                    *span,
                    "no execution without undefined behaviour violates the specification, but those that go on after \
                     this may",
                    "fix this place first",
                );
                story_text(self.program(), story) + &picture
            }
            Answer::NotReplayed { problem, dump } => format!(
                "internal error: the trace ends otherwise: {problem}; no verdict is reported\n{dump}\n  = help: \
                 please report this, with the command line and the program\n"
            ),
        }
    }

    fn picture(&self, span: Span, note: &str, help: &str) -> String {
        let content =
            Diagnostic::error("this place decides", span).with_note(note, Span::NONE).with_help(help);
        Message { name: "unknown", content: &content }.render(&self.program().sources, &render::renderer())
    }

    /// The loop that was unrolled most is where a proof would be needed.
    fn divergence(&self) -> String {
        let mut text = String::new();
        if let Some((span, count)) = self.counters.most_unrolled()
            && count > 1
        {
            let place = self.place(span);
            let _ = writeln!(text, "  the loop at {place} was unrolled {count} times without a proof");
        }
        let help = match self.arguments.engine {
            Engine::Impact | Engine::Whale => {
                "try `--engine bmc` to look for a violation, or raise `--time-limit`"
            }
            Engine::Auto | Engine::Bmc => "try `--engine impact`, or raise `--time-limit`",
        };
        let _ = writeln!(text, "  = help: {help}");
        text
    }

    fn story(&self, replay: &Replay) -> String {
        let mut text = story_text(self.program(), &explain(self.program(), replay));
        text += match self.round.found_by {
            FoundBy::Search => "  = trace replayed and confirmed in the interpreter",
            FoundBy::TestRun => "  = found by a test run, replayed and confirmed in the interpreter",
        };
        if let Some(path) = &self.arguments.witness {
            let _ = write!(text, "; witness in {}", path.display());
        }
        if let Some(path) = &self.arguments.harness {
            let _ = write!(text, "; harness in {}", path.display());
        }
        text + "\n"
    }

    fn invariants(&self, invariant: &Invariant, obligations: usize) -> String {
        let mut text = String::new();
        let loops = self.loop_invariants(invariant);
        for (place, formula) in loops.iter().take(SHOWN_INVARIANTS) {
            let cut: String = formula.chars().take(SHOWN_FORMULA).collect();
            let dots = if cut.len() < formula.len() { " …" } else { "" };
            let _ = writeln!(text, "  loop at {place}: {cut}{dots}");
        }
        for summary in self.function_summaries(invariant).into_iter().take(SHOWN_INVARIANTS) {
            let cut: String = summary.chars().take(SHOWN_FORMULA).collect();
            let dots = if cut.len() < summary.len() { " …" } else { "" };
            let _ = writeln!(text, "  {cut}{dots}");
        }
        if loops.len() > SHOWN_INVARIANTS {
            let _ = writeln!(text, "  and invariants of {} more loops", loops.len() - SHOWN_INVARIANTS);
        }
        let _ = write!(text, "  = proof checked again: {obligations} obligations");
        if let Some(path) = &self.arguments.certificate {
            let _ = write!(text, "; certificate in {}", path.display());
        }
        text + "\n"
    }

    /// What functions require and ensure, one line for each.
    fn function_summaries(&self, invariant: &Invariant) -> Vec<String> {
        let all = summaries(self.program(), invariant).into_iter().filter(|summary| !summary.is_loop);
        let line = |summary: Summary| {
            let ensured = summary.summaries.join(" and ");
            format!("function {} requires {} and ensures {ensured}", summary.function, summary.guard)
        };
        all.map(line).collect()
    }

    /// What functions and loops require and ensure, for `show summaries`.
    pub(crate) fn summaries(&self, invariant: &Invariant) -> String {
        let mut text = String::new();
        for summary in summaries(self.program(), invariant) {
            let what = if summary.is_loop { "loop in " } else { "" };
            let _ = writeln!(text, "{what}{} ({})", summary.function, self.place(summary.span));
            let _ = writeln!(text, "  guard: {}", summary.guard);
            for ensured in &summary.summaries {
                let _ = writeln!(text, "  summary: {ensured}");
            }
        }
        text
    }

    /// The invariants at loops, with their places, as people read them.
    pub(crate) fn loop_invariants(&self, invariant: &Invariant) -> Vec<(String, String)> {
        let mut loops = Vec::new();
        for one in &invariant.locations {
            let function = &self.program().functions[one.calls.function(self.program())];
            let Some(body) = &function.body else { continue };
            if let Some(&statement) = body.locations()[one.location].loop_statements.first() {
                let names = NamesIn::new(self.program(), one.calls.function(self.program()));
                loops.push((self.place(statement), for_people(&invariant.pool, one, &names)));
            }
        }
        for contract in &invariant.contracts {
            let body = self.program().functions[contract.function].body.as_ref();
            let head = contract.head.zip(body).map(|(head, body)| &body.locations()[head]);
            if let Some(&statement) = head.and_then(|head| head.loop_statements.first()) {
                let names = NamesIn::new(self.program(), contract.function);
                let guard = invariant.pool.display_with(contract.requires, &names).to_string();
                loops.push((self.place(statement), guard));
            }
        }
        loops
    }

    /// How much work it was.
    pub(crate) fn statistics(&self) -> String {
        let mut text = String::from("statistics:\n");
        for (name, count) in self.counters.named() {
            let _ = writeln!(text, "  {name}: {count}");
        }
        let _ = writeln!(text, "  cpu time: {:.3} s", cpu_time().as_secs_f64());
        text
    }
}

/// An invariant as people read it.
fn for_people(pool: &TermPool, invariant: &LocationInvariant, names: &NamesIn<'_>) -> String {
    let shown = |term| pool.display_with(term, names).to_string();
    let bound: Vec<String> = invariant.bound.iter().map(|&one| shown(one)).collect();
    let formula = shown(invariant.formula);
    if bound.is_empty() { formula } else { format!("for all {}: {formula}", bound.join(", ")) }
}
