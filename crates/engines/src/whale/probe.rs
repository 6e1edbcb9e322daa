//! Inputs that may lead to a violation, as far as contracts tell, and executions with them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rorqual_encoding::{CellId, Encoding, Executed, Procedure};
use rorqual_logic::{Bits, Op, Sort, SymbolId, Term};
use rorqual_solver::{Answer, BitVecSolver, Limits, Model};

use super::samples::{Hints, INPUTS, Samples, reads};
use crate::stop::Stop;

/// Small inputs lead to short executions: these are tried first, then those of which one is small.
const BOUNDS: [u64; 4] = [12, 130, 1_100, 1 << 20];
const ONE_BOUND: u64 = 130;
/// So many inputs are tried to be small on their own.
const MOST_INPUTS: usize = 8;
const CONFLICTS: u32 = 5_000;

/// Looks for inputs, one after the other.
pub(super) struct Prober {
    solver: BitVecSolver,
    /// What the inputs must fulfil.
    query: Vec<Term>,
    /// The inputs in it.
    inputs: Vec<Term>,
    /// What would be nice of the inputs, best first; none of it is possible that is not there any more.
    wishes: VecDeque<Vec<Term>>,
    reads: BTreeMap<Procedure, BTreeSet<CellId>>,
    limits: Limits,
}

impl Prober {
    pub(super) fn new(encoding: &mut Encoding<'_>, limits: &Limits, query: Vec<Term>) -> Prober {
        let mut inputs = Vec::new();
        for term in encoding.pool.subterms(&query) {
            if let Op::Symbol(symbol) = *encoding.pool.op(term)
                && is_input(encoding, symbol)
                && matches!(encoding.pool.sort(term), Sort::BitVec(_))
            {
                inputs.push(term);
            }
        }
        let limits = limits.clone().with_conflicts(CONFLICTS);
        let mut wishes = VecDeque::new();
        for bound in BOUNDS {
            wishes.push_back(inputs.iter().map(|&input| is_small(encoding, input, bound)).collect());
        }
        for &input in inputs.iter().take(MOST_INPUTS) {
            wishes.push_back(vec![is_small(encoding, input, ONE_BOUND)]);
        }
        wishes.push_back(Vec::new());
        let reads = reads(encoding);
        Prober { solver: BitVecSolver::new(), query, inputs, wishes, reads, limits }
    }

    /// A model with inputs that no model before had, and small ones if there are any.
    pub(super) fn next_model(&mut self, encoding: &mut Encoding<'_>) -> Result<Option<Model>, Stop> {
        while let Some(wish) = self.wishes.front() {
            Stop::check(&self.limits)?;
            let query = [&self.query[..], wish].concat();
            let Answer::Sat(model) = self.solver.check(&mut encoding.pool, &query, &self.limits) else {
                self.wishes.pop_front();
                continue;
            };
            let mut same = Vec::new();
            for &input in &self.inputs {
                let value = model.value(&encoding.pool, input);
                let value = encoding.pool.constant(&value);
                same.push(encoding.pool.eq(input, value));
            }
            let same = encoding.pool.and(&same);
            self.query.push(encoding.pool.not(same));
            return Ok(Some(model));
        }
        Ok(None)
    }

    /// Executes the program with the inputs of an execution that may not be one.
    pub(super) fn run(&self, encoding: &mut Encoding<'_>, suspect: &Executed) -> Option<Executed> {
        let mut hints = Hints::new();
        collect(encoding, suspect, &mut hints);
        Samples::violation(encoding, &self.reads, hints)
    }
}

fn is_input(encoding: &Encoding<'_>, symbol: SymbolId) -> bool {
    INPUTS.iter().any(|start| encoding.pool.symbol_name(symbol).starts_with(start))
}

/// Whether an input is near zero.
fn is_small(encoding: &mut Encoding<'_>, input: Term, bound: u64) -> Term {
    let pool = &mut encoding.pool;
    let width = pool.width(input);
    if width < 64 && bound >> (width - 1) != 0 {
        return pool.top();
    }
    let (high, low) = (Bits::new(bound, width), Bits::new(bound, width).neg());
    let (high, low) = (pool.bits(high), pool.bits(low));
    let within = [pool.bv_sle(input, high), pool.bv_sle(low, input)];
    pool.and(&within)
}

/// The values of inputs, from the first body that has them.
fn collect(encoding: &Encoding<'_>, executed: &Executed, hints: &mut Hints) {
    for &(symbol, _) in &executed.body.symbols {
        if is_input(encoding, symbol)
            && let Some(value) = executed.values.get(symbol)
        {
            hints.entry(symbol).or_insert_with(|| value.clone());
        }
    }
    for call in executed.calls.values() {
        collect(encoding, call, hints);
    }
}
