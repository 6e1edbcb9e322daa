//! What tests with random programs have in common.

use std::io;
use std::path::{Path, PathBuf};

use rorqual_cfa::{DataModel, Program};
use rorqual_frontend::{Host, Options, TranslationUnit, lower, parse};

/// Vigna's `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below another.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

struct OneFile<'a>(&'a str);

impl Host for OneFile<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == Path::new("a.c") {
            return Ok(self.0.as_bytes().to_vec());
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn system_include_directories(&self, _: DataModel) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// The automata of a program in one file.
pub(crate) fn translated(text: &str, model: DataModel) -> Program {
    let options = Options { data_model: model, ..Options::default() };
    let typed = parse(&[TranslationUnit::new("a.c")], &options, &OneFile(text));
    let typed = typed.unwrap_or_else(|failure| panic!("{:?}\n{text}", failure.diagnostics));
    lower(typed, &options).unwrap_or_else(|failure| panic!("{:?}\n{text}", failure.diagnostics))
}

/// A number that the environment may set.
pub(crate) fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("the variable is a number"))
}
