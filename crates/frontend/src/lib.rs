//! From C text to control-flow automata.
//!
//! ```text
//! files ──adapter (rucc)──▶ typed units ──link──▶ typed program ──lower──▶ cfa::Program
//! ```
//!
//! [`parse`] does everything up to the typed program, [`lower`] the rest. Only the module
//! `adapter` names the `rucc-*` crates that preprocess, parse and type-check.


mod options;

pub use options::{Failure, Host, Options, TranslationUnit};
