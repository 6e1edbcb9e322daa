//! Runs collections of tasks, each in a process of its own with limits; stores, sums up and
//! compares the results.
//!
//! [`select`] finds tasks, [`Plan::run`] runs them, [`Store`] keeps what comes out, [`Summary`]
//! adds it up, and [`Comparison`] sets two result files against each other. Nothing here prints.
//!
//! ```
//! use rorqual_benchmark::{Evidence, Expected, Status, Verdict};
//!
//! let status = Status::of(Expected::Unsafe, &Verdict::Safe, &Evidence::None);
//! assert_eq!(status, Status::Wrong);
//! assert_eq!(status.score(Expected::Unsafe), -32);
//! ```

mod compare;
#[cfg(test)]
mod examples;
mod judge;
mod plot;
mod process;
mod process_tree;
mod results;
mod runner;
mod selection;
mod settings;
mod summary;
mod sys;
mod verdict;

pub use compare::{Change, CommonTime, Comparison, Pair, shared_folder};
pub use plot::{cactus, scatter};
pub use results::{ReadError, Results, Row, Store, StoreError, Usage};
pub use runner::{Plan, RunError, tool_version};
pub use selection::{BenchTask, Selection, SelectionError, Skipped, select};
pub use settings::{Search, Settings};
pub use summary::{Counts, Summary};
pub use verdict::{Class, Evidence, Expected, Reason, Status, Verdict};
