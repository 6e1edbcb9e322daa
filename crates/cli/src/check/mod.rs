//! `check`: from a program to a verdict with its evidence.

pub(crate) mod arguments;
mod engines;
mod evidence;
mod json;
mod names;
mod progress;
mod rounds;
mod settle;
mod strengthen;
mod table;
mod timer;
mod verdict;
mod watch;

use std::fmt::Write;

use rorqual_certificate::Outcome as Certified;
use rorqual_cfa::{Check, Program};
use rorqual_engine::{Assumption, Invariant, Reason, Trace, Verdict, assumptions_text};
use rorqual_interpreter::Outcome;
use rorqual_solver::{GaveUp, Limits};
use rorqual_source::Span;
use rorqual_witness::replay_trace;

use crate::exit::{Problem, Status, complain};
use crate::host::System;
use crate::programs::{Job, is_yaml};
use arguments::{CheckArguments, ResultFormat};
use progress::Progress;
use rounds::{Outlines, Reached, Round, Search, Undefined, violated};
use strengthen::strengthen;
use verdict::{Answer, Circumstances};
use watch::{Bounds, Watch};

/// Checks a program.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Status, Problem> {
    let Searched { job, results, progress, watch } = search(arguments)?;
    let status = report(arguments, &job, &results, &progress, &watch);
    // The process ends now. Taking large programs and proofs apart would only cost time.
    std::mem::forget((job, results));
    status
}

/// Proves a program, and prints what its functions and loops require and ensure.
pub(crate) fn show_summaries(arguments: &CheckArguments) -> Result<Status, Problem> {
    let Searched { results, progress, watch, .. } = search(arguments)?;
    let round = results.decisive();
    let about = results.circumstances(arguments, round, &progress, &watch);
    if let Answer::Safe { invariant, .. } = &round.answer {
        watch.tell(&about.summaries(invariant), Status::Success)?;
        return Ok(Status::Success);
    }
    let (line, status) = about.first_line();
    complain(&format!("{line}\n  = note: only programs that are proved have summaries\n"));
    Ok(status)
}

/// What a search has found.
struct Searched {
    job: Job,
    results: Results,
    progress: Progress,
    watch: Watch,
}

fn search(arguments: &CheckArguments) -> Result<Searched, Problem> {
    let bounds = Bounds { cpu_time: arguments.time_limit, memory: arguments.memory_limit };
    let last = (arguments.engine, bounds);
    let watch = Watch::start(bounds, move |cause| verdict::last_words(last.0, last.1, cause));
    let host = System::default();
    let job = Job::from_arguments(&arguments.sources, &host)?.with_models();
    let limits = Limits::none().with_cancellation(watch.raised.clone());
    let mut progress = Progress::new();
    let is_task = arguments.sources.files.iter().any(|file| is_yaml(file));
    let search = Search {
        engine: arguments.engine,
        summaries: arguments.whale(),
        limits: &limits,
        time_limit: arguments.time_limit,
        undefined: if is_task { Undefined::DoesNotCount } else { Undefined::Matters },
        outlines: Outlines::EachSearch,
        watch: &watch,
    };
    let (base, rounds) = answers(&job, &host, &search, &mut progress)?;
    let wants_reached = job.checks.contains(&Check::UnreachableCode);
    let reached = if wants_reached { search.reached(&base, &mut progress) } else { Vec::new() };
    let is_safe = rounds.iter().all(|round| matches!(round.answer, Answer::Safe { .. }));
    let unreached = if is_safe && !wants_reached && job.checks.contains(&Check::Assertions) {
        search.unreached(&base, &job.options.error_functions, &mut progress)
    } else {
        Vec::new()
    };
    progress.finish();
    let results = Results { rounds, reached, unreached, assumptions: job.assumptions(&base) };
    Ok(Searched { job, results, progress, watch })
}

