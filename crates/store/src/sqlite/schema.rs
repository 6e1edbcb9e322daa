//! The tables of the store, and their version.

use rusqlite::{Connection, OptionalExtension};

use super::DEFAULT_LIMIT;
use crate::problem::Problem;

/// The version of the tables. A store with another one is not touched.
pub const FORMAT: i64 = 1;

/// Marks the file as a store of rorqual: `RRQS` in ASCII.
const APPLICATION: i64 = 0x5252_5153;

/// `entries` is an ordinary table and not one `WITHOUT ROWID`, which was 6 times slower with payloads of 1 to 20 kB. The index
/// on `used` also has the sizes, so that the sum of all sizes is found without reading payloads. Functions belong to programs, because a
/// program may have hundreds of both entries and functions; they go with the last entry.
const TABLES: &str = "
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        program TEXT NOT NULL,
        files TEXT NOT NULL,
        payload TEXT NOT NULL,
        size INTEGER NOT NULL,
        cost INTEGER NOT NULL,
        created INTEGER NOT NULL,
        used INTEGER NOT NULL,
        uses INTEGER NOT NULL,
        checksum TEXT NOT NULL,
        quarantined TEXT
    );
    CREATE INDEX entries_of_program ON entries (program);
    CREATE INDEX entries_of_files ON entries (files, uses);
    CREATE INDEX entries_by_use ON entries (used, size);
    CREATE TABLE functions (program TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (program, name));
    CREATE INDEX functions_by_content ON functions (hash);
    CREATE TRIGGER last_of_program AFTER DELETE ON entries
        WHEN NOT EXISTS (SELECT 1 FROM entries WHERE program = OLD.program)
        BEGIN DELETE FROM functions WHERE program = OLD.program; END;
";

/// Whether there is nothing in the file yet.
pub(super) fn is_empty(connection: &Connection) -> Result<bool, Problem> {
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(tables == 0)
}

/// Makes the tables, unless another process is faster.
pub(super) fn create(connection: &Connection) -> Result<(), Problem> {
    // Space of entries that are gone can be given back; this must be set before there are tables.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let made = (|| {
        if is_empty(connection)? {
            connection.execute_batch(TABLES)?;
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", FORMAT)?;
        }
        Ok::<(), Problem>(connection.execute_batch("COMMIT")?)
    })();
    if made.is_err() {
        // The transaction may have ended by itself, and the first error says more than this one.
        let _ = connection.execute_batch("ROLLBACK");
    }
    made
}

/// The format of a store; nothing if the file is something else.
pub(super) fn format(connection: &Connection) -> Result<Option<i64>, Problem> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if number("application_id")? != APPLICATION {
        return Ok(None);
    }
    Ok(Some(number("user_version")?))
}

/// How many bytes the entries may have.
pub(super) fn limit(connection: &Connection) -> Result<u64, Problem> {
    let query = "SELECT value FROM settings WHERE name = 'limit'";
    let value: Option<String> = connection.query_row(query, [], |row| row.get(0)).optional()?;
    Ok(value.and_then(|value| value.parse().ok()).unwrap_or(DEFAULT_LIMIT))
}

/// Sets how many bytes the entries may have, for all who use the store.
pub(super) fn set_limit(connection: &Connection, limit: u64) -> Result<(), Problem> {
    let statement = "INSERT INTO settings (name, value) VALUES ('limit', ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.execute(statement, [limit.to_string()])?;
    Ok(())
}
