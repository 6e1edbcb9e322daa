//! Results added up, per folder and in total.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::{Class, Expected, Row, Status, Verdict};

/// The results of a run, added up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Each folder with its counts, in the order of their names.
    pub folders: Vec<(String, Counts)>,
    /// The counts of everything.
    pub total: Counts,
}

/// Results that were counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// All tasks.
    pub tasks: usize,
    /// Tasks that are safe and were answered so.
    pub correct_safe: usize,
    /// Tasks that are unsafe and were answered so.
    pub correct_unsafe: usize,
    /// Answers that contradict the task definition.
    pub wrong: usize,
    /// Right answers whose evidence was not accepted.
    pub rejected: usize,
    /// Tasks without an answer, by the kind of reason.
    pub unknown: BTreeMap<Class, usize>,
    /// Solved tasks, by what found the answer.
    pub origins: BTreeMap<String, usize>,
    /// Points of the Competition on Software Verification.
    pub score: i64,
    /// The points that could be had.
    pub max_score: i64,
    /// CPU times of the solved tasks, sorted once everything is counted.
    solved_cpu: Vec<Duration>,
}

impl Summary {
    /// Adds up the rows.
    pub fn new<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Summary {
        let mut folders: BTreeMap<String, Counts> = BTreeMap::new();
        let mut total = Counts::default();
        for row in rows {
            folders.entry(row.folder().to_owned()).or_default().add(row);
            total.add(row);
        }
        total.solved_cpu.sort();
        for counts in folders.values_mut() {
            counts.solved_cpu.sort();
        }
        Summary { folders: folders.into_iter().collect(), total }
    }
}

impl Counts {
    fn add(&mut self, row: &Row) {
        self.tasks += 1;
        self.score += row.score();
        self.max_score += Status::Correct.score(row.expected);
        match (row.status(), row.expected) {
            (Status::Correct, Expected::Safe) => self.correct_safe += 1,
            (Status::Correct, Expected::Unsafe) => self.correct_unsafe += 1,
            (Status::Wrong, _) => self.wrong += 1,
            (Status::Rejected, _) => self.rejected += 1,
            (Status::Unknown, _) => {
                if let Verdict::Unknown(reason) = &row.verdict {
                    *self.unknown.entry(reason.class).or_default() += 1;
                }
            }
        }
        if row.is_solved() {
            *self.origins.entry(row.origin.clone()).or_default() += 1;
            self.solved_cpu.push(row.usage.cpu);
        }
    }

    /// How many tasks have a right answer.
    pub fn solved(&self) -> usize {
        self.correct_safe + self.correct_unsafe
    }

    /// The CPU time of all solved tasks.
    pub fn cpu_total(&self) -> Duration {
        self.solved_cpu.iter().sum()
    }

    /// The CPU time of the solved task in the middle; of two, their mean.
    pub fn cpu_median(&self) -> Option<Duration> {
        let times = &self.solved_cpu;
        let middle = times.len() / 2;
        match times.len() {
            0 => None,
            odd if odd % 2 == 1 => Some(times[middle]),
            _ => Some((times[middle - 1] + times[middle]) / 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{rejected, solved, unknown, wrong};

    #[test]
    fn folders_and_the_total_are_counted() {
        let rows = [
            solved("b/1.yml", Expected::Safe, 1000),
            solved("a/1.yml", Expected::Safe, 1000),
            solved("a/2.yml", Expected::Unsafe, 3000),
            wrong("a/3.yml", Expected::Unsafe),
            rejected("a/4.yml", Expected::Safe),
            unknown("a/5.yml", Class::Timeout),
            solved("top.yml", Expected::Safe, 2000),
        ];
        let summary = Summary::new(&rows);
        let names: Vec<_> = summary.folders.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [".", "a", "b"]);
        let counts = &summary.folders[1].1;
        assert_eq!((counts.tasks, counts.correct_safe, counts.correct_unsafe), (5, 1, 1));
        assert_eq!((counts.wrong, counts.rejected), (1, 1));
        assert_eq!(counts.unknown, BTreeMap::from([(Class::Timeout, 1)]));
        assert_eq!((counts.score, counts.max_score), (2 + 1 - 32, 2 + 1 + 1 + 2 + 2));
        assert_eq!(counts.cpu_total(), Duration::from_secs(4));
        assert_eq!(counts.cpu_median(), Some(Duration::from_secs(2)));
        assert_eq!((summary.total.tasks, summary.total.solved()), (7, 4));
        assert_eq!(summary.total.cpu_median(), Some(Duration::from_millis(1500)));
    }

    #[test]
    fn nothing_has_no_median() {
        assert_eq!(Summary::new(&[]).total.cpu_median(), None);
    }
}
