//! Evidence is checked: a proof counts only once the checker has proved it again, a violation only once it was replayed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rorqual_certificate::Outcome as Certified;
use rorqual_cfa::{Hazard, Program};
use rorqual_engines::Task;
use rorqual_engines::ahead::Outcome as Searched;
use rorqual_evidence::{Answer, Assumption, Claim, Origin, Reason, Trace, Verdict, Violation};
use rorqual_interpreter::{Config, Outcome as Ran};
use rorqual_solver::{GaveUp, Limits};
use rorqual_source::Span;
use rorqual_strategy::{Judge, Judged, Strategy, beyond_undefined};
use rorqual_witness::replay_found;

use crate::clock::{Share, Timer};
use crate::outcome::{Conclusion, Proof, Refutation, Unknown};
use crate::project::UndefinedBehaviour;
use crate::settle::{Settled, settle};
use crate::strengthen::strengthen;

/// The search behind undefined behaviour, after a proof that rests on operations being defined.
const BEYOND: Share = Share { of_spent: 0.2, least: Duration::from_millis(500) };

/// What becomes of an answer whose evidence was checked.
pub(crate) struct Confirmed {
    pub(crate) conclusion: Conclusion,
    pub(crate) origin: Origin,
    /// Whether it is about the program without models of library functions.
    pub(crate) is_without_models: bool,
}

/// How evidence is checked.
pub(crate) struct Confirmation<'a> {
    /// For the search for undefined behaviour that a proof rests on; nothing is searched if there is none.
    pub(crate) settling: Option<Settling<'a>>,
    /// The program with models.
    pub(crate) searched: &'a Program,
}

/// What is needed to find out whether operations are defined that a proof rests on.
#[derive(Clone, Copy)]
pub(crate) struct Settling<'a> {
    pub(crate) strategy: &'a Strategy,
    pub(crate) behaviour: UndefinedBehaviour,
    /// Where violations were found already: undefined behaviour there is no news.
    pub(crate) reported: &'a [Span],
    /// The CPU time that there is for the whole check.
    pub(crate) time_limit: Option<Duration>,
}

impl Settling<'_> {
    /// Whether undefined behaviour is at a place where a violation was found.
    fn is_reported(&self, unknown: &Unknown) -> bool {
        matches!(unknown, Unknown::RestsOnUndefined { span, .. } if self.reported.contains(span))
    }
}

impl Judge for Confirmation<'_> {
    type Outcome = Confirmed;

    fn judge(&self, task: &Task<'_>, answer: Answer, limits: &Limits) -> Judged<Confirmed> {
        let conclusion = self.conclusion(task, answer.verdict, limits);
        let is_without_models = !std::ptr::eq(task.searched, self.searched);
        let is_open = matches!(conclusion, Conclusion::Unknown(_));
        let confirmed = Confirmed { conclusion, origin: answer.origin, is_without_models };
        if is_open { Judged::Open(confirmed) } else { Judged::Accepted(confirmed) }
    }

    fn prefer(&self, earlier: Confirmed, later: Confirmed) -> Confirmed {
        if weight(&later) >= weight(&earlier) { later } else { earlier }
    }
}

/// How much an open outcome says.
fn weight(confirmed: &Confirmed) -> u8 {
    match &confirmed.conclusion {
        Conclusion::Safe(_) | Conclusion::Unsafe(_) => 6,
        Conclusion::Unknown(unknown) => match unknown {
            Unknown::NotReplayed { .. } => 5,
            Unknown::RestsOnUndefined { .. } | Unknown::UndefinedBefore { .. } => 4,
            Unknown::Unconfirmed { .. } | Unknown::Approximated { .. } => 3,
            Unknown::Undecided(reason) => match reason {
                Reason::Unmodelled { .. } => 3,
                Reason::Unsupported { .. } | Reason::Limit(_) => 2,
                Reason::Bound { .. } | Reason::Solver(_) => 1,
                Reason::OutOfIdeas => 0,
            },
        },
    }
}

