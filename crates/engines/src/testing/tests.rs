//! Which violations test runs find, and that the inputs they give are welcome everywhere.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rorqual_cfa::{DataModel, FloatKind, IntKind, Program, Type};
use rorqual_evidence::{Event, Observer};
use rorqual_interpreter::{Config, GivenInput, GivenNumber, InputSource};
use rorqual_solver::Limits;
use rorqual_source::Span;

use super::plan::{Plan, plans};
use super::search;
use super::values::{Drawer, Experience, Kind, Vocabulary};

const PRELUDE: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int); void abort(void);\n";

fn program(text: &str) -> Program {
    rorqual_testkit::program(&format!("{PRELUDE}{text}"))
}

/// Searches for a violation, which must replay.
fn find(text: &str) -> Option<Vec<GivenInput>> {
    let program = program(text);
    let inputs = search(&program, &Limits::none(), &mut ())?;
    let replay = rorqual_witness::replay_inputs(&program, inputs.clone(), &Config::default());
    assert!(replay.violation().is_some(), "{:?} of\n{text}", replay.execution.outcome);
    Some(inputs)
}

#[test]
fn violations_behind_many_rounds_are_found() {
    let text = "int a[20000]; int main(void) { int i;
        for (i = 0; i < 20000; i++) a[i] = __VERIFIER_nondet_int();
        for (i = 0; i < 20000; i++) if (i > 19990 && a[i] != a[0]) reach_error(); return 0; }";
    assert!(find(text).is_some_and(|inputs| inputs.len() == 20_000));
}

#[test]
fn runs_without_inputs_go_as_deep_as_all_together_may() {
    let text = "int main(void) { unsigned i = 0; while (i < 1000000) i++; HERE return 0; }";
    assert_eq!(find(&text.replace("HERE", "reach_error();")), Some(Vec::new()));
    assert_eq!(find(&text.replace("HERE", "")), None);
}

#[test]
fn constants_of_the_program_are_tried() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); if (HERE) reach_error(); return 0; }";
    for condition in ["x == 123456", "x > 77 && x < 79", "x < -99", "x == 2147483647", "!(x + 8)", "x == 9"] {
        assert!(find(&text.replace("HERE", condition)).is_some(), "{condition}");
    }
    assert_eq!(find(&text.replace("HERE", "x > 5 && x < 5")), None);
}

#[test]
fn values_that_assumptions_refuse_are_replaced() {
    let text = "void assume(int c) { if (!c) abort(); }
        int main(void) { int n = __VERIFIER_nondet_int(); assume(n > 900 && n < 1000);
            int m = __VERIFIER_nondet_int(); __VERIFIER_assume(m == n); int i, last = -1;
            for (i = 0; i < n; i++) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= last); last = x; }
            if (i == m) reach_error(); return 0; }";
    assert!(find(text).is_some());
}

#[test]
fn everything_that_is_an_input_gets_values() {
    for text in [
        "int main(void) { int x; if (x > 3) reach_error(); return 0; }",
        "extern short outside; int main(void) { if (outside < 0) reach_error(); return 0; }",
        "extern char *name(void); int main(void) { char *p = name(); if (p && p[3] == 'x') reach_error(); return 0; }",
        "extern char *name(void); int main(void) { if (!name()) reach_error(); return 0; }",
        "extern double size(void); int main(void) { double d = size(); if (d > 0.5 && d < 1e9) reach_error(); return 0; }",
        "extern _Bool flag(void); int main(void) { if (flag() && !flag()) reach_error(); return 0; }",
        "struct s { int a; unsigned b : 3; }; extern struct s make(void);
         int main(void) { struct s v = make(); if (v.a != v.b) reach_error(); return 0; }",
        "int deep(int n) { return n ? deep(n - 1) : 7; } int main(void) { if (deep(30000) == 7) reach_error(); return 0; }",
    ] {
        assert!(find(text).is_some(), "{text}");
    }
}

