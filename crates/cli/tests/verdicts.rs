//! Programs of `tests/programs/verdicts` with the verdicts that their first lines state:
//!
//! ```c
//! // expect: safe                            (or unsafe, or unknown)
//! // strategies: auto; bounded = unknown       (default: auto, interpolation and bounded, as expected;
//! //                                          `unknown` means that the strategy may give up)
//! // check: overflow                        (what is checked; default: assertions)
//! // run: violation                          (or fine: what `run` says with the same checks)
//! // warns: yes                              (or no: whether there is a warning)
//! // data-model: ilp32                       (default: lp64)
//! // why: what the program is about
//! ```
//!
//! A verdict alone never passes: `safe` needs a certificate that is accepted, `unsafe` a witness that replays,
//! `unknown` a reason.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use rorqual_witness::REPRODUCED_STATUS;
use support::{Answer, Workspace, skip};

/// The exit code for a defect.
const INTERNAL_ERROR: i32 = 70;

const STRATEGIES: [&str; 4] = ["auto", "interpolation", "bounded", "summaries"];

/// The strategies that must give the verdict of a program that names none.
const DEFAULT: &str = "auto, interpolation, bounded";

/// Programs whose harness is compiled: one for each kind of input and way to the error.
const HARNESSED: [&str; 5] = [
    "control/goto_backwards_bug",
    "data/struct_result_bug",
    "functions/function_pointer_bug",
    "inputs/nondet_ulonglong_bug",
    "integers/unsigned_wrap_bug",
];

/// Programs whose harness is compiled with `-fsanitize=address,undefined`, and what that must say.
const SANITIZED: [(&str, &str); 24] = [
    ("checks/bounds_index_bug", "out of bounds"),
    ("checks/bounds_row_bug", "out of bounds"),
    ("checks/bounds_either_bug", "global-buffer-overflow"),
    ("checks/bounds_heap_array_bug", "heap-buffer-overflow"),
    ("checks/bounds_heap_loop_bug", "heap-buffer-overflow"),
    ("checks/bounds_heap_realloc_bug", "heap-buffer-overflow"),
    ("checks/bounds_heap_structure_bug", "heap-buffer-overflow"),
    ("checks/div_zero_guarded_bug", "division by zero"),
    ("checks/double_free_alias_bug", "double-free"),
    ("checks/double_free_callback_bug", "double-free"),
    ("checks/double_free_realloc_bug", "double-free"),
    ("checks/leak_branch_bug", "detected memory leaks"),
    ("checks/leak_lost_bug", "detected memory leaks"),
    ("checks/leak_realloc_bug", "detected memory leaks"),
    ("checks/null_argument_bug", "null pointer"),
    ("checks/overflow_add_bug", "signed integer overflow"),
    ("checks/overflow_negate_bug", "negation of"),
    ("checks/overflow_quotient_bug", "division of"),
    ("checks/shift_count_bug", "shift exponent"),
    ("checks/shift_of_negative_bug", "left shift of negative"),
    ("checks/use_after_free_field_bug", "heap-use-after-free"),
    ("checks/use_after_loop_bug", "stack-use-after-scope"),
    ("checks/use_after_realloc_bug", "heap-use-after-free"),
    ("checks/use_after_scope_bug", "stack-use-after-scope"),
];

/// What the sanitizer for leaks says where it may not look at the process.
const NO_LEAKS: &str = "LeakSanitizer has encountered a fatal error";

/// What sanitizers find is reported, and nothing goes on after it.
const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// So many pairs of programs are about each check, at least.
const LEAST_PAIRS: usize = 6;

/// Programs whose obligations are given to another solver: each kind of invariant, and what is hard to translate.
const SECOND_OPINIONS: [&str; 10] = [
    "arithmetic/division_signed",
    "arithmetic/shift_left",
    "data/array_variable_index",
    "data/bit_field_signed",
    "data/struct_result",
    "integers/char_sign",
    "invariants/lock",
    "invariants/parity",
    "invariants/two_counters",
    "pointers/to_element",
];

