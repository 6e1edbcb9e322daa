//! Programs and files that cannot be read: code 65, a message with its place, no output.

mod support;

use support::Workspace;

/// The commands that read programs.
const COMMANDS: [&str; 3] = ["show ast", "show cfa", "run"];

/// Asserts that every command refuses the program in the same way.
#[track_caller]
fn refused(workspace: &Workspace, arguments: &str, part: &str, place: Option<&str>) {
    for command in COMMANDS {
        let answer = workspace.rorqual(&format!("{command} {arguments}"));
        answer.assert_refused(part);
        if let Some(place) = place {
            answer.assert_caret(place);
        }
    }
}

#[test]
fn a_syntax_error() {
    let workspace = Workspace::new(&[("a.c", "int main(void) {\n  return 1 +;\n}\n")]);
    refused(&workspace, "a.c", "expected", Some("a.c:2:"));
}

#[test]
fn a_type_error() {
    let workspace = Workspace::new(&[(
        "a.c",
        "struct s { int x; };\nint main(void) {\n  struct s s;\n  return s + 1;\n}\n",
    )]);
    refused(&workspace, "a.c", "", Some("a.c:4:"));
}

#[test]
fn an_undeclared_name() {
    let workspace = Workspace::new(&[("a.c", "int main(void) {\n  return missing;\n}\n")]);
    refused(&workspace, "a.c", "missing", Some("a.c:2:10"));
}

#[test]
fn a_missing_file() {
    let workspace = Workspace::new(&[]);
    refused(&workspace, "a.c", "cannot read `a.c`: there is no such file", None);
}

#[test]
fn a_missing_header() {
    let workspace = Workspace::new(&[("a.c", "#include \"nowhere.h\"\nint main(void) { return 0; }\n")]);
    refused(&workspace, "a.c", "nowhere.h", Some("a.c:1:"));
    let workspace =
        Workspace::new(&[("a.c", "int x;\n#include <nowhere.h>\nint main(void) { return 0; }\n")]);
    refused(&workspace, "a.c", "nowhere.h", Some("a.c:2:"));
}

#[test]
fn a_missing_file_before_the_first() {
    let workspace = Workspace::new(&[("a.c", "int main(void) { return 0; }\n")]);
    refused(&workspace, "a.c -include nowhere.h", "nowhere.h", None);
}

#[test]
fn a_directory() {
    let workspace = Workspace::new(&[("dir/a.c", "int main(void) { return 0; }\n")]);
    refused(&workspace, "dir", "cannot read `dir`: it is a directory", None);
}

#[test]
fn a_binary_file() {
    let workspace = Workspace::new(&[]);
    workspace.write("a.o", b"\x7fELF\x02\x01\x01\0\0\0\0\0\xff\xfe");
    refused(&workspace, "a.o", "it is not a text file", None);
}

#[test]
fn an_empty_file() {
    let workspace = Workspace::new(&[("a.c", ""), ("b.c", " \n\n")]);
    refused(&workspace, "a.c", "cannot read `a.c`: the file is empty", None);
    refused(&workspace, "b.c", "the file is empty", None);
}

#[test]
fn an_unterminated_comment() {
    let workspace = Workspace::new(&[("a.c", "int main(void) { return 0; }\n/* no end\n")]);
    refused(&workspace, "a.c", "comment", Some("a.c:2:1"));
}

#[test]
fn an_unterminated_string() {
    let workspace = Workspace::new(&[("a.c", "char *s = \"no end;\nint main(void) { return 0; }\n")]);
    refused(&workspace, "a.c", "", Some("a.c:1:"));
}

#[test]
fn two_definitions_of_one_function() {
    let workspace = Workspace::new(&[
        ("a.c", "int f(void) { return 1; }\nint main(void) { return f(); }\n"),
        ("b.c", "\nint f(void) { return 2; }\n"),
    ]);
    refused(&workspace, "a.c b.c", "`f`", Some("b.c:2:"));
    let answer = workspace.rorqual("show cfa a.c b.c");
    assert!(answer.messages.contains("a.c:1:"), "both places are shown:\n{}", answer.messages);
}

#[test]
fn conflicting_declarations_in_two_files() {
    let workspace = Workspace::new(&[
        ("a.c", "extern int x;\nint main(void) { return x; }\n"),
        ("b.c", "double x = 1.0;\n"),
    ]);
    refused(&workspace, "a.c b.c", "`x`", Some("b.c:1:"));
}

