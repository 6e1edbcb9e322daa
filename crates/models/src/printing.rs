//! Functions that print to memory with a constant format, as C text: one function for each format.
//!
//! Known are literal text and `%d %i %u %x %X %c %s %%`, with the flags `0` and `-`, a width, and the lengths `hh h l ll j z t`
//! of integers. Anything else is no model's.

use std::fmt::Write;

/// What is given for a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Given {
    /// An integer.
    Integer {
        /// The name of its type.
        name: &'static str,
        /// How many bits it has.
        bits: u32,
    },
    /// A pointer to characters.
    Text,
}

/// The functions that print to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Printer {
    /// `snprintf`
    Bounded,
    /// `sprintf`
    Unbounded,
}

impl Printer {
    /// The function with a name.
    pub fn named(name: &str) -> Option<Printer> {
        match crate::library::canonical(name) {
            "snprintf" => Some(Printer::Bounded),
            "sprintf" => Some(Printer::Unbounded),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Printer::Bounded => "snprintf",
            Printer::Unbounded => "sprintf",
        }
    }

    /// The position of the format among the arguments.
    pub fn format(self) -> usize {
        match self {
            Printer::Bounded => 2,
            Printer::Unbounded => 1,
        }
    }

    /// A C file that defines a function which prints what is given with one format. `bits` has the widths of `int`,
    /// `long` and `long long`.
    pub fn text(self, format: &[u8], given: &[Given], bits: [u32; 3]) -> Option<String> {
        let pieces = pieces(format)?;
        let count = pieces.iter().filter(|piece| matches!(piece, Piece::Conversion(_))).count();
        if count != given.len() {
            return None;
        }
        let parameters = given.iter().enumerate().map(|(at, given)| match given {
            Given::Integer { name, .. } => format!(", {name} a{at}"),
            Given::Text => format!(", const char *a{at}"),
        });
        let parameters: String = parameters.collect();
        let mut text = HELPERS.to_owned();
        let _ = match self {
            Printer::Bounded => writeln!(
                text,
                "int snprintf(char *restrict to, size_t size, const char *restrict format{parameters}) {{\n  size_t at = 0;"
            ),
            Printer::Unbounded => writeln!(
                text,
                "int sprintf(char *restrict to, const char *restrict format{parameters}) {{\n  \
                 size_t size = __SIZE_MAX__, at = 0;"
            ),
        };
        let mut next = given.iter().enumerate();
        for piece in pieces {
            match piece {
                Piece::Literal(byte) => {
                    let _ = writeln!(text, "  at = put(to, size, at, {});", byte.cast_signed());
                }
                Piece::Conversion(conversion) => {
                    let (at, given) = next.next()?;
                    text.push_str(&conversion.statement(at, *given, bits)?);
                }
            }
        }
        text.push_str(
            "  if (size > 0) {\n    to[at < size ? at : size - 1] = 0;\n  }\n  return (int)at;\n}\n",
        );
        Some(text)
    }
}

/// Nothing is stored behind the size, but everything is counted.
const HELPERS: &str = "typedef __SIZE_TYPE__ size_t;

static size_t put(char *to, size_t size, size_t at, char c) {
  if (at + 1 < size) {
    to[at] = c;
  }
  return at + 1;
}

static size_t pad(char *to, size_t size, size_t at, char c, int count) {
  for (int i = 0; i < count; i++) {
    at = put(to, size, at, c);
  }
  return at;
}

static size_t put_digits(char *to, size_t size, size_t at, const char *digits, int count, int negative,
                         int width, char fill) {
  int missing = width > 0 ? width - count - negative : 0;
  at = pad(to, size, at, ' ', fill == ' ' ? missing : 0);
  if (negative) {
    at = put(to, size, at, '-');
  }
  at = pad(to, size, at, '0', fill == '0' ? missing : 0);
  for (int i = count; i > 0; i--) {
    at = put(to, size, at, digits[i - 1]);
  }
  return pad(to, size, at, ' ', fill == '-' ? missing : 0);
}

