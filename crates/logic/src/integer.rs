//! Constructors of integers: linear terms only.

use dashu::integer::IBig;

use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;

impl TermPool {
    /// A constant.
    pub fn int(&mut self, value: impl Into<IBig>) -> Term {
        self.intern(Op::Int(value.into()), &[], Sort::Int)
    }

    /// The value of an integer constant.
    pub fn as_int(&self, term: Term) -> Option<&IBig> {
        match self.op(term) {
            Op::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The sum; zero without arguments.
    pub fn int_add(&mut self, terms: &[Term]) -> Term {
        let mut constant = IBig::ZERO;
        let mut rest = Vec::with_capacity(terms.len());
        for &term in terms {
            let summands =
                if *self.op(term) == Op::IntAdd { self.arguments(term).to_vec() } else { vec![term] };
            for summand in summands {
                match self.as_int(summand) {
                    Some(value) => constant += value,
                    None => rest.push(summand),
                }
            }
        }
        rest.sort_unstable();
        if !constant.is_zero() || rest.is_empty() {
            let constant = self.int(constant);
            rest.push(constant);
        }
        match rest.as_slice() {
            [one] => *one,
            _ => self.intern(Op::IntAdd, &rest, Sort::Int),
        }
    }

    /// A multiple.
    pub fn int_scale(&mut self, factor: impl Into<IBig>, term: Term) -> Term {
        let factor = factor.into();
        if let Some(value) = self.as_int(term) {
            let value = value * &factor;
            return self.int(value);
        }
        if factor.is_zero() {
            return self.int(0);
        }
        if factor == IBig::ONE {
            return term;
        }
        if let Op::IntScale(inner) = self.op(term) {
            let (product, of) = (inner * &factor, self.arguments(term)[0]);
            return self.int_scale(product, of);
        }
        self.intern(Op::IntScale(factor), &[term], Sort::Int)
    }

    /// `lhs <= rhs`
    pub fn int_le(&mut self, lhs: Term, rhs: Term) -> Term {
        if let (Some(lhs), Some(rhs)) = (self.as_int(lhs), self.as_int(rhs)) {
            let value = lhs <= rhs;
            return self.bool(value);
        }
        if lhs == rhs {
            return self.top();
        }
        self.intern(Op::IntLe, &[lhs, rhs], Sort::Bool)
    }
}
