//! Where variables are kept: scalars whose address nobody takes are plain values in numbered
//! slots, everything else is an object of the memory. Decided once per program, so that the
//! machine finds each variable without searching.

use rorqual_cfa::{ExprKind, Id, PlaceId, PlaceKind, Program, VariableId};

use crate::value::Shape;

/// Where a variable is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// A value, counted from the start of all slots.
    GlobalSlot(u32),
    /// A value, counted from the first slot of the frame.
    LocalSlot(u32),
    /// An object, counted from the start of all variables that are objects.
    GlobalObject(u32),
    /// An object, counted from the first one of the frame.
    LocalObject(u32),
}

/// How many slots and objects a function or the whole program needs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Needs {
    pub(crate) slots: u32,
    pub(crate) objects: u32,
}

/// Everything about a program that the machine looks up at every step.
#[derive(Debug)]
pub(crate) struct Layout {
    variables: Vec<Storage>,
    functions: Vec<Needs>,
    pub(crate) globals: Needs,
    exprs: Vec<Shape>,
    places: Vec<Shape>,
}

impl Layout {
    pub(crate) fn new(program: &Program) -> Layout {
        let mut layout = Layout {
            variables: Vec::with_capacity(program.variables.len()),
            functions: vec![Needs::default(); program.functions.len()],
            globals: Needs::default(),
            exprs: program.exprs.values().map(|expr| Shape::of(&program.types, expr.ty)).collect(),
            places: program.places.values().map(|place| Shape::of(&program.types, place.ty)).collect(),
        };
        let addressed = addressed_variables(program);
        for (id, variable) in program.variables.iter() {
            let scalar = program.types.is_scalar(variable.ty);
            let is_slot = scalar && !variable.address_taken && !addressed[id.index()];
            let local = variable.function.filter(|_| !variable.kind.is_global());
            let needs = match local {
                Some(function) => &mut layout.functions[function.index()],
                None => &mut layout.globals,
            };
            let counter = if is_slot { &mut needs.slots } else { &mut needs.objects };
            let number = *counter;
            *counter += 1;
            layout.variables.push(match (local.is_some(), is_slot) {
                (true, true) => Storage::LocalSlot(number),
                (true, false) => Storage::LocalObject(number),
                (false, true) => Storage::GlobalSlot(number),
                (false, false) => Storage::GlobalObject(number),
            });
        }
        layout
    }

    pub(crate) fn storage(&self, variable: VariableId) -> Storage {
        self.variables[variable.index()]
    }

    pub(crate) fn needs(&self, function: rorqual_cfa::FunctionId) -> Needs {
        self.functions[function.index()]
    }

    pub(crate) fn expr(&self, id: rorqual_cfa::ExprId) -> Shape {
        self.exprs[id.index()]
    }

    pub(crate) fn place(&self, id: PlaceId) -> Shape {
        self.places[id.index()]
    }
}

/// Which variables an expression takes the address of, or a place looks inside of. The front
/// end says so too; a slot for a variable that has an address would be wrong silently.
fn addressed_variables(program: &Program) -> Vec<bool> {
    let mut addressed = vec![false; program.variables.len()];
    let variable = |place: PlaceId| match program.places[place].kind {
        PlaceKind::Variable(variable) => Some(variable),
        _ => None,
    };
    let pointed_to = program.exprs.values().filter_map(|expr| match expr.kind {
        ExprKind::AddressOf(place) => variable(place),
        _ => None,
    });
    let looked_into = program.places.values().filter_map(|place| match place.kind {
        PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => variable(base),
        PlaceKind::Variable(variable) if place.ty != program.variables[variable].ty => Some(variable),
        _ => None,
    });
    for variable in pointed_to.chain(looked_into) {
        addressed[variable.index()] = true;
    }
    addressed
}