static size_t put_int(char *to, size_t size, size_t at, unsigned value, unsigned base, char ten,
                      int negative, int width, char fill) {
  char digits[12];
  int count = 0;
  do {
    int digit = (int)(value % base);
    digits[count++] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
    value /= base;
  } while (value);
  return put_digits(to, size, at, digits, count, negative, width, fill);
}

static size_t put_long(char *to, size_t size, size_t at, unsigned long long value, unsigned base, char ten,
                       int negative, int width, char fill) {
  char digits[24];
  int count = 0;
  do {
    int digit = (int)(value % base);
    digits[count++] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
    value /= base;
  } while (value);
  return put_digits(to, size, at, digits, count, negative, width, fill);
}

static size_t put_text(char *to, size_t size, size_t at, const char *text, int width, char fill) {
  int count = 0;
  while (width > count && text[count]) {
    count++;
  }
  at = pad(to, size, at, ' ', fill == '-' ? 0 : width - count);
  for (; *text; text++) {
    at = put(to, size, at, *text);
  }
  return pad(to, size, at, ' ', fill == '-' ? width - count : 0);
}

";

/// The widest field.
const WIDEST: u32 = 4096;

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Literal(u8),
    Conversion(Conversion),
}

#[derive(Debug, PartialEq, Eq)]
struct Conversion {
    /// What missing characters become: spaces or zeros before, or `-` for spaces behind.
    fill: char,
    width: u32,
    length: String,
    letter: char,
}

/// The parts of a format, if it has no others than those that are known.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let end = format.iter().position(|&byte| byte == 0).unwrap_or(format.len());
    let mut rest = &format[..end];
    let mut pieces = Vec::new();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            pieces.push(Piece::Literal(byte));
        } else if let Some(after) = rest.strip_prefix(b"%") {
            rest = after;
            pieces.push(Piece::Literal(b'%'));
        } else {
            pieces.push(Piece::Conversion(conversion(&mut rest)?));
        }
    }
    Some(pieces)
}

fn conversion(rest: &mut &[u8]) -> Option<Conversion> {
    let mut take = |set: &str| {
        let count = rest.iter().take_while(|&&byte| set.contains(char::from(byte))).count();
        let (taken, after) = rest.split_at(count);
        *rest = after;
        String::from_utf8_lossy(taken).into_owned()
    };
    let flags = take("0-");
    let width = take("0123456789");
    let length = take("hljzt");
    let (&letter, after) = rest.split_first()?;
    *rest = after;
    let fill = match (flags.contains('-'), flags.contains('0')) {
        (true, _) => '-',
        (false, true) => '0',
        (false, false) => ' ',
    };
    let width = if width.is_empty() { 0 } else { width.parse().ok().filter(|&width| width <= WIDEST)? };
    Some(Conversion { fill, width, length, letter: char::from(letter) })
}

impl Conversion {
    /// The statement that prints the argument at a position.
    fn statement(&self, at: usize, given: Given, bits: [u32; 3]) -> Option<String> {
        let Conversion { fill, width, .. } = self;
        match (self.letter, self.length.as_str(), given) {
            ('s', "", Given::Text) if *fill != '0' => {
                Some(format!("  at = put_text(to, size, at, a{at}, {width}, '{fill}');\n"))
            }
            ('c', "", Given::Integer { bits: own, .. }) if *fill != '0' && own == bits[0] => {
                let [before, behind] = if *fill == '-' { [0, *width] } else { [*width, 0] };
                Some(format!(
                    "  at = pad(to, size, at, ' ', {before} - 1);\n  {{\n    int v = (int)a{at} % 256;\n    \
                     at = put(to, size, at, (char)(v > 127 ? v - 256 : v < -128 ? v + 256 : v));\n  }}\n  \
                     at = pad(to, size, at, ' ', {behind} - 1);\n"
                ))
            }
            ('d' | 'i' | 'u' | 'x' | 'X', _, Given::Integer { bits: own, .. })
                if own == self.bits(bits)? =>
            {
                Some(self.integer(at, own, bits[0]))
            }
            _ => None,
        }
    }

