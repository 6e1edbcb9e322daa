//! Objects, and sets of parts of objects.

use std::collections::BTreeSet;

use rorqual_cfa::{EdgeId, FunctionId, StringId, TypeId, VariableId};

/// An object that pointers may point to, or many that are not told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A variable.
    Variable(VariableId),
    /// What an edge of a function allocates on the stack: a variable-length array.
    Stack(FunctionId, EdgeId),
    /// Whatever an edge of a function allocates on the heap, or is given from outside without saying of which type.
    Heap(FunctionId, EdgeId),
    /// Whatever comes from outside and is pointed to by pointers to this type.
    Given(TypeId),
    /// A string literal.
    Text(StringId),
    /// A function.
    Function(FunctionId),
    /// The result of a function between its `return` and the place of the caller that takes it. Nothing points
    /// to it.
    Result(FunctionId),
}

/// Which part of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Offset {
    /// What is so many bytes from the start, in the first element of each array on the way.
    At(u64),
    /// Any part.
    Any,
}

/// The parts of objects that a value may point to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Targets {
    /// The parts.
    pub places: BTreeSet<(Object, Offset)>,
    /// Whether there may be others that are not modelled.
    pub unknown: bool,
}

impl Targets {
    pub(crate) fn of(object: Object) -> Targets {
        Targets { places: BTreeSet::from([(object, Offset::At(0))]), unknown: false }
    }

    pub(crate) fn unknown() -> Targets {
        Targets { unknown: true, ..Targets::default() }
    }

    /// Whether it points to nothing.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && !self.unknown
    }

    /// The objects.
    pub fn objects(&self) -> BTreeSet<Object> {
        self.places.iter().map(|&(object, _)| object).collect()
    }

    /// Adds those of another; whether there are new ones.
    pub(crate) fn join(&mut self, other: &Targets) -> bool {
        let before = (self.places.len(), self.unknown);
        self.places.extend(&other.places);
        self.unknown |= other.unknown;
        before != (self.places.len(), self.unknown)
    }
}
