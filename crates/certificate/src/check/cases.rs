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

#[cfg(test)]
mod tests {
    use rorqual_solver::{BitVecSolver, Limits};

    use super::*;

    /// Marsaglia's xorshift: tests must not depend on chance.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % bound
        }
    }

    /// A formula as stretches have them: values where arcs meet, one after the other, and a claim about them.
    fn formula(pool: &mut TermPool, random: &mut Random) -> Term {
        let arcs: Vec<Term> = (0..4).map(|arc| pool.symbol(&format!("arc{arc}"), Sort::Bool)).collect();
        let mut values: Vec<Term> = vec![pool.symbol("x", Sort::BitVec(3)), pool.bv(1u8, 3), pool.bv(5u8, 3)];
        let mut conjuncts = Vec::new();
        for meeting in 0..3 {
            let brought: Vec<Term> = (0..=random.below(3))
                .map(|_| {
                    let [one, other] = [(); 2].map(|()| values[random.below(values.len())]);
                    pool.bv_add(one, other)
                })
                .collect();
            let symbol = pool.symbol(&format!("meet{meeting}"), Sort::BitVec(3));
            for value in brought {
                let same = pool.eq(symbol, value);
                conjuncts.push(pool.implies(arcs[random.below(arcs.len())], same));
            }
            values.push(symbol);
        }
        let taken: Vec<Term> = arcs.iter().copied().filter(|_| random.below(3) > 0).collect();
        let claim = pool.bv_ult(values[random.below(3)], values[3 + random.below(3)]);
        conjuncts.extend(taken);
        conjuncts.push(if random.below(2) == 0 { claim } else { pool.not(claim) });
        let [one, other] = [(); 2].map(|()| values[random.below(values.len())]);
        conjuncts.push(pool.eq(one, other));
        pool.and(&conjuncts)
    }

    #[test]
    fn no_model_is_lost() {
        let mut random = Random(0x5eed);
        let (mut possible, mut impossible) = (0, 0);
        for _ in 0..2_000 {
            let mut pool = TermPool::new();
            let given = formula(&mut pool, &mut random);
            let written = by_cases(&mut pool, given);
            let is_possible = |pool: &mut TermPool, formula: Term| {
                BitVecSolver::new().check(pool, &[formula], &Limits::none()).is_sat()
            };
            let (before, after) = (is_possible(&mut pool, given), is_possible(&mut pool, written));
            assert_eq!(before, after, "{} and {}", pool.display(given), pool.display(written));
            *(if before { &mut possible } else { &mut impossible }) += 1;
        }
        assert!(possible > 200 && impossible > 200, "{possible} possible, {impossible} not");
    }
}
