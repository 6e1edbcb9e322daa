//! The automatic checks against the interpreter's own reports of undefined behaviour: what one of them finds in a run,
//! the other finds too.

use std::path::Path;

use rorqual_cfa::{Check, Program, add_checks, violations};
use rorqual_interpreter::{Config, Execution, Inputs, Outcome, Transcript, Undefined, is_library_function};
use rorqual_testkit::{Case, OverflowMeaning, SystemHost, c_files, programs_directory};

/// The checks of what is undefined behaviour.
const UNDEFINED: [Check; 11] = [
    Check::Bounds,
    Check::Null,
    Check::UseAfterFree,
    Check::DoubleFree,
    Check::DivZero,
    Check::Shift,
    Check::Overflow,
    Check::Uninitialized,
    Check::ConstWrite,
    Check::Unreachable,
    Check::BitScan,
];

fn run(program: &Program, case: &Case, inputs: &str) -> Execution {
    let inputs = Inputs::List(rorqual_interpreter::parse_inputs(inputs).expect("the inputs can be read"));
    let overflow = case.overflow == OverflowMeaning::Undefined;
    let config = Config { inputs, overflow, step_limit: Some(2_000_000), ..Config::default() };
    rorqual_interpreter::run(program, &config, &mut Transcript::default())
}

/// The check that covers a report; `None` if no check does.
fn covering(kind: &Undefined) -> Option<Check> {
    Some(match kind {
        Undefined::DivisionByZero => Check::DivZero,
        Undefined::QuotientOverflow { .. } | Undefined::SignedOverflow { .. } => Check::Overflow,
        Undefined::ShiftCount { .. } => Check::Shift,
        Undefined::NullPointer { .. } | Undefined::NotAFunction { null: true } => Check::Null,
        Undefined::InvalidPointer { .. } | Undefined::OutOfBounds { .. } => Check::Bounds,
        Undefined::Dangling { .. } => Check::UseAfterFree,
        Undefined::Free { .. } => Check::DoubleFree,
        Undefined::Indeterminate { .. } => Check::Uninitialized,
        Undefined::ReadOnly { .. } => Check::ConstWrite,
        Undefined::Unreachable => Check::Unreachable,
        Undefined::ZerosOfZero => Check::BitScan,
        _ => return None,
    })
}

/// What is wrong with the checked run, compared with the plain one.
fn complaint(plain: &Outcome, checked: &Outcome) -> Option<String> {
    match (plain, checked) {
        // What library functions access is not checked: the call is not supported.
        (_, Outcome::Unsupported { .. } | Outcome::LimitReached { .. }) => None,
        (Outcome::Undefined { kind, .. }, Outcome::Violation { .. }) if covering(kind).is_some() => None,
        (Outcome::Undefined { kind, .. }, _) if covering(kind).is_some() => {
            Some(format!("{kind} is not found: {checked:?}"))
        }
        // C is stricter than the interpreter about shifts, overflow, arrays in arrays, constant variables and lengths.
        (_, Outcome::Violation { kind: rorqual_cfa::ErrorKind::Check { check, .. }, .. }) => {
            let stricter = matches!(
                check,
                Check::Shift | Check::Overflow | Check::Bounds | Check::ConstWrite | Check::VlaSize
            );
            (!stricter).then(|| format!("{checked:?} instead of {plain:?}"))
        }
        (plain, checked) => (plain != checked).then(|| format!("{checked:?} instead of {plain:?}")),
    }
}

fn complaints(path: &Path) -> Vec<String> {
    let case = Case::read(path);
    let mut found = Vec::new();
    for &model in &case.models {
        let unit = rorqual_frontend::TranslationUnit::new(path);
        let read = rorqual_testkit::read(&[unit], model, &SystemHost);
        let program = read.unwrap_or_else(|_| panic!("{} is refused", path.display()));
        let checks: Vec<Check> = [Check::Assertions].into_iter().chain(UNDEFINED).collect();
        let checked = add_checks(program.clone(), &checks, &is_library_function);
        let all = add_checks(program.clone(), &Check::ALL, &is_library_function);
        found.extend([&checked, &all].into_iter().flat_map(violations));
        let inputs: Vec<String> = match case.runs.as_slice() {
            [] => vec![String::new()],
            runs => runs.iter().map(|run| run.inputs.clone()).collect(),
        };
        for inputs in inputs {
            let (plain, checked) = (run(&program, &case, &inputs), run(&checked, &case, &inputs));
            let problem = complaint(&plain.outcome, &checked.outcome);
            found.extend(problem.map(|problem| format!("{}: {problem}", path.display())));
        }
    }
    found
}

#[test]
fn checks_and_the_interpreter_find_the_same() {
    let mut files = c_files(&programs_directory("undefined"));
    files.extend(c_files(&programs_directory("semantics")));
    assert!(files.len() > 100, "only {} programs were found", files.len());
    let found: Vec<String> = files.iter().flat_map(|path| complaints(path)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
