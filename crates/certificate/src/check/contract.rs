//! Contracts: what functions and loops require, and what they ensure.
//!
//! A *procedure* is a function with a contract, or a loop with one: whatever runs from the head up to the first visit of
//! one of its exits. Where a procedure is used, its requirement is proved, what it may write gets any value, and what it
//! ensures is assumed. Each procedure is proved once, with the contracts of all procedures at hand: that is Hoare's
//! rule for recursion (*Procedures and Parameters: An Axiomatic Approach*, 1971), by induction over the length of
//! executions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_cfa::{CellNames, ExprId, FunctionId, LocationId, Operation, Program, Type, VariableId};
use rorqual_engine::{Contract, Invariant};
use rorqual_logic::{Op, Term, TermPool, smtlib};
use rorqual_memory::{Effects, Object, Writes};

use super::step::{State, Step, Value, birth, replacements};
use crate::cells::{CellId, Cells};
use crate::format::declare;

/// A contract, by the function and the head of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ProcedureId {
    function: FunctionId,
    head: Option<LocationId>,
}

impl ProcedureId {
    /// Whether it is about a whole function.
    pub(super) fn is_function(self) -> bool {
        self.head.is_none()
    }

    /// As people read it.
    pub(super) fn describe(self, program: &Program) -> String {
        let name = &program.functions[self.function].name;
        match self.head {
            None => format!("`{name}`"),
            Some(head) => format!("the loop at {name}:{}", rorqual_cfa::Id::index(head)),
        }
    }
}

/// A procedure with its contract.
pub(super) struct Procedure {
    pub(super) function: FunctionId,
    /// Where it starts.
    pub(super) start: LocationId,
    /// Over cells at the start.
    pub(super) requires: Term,
    /// Where it ends, and what holds there, over cells there and old ones.
    ensures: BTreeMap<LocationId, Term>,
    /// What may be different at its end.
    writes: Writes,
}

impl Procedure {
    /// Where it ends.
    pub(super) fn exits(&self) -> impl Iterator<Item = LocationId> {
        self.ensures.keys().copied()
    }

    /// What holds at the exit of a function.
    fn only_ensures(&self) -> Option<Term> {
        self.ensures.values().next().copied()
    }

    /// What holds at an exit.
    pub(super) fn ensures(&self, exit: LocationId) -> Option<Term> {
        self.ensures.get(&exit).copied()
    }
}

/// All procedures of a certificate.
pub(super) struct Procedures {
    all: BTreeMap<ProcedureId, Procedure>,
    effects: Effects,
}

impl Procedures {
    /// Reads the contracts of a certificate; an error says why one makes no sense.
    pub(super) fn new(
        program: &Program,
        cells: &Cells,
        pool: &mut TermPool,
        invariant: &Invariant,
    ) -> Result<Procedures, String> {
        let effects = Effects::of(program, cells.memory());
        let mut procedures = Procedures { all: BTreeMap::new(), effects };
        for contract in &invariant.contracts {
            procedures.add(program, cells, pool, &invariant.pool, contract)?;
        }
        if !procedures.all.is_empty() {
            procedures.refuse_shared_names(program, cells)?;
        }
        procedures.refuse_crossing_loops(program)?;
        Ok(procedures)
    }

    pub(super) fn effects(&self) -> &Effects {
        &self.effects
    }

    pub(super) fn get(&self, id: ProcedureId) -> &Procedure {
        &self.all[&id]
    }

    /// All of them.
    pub(super) fn ids(&self) -> Vec<ProcedureId> {
        self.all.keys().copied().collect()
    }

    /// The contract of a function.
    pub(super) fn of_function(&self, function: FunctionId) -> Option<ProcedureId> {
        Some(ProcedureId { function, head: None }).filter(|id| self.all.contains_key(id))
    }

    /// The contract of the loop with a head.
    pub(super) fn of_loop(&self, function: FunctionId, head: LocationId) -> Option<ProcedureId> {
        Some(ProcedureId { function, head: Some(head) }).filter(|id| self.all.contains_key(id))
    }

    fn add(
        &mut self,
        program: &Program,
        cells: &Cells,
        pool: &mut TermPool,
        from: &TermPool,
        contract: &Contract,
    ) -> Result<(), String> {
        let id = ProcedureId { function: contract.function, head: contract.head };
        let name = id.describe(program);
        let Some(body) = &program.functions[contract.function].body else {
            return Err(format!("{name} has no body"));
        };
        let mut import = |term: Term, time: Time| {
            let text = smtlib::term_text(from, term);
            read(program, cells, &self.effects, pool, (id, time), &text)
        };
        let requires = import(contract.requires, Time::Start)?;
        let mut ensures = BTreeMap::new();
        for &(exit, formula) in &contract.ensures {
            if ensures.insert(exit, import(formula, Time::End)?).is_some() {
                return Err(format!("{name} has an exit twice"));
            }
        }
        let (start, writes) = match contract.head {
            None if ensures.keys().any(|&exit| exit != body.exit()) => {
                return Err(format!("{name} ends at its exit only"));
            }
            None => (body.entry(), self.effects.of_call(program, contract.function)),
            Some(head) => {
                let region = region(program, contract.function, head, &ensures);
                if region.contains(&body.exit()) {
                    return Err(format!("{name} may return, which is not among its exits"));
                }
                let edges = region.iter().flat_map(|&location| body.outgoing(location));
                (head, self.effects.of_edges(program, cells.memory(), contract.function, edges))
            }
        };
        let procedure = Procedure { function: contract.function, start, requires, ensures, writes };
        match self.all.insert(id, procedure) {
            None => Ok(()),
            Some(_) => Err(format!("{name} has two contracts")),
        }
    }

