//! `bench` with a checker whose answers are in the names of the tasks. No test looks at a time
//! that was measured.

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{Answer, Workspace, binary, send};

const TOOL: &str = r#"#!/bin/sh
case "$1" in
--version)
    echo "fake 1.0"
    exit 0 ;;
certify)
    case "$2" in *bad_evidence*) echo "rejected: consecution fails at a.c:3"; exit 20 ;; esac
    exit 0 ;;
replay)
    case "$2" in *bad_evidence*) exit 20 ;; esac
    exit 10 ;;
esac
task=$2
echo "$@" >> calls
while [ $# -gt 1 ]; do
    case "$1$task" in --certificate*no_evidence*) ;; --certificate*|--witness*) echo x > "$2" ;; esac
    shift
done
case "$task" in
*says_safe*) echo '{"verdict": "safe", "origin": {"technique": "ic3", "with_facts": false, "heap_free": false}}' ;;
*says_unsafe*) echo '{"verdict": "unsafe", "message": "the assertion at a.c:3 can fail"}'; exit 10 ;;
*gives_up*) echo '{"verdict": "unknown", "reason": {"kind": "bound", "text": "the loop at a.c:3, unrolled \"61\" times"}}'; exit 20 ;;
*unsupported*) echo '{"verdict": "unknown", "reason": {"kind": "unsupported", "text": "threads are not supported"}}'; exit 20 ;;
*refuses*) echo "error: expected ;" >&2; exit 65 ;;
*crashes*) kill -SEGV $$ ;;
*panics*) echo "internal error: broken" >&2; exit 70 ;;
*misunderstands*) echo "error: what?" >&2; exit 64 ;;
*loops*) while :; do :; done ;;
*eats*) x=0123456789; while :; do x=$x$x; done ;;
*waits*) echo $$ > pid; exec sleep 1000 ;;
esac
"#;

