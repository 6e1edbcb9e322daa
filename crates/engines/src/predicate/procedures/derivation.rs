//! The formula of a derivation: a copy of the body of each call in it, linked by what calls are given and give back.
//!
//! Each copy is a part of its own. What a part shares with the rest is what the function is given and what it gives back, so the
//! interpolants of the cuts around calls (Algorithm 2 of the paper) are over a function's own inputs and outputs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_encoding::{Block, Call, CellId, Encoding, Executed, Procedure};
use rorqual_inference::contracts::{Ignored, exit_to, failure, value_at};
use rorqual_interpolation::Tree;
use rorqual_logic::{Assignment, Evaluator, Op, Term};

use super::facts::{FactId, Facts};
use super::{End, Key};

/// A copy of a body.
struct Copy {
    key: Key,
    body: Rc<Block>,
    /// Behind the names of its symbols.
    suffix: String,
    /// The copy with the call, and the number of the call there.
    caller: Option<(usize, usize)>,
    /// The cells that it is given.
    given: BTreeSet<CellId>,
    /// The calls in it that happen, with their copies.
    calls: BTreeMap<usize, usize>,
    formulas: Vec<Term>,
}

/// The copies, callers before what they call.
pub(super) struct Derivation {
    copies: Vec<Copy>,
}

impl Derivation {
    /// The derivation of a fact about the first procedure.
    pub(super) fn of(
        encoding: &mut Encoding<'_>,
        facts: &Facts,
        root: FactId,
        ignored: &Ignored,
    ) -> Derivation {
        let mut derivation = Derivation { copies: Vec::new() };
        derivation.add(encoding, facts, root, None, ignored);
        derivation
    }

    fn add(
        &mut self,
        encoding: &mut Encoding<'_>,
        facts: &Facts,
        fact: FactId,
        caller: Option<(usize, usize)>,
        ignored: &Ignored,
    ) {
        let (key, details) = facts.get(fact);
        let body = encoding.body_of(key.0);
        let at = self.copies.len();
        let suffix = if at == 0 { String::new() } else { format!("/{at}") };
        if let Some((above, call)) = caller {
            self.copies[above].calls.insert(call, at);
        }
        let (given, calls, formulas) = (BTreeSet::new(), BTreeMap::new(), Vec::new());
        self.copies.push(Copy { key, body: body.clone(), suffix, caller, given, calls, formulas });
        for (symbol, _) in &body.symbols {
            if let Some(cell) = encoding.cells().of_symbol(*symbol) {
                self.give(encoding, at, cell);
            }
        }
        self.state_end(encoding, at, ignored);
        for (call, opened) in body.calls.iter().enumerate() {
            for (end, flag) in ends(opened) {
                let ends_so = |inner: FactId| facts.get(inner).0.1 == end;
                let happens = details.calls.iter().find(|(one, inner)| *one == call && ends_so(*inner));
                let said = if happens.is_some() { flag } else { encoding.pool.not(flag) };
                let said = self.term(encoding, at, said);
                self.copies[at].formulas.push(said);
                if let Some(&(_, fact)) = happens {
                    self.add(encoding, facts, fact, Some((at, call)), ignored);
                }
            }
        }
    }

    /// How the copy ends, and what it gives back.
    fn state_end(&mut self, encoding: &mut Encoding<'_>, at: usize, ignored: &Ignored) {
        let (procedure, end) = self.copies[at].key;
        let body = self.copies[at].body.clone();
        let condition = condition(encoding, procedure, &body, end, ignored);
        let condition = self.term(encoding, at, condition);
        self.copies[at].formulas.push(condition);
        let (Some((above, call)), End::At(location)) = (self.copies[at].caller, end) else { return };
        let outputs = self.copies[above].body.calls[call].outputs.clone();
        let Some(exit) = exit_to(&body, location) else { return };
        for (cell, output) in outputs {
            let value = value_at(encoding, exit, cell);
            let value = self.term(encoding, at, value);
            let output = self.term(encoding, above, output);
            let same = encoding.pool.eq(output, value);
            self.copies[at].formulas.push(same);
        }
    }

