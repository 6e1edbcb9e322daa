use std::time::Duration;

use rorqual_evidence::{Claim, Event, Observer};
use rorqual_solver::Limits;

use super::Reduction;
use crate::tests::{Checked, PATIENCE, check, pair, program, prove, refute};
use crate::{Engine, Task};

#[test]
fn ninety_one() {
    let text = "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
        int main(void) { int r = f(__VERIFIER_nondet_int()); __VERIFIER_assert(r >= HERE); return 0; }";
    pair(&Reduction::default(), text, "91", "92");
}

#[test]
fn functions_that_call_each_other() {
    let text = "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }
        int odd(int n) { if (n == 0) return HERE; return even(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
            __VERIFIER_assert(even(n) == (n % 2 == 0)); return 0; }";
    refute(&Reduction::default(), &text.replace("HERE", "1"));
    let bounded = Reduction { last: Some(4), ..Reduction::default() };
    let checked = check(&bounded, &text.replace("HERE", "0"), PATIENCE);
    assert!(!matches!(checked, Checked::Unsafe), "{checked:?}");
}

#[test]
fn globals_are_parameters_and_results() {
    let text = "int g; void count(int n) { if (n <= 0) return; g = g + 1; count(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); g = 5; count(n);
            __VERIFIER_assert(g >= HERE || g < 0); return 0; }";
    let unbounded = text.replace("HERE", "6");
    refute(&Reduction::default(), &unbounded);
}

#[test]
fn errors_inside_need_requirements() {
    let text = "void down(int n) { __VERIFIER_assert(n >= HERE); if (n > 0) down(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0) down(n); return 0; }";
    let reduction = Reduction::default();
    let invariant = prove(&reduction, &text.replace("HERE", "0"));
    assert_ne!(invariant.pool.as_bool(invariant.contracts[0].requires), Some(true));
    refute(&reduction, &text.replace("HERE", "1"));
}

#[test]
fn callees_that_are_not_recursive_are_looked_into() {
    let text = "int least(int a, int b) { return a < b ? a : b; }
        int f(int n) { if (n <= 0) return 0; return least(f(n - 1) + 1, HERE); }
        int main(void) { int r = f(__VERIFIER_nondet_int()); __VERIFIER_assert(r <= 3); return 0; }";
    pair(&Reduction::default(), text, "3", "4");
}

#[test]
fn recursion_through_pointers() {
    let text = "int down(int n); int (*step)(int) = down;
        int down(int n) { if (n <= 0) return HERE; return step(n - 1); }
        int main(void) { __VERIFIER_assert(step(__VERIFIER_nondet_int()) == 7); return 0; }";
    pair(&Reduction::default(), text, "7", "8");
}

#[test]
fn pointers_to_variables_of_callers() {
    let text = "void down(int n, int *out) { if (n <= 0) { *out = HERE; return; } down(n - 1, out); }
        int main(void) { int x = 0; down(__VERIFIER_nondet_int(), &x);
            __VERIFIER_assert(x == 7); return 0; }";
    pair(&Reduction::default(), text, "7", "8");
}

#[test]
fn loops_in_recursive_functions() {
    let text = "int f(int n) { int i, s = 0; if (n <= 0) return 0;
            for (i = 0; i < n; i++) s = HERE; return f(n - 1) + s; }
        int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assert(f(n) == 0); return 0; }";
    pair(&Reduction::default(), text, "0", "1");
}

#[test]
fn loops_around_calls() {
    let text = "int f(int n) { if (n <= 0) return 0; return f(n - 1); }
        int main(void) { int s = 0; while (__VERIFIER_nondet_int()) { s = s + f(__VERIFIER_nondet_int()); }
            __VERIFIER_assert(s == HERE); return 0; }";
    pair(&Reduction::default(), text, "0", "1");
}

