//! Random programs that allocate, free and access memory, with mistakes or without. Each has three inputs of two bits, so
//! the interpreter can run it with all of them: what it finds for each check is compared with the verdict. `safe` must not
//! be said if an execution is a violation, and `unsafe` must not be said if none is.
//!
//! `RORQUAL_HEAP_PROGRAMS=500` tries more programs, and `RORQUAL_HEAP_SEED=7` starts with another one.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;

use rorqual_cfa::{Check, DataModel, ErrorKind, Program, add_checks};
use rorqual_interpreter::{
    Config, Inputs, Outcome, Transcript, Undefined, is_library_function, parse_inputs, run,
};
use support::Workspace;
use support::random::{Random, number, translated};

/// How many programs a run of all tests tries.
const PROGRAMS: u64 = 12;

/// Executions end before that.
const STEPS: u64 = 100_000;

/// What is checked.
const CHECKS: [Check; 6] =
    [Check::Bounds, Check::Null, Check::UseAfterFree, Check::DoubleFree, Check::Leak, Check::Uninitialized];

const HEAD: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; int *p; int v; };
static int *gp;
static struct node *gn;
static int ga[3];
static int *same(int *p) { return p; }
static int *local(int v) { int own = v; gp = &own; return v ? &own : 0; }
static void drop(int *p) { free(p); }
static void put(int *p, int v) { *p = v; }
static struct node *make(int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = 0; n->p = 0; return n; }
int main(void) {
    unsigned k0 = __VERIFIER_nondet_uint() & 3, k1 = __VERIFIER_nondet_uint() & 3;
    unsigned k2 = __VERIFIER_nondet_uint() & 3;
    int x = 1, u, la[3] = { 1, 2, 3 }, ua[2];
    int *p = calloc(3, sizeof(int)), *q = malloc(2 * sizeof(int));
    struct node k = { 0, &x, 1 }, l = { &k, la, 2 };
    struct node *n = &l, *m = make(3);
    gp = ga; gn = make(4); m->next = &l; m->p = q; gn->next = m; gn->p = p;
";

struct Writer(Random);

impl Writer {
    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.0.below(texts.len() as u64) as usize]
    }

    fn index(&mut self) -> &'static str {
        self.of(&["0", "1", "2", "3", "k0", "k1", "k2", "(k0 & 1)", "(k1 ^ 1)"])
    }

    fn pointer(&mut self) -> &'static str {
        self.of(&["p", "q", "gp", "n->p", "m->p", "l.p"])
    }

    fn node(&mut self) -> &'static str {
        self.of(&["n", "m", "gn", "n->next", "l.next"])
    }

    /// A value of type `int *`.
    fn address(&mut self) -> String {
        match self.0.below(9) {
            0 => self.of(&["&x", "&u", "la", "ua", "ga", "&la[1]", "&n->v", "&l.v", "0"]).to_owned(),
            1 | 2 => format!("malloc({} * sizeof(int))", self.index()),
            3 => format!("calloc({}, sizeof(int))", self.index()),
            4 => format!("{} + {}", self.pointer(), self.index()),
            5 => format!("same({})", self.pointer()),
            6 => format!("realloc({}, {} * sizeof(int))", self.pointer(), self.index()),
            7 => format!("local({})", self.index()),
            _ => self.pointer().to_owned(),
        }
    }

    /// A value of type `struct node *`.
    fn node_address(&mut self) -> String {
        match self.0.below(5) {
            0 => "malloc(sizeof(struct node))".to_owned(),
            1 => format!("make({})", self.index()),
            2 => self.of(&["&l", "0"]).to_owned(),
            _ => self.node().to_owned(),
        }
    }

    /// A value of type `int`.
    fn value(&mut self) -> String {
        match self.0.below(6) {
            0 => format!("{}[{}]", self.pointer(), self.index()),
            1 => format!("*{}", self.pointer()),
            2 => format!("{}->v", self.node()),
            3 => self.of(&["u", "ua[1]", "la[k1]", "l.v"]).to_owned(),
            _ => self.index().to_owned(),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        if depth > 0 && self.0.below(4) == 0 {
            let (first, second) = (self.statement(depth - 1), self.statement(depth - 1));
            return match self.0.below(4) {
                0 => format!("if ({} > 1) {{ {first} }} else {{ {second} }}", self.index()),
                1 => format!("if ({}) {{ {first} {second} }}", self.pointer()),
                2 => format!(
                    "for (unsigned i = 0; i < 2; i++) {{ {first} }}",
                    first = first.replace("k0", "i")
                ),
                _ => format!("{{ int t[2] = {{ 1, 2 }}; p = t + (k0 & 1); {first} }} {second}"),
            };
        }
        match self.0.below(16) {
            0..=2 => format!("{} = {};", self.pointer(), self.address()),
            3 => format!("{} = {};", self.node(), self.node_address()),
            4 | 5 => format!("{}[{}] = {};", self.pointer(), self.index(), self.value()),
            6 => format!("x = {};", self.value()),
            7 => format!("free({});", self.pointer()),
            8 => format!("free({0}); {0} = 0;", self.of(&["p", "q", "gp", "n->p", "n", "m", "gn"])),
            9 => format!("{}->v = {};", self.node(), self.value()),
            10 => format!("*{} = *{};", self.node(), self.node()),
            11 => format!("put({}, {});", self.pointer(), self.index()),
            12 => format!(
                "memmove({}, {}, {} * sizeof(int));",
                self.pointer(),
                self.pointer(),
                self.of(&["1", "2", "k1"])
            ),
            13 => format!("memmove({}, {}, sizeof(struct node));", self.node(), self.node()),
            14 => format!("memset({}, 0, {} * sizeof(int));", self.pointer(), self.of(&["1", "2", "k1"])),
            _ => format!("drop({});", self.pointer()),
        }
    }

    fn program(&mut self) -> String {
        let mut text = HEAD.to_owned();
        for _ in 0..3 + self.0.below(5) {
            let statement = self.statement(2);
            let _ = writeln!(text, "    {statement}");
        }
        let _ = writeln!(text, "    {}", self.of(&["", "", "free(gp);", "gp = 0; gn = 0;", "free(p);"]));
        text + "    return x == 99;\n}\n"
    }
}

