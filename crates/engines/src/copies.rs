//! Copies of bodies: a formula that looks into calls has a copy of the called body for each, with symbols of its own.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use rorqual_cfa::LocationId;
use rorqual_encoding::{Block, Call, CellId, Encoding, Executed};
use rorqual_inference::contracts::{exit_to, value_at};
use rorqual_logic::{Assignment, Evaluator, Op, Term, Value};
use rorqual_solver::Model;

/// How a call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CallEnd {
    /// Something goes wrong inside.
    Fails,
    /// At an exit.
    At(LocationId),
}

/// The ways in which a call may end, with their symbols.
pub(crate) fn ends(call: &Call) -> Vec<(CallEnd, Term)> {
    let at = call.ends.iter().map(|&(exit, flag)| (CallEnd::At(exit), flag));
    [(CallEnd::Fails, call.fails)].into_iter().chain(at).collect()
}

/// A copy of a body.
#[derive(Debug)]
pub(crate) struct BodyCopy {
    pub(crate) body: Rc<Block>,
    /// Behind the names of its symbols.
    pub(crate) suffix: String,
    /// The copy with the call; none for the first one.
    pub(crate) caller: Option<(usize, usize)>,
    /// Whether what it is given has symbols of its own, so that it can be told apart from its caller.
    is_part: bool,
    /// What it is given, by cells.
    pub(crate) given: BTreeMap<CellId, Term>,
    /// What the symbols stand for that its callees are given.
    pub(crate) equations: Vec<Term>,
    /// The copies for its calls.
    pub(crate) calls: BTreeMap<(usize, CallEnd), usize>,
}

/// All copies of a formula. The first one has the symbols of the body itself.
#[derive(Debug)]
pub(crate) struct Copies {
    all: Vec<BodyCopy>,
    /// The copy of each symbol, and what it is in the body.
    origins: HashMap<Term, (usize, Term)>,
}

impl Copies {
    pub(crate) fn new(body: Rc<Block>) -> Copies {
        let mut copies = Copies { all: Vec::new(), origins: HashMap::new() };
        copies.push(body, String::new(), None, true);
        copies
    }

    pub(crate) fn get(&self, number: usize) -> &BodyCopy {
        &self.all[number]
    }

    /// The copy that a symbol belongs to, and the symbol in its body.
    pub(crate) fn origin(&self, symbol: Term) -> (usize, Term) {
        self.origins.get(&symbol).copied().unwrap_or((0, symbol))
    }

    /// A copy for a call. It is told for which ways of ending it stands with [`Copies::stands_for`].
    pub(crate) fn enter(
        &mut self,
        body: Rc<Block>,
        suffix: String,
        caller: (usize, usize),
        is_part: bool,
    ) -> usize {
        self.push(body, suffix, Some(caller), is_part)
    }

    fn push(
        &mut self,
        body: Rc<Block>,
        suffix: String,
        caller: Option<(usize, usize)>,
        is_part: bool,
    ) -> usize {
        let (given, calls) = (BTreeMap::new(), BTreeMap::new());
        self.all.push(BodyCopy { body, suffix, caller, is_part, given, equations: Vec::new(), calls });
        self.all.len() - 1
    }

    /// A copy is what happens if its call ends in a way.
    pub(crate) fn stands_for(&mut self, number: usize, end: CallEnd) {
        let (caller, call) = self.all[number].caller.expect("only calls end");
        self.all[caller].calls.insert((call, end), number);
    }

    /// A term over the symbols of a body, for a copy of it.
    pub(crate) fn term(&mut self, encoding: &mut Encoding<'_>, number: usize, term: Term) -> Term {
        if number == 0 {
            return term;
        }
        let mut values = HashMap::new();
        for symbol in encoding.pool.free_symbols(term) {
            let (name, sort) =
                (encoding.pool.symbol_name(symbol).to_owned(), encoding.pool.symbol_sort(symbol));
            let old = encoding.pool.symbol(&name, sort);
            let new = match encoding.cells().of_symbol(symbol) {
                Some(cell) => self.given(encoding, number, cell),
                None => {
                    let new = encoding.pool.symbol(&format!("{name}{}", self.all[number].suffix), sort);
                    self.origins.insert(new, (number, old));
                    new
                }
            };
            values.insert(old, new);
        }
        encoding.pool.substitute(term, &values)
    }

