//! Tests of everything in `input`, on files in memory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rorqual_cfa::DataModel;

use super::{Database, Property, Task, looks_like_task, read_text};
use crate::{Failure, Host};

struct Files(BTreeMap<PathBuf, Vec<u8>>);

impl Host for Files {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn system_include_directories(&self, _: DataModel) -> Vec<PathBuf> {
        vec![]
    }
}

fn files(list: &[(&str, &str)]) -> Files {
    Files(list.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec())).collect())
}

/// The refusal as `place: message`.
fn refusal<T>(result: Result<T, Failure>) -> String {
    let Err(failure) = result else { panic!("the input is accepted") };
    let diagnostic = &failure.diagnostics[0];
    match diagnostic.span.file() {
        Some(_) => format!("{}: {}", failure.sources.position(diagnostic.span), diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

fn task(text: &str) -> Result<Task, Failure> {
    let host = files(&[("d/t.yml", text), ("d/a.c", "int x;"), ("b.c", "int y;"), ("p.prp", REACH)]);
    Task::read(&host, Path::new("d/t.yml"))
}

#[test]
fn a_task_names_its_files_relative_to_itself() {
    let text =
        "format_version: '2.0'\ninput_files: [a.c, ../b.c]\noptions:\n  language: C\n  data_model: ILP32\n";
    let task = task(text).unwrap();
    let paths: Vec<_> = task.units.iter().map(|unit| unit.path.to_str().unwrap()).collect();
    assert_eq!(paths, ["d/a.c", "b.c"]);
    assert_eq!(task.data_model, Some(DataModel::Ilp32));
    assert_eq!(task.property(&files(&[])).unwrap(), None);
}

#[test]
fn the_expected_verdict_is_that_of_the_supported_property() {
    let expected = |properties: &str| {
        let text = format!("format_version: '2.0'\ninput_files: a.c\nproperties:\n{properties}");
        let overflow = "CHECK( init(main()), LTL(G ! overflow) )";
        let host = files(&[("t.yml", &text), ("a.c", ""), ("reach.prp", REACH), ("overflow.prp", overflow)]);
        Task::read(&host, Path::new("t.yml")).unwrap().expected_verdict(&host).ok()
    };
    let reach = "- property_file: reach.prp\n  expected_verdict: false\n";
    let overflow = "- property_file: overflow.prp\n  expected_verdict: true\n";
    assert_eq!(expected(reach), Some(Some(false)));
    assert_eq!(expected(&format!("{overflow}{reach}")), Some(Some(false)));
    assert_eq!(expected("- property_file: reach.prp\n"), Some(None));
    assert_eq!(expected(overflow), Some(Some(true)));
    assert_eq!(expected("- property_file: a.c\n  expected_verdict: true\n"), None);
}

#[test]
fn the_version_may_be_written_as_a_number() {
    assert_eq!(task("format_version: 2.0\ninput_files: a.c\n").unwrap().units.len(), 1);
}

#[test]
fn the_first_supported_property_of_a_task_counts() {
    let text = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: o.prp\n    expected_verdict: true\n  \
                - property_file: ../p.prp\n    expected_verdict: false\n";
    let task = task(text).unwrap();
    let overflow = "CHECK( init(main()), LTL(G ! overflow) )";
    let host = files(&[("p.prp", REACH), ("d/o.prp", overflow)]);
    let property = task.property(&host).unwrap().unwrap();
    assert_eq!((property.entry.as_str(), property.error_functions), ("main", vec!["reach_error".to_owned()]));
    let missing = files(&[("d/o.prp", overflow)]);
    assert_eq!(
        refusal(task.property(&missing)),
        "d/t.yml:6:20: cannot read the property file `p.prp`: there is no such file"
    );
}

#[test]
fn bad_tasks_are_refused_at_their_place() {
    let cases = [
        ("format_version: '2.0'\n", "d/t.yml:1:1: the task definition has no `input_files`"),
        ("input_files: a.c\n", "d/t.yml:1:1: the task definition has no `format_version`"),
        (
            "format_version: '3.0'\ninput_files: a.c\n",
            "d/t.yml:1:17: format version `3.0` of task definitions is not supported",
        ),
        (
            "format_version: '2.0'\ninput_files: []\n",
            "d/t.yml:2:14: `input_files` of the task definition names no file",
        ),
        (
            "format_version: '2.0'\ninput_files: ''\n",
            "d/t.yml:2:14: `input_files` of the task definition names no file",
        ),
        (
            "format_version: '2.0'\ninput_files: [a.c,\n  z.c]\n",
            "d/t.yml:3:3: cannot read the input file `d/z.c`: there is no such file",
        ),
        (
            "format_version: '2.0'\ninput_files: a.c\noptions:\n  data_model: LP32\n",
            "d/t.yml:4:15: unknown data model `LP32`",
        ),
        (
            "format_version: '2.0'\ninput_files: a.c\noptions:\n  language: Java\n",
            "d/t.yml:4:13: the language of the task is `Java`, not C",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(task(text)), expected);
    }
}

#[test]
fn yaml_that_does_not_parse_is_refused_with_a_place() {
    for text in [
        "format_version: [\n",
        "a: b: c\n",
        "format_version: '2.0'\ninput_files:\n  key: value\n",
        "- 1\n",
        "\t:\n",
    ] {
        let message = refusal(task(text));
        assert!(message.starts_with("d/t.yml:"), "{text:?} gives {message}");
        assert!(!message.contains('\n') && !message.contains(" line "), "{text:?} gives {message}");
    }
}

#[test]
fn each_version_of_a_sequence_is_a_task() {
    let text = "data_model: LP64\nproperty: 'CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )'\n\
                versions:\n  - file: 1.c\n    expected_verdict: true\n  - file: 2.c\n";
    let host = files(&[("s/sequence.yml", text), ("s/1.c", "int x;"), ("s/2.c", "int x;")]);
    let versions = Task::read_sequence(&host, Path::new("s/sequence.yml")).unwrap();
    let names: Vec<_> = versions.iter().map(|(name, _)| name.to_str().unwrap()).collect();
    assert_eq!(names, ["s/1.c", "s/2.c"]);
    let property = versions[0].1.property(&host).unwrap().unwrap();
    assert_eq!(property.error_functions, ["__VERIFIER_error"]);
    assert_eq!(
        refusal(Task::read(&host, Path::new("s/sequence.yml"))),
        "s/sequence.yml:4:3: this is a sequence of programs, not a task definition"
    );
    assert!(looks_like_task(text) && !looks_like_task("name: x\n"));
}

#[test]
fn a_property_inside_a_sequence_is_refused_at_its_place() {
    let text = "property: 'CHECK( init(main()), LTL(F end) )'\nversions:\n  - file: 1.c\n";
    let host = files(&[("sequence.yml", text), ("1.c", "int x;")]);
    let versions = Task::read_sequence(&host, Path::new("sequence.yml")).unwrap();
    assert_eq!(
        refusal(versions[0].1.property(&host)),
        "sequence.yml:1:37: the property `termination` is not supported yet"
    );
}

#[test]
fn properties_other_than_reachability_are_refused_by_name() {
    let cases = [
        (
            "CHECK( init(main()), LTL(G valid-memcleanup) )",
            "p:1:26: the property `valid-memcleanup` is not supported yet",
        ),
        ("CHECK( init(main()), LTL(G ! overflows) )", "p:1:30: expected `call` in the property"),
        ("CHECK(init(main()),LTL(F end))", "p:1:24: the property `termination` is not supported yet"),
        (
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "p:1:1: coverage properties are not supported yet",
        ),
        ("CHECK( init(main()), LTL(G ! call()) )", "p:1:35: expected the name of a function in the property"),
        ("CHECK( init(main()), LTL(X p) )", "p:1:26: expected `G` in the property"),
        ("CHECK( init(main())", "p:1:20: expected `,` in the property"),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(Property::read(&files(&[("p", text)]), Path::new("p"))), expected);
    }
}

#[test]
fn properties_stand_for_checks() {
    let checks = |text: &str| {
        let property = Property::read(&files(&[("p", text)]), Path::new("p")).unwrap();
        property.checks.iter().map(|check| check.name()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(checks(REACH), "assertions");
    assert_eq!(checks("CHECK( init(main()), LTL(G ! overflow) )"), "overflow");
    assert_eq!(checks("CHECK( init(main()), LTL(G ! div-zero) )"), "div-zero");
    let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                  CHECK( init(main()), LTL(G valid-memtrack) )";
    assert_eq!(checks(memory), "bounds null use-after-free double-free leak");
    assert_eq!(Property::from_text("nothing of the kind"), None);
}

#[test]
fn properties_over_several_lines_are_joined() {
    let text = "CHECK( init(f()), LTL(G ! call(a())) )\n\n  CHECK(init(f()),LTL(G!call(b())))\n";
    let property = Property::read(&files(&[("p", text)]), Path::new("p")).unwrap();
    assert_eq!((property.entry.as_str(), property.error_functions.len()), ("f", 2));
}

fn database(text: &str, names: &[&str]) -> Result<Database, Failure> {
    let host = files(&[("db/compile_commands.json", text), ("/w/a.c", "int x;"), ("/w/s/b.c", "int y;")]);
    let names: Vec<_> = names.iter().map(|name| (PathBuf::from(name), PathBuf::from(name))).collect();
    Database::read(&host, Path::new("db"), &names)
}

#[test]
fn commands_give_the_preprocessor_its_settings() {
    let text = r#"[
      {"directory": "/w", "file": "a.c",
       "command": "cc -m32 -Iinc -I ../up -iquote q -isystem/sys -DA -D 'B=\"x y\"' -UC -include pre.h -DC -c a.c"},
      {"directory": "/w/s", "file": "b.c", "arguments": ["cc", "-m32", "-DX", "-U", "X", "-o", "b.o", "b.c"]},
      {"directory": "/w", "file": "a.c", "command": "cc -DSECOND a.c"},
      {"directory": "/w", "file": "c.cpp", "command": "c++ c.cpp"}
    ]"#;
    let database = database(text, &[]).unwrap();
    let unit = &database.units[0];
    assert_eq!(unit.path, Path::new("/w/a.c"));
    assert_eq!(unit.include_directories, [Path::new("/w/inc"), Path::new("/up")]);
    assert_eq!(unit.quote_directories, [Path::new("/w/q")]);
    assert_eq!(unit.system_directories, [Path::new("/sys")]);
    assert_eq!(unit.preincludes, [Path::new("/w/pre.h")]);
    assert_eq!(unit.defines, ["A", "B=\"x y\"", "C"]);
    assert!(unit.undefines.is_empty());
    assert_eq!((database.units[1].defines.len(), database.units[1].undefines.len()), (0, 1));
    assert_eq!(database.units.len(), 2);
    assert_eq!(database.data_model, Some(DataModel::Ilp32));
    assert_eq!(database.warnings.diagnostics.len(), 1);
}

#[test]
fn bad_databases_are_refused_at_their_place() {
    let name = "db/compile_commands.json";
    let cases = [
        ("[\n{]", format!("{name}:2:2: the compilation database is malformed: key must be a string")),
        ("[]", format!("{name}:1:1: the compilation database has no C file")),
        ("[\n  3]", format!("{name}:2:3: an entry of the compilation database is not an object")),
        (r#"[{"directory": "/w", "command": "cc"}]"#, format!("{name}:1:2: the entry names no `file`")),
        (r#"[{"file": "a.c", "command": "cc"}]"#, format!("{name}:1:2: the entry names no `directory`")),
        (
            r#"[{"directory": "/w", "file": "a.c"}]"#,
            format!("{name}:1:2: the entry has neither `command` nor `arguments`"),
        ),
        (
            r#"[{"directory": "/w", "file": "a.c", "command": "cc '"}]"#,
            format!("{name}:1:48: the quotes of the command do not match"),
        ),
        (
            r#"[{"directory": "/w", "file": "z.c", "command": "cc z.c"}]"#,
            format!("{name}:1:30: cannot read `/w/z.c` of the compilation database: there is no such file"),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(database(text, &[])), expected);
    }
    let text = r#"[{"directory": "/w", "file": "a.c", "command": "cc a.c"}]"#;
    assert_eq!(refusal(database(text, &["/w/s/b.c"])), "`/w/s/b.c` is not in the compilation database");
    assert_eq!(database(text, &["/w/a.c"]).unwrap().units.len(), 1);
}

#[test]
fn a_directory_without_a_database_is_refused() {
    let failure = Database::read(&files(&[]), Path::new("db"), &[]);
    assert_eq!(refusal(failure), "cannot read `db/compile_commands.json`: there is no such file");
}

#[test]
fn empty_and_binary_files_are_refused() {
    let host = files(&[("empty.c", ""), ("a.o", "\x7fELF\0\0")]);
    let message = |name| read_text(&host, Path::new(name)).unwrap_err().message;
    assert_eq!(message("empty.c"), "cannot read `empty.c`: the file is empty");
    assert_eq!(message("a.o"), "cannot read `a.o`: it is not a text file (it contains zero bytes)");
}
