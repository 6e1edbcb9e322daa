//! Claims that every execution is bounded: accepted where they hold, and rejected in each way in which they may not.

mod support;

use rorqual_certificate::{
    Header, Outcome, Premises, Problem, Refutations, check, check_again, check_with, parse, write,
};
use rorqual_cfa::{CellNames, Check, DataModel, Id, Program, add_checks};
use rorqual_evidence::{Claim, Kept, Unwinding};
use rorqual_solver::Limits;
use rorqual_solver::proof::Transcript;

/// Declarations that programs use.
const HEAD: &str = "typedef __SIZE_TYPE__ size_t; void *malloc(size_t); void *calloc(size_t, size_t);
void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t); void abort(void);
unsigned char __VERIFIER_nondet_uchar(void); unsigned __VERIFIER_nondet_uint(void); long __VERIFIER_nondet_long(void);
_Bool __VERIFIER_nondet_bool(void);
static int never;
#define assert(c) do { if (!(c)) reach_error(); } while (0)
#define assume(c) do { if (!(c)) abort(); } while (0)\n";

/// What comes after the last violation that may happen is not looked at, so there is one at the end.
const LAST: &str = "if (never) reach_error();";

fn program(text: &str) -> Program {
    support::program(DataModel::Lp64, &format!("{HEAD}{text}"))
}

/// Bounds for all loops, in the order of the program, and for functions that call themselves.
fn unwinding(program: &Program, loops: &[u64], depths: &[(&str, u64)]) -> Unwinding {
    let mut bounds = Unwinding::default();
    let mut counts = loops.iter();
    for (function, details) in program.functions.iter() {
        let Some(body) = &details.body else { continue };
        let is_head = |location: &rorqual_cfa::Location| !location.loop_statements.is_empty();
        for (location, _) in body.locations().iter().filter(|(_, location)| is_head(location)) {
            let is_macro = details.name == "<start>";
            if !is_macro {
                bounds.loops.insert((function, location), counts.next().copied().unwrap_or(0));
            }
        }
    }
    for &(name, depth) in depths {
        bounds.depths.insert(program.function_named(name).expect("the function is there"), depth);
    }
    bounds
}

/// What the checker says of a program whose loops all have the same bound.
fn outcome_of(program: &Program, bound: u64, depths: &[(&str, u64)]) -> Outcome {
    let mut bounds = unwinding(program, &[], depths);
    bounds.loops.values_mut().for_each(|count| *count = bound);
    check(program, &Claim::Unwinding(bounds), &Limits::none())
}

fn outcome(text: &str, bound: u64) -> Outcome {
    outcome_of(&program(text), bound, &[])
}

/// A `main` function with this body is accepted, and rests on nothing.
#[track_caller]
fn accepts(declarations: &str, body: &str, bound: u64) {
    let text = format!("{declarations}\nint main(void) {{ {body} {LAST} return 0; }}");
    match outcome(&text, bound) {
        Outcome::Accepted { rests_on, .. } if rests_on.is_empty() => {}
        other => panic!("{other:?}\n{text}"),
    }
}

/// A `main` function with this body is rejected, for a reason that says this.
#[track_caller]
fn rejects(declarations: &str, body: &str, bound: u64, why: &str) {
    let text = format!("{declarations}\nint main(void) {{ {body} {LAST} return 0; }}");
    match outcome(&text, bound) {
        Outcome::Rejected(rejection) => {
            let said = format!("{}: {}", rejection.obligation, rejection.reason);
            assert!(said.contains(why), "{said}\n{text}");
        }
        other => panic!("{other:?}\n{text}"),
    }
}

/// At the end of a body a condition holds, and that it does not hold can be refuted in no other way.
#[track_caller]
fn holds(declarations: &str, body: &str, condition: &str, bound: u64) {
    accepts(declarations, &format!("{body} assert({condition});"), bound);
    rejects(declarations, &format!("{body} assert(!({condition}));"), bound, "`reach_error` is called");
}

/// What a `main` function with this body rests on, as texts.
#[track_caller]
fn rests_on(declarations: &str, body: &str, bound: u64) -> Vec<String> {
    let text = format!("{declarations}\nint main(void) {{ {body} {LAST} return 0; }}");
    let program = program(&text);
    match outcome_of(&program, bound, &[]) {
        Outcome::Accepted { rests_on, .. } => {
            rests_on.iter().map(|hazard| hazard.assumption(&program)).collect()
        }
        other => panic!("{other:?}\n{text}"),
    }
}

#[test]
fn straight_code() {
    holds("", "int x = 3; int y = x * x;", "y == 9", 0);
    holds("", "unsigned char c = __VERIFIER_nondet_uchar();", "c < 256", 0);
    holds("int g; static int f(int a) { return a + 1; }", "g = f(f(1));", "g == 3", 0);
    holds("", "int x = __VERIFIER_nondet_int(); int y = x > 0 ? x : 1;", "y > 0", 0);
    holds("", "int x = __VERIFIER_nondet_int(); if (x < 0) x = -1; else x = 1;", "x == 1 || x == -1", 0);
}

