//! Specification automata: those that are shipped, mistakes in others, and what their proofs are worth.

mod support;

use std::path::{Path, PathBuf};

use support::Workspace;

const LOCKS: &str = "\
void mutex_lock(int *lock);
void mutex_unlock(int *lock);
int __VERIFIER_nondet_int(void);
int main(void) {
    int lock;
    while (__VERIFIER_nondet_int()) {
        mutex_lock(&lock);
        if (__VERIFIER_nondet_int() != 7) mutex_unlock(&lock); else HERE;
    }
    return 0;
}
";

fn specs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs")
}

/// The specification that an example is written for, from its second line or its first one.
fn specification(text: &str) -> &str {
    let command = text.lines().find(|line| line.contains("--spec ")).expect("the command is in a comment");
    command.rsplit("--spec specs/").next().expect("it has a specification")
}

#[test]
fn examples_keep_to_their_specifications_unless_they_are_bugs() {
    let workspace = Workspace::new(&[]);
    let mut examples: Vec<PathBuf> = std::fs::read_dir(specs().join("examples"))
        .expect("there are examples")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    examples.sort();
    assert!(examples.len() > 20, "{examples:?}");
    for example in examples {
        let text = std::fs::read_to_string(&example).expect("it can be read");
        let spec = specs().join(specification(&text));
        let is_bug = example.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("-bug"));
        let command = format!(
            "check {} --spec {} --engine predicate --stop-on-violation",
            example.display(),
            spec.display()
        );
        let answer = workspace.rorqual(&command);
        assert_eq!(answer.code, if is_bug { 10 } else { 0 }, "{command}\n{answer:?}");
    }
}

/// Drivers with the kinds of bugs that such tools were made for, with several specifications at once.
#[test]
fn drivers_keep_to_their_specifications_unless_they_are_bugs() {
    let root = specs().join("..");
    let workspace = Workspace::new(&[]);
    let rules = [
        ("parallel", &["examples/drivers/requests.spec", "examples/drivers/spinlock.spec"][..]),
        ("network", &["specs/lock.spec"]),
    ];
    for (name, rules) in rules {
        let rules: Vec<String> =
            rules.iter().map(|rule| format!(" --spec {}", root.join(rule).display())).collect();
        let rules = rules.concat();
        for engine in ["predicate", "auto"] {
            for (suffix, code) in [("", 0), ("-bug", 10)] {
                let program = root.join(format!("examples/drivers/{name}{suffix}.c"));
                let command = format!(
                    "check {}{rules} --engine {engine} --stop-on-violation --time-limit 60s",
                    program.display()
                );
                let answer = workspace.rorqual(&command);
                assert_eq!(answer.code, code, "{command}\n{answer:?}");
            }
        }
    }
}

#[test]
fn every_engine_knows_specifications() {
    let (safe, buggy) = (LOCKS.replace("HERE", "mutex_unlock(&lock)"), LOCKS.replace("HERE", "break"));
    let workspace = Workspace::new(&[("safe.c", &safe), ("buggy.c", &buggy)]);
    let spec = specs().join("lock.spec");
    for engine in ["auto", "impact", "predicate", "bmc"] {
        let answer = workspace.rorqual(&format!(
            "check buggy.c --spec {} --engine {engine} --stop-on-violation --time-limit 60s",
            spec.display()
        ));
        assert_eq!(answer.code, 10, "{engine}: {answer:?}");
        assert!(answer.output.contains("<lock>state = 1"), "the automaton's steps are shown: {answer:?}");
    }
    for engine in ["auto", "impact", "predicate"] {
        let command = format!("check safe.c --spec {} --engine {engine} --certificate proof", spec.display());
        assert_eq!(workspace.rorqual(&command).code, 0, "{engine}");
        let certify = format!("certify safe.c --spec {} --certificate proof", spec.display());
        assert_eq!(workspace.rorqual(&certify).code, 0, "{engine}");
    }
    // A proof with a specification is none without it.
    assert_ne!(workspace.rorqual("certify safe.c --certificate proof").code, 0);
}

