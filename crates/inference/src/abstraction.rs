//! Predicate abstraction: which combinations of atoms can hold at each point, found from the start on. The disjunction of
//! the combinations is the strongest inductive invariant that is a Boolean combination of the atoms, as in Graf and
//! Saïdi, *Construction of Abstract State Graphs with PVS*, CAV 1997.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Exit, Point, Target};
use rorqual_logic::Term;
use rorqual_solver::{BitVecSolver, Limits};

use crate::at_points::after;
use crate::facts::Facts;
use crate::samples::Samples;
use crate::solutions::{Cube, Solutions, disjunction, literals};

budget! {
    /// What predicate abstraction may cost.
    pub struct Budget {
        /// At most 1,000 combinations of the atoms of interest: each takes a query, and with more of them the disjunction is
        /// too large to be useful.
        pub cubes: usize = 1_000,
        /// At most 600 combinations if the values of modes are among the atoms, as there is a second attempt without them.
        pub cubes_with_modes: usize = 600,
        /// At most 3 queries per combination that is allowed: one finds it, and one per exit finds no other.
        pub queries_per_cube: usize = 3,
        /// At most 2,000 conflicts per query: there is at least one for each combination.
        pub conflicts: u32 = 2_000,
    }
}

/// Atoms per point.
pub(crate) type Atoms = BTreeMap<Point, Vec<Term>>;

/// What the atoms say about each point, unless there are more than `most` combinations or the solver gives up.
pub(crate) fn strongest(
    encoding: &mut Encoding<'_>,
    known: &Facts,
    atoms: &Atoms,
    samples: &Samples,
    (most, budget): (usize, Budget),
    limits: &Limits,
) -> Option<BTreeMap<Point, Term>> {
    let mut abstraction = Abstraction {
        solver: BitVecSolver::new(),
        known,
        atoms,
        cubes: BTreeMap::new(),
        open: Vec::new(),
        most,
        queries: budget.queries_per_cube.saturating_mul(most),
        limits: limits.clone().with_conflicts(budget.conflicts),
    };
    abstraction.begin(encoding, samples);
    abstraction.within_budget()?;
    while let Some((point, cube)) = abstraction.open.pop() {
        abstraction.leave(encoding, point, &cube)?;
    }
    let pool = &mut encoding.pool;
    let formula = |(point, cubes): (Point, BTreeSet<Cube>)| {
        let cubes: Vec<Cube> = cubes.into_iter().collect();
        (point, disjunction(pool, atoms.get(&point).map_or(&[], Vec::as_slice), &cubes))
    };
    Some(abstraction.cubes.into_iter().map(formula).collect())
}

struct Abstraction<'a> {
    solver: BitVecSolver,
    known: &'a Facts,
    atoms: &'a Atoms,
    cubes: BTreeMap<Point, BTreeSet<Cube>>,
    /// Combinations whose successors are not known.
    open: Vec<(Point, Cube)>,
    most: usize,
    queries: usize,
    limits: Limits,
}

impl Abstraction<'_> {
    /// Whatever random executions meet can be reached, and needs no query.
    fn begin(&mut self, encoding: &Encoding<'_>, samples: &Samples) {
        self.add(encoding.start(), Vec::new());
        for (&point, atoms) in self.atoms {
            for cube in samples.combinations(encoding, point, atoms) {
                self.add(point, cube);
            }
        }
    }

    fn at(&self, point: Point) -> &[Term] {
        self.atoms.get(&point).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, point: Point, cube: Cube) {
        if self.cubes.entry(point).or_default().insert(cube.clone()) {
            self.open.push((point, cube));
        }
    }

    /// Finds all combinations after a block that starts in a given one.
    fn leave(&mut self, encoding: &mut Encoding<'_>, point: Point, cube: &Cube) -> Option<()> {
        let mut premises = literals(&mut encoding.pool, self.at(point), cube);
        premises.extend_from_slice(self.known.list(point));
        let block = encoding.block(point);
        for exit in &block.exits {
            if let Target::Point(target) = exit.target {
                let mut premises = premises.clone();
                premises.extend(self.known.instances(&mut encoding.pool, point, exit));
                self.pass(encoding, premises, exit, target)?;
            }
        }
        Some(())
    }

    fn pass(
        &mut self,
        encoding: &mut Encoding<'_>,
        mut query: Vec<Term>,
        exit: &Exit,
        target: Point,
    ) -> Option<()> {
        query.push(exit.guard);
        let mut solutions = Solutions::new(query, after(encoding, exit, self.at(target)));
        for cube in self.cubes.get(&target).into_iter().flatten() {
            solutions.exclude(&mut encoding.pool, cube);
        }
        loop {
            self.queries = self.queries.checked_sub(1)?;
            let next = solutions.next(&mut encoding.pool, &mut self.solver, &self.limits).ok()?;
            let Some(cube) = next else { return Some(()) };
            self.add(target, cube);
            self.within_budget()?;
        }
    }

    fn within_budget(&self) -> Option<()> {
        (self.cubes.values().map(BTreeSet::len).sum::<usize>() <= self.most).then_some(())
    }
}
