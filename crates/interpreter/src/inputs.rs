//! Inputs: the values that a program does not compute itself.
//!
//! # The format of a list of inputs
//!
//! A text with one value per line, in the order in which the program consumes them. Blank
//! lines and everything from `#` on are ignored. A value is
//!
//! - an integer: decimal, hexadecimal after `0x`, or octal after `0o`, with an optional sign;
//! - a character in single quotes, `'a'`, with the escapes `\n \t \r \0 \\ \'` and `\x41`;
//! - a floating-point number: `1.5`, `-2e-3`, `0x1.8p3`, `inf`, `nan`.
//!
//! A value must fit the type that it is consumed for, as a signed or an unsigned number of
//! that width: both `-1` and `0xffffffff` are the `unsigned int` with all bits set. An integer
//! may stand for a floating-point number, but not the other way round. A pointer is given as
//! an integer: zero is the null pointer, and any other number stands for memory of its own, of
//! 64 KiB without values; the same number stands for the same memory.
//!
//! ```
//! let inputs = rorqual_interpreter::parse_inputs("3\n-1 # a comment\n\n'a'\n0x1.8p3\n").unwrap();
//! assert_eq!(inputs.len(), 4);
//! assert_eq!(rorqual_interpreter::parse_inputs("1\nx").unwrap_err().line, 2);
//! ```

use std::fmt::{self, Write};

use rorqual_cfa::{DataModel, FloatKind, FunctionId, Type};
use rorqual_source::Span;

use crate::decimal;
use crate::float;
use crate::guide::{InputSource, Offer};
use crate::outcome::{Cause, InputCell, InputRecord, Run, Stop};
use crate::random::SplitMix;
use crate::value::{IntShape, Pointer, Scalar, Shape};

/// Where inputs come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inputs {
    /// These values in order; the execution ends when it needs more.
    List(Vec<GivenInput>),
    /// Values made up from a seed: the same seed gives the same values everywhere.
    Seeded(u64),
}

/// A value of a list of inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenInput {
    /// The value.
    pub number: GivenNumber,
    /// The line it stands in, counted from 1; 0 if it does not come from a text.
    pub line: u32,
}

/// A number before it has a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenNumber {
    /// An integer.
    Integer {
        /// Whether it is below zero.
        negative: bool,
        /// Its magnitude.
        magnitude: u128,
    },
    /// A floating-point number as it is written; it is rounded once its format is known.
    Float(String),
}

impl From<i128> for GivenInput {
    fn from(value: i128) -> GivenInput {
        GivenInput {
            number: GivenNumber::Integer { negative: value < 0, magnitude: value.unsigned_abs() },
            line: 0,
        }
    }
}

/// A line that is not a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputsError {
    /// The line, counted from 1.
    pub line: u32,
    /// What stands there.
    pub text: String,
}

impl fmt::Display for InputsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `{}` is not an integer, character or floating-point number", self.line, self.text)
    }
}

impl std::error::Error for InputsError {}

/// The value of an input that was consumed. Displayed as the format of lists writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputValue {
    /// Of an integer type; `unsigned __int128` is wrapped.
    Int(i128),
    /// Of a floating-point type: its bits in the given format.
    Float(FloatKind, u128),
    /// The address of a pointer that points to no object.
    Address(u64),
}

impl InputValue {
    pub(crate) fn of(value: Scalar, shape: Shape) -> InputValue {
        match (value, shape) {
            (Scalar::Float(bits), Shape::Float(kind)) => InputValue::Float(kind, bits),
            (Scalar::Pointer(pointer), _) => InputValue::Address(pointer.address),
            (other, _) => InputValue::Int(other.int()),
        }
    }
}

impl fmt::Display for InputValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            InputValue::Int(value) => write!(f, "{value}"),
            InputValue::Address(address) => write!(f, "{address:#x}"),
            InputValue::Float(kind, bits) => f.write_str(&decimal::shortest(kind, bits)),
        }
    }
}

