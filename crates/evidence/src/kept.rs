//! What loops keep: relations between numbers in memory that hold whenever control is at the head of a loop.
//!
//! They name memory from variables on, so that every execution, of whatever kind, can be asked about them.

use std::fmt::{self, Write as _};

use rorqual_cfa::{CellNames, VariableId};

/// Some bytes, counted from the start of an object or from where a pointer points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes {
    /// The first one.
    pub offset: u64,
    /// How many.
    pub count: u32,
}

/// A scalar in memory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scalar {
    /// A variable of an active function, in its latest call, or a global one.
    pub variable: VariableId,
    /// Bytes of the variable; none for a variable that is a scalar and whose address is not taken.
    pub own: Option<Bytes>,
    /// What was found is a pointer: bytes where it points to, again and again.
    pub through: Vec<Bytes>,
}

/// When a scalar is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// Whenever control is at the head.
    Now,
    /// When control came to the loop from outside.
    Entry,
}

/// How a number becomes a wider one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extension {
    /// With zeros.
    Unsigned,
    /// With its sign.
    Signed,
}

/// A multiple of a scalar.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Multiple {
    /// How often.
    pub factor: i64,
    /// Of what.
    pub of: Scalar,
    /// When it is read.
    pub when: Moment,
    /// How it becomes as wide as the sum.
    pub extension: Extension,
}

/// A sum, modulo two to the power of its width.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Sum {
    /// Its summands.
    pub multiples: Vec<Multiple>,
    /// What is added to them.
    pub constant: i64,
}

/// How two numbers compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// They are the same.
    Equal,
    /// The first is at most the second, as numbers without sign.
    AtMost,
    /// The same, as numbers with sign.
    AtMostSigned,
    /// The first is less than the second, as numbers without sign.
    Less,
    /// The same, as numbers with sign.
    LessSigned,
}

/// Something that holds whenever control is at the head of a loop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kept {
    /// Two sums of so many bits compare.
    Compared {
        /// How.
        relation: Relation,
        /// The width of both.
        width: u32,
        /// The first.
        left: Sum,
        /// The second.
        right: Sum,
    },
    /// A pointer points into an object, or just behind it.
    Inside(Scalar),
    /// A pointer points to a byte of an object.
    Within(Scalar),
}

impl Scalar {
    /// A variable that is a scalar.
    pub fn variable(variable: VariableId) -> Scalar {
        Scalar { variable, own: None, through: Vec::new() }
    }

    /// What it is called: the name of the variable in bars, `@` with the bytes of it, `!` with those behind each pointer.
    pub fn text(&self, names: &CellNames) -> String {
        let mut text = format!("|{}|", names.variable(self.variable));
        if let Some(bytes) = &self.own {
            let _ = write!(text, "@{bytes}");
        }
        for bytes in &self.through {
            let _ = write!(text, "!{bytes}");
        }
        text
    }

    /// The scalar that has such a name.
    pub fn parse(text: &str, names: &CellNames) -> Option<Scalar> {
        let (name, rest) = text.strip_prefix('|')?.split_once('|')?;
        let mut parts = rest.split('!');
        let own = match parts.next()? {
            "" => None,
            own => Some(Bytes::parse(own.strip_prefix('@')?)?),
        };
        let through = parts.map(Bytes::parse).collect::<Option<Vec<Bytes>>>()?;
        Some(Scalar { variable: names.find(name)?, own, through })
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.offset, self.count)
    }
}

impl Bytes {
    fn parse(text: &str) -> Option<Bytes> {
        let (offset, count) = text.split_once(':')?;
        let count = count.parse().ok().filter(|&count| (1..=MOST_BYTES).contains(&count))?;
        let offset = offset.parse().ok().filter(|&offset| offset < MOST_OFFSET)?;
        Some(Bytes { offset, count })
    }
}

/// Scalars have no more bytes.
const MOST_BYTES: u32 = 16;
/// No object is as large.
const MOST_OFFSET: u64 = 1 << 40;
/// Sums are no wider.
const MOST_WIDTH: u32 = 128;

