//! Accesses through addresses.
//!
//! What is accessed may be in any object that the pointer may point to: it is in a variable if the address lies
//! there, at the leaf whose bytes are exactly those that are accessed. Bytes that are only a part of a
//! leaf, or of several, read as any value, and a write to them leaves any value in every leaf that they
//! touch. Allocated memory is in `heap.rs`. An address in no object makes the access
//! undefined: any value is read, and nothing is written.

use rorqual_cfa::{IntKind, VariableId};
use rorqual_logic::Term;

use super::memory::Access;
use super::reach::Pointed;
use super::slice::Slice;
use super::step::Step;
use crate::cells::object_size;
use crate::leaves::{Dimension, Leaf, LeafKind};

/// With more string literals than this, a read may be anywhere but at null, and gives any value.
pub(super) const FEW_TEXTS: usize = 8;

/// In arrays with so few elements, an element is found by comparisons: solvers find division harder.
const FEW_ELEMENTS: u64 = 8;

/// An object that an address may lie in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) variable: VariableId,
    /// The offset of the address in the object.
    pub(super) offset: Term,
    /// Whether all bytes of the access lie in the object.
    pub(super) inside: Term,
}

/// A way in which an access may concern exactly one element of a leaf.
#[derive(Debug, Clone, Copy)]
pub(super) struct Match {
    /// Whether it does.
    exact: Term,
    /// The position of the element.
    position: Option<Term>,
    /// The bits, if it is a union.
    slice: Option<Slice>,
}

