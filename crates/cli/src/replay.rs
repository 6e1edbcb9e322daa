//! `replay`: a program along a witness or a list of inputs, in the interpreter and compiled.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use clap::{ArgGroup, Args};
use rorqual::{Project, System};
use rorqual_cfa::{Check, DataModel, ErrorKind, Program};
use rorqual_frontend::input::Property;
use rorqual_frontend::{Failure, Host};
use rorqual_interpreter::{Config, Halt, Outcome};
use rorqual_source::{Diagnostic, SourceMap, Span};
use rorqual_witness::{
    ASSUMPTION_STATUS, Content, Harness, REPRODUCED_STATUS, ReadError, Segment, Task, explain, harness,
    read_witness, replay_inputs, replay_violation, sha256, story_text, target,
};

use crate::arguments::Sources;
use crate::console;
use crate::exit::{Problem, Status, complain};
use crate::native::{self, End};
use crate::programs::{lower, project};
use crate::quantities;
use crate::run::{Interruption, read_inputs};

/// `replay`
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("evidence").required(true),
    after_help = "The first line of the output is `violation reproduced: …` (exit code 10) or `not reproduced: …` (20).\n\
                  Uninitialised variables take inputs.\n\n\
                  Examples:\n  \
                  rorqual replay program.c --witness witness.yml\n  \
                  rorqual replay task.yml --inputs found.txt\n  \
                  rorqual replay program.c --inputs found.txt --harness test.c && cc test.c program.c"
)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// Follow this violation witness (format 2.0), which may come from another tool
    #[arg(long, value_name = "F.yml", group = "evidence")]
    witness: Option<PathBuf>,
    /// Take inputs from this file, or from standard input (`-`), as `run` does
    #[arg(long, value_name = "FILE", group = "evidence")]
    inputs: Option<PathBuf>,
    /// Write a C file that, compiled together with the program, feeds it the inputs
    #[arg(long, value_name = "OUT.c")]
    harness: Option<PathBuf>,
    /// Do not compile and run the program
    #[arg(long)]
    interpreter_only: bool,
    /// Give up after this time, such as `60s`; the compiled program gets 5 seconds of it at most
    #[arg(long, value_name = "DURATION", value_parser = quantities::duration, default_value = "60s")]
    time_limit: Duration,
}

/// A compiled program that goes another way than the interpreter, because it cannot be given the content of memory, may
/// never end.
const LONGEST_NATIVE_RUN: Duration = Duration::from_secs(5);

/// Replays, and says what was confirmed by which means.
pub(crate) fn replay(arguments: &Replay) -> Result<Status, Problem> {
    let host = System::default();
    let mut job = project(&arguments.sources, &host)?.with_models();
    let (evidence, specification) = Evidence::read(arguments, &job, &host)?;
    if arguments.sources.checks.is_empty()
        && let Some(property) = Property::from_text(&specification)
    {
        job = job.checking(property.checks);
    }
    let program = lower(&job, &host)?;
    let interruption = Interruption::watch(Some(arguments.time_limit));
    let config = Config { cancelled: Some(interruption.raised.clone()), ..Config::default() };
    let (replay, target) = match evidence {
        Evidence::Witness(segments) => {
            (replay_violation(&program, &segments, &config), target(&segments).cloned())
        }
        Evidence::Inputs(inputs) => (replay_inputs(&program, inputs, &config), None),
    };
    let Some((kind, span)) = replay.violation() else {
        return not_reproduced(&reason(&program, &replay.execution.outcome));
    };
    if let Some(target) = target.filter(|target| !replay.reaches(&program, target)) {
        let place = place(&program, span);
        let wanted = format!("{}:{}", target.file_name, target.line);
        return not_reproduced(&format!(
            "another violation is reached at {place}, while the target of the witness is {wanted}"
        ));
    }
    let harness = harness(&program, &replay);
    if let Some(path) = &arguments.harness {
        write_harness(path, &harness)?;
    }
    let place = place(&program, span);
    let message = match kind {
        ErrorKind::Assertion => format!("the assertion at {place} is false"),
        ErrorKind::Call { function } => format!("`{function}` is called at {place}"),
        ErrorKind::Check { what, .. } => format!("{what} at {place}"),
    };
    console::print(format!("violation reproduced: {message}\n").as_bytes())?;
    complain(&story_text(&program, &explain(&program, &replay)));
    complain("  = confirmed by the interpreter\n");
    if !arguments.interpreter_only {
        complain(&confirmation(arguments, &job, &program, kind, &harness));
    }
    Ok(Status::Violation)
}

fn not_reproduced(reason: &str) -> Result<Status, Problem> {
    console::print(format!("not reproduced: {reason}\n").as_bytes())?;
    Ok(Status::Unknown)
}

/// Where the inputs come from.
enum Evidence {
    Witness(Vec<Segment>),
    Inputs(Vec<rorqual_interpreter::GivenInput>),
}

