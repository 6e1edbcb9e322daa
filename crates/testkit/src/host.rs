//! Machines around the front end: one in memory, and the real one.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use rorqual_cfa::DataModel;
use rorqual_frontend::Host;

use crate::gcc::gcc_include_directories;

/// Files that exist only in memory; on demand also the headers of the system.
#[derive(Debug, Clone, Default)]
pub struct MemoryHost {
    files: BTreeMap<PathBuf, Vec<u8>>,
    has_system_headers: bool,
}

impl MemoryHost {
    /// A machine without files.
    pub fn new() -> MemoryHost {
        MemoryHost::default()
    }

    /// The same machine with one more file.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<PathBuf>, content: impl Into<Vec<u8>>) -> MemoryHost {
        self.files.insert(path.into(), content.into());
        self
    }

    /// The same machine with the headers of the system. No other file on disk can be read, so
    /// that a program out of a fuzzer cannot include `/dev/zero`.
    #[must_use]
    pub fn with_system_headers(mut self) -> MemoryHost {
        self.has_system_headers = true;
        self
    }

    fn is_system_header(&self, path: &Path) -> bool {
        let models = [DataModel::Lp64, DataModel::Ilp32];
        let mut directories = models.into_iter().flat_map(gcc_include_directories);
        let stays_below = !path.components().any(|part| part == Component::ParentDir);
        self.has_system_headers && stays_below && directories.any(|directory| path.starts_with(directory))
    }
}

impl Host for MemoryHost {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let normal: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
        match self.files.get(&normal) {
            Some(content) => Ok(content.clone()),
            None if self.is_system_header(path) => std::fs::read(path),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn system_include_directories(&self, model: DataModel) -> Vec<PathBuf> {
        if self.has_system_headers { gcc_include_directories(model) } else { vec![] }
    }
}

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemHost;

impl Host for SystemHost {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn system_include_directories(&self, model: DataModel) -> Vec<PathBuf> {
        gcc_include_directories(model)
    }
}
