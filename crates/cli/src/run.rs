//! `run`: a program in the interpreter, and how its end is told.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rorqual::System;
use rorqual_cfa::{Check, ErrorKind, Program};
use rorqual_frontend::Failure;
use rorqual_interpreter::{
    Config, Execution, GivenInput, Halt, Inputs, InputsError, Limit, Outcome, StackEntry, parse_inputs,
    render_inputs,
};
use rorqual_source::{Diagnostic, SourceMap, Span};

use crate::arguments::{Run, Uninitialized};
use crate::console::Terminal;
use crate::exit::{Problem, Status, complain};
use crate::programs::{lower, project};
use crate::render::{self, Message};

/// How many entries of a deep call stack are shown at its top and at its bottom.
const STACK_TOP: usize = 12;
const STACK_BOTTOM: usize = 4;

/// Runs the program and tells how it ended.
pub(crate) fn run(arguments: &Run) -> Result<Status, Problem> {
    let host = System::default();
    let mut job = project(&arguments.sources, &host)?;
    // A false assertion ends a run in a violation, whatever else is checked.
    if !job.checks.contains(&Check::Assertions) {
        job.checks.insert(0, Check::Assertions);
    }
    let inputs = inputs(arguments)?;
    let program = lower(&job, &host)?;
    let name = job.units.first().map_or_else(|| "program".to_owned(), |unit| unit.path.display().to_string());
    let interruption = Interruption::watch(arguments.time_limit);
    let config = config(arguments, inputs, &name, &interruption);
    let mut terminal = Terminal::new();
    let execution = rorqual_interpreter::run(&program, &config, &mut terminal);
    terminal.flush();
    if let Some(path) = &arguments.record_inputs {
        record_inputs(path, &execution)?;
    }
    let ending = ending(arguments, &program, &execution, &interruption);
    complain(&ending.text(&program, &execution.stack));
    Ok(ending.status)
}

fn config(arguments: &Run, inputs: Inputs, name: &str, interruption: &Interruption) -> Config {
    let default = Config::default();
    let given = arguments.arguments.iter().map(|argument| argument.as_encoded_bytes().to_vec());
    Config {
        inputs,
        uninitialized: match arguments.uninitialized {
            Uninitialized::Report => rorqual_interpreter::Uninitialized::Report,
            Uninitialized::Input => rorqual_interpreter::Uninitialized::Input,
        },
        step_limit: arguments.step_limit,
        memory_limit: arguments.memory_limit.unwrap_or(default.memory_limit),
        cancelled: Some(interruption.raised.clone()),
        arguments: std::iter::once(name.as_bytes().to_vec()).chain(given).collect(),
        ..default
    }
}

/// The two things from outside that end a run: the user and the clock.
pub(crate) struct Interruption {
    pub(crate) raised: Arc<AtomicBool>,
    /// Whether it was the clock.
    timed_out: Arc<AtomicBool>,
}

impl Interruption {
    /// Starts to listen. The first Ctrl-C ends the run with a report; a second one the process.
    pub(crate) fn watch(limit: Option<Duration>) -> Interruption {
        let raised = Arc::new(AtomicBool::new(false));
        let timed_out = Arc::new(AtomicBool::new(false));
        let flag = raised.clone();
        let handler = move || {
            if flag.swap(true, Ordering::SeqCst) {
                std::process::exit(Status::Unknown as i32);
            }
        };
        // Without a handler Ctrl-C ends the process at once, which is no worse than usual.
        let _ = ctrlc::set_handler(handler);
        if let Some(limit) = limit {
            let (raised, timed_out) = (raised.clone(), timed_out.clone());
            std::thread::spawn(move || {
                std::thread::sleep(limit);
                timed_out.store(true, Ordering::SeqCst);
                raised.store(true, Ordering::SeqCst);
            });
        }
        Interruption { raised, timed_out }
    }
}

fn inputs(arguments: &Run) -> Result<Inputs, Problem> {
    if let Some(seed) = arguments.seed {
        return Ok(Inputs::Seeded(seed));
    }
    match &arguments.inputs {
        Some(path) => read_inputs(path).map(Inputs::List),
        None => Ok(Config::default().inputs),
    }
}

/// Reads a list of inputs from a file, or from standard input (`-`).
pub(crate) fn read_inputs(path: &Path) -> Result<Vec<GivenInput>, Problem> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).map(|_| ())
    } else {
        std::fs::read_to_string(path).map(|content| text = content)
    };
    let name = inputs_name(path);
    read.map_err(|error| Problem::File(format!("cannot read the inputs in `{name}`: {error}")))?;
    parse_inputs(&text).map_err(|error| malformed_inputs(name, &text, &error).into())
}

fn inputs_name(path: &Path) -> String {
    if path == Path::new("-") { "<standard input>".to_owned() } else { path.display().to_string() }
}

fn malformed_inputs(name: String, text: &str, error: &InputsError) -> Failure {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text.as_bytes());
    let lines = text.split_inclusive('\n');
    let start: usize = lines.take(error.line as usize - 1).map(str::len).sum();
    let start = start + text[start..].find(&error.text).unwrap_or(0);
    let span = Span::new(file, start as u32, (start + error.text.len()) as u32);
    let message = format!("`{}` is not an integer, character or floating-point number", error.text);
    Failure { sources, diagnostics: vec![Diagnostic::error(message, span)] }
}

fn record_inputs(path: &Path, execution: &Execution) -> Result<(), Problem> {
    let failed = |error| Problem::File(format!("cannot write the inputs to `{}`: {error}", path.display()));
    std::fs::write(path, render_inputs(&execution.inputs)).map_err(failed)
}

/// How a run is told: a message of some kind, and the exit code.
struct Ending {
    status: Status,
    /// `violation`, `unknown`, …; `None` for a program that ended by itself.
    kind: Option<&'static str>,
    content: Diagnostic,
}

