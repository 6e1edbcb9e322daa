//! Terms as C expressions without side effects.
//!
//! A bit-vector has no sign, a C expression has one. So each bit-vector is written as one of two
//! expressions: one whose value is the vector read as an unsigned number, or one whose value is the
//! vector read as a signed number. Arithmetic happens in unsigned types of 32, 64 or 128 bits, where it
//! wraps; vectors of other widths are computed in the next wider type and cut. Conversions to signed types
//! and right shifts of negative numbers are those of gcc (`docs/soundness.md`).

use rorqual_cfa::{DataModel, IntKind};
use rorqual_logic::{Bits, Op, Sort, Term, TermPool};

use crate::literals;

mod sums;

/// What a symbol of a formula is in C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lvalue {
    /// An integer: an expression without side effects that denotes it, and its type. A symbol with fewer bits
    /// than the type is a bit-field.
    Int(String, IntKind),
    /// An object or function pointer, or the address of an object: an expression of pointer type.
    Pointer(String),
    /// Integers at positions from 0 up to `length`: `before`, the position and `after` denote one.
    Array {
        /// The text before the position, such as `a[`.
        before: String,
        /// The text behind it, such as `].x`.
        after: String,
        /// The type of the elements.
        element: IntKind,
        /// How many there are. Other positions must not be read.
        length: u64,
    },
}

/// A C expression that `term` implies, over the symbols that `resolve` finds. Parts of the term that cannot be
/// written are weakened away: conjuncts that mention symbols out of scope, integers wider than the data
/// model has, uninterpreted functions, whole arrays. If nothing is left, the answer is `None`. Where nothing
/// is weakened, the expression has the value of the term in every state in which its arrays are read inside
/// their bounds.
pub fn c_expression(
    pool: &TermPool,
    term: Term,
    model: DataModel,
    resolve: &dyn Fn(&str) -> Option<Lvalue>,
) -> Option<String> {
    let mut writer = Writer { pool, model, resolve, size: 0, depth: 0, nesting: 0, total: 0 };
    writer.implied(term).map(|text| unparenthesised(&text).to_owned())
}

/// Texts longer than this are of no use to people or validators.
const SIZE_LIMIT: usize = 20_000;
/// And so are texts longer than this altogether: shared parts of a formula are written where they are used.
const TOTAL_LIMIT: usize = 200_000;
/// The walk recurses, so it stops at this depth.
const DEPTH_LIMIT: usize = 300;

/// How the value of an expression reads the bits of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Signed,
    Unsigned,
}

/// A C expression of an integer type: binds at least as tightly as a cast.
#[derive(Debug, Clone)]
struct Number {
    text: String,
    /// Whether the type, after the integer promotions, is the unsigned type that arithmetic happens in.
    is_wide_unsigned: bool,
}

impl Number {
    fn plain(text: String) -> Number {
        Number { text, is_wide_unsigned: false }
    }

    fn wide(text: String) -> Number {
        Number { text, is_wide_unsigned: true }
    }
}

struct Writer<'a> {
    pool: &'a TermPool,
    model: DataModel,
    resolve: &'a dyn Fn(&str) -> Option<Lvalue>,
    /// How many characters were written, those of shared subterms each time.
    size: usize,
    /// How deep the walk is in a claim, and how deep the claim is in conjunctions and disjunctions.
    depth: usize,
    nesting: usize,
    /// What was spent on all claims.
    total: usize,
}

/// A claim as C text, and the conditions under which it may be evaluated.
struct Claim {
    text: String,
    guards: Vec<String>,
}