#[test]
fn loops_are_unwound_as_far_as_the_bound_says() {
    let body = "int s = 0; for (int i = 0; i < 10; i++) s += i;";
    holds("", body, "s == 45", 10);
    rejects("", body, 9, "comes back to the head");
    let open = "unsigned n = __VERIFIER_nondet_uchar() & 7, s = 0; for (unsigned i = 0; i < n; i++) s += 2;";
    holds("", open, "s == 2 * n", 7);
    rejects("", open, 6, "comes back to the head");
    rejects("", "unsigned n = __VERIFIER_nondet_uint(); while (n) n--;", 20, "comes back to the head");
    rejects("", "while (__VERIFIER_nondet_bool()) ;", 20, "comes back to the head");
}

/// What the checker says of a program whose loops are all proved by induction.
fn by_induction(text: &str, k: u64) -> Outcome {
    let program = program(&format!("int main(void) {{ {text} {LAST} return 0; }}"));
    let mut bounds = unwinding(&program, &[], &[]);
    // The last one is in no execution that matters: a macro's.
    bounds.inductive = std::mem::take(&mut bounds.loops).into_keys().map(|head| (head, k)).collect();
    check(&program, &Claim::Unwinding(bounds), &Limits::none())
}

#[test]
fn loops_without_bounds_are_proved_by_induction() {
    let accepted = |text: &str, k| {
        let outcome = by_induction(text, k);
        assert!(matches!(outcome, Outcome::Accepted { .. }), "{outcome:?} of {text}");
    };
    let rejected = |text: &str, k| {
        let outcome = by_induction(text, k);
        assert!(matches!(outcome, Outcome::Rejected(_)), "{outcome:?} of {text}");
    };
    let equal = "int x = 0, y = 0; while (__VERIFIER_nondet_int()) {
        if (x != y) reach_error(); x = x > 5 ? 0 : x + 1; y = y > LAST ? 0 : y + 1; }";
    accepted(&equal.replace("LAST", "5"), 1);
    rejected(&equal.replace("LAST", "6"), 1);
    let delayed = "int x = 0, y = 0; while (__VERIFIER_nondet_int()) { if (x) reach_error(); x = y == 3; y = y ? NEXT : 8; }";
    rejected(&delayed.replace("NEXT", "0"), 1);
    accepted(&delayed.replace("NEXT", "0"), 2);
    rejected(&delayed.replace("NEXT", "3"), 2);
    // In which iteration it goes wrong does not matter, nor that it does only behind the loop.
    for n in 1..7 {
        let counted = "int n = 0; while (__VERIFIER_nondet_int()) { n++; if (n == LAST) reach_error(); if (n > 9) n = 9; }";
        for k in 1..4 {
            rejected(&counted.replace("LAST", &n.to_string()), k);
        }
    }
    let behind =
        "int n = 0; while (__VERIFIER_nondet_int()) { n++; if (n > 9) n = 9; } if (n == 5) reach_error();";
    rejected(behind, 1);
    let once = "int first = 1, x = 3; while (__VERIFIER_nondet_int()) {
        if (first) { x = 7; first = 0; } else x = NEXT; if (x != 7) reach_error(); }";
    accepted(&once.replace("NEXT", "7"), 1);
    rejected(&once.replace("NEXT", "8"), 1);
    let written = "int a[3] = {0}; int *p = &a[1]; while (__VERIFIER_nondet_int()) {
        *p = VALUE; if (a[0] || a[2] || a[1] > 4) reach_error(); p = p == a + 1 ? a + 1 : a + WHERE; }";
    accepted(&written.replace("VALUE", "4").replace("WHERE", "1"), 1);
    rejected(&written.replace("VALUE", "5").replace("WHERE", "1"), 1);
    let made = "int *p = 0; while (__VERIFIER_nondet_int()) { int *q = p; p = malloc(4); if (!p) abort();
        *p = 1; if (q && *q != 1) reach_error(); }";
    rejected(made, 1);
    let freed = "int *p = malloc(4); if (!p) abort(); while (__VERIFIER_nondet_int()) { free(p); if (never) reach_error(); }";
    rejected(freed, 1);
}

#[test]
fn nested_loops_count_anew() {
    let nested = "int s = 0; for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) s++;";
    let program = program(&format!("int main(void) {{ {nested} assert(s == 12); return 0; }}"));
    let check =
        |loops: &[u64]| check(&program, &Claim::Unwinding(unwinding(&program, loops, &[])), &Limits::none());
    // Behind them is that of the assertion, which is never come back to.
    assert!(matches!(check(&[4, 3, 0]), Outcome::Accepted { .. }), "{:?}", check(&[4, 3, 0]));
    assert!(matches!(check(&[3, 4, 0]), Outcome::Rejected(_)));
    assert!(matches!(check(&[4, 2, 0]), Outcome::Rejected(_)));
}

