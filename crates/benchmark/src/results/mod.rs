//! Results: one row per task, and the files that hold them (`docs/formats/bench-results.md`).

mod csv;
mod json;
mod read;
mod store;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::{Evidence, Expected, Settings, Status, Verdict};

pub use read::ReadError;
pub use store::{Store, StoreError};

/// The version of the format of result files.
const VERSION: u32 = 2;

/// What became of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The task definition.
    pub task: String,
    /// What it expects.
    pub expected: Expected,
    /// What was answered.
    pub verdict: Verdict,
    /// The technique that found the answer; empty if there is none.
    pub origin: String,
    /// What the answer took.
    pub usage: Usage,
    /// What became of the evidence.
    pub evidence: Evidence,
    /// What its check took, if there was one.
    pub evidence_usage: Option<Usage>,
}

/// What a process used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// CPU time.
    pub cpu: Duration,
    /// Wall time.
    pub wall: Duration,
    /// The most memory held at a time, in bytes.
    pub memory: u64,
}

impl Row {
    /// What the result is worth.
    pub fn status(&self) -> Status {
        Status::of(self.expected, &self.verdict, &self.evidence)
    }

    /// Whether the answer is right and its evidence was not rejected.
    pub fn is_solved(&self) -> bool {
        self.status() == Status::Correct
    }

    /// The folder that the task is in.
    pub fn folder(&self) -> &str {
        self.task.rsplit_once('/').map_or(".", |(folder, _)| folder)
    }

    /// The points for the result.
    pub fn score(&self) -> i64 {
        self.status().score(self.expected)
    }
}

/// The content of a result file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results {
    /// How all the rows were made; `None` if there are no rows.
    pub settings: Option<Settings>,
    /// The rows in the order of the file.
    pub rows: Vec<Row>,
}
