//! Predicate abstraction as in its paper, without help.

use super::{Abstraction, Locality, Predicate};
use crate::Blocks;
use crate::tests::{give_up, pair, prove};
use rorqual_evidence::Reason;

fn all_kinds() -> Vec<Predicate> {
    let mut kinds = Vec::new();
    for blocks in [Blocks::Basic, Blocks::Large] {
        for abstraction in [Abstraction::Cartesian, Abstraction::Boolean] {
            for locality in [Locality::Location, Locality::Function, Locality::Global] {
                kinds.push(Predicate { blocks, abstraction, locality, ..Predicate::default() });
            }
        }
    }
    kinds
}

#[test]
fn branches() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); int y = 0;
        if (x > 10) { y = 1; } else if (x HERE 10) { y = 2; }
        if (y == 0) __VERIFIER_assert(x < 10); return 0; }";
    for predicate in all_kinds() {
        pair(&predicate, text, "==", "!=");
    }
}

#[test]
fn calls_with_results() {
    let text = "int g; int twice(int x) { g = g + 1; return x + x; }
        int main(void) { int a = twice(3); int b = twice(a); __VERIFIER_assert(b == 12 && g == HERE); return 0; }";
    for predicate in all_kinds() {
        pair(&predicate, text, "2", "1");
    }
}

#[test]
fn counting_loops() {
    let text = "int main(void) { int i; for (i = 0; i < 4; i++) ; __VERIFIER_assert(i HERE 4); return 0; }";
    for predicate in all_kinds() {
        pair(&predicate, text, "==", "<");
    }
}

#[test]
fn modes_and_counters() {
    let text = "int main(void) { int state = 1; int seen = 0;
        while (__VERIFIER_nondet_int()) {
            if (state == 1) { state = 2; }
            else if (state == 2) { if (seen == 0) seen = 1; state = 3; }
            else if (state == 3) { __VERIFIER_assert(seen == HERE); state = 2; }
        } return 0; }";
    for abstraction in [Abstraction::Cartesian, Abstraction::Boolean] {
        pair(&Predicate { abstraction, ..Predicate::default() }, text, "1", "0");
    }
}

/// The trace of figure 2 of the paper: each predicate relates current values only.
#[test]
fn the_trace_of_figure_2() {
    let text = "int main(void) { int x, y, m = __VERIFIER_nondet_int(), ctr = __VERIFIER_nondet_int();
        x = ctr; ctr = ctr + 1; y = ctr;
        if (x == m && y != m + HERE) __VERIFIER_error(); return 0; }";
    for predicate in all_kinds() {
        pair(&predicate, text, "1", "2");
    }
}

#[test]
fn too_many_combinations_are_described_less_precisely() {
    let text = "int main(void) { int a = 0, b = 0, c = 0;
        while (__VERIFIER_nondet_int()) { if (a != 0) b = 1; if (b != 0) c = 1; HERE }
        __VERIFIER_assert(a == 0 && b == 0 && c == 0); return 0; }";
    let few = Predicate { combinations: 1, ..Predicate::default() };
    pair(&few, text, "", "a = 1;");
    prove(
        &few,
        "int main(void) { int x = __VERIFIER_nondet_int() & 3; int y = x;
        while (__VERIFIER_nondet_int()) { x = x ^ 1; y = y ^ 1; }
        __VERIFIER_assert(x == y); return 0; }",
    );
}

/// Functions that call themselves are described by facts about their inputs and outputs.
#[test]
fn recursion() {
    let text = "int down(int n) { if (n HERE) __VERIFIER_error(); return n > 0 ? down(n - 1) : n; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n > 0 && n < 9) down(n); return 0; }";
    pair(&Predicate::default(), text, "< 0", "== 5");
    let text = "int sum(int n) { if (n <= 0) return 0; return sum(n - 1) + 1; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 5) { int s = sum(n);
            __VERIFIER_assert(s HERE n); } return 0; }";
    pair(&Predicate::default(), text, "==", "<");
}

/// Each calls the other.
#[test]
fn recursion_through_others() {
    let text = "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); }
        int odd(int n) { return n == 0 ? HERE : even(n - 1); }
        int main(void) { int found = even(__VERIFIER_nondet_int());
            __VERIFIER_assert(found == 0 || found == 1); return 0; }";
    pair(&Predicate::default(), text, "0", "2");
}

/// The budget of facts ends the search.
#[test]
fn too_many_facts_about_a_function_end_the_search() {
    let text = "int sum(int n) { if (n <= 0) return 0; return sum(n - 1) + 1; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 5) { int s = sum(n);
            __VERIFIER_assert(s == n); } return 0; }";
    let reason = give_up(&Predicate { facts: 0, ..Predicate::default() }, text);
    assert!(matches!(reason, Reason::Solver(_)), "{reason:?}");
}

/// Two nodes at a point may cover a third one only together.
#[test]
fn unions_cover() {
    let text = "int main(void) { int turn = 0, x = 0;
        while (__VERIFIER_nondet_int()) {
            __VERIFIER_assert(turn == 0 || turn == 1 || turn == 2);
            if (turn == 0) turn = 1; else if (turn == 1) turn = HERE; else turn = 0;
        } return 0; }";
    for predicate in all_kinds() {
        pair(&predicate, text, "2", "3");
    }
}

/// What is on the heap matters, so the heap-free abstraction is not enough.
#[test]
fn the_content_of_the_heap() {
    let text = "void *malloc(unsigned long size);
        int main(void) { int *p = malloc(sizeof(int)); *p = 1;
            while (__VERIFIER_nondet_int()) { if (*p == 1) *p = 2; else *p = HERE; }
            __VERIFIER_assert(*p == 1 || *p == 2); return 0; }";
    pair(&Predicate::default(), text, "1", "3");
}

/// Steps follow a pointer to what it may point to, so no predicate has to say what it is; the checker is told all the same.
#[test]
fn pointers_that_calls_pass() {
    let text = "struct card { int lock; int used; }; struct card card, other; int held;
        void set(int *lock, int value) { if (lock == &card.lock) held = value; }
        void interrupt(struct card *one) { set(&one->lock, 1);
            while (one->used > 0 && __VERIFIER_nondet_int()) one->used--;
            set(&one->lock, 0); __VERIFIER_assert(!held); }
        int main(void) { while (__VERIFIER_nondet_int()) { interrupt(&card); HERE }
            __VERIFIER_assert(!held); return 0; }";
    pair(&Predicate::default(), text, "", "set(&card.lock, 1); interrupt(&other);");
}
