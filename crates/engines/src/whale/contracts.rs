//! Contracts that are proved for all calls of procedures at once: the largest set of candidates that is inductive.
//!
//! Guards are assumed where a procedure starts and must hold wherever it is called; summaries are assumed behind calls
//! and must hold wherever a procedure ends. What a model violates is dropped, until nothing is (Flanagan, Leino,
//! *Houdini, an Annotation Assistant for ESC/Java*, FME 2001). What is left holds, by induction over executions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rorqual_cfa::LocationId;
use rorqual_encoding::{CellId, Encoding, Executed, Procedure, Target};
use rorqual_logic::{Evaluator, Term};
use rorqual_solver::{Answer, BitVecSolver, Limits, Model};

use super::candidates::{Material, guards, summaries};
use super::samples::{Samples, constants, reads};
use super::spec::{Spec, at_call, at_exit};
use super::tables::{Case, Entry};
use super::unfold::{Ignored, exit_to, failure};
use crate::stop::Stop;

/// The queries of one attempt, and the conflicts of each: a budget that is the same on every machine.
const QUERIES: usize = 3_000;
const CONFLICTS: u32 = 10_000;
/// So many candidates are tried one by one where all of them are too hard.
const FEW: usize = 40;
/// Bodies with more terms than this get fewer conflicts for each query.
const LARGE: usize = 1_500;
const FEW_CONFLICTS: u32 = 1_000;
/// How many terms the queries of one attempt may go through, roughly: programs with large bodies get fewer of them.
const WORK: usize = 4_000_000;
/// So many entries of tables are asked for beyond those that were sampled, with so many conflicts for each.
const MOST_EXTENSIONS: usize = 400;
const EXTENSION_CONFLICTS: u32 = 1_000;
/// Programs with more procedures than this are left alone: every candidate costs queries in each of them.
const MOST_PROCEDURES: usize = 60;

/// The conjuncts of a guard and of summaries.
#[derive(Debug, Clone, Default)]
pub(super) struct Contract {
    pub(super) guard: Vec<Term>,
    pub(super) summaries: BTreeMap<LocationId, Vec<Term>>,
}

/// What holds for all calls of procedures.
#[derive(Debug, Clone, Default)]
pub(super) struct Contracts {
    pub(super) of: BTreeMap<Procedure, Contract>,
}

impl Contracts {
    /// What holds for a procedure, as formulas.
    pub(super) fn spec(&self, encoding: &mut Encoding<'_>, procedure: Procedure) -> Spec {
        let pool = &mut encoding.pool;
        let Some(contract) = self.of.get(&procedure) else { return Spec::top(pool) };
        let guard = pool.and(&contract.guard);
        let summaries = contract.summaries.iter().map(|(&exit, list)| (exit, pool.and(list))).collect();
        Spec { guard, summaries }
    }

    /// How many conjuncts there are.
    pub(super) fn len(&self) -> usize {
        let size = |contract: &Contract| {
            contract.guard.len() + contract.summaries.values().map(Vec::len).sum::<usize>()
        };
        self.of.values().map(size).sum()
    }

    /// What is known in a body: its guard, and behind each call what that ensures. Whether guards of callees hold is
    /// not said.
    pub(super) fn known_in(&self, encoding: &mut Encoding<'_>, procedure: Procedure) -> Vec<Term> {
        let mut known = vec![self.spec(encoding, procedure).guard];
        let body = encoding.body_of(procedure);
        for call in &body.calls {
            let spec = self.spec(encoding, call.procedure);
            for &(exit, ends) in &call.ends {
                let summary = spec.summary(&mut encoding.pool, exit);
                let summary = at_call(encoding, call, summary);
                known.push(encoding.pool.implies(ends, summary));
            }
        }
        known
    }

    /// Whether the contracts alone exclude that anything goes wrong in any procedure.
    pub(super) fn suffice(
        &self,
        encoding: &mut Encoding<'_>,
        procedures: &[Procedure],
        ignored: &Ignored,
        limits: &Limits,
    ) -> bool {
        let mut solver = BitVecSolver::new();
        let limits = limits.clone().with_conflicts(CONFLICTS);
        for &procedure in procedures {
            let mut query = self.known_in(encoding, procedure);
            query.push(failure_inside(encoding, procedure, ignored));
            if !solver.check(&mut encoding.pool, &query, &limits).is_unsat() {
                return false;
            }
        }
        true
    }
}

