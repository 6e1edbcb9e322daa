//! Places: which cells a place may be, under which condition, and at which position of an array.

use std::rc::Rc;

use rorqual_cfa::{ExprId, ExprKind, PlaceId, PlaceKind, Type, TypeId};
use rorqual_logic::Term;

use crate::cells::{CellId, Layout, Length, Object};
use crate::points_to::is_compatible;
use crate::translate::{Obstacle, Translation};

/// A place that a place may be.
#[derive(Debug, Clone)]
pub(crate) struct Alternative {
    /// When it is this one.
    pub(crate) guard: Term,
    pub(crate) node: Node,
}

/// Cells, and the position in them.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    /// All of a layout, at a position if its cells are in an array.
    Whole { layout: Rc<Layout>, index: Option<Term> },
    /// Some bits of a union.
    Slice { cell: CellId, index: Option<Term>, low: u64, ty: TypeId },
}

/// Where a scalar is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) cell: CellId,
    pub(crate) index: Option<Term>,
    /// The lowest bit and the width, unless it is all of the cell or element.
    pub(crate) bits: Option<(u32, u32)>,
}

/// A part of an object that a pointer of some type may point to.
struct Target {
    layout: Rc<Layout>,
    offset: u64,
    /// It repeats: how often, and after how many bytes.
    repeats: Option<(Length, u64)>,
}

/// A pointer as `base + index * stride`.
struct Pointer {
    base: Term,
    offset: Option<(Term, u64)>,
    value: Term,
}

impl Translation<'_, '_> {
    /// What a place may be. That it is one of these is added to what must hold.
    pub(crate) fn resolve(&mut self, place: PlaceId) -> Result<Vec<Alternative>, Obstacle> {
        let program = self.encoding.program;
        match program.places[place].kind {
            PlaceKind::Variable(variable) => Ok(vec![self.whole(Object::Variable(variable))]),
            PlaceKind::Text(text) => Ok(vec![self.whole(Object::Text(text))]),
            PlaceKind::Deref(pointer) => self.dereference(pointer, program.places[place].ty),
            PlaceKind::Member { base, field } => {
                let alternatives = self.resolve(base)?;
                let base_ty = program.places[base].ty;
                alternatives.into_iter().map(|one| self.member(one, base_ty, field)).collect()
            }
            PlaceKind::Element { base, index } => {
                let alternatives = self.resolve(base)?;
                let index = self.eval(index)?;
                let is_object =
                    matches!(program.places[base].kind, PlaceKind::Variable(_) | PlaceKind::Text(_));
                alternatives.into_iter().map(|one| self.element(one, index, place, is_object)).collect()
            }
        }
    }

    pub(crate) fn whole(&mut self, object: Object) -> Alternative {
        let layout = self.encoding.layout(object);
        let guard = self.encoding.pool.top();
        Alternative { guard, node: Node::Whole { layout, index: None } }
    }

    fn member(&mut self, one: Alternative, base: TypeId, field: u32) -> Result<Alternative, Obstacle> {
        let types = &self.encoding.program.types;
        let record = types.as_record(base).map(|record| types.record(record));
        let details = record.and_then(|record| record.fields.get(field as usize));
        let Some(details) = details else { return Err(self.obstacle("a member of this type")) };
        let node = match one.node {
            Node::Whole { layout, index } => match &*layout {
                Layout::Struct { fields, .. } => {
                    Node::Whole { layout: fields[field as usize].1.clone(), index }
                }
                Layout::Union { cell, .. } => {
                    let low = details.bits.map_or(0, |range| u64::from(range.start));
                    if details.bits.is_some() {
                        return Err(self.obstacle("a bit-field in a union"));
                    }
                    Node::Slice { cell: *cell, index, low, ty: details.ty }
                }
                Layout::Opaque(reason) => return Err(self.obstacle(reason)),
                _ => return Err(self.obstacle("an access with another type than that of the object")),
            },
            Node::Slice { .. } if details.bits.is_some() => {
                return Err(self.obstacle("a bit-field in a union"));
            }
            Node::Slice { cell, index, low, .. } => {
                Node::Slice { cell, index, low: low + details.offset * 8, ty: details.ty }
            }
        };
        Ok(Alternative { guard: one.guard, node })
    }

