//! Verdicts with their evidence, what found them, and the events that a search reports.
//!
//! A verdict carries what something else can check: [`Verdict::Safe`] an inductive [`Invariant`],
//! [`Verdict::Unsafe`] a [`Trace`] whose inputs the interpreter replays. This crate contains no
//! algorithm.

mod assumption;
mod event;
mod evidence;
mod kept;
mod origin;
mod stop;
mod verdict;

pub use assumption::{AssumedEffect, Assumption, assumptions_text};
pub use event::{Event, Observer};
pub use evidence::{
    CallSite, CallString, CellValue, Claim, Contract, Invariant, LocationInvariant, Trace, TraceEvent,
    Unwinding,
};
pub use kept::{Bytes, Extension, Kept, Moment, Multiple, Relation, Scalar, Sum};
pub use origin::{Origin, Stored, Technique};
pub use stop::Stop;
pub use verdict::{Answer, Reason, Verdict, Violation};
