//! What is told of an outcome, whatever it is told in.

use rorqual::{Conclusion, Outcome, Property, Reached, Refutation, Round, Unknown};
use rorqual_cfa::{Check, ErrorKind, Program};
use rorqual_evidence::{Reason, assumptions_text};
use rorqual_solver::GaveUp;
use rorqual_source::Span;

use super::arguments::CheckArguments;
use super::choice::Choice;
use super::progress::Counters;
use super::watch::{Bounds, Cause};
use crate::exit::Status;
use crate::quantities::duration_text;

/// An outcome, and how it was found.
pub(crate) struct Report<'a> {
    pub(crate) outcome: &'a Outcome,
    pub(crate) arguments: &'a CheckArguments,
    pub(crate) choice: &'a Choice,
    pub(crate) checks: &'a [Check],
    pub(crate) counters: &'a Counters,
    pub(crate) cause: Option<Cause>,
}

/// Why there is no verdict, as a word for programs and in words for people.
pub(crate) struct Why {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    /// The place that decides, if there is one.
    pub(crate) span: Option<Span>,
}

/// What is said about a check or a property.
pub(crate) struct Line<'a> {
    pub(crate) check: Check,
    /// The property, by its place in the outcome, if it is about one.
    pub(crate) property: Option<usize>,
    /// `safe`, `unsafe`, `unknown`, or `warning`
    pub(crate) word: &'static str,
    /// What there is to say about it; nothing for most proofs.
    pub(crate) message: String,
    /// Where a violation is.
    pub(crate) span: Option<Span>,
    /// The answer that it comes from.
    pub(crate) round: Option<&'a Round>,
}

impl Line<'_> {
    /// The verdict as people read it.
    pub(crate) fn verdict(&self) -> String {
        match (self.word, self.message.as_str()) {
            (word, "") => word.to_owned(),
            ("safe", assuming) => format!("safe, {assuming}"),
            (word, message) => format!("{word}: {message}"),
        }
    }
}

/// Where something is.
pub(crate) fn place(program: &Program, span: Span) -> String {
    let position = program.sources.position(span);
    format!("{}:{}", position.file, position.line)
}

/// What a violation is.
pub(crate) fn violation(program: &Program, refutation: &Refutation) -> String {
    let place = place(program, refutation.span());
    match refutation.error() {
        ErrorKind::Assertion => format!("the assertion at {place} can fail"),
        ErrorKind::Call { function } => format!("`{function}` can be called at {place}"),
        ErrorKind::Check { what, .. } => format!("{what} at {place}"),
    }
}

/// Why a limit, or the user, ended a search.
pub(crate) fn interruption(bounds: Bounds, cause: Option<Cause>) -> (&'static str, String) {
    match (cause, bounds) {
        (Some(Cause::Time), Bounds { cpu_time: Some(limit), .. }) => {
            ("time-limit", format!("time limit of {} reached", duration_text(limit)))
        }
        (Some(Cause::Memory), Bounds { memory: Some(limit), .. }) => {
            ("memory-limit", format!("memory limit of {} MB reached", limit / 1_000_000))
        }
        (Some(Cause::Time), _) => ("time-limit", "time limit reached".to_owned()),
        (Some(Cause::Memory), _) => ("memory-limit", "memory limit reached".to_owned()),
        (Some(Cause::User), _) => ("interrupted", "interrupted".to_owned()),
        (None, _) => ("time-limit", "the share of the time for this was used up".to_owned()),
    }
}

impl<'a> Report<'a> {
    /// The round that decides, as a line, and the exit code.
    pub(crate) fn decisive(&self) -> (Line<'a>, Status) {
        let round = self.outcome.decisive();
        let mut line = self.line(round, round.checks.first().copied().unwrap_or(Check::Assertions));
        // One of several that is not known is named.
        if let ("unknown", [at]) = (line.word, round.properties.as_slice())
            && self.outcome.properties.len() > 1
        {
            line.message = format!("{}: {}", self.outcome.properties[*at].name, line.message);
        }
        let status = match &round.conclusion {
            _ if self.outcome.has_defect() => Status::InternalError,
            Conclusion::Safe(_) => Status::Success,
            Conclusion::Unsafe(_) => Status::Violation,
            Conclusion::Unknown(_) => Status::Unknown,
        };
        (line, status)
    }

    /// What an answer says.
    fn line(&self, round: &'a Round, check: Check) -> Line<'a> {
        let (word, message, span) = match &round.conclusion {
            // A proof is worth as much as what it rests on, so the verdict says so.
            Conclusion::Safe(_) => match self.outcome.assumptions_of(round).as_slice() {
                [] => ("safe", String::new(), None),
                assumptions => ("safe", format!("assuming {}", assumptions_text(assumptions)), None),
            },
            Conclusion::Unsafe(refutation) => {
                ("unsafe", violation(&round.program, refutation), Some(refutation.span()))
            }
            Conclusion::Unknown(unknown) => ("unknown", self.why(round, unknown).text, None),
        };
        Line { check, property: None, word, message, span, round: Some(round) }
    }

    /// What is said of each property, in the order of their names.
    pub(crate) fn property_lines(&self) -> Vec<Line<'a>> {
        let properties = self.outcome.properties.iter().enumerate();
        let line = |(at, property): (usize, &'a Property)| {
            let instance = &property.instance;
            let line = match self.outcome.of_property(at) {
                Some(round) => self.line(round, instance.check()),
                None => Line {
                    check: instance.check(),
                    property: None,
                    word: "unknown",
                    message: "the first violation ended the check".to_owned(),
                    span: None,
                    round: None,
                },
            };
            Line { property: Some(at), span: Some(instance.span), ..line }
        };
        properties.map(line).collect()
    }

