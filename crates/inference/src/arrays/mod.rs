//! Facts about all elements of an array: in a range of indices, the elements are as some line of the program reads or
//! writes one of them.

mod bodies;
pub mod indices;
mod progressions;
mod ranges;
mod subjects;
mod variables;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Point};
use rorqual_logic::{Op, SymbolId, Term, TermPool};
use rorqual_solver::Limits;

use crate::candidates::clauses;
use crate::facts::{Facts, is_live, suffice};
use crate::formulas::{is_comparison, of_blocks};
use crate::obligations::Lists;
use crate::round::RoundBudget;
use crate::samples::Samples;
use bodies::Bodies;
use ranges::{Detail, Ranges};
use variables::Variables;

budget! {
    /// How many candidates about elements there may be. They are statements in ranges, so each of these numbers is small.
    /// Sizes are numbers of different subterms.
    pub struct Budget {
        /// At most 1,000 candidates per point, as Houdini has to prove them.
        pub candidates: usize = 1_000,
        /// At most 48 statements about elements, each
        pub statements: usize = 48,
        /// of size 60 at most: larger ones speak of states in the midst of a loop.
        pub statement_size: usize = 60,
        /// At most 6 conditions that may be exceptions, each
        pub conditions: usize = 6,
        /// of size 5 at most, such as a comparison of a variable with a sum.
        pub condition_size: usize = 5,
        /// At most 4 values that a conditional may have.
        pub leaves: usize = 4,
        /// Ranges are bounded by at most 5 counters per point,
        pub counters: usize = 5,
        /// at most 2 constants that counters start with,
        pub starts: usize = 2,
        /// at most 6 terms that counters are compared with, each
        pub ends: usize = 6,
        /// of size 5 at most,
        pub end_size: usize = 5,
        /// and at most 6 other conditions on the index.
        pub residues: usize = 6,
        /// Indices that are computed from several counters have size 12 at most: rows and columns of a matrix.
        pub index_size: usize = 12,
        /// Counters take steps of at most 16: larger ones are rather sizes of objects.
        pub step: u64 = 16,
        /// 4 elements show that there is an arithmetic progression: any two of them are one.
        pub progression: usize = 4,
        /// At most 50 elements of each state are looked at for it.
        pub elements: usize = 50,
    }
}

/// Adds facts about elements, until no violation is left. The literals are tried again with each other.
pub(crate) fn infer(
    encoding: &mut Encoding<'_>,
    facts: &mut Facts,
    points: &[Point],
    literals: &Lists<Point>,
    samples: &Samples,
    budget: &RoundBudget,
    limits: &Limits,
) {
    let own = &budget.all.arrays;
    let variables = Variables::new(encoding, points);
    let bodies = Bodies::collect(encoding, points, &variables, samples, own);
    let ranges = Ranges::new(encoding, points, &variables, samples, &budget.all);
    let none = vec![encoding.pool.bottom()];
    let conditions = bodies::conditions(encoding, points, own);
    let stages =
        [(&none, Detail::OneCounter), (&conditions, Detail::OneCounter), (&none, Detail::BetweenCounters)];
    for (exceptions, detail) in stages {
        let mut candidates = candidates(encoding, points, &bodies, (&ranges, detail), exceptions);
        for (&point, list) in &mut candidates {
            samples.retain_for_all(encoding, point, list);
            list.truncate(own.candidates);
            let open = literals.get(&point).into_iter().flatten();
            list.extend(open.filter(|literal| !facts.list(point).contains(literal)));
        }
        let mut inductive = budget.largest_inductive(encoding, points, facts, candidates, limits);
        for (&point, list) in &mut inductive {
            *list = clauses::strongest(&mut encoding.pool, list, facts.indexed(point));
        }
        facts.add(&mut encoding.pool, inductive);
        if suffice(encoding, facts, points, limits) {
            return;
        }
    }
}

/// The variables that indices of arrays are computed from.
pub(crate) fn counters(encoding: &mut Encoding<'_>, points: &[Point]) -> BTreeSet<SymbolId> {
    let (variables, roots) = (Variables::new(encoding, points), of_blocks(encoding, points));
    let symbols = variables.counters(encoding, &roots).into_iter();
    symbols.flat_map(|variable| encoding.pool.free_symbols(variable)).collect()
}

/// What the program says about one element at an address, said about any.
pub(crate) fn statements(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    samples: &Samples,
    any: Term,
    budget: &Budget,
) -> Vec<Term> {
    let variables = Variables::new(encoding, points);
    let bodies = Bodies::collect(encoding, points, &variables, samples, budget);
    let mut found = Vec::new();
    for &body in bodies.about_any() {
        let scalars = encoding.pool.free_variables(body).into_iter();
        let mut scalars = scalars.filter(|&variable| encoding.pool.sort(variable).width().is_some());
        let is_atom = is_comparison(&encoding.pool, body) && variables::is_about_numbers(encoding, body);
        if is_atom && scalars.next() == Some(any) && scalars.next().is_none() {
            found.push(body);
        }
    }
    found
}

/// The pointers that loops move and access memory with.
pub(crate) fn moving_pointers(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<Term> {
    let (variables, roots) = (Variables::new(encoding, points), of_blocks(encoding, points));
    let counters = variables.counters(encoding, &roots).into_iter();
    counters.filter(|&counter| variables::is_pointer(encoding, counter)).collect()
}

/// All variables that hold pointers.
pub(crate) fn pointers(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<Term> {
    let roots = of_blocks(encoding, points);
    let terms = encoding.pool.subterms(&roots).into_iter();
    terms.filter(|&term| variables::is_pointer(encoding, term)).collect()
}

/// Conditions of the program on numbers.
pub(crate) fn conditions(encoding: &mut Encoding<'_>, points: &[Point], budget: &Budget) -> Vec<Term> {
    let both = bodies::conditions(encoding, points, budget);
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
) -> Lists<Point> {
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
fn leaves(pool: &TermPool, term: Term, most: usize) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match pool.op(term) {
            Op::Ite => open.extend_from_slice(&pool.arguments(term)[1..]),
            Op::Store => open.push(pool.arguments(term)[0]),
            _ if found.contains(&term) => {}
            _ => found.push(term),
        }
        if found.len() >= most {
            break;
        }
    }
    found
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
