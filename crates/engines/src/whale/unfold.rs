//! IDAGCOND: the body of an ARG as a formula, with each call replaced by the ARG that justifies it.
//!
//! Each way in which a call can end is a part of its own, with a copy of the callee, so that one refutation gives a
//! summary for each exit and a guard. The symbols that a part shares with the caller are the cells that the callee is
//! given, those that it writes, and whether the call ends in that way.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_cfa::LocationId;
use rorqual_encoding::{Block, Call, CellId, Encoding, Executed};
use rorqual_inference::contracts::{Ignored, exit_to, failure, value_at, weaker_over};
use rorqual_logic::{Assignment, Evaluator, Op, Term};
use rorqual_solver::Model;

use super::iarg::{ArgId, Iarg};

/// How a call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CallEnd {
    /// Something goes wrong inside.
    Fails,
    /// At an exit.
    At(LocationId),
}

/// A part of the formula: one way in which one call of the ARG can end.
#[derive(Debug)]
pub(super) struct Part {
    /// The call, by its number.
    pub(super) call: usize,
    pub(super) end: CallEnd,
    pub(super) formulas: Vec<Term>,
    instance: usize,
    /// The symbol that says that the call ends so.
    pub(super) flag: Term,
}

/// A copy of a body.
#[derive(Debug)]
struct Instance {
    body: Rc<Block>,
    /// Behind the names of its symbols.
    suffix: String,
    /// The instance with the call; none for the ARG itself.
    caller: Option<(usize, usize)>,
    /// The symbols of cells that are given across parts.
    given: BTreeMap<CellId, Term>,
    calls: BTreeMap<(usize, CallEnd), usize>,
}

/// The formula.
#[derive(Debug)]
pub(super) struct Unfolding {
    instances: Vec<Instance>,
    /// What the ARG itself does.
    pub(super) own: Vec<Term>,
    /// What is said of ways in which calls of the ARG end of which no trace is known, with the call.
    pub(super) without_traces: Vec<(usize, Term)>,
    pub(super) parts: Vec<Part>,
}

/// What unfolding needs.
pub(super) struct Unfolder<'a, 'p> {
    pub(super) encoding: &'a mut Encoding<'p>,
    pub(super) iarg: &'a Iarg,
    pub(super) ignored: &'a Ignored,
}

impl Unfolder<'_, '_> {
    /// IDAGCOND of an ARG.
    pub(super) fn unfold(&mut self, id: ArgId) -> Unfolding {
        let body = self.encoding.body_of(self.iarg.get(id).procedure);
        let first = Instance {
            body: body.clone(),
            suffix: String::new(),
            caller: None,
            given: BTreeMap::new(),
            calls: BTreeMap::new(),
        };
        let own = self.iarg.get(id).paths.only(&mut self.encoding.pool, &body);
        let mut unfolding =
            Unfolding { instances: vec![first], own, without_traces: Vec::new(), parts: Vec::new() };
        for (number, call) in body.calls.iter().enumerate() {
            let callee = self.iarg.get(id).callees.get(&number).copied();
            for (end, flag) in ends(call) {
                let Some(callee) = callee.filter(|&callee| self.may_end(callee, end)) else {
                    let formula = self.encoding.pool.not(flag);
                    unfolding.without_traces.push((number, formula));
                    continue;
                };
                let instance = self.enter(&mut unfolding, (0, number), callee, end);
                let mut formulas = Vec::new();
                self.link(&mut unfolding, instance, callee, end, flag, &mut formulas);
                self.nested(&mut unfolding, instance, callee, &mut formulas);
                unfolding.parts.push(Part { call: number, end, formulas, instance, flag });
            }
        }
        unfolding
    }

    /// Whether the traces of an ARG may end in a way.
    fn may_end(&mut self, id: ArgId, end: CallEnd) -> bool {
        let arg = self.iarg.get(id);
        if arg.paths.is_empty() {
            return false;
        }
        match end {
            CallEnd::At(location) => exit_to(&self.encoding.body_of(arg.procedure), location).is_some(),
            CallEnd::Fails => {
                let failure = failure(self.encoding, arg.procedure, self.ignored);
                self.encoding.pool.as_bool(failure) != Some(false)
            }
        }
    }

    /// A copy of the body of a callee.
    fn enter(
        &mut self,
        unfolding: &mut Unfolding,
        caller: (usize, usize),
        callee: ArgId,
        end: CallEnd,
    ) -> usize {
        let body = self.encoding.body_of(self.iarg.get(callee).procedure);
        let around = &unfolding.instances[caller.0].suffix;
        let suffix = match end {
            _ if !around.is_empty() => format!("{around}/{}", caller.1),
            CallEnd::Fails => format!("@{}f", caller.1),
            CallEnd::At(location) => format!("@{}e{}", caller.1, rorqual_cfa::Id::index(location)),
        };
        let number = unfolding.instances.len();
        unfolding.instances.push(Instance {
            body,
            suffix,
            caller: Some(caller),
            given: BTreeMap::new(),
            calls: BTreeMap::new(),
        });
        unfolding.instances[caller.0].calls.insert((caller.1, end), number);
        number
    }

