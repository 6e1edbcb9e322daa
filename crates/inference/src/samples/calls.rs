//! Concrete executions through procedures. What does not hold in random ones is no candidate; and one that a model
//! suggests may be a violation, however deep its calls are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_cfa::LocationId;
use rorqual_encoding::{Block, Call, CellId, Encoding, Executed, Procedure, Target};
use rorqual_logic::{ArrayValue, Assignment, Evaluator, Op, Sort, SymbolId, Term, Value};
use rorqual_solver::Limits;

use super::{Budget, Random, State, constants, set};
use crate::formulas::{is_comparison, of_exit};

/// What procedures may read, by cells.
pub(crate) type Reads = BTreeMap<Procedure, BTreeSet<CellId>>;

/// Values of inputs, by their symbols.
pub(crate) type Hints = HashMap<SymbolId, Value>;

/// One call of a procedure.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// The cells that it was given, as far as it may read them.
    pub(crate) before: State,
    /// Where it ended, and the cells that it wrote.
    pub(crate) after: Option<(LocationId, State)>,
}

/// Samples of the calls of procedures.
#[derive(Default)]
pub(crate) struct CallSamples {
    of: BTreeMap<Procedure, Vec<Sample>>,
    /// An execution that goes wrong, if one was met.
    pub(crate) violation: Option<Executed>,
}

impl CallSamples {
    /// Runs the program at random; the same way every time.
    pub(crate) fn draw(
        encoding: &mut Encoding<'_>,
        reads: &Reads,
        constants: &[u64],
        budget: Budget,
        limits: &Limits,
    ) -> CallSamples {
        let mut runner = Runner::new(reads, constants, Hints::new(), budget);
        let first = encoding.first_procedure();
        let mut all = budget.calls;
        if !runner.takes_inputs(encoding, first) {
            runner.deepest = budget.only_depth;
        }
        for _ in 0..budget.runs {
            if all == 0 || limits.spent().is_some() {
                break;
            }
            runner.left = budget.run_calls.min(all);
            let (before, random) = (runner.left, runner.random.clone());
            let fails = matches!(runner.run(encoding, first, State::new(), 0), Some(Done::Failed(_)));
            all -= before - runner.left;
            if fails {
                let again = Runner { random, ..Runner::new(reads, constants, Hints::new(), budget) };
                runner.samples.violation = again.suspect(encoding);
                break;
            }
        }
        runner.samples
    }

    /// The samples of a procedure.
    pub(crate) fn of(&self, procedure: Procedure) -> &[Sample] {
        self.of.get(&procedure).map_or(&[], Vec::as_slice)
    }
}

/// Runs the program with some inputs; what happens if it goes wrong.
pub(crate) fn violation(
    encoding: &mut Encoding<'_>,
    reads: &Reads,
    hints: Hints,
    budget: Budget,
) -> Option<Executed> {
    Runner::new(reads, &[], hints, budget).suspect(encoding)
}

/// The numbers that conditions of the program compare with.
pub(crate) fn compared(encoding: &mut Encoding<'_>, procedures: &[Procedure], budget: Budget) -> Vec<u64> {
    let mut roots: Vec<Term> = Vec::new();
    for &procedure in procedures {
        let body = encoding.body_of(procedure);
        roots.extend(body.exits.iter().map(|exit| exit.guard));
        roots.extend(body.calls.iter().map(|call| call.guard));
    }
    let comparisons =
        encoding.pool.subterms(&roots).into_iter().filter(|&term| is_comparison(&encoding.pool, term));
    let compared = comparisons.flat_map(|term| encoding.pool.arguments(term).iter().copied());
    constants(&encoding.pool, compared, budget.constants)
}

/// How a call ends.
#[derive(Debug)]
enum Done {
    /// At an exit, with the cells that were written.
    At(LocationId, State, Option<Executed>),
    /// Something goes wrong.
    Failed(Option<Executed>),
}

/// An execution of a body that is under way.
struct Frame<'s> {
    body: Rc<Block>,
    before: &'s State,
    values: Assignment,
    calls: BTreeMap<usize, Executed>,
    depth: usize,
}

