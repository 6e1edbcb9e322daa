//! Allocated memory, bytes, string literals and what library functions do to them: each rule both ways.

mod support;

use support::{accepts, rejects};

const DECLARATIONS: &str = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);
    void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t);
    void *memset(void *, int, size_t); char *strcpy(char *, const char *); size_t strlen(const char *);\n";

/// A program that calls `reach_error` at its end unless a condition holds must be accepted, and rejected with
/// the condition turned around.
#[track_caller]
fn holds(declarations: &str, body: &str, condition: &str) {
    let program = |condition: &str| {
        format!(
            "{DECLARATIONS}{declarations} int main(void) {{ {body} if ({condition}) reach_error(); return 0; }}"
        )
    };
    accepts(&program(&format!("!({condition})")), &[]);
    rejects(&program(condition), &[], "`reach_error` is called");
}

/// Nothing is known of a condition at the end of a program.
#[track_caller]
fn is_open(declarations: &str, body: &str, condition: &str) {
    for condition in [condition.to_owned(), format!("!({condition})")] {
        let text = format!(
            "{DECLARATIONS}{declarations} int main(void) {{ {body} if ({condition}) reach_error(); return 0; }}"
        );
        rejects(&text, &[], "`reach_error` is called");
    }
}

const NODE: &str = "struct node { int data; struct node *next; };";

#[test]
fn new_memory_is_apart_from_everything() {
    holds("", "int *p = malloc(4); *p = 1; int *q = malloc(4); *q = 2;", "*p == 1 && p != q");
    holds("", "int x = 1; int *p = malloc(4); *p = 2; int *q = &x;", "*q == 1 && p != q && p != 0");
    holds("", "int *p = malloc(0); int *q = malloc(0);", "p != q");
    holds(
        "",
        "int *p = malloc(4), *q = malloc(4); int *r = __VERIFIER_nondet_int() ? p : q; *p = *q = 3; *r = 4;",
        "(*p == 4) != (*q == 4)",
    );
    is_open("", "int *p = malloc(4);", "*p == 1");
    is_open("", "int *p = malloc(8); p[0] = 1;", "p[1] == 1");
}

#[test]
fn members_are_apart() {
    holds(NODE, "struct node *p = malloc(sizeof *p); p->data = 1; p->next = 0;", "p->data == 1 && !p->next");
    holds(
        NODE,
        "struct node *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->next = q; q->data = 5; p->data = 6;",
        "p->next->data == 5",
    );
    is_open(
        NODE,
        "struct node *p = malloc(sizeof *p), *q = __VERIFIER_nondet_int() ? p : malloc(sizeof *q);
         p->data = 1; q->data = 2;",
        "p->data == 1",
    );
}

#[test]
fn arrays_of_elements_and_in_elements() {
    let text = "struct s { char c; short h[3]; struct { int x, y; } in[2]; };";
    let body = "struct s *p = malloc(3 * sizeof *p); int i = __VERIFIER_nondet_int() & 1;
        p[2].h[i] = 1; p[i].h[2] = 2; p[1 - i].in[i].y = 7; p[1 - i].in[i].x = 8; p[1].c = 9;";
    holds(text, body, "p[2].h[i] == 1 && p[i].h[2] == 2 && p[1 - i].in[i].y == 7");
    // An index that leaves an array may find other members.
    is_open(
        text,
        "struct s *p = malloc(sizeof *p); int i = __VERIFIER_nondet_int(); p->in[0].x = 3; p->h[i] = 1;",
        "p->in[0].x == 3",
    );
    holds("", "int *p = malloc(40); p[3] = 3; int *q = p + 3;", "*q == 3");
    holds("", "int (*p)[4] = malloc(64); p[1][2] = 3; (*p)[1] = 4;", "p[1][2] == 3");
}