#[test]
fn irreducible_control_is_bounded_too() {
    let body =
        "int i = 0; if (__VERIFIER_nondet_int()) goto middle; top: i++; middle: i++; if (i < 10) goto top;";
    let program = program(&format!("int main(void) {{ {body} assert(i >= 10 && i <= 11); return 0; }}"));
    let main = program.function_named("main").expect("there is a main function");
    let body = program.functions[main].body.as_ref().expect("it has a body");
    let mut accepted = 0;
    for head in body.locations().ids() {
        let mut bounds = unwinding(&program, &[], &[]);
        bounds.loops.insert((main, head), 6);
        let outcome = check(&program, &Claim::Unwinding(bounds), &Limits::none());
        accepted += usize::from(matches!(outcome, Outcome::Accepted { .. }));
    }
    assert!(accepted > 0, "some location is a head");
}

#[test]
fn a_jump_out_of_a_loop_to_before_it_loses_no_execution() {
    // Only the inner loop has a bound, so its head is that of both.
    let body = "int n = 0; again: n++; for (int i = 0; i < 3; i++) if (n < 3) goto again;";
    holds("", body, "n == 3", 10);
}

#[test]
fn the_way_to_another_object_leads_out_of_the_first() {
    let body = "char *a = malloc(8), *b = malloc(8); long way = (long)b - (long)a; a[way] = 1;";
    rejects("", body, 0, "not known where it points to");
    holds(
        "",
        "char *a = malloc(8), *b = malloc(8); long way = (long)b - (long)a; *(char *)((long)a + way) = 1;",
        "*b == 1",
        0,
    );
}

#[test]
fn recursion_is_unwound_as_far_as_the_bound_says() {
    let text = "static int f(int n) { return n <= 0 ? 0 : n + f(n - 1); }
        int main(void) { unsigned char n = __VERIFIER_nondet_uchar() & 3; assert(f(n) == n * (n + 1) / 2); return 0; }";
    let program = program(text);
    assert!(matches!(outcome_of(&program, 0, &[("f", 4)]), Outcome::Accepted { .. }));
    for depths in [&[("f", 3u64)][..], &[]] {
        let Outcome::Rejected(rejection) = outcome_of(&program, 0, depths) else {
            panic!("the bound is too small")
        };
        assert!(rejection.obligation.contains("calls of `f` are active"), "{rejection:?}");
    }
}

#[test]
fn pointers_find_their_objects() {
    holds(
        "",
        "int x = 1, y = 2; int *p = __VERIFIER_nondet_int() ? &x : &y; *p = 5;",
        "x + y == 7 || x + y == 6",
        0,
    );
    holds("", "int x = 1, y = 2; int *p = &x, **q = &p; **q = 4; *q = &y; *p = 6;", "x == 4 && y == 6", 0);
    holds(
        "struct s { char c; int a[3]; };",
        "struct s s, t; s.a[1] = 4; s.c = 2; t = s;",
        "t.a[1] == 4 && t.c == 2",
        0,
    );
    holds(
        "",
        "int a[4] = {1, 2, 3, 4}; int i = __VERIFIER_nondet_uchar() & 3; a[i] = 9;",
        "a[i] == 9 && a[3 - i] != 9",
        0,
    );
    holds("", "int x = 0; unsigned long n = (unsigned long)&x; *(int *)n = 3;", "x == 3", 0);
    holds(
        "",
        "unsigned x = 0x01020304; unsigned char *p = (unsigned char *)&x;",
        "p[0] == 4 && p[3] == 1",
        0,
    );
    holds("", "int x = 7; int *p = &x, *q; memcpy(&q, &p, sizeof p); *q = 8;", "x == 8", 0);
    holds(
        "struct b { unsigned a : 3, b : 7, c : 1; };",
        "struct b b; b.a = 5; b.b = 99; b.c = 1; b.a = 9;",
        "b.a == 1 && b.b == 99 && b.c == 1",
        0,
    );
    holds(
        "union u { int i; float f; char c[4]; };",
        "union u u; u.i = 0x01020304; u.c[1] = 9;",
        "u.i == 0x01020904",
        0,
    );
    holds(
        "const char *names[] = {\"ab\", \"c\"};",
        "const char *p = names[0];",
        "p[1] == 'b' && *names[1] == 'c' && !p[2]",
        0,
    );
}

#[test]
fn pointers_compare_as_addresses_do() {
    holds("", "int x, y; int *p = &x, *q = &y;", "p != q && p && p + 1 != p", 0);
    holds("", "int a[4]; int *p = a, *q = a + 4;", "p < q && q - p == 4", 0);
    holds("", "int *p = malloc(4), *q = malloc(4);", "p != q && p != 0", 0);
    // One past the end of an object may be the start of another, and a new object may be where an old one was.
    for condition in ["&x + 1 == &y", "&x + 1 != &y", "&x < &y"] {
        rejects("", &format!("int x, y; assert({condition});"), 0, "`reach_error` is called");
    }
    rejects(
        "",
        "int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q);",
        0,
        "`reach_error` is called",
    );
    rejects("", "const char *p = \"ab\", *q = \"b\"; assert(p + 1 != q);", 0, "`reach_error` is called");
}

