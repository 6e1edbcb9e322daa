//! What becomes of a proof that rests on operations being defined: the program is searched for an execution in which one
//! of them is not. Without one the proof holds unconditionally, with one it proves nothing, and where that is not decided
//! the verdict names the operations.

use std::collections::BTreeSet;
use std::time::Duration;

use rorqual_certificate::{Guard, Outcome as Certified, Premises, check_with};
use rorqual_cfa::{Hazard, Program, guard};
use rorqual_engine::Verdict;
use rorqual_engines::testing;
use rorqual_interpreter::Outcome;
use rorqual_witness::{Replay, explain, replay_inputs, replay_trace};

use super::engines;
use super::progress::Progress;
use super::rounds::Search;
use super::timer::Timer;
use super::verdict::Answer;

/// The search may take so much of the time that the first proof took, and at least so long.
const SHARE: f64 = 0.25;
const LEAST: Duration = Duration::from_secs(1);
/// A proof that operations are defined may rest on others, which are then searched for too, so often.
const ROUNDS: usize = 3;

/// What came out.
pub(crate) enum Settled {
    /// The operations are defined whenever they are executed.
    Proved(Box<Guard>),
    /// One is not, or something else is undefined before.
    Undefined(Box<Answer>),
    /// It is not decided.
    Open,
}

impl Search<'_> {
    /// Searches for executions of a program in which an operation is undefined that a proof rests on. `program` is what
    /// runs, and `searched` what the proof is about.
    pub(crate) fn settle(
        &self,
        program: &Program,
        searched: &Program,
        rests_on: &[Hazard],
        progress: &mut Progress,
    ) -> Settled {
        let Some(time) = self.time_for(SHARE, LEAST) else { return Settled::Open };
        let timer = Timer::start(time, self.watch);
        let timed = Search { limits: &timer.limits(), ..*self };
        let mut hazards: BTreeSet<Hazard> = rests_on.iter().copied().collect();
        if let Some(undefined) = timed.run_into(program, &hazards, progress) {
            return Settled::Undefined(undefined);
        }
        for _ in 0..ROUNDS {
            let guarded = guard(searched.clone(), &hazards);
            let outline = engines::outline(&guarded, self.engine, timed.limits, progress);
            let verdict = outline.unwrap_or_else(|| {
                engines::run(&guarded, self.engine, self.summaries, timed.limits, progress)
            });
            let invariant = match verdict {
                Verdict::Safe(invariant) => invariant,
                Verdict::Unsafe(trace) => {
                    let replay = replay_trace(program, &trace, &self.watch.interpreter());
                    return undefined(program, &replay).map_or(Settled::Open, Settled::Undefined);
                }
                Verdict::Unknown(_) => return Settled::Open,
            };
            let named: Vec<Hazard> = hazards.iter().copied().collect();
            let premises = Premises::AtLeast(&named);
            match check_with(&guarded, &invariant, premises, timed.limits, &mut ()) {
                Certified::Accepted { rests_on, .. } if rests_on == named => {
                    let guard = Box::new(Guard { hazards: named, invariant });
                    return if guard.is_enough() { Settled::Proved(guard) } else { Settled::Open };
                }
                Certified::Accepted { rests_on, .. } => hazards.extend(rests_on),
                _ => return Settled::Open,
            }
        }
        Settled::Open
    }

    /// A test run that comes to an operation that is undefined.
    fn run_into(
        &self,
        program: &Program,
        hazards: &BTreeSet<Hazard>,
        progress: &mut Progress,
    ) -> Option<Box<Answer>> {
        if !self.engine.starts_with_test_runs() {
            return None;
        }
        let guarded = guard(program.clone(), hazards);
        let inputs = testing::search(&guarded, self.limits, progress)?;
        undefined(program, &replay_inputs(program, inputs, &self.watch.interpreter()))
    }
}

/// What is said of an execution that ends with undefined behaviour.
fn undefined(program: &Program, replay: &Replay) -> Option<Box<Answer>> {
    let Outcome::Undefined { kind, span } = &replay.execution.outcome else { return None };
    let story = explain(program, replay);
    Some(Box::new(Answer::RestsOnUndefined { kind: kind.to_string(), span: *span, story }))
}
