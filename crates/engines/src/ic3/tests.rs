//! IC3 without help.

use rorqual_evidence::Reason;

use super::Ic3;
use crate::tests::{give_up, pair};

#[test]
fn a_protocol_with_modes() {
    let text = "int main(void) { int sender = 0, receiver = 0, bit = 0, open = 0;
        while (__VERIFIER_nondet_int()) {
            if (sender == 0 && open == 0) { sender = 1; bit = 1; open = 1; }
            else if (sender == 1 && receiver == 0) { receiver = 1; HERE }
            else if (receiver == 1) { __VERIFIER_assert(open == 1 && bit == 1); receiver = 0; sender = 0; open = 0; bit = 0; }
        } return 0; }";
    pair(&Ic3::default(), text, "", "bit = 0;");
}

#[test]
fn a_counter_that_needs_predicates() {
    let text = "int main(void) { int n = __VERIFIER_nondet_int(), x = n, y = n;
        while (__VERIFIER_nondet_int()) { x = x + 1; y = y + HERE; }
        __VERIFIER_assert(x == y); return 0; }";
    pair(&Ic3::default(), text, "1", "2");
}

#[test]
fn bounds_of_counters() {
    let text = "int main(void) { int i = 0;
        while (__VERIFIER_nondet_int()) { if (i < 10) i++; else i = 0; }
        __VERIFIER_assert(i <= HERE); return 0; }";
    pair(&Ic3::default(), text, "10", "9");
}

#[test]
fn functions_are_inlined() {
    let text = "int locked; void lock(void) { __VERIFIER_assert(!locked); locked = 1; } void unlock(void) { locked = HERE; }
        int main(void) { while (__VERIFIER_nondet_int()) { lock(); unlock(); } return 0; }";
    pair(&Ic3::default(), text, "0", "1");
}

#[test]
fn recursion_is_not_supported() {
    let text = "int f(int n) { return n > 0 ? f(n - 1) : 0; }
        int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) == 0); return 0; }";
    let reason = give_up(&Ic3::default(), text);
    assert!(matches!(reason, Reason::Unsupported { .. }), "{reason:?}");
}

#[test]
fn budgets_end_a_search() {
    let text = "int main(void) { int i = 0;
        while (__VERIFIER_nondet_int()) { if (i < 10) i++; else i = 0; }
        __VERIFIER_assert(i <= 10); return 0; }";
    let ic3 = Ic3 { refinements: 0, ..Ic3::default() };
    let reason = give_up(&ic3, text);
    assert!(matches!(reason, Reason::Solver(_)), "{reason:?}");
    let few = Ic3 { points: 1, ..Ic3::default() };
    assert_eq!(give_up(&few, text), Reason::OutOfIdeas);
}
