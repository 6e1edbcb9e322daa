//! A bounded search over the blocks of the program, for who wants to look ahead with the formulas that it has: after `k` steps, everything that can be reached is one
//! formula per point. Values are terms over the inputs, so what is constant stays constant.

use std::collections::{BTreeMap, HashMap};

use rorqual_encoding::{Block, CellId, Encoding, Exit, Obstacle, Path, Point, Setting, Target, Undefined};
use rorqual_evidence::{Event, Observer, Stop, Trace};
use rorqual_logic::{Op, Term};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits, Model};
use rorqual_source::Span;

use crate::task::Task;

/// How far a bounded search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ahead {
    /// At most so many blocks in an execution; without limit if absent.
    pub steps: Option<u64>,
    /// The search ends when it has made more terms than this: executions grow apart, and another engine will do better.
    pub terms: usize,
    /// At most so many queries.
    pub queries: usize,
    /// At most so many conflicts in each query; without limit if absent.
    pub conflicts: Option<u32>,
    /// What becomes of executions with undefined behaviour.
    pub undefined: Undefined,
}

impl Default for Ahead {
    fn default() -> Ahead {
        Ahead {
            steps: None,
            terms: 20_000_000,
            queries: usize::MAX,
            conflicts: None,
            undefined: Undefined::Ends,
        }
    }
}

impl Ahead {
    /// Searches for a violation.
    pub fn search(&self, task: &Task<'_>, limits: &Limits, observer: &mut dyn Observer) -> Outcome {
        let encoding = task.encoding(Setting { undefined: self.undefined, ..Setting::default() });
        let encoding = &mut *encoding.borrow_mut();
        let limits = self.conflicts.map_or(limits.clone(), |most| limits.clone().with_conflicts(most));
        let terms = encoding.pool.len().saturating_add(self.terms);
        let mut search = Search {
            encoding,
            solver: BitVecSolver::new(),
            steps: self.steps,
            terms,
            queries: self.queries,
            limits,
            obstacle: None,
        };
        search.run(observer).unwrap_or_else(Outcome::Stopped)
    }
}

/// How a bounded search ends.
#[derive(Debug)]
pub enum Outcome {
    /// A violation.
    Violation(Trace),
    /// Every execution ends within so many steps, and none violates the specification.
    Exhausted(u64),
    /// The bound is reached after this many steps, with executions that go on at a place.
    Bound(u64, Span),
    /// Something that is not supported can be reached.
    Unsupported(Obstacle),
    /// A limit is reached.
    Stopped(Stop),
}

/// What holds when control is at a point after some steps.
#[derive(Debug, Clone)]
struct Arrival {
    guard: Term,
    cells: HashMap<CellId, Term>,
}

struct Search<'e, 'p> {
    encoding: &'e mut Encoding<'p>,
    solver: BitVecSolver,
    steps: Option<u64>,
    /// The search ends when the pool has more terms than this.
    terms: usize,
    /// How many questions may still be asked.
    queries: usize,
    limits: Limits,
    obstacle: Option<Obstacle>,
}

impl Search<'_, '_> {
    fn run(&mut self, observer: &mut dyn Observer) -> Result<Outcome, Stop> {
        let guard = self.encoding.pool.top();
        let mut frontier =
            BTreeMap::from([(self.encoding.start(), Arrival { guard, cells: HashMap::new() })]);
        let mut step = 0;
        loop {
            if frontier.is_empty() {
                return Ok(self.obstacle.take().map_or(Outcome::Exhausted(step), Outcome::Unsupported));
            }
            let place = self.encoding.span(*frontier.keys().next().expect("it is not empty"));
            if self.steps.is_some_and(|bound| step >= bound) || self.encoding.pool.len() > self.terms {
                return Ok(Outcome::Bound(step, place));
            }
            observer.on(Event::Step { steps: step });
            match self.step(&frontier, step as usize)? {
                Ok(next) => frontier = next,
                Err(trace) => return Ok(Outcome::Violation(trace)),
            }
            step += 1;
        }
    }

