//! What the end of a checker's process means, by the contract of its command line: the JSON document on standard output,
//! and the exit code, which must agree.

use std::time::Duration;

use serde::Deserialize;

use crate::process::{Ending, Finished};
use crate::sys;
use crate::{Class, Evidence, Reason, Verdict};

/// The exit code for wrong arguments.
pub(crate) const USAGE: i32 = 64;

/// What is read of the document of `rorqual check --format json`.
#[derive(Debug, Default, Deserialize)]
struct Document {
    verdict: String,
    #[serde(default)]
    reason: Why,
    #[serde(default)]
    origin: Origin,
}

#[derive(Debug, Default, Deserialize)]
struct Why {
    kind: String,
    text: String,
}

#[derive(Debug, Default, Deserialize)]
struct Origin {
    technique: String,
    with_facts: bool,
    heap_free: bool,
}

impl Origin {
    /// The technique with what it was given, on one line.
    fn text(&self) -> String {
        let facts = if self.with_facts { " with facts" } else { "" };
        let heap = if self.heap_free { ", heap-free" } else { "" };
        format!("{}{facts}{heap}", self.technique)
    }
}

/// The answer of `rorqual check`, and what found it. An answer that came after a limit does not count.
pub(crate) fn verdict(finished: &Finished, time_limit: Duration, memory_limit: u64) -> (Verdict, String) {
    let document: Option<Document> = serde_json::from_str(&finished.output).ok();
    let verdict = verdict_of(finished, document.as_ref(), time_limit, memory_limit);
    let origin = match (&verdict, document) {
        (Verdict::Safe | Verdict::Unsafe, Some(document)) => document.origin.text(),
        _ => String::new(),
    };
    (verdict, origin)
}

fn verdict_of(
    finished: &Finished,
    document: Option<&Document>,
    time_limit: Duration,
    memory_limit: u64,
) -> Verdict {
    match finished.ending {
        Ending::Time => unknown(Class::Timeout, "timeout"),
        Ending::Memory => unknown(Class::Memory, "out of memory"),
        Ending::Cancelled => unknown(Class::GaveUp, "interrupted"),
        Ending::Signal(signal) => unknown(Class::Crash, &crash_by(signal)),
        Ending::Code(_) if finished.resources.cpu > time_limit => unknown(Class::Timeout, "timeout"),
        Ending::Code(_) if finished.resources.memory > memory_limit => {
            unknown(Class::Memory, "out of memory")
        }
        Ending::Code(code) => answer(code, finished, document),
    }
}

fn answer(code: i32, finished: &Finished, document: Option<&Document>) -> Verdict {
    let complaint = first_line(&finished.messages);
    let word = document.map_or("", |document| &document.verdict);
    match (code, word) {
        (0, "safe") => Verdict::Safe,
        (10, "unsafe") => Verdict::Unsafe,
        (20, "unknown") => {
            let why = document.map(|document| &document.reason);
            let text = why.map_or("", |why| &why.text);
            let class = Class::of_kind(why.map_or("", |why| &why.kind));
            unknown(class, if text.is_empty() { "no reason given" } else { text })
        }
        (USAGE | 65, _) => unknown(Class::Refused, &format!("refused{}", after_colon(complaint))),
        _ => unknown(Class::Crash, &format!("crash (exit code {code}){}", after_colon(complaint))),
    }
}

/// What `rorqual certify` or `rorqual replay` says: `accepted` if it exits with `code`.
pub(crate) fn evidence(finished: &Finished, code: i32, accepted: Evidence) -> Evidence {
    let reason = match finished.ending {
        Ending::Code(actual) if actual == code => return accepted,
        Ending::Code(actual) => match rejection(finished) {
            "" => format!("exit code {actual}"),
            text => text.to_owned(),
        },
        Ending::Signal(signal) => crash_by(signal),
        Ending::Time => "its check reached the time limit".to_owned(),
        Ending::Memory => "its check reached the memory limit".to_owned(),
        Ending::Cancelled => "interrupted".to_owned(),
    };
    Evidence::Rejected(reason)
}

/// The reason in the checker's own words.
fn rejection(finished: &Finished) -> &str {
    let line = match first_line(&finished.output) {
        "" => first_line(&finished.messages),
        line => line,
    };
    line.strip_prefix("rejected:").unwrap_or(line).trim()
}

