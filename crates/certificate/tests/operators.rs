//! The meaning of every operator on every integer type, against the interpreter: with fixed operands, the
//! value that the interpreter computes is the only one that the checker allows.

mod support;

use std::fmt::Write;

use rorqual_certificate::Outcome;
use rorqual_cfa::DataModel;
use rorqual_testkit::{RunSettings, interpret};

const TYPES: &[&str] = &[
    "_Bool",
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

const BINARY: &[&str] =
    &["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];

/// A small generator of numbers, so that runs are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number that is small, large, or at a limit.
    fn operand(&mut self) -> u64 {
        let limits = [0, 1, 2, u64::MAX, 0x7f, 0x80, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, 1 << 63];
        match self.next() % 3 {
            0 => limits[self.next() as usize % limits.len()],
            1 => self.next() % 40,
            _ => self.next(),
        }
    }
}

/// The expressions that are compared, over `a`, `b` and `c`, with the definitions of these.
fn snippets(random: &mut Random) -> Vec<(String, String)> {
    let mut snippets = Vec::new();
    for (at, first) in TYPES.iter().enumerate() {
        for op in BINARY {
            let second = TYPES[(at + random.next() as usize) % TYPES.len()];
            let third = TYPES[random.next() as usize % TYPES.len()];
            let mut right = random.operand();
            if ["<<", ">>"].contains(op) {
                right %= 16;
            } else if ["/", "%"].contains(op) && right.trailing_zeros() >= 7 {
                right = 3;
            }
            let define = format!(
                "{first} a = ({first}){}ULL; {second} b = ({second}){right}ULL; {third} c = 0;",
                random.operand()
            );
            snippets.push((define, format!("a {op} b")));
        }
        for expression in ["-a", "~a", "!a", "a ? b : c", "a++ + a", "(char)a - b", "(unsigned short)a * b"] {
            let second = TYPES[random.next() as usize % TYPES.len()];
            let define = format!(
                "{first} a = ({first}){}ULL; {second} b = ({second}){}ULL; int c = 5;",
                random.operand(),
                random.operand()
            );
            snippets.push((define, expression.to_owned()));
        }
    }
    snippets
}

/// The values of the snippets as the interpreter prints them; none for those that are undefined.
fn values(model: DataModel, snippets: &[(String, String)]) -> Vec<Option<String>> {
    let value = |(define, expression): &(String, String)| {
        let text = format!(
            "int printf(const char *, ...); int main(void) {{ {define} long long r = {expression};
             printf(\"%lld\", r); return 0; }}"
        );
        let run = interpret(&support::program(model, &text), &RunSettings::default());
        (run.ending.to_string() == "finished 0").then(|| String::from_utf8_lossy(&run.stdout).into_owned())
    };
    snippets.iter().map(value).collect()
}

/// Whether a program without loops is accepted without any statement.
fn accepted(model: DataModel, text: &str) -> bool {
    let program = support::program(model, text);
    let (outcome, _) = support::outcome(&program, &support::certificate(&program, &[]));
    match outcome {
        Outcome::Accepted { .. } => true,
        Outcome::Rejected(_) => false,
        Outcome::Unknown { .. } => panic!("{outcome:?}\n{text}"),
    }
}

/// Operands come from variables that the checker must follow through the state, so that the solver and not
/// the simplifier of terms decides some of them.
fn agrees(model: DataModel) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let snippets = snippets(&mut random);
    let values = values(model, &snippets);
    let mut all = String::from("int main(void) { int n = 0;\n");
    for ((define, expression), value) in snippets.iter().zip(&values) {
        let Some(value) = value else { continue };
        let number = literal(value);
        let _ = writeln!(all, "{{ {define} if ((long long)({expression}) != {number}) reach_error(); }}");
    }
    assert!(accepted(model, &format!("{all} return n; }}")), "some operator differs\n{all}");
    for ((define, expression), value) in snippets.iter().zip(&values).step_by(7) {
        let Some(value) = value else { continue };
        let number = literal(value);
        let wrong = format!(
            "int main(void) {{ {define} if ((long long)({expression}) == {number}) reach_error(); return 0; }}"
        );
        assert!(!accepted(model, &wrong), "{wrong}");
    }
}

fn literal(value: &str) -> String {
    if value == "-9223372036854775808" {
        "(-9223372036854775807LL - 1)".to_owned()
    } else {
        format!("{value}LL")
    }
}

#[test]
fn operators_agree_with_the_interpreter_in_lp64() {
    agrees(DataModel::Lp64);
}

#[test]
fn operators_agree_with_the_interpreter_in_ilp32() {
    agrees(DataModel::Ilp32);
}

#[test]
fn builtins_agree_with_the_interpreter() {
    let tests = [
        ("__builtin_clz(a)", "unsigned a = 0x1234;"),
        ("__builtin_ctz(a)", "unsigned a = 0x1230;"),
        ("__builtin_popcountll(a)", "unsigned long long a = 0xff00ff01ULL;"),
        ("__builtin_bswap32(a)", "unsigned a = 0x12345678;"),
        ("__builtin_add_overflow_p(a, b, (int)0)", "int a = 0x7fffffff, b = 1;"),
        ("__builtin_mul_overflow(a, b, &c)", "int a = 0x7fffffff, b = 3; int c;"),
        ("__builtin_sub_overflow(a, b, &c)", "unsigned a = 1, b = 2; unsigned c;"),
        ("__builtin_add_overflow(a, b, &c)", "long a = -1; unsigned b = 2; unsigned char c;"),
    ];
    for (expression, define) in tests {
        let snippet = (define.to_owned(), expression.to_owned());
        let Some(value) = &values(DataModel::Lp64, &[snippet])[0] else { continue };
        let text = |op: &str| {
            format!(
                "int main(void) {{ {define} if ((long long)({expression}) {op} {value}LL) reach_error(); }}"
            )
        };
        assert!(accepted(DataModel::Lp64, &text("!=")), "{expression} is not {value}");
        assert!(!accepted(DataModel::Lp64, &text("==")), "{expression}");
    }
}
