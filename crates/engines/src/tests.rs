//! How engines are tested: programs come in pairs, a safe one and the same with a bug, and a verdict alone never passes.
//! The certificate checker has to prove an invariant again, and the interpreter has to replay a violation.
//!
//! Engines run without help here; what strategies add is tested in `rorqual-strategy`.

use std::time::Duration;

use rorqual_cfa::Program;
use rorqual_evidence::{Claim, Invariant, Reason, Verdict};
use rorqual_interpreter as interpreter;
use rorqual_solver::Limits;
use rorqual_testkit::Random;

use crate::bmc::Bmc;
use crate::funfrog::{FunFrog, Refine};
use crate::ic3::Ic3;
use crate::impact::{Impact, Interpolants};
use crate::induction::Induction;
use crate::kinduction::KInduction;
use crate::predicate::{Abstraction, Predicate};
use crate::reduction::Reduction;
use crate::testing::Testing;
use crate::whale::Whale;
use crate::{Engine, Task, engine, engines};

const PRELUDE: &str = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int c) { if (!c) __VERIFIER_error(); }\n";

/// No test takes so long, unless an engine diverges.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// A verdict whose evidence was accepted.
#[derive(Debug)]
pub(crate) enum Checked {
    Safe(Box<Claim>),
    Unsafe,
    Unknown(Reason),
}

pub(crate) fn program(text: &str) -> Program {
    rorqual_testkit::program(&format!("{PRELUDE}{text}"))
}

/// Runs an engine without help.
pub(crate) fn check(engine: &dyn Engine, text: &str, patience: Duration) -> Checked {
    let program = program(text);
    let limits = Limits::none().with_duration(patience);
    let answer = engine.run(&Task::new(&program), &mut (), &limits, &mut ());
    let name = engine.name();
    assert!(!answer.origin.with_facts, "{name} got help with\n{text}");
    match answer.verdict {
        Verdict::Safe(claim) => {
            let checked = rorqual_certificate::check(&program, &claim, &Limits::none());
            let is_accepted = matches!(checked, rorqual_certificate::Outcome::Accepted { .. });
            assert!(is_accepted, "{name}: {checked:?} of\n{text}");
            Checked::Safe(Box::new(claim))
        }
        Verdict::Unsafe(violation) => {
            let replay = rorqual_witness::replay_found(&program, &violation, &interpreter::Config::default());
            assert!(replay.violation().is_some(), "{name}: {:?} of\n{text}", replay.execution.outcome);
            Checked::Unsafe
        }
        Verdict::Unknown(reason) => Checked::Unknown(reason),
    }
}

pub(crate) fn prove(engine: &dyn Engine, text: &str) -> Invariant {
    match check(engine, text, PATIENCE) {
        Checked::Safe(claim) => match *claim {
            Claim::Invariant(invariant) => invariant,
            Claim::Unwinding(bounds) => panic!("{}: {bounds:?} of\n{text}", engine.name()),
        },
        other => panic!("{}: {other:?} of\n{text}", engine.name()),
    }
}

pub(crate) fn refute(engine: &dyn Engine, text: &str) {
    let checked = check(engine, text, PATIENCE);
    assert!(matches!(checked, Checked::Unsafe), "{}: {checked:?} of\n{text}", engine.name());
}

/// Why an engine does not decide a program.
pub(crate) fn give_up(engine: &dyn Engine, text: &str) -> Reason {
    match check(engine, text, PATIENCE) {
        Checked::Unknown(reason) => reason,
        other => panic!("{}: {other:?} of\n{text}", engine.name()),
    }
}

/// Checks a program with `safe` in the place of `HERE`, and with `buggy`.
pub(crate) fn pair(engine: &dyn Engine, text: &str, safe: &str, buggy: &str) {
    prove(engine, &text.replace("HERE", safe));
    refute(engine, &text.replace("HERE", buggy));
}

#[test]
fn engines_have_names_of_their_own() {
    let names: Vec<&str> = engines().iter().map(|engine| engine.name()).collect();
    for (number, name) in names.iter().enumerate() {
        assert!(!names[..number].contains(name), "{name}");
        assert_eq!(engine(name).map(|engine| engine.name()), Some(*name));
    }
    assert!(engine("none").is_none());
}

