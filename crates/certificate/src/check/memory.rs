//! Places: where they are, what is read from them, and what changes when they are written.
//!
//! A place that is named from a variable on is a part of that variable's cells. A place behind a pointer
//! may be in any object that a pointer can point to: it is there if the address lies in the object, at the
//! leaf whose bytes are exactly those that are accessed. Bytes that are only a part of a leaf, or of
//! several, read as any value, and a write to them leaves any value in every leaf that they touch. An
//! address in no object makes the access undefined.

use rorqual_cfa::{BitRange, PlaceId, PlaceKind, RecordKind, Type, TypeId, VariableId};
use rorqual_logic::{Sort, Term};

use super::step::Step;
use crate::cells::{
    self, CellId, Dimension, Leaf, LeafKind, joined, leaves, member, object_size, union_width,
};

/// Aggregates with arrays of more elements are not copied element by element: they become any value.
const LONGEST_COPY: u64 = 64;

/// With more string literals than this, a read may be anywhere but at null.
const FEW_TEXTS: usize = 8;

/// In arrays with so few elements, an element is found by comparisons: solvers find division harder.
const FEW_ELEMENTS: u64 = 8;

/// Where a place is.
#[derive(Debug, Clone)]
pub(super) enum Site {
    /// A part of a variable.
    Named(Named),
    /// At an address, from which on the bits of a bit-field count.
    Address(Term),
}

/// A part of a variable.
#[derive(Debug, Clone)]
pub(super) struct Named {
    variable: VariableId,
    /// The name of the cell, or the start of the names of several.
    path: String,
    /// Which element of the path's arrays, counted through.
    position: Option<Term>,
    /// Where the part starts, in bytes from the start of the variable.
    offset: Term,
    /// How many elements the innermost run of arrays in arrays has, if that is known.
    run: Option<u64>,
    /// The position in that run.
    run_position: Option<Term>,
    /// Whether the outer runs are left inside of their bounds.
    outer_bounds: Term,
    /// The part of a union that the path ends with.
    union: Option<UnionPart>,
}

/// A part of a union: of the cell that the path names.
#[derive(Debug, Clone, Copy)]
struct UnionPart {
    /// The first bit, if it is known and the union has a cell.
    start: Option<u32>,
}

/// One scalar to be accessed.
#[derive(Debug, Clone, Copy)]
struct Access {
    ty: TypeId,
    bits: Option<BitRange>,
}

/// An object that an address may lie in.
#[derive(Debug, Clone, Copy)]
struct Hit {
    variable: VariableId,
    /// The offset of the address in the object.
    offset: Term,
    /// Whether all bytes of the access lie in the object.
    inside: Term,
}

