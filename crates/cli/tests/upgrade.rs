//! `upgrade`: versions of a program, in files and in git.

use std::path::Path;
use std::process::{Command, Output};

/// A queue of 8 items; `HERE` says when it is full.
const QUEUE: &str = "static int items[8]; static int head, count;
int put(int value) { if (HERE) return 0; items[(head + count) % 8] = value; count++; return 1; }
int get(int *value) { if (count == 0) return 0; *value = items[head]; head = (head + 1) % 8; count--; return 1; }
int size(void) { return count; }
";

const HARNESS: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void); int put(int); int get(int *); int size(void);
int main(void) {
    while (__VERIFIER_nondet_int()) {
        int value = 0;
        if (__VERIFIER_nondet_int()) put(__VERIFIER_nondet_int()); else get(&value);
        assert(size() >= 0 && size() <= 8);
    }
    return 0;
}
";

fn rorqual(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rorqual"));
    command.args(arguments).current_dir(directory).output().expect("rorqual runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Without times.
fn timeless(output: &Output) -> String {
    let words = text(&output.stdout);
    let is_time = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    let lines = words.lines().map(|line| {
        line.split(' ').map(|word| if is_time(word) { "TIME" } else { word }).collect::<Vec<_>>().join(" ")
            + "\n"
    });
    lines.collect()
}

fn write(directory: &Path, name: &str, content: &str) {
    std::fs::write(directory.join(name), content).expect("the directory can be written");
}

#[test]
fn a_change_that_keeps_a_property_and_one_that_breaks_it() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    write(directory, "main.c", HARNESS);
    write(directory, "old.c", &QUEUE.replace("HERE", "count == 8"));
    write(directory, "good.c", &QUEUE.replace("HERE", "count >= 8").replace("items", "/* all */ items"));
    write(directory, "bad.c", &QUEUE.replace("HERE", "count > 8"));
    let good = rorqual(directory, &["upgrade", "main.c", "old.c", "--to", "main.c", "good.c"]);
    assert_eq!(good.status.code(), Some(0), "{}", text(&good.stderr));
    insta::assert_snapshot!(timeless(&good));
    let bad = rorqual(directory, &["upgrade", "main.c", "old.c", "--to", "main.c", "bad.c"]);
    assert_eq!(bad.status.code(), Some(10), "{}", text(&bad.stderr));
    insta::assert_snapshot!(timeless(&bad));
    let table = ["upgrade", "main.c", "bad.c", "--to", "main.c", "good.c", "--format", "markdown"];
    insta::assert_snapshot!(timeless(&rorqual(directory, &table)));
    let json =
        rorqual(directory, &["upgrade", "main.c", "old.c", "--to", "main.c", "bad.c", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("it is JSON");
    assert_eq!(report["properties"]["broken"][0]["id"], "main.assertions.1");
    assert_eq!(report["suspects"], serde_json::json!(["put"]));
}

/// A proof of an earlier version counts only as far as it holds for the new one.
#[test]
fn an_earlier_proof_hides_no_violation() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let program = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int step(int x) { return x < 90 ? x + 3 : x; }
        int main(void) { int x = 0; while (__VERIFIER_nondet_int()) { x = step(x); if (x > LIMIT) reach_error(); } return 0; }";
    write(directory, "p.c", &program.replace("LIMIT", "92"));
    let verdict = |more: &[&str]| {
        let all = [&["check", "p.c", "--store", "proofs"][..], more].concat();
        text(&rorqual(directory, &all).stdout)
    };
    assert!(verdict(&[]).starts_with("safe\n"));
    for (from, to, is_safe) in [("x + 3", "x + 2", true), ("x < 90", "x < 91", false), ("LIMIT", "89", false)]
    {
        write(directory, "p.c", &program.replace(from, to).replace("LIMIT", "92"));
        let found = verdict(&[]);
        assert_eq!(found.starts_with("safe\n"), is_safe, "{from} to {to}: {found}");
        assert_eq!(found.starts_with("unsafe"), !is_safe, "{from} to {to}: {found}");
    }
}

#[test]
fn commits_of_a_repository() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=n", "-c", "user.email=e@example.org"]).args(arguments);
        command.current_dir(directory).output().is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "--quiet"]) {
        eprintln!("skipped: git is not installed");
        return;
    }
    let commit = |subject: &str, condition: &str| {
        write(directory, "queue.c", &QUEUE.replace("HERE", condition));
        assert!(git(&["add", "--all"]) && git(&["commit", "--quiet", "--message", subject]));
    };
    write(directory, "main.c", HARNESS);
    commit("a queue", "count == 8");
    commit("a comment", "/* full */ count == 8");
    commit("a typo", "count == ");
    commit("another condition", "count > 8");
    commit("the right one", "count >= 8");
    let first = rorqual(directory, &["upgrade", "--git", "HEAD~4..HEAD", "main.c", "queue.c"]);
    assert_eq!(first.status.code(), Some(10), "{}", text(&first.stderr));
    let output = text(&first.stdout);
    let verdicts: Vec<&str> =
        output.lines().filter(|line| !line.starts_with(' ')).map(|line| &line[11..]).collect();
    for (line, start) in
        verdicts.iter().zip(["safe (first", "safe (0 changed", "does not compile", "unsafe (1 changed"])
    {
        assert!(line.starts_with(start), "{output}");
    }
    assert_eq!(verdicts.len(), 4, "{output}");
    assert!(
        output.contains("  breaks main.assertions.1") && output.contains("by a change of: put"),
        "{output}"
    );
    let all = rorqual(directory, &["upgrade", "--git", "HEAD~4..HEAD", "--keep-going", "main.c", "queue.c"]);
    assert_eq!(text(&all.stdout).lines().filter(|line| !line.starts_with(' ')).count(), 5);
    assert_eq!(all.status.code(), Some(10));
    assert!(
        !git(&["diff", "--quiet", "HEAD~1"]) && git(&["diff", "--quiet", "HEAD"]),
        "the work tree is as it was"
    );
    let gone = rorqual(directory, &["upgrade", "--git", "nowhere..HEAD", "main.c"]);
    assert_eq!(gone.status.code(), Some(65));
    assert!(text(&gone.stderr).contains("there is no revision `nowhere`"));
    let no_range = rorqual(directory, &["upgrade", "--git", "HEAD", "main.c"]);
    assert_eq!(no_range.status.code(), Some(64), "{}", text(&no_range.stderr));
}

