//! Propositional refutations: clauses that belong to parts, and the resolution steps that lead from
//! them to the empty clause. What checks a refutation and what interpolates from it reads this.

mod check;
mod lrat;
mod online;
mod record;
mod replay;
pub(crate) mod transcript;
mod trim;

use std::collections::BTreeMap;

use rorqual_logic::Term;

pub use check::{ProofError, check, check_from};
pub use lrat::{TextError, dimacs_text, lrat_text, parse_dimacs, parse_lrat};
pub(crate) use online::OnlineChecker;
pub(crate) use record::Recorder;
pub use transcript::Transcript;
pub(crate) use transcript::{Kept, Number, Writer};

/// A literal as SAT solvers write it: a variable, which is positive, or its negation.
pub type Literal = i32;

/// The number of a clause in a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClauseId(pub u64);

/// A piece of the refuted conjunction that an interpolant may separate from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part(pub u32);

/// Why an original clause holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It comes from what was asserted in a part.
    Part(Part),
    /// It is valid in a theory; the number names the lemma, whose evidence is kept beside the proof.
    Lemma(usize),
}

/// A clause that the proof starts from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginalClause {
    /// Its number.
    pub id: ClauseId,
    /// Its literals.
    pub literals: Vec<Literal>,
    /// Why it holds.
    pub origin: Origin,
}

/// A clause that follows by resolution. In LRAT order: under the negation of the clause, each
/// antecedent but the last becomes a unit, and the last becomes empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedClause {
    /// Its number.
    pub id: ClauseId,
    /// Its literals; the last derived clause of a proof has none.
    pub literals: Vec<Literal>,
    /// What it follows from.
    pub antecedents: Vec<ClauseId>,
}

/// A refutation, trimmed: every clause is needed for the empty one, which comes last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proof {
    /// Where it starts.
    pub originals: Vec<OriginalClause>,
    /// How it goes on.
    pub derived: Vec<DerivedClause>,
    /// The Boolean terms that variables stand for, for those that several parts may share: bits of
    /// symbols, Boolean symbols, atoms of theories. Other variables belong to one part.
    pub atoms: BTreeMap<i32, Term>,
}
