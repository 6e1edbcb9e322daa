//! `rorqual replay`: witnesses and inputs that lead to a violation, and those that do not.

mod support;

use support::{Workspace, skip};

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
    let hash = rorqual_witness::sha256(PROGRAM.as_bytes());
    let [bad, good] = ["4", "5"].map(|value| witness(value).replace("{a.c: x}", &format!("{{a.c: {hash}}}")));
    let workspace = Workspace::new(&[("a.c", PROGRAM), ("bad.yml", &bad), ("good.yml", &good)]);
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
fn the_target_of_a_witness_counts() {
    let elsewhere = witness("4").replace("line: 11, column: 9", "line: 7, column: 5");
    let condition = witness("4").replace("line: 11, column: 9", "line: 10, column: 5");
    let in_body = witness("4").replace("line: 11, column: 9", "line: 3, column: 26");
    let other_file = witness("4").replace("file_name: a.c, line: 11", "file_name: b.c, line: 11");
    let directory = witness("4").replace("file_name: a.c, line: 11", "file_name: /tmp/x/a.c, line: 11");
    let files = [
        ("a.c", PROGRAM),
        ("elsewhere.yml", &elsewhere),
        ("condition.yml", &condition),
        ("body.yml", &in_body),
        ("file.yml", &other_file),
        ("directory.yml", &directory),
    ];
    let workspace = Workspace::new(&files);
    let replay = |name: &str| workspace.rorqual(&format!("replay a.c --witness {name} --interpreter-only"));
    let answer = replay("elsewhere.yml");
    assert_eq!(
        (answer.code, answer.output.as_str()),
        (
            20,
            "not reproduced: another violation is reached at a.c:11, while the target of the witness is a.c:7\n"
        )
    );
    assert_eq!(replay("file.yml").code, 20);
    // The whole statement, the body of the error function, and other directories are the same violation.
    for name in ["condition.yml", "body.yml", "directory.yml"] {
        assert_eq!(replay(name).code, 10, "{name}");
    }
}

#[test]
fn a_witness_for_another_program_is_told() {
    let hash = rorqual_witness::sha256(PROGRAM.as_bytes());
    let same = witness("4").replace("{a.c: x}", &format!("{{a.c: {hash}}}"));
    let unknown = witness("4").replace("input_file_hashes: {a.c: x}, ", "");
    let files = [("a.c", PROGRAM), ("x.yml", &witness("4")), ("same.yml", &same), ("unknown.yml", &unknown)];
    let workspace = Workspace::new(&files);
    let replay = |name: &str| workspace.rorqual(&format!("replay a.c --witness {name} --interpreter-only"));
    let answer = replay("x.yml");
    let warning = "warning: the witness `x.yml` was made for another content of `a.c`: its SHA-256 differs\n";
    assert!(answer.code == 10 && answer.messages.starts_with(warning), "{answer:?}");
    for name in ["same.yml", "unknown.yml"] {
        let answer = replay(name);
        assert!(answer.code == 10 && !answer.messages.contains("warning"), "{answer:?}");
    }
}

#[test]
fn a_compiled_program_that_dies_of_the_violation_confirms_it() {
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        return skip("compiled programs that die", "a C compiler (`cc`) is not installed");
    }
    let division = "extern int __VERIFIER_nondet_int(void);\n\
                    int main(void) { int n = __VERIFIER_nondet_int(); return 10 / n; }\n";
    let pointer = "extern int __VERIFIER_nondet_int(void);\nint x;\n\
                   int main(void) { int *p = __VERIFIER_nondet_int() ? &x : 0; return *p; }\n";
    let workspace = Workspace::new(&[("division.c", division), ("pointer.c", pointer), ("zero.txt", "0\n")]);
    for (program, check, signal) in [("division.c", "div-zero", "SIGFPE"), ("pointer.c", "null", "SIGSEGV")] {
        let answer = workspace.rorqual(&format!("replay {program} --inputs zero.txt --check {check}"));
        let confirmed =
            format!("  = confirmed by the program compiled by `cc`, which is ended by {signal}, ");
        assert!(answer.code == 10 && answer.messages.contains(&confirmed), "{answer:?}");
    }
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
