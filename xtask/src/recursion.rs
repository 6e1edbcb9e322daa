//! The table of the paper on `CPArec`: how deep calls were followed, the time, and the verdict, for each task and each engine
//! that proves recursive programs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::{Report, Trouble};

/// What is compared: the heading of its columns, and the options of `check`.
const SEARCHES: [(&str, &[&str]); 3] = [
    ("whale", &["--engine", "whale"]),
    ("reduction, impact", &["--engine", "reduction", "--analyzer", "impact"]),
    ("reduction, predicate", &["--engine", "reduction", "--analyzer", "predicate"]),
];

/// `recursion`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The directory with task definitions
    #[arg(value_name = "DIR")]
    tasks: PathBuf,
    /// The binary that is measured; by default it is built first
    #[arg(long)]
    binary: Option<PathBuf>,
    /// The CPU time of one run
    #[arg(long, default_value = "60s")]
    time_limit: String,
}

/// What came out of one run.
struct Measured {
    verdict: &'static str,
    depth: Option<u64>,
    seconds: f64,
}

/// Runs all, and prints a table in Markdown.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let tool = arguments.binary.clone().map_or_else(crate::csmith::build, Ok)?;
    let mut tasks = Vec::new();
    for entry in std::fs::read_dir(&arguments.tasks)? {
        let path = entry?.path();
        tasks.extend(path.extension().is_some_and(|kind| kind == "yml").then_some(path));
    }
    tasks.sort();
    let headings: Vec<&str> = SEARCHES.iter().map(|(name, _)| *name).collect();
    println!("| Task | {} | k |", headings.join(" | "));
    println!("|---|{}---|", "---|".repeat(SEARCHES.len()));
    let mut solved = [0; SEARCHES.len()];
    for task in &tasks {
        let mut line = format!("| {}", task.file_stem().unwrap_or_default().to_string_lossy());
        let mut depth = None;
        for (number, (_, options)) in SEARCHES.iter().enumerate() {
            let measured = measure(&tool, task, options, &arguments.time_limit)?;
            let is_solved = measured.verdict != "unknown";
            solved[number] += usize::from(is_solved);
            let time = if is_solved { format!(" {:.1} s", measured.seconds) } else { String::new() };
            let _ = write!(line, " | {}{time}", measured.verdict);
            depth = measured.depth.filter(|_| is_solved).or(depth);
        }
        println!("{line} | {} |", depth.map_or_else(String::new, |depth| depth.to_string()));
    }
    let counts: Vec<String> = solved.iter().map(|count| format!("{count} of {}", tasks.len())).collect();
    println!("| solved | {} | |", counts.join(" | "));
    Ok(Report::Clean)
}

fn measure(tool: &Path, task: &Path, options: &[&str], limit: &str) -> Result<Measured, Trouble> {
    let mut command = Command::new(tool);
    command.arg("check").arg(task).args(options).args(["--format", "json", "--stats", "--time-limit", limit]);
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let number = |name: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(&format!("\"{name}\": ")));
        line.and_then(|value| value.trim_end_matches(',').parse::<f64>().ok())
    };
    let verdict = match output.status.code() {
        Some(0) => "safe",
        Some(10) => "unsafe",
        _ => "unknown",
    };
    // The last depth without an error: one is found one deeper.
    let depth = number("depth_of_recursion").unwrap_or(0.0) as u64 + u64::from(verdict == "unsafe");
    let seconds = number("cpu_seconds").unwrap_or(0.0);
    Ok(Measured { verdict, depth: options.contains(&"reduction").then_some(depth), seconds })
}