impl Evidence {
    /// The evidence, and what a witness says that it is evidence against.
    fn read(arguments: &Replay, job: &Project, host: &dyn Host) -> Result<(Evidence, String), Problem> {
        match (&arguments.witness, &arguments.inputs) {
            (Some(path), _) => Evidence::read_witness(path, job, host),
            (None, Some(path)) => Ok((Evidence::Inputs(read_inputs(path)?), String::new())),
            (None, None) => Err(Problem::Usage("`--witness` or `--inputs` is needed".to_owned())),
        }
    }

    fn read_witness(path: &Path, job: &Project, host: &dyn Host) -> Result<(Evidence, String), Problem> {
        let name = path.display();
        let unreadable = |error| Problem::File(format!("cannot read the witness `{name}`: {error}"));
        let bytes = host.read(path).map_err(unreadable)?;
        let text = String::from_utf8_lossy(&bytes);
        let entries = read_witness(&text).map_err(|error| malformed(path, &bytes, error))?;
        for entry in entries {
            if let Content::Violation(segments) = entry.content {
                let model = entry.metadata.task.data_model;
                if model.is_some_and(|model| model != job.options.data_model) {
                    complain(&format!("warning: the witness `{name}` is about another data model\n"));
                }
                for file in strangers(&entry.metadata.task, job, host) {
                    complain(&format!(
                        "warning: the witness `{name}` was made for another content of `{file}`: its SHA-256 differs\n"
                    ));
                }
                return Ok((Evidence::Witness(segments), entry.metadata.task.specification));
            }
        }
        let message =
            format!("the witness `{name}` claims that the program is safe: there is nothing to replay");
        Err(Problem::File(message))
    }
}

/// The files of the program whose content is not what a witness speaks of. Those that it says nothing of are left out.
fn strangers(task: &Task, job: &Project, host: &dyn Host) -> Vec<String> {
    let base_name = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let mut strangers = Vec::new();
    for unit in &job.units {
        let Ok(bytes) = host.read(&unit.path) else { continue };
        let (hash, name) = (sha256(&bytes), unit.path.display().to_string());
        let is_known = |known: &String| known.eq_ignore_ascii_case(&hash);
        let mut about = task.input_files.iter().filter(|(file, known)| {
            let is_only = task.input_files.len() == 1 && job.units.len() == 1;
            !known.is_empty() && (is_only || base_name(file) == base_name(&name))
        });
        let any_known = task.input_files.iter().any(|(_, known)| is_known(known));
        if !any_known && about.next().is_some() {
            strangers.push(name);
        }
    }
    strangers
}

fn malformed(path: &Path, bytes: &[u8], error: ReadError) -> Problem {
    let mut sources = SourceMap::default();
    let file = sources.add(path.display().to_string(), bytes);
    let text = sources.file(file).text();
    let lines = text.split_inclusive('\n').take(error.line.saturating_sub(1) as usize);
    let start = lines.map(str::len).sum::<usize>() + error.column.saturating_sub(1) as usize;
    let start = start.min(text.len()) as u32;
    let span = if error.line == 0 { Span::NONE } else { Span::new(file, start, start) };
    let message =
        if error.line == 0 { format!("`{}`: {}", path.display(), error.message) } else { error.message };
    Failure { sources, diagnostics: vec![Diagnostic::error(message, span)] }.into()
}

fn write_harness(path: &Path, harness: &Harness) -> Result<(), Problem> {
    let failed = |error| Problem::File(format!("cannot write the harness to `{}`: {error}", path.display()));
    std::fs::write(path, &harness.text).map_err(failed)
}

fn place(program: &Program, span: Span) -> String {
    let position = program.sources.position(span);
    format!("{}:{}", position.file, position.line)
}

/// Why an execution shows no violation.
pub(crate) fn reason(program: &Program, outcome: &Outcome) -> String {
    let at = |span: Span| place(program, span);
    match outcome {
        Outcome::Finished { status } => format!("the program exits with status {}", status & 0xff),
        Outcome::Halted { kind: Halt::Abort, span } => format!("the program aborts at {}", at(*span)),
        Outcome::Halted { kind: Halt::NoReturn { function }, span } => {
            format!("the program ends in `{function}` at {}", at(*span))
        }
        Outcome::Violation { span, .. } => format!("another violation at {}", at(*span)),
        Outcome::Undefined { kind, span } => format!("undefined behaviour at {}: {kind}", at(*span)),
        Outcome::AssumptionFailed { span } => format!("the assumption at {} is false", at(*span)),
        Outcome::Unsupported { construct, span } => format!("{construct} is not supported ({})", at(*span)),
        Outcome::Unmodelled { function, span } => {
            format!("it rests on the result of `{function}`, which is not modelled exactly ({})", at(*span))
        }
        Outcome::LimitReached { limit, span } => format!("{limit} reached at {}", at(*span)),
        Outcome::InputsExhausted { origin, span } => {
            format!("no input is left for `{origin}` at {}", at(*span))
        }
        Outcome::BadInput { problem, span, .. } => format!("{problem} ({})", at(*span)),
        Outcome::OutOfStep { origin, span, .. } => {
            format!("no input is given for `{origin}` at {}", at(*span))
        }
        Outcome::Cancelled { span } => format!("interrupted or out of time at {}", at(*span)),
    }
}

