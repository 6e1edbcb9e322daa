//! Reads of variables that were never written. A local scalar that no pointer knows gets a note beside it, a
//! variable that is 1 once it has a value; what is in memory is asked for with [`Fault::Uninitialized`].

use std::collections::{BTreeMap, BTreeSet};

use rorqual_source::Span;

use super::super::undefined::addressed;
use super::{Pass, Rebuilt, Test, Tested};
use crate::automaton::{Automaton, Callee, Operation, VarArgs};
use crate::check::Check;
use crate::expr::{BinaryOp, ExprKind, Fault, PlaceKind, UnaryOp};
use crate::index::{FunctionId, Id, LocationId, PlaceId, VariableId};
use crate::program::{Program, VariableKind};
use crate::types::IntKind;

/// The notes of a function's variables.
pub(super) type Shadows = BTreeMap<VariableId, VariableId>;

impl Pass {
    /// Notes for the variables that may be read before they are written.
    pub(super) fn shadows(&mut self, function: FunctionId, body: &Automaton) -> Shadows {
        if !self.wants(Check::Uninitialized) {
            return Shadows::new();
        }
        let open = Assigned::new(&self.program, function, body).maybe_unset(&self.program, body);
        let bool = self.program.types.int(IntKind::Bool);
        let mut shadows = Shadows::new();
        for variable in open {
            let (name, span) = (
                format!("#set {}", self.program.variables[variable].name),
                self.program.variables[variable].span,
            );
            shadows.insert(variable, self.variable(name, bool, function, span));
        }
        shadows
    }

    fn note(&mut self, shadow: VariableId, set: bool, span: Span) -> Operation {
        let ty = self.program.variables[shadow].ty;
        let value = self.expr(ExprKind::Int(i128::from(set)), ty, span);
        Operation::Assign { target: self.variable_place(shadow, span), value }
    }

    /// A function starts with variables that have no value. The notes come before the entry, because control may
    /// come back to the entry with variables that have one.
    pub(super) fn reset_all(&mut self, new: &mut Rebuilt, shadows: &Shadows, old: &Automaton) {
        let span = old.outgoing(old.entry()).next().map_or(Span::NONE, |edge| old.edges()[edge].span);
        for &shadow in shadows.values() {
            let note = self.note(shadow, false, span);
            new.prepend(note, span);
        }
    }

    /// What an operation does to the notes.
    pub(super) fn noted(&mut self, operation: &Operation, span: Span) -> Vec<Operation> {
        if self.shadows_at_hand.is_empty() {
            return Vec::new();
        }
        let mut notes = Vec::new();
        if let Operation::Declare(variable) = operation
            && let Some(&shadow) = self.shadows_at_hand.get(variable)
        {
            notes.push(self.note(shadow, false, span));
        }
        for variable in written(&self.program, operation) {
            if let Some(&shadow) = self.shadows_at_hand.get(&variable) {
                notes.push(self.note(shadow, true, span));
            }
        }
        notes
    }

    /// A place that is read as a value.
    pub(super) fn initialized(&mut self, place: PlaceId) {
        if !self.wants(Check::Uninitialized) {
            return;
        }
        let root = self.program.root_variable(place);
        let what = "a read of an uninitialised value in";
        match (root, &self.program.places[place].kind) {
            (Some(variable), PlaceKind::Variable(_)) if is_simple(&self.program, variable) => {
                if let Some(&shadow) = self.shadows_at_hand.get(&variable) {
                    self.unset(place, shadow, what);
                }
            }
            (Some(variable), _) if is_always_set(&self.program, variable) => {}
            // Whole structures may be copied whatever they hold.
            _ if !self.program.types.is_scalar(self.program.places[place].ty) => {}
            (None, _) if !self.program.has_dereference(place) => {}
            _ => self.fault(Check::Uninitialized, place, what, Fault::Uninitialized),
        }
    }

    /// A call must give each parameter of the function a value.
    pub(super) fn too_few(&mut self, callee: Callee, given: usize, span: Span) {
        if !self.wants(Check::Uninitialized) {
            return;
        }
        let (pointer, mut functions) = match callee {
            Callee::Function(function) => (None, BTreeSet::from([function])),
            Callee::Pointer(pointer) => (Some(pointer), addressed(&self.program)),
        };
        functions.retain(|&function| self.program.functions[function].parameters.len() > given);
        for function in functions {
            let condition = match pointer {
                Some(pointer) => {
                    let address = ExprKind::FunctionAddress(function);
                    let address = self.expr(address, self.program.exprs[pointer].ty, span);
                    self.compare(BinaryOp::Eq, pointer, address, span)
                }
                None => self.number(1, self.int, span),
            };
            let what = format!("too few arguments in a call of `{}`", self.program.functions[function].name);
            self.tests.push(Test { check: Check::Uninitialized, what, condition, span });
        }
    }

