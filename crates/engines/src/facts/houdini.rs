//! The largest inductive subset of candidates: whatever a model of a block violates is dropped, until nothing is.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Exit, Point, Runner, Target};
use rorqual_logic::{Evaluator, Op, Term};
use rorqual_solver::{Answer, BitVecSolver, Limits, Model};

use super::arrays::indices::{self, Values};
use super::samples::{Random, assignment};
use super::{Facts, values};

/// The queries of one call, and the conflicts of each: a budget that is the same on every machine.
const QUERIES: usize = 2_000;
const CONFLICTS: u32 = 20_000;
/// Where all candidates together are too hard, each is tried alone with so many conflicts.
const CONFLICTS_ALONE: u32 = 2_000;

type Candidates = BTreeMap<Point, Vec<Term>>;

/// After a model, so many random executions go on from it for so many blocks: what they violate is not inductive
/// either, and executing is cheaper than asking.
const WALKS: u64 = 3;
const WALK_BLOCKS: usize = 8;
/// Walks go on while a model with its walks drops this many candidates.
const WORTH_WALKING: usize = 6;

/// Those of the candidates that hold at their points, by induction together with each other and what is known.
pub(super) fn largest_inductive(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    known: &Facts,
    mut candidates: Candidates,
    queries: usize,
    limits: &Limits,
) -> Candidates {
    // Nothing is known of the state at the start, and candidates there would have to hold in any state.
    candidates.remove(&encoding.start());
    let mut indexed = BTreeSet::new();
    for &candidate in candidates.values().flatten() {
        if !indices::in_formula(&mut encoding.pool, candidate).is_empty() {
            indexed.insert(candidate);
        }
    }
    let mut houdini = Houdini {
        indexed,
        solver: BitVecSolver::new(),
        known,
        candidates,
        queries: QUERIES.min(queries),
        limits: limits.clone(),
        open: points.iter().copied().collect(),
        random: Random::new(1),
        walks: true,
    };
    while let Some(point) = houdini.open.pop_first() {
        let block = encoding.block(point);
        for exit in &block.exits {
            if let Target::Point(target) = exit.target {
                houdini.weed(encoding, point, exit, target);
            }
        }
    }
    houdini.candidates.retain(|_, list| !list.is_empty());
    houdini.candidates
}

struct Houdini<'k> {
    solver: BitVecSolver,
    known: &'k Facts,
    candidates: Candidates,
    /// The candidates that speak of all indices.
    indexed: BTreeSet<Term>,
    queries: usize,
    limits: Limits,
    /// Points whose blocks are to be looked at again.
    open: BTreeSet<Point>,
    random: Random,
    walks: bool,
}

impl Houdini<'_> {
    /// Drops the candidates of the target that an exit does not keep.
    fn weed(&mut self, encoding: &mut Encoding<'_>, from: Point, exit: &Exit, target: Point) {
        let updates: HashMap<Term, Term> =
            exit.updates.iter().map(|&(cell, value)| (encoding.cells().get(cell).symbol, value)).collect();
        let mut premises = [self.known.list(from), self.known.indexed(from)].concat();
        premises.push(exit.guard);
        let values = values(&mut encoding.pool, exit);
        while let Some(wanted) = self.candidates.get(&target).filter(|list| !list.is_empty()).cloned() {
            let after: Vec<Term> =
                wanted.iter().map(|&term| encoding.pool.substitute(term, &updates)).collect();
            match self.violation(encoding, &premises, (from, &values), &after, CONFLICTS) {
                Violation::None => return,
                Violation::Unknown => {
                    let mut kept = Vec::new();
                    for (&candidate, &after) in wanted.iter().zip(&after) {
                        let alone =
                            self.violation(encoding, &premises, (from, &values), &[after], CONFLICTS_ALONE);
                        kept.extend(matches!(alone, Violation::None).then_some(candidate));
                    }
                    if kept == wanted {
                        return;
                    }
                    self.candidates.insert(target, kept);
                    self.open.insert(target);
                }
                Violation::Found(model) => {
                    let before: usize = self.candidates.values().map(Vec::len).sum();
                    self.drop_violated(encoding, &model, target, &after);
                    if self.walks {
                        self.walk(encoding, &model, exit, target);
                        let now: usize = self.candidates.values().map(Vec::len).sum();
                        self.walks = before - now >= WORTH_WALKING;
                    }
                }
            }
        }
    }

    /// Looks for a way through the exit after which a candidate does not hold.
    fn violation(
        &mut self,
        encoding: &mut Encoding<'_>,
        premises: &[Term],
        (from, values): (Point, &Values),
        after: &[Term],
        conflicts: u32,
    ) -> Violation {
        let all = encoding.pool.and(after);
        let violated = encoding.pool.not(all);
        if encoding.pool.as_bool(violated) == Some(false) {
            return Violation::None;
        }
        // One conjunction: the solver is slow with thousands of assumptions.
        let mut assumed = self.candidates.get(&from).cloned().unwrap_or_default();
        let mut indexed = self.known.indexed(from).to_vec();
        indexed.extend(assumed.iter().copied().filter(|term| self.indexed.contains(term)));
        if !indexed.is_empty() {
            let values = values.with(&mut encoding.pool, after);
            assumed.extend(values.instances(&mut encoding.pool, &indexed));
        }
        let assumed = encoding.pool.and(&assumed);
        let mut assumptions = premises.to_vec();
        assumptions.extend([assumed, violated]);
        self.queries = self.queries.saturating_sub(1);
        if self.queries == 0 {
            return Violation::Unknown;
        }
        let limits = self.limits.clone().with_conflicts(conflicts);
        match self.solver.check(&mut encoding.pool, &assumptions, &limits) {
            Answer::Unsat(_) => Violation::None,
            Answer::Unknown(_) => Violation::Unknown,
            Answer::Sat(model) => Violation::Found(model),
        }
    }

    fn drop_violated(&mut self, encoding: &Encoding<'_>, model: &Model, target: Point, after: &[Term]) {
        let mut evaluator = Evaluator::new(&encoding.pool, model.assignment());
        let mut holds = after.iter().map(|&term| evaluator.holds(term));
        let list = self.candidates.get_mut(&target).expect("there are some");
        list.retain(|_| holds.next() == Some(true));
        self.open.insert(target);
    }

    /// Goes on from the state behind the exit at random.
    fn walk(&mut self, encoding: &mut Encoding<'_>, model: &Model, exit: &Exit, target: Point) {
        let mut cells = HashMap::new();
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
        for _ in 0..WALKS {
            let mut runner = Runner::at(target, cells.clone());
            for _ in 0..WALK_BLOCKS {
                let random = &mut self.random;
                if !runner.step(encoding, &mut |width| random.value(width, &[])) {
                    break;
                }
                self.drop_false(encoding, &runner, model);
            }
        }
    }

    /// Drops the candidates that do not hold where a runner is, for the indices of the model that it comes from.
    fn drop_false(&mut self, encoding: &mut Encoding<'_>, runner: &Runner, model: &Model) {
        let Some(list) = self.candidates.get_mut(&runner.point()) else { return };
        let mut state = assignment(encoding, runner.cells());
        indices::copy(&mut encoding.pool, model.assignment(), &mut state);
        let mut evaluator = Evaluator::new(&encoding.pool, &state);
        let before = list.len();
        list.retain(|&term| evaluator.holds(term));
        if list.len() < before {
            self.open.insert(runner.point());
        }
    }
}

/// What looking for a violation gives.
enum Violation {
    None,
    Found(Model),
    Unknown,
}