impl Step<'_> {
    /// Finds a place.
    pub(super) fn site(&mut self, id: PlaceId) -> Site {
        let world = self.world;
        let place = &world.program.places[id];
        match place.kind {
            PlaceKind::Variable(variable) => Site::Named(self.whole(variable)),
            PlaceKind::Text(text) => Site::Address(self.text_address(text)),
            PlaceKind::Deref(pointer) => Site::Address(self.eval(pointer)),
            PlaceKind::Member { base, field } => {
                let site = self.site(base);
                self.member_site(site, world.program.places[base].ty, field as usize)
            }
            PlaceKind::Element { base, index } => {
                let stride = world.program.types.size_of(place.ty).unwrap_or(0);
                match self.site(base) {
                    Site::Address(address) => Site::Address(self.offset(address, index, stride)),
                    Site::Named(named) => {
                        let index = self.index(index);
                        Site::Named(self.element(named, world.program.places[base].ty, index, stride))
                    }
                }
            }
        }
    }

    pub(super) fn whole(&mut self, variable: VariableId) -> Named {
        Named {
            variable,
            path: self.world.cells.name(variable).to_owned(),
            position: None,
            offset: self.pool.bv(0u8, self.world.pointer_width),
            run: Some(1),
            run_position: None,
            outer_bounds: self.pool.top(),
            union: None,
        }
    }

    fn member_site(&mut self, site: Site, ty: TypeId, number: usize) -> Site {
        let types = &self.world.program.types;
        let Some(id) = types.as_record(ty) else { return site };
        let record = types.record(id);
        let field = &record.fields[number];
        let bytes = self.pool.bv(field.offset, self.world.pointer_width);
        let mut named = match site {
            Site::Address(address) => return Site::Address(self.pool.bv_add(address, bytes)),
            Site::Named(named) => named,
        };
        named.offset = self.pool.bv_add(named.offset, bytes);
        let start = u32::try_from(field.offset * 8).ok();
        match (&mut named.union, record.kind) {
            (Some(part), _) => part.start = part.start.zip(start).map(|(old, new)| old + new),
            (None, RecordKind::Struct) => {
                named.outer_bounds = self.bounds(&named);
                (named.run, named.run_position) = (Some(1), None);
                named.path.push_str(&member(field, number));
            }
            (None, RecordKind::Union) => {
                let start = union_width(types, id).and(start);
                named.union = Some(UnionPart { start });
            }
        }
        Site::Named(named)
    }

    fn element(&mut self, mut named: Named, array: TypeId, index: Term, stride: u64) -> Named {
        let width = self.world.pointer_width;
        let Type::Array { length, .. } = *self.world.program.types.get(array) else { return named };
        let factor = self.pool.bv(stride, width);
        let bytes = self.pool.bv_mul(index, factor);
        named.offset = self.pool.bv_add(named.offset, bytes);
        if let Some(part) = &mut named.union {
            let constant = self.pool.as_bits(index).and_then(rorqual_logic::Bits::to_u64);
            let in_range = constant.filter(|&index| length.is_some_and(|length| index < length));
            let bits = in_range.and_then(|index| u32::try_from(index * stride * 8).ok());
            part.start = part.start.zip(bits).map(|(old, new)| old + new);
            if bits.is_none() {
                named.outer_bounds = self.pool.bottom();
            }
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
    fn bounds(&mut self, named: &Named) -> Term {
        let (Some(position), Some(run)) = (named.run_position, named.run) else {
            return named.outer_bounds;
        };
        let length = self.pool.bv(run, self.world.pointer_width);
        let inner = self.pool.bv_ult(position, length);
        self.pool.and2(named.outer_bounds, inner)
    }

    /// Makes sure that an access to a part of a variable is defined. Gives the condition under which its
    /// path names what is accessed: an index that leaves an array in a structure may stay in the
    /// variable, where it finds other members.
    fn named_bounds(&mut self, named: &Named, bytes: u64) -> Term {
        let bounds = self.bounds(named);
        let inner = named.path.strip_prefix(self.world.cells.name(named.variable));
        let is_element =
            inner.and_then(|path| path.strip_prefix("[]")).is_some_and(|rest| !rest.contains('['));
        if is_element && named.union.is_none() {
            // The only array is the variable itself.
            self.defined.push(bounds);
            return self.pool.top();
        }
        if let Some(size) = object_size(self.world.program, named.variable) {
            let last = self.pool.bv(size.saturating_sub(bytes), self.world.pointer_width);
            let inside = self.pool.bv_ule(named.offset, last);
            let defined = self.pool.or2(bounds, inside);
            self.defined.push(defined);
        }
        bounds
    }

    /// The address of a place.
    pub(super) fn address_of(&mut self, id: PlaceId) -> Term {
        match self.site(id) {
            Site::Address(address) => address,
            Site::Named(named) => {
                let base = self.get(self.world.cells.address(named.variable));
                self.pool.bv_add(base, named.offset)
            }
        }
    }

    fn access(&self, id: PlaceId) -> Access {
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
        let access = self.access(id);
        let stored = match self.site(id) {
            Site::Named(named) => self.load_named(&named, access),
            Site::Address(address) => self.load_address(address, access),
        };
        let width = self.world.width(access.ty);
        if access.bits.is_none() || self.pool.width(stored) >= width {
            stored
        } else if self.world.program.types.is_unsigned(access.ty) {
            self.pool.bv_zero_extend(stored, width)
        } else {
            self.pool.bv_sign_extend(stored, width)
        }
    }

    /// Stores a scalar in a place.
    pub(super) fn store(&mut self, id: PlaceId, value: Term) {
        let access = self.access(id);
        let site = self.site(id);
        self.store_site(&site, access, value);
    }

    fn store_site(&mut self, site: &Site, access: Access, value: Term) {
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
            Site::Address(address) => self.store_address(*address, access, value),
        }
    }

    /// How many bits of memory an access concerns.
    fn stored_width(&self, access: Access) -> u32 {
        access.bits.map_or_else(|| self.world.width(access.ty), |range| range.width)
    }

    fn bytes(&self, access: Access) -> u64 {
        match access.bits {
            Some(range) => u64::from((range.start + range.width).div_ceil(8)),
            None => self.world.program.types.size_of(access.ty).unwrap_or(0),
        }
    }

    fn unknown(&mut self, access: Access) -> Term {
        let width = self.stored_width(access);
        self.pool.fresh_symbol("any", Sort::BitVec(width))
    }

    /// The cell that a path names, and the bits of it that an access concerns: all of them unless it is
    /// a part of a union.
    fn named_cell(&self, named: &Named, access: Access) -> Option<(CellId, Option<(u32, u32)>)> {
        let cell = self.world.cells.find(&named.path)?;
        let sort = self.world.cells.get(cell).sort;
        let ((Sort::BitVec(width), None) | (Sort::Array { element: width, .. }, Some(_))) =
            (sort, named.position)
        else {
            return None;
        };
        let Some(part) = named.union else {
            return (width == self.stored_width(access)).then_some((cell, None));
        };
        let start = part.start? + access.bits.map_or(0, |range| range.start);
        let end = start + self.stored_width(access);
        (end <= width).then_some((cell, Some((end - 1, start))))
    }

    fn load_named(&mut self, named: &Named, access: Access) -> Term {
        let bounds = self.named_bounds(named, self.bytes(access));
        let unknown = self.unknown(access);
        let Some((cell, bits)) = self.named_cell(named, access) else { return unknown };
        let mut value = self.get(cell);
        if let Some(position) = named.position {
            value = self.pool.select(value, position);
        }
        if let Some((high, low)) = bits {
            value = self.pool.bv_extract(value, high, low);
        }
        self.pool.ite(bounds, value, unknown)
    }

    fn store_named(&mut self, named: &Named, access: Access, value: Term) {
        let bounds = self.named_bounds(named, self.bytes(access));
        let Some((cell, bits)) = self.named_cell(named, access) else {
            // The union is too large for a cell, or it is not known which part of the variable this is.
            if named.union.is_none() || self.world.cells.find(&named.path).is_some() {
                self.forget(named.variable);
            }
            return;
        };
        let new = self.updated(cell, named.position, bits, value);
        if self.pool.as_bool(bounds) != Some(true) {
            self.forget_unless(bounds, named.variable);
        }
        let old = self.get(cell);
        let new = self.pool.ite(bounds, new, old);
        self.set(cell, new);
    }

    /// Gives all cells of a variable any value unless a condition holds.
    fn forget_unless(&mut self, condition: Term, variable: VariableId) {
        let world = self.world;
        for &(_, cell) in world.cells.leaves(variable) {
            let old = self.get(cell);
            let unknown = self.pool.fresh_symbol("any", world.cells.get(cell).sort);
            let new = self.pool.ite(condition, old, unknown);
            self.set(cell, new);
        }
    }

    /// The new content of a cell of which an element, some bits, or both are replaced.
    fn updated(&mut self, cell: CellId, at: Option<Term>, bits: Option<(u32, u32)>, value: Term) -> Term {
        let old = self.get(cell);
        let Some(position) = at else { return self.replaced(old, bits, value) };
        let element = self.pool.select(old, position);
        let element = self.replaced(element, bits, value);
        self.pool.store(old, position, element)
    }

    fn replaced(&mut self, old: Term, bits: Option<(u32, u32)>, value: Term) -> Term {
        let Some((high, low)) = bits else { return value };
        let mut new = value;
        if low > 0 {
            let below = self.pool.bv_extract(old, low - 1, 0);
            new = self.pool.bv_concat(new, below);
        }
        let width = self.pool.width(old);
        if high + 1 < width {
            let above = self.pool.bv_extract(old, width - 1, high + 1);
            new = self.pool.bv_concat(above, new);
        }
        new
    }

    /// The objects in which an access of so many bytes may lie.
    fn hits(&mut self, address: Term, bytes: u64) -> Vec<Hit> {
        let (world, scope) = (self.world, self.scope.clone());
        let mut bases: Vec<(VariableId, Term)> = Vec::new();
        for &variable in scope.iter() {
            bases.push((variable, self.get(world.cells.address(variable))));
        }
        // Other objects have no byte in common with these. One that is not found here may be the object
        // of a variable whose address is known by another name.
        let certain = self.births.objects_at(self.pool, address, bytes);
        let certain =
            certain.filter(|found| found.iter().all(|known| bases.iter().any(|(_, base)| base == known)));
        let mut hits = Vec::new();
        for (variable, base) in bases {
            let size = object_size(world.program, variable).unwrap_or(0);
            if size < bytes || certain.as_ref().is_some_and(|certain| !certain.contains(&base)) {
                continue;
            }
            let offset = self.pool.bv_sub(address, base);
            let last = self.pool.bv(size - bytes, world.pointer_width);
            let inside = self.pool.bv_ule(offset, last);
            hits.push(Hit { variable, offset, inside });
        }
        hits
    }

    /// Makes sure that an access lies in an object. String literals may be read; memory that belongs to
    /// no variable may be anywhere except at null.
    fn assume_valid(&mut self, address: Term, hits: &[Hit], texts: bool) {
        let mut ways: Vec<Term> = hits.iter().map(|hit| hit.inside).collect();
        let few = self.world.texts.len() <= FEW_TEXTS;
        if texts && few {
            ways.extend(self.world.texts.iter().map(|&(base, size)| {
                let offset = self.pool.bv_sub(address, base);
                let size = self.pool.bv(size, self.world.pointer_width);
                self.pool.bv_ult(offset, size)
            }));
        }
        if self.world.foreign_memory || (texts && !few) {
            let null = self.pool.bv(0u8, self.world.pointer_width);
            ways.push(self.pool.ne(address, null));
        }
        let valid = self.pool.or(&ways);
        self.defined.push(valid);
    }

    fn load_address(&mut self, address: Term, access: Access) -> Term {
        let world = self.world;
        let hits = self.hits(address, self.bytes(access));
        self.assume_valid(address, &hits, true);
        let mut value = self.unknown(access);
        for hit in hits {
            for (leaf, cell) in world.cells.leaves(hit.variable) {
                for (exact, position, bits) in self.matches(leaf, hit, access) {
                    let mut stored = self.get(*cell);
                    if let Some(position) = position {
                        stored = self.pool.select(stored, position);
                    }
                    if let Some((high, low)) = bits {
                        stored = self.pool.bv_extract(stored, high, low);
                    }
                    value = self.pool.ite(exact, stored, value);
                }
            }
        }
        value
    }

    fn store_address(&mut self, address: Term, access: Access, value: Term) {
        let hits = self.hits(address, self.bytes(access));
        self.assume_valid(address, &hits, false);
        for hit in hits {
            self.store_hit(hit, access, value);
        }
    }

    fn store_hit(&mut self, hit: Hit, access: Access, value: Term) {
        let world = self.world;
        let mut found = Vec::new();
        let mut any_exact = self.pool.bottom();
        for (leaf, cell) in world.cells.leaves(hit.variable) {
            let matches = self.matches(leaf, hit, access);
            for &(exact, ..) in &matches {
                any_exact = self.pool.or2(any_exact, exact);
            }
            found.push((leaf, *cell, matches));
        }
        let inexact = self.pool.not(any_exact);
        for (leaf, cell, matches) in found {
            let mut new = self.get(cell);
            let touched = self.touched(leaf, hit, self.bytes(access));
            let lost = self.pool.and2(touched, inexact);
            let unknown = self.pool.fresh_symbol("any", world.cells.get(cell).sort);
            new = self.pool.ite(lost, unknown, new);
            for (exact, position, bits) in matches {
                let updated = self.updated(cell, position, bits, value);
                new = self.pool.ite(exact, updated, new);
            }
            self.set(cell, new);
        }
    }

    /// The ways in which an access may concern exactly one element of a leaf: the condition, the
    /// position of the element, and the bits if it is a union.
    #[allow(clippy::type_complexity, reason = "the three parts are named above and used at once")]
    fn matches(
        &mut self,
        leaf: &Leaf,
        hit: Hit,
        access: Access,
    ) -> Vec<(Term, Option<Term>, Option<(u32, u32)>)> {
        let bytes = self.bytes(access);
        let starts: Vec<(u64, Option<(u32, u32)>)> = match (leaf.kind, access.bits) {
            (LeafKind::Scalar, None)
                if leaf.width == self.world.width(access.ty)
                    && leaf.bytes(&self.world.program.types) == bytes =>
            {
                vec![(0, None)]
            }
            (LeafKind::BitField(own), Some(range)) if own == range => vec![(0, None)],
            (LeafKind::Union, None) if u64::from(self.world.width(access.ty)) == 8 * bytes => {
                let step = self.world.program.types.align_of(access.ty).max(1);
                let last = u64::from(leaf.width / 8).checked_sub(bytes);
                let offsets = last.into_iter().flat_map(|last| (0..=last).step_by(step as usize));
                let part = |at: u64| (8 * (at + bytes) as u32 - 1, 8 * at as u32);
                offsets.map(|at| (at, Some(part(at)))).collect()
            }
            _ => vec![],
        };
        let place = |(start, bits)| {
            let (exact, position) = self.element_at(leaf, hit, start);
            (exact, position, bits)
        };
        starts.into_iter().map(place).collect()
    }

    /// Whether an offset is that of an element of a leaf plus some bytes, and of which element.
    fn element_at(&mut self, leaf: &Leaf, hit: Hit, start: u64) -> (Term, Option<Term>) {
        let width = self.world.pointer_width;
        let first = self.pool.bv(leaf.offset + start, width);
        let mut rest = self.pool.bv_sub(hit.offset, first);
        let mut conditions = vec![hit.inside];
        let reaches = self.pool.bv_ule(first, hit.offset);
        conditions.push(reaches);
        let mut position: Option<Term> = None;
        for dimension in &leaf.dimensions {
            let index;
            (index, rest) = self.quotient(rest, *dimension, &mut conditions);
            position = Some(match position {
                None => index,
                Some(outer) => {
                    let length = self.pool.bv(dimension.length.unwrap_or(0), width);
                    let rows = self.pool.bv_mul(outer, length);
                    self.pool.bv_add(rows, index)
                }
            });
        }
        let zero = self.pool.bv(0u8, width);
        conditions.push(self.pool.eq(rest, zero));
        (self.pool.and(&conditions), position)
    }

    /// The element of an array in which a byte is, and where in the element; it must be inside.
    fn quotient(&mut self, byte: Term, dimension: Dimension, inside: &mut Vec<Term>) -> (Term, Term) {
        let width = self.world.pointer_width;
        let stride = dimension.stride.max(1);
        if let Some(length) = dimension.length {
            let end = self.pool.bv(length.saturating_mul(stride), width);
            inside.push(self.pool.bv_ult(byte, end));
        }
        let Some(length) = dimension.length.filter(|&length| length <= FEW_ELEMENTS) else {
            let stride = self.pool.bv(stride, width);
            return (self.pool.bv_udiv(byte, stride), self.pool.bv_urem(byte, stride));
        };
        let (mut index, mut rest) = (self.pool.bv(0u8, width), byte);
        for element in 1..length {
            let (start, number) = (self.pool.bv(element * stride, width), self.pool.bv(element, width));
            let reached = self.pool.bv_ule(start, byte);
            let behind = self.pool.bv_sub(byte, start);
            index = self.pool.ite(reached, number, index);
            rest = self.pool.ite(reached, behind, rest);
        }
        (index, rest)
    }

    /// Whether an access touches a byte of a leaf, or of the space between the elements of one.
    fn touched(&mut self, leaf: &Leaf, hit: Hit, bytes: u64) -> Term {
        let types = &self.world.program.types;
        let width = self.world.pointer_width;
        let own = leaf.bytes(types);
        let end = match leaf.count() {
            Some(0) => leaf.offset,
            Some(count) => leaf.offset + leaf.displacement(count - 1) + own,
            None => u64::MAX >> 1,
        };
        let (end, span) = (self.pool.bv(end, width), self.pool.bv(bytes, width));
        let start = self.pool.bv(leaf.offset, width);
        let before_end = self.pool.bv_ult(hit.offset, end);
        let access_end = self.pool.bv_add(hit.offset, span);
        let after_start = self.pool.bv_ult(start, access_end);
        self.pool.and(&[hit.inside, before_end, after_start])
    }

    /// Gives everything that a pointer can point to any value.
    pub(super) fn forget_addressed(&mut self) {
        let scope = self.scope.clone();
        for &variable in scope.iter() {
            self.forget(variable);
        }
    }

    /// Gives a variable any value.
    pub(super) fn forget(&mut self, variable: VariableId) {
        let world = self.world;
        for &(_, cell) in world.cells.leaves(variable) {
            let unknown = self.pool.fresh_symbol("any", world.cells.get(cell).sort);
            self.set(cell, unknown);
        }
    }

    /// The value of an aggregate place: one term for each leaf of its type, of the leaf's sort.
    pub(super) fn load_aggregate(&mut self, id: PlaceId) -> Vec<Term> {
        let site = self.site(id);
        let all = leaves(&self.world.program.types, self.world.program.places[id].ty);
        all.iter().map(|leaf| self.load_leaf(&site, leaf)).collect()
    }

    fn load_leaf(&mut self, site: &Site, leaf: &Leaf) -> Term {
        let sort = leaf.sort(&self.world.program.types);
        if let Some(cell) = self.leaf_cell(site, leaf) {
            return self.get(cell);
        }
        let mut value = self.pool.fresh_symbol("any", sort);
        let Some(count) = leaf.count().filter(|&count| count <= LONGEST_COPY) else { return value };
        let access = leaf_access(leaf);
        for position in 0..count {
            let part = match self.leaf_site(site, leaf, position) {
                Site::Named(named) => self.load_named(&named, access),
                Site::Address(address) => self.load_address(address, access),
            };
            if leaf.dimensions.is_empty() {
                return part;
            }
            let at = self.pool.bv(position, self.world.pointer_width);
            value = self.pool.store(value, at, part);
        }
        value
    }

    /// The cell that is exactly a leaf of the aggregate at a site.
    fn leaf_cell(&self, site: &Site, leaf: &Leaf) -> Option<CellId> {
        let Site::Named(named) = site else { return None };
        let plain = named.position.is_none()
            && named.union.is_none()
            && self.pool.as_bool(named.outer_bounds) == Some(true);
        let cell = plain.then(|| self.world.cells.find(&joined(&named.path, &leaf.suffix))).flatten();
        cell.filter(|&cell| self.world.cells.get(cell).sort == leaf.sort(&self.world.program.types))
    }

    /// Where an element of a leaf of the aggregate at a site is.
    fn leaf_site(&mut self, site: &Site, leaf: &Leaf, position: u64) -> Site {
        let width = self.world.pointer_width;
        let bytes = self.pool.bv(leaf.offset + leaf.displacement(position), width);
        let mut named = match site {
            Site::Address(address) => return Site::Address(self.pool.bv_add(*address, bytes)),
            Site::Named(named) => named.clone(),
        };
        // The aggregate is inside of its variable only if its own elements are inside of their arrays.
        named.outer_bounds = self.bounds(&named);
        named.run_position = None;
        named.offset = self.pool.bv_add(named.offset, bytes);
        named.path = joined(&named.path, &leaf.suffix);
        if let Some(part) = &mut named.union {
            let bits = u32::try_from(8 * (leaf.offset + leaf.displacement(position))).ok();
            part.start = part.start.zip(bits).map(|(old, new)| old + new);
            named.path.truncate(named.path.len() - leaf.suffix.len());
        } else if !leaf.dimensions.is_empty() || named.position.is_some() {
            let count = self.pool.bv(leaf.count().unwrap_or(0), width);
            let inner = self.pool.bv(position, width);
            named.position = Some(match named.position {
                None => inner,
                Some(outer) => {
                    let before = self.pool.bv_mul(outer, count);
                    self.pool.bv_add(before, inner)
                }
            });
        }
        Site::Named(named)
    }

    /// Stores an aggregate: one term for each leaf of the place's type.
    pub(super) fn store_aggregate(&mut self, id: PlaceId, values: &[Term]) {
        let site = self.site(id);
        let ty = self.world.program.places[id].ty;
        self.store_aggregate_at(&site, ty, values);
    }

    /// Stores an aggregate at a site.
    pub(super) fn store_aggregate_at(&mut self, site: &Site, ty: TypeId, values: &[Term]) {
        self.forget_gaps(site, ty);
        for (leaf, &value) in leaves(&self.world.program.types, ty).iter().zip(values) {
            self.store_leaf(site, leaf, value);
        }
    }

    /// Bytes of an aggregate that belong to no leaf are copied too. That matters where they can be read
    /// as something else: in a union, and in an object of another type.
    fn forget_gaps(&mut self, site: &Site, ty: TypeId) {
        let types = &self.world.program.types;
        match site {
            Site::Named(named) if named.union.is_some() => {
                if self.world.cells.find(&named.path).is_some() {
                    self.forget(named.variable);
                }
            }
            Site::Named(_) => {}
            Site::Address(address) => {
                let size = types.size_of(ty).unwrap_or(0);
                let bytes = |leaf: &Leaf| match leaf.kind {
                    LeafKind::BitField(_) => 0,
                    _ => leaf.bytes(types) * leaf.count().unwrap_or(0),
                };
                if leaves(types, ty).iter().map(bytes).sum::<u64>() != size {
                    self.forget_range(*address, ty, size);
                }
            }
        }
    }

    /// Gives every leaf that an object of some type at an address would touch any value, unless there is
    /// a part of that very type: then bytes that belong to no leaf fall on such bytes.
    fn forget_range(&mut self, address: Term, ty: TypeId, bytes: u64) {
        let world = self.world;
        for hit in self.hits(address, bytes) {
            let mut same = self.pool.bottom();
            let whole = world.program.variables[hit.variable].ty;
            for part in cells::parts(&world.program.types, whole, ty) {
                let (here, _) = self.element_at(&part, hit, 0);
                same = self.pool.or2(same, here);
            }
            let other = self.pool.not(same);
            for (leaf, cell) in world.cells.leaves(hit.variable) {
                let touched = self.touched(leaf, hit, bytes);
                let lost = self.pool.and2(touched, other);
                let unknown = self.pool.fresh_symbol("any", world.cells.get(*cell).sort);
                let old = self.get(*cell);
                let new = self.pool.ite(lost, unknown, old);
                self.set(*cell, new);
            }
        }
    }

    fn store_leaf(&mut self, site: &Site, leaf: &Leaf, value: Term) {
        if let Some(cell) = self.leaf_cell(site, leaf) {
            self.set(cell, value);
            return;
        }
        let Some(count) = leaf.count().filter(|&count| count <= LONGEST_COPY) else {
            match site {
                Site::Named(named) => self.forget(named.variable),
                Site::Address(_) => self.forget_addressed(),
            }
            return;
        };
        for position in 0..count {
            let part = if leaf.dimensions.is_empty() {
                value
            } else {
                let at = self.pool.bv(position, self.world.pointer_width);
                self.pool.select(value, at)
            };
            match self.leaf_site(site, leaf, position) {
                Site::Named(named) => self.store_named(&named, leaf_access(leaf), part),
                Site::Address(address) => self.store_address(address, leaf_access(leaf), part),
            }
        }
    }

    /// Any value of an aggregate type.
    pub(super) fn any_aggregate(&mut self, ty: TypeId) -> Vec<Term> {
        let types = &self.world.program.types;
        let sorts: Vec<Sort> = leaves(types, ty).iter().map(|leaf| leaf.sort(types)).collect();
        sorts.into_iter().map(|sort| self.pool.fresh_symbol("any", sort)).collect()
    }

    /// The all-zero value of an aggregate type.
    pub(super) fn zero_aggregate(&mut self, ty: TypeId) -> Vec<Term> {
        let types = &self.world.program.types;
        let zero = |leaf: &cells::Leaf| {
            let zero = self.pool.bv(0u8, leaf.width);
            match leaf.sort(types) {
                Sort::Array { index, .. } => self.pool.const_array(index, zero),
                _ => zero,
            }
        };
        leaves(types, ty).iter().map(zero).collect()
    }
}

/// The access to one element of a leaf.
fn leaf_access(leaf: &Leaf) -> Access {
    let bits = match leaf.kind {
        LeafKind::BitField(range) => Some(range),
        LeafKind::Scalar | LeafKind::Union => None,
    };
    Access { ty: leaf.ty, bits }
}
