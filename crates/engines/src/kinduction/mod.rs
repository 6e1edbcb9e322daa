//! k-induction after M. Sheeran, S. Singh, G. Stålmarck, *Checking Safety Properties Using Induction and a SAT-Solver*,
//! FMCAD 2000, over the blocks of a program: if no violation happens within `k` blocks of the start, and none happens
//! in the next block after `k` blocks without one, none ever happens.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Obstacle, Path, Point, Setting, Target};
use rorqual_evidence::{Answer, Event, Observer, Origin, Reason, Stop, Technique, Verdict, Violation};
use rorqual_inference::contracts::weaker_over;
use rorqual_inference::{Facts, MOST_POINTS, inductive, points, proof, suffice};
use rorqual_logic::{Op, Term};
use rorqual_solver::{Answer as Decided, BitVecSolver, GaveUp, Limits, Model};

use crate::inference::Inference;
use crate::registry::Engine;
use crate::task::Task;

/// The engine. It has no settings: `k` grows until the answer is known or a limit is reached.
#[derive(Debug, Clone, Copy, Default)]
pub struct KInduction;

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "kinduction"
    }

    fn summary(&self) -> &'static str {
        "k-induction: what holds for k blocks holds for the next one"
    }

    fn run(
        &self,
        task: &Task<'_>,
        inference: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Answer {
        observer.on(Event::Started { engine: self.name() });
        let encoding = task.encoding(Setting::default());
        let encoding = &mut *encoding.borrow_mut();
        let facts = inference.facts();
        let origin = Origin { with_facts: !facts.is_empty(), ..Technique::KInduction.into() };
        let Some(points) = points(encoding, MOST_POINTS) else {
            return Answer::with_origin(Verdict::Unknown(Reason::OutOfIdeas), origin);
        };
        let (solver, known) = (BitVecSolver::new(), HashMap::new());
        let mut search = Search { encoding, facts, points, solver, limits, known };
        let verdict = search.run(observer).unwrap_or_else(Verdict::from);
        Answer::with_origin(verdict, origin)
    }
}

struct Search<'s, 'p> {
    encoding: &'s mut Encoding<'p>,
    facts: &'s Facts,
    points: Vec<Point>,
    solver: BitVecSolver,
    limits: &'s Limits,
    /// [`Search::harmless`], by point, depth and number of blocks.
    known: HashMap<(Point, usize, usize), Term>,
}

impl Search<'_, '_> {
    fn run(&mut self, observer: &mut dyn Observer) -> Result<Verdict, Stop> {
        // Departure: what is not supported is refused, even if it is never reached.
        for &point in &self.points {
            let block = self.encoding.block(point);
            let mut targets = block.exits.iter().map(|exit| exit.target.clone());
            if let Some(Target::Unsupported(Obstacle { construct, span })) =
                targets.find(|target| matches!(target, Target::Unsupported(_)))
            {
                return Ok(Verdict::Unknown(Reason::Unsupported { construct, span }));
            }
        }
        for k in 0.. {
            observer.on(Event::Step { steps: k as u64 });
            let base = self.harmless(self.encoding.start(), 0, k);
            if let Some(model) = self.counterexample(&[], base)? {
                let trace = rorqual_encoding::trace(self.encoding, model.assignment());
                return Ok(Verdict::Unsafe(Violation::Trace(trace.ok_or_else(Stop::without_trace)?)));
            }
            if self.is_inductive(k)? {
                return Ok(self.proof(k));
            }
        }
        Ok(Verdict::Unknown(Reason::OutOfIdeas))
    }

    /// That no violation happens within so many blocks from a point that is `depth` blocks away from where a path
    /// starts, for all inputs.
    fn harmless(&mut self, point: Point, depth: usize, blocks: usize) -> Term {
        if let Some(&known) = self.known.get(&(point, depth, blocks)) {
            return known;
        }
        let mut claims = Vec::new();
        for exit in self.encoding.block(point).exits.iter().filter(|_| blocks > 0) {
            let after = match exit.target {
                Target::Point(target) => self.harmless(target, depth + 1, blocks - 1),
                Target::Error | Target::Unsupported(_) => self.encoding.pool.bottom(),
            };
            let mut updates = HashMap::new();
            for &(cell, value) in &exit.updates {
                updates.insert(self.encoding.cells().get(cell).symbol, self.at_depth(value, depth));
            }
            let (guard, after) =
                (self.at_depth(exit.guard, depth), self.encoding.pool.substitute(after, &updates));
            claims.push(self.encoding.pool.implies(guard, after));
        }
        let all = self.encoding.pool.and(&claims);
        self.known.insert((point, depth, blocks), all);
        all
    }

    /// A term of a block, with the inputs of a depth: all symbols that are not cells.
    fn at_depth(&mut self, term: Term, depth: usize) -> Term {
        let mut named = HashMap::new();
        for one in self.encoding.pool.free_variables(term) {
            if let Op::Symbol(symbol) = *self.encoding.pool.op(one)
                && self.encoding.cells().of_symbol(symbol).is_none()
            {
                named.insert(one, Path::own_symbol(self.encoding, one, depth));
            }
        }
        self.encoding.pool.substitute(term, &named)
    }

    /// Whether no violation within `k` blocks implies none within one more, at every point.
    fn is_inductive(&mut self, k: usize) -> Result<bool, Stop> {
        for point in self.points.clone() {
            let (premise, claim) = (self.harmless(point, 0, k), self.harmless(point, 0, k + 1));
            let fact = self.facts.at(&mut self.encoding.pool, point);
            if self.counterexample(&[fact, premise], claim)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A state and inputs for which a claim does not follow.
    fn counterexample(&mut self, premises: &[Term], claim: Term) -> Result<Option<Model>, Stop> {
        Stop::check(self.limits)?;
        let denied = self.encoding.pool.not(claim);
        match self.solver.check(&mut self.encoding.pool, &[premises, &[denied]].concat(), self.limits) {
            Decided::Sat(model) => Ok(Some(model)),
            Decided::Unsat(_) => Ok(None),
            Decided::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The proof: no violation happens within the next `k` blocks. Departure: the checker follows no quantifiers over
    /// inputs, so conditions on inputs count as what is worse, and what is left is proved to be inductive.
    fn proof(&mut self, k: usize) -> Verdict {
        let cells: BTreeSet<Term> = self.encoding.cells().iter().map(|(_, cell)| cell.symbol).collect();
        let mut claims = BTreeMap::new();
        for point in self.points.clone() {
            let claim = self.harmless(point, 0, k);
            let denied = self.encoding.pool.not(claim);
            let denied = weaker_over(&mut self.encoding.pool, denied, &cells);
            let claim = self.encoding.pool.not(denied);
            claims.insert(point, proof::conjuncts_of(&mut self.encoding.pool, &[claim]));
        }
        let (encoding, points, limits) = (&mut *self.encoding, &self.points, self.limits);
        let claims = inductive(encoding, points, self.facts, claims, limits);
        let mut facts = self.facts.clone();
        facts.add(&mut encoding.pool, claims);
        if suffice(encoding, &facts, points, limits)
            && let Some(invariant) = proof::of_facts(encoding, &facts, MOST_POINTS, limits)
        {
            return Verdict::Safe(invariant.into());
        }
        let reason = GaveUp::Unsupported("an invariant with quantifiers over inputs".to_owned());
        Verdict::Unknown(Reason::Solver(reason))
    }
}
