//! From specifications to evidence: the contracts of procedures, with only those conjuncts that their own proofs need.
//!
//! That nothing goes wrong in any procedure needs some conjuncts of guards and summaries; that these hold needs others. Cores of
//! the solver tell.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_cfa::{CellNames, LocationId};
use rorqual_encoding::{Encoding, Procedure};
use rorqual_engine::{Contract as Evidence, Invariant};
use rorqual_logic::Term;
use rorqual_solver::{Answer, BitVecSolver, Limits};

use super::contracts::{Contract, Contracts, failure_inside};
use super::spec::{Meaning, at_call, at_exit, instance};
use super::unfold::{Ignored, exit_to};

/// A conjunct of a contract: of the guard, or of the summary of an exit.
type Conjunct = (Procedure, Option<LocationId>, Term);

/// So many queries, of so many conflicts, are spent on leaving conjuncts out that a core has and a proof does without.
const QUERIES: usize = 300;
const CONFLICTS: u32 = 2_000;

/// The conjuncts that are needed. All are kept if the solver does not confirm a step within its limits.
pub(super) fn needed(
    encoding: &mut Encoding<'_>,
    all: Contracts,
    procedures: &[Procedure],
    ignored: &Ignored,
    limits: &Limits,
) -> Contracts {
    let mut search = Search {
        solver: BitVecSolver::new(),
        all,
        marked: BTreeSet::new(),
        open: Vec::new(),
        queries: QUERIES,
        limits,
    };
    match search.run(encoding, procedures, ignored) {
        Some(()) => search.reduced(),
        None => search.all,
    }
}

struct Search<'l> {
    solver: BitVecSolver,
    all: Contracts,
    marked: BTreeSet<Conjunct>,
    /// Conjuncts that are still to be shown.
    open: Vec<Conjunct>,
    /// How often it may still be tried to do without a conjunct.
    queries: usize,
    limits: &'l Limits,
}

impl Search<'_> {
    fn run(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedures: &[Procedure],
        ignored: &Ignored,
    ) -> Option<()> {
        for &procedure in procedures {
            let failure = failure_inside(encoding, procedure, ignored);
            self.need(encoding, procedure, &[failure])?;
        }
        while let Some((procedure, exit, conjunct)) = self.open.pop() {
            match exit {
                Some(location) => {
                    let body = encoding.body_of(procedure);
                    if let Some(exit) = exit_to(&body, location) {
                        let after = at_exit(encoding, exit, conjunct);
                        let violated = encoding.pool.not(after);
                        self.need(encoding, procedure, &[exit.guard, violated])?;
                    }
                }
                None => {
                    for &caller in procedures {
                        let body = encoding.body_of(caller);
                        let mut violated = Vec::new();
                        for call in body.calls.iter().filter(|call| call.procedure == procedure) {
                            let given = at_call(encoding, call, conjunct);
                            let not = encoding.pool.not(given);
                            violated.push(encoding.pool.and2(call.guard, not));
                        }
                        let violated = encoding.pool.or(&violated);
                        self.need(encoding, caller, &[violated])?;
                    }
                }
            }
        }
        Some(())
    }

    /// Marks the conjuncts that exclude formulas in a body. Those that are marked already are tried first.
    fn need(&mut self, encoding: &mut Encoding<'_>, procedure: Procedure, excluded: &[Term]) -> Option<()> {
        let premises = self.premises(encoding, procedure);
        let marked: Vec<(Term, Conjunct)> =
            premises.iter().copied().filter(|(_, conjunct)| self.marked.contains(conjunct)).collect();
        for premises in [marked, premises] {
            let mut query = excluded.to_vec();
            query.extend(premises.iter().map(|&(formula, _)| formula));
            match self.solver.check(&mut encoding.pool, &query, self.limits) {
                Answer::Unsat(core) => {
                    let needed = self.fewer(encoding, excluded, premises, core.assumptions());
                    for (_, conjunct) in needed {
                        if self.marked.insert(conjunct) {
                            self.open.push(conjunct);
                        }
                    }
                    return Some(());
                }
                Answer::Sat(_) => {}
                Answer::Unknown(_) => return None,
            }
        }
        None
    }

    /// As few premises of a core as there need to be: long ones are left out first, those that are marked never.
    fn fewer(
        &mut self,
        encoding: &mut Encoding<'_>,
        excluded: &[Term],
        premises: Vec<(Term, Conjunct)>,
        core: &[Term],
    ) -> Vec<(Term, Conjunct)> {
        let limits = self.limits.clone().with_conflicts(CONFLICTS);
        let mut kept: Vec<(Term, Conjunct)> =
            premises.into_iter().filter(|(formula, _)| core.contains(formula)).collect();
        kept.sort_by_key(|&(formula, _)| encoding.pool.subterms(&[formula]).len());
        let unmarked = kept.iter().map(|&(_, conjunct)| conjunct).filter(|one| !self.marked.contains(one));
        for candidate in unmarked.rev().collect::<Vec<_>>() {
            let others: Vec<Term> =
                kept.iter().filter(|(_, one)| *one != candidate).map(|&(formula, _)| formula).collect();
            if self.queries == 0 || others.len() == kept.len() {
                continue;
            }
            self.queries -= 1;
            let query = [excluded, &others].concat();
            if let Answer::Unsat(core) = self.solver.check(&mut encoding.pool, &query, &limits) {
                kept.retain(|(formula, one)| *one != candidate && core.assumptions().contains(formula));
            }
        }
        kept
    }

    /// What is known in a body, conjunct by conjunct.
    fn premises(&self, encoding: &mut Encoding<'_>, procedure: Procedure) -> Vec<(Term, Conjunct)> {
        let mut premises = Vec::new();
        if let Some(own) = self.all.of.get(&procedure) {
            premises.extend(own.guard.iter().map(|&conjunct| (conjunct, (procedure, None, conjunct))));
        }
        let body = encoding.body_of(procedure);
        for call in &body.calls {
            let Some(contract) = self.all.of.get(&call.procedure) else { continue };
            for &(exit, ends) in &call.ends {
                for &conjunct in contract.summaries.get(&exit).into_iter().flatten() {
                    let summary = at_call(encoding, call, conjunct);
                    let formula = encoding.pool.implies(ends, summary);
                    premises.push((formula, (call.procedure, Some(exit), conjunct)));
                }
            }
        }
        premises
    }

    fn reduced(&self) -> Contracts {
        let mut reduced = Contracts::default();
        for (&procedure, contract) in &self.all.of {
            let kept = |exit: Option<LocationId>, list: &[Term]| -> Vec<Term> {
                let is_marked = |&&term: &&Term| self.marked.contains(&(procedure, exit, term));
                list.iter().filter(is_marked).copied().collect()
            };
            let guard = kept(None, &contract.guard);
            let summaries: BTreeMap<LocationId, Vec<Term>> =
                contract.summaries.iter().map(|(&exit, list)| (exit, kept(Some(exit), list))).collect();
            reduced.of.insert(procedure, Contract { guard, summaries });
        }
        reduced
    }
}

