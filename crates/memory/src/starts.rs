//! Pointers that always point to the start of the object that they were derived from, or are null: the object can be
//! told from the pointer. Most pointers to allocated memory are such; others have been moved.

use rorqual_cfa::{ExprId, ExprKind, FunctionId, Operation, PlaceId, PlaceKind, Program, Type, VarArgs};
use rorqual_interpreter::{Effect, call_effect};

use crate::classes::ClassId;
use crate::library::{Block, bare_name, block_operation, is_allocator, returned_argument};
use crate::points_to::{Memory, Site, constant};
use crate::shape::fold;
use crate::targets::{Object, Offset, Targets};

/// A call of a function.
#[derive(Clone, Copy)]
struct Call<'a> {
    callee: FunctionId,
    target: Option<PlaceId>,
    arguments: &'a [ExprId],
}

impl Memory {
    /// Whether the value of an expression is null, or the address of the object that it was derived from.
    pub fn is_start(&self, program: &Program, expr: ExprId) -> bool {
        match program.exprs[expr].kind {
            ExprKind::Int(_) | ExprKind::Zero => constant(program, expr) == Some(0),
            ExprKind::Convert(operand) => {
                let is_kept = is_pointer(program, expr) && is_pointer(program, operand);
                constant(program, operand) == Some(0) || is_kept && self.is_start(program, operand)
            }
            ExprKind::AddressOf(place) => self.is_first(program, place),
            ExprKind::PointerOffset { pointer, index, .. } => {
                constant(program, index) == Some(0) && self.is_start(program, pointer)
            }
            ExprKind::Load(place) => {
                let from = self.objects(program, place);
                let is_moved = |&(object, offset): &(Object, Offset)| self.is_moved(program, object, offset);
                is_pointer(program, expr) && !from.unknown && !from.places.iter().any(is_moved)
            }
            _ => false,
        }
    }