/// No call is deeper than some `k`, so the under-approximation is exact.
#[test]
fn recursion_with_a_bound() {
    let text = "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
        int main(void) { __VERIFIER_assert(fib(6) == HERE); return 0; }";
    let checked = check(&Reduction::default(), &text.replace("HERE", "8"), PATIENCE);
    let Checked::Safe(claim) = checked else { panic!("{checked:?}") };
    assert!(matches!(*claim, Claim::Unwinding(_)));
    refute(&Reduction::default(), &text.replace("HERE", "9"));
}

#[test]
fn without_recursion_the_analyzer_decides() {
    let text = "int main(void) { int x = 0; while (__VERIFIER_nondet_int()) { x = HERE; }
        __VERIFIER_assert(x <= 1); return 0; }";
    pair(&Reduction::default(), text, "1 - x", "x + 1");
}

#[test]
fn the_depth_is_a_budget() {
    let text = "int f(int n) { if (n == 0) return 0; return f(n - 1) + 1; }
        int main(void) { int r = f(__VERIFIER_nondet_int()); __VERIFIER_assert(r != 100); return 0; }";
    let shallow = Reduction { last: Some(2), ..Reduction::default() };
    let checked = check(&shallow, text, Duration::from_secs(20));
    assert!(matches!(checked, Checked::Unknown(_)), "{checked:?}");
}

#[test]
fn what_happens_is_told() {
    #[derive(Default)]
    struct Told(Vec<Event>);
    impl Observer for Told {
        fn on(&mut self, event: Event) {
            let is_ours =
                matches!(event, Event::Started { .. } | Event::Unwound { .. } | Event::Summarised { .. });
            self.0.extend(is_ours.then_some(event));
        }
    }
    let program = program(
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
        int main(void) { int r = f(__VERIFIER_nondet_int()); __VERIFIER_assert(r >= 91); return 0; }",
    );
    let mut told = Told::default();
    Reduction::default().run(&Task::new(&program), &mut (), &Limits::none(), &mut told);
    assert_eq!(told.0[0], Event::Started { engine: "reduction" });
    assert_eq!(told.0[1], Event::Unwound { k: 1 });
    let is_kept = |event: &Event| matches!(event, Event::Summarised { kept, .. } if *kept > 0);
    assert!(told.0.iter().any(is_kept), "{:?}", told.0);
}

/// What becomes of summaries: for each check, how many conjuncts were computed and how many hold.
#[derive(Default)]
struct Checks(Vec<(usize, usize)>);

impl Observer for Checks {
    fn on(&mut self, event: Event) {
        if let Event::Summarised { computed, kept } = event {
            self.0.push((computed, kept));
        }
    }
}

/// With calls one deep, the result is at most 1. That is too strong, and what is left of the summary is enough.
#[test]
fn summaries_that_are_too_strong_are_weakened() {
    let text = "int f(int n) { if (n <= 0) return 0; int r = f(n - 1); return r < 5 ? r + 1 : HERE; }
        int main(void) { int r = f(__VERIFIER_nondet_int());
            __VERIFIER_assert(r >= 0); __VERIFIER_assert(r <= 5); return 0; }";
    pair(&Reduction::default(), text, "r", "6");
    let (mut checks, program) = (Checks::default(), program(&text.replace("HERE", "r")));
    Reduction::default().run(&Task::new(&program), &mut (), &Limits::none(), &mut checks);
    assert!(checks.0.iter().any(|&(computed, kept)| 0 < kept && kept < computed), "{:?}", checks.0);
}

/// For negative numbers the claim is wrong, but no call from `main` gets there, and that is a requirement of both functions.
#[test]
fn arguments_that_are_not_reached_refute_nothing() {
    let text = "int even(int n);
        int odd(int n) { if (n == 0) return 0; if (n == 1) return 1; return even(n - 1); }
        int even(int n) { if (n == 0) return 1; if (n == 1) return HERE; return odd(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
            int r = odd(n); __VERIFIER_assert(r == n % 2); return 0; }";
    pair(&Reduction::default(), text, "0", "2");
    let without = Reduction { exclusions: 0, last: Some(3), ..Reduction::default() };
    let checked = check(&without, &text.replace("HERE", "0"), PATIENCE);
    assert!(matches!(checked, Checked::Unknown(_)), "{checked:?}");
}