    /// All calls inside of a part.
    fn nested(&mut self, unfolding: &mut Unfolding, instance: usize, id: ArgId, formulas: &mut Vec<Term>) {
        let body = unfolding.instances[instance].body.clone();
        for (number, call) in body.calls.iter().enumerate() {
            let callee = self.iarg.get(id).callees.get(&number).copied();
            let mut inner = None;
            for (end, flag) in ends(call) {
                let Some(callee) = callee.filter(|&callee| self.may_end(callee, end)) else {
                    let formula = self.encoding.pool.not(flag);
                    formulas.push(self.term(unfolding, instance, formula));
                    continue;
                };
                let flag = self.term(unfolding, instance, flag);
                let inner =
                    *inner.get_or_insert_with(|| self.enter(unfolding, (instance, number), callee, end));
                unfolding.instances[instance].calls.insert((number, end), inner);
                self.link(unfolding, inner, callee, end, flag, formulas);
            }
            if let (Some(inner), Some(callee)) = (inner, callee) {
                self.nested(unfolding, inner, callee, formulas);
            }
        }
    }

    /// If the call ends in a way, the callee does, along its paths and with the values that the caller sees.
    fn link(
        &mut self,
        unfolding: &mut Unfolding,
        instance: usize,
        callee: ArgId,
        end: CallEnd,
        flag: Term,
        formulas: &mut Vec<Term>,
    ) {
        let procedure = self.iarg.get(callee).procedure;
        let body = unfolding.instances[instance].body.clone();
        let mut conclusions = Vec::new();
        for formula in self.iarg.get(callee).paths.only(&mut self.encoding.pool, &body) {
            conclusions.push(self.term(unfolding, instance, formula));
        }
        match end {
            CallEnd::Fails => {
                let failure = failure(self.encoding, procedure, self.ignored);
                conclusions.push(self.term(unfolding, instance, failure));
            }
            CallEnd::At(location) => {
                let (caller, call) = unfolding.instances[instance].caller.expect("it is called");
                let outputs = unfolding.instances[caller].body.calls[call].outputs.clone();
                let exit = exit_to(&body, location).expect("it may end there");
                conclusions.push(self.term(unfolding, instance, exit.guard));
                for (cell, output) in outputs {
                    let value = value_at(self.encoding, exit, cell);
                    let value = self.term(unfolding, instance, value);
                    let output = self.term(unfolding, caller, output);
                    conclusions.push(self.encoding.pool.eq(output, value));
                }
            }
        }
        for conclusion in conclusions {
            formulas.push(self.encoding.pool.implies(flag, conclusion));
        }
    }

    /// A term over the symbols of a body, for a copy of it.
    fn term(&mut self, unfolding: &mut Unfolding, instance: usize, term: Term) -> Term {
        if instance == 0 {
            return term;
        }
        let mut values = HashMap::new();
        for symbol in self.encoding.pool.free_symbols(term) {
            let (name, sort) =
                (self.encoding.pool.symbol_name(symbol).to_owned(), self.encoding.pool.symbol_sort(symbol));
            let old = self.encoding.pool.symbol(&name, sort);
            let new = match self.encoding.cells().of_symbol(symbol) {
                Some(cell) => self.given(unfolding, instance, cell),
                None => {
                    let suffix = &unfolding.instances[instance].suffix;
                    self.encoding.pool.symbol(&format!("{name}{suffix}"), sort)
                }
            };
            values.insert(old, new);
        }
        self.encoding.pool.substitute(term, &values)
    }

    /// What a cell is at the start of a copy.
    fn given(&mut self, unfolding: &mut Unfolding, instance: usize, cell: CellId) -> Term {
        let Some((caller, call)) = unfolding.instances[instance].caller else {
            return self.encoding.cells().get(cell).symbol;
        };
        if let Some(&known) = unfolding.instances[instance].given.get(&cell) {
            return known;
        }
        let body = unfolding.instances[caller].body.clone();
        let input = body.calls[call].input(self.encoding, cell);
        let mut value = self.term(unfolding, caller, input);
        if caller == 0 {
            let suffix = &unfolding.instances[instance].suffix;
            let name = format!("{}{suffix}", self.encoding.cells().get(cell).name);
            let symbol = self.encoding.pool.symbol(&name, self.encoding.pool.sort(value));
            unfolding.own.push(self.encoding.pool.eq(symbol, value));
            value = symbol;
        }
        unfolding.instances[instance].given.insert(cell, value);
        value
    }
}

