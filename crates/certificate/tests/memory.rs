//! Random programs over arrays, structures, unions, bit-fields and pointers, against the interpreter. What
//! the interpreter computes must be possible for the checker, always; where nothing is accessed as
//! another type, it must be the only possibility.

mod support;

use std::fmt::Write;
use std::time::Duration;

use rorqual_certificate::{Outcome, check};
use rorqual_cfa::DataModel;
use rorqual_evidence::Invariant;
use rorqual_logic::TermPool;
use rorqual_solver::Limits;
use rorqual_testkit::{RunSettings, interpret};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const TYPES: &str = "struct S { char c; int i; short h[3]; unsigned b : 5; int d : 7; };
union U { unsigned u; unsigned char c[4]; short h[2]; struct { unsigned char low; short high; } s; };
struct L { int d; struct L *next; int *v; union { int i; short h[2]; char c[4]; } u; struct S s; };
struct N { int k; struct S in[2]; union U w; };
void set(int *where, int what) { *where = what; }
int get(struct S v, int k) { return v.h[k] + v.i; }
struct S make(int k) { struct S v = {k, k + 1, {1, 2, k}, 3, -4}; return v; }
int g; int a[4]; int m[2][3]; struct S s, t[2]; union U w; struct N n, o[2];\n";

const LIBRARY: &str = "typedef __SIZE_TYPE__ size_t; int printf(const char *, ...); void *malloc(size_t);
void *calloc(size_t, size_t); void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);\n";

/// Memory that is allocated, with the variables that point to it.
const HEAP: &str = "struct L *l = malloc(sizeof *l), *l2 = malloc(2 * sizeof *l2); l->next = l2; l2->next = l; l2[1].next = l;
l->d = l2->d = l2[1].d = 3; l->u.i = l2->u.i = l2[1].u.i = 0; l->v = &l->d; l2->v = &x; l2[1].v = &g; l->s = s; l2->s = s; l2[1].s = s;
int *hp = malloc(16); hp[0] = hp[1] = hp[2] = hp[3] = 1; int **ha = malloc(2 * sizeof *ha); ha[0] = hp; ha[1] = &l->d;
struct L *at = l; char *text = \"abc\"; char *hc = (char *)malloc(8); hc[0] = hc[1] = 2;
int vl[j + 2]; vl[0] = vl[1] = vl[2] = 4; void (*fp)(int *, int) = set;\n";

const LOCALS: &str = "int x = 1, y = 2, j = 1, k = 2; int e[3] = {5, 6, 7}; struct S v = {1, 2, {3}};
int *p = &x; short *r = &s.h[1]; struct S *z = &t[0]; union U *f = &w; char *q = &s.c; int **pp = &p;\n";

/// Places of integer types.
const PLACES: &[&str] = &[
    "g",
    "x",
    "y",
    "a[0]",
    "a[j]",
    "a[k]",
    "m[1][2]",
    "m[j][k]",
    "m[0][k]",
    "s.c",
    "s.i",
    "s.h[0]",
    "s.h[j]",
    "s.b",
    "s.d",
    "t[j].i",
    "t[1].h[k]",
    "t[0].d",
    "t[j].b",
    "w.u",
    "w.c[1]",
    "w.h[1]",
    "w.s.high",
    "w.s.low",
    "n.k",
    "n.in[1].h[2]",
    "n.in[j].i",
    "n.w.c[3]",
    "n.w.u",
    "o[j].in[0].h[k]",
    "o[1].w.h[0]",
    "o[j].k",
    "e[j]",
    "e[k]",
    "v.i",
    "v.h[j]",
    "v.b",
    "*p",
    "*r",
    "z->i",
    "z->h[k]",
    "z->c",
    "z->b",
    "z->d",
    "f->u",
    "**pp",
];

