//! The variables that indices are computed from, and where they change.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::Type;
use rorqual_encoding::{Encoding, Point, Target};
use rorqual_logic::{Op, Term};

use super::indices::{indices, parts};

/// What is known about variables.
pub(crate) struct Variables {
    /// The variables that change on some way from a point back to it.
    changed: BTreeMap<Point, BTreeSet<Term>>,
}

impl Variables {
    pub(crate) fn new(encoding: &mut Encoding<'_>, points: &[Point]) -> Variables {
        let mut behind = BTreeMap::new();
        for &point in points {
            behind.insert(point, reachable(encoding, point));
        }
        let leads_to = |from: Point, to: Point| from == to || behind[&from].contains(&to);
        let mut changed = BTreeMap::new();
        for &point in points {
            let mut found = BTreeSet::new();
            for &other in points.iter().filter(|&&other| leads_to(point, other)) {
                for exit in &encoding.block(other).exits {
                    let Target::Point(target) = exit.target else { continue };
                    if leads_to(target, point) {
                        let cells = encoding.cells();
                        found.extend(exit.updates.iter().map(|&(cell, _)| cells.get(cell).symbol));
                    }
                }
            }
            changed.insert(point, found);
        }
        Variables { changed }
    }

    /// The variables that change on some way from a point back to it.
    pub(crate) fn changed_at(&self, point: Point) -> &BTreeSet<Term> {
        &self.changed[&point]
    }

    /// Whether a number may stand for an index: no constant, and no pointer that always points to the same place.
    pub(crate) fn is_index(&self, encoding: &Encoding<'_>, number: Term) -> bool {
        let is_fixed = || self.changed.values().all(|changed| !changed.contains(&number));
        encoding.pool.as_bits(number).is_none() && !(is_pointer(encoding, number) && is_fixed())
    }

    /// The variables that indices in formulas are computed from.
    pub(crate) fn counters(&self, encoding: &Encoding<'_>, formulas: &[Term]) -> BTreeSet<Term> {
        let pool = &encoding.pool;
        let is_counter = |part: &Term| match pool.op(*part) {
            Op::Symbol(symbol) => {
                encoding.cells().of_symbol(*symbol).is_some() && self.is_index(encoding, *part)
            }
            _ => false,
        };
        let indices: BTreeSet<Term> = indices(pool, formulas).into_iter().collect();
        indices.into_iter().flat_map(|index| parts(pool, index)).filter(is_counter).collect()
    }
}

/// Whether a number is a variable that holds a pointer.
pub(crate) fn is_pointer(encoding: &Encoding<'_>, number: Term) -> bool {
    let Op::Symbol(symbol) = *encoding.pool.op(number) else { return false };
    if encoding.pool.sort(number).width().is_none() {
        return false;
    }
    let ty = encoding.cells().of_symbol(symbol).and_then(|cell| encoding.cells().get(cell).ty);
    ty.is_some_and(|ty| matches!(encoding.program.types.get(ty), Type::Pointer(_)))
}

/// Whether all that a formula mentions are numbers, or arrays of numbers, of the program.
pub(crate) fn is_about_numbers(encoding: &Encoding<'_>, formula: Term) -> bool {
    let cells = encoding.cells();
    let symbols = encoding.pool.free_symbols(formula).into_iter();
    let mut types = symbols.filter_map(|symbol| cells.of_symbol(symbol)).map(|cell| cells.get(cell).ty);
    types.all(|ty| ty.is_some_and(|ty| matches!(encoding.program.types.get(ty), Type::Int(_))))
}

/// The points that lie behind a point.
fn reachable(encoding: &mut Encoding<'_>, point: Point) -> BTreeSet<Point> {
    let mut found = BTreeSet::new();
    let mut open = vec![point];
    while let Some(point) = open.pop() {
        for exit in &encoding.block(point).exits {
            if let Target::Point(target) = exit.target
                && found.insert(target)
            {
                open.push(target);
            }
        }
    }
    found
}
