//! Chains and trees of calls of one helper: how much work engines have with them.
//!
//! What is shared by calls costs an engine with summaries once, and an engine that inlines once for each call.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::{Report, Trouble};

/// The engines that are compared, with the colours of their lines.
const ENGINES: [(&str, &str); 2] = [("whale", "#1b6ca8"), ("impact", "#c0392b")];

/// `calls`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The binary that is measured
    #[arg(long, default_value = "target/release/rorqual")]
    binary: PathBuf,
    /// The most calls; numbers of calls double up to this
    #[arg(long, default_value_t = 64)]
    most: usize,
    /// The CPU time of one run
    #[arg(long, default_value = "60s")]
    time_limit: String,
    /// Where the plot goes
    #[arg(long, default_value = "calls.svg")]
    plot: PathBuf,
}

/// A family of programs.
#[derive(Debug, Clone, Copy)]
enum Family {
    /// One function calls the helper `n` times.
    Chain,
    /// Functions that call the next one twice; the last ones call the helper, `n` times in all.
    Tree,
}

impl Family {
    fn name(self) -> &'static str {
        match self {
            Family::Chain => "chain",
            Family::Tree => "tree",
        }
    }

    /// The program with `calls` calls of the helper. The lock is free before and after each of them, and the helper's loop
    /// needs an invariant.
    fn program(self, calls: usize) -> String {
        let mut text = String::from(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
             int locked, work;\n\n\
             static void helper(int units) {\n    int left = units, done = 0;\n    if (units < 0)\n        return;\n    \
             if (locked)\n        reach_error();\n    locked = 1;\n    while (left > 0) {\n        \
             if (done + left != units || !locked)\n            reach_error();\n        work++;\n        left--;\n        \
             done++;\n    }\n    if (done != units)\n        reach_error();\n    locked = 0;\n}\n\n",
        );
        let call = match self {
            Family::Chain => "    helper(__VERIFIER_nondet_int());\n".repeat(calls),
            Family::Tree => {
                let mut below = "helper(__VERIFIER_nondet_int());\n".to_owned();
                for level in 0..calls.ilog2() {
                    let _ = writeln!(text, "static void level{level}(void) {{\n    {below}    {below}}}\n");
                    below = format!("level{level}();\n");
                }
                format!("    {below}")
            }
        };
        let _ = write!(
            text,
            "int main(void) {{\n{call}    if (locked)\n        reach_error();\n    return 0;\n}}\n"
        );
        text
    }
}

/// What a run took.
#[derive(Debug, Clone, Default)]
struct Work {
    verdict: String,
    nodes: String,
    refinements: String,
    seconds: Option<f64>,
}

/// Runs both families and prints a table.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let directory = tempfile::tempdir()?;
    let numbers: Vec<usize> =
        (0..usize::BITS).map(|power| 1 << power).take_while(|&calls| calls <= arguments.most).collect();
    let mut lines: Vec<Line> = Vec::new();
    println!("| Family | Calls | Engine | Verdict | Nodes | Refinements | CPU time |");
    println!("|---|---|---|---|---|---|---|");
    let mut report = Report::Clean;
    for family in [Family::Chain, Family::Tree] {
        for (engine, colour) in ENGINES {
            let mut points = Vec::new();
            for &calls in &numbers {
                let path = directory.path().join(format!("{}{calls}.c", family.name()));
                std::fs::write(&path, family.program(calls))?;
                let work = measure(arguments, engine, &path)?;
                let seconds = work.seconds.map_or_else(String::new, |seconds| format!("{seconds:.3} s"));
                let Work { verdict, nodes, refinements, .. } = &work;
                println!(
                    "| {} | {calls} | {engine} | {verdict} | {nodes} | {refinements} | {seconds} |",
                    family.name()
                );
                match verdict.as_str() {
                    "safe" => points.extend(work.seconds.map(|seconds| (calls, seconds))),
                    "unknown" => {}
                    _ => report = Report::Faults,
                }
            }
            lines.push((format!("{} {engine}", family.name()), colour, points));
        }
    }
    std::fs::write(&arguments.plot, plot(&lines))?;
    println!("\nThe plot is in {}.", arguments.plot.display());
    Ok(report)
}

/// What a line of the plot says: its name, its colour, and times by numbers of calls.
type Line<'a> = (String, &'a str, Vec<(usize, f64)>);

fn measure(arguments: &Arguments, engine: &str, path: &Path) -> Result<Work, Trouble> {
    let output = Command::new(&arguments.binary)
        .args(["check", "--stats", "--engine", engine, "--time-limit", &arguments.time_limit])
        .arg(path)
        .output()?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let figure = |name: &str| {
        let line = messages.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or("").to_owned()
    };
    let verdict = String::from_utf8_lossy(&output.stdout);
    Ok(Work {
        verdict: verdict.split([':', '\n']).next().unwrap_or("").to_owned(),
        nodes: figure("nodes"),
        refinements: figure("refinements"),
        seconds: figure("cpu time").trim_end_matches(" s").parse().ok(),
    })
}

/// Lines over the number of calls, both axes by powers.
fn plot(lines: &[Line]) -> String {
    const SIZE: f64 = 360.0;
    let across = |calls: usize| 60.0 + SIZE * (calls as f64).log2() / 6.0;
    let down = |seconds: f64| 20.0 + SIZE * (2.0 - seconds.max(0.001).log10()) / 5.0;
    let mut text = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"560\" height=\"430\" font-family=\"sans-serif\" font-size=\"12\">\n",
    );
    for power in 0..=6 {
        let at = across(1 << power);
        let _ = writeln!(text, "<text x=\"{at}\" y=\"400\" text-anchor=\"middle\">{}</text>", 1 << power);
    }
    for (label, seconds) in [("1 ms", 0.001), ("10 ms", 0.01), ("0.1 s", 0.1), ("1 s", 1.0), ("10 s", 10.0)] {
        let at = down(seconds);
        let _ = writeln!(text, "<line x1=\"60\" x2=\"420\" y1=\"{at}\" y2=\"{at}\" stroke=\"#ddd\"/>");
        let _ = writeln!(text, "<text x=\"52\" y=\"{at}\" text-anchor=\"end\">{label}</text>");
    }
    let _ = writeln!(text, "<text x=\"240\" y=\"420\" text-anchor=\"middle\">calls of the helper</text>");
    for (name, colour, points) in lines {
        let dashes = if name.starts_with("tree") { " stroke-dasharray=\"5 3\"" } else { "" };
        let path: Vec<String> = points
            .iter()
            .map(|&(calls, seconds)| format!("{:.1},{:.1}", across(calls), down(seconds)))
            .collect();
        let _ = writeln!(
            text,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes} points=\"{}\"/>",
            path.join(" ")
        );
        if let Some(&(calls, seconds)) = points.last() {
            let (x, y) = (across(calls) + 6.0, down(seconds));
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{name}</text>");
        }
    }
    text + "</svg>\n"
}
