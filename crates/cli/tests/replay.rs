//! `rorqual replay`: witnesses and inputs that lead to a violation, and those that do not.

mod support;

use support::Workspace;

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n)
        i++;
    if (i == 4)
        reach_error();
    return 0;
}
";

fn witness(value: &str) -> String {
    format!(
        "\
- entry_type: violation_sequence
  metadata:
    format_version: \"2.0\"
    uuid: \"x\"
    creation_time: \"2024-02-29T12:34:56Z\"
    producer: {{name: other, version: 1}}
    task: {{input_files: [a.c], input_file_hashes: {{a.c: x}}, specification: x, data_model: LP64, language: C}}
  content:
  - segment:
    - waypoint:
        type: function_return
        action: follow
        constraint: {{value: '\\result == {value}', format: c_expression}}
        location: {{file_name: a.c, line: 6, column: 35}}
  - segment:
    - waypoint: {{type: target, action: follow, location: {{file_name: a.c, line: 11, column: 9}}}}
"
    )
}

/// Machines without a compiler say something else.
fn without_compiler(messages: &str) -> String {
    let is_compiled = |line: &&str| !line.contains("compiled");
    messages.lines().filter(is_compiled).collect::<Vec<&str>>().join("\n")
}

#[test]
fn a_witness_is_replayed() {
    let workspace =
        Workspace::new(&[("a.c", PROGRAM), ("bad.yml", &witness("4")), ("good.yml", &witness("5"))]);
    let answer = workspace.rorqual("replay a.c --witness bad.yml --harness h.c");
    assert_eq!(
        (answer.code, answer.output.as_str()),
        (10, "violation reproduced: `reach_error` is called at a.c:11\n")
    );
    insta::assert_snapshot!(without_compiler(&answer.messages), @r"
    1. a.c:6   n = 4 (input)
    2. a.c:7   i = 0
    3. a.c:8   loop entered 4 times, i = 4
    4. a.c:11  reach_error() is called
    = confirmed by the interpreter
    ");
    assert!(workspace.read("h.c").contains("int __VERIFIER_nondet_int()"));
    let answer = workspace.rorqual("replay a.c --witness good.yml");
    assert_eq!(
        (answer.code, answer.output.as_str()),
        (20, "not reproduced: the program exits with status 0\n")
    );
}

#[test]
fn inputs_are_replayed_and_the_compiled_program_agrees() {
    let workspace = Workspace::new(&[("a.c", PROGRAM), ("bad.txt", "4\n"), ("good.txt", "3\n")]);
    let answer = workspace.rorqual("replay a.c --inputs bad.txt");
    assert_eq!(answer.code, 10, "{answer:?}");
    let has_compiler = std::process::Command::new("cc").arg("--version").output().is_ok();
    let confirmed = "  = confirmed by the program compiled by `cc`, which reaches the error function\n";
    assert!(!has_compiler || answer.messages.contains(confirmed), "{}", answer.messages);
    let answer = workspace.rorqual("replay a.c --inputs bad.txt --interpreter-only");
    assert!(answer.code == 10 && !answer.messages.contains("compiled"), "{answer:?}");
    assert_eq!(workspace.rorqual("replay a.c --inputs good.txt").code, 20);
}

#[test]
fn an_execution_that_does_not_end_is_given_up() {
    let endless = "int main(void) { for (;;); }";
    let workspace = Workspace::new(&[("a.c", endless), ("none.txt", "")]);
    let answer = workspace.rorqual("replay a.c --inputs none.txt --time-limit 1s");
    assert_eq!(
        (answer.code, answer.output.as_str()),
        (20, "not reproduced: interrupted or out of time at a.c:1\n")
    );
}

#[test]
fn files_that_are_no_violation_witnesses_are_refused() {
    let safe = witness("4").replace("violation_sequence", "invariant_set");
    let safe = safe.split("  content:").next().unwrap_or("").to_owned() + "  content: []\n";
    let newer = witness("4").replace("\"2.0\"", "\"9.0\"");
    let files = [("a.c", PROGRAM), ("safe.yml", &safe), ("newer.yml", &newer), ("broken.yml", "- {\n")];
    let workspace = Workspace::new(&files);
    workspace.rorqual("replay a.c --witness safe.yml").assert_refused("claims that the program is safe");
    workspace
        .rorqual("replay a.c --witness newer.yml")
        .assert_refused("version 9.0")
        .assert_caret("newer.yml:3");
    workspace.rorqual("replay a.c --witness broken.yml").assert_refused("malformed witness");
    workspace.rorqual("replay a.c --witness missing.yml").assert_refused("cannot read the witness");
}
