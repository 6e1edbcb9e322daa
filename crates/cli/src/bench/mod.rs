//! `bench`: runs collections of tasks, shows what comes out, and compares results.

pub(crate) mod arguments;
mod compare;
mod progress;
mod report;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rorqual::System;
use rorqual_benchmark::{
    BenchTask, Plan, Row, RunError, Search, Selection, SelectionError, Settings, Skipped, Store, StoreError,
    select, tool_version,
};
use tempfile::TempDir;

use crate::console;
use crate::exit::{Problem, Status, complain};
use arguments::{Bench, BenchCommand, BenchRun};
use progress::Progress;

/// This very binary, even if another one has taken its place since: the link is followed by the
/// child, which is a copy of this process then.
const THIS_BINARY: &str = "/proc/self/exe";

/// Runs tasks, or compares results.
pub(crate) fn bench(arguments: &Bench) -> Result<Status, Problem> {
    match &arguments.command {
        Some(BenchCommand::Compare(compare)) => compare::compare(compare),
        None => run(&arguments.run),
    }
}

fn run(arguments: &BenchRun) -> Result<Status, Problem> {
    let tool = arguments.tool.clone().unwrap_or_else(|| PathBuf::from(THIS_BINARY));
    let settings = settings(arguments, &tool)?;
    let tasks = tasks(arguments)?;
    let (mut store, stored) = store(arguments, &settings)?;
    let (mut rows, remaining) = split(&tasks, stored);
    let evidence = EvidenceDirectory::new(arguments)?;
    let plan = Plan {
        tool: &tool,
        settings: &settings,
        jobs: arguments.jobs.get(),
        evidence_directory: evidence.path(),
        tasks: &remaining,
    };
    let result = execute(&plan, &mut store, &mut rows);
    if rows.is_empty() {
        store.remove();
    }
    // What was done is worth showing, whatever came after it.
    if result.is_ok() || !rows.is_empty() {
        console::print(report::text(&rows).as_bytes())?;
    }
    match result {
        Ok(()) => Ok(status(&rows, tasks.len(), arguments)),
        Err(error) => Err(problem(error, &tool, rows.len())),
    }
}

/// Runs what is left to run, and adds its rows to the store and to `rows`.
fn execute(plan: &Plan, store: &mut Store, rows: &mut Vec<Row>) -> Result<(), RunError<StoreError>> {
    let mut progress = Progress::new(rows.len() + plan.tasks.len(), rows);
    let result = plan.run(&watch_interruption(), |row| {
        store.add(&row)?;
        progress.show(&row);
        rows.push(row);
        Ok(())
    });
    progress.finish();
    result
}

fn settings(arguments: &BenchRun, tool: &Path) -> Result<Settings, Problem> {
    let version = tool_version(tool).map_err(|error| cannot_start(tool, &error))?;
    Ok(Settings {
        tool: version,
        search: match &arguments.strategy {
            Some(name) => Search::Strategy(name.clone()),
            None => Search::Engine(arguments.engine.clone()),
        },
        threads: arguments.threads,
        time_limit: arguments.time_limit,
        memory_limit: arguments.memory_limit,
        certify: arguments.certify,
    })
}

fn tasks(arguments: &BenchRun) -> Result<Vec<BenchTask>, Problem> {
    let selection = select(&arguments.tasks, &System::default()).map_err(|error| match error {
        SelectionError::Task(failure) => Problem::Program(failure),
        other => Problem::File(other.to_string()),
    })?;
    complain(&skipped(&selection));
    if selection.tasks.is_empty() {
        return Err(Problem::File("there is no task with an expected verdict".to_owned()));
    }
    Ok(selection.tasks)
}

/// Notes about what is not run: one per reason, and one per file that cannot be read.
fn skipped(selection: &Selection) -> String {
    let mut groups: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    for (path, reason) in &selection.skipped {
        let mut text = reason.to_string();
        if let Skipped::Unreadable(_) = reason {
            text = format!("cannot be read: {text}");
        }
        groups.entry(text).or_default().push(path);
    }
    let unmatched = selection.unmatched.iter().map(|line| format!("note: nothing matches {line}\n"));
    let groups = groups.iter().map(|(reason, paths)| match paths[..] {
        [path] => format!("note: `{}` is skipped: {reason}\n", path.display()),
        _ => {
            let (count, first) = (paths.len(), paths[0].display());
            format!("note: {count} tasks are skipped, the first is `{first}`: {reason}\n")
        }
    });
    unmatched.chain(groups).collect()
}

