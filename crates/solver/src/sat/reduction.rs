//! Assertions with defined symbols eliminated: what `x = e` says about `x` is said by writing `e` for
//! `x` everywhere else. Paths are mostly such definitions, so that many of them are decided by the
//! simplifying constructors of terms alone, and the rest has fewer clauses.
//!
//! The values of eliminated symbols follow from a model of the rest, and each formula of the rest
//! knows which assertions it comes from, so that neither models nor cores lose anything.

use std::collections::BTreeSet;

use rorqual_logic::{Assignment, Evaluator, Op, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// A formula that is left, and the conjunct of an assertion that it comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest {
    pub(crate) formula: Term,
    origin: Origin,
}

/// A conjunct of the assertion at a position.
#[derive(Debug, Clone, Copy)]
struct Origin {
    conjunct: Term,
    assertion: usize,
}

/// Assertions after the elimination of symbols.
#[derive(Debug, Default)]
pub(crate) struct Reduction {
    rest: Vec<Rest>,
    /// In the order of elimination: a value has none of the symbols before it, and perhaps later ones.
    eliminated: Vec<Term>,
    definitions: FxHashMap<Term, (Term, Origin)>,
    /// Results of substitution. Wrong once a symbol that they contain is eliminated.
    done: FxHashMap<Term, Term>,
}

impl Reduction {
    /// Eliminates what the assertions define.
    pub(crate) fn of(pool: &mut TermPool, assertions: &[Term]) -> Reduction {
        let mut reduction = Reduction::default();
        let mut open: Vec<Rest> = Vec::new();
        for (assertion, &formula) in assertions.iter().enumerate() {
            for conjunct in conjuncts(pool, formula) {
                open.push(Rest { formula: conjunct, origin: Origin { conjunct, assertion } });
            }
        }
        // Formulas that were substituted before one of their symbols was eliminated need another pass;
        // the last pass eliminates nothing, so that nothing eliminated is left.
        while reduction.pass(pool, &mut open) {}
        reduction.rest = open;
        reduction
    }

    /// Leaves all assertions as they are.
    pub(crate) fn none(assertions: &[Term]) -> Reduction {
        let as_it_is = |(assertion, &formula): (usize, &Term)| {
            let origin = Origin { conjunct: formula, assertion };
            Rest { formula, origin }
        };
        let rest = assertions.iter().enumerate().map(as_it_is).collect();
        Reduction { rest, ..Reduction::default() }
    }

    /// The formulas that are left.
    pub(crate) fn rest(&self) -> &[Rest] {
        &self.rest
    }

    /// Substitutes in all formulas. Whether some of them may still have eliminated symbols.
    fn pass(&mut self, pool: &mut TermPool, open: &mut Vec<Rest>) -> bool {
        let mut again = false;
        let mut rest = Vec::with_capacity(open.len());
        open.reverse();
        while let Some(Rest { formula, origin }) = open.pop() {
            let formula = self.substituted(pool, formula);
            if *pool.op(formula) == Op::And {
                // One by one: what the first of them defines may occur in the next.
                let parts = conjuncts(pool, formula).into_iter().rev();
                open.extend(parts.map(|formula| Rest { formula, origin }));
                continue;
            }
            match definition(pool, formula) {
                Some((symbol, value)) => {
                    if self.done.contains_key(&symbol) {
                        again = true;
                        self.done.clear();
                    }
                    self.eliminated.push(symbol);
                    self.definitions.insert(symbol, (value, origin));
                }
                None if pool.as_bool(formula) == Some(true) => {}
                None => rest.push(Rest { formula, origin }),
            }
        }
        *open = rest;
        again
    }

