//! Facts: formulas that hold whenever control is at a point, proved by induction over the blocks.

use std::collections::BTreeMap;

use rorqual_encoding::{Encoding, Exit, Point, Target};
use rorqual_logic::{Term, TermPool};
use rorqual_solver::{BitVecSolver, Limits};

use crate::arrays::indices::{self, Values};
use crate::formulas;

/// Inference gives up on programs with more points: every candidate costs queries at each of them.
pub const MOST_POINTS: usize = 100;
/// At most 5,000 conflicts per query whether facts exclude a violation. Not a field of a budget, because
/// engines ask without any.
const SUFFICE_CONFLICTS: u32 = 5_000;

/// What holds at each point.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    at: BTreeMap<Point, Vec<Term>>,
    /// What holds for all values of index symbols.
    indexed: BTreeMap<Point, Vec<Term>>,
    /// Which combinations of atoms are possible, as far as was found out last. Proved with the other facts, but
    /// without what was here before, so it may be replaced.
    pub(crate) combined: BTreeMap<Point, Term>,
}

impl Facts {
    /// Nothing is known.
    pub const fn none() -> Facts {
        Facts { at: BTreeMap::new(), indexed: BTreeMap::new(), combined: BTreeMap::new() }
    }

    /// What holds at a point, as one formula; without what is known of all indices.
    pub fn at(&self, pool: &mut TermPool, point: Point) -> Term {
        let all = pool.and(self.list(point));
        self.combined.get(&point).map_or(all, |&combined| pool.and2(all, combined))
    }

    /// What holds at a point, conjunct by conjunct; without what is known of all indices.
    pub fn conjuncts(&self, point: Point) -> Vec<Term> {
        self.list(point).iter().chain(self.combined.get(&point)).copied().collect()
    }

    /// What holds at a point for all values of the index symbols.
    pub fn indexed(&self, point: Point) -> &[Term] {
        self.indexed.get(&point).map_or(&[], Vec::as_slice)
    }

    /// What holds at a point, as far as it matters for an exit from there: what is known of all indices is said of those
    /// that the exit has to do with.
    pub fn along(&self, pool: &mut TermPool, point: Point, exit: &Exit) -> Term {
        let instances = self.instances(pool, point, exit);
        let (all, instances) = (self.at(pool, point), pool.and(&instances));
        pool.and2(all, instances)
    }

    /// What is known of all indices, for those of an exit.
    pub(crate) fn instances(&self, pool: &mut TermPool, point: Point, exit: &Exit) -> Vec<Term> {
        let indexed = self.indexed(point);
        if indexed.is_empty() { Vec::new() } else { values(pool, exit).instances(pool, indexed) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        let lists = self.at.values().chain(self.indexed.values());
        lists.map(Vec::len).sum::<usize>() + self.combined.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The facts at a point, but for the possible combinations of atoms.
    pub(crate) fn list(&self, point: Point) -> &[Term] {
        self.at.get(&point).map_or(&[], Vec::as_slice)
    }

    /// The facts at a point and those about all indices there, but for the possible combinations of atoms.
    pub(crate) fn uncombined(&self, point: Point) -> impl Iterator<Item = Term> {
        self.list(point).iter().chain(self.indexed(point)).copied()
    }

    /// Adds what was proved with the facts that were known, or is inductive by itself.
    pub fn add(&mut self, pool: &mut TermPool, more: BTreeMap<Point, Vec<Term>>) {
        for (point, facts) in more {
            for fact in facts {
                let is_indexed = !indices::in_formula(pool, fact).is_empty();
                let lists = if is_indexed { &mut self.indexed } else { &mut self.at };
                let known = lists.entry(point).or_default();
                if !known.contains(&fact) {
                    known.push(fact);
                }
            }
        }
    }
}

/// The indices that an exit has to do with.
pub fn values(pool: &mut TermPool, exit: &Exit) -> Values {
    Values::of(pool, &formulas::of_exit(exit).collect::<Vec<Term>>())
}

/// Whether a formula is over cells that matter at a point.
pub fn is_live(encoding: &Encoding<'_>, point: Point, formula: Term) -> bool {
    let symbols = encoding.pool.free_symbols(formula);
    let cells = symbols.iter().filter_map(|&symbol| encoding.cells().of_symbol(symbol));
    cells.into_iter().all(|cell| encoding.is_live(cell, point))
}

/// Whether no block has a way from what is known to a violation.
pub fn suffice(encoding: &mut Encoding<'_>, facts: &Facts, points: &[Point], limits: &Limits) -> bool {
    let is_violation = |target: &Target| *target == Target::Error;
    exclude(encoding, facts, points, is_violation, limits)
}

/// Whether no block has a way from what is known to something that is not supported.
pub fn exclude_obstacles(encoding: &mut Encoding<'_>, facts: &Facts, limits: &Limits) -> bool {
    let Some(points) = points(encoding, MOST_POINTS) else { return false };
    let is_obstacle = |target: &Target| matches!(target, Target::Unsupported(_));
    exclude(encoding, facts, &points, is_obstacle, limits)
}

/// Whether facts exclude all exits to some targets.
fn exclude(
    encoding: &mut Encoding<'_>,
    facts: &Facts,
    points: &[Point],
    is_bad: impl Fn(&Target) -> bool,
    limits: &Limits,
) -> bool {
    let limits = limits.clone().with_conflicts(SUFFICE_CONFLICTS);
    let mut solver = BitVecSolver::new();
    for &point in points {
        for exit in encoding.block(point).exits.iter().filter(|exit| is_bad(&exit.target)) {
            let known = facts.along(&mut encoding.pool, point, exit);
            if !solver.check(&mut encoding.pool, &[known, exit.guard], &limits).is_unsat() {
                return false;
            }
        }
    }
    true
}

/// The size of all formulas.
pub fn size(encoding: &mut Encoding<'_>, points: &[Point]) -> usize {
    let roots = formulas::of_blocks(encoding, points);
    encoding.pool.subterms(&roots).len()
}

/// All points where blocks start, if there are at most `most`.
pub fn points(encoding: &mut Encoding<'_>, most: usize) -> Option<Vec<Point>> {
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
        if found.len() > most {
            return None;
        }
        at += 1;
    }
    Some(found)
}
