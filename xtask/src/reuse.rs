//! What summaries are worth that are reused from property to property, and what a store is worth the next time: programs with many
//! properties are checked once as a whole, once for each property from scratch, and with a store twice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::{Report, Trouble};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Programs
    #[arg(value_name = "FILE", required = true)]
    programs: Vec<PathBuf>,
    /// What is checked
    #[arg(long, default_value = "assertions,overflow,unsigned-overflow,conversion,div-zero,shift")]
    check: String,
    /// CPU time for a program as a whole, and for each property from scratch
    #[arg(long, default_value = "60s")]
    time_limit: String,
    #[arg(long, default_value = "lp64")]
    data_model: String,
    /// Check only every so many-th property from scratch, and take their time as that of the others
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Follow loops and recursion so often at most, as in the papers
    #[arg(long)]
    unwind: Option<u64>,
}

/// What is said of a property about which nothing is known behind a bound: it counts as less than a verdict, and more than nothing.
const BOUNDED: &str = "bounded";

/// How much a verdict says.
fn weight(verdict: &str) -> u8 {
    match verdict {
        "unknown" => 0,
        BOUNDED => 1,
        _ => 2,
    }
}

/// What one run of `check` says.
struct Answers {
    /// By property.
    verdicts: BTreeMap<String, String>,
    /// CPU time.
    seconds: f64,
    /// How many bodies were brought back.
    bodies: u64,
}

impl Answers {
    fn count(&self, verdict: &str) -> usize {
        self.verdicts.values().filter(|one| *one == verdict).count()
    }

    /// The properties that have an answer, as arguments.
    fn decided(&self) -> Vec<String> {
        let decided = self.verdicts.iter().filter(|(_, verdict)| weight(verdict) == 2);
        decided.flat_map(|(property, _)| ["--property-id".to_owned(), property.clone()]).collect()
    }
}

/// What checking properties from scratch has cost.
struct Scratch {
    seconds: f64,
    /// How many verdicts contradict those with reuse.
    contradictions: usize,
    /// How many properties only one of both ways decides.
    lost: usize,
    won: usize,
}

/// Prints a table in Markdown.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let measured = Measurement { arguments, tool: crate::csmith::build()? };
    let (mut ratios, mut stored, mut contradictions) = (Vec::new(), Vec::new(), 0);
    println!(
        "| Program | lines | properties | safe | unsafe | bounded | unknown | from scratch, s | lost | won | reuse, s | ratio | bodies | greedy, s | bodies | first, s | second, s | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for program in &arguments.programs {
        let guided = measured.answers(program, &[])?;
        let greedy = measured.answers(program, &["--refine".to_owned(), "greedy".to_owned()])?;
        let scratch = measured.scratch(program, &guided)?;
        contradictions += scratch.contradictions + contradicting(&guided, &greedy);
        let [first, second] = measured.twice(program, &guided)?;
        contradictions += contradicting(&first, &second);
        let (ratio, again) = (scratch.seconds / guided.seconds, first.seconds / second.seconds);
        ratios.push(ratio);
        stored.push(again);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {:.1} | {} | {} | {:.1} | {ratio:.1} | {} | {:.1} | {} | {:.1} | {:.2} | {again:.1} |",
            program.file_name().unwrap_or_default().display(),
            lines(program)?,
            guided.verdicts.len(),
            guided.count("safe"),
            guided.count("unsafe"),
            guided.count(BOUNDED),
            guided.count("unknown"),
            scratch.seconds,
            scratch.lost,
            scratch.won,
            guided.seconds,
            guided.bodies,
            greedy.seconds,
            greedy.bodies,
            first.seconds,
            second.seconds,
        );
    }
    println!(
        "\nmedian: {:.1} times faster than from scratch, {:.1} times with a store",
        median(ratios),
        median(stored)
    );
    println!("contradicting verdicts: {contradictions}");
    Ok(if contradictions == 0 { Report::Clean } else { Report::Faults })
}

