//! Source files, positions in them, and diagnostics as data.
//!
//! Nothing here reads a file or prints: the front end fills a [`SourceMap`], everything later
//! carries [`Span`]s, and the command line turns both into text.
//!
//! ```
//! use rorqual_source::{SourceMap, Span};
//! let mut sources = SourceMap::default();
//! let file = sources.add("a.c", b"int x;\nint y;\n");
//! let span = Span::new(file, 11, 12);
//! assert_eq!(sources.position(span).to_string(), "a.c:2:5");
//! assert_eq!(sources.text(span), "y");
//! ```

mod diagnostic;
mod map;

pub use diagnostic::{Diagnostic, Note, Severity};
pub use map::{FileId, Position, SourceFile, SourceMap, Span};