/// The records as a list of inputs that replays them, with the origins as comments.
pub fn render_inputs(records: &[InputRecord]) -> String {
    let mut out = String::new();
    for record in records {
        let origin = record.origin.replace(['\n', '\r'], " ");
        let _ = writeln!(out, "{} # {origin}", record.value);
    }
    out
}

/// Reads a list of inputs; the module describes the format.
pub fn parse_inputs(text: &str) -> Result<Vec<GivenInput>, InputsError> {
    let mut inputs = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        let value = match text.strip_prefix('\'') {
            // A quoted `#` starts no comment.
            Some(rest) => rest.rfind('\'').map_or(text, |end| &text[..end + 2]),
            None => text.split('#').next().unwrap_or("").trim(),
        };
        if value.is_empty() {
            continue;
        }
        let Some(number) = parse_number(value) else {
            let text = value.to_owned();
            return Err(InputsError { line, text });
        };
        inputs.push(GivenInput { number, line });
    }
    Ok(inputs)
}

fn parse_number(text: &str) -> Option<GivenNumber> {
    if let Some(quoted) = text.strip_prefix('\'') {
        let byte = parse_character(quoted.strip_suffix('\'')?)?;
        return Some(GivenNumber::Integer { negative: false, magnitude: u128::from(byte) });
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, number) = match (lower.strip_prefix("0x"), lower.strip_prefix("0o")) {
        (Some(rest), _) => (16, rest),
        (_, Some(rest)) => (8, rest),
        _ => (10, lower.as_str()),
    };
    let is_plain = number.starts_with(|first: char| first.is_digit(radix));
    if is_plain && let Ok(magnitude) = u128::from_str_radix(number, radix) {
        return Some(GivenNumber::Integer { negative, magnitude });
    }
    let is_float = number.starts_with(|first: char| first.is_digit(radix) || first == '.')
        || ["inf", "nan"].contains(&number);
    let value = float::parse(FloatKind::Double, text, float::TO_NEAREST).filter(|_| is_float);
    value.map(|_| GivenNumber::Float(text.to_owned()))
}

fn parse_character(text: &str) -> Option<u8> {
    let Some(escape) = text.strip_prefix('\\') else {
        let &[byte] = text.as_bytes() else { return None };
        return Some(byte);
    };
    match escape {
        "n" => Some(b'\n'),
        "t" => Some(b'\t'),
        "r" => Some(b'\r'),
        "0" => Some(0),
        "\\" => Some(b'\\'),
        "'" => Some(b'\''),
        _ => u8::from_str_radix(escape.strip_prefix('x')?, 16).ok(),
    }
}

/// The inputs that are left, and those that were consumed.
pub(crate) struct InputQueue<'p> {
    source: Source<'p>,
    /// What a guide gave for the edge that is being taken; a guide replaces the source.
    offer: Option<Offer>,
    records: Vec<InputRecord>,
}

/// Who asks for an input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) origin: &'a str,
    pub(crate) span: Span,
    pub(crate) step: u64,
    pub(crate) function: FunctionId,
    pub(crate) cell: Option<InputCell>,
}

enum Source<'p> {
    List(std::vec::IntoIter<GivenInput>),
    Seeded(SplitMix),
    Drawn(&'p mut dyn InputSource),
}

