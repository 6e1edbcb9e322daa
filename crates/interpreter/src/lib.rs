//! Runs control-flow automata: the reference for what their operations mean.
//!
//! The interpreter starts at [`Program::start`](rorqual_cfa::Program::start) and takes one edge after the other
//! until the program ends, violates its specification, does something undefined, or meets a
//! limit. It is exact: memory has objects with lifetimes and bounds, pointers know the object
//! they were derived from, and every bit knows whether it was ever set. What the program does
//! not compute itself are *inputs*, taken from a list or made up from a seed, and recorded so
//! that an execution can be replayed.
//!
//! Nothing here prints or reads the environment; the program's own output goes to a
//! [`Console`].
//!
//! ```
//! use rorqual_cfa::Program;
//! use rorqual_interpreter::{Config, Execution, Inputs, Transcript, run};
//!
//! fn with_seed(program: &Program, seed: u64) -> Execution {
//!     let config = Config { inputs: Inputs::Seeded(seed), ..Config::default() };
//!     run(program, &config, &mut Transcript::default())
//! }
//! ```

mod call;
mod config;
mod decimal;
mod eval;
mod faults;
mod float;
pub mod floating;
mod guide;
mod havoc;
mod inputs;
mod integer;
mod library;
mod machine;
mod memory;
mod operation;
mod outcome;
mod place;
mod random;
mod recording;
mod storage;
mod undefined;
mod value;
mod varargs;

use rorqual_cfa::{Function, Program};
use rorqual_models::library::Entry;

pub use config::{Config, Console, Stream, Transcript, Uninitialized};
pub use guide::{CellBits, Guide, InputRequest, InputSource, OutOfStep};
pub use inputs::{GivenInput, GivenNumber, InputValue, Inputs, InputsError, parse_inputs, render_inputs};
pub use library::{
    Effect, Extent, Write, call_effect, may_allocate, printed_format, stores_nothing, written_arguments,
};
pub use outcome::{Execution, Halt, InputCell, InputRecord, Limit, Outcome, StackEntry};
pub use random::SplitMix;
pub use recording::{Origin, Pointing, RecordedStep, Recording, Spot, Touch};
pub use undefined::{Access, Undefined};

/// Runs a program from its start function to its end.
pub fn run(program: &Program, config: &Config, console: &mut dyn Console) -> Execution {
    machine::Machine::new(program, config, console).execute()
}

/// What the table of the library says of a function without body.
pub fn library_entry(function: &Function) -> Option<&'static Entry> {
    let is_library = function.body.is_none() && !function.is_foreign;
    rorqual_models::library::entry(&function.name).filter(|_| is_library)
}

/// Whether a function without body is one of the library, of which the table says what it does.
pub fn is_library_function(function: &Function) -> bool {
    library_entry(function).is_some()
}

/// Who takes part in an execution besides the program.
#[derive(Default)]
pub struct Companions<'a> {
    /// Chooses the inputs, instead of those of the configuration.
    pub guide: Option<&'a mut dyn Guide>,
    /// Makes up the inputs that no guide chooses, instead of those of the configuration.
    pub source: Option<&'a mut dyn InputSource>,
    /// Keeps the steps. Without it none of the work of recording is done.
    pub recording: Option<&'a mut Recording>,
}

/// As [`run`], with inputs from a guide or the steps recorded.
pub fn run_with<'a>(
    program: &'a Program,
    config: &'a Config,
    console: &'a mut dyn Console,
    companions: Companions<'a>,
) -> Execution {
    let machine = machine::Machine::new(program, config, console);
    machine.guided(companions.guide).drawing(companions.source).recorded(companions.recording).execute()
}
