//! Random programs about memory. Each has four inputs of two bits, so the interpreter can run it with all of them: what
//! it finds is compared with the verdicts of the engines. `safe` must not be said if an execution reaches the error;
//! `unsafe` is replayed by the tool itself, and must not be said if none does.
//!
//! `RORQUAL_POINTER_PROGRAMS=500` tries more programs, and `RORQUAL_POINTER_SEED=7` starts with another one.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;

use rorqual_cfa::DataModel;
use rorqual_interpreter::{Config, Inputs, Outcome, Transcript, parse_inputs, run};
use support::Workspace;
use support::random::{Random, number, translated};

/// How many programs a run of all tests tries.
const PROGRAMS: u64 = 12;

/// The first of them. From here on programs of all kinds follow each other: those from 0 to 11 all have an error that is
/// found, so no proof would be tried.
const FIRST: u64 = 200;

/// Executions end before that.
const STEPS: u64 = 100_000;

/// What all programs have in common. The two functions that the error is behind are added for each.
const HEAD: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define OFFSET(t, m) __builtin_offsetof(t, m)
struct in { short h; char c; int n; };
struct bits { unsigned x : 3; int y : 5; unsigned z : 9; };
union mix { int i; unsigned char b[4]; short s[2]; struct { short lo, hi; } p; };
struct node { int v; struct node *next; int a[4]; struct in i; int *ip; struct in ins[2]; };
struct box { int tag; struct node n; union mix u; struct bits b; struct node *ptrs[2]; };
static void set(int *p, int v) { *p = v; }
static void add(int *p, int v) { *p += v; }
static void (*const ops[2])(int *, int) = { set, add };
static void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
static int *pick(int *p, int *q, unsigned k) { return k & 1 ? p : q; }
static struct node *choose(struct node *p, struct node *q, unsigned k) { if (k & 2) return p; return q; }
static struct node with(struct node n, int v) { n.v = v; n.a[1] += v; return n; }
static int total(struct node n) { return n.v + n.a[0] + n.i.n; }
static void init(struct node *n, int v, int *ip) {
    n->v = v; n->next = n; n->ip = ip;
    for (int i = 0; i < 4; i++) n->a[i] = v + i;
    n->i.h = v; n->i.c = 1; n->i.n = v; n->ins[0] = n->i; n->ins[1] = n->i;
}
";

/// Objects: the name, how it is declared, and how it gets its content. Programs have those that they use.
const OBJECTS: &[(&str, &str, &str)] = &[
    ("x", "int x = 1;", ""),
    ("y", "int y = 2;", ""),
    ("g", "static int g;", ""),
    ("la", "int la[4] = { 1, 2, 3, 4 };", ""),
    ("ga", "static int ga[4];", ""),
    ("m", "int m[2][4] = { { 1 }, { 2 } };", ""),
    ("hi", "int *hi = calloc(4, sizeof *hi);", ""),
    ("hc", "char *hc = calloc(8, 1);", ""),
    ("lc", "char lc[8] = \"abc\";", ""),
    ("lu", "union mix lu;", "lu.i = 258;"),
    ("gu", "static union mix gu;", ""),
    ("hu", "union mix *hu = calloc(1, sizeof *hu);", ""),
    ("n0", "struct node n0;", "init(&n0, 3, &x);"),
    ("n1", "struct node n1;", "init(&n1, 4, &y);"),
    ("gn", "static struct node gn;", "init(&gn, 5, la);"),
    ("h0", "struct node *h0 = malloc(sizeof *h0);", "init(h0, 6, hi);"),
    ("h1", "struct node *h1 = malloc(sizeof *h1);", "init(h1, 7, ga);"),
    (
        "gb",
        "static struct box gb[2];",
        "init(&gb[0].n, 1, &g); init(&gb[1].n, 2, &x); gb[0].ptrs[0] = &n1;
    gb[0].ptrs[1] = h1; gb[1].ptrs[0] = gb[1].ptrs[1] = &n0;",
    ),
    (
        "lb",
        "struct box lb;",
        "init(&lb.n, 3, &x); lb.tag = 1; lb.u.i = 2; lb.b.x = 1; lb.b.y = 2; lb.b.z = 3;
    lb.ptrs[0] = &n0; lb.ptrs[1] = h0;",
    ),
    ("hb", "struct box *hb = malloc(sizeof *hb);", "*hb = lb;"),
    ("p", "struct node *p = &n0;", ""),
    ("q", "struct node *q = h0;", ""),
    ("gp", "static struct node *gp;", "gp = &gn;"),
    ("pp", "struct node **pp = &p;", ""),
    ("ip", "int *ip = &x;", ""),
    ("iq", "int *iq = &ga[1];", ""),
    ("ipp", "int **ipp = &ip;", ""),
];

