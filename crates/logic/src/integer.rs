//! Constructors of integers: linear terms only.
//!
//! A sum is flat: multiples of different terms in ascending order, then a constant unless it is zero.
//! A factor of one is left out.

use std::collections::BTreeMap;

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

    /// The constant and the factors of a sum of multiples. No factor is zero.
    fn int_linear(&self, terms: &[(IBig, Term)]) -> (IBig, BTreeMap<Term, IBig>) {
        let mut constant = IBig::ZERO;
        let mut multiples: BTreeMap<Term, IBig> = BTreeMap::new();
        let mut stack = terms.to_vec();
        while let Some((factor, term)) = stack.pop() {
            match self.op(term) {
                Op::Int(value) => constant += value * factor,
                Op::IntAdd => stack.extend(self.arguments(term).iter().map(|&part| (factor.clone(), part))),
                Op::IntScale(inner) => stack.push((inner * factor, self.arguments(term)[0])),
                _ => *multiples.entry(term).or_insert(IBig::ZERO) += factor,
            }
        }
        multiples.retain(|_, factor| !factor.is_zero());
        (constant, multiples)
    }

    /// `lhs - rhs`, if it is a constant.
    pub(crate) fn int_distance(&self, lhs: Term, rhs: Term) -> Option<IBig> {
        let (constant, multiples) = self.int_linear(&[(IBig::ONE, lhs), (IBig::NEG_ONE, rhs)]);
        multiples.is_empty().then_some(constant)
    }

    /// The sum; zero without arguments.
    pub fn int_add(&mut self, terms: &[Term]) -> Term {
        let terms: Vec<(IBig, Term)> = terms.iter().map(|&term| (IBig::ONE, term)).collect();
        self.int_sum(&terms)
    }

    /// A multiple.
    pub fn int_scale(&mut self, factor: impl Into<IBig>, term: Term) -> Term {
        self.int_sum(&[(factor.into(), term)])
    }

    fn int_sum(&mut self, terms: &[(IBig, Term)]) -> Term {
        let (constant, multiples) = self.int_linear(terms);
        let mut summands = Vec::with_capacity(multiples.len() + 1);
        for (term, factor) in multiples {
            summands.push(if factor == IBig::ONE {
                term
            } else {
                self.intern(Op::IntScale(factor), &[term], Sort::Int)
            });
        }
        if !constant.is_zero() || summands.is_empty() {
            summands.push(self.int(constant));
        }
        match summands.as_slice() {
            [one] => *one,
            _ => self.intern(Op::IntAdd, &summands, Sort::Int),
        }
    }

    /// `lhs <= rhs`
    pub fn int_le(&mut self, lhs: Term, rhs: Term) -> Term {
        if let Some(distance) = self.int_distance(lhs, rhs) {
            return self.bool(distance <= IBig::ZERO);
        }
        self.intern(Op::IntLe, &[lhs, rhs], Sort::Bool)
    }

    /// `lhs < rhs`
    pub fn int_lt(&mut self, lhs: Term, rhs: Term) -> Term {
        let at_most = self.int_le(rhs, lhs);
        self.not(at_most)
    }

    /// The difference.
    pub fn int_sub(&mut self, lhs: Term, rhs: Term) -> Term {
        let negated = self.int_scale(-1, rhs);
        self.int_add(&[lhs, negated])
    }
}
