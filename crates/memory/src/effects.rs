//! What a stretch of the program may write: edges, and everything that they call.
//!
//! Whoever summarises a call has to know which objects may be different after it. This says so for functions, and for
//! loops as sets of edges. It errs on the side of more.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::{Edge, EdgeId, ExprId, FunctionId, Operation, PlaceId, Program, VarArgs};
use rorqual_interpreter::{Effect, call_effect};

use crate::library::{bare_name, is_allocator};
use crate::points_to::Memory;
use crate::targets::{Object, Targets};

/// What may be written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Writes {
    /// These objects, as a whole or in part.
    pub objects: BTreeSet<Object>,
    /// Every object that a pointer may point to, and all allocated memory.
    pub anything: bool,
    /// New memory is allocated.
    pub allocates: bool,
}

impl Writes {
    fn join(&mut self, other: &Writes) {
        self.objects.extend(&other.objects);
        self.anything |= other.anything;
        self.allocates |= other.allocates;
    }

    fn add(&mut self, targets: &Targets) {
        self.anything |= targets.unknown;
        self.objects.extend(targets.objects());
    }
}

/// What each function calls and may write.
#[derive(Debug)]
pub struct Effects {
    /// All functions with a body that a call of a function may enter, itself among them.
    entered: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// The functions with a body that the edges of a function call.
    called: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// What the edges of a function write themselves.
    own: BTreeMap<FunctionId, Writes>,
}

impl Effects {
    /// Looks at all functions that may be called.
    pub fn of(program: &Program, memory: &Memory) -> Effects {
        let (mut own, mut called) = (BTreeMap::new(), BTreeMap::new());
        for &function in memory.called() {
            let Some(body) = &program.functions[function].body else { continue };
            let mut writes = Writes::default();
            let mut callees = BTreeSet::new();
            for (id, edge) in body.edges().iter() {
                writes.join(&edge_writes(program, memory, (function, id), edge));
                callees.extend(entered_by(program, memory, edge));
            }
            own.insert(function, writes);
            called.insert(function, callees);
        }
        let entered = own.keys().map(|&function| (function, closure(&called, function))).collect();
        Effects { entered, called, own }
    }

    /// Whether a function may be active more than once.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        let callees = self.called.get(&function).into_iter().flatten();
        callees.into_iter().any(|&callee| self.may_enter(callee, function))
    }

    /// Whether a call of one function may enter another one.
    pub fn may_enter(&self, function: FunctionId, entered: FunctionId) -> bool {
        self.entered.get(&function).is_some_and(|all| all.contains(&entered))
    }

    /// The functions whose calls may enter a function, itself among them.
    pub fn callers(&self, function: FunctionId) -> impl Iterator<Item = FunctionId> + '_ {
        self.entered.iter().filter(move |(_, entered)| entered.contains(&function)).map(|(&caller, _)| caller)
    }

    /// What a call of a function may write, but for the variables of the functions that it enters: those of its own
    /// frames are gone when it returns.
    pub fn of_call(&self, program: &Program, function: FunctionId) -> Writes {
        let mut writes = Writes::default();
        let Some(entered) = self.entered.get(&function) else { return writes };
        for one in entered {
            writes.join(&self.own[one]);
        }
        writes.objects.retain(|object| match object {
            Object::Variable(variable) => {
                let variable = &program.variables[*variable];
                variable.kind.is_global() || variable.function.is_none_or(|owner| !entered.contains(&owner))
            }
            Object::Result(_) | Object::Text(_) | Object::Function(_) => false,
            Object::Heap(..) | Object::Stack(..) | Object::Given(_) => true,
        });
        writes
    }

    /// What some edges of a function may write, with what they call.
    pub fn of_edges(
        &self,
        program: &Program,
        memory: &Memory,
        function: FunctionId,
        edges: impl IntoIterator<Item = EdgeId>,
    ) -> Writes {
        let mut writes = Writes::default();
        let Some(body) = &program.functions[function].body else { return writes };
        for id in edges {
            let edge = &body.edges()[id];
            writes.join(&edge_writes(program, memory, (function, id), edge));
            for callee in entered_by(program, memory, edge) {
                writes.join(&self.of_call(program, callee));
            }
        }
        writes
    }
}

