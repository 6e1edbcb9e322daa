//! What proofs of earlier versions are worth: sequences of versions, and revisions that a seeded generator makes, are checked with a store
//! that holds what came before, and from scratch. Both must say the same.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Args;
use rorqual_testkit::Random;

use crate::{Report, Trouble};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Directories with versions: C files in order, and `sequence.yml`, which has the data model
    #[arg(value_name = "DIR")]
    sequences: Vec<PathBuf>,
    /// Programs of which revisions are made
    #[arg(long = "revise", value_name = "FILE")]
    programs: Vec<PathBuf>,
    /// How many revisions of each program
    #[arg(long, default_value_t = 20)]
    count: u64,
    /// Where the generator starts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// CPU time for each version
    #[arg(long, default_value = "20s")]
    time_limit: String,
    /// What is assumed of functions without body
    #[arg(long, default_value = "any")]
    undefined: String,
}

/// One answer of `check`.
struct Answer {
    verdict: String,
    seconds: f64,
}

/// What is summed up.
#[derive(Default)]
struct Tally {
    pairs: usize,
    contradictions: usize,
    /// How many times faster, for pairs whose check from scratch takes more than a second.
    slow: Vec<f64>,
    /// The same for versions that have the same content as the one before.
    same: Vec<f64>,
}

/// Prints a table in Markdown, and what is in it.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let tool = crate::csmith::build()?;
    let mut tally = Tally::default();
    println!("| Version | from scratch | s | with earlier proofs | s |\n|---|---|---|---|---|");
    for directory in &arguments.sequences {
        let mut versions: Vec<PathBuf> =
            std::fs::read_dir(directory)?.map(|file| Ok(file?.path())).collect::<Result<_, Trouble>>()?;
        versions.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
        versions.sort();
        let settings = std::fs::read_to_string(directory.join("sequence.yml")).unwrap_or_default();
        let model = if settings.contains("ILP32") { "ilp32" } else { "lp64" };
        sequence(arguments, &tool, model, &versions, &mut tally)?;
    }
    for program in &arguments.programs {
        revisions(arguments, &tool, program, &mut tally)?;
    }
    println!("\n{} pairs, {} with different verdicts", tally.pairs, tally.contradictions);
    for (what, mut ratios) in [
        ("whose check from scratch takes more than a second", tally.slow),
        ("of the same content", tally.same),
    ] {
        ratios.sort_by(f64::total_cmp);
        if let Some(median) = ratios.get(ratios.len() / 2) {
            println!("{} {what}: {median:.1} times faster in the median", ratios.len());
        }
    }
    Ok(if tally.contradictions == 0 { Report::Clean } else { Report::Faults })
}

/// The versions of a sequence with one store.
fn sequence(
    arguments: &Arguments,
    tool: &Path,
    model: &str,
    versions: &[PathBuf],
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("store");
    for (number, version) in versions.iter().enumerate() {
        let incremental = answer(arguments, tool, model, version, Some(&store))?;
        if number > 0 {
            let scratch = answer(arguments, tool, model, version, None)?;
            tally.add(&version.display().to_string(), &scratch, &incremental);
        }
    }
    Ok(())
}

/// Each revision of a program against the program, with a store that holds the program only.
fn revisions(arguments: &Arguments, tool: &Path, program: &Path, tally: &mut Tally) -> Result<(), Trouble> {
    let text = std::fs::read_to_string(program)?;
    let folder = tempfile::tempdir()?;
    let base = folder.path().join("base");
    answer(arguments, tool, "lp64", program, Some(&base))?;
    for number in 0..arguments.count {
        let mut random = Random::for_input(arguments.seed, number);
        let (what, revised) = revise(&text, &mut random);
        let file = folder.path().join(program.file_name().unwrap_or_default());
        std::fs::write(&file, revised)?;
        let store = folder.path().join(format!("store{number}"));
        copy(&base, &store)?;
        let scratch = answer(arguments, tool, "lp64", &file, None)?;
        let incremental = answer(arguments, tool, "lp64", &file, Some(&store))?;
        let name = format!("{}, revision {number}: {what}", program.display());
        tally.add(&name, &scratch, &incremental);
        if what == "reformatted" && scratch.verdict == incremental.verdict {
            tally.same.push(scratch.seconds / incremental.seconds);
        }
    }
    Ok(())
}

