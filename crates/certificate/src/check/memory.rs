//! Places: where they are, what is read from them, and what changes when they are written.
//!
//! A place that is named from a variable on is a part of that variable's cells: this file. A place behind
//! a pointer is looked for by its address: `pointer.rs`. Structures and arrays as a whole are taken apart
//! into scalars: `aggregate.rs`.

use std::rc::Rc;

use rorqual_cfa::{
    BitRange, ExprId, Hazard, IntKind, PlaceId, PlaceKind, RecordKind, Type, TypeId, VariableId,
};
use rorqual_logic::{Sort, Term};

use super::reach::{Pointed, Reach};
use super::slice::Slice;
use super::step::Step;
use crate::cells::{CellId, Facet, object_size};
use crate::leaves::{joined, member, union_width};

/// Where a place is.
#[derive(Debug, Clone)]
pub(super) enum Site {
    /// A part of a variable.
    Named(Named),
    /// At an address, from which on the bits of a bit-field count.
    Address(Pointed),
}

/// A part of a variable.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) variable: VariableId,
    /// The name of the cell, or the start of the names of several.
    pub(super) path: String,
    /// Which element of the path's arrays, counted through.
    pub(super) position: Option<Term>,
    /// Where the part starts, in bytes from the start of the variable.
    pub(super) offset: Term,
    /// How many elements the innermost run of arrays in arrays has, if that is known.
    pub(super) run: Option<u64>,
    /// The position in that run.
    pub(super) run_position: Option<Term>,
    /// Whether the outer runs are left inside of their bounds.
    pub(super) outer_bounds: Term,
    /// The part of a union that the path ends with.
    pub(super) union: Option<UnionPart>,
}

/// A part of a union: of the cell that the path names.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnionPart {
    /// The first byte, if the union has a cell.
    pub(super) start: Option<Term>,
}

/// Where an access by a path may be.
struct Extent {
    /// The path names what is accessed.
    named_here: Term,
    /// Otherwise, the access is somewhere in the variable: an index that leaves an array in a structure may find other
    /// members. None if such an access is outside of the variable, and at a position of the cell that nothing reads.
    inside: Option<Term>,
}

/// One scalar to be accessed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    pub(super) ty: TypeId,
    pub(super) bits: Option<BitRange>,
}