impl Step<'_> {
    /// The objects in which an access of so many bytes may lie. Second, whether it must lie in one of them.
    pub(super) fn hits(&mut self, pointed: &Pointed, bytes: u64) -> (Vec<Hit>, bool) {
        let (world, scope) = (self.world, self.scope.clone());
        let mut bases: Vec<(VariableId, Term)> = Vec::new();
        for &variable in scope.iter().filter(|&&variable| pointed.reach.has(variable)) {
            bases.push((variable, self.get(world.cells.address(variable))));
        }
        // Other objects have no byte in common with these. One that is not found here may be the object
        // of a variable whose address is known by another name.
        let certain = self.births.objects_at(self.pool, pointed.address, bytes);
        let certain =
            certain.filter(|found| found.iter().all(|known| bases.iter().any(|(_, base)| base == known)));
        let mut hits = Vec::new();
        for (variable, base) in bases {
            let size = object_size(world.program, variable).unwrap_or(0);
            if size < bytes || certain.as_ref().is_some_and(|certain| !certain.contains(&base)) {
                continue;
            }
            let offset = self.pool.bv_sub(pointed.address, base);
            let last = self.pool.bv(size - bytes, world.pointer_width);
            let inside = self.pool.bv_ule(offset, last);
            hits.push(Hit { variable, offset, inside });
        }
        (hits, certain.is_some())
    }

    /// The variables of a size that is not known in which an access may lie.
    fn unsized_hits(&self, pointed: &Pointed) -> Vec<VariableId> {
        let is_unsized = |variable: &VariableId| {
            pointed.reach.has(*variable) && object_size(self.world.program, *variable).is_none()
        };
        self.scope.iter().copied().filter(is_unsized).collect()
    }

    /// Requires that an access lies in an object: in a variable, in a string literal if it reads, in allocated
    /// memory, or in memory that is not modelled, which may be anywhere except at null.
    fn require_valid(&mut self, pointed: &Pointed, hits: &[Hit], reads: bool) {
        let mut ways: Vec<Term> = hits.iter().map(|hit| hit.inside).collect();
        let texts = &pointed.reach.texts;
        let few = texts.len() <= FEW_TEXTS;
        if reads && few {
            ways.extend(texts.iter().map(|&text| self.in_text(pointed.address, text)));
        }
        if !pointed.reach.classes.is_empty() {
            ways.push(self.in_heap(pointed.address));
            ways.extend(pointed.valid);
        }
        if pointed.reach.unknown || (reads && !few) || !self.unsized_hits(pointed).is_empty() {
            let null = self.pool.bv(0u8, self.world.pointer_width);
            ways.push(self.pool.ne(pointed.address, null));
        }
        let valid = self.pool.or(&ways);
        self.require(valid);
    }

    pub(super) fn load_address(&mut self, pointed: &Pointed, access: Access) -> Term {
        let (hits, certain) = self.hits(pointed, self.bytes(access));
        self.require_valid(pointed, &hits, true);
        let mut value = self.unknown(access);
        if !certain {
            value = self.load_allocated(pointed, access, value);
            value = self.load_texts(pointed, access, value);
        }
        for hit in hits {
            value = self.load_hit(hit, access, value);
        }
        value
    }

    /// What is read if an object is hit, else another value.
    fn load_hit(&mut self, hit: Hit, access: Access, other: Term) -> Term {
        let world = self.world;
        let mut value = other;
        for (leaf, cell) in world.cells.leaves(hit.variable) {
            for Match { exact, position, slice } in self.matches(leaf, hit, access) {
                let mut stored = self.content(*cell, position, slice, access);
                if self.world.program.types.as_int(leaf.ty) != Some(IntKind::Bool) {
                    stored = self.truth_value(stored, access, exact);
                }
                value = self.pool.ite(exact, stored, value);
            }
        }
        value
    }

    pub(super) fn store_address(&mut self, pointed: &Pointed, access: Access, value: Term) {
        let (hits, certain) = self.hits(pointed, self.bytes(access));
        self.require_valid(pointed, &hits, false);
        if !certain {
            self.store_allocated(pointed, access, value);
            for variable in self.unsized_hits(pointed) {
                self.forget(variable);
            }
        }
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
            for one in &matches {
                any_exact = self.pool.or2(any_exact, one.exact);
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
            for Match { exact, position, slice } in matches {
                let updated = self.updated(cell, position, slice, value);
                new = self.pool.ite(exact, updated, new);
            }
            self.set(cell, new);
        }
    }

    /// The ways in which an access may concern exactly one element of a leaf.
    fn matches(&mut self, leaf: &Leaf, hit: Hit, access: Access) -> Vec<Match> {
        let bytes = self.bytes(access);
        match (leaf.kind, access.bits) {
            (LeafKind::Scalar, None)
                if leaf.width == self.world.width(access.ty)
                    && leaf.bytes(&self.world.program.types) == bytes => {}
            (LeafKind::BitField(own), Some(range)) if own == range => {}
            (LeafKind::Union, bits) => {
                let (start, width) = (bits.map_or(0, |range| range.start), self.stored_width(access));
                return self.union_match(leaf, hit, (start, width)).into_iter().collect();
            }
            _ => return vec![],
        }
        let (exact, position) = self.element_of(leaf, hit);
        vec![Match { exact, position, slice: None }]
    }

    /// The way in which an access concerns bits of a union.
    fn union_match(&mut self, leaf: &Leaf, hit: Hit, bits: (u32, u32)) -> Option<Match> {
        let (mut conditions, position, rest) = self.locate(leaf, hit);
        let (inside, slice) = self.slice(leaf.width, rest, bits);
        if self.pool.as_bool(inside) == Some(false) {
            return None;
        }
        conditions.push(inside);
        Some(Match { exact: self.pool.and(&conditions), position, slice: Some(slice) })
    }

    /// Whether an offset is that of an element of a leaf, and of which.
    pub(super) fn element_of(&mut self, leaf: &Leaf, hit: Hit) -> (Term, Option<Term>) {
        let (mut conditions, position, rest) = self.locate(leaf, hit);
        let zero = self.pool.bv(0u8, self.world.pointer_width);
        conditions.push(self.pool.eq(rest, zero));
        (self.pool.and(&conditions), position)
    }

    /// The element of a leaf that an offset is in: what must hold for it, its position, and how many bytes the
    /// offset is behind its start.
    fn locate(&mut self, leaf: &Leaf, hit: Hit) -> (Vec<Term>, Option<Term>, Term) {
        let width = self.world.pointer_width;
        let first = self.pool.bv(leaf.offset, width);
        let mut rest = self.pool.bv_sub(hit.offset, first);
        let mut conditions = vec![hit.inside, self.pool.bv_ule(first, hit.offset)];
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
        (conditions, position, rest)
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
    pub(super) fn touched(&mut self, leaf: &Leaf, hit: Hit, bytes: u64) -> Term {
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
}
