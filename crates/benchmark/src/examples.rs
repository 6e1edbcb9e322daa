//! Rows for tests.

use std::time::Duration;

use crate::{Class, Evidence, Expected, Reason, Row, Search, Settings, Usage, Verdict};

pub(crate) fn settings() -> Settings {
    Settings {
        tool: "rorqual 0.1.0".to_owned(),
        search: Search::Engine("impact".to_owned()),
        threads: 1,
        time_limit: Duration::from_mins(1),
        memory_limit: 4_000_000_000,
        certify: false,
    }
}

fn row(task: &str, expected: Expected, verdict: Verdict, milliseconds: u64) -> Row {
    let cpu = Duration::from_millis(milliseconds);
    let usage = Usage { cpu, wall: cpu + Duration::from_millis(10), memory: 50_000_000 };
    let origin = String::new();
    let evidence = Evidence::None;
    Row { task: task.to_owned(), expected, verdict, origin, usage, evidence, evidence_usage: None }
}

fn answer(expected: Expected) -> Verdict {
    match expected {
        Expected::Safe => Verdict::Safe,
        Expected::Unsafe => Verdict::Unsafe,
    }
}

pub(crate) fn solved(task: &str, expected: Expected, milliseconds: u64) -> Row {
    row(task, expected, answer(expected), milliseconds)
}

pub(crate) fn wrong(task: &str, expected: Expected) -> Row {
    let answer = match expected {
        Expected::Safe => Verdict::Unsafe,
        Expected::Unsafe => Verdict::Safe,
    };
    row(task, expected, answer, 700)
}

pub(crate) fn rejected(task: &str, expected: Expected) -> Row {
    let evidence = Evidence::Rejected("consecution fails at a.c:7, \"x < 3\"".to_owned());
    let evidence_usage = Some(row(task, expected, Verdict::Safe, 30).usage);
    Row { evidence, evidence_usage, ..solved(task, expected, 900) }
}

pub(crate) fn unknown(task: &str, class: Class) -> Row {
    let reason = Reason { class, text: format!("some {class}") };
    row(task, Expected::Safe, Verdict::Unknown(reason), 60_000)
}
