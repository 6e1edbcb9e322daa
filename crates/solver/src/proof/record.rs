//! Records what `CaDiCaL` derives, clause by clause.

use cadical_sys::ProofTracer;
use rustc_hash::FxHashMap;

use crate::proof::{Literal, Origin};

/// Where a recorded clause comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// It was added.
    Original(Origin),
    /// It follows from the clauses at these positions.
    Derived(Vec<usize>),
}

/// A clause of the trace.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    pub(crate) literals: Vec<Literal>,
    pub(crate) source: Source,
}

/// The trace of one run.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// Where the clauses that are being added come from.
    pub(crate) origin: Origin,
    clauses: Vec<Recorded>,
    positions: FxHashMap<i64, usize>,
    /// The position of the empty clause.
    empty: Option<usize>,
    /// Why the trace is no resolution proof.
    flaw: Option<&'static str>,
}

impl Recorder {
    /// Nothing recorded.
    pub(crate) fn new(origin: Origin) -> Recorder {
        Recorder { origin, clauses: Vec::new(), positions: FxHashMap::default(), empty: None, flaw: None }
    }

    /// All clauses and the position of the empty one.
    pub(crate) fn refutation(&self) -> Result<(&[Recorded], usize), &'static str> {
        match (self.flaw, self.empty) {
            (Some(flaw), _) => Err(flaw),
            (None, None) => Err("a refutation without an empty clause"),
            (None, Some(empty)) => Ok((&self.clauses, empty)),
        }
    }

    fn record(&mut self, id: i64, literals: &[Literal], source: Source) {
        if literals.is_empty() && self.empty.is_none() {
            self.empty = Some(self.clauses.len());
        }
        self.positions.insert(id, self.clauses.len());
        self.clauses.push(Recorded { literals: literals.to_vec(), source });
    }

    fn derive(&mut self, id: i64, literals: &[Literal], antecedents: &[i64]) {
        let positions: Option<Vec<usize>> =
            antecedents.iter().map(|antecedent| self.positions.get(antecedent).copied()).collect();
        match positions {
            Some(positions) => self.record(id, literals, Source::Derived(positions)),
            None => self.flaw = Some("a step from a clause that was never added"),
        }
    }
}

impl ProofTracer for Recorder {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        // A restored clause was recorded when it was added first.
        if !restored {
            let source = Source::Original(self.origin.clone());
            self.record(id, clause, source);
        }
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        if witness != 0 {
            self.flaw = Some("a step that preserves satisfiability only");
        }
        self.derive(id, clause, antecedents);
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.derive(id, clause, antecedents);
    }

    fn delete_clause(&mut self, _id: i64, _redundant: bool, _clause: &[i32]) {}
    fn weaken_minus(&mut self, _id: i64, _clause: &[i32]) {}
    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _literal: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _kind: i32, _model: &[i32]) {}
    fn conclude_unsat(&mut self, _kind: i32, _clauses: &[i64]) {}
    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}