/// The files for the results, and the results that are there already.
fn store(arguments: &BenchRun, settings: &Settings) -> Result<(Store, Vec<Row>), Problem> {
    let (table, json) = (arguments.output.as_deref(), arguments.json.as_deref());
    if table.is_some() && table == json {
        return Err(Problem::Usage("`--output` and `--json` name the same file".to_owned()));
    }
    let opened = match table {
        Some(table) if arguments.resume => Store::resume(settings.clone(), table, json),
        _ => Store::create(settings.clone(), table, json).map(|store| (store, vec![])),
    };
    opened.map_err(|error| match error {
        StoreError::Exists(_) => {
            Problem::Usage(format!("{error}\n  = help: go on with `--resume`, or name another file"))
        }
        StoreError::Settings(..) => {
            Problem::Usage(format!("{error}\n  = help: give the same settings, or name another file"))
        }
        StoreError::Write(..) => Problem::Output(error.to_string()),
        StoreError::Open(..) | StoreError::Busy(_) | StoreError::Read(..) => Problem::File(error.to_string()),
    })
}

/// The stored rows that are asked for, and the tasks that have no row yet.
fn split(tasks: &[BenchTask], mut stored: Vec<Row>) -> (Vec<Row>, Vec<BenchTask>) {
    let names: BTreeSet<String> = tasks.iter().map(BenchTask::name).collect();
    stored.retain(|row| names.contains(&row.task));
    let done: BTreeSet<&str> = stored.iter().map(|row| row.task.as_str()).collect();
    let remaining = tasks.iter().filter(|task| !done.contains(task.name().as_str())).cloned().collect();
    (stored, remaining)
}

/// Where evidence goes.
enum EvidenceDirectory {
    /// Nobody asked for evidence.
    Unused,
    /// The user keeps it.
    Kept(PathBuf),
    /// It stays until it was checked.
    Temporary(TempDir),
}

impl EvidenceDirectory {
    fn new(arguments: &BenchRun) -> Result<EvidenceDirectory, Problem> {
        let created = match &arguments.evidence {
            _ if !arguments.certify => Ok(EvidenceDirectory::Unused),
            Some(path) => std::fs::create_dir_all(path).map(|()| EvidenceDirectory::Kept(path.clone())),
            None => TempDir::with_prefix("rorqual-bench-").map(EvidenceDirectory::Temporary),
        };
        created.map_err(|error| Problem::File(format!("cannot create a directory for evidence: {error}")))
    }

    fn path(&self) -> &Path {
        match self {
            EvidenceDirectory::Unused => Path::new(""),
            EvidenceDirectory::Kept(path) => path,
            EvidenceDirectory::Temporary(directory) => directory.path(),
        }
    }
}

/// The first Ctrl-C ends the run with a summary; a second one the process, and with it its children.
fn watch_interruption() -> Arc<AtomicBool> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = cancelled.clone();
    let handler = move || {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(Status::Unknown as i32);
        }
    };
    // Without a handler Ctrl-C ends the process at once; the results are stored anyway.
    let _ = ctrlc::set_handler(handler);
    cancelled
}

fn problem(error: RunError<StoreError>, tool: &Path, done: usize) -> Problem {
    match error {
        RunError::Start(error) => cannot_start(tool, &error),
        RunError::Usage(complaint) => {
            let reason = complaint.trim().split("\n\n").next().unwrap_or_default();
            let reason = reason.strip_prefix("error: ").unwrap_or(reason);
            let tool = name_of(tool);
            Problem::Usage(format!("`{tool}` does not understand how it is called: {reason}"))
        }
        RunError::Sink(error) => {
            let help = "= help: make room, then go on with `--resume`";
            Problem::Output(format!(
                "{error}\n  = note: the {done} results before are stored, the run ends here\n  {help}"
            ))
        }
    }
}

fn cannot_start(tool: &Path, error: &std::io::Error) -> Problem {
    Problem::File(format!("cannot run `{}`: {error}", name_of(tool)))
}

fn name_of(tool: &Path) -> String {
    if tool == Path::new(THIS_BINARY) { "rorqual check".to_owned() } else { tool.display().to_string() }
}

fn status(rows: &[Row], tasks: usize, arguments: &BenchRun) -> Status {
    let interrupted = rows.len() < tasks;
    if interrupted {
        let help = match &arguments.output {
            Some(_) => "; go on with `--resume`",
            None => "",
        };
        complain(&format!("interrupted: {} of {tasks} tasks have a result{help}\n", rows.len()));
    }
    match rows.iter().map(Row::status).min() {
        Some(rorqual_benchmark::Status::Wrong | rorqual_benchmark::Status::Rejected) => Status::Violation,
        _ if interrupted => Status::Unknown,
        _ => Status::Success,
    }
}
