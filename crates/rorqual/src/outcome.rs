//! What is said of a program, with its evidence. Only this crate can say that something is safe or unsafe, and does so
//! only after the evidence was checked.

use std::sync::Arc;
use std::time::Duration;

use rorqual_certificate::Guard;
use rorqual_cfa::{Check, ErrorKind, Instance, Program, Property};
use rorqual_evidence::{Assumption, Claim, Invariant, Origin, Reason, Unwinding};
use rorqual_interpreter::Undefined;
use rorqual_solver::proof::Transcript;
use rorqual_source::Span;
use rorqual_witness::{Replay, StoryLine};

use crate::stored::StoreReport;

/// A proof that the checker has proved again.
#[derive(Debug)]
pub struct Proof {
    pub(crate) claim: Claim,
    pub(crate) obligations: usize,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) guard: Option<Guard>,
    /// How long the checker took.
    pub(crate) checked_in: Duration,
    /// The refutations that the checker has found, if they are kept.
    pub(crate) refutations: Vec<Transcript>,
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

    /// Both.
    pub fn instance(&self) -> Instance {
        let (error, span) = self.violation();
        Instance { error: error.clone(), span }
    }

    /// The check that fails.
    pub fn check(&self) -> Check {
        self.error().check()
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

impl Conclusion {
    /// The violation, if there is one.
    pub fn refutation(&self) -> Option<&Refutation> {
        match self {
            Conclusion::Unsafe(refutation) => Some(refutation),
            Conclusion::Safe(_) | Conclusion::Unknown(_) => None,
        }
    }
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

/// Something that was tried in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What it was.
    pub origin: Origin,
    /// How long it took, by the clock on the wall.
    pub time: Duration,
    /// Why it ended; nothing if it ended with an answer whose evidence was not accepted.
    pub reason: Option<Reason>,
}

/// An answer, and what it is about.
#[derive(Debug)]
pub struct Round {
    /// The program with its checks.
    pub program: Arc<Program>,
    /// The properties that are answered, by their places in [`Outcome::properties`].
    pub properties: Vec<usize>,
    /// The checks that they belong to.
    pub checks: Vec<Check>,
    /// Whether the program has other instances of these checks, which are not tested.
    pub is_partial: bool,
    /// The answer.
    pub conclusion: Conclusion,
    /// What was tried in vain, if there is no verdict.
    pub attempts: Vec<Attempt>,
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
    /// What the program is checked for, in the order of the names.
    pub properties: Vec<Property>,
    /// Checks that the program has no instance of: it is safe as far as these go.
    pub silent: Vec<Check>,
    /// One answer for each property, some for several; there is at least one. Properties without an answer were not
    /// searched, because the first violation ends the check.
    pub rounds: Vec<Round>,
    /// Whether assertions are reached, if [`Check::UnreachableCode`] asks for that.
    pub reached: Vec<Reached>,
    /// The assertions that no execution reaches, if that was not asked and all is proved: a proof about nothing.
    pub unreached: Vec<Span>,
    /// What every verdict rests on.
    pub assumptions: Vec<Assumption>,
    /// What the store was good for, if there is one.
    pub store: Option<StoreReport>,
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

    /// The answer for a property.
    pub fn of_property(&self, at: usize) -> Option<&Round> {
        self.rounds.iter().find(|round| round.properties.contains(&at))
    }

    /// The answers for a check, those that say most about it first: violations, what is not known, proofs.
    pub fn of_check(&self, check: Check) -> Vec<&Round> {
        let is_about = |round: &&Round| {
            let mut instances = round.properties.iter().map(|&at| &self.properties[at].instance);
            instances.any(|instance| instance.check() == check)
                || round.checks.contains(&check) && !self.has_instance(check) && !self.silent.contains(&check)
        };
        let weight = |round: &&Round| match round.conclusion {
            Conclusion::Unsafe(_) => 0,
            Conclusion::Unknown(_) => 1,
            Conclusion::Safe(_) => 2,
        };
        let mut rounds: Vec<&Round> = self.rounds.iter().filter(is_about).collect();
        rounds.sort_by_key(weight);
        rounds
    }

    fn has_instance(&self, check: Check) -> bool {
        self.properties.iter().any(|property| property.instance.check() == check)
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
