//! Accesses through addresses.
//!
//! What is accessed may be in any object that a pointer can point to: it is there if the address lies in
//! the object, at the leaf whose bytes are exactly those that are accessed. Bytes that are only a part of a
//! leaf, or of several, read as any value, and a write to them leaves any value in every leaf that they
//! touch. An address in no object makes the access undefined.

use rorqual_cfa::VariableId;
use rorqual_logic::Term;

use super::memory::Access;
use super::step::Step;
use crate::cells::{Dimension, Leaf, LeafKind, object_size};

/// With more string literals than this, a read may be anywhere but at null.
const FEW_TEXTS: usize = 8;

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

impl Step<'_> {
    /// The objects in which an access of so many bytes may lie.
    pub(super) fn hits(&mut self, address: Term, bytes: u64) -> Vec<Hit> {
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
    pub(super) fn assume_valid(&mut self, address: Term, hits: &[Hit], texts: bool) {
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

    pub(super) fn load_address(&mut self, address: Term, access: Access) -> Term {
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

    pub(super) fn store_address(&mut self, address: Term, access: Access, value: Term) {
        let hits = self.hits(address, self.bytes(access));
        self.assume_valid(address, &hits, false);
        for hit in hits {
            self.store_hit(hit, access, value);
        }
    }

    pub(super) fn store_hit(&mut self, hit: Hit, access: Access, value: Term) {
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
    pub(super) fn matches(
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
    pub(super) fn element_at(&mut self, leaf: &Leaf, hit: Hit, start: u64) -> (Term, Option<Term>) {
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
    pub(super) fn quotient(
        &mut self,
        byte: Term,
        dimension: Dimension,
        inside: &mut Vec<Term>,
    ) -> (Term, Term) {
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
