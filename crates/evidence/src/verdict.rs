//! Verdicts, and why there is none.

use rorqual_cfa::Instance;
use rorqual_interpreter::GivenInput;
use rorqual_solver::GaveUp;
use rorqual_source::Span;

use crate::evidence::{Claim, Trace};
use crate::origin::{Origin, Technique};
use crate::stop::Stop;

/// What an engine says about a program.
#[derive(Debug)]
pub enum Verdict {
    /// No execution violates the specification.
    Safe(Claim),
    /// An execution violates the specification, if it replays.
    Unsafe(Violation),
    /// Not decided.
    Unknown(Reason),
}

/// An execution that violates the specification.
#[derive(Debug)]
pub enum Violation {
    /// What it takes from outside, found in a model of formulas.
    Trace(Trace),
    /// The inputs of a run, in the order in which it takes them; reading an uninitialised scalar takes one.
    Inputs(Vec<GivenInput>),
}

/// A verdict, and what found it.
#[derive(Debug)]
pub struct Answer {
    /// What is said.
    pub verdict: Verdict,
    /// With a violation: others that were found on the way, each of another property.
    pub further: Vec<Violation>,
    /// Properties about which nothing is said whatever the verdict is: they would have kept others from an answer. They may
    /// be decided on their own.
    pub later: Vec<Instance>,
    /// With [`Verdict::Unknown`]: the properties that it is for. The technique may have an answer for the others if these are
    /// left out.
    pub beyond: Vec<Instance>,
    /// What found it; for [`Verdict::Unknown`], what gave up.
    pub origin: Origin,
}

impl Answer {
    /// What a technique says about a program.
    pub fn new(verdict: Verdict, technique: Technique) -> Answer {
        Answer::with_origin(verdict, Origin::from(technique))
    }

    /// What is said about a program, and what found it.
    pub fn with_origin(verdict: Verdict, origin: Origin) -> Answer {
        Answer { verdict, further: Vec::new(), later: Vec::new(), beyond: Vec::new(), origin }
    }

    /// A technique ends without a verdict.
    pub fn stopped(stop: Stop, technique: Technique) -> Answer {
        Answer::new(stop.into(), technique)
    }
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
    /// A search has nothing more to try.
    OutOfIdeas,
    /// No execution within bounds violates the specification, but some go on behind them.
    Bound {
        /// The loops, and the functions that call themselves, that go on, each with the number of iterations that were searched.
        loops: Vec<(Span, u64)>,
    },
    /// The solver gave up on a query.
    Solver(GaveUp),
}
