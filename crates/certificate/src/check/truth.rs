//! Which places of type `_Bool` may contain something else than 0 and 1, because something else was written there. What
//! is written as a `_Bool` is 0 or 1, so all others need no test.

use std::collections::BTreeSet;

use rorqual_cfa::{IntKind, Operation, PlaceId, PlaceKind, Program, TypeId, VarArgs};
use rorqual_interpreter::{Effect, call_effect};
use rorqual_memory::{
    Block, Memory, Object, Offset, Targets, Whole, block_operation, has_part, is_allocator,
};

use super::ended::releases;

/// Parts of objects.
type Parts = BTreeSet<(Object, Offset)>;

/// Where a `_Bool` may contain something else.
#[derive(Debug, Default)]
pub(super) struct Truths {
    /// The places of type `_Bool` that need a test.
    tested: BTreeSet<PlaceId>,
}

impl Truths {
    /// Compares what is written with what is accessed as a `_Bool`.
    pub(super) fn new(program: &Program, memory: &Memory) -> Truths {
        let is_truth = |ty: TypeId| program.types.as_int(ty) == Some(IntKind::Bool);
        let places: Vec<PlaceId> =
            program.places.ids().filter(|&id| is_truth(program.places[id].ty)).collect();
        let read = |&place: &PlaceId| memory.objects(program, place).places;
        let truths: Parts = places.iter().flat_map(read).collect();
        if truths.is_empty() {
            return Truths::default();
        }
        let mut writes = Writes { program, memory, truths, others: Parts::new(), anywhere: false };
        for function in program.functions.values() {
            for edge in function.body.iter().flat_map(|body| body.edges().values()) {
                writes.operation(&edge.operation);
            }
        }
        let tested = places.into_iter().filter(|&place| writes.may_differ(place)).collect();
        Truths { tested }
    }

    /// Whether a place of type `_Bool` may contain something else.
    pub(super) fn may_differ(&self, place: PlaceId) -> bool {
        self.tested.contains(&place)
    }
}

/// What is written other than as a `_Bool`.
struct Writes<'a> {
    program: &'a Program,
    memory: &'a Memory,
    /// What is accessed as a `_Bool`.
    truths: Parts,
    /// The parts of these that something else is written to.
    others: Parts,
    /// Whether something is written nobody knows where.
    anywhere: bool,
}

impl Writes<'_> {
    fn may_differ(&self, place: PlaceId) -> bool {
        if self.anywhere {
            return true;
        }
        // With structures and arrays, what was written elsewhere may be copied.
        match self.program.places[place].kind {
            PlaceKind::Variable(variable) => {
                self.others.iter().any(|&(object, _)| object == Object::Variable(variable))
            }
            _ => !self.others.is_empty(),
        }
    }

    fn operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Assign { target, .. }
            | Operation::Havoc { target, .. }
            | Operation::VarArgs(VarArgs::Next { target, .. }) => self.place(*target),
            Operation::Clobber { .. } | Operation::Assembly { .. } => {
                let written = self.memory.written_behind(self.program, operation);
                self.bytes(&written);
            }
            Operation::Call { target, callee, arguments } => {
                if let Some(target) = target {
                    self.place(*target);
                }
                for callee in self.memory.callees(self.program, *callee) {
                    self.library(&self.program.functions[callee], arguments);
                }
            }
            _ => {}
        }
    }

    /// A write to a place. One that names its variable is of the type that the variable has there; unions are tested
    /// in any case.
    fn place(&mut self, place: PlaceId) {
        if self.program.has_dereference(place) {
            let to = self.memory.objects(self.program, place);
            self.typed(&to, self.program.places[place].ty);
        }
    }

    fn library(&mut self, function: &rorqual_cfa::Function, arguments: &[rorqual_cfa::ExprId]) {
        let has_effect = function.body.is_none()
            && !is_allocator(function)
            && !releases(function)
            && call_effect(self.program, function, arguments) == Effect::Memory;
        if !has_effect {
            return;
        }
        match block_operation(self.program, function, arguments) {
            Some(Block::Clear { .. }) => {}
            Some(Block::Copy { to, ty, .. }) => {
                let to = match to {
                    Whole::Place(place) => self.memory.objects(self.program, place),
                    Whole::Pointee(pointer) => self.memory.targets(self.program, pointer),
                };
                self.typed(&to, ty);
            }
            None => {
                let written = self.memory.written_by_library(self.program, function, arguments);
                self.bytes(&written);
            }
        }
    }

    /// A write of a type.
    fn typed(&mut self, to: &Targets, ty: TypeId) {
        let types = &self.program.types;
        if types.as_int(ty) == Some(IntKind::Bool) {
            return;
        }
        self.anywhere |= to.unknown;
        let size = types.size_of(ty).unwrap_or(0);
        for &(object, offset) in &to.places {
            let is_part = match (offset, self.type_of(object)) {
                (Offset::At(at), Some(whole)) => has_part(types, whole, at, ty),
                _ => false,
            };
            // An object of the type that is there already has a `_Bool` where the other one has it.
            if types.is_scalar(ty) || !is_part {
                let offset = if is_part { offset } else { Offset::Any };
                self.write(object, offset, size);
            }
        }
    }

    fn bytes(&mut self, to: &Targets) {
        self.anywhere |= to.unknown;
        for object in to.objects() {
            self.write(object, Offset::Any, 0);
        }
    }

    fn write(&mut self, object: Object, offset: Offset, size: u64) {
        let is_hit = |&&(other, part): &&(Object, Offset)| {
            other == object
                && match (offset, part) {
                    (Offset::At(at), Offset::At(part)) => (at..at + size).contains(&part),
                    _ => true,
                }
        };
        let hit: Vec<_> = self.truths.iter().filter(is_hit).copied().collect();
        self.others.extend(hit);
    }

    /// The type of an object, or of the elements of a class of objects.
    fn type_of(&self, object: Object) -> Option<TypeId> {
        match object {
            _ if self.memory.is_collapsed(object) => None,
            Object::Variable(variable) => Some(self.program.variables[variable].ty),
            _ => self.memory.class(self.memory.class_of(object)?).element,
        }
    }
}
