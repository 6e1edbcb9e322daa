//! Facts: formulas that hold whenever control is at a point, proved by induction over the blocks.
//!
//! Interpolants say why one path is infeasible; some loops need more than any finite number of paths tells. So candidates
//! are collected (conditions of the program, atoms of interpolants, simple relations between variables, equations that
//! hold in random executions), and the largest subset that is inductive is kept, as in Flanagan and Leino, *Houdini, an
//! Annotation Assistant for ESC/Java*, FME 2001. Nothing that is not proved becomes a fact.

mod abstraction;
pub(crate) mod arrays;
mod atoms;
mod clauses;
mod elements;
mod houdini;
pub(crate) mod linear;
mod modes;
mod nodes;
mod objects;
mod reach;
pub(crate) mod samples;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::Type;
use rorqual_encoding::{CellId, Elements, Encoding, Exit, Point, Target};
use rorqual_logic::{Sort, SymbolId, Term, TermPool};
use rorqual_solver::{BitVecSolver, Limits};

use arrays::indices;

use samples::Samples;

pub(crate) use arrays::indices::Values;

/// Conditions of violations on more variables than this are not looked at.
const MOST_VIOLATING: usize = 6;
/// Programs with more points than this are left alone: every candidate costs queries at each of them.
const MOST_POINTS: usize = 100;
/// Up to so many points, combinations of atoms are looked at from the first time on.
const FEW_POINTS: usize = 8;
/// Up to so many points, every array that is read is taken to matter.
const FEW_LOOPS: usize = 16;

/// So many combinations of atoms are looked at, with what modes can be and without.
const FEW_CUBES: usize = 600;
const MOST_CUBES: usize = 1_000;
/// Whether facts suffice is asked with so many conflicts.
const SUFFICE_CONFLICTS: u32 = 5_000;

/// How many terms the queries and executions of one attempt may go through, roughly: programs with large blocks get
/// fewer of them.
const WORK: usize = 3_000_000;

/// The same for the search backwards from violations, each time that facts are learned twice as much.
const BACKWARDS_WORK: usize = 20_000_000;
const MOST_DOUBLED: usize = 4;
/// Queries about smaller programs do not get cheaper, but there need to be fewer of them.
const LEAST_SIZE: usize = 300;
const LEAST_QUERIES: usize = 1_000;
const QUERIES_BY_SIZE: usize = 10;

/// What holds at each point.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    at: BTreeMap<Point, Vec<Term>>,
    /// What holds for all values of index symbols.
    indexed: BTreeMap<Point, Vec<Term>>,
    /// Which combinations of atoms are possible, as far as was found out last. Proved with the other facts, but
    /// without what was here before, so it may be replaced.
    combined: BTreeMap<Point, Term>,
    /// How often facts were learned.
    rounds: usize,
}

impl Facts {
    /// What holds at a point, as one formula; without what is known of all indices.
    pub fn at(&self, pool: &mut TermPool, point: Point) -> Term {
        let all = pool.and(self.list(point));
        self.combined.get(&point).map_or(all, |&combined| pool.and2(all, combined))
    }

    /// What holds at a point, conjunct by conjunct; without what is known of all indices.
    pub fn conjuncts(&self, point: Point) -> Vec<Term> {
        self.list(point).iter().chain(self.combined.get(&point)).copied().collect()
    }

    /// What holds at a point for all values of the index symbols.
    pub fn indexed(&self, point: Point) -> &[Term] {
        self.indexed.get(&point).map_or(&[], Vec::as_slice)
    }

    /// What holds at a point, as far as it matters for an exit from there: what is known of all indices is said of those
    /// that the exit has to do with.
    pub fn along(&self, pool: &mut TermPool, point: Point, exit: &Exit) -> Term {
        let instances = self.instances(pool, point, exit);
        let (all, instances) = (self.at(pool, point), pool.and(&instances));
        pool.and2(all, instances)
    }

