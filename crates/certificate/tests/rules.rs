//! Each rule of the checker both ways: good certificates are accepted, and each way of spoiling one is
//! noticed.

mod support;

use std::fmt::Write;

use support::{accepts, rejects};

const COUNTER: &str = "int main(void) { int i = 0, x = 0; while (i < 10) { i++; x += 2; }
    if (x != 20) reach_error(); return 0; }";

#[test]
fn counters() {
    let good = "(and (= |main::x| (bvmul #x00000002 |main::i|)) (bvsle |main::i| #x0000000a)
        (bvsle #x00000000 |main::i|))";
    accepts(COUNTER, &[good]);
    rejects(COUNTER, &["(= |main::x| #x00000001)"], "holds whenever it is reached from <start>:0");
    rejects(
        COUNTER,
        &["(and (= |main::x| #x00000000) (bvslt |main::i| #x0000000a))"],
        "it can be false, for example from",
    );
    rejects(COUNTER, &["(bvsle |main::i| #x0000000a)"], "`reach_error` is called at test.c:4:18");
    rejects(COUNTER, &["true"], "no error is reached from");
    accepts("int main(void) { for (;;) ; reach_error(); }", &["true"]);
    rejects("int main(void) { for (;;) ; reach_error(); }", &["false"], "it can be false");
}

const LOCK: &str = "int L; void lock(void) { if (L) reach_error(); L = 1; }
    void unlock(void) { if (!L) reach_error(); L = 0; }
    int main(void) { int old, new = __VERIFIER_nondet_int();
      do { lock(); old = new; if (__VERIFIER_nondet_int()) { unlock(); new++; } } while (new != old);
      unlock(); return 0; }";

#[test]
fn the_lock_of_the_impact_paper() {
    accepts(LOCK, &["(= L #x00000000)"]);
    rejects(LOCK, &["true"], "`reach_error` is called");
    let spoiled = LOCK.replace("new++;", "");
    rejects(&spoiled, &["(= L #x00000000)"], "`reach_error` is called at test.c:4:33");
}

#[test]
fn locations_without_a_statement_are_found() {
    let text = "int main(void) { int i = 0; while (i < 3) { int j = 0; while (j < 3) j++; i++; }
        if (i < 3) reach_error(); return 0; }";
    let outer = "(bvsle |main::i| #x00000003)";
    accepts(text, &[outer, "(bvslt |main::i| #x00000003)"]);
    let program = support::program(rorqual_cfa::DataModel::Lp64, text);
    let places = support::loops(&program);
    let missing = format!("{}invariant {}\n  {outer}\nend\n", support::head(&program), places[0]);
    let (outcome, _) = support::outcome(&program, &missing);
    assert!(format!("{outcome:?}").contains("has no invariant"), "{outcome:?}");
}