/// A program and what its first lines say.
struct Case {
    name: String,
    text: String,
    /// The data model.
    model: String,
    /// The verdict that is right.
    verdict: String,
    /// Engines with the verdicts that they must give.
    expected: Vec<(String, String)>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/verdicts")
}

fn header<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut lines = text.lines().take_while(|line| line.starts_with("//"));
    lines.find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

impl Case {
    fn read(name: &str) -> Case {
        let text =
            fs::read_to_string(root().join(name).with_extension("c")).expect("the program can be read");
        let verdict = header(&text, "expect").unwrap_or_else(|| panic!("{name} expects nothing"));
        let strategies = header(&text, "strategies").unwrap_or(DEFAULT);
        let expected = strategies.split([',', ';']).map(|strategy| {
            let (strategy, verdict) = strategy.split_once('=').unwrap_or((strategy, verdict));
            assert!(STRATEGIES.contains(&strategy.trim()), "{name} names the strategy `{strategy}`");
            (strategy.trim().to_owned(), verdict.trim().to_owned())
        });
        let model = header(&text, "data-model").unwrap_or("lp64").to_owned();
        let (name, verdict) = (name.to_owned(), verdict.to_owned());
        Case { name, verdict, expected: expected.collect(), text: text.clone(), model }
    }

    /// The flag for the checks, as it stands behind others.
    fn checks(&self) -> String {
        header(&self.text, "check").map_or(String::new(), |checks| format!(" --check {checks}"))
    }

    /// What is wrong with the run of a program.
    fn run_complaint(&self) -> Option<String> {
        let code = match header(&self.text, "run")? {
            "violation" => 10,
            "fine" => 0,
            other => panic!("{} expects a run that is {other}", self.name),
        };
        let command = format!("run a.c{} --uninitialized input", self.checks());
        let answer = self.workspace().rorqual(&command);
        let says_so = code == 0 || answer.messages.starts_with("violation: ");
        let fits = answer.code == code && says_so;
        (!fits).then(|| format!("{}: the run gives {answer:?}", self.name))
    }

    fn workspace(&self) -> Workspace {
        Workspace::new(&[("a.c", &self.text)])
    }

    /// What is wrong with the answers of the strategies.
    fn complaints(&self) -> Vec<String> {
        let complaint = |(strategy, verdict): &(String, String)| {
            let problem = self.complaint(strategy, verdict)?;
            Some(format!("{} with {strategy}: {problem}", self.name))
        };
        self.expected.iter().filter_map(complaint).chain(self.run_complaint()).collect()
    }

    fn complaint(&self, strategy: &str, verdict: &str) -> Option<String> {
        let (workspace, model) = (self.workspace(), &self.model);
        // Who may give up need not try for long. How far it comes until then depends on the machine.
        let limit = if verdict == "unknown" { "1s" } else { "60s" };
        let answer = workspace.rorqual(&format!(
            "check a.c --data-model {model} --strategy {strategy} --threads 1 --time-limit {limit} --certificate a.cert --witness a.yml{}",
            self.checks()
        ));
        let line = answer.output.lines().next().unwrap_or("");
        let warns = answer.output.contains("warning: ");
        let is_wrong = header(&self.text, "warns").is_some_and(|wanted| (wanted == "yes") != warns);
        if is_wrong && verdict != "unknown" {
            return Some(format!("the warnings are not those expected: {answer:?}"));
        }
        let given = word(line);
        if given != verdict && !(verdict == "unknown" && given == self.verdict) {
            return Some(format!("{verdict} is expected, but the answer is {answer:?}"));
        }
        let certify = format!("certify a.c --data-model {model} --certificate a.cert");
        let replay = format!("replay a.c --data-model {model} --witness a.yml --interpreter-only");
        match given {
            "safe" => failure(&workspace.rorqual(&certify), 0),
            "unsafe" => failure(&workspace.rorqual(&replay), 10),
            _ => (line.len() <= "unknown: ".len()).then(|| format!("there is no reason: {answer:?}")),
        }
    }
}

