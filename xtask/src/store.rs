//! What a store is worth: tasks are checked without a store, with an empty one, and again with what that run has left in it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use rorqual_benchmark::select;
use serde_json::Value;

use crate::reuse::median;
use crate::{Report, Trouble};

/// `store`
#[derive(Args)]
pub(crate) struct Arguments {
    /// Directories, `.set` files, task definitions (`.yml`) or patterns of these
    #[arg(value_name = "DIR|SET|TASK|PATTERN", required = true)]
    tasks: Vec<PathBuf>,
    /// The CPU time of one run
    #[arg(long, default_value = "20s")]
    time_limit: String,
    /// The median is over the tasks that take at least so long at first
    #[arg(long, default_value = "1s")]
    least: String,
}

/// Prints a table in Markdown of the tasks that have an answer.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let measured = Measurement { tool: crate::csmith::build()?, limit: &arguments.time_limit };
    let least = crate::parse_duration(&arguments.least)?.as_secs_f64();
    let selection =
        select(&arguments.tasks, &rorqual::System::default()).map_err(|error| error.to_string())?;
    let (mut ratios, mut different, mut lost, mut answers) = (Vec::new(), 0, 0, 0);
    println!("| Task | verdict | without, s | first, s | second, s | ratio |");
    println!("|---|---|---|---|---|---|");
    for task in &selection.tasks {
        let store = std::env::temp_dir().join(format!("rorqual-store-{}", std::process::id()));
        let with = ["--store".to_owned(), store.display().to_string()];
        let runs = [&[][..], &with[..], &with[..]].map(|options| measured.run(&task.path, options));
        if store.exists() {
            std::fs::remove_dir_all(&store)?;
        }
        let [without, first, second] = runs;
        let (without, first, second) = (without?, first?, second?);
        let verdicts = [&without, &first, &second].map(|run| run.verdict.as_str());
        let name = task.path.file_stem().unwrap_or_default().to_string_lossy();
        let decided: Vec<&str> = verdicts.into_iter().filter(|verdict| *verdict != "unknown").collect();
        if decided.windows(2).any(|pair| pair[0] != pair[1]) {
            different += 1;
            eprintln!("{name} has different verdicts: {}", verdicts.join(", "));
        } else if !decided.len().is_multiple_of(verdicts.len()) {
            lost += 1;
            eprintln!("{name} does not always have an answer: {}", verdicts.join(", "));
        }
        let Some(verdict) = decided.last() else { continue };
        answers += 1;
        if first.seconds < least || second.verdict == "unknown" {
            continue;
        }
        let ratio = first.seconds / second.seconds;
        ratios.push(ratio);
        println!(
            "| {name} | {verdict} | {:.2} | {:.2} | {:.2} | {ratio:.1} |",
            without.seconds, first.seconds, second.seconds
        );
    }
    println!(
        "\n{answers} of {} tasks have an answer; {} of them take at least {} at first: median {:.1} times faster the second time",
        selection.tasks.len(),
        ratios.len(),
        arguments.least,
        median(ratios)
    );
    println!("different verdicts: {different}; an answer only with or only without the store: {lost}");
    Ok(if different == 0 { Report::Clean } else { Report::Faults })
}

struct Run {
    verdict: String,
    /// CPU time.
    seconds: f64,
}

struct Measurement<'a> {
    tool: PathBuf,
    limit: &'a str,
}

impl Measurement<'_> {
    fn run(&self, task: &Path, more: &[String]) -> Result<Run, Trouble> {
        let options = ["--time-limit", self.limit].into_iter().chain(more.iter().map(String::as_str));
        let report = report(&self.tool, task, &options.collect::<Vec<&str>>())?;
        let verdict = report["verdict"].as_str().unwrap_or("unknown").to_owned();
        Ok(Run { verdict, seconds: seconds(&report, crate::parse_duration(self.limit)?) })
    }
}

/// What `check` says of a program, as JSON.
pub(crate) fn report(tool: &Path, program: &Path, options: &[&str]) -> Result<Value, Trouble> {
    let output = Command::new(tool)
        .args(["check", "--format", "json", "--stats", "--threads", "1"])
        .args(options)
        .arg(program)
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    Ok(serde_json::from_slice(&output.stdout).map_err(|_| format!("{}: {errors}", program.display()))?)
}

/// The CPU time of a run. One that was ended from outside has used all that it may.
pub(crate) fn seconds(report: &Value, limit: Duration) -> f64 {
    report["statistics"]["cpu_seconds"].as_f64().unwrap_or(limit.as_secs_f64())
}
