//! The commands of the guide do what it shows.

mod support;

use std::path::{Path, PathBuf};

use support::Workspace;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Copies the programs and specifications of a folder.
fn copy(folder: &Path, workspace: &Workspace, to: &str) {
    std::fs::create_dir_all(workspace.path().join(to)).expect("it can be made");
    for file in std::fs::read_dir(folder).expect("there are examples") {
        let path = file.expect("it can be listed").path();
        if path.extension().is_some_and(|extension| extension == "c" || extension == "spec") {
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            workspace.write(&format!("{to}{name}"), &std::fs::read(&path).expect("it can be read"));
        }
    }
}

/// Runs the commands of a page in one directory that has the examples, and compares what they print.
fn follow(page: &str) {
    let text = std::fs::read_to_string(root().join("docs/guide").join(page)).expect("there is such a page");
    let workspace = Workspace::new(&[]);
    for (from, to) in [("examples", ""), ("examples/drivers", "examples/drivers/"), ("specs", "specs/")] {
        copy(&root().join(from), &workspace, to);
    }
    let mut commands = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for session in block.split("$ rorqual ").skip(1) {
            let (arguments, expected) = session.split_once('\n').expect("a command ends its line");
            assert_eq!(
                workspace.rorqual(arguments).output,
                expected,
                "`rorqual {arguments}` prints something else"
            );
            commands += 1;
        }
    }
    assert!(commands > 0, "{page} has no commands");
}

#[test]
fn specifications() {
    follow("specifications.md");
}

#[test]
fn the_store() {
    follow("store.md");
}