impl<'p> InputQueue<'p> {
    pub(crate) fn new(inputs: &Inputs) -> InputQueue<'p> {
        InputQueue {
            source: match inputs {
                Inputs::List(values) => Source::List(values.clone().into_iter()),
                Inputs::Seeded(seed) => Source::Seeded(SplitMix::new(*seed)),
            },
            offer: None,
            records: Vec::new(),
        }
    }

    /// Takes inputs from somebody else than the configuration.
    pub(crate) fn draw_from(&mut self, source: &'p mut dyn InputSource) {
        self.source = Source::Drawn(source);
    }

    /// Takes the values of a guide; those that are left from the edge before are dropped.
    pub(crate) fn offer(&mut self, values: Vec<u128>) {
        self.offer = Some(values.into());
    }

    /// The next input, for a scalar of type `ty`.
    pub(crate) fn take(&mut self, ty: &Type, model: DataModel, asked: &Asked<'_>) -> Run<Scalar> {
        if let Some(offer) = &mut self.offer {
            let bits = offer.pop_front().unwrap_or(0);
            return Ok(self.take_bits(bits, ty, model, asked));
        }
        let shape = Shape::of_type(ty, model);
        let given = match &mut self.source {
            Source::Seeded(generator) => {
                let value = generator.value(shape, model);
                self.record(value, ty, shape, asked);
                return Ok(value);
            }
            Source::Drawn(source) => source.draw(ty, asked.span),
            Source::List(values) => values.next(),
        };
        let exhausted = || Stop::new(Cause::InputsExhausted(asked.origin.to_owned()));
        let value = fit(&given.ok_or_else(exhausted)?, shape, model)?;
        self.record(value, ty, shape, asked);
        Ok(value)
    }

    /// An input with the given bits.
    pub(crate) fn take_bits(&mut self, bits: u128, ty: &Type, model: DataModel, asked: &Asked<'_>) -> Scalar {
        let shape = Shape::of_type(ty, model);
        let value = match shape {
            Shape::Int(int) if int.boolean => Scalar::Int(i128::from(bits != 0)),
            Shape::Int(int) => Scalar::Int(int.wrap(bits as i128)),
            Shape::Float(kind) => Scalar::Float(bits & (u128::MAX >> (128 - kind.value_bits()))),
            _ => {
                let address = IntShape { width: model.pointer_width(), ..UNSIGNED_128 };
                Scalar::Pointer(Pointer::invalid(address.wrap(bits as i128) as u64))
            }
        };
        self.record(value, ty, shape, asked);
        value
    }

    fn record(&mut self, value: Scalar, ty: &Type, shape: Shape, asked: &Asked<'_>) {
        self.records.push(InputRecord {
            origin: asked.origin.to_owned(),
            ty: ty.clone(),
            value: InputValue::of(value, shape),
            span: asked.span,
            step: asked.step,
            function: asked.function,
            cell: asked.cell,
        });
    }

    pub(crate) fn into_records(self) -> Vec<InputRecord> {
        self.records
    }
}

/// The given number as a value of a type.
fn fit(given: &GivenInput, shape: Shape, model: DataModel) -> Run<Scalar> {
    let bad = |problem: String| {
        let line = given.line;
        Stop::new(Cause::BadInput { problem, line })
    };
    match (&given.number, shape) {
        (GivenNumber::Float(text), Shape::Float(kind)) => {
            let bits = float::parse(kind, text, float::TO_NEAREST);
            bits.map(Scalar::Float).ok_or_else(|| bad(format!("`{text}` is not a number")))
        }
        (GivenNumber::Float(text), _) => Err(bad(format!("`{text}` is given where an integer is needed"))),
        (&GivenNumber::Integer { negative, magnitude }, Shape::Float(kind)) => {
            let bits = float::from_int(kind, magnitude as i128, UNSIGNED_128, float::TO_NEAREST);
            Ok(Scalar::Float(if negative { float::negate(kind, bits) } else { bits }))
        }
        (&GivenNumber::Integer { negative, magnitude }, _) => {
            let value = wrap_into(shape, model, negative, magnitude);
            value.ok_or_else(|| {
                let sign = if negative { "-" } else { "" };
                let width = shape.value_bytes(model) * 8;
                bad(format!("{sign}{magnitude} does not fit into a type of {width} bits"))
            })
        }
    }
}

pub(crate) const UNSIGNED_128: IntShape = IntShape { width: 128, signed: false, boolean: false };

