//! The programs of the conformance campaign are what the campaign takes them for.

use std::time::Duration;

use rorqual_cfa::DataModel;
use rorqual_testkit::conformance::{FAMILY_TURN, Program, Recipe, printing_all};
use rorqual_testkit::{Ending, Gcc, GccProblem, skip};

fn programs(model: DataModel) -> Vec<Program> {
    (0..2 * FAMILY_TURN).map(|index| Recipe { seed: 7, index, model }.program()).collect()
}

#[test]
fn equal_recipes_make_equal_programs() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        assert_eq!(printing_all(&programs(model)), printing_all(&programs(model)));
    }
}

#[test]
fn every_program_has_values() {
    for program in programs(DataModel::Lp64) {
        assert!(program.values() > 0, "a program of the family `{}` has no values", program.family);
    }
}

#[test]
fn sanitizers_find_nothing() {
    let test = "the conformance programs with sanitizers";
    let gcc = match Gcc::find(DataModel::Lp64) {
        Ok(gcc) => gcc,
        Err(reason) => return skip(test, reason),
    };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("all.c");
    std::fs::write(&file, printing_all(&programs(DataModel::Lp64))).expect("the file can be written");
    let flags = ["-std=gnu11", "-fsanitize=undefined", "-fno-sanitize-recover=all"];
    match gcc.compile_and_run(&[&file], &flags, Duration::from_mins(1)) {
        Ok(run) => assert_eq!(run.ending, Ending::Finished { status: 0 }),
        Err(GccProblem::Rejected(message)) if message.contains("ubsan") => skip(test, message),
        Err(problem) => panic!("{problem}"),
    }
}
