//! A rough division of C text into tokens, which never fails. The fuzzer cuts between them.

use std::ops::Range;

/// What a token looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword.
    Word,
    /// Starts with a digit.
    Number,
    /// In quotes, perhaps unterminated.
    Quoted,
    /// Anything else that is not blank, one byte each.
    Punctuation,
}

/// A token and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
}

/// All tokens in order. Blanks stand between them; comments are taken apart like code.
pub(crate) fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let first = text[at];
        if first.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (kind, length) = match first {
            b'0'..=b'9' => (Kind::Number, word_length(&text[at..])),
            b'"' | b'\'' => (Kind::Quoted, quoted_length(&text[at..])),
            _ if is_word(first) => (Kind::Word, word_length(&text[at..])),
            _ => (Kind::Punctuation, 1),
        };
        tokens.push(Token { kind, range: at..at + length });
        at += length;
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn word_length(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_word(byte) || byte == b'.').count().max(1)
}

fn quoted_length(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != text[0] && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_divided() {
        let text = b"int x = 0x1f+'\\'' ; \"open\n $y";
        let found: Vec<&[u8]> = tokens(text).into_iter().map(|token| &text[token.range]).collect();
        let expected: [&[u8]; 9] = [b"int", b"x", b"=", b"0x1f", b"+", b"'\\''", b";", b"\"open\n", b"$y"];
        assert_eq!(found, expected);
    }

    #[test]
    fn every_text_can_be_divided() {
        for text in [&b""[..], b"\"", b"'\\", b"\xff\xfe", b"1.", b"\0"] {
            let end = tokens(text).last().map_or(0, |token| token.range.end);
            assert!(end <= text.len());
        }
    }
}
