//! Claims about bounds of random programs, and of those in `tests/programs`: what is accepted must be what happens when the
//! programs run.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use rorqual_certificate::{Outcome, check};
use rorqual_cfa::{DataModel, Peril, Program};
use rorqual_evidence::{Claim, Unwinding};
use rorqual_frontend::TranslationUnit;
use rorqual_interpreter::{
    Config, Inputs, Outcome as Ran, StackEntry, Transcript, Undefined, is_library_function, run,
};
use rorqual_solver::Limits;
use rorqual_source::Span;
use rorqual_testkit::csmith::{self, Recipe, Size};
use rorqual_testkit::{RunSettings, SystemHost, c_files, interpret, programs_directory, read, skip};

/// Bounds that are the same for all loops and all functions.
fn bounds(program: &Program, iterations: u64, depth: u64) -> Claim {
    let bodies = || program.functions.iter().filter_map(|(id, function)| Some((id, function.body.as_ref()?)));
    let heads =
        bodies().flat_map(|(id, body)| body.locations().ids().map(move |head| ((id, head), iterations)));
    // Only heads of loops are looked up, but all locations may be heads.
    let named = heads.filter(|((id, head), _)| {
        let body = program.functions[*id].body.as_ref();
        body.is_some_and(|body| !body.locations()[*head].loop_statements.is_empty())
    });
    let depths: BTreeMap<_, _> = bodies().map(|(id, _)| (id, depth)).collect();
    Claim::Unwinding(Unwinding { loops: named.collect(), depths, ..Unwinding::default() })
}

/// What is left of a program of csmith if its checksum is claimed to be a number, or not to be.
fn claiming(text: &str, comparison: &str, checksum: &str) -> String {
    let claim = format!(
        "#include \"csmith.h\"\nextern void reach_error(void);\n#define platform_main_end(value, flag) \
         do {{ if ((value) {comparison} 0x{checksum}u) reach_error(); }} while (0)\n"
    );
    text.replacen("#include \"csmith.h\"", &claim, 1)
}

/// Checks claims about one program; whether the true one is accepted. None if there is nothing to compare with.
fn compare(recipe: Recipe, headers: &Path, directory: &Path) -> Option<bool> {
    let file = directory.join("random.c");
    recipe.generate(&file).ok()?;
    let text = std::fs::read_to_string(&file).ok()?;
    let load = |text: &str| {
        std::fs::write(&file, text).ok()?;
        let include_directories = vec![headers.to_owned()];
        let unit = TranslationUnit { include_directories, ..TranslationUnit::new(&file) };
        read(&[unit], recipe.model, &SystemHost).ok()
    };
    let settings = RunSettings { time_limit: Duration::from_secs(2), ..RunSettings::default() };
    let ran = interpret(&load(&text)?, &settings);
    let output = String::from_utf8_lossy(&ran.stdout).into_owned();
    let checksum = output.lines().last()?.strip_prefix("checksum = ")?.to_owned();
    let limits = || Limits::none().with_duration(Duration::from_secs(10));
    let outcome = |comparison: &str| {
        let program = load(&claiming(&text, comparison, &checksum))?;
        Some(check(&program, &bounds(&program, 1 << 20, 1 << 10), &limits()))
    };
    let start = Instant::now();
    let lie = outcome("==")?;
    assert!(!matches!(lie, Outcome::Accepted { .. }), "seed {}: an execution is lost\n{text}", recipe.seed);
    let truth = outcome("!=")?;
    if std::env::var_os("RORQUAL_VERBOSE").is_some() {
        println!("seed {}: {} steps, {:?}: {truth:?}", recipe.seed, ran.steps, start.elapsed());
    }
    Some(matches!(truth, Outcome::Accepted { .. }))
}

