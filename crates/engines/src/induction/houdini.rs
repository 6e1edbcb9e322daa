//! What loops keep, by C. Flanagan, K. R. M. Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001: of many candidates
//! the largest set that is inductive. Here all are in one formula, each with a symbol that says whether it counts.

use std::collections::BTreeSet;

use rorqual_cfa::{FunctionId, LocationId};
use rorqual_evidence::Stop;
use rorqual_logic::{Evaluator, Term};
use rorqual_solver::{Answer, Core, GaveUp, Limits, Model};
use rorqual_symbolic::{Executor, Lapse, Outcome};

/// A candidate: the loop, and which one of its.
pub(super) type Name = ((FunctionId, LocationId), usize);

/// A search for what loops keep.
pub(super) struct Houdini<'a, 'p> {
    executor: &'a mut Executor<'p>,
    outcome: &'a Outcome,
    limits: &'a Limits,
    /// What is not refuted.
    active: BTreeSet<Name>,
}

fn name(lapse: &Lapse) -> Name {
    (lapse.head, lapse.candidate)
}

impl<'a, 'p> Houdini<'a, 'p> {
    /// All candidates.
    pub(super) fn new(
        executor: &'a mut Executor<'p>,
        outcome: &'a Outcome,
        limits: &'a Limits,
    ) -> Houdini<'a, 'p> {
        let heads = outcome.unwinding.inductive.keys();
        let names = heads.flat_map(|&head| (0..executor.candidates(head).len()).map(move |at| (head, at)));
        let active = names.collect();
        Houdini { executor, outcome, limits, active }
    }

    /// Drops what executions do not keep, until there is nothing left to drop.
    pub(super) fn run(&mut self, few: &Limits) -> Result<(), Stop> {
        loop {
            let lapses: Vec<Lapse> = self
                .outcome
                .lapses
                .iter()
                .filter(|lapse| self.active.contains(&name(lapse)))
                .copied()
                .collect();
            if !self.drop_some(&lapses, few)? {
                return Ok(());
            }
        }
    }

    /// Drops what an execution does not keep; whether there was one.
    fn drop_some(&mut self, lapses: &[Lapse], few: &Limits) -> Result<bool, Stop> {
        let guards: Vec<Term> = lapses.iter().map(|lapse| lapse.guard).collect();
        match self.ask_within(&guards, few)? {
            Answer::Unsat(_) => Ok(false),
            Answer::Sat(model) => {
                let before = self.active.len();
                let mut values = Evaluator::new(&self.executor.pool, model.assignment());
                for lapse in lapses {
                    if values.holds(lapse.guard) {
                        self.active.remove(&name(lapse));
                    }
                }
                if self.active.len() == before {
                    return Err(Stop::without_trace());
                }
                Ok(true)
            }
            // What is too hard to decide for all is decided for fewer, and not kept if it is too hard for one.
            Answer::Unknown(GaveUp::Conflicts) => match lapses {
                [] => Ok(false),
                [one] => Ok(self.active.remove(&name(one))),
                _ => {
                    let (left, right) = lapses.split_at(lapses.len() / 2);
                    Ok(self.drop_some(left, few)? | self.drop_some(right, few)?)
                }
            },
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Whether one of some things happens in an execution without undefined behaviour, if all that is active is kept.
    pub(super) fn ask(&mut self, guards: &[Term]) -> Result<Answer<Model, Core>, Stop> {
        self.ask_within(guards, self.limits)
    }

    fn ask_within(&mut self, guards: &[Term], limits: &Limits) -> Result<Answer<Model, Core>, Stop> {
        let happens = self.executor.pool.or(guards);
        let undefined: Vec<Term> = self.outcome.hazards.iter().map(|&(_, when)| when).collect();
        let undefined = self.executor.pool.or(&undefined);
        let defined = self.executor.pool.not(undefined);
        let mut conditions = vec![happens, defined];
        conditions.extend(self.active.iter().map(|&(head, at)| self.executor.candidates(head)[at].counts));
        Ok(self.executor.ask(&conditions, limits)?)
    }

    /// What a refutation needs of what is active, and what it takes to prove that.
    pub(super) fn needed(&mut self, core: &Core) -> Result<Vec<Name>, Stop> {
        let mut needed = self.named_in(core);
        loop {
            let lapses = self.outcome.lapses.iter().filter(|lapse| needed.contains(&name(lapse)));
            let guards: Vec<Term> = lapses.map(|lapse| lapse.guard).collect();
            let Answer::Unsat(core) = self.ask(&guards)? else {
                return Ok(self.active.iter().copied().collect());
            };
            let more = self.named_in(&core);
            if more.is_subset(&needed) {
                return Ok(needed.into_iter().collect());
            }
            needed.extend(more);
        }
    }

    fn named_in(&self, core: &Core) -> BTreeSet<Name> {
        let counts =
            |&(head, at): &Name| core.assumptions().contains(&self.executor.candidates(head)[at].counts);
        self.active.iter().copied().filter(counts).collect()
    }
}