    /// One block further: where control can be then, or a violation on the way.
    fn step(
        &mut self,
        frontier: &BTreeMap<Point, Arrival>,
        position: usize,
    ) -> Result<Result<BTreeMap<Point, Arrival>, Trace>, Stop> {
        let mut next: BTreeMap<Point, Arrival> = BTreeMap::new();
        let mut errors = Vec::new();
        for (&point, arrival) in frontier {
            Stop::check(&self.limits)?;
            let block = self.encoding.block(point);
            let values = self.values(arrival, &block, position);
            for exit in &block.exits {
                let condition = self.encoding.pool.substitute(exit.guard, &values);
                let guard = self.encoding.pool.and2(arrival.guard, condition);
                match &exit.target {
                    _ if self.encoding.pool.as_bool(guard) == Some(false) => {}
                    Target::Error => errors.push(guard),
                    Target::Unsupported(obstacle) => self.meet_obstacle(obstacle, guard)?,
                    Target::Point(target) => self.arrive(&mut next, *target, guard, exit, arrival, &values),
                }
            }
        }
        if let Some(trace) = self.violation(&errors)? {
            return Ok(Err(trace));
        }
        self.prune(&mut next)?;
        Ok(Ok(next))
    }

    /// What the symbols of a block stand for.
    fn values(&mut self, arrival: &Arrival, block: &Block, position: usize) -> HashMap<Term, Term> {
        let mut roots = Vec::new();
        for exit in &block.exits {
            roots.push(exit.guard);
            roots.extend(exit.updates.iter().map(|&(_, value)| value));
        }
        let mut values = HashMap::new();
        for term in self.encoding.pool.subterms(&roots) {
            let Op::Symbol(symbol) = *self.encoding.pool.op(term) else { continue };
            let value = match self.encoding.cells().of_symbol(symbol) {
                Some(cell) => arrival.cells.get(&cell).copied().unwrap_or(term),
                None => Path::own_symbol(self.encoding, term, position),
            };
            values.insert(term, value);
        }
        values
    }

    fn arrive(
        &mut self,
        next: &mut BTreeMap<Point, Arrival>,
        target: Point,
        guard: Term,
        exit: &Exit,
        from: &Arrival,
        values: &HashMap<Term, Term>,
    ) {
        let mut cells = from.cells.clone();
        for &(cell, value) in &exit.updates {
            cells.insert(cell, self.encoding.pool.substitute(value, values));
        }
        let merged = match next.remove(&target) {
            None => Arrival { guard, cells },
            Some(other) => self.meet(&Arrival { guard, cells }, &other),
        };
        next.insert(target, merged);
    }

    /// One arrival for two that exclude each other.
    fn meet(&mut self, one: &Arrival, other: &Arrival) -> Arrival {
        let mut cells = HashMap::new();
        let names: std::collections::BTreeSet<CellId> =
            one.cells.keys().chain(other.cells.keys()).copied().collect();
        for cell in names {
            let initial = self.encoding.cells().get(cell).symbol;
            let then = one.cells.get(&cell).copied().unwrap_or(initial);
            let otherwise = other.cells.get(&cell).copied().unwrap_or(initial);
            cells.insert(cell, self.encoding.pool.ite(one.guard, then, otherwise));
        }
        Arrival { guard: self.encoding.pool.or2(one.guard, other.guard), cells }
    }

    fn is_possible(&mut self, guard: Term) -> Result<bool, Stop> {
        match self.encoding.pool.as_bool(guard) {
            Some(known) => Ok(known),
            None => Ok(self.ask(guard)?.is_some()),
        }
    }

    /// A model, if there is one.
    fn ask(&mut self, formula: Term) -> Result<Option<Model>, Stop> {
        self.queries = self.queries.checked_sub(1).ok_or(Stop::Solver(GaveUp::Conflicts))?;
        match self.solver.check(&mut self.encoding.pool, &[formula], &self.limits) {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    fn meet_obstacle(&mut self, obstacle: &Obstacle, guard: Term) -> Result<(), Stop> {
        if self.obstacle.is_none() && self.is_possible(guard)? {
            self.obstacle = Some(obstacle.clone());
        }
        Ok(())
    }

    fn violation(&mut self, errors: &[Term]) -> Result<Option<Trace>, Stop> {
        let any = self.encoding.pool.or(errors);
        if self.encoding.pool.as_bool(any) == Some(false) {
            return Ok(None);
        }
        let Some(model) = self.ask(any)? else { return Ok(None) };
        let trace = rorqual_encoding::trace(self.encoding, model.assignment());
        trace.map(Some).ok_or_else(Stop::without_trace)
    }

    /// Drops what cannot be reached.
    fn prune(&mut self, next: &mut BTreeMap<Point, Arrival>) -> Result<(), Stop> {
        for (point, arrival) in std::mem::take(next) {
            if self.is_possible(arrival.guard)? {
                next.insert(point, arrival);
            }
        }
        Ok(())
    }
}
