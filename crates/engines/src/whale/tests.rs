//! WHALE as in its paper, without help.

use super::{Expand, Whale};
use crate::tests::{pair, prove};

const NINETY_ONE: &str = "int f(int p) { if (p > 100) return p - 10; return f(f(p + 11)); }
    int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) >= HERE); return 0; }";

#[test]
fn the_summary_of_the_paper() {
    let invariant = prove(&Whale::default(), &NINETY_ONE.replace("HERE", "91"));
    let [contract] = &invariant.contracts[..] else { panic!("{:?}", invariant.contracts) };
    assert_eq!(invariant.pool.as_bool(contract.requires), Some(true));
    let (_, ensures) = contract.ensures[0];
    assert_eq!(invariant.pool.display(ensures).to_string(), "f::return > 90");
}

#[test]
fn the_same_every_time() {
    let texts = [(); 2].map(|()| {
        let invariant = prove(&Whale::default(), &NINETY_ONE.replace("HERE", "91"));
        let contract = &invariant.contracts[0];
        invariant.pool.display(contract.ensures[0].1).to_string()
    });
    assert_eq!(texts[0], texts[1]);
}

/// Checks a pair with each way to expand and to merge ARGs.
fn pair_in_all_ways(text: &str, safe: &str, buggy: &str) {
    for expand in [Expand::One, Expand::Some, Expand::All] {
        for merge in [None, Some(false), Some(true)] {
            pair(&Whale { expand, merge }, text, safe, buggy);
        }
    }
}

#[test]
fn ninety_one() {
    pair_in_all_ways(NINETY_ONE, "91", "92");
}

/// The first guess for the summary is wrong for negative numbers, and is taken back.
#[test]
fn wrong_guesses_are_taken_back() {
    let text = "int down(int n) { if (n <= 0) return n; return down(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n >= HERE) __VERIFIER_assert(down(n) == 0); return 0; }";
    pair_in_all_ways(text, "0", "-1");
}

#[test]
fn a_guard_excludes_a_violation_inside() {
    let text = "int half(int n) { __VERIFIER_assert(n >= 0); if (n < 2) return 0; return half(n - 2) + 1; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n > HERE) half(n); return 0; }";
    pair_in_all_ways(text, "0", "-5");
}

/// Two functions call a third one, which is explored once if ARGs are merged.
#[test]
fn shared_callees() {
    let text = "int level;
        void add(int n) { if (n > 0 && level < 3) { level++; add(n - 1); } else if (level > 3) { level = 0; } }
        void one(void) { int n = __VERIFIER_nondet_int(); if (n > 3) { add(n); add(1); } else { add(2); } }
        void two(void) { add(__VERIFIER_nondet_int()); one(); if (level == 2) { add(3); } else { add(1); } }
        int main(void) { one(); two(); __VERIFIER_assert(level <= HERE); return 0; }";
    pair_in_all_ways(text, "3", "2");
}

#[test]
fn loops_are_procedures() {
    let text = "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) { if (i < 2) i++; }
        __VERIFIER_assert(i <= HERE); return 0; }";
    pair_in_all_ways(text, "2", "1");
}
