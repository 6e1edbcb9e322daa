//! Paths as texts, so that what engines ask can be recorded and asked again by benchmarks.
//!
//! A recording is an SMT-LIB script that any solver runs as it is, with one command per line:
//!
//! ```text
//! (declare-fun x@0 () (_ BitVec 32))               declarations first; names are shared by all paths
//! (push 1)
//! (set-info :path |counters: signed, 3 rounds|)    the name of the path
//! (assert (! (= x@0 #x00000000) :named part-0))    one assertion per part, in order
//! (assert (! (bvslt x@0 #x00000000) :named part-1))
//! (check-sat)
//! (pop 1)
//! ```
//!
//! Empty lines and lines that start with `;` are skipped. One recording has the paths of one run, in
//! the order in which the engine asked. Nothing here reads or writes files.

use std::fmt;

use rorqual_logic::smtlib::{self, ParseError};
use rorqual_logic::{Term, TermPool};

/// The paths of one run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recording {
    /// What the parts are about, as commands, one per line.
    pub declarations: String,
    /// The paths in the order in which they were asked.
    pub paths: Vec<RecordedPath>,
}

/// One path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedPath {
    /// What the path is, for people.
    pub name: String,
    /// The formula of each part, as SMT-LIB text.
    pub parts: Vec<String>,
}

/// A line that a recording cannot have there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnexpectedLine {
    /// Its number, from one.
    pub line: usize,
}

impl fmt::Display for UnexpectedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} is not what a recording of paths has there", self.line)
    }
}

impl std::error::Error for UnexpectedLine {}

impl Recording {
    /// Reads a recording. The formulas stay texts until [`RecordedPath::terms`] is called.
    pub fn parse(text: &str) -> Result<Recording, UnexpectedLine> {
        let mut recording = Recording::default();
        let mut open: Option<RecordedPath> = None;
        for (at, line) in text.lines().enumerate() {
            let unexpected = UnexpectedLine { line: at + 1 };
            let line = line.trim();
            match (&mut open, Line::of(line)) {
                (_, Line::Nothing) | (Some(_), Line::CheckSat) => {}
                (None, Line::Declaration) => {
                    recording.declarations.push_str(line);
                    recording.declarations.push('\n');
                }
                (None, Line::Push) => open = Some(RecordedPath::default()),
                (Some(path), Line::Name(name)) => name.clone_into(&mut path.name),
                (Some(path), Line::Part(formula)) => path.parts.push(formula.to_owned()),
                (Some(_), Line::Pop) => recording.paths.extend(open.take()),
                _ => return Err(unexpected),
            }
        }
        match open {
            None => Ok(recording),
            Some(_) => Err(UnexpectedLine { line: text.lines().count() + 1 }),
        }
    }

    /// Records paths of a pool.
    pub fn of(pool: &TermPool, paths: &[(String, Vec<Term>)]) -> Recording {
        let all: Vec<Term> = paths.iter().flat_map(|(_, parts)| parts).copied().collect();
        let declarations = smtlib::declarations(pool, &all);
        let record = |(name, parts): &(String, Vec<Term>)| RecordedPath {
            name: name.clone(),
            parts: parts.iter().map(|&part| smtlib::term_text(pool, part)).collect(),
        };
        Recording { declarations, paths: paths.iter().map(record).collect() }
    }

    /// Makes the declared symbols and functions known to a pool.
    pub fn declare(&self, pool: &mut TermPool) -> Result<(), ParseError> {
        smtlib::parse_script(pool, &self.declarations).map(|_| ())
    }
}

impl RecordedPath {
    /// The terms of the parts, over symbols that the pool knows already.
    pub fn terms(&self, pool: &mut TermPool) -> Result<Vec<Term>, ParseError> {
        self.parts.iter().map(|part| smtlib::parse_term(pool, part)).collect()
    }
}

impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.declarations)?;
        for path in &self.paths {
            writeln!(f, "(push 1)\n(set-info :path |{}|)", path.name.replace(['|', '\\'], "?"))?;
            for (number, part) in path.parts.iter().enumerate() {
                writeln!(f, "(assert (! {part} :named part-{number}))")?;
            }
            writeln!(f, "(check-sat)\n(pop 1)")?;
        }
        Ok(())
    }
}

/// What a line of a recording is.
enum Line<'l> {
    Nothing,
    Declaration,
    Push,
    Name(&'l str),
    Part(&'l str),
    CheckSat,
    Pop,
    Other,
}

impl Line<'_> {
    fn of(line: &str) -> Line<'_> {
        if line.is_empty() || line.starts_with(';') {
            return Line::Nothing;
        }
        if line.starts_with("(declare-") {
            return Line::Declaration;
        }
        match line {
            "(push 1)" => return Line::Push,
            "(check-sat)" => return Line::CheckSat,
            "(pop 1)" => return Line::Pop,
            _ => {}
        }
        let name = line.strip_prefix("(set-info :path |").and_then(|rest| rest.strip_suffix("|)"));
        let part = line.strip_prefix("(assert (! ").and_then(|rest| rest.rsplit_once(" :named "));
        match (name, part) {
            (Some(name), _) => Line::Name(name),
            (None, Some((formula, _))) => Line::Part(formula),
            (None, None) => Line::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use rorqual_logic::Sort;

    use super::*;

    #[test]
    fn recordings_are_read_as_they_were_written() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x@0", Sort::BitVec(32));
        let a = pool.symbol("a", Sort::Array { index: 32, element: 8 });
        let zero = pool.bv(0u8, 32);
        let (element, seven) = (pool.select(a, x), pool.bv(7u8, 8));
        let parts = vec![pool.eq(x, zero), pool.eq(element, seven), pool.bv_slt(x, zero)];
        let paths = [("one".to_owned(), parts.clone()), ("empty".to_owned(), Vec::new())];
        let recording = Recording::of(&pool, &paths);
        let text = recording.to_string();
        assert_eq!(Recording::parse(&text), Ok(recording.clone()));
        let mut other = TermPool::new();
        recording.declare(&mut other).expect("declarations");
        let terms = recording.paths[0].terms(&mut other).expect("terms");
        let texts: Vec<String> = terms.iter().map(|&term| smtlib::term_text(&other, term)).collect();
        assert_eq!(texts, recording.paths[0].parts);
    }

    #[test]
    fn lines_in_the_wrong_place_are_reported() {
        let line = |text: &str| Recording::parse(text).expect_err("a line is wrong").line;
        assert_eq!(line("; a remark\n(assert (! true :named part-0))\n"), 2);
        assert_eq!(line("(push 1)\n(push 1)\n"), 2);
        assert_eq!(line("(push 1)\n(check-sat)\n"), 3);
        assert_eq!(line("(exit)\n"), 1);
    }
}
