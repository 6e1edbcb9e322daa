//! Houdini: the largest inductive subset of candidates, after C. Flanagan and K. R. M. Leino, *Houdini, an Annotation
//! Assistant for ESC/Java*, FME 2001. Candidates that a model violates are dropped until no step has a model.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::Encoding;
use rorqual_evidence::Stop;
use rorqual_logic::{Evaluator, Term};
use rorqual_solver::{Answer, BitVecSolver, Limits, Model};

use crate::obligations::{Lists, Obligations, Site, violated};

budget! {
    /// What one run of Houdini may cost. Queries and conflicts are the same on every machine, unlike time.
    pub struct Budget {
        /// At most 2,000 queries; what is not proved then is dropped.
        pub queries: usize = 2_000,
        /// At most 20,000 conflicts per query about a whole list: there are few of these, one per step and model.
        pub conflicts: u32 = 20_000,
        /// At most 2,000 conflicts per query about a part of a list that was too hard as a whole, as there may be as many
        /// parts as candidates.
        pub conflicts_of_part: u32 = 2_000,
    }
}

impl Budget {
    /// The same with at most `most` queries.
    pub(crate) fn with_queries(self, most: usize) -> Budget {
        Budget { queries: self.queries.min(most), ..self }
    }
}

/// The largest subset of candidates such that each step that assumes it leads to it.
pub(crate) fn largest_inductive<O: Obligations>(
    encoding: &mut Encoding<'_>,
    obligations: &mut O,
    candidates: Lists<O::List>,
    budget: Budget,
    limits: &Limits,
) -> Result<Lists<O::List>, Stop> {
    let steps = obligations.steps(encoding);
    let mut readers: BTreeMap<O::List, Vec<O::Step>> = BTreeMap::new();
    for &step in &steps {
        for list in obligations.assumed(encoding, step) {
            readers.entry(list).or_default().push(step);
        }
    }
    let (solver, queries) = (BitVecSolver::new(), budget.queries);
    let open = steps.into_iter().collect();
    let mut houdini =
        Houdini { obligations, lists: candidates, readers, open, solver, budget, queries, limits };
    while let Some(step) = houdini.open.pop_first() {
        Stop::check(limits)?;
        houdini.weed(encoding, step);
    }
    houdini.lists.retain(|_, list| !list.is_empty());
    Ok(houdini.lists)
}

struct Houdini<'a, O: Obligations> {
    obligations: &'a mut O,
    /// The candidates that are left.
    lists: Lists<O::List>,
    /// The steps that assume a list.
    readers: BTreeMap<O::List, Vec<O::Step>>,
    /// Steps to look at, again if a list that they assume has shrunk.
    open: BTreeSet<O::Step>,
    solver: BitVecSolver,
    budget: Budget,
    /// How many queries are left.
    queries: usize,
    limits: &'a Limits,
}

