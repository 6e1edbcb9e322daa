//! Two result files set against each other.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::{Counts, Row, Status, Summary};

/// Times below this are noise of the system; ratios of them would mean nothing.
const SHORTEST: Duration = Duration::from_millis(1);

/// What differs between two sets of results.
#[derive(Debug)]
pub struct Comparison {
    /// Tasks that have a result in both, in the order of their names.
    pub pairs: Vec<Pair>,
    /// Tasks that only the first has.
    pub only_first: Vec<String>,
    /// Tasks that only the second has.
    pub only_second: Vec<String>,
}

/// The two results of one task.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The task, by the name that both have in common.
    pub task: String,
    /// The first result.
    pub first: Row,
    /// The second result.
    pub second: Row,
}

/// How a status changed, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Now wrong, or its evidence is now rejected.
    Broken,
    /// It had a right answer and has none any more.
    Lost,
    /// It is not wrong any more, and not solved either.
    Silenced,
    /// It had no right answer and has one now.
    Solved,
}

impl Change {
    /// All changes, worst first.
    pub const ALL: [Change; 4] = [Change::Broken, Change::Lost, Change::Silenced, Change::Solved];
}

impl Pair {
    /// How the status changed, if it did.
    pub fn change(&self) -> Option<Change> {
        let (first, second) = (self.first.status(), self.second.status());
        match second {
            _ if first == second => None,
            Status::Wrong | Status::Rejected => Some(Change::Broken),
            Status::Correct => Some(Change::Solved),
            Status::Unknown if first == Status::Correct => Some(Change::Lost),
            Status::Unknown => Some(Change::Silenced),
        }
    }

    fn is_solved_by_both(&self) -> bool {
        self.first.is_solved() && self.second.is_solved()
    }
}

/// The CPU times of the tasks that both have solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommonTime {
    /// How many tasks.
    pub tasks: usize,
    /// The sum of the first.
    pub first: Duration,
    /// The sum of the second.
    pub second: Duration,
    /// The geometric mean of second / first.
    pub ratio: f64,
}

impl Comparison {
    /// Matches the rows by their tasks. If no name occurs in both, then the collections were
    /// named from different places, and the folder that all tasks of a side share is left out.
    pub fn new(first: &[Row], second: &[Row]) -> Comparison {
        let comparison = Comparison::of_named(by_name(first, ""), by_name(second, ""));
        if !comparison.pairs.is_empty() {
            return comparison;
        }
        let [shared_first, shared_second] = [first, second].map(shared_folder);
        Comparison::of_named(by_name(first, shared_first), by_name(second, shared_second))
    }

    fn of_named(mut first: BTreeMap<&str, &Row>, mut second: BTreeMap<&str, &Row>) -> Comparison {
        let common: BTreeSet<&str> =
            first.keys().filter(|name| second.contains_key(*name)).copied().collect();
        let mut pairs = vec![];
        for name in common {
            if let (Some(first), Some(second)) = (first.remove(name), second.remove(name)) {
                pairs.push(Pair { task: name.to_owned(), first: first.clone(), second: second.clone() });
            }
        }
        let names = |rest: BTreeMap<&str, &Row>| rest.into_keys().map(str::to_owned).collect();
        Comparison { pairs, only_first: names(first), only_second: names(second) }
    }

    /// The tasks that changed in this way.
    pub fn changed(&self, change: Change) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(move |pair| pair.change() == Some(change))
    }

    /// The counts of both sides, over the tasks that both have.
    pub fn totals(&self) -> [Counts; 2] {
        let first = Summary::new(self.pairs.iter().map(|pair| &pair.first));
        let second = Summary::new(self.pairs.iter().map(|pair| &pair.second));
        [first.total, second.total]
    }

    /// The times of what both have solved; `None` if that is nothing.
    pub fn common_time(&self) -> Option<CommonTime> {
        let common: Vec<&Pair> = self.pairs.iter().filter(|pair| pair.is_solved_by_both()).collect();
        if common.is_empty() {
            return None;
        }
        let seconds = |row: &Row| row.usage.cpu.max(SHORTEST).as_secs_f64();
        let logarithms = common.iter().map(|pair| (seconds(&pair.second) / seconds(&pair.first)).ln());
        let ratio = (logarithms.sum::<f64>() / common.len() as f64).exp();
        let first = common.iter().map(|pair| pair.first.usage.cpu).sum();
        let second = common.iter().map(|pair| pair.second.usage.cpu).sum();
        Some(CommonTime { tasks: common.len(), first, second, ratio })
    }
}

