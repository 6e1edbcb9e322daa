//! One line for each check.

use rorqual_cfa::Check;
use rorqual_source::Span;

use super::verdict::{Answer, Circumstances};
use super::{Reached, Results, Round};

/// What is said about one check.
pub(crate) struct Line {
    pub(crate) check: Check,
    /// `safe`, `unsafe`, `unknown`, or `warning`
    pub(crate) word: &'static str,
    /// The word, with what there is to say about it.
    pub(crate) verdict: String,
    /// Where a violation is.
    pub(crate) span: Option<Span>,
}

impl Line {
    /// The line of the output.
    pub(crate) fn text(&self) -> String {
        format!("{}: {}\n", self.check, self.verdict)
    }
}

/// The lines for all checks, in their order.
pub(crate) fn lines<'a>(
    results: &'a Results,
    checks: &[Check],
    about: &dyn Fn(&'a Round) -> Circumstances<'a>,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for &check in checks {
        if check == Check::UnreachableCode {
            lines.extend(reached(results, about));
        }
        let Some(round) = results.rounds.iter().find(|round| round.checks.contains(&check)) else { continue };
        let span = match &round.answer {
            Answer::Unsafe(replay) => replay.violation().map(|(_, span)| span),
            _ => None,
        };
        lines.push(Line { check, word: about(round).verdict(), verdict: about(round).first_line().0, span });
    }
    lines
}

fn reached<'a>(results: &'a Results, about: &dyn Fn(&'a Round) -> Circumstances<'a>) -> Vec<Line> {
    let place = |span: Span| about(results.decisive()).place(span);
    let line = |word, verdict: String, span| Line { check: Check::UnreachableCode, word, verdict, span };
    let told = |one: &Reached| match one.answer {
        Some(true) => None,
        Some(false) => {
            let text = format!("warning: no execution reaches the assertion at {}", place(one.span));
            Some(line("warning", text, Some(one.span)))
        }
        None => {
            let text = format!("unknown: whether the assertion at {} is reached", place(one.span));
            Some(line("unknown", text, Some(one.span)))
        }
    };
    let lines: Vec<Line> = results.reached.iter().filter_map(told).collect();
    if lines.is_empty() { vec![line("safe", "safe".to_owned(), None)] } else { lines }
}
