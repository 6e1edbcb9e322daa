//! Ranges of indices: up to a counter of a loop, from it on, and as far as the loop goes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Point};
use rorqual_logic::{Op, Term, TermPool};

use super::indices::{indices, symbol};
use super::subjects::unextended;
use super::variables::Variables;
use super::{Budget, has_arrays, is_plain, leaves};
use crate::Budgets;
use crate::candidates::atoms::numbers;
use crate::candidates::linear;
use crate::facts::is_live;
use crate::formulas::{is_comparison, of_blocks};
use crate::samples::Samples;

/// What ranges of indices are made of.
pub(crate) struct Ranges {
    /// The variables that indices are computed from.
    pub(crate) all_counters: BTreeSet<Term>,
    /// Equations about counters: those that random executions keep, and what steps say.
    pub(crate) equations: BTreeSet<Term>,
    /// The counters that loops change, at the points of each.
    counters: BTreeMap<Point, BTreeSet<Term>>,
    /// Constants other than zero that counters start with.
    starts: BTreeSet<Term>,
    /// What counters are compared with.
    ends: BTreeSet<Term>,
    /// Further conditions on an index symbol: that it is one of the indices that a loop goes through.
    residues: BTreeSet<Term>,
    budget: Budget,
}

impl Ranges {
    pub(crate) fn new(
        encoding: &mut Encoding<'_>,
        points: &[Point],
        variables: &Variables,
        samples: &Samples,
        budgets: &Budgets,
    ) -> Ranges {
        let budget = budgets.arrays;
        let roots = of_blocks(encoding, points);
        let all_counters = variables.counters(encoding, &roots);
        let values = values_of(encoding, points, &all_counters, budget.leaves);
        let starts = starts(&encoding.pool, &values);
        let mut equations = BTreeSet::new();
        let terms: Vec<Term> = all_counters.iter().copied().collect();
        let numbers = numbers(encoding, &terms);
        let comparisons = comparisons(encoding, &roots, &all_counters, 2 * budget.end_size);
        let mut ends = ends(&encoding.pool, &comparisons, &all_counters, budget.end_size);
        let computed = computed(encoding, &roots, &all_counters, budget.index_size);
        let mut counters = BTreeMap::new();
        for &point in points {
            equations.extend(linear::equations(encoding, &numbers, samples.at(point), &budgets.candidates));
            let mut changed: BTreeSet<Term> =
                variables.changed_at(point).intersection(&all_counters).copied().collect();
            let is_changed = |index: &&Term| mentions(&encoding.pool, **index, &changed);
            let indices: Vec<Term> = computed.iter().filter(is_changed).copied().collect();
            changed.extend(indices);
            counters.insert(point, changed);
        }
        let last = last_indices(&mut encoding.pool, &computed, &ends);
        ends.extend(last);
        let mut residues = rewritten(&mut encoding.pool, &comparisons, &equations, &all_counters);
        for (counter, step) in steps(&mut encoding.pool, &values, budget.step) {
            let width = encoding.pool.width(counter);
            if let Some(any) = symbol(&mut encoding.pool, width) {
                residues.extend(residues_of(&mut encoding.pool, any, step, &starts));
                equations.extend(residues_of(&mut encoding.pool, counter, step, &starts));
            }
        }
        Ranges { all_counters, equations, counters, starts, ends, residues, budget }
    }

    /// Ranges that the index symbols of a statement may be in at a point, as formulas.
    pub(crate) fn at(
        &self,
        encoding: &mut Encoding<'_>,
        point: Point,
        symbols: &[Term],
        detail: Detail,
    ) -> Vec<Term> {
        match *symbols {
            [any] if detail == Detail::BetweenCounters => self.between(encoding, point, any),
            [any] => self.of_one(encoding, point, any),
            [first, second] => self.of_two(encoding, point, [first, second]),
            _ => Vec::new(),
        }
    }

    /// Ranges of two indices, the first of which is smaller.
    fn of_two(&self, encoding: &mut Encoding<'_>, point: Point, [first, second]: [Term; 2]) -> Vec<Term> {
        let [lower, upper] = [first, second].map(|any| {
            let bounds = self.bounds(encoding, point, any);
            [bounds.ends, bounds.below].concat()
        });
        let pool = &mut encoding.pool;
        let order = pool.bv_ult(first, second);
        let mut ranges = BTreeSet::new();
        for &low in &lower {
            ranges.extend(upper.iter().map(|&high| pool.and(&[order, low, high])));
        }
        ranges.into_iter().collect()
    }

