//! Walks over terms: subterms, free symbols, sizes, substitution, rebuilding. All of them are
//! iterative, because terms of long paths are deeper than the call stack.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::pool::{Op, SymbolId, Term, TermPool};
use crate::sort::Sort;

impl TermPool {
    /// All different subterms of the roots, arguments before the terms that use them.
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut order = Vec::new();
        let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((term, expanded)) = stack.pop() {
            if expanded {
                order.push(term);
            } else if seen.insert(term) {
                stack.push((term, true));
                stack.extend(self.arguments(term).iter().rev().map(|&argument| (argument, false)));
            }
        }
        order
    }

    /// How many different subterms there are.
    pub fn dag_size(&self, root: Term) -> usize {
        self.subterms(&[root]).len()
    }

    /// Whether there are more different subterms than `limit`; looks at no more than that.
    pub fn is_larger_than(&self, root: Term, limit: usize) -> bool {
        let mut seen: FxHashSet<Term> = [root].into_iter().collect();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if seen.len() > limit {
                return true;
            }
            stack.extend(self.arguments(term).iter().filter(|&&argument| seen.insert(argument)));
        }
        seen.len() > limit
    }

    /// The variables that occur.
    pub fn free_symbols(&self, root: Term) -> BTreeSet<SymbolId> {
        let symbols = self.subterms(&[root]).into_iter().filter_map(|term| match self.op(term) {
            Op::Symbol(symbol) => Some(*symbol),
            _ => None,
        });
        symbols.collect()
    }

    /// The terms of the variables that occur, sorted.
    pub fn free_variables(&self, root: Term) -> BTreeSet<Term> {
        let is_symbol = |term: &Term| matches!(self.op(*term), Op::Symbol(_));
        self.subterms(&[root]).into_iter().filter(is_symbol).collect()
    }

    /// The term with subterms replaced, all at once. The replacements themselves are not searched.
    pub fn substitute(&mut self, root: Term, replacements: &HashMap<Term, Term>) -> Term {
        let unbounded = self.bounded_substitute(root, replacements, usize::MAX);
        unbounded.unwrap_or_else(|| unreachable!("no pool outgrows the address space"))
    }

    /// As [`substitute`](Self::substitute), but gives up once the pool has more than `max_new_terms`
    /// new terms. Those made until then stay in the pool; nothing refers to them.
    pub fn bounded_substitute(
        &mut self,
        root: Term,
        replacements: &HashMap<Term, Term>,
        max_new_terms: usize,
    ) -> Option<Term> {
        let limit = self.len().saturating_add(max_new_terms);
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            if let Some(&replacement) = replacements.get(&term) {
                done.insert(term, replacement);
            } else if expanded {
                let arguments: Vec<Term> =
                    self.arguments(term).iter().map(|argument| done[argument]).collect();
                let rebuilt = self.rebuild(term, &arguments);
                if self.len() > limit {
                    return None;
                }
                done.insert(term, rebuilt);
            } else {
                stack.push((term, true));
                stack.extend(self.arguments(term).iter().map(|&argument| (argument, false)));
            }
        }
        Some(done[&root])
    }

    /// The operation of `term` on other arguments, simplified.
    pub fn rebuild(&mut self, term: Term, arguments: &[Term]) -> Term {
        if self.arguments(term) == arguments {
            return term;
        }
        let (op, sort) = (self.op(term).clone(), self.sort(term));
        self.make(op, sort, arguments)
    }

    /// Copies of terms of another pool, simplified as terms of this one. Symbols and functions keep their names.
    pub fn import(&mut self, other: &TermPool, roots: &[Term]) -> Vec<Term> {
        let mut copies: FxHashMap<Term, Term> = FxHashMap::default();
        for term in other.subterms(roots) {
            let arguments: Vec<Term> =
                other.arguments(term).iter().map(|argument| copies[argument]).collect();
            let sort = other.sort(term);
            let copy = match other.op(term) {
                Op::Symbol(symbol) => self.symbol(other.symbol_name(*symbol), sort),
                Op::Apply(function) => {
                    let (name, parameters, result) = other.signature(*function);
                    let function = self.function(name, parameters, result);
                    self.apply(function, &arguments)
                }
                op => self.make(op.clone(), sort, &arguments),
            };
            copies.insert(term, copy);
        }
        roots.iter().map(|root| copies[root]).collect()
    }

    /// An operation on arguments, simplified.
    fn make(&mut self, op: Op, sort: Sort, arguments: &[Term]) -> Term {
        let width = sort.width().unwrap_or(0);
        match (op, arguments) {
            (Op::Bool(value), []) => self.bool(value),
            (Op::Bits(bits), []) => self.bits(bits),
            (Op::Int(number), []) => self.int(number),
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(arguments),
            (Op::Or, _) => self.or(arguments),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[a, b, c]) => self.ite(a, b, c),
            (Op::BvNot, &[a]) => self.bv_not(a),
            (Op::BvNeg, &[a]) => self.bv_neg(a),
            (Op::BvAdd, &[a, b]) => self.bv_add(a, b),
            (Op::BvMul, &[a, b]) => self.bv_mul(a, b),
            (Op::BvUdiv, &[a, b]) => self.bv_udiv(a, b),
            (Op::BvUrem, &[a, b]) => self.bv_urem(a, b),
            (Op::BvSdiv, &[a, b]) => self.bv_sdiv(a, b),
            (Op::BvSrem, &[a, b]) => self.bv_srem(a, b),
            (Op::BvShl, &[a, b]) => self.bv_shl(a, b),
            (Op::BvLshr, &[a, b]) => self.bv_lshr(a, b),
            (Op::BvAshr, &[a, b]) => self.bv_ashr(a, b),
            (Op::BvAnd, &[a, b]) => self.bv_and(a, b),
            (Op::BvOr, &[a, b]) => self.bv_or(a, b),
            (Op::BvXor, &[a, b]) => self.bv_xor(a, b),
            (Op::Concat, &[a, b]) => self.bv_concat(a, b),
            (Op::Extract { high, low }, &[a]) => self.bv_extract(a, high, low),
            (Op::ZeroExtend, &[a]) => self.bv_zero_extend(a, width),
            (Op::SignExtend, &[a]) => self.bv_sign_extend(a, width),
            (Op::BvUlt, &[a, b]) => self.bv_ult(a, b),
            (Op::BvUle, &[a, b]) => self.bv_ule(a, b),
            (Op::BvSlt, &[a, b]) => self.bv_slt(a, b),
            (Op::BvSle, &[a, b]) => self.bv_sle(a, b),
            (Op::Select, &[a, b]) => self.select(a, b),
            (Op::Store, &[a, b, c]) => self.store(a, b, c),
            (Op::ConstArray, &[a]) => match sort {
                Sort::Array { index, .. } => self.const_array(index, a),
                _ => unreachable!("constant arrays are arrays"),
            },
            (Op::Apply(function), _) => self.apply(function, arguments),
            (Op::IntAdd, _) => self.int_add(arguments),
            (Op::IntScale(factor), &[a]) => self.int_scale(factor, a),
            (Op::IntLe, &[a, b]) => self.int_le(a, b),
            (op, _) => unreachable!("{op:?} does not take {} arguments", arguments.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x_0 = x`, `x_{n+1} = x_n * f(x_n)`: a tree of 2^n leaves.
    fn tower(pool: &mut TermPool, base: Term, height: usize) -> Term {
        let f = pool.function("f", &[Sort::BitVec(32)], Sort::BitVec(32));
        let step = |term, _| {
            let called = pool.apply(f, &[term]);
            pool.bv_mul(term, called)
        };
        (0..height).fold(base, step)
    }

    #[test]
    fn substitution_is_linear_in_the_dag() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(32)));
        let (of_x, of_y) = (tower(&mut pool, x, 1000), tower(&mut pool, y, 1000));
        assert_eq!(pool.dag_size(of_x), 2001);
        assert!(pool.is_larger_than(of_x, 2000) && !pool.is_larger_than(of_x, 2001));
        assert_eq!(pool.substitute(of_x, &HashMap::from([(x, y)])), of_y);
    }

    #[test]
    fn bounded_substitution_gives_up() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(32)));
        let of_x = tower(&mut pool, x, 100);
        let replacements = HashMap::from([(x, y)]);
        let before = pool.len();
        assert_eq!(pool.bounded_substitute(of_x, &replacements, 50), None);
        assert!(pool.len() <= before + 52, "it stops soon after the limit");
        let of_y = pool.bounded_substitute(of_x, &replacements, 200);
        assert!(of_y.is_some_and(|of_y| pool.free_variables(of_y).into_iter().eq([y])));
    }

    #[test]
    fn imported_terms_mean_the_same() {
        let (mut pool, mut other) = (TermPool::new(), TermPool::new());
        let make = |pool: &mut TermPool| {
            let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(32)));
            let (tower, seven) = (tower(pool, x, 3), pool.bv(7u8, 32));
            let (less, equal) = (pool.bv_ult(tower, y), pool.eq(y, seven));
            pool.and2(less, equal)
        };
        // Other numbers for the same terms.
        other.symbol("y", Sort::BitVec(32));
        let (own, foreign) = (make(&mut pool), make(&mut other));
        assert_eq!(pool.import(&other, &[foreign, foreign]), [own, own]);
    }

    #[test]
    fn replacements_happen_at_once() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(32)));
        let (forth, back) = (pool.bv_udiv(x, y), pool.bv_udiv(y, x));
        assert_eq!(pool.substitute(forth, &HashMap::from([(x, y), (y, x)])), back);
    }
}
