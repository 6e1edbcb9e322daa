//! The tables of `docs/algorithms/predicate.md`: how the locality of predicates pays off for the program of figure 1 of
//! *Abstractions from Proofs*, and IMPACT and predicate abstraction side by side on drivers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::{Report, Trouble};

/// How many predicates the program of figure 1 has.
const SIZES: [usize; 4] = [10, 20, 40, 80];
/// Where they are tracked.
const LOCALITIES: [&str; 3] = ["location", "function", "global"];
/// The engines that are compared on drivers.
const ENGINES: [&str; 2] = ["impact", "predicate"];

/// `predicates`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The binary that is measured
    #[arg(long, default_value = "target/release/rorqual")]
    binary: PathBuf,
    /// The CPU time of one run
    #[arg(long, default_value = "60s")]
    time_limit: String,
    /// Folders with task definitions of drivers; without any, the table of figure 1 is made
    drivers: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let table = if arguments.drivers.is_empty() { figure_1(arguments)? } else { drivers(arguments)? };
    print!("{table}");
    Ok(Report::Clean)
}

/// What a run has told.
struct Told {
    verdict: String,
    /// The lines of `--stats` by their names.
    statistics: BTreeMap<String, String>,
}

impl Told {
    /// A statistic; those that are zero are not told, and without any the run has told nothing.
    fn statistic(&self, name: &str) -> &str {
        let nothing = if self.statistics.contains_key("cpu time") { "0" } else { "-" };
        self.statistics.get(name).map_or(nothing, String::as_str)
    }

    /// How many predicates there are, and how many at a location on average and at most.
    fn predicates(&self) -> String {
        let number = |name| self.statistic(name).parse::<f64>().ok();
        let shares = number("predicates at all locations").zip(number("locations with predicates"));
        let Some((all, locations)) = shares else { return "-".to_owned() };
        if locations == 0.0 {
            return "0".to_owned();
        }
        let most = self.statistic("most predicates at a location");
        format!("{}, {:.1}/{most}", self.statistic("predicates"), all / locations)
    }
}

fn check(arguments: &Arguments, file: &Path, options: &[&str]) -> Result<Told, Trouble> {
    let mut command = Command::new(&arguments.binary);
    command.arg("check").arg(file).args(options).args(["--stats", "--time-limit", &arguments.time_limit]);
    let output = command.output()?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let verdict = out.split([',', ':', '\n']).next().unwrap_or_default().to_owned();
    let pairs = err.lines().filter_map(|line| line.trim().split_once(": "));
    let statistics = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Ok(Told { verdict, statistics })
}

/// The program of figure 1: each predicate matters between two of its statements only.
fn program(predicates: usize) -> String {
    let mut text = "void reach_error(void);\nint __VERIFIER_nondet_int(void);\nint main(void) {\n".to_owned();
    text += "    int held = 0;\n";
    for number in 1..=predicates {
        let _ = writeln!(text, "    int p{number} = __VERIFIER_nondet_int();");
    }
    for number in 1..=predicates {
        let _ = writeln!(text, "    if (p{number}) {{ if (held) reach_error(); held = 1; }}");
        let _ = writeln!(text, "    if (p{number}) {{ if (!held) reach_error(); held = 0; }}");
    }
    text + "    return 0;\n}\n"
}

fn figure_1(arguments: &Arguments) -> Result<String, Trouble> {
    let mut table =
        "| n | predicates | verdict | abstract states | refinements | CPU s |\n|---|---|---|---|---|---|\n"
            .to_owned();
    let file = std::env::temp_dir().join(format!("rorqual-figure-1-{}.c", std::process::id()));
    for size in SIZES {
        std::fs::write(&file, program(size))?;
        for locality in LOCALITIES {
            let options = ["--engine", "predicate", "--blocks", "basic", "--predicates", locality];
            let told = check(arguments, &file, &options)?;
            let (nodes, refinements) = (told.statistic("nodes"), told.statistic("refinements"));
            let (time, verdict) = (told.statistic("cpu time"), &told.verdict);
            let _ = writeln!(table, "| {size} | {locality} | {verdict} | {nodes} | {refinements} | {time} |");
        }
    }
    std::fs::remove_file(&file)?;
    Ok(table)
}

fn drivers(arguments: &Arguments) -> Result<String, Trouble> {
    let mut table =
        "| driver | engine | verdict | refinements | vertices | predicates, average/maximum | CPU s |\n\
                     |---|---|---|---|---|---|---|\n"
            .to_owned();
    for folder in &arguments.drivers {
        let mut tasks: Vec<PathBuf> =
            std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, Trouble>>()?;
        tasks.retain(|task| task.extension().is_some_and(|extension| extension == "yml"));
        tasks.sort();
        for task in tasks {
            for engine in ENGINES {
                let told = check(arguments, &task, &["--engine", engine])?;
                let name = task.file_stem().unwrap_or_default().to_string_lossy();
                let (nodes, refinements) = (told.statistic("nodes"), told.statistic("refinements"));
                let (verdict, time) = (&told.verdict, told.statistic("cpu time"));
                let predicates = if engine == "predicate" { told.predicates() } else { "-".to_owned() };
                let _ = writeln!(
                    table,
                    "| {name} | {engine} | {verdict} | {refinements} | {nodes} | {predicates} | {time} |"
                );
            }
        }
    }
    Ok(table)
}
