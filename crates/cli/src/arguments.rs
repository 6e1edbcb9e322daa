//! The arguments of every command, with the words that explain them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use rorqual_cfa::{Allocation, Check, DataModel, UndefinedFunctions, UnknownCheck};

use crate::bench::arguments::Bench;
use crate::certify::Certify;
use crate::check::arguments::{CheckArguments, ResultFormat, StoreModeChoice};
use crate::check::strategy_names;
use crate::quantities::{self, DEFAULT_TIME_LIMIT, TimeLimit};
use crate::store::arguments::StoreCommand;
use crate::upgrade::arguments::UpgradeArguments;

/// A software model checker for C.
///
/// Proves that a program never calls an error function and never fails an assertion, for all inputs and all
/// unwindings, or shows an execution that does, or says why it cannot tell.
#[derive(Debug, Parser)]
#[command(
    name = "rorqual",
    version,
    disable_help_subcommand = true,
    after_help = "Exit codes: 0 success, 10 violation or undefined behaviour, 20 unknown, 64 wrong usage,\n\
                  65 unreadable program, 70 internal error.\n\n\
                  Examples:\n  \
                  rorqual check program.c\n  \
                  rorqual check task.yml --time-limit 60s --certificate task.cert\n  \
                  rorqual check program.c --store proofs\n  \
                  rorqual upgrade old.c --to new.c\n  \
                  rorqual certify task.yml --certificate task.cert\n  \
                  rorqual replay program.c --witness witness.yml\n  \
                  rorqual run program.c --inputs inputs.txt\n  \
                  rorqual show cfa program.c"
)]
pub(crate) struct Invocation {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show a program as Rorqual sees it
    #[command(subcommand)]
    Show(Show),
    /// Prove that a program keeps its specification, or show how it does not
    Check(CheckArguments),
    /// Check versions of a program, with what was proved of the earlier ones
    Upgrade(UpgradeArguments),
    /// Run a program and report violations and undefined behaviour
    Run(Run),
    /// Run many tasks with limits, and compare what comes out
    Bench(Bench),
    /// Run a program along a witness or a list of inputs, and confirm the violation
    Replay(crate::replay::Replay),
    /// Re-prove a certificate that a program is safe
    Certify(Certify),
    /// Look at stores of proofs, check them, and make them smaller
    #[command(subcommand)]
    Store(StoreCommand),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  rorqual completions bash > ~/.local/share/bash-completion/completions/rorqual"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    #[command(
        after_help = "Examples:\n  rorqual man | man -l -\n  rorqual man --output ~/.local/share/man/man1"
    )]
    Man {
        /// Write a page for each command into this directory instead
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// What can be shown.
#[derive(Debug, Subcommand)]
pub(crate) enum Show {
    /// Print the typed program with every conversion explicit
    #[command(after_help = "Examples:\n  \
                            rorqual show ast program.c\n  \
                            rorqual show ast -Iinclude -DDEBUG main.c list.c\n  \
                            rorqual show ast --data-model ilp32 driver.i")]
    Ast(ShowAst),
    /// Print the control-flow automata
    #[command(after_help = "Examples:\n  \
                            rorqual show cfa program.c\n  \
                            rorqual show cfa program.c --function main --format dot | dot -Tsvg > main.svg\n  \
                            rorqual show cfa --compile-commands build --format json\n  \
                            rorqual show cfa --summary tasks/ program.c")]
    Cfa(ShowCfa),
    /// Prove a program and print what its functions and loops require and ensure
    #[command(
        after_help = "`\\old(x)` is what `x` was at the start, `\\result` what the function returns.\n\n\
                            Examples:\n  \
                            rorqual show summaries program.c\n  \
                            rorqual show summaries task.yml --time-limit 60s"
    )]
    Summaries(ShowSummaries),
    /// List the loops of a program with the names that `check --unwindset` takes
    #[command(after_help = "Example:\n  rorqual show loops program.c")]
    Loops(ShowAst),
    /// List the properties of a program: every place where what is checked can be violated
    #[command(after_help = "The names are those that `check --property-id` takes.\n\n\
                            Examples:\n  \
                            rorqual show properties program.c --check all\n  \
                            rorqual show properties program.c --check bounds,overflow --format json")]
    Properties(ShowProperties),
    /// Print what a strategy does for a program, and why
    #[command(after_help = "Examples:\n  \
                            rorqual show strategy program.c\n  \
                            rorqual show strategy task.yml --strategy summaries")]
    Strategy(ShowStrategy),
    /// Print a recursive program as the engine `reduction` asks about it: C without recursion
    #[command(
        after_help = "Calls deeper than K end the program. Marked places are loops that run once: what holds there becomes a\n\
                      summary.\n\n\
                            Example:\n  rorqual show reduction program.c --k 2 > reduced.c"
    )]
    Reduction(ShowReduction),
    /// List the functions of the C library that are linked to programs which call them
    #[command(after_help = "Example:\n  rorqual show models strlen")]
    Models {
        /// Print the C text of these functions instead
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
}