#[test]
fn allocated_memory() {
    let list = "struct node { int v; struct node *next; };";
    let body = "struct node *head = 0; for (int i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n);
        n->v = i; n->next = head; head = n; } int s = 0;
        for (struct node *n = head; n; n = n->next) s += n->v;
        while (head) { struct node *n = head->next; free(head); head = n; }";
    holds(list, body, "s == 6", 4);
    holds("", "int *p = calloc(4, 4); p[1] = 3;", "p[0] == 0 && p[1] == 3", 0);
    holds(
        "",
        "int *p = malloc(8); p[0] = 1; p[1] = 2; p = realloc(p, 16); p[2] = 3;",
        "p[0] + p[1] + p[2] == 6",
        0,
    );
    holds("", "void *p = malloc((size_t)-1);", "p == 0", 0);
    rejects("", "int *p = malloc(4); assert(*p == 1);", 0, "`reach_error` is called");
    holds(
        "",
        "char b[16]; memset(b, 7, 16); memset(b + 4, 0, 8); memmove(b + 1, b, 8);",
        "b[0] == 7 && b[4] == 7 && b[8] == 0 && b[15] == 7",
        0,
    );
    holds(
        "",
        "char a[4] = {1, 2, 3, 4}, b[4] = {0}; unsigned n = __VERIFIER_nondet_uchar() & 3; memcpy(b, a, n);",
        "n == 0 || b[n - 1] == a[n - 1]",
        0,
    );
}

#[test]
fn what_may_be_undefined_is_named() {
    let none: Vec<String> = vec![];
    assert_eq!(rests_on("", "int a[4]; int i = __VERIFIER_nondet_uchar() & 3; a[i] = 1;", 0), none);
    let found = rests_on("", "int a[4]; int i = __VERIFIER_nondet_uchar(); a[i] = 1;", 0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("a[i]"), "{found:?}");
    let found = rests_on("", "int x = __VERIFIER_nondet_int(); int y = 1000 / x;", 0);
    assert!(found.len() == 1 && found[0].contains("never divides by zero"), "{found:?}");
    let found = rests_on("", "int *p = malloc(4); *p = 1; free(p); *p = 2;", 0);
    assert!(found.len() == 1 && found[0].contains("`*p`"), "{found:?}");
    let found = rests_on("", "int *p = malloc(4); free(p); free(p);", 0);
    assert!(found.len() == 1 && found[0].contains("can be freed"), "{found:?}");
    let found = rests_on("", "int *p = __VERIFIER_nondet_int() ? malloc(4) : 0; *p = 2;", 0);
    assert!(found.len() == 1 && found[0].contains("`*p`"), "{found:?}");
    let found = rests_on("", "int *p; { int x = 1; p = &x; } int y = *p;", 0);
    assert!(found.len() == 1 && found[0].contains("`*p`"), "{found:?}");
    let found = rests_on("", "int x = 1 << (__VERIFIER_nondet_uchar() & 63);", 0);
    assert!(found.len() == 1 && found[0].contains("shifts"), "{found:?}");
    let found = rests_on(
        "static int f(int x) { return x; }",
        "int (*p)(int) = __VERIFIER_nondet_int() ? f : 0; p(1);",
        0,
    );
    assert!(found.len() == 1 && found[0].contains("points to a function"), "{found:?}");
    let found = rests_on("", "if (__VERIFIER_nondet_int()) __builtin_unreachable();", 0);
    assert!(found.len() == 1 && found[0].contains("never reached"), "{found:?}");
    let found = rests_on("", "_Bool b; *(char *)&b = __VERIFIER_nondet_uchar(); if (b) return 1;", 0);
    assert!(found.len() == 1 && found[0].contains("is 0 or 1"), "{found:?}");
}

#[test]
fn premises_are_kept_to() {
    let program = program(
        "int main(void) { int x = __VERIFIER_nondet_int(); int y = 10 / x; assert(x != 0); return y; }",
    );
    let claim = Claim::Unwinding(unwinding(&program, &[0], &[]));
    let Outcome::Accepted { rests_on, .. } = check(&program, &claim, &Limits::none()) else {
        panic!("behind the division the number is not zero")
    };
    assert_eq!(rests_on.len(), 1);
    let exactly =
        |hazards| check_with(&program, &claim, Premises::Exactly(hazards), &Limits::none(), &mut ());
    assert!(matches!(exactly(&rests_on), Outcome::Accepted { .. }));
    assert!(matches!(exactly(&[]), Outcome::Rejected(_)));
}

#[test]
fn what_happens_first_counts() {
    // The error comes before the division that would exclude it.
    rejects(
        "",
        "int x = __VERIFIER_nondet_int(); assert(x != 0); int y = 10 / x;",
        0,
        "`reach_error` is called",
    );
}

#[test]
fn what_cannot_be_followed_is_rejected() {
    rejects("int *f(void);", "*f() = 3;", 0, "not known where it points to");
    rejects("void (*f(void))(void);", "f()();", 0, "not known where it points to");
    rejects(
        "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));",
        "int a[2]; qsort(a, 2, 4, 0);",
        0,
        "qsort",
    );
}

/// What the checker says of a program with automatic checks.
fn checked(checks: &[Check], body: &str, bound: u64) -> Outcome {
    let text = format!("{HEAD} int main(void) {{ {body} {LAST} return 0; }}");
    let program = add_checks(support::program(DataModel::Lp64, &text), checks, &|_| true);
    outcome_of(&program, bound, &[])
}