/// A workspace with the checker and tasks: `safe` or `unsafe` before the colon is what is expected.
fn workspace(tasks: &[&str]) -> Workspace {
    let workspace = Workspace::new(&[
        ("tool", TOOL),
        ("program.c", "int main(void) { return 0; }\n"),
        ("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
        ("termination.prp", "CHECK( init(main()), LTL(F end) )\n"),
    ]);
    let tool = workspace.path().join("tool");
    std::fs::set_permissions(tool, PermissionsExt::from_mode(0o755)).expect("the mode can be set");
    for task in tasks {
        let (expected, name) = task.split_once(':').expect("a task is `expected:name`");
        add_task(&workspace, name, "reach.prp", &(expected == "safe").to_string());
    }
    workspace
}

fn add_task(workspace: &Workspace, name: &str, property: &str, verdict: &str) {
    let up = "../".repeat(Path::new(name).components().count() - 1);
    let text = format!(
        "format_version: '2.0'\ninput_files: '{up}program.c'\nproperties:\n  - property_file: {up}{property}\n    \
         expected_verdict: {verdict}\n"
    );
    workspace.write(name, text.as_bytes());
}

/// Runs `bench` with the fake checker.
fn bench(workspace: &Workspace, arguments: &str) -> Answer {
    workspace.rorqual(&format!("bench --tool ./tool {arguments}"))
}

/// The columns `task`, `verdict`, `status`, `reason_class`, `reason` and `evidence` of the table.
fn results(workspace: &Workspace) -> String {
    let text = workspace.read("r.csv");
    assert!(text.ends_with('\n'), "{text}");
    let mut lines: Vec<String> = text.lines().skip(1).map(chosen_columns).collect();
    lines.sort();
    lines.join("\n")
}

fn chosen_columns(line: &str) -> String {
    // Only a quoted value contains commas, and the only quoted one in these tests is the reason.
    let line = line.split('"').enumerate();
    let line =
        line.map(|(index, part)| if index % 2 == 1 { part.replace(',', ";") } else { part.to_owned() });
    let line = line.collect::<String>();
    let values: Vec<&str> = line.split(',').collect();
    assert_eq!(values.len(), 21, "{line}");
    [7, 9, 10, 11, 12, 13, 17].map(|column| values[column]).join(" | ")
}

#[test]
fn every_kind_of_answer_is_stored_with_its_reason() {
    let workspace = workspace(&[
        "safe:a/says_safe.yml",
        "unsafe:a/says_unsafe.yml",
        "safe:b/gives_up.yml",
        "safe:b/unsupported.yml",
        "safe:b/refuses.yml",
        "safe:b/crashes.yml",
        "safe:b/panics.yml",
        "safe:c/misunderstands.yml",
        "safe:c/silent.yml",
    ]);
    let answer = bench(&workspace, ". --output r.csv --json r.json");
    assert_eq!(answer.code, 0, "{answer:#?}");
    insta::assert_snapshot!(results(&workspace));
    assert!(answer.output.contains("\n2 of 9 tasks solved, score 3 of 17\n"), "{}", answer.output);
    assert!(answer.messages.starts_with("[1/9] correct "), "{}", answer.messages);
    let json: serde_json::Value = serde_json::from_str(&workspace.read("r.json")).expect("it is JSON");
    assert_eq!(json["settings"]["tool"], "fake 1.0");
    assert_eq!(json["results"].as_array().map(Vec::len), Some(9));
}

#[test]
fn wrong_verdicts_are_shown_first_and_are_a_failure() {
    let workspace = workspace(&[
        "safe:a/says_safe.yml",
        "unsafe:z/says_safe_wrongly.yml",
        "safe:z/says_unsafe_wrongly.yml",
        "safe:b/says_safe_bad_evidence.yml",
    ]);
    let answer = bench(&workspace, ". --certify");
    assert_eq!(answer.code, 10, "{answer:#?}");
    let head = "wrong verdicts: 2\n  z/says_safe_wrongly.yml: expected unsafe, found safe (certified)\n  \
                z/says_unsafe_wrongly.yml: expected safe, found unsafe (replayed)\n\n\
                rejected evidence: 1\n  b/says_safe_bad_evidence.yml: safe: consecution fails at a.c:3\n\nfolder";
    assert!(answer.output.starts_with(head), "{}", answer.output);
    assert!(answer.output.contains("1 of 4 tasks solved, score -46 of 7\n"), "{}", answer.output);
}

#[test]
fn evidence_is_checked_if_asked_for() {
    let workspace = workspace(&[
        "safe:says_safe.yml",
        "unsafe:says_unsafe.yml",
        "safe:says_safe_bad_evidence.yml",
        "unsafe:says_unsafe_bad_evidence.yml",
        "safe:says_safe_no_evidence.yml",
        "safe:gives_up.yml",
    ]);
    let answer = bench(&workspace, ". --certify --evidence kept --output r.csv");
    assert_eq!(answer.code, 10, "{answer:#?}");
    insta::assert_snapshot!(results(&workspace));
    assert!(workspace.path().join("kept/0002-says_safe.certificate").exists());
}

#[test]
fn the_checker_is_told_engine_and_limits() {
    let workspace = workspace(&["safe:says_safe.yml"]);
    bench(&workspace, "says_safe.yml --engine bmc --time-limit 1500ms --memory-limit 1GiB");
    let expected = "check says_safe.yml --engine bmc --format json --threads 1 --time-limit 1500ms \
                    --memory-limit 1073741824B\n";
    assert_eq!(workspace.read("calls"), expected);
}

#[test]
fn time_and_memory_are_limited_from_outside() {
    let workspace = workspace(&["safe:loops.yml", "safe:eats.yml"]);
    let answer = bench(&workspace, ". --jobs 2 --time-limit 100ms --memory-limit 50MB --output r.csv");
    assert_eq!(answer.code, 0, "{answer:#?}");
    insta::assert_snapshot!(results(&workspace));
}

#[test]
fn tasks_are_found_in_directories_sets_and_by_patterns() {
    let names = ["a/1_says_safe.yml", "a/2_says_safe.yml", "b/3_says_safe.yml", "b/deep/4_says_safe.yml"];
    let workspace = workspace(&names.map(|name| format!("safe:{name}")).each_ref().map(String::as_str));
    workspace.write(
        "sets/some.set",
        b"# a comment\n../a/1*.yml   # the first\n\n../b/deep/4_says_safe.yml\nnone/*.yml\n",
    );
    workspace.write("b/other.yml", b"name: not a task\n");
    let tasks = |arguments: &str| {
        let answer = bench(&workspace, arguments);
        assert_eq!(answer.code, 0, "{answer:#?}");
        let calls = workspace.read("calls");
        workspace.write("calls", b"");
        let tasks = calls.lines().map(|call| call.split(' ').nth(1).expect("a task").to_owned());
        (tasks.collect::<Vec<_>>().join(" "), answer.messages)
    };
    assert_eq!(tasks("./").0, names.join(" "));
    assert_eq!(tasks("a/*.yml a").0, "a/1_says_safe.yml a/2_says_safe.yml");
    let (found, messages) = tasks("sets/some.set");
    assert_eq!(found, "a/1_says_safe.yml b/deep/4_says_safe.yml");
    assert!(messages.starts_with("note: nothing matches sets/some.set:5: none/*.yml\n"), "{messages}");
}

#[test]
fn tasks_that_cannot_be_judged_are_skipped_with_a_note() {
    let workspace = workspace(&["safe:says_safe.yml"]);
    add_task(&workspace, "1_termination.yml", "termination.prp", "true");
    add_task(&workspace, "2_termination.yml", "termination.prp", "false");
    workspace.write("bad.yml", b"format_version: '2.0'\ninput_files: 'missing.c'\n");
    workspace.write("plain.yml", b"format_version: '2.0'\ninput_files: 'program.c'\n");
    workspace.write("up/sequence.yml", b"versions:\n  - file: ../program.c\n");
    let answer = bench(&workspace, ".");
    assert_eq!(answer.code, 0, "{answer:#?}");
    let notes: String =
        answer.messages.lines().filter(|line| line.starts_with("note")).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(notes);
}

#[test]
fn names_that_lead_nowhere_are_refused() {
    let workspace = workspace(&["safe:says_safe.yml"]);
    workspace.write("empty/x", b"");
    workspace.write("bad.yml", b"format_version: '9.0'\ninput_files: 'program.c'\n");
    workspace.write("bad.set", b"***.yml\n");
    for (arguments, part) in [
        ("nothing", "there is no `nothing`"),
        ("none*.yml", "no file matches `none*.yml`"),
        ("program.c", "`program.c` is neither a task definition (`.yml`) nor a `.set` file"),
        ("empty", "there is no task with an expected verdict"),
        ("bad.yml", "format version `9.0` of task definitions is not supported"),
        ("bad.set", "bad.set:1: malformed pattern `***.yml`"),
    ] {
        bench(&workspace, arguments).assert_refused(part);
    }
    let missing = workspace.rorqual("bench says_safe.yml --tool ./no-tool");
    missing.assert_refused("cannot run `./no-tool`: No such file or directory");
}

#[test]
fn a_checker_that_does_not_understand_us_ends_the_run() {
    let workspace = workspace(&["safe:1_misunderstands.yml", "safe:2_says_safe.yml"]);
    let answer = bench(&workspace, ". --output r.csv");
    assert_eq!((answer.code, answer.output.as_str()), (64, ""));
    assert!(answer.messages.starts_with("error: `./tool` does not understand how it is called: what?\n"));
    assert!(!workspace.path().join("r.csv").exists(), "an empty file would be in the way");
}

#[test]
fn results_are_never_overwritten_but_gone_on_with() {
    let workspace = workspace(&["safe:1_says_safe.yml", "safe:2_gives_up.yml"]);
    assert_eq!(bench(&workspace, "1_says_safe.yml --output r.csv").code, 0);
    let again = bench(&workspace, ". --output r.csv");
    assert_eq!(again.code, 64);
    assert!(again.messages.starts_with("error: `r.csv` exists already\n  = help: go on with `--resume`"));
    let other = bench(&workspace, ". --output r.csv --resume --engine bmc");
    assert_eq!(other.code, 64);
    assert!(other.messages.contains("`r.csv` were made with engine `auto`, not `bmc`"), "{other:#?}");
    let resumed = bench(&workspace, ". --output r.csv --resume --json r.json");
    assert_eq!(resumed.code, 0, "{resumed:#?}");
    assert!(resumed.messages.starts_with("1 of 2 tasks have a result already\n[2/2] unknown "));
    assert_eq!(workspace.read("calls").lines().count(), 2, "each task was checked once");
    assert!(results(&workspace).starts_with("1_says_safe.yml | safe | correct"));
    assert!(workspace.read("r.json").contains("1_says_safe.yml"));
}

#[test]
fn a_full_disk_keeps_what_is_stored() {
    let names: Vec<String> = (1..=9).map(|number| format!("safe:{number}_says_safe.yml")).collect();
    let workspace = workspace(&names.iter().map(String::as_str).collect::<Vec<_>>());
    // A limit for the size of files stops writes half-way, as a full disk does.
    let script = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} bench --tool ./tool . --output r.csv --json r.json",
        binary().display()
    );
    let output = Command::new("sh").args(["-c", &script]).current_dir(workspace.path()).output();
    let answer = workspace.answer(output.expect("the shell starts"));
    assert_eq!(answer.code, 70, "{answer:#?}");
    assert!(answer.messages.contains("error: cannot write to `r."), "{answer:#?}");
    assert!(answer.messages.contains("File too large"), "{answer:#?}");
    assert!(answer.messages.contains("= help: make room, then go on with `--resume`"));
    let stored = results(&workspace).lines().count();
    assert!(stored > 0 && stored < 9, "{stored}");
    serde_json::from_str::<serde_json::Value>(&workspace.read("r.json")).expect("it is JSON");
    let resumed = bench(&workspace, ". --output r.csv --resume");
    assert_eq!(resumed.code, 0, "{resumed:#?}");
    assert_eq!(results(&workspace).lines().count(), 9);
}