    /// An element of an array. An index beyond an array that is a whole object is undefined; one beyond an array inside
    /// of an object may hit what comes behind it there, as it does for gcc and in the interpreter.
    fn element(
        &mut self,
        one: Alternative,
        at: Term,
        place: PlaceId,
        is_object: bool,
    ) -> Result<Alternative, Obstacle> {
        let ty = self.encoding.program.places[place].ty;
        let node = match one.node {
            Node::Whole { layout, index } => match &*layout {
                Layout::Array { element, length, .. } => {
                    let length = self.length(*length);
                    let inside = self.encoding.pool.bv_ult(at, length);
                    self.require_if(one.guard, inside);
                    if !is_object {
                        let outside = self.encoding.pool.not(inside);
                        let guard = self.encoding.pool.and2(one.guard, outside);
                        self.block_obstacle(guard, "an index beyond an array that is part of an object");
                    }
                    let index = self.flatten(index, length, at);
                    Node::Whole { layout: element.clone(), index: Some(index) }
                }
                Layout::Opaque(reason) => return Err(self.obstacle(reason)),
                _ => return Err(self.obstacle("an access with another type than that of the object")),
            },
            Node::Slice { cell, index, low, .. } => {
                let size = self.encoding.program.types.size_of(ty).unwrap_or(0);
                let known = self.encoding.pool.as_bits(at).and_then(rorqual_logic::Bits::to_u64);
                let Some(at) = known.filter(|&at| at < 256) else {
                    return Err(self.obstacle("an array in a union with a computed index"));
                };
                Node::Slice { cell, index, low: low + at * size * 8, ty }
            }
        };
        Ok(Alternative { guard: one.guard, node })
    }

    /// The position in all arrays around: outer positions count whole inner arrays.
    fn flatten(&mut self, outer: Option<Term>, length: Term, at: Term) -> Term {
        let Some(outer) = outer else { return at };
        let pool = &mut self.encoding.pool;
        let before = pool.bv_mul(outer, length);
        pool.bv_add(before, at)
    }

    /// The length of an array as a term.
    pub(crate) fn length(&mut self, length: Length) -> Term {
        match length {
            Length::Fixed(length) => {
                let width = self.encoding.pointer_width();
                self.encoding.pool.bv(length, width)
            }
            Length::Counted(cell) => self.state.read(&self.encoding.cells, cell),
        }
    }

    /// What a pointer may point to, seen as a `ty`.
    fn dereference(&mut self, pointer: ExprId, ty: TypeId) -> Result<Vec<Alternative>, Obstacle> {
        let program = self.encoding.program;
        let targets = self.encoding.points_to.targets(program, pointer);
        let pointer = self.pointer(pointer)?;
        let mut alternatives = Vec::new();
        let mut unclear = Vec::new();
        for object in targets.objects {
            if !self.encoding.is_alive(self.context, object) {
                continue;
            }
            let layout = self.encoding.layout(object);
            let base = self.encoding.address(object);
            let mut found = Vec::new();
            let complete = find(program, &layout, ty, 0, None, &mut found);
            for target in found {
                alternatives.push(self.at_target(&pointer, base, target));
            }
            if self.encoding.points_to.puns || !complete || !is_uniform(program, &layout, ty) {
                unclear.push(self.is_inside(&pointer, object, base));
            }
        }
        self.add_obstacles(&pointer, &alternatives, &unclear, targets.unknown);
        let guards: Vec<Term> = alternatives.iter().map(|one| one.guard).collect();
        let valid = self.encoding.pool.or(&guards);
        self.require(valid);
        Ok(alternatives)
    }

    /// Accesses that hit an object in a way that no alternative describes have a meaning that is not modelled.
    fn add_obstacles(
        &mut self,
        pointer: &Pointer,
        alternatives: &[Alternative],
        unclear: &[Term],
        unknown: bool,
    ) {
        if !unknown && unclear.is_empty() {
            return;
        }
        let pool = &mut self.encoding.pool;
        let mut missed: Vec<Term> = alternatives.iter().map(|one| pool.not(one.guard)).collect();
        if unknown {
            let zero = pool.bv(0u8, pool.width(pointer.value));
            missed.push(pool.ne(pointer.value, zero));
        } else {
            missed.push(pool.or(unclear));
        }
        let guard = pool.and(&missed);
        let construct = if unknown {
            "an access to memory that is not modelled"
        } else {
            "an access with another type than that of the object"
        };
        self.block_obstacle(guard, construct);
    }

