//! Invariants that are guessed and then proved by induction, beside the engines' searches.
//!
//! Interpolants say why one path is infeasible; some loops need more than any finite number of paths tells. So candidates
//! are collected (conditions of the program, atoms of interpolants, relations between variables, equations that hold in
//! random executions), and those are kept that are proved. Nothing that is not proved becomes a [`Facts`] or a contract.
//!
//! - [`Round`]: one inference round about the points of a program whose calls are inlined.
//! - [`contracts`]: inference rounds about guards and summaries of functions and loops.
//! - [`proof`]: the conjuncts of an invariant that its own proof needs.
//! - [`budgets`]: what all of it may cost.
//!
//! `obligations` says what a proof by induction has to show, `at_points` and `contracts::obligations` for which programs;
//! `houdini` and `minimize` are generic over it.

#[macro_use]
pub mod budgets;

mod abstraction;
mod arrays;
mod at_points;
mod candidates;
pub mod contracts;
mod facts;
mod formulas;
mod houdini;
mod minimize;
mod nodes;
mod obligations;
pub mod proof;
mod round;
mod samples;
pub mod solutions;
#[cfg(test)]
mod tests;

pub use arrays::indices;
pub use at_points::{after, inductive};
pub use budgets::Budgets;
pub use candidates::atoms::of_formulas as atoms_of;
pub use candidates::modes;
pub use facts::{Facts, MOST_POINTS, exclude_obstacles, is_live, points, size, suffice, values};
pub use round::{Interest, Round, reads_arrays};
