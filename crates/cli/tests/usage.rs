//! Arguments: help, wrong usage, and the spellings of gcc.

mod support;

use std::process::Stdio;

use support::{Answer, Workspace};

#[track_caller]
fn help(arguments: &str) -> String {
    let answer = Workspace::new(&[]).rorqual(arguments);
    assert_eq!((answer.code, answer.messages.as_str()), (0, ""));
    answer.output
}

#[test]
fn help_texts() {
    insta::assert_snapshot!("help", help("--help"));
    insta::assert_snapshot!("help_show", help("show --help"));
    insta::assert_snapshot!("help_show_ast", help("show ast --help"));
    insta::assert_snapshot!("help_show_cfa", help("show cfa --help"));
    insta::assert_snapshot!("help_show_models", help("show models --help"));
    insta::assert_snapshot!("help_show_reduction", help("show reduction --help"));
    insta::assert_snapshot!("help_run", help("run --help"));
    insta::assert_snapshot!("help_bench", help("bench --help"));
    insta::assert_snapshot!("help_bench_compare", help("bench compare --help"));
    insta::assert_snapshot!("help_replay", help("replay --help"));
    insta::assert_snapshot!("help_certify", help("certify --help"));
    insta::assert_snapshot!("help_check", help("check --help"));
    insta::assert_snapshot!("help_store", help("store --help"));
    insta::assert_snapshot!("help_store_list", help("store list --help"));
    insta::assert_snapshot!("help_store_gc", help("store gc --help"));
    insta::assert_snapshot!("help_store_export", help("store export --help"));
    insta::assert_snapshot!("help_completions", help("completions --help"));
    insta::assert_snapshot!("help_man", help("man --help"));
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(help("--version"), format!("rorqual {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_has_its_own_code() {
    let workspace =
        Workspace::new(&[("a.c", "int main(void) { return 0; }\n"), ("t.yml", "format_version: '2.0'\n")]);
    let wrong = [
        "",
        "show",
        "frobnicate",
        "show cfa",
        "show cfa a.c --format xml",
        "show cfa a.c --summary --format dot",
        "show cfa a.c --data-model lp32",
        "show cfa a.c t.yml",
        "run t.yml --compile-commands .",
        "run a.c --seed x",
        "run a.c --seed 1 --inputs f",
        "run a.c --memory-limit lots",
        "run a.c --time-limit soon",
        "run a.c --check everything",
        "run a.c --property p.prp --error-function f",
        "bench",
        "bench . --jobs 0",
        "bench . --resume",
        "bench . --evidence proofs",
        "bench compare a.csv",
        "replay a.c",
        "replay a.c --witness w.yml --inputs i.txt",
        "certify a.c",
        "store",
        "store list",
        "store list nowhere",
        "store gc . --limit lots",
        "check a.c --store-mode read-only",
        "completions tcsh",
    ];
    for arguments in wrong {
        let Answer { code, output, messages } = workspace.rorqual(arguments);
        assert_eq!((code, output.as_str()), (64, ""), "{arguments}: {messages}");
        assert!(!messages.is_empty(), "{arguments}");
    }
}

#[test]
fn a_task_and_another_file_exclude_each_other() {
    let workspace =
        Workspace::new(&[("a.c", "int x;\n"), ("t.yml", "format_version: '2.0'\ninput_files: a.c\n")]);
    insta::assert_snapshot!(workspace.rorqual("run a.c t.yml").messages, @r"
    error: the task definition `t.yml` names its own files, so no other FILE can be given

    For more information, try '--help'.
    ");
}

#[test]
fn completions_and_manual_pages_are_made() {
    assert!(help("completions bash").contains("_rorqual"));
    assert!(help("man").contains(".TH rorqual 1"));
    let workspace = Workspace::new(&[]);
    assert_eq!(workspace.rorqual("man --output pages").code, 0);
    assert!(workspace.read("pages/rorqual-show-cfa.1").contains("automata"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let workspace = Workspace::new(&[]);
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let mut command = workspace.command("completions bash");
    let answer = command.stdout(Stdio::from(writer)).output().expect("the binary starts");
    let answer = workspace.answer(answer);
    assert_eq!((answer.code, answer.messages.as_str()), (0, ""));
}

#[test]
fn settings_of_the_preprocessor_reach_it() {
    let workspace = Workspace::new(&[
        (
            "a.c",
            "#include \"q.h\"\n#include <i.h>\n#include <s.h>\nint main(void) { return Q + I + S + P + D; }\n",
        ),
        ("quote/q.h", "#define Q 1\n"),
        ("inc/i.h", "#define I 2\n"),
        ("sys/s.h", "#define S 4\n"),
        ("pre.h", "#define P 8\n"),
    ]);
    let separate = workspace.rorqual("run a.c -iquote quote -I inc -isystem sys -include pre.h -D D=16");
    assert_eq!((separate.code, separate.messages.as_str()), (0, "program exited with status 31\n"));
    let joined = workspace.rorqual("run -iquotequote -Iinc -isystemsys --include pre.h -UD -DD=32 a.c");
    assert_eq!((joined.code, joined.messages.as_str()), (0, "program exited with status 47\n"));
    let undefined = workspace.rorqual("run -iquotequote -Iinc -isystemsys --include pre.h -DD=1 -UD a.c");
    undefined.assert_refused("D");
}