/// The verdict in a first line: what it rests on, or why it is so, comes behind.
fn word(line: &str) -> &str {
    line.split([':', ',']).next().unwrap_or("")
}

fn failure(answer: &Answer, code: i32) -> Option<String> {
    (answer.code != code).then(|| format!("the evidence gives {answer:?}"))
}

/// The names of all programs, as `topic/name`.
fn names() -> Vec<String> {
    let entries = |directory: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(directory).expect("the directory can be read");
        entries.map(|entry| entry.expect("the entry can be read").path()).collect()
    };
    let files = entries(&root()).into_iter().flat_map(|topic| entries(&topic));
    let name = |path: PathBuf| {
        let relative = path.strip_prefix(root()).expect("the file is below the directory");
        relative.with_extension("").to_str().expect("names of programs are text").to_owned()
    };
    let mut names: Vec<String> = files.map(name).collect();
    names.sort_unstable();
    names
}

/// What `judge` finds about the programs, which are looked at side by side.
fn gather(names: Vec<String>, judge: impl Fn(&Case) -> Vec<String> + Sync) -> Vec<String> {
    let (queue, found) = (Mutex::new(names), Mutex::new(BTreeMap::new()));
    let work = || {
        loop {
            let next = queue.lock().expect("no thread panics while it holds the queue").pop();
            let Some(name) = next else { return };
            let complaints = judge(&Case::read(&name));
            found.lock().expect("no thread panics while it holds the results").insert(name, complaints);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    found.into_inner().expect("no thread has panicked").into_values().flatten().collect()
}

/// Engines as in their papers, with the settings that they have; each program is checked with one of them.
const ENGINES: [&str; 10] = [
    "impact",
    "bmc",
    "ic3",
    "kinduction",
    "testing",
    "whale",
    "whale --merge yes",
    "whale --expand one",
    "whale --expand some",
    "whale --expand one --merge yes",
];

/// Each engine goes its own way through every program, so what it says is compared with what is expected. It may give up
/// where strategies do not.
#[test]
fn no_engine_contradicts_the_expected_verdict() {
    let complaints = gather(names(), |case| {
        let (workspace, model) = (case.workspace(), &case.model);
        let checks = case.checks();
        let letters: usize = case.name.bytes().map(usize::from).sum();
        let engine = ENGINES[letters % ENGINES.len()];
        let command = format!("check a.c --data-model {model} --engine {engine} --time-limit 500ms{checks}");
        let answer = workspace.rorqual(&command);
        let expected = header(&case.text, "expect").unwrap_or("");
        let verdict = word(answer.output.lines().next().unwrap_or("")).to_owned();
        let agrees = [expected, "unknown"].contains(&verdict.as_str()) || expected == "unknown";
        let fits = agrees && answer.code != INTERNAL_ERROR;
        if fits { Vec::new() } else { vec![format!("{} with {engine}: {answer:?}", case.name)] }
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn verdicts_are_as_expected_and_bring_evidence() {
    let complaints = gather(names(), Case::complaints);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn programs_come_in_pairs() {
    let names = names();
    assert!(names.len() > 250, "only {} programs were found", names.len());
    for name in &names {
        let other = name.strip_suffix("_bug").map_or_else(|| format!("{name}_bug"), str::to_owned);
        let text = Case::read(name).text;
        // What is refused needs no counterpart.
        let is_refused = header(&text, "expect") == Some("unknown");
        assert!(is_refused || names.contains(&other), "{name} has no {other}");
        assert!(header(&text, "why").is_some(), "{name} does not say why");
    }
}

#[test]
fn harnesses_end_in_the_violation() {
    if Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_err() {
        return skip("harnesses_end_in_the_violation", "a C compiler (`cc`) is not installed");
    }
    for name in HARNESSED {
        let workspace = Case::read(name).workspace();
        assert_eq!(workspace.rorqual("check a.c --harness h.c").code, 10, "{name}");
        let run = |program: &str, arguments: &[&str]| {
            Command::new(program).args(arguments).current_dir(workspace.path()).output().expect("it starts")
        };
        let compiled = run("cc", &["-fwrapv", "h.c", "a.c", "-o", "test"]);
        assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
        let output = run(&workspace.path().join("test").to_string_lossy(), &[]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(REPRODUCED_STATUS), "{name}: {text}");
    }
}

#[test]
fn every_check_has_enough_pairs() {
    let mut pairs: BTreeMap<String, usize> = BTreeMap::new();
    for name in names().iter().filter(|name| name.ends_with("_bug")) {
        let text = Case::read(name).text;
        for check in header(&text, "check").unwrap_or("assertions").split(',') {
            *pairs.entry(check.trim().to_owned()).or_default() += 1;
        }
    }
    for check in rorqual_cfa::Check::ALL {
        let found = pairs.get(check.name()).copied().unwrap_or(0);
        assert!(found >= LEAST_PAIRS, "{} has {found} pairs of programs", check.name());
    }
}

#[test]
fn sanitizers_see_what_checks_find() {
    let probe = Workspace::new(&[]);
    let works = Command::new("cc")
        .args(SANITIZERS)
        .args(["-x", "c", "-", "-o", "probe"])
        .current_dir(probe.path())
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .is_ok_and(|output| !String::from_utf8_lossy(&output.stderr).contains("san"));
    if !works {
        return skip("sanitizers_see_what_checks_find", "a C compiler with sanitizers is not installed");
    }
    for (name, report) in SANITIZED {
        let case = Case::read(name);
        let workspace = case.workspace();
        let checked = workspace.rorqual(&format!("check a.c --harness h.c{}", case.checks()));
        assert_eq!(checked.code, 10, "{name}: {checked:?}");
        let run = |program: &str, arguments: &[&str]| {
            Command::new(program).args(arguments).current_dir(workspace.path()).output().expect("it starts")
        };
        let compiled = run("cc", &[&SANITIZERS[..], &["h.c", "a.c", "-o", "test"]].concat());
        assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
        let output = run(&workspace.path().join("test").to_string_lossy(), &[]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(report) || text.contains(NO_LEAKS), "{name}: {text}");
    }
}

#[test]
fn another_solver_proves_the_obligations_of_certificates() {
    if Command::new("z3").arg("--version").stdout(Stdio::null()).status().is_err() {
        return skip("another_solver_proves_the_obligations_of_certificates", "z3 is not installed");
    }
    let complaints = gather(SECOND_OPINIONS.map(str::to_owned).to_vec(), disagreements);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The obligations that z3 does not prove.
fn disagreements(case: &Case) -> Vec<String> {
    let workspace = case.workspace();
    assert_eq!(workspace.rorqual("check a.c --certificate a.cert").code, 0, "{}", case.name);
    assert_eq!(workspace.rorqual("certify a.c --certificate a.cert --smtlib out").code, 0, "{}", case.name);
    let files = fs::read_dir(workspace.path().join("out")).expect("there are obligations");
    let files: Vec<PathBuf> = files.map(|entry| entry.expect("the entry can be read").path()).collect();
    assert!(!files.is_empty(), "{}", case.name);
    let disagreement = |file: &PathBuf| {
        let output = Command::new("z3").arg(file).output().expect("z3 starts");
        let answer = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (answer != "unsat").then(|| format!("{}, {}: {answer}", case.name, file.display()))
    };
    files.iter().filter_map(disagreement).collect()
}

/// The proof of the paper's example rests on what is found there: the lock is free when the loop begins.
#[test]
fn the_lock_of_the_paper_is_free_at_the_head_of_the_loop() {
    let workspace = Case::read("invariants/lock").workspace();
    let answer = workspace.rorqual("check a.c --engine impact");
    assert_eq!((answer.code, answer.line().as_str()), (0, "safe\n"), "{}", answer.messages);
    assert!(answer.output.contains(": L == 0"), "{}", answer.output);
}
