//! Names of symbols and functions in SMT-LIB text.
//!
//! Any string names a symbol of a pool, but not of SMT-LIB: `|` and `\` cannot be quoted, `and` is
//! taken, and symbols and functions share one name space. Such names are encoded with a prefix; the
//! parser decodes them, so that printing and parsing gives the same names.

use std::fmt::Write as _;

/// Starts an encoded name of a symbol or function.
const ENCODED: &str = "esc!";
/// Starts an encoded name of a function that a symbol has too.
const FUNCTION: &str = "fun!";
/// Starts the names of shared subterms.
pub(super) const SHARED: char = '?';

/// What a name in a text stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A symbol or function of this name.
    Plain(String),
    /// A function of this name, which some symbol has too.
    Function(String),
}

/// The text of a symbol's or function's name.
pub(super) fn encode(name: &str) -> String {
    if needs_encoding(name) { quote(&encoded(ENCODED, name)) } else { quote(name) }
}

/// The text of the name of a function that a symbol has too.
pub(super) fn encode_function(name: &str) -> String {
    quote(&encoded(FUNCTION, name))
}

/// The meaning of a name, without its quotes. A malformed code stands for itself.
pub(super) fn decode(text: &str) -> Meaning {
    if let Some(name) = text.strip_prefix(ENCODED).and_then(decoded) {
        return Meaning::Plain(name);
    }
    match text.strip_prefix(FUNCTION).and_then(decoded) {
        Some(name) => Meaning::Function(name),
        None => Meaning::Plain(text.to_owned()),
    }
}

fn needs_encoding(name: &str) -> bool {
    let prefixed = name.starts_with(ENCODED) || name.starts_with(FUNCTION);
    // Names that start with `@` or `.` belong to solvers.
    let reserved = name.is_empty() || name.starts_with(['@', '.', SHARED]);
    prefixed || reserved || is_theory_name(name) || name.chars().any(is_unquotable)
}

fn is_unquotable(character: char) -> bool {
    matches!(character, '|' | '\\') || character.is_control()
}

fn encoded(prefix: &str, name: &str) -> String {
    let mut text = prefix.to_owned();
    for character in name.chars() {
        if is_unquotable(character) || character == '%' {
            // The code of a control character has at most two digits.
            let _ = write!(text, "%{:02x}", character as u32);
        } else {
            text.push(character);
        }
    }
    text
}

fn decoded(text: &str) -> Option<String> {
    let mut pieces = text.split('%');
    let mut name = pieces.next()?.to_owned();
    for piece in pieces {
        let code = u8::from_str_radix(piece.get(..2)?, 16).ok()?;
        name.push(char::from(code));
        name.push_str(&piece[2..]);
    }
    Some(name)
}

fn quote(name: &str) -> String {
    if is_simple(name) { name.to_owned() } else { format!("|{name}|") }
}

/// Whether the characters of a simple symbol suffice.
fn is_simple(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = !name.starts_with(|c: char| c.is_ascii_digit());
    !name.is_empty() && starts_well && name.chars().all(is_plain) && !RESERVED.contains(&name)
}

/// Reserved words may name a symbol once they are quoted.
const RESERVED: &[&str] = &[
    "!",
    "_",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
];

/// Names of the theories stay taken when quoted: `|and|` is `and`.
fn is_theory_name(name: &str) -> bool {
    THEORY.contains(&name) || name.starts_with("bv") && name.len() > 2
}

const THEORY: &[&str] = &[
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "=",
    "distinct",
    "ite",
    "Bool",
    "Int",
    "Real",
    "Array",
    "BitVec",
    "String",
    "concat",
    "extract",
    "repeat",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "ext_rotate_left",
    "ext_rotate_right",
    "select",
    "store",
    "const",
    "map",
    "default",
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "rem",
    "abs",
    "<",
    "<=",
    ">",
    ">=",
    "to_real",
    "to_int",
    "is_int",
    "int2bv",
    "nat2bv",
    "int_to_bv",
    "ubv_to_int",
    "sbv_to_int",
    "divisible",
    "implies",
    "iff",
    "if",
    "union",
    "subset",
    "intersect",
    "setminus",
    "complement",
    "member",
    "exp",
    "sin",
    "cos",
    "tan",
    "pi",
    "sqrt",
    "iand",
    "pow2",
    "root-obj",
    "Set",
    "Seq",
    "RegLan",
    "is",
    "update",
    "tuple",
    "nil",
    "cons",
    "head",
    "tail",
    "List",
    "insert",
    "Pair",
    "pair",
    "first",
    "second",
    "lambda",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_the_round_trip() {
        let names =
            ["x", "main::i@3", "and", "let", "a|b", "a\\%7c", "", "?1", "esc!x", "fun!y", "ü", "a b", "7"];
        for name in names {
            let text = encode(name);
            let inner = text.trim_matches('|');
            assert_eq!(decode(inner), Meaning::Plain(name.to_owned()), "{text}");
            let text = encode_function(name);
            assert_eq!(decode(text.trim_matches('|')), Meaning::Function(name.to_owned()), "{text}");
        }
    }

    #[test]
    fn names_are_quoted_only_where_needed() {
        assert_eq!(encode("main.x!3"), "main.x!3");
        assert_eq!(encode("main::x"), "|main::x|");
        assert_eq!(encode("let"), "|let|");
        assert_eq!(encode("select"), "esc!select");
        assert_eq!(encode("a|b"), "esc!a%7cb");
    }
}
