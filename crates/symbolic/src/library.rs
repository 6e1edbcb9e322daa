//! Functions without body: memory is allocated, copied and set here; of the others the table of the library says what
//! they do.

use rorqual_cfa::{ExprId, Function, FunctionId, Hazard, PlaceId, Type, TypeId};
use rorqual_interpreter::{
    Effect, Extent, Write, call_effect, printed_format, stores_nothing, written_arguments,
};
use rorqual_logic::{Bits, Term};
use rorqual_memory::bare_name;

use crate::executor::{Executor, Fresh, Obstacle};
use crate::memory::Span;
use crate::object::{Cell, Cells, Content, Kind, Object, ObjectId, Rest};
use crate::pointer::{Aim, Target};
use crate::state::State;
use crate::trace::Event;

/// What `malloc` aligns to.
const MAXIMUM_ALIGN: u64 = 16;
/// So many bytes are copied one by one where their number is not constant.
const MOST_BYTES: u64 = 4096;

impl Executor<'_> {
    /// Calls a function without body; whether it returns.
    pub(crate) fn call_library(
        &mut self,
        state: &mut State,
        callee: FunctionId,
        target: Option<PlaceId>,
        arguments: &[ExprId],
    ) -> Result<bool, Obstacle> {
        let program = self.program;
        let function = &program.functions[callee];
        let Type::Function { result, .. } = *program.types.get(function.ty) else {
            return Err(self.obstacle("a call of something that is no function"));
        };
        let pointer = match (bare_name(function), arguments) {
            ("malloc", &[size]) | ("aligned_alloc" | "memalign", &[_, size]) => {
                let size = self.size(state, size)?;
                Some(self.allocate(state, size, false))
            }
            ("calloc", &[count, size]) => {
                let size = self.product(state, count, size)?;
                Some(self.allocate(state, size, true))
            }
            ("realloc", &[old, size]) => {
                let (pointer, size) = (self.eval(state, old)?, self.size(state, size)?);
                Some(self.reallocate(state, pointer, size, old))
            }
            ("reallocarray", &[old, count, size]) => {
                let (pointer, size) = (self.eval(state, old)?, self.product(state, count, size)?);
                Some(self.reallocate(state, pointer, size, old))
            }
            ("alloca", &[size]) => {
                let size = self.eval(state, size)?;
                Some(self.stack_memory(state, size))
            }
            ("free" | "cfree", &[pointer]) => {
                let value = self.eval(state, pointer)?;
                self.free(state, value, Hazard::Free(pointer));
                None
            }
            ("memcpy" | "memmove" | "mempcpy", &[to, from, size]) => {
                let to_value = self.copy(state, to, from, size)?;
                if bare_name(function) == "mempcpy" {
                    let size = self.size(state, size)?.bytes;
                    Some(self.pool.bv_add(to_value, size))
                } else {
                    Some(to_value)
                }
            }
            ("memset", &[to, byte, size]) => Some(self.set(state, to, Some(byte), size)?),
            ("bzero", &[to, size]) => {
                self.set(state, to, None, size)?;
                None
            }
            _ => return self.call_other(state, callee, target, arguments, result),
        };
        match (target, pointer) {
            (Some(target), Some(pointer)) => self.store(state, target, pointer)?,
            (Some(_), None) => return Err(self.obstacle(format!("the result of `{}`", function.name))),
            (None, _) => {}
        }
        Ok(true)
    }

    fn call_other(
        &mut self,
        state: &mut State,
        callee: FunctionId,
        target: Option<PlaceId>,
        arguments: &[ExprId],
        result: TypeId,
    ) -> Result<bool, Obstacle> {
        let program = self.program;
        let function = &program.functions[callee];
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let is_scalar = program.types.is_scalar(program.exprs[argument].ty);
            values.push(if is_scalar { Some(self.eval(state, argument)?) } else { None });
        }
        let unsupported = format!("the library function `{}`", function.name);
        let is_pointer = program.types.pointee(result).is_some();
        match call_effect(program, function, arguments) {
            Effect::Ends => Ok(false),
            Effect::Input => {
                self.any_result(state, result, target, None)?;
                Ok(true)
            }
            Effect::Value if target.is_none() || !is_pointer => {
                self.any_result(state, result, target, Some(format!("the result of `{}`", function.name)))?;
                Ok(true)
            }
            Effect::Memory if target.is_none() || !is_pointer => {
                if !self.prints_only(function, &values) {
                    self.write_anything(state, function, arguments)?;
                }
                self.any_result(state, result, target, Some(format!("the result of `{}`", function.name)))?;
                Ok(true)
            }
            Effect::Memory | Effect::Value | Effect::Unmodelled => Err(self.obstacle(unsupported)),
        }
    }

    /// Whether a call only prints: whatever its format may be, it has no `%n`.
    fn prints_only(&mut self, function: &Function, values: &[Option<Term>]) -> bool {
        let format = printed_format(function).and_then(|position| values.get(position).copied().flatten());
        let Some(format) = format else { return false };
        self.targets(format).iter().all(|target| match target.aim {
            Aim::Object(object, _) => match self.details[object.0 as usize].kind {
                Kind::Text(text) => stores_nothing(&self.program.strings[text].bytes),
                _ => false,
            },
            _ => false,
        })
    }

    /// What a function of the library writes may be anything.
    fn write_anything(
        &mut self,
        state: &mut State,
        function: &Function,
        arguments: &[ExprId],
    ) -> Result<(), Obstacle> {
        let unsupported = format!("the library function `{}`", function.name);
        let Some(writes) = written_arguments(self.program, function, arguments) else {
            return Err(self.obstacle(unsupported));
        };
        for Write { argument, extent } in writes {
            if extent != Extent::Pointee {
                return Err(self.obstacle(unsupported));
            }
            self.approximate("memory that a library function has written");
            let pointer = self.eval(state, argument)?;
            for target in self.targets(pointer).iter() {
                let Aim::Object(object, _) = target.aim else { continue };
                self.forget(state, object, target.guard);
            }
        }
        Ok(())
    }

    /// An object contains anything if a condition holds.
    pub(crate) fn forget(&mut self, state: &mut State, id: ObjectId, condition: Term) {
        let Some(shared) = state.memory.get(&id) else { return };
        let mut object = (*shared.0).clone();
        let epoch = self.epoch();
        let unknown = Cells::new(Rest::Unset(id, epoch));
        object.content = match &object.content {
            Content::Cells(cells) => {
                let mut unknown = unknown;
                if let Some(capacity) = object.capacity {
                    self.set_written(&mut unknown, capacity);
                }
                Content::Cells(self.merged_cells(&unknown, cells, object.capacity, condition))
            }
            Content::Array { bytes, term } => {
                let unknown = self.unset_array(id, epoch, *bytes);
                Content::Array { bytes: *bytes, term: self.pool.ite(condition, unknown, *term) }
            }
        };
        state.set_object(id, object);
    }

    /// Bytes that are not known, but that were written.
    fn set_written(&mut self, cells: &mut Cells, capacity: u64) {
        for at in (0..capacity).step_by(8) {
            let bytes = (capacity - at).min(8) as u32;
            let mut cell = self.read_cells(cells, at, bytes);
            cell.written = self.pool.top();
            cells.map.insert(at, cell);
        }
    }

    /// Stores any value of a type: an input, or what is not modelled.
    fn any_result(
        &mut self,
        state: &mut State,
        ty: TypeId,
        target: Option<PlaceId>,
        approximated: Option<String>,
    ) -> Result<(), Obstacle> {
        let types = &self.program.types;
        if !types.is_scalar(ty) {
            return match (target.filter(|_| !matches!(types.get(ty), Type::Void)), approximated) {
                (Some(target), None) => self.havoc(state, target),
                (Some(_), Some(what)) => Err(self.obstacle(what)),
                // That the call takes nothing is told, so that a replay does not give it what comes after it.
                (None, None) => {
                    self.note_event(state, Event::Input { values: Vec::new(), span: self.span });
                    Ok(())
                }
                (None, Some(_)) => Ok(()),
            };
        }
        let value = match approximated {
            Some(what) => {
                self.approximate(&what);
                self.any_scalar(Fresh::Outside, ty)
            }
            None => {
                let input = self.input(ty);
                self.note_event(state, Event::Input { values: vec![input], span: self.span });
                input
            }
        };
        let Some(target) = target else { return Ok(()) };
        let expected = self.program.places[target].ty;
        let value = if expected == ty { value } else { self.converted(value, ty, expected)? };
        self.store(state, target, value)
    }

    /// A number of bytes, and whether an object can have so many.
    fn size(&mut self, state: &mut State, size: ExprId) -> Result<Size, Obstacle> {
        let bytes = self.eval(state, size)?;
        let bytes = self.resized(bytes, self.pointer_width, false);
        Ok(Size { bytes, fits: self.is_possible(bytes) })
    }

    fn product(&mut self, state: &mut State, count: ExprId, size: ExprId) -> Result<Size, Obstacle> {
        let (count, size) = (self.size(state, count)?.bytes, self.size(state, size)?.bytes);
        let overflows = self.pool.bv_mul_overflows(count, size, false);
        let bytes = self.pool.bv_mul(count, size);
        let (is_exact, is_possible) = (self.pool.not(overflows), self.is_possible(bytes));
        Ok(Size { bytes, fits: self.pool.and2(is_exact, is_possible) })
    }

    fn is_possible(&mut self, bytes: Term) -> Term {
        let largest = self.program.types.model().largest_object();
        let largest = self.pool.bv(largest, self.pointer_width);
        self.pool.bv_ule(bytes, largest)
    }

    /// New memory; null where no object can be so large.
    fn allocate(&mut self, state: &mut State, size: Size, is_zeroed: bool) -> Term {
        let size = self.fitting(state, size);
        let object = self.new_memory(state, Kind::Heap, size.bytes, size.fits, is_zeroed);
        self.or_null(size.fits, object)
    }

    /// A size that an object can have always, if that is so.
    fn fitting(&mut self, state: &State, size: Size) -> Size {
        let too_large = self.pool.not(size.fits);
        let is_exceeded = self.pool.and2(state.guard, too_large);
        if self.is_easily_refuted(is_exceeded) { Size { fits: self.pool.top(), ..size } } else { size }
    }

    fn or_null(&mut self, fits: Term, object: ObjectId) -> Term {
        let (base, null) = (self.details[object.0 as usize].base, self.pool.bv(0u8, self.pointer_width));
        self.pool.ite(fits, base, null)
    }

    fn new_memory(
        &mut self,
        state: &mut State,
        kind: Kind,
        size: Term,
        exists: Term,
        is_zeroed: bool,
    ) -> ObjectId {
        let object = self.make_object(kind, MAXIMUM_ALIGN, true);
        let rest = if is_zeroed { Rest::Zero } else { Rest::Unset(object, 0) };
        let capacity = self.capacity(state.guard, size);
        let content = match capacity {
            Some(_) => Content::Cells(Cells::new(rest)),
            None => {
                let content = Content::Cells(Cells::new(rest));
                Content::Array { bytes: 1, term: self.as_array(&content, 1, None) }
            }
        };
        state.set_object(object, Object { size, capacity, alive: exists, content });
        self.note_event(state, Event::Allocated { object, span: self.span });
        object
    }

    /// Memory that ends with the function.
    pub(crate) fn stack_memory(&mut self, state: &mut State, size: Term) -> Term {
        let size = self.resized(size, self.pointer_width, false);
        let always = self.pool.top();
        let object = self.new_memory(state, Kind::Stack, size, always, false);
        state.frame.stack.insert(object, ());
        self.details[object.0 as usize].base
    }

    /// Memory of another size in the place of old one: always at another address.
    fn reallocate(&mut self, state: &mut State, old: Term, size: Size, argument: ExprId) -> Term {
        let (null, zero) = (self.pool.bv(0u8, self.pointer_width), self.pool.bv(0u8, self.pointer_width));
        let (is_empty, is_null) = (
            self.pool.eq(size.bytes, zero),
            self.pointers_compare(state, rorqual_cfa::BinaryOp::Eq, old, null),
        );
        let is_old = self.pool.not(is_null);
        let frees_only = self.pool.and2(is_empty, is_old);
        let is_kept = self.pool.not(frees_only);
        let is_there = self.pool.and2(is_kept, size.fits);
        let object = self.new_memory(state, Kind::Heap, size.bytes, is_there, false);
        for target in self.targets(old).iter() {
            let Aim::Object(source, _) = target.aim else { continue };
            self.take_over(state, source, object, target.guard);
        }
        let freed = self.pool.ite(size.fits, old, null);
        self.free(state, freed, Hazard::Free(argument));
        self.or_null(is_there, object)
    }

    /// The bytes of an old object are those of a new one, as many as both have.
    fn take_over(&mut self, state: &mut State, old: ObjectId, new: ObjectId, condition: Term) {
        let Some(source) = state.memory.get(&old).cloned() else { return };
        let mut target = state.object(new).clone();
        let (Content::Cells(from), Content::Cells(to)) = (&source.0.content, &target.content) else {
            self.approximate("what `realloc` keeps");
            return;
        };
        let most = source.0.capacity.unwrap_or(0).min(target.capacity.unwrap_or(0));
        let mut kept = to.clone();
        let is_exact = self.pool.as_bits(source.0.size).is_some();
        let mut at = 0;
        while at < most {
            let bytes = from.pieces(at, (most - at).min(8))[0].bytes();
            let mut cell = self.read_cells(from, at, bytes);
            if !is_exact {
                // What lies behind the old object is not known.
                let end = self.pool.bv(at + u64::from(bytes), self.pointer_width);
                let inside = self.pool.bv_ule(end, source.0.size);
                let beyond = self.read_cells(to, at, bytes);
                cell.value = self.pool.ite(inside, cell.value, beyond.value);
                cell.written = self.pool.ite(inside, cell.written, beyond.written);
            }
            kept.put(&mut self.pool, at, cell);
            at += u64::from(bytes);
        }
        let merged = self.merged_cells(&kept, &to.clone(), target.capacity, condition);
        target.content = Content::Cells(merged);
        state.set_object(new, target);
    }

    /// Ends the life of allocated memory.
    fn free(&mut self, state: &mut State, pointer: Term, hazard: Hazard) {
        let bad = self.is_bad_free(state, pointer);
        self.hazard(state, hazard, bad);
        for target in self.targets(pointer).iter() {
            let Aim::Object(object, _) = target.aim else { continue };
            let Some(shared) = state.memory.get(&object) else { continue };
            let mut new = (*shared.0).clone();
            let others = self.pool.not(target.guard);
            new.alive = self.pool.and2(new.alive, others);
            state.set_object(object, new);
        }
    }

    /// Copies bytes; everything is read before anything is written.
    fn copy(&mut self, state: &mut State, to: ExprId, from: ExprId, size: ExprId) -> Result<Term, Obstacle> {
        let (target, source) = (self.eval(state, to)?, self.eval(state, from)?);
        let size = self.size(state, size)?.bytes;
        let (targets, sources) = (self.targets(target), self.targets(source));
        if let Some(size) = self.pool.as_bits(size).and_then(Bits::to_u64) {
            if size > 0 {
                let block = self.load_block(state, &sources, size, Hazard::Block(from));
                self.store_block(state, &targets, &block, size, Hazard::Block(to));
            }
            return Ok(target);
        }
        self.copy_some(
            state,
            (&targets, Hazard::Block(to)),
            Some((&sources, Hazard::Block(from))),
            None,
            size,
        )?;
        Ok(target)
    }

    fn set(
        &mut self,
        state: &mut State,
        to: ExprId,
        byte: Option<ExprId>,
        size: ExprId,
    ) -> Result<Term, Obstacle> {
        let target = self.eval(state, to)?;
        let byte = match byte {
            Some(byte) => self.eval(state, byte)?,
            None => self.pool.bv(0u8, 8),
        };
        let byte = self.pool.bv_extract(byte, 7, 0);
        let size = self.size(state, size)?.bytes;
        let targets = self.targets(target);
        if let Some(size) = self.pool.as_bits(size).and_then(Bits::to_u64) {
            if size > 0 {
                let block = self.filled(byte, size);
                self.store_block(state, &targets, &block, size, Hazard::Block(to));
            }
            return Ok(target);
        }
        self.copy_some(state, (&targets, Hazard::Block(to)), None, Some(byte), size)?;
        Ok(target)
    }

    /// Bytes that are all the same.
    fn filled(&mut self, byte: Term, size: u64) -> Cells {
        let mut block = Cells::new(Rest::Zero);
        if self.pool.as_bits(byte).is_some_and(Bits::is_zero) {
            return block;
        }
        let written = self.pool.top();
        for at in 0..size {
            block.map.insert(at, Cell { bytes: 1, value: byte, written });
        }
        block
    }

    /// Copies or sets a number of bytes that is not constant: each byte, if there are more.
    fn copy_some(
        &mut self,
        state: &mut State,
        (targets, hazard): (&[Target], Hazard),
        source: Option<(&[Target], Hazard)>,
        byte: Option<Term>,
        size: Term,
    ) -> Result<(), Obstacle> {
        self.block_hazard(state, targets, size, hazard);
        if let Some((sources, hazard)) = source {
            self.block_hazard(state, sources, size, hazard);
        }
        let longest = |targets: &[Target]| {
            let capacity = |target: &Target| match target.aim {
                Aim::Object(object, _) => state.memory.get(&object).and_then(|object| object.0.capacity),
                _ => Some(0),
            };
            targets.iter().map(capacity).try_fold(0, |most, one| one.map(|one| most.max(one)))
        };
        let most = longest(targets);
        let most = match source {
            Some((sources, _)) => most.into_iter().chain(longest(sources)).min(),
            None => most,
        };
        let guard = state.guard;
        let most = most.into_iter().chain(self.capacity(guard, size)).min();
        let Some(most) = most.filter(|&most| most <= MOST_BYTES) else {
            return Err(self.obstacle("a copy of so many bytes"));
        };
        let mut bytes = Vec::new();
        for at in 0..most {
            bytes.push(match (source, byte) {
                (Some((sources, _)), _) => self.byte(state, sources, at),
                (None, Some(byte)) => Cell { bytes: 1, value: byte, written: self.pool.top() },
                (None, None) => unreachable!("there is a source or a byte"),
            });
        }
        for (at, cell) in (0..most).zip(bytes) {
            let distance = self.pool.bv(at, self.pointer_width);
            let is_copied = self.pool.bv_ult(distance, size);
            for target in targets {
                let Aim::Object(object, offset) = target.aim else { continue };
                let offset = self.pool.bv_add(offset, distance);
                let condition = self.pool.and2(target.guard, is_copied);
                self.write_cell(state, Span { object, offset, bytes: 1 }, cell, condition);
            }
        }
        Ok(())
    }

    fn byte(&mut self, state: &mut State, sources: &[Target], at: u64) -> Cell {
        let distance = self.pool.bv(at, self.pointer_width);
        let mut found: Option<Cell> = None;
        for source in sources {
            let Aim::Object(object, offset) = source.aim else { continue };
            let offset = self.pool.bv_add(offset, distance);
            let cell = self.read(state, Span { object, offset, bytes: 1 });
            found = Some(match found {
                None => cell,
                Some(others) => Cell {
                    bytes: 1,
                    value: self.pool.ite(source.guard, cell.value, others.value),
                    written: self.pool.ite(source.guard, cell.written, others.written),
                },
            });
        }
        let zero = self.pool.bv(0u8, 8);
        found.unwrap_or(Cell { bytes: 1, value: zero, written: self.pool.top() })
    }

    fn block_hazard(&mut self, state: &mut State, targets: &[Target], size: Term, hazard: Hazard) {
        let bad = self.bad_block(state, targets, size);
        self.hazard(state, hazard, bad);
    }
}

/// What an allocator is asked for.
#[derive(Debug, Clone, Copy)]
struct Size {
    bytes: Term,
    /// Whether an object can have so many bytes.
    fits: Term,
}
