//! What the automata of each C construct look like. The snapshots are read like code: every
//! conversion, temporary, lifetime and order of evaluation is in them.

use rorqual_cfa::{DataModel, FunctionId, Program, write_text};
use rorqual_testkit::{program, program_for};

/// The automata of the named functions.
fn automata(program: &Program, names: &[&str]) -> String {
    let ids: Vec<FunctionId> =
        names.iter().map(|name| program.function_named(name).expect("the function exists")).collect();
    let mut text = String::new();
    write_text(&mut text, program, &ids).expect("writing to a string succeeds");
    assert_eq!(rorqual_cfa::violations(program), Vec::<String>::new());
    text
}

/// The automaton of `f` in a text; `main` is added.
fn automaton_of_f(text: &str) -> String {
    automata(&program(&format!("{text}\nint main(void) {{ return 0; }}\n")), &["f"])
}

#[test]
fn conditions_branch_by_short_circuit() {
    insta::assert_snapshot!(automaton_of_f(
        "int f(int a, int b, int *p) { if (a && (b || !p)) return 1; return a ? b : a || b; }"
    ));
}

#[test]
fn loops_have_one_head_each() {
    insta::assert_snapshot!(automaton_of_f(
        "int f(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { if (i == 3) continue; if (i == 7) break; s += i; }
  while (s > 10) s--;
  do s++; while (s < 5);
  for (;;);
}"
    ));
}

#[test]
fn switches_fall_through_and_have_ranges() {
    insta::assert_snapshot!(automaton_of_f(
        "int f(unsigned char c) {
  switch (c) { case 1 ... 3: return 1; default: c++; case 9: return c; }
}"
    ));
}

#[test]
fn jumps_end_lifetimes() {
    insta::assert_snapshot!(automaton_of_f(
        "void use(int *);
int f(int n) {
again:
  { int x; use(&x); if (n--) goto again; { int y; use(&y); if (n) goto out; } }
out:
  return n;
}"
    ));
}

#[test]
fn computed_jumps_are_compared_with_every_label() {
    insta::assert_snapshot!(automaton_of_f(
        "int f(int i) { static void *t[] = {&&a, &&b}; goto *t[i]; a: return 1; b: return 2; }"
    ));
}

#[test]
fn conversions_are_explicit() {
    insta::assert_snapshot!(automaton_of_f(
        "long f(char c, unsigned u, short s, float x, _Bool b) {
  c += 3.7; u = c < u; s <<= c; b = x; b++; return c * u + s - b;
}"
    ));
}

#[test]
fn widths_follow_the_data_model() {
    let text = "long f(long a, unsigned int b) { return a + b + sizeof(long); } int main(void) { return 0; }";
    let lp64 = automata(&program_for(DataModel::Lp64, text), &["f"]);
    let ilp32 = automata(&program_for(DataModel::Ilp32, text), &["f"]);
    insta::assert_snapshot!(format!("LP64:\n{lp64}\nILP32:\n{ilp32}"));
}

#[test]
fn calls_evaluate_arguments_from_right_to_left() {
    insta::assert_snapshot!(automaton_of_f(
        "int x; int g(int); int f(int a) { int (*h)(int) = g; return g(g(1) + x) + x - h(a++); }"
    ));
}

#[test]
fn assignments_compute_the_value_before_the_place() {
    insta::assert_snapshot!(automaton_of_f(
        "int a[9], i; int g(void); void f(int *p) { a[g()] = g() + 1; a[i] = g(); *p++ = a[i]++; a[g()] += i; }"
    ));
}

#[test]
fn places_keep_their_structure() {
    insta::assert_snapshot!(automaton_of_f(
        "struct s { int a[3]; struct s *next; unsigned b : 3; union { int i; char c[4]; }; };
int f(struct s *p, struct s q) { q.b = 5; p->next->a[1] = q.i; (*p).c[0] = *q.a; return (&q)->b; }"
    ));
}

#[test]
fn records_are_values() {
    insta::assert_snapshot!(automaton_of_f(
        "struct s { int a, b[2]; }; struct s g(struct s);
int f(struct s x) { struct s y = g(x); x = y; return g(g(x)).b[1] + g(y).a; }"
    ));
}

#[test]
fn inputs_assumptions_and_errors_have_their_meaning() {
    insta::assert_snapshot!(automaton_of_f(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int), reach_error(void);
extern void abort(void), exit(int); extern void assert(int);
int f(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 0);
  assert(x != 7);
  if (x == 8) abort();
  if (x == 9) exit(x);
  if (x + __VERIFIER_nondet_int() == 10) reach_error();
  return x;
}"
    ));
}

