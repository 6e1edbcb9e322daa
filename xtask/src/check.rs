//! What must pass before a commit.

use std::process::Command;

use crate::{Report, Trouble};

/// A name, the arguments of cargo, and what is set in the environment.
type Step = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const STEPS: [Step; 4] = [
    ("formatting", &["fmt", "--all", "--check"], &[]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"], &[]),
    ("tests", &["test", "--release", "--workspace", "--locked", "--quiet"], &[]),
    (
        "documentation",
        &["doc", "--workspace", "--no-deps", "--locked", "--quiet"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
];

/// Runs all steps, also after one failed, and names those that failed.
pub(crate) fn run() -> Result<Report, Trouble> {
    let mut failed = Vec::new();
    for (name, arguments, environment) in STEPS {
        eprintln!("== {name}: cargo {}", arguments.join(" "));
        let mut command = Command::new("cargo");
        command.args(arguments).envs(environment.iter().copied());
        if !command.status()?.success() {
            failed.push(name);
        }
    }
    if failed.is_empty() {
        eprintln!("== all checks pass");
        return Ok(Report::Clean);
    }
    eprintln!("== failed: {}", failed.join(", "));
    Ok(Report::Faults)
}