/// The ways in which a call may end, with their symbols.
pub(super) fn ends(call: &Call) -> Vec<(CallEnd, Term)> {
    let at = call.ends.iter().map(|&(exit, flag)| (CallEnd::At(exit), flag));
    [(CallEnd::Fails, call.fails)].into_iter().chain(at).collect()
}

impl Unfolding {
    /// SUM: the interpolant of a part as a formula over the callee's cells before and after. For a call that fails, it
    /// says when that may be.
    pub(super) fn sum(&self, encoding: &mut Encoding<'_>, part: &Part, interpolant: Term) -> Term {
        let mut values = HashMap::from([(part.flag, encoding.pool.top())]);
        let instance = &self.instances[part.instance];
        for (&cell, &symbol) in &instance.given {
            values.insert(symbol, encoding.cells().get(cell).symbol);
        }
        let (caller, call) = instance.caller.expect("a part is a call");
        for &(cell, symbol) in &self.instances[caller].body.calls[call].outputs {
            let new = encoding.after(cell);
            values.insert(symbol, new);
        }
        encoding.pool.substitute(interpolant, &values)
    }

    /// GUARD: what a state before a call says of the callee's cells. The state has all that is known there, of calls
    /// behind it too; what is about other symbols is left out, which makes it weaker.
    pub(super) fn guard(&self, encoding: &mut Encoding<'_>, call: usize, state: Term) -> Term {
        let mut arguments = HashMap::new();
        for part in self.parts.iter().filter(|part| part.call == call) {
            for (&cell, &symbol) in &self.instances[part.instance].given {
                arguments.insert(symbol, encoding.cells().get(cell).symbol);
            }
        }
        let mut cases = Vec::new();
        for (_, flag) in ends(&self.instances[0].body.calls[call]) {
            let mut values = arguments.clone();
            values.insert(flag, encoding.pool.top());
            cases.push(encoding.pool.substitute(state, &values));
        }
        let state = encoding.pool.or(&cases);
        let cells: BTreeSet<Term> = arguments.into_values().collect();
        weaker_over(&mut encoding.pool, state, &cells)
    }

    /// The execution that a model describes.
    pub(super) fn executed(&self, encoding: &mut Encoding<'_>, model: &Model) -> Executed {
        self.execute(encoding, model.assignment(), 0)
    }

    fn execute(&self, encoding: &mut Encoding<'_>, model: &Assignment, number: usize) -> Executed {
        let instance = &self.instances[number];
        let mut values = Assignment::new();
        for &(symbol, term) in &instance.body.symbols {
            let value = self.value(encoding, model, number, term);
            values.set(symbol, value);
        }
        let mut calls = BTreeMap::new();
        for (&(call, end), &inner) in &instance.calls {
            let flag = ends(&instance.body.calls[call]).into_iter().find(|&(one, _)| one == end);
            let flag = flag.expect("calls have all their ends").1;
            let Op::Symbol(flag) = *encoding.pool.op(flag) else { continue };
            // Where a call fails, nothing comes after it.
            let happens = matches!(values.get(flag), Some(rorqual_logic::Value::Bool(true)));
            if happens && !calls.contains_key(&call) {
                calls.insert(call, self.execute(encoding, model, inner));
            }
        }
        Executed { body: instance.body.clone(), values, calls }
    }

    /// The value of a symbol of a body in a copy.
    fn value(
        &self,
        encoding: &mut Encoding<'_>,
        model: &Assignment,
        number: usize,
        term: Term,
    ) -> rorqual_logic::Value {
        let Op::Symbol(symbol) = *encoding.pool.op(term) else { return encoding.pool.evaluate(term, model) };
        let instance = &self.instances[number];
        let known = match (encoding.cells().of_symbol(symbol), instance.caller) {
            (_, None) => term,
            (Some(cell), Some((caller, call))) => match instance.given.get(&cell) {
                Some(&given) => given,
                None => {
                    let input = self.instances[caller].body.calls[call].input(encoding, cell);
                    return self.evaluated(encoding, model, caller, input);
                }
            },
            (None, Some(_)) => {
                let name = format!("{}{}", encoding.pool.symbol_name(symbol), instance.suffix);
                let sort = encoding.pool.sort(term);
                encoding.pool.symbol(&name, sort)
            }
        };
        Evaluator::new(&encoding.pool, model).value(known).clone()
    }

    fn evaluated(
        &self,
        encoding: &mut Encoding<'_>,
        model: &Assignment,
        number: usize,
        term: Term,
    ) -> rorqual_logic::Value {
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
