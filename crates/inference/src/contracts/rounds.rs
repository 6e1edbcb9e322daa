//! Contracts are inferred in rounds: candidates from samples, interpolants and facts, of which the inductive ones are kept.
//!
//! The first round about a program without recursion comes before anything is unfolded, and is about the cells that
//! violations have to do with: that costs as much as there are procedures, however often they are called. Later ones
//! are about loops, and the last ones about everything.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::LocationId;
use rorqual_encoding::{CellId, Encoding, Executed, Procedure, Target};
use rorqual_evidence::Stop;
use rorqual_logic::{SymbolId, Term};
use rorqual_solver::Limits;

use super::bodies::{Ignored, reads};
use super::candidates::{Material, guards, summaries};
use super::loops::LoopFacts;
use super::obligations::OfProcedures;
use super::tables::{self, Tables};
use super::{Contracts, Part};
use crate::facts::Facts;
use crate::formulas::of_exit;
use crate::houdini;
use crate::round::Interest;
use crate::samples::calls::{CallSamples, Reads, compared};
use crate::{Budgets, budgets};

/// Where candidates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Random executions.
    Samples,
    /// The same, as far as they tell about the cells that violations have to do with.
    SamplesOfViolations,
    /// Facts about loops, in programs without recursion.
    Loops,
}

/// Adds facts about points, given formulas of interest there.
pub type Infer<'a> = dyn FnMut(&mut Encoding<'_>, &mut Facts, &Interest, &Limits) + 'a;

/// Formulas by procedures.
pub type Formulas = BTreeMap<Procedure, Vec<Term>>;

/// Where procedures that are called end, and what they write.
pub(crate) type Ends = BTreeMap<Procedure, (Vec<LocationId>, Vec<CellId>)>;

/// Infers contracts, round by round.
pub struct ContractRounds {
    /// What the procedures of the program may read.
    reads: Reads,
    /// How many terms their bodies have.
    size: usize,
    is_recursive: bool,
    /// Executions, once there was a round.
    samples: Option<CallSamples>,
    loops: LoopFacts,
    done: usize,
    budgets: Budgets,
}

impl ContractRounds {
    /// For the procedures of a program.
    pub fn new(encoding: &mut Encoding<'_>, budgets: &Budgets) -> ContractRounds {
        let reads = reads(encoding);
        let size = size(encoding, reads.keys());
        ContractRounds {
            reads,
            size,
            is_recursive: encoding.is_recursive(),
            samples: None,
            loops: LoopFacts::default(),
            done: 0,
            budgets: *budgets,
        }
    }

    /// The procedures of the program.
    pub fn procedures(&self) -> Vec<Procedure> {
        self.reads.keys().copied().collect()
    }

    /// Whether functions are called from several places: apart from the start, all others are inlined.
    fn shares_functions(&self) -> bool {
        self.reads.keys().filter(|procedure| procedure.head.is_none()).count() > 1
    }

    fn has_loops(&self) -> bool {
        self.reads.keys().any(|procedure| procedure.head.is_some())
    }

    /// The number of refinements after which there is a first round.
    pub fn first_round(&self) -> usize {
        if self.shares_functions() && !self.is_recursive { 0 } else { self.budgets.contracts.first_round }
    }

    /// The number of refinements after which there is another round.
    pub fn next_round(&self, refinements: usize) -> usize {
        self.budgets.contracts.first_round.max(2 * refinements + 1)
    }

    /// An execution that goes wrong, if one was met.
    pub fn take_violation(&mut self) -> Option<Executed> {
        self.samples.as_mut()?.violation.take()
    }