    /// Whether a place is at the start of its object.
    fn is_first(&self, program: &Program, place: PlaceId) -> bool {
        match program.places[place].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) => true,
            PlaceKind::Deref(pointer) => self.is_start(program, pointer),
            PlaceKind::Element { base, index } => {
                constant(program, index) == Some(0) && self.is_first(program, base)
            }
            PlaceKind::Member { base, field } => {
                let record = program.types.as_record(program.places[base].ty);
                let fields = record.map(|record| &program.types.record(record).fields);
                fields.is_some_and(|fields| fields[field as usize].offset == 0)
                    && self.is_first(program, base)
            }
        }
    }

    /// Whether all pointers in a part of a variable, at an offset in the first elements of its arrays, point to starts.
    pub fn holds_starts(&self, program: &Program, object: Object, offset: u64) -> bool {
        !self.is_collapsed(object) && !self.is_moved(program, object, Offset::At(offset))
    }

    /// The same for a part of the elements of a class.
    pub fn class_holds_starts(&self, program: &Program, class: ClassId, offset: u64) -> bool {
        let element = self.class(class).element;
        let folded = |at| element.map_or(at, |element| fold(&program.types, element, at));
        let is_there = |object: Object| {
            self.moved_parts(object).any(|part| match part {
                Offset::At(at) => folded(at) == offset,
                Offset::Any => true,
            })
        };
        element.is_some() && !self.moves_anywhere && !self.objects_of(class).any(is_there)
    }

    fn moved_parts(&self, object: Object) -> impl Iterator<Item = Offset> {
        self.moved.range((object, Offset::At(0))..=(object, Offset::Any)).map(|&(_, offset)| offset)
    }

    /// Whether a part of an object may have a pointer that was moved.
    fn is_moved(&self, program: &Program, object: Object, offset: Offset) -> bool {
        let (object, offset) = self.part(program, object, offset);
        self.moves_anywhere
            || match offset {
                Offset::Any => self.moved_parts(object).next().is_some(),
                Offset::At(_) => {
                    [offset, Offset::Any].iter().any(|&part| self.moved.contains(&(object, part)))
                }
            }
    }

    /// Finds the parts of objects that pointers which were moved may be stored in.
    pub(crate) fn find_moved(&mut self, program: &Program) {
        loop {
            let before = (self.moved.len(), self.moves_anywhere);
            for function in self.called().to_vec() {
                let Some(body) = &program.functions[function].body else { continue };
                for (edge, details) in body.edges().iter() {
                    self.follow_moves(program, Site { function, edge }, &details.operation);
                }
            }
            if before == (self.moved.len(), self.moves_anywhere) {
                return;
            }
        }
    }

    fn follow_moves(&mut self, program: &Program, site: Site, operation: &Operation) {
        match operation {
            Operation::Assign { target, value } => {
                let to = self.objects(program, *target);
                self.move_value(program, *value, &to);
            }
            Operation::Return { value: Some(value) } => {
                self.move_value(program, *value, &Targets::of(Object::Result(site.function)));
            }
            Operation::ProgramArguments { vector: target, .. }
            | Operation::VarArgs(VarArgs::Next { target, .. }) => {
                let to = self.objects(program, *target);
                self.mark(program, &anywhere(&to));
            }
            Operation::Clobber { .. } => {
                let written = self.written_behind(program, operation);
                self.mark(program, &written);
            }
            Operation::Assembly { outputs, .. } => {
                let written = self.written_behind(program, operation);
                self.mark(program, &written);
                for &output in outputs {
                    let to = self.objects(program, output);
                    self.mark(program, &anywhere(&to));
                }
            }
            Operation::Call { target, callee, arguments } => {
                for callee in self.callees(program, *callee) {
                    if program.functions[callee].body.is_none() {
                        self.move_library(program, site, Call { callee, target: *target, arguments });
                        continue;
                    }
                    for (&parameter, &argument) in program.functions[callee].parameters.iter().zip(arguments)
                    {
                        self.move_value(program, argument, &Targets::of(Object::Variable(parameter)));
                    }
                    if let Some(target) = target {
                        let mut to = self.objects(program, *target);
                        if !program.types.is_scalar(program.places[*target].ty) {
                            to = anywhere(&to);
                        }
                        self.move_parts(program, &Targets::of(Object::Result(callee)), &to);
                    }
                }
            }
            _ => {}
        }
    }

    /// A function of the library returns a start if it allocates, if it returns an argument that is one, or if
    /// it is not known. What it writes to memory may be anything, unless it copies whole objects.
    fn move_library(&mut self, program: &Program, site: Site, call: Call<'_>) {
        let Call { callee, target, arguments } = call;
        let function = &program.functions[callee];
        let (name, effect) = (bare_name(function), call_effect(program, function, arguments));
        let returned = returned_argument(function, arguments);
        let gives_start = is_allocator(function)
            || effect == Effect::Input
            || returned.is_some_and(|returned| self.is_start(program, returned));
        if let Some(target) = target.filter(|_| !gives_start) {
            let to = self.objects(program, target);
            self.mark(program, &anywhere(&to));
        }
        let given = |at: usize| arguments.get(at).map(|&argument| self.targets(program, argument));
        match (name, effect) {
            ("free" | "cfree" | "malloc" | "calloc" | "alloca", _) => {}
            ("realloc" | "reallocarray" | "strdup" | "strndup", _) => {
                let (old, new) = (given(0).unwrap_or_default(), Object::Heap(site.function, site.edge));
                self.move_parts(program, &old, &anywhere(&Targets::of(new)));
            }
            (_, Effect::Memory | Effect::Unmodelled) => match block_operation(program, function, arguments) {
                Some(Block::Clear { .. }) => {}
                Some(Block::Copy { .. }) => {
                    let (to, from) = (given(0).unwrap_or_default(), given(1).unwrap_or_default());
                    self.move_parts(program, &from, &anywhere(&to));
                }
                None => {
                    let mut all: Vec<Targets> = (0..arguments.len()).filter_map(given).collect();
                    let written = self.written_by_library(program, function, arguments);
                    all.extend((!written.unknown).then_some(written));
                    for written in all {
                        self.mark(program, &anywhere(&written));
                    }
                }
            },
            _ => {}
        }
    }

    fn move_value(&mut self, program: &Program, value: ExprId, to: &Targets) {
        let types = &program.types;
        let ty = program.exprs[value].ty;
        if types.is_scalar(ty) {
            let may_point = types.width(ty) >= types.model().pointer_width();
            if may_point && !self.is_start(program, value) {
                self.mark(program, to);
            }
        } else if let ExprKind::Load(place) = program.exprs[value].kind {
            let from = self.objects(program, place);
            self.move_parts(program, &from, &anywhere(to));
        }
    }

    /// If anything in some objects was moved, all that it is copied to may be.
    fn move_parts(&mut self, program: &Program, from: &Targets, to: &Targets) {
        let is_moved = |object: &Object| self.moved_parts(*object).next().is_some();
        if from.unknown || from.objects().iter().any(is_moved) {
            self.mark(program, to);
        }
    }

    fn mark(&mut self, program: &Program, to: &Targets) {
        self.moves_anywhere |= to.unknown;
        for &(object, offset) in &to.places {
            let part = self.part(program, object, offset);
            self.moved.insert(part);
        }
    }
}

/// All of the same objects.
fn anywhere(targets: &Targets) -> Targets {
    let places = targets.objects().into_iter().map(|object| (object, Offset::Any)).collect();
    Targets { places, unknown: targets.unknown }
}

fn is_pointer(program: &Program, expr: ExprId) -> bool {
    matches!(program.types.get(program.exprs[expr].ty), Type::Pointer(_))
}
