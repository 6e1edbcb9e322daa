//! The largest inductive subset of candidates: whatever a model of a block violates is dropped, until nothing is.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Exit, Point, Target};
use rorqual_logic::{Evaluator, Term};
use rorqual_solver::{Answer, BitVecSolver, Limits};

use super::Facts;

/// The queries of one call, and the conflicts of each: a budget that is the same on every machine.
const QUERIES: usize = 2_000;
const CONFLICTS: u32 = 20_000;

type Candidates = BTreeMap<Point, Vec<Term>>;

/// Those of the candidates that hold at their points, by induction together with each other and what is known.
pub(super) fn largest_inductive(
    encoding: &mut Encoding<'_>,
    points: &[Point],
    known: &Facts,
    mut candidates: Candidates,
    limits: &Limits,
) -> Candidates {
    // Nothing is known of the state at the start, and candidates there would have to hold in any state.
    candidates.remove(&encoding.start());
    let mut houdini =
        Houdini { solver: BitVecSolver::new(), known, candidates, queries: QUERIES, limits: limits.clone() };
    let mut open: BTreeSet<Point> = points.iter().copied().collect();
    while let Some(point) = open.pop_first() {
        let block = encoding.block(point);
        for exit in &block.exits {
            if let Target::Point(target) = exit.target
                && houdini.weed(encoding, point, exit, target)
            {
                open.insert(target);
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
    queries: usize,
    limits: Limits,
}

impl Houdini<'_> {
    /// Drops the candidates of the target that an exit does not keep; whether there were any.
    fn weed(&mut self, encoding: &mut Encoding<'_>, from: Point, exit: &Exit, target: Point) -> bool {
        let updates: HashMap<Term, Term> =
            exit.updates.iter().map(|&(cell, value)| (encoding.cells().get(cell).symbol, value)).collect();
        let mut premises = self.known.list(from).to_vec();
        premises.push(exit.guard);
        let mut weeded = false;
        loop {
            let wanted = self.candidates.get(&target).cloned().unwrap_or_default();
            let after: Vec<Term> =
                wanted.iter().map(|&term| encoding.pool.substitute(term, &updates)).collect();
            let Some(kept) = self.counterexample(encoding, &premises, from, &wanted, &after) else {
                return weeded;
            };
            weeded = true;
            self.candidates.insert(target, kept);
        }
    }

    /// What is left after a violation of the candidates was found; nothing if there is none.
    fn counterexample(
        &mut self,
        encoding: &mut Encoding<'_>,
        premises: &[Term],
        from: Point,
        wanted: &[Term],
        after: &[Term],
    ) -> Option<Vec<Term>> {
        let all = encoding.pool.and(after);
        let violated = encoding.pool.not(all);
        if encoding.pool.as_bool(violated) == Some(false) {
            return None;
        }
        let mut assumptions = premises.to_vec();
        assumptions.extend(self.candidates.get(&from).into_iter().flatten());
        assumptions.push(violated);
        self.queries = self.queries.saturating_sub(1);
        if self.queries == 0 {
            return Some(Vec::new());
        }
        let limits = self.limits.clone().with_conflicts(CONFLICTS);
        match self.solver.check(&mut encoding.pool, &assumptions, &limits) {
            Answer::Unsat(_) => None,
            Answer::Unknown(_) => Some(Vec::new()),
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new(&encoding.pool, model.assignment());
                let pairs = wanted.iter().zip(after);
                Some(pairs.filter(|&(_, &after)| evaluator.holds(after)).map(|(&term, _)| term).collect())
            }
        }
    }
}