    /// What is known of all indices, for those of an exit.
    fn instances(&self, pool: &mut TermPool, point: Point, exit: &Exit) -> Vec<Term> {
        let indexed = self.indexed(point);
        if indexed.is_empty() { Vec::new() } else { values(pool, exit).instances(pool, indexed) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        let lists = self.at.values().chain(self.indexed.values());
        lists.map(Vec::len).sum::<usize>() + self.combined.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The facts at a point, but for the possible combinations of atoms.
    fn list(&self, point: Point) -> &[Term] {
        self.at.get(&point).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, pool: &mut TermPool, more: BTreeMap<Point, Vec<Term>>) {
        for (point, facts) in more {
            for fact in facts {
                let is_indexed = !indices::in_formula(pool, fact).is_empty();
                let lists = if is_indexed { &mut self.indexed } else { &mut self.at };
                let known = lists.entry(point).or_default();
                if !known.contains(&fact) {
                    known.push(fact);
                }
            }
        }
    }
}

/// The indices that an exit has to do with.
pub(crate) fn values(pool: &mut TermPool, exit: &Exit) -> Values {
    let mut formulas = vec![exit.guard];
    formulas.extend(exit.updates.iter().map(|&(_, value)| value));
    Values::of(pool, &formulas)
}

/// Whether facts are enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learned {
    /// They exclude all violations.
    All,
    /// Something is left.
    Some,
}

/// Learns more facts. `seen` are formulas that were of interest at points, such as labels.
pub fn learn(
    encoding: &mut Encoding<'_>,
    facts: &mut Facts,
    seen: &BTreeMap<Point, Vec<Term>>,
    limits: &Limits,
) -> Learned {
    let Some(points) = points(encoding) else { return Learned::Some };
    let affordable = WORK / size(encoding, &points).max(1);
    let samples = Samples::draw(encoding, &points, affordable, limits);
    let has_arrays = mentions_arrays(encoding, &points, seen);
    let mut relevant = relevant(encoding, seen);
    relevant.extend(violating(encoding, &points));
    if has_arrays {
        relevant.extend(arrays::counters(encoding, &points));
    }
    let atoms = atoms(encoding, &points, seen, &relevant, &samples);
    let mut literals: BTreeMap<Point, Vec<Term>> =
        atoms.iter().map(|(&point, atoms)| (point, samples.literals(encoding, point, atoms))).collect();
    add_elements(encoding, &mut literals, &relevant, &samples);
    add_objects(encoding, &mut literals, seen, &samples);
    let inductive =
        houdini::largest_inductive(encoding, &points, facts, literals.clone(), affordable, limits);
    facts.add(&mut encoding.pool, inductive);
    if suffice(encoding, facts, &points, limits) {
        return Learned::All;
    }
    if learn_backwards(encoding, facts, &points, limits) {
        return Learned::All;
    }
    // Checks of memory have many conditions, and facts of their own about objects.
    let has_nodes = has_arrays && !encoding.has_memory_checks();
    if has_nodes && nodes::learn(encoding, facts, &points, &samples, affordable, limits)
        || has_arrays && arrays::learn(encoding, facts, &points, &literals, &samples, affordable, limits)
    {
        return Learned::All;
    }
    facts.rounds += 1;
    // Programs with many points are often decided before all combinations are known.
    let is_worth_it = facts.rounds > 1 || points.len() <= FEW_POINTS;
    let sets = combined_atoms(encoding, &points, facts, seen, &samples);
    for (combined, most) in sets.iter().zip([FEW_CUBES, MOST_CUBES]).filter(|_| is_worth_it) {
        let cubes = most.min(affordable);
        if let Some(strongest) = abstraction::strongest(encoding, facts, combined, &samples, cubes, limits) {
            facts.combined = strongest;
            break;
        }
    }
    if suffice(encoding, facts, &points, limits) {
        return Learned::All;
    }
    let clauses = atoms.iter().map(|(&point, atoms)| {
        let known = facts.list(point).to_vec();
        (point, samples.clauses(encoding, point, atoms, &known))
    });
    let clauses = clauses.collect();
    let inductive = houdini::largest_inductive(encoding, &points, facts, clauses, affordable, limits);
    facts.add(&mut encoding.pool, inductive);
    if suffice(encoding, facts, &points, limits) { Learned::All } else { Learned::Some }
}

/// Learns what excludes all violations, if that is not hard to find. It needs no formulas of interest.
pub fn learn_first(encoding: &mut Encoding<'_>, facts: &mut Facts, limits: &Limits) -> Learned {
    let Some(points) = points(encoding) else { return Learned::Some };
    if learn_backwards(encoding, facts, &points, limits) { Learned::All } else { Learned::Some }
}

/// Whether clauses that were found backwards from violations exclude them. Programs that read arrays are left to others: each
/// query would be hard.
fn learn_backwards(
    encoding: &mut Encoding<'_>,
    facts: &mut Facts,
    points: &[Point],
    limits: &Limits,
) -> bool {
    let formulas = numbers(encoding, points, |_| true);
    let has_loops = points.len() > 1;
    if !has_loops || have_arrays(encoding, &formulas) {
        return false;
    }
    let work = BACKWARDS_WORK << facts.rounds.min(MOST_DOUBLED);
    let size = size(encoding, points);
    let queries = (work / size.max(LEAST_SIZE)).min(LEAST_QUERIES + QUERIES_BY_SIZE * size);
    let Some(clauses) = reach::clauses(encoding, facts, points, queries, limits) else { return false };
    let inductive = houdini::largest_inductive(encoding, points, facts, clauses, queries, limits);
    facts.add(&mut encoding.pool, inductive);
    suffice(encoding, facts, points, limits)
}

/// Whether what was of interest, or a violation, has to do with arrays. In small programs, whether anything has.
fn mentions_arrays(encoding: &mut Encoding<'_>, points: &[Point], seen: &BTreeMap<Point, Vec<Term>>) -> bool {
    let mut formulas: Vec<Term> = seen.values().flatten().copied().collect();
    let is_small = points.len() <= FEW_LOOPS;
    formulas.extend(numbers(encoding, points, |target| is_small || *target == Target::Error));
    have_arrays(encoding, &formulas)
}

/// The conditions of exits to some targets, and the numbers that are known there.
fn numbers(encoding: &mut Encoding<'_>, points: &[Point], is_meant: impl Fn(&Target) -> bool) -> Vec<Term> {
    let mut formulas = Vec::new();
    for &point in points {
        let block = encoding.block(point);
        for exit in block.exits.iter().filter(|exit| is_meant(&exit.target)) {
            formulas.push(exit.guard);
            let is_number = |value: &Term| encoding.pool.sort(*value).width().is_some();
            formulas.extend(exit.updates.iter().map(|&(_, value)| value).filter(is_number));
        }
    }
    formulas
}

fn have_arrays(encoding: &Encoding<'_>, formulas: &[Term]) -> bool {
    let is_array = |&term: &Term| matches!(encoding.pool.sort(term), Sort::Array { .. });
    encoding.pool.subterms(formulas).iter().any(is_array)
}

/// The atoms to try at each point.
fn atoms(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    seen: &BTreeMap<Point, Vec<Term>>,
    relevant: &BTreeSet<SymbolId>,
    samples: &Samples,
) -> BTreeMap<Point, Vec<Term>> {
    let mut atoms = BTreeMap::new();
    for &point in points {
        let interesting = seen.get(&point).map_or(&[][..], Vec::as_slice);
        let mut found = atoms::collect(encoding, point, interesting, relevant, samples.at(point));
        found.retain(|&atom| is_live(encoding, point, atom));
        atoms.insert(point, found);
    }
    atoms
}

/// What interpolants mention is what matters.
fn relevant(encoding: &Encoding<'_>, seen: &BTreeMap<Point, Vec<Term>>) -> BTreeSet<SymbolId> {
    seen.values().flatten().flat_map(|&formula| encoding.pool.free_symbols(formula)).collect()
}

/// What violations depend on. Interpolants do not mention it as long as loops end too early for any violation.
fn violating(encoding: &mut Encoding<'_>, points: &[Point]) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    for &point in points {
        let block = encoding.block(point);
        for exit in block.exits.iter().filter(|exit| exit.target == Target::Error) {
            let mut symbols = encoding.pool.free_symbols(exit.guard);
            symbols.retain(|&symbol| is_number(encoding, symbol));
            if symbols.len() <= MOST_VIOLATING {
                found.extend(symbols);
            }
        }
    }
    found
}