#[test]
fn mistakes_are_told_with_line_and_column() {
    let program = LOCKS.replace("HERE", "break");
    let mistakes = [
        ("state a;", "1:1", "`spec` is expected"),
        ("spec s;\nstate a, a;", "2:10", "there is a state `a` already"),
        ("spec s;\nstate a;", "1:6", "the specification has no event"),
        ("spec s;\nstate a;\non call f(_) { b -> a; }", "3:16", "there is no state `b`"),
        ("spec s;\nstate a;\non call f(int x) { a if x == null -> a; }", "3:30", "an integer is expected"),
        ("spec s;\nstate a;\non call f(int x) { a if y > 1 -> a; }", "3:25", "there is no value `y`"),
        (
            "spec s;\nstate a;\non call f(_) { a -> error; }",
            "3:26",
            "a text that says what is wrong is expected",
        ),
        ("spec s;\nstate a;\non call f(_) { a -> error \"x; }", "3:27", "the text is not closed"),
        ("spec s;\nghost int n = 0;\non call f(_) { * { n = m; } }", "3:24", "there is no value `m`"),
        ("spec s;\nstate a;\non call f(_) { a # }", "3:18", "`#` means nothing here"),
        ("spec s;\nstate a;\non call mutex_lock(int x) { a -> a; }", "3:1", "an integer is expected"),
    ];
    for (text, place, message) in mistakes {
        let workspace = Workspace::new(&[("a.c", &program), ("bad.spec", text)]);
        let answer = workspace.rorqual("check a.c --spec bad.spec");
        assert_eq!(answer.code, 65, "{text}\n{answer:?}");
        let told = format!("{answer:?}");
        assert!(told.contains(&format!("bad.spec:{place}")), "{place} of {text}\n{told}");
        assert!(told.contains(message), "{message} of {text}\n{told}");
    }
}

#[test]
fn calls_that_no_automaton_has_are_no_events() {
    let program = "#include <stdlib.h>\nint main(void) { free(malloc(1)); exit(3); }";
    for (name, column) in [("exit", 16), ("abort", 16), ("f, __VERIFIER_nondet_int", 19), ("reach_error", 16)]
    {
        let spec = format!("spec s;\nstate a;\n    on call {name}(...) {{ a -> error \"x\"; }}");
        let workspace = Workspace::new(&[("a.c", program), ("bad.spec", &spec)]);
        let answer = workspace.rorqual("check a.c --spec bad.spec");
        assert_eq!(answer.code, 65, "{name}: {answer:?}");
        let told = format!("{answer:?}");
        assert!(told.contains(&format!("bad.spec:3:{}", column - 3)), "{name}: {told}");
        assert!(told.contains("are no events"), "{name}: {told}");
    }
}