    /// A name stands for one variable only if no two calls of its function are active, or if nothing but the function
    /// itself knows the variable.
    fn refuse_shared_names(&self, program: &Program, cells: &Cells) -> Result<(), String> {
        for (id, variable) in program.variables.iter() {
            if let Some(owner) = variable.function.filter(|_| !variable.kind.is_global())
                && cells.is_addressed(id)
                && self.effects.is_recursive(owner)
            {
                return Err(format!("the address of `{}` is taken in a recursive function", cells.name(id)));
            }
        }
        Ok(())
    }

    /// A loop inside of another one must not run beyond the other one's exits.
    fn refuse_crossing_loops(&self, program: &Program) -> Result<(), String> {
        let loops = || self.all.iter().filter_map(|(id, procedure)| Some((id.head?, id, procedure)));
        for (head, id, outer) in loops() {
            let outside = region(program, outer.function, head, &outer.ensures);
            for (inner_head, inner_id, inner) in loops() {
                if inner.function == outer.function && inner_id != id && outside.contains(&inner_head) {
                    let inside = region(program, inner.function, inner_head, &inner.ensures);
                    if outer.exits().any(|exit| inside.contains(&exit)) {
                        return Err(format!("{} leaves the loop around it", inner_id.describe(program)));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The locations of a loop: whatever is reached from its head before an exit.
fn region(
    program: &Program,
    function: FunctionId,
    head: LocationId,
    exits: &BTreeMap<LocationId, Term>,
) -> BTreeSet<LocationId> {
    let mut region = BTreeSet::from([head]);
    let mut open = vec![head];
    let Some(body) = &program.functions[function].body else { return region };
    while let Some(location) = open.pop() {
        for edge in body.outgoing(location) {
            let target = body.edges()[edge].target;
            if !exits.contains_key(&target) && region.insert(target) {
                open.push(target);
            }
        }
    }
    region
}

/// When the cells of a formula have their values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Time {
    Start,
    End,
}

/// Reads a formula of a contract. It may only speak of what whoever uses the contract knows.
fn read(
    program: &Program,
    cells: &Cells,
    effects: &Effects,
    pool: &mut TermPool,
    (id, time): (ProcedureId, Time),
    text: &str,
) -> Result<Term, String> {
    declare(cells, pool);
    let term =
        smtlib::parse_term(pool, text).map_err(|error| format!("a formula cannot be read: {error}"))?;
    if pool.sort(term) != rorqual_logic::Sort::Bool {
        return Err("a formula is not Boolean".to_owned());
    }
    for subterm in pool.subterms(&[term]) {
        let Op::Symbol(symbol) = pool.op(subterm) else { continue };
        let name = pool.symbol_name(*symbol);
        let (old, plain) = as_old(name);
        let known = cells.find(plain).is_some_and(|cell| {
            let at_start = old || time == Time::Start;
            (time == Time::End || !old) && is_visible(program, cells, effects, (id, at_start), cell)
        });
        if !known {
            return Err(format!("`{name}` is not in scope in the contract of {}", id.describe(program)));
        }
    }
    Ok(term)
}

/// Whether a name is of an old value, and the name of the cell.
fn as_old(name: &str) -> (bool, &str) {
    match name.strip_prefix(&CellNames::old("")) {
        Some(plain) => (true, plain),
        None => (false, name),
    }
}

/// Whether a contract may speak of a cell.
fn is_visible(
    program: &Program,
    cells: &Cells,
    effects: &Effects,
    (id, at_start): (ProcedureId, bool),
    cell: CellId,
) -> bool {
    if let Some(function) = cells.result_of(cell) {
        return function == id.function && id.head.is_none() && !at_start;
    }
    let Some(variable) = cells.get(cell).variable else { return true };
    let declared = &program.variables[variable];
    let Some(owner) = declared.function.filter(|_| !declared.kind.is_global()) else { return true };
    if owner == id.function {
        let is_parameter = program.functions[owner].parameters.contains(&variable);
        let is_value = cell != cells.address(variable);
        return id.head.is_some() || (is_parameter && is_value && at_start);
    }
    // The variable of a caller: there is only one of it, and the function does not make another one.
    cells.is_addressed(variable)
        && effects.may_enter(owner, id.function)
        && !effects.may_enter(id.function, owner)
}

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
            self.defined.push(points);
        }
    }

    /// Goes on only where the requirement of a contract does not hold.
    pub(super) fn violate(&mut self, procedure: &Procedure, operation: Option<&Operation>) {
        let view = self.view(procedure, Self::arguments(operation));
        let requires = self.pool.substitute(procedure.requires, &view);
        let violated = self.pool.not(requires);
        self.defined.push(violated);
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
            self.defined.push(ensured);
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

    fn deliver_result(
        &mut self,
        target: rorqual_cfa::PlaceId,
        function: FunctionId,
        result: &[(Term, Term)],
    ) {
        let ty = result_type(self.world.program, function);
        let mut values: Vec<Term> = result.iter().map(|&(_, value)| value).collect();
        let value = match ty {
            None => Value::Nothing,
            Some(ty) if self.world.program.types.is_scalar(ty) => {
                values.pop().map_or(Value::Nothing, Value::Scalar)
            }
            Some(_) => Value::Aggregate(values),
        };
        self.deliver(target, &value, ty);
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
                    cells.into_iter().for_each(|cell| self.forget_cell(cell));
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
            self.defined.push(grows);
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

fn result_type(program: &Program, function: FunctionId) -> Option<rorqual_cfa::TypeId> {
    let Type::Function { result, .. } = program.types.get(program.functions[function].ty) else {
        return None;
    };
    (!matches!(program.types.get(*result), Type::Void)).then_some(*result)
}
