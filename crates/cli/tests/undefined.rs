//! Proofs that rest on undefined behaviour, and proofs about nothing.

mod support;

use support::Workspace;

/// The number of elements that are written is bounded, but nobody finds out quickly.
const OPEN: &str = "extern unsigned int __VERIFIER_nondet_uint(void); extern void reach_error(void);
int a[1000];
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned i = 0;
    if (x >= 1000) return 0;
    while (x > 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        a[i] = 1;
        i++;
    }
    if (i > 1000) reach_error();
    return 0;
}
";

/// The proof of the loop rests on the array, whose bounds follow from another fact.
const GUARDED: &str = "extern unsigned int __VERIFIER_nondet_uint(void); extern void reach_error(void);
int a[10];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 5) return 0;
    unsigned i = 0;
    while (a[i] == 0) {
        i++;
        if (i == n) break;
    }
    if (i > 9) reach_error();
    return 0;
}
";

/// The loop runs off the array.
const UNDEFINED: &str = "extern void reach_error(void);
int main(void) {
    int a[100];
    int i;
    for (i = 0; a[i] != 0; i++);
    if (i > 100) reach_error();
    return 0;
}
";

const ASSUMPTION: &str = "that `a[i]` at a.c:9 stays in bounds";

#[test]
fn what_is_not_decided_is_named_everywhere() {
    let workspace = Workspace::new(&[("a.c", OPEN)]);
    let answer = workspace.rorqual("check a.c --strategy interpolation --certificate a.cert --witness a.yml");
    assert_eq!(answer.line(), format!("safe, assuming {ASSUMPTION}\n"), "{answer:?}");
    assert!(workspace.read("a.yml").contains(&format!("description: \"safe, assuming {ASSUMPTION}\"")));
    let json = workspace.rorqual("check a.c --strategy interpolation --format json").output;
    assert!(json.contains(&format!("\"text\": \"{ASSUMPTION}\"")), "{json}");
    assert!(json.contains("\"verdict\": \"safe\""), "{json}");
    let certified = workspace.rorqual("certify a.c --certificate a.cert");
    assert!(certified.output.ends_with(&format!(", assuming {ASSUMPTION}\n")), "{certified:?}");
    assert_eq!(certified.code, 0);
    let certificate = workspace.read("a.cert");
    let named = |line: &&str| !line.starts_with("assuming ");
    let spoiled: Vec<&str> = certificate.lines().filter(named).collect();
    workspace.write("a.cert", (spoiled.join("\n") + "\n").as_bytes());
    let certified = workspace.rorqual("certify a.c --certificate a.cert");
    assert_eq!(certified.code, 20, "{certified:?}");
    assert!(certified.output.starts_with("rejected: "), "{certified:?}");
}

#[test]
fn a_second_proof_makes_the_first_unconditional() {
    let workspace = Workspace::new(&[("a.c", GUARDED)]);
    let answer = workspace.rorqual("check a.c --certificate a.cert");
    assert_eq!((answer.code, answer.line().as_str()), (0, "safe\n"), "{answer:?}");
    let certified = workspace.rorqual("certify a.c --certificate a.cert");
    assert_eq!(certified.code, 0, "{certified:?}");
}

#[test]
fn undefined_behaviour_that_a_proof_rests_on_is_shown() {
    let workspace = Workspace::new(&[("a.c", UNDEFINED)]);
    let answer = workspace.rorqual("check a.c");
    assert_eq!(answer.code, 20, "{answer:?}");
    let line = "unknown: the proof rests on undefined behaviour that happens at a.c:5: ";
    assert!(answer.output.starts_with(line), "{answer:?}");
    assert!(answer.output.contains("1. a.c:"), "there is no trace: {answer:?}");
    let json = workspace.rorqual("check a.c --format json").output;
    assert!(json.contains("\"trace\": ["), "{json}");
}

#[test]
fn proofs_about_nothing_are_told() {
    let ends = "#include <assert.h>\n#include <stdlib.h>
int main(void) {
    int x = 1;
    if (x) exit(0);
    assert(x);
    return 0;
}
";
    let assumes = "extern void __VERIFIER_assume(int); extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0);
    __VERIFIER_assume(x < 0);
    if (x != 5) reach_error();
    return 0;
}
";
    for text in [ends, assumes] {
        let workspace = Workspace::new(&[("a.c", text)]);
        let answer = workspace.rorqual("check a.c");
        assert_eq!((answer.code, answer.line().as_str()), (0, "safe\n"), "{answer:?}");
        assert!(
            answer.output.contains("  = note: no execution reaches the assertion at a.c:6\n"),
            "{answer:?}"
        );
        let json = workspace.rorqual("check a.c --format json").output;
        assert!(json.contains("\"unreached\": [\n    {"), "{json}");
    }
    let reached = ends.replace("int x = 1", "int x = 0").replace("assert(x)", "assert(!x)");
    let workspace = Workspace::new(&[("a.c", &reached)]);
    let answer = workspace.rorqual("check a.c");
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(!answer.output.contains("no execution reaches"), "{answer:?}");
}
