//! What the end of a checker's process means, by the contract of its command line: the first line
//! of standard output, and the exit code, which must agree.

use std::time::Duration;

use crate::process::{Ending, Finished};
use crate::sys;
use crate::{Class, Evidence, Reason, Verdict};

/// The exit code for wrong arguments.
pub(crate) const USAGE: i32 = 64;

/// The answer of `rorqual check`. An answer that came after a limit does not count.
pub(crate) fn verdict(finished: &Finished, time_limit: Duration, memory_limit: u64) -> Verdict {
    match finished.ending {
        Ending::Time => unknown(Class::Timeout, "timeout"),
        Ending::Memory => unknown(Class::Memory, "out of memory"),
        Ending::Cancelled => unknown(Class::GaveUp, "interrupted"),
        Ending::Signal(signal) => unknown(Class::Crash, &crash_by(signal)),
        Ending::Code(_) if finished.resources.cpu > time_limit => unknown(Class::Timeout, "timeout"),
        Ending::Code(_) if finished.resources.memory > memory_limit => {
            unknown(Class::Memory, "out of memory")
        }
        Ending::Code(code) => answer(code, finished),
    }
}

fn answer(code: i32, finished: &Finished) -> Verdict {
    let line = finished.output.lines().next().unwrap_or("").trim();
    let complaint = first_line(&finished.messages);
    match code {
        0 if line == "safe" || line.starts_with("safe, assuming ") => Verdict::Safe,
        10 if line == "unsafe" || line.starts_with("unsafe:") => Verdict::Unsafe,
        20 if line.starts_with("unknown") => {
            let reason = line.trim_start_matches("unknown").trim_start_matches(':').trim();
            unknown(Class::of_answer(reason), if reason.is_empty() { "no reason given" } else { reason })
        }
        USAGE | 65 => unknown(Class::Refused, &format!("refused{}", after_colon(complaint))),
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
            Verdict::Unknown(Reason { class, text }) => format!("{class} | {text}"),
            answer => answer.to_string(),
        }
    }

    #[test]
    fn answers_are_read_from_line_and_code() {
        assert_eq!(judged(Ending::Code(0), "safe\n", ""), "safe");
        assert_eq!(judged(Ending::Code(0), "safe, assuming that `f` writes nothing\n", ""), "safe");
        assert_eq!(judged(Ending::Code(10), "unsafe: the assertion at a.c:3 can fail\n", ""), "unsafe");
        let reason = "unknown: the loop at a.c:3 was unrolled 61 times\n  = help: …\n";
        assert_eq!(judged(Ending::Code(20), reason, ""), "gave up | the loop at a.c:3 was unrolled 61 times");
    }

    #[test]
    fn a_line_without_its_code_is_no_answer() {
        assert_eq!(judged(Ending::Code(10), "safe\n", ""), "crash | crash (exit code 10)");
        assert_eq!(judged(Ending::Code(0), "", ""), "crash | crash (exit code 0)");
        assert_eq!(judged(Ending::Code(0), "unsafe: x\n", ""), "crash | crash (exit code 0)");
        assert_eq!(
            judged(Ending::Code(70), "", "internal error: x\n"),
            "crash | crash (exit code 70): internal error: x"
        );
        assert_eq!(judged(Ending::Signal(libc::SIGSEGV), "safe\n", ""), "crash | crash (signal 11, SIGSEGV)");
    }

    #[test]
    fn limits_and_refusals_are_told_apart() {
        assert_eq!(judged(Ending::Time, "safe\n", ""), "timeout | timeout");
        assert_eq!(judged(Ending::Memory, "", ""), "memory | out of memory");
        assert_eq!(judged(Ending::Code(65), "", "error: bad\n"), "refused | refused: error: bad");
    }

    #[test]
    fn an_answer_after_the_limit_does_not_count() {
        let safe = finished(Ending::Code(0), "safe\n", "");
        let class = |verdict| match verdict {
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
