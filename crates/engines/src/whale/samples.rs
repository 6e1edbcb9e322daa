//! Concrete executions through procedures. What does not hold in random ones is no candidate; and one that a model
//! suggests may be a violation, however deep its calls are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_cfa::LocationId;
use rorqual_encoding::{Block, CellId, Encoding, Executed, Object, Procedure, Target};
use rorqual_logic::{Assignment, Bits, Evaluator, Op, Sort, SymbolId, Term, Value};
use rorqual_solver::Limits;

use crate::facts::samples::Random;

/// The executions, the calls of one and of all of them, and how deep calls may be.
const RUNS: usize = 120;
const RUN_CALLS: usize = 3_000;
const ALL_CALLS: usize = 12_000;
const DEEPEST: usize = 120;
/// How deep calls may be in a program without inputs, which has one execution only.
const ONLY_DEEPEST: usize = 1_200;
/// The same for one execution that may be a violation.
const SUSPECT_CALLS: usize = 100_000;
const SUSPECT_DEEPEST: usize = 3_000;
/// So many samples of a procedure are kept.
const MOST_SAMPLES: usize = 300;

/// The values of cells.
pub(super) type State = BTreeMap<CellId, Value>;

/// One call of a procedure.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// The cells that it was given, as far as it may read them.
    pub(super) before: State,
    /// Where it ended, and the cells that it wrote.
    pub(super) after: Option<(LocationId, State)>,
}

/// The procedures of a program with what they read, and samples of their calls.
#[derive(Default)]
pub(super) struct Samples {
    of: BTreeMap<Procedure, Vec<Sample>>,
    /// An execution that goes wrong, if one was met.
    pub(super) violation: Option<Executed>,
}

/// Values of inputs, by their symbols.
pub(super) type Hints = HashMap<SymbolId, Value>;

impl Samples {
    /// Runs the program at random; the same way every time.
    pub(super) fn draw(
        encoding: &mut Encoding<'_>,
        reads: &BTreeMap<Procedure, BTreeSet<CellId>>,
        constants: &[u64],
        limits: &Limits,
    ) -> Samples {
        let mut runner = Runner::new(reads, constants, Hints::new());
        let first = encoding.first_procedure();
        let mut all = ALL_CALLS;
        if !runner.takes_inputs(encoding, first) {
            runner.deepest = ONLY_DEEPEST;
        }
        for _ in 0..RUNS {
            if all == 0 || limits.spent().is_some() {
                break;
            }
            runner.left = RUN_CALLS.min(all);
            let (before, random) = (runner.left, runner.random.clone());
            let fails = matches!(runner.run(encoding, first, State::new(), 0), Some(Done::Failed(_)));
            all -= before - runner.left;
            if fails {
                let again = Runner { random, ..Runner::new(reads, constants, Hints::new()) };
                runner.samples.violation = again.suspect(encoding);
                break;
            }
        }
        runner.samples
    }

    /// Runs the program with some inputs; what happens if it goes wrong.
    pub(super) fn violation(
        encoding: &mut Encoding<'_>,
        reads: &BTreeMap<Procedure, BTreeSet<CellId>>,
        hints: Hints,
    ) -> Option<Executed> {
        Runner::new(reads, &[], hints).suspect(encoding)
    }

    /// The samples of a procedure.
    pub(super) fn of(&self, procedure: Procedure) -> &[Sample] {
        self.of.get(&procedure).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, procedure: Procedure, sample: Sample) {
        let list = self.of.entry(procedure).or_default();
        if list.len() < MOST_SAMPLES {
            list.push(sample);
        }
    }
}

/// What the procedures that a program reaches may read, by cells.
pub(super) fn reads(encoding: &mut Encoding<'_>) -> BTreeMap<Procedure, BTreeSet<CellId>> {
    let mut all: BTreeMap<Procedure, BTreeSet<CellId>> = BTreeMap::new();
    for procedure in encoding.all_procedures() {
        let body = encoding.body_of(procedure);
        let own = body.symbols.iter().filter_map(|&(symbol, _)| encoding.cells().of_symbol(symbol));
        let own = own.filter(|&cell| is_given(encoding, procedure, cell)).collect();
        all.insert(procedure, own);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for procedure in all.keys().copied().collect::<Vec<Procedure>>() {
            let body = encoding.body_of(procedure);
            let mut more = BTreeSet::new();
            for call in &body.calls {
                for &cell in &all[&call.procedure] {
                    let input = call.input(encoding, cell);
                    let symbols = encoding.pool.free_symbols(input).into_iter();
                    more.extend(symbols.filter_map(|symbol| encoding.cells().of_symbol(symbol)));
                }
            }
            let own = all.get_mut(&procedure).expect("it is there");
            let before = own.len();
            own.extend(more.into_iter().filter(|&cell| is_given(encoding, procedure, cell)));
            changed |= own.len() > before;
        }
    }
    all
}

