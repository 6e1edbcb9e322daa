//! Random numbers that are the same everywhere.

/// Sebastiano Vigna's `SplitMix64`.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator for the input with number `index` of the campaign with the given seed.
    pub fn for_input(seed: u64, index: u64) -> Random {
        let mut mixer = Random(seed ^ index.wrapping_mul(0xa076_1d64_78bd_642f));
        Random(mixer.next())
    }

    /// Any number.
    #[allow(clippy::should_implement_trait, reason = "it never ends, and nobody iterates over it")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number below `bound` that is likely to be small.
    pub fn small_below(&mut self, bound: usize) -> usize {
        let reduced = self.below(bound) + 1;
        self.below(reduced)
    }

    /// One of the items.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Any byte, with those that C uses more often than by chance.
    pub fn byte(&mut self) -> u8 {
        const LIKELY: &[u8] = b"(){}[];,*&#\"'\\\n<>=+-.:?!0123456789abcefilnstuxL_ \t/%^|~$@`\0\r\xff\x80";
        if self.once_in(4) { self.next() as u8 } else { *self.choose(LIKELY) }
    }
}
