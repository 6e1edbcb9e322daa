//! What proofs rest on: operations that C leaves undefined for some operands.

mod support;

use rorqual_certificate::{Certificate, Guard, Outcome, Premises, check, check_with, parse, write};
use rorqual_cfa::{DataModel, Hazard, Program};
use rorqual_evidence::Assumption;
use rorqual_solver::Limits;
use support::{certificate, program};

/// What the proof of a program without loops rests on, as text.
#[track_caller]
fn rests_on(text: &str) -> Vec<String> {
    let (program, read) = read(text, &[]);
    match check(&program, &read.claim, &Limits::none()) {
        Outcome::Accepted { rests_on, .. } => {
            rests_on.iter().map(|hazard| hazard.assumption(&program)).collect()
        }
        other => panic!("{other:?}\n{text}"),
    }
}

fn read(text: &str, formulas: &[&str]) -> (Program, Certificate) {
    let program = program(DataModel::Lp64, text);
    let read = parse(&program, &certificate(&program, formulas)).expect("it is well-formed");
    (program, read)
}

/// Whether a proof is accepted under exactly these premises.
fn is_accepted(program: &Program, read: &Certificate, hazards: &[Hazard]) -> bool {
    let premises = Premises::Exactly(hazards);
    let outcome = check_with(program, &read.claim, premises, &Limits::none(), &mut ());
    matches!(outcome, Outcome::Accepted { .. })
}

/// Statements behind which `n` is known only if they are defined, and what a proof of that rests on.
const OPERATIONS: [(&str, &str); 12] = [
    ("int a[4]; a[n] = 1; int ok = n >= 0 && n < 4;", "`a[n]` at test.c:3 stays in bounds"),
    ("int a[4] = {0}; int x = a[n]; int ok = x == 0;", "`a[n]` at test.c:3 stays in bounds"),
    (
        "struct { int a[2]; int b; } s; s.a[n] = 1; int ok = n >= -2 && n < 4;",
        "`s.a[n]` at test.c:3 stays in bounds",
    ),
    ("int x = 1, *p = n ? &x : 0; *p = 2; int ok = n != 0;", "`*p` at test.c:3 accesses a valid object"),
    ("int x = 7, *p = n ? &x : 0; int y = *p; int ok = y == 7;", "`*p` at test.c:3 accesses a valid object"),
    ("int x = 10 / n; int ok = n != 0;", "`10 / n` at test.c:3 never divides by zero nor overflows"),
    (
        "int x = 10 % n; int ok = x <= 10 && x >= 0;",
        "`10 % n` at test.c:3 never divides by zero nor overflows",
    ),
    ("int x = 1 << n; int ok = n >= 0 && n < 32;", "`1 << n` at test.c:3 shifts by less than the width"),
    ("unsigned x = 1u >> n; int ok = x <= 1;", "`1u >> n` at test.c:3 shifts by less than the width"),
    ("int x = __builtin_clz(n); int ok = x < 32;", "`__builtin_clz(n)` at test.c:3 is not given zero"),
    ("int (*f)(void) = n ? one : 0; int ok = f() == 1;", "`f` at test.c:3 points to a function"),
    (
        "if (n == 5) __builtin_unreachable(); int ok = n != 5;",
        "`__builtin_unreachable()` at test.c:3 is never reached",
    ),
];

fn with_main(statements: &str) -> String {
    format!(
        "static int one(void) {{ return 1; }} int main(void) {{ int n = __VERIFIER_nondet_int(); {statements} \
         if (!ok) reach_error(); }}"
    )
}

#[test]
fn a_proof_rests_on_the_operation_that_ends_executions() {
    for (statements, expected) in OPERATIONS {
        assert_eq!(rests_on(&with_main(statements)), [expected], "{statements}");
    }
}

#[test]
fn operations_that_do_not_matter_are_not_named() {
    for (statements, _) in OPERATIONS {
        if !statements.contains("unreachable") {
            let text = with_main(&format!("{statements} ok = 1;"));
            assert_eq!(rests_on(&text), Vec::<String>::new(), "{statements}");
        }
    }
}

#[test]
fn operations_that_are_always_defined_are_not_named() {
    for (statements, _) in OPERATIONS {
        let text = with_main(&format!("if (n < 1 || n > 1) return 0; {statements}"));
        assert_eq!(rests_on(&text), Vec::<String>::new(), "{statements}");
    }
}

#[test]
fn a_proof_is_accepted_under_exactly_what_it_rests_on() {
    for (statements, _) in OPERATIONS {
        let (program, read) = read(&with_main(statements), &[]);
        let Outcome::Accepted { rests_on, .. } = check(&program, &read.claim, &Limits::none()) else {
            panic!("{statements}");
        };
        assert!(is_accepted(&program, &read, &rests_on), "{statements}");
        assert!(!is_accepted(&program, &read, &[]), "{statements}");
        let others: Vec<Hazard> =
            program.places.ids().map(Hazard::Access).filter(|place| !rests_on.contains(place)).collect();
        assert!(!is_accepted(&program, &read, &others), "{statements}");
    }
}

