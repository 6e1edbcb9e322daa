//! Terms that a condition makes narrower.
//!
//! Behind `n <= 4` a number of 64 bits has three that are not zero: whatever is computed from the narrower term needs small
//! circuits only.

use rustc_hash::FxHashMap;

use crate::pool::{Op, Term, TermPool};

/// What the conjuncts of a condition say of terms that are compared with constants.
#[derive(Debug, Default)]
pub struct Bounds {
    bounds: FxHashMap<Term, Bound>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Bound {
    equal: Option<Term>,
    /// The greatest value as an unsigned number.
    most: Option<u128>,
    /// The greatest value as a signed number, if that is not negative.
    signed_most: Option<u128>,
    /// Whether it is not negative as a signed number.
    is_natural: bool,
}

impl Bounds {
    /// The bounds by a condition.
    pub fn of(pool: &TermPool, condition: Term) -> Bounds {
        let mut bounds = Bounds::default();
        let conjuncts: &[Term] = match pool.op(condition) {
            Op::And => pool.arguments(condition),
            _ => &[condition],
        };
        for &conjunct in conjuncts {
            bounds.add(pool, conjunct);
        }
        bounds
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    fn add(&mut self, pool: &TermPool, atom: Term) {
        let &[lhs, rhs] = pool.arguments(atom) else { return };
        let (term, constant, is_left) = match (pool.as_bits(lhs), pool.as_bits(rhs)) {
            (None, Some(_)) => (lhs, rhs, true),
            (Some(_), None) => (rhs, lhs, false),
            _ => return,
        };
        let Some(value) =
            pool.as_bits(constant).and_then(|bits| u128::try_from(bits.unsigned().clone()).ok())
        else {
            return;
        };
        let half = 1u128 << (pool.width(term).min(128) - 1);
        let mut bound = self.bounds.get(&term).copied().unwrap_or_default();
        // Comparisons are never negated. As signed numbers, those from `half` on are negative.
        match (pool.op(atom), is_left) {
            (Op::Eq, _) => bound.equal = Some(constant),
            (Op::BvUlt, true) => lower(&mut bound.most, value.saturating_sub(1)),
            (Op::BvUle, true) => lower(&mut bound.most, value),
            (Op::BvSlt, true) if (1..half).contains(&value) => lower(&mut bound.signed_most, value - 1),
            (Op::BvSle, true) if value < half => lower(&mut bound.signed_most, value),
            (Op::BvSlt | Op::BvSle, false) if value < half => bound.is_natural = true,
            (Op::BvSlt, false) if value == half - 1 + half => bound.is_natural = true,
            _ => return,
        }
        self.bounds.insert(term, bound);
    }

    /// A term that equals the number wherever the condition holds: a constant, or one with at most half as many bits that are
    /// not zero. None if the condition does not show as much.
    pub fn narrowed(&self, pool: &mut TermPool, number: Term) -> Option<Term> {
        let width = pool.sort(number).width()?;
        let core = if *pool.op(number) == Op::ZeroExtend { pool.arguments(number)[0] } else { number };
        let bound = self.bounds.get(&core)?;
        if let Some(value) = bound.equal {
            return Some(pool.bv_zero_extend(value, width));
        }
        let signed_most = bound.signed_most.filter(|_| bound.is_natural);
        let most = bound.most.into_iter().chain(signed_most).min()?;
        let (_, known) = pool.unsigned_range(core)?;
        let bits = (u128::BITS - most.leading_zeros()).max(1);
        if known <= most || bits > pool.width(core) / 2 {
            return None;
        }
        let low = pool.bv_extract(core, bits - 1, 0);
        Some(pool.bv_zero_extend(low, width))
    }
}

fn lower(bound: &mut Option<u128>, most: u128) {
    *bound = Some(bound.map_or(most, |known| known.min(most)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    /// Conditions on `x` of eight bits, and what `x` is behind them.
    fn narrowed(condition: impl Fn(&mut TermPool, Term) -> Term) -> Option<String> {
        let mut pool = TermPool::new();
        let x = pool.symbol("x", Sort::BitVec(8));
        let condition = condition(&mut pool, x);
        let narrowed = Bounds::of(&pool, condition).narrowed(&mut pool, x)?;
        for value in 0..=255u8 {
            let mut assignment = crate::Assignment::new();
            let symbol = pool.free_symbols(x).into_iter().next().expect("x is a symbol");
            assignment.set(symbol, crate::Value::Bits(crate::Bits::new(value, 8)));
            if pool.evaluate(condition, &assignment) == crate::Value::Bool(true) {
                assert_eq!(
                    pool.evaluate(narrowed, &assignment),
                    crate::Value::Bits(crate::Bits::new(value, 8)),
                    "where {} holds",
                    pool.display(condition)
                );
            }
        }
        Some(crate::smtlib::term_text(&pool, narrowed))
    }

    #[test]
    fn bounds_of_every_constant_keep_the_value() {
        for bound in 0..=255u8 {
            for form in 0..8 {
                narrowed(|pool, x| {
                    let (bound, zero) = (pool.bv(bound, 8), pool.bv(0u8, 8));
                    let natural = pool.bv_sle(zero, x);
                    match form {
                        0 => pool.bv_ult(x, bound),
                        1 => pool.bv_ule(x, bound),
                        2 => pool.bv_slt(x, bound),
                        3 => pool.bv_sle(x, bound),
                        4 => pool.bv_slt(bound, x),
                        5 => pool.eq(x, bound),
                        6 => {
                            let below = pool.bv_slt(x, bound);
                            pool.and2(natural, below)
                        }
                        _ => {
                            let (least, below) = (pool.bv_slt(bound, x), pool.bv_sle(x, bound));
                            pool.and2(least, below)
                        }
                    }
                });
            }
        }
    }

    #[test]
    fn small_numbers_become_narrow() {
        let at_most = |most: u8| {
            move |pool: &mut TermPool, x| {
                let most = pool.bv(most, 8);
                pool.bv_ule(x, most)
            }
        };
        assert_eq!(narrowed(at_most(5)).as_deref(), Some("((_ zero_extend 5) ((_ extract 2 0) x))"));
        assert_eq!(narrowed(at_most(15)).as_deref(), Some("((_ zero_extend 4) ((_ extract 3 0) x))"));
        assert_eq!(narrowed(at_most(16)), None);
        let between = |pool: &mut TermPool, x| {
            let (minus_one, most) = (pool.bv(255u8, 8), pool.bv(7u8, 8));
            let (natural, below) = (pool.bv_slt(minus_one, x), pool.bv_sle(x, most));
            pool.and2(natural, below)
        };
        assert_eq!(narrowed(between).as_deref(), Some("((_ zero_extend 5) ((_ extract 2 0) x))"));
        let signed = |pool: &mut TermPool, x| {
            let most = pool.bv(7u8, 8);
            pool.bv_sle(x, most)
        };
        assert_eq!(narrowed(signed), None);
    }
}
