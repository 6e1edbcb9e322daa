//! IDAGCOND: the body of an ARG as a formula, with each call replaced by the ARG that justifies it.
//!
//! Each way in which a call can end is a part of its own, with a copy of the callee, so that one refutation gives a
//! summary for each exit and a guard. The symbols that a part shares with the caller are the cells that the callee is
//! given, those that it writes, and whether the call ends in that way.

use std::collections::{BTreeSet, HashMap};

use rorqual_encoding::{Encoding, Executed};
use rorqual_inference::contracts::{Ignored, exit_to, failure, weaker_over};
use rorqual_logic::Term;
use rorqual_solver::Model;

use super::iarg::{ArgId, Iarg};
use crate::copies::{CallEnd, Copies, ends};

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

/// The formula.
#[derive(Debug)]
pub(super) struct Unfolding {
    copies: Copies,
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
        let own = self.iarg.get(id).paths.only(&mut self.encoding.pool, &body);
        let copies = Copies::new(body.clone());
        let mut unfolding = Unfolding { copies, own, without_traces: Vec::new(), parts: Vec::new() };
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
        unfolding.own.extend(&unfolding.copies.get(0).equations);
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
        let around = &unfolding.copies.get(caller.0).suffix;
        let suffix = match end {
            _ if !around.is_empty() => format!("{around}/{}", caller.1),
            CallEnd::Fails => format!("@{}f", caller.1),
            CallEnd::At(location) => format!("@{}e{}", caller.1, rorqual_cfa::Id::index(location)),
        };
        let number = unfolding.copies.enter(body, suffix, caller, caller.0 == 0);
        unfolding.copies.stands_for(number, end);
        number
    }

    /// All calls inside of a part.
    fn nested(&mut self, unfolding: &mut Unfolding, instance: usize, id: ArgId, formulas: &mut Vec<Term>) {
        let body = unfolding.copies.get(instance).body.clone();
        for (number, call) in body.calls.iter().enumerate() {
            let callee = self.iarg.get(id).callees.get(&number).copied();
            let mut inner = None;
            for (end, flag) in ends(call) {
                let Some(callee) = callee.filter(|&callee| self.may_end(callee, end)) else {
                    let formula = self.encoding.pool.not(flag);
                    formulas.push(unfolding.copies.term(self.encoding, instance, formula));
                    continue;
                };
                let flag = unfolding.copies.term(self.encoding, instance, flag);
                let inner =
                    *inner.get_or_insert_with(|| self.enter(unfolding, (instance, number), callee, end));
                unfolding.copies.stands_for(inner, end);
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
        let body = unfolding.copies.get(instance).body.clone();
        let mut conclusions = Vec::new();
        for formula in self.iarg.get(callee).paths.only(&mut self.encoding.pool, &body) {
            conclusions.push(unfolding.copies.term(self.encoding, instance, formula));
        }
        match end {
            CallEnd::Fails => {
                let failure = failure(self.encoding, procedure, self.ignored);
                conclusions.push(unfolding.copies.term(self.encoding, instance, failure));
            }
            CallEnd::At(location) => {
                conclusions.extend(unfolding.copies.at_exit(self.encoding, instance, location));
            }
        }
        for conclusion in conclusions {
            formulas.push(self.encoding.pool.implies(flag, conclusion));
        }
    }
}

impl Unfolding {
    /// SUM: the interpolant of a part as a formula over the callee's cells before and after. For a call that fails, it
    /// says when that may be.
    pub(super) fn sum(&self, encoding: &mut Encoding<'_>, part: &Part, interpolant: Term) -> Term {
        let mut values = HashMap::from([(part.flag, encoding.pool.top())]);
        let instance = self.copies.get(part.instance);
        for (&cell, &symbol) in &instance.given {
            values.insert(symbol, encoding.cells().get(cell).symbol);
        }
        let (caller, call) = instance.caller.expect("a part is a call");
        for &(cell, symbol) in &self.copies.get(caller).body.calls[call].outputs {
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
            for (&cell, &symbol) in &self.copies.get(part.instance).given {
                arguments.insert(symbol, encoding.cells().get(cell).symbol);
            }
        }
        let mut cases = Vec::new();
        for (_, flag) in ends(&self.copies.get(0).body.calls[call]) {
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
        self.copies.executed(encoding, model)
    }
}
