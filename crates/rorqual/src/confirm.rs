//! Evidence is checked: a proof counts only once the checker has proved it again, a violation only once it was replayed.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rorqual_certificate::{Guard, Outcome as Certified, Premises, Refutations, check_again, check_with};
use rorqual_cfa::{Hazard, Instance, Program};
use rorqual_engines::Task;
use rorqual_engines::ahead::Outcome as Searched;
use rorqual_evidence::{Answer, Assumption, Claim, Origin, Reason, Trace, Verdict, Violation};
use rorqual_interpreter::{Config, Outcome as Ran};
use rorqual_solver::proof::Transcript;
use rorqual_solver::{GaveUp, Limits};
use rorqual_source::Span;
use rorqual_store::Adapted;
use rorqual_strategy::{Judge, Judged, Strategy, beyond_undefined};
use rorqual_witness::replay_found;

use crate::clock::{Share, Timer, cpu_time};
use crate::outcome::{Attempt, Conclusion, Proof, Refutation, Unknown};
use crate::project::UndefinedBehaviour;
use crate::settle::{ROUNDS, Settled, settle};
use crate::strengthen::strengthen;

/// The search behind undefined behaviour, after a proof that rests on operations being defined.
const BEYOND: Share = Share { of_spent: 0.2, least: Duration::from_millis(500) };

/// The check of an earlier version's second proof: less than the search for a new one.
const EARLIER_SECOND: Share = Share { of_spent: 0.1, least: Duration::from_millis(300) };

/// The search for a proof that does not rest on undefined behaviour, after one that does.
const OTHER_PROOFS: Share = Share { of_spent: 0.5, least: Duration::from_secs(1) };

/// What becomes of an answer whose evidence was checked.
pub(crate) struct Confirmed {
    pub(crate) conclusion: Conclusion,
    /// With a violation: others that were replayed, each of another property.
    pub(crate) further: Vec<Refutation>,
    /// Properties about which nothing is said whatever the conclusion is, as they would have kept others from an answer.
    pub(crate) later: Vec<Instance>,
    /// Without a verdict: the properties that it is for, if the others may have one without these.
    pub(crate) beyond: Vec<Instance>,
    /// Without a verdict: what was tried.
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) origin: Origin,
    /// Whether it is about the program without models of library functions.
    pub(crate) is_without_models: bool,
}

/// What an earlier check of the same proof has left.
#[derive(Default)]
pub(crate) struct Earlier {
    /// A proof of what the proof rests on.
    pub(crate) second: Option<Second>,
    /// The refutations.
    pub(crate) refutations: Vec<Transcript>,
}

/// A second proof, of what the first one rests on.
pub(crate) enum Second {
    /// Of certain operations.
    Proof(Box<Guard>),
    /// That of an earlier version, which does not say what the first one rests on in this one.
    Earlier(Adapted),
}

/// How evidence is checked.
pub(crate) struct Confirmation<'a> {
    /// For the search for undefined behaviour that a proof rests on; nothing is searched if there is none.
    settling: Option<Settling<'a>>,
    /// The program with models.
    searched: &'a Program,
    /// Whether refutations are kept with proofs.
    keeps: bool,
    begin: Instant,
    attempts: Mutex<Vec<Attempt>>,
}

thread_local! {
    /// When the attempt that this thread makes began, unless it is its first.
    static BEGIN: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl<'a> Confirmation<'a> {
    /// From now on, what is tried is noted.
    pub(crate) fn new(settling: Option<Settling<'a>>, searched: &'a Program) -> Confirmation<'a> {
        BEGIN.set(None);
        Confirmation { settling, searched, keeps: false, begin: Instant::now(), attempts: Mutex::default() }
    }

    /// Refutations are kept with proofs if something is.
    pub(crate) fn keeping(self, keeps: bool) -> Confirmation<'a> {
        Confirmation { keeps, ..self }
    }

    /// What was tried in vain so far, each technique once.
    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes an attempt that has ended just now.
    fn note(&self, origin: Origin, conclusion: &Conclusion) {
        let reason = match conclusion {
            Conclusion::Unknown(Unknown::Undecided(reason)) => Some(reason.clone()),
            _ => None,
        };
        let now = Instant::now();
        let time = now - BEGIN.replace(Some(now)).unwrap_or(self.begin);
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        match attempts.iter_mut().find(|attempt| attempt.origin == origin) {
            Some(known) => *known = Attempt { origin, time: known.time + time, reason },
            None => attempts.push(Attempt { origin, time, reason }),
        }
    }
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
    /// Ends the search for this answer.
    pub(crate) timer: &'a Timer,
}

