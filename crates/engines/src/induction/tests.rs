//! Induction without help. Whatever it calls safe has to pass the certificate checker, which finds out by itself what loops
//! change.

use rorqual_evidence::{Claim, Reason, Unwinding};

use super::Induction;
use crate::tests::{Checked, PATIENCE, check, give_up, refute};

/// What proves a program.
fn proof(text: &str) -> Unwinding {
    let proved = check(&Induction::default(), text, PATIENCE);
    let Checked::Safe(claim) = proved else { panic!("{proved:?} of\n{text}") };
    let Claim::Unwinding(unwinding) = *claim else { panic!("an invariant of\n{text}") };
    unwinding
}

/// Proves a program by induction for some loop, and refutes it with a bug.
fn pair(text: &str, safe: &str, buggy: &str) -> Unwinding {
    refute(&Induction::default(), &text.replace("HERE", buggy));
    let proved = proof(&text.replace("HERE", safe));
    assert!(!proved.inductive.is_empty(), "{proved:?} of\n{text}");
    proved
}

/// The same with something that the loop keeps, which a `k` of 0 rests on.
fn keeps(text: &str, safe: &str, buggy: &str) {
    let proved = pair(text, safe, buggy);
    assert!(!proved.kept.is_empty() && proved.inductive.values().all(|&k| k == 0), "{proved:?} of\n{text}");
}

#[test]
fn bounded_loops_are_unwound() {
    let text = "int main(void) { int i, s = 0; for (i = 0; i < 3; i++) s += i; __VERIFIER_assert(s == HERE); return 0; }";
    refute(&Induction::default(), &text.replace("HERE", "4"));
    let proved = proof(&text.replace("HERE", "3"));
    assert!(proved.inductive.is_empty(), "{proved:?}");
}

#[test]
fn what_an_iteration_keeps_is_kept_by_all() {
    let text = "int main(void) { int x = 0, y = 0;
        while (__VERIFIER_nondet_int()) { __VERIFIER_assert(x == y); x = x > 5 ? 0 : x + 1; y = y > HERE ? 0 : y + 1; }
        return 0; }";
    pair(text, "5", "6");
}

#[test]
fn two_iterations_are_needed() {
    let text = "int main(void) { int x = 0, y = 0;
        while (__VERIFIER_nondet_int()) { __VERIFIER_assert(x == 0); x = y == 3; y = y ? HERE : 8; } return 0; }";
    pair(text, "0", "3");
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
    pair(text, "7", "8");
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
    let text = "int a[2]; void put(int at) { for (int i = 0; i < 2; i++) if (i == at) a[i] = HERE; }
        int main(void) {
        while (__VERIFIER_nondet_int()) {
            put(__VERIFIER_nondet_int());
            for (int i = 0; i < 2; i++) __VERIFIER_assert(a[i] == 0 || a[i] == 5);
        } return 0; }";
    pair(text, "5", "6");
}

#[test]
fn pointers_stay_in_their_objects() {
    let text = "int main(void) { char s[6] = \"abcde\"; char *p = s; int i = 0;
        while (__VERIFIER_nondet_int()) {
            if (*p == 0) { p = s; i = 0; } else { p++; i++; }
            __VERIFIER_assert(p - s == i && i <= HERE);
        } return 0; }";
    pair(text, "5", "4");
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
    pair(text, "2", "3");
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
        while (__VERIFIER_nondet_int()) x += 3;
        __VERIFIER_assert(x != 7); return 0; }";
    let reason = give_up(&Induction { last: Some(3), ..Induction::default() }, text);
    assert!(matches!(reason, Reason::OutOfIdeas), "{reason:?}");
}

#[test]
fn counters_stay_within_their_bounds() {
    let text = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0, ones = 0;
        while (i < n) { i++; if (__VERIFIER_nondet_int()) ones++; }
        __VERIFIER_assert(i == n); __VERIFIER_assert(ones HERE i); return 0; }";
    keeps(text, "<=", "<");
}

#[test]
fn remainders_stay_below_what_they_are_divided_by() {
    let text = "int main(void) { unsigned sum = 1;
        while (__VERIFIER_nondet_int()) sum = (sum * 31 + (unsigned)__VERIFIER_nondet_int()) % 251;
        __VERIFIER_assert(sum < HERE); return 0; }";
    keeps(text, "251", "250");
}

#[test]
fn numbers_in_memory_that_pointers_lead_to() {
    let text = "struct ring { unsigned char used; unsigned char size; };
        static void put(struct ring *r) { if (r->used < r->size) r->used++; }
        static void get(struct ring *r) { if (r->used > 0) r->used--; }
        int main(void) { struct ring ring = { 0, 10 }; struct ring *r = &ring;
        while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) put(r); else get(r); }
        __VERIFIER_assert(ring.used <= HERE); return 0; }";
    keeps(text, "10", "9");
}

#[test]
fn two_pointers_in_step() {
    let text = "int main(void) { char from[90], to[200]; char *s = from, *d = to;
        while (__VERIFIER_nondet_int() && s < from + 90) { s++; d += HERE; }
        __VERIFIER_assert(d - to == 2 * (s - from)); return 0; }";
    keeps(text, "2", "1");
}

#[test]
fn loops_in_loops_keep_what_they_have_to() {
    let text = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), at = 0;
        while (at < n) {
            unsigned length = 0;
            while (at + length < n && __VERIFIER_nondet_int()) length++;
            __VERIFIER_assert(at + length <= n);
            at += length HERE;
            if (length == 0) at++;
        }
        __VERIFIER_assert(at == n); return 0; }";
    pair(text, "", "+ 1");
}

#[test]
fn blocks_of_any_size() {
    let text = "void *malloc(__SIZE_TYPE__); void free(void *);
        int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (n == 0 || n > 100000) return 0;
        unsigned char *block = malloc(n); if (!block) return 0;
        unsigned char *p = block, *end = block + n; unsigned sum = 0;
        for (unsigned i = 0; i < n; i++) block[i] = __VERIFIER_nondet_int();
        while (p != end) { sum += *p; p++; }
        __VERIFIER_assert(p - block == n HERE); free(block); return 0; }";
    pair(text, "", "- 1");
}

#[test]
fn texts_of_any_length() {
    let text = "void *malloc(__SIZE_TYPE__); void free(void *);
        int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (n == 0 || n > 100000) return 0;
        char *text = malloc(n); if (!text) return 0;
        for (unsigned i = 0; i + 1 < n; i++) text[i] = __VERIFIER_nondet_int();
        text[n - 1] = HERE;
        char *p = text; while (*p) { p++; if (p == text + n) break; }
        __VERIFIER_assert(p < text + n); free(text); return 0; }";
    keeps(text, "0", "__VERIFIER_nondet_int()");
}
