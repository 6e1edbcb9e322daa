//! The arguments of `upgrade`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arguments::Sources;
use crate::check::strategy_names;
use crate::quantities::{self, DEFAULT_TIME_LIMIT, TimeLimit};

/// `upgrade`
#[derive(Debug, Args)]
#[command(
    after_help = "Each version is checked like with `rorqual check --store`: what was proved of an earlier version is \
                        proved again, and only what does not hold any more is searched.\n\
                        Exit codes: that of `check` for the last version; with --git, 10 if a commit breaks a property.\n\n\
                        Examples:\n  \
                        rorqual upgrade old/queue.c --to new/queue.c\n  \
                        rorqual upgrade old/main.c old/queue.c --to new/main.c new/queue.c --check all --format markdown\n  \
                        rorqual upgrade --git v1.0..main harness.c queue.c -Iinclude --store proofs\n  \
                        rorqual upgrade --git HEAD~20..HEAD --keep-going harness.c queue.c"
)]
pub(crate) struct UpgradeArguments {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The files of the new version
    #[arg(long, value_name = "NEW", num_args = 1.., conflicts_with = "git", required_unless_present = "git")]
    pub(crate) to: Vec<PathBuf>,
    /// Check the commits of this range, oldest first, beginning with the one before; FILEs are those of each commit
    #[arg(long, value_name = "REV1..REV2")]
    pub(crate) git: Option<String>,
    /// Go on with the commits after one that breaks a property
    #[arg(long, requires = "git")]
    pub(crate) keep_going: bool,
    /// Look only at commits that change these paths
    #[arg(last = true, value_name = "PATH", requires = "git")]
    pub(crate) paths: Vec<PathBuf>,
    /// Combine engines and inference in this way [default: auto]
    #[arg(long, value_parser = strategy_names(), value_name = "NAME")]
    pub(crate) strategy: Option<String>,
    /// Give up on a version after this CPU time of all threads, such as `60s`, or never with `none`
    #[arg(long, value_name = "DURATION", value_parser = quantities::time_limit, default_value = DEFAULT_TIME_LIMIT)]
    pub(crate) time_limit: TimeLimit,
    /// Give up on a version when more memory than this is needed, such as `4GB`
    #[arg(long, value_name = "SIZE", value_parser = quantities::size)]
    pub(crate) memory_limit: Option<u64>,
    /// Keep proofs and violations in this directory, for later runs [default: they are gone at the end]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// How to write the report
    #[arg(long, value_enum, default_value_t = UpgradeFormat::Human)]
    pub(crate) format: UpgradeFormat,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UpgradeFormat {
    /// For people
    Human,
    /// One JSON object
    Json,
    /// A table in Markdown, for merge requests
    Markdown,
}