    /// The lines for all checks, in their order.
    pub(crate) fn lines(&self) -> Vec<Line<'a>> {
        let mut lines = Vec::new();
        for &check in self.checks {
            if check == Check::UnreachableCode {
                lines.extend(self.reached());
            }
            if self.outcome.silent.contains(&check) {
                let (word, message) = ("safe", String::new());
                lines.push(Line { check, property: None, word, message, span: None, round: None });
            }
            lines.extend(self.outcome.of_check(check).first().map(|round| self.line(round, check)));
        }
        lines
    }

    fn reached(&self) -> Vec<Line<'a>> {
        let place = |span: Span| place(&self.outcome.decisive().program, span);
        let check = Check::UnreachableCode;
        let line = |word, message, span| Line { check, property: None, word, message, span, round: None };
        let told = |one: &Reached| match one.answer {
            Some(true) => None,
            Some(false) => {
                let text = format!("no execution reaches the assertion at {}", place(one.span));
                Some(line("warning", text, Some(one.span)))
            }
            None => {
                let text = format!("whether the assertion at {} is reached", place(one.span));
                Some(line("unknown", text, Some(one.span)))
            }
        };
        let lines: Vec<Line<'a>> = self.outcome.reached.iter().filter_map(told).collect();
        if lines.is_empty() { vec![line("safe", String::new(), None)] } else { lines }
    }

    /// Why there is no verdict.
    pub(crate) fn why(&self, round: &Round, unknown: &Unknown) -> Why {
        let place = |span: Span| place(&round.program, span);
        let label = &self.choice.label;
        let (kind, text, span) = match unknown {
            Unknown::Undecided(reason) => return self.undecided(round, reason),
            Unknown::Approximated { what, span } => {
                let text = format!("the only violation found rests on {what}, which is not modelled exactly");
                ("approximated", text, Some(*span))
            }
            Unknown::UndefinedBefore { kind, span } => {
                let place = place(*span);
                let text =
                    format!("the only violation found comes after undefined behaviour at {place}: {kind}");
                ("undefined-before", text, Some(*span))
            }
            Unknown::RestsOnUndefined { kind, span, .. } => {
                let place = place(*span);
                let text = format!("the proof rests on undefined behaviour that happens at {place}: {kind}");
                ("rests-on-undefined", text, Some(*span))
            }
            Unknown::Unconfirmed { .. } => {
                let text = format!("a proof was found that the checker does not follow ({label})");
                ("unconfirmed", text, None)
            }
            Unknown::NotReplayed { .. } => {
                let text = "an error trace does not replay, which is a defect of rorqual".to_owned();
                ("defect", text, None)
            }
        };
        Why { kind, text, span }
    }

    fn undecided(&self, round: &Round, reason: &Reason) -> Why {
        let place = |span: Span| place(&round.program, span);
        let label = &self.choice.label;
        let (kind, text, span) = match reason {
            Reason::Unsupported { construct, span } => {
                ("unsupported", format!("{construct} is not supported ({})", place(*span)), Some(*span))
            }
            Reason::Unmodelled { function, span } => {
                let text = format!(
                    "the only violation found rests on the result of `{function}`, which is not modelled exactly ({})",
                    place(*span)
                );
                ("unmodelled", text, Some(*span))
            }
            Reason::Bound { loops } => {
                let each = |(span, count): &(Span, u64)| format!("{count} of the loop at {}", place(*span));
                let all = loops.iter().map(each).collect::<Vec<String>>().join(", ");
                let text = format!("no violation in executions with at most so many iterations: {all}");
                ("bound", text, loops.first().map(|(span, _)| *span))
            }
            Reason::OutOfIdeas => {
                ("gave-up", format!("nothing was found, and nothing is left to try ({label})"), None)
            }
            Reason::Limit(_) => {
                let (kind, limit) = interruption(self.bounds(), self.cause);
                let refinements = self.counters.refinements;
                (kind, format!("{limit} after {refinements} refinements ({label})"), None)
            }
            Reason::Solver(GaveUp::Unsupported(what)) => {
                ("unsupported", format!("{what} is not supported by the solver ({label})"), None)
            }
            Reason::Solver(reason) => ("gave-up", format!("{reason} ({label})"), None),
        };
        Why { kind, text, span }
    }

    fn bounds(&self) -> Bounds {
        Bounds { cpu_time: self.arguments.time_limit.0, memory: self.arguments.memory_limit }
    }
}
