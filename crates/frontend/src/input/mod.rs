//! What may be named instead of plain C files: BenchExec task definitions, sequences of
//! versions, property files, and compilation databases.
//!
//! Everything here ends in [`TranslationUnit`]s and settings for [`Options`]; nothing here reads
//! C. Files are reached through [`Host`] only.
//!
//! [`Options`]: crate::Options
//! [`TranslationUnit`]: crate::TranslationUnit

mod compile_commands;
mod document;
mod property;
mod task;
#[cfg(test)]
mod tests;
mod text;
mod yaml;

pub use compile_commands::{Database, define, undefine};
pub use property::Property;
pub use task::{Task, looks_like_task};
pub use text::{check_text, read_text};