const STATEMENTS: &[&str] = &[
    "p = &x;",
    "p = &a[j];",
    "p = &e[2];",
    "p = &s.i;",
    "p = &t[j].i;",
    "p = &o[1].in[j].i;",
    "p = &m[1][0];",
    "p = &v.i;",
    "r = &s.h[k];",
    "r = t[1].h;",
    "r = &o[j].in[0].h[1];",
    "z = &s;",
    "z = &t[j];",
    "z = t;",
    "z = &n.in[1];",
    "z = &o[0].in[j];",
    "z = &v;",
    "f = &w;",
    "f = &n.w;",
    "f = &o[j].w;",
    "pp = &p;",
    "t[0] = s;",
    "s = t[j];",
    "*z = s;",
    "s = *z;",
    "t[j] = *z;",
    "n.in[0] = v;",
    "v = n.in[j];",
    "o[0] = o[1];",
    "o[j] = n;",
    "n = o[0];",
    "w = *f;",
    "*f = w;",
    "o[1].w = n.w;",
    "set(&g, x);",
    "set(p, y);",
    "set(&a[k], 3);",
    "set(&z->i, g);",
    "x = get(s, j);",
    "y = get(*z, 2);",
    "v = make(g);",
    "t[1] = make(x);",
    "j = 1 - j;",
    "k = 3 - k;",
    "p[0] = 9;",
    "r[0]++;",
    "(*p)++;",
    "z->h[1] += 3;",
    "x = &a[k] - a;",
    "x = &t[j] == z;",
    "if (x < y) p = &y; else p = &g;",
    "if (g & 1) z = &s; else z = &t[0];",
    "y = p == &x;",
];

/// Places in allocated memory.
const HEAP_PLACES: &[&str] = &[
    "l->d",
    "l2->d",
    "l2[1].d",
    "l2[j].d",
    "at->d",
    "at->next->d",
    "*at->v",
    "at->u.i",
    "at->u.h[1]",
    "l->u.c[2]",
    "at->s.i",
    "at->s.h[k]",
    "l2[j].s.b",
    "at->s.d",
    "hp[j]",
    "hp[3]",
    "*hp",
    "**ha",
    "*ha[1]",
    "*ha[j]",
    "vl[j]",
    "text[j]",
    "hc[0]",
    "hc[j]",
];

const HEAP_STATEMENTS: &[&str] = &[
    "at = l;",
    "at = l2;",
    "at = at->next;",
    "at = &l2[1];",
    "at = &l2[j];",
    "at->v = &at->d;",
    "at->v = p;",
    "at->v = hp + j;",
    "p = &at->d;",
    "p = hp + 2;",
    "p = at->v;",
    "ha[j] = p;",
    "ha[0] = &at->d;",
    "hp[j]++;",
    "at->s = s;",
    "s = at->s;",
    "z = &at->s;",
    "at->s = *z;",
    "r = &at->s.h[k];",
    "*at = *l;",
    "l2[0] = l2[1];",
    "hp = malloc(16); hp[0] = hp[1] = hp[2] = hp[3] = 5;",
    "l = malloc(sizeof *l); *l = *at; at = l;",
    "l2 = calloc(2, sizeof *l2); l2->next = l2[1].next = at; l2->v = l2[1].v = &y;",
    "fp(&at->d, x);",
    "fp(hp, y);",
    "struct S *c1 = &at->s; ((struct L *)((char *)c1 - __builtin_offsetof(struct L, s)))->d = 7;",
    "memcpy(&at->s, &s, sizeof s);",
    "memset(&at->u, 0, sizeof at->u);",
    "if (x < y) at = l; else at = l2;",
    "x = at == l;",
    "x = at->v == &x;",
    "at->next = at;",
    "text = \"xyz\";",
    "pp = &at->v;",
    "pp = &ha[1];",
];

