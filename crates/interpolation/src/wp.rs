//! Weakest preconditions along the core: interpolants by substitution, without a proof.
//!
//! Backwards from `false`: the interpolant before a part is "what the part says implies the interpolant
//! behind it". Symbols that do not occur before the part are replaced by what an equation of the part says
//! they are, as assignments say it. Conjuncts outside the core are dropped. The candidates imply what they
//! have to by construction, up to symbols that no equation defines; the verifier decides.

use std::collections::HashMap;

use rorqual_logic::{Op, SymbolId, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Limits, Name, Vocabulary};

use crate::simplify::conjuncts;

/// Interpolants with more different subterms are given up: larger ones cost more than they give.
const SIZE_LIMIT: usize = 2_000;

/// A candidate sequence `I_0 = true … I_n = false` for parts that contradict each other; `None` if a
/// symbol cannot be eliminated or the formulas grow too large. Not verified here.
pub fn weakest_preconditions(pool: &mut TermPool, parts: &[Term], limits: &Limits) -> Option<Vec<Term>> {
    let needed = core(pool, parts, limits)?;
    let mut formula = pool.bottom();
    let mut sequence = vec![formula];
    for at in (1..parts.len()).rev() {
        let before = Vocabulary::of(pool, &parts[..at]);
        formula = precondition(pool, &needed[at], formula, &before)?;
        if pool.dag_size(formula) > SIZE_LIMIT {
            return None;
        }
        sequence.push(formula);
    }
    sequence.push(pool.top());
    sequence.reverse();
    Some(sequence)
}

/// The conjuncts of each part that a contradiction needs.
fn core(pool: &mut TermPool, parts: &[Term], limits: &Limits) -> Option<Vec<Vec<Term>>> {
    let all: Vec<Vec<Term>> = parts.iter().map(|&part| conjuncts(pool, part)).collect();
    let assumptions = all.concat();
    let Answer::Unsat(core) = BitVecSolver::new().check(pool, &assumptions, limits) else { return None };
    let needed =
        |part: Vec<Term>| part.into_iter().filter(|term| core.assumptions().contains(term)).collect();
    Some(all.into_iter().map(needed).collect())
}

/// A formula over the vocabulary that, with the conjuncts, implies `after`.
fn precondition(pool: &mut TermPool, part: &[Term], after: Term, before: &Vocabulary) -> Option<Term> {
    let mut guards = part.to_vec();
    let mut goal = after;
    while let Some((at, definition)) = find_definition(pool, &guards, before) {
        guards.remove(at);
        goal = pool.substitute(goal, &definition);
        for guard in &mut guards {
            *guard = pool.substitute(*guard, &definition);
        }
    }
    if before.foreign(pool, goal).is_some() {
        return None;
    }
    // A guard on a symbol that nothing defines: without it the formula is stronger, so that it is still a
    // precondition. Whether it is implied by what comes before is for the verifier to say.
    guards.retain(|&guard| before.foreign(pool, guard).is_none());
    let mut alternatives: Vec<Term> = guards.iter().map(|&guard| pool.not(guard)).collect();
    alternatives.push(goal);
    Some(pool.or(&alternatives))
}

/// A guard `x = e` where `x` must go and does not occur in `e`, as a replacement.
fn find_definition(
    pool: &TermPool,
    guards: &[Term],
    before: &Vocabulary,
) -> Option<(usize, HashMap<Term, Term>)> {
    for (at, &guard) in guards.iter().enumerate() {
        if *pool.op(guard) != Op::Eq {
            continue;
        }
        let (lhs, rhs) = (pool.arguments(guard)[0], pool.arguments(guard)[1]);
        for (symbol, value) in [(lhs, rhs), (rhs, lhs)] {
            if let Some(id) = symbol_of(pool, symbol)
                && !before.has(Name::Symbol(id))
                && !pool.free_symbols(value).contains(&id)
            {
                return Some((at, HashMap::from([(symbol, value)])));
            }
        }
    }
    None
}

fn symbol_of(pool: &TermPool, term: Term) -> Option<SymbolId> {
    match pool.op(term) {
        Op::Symbol(id) => Some(*id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rorqual_logic::Sort;

    use super::*;
    use crate::verify_sequence;

    #[test]
    fn assignments_are_substituted_and_irrelevant_parts_disappear() {
        let mut pool = TermPool::new();
        let [x0, x1, y0] = ["x0", "x1", "y0"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (zero, one, five) = (pool.bv(0u8, 32), pool.bv(1u8, 32), pool.bv(5u8, 32));
        let (start, unrelated) = (pool.eq(x0, zero), pool.eq(y0, five));
        let first = pool.and2(start, unrelated);
        let next = pool.bv_add(x0, one);
        let step = pool.eq(x1, next);
        let error = pool.bv_slt(x1, one);
        let parts = [first, step, error];
        let sequence = weakest_preconditions(&mut pool, &parts, &Limits::none()).expect("a sequence");
        let not_error = pool.bv_sle(one, x1);
        let before = pool.bv_sle(one, next);
        assert_eq!(sequence, [pool.top(), before, not_error, pool.bottom()]);
        verify_sequence(&mut pool, &parts, &sequence, &Limits::none()).expect("it verifies");
    }

    #[test]
    fn symbols_without_a_definition_are_given_up() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(8)));
        let three = pool.bv(3u8, 8);
        let (first, link, last) = (pool.bv_ult(x, three), pool.bv_ult(y, x), pool.bv_ult(three, y));
        assert_eq!(weakest_preconditions(&mut pool, &[first, link, last], &Limits::none()), None);
    }
}
