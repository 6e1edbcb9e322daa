//! What the fuzzer starts from.

use std::fs;
use std::path::PathBuf;

use rorqual_testkit::{c_files, workspace_directory};

use super::mutate::mutated;
use crate::Trouble;
use rorqual_testkit::Random;

/// The programs that are mutated, in the order of their names.
pub(crate) struct Corpus {
    files: Vec<Vec<u8>>,
}

impl Corpus {
    /// The test programs, the project's own corpus, and the files of `further`.
    pub(crate) fn load(further: Option<&PathBuf>) -> Result<Corpus, Trouble> {
        let root = workspace_directory();
        let mut paths = c_files(&root.join("tests/fuzz-corpus"));
        paths.extend(c_files(&root.join("tests/programs")));
        paths.extend(further.map(|directory| c_files(directory)).unwrap_or_default());
        let files = paths.iter().map(fs::read).collect::<Result<Vec<Vec<u8>>, _>>()?;
        if files.is_empty() {
            return Err("the corpus is empty".into());
        }
        Ok(Corpus { files })
    }

    /// The input with number `index` of the campaign with the given seed: first the corpus as
    /// it is, then its mutations.
    pub(crate) fn input(&self, seed: u64, index: u64) -> Vec<u8> {
        match self.files.get(index as usize) {
            Some(file) => file.clone(),
            None => mutated(&self.files, &mut Random::for_input(seed, index)),
        }
    }
}