#[test]
fn random_programs_without_inputs_are_executed() {
    let headers = match csmith::find() {
        Ok(headers) => headers,
        Err(reason) => return skip("random_programs_without_inputs_are_executed", reason),
    };
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let directory = tempfile::tempdir().expect("there is room for a program");
    let (mut compared, mut exact) = (0, 0);
    let first = number("RORQUAL_SEED", 1);
    for seed in first..first + number("RORQUAL_COUNT", 12) {
        let model = if seed % 2 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
        if let Some(is_exact) = compare(Recipe { seed, size: Size::Small, model }, &headers, directory.path())
        {
            compared += 1;
            exact += u32::from(is_exact);
        }
    }
    println!("{exact} of {compared} are exact");
    assert!(exact * 3 >= compared * 2, "{exact} of {compared} programs are exact");
}

/// Whether undefined behaviour is of a kind that proofs name.
fn is_hazard(kind: &Undefined) -> bool {
    use Undefined::{
        Dangling, DivisionByZero, Free, InvalidPointer, NotABool, NotAFunction, NullPointer, OutOfBounds,
        QuotientOverflow, ReadOnly, ShiftCount, Unreachable, ZerosOfZero,
    };
    matches!(
        kind,
        Dangling { .. }
            | DivisionByZero
            | Free { .. }
            | InvalidPointer { .. }
            | NotABool { .. }
            | NotAFunction { .. }
            | NullPointer { .. }
            | OutOfBounds { .. }
            | QuotientOverflow { .. }
            | ReadOnly { .. }
            | ShiftCount { .. }
            | Unreachable
            | ZerosOfZero
    )
}

/// Whether all that accesses memory is executed: of other functions of the library, not every access is looked at.
fn is_executed(program: &Program) -> bool {
    let known = ["malloc", "calloc", "realloc", "free", "memcpy", "memmove", "memset"];
    let mut open = program.functions.values().filter(|function| function.body.is_none());
    open.all(|function| known.contains(&function.name.as_str()) || !is_library_function(function))
}

/// Whether a violation may come after what active functions do, as far as conditions do not count.
fn is_watched(program: &Program, stack: &[StackEntry]) -> bool {
    let peril = Peril::of(program);
    let is_inside = |inner: Span, outer: Span| {
        inner.file() == outer.file() && inner.start() >= outer.start() && inner.end() <= outer.end()
    };
    stack.iter().any(|entry| {
        let functions = program.functions.iter().filter(|(_, details)| details.name == entry.function);
        let edges = functions.flat_map(|(id, details)| {
            details.body.iter().flat_map(|body| body.edges().values()).map(move |edge| (id, edge))
        });
        let mut here = edges.filter(|(_, edge)| is_inside(entry.span, edge.span));
        here.any(|(id, edge)| peril.is_on_or_behind(program, id, edge))
    })
}

#[test]
fn programs_that_are_accepted_do_not_fail() {
    let mut accepted = 0;
    let topics = ["verdicts", "semantics", "undefined", "properties"];
    for file in topics.iter().flat_map(|topic| c_files(&programs_directory(topic))) {
        let Ok(program) = read(&[TranslationUnit::new(&file)], DataModel::Lp64, &SystemHost) else {
            continue;
        };
        let limits = Limits::none().with_duration(Duration::from_secs(2));
        let start = Instant::now();
        let outcome = check(&program, &bounds(&program, 10, 5), &limits);
        if std::env::var_os("RORQUAL_VERBOSE").is_some() {
            println!("{} {:?} {outcome:?}", file.display(), start.elapsed());
        }
        let Outcome::Accepted { rests_on, .. } = outcome else { continue };
        accepted += 1;
        for seed in 0..8 {
            let config =
                Config { inputs: Inputs::Seeded(seed), step_limit: Some(100_000), ..Config::default() };
            let execution = run(&program, &config, &mut Transcript::default());
            let is_failure = match &execution.outcome {
                Ran::Violation { .. } => true,
                Ran::Undefined { kind, .. } => {
                    let matters = is_watched(&program, &execution.stack);
                    rests_on.is_empty() && is_hazard(kind) && is_executed(&program) && matters
                }
                _ => false,
            };
            assert!(!is_failure, "{}: {:?} with seed {seed}", file.display(), execution.outcome);
        }
    }
    assert!(accepted > 10, "only {accepted} programs are accepted");
}
