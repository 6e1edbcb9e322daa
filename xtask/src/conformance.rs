//! A campaign of generated programs over all of C: the release binary against gcc.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rorqual_cfa::DataModel;
use rorqual_testkit::conformance::{Comparison, Difference, Recipe, Subject, compare};
use rorqual_testkit::{Gcc, model_name};

use crate::csmith::build;
use crate::{Report, Trouble, parse_duration};

/// Programs that one translation unit for gcc holds.
const BATCH: u64 = 50;

/// Comparing generated programs with gcc.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many programs for each data model
    #[arg(long, default_value_t = 500)]
    count: u64,
    /// The number of the first program; the others follow
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How wide the types are
    #[arg(long, value_enum, default_value = "both")]
    data_model: Models,
    /// Programs are made from this seed and their number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Where programs that differ are kept
    #[arg(long, default_value = "target/conformance")]
    keep: PathBuf,
    /// How long one check may take
    #[arg(long, default_value = "2s", value_parser = parse_duration)]
    time_limit: Duration,
    /// The binary to test, instead of one that is built first
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// The data models of a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Models {
    Ilp32,
    Lp64,
    Both,
}

/// Runs the campaign.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let models = arguments.data_model.available()?;
    let binary = arguments.binary.clone().map_or_else(build, Ok)?;
    let subject = Subject { binary, time_limit: arguments.time_limit };
    std::fs::create_dir_all(&arguments.keep)?;
    let mut report = Report::Clean;
    for model in models {
        let campaign = Campaign {
            arguments,
            model,
            subject: &subject,
            next: AtomicU64::new(arguments.first),
            tally: Mutex::default(),
        };
        let started = Instant::now();
        campaign.run()?;
        let tally = campaign.tally.into_inner().expect("no worker panicked");
        println!(
            "{}, seed {}: {} s, {tally}",
            model_name(model),
            arguments.seed,
            started.elapsed().as_secs()
        );
        if tally.different > 0 {
            report = Report::Faults;
        }
    }
    Ok(report)
}

impl Models {
    /// Both means those that gcc is installed for; one that is asked for must be.
    fn available(self) -> Result<Vec<DataModel>, Trouble> {
        let wanted: &[DataModel] = match self {
            Models::Ilp32 => &[DataModel::Ilp32],
            Models::Lp64 => &[DataModel::Lp64],
            Models::Both => &[DataModel::Lp64, DataModel::Ilp32],
        };
        let mut available = Vec::new();
        for &model in wanted {
            match Gcc::find(model) {
                Ok(_) => available.push(model),
                Err(reason) if wanted.len() == 1 || model == DataModel::Lp64 => return Err(reason.into()),
                Err(reason) => println!("{} is left out: {reason}", model_name(model)),
            }
        }
        Ok(available)
    }
}

struct Campaign<'a> {
    arguments: &'a Arguments,
    model: DataModel,
    subject: &'a Subject,
    /// The number of the next program that is handed out.
    next: AtomicU64,
    tally: Mutex<Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    values: usize,
    different: u64,
    /// Programs of each family with a check that gave no verdict.
    unknown: BTreeMap<&'static str, u64>,
    /// Programs of each family.
    families: BTreeMap<&'static str, u64>,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unknown: u64 = self.unknown.values().sum();
        write!(f, "{} programs with {} values: ", self.programs, self.values)?;
        write!(f, "{} differ, {unknown} have a check without a verdict", self.different)?;
        for (family, count) in &self.unknown {
            write!(f, "\n  no verdict: {count} of {} about {family}", self.families[family])?;
        }
        Ok(())
    }
}

impl Campaign<'_> {
    fn run(&self) -> Result<(), Trouble> {
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..self.arguments.jobs.max(1)).map(|_| scope.spawn(|| self.work())).collect();
            let results = workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
            results.collect::<Result<Vec<()>, Trouble>>()
        })?;
        Ok(())
    }

    fn work(&self) -> Result<(), Trouble> {
        let end = self.arguments.first + self.arguments.count;
        loop {
            let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= end {
                return Ok(());
            }
            let numbers = first..(first + BATCH).min(end);
            let recipes = numbers.map(|index| Recipe { seed: self.arguments.seed, index, model: self.model });
            for comparison in compare(&recipes.collect::<Vec<_>>(), self.subject)? {
                self.record(&comparison)?;
            }
        }
    }

    fn record(&self, comparison: &Comparison) -> Result<(), Trouble> {
        let mut tally = self.tally.lock().expect("no worker panicked");
        tally.programs += 1;
        tally.values += comparison.values;
        *tally.families.entry(comparison.family).or_default() += 1;
        if !comparison.unknown.is_empty() {
            *tally.unknown.entry(comparison.family).or_default() += 1;
        }
        if !comparison.differences.is_empty() {
            tally.different += 1;
        }
        for difference in &comparison.differences {
            self.keep(comparison, difference, "DIFFERS")?;
        }
        for difference in &comparison.unknown {
            self.keep(comparison, difference, "no verdict")?;
        }
        Ok(())
    }

    fn keep(&self, comparison: &Comparison, difference: &Difference, heading: &str) -> Result<(), Trouble> {
        let model = model_name(self.model);
        let name = format!("{model}-{}-{}.c", self.arguments.seed, comparison.recipe.index);
        let name = format!("{}-{name}", difference.command);
        let file = self.arguments.keep.join(name);
        std::fs::write(&file, &difference.text)?;
        println!("{heading}: {} of {}: {difference}", comparison.recipe.index, comparison.family);
        println!("  rorqual {} --data-model {model} {}", difference.command, file.display());
        Ok(())
    }
}
