//! The engines, behind one interface. Each is a folder that reads like its paper and does nothing beside it.
//!
//! They share the encoding of programs as formulas, the solver with its interpolants, and the types of evidence. Proved
//! facts reach them through one service, [`Inference`]; what helps them is composed elsewhere, in strategies.
//! [`ahead`] is no engine of its own: it is the search for shallow bugs that strategies put before a proof.

pub mod ahead;
pub mod bmc;
mod copies;
pub mod funfrog;
mod harmless;
pub mod ic3;
pub mod impact;
pub mod induction;
mod inference;
pub mod kinduction;
pub mod predicate;
pub mod reduction;
mod registry;
mod solver;
mod task;
pub mod testing;
#[cfg(test)]
mod tests;
pub mod whale;

pub use inference::{Advice, Inference, Mattering};
pub use registry::{Engine, engine, engines};
pub use rorqual_encoding::{Blocks, Detail, Setting, Undefined};
pub use task::{Seed, Task};
