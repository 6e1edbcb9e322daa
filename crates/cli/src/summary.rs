//! `show cfa --summary`: what of many programs can be read and represented.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rorqual::{Project, System};
use rorqual_cfa::Program;
use rorqual_frontend::input::{Task, looks_like_task};
use rorqual_frontend::{Failure, Host};

use crate::arguments::{ShowCfa, Sources};
use crate::console;
use crate::exit::{Problem, Status, complain};
use crate::programs::{from_files, from_task, is_yaml};

/// What was seen so far.
#[derive(Debug, Default)]
struct Summary {
    programs: usize,
    with_unsupported: usize,
    unsupported: BTreeMap<String, Occurrences>,
    /// Each refused program with its first error.
    refused: Vec<(String, String)>,
}

/// Where a construct occurs.
#[derive(Debug)]
struct Occurrences {
    operations: usize,
    programs: usize,
    /// The last program counted, so that each counts once.
    last_program: usize,
    example: String,
}

/// Reads every program and prints the counts.
pub(crate) fn print(arguments: &ShowCfa) -> Result<Status, Problem> {
    let host = System::default();
    let started = Instant::now();
    let mut summary = Summary::default();
    for path in &arguments.sources.files {
        summary.visit(path, &arguments.sources, &host)?;
    }
    complain(&format!("{} programs in {:.2} s\n", summary.programs, started.elapsed().as_secs_f64()));
    console::print(summary.report().as_bytes())?;
    Ok(if summary.refused.is_empty() { Status::Success } else { Status::BadInput })
}

impl Summary {
    fn visit(&mut self, path: &Path, sources: &Sources, host: &dyn Host) -> Result<(), Problem> {
        if path.is_dir() {
            let tasks = tasks_below(path)?;
            if tasks.is_empty() {
                let message = format!("there is no task definition below `{}`", path.display());
                return Err(Problem::File(message));
            }
            for task in tasks {
                self.visit_tasks(&task, sources, host);
            }
        } else if is_yaml(path) {
            self.visit_tasks(path, sources, host);
        } else {
            self.count(path, from_files(sources, &[path.to_owned()], host), host);
        }
        Ok(())
    }

    fn visit_tasks(&mut self, path: &Path, sources: &Sources, host: &dyn Host) {
        if path.file_name().is_none_or(|name| name != "sequence.yml") {
            let job = Task::read(host, path).and_then(|task| from_task(sources, &task, host));
            return self.count(path, job, host);
        }
        match Task::read_sequence(host, path) {
            Err(failure) => self.count(path, Err(failure), host),
            Ok(versions) => {
                for (name, task) in versions {
                    self.count(&name, from_task(sources, &task, host), host);
                }
            }
        }
    }

    fn count(&mut self, name: &Path, job: Result<Project, Failure>, host: &dyn Host) {
        self.programs += 1;
        let lowered = job.and_then(|job| rorqual_frontend::lower(job.parse(host)?, &job.options));
        match lowered {
            Ok(program) => self.count_unsupported(&program),
            Err(failure) => self.refused.push((name.display().to_string(), first_error(&failure))),
        }
    }

    fn count_unsupported(&mut self, program: &Program) {
        let number = self.programs;
        let mut found = false;
        for (construct, span) in program.unsupported() {
            found = true;
            let entry = self.unsupported.entry(construct.to_owned()).or_insert_with(|| Occurrences {
                operations: 0,
                programs: 0,
                last_program: 0,
                example: program.sources.position(span).to_string(),
            });
            entry.operations += 1;
            entry.programs += usize::from(entry.last_program != number);
            entry.last_program = number;
        }
        self.with_unsupported += usize::from(found);
    }

    fn report(&self) -> String {
        let mut text = String::new();
        let mut line = |line: String| writeln!(text, "{line}").expect("writing to a string does not fail");
        line(format!("programs: {}", self.programs));
        line(format!("lowered: {}", self.programs - self.refused.len()));
        line(format!("with unsupported operations: {}", self.with_unsupported));
        let mut constructs: Vec<_> = self.unsupported.iter().collect();
        constructs.sort_by_key(|(_, occurrences)| std::cmp::Reverse(occurrences.operations));
        for (construct, Occurrences { operations, programs, example, .. }) in constructs {
            let programs = counted(*programs, "program");
            line(format!("unsupported: {construct}: {operations} in {programs}, first at {example}"));
        }
        line(format!("refused: {}", self.refused.len()));
        for (name, error) in &self.refused {
            line(format!("refused: {name}: {error}"));
        }
        text
    }
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn first_error(failure: &Failure) -> String {
    let Some(diagnostic) = failure.diagnostics.first() else {
        return "no reason is given".to_owned();
    };
    match diagnostic.span.file() {
        Some(_) => format!("{}: {}", failure.sources.position(diagnostic.span), diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

/// All task definitions and sequences below a directory, sorted by path.
fn tasks_below(directory: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut found = vec![];
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let unreadable =
            |error| Problem::File(format!("cannot read the directory `{}`: {error}", directory.display()));
        for entry in std::fs::read_dir(&directory).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            // Links are not followed into directories, so that the search ends.
            if entry.file_type().map_err(unreadable)?.is_dir() {
                open.push(entry.path());
            } else if is_yaml(&entry.path()) && is_task(&entry.path()) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Files that cannot be read count as tasks, so that they are reported.
fn is_task(path: &Path) -> bool {
    std::fs::read(path).map_or(true, |bytes| looks_like_task(&String::from_utf8_lossy(&bytes)))
}