#[test]
fn automatic_checks_of_memory() {
    let all = [
        Check::Bounds,
        Check::Null,
        Check::UseAfterFree,
        Check::DoubleFree,
        Check::Leak,
        Check::Uninitialized,
        Check::Overflow,
        Check::DivZero,
        Check::ConstWrite,
    ];
    let good = [
        "int a[4]; for (int i = 0; i < 4; i++) a[i] = i; assert(a[2] == 2);",
        "int *p = malloc(12); if (p) { p[2] = 1; assert(p[2] == 1); free(p); }",
        "static int *kept; kept = malloc(4);",
        "char b[8]; memset(b, 1, 8); assert(b[7] == 1);",
        "int x = __VERIFIER_nondet_uchar(); x = x * 100 + 3; assert(10 / (x + 1) < 10);",
        "struct n { struct n *next; } *h = 0; for (int i = 0; i < 3; i++) { struct n *n = malloc(sizeof *n); n->next = h; h = n; }
         while (h) { struct n *n = h->next; free(h); h = n; }",
    ];
    for body in good {
        let outcome = checked(&all, body, 4);
        assert!(
            matches!(&outcome, Outcome::Accepted { rests_on, .. } if rests_on.is_empty()),
            "{outcome:?}\n{body}"
        );
    }
    let bad = [
        ("int a[4]; for (int i = 0; i <= 4; i++) a[i] = i;", "outside"),
        ("int *p = malloc(12); p[3] = 1; free(p);", "outside"),
        ("int *p = 0; if (__VERIFIER_nondet_int()) *p = 1;", "null"),
        ("int *p = malloc(4); free(p); *p = 1;", "freed"),
        ("int *p = malloc(4); free(p); free(p);", "free"),
        ("int *p = malloc(4); p = 0;", "lost"),
        ("int x; if (__VERIFIER_nondet_int()) x = 1; int y = x;", "set"),
        ("int x = __VERIFIER_nondet_int(); x = x + 1;", "fit"),
        ("char *p = (char *)\"ab\"; *p = 1;", "constant"),
    ];
    for (body, _) in bad {
        let outcome = checked(&all, body, 5);
        assert!(matches!(outcome, Outcome::Rejected(_)), "{outcome:?}\n{body}");
    }
}

#[test]
fn constants_are_computed_on_the_way() {
    let body = "unsigned s = 0; unsigned char t[256]; for (int i = 0; i < 256; i++) t[i] = i * 7;
        for (int k = 0; k < 40; k++) for (int i = 0; i < 256; i++) s = s * 31 + t[(i + k) & 255];";
    accepts("", &format!("{body} assert(s != 1);"), 256);
}

#[test]
fn inductions_are_read_back_and_refused() {
    let text = "int main(void) { int x = 1; while (__VERIFIER_nondet_int()) { assert(x == 1 || x == 2); x = x == 1 ? 2 : 1; } return 0; }";
    let program = program(text);
    let mut bounds = unwinding(&program, &[], &[]);
    bounds.inductive = std::mem::take(&mut bounds.loops).into_keys().map(|head| (head, 1)).collect();
    let written = write(&program, &Claim::Unwinding(bounds.clone()), &Header::default(), None);
    assert!(
        written.starts_with("rorqual certificate 6\n") && written.contains("induction main:"),
        "{written}"
    );
    let read = parse(&program, &written).expect("it is well-formed");
    assert!(matches!(&read.claim, Claim::Unwinding(again) if *again == bounds), "{written}");
    assert!(matches!(check(&program, &read.claim, &Limits::none()), Outcome::Accepted { .. }));
    let problem =
        |from: &str, to: &str| parse(&program, &written.replace(from, to)).err().map(|error| error.problem);
    assert!(matches!(problem("certificate 6", "certificate 4"), Some(Problem::UnknownLine(_))));
    assert!(matches!(problem("certificate 6", "certificate 8"), Some(Problem::Version(_))));
    assert!(matches!(problem(" 1  ;", " 0  ;"), Some(Problem::Bound(_))));
    let bounded =
        parse(&program, &written.replace("induction main", "loop main")).expect("it is well-formed");
    assert!(matches!(check(&program, &bounded.claim, &Limits::none()), Outcome::Rejected(_)));
}

/// All loops of a program by induction, with what they are said to keep.
fn inductions(program: &Program, k: u64, kept: &[&str]) -> Unwinding {
    let mut bounds = unwinding(program, &[], &[]);
    let names = CellNames::new(program);
    let kept: Vec<Kept> =
        kept.iter().map(|text| Kept::parse(text, &names).unwrap_or_else(|| panic!("{text}"))).collect();
    bounds.inductive = std::mem::take(&mut bounds.loops).into_keys().map(|head| (head, k)).collect();
    bounds.kept = bounds.inductive.keys().map(|&head| (head, kept.clone())).collect();
    bounds
}

/// What the checker says of a program whose loops are said to keep something.
fn keeping(text: &str, k: u64, kept: &[&str]) -> Outcome {
    let program = program(text);
    check(&program, &Claim::Unwinding(inductions(&program, k, kept)), &Limits::none())
}

