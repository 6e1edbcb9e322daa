//! The obligations of invariants at points: whatever exit a block is left by, what holds at its start must lead to what
//! holds at the target.

use std::collections::{BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Exit, Point, Runner, Target};
use rorqual_logic::{Evaluator, Op, Term, TermPool};
use rorqual_solver::{Limits, Model};

use crate::arrays::indices::{self, Instances, Values};
use crate::facts::{Facts, values};
use crate::houdini;
use crate::obligations::{Lists, Obligations, Premise, Site};
use crate::samples::{Random, State, assignment};

budget! {
    /// How far random executions go on from a model of Houdini. What they violate is not inductive either, and executing is
    /// cheaper than asking the solver.
    pub struct Walks {
        /// At most 3 executions from each model, with different inputs.
        pub runs: u64 = 3,
        /// At most 8 blocks in each: candidates are evaluated after every block.
        pub blocks: usize = 8,
        /// There are walks as long as each model with its walks drops 6 candidates, else solving is as cheap.
        pub worthwhile: usize = 6,
    }
}

/// Those of the candidates that hold at their points, by induction together with each other and what is known.
pub(crate) fn largest_inductive(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    known: &Facts,
    mut candidates: Lists<Point>,
    (budget, walks): (houdini::Budget, Walks),
    limits: &Limits,
) -> Lists<Point> {
    // Nothing is known of the state at the start, and candidates there would have to hold in any state.
    candidates.remove(&encoding.start());
    let mut obligations = AtPoints::new(points.iter().copied(), known, Some(walks));
    // An interrupted run has proved nothing.
    houdini::largest_inductive(encoding, &mut obligations, candidates, budget, limits).unwrap_or_default()
}

/// Those of the candidates that are inductive together with the facts, within the usual budgets.
pub fn inductive(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    known: &Facts,
    candidates: Lists<Point>,
    limits: &Limits,
) -> Lists<Point> {
    let budgets = (houdini::Budget::default(), Walks::default());
    largest_inductive(encoding, points, known, candidates, budgets, limits)
}

/// The obligations at points. A step is an exit of the block at a point, by its number.
pub(crate) struct AtPoints<'k> {
    points: BTreeSet<Point>,
    known: &'k Facts,
    /// The indices of arrays in exits.
    values: HashMap<(Point, usize), Values>,
    /// Whether formulas mention index symbols.
    are_indexed: HashMap<Term, bool>,
    /// What they say of indices.
    instances: Instances,
    random: Random,
    /// None once walks are not worthwhile any more.
    walks: Option<Walks>,
}

impl<'k> AtPoints<'k> {
    pub(crate) fn new(
        points: impl Iterator<Item = Point>,
        known: &'k Facts,
        walks: Option<Walks>,
    ) -> AtPoints<'k> {
        AtPoints {
            points: points.collect(),
            known,
            values: HashMap::new(),
            are_indexed: HashMap::new(),
            instances: Instances::default(),
            random: Random::new(1),
            walks,
        }
    }

    fn is_indexed(&mut self, pool: &mut TermPool, formula: Term) -> bool {
        *self.are_indexed.entry(formula).or_insert_with(|| !indices::in_formula(pool, formula).is_empty())
    }

    /// Goes on at random from the state behind an exit; the points where candidates were dropped.
    fn walk(
        &mut self,
        encoding: &mut Encoding<'_>,
        model: &Model,
        exit: &Exit,
        target: Point,
        (walks, lists): (Walks, &mut Lists<Point>),
    ) -> Vec<Point> {
        let cells = state_behind(encoding, model, exit);
        let mut shrunk = Vec::new();
        for _ in 0..walks.runs {
            let mut runner = Runner::at(target, cells.clone());
            for _ in 0..walks.blocks {
                let random = &mut self.random;
                if !runner.step(encoding, &mut |width| random.value(width, &[])) {
                    break;
                }
                shrunk.extend(drop_false(encoding, &runner, model, lists));
            }
        }
        shrunk
    }
}

