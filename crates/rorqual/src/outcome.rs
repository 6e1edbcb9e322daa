//! What is said of a program, with its evidence. Only this crate can say that something is safe or unsafe, and does so
//! only after the evidence was checked.

use rorqual_certificate::Guard;
use rorqual_cfa::{Check, ErrorKind, Program};
use rorqual_evidence::{Assumption, Claim, Invariant, Origin, Reason, Unwinding};
use rorqual_interpreter::Undefined;
use rorqual_source::Span;
use rorqual_witness::{Replay, StoryLine};

/// A proof that the checker has proved again.
#[derive(Debug)]
pub struct Proof {
    pub(crate) claim: Claim,
    pub(crate) obligations: usize,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) guard: Option<Guard>,
}

impl Proof {
    /// What was proved.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// What holds at loops and for functions, if that is the proof.
    pub fn invariant(&self) -> Option<&Invariant> {
        match &self.claim {
            Claim::Invariant(invariant) => Some(invariant),
            Claim::Unwinding(_) => None,
        }
    }

    /// How far loops and recursion go, if that is the proof.
    pub fn unwinding(&self) -> Option<&Unwinding> {
        match &self.claim {
            Claim::Unwinding(unwinding) => Some(unwinding),
            Claim::Invariant(_) => None,
        }
    }

    /// How many obligations were proved.
    pub fn obligations(&self) -> usize {
        self.obligations
    }

    /// What this proof rests on, beside what every verdict about the program does ([`Outcome::assumptions`]).
    pub fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }

    /// Why operations are defined that the proof rests on.
    pub fn guard(&self) -> Option<&Guard> {
        self.guard.as_ref()
    }
}

/// A violation that was replayed.
#[derive(Debug)]
pub struct Refutation {
    pub(crate) replay: Box<Replay>,
}

impl Refutation {
    /// The execution.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// What is violated.
    pub fn error(&self) -> &ErrorKind {
        self.violation().0
    }

    /// Where it is violated.
    pub fn span(&self) -> Span {
        self.violation().1
    }

    /// The check that fails.
    pub fn check(&self) -> Check {
        match self.error() {
            ErrorKind::Check { check, .. } => *check,
            ErrorKind::Assertion | ErrorKind::Call { .. } => Check::Assertions,
        }
    }

    fn violation(&self) -> (&ErrorKind, Span) {
        self.replay.violation().expect("a refutation is made only of executions that violate something")
    }
}

/// What is said of some checks of a program.
#[derive(Debug)]
pub enum Conclusion {
    /// No execution violates them.
    Safe(Box<Proof>),
    /// An execution violates one of them.
    Unsafe(Refutation),
    /// It is not known.
    Unknown(Unknown),
}

/// Why nothing is known.
#[derive(Debug)]
pub enum Unknown {
    /// No engine found a verdict.
    Undecided(Reason),
    /// The checker does not follow the proof.
    Unconfirmed {
        /// What it does not prove again.
        obligation: String,
        /// Why not.
        reason: String,
    },
    /// The only violation that was found rests on something that is not modelled exactly.
    Approximated {
        /// What that is.
        what: String,
        /// Where.
        span: Span,
    },
    /// The only violation that was found comes after undefined behaviour.
    UndefinedBefore {
        /// What is undefined.
        kind: Undefined,
        /// Where.
        span: Span,
    },
    /// There is a proof, but it rests on operations being defined, and an execution has undefined behaviour there.
    RestsOnUndefined {
        /// What is undefined.
        kind: Undefined,
        /// Where.
        span: Span,
        /// The execution.
        story: Vec<StoryLine>,
    },
    /// A trace does not replay, and there is no excuse for it: a defect.
    NotReplayed {
        /// How the execution ends.
        execution: Box<Replay>,
        /// The trace, for a report.
        dump: String,
    },
}

/// An answer, and what it is about.
#[derive(Debug)]
pub struct Round {
    /// The program with its checks.
    pub program: Program,
    /// The checks that are answered.
    pub checks: Vec<Check>,
    /// The answer.
    pub conclusion: Conclusion,
    /// What found it.
    pub origin: Origin,
}

/// Whether an assertion is ever reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// The assertion.
    pub span: Span,
    /// None if that is not known.
    pub answer: Option<bool>,
}

/// Everything that was found out about a project.
#[derive(Debug)]
pub struct Outcome {
    /// One answer for each check, some for several; there is at least one.
    pub rounds: Vec<Round>,
    /// Whether assertions are reached, if [`Check::UnreachableCode`] asks for that.
    pub reached: Vec<Reached>,
    /// The assertions that no execution reaches, if that was not asked and all is proved: a proof about nothing.
    pub unreached: Vec<Span>,
    /// What every verdict rests on.
    pub assumptions: Vec<Assumption>,
}

impl Outcome {
    /// The answer for the whole: a violation if there is one, else what is not known.
    pub fn decisive(&self) -> &Round {
        let first =
            |wanted: fn(&Conclusion) -> bool| self.rounds.iter().find(|round| wanted(&round.conclusion));
        let refuted = first(|conclusion| matches!(conclusion, Conclusion::Unsafe(_)));
        let open = || first(|conclusion| !matches!(conclusion, Conclusion::Safe(_)));
        refuted.or_else(open).unwrap_or(&self.rounds[0])
    }

    /// The answer for a check.
    pub fn of_check(&self, check: Check) -> Option<&Round> {
        self.rounds.iter().find(|round| round.checks.contains(&check))
    }

    /// What an answer rests on, sorted.
    pub fn assumptions_of(&self, round: &Round) -> Vec<Assumption> {
        let mut all = self.assumptions.clone();
        if let Conclusion::Safe(proof) = &round.conclusion {
            all.extend_from_slice(&proof.assumptions);
        }
        all.sort();
        all
    }

    /// Whether something does not replay: a defect, whatever else was found.
    pub fn has_defect(&self) -> bool {
        let is_defect =
            |round: &Round| matches!(round.conclusion, Conclusion::Unknown(Unknown::NotReplayed { .. }));
        self.rounds.iter().any(is_defect)
    }
}
