//! The engines. Each is a folder that reads like its paper; they share the encoding of programs as formulas,
//! the solver and the types of evidence, and nothing else.

pub mod bmc;
pub mod facts;
pub mod impact;
mod solver;
mod stop;
pub mod testing;
#[cfg(test)]
mod tests;
pub mod whale;

pub use rorqual_encoding::{Detail, Undefined};
pub use stop::Stop;
