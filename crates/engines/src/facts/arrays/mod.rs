//! Facts about all elements of an array: in a range of indices, the elements are as some line of the program reads or
//! writes one of them.

mod bodies;
pub(crate) mod indices;
mod progressions;
mod ranges;
mod subjects;
mod variables;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Point};
use rorqual_logic::{Op, SymbolId, Term, TermPool};
use rorqual_solver::Limits;

use super::samples::Samples;
use super::{Facts, clauses, houdini, is_live, suffice};
use bodies::Bodies;
use ranges::{Detail, Ranges};
use variables::Variables;

/// So many values that a conditional may have are looked at.
const MOST_LEAVES: usize = 4;
/// So many candidates per point are tried.
const MOST_CANDIDATES: usize = 1_000;

type Candidates = BTreeMap<Point, Vec<Term>>;

/// Learns facts about elements; whether no violation is left. The literals are tried again with each other.
pub(super) fn learn(
    encoding: &mut Encoding<'_>,
    facts: &mut Facts,
    points: &[Point],
    literals: &Candidates,
    samples: &Samples,
    queries: usize,
    limits: &Limits,
) -> bool {
    let variables = Variables::new(encoding, points);
    let bodies = Bodies::collect(encoding, points, &variables, samples);
    let ranges = Ranges::new(encoding, points, &variables, samples);
    let none = vec![encoding.pool.bottom()];
    let conditions = bodies::conditions(encoding, points);
    let stages =
        [(&none, Detail::OneCounter), (&conditions, Detail::OneCounter), (&none, Detail::BetweenCounters)];
    for (exceptions, detail) in stages {
        let mut candidates = candidates(encoding, points, &bodies, (&ranges, detail), exceptions);
        for (&point, list) in &mut candidates {
            samples.retain_for_all(encoding, point, list);
            list.truncate(MOST_CANDIDATES);
            let open = literals.get(&point).into_iter().flatten();
            list.extend(open.filter(|literal| !facts.list(point).contains(literal)));
        }
        let mut inductive = houdini::largest_inductive(encoding, points, facts, candidates, queries, limits);
        for (&point, list) in &mut inductive {
            *list = clauses::strongest(&mut encoding.pool, list, facts.indexed(point));
        }
        facts.add(&mut encoding.pool, inductive);
        if suffice(encoding, facts, points, limits) {
            return true;
        }
    }
    false
}

/// The variables that indices of arrays are computed from.
pub(super) fn counters(encoding: &mut Encoding<'_>, points: &[Point]) -> BTreeSet<SymbolId> {
    let (variables, roots) = (Variables::new(encoding, points), roots(encoding, points));
    let symbols = variables.counters(encoding, &roots).into_iter();
    symbols.flat_map(|variable| encoding.pool.free_symbols(variable)).collect()
}

/// What the program says about one element at an address, said about any.
pub(super) fn statements(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    samples: &Samples,
    any: Term,
) -> Vec<Term> {
    let variables = Variables::new(encoding, points);
    let bodies = Bodies::collect(encoding, points, &variables, samples);
    let mut found = Vec::new();
    for &body in bodies.about_any() {
        let scalars = encoding.pool.free_variables(body).into_iter();
        let mut scalars = scalars.filter(|&variable| encoding.pool.sort(variable).width().is_some());
        let is_atom = is_comparison(encoding.pool.op(body)) && variables::is_about_numbers(encoding, body);
        if is_atom && scalars.next() == Some(any) && scalars.next().is_none() {
            found.push(body);
        }
    }
    found
}

/// The pointers that loops move and access memory with.
pub(super) fn moving_pointers(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<Term> {
    let (variables, roots) = (Variables::new(encoding, points), roots(encoding, points));
    let counters = variables.counters(encoding, &roots).into_iter();
    counters.filter(|&counter| variables::is_pointer(encoding, counter)).collect()
}

/// All variables that hold pointers.
pub(super) fn pointers(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<Term> {
    let roots = roots(encoding, points);
    let terms = encoding.pool.subterms(&roots).into_iter();
    terms.filter(|&term| variables::is_pointer(encoding, term)).collect()
}

/// Conditions of the program on numbers.
pub(super) fn conditions(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<Term> {
    let both = bodies::conditions(encoding, points);
    let is_wanted = |condition: &Term| variables::is_about_numbers(encoding, *condition);
    both.into_iter().step_by(2).filter(is_wanted).collect()
}

/// What may hold at each point: statements about elements in ranges of indices, or else an exception; about
/// elements whose indices variables have; and equations between counters.
fn candidates(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    bodies: &Bodies<'_>,
    (ranges, detail): (&Ranges, Detail),
    exceptions: &[Term],
) -> Candidates {
    let mut candidates = BTreeMap::new();
    for &point in points {
        let exceptions: Vec<Term> =
            exceptions.iter().copied().filter(|&exception| is_live(encoding, point, exception)).collect();
        let mut found: BTreeSet<Term> = BTreeSet::new();
        for &body in bodies.about_any() {
            let symbols = indices::in_formula(&mut encoding.pool, body);
            for range in ranges.at(encoding, point, &symbols, detail) {
                for &exception in &exceptions {
                    let claim = encoding.pool.or2(body, exception);
                    found.insert(encoding.pool.implies(range, claim));
                }
            }
        }
        found.extend(bodies.about_one(encoding, &ranges.all_counters));
        found.extend(&ranges.equations);
        found.retain(|&candidate| is_live(encoding, point, candidate));
        candidates.insert(point, found.into_iter().collect());
    }
    candidates
}

/// What a term may be, by its conditionals; an array also before it was written to.
fn leaves(pool: &TermPool, term: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match pool.op(term) {
            Op::Ite => open.extend_from_slice(&pool.arguments(term)[1..]),
            Op::Store => open.push(pool.arguments(term)[0]),
            _ if found.contains(&term) => {}
            _ => found.push(term),
        }
        if found.len() >= MOST_LEAVES {
            break;
        }
    }
    found
}

fn is_comparison(op: &Op) -> bool {
    matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
}

/// Whether a formula mentions nothing but cells and index symbols.
fn is_over_cells(encoding: &mut Encoding<'_>, formula: Term) -> bool {
    let any = indices::all(&mut encoding.pool);
    let is_cell = |term: Term| match encoding.pool.op(term) {
        Op::Symbol(symbol) => encoding.cells().of_symbol(*symbol).is_some(),
        _ => false,
    };
    encoding.pool.free_variables(formula).into_iter().all(|term| any.contains(&term) || is_cell(term))
}

/// Whether a formula mentions an array.
fn has_arrays(pool: &TermPool, formula: Term) -> bool {
    pool.subterms(&[formula]).into_iter().any(|term| matches!(pool.op(term), Op::Select | Op::Store))
}

/// Whether a term is small and about scalars only.
fn is_plain(encoding: &mut Encoding<'_>, term: Term, largest: usize) -> bool {
    !encoding.pool.is_larger_than(term, largest)
        && !has_arrays(&encoding.pool, term)
        && is_over_cells(encoding, term)
}

/// The formulas of all blocks.
fn roots(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<Term> {
    let mut roots = Vec::new();
    for &point in points {
        for exit in &encoding.block(point).exits {
            roots.push(exit.guard);
            roots.extend(exit.updates.iter().map(|&(_, value)| value));
        }
    }
    roots
}
