//! Objects: what lives where, and since when it does not.

use std::num::NonZeroU32;

use rorqual_cfa::{FunctionId, LabelId, Program, StringId, VariableId};

use super::block::Block;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    Variable(VariableId),
    /// From `malloc` and its like.
    Heap,
    /// What a pointer from outside points to.
    Given,
    /// From `alloca`, or a variable-length array.
    Stack,
    /// The array of a string literal, which must not be written.
    Text(StringId),
    /// Only its address is of use.
    Function(FunctionId),
    /// Only its address is of use.
    Label(FunctionId, LabelId),
    /// A string or table that the run-time system made, by its name for messages.
    Runtime(&'static str),
}

impl ObjectKind {
    /// Whether the program may look at its bytes.
    pub(crate) fn has_bytes(self) -> bool {
        !matches!(self, ObjectKind::Function(_) | ObjectKind::Label(..))
    }

    /// The name of a variable; empty for other objects.
    pub(crate) fn name(self, program: &Program) -> String {
        match self {
            ObjectKind::Variable(variable) => program.variables[variable].name.clone(),
            _ => String::new(),
        }
    }
}

/// Whether an object can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    Alive,
    /// Its block or function was left.
    Ended,
    Freed,
}

/// An object, or the remains of one until its entry in the table is used again.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) generation: NonZeroU32,
    pub(crate) kind: ObjectKind,
    pub(crate) life: Life,
    pub(crate) base: u64,
    /// How many bytes it has; kept when it is dead, for messages.
    pub(crate) size: u64,
    /// Whether its address was turned into an integer, so that integers can become pointers to it.
    pub(crate) exposed: bool,
    /// Whether its type does not tell its size, so that bounds are not known.
    pub(crate) incomplete: bool,
    /// Whether bytes of it without value have one that is not modelled.
    pub(crate) unmodelled: bool,
    /// How many bytes of the machine's memory are counted for it.
    pub(crate) charged: u64,
    pub(crate) block: Block,
}
