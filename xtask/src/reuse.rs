//! What summaries are worth that are reused from property to property: programs with many properties are checked once as a
//! whole, and once for each property from scratch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Args;
use serde_json::Value;

use crate::{Report, Trouble};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Programs
    #[arg(value_name = "FILE", required = true)]
    programs: Vec<PathBuf>,
    /// What is checked
    #[arg(long, default_value = "assertions,overflow,unsigned-overflow,conversion,div-zero,shift")]
    check: String,
    /// Time for a program as a whole, and for each property from scratch
    #[arg(long, default_value = "60s")]
    time_limit: String,
}

/// What one run of `check` says.
struct Answers {
    /// By property.
    verdicts: BTreeMap<String, String>,
    seconds: f64,
    /// How many bodies were brought back.
    bodies: u64,
}

/// Prints a table in Markdown.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let tool = crate::csmith::build()?;
    let (mut ratios, mut report) = (Vec::new(), Report::Clean);
    println!(
        "| Program | lines | properties | safe | from scratch, s | reuse, s | ratio | bodies | greedy, s | bodies |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for program in &arguments.programs {
        let guided = answers(arguments, &tool, program, &[])?;
        let greedy = answers(arguments, &tool, program, &["--refine", "greedy"])?;
        let mut scratch = 0.0;
        for (property, verdict) in &guided.verdicts {
            let alone = answers(arguments, &tool, program, &["--property-id", property])?;
            scratch += alone.seconds;
            let is_other = alone.verdicts.get(property).is_some_and(|other| contradicts(other, verdict));
            if is_other || greedy.verdicts.get(property).is_some_and(|other| contradicts(other, verdict)) {
                eprintln!("{}: {property} has different verdicts", program.display());
                report = Report::Faults;
            }
        }
        let lines = std::fs::read_to_string(program)?.lines().count();
        let safe = guided.verdicts.values().filter(|verdict| *verdict == "safe").count();
        let ratio = scratch / guided.seconds;
        ratios.push(ratio);
        println!(
            "| {} | {lines} | {} | {safe} | {scratch:.1} | {:.1} | {ratio:.1} | {} | {:.1} | {} |",
            program.file_name().unwrap_or_default().display(),
            guided.verdicts.len(),
            guided.seconds,
            guided.bodies,
            greedy.seconds,
            greedy.bodies
        );
    }
    ratios.sort_by(f64::total_cmp);
    println!("\nmedian: {:.1} times faster than from scratch", ratios[ratios.len() / 2]);
    Ok(report)
}

fn contradicts(one: &str, other: &str) -> bool {
    one != other && one != "unknown" && other != "unknown"
}

fn answers(arguments: &Arguments, tool: &Path, program: &Path, more: &[&str]) -> Result<Answers, Trouble> {
    let start = Instant::now();
    let output = Command::new(tool)
        .args(["check", "--engine", "funfrog", "--format", "json", "--stats", "--threads", "1"])
        .args(["--time-limit", &arguments.time_limit, "--check", &arguments.check])
        .args(more)
        .arg(program)
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    let errors = String::from_utf8_lossy(&output.stderr);
    let parsed = serde_json::from_slice(&output.stdout);
    let report: Value = parsed.map_err(|_| format!("{}: {errors}", program.display()))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let properties = report["properties"].as_array().into_iter().flatten();
    let verdicts = properties.map(|one| (text(&one["id"]), text(&one["verdict"]))).collect();
    let bodies = report["statistics"]["nodes"].as_u64().unwrap_or(0);
    Ok(Answers { verdicts, seconds, bodies })
}