    /// How many bits the argument has.
    fn bits(&self, [int, long, long_long]: [u32; 3]) -> Option<u32> {
        match self.length.as_str() {
            "" | "h" | "hh" => Some(int),
            // Sizes and differences of pointers are as wide as pointers, and these as `long`.
            "l" | "z" | "t" => Some(long),
            "ll" | "j" => Some(long_long),
            _ => None,
        }
    }

    fn integer(&self, at: usize, bits: u32, int: u32) -> String {
        let Conversion { fill, width, letter, .. } = self;
        let (function, unsigned, signed) = if bits == int {
            ("put_int", "unsigned", "int")
        } else {
            ("put_long", "unsigned long long", "long long")
        };
        let is_signed = matches!(letter, 'd' | 'i');
        let (base, ten) = match letter {
            'x' => (16, 'a'),
            'X' => (16, 'A'),
            _ => (10, 'a'),
        };
        // What is cut off is not what a conversion changes.
        let most = match self.length.as_str() {
            "hh" => Some(256),
            "h" => Some(65536),
            _ => None,
        };
        let value = match (most, is_signed) {
            (None, true) => format!("({signed})a{at}"),
            (None, false) => format!("({unsigned})a{at}"),
            (Some(most), _) => format!("(int)a{at} % {most}"),
        };
        let ty = if is_signed || most.is_some() { signed } else { unsigned };
        let mut text = format!("  {{\n    {ty} v = {value};\n");
        let _ = match (most, is_signed) {
            (Some(most), true) => writeln!(
                text,
                "    v = v >= {half} ? v - {most} : v < -{half} ? v + {most} : v;",
                half = most / 2
            ),
            (Some(most), false) => writeln!(text, "    v = v < 0 ? v + {most} : v;"),
            (None, _) => Ok(()),
        };
        let magnitude = if is_signed {
            format!("v < 0 ? ({unsigned})-(v + 1) + 1 : ({unsigned})v, {base}, '{ten}', v < 0")
        } else {
            format!("({unsigned})v, {base}, '{ten}', 0")
        };
        let _ = writeln!(text, "    at = {function}(to, size, at, {magnitude}, {width}, '{fill}');\n  }}");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: [u32; 3] = [32, 64, 64];
    const INT: Given = Given::Integer { name: "int", bits: 32 };

    #[test]
    fn formats_are_taken_apart() {
        let conversion = |fill, width, length: &str, letter| {
            Piece::Conversion(Conversion { fill, width, length: length.to_owned(), letter })
        };
        let expected = vec![
            Piece::Literal(b'a'),
            conversion('0', 12, "ll", 'x'),
            Piece::Literal(b'%'),
            conversion('-', 3, "", 's'),
        ];
        assert_eq!(pieces(b"a%012llx%%%-3s\0b"), Some(expected));
        assert_eq!(pieces(b"%"), None);
        assert_eq!(pieces(b"%99999d"), None);
    }

    #[test]
    fn what_is_not_known_has_no_model() {
        let text = |format: &str, given: &[Given]| Printer::Bounded.text(format.as_bytes(), given, BITS);
        assert!(
            text("%d %s", &[INT, Given::Text]).is_some_and(|text| text.contains("int a0, const char *a1"))
        );
        for (format, given) in [
            ("%d", &[][..]),
            ("%d", &[Given::Text]),
            ("%ld", &[INT]),
            ("%s", &[INT]),
            ("%f", &[INT]),
            ("%n", &[Given::Text]),
            ("%.3d", &[INT]),
            ("%*d", &[INT, INT]),
            ("%+d", &[INT]),
            ("%p", &[Given::Text]),
            ("%05s", &[Given::Text]),
            ("%1$d", &[INT]),
            ("", &[INT]),
        ] {
            assert_eq!(text(format, given), None, "{format}");
        }
    }
}