fn is_number(encoding: &Encoding<'_>, symbol: SymbolId) -> bool {
    let cell = encoding.cells().of_symbol(symbol).map(|cell| encoding.cells().get(cell));
    let ty = cell.filter(|cell| cell.elements == Elements::One).and_then(|cell| cell.ty);
    ty.is_some_and(|ty| matches!(encoding.program.types.get(ty), Type::Int(_)))
}

/// Adds what samples say about the elements of small arrays.
fn add_elements(
    encoding: &mut Encoding<'_>,
    literals: &mut BTreeMap<Point, Vec<Term>>,
    relevant: &BTreeSet<SymbolId>,
    samples: &Samples,
) {
    let arrays = elements::arrays(encoding, relevant);
    for (&point, list) in literals {
        let live: Vec<CellId> =
            arrays.iter().copied().filter(|&array| encoding.is_live(array, point)).collect();
        list.extend(elements::atoms(encoding, &live, samples.at(point)));
    }
}

/// Adds what samples say about the objects that pointers point to, where checks of memory ask for that.
fn add_objects(
    encoding: &mut Encoding<'_>,
    literals: &mut BTreeMap<Point, Vec<Term>>,
    seen: &BTreeMap<Point, Vec<Term>>,
    samples: &Samples,
) {
    let relevant = relevant(encoding, seen);
    let mut pointers = encoding.object_pointers();
    pointers.retain(|pointer| !encoding.pool.free_symbols(pointer.value).is_disjoint(&relevant));
    if pointers.is_empty() {
        return;
    }
    for (&point, list) in literals {
        let numbers = atoms::numbers_at(encoding, point);
        let mut found = objects::atoms(encoding, &pointers, &numbers, samples.at(point));
        found.retain(|&atom| is_live(encoding, point, atom));
        list.extend(samples.literals(encoding, point, &found));
    }
}

