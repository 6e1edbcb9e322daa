//! Developer tasks: `cargo xtask check | conformance | csmith | fuzz | calls | reuse | store | upgrades | ablation | predicates | recursion | versus`.

mod ablation;
mod calls;
mod check;
mod claims;
mod conformance;
mod csmith;
mod fuzz;
mod predicates;
mod recursion;
mod reuse;
mod store;
mod upgrades;
mod versus;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use rorqual_cfa::DataModel;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developer tasks of Rorqual")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Formatting, lints with warnings denied, tests, documentation
    Check,
    /// Compare programs over all of C with gcc: `run` and `check`
    Conformance(conformance::Arguments),
    /// Compare random programs of csmith with gcc
    Csmith(csmith::Arguments),
    /// Throw mutated programs at the front end
    Fuzz(fuzz::Arguments),
    /// Measure engines on chains and trees of calls of one helper
    Calls(calls::Arguments),
    /// Measure what summaries are worth that are reused from property to property
    Reuse(reuse::Arguments),
    /// Measure what a store is worth the next time, and whether verdicts are the same with and without it
    Store(store::Arguments),
    /// Measure what proofs of earlier versions are worth, on sequences of versions and on generated revisions
    Upgrades(upgrades::Arguments),
    /// Solve tasks with each engine alone and with `auto`, and print what each technique earned
    Ablation(ablation::Arguments),
    /// Make the tables about predicate abstraction: the program of figure 1, or drivers
    Predicates(predicates::Arguments),
    /// Print depth, time and verdict of recursive tasks for each engine that proves them
    Recursion(recursion::Arguments),
    /// Compare with CBMC on the same tasks: verdicts, and the ratio of times
    Versus(versus::Arguments),
    /// What `fuzz` runs in child processes
    #[command(hide = true)]
    FuzzChild(fuzz::child::Arguments),
}

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Report {
    /// Nothing is wrong.
    Clean,
    /// Something is wrong, and was printed.
    Faults,
}

/// Why a task could not be done.
type Trouble = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Check => check::run(),
        Task::Conformance(arguments) => conformance::run(&arguments),
        Task::Csmith(arguments) => csmith::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Calls(arguments) => calls::run(&arguments),
        Task::Reuse(arguments) => reuse::run(&arguments),
        Task::Store(arguments) => store::run(&arguments),
        Task::Upgrades(arguments) => upgrades::run(&arguments),
        Task::Ablation(arguments) => ablation::run(&arguments),
        Task::Predicates(arguments) => predicates::run(&arguments),
        Task::Recursion(arguments) => recursion::run(&arguments),
        Task::Versus(arguments) => versus::run(&arguments),
        Task::FuzzChild(arguments) => fuzz::child::run(&arguments),
    };
    match result {
        Ok(Report::Clean) => ExitCode::SUCCESS,
        Ok(Report::Faults) => ExitCode::FAILURE,
        Err(trouble) => {
            eprintln!("error: {trouble}");
            ExitCode::from(2)
        }
    }
}

/// The data model as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Model {
    Ilp32,
    Lp64,
}

impl From<Model> for DataModel {
    fn from(model: Model) -> DataModel {
        match model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        }
    }
}

/// Reads `20s`, `1.5s` or `2min`.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match (text.strip_suffix("min"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 60.0),
        (_, Some(number)) => (number, 1.0),
        _ => (text, 1.0),
    };
    let seconds: f64 = number.trim().parse().map_err(|_| "a duration such as `20s` is needed".to_owned())?;
    Duration::try_from_secs_f64(seconds * unit).map_err(|error| error.to_string())
}
