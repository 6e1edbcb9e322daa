//! Entries for tests, and processes that use a store.

// Each test file uses a part of this.
#![allow(dead_code)]

use std::path::Path;
use std::process::{Command, Stdio};

use rorqual_store::{Evidence, Key, Kind, NewEntry, Outlines, Record};

/// The program that an entry is about.
pub(crate) fn program(number: u64) -> Key {
    Key::builder("test").part("program", &number.to_string()).finish()
}

/// An entry whose certificate has a number of bytes.
pub(crate) fn entry(number: u64, length: usize) -> NewEntry {
    let record = Record {
        properties: vec![format!("main.assertions.{number}")],
        technique: "interpolation".to_owned(),
        with_facts: false,
        heap_free: false,
        evidence: Evidence::Proof {
            certificate: "x".repeat(length),
            without_models: false,
            checked_in: 0,
            outlines: Outlines::default(),
            refutations: Vec::new(),
        },
    };
    NewEntry { files: "a.c".to_owned(), ..NewEntry::new(program(number), Kind::Proof, record.to_text()) }
}

/// A name of a test that does something only if it runs as a process of its own, and the directory that is meant.
pub(crate) const DIRECTORY: &str = "RORQUAL_STORE_TEST_DIRECTORY";
/// The number of the process.
pub(crate) const PROCESS: &str = "RORQUAL_STORE_TEST_PROCESS";

/// Another process that runs a test of this file, with its output in a pipe.
pub(crate) fn process(test: &str, directory: &Path, number: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("tests are run from a file"));
    command.args([test, "--exact", "--nocapture", "--quiet", "--test-threads=1"]);
    command.env(DIRECTORY, directory).env(PROCESS, number.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The directory and number of a process, in the process.
pub(crate) fn own_part() -> Option<(std::path::PathBuf, u64)> {
    let number = std::env::var(PROCESS).ok()?.parse().ok()?;
    Some((std::env::var_os(DIRECTORY)?.into(), number))
}
