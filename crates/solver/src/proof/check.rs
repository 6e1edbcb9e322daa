//! A checker of refutations. It trusts nothing but the original clauses: that these follow from the
//! parts is the business of whoever made them.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use crate::proof::replay::{Flaw, Redundancy, replay};
use crate::proof::{ClauseId, Literal, Proof};

/// What is wrong with a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofError {
    /// Two clauses have one number.
    DuplicateId(ClauseId),
    /// A clause has a literal that is zero or has no negation.
    BadLiteral(ClauseId),
    /// A derived clause has a literal and its negation.
    Tautology(ClauseId),
    /// An antecedent is not an earlier clause.
    UnknownAntecedent {
        /// The derived clause.
        clause: ClauseId,
        /// What it says to follow from.
        antecedent: ClauseId,
    },
    /// Under the negation of the clause and the units so far, an antecedent has several open
    /// literals, or holds.
    NotUnit {
        /// The derived clause.
        clause: ClauseId,
        /// The antecedent that is not a unit.
        antecedent: ClauseId,
    },
    /// No antecedent becomes empty.
    NoConflict(ClauseId),
    /// An antecedent before the last becomes empty.
    EarlyConflict(ClauseId),
    /// The last derived clause is not the empty one.
    NoEmptyClause,
    /// An original clause is not among those that are to be refuted.
    ForeignClause(ClauseId),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::DuplicateId(id) => write!(f, "two clauses have the number {}", id.0),
            ProofError::BadLiteral(id) => write!(f, "clause {} has an invalid literal", id.0),
            ProofError::Tautology(id) => write!(f, "clause {} has a literal and its negation", id.0),
            ProofError::UnknownAntecedent { clause, antecedent } => {
                write!(f, "clause {} uses clause {}, which is not before it", clause.0, antecedent.0)
            }
            ProofError::NotUnit { clause, antecedent } => {
                write!(
                    f,
                    "clause {} does not become a unit in the proof of clause {}",
                    antecedent.0, clause.0
                )
            }
            ProofError::NoConflict(id) => write!(f, "the antecedents of clause {} do not prove it", id.0),
            ProofError::EarlyConflict(id) => {
                write!(f, "clause {} is proved before its last antecedent", id.0)
            }
            ProofError::ForeignClause(id) => {
                write!(f, "clause {} is not among those that are to be refuted", id.0)
            }
            ProofError::NoEmptyClause => f.write_str("the proof does not end with the empty clause"),
        }
    }
}

impl std::error::Error for ProofError {}

/// Verifies each derived clause by unit propagation along its antecedents, and that the last one is
/// empty.
pub fn check(proof: &Proof) -> Result<(), ProofError> {
    let mut known: HashMap<ClauseId, &[Literal]> = HashMap::new();
    for original in &proof.originals {
        add(&mut known, original.id, &original.literals)?;
    }
    for derived in &proof.derived {
        refuse_bad_literals(derived.id, &derived.literals)?;
        let mut antecedents: Vec<&[Literal]> = Vec::with_capacity(derived.antecedents.len());
        for &antecedent in &derived.antecedents {
            let unknown = ProofError::UnknownAntecedent { clause: derived.id, antecedent };
            antecedents.push(known.get(&antecedent).ok_or(unknown)?);
        }
        let not_unit =
            |at: usize| ProofError::NotUnit { clause: derived.id, antecedent: derived.antecedents[at] };
        let steps = replay(&derived.literals, antecedents.into_iter(), Redundancy::Refused);
        match steps.map_err(|flaw| match flaw {
            Flaw::NotUnit(at) | Flaw::Satisfied(at) => not_unit(at),
            Flaw::NoConflict => ProofError::NoConflict(derived.id),
            Flaw::Tautology => ProofError::Tautology(derived.id),
        })? {
            steps if steps.conflict + 1 == derived.antecedents.len() => {}
            _ => return Err(ProofError::EarlyConflict(derived.id)),
        }
        add(&mut known, derived.id, &derived.literals)?;
    }
    match proof.derived.last() {
        Some(last) if last.literals.is_empty() => Ok(()),
        _ => Err(ProofError::NoEmptyClause),
    }
}

/// As [`check`], and that each original clause is one of the given ones, up to order and repetition.
pub fn check_from(proof: &Proof, clauses: &[Vec<Literal>]) -> Result<(), ProofError> {
    let set = |literals: &[Literal]| literals.iter().copied().collect::<BTreeSet<Literal>>();
    let given: BTreeSet<BTreeSet<Literal>> = clauses.iter().map(|clause| set(clause)).collect();
    match proof.originals.iter().find(|clause| !given.contains(&set(&clause.literals))) {
        Some(foreign) => Err(ProofError::ForeignClause(foreign.id)),
        None => check(proof),
    }
}

fn add<'a>(
    known: &mut HashMap<ClauseId, &'a [Literal]>,
    id: ClauseId,
    literals: &'a [Literal],
) -> Result<(), ProofError> {
    refuse_bad_literals(id, literals)?;
    match known.insert(id, literals) {
        Some(_) => Err(ProofError::DuplicateId(id)),
        None => Ok(()),
    }
}

fn refuse_bad_literals(id: ClauseId, literals: &[Literal]) -> Result<(), ProofError> {
    if literals.iter().any(|&literal| literal == 0 || literal == i32::MIN) {
        return Err(ProofError::BadLiteral(id));
    }
    Ok(())
}
