//! Writing results so that nothing that was stored is lost: each row goes to the files at once,
//! and a row that cannot be written completely is taken back.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::read::complete_length;
use super::{ReadError, Results, Row, csv, json};
use crate::Settings;

/// The files of a run.
#[derive(Debug)]
pub struct Store {
    settings: Settings,
    table: Option<Growing>,
    json: Option<Growing>,
}

/// Why results cannot be stored.
#[derive(Debug)]
pub enum StoreError {
    /// The file is there already.
    Exists(PathBuf),
    /// The file cannot be created or opened.
    Open(PathBuf, io::Error),
    /// Another run is writing to the file.
    Busy(PathBuf),
    /// The file to go on with cannot be read.
    Read(PathBuf, ReadError),
    /// The file to go on with was made with another setting: its name, its value there, its
    /// value here.
    Settings(PathBuf, &'static str, String, String),
    /// The file cannot be written. What it held before is still there.
    Write(PathBuf, io::Error),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            StoreError::Exists(path) => write!(f, "`{}` exists already", path.display()),
            StoreError::Open(path, error) => write!(f, "cannot open `{}`: {error}", path.display()),
            StoreError::Busy(path) => write!(f, "another run is writing to `{}`", path.display()),
            StoreError::Read(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            StoreError::Settings(path, name, there, here) => {
                let path = path.display();
                write!(f, "the results in `{path}` were made with {name} `{there}`, not `{here}`")
            }
            StoreError::Write(path, error) => write!(f, "cannot write to `{}`: {error}", path.display()),
        }
    }
}

impl Store {
    /// Starts new files. Files that exist are left alone: they may hold the work of hours.
    pub fn create(
        settings: Settings,
        table: Option<&Path>,
        json: Option<&Path>,
    ) -> Result<Store, StoreError> {
        let table = table.map(|path| Growing::create(path, &csv::header(), "")).transpose()?;
        let head = json::head(&settings);
        let mut store = Store { settings, table, json: None };
        match json.map(|path| Growing::create(path, &head, json::TAIL)).transpose() {
            Ok(json) => {
                store.json = json;
                Ok(store)
            }
            Err(error) => {
                // The user tries again, and would meet the table then.
                store.remove();
                Err(error)
            }
        }
    }

    /// Goes on with a table, which may be missing. The JSON file is written anew, because it
    /// holds nothing that the table does not hold. Gives the rows that are stored already.
    pub fn resume(
        settings: Settings,
        table: &Path,
        json: Option<&Path>,
    ) -> Result<(Store, Vec<Row>), StoreError> {
        let (table, rows) = resume_table(&settings, table)?;
        let json = json.map(|path| Growing::replace(path, &json::head(&settings), json::TAIL));
        let mut store = Store { table: None, json: json.transpose()?, settings };
        for row in &rows {
            store.add(row)?;
        }
        store.table = Some(table);
        Ok((store, rows))
    }

    /// Removes the files. Files without results would only be in the way of the next run.
    pub fn remove(self) {
        for growing in [self.table, self.json].into_iter().flatten() {
            // What cannot be removed does no harm.
            let _ = std::fs::remove_file(&growing.path);
        }
    }

    /// Stores a row.
    pub fn add(&mut self, row: &Row) -> Result<(), StoreError> {
        if let Some(table) = &mut self.table {
            table.append(&csv::line(&self.settings, row))?;
        }
        if let Some(json) = &mut self.json {
            let separator = if json.rows == 0 { "\n" } else { ",\n" };
            json.append(&(separator.to_owned() + &json::row(row)))?;
        }
        Ok(())
    }
}

fn resume_table(settings: &Settings, path: &Path) -> Result<(Growing, Vec<Row>), StoreError> {
    let mut options = OpenOptions::new();
    let file = open(path, options.read(true).write(true).create(true).truncate(false))?;
    let bytes = std::fs::read(path).map_err(|error| StoreError::Open(path.to_owned(), error))?;
    let results = Results::parse(&bytes).map_err(|error| StoreError::Read(path.to_owned(), error))?;
    if let Some(stored) = &results.settings
        && let Some((name, there, here)) = stored.difference(settings)
    {
        return Err(StoreError::Settings(path.to_owned(), name, there, here));
    }
    let length = complete_length(&bytes) as u64;
    let mut table = Growing { file, path: path.to_owned(), end: length, rows: results.rows.len(), tail: "" };
    table.repair().map_err(|error| StoreError::Write(path.to_owned(), error))?;
    if length == 0 {
        table.start(&csv::header())?;
    }
    Ok((table, results.rows))
}

/// A process that is just being started holds the files of whoever starts it for a moment.
const LOCK_ATTEMPTS: usize = 10;
const LOCK_PERIOD: Duration = Duration::from_millis(20);

fn open(path: &Path, options: &OpenOptions) -> Result<File, StoreError> {
    let file = options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => StoreError::Exists(path.to_owned()),
        _ => StoreError::Open(path.to_owned(), error),
    })?;
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PERIOD),
            // Some file systems have no locks; then users have to take care themselves.
            Err(TryLockError::Error(_)) | Ok(()) => return Ok(file),
        }
    }
    Err(StoreError::Busy(path.to_owned()))
}

/// A file to which text is added, before a tail that always ends it.
#[derive(Debug)]
struct Growing {
    file: File,
    path: PathBuf,
    /// Where the tail begins.
    end: u64,
    rows: usize,
    tail: &'static str,
}

impl Growing {
    fn create(path: &Path, head: &str, tail: &'static str) -> Result<Growing, StoreError> {
        let file = open(path, OpenOptions::new().write(true).create_new(true))?;
        Growing::with_head(file, path, head, tail)
    }

    fn replace(path: &Path, head: &str, tail: &'static str) -> Result<Growing, StoreError> {
        let file = open(path, OpenOptions::new().write(true).create(true).truncate(false))?;
        file.set_len(0).map_err(|error| StoreError::Write(path.to_owned(), error))?;
        Growing::with_head(file, path, head, tail)
    }

    fn with_head(file: File, path: &Path, head: &str, tail: &'static str) -> Result<Growing, StoreError> {
        let mut growing = Growing { file, path: path.to_owned(), end: 0, rows: 0, tail };
        growing.start(head)?;
        Ok(growing)
    }

    fn start(&mut self, head: &str) -> Result<(), StoreError> {
        self.append(head)?;
        self.rows = 0;
        Ok(())
    }

    /// Adds text with one call of the system, so that a process that is killed leaves all of it
    /// or nothing. If there is no room, the file is brought back to what it was.
    fn append(&mut self, text: &str) -> Result<(), StoreError> {
        let bytes = format!("{text}{}", self.tail);
        if let Err(error) = self.file.write_all_at(bytes.as_bytes(), self.end) {
            // The blocks for the old content are there, so this needs no room.
            let _ = self.repair();
            return Err(StoreError::Write(self.path.clone(), error));
        }
        self.end += text.len() as u64;
        self.rows += 1;
        Ok(())
    }

    /// Lets the file end where its content ends.
    fn repair(&mut self) -> io::Result<()> {
        let has_content = self.end > 0;
        let tail = if has_content { self.tail } else { "" };
        self.file.write_all_at(tail.as_bytes(), self.end)?;
        self.file.set_len(self.end + tail.len() as u64)
    }
}
