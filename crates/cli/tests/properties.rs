//! Every check instance is a property with a name and an answer of its own.

mod support;

use serde_json::Value;
use support::{Answer, Workspace};

/// Two violations, and operations without any.
const MIXED: &str = "\
extern int __VERIFIER_nondet_int(void);
static int table[4];
static int half(int x) { return x % 1000 + 7; }
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int sum = a + b;
    if (b >= 0 && b < 4)
        table[b] = half(a);
    return sum % b;
}
";

/// The answers of a check, by property.
fn verdicts(answer: &Answer) -> Vec<(String, String)> {
    let object: Value = serde_json::from_str(&answer.output).expect("the output is one document");
    let text =
        |property: &Value, field: &str| property[field].as_str().expect("the field is text").to_owned();
    let properties = object["properties"].as_array().expect("there is a list of properties");
    properties.iter().map(|property| (text(property, "id"), text(property, "verdict"))).collect()
}

fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(id, verdict)| (id.to_owned(), verdict.to_owned())).collect()
}

#[test]
fn properties_are_listed_with_their_places() {
    let workspace = Workspace::new(&[("a.c", MIXED)]);
    let listed = workspace.rorqual("show properties a.c --check bounds,overflow,div-zero");
    assert_eq!(listed.code, 0, "{listed:?}");
    insta::assert_snapshot!(listed.output);
}

#[test]
fn a_name_does_not_depend_on_other_checks() {
    let workspace = Workspace::new(&[("a.c", MIXED)]);
    let all = workspace.rorqual("show properties a.c --check all");
    let some = workspace.rorqual("show properties a.c --check overflow");
    // The columns are as wide as names need.
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let all: Vec<String> = all.output.lines().map(words).collect();
    assert!(some.output.lines().count() > 0);
    assert!(some.output.lines().all(|line| all.contains(&words(line))), "{some:?} {all:?}");
}

#[test]
fn one_violation_does_not_end_the_others() {
    let workspace = Workspace::new(&[("a.c", MIXED)]);
    let answer = workspace.rorqual("check a.c --check bounds,overflow,div-zero --format json --threads 1");
    assert_eq!(answer.code, 10, "{answer:?}");
    let expected = [
        ("half.overflow.1", "safe"),
        ("main.bounds.1", "safe"),
        ("main.div-zero.1", "unsafe"),
        ("main.overflow.1", "unsafe"),
        ("main.overflow.2", "unsafe"),
    ];
    let mut found = verdicts(&answer);
    found.sort();
    assert_eq!(found, named(&expected), "{}", answer.output);
    let object: Value = serde_json::from_str(&answer.output).expect("the output is one document");
    // The trace of the verdict stands in the object itself.
    let steps = |value: &Value| value["trace"].as_array().map_or(0, Vec::len);
    let traces = object["properties"].as_array().expect("a list").iter().filter(|&one| steps(one) > 0);
    assert_eq!((traces.count(), steps(&object) > 0), (2, true), "{object}");
}

#[test]
fn the_report_has_a_line_for_each_property_and_a_trace_for_each_violation() {
    let workspace = Workspace::new(&[("a.c", MIXED)]);
    let answer = workspace.rorqual("check a.c --check bounds,div-zero --threads 1");
    assert_eq!(answer.code, 10, "{answer:?}");
    insta::assert_snapshot!(answer.output);
}

#[test]
fn a_violation_can_end_the_check() {
    let workspace = Workspace::new(&[("a.c", MIXED)]);
    let answer = workspace
        .rorqual("check a.c --check bounds,overflow,div-zero --format json --stop-on-violation --threads 1");
    let found = verdicts(&answer);
    let count = |verdict: &str| found.iter().filter(|(_, given)| given == verdict).count();
    assert_eq!((answer.code, count("unsafe"), count("unknown")), (10, 1, found.len() - 1), "{found:?}");
}