/// Starts a run whose second task waits, and returns when it does and the first is stored.
fn start_waiting(workspace: &Workspace) -> (Child, String) {
    let mut command = workspace.command("bench --tool ./tool . --output r.csv --json r.json");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let pid = workspace.path().join("pid");
    eventually(|| std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')));
    eventually(|| workspace.read("r.csv").lines().count() == 2);
    (child, workspace.read("pid").trim().to_owned())
}

#[track_caller]
fn eventually(condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_mins(1), "this never happens");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether the process is there and not just waiting to be buried.
fn is_alive(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.starts_with(" Z"))
}

#[test]
fn an_interrupted_run_keeps_its_results_and_goes_on() {
    let workspace = workspace(&["safe:1_says_safe.yml", "safe:2_waits.yml", "safe:3_says_safe.yml"]);
    let (child, waiting) = start_waiting(&workspace);
    send("INT", child.id());
    let answer = workspace.answer(child.wait_with_output().expect("the process ends"));
    assert_eq!(answer.code, 20, "{answer:#?}");
    assert!(!is_alive(&waiting));
    assert!(
        answer.output.ends_with("1 of 1 tasks solved, score 2 of 2\nfound: 1 by ic3\n"),
        "{}",
        answer.output
    );
    assert!(answer.messages.ends_with("interrupted: 1 of 3 tasks have a result; go on with `--resume`\n"));
    assert_eq!(results(&workspace), "1_says_safe.yml | safe | correct |  |  | ic3 | ");
    let json: serde_json::Value = serde_json::from_str(&workspace.read("r.json")).expect("it is JSON");
    assert_eq!(json["results"].as_array().map(Vec::len), Some(1));
    add_task(&workspace, "2_waits.yml", "termination.prp", "true");
    let resumed = bench(&workspace, ". --output r.csv --resume");
    assert_eq!(resumed.code, 0, "{resumed:#?}");
    assert_eq!(results(&workspace).lines().count(), 2);
}