    /// What a cell is at the start of a copy.
    fn given(&mut self, encoding: &mut Encoding<'_>, number: usize, cell: CellId) -> Term {
        let Some((caller, call)) = self.all[number].caller else {
            return encoding.cells().get(cell).symbol;
        };
        if let Some(&known) = self.all[number].given.get(&cell) {
            return known;
        }
        let body = self.all[caller].body.clone();
        let input = body.calls[call].input(encoding, cell);
        let mut value = self.term(encoding, caller, input);
        if self.all[number].is_part {
            let name = format!("{}{}", encoding.cells().get(cell).name, self.all[number].suffix);
            let symbol = encoding.pool.symbol(&name, encoding.pool.sort(value));
            let equation = encoding.pool.eq(symbol, value);
            self.all[caller].equations.push(equation);
            self.origins.insert(symbol, (number, encoding.cells().get(cell).symbol));
            value = symbol;
        }
        self.all[number].given.insert(cell, value);
        value
    }

    /// What holds if the call of a copy ends at an exit: the way there is taken, and its caller sees the values there.
    pub(crate) fn at_exit(
        &mut self,
        encoding: &mut Encoding<'_>,
        number: usize,
        location: LocationId,
    ) -> Vec<Term> {
        let (caller, call) = self.all[number].caller.expect("only calls end");
        let body = self.all[number].body.clone();
        let outputs = self.all[caller].body.calls[call].outputs.clone();
        let Some(exit) = exit_to(&body, location) else { return vec![encoding.pool.bottom()] };
        let mut conclusions = vec![self.term(encoding, number, exit.guard)];
        for (cell, output) in outputs {
            let value = value_at(encoding, exit, cell);
            let value = self.term(encoding, number, value);
            let output = self.term(encoding, caller, output);
            conclusions.push(encoding.pool.eq(output, value));
        }
        conclusions
    }

    /// The execution that a model describes.
    pub(crate) fn executed(&self, encoding: &mut Encoding<'_>, model: &Model) -> Executed {
        self.execute(encoding, model.assignment(), 0)
    }

    fn execute(&self, encoding: &mut Encoding<'_>, model: &Assignment, number: usize) -> Executed {
        let copy = &self.all[number];
        let mut values = Assignment::new();
        for &(symbol, term) in &copy.body.symbols {
            let value = self.value(encoding, model, number, term);
            values.set(symbol, value);
        }
        let mut calls = BTreeMap::new();
        for (&(call, end), &inner) in &copy.calls {
            let flag = ends(&copy.body.calls[call]).into_iter().find(|&(one, _)| one == end);
            let flag = flag.expect("calls have all their ends").1;
            let Op::Symbol(flag) = *encoding.pool.op(flag) else { continue };
            // Where a call fails, nothing comes after it.
            let happens = matches!(values.get(flag), Some(Value::Bool(true)));
            if happens && !calls.contains_key(&call) {
                calls.insert(call, self.execute(encoding, model, inner));
            }
        }
        Executed { body: copy.body.clone(), values, calls }
    }

    /// The value of a symbol of a body in a copy.
    fn value(&self, encoding: &mut Encoding<'_>, model: &Assignment, number: usize, term: Term) -> Value {
        let Op::Symbol(symbol) = *encoding.pool.op(term) else { return encoding.pool.evaluate(term, model) };
        let copy = &self.all[number];
        let known = match (encoding.cells().of_symbol(symbol), copy.caller) {
            (_, None) => term,
            (Some(cell), Some((caller, call))) => match copy.given.get(&cell) {
                Some(&given) => given,
                None => {
                    let input = self.all[caller].body.calls[call].input(encoding, cell);
                    return self.evaluated(encoding, model, caller, input);
                }
            },
            (None, Some(_)) => {
                let name = format!("{}{}", encoding.pool.symbol_name(symbol), copy.suffix);
                let sort = encoding.pool.sort(term);
                encoding.pool.symbol(&name, sort)
            }
        };
        Evaluator::new(&encoding.pool, model).value(known).clone()
    }

    fn evaluated(&self, encoding: &mut Encoding<'_>, model: &Assignment, number: usize, term: Term) -> Value {
        let mut values = Assignment::new();
        for symbol in encoding.pool.free_symbols(term) {
            let name = encoding.pool.symbol_name(symbol).to_owned();
            let one = encoding.pool.find_symbol(&name).expect("it occurs in the term");
            let value = self.value(encoding, model, number, one);
            values.set(symbol, value);
        }
        encoding.pool.evaluate(term, &values)
    }
}
