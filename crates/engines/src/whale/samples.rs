//! Random executions through procedures: what does not hold in them is no candidate.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_cfa::LocationId;
use rorqual_encoding::{CellId, Encoding, Object, Procedure, Target};
use rorqual_logic::{Assignment, Bits, Evaluator, Op, Sort, Term, Value};
use rorqual_solver::Limits;

use crate::facts::samples::Random;

/// The executions, the calls of one and of all of them, and how deep calls may be.
const RUNS: usize = 120;
const RUN_CALLS: usize = 3_000;
const ALL_CALLS: usize = 12_000;
const DEEPEST: usize = 120;
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
pub(super) struct Samples {
    of: BTreeMap<Procedure, Vec<Sample>>,
}

impl Samples {
    /// Runs the program at random; the same way every time.
    pub(super) fn draw(
        encoding: &mut Encoding<'_>,
        reads: &BTreeMap<Procedure, BTreeSet<CellId>>,
        constants: &[u64],
        limits: &Limits,
    ) -> Samples {
        let mut runner = Runner {
            reads,
            constants,
            random: Random::new(1),
            samples: Samples { of: BTreeMap::new() },
            known: HashMap::new(),
            takes_inputs: HashMap::new(),
            left: 0,
        };
        let first = encoding.first_procedure();
        let mut all = ALL_CALLS;
        for _ in 0..RUNS {
            if all == 0 || limits.spent().is_some() {
                break;
            }
            runner.left = RUN_CALLS.min(all);
            let before = runner.left;
            runner.run(encoding, first, State::new(), 0);
            all -= before - runner.left;
        }
        runner.samples
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
    let mut open = vec![encoding.first_procedure()];
    while let Some(procedure) = open.pop() {
        if all.contains_key(&procedure) {
            continue;
        }
        let body = encoding.body_of(procedure);
        let own = body.symbols.iter().filter_map(|&(symbol, _)| encoding.cells().of_symbol(symbol));
        let own = own.filter(|&cell| is_given(encoding, procedure, cell)).collect();
        all.insert(procedure, own);
        open.extend(body.calls.iter().map(|call| call.procedure));
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

type Ended = (LocationId, State);

/// The names of symbols for what comes from outside start so.
const INPUTS: [&str; 4] = ["input!", "given!", "any!", "gap!"];

struct Runner<'r> {
    reads: &'r BTreeMap<Procedure, BTreeSet<CellId>>,
    constants: &'r [u64],
    random: Random,
    samples: Samples,
    /// What calls did before, by their procedures and what they were given.
    known: HashMap<(Procedure, String), Ended>,
    /// Whether what a procedure does depends on inputs.
    takes_inputs: HashMap<Procedure, bool>,
    /// How many calls this execution may still make.
    left: usize,
}

impl Runner<'_> {
    /// Calls a procedure. None if the execution ends inside, or goes on for too long.
    fn run(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedure: Procedure,
        before: State,
        depth: usize,
    ) -> Option<Ended> {
        let key = (procedure, format!("{before:?}"));
        if !self.takes_inputs(encoding, procedure)
            && let Some(known) = self.known.get(&key)
        {
            return Some(known.clone());
        }
        self.left = self.left.checked_sub(1).filter(|_| depth < DEEPEST)?;
        let ended = self.execute(encoding, procedure, &before, depth);
        self.samples.add(procedure, Sample { before, after: ended.clone() });
        if let Some(ended) = &ended {
            self.known.insert(key, ended.clone());
        }
        ended
    }

    fn takes_inputs(&mut self, encoding: &mut Encoding<'_>, procedure: Procedure) -> bool {
        if let Some(&known) = self.takes_inputs.get(&procedure) {
            return known;
        }
        // Recursion adds nothing.
        self.takes_inputs.insert(procedure, false);
        let body = encoding.body_of(procedure);
        let is_input =
            |symbol| INPUTS.iter().any(|start| encoding.pool.symbol_name(symbol).starts_with(start));
        let mut takes = body.symbols.iter().any(|&(symbol, _)| is_input(symbol));
        for call in &body.calls {
            takes |= self.takes_inputs(encoding, call.procedure);
        }
        self.takes_inputs.insert(procedure, takes);
        takes
    }

    fn execute(
        &mut self,
        encoding: &mut Encoding<'_>,
        procedure: Procedure,
        before: &State,
        depth: usize,
    ) -> Option<Ended> {
        let body = encoding.body_of(procedure);
        let mut values = Assignment::new();
        for &(symbol, term) in &body.symbols {
            let known = encoding.cells().of_symbol(symbol).and_then(|cell| before.get(&cell).cloned());
            let sort = encoding.pool.sort(term);
            values.set(symbol, known.unwrap_or_else(|| self.choose(sort)));
        }
        for call in &body.calls {
            for &(_, flag) in call.ends.iter().chain([&(rorqual_cfa::Id::new(0), call.fails)]) {
                set(encoding, &mut values, flag, Value::Bool(false));
            }
            if !Evaluator::new(&encoding.pool, &values).holds(call.guard) {
                continue;
            }
            let mut given = State::new();
            for &cell in &self.reads[&call.procedure] {
                let input = call.input(encoding, cell);
                self.complete(encoding, &mut values, before, input);
                given.insert(cell, Evaluator::new(&encoding.pool, &values).value(input).clone());
            }
            let (exit, after) = self.run(encoding, call.procedure, given, depth + 1)?;
            for &(cell, output) in &call.outputs {
                let value = match after.get(&cell) {
                    Some(value) => value.clone(),
                    None => {
                        let input = call.input(encoding, cell);
                        self.complete(encoding, &mut values, before, input);
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
        let Target::Point(point) = exit.target else { return None };
        let updates = exit.updates.iter();
        let after = updates.map(|&(cell, value)| (cell, evaluator.value(value).clone())).collect();
        Some((point.location, after))
    }

    /// Gives the symbols of a term that have no value one.
    fn complete(&mut self, encoding: &Encoding<'_>, values: &mut Assignment, before: &State, term: Term) {
        for symbol in encoding.pool.free_symbols(term) {
            if values.get(symbol).is_none() {
                let known = encoding.cells().of_symbol(symbol).and_then(|cell| before.get(&cell).cloned());
                let sort = encoding.pool.symbol_sort(symbol);
                values.set(symbol, known.unwrap_or_else(|| self.choose(sort)));
            }
        }
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

fn set(encoding: &Encoding<'_>, values: &mut Assignment, symbol: Term, value: Value) {
    if let Op::Symbol(symbol) = *encoding.pool.op(symbol) {
        values.set(symbol, value);
    }
}