#[track_caller]
fn is_kept(text: &str, kept: &[&str]) {
    for k in 0..3 {
        let outcome = keeping(text, k, kept);
        assert!(
            matches!(&outcome, Outcome::Accepted { rests_on, .. } if rests_on.is_empty()),
            "k = {k}: {outcome:?}\n{text}"
        );
    }
}

#[track_caller]
fn is_not_kept(text: &str, kept: &[&str], why: &str) {
    for k in 0..3 {
        match keeping(text, k, kept) {
            Outcome::Rejected(rejection) => {
                let said = format!("{}: {}", rejection.obligation, rejection.reason);
                assert!(said.contains(why), "k = {k}: {said}\n{text}");
            }
            other => panic!("k = {k}: {other:?}\n{text}"),
        }
    }
}

const COUNTS: &str = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 3;
    while (i < n) { i++; j++; } assert(i == n); assert(j - i == 3); return 0; }";
const AT_MOST: &str = "<=u 32 0 1*u*|main::i| , 0 1*u*|main::n|";
const IN_STEP: &str = "= 32 0 1*u*|main::i| -1*u*old*|main::i| , 0 1*u*|main::j| -1*u*old*|main::j|";

#[test]
fn what_loops_keep_is_assumed_and_proved() {
    is_kept(COUNTS, &[AT_MOST, IN_STEP]);
    is_kept(COUNTS, &[IN_STEP, AT_MOST, "inside |main::i|"]);
    is_not_kept(COUNTS, &[AT_MOST], "`reach_error` is called");
    // That an iteration before was not the last one tells the other.
    assert!(matches!(keeping(COUNTS, 0, &[IN_STEP]), Outcome::Rejected(_)));
    assert!(matches!(keeping(COUNTS, 1, &[IN_STEP]), Outcome::Accepted { .. }));
}

#[test]
fn what_loops_do_not_keep_is_refused() {
    let why = "an iteration may not keep it";
    // It does not hold at first.
    is_not_kept(COUNTS, &[AT_MOST, IN_STEP, "<u 32 0 1*u*|main::i| , 0 1*u*|main::n|"], why);
    is_not_kept(COUNTS, &[AT_MOST, IN_STEP, "= 32 0 1*u*|main::j| , 4"], why);
    // An iteration does not keep it.
    is_not_kept(COUNTS, &[AT_MOST, IN_STEP, "<=u 32 0 1*u*|main::i| , 5"], why);
    is_not_kept(COUNTS, &[AT_MOST, IN_STEP, "<=s 32 0 1*u*|main::i| , 0 1*u*|main::j|"], why);
    is_not_kept(COUNTS, &["= 32 0 , 1"], why);
}

#[test]
fn what_is_kept_of_pointers_and_memory() {
    let text = "struct p { unsigned short at; unsigned short most; }; struct q { long first; struct p *inner; };
        int main(void) { struct p p = { 2, 9 }; struct q q = { 0, &p }; struct q *r = &q; char b[9]; char *s = b, *old = b;
        while (__VERIFIER_nondet_bool() && s - b < 9) { s++; if (r->inner->at < p.most) r->inner->at++; else p.at = 0; }
        assert(p.at <= 9); assert(s - b <= 9); *old = 1; return 0; }";
    let inside = "inside |main::s|";
    is_kept(text, &["<=u 16 0 1*u*|main::p|@0:2 , 9", inside]);
    is_kept(text, &["<=u 16 0 1*u*|main::r|!8:8!0:2 , 0 1*u*|main::q|@8:8!2:2", inside]);
    is_kept(
        text,
        &["<=u 16 0 1*u*|main::p|@0:2 , 9", "<=s 64 0 1*u*|main::s| -1*u*old*|main::s| , 9", inside],
    );
    is_not_kept(text, &["<=u 16 0 1*u*|main::p|@0:2 , 8", inside], "an iteration may not keep it");
    let without = keeping(text, 0, &["<=u 16 0 1*u*|main::p|@0:2 , 0 1*u*|main::p|@2:2"]);
    assert!(matches!(without, Outcome::Rejected(_)), "{without:?}");
    let far = text.replace("s - b < 9", "s - b < 10");
    is_not_kept(&far, &["<=u 16 0 1*u*|main::p|@0:2 , 9", inside], "an iteration may not keep it");
}

/// A pointer of which nothing is known may be inside of an object, so the assumption must not exclude it.
#[test]
fn pointers_that_may_be_anywhere_may_be_inside() {
    let text = "int main(void) { char a[4]; char *p = a;
        while (__VERIFIER_nondet_bool()) p = (char *)__VERIFIER_nondet_ulong();
        assert(p == a); return 0; }";
    for kept in ["inside |main::p|", "within |main::p|"] {
        for k in [0, 1] {
            let outcome = keeping(text, k, &[kept]);
            assert!(matches!(outcome, Outcome::Rejected(_)), "{kept}, k = {k}: {outcome:?}");
        }
    }
}

