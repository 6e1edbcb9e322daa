//! Contracts: what functions and loops require, and what they ensure.
//!
//! A *procedure* is a function with a contract, or a loop with one: whatever runs from the head up to the first visit of
//! one of its exits. Where a procedure is used, its requirement is proved, what it may write gets any value, and what it
//! ensures is assumed. Each procedure is proved once, with the contracts of all procedures at hand: that is Hoare's
//! rule for recursion (*Procedures and Parameters: An Axiomatic Approach*, 1971), by induction over the length of
//! executions.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{CellNames, FunctionId, LocationId, Program};
use rorqual_evidence::{Contract, Invariant};
use rorqual_logic::{Op, Term, TermPool, smtlib};
use rorqual_memory::{Effects, Writes};

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

    /// The function, if it is about all of it.
    pub(super) fn of_whole_function(self) -> Option<FunctionId> {
        self.head.is_none().then_some(self.function)
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
    pub(super) writes: Writes,
}

impl Procedure {
    /// Where it ends.
    pub(super) fn exits(&self) -> impl Iterator<Item = LocationId> {
        self.ensures.keys().copied()
    }

    /// What holds at the exit of a function.
    pub(super) fn only_ensures(&self) -> Option<Term> {
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
            if cells.has_memory_checks() {
                return Err("contracts say nothing of what checks of memory need".to_owned());
            }
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

    /// All formulas of all contracts.
    pub(super) fn formulas(&self) -> Vec<Term> {
        let of = |procedure: &Procedure| -> Vec<Term> {
            procedure.ensures.values().copied().chain([procedure.requires]).collect()
        };
        self.all.values().flat_map(of).collect()
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

    /// A name stands for one variable only if no other call of its function can reach the variable.
    fn refuse_shared_names(&self, program: &Program, cells: &Cells) -> Result<(), String> {
        for id in program.variables.ids() {
            if cells.is_addressed(id) && !self.effects.is_private(program, cells.memory(), id) {
                return Err(format!("several calls of one function may share `{}`", cells.name(id)));
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
pub(super) fn as_old(name: &str) -> (bool, &str) {
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