/// `show ast`
#[derive(Debug, Args)]
pub(crate) struct ShowAst {
    #[command(flatten)]
    pub(crate) sources: Sources,
}

/// `show reduction`
#[derive(Debug, Args)]
pub(crate) struct ShowReduction {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// How deep calls of recursive functions are followed
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) k: usize,
}

/// `show properties`
#[derive(Debug, Args)]
pub(crate) struct ShowProperties {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// How to write the list
    #[arg(long, value_enum, default_value_t = ResultFormat::Human)]
    pub(crate) format: ResultFormat,
}

/// `show strategy`
#[derive(Debug, Args)]
pub(crate) struct ShowStrategy {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The strategy [default: auto]
    #[arg(long, value_parser = strategy_names(), value_name = "NAME")]
    pub(crate) strategy: Option<String>,
}

/// `show summaries`
#[derive(Debug, Args)]
pub(crate) struct ShowSummaries {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// Give up after this CPU time of all threads, such as `60s`, or never with `none`
    #[arg(long, value_name = "DURATION", value_parser = quantities::time_limit, default_value = DEFAULT_TIME_LIMIT)]
    pub(crate) time_limit: TimeLimit,
    /// Give up when more memory than this is needed, such as `4GB`
    #[arg(long, value_name = "SIZE", value_parser = quantities::size)]
    pub(crate) memory_limit: Option<u64>,
}

impl From<ShowSummaries> for CheckArguments {
    fn from(arguments: ShowSummaries) -> CheckArguments {
        let ShowSummaries { sources, time_limit, memory_limit } = arguments;
        CheckArguments {
            sources,
            engine: None,
            strategy: Some("contracts".to_owned()),
            threads: None,
            expand: None,
            merge: None,
            analyzer: None,
            analyzer_command: None,
            refine: None,
            summaries: None,
            unwind: None,
            unwindset: Vec::new(),
            depth: None,
            predicates: None,
            abstraction: None,
            blocks: None,
            calls: None,
            predicates_in: None,
            predicates_out: None,
            time_limit,
            memory_limit,
            stop_on_violation: false,
            format: ResultFormat::Human,
            witness: None,
            certificate: None,
            harness: None,
            stats: false,
            store: None,
            store_mode: StoreModeChoice::Off,
            store_limit: None,
        }
    }
}

/// `show cfa`
#[derive(Debug, Args)]
pub(crate) struct ShowCfa {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// How to write the automata
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Show only this function; may be given more than once
    #[arg(long = "function", value_name = "NAME")]
    pub(crate) functions: Vec<String>,
    /// Count programs and unsupported operations instead; each FILE is a program of its own, and
    /// directories are searched for task definitions
    #[arg(long, conflicts_with_all = ["format", "functions", "compile_commands"])]
    pub(crate) summary: bool,
}

/// How automata are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Lines to read
    Text,
    /// A graph for Graphviz
    Dot,
    /// JSON for other tools
    Json,
}

