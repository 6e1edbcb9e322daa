//! Terms as SMT-LIB 2.6 text, for other solvers, for bug reports, and for recorded queries.
//!
//! What is printed here is read back as the same terms of the same pool. The parser also reads the
//! operations that the pool expresses by others, such as `bvsub`, `bvsmod` or `distinct`.

mod name;
mod operation;
mod parse;
mod print;
mod sexp;
#[cfg(test)]
mod tests;

pub use parse::{Command, ParseError, Script, parse_closed, parse_script, parse_term};
pub use print::{batch, closed_text, declarations, logic_of, script, sort_text, term_text};
