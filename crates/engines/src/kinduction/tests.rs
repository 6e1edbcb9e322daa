//! k-induction without help. Whatever it calls safe has to pass the certificate checker, which knows no `k`.

use rorqual_evidence::{Event, Observer, Reason, Verdict};
use rorqual_solver::Limits;

use super::KInduction;
use crate::tests::{give_up, pair, program, prove, refute};
use crate::{Engine, Task};

/// The last `k`.
struct Last(u64);

impl Observer for Last {
    fn on(&mut self, event: Event) {
        if let Event::Step { steps } = event {
            self.0 = steps;
        }
    }
}

/// Proves a program with exactly this `k`, and refutes it with a bug.
fn pair_with(k: u64, text: &str, safe: &str, buggy: &str) {
    pair(&KInduction, text, safe, buggy);
    let program = program(&text.replace("HERE", safe));
    let mut last = Last(0);
    let answer = KInduction.run(&Task::new(&program), &mut (), &Limits::none(), &mut last);
    assert!(matches!(answer.verdict, Verdict::Safe(_)));
    assert_eq!(last.0, k, "{text}");
}

#[test]
fn without_loops() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int();
        if (x > 3) __VERIFIER_assert(x > HERE); return 0; }";
    pair(&KInduction, text, "2", "4");
}

#[test]
fn one_block_is_enough() {
    let text = "int main(void) { int x = 0; while (1) { __VERIFIER_assert(x == 0); x = HERE; } }";
    pair_with(1, text, "0", "1");
}

#[test]
fn two_blocks_are_needed() {
    let text = "int main(void) { int x = 0, y = 0;
        while (1) { __VERIFIER_assert(x == 0); x = y; y = HERE; } }";
    pair_with(2, text, "0", "1");
}

#[test]
fn three_blocks_are_needed() {
    let text = "int main(void) { int x = 0, y = 0, z = 0;
        while (1) { __VERIFIER_assert(x == 0); x = y; y = z; z = HERE; } }";
    pair_with(3, text, "0", "1");
}

#[test]
fn inputs_decide_which_way_a_loop_goes() {
    let text = "int main(void) { int x = 0, y = 0;
        while (__VERIFIER_nondet_int()) {
            __VERIFIER_assert(x == 0);
            x = y; if (__VERIFIER_nondet_int()) y = 0; else y = HERE;
        } return 0; }";
    prove(&KInduction, &text.replace("HERE", "0"));
    refute(&KInduction, &text.replace("HERE", "1"));
}

#[test]
fn inputs_are_stored() {
    let text = "int main(void) { int x = 0, y = 0;
        while (__VERIFIER_nondet_int()) {
            __VERIFIER_assert(x >= 0);
            x = y; y = __VERIFIER_nondet_int(); if (y < HERE) y = 0;
        } return 0; }";
    pair(&KInduction, text, "0", "-7");
}

/// No square is 2, but without its input the condition says nothing.
#[test]
fn what_the_checker_cannot_follow_is_not_called_safe() {
    let text = "int main(void) { int x = 0, y = 0;
        while (1) {
            unsigned n = __VERIFIER_nondet_int();
            __VERIFIER_assert(x == 0);
            x = n * n == 2 ? 1 : y; y = 0;
        } return 0; }";
    let reason = give_up(&KInduction, text);
    assert!(matches!(reason, Reason::Solver(_)), "{reason:?}");
}

#[test]
fn violations_at_some_depth() {
    let text =
        "int main(void) { int i = 0; while (i < 20) { __VERIFIER_assert(i != HERE); i++; } return 0; }";
    refute(&KInduction, &text.replace("HERE", "12"));
    prove(&KInduction, &text.replace("HERE", "-1").replace("i < 20", "i < 20 && i >= 0"));
}

#[test]
fn recursion_is_not_supported() {
    let text = "int f(int n) { return n > 0 ? f(n - 1) : 0; }
        int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) == 0); return 0; }";
    let reason = give_up(&KInduction, text);
    assert!(matches!(reason, Reason::Unsupported { .. }), "{reason:?}");
}
