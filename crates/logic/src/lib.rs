//! Formulas: hash-consed, sorted terms over Booleans, bit-vectors of any width, arrays from
//! bit-vectors to bit-vectors, uninterpreted functions, and integers.
//!
//! Terms live in a [`TermPool`] and are named by [`Term`], so equal terms have equal names. The
//! constructors of the pool simplify; what they build means the same as what was asked for.
//! This crate decides nothing about formulas: that is the solver's work.
//!
//! ```
//! use rorqual_logic::{Sort, TermPool};
//! let mut pool = TermPool::new();
//! let x = pool.symbol("x", Sort::BitVec(32));
//! let zero = pool.bv(0u32, 32);
//! let sum = pool.bv_add(x, zero);
//! assert_eq!(sum, x);
//! ```

mod array;
mod bits;
mod boolean;
mod integer;
mod pool;
mod sort;
mod vector;
mod visit;

pub use bits::Bits;
pub use pool::{FunctionSymbol, Op, SymbolId, Term, TermPool};
pub use sort::Sort;
