//! Pointers: what is behind them.

use std::rc::Rc;

use rorqual_cfa::{ExprId, ExprKind, Program, Type, TypeId};
use rorqual_logic::Term;
use rorqual_memory::{ClassId, Object, Offset};

use crate::cells::{CellId, Layout};
use crate::place::{Alternative, Node, Position};
use crate::translate::{Obstacle, Translation};

/// A pointer as `base + index * stride`.
#[derive(Clone, Copy)]
pub(crate) struct Pointer {
    base: Term,
    offset: Option<(Term, u64)>,
    pub(crate) value: Term,
}

impl Pointer {
    /// A pointer of which nothing but its value is known.
    pub(crate) fn to(value: Term) -> Pointer {
        Pointer { base: value, offset: None, value }
    }
}

/// A part of an object.
struct Part {
    content: Content,
    /// Where it is, in bytes from the start.
    offset: u64,
    /// It repeats: how often, and after how many bytes.
    repeats: Option<(u64, u64)>,
}

enum Content {
    /// All of a layout.
    Whole(Rc<Layout>),
    /// From so many bytes on in a cell of bytes.
    Union(CellId, u64),
}

/// What was found behind a pointer.
#[derive(Default)]
struct Found {
    alternatives: Vec<Alternative>,
    /// When the pointer points into an object, but perhaps to something that no alternative describes; and a cell of that
    /// object.
    unclear: Vec<(Term, CellId)>,
}

impl Translation<'_, '_> {
    /// What a pointer may point to, seen as a `ty`. That it is one of these is added to what must hold.
    pub(crate) fn dereference(&mut self, pointer: ExprId, ty: TypeId) -> Result<Vec<Alternative>, Obstacle> {
        let value = self.pointer(pointer)?;
        Ok(self.behind(pointer, value, ty))
    }

    /// What a pointer may point to that points into the same objects as an expression.
    pub(crate) fn behind(&mut self, expr: ExprId, pointer: Pointer, ty: TypeId) -> Vec<Alternative> {
        let targets = self.encoding.targets(expr);
        let mut found = Found::default();
        for &(object, offset) in &targets.places {
            if matches!(object, Object::Variable(_) | Object::Text(_))
                && self.encoding.is_alive(self.context, object)
            {
                self.look_into(object, offset, pointer, ty, &mut found);
            }
        }
        if let Some((class, offset)) = self.encoding.analysis.memory.allocated(self.encoding.program, expr) {
            self.look_into_class(class, offset, pointer, ty, &mut found);
        }
        self.settle(pointer, ty, found, targets.unknown)
    }

    /// Makes sure that one of the alternatives is there.
    fn settle(&mut self, pointer: Pointer, ty: TypeId, found: Found, unknown: bool) -> Vec<Alternative> {
        let Found { mut alternatives, unclear } = found;
        let exact: Vec<Term> = alternatives.iter().map(|one| one.guard).collect();
        let pool = &mut self.encoding.pool;
        let exact = pool.or(&exact);
        let elsewhere = pool.not(exact);
        for (inside, cell) in unclear {
            let guard = self.encoding.pool.and2(inside, elsewhere);
            if self.encoding.pool.as_bool(guard) != Some(false) {
                alternatives.push(Alternative { guard, node: Node::Anywhere { cell, bits: None, ty } });
            }
        }
        let guards: Vec<Term> = alternatives.iter().map(|one| one.guard).collect();
        let valid = self.encoding.pool.or(&guards);
        if unknown {
            let pool = &mut self.encoding.pool;
            let zero = pool.bv(0u8, pool.width(pointer.value));
            let (missed, points) = (pool.not(valid), pool.ne(pointer.value, zero));
            let guard = pool.and2(missed, points);
            self.block_obstacle(guard, "an access to memory that is not modelled");
        }
        self.require_defined(valid);
        if let [only] = alternatives.as_mut_slice() {
            only.guard = self.encoding.pool.top();
        }
        alternatives
    }

    fn look_into(&mut self, object: Object, at: Offset, pointer: Pointer, ty: TypeId, found: &mut Found) {
        let program = self.encoding.program;
        let layout = self.encoding.layout(object);
        let base = self.encoding.address(object);
        let size = self.encoding.size(object);
        let offset = self.encoding.pool.bv_sub(pointer.value, base);
        let access = program.types.size_of(ty).unwrap_or(1);
        if let (Layout::Union { cell, .. }, true) =
            (&*layout, self.encoding.analysis.memory.is_collapsed(object))
        {
            let guard = self.is_near(offset, size, access);
            let node = Node::Part { cell: *cell, position: None, offset, bits: None, ty };
            found.alternatives.push(Alternative { guard, node });
            return;
        }
        let part = match at {
            Offset::At(at) => part_at(program, &layout, at, ty, 0, None),
            Offset::Any => None,
        };
        let is_all = is_uniform(program, &layout, ty);
        if part.is_none() || !is_all {
            let inside = self.is_inside(offset, size, 1);
            found.unclear.push((inside, self.encoding.some_cell(&layout)));
        }
        if let Some(part) = part {
            let alternative = self.at_part(pointer, base, part, ty);
            found.alternatives.push(alternative);
        }
    }

