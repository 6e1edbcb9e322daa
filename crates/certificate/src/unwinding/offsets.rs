//! Offsets that depend on inputs: where they may be in an object, and what is read there.

use std::collections::BTreeSet;

use rorqual_logic::{Bits, Op, Term};

use super::machine::Machine;
use super::state::{ObjectId, Value};

/// At more places, what is read may be anything, and a write leaves anything.
const MOST_PLACES: u64 = 4096;
/// So many constants that an offset may be are told apart.
const MOST_CONSTANTS: usize = 64;

/// Where an offset may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    /// Sorted.
    pub(super) offsets: Vec<u64>,
    /// How many of the lowest bits of an offset in the object tell them apart.
    bits: u32,
}

impl Machine<'_> {
    /// Where in an object so many bytes from an offset on may be, if they are inside.
    pub(super) fn places(&mut self, id: ObjectId, offset: Term, bytes: u64) -> Option<Places> {
        let size = self.most_size(id)?;
        let last = size.checked_sub(bytes);
        let bits = (u64::BITS - size.leading_zeros()).max(1).min(self.pointer_width);
        let Some(last) = last else { return Some(Places { offsets: Vec::new(), bits }) };
        let mut constants = BTreeSet::new();
        if self.collect_constants(offset, &mut constants) {
            let offsets = constants.into_iter().filter(|&at| at <= last).collect();
            return Some(Places { offsets, bits });
        }
        let (stride, first) = self.stride(offset);
        let first = first % stride;
        if last < first {
            return Some(Places { offsets: Vec::new(), bits });
        }
        let count = (last - first) / stride + 1;
        (count <= MOST_PLACES)
            .then(|| Places { offsets: (0..count).map(|at| first + at * stride).collect(), bits })
    }

    /// Whether an offset inside of the object is this one.
    pub(super) fn is_at(&mut self, offset: Term, at: u64, places: &Places) -> Term {
        let pool = &mut self.store.pool;
        let (low, at) = (pool.bv_extract(offset, places.bits - 1, 0), pool.bv(at, places.bits));
        pool.eq(low, at)
    }

    /// The value that belongs to an offset, which is one of these. They are told apart bit by bit.
    pub(super) fn selected(&mut self, offset: Term, values: &[(u64, Value)]) -> Option<Value> {
        match values {
            [] => None,
            [(_, one)] => Some(*one),
            [(first, _), .., (last, _)] => {
                let bit = u64::BITS - 1 - (first ^ last).leading_zeros();
                let middle = values.partition_point(|(at, _)| at >> bit & 1 == 0);
                let low = self.selected(offset, &values[..middle])?;
                let high = self.selected(offset, &values[middle..])?;
                if low == high {
                    return Some(low);
                }
                let pool = &mut self.store.pool;
                let (digit, one) = (pool.bv_extract(offset, bit, bit), pool.bv(1u8, 1));
                let is_high = pool.eq(digit, one);
                Some(self.store.choose(is_high, high, low))
            }
        }
    }

    /// Finds all constants that a term may be, if it is a choice between some.
    fn collect_constants(&self, term: Term, found: &mut BTreeSet<u64>) -> bool {
        let pool = &self.store.pool;
        let mut seen = BTreeSet::new();
        let mut open = vec![(term, Bits::new(0u8, pool.width(term)))];
        while let Some((term, added)) = open.pop() {
            if !seen.insert((term, added.to_u64())) {
                continue;
            }
            if found.len() + open.len() > MOST_CONSTANTS || seen.len() > 4 * MOST_CONSTANTS {
                return false;
            }
            match (pool.op(term), pool.arguments(term)) {
                (Op::Bits(bits), _) => {
                    found.extend(bits.add(&added).to_u64());
                }
                (Op::Ite, &[_, then, otherwise]) => open.extend([(then, added.clone()), (otherwise, added)]),
                (Op::BvAdd, &[constant, rest]) => match pool.as_bits(constant) {
                    Some(bits) => open.push((rest, bits.add(&added))),
                    None => return false,
                },
                _ => return false,
            }
        }
        true
    }

    /// A number and a remainder that a term has if it is divided by it.
    fn stride(&self, term: Term) -> (u64, u64) {
        let pool = &self.store.pool;
        let (mut open, mut stride, mut first) = (vec![term], 0u64, 0u64);
        // How large the sum may be, in bits, so that it does not wrap around.
        let mut is_exact = true;
        let mut summands = 0;
        while let Some(term) = open.pop() {
            summands += 1;
            match (pool.op(term), pool.arguments(term)) {
                (Op::Bits(bits), _) => {
                    is_exact &= !bits.sign() && bits.to_u64().is_some_and(|number| number >> 40 == 0);
                    first = first.wrapping_add(bits.to_u64().unwrap_or(0));
                }
                (Op::BvAdd, arguments) => open.extend_from_slice(arguments),
                (Op::BvMul, &[factor, inner]) if pool.as_bits(factor).is_some() => {
                    let factor = pool.as_bits(factor).and_then(Bits::to_u64).unwrap_or(1);
                    is_exact &= self.bits_of(inner) <= self.pointer_width / 2
                        && factor >> (self.pointer_width / 2 - 8) == 0;
                    stride = gcd(stride, factor.wrapping_mul(self.power(inner)));
                }
                _ => {
                    is_exact &= self.bits_of(term) <= self.pointer_width / 2 + 16 && self.pointer_width == 64;
                    stride = gcd(stride, self.power(term));
                }
            }
        }
        is_exact &= summands < 64;
        let power = 1 << stride.trailing_zeros().min(40);
        let stride = if is_exact && stride > 0 { stride } else { power };
        (stride.max(1), first)
    }

    /// A power of two that divides a term.
    fn power(&self, term: Term) -> u64 {
        /// Deeper terms are not looked into.
        const DEPTH: u32 = 8;
        fn zeros(machine: &Machine<'_>, term: Term, depth: u32) -> u32 {
            let pool = &machine.store.pool;
            let width = pool.width(term);
            match (pool.op(term), pool.arguments(term)) {
                _ if depth == 0 => 0,
                (Op::Bits(bits), _) => (0..width).take_while(|&at| !bits.bit(at)).count() as u32,
                (Op::ZeroExtend | Op::SignExtend | Op::BvNeg, &[inner]) => zeros(machine, inner, depth - 1),
                (Op::Concat, &[_, low]) => {
                    let low_zeros = zeros(machine, low, depth - 1);
                    low_zeros.min(pool.width(low))
                }
                (Op::BvMul, &[one, other]) => {
                    zeros(machine, one, depth - 1) + zeros(machine, other, depth - 1)
                }
                (Op::BvAdd | Op::BvOr, &[one, other]) | (Op::Ite, &[_, one, other]) => {
                    zeros(machine, one, depth - 1).min(zeros(machine, other, depth - 1))
                }
                (Op::BvAnd, &[one, other]) => {
                    zeros(machine, one, depth - 1).max(zeros(machine, other, depth - 1))
                }
                _ => 0,
            }
        }
        1 << zeros(self, term, DEPTH).min(32)
    }
}

fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
