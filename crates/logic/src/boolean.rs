//! Constructors of Boolean terms, and of equality and `ite` for all sorts.

use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;

impl TermPool {
    /// A Boolean constant.
    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Op::Bool(value), &[], Sort::Bool)
    }

    /// Truth.
    pub fn top(&mut self) -> Term {
        self.bool(true)
    }

    /// Falsity.
    pub fn bottom(&mut self) -> Term {
        self.bool(false)
    }

    /// Negation.
    pub fn not(&mut self, term: Term) -> Term {
        match self.op(term) {
            Op::Bool(value) => {
                let value = !value;
                self.bool(value)
            }
            Op::Not => self.arguments(term)[0],
            // Orders are total, so that no negated comparison is ever needed.
            Op::BvUlt => self.flipped(term, Op::BvUle),
            Op::BvUle => self.flipped(term, Op::BvUlt),
            Op::BvSlt => self.flipped(term, Op::BvSle),
            Op::BvSle => self.flipped(term, Op::BvSlt),
            _ => self.intern(Op::Not, &[term], Sort::Bool),
        }
    }

    fn flipped(&mut self, comparison: Term, op: Op) -> Term {
        let (lhs, rhs) = (self.arguments(comparison)[0], self.arguments(comparison)[1]);
        self.intern(op, &[rhs, lhs], Sort::Bool)
    }

    /// Conjunction; true without arguments.
    pub fn and(&mut self, terms: &[Term]) -> Term {
        self.lattice(terms, &Op::And, true)
    }

    /// Disjunction; false without arguments.
    pub fn or(&mut self, terms: &[Term]) -> Term {
        self.lattice(terms, &Op::Or, false)
    }

    /// Conjunction of two.
    pub fn and2(&mut self, lhs: Term, rhs: Term) -> Term {
        self.and(&[lhs, rhs])
    }

    /// Disjunction of two.
    pub fn or2(&mut self, lhs: Term, rhs: Term) -> Term {
        self.or(&[lhs, rhs])
    }

    /// `lhs => rhs`
    pub fn implies(&mut self, lhs: Term, rhs: Term) -> Term {
        let lhs = self.not(lhs);
        self.or2(lhs, rhs)
    }

    /// Flattens, sorts, and drops duplicates and the neutral element; complementary arguments and
    /// the absorbing element decide.
    fn lattice(&mut self, terms: &[Term], op: &Op, neutral: bool) -> Term {
        let mut arguments = Vec::with_capacity(terms.len());
        for &term in terms {
            if self.op(term) == op {
                arguments.extend_from_slice(self.arguments(term));
            } else {
                arguments.push(term);
            }
        }
        arguments.retain(|&term| self.as_bool(term) != Some(neutral));
        arguments.sort_unstable();
        arguments.dedup();
        let absorbs = |pool: &TermPool, term: Term| pool.as_bool(term) == Some(!neutral);
        if arguments.iter().any(|&term| absorbs(self, term)) {
            return self.bool(!neutral);
        }
        for at in 0..arguments.len() {
            let negated = self.not(arguments[at]);
            if arguments.binary_search(&negated).is_ok() {
                return self.bool(!neutral);
            }
        }
        match arguments.as_slice() {
            [] => self.bool(neutral),
            [one] => *one,
            _ => self.intern(op.clone(), &arguments, Sort::Bool),
        }
    }

    /// Equality; for Booleans, equivalence.
    ///
    /// # Panics
    /// If the sorts differ.
    pub fn eq(&mut self, lhs: Term, rhs: Term) -> Term {
        assert_eq!(self.sort(lhs), self.sort(rhs), "only terms of one sort can be equal");
        if lhs == rhs {
            return self.top();
        }
        if self.sort(lhs) == Sort::Bool {
            return self.iff(lhs, rhs);
        }
        if self.is_value(lhs) && self.is_value(rhs) {
            return self.bottom();
        }
        if let Some(simpler) = self.eq_rewritten(lhs, rhs).or_else(|| self.eq_rewritten(rhs, lhs)) {
            return simpler;
        }
        self.intern(Op::Eq, &[lhs.min(rhs), lhs.max(rhs)], Sort::Bool)
    }

    /// Whether the term is a constant that differs from every other constant of its sort.
    pub fn is_value(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Bool(_) | Op::Bits(_) | Op::Int(_))
    }

    fn iff(&mut self, lhs: Term, rhs: Term) -> Term {
        match (self.as_bool(lhs), self.as_bool(rhs)) {
            (Some(true), _) => rhs,
            (_, Some(true)) => lhs,
            (Some(false), _) => self.not(rhs),
            (_, Some(false)) => self.not(lhs),
            _ if self.not(lhs) == rhs => self.bottom(),
            _ => self.intern(Op::Eq, &[lhs.min(rhs), lhs.max(rhs)], Sort::Bool),
        }
    }

    /// Inequality.
    pub fn ne(&mut self, lhs: Term, rhs: Term) -> Term {
        let equal = self.eq(lhs, rhs);
        self.not(equal)
    }

    /// `condition ? then : otherwise`
    ///
    /// # Panics
    /// If the condition is not Boolean or the branches differ in sort.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        assert_eq!(self.sort(condition), Sort::Bool, "conditions are Boolean");
        assert_eq!(self.sort(then), self.sort(otherwise), "both branches have one sort");
        if let Some(value) = self.as_bool(condition) {
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if *self.op(condition) == Op::Not {
            let condition = self.arguments(condition)[0];
            return self.ite(condition, otherwise, then);
        }
        if self.sort(then) == Sort::Bool {
            return self.boolean_ite(condition, then, otherwise);
        }
        let sort = self.sort(then);
        self.intern(Op::Ite, &[condition, then, otherwise], sort)
    }

    fn boolean_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        match (self.as_bool(then), self.as_bool(otherwise)) {
            (Some(true), _) => self.or2(condition, otherwise),
            (Some(false), _) => {
                let negated = self.not(condition);
                self.and2(negated, otherwise)
            }
            (_, Some(true)) => self.implies(condition, then),
            (_, Some(false)) => self.and2(condition, then),
            _ => self.intern(Op::Ite, &[condition, then, otherwise], Sort::Bool),
        }
    }
}
