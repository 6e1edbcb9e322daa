//! Symbolic execution of control-flow automata.
//!
//! Values are terms over the inputs, so what inputs do not influence is executed and not encoded. Memory consists of
//! objects with cells at constant offsets; where an offset is symbolic, an access chooses among the cells that it may
//! meet. Pointers are terms over the addresses of objects, and are taken apart to find what they point to. States that
//! meet at a location are merged, so that there is one state for each location, call and iteration of loops, however
//! many paths there are.
//!
//! [`Executor::execute`] goes as far as [`Bounds`] say and reports what it met: violations, undefined operations, and
//! loops that it did not follow to their end, each with the condition under which an execution meets it.

mod candidates;
mod clobber;
mod executor;
mod expression;
mod faults;
mod induction;
mod kept;
mod library;
mod memory;
mod names;
mod object;
mod operation;
mod order;
mod place;
mod pointer;
mod state;
mod trace;

pub use candidates::Guesses;
pub use executor::{Bounds, Cut, Cuts, Executor, Failure, Obstacle, Outcome};
pub use kept::{Candidate, Lapse};
pub use names::{NamedLoop, loops};
pub use order::{Loop, Order};
