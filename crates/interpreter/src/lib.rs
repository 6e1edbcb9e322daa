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
mod float;
mod havoc;
mod inputs;
mod integer;
mod library;
mod machine;
mod memory;
mod operation;
mod outcome;
mod place;
mod storage;
mod undefined;
mod value;
mod varargs;

use rorqual_cfa::{Function, Program};

pub use config::{Config, Console, Stream, Transcript, Uninitialized};
pub use inputs::{GivenInput, GivenNumber, InputValue, Inputs, InputsError, parse_inputs, render_inputs};
pub use outcome::{Execution, Halt, InputRecord, Limit, Outcome, StackEntry};
pub use undefined::{Access, Undefined};

/// Runs a program from its start function to its end.
pub fn run(program: &Program, config: &Config, console: &mut dyn Console) -> Execution {
    machine::Machine::new(program, config, console).execute()
}

/// Whether the function has no body and belongs to the C library: the interpreter then knows what it does, or
/// that it does something that is not modelled. Other functions without body return inputs.
pub fn is_library_function(function: &Function) -> bool {
    library::find(function).is_some()
}