/// Accesses to allocated memory as another type.
const HEAP_PUNNING: &[&str] = &[
    "q = (char *)hp;",
    "q = (char *)&at->u;",
    "q = (char *)at;",
    "*q = 5;",
    "x = *q;",
    "*(short *)hp = 4;",
    "y = *(short *)&at->d;",
    "*(long long *)hp = 77;",
    "at->u.h[j] = 3;",
    "x = at->u.c[k];",
    "short *h1 = at->u.h; h1[j] = 6;",
    "*(int *)hc = 8;",
    "*(unsigned *)&at->d = 9;",
    "((char *)at)[1] = 1;",
    "memset(hp, 0, 8);",
    "memset(at, 0, 4);",
    "memcpy(hp, &x, 4);",
    "memcpy(hc, hp, 4);",
    "*(struct S *)&l->s = *z;",
];

/// Accesses to a part of an object, or as another type.
const PUNNING: &[&str] = &[
    "q = (char *)&g;",
    "q = (char *)&t[j];",
    "q = &s.c;",
    "q = (char *)&x;",
    "q[1] = 7;",
    "*q = 5;",
    "x = *q;",
    "*(short *)&g = 3;",
    "*(int *)&s.h[0] = 4;",
    "y = *(int *)&s.h[1];",
    "*(unsigned *)p = 8;",
    "x = *(unsigned *)p;",
    "s.h[3] = 2;",
    "*(long long *)&a[0] = 77;",
    "w = *(union U *)&a[1];",
    "*(struct S *)&n.in[0] = s;",
    "n.w = *(union U *)&g;",
    "*(union U *)&x = w;",
    "a[1] = *(int *)&w;",
    "((char *)&w)[2] = 6;",
];

/// What programs are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Variables that are accessed as what they are.
    Typed,
    /// Variables that are also accessed as something else.
    Punning,
    /// Allocated memory as well, accessed in any way.
    Allocated,
}

impl Kind {
    fn places(self) -> Vec<&'static str> {
        let more = if self == Kind::Allocated { HEAP_PLACES } else { &[] };
        [PLACES, more].concat()
    }

    fn statements(self) -> Vec<&'static str> {
        match self {
            Kind::Typed | Kind::Punning => STATEMENTS.to_vec(),
            Kind::Allocated => [STATEMENTS, HEAP_STATEMENTS, HEAP_STATEMENTS].concat(),
        }
    }

    fn punning(self) -> Vec<&'static str> {
        match self {
            Kind::Typed => vec![],
            Kind::Punning => PUNNING.to_vec(),
            Kind::Allocated => [PUNNING, HEAP_PUNNING, HEAP_PUNNING].concat(),
        }
    }

    fn locals(self) -> String {
        format!("{LOCALS}{}", if self == Kind::Allocated { HEAP } else { "" })
    }
}

fn body(random: &mut Random, kind: Kind) -> String {
    let (places, statements, punning) = (kind.places(), kind.statements(), kind.punning());
    // Without other accesses, some programs keep to one type for each object.
    let choices = if punning.is_empty() || (kind == Kind::Allocated && random.below(2) == 0) { 4 } else { 5 };
    let mut text = String::new();
    let lines = if kind == Kind::Allocated { 3 + random.below(6) } else { 8 + random.below(16) };
    for _ in 0..lines {
        let line = match random.below(choices) {
            0 | 1 => random.pick(&statements).to_owned(),
            4 => random.pick(&punning).to_owned(),
            _ => {
                let (target, left, right) =
                    (random.pick(&places), random.pick(&places), random.pick(&places));
                // String literals are not written.
                let target = if target.starts_with("text") { "x" } else { target };
                let op = random.pick(&["+", "-", "^", "&", "|"]);
                let line = format!("{target} = {left} {op} {right} + {};", random.below(300));
                if random.below(4) == 0 { format!("if ({left} < {right}) {line}") } else { line }
            }
        };
        let _ = writeln!(text, "{{ {line} }}");
    }
    let term = |(at, place): (usize, &&str)| format!("{place} * {}LL", 2 * at + 1);
    let sum: Vec<String> = match kind {
        Kind::Typed | Kind::Punning => places.iter().enumerate().map(term).collect(),
        // Solvers take long to find values that give a long sum.
        Kind::Allocated => vec![random.pick(HEAP_PLACES).to_owned(), random.pick(&places).to_owned()],
    };
    let _ = writeln!(text, "long long sum = {};", sum.join(" + "));
    text
}

