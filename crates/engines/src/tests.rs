//! Programs in pairs: a safe one, whose invariant the certificate checker has to prove again, and the same with a bug,
//! whose trace the interpreter has to replay.

use rorqual_cfa::Program;
use rorqual_encoding::Blocks;
use rorqual_engine::{Invariant, Verdict};
use rorqual_interpreter as interpreter;
use rorqual_solver::Limits;

use crate::{bmc, impact, whale};

const PRELUDE: &str = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int c) { if (!c) __VERIFIER_error(); }\n";

fn program(text: &str) -> Program {
    rorqual_testkit::program(&format!("{PRELUDE}{text}"))
}

fn config(blocks: Blocks) -> impact::Config {
    impact::Config { blocks, ..impact::Config::default() }
}

fn prove(text: &str, blocks: Blocks) -> Invariant {
    let program = program(text);
    let verdict = impact::check(&program, config(blocks), &Limits::none(), &mut ());
    let Verdict::Safe(invariant) = verdict else { panic!("{blocks:?}: {verdict:?} of\n{text}") };
    let checked = rorqual_certificate::check(&program, &invariant, &Limits::none());
    let accepted = matches!(checked, rorqual_certificate::Outcome::Accepted { .. });
    assert!(accepted, "{blocks:?}: {checked:?} of\n{text}");
    invariant
}

fn refute(text: &str, blocks: Blocks) {
    let program = program(text);
    let verdict = impact::check(&program, config(blocks), &Limits::none(), &mut ());
    let Verdict::Unsafe(trace) = verdict else { panic!("{blocks:?}: {verdict:?} of\n{text}") };
    let replay = rorqual_witness::replay_trace(&program, &trace, &interpreter::Config::default());
    assert!(replay.violation().is_some(), "{blocks:?}: {:?} of\n{text}", replay.execution.outcome);
}

/// Checks a program with `safe` in the place of `HERE`, and with `buggy`.
fn pair(text: &str, safe: &str, buggy: &str) {
    for blocks in [Blocks::Basic, Blocks::Large] {
        prove(&text.replace("HERE", safe), blocks);
        refute(&text.replace("HERE", buggy), blocks);
    }
}

#[test]
fn branches() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); int y = 0;
        if (x > 10) { y = 1; } else if (x HERE 10) { y = 2; }
        if (y == 0) __VERIFIER_assert(x < 10); return 0; }";
    pair(text, "==", "!=");
}

#[test]
fn calls_with_results() {
    let text = "int g; int twice(int x) { g = g + 1; return x + x; }
        int main(void) { int a = twice(3); int b = twice(a); __VERIFIER_assert(b == 12 && g == HERE); return 0; }";
    pair(text, "2", "1");
}

#[test]
fn counting_loops() {
    let text =
        "int main(void) { int i; for (i = 0; i < 1000; i++) ; __VERIFIER_assert(i HERE 1000); return 0; }";
    prove(&text.replace("HERE", "=="), Blocks::Large);
    let small = text.replace("1000", "4");
    pair(&small, "==", "<");
}

#[test]
fn modes_and_counters() {
    let text = "int main(void) { int state = 1; int seen = 0;
        while (__VERIFIER_nondet_int()) {
            if (state == 1) { state = 2; }
            else if (state == 2) { if (seen == 0) seen = 1; state = 3; }
            else if (state == 3) { __VERIFIER_assert(seen == HERE); state = 2; }
        } return 0; }";
    prove(&text.replace("HERE", "1"), Blocks::Large);
    refute(&text.replace("HERE", "0"), Blocks::Large);
}

#[test]
fn a_loop_with_two_phases() {
    let text = "int main(void) { int x = 0; int y = 0;
        while (1) { if (x < 50) y++; else y--; if (y < 0) break; x++; }
        __VERIFIER_assert(x == 100); return 0; }";
    prove(text, Blocks::Large);
}