/// When something goes wrong in a body itself. That nothing does in its calls is shown elsewhere.
pub(super) fn failure_inside(encoding: &mut Encoding<'_>, procedure: Procedure, ignored: &Ignored) -> Term {
    let failure = failure(encoding, procedure, ignored);
    let body = encoding.body_of(procedure);
    let bottom = encoding.pool.bottom();
    let flags = body.calls.iter().map(|call| (call.fails, bottom)).collect();
    encoding.pool.substitute(failure, &flags)
}

/// The procedures that a program reaches.
pub(super) fn procedures(encoding: &mut Encoding<'_>) -> Vec<Procedure> {
    reads(encoding).into_keys().collect()
}

/// What is learned.
#[derive(Default)]
pub(super) struct Lesson {
    pub(super) contracts: Contracts,
    /// An execution that goes wrong, if one was met.
    pub(super) violation: Option<Executed>,
}

/// Learns contracts. `seen` are formulas that were of interest.
pub(super) fn learn(
    encoding: &mut Encoding<'_>,
    seen: &BTreeMap<Procedure, Vec<Term>>,
    limits: &Limits,
) -> Result<Lesson, Stop> {
    let reads = reads(encoding);
    let procedures: Vec<Procedure> = reads.keys().copied().collect();
    if procedures.len() > MOST_PROCEDURES {
        return Ok(Lesson::default());
    }
    let constants = constants(encoding, &procedures);
    let samples = Samples::draw(encoding, &reads, &constants, limits);
    if samples.violation.is_some() {
        return Ok(Lesson { contracts: Contracts::default(), violation: samples.violation });
    }
    let writes = writes(encoding, &procedures);
    let mut contracts = Contracts::default();
    let mut tables = Vec::new();
    for &procedure in &procedures {
        let Some((exits, written)) = writes.get(&procedure) else { continue };
        let material = Material {
            procedure,
            reads: &reads[&procedure],
            writes: written,
            constants: &constants,
            samples: samples.of(procedure),
            seen: seen.get(&procedure).map_or(&[], Vec::as_slice),
        };
        let mut contract = Contract { guard: guards(encoding, &material), summaries: BTreeMap::new() };
        for &exit in exits {
            let found = summaries(encoding, &material, exit);
            tables.extend(found.entries.into_iter().map(|entry| (procedure, exit, entry)));
            contract.summaries.insert(exit, found.all);
        }
        contracts.of.insert(procedure, contract);
        Stop::check(limits)?;
    }
    let size = size(encoding, &procedures);
    let queries = QUERIES.min(WORK / size.max(1));
    let conflicts = if is_large(size) { FEW_CONFLICTS } else { CONFLICTS };
    let mut houdini =
        Houdini { solver: BitVecSolver::new(), contracts, queries, conflicts, limits: limits.clone() };
    houdini.run(encoding, &procedures)?;
    houdini.extend(encoding, tables)?;
    Ok(Lesson { contracts: houdini.contracts, violation: None })
}

/// Whether bodies with so many terms are hard to reason about.
pub(super) fn is_large(size: usize) -> bool {
    size > LARGE
}

/// How many terms all bodies have.
pub(super) fn size(encoding: &mut Encoding<'_>, procedures: &[Procedure]) -> usize {
    let mut roots = Vec::new();
    for &procedure in procedures {
        let body = encoding.body_of(procedure);
        roots.extend(body.exits.iter().map(|exit| exit.guard));
        roots.extend(body.exits.iter().flat_map(|exit| exit.updates.iter().map(|&(_, value)| value)));
        roots.extend(body.calls.iter().map(|call| call.guard));
    }
    encoding.pool.subterms(&roots).len()
}

/// Where procedures that are called end, and what they write.
fn writes(
    encoding: &mut Encoding<'_>,
    procedures: &[Procedure],
) -> BTreeMap<Procedure, (Vec<LocationId>, Vec<CellId>)> {
    let mut all = BTreeMap::new();
    for &procedure in procedures {
        for call in &encoding.body_of(procedure).calls {
            let exits = call.ends.iter().map(|&(exit, _)| exit).collect();
            let cells = call.outputs.iter().map(|&(cell, _)| cell).collect();
            all.insert(call.procedure, (exits, cells));
        }
    }
    all
}

struct Houdini {
    solver: BitVecSolver,
    contracts: Contracts,
    /// How many may still be asked.
    queries: usize,
    /// The conflicts of each.
    conflicts: u32,
    limits: Limits,
}

