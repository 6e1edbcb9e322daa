//! States of an execution: what scalars contain, which objects there are, and under which condition control is there.
//! Parts that were not changed since two states were one are shared, so that merging them takes no time.

use std::rc::Rc;

use rorqual_logic::Term;

use super::memory::{Content, Object};

/// How many entries are shared together.
const PAGE: usize = 32;

/// A scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    /// What it is.
    pub(super) term: Term,
    /// Whether all of it was written.
    pub(super) set: Term,
}

/// An object, by its number. No two objects of an execution have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId(pub(super) u32);

/// The object of a variable whose life may end before its function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// Its life has not started.
    None,
    /// It is this one.
    Object(ObjectId),
    /// It depends on where control came from.
    Mixed,
}

/// A growing table. A copy shares all that is not changed.
#[derive(Debug, Clone)]
pub(super) struct Pages<T> {
    pages: Rc<Vec<Rc<Vec<T>>>>,
    len: usize,
}

impl<T> Default for Pages<T> {
    fn default() -> Pages<T> {
        Pages { pages: Rc::default(), len: 0 }
    }
}

impl<T: Clone> Pages<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, index: usize) -> Option<&T> {
        if index < self.len { self.pages[index / PAGE].get(index % PAGE) } else { None }
    }

    /// Changes an entry that is there.
    pub(super) fn set(&mut self, index: usize, value: T) {
        debug_assert!(index < self.len, "only entries that are there are changed");
        let pages = Rc::make_mut(&mut self.pages);
        Rc::make_mut(&mut pages[index / PAGE])[index % PAGE] = value;
    }

    /// An entry that is there, to be changed.
    fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len {
            return None;
        }
        let pages = Rc::make_mut(&mut self.pages);
        Rc::make_mut(&mut pages[index / PAGE]).get_mut(index % PAGE)
    }

    /// Makes the table longer or shorter.
    pub(super) fn resize(&mut self, len: usize, value: &T) {
        if len == self.len {
            return;
        }
        let pages = Rc::make_mut(&mut self.pages);
        pages.truncate(len.div_ceil(PAGE));
        pages.resize_with(len.div_ceil(PAGE), Rc::default);
        let full = len / PAGE;
        for (at, page) in pages.iter_mut().enumerate().skip(self.len.min(len) / PAGE) {
            let length = if at < full { PAGE } else { len % PAGE };
            if page.len() != length {
                Rc::make_mut(page).resize(length, value.clone());
            }
        }
        self.len = len;
    }

    /// The positions at which two tables of the same length may differ.
    pub(super) fn differences(&self, other: &Pages<T>) -> Vec<usize> {
        debug_assert_eq!(self.len, other.len, "tables of the same length are compared");
        if Rc::ptr_eq(&self.pages, &other.pages) {
            return Vec::new();
        }
        let pairs = self.pages.iter().zip(other.pages.iter()).enumerate();
        let changed = pairs.filter(|(_, (one, other))| !Rc::ptr_eq(one, other));
        changed.flat_map(|(page, (one, _))| (0..one.len()).map(move |at| page * PAGE + at)).collect()
    }
}

/// What a function returns.
#[derive(Debug, Clone)]
pub(super) enum Whole {
    /// A scalar.
    Scalar(Value),
    /// A structure, union or array.
    Block(Content),
    /// No value is given.
    Nothing,
}

/// A state.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// When control is here.
    pub(super) guard: Term,
    /// The scalars whose address is not taken, of the program and of all active calls.
    pub(super) slots: Pages<Option<Value>>,
    /// The objects of variables of active calls whose life may end early.
    pub(super) bindings: Pages<Binding>,
    /// The objects by their numbers; none for those that were never alive here, and for constant ones.
    pub(super) objects: Pages<Option<Rc<Object>>>,
    /// What the function that ends returns.
    pub(super) result: Option<Whole>,
}

impl State {
    /// What is in an object, if it was ever alive here.
    pub(super) fn object(&self, id: ObjectId) -> Option<&Rc<Object>> {
        self.objects.get(id.0 as usize).and_then(Option::as_ref)
    }

    /// What an object contains, to be changed.
    pub(super) fn content_mut(&mut self, id: ObjectId) -> Option<&mut Content> {
        let object = self.objects.get_mut(id.0 as usize)?.as_mut()?;
        Some(&mut Rc::make_mut(object).content)
    }

    /// Changes an object.
    pub(super) fn set_object(&mut self, id: ObjectId, object: Rc<Object>) {
        let index = id.0 as usize;
        if self.objects.len() <= index {
            self.objects.resize(index + 1, &None);
        }
        self.objects.set(index, Some(object));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_share_what_is_not_changed() {
        let mut one: Pages<u32> = Pages::default();
        one.resize(100, &0);
        let mut other = one.clone();
        assert_eq!(one.differences(&other), Vec::<usize>::new());
        other.set(40, 7);
        assert_eq!(one.differences(&other), (32..64).collect::<Vec<usize>>());
        assert_eq!((one.get(40), other.get(40), other.get(100)), (Some(&0), Some(&7), None));
        other.resize(41, &0);
        assert_eq!((other.get(40), other.get(41)), (Some(&7), None));
        other.resize(70, &9);
        assert_eq!((other.get(40), other.get(41), other.get(69)), (Some(&7), Some(&9), Some(&9)));
    }
}
