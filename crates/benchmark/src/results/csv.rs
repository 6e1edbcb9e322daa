//! Rows as lines of comma-separated values (RFC 4180). A row is always one line.

use std::time::Duration;

use super::{Row, Usage, VERSION};
use crate::{Class, Evidence, Expected, Reason, Search, Settings, Status, Verdict};

/// The columns, in their order.
pub(super) const COLUMNS: [&str; 21] = [
    "version",
    "tool",
    "engine",
    "threads",
    "time_limit_s",
    "memory_limit_bytes",
    "certify",
    "task",
    "expected",
    "verdict",
    "status",
    "reason_class",
    "reason",
    "origin",
    "cpu_s",
    "wall_s",
    "memory_bytes",
    "evidence",
    "evidence_cpu_s",
    "evidence_wall_s",
    "evidence_memory_bytes",
];

/// The first line.
pub(super) fn header() -> String {
    COLUMNS.join(",") + "\n"
}

/// A row with its settings.
pub(super) fn line(settings: &Settings, row: &Row) -> String {
    let (class, reason) = match &row.verdict {
        Verdict::Unknown(reason) => (reason.class.to_string(), reason.text.clone()),
        Verdict::Safe | Verdict::Unsafe => (String::new(), String::new()),
    };
    let [cpu, wall, memory] = usage_fields(Some(&row.usage));
    let [evidence_cpu, evidence_wall, evidence_memory] = usage_fields(row.evidence_usage.as_ref());
    let fields: [String; COLUMNS.len()] = [
        VERSION.to_string(),
        settings.tool.clone(),
        settings.search.to_string(),
        settings.threads.to_string(),
        seconds(settings.time_limit),
        settings.memory_limit.to_string(),
        settings.certify.to_string(),
        row.task.clone(),
        row.expected.to_string(),
        row.verdict.to_string(),
        row.status().to_string(),
        class,
        reason,
        row.origin.clone(),
        cpu,
        wall,
        memory,
        row.evidence.to_string(),
        evidence_cpu,
        evidence_wall,
        evidence_memory,
    ];
    fields.map(|field| quoted(&field)).join(",") + "\n"
}

/// Durations are exact to the microsecond, which is what the system accounts in.
fn seconds(duration: Duration) -> String {
    format!("{}.{:06}", duration.as_secs(), duration.subsec_micros())
}

fn usage_fields(usage: Option<&Usage>) -> [String; 3] {
    match usage {
        None => Default::default(),
        Some(usage) => [seconds(usage.cpu), seconds(usage.wall), usage.memory.to_string()],
    }
}

fn quoted(field: &str) -> String {
    // A row must stay one line, so that a row that was cut off can be told.
    let field = field.replace(['\n', '\r'], " ");
    if field.contains([',', '"']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

/// Reads a row; the error says what is wrong with it.
pub(super) fn parse(line: &str) -> Result<(Settings, Row), String> {
    let fields = split(line)?;
    if fields.len() != COLUMNS.len() {
        return Err(format!("expected {} values, found {}", COLUMNS.len(), fields.len()));
    }
    let mut fields = Fields { fields: &fields, next: 0 };
    let version: u32 = fields.parse()?;
    if version != VERSION {
        return Err(format!("version {version} is not supported, only {VERSION}"));
    }
    let settings = settings(&mut fields)?;
    Ok((settings, row(&mut fields)?))
}

fn settings(fields: &mut Fields) -> Result<Settings, String> {
    Ok(Settings {
        tool: fields.text().to_owned(),
        search: Search::from(fields.text()),
        threads: fields.parse()?,
        time_limit: fields.seconds()?,
        memory_limit: fields.parse()?,
        certify: fields.parse()?,
    })
}

fn row(fields: &mut Fields) -> Result<Row, String> {
    let task = fields.text().to_owned();
    let expected: Expected = fields.parse()?;
    let verdict = fields.text();
    let status: Status = fields.parse()?;
    let verdict = parse_verdict(verdict, fields)?;
    let origin = fields.text().to_owned();
    let usage = fields.usage()?.ok_or("`cpu_s`: a time is missing")?;
    let evidence: Evidence = fields.parse()?;
    let evidence_usage = fields.usage()?;
    let row = Row { task, expected, verdict, origin, usage, evidence, evidence_usage };
    match row.status() {
        actual if actual == status => Ok(row),
        actual => Err(format!("the status is `{status}`, but the verdict makes it `{actual}`")),
    }
}

fn parse_verdict(word: &str, fields: &mut Fields) -> Result<Verdict, String> {
    match word {
        "unknown" => {
            let class: Class = fields.parse()?;
            Ok(Verdict::Unknown(Reason { class, text: fields.text().to_owned() }))
        }
        "safe" | "unsafe" => {
            let (_class, _reason) = (fields.text(), fields.text());
            Ok(if word == "safe" { Verdict::Safe } else { Verdict::Unsafe })
        }
        other => Err(format!("`verdict`: `{other}` is none of: safe, unsafe, unknown")),
    }
}

/// The values of a row, taken one after the other.
struct Fields<'a> {
    fields: &'a [String],
    next: usize,
}

impl<'a> Fields<'a> {
    fn text(&mut self) -> &'a str {
        self.next += 1;
        &self.fields[self.next - 1]
    }

    fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(&mut self) -> Result<T, String> {
        let text = self.text();
        text.parse().map_err(|error| self.wrong(text, &format!("{error}")))
    }

    fn seconds(&mut self) -> Result<Duration, String> {
        let text = self.text();
        let parsed = text.parse().ok().and_then(|value| Duration::try_from_secs_f64(value).ok());
        parsed.ok_or_else(|| self.wrong(text, "expected seconds"))
    }

    fn usage(&mut self) -> Result<Option<Usage>, String> {
        if self.fields[self.next].is_empty() {
            self.next += 3;
            return Ok(None);
        }
        Ok(Some(Usage { cpu: self.seconds()?, wall: self.seconds()?, memory: self.parse()? }))
    }

    /// A message about the value that was taken last.
    fn wrong(&self, text: &str, problem: &str) -> String {
        format!("`{}` cannot be `{text}`: {problem}", COLUMNS[self.next - 1])
    }
}

/// The values of a line without their quotes.
fn split(line: &str) -> Result<Vec<String>, String> {
    let mut fields = vec![];
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].to_owned(), &rest[end..])
            }
            Some(inner) => unquoted(inner)?,
        };
        fields.push(field);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(fields),
            None => return Err("text follows a closing quote".to_owned()),
        }
    }
}

/// The value up to its closing quote, and what follows.
fn unquoted(inner: &str) -> Result<(String, &str), String> {
    let mut field = String::new();
    let mut rest = inner;
    loop {
        let end = rest.find('"').ok_or("a quote is not closed")?;
        field.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(next) => {
                field.push('"');
                rest = next;
            }
            None => return Ok((field, rest)),
        }
    }
}