/// What the interpreter finds with all inputs.
struct Truth {
    is_violated: bool,
    /// Some value was used that was never set. For others than the interpreter that is an input.
    has_indeterminate: bool,
}

fn truth(program: Program, check: Check) -> Truth {
    let program = add_checks(program, &[check], &is_library_function);
    let mut truth = Truth { is_violated: false, has_indeterminate: false };
    for inputs in 0..64 {
        let list = [0, 2, 4].map(|at| (inputs >> at & 3).to_string());
        let inputs = parse_inputs(&list.join("\n")).expect("numbers are inputs");
        let config = Config { inputs: Inputs::List(inputs), step_limit: Some(STEPS), ..Config::default() };
        match run(&program, &config, &mut Transcript::default()).outcome {
            Outcome::Violation { kind: ErrorKind::Check { .. }, .. } => truth.is_violated = true,
            Outcome::Undefined { kind: Undefined::Indeterminate { .. }, .. } => {
                truth.has_indeterminate = true;
            }
            _ => {}
        }
    }
    truth
}

/// The verdict for a check among those of all. Where there is one for all of them, it stands first; a violation that is
/// told because a limit was reached says nothing about the other checks.
fn verdict(output: &str, check: Check) -> &str {
    let name = format!("{}: ", check.name());
    let own = output.lines().find_map(|line| line.strip_prefix(&name));
    let line = own.or(output.lines().next()).unwrap_or("missing");
    match line.split([':', ',']).next().unwrap_or("missing") {
        "unsafe" if own.is_none() => "unknown",
        verdict => verdict,
    }
}

#[test]
fn verdicts_about_memory_agree_with_the_interpreter() {
    let start = number("RORQUAL_HEAP_SEED", 0);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut complaints = Vec::new();
    for seed in start..start + number("RORQUAL_HEAP_PROGRAMS", PROGRAMS) {
        let (model, name) =
            if seed % 4 == 3 { (DataModel::Ilp32, "ilp32") } else { (DataModel::Lp64, "lp64") };
        let text = Writer(Random(seed)).program();
        let workspace = Workspace::new(&[("a.c", &text)]);
        let names: Vec<&str> = CHECKS.iter().map(|check| check.name()).collect();
        let answer = workspace
            .rorqual(&format!("check a.c --data-model {name} --time-limit 5s --check {}", names.join(",")));
        for check in CHECKS {
            let truth = truth(translated(&text, model), check);
            let verdict = verdict(&answer.output, check);
            let is_wrong = match verdict {
                "safe" => truth.is_violated,
                "unsafe" => !truth.is_violated && !truth.has_indeterminate,
                "unknown" => answer.output.contains("internal"),
                _ => true,
            };
            let what = format!("{}, violated: {}, {verdict}", check.name(), truth.is_violated);
            *counts.entry(what).or_default() += 1;
            if is_wrong {
                complaints.push(format!("seed {seed}, {name}, {}: {answer:?}\n{text}", check.name()));
            }
        }
    }
    for (what, often) in counts {
        eprintln!("{often:5} {what}");
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