#[test]
fn nested_calls_have_their_own_contexts() {
    let text = "int add(int a, int b) { while (b > 0) { a++; b--; } return a; }
        int twice(int x) { return add(add(0, x), x); }
        int main(void) { if (twice(2) != 4) reach_error(); return 0; }";
    let inner = "(and (= (bvadd |add::a| |add::b|) #x00000002) (bvsge |add::b| #x00000000)
        (= |twice::x| #x00000002))";
    let outer = "(and (= (bvadd |add::a| |add::b|) #x00000004) (bvsge |add::b| #x00000000)
        (= |twice::x| #x00000002))";
    accepts(text, &[inner, outer]);
    rejects(text, &[inner, inner], "it can be false");
}

#[test]
fn recursion_must_not_be_reached() {
    let text = "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { if (f(3)) reach_error(); }";
    rejects(text, &[], "recursion of `f` is not supported");
    let never = "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { if (f(0)) reach_error(); }";
    accepts(never, &[]);
}

#[test]
fn arrays() {
    let text = "int main(void) { int a[8]; int i = 0; while (i < 8) { a[i] = 7; i++; }
        if (a[3] != 7) reach_error(); return 0; }";
    let good = "(and (bvsge |main::i| #x00000000) (=> (bvslt #x00000003 |main::i|)
        (= (select |main::a[]| #x0000000000000003) #x00000007)) (bvsle |main::i| #x00000008))";
    accepts(text, &[good]);
    rejects(&text.replace("a[3] != 7", "a[4] != 7"), &[good], "`reach_error` is called");
    let matrix = "int m[2][3]; int main(void) { m[1][2] = 5; m[0][2] = 4; if (m[1][2] != 5) reach_error(); }";
    accepts(matrix, &[]);
    rejects(&matrix.replace("m[0][2] = 4", "m[1][2] = 4"), &[], "`reach_error` is called");
    // An index out of bounds is undefined, so nothing after it is reached.
    accepts(
        "int a[4]; int main(void) { int i = __VERIFIER_nondet_int(); a[i] = 1;
        if (i < 0 || i > 3) reach_error(); }",
        &[],
    );
    // Inside of a structure, it may find another member.
    rejects(
        "struct { int a[2], b; } s; int main(void) { int i = __VERIFIER_nondet_int(); s.b = 1; s.a[i] = 2;
        if (s.b != 1) reach_error(); }",
        &[],
        "`reach_error` is called",
    );
    accepts(
        "struct { int a[2], b; } s; int main(void) { int i = __VERIFIER_nondet_int(); s.b = 1;
        if (i >= 0 && i < 2) s.a[i] = 2; if (s.b != 1) reach_error(); }",
        &[],
    );
}

#[test]
fn structures_and_unions() {
    accepts(
        "struct S { int a; char b[3]; int c : 3; } x, y; int main(void) { x.a = 4; x.b[1] = 5; x.c = 3;
        y = x; x.a = 1; if (y.a != 4 || y.b[1] != 5 || y.c != 3) reach_error(); }",
        &[],
    );
    rejects(
        "struct { int c : 3; } x; int main(void) { x.c = 4; if (x.c != 4) reach_error(); }",
        &[],
        "`reach_error` is called",
    );
    accepts("struct { int c : 3; } x; int main(void) { x.c = 4; if (x.c != -4) reach_error(); }", &[]);
    accepts(
        "union { unsigned i; unsigned char c[4]; } u; int main(void) { u.i = 0x01020304;
        if (u.c[0] != 4 || u.c[3] != 1) reach_error(); u.c[1] = 9; if (u.i != 0x01020904) reach_error(); }",
        &[],
    );
    accepts(
        "struct P { int x, y; }; struct P mk(int a) { struct P p = {a, a + 1}; return p; }
        int main(void) { struct P q[2]; q[1] = mk(3); struct P r = q[1]; if (r.y != 4) reach_error(); }",
        &[],
    );
}

#[test]
fn pointers() {
    let swap = "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
        int main(void) { int x = 1, y = 2; swap(&x, &y); if (x != 2 || y != 1) reach_error(); }";
    accepts(swap, &[]);
    rejects(&swap.replace("*b = t", "*a = t"), &[], "`reach_error` is called");
    accepts(
        "int a[4]; int main(void) { int *p = a; int i = __VERIFIER_nondet_int(); p[i] = 3; p = &a[i];
        if (*p != 3) reach_error(); if (&a[3] - a != 3) reach_error(); }",
        &[],
    );
    // A pointer that points to nothing ends the execution.
    accepts("int main(void) { int *p = 0; *p = 1; reach_error(); }", &[]);
    accepts("int main(void) { int x, y; if (&x == &y || !&x) reach_error(); }", &[]);
    // A pointer that was given no address points to nothing, one that was may.
    accepts("int main(void) { int x = 1; int *p = &x; int *q; *q = 2; if (*p != 1) reach_error(); }", &[]);
    rejects(
        "int main(void) { int x = 1, y = 2; int *p = &x; int *q = __VERIFIER_nondet_int() ? &x : &y; *q = 2;
        if (*p != 1) reach_error(); }",
        &[],
        "`reach_error` is called",
    );
    accepts(
        "struct S { int a; struct S *next; }; int main(void) { struct S s, t; s.next = &t; t.a = 5;
        s.next->a++; if (t.a != 6) reach_error(); }",
        &[],
    );
    let bytes = "int main(void) { int x = 1; char *c = (char *)&x; *c = 0; if (x == 1) reach_error(); }";
    accepts(bytes, &[]);
    rejects(&bytes.replace("==", "!="), &[], "`reach_error` is called");
    // Objects that live one after the other may lie in the same place, or not.
    let lives = "int *f(void) { int x; return &x; }
        int main(void) { int *p = f(), *q = f(); if (p == q) reach_error(); }";
    rejects(lives, &[], "`reach_error` is called");
    rejects(&lives.replace("==", "!="), &[], "`reach_error` is called");
    let loops =
        "int main(void) { int x = 0, y = 0; int *p = &y, *q = &y; p = &x; while (__VERIFIER_nondet_int()) *p = 5;
        if (*q != 0) reach_error(); }";
    let points = "(and (= |main::p| |&main::x|) (= |main::q| |&main::y|) (= |main::y| #x00000000))";
    accepts(loops, &[points]);
    rejects(loops, &["(and (= |main::q| |&main::y|) (= |main::y| #x00000000))"], "it can be false");
    let function = "int one(void) { return 1; } int two(void) { return 2; }
        int main(void) { int (*f)(void) = __VERIFIER_nondet_int() ? one : two; int r = f();
        if (r != 1 && r != 2) reach_error(); }";
    accepts(function, &[]);
    rejects(&function.replace("r != 1 && ", ""), &[], "`reach_error` is called");
}

