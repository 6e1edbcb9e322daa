//! Thirty random programs for each data model against gcc. `cargo xtask csmith` runs more and
//! larger ones.

use std::time::Duration;

use rorqual_cfa::DataModel;
use rorqual_testkit::csmith::{Comparison, Recipe, Size, find, interpret_file};
use rorqual_testkit::{Gcc, model_name, skip};

/// How many programs must be compared in each data model.
const PROGRAMS: usize = 30;

/// One in eight programs never ends and is skipped; the seeds suffice for that.
const SEEDS: std::ops::Range<u64> = 1..60;

#[test]
fn checksums_agree_with_gcc_in_lp64() {
    check(DataModel::Lp64);
}

#[test]
fn checksums_agree_with_gcc_in_ilp32() {
    check(DataModel::Ilp32);
}

fn check(model: DataModel) {
    let test = format!("the csmith programs for {}", model_name(model));
    let headers = match find() {
        Ok(headers) => headers,
        Err(reason) => return skip(&test, reason),
    };
    if let Err(reason) = Gcc::find(model) {
        return skip(&test, reason);
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("random.c");
    let limit = Duration::from_secs(30);
    let mut compared = 0;
    let mut failures = Vec::new();
    for seed in SEEDS {
        let recipe = Recipe { seed, size: Size::Small, model };
        let subject = |file: &std::path::Path| interpret_file(file, &headers, model, limit);
        match recipe.compare(&headers, &file, &subject) {
            Comparison::Agrees => compared += 1,
            failure if failure.is_failure() => failures.push(format!("seed {seed}: {failure}")),
            nothing => eprintln!("seed {seed}: {nothing}"),
        }
        if compared + failures.len() >= PROGRAMS {
            break;
        }
    }
    assert!(failures.is_empty(), "{} programs disagree\n{}", failures.len(), failures.join("\n"));
    assert!(compared >= PROGRAMS, "only {compared} programs could be compared");
}
