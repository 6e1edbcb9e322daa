//! Exit codes, and the ways in which a command fails.

use std::io::Write;
use std::panic::{AssertUnwindSafe, PanicHookInfo};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use rorqual_frontend::Failure;

use crate::render;

/// How a command ended. 1 and 101 stay unused, so that a crash is never read as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// The command did what it was asked; a program that was run did nothing wrong.
    Success = 0,
    /// A program that was run violated its specification or did something undefined.
    Violation = 10,
    /// A run that tells nothing.
    Unknown = 20,
    /// Wrong arguments.
    Usage = 64,
    /// A program, or another file that was given, cannot be used.
    BadInput = 65,
    /// Our own mistake.
    InternalError = 70,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The arguments do not go together.
    Usage(String),
    /// A program cannot be read.
    Program(Box<Failure>),
    /// Another file that the user named cannot be used.
    File(String),
    /// The output cannot be written.
    Output(String),
    /// A store cannot be used.
    Store(String),
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        Problem::Program(Box::new(failure))
    }
}

impl Problem {
    /// Tells the user, and chooses the exit code.
    pub(crate) fn report(&self) -> Status {
        match self {
            Problem::Usage(message) => {
                complain(&format!("error: {message}\n\nFor more information, try '--help'.\n"));
                Status::Usage
            }
            Problem::Program(failure) => {
                complain(&render::diagnostics(&failure.sources, &failure.diagnostics));
                Status::BadInput
            }
            Problem::File(message) => {
                complain(&format!("error: {message}\n"));
                Status::BadInput
            }
            Problem::Store(message) => {
                complain(&format!("error: {message}\n"));
                Status::Usage
            }
            Problem::Output(message) => {
                complain(&format!("error: {message}\n"));
                Status::InternalError
            }
        }
    }
}

/// Writes to standard error. If that fails there is nobody left to tell.
pub(crate) fn complain(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The last panic, as a message for the user.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps panics from being printed when they happen: some are caught and become diagnostics.
/// [`catch_panics`] prints the one that was not.
pub(crate) fn silence_panics() {
    std::panic::set_hook(Box::new(|info| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = internal_error(info);
    }));
}

/// Runs `work`; a panic becomes one message and the code of an internal error.
pub(crate) fn catch_panics(work: impl FnOnce() -> Status) -> Status {
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        complain(&PANIC.lock().unwrap_or_else(PoisonError::into_inner));
        Status::InternalError
    })
}

fn internal_error(info: &PanicHookInfo) -> String {
    let message = info.payload_as_str().unwrap_or("no message");
    let place =
        info.location().map_or(String::new(), |place| format!(" ({}:{})", place.file(), place.line()));
    format!(
        "internal error: {message}{place}\n  = note: this is a defect of rorqual {}, not of your program\n  \
         = help: please report it, with the command line and the files that lead to it\n",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_uncaught_panic_is_an_internal_error_and_a_caught_one_is_nothing() {
        silence_panics();
        let status = catch_panics(|| {
            let caught = std::panic::catch_unwind(|| panic!("caught inside"));
            if caught.is_err() { Status::Success } else { Status::Usage }
        });
        assert_eq!(status, Status::Success);
        assert_eq!(catch_panics(|| panic!("broken")), Status::InternalError);
        assert!(PANIC.lock().unwrap().starts_with("internal error: broken (crates/cli"));
        let _ = std::panic::take_hook();
    }
}
