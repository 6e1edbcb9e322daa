//! Terms as people read them: expressions in the manner of C. The notation is explained at [`Display`].

use std::fmt::{self, Write as _};

use dashu::base::BitTest;

use crate::bits::Bits;
use crate::pool::{Op, Term, TermPool};

/// How many operations and names are shown unless the caller says otherwise.
const DEFAULT_LIMIT: usize = 500;

/// The walk recurses, so it stops at this depth, which no readable expression has.
const DEPTH_LIMIT: usize = 200;

/// A term to be printed.
///
/// Bit-vectors have no sign, so the operation says how it reads them, whatever the C types of the
/// variables are:
///
/// | Text | Meaning |
/// |---|---|
/// | `x < y`, `x <= y`, `x / y`, `x % y`, `x >> y` | signed (arithmetic shift) |
/// | `x <u y`, `x <=u y`, `x /u y`, `x %u y`, `x >>u y` | the same on unsigned numbers |
/// | `x + y`, `x - y`, `x * y`, `x << y`, `x & y`, `~x`, `x == y` | alike for both; `+`, `-`, `*` wrap |
/// | `(u64)x`, `(i64)x` | `x` lengthened to 64 bits by zeros, by its sign |
/// | `(u8)x` or `(i8)x` | the lowest 8 bits of a longer `x` |
/// | `x[15:4]`, `{x, y}` | bits 4 to 15 of `x`; `x` above `y` |
/// | `a[i]`, `a[i := v]`, `array(v)` | read, write, the array with `v` everywhere |
/// | `…` | more than the limit allows to show |
///
/// A constant is unsigned next to an unsigned operation; elsewhere small negative numbers have their
/// sign, so that `0xffffffff` of 32 bits is `-1`. Operators bind as in C, except that `&&` under `||`
/// has parentheses. Each shared subterm is written where it is used, so a text may be longer than
/// its term; the limit on the number of operations and names keeps it readable. The text is for
/// people only: SMT-LIB is what machines read back.
#[derive(Clone, Copy)]
pub struct Display<'a> {
    pool: &'a TermPool,
    term: Term,
    limit: usize,
    names: &'a dyn Names,
}

/// What symbols are called in a text.
pub trait Names {
    /// The name of a symbol.
    fn symbol(&self, name: &str) -> String {
        name.to_owned()
    }

    /// What an element of an array is called.
    fn element(&self, array: &str) -> Element {
        Element::Index { before: format!("{}[", self.symbol(array)), after: "]".to_owned() }
    }
}

/// What an element of an array is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// The index between two texts: `a[`, `].x`.
    Index {
        /// The text before the index.
        before: String,
        /// The text behind it.
        after: String,
    },
    /// A text behind the index, which is a pointer: `->x`.
    Behind(String),
}

/// Symbols under the names that they have.
struct OwnNames;

impl Names for OwnNames {}

impl TermPool {
    /// The term as a C-like expression; see [`Display`] for the notation.
    pub fn display(&self, term: Term) -> Display<'_> {
        self.display_within(term, DEFAULT_LIMIT)
    }

    /// The term as a C-like expression with at most `limit` operations and names.
    pub fn display_within(&self, term: Term, limit: usize) -> Display<'_> {
        Display { pool: self, term, limit, names: &OwnNames }
    }

    /// The term as a C-like expression with other names.
    pub fn display_with<'a>(&'a self, term: Term, names: &'a dyn Names) -> Display<'a> {
        Display { pool: self, term, limit: DEFAULT_LIMIT, names }
    }
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Display { pool, term, limit, names } = *self;
        let mut writer = Writer { pool, names, left: limit, depth: 0, text: String::new() };
        writer.expression(term, Level::Ternary, Reading::Neutral);
        f.write_str(&writer.text)
    }
}

/// How tightly an operator binds, as in C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Ternary,
    LogicalOr,
    LogicalAnd,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Comparison,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