const INPUTS: &str = "    unsigned k0 = __VERIFIER_nondet_uint() & 3, k1 = __VERIFIER_nondet_uint() & 3;
    unsigned k2 = __VERIFIER_nondet_uint() & 3, k3 = __VERIFIER_nondet_uint() & 3;
";

/// Declarations of the objects that a text uses.
fn declarations(text: &str) -> String {
    let mut used = vec![false; OBJECTS.len()];
    let mentions = |text: &str, name: &str| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
    };
    loop {
        let needs = |name: &str| {
            let others = OBJECTS.iter().zip(&used).filter(|(_, used)| **used);
            let mut others = others.map(|((_, declared, content), _)| (*declared, *content));
            mentions(text, name)
                || others.any(|(declared, content)| mentions(declared, name) || mentions(content, name))
        };
        let now: Vec<bool> = OBJECTS.iter().map(|(name, ..)| needs(name)).collect();
        if now == used {
            break;
        }
        used = now;
    }
    let chosen: Vec<_> =
        OBJECTS.iter().zip(used).filter(|(_, used)| *used).map(|(object, _)| object).collect();
    let mut text = String::new();
    for (_, declared, _) in &chosen {
        let _ = writeln!(text, "    {declared}");
    }
    for (_, _, content) in chosen.iter().filter(|(_, _, content)| !content.is_empty()) {
        let _ = writeln!(text, "    {content}");
    }
    text + INPUTS
}

/// Writes expressions and statements. `depth` bounds how deep places are nested.
struct Writer {
    random: Random,
    /// What the program is about: only some kinds of objects, so that they meet.
    kinds: u64,
}

