//! How the tasks of a run are checked.

use std::time::Duration;

/// What results depend on. Results that were made with different settings are never mixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The name and version of the checker, as it tells them.
    pub tool: String,
    /// The engine.
    pub engine: String,
    /// CPU time per task.
    pub time_limit: Duration,
    /// Memory per task, in bytes.
    pub memory_limit: u64,
    /// Whether evidence is checked.
    pub certify: bool,
}

impl Settings {
    /// The first setting in which the two differ: its name, and both values.
    pub fn difference(&self, other: &Settings) -> Option<(&'static str, String, String)> {
        let values = |settings: &Settings| {
            [
                ("tool", settings.tool.clone()),
                ("engine", settings.engine.clone()),
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
