//! Inputs that may lead to a violation, as far as contracts tell, and executions with them.

use std::collections::{BTreeMap, VecDeque};

use rorqual_encoding::{Encoding, Executed};
use rorqual_evidence::Stop;
use rorqual_logic::{Assignment, Bits, Op, Sort, Term};
use rorqual_solver::{Answer, BitVecSolver, Limits, Model};

use super::bodies::{Ignored, reads};
use super::{Contracts, failure_inside};
use crate::budgets::{self, Budgets};
use crate::samples::calls::{Hints, Reads, violation};

/// Executions that go wrong, with inputs for which contracts of callees do not exclude a violation in the first
/// procedure. Executing the program with them is cheaper than unfolding it.
pub fn probe(
    encoding: &mut Encoding<'_>,
    contracts: &Contracts,
    budgets: &Budgets,
    limits: &Limits,
) -> Result<Vec<Executed>, Stop> {
    let first = encoding.first_procedure();
    let mut query = contracts.known_in(encoding, first);
    query.push(failure_inside(encoding, first, &Ignored::new()));
    let body = encoding.body_of(first);
    let mut prober = Prober::new(encoding, query, budgets, limits);
    let mut found = Vec::new();
    for _ in 0..budgets.contracts.probe.runs {
        let Some(model) = prober.next_model(encoding)? else { break };
        let mut values = Assignment::new();
        for &(symbol, term) in &body.symbols {
            values.set(symbol, model.value(&encoding.pool, term));
        }
        let suspect = Executed { body: body.clone(), values, calls: BTreeMap::new() };
        found.extend(prober.run(encoding, &suspect));
    }
    Ok(found)
}

/// Looks for inputs, one after the other.
struct Prober {
    solver: BitVecSolver,
    /// What the inputs must fulfil.
    query: Vec<Term>,
    /// The inputs in it.
    inputs: Vec<Term>,
    /// What would be nice of the inputs, best first; none of it is possible that is not there any more.
    wishes: VecDeque<Vec<Term>>,
    reads: Reads,
    samples: budgets::Samples,
    limits: Limits,
}

impl Prober {
    /// Looks for inputs of a query.
    fn new(encoding: &mut Encoding<'_>, query: Vec<Term>, budgets: &Budgets, limits: &Limits) -> Prober {
        let budget = budgets.contracts.probe;
        let mut inputs = Vec::new();
        for term in encoding.pool.subterms(&query) {
            if let Op::Symbol(symbol) = *encoding.pool.op(term)
                && encoding.is_input(symbol)
                && matches!(encoding.pool.sort(term), Sort::BitVec(_))
            {
                inputs.push(term);
            }
        }
        let limits = limits.clone().with_conflicts(budget.conflicts);
        let mut wishes = VecDeque::new();
        for bound in budget.bounds {
            wishes.push_back(inputs.iter().map(|&input| is_small(encoding, input, bound)).collect());
        }
        for &input in inputs.iter().take(budget.inputs) {
            wishes.push_back(vec![is_small(encoding, input, budget.one_bound)]);
        }
        wishes.push_back(Vec::new());
        let reads = reads(encoding);
        Prober { solver: BitVecSolver::new(), query, inputs, wishes, reads, samples: budgets.samples, limits }
    }

    /// A model with inputs that no model before had, and small ones if there are any.
    fn next_model(&mut self, encoding: &mut Encoding<'_>) -> Result<Option<Model>, Stop> {
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
    fn run(&self, encoding: &mut Encoding<'_>, suspect: &Executed) -> Option<Executed> {
        let mut hints = Hints::new();
        collect(encoding, suspect, &mut hints);
        violation(encoding, &self.reads, hints, self.samples)
    }
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
        if encoding.is_input(symbol)
            && let Some(value) = executed.values.get(symbol)
        {
            hints.entry(symbol).or_insert_with(|| value.clone());
        }
    }
    for call in executed.calls.values() {
        collect(encoding, call, hints);
    }
}