    /// Whether the pointer points into the object.
    fn is_inside(&mut self, pointer: &Pointer, object: Object, base: Term) -> Term {
        let size = self.encoding.size(object);
        let pool = &mut self.encoding.pool;
        let offset = pool.bv_sub(pointer.value, base);
        let size = pool.bv(size, pool.width(offset));
        pool.bv_ult(offset, size)
    }

    /// A pointer, taken apart if it is a sum.
    fn pointer(&mut self, expr: ExprId) -> Result<Pointer, Obstacle> {
        let program = self.encoding.program;
        let value = self.eval(expr)?;
        let mut inner = expr;
        while let ExprKind::Convert(operand) = program.exprs[inner].kind
            && matches!(program.types.get(program.exprs[operand].ty), Type::Pointer(_))
        {
            inner = operand;
        }
        Ok(match program.exprs[inner].kind {
            ExprKind::PointerOffset { pointer, index, stride } => {
                let (base, index) = (self.eval(pointer)?, self.eval(index)?);
                Pointer { base, offset: Some((index, stride)), value }
            }
            _ => Pointer { base: value, offset: None, value },
        })
    }

    /// The alternative that the pointer points to a part of an object at `base`.
    fn at_target(&mut self, pointer: &Pointer, base: Term, target: Target) -> Alternative {
        let pool = &mut self.encoding.pool;
        let offset = pool.bv(target.offset, pool.width(base));
        let start = pool.bv_add(base, offset);
        let Some((length, stride)) = target.repeats else {
            let guard = pool.eq(pointer.value, start);
            return Alternative { guard, node: Node::Whole { layout: target.layout, index: None } };
        };
        let (exact, index) = self.position(pointer, start, stride);
        let length = self.length(length);
        let pool = &mut self.encoding.pool;
        let inside = pool.bv_ult(index, length);
        let guard = pool.and2(exact, inside);
        Alternative { guard, node: Node::Whole { layout: target.layout, index: Some(index) } }
    }

    /// Whether the pointer points to the start of an element of an array at `start`, and to which. A pointer
    /// `base + index * stride` with the stride of the array keeps its index: without overflow, which is undefined
    /// for pointers, that is the same number, and a simpler one.
    fn position(&mut self, pointer: &Pointer, start: Term, stride: u64) -> (Term, Term) {
        let (from, added) = match pointer.offset {
            Some((index, by)) if by == stride => (pointer.base, Some(index)),
            _ => (pointer.value, None),
        };
        let pool = &mut self.encoding.pool;
        let distance = pool.bv_sub(from, start);
        let width = pool.width(distance);
        let (exact, quotient) = if stride.is_power_of_two() {
            let shift = stride.trailing_zeros();
            if shift == 0 {
                (pool.top(), distance)
            } else {
                let low = pool.bv_extract(distance, shift - 1, 0);
                let zero = pool.bv(0u8, shift);
                let by = pool.bv(shift, width);
                (pool.eq(low, zero), pool.bv_ashr(distance, by))
            }
        } else {
            let (by, zero) = (pool.bv(stride, width), pool.bv(0u8, width));
            let rest = pool.bv_srem(distance, by);
            (pool.eq(rest, zero), pool.bv_sdiv(distance, by))
        };
        let index = added.map_or(quotient, |index| pool.bv_add(quotient, index));
        (exact, index)
    }

    /// The slot of a scalar.
    pub(crate) fn slot(&mut self, node: &Node) -> Result<Slot, Obstacle> {
        match node {
            Node::Whole { layout, index } => match &**layout {
                Layout::Scalar { cell, .. } => Ok(Slot { cell: *cell, index: *index, bits: None }),
                Layout::Opaque(reason) => Err(self.obstacle(reason)),
                _ => Err(self.obstacle("an access with another type than that of the object")),
            },
            Node::Slice { cell, index, low, ty } => {
                let width = self.encoding.program.types.width(*ty);
                if low + u64::from(width) > u64::from(self.encoding.cell_width(*cell)) {
                    return Err(self.obstacle("an access beyond a member of a union"));
                }
                Ok(Slot { cell: *cell, index: *index, bits: Some((*low as u32, width)) })
            }
        }
    }

