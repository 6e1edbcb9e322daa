//! What functions of the library do, and what others without body may do.

use std::rc::Rc;

use rorqual_cfa::{Edge, ExprId, FunctionId, Hazard};
use rorqual_interpreter::{Effect, Extent, call_effect, library_entry, written_arguments};
use rorqual_logic::{Sort, Term};
use rorqual_memory::bare_name;
use rorqual_source::Span;

use super::addresses::{Case, Kind, Pointee};
use super::call::MAXIMUM_ALIGN;
use super::machine::Machine;
use super::memory::{Content, Filling, Object};
use super::place::Access;
use super::state::{Value, Whole};

/// A run of bytes whose length depends on inputs is copied byte by byte up to this length.
const LONGEST_RUN: u64 = 512;

impl Machine<'_> {
    /// A call of a function without body, and the address that it returns if that is known.
    pub(super) fn library(
        &mut self,
        edge: &Edge,
        function: FunctionId,
        arguments: &[ExprId],
        values: &[Whole],
    ) -> Option<Term> {
        let program = self.program;
        let details = &program.functions[function];
        let name = bare_name(details);
        let numbers: Vec<Term> =
            arguments.iter().zip(values).map(|(&id, value)| self.as_number(id, value)).collect();
        match (name, numbers.as_slice()) {
            ("malloc", &[size]) | ("aligned_alloc" | "memalign", &[_, size]) => {
                let align = if name == "malloc" { None } else { self.constant(numbers[0]) };
                let align = align.filter(|align| align.is_power_of_two()).unwrap_or(1).max(MAXIMUM_ALIGN);
                let fits = self.store.pool.top();
                let filling = self.store.unknown(false);
                Some(self.allocate(size, fits, align, filling))
            }
            ("calloc", &[count, size]) => {
                let (size, fits) = self.product(count, size);
                Some(self.allocate(size, fits, MAXIMUM_ALIGN, Filling::Zero))
            }
            ("realloc", &[old, size]) => {
                let fits = self.store.pool.top();
                Some(self.reallocate(arguments[0], old, size, fits, edge.span))
            }
            ("reallocarray", &[old, count, size]) => {
                let (size, fits) = self.product(count, size);
                Some(self.reallocate(arguments[0], old, size, fits, edge.span))
            }
            ("strdup" | "strndup", _) => {
                let size = self.any(self.pointer_width).term;
                let (fits, filling) = (self.store.pool.top(), self.store.unknown(true));
                Some(self.allocate(size, fits, MAXIMUM_ALIGN, filling))
            }
            ("alloca", &[size]) => Some(self.stack_allocate(size).term),
            ("free" | "cfree", &[pointer]) => {
                self.free(arguments[0], pointer, edge.span);
                None
            }
            ("memcpy" | "memmove" | "mempcpy", &[to, from, bytes]) => {
                self.copy([arguments[0], arguments[1]], [to, from], bytes, edge.span);
                Some(if name == "mempcpy" { self.store.pool.bv_add(to, bytes) } else { to })
            }
            ("bcopy", &[from, to, bytes]) => {
                self.copy([arguments[1], arguments[0]], [to, from], bytes, edge.span);
                None
            }
            ("memset", &[to, _, bytes]) => {
                let byte = match &values[1] {
                    Whole::Scalar(value) => self.store.pool.bv_extract(value.term, 7, 0),
                    _ => self.any(8).term,
                };
                self.fill(arguments[0], to, byte, bytes, edge.span);
                Some(to)
            }
            ("bzero", &[to, bytes]) => {
                let zero = self.store.pool.bv(0u8, 8);
                self.fill(arguments[0], to, zero, bytes, edge.span);
                None
            }
            _ => {
                if call_effect(program, details, arguments) == Effect::Memory {
                    self.write_anything(function, arguments, edge.span);
                }
                self.own_result(function)
            }
        }
    }

    /// An argument as a number of the width of an address.
    fn as_number(&mut self, id: ExprId, value: &Whole) -> Term {
        match value {
            Whole::Scalar(value) => self.resized(value.term, self.program.exprs[id].ty, self.pointer_width),
            _ => self.any(self.pointer_width).term,
        }
    }

    /// A product, and whether it is the exact one.
    fn product(&mut self, count: Term, size: Term) -> (Term, Term) {
        let overflows = self.store.pool.bv_mul_overflows(count, size, false);
        (self.store.pool.bv_mul(count, size), self.store.pool.not(overflows))
    }

    /// New memory, or null where no object can be so large.
    fn allocate(&mut self, size: Term, is_exact: Term, align: u64, filling: Filling) -> Term {
        let largest = self.number(self.program.types.model().largest_object());
        let fits = self.store.pool.bv_ule(size, largest);
        let mut is_there = self.store.pool.and2(is_exact, fits);
        if self.store.pool.as_bool(is_there) == Some(false) {
            return self.number(0);
        }
        let is_null = self.store.pool.not(is_there);
        let is_null = self.store.pool.and2(self.state.guard, is_null);
        if self.is_impossible(is_null) == Ok(true) {
            is_there = self.store.pool.top();
        }
        let before = self.state.guard;
        self.state.guard = self.store.pool.and2(before, is_there);
        let object = self.begin(Kind::Heap, Some(size), align, filling);
        self.limit_size(object, self.state.guard);
        self.state.guard = before;
        if let Some(new) = self.state.object(object) {
            let content = new.content.clone();
            self.state.set_object(object, Rc::new(Object { alive: is_there, content }));
        }
        let (address, null) = (self.address(object), self.number(0));
        self.store.pool.ite(is_there, address, null)
    }

    /// The result of a function that returns memory of the library, if it is one.
    fn own_result(&mut self, function: FunctionId) -> Option<Term> {
        use rorqual_models::library::Returned;
        let entry = library_entry(&self.program.functions[function])?;
        if entry.returned != Returned::Own {
            return None;
        }
        let (address, null) = (self.outside_address(), self.number(0));
        let is_there = self.store.pool.fresh_symbol("own", Sort::Bool);
        Some(self.store.pool.ite(is_there, address, null))
    }

    /// Whether a pointer can be given to `free`.
    pub(super) fn can_be_freed(&mut self, cases: &[Case]) -> Term {
        let null = self.number(0);
        let mut ways = Vec::new();
        for &case in cases {
            let is_start = self.store.pool.eq(case.offset, null);
            let way = match case.pointee {
                Pointee::Nothing => is_start,
                Pointee::Object(object) if self.objects.get(object).kind == Kind::Heap => {
                    let alive = self.is_alive(object);
                    self.store.pool.and2(alive, is_start)
                }
                _ => continue,
            };
            ways.push(self.store.pool.and2(case.guard, way));
        }
        self.store.pool.or(&ways)
    }

    fn free(&mut self, argument: ExprId, pointer: Term, span: Span) {
        let cases = self.cases(pointer);
        for case in cases.iter().filter(|case| case.pointee == Pointee::Unknown) {
            let what = "a pointer is freed of which it is not known where it points to";
            self.not_followed(case.guard, what, span);
        }
        let valid = self.can_be_freed(&cases);
        self.require(Hazard::Free(argument), valid);
        for &case in cases.iter() {
            if let Pointee::Object(object) = case.pointee
                && self.objects.get(object).kind == Kind::Heap
            {
                self.end(object, case.guard);
            }
        }
    }

    /// Always moves. A size of zero frees; one that is too large leaves the old object as it is.
    fn reallocate(&mut self, argument: ExprId, old: Term, size: Term, is_exact: Term, span: Span) -> Term {
        let (null, largest) = (self.number(0), self.number(self.program.types.model().largest_object()));
        let fits = self.store.pool.bv_ule(size, largest);
        let fits = self.store.pool.and2(is_exact, fits);
        let is_empty = self.store.pool.eq(size, null);
        let is_null = self.compare(rorqual_cfa::BinaryOp::Eq, old, null, true);
        let only_frees = self.store.pool.not(is_null);
        let only_frees = self.store.pool.and2(only_frees, is_empty);
        let is_moved = self.store.pool.not(only_frees);
        let is_moved = self.store.pool.and2(is_moved, fits);
        let cases = self.cases(old);
        let content = self.kept(&cases, size);
        // What is too large is not freed, but must be such that it could be.
        let freed = self.store.pool.ite(fits, old, null);
        let valid = self.can_be_freed(&cases);
        self.require(Hazard::Free(argument), valid);
        self.free(argument, freed, span);
        let filling = self.store.unknown(false);
        let result = self.allocate(size, is_moved, MAXIMUM_ALIGN, filling);
        if let Some(content) = content {
            for &case in self.cases(result).iter() {
                if let Pointee::Object(object) = case.pointee {
                    self.set_content(object, content.clone());
                }
            }
        }
        result
    }

    /// What a new object of a size contains that is made from an old one. What lies behind the old one is not known.
    fn kept(&mut self, cases: &[Case], size: Term) -> Option<Content> {
        let mut kept: Option<Content> = None;
        for &case in cases {
            let Pointee::Object(object) = case.pointee else { continue };
            let Some(content) = self.content(object) else { continue };
            let (old, new) = (self.constant_size(object), self.constant(size));
            let content = match (old, new) {
                (Some(old), new) => {
                    let (bytes, mut all) =
                        (new.map_or(old, |new| new.min(old)), Content::filled(self.store.unknown(false)));
                    let block = content.extract(&mut self.store, 0, bytes);
                    all.insert(&mut self.store, 0, bytes, new, &block);
                    all
                }
                _ => Content::filled(self.store.unknown(true)),
            };
            kept = Some(match kept {
                None => content,
                Some(other) => Content::merged(&mut self.store, case.guard, &content, &other),
            });
        }
        // From a null pointer, all of it is new.
        let is_new = cases.iter().find(|case| case.pointee == Pointee::Nothing);
        match (kept, is_new) {
            (Some(kept), Some(case)) => {
                let new = Content::filled(self.store.unknown(false));
                Some(Content::merged(&mut self.store, case.guard, &new, &kept))
            }
            (kept, _) => kept,
        }
    }

    /// Requires that a block is valid; one that goes nobody knows where is not written.
    fn check_block(&mut self, argument: ExprId, cases: &[Case], bytes: Term, access: Access, span: Span) {
        let none = self.number(0);
        let is_empty = self.store.pool.eq(bytes, none);
        if access == Access::Write {
            let is_access = self.store.pool.not(is_empty);
            for case in cases.iter().filter(|case| case.pointee == Pointee::Unknown) {
                let condition = self.store.pool.and2(case.guard, is_access);
                let what = "a write through a pointer of which it is not known where it points to";
                self.not_followed(condition, what, span);
            }
        }
        let valid = self.is_valid(cases, bytes, access);
        let valid = self.store.pool.or2(valid, is_empty);
        self.require(Hazard::Block(argument), valid);
    }

    fn copy(&mut self, [to, from]: [ExprId; 2], [target, source]: [Term; 2], bytes: Term, span: Span) {
        let (target, source) = (self.cases(target), self.cases(source));
        self.check_block(from, &source, bytes, Access::Read, span);
        self.check_block(to, &target, bytes, Access::Write, span);
        match self.constant(bytes) {
            Some(0) => {}
            Some(bytes) => {
                let block = self.read_block(&source, bytes);
                self.write_block(&target, bytes, &block);
            }
            None => {
                let Some(most) = self.longest(&target, bytes) else { return self.forget_all(&target) };
                // All is read before anything is written.
                let mut values = Vec::new();
                for at in 0..most {
                    let by = self.number(at);
                    let cases = self.moved(&source, by);
                    values.push(self.read(&cases, 1, false));
                }
                self.write_run(&target, bytes, &values);
            }
        }
    }

    fn fill(&mut self, to: ExprId, target: Term, byte: Term, bytes: Term, span: Span) {
        let target = self.cases(target);
        self.check_block(to, &target, bytes, Access::Write, span);
        let value = Value { term: byte, set: self.store.pool.top() };
        match self.constant(bytes) {
            Some(0) => {}
            Some(bytes) => {
                let is_zero = self.constant(byte) == Some(0);
                let mut block = Content::zero();
                if !is_zero && bytes <= super::LARGEST_BLOCK {
                    for at in 0..bytes {
                        block.write(&mut self.store, at, 1, value);
                    }
                } else if !is_zero {
                    block = Content::filled(self.store.unknown(true));
                }
                self.write_block(&target, bytes, &block);
            }
            None => {
                let Some(most) = self.longest(&target, bytes) else { return self.forget_all(&target) };
                self.write_run(&target, bytes, &vec![value; most as usize]);
            }
        }
    }

    /// How many bytes may be written, if that are not too many: no more than the largest of the objects has.
    fn longest(&mut self, cases: &[Case], _bytes: Term) -> Option<u64> {
        let mut most = 0;
        for case in cases {
            if let Pointee::Object(object) = case.pointee {
                most = most.max(self.most_size(object)?);
            }
        }
        (most <= LONGEST_RUN).then_some(most)
    }

    /// Writes the first bytes of some.
    fn write_run(&mut self, target: &[Case], bytes: Term, values: &[Value]) {
        for (at, &value) in values.iter().enumerate() {
            let by = self.number(at as u64);
            let is_written = self.store.pool.bv_ult(by, bytes);
            let mut cases = self.moved(target, by).to_vec();
            for case in &mut cases {
                case.guard = self.store.pool.and2(case.guard, is_written);
            }
            self.write(&cases, 1, value);
        }
    }

    fn forget_all(&mut self, cases: &[Case]) {
        for &case in cases {
            if let Pointee::Object(object) = case.pointee {
                self.forget(object, case.guard);
            }
        }
    }

    /// What a function of the library may write gets any value.
    fn write_anything(&mut self, function: FunctionId, arguments: &[ExprId], span: Span) {
        let details = &self.program.functions[function];
        let always = self.store.pool.top();
        let Some(writes) = written_arguments(self.program, details, arguments) else {
            let what = format!("a call of `{}`, which may write anything,", details.name);
            return self.not_followed(always, &what, span);
        };
        for write in writes {
            let address = self.index(write.argument);
            if write.extent != Extent::Pointee {
                self.forget_exposed();
                continue;
            }
            let cases = self.cases(address);
            for case in cases.iter().filter(|case| case.pointee == Pointee::Unknown) {
                let what = format!("a call of `{}` with a pointer that is not known", details.name);
                self.not_followed(case.guard, &what, span);
            }
            self.forget_all(&cases);
        }
    }

    /// Something that is not followed may write all that a pointer may point to, and call all functions that one may point
    /// to. What it can reach from what it is given is not told apart: memory that something unknown was written to may
    /// contain any of these pointers.
    pub(super) fn clobber(&mut self, origin: &str, span: Span) {
        let always = self.store.pool.top();
        for object in self.objects.ids() {
            if let Kind::Function(function) = self.objects.get(object).kind
                && self.program.functions[function].body.is_some()
            {
                let called = &self.program.functions[function].name;
                self.not_followed(always, &format!("a call of `{called}` by `{origin}`"), span);
            }
        }
        self.forget_exposed();
    }

    /// Everything that a pointer may point to gets any value.
    fn forget_exposed(&mut self) {
        let always = self.store.pool.top();
        for object in self.objects.ids() {
            let is_exposed = match self.objects.get(object).kind {
                Kind::Variable(variable) => self.program.variables[variable].address_taken,
                _ => true,
            };
            if is_exposed {
                self.forget(object, always);
            }
        }
    }
}
