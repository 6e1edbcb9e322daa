//! Constructors of arrays.

use crate::pool::{Op, Term, TermPool};
use crate::sort::Sort;

impl TermPool {
    fn array_sort(&self, array: Term) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            sort => panic!("an array is expected, not a {sort}"),
        }
    }

    /// The element of an array at an index. Reads over writes are resolved where the indices are
    /// the same term, or differ by a constant.
    ///
    /// # Panics
    /// If the sorts do not fit.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_width, element) = self.array_sort(array);
        assert_eq!(self.width(index), index_width, "the index fits the array");
        let mut array = array;
        while *self.op(array) == Op::Store {
            let [base, at, value] = *self.arguments(array) else { break };
            if at == index {
                return value;
            }
            if !self.always_differ(at, index) {
                break;
            }
            array = base;
        }
        if *self.op(array) == Op::ConstArray {
            return self.arguments(array)[0];
        }
        self.intern(Op::Select, &[array, index], Sort::BitVec(element))
    }

    /// An array with one element replaced.
    ///
    /// # Panics
    /// If the sorts do not fit.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let (index_width, element) = self.array_sort(array);
        assert_eq!(
            (self.width(index), self.width(value)),
            (index_width, element),
            "the write fits the array"
        );
        let is_read_back = *self.op(value) == Op::Select && *self.arguments(value) == [array, index];
        if is_read_back {
            return array;
        }
        let overwritten = *self.op(array) == Op::Store && self.arguments(array)[1] == index;
        let base = if overwritten { self.arguments(array)[0] } else { array };
        let sort = self.sort(array);
        self.intern(Op::Store, &[base, index, value], sort)
    }

    /// The array whose elements are all `value`, with indices of the given width.
    pub fn const_array(&mut self, index: u32, value: Term) -> Term {
        let element = self.width(value);
        self.intern(Op::ConstArray, &[value], Sort::Array { index, element })
    }
}