    /// The value in a slot.
    pub(crate) fn read_slot(&mut self, slot: Slot) -> Term {
        let mut value = self.state.read(&self.encoding.cells, slot.cell);
        let pool = &mut self.encoding.pool;
        if let Some(index) = slot.index {
            value = pool.select(value, index);
        }
        match slot.bits {
            Some((low, width)) => pool.bv_extract(value, low + width - 1, low),
            None => value,
        }
    }

    /// Stores a value in a slot where the guard holds.
    pub(crate) fn write_slot(&mut self, slot: Slot, guard: Term, value: Term) {
        let whole = self.state.read(&self.encoding.cells, slot.cell);
        let pool = &mut self.encoding.pool;
        let old = slot.index.map_or(whole, |index| pool.select(whole, index));
        let element = match slot.bits {
            None => value,
            Some((low, width)) => {
                let mut parts = value;
                if low > 0 {
                    let below = pool.bv_extract(old, low - 1, 0);
                    parts = pool.bv_concat(parts, below);
                }
                let all = pool.width(old);
                if low + width < all {
                    let above = pool.bv_extract(old, all - 1, low + width);
                    parts = pool.bv_concat(above, parts);
                }
                parts
            }
        };
        let new = slot.index.map_or(element, |index| pool.store(whole, index, element));
        let value = pool.ite(guard, new, whole);
        self.state.write(slot.cell, value);
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
                let pool = &mut self.encoding.pool;
                let offset = pool.bv(offset, pool.width(base));
                Ok(pool.bv_add(base, offset))
            }
            PlaceKind::Element { base, index } => {
                let size = program.types.size_of(program.places[place].ty).unwrap_or(0);
                let base = self.address_of(base)?;
                let index = self.eval(index)?;
                let pool = &mut self.encoding.pool;
                let size = pool.bv(size, pool.width(base));
                let distance = pool.bv_mul(index, size);
                Ok(pool.bv_add(base, distance))
            }
        }
    }
}

/// Whether a layout is nothing but one `ty` after the other, so that a pointer that was never converted either points to
/// one of them or out of the object.
fn is_uniform(program: &rorqual_cfa::Program, layout: &Layout, ty: TypeId) -> bool {
    match layout {
        Layout::Scalar { ty: own, bits: None, .. } => is_compatible(program, *own, ty),
        Layout::Union { ty: own, .. } | Layout::Struct { ty: own, .. } => *own == ty,
        Layout::Array { ty: own, element, .. } => *own == Some(ty) || is_uniform(program, element, ty),
        Layout::Scalar { .. } | Layout::Opaque(_) => false,
    }
}

/// Finds all parts of a layout that can be accessed as a `ty`; whether these are all there are.
fn find(
    program: &rorqual_cfa::Program,
    layout: &Rc<Layout>,
    ty: TypeId,
    offset: u64,
    repeats: Option<(Length, u64)>,
    found: &mut Vec<Target>,
) -> bool {
    let same = match &**layout {
        Layout::Scalar { ty: own, bits: None, .. } => is_compatible(program, *own, ty),
        Layout::Union { ty: own, .. } | Layout::Struct { ty: own, .. } => *own == ty,
        Layout::Array { ty: own, .. } => *own == Some(ty),
        Layout::Scalar { .. } | Layout::Opaque(_) => false,
    };
    if same {
        found.push(Target { layout: layout.clone(), offset, repeats });
    }
    match &**layout {
        Layout::Scalar { .. } => true,
        Layout::Union { .. } => same,
        Layout::Opaque(_) => false,
        Layout::Struct { fields, .. } => {
            let mut complete = true;
            for (at, field) in fields {
                complete &= find(program, field, ty, offset + at, repeats, found);
            }
            complete
        }
        Layout::Array { element, length, stride, .. } => match (repeats, *length) {
            (None, length) => find(program, element, ty, offset, Some((length, *stride)), found),
            // The elements of an array in an array follow each other without gaps.
            (Some((Length::Fixed(outer), size)), Length::Fixed(inner)) if size == inner * stride => {
                let repeats = Some((Length::Fixed(outer * inner), *stride));
                find(program, element, ty, offset, repeats, found)
            }
            _ => false,
        },
    }
}