impl Frame<'_> {
    /// The value of a cell where something is called.
    fn given(&mut self, encoding: &Encoding<'_>, call: &Call, cell: CellId) -> Value {
        let input = call.input(encoding, cell);
        self.complete(encoding, input);
        Evaluator::new(&encoding.pool, &self.values).value(input).clone()
    }

    /// Gives the symbols of a term that have no value one.
    fn complete(&mut self, encoding: &Encoding<'_>, term: Term) {
        for symbol in encoding.pool.free_symbols(term) {
            if self.values.get(symbol).is_none() {
                let known =
                    encoding.cells().of_symbol(symbol).and_then(|cell| self.before.get(&cell).cloned());
                let sort = encoding.pool.symbol_sort(symbol);
                self.values.set(symbol, known.unwrap_or_else(|| Value::default_of(sort)));
            }
        }
    }
}

struct Runner<'r> {
    reads: &'r Reads,
    constants: &'r [u64],
    hints: Hints,
    random: Random,
    samples: CallSamples,
    budget: Budget,
    /// What calls did before, by their procedures and what they were given.
    known: HashMap<(Procedure, String), (LocationId, State)>,
    /// The inputs of bodies that have an effect.
    inputs: HashMap<Procedure, BTreeSet<SymbolId>>,
    /// Whether what a procedure does depends on inputs.
    takes_inputs: HashMap<Procedure, bool>,
    /// How many calls this execution may still make, and how deep they may be.
    left: usize,
    deepest: usize,
    /// Whether executions are kept.
    records: bool,
}

