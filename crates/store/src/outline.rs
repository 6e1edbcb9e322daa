//! What later versions of a function are recognised by.
//!
//! A stored certificate names the variables of functions by numbers, and places by locations. In a function that has changed these
//! are others. With its outline, variables are found again by their names, and locations by what happens there: the longest
//! common part of both versions is what they share. A mistake here leads to a certificate that is not accepted, and to nothing else.

use std::collections::BTreeMap;
use std::fmt::Write;

use rorqual_cfa::{Callee, CellNames, Edge, FunctionId, Id, Operation, PlaceId, PlaceKind, Program};
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::content::{Names, Writer};
use crate::key::Key;

/// The digits of a hash that tell one location from another; where two look alike, their neighbours decide.
const DIGITS: usize = 8;

/// A function as later versions are compared with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Outline {
    /// The names of variables, by their numbers.
    variables: Vec<String>,
    /// What happens at locations.
    locations: Vec<String>,
}

/// The outlines of all functions of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outlines(BTreeMap<String, Outline>);

impl Outlines {
    /// Adds that of a function with a body.
    pub(crate) fn add(
        &mut self,
        program: &Program,
        names: &Names,
        function: FunctionId,
        writer: &Writer<'_>,
    ) {
        let Some(body) = &program.functions[function].body else { return };
        let variables = writer.variables.order.iter();
        let variables = variables.map(|&one| names.cells.variable(one).to_owned()).collect();
        let happens = |location| {
            let mut key = Key::builder("location");
            for edge in body.outgoing(location) {
                key = key.part("edge", &happening(program, &names.cells, &body.edges()[edge]));
            }
            key.finish().as_str()[..DIGITS].to_owned()
        };
        let locations = body.locations().ids().map(happens).collect();
        self.0.insert(names.functions[function.index()].clone(), Outline { variables, locations });
    }

    /// Only those of functions that a certificate names.
    #[must_use]
    pub fn named_in(&self, certificate: &str) -> Outlines {
        let named = self.0.iter().filter(|(name, _)| certificate.contains(name.as_str()));
        Outlines(named.map(|(name, outline)| (name.clone(), outline.clone())).collect())
    }

    /// A stored certificate of an older version, in the words of this one. Statements about what is not there any more are
    /// left out.
    pub(crate) fn adapted(&self, older: &Outlines, certificate: &str) -> Adapted {
        let mut adapter = Adapter { newer: self, older, locations: BTreeMap::new() };
        let separator = format!("\n{GUARDED}\n");
        let mut proofs = certificate.split(&separator);
        let whole = adapter.proof(proofs.next().unwrap_or_default());
        let start = whole.lines().take_while(|line| !is_of_proof(line)).map(|line| line.len() + 1).sum();
        let (header, first) = whole.split_at(whole.len().min(start));
        let second = proofs.next().map(|second| adapter.proof(second));
        Adapted { header: header.to_owned(), first: first.to_owned(), second }
    }
}

/// The line before a second proof.
const GUARDED: &str = "guarded";

/// A certificate of an earlier version in the words of this one. The operations that a second proof is about have no names in it:
/// they are those that the first proof rests on in this version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapted {
    header: String,
    first: String,
    second: Option<String>,
}

impl Adapted {
    /// With all texts in other words.
    pub(crate) fn translated(&self, translate: impl Fn(&str) -> String) -> Adapted {
        let second = self.second.as_deref().map(&translate);
        Adapted { header: translate(&self.header), first: translate(&self.first), second }
    }

    /// Whether there is a second proof.
    pub fn has_second(&self) -> bool {
        self.second.is_some()
    }

    /// Without a second proof.
    pub fn text(&self) -> String {
        format!("{}{}end\n", self.header, self.first)
    }

    /// With the second proof, if there is one, of some operations being defined.
    pub fn guarding(&self, operations: &[String]) -> Option<String> {
        let second = self.second.as_ref()?;
        let lines = operations.iter().flat_map(|operation| ["guarding ", operation.as_str(), "\n"]);
        let named: String = lines.collect();
        Some(format!("{}{named}{}{GUARDED}\n{second}end\n", self.header, self.first))
    }
}

/// Whether a line begins a proof, behind the header of a certificate.
fn is_of_proof(line: &str) -> bool {
    matches!(line.split(' ').next(), Some("invariant" | "contract" | "unwinding"))
}

/// What is left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skips {
    Nothing,
    /// The formula below.
    Formula,
    /// All of a contract.
    Contract,
}

/// What happens on an edge, in words that survive most changes elsewhere.
fn happening(program: &Program, cells: &CellNames, edge: &Edge) -> String {
    match &edge.operation {
        Operation::Skip => "skip".to_owned(),
        Operation::Assign { target, .. } => format!("assign {}", root(program, cells, *target)),
        Operation::Havoc { target, .. } => format!("havoc {}", root(program, cells, *target)),
        Operation::Assume { holds, .. } => format!("assume {holds}"),
        Operation::Call { callee: Callee::Function(function), .. } => {
            format!("call {}", program.functions[*function].name)
        }
        Operation::Call { callee: Callee::Pointer(_), .. } => "call".to_owned(),
        Operation::Return { .. } => "return".to_owned(),
        Operation::Declare(variable) => format!("declare {}", cells.variable(*variable)),
        Operation::Expire(variable) => format!("expire {}", cells.variable(*variable)),
        Operation::Error(error) => format!("error {}", error.check()),
        Operation::Halt(_) => "halt".to_owned(),
        _ => "other".to_owned(),
    }
}

