//! One inference round: candidates are collected once, and each technique keeps those that it proves.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::Type;
use rorqual_encoding::{CellId, Elements, Encoding, Point, Target};
use rorqual_logic::{Sort, SymbolId, Term};
use rorqual_solver::Limits;

use crate::budgets::Budgets;
use crate::candidates::{self, atoms, elements, modes, objects};
use crate::facts::{Facts, MOST_POINTS, is_live, points, size};
use crate::obligations::Lists;
use crate::samples::{self, Samples};
use crate::{abstraction, arrays, at_points, nodes};

budget! {
    /// What one round may cost.
    pub struct Budget {
        /// At most 100 points: every candidate costs queries at each of them.
        pub points: usize = MOST_POINTS,
        /// Queries and executions go through 3,000,000 terms, roughly: programs with large blocks get fewer of them.
        pub work: usize = 3_000_000,
        /// Conditions of violations on at most 6 variables tell what matters; with more of them everything would.
        pub violating: usize = 6,
        /// Up to 16 points, every array that is read is taken to matter.
        pub few_points: usize = 16,
    }
}

/// The budgets of a round, with what the size of the program leaves of them.
pub(crate) struct RoundBudget {
    pub(crate) all: Budgets,
    /// The most queries of each technique.
    pub(crate) queries: usize,
}

impl RoundBudget {
    /// Those of the candidates that Houdini proves.
    pub(crate) fn largest_inductive(
        &self,
        encoding: &mut Encoding<'_>,
        points: &[Point],
        known: &Facts,
        candidates: Lists<Point>,
        limits: &Limits,
    ) -> Lists<Point> {
        let budget = (self.all.houdini.with_queries(self.queries), self.all.walks);
        at_points::largest_inductive(encoding, points, known, candidates, budget, limits)
    }
}

/// Formulas that were of interest at points, such as labels.
pub type Interest = BTreeMap<Point, Vec<Term>>;

/// What one round has to work with.
pub struct Round {
    points: Vec<Point>,
    budget: RoundBudget,
    samples: Samples,
    has_arrays: bool,
    atoms: Lists<Point>,
    literals: Lists<Point>,
}

impl Round {
    /// Draws samples and collects candidates. None if the program has too many points.
    pub fn begin(
        encoding: &mut Encoding<'_>,
        interest: &Interest,
        budgets: &Budgets,
        limits: &Limits,
    ) -> Option<Round> {
        let points = points(encoding, budgets.round.points)?;
        let queries = budgets.round.work / size(encoding, &points).max(1);
        let blocks = budgets.samples.blocks.min(queries);
        let samples = Samples::draw(encoding, &points, samples::Budget { blocks, ..budgets.samples }, limits);
        let has_arrays = mentions_arrays(encoding, &points, interest, budgets.round.few_points);
        let mut relevant = relevant(encoding, interest);
        relevant.extend(violating(encoding, &points, budgets.round.violating));
        if has_arrays {
            relevant.extend(arrays::counters(encoding, &points));
        }
        let atoms = atoms(encoding, &points, interest, &relevant, &samples, &budgets.candidates);
        let mut literals: Lists<Point> =
            atoms.iter().map(|(&point, atoms)| (point, samples.literals(encoding, point, atoms))).collect();
        add_elements(encoding, &mut literals, &relevant, &samples, &budgets.candidates);
        add_objects(encoding, &mut literals, interest, &samples, &budgets.candidates);
        let budget = RoundBudget { all: *budgets, queries };
        Some(Round { points, budget, samples, has_arrays, atoms, literals })
    }

    /// The points of the program.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Literals that hold in all samples, as far as they are inductive together.
    pub fn literals(&self, encoding: &mut Encoding<'_>, facts: &mut Facts, limits: &Limits) {
        self.keep_inductive(encoding, facts, self.literals.clone(), limits);
    }

    /// Quantified invariants about the nodes of linked structures.
    pub fn nodes(&self, encoding: &mut Encoding<'_>, facts: &mut Facts, limits: &Limits) {
        // Checks of memory have many conditions, and facts of their own about objects.
        if self.has_arrays && !encoding.has_memory_checks() {
            nodes::infer(encoding, facts, &self.points, &self.samples, &self.budget, limits);
        }
    }

    /// Quantified invariants about the elements of arrays.
    pub fn arrays(&self, encoding: &mut Encoding<'_>, facts: &mut Facts, limits: &Limits) {
        if self.has_arrays {
            let Round { points, literals, samples, budget, .. } = self;
            arrays::infer(encoding, facts, points, literals, samples, budget, limits);
        }
    }

    /// The strongest invariant that is a Boolean combination of the atoms of interest.
    pub fn combinations(
        &self,
        encoding: &mut Encoding<'_>,
        facts: &mut Facts,
        interest: &Interest,
        limits: &Limits,
    ) {
        let (budget, queries) = (self.budget.all.abstraction, self.budget.queries);
        let sets = self.combined_atoms(encoding, facts, interest);
        for (combined, most) in sets.iter().zip([budget.cubes_with_modes, budget.cubes]) {
            let budget = (most.min(queries), budget);
            let strongest = abstraction::strongest(encoding, facts, combined, &self.samples, budget, limits);
            if let Some(strongest) = strongest {
                facts.combined = strongest;
                break;
            }
        }
    }

    /// Implications between an equation with a constant and another literal.
    pub fn clauses(&self, encoding: &mut Encoding<'_>, facts: &mut Facts, limits: &Limits) {
        let clauses = self.atoms.iter().map(|(&point, atoms)| {
            let known = facts.list(point).to_vec();
            (point, self.samples.clauses(encoding, point, atoms, &known))
        });
        let clauses = clauses.collect();
        self.keep_inductive(encoding, facts, clauses, limits);
    }

