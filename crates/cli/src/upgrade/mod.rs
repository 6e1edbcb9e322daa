//! `upgrade`: what a change of a program does to its properties (G. Fedyukovich, O. Sery, N. Sharygina, *eVolCheck: Incremental Upgrade
//! Checker for C*, TACAS 2013).
//!
//! Versions are checked one after the other with one store, so that each begins with what is known of those before it.

pub(crate) mod arguments;
mod git;
mod report;
mod versions;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::console::print;
use crate::exit::{Problem, Status};
use arguments::{UpgradeArguments, UpgradeFormat};
use git::{Commit, Repository};
use report::Comparison;
use versions::{Version, check};

/// Compares versions of a program.
pub(crate) fn upgrade(arguments: &UpgradeArguments) -> Result<Status, Problem> {
    let temporary =
        tempfile::tempdir().map_err(|error| Problem::File(format!("no temporary directory: {error}")))?;
    let store = match &arguments.store {
        Some(store) => std::path::absolute(store).unwrap_or_else(|_| store.clone()),
        None => temporary.path().join("store"),
    };
    match &arguments.git {
        None => files(arguments, &store),
        Some(range) => commits(arguments, range, &store, temporary.path()),
    }
}

/// Two versions in files.
fn files(arguments: &UpgradeArguments, store: &Path) -> Result<Status, Problem> {
    let old_files = all_files(&arguments.sources.files)?;
    let new_files = all_files(&arguments.to)?;
    let old = compiled("old", check(arguments, &old_files, None, store)?)?;
    let new = compiled("new", check(arguments, &new_files, None, store)?)?;
    let comparison = Comparison::of(&old, &new);
    let text = match arguments.format {
        UpgradeFormat::Human => comparison.human(),
        UpgradeFormat::Json => format!("{:#}\n", comparison.json()),
        UpgradeFormat::Markdown => comparison.markdown(),
    };
    print(text.as_bytes())?;
    Ok(new.status())
}

/// A version that compiles.
fn compiled(which: &str, version: Version) -> Result<Version, Problem> {
    match version.verdict {
        Some(_) => Ok(version),
        None => Err(Problem::File(format!("the {which} version does not compile: {}", version.message))),
    }
}

/// The files that are named, and the C files of directories.
fn all_files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = |error| Problem::File(format!("`{}` cannot be read: {error}", path.display()));
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file.extension().is_some_and(|extension| extension == "c" || extension == "i") {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(Problem::File(format!("there are no C files in `{}`", path.display())));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// The commits of a range.
fn commits(
    arguments: &UpgradeArguments,
    range: &str,
    store: &Path,
    temporary: &Path,
) -> Result<Status, Problem> {
    let repository = Repository::find()?;
    let commits = Repository::commits(range, &arguments.paths)?;
    let mut log = Log { format: arguments.format, reports: Vec::new() };
    let (mut before, mut status): (Option<Version>, Status) = (None, Status::Success);
    log.begin()?;
    for commit in &commits {
        let directory = temporary.join(&commit.id);
        std::fs::create_dir_all(&directory)
            .map_err(|error| Problem::File(format!("no room for a version: {error}")))?;
        let place = repository.write(commit, &directory)?;
        let mut version = check(arguments, &arguments.sources.files, Some(&place), store)?;
        if version.verdict.is_none() && Repository::has_submodules(&directory) {
            version.message += "\n  = note: the commit has submodules, which are not fetched";
        }
        // What was written is not needed any more; that it stays until the end would do no harm.
        let _ = std::fs::remove_dir_all(&directory);
        // A version that does not compile tells nothing about its functions.
        let compiled = before.as_ref().filter(|_| version.verdict.is_some());
        let comparison = compiled.map(|before| Comparison::of(before, &version));
        let is_broken = comparison.as_ref().is_some_and(|one| !one.broken.is_empty());
        log.commit(commit, &version, comparison.as_ref())?;
        if is_broken || status != Status::Violation {
            status = if is_broken { Status::Violation } else { version.status() };
        }
        if is_broken && !arguments.keep_going {
            break;
        }
        // A version that does not compile tells nothing about the next one.
        if version.verdict.is_some() {
            before = Some(version);
        }
    }
    log.finish()?;
    Ok(status)
}

/// What is printed of commits: lines as they come, or one JSON object at the end.
struct Log {
    format: UpgradeFormat,
    reports: Vec<Value>,
}

impl Log {
    fn begin(&self) -> Result<Status, Problem> {
        match self.format {
            UpgradeFormat::Markdown => {
                print(b"| Commit | Verdict | Functions | Broken | s |\n|---|---|---|---|---|\n")
            }
            UpgradeFormat::Human | UpgradeFormat::Json => Ok(Status::Success),
        }
    }

    fn commit(
        &mut self,
        commit: &Commit,
        version: &Version,
        comparison: Option<&Comparison<'_>>,
    ) -> Result<Status, Problem> {
        let counts = match comparison {
            Some(comparison) => comparison.counts(),
            None if version.verdict.is_none() => "not compared".to_owned(),
            None => "first version".to_owned(),
        };
        let broken: Vec<&str> =
            comparison.map_or(Vec::new(), |one| one.broken.iter().map(|(name, _)| *name).collect());
        let text = match self.format {
            UpgradeFormat::Json => {
                let report = comparison.map(Comparison::json);
                self.reports.push(json!({
                    "commit": commit.id, "subject": commit.subject, "verdict": version.word(),
                    "message": version.message, "seconds": version.seconds, "comparison": report,
                }));
                return Ok(Status::Success);
            }
            UpgradeFormat::Markdown => format!(
                "| {} {} | {} | {counts} | {} | {:.2} |\n",
                commit.short(),
                commit.subject,
                version.word(),
                broken.join(", "),
                version.seconds
            ),
            UpgradeFormat::Human => {
                let mut text = format!(
                    "{} {} ({counts}; {:.2} s) {}\n",
                    commit.short(),
                    version.word(),
                    version.seconds,
                    commit.subject
                );
                if version.verdict.is_none() {
                    let _ = writeln!(text, "  {}", version.message);
                }
                if let Some(comparison) = comparison.filter(|one| !one.broken.is_empty()) {
                    for (name, answer) in &comparison.broken {
                        let (file, line) = (&answer.file, answer.line);
                        let _ = writeln!(text, "  breaks {name}: {} at {file}:{line}", answer.description);
                    }
                    let _ = writeln!(text, "  by a change of: {}", comparison.suspects().join(", "));
                }
                text
            }
        };
        print(text.as_bytes())
    }

    fn finish(&self) -> Result<Status, Problem> {
        match self.format {
            UpgradeFormat::Json => {
                print(format!("{:#}\n", json!({ "version": 1, "commits": self.reports })).as_bytes())
            }
            UpgradeFormat::Human | UpgradeFormat::Markdown => Ok(Status::Success),
        }
    }
}
