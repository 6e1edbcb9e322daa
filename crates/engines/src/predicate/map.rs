//! Predicate maps as text: what one run has found, or what the user knows, for another run to start with. The format is
//! described in `docs/formats/predicates.md`. A map is a hint: what does not fit the program is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rorqual_encoding::{CellId, Encoding, Point};
use rorqual_inference::proof::all_points;
use rorqual_logic::{Op, Sort, Term, smtlib};

use super::landmark::{Route, Routes};
use super::precision::{Precision, Scope};
use super::procedures::{End, Key, Predicates};

/// The first line of a file.
const HEADER: &str = "rorqual predicates 2";
/// The last line of a file.
const END: &str = "end";

/// Predicates by where they are tracked, both as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PredicateMap {
    predicates: BTreeMap<Place, BTreeMap<String, usize>>,
}

/// Where predicates are tracked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Global,
    Function(String),
    Point(Route),
    /// How a procedure ends.
    End(Route),
}

/// A file that is not a predicate map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapError {
    /// The line, from 1 on.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl PredicateMap {
    /// Reads a file.
    pub fn parse(text: &str) -> Result<PredicateMap, MapError> {
        let mut map = PredicateMap::default();
        let mut place = None;
        let mut lines = text.lines().zip(1..).map(|(text, line)| (text.trim(), line));
        match lines.next() {
            Some((HEADER, _)) => {}
            _ => return Err(error(1, format!("the first line is not `{HEADER}`"))),
        }
        for (text, line) in lines {
            match text {
                END => return Ok(map),
                text if text.is_empty() || text.starts_with(';') => {}
                text if text.starts_with('(') || text.starts_with('|') => {
                    let Some(place) = &place else {
                        return Err(error(line, "a predicate comes after `global`, `function …` or `at …`"));
                    };
                    is_closed(text).map_err(|message| error(line, message))?;
                    map.add(place, text.to_owned(), line);
                }
                text => place = Some(parse_place(text).map_err(|message| error(line, message))?),
            }
        }
        Err(error(text.lines().count(), format!("the last line is not `{END}`")))
    }

    fn add(&mut self, place: &Place, predicate: String, line: usize) {
        self.predicates.entry(place.clone()).or_default().entry(predicate).or_insert(line);
    }

    /// Whether it has no predicates.
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }
}

fn error(line: usize, message: impl Into<String>) -> MapError {
    MapError { line, message: message.into() }
}

/// The place that a line names. What comes after `;` is a comment, but not in the source text of a point.
fn parse_place(text: &str) -> Result<Place, String> {
    if let Some((word @ ("at" | "ends"), route)) = text.split_once(' ') {
        let place = if word == "at" { Place::Point } else { Place::End };
        return Route::parse(route).map(place).ok_or_else(|| format!("`{text}` names no point: a point is `FUNCTION NUMBER/COUNT` and its source text between `` ` ``, behind the calls that lead to it"));
    }
    let text = text.split(';').next().unwrap_or_default().trim();
    match text.split_once(' ') {
        None if text == "global" => Ok(Place::Global),
        Some(("function", name)) => Ok(Place::Function(name.to_owned())),
        _ => Err(format!(
            "`global`, `function …`, `at …`, a predicate or `{END}` is expected, but found `{text}`"
        )),
    }
}

/// Whether each parenthesis of a predicate is closed. Names between bars may have any.
fn is_closed(text: &str) -> Result<(), String> {
    let (mut depth, mut is_name) = (0_usize, false);
    for character in text.chars() {
        match character {
            '|' => is_name = !is_name,
            '(' if !is_name => depth += 1,
            ')' if !is_name => depth = depth.checked_sub(1).ok_or("a `)` has no `(`")?,
            _ => {}
        }
    }
    if depth > 0 || is_name { Err("a `(` or `|` is not closed".to_owned()) } else { Ok(()) }
}

impl fmt::Display for PredicateMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for (place, predicates) in &self.predicates {
            match place {
                Place::Global => writeln!(f, "global")?,
                Place::Function(name) => writeln!(f, "function {name}")?,
                Place::Point(route) => writeln!(f, "at {route}")?,
                Place::End(route) => writeln!(f, "ends {route}")?,
            }
            for predicate in predicates.keys() {
                writeln!(f, "  {predicate}")?;
            }
        }
        writeln!(f, "{END}")
    }
}

/// The map that a run is given, and the one that it gives back.
#[derive(Debug, Default)]
pub struct Exchange {
    given: PredicateMap,
    found: Mutex<Found>,
    /// What earlier runs have found. Nobody has to know what of it does not fit.
    remembered: Mutex<PredicateMap>,
}

/// What came of the runs so far.
#[derive(Debug, Default)]
struct Found {
    map: PredicateMap,
    /// The lines of the given map that some run could use.
    used: BTreeSet<usize>,
}

impl Exchange {
    /// For runs that start with a map.
    pub fn new(given: PredicateMap) -> Exchange {
        Exchange { given, ..Exchange::default() }
    }

    /// Predicates of earlier runs, for those that start from now on.
    pub fn remember(&self, map: PredicateMap) {
        *self.remembered.lock().unwrap_or_else(PoisonError::into_inner) = map;
    }

    /// What all runs have tracked.
    pub fn found(&self) -> PredicateMap {
        self.lock().map.clone()
    }

