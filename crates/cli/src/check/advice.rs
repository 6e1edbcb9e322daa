//! A way forward where there is no verdict: what was tried, what stands in the way, and what to try next.

use std::fmt::Write;

use rorqual::{Attempt, Round, Unknown};
use rorqual_cfa::Check;
use rorqual_evidence::Reason;
use rorqual_interpreter::Undefined;
use rorqual_solver::GaveUp;
use rorqual_source::Span;

use super::choice::AUTO;
use super::report::{Report, place};
use crate::quantities::duration_text;

/// A next try has so many times the time or the bound.
const MORE: u32 = 4;

impl Report<'_> {
    /// What stands in the way.
    pub(crate) fn in_the_way(&self, round: &Round, unknown: &Unknown) -> Option<String> {
        let place = |span: Span| place(&round.program, span);
        if let [(span, count), ..] = cut_loops(round, unknown) {
            let place = place(*span);
            return Some(format!(
                "the loop at {place} goes on after {count} iterations, and no invariant was found"
            ));
        }
        let (span, count) = self.counters.most_unrolled().filter(|&(_, count)| count > 1)?;
        Some(format!("the loop at {} was unrolled {count} times without a proof", place(span)))
    }

    /// What to try next.
    pub(crate) fn next(&self, round: &Round, unknown: &Unknown) -> Option<String> {
        let is_auto = self.choice.name == AUTO;
        match unknown {
            Unknown::RestsOnUndefined { kind, .. } | Unknown::UndefinedBefore { kind, .. } => {
                let check = check_of(kind)?;
                Some(format!("`{}` finds all such places", command(&["--check"], &["--check", check.name()])))
            }
            Unknown::Undecided(Reason::Unsupported { .. } | Reason::Unmodelled { .. })
            | Unknown::Approximated { .. }
            | Unknown::NotReplayed { .. } => None,
            Unknown::Undecided(Reason::Bound { loops }) if !is_auto => {
                let most = loops.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
                let bound = most.saturating_mul(MORE.into()).to_string();
                let further = command(&BOUNDS, &["--engine", "bmc", "--unwind", &bound]);
                Some(format!("`{further}` goes further; `{}` also looks for proofs", command(&SEARCH, &[])))
            }
            Unknown::Undecided(_) | Unknown::Unconfirmed { .. } if !is_auto => {
                Some(format!("`{}` tries more", command(&SEARCH, &[])))
            }
            Unknown::Undecided(_) | Unknown::Unconfirmed { .. } => Some(self.more(round, unknown)),
        }
    }

    /// More of the same, where all was tried.
    fn more(&self, round: &Round, unknown: &Unknown) -> String {
        if let Some((_, count)) = cut_loops(round, unknown).iter().max_by_key(|(_, count)| *count) {
            let bound = count.saturating_mul(MORE.into()).max(1).to_string();
            let command = command(&SEARCH, &["--engine", "bmc", "--unwind", &bound]);
            return format!(
                "`{command}` looks for violations further in; `__VERIFIER_assume` on what decides how often the loop runs makes a proof possible"
            );
        }
        let limit =
            self.arguments.time_limit.0.map_or_else(|| "1h".to_owned(), |limit| duration_text(limit * MORE));
        format!("`{}` has more time", command(&["--time-limit"], &["--time-limit", &limit]))
    }
}

/// What was tried, one line for each technique.
pub(crate) fn tried(round: &Round) -> String {
    let mut text = String::new();
    for attempt in &round.attempts {
        let (origin, seconds) = (&attempt.origin, attempt.time.as_secs_f64());
        let _ = writeln!(text, "  tried {origin}, {seconds:.1} s: {}", ended(round, attempt));
    }
    text
}

/// How an attempt ended, in a few words.
pub(crate) fn ended(round: &Round, attempt: &Attempt) -> String {
    let place = |span: Span| place(&round.program, span);
    match &attempt.reason {
        None => "found an answer that was not confirmed".to_owned(),
        Some(Reason::Limit(_)) => "ended by the limit".to_owned(),
        Some(Reason::Bound { loops }) => {
            let each =
                |(span, count): &(Span, u64)| format!("{count} iterations of the loop at {}", place(*span));
            let all = loops.iter().map(each).collect::<Vec<String>>().join(", ");
            format!("no violation within {all}")
        }
        Some(Reason::Unsupported { construct, span }) => {
            format!("{construct} is not supported ({})", place(*span))
        }
        Some(Reason::Unmodelled { function, span }) => {
            format!("a violation rests on the result of `{function}` ({})", place(*span))
        }
        Some(Reason::Solver(GaveUp::Conflicts)) => "the solver's budget was used up".to_owned(),
        Some(Reason::Solver(reason)) => reason.to_string(),
        Some(Reason::OutOfIdeas) => "nothing found".to_owned(),
    }
}

/// The loops that a bounded search has cut, with their bounds.
fn cut_loops<'r>(round: &'r Round, unknown: &'r Unknown) -> &'r [(Span, u64)] {
    let last = match unknown {
        Unknown::Undecided(reason) => Some(reason),
        _ => None,
    };
    let tried = round.attempts.iter().filter_map(|attempt| attempt.reason.as_ref());
    let mut bounds = tried.chain(last).filter_map(|reason| match reason {
        Reason::Bound { loops } => Some(loops.as_slice()),
        _ => None,
    });
    bounds.next_back().unwrap_or_default()
}

/// The command of the user with other settings.
fn command(without: &[&str], with: &[&str]) -> String {
    let mut words = vec!["rorqual".to_owned()];
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let flag = argument.split('=').next().unwrap_or("");
        if !without.contains(&flag) {
            words.push(quoted(argument));
        } else if !argument.contains('=') {
            arguments.next();
        }
    }
    words.extend(with.iter().map(|&word| word.to_owned()));
    words.join(" ")
}

/// The flags that say how to search.
const SEARCH: [&str; 5] = ["--engine", "--strategy", "--unwind", "--unwindset", "--depth"];
/// Those, if there are bounds.
const BOUNDS: [&str; 3] = ["--engine", "--strategy", "--unwind"];

/// A word as a shell takes it.
fn quoted(word: String) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The check that finds something undefined.
fn check_of(kind: &Undefined) -> Option<Check> {
    Some(match kind {
        Undefined::DivisionByZero => Check::DivZero,
        Undefined::QuotientOverflow { .. } | Undefined::SignedOverflow { .. } => Check::Overflow,
        Undefined::ShiftCount { .. } => Check::Shift,
        Undefined::ZerosOfZero => Check::BitScan,
        Undefined::NullPointer { .. } => Check::Null,
        Undefined::InvalidPointer { .. } | Undefined::OutOfBounds { .. } => Check::Bounds,
        Undefined::Dangling { .. } => Check::UseAfterFree,
        _ => return None,
    })
}