impl Confirmation<'_> {
    fn conclusion(&self, task: &Task<'_>, verdict: Verdict, limits: &Limits) -> Conclusion {
        match verdict {
            Verdict::Safe(claim) => self.proof(task, claim, limits),
            Verdict::Unsafe(violation) => refutation(task.program, &violation, limits),
            Verdict::Unknown(reason) => Conclusion::Unknown(Unknown::Undecided(reason)),
        }
    }

    fn proof(&self, task: &Task<'_>, mut claim: Claim, limits: &Limits) -> Conclusion {
        let (obligations, rests_on) = match certified(task.searched, &mut claim, limits) {
            Certified::Accepted { obligations, rests_on } => (obligations, rests_on),
            Certified::Rejected(rejection) => {
                let (obligation, reason) = (rejection.obligation, rejection.reason);
                return Conclusion::Unknown(Unknown::Unconfirmed { obligation, reason });
            }
            Certified::Unknown { reason, .. } => {
                return Conclusion::Unknown(Unknown::Undecided(match reason {
                    GaveUp::Time | GaveUp::Cancelled => Reason::Limit(reason),
                    _ => Reason::Solver(reason),
                }));
            }
        };
        let named = |&hazard: &Hazard| Assumption::defined(task.searched, hazard);
        let assumptions = rests_on.iter().map(named).collect();
        let proof = Proof { claim, obligations, assumptions, guard: None };
        match self.settling {
            Some(settling) if !rests_on.is_empty() => settled(settling, task, proof, &rests_on, limits),
            _ => Conclusion::Safe(Box::new(proof)),
        }
    }
}

/// What a proof is worth that rests on operations being defined.
fn settled(
    settling: Settling<'_>,
    task: &Task<'_>,
    proof: Proof,
    rests_on: &[Hazard],
    limits: &Limits,
) -> Conclusion {
    match settle(settling, task, rests_on, limits) {
        Settled::Proved(guard) => {
            let proof = Proof { assumptions: Vec::new(), guard: Some(*guard), ..proof };
            Conclusion::Safe(Box::new(proof))
        }
        Settled::Undefined(unknown) if settling.is_reported(&unknown) => Conclusion::Safe(Box::new(proof)),
        Settled::Undefined(unknown) if settling.behaviour == UndefinedBehaviour::Matters => {
            Conclusion::Unknown(*unknown)
        }
        Settled::Undefined(_) | Settled::Open => {
            let found = beyond(settling, task, limits).map(Violation::Trace);
            match found.map(|trace| refutation(task.program, &trace, limits)) {
                Some(undefined @ Conclusion::Unknown(Unknown::UndefinedBefore { .. })) => undefined,
                _ => Conclusion::Safe(Box::new(proof)),
            }
        }
    }
}

/// A violation among executions that go on behind undefined behaviour, as far as one is found in little time.
fn beyond(settling: Settling<'_>, task: &Task<'_>, limits: &Limits) -> Option<Trace> {
    let timer = Timer::start(BEYOND.time(settling.time_limit)?, limits);
    match beyond_undefined().search(task, &timer.limits(), &mut ()) {
        Searched::Violation(trace) => Some(trace),
        _ => None,
    }
}

/// Checks a claim; an invariant that is not accepted is strengthened once.
fn certified(program: &Program, claim: &mut Claim, limits: &Limits) -> Certified {
    let outcome = rorqual_certificate::check(program, claim, limits);
    let is_stronger = match claim {
        Claim::Invariant(invariant) if matches!(outcome, Certified::Rejected(_)) => strengthen(invariant),
        _ => false,
    };
    if !is_stronger {
        return outcome;
    }
    match rorqual_certificate::check(program, claim, limits) {
        accepted @ Certified::Accepted { .. } => accepted,
        _ => outcome,
    }
}

/// The settings of executions that end with the check.
pub(crate) fn interpreter(limits: &Limits) -> Config {
    let cancelled: Option<Arc<AtomicBool>> = limits.cancellation().cloned();
    Config { cancelled, ..Config::default() }
}

/// What a violation is worth: it is replayed.
pub(crate) fn refutation(program: &Program, violation: &Violation, limits: &Limits) -> Conclusion {
    let replay = replay_found(program, violation, &interpreter(limits));
    if replay.violation().is_some() {
        return Conclusion::Unsafe(Refutation { replay: Box::new(replay) });
    }
    let approximation = match violation {
        Violation::Trace(trace) => trace.approximations.first(),
        Violation::Inputs(_) => None,
    };
    Conclusion::Unknown(match (&replay.execution.outcome, approximation) {
        (Ran::Undefined { kind, span }, _) => Unknown::UndefinedBefore { kind: kind.clone(), span: *span },
        (Ran::Unsupported { construct, span }, _) => {
            Unknown::Undecided(Reason::Unsupported { construct: construct.clone(), span: *span })
        }
        (Ran::Unmodelled { function, span }, _) => {
            Unknown::Undecided(Reason::Unmodelled { function: function.clone(), span: *span })
        }
        (Ran::Cancelled { .. }, _) => Unknown::Undecided(Reason::Limit(GaveUp::Cancelled)),
        (_, Some((what, span))) => Unknown::Approximated { what: what.clone(), span: *span },
        _ => Unknown::NotReplayed { execution: Box::new(replay), dump: format!("{violation:#?}") },
    })
}
