//! The formats of `printf`, as glibc writes them in the C locale.

use rorqual_cfa::{FloatKind, IntKind};
use rustc_apfloat::Round;

use super::int_shape;
use crate::decimal::{self, Cut, Decimal};
use crate::float::{self, Class};
use crate::machine::Machine;
use crate::outcome::{Run, Stop};
use crate::undefined::Undefined;
use crate::value::{Argument, IntShape, Pointer, Scalar, Shape, Value};

/// Flags, width and precision of one conversion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "C has these five flags")]
struct Style {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// What stands between `%` and the letter of the conversion, as far as it is read.
struct Reader<'a> {
    format: &'a [u8],
    at: usize,
    arguments: &'a [Argument],
    used: usize,
}

/// The widest field that is printed; wider ones could fill the memory of this process.
const WIDEST: i128 = 1 << 24;

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    fn accept(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn flags(&mut self) -> Style {
        let mut style = Style::default();
        while let Some(byte) = self.peek() {
            match byte {
                b'-' => style.left = true,
                b'+' => style.plus = true,
                b' ' => style.space = true,
                b'#' => style.alternative = true,
                b'0' => style.zero = true,
                b'\'' => {}
                _ => break,
            }
            self.at += 1;
        }
        style
    }

    fn digits(&mut self) -> i128 {
        let mut value: i128 = 0;
        while let Some(byte) = self.peek().filter(u8::is_ascii_digit) {
            value = (value * 10 + i128::from(byte - b'0')).min(i128::from(u32::MAX));
            self.at += 1;
        }
        value
    }

    /// The length modifier, such as `ll`.
    fn length(&mut self) -> &[u8] {
        let start = self.at;
        while self.peek().is_some_and(|byte| b"hljztLq".contains(&byte)) {
            self.at += 1;
        }
        &self.format[start..self.at]
    }
}

fn problem(problem: String) -> Stop {
    Undefined::Format { problem }.into()
}

