//! `FunFrog` as in its papers, without help.

use super::{FunFrog, Refine, Strength};
use crate::registry::Engine;
use crate::task::Task;
use crate::tests::{give_up, pair, prove, refute};
use rorqual_evidence::{Reason, Verdict};
use rorqual_solver::Limits;

fn pair_both_ways(text: &str, safe: &str, buggy: &str) {
    for refine in [Refine::Guided, Refine::Greedy] {
        for strength in [Strength::Strong, Strength::Symmetric] {
            pair(&FunFrog { refine, strength, ..FunFrog::default() }, text, safe, buggy);
        }
    }
}

#[test]
fn a_summary_serves_two_calls() {
    let text = "int calls;
        int clamp(int n) { calls++; if (n < 0) n = 0; if (n > 9) n = 9; while (n > 7) n--; return n; }
        int main(void) { int a = clamp(__VERIFIER_nondet_int()); int b = clamp(__VERIFIER_nondet_int());
            __VERIFIER_assert(a + b <= HERE); return 0; }";
    pair_both_ways(text, "14", "13");
}

#[test]
fn violations_inside_of_calls() {
    let text = "int half(int n) { __VERIFIER_assert(n >= 0); if (n < 2) return 0; return half(n - 2) + 1; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n > HERE && n < 9) half(n); return 0; }";
    pair_both_ways(text, "0", "-5");
}

#[test]
fn loops_and_recursion_with_bounds() {
    let text = "int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n > 4) return 0; int s = sum(n), i = 0;
            while (s > 0) { s = s - 3; i++; } __VERIFIER_assert(i <= HERE); return 0; }";
    pair_both_ways(text, "4", "3");
}

/// What a call does to a global variable reaches a later call.
#[test]
fn globals_between_calls() {
    let text = "int level, count;
        void raise(int by) { count++; if (by > 0 && by < 4) level += by; while (level > 5) level--; }
        void twice(int by) { raise(by); raise(by); count++; if (count > 9) level = 0; }
        int main(void) { twice(__VERIFIER_nondet_int()); twice(2); __VERIFIER_assert(level <= 5);
            __VERIFIER_assert(count == HERE); return 0; }";
    pair_both_ways(text, "6", "5");
}

/// Where executions go on behind the bound, nothing is claimed about them.
#[test]
fn a_bound_is_no_proof() {
    let text = "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) { i++; if (i > 100) i = 100; }
        __VERIFIER_assert(i != 50); return 0; }";
    for refine in [Refine::Guided, Refine::Greedy] {
        let reason = give_up(&FunFrog { refine, unwind: Some(5), ..FunFrog::default() }, text);
        assert!(matches!(&reason, Reason::Bound { loops } if loops[0].1 == 5), "{reason:?}");
    }
}

/// A bound that no execution reaches is none.
#[test]
fn a_bound_that_is_enough_is_a_proof() {
    let text = "int main(void) { int i = 0; while (i < 3) i++; __VERIFIER_assert(i == 3); return 0; }";
    prove(&FunFrog { unwind: Some(5), ..FunFrog::default() }, text);
}

/// Guided refinement leaves out what the property does not depend on: the loop in `noise` has no bound.
#[test]
fn what_does_not_matter_stays_a_summary() {
    let text = "int noisy;
        int noise(void) { int i = 0; while (__VERIFIER_nondet_int()) i++; noisy += 1; return i; }
        int keep(int n) { if (n > 3) n = 3; while (n > 2) n--; return n; }
        int main(void) { noise(); int a = keep(__VERIFIER_nondet_int()); noise(); int b = keep(7);
            __VERIFIER_assert(a + b <= 4); return 0; }";
    prove(&FunFrog::default(), text);
}

/// A property that many bodies are brought back for does not keep others from an answer: it is left for later. Alone it has no budget.
#[test]
fn what_costs_too_much_is_left_for_later() {
    let dear = "if (i == 50) __VERIFIER_error();";
    let text = |first: &str| {
        format!(
            "int main(void) {{ int i = 0, k = __VERIFIER_nondet_int();
                while (__VERIFIER_nondet_int()) {{ i++; if (i > 100) i = 100; }}
                {first} if (k * k == 2) __VERIFIER_error(); return 0; }}"
        )
    };
    let program = crate::tests::program(&text(dear));
    let mut task = Task::new(&program);
    task.wants_all = true;
    let answer = FunFrog::default().run(&task, &mut (), &Limits::none(), &mut ());
    assert!(matches!(answer.verdict, Verdict::Unknown(Reason::OutOfIdeas)), "{:?}", answer.verdict);
    assert_eq!(answer.later.len(), 1, "{:?}", answer.later);
    prove(&FunFrog::default(), &text(""));
    refute(&FunFrog::default(), &text(dear).replace("if (k * k == 2) __VERIFIER_error();", ""));
}

/// Properties whose error traces stay within the bound are proved; of the others it is said that they hold within it, and violations
/// within it are found. None of this is claimed of executions behind it.
#[test]
fn a_bound_is_about_the_properties_that_reach_it() {
    let text = |limit: &str| {
        format!(
            "int main(void) {{ int i = 0, k = __VERIFIER_nondet_int();
                while (__VERIFIER_nondet_int()) {{ i++; if (i == {limit}) __VERIFIER_error(); }}
                if (k > 3 && k < 3) __VERIFIER_error();
                if (i == 60) __VERIFIER_error(); return 0; }}"
        )
    };
    for refine in [Refine::Guided, Refine::Greedy] {
        let engine = FunFrog { refine, unwind: Some(3), ..FunFrog::default() };
        let run = |text: &str| {
            let program = crate::tests::program(text);
            let mut task = Task::new(&program);
            task.wants_all = true;
            engine.run(&task, &mut (), &Limits::none(), &mut ())
        };
        let answer = run(&text("50"));
        assert!(matches!(answer.verdict, Verdict::Unknown(Reason::Bound { .. })), "{:?}", answer.verdict);
        assert_eq!((answer.beyond.len(), answer.later.len()), (2, 0), "{:?}", answer.beyond);
        // Behind the bound there is a violation of each of both; within it there is one of the first.
        let answer = run(&text("2"));
        assert!(matches!(answer.verdict, Verdict::Unsafe(_)), "{:?}", answer.verdict);
        assert!(answer.further.is_empty(), "{:?}", answer.further);
    }
}
