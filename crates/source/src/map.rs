//! The files of a program and the spans that point into them.

use std::fmt;

/// A file of a [`SourceMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The position of the file in the order in which files were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes of one file. The default span belongs to no file: it stands for code that
/// nobody wrote, such as the start-up code in front of `main`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    file: FileId,
    start: u32,
    end: u32,
}

impl Span {
    /// The span of code that stands in no file.
    pub const NONE: Span = Span { file: FileId(u32::MAX), start: 0, end: 0 };

    /// The bytes from `start` up to and without `end`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end: end.max(start) }
    }

    /// The file, unless this is [`Span::NONE`].
    pub fn file(self) -> Option<FileId> {
        (self != Span::NONE).then_some(self.file)
    }

    /// Where the span starts, in bytes from the start of its file.
    pub fn start(self) -> u32 {
        self.start
    }

    /// One past the last byte.
    pub fn end(self) -> u32 {
        self.end
    }

    /// This span, or `other` where this one belongs to no file.
    #[must_use]
    pub fn or(self, other: Span) -> Span {
        if self == Span::NONE { other } else { self }
    }
}

impl Default for Span {
    fn default() -> Span {
        Span::NONE
    }
}

/// One file: its name as the user wrote it, and its text.
#[derive(Debug, Clone)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    is_library: bool,
}

impl SourceFile {
    fn new(name: String, bytes: &[u8]) -> SourceFile {
        let text = text_with_same_offsets(bytes);
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        SourceFile { name, text, line_starts, is_library: false }
    }

    /// Whether it is the text of a model of a library function, which is in no file that others could read.
    pub fn is_library(&self) -> bool {
        self.is_library
    }

    /// The path as the user or an `#include` wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text. A byte that is not part of valid UTF-8 stands as `?`, so that offsets agree
    /// with the bytes on disk.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line that byte `at` is in, counted from 1.
    pub fn line(&self, at: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= at) as u32
    }

    /// The column of byte `at` in its line, counted in bytes from 1.
    pub fn column(&self, at: u32) -> u32 {
        at - self.line_starts[self.line(at) as usize - 1] + 1
    }
}

fn text_with_same_offsets(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    text
}

/// All files of a program.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, bytes: &[u8]) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile::new(name.into(), bytes));
        id
    }

    /// Notes that a file is the text of a model of a library function.
    pub fn mark_library(&mut self, id: FileId) {
        self.files[id.index()].is_library = true;
    }

    /// Whether a span is in a model of a library function.
    pub fn is_in_library(&self, span: Span) -> bool {
        span.file().is_some_and(|file| self.file(file).is_library())
    }

    /// The file behind `id`.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// All files in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    /// Where the span starts.
    pub fn position(&self, span: Span) -> Position<'_> {
        match span.file() {
            None => Position { file: "<start-up>", line: 0, column: 0 },
            Some(id) => {
                let file = self.file(id);
                let at = span.start.min(file.text.len() as u32);
                Position { file: &file.name, line: file.line(at), column: file.column(at) }
            }
        }
    }

    /// The text that the span covers, empty for [`Span::NONE`].
    pub fn text(&self, span: Span) -> &str {
        let Some(id) = span.file() else { return "" };
        self.file(id).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The span with the parentheses that its text lacks: of `(a + b) * c` for `a + b) * c`. Where they are not next to it, as in
    /// macros, it stays as it is.
    #[must_use]
    pub fn with_parentheses(&self, span: Span) -> Span {
        let (opening, closing) = missing_parentheses(self.text(span));
        if opening + closing == 0 {
            return span;
        }
        let Some(id) = span.file() else { return span };
        let text = &self.file(id).text;
        let (before, after) = (&text[..span.start as usize], &text[span.end as usize..]);
        let start = (0..opening).try_fold(before, |before, _| before.trim_end().strip_suffix('('));
        let rest = (0..closing).try_fold(after, |after, _| after.trim_start().strip_prefix(')'));
        match (start, rest) {
            (Some(start), Some(rest)) => Span::new(id, start.len() as u32, (text.len() - rest.len()) as u32),
            _ => span,
        }
    }
}

/// How many parentheses a text lacks at its start, and how many at its end. Those in literals are not counted.
fn missing_parentheses(text: &str) -> (usize, usize) {
    let (mut opening, mut open) = (0, 0);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '(' => open += 1,
            ')' if open == 0 => opening += 1,
            ')' => open -= 1,
            '"' | '\'' => skip_literal(&mut characters, character),
            _ => {}
        }
    }
    (opening, open)
}

fn skip_literal(characters: &mut std::str::Chars<'_>, quote: char) {
    while let Some(character) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            _ if character == quote => return,
            _ => {}
        }
    }
}

/// A place for people to read: `file:line:column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The line, counted from 1; 0 where the span belongs to no file.
    pub line: u32,
    /// The column in bytes, counted from 1; 0 where the span belongs to no file.
    pub column: u32,
}

impl fmt::Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return f.write_str(self.file);
        }
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_bytes_from_one() {
        let mut sources = SourceMap::default();
        let file = sources.add("f.c", b"a\n\nbc");
        let at = |offset| sources.position(Span::new(file, offset, offset)).to_string();
        assert_eq!(at(0), "f.c:1:1");
        assert_eq!(at(1), "f.c:1:2");
        assert_eq!(at(2), "f.c:2:1");
        assert_eq!(at(4), "f.c:3:2");
        assert_eq!(at(5), "f.c:3:3");
        assert_eq!(at(500), "f.c:3:3");
    }

    #[test]
    fn spans_get_the_parentheses_that_they_lack() {
        let mut sources = SourceMap::default();
        let text = "x = ( (a + ')') * \"(\" ) / ( f(b) );";
        let file = sources.add("f.c", text.as_bytes());
        let widened = |inner: &str| {
            let start = text.find(inner).expect("a part of the text") as u32;
            let span = Span::new(file, start, start + inner.len() as u32);
            let wide = sources.with_parentheses(span);
            sources.text(wide).to_owned()
        };
        assert_eq!(widened("a + ')') * \"(\""), "(a + ')') * \"(\"");
        assert_eq!(widened("(a + ')') * \"(\" ) / ( f(b)"), "( (a + ')') * \"(\" ) / ( f(b) )");
        assert_eq!(widened("f(b)"), "f(b)");
        assert_eq!(widened("* \"(\" ) / ( f(b)"), "* \"(\" ) / ( f(b)", "nothing opens it");
    }

    #[test]
    fn bytes_that_are_not_text_keep_their_offsets() {
        let mut sources = SourceMap::default();
        let file = sources.add("latin1.c", b"/* \xe4\xff */ int x;");
        assert_eq!(sources.text(Span::new(file, 9, 12)), "int");
    }

    #[test]
    fn the_span_of_no_file_prints_as_start_up_code() {
        assert_eq!(SourceMap::default().position(Span::NONE).to_string(), "<start-up>");
    }
}
