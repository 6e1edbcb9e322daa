//! Interpolants from refutations, and their verifier.
//!
//! An interpolant of two formulas that contradict each other follows from the first, contradicts the
//! second, and speaks only about what both speak about: it says why they contradict each other. From one
//! refutation come [`Interpolants`] of every kind; [`strategy`] chooses between proofs in linear
//! arithmetic, weakest preconditions, and proofs about bits; [`verify_sequence`] and its siblings re-prove
//! whatever comes out. `docs/algorithms/interpolation.md` explains the rules with examples.
//!
//! What is *not* here: deciding formulas and finding refutations (the solver's work), and what formulas
//! mean in a program (the encoding's).
//!
//! ```
//! use rorqual_interpolation::strategy::{Chooser, Configuration, Goal, Outcome};
//! use rorqual_logic::{Sort, TermPool};
//!
//! let mut pool = TermPool::new();
//! let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::BitVec(32)));
//! let parts = [pool.bv_slt(x, y), pool.bv_slt(y, z), pool.bv_sle(z, x)];
//! let configuration = Configuration::default();
//! let mut observer = ();
//! let mut chooser = Chooser::new(&configuration, &mut observer);
//! let Outcome::Interpolated(formulas) = chooser.interpolate(&mut pool, &parts, &Goal::Sequence) else {
//!     panic!("the parts contradict each other");
//! };
//! assert_eq!(formulas[1], parts[0]);
//! ```

pub mod arithmetic;
mod comparisons;
mod cuts;
mod elimination;
mod error;
mod interpolants;
mod language;
mod measure;
pub mod propositional;
pub mod recorded;
mod reduction;
mod repair;
mod scopes;
mod simplify;
pub mod strategy;
#[cfg(test)]
mod tests;
mod verify;
mod wp;

pub use error::{InterpolationError, Kind};
pub use interpolants::{Arrangement, Interpolants, StateTransition, Tree};
pub use language::{Language, Shapes};
pub use measure::{atoms, is_word_level, is_word_level_for};
pub use propositional::System;
pub use simplify::Simplifier;
pub use verify::{
    Condition, Rejection, verify_binary, verify_sequence, verify_state_transition, verify_tree,
};
pub use wp::weakest_preconditions;
