//! What a contract means where it is used, and where it is proved.

use std::collections::HashMap;

use rorqual_cfa::{
    ExprId, FunctionId, Hazard, LocationId, Operation, PlaceId, Program, Type, TypeId, VariableId,
};
use rorqual_logic::{Op, Term, TermPool};
use rorqual_memory::{Object, Writes};

use super::contract::{Procedure, as_old};
use super::facet::Faceted;
use super::step::{State, Step, Value, birth, replacements};
use crate::cells::{CellId, Cells, Ledger};

impl Step<'_> {
    /// What the cells that a contract speaks of are where it is used, by their symbols.
    fn view(&mut self, procedure: &Procedure, arguments: Option<&[ExprId]>) -> HashMap<Term, Term> {
        let mut view = replacements(self.pool, self.world.cells, &self.state);
        if let Some(arguments) = arguments {
            let before = self.state.clone();
            self.enter(procedure.function, arguments);
            let program = self.world.program;
            for &parameter in &program.functions[procedure.function].parameters {
                for &(_, cell) in self.world.cells.leaves(parameter) {
                    let (symbol, value) = (self.symbol(cell), self.get(cell));
                    view.insert(symbol, value);
                }
            }
            self.state = before;
        }
        view
    }

    fn symbol(&mut self, cell: CellId) -> Term {
        let cell = self.world.cells.get(cell);
        self.pool.symbol(&cell.name, cell.sort)
    }

    fn arguments(operation: Option<&Operation>) -> Option<&[ExprId]> {
        match operation {
            Some(Operation::Call { arguments, .. }) => Some(arguments),
            _ => None,
        }
    }

    /// A call through a pointer calls a function only if the pointer points to it.
    pub(super) fn must_point_to(&mut self, pointer: Option<ExprId>, function: FunctionId) {
        if let Some(pointer) = pointer {
            let (value, address) = (self.eval(pointer), self.function_address(function));
            let points = self.pool.eq(value, address);
            self.conditions.push(points);
        }
    }

    /// A call through a pointer that points to none of the functions that it may point to calls nothing, and gives any
    /// result.
    pub(super) fn call_nothing(
        &mut self,
        pointer: ExprId,
        callees: &[FunctionId],
        (target, arguments): (Option<PlaceId>, &[ExprId]),
    ) {
        let value = self.eval(pointer);
        for &callee in callees {
            let address = self.function_address(callee);
            let differs = self.pool.ne(value, address);
            self.conditions.push(differs);
        }
        for &argument in arguments {
            self.value(argument);
        }
        let never = self.pool.bottom();
        self.during(Hazard::Callee(pointer), |step| step.require(never));
        if let Some(target) = target {
            self.havoc(target);
        }
    }

    /// Goes on only where the requirement of a contract does not hold.
    pub(super) fn violate(&mut self, procedure: &Procedure, operation: Option<&Operation>) {
        let view = self.view(procedure, Self::arguments(operation));
        let requires = self.pool.substitute(procedure.requires, &view);
        let violated = self.pool.not(requires);
        self.conditions.push(violated);
    }

    /// What happens between the start of a procedure and one of its exits.
    pub(super) fn apply(&mut self, procedure: &Procedure, exit: LocationId, operation: Option<&Operation>) {
        let view = self.view(procedure, Self::arguments(operation));
        let result: Vec<(Term, Term)> = match operation {
            Some(_) => self.any_returned(procedure.function),
            None => Vec::new(),
        };
        self.forget_written(&procedure.writes);
        // A call is used at the location behind it; the function ends at its own exit.
        let ensures = if operation.is_some() { procedure.only_ensures() } else { procedure.ensures(exit) };
        if let Some(ensures) = ensures {
            let ensured = self.ensured(ensures, &view, &result);
            self.conditions.push(ensured);
        }
        if let Some(Operation::Call { target: Some(target), .. }) = operation {
            self.deliver_result(*target, procedure.function, &result);
        }
    }

    /// What a contract ensures, with the cells as they are now and as they were.
    fn ensured(&mut self, ensures: Term, view: &HashMap<Term, Term>, result: &[(Term, Term)]) -> Term {
        let mut values: HashMap<Term, Term> = result.iter().copied().collect();
        for term in self.pool.subterms(&[ensures]) {
            let Op::Symbol(symbol) = *self.pool.op(term) else { continue };
            let name = self.pool.symbol_name(symbol).to_owned();
            let (old, plain) = as_old(&name);
            let Some(cell) = self.world.cells.find(plain) else { continue };
            if self.world.cells.result_of(cell).is_some() {
                continue;
            }
            let value = if old {
                let symbol = self.symbol(cell);
                view.get(&symbol).copied().unwrap_or(symbol)
            } else {
                self.get(cell)
            };
            values.insert(term, value);
        }
        self.pool.substitute(ensures, &values)
    }

    /// Any result of a function: the symbols of its leaves, and their values.
    fn any_returned(&mut self, function: FunctionId) -> Vec<(Term, Term)> {
        let Some(ty) = result_type(self.world.program, function) else { return Vec::new() };
        let values =
            if self.world.program.types.is_scalar(ty) { vec![self.any(ty)] } else { self.any_aggregate(ty) };
        let cells = self.world.cells.result(function);
        let symbols: Vec<Term> = cells.into_iter().map(|cell| self.symbol(cell)).collect();
        symbols.into_iter().zip(values).collect()
    }

    fn deliver_result(&mut self, target: PlaceId, function: FunctionId, result: &[(Term, Term)]) {
        let ty = result_type(self.world.program, function);
        let mut values: Vec<Term> = result.iter().map(|&(_, value)| value).collect();
        let value = match ty {
            None => Value::Nothing,
            Some(ty) if self.world.program.types.is_scalar(ty) => {
                values.pop().map_or(Value::Nothing, Value::Scalar)
            }
            Some(_) => Value::Aggregate(values),
        };
        self.deliver(target, &Faceted::content(value), ty);
    }

    /// What may have been written gets any value.
    fn forget_written(&mut self, writes: &Writes) {
        if writes.anything {
            self.forget_addressed();
        }
        for &object in &writes.objects {
            match object {
                Object::Variable(variable) => self.forget_variable(variable),
                Object::Heap(..) | Object::Stack(..) | Object::Given(_) => {
                    let class = self.world.cells.memory().class_of(object);
                    let cells = class.map_or_else(Vec::new, |class| self.world.cells.class(class).cells());
                    for cell in cells {
                        self.forget_cell(cell);
                    }
                }
                Object::Text(_) | Object::Function(_) | Object::Result(_) => {}
            }
        }
        if writes.allocates || writes.anything {
            let top = self.world.cells.heap_top();
            let before = self.get(top);
            self.forget_cell(top);
            let after = self.get(top);
            let grows = self.pool.bv_ule(before, after);
            self.conditions.push(grows);
            if let Some(sizes) = self.world.cells.ledger(Ledger::Sizes) {
                self.forget_cell(sizes);
            }
        }
    }

    /// A variable may have another value, and be another object: a loop may have declared it anew.
    fn forget_variable(&mut self, variable: VariableId) {
        self.forget(variable);
        let declared = &self.world.program.variables[variable];
        if !declared.kind.is_global() && self.world.cells.is_addressed(variable) {
            self.forget_cell(self.world.cells.address(variable));
        }
    }

    /// Keeps the value that the function whose contract is proved returns.
    pub(super) fn leave(&mut self, function: FunctionId, value: Option<ExprId>) {
        let (Some(value), Some(ty)) = (value, result_type(self.world.program, function)) else { return };
        let returned = self.value(value);
        let values = match self.fitted(&returned, self.world.program.exprs[value].ty, ty) {
            Value::Scalar(value) => vec![value],
            Value::Aggregate(values) => values,
            Value::Nothing => return,
        };
        for (cell, value) in self.world.cells.result(function).into_iter().zip(values) {
            self.set(cell, value);
        }
    }

    /// The state in which a function starts whose contract is proved: its parameters have the values that their names
    /// stand for, everything else of its frame is new.
    pub(super) fn begin_call(&mut self, function: FunctionId) {
        let parameters = &self.world.program.functions[function].parameters;
        for (variable, _) in self.world.locals(function) {
            if parameters.contains(&variable) {
                if self.world.cells.is_addressed(variable) {
                    let cell = self.world.cells.address(variable);
                    let address = self.pool.fresh_symbol("address", self.world.cells.get(cell).sort);
                    self.births.objects.insert(address, birth(self.world.program, variable, None));
                    self.set(cell, address);
                }
            } else {
                self.begin_life(variable);
            }
        }
    }
}

/// What a contract ensures at the end of a stretch that starts where the procedure starts.
pub(super) fn ensured_at_end(pool: &mut TermPool, cells: &Cells, ensures: Term, state: &State) -> Term {
    let mut values = replacements(pool, cells, state);
    for term in pool.subterms(&[ensures]) {
        let Op::Symbol(symbol) = *pool.op(term) else { continue };
        let name = pool.symbol_name(symbol).to_owned();
        if let (true, plain) = as_old(&name)
            && let Some(cell) = cells.find(plain)
        {
            let cell = cells.get(cell);
            let at_start = pool.symbol(&cell.name, cell.sort);
            values.insert(term, at_start);
        }
    }
    pool.substitute(ensures, &values)
}

fn result_type(program: &Program, function: FunctionId) -> Option<TypeId> {
    let Type::Function { result, .. } = program.types.get(program.functions[function].ty) else {
        return None;
    };
    (!matches!(program.types.get(*result), Type::Void)).then_some(*result)
}