impl Ending {
    fn new(status: Status, kind: &'static str, message: impl Into<String>, span: Span) -> Ending {
        Ending { status, kind: Some(kind), content: Diagnostic::error(message, span) }
    }

    fn unknown(message: impl Into<String>, span: Span) -> Ending {
        Ending::new(Status::Unknown, "unknown", message, span)
    }

    fn quiet(message: impl Into<String>) -> Ending {
        Ending { status: Status::Success, kind: None, content: Diagnostic::error(message, Span::NONE) }
    }

    fn help(mut self, help: impl Into<String>) -> Ending {
        self.content = self.content.with_help(help);
        self
    }

    fn text(&self, program: &Program, stack: &[StackEntry]) -> String {
        let Some(name) = self.kind else {
            return format!("{}\n", self.content.message);
        };
        let message = Message { name, content: &self.content };
        message.render(&program.sources, &render::renderer()) + &call_stack(program, stack)
    }
}

fn ending(arguments: &Run, program: &Program, execution: &Execution, interruption: &Interruption) -> Ending {
    let steps = execution.steps;
    match &execution.outcome {
        Outcome::Finished { status } => {
            Ending::quiet(format!("program exited with status {}", status & 0xff))
        }
        Outcome::Halted { kind, span } => {
            let place = program.sources.position(*span);
            Ending::quiet(match kind {
                Halt::Abort => format!("program aborted at {place}"),
                Halt::NoReturn { function } => format!("program ended in `{function}` at {place}"),
            })
        }
        Outcome::Violation { kind, span } => {
            let message = match kind {
                ErrorKind::Assertion => "the assertion is false".to_owned(),
                ErrorKind::Call { function } => format!("the error function `{function}` is called"),
                ErrorKind::Check { what, .. } => what.clone(),
            };
            Ending::new(Status::Violation, "violation", message, *span)
        }
        Outcome::Undefined { kind, span } => {
            Ending::new(Status::Violation, "undefined behaviour", kind.to_string(), *span)
        }
        Outcome::AssumptionFailed { span } => {
            Ending::unknown("the assumption is false for these inputs", *span)
                .help("give other inputs with `--inputs` or `--seed`")
        }
        Outcome::Unsupported { construct, span } => {
            Ending::unknown(format!("{construct} is not supported"), *span)
        }
        Outcome::Unmodelled { function, span } => {
            let message =
                format!("what happens rests on the result of `{function}`, which is not modelled exactly");
            Ending::unknown(message, *span).help("give a model of the function with `--model FILE`")
        }
        Outcome::LimitReached { limit, span } => limit_ending(arguments, *limit, *span, steps),
        Outcome::InputsExhausted { origin, span } => exhausted_ending(arguments, origin, *span),
        Outcome::BadInput { problem, line, span } => bad_input_ending(arguments, problem, *line, *span),
        Outcome::OutOfStep { origin, span, .. } => {
            Ending::unknown(format!("the guide has no input for `{origin}`"), *span)
        }
        Outcome::Cancelled { span } if interruption.timed_out.load(Ordering::SeqCst) => {
            let limit = arguments.time_limit.unwrap_or_default();
            Ending::unknown(format!("time limit of {limit:?} reached after {steps} steps"), *span)
                .help("raise `--time-limit`")
        }
        Outcome::Cancelled { span } => Ending::unknown(format!("interrupted after {steps} steps"), *span),
    }
}

fn limit_ending(arguments: &Run, limit: Limit, span: Span, steps: u64) -> Ending {
    let ending = Ending::unknown(format!("{limit} reached after {steps} steps"), span);
    match limit {
        Limit::Steps => ending.help("raise `--step-limit`"),
        Limit::Memory if arguments.memory_limit.is_none() => {
            ending.help("set a higher limit with `--memory-limit`")
        }
        Limit::Memory => ending.help("raise `--memory-limit`"),
        Limit::CallDepth => ending,
    }
}

fn exhausted_ending(arguments: &Run, origin: &str, span: Span) -> Ending {
    let ending = Ending::unknown(format!("no input is left for `{origin}`"), span);
    match arguments.inputs {
        Some(_) => ending.help("add values to the file of `--inputs`"),
        None => ending.help("give inputs with `--inputs FILE`, or choose them at random with `--seed N`"),
    }
}

fn bad_input_ending(arguments: &Run, problem: &str, line: u32, span: Span) -> Ending {
    let ending = Ending::new(Status::BadInput, "error", problem, span);
    match &arguments.inputs {
        Some(path) if line > 0 => {
            let note = format!("the input is at {}:{line}", inputs_name(path));
            Ending { content: ending.content.with_note(note, Span::NONE), ..ending }
        }
        _ => ending,
    }
}

/// The active functions, innermost first, one per line. The start-up code is not worth a line.
fn call_stack(program: &Program, stack: &[StackEntry]) -> String {
    let start = &program.functions[program.start].name;
    let stack = match stack {
        [own @ .., last] if last.function == *start => own,
        all => all,
    };
    let line = |(index, entry): (usize, &StackEntry)| {
        let position = program.sources.position(entry.span);
        format!("  {}. {position}  in `{}`\n", index + 1, entry.function)
    };
    let lines = stack.iter().enumerate();
    if stack.len() <= STACK_TOP + STACK_BOTTOM + 1 {
        return lines.map(line).collect();
    }
    let hidden = stack.len() - STACK_TOP - STACK_BOTTOM;
    let top: String = lines.clone().take(STACK_TOP).map(line).collect();
    let bottom: String = lines.skip(STACK_TOP + hidden).map(line).collect();
    format!("{top}  … {hidden} more\n{bottom}")
}