#[test]
fn undefined_behaviour_ends_a_run_before_the_violation() {
    let text = "int main(void) { int a[2] = {0, 0}, i = __VERIFIER_nondet_int(); a[i] = 1; if (i > 1) reach_error(); return 0; }";
    assert_eq!(find(text), None);
}

#[test]
fn the_same_program_gives_the_same_inputs() {
    let text = "int main(void) { int i, s = 0; for (i = 0; i < 50; i++) s += __VERIFIER_nondet_int() & 1; if (s > 30) reach_error(); return 0; }";
    let first = find(text);
    assert!(first.is_some());
    assert_eq!(first, find(text));
}

/// Counts runs.
struct Count(u64);

impl Observer for Count {
    fn on(&mut self, event: Event) {
        self.0 += u64::from(event == Event::TestRun);
    }
}

#[test]
fn a_raised_flag_ends_the_runs() {
    let program = program("int main(void) { for (;;) __VERIFIER_nondet_int(); }");
    let limits = Limits::none().with_cancellation(Arc::new(AtomicBool::new(true)));
    let mut count = Count(0);
    assert_eq!(search(&program, &limits, &mut count), None);
    assert_eq!(count.0, 0);
}

fn vocabulary() -> Vocabulary {
    Vocabulary::of(&program("int main(void) { return 40 + __VERIFIER_nondet_int() * 300; }"))
}

#[test]
fn plans_are_distinct() {
    let plans = plans(&vocabulary());
    for constant in [40, 41, 39, 300] {
        assert!(plans.contains(&Plan::Same(constant)), "{plans:?}");
    }
    for (at, plan) in plans.iter().enumerate() {
        assert!(!plans[..at].contains(plan), "{plan:?}");
    }
}

#[test]
fn values_fit_their_types() {
    use IntKind::{Bool, Char, Int, Int128, LongLong, UnsignedInt, UnsignedInt128, UnsignedShort};
    let vocabulary = vocabulary();
    for plan in plans(&vocabulary) {
        let (mut experience, mut avoided) = (Experience::default(), BTreeSet::new());
        let mut drawer = Drawer::new(plan, 0, 100, &vocabulary, &mut experience, &mut avoided);
        for kind in [Bool, Char, Int, UnsignedShort, UnsignedInt, LongLong, Int128, UnsignedInt128].repeat(8)
        {
            let given = drawer.draw(&Type::Int(kind), Span::NONE).expect("there are inputs left");
            let GivenNumber::Integer { negative, magnitude } = given.number else { panic!("{given:?}") };
            let bits = if kind == Bool { 1 } else { kind.width(DataModel::Lp64) };
            let most = match (kind.is_signed(), negative) {
                (true, false) => (1 << (bits - 1)) - 1,
                (true, true) => 1 << (bits - 1),
                (false, _) => u128::MAX >> (128 - bits),
            };
            assert!(magnitude <= most && (!negative || kind.is_signed()), "{plan:?} {kind:?}: {given:?}");
        }
        assert!(drawer.draw(&Type::Float(FloatKind::Float), Span::NONE).is_some());
    }
}

#[test]
fn refused_values_are_left() {
    let (vocabulary, mut experience, mut avoided) = (vocabulary(), Experience::default(), BTreeSet::new());
    for (plan, value) in [(Plan::Uniform(Kind::Successor), 1), (Plan::Same(5), 5)] {
        let mut draw = |refused| {
            let mut drawer = Drawer::new(plan, 0, 1, &vocabulary, &mut experience, &mut avoided);
            assert!(drawer.draw(&Type::Int(IntKind::Int), Span::NONE).is_some());
            assert_eq!(drawer.draw(&Type::Int(IntKind::Int), Span::NONE), None);
            drawer.finish(refused)
        };
        let first = vec![GivenInput::from(value)];
        assert_eq!(draw(true), first);
        assert_ne!(draw(false), first);
    }
}