/// A property whose number has changed because another one came before it is still the same.
#[test]
fn a_property_that_has_moved_is_not_broken() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let program = "#include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); HERE assert(x != 3); if (x < 9) assert(x < 10); return 0; }";
    write(directory, "old.c", &program.replace("HERE", ""));
    write(directory, "moved.c", &program.replace("HERE", "if (x > 5) assert(x > 4);"));
    write(directory, "worse.c", &program.replace("HERE", "").replace("x < 10", "x < 8"));
    let report = |new: &str| -> serde_json::Value {
        let all = ["upgrade", "old.c", "--to", new, "--format", "json"];
        serde_json::from_slice(&rorqual(directory, &all).stdout).expect("it is JSON")
    };
    let moved = report("moved.c");
    assert_eq!(moved["new"]["verdict"], "unsafe");
    assert_eq!(moved["properties"]["broken"], serde_json::json!([]), "{moved:#}");
    assert_eq!(moved["properties"]["fixed"], serde_json::json!([]), "{moved:#}");
    let broken = &report("worse.c")["properties"]["broken"];
    assert_eq!(broken.as_array().map(Vec::len), Some(1), "{broken:#}");
    assert_eq!(broken[0]["id"], "main.assertions.2");
    assert_eq!(broken[0]["id_before"], "main.assertions.2");
}

/// The invariant of the old version bounds `x` by 92, which is too little for the new one; the loop is proved all the same.
#[test]
fn a_proof_that_no_longer_holds_is_no_obstacle() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let program = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) { unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { if (x < 90) { x += STEP; y += STEP; }
            if (x != y || x > 200) reach_error(); } return 0; }";
    for step in ["3", "7", "4"] {
        write(directory, "p.c", &program.replace("STEP", step));
        let found = rorqual(directory, &["check", "p.c", "--store", "proofs"]);
        assert!(text(&found.stdout).starts_with("safe\n"), "{step}: {}", text(&found.stdout));
    }
    write(directory, "p.c", &program.replace("STEP", "3").replace("x += 3; y += 3;", "x += 3; y += 2;"));
    let found = rorqual(directory, &["check", "p.c", "--store", "proofs"]);
    assert!(text(&found.stdout).starts_with("unsafe"), "{}", text(&found.stdout));
}

#[test]
fn merges_and_submodules_of_a_repository() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=n", "-c", "user.email=e@example.org"]).args(arguments);
        command.current_dir(directory).output().is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "--quiet", "--initial-branch=main"]) {
        eprintln!("skipped: git is not installed");
        return;
    }
    let commit = |name: &str, content: &str| {
        write(directory, name, content);
        assert!(git(&["add", "--all"]) && git(&["commit", "--quiet", "--message", name]));
    };
    commit("a.c", "int main(void) { return 0; }\n");
    assert!(git(&["checkout", "--quiet", "-b", "side"]));
    commit("side.c", "int side;\n");
    assert!(git(&["checkout", "--quiet", "main"]));
    commit("b.c", "int other;\n");
    assert!(git(&["merge", "--quiet", "--message", "a merge", "side"]));
    let merged = rorqual(directory, &["upgrade", "--git", "HEAD~2..HEAD", "a.c"]);
    let lines = text(&merged.stdout);
    assert_eq!(lines.lines().count(), 3, "the first parent is followed: {lines}");
    assert!(lines.contains("safe (0 changed") && lines.contains("a merge"), "{lines}");
    write(directory, ".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = https://example.org/sub\n");
    commit("a.c", "#include \"sub/n.h\"\nint main(void) { return N; }\n");
    let missing = text(&rorqual(directory, &["upgrade", "--git", "HEAD~1..HEAD", "a.c"]).stdout);
    assert!(missing.contains("does not compile (not compared"), "{missing}");
    assert!(missing.contains("note: the commit has submodules, which are not fetched"), "{missing}");
}