#[test]
fn properties_are_selected_by_name() {
    let workspace = Workspace::new(&[("a.c", MIXED)]);
    let safe = workspace.rorqual("check a.c --property-id half.overflow.1 --certificate a.cert");
    assert_eq!((safe.code, safe.output.lines().next()), (0, Some("safe")), "{safe:?}");
    let accepted = workspace.rorqual("certify a.c --certificate a.cert");
    assert_eq!(accepted.code, 0, "{accepted:?}");
    assert!(accepted.output.contains("(properties: half.overflow.1)"), "{accepted:?}");
    let violated = workspace
        .rorqual("check a.c --property-id main.overflow.1,half.overflow.1 --witness a.yml --threads 1");
    assert_eq!(violated.code, 10, "{violated:?}");
    let replayed =
        workspace.rorqual("replay a.c --witness a.yml --property-id main.overflow.1 --interpreter-only");
    assert_eq!(replayed.code, 10, "{replayed:?}");
}

#[test]
fn a_property_that_is_not_there_is_an_error_with_a_way_out() {
    let workspace = Workspace::new(&[("a.c", MIXED)]);
    let answer = workspace.rorqual("check a.c --property-id main.overflow.7");
    assert_eq!(answer.code, 65, "{answer:?}");
    insta::assert_snapshot!(answer.messages);
}

#[test]
fn a_file_may_have_several_certificates() {
    let workspace = Workspace::new(&[("a.c", MIXED)]);
    let mut both = String::new();
    for name in ["half.overflow.1", "main.bounds.1"] {
        let answer = workspace.rorqual(&format!("check a.c --property-id {name} --certificate one.cert"));
        assert_eq!(answer.code, 0, "{answer:?}");
        both += &workspace.read("one.cert");
    }
    workspace.write("both.cert", both.as_bytes());
    let accepted = workspace.rorqual("certify a.c --certificate both.cert");
    assert_eq!(accepted.code, 0, "{accepted:?}");
    assert!(accepted.output.contains("(checks: bounds; properties: half.overflow.1)"), "{accepted:?}");
    // A certificate for another property is none for this one.
    let forged = both.replace("properties half.overflow.1", "properties main.overflow.1");
    workspace.write("forged.cert", forged.as_bytes());
    assert_ne!(workspace.rorqual("certify a.c --certificate forged.cert").code, 0);
    // A file that was cut off is noticed.
    workspace.write("cut.cert", &both.as_bytes()[..both.len() - 4]);
    assert_eq!(workspace.rorqual("certify a.c --certificate cut.cert").code, 65);
}

#[test]
fn a_check_without_instance_is_safe_at_once() {
    let text = "extern int __VERIFIER_nondet_int(void);\n\
                int main(void) { unsigned n = 0; while (__VERIFIER_nondet_int()) n += n ^ 3; return 0; }\n";
    let workspace = Workspace::new(&[("a.c", text)]);
    let answer = workspace.rorqual("check a.c --check div-zero,null --certificate a.cert");
    assert_eq!(answer.code, 0, "{answer:?}");
    insta::assert_snapshot!(answer.output);
    assert_eq!(workspace.rorqual("certify a.c --certificate a.cert").code, 0);
}

/// What a check cannot look at is not safe because it has no instance.
#[test]
fn a_check_that_cannot_look_at_a_call_is_not_safe() {
    let text =
        "#include <stdlib.h>\nint main(void) { return (int)strtod(\"12\" + 1, 0) + atoi((char *)0); }\n";
    let workspace = Workspace::new(&[("a.c", text)]);
    let answer = workspace.rorqual("check a.c --check null --time-limit 5s");
    assert_ne!(answer.code, 0, "{answer:?}");
    let only = "#include <stdlib.h>\nint main(void) { char *p = 0; return (int)strtod(p, 0); }\n";
    let workspace = Workspace::new(&[("a.c", only)]);
    for check in ["null", "bounds", "uninitialized,const-write"] {
        let answer = workspace.rorqual(&format!("check a.c --check {check} --time-limit 5s"));
        assert_eq!(answer.code, 20, "{check}: {answer:?}");
    }
}

/// Nothing is said of a check whose properties are not selected.
#[test]
fn a_selection_says_nothing_of_other_checks() {
    let workspace = Workspace::new(&[("a.c", MIXED)]);
    let answer = workspace.rorqual("check a.c --check overflow,div-zero --property-id half.overflow.1");
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(!answer.output.contains("div-zero"), "{answer:?}");
}
