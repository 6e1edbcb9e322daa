//! The transformations of the paper, on automata. Each gives a program without recursion, and the way back from its
//! locations and variables to those of the program that it was made from.
//!
//! | Paper | Here |
//! |---|---|
//! | RENAME | [`copy::Renaming`] |
//! | UNWIND, k times; MARK | [`unwound`] |
//! | under-approximation | [`Deepest::Blocked`] |
//! | instantiating a summary | [`Deepest::Summarised`] |
//! | asserting a summary | [`asserted`] |
//!
//! Departure: the paper replaces each call by a copy of the function's graph. Here each function has one copy for each
//! depth, which calls those of the next depth, as the analyzers inline calls themselves: the program grows with `k`
//! and not with the number of calls within `k`.

mod assertion;
mod copy;
mod instance;
mod lower;
mod passed;
mod recursion;
mod rewrite;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_cfa::{CellNames, EdgeId, FunctionId, LocationId, Program, VariableId};
use rorqual_encoding::may_change;
use rorqual_evidence::{CallSite, CallString, Trace, TraceEvent};
use rorqual_logic::Bits;

pub use assertion::{Asserted, asserted};
pub use lower::can_be_written;
pub use recursion::{Interface, Recursion};
pub use rewrite::{reaching, unwound};

use super::summary::{Demands, Summaries};

/// What happens where the last copies of recursive functions would call another one.
#[derive(Debug, Clone, Copy)]
pub enum Deepest<'s> {
    /// Executions end there: the program has some of the executions of the original.
    Blocked,
    /// It is an error: if there is none, the program has all executions of the original.
    Forbidden,
    /// The summary of the callee holds: if summaries do, the program has all executions of the original, and more.
    Summarised(Instances<'s>),
}

/// How summaries are instantiated.
#[derive(Debug, Clone, Copy)]
pub struct Instances<'s> {
    /// What calls ensure.
    pub summaries: &'s Summaries,
    /// What calls must fulfil; it is an error if they do not.
    pub demands: &'s Demands,
    /// Whether the errors of the program itself count; executions end there if they do not.
    pub own_errors: bool,
}

/// A program without recursion.
#[derive(Debug)]
pub struct Reduced {
    /// The program.
    pub program: Program,
    /// The outermost entry and exit of each recursive function.
    pub pairs: Vec<Pair>,
    /// Which inputs are the arguments of the function whose summary is asserted, counted from the first one.
    argument_inputs: Vec<usize>,
    /// The variables that hold these arguments.
    arguments: Vec<VariableId>,
    /// Parameters that keep the values that calls pass.
    stable: BTreeSet<VariableId>,
    /// What variables of copies are copies of.
    variables: HashMap<VariableId, VariableId>,
    bodies: BTreeMap<FunctionId, Body>,
}

/// Where a function comes from.
#[derive(Debug, Clone, Default)]
struct Body {
    original: Option<FunctionId>,
    /// The location of the original that each location stands for, and the same for edges.
    locations: BTreeMap<LocationId, LocationId>,
    edges: BTreeMap<EdgeId, EdgeId>,
}

/// The entry and the exit of a copy of a recursive function. Parameters have the values of the call at both.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The function of the original.
    pub function: FunctionId,
    /// The copy.
    pub copy: FunctionId,
    /// The location where everything is as the caller has left it.
    pub entry: LocationId,
    /// The location where the result is known.
    pub exit: LocationId,
    /// Variables that hold what variables of the original held at the entry.
    pub(super) before: Vec<(VariableId, VariableId)>,
    /// The variable with the result.
    pub(super) result: Option<VariableId>,
}

impl Reduced {
    /// The variable of the original that a variable stands for, unless the transformation has made it.
    pub fn original_variable(&self, program: &Program, variable: VariableId) -> Option<VariableId> {
        match self.variables.get(&variable) {
            Some(&original) => Some(original),
            None => (rorqual_cfa::Id::index(variable) < program.variables.len()).then_some(variable),
        }
    }

    /// The location of the original that a location stands for.
    pub fn original_location(
        &self,
        function: FunctionId,
        location: LocationId,
    ) -> Option<(FunctionId, LocationId)> {
        let body = self.bodies.get(&function)?;
        Some((body.original?, *body.locations.get(&location)?))
    }