impl Settling<'_> {
    /// Whether it is known that operations are undefined in some executions.
    fn are_reported(&self, program: &Program, hazards: &[Hazard]) -> bool {
        hazards.iter().all(|hazard| self.is_reported_at(hazard.span(program)))
    }

    /// Whether a violation was found at a place, or at a part of what is there: the index of an access.
    fn is_reported_at(&self, span: Span) -> bool {
        let is_inside = |inner: Span, outer: Span| {
            inner.file() == outer.file() && inner.start() >= outer.start() && inner.end() <= outer.end()
        };
        self.reported.iter().any(|&known| is_inside(known, span) || is_inside(span, known))
    }

    /// Whether undefined behaviour is at a place where a violation was found.
    fn is_reported(&self, unknown: &Unknown) -> bool {
        matches!(unknown, Unknown::RestsOnUndefined { span, .. } if self.is_reported_at(*span))
    }
}

impl Judge for Confirmation<'_> {
    type Outcome = Confirmed;

    fn judge(&self, task: &Task<'_>, answer: Answer, limits: &Limits) -> Judged<Confirmed> {
        let confirmed = self.confirm(task, answer, Earlier::default(), limits);
        let is_open = matches!(confirmed.conclusion, Conclusion::Unknown(_));
        if is_open { Judged::Open(confirmed) } else { Judged::Accepted(confirmed) }
    }

    fn prefer(&self, earlier: Confirmed, later: Confirmed) -> Confirmed {
        if weight(&later) >= weight(&earlier) { later } else { earlier }
    }
}