impl Step<'_> {
    /// Finds a place.
    pub(super) fn site(&mut self, id: PlaceId) -> Site {
        let world = self.world;
        let place = &world.program.places[id];
        match place.kind {
            PlaceKind::Variable(variable) => Site::Named(self.whole(variable)),
            PlaceKind::Text(text) => {
                let (address, reach) = (self.text_address(text), Rc::new(Reach::of_text(text)));
                Site::Address(Pointed { address, reach, at: None, within: self.pool.top(), valid: None })
            }
            PlaceKind::Deref(pointer) => Site::Address(self.pointed(pointer)),
            PlaceKind::Member { base, field } => {
                let site = self.site(base);
                self.member_site(site, world.program.places[base].ty, field as usize)
            }
            PlaceKind::Element { base, index } => {
                let stride = world.program.types.size_of(place.ty).unwrap_or(0);
                let array = world.program.places[base].ty;
                let (site, index) = (self.site(base), self.index(index));
                match site {
                    Site::Address(pointed) => Site::Address(self.element_at(pointed, array, index, stride)),
                    Site::Named(named) => Site::Named(self.element(named, array, index, stride)),
                }
            }
        }
    }

    /// Where a pointer points to.
    pub(super) fn pointed(&mut self, pointer: ExprId) -> Pointed {
        let (address, top) = (self.eval(pointer), self.pool.top());
        self.world.pointed(pointer, address, top)
    }

    pub(super) fn whole(&mut self, variable: VariableId) -> Named {
        let start = self.pool.bv(0u8, self.world.pointer_width);
        let union = self.world.cells.is_bytes(variable).then_some(UnionPart { start: Some(start) });
        Named {
            variable,
            path: self.world.cells.name(variable).to_owned(),
            position: None,
            offset: self.pool.bv(0u8, self.world.pointer_width),
            run: Some(1),
            run_position: None,
            outer_bounds: self.pool.top(),
            union,
        }
    }

    pub(super) fn member_site(&mut self, site: Site, ty: TypeId, number: usize) -> Site {
        let types = &self.world.program.types;
        let Some(id) = types.as_record(ty) else { return site };
        let record = types.record(id);
        let field = &record.fields[number];
        let bytes = self.pool.bv(field.offset, self.world.pointer_width);
        let mut named = match site {
            Site::Address(mut pointed) => {
                pointed.address = self.pool.bv_add(pointed.address, bytes);
                pointed.at = pointed.at.map(|at| at + field.offset);
                return Site::Address(pointed);
            }
            Site::Named(named) => named,
        };
        named.offset = self.pool.bv_add(named.offset, bytes);
        match (&mut named.union, record.kind) {
            (Some(part), _) => part.start = part.start.map(|start| self.pool.bv_add(start, bytes)),
            (None, RecordKind::Struct) => {
                named.outer_bounds = self.bounds(&named);
                (named.run, named.run_position) = (Some(1), None);
                named.path.push_str(&member(field, number));
            }
            (None, RecordKind::Union) => {
                named.union = Some(UnionPart { start: union_width(types, id).map(|_| bytes) });
            }
        }
        Site::Named(named)
    }

    pub(super) fn element(&mut self, mut named: Named, array: TypeId, index: Term, stride: u64) -> Named {
        let width = self.world.pointer_width;
        let Type::Array { length, .. } = *self.world.program.types.get(array) else { return named };
        let factor = self.pool.bv(stride, width);
        let bytes = self.pool.bv_mul(index, factor);
        named.offset = self.pool.bv_add(named.offset, bytes);
        if let Some(part) = &mut named.union {
            part.start = part.start.map(|start| self.pool.bv_add(start, bytes));
            return named;
        }
        let counted = |step: &mut Self, position: Option<Term>| match position {
            None => index,
            Some(position) => {
                let length = step.pool.bv(length.unwrap_or(0), width);
                let rows = step.pool.bv_mul(position, length);
                step.pool.bv_add(rows, index)
            }
        };
        named.position = Some(counted(self, named.position));
        named.run_position = Some(counted(self, named.run_position));
        named.run = named.run.zip(length).and_then(|(run, length)| run.checked_mul(length));
        named.path = joined(&named.path, "[]");
        named
    }

    /// Whether every element on the way is inside of its array. Arrays in arrays count as one, as they
    /// do in memory; a length that is not known bounds nothing.
    pub(super) fn bounds(&mut self, named: &Named) -> Term {
        let (Some(position), Some(run)) = (named.run_position, named.run) else {
            return named.outer_bounds;
        };
        let length = self.pool.bv(run, self.world.pointer_width);
        let inner = self.pool.bv_ult(position, length);
        self.pool.and2(named.outer_bounds, inner)
    }

    /// Requires that an access to a part of a variable is defined.
    fn extent(&mut self, named: &Named, in_cell: Term, bytes: u64) -> Extent {
        let bounds = self.bounds(named);
        let named_here = self.pool.and2(bounds, in_cell);
        let inner = named.path.strip_prefix(self.world.cells.name(named.variable));
        let is_element =
            inner.and_then(|path| path.strip_prefix("[]")).is_some_and(|rest| !rest.contains('['));
        // The only array is the variable itself.
        if is_element && named.union.is_none() {
            self.require(named_here);
            return Extent { named_here, inside: None };
        }
        let inside = match object_size(self.world.program, named.variable) {
            Some(size) => {
                let last = self.pool.bv(size.saturating_sub(bytes), self.world.pointer_width);
                self.pool.bv_ule(named.offset, last)
            }
            None => self.pool.top(),
        };
        let defined = self.pool.or2(named_here, inside);
        self.require(defined);
        Extent { named_here, inside: Some(inside) }
    }

    /// The address of a place.
    pub(super) fn address_of(&mut self, id: PlaceId) -> Term {
        match self.site(id) {
            Site::Address(pointed) => pointed.address,
            Site::Named(named) => {
                let base = self.get(self.world.cells.address(named.variable));
                self.pool.bv_add(base, named.offset)
            }
        }
    }

    pub(super) fn access(&self, id: PlaceId) -> Access {
        let program = self.world.program;
        let place = &program.places[id];
        let bits = match place.kind {
            PlaceKind::Member { base, field } => {
                let record = program.types.as_record(program.places[base].ty);
                record.and_then(|record| program.types.record(record).fields[field as usize].bits)
            }
            _ => None,
        };
        Access { ty: place.ty, bits }
    }

    /// The value of a scalar place.
    pub(super) fn load(&mut self, id: PlaceId) -> Term {
        let (access, site) = (self.access(id), self.accessed(id));
        let stored = self.during(Hazard::Access(id), |step| {
            let stored = step.load_site(&site, access);
            let may_differ = step.world.truths.may_differ(id);
            let always = step.pool.top();
            if may_differ { step.truth_value(stored, access, always) } else { stored }
        });
        let width = self.world.width(access.ty);
        if access.bits.is_none() || self.pool.width(stored) >= width {
            stored
        } else if self.world.program.types.is_unsigned(access.ty) {
            self.pool.bv_zero_extend(stored, width)
        } else {
            self.pool.bv_sign_extend(stored, width)
        }
    }

    /// What is read of a scalar at a site.
    pub(super) fn load_site(&mut self, site: &Site, access: Access) -> Term {
        match site {
            Site::Named(named) => self.load_named(named, access),
            Site::Address(pointed) => self.load_address(pointed, access),
        }
    }

    /// Stores a scalar in a place.
    pub(super) fn store(&mut self, id: PlaceId, value: Term) {
        let (access, site) = (self.access(id), self.accessed(id));
        self.during(Hazard::Access(id), |step| step.store_site(&site, access, value));
    }

    pub(super) fn store_site(&mut self, site: &Site, access: Access, value: Term) {
        let width = self.stored_width(access);
        let mut value = self.pool.bv_extract(value, width - 1, 0);
        // Bits of a `long double` that carry no value are not copied.
        if let Type::Float(kind) = self.world.program.types.get(access.ty)
            && kind.value_bits() < width
        {
            value = self.pool.fresh_symbol("any", Sort::BitVec(width));
        }
        match site {
            Site::Named(named) => self.store_named(named, access, value),
            Site::Address(pointed) => self.store_address(pointed, access, value),
        }
    }

    /// How many bits of memory an access concerns.
    pub(super) fn stored_width(&self, access: Access) -> u32 {
        access.bits.map_or_else(|| self.world.width(access.ty), |range| range.width)
    }

    pub(super) fn bytes(&self, access: Access) -> u64 {
        match access.bits {
            Some(range) => u64::from((range.start + range.width).div_ceil(8)),
            None => self.world.program.types.size_of(access.ty).unwrap_or(0),
        }
    }

    pub(super) fn unknown(&mut self, access: Access) -> Term {
        let width = self.stored_width(access);
        self.pool.fresh_symbol("any", Sort::BitVec(width))
    }

    /// The cell that a path names, the bits of it that an access concerns if it is a part of a union, and whether
    /// they lie in the cell.
    fn named_cell(&mut self, named: &Named, access: Access) -> Option<(CellId, Option<Slice>, Term)> {
        let cell = self.world.cells.find(&named.path)?;
        let sort = self.world.cells.get(cell).sort;
        let ((Sort::BitVec(width), None) | (Sort::Array { element: width, .. }, Some(_))) =
            (sort, named.position)
        else {
            return None;
        };
        let wanted = self.stored_width(access);
        let Some(part) = named.union else {
            return (width == wanted).then(|| (cell, None, self.pool.top()));
        };
        let bit = access.bits.map_or(0, |range| range.start);
        let (inside, slice) = self.slice(width, part.start?, (bit, wanted));
        (self.pool.as_bool(inside) != Some(false)).then_some((cell, Some(slice), inside))
    }

    /// Requires that an access is defined whose cell is not known.
    fn lost_extent(&mut self, named: &Named, access: Access) -> Extent {
        let in_cell = self.pool.bool(named.union.is_none());
        self.extent(named, in_cell, self.bytes(access))
    }

    pub(super) fn load_named(&mut self, named: &Named, access: Access) -> Term {
        let unknown = self.unknown(access);
        let Some((cell, slice, inside)) = self.named_cell(named, access) else {
            self.lost_extent(named, access);
            return unknown;
        };
        let extent = self.extent(named, inside, self.bytes(access));
        let mut value = self.content(cell, named.position, slice, access);
        if named.union.is_some() {
            value = self.truth_value(value, access, extent.named_here);
        }
        self.pool.ite(extent.named_here, value, unknown)
    }

    /// A `_Bool` that is read where something else may have been written, if a condition holds: unless it is 0 or 1, it
    /// may be either.
    pub(super) fn truth_value(&mut self, value: Term, access: Access, condition: Term) -> Term {
        let is_bool = self.world.program.types.as_int(access.ty) == Some(IntKind::Bool);
        let Some(Hazard::Access(place)) = self.hazard.filter(|_| is_bool && access.bits.is_none()) else {
            return value;
        };
        if self.facet != Facet::Content {
            return value;
        }
        let two = self.pool.bv(2u8, self.pool.width(value));
        let is_defined = self.pool.bv_ult(value, two);
        let elsewhere = self.pool.not(condition);
        let required = self.pool.or2(elsewhere, is_defined);
        self.during(Hazard::Truth(place), |step| step.require(required));
        let any = self.any(access.ty);
        self.pool.ite(is_defined, value, any)
    }

    /// What a cell has at a position, or some bits of it.
    pub(super) fn content(
        &mut self,
        cell: CellId,
        position: Option<Term>,
        slice: Option<Slice>,
        access: Access,
    ) -> Term {
        if self.world.vague.contains(&cell) {
            return self.unknown(access);
        }
        let whole = self.get(cell);
        let element = position.map_or(whole, |position| self.pool.select(whole, position));
        self.sliced(element, slice)
    }

    pub(super) fn store_named(&mut self, named: &Named, access: Access, value: Term) {
        let Some((cell, slice, inside)) = self.named_cell(named, access) else {
            self.lost_extent(named, access);
            // The union is too large for a cell, or it is not known which part of the variable this is.
            if named.union.is_none() || self.world.cells.find(&named.path).is_some() {
                self.forget(named.variable);
            }
            return;
        };
        let Extent { named_here, inside } = self.extent(named, inside, self.bytes(access));
        let new = self.updated(cell, named.position, slice, value);
        let Some(inside) = inside else { return self.set(cell, new) };
        let outside = self.pool.not(inside);
        let kept = self.pool.or2(named_here, outside);
        if self.pool.as_bool(kept) != Some(true) {
            self.forget_unless(kept, named.variable);
        }
        let old = self.get(cell);
        let new = self.pool.ite(named_here, new, old);
        self.set(cell, new);
    }

    /// Gives all cells of a variable any value unless a condition holds.
    fn forget_unless(&mut self, condition: Term, variable: VariableId) {
        let world = self.world;
        for &(_, cell) in world.cells.leaves(variable) {
            self.forget_cell_unless(condition, cell);
        }
    }

    /// Gives a cell any value unless a condition holds.
    pub(super) fn forget_cell_unless(&mut self, condition: Term, cell: CellId) {
        for cell in self.world.cells.with_facets(cell) {
            let old = self.get_raw(cell);
            let unknown = self.pool.fresh_symbol("any", self.world.cells.get(cell).sort);
            let new = self.pool.ite(condition, old, unknown);
            self.state.set(cell, new);
        }
    }

    /// The new content of a cell of which an element, some bits, or both are replaced.
    pub(super) fn updated(
        &mut self,
        cell: CellId,
        at: Option<Term>,
        slice: Option<Slice>,
        value: Term,
    ) -> Term {
        let old = self.get(cell);
        let Some(position) = at else { return self.replaced(old, slice, value) };
        let element = self.pool.select(old, position);
        let element = self.replaced(element, slice, value);
        self.pool.store(old, position, element)
    }

    /// Gives everything that a pointer can point to any value.
    pub(super) fn forget_addressed(&mut self) {
        let scope = self.scope.clone();
        for &variable in scope.iter() {
            self.forget(variable);
        }
        for cell in self.world.cells.allocated() {
            self.forget_cell(cell);
        }
    }

    /// Gives a variable any value.
    pub(super) fn forget(&mut self, variable: VariableId) {
        let world = self.world;
        for &(_, cell) in world.cells.leaves(variable) {
            self.forget_cell(cell);
        }
    }

    pub(super) fn forget_cell(&mut self, cell: CellId) {
        for cell in self.world.cells.with_facets(cell) {
            let unknown = self.pool.fresh_symbol("any", self.world.cells.get(cell).sort);
            self.state.set(cell, unknown);
        }
    }
}
