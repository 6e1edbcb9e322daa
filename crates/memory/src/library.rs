//! What functions of the library, and others without body, do to pointers.

use rorqual_cfa::{ExprId, ExprKind, Function, PlaceId, Program, Type, TypeId, VariableKind};
use rorqual_interpreter::{Effect, Extent, call_effect, library_entry, written_arguments};
use rorqual_models::library::{self, Entry, Parameter, Returned};

use crate::points_to::{Memory, Site, constant, is_pointer, type_of};
use crate::shape::has_array;
use crate::targets::{Object, Offset, Targets};
use crate::walk::Walk;

const ALLOCATORS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "alloca",
    "aligned_alloc",
    "memalign",
    "strdup",
    "strndup",
    "reallocarray",
];

/// Whether a function of the library returns new memory.
pub fn is_allocator(function: &Function) -> bool {
    ALLOCATORS.contains(&bare_name(function))
}

/// The name of a function in the table of the library; empty if it is none of the library, or has a body.
pub fn bare_name(function: &Function) -> &str {
    library_entry(function).map_or("", |_| library::canonical(&function.name))
}

/// The argument that a function of the library returns, if it returns one.
pub(crate) fn returned_argument(function: &Function, arguments: &[ExprId]) -> Option<ExprId> {
    match library_entry(function)?.returned {
        Returned::Argument(position) => arguments.get(position).copied(),
        _ => None,
    }
}

/// All of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// The object that is a place.
    Place(PlaceId),
    /// The object that a pointer points to.
    Pointee(ExprId),
}

/// A call that does to bytes what an assignment does to an object of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// The object `from` is assigned to the object `to`.
    Copy {
        /// The object that is written.
        to: Whole,
        /// The object that is read.
        from: Whole,
        /// The type of both.
        ty: TypeId,
    },
    /// All bytes of an object become zero.
    Clear {
        /// The object.
        to: Whole,
        /// Its type.
        ty: TypeId,
    },
}

/// The arguments of `memcpy`, `memmove` and `memset` that point to what they copy or set.
pub(crate) fn block_pointers<'a>(function: &Function, arguments: &'a [ExprId]) -> &'a [ExprId] {
    match bare_name(function) {
        _ if function.body.is_some() || arguments.len() != 3 => &[],
        "memcpy" | "memmove" => &arguments[..2],
        "memset" => &arguments[..1],
        _ => &[],
    }
}

/// Recognises calls of `memcpy`, `memmove` and `memset` that are assignments: the length is the size of the objects
/// that the arguments point to.
pub fn block_operation(program: &Program, function: &Function, arguments: &[ExprId]) -> Option<Block> {
    let &[first, second, length] = arguments else { return None };
    let size = u64::try_from(constant(program, length)?).ok()?;
    let (to, ty) = whole(program, first, size)?;
    match bare_name(function) {
        _ if function.body.is_some() => None,
        "memcpy" | "memmove" => {
            let (from, other) = whole(program, second, size)?;
            (ty == other).then_some(Block::Copy { to, from, ty })
        }
        "memset" => (constant(program, second)? == 0).then_some(Block::Clear { to, ty }),
        _ => None,
    }
}

/// The object of so many bytes that a pointer points to, before the pointer was converted to `void *`.
fn whole(program: &Program, pointer: ExprId, size: u64) -> Option<(Whole, TypeId)> {
    let types = &program.types;
    let has_size = |ty: &TypeId| types.size_of(*ty) == Some(size);
    let found = match program.exprs[pointer].kind {
        ExprKind::AddressOf(place) => {
            let ty = Some(program.places[place].ty).filter(has_size);
            ty.map(|ty| (Whole::Place(place), ty))
        }
        _ => None,
    };
    let pointee = || types.pointee(program.exprs[pointer].ty).filter(has_size);
    let is_object = |ty: &TypeId| !matches!(types.get(*ty), Type::Void | Type::Function { .. });
    found.or_else(|| Some((Whole::Pointee(pointer), pointee().filter(is_object)?))).or_else(|| match program
        .exprs[pointer]
        .kind
    {
        ExprKind::Convert(inner) => whole(program, inner, size),
        _ => None,
    })
}

impl Memory {
    /// The streams of the library are in memory that is not modelled.
    pub(crate) fn open_streams(&mut self, program: &Program) {
        for (id, variable) in program.variables.iter() {
            let is_stream = ["stdin", "stdout", "stderr"].contains(&variable.name.as_str());
            if is_stream && variable.kind == VariableKind::External {
                self.add(program, &Targets::of(Object::Variable(id)), &Targets::unknown());
            }
        }
    }