/// Answers for all checks, and the program that they are about. What a library function gives may not matter at all, and
/// then its loops only stand in the way.
fn answers(
    job: &Job,
    host: &System,
    search: &Search<'_>,
    progress: &mut Progress,
) -> Result<(Program, Vec<Round>), Problem> {
    let base = job.lower_unchecked(host)?;
    let mut open: Vec<Check> =
        job.checks.iter().copied().filter(|&check| check != Check::UnreachableCode).collect();
    let mut rounds = search.test_runs(&base, &mut open, progress);
    if !Search::has_models(&base) {
        rounds.extend(search.rounds(&base, open, progress));
        return Ok((base, rounds));
    }
    let plain = job.lower_without_models(host)?;
    if let Some(proof) = search.outline(&plain, &open, progress) {
        rounds.push(proof);
        return Ok((plain, rounds));
    }
    let search = Search { outlines: Outlines::Before, ..*search };
    let searched = search.rounds(&base, open.clone(), progress);
    if Search::is_worth_a_second_try(&searched) {
        let others = search.rounds(&plain, open, progress);
        if others.iter().all(|round| matches!(round.answer, Answer::Safe { .. })) {
            rounds.extend(others);
            return Ok((plain, rounds));
        }
    }
    rounds.extend(searched);
    Ok((base, rounds))
}

