//! Places in source text that the automata do not keep: the closing parenthesis of a call, the statement
//! behind a declaration.

use rorqual_cfa::Program;
use rorqual_source::{FileId, Span};

use crate::model::Location;

/// The closing parenthesis of the call of `function` that an edge at `span` makes, in bytes from the start of
/// the file. An edge that stores the result covers the whole assignment.
pub(crate) fn call_end(program: &Program, span: Span, function: &str) -> Option<u32> {
    let text = program.sources.text(span);
    let call = find_call(text, function).or_else(|| only_call(call_text(program, span)?, function))?;
    Some(span.start() + call as u32)
}

/// The same for a call among the arguments of a macro, whose edges are all at its name.
fn only_call(text: &str, function: &str) -> Option<usize> {
    let open = text.find('(')?;
    let arguments = &text[open..text.len() - 1];
    let is_there_once = arguments.matches(function).count() == 1;
    let call = find_call(arguments, function).filter(|_| is_there_once)?;
    Some(open + call)
}

/// Where the argument list of the first call of `function` in a text ends.
fn find_call(text: &str, function: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    for (at, _) in text.match_indices(function) {
        let behind = &text[at + function.len()..];
        let starts_name = text[..at].ends_with(is_part);
        let open = behind.len() - behind.trim_start().len();
        if !starts_name && behind[open..].starts_with('(') {
            let first = at + function.len() + open;
            return closing(&text[first..]).map(|end| first + end);
        }
    }
    // The call is behind a pointer or a macro: the last parenthesis of the edge is the best guess.
    text.trim_end().ends_with(')').then(|| text.trim_end().len() - 1)
}

/// The text of a call or of a use of a macro that starts at `span`, up to its closing parenthesis.
pub(crate) fn call_text(program: &Program, span: Span) -> Option<&str> {
    let text = program.sources.file(span.file()?).text().get(span.start() as usize..)?;
    let open = text.find('(')?;
    let is_name = text[..open].trim_end().chars().all(|c| c.is_alphanumeric() || c == '_');
    let end = closing(&text[open..]).filter(|_| is_name)?;
    Some(&text[..=open + end])
}

/// The parenthesis that closes the one a text starts with. Quoted ones do not count.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut quote = None;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(mark), _) => quote = (byte != mark).then_some(mark),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The first character of what follows the declaration that `span` is in.
pub(crate) fn behind_declaration(program: &Program, span: Span) -> Option<u32> {
    let text = program.sources.file(span.file()?).text();
    let mut at = span.end() as usize;
    let mut depth = 0;
    loop {
        let byte = *text.as_bytes().get(at)?;
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return None,
            b')' | b']' | b'}' => depth -= 1,
            b';' if depth == 0 => return skip_space(text, at + 1),
            _ => {}
        }
        at += 1;
    }
}

/// The first byte from `at` on that is neither space, nor in a comment, nor in a line of the preprocessor.
fn skip_space(text: &str, mut at: usize) -> Option<u32> {
    loop {
        let rest = text.get(at..)?;
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let skipped = if trimmed.starts_with("/*") {
            trimmed.find("*/").map(|end| end + 2)?
        } else if trimmed.starts_with("//") || trimmed.starts_with('#') {
            trimmed.find('\n')?
        } else {
            return (!trimmed.is_empty()).then_some(at as u32);
        };
        at += skipped;
    }
}

/// The byte of a file as a place of a witness.
pub(crate) fn location(program: &Program, file: FileId, at: u32, function: Option<&str>) -> Location {
    let position = program.sources.position(Span::new(file, at, at));
    Location {
        file_name: position.file.to_owned(),
        line: position.line,
        column: Some(position.column),
        function: function.map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_end_at_their_closing_parenthesis() {
        for text in [
            "f(1, (2))@",
            "x = xf(1) + f (\")\", g(')'))@ + f(2)",
            "f\n(\n)@;",
            "n = (int)f(h(\"\\\"(\"))@",
            "(*p)(x)@",
        ] {
            let expected = text.find('@').map(|at| at - 1);
            assert_eq!(find_call(&text.replace('@', ""), "f"), expected, "{text}");
        }
        assert_eq!(find_call("f", "f"), None);
    }

    #[test]
    fn calls_among_the_arguments_of_macros_are_found_if_they_are_alone() {
        assert_eq!(only_call("assert(f(1) != 4)", "f"), Some(10));
        assert_eq!(only_call("assert(f(1) != f(2))", "f"), None);
        assert_eq!(only_call("assert(x)", "f"), None);
    }

    #[test]
    fn declarations_end_with_their_semicolon() {
        let text = "int main(void) { int x, a[2] = {1; 2}; /* c; */\n# 1 \"x\"\n // d\n  x = 1; int y }";
        let mut program = rorqual_testkit::program("int main(void) { return 0; }");
        let file = program.sources.add("a.c", text.as_bytes());
        let after = |name: &str| {
            let at = text.find(name).unwrap() as u32;
            behind_declaration(&program, Span::new(file, at, at + 1))
        };
        assert_eq!(after("x,"), text.find("x = 1").map(|at| at as u32));
        assert_eq!(after("y }"), None);
    }
}
