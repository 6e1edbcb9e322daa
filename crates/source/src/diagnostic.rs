//! Messages about the user's program, as data.

use crate::Span;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; the work goes on.
    Warning,
    /// The program cannot be read.
    Error,
}

/// A remark below a diagnostic, with the place it speaks of if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What is remarked.
    pub message: String,
    /// The place, or [`Span::NONE`].
    pub span: Span,
}

/// One message with its place, remarks, and ways out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// The place, or [`Span::NONE`] where there is none (a missing file, say).
    pub span: Span,
    /// Further places and facts.
    pub notes: Vec<Note>,
    /// What the user can do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic { severity: Severity::Error, message: message.into(), span, notes: vec![], help: vec![] }
    }

    /// The same diagnostic with a remark.
    #[must_use]
    pub fn with_note(mut self, message: impl Into<String>, span: Span) -> Diagnostic {
        self.notes.push(Note { message: message.into(), span });
        self
    }

    /// The same diagnostic with a way out.
    #[must_use]
    pub fn with_help(mut self, message: impl Into<String>) -> Diagnostic {
        self.help.push(message.into());
        self
    }
}
