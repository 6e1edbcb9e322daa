//! Entries as lines of JSON, for other stores: of later formats, on other machines (`docs/formats/store.md`).

use std::io::{BufRead, Write};
use std::time::Duration;

use rusqlite::TransactionBehavior;
use serde::{Deserialize, Serialize};

use super::{SqliteStore, entry, functions, insert, maintenance, schema};
use crate::content::FunctionContent;
use crate::entry::NewEntry;
use crate::key::Key;
use crate::problem::Problem;

/// The version of the lines.
const VERSION: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    rorqual_store_export: u32,
}

/// Any other line.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    kind: String,
    program: String,
    functions: Vec<(String, String)>,
    files: String,
    cost_ms: u64,
    payload: String,
    checksum: String,
}

/// What was imported.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    /// How many entries were added.
    pub added: u64,
    /// How many were there already.
    pub known: u64,
    /// How many were not taken over because they are damaged.
    pub damaged: u64,
}

impl SqliteStore {
    /// Writes all entries that are whole. Returns how many, and how many are not, or are in quarantine. Of a damaged file, what can be read
    /// is written.
    pub fn export(&self, output: &mut dyn Write) -> Result<(u64, u64), Problem> {
        let written =
            |result: std::io::Result<()>| result.map_err(|error| Problem::Failed(error.to_string()));
        let head = serde_json::to_string(&Head { rorqual_store_export: VERSION }).expect("it is a number");
        written(writeln!(output, "{head}"))?;
        let connection = self.connection();
        let columns = super::COLUMNS;
        let mut query = connection.prepare(&format!("SELECT {columns} FROM entries ORDER BY id"))?;
        let mut rows = query.query([])?;
        let (mut exported, mut skipped) = (0, 0);
        // Behind a damaged page there is no going on.
        while let Ok(Some(row)) = rows.next() {
            let Ok(Some(entry)) = entry(row) else {
                skipped += 1;
                continue;
            };
            if !entry.is_intact || entry.quarantined.is_some() {
                skipped += 1;
                continue;
            }
            let functions = functions(&connection, &entry.content.program).unwrap_or_default();
            written(writeln!(output, "{}", line(NewEntry { functions, ..entry.content })))?;
            exported += 1;
        }
        Ok((exported, skipped))
    }

    /// Adds entries that another store has exported, all or none of them.
    pub fn import(&self, input: &mut dyn BufRead) -> Result<Imported, Problem> {
        let mut lines = input.lines().enumerate();
        let head = lines.next().and_then(|(_, line)| line.ok()).unwrap_or_default();
        match serde_json::from_str(&head) {
            Ok(Head { rorqual_store_export: VERSION }) => {}
            Ok(Head { rorqual_store_export: found }) => {
                let reason =
                    format!("the file has version {found}, and this rorqual reads version {VERSION}");
                return Err(Problem::BadExport { line: 1, reason });
            }
            Err(_) => {
                let reason = "this is not a file of `rorqual store export`".to_owned();
                return Err(Problem::BadExport { line: 1, reason });
            }
        }
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut imported = Imported::default();
        for (at, text) in lines {
            let bad = |reason: String| Problem::BadExport { line: at + 1, reason };
            let text = text.map_err(|error| bad(error.to_string()))?;
            let line: Line = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
            let Some(entry) = whole(line) else {
                imported.damaged += 1;
                continue;
            };
            let known = "SELECT count(*) FROM entries WHERE key = ? AND quarantined IS NULL";
            if transaction.query_row(known, [entry.key.as_str()], |row| row.get::<_, i64>(0))? > 0 {
                imported.known += 1;
                continue;
            }
            transaction.execute("DELETE FROM entries WHERE key = ?", [entry.key.as_str()])?;
            insert(&transaction, &entry)?;
            imported.added += 1;
        }
        maintenance::evict(&transaction, schema::limit(&transaction)?)?;
        transaction.commit()?;
        Ok(imported)
    }
}

fn line(entry: NewEntry) -> String {
    let checksum = entry.checksum().as_str().to_owned();
    let functions = entry.functions.into_iter().map(|one| (one.name, one.hash.as_str().to_owned()));
    let line = Line {
        key: entry.key.as_str().to_owned(),
        kind: entry.kind.name().to_owned(),
        program: entry.program.as_str().to_owned(),
        functions: functions.collect(),
        files: entry.files,
        cost_ms: entry.cost.as_millis() as u64,
        payload: entry.payload,
        checksum,
    };
    serde_json::to_string(&line).expect("it has only texts and numbers")
}

/// The entry of a line, unless it is damaged.
fn whole(line: Line) -> Option<NewEntry> {
    let function = |(name, hash): (String, String)| Some(FunctionContent { name, hash: Key::parse(&hash)? });
    let entry = NewEntry {
        key: Key::parse(&line.key)?,
        kind: line.kind.parse().ok()?,
        program: Key::parse(&line.program)?,
        functions: line.functions.into_iter().map(function).collect::<Option<_>>()?,
        files: line.files,
        payload: line.payload,
        cost: Duration::from_millis(line.cost_ms),
    };
    (entry.checksum().as_str() == line.checksum).then_some(entry)
}
