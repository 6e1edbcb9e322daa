//! Values that a SAT solver gives to leaves, and the values of terms that follow from them.

use std::collections::HashMap;

use rorqual_logic::{Assignment, Bits, Op, Sort, Term, TermPool, Value};

use crate::blast::{Leaves, is_abstracted};
use crate::proof::Literal;

/// A valuation of the leaves. Leaves without a value are free, so that any value will do.
#[derive(Debug, Default)]
pub(crate) struct Candidate {
    known: HashMap<Term, Value>,
    nothing: Assignment,
}

impl Candidate {
    /// The values of those terms that are leaves, from the truth values of literals.
    pub(crate) fn new(
        pool: &TermPool,
        leaves: &Leaves,
        terms: impl Iterator<Item = Term>,
        mut holds: impl FnMut(Literal) -> bool,
    ) -> Candidate {
        let mut candidate = Candidate::default();
        for term in terms {
            if let Some(bits) = leaves.get(term) {
                let value = match pool.sort(term) {
                    Sort::Bool => Value::Bool(holds(bits[0])),
                    _ => Value::Bits(vector(bits, &mut holds)),
                };
                candidate.known.insert(term, value);
            }
        }
        candidate
    }

    /// The value of a term that is not an array.
    pub(crate) fn value(&mut self, pool: &TermPool, root: Term) -> Value {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            if matches!(pool.op(term), Op::Symbol(_)) || is_abstracted(pool, term) {
                self.known.insert(term, Value::default_of(pool.sort(term)));
                continue;
            }
            let before = stack.len();
            let is_missing = |argument: &Term| !self.known.contains_key(argument);
            stack.extend(pool.arguments(term).iter().copied().filter(is_missing));
            if stack.len() == before {
                let arguments: Vec<&Value> =
                    pool.arguments(term).iter().map(|argument| &self.known[argument]).collect();
                let value = self.nothing.apply(pool.op(term), pool.sort(term), &arguments);
                self.known.insert(term, value);
            }
        }
        self.known[&root].clone()
    }

    /// The value of a bit-vector.
    pub(crate) fn bits(&mut self, pool: &TermPool, term: Term) -> Bits {
        self.value(pool, term).bits().clone()
    }

    /// The value of a Boolean term.
    pub(crate) fn holds(&mut self, pool: &TermPool, term: Term) -> bool {
        self.value(pool, term).bool()
    }
}

fn vector(bits: &[Literal], mut holds: impl FnMut(Literal) -> bool) -> Bits {
    let width = bits.len() as u32;
    let words = bits.chunks(64).map(|chunk| {
        chunk.iter().enumerate().fold(0u64, |word, (at, &bit)| word | u64::from(holds(bit)) << at)
    });
    let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    Bits::new(dashu::integer::UBig::from_le_bytes(&bytes), width)
}
