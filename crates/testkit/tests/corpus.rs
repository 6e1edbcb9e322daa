//! Every file that the fuzzer starts from goes through the front end without a panic.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use rorqual_cfa::DataModel;
use rorqual_frontend::TranslationUnit;
use rorqual_testkit::{MemoryHost, c_files, read, workspace_directory};

#[test]
fn the_fuzz_corpus_is_read_without_a_panic() {
    replay(&workspace_directory().join("tests/fuzz-corpus"));
}

#[test]
fn the_test_programs_are_read_without_a_panic() {
    replay(&workspace_directory().join("tests/programs"));
}

fn replay(directory: &Path) {
    let files = c_files(directory);
    assert!(!files.is_empty(), "{} has files", directory.display());
    let mut broken = Vec::new();
    for file in files {
        let text = fs::read(&file).expect("a file of the corpus can be read");
        let name = file.file_name().expect("a file has a name");
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let host = MemoryHost::new().with_file(name, text.clone()).with_system_headers();
            let unit = TranslationUnit::new(name);
            // Whether it is refused does not matter here.
            let result = catch_unwind(AssertUnwindSafe(|| read(&[unit], model, &host).is_ok()));
            if result.is_err() {
                broken.push(file.display().to_string());
            }
        }
    }
    assert!(broken.is_empty(), "the front end panics on\n{}", broken.join("\n"));
}
