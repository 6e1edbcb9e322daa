//! Most refutations need little of a stretch. An obligation is first refuted with the shape of the stretch only, which arcs lead to
//! which; of the rest, what a model of that violates is added, until there is no model any more.
//!
//! What is left out can only make a refutation impossible, never wrong. The solver checks each of its steps, and it keeps what
//! the obligations of a stretch have in common.

use std::collections::BTreeSet;

use rorqual_logic::{Op, Sort, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Limits, Model};
use rustc_hash::FxHashSet;

use super::refute::within;

/// After so many models all that is left is added: then most of the stretch matters.
const MODELS: usize = 16;
/// What a model violates is added at once if it has no more terms than this. Larger formulas take longer to translate than most
/// refutations, so they come one by one, and only if nothing smaller is violated.
const SMALL: usize = 100;
/// An obligation that takes more conflicts needs more than luck.
const CONFLICTS: u32 = 2_000;

/// Refutes obligations by parts of them.
pub(super) struct Lazy {
    solver: BitVecSolver,
}

impl Lazy {
    /// For the obligations of a stretch.
    pub(super) fn new() -> Lazy {
        Lazy { solver: BitVecSolver::checked() }
    }

    /// The assumptions that are needed to refute formulas; nothing if that was not found out.
    pub(super) fn refute(
        &mut self,
        pool: &mut TermPool,
        formulas: &[Term],
        assumptions: &[Term],
        limits: &Limits,
    ) -> Option<Vec<Term>> {
        let all = conjuncts(pool, formulas);
        let (mut chosen, mut rest): (Vec<Term>, Vec<Term>) =
            all.into_iter().partition(|&conjunct| is_propositional(pool, conjunct));
        chosen.extend_from_slice(assumptions);
        let limits = within(limits, CONFLICTS);
        for number in 0.. {
            match self.solver.check(pool, &chosen, &limits) {
                Answer::Unsat(core) => {
                    let needed = core.assumptions().iter().copied();
                    return Some(needed.filter(|term| assumptions.contains(term)).collect());
                }
                Answer::Unknown(_) => return None,
                Answer::Sat(_) if rest.is_empty() => return None,
                Answer::Sat(_) if number >= MODELS => chosen.append(&mut rest),
                Answer::Sat(model) => {
                    let violated = violated(pool, &model, &rest);
                    if violated.is_empty() {
                        return None;
                    }
                    // What is about the same values will probably be violated next.
                    let near = symbols(pool, &violated);
                    let is_near = |conjunct: &Term| {
                        is_small(pool, *conjunct)
                            && !near.is_disjoint(&symbols(pool, &BTreeSet::from([*conjunct])))
                    };
                    let is_next = |conjunct: &Term| violated.contains(conjunct) || is_near(conjunct);
                    let (next, others): (Vec<Term>, Vec<Term>) = rest.into_iter().partition(is_next);
                    rest = others;
                    chosen.extend(next);
                }
            }
        }
        None
    }
}

/// The conjuncts of formulas. What is claimed under one condition, as on an arc, is claimed piece by piece.
fn conjuncts(pool: &mut TermPool, formulas: &[Term]) -> BTreeSet<Term> {
    let (mut found, mut open) = (BTreeSet::new(), formulas.to_vec());
    while let Some(term) = open.pop() {
        match pool.op(term) {
            Op::And => open.extend_from_slice(pool.arguments(term)),
            Op::Or => match *pool.arguments(term) {
                [one, other] if *pool.op(one) == Op::And => open.extend(distributed(pool, other, one)),
                [one, other] if *pool.op(other) == Op::And => open.extend(distributed(pool, one, other)),
                _ => {
                    found.insert(term);
                }
            },
            _ => {
                found.insert(term);
            }
        }
    }
    found
}

/// One disjunction with each part of a conjunction.
fn distributed(pool: &mut TermPool, one: Term, conjunction: Term) -> Vec<Term> {
    let parts = pool.arguments(conjunction).to_vec();
    parts.into_iter().map(|part| pool.or2(one, part)).collect()
}

/// Whether a formula is about Boolean symbols only.
fn is_propositional(pool: &TermPool, formula: Term) -> bool {
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        if pool.sort(term) != Sort::Bool {
            return false;
        }
        open.extend_from_slice(pool.arguments(term));
    }
    true
}

/// What a model violates: the small conjuncts, or one that is not.
fn violated(pool: &TermPool, model: &Model, rest: &[Term]) -> BTreeSet<Term> {
    let violated = rest.iter().copied().filter(|&conjunct| is_violated(pool, model, conjunct));
    let (small, large): (Vec<Term>, Vec<Term>) = violated.partition(|&conjunct| is_small(pool, conjunct));
    let least = || large.iter().copied().min_by_key(|&conjunct| pool.subterms(&[conjunct]).len());
    if small.is_empty() { least().into_iter().collect() } else { small.into_iter().collect() }
}