    pub(crate) fn call_without_body(
        &mut self,
        program: &Program,
        site: Site,
        function: &Function,
        arguments: &[ExprId],
        target: Option<PlaceId>,
    ) -> bool {
        let given = arguments.iter().map(|&argument| self.targets(program, argument)).collect::<Vec<_>>();
        let fresh = Targets::of(Object::Heap(site.function, site.edge));
        let entry = library_entry(function);
        let mut changed = false;
        if let Some(entry) = entry {
            changed |= self.write_memory(program, entry, arguments, &given, &fresh);
        }
        let Some(target) = target else { return changed };
        let effect = call_effect(program, function, arguments);
        if effect == Effect::Input {
            return self.give(program, site, target) || changed;
        }
        if !is_pointer(program, program.places[target].ty) {
            return changed;
        }
        let result = match effect {
            Effect::Ends | Effect::Input => return changed,
            Effect::Unmodelled => Targets::unknown(),
            Effect::Memory if is_allocator(function) => fresh,
            Effect::Value | Effect::Memory => self.library_result(program, function, &given),
        };
        changed |= self.store(program, target, &result);
        changed
    }

    /// What a function stores where its arguments point.
    fn write_memory(
        &mut self,
        program: &Program,
        entry: &Entry,
        arguments: &[ExprId],
        given: &[Targets],
        fresh: &Targets,
    ) -> bool {
        let mut changed = false;
        let mut read = Vec::new();
        for (position, targets) in given.iter().enumerate() {
            if matches!(entry.parameter(position), Parameter::Read | Parameter::Freed) {
                read.push(targets.clone());
            }
        }
        for (position, to) in given.iter().enumerate() {
            changed |= match entry.parameter(position) {
                Parameter::Copied => {
                    // All of them are copied, whatever has changed before.
                    let copied: Vec<bool> =
                        read.iter().map(|from| self.copy_bytes(program, from, to)).collect();
                    copied.contains(&true)
                }
                Parameter::End => {
                    let found = self.byte_in(program, &given[0]);
                    self.add(program, to, &found)
                }
                Parameter::Fresh => self.add(program, to, fresh),
                Parameter::Pointers => self.add(program, &anywhere_in(to), &Targets::unknown()),
                Parameter::Reachable | Parameter::Kept | Parameter::List | Parameter::Called => {
                    let reached = self.reachable(program, &arguments[position..=position]);
                    self.scramble(program, &reached)
                }
                Parameter::Behind => {
                    let reached = self.behind(program, &arguments[position..=position]);
                    self.scramble(program, &reached)
                }
                _ => false,
            };
        }
        if entry.returned == Returned::New {
            for from in &read {
                changed |= self.copy_bytes(program, from, fresh);
            }
        }
        changed
    }

    /// What a call of a function of the library may write.
    pub fn written_by_library(
        &self,
        program: &Program,
        function: &Function,
        arguments: &[ExprId],
    ) -> Targets {
        let Some(writes) = written_arguments(program, function, arguments) else {
            return Targets::unknown();
        };
        let mut all = Targets::default();
        for write in writes {
            all.join(&match write.extent {
                Extent::Pointee => anywhere_in(&self.targets(program, write.argument)),
                Extent::Reachable => self.reachable(program, &[write.argument]),
                Extent::Behind => self.behind(program, &[write.argument]),
            });
        }
        all
    }

    fn library_result(&mut self, program: &Program, function: &Function, given: &[Targets]) -> Targets {
        let is_declared = match program.types.get(function.ty) {
            Type::Function { result, .. } => matches!(program.types.get(*result), Type::Pointer(_)),
            _ => false,
        };
        let argument = |position: usize| given.get(position).cloned().unwrap_or_default();
        match library_entry(function).map(|entry| entry.returned) {
            Some(Returned::Argument(position)) => argument(position),
            Some(Returned::Within(position)) => self.byte_in(program, &argument(position)),
            Some(Returned::Value | Returned::Nothing | Returned::Never) if !is_declared => Targets::default(),
            _ => Targets::unknown(),
        }
    }

    /// Another byte of the arrays that pointers point to, or anywhere in what is no array of bytes.
    fn byte_in(&mut self, program: &Program, targets: &Targets) -> Targets {
        let mut found = Targets { unknown: targets.unknown, ..Targets::default() };
        for &(object, offset) in &targets.places {
            let kept = match (offset, type_of(program, object)) {
                (Offset::At(at), Some(ty)) if has_array(&program.types, ty, at, 1) => offset,
                (Offset::At(at), None) => {
                    self.searched.insert(Walk { object, at, stride: 1, is_named: false });
                    offset
                }
                _ => Offset::Any,
            };
            found.places.insert((object, kept));
        }
        found
    }
}

/// Anywhere in the same objects.
fn anywhere_in(targets: &Targets) -> Targets {
    let places = targets.objects().into_iter().map(|object| (object, Offset::Any)).collect();
    Targets { places, unknown: targets.unknown }
}