    /// Ranges of one index that have to do with one counter at most.
    fn of_one(&self, encoding: &mut Encoding<'_>, point: Point, any: Term) -> Vec<Term> {
        let Bounds { ends, below, above, others } = self.bounds(encoding, point, any);
        let pool = &mut encoding.pool;
        let mut ranges = BTreeSet::new();
        for &other in others.iter().chain([&pool.top()]) {
            ranges.extend(ends.iter().chain(&below).map(|&end| pool.and2(other, end)));
        }
        for &low in &above {
            ranges.extend(ends.iter().map(|&end| pool.and2(low, end)));
        }
        ranges.into_iter().collect()
    }

    /// Ranges of one index between two counters.
    fn between(&self, encoding: &mut Encoding<'_>, point: Point, any: Term) -> Vec<Term> {
        let Bounds { below, above, .. } = self.bounds(encoding, point, any);
        let pool = &mut encoding.pool;
        let mut ranges = BTreeSet::new();
        for &low in &above {
            ranges.extend(below.iter().map(|&high| pool.and2(low, high)));
        }
        ranges.into_iter().collect()
    }

    fn bounds(&self, encoding: &mut Encoding<'_>, point: Point, any: Term) -> Bounds {
        let of = |encoding: &Encoding<'_>, terms: &BTreeSet<Term>, most: usize| -> Vec<Term> {
            let width = encoding.pool.width(any);
            let fits =
                |term: &&Term| encoding.pool.width(**term) == width && is_live(encoding, point, **term);
            terms.iter().filter(fits).copied().take(most).collect()
        };
        let counters =
            self.counters.get(&point).map_or_else(Vec::new, |own| of(encoding, own, self.budget.counters));
        let (starts, ends) =
            (of(encoding, &self.starts, self.budget.starts), of(encoding, &self.ends, self.budget.ends));
        let is_about = |term: &&Term| encoding.pool.free_variables(**term).contains(&any);
        let mut others: Vec<Term> =
            self.residues.iter().filter(is_about).copied().take(self.budget.residues).collect();
        let pool = &mut encoding.pool;
        others.extend(starts.iter().map(|&start| pool.bv_ule(start, any)));
        let mut bounds = Bounds { ends: vec![pool.top()], below: Vec::new(), above: Vec::new(), others };
        bounds.ends.extend(ends.iter().map(|&end| pool.bv_ult(any, end)));
        for &counter in &counters {
            bounds.below.extend([pool.bv_ult(any, counter), pool.bv_ule(any, counter)]);
            bounds.above.extend([pool.bv_ult(counter, any), pool.bv_ule(counter, any)]);
        }
        bounds
    }
}

/// Which ranges are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Those that have to do with one counter at most.
    OneCounter,
    /// Those between two counters.
    BetweenCounters,
}

/// What may bound an index.
struct Bounds {
    /// That it is below an end; also nothing at all.
    ends: Vec<Term>,
    /// That it is below a counter.
    below: Vec<Term>,
    /// That it is above a counter.
    above: Vec<Term>,
    /// That it is not before a start, and that it is one of those that a loop goes through.
    others: Vec<Term>,
}

/// Indices that are computed from counters, and those of the same rows where one of several counters is zero.
fn computed(
    encoding: &mut Encoding<'_>,
    roots: &[Term],
    counters: &BTreeSet<Term>,
    largest: usize,
) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    for index in indices(&encoding.pool, roots) {
        let index = unextended(&encoding.pool, index);
        let variables = encoding.pool.free_variables(index);
        let is_computed = !matches!(encoding.pool.op(index), Op::Symbol(_))
            && variables.is_subset(counters)
            && !encoding.pool.is_larger_than(index, largest);
        if is_computed && !has_arrays(&encoding.pool, index) {
            found.insert(index);
            for &variable in variables.iter().filter(|_| variables.len() > 1) {
                let zero = encoding.pool.bv(0u8, encoding.pool.width(variable));
                found.insert(encoding.pool.substitute(index, &HashMap::from([(variable, zero)])));
            }
        }
    }
    found
}

/// Indices that are computed from one counter, where it is at an end.
fn last_indices(pool: &mut TermPool, computed: &BTreeSet<Term>, ends: &BTreeSet<Term>) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    for &index in computed {
        let variables: Vec<Term> = pool.free_variables(index).into_iter().collect();
        let [variable] = variables[..] else { continue };
        for &end in ends {
            if pool.width(end) == pool.width(variable) {
                found.insert(pool.substitute(index, &HashMap::from([(variable, end)])));
            }
        }
    }
    found
}

