//! Changes to C programs: on bytes to meet the lexer, on tokens to get past it.

use super::tokens::{Kind, Token, tokens};
use rorqual_testkit::Random;

/// Longer inputs cost time without showing more.
const LENGTH_LIMIT: usize = 120_000;

/// Values at which arithmetic, sizes and buffers end.
const EXTREMES: &[&str] = &[
    "0",
    "1",
    "-1",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808u",
    "18446744073709551615u",
    "18446744073709551616",
    "0x7fffffffffffffffffff",
    "1e999",
    "1e-999",
    "0x1p-1074",
    "0.0f",
    "1.",
    ".5",
    "08",
    "0b102",
    "0x",
    "1ull",
    "1i",
    "100000000",
    "'\\0'",
    "''",
    "'ab'",
    "1000000000000",
];

const TYPES: &[&str] = &[
    "void",
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "__int128",
    "float",
    "double",
    "long double",
    "struct s",
    "union u",
    "enum e",
    "int *",
    "void *",
    "struct { int x; }",
    "struct { int f : 3; }",
    "int (*)(void)",
    "typeof(x)",
    "__builtin_va_list",
    "_Complex double",
    "const",
    "volatile",
    "static",
    "extern",
    "inline",
    "typedef",
    "_Atomic int",
    "_Thread_local",
    "register",
    "auto",
];

const FRAGMENTS: &[&str] = &[
    "if (x)",
    "else",
    "while (x)",
    "for (;;)",
    "do",
    "switch (x)",
    "case 1:",
    "case 1 ... 3:",
    "default:",
    "break;",
    "continue;",
    "return x;",
    "goto l;",
    "l:",
    "goto *p;",
    "&&l",
    "({ x; })",
    "({",
    "})",
    "sizeof",
    "sizeof(int)",
    "_Alignof(int)",
    "_Generic(x, int: 1, default: 2)",
    "_Static_assert(1, \"\");",
    "__attribute__((packed))",
    "__attribute__((aligned(8)))",
    "asm(\"\");",
    "(int)",
    "(struct s){1}",
    "(int[]){1, 2}",
    "x ?: y",
    "x ? y : z",
    "x++",
    "--x",
    "*",
    "&",
    "!",
    "~",
    "->y",
    ".y",
    "[x]",
    "[0 ... 3] =",
    ".y =",
    "{}",
    "{0}",
    "()",
    "(void)",
    "...",
    ": 3",
    ": 0",
    "<<",
    ">>",
    "/",
    "%",
    "%=",
    "<<=",
    "&&",
    "||",
    ",",
    ";",
    "__builtin_va_arg(x, int)",
    "__builtin_add_overflow(x, y, &z)",
    "__builtin_offsetof(struct s, y)",
    "__builtin_unreachable()",
    "__func__",
    "#define X",
    "#include <stdio.h>\n",
    "#if",
    "#endif\n",
    "\n#",
    "##",
    "\\\n",
    "/*",
    "*/",
    "//",
    "\"",
    "'",
    "L\"a\"",
    "int v[x];",
    "static int s = 1;",
    "extern int x;",
    "int f(int, ...);",
    "int g(a) int a; { return a; }",
    "typedef int T;",
    "T",
    "enum { A = -1, B };",
    "union { int i; char c; }",
    "int :0;",
    "char a[];",
];

const BRACKETS: [(&[u8], &[u8]); 7] = [
    (b"(", b")"),
    (b"{", b"}"),
    (b"({", b";})"),
    (b"[", b"]"),
    (b"!(", b")"),
    (b"(int)(", b")"),
    (b"if (1) {", b"}"),
];

/// A changed copy of a file of the corpus. The result depends on `random` and the corpus only.
pub(crate) fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut text = random.choose(corpus).clone();
    // A third of all inputs is changed in one place only: many of these are still valid.
    let changes = if random.once_in(3) { 1 } else { 1 + random.small_below(12) };
    for _ in 0..changes {
        if random.once_in(4) {
            change_bytes(&mut text, corpus, random);
        } else {
            change_tokens(&mut text, corpus, random);
        }
        text.truncate(LENGTH_LIMIT);
    }
    text
}