#[test]
fn whole_structures() {
    let text = "struct s { int a; char c; short h[2]; };";
    holds(
        text,
        "struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q), v = {1, 2, {3, 4}}; *p = v; *q = *p; p->h[1] = 5;",
        "q->a == 1 && q->c == 2 && q->h[1] == 4",
    );
    holds(
        text,
        "struct s *p = malloc(sizeof *p), v; p->a = 1; p->h[0] = 2; v = *p;",
        "v.a == 1 && v.h[0] == 2",
    );
}

#[test]
fn bits_and_unions_of_elements() {
    let text =
        "struct s { unsigned a : 3, b : 5; union { int i; short h[2]; struct { char x, y; } in; } u; };";
    holds(text, "struct s *p = malloc(sizeof *p); p->a = 9; p->b = 31;", "p->a == 1 && p->b == 31");
    holds(text, "struct s *p = malloc(sizeof *p); p->u.i = 0x01020304;", "p->u.in.y == 3");
    holds(
        text,
        "struct s *p = malloc(sizeof *p); p->u.i = 0x01020304; p->u.h[1] = 5;",
        "p->u.i == 0x00050304",
    );
    holds(
        text,
        "struct s *p = malloc(sizeof *p); p->u.i = 0x01020304; short *h = p->u.h; h[1] = 5;",
        "p->u.i == 0x00050304",
    );
}

#[test]
fn memory_of_which_only_bytes_are_known() {
    holds("", "int *p = malloc(8); char *c = (char *)p; p[1] = 0x01020304; c[5] = 9;", "p[1] == 0x01020904");
    holds(
        NODE,
        "struct node *p = malloc(sizeof *p); char *c = (char *)p; int i = __VERIFIER_nondet_int() & 3;
         p->data = 258; p->next = p; c[i] = 1;",
        "c[i] == 1 && p->next == p",
    );
}

#[test]
fn variables_of_which_only_bytes_are_known() {
    holds("", "int x = 0x01020304; char *c = (char *)&x; c[1] = 9;", "x == 0x01020904");
    holds(
        "",
        "int x = 0; char *c = (char *)&x; int i = __VERIFIER_nondet_int() & 1; c[i] = 1;",
        "x == 1 || x == 256",
    );
    let text = "struct s { int a; short h[2]; };";
    holds(
        text,
        "struct s v = {1, {2, 3}}; char *c = (char *)&v; c[4] = 7;",
        "v.a == 1 && v.h[0] == 7 && v.h[1] == 3",
    );
    holds(
        text,
        "struct s v = {1, {2, 3}}, w; char *c = (char *)&v; c[0] = 7; w = v;",
        "w.a == 7 && w.h[1] == 3",
    );
    is_open(
        text,
        "struct s v = {1, {2, 3}}; char *c = (char *)&v; int i = __VERIFIER_nondet_int(); c[i] = 7;",
        "v.h[1] == 3",
    );
}

#[test]
fn calloc_realloc_free() {
    holds("", "int *p = calloc(4, 4);", "p[0] == 0 && p[3] == 0");
    holds(NODE, "struct node *p = calloc(2, sizeof *p);", "p[1].next == 0 && p->data == 0");
    is_open("", "int *p = calloc(__VERIFIER_nondet_int(), 4);", "p[0] == 0");
    is_open("", "int *p = malloc(4); *p = 1; p = realloc(p, 8);", "*p == 1");
    is_open("", "int *p = malloc(4); p = realloc(p, __VERIFIER_nondet_int());", "p == 0");
    holds("", "int *p = malloc(4), *q = malloc(4); *q = 1; p = realloc(p, 8); *p = 2; free(p);", "*q == 1");
}

#[test]
fn variable_length_arrays() {
    holds("", "int n = 5; int a[n]; int b[n]; a[4] = 1; b[4] = 2;", "a[4] == 1");
    is_open("", "int n = 5; int a[n]; a[3] = 1;", "a[4] == 1");
}

