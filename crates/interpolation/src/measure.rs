//! How readable an interpolant is: its atoms, and whether they are about words or about bits.

use std::collections::{BTreeSet, HashSet};

use rorqual_logic::{Op, Sort, Term, TermPool};

/// The different atoms of a formula: what Boolean operations connect. A comparison and its negation
/// are one atom.
pub fn atoms(pool: &TermPool, formula: Term) -> BTreeSet<Term> {
    let mut seen = HashSet::new();
    let mut found = BTreeSet::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if is_connective(pool, term) {
            stack.extend_from_slice(pool.arguments(term));
        } else if pool.as_bool(term).is_none() && !negation_is_among(pool, term, &found) {
            found.insert(term);
        }
    }
    found
}

/// `not(a < b)` is kept as `b <= a`, so two different terms may be one atom.
fn negation_is_among(pool: &TermPool, term: Term, found: &BTreeSet<Term>) -> bool {
    let strict_and_weak = |lhs: &Op, rhs: &Op| {
        matches!((lhs, rhs), (Op::BvUlt, Op::BvUle) | (Op::BvUle, Op::BvUlt))
            || matches!((lhs, rhs), (Op::BvSlt, Op::BvSle) | (Op::BvSle, Op::BvSlt))
    };
    found.iter().any(|&other| {
        strict_and_weak(pool.op(term), pool.op(other))
            && pool.arguments(term).iter().eq(pool.arguments(other).iter().rev())
    })
}

fn is_connective(pool: &TermPool, term: Term) -> bool {
    match pool.op(term) {
        Op::Not | Op::And | Op::Or => true,
        Op::Ite => pool.sort(term) == Sort::Bool,
        Op::Eq => pool.sort(pool.arguments(term)[0]) == Sort::Bool,
        _ => false,
    }
}

/// Whether no atom takes single bits out of words that are wider.
pub fn is_word_level(pool: &TermPool, formula: Term) -> bool {
    let takes_a_bit = |&term: &Term| match pool.op(term) {
        Op::Extract { high, low } => high == low,
        _ => false,
    };
    !pool.subterms(&[formula]).iter().any(takes_a_bit)
}
