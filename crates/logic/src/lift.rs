//! Conditionals in comparisons become conditions: `(c ? x + 1 : x) = y` is `x + 1 = y` if `c` holds, and else `x = y`. Then
//! formulas consist of comparisons between few values. A chain of such conditionals is hard to add up bit by bit.

use std::collections::{BTreeSet, HashMap};

use crate::{Op, Sort, Term, TermPool};

/// So many formulas may be made for one, unless another number is given.
const MOST: usize = 200_000;

/// Lifts conditionals out of comparisons, and remembers what it did.
#[derive(Debug)]
pub struct Lifter {
    done: HashMap<Term, Term>,
    most: usize,
}

impl Default for Lifter {
    fn default() -> Lifter {
        Lifter::within(MOST)
    }
}

impl Lifter {
    /// Leaves a formula as it is if more formulas than this would have to be made.
    pub fn within(most: usize) -> Lifter {
        Lifter { done: HashMap::new(), most }
    }

    /// An equivalent formula without conditionals in comparisons, unless it would be too large.
    pub fn lifted(&mut self, pool: &mut TermPool, formula: Term) -> Term {
        let most = self.done.len() + self.most;
        let mut stack = vec![formula];
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            if self.done.len() > most {
                return formula;
            }
            let before = stack.len();
            let conditional = if is_connective(pool, term) { None } else { exposed(pool, term) };
            let parts = match conditional {
                None if is_connective(pool, term) => pool.arguments(term).to_vec(),
                None => Vec::new(),
                Some(conditional) => cases(pool, term, conditional).to_vec(),
            };
            stack.extend(parts.iter().filter(|part| !self.done.contains_key(part)));
            if stack.len() > before {
                continue;
            }
            let parts: Vec<Term> = parts.iter().map(|part| self.done[part]).collect();
            let result = match conditional {
                None if parts.is_empty() => term,
                None => pool.rebuild(term, &parts),
                Some(_) => pool.ite(parts[0], parts[1], parts[2]),
            };
            self.done.insert(term, result);
        }
        self.done[&formula]
    }
}

/// Whether a formula is made of others.
fn is_connective(pool: &TermPool, term: Term) -> bool {
    let is_bool = |&part: &Term| pool.sort(part) == Sort::Bool;
    !pool.arguments(term).is_empty() && pool.arguments(term).iter().all(is_bool)
}

/// The youngest conditional in a comparison that is in no other one.
fn exposed(pool: &TermPool, comparison: Term) -> Option<Term> {
    let mut seen = BTreeSet::new();
    let mut open = vec![comparison];
    let mut found = None;
    while let Some(term) = open.pop() {
        if *pool.op(term) == Op::Ite {
            found = found.max(Some(term));
        } else if seen.insert(term) {
            open.extend_from_slice(pool.arguments(term));
        }
    }
    found
}

/// The condition of an exposed conditional, and the comparison if it holds and if not.
fn cases(pool: &mut TermPool, comparison: Term, conditional: Term) -> [Term; 3] {
    let [condition, then, otherwise] = pool.arguments(conditional)[..] else {
        unreachable!("conditionals have three arguments")
    };
    [condition, with(pool, comparison, conditional, then), with(pool, comparison, conditional, otherwise)]
}

/// A comparison with a value for an exposed conditional.
fn with(pool: &mut TermPool, comparison: Term, conditional: Term, value: Term) -> Term {
    let mut done = HashMap::from([(conditional, value)]);
    let mut stack = vec![comparison];
    while let Some(&term) = stack.last() {
        if done.contains_key(&term) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        let is_whole = *pool.op(term) == Op::Ite;
        let parts = if is_whole { Vec::new() } else { pool.arguments(term).to_vec() };
        stack.extend(parts.iter().filter(|part| !done.contains_key(part)));
        if stack.len() == before {
            let parts: Vec<Term> = parts.iter().map(|part| done[part]).collect();
            let rebuilt = if is_whole { term } else { pool.rebuild(term, &parts) };
            done.insert(term, rebuilt);
        }
    }
    done[&comparison]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditional_increments_become_cases() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let one = pool.bv(1u8, 32);
        let mut sum = x;
        for number in 0..20 {
            let condition = pool.symbol(&format!("c{number}"), Sort::Bool);
            let next = pool.bv_add(sum, one);
            sum = pool.ite(condition, next, sum);
        }
        let formula = pool.eq(sum, y);
        let lifted = Lifter::default().lifted(&mut pool, formula);
        let has_conditional = |pool: &TermPool, term: Term| {
            let is_conditional = |&term: &Term| *pool.op(term) == Op::Ite && pool.sort(term) != Sort::Bool;
            pool.subterms(&[term]).iter().any(is_conditional)
        };
        assert!(has_conditional(&pool, formula) && !has_conditional(&pool, lifted));
        for (value, holds) in [(7u8, true), (8, false)] {
            let known = [(y, pool.bv(value, 32)), (x, pool.bv(2u8, 32))];
            let mut values: HashMap<Term, Term> = known.into();
            for number in 0..20 {
                let condition = pool.symbol(&format!("c{number}"), Sort::Bool);
                values.insert(condition, pool.bool(number % 4 == 3));
            }
            let result = pool.substitute(lifted, &values);
            assert_eq!(pool.as_bool(result), Some(holds));
        }
    }

    #[test]
    fn formulas_that_would_grow_too_large_stay() {
        let mut pool = TermPool::new();
        let zero = pool.bv(0u8, 32);
        let mut sum = zero;
        for number in 0..20 {
            let condition = pool.symbol(&format!("c{number}"), Sort::Bool);
            let symbol = pool.symbol(&format!("x{number}"), Sort::BitVec(32));
            let chosen = pool.ite(condition, symbol, zero);
            sum = pool.bv_add(sum, chosen);
        }
        let formula = pool.eq(sum, zero);
        assert_eq!(Lifter::default().lifted(&mut pool, formula), formula);
    }
}
