//! `rorqual check`: from a program to a verdict with its evidence.

use rorqual_cfa::Program;
use rorqual_engine::{Event, Observer, Reason, Verdict};
use rorqual_engines::{bmc, impact};
use rorqual_solver::Limits;

use crate::arguments::{Check, Engine};
use crate::exit::{Problem, Status};
use crate::host::System;
use crate::programs::Job;

/// Counts what engines report.
#[derive(Debug, Default)]
struct Counters {
    nodes: usize,
    refinements: u64,
    covers: u64,
    forced: u64,
    uncovered: u64,
    steps: u64,
}

impl Observer for Counters {
    fn on(&mut self, event: Event) {
        match event {
            Event::Started { .. } => {}
            Event::Expanded { nodes, .. } => self.nodes = nodes,
            Event::Refining { .. } => self.refinements += 1,
            Event::Covered => self.covers += 1,
            Event::ForcedCover => self.forced += 1,
            Event::Uncovered => self.uncovered += 1,
            Event::Step { steps } => self.steps = steps,
        }
    }
}

/// Checks a program.
pub(crate) fn check(arguments: &Check) -> Result<Status, Problem> {
    let host = System::default();
    let job = Job::from_arguments(&arguments.sources, &host)?;
    let program = job.lower(&host)?;
    let mut limits = Limits::none();
    if let Some(duration) = arguments.time_limit {
        limits = limits.with_duration(duration);
    }
    let mut counters = Counters::default();
    let verdict = run(&program, arguments, &limits, &mut counters);
    let status = match &verdict {
        Verdict::Safe(invariant) => {
            println!("safe");
            if arguments.stats {
                for location in &invariant.locations {
                    eprintln!(
                        "  {} at {:?}: {}",
                        location.calls.text(&program),
                        location.location,
                        invariant.pool.display(location.formula)
                    );
                }
            }
            Status::Success
        }
        Verdict::Unsafe(trace) => {
            println!("unsafe: {:?}", trace.error);
            Status::Violation
        }
        Verdict::Unknown(reason) => {
            println!("unknown: {}", explain(reason));
            Status::Unknown
        }
    };
    if arguments.stats {
        eprintln!("{counters:?}");
    }
    Ok(status)
}

fn run(program: &Program, arguments: &Check, limits: &Limits, counters: &mut Counters) -> Verdict {
    match arguments.engine {
        Engine::Bmc => match bmc::search(program, bmc::Config::default(), limits, counters) {
            bmc::Outcome::Violation(trace) => Verdict::Unsafe(trace),
            bmc::Outcome::Exhausted => impact::check(program, impact::Config::default(), limits, counters),
            bmc::Outcome::Bound(steps, span) => Verdict::Unknown(Reason::Bound { steps, span }),
            bmc::Outcome::Unsupported(obstacle) => {
                Verdict::Unknown(Reason::Unsupported { construct: obstacle.construct, span: obstacle.span })
            }
            bmc::Outcome::Stopped(stop) => stop.into(),
        },
        Engine::Impact => impact::check(program, impact::Config::default(), limits, counters),
    }
}

fn explain(reason: &Reason) -> String {
    format!("{reason:?}")
}