/// The example of the paper, with its predicates.
#[test]
fn the_lock_of_the_paper() {
    let text = "int main(void) { int lock = 0; int old; int new = __VERIFIER_nondet_int();
        do {
            __VERIFIER_assert(lock == 0); lock = 1;
            old = new;
            if (__VERIFIER_nondet_int()) { HERE lock = 0; new = new + 1; }
        } while (new != old);
        __VERIFIER_assert(lock == 1); return 0; }";
    let invariant = prove(&text.replace("HERE", ""), Blocks::Basic);
    let labels: Vec<String> =
        invariant.locations.iter().map(|place| invariant.pool.display(place.formula).to_string()).collect();
    let mentions = |what: &[&str]| labels.iter().any(|label| what.iter().any(|what| label.contains(what)));
    assert!(mentions(&["main::lock == 0"]), "{labels:?}");
    assert!(mentions(&["main::old == main::new", "main::new == main::old"]), "{labels:?}");
    let buggy = text.replace("HERE", "new = new - 1;");
    refute(&buggy, Blocks::Basic);
    refute(&buggy, Blocks::Large);
}

/// Engines agree on small programs that are put together from a fixed seed.
#[test]
fn impact_agrees_with_bmc_on_random_loops() {
    let mut seed: u64 = 7;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut outcomes = [0, 0];
    for _ in 0..40 {
        let (bound, a, b, limit) = (next(4) + 1, next(3), next(3), next(9));
        let text = format!(
            "int main(void) {{ int x = {a}; int y = {b}; int i;
            for (i = 0; i < {bound}; i++) {{ if (__VERIFIER_nondet_int() > {a}) x = x + {b}; else y = y + x; }}
            __VERIFIER_assert(x + y <= {limit}); return 0; }}"
        );
        let program = program(&text);
        match bmc::search(&program, bmc::Config::default(), &Limits::none(), &mut ()) {
            bmc::Outcome::Violation(_) => {
                refute(&text, Blocks::Large);
                outcomes[0] += 1;
            }
            bmc::Outcome::Exhausted => {
                prove(&text, Blocks::Large);
                outcomes[1] += 1;
            }
            other => panic!("{other:?} of\n{text}"),
        }
    }
    assert!(outcomes.iter().all(|&count| count > 5), "{outcomes:?}");
}

#[test]
fn violations_far_ahead_of_the_unwinding() {
    let text = "int main(void) { int a[1024]; int i;
        for (i = 0; i < 1024; i++) a[i] = i;
        __VERIFIER_assert(a[1023] != 1023); return 0; }";
    refute(text, Blocks::Large);
}

#[test]
fn what_cannot_go_wrong_is_not_unwound() {
    let text = "int main(void) { int i = 0, j = 0, k;
        while (i < 10) i++;
        __VERIFIER_assert(i == HERE);
        for (j = 0; j < 100; j++) for (k = 0; k < j; k++) i = i ^ (k + j);
        return 0; }";
    let invariant = prove(&text.replace("HERE", "10"), Blocks::Large);
    let trivial = |formula| invariant.pool.as_bool(formula) == Some(true);
    let unknown = invariant.locations.iter().filter(|location| trivial(location.formula)).count();
    assert_eq!(unknown, 3, "the start and both loops behind the check need nothing");
    refute(&text.replace("HERE", "11"), Blocks::Large);
}

#[test]
fn tables_are_known_element_by_element() {
    let text = "int main(void) { int weight[3] = {1, 2, HERE}; int sum = 0;
        while (__VERIFIER_nondet_int()) {
            unsigned int at = __VERIFIER_nondet_int();
            if (at < 3) { __VERIFIER_assert(weight[at] > 0); sum = weight[at]; }
        } return 0; }";
    prove(&text.replace("HERE", "3"), Blocks::Large);
    refute(&text.replace("HERE", "0"), Blocks::Large);
}