impl Writer<'_> {
    /// A text that the term implies; `None` is `true`.
    fn implied(&mut self, term: Term) -> Option<String> {
        self.nested(|writer| writer.implied_parts(term))
    }

    fn nested(&mut self, work: impl FnOnce(&mut Self) -> Option<String>) -> Option<String> {
        if self.nesting == DEPTH_LIMIT {
            return None;
        }
        self.nesting += 1;
        let result = work(self);
        self.nesting -= 1;
        result
    }

    fn implied_parts(&mut self, term: Term) -> Option<String> {
        let arguments = self.pool.arguments(term);
        match self.pool.op(term) {
            Op::Bool(true) => None,
            Op::And => {
                let kept: Vec<String> = arguments.iter().filter_map(|&part| self.implied(part)).collect();
                (!kept.is_empty()).then(|| joined(&kept, " && "))
            }
            Op::Or => {
                let parts: Option<Vec<String>> = arguments.iter().map(|&part| self.implied(part)).collect();
                parts.map(|parts| joined(&parts, " || "))
            }
            Op::Not if self.is_connective(arguments[0]) => {
                self.implying(arguments[0]).map(|text| format!("!{text}"))
            }
            _ => {
                let claim = self.claim(term)?;
                let guards = claim.guards.iter().map(|guard| format!("!{guard}"));
                let parts: Vec<String> = guards.chain([claim.text]).collect();
                Some(joined(&parts, " || "))
            }
        }
    }

    /// A text that implies the term; `None` is `false`.
    fn implying(&mut self, term: Term) -> Option<String> {
        self.nested(|writer| writer.implying_parts(term))
    }

    fn implying_parts(&mut self, term: Term) -> Option<String> {
        let arguments = self.pool.arguments(term);
        match self.pool.op(term) {
            Op::Bool(false) => None,
            Op::And => {
                let parts: Option<Vec<String>> = arguments.iter().map(|&part| self.implying(part)).collect();
                parts.map(|parts| joined(&parts, " && "))
            }
            Op::Or => {
                let kept: Vec<String> = arguments.iter().filter_map(|&part| self.implying(part)).collect();
                (!kept.is_empty()).then(|| joined(&kept, " || "))
            }
            Op::Not if self.is_connective(arguments[0]) => {
                self.implied(arguments[0]).map(|text| format!("!{text}"))
            }
            _ => {
                let claim = self.claim(term)?;
                let parts: Vec<String> = claim.guards.into_iter().chain([claim.text]).collect();
                Some(joined(&parts, " && "))
            }
        }
    }

    fn is_connective(&self, term: Term) -> bool {
        matches!(self.pool.op(term), Op::And | Op::Or | Op::Not)
    }

    /// A Boolean term that is written exactly or not at all.
    fn claim(&mut self, term: Term) -> Option<Claim> {
        // A claim that was given up left its own marks.
        (self.size, self.depth) = (0, 0);
        if self.total > TOTAL_LIMIT {
            return None;
        }
        let mut guards = Vec::new();
        let text = self.boolean(term, &mut guards);
        self.total += self.size + 1;
        let text = text?;
        Some(Claim { text, guards })
    }

    /// The term in parentheses.
    fn boolean(&mut self, term: Term, guards: &mut Vec<String>) -> Option<String> {
        self.enter()?;
        let arguments = self.pool.arguments(term);
        let text = match self.pool.op(term) {
            Op::Bool(value) => u8::from(*value).to_string(),
            Op::Not => match self.pool.op(arguments[0]) {
                Op::Eq if self.pool.sort(self.pool.arguments(arguments[0])[0]) != Sort::Bool => {
                    self.equality("!=", self.pool.arguments(arguments[0]), guards)?
                }
                _ => format!("!{}", self.boolean(arguments[0], guards)?),
            },
            Op::And | Op::Or => {
                let parts: Option<Vec<String>> =
                    arguments.iter().map(|&part| self.boolean(part, guards)).collect();
                joined(&parts?, if *self.pool.op(term) == Op::And { " && " } else { " || " })
            }
            Op::Ite => {
                let parts: Option<Vec<String>> =
                    arguments.iter().map(|&part| self.boolean(part, guards)).collect();
                let [condition, then, otherwise] = <[String; 3]>::try_from(parts?).ok()?;
                format!("({condition} ? {then} : {otherwise})")
            }
            Op::Eq if self.pool.sort(arguments[0]) == Sort::Bool => {
                format!(
                    "({} == {})",
                    self.boolean(arguments[0], guards)?,
                    self.boolean(arguments[1], guards)?
                )
            }
            Op::Eq => self.equality("==", arguments, guards)?,
            Op::BvUlt => self.comparison("<", arguments, Reading::Unsigned, guards)?,
            Op::BvUle => self.comparison("<=", arguments, Reading::Unsigned, guards)?,
            Op::BvSlt => self.comparison("<", arguments, Reading::Signed, guards)?,
            Op::BvSle => self.comparison("<=", arguments, Reading::Signed, guards)?,
            _ => return None,
        };
        self.leave(&text);
        Some(text)
    }

    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        let fits = self.depth < DEPTH_LIMIT && self.size < SIZE_LIMIT;
        if !fits {
            self.depth -= 1;
        }
        fits.then_some(())
    }

    fn leave(&mut self, text: &str) {
        self.depth -= 1;
        self.size += text.len();
    }

    /// In the reading that needs fewest casts.
    fn equality(&mut self, operator: &str, arguments: &[Term], guards: &mut Vec<String>) -> Option<String> {
        for (bit, value) in [(arguments[0], arguments[1]), (arguments[1], arguments[0])] {
            if let (Some(number), Some(value)) = (self.signed_by(bit), self.pool.as_bits(value)) {
                let is_negative = (operator == "==") != value.is_zero();
                let text = self.number(number, Reading::Signed, guards)?.text;
                return Some(format!("({text} {} 0)", if is_negative { "<" } else { ">=" }));
            }
        }
        let reading = self.natural(arguments[0]).or_else(|| self.natural(arguments[1]));
        self.comparison(operator, arguments, reading.unwrap_or(Reading::Unsigned), guards)
    }

    /// The values of both sides are compared, so it does not matter which types hold them, as long as both are
    /// signed or both hold no negative number.
    fn comparison(
        &mut self,
        operator: &str,
        arguments: &[Term],
        reading: Reading,
        guards: &mut Vec<String>,
    ) -> Option<String> {
        if !matches!(self.pool.sort(arguments[0]), Sort::BitVec(_)) {
            return None;
        }
        let lhs = self.number(arguments[0], reading, guards)?;
        let rhs = self.number(arguments[1], reading, guards)?;
        // Constants to the right, as people write them.
        if self.pool.is_value(arguments[0]) && !self.pool.is_value(arguments[1]) {
            let mirrored = match operator {
                "<" => ">",
                "<=" => ">=",
                same => same,
            };
            return Some(format!("({} {mirrored} {})", rhs.text, lhs.text));
        }
        Some(format!("({} {operator} {})", lhs.text, rhs.text))
    }

    /// How the C type of a term reads its bits, if that is known.
    fn natural(&self, term: Term) -> Option<Reading> {
        let symbol = match self.pool.op(term) {
            Op::Symbol(symbol) => *symbol,
            Op::Select => match self.pool.op(self.pool.arguments(term)[0]) {
                Op::Symbol(symbol) => *symbol,
                _ => return None,
            },
            Op::SignExtend => return Some(Reading::Signed),
            Op::ZeroExtend => return Some(Reading::Unsigned),
            _ => return None,
        };
        let kind = match (self.resolve)(self.pool.symbol_name(symbol))? {
            Lvalue::Int(_, kind) | Lvalue::Array { element: kind, .. } => kind,
            Lvalue::Pointer(_) => return Some(Reading::Unsigned),
        };
        Some(if kind.is_signed() { Reading::Signed } else { Reading::Unsigned })
    }

    /// An expression whose value is the vector as the reading says.
    fn number(&mut self, term: Term, reading: Reading, guards: &mut Vec<String>) -> Option<Number> {
        self.enter()?;
        let number = self.operation(term, reading, guards)?;
        self.leave(&number.text);
        Some(number)
    }

    fn operation(&mut self, term: Term, reading: Reading, guards: &mut Vec<String>) -> Option<Number> {
        let width = self.pool.width(term);
        let arguments = self.pool.arguments(term);
        match self.pool.op(term) {
            Op::Bits(bits) => self.constant(bits, reading),
            Op::Symbol(symbol) => {
                let lvalue = (self.resolve)(self.pool.symbol_name(*symbol))?;
                self.lvalue(lvalue, width, reading)
            }
            Op::Select => self.select(arguments, width, reading, guards),
            Op::Ite => {
                let condition = self.boolean(arguments[0], guards)?;
                let then = self.number(arguments[1], reading, guards)?;
                let otherwise = self.number(arguments[2], reading, guards)?;
                let is_wide_unsigned = then.is_wide_unsigned && otherwise.is_wide_unsigned;
                let text = format!("({condition} ? {} : {})", then.text, otherwise.text);
                Some(Number { text, is_wide_unsigned })
            }
            Op::SignExtend => {
                let signed = self.number(arguments[0], Reading::Signed, guards)?;
                self.reread_signed(signed, width, reading)
            }
            Op::ZeroExtend => {
                // The value is below half of what the longer vector holds, so both readings agree on it.
                let unsigned = self.number(arguments[0], Reading::Unsigned, guards)?;
                let ty = match reading {
                    Reading::Signed => signed_type(self.container(width)?),
                    Reading::Unsigned => unsigned_type(self.container(width)?),
                };
                let text = format!("({ty}){}", unsigned.text);
                Some(Number { text, is_wide_unsigned: reading == Reading::Unsigned })
            }
            Op::BvSdiv | Op::BvSrem => {
                let signed = self.signed_division(term, guards)?;
                self.reread_signed(signed, width, reading)
            }
            Op::BvAshr => {
                let signed = self.arithmetic_shift(arguments, width, guards)?;
                self.reread_signed(signed, width, reading)
            }
            _ => {
                if reading == Reading::Signed
                    && let Some(exact) = self.exact_operation(term, guards)
                {
                    return Some(exact);
                }
                let unsigned = self.unsigned_operation(term, guards)?;
                self.reread_unsigned(unsigned, width, reading)
            }
        }
    }

    fn constant(&self, bits: &Bits, reading: Reading) -> Option<Number> {
        let container = self.container(bits.width())?;
        let unsigned = u128::try_from(bits.unsigned().clone()).ok()?;
        Some(match reading {
            Reading::Signed => {
                let unused = 128 - bits.width();
                Number::plain(parenthesised_negative(literals::integer(
                    (unsigned << unused) as i128 >> unused,
                )))
            }
            Reading::Unsigned => Number::wide(unsigned_literal(unsigned, container)),
        })
    }

    fn lvalue(&self, lvalue: Lvalue, width: u32, reading: Reading) -> Option<Number> {
        match lvalue {
            Lvalue::Int(text, kind) => self.integer(&text, kind, width, reading),
            Lvalue::Pointer(text) => {
                let is_whole = width == self.model.pointer_width();
                let number = Number::plain(format!("(unsigned long){}", primary(&text)));
                // `unsigned long` is as wide as a pointer in both data models, but not the type of arithmetic.
                is_whole.then_some(number).and_then(|number| self.reread_unsigned(number, width, reading))
            }
            Lvalue::Array { .. } => None,
        }
    }

    /// The value of an integer lvalue that holds a vector of some width.
    fn integer(&self, text: &str, kind: IntKind, width: u32, reading: Reading) -> Option<Number> {
        self.container(width)?;
        let natural = if kind.is_signed() { Reading::Signed } else { Reading::Unsigned };
        let value_bits = if kind == IntKind::Bool { 1 } else { kind.width(self.model) };
        let number = Number::plain(primary(text));
        match natural {
            _ if natural == reading => Some(number),
            Reading::Signed => self.reread_signed(number, width, reading),
            // An unsigned value in a longer vector is not negative in either reading.
            Reading::Unsigned if width > value_bits => {
                let ty = signed_type(self.container(width)?);
                Some(Number::plain(format!("({ty}){}", number.text)))
            }
            Reading::Unsigned => self.reread_unsigned(number, width, reading),
        }
    }

    /// An element of an array. It must not be read out of bounds, so the position is guarded.
    fn select(
        &mut self,
        arguments: &[Term],
        width: u32,
        reading: Reading,
        guards: &mut Vec<String>,
    ) -> Option<Number> {
        let Op::Symbol(symbol) = *self.pool.op(arguments[0]) else { return None };
        let lvalue = (self.resolve)(self.pool.symbol_name(symbol))?;
        let Lvalue::Array { before, after, element, length } = lvalue else { return None };
        let index = match self.pool.as_bits(arguments[1]) {
            Some(bits) => bits.to_u64().filter(|index| *index < length)?.to_string(),
            None => {
                let index = self.number(arguments[1], Reading::Unsigned, guards)?;
                let guard = format!("({} < {length})", index.text);
                if !guards.contains(&guard) {
                    guards.push(guard);
                }
                index.text
            }
        };
        let text = format!("{before}{}{after}", unparenthesised(&index));
        self.integer(&text, element, width, reading)
    }

    /// The operand of an operation in the unsigned type for its width.
    fn operand(&mut self, term: Term, guards: &mut Vec<String>) -> Option<String> {
        let container = self.container(self.pool.width(term))?;
        let number = self.number(term, Reading::Unsigned, guards)?;
        Some(if number.is_wide_unsigned {
            number.text
        } else {
            format!("({}){}", unsigned_type(container), number.text)
        })
    }

    /// Operations that are computed in the unsigned type for their width and then cut.
    fn unsigned_operation(&mut self, term: Term, guards: &mut Vec<String>) -> Option<Number> {
        let width = self.pool.width(term);
        let arguments = self.pool.arguments(term).to_vec();
        let op = self.pool.op(term).clone();
        let infix = match op {
            Op::BvAdd => {
                let sum = self.wrapping_sum(&arguments, guards)?;
                return self.cut(sum, width);
            }
            Op::BvMul => "*",
            Op::BvAnd => "&",
            Op::BvOr => "|",
            Op::BvXor => "^",
            Op::BvNot | Op::BvNeg => {
                let operand = self.operand(arguments[0], guards)?;
                let sign = if op == Op::BvNot { "~" } else { "-" };
                return self.cut(format!("({sign}{operand})"), width);
            }
            Op::BvUdiv | Op::BvUrem => return self.unsigned_division(&op, &arguments, width, guards),
            Op::BvShl | Op::BvLshr => return self.logical_shift(&op, &arguments, width, guards),
            Op::Concat => return self.concat(&arguments, width, guards),
            Op::Extract { high, low } => return self.extract(arguments[0], high, low, guards),
            _ => return None,
        };
        let (lhs, rhs) = (self.operand(arguments[0], guards)?, self.operand(arguments[1], guards)?);
        let text = format!("({lhs} {infix} {rhs})");
        if matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor) {
            return Some(Number::wide(text));
        }
        self.cut(text, width)
    }

    /// Division by zero has the value that SMT-LIB gives it.
    fn unsigned_division(
        &mut self,
        op: &Op,
        arguments: &[Term],
        width: u32,
        guards: &mut Vec<String>,
    ) -> Option<Number> {
        let (lhs, rhs) = (self.operand(arguments[0], guards)?, self.operand(arguments[1], guards)?);
        let (symbol, by_zero) = match op {
            Op::BvUdiv => ("/", unsigned_literal(mask(width), self.container(width)?)),
            _ => ("%", lhs.clone()),
        };
        let quotient = format!("({lhs} {symbol} {rhs})");
        let is_safe = self.pool.as_bits(arguments[1]).is_some_and(|bits| !bits.is_zero());
        Some(Number::wide(if is_safe { quotient } else { format!("({rhs} == 0 ? {by_zero} : {quotient})") }))
    }

    /// As [`unsigned_division`](Self::unsigned_division); and the least number divided by -1 is itself.
    fn signed_division(&mut self, term: Term, guards: &mut Vec<String>) -> Option<Number> {
        let arguments = self.pool.arguments(term).to_vec();
        let container = self.container(self.pool.width(term))?;
        let ty = signed_type(container);
        let lhs = self.number(arguments[0], Reading::Signed, guards)?.text;
        let rhs = self.number(arguments[1], Reading::Signed, guards)?.text;
        let is_division = *self.pool.op(term) == Op::BvSdiv;
        let symbol = if is_division { "/" } else { "%" };
        let quotient = format!("(({ty}){lhs} {symbol} ({ty}){rhs})");
        let divisor = self.pool.as_bits(arguments[1]);
        if divisor.is_some_and(|bits| !bits.is_zero() && !bits.is_ones()) {
            return Some(Number::plain(quotient));
        }
        let width = self.pool.width(term);
        let negated = self.cut(format!("(-({}){lhs})", unsigned_type(container)), width)?;
        let negated = self.reread_unsigned(negated, width, Reading::Signed)?.text;
        // In one bit, one is minus one.
        let one = if width == 1 { "-1" } else { "1" };
        let (by_zero, by_minus_one) =
            if is_division { (format!("({lhs} < 0 ? {one} : -1)"), negated) } else { (lhs, "0".to_owned()) };
        Some(Number::plain(format!("({rhs} == 0 ? {by_zero} : {rhs} == -1 ? {by_minus_one} : {quotient})")))
    }

    fn logical_shift(
        &mut self,
        op: &Op,
        arguments: &[Term],
        width: u32,
        guards: &mut Vec<String>,
    ) -> Option<Number> {
        let (value, count) = (self.operand(arguments[0], guards)?, self.operand(arguments[1], guards)?);
        let symbol = if *op == Op::BvShl { "<<" } else { ">>" };
        let zero = unsigned_literal(0, self.container(width)?);
        let shifted = self.cut(format!("({value} {symbol} {count})"), width)?.text;
        let in_range =
            self.pool.as_bits(arguments[1]).map(|bits| bits.to_u64().is_some_and(|n| n < u64::from(width)));
        Some(Number::wide(match in_range {
            Some(true) => shifted,
            Some(false) => zero,
            None => format!("({count} < {width} ? {shifted} : {zero})"),
        }))
    }

    fn arithmetic_shift(
        &mut self,
        arguments: &[Term],
        width: u32,
        guards: &mut Vec<String>,
    ) -> Option<Number> {
        let ty = signed_type(self.container(width)?);
        let value = self.number(arguments[0], Reading::Signed, guards)?.text;
        let count = self.operand(arguments[1], guards)?;
        let constant = self.pool.as_bits(arguments[1]).map(|bits| bits.to_u64().unwrap_or(u64::MAX));
        let count = match constant {
            Some(count) => count.min(u64::from(width - 1)).to_string(),
            None => format!("({count} < {width} ? {count} : {})", width - 1),
        };
        Some(Number::plain(format!("(({ty}){value} >> {count})")))
    }

    fn concat(&mut self, arguments: &[Term], width: u32, guards: &mut Vec<String>) -> Option<Number> {
        let ty = unsigned_type(self.container(width)?);
        let high = self.number(arguments[0], Reading::Unsigned, guards)?.text;
        let low = self.number(arguments[1], Reading::Unsigned, guards)?.text;
        let shift = self.pool.width(arguments[1]);
        Some(Number::wide(format!("((({ty}){high} << {shift}) | ({ty}){low})")))
    }

    fn extract(&mut self, of: Term, high: u32, low: u32, guards: &mut Vec<String>) -> Option<Number> {
        let value = self.operand(of, guards)?;
        let shifted = if low == 0 { value } else { format!("({value} >> {low})") };
        let container = self.container(high - low + 1)?;
        let is_same = self.container(self.pool.width(of)) == Some(container);
        let of_whole = if is_same { shifted } else { format!("({}){shifted}", unsigned_type(container)) };
        self.cut(of_whole, high - low + 1)
    }

    /// The low bits of a value of the unsigned type for the width.
    fn cut(&self, text: String, width: u32) -> Option<Number> {
        let container = self.container(width)?;
        if container == width {
            return Some(Number::wide(text));
        }
        Some(Number::wide(format!("({text} & {})", unsigned_literal(mask(width), container))))
    }

    /// The vector that an unsigned value stands for, read as asked.
    fn reread_unsigned(&self, number: Number, width: u32, reading: Reading) -> Option<Number> {
        if reading == Reading::Unsigned {
            return Some(number);
        }
        let container = self.container(width)?;
        let text = match width {
            8 => format!("(signed char){}", number.text),
            16 => format!("(short){}", number.text),
            _ if width == container => format!("({}){}", signed_type(container), number.text),
            _ => {
                let (signed, unsigned) = (signed_type(container), unsigned_type(container));
                let unused = container - width;
                format!("(({signed})(({unsigned}){} << {unused}) >> {unused})", number.text)
            }
        };
        Some(Number::plain(text))
    }

    /// The vector that a signed value stands for, read as asked.
    fn reread_signed(&self, number: Number, width: u32, reading: Reading) -> Option<Number> {
        if reading == Reading::Signed {
            return Some(number);
        }
        let ty = unsigned_type(self.container(width)?);
        self.cut(format!("({ty}){}", number.text), width)
    }

    /// The width of the type that vectors of some width are computed in; `None` if there is none.
    fn container(&self, width: u32) -> Option<u32> {
        match width {
            1..=32 => Some(32),
            33..=64 => Some(64),
            65..=128 if self.model == DataModel::Lp64 => Some(128),
            _ => None,
        }
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn unsigned_type(container: u32) -> &'static str {
    match container {
        32 => "unsigned int",
        64 => "unsigned long long",
        _ => "unsigned __int128",
    }
}