/// `run`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                        rorqual run program.c\n  \
                        rorqual run program.c -- first second\n  \
                        rorqual run task.yml --seed 1 --record-inputs found.txt\n  \
                        rorqual run task.yml --inputs found.txt --check overflow")]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// Take the program's nondeterministic inputs from this file, or from standard input (`-`)
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub(crate) inputs: Option<PathBuf>,
    /// Choose nondeterministic inputs at random, starting from this number
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Write the inputs that were used to this file, for `--inputs`
    #[arg(long, value_name = "FILE")]
    pub(crate) record_inputs: Option<PathBuf>,
    /// What reading an uninitialised variable means
    #[arg(long, value_enum, default_value_t = Uninitialized::Report, value_name = "MEANING")]
    pub(crate) uninitialized: Uninitialized,
    /// Give up after this many steps
    #[arg(long, value_name = "N")]
    pub(crate) step_limit: Option<u64>,
    /// Give up when the program's objects need more than this, such as `512MiB`
    #[arg(long, value_name = "SIZE", value_parser = quantities::size)]
    pub(crate) memory_limit: Option<u64>,
    /// Give up after this time, such as `60s`
    #[arg(long, value_name = "DURATION", value_parser = quantities::duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Arguments for the program's `main`
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<OsString>,
}

/// What reading an uninitialised variable means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Uninitialized {
    /// Undefined behaviour
    Report,
    /// An input of the program
    Input,
}

/// Which program, and how to read it.
#[derive(Debug, Args)]
pub(crate) struct Sources {
    /// C files that make up one program, or one task definition (`.yml`)
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub(crate) files: Vec<PathBuf>,
    /// The widths of `long` and pointers [default: lp64, or what the task says]
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL", help_heading = READING)]
    data_model: Option<Model>,
    /// Check that the program keeps to the rules of this specification automaton; may be given several times
    #[arg(long = "spec", value_name = "F.spec", help_heading = READING)]
    pub(crate) specifications: Vec<PathBuf>,
    /// Search this directory for included files
    #[arg(short = 'I', value_name = "DIR", help_heading = READING)]
    pub(crate) include_directories: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = READING)]
    defines: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = READING)]
    undefines: Vec<String>,
    /// Read this file before each FILE; also spelled `-include`
    #[arg(long = "include", value_name = "FILE", help_heading = READING)]
    pub(crate) preincludes: Vec<PathBuf>,
    /// Search this directory for `#include "…"` only; also spelled `-iquote`
    #[arg(long = "iquote", value_name = "DIR", help_heading = READING)]
    pub(crate) quote_directories: Vec<PathBuf>,
    /// Search this directory after those of `-I`; also spelled `-isystem`
    #[arg(long = "isystem", value_name = "DIR", help_heading = READING)]
    pub(crate) system_directories: Vec<PathBuf>,
    /// Take files and settings from `compile_commands.json` in this directory
    #[arg(long, value_name = "DIR", help_heading = READING)]
    pub(crate) compile_commands: Option<PathBuf>,
    /// The function that the program starts with [default: main]
    #[arg(long, value_name = "NAME", help_heading = READING)]
    pub(crate) entry: Option<String>,
    /// A call of this function is a violation [default: `__VERIFIER_error`, `reach_error`]
    #[arg(long = "error-function", value_name = "NAME", help_heading = READING)]
    pub(crate) error_functions: Vec<String>,
    /// What to check the program for: `assertions`, `bounds`, `null`, `use-after-free`, `double-free`, `leak`,
    /// `div-zero`, `shift`, `overflow`, `unsigned-overflow`, `conversion`, `uninitialized`, `const-write`,
    /// `bit-scan`, `vla-size`, `unreachable`, `unreachable-code`, or `all` of them [default: assertions, or what
    /// the property says]
    #[arg(long = "check", value_name = "CHECKS", value_delimiter = ',', conflicts_with = "property",
          help_heading = READING)]
    pub(crate) checks: Vec<CheckChoice>,
    /// Check only these properties, as `rorqual show properties` lists them; without `--check`, their checks are meant
    #[arg(long = "property-id", value_name = "ID", value_delimiter = ',', help_heading = READING)]
    pub(crate) property_ids: Vec<String>,
    /// Take entry, error function and checks from this property file
    #[arg(long, value_name = "FILE.prp", conflicts_with = "error_functions", help_heading = READING)]
    pub(crate) property: Option<PathBuf>,
    /// Also read this file, with functions that the program calls and does not define
    #[arg(long = "model", value_name = "FILE.c", help_heading = READING)]
    pub(crate) models: Vec<PathBuf>,
    /// What is assumed of functions that are called and defined nowhere, and that the table of the C library does not
    /// have [default: havoc; any for task definitions]
    #[arg(long, value_enum, value_name = "MEANING", help_heading = READING)]
    pub(crate) undefined: Option<Undefined>,
    /// Whether memory that is asked for is there; what is larger than any object can be never is
    #[arg(long, value_enum, default_value_t = AllocationChoice::Succeeds, value_name = "MEANING",
          help_heading = READING)]
    pub(crate) allocation: AllocationChoice,
    /// `-D` and `-U` in the order in which they were given.
    #[arg(skip)]
    pub(crate) macros: Vec<Macro>,
}