#[test]
fn events_in_handlers_and_through_pointers_and_in_models_are_seen() {
    let spec = "\
spec once;
state none, one;
on call free(pointer p) { none if p != null -> one; one if p != null -> error \"twice\"; }
on call memset(_, ...) { one -> error \"used\"; }
";
    let bodies = [
        ("int main(void) { char a[4]; free(malloc(4)); memset(a, 0, 4); return a[0]; }", true),
        ("int main(void) { char a[4]; memset(a, 0, 4); free(malloc(4)); return a[0]; }", false),
        ("int main(void) { void (*f)(void *) = free; f(malloc(1)); free(malloc(1)); return 0; }", true),
        (
            "static void f(void) { free(malloc(1)); free(malloc(1)); } int main(void) { atexit(f); return 0; }",
            true,
        ),
        ("static void f(void) { free(malloc(1)); } int main(void) { atexit(f); return 0; }", false),
        (
            "static int f(const void *a, const void *b) { free(malloc(1)); return *(char *)a - *(char *)b; }
             int main(void) { char a[3] = { 3, 2, 1 }; qsort(a, 3, 1, f); return 0; }",
            true,
        ),
    ];
    for (body, is_bug) in bodies {
        let text = format!("#include <stdlib.h>\n#include <string.h>\n{body}");
        let workspace = Workspace::new(&[("a.c", &text), ("once.spec", spec)]);
        for engine in ["predicate", "auto"] {
            let command = format!("check a.c --spec once.spec --engine {engine} --time-limit 60s");
            let answer = workspace.rorqual(&command);
            assert_eq!(answer.code, if is_bug { 10 } else { 0 }, "{engine}: {body}\n{answer:?}");
        }
    }
}

#[test]
fn stores_tell_specifications_apart_and_violations_are_replayed() {
    let buggy = LOCKS.replace("HERE", "break");
    let workspace = Workspace::new(&[("a.c", &buggy)]);
    let lock = std::fs::read_to_string(specs().join("lock.spec")).expect("it can be read");
    let check = "check a.c --spec lock.spec --store store --engine predicate --witness w.yml";
    workspace.write("lock.spec", lock.as_bytes());
    assert_eq!(workspace.rorqual(check).code, 10);
    let again = workspace.rorqual(&format!("{check} --stats"));
    assert_eq!(again.code, 10, "{again:?}");
    assert_eq!(workspace.rorqual("replay a.c --spec lock.spec --witness w.yml").code, 10);
    // Another rule is another question: with it, nobody minds a lock that is held in the end.
    let lenient = &lock[..lock.find("on exit").expect("it has one")];
    workspace.write("lock.spec", lenient.as_bytes());
    let other = workspace.rorqual("check a.c --spec lock.spec --store store --engine predicate");
    assert_eq!(other.code, 0, "{other:?}");
    assert_eq!(workspace.rorqual("check a.c --store store --engine predicate").code, 0);
}

#[test]
fn a_specification_about_other_programs_is_reported() {
    let workspace = Workspace::new(&[("a.c", "int main(void) { return 0; }")]);
    let answer = workspace.rorqual(&format!("check a.c --spec {}", specs().join("lock.spec").display()));
    assert!(
        format!("{answer:?}").contains("no event of the specification `lock` ever happens"),
        "{answer:?}"
    );
}

#[test]
fn predicates_of_one_run_serve_the_next() {
    let text = "\
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int lock = 0, old, new = __VERIFIER_nondet_int();
    do {
        if (lock != 0) reach_error();
        lock = 1;
        old = new;
        if (__VERIFIER_nondet_int()) { lock = 0; new++; }
    } while (new != old);
    if (lock != 1) reach_error();
    return 0;
}
";
    let workspace = Workspace::new(&[("a.c", text)]);
    let first = workspace.rorqual("check a.c --engine predicate --predicates-out map --stats");
    assert_eq!(first.code, 0, "{first:?}");
    assert!(format!("{first:?}").contains("refinements: "), "{first:?}");
    let second = workspace.rorqual("check a.c --engine predicate --predicates-in map --stats");
    assert_eq!(second.code, 0, "{second:?}");
    assert!(!format!("{second:?}").contains("refinements: "), "{second:?}");
    // Through the store, as well: the proof is found there, and the predicates serve a version with another proof.
    let kept = workspace.rorqual("check a.c --engine predicate --store store --stats");
    assert!(format!("{kept:?}").contains("refinements: "), "{kept:?}");
    let list = workspace.rorqual("store list store");
    assert!(list.output.contains("predicates"), "{list:?}");
    workspace.write("a.c", text.replace("int lock = 0,", "int more = 5, lock = 0,").as_bytes());
    let changed = workspace.rorqual("check a.c --engine predicate --store store --stats");
    assert_eq!(changed.code, 0, "{changed:?}");
}

#[test]
fn predicates_find_their_places_in_another_version() {
    let text = "\
void reach_error(void);
int __VERIFIER_nondet_int(void);
static int helper(int n) { if (n > 9) n = 9; return n; }
static void protocol(int new) {
    int lock = 0, old;
    do {
        if (lock != 0) reach_error();
        lock = 1;
        old = new;
        if (__VERIFIER_nondet_int()) { lock = 0; new++; }
    } while (new != old);
    if (lock != 1) reach_error();
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    protocol(n);
    return 0;
}
";
    let changed = text
        .replace("if (n > 9) n = 9;", "while (n > 9) n--;")
        .replace("int lock = 0, old;", "int more = 3, lock = 0, old; if (new > more) more++;")
        .replace("int n = __VERIFIER_nondet_int();", "int n = helper(4); n = __VERIFIER_nondet_int();")
        .replace("    return 0;\n", "    while (n > 0) n--;\n    return 0;\n");
    let gone = text.replace("do {", "{").replace("} while (new != old);", "}");
    let workspace = Workspace::new(&[("a.c", text), ("changed.c", &changed), ("gone.c", &gone)]);
    let first = workspace.rorqual("check a.c --engine predicate --predicates-out map --stats");
    assert!(first.code == 0 && first.messages.contains("refinements: "), "{first:?}");
    for program in ["a.c", "changed.c"] {
        let again =
            workspace.rorqual(&format!("check {program} --engine predicate --predicates-in map --stats"));
        assert!(again.code == 0 && !again.messages.contains("warning"), "{program}: {again:?}");
        assert!(!again.messages.contains("refinements: "), "{program}: {again:?}");
    }
    let changed = workspace.rorqual("check changed.c --engine predicate --stats");
    assert!(changed.messages.contains("refinements: "), "the map is what helps: {changed:?}");
    let gone = workspace.rorqual("check gone.c --engine predicate --predicates-in map");
    assert!(gone.messages.contains("the program has no such place or variable; ignored"), "{gone:?}");
}

#[test]
fn predicates_of_summaries_serve_the_next_run_too() {
    let text = "\
void reach_error(void);
int __VERIFIER_nondet_int(void);
static int down(int n) { if (n <= 0) return 7; return down(n - 1); }
int main(void) {
    if (down(__VERIFIER_nondet_int()) != 7) reach_error();
    return 0;
}
";
    let changed = text
        .replace("if (n <= 0)", "int extra = n; if (extra > 3) extra = 3; if (n <= 0)")
        .replace("main(void) {", "main(void) { int more = __VERIFIER_nondet_int(); if (more) more = 2;");
    let workspace = Workspace::new(&[("a.c", text), ("changed.c", &changed)]);
    let first = workspace.rorqual("check a.c --engine predicate --predicates-out map --stats");
    assert!(first.code == 0 && first.messages.contains("refinements: "), "{first:?}");
    for program in ["a.c", "changed.c"] {
        let again =
            workspace.rorqual(&format!("check {program} --engine predicate --predicates-in map --stats"));
        assert!(again.code == 0 && !again.messages.contains("warning"), "{program}: {again:?}");
        assert!(!again.messages.contains("refinements: "), "{program}: {again:?}");
    }
}

#[test]
fn functions_may_be_described_once_for_all_calls() {
    let text = "\
void reach_error(void);
int __VERIFIER_nondet_int(void);
static int next(int state) { if (state == 1) return 2; return 1; }
int main(void) {
    int state = 1;
    while (__VERIFIER_nondet_int()) { state = next(state); state = next(state); }
    if (next(state) != WANTED) reach_error();
    return 0;
}
";
    let (safe, buggy) = (text.replace("WANTED", "2"), text.replace("WANTED", "1"));
    let workspace = Workspace::new(&[("safe.c", &safe), ("buggy.c", &buggy)]);
    let options = "--engine predicate --calls summaries --time-limit 60s";
    let proved = workspace.rorqual(&format!("check safe.c {options} --certificate proof"));
    assert_eq!(proved.code, 0, "{proved:?}");
    assert_eq!(workspace.rorqual("certify safe.c --certificate proof").code, 0);
    assert_eq!(workspace.rorqual(&format!("check buggy.c {options}")).code, 10);
    let wrong = workspace.rorqual("check safe.c --engine impact --calls summaries");
    assert_eq!(wrong.code, 64, "{wrong:?}");
}

#[test]
fn hints_that_cannot_be_used_are_told_with_their_line() {
    let program = "int main(void) { return 0; }";
    let files = [
        ("a.c", program),
        ("version", "rorqual predicates 9\nend\n"),
        ("open", "rorqual predicates 2\nglobal\n  (= |x| #x00\nend\n"),
        ("place", "rorqual predicates 2\n  (= |x| #x00)\nend\n"),
        ("point", "rorqual predicates 2\nat main 3\nend\n"),
        ("end", "rorqual predicates 2\nglobal\n"),
        ("name", "rorqual predicates 2\nglobal\n  (= |x| #x00)\nend\n"),
    ];
    let workspace = Workspace::new(&files);
    for (file, line) in [("version", 1), ("open", 3), ("place", 2), ("point", 2), ("end", 2)] {
        let answer = workspace.rorqual(&format!("check a.c --engine predicate --predicates-in {file}"));
        assert_eq!(answer.code, 65, "{file}: {answer:?}");
        assert!(format!("{answer:?}").contains(&format!("{file}:{line}: ")), "{answer:?}");
    }
    let wrong = workspace.rorqual("check a.c --engine impact --predicates-in name");
    assert_eq!(wrong.code, 64, "{wrong:?}");
}
