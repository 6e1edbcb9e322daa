//! Π: which predicates are tracked where.

use std::collections::BTreeMap;

use rorqual_cfa::FunctionId;
use rorqual_encoding::{Encoding, Point};
use rorqual_inference::is_live;
use rorqual_logic::{Op, Term};

use super::config::Locality;

/// Where a predicate is tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope {
    /// At one point.
    Point(Point),
    /// At all points of a function.
    Function(FunctionId),
    /// Everywhere.
    Program,
}

/// The predicates of each scope, in the order in which they were found.
#[derive(Debug)]
pub(super) struct Precision {
    locality: Locality,
    predicates: BTreeMap<Scope, Vec<Term>>,
}

impl Precision {
    pub(super) fn new(locality: Locality) -> Precision {
        Precision { locality, predicates: BTreeMap::new() }
    }

    /// Tracks the conjuncts of an interpolant at a point, and wherever else predicates of that point are tracked.
    pub(super) fn add_interpolant(&mut self, encoding: &Encoding<'_>, point: Point, interpolant: Term) {
        let scope = match self.locality {
            Locality::Location => Scope::Point(point),
            Locality::Function => Scope::Function(encoding.function(point.context)),
            Locality::Global => Scope::Program,
        };
        match encoding.pool.op(interpolant) {
            Op::And => {
                for &conjunct in encoding.pool.arguments(interpolant) {
                    self.add(encoding, scope, conjunct);
                }
            }
            _ => self.add(encoding, scope, interpolant),
        }
    }

    /// Tracks a predicate. A predicate and its negation are the same one.
    pub(super) fn add(&mut self, encoding: &Encoding<'_>, scope: Scope, formula: Term) {
        let predicate = match encoding.pool.op(formula) {
            Op::Not => encoding.pool.arguments(formula)[0],
            Op::Bool(_) => return,
            _ => formula,
        };
        let known = self.predicates.entry(scope).or_default();
        if !known.contains(&predicate) {
            known.push(predicate);
        }
    }

    /// The predicates that are tracked at a point.
    pub(super) fn at(&self, encoding: &Encoding<'_>, point: Point) -> Vec<Term> {
        let scopes = [Scope::Point(point), Scope::Function(encoding.function(point.context)), Scope::Program];
        let mut found: Vec<Term> = Vec::new();
        for &predicate in scopes.iter().filter_map(|scope| self.predicates.get(scope)).flatten() {
            if !found.contains(&predicate) && is_live(encoding, point, predicate) {
                found.push(predicate);
            }
        }
        found
    }
}
