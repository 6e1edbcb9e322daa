//! Satisfiability of formulas, with evidence for every answer.
//!
//! [`BitVecSolver`] decides many queries over bit-vectors, arrays and functions; [`Entailment`]
//! remembers its answers; [`refute`] makes proofs for interpolation, which [`proof::check`] verifies.
//!
//! ```
//! use rorqual_logic::{Sort, TermPool};
//! use rorqual_solver::{BitVecSolver, Limits};
//! let mut pool = TermPool::new();
//! let x = pool.symbol("x", Sort::BitVec(32));
//! let square = pool.bv_mul(x, x);
//! let nine = pool.bv(9u8, 32);
//! let query = [pool.eq(square, nine)];
//! let model = BitVecSolver::new().check(&mut pool, &query, &Limits::none()).model().expect("a root");
//! assert!(model.satisfies(&pool, query[0]));
//! ```

mod answer;
mod blast;
pub mod entailment;
mod lemmas;
mod limits;
mod model;
pub mod proof;
mod refute;
pub mod sat;
pub mod theory;
mod vocabulary;

pub use answer::{Answer, GaveUp};
pub use blast::is_abstracted;
pub use entailment::Entailment;
pub use limits::{Deadline, Limits, cpu_time};
pub use model::Model;
pub use refute::{Landmark, Refutation, Scopes, refute, refute_within};
pub use sat::{BitVecSolver, Core};
pub use vocabulary::{Name, Vocabulary};
