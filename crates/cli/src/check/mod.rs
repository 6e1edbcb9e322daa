//! `check`: from a program to a verdict with its evidence.

pub(crate) mod arguments;
mod engines;
mod evidence;
mod json;
mod progress;
mod verdict;
mod watch;

use rorqual_certificate::Outcome as Certified;
use rorqual_cfa::Program;
use rorqual_engine::{Reason, Trace, Verdict};
use rorqual_interpreter::{Config, Outcome};
use rorqual_solver::{GaveUp, Limits};
use rorqual_witness::replay_trace;

use crate::console;
use crate::exit::{Problem, Status, complain};
use crate::host::System;
use crate::programs::Job;
use arguments::{Check, ResultFormat};
use progress::Progress;
use verdict::Answer;
use watch::{Bounds, Watch};

/// Checks a program.
pub(crate) fn check(arguments: &Check) -> Result<Status, Problem> {
    let bounds = Bounds { cpu_time: arguments.time_limit, memory: arguments.memory_limit };
    let last = (arguments.engine, bounds);
    let watch = Watch::start(bounds, move |cause| verdict::last_words(last.0, last.1, cause));
    let host = System::default();
    let job = Job::from_arguments(&arguments.sources, &host)?;
    let program = job.lower(&host)?;
    let limits = Limits::none().with_cancellation(watch.raised.clone());
    let mut progress = Progress::new();
    let verdict = engines::run(&program, arguments.engine, &limits, &mut progress);
    let mut answer = confirm(&program, verdict, &limits, &watch);
    if let Answer::Safe { .. } = answer
        && let Some(trace) = engines::search_beyond_undefined(&program, &limits, &mut progress)
        && let undefined @ Answer::UndefinedBefore { .. } = replay(&program, trace, &watch)
    {
        // The proof holds for executions without undefined behaviour only, and there are others with a violation.
        answer = undefined;
    }
    progress.finish();
    watch.tell();
    report(arguments, &job, &program, &answer, &progress, &watch)
}

/// A proof counts only once the checker, which shares nothing with the engines, has proved it again; a violation only
/// once its trace has been replayed.
fn confirm(program: &Program, verdict: Verdict, limits: &Limits, watch: &Watch) -> Answer {
    match verdict {
        Verdict::Safe(invariant) => match rorqual_certificate::check(program, &invariant, limits) {
            Certified::Accepted { obligations } => Answer::Safe { invariant, obligations },
            Certified::Rejected(rejection) => {
                Answer::Unconfirmed { obligation: rejection.obligation, reason: rejection.reason }
            }
            Certified::Unknown { reason, .. } => Answer::Unknown(match reason {
                GaveUp::Time | GaveUp::Cancelled => Reason::Limit(reason),
                _ => Reason::Solver(reason),
            }),
        },
        Verdict::Unknown(reason) => Answer::Unknown(reason),
        Verdict::Unsafe(trace) => replay(program, trace, watch),
    }
}

fn replay(program: &Program, trace: Trace, watch: &Watch) -> Answer {
    let config = Config { cancelled: Some(watch.raised.clone()), ..Config::default() };
    let replay = replay_trace(program, &trace, &config);
    if replay.violation().is_some() {
        return Answer::Unsafe(Box::new(replay));
    }
    match &replay.execution.outcome {
        Outcome::Undefined { kind, span } => Answer::UndefinedBefore { kind: kind.to_string(), span: *span },
        Outcome::Unsupported { construct, span } => {
            Answer::Unknown(Reason::Unsupported { construct: construct.clone(), span: *span })
        }
        Outcome::Cancelled { .. } => Answer::Unknown(Reason::Limit(GaveUp::Cancelled)),
        _ if !trace.approximations.is_empty() => Answer::Approximated(trace),
        outcome => Answer::NotReplayed {
            problem: crate::replay::reason(program, outcome),
            dump: format!("{trace:#?}"),
        },
    }
}

fn report(
    arguments: &Check,
    job: &Job,
    program: &Program,
    answer: &Answer,
    progress: &Progress,
    watch: &Watch,
) -> Result<Status, Problem> {
    let counters = &progress.counters;
    let limited = verdict::Circumstances { arguments, program, counters, cause: watch.cause() };
    let (line, status) = limited.first_line(answer);
    let mut output = format!("{line}\n");
    if arguments.format == ResultFormat::Json {
        output += &json::result(&limited, &line, answer);
    }
    match answer {
        Answer::Safe { invariant, .. } => evidence::of_proof(arguments, job, program, invariant)?,
        Answer::Unsafe(replay) => evidence::of_violation(arguments, job, program, replay)?,
        _ => {}
    }
    console::print(output.as_bytes())?;
    if arguments.format == ResultFormat::Human {
        complain(&limited.details(answer));
    }
    if arguments.stats {
        complain(&limited.statistics());
    }
    Ok(status)
}
