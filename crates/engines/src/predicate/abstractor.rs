//! The abstractor: the abstract post of a label along an exit, and whether exits can be taken at all.

use std::collections::{BTreeMap, HashMap};

use rorqual_encoding::{Encoding, Exit, Point};
use rorqual_evidence::Stop;
use rorqual_inference::solutions::{Cube, Solutions, disjunction, literals};
use rorqual_inference::{after, atoms_of};
use rorqual_logic::{Lifter, Term, TermPool};
use rorqual_solver::{BitVecSolver, GaveUp, Limits};

use super::config::{Abstraction, Predicate};

/// Beyond this many variables a solver is replaced by an empty one: most of them belong to labels of long ago.
const RENEW_AT: usize = 1_000_000;

/// An abstract post: the label, the exit of the block at a point, and the predicates behind it.
type Question = (Term, Point, usize, Vec<Term>);

pub(super) struct Abstractor {
    config: Predicate,
    /// One for each block, as queries about it are similar.
    solvers: BTreeMap<Point, BitVecSolver>,
    lifter: Lifter,
    known: HashMap<Question, Term>,
    limits: Limits,
}

impl Abstractor {
    pub(super) fn new(config: Predicate, limits: &Limits) -> Abstractor {
        Abstractor {
            config,
            solvers: BTreeMap::new(),
            lifter: Lifter::default(),
            known: HashMap::new(),
            limits: limits.clone(),
        }
    }

    /// Whether the exit can be taken from a state that the label allows; yes if the solver gives up.
    pub(super) fn is_possible(
        &mut self,
        encoding: &mut Encoding<'_>,
        label: Term,
        (point, exit): (Point, &Exit),
    ) -> Result<bool, Stop> {
        let premises = [label, self.lifter.lifted(&mut encoding.pool, exit.guard)];
        let limits = self.query_limits();
        let answer = self.solver(point).check(&mut encoding.pool, &premises, &limits);
        Stop::check(&self.limits)?;
        Ok(!answer.is_unsat())
    }

    /// SP_Π: the strongest formula over the predicates that holds behind an exit of the block at a point, if the label holds
    /// before it; with the weaker abstraction, a weaker one.
    pub(super) fn post(
        &mut self,
        encoding: &mut Encoding<'_>,
        label: Term,
        (point, number): (Point, usize),
        predicates: Vec<Term>,
    ) -> Result<Term, Stop> {
        let question = (label, point, number, predicates);
        if let Some(&known) = self.known.get(&question) {
            return Ok(known);
        }
        let block = encoding.block(point);
        let exit = &block.exits[number];
        let step = Step { premises: vec![label, self.lifter.lifted(&mut encoding.pool, exit.guard)], point };
        let post = self.abstraction(encoding, &step, exit, &question.3)?;
        self.known.insert(question, post);
        Ok(post)
    }

    fn abstraction(
        &mut self,
        encoding: &mut Encoding<'_>,
        step: &Step,
        exit: &Exit,
        predicates: &[Term],
    ) -> Result<Term, Stop> {
        if self.config.abstraction == Abstraction::Boolean {
            let atoms = atoms_of(encoding, predicates);
            let before = self.before(encoding, exit, &atoms);
            if let Some(cubes) = self.combinations(&mut encoding.pool, step, before)? {
                return Ok(disjunction(&mut encoding.pool, &atoms, &cubes));
            }
        }
        let before = self.before(encoding, exit, predicates);
        self.cartesian(&mut encoding.pool, step, predicates, &before)
    }

    /// What predicates behind the exit say before it.
    fn before(&mut self, encoding: &mut Encoding<'_>, exit: &Exit, predicates: &[Term]) -> Vec<Term> {
        let before = after(encoding, exit, predicates);
        before.into_iter().map(|predicate| self.lifter.lifted(&mut encoding.pool, predicate)).collect()
    }

    /// All combinations of predicates behind a step, unless there are too many.
    fn combinations(
        &mut self,
        pool: &mut TermPool,
        step: &Step,
        before: Vec<Term>,
    ) -> Result<Option<Vec<Cube>>, Stop> {
        let limits = self.query_limits();
        let most = self.config.combinations;
        let mut solutions = Solutions::new(step.premises.clone(), before);
        let mut cubes = Vec::new();
        loop {
            match solutions.next(pool, self.solver(step.point), &limits) {
                Ok(None) => return Ok(Some(cubes)),
                Ok(Some(cube)) if cubes.len() < most => cubes.push(cube),
                Ok(Some(_)) => return Ok(None),
                Err(_) => {
                    Stop::check(&self.limits)?;
                    return Ok(None);
                }
            }
        }
    }

    /// The predicates that hold behind a step, and those that do not.
    fn cartesian(
        &mut self,
        pool: &mut TermPool,
        step: &Step,
        predicates: &[Term],
        before: &[Term],
    ) -> Result<Term, Stop> {
        let limits = self.query_limits();
        let mut all = Solutions::new(step.premises.clone(), before.to_vec());
        let first = all.next(pool, self.solver(step.point), &limits);
        let Some(first) = self.answered(first)? else { return Ok(pool.bottom()) };
        let mut seen: Vec<Option<bool>> = first.into_iter().map(Some).collect();
        let mut known = Vec::new();
        for (at, &predicate) in predicates.iter().enumerate() {
            // A predicate that has had both values in models is neither.
            let Some(value) = seen[at] else { continue };
            let mut query = step.premises.clone();
            query.push(if value { pool.not(before[at]) } else { before[at] });
            let other = Solutions::new(query, before.to_vec()).next(pool, self.solver(step.point), &limits);
            match self.answered(other) {
                Ok(None) => known.extend(literals(pool, &[predicate], &vec![value])),
                Ok(Some(cube)) => {
                    for (seen, value) in seen.iter_mut().zip(cube) {
                        *seen = seen.filter(|&before| before == value);
                    }
                }
                Err(Stop::Solver(_)) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(pool.and(&known))
    }

    fn answered<T>(&self, answer: Result<T, GaveUp>) -> Result<T, Stop> {
        Stop::check(&self.limits)?;
        answer.map_err(Stop::from)
    }

    fn query_limits(&self) -> Limits {
        self.limits.clone().with_conflicts(self.config.conflicts)
    }

    fn solver(&mut self, point: Point) -> &mut BitVecSolver {
        let solver = self.solvers.entry(point).or_insert_with(BitVecSolver::for_similar_queries);
        if solver.variables() > RENEW_AT {
            *solver = BitVecSolver::for_similar_queries();
        }
        solver
    }
}

/// A step of the program from states of a label.
struct Step {
    /// The label, and the guard of the exit.
    premises: Vec<Term>,
    /// Whose block it is.
    point: Point,
}