/// The variable that a place is in.
fn root<'n>(program: &Program, cells: &'n CellNames, place: PlaceId) -> &'n str {
    match program.places[place].kind {
        PlaceKind::Variable(variable) => cells.variable(variable),
        PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => root(program, cells, base),
        PlaceKind::Text(_) | PlaceKind::Deref(_) => "*",
    }
}

struct Adapter<'a> {
    newer: &'a Outlines,
    older: &'a Outlines,
    /// The new location of each old one, by functions.
    locations: BTreeMap<String, BTreeMap<usize, usize>>,
}

impl Adapter<'_> {
    /// A proof, with the header before it if there is one, but without the end.
    fn proof(&mut self, proof: &str) -> String {
        let (mut text, mut function, mut skips) = (String::new(), String::new(), Skips::Nothing);
        for line in proof.lines() {
            let is_formula = line.starts_with([' ', '\t']);
            let word = line.split(' ').next().unwrap_or_default();
            skips = match (skips, word) {
                (Skips::Contract, "ensures" | "requires") => Skips::Contract,
                _ if is_formula => skips,
                _ => Skips::Nothing,
            };
            if word == "contract" {
                line.split(' ').nth(1).unwrap_or_default().clone_into(&mut function);
            }
            let adapted = match word {
                _ if skips != Skips::Nothing => continue,
                "guarding" | "assuming" | "end" => continue,
                _ if is_formula => Some(self.formula(line)),
                _ => self.statement(line, word, &function),
            };
            match adapted {
                Some(line) => text += &(line + "\n"),
                None if word == "contract" => skips = Skips::Contract,
                None => skips = Skips::Formula,
            }
        }
        text
    }

    /// A line that is no formula; nothing if it is about a location that is not there any more.
    fn statement(&mut self, line: &str, word: &str, function: &str) -> Option<String> {
        match word {
            "invariant" => {
                let (calls, at) = line.strip_prefix("invariant ")?.split_once("at ")?;
                let calls: Option<Vec<String>> = calls
                    .split(" > ")
                    .map(str::trim)
                    .filter(|one| !one.is_empty())
                    .map(|one| self.point(one))
                    .collect();
                let calls = calls?.join(" > ");
                let space = if calls.is_empty() { "" } else { " " };
                Some(format!("invariant {calls}{space}at {}", self.point(at.trim())?))
            }
            "contract" => match line.split_once(" loop ") {
                Some((before, head)) => {
                    Some(format!("{before} loop {}", self.location(function, head.trim())?))
                }
                None => self.newer.0.contains_key(function).then(|| line.to_owned()),
            },
            "ensures" => {
                let at = line.strip_prefix("ensures at ")?;
                Some(format!("ensures at {}", self.location(function, at.trim())?))
            }
            "loop" | "induction" => {
                let mut words = line.split(' ');
                let (_, point, count) = (words.next()?, words.next()?, words.next()?);
                Some(format!("{word} {} {count}", self.point(point)?))
            }
            "keeps" => {
                let (point, kept) = line.strip_prefix("keeps ")?.split_once(' ')?;
                Some(format!("keeps {} {}", self.point(point)?, self.formula(kept)))
            }
            _ => Some(line.to_owned()),
        }
    }

    /// `FUNCTION:LOCATION`
    fn point(&mut self, point: &str) -> Option<String> {
        let (function, location) = point.rsplit_once(':')?;
        Some(format!("{function}:{}", self.location(function, location)?))
    }

    fn location(&mut self, function: &str, location: &str) -> Option<usize> {
        let location: usize = location.parse().ok()?;
        let (old, new) = (self.older.0.get(function)?, self.newer.0.get(function)?);
        let known = self.locations.entry(function.to_owned());
        known.or_insert_with(|| shared(&old.locations, &new.locations)).get(&location).copied()
    }

    fn formula(&mut self, line: &str) -> String {
        let mut parts = line.split('|');
        let mut text = parts.next().unwrap_or_default().to_owned();
        while let Some(symbol) = parts.next() {
            let _ = write!(text, "|{}|{}", self.symbol(symbol), parts.next().unwrap_or_default());
        }
        text
    }

    /// `old &f::$3.a[]`, or `f::heap@7[]`
    fn symbol(&mut self, symbol: &str) -> String {
        let Some((before, name)) = symbol.split_once("::") else { return symbol.to_owned() };
        let function = before.rsplit([' ', '&']).next().unwrap_or_default();
        let end = name.find(['.', '[', '^']).unwrap_or(name.len());
        let (word, members) = name.split_at(end);
        let new = match (word.strip_prefix('$'), word.split_once('@')) {
            (Some(number), _) => self.variable(function, number).map(|number| format!("${number}")),
            (None, Some((kind, at))) => self.location(function, at).map(|at| format!("{kind}@{at}")),
            (None, None) => None,
        };
        format!("{before}::{}{members}", new.as_deref().unwrap_or(word))
    }

    /// The number of the variable with the same name, or the same number if there is none.
    fn variable(&self, function: &str, number: &str) -> Option<usize> {
        let (old, new) = (self.older.0.get(function)?, self.newer.0.get(function)?);
        let name = old.variables.get(number.parse::<usize>().ok()?)?;
        new.variables.iter().position(|other| other == name)
    }
}

