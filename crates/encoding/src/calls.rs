//! Calls of functions without body, and memory that is allocated.

use rorqual_cfa::{EdgeId, ExprId, ExprKind, Function, FunctionId, PlaceId, Program, Type, TypeId};
use rorqual_interpreter::{Effect, call_effect, printed_format, stores_nothing};
use rorqual_logic::{Bits, Sort, Term};
use rorqual_memory::{Object, Targets, bare_name};

use crate::aggregate::{Source, has_bytes_only};
use crate::cells::Ledger;
use crate::place::{Alternative, Position};
use crate::pointer::Pointer;
use crate::scalar::Scalar;
use crate::symbols::SymbolKind;
use crate::translate::{Obstacle, Taken, Translation};

/// So many elements are copied or cleared one by one.
const MOST_ELEMENTS: u64 = 64;

/// What an allocator is asked for.
#[derive(Clone, Copy)]
struct Size {
    bytes: Term,
    /// Whether an object can have so many bytes.
    fits: Term,
}

impl Translation<'_, '_> {
    /// Calls a function without body.
    pub(crate) fn call_without_body(
        &mut self,
        function: FunctionId,
        target: Option<PlaceId>,
        arguments: &[ExprId],
    ) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let details = &program.functions[function];
        let Type::Function { result, .. } = program.types.get(details.ty) else {
            return Err(self.obstacle("a call of something that is no function"));
        };
        match (bare_name(details), arguments) {
            ("alloca", &[size]) => {
                let size = self.eval(size)?;
                let address = self.stack_memory(Object::Heap, size);
                return self.deliver(target, Scalar::start(address));
            }
            ("malloc", &[size]) | ("aligned_alloc" | "memalign", &[_, size]) => {
                let size = self.asked_size(size)?;
                let address = self.allocate(size);
                if program.types.pointee(*result).is_none() {
                    // Declared otherwise, it shows at once where the object lies.
                    self.approximations.push("where objects lie in memory".to_owned());
                }
                return self.deliver(target, Scalar::start(address));
            }
            ("calloc", &[count, size]) => return self.calloc(target, count, size),
            ("realloc", &[old, size]) => {
                let (old, size) = (self.eval(old)?, self.asked_size(size)?);
                let address = self.reallocate(old, size);
                return self.deliver(target, Scalar::start(address));
            }
            ("reallocarray", &[old, count, size]) => {
                let (old, size) = (self.eval(old)?, self.asked_product(count, size)?);
                let address = self.reallocate(old, size);
                return self.deliver(target, Scalar::start(address));
            }
            ("free" | "cfree", &[pointer]) => {
                let pointer = self.eval(pointer)?;
                self.free(pointer);
                return Ok(());
            }
            ("memcpy" | "memmove", &[to, from, size]) => return self.copy_memory(target, to, from, size),
            ("memset", &[to, value, size]) => return self.clear_memory(target, to, value, size),
            _ => {}
        }
        for &argument in arguments {
            if program.types.is_scalar(program.exprs[argument].ty) {
                self.eval(argument)?;
            }
        }
        match call_effect(program, details, arguments) {
            Effect::Input => self.any_result(*result, target, None),
            Effect::Memory if self.prints_only(details, arguments) => {
                self.any_result(*result, target, Some(format!("the result of `{}`", details.name)))
            }
            Effect::Value if target.is_none() || program.types.pointee(*result).is_none() => {
                self.any_result(*result, target, Some(format!("the result of `{}`", details.name)))
            }
            Effect::Memory if target.is_none() || program.types.pointee(*result).is_none() => {
                let written = self.encoding.analysis.memory.written_by_library(program, details, arguments);
                if written.unknown {
                    return Err(self.obstacle(format!("the library function `{}`", details.name)));
                }
                self.forget_objects(&written, "memory that a library function has written")?;
                self.any_result(*result, target, Some(format!("the result of `{}`", details.name)))
            }
            _ => Err(self.obstacle(format!("the library function `{}`", details.name))),
        }
    }

    /// Whether a call only prints: whatever its format may be, it has no `%n`.
    fn prints_only(&mut self, function: &Function, arguments: &[ExprId]) -> bool {
        let format = printed_format(function).and_then(|position| arguments.get(position));
        let Some(targets) = format.map(|&format| self.encoding.targets(format)) else { return false };
        let is_harmless = |object: &Object| match object {
            Object::Text(text) => stores_nothing(&self.encoding.program.strings[*text].bytes),
            _ => false,
        };
        !targets.unknown && targets.objects().iter().all(is_harmless)
    }

    fn deliver(&mut self, target: Option<PlaceId>, value: Scalar) -> Result<(), Obstacle> {
        match target {
            Some(target) => self.store(target, value),
            None => Ok(()),
        }
    }

    /// Stores any value of a type: an input, or what is not modelled.
    fn any_result(
        &mut self,
        ty: TypeId,
        target: Option<PlaceId>,
        approximated: Option<String>,
    ) -> Result<(), Obstacle> {
        let types = &self.encoding.program.types;
        let is_void = matches!(types.get(ty), Type::Void);
        if is_void || !types.is_scalar(ty) {
            return match (target.filter(|_| !is_void), &approximated) {
                (Some(target), None) => self.havoc(target),
                (Some(target), Some(what)) => self.forget(target, what),
                // That the call takes nothing is told, so that a replay does not give it what comes after it.
                (None, None) => {
                    self.take(&[]);
                    Ok(())
                }
                (None, Some(_)) => Ok(()),
            };
        }
        let sort = Sort::BitVec(types.width(ty));
        let target_width = target.map(|target| types.width(self.encoding.program.places[target].ty));
        if let (Some(target), Some(width)) = (target, target_width.filter(|&width| width != types.width(ty)))
        {
            // The function is declared with different types.
            let value = self.approximate("a result of another type", Sort::BitVec(width));
            return self.store(target, Scalar::number(value));
        }
        let value = match approximated {
            Some(what) => self.approximate(what, sort),
            None => {
                let input = self.input(ty, types.width(ty));
                self.take(&[(input, ty)]);
                input
            }
        };
        if self.encoding.program.types.as_int(ty) == Some(rorqual_cfa::IntKind::Bool) {
            let pool = &mut self.encoding.pool;
            let two = pool.bv(2u8, 8);
            let small = pool.bv_ult(value, two);
            self.require(small);
        }
        // A pointer from outside points to the start of an object.
        self.deliver(target, Scalar::start(value))
    }

    /// Makes an object on the stack. Nothing is lost if it is never released.
    pub(crate) fn stack_allocate(&mut self, target: PlaceId, size: ExprId) -> Result<(), Obstacle> {
        let size = self.eval(size)?;
        let address = self.stack_memory(Object::Stack, size);
        self.store(target, Scalar::start(address))
    }

    /// New memory on the stack, which always has room.
    fn stack_memory(&mut self, kind: fn(FunctionId, EdgeId) -> Object, size: Term) -> Term {
        let size = self.fitted_size(size);
        let fits = self.encoding.pool.top();
        let address = self.new_memory(self.site(kind), Size { bytes: size, fits });
        self.begin(Ledger::StackLives, address, size, fits);
        address
    }

    /// The number of bytes that an allocator is asked for.
    fn asked_size(&mut self, size: ExprId) -> Result<Size, Obstacle> {
        let size = self.eval(size)?;
        let bytes = self.fitted_size(size);
        Ok(Size { bytes, fits: self.is_possible(bytes) })
    }

    /// The same for so many elements.
    fn asked_product(&mut self, count: ExprId, size: ExprId) -> Result<Size, Obstacle> {
        let (count, size) = (self.eval(count)?, self.eval(size)?);
        let (count, size) = (self.fitted_size(count), self.fitted_size(size));
        let pool = &mut self.encoding.pool;
        let overflows = pool.bv_mul_overflows(count, size, false);
        let bytes = pool.bv_mul(count, size);
        let is_exact = pool.not(overflows);
        let is_possible = self.is_possible(bytes);
        Ok(Size { bytes, fits: self.encoding.pool.and2(is_exact, is_possible) })
    }

    /// Whether an object can have so many bytes.
    fn is_possible(&mut self, bytes: Term) -> Term {
        let largest = self.encoding.program.types.model().largest_object();
        let width = self.encoding.pointer_width();
        let pool = &mut self.encoding.pool;
        let largest = pool.bv(largest, width);
        pool.bv_ule(bytes, largest)
    }

    /// New memory on the heap: behind all that was allocated before, at any distance, so that nothing can be learnt from
    /// it. What it contains is any value, as nothing was there before. Null if no object can be so large.
    fn allocate(&mut self, size: Size) -> Term {
        let address = self.new_memory(self.site(Object::Heap), size);
        self.begin(Ledger::HeapLives, address, size.bytes, size.fits);
        self.unless_null(size.fits, address)
    }

    fn unless_null(&mut self, condition: Term, address: Term) -> Term {
        let pool = &mut self.encoding.pool;
        let null = pool.bv(0u8, pool.width(address));
        pool.ite(condition, address, null)
    }

    /// A number of bytes in the width of addresses.
    pub(crate) fn fitted_size(&mut self, size: Term) -> Term {
        let width = self.encoding.pointer_width();
        let pool = &mut self.encoding.pool;
        if pool.width(size) > width {
            pool.bv_extract(size, width - 1, 0)
        } else {
            pool.bv_zero_extend(size, width)
        }
    }

    /// Where new memory is, if it fits.
    fn new_memory(&mut self, object: Object, Size { bytes, fits }: Size) -> Term {
        let width = self.encoding.pointer_width();
        let top = self.encoding.ledger(Ledger::Top);
        let end = self.state.read(&self.encoding.cells, top);
        // Where objects are told apart by their addresses, a proof must not rest on how near they are.
        let nearness = if self.encoding.ghosts.are_checked() { width - 4 } else { 8 };
        let gap = self.encoding.fresh(SymbolKind::Input, "gap", Sort::BitVec(nearness));
        let pool = &mut self.encoding.pool;
        let (fifteen, align) = (pool.bv(15u8, width), pool.bits(Bits::new(15u8, width).not()));
        let next = pool.bv_add(end, fifteen);
        let next = pool.bv_and(next, align);
        let zeros = pool.bv(0u8, 4);
        let gap = pool.bv_concat(gap, zeros);
        let gap = pool.bv_zero_extend(gap, width);
        let address = pool.bv_add(next, gap);
        let (zero, one) = (pool.bv(0u8, width), pool.bv(1u8, width));
        let is_empty = pool.eq(bytes, zero);
        let size = pool.ite(is_empty, one, bytes);
        let new_end = pool.bv_add(address, size);
        let limit = pool.bv(rorqual_memory::given_start(self.encoding.program.types.model()), width);
        let mut room = vec![pool.bv_ult(address, new_end), pool.bv_ule(new_end, limit)];
        if !self.encoding.ghosts.is_empty() {
            // Whether memory is there must not depend on how much there was before.
            let start = self.encoding.heap_start();
            let pool = &mut self.encoding.pool;
            room.extend([pool.bv_ule(start, address), pool.bv_ule(end, address)]);
        }
        let pool = &mut self.encoding.pool;
        let has_room = room.into_iter().map(|one| pool.implies(fits, one)).collect::<Vec<_>>();
        self.conditions.extend(has_room);
        let new_top = self.encoding.pool.ite(fits, new_end, end);
        self.state.write(top, new_top);
        let noted = self.unless_null(fits, address);
        self.note_content(object, noted, size);
        address
    }

    /// Memory of another size in the place of old one: none if that is only freed, or if no object can be so large.
    fn reallocate(&mut self, old: Term, Size { bytes, fits }: Size) -> Term {
        let pool = &mut self.encoding.pool;
        let (null, none) = (pool.bv(0u8, pool.width(old)), pool.bv(0u8, pool.width(bytes)));
        let (is_empty, is_old) = (pool.eq(bytes, none), pool.ne(old, null));
        let frees = pool.and2(is_empty, is_old);
        let is_kept = pool.not(frees);
        let is_there = pool.and2(is_kept, fits);
        let new = self.new_memory(self.site(Object::Heap), Size { bytes, fits: is_there });
        let freed = self.unless_null(fits, old);
        self.free(freed);
        self.begin(Ledger::HeapLives, new, bytes, is_there);
        self.approximations.push("what `realloc` keeps".to_owned());
        self.unless_null(is_there, new)
    }

    /// Notes what new memory contains.
    fn note_content(&mut self, object: Object, address: Term, size: Term) {
        let Some(class) = self.encoding.analysis.memory.class_of(object) else { return };
        self.approximations.push("what new memory contains".to_owned());
        let mut cells = Vec::new();
        for cell in self.encoding.class_layout(class).cells() {
            if self.encoding.is_vague(cell) {
                continue;
            }
            cells.push((cell, self.state.read(&self.encoding.cells, cell)));
        }
        self.taken.push(Taken::Allocated { class, address, size, cells });
    }

    /// An object that the edge makes.
    fn site(&self, kind: fn(FunctionId, EdgeId) -> Object) -> Object {
        kind(self.function, self.edge)
    }

    /// An input of a type. Pointers from outside are null or point to one of many pieces of memory, none of which the
    /// program has made.
    pub(crate) fn input(&mut self, ty: TypeId, width: u32) -> Term {
        let types = &self.encoding.program.types;
        let is_data = |pointee| !matches!(types.get(pointee), Type::Function { .. });
        if types.pointee(ty).is_none_or(|pointee| !is_data(pointee)) {
            return self.encoding.fresh(SymbolKind::Input, "input", Sort::BitVec(width));
        }
        let shift = rorqual_memory::GIVEN_SIZE.trailing_zeros();
        let number = self.encoding.fresh(SymbolKind::Input, "given", Sort::BitVec(30 - shift));
        let start = rorqual_memory::given_start(types.model());
        let pool = &mut self.encoding.pool;
        let (null, start, zeros) = (pool.bv(0u8, width), pool.bv(start, width), pool.bv(0u8, shift));
        let none = pool.bv(0u8, 30 - shift);
        let is_null = pool.eq(number, none);
        let offset = pool.bv_concat(number, zeros);
        let offset = pool.bv_zero_extend(offset, width);
        let address = pool.bv_add(start, offset);
        pool.ite(is_null, null, address)
    }

    /// Takes inputs.
    pub(crate) fn take(&mut self, inputs: &[(Term, TypeId)]) {
        self.taken.push(Taken::Input(inputs.iter().map(|&(input, _)| input).collect()));
    }

    fn calloc(&mut self, target: Option<PlaceId>, count: ExprId, size: ExprId) -> Result<(), Obstacle> {
        let size = self.asked_product(count, size)?;
        let pool = &self.encoding.pool;
        let is_possible = pool.as_bool(size.fits) == Some(true);
        let known = pool.as_bits(size.bytes).and_then(Bits::to_u64).filter(|_| is_possible);
        let address = self.allocate(size);
        self.clear_new(address, known)?;
        self.deliver(target, Scalar::start(address))
    }

    /// Sets new memory to zero, as far as its size is known and small.
    fn clear_new(&mut self, address: Term, size: Option<u64>) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let Some(class) = self.encoding.analysis.memory.class_of(self.site(Object::Heap)) else {
            return Ok(());
        };
        let element = self.encoding.analysis.memory.class(class).element;
        let count = element.zip(size).and_then(|(element, size)| elements(program, element, size));
        let (Some(element), Some(count)) = (element, count) else {
            self.approximations.push("the zeros of `calloc`".to_owned());
            return Ok(());
        };
        let layout = self.encoding.class_layout(class);
        for at in 0..count {
            let by = self.bytes(at * program.types.size_of(element).unwrap_or(0));
            let here = self.encoding.pool.bv_add(address, by);
            let node = self.node(&layout, Some(Position::Address(here)));
            let guard = self.encoding.pool.top();
            self.zero(&Alternative { guard, node }, element)?;
        }
        Ok(())
    }

    /// Sets all scalars of a place to zero, or all bytes.
    fn zero(&mut self, one: &Alternative, ty: TypeId) -> Result<(), Obstacle> {
        let slots = if has_bytes_only(&one.node) {
            vec![self.byte_slot(one, ty)?]
        } else {
            self.scalar_slots(one, ty)?
        };
        for slot in slots {
            let width = self.slot_width(slot);
            let zero = self.encoding.pool.bv(0u8, width);
            self.put(slot, one.guard, Scalar::number(zero));
        }
        Ok(())
    }

    /// Copies memory between places of one type.
    fn copy_memory(
        &mut self,
        target: Option<PlaceId>,
        to: ExprId,
        from: ExprId,
        size: ExprId,
    ) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let (result, origin) = (self.scalar(to)?, self.eval(from)?);
        let destination = result.value;
        let size = self.eval(size)?;
        let size = self.encoding.pool.as_bits(size).and_then(Bits::to_u64);
        let types = pointee(program, to).zip(pointee(program, from));
        let element = types.filter(|(one, other)| one == other).map(|(one, _)| one);
        let count = element.zip(size).and_then(|(element, size)| elements(program, element, size));
        let (Some(element), Some(count)) = (element, count) else {
            self.forget_behind(to, "memory that was copied")?;
            return self.deliver(target, result);
        };
        let (mut targets, mut sources) = (Vec::new(), Vec::new());
        for at in 0..count {
            let by = self.bytes(at * program.types.size_of(element).unwrap_or(0));
            let pool = &mut self.encoding.pool;
            let (here, there) = (pool.bv_add(destination, by), pool.bv_add(origin, by));
            targets.push(self.behind(to, Pointer::to(here), element));
            sources.push(Source::Places(self.behind(from, Pointer::to(there), element)));
        }
        let targets: Vec<&[Alternative]> = targets.iter().map(Vec::as_slice).collect();
        self.copy_all(&targets, &sources.iter().collect::<Vec<_>>(), element)?;
        self.deliver(target, result)
    }

    /// Sets memory to zero.
    fn clear_memory(
        &mut self,
        target: Option<PlaceId>,
        to: ExprId,
        value: ExprId,
        size: ExprId,
    ) -> Result<(), Obstacle> {
        let result = self.scalar(to)?;
        let [value, size] = [value, size].map(|expr| self.eval(expr));
        let (value, size) = (value?, size?);
        let pool = &self.encoding.pool;
        let is_zero = pool.as_bits(value).is_some_and(Bits::is_zero);
        match pool.as_bits(size).and_then(Bits::to_u64).filter(|_| is_zero) {
            Some(size) => self.clear(to, Pointer::to(result.value), size)?,
            None => self.forget_behind(to, "memory that was set")?,
        }
        self.deliver(target, result)
    }

    /// Nothing is known any more of the objects that a pointer may point into.
    fn forget_behind(&mut self, pointer: ExprId, why: &str) -> Result<(), Obstacle> {
        let targets = self.encoding.targets(pointer);
        self.forget_objects(&targets, why)
    }

    /// Nothing is known any more of objects.
    pub(crate) fn forget_objects(&mut self, targets: &Targets, why: &str) -> Result<(), Obstacle> {
        if targets.unknown {
            return Err(self.obstacle("a write to memory that is not modelled"));
        }
        let mut cells = Vec::new();
        for object in targets.objects() {
            match (object, self.encoding.analysis.memory.class_of(object)) {
                (_, Some(class)) => cells.extend(self.encoding.class_layout(class).cells()),
                (Object::Variable(_), None) => {
                    cells.extend(self.encoding.layout(object).cells());
                }
                _ => {}
            }
        }
        cells.sort_unstable();
        cells.dedup();
        let cells = self.encoding.with_facets(cells);
        let always = self.encoding.pool.top();
        self.forget_cells(always, &cells, why);
        Ok(())
    }

    /// Sets so many bytes behind a pointer to zero.
    fn clear(&mut self, expr: ExprId, pointer: Pointer, size: u64) -> Result<(), Obstacle> {
        let program = self.encoding.program;
        let element = pointee(program, expr);
        let count = element.and_then(|element| elements(program, element, size));
        let (Some(element), Some(count)) = (element, count) else {
            return self.forget_behind(expr, "memory that was set");
        };
        for at in 0..count {
            let by = self.bytes(at * program.types.size_of(element).unwrap_or(0));
            let here = self.encoding.pool.bv_add(pointer.value, by);
            for one in self.behind(expr, Pointer::to(here), element) {
                self.zero(&one, element)?;
            }
        }
        Ok(())
    }
}

/// What a pointer points to before it is converted to `void *`.
fn pointee(program: &Program, pointer: ExprId) -> Option<TypeId> {
    let mut inner = pointer;
    while let ExprKind::Convert(operand) = program.exprs[inner].kind
        && program.types.pointee(program.exprs[operand].ty).is_some()
    {
        inner = operand;
    }
    let pointee = program.types.pointee(program.exprs[inner].ty)?;
    program.types.size_of(pointee).filter(|&size| size > 0).map(|_| pointee)
}

/// How many elements a number of bytes is, if that is a whole number and not too many.
fn elements(program: &Program, element: TypeId, size: u64) -> Option<u64> {
    let each = program.types.size_of(element).filter(|&each| each > 0)?;
    (size.is_multiple_of(each) && size / each <= MOST_ELEMENTS).then_some(size / each)
}
