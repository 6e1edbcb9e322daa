//! Which tasks are meant: directories, `.set` files, globs and task definitions.
//!
//! Only tasks with an expected verdict for the unreachability of a function are selected; the
//! others are listed with the reason. Nothing is run here.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use rorqual_frontend::input::{Task, looks_like_task};
use rorqual_frontend::{Failure, Host};

use crate::Expected;

/// A task that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchTask {
    /// The task definition, as seen from here.
    pub path: PathBuf,
    /// What it expects.
    pub expected: Expected,
    /// Its place among the selected tasks, from 1.
    pub number: usize,
}

impl BenchTask {
    /// How the task is called in results.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// The tasks that are meant, in the order of their paths.
#[derive(Debug, Default)]
pub struct Selection {
    /// What can be run.
    pub tasks: Vec<BenchTask>,
    /// What cannot.
    pub skipped: Vec<(PathBuf, Skipped)>,
    /// Patterns in `.set` files that match nothing, as `file:line: pattern`.
    pub unmatched: Vec<String>,
}

/// Why a task is not run.
#[derive(Debug)]
pub enum Skipped {
    /// It asks for no property.
    NoProperty,
    /// None of its properties can be checked; this is wrong with the first.
    Property(String),
    /// It states no expected verdict.
    NoExpectedVerdict,
    /// It is a sequence of versions of one program.
    Sequence,
    /// It cannot be read.
    Unreadable(Box<Failure>),
}

/// Why nothing can be selected.
#[derive(Debug)]
pub enum SelectionError {
    /// A file or directory cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// What the user named does not exist.
    Missing(PathBuf),
    /// A pattern is malformed: its place if it stands in a file, the pattern, and what is wrong.
    Pattern(Option<String>, String, String),
    /// A pattern on the command line matches nothing.
    NoMatch(String),
    /// A file is neither a task definition nor a `.set` file.
    NotATask(PathBuf),
    /// A task definition that the user named cannot be used.
    Task(Box<Failure>),
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SelectionError::Unreadable(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            SelectionError::Missing(path) => write!(f, "there is no `{}`", path.display()),
            SelectionError::Pattern(place, pattern, problem) => {
                let place = place.as_ref().map_or(String::new(), |place| format!("{place}: "));
                write!(f, "{place}malformed pattern `{pattern}`: {problem}")
            }
            SelectionError::NoMatch(pattern) => write!(f, "no file matches `{pattern}`"),
            SelectionError::NotATask(path) => {
                write!(f, "`{}` is neither a task definition (`.yml`) nor a `.set` file", path.display())
            }
            SelectionError::Task(_) => f.write_str("a task definition cannot be read"),
        }
    }
}

/// Finds the tasks that the names stand for. Each task is selected once.
pub fn select(names: &[PathBuf], host: &dyn Host) -> Result<Selection, SelectionError> {
    let mut search = Search::default();
    for name in names {
        search.argument(name)?;
    }
    let mut selection = Selection { unmatched: search.unmatched, ..Selection::default() };
    for path in search.found {
        match examine(&path, host) {
            Ok(expected) => {
                let number = selection.tasks.len() + 1;
                selection.tasks.push(BenchTask { path, expected, number });
            }
            Err(Skipped::Unreadable(failure)) if names.contains(&path) => {
                return Err(SelectionError::Task(failure));
            }
            Err(reason) => selection.skipped.push((path, reason)),
        }
    }
    Ok(selection)
}

#[derive(Default)]
struct Search {
    /// Paths of task definitions; the order and the absence of duplicates are those of the result.
    found: BTreeSet<PathBuf>,
    unmatched: Vec<String>,
}

impl Search {
    fn argument(&mut self, name: &Path) -> Result<(), SelectionError> {
        if name.exists() {
            return self.file(name);
        }
        let Some(pattern) = name.to_str().filter(|text| text.contains(['*', '?', '['])) else {
            return Err(SelectionError::Missing(name.to_owned()));
        };
        let matches = matches(pattern, None)?;
        if matches.is_empty() {
            return Err(SelectionError::NoMatch(pattern.to_owned()));
        }
        matches.iter().try_for_each(|path| self.matched(path))
    }

    fn file(&mut self, path: &Path) -> Result<(), SelectionError> {
        if path.is_dir() {
            self.directory(path)
        } else if has_extension(path, &["set"]) {
            self.set(path)
        } else if is_yaml(path) {
            self.found.insert(clean(path));
            Ok(())
        } else {
            Err(SelectionError::NotATask(path.to_owned()))
        }
    }