/// An alternative of [`Writer::choose`].
type Choice = fn(&mut Writer, u32) -> String;

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut random = Random(seed);
        let kinds = random.next();
        Writer { random, kinds }
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        // Half of the texts are left out in each program.
        let favoured: Vec<&str> = texts
            .iter()
            .enumerate()
            .filter(|(at, _)| self.kinds >> (at % 16) & 1 == 1)
            .map(|(_, text)| *text)
            .collect();
        let texts = if favoured.is_empty() { texts } else { &favoured[..] };
        texts[self.random.below(texts.len() as u64) as usize]
    }

    fn choose(&mut self, depth: u32, choices: &[Choice]) -> String {
        let at = self.random.below(choices.len() as u64) as usize;
        choices[at](self, depth)
    }

    /// An index below 4.
    fn index(&mut self) -> String {
        self.of(&["0", "1", "2", "3", "k0", "k1", "k2", "k3", "(k0 ^ k1)", "(k2 & 1)", "(k3 | 1)"]).to_owned()
    }

    /// An index below 2.
    fn bit(&mut self) -> String {
        self.of(&["0", "1", "(k0 & 1)", "(k1 & 1)", "(k2 >> 1)", "(k3 >> 1)"]).to_owned()
    }

    /// A place of type `int`.
    fn int(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self
                .of(&["x", "y", "g", "la[0]", "ga[1]", "*hi", "n0.v", "gn.v", "h0->v", "lu.i"])
                .to_owned();
        }
        self.choose(
            depth - 1,
            &[
                |w, _| w.of(&["x", "y", "g", "*ip", "*iq", "**ipp", "lb.tag", "hb->tag"]).to_owned(),
                |w, _| format!("{}[{}]", w.of(&["la", "ga", "hi", "m[0]", "m[1]"]), w.index()),
                |w, _| format!("m[{}][{}]", w.bit(), w.index()),
                |w, d| format!("{}.v", w.node(d)),
                |w, d| format!("{}.a[{}]", w.node(d), w.index()),
                |w, d| format!("{}.n", w.inner(d)),
                |w, d| format!("{}.i", w.mix(d)),
                |w, d| format!("*({})", w.int_pointer(d)),
            ],
        )
    }

    /// A place of type `struct node`.
    fn node(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.of(&["n0", "n1", "gn", "(*h0)", "(*h1)", "(*p)", "(*q)", "gb[0].n"]).to_owned();
        }
        self.choose(
            depth - 1,
            &[
                |w, _| w.of(&["n0", "n1", "gn", "(*h0)", "(*h1)", "lb.n", "hb->n"]).to_owned(),
                |w, _| format!("gb[{}].n", w.bit()),
                |w, d| format!("(*({}))", w.node_pointer(d)),
            ],
        )
    }

    /// A place of type `struct in`.
    fn inner(&mut self, depth: u32) -> String {
        let depth = depth.saturating_sub(1);
        match self.random.below(3) {
            0 => format!("{}.ins[{}]", self.node(depth), self.bit()),
            _ => format!("{}.i", self.node(depth)),
        }
    }

    /// A place of type `union mix`.
    fn mix(&mut self, _: u32) -> String {
        match self.random.below(3) {
            0 => format!("gb[{}].u", self.bit()),
            _ => self.of(&["gu", "lu", "(*hu)", "lb.u", "hb->u"]).to_owned(),
        }
    }

    /// A place of type `struct box`.
    fn boxed(&mut self, _: u32) -> String {
        match self.random.below(3) {
            0 => format!("gb[{}]", self.bit()),
            _ => self.of(&["gb[0]", "lb", "(*hb)"]).to_owned(),
        }
    }

    /// A value of type `int *`.
    fn int_pointer(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.of(&["ip", "iq", "&x", "hi", "la + 2", "&n1.v", "h0->ip", "*ipp"]).to_owned();
        }
        self.choose(
            depth - 1,
            &[
                |w, _| w.of(&["ip", "iq", "*ipp"]).to_owned(),
                |w, d| format!("&{}", w.int(d)),
                |w, _| format!("{} + {}", w.of(&["la", "ga", "hi", "m[1]"]), w.index()),
                |w, _| format!("&m[0][0] + ({} + 4 * {})", w.index(), w.bit()),
                |w, d| format!("{}.ip", w.node(d)),
                |w, d| format!("(int *)&{}", w.node(d)),
                |w, d| format!("(int *)((char *)&{} + OFFSET(struct node, i.n))", w.node(d)),
                |w, d| format!("(int *)((unsigned long)&{} + OFFSET(struct node, a) + 4)", w.node(d)),
                |w, d| format!("pick({}, {}, {})", w.int_pointer(d), w.int_pointer(d), w.index()),
                |w, d| format!("{}.a + {}", w.node(d), w.index()),
            ],
        )
    }

    /// A value of type `struct node *`.
    fn node_pointer(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.of(&["p", "q", "gp", "h0", "h1", "&n0", "*pp", "gn.next"]).to_owned();
        }
        self.choose(
            depth - 1,
            &[
                |w, _| w.of(&["p", "q", "gp", "h0", "h1", "*pp"]).to_owned(),
                |w, d| format!("&{}", w.node(d)),
                |w, d| format!("{}.next", w.node(d)),
                |w, d| format!("{}.ptrs[{}]", w.boxed(d), w.bit()),
                |w, d| format!("(struct node *)((char *)&{}.i - OFFSET(struct node, i))", w.node(d)),
                |w, d| format!("&((struct box *)((char *)&{}.tag))->n", w.boxed(d)),
                |w, d| format!("choose({}, {}, {})", w.node_pointer(d), w.node_pointer(d), w.index()),
            ],
        )
    }

    /// A value of type `int`.
    fn value(&mut self, depth: u32) -> String {
        self.choose(
            depth,
            &[
                |w, _| w.random.below(9).to_string(),
                |w, _| w.index(),
                |w, d| w.int(d),
                |w, d| format!("{} + {}", w.int(d), w.index()),
                |w, d| format!("{}.h", w.inner(d)),
                |w, d| format!("{}.c", w.inner(d)),
                |w, d| format!("{}.b[{}]", w.mix(d), w.index()),
                |w, d| format!("{}.s[{}]", w.mix(d), w.bit()),
                |w, d| format!("{}.p.hi", w.mix(d)),
                |w, d| format!("{}.b.y", w.boxed(d)),
                |w, d| format!("{}.b.z", w.boxed(d)),
                |w, d| format!("total({})", w.node(d)),
                |w, d| format!("((unsigned char *)&{})[{}]", w.int(d), w.index()),
                |w, _| format!("{}[{} + 4]", w.of(&["hc", "lc"]), w.index()),
                |w, d| format!("({} == {})", w.node_pointer(d), w.node_pointer(d)),
                |w, d| format!("({} == {})", w.int_pointer(d), w.int_pointer(d)),
                |w, _| format!("\"wxyz\"[{}]", w.index()),
            ],
        )
    }

    /// A statement.
    fn statement(&mut self, depth: u32) -> String {
        const SIMPLE: &[Choice] = &[
            |w, d| format!("{} = {};", w.int(d), w.value(1)),
            |w, d| format!("{} = {};", w.int(d), w.value(1)),
            |w, d| format!("{} += {};", w.int(d), w.index()),
            |w, d| format!("{} = {};", w.of(&["ip", "iq", "*ipp"]), w.int_pointer(d)),
            |w, d| format!("{} = {};", w.of(&["p", "q", "gp", "*pp"]), w.node_pointer(d)),
            |w, d| format!("{}.next = {};", w.node(d), w.node_pointer(1)),
            |w, d| format!("{}.ip = {};", w.node(d), w.int_pointer(1)),
            |w, d| format!("{}.ptrs[{}] = {};", w.boxed(d), w.bit(), w.node_pointer(1)),
            |w, d| format!("{} = {};", w.node(d), w.node(1)),
            |w, d| format!("{} = {};", w.boxed(d), w.boxed(1)),
            |w, d| format!("{} = {};", w.inner(d), w.inner(1)),
            |w, d| format!("{} = {};", w.mix(d), w.mix(1)),
            |w, d| format!("{}.h = {};", w.inner(d), w.value(1)),
            |w, d| format!("{}.c = {};", w.inner(d), w.value(1)),
            |w, d| format!("{}.b[{}] = {};", w.mix(d), w.index(), w.value(1)),
            |w, d| format!("{}.s[{}] = {};", w.mix(d), w.bit(), w.value(1)),
            |w, d| format!("{}.p.lo = {};", w.mix(d), w.value(1)),
            |w, d| format!("{}.b.x = {};", w.boxed(d), w.value(1)),
            |w, d| format!("{}.b.y = {};", w.boxed(d), w.value(1)),
            |w, d| format!("{}.b.z += {};", w.boxed(d), w.index()),
            |w, d| format!("((unsigned char *)&{})[{}] = {};", w.int(d), w.index(), w.index()),
            |w, _| format!("{}[{} + {}] = {};", w.of(&["hc", "lc"]), w.index(), w.index(), w.value(1)),
            |w, d| format!("swap({}, {});", w.int_pointer(d), w.int_pointer(1)),
            |w, d| format!("ops[{}]({}, {});", w.bit(), w.int_pointer(d), w.value(1)),
            |w, d| format!("{} = with({}, {});", w.node(d), w.node(1), w.value(1)),
            |w, d| format!("memmove(&{}, &{}, sizeof(struct node));", w.node(d), w.node(1)),
            |w, d| format!("memmove({}, {}, sizeof(struct node));", w.node_pointer(d), w.node_pointer(1)),
            |w, d| format!("memmove({}, {}, sizeof(int));", w.int_pointer(d), w.int_pointer(1)),
            |w, d| format!("memset({}, 0, sizeof(int));", w.int_pointer(d)),
            |w, d| format!("memset({}.a, 0, sizeof(int [4]));", w.node(d)),
            |w, d| format!("memmove({}.a, {}.a, 4 * sizeof(int));", w.node(d), w.node(1)),
            |w, d| format!("memset(&{}, 0, sizeof(struct in));", w.inner(d)),
            |w, d| {
                format!(
                    "{{ struct node *t = malloc(sizeof *t); *t = {}; {} = t; }}",
                    w.node(d),
                    w.of(&["p", "q", "gp", "n0.next", "h0->next"])
                )
            },
        ];
        const COMPOUND: &[Choice] = &[
            |w, d| format!("if ({}) {{ {} }} else {{ {} }}", w.condition(), w.statement(d), w.statement(d)),
            |w, d| format!("if ({}) {{ {} {} }}", w.condition(), w.statement(d), w.statement(d)),
            |w, d| format!("for (unsigned i = 0; i < 2; i++) {{ {} }}", w.statement(d).replace("k0", "i")),
            |w, d| {
                format!(
                    "{{ struct node *w = {}; for (int i = 0; i < 2; i++) {{ w->v += i; w = w->next; }} }}",
                    w.node_pointer(d)
                )
            },
        ];
        if depth > 1 && self.random.below(4) == 0 {
            return self.choose(depth - 1, COMPOUND);
        }
        self.choose(2, SIMPLE)
    }

    fn condition(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("{} > {}", self.value(1), self.value(0)),
            1 => format!("{} == {}", self.node_pointer(1), self.node_pointer(1)),
            _ => format!("{} & 1", self.of(&["k0", "k1", "k2", "k3"])),
        }
    }

    /// A program in which `@END@` is what happens with the value `e`.
    fn program(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.random.below(4) {
            let statement = self.statement(3);
            let _ = writeln!(text, "    {statement}");
        }
        let mut sum = "0u".to_owned();
        for weight in [1, 3, 5] {
            let _ = write!(sum, " + {weight} * ({})", self.value(2));
        }
        let _ = write!(text, "    unsigned e = ({sum}) & 127;\n    @END@\n    return 0;\n}}\n");
        format!("{HEAD}int main(void) {{\n{}{text}", declarations(&text))
    }
}