#[test]
fn string_literals() {
    holds("", "char *s = \"abc\"; int i = __VERIFIER_nondet_int() & 3;", "s[i] == (i == 3 ? 0 : 'a' + i)");
    holds("", "", "\"xyz\"[1] == 'y'");
    accepts(&format!("{DECLARATIONS} int main(void) {{ char *s = \"abc\"; s[1] = 1; reach_error(); }}"), &[]);
}

#[test]
fn blocks_of_bytes() {
    let text = "struct s { int a; short h[2]; };";
    holds(text, "struct s v = {1, {2, 3}}, w; memcpy(&w, &v, sizeof w);", "w.h[1] == 3");
    holds(
        text,
        "struct s *p = malloc(sizeof *p); p->a = 1; memset(p, 0, sizeof *p);",
        "p->a == 0 && p->h[1] == 0",
    );
    holds("", "int a[4]; memset(a, 0, sizeof a); int b = 1; int *p = &b;", "a[3] == 0 && *p == 1");
    is_open(text, "struct s v = {1, {2, 3}}; memset(&v, 1, sizeof v);", "v.a == 1");
    is_open("", "int *p = malloc(8); *p = 0; int n = __VERIFIER_nondet_int(); memset(p, 0, n);", "*p == 0");
    is_open("", "char *p = malloc(8); *p = 0; strcpy(p, \"ab\");", "*p == 0");
}

#[test]
fn pointers_from_elsewhere_may_point_to_any_memory_of_their_class() {
    let text = "int *get(void); int *one(void) { return get(); }";
    is_open(text, "int *p = one(), *q = one(); *p = 1; *q = 2;", "*p == 1");
    holds(text, "int x = 1; int *p = get(), *q = &x; *p = 2;", "*q == 1");
}

#[test]
fn statements_over_allocated_memory() {
    let text = format!(
        "{DECLARATIONS}{NODE} int main(void) {{ struct node *p = 0; int i = 0;
         while (i < 10) {{ struct node *n = malloc(sizeof *n); n->data = 7; n->next = p; p = n; i++;
           if (p->data != 7) reach_error(); }}
         if (p->data != 7) reach_error(); }}"
    );
    let program = support::program(rorqual_cfa::DataModel::Lp64, &text);
    let cell = support::allocated(&program);
    let good = format!(
        "(and (bvsge |main::i| #x00000000) (or (= |main::i| #x00000000)
          (= (select |{cell}[].data| |main::p|) #x00000007)))"
    );
    accepts(&text, &[&good]);
    rejects(&text, &["true"], "`reach_error` is called");
    let wrong = format!("(= (select |{cell}[].data| |main::p|) #x00000007)");
    rejects(&text, &[&wrong], "it can be false");
    // What lies below the top of the heap stays as it is.
    let list = format!(
        "{DECLARATIONS} int main(void) {{ int *p = malloc(4); *p = 3; int i = 0;
         while (i < 10) {{ int *q = malloc(4); *q = i; if (*q == i) p = p; else p = q; i++; }}
         if (*p != 3) reach_error(); }}"
    );
    let program = support::program(rorqual_cfa::DataModel::Lp64, &list);
    let cell = support::allocated(&program);
    let kept = format!("(= (select |{cell}[]| |main::p|) #x00000003)");
    rejects(&list, &[&kept], "it can be false");
    accepts(&list, &[&format!("(and {kept} (bvult |main::p| heap.top))")]);
}

#[test]
fn the_heap_starts_where_it_starts() {
    let text = format!(
        "{DECLARATIONS} int main(void) {{ int i = 0; while (i < 3) {{ malloc(16); i++; }}
        if (i != 3) reach_error(); }}"
    );
    let start = "#x0000400000000000";
    let counts = "(and (bvsle #x00000000 |main::i|) (bvsle |main::i| #x00000003))";
    accepts(&text, &[&format!("(and {counts} (bvuge heap.top {start}))")]);
    accepts(&text, &[&format!("(and {counts} (=> (= |main::i| #x00000000) (= heap.top {start})))")]);
    rejects(&text, &[&format!("(and {counts} (= heap.top {start}))")], "it can be false");
}