impl Obligations for AtPoints<'_> {
    type List = Point;
    type Step = (Point, usize);

    fn steps(&self, encoding: &mut Encoding<'_>) -> Vec<(Point, usize)> {
        let mut steps = Vec::new();
        for &point in &self.points {
            steps.extend((0..encoding.block(point).exits.len()).map(|exit| (point, exit)));
        }
        steps
    }

    /// Nobody has looked at other points, because no execution gets there.
    fn conclusion(&self, encoding: &mut Encoding<'_>, (point, exit): (Point, usize)) -> Option<Point> {
        match encoding.block(point).exits[exit].target {
            Target::Point(target) => Some(target).filter(|target| self.points.contains(target)),
            Target::Error | Target::Unsupported(_) => None,
        }
    }

    fn assumed(&self, _encoding: &mut Encoding<'_>, (point, _): (Point, usize)) -> Vec<Point> {
        vec![point]
    }

    fn premises(
        &mut self,
        encoding: &mut Encoding<'_>,
        (point, exit): (Point, usize),
        lists: &Lists<Point>,
        goals: &[Term],
    ) -> Vec<Premise<Point>> {
        let own =
            lists.get(&point).into_iter().flatten().map(|&conjunct| (conjunct, Some((point, conjunct))));
        let known = self.known.uncombined(point).map(|conjunct| (conjunct, None));
        let mut premises: Vec<Premise<Point>> = own.chain(known).collect();
        let pool = &mut encoding.pool;
        let mut indexed = premises.clone();
        indexed.retain(|&(formula, _)| self.is_indexed(pool, formula));
        if !indexed.is_empty() {
            let block = encoding.block(point);
            let pool = &mut encoding.pool;
            let values = self.values.entry((point, exit)).or_insert_with(|| values(pool, &block.exits[exit]));
            let values = values.with(pool, goals);
            for (formula, from) in indexed {
                let instances = values.known_instances(pool, &[formula], &mut self.instances).into_iter();
                premises.extend(instances.filter(|&one| one != formula).map(|instance| (instance, from)));
            }
        }
        premises
    }

    fn sites(
        &self,
        encoding: &mut Encoding<'_>,
        (point, exit): (Point, usize),
        conjuncts: &[Term],
    ) -> Vec<Site> {
        let exit = &encoding.block(point).exits[exit];
        let updates = updates(encoding, exit);
        let here = conjuncts.iter().map(|&conjunct| encoding.pool.substitute(conjunct, &updates)).collect();
        vec![(exit.guard, here)]
    }

    fn drop_more(
        &mut self,
        encoding: &mut Encoding<'_>,
        (point, exit): (Point, usize),
        model: &Model,
        lists: &mut Lists<Point>,
        dropped: usize,
    ) -> Vec<Point> {
        let exit = &encoding.block(point).exits[exit];
        let (Some(walks), &Target::Point(target)) = (self.walks, &exit.target) else { return Vec::new() };
        let before: usize = lists.values().map(Vec::len).sum();
        let shrunk = self.walk(encoding, model, exit, target, (walks, lists));
        let now: usize = lists.values().map(Vec::len).sum();
        if before - now + dropped < walks.worthwhile {
            self.walks = None;
        }
        shrunk
    }
}

/// What the symbols of cells become by an exit.
pub(crate) fn updates(encoding: &Encoding<'_>, exit: &Exit) -> HashMap<Term, Term> {
    exit.updates.iter().map(|&(cell, value)| (encoding.cells().get(cell).symbol, value)).collect()
}

/// What formulas at the target of an exit say about the state before it: their weakest preconditions, but for the guard.
pub fn after(encoding: &mut Encoding<'_>, exit: &Exit, formulas: &[Term]) -> Vec<Term> {
    let updates = updates(encoding, exit);
    formulas.iter().map(|&formula| encoding.pool.substitute(formula, &updates)).collect()
}

/// The state behind an exit in a model.
fn state_behind(encoding: &Encoding<'_>, model: &Model, exit: &Exit) -> State {
    let mut cells = State::new();
    for (id, cell) in encoding.cells().iter() {
        if let Op::Symbol(symbol) = *encoding.pool.op(cell.symbol)
            && let Some(value) = model.assignment().get(symbol)
        {
            cells.insert(id, value.clone());
        }
    }
    let mut evaluator = Evaluator::new(&encoding.pool, model.assignment());
    for &(cell, value) in &exit.updates {
        cells.insert(cell, evaluator.value(value).clone());
    }
    cells
}

/// Drops the candidates that do not hold where a runner is, for the indices of the model that it comes from; that point,
/// if there were any.
fn drop_false(
    encoding: &mut Encoding<'_>,
    runner: &Runner,
    model: &Model,
    lists: &mut Lists<Point>,
) -> Option<Point> {
    let list = lists.get_mut(&runner.point())?;
    let mut state = assignment(encoding, runner.cells());
    indices::copy(&mut encoding.pool, model.assignment(), &mut state);
    let mut evaluator = Evaluator::new(&encoding.pool, &state);
    let before = list.len();
    list.retain(|&term| evaluator.holds(term));
    (list.len() < before).then(|| runner.point())
}