/// How the surrounding operation reads a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Neutral,
    Signed,
    Unsigned,
    Mask,
    /// With its width, because nothing else tells it.
    Wide,
}

struct Writer<'a> {
    pool: &'a TermPool,
    names: &'a dyn Names,
    left: usize,
    depth: usize,
    text: String,
}

impl Writer<'_> {
    /// Writes the term, in parentheses if it binds more loosely than `level`.
    fn expression(&mut self, term: Term, level: Level, reading: Reading) {
        if self.left == 0 || self.depth == DEPTH_LIMIT {
            self.text.push('…');
            return;
        }
        self.left -= 1;
        self.depth += 1;
        let parenthesised = self.level_of(term) < level;
        if parenthesised {
            self.text.push('(');
        }
        self.operation(term, reading);
        if parenthesised {
            self.text.push(')');
        }
        self.depth -= 1;
    }

    fn level_of(&self, term: Term) -> Level {
        match self.pool.op(term) {
            Op::Ite => Level::Ternary,
            Op::Or => Level::LogicalOr,
            Op::And => Level::LogicalAnd,
            Op::BvOr => Level::BitOr,
            Op::BvXor => Level::BitXor,
            Op::BvAnd => Level::BitAnd,
            Op::Eq => Level::Equality,
            Op::Not => match self.pool.op(self.pool.arguments(term)[0]) {
                Op::Eq => Level::Equality,
                Op::IntLe => Level::Comparison,
                _ => Level::Unary,
            },
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::IntLe => Level::Comparison,
            Op::BvShl | Op::BvLshr | Op::BvAshr => Level::Shift,
            Op::BvAdd | Op::IntAdd => Level::Sum,
            Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::IntScale(_) => Level::Product,
            Op::BvNot | Op::BvNeg | Op::ZeroExtend | Op::SignExtend => Level::Unary,
            Op::Extract { high, low } => {
                if is_truncation(*high, *low) {
                    Level::Unary
                } else {
                    Level::Postfix
                }
            }
            _ => Level::Postfix,
        }
    }

    fn operation(&mut self, term: Term, reading: Reading) {
        let arguments = self.pool.arguments(term);
        match self.pool.op(term) {
            Op::Bool(value) => self.text.push_str(if *value { "true" } else { "false" }),
            Op::Bits(bits) => self.text.push_str(&constant(bits, reading)),
            Op::Int(value) => self.text.push_str(&value.to_string()),
            Op::Symbol(symbol) => self.text.push_str(&self.names.symbol(self.pool.symbol_name(*symbol))),
            Op::Apply(function) => {
                self.text.push_str(self.pool.signature(*function).0);
                self.list("(", arguments, ")");
            }
            Op::Not => self.negation(arguments[0]),
            Op::And => self.joined(" && ", arguments, Level::BitOr, Reading::Neutral),
            Op::Or => self.joined(" || ", arguments, Level::BitOr, Reading::Neutral),
            Op::Eq => self.equality("==", arguments),
            Op::Ite => {
                self.expression(arguments[0], Level::LogicalOr, Reading::Neutral);
                self.text.push_str(" ? ");
                self.expression(arguments[1], Level::LogicalOr, reading);
                self.text.push_str(" : ");
                self.expression(arguments[2], Level::Ternary, reading);
            }
            Op::BvNot => self.prefixed("~", arguments[0]),
            Op::BvNeg => self.prefixed("-", arguments[0]),
            Op::BvAdd | Op::IntAdd => self.sum(term, reading),
            Op::BvMul => self.chain(term, " * ", Level::Product, reading),
            Op::BvAnd => self.chain(term, " & ", Level::BitAnd, Reading::Mask),
            Op::BvOr => self.chain(term, " | ", Level::BitOr, Reading::Mask),
            Op::BvXor => self.chain(term, " ^ ", Level::BitXor, Reading::Mask),
            Op::IntScale(factor) => {
                self.text.push_str(&factor.to_string());
                self.text.push_str(" * ");
                self.expression(arguments[0], Level::Unary, Reading::Signed);
            }
            Op::BvUdiv => self.binary(" /u ", arguments, Level::Product, Reading::Unsigned),
            Op::BvUrem => self.binary(" %u ", arguments, Level::Product, Reading::Unsigned),
            Op::BvSdiv => self.binary(" / ", arguments, Level::Product, Reading::Signed),
            Op::BvSrem => self.binary(" % ", arguments, Level::Product, Reading::Signed),
            Op::BvShl => self.shift(" << ", arguments, reading),
            Op::BvLshr => self.shift(" >>u ", arguments, Reading::Unsigned),
            Op::BvAshr => self.shift(" >> ", arguments, Reading::Signed),
            Op::BvUlt => self.comparison(["<u", ">u"], arguments, Reading::Unsigned),
            Op::BvUle => self.comparison(["<=u", ">=u"], arguments, Reading::Unsigned),
            Op::BvSlt => self.comparison(["<", ">"], arguments, Reading::Signed),
            Op::BvSle | Op::IntLe => self.comparison(["<=", ">="], arguments, Reading::Signed),
            Op::Concat => self.list("{", arguments, "}"),
            Op::Extract { high, low } => self.extract(arguments[0], *high, *low, 'u'),
            Op::ZeroExtend => self.cast('u', self.pool.width(term), arguments[0]),
            Op::SignExtend => self.sign_extension(term, arguments[0]),
            Op::Select => self.element(arguments[0], arguments[1]),
            Op::Store => self.store(term),
            Op::ConstArray => {
                self.text.push_str("array");
                self.list("(", arguments, ")");
            }
        }
    }

    fn element(&mut self, array: Term, index: Term) {
        let Op::Symbol(symbol) = *self.pool.op(array) else {
            self.expression(array, Level::Postfix, Reading::Neutral);
            self.text.push('[');
            self.expression(index, Level::Ternary, Reading::Unsigned);
            self.text.push(']');
            return;
        };
        match self.names.element(self.pool.symbol_name(symbol)) {
            Element::Index { before, after } => {
                self.text.push_str(&before);
                self.expression(index, Level::Ternary, Reading::Unsigned);
                self.text.push_str(&after);
            }
            Element::Behind(member) => {
                self.expression(index, Level::Postfix, Reading::Unsigned);
                self.text.push_str(&member);
            }
        }
    }

    fn list(&mut self, open: &str, arguments: &[Term], close: &str) {
        // In braces, the width of a constant matters; in calls, it comes from the function.
        let reading = if open == "{" { Reading::Wide } else { Reading::Neutral };
        self.text.push_str(open);
        for (at, &argument) in arguments.iter().enumerate() {
            self.text.push_str(if at == 0 { "" } else { ", " });
            self.expression(argument, Level::Ternary, reading);
        }
        self.text.push_str(close);
    }

    fn joined(&mut self, operator: &str, arguments: &[Term], level: Level, reading: Reading) {
        for (at, &argument) in arguments.iter().enumerate() {
            if at > 0 {
                self.text.push_str(operator);
                // One mark stands for all of the arguments that do not fit.
                if self.left == 0 {
                    self.text.push('…');
                    return;
                }
            }
            self.expression(argument, level, reading);
        }
    }

    fn prefixed(&mut self, operator: &str, argument: Term) {
        self.text.push_str(operator);
        self.expression(argument, Level::Unary, Reading::Neutral);
    }

    fn binary(&mut self, operator: &str, arguments: &[Term], level: Level, reading: Reading) {
        self.expression(arguments[0], level, reading);
        self.text.push_str(operator);
        self.expression(arguments[1], next(level), reading);
    }

    fn shift(&mut self, operator: &str, arguments: &[Term], reading: Reading) {
        self.expression(arguments[0], Level::Sum, reading);
        self.text.push_str(operator);
        self.expression(arguments[1], Level::Sum, Reading::Unsigned);
    }

    fn negation(&mut self, argument: Term) {
        match self.pool.op(argument) {
            Op::Eq => self.equality("!=", self.pool.arguments(argument)),
            Op::IntLe => self.comparison([">", "<"], self.pool.arguments(argument), Reading::Signed),
            _ => self.prefixed("!", argument),
        }
    }

    /// Constants to the right.
    fn equality(&mut self, operator: &str, arguments: &[Term]) {
        let (mut lhs, mut rhs) = (arguments[0], arguments[1]);
        if self.pool.is_value(lhs) {
            (lhs, rhs) = (rhs, lhs);
        }
        self.expression(lhs, Level::Shift, Reading::Neutral);
        self.text.push(' ');
        self.text.push_str(operator);
        self.text.push(' ');
        self.expression(rhs, Level::Shift, Reading::Neutral);
    }

    /// Constants to the right; the second operator is the first one read from right to left.
    fn comparison(&mut self, operators: [&str; 2], arguments: &[Term], reading: Reading) {
        let flipped = self.pool.is_value(arguments[0]);
        let (lhs, rhs) = (arguments[usize::from(flipped)], arguments[usize::from(!flipped)]);
        self.expression(lhs, Level::Shift, reading);
        self.text.push(' ');
        self.text.push_str(operators[usize::from(flipped)]);
        self.text.push(' ');
        self.expression(rhs, Level::Shift, reading);
    }

    /// The operands of nested operations of one kind, constants last.
    fn operands(&self, root: Term) -> Vec<Term> {
        let mut operands = Vec::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.pool.op(term) == self.pool.op(root) && operands.len() <= self.left {
                stack.extend(self.pool.arguments(term).iter().rev());
            } else {
                operands.push(term);
            }
        }
        operands.sort_by_key(|&operand| self.pool.is_value(operand));
        operands
    }

    fn chain(&mut self, term: Term, operator: &str, level: Level, reading: Reading) {
        let operands = self.operands(term);
        self.joined(operator, &operands, next(level), reading);
    }

    /// Subtractions last, so that few sums start with a sign.
    fn sum(&mut self, term: Term, reading: Reading) {
        let mut operands = self.operands(term);
        operands.sort_by_key(|&operand| (self.pool.is_value(operand), self.negated(operand).is_some()));
        for (at, &operand) in operands.iter().enumerate() {
            if at > 0 && self.left == 0 {
                self.text.push_str(" + …");
                return;
            }
            match self.negated(operand) {
                Some(_) if at == 0 => self.expression(operand, Level::Product, reading),
                Some(Negated::Term(term)) => {
                    self.text.push_str(" - ");
                    self.expression(term, Level::Product, reading);
                }
                Some(Negated::Constant(text)) => {
                    self.text.push_str(" - ");
                    self.text.push_str(&text);
                }
                Some(Negated::Multiple(factor, of)) => {
                    self.text.push_str(" - ");
                    self.text.push_str(&factor);
                    self.text.push_str(" * ");
                    self.expression(of, Level::Unary, reading);
                }
                None => {
                    self.text.push_str(if at == 0 { "" } else { " + " });
                    self.expression(operand, Level::Product, reading);
                }
            }
        }
    }

    /// What a summand subtracts, if it is best shown so.
    fn negated(&self, term: Term) -> Option<Negated> {
        let arguments = self.pool.arguments(term);
        match self.pool.op(term) {
            Op::BvNeg => Some(Negated::Term(arguments[0])),
            Op::Bits(bits) if is_small_negative(bits) => {
                Some(Negated::Constant(bits.neg().unsigned().to_string()))
            }
            Op::Int(value) => {
                value.to_string().strip_prefix('-').map(|text| Negated::Constant(text.to_owned()))
            }
            Op::BvMul => {
                let factor = self.pool.as_bits(arguments[0]).filter(|bits| is_small_negative(bits))?;
                Some(Negated::Multiple(factor.neg().unsigned().to_string(), arguments[1]))
            }
            Op::IntScale(factor) => {
                let magnitude = factor.to_string().strip_prefix('-')?.to_owned();
                Some(if magnitude == "1" {
                    Negated::Term(arguments[0])
                } else {
                    Negated::Multiple(magnitude, arguments[0])
                })
            }
            _ => None,
        }
    }

    fn cast(&mut self, sign: char, width: u32, of: Term) {
        let _ = write!(self.text, "({sign}{width})");
        self.expression(of, Level::Unary, Reading::Wide);
    }

    /// The inner cast of `(i64)(i8)x` shows the sign that the outer one extends.
    fn sign_extension(&mut self, term: Term, of: Term) {
        match *self.pool.op(of) {
            Op::Extract { high, low } if is_truncation(high, low) => {
                let _ = write!(self.text, "(i{})", self.pool.width(term));
                self.extract(self.pool.arguments(of)[0], high, low, 'i');
            }
            _ => self.cast('i', self.pool.width(term), of),
        }
    }

    fn extract(&mut self, of: Term, high: u32, low: u32, sign: char) {
        if is_truncation(high, low) {
            return self.cast(sign, high + 1, of);
        }
        self.expression(of, Level::Postfix, Reading::Wide);
        let _ = write!(self.text, "[{high}:{low}]");
    }

    /// `a[i := v][j := w]` for nested writes, oldest first.
    fn store(&mut self, term: Term) {
        let mut writes = Vec::new();
        let mut array = term;
        while *self.pool.op(array) == Op::Store && writes.len() <= self.left {
            let arguments = self.pool.arguments(array);
            writes.push((arguments[1], arguments[2]));
            array = arguments[0];
        }
        let is_cut = *self.pool.op(array) == Op::Store;
        if is_cut {
            self.text.push('…');
        } else {
            self.expression(array, Level::Postfix, Reading::Neutral);
        }
        for (index, value) in writes.into_iter().rev() {
            if self.left == 0 {
                self.text.push_str("[…]");
                return;
            }
            self.text.push('[');
            self.expression(index, Level::LogicalOr, Reading::Unsigned);
            self.text.push_str(" := ");
            self.expression(value, Level::Ternary, Reading::Neutral);
            self.text.push(']');
        }
    }
}

