//! What kind of value a term has.

use std::fmt;

/// The sort of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// True or false.
    Bool,
    /// Vectors of this many bits, at least one.
    BitVec(u32),
    /// Total maps from vectors of `index` bits to vectors of `element` bits.
    Array {
        /// The width of the indices.
        index: u32,
        /// The width of the elements.
        element: u32,
    },
    /// The integers; only the arithmetic layer uses them.
    Int,
}

impl Sort {
    /// The width of a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }
}

impl fmt::Display for Sort {
    /// As SMT-LIB writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array { index, element } => {
                write!(f, "(Array {} {})", Sort::BitVec(*index), Sort::BitVec(*element))
            }
            Sort::Int => f.write_str("Int"),
        }
    }
}
