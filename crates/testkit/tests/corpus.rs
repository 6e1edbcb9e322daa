//! Every file that the fuzzer starts from goes through the front end without a panic or a hang.
//! `cargo xtask fuzz` tries changed copies of them as well, in processes of their own.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use rorqual_cfa::DataModel;
use rorqual_frontend::TranslationUnit;
use rorqual_testkit::{MemoryHost, c_files, read, workspace_directory};

/// Each file takes well below a second, but tests share the machine.
const LIMIT: Duration = Duration::from_mins(1);

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
        let (sender, receiver) = mpsc::channel();
        let path = file.clone();
        std::thread::spawn(move || sender.send(is_survived(&path)));
        match receiver.recv_timeout(LIMIT) {
            Ok(true) => {}
            Ok(false) => broken.push(format!("{}: panic", file.display())),
            Err(error) => panic!("{}: no answer within {} s: {error}", file.display(), LIMIT.as_secs()),
        }
    }
    assert!(broken.is_empty(), "the front end breaks on\n{}", broken.join("\n"));
}

/// Whether the file is accepted or refused in both data models; which one does not matter.
fn is_survived(file: &PathBuf) -> bool {
    let text = fs::read(file).expect("a file of the corpus can be read");
    let host = MemoryHost::new().with_file("input.c", text).with_system_headers();
    [DataModel::Lp64, DataModel::Ilp32].into_iter().all(|model| {
        let unit = TranslationUnit::new("input.c");
        catch_unwind(AssertUnwindSafe(|| read(&[unit], model, &host).is_ok())).is_ok()
    })
}
