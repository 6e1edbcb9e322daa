//! Checking one version: `check` runs as a process of its own, so that each version has its own limits.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use super::arguments::UpgradeArguments;
use crate::exit::{Problem, Status};

/// What is known of one version.
#[derive(Debug, Clone, Default)]
pub(super) struct Version {
    /// `safe`, `unsafe` or `unknown`; nothing if it does not compile.
    pub(super) verdict: Option<String>,
    /// The line that `check` prints, or the first error message.
    pub(super) message: String,
    /// Verdicts by properties.
    pub(super) properties: BTreeMap<String, PropertyAnswer>,
    /// Hashes of content by functions.
    pub(super) functions: BTreeMap<String, String>,
    pub(super) seconds: f64,
    /// How much longer it took to find what is known of earlier versions than to check it.
    pub(super) saved: f64,
    /// Functions whose contracts of an earlier version were given up, though the rest of its proof holds.
    pub(super) given_up: BTreeSet<String>,
}

/// The answer for a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PropertyAnswer {
    pub(super) verdict: String,
    /// What goes wrong if it is violated.
    pub(super) description: String,
    pub(super) file: String,
    pub(super) line: u64,
    /// A hash of what it is about.
    pub(super) content: String,
    /// The functions that the violation executes, if that is known.
    pub(super) executed: Option<BTreeSet<String>>,
    /// Whether a proof of an earlier version, or of this one in an earlier run, still holds.
    pub(super) is_kept: bool,
}

impl Version {
    /// The exit code for a version.
    pub(super) fn status(&self) -> Status {
        match self.verdict.as_deref() {
            Some("safe") => Status::Success,
            Some("unsafe") => Status::Violation,
            Some(_) => Status::Unknown,
            None => Status::BadInput,
        }
    }

    /// The verdict in one word.
    pub(super) fn word(&self) -> &str {
        self.verdict.as_deref().unwrap_or("does not compile")
    }
}

/// Checks files in a directory, with what is known of earlier versions.
pub(super) fn check(
    arguments: &UpgradeArguments,
    files: &[PathBuf],
    directory: Option<&Path>,
    store: &Path,
) -> Result<Version, Problem> {
    let program = std::env::current_exe()
        .map_err(|error| Problem::File(format!("the program itself cannot be found: {error}")))?;
    let begin = Instant::now();
    let output = Command::new(program)
        .args(options(arguments, files, store))
        .current_dir(directory.unwrap_or(Path::new(".")))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Problem::File(format!("a version cannot be checked: {error}")))?;
    let seconds = begin.elapsed().as_secs_f64();
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0 | 10 | 20) => {}
        Some(65) => {
            return Ok(Version { message: first_error(&errors), seconds, ..Version::default() });
        }
        code => return Err(failed(code, errors.trim().trim_start_matches("error: "))),
    }
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| Problem::File(format!("the report of `check` cannot be read: {error}")))?;
    Ok(Version { seconds, ..read(&report) })
}

/// Why there is no answer at all, in the words of `check`.
fn failed(code: Option<i32>, errors: &str) -> Problem {
    // What `check` adds to a message about its options.
    let errors = errors.trim_end_matches("For more information, try '--help'.").trim_end();
    match code {
        Some(64) => Problem::Usage(errors.to_owned()),
        Some(_) => Problem::File(errors.to_owned()),
        None => Problem::File("a version cannot be checked: `check` was killed".to_owned()),
    }
}

/// The first error message with its place.
fn first_error(errors: &str) -> String {
    let mut lines = errors.lines().skip_while(|line| !line.starts_with("error"));
    let message = lines.next().unwrap_or("it cannot be read").trim_start_matches("error: ");
    let place = lines.next().and_then(|line| line.trim().strip_prefix("--> "));
    place.map_or(message.to_owned(), |place| format!("{message} ({place})"))
}

fn read(report: &Value) -> Version {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let names = |value: &Value| value.as_array().map(|all| all.iter().map(text).collect());
    let mut properties = BTreeMap::new();
    for one in report["properties"].as_array().into_iter().flatten() {
        let id = text(&one["id"]);
        let answer = PropertyAnswer {
            content: text(&report["store"]["properties"][&id]),
            verdict: text(&one["verdict"]),
            description: text(&one["description"]),
            file: text(&one["at"]["file"]),
            line: one["at"]["line"].as_u64().unwrap_or(0),
            executed: names(&one["executed"]),
            is_kept: one["origin"]["stored"].as_bool().unwrap_or(false),
        };
        properties.insert(id, answer);
    }
    let functions = report["store"]["functions"].as_object().into_iter().flatten();
    let functions = functions.map(|(name, hash)| (name.clone(), text(hash))).collect();
    let verdict = text(&report["verdict"]);
    let message = match text(&report["message"]) {
        empty if empty.is_empty() => verdict.clone(),
        message => format!("{verdict}: {message}"),
    };
    let saved = report["store"]["seconds_saved"].as_f64().unwrap_or(0.0);
    let given_up = names(&report["store"]["given_up"]).unwrap_or_default();
    Version { verdict: Some(verdict), message, properties, functions, seconds: 0.0, saved, given_up }
}

/// The command line of `check`.
fn options(arguments: &UpgradeArguments, files: &[PathBuf], store: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = vec!["check".into(), "--format".into(), "json".into(), "--store".into()];
    all.push(store.into());
    all.extend(["--time-limit".into(), time_text(arguments).into()]);
    if let Some(size) = arguments.memory_limit {
        all.extend(["--memory-limit".into(), format!("{size}").into()]);
    }
    if let Some(strategy) = &arguments.strategy {
        all.extend(["--strategy".into(), strategy.into()]);
    }
    all.extend(arguments.sources.options());
    all.extend(files.iter().map(Into::into));
    all
}

fn time_text(arguments: &UpgradeArguments) -> String {
    arguments.time_limit.0.map_or("none".to_owned(), |limit| format!("{}s", limit.as_secs_f64()))
}