fn summarize(text: &str, config: whale::Config) -> Invariant {
    let program = program(text);
    let verdict = whale::check(&program, config, &Limits::none(), &mut ());
    let Verdict::Safe(invariant) = verdict else { panic!("{config:?}: {verdict:?} of\n{text}") };
    let checked = rorqual_certificate::check(&program, &invariant, &Limits::none());
    let accepted = matches!(checked, rorqual_certificate::Outcome::Accepted { .. });
    assert!(accepted, "{config:?}: {checked:?} of\n{text}");
    invariant
}

fn refute_with_calls(text: &str, config: whale::Config) {
    let program = program(text);
    let verdict = whale::check(&program, config, &Limits::none(), &mut ());
    let Verdict::Unsafe(trace) = verdict else { panic!("{config:?}: {verdict:?} of\n{text}") };
    let replay = rorqual_witness::replay_trace(&program, &trace, &interpreter::Config::default());
    assert!(replay.violation().is_some(), "{config:?}: {:?} of\n{text}", replay.execution.outcome);
}

const NINETY_ONE: &str = "int f(int p) { if (p > 100) return p - 10; return f(f(p + 11)); }
    int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) >= HERE); return 0; }";

#[test]
fn whale_finds_the_summary_of_its_paper() {
    let invariant = summarize(&NINETY_ONE.replace("HERE", "91"), whale::Config::default());
    let [contract] = &invariant.contracts[..] else { panic!("{:?}", invariant.contracts) };
    assert_eq!(invariant.pool.as_bool(contract.requires), Some(true));
    let (_, ensures) = contract.ensures[0];
    assert_eq!(invariant.pool.display(ensures).to_string(), "f::return > 90");
}

#[test]
fn whale_says_the_same_every_time() {
    let text = "int g; void f(int n) { if (n > 0) { g += 2; f(n - 1); } }
        int main(void) { f(__VERIFIER_nondet_int()); __VERIFIER_assert(g % 2 == 0); return 0; }";
    let texts = [(); 2].map(|()| {
        let invariant = summarize(text, whale::Config::default());
        let contract = &invariant.contracts[0];
        invariant.pool.display(contract.ensures[0].1).to_string()
    });
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn whale_goes_deep() {
    let text = "int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }
        int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) != 700); return 0; }";
    refute_with_calls(text, whale::Config::default());
}

/// Programs whose specifications refutations tell, with a bug in the place of `HERE`.
const WITHOUT_LESSONS: [(&str, &str, &str); 4] = [
    (NINETY_ONE, "91", "92"),
    // The first guess for the summary is wrong for negative numbers, and is taken back.
    (
        "int down(int n) { if (n <= 0) return n; return down(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n >= HERE) __VERIFIER_assert(down(n) == 0); return 0; }",
        "0",
        "-1",
    ),
    // A guard excludes the violation inside.
    (
        "int half(int n) { __VERIFIER_assert(n >= 0); if (n < 2) return 0; return half(n - 2) + 1; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n > HERE) half(n); return 0; }",
        "0",
        "-5",
    ),
    // Two functions call a third one, which is explored once if ARGs are merged.
    (
        "int level;
        void add(int n) { if (n > 0 && level < 3) { level++; add(n - 1); } else if (level > 3) { level = 0; } }
        void one(void) { int n = __VERIFIER_nondet_int(); if (n > 3) { add(n); add(1); } else { add(2); } }
        void two(void) { add(__VERIFIER_nondet_int()); one(); if (level == 2) { add(3); } else { add(1); } }
        int main(void) { one(); two(); __VERIFIER_assert(level <= HERE); return 0; }",
        "3",
        "2",
    ),
];

#[test]
fn whale_needs_no_lessons_where_refutations_tell() {
    for (text, safe, buggy) in WITHOUT_LESSONS {
        for expand in [whale::Expand::One, whale::Expand::Some, whale::Expand::All] {
            for merge in [false, true] {
                let config = whale::Config { lessons: false, invariants: false, expand, merge: Some(merge) };
                summarize(&text.replace("HERE", safe), config);
                refute_with_calls(&text.replace("HERE", buggy), config);
            }
        }
    }
}