    /// The term without eliminated symbols.
    fn substituted(&mut self, pool: &mut TermPool, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            if let Some(&(value, _)) = self.definitions.get(&term) {
                match self.done.get(&value) {
                    Some(&result) => drop(self.done.insert(term, result)),
                    None => stack.push(value),
                }
                continue;
            }
            let before = stack.len();
            let is_missing = |argument: &&Term| !self.done.contains_key(argument);
            stack.extend(pool.arguments(term).iter().filter(is_missing));
            if stack.len() == before {
                let arguments: Vec<Term> =
                    pool.arguments(term).iter().map(|argument| self.done[argument]).collect();
                let rebuilt = pool.rebuild(term, &arguments);
                self.done.insert(term, rebuilt);
            }
        }
        self.done[&root]
    }

    /// The positions of assertions that imply formulas of the rest: those that the formulas come from,
    /// and those that define what was eliminated in them.
    pub(crate) fn sources(&self, pool: &TermPool, used: impl Iterator<Item = Rest>) -> BTreeSet<usize> {
        let mut sources = BTreeSet::new();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack = Vec::new();
        for Rest { origin, .. } in used {
            sources.insert(origin.assertion);
            stack.push(origin.conjunct);
        }
        if self.definitions.is_empty() {
            return sources;
        }
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            stack.extend_from_slice(pool.arguments(term));
            if let Some((_, origin)) = self.definitions.get(&term) {
                sources.insert(origin.assertion);
                stack.push(origin.conjunct);
            }
        }
        sources
    }

    /// Gives eliminated symbols their values in a model of the rest.
    pub(crate) fn extend(&mut self, pool: &mut TermPool, assignment: &mut Assignment) {
        let symbols = std::mem::take(&mut self.eliminated);
        let values: Vec<Term> = symbols.iter().map(|&symbol| self.substituted(pool, symbol)).collect();
        let mut evaluator = Evaluator::new(pool, assignment);
        let values: Vec<_> = values.into_iter().map(|value| evaluator.value(value).clone()).collect();
        for (symbol, value) in symbols.into_iter().zip(values) {
            let Op::Symbol(id) = *pool.op(symbol) else { unreachable!("only symbols are eliminated") };
            assignment.set(id, value);
        }
    }
}

fn conjuncts(pool: &TermPool, formula: Term) -> Vec<Term> {
    match pool.op(formula) {
        Op::And => pool.arguments(formula).to_vec(),
        Op::Bool(true) => Vec::new(),
        _ => vec![formula],
    }
}

/// A symbol and its value, if that is all that the formula says.
fn definition(pool: &mut TermPool, formula: Term) -> Option<(Term, Term)> {
    match pool.op(formula) {
        Op::Symbol(_) => Some((formula, pool.top())),
        Op::Not if is_eliminable(pool, pool.arguments(formula)[0]) => {
            Some((pool.arguments(formula)[0], pool.bottom()))
        }
        Op::Eq => {
            let (lhs, rhs) = (pool.arguments(formula)[0], pool.arguments(formula)[1]);
            // The younger of two symbols goes: it is the one that an assignment of a path defines.
            let sides =
                if lhs.index() > rhs.index() { [(lhs, rhs), (rhs, lhs)] } else { [(rhs, lhs), (lhs, rhs)] };
            let is_definition =
                |&(symbol, value): &(Term, Term)| is_eliminable(pool, symbol) && !occurs(pool, symbol, value);
            sides.into_iter().find(is_definition).or_else(|| solved(pool, lhs, rhs))
        }
        _ => None,
    }
}

/// An equation between sums, solved for a symbol that occurs once.
fn solved(pool: &mut TermPool, lhs: Term, rhs: Term) -> Option<(Term, Term)> {
    if *pool.op(lhs) != Op::BvAdd && *pool.op(rhs) != Op::BvAdd {
        return None;
    }
    let difference = pool.bv_sub(lhs, rhs);
    let mut stack = vec![difference];
    while let Some(term) = stack.pop() {
        if *pool.op(term) == Op::BvAdd {
            stack.extend_from_slice(pool.arguments(term));
            continue;
        }
        let minus = pool.bv_neg(term);
        let (symbol, value) = if is_eliminable(pool, term) {
            (term, pool.bv_sub(term, difference))
        } else if is_eliminable(pool, minus) {
            (minus, pool.bv_add(minus, difference))
        } else {
            continue;
        };
        if !occurs(pool, symbol, value) {
            return Some((symbol, value));
        }
    }
    None
}