/// Statements behind which an access to allocated memory decides, and what a proof rests on.
const ALLOCATED: [(&str, &[&str]); 12] = [
    // Beyond the end of an object nothing is kept, and nothing after its life.
    (
        "int *p = malloc(4); p[1] = 5; int ok = p[1] == 5;",
        &["`p[1]` at test.c:3 stays in bounds of a live object"; 2],
    ),
    (
        "int *p = malloc(4); *p = 5; free(p); int ok = *p == 5;",
        &["`*p` at test.c:3 accesses a valid object", "`p` at test.c:3 can be freed"],
    ),
    (
        "int *p = malloc(n < 8 ? 4 : 8); *p = 5; p[1] = 5; int ok = p[0] + p[1] == 10;",
        &["`p[1]` at test.c:3 stays in bounds of a live object"; 2],
    ),
    (
        "if (n < 1 || n > 9) return 0; int a[n]; a[n] = 5; int ok = a[n] == 5;",
        &["`a[n]` at test.c:3 stays in bounds of a live object"; 2],
    ),
    (
        "if (n < 1 || n > 9) return 0; int *p; { int a[n]; a[0] = 5; p = a; } int ok = *p == 5;",
        &["`*p` at test.c:3 accesses a valid object"],
    ),
    ("int *p = on_stack(); int ok = *p == 5;", &["`*p` at test.c:3 accesses a valid object"]),
    // What was allocated before, is large enough and was not freed is there.
    ("int *p = malloc(8); p[1] = 5; int ok = p[1] == 5; free(p);", &[]),
    ("int *p = n ? malloc(8) : malloc(12); p[1] = 5; int ok = p[1] == 5;", &[]),
    ("if (n < 1 || n > 9) return 0; int a[n]; a[n - 1] = 5; int ok = a[n - 1] == 5;", &[]),
    // After an invalid `free` nothing is known of allocated memory, nor of what was freed.
    (
        "int *p = malloc(4), *q = malloc(4); *p = 5; free(q); int ok = *p == 5; free(p);",
        &["`q` at test.c:3 can be freed"],
    ),
    ("int x = 5, y = 6, *p = n ? &x : 0; free(p); int ok = x == 5;", &["`p` at test.c:3 can be freed"]),
    ("int x = 5, y = 6, *p = n ? &x : 0, *q = &y; free(p); int ok = *q == 6;", &[]),
];

#[test]
fn proofs_rest_on_accesses_to_allocated_memory_that_are_not_known_to_be_valid() {
    for (statements, expected) in ALLOCATED {
        let on_stack = "static int *on_stack(void) { int *p = __builtin_alloca(4); *p = 5; return p; }";
        let text = with_main(statements);
        let text = format!("void *malloc(unsigned long); void free(void *); {on_stack} {text}");
        assert_eq!(rests_on(&text), expected, "{statements}");
        let text = text.replace("if (!ok)", "ok = 1; if (!ok)");
        assert_eq!(rests_on(&text), Vec::<String>::new(), "{statements}");
    }
}

const SUM: &str =
    "int a[4]; int main(void) { int i = 0; while (a[i] == 0) { i++; } if (i > 3) reach_error(); }";
const SUM_INVARIANT: &str = "(and (bvsle #x00000000 |main::i|) (bvsle |main::i| #x00000004))";

#[test]
fn loops_rest_on_what_ends_them() {
    let (program, read) = read(SUM, &[SUM_INVARIANT]);
    let Outcome::Accepted { rests_on, .. } = check(&program, &read.claim, &Limits::none()) else {
        panic!("the proof holds if the index stays in bounds");
    };
    assert_eq!(rests_on.len(), 1, "{rests_on:?}");
    assert!(!is_accepted(&program, &read, &[]));
}

#[test]
fn assumptions_and_second_proofs_are_written_and_read() {
    let (program, mut read) = read(SUM, &[SUM_INVARIANT]);
    let Outcome::Accepted { rests_on, .. } = check(&program, &read.claim, &Limits::none()) else {
        panic!("the proof holds if the index stays in bounds");
    };
    read.header.assumptions = vec![Assumption::defined(&program, rests_on[0])];
    let written = write(&program, &read.claim, &read.header, None);
    assert!(written.contains("  ; `a[i]` at test.c:3 stays in bounds\n"), "{written}");
    assert_eq!(parse(&program, &written).expect("it is well-formed").header, read.header);

    read.header.assumptions.clear();
    let empty = rorqual_evidence::Invariant {
        pool: rorqual_logic::TermPool::new(),
        locations: vec![],
        contracts: vec![],
    };
    let guard = Guard { hazards: rests_on.clone(), claim: empty.into() };
    let written = write(&program, &read.claim, &read.header, Some(&guard));
    let again = parse(&program, &written).expect("it is well-formed");
    assert_eq!(again.guard.expect("there is a second proof").hazards, rests_on);
    let spoiled = written.replace("\nguarded\n", "\n");
    assert!(parse(&program, &spoiled).is_err(), "the second proof is missing");
    let named = |line: &&str| !line.starts_with("guarding ");
    let spoiled: Vec<&str> = written.lines().filter(named).collect();
    assert!(parse(&program, &spoiled.join("\n")).is_err(), "nobody asked for a second proof");
}
