//! Restricted languages: finite sets of atoms, so that refinement with them converges (*Lazy
//! Abstraction with Interpolants*, CAV 2006, `UNWIND(L)`).
//!
//! In the language of level `k`, a constant is at most `k` away from a constant of the program or from
//! zero, and operations inside of an atom are nested at most `k + 1` deep. Each level has finitely many
//! atoms over finitely many symbols, and every formula is in some level.

use std::collections::{BTreeSet, HashMap};

use dashu::integer::IBig;
use rorqual_logic::{Bits, Op, Term, TermPool};

/// A language `L_k`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Language {
    /// The constants of the program; zero always counts as one of them.
    pub constants: BTreeSet<IBig>,
    /// How far from them a constant may be, and how deeply operations may be nested.
    pub level: u32,
}

impl Language {
    /// The language whose constants are those of the formulas.
    pub fn of(pool: &TermPool, formulas: &[Term], level: u32) -> Language {
        let mut constants = BTreeSet::new();
        for term in pool.subterms(formulas) {
            if let Some(bits) = pool.as_bits(term) {
                constants.insert(bits.signed());
                constants.insert(IBig::from(bits.unsigned().clone()));
            }
        }
        Language { constants, level }
    }

    /// Whether all constants and shapes of the formula are in the language.
    pub fn admits(&self, pool: &TermPool, formula: Term) -> bool {
        let mut depths: HashMap<Term, u32> = HashMap::new();
        for term in pool.subterms(&[formula]) {
            if pool.as_bits(term).is_some_and(|bits| !self.has_constant(bits)) {
                return false;
            }
            let arguments = pool.arguments(term).iter();
            let inner = arguments.map(|argument| depths[argument]).max().unwrap_or(0);
            let depth = inner + u32::from(is_operation(pool.op(term)));
            if depth > self.level + 1 {
                return false;
            }
            depths.insert(term, if is_atom(pool.op(term)) { 0 } else { depth });
        }
        true
    }

    fn has_constant(&self, bits: &Bits) -> bool {
        let level = IBig::from(self.level);
        let zero = IBig::ZERO;
        [bits.signed(), IBig::from(bits.unsigned().clone())].iter().any(|value| {
            let near = (value - &level)..=(value + &level);
            near.contains(&zero) || self.constants.range(near).next().is_some()
        })
    }
}

/// Nesting counts operations on values. Extensions are free: they only write a comparison down.
fn is_operation(op: &Op) -> bool {
    !matches!(
        op,
        Op::Bool(_)
            | Op::Bits(_)
            | Op::Int(_)
            | Op::Symbol(_)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::ZeroExtend
            | Op::SignExtend
    ) && !is_atom(op)
}

/// Operations of one atom do not count for another, as where an atom is a condition in a term.
fn is_atom(op: &Op) -> bool {
    matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::IntLe)
}

#[cfg(test)]
mod tests {
    use rorqual_logic::Sort;

    use super::*;

    #[test]
    fn constants_and_nesting_are_limited_by_the_level() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (ten, six) = (pool.bv(10u8, 32), pool.bv(6u8, 32));
        let program = pool.bv_slt(x, ten);
        let level = |pool: &TermPool, level| Language::of(pool, &[program], level);
        assert!(level(&pool, 0).admits(&pool, program));
        let y_is_six = pool.eq(y, six);
        assert!(!level(&pool, 0).admits(&pool, y_is_six));
        assert!(!level(&pool, 3).admits(&pool, y_is_six));
        assert!(level(&pool, 4).admits(&pool, y_is_six));
        let sum = pool.bv_add(x, y);
        let twice = pool.bv_xor(sum, x);
        let shallow = pool.bv_slt(sum, ten);
        let deep = pool.bv_slt(twice, ten);
        assert!(level(&pool, 0).admits(&pool, shallow));
        assert!(!level(&pool, 0).admits(&pool, deep));
        assert!(level(&pool, 1).admits(&pool, deep));
    }
}
