//! Restricted languages: finite sets of atoms, so that refinement with them converges (*Lazy
//! Abstraction with Interpolants*, CAV 2006, `UNWIND(L)`).
//!
//! In the language of level `k`, a constant is at most `k` away from a constant of the program or from
//! zero, and operations inside of an atom are nested at most `k + 1` deep. Each level has finitely many
//! atoms over finitely many symbols, and every formula is in some level. Comparisons alone, without
//! operations, are few enough to decide whether interpolants exist in their language.

use std::collections::{BTreeSet, HashMap};

use dashu::integer::IBig;
use rorqual_logic::{Bits, Op, Term, TermPool};

/// What atoms may look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shapes {
    /// Comparisons of terms whose operations are nested as the level says.
    #[default]
    Nested,
    /// Comparisons of symbols with symbols and constants.
    Comparisons,
}

/// A language `L_k`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Language {
    /// The constants of the program; zero always counts as one of them.
    pub constants: BTreeSet<IBig>,
    /// How far from them a constant may be, and how deeply operations may be nested.
    pub level: u32,
    /// What atoms may look like. Comparisons alone say less, but what they cannot say is known.
    pub shapes: Shapes,
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
        Language { constants, level, shapes: Shapes::default() }
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
            if depth > self.depth() || self.shapes == Shapes::Comparisons && is_extension(pool.op(term)) {
                return false;
            }
            depths.insert(term, if is_atom(pool.op(term)) { 0 } else { depth });
        }
        true
    }

    fn depth(&self) -> u32 {
        match self.shapes {
            Shapes::Nested => self.level + 1,
            Shapes::Comparisons => 0,
        }
    }

    /// The constants of a width, sorted; `None` if there are more than `most`.
    pub(crate) fn constants_of(&self, width: u32, most: usize) -> Option<Vec<Bits>> {
        let near = 2 * self.level as usize + 1;
        if near.saturating_mul(self.constants.len() + 1) > most {
            return None;
        }
        let level = i64::from(self.level);
        let mut constants = BTreeSet::new();
        for constant in self.constants.iter().chain([&IBig::ZERO]) {
            for distance in -level..=level {
                constants.insert(constant + IBig::from(distance));
            }
        }
        let as_bits = constants.iter().map(|value| Bits::from_signed(value, width));
        let mut listed: Vec<Bits> = as_bits.filter(|bits| self.has_constant(bits)).collect();
        listed.sort();
        listed.dedup();
        Some(listed)
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
    !matches!(op, Op::Bool(_) | Op::Bits(_) | Op::Int(_) | Op::Symbol(_) | Op::Not | Op::And | Op::Or)
        && !is_atom(op)
        && !is_extension(op)
}

fn is_extension(op: &Op) -> bool {
    matches!(op, Op::ZeroExtend | Op::SignExtend)
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
        let comparisons = Language { shapes: Shapes::Comparisons, ..level(&pool, 1) };
        let eleven = pool.bv(11u8, 32);
        let near = pool.bv_slt(x, eleven);
        assert!(comparisons.admits(&pool, near) && !comparisons.admits(&pool, shallow));
    }

    #[test]
    fn constants_of_a_width_are_those_that_are_admitted() {
        let language =
            Language { constants: [5, -3, 300].map(IBig::from).into(), level: 1, shapes: Shapes::default() };
        let listed = language.constants_of(4, 100).expect("a few");
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::BitVec(4));
        for value in 0u8..16 {
            let bits = Bits::new(value, 4);
            let constant = pool.bits(bits.clone());
            let atom = pool.eq(x, constant);
            assert_eq!(listed.contains(&bits), language.admits(&pool, atom), "{value}");
        }
        assert_eq!(language.constants_of(4, 5), None);
    }
}