/// What the compiled program says.
fn confirmation(
    arguments: &Replay,
    job: &Project,
    program: &Program,
    kind: &ErrorKind,
    harness: &Harness,
) -> String {
    let width = match job.options.data_model {
        DataModel::Ilp32 => " for 32 bits",
        DataModel::Lp64 => "",
    };
    let means = format!("the program compiled{width} by `cc`");
    let limit = arguments.time_limit.min(LONGEST_NATIVE_RUN);
    let text = match native::compile_and_run(job, &harness.text, limit) {
        Err(problem) => format!("  = not confirmed by {means}: {problem}\n"),
        Ok(End::TimedOut) => {
            format!("  = not confirmed by {means}: it does not end within {limit:?}\n")
        }
        Ok(End::Ended(status)) => {
            let (how, reproduced) = told(status, program, kind);
            let claim = if reproduced { "confirmed" } else { "not confirmed" };
            format!("  = {claim} by {means}, which {how}\n")
        }
    };
    let missing = harness.missing.iter();
    let notes = missing.map(|missing| format!("  = note: a compiled program cannot be given {missing}\n"));
    text + &notes.collect::<String>()
}

/// How a compiled program ended, and whether that is the violation.
fn told(status: ExitStatus, program: &Program, kind: &ErrorKind) -> (String, bool) {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(REPRODUCED_STATUS), _) => ("reaches the error function".to_owned(), true),
        (Some(ASSUMPTION_STATUS), _) => ("ends in a false assumption".to_owned(), false),
        (Some(code), _) => (format!("exits with status {code}"), false),
        (None, Some(signal)) => {
            let how = signal_name(signal);
            (how, shows(signal, program, kind))
        }
        (None, None) => ("ends".to_owned(), false),
    }
}

fn signal_name(signal: i32) -> String {
    match signal {
        libc::SIGABRT => "aborts".to_owned(),
        libc::SIGFPE => "is ended by SIGFPE, an invalid division".to_owned(),
        libc::SIGSEGV => "is ended by SIGSEGV, an invalid access to memory".to_owned(),
        libc::SIGBUS => "is ended by SIGBUS, an invalid access to memory".to_owned(),
        libc::SIGILL => "is ended by SIGILL, a trap".to_owned(),
        libc::SIGTRAP => "is ended by SIGTRAP, a trap".to_owned(),
        other => format!("is ended by signal {other}"),
    }
}

/// Whether a program that does what is wrong dies of this signal.
fn shows(signal: i32, program: &Program, kind: &ErrorKind) -> bool {
    match (kind, signal) {
        (ErrorKind::Assertion, _) => matches!(signal, libc::SIGABRT | libc::SIGILL | libc::SIGTRAP),
        // An error function that the program defines mostly ends in `abort`, a false assertion or a trap.
        (ErrorKind::Call { function }, libc::SIGABRT | libc::SIGILL | libc::SIGTRAP) => {
            program.function_named(function).is_some_and(|id| program.functions[id].body.is_some())
        }
        (ErrorKind::Call { .. }, _) => false,
        (ErrorKind::Check { check, .. }, _) => check_shows(*check, signal),
    }
}

/// The processor refuses to divide by zero and `INT_MIN / -1`, the system accesses to memory that is not there; the C
/// library aborts when it finds its heap or the stack destroyed.
fn check_shows(check: Check, signal: i32) -> bool {
    let is_access = matches!(signal, libc::SIGSEGV | libc::SIGBUS);
    let is_trap = matches!(signal, libc::SIGILL | libc::SIGTRAP);
    match check {
        Check::DivZero | Check::Overflow => signal == libc::SIGFPE || is_trap,
        Check::Null | Check::VlaSize | Check::Unreachable => is_access || is_trap,
        Check::Bounds | Check::UseAfterFree | Check::DoubleFree => is_access || signal == libc::SIGABRT,
        Check::Uninitialized | Check::ConstWrite => is_access,
        // Nothing stops a program that does this.
        Check::Leak | Check::Shift | Check::UnsignedOverflow | Check::Conversion => false,
        _ => is_trap,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_show_the_violations_that_they_come_from() {
        for (check, signal, expected) in [
            (Check::DivZero, libc::SIGFPE, true),
            (Check::DivZero, libc::SIGSEGV, false),
            (Check::DivZero, libc::SIGABRT, false),
            (Check::Overflow, libc::SIGFPE, true),
            (Check::Null, libc::SIGSEGV, true),
            (Check::Null, libc::SIGFPE, false),
            (Check::Bounds, libc::SIGABRT, true),
            (Check::DoubleFree, libc::SIGABRT, true),
            (Check::ConstWrite, libc::SIGSEGV, true),
            (Check::VlaSize, libc::SIGSEGV, true),
            (Check::Leak, libc::SIGSEGV, false),
        ] {
            assert_eq!(check_shows(check, signal), expected, "{check}, {signal}");
        }
    }
}