    fn unset(&mut self, place: PlaceId, shadow: VariableId, what: &str) {
        if !self.tested.insert((Check::Uninitialized, Tested::Place(place))) {
            return;
        }
        let span = self.program.place_spans[place];
        let text = self.text(Tested::Place(place), span);
        let noted = self.variable_place(shadow, span);
        let operand = self.expr(ExprKind::Load(noted), self.program.variables[shadow].ty, span);
        let condition = self.expr(ExprKind::Unary { op: UnaryOp::IsZero, operand }, self.int, span);
        let what = format!("{what} `{text}`");
        self.tests.push(Test { check: Check::Uninitialized, what, condition, span });
    }
}

/// Whether only places that name the variable read and write it, whole.
fn is_simple(program: &Program, variable: VariableId) -> bool {
    let details = &program.variables[variable];
    details.kind == VariableKind::Local && !details.address_taken && program.types.is_scalar(details.ty)
}

/// Whether a variable has a value from the start. Temporaries are written before they are read.
fn is_always_set(program: &Program, variable: VariableId) -> bool {
    match program.variables[variable].kind {
        VariableKind::Static | VariableKind::External | VariableKind::Temporary => true,
        // The argument may be a structure with members that were never written.
        VariableKind::Parameter => program.types.is_scalar(program.variables[variable].ty),
        VariableKind::Local => false,
    }
}

/// The variables that an operation gives a value.
fn written(program: &Program, operation: &Operation) -> Vec<VariableId> {
    let places: Vec<PlaceId> = match operation {
        Operation::Assign { target, .. }
        | Operation::Havoc { target, .. }
        | Operation::StackAllocate { target, .. }
        | Operation::VarArgs(VarArgs::Next { target, .. }) => vec![*target],
        Operation::Call { target, .. } => target.iter().copied().collect(),
        Operation::ProgramArguments { count, vector } => vec![*count, *vector],
        Operation::Assembly { outputs, .. } => outputs.to_vec(),
        _ => Vec::new(),
    };
    let variable = |place: PlaceId| match program.places[place].kind {
        PlaceKind::Variable(variable) => Some(variable),
        _ => None,
    };
    places.into_iter().filter_map(variable).collect()
}

/// Which variables surely have a value at each location: the least that all ways agree on.
struct Assigned {
    function: FunctionId,
    sets: Vec<Option<BTreeSet<VariableId>>>,
}

impl Assigned {
    fn new(program: &Program, function: FunctionId, body: &Automaton) -> Assigned {
        let mut assigned = Assigned { function, sets: vec![None; body.locations().len()] };
        assigned.sets[body.entry().index()] = Some(BTreeSet::new());
        let mut open: BTreeSet<LocationId> = BTreeSet::from([body.entry()]);
        while let Some(location) = open.pop_first() {
            for id in body.outgoing(location) {
                let edge = &body.edges()[id];
                let mut after = assigned.sets[location.index()].clone().unwrap_or_default();
                if let Operation::Declare(variable) = &edge.operation {
                    after.remove(variable);
                }
                after.extend(written(program, &edge.operation));
                if assigned.join(edge.target, after) {
                    open.insert(edge.target);
                }
            }
        }
        assigned
    }

    /// Whether this changes what is known of the location.
    fn join(&mut self, location: LocationId, new: BTreeSet<VariableId>) -> bool {
        let known = &mut self.sets[location.index()];
        let joined = match known {
            None => new,
            Some(old) => old.intersection(&new).copied().collect(),
        };
        let changed = known.as_ref() != Some(&joined);
        *known = Some(joined);
        changed
    }

    /// The simple variables that may be read without a value.
    fn maybe_unset(&self, program: &Program, body: &Automaton) -> BTreeSet<VariableId> {
        let mut found = BTreeSet::new();
        for edge in body.edges().values() {
            let Some(set) = &self.sets[edge.source.index()] else { continue };
            for variable in program.read_variables(&edge.operation) {
                let own = program.variables[variable].function == Some(self.function);
                if own && is_simple(program, variable) && !set.contains(&variable) {
                    found.insert(variable);
                }
            }
        }
        found
    }
}
