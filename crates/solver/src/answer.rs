//! What a solver answers. Evidence travels with the answer: a model cannot be read after `Unsat`,
//! nor a refutation asked for after `Sat`.

use std::fmt;

/// The answer to a query, with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<M, R> {
    /// Satisfiable, by this model.
    Sat(M),
    /// Unsatisfiable, for this reason.
    Unsat(R),
    /// Not decided.
    Unknown(GaveUp),
}

impl<M, R> Answer<M, R> {
    /// Whether a model was found.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Whether there is no model.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    /// The model, if one was found.
    pub fn model(self) -> Option<M> {
        match self {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }

    /// The reason why there is no model, if there is none.
    pub fn refutation(self) -> Option<R> {
        match self {
            Answer::Unsat(refutation) => Some(refutation),
            _ => None,
        }
    }
}

/// Why a query was not decided. A timeout and a missing theory call for different advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GaveUp {
    /// The deadline has passed.
    Time,
    /// The conflicts are spent.
    Conflicts,
    /// The formula outgrew the memory that it may take.
    Memory,
    /// Another thread asked to stop.
    Cancelled,
    /// An axiom of arrays or functions is needed over names that no part has all of, so that there is no
    /// proof whose clauses belong to parts.
    MixedParts,
    /// The formula, or the proof asked for, is outside of what the solver can do.
    Unsupported(String),
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GaveUp::Time => f.write_str("the time limit of the solver is reached"),
            GaveUp::Conflicts => f.write_str("the conflict limit of the solver is reached"),
            GaveUp::Memory => f.write_str("the memory limit of the solver is reached"),
            GaveUp::Cancelled => f.write_str("the solver was cancelled"),
            GaveUp::MixedParts => f.write_str(
                "the refutation needs an axiom of arrays or functions over names of several parts",
            ),
            GaveUp::Unsupported(what) => write!(f, "the solver does not support {what}"),
        }
    }
}
