//! Identities: every table of a program is indexed by a type of its own.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index into an [`Arena`].
pub trait Id: Copy {
    /// The identity with this number.
    fn new(index: usize) -> Self;
    /// The number of this identity.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Id for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("a table has fewer than four billion entries"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    )*};
}

ids! {
    /// A type of the [`TypeTable`](crate::TypeTable).
    TypeId;
    /// A structure or union of the [`TypeTable`](crate::TypeTable).
    RecordId;
    /// A variable of a program.
    VariableId;
    /// A function of a program.
    FunctionId;
    /// A string literal of a program.
    StringId;
    /// An expression of a program.
    ExprId;
    /// A place (an lvalue) of a program.
    PlaceId;
    /// A location of one automaton.
    LocationId;
    /// An edge of one automaton.
    EdgeId;
    /// A label of one function whose address is taken.
    LabelId;
}

/// A growing table whose entries are named by `I`.
#[derive(Debug, Clone)]
pub struct Arena<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Arena { items: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// Adds an entry and names it.
    pub fn push(&mut self, item: T) -> I {
        let id = I::new(self.items.len());
        self.items.push(item);
        id
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All names in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// All entries with their names, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::new(index), item))
    }

    /// All entries in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.items.iter()
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<S: IntoIterator<Item = T>>(items: S) -> Self {
        Arena { items: items.into_iter().collect(), id: PhantomData }
    }
}
