//! Bounded model checking by symbolic execution (after Clarke, Kroening and Lerda, *A Tool for Checking ANSI-C Programs*,
//! TACAS 2004): the program is unwound up to bounds, and one formula says how it fails within them. The bounds grow until
//! there is a violation, or until nothing is left behind them: then the program is safe.
//!
//! | in the literature | here |
//! |---|---|
//! | symbolic execution of the unwound program | `rorqual_symbolic::Executor::execute` |
//! | verification condition | [`Search::violation`] |
//! | unwinding assertion | a `Cut`: a loop that may go on behind its bound |
//!
//! Departure: bounds grow by themselves, and a loop is left as soon as the solver knows that it cannot go on.

use std::collections::BTreeMap;

use rorqual_cfa::{FunctionId, LocationId, Program};
use rorqual_evidence::{
    Answer as Found, Claim, Event, Observer, Reason, Stop, Technique, Verdict, Violation,
};
use rorqual_logic::Term;
use rorqual_solver::{Answer, GaveUp, Limits, Model};
use rorqual_source::Span;
use rorqual_symbolic::{Bounds, Executor, Failure, Outcome};

use crate::inference::Inference;
use crate::registry::Engine;
use crate::task::Task;

/// How far loops are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bmc {
    /// The first bound of loops and recursion that inputs decide about.
    pub first: u64,
    /// The last bound; without limit if absent.
    pub last: Option<u64>,
    /// Bounds of single loops, by their names; these do not grow.
    pub loops: BTreeMap<String, u64>,
    /// How many calls may be active at once.
    pub depth: usize,
    /// At most so many edges are executed for one bound.
    pub edges: u64,
    /// The solver is asked at most so often whether a loop can go on; without limit if absent.
    pub queries: Option<u64>,
    /// At most so many conflicts for each of these questions.
    pub feasibility: u32,
    /// At most so many terms are made.
    pub terms: usize,
    /// At most so many conflicts in each query; without limit if absent.
    pub conflicts: Option<u32>,
}

/// Each bound is so many times the one before.
const GROWTH: u64 = 4;
/// Where inputs do not decide, executions are cheap: so many times more iterations.
const DECIDED: u64 = 256;

impl Default for Bmc {
    fn default() -> Bmc {
        Bmc {
            first: 4,
            last: None,
            loops: BTreeMap::new(),
            depth: 10_000,
            edges: u64::MAX,
            queries: None,
            feasibility: 2_000,
            terms: 50_000_000,
            conflicts: None,
        }
    }
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn summary(&self) -> &'static str {
        "bounded model checking: executions with more and more iterations, until all are known"
    }

    fn run(
        &self,
        task: &Task<'_>,
        _: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Found {
        observer.on(Event::Started { engine: self.name() });
        let mut further = Vec::new();
        let verdict = self.search(task, limits, &mut further, observer).unwrap_or_else(Verdict::from);
        Found { further, ..Found::new(verdict, Technique::BoundedSearch) }
    }
}

impl Bmc {
    /// Searches a program.
    fn search(
        &self,
        task: &Task<'_>,
        limits: &Limits,
        further: &mut Vec<Violation>,
        observer: &mut dyn Observer,
    ) -> Result<Verdict, Stop> {
        let program = task.searched;
        let limits = self.conflicts.map_or(limits.clone(), |most| limits.clone().with_conflicts(most));
        let mut search = Search { executor: Executor::new(program), limits };
        let loops = match self.named_bounds(program) {
            Ok(loops) => loops,
            Err(name) => {
                let construct = format!("a bound for the loop `{name}`, which the program does not have,");
                return Ok(Verdict::Unknown(Reason::Unsupported { construct, span: Span::NONE }));
            }
        };
        let mut bound = self.first;
        loop {
            observer.on(Event::Step { steps: bound });
            let bounds = Bounds {
                undecided: bound,
                decided: bound.saturating_mul(DECIDED),
                loops: loops.clone(),
                depth: self.depth,
                edges: self.edges,
                terms: self.terms,
                queries: self.queries.unwrap_or(u64::MAX),
                conflicts: self.feasibility,
                ..Bounds::default()
            };
            let outcome = search.executor.execute(&bounds, &search.limits)?;
            let mut open: Vec<&Failure> = outcome.failures.iter().collect();
            if let Some(violation) = search.violation(&outcome, &mut open)? {
                while task.wants_all && !open.is_empty() {
                    // What is not found in time is searched again, without those that are known then.
                    let Ok(Some(another)) = search.violation(&outcome, &mut open) else { break };
                    further.push(another);
                }
                return Ok(Verdict::Unsafe(violation));
            }
            if outcome.cuts.is_empty() {
                return search.proof(outcome);
            }
            let is_fixed =
                outcome.cuts.iter().all(|(cut, _)| loops.contains_key(&(cut.function, cut.location)));
            let is_last = is_fixed || self.last.is_some_and(|last| bound >= last);
            if is_last || search.executor.is_spent() {
                return Ok(Verdict::Unknown(bounded(program, &outcome)));
            }
            let next = bound.saturating_mul(GROWTH);
            bound = self.last.map_or(next, |last| next.min(last));
        }
    }
}

