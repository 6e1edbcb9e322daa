//! The largest inductive set of candidates for contracts.
//!
//! Guards are assumed where a procedure starts and must hold wherever it is called; summaries are assumed behind calls
//! and must hold wherever a procedure ends. What a model violates is dropped, until nothing is (Flanagan, Leino,
//! *Houdini, an Annotation Assistant for ESC/Java*, FME 2001). What is left holds, by induction over executions.

use std::collections::{BTreeSet, VecDeque};

use rorqual_cfa::LocationId;
use rorqual_encoding::{Block, Encoding, Procedure, Target};
use rorqual_logic::{Evaluator, Term};
use rorqual_solver::{Answer, BitVecSolver, Limits, Model};

use super::contracts::Contracts;
use super::spec::{at_call, at_exit};
use super::tables::{Case, Entry};
use super::unfold::exit_to;
use crate::stop::Stop;

/// So many entries of tables are asked for beyond those that were sampled, with so many conflicts for each.
const MOST_EXTENSIONS: usize = 400;
const EXTENSION_CONFLICTS: u32 = 1_000;

pub(super) struct Houdini<'k> {
    pub(super) solver: BitVecSolver,
    /// What holds.
    pub(super) known: &'k Contracts,
    /// The candidates.
    pub(super) contracts: Contracts,
    /// How many queries may still be asked.
    pub(super) queries: usize,
    /// The conflicts of each.
    pub(super) conflicts: u32,
    pub(super) limits: Limits,
}

/// The conjuncts that must hold at places of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum List {
    /// The guard of a procedure, wherever the body calls it.
    Guard(Procedure),
    /// The body's own summary for an exit.
    Summary(LocationId),
}

/// A place where conjuncts must hold: when control is there, and what they say there.
type Site = (Term, Vec<Term>);

