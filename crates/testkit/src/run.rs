//! Running a program with the interpreter, in this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rorqual_cfa::Program;
use rorqual_interpreter::{Config, Inputs, Transcript};

use crate::ending::Ending;

/// How a program is run.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// One value per line, as `rorqual run --inputs` reads them.
    pub inputs: String,
    /// Whether signed overflow is undefined behaviour; otherwise it wraps.
    pub overflow_is_undefined: bool,
    /// Ends a run that takes too long.
    pub time_limit: Duration,
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings {
            inputs: String::new(),
            overflow_is_undefined: false,
            time_limit: Duration::from_mins(1),
        }
    }
}

/// What the program did.
#[derive(Debug, Clone)]
pub struct Interpreted {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// How many edges it took.
    pub steps: u64,
}

/// Runs a program.
///
/// # Panics
/// If the inputs cannot be read.
pub fn interpret(program: &Program, settings: &RunSettings) -> Interpreted {
    let inputs = rorqual_interpreter::parse_inputs(&settings.inputs);
    let inputs = inputs.unwrap_or_else(|error| panic!("bad inputs: {error}"));
    let cancelled = Arc::new(AtomicBool::new(false));
    let config = Config {
        inputs: Inputs::List(inputs),
        overflow: settings.overflow_is_undefined,
        cancelled: Some(Arc::clone(&cancelled)),
        ..Config::default()
    };
    let mut console = Transcript::default();
    let execution = thread::scope(|scope| {
        // Dropped at the end of the run, which wakes the timer.
        let (_running, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            if ended.recv_timeout(settings.time_limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                cancelled.store(true, Ordering::Relaxed);
            }
        });
        rorqual_interpreter::run(program, &config, &mut console)
    });
    Interpreted {
        ending: Ending::of_outcome(&execution.outcome, &program.sources),
        stdout: console.output,
        steps: execution.steps,
    }
}
