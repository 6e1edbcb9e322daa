//! How the tasks of a run are checked.

use std::fmt;
use std::time::Duration;

/// What results depend on. Results that were made with different settings are never mixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The name and version of the checker, as it tells them.
    pub tool: String,
    /// What searches.
    pub search: Search,
    /// How many threads each task may use.
    pub threads: u8,
    /// CPU time per task.
    pub time_limit: Duration,
    /// Memory per task, in bytes.
    pub memory_limit: u64,
    /// Whether evidence is checked.
    pub certify: bool,
}

/// What searches: an engine alone, or a strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    /// `--engine`
    Engine(String),
    /// `--strategy`
    Strategy(String),
}

impl Search {
    /// The arguments of `check` that ask for it.
    pub(crate) fn arguments(&self) -> [&str; 2] {
        match self {
            Search::Engine(name) => ["--engine", name],
            Search::Strategy(name) => ["--strategy", name],
        }
    }
}

/// The word that marks a strategy in result files.
const STRATEGY: &str = "strategy ";

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Search::Engine(name) => f.write_str(name),
            Search::Strategy(name) => write!(f, "{STRATEGY}{name}"),
        }
    }
}

impl From<&str> for Search {
    fn from(text: &str) -> Search {
        let strategy = text.strip_prefix(STRATEGY).map(|name| Search::Strategy(name.to_owned()));
        strategy.unwrap_or_else(|| Search::Engine(text.to_owned()))
    }
}

impl Settings {
    /// The first setting in which the two differ: its name, and both values.
    pub fn difference(&self, other: &Settings) -> Option<(&'static str, String, String)> {
        let values = |settings: &Settings| {
            [
                ("tool", settings.tool.clone()),
                ("engine", settings.search.to_string()),
                ("threads", settings.threads.to_string()),
                ("time limit", duration_argument(settings.time_limit)),
                ("memory limit", format!("{}B", settings.memory_limit)),
                ("certify", settings.certify.to_string()),
            ]
        };
        let mut pairs = values(self).into_iter().zip(values(other));
        pairs.find(|(mine, theirs)| mine != theirs).map(|((name, mine), (_, theirs))| (name, mine, theirs))
    }
}

/// A duration as the command line takes it.
pub(crate) fn duration_argument(duration: Duration) -> String {
    match duration.subsec_millis() {
        0 => format!("{}s", duration.as_secs()),
        _ => format!("{}ms", duration.as_millis()),
    }
}
