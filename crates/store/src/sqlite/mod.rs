//! The store in a directory: one SQLite file. Why SQLite is in `docs/decisions/0020-store.md`.
//!
//! Readers do not wait for a writer, writers wait for each other (write-ahead log). What was committed is on the disk (full
//! synchronisation), so a process that is killed loses at most the entry that it is about to write.

mod exchange;
mod maintenance;
mod schema;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, TransactionBehavior, params};

use crate::content::FunctionContent;
use crate::entry::{Entry, Kind, NewEntry, checksum};
use crate::key::Key;
use crate::problem::Problem;
use crate::{Experience, Store};

pub use exchange::Imported;
pub use maintenance::{Collected, Summary};
pub use schema::FORMAT;

/// How many bytes the entries of a store may have, unless someone says otherwise.
pub const DEFAULT_LIMIT: u64 = 1_000_000_000;

/// The file in the directory.
const FILE: &str = "store.sqlite";

/// How long to wait for others. Each of them writes one entry at a time, which takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// Milliseconds since 1970. SQLite asks the clock, so that all times in a store come from one place.
const NOW: &str = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/// What a store is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It must be there, and is not changed.
    ReadOnly,
    /// It is made if it is not there.
    ReadWrite,
}

/// A store in a directory.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl SqliteStore {
    /// Opens the store of a directory.
    pub fn open(directory: &Path, access: Access) -> Result<SqliteStore, Problem> {
        let store = SqliteStore::connect(directory, access)?;
        let format = schema::format(&store.connection())?;
        match format {
            Some(FORMAT) => Ok(store),
            Some(found) => Err(Problem::OtherFormat { path: directory.to_owned(), found }),
            None => Err(Problem::Foreign(directory.join(FILE))),
        }
    }

    /// Opens the store of a directory to export it, whatever its format is.
    pub fn open_any(directory: &Path) -> Result<SqliteStore, Problem> {
        SqliteStore::connect(directory, Access::ReadOnly)
    }

    fn connect(directory: &Path, access: Access) -> Result<SqliteStore, Problem> {
        let path = directory.join(FILE);
        let connection = match access {
            Access::ReadOnly if !path.exists() => return Err(Problem::Missing(directory.to_owned())),
            Access::ReadOnly => read_only(&path)?,
            Access::ReadWrite => {
                std::fs::create_dir_all(directory).map_err(|error| Problem::Unreachable {
                    path: directory.to_owned(),
                    reason: error.to_string(),
                })?;
                read_write(&path)?
            }
        };
        Ok(SqliteStore { path, connection: Mutex::new(connection) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // SQLite rolls back what a panic has left open.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What every connection needs. The tables may come from anyone, so what they may contain beside data does nothing harmful.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "trusted_schema", "OFF")?;
    connection.pragma_update(None, "cell_size_check", "ON")
}

fn read_write(path: &Path) -> Result<Connection, Problem> {
    let connection = Connection::open(path).map_err(|error| unreachable(path, &error))?;
    prepare(&connection)?;
    if schema::is_empty(&connection)? {
        schema::create(&connection)?;
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    if connection.is_readonly("main")? {
        return Err(Problem::ReadOnly(path.display().to_string()));
    }
    Ok(connection)
}

/// A connection that writes nothing. Where not even the files that readers share can be made, the store is taken to be
/// immutable: nobody can change it there.
fn read_only(path: &Path) -> Result<Connection, Problem> {
    let open = |name: &str, flags| {
        let connection = Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        prepare(&connection)?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(connection)
    };
    let name = path.to_string_lossy();
    open(&name, OpenFlags::empty()).or_else(|error: rusqlite::Error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly) => {
            let escaped = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
            let uri = format!("file:{escaped}?immutable=1");
            open(&uri, OpenFlags::SQLITE_OPEN_URI).map_err(|error| unreachable(path, &error))
        }
        _ => Err(error.into()),
    })
}

/// Why a file cannot be opened.
fn unreachable(path: &Path, error: &rusqlite::Error) -> Problem {
    Problem::Unreachable { path: path.to_owned(), reason: error.to_string() }
}

/// The columns of an entry, in the order in which [`entry`] reads them.
const COLUMNS: &str = "key, kind, program, files, payload, cost, created, used, uses, quarantined, checksum";

/// A row with [`COLUMNS`], if it is one that this version understands. Kinds of later versions are left alone.
fn entry(row: &Row<'_>) -> rusqlite::Result<Option<Entry>> {
    let text = |at: usize| row.get::<_, String>(at);
    let (Some(key), Ok(kind), Some(program)) =
        (Key::parse(&text(0)?), text(1)?.parse(), Key::parse(&text(2)?))
    else {
        return Ok(None);
    };
    // Damage may make text of anything.
    let payload = String::from_utf8_lossy(row.get_ref(4)?.as_bytes()?).into_owned();
    let content = NewEntry {
        key,
        kind,
        program,
        functions: Vec::new(),
        files: text(3)?,
        payload,
        cost: Duration::from_millis(row.get::<_, i64>(5)?.max(0) as u64),
    };
    let is_intact = content.checksum().as_str() == text(10)?;
    let uses = row.get::<_, i64>(8)?.max(0) as u64;
    let (created, used, quarantined) = (row.get(6)?, row.get(7)?, row.get(9)?);
    Ok(Some(Entry { content, created, used, uses, quarantined, is_intact }))
}

/// All entries that a condition holds for, oldest first.
fn select(
    connection: &Connection,
    condition: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<Entry>, Problem> {
    let mut query =
        connection.prepare(&format!("SELECT {COLUMNS} FROM entries WHERE {condition} ORDER BY id"))?;
    let rows = query.query_map(parameters, entry)?.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut entries: Vec<Entry> = rows.into_iter().flatten().collect();
    for entry in &mut entries {
        entry.content.functions = functions(connection, &entry.content.program)?;
    }
    Ok(entries)
}

/// The functions of a program.
fn functions(connection: &Connection, program: &Key) -> Result<Vec<FunctionContent>, Problem> {
    let mut query = connection.prepare("SELECT name, hash FROM functions WHERE program = ? ORDER BY name")?;
    let rows = query.query_map([program.as_str()], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let function = |(name, hash): (String, String)| Some(FunctionContent { name, hash: Key::parse(&hash)? });
    Ok(rows.into_iter().filter_map(function).collect())
}

impl Store for SqliteStore {
    fn find(&self, program: &Key) -> Result<Vec<Entry>, Problem> {
        select(&self.connection(), "program = ? AND quarantined IS NULL", [program.as_str()])
    }

    fn find_relatives(
        &self,
        program: &Key,
        functions: &[FunctionContent],
        kind: Kind,
        programs: usize,
    ) -> Result<Vec<Entry>, Problem> {
        let hashes: Vec<&str> = functions.iter().map(|function| function.hash.as_str()).collect();
        let hashes = serde_json::to_string(&hashes).expect("texts can be written");
        let connection = self.connection();
        let related = {
            let mut query = connection.prepare(
                "SELECT functions.program, max(entries.id) FROM functions JOIN entries USING (program)
                 WHERE hash IN (SELECT value FROM json_each(?)) AND program <> ? AND kind = ? AND quarantined IS NULL
                 GROUP BY program ORDER BY count(DISTINCT name) DESC, 2 DESC LIMIT ?",
            )?;
            let parameters = params![hashes, program.as_str(), kind.name(), programs as i64];
            let rows = query.query_map(parameters, |row| row.get(0))?;
            rows.collect::<rusqlite::Result<Vec<String>>>()?
        };
        let mut entries = Vec::new();
        for program in related {
            let condition = "program = ? AND kind = ? AND quarantined IS NULL";
            entries.extend(select(&connection, condition, [program.as_str(), kind.name()])?);
        }
        Ok(entries)
    }

    fn put(&self, entry: &NewEntry) -> Result<(), Problem> {
        let mut connection = self.connection();
        // Immediate: two writers that both begin as readers could not go on.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let limit = schema::limit(&transaction)?;
        let size = entry.size();
        if size > limit {
            return Err(Problem::TooLarge { size, limit });
        }
        transaction.execute("DELETE FROM entries WHERE key = ?", [entry.key.as_str()])?;
        insert(&transaction, entry)?;
        maintenance::evict(&transaction, limit)?;
        Ok(transaction.commit()?)
    }

    fn mark_used(&self, key: &Key) -> Result<(), Problem> {
        let update = format!("UPDATE entries SET used = {NOW}, uses = uses + 1 WHERE key = ?");
        self.connection().execute(&update, [key.as_str()])?;
        Ok(())
    }

    fn quarantine(&self, key: &Key, reason: &str) -> Result<(), Problem> {
        let update = "UPDATE entries SET quarantined = ? WHERE key = ?";
        self.connection().execute(update, [reason, key.as_str()])?;
        Ok(())
    }

    fn experience(&self, files: &str) -> Result<Experience, Problem> {
        let query = "SELECT count(DISTINCT program), sum(uses) FROM entries WHERE files = ?";
        let connection = self.connection();
        let counts =
            connection.query_row(query, [files], |row| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?)));
        let (programs, uses): (i64, Option<i64>) = counts.optional()?.unwrap_or_default();
        Ok(Experience { programs: programs as u64, uses: uses.unwrap_or(0) as u64 })
    }
}

fn insert(connection: &Connection, entry: &NewEntry) -> rusqlite::Result<()> {
    let NewEntry { key, kind, program, functions, files, payload, cost } = entry;
    let statement = format!(
        "INSERT INTO entries (key, kind, program, files, payload, size, cost, created, used, uses, checksum)
         VALUES (?, ?, ?, ?, ?, ?, ?, {NOW}, {NOW}, 0, ?)"
    );
    let (size, cost) = (entry.size() as i64, cost.as_millis() as i64);
    let sum = checksum(key, kind.name(), program, payload);
    connection.execute(
        &statement,
        params![key.as_str(), kind.name(), program.as_str(), files, payload, size, cost, sum.as_str()],
    )?;
    let statement = "INSERT OR REPLACE INTO functions (program, name, hash) VALUES (?, ?, ?)";
    let mut statement = connection.prepare(statement)?;
    for function in functions {
        statement.execute(params![program.as_str(), function.name, function.hash.as_str()])?;
    }
    Ok(())
}
