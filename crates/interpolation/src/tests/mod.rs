//! Random partitions, all kinds and all systems; the judge is the verifier.

mod chooser;
mod classic;
mod clauses;
mod kinds;
mod memory;
mod resolver;
mod spoiled;
mod vectors;

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

/// How many partitions a random test takes. `RORQUAL_INTERPOLATION_PARTITIONS` sets it for all of them.
pub(crate) fn partitions(default: usize) -> usize {
    let set = std::env::var("RORQUAL_INTERPOLATION_PARTITIONS").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A random tree whose nodes have smaller numbers than their parents.
pub(crate) fn random_tree(random: &mut Random, count: usize) -> crate::Tree {
    let parents = (0..count - 1).map(|node| node + 1 + random.below(count - 1 - node)).collect();
    crate::Tree::new(parents).expect("parents come after their children")
}

/// Calls `check` with a generator for each seed, on two threads. The seeds do not depend on the threads.
pub(crate) fn for_seeds(family: u64, count: usize, check: impl Fn(u64, &mut Random) + Sync) {
    std::thread::scope(|scope| {
        for first in 0..2 {
            let check = &check;
            scope.spawn(move || {
                for number in (first..count).step_by(2) {
                    let seed = family * 1_000_000 + number as u64;
                    check(seed, &mut Random::new(seed));
                }
            });
        }
    });
}