/// The integer as an integer or pointer, if it fits as a signed or unsigned number.
fn wrap_into(shape: Shape, model: DataModel, negative: bool, magnitude: u128) -> Option<Scalar> {
    let wrapped = (magnitude as i128).wrapping_mul(if negative { -1 } else { 1 });
    let (shape, is_pointer) = match shape {
        Shape::Int(shape) => (shape, false),
        _ => {
            let width = model.pointer_width();
            (IntShape { width, ..UNSIGNED_128 }, true)
        }
    };
    let width = if shape.boolean { 1 } else { shape.width };
    let fits = if negative {
        !shape.boolean && magnitude <= 1 << (width - 1)
    } else {
        width == 128 || magnitude >> width == 0
    };
    let value = shape.wrap(wrapped);
    fits.then_some(if is_pointer {
        Scalar::Pointer(Pointer::invalid(value as u64))
    } else {
        Scalar::Int(value)
    })
}

#[cfg(test)]
mod tests {
    use rorqual_cfa::{Id, IntKind};

    use super::*;

    fn asked() -> Asked<'static> {
        Asked { origin: "test", span: Span::NONE, step: 0, function: FunctionId::new(0), cell: None }
    }

    fn take(text: &str, ty: &Type) -> Run<Scalar> {
        let inputs = Inputs::List(parse_inputs(text).unwrap());
        InputQueue::new(&inputs).take(ty, DataModel::Lp64, &asked())
    }

    #[test]
    fn values_of_all_forms() {
        let int = Type::Int(IntKind::Int);
        let value = |text: &str| take(text, &int).unwrap().int();
        assert_eq!(value("# first\n\n -12 # twelve"), -12);
        assert_eq!(value("0xffffffff"), -1);
        assert_eq!(value("0o17"), 15);
        assert_eq!(value("'#' # hash"), 35);
        assert_eq!(value("'\\n'"), 10);
        assert_eq!(value("'\\x41'"), 65);
    }

    #[test]
    fn values_that_do_not_fit_name_their_line() {
        let line = |text: &str, kind| match take(text, &Type::Int(kind)) {
            Err(mut stop) => match stop.cause_mut() {
                Cause::BadInput { line, .. } => Some(*line),
                _ => None,
            },
            Ok(_) => None,
        };
        assert_eq!(line("\n256", IntKind::Char), Some(2));
        assert_eq!(line("255", IntKind::Char), None);
        assert_eq!(line("-129", IntKind::Char), Some(1));
        assert_eq!(line("2", IntKind::Bool), Some(1));
        assert_eq!(line("1.5", IntKind::Int), Some(1));
    }

    #[test]
    fn floats_round_to_the_format_they_are_used_for() {
        let float = Type::Float(FloatKind::Float);
        assert_eq!(take("0.1", &float).unwrap().bits(), u128::from(0.1f32.to_bits()));
        assert_eq!(take("-3", &float).unwrap().bits(), u128::from((-3f32).to_bits()));
    }

    #[test]
    fn lines_that_are_no_values() {
        for text in ["x", "1 2", "0x", "'ab'", "--1", "'"] {
            assert!(parse_inputs(text).is_err(), "{text}");
        }
    }

    #[test]
    fn seeded_values_replay_through_their_text() {
        let model = DataModel::Lp64;
        let kinds = [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble];
        let types: Vec<Type> = kinds
            .map(Type::Float)
            .into_iter()
            .chain([IntKind::Int, IntKind::UnsignedInt128, IntKind::Bool].map(Type::Int))
            .collect();
        let mut queue = InputQueue::new(&Inputs::Seeded(1));
        let values: Vec<Scalar> =
            (0..600).map(|at| queue.take(&types[at % types.len()], model, &asked()).unwrap()).collect();
        let text = render_inputs(&queue.into_records());
        let mut again = InputQueue::new(&Inputs::List(parse_inputs(&text).unwrap()));
        for (at, value) in values.into_iter().enumerate() {
            let ty = &types[at % types.len()];
            let replayed = again.take(ty, model, &asked()).unwrap();
            let nan = matches!(ty, Type::Float(kind) if float::is_nan(*kind, value.bits()));
            assert!(nan || replayed == value, "{at}");
        }
    }
}
