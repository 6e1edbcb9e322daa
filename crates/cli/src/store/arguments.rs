//! The arguments of `store`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::check::arguments::ResultFormat;
use crate::quantities;

/// `store`
#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// List what is in a store
    #[command(
        after_help = "Examples:\n  rorqual store list proofs\n  rorqual store list proofs --format json"
    )]
    List(List),
    /// Show an entry: what it is about, and its evidence
    #[command(after_help = "Example:\n  rorqual store show proofs 3f9a12\n\n\
                            Certificates are shown as they are stored: `main::$0` is the first variable that `main` uses.")]
    Show(Show),
    /// Check that a store is not damaged, and set damaged entries aside
    #[command(
        after_help = "Whether evidence holds for a program is found out by `rorqual check FILE… --store DIR\n\
                            --store-mode verify`.\n\
                            Exit codes: 0 nothing is wrong, 20 something is.\n\n\
                            Example:\n  rorqual store verify proofs"
    )]
    Verify(Directory),
    /// Remove what was set aside, and what was of use longest ago until the rest is within the limit
    #[command(after_help = "Examples:\n  rorqual store gc proofs\n  rorqual store gc proofs --limit 200MB")]
    Gc(Gc),
    /// Write all entries to a file, for other stores
    #[command(after_help = "Stores of other versions of rorqual can be exported too.\n\n\
                            Example:\n  rorqual store export old --output entries.jsonl\n  \
                            rorqual store import new entries.jsonl")]
    Export(Export),
    /// Add the entries of a file to a store
    #[command(after_help = "Nothing of it is believed: evidence is checked when it is used.\n\n\
                            Example:\n  rorqual store import new entries.jsonl")]
    Import(Import),
}

/// A store.
#[derive(Debug, Args)]
pub(crate) struct Directory {
    /// The directory of the store
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

/// `store list`
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) store: Directory,
    /// How to write the list
    #[arg(long, value_enum, default_value_t = ResultFormat::Human)]
    pub(crate) format: ResultFormat,
}

/// `store show`
#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) store: Directory,
    /// The key of the entry, or its first digits
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// How to write the entry
    #[arg(long, value_enum, default_value_t = ResultFormat::Human)]
    pub(crate) format: ResultFormat,
}

/// `store gc`
#[derive(Debug, Args)]
pub(crate) struct Gc {
    #[command(flatten)]
    pub(crate) store: Directory,
    /// Let the store have at most this size from now on, such as `200MB` [default: 1GB]
    #[arg(long, value_name = "SIZE", value_parser = quantities::size)]
    pub(crate) limit: Option<u64>,
}

/// `store export`
#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) store: Directory,
    /// The file
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// `store import`
#[derive(Debug, Args)]
pub(crate) struct Import {
    #[command(flatten)]
    pub(crate) store: Directory,
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