/// What is assumed of functions that are called and defined nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Undefined {
    /// They return any value and write nothing
    Any,
    /// They return any value, and may write through pointers to non-const that they get
    Havoc,
    /// They may also write all global variables, and what other such functions got pointers to
    HavocAll,
    /// Nothing: a program that calls one has no verdict
    Error,
}

impl From<Undefined> for UndefinedFunctions {
    fn from(undefined: Undefined) -> UndefinedFunctions {
        match undefined {
            Undefined::Any => UndefinedFunctions::Any,
            Undefined::Havoc => UndefinedFunctions::Havoc,
            Undefined::HavocAll => UndefinedFunctions::HavocAll,
            Undefined::Error => UndefinedFunctions::Refuse,
        }
    }
}

/// Whether memory that is asked for is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AllocationChoice {
    /// It is; a proof says that it rests on that
    Succeeds,
    /// It may be or not: `malloc` and its like return null or succeed
    MayFail,
}

impl From<AllocationChoice> for Allocation {
    fn from(choice: AllocationChoice) -> Allocation {
        match choice {
            AllocationChoice::Succeeds => Allocation::Succeeds,
            AllocationChoice::MayFail => Allocation::MayFail,
        }
    }
}

/// What is written behind `--check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CheckChoice {
    /// One check.
    One(Check),
    /// All of them.
    All,
}

impl FromStr for CheckChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<CheckChoice, String> {
        if text == "all" {
            return Ok(CheckChoice::All);
        }
        text.parse().map(CheckChoice::One).map_err(|error: UnknownCheck| format!("{error}, or all"))
    }
}

const READING: &str = "Reading the program";

