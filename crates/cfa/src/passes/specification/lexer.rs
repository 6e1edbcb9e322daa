//! The words of a specification.

use rorqual_source::{Diagnostic, FileId, Span};

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    Name(String),
    Number(i128),
    Text(String),
    /// A sign of one or two characters.
    Sign(&'static str),
    End,
}

/// The signs, longer ones first.
const SIGNS: [&str; 26] = [
    "...", "->", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "{", "}", ",", ";", "=", "<", ">", "+", "-",
    "*", "!", "|", "_", ":", "[", "]",
];

/// All words of a text with their places; the last one is the end.
pub(super) fn words(file: FileId, text: &str) -> Result<Vec<(Word, Span)>, Diagnostic> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let (word, length) = word(rest)
                .map_err(|message| Diagnostic::error(message, span(file, at, at + first.len_utf8())))?;
            words.push((word, span(file, at, at + length)));
            at += length;
        }
    }
    words.push((Word::End, span(file, text.len(), text.len())));
    Ok(words)
}

fn span(file: FileId, start: usize, end: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(file, offset(start), offset(end))
}

/// The word that a text starts with, and its length.
fn word(text: &str) -> Result<(Word, usize), String> {
    let length = |is_part: &dyn Fn(char) -> bool| text.find(|part| !is_part(part)).unwrap_or(text.len());
    let is_letter = |part: char| part.is_ascii_alphanumeric() || part == '_' || part == '$';
    let named = length(&is_letter);
    match text.chars().next() {
        Some(first) if first.is_ascii_digit() => {
            let word = &text[..named];
            let parsed = match word.strip_prefix("0x") {
                Some(digits) => i128::from_str_radix(digits, 16).ok(),
                None => word.parse().ok(),
            };
            let number = parsed.filter(|&number| i64::try_from(number).is_ok());
            Ok((Word::Number(number.ok_or(format!("`{word}` is not a number of 64 bits"))?), named))
        }
        Some(first) if is_letter(first) && named > 1 || first_is_name(text) => {
            Ok((Word::Name(text[..named].to_owned()), named))
        }
        Some('"') => {
            let end = text[1..].find(['"', '\n']).filter(|&end| text[1 + end..].starts_with('"'));
            let end = end.ok_or("the text is not closed by `\"` on its line")?;
            Ok((Word::Text(text[1..=end].to_owned()), end + 2))
        }
        first => match SIGNS.iter().find(|&&sign| text.starts_with(sign)) {
            Some(&sign) => Ok((Word::Sign(sign), sign.len())),
            None => Err(format!("`{}` means nothing here", first.unwrap_or(' '))),
        },
    }
}

/// Whether a text starts with a name of one letter; `_` alone is a sign.
fn first_is_name(text: &str) -> bool {
    text.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '$')
}
