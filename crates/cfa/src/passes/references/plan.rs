//! Which parameters only refer to variables of callers.

use std::collections::{BTreeMap, BTreeSet};

use super::super::undefined::{addressed, callees};
use crate::automaton::{Callee, HaltKind, Operation, VarArgs};
use crate::expr::{ExprKind, PlaceKind};
use crate::index::{ExprId, FunctionId, PlaceId, TypeId, VariableId};
use crate::program::Program;

/// What a pointer that is an argument refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Referred {
    /// This variable of the caller.
    Variable(VariableId),
    /// What this parameter of the caller refers to.
    Parameter(VariableId),
}

/// Parameters that only refer to variables of callers, and these variables.
pub(super) struct References {
    pub(super) parameters: BTreeSet<VariableId>,
    pub(super) variables: BTreeSet<VariableId>,
}

impl References {
    /// None if no recursive function gets a pointer to a variable of one of its calls.
    pub(super) fn of(program: &Program) -> Option<References> {
        let is_about_memory = |kind: &ExprKind| {
            matches!(kind, ExprKind::Faulty { .. } | ExprKind::FaultyBlock { .. } | ExprKind::Leaks)
        };
        if program.exprs.values().any(|expr| is_about_memory(&expr.kind)) {
            return None;
        }
        let uses = Uses::of(program);
        let addressed = addressed(program);
        let variables = program.variables.ids().filter(|&id| is_referable(program, id)).collect();
        let mut references = References { parameters: BTreeSet::new(), variables };
        for (id, function) in program.functions.iter() {
            if function.body.is_some() && !addressed.contains(&id) {
                let may_refer = |id: &&VariableId| {
                    let is_scalar = object(program, **id).is_some_and(|ty| program.types.is_scalar(ty));
                    is_scalar && !program.variables[**id].address_taken && !uses.assigned.contains(id)
                };
                references.parameters.extend(function.parameters.iter().filter(may_refer));
            }
        }
        while references.drop_others(program, &uses) {}
        references.has_shared(program).then_some(references)
    }

    /// Drops what is used otherwise, now that others have been dropped. Whether there was anything.
    fn drop_others(&mut self, program: &Program, uses: &Uses) -> bool {
        let before = (self.parameters.len(), self.variables.len());
        let mut otherwise = uses.otherwise.clone();
        for call in calls(program) {
            let mut seen = BTreeSet::new();
            for (parameter, argument) in call.arguments(program) {
                let referred = self.handed(program, parameter, argument);
                if !referred.is_some_and(|referred| seen.insert(referred)) {
                    otherwise.extend(inside(program, argument));
                    parameter.map(|parameter| self.parameters.remove(&parameter));
                }
            }
        }
        let is_fine =
            |all: Option<&Vec<ExprId>>| all.into_iter().flatten().all(|expr| !otherwise.contains(expr));
        self.parameters.retain(|parameter| is_fine(uses.loads.get(parameter)));
        self.variables.retain(|variable| is_fine(uses.addresses.get(variable)));
        before != (self.parameters.len(), self.variables.len())
    }

    /// What an argument refers to, if the parameter only refers to it.
    pub(super) fn handed(
        &self,
        program: &Program,
        parameter: Option<VariableId>,
        argument: ExprId,
    ) -> Option<Referred> {
        let parameter = parameter.filter(|parameter| self.parameters.contains(parameter))?;
        let referred = match program.exprs[*inside(program, argument).last()?].kind {
            ExprKind::AddressOf(place) => whole(program, place).map(Referred::Variable),
            ExprKind::Load(place) => whole(program, place).map(Referred::Parameter),
            _ => None,
        }?;
        let (is_known, object) = match referred {
            Referred::Variable(variable) => {
                (self.variables.contains(&variable), Some(program.variables[variable].ty))
            }
            Referred::Parameter(parameter) => {
                (self.parameters.contains(&parameter), object(program, parameter))
            }
        };
        (is_known && object == self::object(program, parameter)).then_some(referred)
    }

