//! Values of all sorts. Equal values are equal as mathematical objects; two arrays are equal when
//! all of their elements are, however they are stored.

use std::collections::BTreeMap;
use std::fmt;

use dashu::integer::{IBig, UBig};

use crate::bits::Bits;
use crate::sort::Sort;

/// A value of some sort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A vector of bits.
    Bits(Bits),
    /// An integer.
    Int(IBig),
    /// A total map from vectors to vectors.
    Array(ArrayValue),
}

impl Value {
    /// False, zero, or the array of zeros.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::Bits(Bits::new(0u8, width)),
            Sort::Array { index, element } => {
                Value::Array(ArrayValue::constant(index, Bits::new(0u8, element)))
            }
            Sort::Int => Value::Int(IBig::ZERO),
        }
    }

    /// The sort the value belongs to.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits(bits) => Sort::BitVec(bits.width()),
            Value::Int(_) => Sort::Int,
            Value::Array(array) => {
                Sort::Array { index: array.index_width(), element: array.default_element().width() }
            }
        }
    }

    /// The Boolean.
    ///
    /// # Panics
    /// If the value has another sort.
    pub fn bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("a Boolean is expected, not {other}"),
        }
    }

    /// The vector.
    ///
    /// # Panics
    /// If the value has another sort.
    pub fn bits(&self) -> &Bits {
        match self {
            Value::Bits(bits) => bits,
            other => panic!("a bit-vector is expected, not {other}"),
        }
    }

    /// The integer.
    ///
    /// # Panics
    /// If the value has another sort.
    pub fn int(&self) -> &IBig {
        match self {
            Value::Int(value) => value,
            other => panic!("an integer is expected, not {other}"),
        }
    }

    /// The array.
    ///
    /// # Panics
    /// If the value has another sort.
    pub fn array(&self) -> &ArrayValue {
        match self {
            Value::Array(array) => array,
            other => panic!("an array is expected, not {other}"),
        }
    }
}

impl fmt::Display for Value {
    /// For messages; an array prints as `[default; index := element, …]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Bits(bits) => write!(f, "{bits}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Array(array) => {
                write!(f, "[{}", array.default)?;
                for (at, (index, element)) in array.entries.iter().enumerate() {
                    write!(f, "{} {index} := {element}", if at == 0 { ";" } else { "," })?;
                }
                f.write_str("]")
            }
        }
    }
}

/// A total map from vectors to vectors: a default and the elements that differ from it.
#[derive(Debug, Clone)]
pub struct ArrayValue {
    index: u32,
    default: Bits,
    // No entry maps to the default, so that `entries` is small and never misleads.
    entries: BTreeMap<Bits, Bits>,
}

impl ArrayValue {
    /// The array with the same element everywhere, for indices of the given width.
    pub fn constant(index: u32, default: Bits) -> ArrayValue {
        ArrayValue { index, default, entries: BTreeMap::new() }
    }

    /// The width of the indices.
    pub fn index_width(&self) -> u32 {
        self.index
    }

    /// The element wherever [`entries`](Self::entries) has none.
    pub fn default_element(&self) -> &Bits {
        &self.default
    }

    /// The elements that differ from the default, sorted by index.
    pub fn entries(&self) -> impl Iterator<Item = (&Bits, &Bits)> {
        self.entries.iter()
    }

    /// The element at an index.
    pub fn get(&self, index: &Bits) -> &Bits {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Replaces the element at an index.
    ///
    /// # Panics
    /// If the widths do not fit.
    pub fn set(&mut self, index: Bits, element: Bits) {
        let fits = index.width() == self.index && element.width() == self.default.width();
        assert!(fits, "the write fits the array");
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        if self.index != other.index || self.default.width() != other.default.width() {
            return false;
        }
        if self.default == other.default {
            return self.entries == other.entries;
        }
        // Different defaults are seen unless the entries cover every index.
        let added = other.entries.keys().filter(|index| !self.entries.contains_key(index)).count();
        let covered = UBig::from(self.entries.len() + added);
        covered == UBig::ONE << self.index as usize
            && self.entries.iter().all(|(index, element)| other.get(index) == element)
            && other.entries.iter().all(|(index, element)| self.get(index) == element)
    }
}

impl Eq for ArrayValue {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_equal_when_their_elements_are() {
        let bit = |value: u8| Bits::new(value, 1);
        let mut zeros = ArrayValue::constant(1, bit(1));
        zeros.set(bit(0), bit(0));
        assert_ne!(zeros, ArrayValue::constant(1, bit(0)));
        zeros.set(bit(1), bit(0));
        assert_eq!(zeros, ArrayValue::constant(1, bit(0)));
        zeros.set(bit(1), bit(1));
        assert_ne!(zeros, ArrayValue::constant(1, bit(1)));
    }

    #[test]
    fn a_value_knows_its_sort() {
        for sort in [Sort::Bool, Sort::Int, Sort::BitVec(9), Sort::Array { index: 3, element: 5 }] {
            assert_eq!(Value::default_of(sort).sort(), sort);
        }
    }
}
