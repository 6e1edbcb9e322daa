//! Proofs that leave out where pointers point to. In the engines' formulas addresses of variables are numbers, and what
//! pointers hold is often known without an invariant; for the checker addresses are symbols. An invariant that speaks of
//! the distance between a pointer and a variable is tried again with the claim that there is none.

use std::collections::BTreeSet;

use rorqual_evidence::Invariant;
use rorqual_logic::{Op, Term, TermPool};

/// Adds, where an invariant subtracts the address of a variable from a pointer, that the pointer is that address. Returns
/// whether there is such a place. What is added is only a guess: the checker has to prove it with the rest.
pub(crate) fn strengthen(invariant: &mut Invariant) -> bool {
    let mut is_changed = false;
    for statement in &mut invariant.locations {
        let guesses = guesses(&mut invariant.pool, statement.formula, &statement.bound);
        is_changed |= !guesses.is_empty();
        let all: Vec<Term> = guesses.into_iter().chain([statement.formula]).collect();
        statement.formula = invariant.pool.and(&all);
    }
    is_changed
}

/// The pointers of a formula, each equal to the address that is subtracted from it.
fn guesses(pool: &mut TermPool, formula: Term, bound: &[Term]) -> BTreeSet<Term> {
    let mut pairs: BTreeSet<(Term, Term)> = BTreeSet::new();
    for sum in pool.subterms(&[formula]) {
        let summands = summands(pool, sum);
        let addresses = summands.iter().filter_map(|&summand| subtracted_address(pool, summand));
        for address in addresses {
            let is_pointer = |&&term: &&Term| is_cell(pool, term) && !bound.contains(&term);
            pairs.extend(summands.iter().filter(is_pointer).map(|&pointer| (pointer, address)));
        }
    }
    pairs.into_iter().map(|(pointer, address)| pool.eq(pointer, address)).collect()
}

fn summands(pool: &TermPool, term: Term) -> Vec<Term> {
    match pool.op(term) {
        Op::BvAdd => pool.arguments(term).iter().flat_map(|&summand| summands(pool, summand)).collect(),
        _ => vec![term],
    }
}

/// The address of a variable whose negation is a summand.
fn subtracted_address(pool: &TermPool, summand: Term) -> Option<Term> {
    let (Op::BvNeg, &[address]) = (pool.op(summand), pool.arguments(summand)) else { return None };
    is_address(pool, address).then_some(address)
}

/// Symbols for addresses are written as in C (`docs/formats/certificate.md`).
fn is_address(pool: &TermPool, term: Term) -> bool {
    matches!(pool.op(term), Op::Symbol(symbol) if pool.symbol_name(*symbol).starts_with('&'))
}

fn is_cell(pool: &TermPool, term: Term) -> bool {
    matches!(pool.op(term), Op::Symbol(_)) && !is_address(pool, term)
}