/// A proof counts only once the checker, which shares nothing with the engines, has proved it again; a violation only
/// once its trace has been replayed.
fn confirm(
    program: &Program,
    searched: &Program,
    verdict: Verdict,
    limits: &Limits,
    watch: &Watch,
) -> Answer {
    match verdict {
        Verdict::Safe(mut invariant) => match certified(searched, &mut invariant, limits) {
            Certified::Accepted { obligations, rests_on } => {
                let assumed = rests_on.into_iter().map(|hazard| Assumption::defined(searched, hazard));
                let invariant = Box::new(invariant);
                Answer::Safe { invariant, obligations, assumptions: assumed.collect(), guard: None }
            }
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

/// Checks an invariant; one that is not accepted is strengthened once.
fn certified(program: &Program, invariant: &mut Invariant, limits: &Limits) -> Certified {
    let outcome = rorqual_certificate::check(program, invariant, limits);
    if !matches!(outcome, Certified::Rejected(_)) || !strengthen(invariant) {
        return outcome;
    }
    match rorqual_certificate::check(program, invariant, limits) {
        accepted @ Certified::Accepted { .. } => accepted,
        _ => outcome,
    }
}

fn replay(program: &Program, trace: Trace, watch: &Watch) -> Answer {
    let replay = replay_trace(program, &trace, &watch.interpreter());
    if replay.violation().is_some() {
        return Answer::Unsafe(Box::new(replay));
    }
    match &replay.execution.outcome {
        Outcome::Undefined { kind, span } => Answer::UndefinedBefore { kind: kind.to_string(), span: *span },
        Outcome::Unsupported { construct, span } => {
            Answer::Unknown(Reason::Unsupported { construct: construct.clone(), span: *span })
        }
        Outcome::Unmodelled { function, span } => {
            Answer::Unknown(Reason::Unmodelled { function: function.clone(), span: *span })
        }
        Outcome::Cancelled { .. } => Answer::Unknown(Reason::Limit(GaveUp::Cancelled)),
        _ if !trace.approximations.is_empty() => Answer::Approximated(trace),
        outcome => Answer::NotReplayed {
            problem: crate::replay::reason(program, outcome),
            dump: format!("{trace:#?}"),
        },
    }
}

/// Everything that was found.
struct Results {
    rounds: Vec<Round>,
    reached: Vec<Reached>,
    /// The assertions that no execution reaches, if that was not asked and all is proved.
    unreached: Vec<Span>,
    /// What every verdict rests on.
    assumptions: Vec<Assumption>,
}

impl Results {
    /// The answer for the whole: a violation if there is one, else what is not known.
    fn decisive(&self) -> &Round {
        let first = |wanted: fn(&Answer) -> bool| self.rounds.iter().find(|round| wanted(&round.answer));
        let unsafe_round = first(|answer| matches!(answer, Answer::Unsafe(_)));
        let open = || first(|answer| !matches!(answer, Answer::Safe { .. }));
        unsafe_round.or_else(open).unwrap_or(&self.rounds[0])
    }

    fn circumstances<'a>(
        &'a self,
        arguments: &'a CheckArguments,
        round: &'a Round,
        progress: &'a Progress,
        watch: &Watch,
    ) -> Circumstances<'a> {
        let counters = &progress.counters;
        Circumstances { arguments, round, counters, cause: watch.cause(), assumptions: &self.assumptions }
    }

    /// A defect is told with its own exit code, whatever else was found.
    fn has_defect(&self) -> bool {
        self.rounds.iter().any(|round| matches!(round.answer, Answer::NotReplayed { .. }))
    }
}

fn report(
    arguments: &CheckArguments,
    job: &Job,
    results: &Results,
    progress: &Progress,
    watch: &Watch,
) -> Result<Status, Problem> {
    let about = |round| results.circumstances(arguments, round, progress, watch);
    let decisive = results.decisive();
    let (line, status) = about(decisive).first_line();
    let status = if results.has_defect() { Status::InternalError } else { status };
    // Long traces and proofs take time to be told and written.
    watch.know(&line, status);
    let mut output = format!("{line}\n");
    let lines = table::lines(results, &job.checks, &about);
    if arguments.format == ResultFormat::Json {
        output += &json::result(&about(decisive), &line, &lines, &results.unreached);
    } else if job.checks.len() > 1 {
        for line in &lines {
            output += &line.text();
        }
    }
    write_evidence(arguments, job, results, &about(decisive).assumptions())?;
    watch.tell(&output, status)?;
    if arguments.format == ResultFormat::Human {
        let told = results
            .rounds
            .iter()
            .filter(|round| std::ptr::eq(*round, decisive) || !matches!(round.answer, Answer::Safe { .. }));
        told.for_each(|round| complain(&about(round).details()));
        complain(&notes(
            &results.unreached.iter().map(|&span| about(decisive).place(span)).collect::<Vec<_>>(),
        ));
        // A proof says so in its first line.
        if status != Status::Success && !results.assumptions.is_empty() {
            complain(&format!("  = assuming {}\n", assumptions_text(&results.assumptions)));
        }
    }
    if arguments.stats {
        complain(&about(decisive).statistics());
    }
    Ok(status)
}

/// So many assertions that are not reached are named.
const SHOWN_NOTES: usize = 5;

/// What is said of assertions that no execution reaches: a proof says nothing about them.
fn notes(places: &[String]) -> String {
    let note = |place: &String| format!("  = note: no execution reaches the assertion at {place}\n");
    let mut text: String = places.iter().take(SHOWN_NOTES).map(note).collect();
    if places.len() > SHOWN_NOTES {
        let _ = writeln!(text, "  = note: nor {} more assertions", places.len() - SHOWN_NOTES);
    }
    text
}

fn write_evidence(
    arguments: &CheckArguments,
    job: &Job,
    results: &Results,
    assumptions: &[Assumption],
) -> Result<(), Problem> {
    let decisive = results.decisive();
    match &decisive.answer {
        Answer::Safe { .. } if results.rounds.len() > 1 => {
            if arguments.certificate.is_some() || arguments.witness.is_some() {
                complain(
                    "  = note: each check was proved on its own; ask for one check at a time to get the proofs\n",
                );
            }
            Ok(())
        }
        Answer::Safe { invariant, guard, .. } => {
            let proof = evidence::Proof { round: decisive, invariant, guard: guard.as_deref(), assumptions };
            evidence::of_proof(arguments, job, &proof)
        }
        Answer::Unsafe(replay) => {
            evidence::of_violation(arguments, job, &decisive.program, violated(replay), replay)
        }
        _ => Ok(()),
    }
}
