//! What an execution is allowed and given.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::inputs::Inputs;

/// The settings of one execution.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where inputs come from. The default is an empty list, so that an execution that needs
    /// inputs says so instead of making some up.
    pub inputs: Inputs,
    /// Whether signed overflow (left shifts included) is undefined behaviour. Otherwise it
    /// wraps, as with gcc's `-fwrapv`, which is the default because most programs expect it.
    pub overflow: bool,
    /// What reading an uninitialised object does.
    pub uninitialized: Uninitialized,
    /// How many edges may be taken; without limit by default.
    pub step_limit: Option<u64>,
    /// How many bytes all live objects may have together. The default of 1 GiB keeps a
    /// runaway program from taking the machine down.
    pub memory_limit: u64,
    /// How many functions may be active. The default of 100,000 is what a system's usual
    /// stack of 8 MiB allows for small functions.
    pub call_depth_limit: usize,
    /// Ends the execution soon after it becomes true.
    pub cancelled: Option<Arc<AtomicBool>>,
    /// What `main` receives in `argv`, the name of the program included.
    pub arguments: Vec<Vec<u8>>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            inputs: Inputs::List(Vec::new()),
            overflow: false,
            uninitialized: Uninitialized::Report,
            step_limit: None,
            memory_limit: 1 << 30,
            call_depth_limit: 100_000,
            cancelled: None,
            arguments: vec![b"program".to_vec()],
        }
    }
}

/// What reading an uninitialised object does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Uninitialized {
    /// It is undefined behaviour.
    Report,
    /// It takes an input, which the object keeps from then on.
    Input,
}

/// A stream that a program writes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// The world around the program.
pub trait Console {
    /// Takes what the program writes.
    fn write(&mut self, stream: Stream, bytes: &[u8]);

    /// The next byte of standard input; `None` at its end.
    fn read(&mut self) -> Option<u8>;
}

/// A console in memory, for tests and replays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// What is left of standard input, next byte last.
    pub input: Vec<u8>,
    /// What was written to standard output.
    pub output: Vec<u8>,
    /// What was written to standard error.
    pub error: Vec<u8>,
}

impl Transcript {
    /// A console whose standard input is `input`.
    pub fn with_input(input: &[u8]) -> Transcript {
        Transcript { input: input.iter().rev().copied().collect(), ..Transcript::default() }
    }
}

impl Console for Transcript {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Output => self.output.extend_from_slice(bytes),
            Stream::Error => self.error.extend_from_slice(bytes),
        }
    }

    fn read(&mut self) -> Option<u8> {
        self.input.pop()
    }
}