/// Whether whoever calls a procedure knows a cell: a function's own variables are new, but for its parameters.
pub(super) fn is_given(encoding: &Encoding<'_>, procedure: Procedure, cell: CellId) -> bool {
    match encoding.cells().get(cell).object {
        Some(Object::Variable(variable)) if procedure.head.is_none() => {
            let declared = &encoding.program.variables[variable];
            declared.kind.is_global()
                || declared.function != Some(procedure.function)
                || encoding.program.functions[procedure.function].parameters.contains(&variable)
        }
        Some(Object::Result(_)) => false,
        _ => true,
    }
}

/// The numbers that conditions of the program have.
pub(super) fn constants(encoding: &mut Encoding<'_>, procedures: &[Procedure]) -> Vec<u64> {
    let mut found = BTreeSet::new();
    for &procedure in procedures {
        let body = encoding.body_of(procedure);
        let mut roots: Vec<Term> = body.exits.iter().map(|exit| exit.guard).collect();
        roots.extend(body.calls.iter().map(|call| call.guard));
        for term in encoding.pool.subterms(&roots) {
            if matches!(encoding.pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
                let arguments = encoding.pool.arguments(term).iter();
                found.extend(arguments.filter_map(|&one| encoding.pool.as_bits(one)?.to_u64()));
            }
        }
    }
    found.into_iter().take(64).collect()
}

/// How a call ends.
#[derive(Debug)]
enum Done {
    /// At an exit, with the cells that were written.
    At(LocationId, State, Option<Executed>),
    /// Something goes wrong.
    Failed(Option<Executed>),
}

/// The names of symbols for what comes from outside start so.
pub(super) const INPUTS: [&str; 5] = ["input!", "given!", "any!", "gap!", "declared!"];