    /// Whether a function that gets a pointer may call the owner of the variable again.
    fn has_shared(&self, program: &Program) -> bool {
        calls(program).any(|call| {
            let mut all = call.arguments(program);
            all.any(|(parameter, argument)| {
                matches!(self.handed(program, parameter, argument), Some(Referred::Variable(_)))
                    && call.callee.is_some_and(|callee| reaches(program, callee, call.caller))
            })
        })
    }
}

/// Whether a variable is a scalar of a function, to which pointers are taken.
fn is_referable(program: &Program, id: VariableId) -> bool {
    let variable = &program.variables[id];
    let is_local = variable.function.is_some() && !variable.kind.is_global();
    is_local && variable.address_taken && program.types.is_scalar(variable.ty)
}

/// The type of what a pointer variable points to.
pub(super) fn object(program: &Program, pointer: VariableId) -> Option<TypeId> {
    program.types.pointee(program.variables[pointer].ty)
}

/// The variable that a place is all of.
pub(super) fn whole(program: &Program, place: PlaceId) -> Option<VariableId> {
    match program.places[place].kind {
        PlaceKind::Variable(variable) => Some(variable),
        _ => None,
    }
}

/// Whether calls of one function may lead to calls of another, or of itself.
fn reaches(program: &Program, from: FunctionId, to: FunctionId) -> bool {
    let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(caller) = open.pop() {
        if caller == to {
            return true;
        }
        let Some(body) = &program.functions[caller].body else { continue };
        let called = body.edges().values().flat_map(|edge| callees(program, edge));
        open.extend(called.map(|(callee, _)| callee).filter(|&callee| seen.insert(callee)));
    }
    false
}

struct Call<'p> {
    caller: FunctionId,
    /// The function, if it is called by its name and given an argument for each parameter.
    callee: Option<FunctionId>,
    given: &'p [ExprId],
}

impl<'p> Call<'p> {
    /// Arguments with their parameters, as far as these are known.
    fn arguments(
        &self,
        program: &'p Program,
    ) -> impl Iterator<Item = (Option<VariableId>, ExprId)> + use<'p> {
        let parameters = self.callee.map_or(&[][..], |callee| &program.functions[callee].parameters);
        let known = parameters.iter().copied().map(Some).chain(std::iter::repeat(None));
        known.zip(self.given.iter().copied())
    }
}

fn calls(program: &Program) -> impl Iterator<Item = Call<'_>> {
    let bodies = program.functions.iter().filter_map(|(id, function)| Some((id, function.body.as_ref()?)));
    let edges = bodies.flat_map(|(caller, body)| body.edges().values().map(move |edge| (caller, edge)));
    edges.filter_map(|(caller, edge)| match &edge.operation {
        Operation::Call { callee, arguments, .. } => {
            let fits = |callee: &FunctionId| program.functions[*callee].parameters.len() == arguments.len();
            let callee = match *callee {
                Callee::Function(callee) => Some(callee).filter(fits),
                Callee::Pointer(_) => None,
            };
            Some(Call { caller, callee, given: arguments })
        }
        _ => None,
    })
}

/// An expression, and what is inside of conversions.
fn inside(program: &Program, expr: ExprId) -> Vec<ExprId> {
    let mut all = vec![expr];
    while let ExprKind::Convert(inner) = program.exprs[all[all.len() - 1]].kind {
        all.push(inner);
    }
    all
}

/// How pointers and variables are used in the whole program.
#[derive(Default)]
struct Uses {
    /// The expressions that read a variable.
    loads: BTreeMap<VariableId, Vec<ExprId>>,
    /// The expressions that take the address of a variable or of a part of it.
    addresses: BTreeMap<VariableId, Vec<ExprId>>,
    /// Expressions whose value is used for more than to follow the pointer in a parameter, besides as an argument.
    otherwise: BTreeSet<ExprId>,
    /// Variables that are written by their name.
    assigned: BTreeSet<VariableId>,
}

impl Uses {
    fn of(program: &Program) -> Uses {
        let mut uses = Uses::default();
        for (id, expr) in program.exprs.iter() {
            uses.expr(program, id, &expr.kind);
        }
        for place in program.places.ids() {
            uses.place(program, place);
        }
        let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
        for edge in bodies.flat_map(|body| body.edges().values()) {
            uses.operation(program, &edge.operation);
        }
        uses
    }

