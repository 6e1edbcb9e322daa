//! Small programs, executed within bounds: what is met, what is left behind the bounds, and what needs no solver.

use rorqual_cfa::{Peril, Program};
use rorqual_solver::Limits;
use rorqual_symbolic::{Bounds, Executor, Order, Outcome, loops};

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
extern void reach_error(void); extern void *malloc(unsigned long); extern void *memcpy(void *, const void *, unsigned long);\n";

fn program(text: &str) -> Program {
    rorqual_testkit::program(&format!("{PRELUDE}{text}"))
}

fn bounds(undecided: u64) -> Bounds {
    Bounds {
        undecided,
        decided: 1_000,
        depth: 100,
        edges: u64::MAX,
        terms: usize::MAX,
        queries: u64::MAX,
        conflicts: 1_000,
        ..Bounds::default()
    }
}

fn executed(program: &Program, undecided: u64) -> (Executor<'_>, Outcome) {
    let mut executor = Executor::new(program);
    let outcome = executor.execute(&bounds(undecided), &Limits::none()).expect("there are no limits");
    (executor, outcome)
}

/// Whether a violation can happen.
fn is_violated(executor: &mut Executor<'_>, outcome: &Outcome) -> bool {
    let guards: Vec<_> = outcome.failures.iter().map(|failure| failure.guard).collect();
    let any = executor.pool.or(&guards);
    executor.ask(&[any], &Limits::none()).expect("there are no limits").is_sat()
}

/// The same text with what replaces `HERE` fails in one case only.
fn pair(text: &str, fine: &str, bad: &str) {
    for (here, expected) in [(fine, false), (bad, true)] {
        let program = program(&text.replace("HERE", here));
        let (mut executor, outcome) = executed(&program, 16);
        assert!(outcome.cuts.is_empty() && outcome.obstacles.is_empty(), "{outcome:?}");
        assert_eq!(is_violated(&mut executor, &outcome), expected, "{here} in\n{text}");
    }
}

#[test]
fn what_inputs_do_not_influence_is_executed() {
    let text = "int main(void) { int a[50]; for (int i = 0; i < 50; i++) a[i] = i * i;
        int n = __VERIFIER_nondet_int(); if (a[7] != 49) reach_error(); return n; }";
    let program = program(text);
    let (_, outcome) = executed(&program, 0);
    assert!(
        outcome.failures.is_empty() && outcome.hazards.is_empty() && outcome.cuts.is_empty(),
        "{outcome:?}"
    );
    assert_eq!(outcome.unwinding.loops.values().copied().collect::<Vec<_>>(), [50]);
}

#[test]
fn loops_that_inputs_decide_about_are_cut() {
    let text = "int main(void) { while (__VERIFIER_nondet_int()) ; reach_error(); return 0; }";
    let program = program(text);
    let (mut executor, outcome) = executed(&program, 3);
    assert_eq!(outcome.cuts.iter().map(|(cut, _)| cut.count).collect::<Vec<_>>(), [3]);
    assert!(is_violated(&mut executor, &outcome));
}

#[test]
fn loops_end_where_they_cannot_go_on() {
    let text = "int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 5);
        int sum = 0; for (int i = 0; i < n; i++) sum += i; if (sum > HERE) reach_error(); return 0; }";
    pair(text, "10", "9");
}

#[test]
fn accesses_choose_among_cells() {
    let text = "int main(void) { int a[4] = {3, 1, 4, 1}; int i = __VERIFIER_nondet_int();
        __VERIFIER_assume(i >= 0 && i < 4); a[i] += 2; int j = __VERIFIER_nondet_int();
        __VERIFIER_assume(j >= 0 && j < 4 && j != i); if (a[i] + a[j] > HERE) reach_error(); return 0; }";
    pair(text, "9", "8");
}

