//! Random partitions, all kinds and all systems; the judge is the verifier.

mod chooser;
mod classic;
mod clauses;
mod resolver;
mod spoiled;
mod vectors;

use rorqual_logic::{Term, TermPool};
use rorqual_solver::proof::Part;

use crate::Arrangement;

/// A xorshift generator: the same seed gives the same test everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// How many partitions of each kind a random test takes. `RORQUAL_INTERPOLATION_PARTITIONS` sets it;
/// the default keeps all tests of this crate within 90 seconds without optimisation.
pub(crate) fn partitions(default: usize) -> usize {
    let set = std::env::var("RORQUAL_INTERPOLATION_PARTITIONS").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A random tree whose nodes have smaller numbers than their parents.
pub(crate) fn random_tree(random: &mut Random, count: usize) -> crate::Tree {
    let parents = (0..count - 1).map(|node| node + 1 + random.below(count - 1 - node)).collect();
    crate::Tree::new(parents).expect("parents come after their children")
}

/// Whether the conjunctions of the positions have lost no symbol to simplification.
pub(crate) fn keeps_symbols(
    pool: &TermPool,
    parts: &[Term],
    arrangement: &Arrangement,
    conjunctions: &[Term],
) -> bool {
    parts.iter().enumerate().all(|(number, &part)| {
        let position = arrangement.position(Part(number as u32));
        pool.free_symbols(part).is_subset(&pool.free_symbols(conjunctions[position]))
    })
}
