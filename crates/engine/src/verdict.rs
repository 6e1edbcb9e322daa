//! Verdicts, and why there is none.

use rorqual_solver::GaveUp;
use rorqual_source::Span;

use crate::evidence::{Invariant, Trace};

/// What an engine says about a program.
#[derive(Debug)]
pub enum Verdict {
    /// No execution violates the specification.
    Safe(Invariant),
    /// An execution violates the specification, if its trace replays.
    Unsafe(Trace),
    /// Not decided.
    Unknown(Reason),
}

/// Why a program was not decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A limit is reached, or the user wants to stop.
    Limit(GaveUp),
    /// Control can reach something that is not supported.
    Unsupported {
        /// What, to be followed by "is not supported".
        construct: String,
        /// Where.
        span: Span,
    },
    /// The only violation found rests on the result of a function that C defines, and that is not modelled exactly.
    Unmodelled {
        /// The function.
        function: String,
        /// The call.
        span: Span,
    },
    /// A bounded search ended without an error.
    Bound {
        /// How many steps were searched.
        steps: u64,
        /// The loop that goes on, if there is one.
        span: Span,
    },
    /// The solver gave up on a query.
    Solver(GaveUp),
}
