//! What `check` tells: verdicts, stories, obstacles, limits.

mod support;

use support::{Workspace, without_times};

const UNSAFE: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    while (i < n)
        i += 3;
    if (i == 6)
        reach_error();
    return 0;
}
";

const READS_INPUT: &str = "\
extern int scanf(const char *, ...);
extern void reach_error(void);
int main(void) {
    int n = 0;
    scanf(\"%d\", &n);
    if (n == 3)
        reach_error();
    return 0;
}
";

/// Nobody knows how many rounds this takes at most.
const COLLATZ: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), n = 0;
    while (x > 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        n++;
    }
    if (n == 2000000000)
        reach_error();
    return 0;
}
";

/// Counts depend on how fast the machine is.
fn without_counts(text: &str) -> String {
    let digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    let words = text.split(' ').map(|word| if !word.is_empty() && digits(word) { "N" } else { word });
    words.collect::<Vec<&str>>().join(" ")
}

#[test]
fn a_violation_is_told_as_a_story() {
    let workspace = Workspace::new(&[("a.c", UNSAFE)]);
    let answer = workspace.rorqual("check a.c --witness w.yml --harness h.c");
    assert_eq!(answer.code, 10, "{answer:?}");
    insta::assert_snapshot!(answer.output);
    assert!(workspace.read("w.yml").contains("violation_sequence"));
    assert!(workspace.read("h.c").contains("__VERIFIER_nondet_uint"));
}

/// Recursion is an obstacle for engines, but not for runs.
#[test]
fn test_runs_answer_for_each_check() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int down(int n) { return n > 0 ? down(n - 1) : n; }
int main(void) {
    int n = __VERIFIER_nondet_int(), a[4] = {0};
    if (n >= 0 && n < 3000)
        a[n % 5] = 12 / n;
    if (n == 7 && down(2000) == 0)
        reach_error();
    return a[0];
}
";
    let workspace = Workspace::new(&[("a.c", text)]);
    let answer = workspace.rorqual("check a.c --check assertions,div-zero,bounds --stats");
    assert_eq!(answer.code, 10, "{answer:?}");
    let verdicts: Vec<&str> = answer.output.lines().take(4).collect();
    insta::assert_snapshot!(verdicts.join("\n"), @r"
    unsafe: division by zero in `12 / n` at a.c:7
    assertions: unsafe: `reach_error` can be called at a.c:9
    bounds: unsafe: an index out of bounds, `n % 5` at a.c:7
    div-zero: unsafe: division by zero in `12 / n` at a.c:7
    ");
    let found = answer.output.matches("found by test run; replayed and confirmed").count();
    assert_eq!(found, 3, "{}", answer.output);
    assert!(answer.messages.contains("  test runs: "), "{}", answer.messages);
    let answer = workspace.rorqual("check a.c --engine impact --time-limit 1s");
    assert!(!answer.output.contains("test run"), "{}", answer.output);
}

#[test]
fn invariants_are_about_lvalues() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
struct node { struct node *next; int data; };
int main(void) {
    struct node *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->next = malloc(sizeof *p);
    if (!p->next)
        return 0;
    p->next->data = 3;
    while (__VERIFIER_nondet_int())
        if (p->next->data != 3)
            reach_error();
    return 0;
}
";
    let answer = Workspace::new(&[("a.c", text)]).rorqual("check a.c --engine impact");
    assert_eq!(answer.line(), "safe, assuming that allocation succeeds\n");
    assert!(answer.output.contains("loop at a.c:13: p->next->data == 3\n"), "{}", answer.output);
}

#[test]
fn witnesses_have_contracts() {
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int limited(int n) { return n > 9 ? 9 : limited(n + 1); }
int main(void) {
    if (limited(__VERIFIER_nondet_int()) != 9)
        reach_error();
    return 0;
}
";
    let workspace = Workspace::new(&[("a.c", text)]);
    assert_eq!(workspace.rorqual("check a.c --engine whale --witness w.yml").line(), "safe\n");
    let witness = std::fs::read_to_string(workspace.path().join("w.yml")).expect("there is a witness");
    let from = witness.find("  - contract:").expect("there is a contract");
    insta::assert_snapshot!(&witness[from..]);
    assert!(witness.contains("format_version: \"2.1\""), "{witness}");
}

#[test]
fn an_obstacle_is_shown_with_its_place() {
    let workspace = Workspace::new(&[("a.c", READS_INPUT)]);
    let answer = workspace.rorqual("check a.c");
    assert_eq!(answer.code, 20, "{answer:?}");
    insta::assert_snapshot!(without_times(&answer.output));
}