impl Machine<'_> {
    /// The text that a format gives, and how many arguments it used.
    pub(super) fn format(&mut self, format: Pointer, arguments: &[Argument]) -> Run<(Vec<u8>, usize)> {
        let format = self.string(format)?;
        let mut reader = Reader { format: &format, at: 0, arguments, used: 0 };
        let mut out = Vec::new();
        while let Some(byte) = reader.peek() {
            reader.at += 1;
            if byte == b'%' {
                self.conversion(&mut reader, &mut out)?;
            } else {
                out.push(byte);
            }
        }
        Ok((out, reader.used))
    }

    fn conversion(&mut self, reader: &mut Reader<'_>, out: &mut Vec<u8>) -> Run<()> {
        let start = reader.at - 1;
        let style = self.style(reader)?;
        let length = reader.length().to_vec();
        let Some(letter) = reader.peek() else {
            return Err(problem("the format ends inside of a conversion".to_owned()));
        };
        reader.at += 1;
        let directive = String::from_utf8_lossy(&reader.format[start..reader.at]).into_owned();
        match letter {
            b'%' => out.push(b'%'),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                let kind = int_kind(&length, matches!(letter, b'd' | b'i'))
                    .ok_or_else(|| problem(format!("`{directive}` does not exist")))?;
                let shape = IntShape::of(kind, self.memory.model());
                let value = self.next_int(reader, kind, &directive)?;
                out.extend(padded_int(&style, letter, shape.wrap(value)).into_bytes());
            }
            b'c' if length.is_empty() => {
                let byte = self.next_int(reader, IntKind::Int, &directive)? as u8;
                pad(out, &style, &[byte]);
            }
            b's' if length.is_empty() => {
                let pointer = self.next_pointer(reader, &directive)?;
                let limit = style.precision.map_or(u64::MAX, |limit| limit as u64);
                let text = self.string_up_to(pointer, limit)?;
                pad(out, &style, &text);
            }
            b'p' => {
                let pointer = self.next_pointer(reader, &directive)?;
                pad(out, &style, pointer_text(pointer).as_bytes());
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let (kind, bits) = self.next_float(reader, length == b"L", &directive)?;
                out.extend(float_text(&style, letter, (kind, bits), self.rounding).into_bytes());
            }
            b'n' => {
                let target = self.next_pointer(reader, &directive)?;
                let kind = int_kind(&length, true).unwrap_or(IntKind::Int);
                let shape = int_shape(kind, self.memory.model());
                self.memory.store(target, shape, Scalar::Int(out.len() as i128))?;
            }
            _ => {
                return Err(Stop::unsupported(format!("the conversion `{directive}` of a format")));
            }
        }
        Ok(())
    }

    fn style(&mut self, reader: &mut Reader<'_>) -> Run<Style> {
        let mut style = reader.flags();
        let width =
            if reader.accept(b'*') { self.next_int(reader, IntKind::Int, "*")? } else { reader.digits() };
        style.left |= width < 0;
        let mut precision = None;
        if reader.accept(b'.') {
            let value =
                if reader.accept(b'*') { self.next_int(reader, IntKind::Int, "*")? } else { reader.digits() };
            precision = Some(value).filter(|&value| value >= 0);
        }
        if width.abs() > WIDEST || precision.is_some_and(|precision| precision > WIDEST) {
            return Err(Stop::unsupported("a format with a field that is this wide"));
        }
        style.width = width.unsigned_abs() as usize;
        style.precision = precision.map(|value| value as usize);
        Ok(style)
    }

    /// The next argument, if it has the given size and a type that `wanted` accepts.
    fn next(
        &self,
        reader: &mut Reader<'_>,
        size: u64,
        wanted: fn(Shape) -> bool,
        directive: &str,
    ) -> Run<Scalar> {
        let position = reader.used + 1;
        let Some(argument) = reader.arguments.get(reader.used) else {
            let count = reader.arguments.len();
            return Err(problem(format!(
                "`{directive}` needs value {position} of the format, but {count} were given"
            )));
        };
        reader.used += 1;
        let types = &self.program.types;
        match argument.value {
            Value::Scalar(value)
                if wanted(self.shape(argument.ty)) && types.size_of(argument.ty) == Some(size) =>
            {
                Ok(value)
            }
            _ => Err(problem(format!(
                "`{directive}` does not fit value {position} of the format, which has type `{}`",
                types.name(argument.ty)
            ))),
        }
    }

    fn next_int(&self, reader: &mut Reader<'_>, kind: IntKind, directive: &str) -> Run<i128> {
        // Types narrower than `int` arrive promoted.
        let width = kind.width(self.memory.model()).max(32);
        let value = self.next(reader, u64::from(width / 8), is_address_or_int, directive)?;
        Ok(value.int())
    }

    fn next_pointer(&self, reader: &mut Reader<'_>, directive: &str) -> Run<Pointer> {
        let size = u64::from(self.memory.model().pointer_width() / 8);
        let value = self.next(reader, size, is_address_or_int, directive)?;
        Ok(value.pointer())
    }

    fn next_float(&self, reader: &mut Reader<'_>, long: bool, directive: &str) -> Run<(FloatKind, u128)> {
        let kind = if long { FloatKind::LongDouble } else { FloatKind::Double };
        let (size, _) = kind.layout(self.memory.model());
        let wanted = |shape| matches!(shape, Shape::Float(FloatKind::Double | FloatKind::LongDouble));
        let value = self.next(reader, size, wanted, directive)?;
        Ok((kind, value.bits()))
    }
}

fn is_address_or_int(shape: Shape) -> bool {
    matches!(shape, Shape::Int(_) | Shape::Pointer)
}

fn int_kind(length: &[u8], signed: bool) -> Option<IntKind> {
    let (with_sign, without) = match length {
        b"hh" => (IntKind::SignedChar, IntKind::UnsignedChar),
        b"h" => (IntKind::Short, IntKind::UnsignedShort),
        b"" => (IntKind::Int, IntKind::UnsignedInt),
        b"l" | b"z" | b"t" => (IntKind::Long, IntKind::UnsignedLong),
        b"ll" | b"q" | b"j" | b"L" => (IntKind::LongLong, IntKind::UnsignedLongLong),
        _ => return None,
    };
    Some(if signed { with_sign } else { without })
}

fn pointer_text(pointer: Pointer) -> String {
    if pointer.is_null() { "(nil)".to_owned() } else { format!("{:#x}", pointer.address) }
}

fn pad(out: &mut Vec<u8>, style: &Style, text: &[u8]) {
    let fill = std::iter::repeat_n(b' ', style.width.saturating_sub(text.len()));
    if style.left {
        out.extend_from_slice(text);
        out.extend(fill);
    } else {
        out.extend(fill);
        out.extend_from_slice(text);
    }
}

/// A number with its sign or prefix in front, filled up to the width with spaces or zeros.
fn padded_number(style: &Style, prefix: &str, digits: &str, zeros: bool) -> String {
    let fill = style.width.saturating_sub(prefix.len() + digits.len());
    if style.left {
        format!("{prefix}{digits}{}", " ".repeat(fill))
    } else if zeros {
        format!("{prefix}{}{digits}", "0".repeat(fill))
    } else {
        format!("{}{prefix}{digits}", " ".repeat(fill))
    }
}