/// The contracts for others.
pub(super) fn evidence(
    mut encoding: Encoding<'_>,
    contracts: &Contracts,
    procedures: &[Procedure],
) -> Invariant {
    let mut found = Vec::new();
    let first = encoding.first_procedure();
    for &procedure in procedures.iter().filter(|&&procedure| procedure != first) {
        let spec = contracts.spec(&mut encoding, procedure);
        let requires = encoding.with_address_symbols(spec.guard);
        let mut ensures = Vec::new();
        for exit in encoding.exits_of(procedure) {
            let summary = spec.summary(&mut encoding.pool, exit);
            let summary = renamed(&mut encoding, summary);
            ensures.push((exit, encoding.with_address_symbols(summary)));
        }
        found.push(Evidence { function: procedure.function, head: procedure.head, requires, ensures });
    }
    // A checker does not know that no way leads to other loops before it has proved that.
    let bottom = encoding.pool.bottom();
    for Procedure { function, head } in encoding.all_loops() {
        let unreached = Procedure { function, head };
        if !procedures.contains(&unreached) {
            let ensures = encoding.exits_of(unreached).into_iter().map(|exit| (exit, bottom)).collect();
            found.push(Evidence { function, head, requires: bottom, ensures });
        }
    }
    found.sort_by_key(|contract| (contract.function, contract.head));
    Invariant { pool: encoding.pool, locations: Vec::new(), contracts: found }
}

/// A summary with the names that evidence has.
fn renamed(encoding: &mut Encoding<'_>, summary: Term) -> Term {
    // In two steps, as the names of one side are those of the other on the other side.
    let mut plain = HashMap::new();
    let marked = instance(encoding, summary, &mut |encoding, meaning| match meaning {
        Meaning::Before(cell) => {
            let details = encoding.cells().get(cell);
            let (name, sort) = (CellNames::old(&details.name), encoding.pool.sort(details.symbol));
            encoding.pool.symbol(&name, sort)
        }
        Meaning::After(cell) => {
            let symbol = encoding.cells().get(cell).symbol;
            let name = format!("exit {}", encoding.cells().get(cell).name);
            let mark = encoding.pool.symbol(&name, encoding.pool.sort(symbol));
            plain.insert(mark, symbol);
            mark
        }
    });
    encoding.pool.substitute(marked, &plain)
}
