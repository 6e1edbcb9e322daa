//! Programs that are shown and run.

mod support;

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use support::Workspace;

const COUNTER: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                       int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n == 42)\n    reach_error();\n  \
                       return n & 7;\n}\n";

#[test]
fn the_automata_of_a_program_are_shown_in_three_formats() {
    let workspace =
        Workspace::new(&[("a.c", "int f(int x) { return x + 1; }\nint main(void) { return f(2); }\n")]);
    let text = workspace.rorqual("show cfa a.c");
    assert_eq!((text.code, text.messages.as_str()), (0, ""));
    assert!(text.output.contains("int f(int x)") && text.output.contains("a.c:1:"), "{}", text.output);
    let dot = workspace.rorqual("show cfa a.c --format dot --function f");
    assert!(dot.output.starts_with("digraph") && !dot.output.contains("main"), "{}", dot.output);
    let json = workspace.rorqual("show cfa a.c --format json");
    let document: serde_json::Value = serde_json::from_str(&json.output).expect("the output is JSON");
    assert_eq!(document["data_model"], "LP64");
    assert_eq!(workspace.rorqual("show cfa a.c --function g").code, 64);
}

#[test]
fn the_typed_program_is_shown() {
    let workspace = Workspace::new(&[("a.c", "int main(void) { char c = 1; return c + 1L > 1; }\n")]);
    let answer = workspace.rorqual("show ast a.c");
    assert_eq!((answer.code, answer.messages.as_str()), (0, ""));
    assert!(answer.output.contains("main"), "{}", answer.output);
}

#[test]
fn the_output_and_status_of_a_program_are_its_own() {
    let source = "#include <stdio.h>\nint main(int argc, char **argv) {\n  printf(\"%d %s\\n\", argc, argv[1]);\n  return 3;\n}\n";
    let workspace = Workspace::new(&[("a.c", source)]);
    let answer = workspace.rorqual("run a.c -- hello");
    assert_eq!(answer.output, "2 hello\n");
    assert_eq!((answer.code, answer.messages.as_str()), (0, "program exited with status 3\n"));
}

#[test]
fn undefined_behaviour_is_shown_with_its_call_stack() {
    let source = "int average(int sum, int count) {\n  return sum / count;\n}\n\nint main(void) {\n  return average(7, 0);\n}\n";
    let workspace = Workspace::new(&[("a.c", source)]);
    let answer = workspace.rorqual("run a.c");
    assert_eq!((answer.code, answer.output.as_str()), (10, ""));
    insta::assert_snapshot!(answer.messages);
}

#[test]
fn signed_overflow_is_checked_when_asked() {
    let workspace = Workspace::new(&[(
        "a.c",
        "int main(void) {\n  int x = 2147483647;\n  x = x + 1;\n  return x < 0;\n}\n",
    )]);
    assert_eq!(workspace.rorqual("run a.c").messages, "program exited with status 1\n");
    let answer = workspace.rorqual("run a.c --check overflow");
    assert_eq!(answer.code, 10);
    assert!(answer.messages.starts_with("violation: signed overflow in `x + 1`"), "{}", answer.messages);
    answer.assert_caret("a.c:3:7");
}

#[test]
fn inputs_come_from_a_file_or_standard_input_and_are_recorded() {
    let workspace = Workspace::new(&[("a.c", COUNTER), ("in.txt", "42\n"), ("bad.txt", "1\nx\n")]);
    let answer = workspace.rorqual("run a.c --inputs in.txt --record-inputs out.txt");
    assert_eq!(answer.code, 10);
    assert!(answer.messages.starts_with("violation: "), "{}", answer.messages);
    answer.assert_caret("a.c:6:5");
    assert!(workspace.read("out.txt").starts_with("42"), "{}", workspace.read("out.txt"));
    assert_eq!(workspace.rorqual("run a.c --inputs out.txt").code, 10);
    workspace.rorqual("run a.c --inputs bad.txt").assert_refused("`x`").assert_caret("bad.txt:2:1");
    workspace.rorqual("run a.c --inputs none.txt").assert_refused("none.txt");

    let mut child = workspace.command("run a.c --inputs -");
    let mut child = child.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    child.stdin.take().expect("there is a pipe").write_all(b"5\n").expect("the pipe is open");
    let answer = workspace.answer(child.wait_with_output().expect("the binary ends"));
    assert_eq!((answer.code, answer.messages.as_str()), (0, "program exited with status 5\n"));
}

#[test]
fn a_run_that_tells_nothing_is_unknown() {
    let workspace = Workspace::new(&[
        ("n.c", COUNTER),
        ("loop.c", "int main(void) {\n  for (;;)\n    ;\n}\n"),
        ("assume.c", "void __VERIFIER_assume(int);\nint main(void) {\n  __VERIFIER_assume(0);\n}\n"),
    ]);
    let unknown = |arguments: &str, part: &str| {
        let answer = workspace.rorqual(arguments);
        assert_eq!(answer.code, 20, "{answer:?}");
        assert!(
            answer.messages.starts_with("unknown: ") && answer.messages.contains(part),
            "{}",
            answer.messages
        );
    };
    unknown("run n.c", "--seed");
    unknown("run loop.c --step-limit 1000", "step limit");
    unknown("run loop.c --time-limit 50ms", "time limit of 50ms");
    unknown("run assume.c", "assumption");
}

