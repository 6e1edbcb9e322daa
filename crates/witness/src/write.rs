//! Witnesses as text. The text is made by hand: the format is small, and the order of the keys and the
//! quoting of each value are part of what people compare.

use std::fmt::Write;

use rorqual_cfa::DataModel;
use sha2::{Digest, Sha256};

use crate::model::{
    Action, Content, ContractEntry, Entry, InvariantEntry, InvariantKind, Location, Metadata, Segment,
    Waypoint,
};

/// The version of the format that is written.
pub const FORMAT_VERSION: &str = "2.0";
/// The version that has contracts, which is written where there are some.
const CONTRACT_VERSION: &str = "2.1";

/// The witness as a YAML file with one entry.
pub fn write_witness(entry: &Entry) -> String {
    let mut out = String::new();
    let kind = match entry.content {
        Content::Violation(_) => "violation_sequence",
        Content::Invariants(..) => "invariant_set",
    };
    let version = match &entry.content {
        Content::Invariants(_, contracts) if !contracts.is_empty() => CONTRACT_VERSION,
        _ => FORMAT_VERSION,
    };
    line(&mut out, 0, &format!("- entry_type: {kind}"));
    metadata(&mut out, version, &entry.metadata);
    let is_empty = match &entry.content {
        Content::Violation(segments) => segments.is_empty(),
        Content::Invariants(invariants, contracts) => invariants.is_empty() && contracts.is_empty(),
    };
    line(&mut out, 1, if is_empty { "content: []" } else { "content:" });
    match &entry.content {
        Content::Violation(segments) => segments.iter().for_each(|one| segment(&mut out, one)),
        Content::Invariants(invariants, contracts) => {
            for one in invariants {
                invariant(&mut out, one);
            }
            for one in contracts {
                contract(&mut out, one);
            }
        }
    }
    out
}

fn line(out: &mut String, depth: usize, text: &str) {
    let _ = writeln!(out, "{:1$}{text}", "", depth * 2);
}

/// `key: value` with the value in double quotes, which hold any text.
fn pair(out: &mut String, depth: usize, key: &str, value: &str) {
    line(out, depth, &format!("{key}: {}", quoted(value)));
}

fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

fn metadata(out: &mut String, version: &str, metadata: &Metadata) {
    line(out, 1, "metadata:");
    pair(out, 2, "format_version", version);
    pair(out, 2, "uuid", &metadata.uuid);
    pair(out, 2, "creation_time", &metadata.creation_time);
    line(out, 2, "producer:");
    pair(out, 3, "name", &metadata.producer.name);
    pair(out, 3, "version", &metadata.producer.version);
    if let Some(command_line) = &metadata.producer.command_line {
        pair(out, 3, "command_line", command_line);
    }
    if let Some(description) = &metadata.producer.description {
        pair(out, 3, "description", description);
    }
    let task = &metadata.task;
    line(out, 2, "task:");
    line(out, 3, "input_files:");
    for (name, _) in &task.input_files {
        line(out, 4, &format!("- {}", quoted(name)));
    }
    line(out, 3, "input_file_hashes:");
    for (name, hash) in &task.input_files {
        line(out, 4, &format!("{}: {}", quoted(name), quoted(hash)));
    }
    pair(out, 3, "specification", &task.specification);
    let model = task.data_model.map(|model| match model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    });
    if let Some(model) = model {
        pair(out, 3, "data_model", model);
    }
    pair(out, 3, "language", "C");
}

fn location(out: &mut String, depth: usize, location: &Location) {
    line(out, depth, "location:");
    pair(out, depth + 1, "file_name", &location.file_name);
    line(out, depth + 1, &format!("line: {}", location.line));
    if let Some(column) = location.column {
        line(out, depth + 1, &format!("column: {column}"));
    }
    if let Some(function) = &location.function {
        pair(out, depth + 1, "function", function);
    }
}

fn segment(out: &mut String, segment: &Segment) {
    line(out, 1, "- segment:");
    for one in &segment.0 {
        waypoint(out, one);
    }
}

fn waypoint(out: &mut String, waypoint: &Waypoint) {
    let action = match waypoint.action {
        Action::Follow => "follow",
        Action::Avoid => "avoid",
    };
    line(out, 2, "- waypoint:");
    pair(out, 4, "type", waypoint.kind.name());
    pair(out, 4, "action", action);
    if let Some(constraint) = &waypoint.constraint {
        line(out, 4, "constraint:");
        pair(out, 5, "value", constraint);
        pair(out, 5, "format", "c_expression");
    }
    location(out, 4, &waypoint.location);
}

fn invariant(out: &mut String, invariant: &InvariantEntry) {
    let kind = match &invariant.kind {
        InvariantKind::Loop => "loop_invariant",
        InvariantKind::Location => "location_invariant",
        InvariantKind::Other(name) => name,
    };
    line(out, 1, "- invariant:");
    pair(out, 3, "type", kind);
    location(out, 3, &invariant.location);
    pair(out, 3, "value", &invariant.value);
    pair(out, 3, "format", "c_expression");
}

fn contract(out: &mut String, contract: &ContractEntry) {
    line(out, 1, "- contract:");
    pair(out, 3, "type", "function_contract");
    location(out, 3, &contract.location);
    pair(out, 3, "requires", &contract.requires);
    pair(out, 3, "ensures", &contract.ensures);
    pair(out, 3, "format", "ext_c_expression");
}

/// The SHA-256 of some bytes in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A UUID made from a seed: equal seeds give equal names. Version 8, the one for names made in ways of
/// one's own.
pub fn uuid_from(seed: &[u8]) -> String {
    let digest = Sha256::digest(seed);
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let number = format!("{:032x}", u128::from_be_bytes(bytes));
    let parts = [&number[..8], &number[8..12], &number[12..16], &number[16..20], &number[20..]];
    parts.join("-")
}

/// A time, in seconds since 1970, as the format writes it.
pub fn timestamp(seconds: u64) -> String {
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(day as i64);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a day since 1970, after Howard Hinnant, *chrono-Compatible Low-Level Date
/// Algorithms*, 2021 (`civil_from_days`).
fn civil(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_hashes_names_and_times() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(uuid_from(b"abc"), "ba7816bf-8f01-8fea-8141-40de5dae2223");
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(timestamp(1_709_210_096), "2024-02-29T12:34:56Z");
    }
}