#[test]
fn a_run_that_is_killed_leaves_no_processes_and_good_files() {
    let workspace = workspace(&["safe:1_says_safe.yml", "safe:2_waits.yml"]);
    let (mut child, waiting) = start_waiting(&workspace);
    send("KILL", child.id());
    child.wait().expect("the process ends");
    eventually(|| !is_alive(&waiting));
    assert_eq!(results(&workspace), "1_says_safe.yml | safe | correct |  |  | ic3 | ");
    serde_json::from_str::<serde_json::Value>(&workspace.read("r.json")).expect("it is JSON");
}

const HEADER: &str = "version,tool,engine,threads,time_limit_s,memory_limit_bytes,certify,task,expected,verdict,status,\
                      reason_class,reason,origin,cpu_s,wall_s,memory_bytes,evidence,evidence_cpu_s,evidence_wall_s,\
                      evidence_memory_bytes\n";

/// A result file with rows `task,expected,verdict,status,class,reason,cpu`.
fn table(engine: &str, rows: &[&str]) -> String {
    let row = |row: &&str| {
        format!("2,rorqual 0.1.0,{engine},1,60.000000,4000000000,false,{row},1.000000,50000000,,,,\n")
    };
    HEADER.to_owned() + &rows.iter().map(row).collect::<Vec<_>>().concat()
}

