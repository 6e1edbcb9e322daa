//! Scalars with all that is known of them: the value, the object that a pointer was derived from, and that it was
//! written.

use rorqual_cfa::{ExprId, ExprKind, PlaceId, PlaceKind, Type};
use rorqual_logic::{Bits, Sort, Term};
use rorqual_memory::{Ghost, Object};

use crate::cells::Facet;
use crate::slot::{Extent, Slot};
use crate::translate::{Obstacle, Translation};

/// A scalar on its way to a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scalar {
    pub(crate) value: Term,
    /// The address of the object that the pointer was derived from, if that is kept and known.
    pub(crate) base: Option<Term>,
}

impl Scalar {
    /// A number, or a pointer of which nothing else is known.
    pub(crate) fn number(value: Term) -> Scalar {
        Scalar { value, base: None }
    }

    /// A pointer to the start of an object.
    pub(crate) fn start(value: Term) -> Scalar {
        Scalar { value, base: Some(value) }
    }
}

impl Translation<'_, '_> {
    /// The value of a scalar expression, with what is known of it.
    pub(crate) fn scalar(&mut self, expr: ExprId) -> Result<Scalar, Obstacle> {
        let value = self.eval(expr)?;
        let is_kept = self.encoding.ghosts.has(Ghost::Bases) && self.is_pointer(expr);
        let base = if is_kept { Some(self.base(expr)?) } else { None };
        Ok(Scalar { value, base })
    }

    fn is_pointer(&self, expr: ExprId) -> bool {
        let program = self.encoding.program;
        matches!(program.types.get(program.exprs[expr].ty), Type::Pointer(_))
    }

    /// The object that a pointer was derived from, by its address: arithmetic stays with an object, and a number becomes a
    /// pointer to none that is known.
    pub(crate) fn base(&mut self, expr: ExprId) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        if self.encoding.analysis.memory.is_start(program, expr) {
            return self.eval(expr);
        }
        match program.exprs[expr].kind {
            ExprKind::Load(place) => self.load_facet(place, Facet::Base),
            ExprKind::AddressOf(place) => self.base_of_place(place),
            ExprKind::PointerOffset { pointer, .. } => self.base(pointer),
            ExprKind::Convert(operand) if self.is_pointer(operand) => self.base(operand),
            _ => Ok(self.bytes(0)),
        }
    }

    /// The object that a place is in, by its address.
    pub(crate) fn base_of_place(&mut self, place: PlaceId) -> Result<Term, Obstacle> {
        match self.encoding.program.places[place].kind {
            PlaceKind::Variable(variable) => Ok(self.encoding.address(Object::Variable(variable))),
            PlaceKind::Text(text) => Ok(self.encoding.address(Object::Text(text))),
            PlaceKind::Deref(pointer) => self.base(pointer),
            PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => self.base_of_place(base),
        }
    }

    /// A facet of the scalar in a place.
    pub(crate) fn load_facet(&mut self, place: PlaceId, facet: Facet) -> Result<Term, Obstacle> {
        let width = self.encoding.program.types.width(self.encoding.program.places[place].ty);
        let mut result: Option<Term> = None;
        for one in self.resolve(place)?.iter().rev() {
            let Some(slot) = self.slot_of(one) else { continue };
            let value = self.read_facet(slot, facet);
            let pool = &mut self.encoding.pool;
            result = Some(match result {
                Some(other) if pool.width(other) == pool.width(value) => pool.ite(one.guard, value, other),
                Some(_) => return Err(self.obstacle("a pointer to bit-fields")),
                None => value,
            });
        }
        let nothing =
            |this: &mut Self| this.approximate("what is behind an invalid pointer", Sort::BitVec(width));
        Ok(result.unwrap_or_else(|| nothing(self)))
    }

    /// A facet of what is in a slot.
    pub(crate) fn read_facet(&mut self, slot: Slot, facet: Facet) -> Term {
        match self.facet_of(slot, facet) {
            Some(slot) => self.read_slot(slot),
            None => {
                let width = self.slot_width(slot);
                self.plain(facet, Sort::BitVec(width))
            }
        }
    }

    /// Where a facet of what is in a slot is kept.
    pub(crate) fn facet_of(&mut self, slot: Slot, facet: Facet) -> Option<Slot> {
        let cell = self.encoding.facet(slot.cell, facet)?;
        Some(Slot { cell, ..slot })
    }

    /// The same, unless the content says it.
    pub(crate) fn own_facet_of(&mut self, slot: Slot, facet: Facet) -> Option<Slot> {
        let is_own = |kept: &Slot| facet == Facet::Content || kept.cell != slot.cell;
        self.facet_of(slot, facet).filter(is_own)
    }

    /// A facet of what was computed or is constant: it points to no object, and it was written.
    pub(crate) fn plain(&mut self, facet: Facet, sort: Sort) -> Term {
        let bits = |width| if facet == Facet::Written { Bits::ones(width) } else { Bits::new(0u8, width) };
        let pool = &mut self.encoding.pool;
        match sort {
            Sort::Array { index, element } => {
                let element = pool.bits(bits(element));
                pool.const_array(index, element)
            }
            Sort::BitVec(width) => pool.bits(bits(width)),
            Sort::Bool | Sort::Int => unreachable!("cells hold vectors"),
        }
    }

    /// Stores a scalar in a slot where the guard holds, with all that is known of it.
    pub(crate) fn put(&mut self, slot: Slot, guard: Term, scalar: Scalar) {
        self.write_slot(slot, guard, scalar.value);
        if matches!(slot.extent, Extent::Anywhere { .. }) {
            // Everything that is known of the object is lost already.
            return;
        }
        let width = self.slot_width(slot);
        if let Some(slot) = self.own_facet_of(slot, Facet::Base) {
            let fits = |pool: &rorqual_logic::TermPool, base: &Term| pool.width(*base) == width;
            let known = scalar.base.filter(|base| fits(&self.encoding.pool, base));
            let base = known.unwrap_or_else(|| self.plain(Facet::Base, Sort::BitVec(width)));
            self.write_slot(slot, guard, base);
        }
        if let Some(slot) = self.own_facet_of(slot, Facet::Written) {
            let all = self.plain(Facet::Written, Sort::BitVec(width));
            self.write_slot(slot, guard, all);
        }
    }
}
