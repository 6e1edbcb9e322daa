//! The arguments of `bench` and `bench compare`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::quantities;

/// `bench`
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Each task runs in a process of its own. Results go to the files as soon as they are there; Ctrl-C \
                  keeps them, and `--resume` goes on. Tasks without an expected verdict for the unreachability \
                  of a function are skipped.\n\n\
                  Exit codes: 0 no verdict is wrong, 10 a verdict is wrong or its evidence was rejected,\n\
                  20 interrupted, 64 wrong usage, 65 unreadable task or file, 70 results cannot be written.\n\n\
                  Examples:\n  \
                  rorqual bench tasks/ --engine impact --output impact.csv\n  \
                  rorqual bench ControlFlow.set 'loops/*.yml' --time-limit 900s --memory-limit 15GB --jobs 4\n  \
                  rorqual bench tasks/ --certify --output results.csv --json results.json\n  \
                  rorqual bench tasks/ --certify --output results.csv --json results.json --resume\n  \
                  rorqual bench tasks/ --tool old/rorqual --output old.csv\n  \
                  rorqual bench compare old.csv impact.csv --scatter times.svg --cactus solved.svg"
)]
pub(crate) struct Bench {
    /// What to do with results that are there
    #[command(subcommand)]
    pub(crate) command: Option<BenchCommand>,
    #[command(flatten)]
    pub(crate) run: BenchRun,
}

/// What can be done with results.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Compare two result files
    Compare(BenchCompare),
}

/// Running tasks.
#[derive(Debug, Args)]
pub(crate) struct BenchRun {
    /// Directories, `.set` files, task definitions (`.yml`) or patterns of these
    #[arg(value_name = "DIR|SET|TASK|PATTERN", required = true)]
    pub(crate) tasks: Vec<PathBuf>,
    /// The engine that checks the tasks
    #[arg(long, default_value = "auto")]
    pub(crate) engine: String,
    /// The strategy that checks the tasks, instead of an engine
    #[arg(long, value_name = "NAME", conflicts_with = "engine")]
    pub(crate) strategy: Option<String>,
    /// How many threads each task may use; limits are for all of them together
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) threads: u8,
    /// CPU time for each task
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = quantities::duration)]
    pub(crate) time_limit: Duration,
    /// Memory for each task
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = quantities::size)]
    pub(crate) memory_limit: u64,
    /// How many tasks run at a time; more than one makes times less exact
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) jobs: NonZeroUsize,
    /// Also check the certificate of each `safe` and replay each `unsafe`
    #[arg(long)]
    pub(crate) certify: bool,
    /// Keep certificates and witnesses in this directory
    #[arg(long, value_name = "DIR", requires = "certify")]
    pub(crate) evidence: Option<PathBuf>,
    /// Write the results to this file, as comma-separated values
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,
    /// Write the results to this file, as JSON
    #[arg(long, value_name = "FILE.json")]
    pub(crate) json: Option<PathBuf>,
    /// Leave out the tasks that have a result in the file of `--output`, and add the others to it
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// The rorqual binary to run [default: this one]
    #[arg(long, value_name = "PATH")]
    pub(crate) tool: Option<PathBuf>,
}

/// `bench compare`
#[derive(Debug, Args)]
#[command(
    after_help = "Tasks are matched by name. If no name is in both files, the folder that all tasks of a file \
                        share is left out.\n\n\
                        Exit codes: 0 no verdict became wrong, 10 a verdict became wrong or its evidence is now \
                        rejected, 65 unreadable file.\n\n\
                        Examples:\n  \
                        rorqual bench compare old.csv new.csv\n  \
                        rorqual bench compare impact.csv bmc.csv --scatter times.svg --cactus solved.svg"
)]
pub(crate) struct BenchCompare {
    /// The results to compare with
    #[arg(value_name = "A.csv")]
    pub(crate) first: PathBuf,
    /// The results to look at
    #[arg(value_name = "B.csv")]
    pub(crate) second: PathBuf,
    /// Draw the CPU times of each task against each other
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) scatter: Option<PathBuf>,
    /// Draw how many tasks are solved within a time
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) cactus: Option<PathBuf>,
}
