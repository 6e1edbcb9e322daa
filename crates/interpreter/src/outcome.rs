//! How an execution ended, with the evidence for it.

use std::fmt;

use rorqual_cfa::{ErrorKind, FunctionId, Type, VariableId};
use rorqual_source::Span;

use crate::inputs::InputValue;
use crate::undefined::Undefined;

/// A whole execution: how it ended, where, and what it needed to get there.
#[derive(Debug, Clone)]
pub struct Execution {
    /// How it ended.
    pub outcome: Outcome,
    /// The functions that were active at the end, innermost first. Empty if the start
    /// function returned.
    pub stack: Vec<StackEntry>,
    /// How many edges were taken.
    pub steps: u64,
    /// Every input in the order in which it was consumed.
    pub inputs: Vec<InputRecord>,
}

/// An active function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackEntry {
    /// The name of the function.
    pub function: String,
    /// Where control is in it: the place of the outcome for the innermost function, and the
    /// call of the entry before for the others.
    pub span: Span,
}

/// An input that was consumed.
#[derive(Debug, Clone, PartialEq)]
pub struct InputRecord {
    /// Who asked for it: the origin of a havoc such as `__VERIFIER_nondet_int`, the name of a
    /// function without body, or `uninitialized` and the place that was read.
    pub origin: String,
    /// The type, a scalar one.
    pub ty: Type,
    /// The value.
    pub value: InputValue,
    /// Where it was consumed.
    pub span: Span,
    /// The number of the edge that consumed it, counted from 1 at the start of the execution.
    pub step: u64,
    /// The function that was active.
    pub function: FunctionId,
    /// The uninitialised part of a variable that it is the value of.
    pub cell: Option<InputCell>,
}

/// A scalar of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputCell {
    /// The variable.
    pub variable: VariableId,
    /// Where the scalar starts, in bits from the start of the variable.
    pub bit_offset: u64,
    /// The number of the edge that the variable's life began with last, if the execution is recorded.
    pub declared: Option<u64>,
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The program returned from `main` or called `exit`.
    Finished {
        /// The status, not yet cut to what the operating system keeps of it.
        status: i32,
    },
    /// The program stopped without a status and without a violation.
    Halted {
        /// How.
        kind: Halt,
        /// Where.
        span: Span,
    },
    /// The program violated its own specification.
    Violation {
        /// How.
        kind: ErrorKind,
        /// Where.
        span: Span,
    },
    /// The program did something that C gives no meaning.
    Undefined {
        /// What.
        kind: Undefined,
        /// The expression, place or statement.
        span: Span,
    },
    /// An assumption such as `__VERIFIER_assume(0)` was false: not an execution of interest.
    AssumptionFailed {
        /// The assumption.
        span: Span,
    },
    /// The execution needs something that is not modelled.
    Unsupported {
        /// What, to be followed by "is not supported".
        construct: String,
        /// Where.
        span: Span,
    },
    /// The execution needs the result of a function that C defines, and that is not modelled; or it ends in a violation or
    /// undefined behaviour that may rest on such a result.
    Unmodelled {
        /// The function.
        function: String,
        /// The call.
        span: Span,
    },
    /// A limit of the configuration ended the execution.
    LimitReached {
        /// Which one.
        limit: Limit,
        /// Where the program was.
        span: Span,
    },
    /// The list of inputs has no value left.
    InputsExhausted {
        /// Who asked for another one.
        origin: String,
        /// Where.
        span: Span,
    },
    /// An input does not fit the type it is wanted for.
    BadInput {
        /// What is wrong.
        problem: String,
        /// The line of the list of inputs, counted from 1; 0 if it came from no text.
        line: u32,
        /// Where the program wanted it.
        span: Span,
    },
    /// The guide that gives the inputs has none for this operation, but some for another one.
    OutOfStep {
        /// Who asked for an input.
        origin: String,
        /// The operation that the guide expected.
        expected: Span,
        /// Where the program is.
        span: Span,
    },
    /// The flag of the configuration was raised.
    Cancelled {
        /// Where the program was.
        span: Span,
    },
}