fn change_bytes(text: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    let at = random.below(text.len() + 1);
    let end = at + random.small_below(text.len() - at + 1);
    match random.below(7) {
        0 if at < text.len() => text[at] ^= 1 << random.below(8),
        1 if at < text.len() => text[at] = random.byte(),
        2 => drop(text.drain(at..end)),
        3 => {
            let copy = text[at..end.min(at + 2000)].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, copy);
        }
        4 => {
            let other = random.choose(corpus);
            let start = random.below(other.len() + 1);
            let length = random.small_below((other.len() - start).min(2000) + 1);
            text.splice(at..at, other[start..start + length].iter().copied());
        }
        5 => text.truncate(at),
        _ => {
            let byte = random.byte();
            let times = 1 + if random.once_in(10) { random.below(3000) } else { random.below(3) };
            text.splice(at..at, std::iter::repeat_n(byte, times));
        }
    }
}

fn change_tokens(text: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    let all = tokens(text);
    if all.is_empty() {
        return change_bytes(text, corpus, random);
    }
    let chosen = random.below(all.len());
    let token = &all[chosen];
    match random.below(10) {
        0 => swap(text, &all, chosen, random),
        1 => drop(text.drain(token.range.clone())),
        2 => {
            let copy = text[token.range.clone()].to_vec();
            insert(text, token.range.end, &copy);
        }
        3 => {
            // A token of the same program, which is likely to be a name that is declared.
            let other = text[random.choose(&all).range.clone()].to_vec();
            text.splice(token.range.clone(), other);
        }
        4 => nest(text, &all, chosen, random),
        5 => replace_kind(text, &all, Kind::Number, EXTREMES, random),
        6 => replace_kind(text, &all, Kind::Word, TYPES, random),
        7 => insert(text, token.range.start, random.choose(FRAGMENTS).as_bytes()),
        8 => {
            let last = (chosen + random.small_below(40)).min(all.len() - 1);
            let part = text[token.range.start..all[last].range.end].to_vec();
            let to = random.choose(&all).range.start;
            insert(text, to, &part);
        }
        _ => {
            let last = (chosen + random.small_below(20)).min(all.len() - 1);
            text.drain(token.range.start..all[last].range.end);
        }
    }
}

fn insert(text: &mut Vec<u8>, at: usize, part: &[u8]) {
    let spaced = [b" ", part, b" "].concat();
    text.splice(at..at, spaced);
}

fn swap(text: &mut Vec<u8>, all: &[Token], first: usize, random: &mut Random) {
    let second = random.below(all.len());
    let (left, right) = (&all[first.min(second)].range, &all[first.max(second)].range);
    let [left_text, right_text] = [left, right].map(|range| text[range.clone()].to_vec());
    if left != right {
        text.splice(right.clone(), left_text);
        text.splice(left.clone(), right_text);
    }
}

/// Puts a few tokens between brackets, once or very often.
fn nest(text: &mut Vec<u8>, all: &[Token], chosen: usize, random: &mut Random) {
    let last = (chosen + random.small_below(10)).min(all.len() - 1);
    let &(open, close) = random.choose(&BRACKETS);
    let depth = if random.once_in(5) { 1 + random.below(4000) } else { 1 + random.below(3) };
    let end = all[last].range.end;
    text.splice(end..end, close.repeat(depth));
    let start = all[chosen].range.start;
    text.splice(start..start, open.repeat(depth));
}

fn replace_kind(text: &mut Vec<u8>, all: &[Token], kind: Kind, choices: &[&str], random: &mut Random) {
    let of_kind: Vec<&Token> = all.iter().filter(|token| token.kind == kind).collect();
    if !of_kind.is_empty() {
        let range = random.choose(&of_kind).range.clone();
        text.splice(range, random.choose(choices).bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
        let corpus = vec![b"int main(void) { return 1 + 2; }".to_vec(), b"int x[3];".to_vec(), vec![]];
        let make = |seed, index| mutated(&corpus, &mut Random::for_input(seed, index));
        for index in 0..2000 {
            assert_eq!(make(1, index), make(1, index));
        }
        assert!((0..50).any(|index| make(1, index) != make(2, index)));
    }
}
