//! Programs as control-flow automata: one automaton per function, one operation per edge,
//! expressions without side effects, every conversion explicit, every edge with its place in
//! the source.
//!
//! This crate knows no C syntax and no formulas. The front end builds a [`Program`]; the
//! interpreter runs it and is the reference for what the operations mean (see also
//! `docs/soundness.md`); encodings and engines read it.

mod automaton;
mod build;
mod check;
mod expr;
mod hazard;
mod index;
mod names;
mod output;
mod parting;
mod passes;
mod peril;
mod program;
mod property;
mod reads;
mod types;
mod validate;

pub use automaton::{Automaton, Callee, Edge, ErrorKind, HaltKind, Location, Operation, VarArgs};
pub use build::{AutomatonBuilder, Draft};
pub use check::{Check, UnknownCheck};
pub use expr::{BinaryOp, Expr, ExprKind, Fault, OverflowOp, Place, PlaceKind, UnaryOp};
pub use hazard::Hazard;
pub use index::{
    Arena, EdgeId, ExprId, FunctionId, Id, LabelId, LocationId, PlaceId, RecordId, StringId, TypeId,
    VariableId,
};
pub use names::CellNames;
pub use output::dot::write_dot;
pub use output::json::{JSON_SCHEMA_VERSION, to_json};
pub use output::text::{Printer, write_text};
pub use parting::Partings;
pub use passes::{
    Allocation, ErrorNumber, HighestResult, ReachTest, ResultRange, UndefinedFunctions, add_checks,
    add_checks_except, add_reach_test, guard, lists_as_variables, reach_tests, references_as_values,
    treat_undefined, undefined_functions, with_error_number, with_failing_allocations, with_result_ranges,
    written_by,
};
pub use passes::{Specification, parse_specification, weave};
pub use peril::Peril;
pub use program::{Function, Label, Program, StringLiteral, Variable, VariableKind};
pub use property::{Instance, Property, checks_of, conditions, properties};
pub use types::{BitRange, DataModel, Field, FloatKind, IntKind, Record, RecordKind, Type, TypeTable};
pub use validate::violations;
