//! Ranges of indices: up to a counter of a loop, from it on, and as far as the loop goes.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Point, Target};
use rorqual_logic::{Op, Term, TermPool};

use super::indices::{indices, parts};
use super::{is_live, is_over_cells, leaves};

/// So many counters, starts and ends of ranges are tried.
const MOST_COUNTERS: usize = 4;
const MOST_STARTS: usize = 2;
const MOST_ENDS: usize = 5;
/// Ends of ranges are no larger than this.
const LARGEST_END: usize = 5;

/// What ranges of indices are made of.
pub(super) struct Ranges {
    /// The counters that loops change, at the points of each.
    counters: BTreeMap<Point, BTreeSet<Term>>,
    /// Constants other than zero that counters start with.
    starts: BTreeSet<Term>,
    /// What counters are compared with.
    ends: BTreeSet<Term>,
}

impl Ranges {
    pub(super) fn new(encoding: &mut Encoding<'_>, points: &[Point]) -> Ranges {
        let mut roots = Vec::new();
        for &point in points {
            for exit in &encoding.block(point).exits {
                roots.push(exit.guard);
                roots.extend(exit.updates.iter().map(|&(_, value)| value));
            }
        }
        let counters = counters(&encoding.pool, &roots);
        let starts = starts(encoding, points, &counters);
        let ends = ends(encoding, &roots, &counters);
        let mut changed = BTreeMap::new();
        for &point in points {
            changed.insert(point, changed_in_loop(encoding, points, point, &counters));
        }
        Ranges { counters: changed, starts, ends }
    }

    /// Ranges that any index may be in at a point, as formulas.
    pub(super) fn at(&self, encoding: &mut Encoding<'_>, point: Point, any: Term) -> Vec<Term> {
        let width = encoding.pool.width(any);
        let usable = |encoding: &Encoding<'_>, term: &&Term| {
            encoding.pool.width(**term) == width && is_live(encoding, point, **term)
        };
        let of = |encoding: &Encoding<'_>, terms: &BTreeSet<Term>, most: usize| -> Vec<Term> {
            terms.iter().filter(|term| usable(encoding, term)).copied().take(most).collect()
        };
        let counters =
            self.counters.get(&point).map_or_else(Vec::new, |own| of(encoding, own, MOST_COUNTERS));
        let (starts, ends) = (of(encoding, &self.starts, MOST_STARTS), of(encoding, &self.ends, MOST_ENDS));
        let pool = &mut encoding.pool;
        let top = pool.top();
        let froms: Vec<Term> =
            [top].into_iter().chain(starts.iter().map(|&start| pool.bv_ule(start, any))).collect();
        let mut lows = Vec::new();
        let mut highs = Vec::new();
        for &counter in &counters {
            highs.extend([pool.bv_ult(any, counter), pool.bv_ule(any, counter)]);
            lows.extend([pool.bv_ult(counter, any), pool.bv_ule(counter, any)]);
        }
        let ends: Vec<Term> =
            [top].into_iter().chain(ends.iter().map(|&end| pool.bv_ult(any, end))).collect();
        let mut ranges = BTreeSet::new();
        for &from in &froms {
            for &to in highs.iter().chain(&ends) {
                ranges.insert(pool.and2(from, to));
            }
        }
        for &low in &lows {
            for &end in &ends {
                ranges.insert(pool.and2(low, end));
            }
        }
        ranges.into_iter().collect()
    }
}

/// The variables that indices are computed from.
fn counters(pool: &TermPool, roots: &[Term]) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    for index in indices(pool, roots) {
        found.extend(parts(pool, index).into_iter().filter(|&part| matches!(pool.op(part), Op::Symbol(_))));
    }
    found
}

/// The constants that counters get, but for zero.
fn starts(encoding: &mut Encoding<'_>, points: &[Point], counters: &BTreeSet<Term>) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    for &point in points {
        for exit in &encoding.block(point).exits {
            for &(cell, value) in &exit.updates {
                if counters.contains(&encoding.cells().get(cell).symbol) {
                    let constants = leaves(&encoding.pool, value).into_iter();
                    found.extend(constants.filter(|&leaf| {
                        encoding.pool.as_bits(leaf).is_some_and(|bits| !bits.is_zero() && !bits.sign())
                    }));
                }
            }
        }
    }
    found
}

/// What counters are compared with, other than counters.
fn ends(encoding: &Encoding<'_>, roots: &[Term], counters: &BTreeSet<Term>) -> BTreeSet<Term> {
    let pool = &encoding.pool;
    let mut found = BTreeSet::new();
    for term in pool.subterms(roots) {
        if !matches!(pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
            continue;
        }
        let [one, other] = *pool.arguments(term) else { continue };
        for (counter, end) in [(one, other), (other, one)] {
            let is_end = pool.sort(end).width().is_some()
                && !pool.is_larger_than(end, LARGEST_END)
                && is_over_cells(encoding, end)
                && pool.subterms(&[end]).iter().all(|part| !matches!(pool.op(*part), Op::Select))
                && pool.as_bits(end).is_none_or(|bits| !bits.is_zero() && !bits.sign());
            if is_end && !counters.contains(&end) && mentions(pool, counter, counters) {
                found.insert(end);
            }
        }
    }
    found
}

fn mentions(pool: &TermPool, term: Term, symbols: &BTreeSet<Term>) -> bool {
    !pool.free_variables(term).is_disjoint(symbols)
}

/// The counters that change on some way from a point back to it.
fn changed_in_loop(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    point: Point,
    counters: &BTreeSet<Term>,
) -> BTreeSet<Term> {
    let behind = reachable(encoding, point);
    let mut found = BTreeSet::new();
    for &other in points.iter().filter(|&other| *other == point || behind.contains(other)) {
        for exit in &encoding.block(other).exits {
            let Target::Point(target) = exit.target else { continue };
            if target == point || reachable(encoding, target).contains(&point) {
                let changed = exit.updates.iter().map(|&(cell, _)| encoding.cells().get(cell).symbol);
                found.extend(changed.filter(|symbol| counters.contains(symbol)));
            }
        }
    }
    found
}

/// The points that lie behind a point.
fn reachable(encoding: &mut Encoding<'_>, point: Point) -> BTreeSet<Point> {
    let mut found = BTreeSet::new();
    let mut open = vec![point];
    while let Some(point) = open.pop() {
        for exit in &encoding.block(point).exits {
            if let Target::Point(target) = exit.target
                && found.insert(target)
            {
                open.push(target);
            }
        }
    }
    found
}
