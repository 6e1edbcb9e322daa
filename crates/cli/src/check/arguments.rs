//! The arguments of `check`.

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};

use super::choice::{analyzer_names, engine_names, strategy_names};
use crate::arguments::Sources;
use crate::quantities::{self, DEFAULT_TIME_LIMIT, TimeLimit};

/// `check`
#[derive(Debug, Args)]
#[command(after_help = "The first line of standard output is the verdict: `safe`, `safe, assuming …`,\n\
                        `unsafe: …` or `unknown: …`.\n\
                        Exit codes: 0 safe, 10 unsafe, 20 unknown, 64 wrong usage, 65 unreadable program,\n\
                        70 internal error.\n\n\
                        Examples:\n  \
                        rorqual check program.c\n  \
                        rorqual check task.yml --time-limit 60s --certificate task.cert\n  \
                        rorqual check program.c --check all --store proofs\n  \
                        rorqual check main.c list.c -Iinclude --witness found.yml --harness test.c\n  \
                        rorqual check driver.i --data-model ilp32 --error-function bug --format json")]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// Search with this engine as its paper describes it, and nothing beside it; `auto` is the strategy of that name
    #[arg(long, value_parser = engine_names(), value_name = "NAME",
          conflicts_with = "strategy")]
    pub(crate) engine: Option<String>,
    /// Combine engines and inference in this way [default: auto]; `rorqual show strategy` tells what it does
    #[arg(long, value_parser = strategy_names(), value_name = "NAME")]
    pub(crate) strategy: Option<String>,
    /// How many threads strategies may use [default: as many as there are cores, at most 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) threads: Option<u8>,
    /// How many paths `whale` looks at at once [default: all]
    #[arg(long, value_enum, value_name = "HOW", help_heading = WHALE)]
    pub(crate) expand: Option<ExpandChoice>,
    /// Whether `whale` explores a function once for all its calls, instead of once for each [default: yes if the
    /// program has no recursion]
    #[arg(long, value_parser = BoolishValueParser::new(), value_name = "yes|no", help_heading = WHALE)]
    pub(crate) merge: Option<bool>,
    /// What `reduction` asks about programs without recursion [default: impact]
    #[arg(long, value_parser = analyzer_names(), value_name = "NAME", help_heading = REDUCTION)]
    pub(crate) analyzer: Option<String>,
    /// Let `reduction` ask another verifier: a command in which `{program}`, `{task}`, `{property}` and `{witness}` stand for
    /// files
    #[arg(long, value_name = "COMMAND", conflicts_with = "analyzer", help_heading = REDUCTION)]
    pub(crate) analyzer_command: Option<String>,
    /// Which bodies `funfrog` brings back where summaries are not enough [default: guided]
    #[arg(long, value_enum, value_name = "HOW", help_heading = WHALE)]
    pub(crate) refine: Option<RefineChoice>,
    /// How strong the summaries of `funfrog` are where they come from proofs about bits [default: strong]
    #[arg(long, value_enum, value_name = "HOW", help_heading = WHALE)]
    pub(crate) summaries: Option<SummariesChoice>,
    /// Let `bmc` or `funfrog` unwind loops and recursion so many times, instead of more and more often
    #[arg(long, value_name = "N", help_heading = BMC)]
    pub(crate) unwind: Option<u64>,
    /// Let `bmc` unwind a loop so many times; `rorqual show loops` lists the names of loops
    #[arg(long, value_name = "LOOP:N", value_parser = loop_bound, value_delimiter = ',', help_heading = BMC)]
    pub(crate) unwindset: Vec<(String, u64)>,
    /// Let `bmc` follow at most so many calls that are active at once [default: 10000]
    #[arg(long, value_name = "N", help_heading = BMC)]
    pub(crate) depth: Option<usize>,
    /// Where `predicate` tracks what it has found at a location [default: location]
    #[arg(long, value_enum, value_name = "WHERE", help_heading = PREDICATE)]
    pub(crate) predicates: Option<LocalityChoice>,
    /// How precisely `predicate` describes states [default: boolean]
    #[arg(long, value_enum, value_name = "HOW", help_heading = PREDICATE)]
    pub(crate) abstraction: Option<AbstractionChoice>,
    /// Where `predicate` has locations [default: large]
    #[arg(long, value_enum, value_name = "SIZE", help_heading = PREDICATE)]
    pub(crate) blocks: Option<BlocksChoice>,
    /// What `predicate` does with calls in programs without recursion [default: inline]
    #[arg(long, value_enum, value_name = "HOW", help_heading = PREDICATE)]
    pub(crate) calls: Option<CallsChoice>,
    /// Let `predicate` start with the predicates of this file
    #[arg(long, value_name = "FILE", help_heading = PREDICATE)]
    pub(crate) predicates_in: Option<PathBuf>,
    /// Write the predicates that `predicate` tracks to this file, whatever the verdict is
    #[arg(long, value_name = "FILE", help_heading = PREDICATE)]
    pub(crate) predicates_out: Option<PathBuf>,
    /// Give up after this CPU time of all threads, such as `60s`, or never with `none`
    #[arg(long, value_name = "DURATION", value_parser = quantities::time_limit, default_value = DEFAULT_TIME_LIMIT)]
    pub(crate) time_limit: TimeLimit,
    /// Give up when more memory than this is needed, such as `4GB`
    #[arg(long, value_name = "SIZE", value_parser = quantities::size)]
    pub(crate) memory_limit: Option<u64>,
    /// End with the first violation, without an answer for the other properties; so it is for task definitions
    #[arg(long)]
    pub(crate) stop_on_violation: bool,
    /// How to write the result
    #[arg(long, value_enum, default_value_t = ResultFormat::Human)]
    pub(crate) format: ResultFormat,
    /// Write a witness (SV-COMP format 2.0, or 2.1 with contracts) to this file, whatever the verdict is
    #[arg(long, value_name = "F.yml", help_heading = EVIDENCE)]
    pub(crate) witness: Option<PathBuf>,
    /// If the program is safe, write the proof to this file, for `rorqual certify`
    #[arg(long, value_name = "FILE", help_heading = EVIDENCE)]
    pub(crate) certificate: Option<PathBuf>,
    /// If it is not, write a C file that, compiled together with the program, shows the violation
    #[arg(long, value_name = "F.c", help_heading = EVIDENCE)]
    pub(crate) harness: Option<PathBuf>,
    /// Take proofs and violations of earlier runs from this directory, check them again, and keep new ones there
    #[arg(long, value_name = "DIR", help_heading = STORE)]
    pub(crate) store: Option<PathBuf>,
    /// What is done with the store
    #[arg(long, value_enum, default_value_t = StoreModeChoice::ReadWrite, value_name = "MODE", requires = "store",
          help_heading = STORE)]
    pub(crate) store_mode: StoreModeChoice,
    /// Let the store have at most this size from now on, such as `200MB`; what was of use longest ago has to go
    /// [default: 1GB]
    #[arg(long, value_name = "SIZE", value_parser = quantities::size, requires = "store", help_heading = STORE)]
    pub(crate) store_limit: Option<u64>,
    /// Tell on standard error how much work it was
    #[arg(long)]
    pub(crate) stats: bool,
}

