//! Π: which predicates are tracked where.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_cfa::FunctionId;
use rorqual_encoding::{Encoding, Point};
use rorqual_inference::{atoms_of, is_live};
use rorqual_logic::{Bits, Op, Term};

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
    pub(super) fn add_interpolant(&mut self, encoding: &mut Encoding<'_>, point: Point, interpolant: Term) {
        let scope = match self.locality {
            Locality::Location => Scope::Point(point),
            Locality::Function => Scope::Function(encoding.function(point.context)),
            Locality::Global => Scope::Program,
        };
        let conjuncts = match encoding.pool.op(interpolant) {
            Op::And => encoding.pool.arguments(interpolant).to_vec(),
            _ => vec![interpolant],
        };
        for conjunct in conjuncts {
            self.add(encoding, scope, conjunct);
        }
    }

    /// Tracks a predicate. A predicate and its negation are the same one.
    pub(super) fn add(&mut self, encoding: &mut Encoding<'_>, scope: Scope, formula: Term) {
        let formula = with_few_bounds(encoding, formula);
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

    /// How many different predicates there are.
    pub(super) fn len(&self) -> usize {
        self.predicates.values().flatten().collect::<BTreeSet<_>>().len()
    }

    /// All scopes with their predicates.
    pub(super) fn all(&self) -> impl Iterator<Item = (Scope, &[Term])> {
        self.predicates.iter().map(|(&scope, predicates)| (scope, predicates.as_slice()))
    }
}

/// The same formula, in which `c < x` is written `!(x < c + 1)`: a bound is one predicate, whatever side it was seen from.
fn with_few_bounds(encoding: &mut Encoding<'_>, formula: Term) -> Term {
    let mut same = HashMap::new();
    for atom in atoms_of(encoding, &[formula]) {
        let pool = &mut encoding.pool;
        let (op, arguments) = (pool.op(atom).clone(), pool.arguments(atom).to_vec());
        let &[low, high] = arguments.as_slice() else { continue };
        let Some(bits) = pool.as_bits(low).cloned() else { continue };
        let width = bits.width();
        let next = bits.add(&Bits::new(1u8, width));
        let wraps = if op == Op::BvSlt { next.signed() < bits.signed() } else { next.is_zero() };
        if wraps || !matches!(op, Op::BvSlt | Op::BvUlt) {
            continue;
        }
        let next = pool.bits(next);
        let other = if op == Op::BvSlt { pool.bv_slt(high, next) } else { pool.bv_ult(high, next) };
        same.insert(atom, pool.not(other));
    }
    encoding.pool.substitute(formula, &same)
}
