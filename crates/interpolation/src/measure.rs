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
    single_bits(pool, &[formula]).is_empty()
}

/// Whether atoms take only such single bits out of words as the program itself does: `x % 2` and flags of
/// a status word are about the lowest bit and the bit of the flag, and no shorter way of speaking exists.
pub fn is_word_level_for(pool: &TermPool, formula: Term, program: &[Term]) -> bool {
    single_bits(pool, &[formula]).is_subset(&single_bits(pool, program))
}

/// The positions of the single bits that formulas take out of words.
fn single_bits(pool: &TermPool, formulas: &[Term]) -> BTreeSet<u32> {
    let position = |term: Term| match pool.op(term) {
        Op::Extract { high, low } if high == low => Some(*low),
        _ => None,
    };
    pool.subterms(formulas).into_iter().filter_map(position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_that_the_program_tests_are_no_sign_of_a_proof_about_bits() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (two, zero) = (pool.bv(2u8, 32), pool.bv(0u8, 32));
        let remainder = pool.bv_urem(x, two);
        let program = [pool.eq(remainder, zero)];
        let bit = |pool: &mut TermPool, at: u32| {
            let (bit, one) = (pool.bv_extract(y, at, at), pool.bv(1u8, 1));
            pool.eq(bit, one)
        };
        let (lowest, other) = (bit(&mut pool, 0), bit(&mut pool, 5));
        assert!(!is_word_level(&pool, lowest) && !is_word_level(&pool, other));
        assert!(is_word_level_for(&pool, lowest, &program));
        assert!(!is_word_level_for(&pool, other, &program));
    }
}