impl Confirmation<'_> {
    /// Checks the evidence of an answer.
    pub(crate) fn confirm(
        &self,
        task: &Task<'_>,
        answer: Answer,
        earlier: Earlier,
        limits: &Limits,
    ) -> Confirmed {
        let mut conclusion = self.conclusion(task, answer.verdict, earlier, limits);
        let mut further: Vec<Refutation> = Vec::new();
        for violation in &answer.further {
            let Conclusion::Unsafe(another) = refutation(task.program, violation, limits) else { continue };
            let known = [&conclusion].into_iter().filter_map(Conclusion::refutation).chain(&further);
            if !known.map(Refutation::instance).any(|known| known == another.instance()) {
                further.push(another);
            }
        }
        if matches!(conclusion, Conclusion::Unknown(_)) && !further.is_empty() {
            conclusion = Conclusion::Unsafe(further.remove(0));
        }
        self.note(answer.origin, &conclusion);
        // Where undefined behaviour happens that a proof rests on, others will probably rest on it too.
        if let (Conclusion::Unknown(Unknown::RestsOnUndefined { .. }), Some(settling)) =
            (&conclusion, self.settling)
        {
            settling.timer.shorten(OTHER_PROOFS.time(settling.time_limit).unwrap_or_default());
        }
        let is_without_models = !std::ptr::eq(task.searched, self.searched);
        let Answer { later, beyond, origin, .. } = answer;
        Confirmed { conclusion, further, later, beyond, attempts: Vec::new(), origin, is_without_models }
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
    fn conclusion(&self, task: &Task<'_>, verdict: Verdict, earlier: Earlier, limits: &Limits) -> Conclusion {
        match verdict {
            Verdict::Safe(claim) => self.proof(task, claim, earlier, limits),
            Verdict::Unsafe(violation) => refutation(task.program, &violation, limits),
            Verdict::Unknown(reason) => Conclusion::Unknown(Unknown::Undecided(reason)),
        }
    }

    fn proof(&self, task: &Task<'_>, mut claim: Claim, earlier: Earlier, limits: &Limits) -> Conclusion {
        let (begin, spent) = (Instant::now(), cpu_time());
        let Earlier { second, refutations } = earlier;
        let mut refutations = if refutations.is_empty() && self.keeps {
            Refutations::to_keep()
        } else {
            Refutations::of(refutations)
        };
        let (obligations, rests_on) = match certified(task.searched, &mut claim, limits, &mut refutations) {
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
        let checked_in = begin.elapsed().min(cpu_time().saturating_sub(spent));
        let refutations = refutations.kept();
        let proof = Proof { claim, obligations, assumptions, guard: None, checked_in, refutations };
        let Some(settling) = self.settling.filter(|_| !rests_on.is_empty()) else {
            return Conclusion::Safe(Box::new(proof));
        };
        let limits = &settling.timer.limits();
        let second = second.and_then(|second| match second {
            Second::Proof(guard) => is_proved(task, &guard, &rests_on, limits).then_some(*guard),
            Second::Earlier(adapted) => {
                let timer = Timer::start(EARLIER_SECOND.time(settling.time_limit)?, limits);
                guard_of_earlier(task, &adapted, &rests_on, &timer.limits())
            }
        });
        match second {
            Some(second) => {
                let proof = Proof { assumptions: Vec::new(), guard: Some(second), ..proof };
                Conclusion::Safe(Box::new(proof))
            }
            None => settled(settling, task, proof, &rests_on, limits),
        }
    }
}

/// Whether a second proof shows that all operations are defined that a first one rests on.
fn is_proved(task: &Task<'_>, second: &Guard, rests_on: &[Hazard], limits: &Limits) -> bool {
    let guarded = Guard::program(task.searched, &second.hazards);
    let premises = Premises::Exactly(&second.hazards);
    second.is_enough()
        && rests_on.iter().all(|hazard| second.hazards.contains(hazard))
        && matches!(
            check_with(&guarded, &second.claim, premises, limits, &mut ()),
            Certified::Accepted { .. }
        )
}

/// The second proof of an earlier version, as one for what the first proof rests on now. If it rests on other operations itself, it
/// has to show that these are defined too.
fn guard_of_earlier(
    task: &Task<'_>,
    adapted: &Adapted,
    rests_on: &[Hazard],
    limits: &Limits,
) -> Option<Guard> {
    let mut hazards: BTreeSet<Hazard> = rests_on.iter().copied().collect();
    for _ in 0..ROUNDS {
        let named: Vec<Hazard> = hazards.iter().copied().collect();
        let names: Vec<String> = named.iter().map(|hazard| hazard.name(task.searched)).collect();
        let text = adapted.guarding(&names)?;
        let guard = rorqual_certificate::parse(task.searched, &text).ok()?.guard?;
        let guarded = Guard::program(task.searched, &named);
        match check_with(&guarded, &guard.claim, Premises::AtLeast(&named), limits, &mut ()) {
            Certified::Accepted { rests_on, .. } if rests_on == named => {
                return guard.is_enough().then_some(guard);
            }
            Certified::Accepted { rests_on, .. } => hazards.extend(rests_on),
            Certified::Rejected(_) | Certified::Unknown { .. } => return None,
        }
    }
    None
}

/// What a proof is worth that rests on operations being defined.
fn settled(
    settling: Settling<'_>,
    task: &Task<'_>,
    proof: Proof,
    rests_on: &[Hazard],
    limits: &Limits,
) -> Conclusion {
    if settling.are_reported(task.searched, rests_on) {
        return Conclusion::Safe(Box::new(proof));
    }
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
fn certified(
    program: &Program,
    claim: &mut Claim,
    limits: &Limits,
    refutations: &mut Refutations,
) -> Certified {
    let least = Premises::AtLeast(&[]);
    let outcome = check_again(program, claim, least, limits, &mut (), refutations);
    let is_stronger = match claim {
        Claim::Invariant(invariant) if matches!(outcome, Certified::Rejected(_)) => strengthen(invariant),
        _ => false,
    };
    if !is_stronger {
        return outcome;
    }
    *refutations = if refutations.keeps() { Refutations::to_keep() } else { Refutations::default() };
    match check_again(program, claim, least, limits, &mut (), refutations) {
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
