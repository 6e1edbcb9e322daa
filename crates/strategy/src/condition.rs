//! What parts of a strategy depend on.

use rorqual_encoding::{Detail, Setting};
use rorqual_engines::Task;
use rorqual_inference::{MOST_POINTS, points, reads_arrays};

/// A property of the program that decides whether a part of a strategy is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// It always is.
    Always,
    /// Test runs have not been made yet, for the same program with at least the same checks.
    Untested,
    /// Test runs were made, and some of them were cut: longer ones may find more.
    RunsAreLeft,
    /// Functions may be called again before they have returned.
    Recursive,
    /// Models of library functions are linked to the program.
    HasModels,
    /// There is memory that the heap-free abstraction leaves out, and no models of library functions, which say much
    /// about it.
    HasHeap,
    /// There are loops, and what they compute does not depend on arrays.
    HasLoopsWithoutArrays,
    /// There are loops that depend on arrays.
    HasLoopsWithArrays,
}

impl Condition {
    /// Whether it holds.
    pub fn holds(self, task: &Task<'_>, is_tested: bool) -> bool {
        match self {
            Condition::Always => true,
            Condition::Untested => !is_tested,
            Condition::RunsAreLeft => task.has_untried_runs(),
            Condition::Recursive => task.is_recursive(),
            Condition::HasModels => task.without_models.is_some(),
            Condition::HasHeap => {
                let heap_free = Setting { detail: Detail::HeapFree, ..Setting::default() };
                task.without_models.is_none() && task.encoding(heap_free).borrow().has_vague_memory()
            }
            Condition::HasLoopsWithoutArrays => loops_read_arrays(task) == Some(false),
            Condition::HasLoopsWithArrays => loops_read_arrays(task) == Some(true),
        }
    }

    /// The condition in words, as the end of "if".
    pub fn text(self) -> &'static str {
        match self {
            Condition::Always => "always",
            Condition::Untested => "no test runs were made yet",
            Condition::RunsAreLeft => "test runs were cut short",
            Condition::Recursive => "functions call themselves",
            Condition::HasModels => "models of library functions are linked",
            Condition::HasHeap => "there is heap memory and no model of a library function",
            Condition::HasLoopsWithoutArrays => "there are loops, and they read no arrays",
            Condition::HasLoopsWithArrays => "there are loops that read arrays",
        }
    }
}

/// Whether what loops compute depends on arrays; nothing if there are no loops, or too many.
fn loops_read_arrays(task: &Task<'_>) -> Option<bool> {
    let encoding = task.encoding(Setting::default());
    let encoding = &mut *encoding.borrow_mut();
    let points = points(encoding, MOST_POINTS).filter(|points| points.len() > 1)?;
    Some(reads_arrays(encoding, &points))
}
