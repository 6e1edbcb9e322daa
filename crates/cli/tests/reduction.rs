//! `show reduction`: the C text without recursion compiles, runs like the original, and is read again.

mod support;

use std::process::Command;

use support::{Answer, Workspace, binary};

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct pair { int low; int high; }; static int table[3] = { 1, 2, 3 }; static int calls;
static int fib(int n) { calls++; if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
static void fill(struct pair *out, unsigned char n) { if (n == 0) { out->low = table[1]; return; }
    fill(out, n - 1); out->high = out->low + n; }
int main(void) { struct pair p = { 0, 0 }; int n = __VERIFIER_nondet_int(); fill(&p, 3);
    if (fib(n) != 8 || p.high != 5) reach_error(); return 7; }";

/// What a program needs to run: an input, and an error that shows.
const RUNTIME: &str = "extern void exit(int); int __VERIFIER_nondet_int(void) { return 6; }
    void reach_error(void) { exit(1); } void __VERIFIER_nondet_memory(void *p, unsigned long n) { }";

/// The status with which a text ends, compiled by gcc.
fn status(text: &str) -> Option<i32> {
    let workspace = Workspace::new(&[("reduced.c", text), ("runtime.c", RUNTIME)]);
    let compiled = Command::new("gcc")
        .args(["-w", "-fwrapv", "-o", "reduced", "reduced.c", "runtime.c"])
        .current_dir(workspace.path())
        .status();
    assert!(compiled.expect("gcc is there").success(), "{text}");
    Command::new(workspace.path().join("reduced")).status().expect("it starts").code()
}

#[test]
fn the_text_runs_as_deep_as_asked_for() {
    let workspace = Workspace::new(&[("program.c", PROGRAM)]);
    let text = |k: usize| workspace.rorqual(&format!("show reduction program.c --k {k}")).output;
    // Calls of `fib(6)` are six deep, and those that are deeper than allowed end the program.
    assert_eq!(status(&text(6)), Some(7));
    assert_eq!(status(&text(3)), Some(0));
}

#[test]
fn the_text_is_a_program_without_recursion() {
    let workspace = Workspace::new(&[("program.c", PROGRAM)]);
    let text = workspace.rorqual("show reduction program.c --k 2").output;
    workspace.write("reduced.c", text.as_bytes());
    let again = workspace.rorqual("show reduction reduced.c").output;
    assert!(again.contains("fib__2") && !again.contains("fib__2__1"), "{again}");
}

#[test]
fn an_analyzer_needs_the_engine() {
    let workspace = Workspace::new(&[("program.c", PROGRAM)]);
    let answer = workspace.rorqual("check program.c --engine whale --analyzer impact");
    assert_eq!(answer.code, 64);
    assert!(
        answer.messages.contains("`--analyzer` needs `--engine reduction` (found `whale`)"),
        "{answer:?}"
    );
}

/// The binary as its own external analyzer.
fn check_with_another(text: &str) -> Answer {
    let workspace = Workspace::new(&[("program.c", text)]);
    let analyzer = format!("{} check {{task}} --engine impact --witness {{witness}}", binary().display());
    let mut command =
        workspace.command("check program.c --engine reduction --time-limit 60s --analyzer-command");
    workspace.answer(command.arg(analyzer).output().expect("the binary starts"))
}

#[test]
fn another_verifier_is_the_analyzer() {
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        static int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
        int main(void) { if (f(__VERIFIER_nondet_int()) < HERE) reach_error(); return 0; }";
    let safe = check_with_another(&text.replace("HERE", "91"));
    assert_eq!(safe.code, 0, "{safe:?}");
    let violated = check_with_another(&text.replace("HERE", "92"));
    assert_eq!(violated.code, 10, "{violated:?}");
}

#[test]
fn a_verifier_that_says_nothing_decides_nothing() {
    let workspace = Workspace::new(&[("program.c", PROGRAM)]);
    let mut command = workspace.command("check program.c --engine reduction --analyzer-command true");
    let answer = workspace.answer(command.output().expect("the binary starts"));
    assert_eq!(answer.code, 20, "{answer:?}");
    assert!(answer.output.contains("what the external analyzer answers (no witness)"), "{answer:?}");
}
