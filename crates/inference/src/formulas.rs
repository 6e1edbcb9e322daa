//! The formulas of blocks and the comparisons in them, of which all candidates are made.

use std::collections::BTreeSet;

use rorqual_encoding::{Encoding, Exit, Point};
use rorqual_logic::{Op, Term, TermPool};

/// The condition of an exit and the values that it gives to cells.
pub(crate) fn of_exit(exit: &Exit) -> impl Iterator<Item = Term> {
    [exit.guard].into_iter().chain(exit.updates.iter().map(|&(_, value)| value))
}

/// The formulas of the blocks at points.
pub(crate) fn of_blocks(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<Term> {
    let mut roots = Vec::new();
    for &point in points {
        roots.extend(encoding.block(point).exits.iter().flat_map(of_exit));
    }
    roots
}

/// Whether a term compares numbers.
pub(crate) fn is_comparison(pool: &TermPool, term: Term) -> bool {
    matches!(pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
}

/// That a number is at most another one.
pub(crate) fn at_most(pool: &mut TermPool, low: Term, high: Term, signed: bool) -> Term {
    if signed { pool.bv_sle(low, high) } else { pool.bv_ule(low, high) }
}

/// The ways in which two numbers may be related.
pub(crate) fn relations(pool: &mut TermPool, one: Term, other: Term, signed: bool) -> [Term; 3] {
    [pool.eq(one, other), at_most(pool, one, other, signed), at_most(pool, other, one, signed)]
}

/// What a term may be, by its conditionals.
pub(crate) fn leaves(pool: &TermPool, term: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.op(term) {
            Op::Ite => open.extend_from_slice(&pool.arguments(term)[1..]),
            _ => found.push(term),
        }
    }
    found
}
