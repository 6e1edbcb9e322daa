//! What becomes of a proof that rests on operations being defined: the program is searched for an execution in which one
//! of them is not. Without one the proof holds unconditionally, with one it proves nothing, and where that is not decided
//! the verdict names the operations.

use std::collections::BTreeSet;
use std::time::Duration;

use rorqual_certificate::{Guard, Outcome as Certified, Premises, check_with};
use rorqual_cfa::{Hazard, Program, guard};
use rorqual_engines::Task;
use rorqual_evidence::{Answer, Claim, Verdict};
use rorqual_interpreter::Outcome;
use rorqual_solver::Limits;
use rorqual_strategy::{Judge, Judged, Run};
use rorqual_witness::{explain, replay_found};

use crate::clock::{Share, Timer};
use crate::confirm::{Settling, interpreter};
use crate::outcome::Unknown;

/// The search, after the first proof.
const SETTLING: Share = Share { of_spent: 0.25, least: Duration::from_secs(1) };
/// A proof that operations are defined may rest on others, which are then searched for too: so often.
pub(crate) const ROUNDS: usize = 3;

/// What came out.
pub(crate) enum Settled {
    /// The operations are defined whenever they are executed.
    Proved(Box<Guard>),
    /// One is not, or something else is undefined before.
    Undefined(Box<Unknown>),
    /// It is not decided.
    Open,
}

/// Searches for executions of a task in which an operation is undefined that a proof rests on.
pub(crate) fn settle(
    settling: Settling<'_>,
    task: &Task<'_>,
    rests_on: &[Hazard],
    limits: &Limits,
) -> Settled {
    let Some(time) = SETTLING.time(settling.time_limit) else { return Settled::Open };
    let timer = Timer::start(time, limits);
    let limits = &timer.limits();
    let mut hazards: BTreeSet<Hazard> = rests_on.iter().copied().collect();
    for round in 0..ROUNDS {
        let program = guard(task.program.clone(), &hazards);
        let searched = guard(task.searched.clone(), &hazards);
        let guarded = Task::searching(&program, &searched);
        let named: Vec<Hazard> = hazards.iter().copied().collect();
        let judge = Guarding { program: task.program, named: &named };
        let observer = &mut ();
        let mut run = Run {
            judge: &judge,
            limits,
            observer,
            threads: 1,
            is_tested: round > 0,
            only_proofs: false,
            time: Some(time),
            end: None,
        };
        match settling.strategy.run(&mut run, &guarded) {
            Some(Judged::Accepted(Found::Undefined(unknown))) => {
                return Settled::Undefined(Box::new(unknown));
            }
            Some(Judged::Accepted(Found::Proof(claim, rests_on))) if rests_on == named => {
                let guard = Box::new(Guard { hazards: named, claim });
                return if guard.is_enough() { Settled::Proved(guard) } else { Settled::Open };
            }
            Some(Judged::Accepted(Found::Proof(_, rests_on))) => hazards.extend(rests_on),
            Some(Judged::Accepted(Found::Nothing) | Judged::Open(_)) | None => return Settled::Open,
        }
    }
    Settled::Open
}

/// What a search for undefined operations finds.
enum Found {
    /// A proof that they are defined, and what it rests on.
    Proof(Claim, Vec<Hazard>),
    /// An execution in which one is not.
    Undefined(Unknown),
    Nothing,
}

/// Looks at the evidence of answers about whether operations are defined.
struct Guarding<'a> {
    /// The program without guards.
    program: &'a Program,
    named: &'a [Hazard],
}

impl Judge for Guarding<'_> {
    type Outcome = Found;

    fn judge(&self, task: &Task<'_>, answer: Answer, limits: &Limits) -> Judged<Found> {
        match answer.verdict {
            Verdict::Safe(claim) => {
                let premises = Premises::AtLeast(self.named);
                match check_with(task.searched, &claim, premises, limits, &mut ()) {
                    Certified::Accepted { rests_on, .. } => Judged::Accepted(Found::Proof(claim, rests_on)),
                    _ => Judged::Open(Found::Nothing),
                }
            }
            Verdict::Unsafe(violation) => {
                let replay = replay_found(self.program, &violation, &interpreter(limits));
                let Outcome::Undefined { kind, span } = &replay.execution.outcome else {
                    return Judged::Open(Found::Nothing);
                };
                let story = explain(self.program, &replay);
                let unknown = Unknown::RestsOnUndefined { kind: kind.clone(), span: *span, story };
                Judged::Accepted(Found::Undefined(unknown))
            }
            Verdict::Unknown(_) => Judged::Open(Found::Nothing),
        }
    }

    fn prefer(&self, _: Found, later: Found) -> Found {
        later
    }
}
