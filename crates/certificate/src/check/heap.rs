//! Allocated memory: what `malloc` and its like return, and what is read and written there.
//!
//! All of it lies between the start of the heap and the cell `heap.top`; addresses are never used again. So new
//! memory has any content without a change to any cell. What is accessed at one place belongs to one class of
//! objects, whose cells are arrays from addresses to values (`docs/formats/certificate.md`).

use rorqual_cfa::{EdgeId, ExprId, Function, FunctionId, PlaceId, Type, TypeId};
use rorqual_logic::{Sort, Term};
use rorqual_memory::{ClassId, Object, Targets, bare_name, given_start, heap_start};

use super::facet::Faceted;
use super::memory::Access;
use super::reach::Pointed;
use super::slice::Slice;
use super::step::Step;
use crate::cells::{CellId, ClassCells, Facet, Ledger};
use crate::leaves::{self, Leaf, LeafKind};

/// More zeros are not written one by one: `calloc` gives any content then.
const MOST_ZEROS: u64 = 256;

/// Where scalars of an element are: the cell, and the bits if it is a union.
type Found = Option<(CellId, Option<Slice>)>;

impl Step<'_> {
    /// Whether an address is that of allocated memory.
    pub(super) fn in_heap(&mut self, address: Term) -> Term {
        let start = heap_start(self.world.program.types.model());
        let start = self.pool.bv(start, self.world.pointer_width);
        self.pool.bv_ule(start, address)
    }

    /// Where memory from outside starts: behind all that is allocated.
    pub(super) fn start_of_outside(&mut self) -> Term {
        let start = given_start(self.world.program.types.model());
        self.pool.bv(start, self.world.pointer_width)
    }

    /// Where so many bytes of new memory are, if a condition holds.
    pub(super) fn allocate(&mut self, size: Term, is_there: Term) -> Term {
        let (width, top) = (self.world.pointer_width, self.world.cells.heap_top());
        let address = self.pool.fresh_symbol("heap", Sort::BitVec(width));
        let (zero, one) = (self.pool.bv(0u8, width), self.pool.bv(1u8, width));
        let is_empty = self.pool.eq(size, zero);
        let span = self.pool.ite(is_empty, one, size);
        let (end, before) = (self.pool.bv_add(address, span), self.get(top));
        let is_new = self.pool.bv_ule(before, address);
        let fits = self.pool.bv_ult(address, end);
        let (low, aligned) = (self.pool.bv_extract(address, 3, 0), self.pool.bv(0u8, 4));
        let is_aligned = self.pool.eq(low, aligned);
        let mut room = vec![is_new, fits, is_aligned];
        if self.world.cells.has_memory_checks() {
            let outside = self.start_of_outside();
            room.push(self.pool.bv_ule(end, outside));
        }
        for one in room {
            let one = self.pool.implies(is_there, one);
            self.conditions.push(one);
        }
        let after = self.pool.ite(is_there, end, before);
        self.set(top, after);
        self.births.allocated.insert(address, size);
        address
    }

    /// A call of a function that returns new memory, or null where no object can be so large.
    pub(super) fn call_allocator(
        &mut self,
        function: &Function,
        site: (FunctionId, EdgeId),
        target: Option<PlaceId>,
        arguments: &[ExprId],
    ) {
        let name = bare_name(function);
        let mut given = Vec::new();
        for &argument in arguments {
            given.push(self.index(argument));
        }
        let (size, fits) = self.asked_size(name, &given);
        let mut is_there = fits;
        if let ("realloc" | "reallocarray", Some(&old)) = (name, given.first()) {
            let null = self.pool.bv(0u8, self.world.pointer_width);
            let freed = self.pool.ite(fits, old, null);
            self.free(freed);
            let is_moved = self.is_moved(old, size);
            is_there = self.pool.and2(is_moved, fits);
        }
        let new = self.allocate(size, is_there);
        if name == "calloc" && self.pool.as_bool(is_there) == Some(true) {
            self.clear(Object::Heap(site.0, site.1), new, size);
        }
        let lives = if name == "alloca" { Ledger::StackLives } else { Ledger::HeapLives };
        self.begin(lives, new, size, is_there);
        let null = self.pool.bv(0u8, self.world.pointer_width);
        let result = self.pool.ite(is_there, new, null);
        let result = self.start(result);
        self.return_pointer(function, target, &result);
    }

    /// How many bytes an allocator is asked for, and whether an object can have so many.
    fn asked_size(&mut self, name: &str, given: &[Term]) -> (Term, Term) {
        let largest = self.world.program.types.model().largest_object();
        let largest = self.pool.bv(largest, self.world.pointer_width);
        let (size, is_exact) = match (name, given) {
            // What is too large for the stack ends the execution, which verdicts name.
            ("alloca", &[size, ..]) => return (size, self.pool.top()),
            ("malloc", &[size, ..]) | ("realloc" | "aligned_alloc" | "memalign", &[_, size, ..]) => {
                (size, self.pool.top())
            }
            ("calloc", &[count, size, ..]) | ("reallocarray", &[_, count, size, ..]) => {
                let overflows = self.pool.bv_mul_overflows(count, size, false);
                (self.pool.bv_mul(count, size), self.pool.not(overflows))
            }
            _ => (self.pool.fresh_symbol("any", Sort::BitVec(self.world.pointer_width)), self.pool.top()),
        };
        let is_possible = self.pool.bv_ule(size, largest);
        (size, self.pool.and2(is_exact, is_possible))
    }

    /// Whether `realloc` returns an object, and does not only free the old one.
    fn is_moved(&mut self, old: Term, size: Term) -> Term {
        let zero = self.pool.bv(0u8, self.world.pointer_width);
        let (is_empty, is_old) = (self.pool.eq(size, zero), self.pool.ne(old, zero));
        let frees = self.pool.and2(is_empty, is_old);
        self.pool.not(frees)
    }

    /// Stores an address that a function of the library returns.
    pub(super) fn return_pointer(&mut self, function: &Function, target: Option<PlaceId>, address: &Faceted) {
        let Some(target) = target else { return };
        let types = &self.world.program.types;
        let result = match types.get(function.ty) {
            Type::Function { result, .. } => Some(*result),
            _ => None,
        };
        let is_whole = |ty: &TypeId| {
            types.is_scalar(*ty)
                && !matches!(types.get(*ty), Type::Float(_))
                && types.width(*ty) == self.world.pointer_width
        };
        match result.filter(is_whole) {
            Some(result) => self.deliver(target, address, Some(result)),
            None => self.havoc(target),
        }
    }

    /// Writes zeros to a new object, if its size is known and small.
    fn clear(&mut self, object: Object, address: Term, size: Term) {
        let world = self.world;
        let Some(class) = world.cells.memory().class_of(object) else { return };
        let Some(size) = self.pool.as_bits(size).and_then(rorqual_logic::Bits::to_u64) else { return };
        match world.cells.class(class) {
            ClassCells::Bytes(cell) => {
                self.clear_cells(*cell, 8, address, (0..size.min(MOST_ZEROS)).collect());
            }
            ClassCells::Elements { ty, leaves } => {
                let step = world.program.types.size_of(*ty).unwrap_or(1).max(1);
                for (leaf, cell) in leaves {
                    let inner = leaf.count().unwrap_or(0);
                    let all = (0..(size / step).min(MOST_ZEROS))
                        .flat_map(|element| (0..inner).map(move |at| (element, at)))
                        .take(MOST_ZEROS as usize)
                        .map(|(element, at)| element * step + leaf.displacement(at));
                    self.clear_cells(*cell, leaf.width, address, all.collect());
                }
            }
        }
    }

    fn clear_cells(&mut self, cell: CellId, width: u32, address: Term, offsets: Vec<u64>) {
        let indices: Vec<Term> = offsets
            .into_iter()
            .map(|offset| {
                let offset = self.pool.bv(offset, self.world.pointer_width);
                self.pool.bv_add(address, offset)
            })
            .collect();
        for facet in [Facet::Base, Facet::Written, Facet::Content] {
            self.on(facet, |step| {
                let zero = step.plain(facet, Sort::BitVec(width));
                let mut content = step.get(cell);
                for &index in &indices {
                    content = step.pool.store(content, index, zero);
                }
                step.set(cell, content);
            });
        }
    }

    /// An element of an array at an address. An index that leaves an array inside of an element finds other members.
    pub(super) fn element_at(&mut self, base: Pointed, array: TypeId, index: Term, stride: u64) -> Pointed {
        let width = self.world.pointer_width;
        let factor = self.pool.bv(stride, width);
        let bytes = self.pool.bv_mul(index, factor);
        let address = self.pool.bv_add(base.address, bytes);
        let (mut at, mut within) = (base.at, base.within);
        if let Some(class) = base.reach.class() {
            if self.is_in_union(class, base.at, array) {
                let distance = self.pool.as_bits(bytes).and_then(rorqual_logic::Bits::to_u64);
                at = at.zip(distance).and_then(|(at, distance)| at.checked_add(distance));
            } else if let (Type::Array { length: Some(length), .. }, false) =
                (self.world.program.types.get(array), self.is_outermost(class, array))
            {
                let length = self.pool.bv(*length, width);
                let inside = self.pool.bv_ult(index, length);
                within = self.pool.and2(within, inside);
            }
        }
        Pointed { address, reach: base.reach, at, within, valid: base.valid }
    }

    /// Whether a part of an element is, or may be, a part of a union.
    fn is_in_union(&self, class: ClassId, at: Option<u64>, ty: TypeId) -> bool {
        let types = &self.world.program.types;
        let (ClassCells::Elements { leaves, .. }, Some(at)) = (self.world.cells.class(class), at) else {
            return false;
        };
        leaves.iter().any(|(leaf, _)| {
            let size = leaf.bytes(types);
            let covers = leaf.offset <= at && at < leaf.offset + size;
            leaf.kind == LeafKind::Union && covers && types.size_of(ty).is_none_or(|own| own <= size)
        })
    }

    /// Whether a leaf of an object at an address is a part of a union in allocated memory.
    pub(super) fn is_union_part(&self, pointed: &Pointed, leaf: &Leaf) -> bool {
        let at = pointed.at.map(|at| at + leaf.offset);
        let is_whole = |class| self.is_in_union(class, at, leaf.ty) && !leaf.dimensions.is_empty();
        pointed.reach.class().is_some_and(is_whole)
    }

    /// Whether bytes of an object in allocated memory that belong to no leaf fall on such bytes of an element.
    pub(super) fn has_same_gaps(&self, pointed: &Pointed, ty: TypeId) -> bool {
        let types = &self.world.program.types;
        let Some((class, at)) = pointed.reach.class().zip(pointed.at) else {
            return pointed.reach.classes.is_empty() && !pointed.reach.unknown;
        };
        let ClassCells::Elements { ty: element, .. } = self.world.cells.class(class) else { return false };
        leaves::parts(types, *element, ty).iter().any(|part| part.offset == at)
    }

    /// Gives objects any value.
    pub(super) fn forget_objects(&mut self, targets: &Targets) {
        let (world, scope) = (self.world, self.scope.clone());
        for object in targets.objects() {
            match (object, world.cells.memory().class_of(object)) {
                (_, Some(class)) => {
                    world.cells.class(class).cells().into_iter().for_each(|cell| self.forget_cell(cell));
                }
                (Object::Variable(variable), None) if scope.contains(&variable) => self.forget(variable),
                _ => {}
            }
        }
    }

    /// Gives everything that a pointer may point to any value.
    pub(super) fn forget_pointed(&mut self, pointed: &Pointed) {
        let scope = self.scope.clone();
        for &variable in scope.iter().filter(|&&variable| pointed.reach.has(variable)) {
            self.forget(variable);
        }
        self.forget_allocated(pointed);
    }

    /// Whether the elements of a class are such arrays: behind the end of one lies the next one.
    fn is_outermost(&self, class: ClassId, array: TypeId) -> bool {
        let ClassCells::Elements { ty, .. } = self.world.cells.class(class) else { return false };
        let mut ty = *ty;
        while let Type::Array { element, .. } = self.world.program.types.get(ty) {
            if ty == array {
                return true;
            }
            ty = *element;
        }
        false
    }

    /// What is read if there is allocated memory at an address, else another value.
    pub(super) fn load_allocated(&mut self, pointed: &Pointed, access: Access, other: Term) -> Term {
        let Some(class) = pointed.reach.class() else { return other };
        let world = self.world;
        let (value, within) = match world.cells.class(class) {
            ClassCells::Bytes(cell) if world.vague.contains(cell) => return other,
            ClassCells::Bytes(cell) => {
                let content = self.get(*cell);
                let Some(value) = self.bytes_at(content, pointed.address, access) else { return other };
                (value, self.pool.top())
            }
            ClassCells::Elements { leaves, .. } => {
                let Some((cell, slice)) = self.part_of(leaves, pointed.at, access) else { return other };
                let index = self.part_index(pointed);
                (self.content(cell, Some(index), slice, access), pointed.within)
            }
        };
        let is_there = self.reads_allocated(pointed);
        let is_there = self.pool.and2(is_there, within);
        let value = self.allocated_value(value, other);
        self.pool.ite(is_there, value, other)
    }

    /// Writes a scalar if there is allocated memory at an address.
    pub(super) fn store_allocated(&mut self, pointed: &Pointed, access: Access, value: Term) {
        let Some(class) = pointed.reach.class() else { return self.forget_allocated(pointed) };
        let is_there = self.writes_allocated(pointed);
        let world = self.world;
        match world.cells.class(class) {
            ClassCells::Bytes(cell) => {
                let old = self.get(*cell);
                let Some(new) = self.with_bytes(old, pointed.address, access, value) else {
                    return self.forget_allocated(pointed);
                };
                let new = self.pool.ite(is_there, new, old);
                self.set(*cell, new);
            }
            ClassCells::Elements { leaves, .. } => {
                let Some((cell, slice)) = self.part_of(leaves, pointed.at, access) else {
                    return self.forget_allocated(pointed);
                };
                if self.pool.as_bool(pointed.within) != Some(true) {
                    self.forget_beyond(pointed, is_there);
                }
                let is_here = self.pool.and2(is_there, pointed.within);
                let index = self.part_index(pointed);
                let (old, new) = (self.get(cell), self.updated(cell, Some(index), slice, value));
                let new = self.pool.ite(is_here, new, old);
                self.set(cell, new);
            }
        }
    }

    /// A write that leaves an array inside of an element may change any other member.
    fn forget_beyond(&mut self, pointed: &Pointed, is_there: Term) {
        let elsewhere = self.pool.not(is_there);
        let kept = self.pool.or2(elsewhere, pointed.within);
        for cell in self.reached_cells(pointed) {
            self.forget_cell_unless(kept, cell);
        }
    }

    /// Gives all allocated memory that a pointer may point to any value.
    pub(super) fn forget_allocated(&mut self, pointed: &Pointed) {
        let is_there = self.in_heap(pointed.address);
        let elsewhere = self.pool.not(is_there);
        for cell in self.reached_cells(pointed) {
            self.forget_cell_unless(elsewhere, cell);
        }
    }

    fn reached_cells(&self, pointed: &Pointed) -> Vec<CellId> {
        if pointed.reach.unknown {
            return self.world.cells.allocated();
        }
        pointed.reach.classes.iter().flat_map(|&class| self.world.cells.class(class).cells()).collect()
    }

    /// The index of what is accessed: its address, less its offset in the first elements of arrays.
    fn part_index(&mut self, pointed: &Pointed) -> Term {
        let at = self.pool.bv(pointed.at.unwrap_or(0), self.world.pointer_width);
        self.pool.bv_sub(pointed.address, at)
    }

    /// The cell that a part of elements is in.
    fn part_of(&mut self, leaves: &[(Leaf, CellId)], at: Option<u64>, access: Access) -> Found {
        let (at, width) = (at?, self.stored_width(access));
        for (leaf, cell) in leaves {
            match (leaf.kind, access.bits) {
                (LeafKind::Scalar, None) if leaf.offset == at && leaf.width == width => {
                    return Some((*cell, None));
                }
                (LeafKind::BitField(own), Some(range)) if leaf.offset == at && own == range => {
                    return Some((*cell, None));
                }
                (LeafKind::Union, bits) if leaf.offset <= at => {
                    let start = self.pool.bv(at - leaf.offset, self.world.pointer_width);
                    let bits = (bits.map_or(0, |range| range.start), width);
                    let (inside, slice) = self.slice(leaf.width, start, bits);
                    if self.pool.as_bool(inside) == Some(true) {
                        return Some((*cell, Some(slice)));
                    }
                }
                _ => {}
            }
        }
        None
    }
}
