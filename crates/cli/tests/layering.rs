//! The rules of the layout that a compiler does not check (see `ARCHITECTURE.md`).

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Bottom up: a crate may depend only on crates listed before it.
const ORDER: &[&str] = &[
    "rorqual-source",
    "rorqual-logic",
    "rorqual-cfa",
    "rorqual-models",
    "rorqual-frontend",
    "rorqual-interpreter",
    "rorqual-memory",
    "rorqual-solver",
    "rorqual-interpolation",
    "rorqual-evidence",
    "rorqual-certificate",
    "rorqual-witness",
    "rorqual-encoding",
    "rorqual-symbolic",
    "rorqual-inference",
    "rorqual-store",
    "rorqual-engines",
    "rorqual-strategy",
    "rorqual",
    "rorqual-benchmark",
    "rorqual-cli",
];

/// Crates for tests and tools: nothing may depend on them except for its tests.
const TOOLS: &[&str] = &["rorqual-testkit", "xtask"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    metadata["packages"].as_array().expect("there are packages").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn crates_depend_only_on_crates_below_them() {
    for package in packages() {
        let name = text(&package["name"]);
        let level = ORDER.iter().position(|known| *known == name);
        let is_tool = TOOLS.contains(&name);
        assert!(level.is_some() || is_tool, "`{name}` has no place in the order of crates");
        for dependency in package["dependencies"].as_array().expect("a list") {
            let on = text(&dependency["name"]);
            let for_tests = text(&dependency["kind"]) == "dev";
            if TOOLS.contains(&on) {
                assert!(for_tests || is_tool, "`{name}` depends on `{on}`, which is for tests only");
            }
            let Some(target) = ORDER.iter().position(|known| *known == on) else {
                continue;
            };
            assert!(
                for_tests || is_tool || Some(target) < level,
                "`{name}` depends on `{on}`, which is not below it"
            );
        }
    }
}

#[test]
fn the_order_is_the_documented_one() {
    let document = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the document is there");
    let mut rest = document.as_str();
    for name in ORDER {
        let folder = name.strip_prefix("rorqual-").unwrap_or("rorqual");
        let entry = format!("crates/{folder}/");
        let at = rest.find(&entry);
        assert!(at.is_some(), "`{entry}` is missing in ARCHITECTURE.md, or not in order");
        rest = &rest[at.unwrap_or(0)..];
    }
}

#[test]
fn only_the_adapter_names_the_parser() {
    let adapter = root().join("crates/frontend/src/adapter");
    for file in rust_files(&root()) {
        if file.starts_with(&adapter)
            || file == adapter.with_extension("rs")
            || file.ends_with("cli/tests/layering.rs")
        {
            continue;
        }
        let code = std::fs::read_to_string(&file).expect("the file can be read");
        let offender = code.lines().find(|line| line.contains("rucc_"));
        assert_eq!(offender, None, "{} names the parser", file.display());
    }
}

#[test]
fn only_the_command_line_prints() {
    let silent = [
        "source",
        "logic",
        "cfa",
        "frontend",
        "interpreter",
        "solver",
        "interpolation",
        "evidence",
        "encoding",
        "inference",
        "engines",
        "strategy",
        "store",
        "rorqual",
        "certificate",
        "witness",
        "benchmark",
    ];
    for folder in silent {
        for file in rust_files(&root().join("crates").join(folder).join("src")) {
            // Tests may say what they skip and how much they did.
            if file.iter().any(|part| part == "tests" || part == "tests.rs") {
                continue;
            }
            let code = std::fs::read_to_string(&file).expect("the file can be read");
            let prints = |line: &&str| {
                // Examples in documentation show what users write.
                !line.starts_with("//!")
                    && ["println!(", "print!(", "std::env::", "process::exit"]
                        .iter()
                        .any(|part| line.contains(part))
            };
            assert_eq!(code.lines().find(prints), None, "{} prints or looks around", file.display());
        }
    }
}

/// All Rust files of the workspace below a directory.
fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = vec![];
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).expect("the directory can be read") {
            let path = entry.expect("the entry can be read").path();
            let hidden = path
                .file_name()
                .is_some_and(|name| name == "target" || name.as_encoded_bytes().starts_with(b"."));
            if path.is_dir() && !hidden {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}