    /// The lines of the given map that said nothing about the program in any run.
    pub fn misfits(&self) -> Vec<usize> {
        let lines = self.given.predicates.values().flat_map(|predicates| predicates.values().copied());
        let used = &self.lock().used;
        let unused: BTreeSet<usize> = lines.filter(|line| !used.contains(line)).collect();
        unused.into_iter().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tracks the given predicates and those of earlier runs.
    pub(super) fn load(&self, encoding: &mut Encoding<'_>, precision: &mut Precision) {
        let used = track(encoding, precision, &self.given);
        self.lock().used.extend(used);
        let remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        track(encoding, precision, &remembered);
    }

    /// The given predicates for ends of procedures, and those of earlier runs.
    pub(super) fn load_ends(&self, encoding: &mut Encoding<'_>, ends: &[Key]) -> Predicates {
        let mut found = Predicates::new();
        let used = track_ends(encoding, ends, &self.given, &mut found);
        self.lock().used.extend(used);
        let remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        track_ends(encoding, ends, &remembered, &mut found);
        found
    }

    /// Keeps the predicates of ends of procedures.
    pub(super) fn save_ends(&self, encoding: &mut Encoding<'_>, ends: &[Key], predicates: &Predicates) {
        let routes = Routes::to_ends(encoding, ends);
        let mut found = self.lock();
        for (&end, predicates) in predicates {
            let Some(route) = routes.to(end) else { continue };
            for &predicate in predicates {
                let text = text(encoding, predicate);
                found.map.add(&Place::End(route.clone()), text, 0);
            }
        }
    }

    /// Keeps what was tracked.
    pub(super) fn save(&self, encoding: &mut Encoding<'_>, precision: &Precision) {
        let points = all_points(encoding);
        let routes = Routes::to_points(encoding, &points);
        let mut found = self.lock();
        for (scope, predicates) in precision.all() {
            let place = match scope {
                Scope::Program => Place::Global,
                Scope::Function(function) => {
                    Place::Function(encoding.program.functions[function].name.clone())
                }
                Scope::Point(point) => match routes.to(point) {
                    Some(route) => Place::Point(route.clone()),
                    // Nothing is behind it.
                    None => continue,
                },
            };
            for &predicate in predicates {
                let text = text(encoding, predicate);
                found.map.add(&place, text, 0);
            }
        }
    }
}

/// Tracks the predicates of a map; the lines of those that say something about the program.
fn track(encoding: &mut Encoding<'_>, precision: &mut Precision, map: &PredicateMap) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    if map.is_empty() {
        return used;
    }
    // The names of cells are known once the blocks that mention them are translated.
    let points = all_points(encoding);
    let addresses = encoding.declare_addresses();
    let routes = Routes::to_points(encoding, &points);
    for (place, predicates) in &map.predicates {
        let scopes = scopes(encoding, place, &routes);
        for (text, &line) in predicates {
            let Ok(term) = smtlib::parse_term(&mut encoding.pool, text) else { continue };
            if !scopes.is_empty() && encoding.pool.sort(term) == Sort::Bool {
                let predicate = encoding.pool.substitute(term, &addresses);
                for &scope in &scopes {
                    precision.add(encoding, scope, predicate);
                }
                used.insert(line);
            }
        }
    }
    used
}

/// Adds the predicates that a map has for ends of procedures; the lines of those that say something about the program.
fn track_ends(
    encoding: &mut Encoding<'_>,
    ends: &[Key],
    map: &PredicateMap,
    found: &mut Predicates,
) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    if map.is_empty() {
        return used;
    }
    // The names of cells are known once the bodies that mention them are translated.
    for &(procedure, _) in ends {
        encoding.body_of(procedure);
    }
    let cells: Vec<CellId> = encoding.cells().iter().map(|(cell, _)| cell).collect();
    let later: BTreeSet<Term> = cells.into_iter().map(|cell| encoding.after(cell)).collect();
    let addresses = encoding.declare_addresses();
    let routes = Routes::to_ends(encoding, ends);
    for (place, predicates) in &map.predicates {
        let Place::End(route) = place else { continue };
        for (text, &line) in predicates {
            let Ok(term) = smtlib::parse_term(&mut encoding.pool, text) else { continue };
            let predicate = encoding.pool.substitute(term, &addresses);
            for end in routes.led_by(route) {
                if is_about(encoding, end, predicate, &later) {
                    found.entry(end).or_default().insert(predicate);
                    used.insert(line);
                }
            }
        }
    }
    used
}

/// Whether a formula is about what a procedure is given and, unless it fails, what it gives back.
fn is_about(encoding: &Encoding<'_>, (_, end): Key, formula: Term, later: &BTreeSet<Term>) -> bool {
    let is_known = |variable: Term| {
        let is_cell = match *encoding.pool.op(variable) {
            Op::Symbol(symbol) => encoding.cells().of_symbol(symbol).is_some(),
            _ => false,
        };
        is_cell || (end != End::Fails && later.contains(&variable))
    };
    encoding.pool.sort(formula) == Sort::Bool
        && encoding.pool.free_variables(formula).into_iter().all(is_known)
}

/// A predicate on one line.
fn text(encoding: &mut Encoding<'_>, predicate: Term) -> String {
    let predicate = encoding.with_address_symbols(predicate);
    let text = smtlib::term_text(&encoding.pool, predicate);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where the program tracks the predicates of a place.
fn scopes(encoding: &Encoding<'_>, place: &Place, routes: &Routes<Point>) -> Vec<Scope> {
    match place {
        Place::Global => vec![Scope::Program],
        Place::Function(name) => {
            let functions = encoding.program.functions.iter();
            functions
                .filter(|(_, function)| function.name == *name)
                .map(|(id, _)| Scope::Function(id))
                .collect()
        }
        Place::Point(route) => routes.led_by(route).into_iter().map(Scope::Point).collect(),
        Place::End(_) => Vec::new(),
    }
}