#[test]
fn gnu_expressions() {
    insta::assert_snapshot!(automaton_of_f(
        "int g(void);
int f(int n) {
  int m = ({ int t = n; t * 2; }) + (g() ?: 5);
  int v[n];
  v[0] = sizeof v;
  return __builtin_expect(m, 1) + *(int *)__builtin_alloca(8) + __builtin_popcount(n);
}"
    ));
}

#[test]
fn what_cannot_be_represented_is_an_operation_at_its_place() {
    insta::assert_snapshot!(automaton_of_f(
        "int setjmp(int *); int f(int n, int *b) {
  if (n) return setjmp(b);
  __asm__(\"nop\" : \"=r\"(n) : \"r\"(*b) : \"memory\");
  int inner(void) { return n; }
  return inner();
}"
    ));
}

#[test]
fn start_up_code_initialises_and_calls_main() {
    let program = program(
        "int zero, one = 1, *p = &one; char s[6] = \"hi\"; extern int outside;
struct { int a, b[3]; } r = { .b = { [1] = 5 }, .a = 2 };
__attribute__((constructor)) static void early(void) { zero = outside; }
int main(int argc, char **argv) { static long count = 3; return argc + (argv[0] == 0) + count; }",
    );
    insta::assert_snapshot!(automata(&program, &["<start>", "main"]));
}

#[test]
fn strings_and_structures_that_replace_parts_are_not_supported() {
    let is_refused = |initializer: &str| {
        let text = format!(
            "struct p {{ int a, b; }}; struct s {{ char s[8]; struct p q; int z; }}; \
             int main(void) {{ struct p p = {{ 1, 2 }}; struct s v = {initializer}; return v.z; }}"
        );
        program(&text).unsupported().count() > 0
    };
    assert!(is_refused("{ .s[5] = 'x', .s = \"ab\" }"));
    assert!(is_refused("{ .q.b = 3, .q = p }"));
    assert!(is_refused("{ .q = p, .q.b = 3 }"));
    assert!(is_refused("{ .q.b = 3, .s = \"ab\", p }"));
    assert!(!is_refused("{ .s = \"ab\", .s[1] = 'x' }"));
    assert!(!is_refused("{ \"ab\", p, .z = 3 }"));
    assert!(!is_refused("{ .z = 3, .z = 4, .s = \"ab\", .q = p }"));
    assert!(!is_refused("{ .q = { 1, 2 }, .q.b = 3 }"));
}

#[test]
fn initialisers_that_replace_earlier_ones_are_not_supported() {
    let of = |initializer: &str| {
        let text = format!(
            "struct p {{ int a, b; }}; struct {{ struct p q; int z; }} v[2] = {initializer}; int main(void) {{ return 0; }}"
        );
        program(&text).unsupported().count()
    };
    assert_eq!(of("{ [0].q.b = 1, [0] = { { 8 } } }"), 1);
    assert_eq!(of("{ [0 ... 1] = { { 1, 2 }, 3 }, [1] = { { 8 } } }"), 1);
    assert_eq!(of("{ [0] = { .q = { 1 }, .q = { .b = 2 } } }"), 1);
    // Without designators, behind an item that goes back.
    assert_eq!(of("{ [1] = { { 1, 2 }, 3 }, [0] = { { 8 } }, { { 9 } } }"), 1);
    assert_eq!(of("{ [1] = { { 1, 2 }, 3 }, [0] = { .z = 1 }, { .z = 2 } }"), 1);
    assert_eq!(of("{ { { 1, 2 }, 3 }, [0] = { .z = 1 } }"), 1);
    assert_eq!(of("{ { { 1, 2 }, 3 }, [0].q = { 1 } }"), 1);
    assert_eq!(of("{ 1, 2, 3, 4, [1].q = { 1 } }"), 1);
    assert_eq!(of("{ [0] = { { 1, 2 }, 3 }, [1] = { { 8 } }, [0].z = 4 }"), 0);
    assert_eq!(of("{ [1] = { { 1, 2 }, 3 }, [0] = { { 8 } } }"), 0);
    assert_eq!(of("{ { { 1, 2 }, 3 }, [1] = { { 8 } } }"), 0);
    assert_eq!(of("{ { .q = { 1 }, .z = 2 }, { .z = 2, .q.b = 3, .q.a = 1 } }"), 0);
}