/// The symbols of small formulas that are no Booleans.
fn symbols(pool: &TermPool, formulas: &BTreeSet<Term>) -> BTreeSet<Term> {
    let small: Vec<Term> = formulas.iter().copied().filter(|&formula| is_small(pool, formula)).collect();
    let is_value = |term: &Term| matches!(pool.op(*term), Op::Symbol(_)) && pool.sort(*term) != Sort::Bool;
    pool.subterms(&small).into_iter().filter(is_value).collect()
}

/// Whether a formula has few terms.
fn is_small(pool: &TermPool, formula: Term) -> bool {
    let (mut seen, mut open) = (FxHashSet::default(), vec![formula]);
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            open.extend_from_slice(pool.arguments(term));
        }
        if seen.len() > SMALL {
            return false;
        }
    }
    true
}

/// Whether a conjunct is false in a model. Most are about an arc that is not taken, which is seen at once.
fn is_violated(pool: &TermPool, model: &Model, conjunct: Term) -> bool {
    let is_literal = |term: Term| match pool.op(term) {
        Op::Symbol(_) => true,
        Op::Not => matches!(pool.op(pool.arguments(term)[0]), Op::Symbol(_)),
        _ => false,
    };
    let holds_at_once = *pool.op(conjunct) == Op::Or
        && pool.arguments(conjunct).iter().any(|&part| is_literal(part) && model.satisfies(pool, part));
    !holds_at_once && !model.satisfies(pool, conjunct)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two arcs, one after the other: `x` is small on the first, and `y` is `x + 1` on the second.
    fn stretch(pool: &mut TermPool) -> (Vec<Term>, Term) {
        let [first, second] = ["first", "second"].map(|name| pool.symbol(name, Sort::Bool));
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::BitVec(8)));
        let [one, five] = [1u8, 5].map(|value| pool.bv(value, 8));
        let (is_small, next) = (pool.bv_ult(x, five), pool.bv_add(x, one));
        let (same, square) = (pool.eq(y, next), pool.bv_mul(z, z));
        let is_square = pool.eq(x, square);
        let small = pool.and2(is_small, is_square);
        let there = pool.and2(first, same);
        let formulas = vec![pool.implies(first, small), pool.implies(second, there), second];
        (formulas, y)
    }

    #[test]
    fn what_is_refuted_has_no_model_and_what_has_one_is_not_refuted() {
        let mut pool = TermPool::new();
        let (formulas, y) = stretch(&mut pool);
        let mut lazy = Lazy::new();
        for (bound, is_refuted) in [(5u8, true), (4, false), (200, true)] {
            let bound = pool.bv(bound, 8);
            let above = pool.bv_ult(bound, y);
            let query = [formulas.clone(), vec![above]].concat();
            let answer = lazy.refute(&mut pool, &query, &[], &Limits::none());
            assert_eq!(answer.is_some(), is_refuted, "{}", pool.display(above));
            let whole = rorqual_solver::refute(&mut pool, &query, &Limits::none());
            assert_eq!(whole.is_sat(), !is_refuted);
        }
    }

    #[test]
    fn only_assumptions_that_matter_are_named() {
        let mut pool = TermPool::new();
        let (formulas, y) = stretch(&mut pool);
        let [needed, spare] = ["needed", "spare"].map(|name| pool.symbol(name, Sort::Bool));
        let bound = pool.bv(4u8, 8);
        let (above, below) = (pool.bv_ult(bound, y), pool.bv_ule(y, bound));
        let assumed = pool.implies(needed, below);
        let query = [formulas, vec![above, assumed]].concat();
        let answer = |lazy: &mut Lazy, pool: &mut TermPool, assumptions: &[Term]| {
            lazy.refute(pool, &query, assumptions, &Limits::none())
        };
        let mut lazy = Lazy::new();
        assert_eq!(answer(&mut lazy, &mut pool, &[]), None);
        assert_eq!(answer(&mut lazy, &mut pool, &[spare]), None);
        assert_eq!(answer(&mut lazy, &mut pool, &[spare, needed]), Some(vec![needed]));
    }

    /// Each model of the shape violates one more equation of a long chain, so the rest is added at once in the end.
    #[test]
    fn long_chains_are_followed_to_their_end() {
        let mut pool = TermPool::new();
        let symbols: Vec<Term> =
            (0..60).map(|number| pool.symbol(&format!("v{number}"), Sort::BitVec(8))).collect();
        let one = pool.bv(1u8, 8);
        let mut formulas: Vec<Term> = Vec::new();
        for pair in symbols.windows(2) {
            let next = pool.bv_add(pair[0], one);
            formulas.push(pool.eq(pair[1], next));
        }
        for (last, is_refuted) in [(60u8, true), (59, false)] {
            let (zero, last) = (pool.bv(0u8, 8), pool.bv(last, 8));
            let (begins, ends) = (pool.eq(symbols[0], zero), pool.eq(symbols[59], last));
            let query = [formulas.clone(), vec![begins, ends]].concat();
            let answer = Lazy::new().refute(&mut pool, &query, &[], &Limits::none());
            assert_eq!(answer.is_some(), is_refuted);
        }
    }
}