/// Behind a null pointer, and behind the end of an object, there is nothing that could be kept.
#[test]
fn what_is_nowhere_is_not_kept() {
    let text = "int main(void) { int x = 1, at[2] = { 1, 1 }; int *p = &x;
        while (__VERIFIER_nondet_bool()) { if (__VERIFIER_nondet_bool()) p = OTHER; else p = &x; }
        assert(x == 1); return at[0] - at[1]; }";
    let kept = &["= 32 0 1*u*|main::p|!0:4 , 1"];
    is_kept(&text.replace("OTHER", "&x"), kept);
    for other in ["0", "at + 2"] {
        is_not_kept(&text.replace("OTHER", other), kept, "an iteration may not keep it");
    }
}

#[test]
fn loops_in_loops_are_entered_anew() {
    let text = "int main(void) { unsigned n = __VERIFIER_nondet_uchar(), at = 0;
        while (at < n) { unsigned start = at; at++;
            while (at < n && __VERIFIER_nondet_bool()) at++;
            assert(at > start); }
        assert(at == n HERE); return 0; }";
    let kept =
        ["<=u 32 0 1*u*|main::at| , 0 1*u*|main::n|", "<=u 32 0 1*u*old*|main::at| , 0 1*u*|main::at|"];
    is_kept(&text.replace("HERE", ""), &kept);
    is_not_kept(&text.replace("HERE", "+ 1"), &kept, "`reach_error` is called");
}

#[test]
fn iterations_may_write_anywhere_in_large_objects() {
    let text = "int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (n == 0 || n > 100000) return 0;
        unsigned char *b = malloc(n), last = 0; if (!b) return 0; unsigned i = 0;
        while (i < n) { b[i] = HERE; last = b[i] | 1; i++; }
        assert(i == n); assert(b[0] == 1 || n HERE); return 0; }";
    let kept = ["<=u 32 0 1*u*|main::i| , 0 1*u*|main::n|"];
    is_kept(&text.replace("b[i] = HERE", "b[i] = 7").replace("HERE", ">= 1"), &kept);
    // What it has written is not known.
    is_not_kept(&text.replace("b[i] = HERE", "b[i] = 7").replace("HERE", "> 1"), &kept, "`reach_error`");
}

#[test]
fn a_write_somewhere_sets_nothing_else() {
    let check = |body: &str| checked(&[Check::Uninitialized], body, 4);
    let somewhere = "unsigned short n = __VERIFIER_nondet_uchar(); b[n * 20] = 1;";
    let unset = format!("char b[10000]; {somewhere} char c = b[5];");
    assert!(matches!(check(&unset), Outcome::Rejected(_)));
    let set = format!("static char b[10000]; {somewhere} char c = b[5];");
    assert!(matches!(check(&set), Outcome::Accepted { .. }));
}

#[test]
fn what_loops_keep_is_read_back_and_refused() {
    let program = program(COUNTS);
    let bounds = inductions(&program, 0, &[AT_MOST, IN_STEP]);
    let written = write(&program, &Claim::Unwinding(bounds.clone()), &Header::default(), None);
    assert!(written.starts_with("rorqual certificate 7\n") && written.contains(AT_MOST), "{written}");
    let read = parse(&program, &written).expect("it is well-formed");
    assert!(matches!(&read.claim, Claim::Unwinding(again) if *again == bounds), "{written}");
    let problem =
        |from: &str, to: &str| parse(&program, &written.replace(from, to)).err().map(|error| error.problem);
    assert!(matches!(problem("certificate 7", "certificate 6"), Some(Problem::Bound(_))));
    for (from, to) in [
        ("<=u 32", "<= 32"),
        ("<=u 32", "<=u 0"),
        ("<=u 32", "<=u 129"),
        (" , ", " "),
        ("|main::n|", "|main::m|"),
        ("|main::n|", "main::n"),
        ("1*u*|main::i| ,", "u*|main::i| ,"),
        ("1*u*|main::i| ,", "1*w*|main::i| ,"),
        ("|main::i| ,", "|main::i|@0:0 ,"),
        ("|main::i| ,", "|main::i|!x ,"),
    ] {
        assert!(matches!(problem(from, to), Some(Problem::Kept(_))), "{from} -> {to}");
    }
    // What cannot be read in the states of the program tells nothing.
    let about_nothing = written.replace("|main::i| ,", "|main::i|@0:4 ,");
    let read = parse(&program, &about_nothing).expect("it is well-formed");
    assert!(matches!(check(&program, &read.claim, &Limits::none()), Outcome::Rejected(_)));
}