/// What counters get.
fn values_of(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    counters: &BTreeSet<Term>,
    most: usize,
) -> BTreeSet<(Term, Term)> {
    let mut found = BTreeSet::new();
    for &point in points {
        for exit in &encoding.block(point).exits {
            for &(cell, value) in &exit.updates {
                let counter = encoding.cells().get(cell).symbol;
                if counters.contains(&counter) {
                    found.extend(leaves(&encoding.pool, value, most).into_iter().map(|leaf| (counter, leaf)));
                }
            }
        }
    }
    found
}

/// The constants that counters get, but for zero and negative ones.
fn starts(pool: &TermPool, values: &BTreeSet<(Term, Term)>) -> BTreeSet<Term> {
    let is_start = |term: &Term| pool.as_bits(*term).is_some_and(|bits| !bits.is_zero() && !bits.sign());
    values.iter().map(|&(_, value)| value).filter(is_start).collect()
}

/// Counters with the constants, larger than one, that are added to them.
fn steps(pool: &mut TermPool, values: &BTreeSet<(Term, Term)>, largest: u64) -> BTreeSet<(Term, Term)> {
    let mut found = BTreeSet::new();
    for &(counter, value) in values {
        let step = pool.bv_sub(value, counter);
        let number = pool.as_bits(step).and_then(rorqual_logic::Bits::to_u64);
        if number.is_some_and(|number| (2..=largest).contains(&number)) {
            found.insert((counter, step));
        }
    }
    found
}

/// That a number is some steps away from a start, or from zero.
fn residues_of(pool: &mut TermPool, number: Term, step: Term, starts: &BTreeSet<Term>) -> Vec<Term> {
    let zero = pool.bv(0u8, pool.width(number));
    let rest = pool.bv_urem(number, step);
    let mut found = Vec::new();
    for start in starts.iter().copied().chain([zero]) {
        if pool.width(start) == pool.width(number) {
            let expected = pool.bv_urem(start, step);
            found.push(pool.eq(rest, expected));
        }
    }
    found
}

/// The comparisons that mention counters.
fn comparisons(
    encoding: &mut Encoding<'_>,
    roots: &[Term],
    counters: &BTreeSet<Term>,
    largest: usize,
) -> Vec<Term> {
    let mut found = encoding.pool.subterms(roots);
    found.retain(|&term| {
        is_comparison(&encoding.pool, term)
            && mentions(&encoding.pool, term, counters)
            && is_plain(encoding, term, largest)
    });
    found
}

/// What counters are compared with, other than counters.
fn ends(pool: &TermPool, comparisons: &[Term], counters: &BTreeSet<Term>, largest: usize) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    for &comparison in comparisons {
        let [one, other] = *pool.arguments(comparison) else { continue };
        for (counter, end) in [(one, other), (other, one)] {
            let is_end = pool.sort(end).width().is_some()
                && !pool.is_larger_than(end, largest)
                && pool.as_bits(end).is_none_or(|bits| !bits.is_zero() && !bits.sign());
            if is_end && !counters.contains(&end) && mentions(pool, counter, counters) {
                found.insert(end);
            }
        }
    }
    found
}

/// Comparisons of one counter as conditions on another one, by equations between them, and then on any index.
fn rewritten(
    pool: &mut TermPool,
    comparisons: &[Term],
    equations: &BTreeSet<Term>,
    counters: &BTreeSet<Term>,
) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    for &equation in equations {
        let [left, right] = *pool.arguments(equation) else { continue };
        let difference = pool.bv_sub(left, right);
        let variables = pool.free_variables(equation);
        for &counter in counters.intersection(&variables) {
            for sign in [pool.bv_sub(counter, difference), pool.bv_add(counter, difference)] {
                let others = pool.free_variables(sign);
                let ([other], false) =
                    (&others.iter().copied().collect::<Vec<_>>()[..], others.contains(&counter))
                else {
                    continue;
                };
                let width = pool.width(*other);
                let Some(any) = symbol(pool, width) else { continue };
                let sign = pool.substitute(sign, &HashMap::from([(*other, any)]));
                let replaced = HashMap::from([(counter, sign)]);
                for &comparison in comparisons {
                    if pool.free_variables(comparison).contains(&counter) {
                        let condition = pool.substitute(comparison, &replaced);
                        found.extend([condition, pool.not(condition)]);
                    }
                }
            }
        }
    }
    found
}

fn mentions(pool: &TermPool, term: Term, symbols: &BTreeSet<Term>) -> bool {
    !pool.free_variables(term).is_disjoint(symbols)
}