fn signed_type(container: u32) -> &'static str {
    match container {
        32 => "int",
        64 => "long long",
        _ => "__int128",
    }
}

/// A constant of the unsigned type with some width.
fn unsigned_literal(value: u128, container: u32) -> String {
    match container {
        32 => format!("{value}U"),
        64 => format!("{value}ULL"),
        _ if value >> 64 == 0 => format!("(unsigned __int128){value}ULL"),
        _ => {
            let (high, low) = ((value >> 64) as u64, value as u64);
            format!("(((unsigned __int128){high}ULL << 64) | {low}ULL)")
        }
    }
}

fn parenthesised_negative(text: String) -> String {
    if text.starts_with('-') { format!("({text})") } else { text }
}

/// Texts of lvalues bind tightly unless they start with an operator.
fn primary(text: &str) -> String {
    if text.starts_with(['*', '&', '(']) { format!("({text})") } else { text.to_owned() }
}

/// Operands are in parentheses or bind tightly already.
fn joined(parts: &[String], operator: &str) -> String {
    match parts {
        [only] => only.clone(),
        _ => format!("({})", parts.join(operator)),
    }
}

/// The text without a pair of parentheses around all of it.
fn unparenthesised(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    for byte in inner.bytes() {
        depth += match byte {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text;
        }
    }
    inner
}