/// How a program stops without a status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// `abort`, or a trap.
    Abort,
    /// A function that does not return was called.
    NoReturn {
        /// Its name.
        function: String,
    },
}

/// The limits of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The number of edges.
    Steps,
    /// The bytes of all live objects.
    Memory,
    /// The number of active functions.
    CallDepth,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Steps => "step limit",
            Limit::Memory => "memory limit",
            Limit::CallDepth => "call depth limit",
        })
    }
}

/// Why an execution cannot go on. Found deep inside of an expression, it travels outwards and
/// takes the span of the innermost construct that has one. Boxed, because results with it are
/// passed around at every step.
#[derive(Debug)]
pub(crate) struct Stop(Box<(Cause, Span)>);

/// An [`Outcome`] without its place.
#[derive(Debug)]
pub(crate) enum Cause {
    Finished(i32),
    Halted(Halt),
    Violation(ErrorKind),
    Undefined(Undefined),
    AssumptionFailed,
    Unsupported(String),
    Unmodelled(String),
    Limit(Limit),
    InputsExhausted(String),
    BadInput { problem: String, line: u32 },
    OutOfStep { origin: String, expected: Span },
    Cancelled,
}

/// A call whose result is only what it is likely to be.
#[derive(Debug, Clone)]
pub(crate) struct Guessed {
    pub(crate) function: String,
    pub(crate) span: Span,
}

impl From<Guessed> for Stop {
    fn from(Guessed { function, span }: Guessed) -> Self {
        Stop::new(Cause::Unmodelled(function)).at(span)
    }
}

/// The result of something that may end the execution.
pub(crate) type Run<T> = Result<T, Stop>;

impl Stop {
    pub(crate) fn new(cause: Cause) -> Stop {
        Stop(Box::new((cause, Span::NONE)))
    }

    pub(crate) fn unsupported(construct: impl Into<String>) -> Stop {
        Stop::new(Cause::Unsupported(construct.into()))
    }

    /// The same at `span`, unless a place is known already.
    pub(crate) fn at(mut self, span: Span) -> Stop {
        self.0.1 = self.0.1.or(span);
        self
    }

    /// Whether a result is missing that C defines.
    pub(crate) fn is_unmodelled(&self) -> bool {
        matches!(self.0.0, Cause::Unmodelled(_))
    }

    /// Whether the program did something wrong.
    pub(crate) fn is_wrong(&self) -> bool {
        matches!(self.0.0, Cause::Violation(_) | Cause::Undefined(_))
    }

    pub(crate) fn cause_mut(&mut self) -> &mut Cause {
        &mut self.0.0
    }

    pub(crate) fn span(&self) -> Span {
        self.0.1
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        let (cause, span) = *self.0;
        match cause {
            Cause::Finished(status) => Outcome::Finished { status },
            Cause::Halted(kind) => Outcome::Halted { kind, span },
            Cause::Violation(kind) => Outcome::Violation { kind, span },
            Cause::Undefined(kind) => Outcome::Undefined { kind, span },
            Cause::AssumptionFailed => Outcome::AssumptionFailed { span },
            Cause::Unsupported(construct) => Outcome::Unsupported { construct, span },
            Cause::Unmodelled(function) => Outcome::Unmodelled { function, span },
            Cause::Limit(limit) => Outcome::LimitReached { limit, span },
            Cause::InputsExhausted(origin) => Outcome::InputsExhausted { origin, span },
            Cause::BadInput { problem, line } => Outcome::BadInput { problem, line, span },
            Cause::OutOfStep { origin, expected } => Outcome::OutOfStep { origin, expected, span },
            Cause::Cancelled => Outcome::Cancelled { span },
        }
    }
}

impl From<Undefined> for Stop {
    fn from(undefined: Undefined) -> Self {
        Stop::new(Cause::Undefined(undefined))
    }
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Self {
        Stop::new(Cause::Limit(limit))
    }
}