    /// Patterns often match the programs beside their tasks; only what is a task counts.
    fn matched(&mut self, path: &Path) -> Result<(), SelectionError> {
        if path.is_dir() || has_extension(path, &["set"]) || is_yaml(path) { self.file(path) } else { Ok(()) }
    }

    /// All task definitions below a directory.
    fn directory(&mut self, directory: &Path) -> Result<(), SelectionError> {
        let unreadable = |error| SelectionError::Unreadable(directory.to_owned(), error);
        for entry in std::fs::read_dir(directory).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            // Links are not followed into directories, so that the search ends.
            if entry.file_type().map_err(unreadable)?.is_dir() {
                self.directory(&entry.path())?;
            } else if is_yaml(&entry.path()) && is_task(&entry.path()) {
                self.found.insert(clean(&entry.path()));
            }
        }
        Ok(())
    }

    /// A `.set` file: one pattern per line, seen from the file.
    fn set(&mut self, file: &Path) -> Result<(), SelectionError> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| SelectionError::Unreadable(file.to_owned(), error))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        for (index, line) in text.lines().enumerate() {
            let pattern = line.split('#').next().unwrap_or("").trim();
            if pattern.is_empty() {
                continue;
            }
            let place = format!("{}:{}", file.display(), index + 1);
            let prefix = glob::Pattern::escape(&folder.display().to_string());
            let full = Path::new(&prefix).join(pattern).display().to_string();
            let matches = matches(&full, Some(&place))?;
            if matches.is_empty() {
                self.unmatched.push(format!("{place}: {pattern}"));
            }
            // A set that names sets could name itself.
            let tasks = matches.iter().filter(|path| !has_extension(path, &["set"]));
            tasks.into_iter().try_for_each(|path| self.matched(path))?;
        }
        Ok(())
    }
}

fn matches(pattern: &str, place: Option<&str>) -> Result<Vec<PathBuf>, SelectionError> {
    let malformed = |error: glob::PatternError| {
        SelectionError::Pattern(place.map(str::to_owned), pattern.to_owned(), error.msg.to_owned())
    };
    // What cannot be read cannot be matched.
    Ok(glob::glob(pattern).map_err(malformed)?.flatten().collect())
}

/// What the task expects, or why it is not run.
fn examine(path: &Path, host: &dyn Host) -> Result<Expected, Skipped> {
    if path.file_name().is_some_and(|name| name == "sequence.yml") {
        return Err(Skipped::Sequence);
    }
    let task = Task::read(host, path).map_err(|failure| Skipped::Unreadable(Box::new(failure)))?;
    match (task.property(host), task.expected_verdict(host)) {
        (Err(failure), _) | (_, Err(failure)) => Err(Skipped::Property(first_message(&failure))),
        (Ok(None), _) => Err(Skipped::NoProperty),
        (_, Ok(None)) => Err(Skipped::NoExpectedVerdict),
        (_, Ok(Some(true))) => Ok(Expected::Safe),
        (_, Ok(Some(false))) => Ok(Expected::Unsafe),
    }
}

fn first_message(failure: &Failure) -> String {
    failure.diagnostics.first().map_or(String::new(), |diagnostic| diagnostic.message.clone())
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Skipped::NoProperty => f.write_str("the task names no property"),
            Skipped::Property(problem) => f.write_str(problem),
            Skipped::NoExpectedVerdict => f.write_str("the task states no expected verdict"),
            Skipped::Sequence => f.write_str("a sequence of versions is not a single task"),
            Skipped::Unreadable(failure) => f.write_str(&first_message(failure)),
        }
    }
}

/// The path without `.` and `name/..`, so that a task has one name however it is reached.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(clean.components().next_back(), Some(Component::Normal(_))) => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    // Behind a link to a directory, `..` leads elsewhere.
    let is_same = path.canonicalize().ok() == clean.canonicalize().ok();
    if is_same { clean } else { path.to_owned() }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known))
}

fn is_yaml(path: &Path) -> bool {
    has_extension(path, &["yml", "yaml"])
}

/// Files that cannot be read count as tasks, so that they are reported.
fn is_task(path: &Path) -> bool {
    std::fs::read(path).map_or(true, |bytes| looks_like_task(&String::from_utf8_lossy(&bytes)))
}
