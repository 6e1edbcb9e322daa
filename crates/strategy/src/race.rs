//! Races: several strategies at the same time, each on a thread of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rorqual_engines::Task;
use rorqual_evidence::{Event, Observer};
use rorqual_solver::Limits;

use crate::judge::{Judge, Judged};
use crate::strategy::{Part, Run, Strategy};

/// How often is looked whether the race has to end.
const PERIOD: Duration = Duration::from_millis(5);
/// Searches follow the nesting of terms, which may be deep.
const STACK_BYTES: usize = 1 << 30;

/// How long racers other than the first may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ration {
    /// Until the race is over.
    Unlimited,
    /// For this time: they are worth no more than that, and what they do costs CPU time too.
    Time(Duration),
}

/// Runs strategies on as many threads as there are; without a second thread, one after the other. The first accepted
/// outcome ends the race. Which one that is may differ from run to run where several find one; whatever one finds, it finds
/// every time.
pub(crate) fn run<J: Judge>(
    parts: &[Part],
    ration: Ration,
    run: &mut Run<'_, J>,
    task: &Task<'_>,
) -> Option<Judged<J::Outcome>> {
    let tried = parts.iter().filter(|part| part.when.holds(task, run.is_tested));
    let strategies: Vec<&Strategy> = tried.map(|part| &part.what).collect();
    let mut open: Option<J::Outcome> = None;
    for heat in strategies.chunks(run.threads.max(1)) {
        let judged = if let [one] = heat { one.run(run, task) } else { race(heat, ration, run, task) };
        match judged {
            Some(Judged::Open(outcome)) => {
                open = Some(match open {
                    Some(earlier) => run.judge.prefer(earlier, outcome),
                    None => outcome,
                });
            }
            accepted @ Some(Judged::Accepted(_)) => return accepted,
            None => {}
        }
        if run.limits.spent().is_some() {
            break;
        }
    }
    open.map(Judged::Open)
}

fn race<J: Judge>(
    heat: &[&Strategy],
    ration: Ration,
    run: &mut Run<'_, J>,
    task: &Task<'_>,
) -> Option<Judged<J::Outcome>> {
    let is_over = Arc::new(AtomicBool::new(false));
    let finished: Mutex<Vec<Option<Judged<J::Outcome>>>> = Mutex::new(Vec::new());
    let (judge, is_tested, only_proofs) = (run.judge, run.is_tested, run.only_proofs);
    let (time, end) = (run.time, run.end);
    let limits = run.limits;
    let observer: &mut (dyn Observer + Send) = &mut *run.observer;
    let observer = Mutex::new(observer);
    std::thread::scope(|scope| {
        for (number, strategy) in heat.iter().enumerate() {
            let seed = task.seed();
            let (is_over, finished, observer) = (is_over.clone(), &finished, &observer);
            let work = move || {
                let mut limits = Limits::none().with_cancellation(is_over.clone());
                if let (Ration::Time(time), true) = (ration, number > 0) {
                    limits = limits.with_duration(time);
                }
                let mut shared = Shared(observer);
                let (limits, observer) = (&limits, &mut shared);
                let mut run = Run { judge, limits, observer, threads: 1, is_tested, only_proofs, time, end };
                let judged = strategy.run(&mut run, &seed.task());
                let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
                if matches!(judged, Some(Judged::Accepted(_))) {
                    is_over.store(true, Ordering::SeqCst);
                }
                finished.push(judged);
            };
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            if thread.spawn_scoped(scope, work).is_err() {
                // Without memory for a stack there is one racer less.
                finished.lock().unwrap_or_else(PoisonError::into_inner).push(None);
            }
        }
        while finished.lock().unwrap_or_else(PoisonError::into_inner).len() < heat.len() {
            if limits.spent().is_some() {
                is_over.store(true, Ordering::SeqCst);
            }
            std::thread::sleep(PERIOD);
        }
    });
    best(judge, finished.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The accepted outcome, or else the open one that says most.
fn best<J: Judge>(judge: &J, finished: Vec<Option<Judged<J::Outcome>>>) -> Option<Judged<J::Outcome>> {
    let mut open: Option<J::Outcome> = None;
    for judged in finished.into_iter().flatten() {
        match judged {
            accepted @ Judged::Accepted(_) => return Some(accepted),
            Judged::Open(outcome) => {
                open = Some(match open {
                    Some(earlier) => judge.prefer(earlier, outcome),
                    None => outcome,
                });
            }
        }
    }
    open.map(Judged::Open)
}

/// An observer that several threads report to.
struct Shared<'a, 'o>(&'a Mutex<&'o mut (dyn Observer + Send)>);

impl Observer for Shared<'_, '_> {
    fn on(&mut self, event: Event) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).on(event);
    }
}
