//! Candidates about all elements of an array: in a range of indices, the elements are as some line of the program reads
//! or writes one of them.

pub(crate) mod indices;
mod ranges;
mod subjects;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Exit, Point, Target};
use rorqual_logic::{Op, Term, TermPool};

use super::is_live;
use ranges::Ranges;
use subjects::generalised;

/// So many statements about elements are tried.
const MOST_BODIES: usize = 48;
/// Larger statements are left alone.
const LARGEST_BODY: usize = 60;
/// So many values that a conditional may have are looked at.
const MOST_LEAVES: usize = 4;

/// Statements about the elements of arrays in ranges of indices, for each point.
pub(super) fn candidates(encoding: &mut Encoding<'_>, points: &[Point]) -> BTreeMap<Point, Vec<Term>> {
    let bodies = bodies(encoding, points);
    let ranges = Ranges::new(encoding, points);
    let mut candidates = BTreeMap::new();
    for &point in points {
        let live: Vec<Term> = bodies.iter().copied().filter(|&body| is_live(encoding, point, body)).collect();
        let mut found = BTreeSet::new();
        for body in live {
            for any in indices::in_formula(&mut encoding.pool, body) {
                for range in ranges.at(encoding, point, any) {
                    found.insert(encoding.pool.implies(range, body));
                }
            }
        }
        candidates.insert(point, found.into_iter().collect());
    }
    candidates
}

/// What the program says about one element, said about any.
fn bodies(encoding: &mut Encoding<'_>, points: &[Point]) -> Vec<Term> {
    let mut bodies = Bodies::default();
    for &point in points {
        for exit in &encoding.block(point).exits {
            if exit.target == Target::Error {
                bodies.add_error(encoding, exit.guard);
            }
        }
    }
    for &point in points {
        for exit in &encoding.block(point).exits {
            bodies.add_exit(encoding, exit);
        }
    }
    bodies.found
}

#[derive(Default)]
struct Bodies {
    found: Vec<Term>,
}

impl Bodies {
    /// Adds a statement about any element for each way to see it as one about an element.
    fn add(&mut self, encoding: &mut Encoding<'_>, statement: Term) {
        if encoding.pool.is_larger_than(statement, LARGEST_BODY) {
            return;
        }
        for body in generalised(encoding, statement) {
            let is_new = encoding.pool.as_bool(body).is_none() && !self.found.contains(&body);
            if is_new && self.found.len() < MOST_BODIES {
                self.found.push(body);
            }
        }
    }

    /// That no element is as the condition of a violation says. Conditions on inputs are left out.
    fn add_error(&mut self, encoding: &mut Encoding<'_>, guard: Term) {
        let conjuncts = match encoding.pool.op(guard) {
            Op::And => encoding.pool.arguments(guard).to_vec(),
            _ => vec![guard],
        };
        let known: Vec<Term> =
            conjuncts.into_iter().filter(|&conjunct| is_over_cells(encoding, conjunct)).collect();
        let error = encoding.pool.and(&known);
        let none = encoding.pool.not(error);
        self.add(encoding, none);
    }

    /// Conditions on elements, elements that are written, and variables that get the values of elements.
    fn add_exit(&mut self, encoding: &mut Encoding<'_>, exit: &Exit) {
        let mut roots = vec![exit.guard];
        roots.extend(exit.updates.iter().map(|&(_, value)| value));
        for term in encoding.pool.subterms(&roots) {
            match *encoding.pool.op(term) {
                Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
                    self.add(encoding, term);
                    let negated = encoding.pool.not(term);
                    self.add(encoding, negated);
                }
                Op::Store => self.add_written(encoding, term),
                _ => {}
            }
        }
        for &(cell, value) in &exit.updates {
            let symbol = encoding.cells().get(cell).symbol;
            for leaf in leaves(&encoding.pool, value) {
                if matches!(encoding.pool.op(leaf), Op::Select) {
                    let pool = &mut encoding.pool;
                    let relations =
                        [pool.bv_sle(leaf, symbol), pool.bv_sle(symbol, leaf), pool.eq(leaf, symbol)];
                    relations.into_iter().for_each(|relation| self.add(encoding, relation));
                }
            }
        }
    }

    /// That an element has the value that is written to it.
    fn add_written(&mut self, encoding: &mut Encoding<'_>, store: Term) {
        let [array, index, value] = *encoding.pool.arguments(store) else { return };
        for base in leaves(&encoding.pool, array) {
            let element = encoding.pool.select(base, index);
            let values = leaves(&encoding.pool, value);
            let mut equations = Vec::new();
            for value in values {
                equations.push(encoding.pool.eq(element, value));
            }
            for &equation in &equations {
                self.add(encoding, equation);
            }
            let one_of = encoding.pool.or(&equations);
            self.add(encoding, one_of);
        }
    }
}

/// What a term may be, by its conditionals; an array also before it was written to.
fn leaves(pool: &TermPool, term: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match pool.op(term) {
            Op::Ite => open.extend_from_slice(&pool.arguments(term)[1..]),
            Op::Store => open.push(pool.arguments(term)[0]),
            _ if found.contains(&term) => {}
            _ => found.push(term),
        }
        if found.len() >= MOST_LEAVES {
            break;
        }
    }
    found
}

/// Whether a formula mentions nothing but cells.
fn is_over_cells(encoding: &Encoding<'_>, formula: Term) -> bool {
    let symbols = encoding.pool.free_symbols(formula);
    symbols.into_iter().all(|symbol| encoding.cells().of_symbol(symbol).is_some())
}
