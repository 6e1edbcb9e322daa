//! Why an interpolant was not computed, and which condition an interpolant violates.

use std::fmt;

use rorqual_solver::GaveUp;
use rorqual_solver::proof::ClauseId;

use crate::propositional::System;

/// The kinds of interpolants that one refutation gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One formula between two sets of parts.
    Binary,
    /// One formula between each two neighbours of a sequence.
    Sequence,
    /// One formula per node of a tree.
    Tree,
    /// A state before and a transition at each position.
    StateTransition,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Binary => "binary",
            Kind::Sequence => "sequence",
            Kind::Tree => "tree",
            Kind::StateTransition => "state/transition",
        })
    }
}

/// Why a proof gives no interpolant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InterpolationError {
    /// The proof does not end in the empty clause.
    NotARefutation,
    /// A clause names an antecedent that does not come before it.
    MissingAntecedent {
        /// The clause.
        clause: ClauseId,
        /// What it names.
        antecedent: ClauseId,
    },
    /// The antecedents of a clause do not derive it by resolution.
    BrokenChain {
        /// The clause.
        clause: ClauseId,
    },
    /// A variable that both sides of a cut have stands for no term.
    SharedWithoutAtom {
        /// The variable.
        variable: i32,
    },
    /// The theory has no partial interpolant for a lemma under this cut.
    LemmaNotInterpolated {
        /// The lemma.
        number: usize,
    },
    /// The system does not give interpolants of this kind that fit together.
    SystemRefused {
        /// The system.
        system: System,
        /// The kind.
        kind: Kind,
    },
    /// The parents do not make one tree with the last node as its root and children before parents.
    NotATree {
        /// The first node with a wrong parent.
        node: usize,
    },
    /// A limit was reached while the interpolants were built.
    Spent(GaveUp),
}

impl fmt::Display for InterpolationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterpolationError::NotARefutation => f.write_str("the proof does not end in the empty clause"),
            InterpolationError::MissingAntecedent { clause, antecedent } => {
                write!(f, "clause {} follows from clause {}, which is not there", clause.0, antecedent.0)
            }
            InterpolationError::BrokenChain { clause } => {
                write!(f, "the antecedents of clause {} do not derive it", clause.0)
            }
            InterpolationError::SharedWithoutAtom { variable } => {
                write!(f, "variable {variable} is shared and stands for no term")
            }
            InterpolationError::LemmaNotInterpolated { number } => {
                write!(f, "the theory lemma {number} has no partial interpolant for this cut")
            }
            InterpolationError::SystemRefused { system, kind } => {
                write!(f, "{system:?} gives no {kind} interpolants")
            }
            InterpolationError::Spent(reason) => reason.fmt(f),
            InterpolationError::NotATree { node } => {
                write!(f, "the parent of node {node} does not make a tree")
            }
        }
    }
}

impl std::error::Error for InterpolationError {}
