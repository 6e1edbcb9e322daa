//! Instantiating a summary: a call becomes any effect that the summary allows.

use rorqual_cfa::{CellNames, Draft, ErrorKind, ExprId, FunctionId, Operation, VariableId};
use rorqual_logic::{Term, TermPool};
use rorqual_source::Span;

use super::lower::{self, Symbols};
use super::rewrite::{Frame, Passed, Rewriter};
use super::{Instances, address_of};

impl Rewriter<'_> {
    /// `x := nondet; assume S[u := p, r := x]`, and an error where the callee's requirement does not hold.
    pub(super) fn instantiate(
        &mut self,
        frame: &mut Frame,
        (from, to): (Draft, Draft),
        callee: FunctionId,
        passed: Passed<'_>,
        Instances { summaries, demands, .. }: Instances<'_>,
    ) {
        let span = passed.span;
        let interface = self.recursion.interface(callee).expect("it is recursive").clone();
        if interface.writes_memory {
            let name = &self.original.functions[callee].name;
            let construct =
                format!("a summary of `{name}`, which writes memory that belongs to no variable,");
            return frame.builder.edge(from, to, Operation::Unsupported { construct }, span);
        }
        // One edge for one, so that edges are found again.
        let mut at = frame.step(from, Operation::Skip, span);
        let mut symbols = self.globals();
        for (&parameter, &argument) in interface.parameters.iter().zip(passed.arguments) {
            at = self.keep(frame, at, (parameter, argument), &mut symbols, span);
        }
        for &written in &interface.written {
            let value = self.load(written);
            at = self.keep(frame, at, (written, value), &mut symbols, span);
        }
        let requirement =
            self.condition(&summaries.pool, demands.get(&callee).map_or(&[], Vec::as_slice), &symbols);
        at = frame.demand(at, &requirement, span);
        for &written in &interface.written {
            let target = self.place(written);
            let origin = "summary".to_owned();
            at = frame.step(at, Operation::Havoc { target, origin }, span);
            symbols.insert(self.recursion.names().variable(written).to_owned(), self.load(written));
        }
        let mut result = None;
        if let Some(ty) = interface.result {
            let variable = self.variable(frame.function, "result", ty);
            let (target, origin) = (self.place(variable), "summary".to_owned());
            at = frame.step(at, Operation::Havoc { target, origin }, span);
            let value = self.load(variable);
            symbols.insert(CellNames::result(self.original, callee), value);
            result = Some(value);
        }
        for condition in self.condition(&summaries.pool, &summaries.of(callee).ensures, &symbols) {
            at = frame.step(at, Operation::Assume { condition, holds: true }, span);
        }
        let last = match (passed.target, result) {
            (Some(target), Some(value)) => Operation::Assign { target, value },
            _ => Operation::Skip,
        };
        frame.builder.edge(at, to, last, span);
    }

    /// What global variables, and those of callers, are in formulas of contracts, if nothing was written.
    pub(super) fn globals(&mut self) -> Symbols {
        let mut symbols = Symbols::new();
        let globals: Vec<VariableId> = {
            let all = self.original.variables.iter();
            let is_seen = |id| self.recursion.is_written(id);
            all.filter(|&(id, variable)| variable.kind.is_global() || is_seen(id)).map(|(id, _)| id).collect()
        };
        for variable in globals {
            let name = self.recursion.names().variable(variable).to_owned();
            if self.is_number(variable) {
                let value = self.load(variable);
                symbols.insert(CellNames::old(&name), value);
            }
            if self.original.variables[variable].address_taken {
                symbols.insert(CellNames::old(&address_of(&name)), self.address(variable));
            }
        }
        symbols
    }

    /// Keeps a value for formulas that call it the old value of a variable.
    pub(super) fn keep(
        &mut self,
        frame: &mut Frame,
        at: Draft,
        (variable, value): (VariableId, ExprId),
        symbols: &mut Symbols,
        span: Span,
    ) -> Draft {
        if !self.is_number(variable) {
            return at;
        }
        let name = format!("{}__old", self.original.variables[variable].name);
        let holder = self.variable(frame.function, &name, self.original.variables[variable].ty);
        let target = self.place(holder);
        symbols.insert(CellNames::old(self.recursion.names().variable(variable)), self.load(holder));
        frame.step(at, Operation::Assign { target, value }, span)
    }

    /// Conjuncts as expressions. Summaries have only such as can be written.
    pub(super) fn condition(
        &mut self,
        pool: &TermPool,
        conjuncts: &[Term],
        symbols: &Symbols,
    ) -> Vec<ExprId> {
        let program = &mut self.reduced.program;
        conjuncts.iter().filter_map(|&term| lower::condition(program, pool, term, symbols)).collect()
    }
}

impl Frame {
    /// An error for each condition that does not hold.
    pub(super) fn demand(&mut self, mut at: Draft, conditions: &[ExprId], span: Span) -> Draft {
        for &condition in conditions {
            let fails = self.step(at, Operation::Assume { condition, holds: false }, span);
            self.error(fails, ErrorKind::Assertion, span);
            at = self.step(at, Operation::Assume { condition, holds: true }, span);
        }
        at
    }
}
