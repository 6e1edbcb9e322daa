//! What users do with a store: look at it, check it, make it smaller.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use super::{SqliteStore, schema, select};
use crate::entry::Entry;
use crate::key::Key;
use crate::problem::Problem;
use crate::record::Record;

/// What there is in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// How many entries, without those in quarantine.
    pub entries: u64,
    /// How many are in quarantine.
    pub quarantined: u64,
    /// How many bytes all of them have.
    pub size: u64,
    /// How many they may have.
    pub limit: u64,
}

/// What was removed from a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Collected {
    /// How many entries.
    pub entries: u64,
    /// How many bytes they had.
    pub size: u64,
}

impl SqliteStore {
    /// All entries, oldest first.
    pub fn entries(&self) -> Result<Vec<Entry>, Problem> {
        select(&self.connection(), "TRUE", [])
    }

    /// The entries whose keys start with some digits.
    pub fn entries_named(&self, digits: &str) -> Result<Vec<Entry>, Problem> {
        select(&self.connection(), "substr(key, 1, length(?1)) = ?1", [digits])
    }

    /// How much there is.
    pub fn summary(&self) -> Result<Summary, Problem> {
        let connection = self.connection();
        let query =
            "SELECT count(*) - count(quarantined), count(quarantined), coalesce(sum(size), 0) FROM entries";
        let row = connection.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        let (entries, quarantined, size): (i64, i64, i64) = row?;
        let limit = schema::limit(&connection)?;
        Ok(Summary { entries: entries as u64, quarantined: quarantined as u64, size: size as u64, limit })
    }

    /// Sets how many bytes the entries may have, for all runs that use the store from now on.
    pub fn set_limit(&self, limit: u64) -> Result<(), Problem> {
        schema::set_limit(&self.connection(), limit)
    }

    /// What is wrong with the file itself, in the words of SQLite.
    pub fn damage(&self) -> Result<Vec<String>, Problem> {
        let connection = self.connection();
        let mut query = connection.prepare("PRAGMA integrity_check")?;
        let lines =
            query.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }

    /// The entries that are damaged, each with a reason. Whether others are right is for those to find out who have the program.
    pub fn damaged_entries(&self) -> Result<Vec<(Key, String)>, Problem> {
        let reason = |entry: &Entry| match Record::parse(&entry.content.payload) {
            _ if !entry.is_intact => Some("its checksum is wrong".to_owned()),
            Ok(record) if record.kind() != entry.content.kind => Some("its kind is wrong".to_owned()),
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        let sound = select(&self.connection(), "quarantined IS NULL", [])?;
        Ok(sound.iter().filter_map(|entry| Some((entry.content.key.clone(), reason(entry)?))).collect())
    }

    /// Removes what is in quarantine, and what was of use longest ago until the rest is within the limit. Gives the space back.
    pub fn collect(&self) -> Result<Collected, Problem> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let query = "SELECT count(*), coalesce(sum(size), 0) FROM entries WHERE quarantined IS NOT NULL";
        let aside: (i64, i64) = transaction.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        transaction.execute("DELETE FROM entries WHERE quarantined IS NOT NULL", [])?;
        let evicted = evict(&transaction, schema::limit(&transaction)?)?;
        transaction.commit()?;
        // Each step gives one page back.
        let mut vacuum = connection.prepare("PRAGMA incremental_vacuum")?;
        let mut steps = vacuum.query([])?;
        while steps.next()?.is_some() {}
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(Collected { entries: aside.0 as u64 + evicted.entries, size: aside.1 as u64 + evicted.size })
    }
}

/// Removes entries until all together are within the limit, those first that were of use longest ago.
pub(super) fn evict(connection: &Connection, limit: u64) -> Result<Collected, Problem> {
    let mut removed = Collected::default();
    let sum = "SELECT coalesce(sum(size), 0) FROM entries";
    let mut size = connection.query_row(sum, [], |row| row.get::<_, i64>(0))? as u64;
    while size > limit {
        let oldest = "SELECT id, size FROM entries ORDER BY used, id LIMIT 1";
        let row = connection.query_row(oldest, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
        let Some((id, freed)) = row.optional()? else { break };
        connection.execute("DELETE FROM entries WHERE id = ?", [id])?;
        removed.entries += 1;
        removed.size += freed as u64;
        size = size.saturating_sub(freed as u64);
    }
    Ok(removed)
}
