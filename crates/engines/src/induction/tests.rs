//! Induction without help. Whatever it calls safe has to pass the certificate checker, which finds out by itself what loops
//! change.

use rorqual_evidence::{Claim, Reason};

use super::Induction;
use crate::tests::{Checked, PATIENCE, check, give_up, refute};

/// Proves a program by induction with this `k` for some loop, and refutes it with a bug.
fn pair_with(k: u64, text: &str, safe: &str, buggy: &str) {
    refute(&Induction::default(), &text.replace("HERE", buggy));
    let proved = check(&Induction::default(), &text.replace("HERE", safe), PATIENCE);
    let Checked::Safe(claim) = proved else { panic!("{proved:?} of\n{text}") };
    let Claim::Unwinding(unwinding) = *claim else { panic!("an invariant of\n{text}") };
    assert!(unwinding.inductive.values().all(|&own| own == k), "{unwinding:?} of\n{text}");
    assert_eq!(unwinding.inductive.is_empty(), k == 0, "{unwinding:?} of\n{text}");
}

#[test]
fn bounded_loops_are_unwound() {
    let text = "int main(void) { int i, s = 0; for (i = 0; i < 3; i++) s += i; __VERIFIER_assert(s == HERE); return 0; }";
    pair_with(0, text, "3", "4");
}

#[test]
fn what_an_iteration_keeps_is_kept_by_all() {
    let text = "int main(void) { int x = 0, y = 0;
        while (__VERIFIER_nondet_int()) { __VERIFIER_assert(x == y); x = x > 5 ? 0 : x + 1; y = y > HERE ? 0 : y + 1; }
        return 0; }";
    pair_with(1, text, "5", "6");
}

#[test]
fn two_iterations_are_needed() {
    let text = "int main(void) { int x = 0, y = 0;
        while (__VERIFIER_nondet_int()) { __VERIFIER_assert(x == 0); x = y == 3; y = y ? HERE : 8; } return 0; }";
    pair_with(2, text, "0", "3");
}

#[test]
fn what_comes_after_the_loop_counts() {
    let text = "int main(void) { int x = 1;
        while (__VERIFIER_nondet_int()) { __VERIFIER_assert(x == 1 || x == 3); x = x == 3 ? 1 : x + 2; }
        __VERIFIER_assert(x != HERE); return 0; }";
    let (safe, buggy) = (text.replace("HERE", "0"), text.replace("HERE", "3"));
    assert!(matches!(check(&Induction::default(), &safe, PATIENCE), Checked::Safe(_)));
    refute(&Induction::default(), &buggy);
}

/// The first iteration is like no other one.
#[test]
fn what_only_the_first_iteration_changes_is_changed() {
    let text = "int main(void) { int first = 1, x = 3;
        while (__VERIFIER_nondet_int()) {
            if (first) { x = 7; first = 0; } else x = HERE;
            __VERIFIER_assert(x == 7);
        } return 0; }";
    pair_with(1, text, "7", "8");
}

/// The violation is in the n-th iteration and in no other one, for each small n.
#[test]
fn no_iteration_is_left_out() {
    for n in 1..8 {
        let text = "int main(void) { int n = 0;
            while (__VERIFIER_nondet_int()) { n++; __VERIFIER_assert(n != HERE); if (n > 20) n = 21; } return 0; }";
        refute(&Induction::default(), &text.replace("HERE", &n.to_string()));
    }
}

#[test]
fn loops_inside_and_calls() {
    let text = "int a[4]; void put(int at) { for (int i = 0; i < 4; i++) if (i == at) a[i] = HERE; }
        int main(void) {
        while (__VERIFIER_nondet_int()) {
            put(__VERIFIER_nondet_int());
            for (int i = 0; i < 4; i++) __VERIFIER_assert(a[i] == 0 || a[i] == 5);
        } return 0; }";
    pair_with(1, text, "5", "6");
}

#[test]
fn pointers_stay_in_their_objects() {
    let text = "int main(void) { char s[6] = \"abcde\"; char *p = s; int i = 0;
        while (__VERIFIER_nondet_int()) {
            if (*p == 0) { p = s; i = 0; } else { p++; i++; }
            __VERIFIER_assert(p - s == i && i <= HERE);
        } return 0; }";
    pair_with(1, text, "5", "4");
}

#[test]
fn texts_and_functions_that_a_loop_names() {
    let text = "static int one(void) { return 1; } static int two(void) { return HERE; }
        int main(void) { const char *s = 0; int (*f)(void) = one; int n = 0;
        while (__VERIFIER_nondet_int()) {
            if (__VERIFIER_nondet_int()) { s = \"ab\"; f = two; } else { s = \"cd\"; f = one; }
            n = f();
            __VERIFIER_assert(s[1] == 'b' || s[1] == 'd');
            __VERIFIER_assert(n == 1 || n == 2);
        } return 0; }";
    pair_with(1, text, "2", "3");
}

#[test]
fn memory_that_a_loop_makes_is_not_supported() {
    let text = "void *malloc(__SIZE_TYPE__); struct node { struct node *next; int value; };
        int main(void) { struct node *list = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *node = malloc(sizeof *node);
            if (!node) return 0;
            node->next = list; node->value = 1; list = node;
            __VERIFIER_assert(list->value == 1);
        } return 0; }";
    let reason = give_up(&Induction::default(), text);
    assert!(matches!(reason, Reason::Unsupported { .. }), "{reason:?}");
}

#[test]
fn what_is_not_inductive_is_given_up() {
    let text = "int main(void) { unsigned x = 0;
        while (__VERIFIER_nondet_int()) x += 2;
        __VERIFIER_assert(x != 7); return 0; }";
    let reason = give_up(&Induction { last: Some(3), ..Induction::default() }, text);
    assert!(matches!(reason, Reason::OutOfIdeas), "{reason:?}");
}