impl Tally {
    fn add(&mut self, name: &str, scratch: &Answer, incremental: &Answer) {
        self.pairs += 1;
        println!(
            "| {name} | {} | {:.2} | {} | {:.2} |",
            scratch.verdict, scratch.seconds, incremental.verdict, incremental.seconds
        );
        let decided = |answer: &Answer| matches!(answer.verdict.as_str(), "safe" | "unsafe");
        if decided(scratch) && decided(incremental) && scratch.verdict != incremental.verdict {
            self.contradictions += 1;
        }
        if scratch.seconds > 1.0 && decided(incremental) {
            self.slow.push(scratch.seconds / incremental.seconds);
        }
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), Trouble> {
    std::fs::create_dir_all(to)?;
    for file in std::fs::read_dir(from)? {
        let file = file?.path();
        std::fs::copy(&file, to.join(file.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

fn answer(
    arguments: &Arguments,
    tool: &Path,
    model: &str,
    file: &Path,
    store: Option<&Path>,
) -> Result<Answer, Trouble> {
    let begin = Instant::now();
    let mut command = Command::new(tool);
    command.args([
        "check",
        "--stop-on-violation",
        "--data-model",
        model,
        "--time-limit",
        &arguments.time_limit,
    ]);
    command.args(["--undefined", &arguments.undefined]).arg(file);
    if let Some(store) = store {
        command.arg("--store").arg(store);
    }
    let output = command.output()?;
    let seconds = begin.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    let verdict = text.split([':', ',', '\n', ' ']).next().unwrap_or_default();
    let verdict = if verdict.is_empty() { "does not compile" } else { verdict };
    Ok(Answer { verdict: verdict.to_owned(), seconds })
}

/// A program with one change, and what that is.
fn revise(text: &str, random: &mut Random) -> (&'static str, String) {
    const COMPARISONS: [(&str, &str); 8] = [
        (" < ", " <= "),
        (" <= ", " < "),
        (" > ", " >= "),
        (" >= ", " > "),
        (" == ", " != "),
        (" != ", " == "),
        (" + ", " - "),
        (" && ", " || "),
    ];
    for _ in 0..20 {
        let (what, revised) = match random.below(5) {
            0 => ("reformatted", text.replace(";\n", "; /* changed */\n\n")),
            1 => (
                "a constant",
                replaced(
                    text,
                    random,
                    &|line| line.find(|c: char| c.is_ascii_digit()).map(|at| (at, 1)),
                    &|old| {
                        old.parse::<u32>().map_or_else(|_| old.to_owned(), |number| (number + 1).to_string())
                    },
                ),
            ),
            2 => {
                let (from, to) = *random.choose(&COMPARISONS);
                (
                    "a condition",
                    replaced(text, random, &|line| line.find(from).map(|at| (at, from.len())), &|_| {
                        to.to_owned()
                    }),
                )
            }
            3 => {
                ("a statement is gone", replaced(text, random, &|line| statement(line), &|_| ";".to_owned()))
            }
            _ => (
                "a statement twice",
                replaced(text, random, &|line| statement(line), &|old| format!("{old} {old}")),
            ),
        };
        if revised != text {
            return (what, revised);
        }
    }
    ("nothing", text.to_owned())
}

/// A line that is one assignment or call.
fn statement(line: &str) -> Option<(usize, usize)> {
    let trimmed = line.trim();
    let is_one = trimmed.ends_with(';')
        && trimmed.matches(';').count() == 1
        && (trimmed.contains(" = ") || trimmed.ends_with(");"));
    let words = [
        "return", "int ", "static", "extern", "for", "if", "while", "else", "unsigned", "char", "void",
        "struct", "#",
    ];
    let is_plain = !words.iter().any(|word| trimmed.starts_with(word)) && !trimmed.contains("*/");
    (is_one && is_plain).then(|| (line.len() - line.trim_start().len(), trimmed.len()))
}

/// The text with one of the places that `find` finds in its lines replaced. Directives and comments stay.
fn replaced(
    text: &str,
    random: &mut Random,
    find: &dyn Fn(&str) -> Option<(usize, usize)>,
    new: &dyn Fn(&str) -> String,
) -> String {
    let is_code = |line: &str| {
        !line.starts_with('#') && !line.trim_start().starts_with(['*', '/']) && line.starts_with(' ')
    };
    let lines: Vec<&str> = text.lines().collect();
    let found: Vec<(usize, (usize, usize))> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_code(line))
        .filter_map(|(at, line)| Some((at, find(line)?)))
        .collect();
    if found.is_empty() {
        return text.to_owned();
    }
    let (at, (start, length)) = *random.choose(&found);
    let line = lines[at];
    let changed =
        format!("{}{}{}", &line[..start], new(&line[start..start + length]), &line[start + length..]);
    let lines = lines
        .iter()
        .enumerate()
        .map(|(number, line)| if number == at { changed.clone() } else { (*line).to_owned() } + "\n");
    lines.collect()
}
