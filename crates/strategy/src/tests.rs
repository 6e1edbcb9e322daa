//! What engines cannot do alone, in pairs: a safe program, whose invariant the certificate checker has to prove again, and
//! the same with a bug, whose violation the interpreter has to replay.

use std::time::Duration;

use rorqual_engines::bmc::Bmc;
use rorqual_engines::ic3::Ic3;
use rorqual_engines::impact::Impact;
use rorqual_engines::testing::Testing;
use rorqual_engines::whale::Whale;
use rorqual_engines::{Engine, Task};
use rorqual_evidence::{Answer, Claim, Invariant, Origin, Reason, Technique, Verdict};
use rorqual_solver::Limits;

use crate::{Condition, Help, Judge, Judged, LookAhead, NAMES, Part, Ration, Run, Strategy, auto, named};

const PRELUDE: &str = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int c) { if (!c) __VERIFIER_error(); }\n";

/// No test takes so long, unless an engine diverges.
const PATIENCE: Duration = Duration::from_mins(3);

/// Accepts invariants that the checker proves again, and violations that replay.
struct Confirms;

#[derive(Debug)]
enum Confirmed {
    Safe(Box<Claim>),
    Unsafe,
    #[expect(dead_code, reason = "shown when a test fails")]
    Unknown(Reason),
}

type Outcome = (Confirmed, Origin);

impl Judge for Confirms {
    type Outcome = Outcome;

    fn judge(&self, task: &Task<'_>, answer: Answer, _: &Limits) -> Judged<Outcome> {
        let Answer { verdict, origin, .. } = answer;
        match verdict {
            Verdict::Safe(claim) => {
                let checked = rorqual_certificate::check(task.searched, &claim, &Limits::none());
                let is_accepted = matches!(checked, rorqual_certificate::Outcome::Accepted { .. });
                assert!(is_accepted, "{origin}: {checked:?}");
                Judged::Accepted((Confirmed::Safe(Box::new(claim)), origin))
            }
            Verdict::Unsafe(violation) => {
                let config = rorqual_interpreter::Config::default();
                let replay = rorqual_witness::replay_found(task.program, &violation, &config);
                assert!(replay.violation().is_some(), "{origin}: {:?}", replay.execution.outcome);
                Judged::Accepted((Confirmed::Unsafe, origin))
            }
            Verdict::Unknown(reason) => Judged::Open((Confirmed::Unknown(reason), origin)),
        }
    }

    fn prefer(&self, earlier: Outcome, _: Outcome) -> Outcome {
        earlier
    }
}

fn run(strategy: &Strategy, text: &str, threads: usize) -> Outcome {
    let program = rorqual_testkit::program(&format!("{PRELUDE}{text}"));
    let limits = Limits::none().with_duration(PATIENCE);
    let mut run = Run {
        judge: &Confirms,
        limits: &limits,
        observer: &mut (),
        threads,
        is_tested: false,
        only_proofs: false,
        time: None,
        end: None,
    };
    match strategy.run(&mut run, &Task::new(&program)) {
        Some(Judged::Accepted(outcome) | Judged::Open(outcome)) => outcome,
        None => panic!("nothing was tried for\n{text}"),
    }
}

fn prove(strategy: &Strategy, text: &str) -> (Invariant, Origin) {
    match run(strategy, text, 1) {
        (Confirmed::Safe(claim), origin) => match *claim {
            Claim::Invariant(invariant) => (invariant, origin),
            Claim::Unwinding(bounds) => panic!("{bounds:?} of\n{text}"),
        },
        other => panic!("{other:?} of\n{text}"),
    }
}

fn refute(strategy: &Strategy, text: &str) -> Origin {
    match run(strategy, text, 1) {
        (Confirmed::Unsafe, origin) => origin,
        other => panic!("{other:?} of\n{text}"),
    }
}

/// Checks a program with `safe` in the place of `HERE`, and with `buggy`.
fn pair(strategy: &Strategy, text: &str, safe: &str, buggy: &str) {
    let outcome = run(strategy, &text.replace("HERE", safe), 1);
    assert!(matches!(outcome.0, Confirmed::Safe(_)), "{outcome:?} of\n{text}");
    refute(strategy, &text.replace("HERE", buggy));
}

fn impact_with_facts() -> Strategy {
    Strategy::with(Impact::default(), Help::Facts(Some(LookAhead::default())))
}

fn whale_with_contracts() -> Strategy {
    Strategy::with(Whale::default(), Help::Contracts)
}

#[test]
fn counting_far() {
    let text =
        "int main(void) { int i; for (i = 0; i < 1000; i++) ; __VERIFIER_assert(i == HERE); return 0; }";
    for strategy in [auto(), impact_with_facts()] {
        pair(&strategy, text, "1000", "999");
    }
}

#[test]
fn a_loop_with_two_phases() {
    let text = "int main(void) { int x = 0; int y = 0;
        while (1) { if (x < 50) y++; else y--; if (y < 0) break; x++; }
        __VERIFIER_assert(x == HERE); return 0; }";
    for strategy in [auto(), impact_with_facts()] {
        pair(&strategy, text, "100", "99");
    }
}

#[test]
fn violations_far_ahead_of_the_unwinding() {
    let text = "int main(void) { int a[1024]; int i;
        for (i = 0; i < 1024; i++) a[i] = i;
        __VERIFIER_assert(a[1023] != 1023); return 0; }";
    assert_eq!(refute(&impact_with_facts(), text).technique, Technique::BoundedSearch);
    assert_eq!(refute(&auto(), text).technique, Technique::TestRun);
}

