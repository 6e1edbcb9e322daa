//! Random programs over arrays, structures, unions, bit-fields and pointers, against the interpreter. What
//! the interpreter computes must be possible for the checker, always; where nothing is accessed as
//! another type, it must be the only possibility.

mod support;

use std::fmt::Write;

use rorqual_certificate::Outcome;
use rorqual_cfa::DataModel;
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
struct N { int k; struct S in[2]; union U w; };
void set(int *where, int what) { *where = what; }
int get(struct S v, int k) { return v.h[k] + v.i; }
struct S make(int k) { struct S v = {k, k + 1, {1, 2, k}, 3, -4}; return v; }
int g; int a[4]; int m[2][3]; struct S s, t[2]; union U w; struct N n, o[2];\n";

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

fn body(random: &mut Random, punning: bool) -> String {
    let mut text = String::new();
    for _ in 0..8 + random.below(16) {
        let line = match random.below(if punning { 5 } else { 4 }) {
            0 | 1 => random.pick(STATEMENTS).to_owned(),
            4 => random.pick(PUNNING).to_owned(),
            _ => {
                let (target, left, right) = (random.pick(PLACES), random.pick(PLACES), random.pick(PLACES));
                let op = random.pick(&["+", "-", "^", "&", "|"]);
                let line = format!("{target} = {left} {op} {right} + {};", random.below(300));
                if random.below(4) == 0 { format!("if ({left} < {right}) {line}") } else { line }
            }
        };
        let _ = writeln!(text, "{line}");
    }
    let sum: Vec<String> =
        PLACES.iter().enumerate().map(|(at, place)| format!("{place} * {}LL", 2 * at + 1)).collect();
    let _ = writeln!(text, "long long sum = {};", sum.join(" + "));
    text
}

fn outcome(model: DataModel, text: &str) -> Outcome {
    let program = support::program(model, text);
    support::outcome(&program, &support::certificate(&program, &[])).0
}

fn compare(model: DataModel, seed: u64, punning: bool) -> bool {
    let body = body(&mut Random(seed), punning);
    let program = |end: &str| {
        format!("int printf(const char *, ...);\n{TYPES}int main(void) {{ {LOCALS}{body}{end} return 0; }}")
    };
    let printing = support::program(model, &program("printf(\"%lld\", sum);"));
    let run = interpret(&printing, &RunSettings::default());
    if run.ending.to_string() != "finished 0" {
        return false;
    }
    let value = String::from_utf8_lossy(&run.stdout).into_owned();
    let reaches = program(&format!("if (sum == {value}LL) reach_error();"));
    assert!(
        matches!(outcome(model, &reaches), Outcome::Rejected(_)),
        "seed {seed}: an execution is lost\n{reaches}"
    );
    if !punning {
        let never = program(&format!("if (sum != {value}LL) reach_error();"));
        let outcome = outcome(model, &never);
        assert!(matches!(outcome, Outcome::Accepted { .. }), "seed {seed}: {outcome:?}\n{never}");
    }
    true
}

fn many(model: DataModel, punning: bool, count: u64) {
    let ran = (1..=count)
        .filter(|seed| compare(model, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), punning))
        .count() as u64;
    assert!(ran * 2 > count, "most programs have a meaning: {ran} of {count}");
}

#[test]
fn typed_accesses_are_exact_in_lp64() {
    many(DataModel::Lp64, false, 25);
}

#[test]
fn typed_accesses_are_exact_in_ilp32() {
    many(DataModel::Ilp32, false, 25);
}

#[test]
fn other_accesses_lose_no_execution_in_lp64() {
    many(DataModel::Lp64, true, 25);
}

#[test]
fn other_accesses_lose_no_execution_in_ilp32() {
    many(DataModel::Ilp32, true, 25);
}
