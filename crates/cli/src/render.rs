//! Messages with a picture of the place they speak of.
//!
//! Only the line that a message points at is given to the renderer, and of a long line only
//! the part up to that place: the cost does not depend on the size of the program.

use std::io::IsTerminal;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use rorqual_source::{Diagnostic, Severity, SourceMap, Span};

/// How many diagnostics are shown.
const SHOWN: usize = 10;
/// How much of a line is read behind the place, in bytes.
const BEHIND: usize = 200;
/// How much of the place itself is marked, in bytes.
const MARKED: usize = 160;

/// A message that is about to be shown.
#[derive(Debug, Clone)]
pub(crate) struct Message<'a> {
    /// What kind of message: `error`, `violation`, `unknown`, …
    pub(crate) name: &'a str,
    /// Its text, place, remarks and ways out.
    pub(crate) content: &'a Diagnostic,
}

/// The diagnostics with an empty line between them. Errors beyond the first few are mostly
/// consequences of those, so they are only counted.
pub(crate) fn diagnostics(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let renderer = renderer();
    let render = |content: &Diagnostic| {
        let name = match content.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        Message { name, content }.render(sources, &renderer)
    };
    let mut messages: Vec<_> = diagnostics.iter().take(SHOWN).map(render).collect();
    match diagnostics.len().saturating_sub(SHOWN) {
        0 => {}
        1 => messages.push("1 more message is not shown\n".to_owned()),
        more => messages.push(format!("{more} more messages are not shown\n")),
    }
    messages.join("\n")
}

/// The renderer for standard error: with colours only if a person reads it and wants them.
pub(crate) fn renderer() -> Renderer {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stderr().is_terminal() && !unwanted { Renderer::styled() } else { Renderer::plain() }
}

impl Message<'_> {
    /// The message as text that ends with a newline.
    pub(crate) fn render(&self, sources: &SourceMap, renderer: &Renderer) -> String {
        let content = self.content;
        let level = match content.severity {
            Severity::Warning => Level::WARNING,
            Severity::Error => Level::ERROR,
        };
        let title = level.with_name(self.name).primary_title(&content.message);
        let mut first = Group::with_title(title).elements(picture(sources, content.span));
        let is_elsewhere = |span: Span| span.file().is_some() && span != content.span;
        let (placed, plain): (Vec<_>, Vec<_>) =
            content.notes.iter().partition(|note| is_elsewhere(note.span));
        for note in plain {
            first = first.element(Level::NOTE.message(&note.message));
        }
        for help in &content.help {
            first = first.element(Level::HELP.message(help));
        }
        let further = placed.into_iter().map(|note| {
            let title = Level::NOTE.secondary_title(&note.message);
            Group::with_title(title).elements(picture(sources, note.span))
        });
        let groups: Vec<_> = std::iter::once(first).chain(further).collect();
        renderer.render(&groups) + "\n"
    }
}

/// The place and its line with a mark under it; nothing if there is no place.
fn picture(sources: &SourceMap, span: Span) -> Option<Snippet<'_, Annotation<'_>>> {
    let file = sources.file(span.file()?);
    let line = Line::new(file.text(), span.start() as usize, span.end() as usize);
    let mark = AnnotationKind::Primary.span(line.start..line.end);
    let number = sources.position(span).line as usize;
    Some(Snippet::source(line.text).line_start(number).path(file.name()).annotation(mark))
}

/// The line of a place, and the marked range in it.
#[derive(Debug, PartialEq, Eq)]
struct Line<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

impl Line<'_> {
    fn new(text: &str, start: usize, end: usize) -> Line<'_> {
        let start = text.floor_char_boundary(start.min(text.len()));
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let end = text.floor_char_boundary(end.min(line_end).min(start + MARKED)).max(start);
        let shown_end = text.floor_char_boundary((end + BEHIND).min(line_end));
        let text = text[line_start..shown_end].trim_end_matches('\r');
        let place = |at: usize| (at - line_start).min(text.len());
        Line { text, start: place(start), end: place(end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, start: u32, end: u32) -> String {
        let mut sources = SourceMap::default();
        let file = sources.add("dir/a.c", text.as_bytes());
        let content = Diagnostic::error("`y` is not declared", Span::new(file, start, end))
            .with_note("each name is declared before its use", Span::NONE)
            .with_note("a similar name is here", Span::new(file, 0, 3))
            .with_help("declare `y`");
        Message { name: "error", content: &content }.render(&sources, &Renderer::plain())
    }

    #[test]
    fn a_message_shows_its_line_remarks_and_help() {
        insta::assert_snapshot!(rendered("int x;\nint main(void) {\n\treturn y;\n}\n", 32, 33));
    }

    #[test]
    fn a_place_at_the_end_of_the_file_is_shown() {
        insta::assert_snapshot!(rendered("int x;\nint y", 12, 12));
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}y{}", "é ".repeat(500_000), " x".repeat(500_000));
        let started = std::time::Instant::now();
        let message = rendered(&text, 1_500_000, 1_500_001);
        assert!(message.len() < 2000, "{message}");
        assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
    }

    #[test]
    fn a_place_over_several_lines_ends_with_its_first() {
        let line = Line::new("a\r\nif (x)\r\n  y;\n", 3, 15);
        assert_eq!(line, Line { text: "if (x)", start: 0, end: 6 });
    }
}
