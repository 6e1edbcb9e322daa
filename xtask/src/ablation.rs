//! What each technique earns: tasks are solved with each engine as its paper describes it, with `auto`, and the results are
//! put side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use rorqual_benchmark::{Results, Row};

use crate::{Report, Trouble};

/// What is compared, in the order of the columns.
const SEARCHES: [&str; 10] =
    ["auto", "impact", "predicate", "whale", "reduction", "bmc", "ic3", "kinduction", "induction", "testing"];

#[derive(Args)]
pub(crate) struct Arguments {
    /// Directories with task definitions
    #[arg(value_name = "DIR", required = true)]
    tasks: Vec<PathBuf>,
    /// CPU time for each task
    #[arg(long, default_value = "20s")]
    time_limit: String,
    /// How many tasks run at a time
    #[arg(long, default_value = "1")]
    jobs: String,
    /// Keep the results of each engine here; what is there already is not measured again
    #[arg(long, default_value = "target/ablation", value_name = "DIR")]
    results: PathBuf,
}

/// Runs all, and prints two tables in Markdown: solved tasks by folder, and what found the answers of `auto`.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let tool = crate::csmith::build()?;
    std::fs::create_dir_all(&arguments.results)?;
    let mut all = BTreeMap::new();
    for search in SEARCHES {
        let output = arguments.results.join(format!("{search}.csv"));
        bench(&tool, arguments, search, &output)?;
        all.insert(search, Results::read(&output).map_err(|error| error.to_string())?.rows);
    }
    let mut text = solved_table(&all);
    text += "\n";
    text += &origin_table(&all["auto"]);
    print!("{text}");
    let is_wrong = |row: &Row| !row.is_solved() && row.verdict.to_string() != "unknown";
    Ok(if all.values().flatten().any(is_wrong) { Report::Faults } else { Report::Clean })
}

fn bench(tool: &Path, arguments: &Arguments, search: &str, output: &Path) -> Result<(), Trouble> {
    let mut command = Command::new(tool);
    command.arg("bench").args(&arguments.tasks).args(["--engine", search, "--certify"]);
    command.args(["--time-limit", &arguments.time_limit, "--jobs", &arguments.jobs]);
    command.arg("--output").arg(output);
    if output.exists() {
        command.arg("--resume");
    }
    // 10 says that a verdict is wrong, which the table will show.
    match command.status()?.code() {
        Some(0 | 10) => Ok(()),
        code => Err(format!("`rorqual bench --engine {search}` ended with {code:?}").into()),
    }
}

/// Solved tasks of each folder, by engine; the last line has the sums.
fn solved_table(all: &BTreeMap<&str, Vec<Row>>) -> String {
    let folders: BTreeSet<&str> = all.values().flatten().map(Row::folder).collect();
    let mut text = format!("| Folder | Tasks | {} |\n", SEARCHES.join(" | "));
    let _ = writeln!(text, "|---|---|{}", "---|".repeat(SEARCHES.len()));
    for folder in folders.iter().copied().map(Some).chain([None]) {
        let counts = |search: &str| {
            let rows = all[search].iter().filter(|row| folder.is_none_or(|folder| row.folder() == folder));
            let rows: Vec<&Row> = rows.collect();
            (rows.len(), rows.iter().filter(|row| row.is_solved()).count())
        };
        let solved = SEARCHES.map(|search| counts(search).1.to_string()).join(" | ");
        let _ = writeln!(text, "| {} | {} | {solved} |", folder.unwrap_or("all"), counts("auto").0);
    }
    text
}

/// What found the answers.
fn origin_table(rows: &[Row]) -> String {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_solved()) {
        let column = usize::from(row.verdict.to_string() == "unsafe");
        counts.entry(&row.origin).or_default()[column] += 1;
    }
    let mut text = String::from("| Found by | Safe | Unsafe |\n|---|---|---|\n");
    for (origin, [safe, refuted]) in counts {
        let _ = writeln!(text, "| {origin} | {safe} | {refuted} |");
    }
    text
}
