//! What a running process and all its descendants use right now, from `/proc`.
//!
//! This is for enforcing limits only: what is reported comes from the kernel's own account when
//! the process has ended.

use std::fs;
use std::time::Duration;

use crate::sys;

/// What a tree of processes uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Load {
    /// CPU time since the start, also of descendants that have ended and were waited for.
    pub(crate) cpu: Duration,
    /// Physical memory, in bytes.
    pub(crate) memory: u64,
}

/// The load of the process `root` and its descendants. What ends while it is looked at counts
/// as far as it was seen.
pub(crate) fn load(root: u32) -> Load {
    let (page, tick) = sys::units();
    let mut total = Load::default();
    let mut open = vec![root];
    while let Some(process) = open.pop() {
        let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { continue };
        if let Some((ticks, pages)) = parse(&stat) {
            total.cpu += Duration::from_millis(ticks * 1000 / tick);
            total.memory += pages * page;
        }
        open.extend(children(process));
    }
    total
}

/// The clock ticks and the resident pages in a line of `/proc/PID/stat`.
fn parse(stat: &str) -> Option<(u64, u64)> {
    // The second field is the name in brackets, which may itself contain spaces and brackets.
    let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    // Fields 14 to 17 of proc(5): own user and system time, then that of waited-for children.
    let ticks = number(11)? + number(12)? + number(13)? + number(14)?;
    Some((ticks, number(21)?))
}

/// Each thread has a list of the processes that it started.
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return vec![] };
    let lists = threads.flatten().map(|thread| fs::read_to_string(thread.path().join("children")));
    let parse = |list: String| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>();
    lists.flatten().flat_map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_contain_anything() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194304 9 9 9 9 10 20 3 4 20 0 1 0 99 1000 55 1844 1 1";
        assert_eq!(parse(stat), Some((37, 55)));
        assert_eq!(parse("7 (a"), None);
        assert_eq!(parse("7 (a) S 1"), None);
    }

    #[test]
    fn a_process_that_is_not_there_uses_nothing() {
        assert_eq!(load(u32::MAX), Load::default());
        assert!(load(std::process::id()).memory > 0);
    }
}