#[test]
fn an_interrupted_run_tells_where_it_was() {
    let workspace =
        Workspace::new(&[("a.c", "int main(void) {\n  volatile int x = 0;\n  for (;;)\n    x = 1;\n}\n")]);
    let mut child = workspace.command("run a.c");
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    // Long enough for the run to begin; if it has not, the signal ends the process and the test says so.
    std::thread::sleep(Duration::from_secs(1));
    support::send("INT", child.id());
    let answer = workspace.answer(child.wait_with_output().expect("the binary ends"));
    assert_eq!(answer.code, 20, "{answer:?}");
    assert!(answer.messages.starts_with("unknown: interrupted after "), "{}", answer.messages);
    assert!(answer.messages.contains("in `main`"), "{}", answer.messages);
}

#[test]
fn a_deep_call_stack_is_cut() {
    let workspace = Workspace::new(&[(
        "a.c",
        "int f(int x) {\n  return f(x + 1) + 1;\n}\nint main(void) { return f(0); }\n",
    )]);
    let answer = workspace.rorqual("run a.c");
    assert_eq!(answer.code, 20, "{answer:?}");
    assert!(answer.messages.contains("  … ") && answer.messages.lines().count() < 40, "{}", answer.messages);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let workspace = Workspace::new(&[("a.c", COUNTER)]);
    let [first, second] = [(); 2].map(|()| workspace.rorqual("run a.c --seed 7"));
    assert_eq!((first.code, &first.messages), (second.code, &second.messages));
}

#[test]
fn the_error_function_can_be_chosen() {
    let source = "void oops(void) { }\nint begin(void) {\n  oops();\n  return 0;\n}\n";
    let workspace = Workspace::new(&[
        ("a.c", source),
        ("p.prp", "CHECK( init(begin()), LTL(G ! call(oops())) )\n"),
        (
            "t.yml",
            "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: p.prp\n    expected_verdict: false\n",
        ),
    ]);
    assert_eq!(workspace.rorqual("run a.c --entry begin").code, 0);
    assert_eq!(workspace.rorqual("run a.c --entry begin --error-function oops").code, 10);
    assert_eq!(workspace.rorqual("run a.c --property p.prp").code, 10);
    assert_eq!(workspace.rorqual("run t.yml").code, 10);
}

#[test]
fn the_data_model_of_a_task_holds_unless_a_flag_says_otherwise() {
    let workspace = Workspace::new(&[
        ("a.c", "int main(void) { return sizeof(long); }\n"),
        (
            "t.yml",
            "format_version: '2.0'\ninput_files: 'a.c'\noptions:\n  language: C\n  data_model: ILP32\n",
        ),
    ]);
    assert_eq!(workspace.rorqual("run a.c").messages, "program exited with status 8\n");
    assert_eq!(workspace.rorqual("run t.yml").messages, "program exited with status 4\n");
    assert_eq!(workspace.rorqual("run t.yml --data-model lp64").messages, "program exited with status 8\n");
}

#[test]
fn a_compilation_database_gives_files_and_settings() {
    let workspace = Workspace::new(&[
        ("src/a.c", "#include \"v.h\"\nint f(void);\nint main(void) { return f() + V; }\n"),
        ("src/b.c", "int f(void) { return N; }\n"),
        ("inc/v.h", "#define V 4\n"),
    ]);
    let database = format!(
        r#"[{{"directory": "{0}/src", "file": "a.c", "command": "cc -I../inc -c a.c"}},
            {{"directory": "{0}/src", "file": "{0}/src/b.c", "arguments": ["cc", "-DN=3", "-c", "b.c"]}}]"#,
        workspace.path().display()
    );
    workspace.write("build/compile_commands.json", database.as_bytes());
    let all = workspace.rorqual("run --compile-commands build");
    assert_eq!(all.messages, "program exited with status 7\n");
    let named = workspace.rorqual("run --compile-commands build src/a.c src/b.c");
    assert_eq!(named.messages, "program exited with status 7\n");
}

#[test]
fn a_summary_counts_programs_and_goes_on_after_errors() {
    let workspace = Workspace::new(&[
        ("tasks/good.yml", "format_version: '2.0'\ninput_files: 'good.c'\n"),
        ("tasks/good.c", "int main(void) { return 0; }\n"),
        ("tasks/bad.yml", "format_version: '2.0'\ninput_files: 'bad.c'\n"),
        ("tasks/bad.c", "int main(void) { return }\n"),
        ("tasks/other.yml", "name: not a task\n"),
        (
            "tasks/up/sequence.yml",
            "data_model: LP64\nproperty: assertions\nversions:\n  - file: 1.c\n  - file: 2.c\n",
        ),
        ("tasks/up/1.c", "int main(void) { return 1; }\n"),
        ("tasks/up/2.c", "int main(void) { return 2; }\n"),
    ]);
    let answer = workspace.rorqual("show cfa --summary tasks tasks/good.c");
    assert_eq!(answer.code, 65);
    assert!(
        answer.output.starts_with("programs: 5\nlowered: 4\nwith unsupported operations: 0\nrefused: 1\n"),
        "{}",
        answer.output
    );
    assert!(answer.output.contains("refused: tasks/bad.yml: tasks/bad.c:1:"), "{}", answer.output);
    assert_eq!(workspace.rorqual("show cfa --summary tasks/up").code, 0);
    let empty = Workspace::new(&[("a.c", "int x;\n")]);
    empty.rorqual("show cfa --summary .").assert_refused("no task definition");
}
