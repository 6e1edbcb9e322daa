//! What IMPACT may be told.

use rorqual_encoding::{Blocks, Detail};

/// The settings of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Where nodes are. Large blocks have fewer nodes and larger formulas.
    pub blocks: Blocks,
    /// How much of memory is known. With less, a proof holds all the same, but a violation may not be one.
    pub detail: Detail,
    /// How many older nodes at the same point are tried for a forced cover, youngest first. More find more covers
    /// and cost more queries.
    pub forced_covers: usize,
    /// After so many refinements, and again each time that they double, facts are learned from samples and
    /// candidates. Most programs without loops that need invariants never get there.
    pub first_facts: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config { blocks: Blocks::Large, detail: Detail::Full, forced_covers: 4, first_facts: 2 }
    }
}