enum Negated {
    Term(Term),
    Constant(String),
    Multiple(String, Term),
}

/// Whether these bits are what a cast to a shorter C type keeps.
fn is_truncation(high: u32, low: u32) -> bool {
    low == 0 && matches!(high + 1, 8 | 16 | 32 | 64 | 128)
}

fn next(level: Level) -> Level {
    match level {
        Level::Ternary => Level::LogicalOr,
        Level::LogicalOr => Level::LogicalAnd,
        Level::LogicalAnd => Level::BitOr,
        Level::BitOr => Level::BitXor,
        Level::BitXor => Level::BitAnd,
        Level::BitAnd => Level::Equality,
        Level::Equality => Level::Comparison,
        Level::Comparison => Level::Shift,
        Level::Shift => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Unary,
        Level::Unary | Level::Postfix => Level::Postfix,
    }
}

/// Whether a vector is most likely a negative number: one of at most half its bits.
fn is_small_negative(bits: &Bits) -> bool {
    bits.width() > 1 && bits.sign() && bits.neg().unsigned().bit_len() <= (bits.width() as usize / 2).max(1)
}

fn constant(bits: &Bits, reading: Reading) -> String {
    match reading {
        Reading::Wide => bits.to_string(),
        _ if bits.width() == 1 => bits.unsigned().to_string(),
        Reading::Signed => bits.signed().to_string(),
        Reading::Unsigned => bits.unsigned().to_string(),
        Reading::Neutral if is_small_negative(bits) => bits.signed().to_string(),
        Reading::Neutral if !bits.sign() => bits.unsigned().to_string(),
        Reading::Neutral | Reading::Mask if *bits.unsigned() < 10u8.into() => bits.unsigned().to_string(),
        Reading::Neutral | Reading::Mask => format!("{:#x}", bits.unsigned()),
    }
}