impl<O: Obligations> Houdini<'_, O> {
    /// Drops the candidates that a step does not lead to.
    fn weed(&mut self, encoding: &mut Encoding<'_>, step: O::Step) {
        let Some(list) = self.obligations.conclusion(encoding, step) else { return };
        let Some(candidates) = self.lists.get(&list).filter(|list| !list.is_empty()).cloned() else { return };
        let sites = self.obligations.sites(encoding, step, &candidates);
        let goal = Goal { step, list, candidates, sites };
        let all = (0..goal.candidates.len()).collect();
        self.weed_part(encoding, &goal, all, self.budget.conflicts);
    }

    /// Drops some of the candidates of a goal. Where they are too hard together, each half is looked at by itself; a single
    /// candidate that is too hard is dropped.
    fn weed_part(
        &mut self,
        encoding: &mut Encoding<'_>,
        goal: &Goal<O>,
        mut some: Vec<usize>,
        conflicts: u32,
    ) {
        while !some.is_empty() {
            match self.violation(encoding, goal, &some, conflicts) {
                Violation::None => return,
                Violation::Found(model) => self.drop_violated(encoding, goal, &model, &mut some),
                Violation::Unknown if some.len() == 1 || self.queries == 0 => {
                    let dropped = some.iter().map(|&at| goal.candidates[at]).collect();
                    self.drop_all(goal.list, &dropped);
                    return;
                }
                Violation::Unknown => {
                    let conflicts = self.budget.conflicts_of_part.min(conflicts);
                    let others = some.split_off(some.len() / 2);
                    self.weed_part(encoding, goal, some, conflicts);
                    return self.weed_part(encoding, goal, others, conflicts);
                }
            }
        }
    }

    /// Looks for a way to a site where one of some candidates does not hold.
    fn violation(
        &mut self,
        encoding: &mut Encoding<'_>,
        goal: &Goal<O>,
        some: &[usize],
        conflicts: u32,
    ) -> Violation {
        let choose = |here: &[Term]| -> Vec<Term> { some.iter().map(|&at| here[at]).collect() };
        let sites: Vec<Site> = goal.sites.iter().map(|(guard, here)| (*guard, choose(here))).collect();
        let violated = violated(encoding, &sites);
        if encoding.pool.as_bool(violated) == Some(false) {
            return Violation::None;
        }
        // Once time is over, no part of a list is worth another look.
        self.queries = if self.limits.spent().is_some() { 0 } else { self.queries.saturating_sub(1) };
        if self.queries == 0 {
            return Violation::Unknown;
        }
        let goals: Vec<Term> = sites.into_iter().flat_map(|(_, here)| here).collect();
        let premises = self.obligations.premises(encoding, goal.step, &self.lists, &goals);
        let premises: Vec<Term> = premises.into_iter().map(|(formula, _)| formula).collect();
        // One conjunction: the solver is slow with thousands of assumptions.
        let query = [encoding.pool.and(&premises), violated];
        let limits = self.limits.clone().with_conflicts(conflicts);
        match self.solver.check(&mut encoding.pool, &query, &limits) {
            Answer::Unsat(_) => Violation::None,
            Answer::Unknown(_) => Violation::Unknown,
            Answer::Sat(model) => Violation::Found(model),
        }
    }

    /// Drops the candidates that a model violates, and what follows from it.
    fn drop_violated(
        &mut self,
        encoding: &mut Encoding<'_>,
        goal: &Goal<O>,
        model: &Model,
        some: &mut Vec<usize>,
    ) {
        let mut evaluator = Evaluator::new(&encoding.pool, model.assignment());
        let met: Vec<&Site> = goal.sites.iter().filter(|site| evaluator.holds(site.0)).collect();
        let mut dropped = BTreeSet::new();
        for (at, &candidate) in goal.candidates.iter().enumerate() {
            if !met.iter().all(|(_, here)| evaluator.holds(here[at])) {
                dropped.insert(candidate);
            }
        }
        let count = self.drop_all(goal.list, &dropped);
        for list in self.obligations.drop_more(encoding, goal.step, model, &mut self.lists, count) {
            self.reopen(list);
        }
        let left: BTreeSet<Term> = self.lists.get(&goal.list).into_iter().flatten().copied().collect();
        some.retain(|&at| left.contains(&goal.candidates[at]));
    }

    /// Drops candidates of a list; how many.
    fn drop_all(&mut self, name: O::List, dropped: &BTreeSet<Term>) -> usize {
        let Some(list) = self.lists.get_mut(&name) else { return 0 };
        let before = list.len();
        list.retain(|candidate| !dropped.contains(candidate));
        let count = before - list.len();
        self.reopen(name);
        count
    }

    fn reopen(&mut self, list: O::List) {
        self.open.extend(self.readers.get(&list).into_iter().flatten().copied());
    }
}

/// The candidates that a step must lead to, with what they say there.
struct Goal<O: Obligations> {
    step: O::Step,
    list: O::List,
    candidates: Vec<Term>,
    sites: Vec<Site>,
}

/// What looking for a violation gives.
enum Violation {
    None,
    Found(Model),
    Unknown,
}
