//! Places: which cells a place may be, under which condition, and at which position of an array.

use std::rc::Rc;

use rorqual_cfa::{BitRange, Field, PlaceId, PlaceKind, TypeId};
use rorqual_logic::Term;
use rorqual_memory::Object;

use crate::Undefined;
use crate::cells::{CellId, Elements, Layout};
use crate::translate::{Obstacle, Translation};

/// A place that a place may be.
#[derive(Debug, Clone)]
pub(crate) struct Alternative {
    /// When it is this one.
    pub(crate) guard: Term,
    pub(crate) node: Node,
}

/// Where in cells of array sort something is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Position {
    /// The number of an element.
    Element(Term),
    /// An address in allocated memory.
    Address(Term),
}

/// Cells, and the position in them.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    /// All of a layout, at a position if its cells are in an array.
    Whole { layout: Rc<Layout>, position: Option<Position> },
    /// A part of a cell of bytes, from some byte on.
    Part { cell: CellId, position: Option<Position>, offset: Term, bits: Option<BitRange>, ty: TypeId },
    /// A part of allocated memory of which only bytes are known.
    Bytes { cell: CellId, address: Term, bits: Option<BitRange>, ty: TypeId },
    /// Something in the same object as a cell.
    Anywhere { cell: CellId, bits: Option<BitRange>, ty: TypeId },
}

impl Position {
    /// The index in cells.
    pub(crate) fn index(self) -> Term {
        match self {
            Position::Element(index) | Position::Address(index) => index,
        }
    }
}

impl Translation<'_, '_> {
    /// What a place may be. That it is one of these is added to what must hold.
    pub(crate) fn resolve(&mut self, place: PlaceId) -> Result<Vec<Alternative>, Obstacle> {
        let program = self.encoding.program;
        let ty = program.places[place].ty;
        match program.places[place].kind {
            PlaceKind::Variable(variable) => Ok(vec![self.whole(Object::Variable(variable))]),
            PlaceKind::Text(text) => Ok(vec![self.whole(Object::Text(text))]),
            PlaceKind::Deref(pointer) => self.dereference(pointer, ty),
            PlaceKind::Member { base, field } => {
                let alternatives = self.resolve(base)?;
                let record = program.types.as_record(program.places[base].ty);
                let details =
                    record.and_then(|record| program.types.record(record).fields.get(field as usize));
                let Some(details) = details else { return Err(self.obstacle("a member of this type")) };
                let parts = alternatives.into_iter().map(|one| self.member(one, details, field as usize));
                Ok(parts.collect())
            }
            PlaceKind::Element { base, index } => {
                let alternatives = self.resolve(base)?;
                let index = self.eval(index)?;
                let is_object =
                    matches!(program.places[base].kind, PlaceKind::Variable(_) | PlaceKind::Text(_));
                let mut parts = Vec::new();
                for one in alternatives {
                    parts.extend(self.beyond_array(&one, index, ty, is_object));
                    parts.push(self.element(one, index, ty));
                }
                Ok(parts)
            }
        }
    }

    /// All of an object that is declared.
    pub(crate) fn whole(&mut self, object: Object) -> Alternative {
        let layout = self.encoding.layout(object);
        let guard = self.encoding.pool.top();
        let node = self.node(&layout, None);
        Alternative { guard, node }
    }

    /// All of a layout.
    pub(crate) fn node(&mut self, layout: &Rc<Layout>, position: Option<Position>) -> Node {
        match **layout {
            Layout::Union { cell, ty } => {
                let offset = self.bytes(0);
                Node::Part { cell, position, offset, bits: None, ty }
            }
            _ => Node::Whole { layout: layout.clone(), position },
        }
    }

    /// A number of bytes.
    pub(crate) fn bytes(&mut self, number: u64) -> Term {
        let width = self.encoding.pointer_width();
        self.encoding.pool.bv(number, width)
    }

    /// A member of a structure or union.
    pub(crate) fn member(&mut self, one: Alternative, field: &Field, number: usize) -> Alternative {
        let by = self.bytes(field.offset);
        let node = match one.node {
            Node::Whole { layout, position } => match &*layout {
                Layout::Struct { fields, .. } => self.node(&fields[number].1, position),
                other => self.somewhere_in(other, field.bits, field.ty),
            },
            Node::Part { cell, position, offset, .. } => {
                let offset = self.encoding.pool.bv_add(offset, by);
                Node::Part { cell, position, offset, bits: field.bits, ty: field.ty }
            }
            Node::Bytes { cell, address, .. } => {
                let address = self.encoding.pool.bv_add(address, by);
                Node::Bytes { cell, address, bits: field.bits, ty: field.ty }
            }
            Node::Anywhere { cell, .. } => Node::Anywhere { cell, bits: field.bits, ty: field.ty },
        };
        Alternative { guard: one.guard, node }
    }

    /// What is accessed with another type than it has, or is not modelled: something in the same object.
    fn somewhere_in(&mut self, layout: &Layout, bits: Option<BitRange>, ty: TypeId) -> Node {
        Node::Anywhere { cell: self.encoding.some_cell(layout), bits, ty }
    }

