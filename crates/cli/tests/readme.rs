//! What the README and the examples promise.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The exit code, and standard output followed by standard error.
fn rorqual(arguments: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rorqual"));
    let output =
        command.args(arguments.split_whitespace()).current_dir(root()).output().expect("the binary starts");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().expect("the process is not killed"),
        String::from_utf8(text).expect("the output is text"),
    )
}

#[test]
fn the_commands_in_the_readme_print_what_it_shows() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let mut commands = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or("");
        let Some(block) = block.strip_prefix("$ cargo run --release -- ") else {
            continue;
        };
        let (arguments, expected) = block.split_once('\n').expect("a command ends its line");
        assert_eq!(rorqual(arguments).1, expected, "`rorqual {arguments}` prints something else");
        commands += 1;
    }
    assert!(commands > 0);
}

#[test]
fn the_examples_do_what_they_say() {
    let expect = |arguments: &str, code: i32| {
        let (actual, text) = rorqual(arguments);
        assert_eq!(actual, code, "{arguments}\n{text}");
    };
    for seed in 1..=5 {
        // A loop with random inputs may go on for a while; it must never fail.
        let (code, text) = rorqual(&format!("run examples/lock.c --seed {seed} --step-limit 100000"));
        assert!([0, 20].contains(&code), "{text}");
        expect(&format!("run examples/ring.c --seed {seed}"), 0);
    }
    expect("run examples/average.c --inputs examples/three.inputs", 0);
    expect("run examples/average.c --inputs examples/empty.inputs", 10);
    expect("check examples/lock.c", 0);
    expect("check examples/search.c", 10);
}