#[test]
fn a_limit_names_the_loop_and_what_to_try() {
    let workspace = Workspace::new(&[("a.c", COLLATZ)]);
    let answer = workspace.rorqual("check a.c --engine impact --time-limit 1s");
    assert_eq!(answer.code, 20, "{answer:?}");
    insta::assert_snapshot!(without_times(&without_counts(&answer.output)));
}

#[test]
fn a_certificate_of_an_unsafe_program_is_not_written() {
    let workspace = Workspace::new(&[("a.c", UNSAFE)]);
    let answer = workspace.rorqual("check a.c --certificate a.cert");
    assert_eq!(answer.code, 10, "{answer:?}");
    assert!(
        answer.messages.contains("the program is not safe, so there is no certificate"),
        "{}",
        answer.messages
    );
    assert!(!workspace.path().join("a.cert").exists());
}

#[test]
fn json_is_one_document() {
    let workspace = Workspace::new(&[("a.c", UNSAFE)]);
    let answer = workspace.rorqual("check a.c --format json");
    let object: serde_json::Value = serde_json::from_str(&answer.output).expect("the output is JSON");
    assert_eq!(object["version"], 2);
    assert_eq!(object["verdict"], "unsafe");
    assert_eq!(object["origin"]["technique"], "test run");
    assert_eq!(object["inputs"][0]["origin"], "__VERIFIER_nondet_uint");
    assert_eq!(object["violation"]["line"], 8);
}

#[test]
fn reasons_are_typed_in_json() {
    for (text, arguments, kind) in [
        (READS_INPUT, "", "unsupported"),
        (COLLATZ, "--engine impact --time-limit 1s", "time-limit"),
        (COLLATZ, "--engine testing", "gave-up"),
    ] {
        let workspace = Workspace::new(&[("a.c", text)]);
        let answer = workspace.rorqual(&format!("check a.c --format json {arguments}"));
        let object: serde_json::Value = serde_json::from_str(&answer.output).expect("the output is JSON");
        assert_eq!((&object["verdict"], &object["reason"]["kind"]), (&"unknown".into(), &kind.into()));
    }
}

#[test]
fn bounds_are_for_loops_that_the_program_has() {
    let workspace = Workspace::new(&[("a.c", COLLATZ)]);
    let answer = workspace.rorqual("check a.c --engine bmc --unwindset other.1:3");
    assert_eq!(answer.code, 64, "{answer:?}");
    let message = "error: the program has no loop `other.1`\n  = help: its loops are `main.1`";
    assert!(answer.messages.starts_with(message), "{}", answer.messages);
    assert_eq!(workspace.rorqual("check a.c --engine bmc --unwindset main.1:3").code, 20);
}

#[test]
fn settings_of_whale_need_whale() {
    let workspace = Workspace::new(&[("a.c", UNSAFE)]);
    let answer = workspace.rorqual("check a.c --engine impact --expand one");
    assert_eq!(answer.code, 64, "{answer:?}");
    let message = "error: `--expand` and `--merge` need `--engine whale` (found `impact`)\n";
    assert!(answer.messages.starts_with(message), "{}", answer.messages);
}

#[test]
fn a_strategy_tells_what_it_does_and_why() {
    let workspace = Workspace::new(&[("a.c", UNSAFE)]);
    insta::assert_snapshot!(workspace.rorqual("show strategy a.c").output);
}

#[test]
fn one_thread_and_two_agree() {
    let safe = UNSAFE.replace("i == 6", "i % 3 != 0 && i < 100");
    for text in [UNSAFE, &safe] {
        let workspace = Workspace::new(&[("a.c", text)]);
        let codes = [1, 2].map(|threads| {
            workspace.rorqual(&format!("check a.c --threads {threads} --time-limit 20s")).code
        });
        assert_eq!(codes[0], codes[1], "{text}");
    }
}

#[test]
fn the_same_program_gets_the_same_certificate() {
    let text = include_str!("../../../tests/programs/verdicts/invariants/two_counters.c");
    let workspace = Workspace::new(&[("a.c", text)]);
    for certificate in ["one", "two"] {
        let answer = workspace.rorqual(&format!("check a.c --engine impact --certificate {certificate}"));
        assert_eq!(answer.code, 0, "{answer:?}");
    }
    assert_eq!(workspace.read("one"), workspace.read("two"));
}
