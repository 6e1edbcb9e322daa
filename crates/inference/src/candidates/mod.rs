//! Where candidates for invariants come from.

pub(crate) mod atoms;
pub(crate) mod clauses;
pub(crate) mod elements;
pub(crate) mod linear;
pub mod modes;
pub(crate) mod objects;

budget! {
    /// How many candidates there may be per point. Every one is evaluated in all samples, and those that hold there take part
    /// in Houdini's queries.
    pub struct Budget {
        /// At most 24 variables are related to each other: relations grow with the square.
        pub cells: usize = 24,
        /// At most 40 constants bound each variable: atoms grow with the product of both.
        pub constants: usize = 40,
        /// At most 600 atoms.
        pub atoms: usize = 600,
        /// Conditions of the program have at most 20 different subterms: each is evaluated in all samples.
        pub condition_size: usize = 20,
        /// At most 12 conditions split the samples, and at most 12 atoms come of it: predicate abstraction is exponential in
        /// them.
        pub cases: usize = 12,
        /// At most 8 variables in a linear equation, which takes at least three samples more than it has variables.
        pub equation_numbers: usize = 8,
        /// Coefficients of at most 64: with larger ones an equation can fit any samples.
        pub coefficient: i128 = 64,
        /// Arrays of at most 32 elements are looked at element by element,
        pub array: u64 = 32,
        /// with at most 128 elements in all.
        pub elements: u64 = 128,
        /// At most 12 pointers whose objects are related.
        pub pointers: usize = 12,
    }
}
