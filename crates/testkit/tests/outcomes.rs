//! The programs of `tests/programs/properties` and `tests/programs/undefined` end as their
//! first lines say, in both data models.

use std::fmt::Write;

use rorqual_cfa::DataModel;
use rorqual_frontend::TranslationUnit;
use rorqual_testkit::{
    Case, OverflowMeaning, RunSettings, SystemHost, c_files, interpret, model_name, programs_directory, read,
    render_failure,
};

#[test]
fn properties() {
    check("properties");
}

#[test]
fn undefined_behaviour() {
    check("undefined");
}

#[test]
fn programs_with_undefined_behaviour_have_a_defined_twin() {
    for file in c_files(&programs_directory("undefined")) {
        let name = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let twin = match name.strip_suffix("_defined") {
            Some(base) => format!("{base}.c"),
            None => format!("{name}_defined.c"),
        };
        assert!(file.with_file_name(&twin).exists(), "{twin} is missing");
    }
}

fn check(topic: &str) {
    let mut failures = String::new();
    let mut failed = 0;
    for file in c_files(&programs_directory(topic)) {
        let case = Case::read(&file);
        assert!(!case.runs.is_empty(), "{} states no expectation", file.display());
        for &model in &case.models {
            for difference in differences(&case, model) {
                failed += 1;
                let _ = writeln!(failures, "{} ({}): {difference}", file.display(), model_name(model));
            }
        }
    }
    assert!(failed == 0, "{failed} runs differ\n{failures}");
}

fn differences(case: &Case, model: DataModel) -> Vec<String> {
    let program = match read(&[TranslationUnit::new(&case.path)], model, &SystemHost) {
        Ok(program) => program,
        Err(failure) => return vec![format!("refused\n{}", render_failure(&failure))],
    };
    let mut differences = Vec::new();
    for expected in &case.runs {
        let settings = RunSettings {
            inputs: expected.inputs.clone(),
            overflow_is_undefined: case.overflow == OverflowMeaning::Undefined,
            ..RunSettings::default()
        };
        let ending = interpret(&program, &settings).ending;
        if !expected.accepts(&ending) {
            let inputs = expected.inputs.replace('\n', ", ");
            let expected = &expected.expected;
            differences.push(format!("inputs [{inputs}]: expected `{expected}`, found `{ending}`"));
        }
    }
    differences
}