const EVIDENCE: &str = "Evidence";

const STORE: &str = "Store";

const WHALE: &str = "Guards and summaries";

/// The heading of the settings of `bmc`.
const BMC: &str = "Bounds";
const REDUCTION: &str = "Reduction";

const PREDICATE: &str = "Predicates";

/// `main.1:20`
fn loop_bound(text: &str) -> Result<(String, u64), String> {
    let parts = text.rsplit_once(':').and_then(|(name, bound)| Some((name, bound.parse().ok()?)));
    let (name, bound) = parts.ok_or("expected LOOP:N, such as `main.1:20`")?;
    Ok((name.to_owned(), bound))
}

/// How many paths EXPANDARG of `whale` adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExpandChoice {
    /// One path of one function or loop
    One,
    /// All paths of one function or loop
    Some,
    /// All paths, of what is called too, as long as that is not much
    All,
}

/// Which bodies `funfrog` brings back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RefineChoice {
    /// Those of calls that the error trace rests on
    Guided,
    /// Those of all calls
    Greedy,
}

/// How strong summaries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummariesChoice {
    /// As McMillan's system gives them
    Strong,
    /// As Pudlák's system gives them: weaker
    Symmetric,
}

/// Where `predicate` tracks a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LocalityChoice {
    /// At the location where a path was refuted with it
    Location,
    /// In the whole function
    Function,
    /// Everywhere
    Global,
}

/// How precisely `predicate` describes states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AbstractionChoice {
    /// By predicates that hold or do not
    Cartesian,
    /// By all combinations of predicates that are possible, as long as these are few
    Boolean,
}

/// Where `predicate` has locations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlocksChoice {
    /// Wherever control branches or meets
    Basic,
    /// At loops only
    Large,
}

/// What `predicate` does with calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CallsChoice {
    /// Look into each of them, in its context
    Inline,
    /// Describe functions by what they give back for what they are given, once for all calls
    Summaries,
}

/// What is done with a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreModeChoice {
    /// Nothing
    Off,
    /// Answers are taken from it, and nothing is changed
    ReadOnly,
    /// Answers are taken from it, and new ones are added
    ReadWrite,
    /// As `read-write`, and all that is stored about the properties is checked; what does not hold is an error message
    Verify,
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    /// Lines to read
    Human,
    /// One JSON document on standard output, and nothing else
    Json,
}
