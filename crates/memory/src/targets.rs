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

/// More parts of an object that one pointer may point to are not told apart.
const MOST_PARTS: usize = 16;

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
        let mut changed = other.unknown && !self.unknown;
        self.unknown |= other.unknown;
        // One walk over both sets: in the end nothing is new.
        if other.places.is_subset(&self.places) {
            return changed;
        }
        if self.places.is_empty() {
            self.places.clone_from(&other.places);
            return true;
        }
        for &(object, offset) in &other.places {
            changed |= self.insert(object, offset);
        }
        changed
    }

    /// Adds a part of an object, unless it is covered. Many parts become any part, so that a pointer that moves on and
    /// on does not move for ever.
    fn insert(&mut self, object: Object, offset: Offset) -> bool {
        if self.places.contains(&(object, Offset::Any)) || !self.places.insert((object, offset)) {
            return false;
        }
        let parts = (object, Offset::At(0))..=(object, Offset::At(u64::MAX));
        let known: Vec<_> = self.places.range(parts).copied().collect();
        if offset == Offset::Any || known.len() > MOST_PARTS {
            for part in &known {
                self.places.remove(part);
            }
            self.places.insert((object, Offset::Any));
        }
        true
    }
}