#[test]
fn bytes_are_parts_of_scalars() {
    let text = "int main(void) { unsigned x = __VERIFIER_nondet_int(); unsigned char b[4]; memcpy(b, &x, 4);
        unsigned y = b[0] | b[1] << 8 | b[2] << 16 | (unsigned)b[3] << HERE; if (x != y) reach_error(); return 0; }";
    pair(text, "24", "23");
}

#[test]
fn pointers_are_found_in_merged_states() {
    let text = "int main(void) { int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y; *p += 10;
        if (x + y != HERE || (p == &x) != (x == 11)) reach_error(); return 0; }";
    pair(text, "13", "12");
}

#[test]
fn functions_behind_pointers_are_called() {
    let text = "static int f(int x) { return x + 1; } static int g(int x) { return x + 2; }
        int main(void) { int (*h)(int) = __VERIFIER_nondet_int() ? f : g; int r = h(1);
        if (r != 2 && r != HERE) reach_error(); return 0; }";
    pair(text, "3", "4");
}

#[test]
fn undefined_operations_are_noted() {
    let text = "int main(void) { int a[2] = {0}; int i = __VERIFIER_nondet_int(); int q = a[i] / i;
        if (q == 77) reach_error(); return 1 << i; }";
    let program = program(text);
    // The shift comes after the last violation.
    let (mut executor, outcome) = executed(&program, 4);
    assert_eq!(outcome.hazards.len(), 2, "{outcome:?}");
    for (_, when) in outcome.hazards {
        assert!(executor.ask(&[when], &Limits::none()).expect("there are no limits").is_sat());
    }
}

/// The locations of a function from which a violation may be reached.
fn perilous(text: &str, function: &str) -> usize {
    let program = program(text);
    let peril = Peril::of(&program);
    let id = program.function_named(function).expect("the function is there");
    let body = program.functions[id].body.as_ref().expect("it has a body");
    body.locations().ids().filter(|&location| peril.is_ahead(id, location)).count()
}

#[test]
fn violations_are_ahead_of_whatever_may_lead_there() {
    let alone = "int main(void) { int x = 1; return x; }";
    assert_eq!(perilous(alone, "main"), 0);
    let all = |text: &str| assert!(perilous(text, "main") > 0, "{text}");
    all("int main(void) { int x = 1; if (x) reach_error(); return x; }");
    all("void f(void) { reach_error(); } void g(void) { f(); } int main(void) { g(); return 0; }");
    all("void f(void) { reach_error(); } int main(void) { void (*p)(void) = f; p(); return 0; }");
    all("void f(void) { reach_error(); } void call(void (*p)(void)); int main(void) { call(f); return 0; }");
    all("int main(void) { if (__VERIFIER_nondet_int()) __builtin_unreachable(); return 0; }");
    // A function without body cannot call what it does not know.
    let unknown = "int other(void); void f(void) { reach_error(); } int main(void) { return other(); }";
    assert_eq!(perilous(unknown, "main"), 0);
    // What is called has violations, what comes after the call has none.
    let first = "void f(void) { reach_error(); } int main(void) { f(); int x = 1; x++; x--; return x; }";
    let last = "void f(void) { reach_error(); } int main(void) { int x = 1; x++; x--; f(); return x; }";
    assert!(perilous(first, "main") < perilous(last, "main"));
}

/// Every edge leads forward, or back to the head of a loop around it.
#[test]
fn orders_are_weakly_topological() {
    let text =
        "int main(void) { int i, j; for (i = 0; i < 9; i++) { for (j = 0; j < i; j++) if (j == 3) goto out; }
        again: if (__VERIFIER_nondet_int()) goto again; out: return i; }";
    let program = program(text);
    for function in program.functions.values() {
        let Some(body) = &function.body else { continue };
        let order = Order::of(body);
        for edge in body.edges().values() {
            let is_forward = order.position(edge.source) < order.position(edge.target);
            assert!(is_forward || order.back(edge.source, edge.target).is_some(), "{edge:?}");
        }
    }
    let names: Vec<String> = loops(&program).into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["main.1", "main.2", "main.3"]);
}