/// The new position of everything that two versions share.
fn shared(old: &[String], new: &[String]) -> BTreeMap<usize, usize> {
    let mut positions = BTreeMap::new();
    for step in capture_diff_slices(Algorithm::Myers, old, new) {
        if let DiffOp::Equal { old_index, new_index, len } = step {
            positions.extend((0..len).map(|at| (old_index + at, new_index + at)));
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Vocabulary;

    const OLD: &str = "extern int input(void); static int f(int n) { while (n > 7) n--; return n; }
        int main(void) { int i = 0, sum = 0; while (input()) { i++; sum = sum + f(i); } return sum; }";

    /// The heads of the loops of a function are where both versions decide whether to go on.
    fn adapted(new: &str, certificate: &str) -> String {
        let (old, new) = (rorqual_testkit::program(OLD), rorqual_testkit::program(new));
        let (old, new) = (Vocabulary::of(&old), Vocabulary::of(&new));
        let stored = old.stored(certificate);
        let outlines = old.outlines().named_in(&stored);
        new.own(&new.outlines().adapted(&outlines, &stored).text())
    }

    fn head(text: &str, function: &str) -> usize {
        let program = rorqual_testkit::program(text);
        let body =
            program.functions.values().find(|one| one.name == function).and_then(|one| one.body.as_ref());
        let body = body.expect("it has a body");
        let is_head = |location| {
            let edges = body.edges().values();
            edges.filter(|edge| edge.target == location).any(|edge| edge.source.index() > location.index())
        };
        body.locations().ids().find(|&location| is_head(location)).expect("it has a loop").index()
    }

    #[test]
    fn variables_and_locations_are_found_again() {
        let new = "extern int input(void); static int f(int n) { while (n > 7) n--; return n; }
            int main(void) { int extra = input(); int i = 0; int sum = 0; extra++;
                while (input()) { i++; sum = sum + f(i); extra = 0; } return sum; }";
        let statement = |text: &str| {
            format!("invariant <start>:0 at main:{}\n  (= |main::i| |main::sum|)\n", head(text, "main"))
        };
        assert_eq!(adapted(new, &statement(OLD)), statement(new) + "end\n");
        let bound = |text: &str| format!("loop f:{} 16\ndepth f 2\n", head(text, "f"));
        assert_eq!(adapted(new, &bound(OLD)), bound(new) + "end\n");
        let kept = |text: &str| {
            let at = head(text, "main");
            format!(
                "induction main:{at} 0\nkeeps main:{at} <=s 32 0 1*s*|main::i| , 0 1*s*old*|main::sum|@0:4\n"
            )
        };
        assert_eq!(adapted(new, &kept(OLD)), kept(new) + "end\n");
    }

    #[test]
    fn what_is_gone_is_left_out() {
        let new = "extern int input(void); int main(void) { int i = 0; i = input(); return i; }";
        let contract = "contract f\nrequires\n  true\nensures at 1\n  (= |f::return| |old f::n|)\n";
        let rest = "invariant <start>:0 at main:400\n  true\n";
        assert_eq!(adapted(new, &format!("{contract}{rest}end\n")), "end\n");
    }

    #[test]
    fn a_second_proof_is_about_what_the_first_one_rests_on_now() {
        let (old, new) = (rorqual_testkit::program(OLD), rorqual_testkit::program(OLD));
        let (old, new) = (Vocabulary::of(&old), Vocabulary::of(&new));
        let statement = format!("invariant <start>:0 at main:{}\n  true\n", head(OLD, "main"));
        let header = "rorqual certificate 6\nprogram -\n";
        let text = format!("{header}guarding access 0\n{statement}guarded\n{statement}end\n");
        let stored = old.stored(&text);
        let adapted = new.outlines().adapted(&old.outlines().named_in(&stored), &stored);
        assert_eq!(adapted.text(), format!("{header}{statement}end\n"));
        let guarding = adapted.guarding(&["access 7".to_owned(), "truth 2".to_owned()]);
        let named = "guarding access 7\nguarding truth 2\n";
        assert_eq!(guarding, Some(format!("{header}{named}{statement}guarded\n{statement}end\n")));
        let alone = new.outlines().adapted(&old.outlines().clone(), &format!("{header}{statement}end\n"));
        assert_eq!(alone.guarding(&[]), None);
    }
}
