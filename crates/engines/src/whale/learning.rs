//! Contracts are learned: candidates from samples, interpolants and facts, of which the inductive ones are kept.
//!
//! The first lesson about a program without recursion comes before anything is unfolded, and is about the cells that
//! violations have to do with: that costs as much as there are procedures, however often they are called. Later ones
//! are about loops, and the last ones about everything.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::LocationId;
use rorqual_encoding::{CellId, Encoding, Executed, Procedure, Target};
use rorqual_logic::{SymbolId, Term};
use rorqual_solver::{BitVecSolver, Limits};

use super::candidates::{Material, guards, summaries};
use super::contracts::{Contract, Contracts};
use super::houdini::Houdini;
use super::loops::LoopFacts;
use super::samples::{Samples, constants, reads};
use super::tables::Entry;
use crate::stop::Stop;

/// After so many refinements, and again each time that they have doubled, there is a lesson. For programs without recursion
/// there may be one before the first refinement too.
pub(super) const FIRST_LESSON: usize = 2;

/// The queries of one lesson, and the conflicts of each: a budget that is the same on every machine.
const QUERIES: usize = 3_000;
const CONFLICTS: u32 = 10_000;
/// Bodies with more terms than this get fewer conflicts for each query.
const LARGE: usize = 1_500;
const FEW_CONFLICTS: u32 = 1_000;
/// How many terms the queries of one lesson may go through, roughly: programs with large bodies get fewer of them.
const WORK: usize = 4_000_000;
/// Programs with more procedures than this are left alone: every candidate costs queries in each of them.
const MOST_PROCEDURES: usize = 60;
/// From this lesson on, candidates for programs without recursion come from samples of all cells too.
const LATE_LESSON: usize = 4;
/// Earlier for programs whose bodies have no more terms than this.
const SMALL: usize = 200;

/// Where candidates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Random executions.
    Samples,
    /// The same, as far as they tell about the cells that violations have to do with.
    SamplesOfViolations,
    /// Facts about loops, in programs without recursion.
    Loops,
}

/// Formulas by procedures.
pub(super) type Formulas = BTreeMap<Procedure, Vec<Term>>;

/// Where procedures that are called end, and what they write.
pub(super) type Ends = BTreeMap<Procedure, (Vec<LocationId>, Vec<CellId>)>;

/// Learns contracts, in several lessons.
pub(super) struct Learner {
    /// The procedures of the program, and what they may read.
    reads: BTreeMap<Procedure, BTreeSet<CellId>>,
    /// How many terms their bodies have.
    size: usize,
    is_recursive: bool,
    /// Executions, once there was a lesson.
    samples: Option<Samples>,
    loops: LoopFacts,
    lessons: usize,
}

impl Learner {
    pub(super) fn new(encoding: &mut Encoding<'_>) -> Learner {
        let reads = reads(encoding);
        let procedures: Vec<Procedure> = reads.keys().copied().collect();
        let size = size(encoding, &procedures);
        let is_recursive = encoding.is_recursive();
        Learner { reads, size, is_recursive, samples: None, loops: LoopFacts::default(), lessons: 0 }
    }

    /// The procedures of the program.
    pub(super) fn procedures(&self) -> Vec<Procedure> {
        self.reads.keys().copied().collect()
    }

    /// Whether functions are called from several places: apart from the start, all others are inlined.
    fn shares_functions(&self) -> bool {
        self.reads.keys().filter(|procedure| procedure.head.is_none()).count() > 1
    }

    fn has_loops(&self) -> bool {
        self.reads.keys().any(|procedure| procedure.head.is_some())
    }

    /// Before so many refinements there is nothing to learn from.
    pub(super) fn first_lesson(&self) -> usize {
        if self.shares_functions() && !self.is_recursive { 0 } else { FIRST_LESSON }
    }

    /// An execution that goes wrong, if one was met.
    pub(super) fn take_violation(&mut self) -> Option<Executed> {
        self.samples.as_mut()?.violation.take()
    }