    /// What a cell is at the start of a copy, which its caller says. What calls in it are given comes through it.
    fn give(&mut self, encoding: &mut Encoding<'_>, at: usize, cell: CellId) {
        let Some((above, call)) = self.copies[at].caller else { return };
        if !self.copies[at].given.insert(cell) {
            return;
        }
        let own = encoding.cells().get(cell).symbol;
        let own = self.named(encoding, at, own);
        let input = self.copies[above].body.calls[call].input(encoding, cell);
        let input = self.term(encoding, above, input);
        let same = encoding.pool.eq(own, input);
        self.copies[above].formulas.push(same);
    }

    /// A term over the symbols of a body, for a copy of it, which is given the cells in it.
    fn term(&mut self, encoding: &mut Encoding<'_>, at: usize, term: Term) -> Term {
        for symbol in encoding.pool.free_symbols(term) {
            if let Some(cell) = encoding.cells().of_symbol(symbol) {
                self.give(encoding, at, cell);
            }
        }
        self.named(encoding, at, term)
    }

    /// A term with the names of a copy.
    fn named(&self, encoding: &mut Encoding<'_>, at: usize, term: Term) -> Term {
        let suffix = &self.copies[at].suffix;
        if suffix.is_empty() {
            return term;
        }
        let mut names = HashMap::new();
        for variable in encoding.pool.free_variables(term) {
            let Op::Symbol(symbol) = *encoding.pool.op(variable) else { continue };
            let name = format!("{}{suffix}", encoding.pool.symbol_name(symbol));
            let sort = encoding.pool.sort(variable);
            names.insert(variable, encoding.pool.symbol(&name, sort));
        }
        encoding.pool.substitute(term, &names)
    }

    /// The parts, what is called before its callers, and how they are arranged.
    pub(super) fn parts(&self) -> (Vec<Vec<Term>>, Tree) {
        let last = self.copies.len() - 1;
        let parts = self.copies.iter().rev().map(|copy| copy.formulas.clone()).collect();
        let parents = self.copies[1..].iter().rev();
        let parents = parents.map(|copy| last - copy.caller.map_or(0, |(above, _)| above)).collect();
        (parts, Tree::new(parents).expect("callers come before what they call"))
    }

    /// The interpolants of calls, over what they are given and give back.
    pub(super) fn extract(&self, encoding: &mut Encoding<'_>, interpolants: &[Term]) -> Vec<(Key, Term)> {
        let mut found = Vec::new();
        for (at, &interpolant) in (1..self.copies.len()).rev().zip(interpolants) {
            let copy = &self.copies[at];
            let Some((above, call)) = copy.caller else { continue };
            let mut meanings = HashMap::new();
            for &cell in &copy.given {
                let symbol = encoding.cells().get(cell).symbol;
                meanings.insert(self.named(encoding, at, symbol), symbol);
            }
            for &(cell, output) in &self.copies[above].body.calls[call].outputs {
                let after = encoding.after(cell);
                meanings.insert(self.named(encoding, above, output), after);
            }
            found.push((copy.key, encoding.pool.substitute(interpolant, &meanings)));
        }
        found
    }

    /// The execution that a model describes.
    pub(super) fn executed(&self, encoding: &mut Encoding<'_>, model: &Assignment, at: usize) -> Executed {
        let copy = &self.copies[at];
        let mut values = Assignment::new();
        for &(symbol, term) in &copy.body.symbols {
            let own = self.named(encoding, at, term);
            values.set(symbol, Evaluator::new(&encoding.pool, model).value(own).clone());
        }
        let calls = copy.calls.iter().map(|(&call, &inner)| (call, self.executed(encoding, model, inner)));
        Executed { body: copy.body.clone(), values, calls: calls.collect() }
    }
}

/// When a body ends in a way.
pub(super) fn condition(
    encoding: &mut Encoding<'_>,
    procedure: Procedure,
    body: &Block,
    end: End,
    ignored: &Ignored,
) -> Term {
    match end {
        End::Fails => failure(encoding, procedure, ignored),
        End::At(location) => {
            exit_to(body, location).map_or_else(|| encoding.pool.bottom(), |exit| exit.guard)
        }
    }
}

/// The ways in which a call may end, with their symbols.
pub(super) fn ends(call: &Call) -> Vec<(End, Term)> {
    let at = call.ends.iter().map(|&(exit, flag)| (End::At(exit), flag));
    [(End::Fails, call.fails)].into_iter().chain(at).collect()
}