    /// The sources of candidates of the next round, one after the other.
    pub fn next_sources(&mut self) -> &'static [Source] {
        let (round, budget) = (self.done, &self.budgets.contracts);
        self.done += 1;
        match round {
            _ if self.reads.len() > budget.procedures => &[],
            _ if self.is_recursive => &[Source::Samples],
            0 if self.shares_functions() => &[Source::SamplesOfViolations],
            // Without loops everything can be unfolded.
            _ if !self.has_loops() => &[],
            _ if round < budget.late_round && self.size > budget.small => &[Source::Loops],
            _ => &[Source::Loops, Source::Samples],
        }
    }

    /// Infers contracts from a source of candidates. `known` are the contracts that hold, `interest` are formulas such as
    /// interpolants.
    pub fn infer(
        &mut self,
        encoding: &mut Encoding<'_>,
        source: Source,
        known: &Contracts,
        interest: &Formulas,
        infer: &mut Infer<'_>,
        limits: &Limits,
    ) -> Result<Contracts, Stop> {
        let procedures = self.procedures();
        let constants = compared(encoding, &procedures, self.budgets.samples);
        if self.samples.is_none() {
            let samples = CallSamples::draw(encoding, &self.reads, &constants, self.budgets.samples, limits);
            if self.samples.insert(samples).violation.is_some() {
                return Ok(Contracts::default());
            }
        }
        let (candidates, tables) = if source == Source::Loops {
            self.loops.infer(encoding, interest, infer, &self.budgets, limits);
            let ends = ends(encoding, &procedures);
            (self.loops.candidates(encoding, &ends, &self.reads), Tables::new())
        } else {
            let is_narrow = source == Source::SamplesOfViolations;
            let relevant = is_narrow.then(|| relevant(encoding, &procedures));
            self.candidates(encoding, interest, &constants, relevant.as_ref(), limits)?
        };
        let ignored = Ignored::new();
        let mut obligations = OfProcedures::new(&procedures, known, &ignored);
        let houdini = self.houdini();
        let parts =
            houdini::largest_inductive(encoding, &mut obligations, candidates.parts, houdini, limits)?;
        let mut contracts = Contracts { parts };
        tables::extend(encoding, tables, known, &mut contracts, self.budgets.contracts.tables, limits)?;
        Ok(contracts)
    }

    /// What the size of the program leaves of Houdini's budget.
    fn houdini(&self) -> budgets::Houdini {
        let budget = &self.budgets.contracts;
        let queries = budget.queries.min(budget.work / self.size.max(1));
        let conflicts = if self.size > budget.large { budget.few_conflicts } else { budget.conflicts };
        budgets::Houdini { queries, conflicts, conflicts_of_part: conflicts }
    }

    /// The candidates from samples, and those of them that are entries of tables.
    fn candidates(
        &self,
        encoding: &mut Encoding<'_>,
        interest: &Formulas,
        constants: &[u64],
        relevant: Option<&BTreeSet<CellId>>,
        limits: &Limits,
    ) -> Result<(Contracts, Tables), Stop> {
        let is_relevant = |cell: &CellId| relevant.is_none_or(|relevant| relevant.contains(cell));
        let (mut contracts, mut tables) = (Contracts::default(), Tables::new());
        for (procedure, (exits, written)) in ends(encoding, &self.procedures()) {
            let reads = self.reads[&procedure].iter().copied().filter(is_relevant).collect();
            let writes: Vec<CellId> = written.iter().copied().filter(is_relevant).collect();
            let material = Material {
                procedure,
                reads: &reads,
                writes: &writes,
                constants,
                samples: self.samples.as_ref().map_or(&[], |samples| samples.of(procedure)),
                interest: interest.get(&procedure).map_or(&[], Vec::as_slice),
                budget: &self.budgets.contracts,
            };
            contracts.parts.insert(Part::Guard(procedure), guards(encoding, &material));
            for exit in exits {
                let found = summaries(encoding, &material, exit);
                tables.extend(found.entries.into_iter().map(|entry| (procedure, exit, entry)));
                contracts.parts.insert(Part::Summary(procedure, exit), found.all);
            }
            Stop::check(limits)?;
        }
        Ok((contracts, tables))
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
fn size<'a>(encoding: &mut Encoding<'_>, procedures: impl Iterator<Item = &'a Procedure>) -> usize {
    let mut roots = Vec::new();
    for &procedure in procedures {
        let body = encoding.body_of(procedure);
        roots.extend(body.exits.iter().flat_map(of_exit));
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
