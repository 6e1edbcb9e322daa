//! Rorqual and CBMC on the same tasks, one task at a time. CBMC is run as its users do for a complete answer: with
//! unwinding assertions, and twice as many iterations until it proves, refutes or the time is over.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use rorqual_benchmark::Results;

use crate::{Report, Trouble};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Directories with task definitions
    #[arg(value_name = "DIR", required = true)]
    tasks: Vec<PathBuf>,
    /// The program `cbmc`
    #[arg(long, default_value = "cbmc", value_name = "FILE")]
    cbmc: PathBuf,
    /// Time for each task
    #[arg(long, default_value = "20s", value_parser = crate::parse_duration)]
    time_limit: Duration,
    /// The engine of Rorqual
    #[arg(long, default_value = "auto")]
    engine: String,
}

/// CBMC's verdict, and how long it took.
struct Answer {
    /// `true`, `false`, or none.
    verdict: Option<bool>,
    seconds: f64,
}

/// Unwindings with more iterations are not tried.
const MOST_ITERATIONS: u64 = 1 << 14;

/// Runs both, and prints a table in Markdown and the ratio of times on tasks that both solve.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let tool = crate::csmith::build()?;
    let folder = tempfile::tempdir()?;
    let output = folder.path().join("rorqual.csv");
    let limit = format!("{}s", arguments.time_limit.as_secs_f64());
    let status = Command::new(&tool)
        .arg("bench")
        .args(&arguments.tasks)
        .args(["--engine", &arguments.engine, "--certify", "--jobs", "1", "--time-limit", &limit, "--output"])
        .arg(&output)
        .stdout(Stdio::null())
        .status()?;
    if !matches!(status.code(), Some(0 | 10)) {
        return Err(format!("`rorqual bench` ended with {status}").into());
    }
    let rows = Results::read(&output).map_err(|error| error.to_string())?.rows;
    let (mut ours, mut theirs, mut wrong, mut ratios) = (0, 0, [0, 0], Vec::new());
    println!("| Task | Rorqual | s | CBMC | s |\n|---|---|---|---|---|");
    for row in &rows {
        let expected = row.expected.to_string() == "safe";
        let answer = cbmc(arguments, Path::new(&row.task))?;
        let is_solved = answer.verdict == Some(expected);
        ours += usize::from(row.is_solved());
        theirs += usize::from(is_solved);
        wrong[0] += usize::from(!row.is_solved() && row.verdict.to_string() != "unknown");
        wrong[1] += usize::from(answer.verdict == Some(!expected));
        let seconds = row.usage.wall.as_secs_f64();
        if row.is_solved() && is_solved {
            ratios.push((seconds.max(0.01) / answer.seconds.max(0.01)).ln());
        }
        let word = answer.verdict.map_or("unknown", |safe| if safe { "safe" } else { "unsafe" });
        println!("| {} | {} | {seconds:.2} | {word} | {:.2} |", row.task, row.verdict, answer.seconds);
    }
    println!(
        "\nof {} tasks: Rorqual solves {ours} ({} wrong), CBMC {theirs} ({} wrong)",
        rows.len(),
        wrong[0],
        wrong[1]
    );
    if !ratios.is_empty() {
        let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
        println!(
            "on the {} that both solve, Rorqual takes {mean:.2} times as long (geometric mean)",
            ratios.len()
        );
    }
    Ok(if wrong[0] == 0 { Report::Clean } else { Report::Faults })
}

/// What CBMC says about a task.
fn cbmc(arguments: &Arguments, task: &Path) -> Result<Answer, Trouble> {
    let text = std::fs::read_to_string(task)?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.trim().trim_start_matches("- ").strip_prefix(name))?;
        Some(line.trim().trim_matches(['\'', '"']).to_owned())
    };
    let source = field("input_files:").ok_or("a task without input file")?;
    let source = task.parent().unwrap_or(Path::new(".")).join(source);
    let property = field("property_file:").unwrap_or_default();
    let checks: &[&str] = if property.ends_with("no-overflow.prp") {
        &["--no-assertions", "--signed-overflow-check"]
    } else if property.ends_with("valid-memsafety.prp") {
        &["--no-assertions", "--pointer-check", "--bounds-check", "--memory-leak-check"]
    } else {
        &[]
    };
    let width = if field("data_model:").as_deref() == Some("LP64") { "--64" } else { "--32" };
    let start = Instant::now();
    let mut iterations = 1;
    while iterations <= MOST_ITERATIONS {
        let left = arguments.time_limit.saturating_sub(start.elapsed());
        if left < Duration::from_millis(100) {
            break;
        }
        let output = Command::new("timeout")
            .arg(format!("{}s", left.as_secs_f64()))
            .arg(&arguments.cbmc)
            .args([width, "-DCBMC", "--no-standard-checks", "--no-malloc-may-fail", "--unwinding-assertions"])
            .args(["--verbosity", "4", "--unwind", &iterations.to_string()])
            .args(checks)
            .arg(&source)
            .output()?;
        let verdict = match output.status.code() {
            Some(0) => Some(true),
            Some(10) => fails(&String::from_utf8_lossy(&output.stdout)),
            _ => break,
        };
        if verdict.is_some() {
            return Ok(Answer { verdict, seconds: start.elapsed().as_secs_f64() });
        }
        iterations *= 2;
    }
    Ok(Answer { verdict: None, seconds: start.elapsed().as_secs_f64() })
}

/// What failed properties mean: that of a loop, that more iterations are needed.
fn fails(output: &str) -> Option<bool> {
    let failed = output.lines().filter(|line| line.trim_end().ends_with(": FAILURE"));
    // Comparing pointers outside of an object is no violation of memory safety.
    let failed: Vec<&str> = failed.filter(|line| !line.contains(".pointer_arithmetic.")).collect();
    let is_bound = |line: &&str| {
        ["unwinding assertion", ".unwind.", ".recursion]"].iter().any(|part| line.contains(part))
    };
    match failed.iter().any(is_bound) {
        _ if failed.is_empty() => Some(true),
        true if failed.iter().all(is_bound) => None,
        _ => Some(false),
    }
}
