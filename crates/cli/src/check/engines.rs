//! Which engines run, in which order.

use rorqual_cfa::Program;
use rorqual_engine::{Reason, Trace, Verdict};
use rorqual_engines::{Undefined, bmc, impact, whale};
use rorqual_solver::Limits;

use super::arguments::Engine;
use super::progress::Progress;

/// The short search of `auto` before proofs are tried: most bugs are shallow.
const SHORT: bmc::Config =
    bmc::Config { steps: Some(24), size: 200_000, queries: usize::MAX, undefined: Undefined::EndsEarly };
/// The conflicts that a query of the short search may take.
const SHORT_CONFLICTS: u32 = 1_000;

/// A short search for a violation among executions that go on after undefined behaviour. What it finds counts at once;
/// that it finds nothing says nothing.
pub(crate) fn search_beyond_undefined(
    program: &Program,
    limits: &Limits,
    progress: &mut Progress,
) -> Option<Trace> {
    let config = bmc::Config { undefined: Undefined::GoesOn, ..SHORT };
    let short = limits.clone().with_conflicts(SHORT_CONFLICTS);
    match bmc::search(program, config, &short, progress) {
        bmc::Outcome::Violation(trace) => Some(trace),
        _ => None,
    }
}

/// A proof that leaves out what is in memory, if the engine tries that and finds one.
pub(crate) fn outline(
    program: &Program,
    engine: Engine,
    limits: &Limits,
    progress: &mut Progress,
) -> Option<Verdict> {
    let is_tried = matches!(engine, Engine::Impact | Engine::Auto);
    is_tried.then(|| impact::prove_outline(program, impact::Config::default(), limits, progress))?
}

/// Runs the engine.
pub(crate) fn run(
    program: &Program,
    engine: Engine,
    summaries: whale::Config,
    limits: &Limits,
    progress: &mut Progress,
) -> Verdict {
    let config = impact::Config::default();
    let prove = |progress: &mut Progress| impact::check(program, config, limits, progress);
    let summarize = |progress: &mut Progress| whale::check(program, summaries, limits, progress);
    match engine {
        Engine::Impact => prove(progress),
        Engine::Whale => summarize(progress),
        Engine::Auto => {
            // What calls itself through pointers at most may not do so in any execution, and then need not be summarized.
            if whale::is_recursive(program)
                && let verdict = summarize(progress)
                && !matches!(verdict, Verdict::Unknown(Reason::Unsupported { .. }))
            {
                return verdict;
            }
            let short = limits.clone().with_conflicts(SHORT_CONFLICTS);
            match bmc::search(program, SHORT, &short, progress) {
                bmc::Outcome::Violation(trace) => Verdict::Unsafe(trace),
                _ => prove(progress),
            }
        }
        Engine::Bmc => match bmc::search(program, bmc::Config::default(), limits, progress) {
            bmc::Outcome::Violation(trace) => Verdict::Unsafe(trace),
            // All executions end; the invariant that says so comes from refuting the same executions.
            bmc::Outcome::Exhausted => prove(progress),
            bmc::Outcome::Bound(steps, span) => Verdict::Unknown(Reason::Bound { steps, span }),
            bmc::Outcome::Unsupported(obstacle) => {
                Verdict::Unknown(Reason::Unsupported { construct: obstacle.construct, span: obstacle.span })
            }
            bmc::Outcome::Stopped(stop) => stop.into(),
        },
    }
}
