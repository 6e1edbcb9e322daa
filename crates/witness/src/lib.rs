//! Evidence for others: what a verdict rests on, in forms that people, compilers and other tools can check.
//!
//! - [`replay_trace`] runs a program with the values of an engine's trace; [`replay_inputs`] and
//!   [`replay_violation`] do so with a list of inputs and with a witness.
//! - [`explain`] tells the story of such an execution to people.
//! - [`harness`] makes a C file that lets the compiled program do the same.
//! - [`violation_sequence`] and [`loop_invariants`] make the contents of witnesses in the SV-COMP exchange format 2.0,
//!   which [`write_witness`] writes and [`read_witness`] reads.
//!
//! Nothing here decides a verdict, and nothing here runs a compiler: that is the command line's work.
//!
//! ```
//! use rorqual_interpreter::{Config, GivenInput};
//! use rorqual_witness::{explain, replay_inputs, story_text};
//!
//! let program = rorqual_testkit::program(
//!     "int __VERIFIER_nondet_int(void); void reach_error(void);
//!      int main(void) { int x = __VERIFIER_nondet_int(); if (x == 42) reach_error(); return 0; }",
//! );
//! let replay = replay_inputs(&program, vec![GivenInput::from(42)], &Config::default());
//! let story = story_text(&program, &explain(&program, &replay));
//! assert_eq!(story, "  1. test.c:2  x = 42 (input)\n  2. test.c:2  reach_error() is called\n");
//! ```

mod cells;
mod constraints;
mod explain;
mod expression;
mod harness;
mod literals;
mod model;
mod places;
mod program;
mod proof;
mod read;
mod replay;
mod scope;
mod summaries;
mod target;
mod violation;
mod write;

pub use explain::{StoryLine, explain, story_text};
pub use expression::{Lvalue, c_expression};
pub use harness::{ASSUMPTION_STATUS, Harness, REPRODUCED, REPRODUCED_STATUS, harness};
pub use model::{
    Action, Content, ContractEntry, Entry, InvariantEntry, InvariantKind, Location, Metadata, Producer,
    Segment, Task, Waypoint, WaypointKind,
};
pub use program::{CProgram, Unwritable, c_program};
pub use proof::{function_contracts, loop_invariants};
pub use read::{ReadError, read_witness};
pub use replay::{Replay, replay_found, replay_inputs, replay_trace};
pub use scope::Scope;
pub use summaries::{Summary, summaries};
pub use target::target;
pub use violation::{replay_violation, violation_sequence};
pub use write::{FORMAT_VERSION, sha256, timestamp, uuid_from, write_witness};