#[test]
fn certificates_are_read_back_and_refused() {
    let text = "static int f(int n) { return n ? f(n - 1) : 0; }
        int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += f(2); assert(!s); return 0; }";
    let program = program(text);
    let bounds = unwinding(&program, &[5, 0], &[("f", 3)]);
    let claim = Claim::Unwinding(bounds.clone());
    let written = write(&program, &claim, &Header::default(), None);
    assert!(
        written.starts_with("rorqual certificate 4\n") && written.contains("; loop at test.c:"),
        "{written}"
    );
    let read = parse(&program, &written).expect("it is well-formed");
    assert!(matches!(&read.claim, Claim::Unwinding(again) if *again == bounds), "{written}");
    assert!(matches!(check(&program, &read.claim, &Limits::none()), Outcome::Accepted { .. }));

    for (from, to) in [(" 5  ;", " 4  ;"), ("depth f 3", "depth f 2")] {
        let spoiled = parse(&program, &written.replace(from, to)).expect("it is well-formed");
        let outcome = check(&program, &spoiled.claim, &Limits::none());
        assert!(matches!(outcome, Outcome::Rejected(_)), "{from}: {outcome:?}");
    }
    let problem =
        |from: &str, to: &str| parse(&program, &written.replace(from, to)).err().map(|error| error.problem);
    assert!(matches!(problem("depth f 3", "depth f many"), Some(Problem::Bound(_))));
    assert!(matches!(problem("depth f 3", "depth g 3"), Some(Problem::Location(_))));
    assert!(matches!(problem("depth f 3", "depth f 3\ndepth f 3"), Some(Problem::Bounded(_))));
    assert!(matches!(problem("depth f 3", "width f 3"), Some(Problem::UnknownLine(_))));
    assert!(matches!(problem("loop main:", "loop main:9"), Some(Problem::Location(_))));
    assert!(matches!(problem("certificate 4", "certificate 3"), Some(Problem::UnknownLine(_))));
    assert!(matches!(problem("end\n", ""), Some(Problem::Truncated)));
    let main = program.function_named("main").expect("there is a main function");
    assert!(main.index() < program.functions.len());
}

/// A program whose proof needs a search: a number and its digits.
fn digits(claim: &str) -> Program {
    program(&format!(
        "int table[4]; int main(void) {{ unsigned n = __VERIFIER_nondet_uint(), m = n, sum = 0; int i = 0;
         assume(n < 5000);
         while (m > 0) {{ table[i & 3] = m % 10; sum = sum + table[i & 3]; m = m / 10; i = i + 1; }}
         int some = __VERIFIER_nondet_int(); int part = 100 / some; assert(some != 0);
         assert({claim}); {LAST} return part; }}"
    ))
}

/// Checks a claim with the refutations of another check; returns those of this one too.
fn again(program: &Program, earlier: &[Transcript], limits: &Limits) -> (Outcome, Vec<Transcript>) {
    let mut bounds = unwinding(program, &[], &[]);
    bounds.loops.values_mut().for_each(|count| *count = 4);
    let claim = Claim::Unwinding(bounds);
    let mut refutations =
        if earlier.is_empty() { Refutations::to_keep() } else { Refutations::of(earlier.to_vec()) };
    let least = Premises::AtLeast(&[]);
    let outcome = check_again(program, &claim, least, limits, &mut (), &mut refutations);
    (outcome, refutations.kept())
}

const TRUE: &str = "sum % 9 == n % 9 && i <= 4";

/// What was found once need not be searched again: no conflicts are allowed the second time.
#[test]
fn kept_refutations_spare_the_search() {
    let program = digits(TRUE);
    let few = Limits::none().with_conflicts(1);
    assert!(matches!(again(&program, &[], &few).0, Outcome::Unknown { .. }), "it has to be searched");
    let (first, kept) = again(&program, &[], &Limits::none());
    assert!(matches!(&first, Outcome::Accepted { rests_on, .. } if rests_on.len() == 1), "{first:?}");
    assert_eq!(kept.len(), 1);
    let kept: Vec<Transcript> =
        kept.iter().map(|one| Transcript::parse(&one.to_text()).expect("it can be read")).collect();
    let (second, more) = again(&program, &kept, &few);
    assert_eq!(first, second);
    assert!(more.is_empty());
}

/// Refutations of a program prove nothing of another one, however alike they are.
#[test]
fn refutations_of_another_program_prove_nothing() {
    let (_, kept) = again(&digits(TRUE), &[], &Limits::none());
    for claim in
        ["sum % 9 == n % 9 && i <= 3", "sum % 7 == n % 7 && i <= 4", "sum % 9 != n % 9 && i <= 4", "0"]
    {
        let (outcome, _) = again(&digits(claim), &kept, &Limits::none());
        assert!(!matches!(outcome, Outcome::Accepted { .. }), "{claim}: {outcome:?}");
    }
}

/// Spoiled transcripts are searched again, or refused; they never say that more is proved, or that it rests on more.
#[test]
fn spoiled_refutations_change_no_outcome() {
    let (program, wrong) = (digits(TRUE), digits("sum % 7 == n % 7 && i <= 4"));
    let (first, kept) = again(&program, &[], &Limits::none());
    let text = kept[0].to_text();
    for at in (0..text.len()).step_by(text.len() / 12) {
        let spoiled =
            format!("{}{}{}", &text[..at], if &text[at..=at] == "1" { "2" } else { "1" }, &text[at + 1..]);
        let Some(spoiled) = Transcript::parse(&spoiled) else { continue };
        let (outcome, _) = again(&program, std::slice::from_ref(&spoiled), &Limits::none());
        let is_refused = matches!(outcome, Outcome::Rejected(_) | Outcome::Unknown { .. });
        assert!(is_refused || outcome == first, "{outcome:?}");
        let (outcome, _) = again(&wrong, &[spoiled], &Limits::none());
        assert!(!matches!(outcome, Outcome::Accepted { .. }), "{outcome:?}");
    }
}