    /// The calls of the original that calls stand for.
    pub fn original_calls(&self, calls: &CallString) -> Option<CallString> {
        let original = |function: FunctionId| match self.bodies.get(&function) {
            Some(body) => body.original,
            None => Some(function),
        };
        let site = |site: &CallSite| {
            let edge = *self.bodies.get(&site.caller)?.edges.get(&site.edge)?;
            Some(CallSite { caller: original(site.caller)?, edge, callee: original(site.callee)? })
        };
        calls.0.iter().map(site).collect::<Option<Vec<CallSite>>>().map(CallString)
    }

    /// The execution of the original that an execution stands for.
    pub fn original_trace(&self, program: &Program, trace: &Trace) -> Trace {
        let event = |event: &TraceEvent| match event {
            TraceEvent::Declared { variable, cells } => {
                let variable = self.original_variable(program, *variable)?;
                Some(TraceEvent::Declared { variable, cells: cells.clone() })
            }
            other => Some(other.clone()),
        };
        Trace { events: trace.events.iter().filter_map(event).collect(), ..trace.clone() }
    }

    /// The arguments in an execution of a program that asserts a summary; none for those that are no integers.
    pub fn arguments(&self, program: &Program, function: FunctionId, trace: &Trace) -> Arguments {
        let inputs: Vec<&Vec<Bits>> = trace
            .events
            .iter()
            .filter_map(|event| match event {
                TraceEvent::Input { values, .. } => Some(values),
                _ => None,
            })
            .collect();
        let is_integer = |variable: VariableId| program.types.is_integer(program.variables[variable].ty);
        let value = |(&input, &parameter): (&usize, &VariableId)| {
            inputs.get(input)?.first().filter(|_| is_integer(parameter)).cloned()
        };
        self.argument_inputs.iter().zip(&program.functions[function].parameters).map(value).collect()
    }

    /// The names that cells have in the original, in a program that asserts the summary of a function.
    pub(super) fn original_names(
        &self,
        program: &Program,
        recursion: &Recursion,
        function: FunctionId,
    ) -> Names {
        let own = CellNames::new(&self.program);
        let mut names = HashMap::new();
        for id in self.program.variables.ids() {
            if let Some(original) = self.original_variable(program, id) {
                names.insert(own.variable(id).to_owned(), recursion.names().variable(original).to_owned());
            }
        }
        for (&argument, &parameter) in self.arguments.iter().zip(&program.functions[function].parameters) {
            if !may_change(program, function, parameter) {
                let name = recursion.names().variable(parameter);
                names.insert(own.variable(argument).to_owned(), name.to_owned());
            }
        }
        names
    }

    /// The names that cells of the program have at the entry of a pair, or at its exit, in contracts of the original.
    pub(super) fn contract_names(
        &self,
        program: &Program,
        recursion: &Recursion,
        pair: &Pair,
        end: End,
    ) -> Names {
        let own = CellNames::new(&self.program);
        let mut names = HashMap::new();
        let interface = recursion.interface(pair.function);
        let is_written =
            |variable: VariableId| interface.is_some_and(|interface| interface.written.contains(&variable));
        for (id, variable) in program.variables.iter() {
            let is_visible = variable.kind.is_global() || is_written(id);
            if is_visible {
                let name = recursion.names().variable(id);
                let is_new = end == End::Exit && is_written(id);
                let contract = if is_new { name.to_owned() } else { CellNames::old(name) };
                names.insert(own.variable(id).to_owned(), contract);
                names.insert(address_of(own.variable(id)), CellNames::old(&address_of(name)));
            }
        }
        for &(variable, holder) in &pair.before {
            let old = CellNames::old(recursion.names().variable(variable));
            names.insert(own.variable(holder).to_owned(), old);
        }
        if let (Some(interface), End::Entry) = (interface, end) {
            let copies = &self.program.functions[pair.copy].parameters;
            for (&parameter, &copy) in interface.parameters.iter().zip(copies) {
                names.insert(
                    own.variable(copy).to_owned(),
                    CellNames::old(recursion.names().variable(parameter)),
                );
            }
        }
        if let Some(result) = pair.result.filter(|_| end == End::Exit) {
            names.insert(own.variable(result).to_owned(), CellNames::result(program, pair.function));
        }
        names
    }
}

/// The arguments of a call, as far as they are known.
pub type Arguments = Vec<Option<Bits>>;

/// The name of the address of a variable.
fn address_of(variable: &str) -> String {
    format!("&{variable}")
}

/// Names of cells in contracts, by those of a reduced program.
pub(super) type Names = HashMap<String, String>;

/// One end of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Entry,
    Exit,
}