impl Bmc {
    /// The bounds of single loops; the first name that no loop has if there is one.
    fn named_bounds(&self, program: &Program) -> Result<BTreeMap<(FunctionId, LocationId), u64>, String> {
        let known = if self.loops.is_empty() { Vec::new() } else { rorqual_symbolic::loops(program) };
        let mut bounds = BTreeMap::new();
        for (name, &bound) in &self.loops {
            let found = known.iter().find(|one| one.name == *name).ok_or_else(|| name.clone())?;
            bounds.insert((found.function, found.head), bound);
        }
        Ok(bounds)
    }
}

/// What is known if executions go on behind the bounds.
pub(crate) fn bounded(program: &Program, outcome: &Outcome) -> Reason {
    let mut loops: Vec<(Span, u64)> = Vec::new();
    for (cut, _) in &outcome.cuts {
        let span = program.span_at(cut.function, cut.location);
        match loops.iter_mut().find(|(known, _)| *known == span) {
            Some((_, count)) => *count = (*count).min(cut.count),
            None => loops.push((span, cut.count)),
        }
    }
    Reason::Bound { loops }
}

/// A search with what was executed so far.
pub(crate) struct Search<'p> {
    pub(crate) executor: Executor<'p>,
    pub(crate) limits: Limits,
}

impl Search<'_> {
    /// An execution without undefined behaviour that ends in a failure that is open. Failures of its property are not any
    /// more then.
    pub(crate) fn violation(
        &mut self,
        outcome: &Outcome,
        open: &mut Vec<&Failure>,
    ) -> Result<Option<Violation>, Stop> {
        let failing: Vec<Term> = open.iter().map(|failure| failure.guard).collect();
        let fails = self.executor.pool.or(&failing);
        let Some(mut model) = self.ask(fails)? else { return Ok(None) };
        let undefined: Vec<Term> = outcome.hazards.iter().map(|&(_, when)| when).collect();
        let is_undefined = self.executor.pool.or(&undefined);
        if model.satisfies(&self.executor.pool, is_undefined) {
            let is_defined = self.executor.pool.not(is_undefined);
            let both = self.executor.pool.and2(fails, is_defined);
            let Some(better) = self.ask(both)? else { return Ok(None) };
            model = better;
        }
        let happens = |failure: &&Failure| model.satisfies(&self.executor.pool, failure.guard);
        let failure = *open.iter().find(|failure| happens(failure)).ok_or_else(Stop::without_trace)?;
        open.retain(|other| (&other.error, other.span) != (&failure.error, failure.span));
        let trace = self.executor.trace(outcome, failure, model.assignment());
        Ok(Some(Violation::Trace(trace)))
    }

    /// All executions are known: the program is safe unless one of them meets something that cannot be followed.
    pub(crate) fn proof(&mut self, outcome: Outcome) -> Result<Verdict, Stop> {
        self.proof_given(outcome, &[])
    }

    /// The same, if some conditions are known to hold.
    pub(crate) fn proof_given(&mut self, outcome: Outcome, given: &[Term]) -> Result<Verdict, Stop> {
        for (obstacle, when) in &outcome.obstacles {
            if self.ask_given(*when, given)?.is_some() {
                let (construct, span) = (obstacle.construct.clone(), obstacle.span);
                return Ok(Verdict::Unknown(Reason::Unsupported { construct, span }));
            }
        }
        Ok(Verdict::Safe(Claim::Unwinding(outcome.unwinding)))
    }

    fn ask(&mut self, condition: Term) -> Result<Option<Model>, Stop> {
        self.ask_given(condition, &[])
    }

    fn ask_given(&mut self, condition: Term, given: &[Term]) -> Result<Option<Model>, Stop> {
        if self.executor.pool.as_bool(condition) == Some(false) {
            return Ok(None);
        }
        match self.executor.ask(&[&[condition], given].concat(), &self.limits)? {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(reason @ GaveUp::Conflicts) => Err(Stop::Solver(reason)),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }
}
