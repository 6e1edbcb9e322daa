//! Programs over all operators, types, storage classes and declarators: `run` computes what gcc
//! computes, `check` proves it and refutes the negation. `cargo xtask conformance` compares more.

use std::path::PathBuf;
use std::time::Duration;

use rorqual_cfa::DataModel;
use rorqual_testkit::conformance::{FAMILY_TURN, Recipe, Subject, compare};
use rorqual_testkit::{Gcc, model_name, skip};

/// Every family of programs has its turn once; larger programs may stay without a verdict.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// At most this many of the programs of a turn may stay without a verdict: those about floating
/// point and variable arguments, and those with loops on a slow machine.
const WITHOUT_VERDICT: usize = 12;

#[test]
fn programs_mean_in_lp64_what_gcc_says() {
    check(DataModel::Lp64);
}

#[test]
fn programs_mean_in_ilp32_what_gcc_says() {
    check(DataModel::Ilp32);
}

fn check(model: DataModel) {
    if let Err(reason) = Gcc::find(model) {
        return skip(&format!("the conformance programs for {}", model_name(model)), reason);
    }
    let subject = Subject { binary: PathBuf::from(env!("CARGO_BIN_EXE_rorqual")), time_limit: TIME_LIMIT };
    let recipes: Vec<Recipe> = (0..FAMILY_TURN).map(|index| Recipe { seed: 1, index, model }).collect();
    let comparisons = compare(&recipes, &subject).expect("gcc has values for the programs");
    let differences: Vec<String> = comparisons
        .iter()
        .flat_map(|comparison| {
            let place = format!("{} of {}", comparison.recipe.index, comparison.family);
            comparison.differences.iter().map(move |difference| format!("{place}: {difference}"))
        })
        .collect();
    assert!(differences.is_empty(), "{} programs differ\n{}", differences.len(), differences.join("\n"));
    let without = comparisons.iter().filter(|comparison| !comparison.unknown.is_empty()).count();
    assert!(without <= WITHOUT_VERDICT, "{without} programs have no verdict");
}