    /// Whether something of some bytes at an offset has a byte in common with an object. Objects of which only bytes are
    /// known are far away from others; whether what is accessed lies inside is looked at with the access.
    fn is_near(&mut self, offset: Term, size: u64, access: u64) -> Term {
        let pool = &mut self.encoding.pool;
        let width = pool.width(offset);
        let before = pool.bv(access.saturating_sub(1), width);
        let end = pool.bv(size + access.saturating_sub(1), width);
        let from = pool.bv_add(offset, before);
        pool.bv_ult(from, end)
    }

    /// Allocated memory: all that is known of a pointer there is that it does not point to anything that is declared.
    fn look_into_class(
        &mut self,
        class: ClassId,
        offset: Option<u64>,
        pointer: Pointer,
        ty: TypeId,
        found: &mut Found,
    ) {
        let layout = self.encoding.class_layout(class);
        let start = self.encoding.heap_start();
        let guard = self.encoding.pool.bv_ule(start, pointer.value);
        let part = offset.and_then(|at| part_at(self.encoding.program, &layout, at, ty, 0, None));
        let node = match (&*layout, part) {
            (Layout::Bytes { cell }, _) => {
                Node::Bytes { cell: *cell, address: pointer.value, bits: None, ty }
            }
            (_, Some(Part { content, offset, .. })) => {
                let by = self.bytes(offset);
                let index = self.encoding.pool.bv_sub(pointer.value, by);
                self.content(content, Some(Position::Address(index)), ty)
            }
            (_, None) => {
                found.unclear.push((guard, self.encoding.some_cell(&layout)));
                return;
            }
        };
        found.alternatives.push(Alternative { guard, node });
    }

    fn content(&mut self, content: Content, position: Option<Position>, ty: TypeId) -> Node {
        match content {
            Content::Whole(layout) => self.node(&layout, position),
            Content::Union(cell, from) => {
                let offset = self.bytes(from);
                Node::Part { cell, position, offset, bits: None, ty }
            }
        }
    }

    /// A pointer, taken apart if it is a sum.
    pub(crate) fn pointer(&mut self, expr: ExprId) -> Result<Pointer, Obstacle> {
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
            _ => Pointer::to(value),
        })
    }

    /// The alternative that the pointer points to a part of an object at `base`.
    fn at_part(&mut self, pointer: Pointer, base: Term, part: Part, ty: TypeId) -> Alternative {
        let pool = &mut self.encoding.pool;
        let offset = pool.bv(part.offset, pool.width(base));
        let start = pool.bv_add(base, offset);
        let Some((length, stride)) = part.repeats else {
            let guard = pool.eq(pointer.value, start);
            let node = self.content(part.content, None, ty);
            return Alternative { guard, node };
        };
        let (exact, index) = self.position(pointer, start, stride);
        let pool = &mut self.encoding.pool;
        let length = pool.bv(length, pool.width(index));
        let inside = pool.bv_ult(index, length);
        let guard = pool.and2(exact, inside);
        let node = self.content(part.content, Some(Position::Element(index)), ty);
        Alternative { guard, node }
    }

    /// Whether the pointer points to the start of an element of an array at `start`, and to which. A pointer
    /// `base + index * stride` with the stride of the array keeps its index: without overflow, which is undefined
    /// for pointers, that is the same number, and a simpler one.
    fn position(&mut self, pointer: Pointer, start: Term, stride: u64) -> (Term, Term) {
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
}

/// Whether all of a layout can be accessed as a `ty`.
fn is_a(program: &Program, layout: &Layout, ty: TypeId) -> bool {
    match layout {
        Layout::Scalar { ty: own, bits: None, .. } => rorqual_memory::has_part(&program.types, *own, 0, ty),
        Layout::Union { ty: own, .. } | Layout::Struct { ty: own, .. } => *own == ty,
        Layout::Array { ty: own, .. } => *own == Some(ty),
        Layout::Scalar { .. } | Layout::Bytes { .. } | Layout::Opaque(_) => false,
    }
}

/// Whether a layout is nothing but one `ty` after the other, so that a pointer that was never converted either points to
/// one of them or out of the object.
fn is_uniform(program: &Program, layout: &Layout, ty: TypeId) -> bool {
    match layout {
        _ if is_a(program, layout, ty) => true,
        Layout::Array { element, .. } => is_uniform(program, element, ty),
        _ => false,
    }
}

/// The part of a layout that can be accessed as a `ty` at an offset in the first elements of its arrays.
fn part_at(
    program: &Program,
    layout: &Rc<Layout>,
    at: u64,
    ty: TypeId,
    start: u64,
    repeats: Option<(u64, u64)>,
) -> Option<Part> {
    if at == 0 && is_a(program, layout, ty) {
        return Some(Part { content: Content::Whole(layout.clone()), offset: start, repeats });
    }
    match &**layout {
        Layout::Union { cell, .. } => {
            Some(Part { content: Content::Union(*cell, at), offset: start + at, repeats })
        }
        Layout::Struct { fields, .. } => fields.iter().rev().find_map(|(offset, field)| {
            part_at(program, field, at.checked_sub(*offset)?, ty, start + offset, repeats)
        }),
        Layout::Array { element, length, stride, .. } => {
            let repeats = match repeats {
                None => Some((*length, *stride)),
                // The elements of an array in an array follow each other without gaps.
                Some((outer, size)) if size == length * stride => Some((outer * length, *stride)),
                Some(_) => return None,
            };
            part_at(program, element, at, ty, start, repeats)
        }
        Layout::Scalar { .. } | Layout::Bytes { .. } | Layout::Opaque(_) => None,
    }
}