impl<'r> Runner<'r> {
    fn new(reads: &'r Reads, constants: &'r [u64], hints: Hints, budget: Budget) -> Runner<'r> {
        Runner {
            reads,
            constants,
            hints,
            random: Random::new(1),
            samples: CallSamples::default(),
            budget,
            known: HashMap::new(),
            inputs: HashMap::new(),
            takes_inputs: HashMap::new(),
            left: 0,
            deepest: budget.depth,
            records: false,
        }
    }

    /// One execution in all its length.
    fn suspect(mut self, encoding: &mut Encoding<'_>) -> Option<Executed> {
        self.left = self.budget.suspect_calls;
        self.deepest = self.budget.suspect_depth;
        self.records = true;
        let first = encoding.first_procedure();
        match self.run(encoding, first, State::new(), 0) {
            Some(Done::Failed(executed)) => executed,
            _ => None,
        }
    }

    /// Calls a procedure. None if the execution ends inside, or goes on for too long.
    fn run(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedure: Procedure,
        before: State,
        depth: usize,
    ) -> Option<Done> {
        if self.records {
            self.left = self.left.checked_sub(1).filter(|_| depth < self.deepest)?;
            return self.execute(encoding, procedure, &before, depth);
        }
        let key = (procedure, format!("{before:?}"));
        if !self.takes_inputs(encoding, procedure)
            && let Some((exit, after)) = self.known.get(&key)
        {
            return Some(Done::At(*exit, after.clone(), None));
        }
        self.left = self.left.checked_sub(1).filter(|_| depth < self.deepest)?;
        let done = self.execute(encoding, procedure, &before, depth);
        let after = match &done {
            Some(Done::At(exit, after, _)) => Some((*exit, after.clone())),
            _ => None,
        };
        let kept = self.samples.of.entry(procedure).or_default();
        if kept.len() < self.budget.kept_calls {
            kept.push(Sample { before, after: after.clone() });
        }
        self.known.extend(after.map(|after| (key, after)));
        done
    }

    fn takes_inputs(&mut self, encoding: &mut Encoding<'_>, procedure: Procedure) -> bool {
        if let Some(&known) = self.takes_inputs.get(&procedure) {
            return known;
        }
        // Recursion adds nothing.
        self.takes_inputs.insert(procedure, false);
        let body = encoding.body_of(procedure);
        let mut takes = !self.inputs(encoding, procedure, &body).is_empty();
        for call in &body.calls {
            takes |= self.takes_inputs(encoding, call.procedure);
        }
        self.takes_inputs.insert(procedure, takes);
        takes
    }

    /// The inputs of a body that have an effect.
    fn inputs(&mut self, encoding: &Encoding<'_>, procedure: Procedure, body: &Block) -> BTreeSet<SymbolId> {
        if let Some(known) = self.inputs.get(&procedure) {
            return known.clone();
        }
        let mut roots: Vec<Term> = body.exits.iter().flat_map(of_exit).collect();
        for call in &body.calls {
            roots.push(call.guard);
            roots.extend(self.reads[&call.procedure].iter().map(|&cell| call.input(encoding, cell)));
        }
        let mut found = BTreeSet::new();
        for term in encoding.pool.subterms(&roots) {
            if let Op::Symbol(symbol) = *encoding.pool.op(term)
                && encoding.is_input(symbol)
            {
                found.insert(symbol);
            }
        }
        self.inputs.insert(procedure, found.clone());
        found
    }

    /// Executes a body, call by call.
    fn execute(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedure: Procedure,
        before: &State,
        depth: usize,
    ) -> Option<Done> {
        let body = encoding.body_of(procedure);
        let values = self.values(encoding, procedure, &body, before);
        let mut frame = Frame { body: body.clone(), before, values, calls: BTreeMap::new(), depth };
        for number in 0..body.calls.len() {
            if !self.call(encoding, &mut frame, number)? {
                return Some(Done::Failed(self.record(frame)));
            }
        }
        let mut evaluator = Evaluator::new(&encoding.pool, &frame.values);
        let exit = body.exits.iter().find(|exit| evaluator.holds(exit.guard))?;
        match exit.target {
            Target::Point(point) => {
                let updates = exit.updates.iter();
                let after = updates.map(|&(cell, value)| (cell, evaluator.value(value).clone())).collect();
                Some(Done::At(point.location, after, self.record(frame)))
            }
            Target::Error => Some(Done::Failed(self.record(frame))),
            Target::Unsupported(_) => None,
        }
    }

    /// The values of the symbols of a body: those of cells as they are given, and inputs.
    fn values(
        &mut self,
        encoding: &Encoding<'_>,
        procedure: Procedure,
        body: &Block,
        before: &State,
    ) -> Assignment {
        let inputs = self.inputs(encoding, procedure, body);
        let mut values = Assignment::new();
        for &(symbol, term) in &body.symbols {
            let sort = encoding.pool.sort(term);
            let known = encoding.cells().of_symbol(symbol).and_then(|cell| before.get(&cell).cloned());
            let value = match known.or_else(|| self.hints.get(&symbol).cloned()) {
                Some(value) => value,
                None if inputs.contains(&symbol) => self.choose(sort),
                None => Value::default_of(sort),
            };
            values.set(symbol, value);
        }
        values
    }

    /// Makes a call of a body, if control gets there; whether nothing goes wrong.
    fn call(&mut self, encoding: &mut Encoding<'_>, frame: &mut Frame<'_>, number: usize) -> Option<bool> {
        let body = frame.body.clone();
        let call = &body.calls[number];
        for flag in call.ends.iter().map(|&(_, ends)| ends).chain([call.fails]) {
            set(&encoding.pool, &mut frame.values, flag, Value::Bool(false));
        }
        if !Evaluator::new(&encoding.pool, &frame.values).holds(call.guard) {
            return Some(true);
        }
        let reads = self.reads[&call.procedure].iter();
        let given = reads.map(|&cell| (cell, frame.given(encoding, call, cell))).collect();
        let (exit, after, executed) = match self.run(encoding, call.procedure, given, frame.depth + 1)? {
            Done::At(exit, after, executed) => (exit, after, executed),
            Done::Failed(executed) => {
                set(&encoding.pool, &mut frame.values, call.fails, Value::Bool(true));
                frame.calls.extend(executed.map(|executed| (number, executed)));
                return Some(false);
            }
        };
        frame.calls.extend(executed.map(|executed| (number, executed)));
        for &(cell, output) in &call.outputs {
            let written = after.get(&cell).cloned();
            let value = written.unwrap_or_else(|| frame.given(encoding, call, cell));
            set(&encoding.pool, &mut frame.values, output, value);
        }
        let flag = call.ends.iter().find(|&&(end, _)| end == exit)?.1;
        set(&encoding.pool, &mut frame.values, flag, Value::Bool(true));
        Some(true)
    }

    fn record(&self, frame: Frame<'_>) -> Option<Executed> {
        let Frame { body, values, calls, .. } = frame;
        self.records.then_some(Executed { body, values, calls })
    }

    fn choose(&mut self, sort: Sort) -> Value {
        let mut bits = |width: u32| self.random.value(width, self.constants);
        match sort {
            Sort::BitVec(width) => Value::Bits(bits(width)),
            Sort::Bool => Value::Bool(bits(1).is_one()),
            Sort::Array { index, element } => Value::Array(ArrayValue::constant(index, bits(element))),
            Sort::Int => Value::default_of(sort),
        }
    }
}
