//! A campaign of random programs: the release binary against gcc.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rorqual_cfa::DataModel;
use rorqual_testkit::claims::Checker;
use rorqual_testkit::csmith::{Comparison, Recipe, Size, SubjectRun, find, keep};
use rorqual_testkit::{Ending, Gcc, ProcessEnd, model_name, run_with_limit, workspace_directory};

use crate::{Model, Report, Trouble, claims, parse_duration};

/// Comparing programs with gcc.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many programs
    #[arg(long, default_value_t = 100)]
    pub(crate) count: u64,
    /// How wide the types are
    #[arg(long, value_enum, default_value = "lp64")]
    data_model: Model,
    /// The seed of the first program; the others follow
    #[arg(long, default_value_t = 1)]
    pub(crate) seed_start: u64,
    /// How many programs at a time
    #[arg(long, default_value_t = 2)]
    pub(crate) jobs: usize,
    /// Where programs with a wrong result are kept
    #[arg(long, default_value = "target/csmith")]
    pub(crate) keep: PathBuf,
    /// How long `rorqual run` or `rorqual check` may take for one program
    #[arg(long, default_value = "300s", value_parser = parse_duration)]
    time_limit: Duration,
    /// Smaller programs, as in the test suite
    #[arg(long)]
    pub(crate) small: bool,
    /// Claim the values that gcc computes, and deny one of them, with `rorqual check` instead of `run`
    #[arg(long)]
    check: bool,
}

/// Runs the campaign.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let headers = find()?;
    let model = arguments.data_model.into();
    Gcc::find(model)?;
    let binary = build()?;
    if arguments.check {
        return claims::run(arguments, model, Checker { binary, headers, time_limit: arguments.time_limit });
    }
    let campaign = Campaign {
        arguments,
        model,
        headers,
        binary,
        next: AtomicU64::new(0),
        tally: Mutex::new(Tally { started: Instant::now(), counts: BTreeMap::new() }),
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.jobs.max(1)).map(|_| scope.spawn(|| campaign.work())).collect();
        let results = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
        results.collect::<Result<Vec<()>, Trouble>>()
    })?;
    let tally = campaign.tally.into_inner().expect("no worker panicked");
    println!("{}: {}", model_name(model), tally.line());
    Ok(if tally.faults() == 0 { Report::Clean } else { Report::Faults })
}

/// Builds the release binary and finds where cargo put it.
pub(crate) fn build() -> Result<PathBuf, Trouble> {
    let root = workspace_directory();
    let arguments = ["build", "--release", "--package", "rorqual-cli", "--locked"];
    if !Command::new("cargo").args(arguments).current_dir(&root).status()?.success() {
        return Err("rorqual cannot be built".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/rorqual"))
}

struct Campaign<'a> {
    arguments: &'a Arguments,
    model: DataModel,
    headers: PathBuf,
    binary: PathBuf,
    /// How many programs were handed out.
    next: AtomicU64,
    tally: Mutex<Tally>,
}

impl Campaign<'_> {
    fn work(&self) -> Result<(), Trouble> {
        let directory = tempfile::tempdir()?;
        let file = directory.path().join("random.c");
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.arguments.count {
                return Ok(());
            }
            let size = if self.arguments.small { Size::Small } else { Size::Usual };
            let recipe = Recipe { seed: self.arguments.seed_start + index, size, model: self.model };
            let comparison = recipe.compare(&self.headers, &file, &|file| self.run_rorqual(file));
            self.record(&recipe, &file, &comparison)?;
            // The next program must not be mistaken for this one if csmith writes none.
            let _ = std::fs::remove_file(&file);
        }
    }

    fn record(&self, recipe: &Recipe, file: &Path, comparison: &Comparison) -> Result<(), Trouble> {
        let kind = kind(comparison);
        let mut tally = self.tally.lock().expect("no worker panicked");
        *tally.counts.entry(kind).or_default() += 1;
        if *comparison != Comparison::Agrees {
            clear_progress();
            println!("seed {}: {comparison}", recipe.seed);
        }
        if comparison.is_failure() || *comparison == Comparison::SubjectTimedOut {
            let kept = keep(recipe, file, &self.arguments.keep)?;
            let model = model_name(self.model);
            let headers = self.headers.display();
            println!("  rorqual run --data-model {model} -I {headers} {}", kept.display());
        }
        tally.show_progress(self.arguments.count);
        Ok(())
    }

    fn run_rorqual(&self, file: &Path) -> SubjectRun {
        let limit = self.arguments.time_limit;
        let mut command = Command::new(&self.binary);
        command.arg("run").arg(file).arg("-I").arg(&self.headers);
        command.args(["--data-model", model_name(self.model)]);
        command.args(["--time-limit", &format!("{}s", limit.as_secs().max(1))]);
        // The tool keeps its own time; this is for a front end that hangs.
        let result = match run_with_limit(&mut command, limit * 2 + Duration::from_secs(10)) {
            Ok(result) => result,
            Err(error) => return SubjectRun::Refused(error.to_string()),
        };
        let messages = String::from_utf8_lossy(&result.stderr).into_owned();
        let first_line = messages.lines().next().unwrap_or("no message").to_owned();
        let place = messages.lines().find(|line| line.contains("-->")).unwrap_or("").trim().to_owned();
        let summary = format!("{first_line} {place}");
        let ProcessEnd::Ended(status) = result.end else {
            return SubjectRun::Refused("it does not end by itself".to_owned());
        };
        let ending = match status.code() {
            Some(0) => ending_of_message(&messages),
            Some(10) => Ending::Undefined { message: first_line, position: place },
            Some(20) if first_line.contains("time limit") => Ending::TimedOut,
            Some(20) => Ending::Other(summary),
            _ => return SubjectRun::Refused(format!("{status}: {summary}")),
        };
        SubjectRun::Ran { ending, stdout: result.stdout }
    }
}

/// What the command line says about a program that ended by itself.
fn ending_of_message(messages: &str) -> Ending {
    let status = messages.lines().find_map(|line| line.strip_prefix("program exited with status "));
    match status.and_then(|status| status.trim().parse().ok()) {
        Some(status) => Ending::Finished { status },
        None if messages.contains("program aborted") => Ending::Aborted,
        None => Ending::Other(messages.lines().next().unwrap_or("no message").to_owned()),
    }
}

/// The heading under which a comparison is counted.
fn kind(comparison: &Comparison) -> &'static str {
    match comparison {
        Comparison::Agrees => "agree",
        Comparison::Skipped(_) => "skipped (no result of gcc)",
        Comparison::SubjectTimedOut => "rorqual out of time",
        Comparison::Disagrees { .. } => "DISAGREE",
        Comparison::Stopped(_) => "STOPPED",
        Comparison::Refused(_) => "REFUSED",
    }
}

struct Tally {
    started: Instant,
    counts: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Headings in capitals are mistakes.
    fn faults(&self) -> u64 {
        let faults = self.counts.iter().filter(|(kind, _)| kind.starts_with(char::is_uppercase));
        faults.map(|(_, count)| count).sum()
    }

    fn line(&self) -> String {
        let parts: Vec<String> = self.counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        format!("{} programs in {} s: {}", self.total(), self.started.elapsed().as_secs(), parts.join(", "))
    }

    fn show_progress(&self, count: u64) {
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K[{}/{count}] {}", self.total(), self.line());
            if self.total() == count {
                eprintln!();
            }
        }
    }
}

fn clear_progress() {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
}