    /// An element of an array.
    pub(crate) fn element(&mut self, mut one: Alternative, at: Term, ty: TypeId) -> Alternative {
        let size = self.encoding.program.types.size_of(ty).unwrap_or(0);
        let node = match one.node {
            Node::Whole { layout, position } => match &*layout {
                Layout::Array { element, length, stride, .. } => {
                    let inside = self.is_element(at, *length);
                    one.guard = self.encoding.pool.and2(one.guard, inside);
                    let position = self.inner_position(position, *length, *stride, at);
                    self.node(element, Some(position))
                }
                other => self.somewhere_in(other, None, ty),
            },
            Node::Part { cell, position, offset, .. } => {
                let offset = self.elements_behind(offset, at, size);
                Node::Part { cell, position, offset, bits: None, ty }
            }
            Node::Bytes { cell, address, .. } => {
                let address = self.elements_behind(address, at, size);
                Node::Bytes { cell, address, bits: None, ty }
            }
            Node::Anywhere { cell, .. } => Node::Anywhere { cell, bits: None, ty },
        };
        Alternative { guard: one.guard, node }
    }

    fn is_element(&mut self, at: Term, length: u64) -> Term {
        let pool = &mut self.encoding.pool;
        let length = pool.bv(length, pool.width(at));
        pool.bv_ult(at, length)
    }

    /// An index beyond an array that is a whole object is undefined; one beyond an array inside of an object may hit what
    /// comes behind it there, as it does for gcc and in the interpreter.
    fn beyond_array(
        &mut self,
        one: &Alternative,
        at: Term,
        ty: TypeId,
        is_object: bool,
    ) -> Option<Alternative> {
        let Node::Whole { layout, .. } = &one.node else { return None };
        let Layout::Array { length, .. } = &**layout else { return None };
        let inside = self.is_element(at, *length);
        let pool = &mut self.encoding.pool;
        let outside = pool.not(inside);
        let guard = pool.and2(one.guard, outside);
        if is_object || self.encoding.undefined == Undefined::EndsEarly {
            let defined = pool.not(guard);
            self.require_defined(defined);
            return None;
        }
        let cell = *layout.cells().first()?;
        if let Some(near) = self.is_within_object(layout, at) {
            let pool = &mut self.encoding.pool;
            let far = pool.not(near);
            let undefined = pool.and2(guard, far);
            let defined = pool.not(undefined);
            self.require_defined(defined);
        }
        let is_possible = self.encoding.pool.as_bool(guard) != Some(false);
        is_possible.then_some(Alternative { guard, node: Node::Anywhere { cell, bits: None, ty } })
    }

    /// Whether an index of an array leads to somewhere in the object that the array is a part of; unless that object is not
    /// known, or the array is one of several.
    fn is_within_object(&mut self, array: &Layout, at: Term) -> Option<Term> {
        let Layout::Array { length, stride, .. } = *array else { return None };
        let first = self.encoding.cells.get(*array.cells().first()?);
        let (object, start) = (first.object?, first.bit_offset / 8);
        let is_only = matches!(first.elements, Elements::Many { count, .. } if count == length);
        if !is_only || stride == 0 {
            return None;
        }
        let (before, behind) = (start / stride, self.encoding.size(object).saturating_sub(start) / stride);
        let pool = &mut self.encoding.pool;
        let width = pool.width(at);
        let (low, high) = (pool.bv(before, width), pool.bv(before + behind, width));
        let from_low = pool.bv_add(at, low);
        Some(pool.bv_ult(from_low, high))
    }

    /// The position of an element of an array that is itself at a position. Outer positions count whole inner arrays.
    fn inner_position(&mut self, outer: Option<Position>, length: u64, stride: u64, at: Term) -> Position {
        match outer {
            None => Position::Element(at),
            Some(Position::Element(outer)) => {
                let pool = &mut self.encoding.pool;
                let length = pool.bv(length, pool.width(at));
                let before = pool.bv_mul(outer, length);
                Position::Element(pool.bv_add(before, at))
            }
            Some(Position::Address(address)) => Position::Address(self.elements_behind(address, at, stride)),
        }
    }

    /// What is so many elements of a size behind something.
    pub(crate) fn elements_behind(&mut self, start: Term, count: Term, size: u64) -> Term {
        let size = self.bytes(size);
        let pool = &mut self.encoding.pool;
        let distance = pool.bv_mul(count, size);
        pool.bv_add(start, distance)
    }

    /// The address of a place.
    pub(crate) fn address_of(&mut self, place: PlaceId) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        match program.places[place].kind {
            PlaceKind::Variable(variable) => Ok(self.encoding.address(Object::Variable(variable))),
            PlaceKind::Text(text) => Ok(self.encoding.address(Object::Text(text))),
            PlaceKind::Deref(pointer) => self.eval(pointer),
            PlaceKind::Member { base, field } => {
                let types = &program.types;
                let record = types.as_record(program.places[base].ty);
                let offset = record.map_or(0, |record| types.record(record).fields[field as usize].offset);
                let base = self.address_of(base)?;
                let offset = self.bytes(offset);
                Ok(self.encoding.pool.bv_add(base, offset))
            }
            PlaceKind::Element { base, index } => {
                let size = program.types.size_of(program.places[place].ty).unwrap_or(0);
                let base = self.address_of(base)?;
                let index = self.eval(index)?;
                Ok(self.elements_behind(base, index, size))
            }
        }
    }
}
