//! The abstractor: the abstract post of a label along an exit, and whether exits can be taken at all.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Exit, Point, Target};
use rorqual_evidence::Stop;
use rorqual_inference::solutions::{Cube, Solutions, disjunction};
use rorqual_inference::{after, atoms_of};
use rorqual_logic::{Lifter, Term, TermPool};
use rorqual_solver::{BitVecSolver, Limits};

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
    /// The points at which there were too many combinations of predicates. There will not be fewer.
    crowded: BTreeSet<Point>,
    limits: Limits,
}

impl Abstractor {
    pub(super) fn new(config: &Predicate, limits: &Limits) -> Abstractor {
        Abstractor {
            config: config.clone(),
            solvers: BTreeMap::new(),
            lifter: Lifter::default(),
            known: HashMap::new(),
            crowded: BTreeSet::new(),
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

    /// `SP_Π`: the strongest formula over the predicates that holds behind an exit of the block at a point, if the label holds
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
        if let Target::Point(target) = exit.target
            && self.config.abstraction == Abstraction::Boolean
            && !self.crowded.contains(&target)
        {
            let atoms = atoms_of(encoding, predicates);
            let before = self.before(encoding, exit, &atoms);
            match self.combinations(&mut encoding.pool, step, before)? {
                Some(cubes) => return Ok(disjunction(&mut encoding.pool, &atoms, &cubes)),
                None => self.crowded.insert(target),
            };
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

    /// The predicates that hold behind a step, and those that do not. One query asks for a state in which any of those
    /// that are left has another value than before; the last one shows that there is none.
    fn cartesian(
        &mut self,
        pool: &mut TermPool,
        step: &Step,
        predicates: &[Term],
        before: &[Term],
    ) -> Result<Term, Stop> {
        let Some(first) = self.values(pool, step, before, None)? else { return Ok(pool.bottom()) };
        let mut left: Vec<(usize, bool)> = first.into_iter().enumerate().collect();
        while !left.is_empty() {
            let mut changes = Vec::new();
            for &(at, value) in &left {
                changes.push(if value { pool.not(before[at]) } else { before[at] });
            }
            let changed = pool.or(&changes);
            let Some(values) = self.values(pool, step, before, Some(changed))? else { break };
            left.retain(|&(at, value)| values.get(at) == Some(&value));
        }
        let mut known = Vec::new();
        for (at, value) in left {
            known.push(if value { predicates[at] } else { pool.not(predicates[at]) });
        }
        Ok(pool.and(&known))
    }

    /// The values of predicates in some state behind a step; those of no predicate if the solver gives up.
    fn values(
        &mut self,
        pool: &mut TermPool,
        step: &Step,
        before: &[Term],
        wanted: Option<Term>,
    ) -> Result<Option<Cube>, Stop> {
        let mut query = step.premises.clone();
        query.extend(wanted);
        let limits = self.query_limits();
        let found = Solutions::new(query, before.to_vec()).next(pool, self.solver(step.point), &limits);
        Stop::check(&self.limits)?;
        Ok(found.unwrap_or(Some(Cube::new())))
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
