//! Positions and messages in our terms.

use rorqual_source::{Diagnostic, FileId, Severity, Span};
use rucc_diag::SourceMap;

use super::headers;
use crate::typed::Program;

/// The span in our source map. Files are copied there when the first span points into them.
pub(super) fn span(
    sources: &SourceMap,
    files: &mut Vec<Option<FileId>>,
    program: &mut Program,
    span: rucc_diag::Span,
) -> Span {
    if span.is_dummy() {
        return Span::NONE;
    }
    let (start, end) = (sources.real(span.lo), sources.real(span.hi));
    let Some(file) = sources.lookup_file(start) else {
        return Span::NONE;
    };
    let source = sources.file(file);
    if files.len() <= file.index() {
        files.resize(file.index() + 1, None);
    }
    let id =
        *files[file.index()].get_or_insert_with(|| program.sources.add(source.name.clone(), source.bytes()));
    let end = if source.contains(end) { end } else { start };
    Span::new(id, start - source.start, end.max(start) - source.start)
}

/// A message of rucc's.
pub(super) fn diagnostic(
    sources: &SourceMap,
    files: &mut Vec<Option<FileId>>,
    program: &mut Program,
    message: &rucc_diag::Diagnostic,
) -> Diagnostic {
    let mut ours = Diagnostic {
        severity: if message.severity.is_fatal() { Severity::Error } else { Severity::Warning },
        ..Diagnostic::error(message.message.clone(), span(sources, files, program, message.span))
    };
    for child in &message.children {
        let place = span(sources, files, program, child.span);
        if child.severity == rucc_diag::Severity::Help {
            ours = ours.with_help(child.message.clone());
        } else {
            // The directory of a file named without one is the empty string.
            let message = child.message.replace("searched: , ", "searched: ");
            ours = ours.with_note(headers::without_own(&message), place);
        }
    }
    if message.code == Some(headers::NOT_FOUND) {
        ours = ours.with_help(headers::NOT_FOUND_HELP);
    }
    ours
}
