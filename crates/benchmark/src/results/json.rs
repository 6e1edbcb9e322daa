//! Results as JSON, in pieces that can be written one after the other.

use serde::Serialize;

use super::{Row, Usage, VERSION};
use crate::{Reason, Settings, Verdict};

/// What ends the file.
pub(super) const TAIL: &str = "\n]}\n";

#[derive(Serialize)]
struct JsonSettings<'a> {
    tool: &'a str,
    engine: String,
    threads: u8,
    time_limit_s: f64,
    memory_limit_bytes: u64,
    certify: bool,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    task: &'a str,
    expected: String,
    verdict: String,
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<JsonReason<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    origin: &'a str,
    usage: JsonUsage,
    #[serde(skip_serializing_if = "String::is_empty")]
    evidence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence_usage: Option<JsonUsage>,
}

#[derive(Serialize)]
struct JsonReason<'a> {
    class: String,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonUsage {
    cpu_s: f64,
    wall_s: f64,
    memory_bytes: u64,
}

impl From<&Usage> for JsonUsage {
    fn from(usage: &Usage) -> JsonUsage {
        let Usage { cpu, wall, memory } = usage;
        JsonUsage { cpu_s: cpu.as_secs_f64(), wall_s: wall.as_secs_f64(), memory_bytes: *memory }
    }
}

/// Everything before the first row.
pub(super) fn head(settings: &Settings) -> String {
    let settings = JsonSettings {
        tool: &settings.tool,
        engine: settings.search.to_string(),
        threads: settings.threads,
        time_limit_s: settings.time_limit.as_secs_f64(),
        memory_limit_bytes: settings.memory_limit,
        certify: settings.certify,
    };
    let settings = text(&settings);
    format!("{{\"format\":\"rorqual-bench\",\"version\":{VERSION},\"settings\":{settings},\"results\":[")
}

/// A row, on a line of its own.
pub(super) fn row(row: &Row) -> String {
    let reason = match &row.verdict {
        Verdict::Unknown(Reason { class, text }) => Some(JsonReason { class: class.to_string(), text }),
        Verdict::Safe | Verdict::Unsafe => None,
    };
    text(&JsonRow {
        task: &row.task,
        expected: row.expected.to_string(),
        verdict: row.verdict.to_string(),
        status: row.status().to_string(),
        reason,
        origin: &row.origin,
        usage: JsonUsage::from(&row.usage),
        evidence: row.evidence.to_string(),
        evidence_usage: row.evidence_usage.as_ref().map(JsonUsage::from),
    })
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and numbers can always be written")
}