#[test]
fn an_error_in_an_included_file_is_shown_there() {
    let workspace = Workspace::new(&[
        ("a.c", "#include \"h.h\"\nint main(void) { return 0; }\n"),
        ("h.h", "int ok;\nint 3x;\n"),
    ]);
    refused(&workspace, "a.c", "", Some("h.h:2:"));
}

#[test]
fn no_entry_function() {
    let workspace = Workspace::new(&[("a.c", "int f(void) { return 0; }\n")]);
    for command in ["show cfa", "run"] {
        workspace.rorqual(&format!("{command} a.c")).assert_refused("`main`");
        workspace.rorqual(&format!("{command} a.c --entry g")).assert_refused("`g`");
    }
}

#[test]
fn a_database_with_a_missing_file() {
    let workspace = Workspace::new(&[(
        "build/compile_commands.json",
        "[\n  {\"directory\": \".\", \"file\": \"gone.c\", \"command\": \"cc -c gone.c\"}\n]\n",
    )]);
    refused(&workspace, "--compile-commands build", "gone.c", Some("build/compile_commands.json:2:30"));
    insta::assert_snapshot!(workspace.rorqual("show cfa --compile-commands build").messages);
}

#[test]
fn a_malformed_database() {
    let workspace = Workspace::new(&[("compile_commands.json", "[\n  {\"directory\": }\n]\n")]);
    refused(&workspace, "--compile-commands .", "malformed", Some("./compile_commands.json:2:"));
    refused(&workspace, "--compile-commands none", "cannot read `none/compile_commands.json`", None);
}

#[test]
fn a_file_that_is_not_in_the_database() {
    let workspace =
        Workspace::new(&[("compile_commands.json", "[]"), ("a.c", "int main(void) { return 0; }\n")]);
    refused(&workspace, "a.c --compile-commands .", "`a.c` is not in the compilation database", None);
}

#[test]
fn a_task_without_inputs() {
    let workspace = Workspace::new(&[("t.yml", "format_version: '2.0'\nproperties: []\n")]);
    refused(&workspace, "t.yml", "the task definition has no `input_files`", Some("t.yml:1:1"));
    let workspace = Workspace::new(&[("t.yml", "format_version: '2.0'\ninput_files: []\n")]);
    refused(&workspace, "t.yml", "names no file", Some("t.yml:2:14"));
}

#[test]
fn a_task_with_a_missing_input() {
    let workspace = Workspace::new(&[("t.yml", "format_version: '2.0'\ninput_files:\n  - gone.c\n")]);
    refused(&workspace, "t.yml", "cannot read the input file `gone.c`", Some("t.yml:3:5"));
    insta::assert_snapshot!(workspace.rorqual("show cfa t.yml").messages);
}

#[test]
fn a_task_with_an_unsupported_property() {
    let workspace = Workspace::new(&[
        ("t.yml", "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: o.prp\n"),
        ("o.prp", "CHECK( init(main()), LTL(F end) )\n"),
        ("a.c", "int main(void) { return 0; }\n"),
    ]);
    let part = "the property `termination` is not supported yet";
    workspace.rorqual("run t.yml").assert_refused(part).assert_caret("o.prp:1:26");
    workspace.rorqual("run a.c --property o.prp").assert_refused(part).assert_caret("o.prp:1:26");
    assert_eq!(workspace.rorqual("run t.yml --error-function f").code, 0);
}

#[test]
fn brackets_nested_ten_thousand_deep_never_crash() {
    let (open, close) = ("(".repeat(10_000), ")".repeat(10_000));
    let workspace = Workspace::new(&[("a.c", &format!("int main(void) {{ return {open}0{close}; }}\n"))]);
    for command in COMMANDS {
        let answer = workspace.rorqual(&format!("{command} a.c"));
        assert!([0, 65].contains(&answer.code), "{}", answer.code);
        assert!(answer.messages.len() < 5_000, "{}", answer.messages);
    }
}

#[test]
fn many_errors_of_one_file_are_all_shown() {
    let workspace =
        Workspace::new(&[("a.c", "int main(void) {\n  first();\n  x = 1;\n  y = 2;\n  return 0;\n}\n")]);
    let answer = workspace.rorqual("show cfa a.c");
    answer.assert_refused("a.c:3:3");
    assert!(answer.messages.contains("a.c:4:3"), "{}", answer.messages);
}

#[test]
fn a_flood_of_errors_is_cut() {
    let body = (0..15).map(|number| format!("  x{number} = 1;\n")).collect::<Vec<_>>().concat();
    let workspace = Workspace::new(&[("a.c", &format!("int main(void) {{\n{body}}}\n"))]);
    let answer = workspace.rorqual("show cfa a.c");
    answer.assert_refused("5 more messages are not shown");
}