    fn used(&mut self, program: &Program, expr: ExprId) {
        self.otherwise.extend(inside(program, expr));
    }

    fn expr(&mut self, program: &Program, id: ExprId, kind: &ExprKind) {
        match *kind {
            ExprKind::Load(place) => {
                if let Some(variable) = whole(program, place) {
                    self.loads.entry(variable).or_default().push(id);
                }
            }
            ExprKind::AddressOf(place) => {
                if let Some(variable) = program.root_variable(place) {
                    self.addresses.entry(variable).or_default().push(id);
                    if whole(program, place).is_none() {
                        self.otherwise.insert(id);
                    }
                }
                // The address of what a pointer points to is the pointer.
                if let Some(pointer) = program.root_pointer(place) {
                    self.used(program, pointer);
                }
            }
            ExprKind::Unary { operand, .. } | ExprKind::BadFree(operand) => self.used(program, operand),
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::PointerOffset { pointer: lhs, index: rhs, .. }
            | ExprKind::PointerDifference { lhs, rhs, .. }
            | ExprKind::FaultyBlock { pointer: lhs, length: rhs, .. }
            | ExprKind::Overflows { lhs, rhs, .. } => {
                self.used(program, lhs);
                self.used(program, rhs);
            }
            // What becomes of a conversion is seen where it is used.
            ExprKind::Convert(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Text(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(..)
            | ExprKind::Faulty { .. }
            | ExprKind::Leaks => {}
        }
    }

    fn place(&mut self, program: &Program, id: PlaceId) {
        match program.places[id].kind {
            PlaceKind::Deref(pointer) => {
                if followed(program, id).is_none() {
                    self.used(program, pointer);
                }
            }
            PlaceKind::Element { index, .. } => self.used(program, index),
            PlaceKind::Variable(_) | PlaceKind::Text(_) | PlaceKind::Member { .. } => {}
        }
    }

    fn operation(&mut self, program: &Program, operation: &Operation) {
        let mut written = |place: PlaceId| self.assigned.extend(program.root_variable(place));
        let values: Vec<ExprId> = match operation {
            Operation::Assign { target, value } => {
                written(*target);
                vec![*value]
            }
            Operation::StackAllocate { target, size } => {
                written(*target);
                vec![*size]
            }
            Operation::Havoc { target, .. } => {
                written(*target);
                Vec::new()
            }
            Operation::Call { target, callee, .. } => {
                if let Some(target) = *target {
                    written(target);
                }
                match *callee {
                    Callee::Function(_) => Vec::new(),
                    Callee::Pointer(pointer) => vec![pointer],
                }
            }
            Operation::ProgramArguments { count, vector } => {
                [*count, *vector].into_iter().for_each(written);
                Vec::new()
            }
            Operation::VarArgs(operation) => match *operation {
                VarArgs::Start { list } | VarArgs::End { list } => vec![list],
                VarArgs::Next { list, target, .. } => {
                    written(target);
                    vec![list]
                }
                VarArgs::Copy { target, source } => vec![target, source],
            },
            Operation::Assembly { outputs, inputs, .. } => {
                outputs.iter().for_each(|&output| written(output));
                inputs.to_vec()
            }
            Operation::Clobber { written, read, .. } => written.iter().chain(read).copied().collect(),
            Operation::Assume { condition: value, .. }
            | Operation::Halt(HaltKind::Exit(value))
            | Operation::StackRelease { pointer: value } => vec![*value],
            Operation::Return { value } => value.iter().copied().collect(),
            Operation::Skip
            | Operation::Error(_)
            | Operation::Halt(_)
            | Operation::Declare(_)
            | Operation::Expire(_)
            | Operation::Unsupported { .. } => Vec::new(),
        };
        for value in values {
            self.used(program, value);
        }
    }
}

/// The variable whose value, a pointer, leads to a place of the type that it points to.
pub(super) fn followed(program: &Program, place: PlaceId) -> Option<VariableId> {
    let PlaceKind::Deref(pointer) = program.places[place].kind else { return None };
    let ExprKind::Load(holder) = program.exprs[pointer].kind else { return None };
    whole(program, holder).filter(|&holder| object(program, holder) == Some(program.places[place].ty))
}
