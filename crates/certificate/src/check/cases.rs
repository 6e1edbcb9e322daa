//! Obligations of which hard ones become easier: a symbol for the value where arcs meet is written as the values that the
//! arcs bring along, case by case.

use std::collections::{BTreeMap, HashMap};

use rorqual_logic::{Lifter, Op, Sort, Term, TermPool};

/// A formula that has a model if the given one has: conjuncts `a → m = v` and `b → m = w` are used to write
/// `a ? v : b ? w : n` for `m`, with a new symbol `n`. In a model of the given formula, that is the value of `m` if `n` has it
/// too. Conditionals are lifted out of comparisons then.
pub(super) fn by_cases(pool: &mut TermPool, formula: Term) -> Term {
    let mut values: BTreeMap<Term, Vec<(Term, Term)>> = BTreeMap::new();
    for &conjunct in pool.arguments(formula).iter().filter(|_| *pool.op(formula) == Op::And) {
        if let Some((condition, symbol, value)) = definition(pool, conjunct) {
            values.entry(symbol).or_default().push((condition, value));
        }
    }
    let mut written = HashMap::new();
    for (symbol, values) in values {
        let sort = pool.sort(symbol);
        let mut cases = pool.fresh_symbol("none", sort);
        for (condition, value) in values.into_iter().rev() {
            cases = pool.ite(condition, value, cases);
        }
        // Values are older than the symbol, so that what occurs in them is written already.
        let cases = pool.substitute(cases, &written);
        written.insert(symbol, cases);
    }
    let formula = pool.substitute(formula, &written);
    Lifter::default().lifted(pool, formula)
}

/// The parts of a conjunct `condition → symbol = value` with a value that is older than the symbol.
fn definition(pool: &TermPool, conjunct: Term) -> Option<(Term, Term, Term)> {
    let &[one, other] = pool.arguments(conjunct) else { return None };
    if *pool.op(conjunct) != Op::Or {
        return None;
    }
    let (negated, equation) = if *pool.op(one) == Op::Not { (one, other) } else { (other, one) };
    let (&[condition], &[lhs, rhs]) = (pool.arguments(negated), pool.arguments(equation)) else {
        return None;
    };
    let is_symbol = |term: Term| matches!(pool.op(term), Op::Symbol(_));
    let (symbol, value) = if lhs > rhs { (lhs, rhs) } else { (rhs, lhs) };
    let fits = *pool.op(negated) == Op::Not
        && *pool.op(equation) == Op::Eq
        && matches!(pool.sort(symbol), Sort::BitVec(_))
        && is_symbol(condition)
        && is_symbol(symbol);
    fits.then_some((condition, symbol, value))
}
