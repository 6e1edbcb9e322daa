//! `bench compare`: what changed between two result files.

use std::path::Path;

use rorqual_benchmark::{Change, Comparison, Counts, Pair, Results, Row, Settings, Verdict, cactus, scatter};

use super::arguments::BenchCompare;
use super::table::Table;
use crate::console;
use crate::exit::{Problem, Status};

/// Prints the differences and draws the plots that were asked for.
pub(crate) fn compare(arguments: &BenchCompare) -> Result<Status, Problem> {
    let (first, second) = (read(&arguments.first)?, read(&arguments.second)?);
    let comparison = Comparison::new(&first.rows, &second.rows);
    if comparison.pairs.is_empty() {
        let [first, second] = [&arguments.first, &arguments.second].map(|path| path.display());
        return Err(Problem::File(format!("`{first}` and `{second}` have no task in common")));
    }
    let names = names(arguments);
    let names = names.each_ref().map(String::as_str);
    if let Some(path) = &arguments.scatter {
        write(path, &scatter(&comparison, names))?;
    }
    if let Some(path) = &arguments.cactus {
        write(path, &cactus([&first.rows, &second.rows], names))?;
    }
    let heading = heading(arguments, [&first, &second]);
    console::print((heading + &text(&comparison)).as_bytes())?;
    let is_worse = comparison.changed(Change::Broken).next().is_some();
    Ok(if is_worse { Status::Violation } else { Status::Success })
}

fn read(path: &Path) -> Result<Results, Problem> {
    Results::read(path).map_err(|error| Problem::File(format!("cannot read `{}`: {error}", path.display())))
}

fn write(path: &Path, svg: &str) -> Result<(), Problem> {
    let failed = |error| Problem::Output(format!("cannot write to `{}`: {error}", path.display()));
    std::fs::write(path, svg).map_err(failed)
}

/// Names for plots, as short as they can be told apart.
fn names(arguments: &BenchCompare) -> [String; 2] {
    let paths = [&arguments.first, &arguments.second];
    let short = paths.map(|path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned());
    if short[0] == short[1] { paths.map(|path| path.display().to_string()) } else { short }
}

fn heading(arguments: &BenchCompare, results: [&Results; 2]) -> String {
    let line = |letter, path: &Path, results: &Results| {
        let settings = results.settings.as_ref().map_or("no results".to_owned(), described);
        format!("{letter}: {} ({settings})\n", path.display())
    };
    line('A', &arguments.first, results[0]) + &line('B', &arguments.second, results[1]) + "\n"
}

fn described(settings: &Settings) -> String {
    let Settings { tool, search, time_limit, memory_limit, certify, .. } = settings;
    let memory = *memory_limit as f64 / 1e9;
    let evidence = if *certify { ", evidence checked" } else { "" };
    format!("{tool}, engine {search}, {} s, {memory} GB{evidence}", time_limit.as_secs_f64())
}

fn text(comparison: &Comparison) -> String {
    let changes: String = Change::ALL.iter().map(|change| changes(comparison, *change)).collect();
    let changes = if changes.is_empty() { "no status changed\n\n".to_owned() } else { changes };
    let missing = missing("A", &comparison.only_first) + &missing("B", &comparison.only_second);
    changes + &totals(comparison) + "\n" + &times(comparison) + &missing
}

fn changes(comparison: &Comparison, change: Change) -> String {
    let title = match change {
        Change::Broken => "now wrong or rejected",
        Change::Lost => "lost",
        Change::Silenced => "no longer wrong, not solved",
        Change::Solved => "newly solved",
    };
    let lines: Vec<String> = comparison.changed(change).map(line).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("{title}: {}\n{}\n", lines.len(), lines.concat())
}

fn line(pair: &Pair) -> String {
    format!("  {}: {} → {}\n", pair.task, side(&pair.first), side(&pair.second))
}

fn side(row: &Row) -> String {
    match &row.verdict {
        Verdict::Unknown(reason) => format!("unknown ({})", reason.text),
        verdict => format!("{} {verdict} in {:.2} s", row.status(), row.usage.cpu.as_secs_f64()),
    }
}

fn totals(comparison: &Comparison) -> String {
    let sides = comparison.totals();
    let mut table = Table::new(["", "A", "B"].map(str::to_owned));
    let mut add = |name: &str, value: &dyn Fn(&Counts) -> String| {
        table.add(vec![name.to_owned(), value(&sides[0]), value(&sides[1])]);
    };
    add("common tasks", &|counts| counts.tasks.to_string());
    add("correct safe", &|counts| counts.correct_safe.to_string());
    add("correct unsafe", &|counts| counts.correct_unsafe.to_string());
    add("wrong", &|counts| counts.wrong.to_string());
    add("rejected", &|counts| counts.rejected.to_string());
    add("unknown", &|counts| counts.unknown.values().sum::<usize>().to_string());
    add("score", &|counts| counts.score.to_string());
    add("CPU s of solved", &|counts| format!("{:.1}", counts.cpu_total().as_secs_f64()));
    table.text()
}

fn times(comparison: &Comparison) -> String {
    let Some(time) = comparison.common_time() else {
        return "no task is solved by both\n".to_owned();
    };
    let [first, second] = [time.first, time.second].map(|time| time.as_secs_f64());
    format!(
        "solved by both: {}, CPU time {first:.1} s → {second:.1} s; B takes {:.2} times as long (geometric mean)\n",
        counted(time.tasks),
        time.ratio
    )
}

fn missing(side: &str, tasks: &[String]) -> String {
    match tasks {
        [] => String::new(),
        [only] => format!("only in {side}: {only}\n"),
        [first, ..] => format!("only in {side}: {}, the first is {first}\n", counted(tasks.len())),
    }
}

fn counted(tasks: usize) -> String {
    if tasks == 1 { "1 task".to_owned() } else { format!("{tasks} tasks") }
}
