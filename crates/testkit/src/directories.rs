//! Where the test programs are.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace_directory() -> PathBuf {
    let crate_directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_directory.ancestors().nth(2);
    root.expect("this crate is two levels below the root").to_owned()
}

/// A directory below `tests/programs`.
pub fn programs_directory(topic: &str) -> PathBuf {
    workspace_directory().join("tests/programs").join(topic)
}

/// All files that end in `.c` below `directory`, sorted.
pub fn c_files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        for path in entries(&directory) {
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The directories right below `directory`, sorted.
pub fn subdirectories(directory: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = entries(directory).into_iter().filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory);
    let entries = entries.unwrap_or_else(|error| panic!("cannot list {}: {error}", directory.display()));
    let path = |entry: std::io::Result<fs::DirEntry>| entry.expect("a directory entry can be read").path();
    entries.map(path).collect()
}
