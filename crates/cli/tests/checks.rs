//! Several checks at once, what is recorded of them, and properties that stand for them.

mod support;

use serde_json::Value;
use support::Workspace;

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
int a[4];
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4)
        return 0;
    a[i] = 12 / (i + 1);
    return a[0] + 2147483640;
}
";

#[test]
fn each_check_has_a_verdict_of_its_own() {
    let workspace = Workspace::new(&[("a.c", PROGRAM)]);
    let answer =
        workspace.rorqual("check a.c --check overflow,div-zero,bounds --certificate c --witness w.yml");
    let expected = "unsafe: an index out of bounds, `i` at a.c:7\n\
                    bounds: unsafe: an index out of bounds, `i` at a.c:7\n\
                    div-zero: safe\n\
                    overflow: unsafe: signed overflow in `a[0] + 2147483640` at a.c:8\n";
    let reversed = expected.replacen(
        "unsafe: an index out of bounds, `i` at a.c:7",
        "unsafe: signed overflow in `a[0] + 2147483640` at a.c:8",
        1,
    );
    assert_eq!(answer.code, 10, "{answer:?}");
    assert!([expected, &reversed].iter().any(|start| answer.output.starts_with(*start)), "{answer:?}");
    assert_eq!(workspace.rorqual("replay a.c --witness w.yml --interpreter-only").code, 10);
}

#[test]
fn results_as_json_list_the_checks() {
    let workspace = Workspace::new(&[("a.c", PROGRAM)]);
    let answer = workspace.rorqual("check a.c --check div-zero,bounds --format json");
    let json: Value = serde_json::from_str(&answer.output).expect("it is JSON");
    assert_eq!(json["message"], "an index out of bounds, `i` at a.c:7");
    let checks = json["checks"].as_array().expect("there is a list of checks");
    assert_eq!((&checks[0]["check"], &checks[0]["verdict"]), (&"bounds".into(), &"unsafe".into()));
    assert_eq!(checks[0]["at"]["line"], 7);
    assert_eq!((&checks[1]["check"], &checks[1]["verdict"]), (&"div-zero".into(), &"safe".into()));
}

#[test]
fn certificates_record_their_checks() {
    let workspace = Workspace::new(&[("a.c", PROGRAM)]);
    assert_eq!(workspace.rorqual("check a.c --check div-zero --certificate c").code, 0);
    assert!(workspace.read("c").contains("\nchecks div-zero\n"));
    let answer = workspace.rorqual("certify a.c --certificate c");
    assert!(answer.output.ends_with(" (checks: div-zero)\n"), "{answer:?}");
    let answer = workspace.rorqual("certify a.c --certificate c --check bounds");
    assert_eq!(answer.code, 65, "{answer:?}");
    assert!(answer.messages.contains("is for `--check div-zero`"), "{answer:?}");
    let forged = workspace.read("c").replace("\nchecks div-zero\n", "\nchecks div-zero bounds\n");
    workspace.write("c", forged.as_bytes());
    assert_ne!(workspace.rorqual("certify a.c --certificate c").code, 0);
    workspace.write("c", workspace.read("c").replace("bounds", "everything").as_bytes());
    let answer = workspace.rorqual("certify a.c --certificate c");
    assert!(answer.messages.contains("there is no check `everything`"), "{answer:?}");
}

#[test]
fn properties_of_the_competition_are_checks() {
    let workspace = Workspace::new(&[
        ("a.c", PROGRAM),
        ("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n"),
        (
            "valid-memsafety.prp",
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )\n",
        ),
        (
            "t.yml",
            "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: no-overflow.prp\n",
        ),
    ]);
    let overflow = "unsafe: signed overflow in `a[0] + 2147483640` at a.c:8\n";
    assert_eq!(workspace.rorqual("check a.c --property no-overflow.prp").line(), overflow);
    assert_eq!(workspace.rorqual("check t.yml").line(), overflow);
    let answer = workspace.rorqual("check a.c --property valid-memsafety.prp");
    assert!(answer.output.starts_with("unsafe: an index out of bounds"), "{answer:?}");
    assert!(
        answer.output.contains("\nleak: safe, assuming that `a[i]` at a.c:7 stays in bounds\n"),
        "{answer:?}"
    );
}

#[test]
fn wrong_names_of_checks_are_refused() {
    let workspace = Workspace::new(&[("a.c", PROGRAM)]);
    let answer = workspace.rorqual("check a.c --check overflow,underflow");
    assert_eq!(answer.code, 64, "{answer:?}");
    assert!(
        answer.messages.contains("there is no check `underflow`; the checks are assertions"),
        "{answer:?}"
    );
    assert_eq!(workspace.rorqual("check a.c --check all --property p.prp").code, 64);
}

/// Built-in functions that ask for overflow do not overflow, and what they store wraps.
#[test]
fn asking_for_overflow_is_no_overflow() {
    let program = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int r, a = __VERIFIER_nondet_int();\n  \
                   if (__builtin_mul_overflow(a, 3, &r)) return 1;\n  return r;\n}\n";
    let workspace = Workspace::new(&[("a.c", program)]);
    let answer = workspace.rorqual("check a.c --check overflow,unsigned-overflow,conversion");
    assert_eq!(answer.code, 0, "{answer:?}");
}
