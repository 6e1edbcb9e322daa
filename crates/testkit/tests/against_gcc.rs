//! The programs of `tests/programs/semantics` (one file each) and `tests/programs/multi` (one
//! directory each) print and end as they do when gcc compiles them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rorqual_cfa::DataModel;
use rorqual_frontend::TranslationUnit;
use rorqual_testkit::{
    Case, Gcc, RunSettings, SystemHost, c_files, interpret, model_name, programs_directory, read,
    render_failure, skip, subdirectories,
};

#[test]
fn semantics_in_lp64() {
    check_all(DataModel::Lp64, &single_files());
}

#[test]
fn semantics_in_ilp32() {
    check_all(DataModel::Ilp32, &single_files());
}

#[test]
fn several_files_in_lp64() {
    check_all(DataModel::Lp64, &several_files());
}

#[test]
fn several_files_in_ilp32() {
    check_all(DataModel::Ilp32, &several_files());
}

fn single_files() -> Vec<Vec<PathBuf>> {
    c_files(&programs_directory("semantics")).into_iter().map(|file| vec![file]).collect()
}

fn several_files() -> Vec<Vec<PathBuf>> {
    subdirectories(&programs_directory("multi")).iter().map(|directory| c_files(directory)).collect()
}

fn check_all(model: DataModel, programs: &[Vec<PathBuf>]) {
    let gcc = match Gcc::find(model) {
        Ok(gcc) => gcc,
        Err(reason) => return skip(&format!("the comparison with gcc for {}", model_name(model)), reason),
    };
    assert!(!programs.is_empty(), "there are programs to compare");
    let mut failures = String::new();
    let mut failed = 0;
    for files in programs {
        // The expectations of a program of several files stand in `main.c`.
        let main = files.iter().find(|file| file.ends_with("main.c")).unwrap_or(&files[0]);
        let case = Case::read(main);
        if !case.models.contains(&model) {
            continue;
        }
        if let Err(difference) = compare(gcc, model, &case, files) {
            failed += 1;
            let _ = writeln!(failures, "{}: {difference}\n", main.display());
        }
    }
    assert!(
        failed == 0,
        "{failed} of {} programs differ ({})\n{failures}",
        programs.len(),
        model_name(model)
    );
}

fn compare(gcc: Gcc, model: DataModel, case: &Case, files: &[PathBuf]) -> Result<(), String> {
    let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let flags: Vec<&str> = case.gcc_flags.iter().map(String::as_str).collect();
    let native = gcc.compile_and_run(&paths, &flags, Duration::from_secs(10));
    let native = native.map_err(|problem| problem.to_string())?;
    let units: Vec<TranslationUnit> = files.iter().map(TranslationUnit::new).collect();
    let program = read(&units, model, &SystemHost);
    let program = program.map_err(|failure| format!("refused\n{}", render_failure(&failure)))?;
    let run = interpret(&program, &RunSettings::default());
    let difference = first_difference(&native.stdout, &run.stdout);
    let ending = run.ending.as_seen_by_parent();
    match difference {
        None if ending == native.ending => Ok(()),
        None => Err(format!("gcc: {}; rorqual: {ending}", native.ending)),
        Some(line) => Err(format!("{line}\n  gcc: {}; rorqual: {ending}", native.ending)),
    }
}

fn first_difference(expected: &[u8], found: &[u8]) -> Option<String> {
    if expected == found {
        return None;
    }
    let [expected, found] = [expected, found].map(String::from_utf8_lossy);
    let [mut expected, mut found] = [expected.lines(), found.lines()];
    for number in 1.. {
        let (left, right) = (expected.next(), found.next());
        if left != right || left.is_none() {
            let show = |line: Option<&str>| line.unwrap_or("(nothing)").to_owned();
            return Some(format!("line {number}\n  gcc:     {}\n  rorqual: {}", show(left), show(right)));
        }
    }
    None
}
