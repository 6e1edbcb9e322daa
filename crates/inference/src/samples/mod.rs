//! Random executions: what does not hold in them is no candidate.
//!
//! [`Samples`] are states at points of a program whose calls are inlined, [`calls`] what calls of procedures were given
//! and gave back. All random choices come from one seed, so that executions are the same in every run.

pub(crate) mod calls;
mod points;

use std::collections::BTreeMap;

use rorqual_encoding::{CellId, Encoding};
use rorqual_logic::{Assignment, Bits, Evaluator, Op, Term, TermPool, Value};

pub(crate) use points::Samples;

budget! {
    /// What random executions may cost, and how much of them is kept.
    pub struct Budget {
        /// At most 2,400 blocks are executed, and fewer if blocks are large: see the work of a round.
        pub blocks: usize = 2_400,
        /// At most 150 blocks in one execution, so that there are several even if loops do not end.
        pub run: usize = 150,
        /// At most 8 blocks in the executions of the second half, which try many ways from states that were hard to reach.
        pub short_run: usize = 8,
        /// At most 400 states per point: every atom is evaluated in each of them.
        pub states: usize = 400,
        /// At most 1,000 implications between literals per point, as Houdini has to prove each of them.
        pub clauses: usize = 1_000,
        /// At most 60 states, with
        pub indexed_states: usize = 60,
        /// at most 20 numbers from each, refute a candidate about all indices: every pair of numbers is an evaluation.
        pub numbers: usize = 20,
        /// At most 64 constants of the program are tried as inputs: the smallest ones.
        pub constants: usize = 64,
        /// At most 120 executions through procedures,
        pub runs: usize = 120,
        /// with at most 3,000 calls in each,
        pub run_calls: usize = 3_000,
        /// and at most 12,000 calls in all of them.
        pub calls: usize = 12_000,
        /// At most 120 calls inside each other, so that recursion without end leaves room for other executions.
        pub depth: usize = 120,
        /// At most 1,200 in a program without inputs, which has one execution only.
        pub only_depth: usize = 1_200,
        /// At most 100,000 calls in an execution that may be a violation, as there is only one at a time,
        pub suspect_calls: usize = 100_000,
        /// and at most 3,000 inside each other, as executing a call is recursive here too.
        pub suspect_depth: usize = 3_000,
        /// At most 300 calls of each procedure are kept: every candidate is evaluated in each of them.
        pub kept_calls: usize = 300,
    }
}

/// The values of cells.
pub(crate) type State = BTreeMap<CellId, Value>;

/// The values of the cells' symbols in a state.
pub(crate) fn assignment(encoding: &Encoding<'_>, state: &State) -> Assignment {
    let mut assignment = Assignment::new();
    for (&cell, value) in state {
        set(&encoding.pool, &mut assignment, encoding.cells().get(cell).symbol, value.clone());
    }
    assignment
}

/// Gives a symbol a value.
pub(crate) fn set(pool: &TermPool, values: &mut Assignment, symbol: Term, value: Value) {
    if let Op::Symbol(symbol) = *pool.op(symbol) {
        values.set(symbol, value);
    }
}

/// For each atom, whether it holds in each state.
pub(crate) fn truths(pool: &TermPool, atoms: &[Term], states: &[Assignment]) -> Vec<Vec<bool>> {
    let mut truths = vec![Vec::with_capacity(states.len()); atoms.len()];
    for state in states {
        let mut evaluator = Evaluator::new(pool, state);
        for (&atom, truths) in atoms.iter().zip(&mut truths) {
            truths.push(evaluator.holds(atom));
        }
    }
    truths
}

/// The atoms and negated atoms that hold in all states.
pub(crate) fn literals_of(pool: &mut TermPool, atoms: &[Term], truths: &[Vec<bool>]) -> Vec<Term> {
    let mut literals = Vec::new();
    for (&atom, truths) in atoms.iter().zip(truths) {
        if truths.iter().all(|&holds| holds) {
            literals.push(atom);
        }
        if truths.iter().all(|&holds| !holds) {
            literals.push(pool.not(atom));
        }
    }
    literals
}

/// The numbers among terms, in order, at most `most`: inputs at random rarely meet them.
fn constants(pool: &TermPool, terms: impl Iterator<Item = Term>, most: usize) -> Vec<u64> {
    let mut found: Vec<u64> = terms.filter_map(|term| pool.as_bits(term)?.to_u64()).collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(most);
    found
}

/// A xorshift generator.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }

    /// Mostly small numbers and constants of the program.
    pub(crate) fn value(&mut self, width: u32, constants: &[u64]) -> Bits {
        let number = match self.next() % 8 {
            0 => 0,
            1 => 1,
            2..=4 => self.next() % 20,
            5 if !constants.is_empty() => constants[self.next() as usize % constants.len()],
            6 => (self.next() % 20).wrapping_neg(),
            _ => self.next() ^ self.next() << 20,
        };
        Bits::from_signed(&number.cast_signed().into(), width)
    }
}