/// How often the program ends with which status, over all inputs. Executions with undefined behaviour do not count.
fn statuses(text: &str, model: DataModel) -> BTreeMap<i32, u32> {
    let program = translated(&text.replace("@END@", "return e;"), model);
    let mut found = BTreeMap::new();
    for inputs in 0..256 {
        let list = [0, 2, 4, 6].map(|at| (inputs >> at & 3).to_string());
        let inputs = parse_inputs(&list.join("\n")).expect("numbers are inputs");
        let config = Config { inputs: Inputs::List(inputs), step_limit: Some(STEPS), ..Config::default() };
        let execution = run(&program, &config, &mut Transcript::default());
        match execution.outcome {
            Outcome::Finished { status } => *found.entry(status).or_default() += 1,
            Outcome::Undefined { .. } => {}
            other => panic!("{other:?}\n{text}"),
        }
    }
    found
}

/// A program, and whether its error can be reached.
fn sample(seed: u64, model: DataModel) -> (String, bool) {
    let mut writer = Writer::new(seed);
    let text = writer.program();
    let found = statuses(&text, model);
    let rarest = found.iter().min_by_key(|&(_, &often)| often).map(|(&status, _)| status);
    let missing = (0..128).find(|status| !found.contains_key(status));
    let (wanted, is_reachable) = match (rarest, missing) {
        (Some(status), _) if writer.random.below(4) > 0 => (status, true),
        (_, Some(status)) => (status, false),
        (Some(status), None) => (status, true),
        (None, None) => unreachable!("one of 128 values is there or not"),
    };
    (text.replace("@END@", &format!("if (e == {wanted}) reach_error();")), is_reachable)
}

