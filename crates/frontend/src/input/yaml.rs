//! YAML with places: values of `serde-saphyr` and its errors, as spans and diagnostics.

use std::fmt;

use rorqual_source::Span;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, SeqAccess, Visitor};
use serde_saphyr::{Location, MessageFormatter, Spanned, UserMessageFormatter};

use super::document::Document;
use crate::Failure;

/// Parses the document.
pub(super) fn parse<T: DeserializeOwned>(document: &Document) -> Result<T, Failure> {
    serde_saphyr::from_str(document.text()).map_err(|error| {
        let error = error.without_snippet();
        let span = error.location().map_or(Span::NONE, |location| span(document, location));
        let message = format!("malformed task definition: {}", UserMessageFormatter.format_message(error));
        document.error(message, span)
    })
}

/// The place of a value.
pub(super) fn place<T>(document: &Document, value: &Spanned<T>) -> Span {
    span(document, value.referenced)
}

fn span(document: &Document, location: Location) -> Span {
    let bytes = location.span();
    match (bytes.byte_offset(), bytes.byte_len()) {
        (Some(start), Some(length)) => trimmed(document, start as usize, (start + length) as usize),
        _ if location.line() > 0 => document.span_at(location.line() as usize, location.column() as usize),
        _ => Span::NONE,
    }
}

/// Ends the span with the first line: a place in a small file is one line.
fn trimmed(document: &Document, start: usize, end: usize) -> Span {
    let text = document.text().get(start..end).unwrap_or("");
    let line = text.lines().next().unwrap_or("").trim_end();
    document.span(start, start + line.len())
}

/// One text or a list of texts.
#[derive(Debug)]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for OneOrMany {
    /// By hand, because `#[serde(untagged)]` loses the places of the items.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrList;

        impl<'de> Visitor<'de> for TextOrList {
            type Value = OneOrMany;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the name of a file or a list of names")
            }

            fn visit_str<E>(self, text: &str) -> Result<OneOrMany, E> {
                Ok(OneOrMany::One(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<OneOrMany, A::Error> {
                let mut names = vec![];
                while let Some(name) = items.next_element()? {
                    names.push(name);
                }
                Ok(OneOrMany::Many(names))
            }
        }

        deserializer.deserialize_any(TextOrList)
    }
}
