//! Bounds of loops and recursion in the text format of certificates.
//!
//! ```text
//! unwinding
//! loop main:4 16  ; loop at prog.c:12:5
//! depth fib 5
//! induction main:9 1  ; loop at prog.c:20:5
//! keeps main:9 <=u 32 0 1*u*|main::i| , 100
//! ```

use std::fmt::Write as _;

use rorqual_cfa::{CellNames, FunctionId, Id, LocationId, Program};
use rorqual_evidence::{Kept, Unwinding};

use crate::format::{ParseError, Parser, Problem, Version, source_place};

/// Starts the bounds.
pub(crate) const UNWINDING: &str = "unwinding";
const LOOP: &str = "loop ";
const DEPTH: &str = "depth ";
const INDUCTION: &str = "induction ";
const KEEPS: &str = "keeps ";

/// Writes bounds.
pub(crate) fn write_unwinding(program: &Program, unwinding: &Unwinding, text: &mut String) {
    let _ = writeln!(text, "{UNWINDING}");
    for (keyword, loops) in [(LOOP, &unwinding.loops), (INDUCTION, &unwinding.inductive)] {
        for (&(function, head), count) in loops {
            let (name, place) = (program.unique_name(function), source_place(program, function, head));
            let _ = writeln!(text, "{keyword}{name}:{} {count}{place}", head.index());
        }
    }
    let names = CellNames::new(program);
    for (&(function, head), kept) in &unwinding.kept {
        for kept in kept {
            let name = program.unique_name(function);
            let _ = writeln!(text, "{KEEPS}{name}:{} {}", head.index(), kept.text(&names));
        }
    }
    for (&function, count) in &unwinding.depths {
        let _ = writeln!(text, "{DEPTH}{} {count}", program.unique_name(function));
    }
}

impl Parser<'_> {
    /// The lines with bounds, up to one that is something else.
    pub(crate) fn bounds(&mut self) -> Result<Unwinding, ParseError> {
        let mut unwinding = Unwinding::default();
        while let Some(line) = self.peek() {
            let is_new = if let Some(rest) = line.strip_prefix(LOOP) {
                self.line();
                let (place, count) = self.count(rest)?;
                unwinding.loops.insert(self.head(place)?, count).is_none()
            } else if let Some(rest) = line.strip_prefix(INDUCTION).filter(|_| self.has(Version::Induction)) {
                self.line();
                let (place, k) = self.count(rest)?;
                if k == 0 && !self.has(Version::Kept) {
                    return Err(self.error_before(Problem::Bound(rest.trim().to_owned())));
                }
                unwinding.inductive.insert(self.head(place)?, k).is_none()
            } else if let Some(rest) = line.strip_prefix(KEEPS).filter(|_| self.has(Version::Kept)) {
                self.line();
                let (head, kept) = self.kept(rest)?;
                unwinding.kept.entry(head).or_default().push(kept);
                true
            } else if let Some(rest) = line.strip_prefix(DEPTH) {
                self.line();
                let (name, count) = self.count(rest)?;
                unwinding.depths.insert(self.bounded(name)?, count).is_none()
            } else {
                break;
            };
            if !is_new {
                return Err(self.error_before(Problem::Bounded(line.to_owned())));
            }
        }
        Ok(unwinding)
    }

    /// What stands before a number at the end of a line, and the number.
    fn count<'t>(&self, text: &'t str) -> Result<(&'t str, u64), ParseError> {
        let parts = text.trim().rsplit_once(' ');
        let parsed = parts.and_then(|(place, count)| Some((place.trim(), count.parse().ok()?)));
        parsed.ok_or_else(|| self.error_before(Problem::Bound(text.trim().to_owned())))
    }

    fn kept(&self, text: &str) -> Result<((FunctionId, LocationId), Kept), ParseError> {
        let bad = || self.error_before(Problem::Kept(text.to_owned()));
        let (place, kept) = text.split_once(' ').ok_or_else(bad)?;
        let kept = Kept::parse(kept.trim(), &CellNames::new(self.program)).ok_or_else(bad)?;
        Ok((self.head(place)?, kept))
    }

    fn bounded(&self, name: &str) -> Result<FunctionId, ParseError> {
        let function = self.program.function_with_unique_name(name);
        let function = function.filter(|&function| self.program.functions[function].body.is_some());
        function.ok_or_else(|| self.error_before(Problem::Location(format!("function `{name}`"))))
    }

    fn head(&self, place: &str) -> Result<(FunctionId, LocationId), ParseError> {
        let bad = || self.error_before(Problem::Location(format!("location `{place}`")));
        let (name, number) = place.rsplit_once(':').ok_or_else(bad)?;
        let function = self.bounded(name)?;
        let locations =
            self.program.functions[function].body.as_ref().map_or(0, |body| body.locations().len());
        let number = number.parse().ok().filter(|&number: &usize| number < locations);
        Ok((function, LocationId::new(number.ok_or_else(bad)?)))
    }
}
