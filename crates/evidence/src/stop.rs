//! Why a run ends without an answer. One place turns it into a verdict.

use rorqual_solver::{GaveUp, Limits};

use crate::verdict::{Reason, Verdict};

/// Why a run ends without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// A limit is reached.
    Limit(GaveUp),
    /// The solver gave up on a query for a reason of its own.
    Solver(GaveUp),
}

impl Stop {
    /// A model of a path to an error describes no execution. That is an error of ours, and the path is not refuted.
    pub fn without_trace() -> Stop {
        Stop::Solver(GaveUp::Unsupported("a path to an error whose model gives no execution".to_owned()))
    }

    /// Fails once the limits are reached.
    pub fn check(limits: &Limits) -> Result<(), Stop> {
        limits.spent().map_or(Ok(()), |reason| Err(Stop::Limit(reason)))
    }
}

impl From<GaveUp> for Stop {
    fn from(reason: GaveUp) -> Stop {
        match reason {
            GaveUp::Time | GaveUp::Cancelled => Stop::Limit(reason),
            GaveUp::Conflicts | GaveUp::Memory | GaveUp::MixedParts | GaveUp::Unsupported(_) => {
                Stop::Solver(reason)
            }
        }
    }
}

impl From<Stop> for Verdict {
    fn from(stop: Stop) -> Verdict {
        Verdict::Unknown(match stop {
            Stop::Limit(reason) => Reason::Limit(reason),
            Stop::Solver(reason) => Reason::Solver(reason),
        })
    }
}