fn sign_text(style: &Style, negative: bool) -> &'static str {
    match (negative, style.plus, style.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn padded_int(style: &Style, letter: u8, value: i128) -> String {
    let magnitude = value.unsigned_abs();
    let mut digits = match letter {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        _ => magnitude.to_string(),
    };
    if magnitude == 0 && style.precision == Some(0) {
        digits.clear();
    }
    let least = style.precision.unwrap_or(0);
    if digits.len() < least {
        digits.insert_str(0, &"0".repeat(least - digits.len()));
    }
    let prefix = match letter {
        b'd' | b'i' => sign_text(style, value < 0),
        b'x' if style.alternative && magnitude != 0 => "0x",
        b'X' if style.alternative && magnitude != 0 => "0X",
        _ => "",
    };
    if letter == b'o' && style.alternative && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    padded_number(style, prefix, &digits, style.zero && style.precision.is_none())
}

fn float_text(style: &Style, letter: u8, (kind, bits): (FloatKind, u128), round: Round) -> String {
    let negative = float::sign(kind, bits);
    let sign = sign_text(style, negative);
    let cut = Cut::of(round, negative);
    let (digits, finite) = match float::classify(kind, bits) {
        Class::Nan => ("nan".to_owned(), false),
        Class::Infinite => ("inf".to_owned(), false),
        Class::Finite { mantissa, exponent } => {
            let number = || Decimal::exact(mantissa, exponent, cut);
            let precision = style.precision.unwrap_or(6);
            let text = match letter.to_ascii_lowercase() {
                b'f' => number().fixed(precision, style.alternative),
                b'e' => number().scientific(precision, style.alternative),
                b'g' => number().general(precision, style.alternative),
                _ => decimal::hexadecimal(kind, bits, style.precision, style.alternative, cut),
            };
            (text, true)
        }
    };
    let (prefix, digits) = match digits.strip_prefix("0x") {
        Some(rest) => (format!("{sign}0x"), rest),
        None => (sign.to_owned(), digits.as_str()),
    };
    let text = padded_number(style, &prefix, digits, style.zero && finite);
    if letter.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(format: &str) -> (Style, u8) {
        let mut reader = Reader { format: format.as_bytes(), at: 0, arguments: &[], used: 0 };
        let mut style = reader.flags();
        style.width = reader.digits() as usize;
        if reader.accept(b'.') {
            style.precision = Some(reader.digits() as usize);
        }
        (style, reader.peek().unwrap())
    }

    fn int(format: &str, value: i128) -> String {
        let (style, letter) = parse(format);
        padded_int(&style, letter, value)
    }

    fn double(format: &str, value: f64) -> String {
        let (style, letter) = parse(format);
        float_text(&style, letter, (FloatKind::Double, float::from_f64(value)), float::TO_NEAREST)
    }

    /// The right-hand sides were printed by glibc 2.36.
    #[test]
    fn integers() {
        assert_eq!(int("5d", 42), "   42");
        assert_eq!(int("-5d|", 42), "42   ");
        assert_eq!(int("05d", -42), "-0042");
        assert_eq!(int("+d", 42), "+42");
        assert_eq!(int(" d", 42), " 42");
        assert_eq!(int(".5d", -42), "-00042");
        assert_eq!(int("08.3d", 7), "     007");
        assert_eq!(int(".0d", 0), "");
        assert_eq!(int("#x", 255), "0xff");
        assert_eq!(int("#X", 255), "0XFF");
        assert_eq!(int("#x", 0), "0");
        assert_eq!(int("#o", 8), "010");
        assert_eq!(int("#.0o", 0), "0");
        assert_eq!(int("#010x", 255), "0x000000ff");
    }

    #[test]
    fn floating_point_numbers() {
        assert_eq!(double("f", 1.0 / 3.0), "0.333333");
        assert_eq!(double(".0f", 2.5), "2");
        assert_eq!(double("#.0f", 2.5), "2.");
        assert_eq!(double("10.3f", -1.23456), "    -1.235");
        assert_eq!(double("010.3f", -1.23456), "-00001.235");
        assert_eq!(double("e", 12345.678), "1.234568e+04");
        assert_eq!(double(".3E", 0.0), "0.000E+00");
        assert_eq!(double("g", 1e100), "1e+100");
        assert_eq!(double("#g", 1.0), "1.00000");
        assert_eq!(double("010f", f64::INFINITY), "       inf");
        assert_eq!(double("F", f64::NAN), "NAN");
        assert_eq!(double("f", -f64::NAN), "-nan");
        assert_eq!(double("A", 1.5), "0X1.8P+0");
        assert_eq!(double("012a", -1.5), "-0x0001.8p+0");
    }
}
