//! Property files: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
//!
//! The grammar is that of the Competition on Software Verification. Properties other than the
//! unreachability of a function are recognised by name and refused.

use std::path::Path;

use rorqual_source::{Diagnostic, Span};

use super::document::Document;
use crate::{Failure, Host};

/// That no execution from `entry` calls one of the error functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// The function that the program starts with.
    pub entry: String,
    /// The functions whose call is a violation; at least one.
    pub error_functions: Vec<String>,
}

/// The properties that have a name of their own but are not supported yet.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("G ! overflow", "no-overflow"),
    ("G valid-free", "valid-memsafety"),
    ("G valid-deref", "valid-memsafety"),
    ("G valid-memtrack", "valid-memsafety"),
    ("G valid-memcleanup", "valid-memcleanup"),
    ("G ! data-race", "no-data-race"),
    ("G def-behavior", "def-behavior"),
    ("G ! label", "the reachability of a label"),
    ("F end", "termination"),
];

impl Property {
    /// Reads a property file.
    pub fn read(host: &dyn Host, path: &Path) -> Result<Property, Failure> {
        Property::from_document(&Document::read(host, path)?)
    }

    pub(super) fn from_document(document: &Document) -> Result<Property, Failure> {
        Property::parse(document.text(), 0, document).map_err(|diagnostic| document.refuse(diagnostic))
    }

    /// Parses property text that stands at byte `offset` of `document`.
    pub(super) fn parse(text: &str, offset: usize, document: &Document) -> Result<Property, Diagnostic> {
        let mut parser = Parser { text, at: 0, offset, document };
        let mut property = parser.check()?;
        while !parser.is_at_end() {
            let next = parser.check()?;
            if next.entry != property.entry {
                let message =
                    format!("one property starts in `{}`, another in `{}`", property.entry, next.entry);
                return Err(Diagnostic::error(message, parser.here()));
            }
            property.error_functions.extend(next.error_functions);
        }
        Ok(property)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Where the text stands in the document.
    offset: usize,
    document: &'a Document,
}

impl<'a> Parser<'a> {
    /// `CHECK ( init ( NAME ( ) ) , LTL ( FORMULA ) )`
    fn check(&mut self) -> Result<Property, Diagnostic> {
        let start = self.skip_space();
        if self.rest().starts_with("COVER") {
            let message = "coverage properties are not supported yet";
            return Err(Diagnostic::error(message, self.span(start, start + "COVER".len())));
        }
        self.expect("CHECK")?;
        self.expect("(")?;
        self.expect("init")?;
        self.expect("(")?;
        let entry = self.name()?;
        for token in ["(", ")", ")", ",", "LTL", "("] {
            self.expect(token)?;
        }
        let error_function = self.formula()?;
        self.expect(")")?;
        self.expect(")")?;
        Ok(Property { entry, error_functions: vec![error_function] })
    }

    /// `G ! call ( NAME ( ) )`
    fn formula(&mut self) -> Result<String, Diagnostic> {
        self.refuse_unsupported()?;
        for token in ["G", "!", "call", "("] {
            self.expect(token)?;
        }
        let name = self.name()?;
        for token in ["(", ")", ")"] {
            self.expect(token)?;
        }
        Ok(name)
    }

    fn refuse_unsupported(&mut self) -> Result<(), Diagnostic> {
        let start = self.skip_space();
        let unspaced = |text: &str| text.split_whitespace().collect::<String>();
        let formula = self.rest().lines().next().unwrap_or("");
        let found = UNSUPPORTED.iter().find(|(known, _)| unspaced(formula).starts_with(&unspaced(known)));
        let Some((_, name)) = found else { return Ok(()) };
        let end = start + formula.find(')').unwrap_or(formula.len());
        let message = format!("the property `{name}` is not supported yet");
        Err(Diagnostic::error(message, self.span(start, end))
            .with_note("supported: `CHECK( init(main()), LTL(G ! call(reach_error())) )`", Span::NONE))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) -> usize {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space() == self.text.len()
    }

    fn expect(&mut self, token: &str) -> Result<(), Diagnostic> {
        self.skip_space();
        if !self.rest().starts_with(token) {
            return Err(self.expected(&format!("`{token}`")));
        }
        self.at += token.len();
        Ok(())
    }

    fn name(&mut self) -> Result<String, Diagnostic> {
        self.skip_space();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let end = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        if end == 0 {
            return Err(self.expected("the name of a function"));
        }
        let name = self.rest()[..end].to_owned();
        self.at += end;
        Ok(name)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        Diagnostic::error(format!("expected {what} in the property"), self.here())
            .with_note("a property reads `CHECK( init(main()), LTL(G ! call(reach_error())) )`", Span::NONE)
    }

    fn here(&self) -> Span {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        self.span(self.at, self.at + length)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        self.document.span(self.offset + start, self.offset + end)
    }
}
