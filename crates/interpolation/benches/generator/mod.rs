//! Paths of C-like programs, unrolled symbolically, as long as no engine records real ones. The same
//! number gives the same path everywhere.

mod bits;
mod control;
mod loops;
mod memory;
mod mixed;
mod unroll;

use std::collections::BTreeMap;

use rorqual_interpolation::recorded::{RecordedPath, Recording};

use unroll::Unroll;

/// How many paths each family has.
const PATHS: u64 = 22;

/// A family of paths: makes the path with a number.
type Family = fn(&mut Random, &mut Unroll);

const FAMILIES: [(&str, Family); 18] = [
    ("counters", loops::counters),
    ("unsigned-counters", loops::unsigned_counters),
    ("nested-counters", loops::nested_counters),
    ("differences", loops::differences),
    ("sums", loops::sums),
    ("multiples", loops::multiples),
    ("two-locks", control::lock_and_counter),
    ("many-locks", control::many_locks),
    ("ssh", control::state_machine),
    ("driver", control::driver),
    ("bounds", memory::bounds),
    ("arrays", memory::arrays),
    ("narrow", bits::narrow),
    ("masks", bits::masks),
    ("modulo", bits::modulo),
    ("tricks", bits::tricks),
    ("blocks", mixed::blocks),
    ("random", mixed::random),
];

/// One recording per family, by its name.
pub(crate) fn recordings() -> BTreeMap<String, Recording> {
    let mut recordings = BTreeMap::new();
    for (seed, (name, family)) in FAMILIES.iter().enumerate() {
        let mut declarations = BTreeMap::new();
        let mut paths = Vec::new();
        for number in 0..PATHS {
            let mut unroll = Unroll::default();
            family(&mut Random::new(seed as u64 * 1000 + number), &mut unroll);
            let (parts, declared) = unroll.finish();
            declarations.extend(declared);
            paths.push(RecordedPath { name: format!("{name}-{number}"), parts });
        }
        let lines: Vec<String> =
            declarations.iter().map(|(name, sort)| format!("(declare-fun {name} () {sort})\n")).collect();
        let declarations = lines.concat();
        recordings.insert((*name).to_owned(), Recording { declarations, paths });
    }
    recordings
}

/// A xorshift generator.
pub(crate) struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut random = Random((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        random.below(2);
        random
    }

    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32 % bound
    }

    /// A number from the first to the last.
    pub(crate) fn between(&mut self, first: u32, last: u32) -> u32 {
        first + self.below(last - first + 1)
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    /// True three times out of ten: that many paths are meant to be feasible.
    pub(crate) fn is_feasible(&mut self) -> bool {
        self.below(10) < 3
    }

    pub(crate) fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len() as u32) as usize]
    }
}