/// A setting of a macro; of two for one macro the later counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Macro {
    /// `-D`
    Define(String),
    /// `-U`
    Undefine(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Model {
    /// 32-bit `int`, `long` and pointers
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers
    Lp64,
}

impl Sources {
    /// The data model that was asked for.
    pub(crate) fn data_model(&self) -> Option<DataModel> {
        self.data_model.map(|model| match model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        })
    }

    /// The options as a command line that means the same, without FILEs.
    pub(crate) fn options(&self) -> Vec<OsString> {
        let mut all = Vec::new();
        let mut add = |flag: &str, value: OsString| all.extend([OsString::from(flag), value]);
        if let Some(model) = self.data_model {
            add("--data-model", word(&model));
        }
        let paths = [
            ("-I", &self.include_directories),
            ("--include", &self.preincludes),
            ("--iquote", &self.quote_directories),
            ("--isystem", &self.system_directories),
            ("--model", &self.models),
            ("--spec", &self.specifications),
        ];
        for (flag, path) in paths.iter().flat_map(|(flag, paths)| paths.iter().map(move |path| (flag, path)))
        {
            add(flag, path.into());
        }
        for setting in &self.macros {
            match setting {
                Macro::Define(text) => add("-D", text.into()),
                Macro::Undefine(name) => add("-U", name.into()),
            }
        }
        for (flag, path) in [("--compile-commands", &self.compile_commands), ("--property", &self.property)] {
            if let Some(path) = path {
                add(flag, path.into());
            }
        }
        if let Some(entry) = &self.entry {
            add("--entry", entry.into());
        }
        for name in &self.error_functions {
            add("--error-function", name.into());
        }
        for choice in &self.checks {
            match choice {
                CheckChoice::One(check) => add("--check", check.to_string().into()),
                CheckChoice::All => add("--check", "all".into()),
            }
        }
        for id in &self.property_ids {
            add("--property-id", id.into());
        }
        if let Some(undefined) = &self.undefined {
            add("--undefined", word(undefined));
        }
        add("--allocation", word(&self.allocation));
        all
    }

    /// The checks that were asked for, sorted.
    pub(crate) fn checks(&self) -> Option<Vec<Check>> {
        let all = |choice: &CheckChoice| match *choice {
            CheckChoice::One(check) => vec![check],
            CheckChoice::All => Check::ALL.to_vec(),
        };
        let chosen: BTreeSet<Check> = self.checks.iter().flat_map(all).collect();
        (!chosen.is_empty()).then(|| chosen.into_iter().collect())
    }

    /// Merges `-D` and `-U` by their positions on the command line.
    fn order_macros(&mut self, matches: &ArgMatches) {
        let indices = |name| matches.indices_of(name).into_iter().flatten();
        let defines = indices("defines").zip(self.defines.drain(..).map(Macro::Define));
        let undefines = indices("undefines").zip(self.undefines.drain(..).map(Macro::Undefine));
        let mut all: Vec<_> = defines.chain(undefines).collect();
        all.sort_by_key(|(index, _)| *index);
        self.macros = all.into_iter().map(|(_, setting)| setting).collect();
    }
}

/// A choice as it is written on the command line.
fn word(choice: &impl ValueEnum) -> OsString {
    choice.to_possible_value().map(|value| OsString::from(value.get_name())).unwrap_or_default()
}

impl Invocation {
    /// Reads the arguments of the process.
    pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Invocation, clap::Error> {
        let matches = Invocation::command().try_get_matches_from(arguments)?;
        let mut invocation = Invocation::from_arg_matches(&matches)?;
        let sources = match &mut invocation.command {
            Command::Show(Show::Ast(ast) | Show::Loops(ast)) => Some(&mut ast.sources),
            Command::Show(Show::Cfa(cfa)) => Some(&mut cfa.sources),
            Command::Show(Show::Reduction(reduction)) => Some(&mut reduction.sources),
            Command::Show(Show::Summaries(summaries)) => Some(&mut summaries.sources),
            Command::Show(Show::Strategy(strategy)) => Some(&mut strategy.sources),
            Command::Show(Show::Properties(properties)) => Some(&mut properties.sources),
            Command::Check(check) => Some(&mut check.sources),
            Command::Upgrade(upgrade) => Some(&mut upgrade.sources),
            Command::Run(run) => Some(&mut run.sources),
            Command::Replay(replay) => Some(&mut replay.sources),
            Command::Certify(certify) => Some(&mut certify.sources),
            Command::Show(Show::Models { .. })
            | Command::Bench(_)
            | Command::Store(_)
            | Command::Completions { .. }
            | Command::Man { .. } => None,
        };
        if let Some(sources) = sources {
            sources.order_macros(innermost(&matches));
        }
        Ok(invocation)
    }
}

fn innermost(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| innermost(inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Invocation::command().debug_assert();
    }

    #[test]
    fn macros_keep_their_order() {
        let line = "rorqual show ast -DA -UB -D C=1 -U A x.c";
        let invocation = Invocation::parse(line.split(' ').map(OsString::from).collect()).unwrap();
        let Command::Show(Show::Ast(ast)) = invocation.command else { panic!("another command") };
        let [define, undefine] =
            [|name: &str| Macro::Define(name.into()), |name: &str| Macro::Undefine(name.into())];
        assert_eq!(ast.sources.macros, [define("A"), undefine("B"), define("C=1"), undefine("A")]);
    }
}
