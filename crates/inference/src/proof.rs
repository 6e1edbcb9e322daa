//! Invariants at points as evidence, with only those conjuncts that their own proofs need.

use std::collections::BTreeSet;

use rorqual_encoding::{Encoding, Point};
use rorqual_evidence::{Invariant, LocationInvariant};
use rorqual_logic::{Op, Term, TermPool};
use rorqual_solver::Limits;

use crate::at_points::AtPoints;
use crate::facts::{Facts, points};
use crate::minimize::{self, needed};
use crate::obligations::Lists;

/// What holds at a point: all of these.
pub type Conjuncts = Lists<Point>;

/// The conjuncts of a disjunction of labels: what they share, and one for the rest.
pub fn conjuncts_of(pool: &mut TermPool, labels: &[Term]) -> Vec<Term> {
    let list = |pool: &TermPool, label: Term| match pool.op(label) {
        Op::And => pool.arguments(label).to_vec(),
        Op::Bool(true) => Vec::new(),
        _ => vec![label],
    };
    let sets: Vec<BTreeSet<Term>> =
        labels.iter().map(|&label| list(pool, label).into_iter().collect()).collect();
    let Some(first) = sets.first() else { return vec![pool.bottom()] };
    let shared: BTreeSet<Term> =
        first.iter().copied().filter(|term| sets.iter().all(|set| set.contains(term))).collect();
    let mut rests = Vec::new();
    for set in &sets {
        let own: Vec<Term> = set.difference(&shared).copied().collect();
        rests.push(pool.and(&own));
    }
    let rest = pool.or(&rests);
    let mut conjuncts: Vec<Term> = shared.into_iter().collect();
    if pool.as_bool(rest) != Some(true) {
        conjuncts.push(rest);
    }
    conjuncts
}

/// All points at which blocks end, even if no exit leads there.
pub fn all_points(encoding: &mut Encoding<'_>) -> BTreeSet<Point> {
    let mut found = BTreeSet::new();
    let mut open = vec![encoding.start()];
    while let Some(point) = open.pop() {
        let block = encoding.block(point);
        open.extend(block.ends.iter().copied().filter(|&end| found.insert(end)));
    }
    found
}

/// The invariant that conjuncts are, with only those that its own proof needs.
pub fn invariant(encoding: &mut Encoding<'_>, mut all: Conjuncts, limits: &Limits) -> Invariant {
    // Loops that no execution gets to are part of the proof: it says so.
    let bottom = encoding.pool.bottom();
    for point in all_points(encoding) {
        all.entry(point).or_insert_with(|| vec![bottom]);
    }
    let nothing = Facts::none();
    let mut obligations = AtPoints::new(all.keys().copied(), &nothing, None);
    let mut needed = needed(encoding, &mut obligations, all, minimize::Budget::default(), limits);
    // The checker does not know where pointers point to unless it is told.
    for (point, conjuncts) in &mut needed {
        conjuncts.extend(encoding.passed_addresses(point.context));
    }
    exported(encoding, needed)
}

/// The invariant that conjuncts are, for others. What is not a cell stands for any value.
pub fn exported(encoding: &mut Encoding<'_>, all: Conjuncts) -> Invariant {
    let mut pool = TermPool::new();
    let mut locations = Vec::new();
    for (point, conjuncts) in all {
        let formula = encoding.pool.and(&conjuncts);
        let mut bound: Vec<Term> = encoding.pool.free_variables(formula).into_iter().collect();
        bound.retain(|&symbol| match encoding.pool.op(symbol) {
            Op::Symbol(symbol) => encoding.cells().of_symbol(*symbol).is_none(),
            _ => false,
        });
        let formula = encoding.with_address_symbols(formula);
        let calls = encoding.calls(point.context);
        let bound = pool.import(&encoding.pool, &bound);
        let formula = pool.import(&encoding.pool, &[formula])[0];
        locations.push(LocationInvariant { calls, location: point.location, bound, formula });
    }
    locations.sort_by(|one, other| (&one.calls, one.location).cmp(&(&other.calls, other.location)));
    Invariant { pool, locations, contracts: Vec::new() }
}

/// The invariant that facts are, if they exclude all violations. None if the program has more points.
pub fn of_facts(
    encoding: &mut Encoding<'_>,
    facts: &Facts,
    most_points: usize,
    limits: &Limits,
) -> Option<Invariant> {
    let points = points(encoding, most_points)?;
    let conjuncts = |point: Point| (point, [&facts.conjuncts(point), facts.indexed(point)].concat());
    let all = points.into_iter().map(conjuncts).collect();
    Some(invariant(encoding, all, limits))
}