impl Sum {
    /// A constant.
    pub fn constant(constant: i64) -> Sum {
        Sum { multiples: Vec::new(), constant }
    }

    /// A scalar.
    pub fn scalar(of: Scalar, extension: Extension, when: Moment) -> Sum {
        Sum { multiples: vec![Multiple { factor: 1, of, when, extension }], constant: 0 }
    }

    fn text(&self, names: &CellNames) -> String {
        let mut text = self.constant.to_string();
        for Multiple { factor, of, when, extension } in &self.multiples {
            let sign = match extension {
                Extension::Unsigned => "u",
                Extension::Signed => "s",
            };
            let old = match when {
                Moment::Now => "",
                Moment::Entry => "old*",
            };
            let _ = write!(text, " {factor}*{sign}*{old}{}", of.text(names));
        }
        text
    }

    fn parse(text: &str, names: &CellNames) -> Option<Sum> {
        let mut words = text.split_whitespace();
        let constant = words.next()?.parse().ok()?;
        let multiples = words.map(|word| Multiple::parse(word, names)).collect::<Option<Vec<Multiple>>>()?;
        Some(Sum { multiples, constant })
    }

    /// Its scalars.
    pub fn scalars(&self) -> impl Iterator<Item = &Scalar> {
        self.multiples.iter().map(|multiple| &multiple.of)
    }
}

impl Multiple {
    fn parse(word: &str, names: &CellNames) -> Option<Multiple> {
        let (factor, rest) = word.split_once('*')?;
        let (extension, rest) = match rest.split_once('*')? {
            ("u", rest) => (Extension::Unsigned, rest),
            ("s", rest) => (Extension::Signed, rest),
            _ => return None,
        };
        let (when, rest) = match rest.strip_prefix("old*") {
            Some(rest) => (Moment::Entry, rest),
            None => (Moment::Now, rest),
        };
        Some(Multiple { factor: factor.parse().ok()?, of: Scalar::parse(rest, names)?, when, extension })
    }
}

/// Between the two sums of a relation.
const THAN: &str = " , ";
const INSIDE: &str = "inside ";
const WITHIN: &str = "within ";

impl Relation {
    const ALL: [(Relation, &'static str); 5] = [
        (Relation::Equal, "="),
        (Relation::AtMost, "<=u"),
        (Relation::AtMostSigned, "<=s"),
        (Relation::Less, "<u"),
        (Relation::LessSigned, "<s"),
    ];
}

impl Kept {
    /// A line that says it: `<=u 32 0 1*u*|main::i| , 0 1*u*|main::n|`.
    pub fn text(&self, names: &CellNames) -> String {
        match self {
            Kept::Inside(pointer) => format!("{INSIDE}{}", pointer.text(names)),
            Kept::Within(pointer) => format!("{WITHIN}{}", pointer.text(names)),
            Kept::Compared { relation, width, left, right } => {
                let symbol = Relation::ALL.iter().find(|(known, _)| known == relation);
                let symbol = symbol.map_or("", |(_, symbol)| symbol);
                format!("{symbol} {width} {}{THAN}{}", left.text(names), right.text(names))
            }
        }
    }

    /// What such a line says.
    pub fn parse(text: &str, names: &CellNames) -> Option<Kept> {
        if let Some(pointer) = text.strip_prefix(INSIDE) {
            return Some(Kept::Inside(Scalar::parse(pointer.trim(), names)?));
        }
        if let Some(pointer) = text.strip_prefix(WITHIN) {
            return Some(Kept::Within(Scalar::parse(pointer.trim(), names)?));
        }
        let (symbol, rest) = text.split_once(' ')?;
        let &(relation, _) = Relation::ALL.iter().find(|(_, known)| *known == symbol)?;
        let (width, rest) = rest.split_once(' ')?;
        let width = width.parse().ok().filter(|width| (1..=MOST_WIDTH).contains(width))?;
        let (left, right) = rest.split_once(THAN)?;
        Some(Kept::Compared {
            relation,
            width,
            left: Sum::parse(left, names)?,
            right: Sum::parse(right, names)?,
        })
    }
}
