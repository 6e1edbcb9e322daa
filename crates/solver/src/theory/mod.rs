//! Decision procedures for conjunctions of atoms, with evidence that interpolation reads: linear
//! arithmetic over the rationals ([`simplex`]) and integers ([`integer`], [`divisibility`]), its Farkas interpolants
//! ([`farkas`]), Boolean combinations ([`clausal`]), and equality with uninterpreted functions
//! ([`congruence`]). Every answer "unsatisfiable" comes with evidence that a short checker re-proves.
//!
//! Not for bit-vectors: the translation to integers and back belongs to the `interpolation` crate.

pub mod clausal;
pub mod congruence;
pub mod divisibility;
pub mod farkas;
pub mod integer;
pub mod linear;
pub mod rational;
pub mod simplex;

#[cfg(test)]
mod tests;