#[test]
fn verdicts_about_random_programs_agree_with_the_interpreter() {
    let start = number("RORQUAL_POINTER_SEED", FIRST);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut complaints = Vec::new();
    for seed in start..start + number("RORQUAL_POINTER_PROGRAMS", PROGRAMS) {
        let (model, name) =
            if seed % 4 == 3 { (DataModel::Ilp32, "ilp32") } else { (DataModel::Lp64, "lp64") };
        let (text, is_reachable) = sample(seed, model);
        let workspace = Workspace::new(&[("a.c", &text)]);
        for strategy in ["bounded", "auto"] {
            let answer = workspace
                .rorqual(&format!("check a.c --data-model {name} --strategy {strategy} --time-limit 5s"));
            let line = answer.output.lines().next().unwrap_or_default().to_owned();
            let verdict = line.split([':', ',']).next().unwrap_or_default();
            let is_wrong = match verdict {
                "safe" => is_reachable,
                "unsafe" => !is_reachable,
                // A proof that the checker does not follow is none where the error can be reached.
                "unknown" => is_reachable && line.contains("checker") || line.contains("internal"),
                _ => true,
            };
            if std::env::var_os("RORQUAL_POINTER_PROGRAMS").is_some() {
                eprintln!("seed {seed}, {strategy}: {line}");
            }
            *counts.entry(format!("{strategy}, reachable: {is_reachable}, {line}")).or_default() += 1;
            if is_wrong {
                complaints
                    .push(format!("seed {seed}, {name}, {strategy}: {line}\n{}\n{text}", answer.messages));
            }
        }
    }
    for (what, often) in counts {
        eprintln!("{often:5} {what}");
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