fn outcome(model: DataModel, text: &str) -> Outcome {
    let program = support::program(model, text);
    let invariant = Invariant { pool: TermPool::new(), locations: vec![], contracts: vec![] };
    check(&program, &invariant.into(), &Limits::none().with_duration(Duration::from_mins(1)))
}

/// What is said of a program without loops if it is executed.
fn unwound(model: DataModel, text: &str) -> Outcome {
    let claim = rorqual_evidence::Claim::Unwinding(rorqual_evidence::Unwinding::default());
    check(&support::program(model, text), &claim, &Limits::none().with_duration(Duration::from_mins(1)))
}

/// How a program was compared.
enum Compared {
    /// It has no meaning.
    Not,
    /// Its value was not proved.
    Open,
    Exact,
}

fn compare(model: DataModel, seed: u64, kind: Kind) -> Compared {
    let body = body(&mut Random(seed), kind);
    let locals = kind.locals();
    let program = |end: &str| format!("{LIBRARY}{TYPES}int main(void) {{ {locals}{body}{end} return 0; }}");
    let printing = support::program(model, &program("printf(\"%lld\", sum);"));
    let run = interpret(&printing, &RunSettings::default());
    if run.ending.to_string() != "finished 0" {
        return Compared::Not;
    }
    let value = String::from_utf8_lossy(&run.stdout).into_owned();
    let reaches = program(&format!("if (sum == {value}LL) reach_error();"));
    assert!(
        matches!(outcome(model, &reaches), Outcome::Rejected(_)),
        "seed {seed}: an execution is lost\n{reaches}"
    );
    assert!(
        matches!(unwound(model, &reaches), Outcome::Rejected(_)),
        "seed {seed}: an execution is lost when it is unwound\n{reaches}"
    );
    let never = program(&format!("if (sum != {value}LL) reach_error();"));
    // What is never written has one value for the interpreter, and any value otherwise.
    let unwound = unwound(model, &never);
    let is_known = matches!(&unwound, Outcome::Accepted { .. }) || kind == Kind::Allocated;
    assert!(is_known, "seed {seed}: {unwound:?}\n{never}");
    let is_exact = kind == Kind::Typed && matches!(outcome(model, &never), Outcome::Accepted { .. });
    if is_exact { Compared::Exact } else { Compared::Open }
}

fn many(model: DataModel, kind: Kind, count: u64) {
    let (mut ran, mut exact) = (0, 0);
    for seed in 1..=count {
        match compare(model, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), kind) {
            Compared::Not => {}
            Compared::Open => ran += 1,
            Compared::Exact => (ran, exact) = (ran + 1, exact + 1),
        }
    }
    assert!(ran * 4 > count, "many programs have a meaning: {ran} of {count}");
    // Not all are: an element beyond an array inside of a structure is not always found.
    assert!(kind != Kind::Typed || exact * 10 >= ran * 7, "{exact} of {ran} programs are exact");
}

#[test]
fn typed_accesses_are_exact_in_lp64() {
    many(DataModel::Lp64, Kind::Typed, 25);
}

#[test]
fn typed_accesses_are_exact_in_ilp32() {
    many(DataModel::Ilp32, Kind::Typed, 25);
}

#[test]
fn other_accesses_lose_no_execution_in_lp64() {
    many(DataModel::Lp64, Kind::Punning, 25);
}

#[test]
fn other_accesses_lose_no_execution_in_ilp32() {
    many(DataModel::Ilp32, Kind::Punning, 25);
}

#[test]
fn allocated_memory_loses_no_execution_in_lp64() {
    many(DataModel::Lp64, Kind::Allocated, 40);
}

#[test]
fn allocated_memory_loses_no_execution_in_ilp32() {
    many(DataModel::Ilp32, Kind::Allocated, 40);
}