/// Rules about calls are properties of all versions.
#[test]
fn a_change_that_breaks_a_rule_about_calls() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let driver = |leave: &str| {
        format!(
            "extern void lock(int *); extern void unlock(int *); extern int __VERIFIER_nondet_int(void); int l;
            int work(int n) {{ lock(&l); if (n > 3) {{ {leave} return 1; }} unlock(&l); return 0; }}
            int main(void) {{ int n = __VERIFIER_nondet_int(); while (n-- > 0) work(n); return 0; }}"
        )
    };
    let rule = "spec turns; state open, closed;
        on call lock(_) { closed -> error \"locked twice\"; open -> closed; }
        on call unlock(_) { open -> error \"not locked\"; closed -> open; }";
    write(directory, "turns.spec", rule);
    write(directory, "old.c", &driver("unlock(&l);"));
    write(directory, "same.c", &driver("/* all is well */ unlock(&l);"));
    write(directory, "bad.c", &driver(""));
    let upgrade = |new: &str| rorqual(directory, &["upgrade", "old.c", "--to", new, "--spec", "turns.spec"]);
    let same = upgrade("same.c");
    assert_eq!(same.status.code(), Some(0), "{}", text(&same.stderr));
    let report = text(&same.stdout);
    assert!(report.contains("2 answered by earlier proofs and violations, 0 broken"), "{report}");
    let bad = upgrade("bad.c");
    assert_eq!(bad.status.code(), Some(10), "{}", text(&bad.stderr));
    let report = text(&bad.stdout);
    assert!(report.contains("locked twice") && report.contains("by a change of: work"), "{report}");
}

/// The properties of the last check, with what the store was good for.
fn checked(directory: &Path, program: &str, more: &[&str]) -> serde_json::Value {
    write(directory, "p.c", program);
    let all = [&["check", "p.c", "--store", "proofs", "--format", "json"][..], more].concat();
    serde_json::from_slice(&rorqual(directory, &all).stdout).expect("it is JSON")
}

/// `count` was recursive and has a contract. In the new version it is not, and what the contract says is not so any more; the
/// caller is proved from the new body, or refuted.
#[test]
fn a_contract_that_no_longer_holds_is_given_up() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let program = |body: &str, limit: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
            int step(int x) {{ return x < 90 ? x + 3 : x; }}
            int count(int n) {{ {body} }}
            int main(void) {{ int x = count(__VERIFIER_nondet_int()); if (x > {limit} || x < 0) reach_error(); return 0; }}"
        )
    };
    let old = program("if (n <= 0) return 0; return step(count(n - 1));", "92");
    let first = checked(directory, &old, &["--engine", "whale"]);
    assert_eq!(first["verdict"], "safe", "{first:#}");
    assert_eq!(first["store"]["given_up"], serde_json::json!([]));
    let body = "return n < 0 ? 0 : n > 95 ? 95 : n;";
    let safe = checked(directory, &program(body, "95"), &["--engine", "whale", "--store-mode", "read-only"]);
    assert_eq!(safe["verdict"], "safe", "{safe:#}");
    assert_eq!(safe["store"]["adapted"], 1, "{safe:#}");
    assert_eq!(safe["store"]["given_up"], serde_json::json!(["count"]), "{safe:#}");
    let bad = checked(directory, &program(body, "94"), &["--store-mode", "read-only"]);
    assert_eq!(bad["verdict"], "unsafe", "{bad:#}");
    assert_eq!(bad["store"]["adapted"], 0, "{bad:#}");
}

/// Two functions change, and the violation comes to one of them only.
#[test]
fn a_change_that_a_violation_does_not_come_to_is_not_to_blame() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let program = |less: &str, most: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
            int lower(int x) {{ return {less}; }}
            int upper(int x) {{ return {most}; }}
            int main(void) {{ int x = __VERIFIER_nondet_int();
                if (x < 0) {{ if (lower(x) > 0) reach_error(); }} else if (upper(x) < 0) reach_error();
                return 0; }}"
        )
    };
    write(directory, "old.c", &program("x", "x"));
    write(directory, "new.c", &program("x + 0 * x + 1", "-x"));
    let json = rorqual(directory, &["upgrade", "old.c", "--to", "new.c", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("it is JSON");
    assert_eq!(report["suspects"], serde_json::json!(["upper"]), "{report:#}");
    let changes = |name: &str| {
        let functions = report["functions"].as_array().into_iter().flatten();
        functions.filter(|one| one["name"] == name).map(|one| one["change"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(changes("upper"), ["changed, violated"]);
    assert_ne!(changes("lower"), ["changed, violated"]);
}
