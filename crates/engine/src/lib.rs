//! What engines have in common: verdicts with their evidence, and the events they report.
//!
//! A verdict carries what something else can check: [`Verdict::Safe`] an inductive [`Invariant`],
//! [`Verdict::Unsafe`] a [`Trace`] whose inputs the interpreter replays. This crate contains no
//! algorithm.

mod assumption;
mod event;
mod evidence;
mod verdict;

pub use assumption::{AssumedEffect, Assumption, assumptions_text};
pub use event::{Event, Observer};
pub use evidence::{
    CallSite, CallString, CellValue, Contract, Invariant, LocationInvariant, Trace, TraceEvent,
};
pub use verdict::{Reason, Verdict};
