//! The commands of the guide do what it shows.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Without the times, and without the hashes that lines of commits begin with.
fn timeless(text: &str) -> Vec<String> {
    let word = |word: &str| {
        let number = word.trim_start_matches('(');
        let is_time = number.contains('.') && number.parse::<f64>().is_ok();
        let is_hash = word.len() == 10 && word.chars().all(|digit| digit.is_ascii_hexdigit());
        let kept = if is_time { "TIME" } else { word };
        if is_hash { "HASH".to_owned() } else { kept.to_owned() }
    };
    text.lines().map(|line| line.split(' ').map(word).collect::<Vec<_>>().join(" ")).collect()
}

/// The worked example of the page about upgrades.
#[test]
fn the_commits_of_a_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/guide/upgrade.md")).expect("there is such a page");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let repository = directory.path().join("queue");
    let script = root.join("examples/upgrade/make-repository.sh");
    let made = Command::new("sh").arg(script).arg(&repository).output();
    if !made.is_ok_and(|output| output.status.success()) {
        support::skip("the_commits_of_a_repository", "git is not installed");
        return;
    }
    let (_, example) = page.split_once("&& cd /tmp/queue\n$ rorqual ").expect("the page has the example");
    let (command, rest) = example.split_once('\n').expect("a command ends its line");
    let (expected, _) = rest.split_once("```").expect("the example has an end");
    let mut tool = Command::new(env!("CARGO_BIN_EXE_rorqual"));
    let output = tool.args(command.split(' ')).current_dir(&repository).output().expect("rorqual runs");
    assert_eq!(output.status.code(), Some(10));
    assert_eq!(timeless(&String::from_utf8_lossy(&output.stdout)), timeless(expected));
}
