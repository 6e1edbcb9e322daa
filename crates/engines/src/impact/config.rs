//! What IMPACT may be told.

use rorqual_encoding::{Blocks, Detail, Setting};

/// The settings of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Impact {
    /// Where nodes are. Large blocks have fewer nodes and larger formulas.
    pub blocks: Blocks,
    /// How much of memory is known. On the heap-free abstraction a proof holds all the same, but a violation may not be
    /// one, and neither may an unsupported construct be reached: both end the search without an answer.
    pub detail: Detail,
    /// At most so many older nodes at the same point are tried for a forced cover, youngest first. More find more covers
    /// and cost more queries.
    pub forced_covers: usize,
    /// Which interpolants are accepted.
    pub interpolants: Interpolants,
    /// At most so many refinements; without limit if absent.
    pub refinements: Option<usize>,
    /// At most so many conflicts in each query; without limit if absent.
    pub conflicts: Option<u32>,
}

/// Which interpolants are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolants {
    /// Any.
    Any,
    /// UNWIND(L): those of the language `L_0` first. A path that has none moves the search on to the next language; after
    /// the last one, any are accepted.
    Restricted {
        /// The last language.
        last_level: u32,
    },
}

impl Default for Impact {
    fn default() -> Impact {
        Impact {
            blocks: Blocks::Large,
            detail: Detail::Full,
            forced_covers: 4,
            interpolants: Interpolants::Any,
            refinements: None,
            conflicts: None,
        }
    }
}

impl Impact {
    pub(super) fn setting(&self) -> Setting {
        Setting { blocks: self.blocks, detail: self.detail, ..Setting::default() }
    }
}
