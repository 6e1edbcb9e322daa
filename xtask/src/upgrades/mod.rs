//! What proofs of earlier versions are worth: sequences of versions, and revisions that a seeded generator makes, are checked with a store
//! that holds what came before, and from scratch. Both must say the same.

mod revisions;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use rorqual::cpu_time;
use rorqual_testkit::Random;

use crate::{Report, Trouble};
use revisions::{Change, revise};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Directories with versions: C files in order, and `sequence.yml`, which has the data model
    #[arg(value_name = "DIR")]
    sequences: Vec<PathBuf>,
    /// Programs of which revisions are made; with a second name, of that file, which the first includes from its directory
    #[arg(long = "revise", value_name = "FILE[:INCLUDED]")]
    programs: Vec<String>,
    /// How many revisions of each program
    #[arg(long, default_value_t = 20)]
    count: u64,
    /// Where the generator starts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// CPU time for each version
    #[arg(long, default_value = "20s")]
    time_limit: String,
    /// Use this program instead of building one
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// What is checked
    #[arg(long, default_value = "assertions")]
    check: String,
    /// The data model of programs that are revised
    #[arg(long, default_value = "lp64")]
    data_model: String,
    /// What is assumed of functions without body
    #[arg(long, default_value = "any")]
    undefined: String,
}

/// One answer of `check`.
struct Answer {
    verdict: String,
    /// CPU time.
    seconds: f64,
}

impl Answer {
    fn is_decided(&self) -> bool {
        matches!(self.verdict.as_str(), "safe" | "unsafe")
    }
}

/// Checks from scratch that take longer are worth a store, in seconds.
const SLOW: f64 = 1.0;
/// A check with the store that takes more than 1.5 times as long is worse than none.
const MUCH_SLOWER: f64 = 1.0 / 1.5;

/// What is summed up.
#[derive(Default)]
struct Tally {
    pairs: usize,
    contradictions: usize,
    /// How often the check from scratch finds a violation, and how often the one with the store does.
    violations: (usize, usize),
    /// How many times faster, of all pairs.
    all: Vec<f64>,
    /// For pairs whose check from scratch is slow.
    slow: Vec<f64>,
    /// For versions that have the same content as the one before: all of them, and those that are slow from scratch.
    same: Vec<f64>,
    slow_same: Vec<f64>,
}

/// Prints a table in Markdown, and what is in it.
pub(crate) fn run(arguments: &Arguments) -> Result<Report, Trouble> {
    let tool = arguments.tool.clone().map_or_else(crate::csmith::build, Ok)?;
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
    println!("{} violations from scratch, {} with earlier proofs", tally.violations.0, tally.violations.1);
    for (what, mut ratios) in [
        ("pairs", tally.all),
        ("pairs whose check from scratch takes more than a second", tally.slow),
        ("of the same content", tally.same),
        ("of the same content that take more than a second", tally.slow_same),
    ] {
        ratios.sort_by(f64::total_cmp);
        let (Some(least), Some(median)) = (ratios.first(), ratios.get(ratios.len() / 2)) else { continue };
        let slower = ratios.iter().filter(|ratio| **ratio < MUCH_SLOWER).count();
        let all = ratios.len();
        println!(
            "{all} {what}: {median:.1} times faster in the median, {least:.1} at least; {slower} more than 1.5 times slower"
        );
    }
    Ok(if tally.contradictions == 0 { Report::Clean } else { Report::Faults })
}

/// The versions of a sequence with one store, and the last one twice more: unchanged, and reformatted.
fn sequence(
    arguments: &Arguments,
    tool: &Path,
    model: &str,
    versions: &[PathBuf],
    tally: &mut Tally,
) -> Result<(), Trouble> {
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("store");
    let mut last = None;
    for (number, version) in versions.iter().enumerate() {
        let incremental = answer(arguments, tool, model, version, Some(&store))?;
        let scratch = answer(arguments, tool, model, version, None)?;
        if number > 0 {
            tally.add(&version.display().to_string(), &scratch, &incremental);
        }
        last = Some((version, scratch));
    }
    let Some((version, scratch)) = last else { return Ok(()) };
    let reformatted = folder.path().join("reformatted.c");
    std::fs::write(&reformatted, revisions::reformatted(&std::fs::read_to_string(version)?))?;
    for (what, file) in [("unchanged", version), ("reformatted", &reformatted)] {
        let incremental = answer(arguments, tool, model, file, Some(&store))?;
        tally.add_same(&format!("{}, {what}", version.display()), &scratch, &incremental);
    }
    Ok(())
}

/// A program of which revisions are made.
struct Subject {
    /// A copy of its directory, and of the headers above it.
    folder: tempfile::TempDir,
    /// The program and the file that is revised, in the copy.
    program: PathBuf,
    revised: PathBuf,
    text: String,
}