/// Whether a formula is over cells that matter at a point.
fn is_live(encoding: &Encoding<'_>, point: Point, formula: Term) -> bool {
    let symbols = encoding.pool.free_symbols(formula);
    let cells = symbols.iter().filter_map(|&symbol| encoding.cells().of_symbol(symbol));
    cells.into_iter().all(|cell| encoding.is_live(cell, point))
}

/// Whether no block has a way from what is known to a violation.
fn suffice(encoding: &mut Encoding<'_>, facts: &Facts, points: &[Point], limits: &Limits) -> bool {
    let is_violation = |target: &Target| *target == Target::Error;
    exclude(encoding, facts, points, is_violation, limits)
}

/// Whether no block has a way from what is known to something that is not supported.
pub fn exclude_obstacles(encoding: &mut Encoding<'_>, facts: &Facts, limits: &Limits) -> bool {
    let Some(points) = points(encoding) else { return false };
    let is_obstacle = |target: &Target| matches!(target, Target::Unsupported(_));
    exclude(encoding, facts, &points, is_obstacle, limits)
}

/// Whether facts exclude all exits to some targets.
fn exclude(
    encoding: &mut Encoding<'_>,
    facts: &Facts,
    points: &[Point],
    is_bad: impl Fn(&Target) -> bool,
    limits: &Limits,
) -> bool {
    let limits = limits.clone().with_conflicts(SUFFICE_CONFLICTS);
    let mut solver = BitVecSolver::new();
    for &point in points {
        for exit in encoding.block(point).exits.iter().filter(|exit| is_bad(&exit.target)) {
            let known = facts.along(&mut encoding.pool, point, exit);
            if !solver.check(&mut encoding.pool, &[known, exit.guard], &limits).is_unsat() {
                return false;
            }
        }
    }
    true
}

/// Sets of atoms for combinations of them, larger ones first: the atoms of the formulas that were seen, and with them
/// what the modes of the program can be and equations that hold in some cases.
fn combined_atoms(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    facts: &Facts,
    seen: &BTreeMap<Point, Vec<Term>>,
    samples: &Samples,
) -> [BTreeMap<Point, Vec<Term>>; 2] {
    let all: Vec<Term> = seen.values().flatten().copied().collect();
    let modes = modes::atoms(encoding, points, &all);
    let start = encoding.start();
    let (mut more, mut few) = (BTreeMap::new(), BTreeMap::new());
    for (&point, formulas) in seen.iter().filter(|&(&point, _)| point != start) {
        let known = facts.list(point).to_vec();
        let own = atoms::of_formulas(encoding, formulas);
        let cases = atoms::by_cases(encoding, point, &own, samples.at(point));
        let mut both: Vec<Term> = Vec::new();
        let live = |atom: &&Term| is_live(encoding, point, **atom);
        let candidates: Vec<Term> = modes.iter().chain(&own).chain(&cases).filter(live).copied().collect();
        for atom in candidates {
            if !known.contains(&atom) && !known.contains(&encoding.pool.not(atom)) && !both.contains(&atom) {
                both.push(atom);
            }
        }
        few.insert(point, both.iter().copied().filter(|atom| own.contains(atom)).collect());
        more.insert(point, both);
    }
    [more, few]
}

/// The size of all formulas.
fn size(encoding: &mut Encoding<'_>, points: &[Point]) -> usize {
    let mut roots = Vec::new();
    for &point in points {
        for exit in &encoding.block(point).exits {
            roots.push(exit.guard);
            roots.extend(exit.updates.iter().map(|&(_, value)| value));
        }
    }
    encoding.pool.subterms(&roots).len()
}

/// All points where blocks start, if they are not too many.
pub(crate) fn points(encoding: &mut Encoding<'_>) -> Option<Vec<Point>> {
    let mut found = vec![encoding.start()];
    let mut at = 0;
    while at < found.len() {
        for exit in &encoding.block(found[at]).exits {
            if let Target::Point(point) = exit.target
                && !found.contains(&point)
            {
                found.push(point);
            }
        }
        if found.len() > MOST_POINTS {
            return None;
        }
        at += 1;
    }
    Some(found)
}
