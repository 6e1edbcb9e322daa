//! Entries: what a store holds.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::content::FunctionContent;
use crate::key::Key;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `safe`, with a certificate.
    Proof,
    /// `unsafe`, with inputs.
    Violation,
    /// No answer: predicates that a search has tracked, for others to start with.
    Predicates,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Proof, Kind::Violation, Kind::Predicates];

    /// The name in stores and lists.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Proof => "proof",
            Kind::Violation => "violation",
            Kind::Predicates => "predicates",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(name: &str) -> Result<Kind, ()> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or(())
    }
}

/// Something to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// What exactly it answers; a later entry with the same key takes its place.
    pub key: Key,
    /// What it is.
    pub kind: Kind,
    /// The program that it is about, with all that its meaning depends on.
    pub program: Key,
    /// The functions of the program that it is about.
    pub functions: Vec<FunctionContent>,
    /// The files that the program was in, for people.
    pub files: String,
    /// The evidence.
    pub payload: String,
    /// How long it took to find.
    pub cost: Duration,
}

impl NewEntry {
    /// The only entry about a program: no functions or files are named, and it cost nothing.
    pub fn new(program: Key, kind: Kind, payload: impl Into<String>) -> NewEntry {
        NewEntry {
            key: program.clone(),
            kind,
            program,
            functions: Vec::new(),
            files: String::new(),
            payload: payload.into(),
            cost: Duration::ZERO,
        }
    }

    /// A sum over all that matters, by which damage is noticed. Whoever forges entries can compute it too.
    pub(crate) fn checksum(&self) -> Key {
        checksum(&self.key, self.kind.name(), &self.program, &self.payload)
    }

    /// How many bytes it has, without the functions, which all entries of a program share.
    pub fn size(&self) -> u64 {
        (self.payload.len() + self.files.len()) as u64
    }
}

pub(crate) fn checksum(key: &Key, kind: &str, program: &Key, payload: &str) -> Key {
    let sum = Key::builder("checksum").part("key", key.as_str()).part("kind", kind);
    sum.part("program", program.as_str()).part("payload", payload).finish()
}

/// Something that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What was to be kept.
    pub content: NewEntry,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// When it was last of use, or made.
    pub used: i64,
    /// How often it was of use.
    pub uses: u64,
    /// Why it is set aside, if it is.
    pub quarantined: Option<String>,
    /// Whether the checksum is right.
    pub is_intact: bool,
}
