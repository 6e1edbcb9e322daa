//! Facts: formulas that hold whenever control is at a point, proved by induction over the blocks.
//!
//! Interpolants say why one path is infeasible; some loops need more than any finite number of paths tells. So candidates
//! are collected (conditions of the program, atoms of interpolants, simple relations between variables, equations that
//! hold in random executions), and the largest subset that is inductive is kept, as in Flanagan and Leino, *Houdini, an
//! Annotation Assistant for ESC/Java*, FME 2001. Nothing that is not proved becomes a fact.

mod abstraction;
mod atoms;
mod houdini;
mod linear;
mod samples;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Point, Target};
use rorqual_logic::{SymbolId, Term, TermPool};
use rorqual_solver::Limits;

use samples::Samples;

/// Programs with more points than this are left alone: every candidate costs queries at each of them.
const MOST_POINTS: usize = 100;

/// What holds at each point.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    at: BTreeMap<Point, Vec<Term>>,
}

impl Facts {
    /// What holds at a point, as one formula.
    pub fn at(&self, pool: &mut TermPool, point: Point) -> Term {
        pool.and(self.list(point))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.at.values().map(Vec::len).sum()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The facts at a point.
    fn list(&self, point: Point) -> &[Term] {
        self.at.get(&point).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, more: BTreeMap<Point, Vec<Term>>) {
        for (point, facts) in more {
            let known = self.at.entry(point).or_default();
            known.extend(facts.into_iter().filter(|fact| !known.contains(fact)).collect::<Vec<Term>>());
        }
    }
}

/// Learns more facts. `seen` are formulas that were of interest at points, such as labels.
pub fn learn(
    encoding: &mut Encoding<'_>,
    facts: &mut Facts,
    seen: &BTreeMap<Point, Vec<Term>>,
    limits: &Limits,
) {
    let Some(points) = points(encoding) else { return };
    let samples = Samples::draw(encoding, &points, limits);
    let atoms = atoms(encoding, &points, seen, &samples);
    let literals =
        atoms.iter().map(|(&point, atoms)| (point, samples.literals(encoding, point, atoms))).collect();
    facts.add(houdini::largest_inductive(encoding, &points, facts, literals, limits));
    let combined = abstract_atoms(encoding, facts, seen);
    if let Some(strongest) = abstraction::strongest(encoding, facts, &combined, &samples, limits) {
        facts.add(strongest.into_iter().map(|(point, formula)| (point, vec![formula])).collect());
        return;
    }
    let clauses = atoms.iter().map(|(&point, atoms)| {
        let known = facts.list(point).to_vec();
        (point, samples.clauses(encoding, point, atoms, &known))
    });
    let clauses = clauses.collect();
    facts.add(houdini::largest_inductive(encoding, &points, facts, clauses, limits));
}

/// The atoms to try at each point.
fn atoms(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    seen: &BTreeMap<Point, Vec<Term>>,
    samples: &Samples,
) -> BTreeMap<Point, Vec<Term>> {
    // What interpolants mention is what matters.
    let formulas: Vec<Term> = seen.values().flatten().copied().collect();
    let relevant: BTreeSet<SymbolId> =
        formulas.iter().flat_map(|&formula| encoding.pool.free_symbols(formula)).collect();
    let mut atoms = BTreeMap::new();
    for &point in points {
        let interesting = seen.get(&point).map_or(&[][..], Vec::as_slice);
        atoms.insert(point, atoms::collect(encoding, point, interesting, &relevant, samples.at(point)));
    }
    atoms
}

/// The atoms of the formulas that were seen, for combinations of them.
fn abstract_atoms(
    encoding: &Encoding<'_>,
    facts: &Facts,
    seen: &BTreeMap<Point, Vec<Term>>,
) -> BTreeMap<Point, Vec<Term>> {
    let start = encoding.start();
    let mut combined = BTreeMap::new();
    for (&point, formulas) in seen.iter().filter(|&(&point, _)| point != start) {
        let known = facts.list(point);
        let atoms = atoms::of_formulas(encoding, formulas);
        combined.insert(point, atoms.into_iter().filter(|atom| !known.contains(atom)).collect());
    }
    combined
}

/// All points where blocks start, if they are not too many.
fn points(encoding: &mut Encoding<'_>) -> Option<Vec<Point>> {
    let mut found = vec![encoding.start()];
    let mut at = 0;
    while at < found.len() {
        for exit in &encoding.block(found[at]).exits {
            if let Target::Point(point) = exit.target
                && !found.contains(&point)
            {
                found.push(point);
            }
        }
        if found.len() > MOST_POINTS {
            return None;
        }
        at += 1;
    }
    Some(found)
}