fn by_name<'a>(rows: &'a [Row], prefix: &str) -> BTreeMap<&'a str, &'a Row> {
    rows.iter().map(|row| (row.task.strip_prefix(prefix).unwrap_or(&row.task), row)).collect()
}

/// The folder with its slash that all tasks are in; empty if there is none.
pub fn shared_folder(rows: &[Row]) -> &str {
    let Some(first) = rows.first() else { return "" };
    let ends = first.task.match_indices('/').map(|(at, _)| at + 1);
    let prefixes = ends.map(|end| &first.task[..end]);
    let is_shared = |prefix: &&str| rows.iter().all(|row| row.task.starts_with(prefix));
    prefixes.take_while(is_shared).last().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{rejected, solved, unknown, wrong};
    use crate::{Class, Expected};

    fn tasks(comparison: &Comparison, change: Change) -> Vec<&str> {
        comparison.changed(change).map(|pair| pair.task.as_str()).collect()
    }

    #[test]
    fn changes_are_sorted_by_kind() {
        let safe = |task| solved(task, Expected::Safe, 1000);
        let first = [
            safe("a"),
            safe("b"),
            unknown("c", Class::Crash),
            wrong("d", Expected::Safe),
            safe("e"),
            unknown("f", Class::Crash),
            safe("x"),
        ];
        let second = [
            safe("a"),
            unknown("b", Class::Timeout),
            safe("c"),
            unknown("d", Class::Timeout),
            rejected("e", Expected::Safe),
            unknown("f", Class::Timeout),
            safe("y"),
        ];
        let comparison = Comparison::new(&first, &second);
        assert_eq!(tasks(&comparison, Change::Broken), ["e"]);
        assert_eq!(tasks(&comparison, Change::Lost), ["b"]);
        assert_eq!(tasks(&comparison, Change::Silenced), ["d"]);
        assert_eq!(tasks(&comparison, Change::Solved), ["c"]);
        assert_eq!(
            (comparison.only_first, comparison.only_second),
            (vec!["x".to_owned()], vec!["y".to_owned()])
        );
    }

    #[test]
    fn the_ratio_is_the_geometric_mean_over_what_both_solved() {
        let row = |task, milliseconds| solved(task, Expected::Safe, milliseconds);
        let first = [row("a", 1000), row("b", 1000), row("c", 5000)];
        let second = [row("a", 4000), row("b", 1000), unknown("c", Class::Timeout)];
        let time = Comparison::new(&first, &second).common_time().unwrap();
        assert_eq!(
            (time.tasks, time.first, time.second),
            (2, Duration::from_secs(2), Duration::from_secs(5))
        );
        assert!((time.ratio - 2.0).abs() < 1e-9);
        assert!(Comparison::new(&first[..1], &[unknown("a", Class::Crash)]).common_time().is_none());
    }

    #[test]
    fn collections_may_be_named_from_different_places() {
        let row = |task| solved(task, Expected::Safe, 1000);
        let first = [row("../bench/loops/a.yml"), row("../bench/locks/b.yml")];
        let second = [row("/data/loops/a.yml"), row("/data/locks/b.yml")];
        let comparison = Comparison::new(&first, &second);
        let names: Vec<_> = comparison.pairs.iter().map(|pair| pair.task.as_str()).collect();
        assert_eq!(names, ["locks/b.yml", "loops/a.yml"]);
    }
}