fn closure(called: &BTreeMap<FunctionId, BTreeSet<FunctionId>>, from: FunctionId) -> BTreeSet<FunctionId> {
    let mut all = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        let callees = called.get(&function).into_iter().flatten().copied();
        open.extend(callees.filter(|&callee| all.insert(callee)).collect::<Vec<FunctionId>>());
    }
    all
}

/// The functions with a body that an edge calls.
fn entered_by(program: &Program, memory: &Memory, edge: &Edge) -> Vec<FunctionId> {
    let Operation::Call { callee, .. } = &edge.operation else { return Vec::new() };
    let mut callees = memory.callees(program, *callee);
    callees.retain(|&callee| program.functions[callee].body.is_some());
    callees
}

/// What an edge writes itself.
fn edge_writes(program: &Program, memory: &Memory, site: (FunctionId, EdgeId), edge: &Edge) -> Writes {
    let mut writes = Writes::default();
    let place = |writes: &mut Writes, place: PlaceId| writes.add(&memory.objects(program, place));
    match &edge.operation {
        Operation::Assign { target, .. } | Operation::Havoc { target, .. } => place(&mut writes, *target),
        Operation::Call { target, callee, arguments } => {
            if let Some(target) = *target {
                place(&mut writes, target);
            }
            writes.anything |= memory.may_call_unknown(program, *callee);
            for callee in memory.callees(program, *callee) {
                writes.join(&bodiless_writes(program, memory, site, callee, arguments));
            }
        }
        Operation::Declare(variable) | Operation::Expire(variable) => {
            writes.objects.insert(Object::Variable(*variable));
        }
        Operation::StackAllocate { target, .. } => {
            place(&mut writes, *target);
            writes.objects.insert(Object::Stack(site.0, site.1));
            writes.allocates = true;
        }
        Operation::ProgramArguments { count, vector } => {
            place(&mut writes, *count);
            place(&mut writes, *vector);
        }
        Operation::VarArgs(arguments) => {
            if let VarArgs::Next { target, .. } = arguments {
                place(&mut writes, *target);
            }
            writes.anything = true;
        }
        assembly @ Operation::Assembly { outputs, .. } => {
            for &output in outputs {
                place(&mut writes, output);
            }
            writes.add(&memory.written_behind(program, assembly));
        }
        clobber @ Operation::Clobber { .. } => writes.add(&memory.written_behind(program, clobber)),
        Operation::Unsupported { .. } => writes.anything = true,
        Operation::Skip
        | Operation::Assume { .. }
        | Operation::Return { .. }
        | Operation::Error(_)
        | Operation::Halt(_)
        | Operation::StackRelease { .. } => {}
    }
    writes
}

/// What a function without body writes.
fn bodiless_writes(
    program: &Program,
    memory: &Memory,
    site: (FunctionId, EdgeId),
    callee: FunctionId,
    arguments: &[ExprId],
) -> Writes {
    let mut writes = Writes::default();
    let function = &program.functions[callee];
    if function.body.is_some() {
        return writes;
    }
    if is_allocator(function) {
        writes.objects.insert(Object::Heap(site.0, site.1));
        writes.allocates = true;
        return writes;
    }
    match call_effect(program, function, arguments) {
        Effect::Input | Effect::Value | Effect::Ends => {}
        Effect::Memory if ["free", "cfree"].contains(&bare_name(function)) => {}
        Effect::Memory => writes.add(&memory.written_by_library(program, function, arguments)),
        Effect::Unmodelled => writes.anything = true,
    }
    writes
}
