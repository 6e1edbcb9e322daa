//! Property files: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
//!
//! The grammar is that of the Competition on Software Verification, with `G ! NAME` for every automatic check.
//! Properties that are not supported are recognised by name and refused.

use std::path::Path;

use rorqual_cfa::Check;
use rorqual_source::{Diagnostic, Span};

use super::document::Document;
use crate::{Failure, Host};

/// What no execution from `entry` does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// The function that the program starts with.
    pub entry: String,
    /// The functions whose call is a violation.
    pub error_functions: Vec<String>,
    /// What the program is checked for, in the order of [`Check::ALL`]; assertions if there are error functions.
    pub checks: Vec<Check>,
}

/// The properties of SV-COMP that stand for automatic checks.
const MEMORY: &[(&str, &[Check])] = &[
    ("valid-free", &[Check::DoubleFree]),
    ("valid-deref", &[Check::Bounds, Check::Null, Check::UseAfterFree]),
    ("valid-memtrack", &[Check::Leak]),
];

/// The properties that have a name of their own but are not supported yet.
const UNSUPPORTED: &[(&str, &str)] = &[
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
            property.checks.extend(next.checks);
        }
        property.checks.sort_unstable();
        property.checks.dedup();
        Ok(property)
    }

    /// The property that a text states, if it states one.
    pub fn from_text(text: &str) -> Option<Property> {
        Property::parse(text, 0, &Document::new(Path::new("property"), text.as_bytes())).ok()
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
        let mut property = Property { entry, error_functions: Vec::new(), checks: Vec::new() };
        self.formula(&mut property)?;
        self.expect(")")?;
        self.expect(")")?;
        Ok(property)
    }

    /// `G ! call ( NAME ( ) )`, `G ! CHECK`, or `G valid-…`
    fn formula(&mut self, property: &mut Property) -> Result<(), Diagnostic> {
        self.refuse_unsupported()?;
        self.expect("G")?;
        if let Some((_, checks)) = self.one_of(MEMORY) {
            property.checks.extend(*checks);
            return Ok(());
        }
        self.expect("!")?;
        let checks = Check::ALL.map(|check| (check.name(), check));
        if let Some(&(_, check)) = self.one_of(&checks) {
            property.checks.push(check);
            return Ok(());
        }
        for token in ["call", "("] {
            self.expect(token)?;
        }
        property.error_functions.push(self.name()?);
        property.checks.push(Check::Assertions);
        for token in ["(", ")", ")"] {
            self.expect(token)?;
        }
        Ok(())
    }

    /// The entry whose name comes next, all of it.
    fn one_of<'t, T>(&mut self, table: &'t [(&str, T)]) -> Option<&'t (&'t str, T)> {
        self.skip_space();
        let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let end = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        let found = table.iter().find(|(name, _)| *name == &self.rest()[..end])?;
        self.at += end;
        Some(found)
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
            .with_note("supported: `CHECK( init(main()), LTL(G ! call(reach_error())) )`", Span::NONE)
            .with_help("see also the automatic checks of `--check`"))
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
