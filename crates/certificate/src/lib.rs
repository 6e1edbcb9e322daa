//! Certificates of safety, and the checker that re-proves them.
//!
//! A certificate states what holds at a set of locations that every cycle of the program meets, and what functions and
//! loops require and ensure; or how far loops and recursion go.
//! [`write()`] and [`parse()`] are its text format (`docs/formats/certificate.md`). [`check()`] proves that the
//! statements hold initially, that every stretch of the program between them preserves them, and that no
//! error lies on such a stretch. It has its own translation of the program to formulas: nothing here is
//! shared with what found the invariant but what pointers may point to (`rorqual_memory`), and every answer of the solver counts only after its proof was
//! checked.
//!
//! ```
//! use rorqual_certificate::{Header, Outcome, check, parse, write};
//! use rorqual_evidence::{Claim, Invariant};
//! use rorqual_logic::TermPool;
//! use rorqual_solver::Limits;
//!
//! let program = rorqual_testkit::program(
//!     "void reach_error(void); int main(void) { int x = 3; if (x * x != 9) reach_error(); }",
//! );
//! // A program without loops needs no statement.
//! let invariant = Invariant { pool: TermPool::new(), locations: vec![], contracts: vec![] };
//! let claim = Claim::Invariant(invariant);
//! let text = write(&program, &claim, &Header::default(), None);
//! let read = parse(&program, &text).expect("what is written can be read");
//! let outcome = check(&program, &read.claim, &Limits::none());
//! assert_eq!(outcome, Outcome::Accepted { obligations: 1, rests_on: vec![] });
//! ```
//!
//! Where to start reading: `check/mod.rs` says what is proved, `check/graph.rs` what the stretches are,
//! `check/step.rs` what an edge does, `check/expression.rs`, `check/memory.rs`, `check/pointer.rs` and
//! `check/heap.rs` what expressions, places, pointers and allocated memory mean. `unwinding/mod.rs` says what is proved of
//! bounds, and `unwinding/machine.rs` executes the program for that.

mod assumptions;
mod bounds;
mod cells;
mod check;
mod contracts;
mod format;
mod leaves;
mod refutations;
mod smtlib;
mod unwinding;

pub use check::{Obligation, Outcome, Premises, Rejection, Visitor, check, check_again, check_with};
pub use format::{
    Certificate, Guard, Header, ParseError, Problem, certificates_in, fingerprint, parse, write,
};
pub use refutations::Refutations;
pub use smtlib::obligation_text;
