//! S-expressions with their places: the first half of parsing.
//!
//! They are stored in one vector and name each other by number, so that neither reading nor dropping
//! deeply nested text recurses.

use crate::smtlib::ParseError;

/// The number of an S-expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SexpId(usize);

/// A place in the text; lines and columns count from one, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Place {
    pub(super) fn error(self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}

/// An S-expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sexp {
    /// A name without its quotes.
    Symbol(String),
    /// A name that starts with a colon.
    Keyword(String),
    /// A decimal number without a point.
    Numeral(String),
    /// The digits after `#b`.
    Binary(String),
    /// The digits after `#x`.
    Hexadecimal(String),
    /// A text, or a number with a point: nothing that a term here can use.
    Other(String),
    /// A list.
    List(Vec<SexpId>),
}

/// All S-expressions of a text.
#[derive(Debug, Default)]
pub(super) struct Sexps {
    nodes: Vec<(Sexp, Place)>,
}

impl Sexps {
    pub(super) fn get(&self, id: SexpId) -> &Sexp {
        &self.nodes[id.0].0
    }

    pub(super) fn place(&self, id: SexpId) -> Place {
        self.nodes[id.0].1
    }

    pub(super) fn list(&self, id: SexpId) -> Option<&[SexpId]> {
        match self.get(id) {
            Sexp::List(items) => Some(items),
            _ => None,
        }
    }

    pub(super) fn symbol(&self, id: SexpId) -> Option<&str> {
        match self.get(id) {
            Sexp::Symbol(name) => Some(name),
            _ => None,
        }
    }

    fn add(&mut self, sexp: Sexp, place: Place) -> SexpId {
        self.nodes.push((sexp, place));
        SexpId(self.nodes.len() - 1)
    }

    /// Reads all S-expressions of the text.
    pub(super) fn read(text: &str) -> Result<(Sexps, Vec<SexpId>), ParseError> {
        let mut sexps = Sexps::default();
        let mut reader = Reader { rest: text, place: Place { line: 1, column: 1 } };
        let mut open: Vec<(Place, Vec<SexpId>)> = Vec::new();
        let mut top = Vec::new();
        loop {
            reader.skip_blanks();
            let place = reader.place;
            let Some(first) = reader.peek() else { break };
            let done = match first {
                '(' => {
                    reader.next();
                    open.push((place, Vec::new()));
                    continue;
                }
                ')' => {
                    reader.next();
                    let (start, items) = open.pop().ok_or_else(|| place.error("`)` without `(`"))?;
                    sexps.add(Sexp::List(items), start)
                }
                _ => {
                    let atom = reader.atom(first)?;
                    sexps.add(atom, place)
                }
            };
            open.last_mut().map_or(&mut top, |(_, items)| items).push(done);
        }
        match open.pop() {
            Some((start, _)) => Err(start.error("`(` without `)`")),
            None => Ok((sexps, top)),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.rest = &self.rest[character.len_utf8()..];
        if character == '\n' {
            self.place = Place { line: self.place.line.saturating_add(1), column: 1 };
        } else {
            self.place.column = self.place.column.saturating_add(1);
        }
        Some(character)
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let start = self.rest;
        while self.peek().is_some_and(&belongs) {
            self.next();
        }
        &start[..start.len() - self.rest.len()]
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if self.peek() != Some(';') {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn atom(&mut self, first: char) -> Result<Sexp, ParseError> {
        let place = self.place;
        match first {
            '|' => self.quoted(place),
            '"' => self.string(place),
            _ => self.plain(place),
        }
    }

    fn quoted(&mut self, place: Place) -> Result<Sexp, ParseError> {
        self.next();
        let name = self.take_while(|c| c != '|' && c != '\\');
        match self.next() {
            Some('|') => Ok(Sexp::Symbol(name.to_owned())),
            Some(_) => Err(place.error("a quoted name contains `\\`")),
            None => Err(place.error("a quoted name has no end")),
        }
    }

    /// Two quotation marks inside of a string stand for one.
    fn string(&mut self, place: Place) -> Result<Sexp, ParseError> {
        let mut text = String::new();
        while self.peek() == Some('"') {
            self.next();
            text.push_str(self.take_while(|c| c != '"'));
            if self.next().is_none() {
                return Err(place.error("a string has no end"));
            }
        }
        Ok(Sexp::Other(text))
    }

    fn plain(&mut self, place: Place) -> Result<Sexp, ParseError> {
        let text = self.take_while(|c| !c.is_whitespace() && !"()|\";".contains(c));
        let digits = |text: &str, radix: u32| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
        if let Some(code) = text.strip_prefix('#') {
            return match (code.strip_prefix('b'), code.strip_prefix('x')) {
                (Some(bits), _) if digits(bits, 2) => Ok(Sexp::Binary(bits.to_owned())),
                (_, Some(nibbles)) if digits(nibbles, 16) => Ok(Sexp::Hexadecimal(nibbles.to_owned())),
                _ => Err(place.error(format!("`{text}` is no constant"))),
            };
        }
        if let Some(keyword) = text.strip_prefix(':') {
            return Ok(Sexp::Keyword(keyword.to_owned()));
        }
        if digits(text, 10) {
            return Ok(Sexp::Numeral(text.to_owned()));
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Sexp::Other(text.to_owned()));
        }
        Ok(Sexp::Symbol(text.to_owned()))
    }
}
