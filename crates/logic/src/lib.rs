//! Formulas: hash-consed, sorted terms over Booleans, bit-vectors of any width, arrays from
//! bit-vectors to bit-vectors, uninterpreted functions, and integers.
//!
//! Terms live in a [`TermPool`] and are named by [`Term`], so equal terms have equal names. The
//! constructors of the pool simplify; what they build means the same as what was asked for.
//! This crate decides nothing about formulas: that is the solver's work.
//!
//! ```
//! use rorqual_logic::{Assignment, Sort, TermPool, Value, smtlib};
//!
//! let mut pool = TermPool::new();
//! let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(32)));
//! let one = pool.bv(1u32, 32);
//! let next = pool.bv_add(x, one);
//! let claim = pool.bv_sle(next, y);
//!
//! // Constructors simplify.
//! assert_eq!(pool.bv_sub(next, one), x);
//! // For people, for solvers, and back.
//! assert_eq!(pool.display(claim).to_string(), "x + 1 <= y");
//! assert_eq!(smtlib::term_text(&pool, claim), "(bvsle (bvadd #x00000001 x) y)");
//! assert_eq!(smtlib::parse_term(&mut pool, "(bvsle (bvadd x #x00000001) y)"), Ok(claim));
//! // Symbols without a value are zero: 0 + 1 <= 0 is false.
//! assert_eq!(pool.evaluate(claim, &Assignment::new()), Value::Bool(false));
//! ```
//!
//! Where to look: [`TermPool`] for the constructors, by theory; [`Evaluator`] for what terms mean;
//! [`smtlib`] and [`TermPool::display`] for texts. `docs/decisions/0004-terms.md` says why terms
//! have the forms they have.

mod array;
mod bits;
mod bitwise;
mod boolean;
mod compare;
mod display;
#[cfg(test)]
mod display_tests;
mod eval;
mod integer;
mod lift;
mod narrowing;
mod pool;
mod range;
#[cfg(test)]
mod rewriting_tests;
mod slice;
pub mod smtlib;
mod sort;
mod sum;
#[cfg(test)]
mod testing;
mod value;
mod vector;
mod visit;

pub use bits::Bits;
pub use display::{Display, Element, Names};
pub use eval::{Assignment, Evaluator, FunctionTable};
pub use lift::Lifter;
pub use narrowing::Bounds;
pub use pool::{FunctionSymbol, Op, SymbolId, Term, TermPool};
pub use sort::Sort;
pub use value::{ArrayValue, Value};
