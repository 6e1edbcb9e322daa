//! The arguments of `check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};
use rorqual_engines::whale;

use crate::arguments::Sources;
use crate::quantities;

/// `check`
#[derive(Debug, Args)]
#[command(after_help = "The first line of standard output is the verdict: `safe`, `safe, assuming …`,\n\
                        `unsafe: …` or `unknown: …`.\n\
                        Exit codes: 0 safe, 10 unsafe, 20 unknown, 64 wrong usage, 65 unreadable program,\n\
                        70 internal error.\n\n\
                        Examples:\n  \
                        rorqual check program.c\n  \
                        rorqual check task.yml --time-limit 60s --certificate task.cert\n  \
                        rorqual check main.c list.c -Iinclude --witness found.yml --harness test.c\n  \
                        rorqual check driver.i --data-model ilp32 --error-function bug --format json")]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// How to search
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub(crate) engine: Engine,
    /// How many paths `whale` looks at at once
    #[arg(long, value_enum, default_value_t = Expand::All, value_name = "HOW", help_heading = WHALE)]
    pub(crate) expand: Expand,
    /// Whether `whale` explores a function once for all its calls, instead of once for each [default: yes if the
    /// program has no recursion]
    #[arg(long, value_parser = BoolishValueParser::new(), value_name = "yes|no", help_heading = WHALE)]
    pub(crate) merge: Option<bool>,
    /// Let `whale` guess from refutations only, as in its paper, and not from samples and facts
    #[arg(long, help_heading = WHALE)]
    pub(crate) no_lessons: bool,
    /// Whether the proof has to consist of summaries
    #[arg(skip)]
    pub(crate) wants_summaries: bool,
    /// Give up after this CPU time, such as `60s`
    #[arg(long, value_name = "DURATION", value_parser = quantities::duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Give up when more memory than this is needed, such as `4GB`
    #[arg(long, value_name = "SIZE", value_parser = quantities::size)]
    pub(crate) memory_limit: Option<u64>,
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
    /// Tell on standard error how much work it was
    #[arg(long)]
    pub(crate) stats: bool,
}

const EVIDENCE: &str = "Evidence";

const WHALE: &str = "Guards and summaries";

/// How many paths EXPANDARG of `whale` adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expand {
    /// One path of one function or loop
    One,
    /// All paths of one function or loop
    Some,
    /// All paths, of what is called too, as long as that is not much
    All,
}

impl CheckArguments {
    /// The settings of `whale`.
    pub(crate) fn whale(&self) -> whale::Config {
        let expand = match self.expand {
            Expand::One => whale::Expand::One,
            Expand::Some => whale::Expand::Some,
            Expand::All => whale::Expand::All,
        };
        let invariants = !self.no_lessons && !self.wants_summaries;
        whale::Config { lessons: !self.no_lessons, invariants, expand, merge: self.merge }
    }
}

/// The engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Test runs, a short bounded search, then `impact`; `whale` for recursive programs
    Auto,
    /// Lazy abstraction with interpolants: proofs for all unwindings
    Impact,
    /// Test runs, then guards and summaries of functions and loops: proofs for recursive programs, without inlining
    Whale,
    /// Bounded model checking: deeper and deeper, a proof only if all executions end
    Bmc,
}

impl Engine {
    /// Whether the program is run with made-up inputs first.
    pub(crate) fn starts_with_test_runs(self) -> bool {
        matches!(self, Engine::Auto | Engine::Whale)
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Impact => "impact",
            Engine::Whale => "whale",
            Engine::Bmc => "bmc",
        }
    }
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    /// Lines to read
    Human,
    /// One JSON object on standard output, after the line with the verdict
    Json,
}
