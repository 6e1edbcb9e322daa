//! A small file that is read for its settings, with the means to point into it.

use std::path::{Component, Path, PathBuf};

use rorqual_source::{Diagnostic, FileId, SourceMap, Span};

use super::text::read_text;
use crate::{Failure, Host};

/// A file and the map that knows it as its only file.
#[derive(Debug, Clone)]
pub(super) struct Document {
    sources: SourceMap,
    file: FileId,
    path: PathBuf,
}

impl Document {
    /// Reads the file at `path`, which must be text.
    pub(super) fn read(host: &dyn Host, path: &Path) -> Result<Document, Failure> {
        match read_text(host, path) {
            Ok(bytes) => Ok(Document::new(path, &bytes)),
            Err(diagnostic) => Err(Failure { sources: SourceMap::default(), diagnostics: vec![diagnostic] }),
        }
    }

    /// A document with the given content.
    pub(super) fn new(path: &Path, bytes: &[u8]) -> Document {
        let mut sources = SourceMap::default();
        let file = sources.add(path.display().to_string(), bytes);
        Document { sources, file, path: path.to_owned() }
    }

    /// The text; invalid bytes stand as `?`.
    pub(super) fn text(&self) -> &str {
        self.sources.file(self.file).text()
    }

    /// The path that it was read from.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A path that the document names, relative to the directory of the document.
    pub(super) fn resolve(&self, name: &str) -> PathBuf {
        let directory = self.path.parent().unwrap_or(Path::new(""));
        join(directory, Path::new(name))
    }

    /// The bytes from `start` up to `end`.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    /// The place of a part of [`Document::text`]. `part` must be a slice of that very text.
    pub(super) fn span_of(&self, part: &str) -> Span {
        let start = part.as_ptr().addr().wrapping_sub(self.text().as_ptr().addr());
        if start.saturating_add(part.len()) > self.text().len() {
            return Span::NONE;
        }
        self.span(start, start + part.len())
    }

    /// The single place of a line and a column, both counted from 1.
    pub(super) fn span_at(&self, line: usize, column: usize) -> Span {
        let mut start = 0;
        for _ in 1..line {
            match self.text()[start..].find('\n') {
                Some(length) => start += length + 1,
                None => break,
            }
        }
        let at = (start + column.saturating_sub(1)).min(self.text().len());
        self.span(at, at)
    }

    /// A refusal that points into this document, or at nothing.
    pub(super) fn refuse(&self, diagnostic: Diagnostic) -> Failure {
        Failure { sources: self.sources.clone(), diagnostics: vec![diagnostic] }
    }

    /// [`Document::refuse`] with a message alone.
    pub(super) fn error(&self, message: impl Into<String>, span: Span) -> Failure {
        self.refuse(Diagnostic::error(message, span))
    }
}

/// `path` seen from `directory`, without needless `.` and `name/..`.
pub(super) fn join(directory: &Path, path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in directory.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}