#[test]
fn what_is_undefined_ends_the_execution() {
    accepts(
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = 7 / x; if (x == 0) reach_error(); }",
        &[],
    );
    accepts(
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = 7 << x;
        if (x < 0 || x > 31) reach_error(); }",
        &[],
    );
    rejects(
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = 7 / x; if (x == 1) reach_error(); }",
        &[],
        "`reach_error` is called",
    );
}

#[test]
fn functions_without_a_body() {
    accepts("int f(int *p); int main(void) { int x = 1; f(&x); if (x != 1) reach_error(); }", &[]);
    rejects("int f(int *p); int main(void) { int x = 1; if (f(&x)) reach_error(); }", &[], "is called");
    rejects(
        "void *memset(void *, int, unsigned long);
        int main(void) { int x = 1; memset(&x, 0, 4); if (x != 1) reach_error(); }",
        &[],
        "is called",
    );
    rejects(
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
        int compare(const void *a, const void *b) { return 0; }
        int main(void) { int x[2] = {2, 1}; qsort(x, 2, 4, compare); if (x[0] > 2) reach_error(); return 0; }",
        &[],
        "is not supported",
    );
    accepts("void abort(void); int main(void) { abort(); reach_error(); }", &[]);
    accepts(
        "int printf(const char *, ...); int main(void) { int x = 1; int *p = &x; printf(\"%d\", x);
        if (*p != 1) reach_error(); }",
        &[],
    );
}

#[test]
fn the_number_of_paths_does_not_matter() {
    let mut text = String::from("int main(void) { int p, x = 0;\n");
    for lock in 0..24 {
        let _ = writeln!(
            text,
            "int l{lock} = 0; p = __VERIFIER_nondet_int(); if (p) l{lock} = 1;
             if (p) {{ if (l{lock} != 1) reach_error(); l{lock} = 0; }} x += l{lock};"
        );
    }
    text += "if (x) reach_error(); }";
    accepts(&text, &[]);
}

#[test]
fn limits_are_obeyed() {
    let program = support::program(rorqual_cfa::DataModel::Lp64, COUNTER);
    let text = support::certificate(&program, &["true"]);
    let certificate = rorqual_certificate::parse(&program, &text).expect("it is well-formed");
    let limits = rorqual_solver::Limits::none().with_duration(std::time::Duration::ZERO);
    let outcome = rorqual_certificate::check(&program, &certificate.claim, &limits);
    let expected = rorqual_solver::GaveUp::Time;
    assert!(
        matches!(&outcome, rorqual_certificate::Outcome::Unknown { reason, .. } if *reason == expected),
        "{outcome:?}"
    );
}
