//! What a pointer may point to, as far as [`rorqual_memory`] knows.

use std::collections::BTreeSet;
use std::rc::Rc;

use rorqual_cfa::{ExprId, StringId, VariableId};
use rorqual_logic::Term;
use rorqual_memory::{ClassId, Object, Offset, Targets, fold};

use super::step::World;

/// What a pointer may point to.
#[derive(Debug, Clone, Default)]
pub(super) struct Reach {
    variables: BTreeSet<VariableId>,
    /// The string literals.
    pub(super) texts: Vec<StringId>,
    /// The classes of allocated objects.
    pub(super) classes: BTreeSet<ClassId>,
    /// Where it points to in an element of the only class, if that is known.
    at: Option<u64>,
    /// Whether it may point to anything, and to memory that is not modelled.
    pub(super) unknown: bool,
    /// Whether all of it that is not in variables and string literals comes from outside: nobody knows how large it is.
    pub(super) is_outside: bool,
}

/// An address with what may be there.
#[derive(Debug, Clone)]
pub(super) struct Pointed {
    pub(super) address: Term,
    pub(super) reach: Rc<Reach>,
    /// Where in an element of the only class it is, in the first element of each array. None if only bytes are known
    /// there, or nothing.
    pub(super) at: Option<u64>,
    /// Whether no array inside of an element was left on the way: then `at` holds.
    pub(super) within: Term,
    /// A reason for which an access there is one to an allocated object that is alive, if any is known (`valid.rs`).
    pub(super) valid: Option<Term>,
}

impl Reach {
    /// What a string literal is.
    pub(super) fn of_text(text: StringId) -> Reach {
        Reach { texts: vec![text], ..Reach::default() }
    }

    /// Whether it may point into a variable.
    pub(super) fn has(&self, variable: VariableId) -> bool {
        self.unknown || self.variables.contains(&variable)
    }

    /// Whether it points to variables only, or to string literals.
    pub(super) fn is_variables(&self) -> bool {
        self.classes.is_empty() && !self.unknown
    }

    /// The only class that it may point into. Without one, what is in allocated memory is not known.
    pub(super) fn class(&self) -> Option<ClassId> {
        let only = self.classes.len() == 1 && !self.unknown;
        self.classes.first().copied().filter(|_| only)
    }

    fn new(world: &World<'_>, targets: &Targets) -> Reach {
        let memory = world.cells.memory();
        let is_outside = memory.is_outside(targets);
        let mut reach = Reach { unknown: targets.unknown, is_outside, ..Reach::default() };
        let mut parts = BTreeSet::new();
        for &(object, offset) in &targets.places {
            match object {
                Object::Variable(variable) => {
                    reach.variables.insert(variable);
                }
                Object::Text(text) if reach.texts.last() != Some(&text) => reach.texts.push(text),
                Object::Heap(..) | Object::Given(_) | Object::Stack(..) => {
                    let Some(class) = memory.class_of(object) else { continue };
                    reach.classes.insert(class);
                    parts.insert(world.part(class, offset));
                }
                Object::Text(_) | Object::Function(_) | Object::Result(_) => {}
            }
        }
        reach.at = parts.first().copied().flatten().filter(|_| parts.len() == 1);
        reach
    }
}

impl World<'_> {
    /// The offset in the first elements of arrays that an offset in the elements of a class is.
    fn part(&self, class: ClassId, offset: Offset) -> Option<u64> {
        let types = &self.program.types;
        let element = self.cells.memory().class(class).element?;
        match offset {
            Offset::At(at) => Some(fold(types, element, at)),
            // All bytes of an array of bytes are alike.
            Offset::Any => (types.size_of(element) == Some(1)).then_some(0),
        }
    }

    /// What a pointer may point to.
    pub(super) fn reach(&self, pointer: ExprId) -> Rc<Reach> {
        if let Some(known) = self.reaches.borrow().get(&pointer) {
            return known.clone();
        }
        let targets = self.cells.memory().targets(self.program, pointer);
        let reach = Rc::new(Reach::new(self, &targets));
        self.reaches.borrow_mut().insert(pointer, reach.clone());
        reach
    }

    /// An address that a pointer has.
    pub(super) fn pointed(&self, pointer: ExprId, address: Term, within: Term) -> Pointed {
        let reach = self.reach(pointer);
        Pointed { address, at: reach.at, reach, within, valid: None }
    }
}