impl Subject {
    fn of(named: &str) -> Result<Subject, Trouble> {
        let (program, part) = named.split_once(':').map_or((named, None), |(one, part)| (one, Some(part)));
        let program = std::path::absolute(program)?;
        let (Some(directory), Some(name)) = (program.parent(), program.file_name()) else {
            return Err(format!("`{named}` is no file").into());
        };
        let folder = tempfile::tempdir()?;
        let inside = folder.path().join("program");
        copy(directory, &inside, &["c", "h", "i"])?;
        if let Some(above) = directory.parent() {
            copy(above, folder.path(), &["h"])?;
        }
        let revised = inside.join(part.map_or(Path::new(name), Path::new));
        let text = std::fs::read_to_string(&revised)?;
        Ok(Subject { program: inside.join(name), revised, text, folder })
    }
}

/// Each revision of a program against the program, with a store that holds the program only.
fn revisions(arguments: &Arguments, tool: &Path, named: &str, tally: &mut Tally) -> Result<(), Trouble> {
    let subject = Subject::of(named)?;
    let (folder, model) = (subject.folder.path(), arguments.data_model.as_str());
    let base = folder.join("base");
    let original = answer(arguments, tool, model, &subject.program, Some(&base))?;
    println!("| {named} | | | {} | {:.2} |", original.verdict, original.seconds);
    for number in 0..arguments.count {
        let mut random = Random::for_input(arguments.seed, number);
        let (change, text) = revise(&subject.text, &mut random);
        std::fs::write(&subject.revised, text)?;
        let store = folder.join(format!("store{number}"));
        copy(&base, &store, &["sqlite", "sqlite-wal", "sqlite-shm"])?;
        let scratch = answer(arguments, tool, model, &subject.program, None)?;
        let incremental = answer(arguments, tool, model, &subject.program, Some(&store))?;
        let name = format!("{named}, revision {number}: {}", change.name());
        match change {
            Change::Reformatted => tally.add_same(&name, &scratch, &incremental),
            _ => tally.add(&name, &scratch, &incremental),
        }
    }
    Ok(())
}

impl Tally {
    /// A version of which an earlier one was checked.
    fn add(&mut self, name: &str, scratch: &Answer, incremental: &Answer) {
        if let Some(ratio) = self.compare(name, scratch, incremental) {
            self.all.push(ratio);
            self.slow.extend((scratch.seconds > SLOW).then_some(ratio));
        }
    }

    /// A version that does the same as the one before.
    fn add_same(&mut self, name: &str, scratch: &Answer, incremental: &Answer) {
        if let Some(ratio) = self.compare(name, scratch, incremental) {
            self.same.push(ratio);
            self.slow_same.extend((scratch.seconds > SLOW).then_some(ratio));
        }
    }

    /// How many times faster the incremental check is, if both have the answer.
    fn compare(&mut self, name: &str, scratch: &Answer, incremental: &Answer) -> Option<f64> {
        self.pairs += 1;
        println!(
            "| {name} | {} | {:.2} | {} | {:.2} |",
            scratch.verdict, scratch.seconds, incremental.verdict, incremental.seconds
        );
        self.violations.0 += usize::from(scratch.verdict == "unsafe");
        self.violations.1 += usize::from(incremental.verdict == "unsafe");
        let are_decided = scratch.is_decided() && incremental.is_decided();
        self.contradictions += usize::from(are_decided && scratch.verdict != incremental.verdict);
        are_decided.then_some(scratch.seconds / incremental.seconds)
    }
}

/// Copies the files of a directory that have one of some extensions.
fn copy(from: &Path, to: &Path, extensions: &[&str]) -> Result<(), Trouble> {
    std::fs::create_dir_all(to)?;
    for file in std::fs::read_dir(from)? {
        let file = file?.path();
        let is_meant = |extension: &std::ffi::OsStr| extensions.iter().any(|one| extension == *one);
        if file.is_file() && file.extension().is_some_and(is_meant) {
            std::fs::copy(&file, to.join(file.file_name().unwrap_or_default()))?;
        }
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
    let begin = cpu_time();
    let mut command = Command::new(tool);
    command.args([
        "check",
        "--stop-on-violation",
        "--data-model",
        model,
        "--time-limit",
        &arguments.time_limit,
    ]);
    command.args(["--undefined", &arguments.undefined, "--check", &arguments.check]).arg(file);
    if let Some(store) = store {
        command.arg("--store").arg(store);
    }
    let output = command.output()?;
    let seconds = cpu_time().saturating_sub(begin).as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    let verdict = text.split([':', ',', '\n', ' ']).next().unwrap_or_default();
    let verdict = if verdict.is_empty() { "does not compile" } else { verdict };
    Ok(Answer { verdict: verdict.to_owned(), seconds })
}