impl Houdini<'_> {
    /// Drops candidates until the others are inductive.
    pub(super) fn run(&mut self, encoding: &mut Encoding<'_>, procedures: &[Procedure]) -> Result<(), Stop> {
        let mut open: BTreeSet<Procedure> = procedures.iter().copied().collect();
        while let Some(procedure) = open.pop_first() {
            Stop::check(&self.limits)?;
            let body = encoding.body_of(procedure);
            for list in lists(&body) {
                if !self.weed(encoding, procedure, list) {
                    continue;
                }
                match list {
                    List::Guard(callee) => {
                        open.insert(callee);
                    }
                    List::Summary(_) => {
                        let mut calls = |caller: &&Procedure| {
                            let calls = &encoding.body_of(**caller).calls;
                            calls.iter().any(|call| call.procedure == procedure)
                        };
                        open.extend(procedures.iter().filter(|caller| calls(caller)));
                    }
                }
            }
        }
        Ok(())
    }

    /// Drops the candidates of a list that do not hold at a place of a body; whether there were any.
    fn weed(&mut self, encoding: &mut Encoding<'_>, procedure: Procedure, list: List) -> bool {
        let body = encoding.body_of(procedure);
        let mut changed = false;
        loop {
            let candidates = self.list(procedure, list).map(|list| list.clone()).unwrap_or_default();
            if candidates.is_empty() {
                return changed;
            }
            let sites = sites(encoding, &body, list, &candidates);
            let kept = self.hold(encoding, procedure, &sites, (0..candidates.len()).collect());
            if kept.len() == candidates.len() {
                return changed;
            }
            changed = true;
            if let Some(list) = self.list(procedure, list) {
                *list = kept.into_iter().map(|at| candidates[at]).collect();
            }
        }
    }

    /// Those of some candidates that hold at all their places, as long as all candidates are assumed. Where they are too
    /// hard together, each half is looked at by itself; what is too hard on its own does not hold.
    fn hold(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedure: Procedure,
        sites: &[Site],
        mut some: Vec<usize>,
    ) -> Vec<usize> {
        while !some.is_empty() {
            let choose = |here: &[Term]| some.iter().map(|&at| here[at]).collect();
            let chosen: Vec<Site> = sites.iter().map(|(guard, here)| (*guard, choose(here))).collect();
            match self.violation(encoding, procedure, &chosen) {
                Violation::None => break,
                Violation::Found(model) => {
                    let mut evaluator = Evaluator::new(&encoding.pool, model.assignment());
                    let met: Vec<&Site> = sites.iter().filter(|site| evaluator.holds(site.0)).collect();
                    some.retain(|&at| met.iter().all(|(_, here)| evaluator.holds(here[at])));
                }
                Violation::Unknown if some.len() == 1 || self.queries == 0 => some.clear(),
                Violation::Unknown => {
                    let others = some.split_off(some.len() / 2);
                    let mut held = self.hold(encoding, procedure, sites, some);
                    held.extend(self.hold(encoding, procedure, sites, others));
                    return held;
                }
            }
        }
        some
    }

    fn list(&mut self, procedure: Procedure, list: List) -> Option<&mut Vec<Term>> {
        match list {
            List::Guard(callee) => self.contracts.of.get_mut(&callee).map(|contract| &mut contract.guard),
            List::Summary(exit) => self.contracts.of.get_mut(&procedure)?.summaries.get_mut(&exit),
        }
    }

    /// Adds entries to tables: what contracts say of one value often determines what happens for the next one, which no
    /// execution of reasonable length gets to.
    pub(super) fn extend(
        &mut self,
        encoding: &mut Encoding<'_>,
        tables: Vec<(Procedure, LocationId, Entry)>,
    ) -> Result<(), Stop> {
        let mut known: BTreeSet<(Procedure, LocationId, Term, Case)> = BTreeSet::new();
        let mut open = VecDeque::new();
        for (procedure, exit, entry) in tables {
            let formula = entry.formula(&mut encoding.pool);
            let list = self.contracts.of.get(&procedure).and_then(|contract| contract.summaries.get(&exit));
            if list.is_some_and(|list| list.contains(&formula)) {
                known.insert((procedure, exit, entry.form, entry.case.clone()));
                open.push_back((procedure, exit, entry));
            }
        }
        // Entries for one value say more than those for two.
        open.make_contiguous().sort_by_key(|(_, _, entry): &(Procedure, LocationId, Entry)| entry.case.len());
        let mut tries = MOST_EXTENSIONS;
        while let Some((procedure, exit, entry)) = open.pop_front() {
            for case in entry.next_cases(&mut encoding.pool) {
                if tries == 0 || !known.insert((procedure, exit, entry.form, case.clone())) {
                    continue;
                }
                tries -= 1;
                Stop::check(&self.limits)?;
                if let Some(next) = self.determined(encoding, procedure, exit, entry.form, case) {
                    let formula = next.formula(&mut encoding.pool);
                    let contract = self.contracts.of.entry(procedure).or_default();
                    contract.summaries.entry(exit).or_default().push(formula);
                    if next.case.len() == 1 {
                        open.push_front((procedure, exit, next));
                    } else {
                        open.push_back((procedure, exit, next));
                    }
                }
            }
        }
        Ok(())
    }

    /// The entry for a case, if what is known determines the value of its form there.
    fn determined(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedure: Procedure,
        exit: LocationId,
        form: Term,
        case: Case,
    ) -> Option<Entry> {
        let body = encoding.body_of(procedure);
        let exit = exit_to(&body, exit)?;
        let mut entry = Entry { case, form, value: form };
        let here = at_exit(encoding, exit, form);
        let mut query = self.premises(encoding, procedure);
        query.extend([exit.guard, entry.condition(&mut encoding.pool)]);
        let limits = self.limits.clone().with_conflicts(EXTENSION_CONFLICTS);
        let model = self.solver.check(&mut encoding.pool, &query, &limits).model()?;
        let value = model.value(&encoding.pool, here);
        entry.value = encoding.pool.constant(&value);
        query.push(encoding.pool.ne(here, entry.value));
        self.solver.check(&mut encoding.pool, &query, &limits).is_unsat().then_some(entry)
    }

    /// What is known in a body, if the candidates hold.
    fn premises(&self, encoding: &mut Encoding<'_>, procedure: Procedure) -> Vec<Term> {
        let mut premises = self.known.known_in(encoding, procedure);
        premises.extend(self.contracts.known_in(encoding, procedure));
        premises
    }

    /// Looks for a way to a place where one of the formulas that must hold there does not.
    fn violation(&mut self, encoding: &mut Encoding<'_>, procedure: Procedure, sites: &[Site]) -> Violation {
        let mut violated = Vec::new();
        for (guard, here) in sites {
            let all = encoding.pool.and(here);
            let not = encoding.pool.not(all);
            violated.push(encoding.pool.and2(*guard, not));
        }
        let violated = encoding.pool.or(&violated);
        if encoding.pool.as_bool(violated) == Some(false) {
            return Violation::None;
        }
        self.queries = self.queries.saturating_sub(1);
        if self.queries == 0 {
            return Violation::Unknown;
        }
        let mut query = self.premises(encoding, procedure);
        query.push(violated);
        let limits = self.limits.clone().with_conflicts(self.conflicts);
        match self.solver.check(&mut encoding.pool, &query, &limits) {
            Answer::Unsat(_) => Violation::None,
            Answer::Unknown(_) => Violation::Unknown,
            Answer::Sat(model) => Violation::Found(model),
        }
    }
}

/// What a body has to fulfil: the guards of what it calls, each once, and its own summaries.
fn lists(body: &Block) -> Vec<List> {
    let callees: BTreeSet<Procedure> = body.calls.iter().map(|call| call.procedure).collect();
    let exits = body.exits.iter().filter_map(|exit| match exit.target {
        Target::Point(point) => Some(List::Summary(point.location)),
        Target::Error | Target::Unsupported(_) => None,
    });
    callees.into_iter().map(List::Guard).chain(exits).collect()
}

/// Where candidates must hold. All calls of one procedure are looked at together: that takes one query, however many
/// they are.
fn sites(encoding: &mut Encoding<'_>, body: &Block, list: List, candidates: &[Term]) -> Vec<Site> {
    let mut sites = Vec::new();
    match list {
        List::Guard(callee) => {
            for call in body.calls.iter().filter(|call| call.procedure == callee) {
                let here = candidates.iter().map(|&one| at_call(encoding, call, one)).collect();
                sites.push((call.guard, here));
            }
        }
        List::Summary(location) => {
            let exit = exit_to(body, location).expect("the body ends there");
            let here = candidates.iter().map(|&one| at_exit(encoding, exit, one)).collect();
            sites.push((exit.guard, here));
        }
    }
    sites
}

/// What looking for a violation gives.
enum Violation {
    None,
    Found(Model),
    Unknown,
}
