//! Strategies: engines and inference, combined as values.
//!
//! A [`Strategy`] is a tree of engines, each with the help that it gets, in sequences and races, under conditions on the
//! program. [`auto`] is one of them. Whoever runs a strategy gives it a [`Judge`], who looks at the evidence of each answer:
//! only an answer that is accepted ends the search.

mod auto;
mod condition;
mod contracts;
mod facts;
mod judge;
mod named;
mod race;
mod repair;
mod strategy;
#[cfg(test)]
mod tests;

pub use auto::{auto, beyond_undefined};
pub use condition::Condition;
pub use facts::{FactInference, LookAhead};
pub use judge::{Judge, Judged};
pub use named::{NAMES, named};
pub use race::Ration;
pub use repair::repair;
pub use strategy::{Help, Part, Portion, Run, Strategy};
