//! Steps: the blocks of the program as queries about one step from a set of states to another.

use std::collections::{BTreeMap, HashMap};

use rorqual_encoding::{Encoding, Point, Target};
use rorqual_inference::Facts;
use rorqual_logic::{Lifter, Sort, Term};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits, Model};

use super::vocabulary::Cube;

/// A way from a point to another one, or to a violation. What is not supported must not be reached either.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) from: Point,
    /// The exit of the block there.
    exit: usize,
    /// Where it leads; a violation if there is none.
    pub(super) to: Option<Point>,
    /// When it is taken.
    pub(super) guard: Term,
    /// What is known where it starts.
    known: Term,
    updates: HashMap<Term, Term>,
    /// What literals behind the step say at its start.
    before: HashMap<Term, Term>,
    lifter: Lifter,
}

/// What one step from some states can lead to.
pub(super) enum Reach {
    /// Not the cube, because of these literals of it.
    Never(Cube),
    /// The cube.
    Reached(Model),
}

/// All steps of a program, and solvers that know what is blocked where they start.
pub(super) struct Steps {
    pub(super) all: Vec<Step>,
    solvers: BTreeMap<Point, BitVecSolver>,
    /// Under which names the solver of a point knows what is blocked there, level by level.
    names: BTreeMap<Point, Vec<Term>>,
    queries: usize,
    limits: Limits,
}

impl Steps {
    pub(super) fn of(
        encoding: &mut Encoding<'_>,
        points: &[Point],
        facts: &Facts,
        queries: usize,
        limits: Limits,
    ) -> Steps {
        let mut all = Vec::new();
        for &from in points {
            let block = encoding.block(from);
            for (number, exit) in block.exits.iter().enumerate() {
                let to = match exit.target {
                    Target::Point(point) => Some(point),
                    Target::Error | Target::Unsupported(_) => None,
                };
                let symbol = |cell| encoding.cells().get(cell).symbol;
                let updates = exit.updates.iter().map(|&(cell, value)| (symbol(cell), value)).collect();
                let known = facts.along(&mut encoding.pool, from, exit);
                let mut lifter = Lifter::default();
                let guard = lifter.lifted(&mut encoding.pool, exit.guard);
                all.push(Step {
                    from,
                    exit: number,
                    to,
                    guard,
                    known,
                    updates,
                    before: HashMap::new(),
                    lifter,
                });
            }
        }
        let solvers = points.iter().map(|&point| (point, BitVecSolver::for_similar_queries())).collect();
        Steps { all, solvers, names: BTreeMap::new(), queries, limits }
    }

    /// Where a step starts, and the exit that it takes.
    pub(super) fn exit(&self, step: usize) -> (Point, usize) {
        (self.all[step].from, self.all[step].exit)
    }

    /// The name under which what is blocked at a point on a level is known.
    fn name(&mut self, encoding: &mut Encoding<'_>, point: Point, level: usize) -> Term {
        let names = self.names.entry(point).or_default();
        while names.len() <= level {
            names.push(encoding.pool.fresh_symbol("level", Sort::Bool));
        }
        names[level]
    }

    /// From now on a cube is blocked at a point on a level.
    pub(super) fn block(
        &mut self,
        encoding: &mut Encoding<'_>,
        point: Point,
        level: usize,
        cube: &Cube,
    ) -> Result<(), GaveUp> {
        let name = self.name(encoding, point, level);
        let clause = clause(encoding, cube);
        let formula = encoding.pool.implies(name, clause);
        let Some(solver) = self.solvers.get_mut(&point) else { return Ok(()) };
        solver.assert_for_ever(&mut encoding.pool, formula, &self.limits)
    }

    /// Whether a step leads to a cube, from states that are blocked on no level from the given one up to the highest.
    pub(super) fn reach(
        &mut self,
        encoding: &mut Encoding<'_>,
        step: usize,
        levels: std::ops::RangeInclusive<usize>,
        cube: &Cube,
    ) -> Result<Reach, GaveUp> {
        self.queries = self.queries.checked_sub(1).ok_or(GaveUp::Conflicts)?;
        let from = self.all[step].from;
        let mut query: Vec<Term> = levels.map(|level| self.name(encoding, from, level)).collect();
        query.extend([self.all[step].known, self.all[step].guard]);
        if self.all[step].to == Some(from) {
            query.push(clause(encoding, cube));
        }
        let literals = self.before(encoding, step, cube);
        query.extend(literals.iter().map(|&(_, before)| before));
        let solver = self.solvers.get_mut(&from).expect("each point has one");
        match solver.check(&mut encoding.pool, &query, &self.limits) {
            Answer::Sat(model) => Ok(Reach::Reached(model)),
            Answer::Unsat(core) => {
                let core = core.assumptions();
                let needed = literals.iter().filter(|(_, before)| core.contains(before));
                Ok(Reach::Never(needed.map(|&(literal, _)| literal).collect()))
            }
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// What the literals of a cube behind a step say at its start.
    pub(super) fn before(
        &mut self,
        encoding: &mut Encoding<'_>,
        step: usize,
        cube: &Cube,
    ) -> Vec<(Term, Term)> {
        let Step { before, updates, lifter, .. } = &mut self.all[step];
        let mut said = |&literal: &Term| {
            *before.entry(literal).or_insert_with(|| {
                let said = encoding.pool.substitute(literal, updates);
                lifter.lifted(&mut encoding.pool, said)
            })
        };
        cube.iter().map(|literal| (*literal, said(literal))).collect()
    }
}

/// That a state is not in a cube.
pub(super) fn clause(encoding: &mut Encoding<'_>, cube: &Cube) -> Term {
    let literals: Vec<Term> = cube.iter().copied().collect();
    let all = encoding.pool.and(&literals);
    encoding.pool.not(all)
}
