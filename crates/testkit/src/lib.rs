//! Helpers for tests: C snippets to programs, gcc and csmith as oracles, and the programs of
//! `tests/programs` with their expectations.
//!
//! Other crates use this one for their tests only; it panics where a test should fail.
//!
//! ```
//! let program = rorqual_testkit::program("int main(void) { return 6 * 7; }");
//! let run = rorqual_testkit::interpret(&program, &rorqual_testkit::RunSettings::default());
//! assert_eq!(run.ending.to_string(), "finished 42");
//! ```

mod directories;
mod ending;
mod expectation;
mod frontend;
mod gcc;
mod host;
mod process;
mod random;
mod run;

pub mod claims;
pub mod conformance;
pub mod csmith;

pub use directories::{c_files, programs_directory, subdirectories, workspace_directory};
pub use ending::Ending;
pub use expectation::{Case, ExpectedRun, OverflowMeaning};
pub use frontend::{program, program_for, read, render_failure};
pub use gcc::{Gcc, GccProblem, NativeRun, gcc_include_directories, model_name};
pub use host::{MemoryHost, SystemHost};
pub use process::{ProcessEnd, ProcessResult, run_with_limit};
pub use random::Random;
pub use run::{Interpreted, RunSettings, interpret};

/// Says on standard error that a test is skipped, and why. A test that calls this returns
/// right after, so that a machine without gcc or csmith still runs the others.
///
/// The line is shown without `--nocapture` too: a test that was not made must not look like one that passed.
pub fn skip(test: &str, reason: impl std::fmt::Display) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {reason}");
}
