//! What can go wrong with a store, and what to do about it.

use std::fmt;
use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why a store cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// There is none in the directory.
    Missing(PathBuf),
    /// The directory cannot be made, or its files not be opened.
    Unreachable {
        /// The directory, or the file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file is something else.
    Foreign(PathBuf),
    /// Another version of rorqual has made it, in another format.
    OtherFormat {
        /// The directory.
        path: PathBuf,
        /// The format.
        found: i64,
    },
    /// A file that entries were exported to cannot be read.
    BadExport {
        /// The line, from one.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The file is damaged.
    Damaged(String),
    /// Nothing can be written.
    ReadOnly(String),
    /// The disk is full, or fails.
    Full(String),
    /// Others have used it for too long.
    Busy(String),
    /// The entry is larger than all that the store may hold.
    TooLarge {
        /// The size of the entry in bytes.
        size: u64,
        /// The limit of the store.
        limit: u64,
    },
    /// Anything else.
    Failed(String),
}

impl Problem {
    /// What the user can do.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Problem::Missing(_) => "`rorqual check --store DIR` makes one".to_owned(),
            Problem::Unreachable { .. } => {
                "name a directory that can be written, or leave out `--store`".to_owned()
            }
            Problem::Foreign(path) => format!("name another directory, or move `{}` away", path.display()),
            Problem::OtherFormat { path, .. } => format!(
                "take its entries over: `rorqual store export {0} --output entries.jsonl`, and then \
                 `rorqual store import NEW_DIR entries.jsonl`",
                path.display()
            ),
            Problem::BadExport { .. } => "write the file again with `rorqual store export`".to_owned(),
            Problem::Damaged(_) => {
                "save what can be read with `rorqual store export DIR --output entries.jsonl`, delete the \
                 directory, and read it again with `rorqual store import`; or just delete it"
                    .to_owned()
            }
            Problem::ReadOnly(_) => "use `--store-mode read-only`".to_owned(),
            Problem::Full(_) => {
                "make room on the disk, or let the store be smaller: `rorqual store gc DIR --limit SIZE`"
                    .to_owned()
            }
            Problem::Busy(_) => "try again when other runs have ended".to_owned(),
            Problem::TooLarge { .. } => "raise the limit with `--store-limit SIZE`".to_owned(),
            Problem::Failed(_) => return None,
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Missing(path) => write!(f, "there is no store in `{}`", path.display()),
            Problem::Unreachable { path, reason } => {
                write!(f, "the store cannot be opened: `{}`: {reason}", path.display())
            }
            Problem::Foreign(path) => write!(f, "`{}` is not a store of rorqual", path.display()),
            Problem::OtherFormat { path, found } => write!(
                f,
                "the store in `{}` has format {found}, and this version of rorqual uses format {}",
                path.display(),
                crate::FORMAT
            ),
            Problem::BadExport { line, reason } => write!(f, "line {line}: {reason}"),
            Problem::Damaged(what) => write!(f, "the store is damaged: {what}"),
            Problem::ReadOnly(what) => write!(f, "the store cannot be written: {what}"),
            Problem::Full(what) => write!(f, "the disk with the store is full, or fails: {what}"),
            Problem::Busy(what) => write!(f, "the store is in use by others: {what}"),
            Problem::TooLarge { size, limit } => {
                write!(f, "an entry has {size} bytes, and the store is limited to {limit}")
            }
            Problem::Failed(what) => write!(f, "the store failed: {what}"),
        }
    }
}

impl std::error::Error for Problem {}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Problem {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Problem::Damaged(text),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Problem::ReadOnly(text),
            // The system also fails so where a limit for the size of files is reached.
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => Problem::Full(text),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Problem::Busy(text),
            _ => Problem::Failed(text),
        }
    }
}