    /// Sets of atoms for combinations of them, larger ones first: the atoms of the formulas of interest, and with them
    /// what the modes of the program can be and equations that hold in some cases.
    fn combined_atoms(
        &self,
        encoding: &mut Encoding<'_>,
        facts: &Facts,
        interest: &Interest,
    ) -> [Lists<Point>; 2] {
        let (samples, budget) = (&self.samples, &self.budget.all.candidates);
        let all: Vec<Term> = interest.values().flatten().copied().collect();
        let modes = modes::atoms(encoding, &self.points, &all);
        let start = encoding.start();
        let (mut more, mut few) = (BTreeMap::new(), BTreeMap::new());
        for (&point, formulas) in interest.iter().filter(|&(&point, _)| point != start) {
            let known = facts.list(point).to_vec();
            let own = atoms::of_formulas(encoding, formulas);
            let cases = atoms::by_cases(encoding, point, &own, samples.at(point), budget);
            let mut both: Vec<Term> = Vec::new();
            let live = |atom: &&Term| is_live(encoding, point, **atom);
            let candidates: Vec<Term> =
                modes.iter().chain(&own).chain(&cases).filter(live).copied().collect();
            for atom in candidates {
                if !known.contains(&atom)
                    && !known.contains(&encoding.pool.not(atom))
                    && !both.contains(&atom)
                {
                    both.push(atom);
                }
            }
            few.insert(point, both.iter().copied().filter(|atom| own.contains(atom)).collect());
            more.insert(point, both);
        }
        [more, few]
    }

    fn keep_inductive(
        &self,
        encoding: &mut Encoding<'_>,
        facts: &mut Facts,
        candidates: Lists<Point>,
        limits: &Limits,
    ) {
        let inductive = self.budget.largest_inductive(encoding, &self.points, facts, candidates, limits);
        facts.add(&mut encoding.pool, inductive);
    }
}

/// Whether what was of interest, or a violation, has to do with arrays. In small programs, whether anything has.
fn mentions_arrays(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    interest: &Interest,
    few_points: usize,
) -> bool {
    let mut formulas: Vec<Term> = interest.values().flatten().copied().collect();
    let is_small = points.len() <= few_points;
    formulas.extend(numbers(encoding, points, |target| is_small || *target == Target::Error));
    have_arrays(encoding, &formulas)
}

/// Whether blocks read arrays for numbers that they compute or conditions that they test.
pub fn reads_arrays(encoding: &mut Encoding<'_>, points: &[Point]) -> bool {
    let formulas = numbers(encoding, points, |_| true);
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

/// Whether formulas mention an array.
fn have_arrays(encoding: &Encoding<'_>, formulas: &[Term]) -> bool {
    let is_array = |&term: &Term| matches!(encoding.pool.sort(term), Sort::Array { .. });
    encoding.pool.subterms(formulas).iter().any(is_array)
}

/// The atoms to try at each point.
fn atoms(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    interest: &Interest,
    relevant: &BTreeSet<SymbolId>,
    samples: &Samples,
    budget: &candidates::Budget,
) -> Lists<Point> {
    let mut atoms = BTreeMap::new();
    for &point in points {
        let own = interest.get(&point).map_or(&[][..], Vec::as_slice);
        let mut found = atoms::collect(encoding, point, (own, relevant), samples.at(point), budget);
        found.retain(|&atom| is_live(encoding, point, atom));
        atoms.insert(point, found);
    }
    atoms
}

/// What interpolants mention is what matters.
fn relevant(encoding: &Encoding<'_>, interest: &Interest) -> BTreeSet<SymbolId> {
    interest.values().flatten().flat_map(|&formula| encoding.pool.free_symbols(formula)).collect()
}

/// What violations depend on. Interpolants do not mention it as long as loops end too early for any violation.
fn violating(encoding: &mut Encoding<'_>, points: &[Point], most: usize) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    for &point in points {
        let block = encoding.block(point);
        for exit in block.exits.iter().filter(|exit| exit.target == Target::Error) {
            let mut symbols = encoding.pool.free_symbols(exit.guard);
            symbols.retain(|&symbol| is_number(encoding, symbol));
            if symbols.len() <= most {
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
    literals: &mut Lists<Point>,
    relevant: &BTreeSet<SymbolId>,
    samples: &Samples,
    budget: &candidates::Budget,
) {
    let arrays = elements::arrays(encoding, relevant, budget);
    for (&point, list) in literals {
        let live: Vec<CellId> =
            arrays.iter().copied().filter(|&array| encoding.is_live(array, point)).collect();
        list.extend(elements::atoms(encoding, &live, samples.at(point)));
    }
}

/// Adds what samples say about the objects that pointers point to, where checks of memory ask for that.
fn add_objects(
    encoding: &mut Encoding<'_>,
    literals: &mut Lists<Point>,
    interest: &Interest,
    samples: &Samples,
    budget: &candidates::Budget,
) {
    let relevant = relevant(encoding, interest);
    let mut pointers = encoding.object_pointers();
    pointers.retain(|pointer| !encoding.pool.free_symbols(pointer.value).is_disjoint(&relevant));
    if pointers.is_empty() {
        return;
    }
    for (&point, list) in literals {
        let numbers = atoms::numbers_at(encoding, point, budget);
        let mut found = objects::atoms(encoding, &pointers, &numbers, samples.at(point), budget);
        found.retain(|&atom| is_live(encoding, point, atom));
        list.extend(samples.literals(encoding, point, &found));
    }
}