fn unknown(class: Class, text: &str) -> Verdict {
    // Results are one line each.
    let text = text.replace(|c: char| c.is_control(), " ");
    Verdict::Unknown(Reason { class, text })
}

fn crash_by(signal: i32) -> String {
    let name = sys::signal_name(signal).map_or(String::new(), |name| format!(", {name}"));
    format!("crash (signal {signal}{name})")
}

fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("")
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::Resources;

    const SECOND: Duration = Duration::from_secs(1);

    fn finished(ending: Ending, output: &str, messages: &str) -> Finished {
        Finished {
            ending,
            resources: Resources { cpu: SECOND, memory: 1000 },
            wall: SECOND,
            output: output.to_owned(),
            messages: messages.to_owned(),
        }
    }

    fn judged(ending: Ending, output: &str, messages: &str) -> String {
        match verdict(&finished(ending, output, messages), SECOND, 1000) {
            (Verdict::Unknown(Reason { class, text }), _) => format!("{class} | {text}"),
            (answer, origin) => format!("{answer} | {origin}"),
        }
    }

    const SAFE: &str = r#"{"version": 2, "verdict": "safe",
        "origin": {"technique": "interpolation", "with_facts": true, "heap_free": false}}"#;

    #[test]
    fn answers_are_read_from_document_and_code() {
        assert_eq!(judged(Ending::Code(0), SAFE, ""), "safe | interpolation with facts");
        let refuted = r#"{"verdict": "unsafe", "message": "the assertion at a.c:3 can fail"}"#;
        assert_eq!(judged(Ending::Code(10), refuted, ""), "unsafe | ");
        let reason = |kind: &str| {
            format!(r#"{{"verdict": "unknown", "reason": {{"kind": "{kind}", "text": "the loop goes on"}}}}"#)
        };
        assert_eq!(judged(Ending::Code(20), &reason("bound"), ""), "gave up | the loop goes on");
        assert_eq!(judged(Ending::Code(20), &reason("time-limit"), ""), "timeout | the loop goes on");
        assert_eq!(judged(Ending::Code(20), &reason("unsupported"), ""), "unsupported | the loop goes on");
    }

    #[test]
    fn a_document_without_its_code_is_no_answer() {
        assert_eq!(judged(Ending::Code(10), SAFE, ""), "crash | crash (exit code 10)");
        assert_eq!(judged(Ending::Code(0), "", ""), "crash | crash (exit code 0)");
        assert_eq!(judged(Ending::Code(0), "safe\n", ""), "crash | crash (exit code 0)");
        assert_eq!(
            judged(Ending::Code(70), "", "internal error: x\n"),
            "crash | crash (exit code 70): internal error: x"
        );
        assert_eq!(judged(Ending::Signal(libc::SIGSEGV), SAFE, ""), "crash | crash (signal 11, SIGSEGV)");
    }

    #[test]
    fn limits_and_refusals_are_told_apart() {
        assert_eq!(judged(Ending::Time, SAFE, ""), "timeout | timeout");
        assert_eq!(judged(Ending::Memory, "", ""), "memory | out of memory");
        assert_eq!(judged(Ending::Code(65), "", "error: bad\n"), "refused | refused: error: bad");
    }

    #[test]
    fn an_answer_after_the_limit_does_not_count() {
        let safe = finished(Ending::Code(0), SAFE, "");
        let class = |judged: (Verdict, String)| match judged.0 {
            Verdict::Unknown(reason) => Some(reason.class),
            _ => None,
        };
        assert_eq!(class(verdict(&safe, Duration::from_millis(999), 1000)), Some(Class::Timeout));
        assert_eq!(class(verdict(&safe, SECOND, 999)), Some(Class::Memory));
    }

    #[test]
    fn evidence_is_accepted_by_its_code_only() {
        let judged = |ending, output: &str| {
            evidence(&finished(ending, output, ""), 0, Evidence::Certified).to_string()
        };
        assert_eq!(judged(Ending::Code(0), ""), "certified");
        assert_eq!(judged(Ending::Code(20), "rejected: consecution fails\n"), "rejected: consecution fails");
        assert_eq!(judged(Ending::Code(70), ""), "rejected: exit code 70");
        assert_eq!(judged(Ending::Time, ""), "rejected: its check reached the time limit");
    }
}