#[test]
fn two_result_files_are_compared() {
    let old = table(
        "impact",
        &[
            "a/same.yml,safe,safe,correct,,,,1.000000",
            "a/faster.yml,unsafe,unsafe,correct,,,,8.000000",
            "a/lost.yml,safe,safe,correct,,,,3.000000",
            "a/new.yml,safe,unknown,unknown,timeout,timeout,,60.000000",
            "b/broken.yml,unsafe,unknown,unknown,crash,\"crash (signal 11, SIGSEGV)\",,0.500000",
            "b/repaired.yml,safe,unsafe,wrong,,,,0.500000",
            "b/gone.yml,safe,safe,correct,,,,0.500000",
        ],
    );
    let new = table(
        "bmc",
        &[
            "a/same.yml,safe,safe,correct,,,,1.000000",
            "a/faster.yml,unsafe,unsafe,correct,,,,2.000000",
            "a/lost.yml,safe,unknown,unknown,memory,out of memory,,59.000000",
            "a/new.yml,safe,safe,correct,,,,42.000000",
            "b/broken.yml,unsafe,safe,wrong,,,,0.500000",
            "b/repaired.yml,safe,unknown,unknown,gave up,no idea,,0.500000",
        ],
    );
    let workspace = Workspace::new(&[("old.csv", &old), ("new.csv", &new)]);
    let answer = workspace.rorqual("bench compare old.csv new.csv --scatter s.svg --cactus c.svg");
    assert_eq!((answer.code, answer.messages.as_str()), (10, ""));
    insta::assert_snapshot!(answer.output);
    assert!(workspace.read("s.svg").contains("<title>CPU time per task: old.csv against new.csv</title>"));
    assert!(workspace.read("c.svg").contains("old.csv (4 solved)"));
    let same = workspace.rorqual("bench compare old.csv old.csv");
    assert_eq!(same.code, 0);
    assert!(same.output.contains("no status changed"));
}

#[test]
fn result_files_that_cannot_be_compared_are_refused() {
    let good = table("impact", &["a.yml,safe,safe,correct,,,,1.000000"]);
    let other = table("impact", &["b/c.yml,safe,safe,correct,,,,1.000000"]);
    let bad = table("impact", &["a.yml,safe,safe,correct,,,,soon"]);
    let workspace = Workspace::new(&[
        ("good.csv", &good),
        ("other.csv", &other),
        ("bad.csv", &bad),
        ("text.csv", "hello\n"),
    ]);
    for (second, part) in [
        ("bad.csv", "cannot read `bad.csv`: line 2: `cpu_s` cannot be `soon`: expected seconds"),
        ("text.csv", "cannot read `text.csv`: line 1: this is not a result file of `rorqual bench`"),
        ("none.csv", "cannot read `none.csv`: No such file or directory"),
        ("other.csv", "`good.csv` and `other.csv` have no task in common"),
    ] {
        workspace.rorqual(&format!("bench compare good.csv {second}")).assert_refused(part);
    }
}
