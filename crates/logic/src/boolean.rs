//! Constructors of Boolean terms, and of equality and `ite` for all sorts.
//!
//! Conjunctions and disjunctions are flat, sorted and without duplicates. A negation never stands
//! before a constant, a negation or a comparison of bit-vectors, nor inside of an equivalence.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;

/// Absorption looks into disjunctions and conjunctions of at most this many parts, so that
/// a conjunction of long clauses is built in linear time.
const ABSORBED_PARTS: usize = 32;

/// Conditions of choices are joined up to so many parts.
const JOINED_PARTS: usize = 32;

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
        let occurs = |term: Term| arguments.binary_search(&term).is_ok();
        if arguments.iter().any(|&term| self.known_negation(term).is_some_and(occurs)) {
            return self.bool(!neutral);
        }
        if let Some(reduced) = self.absorbed(&arguments, op, neutral) {
            return self.lattice(&reduced, op, neutral);
        }
        match arguments.as_slice() {
            [] => self.bool(neutral),
            [one] => *one,
            _ => self.intern(op.clone(), &arguments, Sort::Bool),
        }
    }

    /// Simplifies disjunctions under a conjunction by its other arguments, and the other way around:
    /// `x && (x || y)` is `x`, and `x && (!x || y)` is `x && y`. What is left over as a single part
    /// simplifies in turn, so this is unit propagation, in time linear in the parts. Answers `None`
    /// if nothing changes.
    fn absorbed(&mut self, arguments: &[Term], op: &Op, neutral: bool) -> Option<Vec<Term>> {
        let dual = if *op == Op::And { Op::Or } else { Op::And };
        if !arguments.iter().any(|&argument| self.is_clause(argument, &dual)) {
            return None;
        }
        let mut units: Vec<Term> = Vec::new();
        let mut is_unit: FxHashSet<Term> = FxHashSet::default();
        let mut clauses: Vec<Vec<Term>> = Vec::new();
        let mut occurrences: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
        let mut new: Vec<Term> = arguments.iter().rev().copied().collect();
        let (mut at, mut is_reduced) = (0, false);
        loop {
            while let Some(term) = new.pop() {
                if self.op(term) == op {
                    new.extend_from_slice(self.arguments(term));
                } else if self.is_clause(term, &dual) {
                    let before = self.arguments(term);
                    if before.iter().any(|part| is_unit.contains(part)) {
                        is_reduced = true;
                        continue;
                    }
                    let is_refuted = |part: Term| {
                        self.known_negation(part).is_some_and(|negation| is_unit.contains(&negation))
                    };
                    let parts: Vec<Term> = before.iter().copied().filter(|&part| !is_refuted(part)).collect();
                    is_reduced |= parts.len() < before.len();
                    match parts[..] {
                        [] => new.push(self.bool(!neutral)),
                        [last] => new.push(last),
                        _ => {
                            for &part in &parts {
                                occurrences.entry(part).or_default().push(clauses.len());
                            }
                            clauses.push(parts);
                        }
                    }
                } else if is_unit.insert(term) {
                    units.push(term);
                }
            }
            let Some(&unit) = units.get(at) else { break };
            at += 1;
            for &clause in occurrences.get(&unit).into_iter().flatten() {
                is_reduced |= !clauses[clause].is_empty();
                clauses[clause].clear();
            }
            let negation = self.known_negation(unit);
            for &clause in negation.and_then(|negation| occurrences.get(&negation)).into_iter().flatten() {
                let parts = &mut clauses[clause];
                let before = parts.len();
                parts.retain(|&part| Some(part) != negation);
                is_reduced |= parts.len() < before;
                if let [last] = parts[..] {
                    parts.clear();
                    new.push(last);
                }
            }
        }
        if !is_reduced {
            return None;
        }
        for parts in clauses.into_iter().filter(|parts| !parts.is_empty()) {
            units.push(self.lattice(&parts, &dual, !neutral));
        }
        Some(units)
    }

    fn is_clause(&self, term: Term, dual: &Op) -> bool {
        self.op(term) == dual && self.arguments(term).len() <= ABSORBED_PARTS
    }

    /// The negation, if the pool has it; nothing is added to the pool.
    fn known_negation(&self, term: Term) -> Option<Term> {
        let arguments = self.arguments(term);
        let flipped = |op: Op| self.find(op, &[arguments[1], arguments[0]], Sort::Bool);
        match self.op(term) {
            Op::Bool(value) => self.find(Op::Bool(!value), &[], Sort::Bool),
            Op::Not => Some(arguments[0]),
            Op::BvUlt => flipped(Op::BvUle),
            Op::BvUle => flipped(Op::BvUlt),
            Op::BvSlt => flipped(Op::BvSle),
            Op::BvSle => flipped(Op::BvSlt),
            _ => self.find(Op::Not, &[term], Sort::Bool),
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
        if self.sort(lhs) == Sort::Int
            && let Some(distance) = self.int_distance(lhs, rhs)
        {
            return self.bool(distance.is_zero());
        }
        if let Some(simpler) = self.eq_rewritten(lhs, rhs).or_else(|| self.eq_rewritten(rhs, lhs)) {
            return simpler;
        }
        if let Some(simpler) = self.eq_narrowed(lhs, rhs) {
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
            _ if self.known_negation(lhs) == Some(rhs) => self.bottom(),
            _ if *self.op(lhs) == Op::Not => self.iff_of_negation(lhs, rhs),
            _ if *self.op(rhs) == Op::Not => self.iff_of_negation(rhs, lhs),
            _ => self.intern(Op::Eq, &[lhs.min(rhs), lhs.max(rhs)], Sort::Bool),
        }
    }

    /// Negations go outside, where two of them cancel.
    fn iff_of_negation(&mut self, negation: Term, other: Term) -> Term {
        let of = self.arguments(negation)[0];
        let equal = self.eq(of, other);
        self.not(equal)
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
        if let Some(simpler) = self.merged_ite(condition, then, otherwise) {
            return simpler;
        }
        let sort = self.sort(then);
        self.intern(Op::Ite, &[condition, then, otherwise], sort)
    }

    /// Branches that choose by the same condition, or between the same terms.
    fn merged_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        let choice = |pool: &TermPool, term: Term| match (pool.op(term), pool.arguments(term)) {
            (Op::Ite, &[condition, then, otherwise]) => Some((condition, then, otherwise)),
            _ => None,
        };
        if let Some((inner, inner_then, inner_otherwise)) = choice(self, then) {
            if inner == condition {
                return Some(self.ite(condition, inner_then, otherwise));
            }
            if inner_otherwise == otherwise && self.is_short(inner) {
                let both = self.and2(condition, inner);
                return Some(self.ite(both, inner_then, otherwise));
            }
        }
        if let Some((inner, inner_then, inner_otherwise)) = choice(self, otherwise) {
            if inner == condition {
                return Some(self.ite(condition, then, inner_otherwise));
            }
            if inner_then == then && self.is_short(inner) {
                let either = self.or2(condition, inner);
                return Some(self.ite(either, then, inner_otherwise));
            }
        }
        None
    }

    /// Whether a condition can be joined with another one. Long ones would be sorted again each time.
    fn is_short(&self, condition: Term) -> bool {
        self.arguments(condition).len() <= JOINED_PARTS
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
            _ if then == condition => self.or2(condition, otherwise),
            _ if otherwise == condition => self.and2(condition, then),
            _ => self.boolean_choice(condition, then, otherwise),
        }
    }

    fn boolean_choice(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let negated = self.known_negation(condition);
        if negated == Some(then) {
            return self.and2(then, otherwise);
        }
        if negated == Some(otherwise) {
            return self.or2(otherwise, then);
        }
        if self.known_negation(then) == Some(otherwise) {
            return self.eq(condition, then);
        }
        if let Some(simpler) = self.merged_ite(condition, then, otherwise) {
            return simpler;
        }
        self.intern(Op::Ite, &[condition, then, otherwise], Sort::Bool)
    }
}
