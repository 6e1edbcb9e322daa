//! Proofs and violations that are kept for later runs, addressed by the content of programs.
//!
//! A [`Store`] holds [`Entry`]s: what was found out about a program, with the evidence for it. Nothing in it is believed: a
//! certificate that is loaded has to pass the checker again, inputs have to be replayed. So a key need only be
//! good enough to find things, and a damaged or forged store costs time, never a wrong verdict. This crate only keeps and
//! finds; whoever loads an entry checks it.
//!
//! - [`Content`] says what matters about functions: operations, types and names that are visible outside, but neither places
//!   in files nor names of locals.
//! - [`Vocabulary`] translates certificates to and from names that do not depend on those of locals.
//! - [`Outlines`] find the parts of a function again in its later versions.
//! - [`Record`] is what a verdict is stored as.
//! - [`SqliteStore`] is the store in a directory.
//!
//! ```
//! use rorqual_store::{Access, Content, Key, Kind, NewEntry, SqliteStore, Store};
//!
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! let store = SqliteStore::open(directory, Access::ReadWrite).expect("the directory can be written");
//! let content = Content::of(&rorqual_testkit::program("int main(void) { int i = 0; return i; }"));
//! let program = Key::builder("program").part("functions", &content.text()).finish();
//! let entry = NewEntry { functions: content.functions, ..NewEntry::new(program.clone(), Kind::Proof, "{}") };
//! store.put(&entry).expect("there is room");
//! assert_eq!(store.find(&program).expect("it can be read").len(), 1);
//! # Ok::<(), std::io::Error>(())
//! ```

mod content;
mod entry;
mod instances;
mod key;
mod outline;
mod problem;
mod record;
mod sqlite;
mod vocabulary;

pub use content::{Content, FunctionContent};
pub use entry::{Entry, Kind, NewEntry};
pub use instances::{counterparts, instance_contents};
pub use key::{Key, KeyBuilder};
pub use outline::{Adapted, Outlines};
pub use problem::Problem;
pub use record::{Evidence, Record, Unreadable};
pub use sqlite::{Access, Collected, DEFAULT_LIMIT, FORMAT, Imported, SqliteStore, Summary};
pub use vocabulary::Vocabulary;

/// What entries of some files were good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Experience {
    /// How many programs there are entries about: versions of the files, mostly.
    pub programs: u64,
    /// How often they were used, all together.
    pub uses: u64,
}

/// Where entries are kept. Implementations may be used by several threads and processes at once.
pub trait Store: std::fmt::Debug + Send + Sync {
    /// All entries about a program, oldest first, without those in quarantine. They may be damaged.
    fn find(&self, program: &Key) -> Result<Vec<Entry>, Problem>;

    /// The entries of a kind about other programs that share functions with these, those that share most first, and the newest of these:
    /// versions of the same program, mostly. There are at most so many programs.
    fn find_relatives(
        &self,
        program: &Key,
        functions: &[FunctionContent],
        kind: Kind,
        programs: usize,
    ) -> Result<Vec<Entry>, Problem>;

    /// Keeps an entry, in place of one with the same key. Others may have to go to make room for it.
    fn put(&self, entry: &NewEntry) -> Result<(), Problem>;

    /// Notes that an entry was of use just now.
    fn mark_used(&self, key: &Key) -> Result<(), Problem>;

    /// Sets an entry aside: it is kept for whoever wants to know why, but not found any more.
    fn quarantine(&self, key: &Key, reason: &str) -> Result<(), Problem>;

    /// How often entries of programs from these files were used.
    fn experience(&self, files: &str) -> Result<Experience, Problem>;
}
