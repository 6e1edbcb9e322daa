//! What predicate abstraction may be told.

use std::sync::Arc;
use std::time::Duration;

use rorqual_encoding::{Blocks, Detail, Setting};

use super::map::Exchange;
use crate::impact::Interpolants;

/// The settings of one run.
#[derive(Debug, Clone)]
pub struct Predicate {
    /// Where nodes are. Large blocks have fewer nodes and larger formulas.
    pub blocks: Blocks,
    /// How precisely predicates describe states.
    pub abstraction: Abstraction,
    /// Where a predicate is tracked.
    pub locality: Locality,
    /// What becomes of calls in programs without recursion.
    pub calls: Calls,
    /// Which interpolants predicates are taken from.
    pub interpolants: Interpolants,
    /// At most so many combinations of predicates in one abstract post; one with more is Cartesian. Each takes a query.
    pub combinations: usize,
    /// At most so many conflicts in each query about abstract states; one that takes more is answered by the weaker
    /// abstraction.
    pub conflicts: u32,
    /// How long a proof is looked for on the heap-free abstraction, where it holds all the same; none if that is not
    /// tried. Most drivers are proved without the content of the heap, in much smaller formulas.
    pub heap_free: Option<HeapFree>,
    /// At most so many facts about one way in which a procedure ends, with summaries: each takes a query.
    pub facts: usize,
    /// Predicates to start with, and where those that were found go.
    pub exchange: Option<Arc<Exchange>>,
}

/// How precisely predicates describe states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abstraction {
    /// By a conjunction of predicates and negations: one query for each, as in BLAST.
    Cartesian,
    /// By the strongest Boolean combination of the atoms of predicates, found by all-solutions queries. More queries, fewer
    /// refinements.
    Boolean,
}

/// What becomes of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// Each context of calls is analysed on its own: what callers know is known in functions. Programs with recursion have
    /// no such thing, so they have summaries.
    Inline,
    /// Functions and loops are analysed once for all callers, by predicates over what they are given and give back.
    Summaries,
}

/// Where a predicate is tracked that a refutation needs at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locality {
    /// There only ("Craig+Locality" in the paper).
    Location,
    /// At all points of the same function at which its variables exist.
    Function,
    /// At all points at which its variables exist ("Craig" in the paper).
    Global,
}

/// The budget of the heap-free abstraction. Programs that need the content of the heap lose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapFree {
    /// At most so many refinements.
    pub refinements: usize,
    /// At most so long.
    pub time: Duration,
}

impl Default for HeapFree {
    fn default() -> HeapFree {
        HeapFree { refinements: 50, time: Duration::from_secs(20) }
    }
}

impl Default for Predicate {
    fn default() -> Predicate {
        Predicate {
            blocks: Blocks::Large,
            abstraction: Abstraction::Boolean,
            locality: Locality::Location,
            calls: Calls::Inline,
            interpolants: Interpolants::Any,
            combinations: 100,
            conflicts: 10_000,
            heap_free: Some(HeapFree::default()),
            facts: 2_000,
            exchange: None,
        }
    }
}

impl Predicate {
    pub(super) fn setting(&self, detail: Detail) -> Setting {
        Setting { blocks: self.blocks, detail, ..Setting::default() }
    }
}
