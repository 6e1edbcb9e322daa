//! How an execution ended, in the words that test programs state their expectations in.

use std::fmt;
use std::process::ExitStatus;

use rorqual_interpreter::{Halt, Outcome};
use rorqual_source::{SourceMap, Span};

/// How an execution ended. Positions are `LINE:COLUMN`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// `main` returned or `exit` was called.
    Finished {
        /// The status that the program gave.
        status: i32,
    },
    /// `abort` was called.
    Aborted,
    /// A function that does not return was called.
    Halted,
    /// An assertion failed or an error function was called.
    Violation {
        /// Where.
        position: String,
    },
    /// Undefined behaviour.
    Undefined {
        /// What.
        message: String,
        /// Where.
        position: String,
    },
    /// An assumption was false.
    AssumptionFailed {
        /// Where.
        position: String,
    },
    /// The inputs did not suffice.
    InputsExhausted {
        /// Where.
        position: String,
    },
    /// The time of the run was over.
    TimedOut,
    /// Anything else: limits, unsupported constructs, signals.
    Other(String),
}

impl Ending {
    /// What the operating system keeps of a finished program, to be compared with a native
    /// run: the status modulo 256.
    #[must_use]
    pub fn as_seen_by_parent(self) -> Ending {
        match self {
            Ending::Finished { status } => Ending::Finished { status: status & 0xff },
            other => other,
        }
    }

    /// The ending of a native process.
    pub fn of_process(status: ExitStatus) -> Ending {
        use std::os::unix::process::ExitStatusExt;
        const SIGABRT: i32 = 6;
        match (status.code(), status.signal()) {
            (Some(status), _) => Ending::Finished { status },
            (None, Some(SIGABRT)) => Ending::Aborted,
            (None, signal) => Ending::Other(format!("signal {}", signal.unwrap_or(0))),
        }
    }

    /// The ending of an execution by the interpreter.
    pub fn of_outcome(outcome: &Outcome, sources: &SourceMap) -> Ending {
        let position = |span: Span| {
            let position = sources.position(span);
            format!("{}:{}", position.line, position.column)
        };
        match outcome {
            Outcome::Finished { status } => Ending::Finished { status: *status },
            Outcome::Halted { kind: Halt::Abort, .. } => Ending::Aborted,
            Outcome::Halted { .. } => Ending::Halted,
            Outcome::Violation { span, .. } => Ending::Violation { position: position(*span) },
            Outcome::Undefined { kind, span } => {
                Ending::Undefined { message: kind.to_string(), position: position(*span) }
            }
            Outcome::AssumptionFailed { span } => Ending::AssumptionFailed { position: position(*span) },
            Outcome::InputsExhausted { span, .. } => Ending::InputsExhausted { position: position(*span) },
            Outcome::Cancelled { .. } => Ending::TimedOut,
            Outcome::Unsupported { construct, span } => {
                Ending::Other(format!("{construct} is not supported at {}", position(*span)))
            }
            Outcome::Unmodelled { function, span } => {
                Ending::Other(format!("`{function}` is not modelled exactly at {}", position(*span)))
            }
            Outcome::LimitReached { limit, span } => {
                Ending::Other(format!("{limit} reached at {}", position(*span)))
            }
            Outcome::BadInput { problem, span, .. } => {
                Ending::Other(format!("bad input at {}: {problem}", position(*span)))
            }
            Outcome::OutOfStep { origin, span, .. } => {
                Ending::Other(format!("no input for {origin} at {}", position(*span)))
            }
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Finished { status } => write!(f, "finished {status}"),
            Ending::Aborted => f.write_str("aborted"),
            Ending::Halted => f.write_str("halted"),
            Ending::Violation { position } => write!(f, "violation at {position}"),
            Ending::Undefined { message, position } => write!(f, "undefined: {message} at {position}"),
            Ending::AssumptionFailed { position } => write!(f, "assumption failed at {position}"),
            Ending::InputsExhausted { position } => write!(f, "inputs exhausted at {position}"),
            Ending::TimedOut => f.write_str("time limit reached"),
            Ending::Other(text) => f.write_str(text),
        }
    }
}