impl Houdini {
    fn run(&mut self, encoding: &mut Encoding<'_>, procedures: &[Procedure]) -> Result<(), Stop> {
        let mut open: BTreeSet<Procedure> = procedures.iter().copied().collect();
        while let Some(procedure) = open.pop_first() {
            Stop::check(&self.limits)?;
            let body = encoding.body_of(procedure);
            for call in &body.calls {
                let changed = self.weed(
                    encoding,
                    procedure,
                    call.guard,
                    |contracts| contracts.of.get_mut(&call.procedure).map(|contract| &mut contract.guard),
                    &|encoding, candidate| at_call(encoding, call, candidate),
                );
                if changed {
                    open.insert(call.procedure);
                }
            }
            let exits: Vec<LocationId> = body
                .exits
                .iter()
                .filter_map(|exit| match exit.target {
                    Target::Point(point) => Some(point.location),
                    Target::Error | Target::Unsupported(_) => None,
                })
                .collect();
            for location in exits {
                let exit = exit_to(&body, location).expect("it is one of them");
                let changed = self.weed(
                    encoding,
                    procedure,
                    exit.guard,
                    |contracts| {
                        contracts
                            .of
                            .get_mut(&procedure)
                            .and_then(|contract| contract.summaries.get_mut(&location))
                    },
                    &|encoding, candidate| at_exit(encoding, exit, candidate),
                );
                if changed {
                    for &caller in procedures {
                        let calls = &encoding.body_of(caller).calls;
                        if calls.iter().any(|call| call.procedure == procedure) {
                            open.insert(caller);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Drops the candidates of a list that do not hold at a place of a body; whether there were any.
    fn weed(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedure: Procedure,
        guard: Term,
        list: impl Fn(&mut Contracts) -> Option<&mut Vec<Term>>,
        at: &dyn Fn(&mut Encoding<'_>, Term) -> Term,
    ) -> bool {
        let mut changed = false;
        loop {
            let candidates = list(&mut self.contracts).map(|list| list.clone()).unwrap_or_default();
            if candidates.is_empty() {
                return changed;
            }
            let here: Vec<Term> = candidates.iter().map(|&candidate| at(encoding, candidate)).collect();
            let model = match self.violation(encoding, procedure, guard, &here) {
                Violation::None => return changed,
                Violation::Found(model) => Some(model),
                Violation::Unknown => None,
            };
            let mut keep: Vec<bool> = vec![false; candidates.len()];
            if let Some(model) = model {
                let mut evaluator = Evaluator::new(&encoding.pool, model.assignment());
                keep = here.iter().map(|&candidate| evaluator.holds(candidate)).collect();
            } else if candidates.len() <= FEW {
                // Too hard for all at once: those that are easy on their own are kept.
                for (keep, &candidate) in keep.iter_mut().zip(&here) {
                    *keep =
                        matches!(self.violation(encoding, procedure, guard, &[candidate]), Violation::None);
                }
            }
            changed = true;
            let mut keep = keep.into_iter();
            if let Some(list) = list(&mut self.contracts) {
                list.retain(|_| keep.next() == Some(true));
            }
        }
    }

    /// Adds entries to tables: what contracts say of one value often determines what happens for the next one, which no
    /// execution of reasonable length gets to.
    fn extend(
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
        let mut query = self.contracts.known_in(encoding, procedure);
        query.extend([exit.guard, entry.condition(&mut encoding.pool)]);
        let limits = self.limits.clone().with_conflicts(EXTENSION_CONFLICTS);
        let model = self.solver.check(&mut encoding.pool, &query, &limits).model()?;
        let value = model.value(&encoding.pool, here);
        entry.value = encoding.pool.constant(&value);
        query.push(encoding.pool.ne(here, entry.value));
        self.solver.check(&mut encoding.pool, &query, &limits).is_unsat().then_some(entry)
    }

    /// Looks for a way to a place where one of the formulas does not hold.
    fn violation(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedure: Procedure,
        guard: Term,
        formulas: &[Term],
    ) -> Violation {
        let all = encoding.pool.and(formulas);
        let violated = encoding.pool.not(all);
        if encoding.pool.as_bool(violated) == Some(false) {
            return Violation::None;
        }
        self.queries = self.queries.saturating_sub(1);
        if self.queries == 0 {
            return Violation::Unknown;
        }
        let mut query = self.contracts.known_in(encoding, procedure);
        query.extend([guard, violated]);
        let limits = self.limits.clone().with_conflicts(self.conflicts);
        match self.solver.check(&mut encoding.pool, &query, &limits) {
            Answer::Unsat(_) => Violation::None,
            Answer::Unknown(_) => Violation::Unknown,
            Answer::Sat(model) => Violation::Found(model),
        }
    }
}

/// What looking for a violation gives.
enum Violation {
    None,
    Found(Model),
    Unknown,
}