    /// What the next lesson takes its candidates from, one after the other.
    pub(super) fn next_lesson(&mut self) -> &'static [Source] {
        let lesson = self.lessons;
        self.lessons += 1;
        match lesson {
            _ if self.reads.len() > MOST_PROCEDURES => &[],
            _ if self.is_recursive => &[Source::Samples],
            0 if self.shares_functions() => &[Source::SamplesOfViolations],
            // Without loops everything can be unfolded.
            _ if !self.has_loops() => &[],
            _ if lesson < LATE_LESSON && self.size > SMALL => &[Source::Loops],
            _ => &[Source::Loops, Source::Samples],
        }
    }

    /// Learns from a source. `known` are the contracts that hold, `seen` formulas that were of interest.
    pub(super) fn learn(
        &mut self,
        encoding: &mut Encoding<'_>,
        source: Source,
        known: &Contracts,
        seen: &Formulas,
        limits: &Limits,
    ) -> Result<Contracts, Stop> {
        let procedures = self.procedures();
        let constants = constants(encoding, &procedures);
        if self.samples.is_none() {
            let samples = Samples::draw(encoding, &self.reads, &constants, limits);
            if self.samples.insert(samples).violation.is_some() {
                return Ok(Contracts::default());
            }
        }
        let mut tables = Vec::new();
        let contracts = if source == Source::Loops {
            self.loops.learn(encoding, seen, limits);
            let ends = ends(encoding, &procedures);
            self.loops.candidates(encoding, &ends, &self.reads)
        } else {
            let is_narrow = source == Source::SamplesOfViolations;
            let relevant = is_narrow.then(|| relevant(encoding, &procedures));
            self.candidates(encoding, seen, &constants, relevant.as_ref(), &mut tables, limits)?
        };
        let queries = QUERIES.min(WORK / self.size.max(1));
        let conflicts = if self.size > LARGE { FEW_CONFLICTS } else { CONFLICTS };
        let solver = BitVecSolver::new();
        let mut houdini = Houdini { solver, known, contracts, queries, conflicts, limits: limits.clone() };
        houdini.run(encoding, &procedures)?;
        houdini.extend(encoding, tables)?;
        Ok(houdini.contracts)
    }

    /// The candidates from samples; those that are entries of tables are added to these.
    fn candidates(
        &self,
        encoding: &mut Encoding<'_>,
        seen: &Formulas,
        constants: &[u64],
        relevant: Option<&BTreeSet<CellId>>,
        tables: &mut Vec<(Procedure, LocationId, Entry)>,
        limits: &Limits,
    ) -> Result<Contracts, Stop> {
        let is_relevant = |cell: &CellId| relevant.is_none_or(|relevant| relevant.contains(cell));
        let mut contracts = Contracts::default();
        for (procedure, (exits, written)) in ends(encoding, &self.procedures()) {
            let reads = self.reads[&procedure].iter().copied().filter(is_relevant).collect();
            let writes: Vec<CellId> = written.iter().copied().filter(is_relevant).collect();
            let material = Material {
                procedure,
                reads: &reads,
                writes: &writes,
                constants,
                samples: self.samples.as_ref().map_or(&[], |samples| samples.of(procedure)),
                seen: seen.get(&procedure).map_or(&[], Vec::as_slice),
            };
            let mut contract = Contract { guard: guards(encoding, &material), summaries: BTreeMap::new() };
            for exit in exits {
                let found = summaries(encoding, &material, exit);
                tables.extend(found.entries.into_iter().map(|entry| (procedure, exit, entry)));
                contract.summaries.insert(exit, found.all);
            }
            contracts.of.insert(procedure, contract);
            Stop::check(limits)?;
        }
        Ok(contracts)
    }
}

/// The cells that violations have to do with.
fn relevant(encoding: &mut Encoding<'_>, procedures: &[Procedure]) -> BTreeSet<CellId> {
    let mut found = BTreeSet::new();
    for &procedure in procedures {
        let body = encoding.body_of(procedure);
        let errors = body.exits.iter().filter(|exit| exit.target == Target::Error);
        let symbols: BTreeSet<SymbolId> =
            errors.flat_map(|exit| encoding.pool.free_symbols(exit.guard)).collect();
        found.extend(symbols.iter().filter_map(|&symbol| encoding.cells().of_symbol(symbol)));
        for &(cell, output) in body.calls.iter().flat_map(|call| &call.outputs) {
            if !encoding.pool.free_symbols(output).is_disjoint(&symbols) {
                found.insert(cell);
            }
        }
    }
    found
}

/// How many terms all bodies have.
fn size(encoding: &mut Encoding<'_>, procedures: &[Procedure]) -> usize {
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
fn ends(encoding: &mut Encoding<'_>, procedures: &[Procedure]) -> Ends {
    let mut all = Ends::new();
    for &procedure in procedures {
        for call in &encoding.body_of(procedure).calls {
            let exits = call.ends.iter().map(|&(exit, _)| exit).collect();
            let cells = call.outputs.iter().map(|&(cell, _)| cell).collect();
            all.insert(call.procedure, (exits, cells));
        }
    }
    all
}