#[test]
fn what_is_not_supported_is_named_and_never_ignored() {
    let text = "int main(void) { void *p = __VERIFIER_nondet_int() ? &&there : 0;
        there: __VERIFIER_assert(p == 0); return 0; }";
    let (impact, whale, funfrog) = (Impact::default(), Whale::default(), FunFrog::default());
    let (predicate, reduction) = (Predicate::default(), Reduction::default());
    let proving: [&dyn Engine; 7] =
        [&impact, &predicate, &whale, &funfrog, &reduction, &Ic3::default(), &KInduction];
    for engine in proving {
        let reason = give_up(engine, text);
        assert!(matches!(reason, Reason::Unsupported { .. }), "{}: {reason:?}", engine.name());
    }
}

#[test]
fn bounded_search_finds_violations_and_ends_where_executions_do() {
    let text = "int main(void) { int i; for (i = 0; i < 9; i++) ; __VERIFIER_assert(i == HERE); return 0; }";
    refute(&Bmc::default(), &text.replace("HERE", "8"));
    let proved = check(&Bmc::default(), &text.replace("HERE", "9"), PATIENCE);
    assert!(matches!(proved, Checked::Safe(_)), "{proved:?}");
    let bounded = Bmc { loops: [("main.1".to_owned(), 3)].into(), last: Some(4), ..Bmc::default() };
    let reason = give_up(&bounded, &text.replace("HERE", "8"));
    assert!(matches!(&reason, Reason::Bound { loops } if loops[0].1 == 3), "{reason:?}");
    let unknown = Bmc { loops: [("main.2".to_owned(), 3)].into(), ..Bmc::default() };
    let reason = give_up(&unknown, &text.replace("HERE", "8"));
    assert!(matches!(reason, Reason::Unsupported { .. }), "{reason:?}");
}

/// A small program from a few random choices: a loop with inputs, and perhaps a function that it calls.
fn random_program(random: &mut Random) -> String {
    let (rounds, a, b, limit) = (random.below(4) + 1, random.below(3), random.below(3), random.below(9));
    let condition = random.choose(&["__VERIFIER_nondet_int()", "x > y", "i & 1", "x == 1"]).to_string();
    let (then, otherwise) = if random.once_in(2) {
        (format!("x = step(x, {b})"), format!("y = step({a}, y)"))
    } else {
        (format!("x = x + {b}"), "y = y + x".to_owned())
    };
    let rounds = match random.below(3) {
        0 => "__VERIFIER_nondet_int()".to_owned(),
        _ => format!("i < {rounds}"),
    };
    let property = random.choose(&["x + y <= LIMIT", "x >= 0", "y != LIMIT", "x <= y + LIMIT"]);
    let property = property.replace("LIMIT", &limit.to_string());
    format!(
        "int step(int p, int q) {{ if (p > 5) return q; return p + q > 7 ? 7 : p + q; }}
        int main(void) {{ int x = {a}; int y = {b}; int i = 0;
            while ({rounds}) {{ if ({condition}) {then}; else {otherwise}; i++; }}
            __VERIFIER_assert({property}); return 0; }}"
    )
}

/// No engine contradicts another one, and the evidence of all holds.
#[test]
fn engines_agree_on_random_programs() {
    const SEED: u64 = 7;
    const PROGRAMS: u64 = 24;
    let restricted = Impact { interpolants: Interpolants::Restricted { last_level: 3 }, ..Impact::default() };
    let cartesian = Predicate { abstraction: Abstraction::Cartesian, ..Predicate::default() };
    let all: [&dyn Engine; 13] = [
        &Impact::default(),
        &restricted,
        &Predicate::default(),
        &cartesian,
        &Whale::default(),
        &Reduction::default(),
        &Bmc { last: Some(16), ..Bmc::default() },
        &Ic3::default(),
        &FunFrog::default(),
        &FunFrog { refine: Refine::Greedy, ..FunFrog::default() },
        &KInduction,
        &Induction::default(),
        &Testing::default(),
    ];
    let mut decided = [0, 0];
    for number in 0..PROGRAMS {
        let text = random_program(&mut Random::for_input(SEED, number));
        let (mut safe, mut violated) = (Vec::new(), Vec::new());
        for engine in all {
            match check(engine, &text, Duration::from_millis(500)) {
                Checked::Safe(_) => safe.push(engine.name()),
                Checked::Unsafe => violated.push(engine.name()),
                Checked::Unknown(_) => {}
            }
        }
        let is_contradicted = !violated.is_empty() && !safe.is_empty();
        assert!(!is_contradicted, "program {number} of seed {SEED}: {safe:?} {violated:?}\n{text}");
        decided[0] += usize::from(!safe.is_empty());
        decided[1] += usize::from(!violated.is_empty());
    }
    assert!(decided.iter().all(|&count| count > 3), "{decided:?}");
}