pub(crate) fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The lines of a program with the files beside it that it includes.
fn lines(program: &Path) -> Result<usize, Trouble> {
    let (mut open, mut seen, mut lines) = (vec![program.to_owned()], Vec::new(), 0);
    while let Some(file) = open.pop() {
        if seen.contains(&file) || !file.exists() {
            continue;
        }
        let text = String::from_utf8_lossy(&std::fs::read(&file)?).into_owned();
        lines += text.lines().count();
        let included = text.lines().filter_map(|line| line.strip_prefix("#include \"")?.split('"').next());
        open.extend(included.map(|name| file.with_file_name(name)));
        seen.push(file);
    }
    Ok(lines)
}

fn contradicting(one: &Answers, other: &Answers) -> usize {
    let pairs =
        one.verdicts.iter().filter_map(|(property, verdict)| Some((verdict, other.verdicts.get(property)?)));
    pairs.filter(|(one, other)| contradicts(one, other)).count()
}

fn contradicts(one: &str, other: &str) -> bool {
    one != other && weight(one) == 2 && weight(other) == 2
}

struct Measurement<'a> {
    arguments: &'a Arguments,
    tool: PathBuf,
}

impl Measurement<'_> {
    /// Each property alone.
    fn scratch(&self, program: &Path, guided: &Answers) -> Result<Scratch, Trouble> {
        let mut scratch = Scratch { seconds: 0.0, contradictions: 0, lost: 0, won: 0 };
        let mut checked = 0;
        for (property, verdict) in guided.verdicts.iter().step_by(self.arguments.every) {
            let alone = self.answers(program, &["--property-id".to_owned(), property.clone()])?;
            checked += 1;
            scratch.seconds += alone.seconds;
            let other = alone.verdicts.get(property).map_or("unknown", String::as_str);
            if contradicts(other, verdict) {
                eprintln!("{}: {property} has different verdicts", program.display());
                scratch.contradictions += 1;
            }
            scratch.lost += usize::from(weight(verdict) < weight(other));
            scratch.won += usize::from(weight(verdict) > weight(other));
        }
        scratch.seconds *= guided.verdicts.len() as f64 / f64::from(checked.max(1));
        Ok(scratch)
    }

    /// The properties that have an answer, with an empty store and again with what the first run has left in it.
    fn twice(&self, program: &Path, guided: &Answers) -> Result<[Answers; 2], Trouble> {
        let store = std::env::temp_dir().join(format!("rorqual-reuse-{}", std::process::id()));
        let mut more = guided.decided();
        more.extend(["--store".to_owned(), store.display().to_string()]);
        let runs = [self.answers(program, &more)?, self.answers(program, &more)?];
        std::fs::remove_dir_all(&store)?;
        Ok(runs)
    }

    fn answers(&self, program: &Path, more: &[String]) -> Result<Answers, Trouble> {
        let Arguments { time_limit, check, data_model, .. } = self.arguments;
        let options =
            ["--engine", "funfrog", "--time-limit", time_limit, "--check", check, "--data-model", data_model];
        let bound = self.arguments.unwind.map(|bound| bound.to_string());
        let bound = bound.iter().flat_map(|bound| ["--unwind", bound]);
        let options: Vec<&str> =
            options.into_iter().chain(bound).chain(more.iter().map(String::as_str)).collect();
        let report = crate::store::report(&self.tool, program, &options)?;
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let properties = report["properties"].as_array().into_iter().flatten();
        let verdict = |one: &serde_json::Value| match one["reason"]["kind"].as_str() {
            Some("bound") => BOUNDED.to_owned(),
            _ => text(&one["verdict"]),
        };
        let verdicts = properties.map(|one| (text(&one["id"]), verdict(one))).collect();
        let seconds = crate::store::seconds(&report, crate::parse_duration(time_limit)?);
        let bodies = report["statistics"]["nodes"].as_u64().unwrap_or(0);
        Ok(Answers { verdicts, seconds, bodies })
    }
}
