//! Stores and entries as people and programs read them.

use std::fmt::Write;
use std::path::Path;

use rorqual_store::{Collected, Entry, Evidence, Imported, Kind, Record, Summary};
use rorqual_witness::timestamp;
use serde_json::{Value, json};

/// The version of the objects.
const VERSION: u32 = 1;

/// One line for each entry, and one for all.
pub(super) fn list(entries: &[Entry], summary: Summary) -> String {
    let mut text = String::new();
    for entry in entries {
        let content = &entry.content;
        let (kind, size, files) = (content.kind, content.size(), &content.files);
        let (used, uses) = (time(entry.used), entry.uses);
        let times = if uses == 1 { "time" } else { "times" };
        let aside = if entry.quarantined.is_some() { ", set aside" } else { "" };
        let about = about(entry);
        let key = content.key.short();
        let _ = writeln!(
            text,
            "{key}  {kind:<9}  {size:>8} bytes  used {uses} {times}, last {used}  {files}: {about}{aside}"
        );
    }
    text + &total(summary)
}

fn total(summary: Summary) -> String {
    let Summary { entries, quarantined, size, limit } = summary;
    let aside = if quarantined > 0 { format!(", {quarantined} set aside") } else { String::new() };
    format!("{entries} {}{aside}, {size} of at most {limit} bytes\n", plural(entries, "entry", "entries"))
}

fn plural(count: u64, one: &'static str, several: &'static str) -> &'static str {
    if count == 1 { one } else { several }
}

/// What an entry is about.
fn about(entry: &Entry) -> String {
    if entry.content.kind == Kind::Predicates {
        return "what to start with".to_owned();
    }
    match Record::parse(&entry.content.payload) {
        Ok(record) => match record.properties.as_slice() {
            [one] => one.clone(),
            several => format!("{} properties", several.len()),
        },
        Err(error) => error.to_string(),
    }
}

fn time(milliseconds: i64) -> String {
    timestamp(milliseconds.max(0) as u64 / 1000)
}

/// Everything about an entry.
pub(super) fn entry(entry: &Entry) -> String {
    let content = &entry.content;
    let mut text = format!("key: {}\nkind: {}\nprogram: {}\n", content.key, content.kind, content.program);
    let _ = writeln!(text, "files: {}\nfound in: {:.3} s", content.files, content.cost.as_secs_f64());
    let _ = writeln!(
        text,
        "made: {}\nlast used: {}\nuses: {}",
        time(entry.created),
        time(entry.used),
        entry.uses
    );
    if let Some(reason) = &entry.quarantined {
        let _ = writeln!(text, "set aside: {reason}");
    }
    if !entry.is_intact {
        text.push_str("damaged: its checksum is wrong\n");
    }
    match Record::parse(&content.payload) {
        _ if content.kind == Kind::Predicates => text += &content.payload,
        Ok(record) => text += &evidence(&record),
        Err(error) => {
            let _ = writeln!(text, "evidence: {error}");
        }
    }
    text.push_str("functions:\n");
    for function in &content.functions {
        let _ = writeln!(text, "  {} {}", function.hash.short(), function.name);
    }
    text
}

fn evidence(record: &Record) -> String {
    let mut text = format!("found by: {}\nproperties:\n", record.technique);
    for property in &record.properties {
        let _ = writeln!(text, "  {property}");
    }
    let parts = match &record.evidence {
        Evidence::Proof { certificate, .. } => vec![("certificate", certificate)],
        Evidence::Violations(lists) => lists.iter().map(|list| ("inputs", list)).collect(),
    };
    for (name, content) in parts {
        let _ = writeln!(text, "{name}:");
        for line in content.lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

/// The list as JSON.
pub(super) fn list_json(entries: &[Entry], summary: Summary) -> String {
    let Summary { entries: count, quarantined, size, limit } = summary;
    let entries: Vec<Value> = entries.iter().map(object).collect();
    document(&json!({
        "version": VERSION, "count": count, "set_aside": quarantined, "bytes": size, "limit": limit, "entries": entries,
    }))
}

/// An entry as JSON.
pub(super) fn entry_json(entry: &Entry) -> String {
    let mut object = object(entry);
    let function =
        |one: &rorqual_store::FunctionContent| json!({ "name": one.name, "hash": one.hash.as_str() });
    object["version"] = VERSION.into();
    object["functions"] = entry.content.functions.iter().map(function).collect();
    object["evidence"] = serde_json::from_str(&entry.content.payload)
        .unwrap_or_else(|_| entry.content.payload.as_str().into());
    document(&object)
}

fn object(entry: &Entry) -> Value {
    let content = &entry.content;
    let mut object = json!({
        "key": content.key.as_str(),
        "kind": content.kind.name(),
        "program": content.program.as_str(),
        "files": content.files,
        "bytes": content.size(),
        "seconds_to_find": content.cost.as_secs_f64(),
        "created": time(entry.created),
        "last_used": time(entry.used),
        "uses": entry.uses,
        "intact": entry.is_intact,
    });
    if let Ok(record) = Record::parse(&content.payload) {
        object["properties"] = record.properties.into();
        object["technique"] = record.technique.into();
    }
    if let Some(reason) = &entry.quarantined {
        object["set_aside"] = reason.as_str().into();
    }
    object
}

fn document(object: &Value) -> String {
    serde_json::to_string_pretty(object).expect("the object has only text and numbers") + "\n"
}

/// What was found wrong.
pub(super) fn verified(summary: Summary, damaged: usize) -> String {
    let verdict = match damaged {
        0 => "nothing is wrong".to_owned(),
        1 => "1 entry was damaged, and is set aside".to_owned(),
        several => format!("{several} entries were damaged, and are set aside"),
    };
    format!("{verdict}: {}", total(summary))
}

/// What was removed.
pub(super) fn collected(collected: Collected, summary: Summary) -> String {
    let Collected { entries, size } = collected;
    format!("removed {entries} {} with {size} bytes: {}", plural(entries, "entry", "entries"), total(summary))
}

/// What was written.
pub(super) fn exported(exported: u64, skipped: u64, file: &Path) -> String {
    let skipped = match skipped {
        0 => String::new(),
        some => format!(", without {some} that were set aside or damaged"),
    };
    format!("exported {exported} {} to {}{skipped}\n", plural(exported, "entry", "entries"), file.display())
}

/// What was read.
pub(super) fn imported(imported: &Imported) -> String {
    let Imported { added, known, damaged } = imported;
    let mut text = format!("imported {added} {}", plural(*added, "entry", "entries"));
    if *known > 0 {
        let _ = write!(text, ", {known} {} there already", plural(*known, "was", "were"));
    }
    if *damaged > 0 {
        let _ = write!(text, ", {damaged} {} damaged and left out", plural(*damaged, "was", "were"));
    }
    text + "\n"
}