#[test]
fn tables_are_known_element_by_element() {
    let text = "int main(void) { int weight[3] = {1, 2, HERE}; int sum = 0;
        while (__VERIFIER_nondet_int()) {
            unsigned int at = __VERIFIER_nondet_int();
            if (at < 3) { __VERIFIER_assert(weight[at] > 0); sum = weight[at]; }
        } return 0; }";
    for strategy in [auto(), impact_with_facts()] {
        pair(&strategy, text, "3", "0");
    }
}

#[test]
fn recursion_goes_deep() {
    let text = "int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }
        int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) != 700); return 0; }";
    refute(&whale_with_contracts(), text);
}

#[test]
fn contracts_are_the_same_every_time() {
    let text = "int g; void f(int n) { if (n > 0) { g += 2; f(n - 1); } }
        int main(void) { f(__VERIFIER_nondet_int()); __VERIFIER_assert(g % HERE == 0); return 0; }";
    let texts = [(); 2].map(|()| {
        let (invariant, _) = prove(&whale_with_contracts(), &text.replace("HERE", "2"));
        invariant.pool.display(invariant.contracts[0].ensures[0].1).to_string()
    });
    assert_eq!(texts[0], texts[1]);
    refute(&whale_with_contracts(), &text.replace("HERE", "4"));
}

/// A pair that several engines decide.
const LOCK: &str = "int main(void) { int lock = 0; int old; int new = __VERIFIER_nondet_int();
    do {
        __VERIFIER_assert(lock == 0); lock = 1; old = new;
        if (__VERIFIER_nondet_int()) { lock = 0; new = new + HERE; }
    } while (new != old);
    __VERIFIER_assert(lock == 1); return 0; }";

#[test]
fn a_race_has_the_verdict_of_a_sequence() {
    let racers = || {
        vec![
            Strategy::engine(Ic3::default()),
            Strategy::engine(Impact::default()),
            Strategy::engine(Bmc { last: Some(16), ..Bmc::default() }),
        ]
    };
    let part = |what| Part { why: "a racer", when: Condition::Always, what };
    let race = Strategy::Race(racers().into_iter().map(part).collect(), Ration::Unlimited);
    let part = |what| Part { why: "all in turn", when: Condition::Always, what };
    let sequence = Strategy::Sequence(racers().into_iter().map(part).collect());
    for (constant, is_safe) in [("1", true), ("0", false)] {
        let text = LOCK.replace("HERE", constant);
        for outcome in [run(&race, &text, 2), run(&race, &text, 1), run(&sequence, &text, 1)] {
            assert_eq!(matches!(outcome.0, Confirmed::Safe(_)), is_safe, "{outcome:?}");
            assert_eq!(matches!(outcome.0, Confirmed::Unsafe), !is_safe, "{outcome:?}");
        }
    }
}

#[test]
fn every_named_strategy_decides_an_easy_pair() {
    let text = "int main(void) { int i; for (i = 0; i < 3; i++) ; __VERIFIER_assert(i == HERE); return 0; }";
    for (name, _) in NAMES {
        pair(&named(name).expect("it is in the list"), text, "3", "2");
    }
    assert!(named("none").is_none());
}

#[test]
fn proofs_only() {
    let text = "int main(void) { __VERIFIER_assert(__VERIFIER_nondet_int()); return 0; }";
    let program = rorqual_testkit::program(&format!("{PRELUDE}{text}"));
    let limits = Limits::none();
    let mut run = Run {
        judge: &Confirms,
        limits: &limits,
        observer: &mut (),
        threads: 1,
        is_tested: false,
        only_proofs: true,
        time: None,
        end: None,
    };
    let judged = Strategy::engine(Testing::default()).run(&mut run, &Task::new(&program));
    assert!(matches!(judged, Some(Judged::Open(_))), "{judged:?}");
}

#[test]
fn what_is_tried_is_said_with_its_reason() {
    let text = "int main(void) { return 0; }";
    let program = rorqual_testkit::program(&format!("{PRELUDE}{text}"));
    let mut lines = Vec::new();
    auto().describe(&Task::new(&program), 0, &mut lines);
    assert_eq!(
        lines[0],
        "- a run costs next to nothing compared with a formula, as no test runs were made yet"
    );
    assert!(lines[1].trim().starts_with(Testing::default().name()), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("not tried: recursion needs summaries")), "{lines:?}");
}

/// Without models, library functions may do anything: only proofs count there.
#[test]
fn a_violation_without_models_is_no_outcome() {
    let program = |condition: &str| {
        let text = format!("{PRELUDE}int main(void) {{ __VERIFIER_assert({condition}); return 0; }}");
        rorqual_testkit::program(&text)
    };
    let (full, plain) = (program("1"), program("0"));
    let mut task = Task::new(&full);
    task.without_models = Some(Box::new(Task::new(&plain)));
    let limits = Limits::none();
    for engine in [Strategy::engine(Bmc::default()), Strategy::engine(Testing::default())] {
        let mut run = Run {
            judge: &Confirms,
            limits: &limits,
            observer: &mut (),
            threads: 1,
            is_tested: false,
            only_proofs: false,
            time: None,
            end: None,
        };
        let judged = Strategy::WithoutModels(Box::new(engine)).run(&mut run, &task);
        assert!(matches!(&judged, Some(Judged::Open((Confirmed::Unknown(_), _)))), "{judged:?}");
    }
}