/// Integers are not: that they are not supported is for others to say.
fn is_eliminable(pool: &TermPool, term: Term) -> bool {
    matches!(pool.op(term), Op::Symbol(_)) && pool.sort(term) != Sort::Int
}

fn occurs(pool: &TermPool, symbol: Term, term: Term) -> bool {
    let mut seen = [term].into_iter().collect::<FxHashSet<Term>>();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if term == symbol {
            return true;
        }
        stack.extend(pool.arguments(term).iter().filter(|&&argument| seen.insert(argument)));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(pool: &mut TermPool, name: &str) -> Term {
        pool.symbol(name, Sort::BitVec(32))
    }

    #[test]
    fn a_path_of_assignments_is_decided_without_clauses() {
        let mut pool = TermPool::new();
        let [x0, x1, x2, y] = ["x0", "x1", "x2", "y"].map(|name| vector(&mut pool, name));
        let one = pool.bv(1u8, 32);
        let (first, second) = (pool.bv_add(x0, one), pool.bv_add(x1, one));
        let parts = [pool.eq(x0, y), pool.eq(x1, first), pool.eq(x2, second), pool.eq(x2, y)];
        let reduction = Reduction::of(&mut pool, &parts);
        let [rest] = reduction.rest() else { panic!("{reduction:?}") };
        assert_eq!(pool.as_bool(rest.formula), Some(false));
        let sources = reduction.sources(&pool, reduction.rest().iter().copied());
        assert_eq!(sources.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3]);
    }

    #[test]
    fn definitions_that_come_after_their_uses_are_found() {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| vector(&mut pool, name));
        let (one, seven) = (pool.bv(1u8, 32), pool.bv(7u8, 32));
        let next = pool.bv_add(y, one);
        let parts = [pool.bv_slt(z, x), pool.eq(x, next), pool.eq(y, seven)];
        let mut reduction = Reduction::of(&mut pool, &parts);
        let [rest] = reduction.rest() else { panic!("{reduction:?}") };
        let eight = pool.bv(8u8, 32);
        assert_eq!(rest.formula, pool.bv_slt(z, eight));
        let mut assignment = Assignment::new();
        reduction.extend(&mut pool, &mut assignment);
        assert!(parts[1..].iter().all(|&part| pool.evaluate(part, &assignment).bool()));
    }

    #[test]
    fn equations_between_sums_are_solved() {
        let mut pool = TermPool::new();
        let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| vector(&mut pool, name));
        let (one, other) = (pool.bv_add(x, y), pool.bv_add(z, w));
        let two = pool.bv(2u8, 32);
        let (twice_one, twice_other) = (pool.bv_mul(two, one), pool.bv_mul(two, other));
        let parts = [pool.eq(one, other), pool.ne(twice_one, twice_other)];
        let reduction = Reduction::of(&mut pool, &parts);
        let [rest] = reduction.rest() else { panic!("{reduction:?}") };
        assert_eq!(pool.as_bool(rest.formula), Some(false));
    }

    #[test]
    fn definitions_that_appear_together_are_made_one_by_one() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| vector(&mut pool, name));
        let flag = pool.symbol("flag", Sort::Bool);
        let one = pool.bv(1u8, 32);
        let (next, last) = (pool.bv_add(y, one), pool.bv_add(x, one));
        let both = [pool.eq(x, next), pool.eq(y, last)];
        let both = pool.and(&both);
        let parts = [flag, pool.implies(flag, both)];
        let reduction = Reduction::of(&mut pool, &parts);
        let [rest] = reduction.rest() else { panic!("{reduction:?}") };
        assert_eq!(pool.as_bool(rest.formula), Some(false));
    }

    #[test]
    fn a_symbol_in_its_own_value_stays() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| vector(&mut pool, name));
        let product = pool.bv_mul(x, y);
        let parts = [pool.eq(x, product)];
        let reduction = Reduction::of(&mut pool, &parts);
        assert_eq!(reduction.rest().len(), 1);
        assert_eq!(reduction.rest()[0].formula, parts[0]);
    }
}