struct Runner<'r> {
    reads: &'r BTreeMap<Procedure, BTreeSet<CellId>>,
    constants: &'r [u64],
    hints: Hints,
    random: Random,
    samples: Samples,
    /// What calls did before, by their procedures and what they were given.
    known: HashMap<(Procedure, String), (LocationId, State)>,
    /// The symbols of bodies that matter and come from outside.
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
    fn new(
        reads: &'r BTreeMap<Procedure, BTreeSet<CellId>>,
        constants: &'r [u64],
        hints: Hints,
    ) -> Runner<'r> {
        Runner {
            reads,
            constants,
            hints,
            random: Random::new(1),
            samples: Samples::default(),
            known: HashMap::new(),
            inputs: HashMap::new(),
            takes_inputs: HashMap::new(),
            left: 0,
            deepest: DEEPEST,
            records: false,
        }
    }

    /// One execution in all its length.
    fn suspect(mut self, encoding: &mut Encoding<'_>) -> Option<Executed> {
        self.left = SUSPECT_CALLS;
        self.deepest = SUSPECT_DEEPEST;
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
        self.samples.add(procedure, Sample { before, after: after.clone() });
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

    /// The symbols of a body that come from outside and have an effect.
    fn inputs(&mut self, encoding: &Encoding<'_>, procedure: Procedure, body: &Block) -> BTreeSet<SymbolId> {
        if let Some(known) = self.inputs.get(&procedure) {
            return known.clone();
        }
        let mut roots = Vec::new();
        for exit in &body.exits {
            roots.push(exit.guard);
            roots.extend(exit.updates.iter().map(|&(_, value)| value));
        }
        for call in &body.calls {
            roots.push(call.guard);
            roots.extend(self.reads[&call.procedure].iter().map(|&cell| call.input(encoding, cell)));
        }
        let mut found = BTreeSet::new();
        for term in encoding.pool.subterms(&roots) {
            if let Op::Symbol(symbol) = *encoding.pool.op(term)
                && INPUTS.iter().any(|start| encoding.pool.symbol_name(symbol).starts_with(start))
            {
                found.insert(symbol);
            }
        }
        self.inputs.insert(procedure, found.clone());
        found
    }

    fn execute(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedure: Procedure,
        before: &State,
        depth: usize,
    ) -> Option<Done> {
        let body = encoding.body_of(procedure);
        let inputs = self.inputs(encoding, procedure, &body);
        let mut values = Assignment::new();
        for &(symbol, term) in &body.symbols {
            let sort = encoding.pool.sort(term);
            let known = encoding.cells().of_symbol(symbol).and_then(|cell| before.get(&cell).cloned());
            let hint = || self.hints.get(&symbol).cloned();
            let value = match known.or_else(hint) {
                Some(value) => value,
                None if inputs.contains(&symbol) => self.choose(sort),
                None => Value::default_of(sort),
            };
            values.set(symbol, value);
        }
        let mut calls = BTreeMap::new();
        for (number, call) in body.calls.iter().enumerate() {
            for &(_, flag) in call.ends.iter().chain([&(rorqual_cfa::Id::new(0), call.fails)]) {
                set(encoding, &mut values, flag, Value::Bool(false));
            }
            if !Evaluator::new(&encoding.pool, &values).holds(call.guard) {
                continue;
            }
            let mut given = State::new();
            for &cell in &self.reads[&call.procedure] {
                let input = call.input(encoding, cell);
                complete(encoding, &mut values, before, input);
                given.insert(cell, Evaluator::new(&encoding.pool, &values).value(input).clone());
            }
            let (exit, after, executed) = match self.run(encoding, call.procedure, given, depth + 1)? {
                Done::At(exit, after, executed) => (exit, after, executed),
                Done::Failed(executed) => {
                    set(encoding, &mut values, call.fails, Value::Bool(true));
                    calls.extend(executed.map(|executed| (number, executed)));
                    return Some(Done::Failed(self.record(&body, values, calls)));
                }
            };
            calls.extend(executed.map(|executed| (number, executed)));
            for &(cell, output) in &call.outputs {
                let value = match after.get(&cell) {
                    Some(value) => value.clone(),
                    None => {
                        let input = call.input(encoding, cell);
                        complete(encoding, &mut values, before, input);
                        Evaluator::new(&encoding.pool, &values).value(input).clone()
                    }
                };
                set(encoding, &mut values, output, value);
            }
            let flag = call.ends.iter().find(|&&(end, _)| end == exit)?.1;
            set(encoding, &mut values, flag, Value::Bool(true));
        }
        let mut evaluator = Evaluator::new(&encoding.pool, &values);
        let exit = body.exits.iter().find(|exit| evaluator.holds(exit.guard))?;
        match exit.target {
            Target::Point(point) => {
                let updates = exit.updates.iter();
                let after = updates.map(|&(cell, value)| (cell, evaluator.value(value).clone())).collect();
                Some(Done::At(point.location, after, self.record(&body, values, calls)))
            }
            Target::Error => Some(Done::Failed(self.record(&body, values, calls))),
            Target::Unsupported(_) => None,
        }
    }

    fn record(
        &self,
        body: &Rc<Block>,
        values: Assignment,
        calls: BTreeMap<usize, Executed>,
    ) -> Option<Executed> {
        self.records.then(|| Executed { body: body.clone(), values, calls })
    }

    fn choose(&mut self, sort: Sort) -> Value {
        let mut bits = |width: u32| -> Bits { self.random.value(width, self.constants) };
        match sort {
            Sort::BitVec(width) => Value::Bits(bits(width)),
            Sort::Bool => Value::Bool(bits(1).is_one()),
            Sort::Array { index, element } => {
                Value::Array(rorqual_logic::ArrayValue::constant(index, bits(element)))
            }
            Sort::Int => Value::default_of(sort),
        }
    }
}

/// Gives the symbols of a term that have no value one.
fn complete(encoding: &Encoding<'_>, values: &mut Assignment, before: &State, term: Term) {
    for symbol in encoding.pool.free_symbols(term) {
        if values.get(symbol).is_none() {
            let known = encoding.cells().of_symbol(symbol).and_then(|cell| before.get(&cell).cloned());
            let sort = encoding.pool.symbol_sort(symbol);
            values.set(symbol, known.unwrap_or_else(|| Value::default_of(sort)));
        }
    }
}

fn set(encoding: &Encoding<'_>, values: &mut Assignment, symbol: Term, value: Value) {
    if let Op::Symbol(symbol) = *encoding.pool.op(symbol) {
        values.set(symbol, value);
    }
}
