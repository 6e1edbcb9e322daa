//! Places: typed lvalues to places without effects.

use rorqual_cfa::{ExprKind, Operation, PlaceId, PlaceKind, Type};

use super::FunctionLowering;
use crate::typed::{self, ExprKind as Typed};

impl FunctionLowering<'_, '_> {
    /// The place that a typed expression names. A value gets a temporary to be in.
    pub(super) fn place(&mut self, id: typed::ExprId) -> PlaceId {
        let typed::Expr { kind, ty, span, .. } = self.lowering.exprs[id].clone();
        match kind {
            Typed::Variable(variable) => {
                if let Some(construct) = self.lowering.refused.get(&variable).cloned() {
                    self.unsupported(&construct, span);
                }
                let declared = self.lowering.program.variables[variable].ty;
                // The declaration of an array may be completed after a use of it.
                let is_array = matches!(self.types().get(declared), Type::Array { .. });
                let ty = if is_array { declared } else { ty };
                self.place_of(PlaceKind::Variable(variable), ty, span)
            }
            Typed::Text(string) => self.place_of(PlaceKind::Text(string), ty, span),
            Typed::Deref(pointer) => {
                let pointer = self.value(pointer);
                self.deref(pointer, ty, span)
            }
            Typed::Member { base, field } => {
                let base = self.place(base);
                self.place_of(PlaceKind::Member { base, field }, ty, span)
            }
            Typed::Index { base, index } => {
                let index_has_effects = self.lowering.exprs[index].has_effects;
                let mut base = self.place(base);
                if index_has_effects {
                    base = self.freeze(base);
                }
                let index = self.value(index);
                self.place_of(PlaceKind::Element { base, index }, ty, span)
            }
            Typed::CompoundLiteral { variable, initializer } => {
                if let Some(initializer) = initializer {
                    self.declare_initialized(variable, &initializer, span);
                }
                self.place_of(PlaceKind::Variable(variable), ty, span)
            }
            Typed::Load(place) => self.place(place),
            _ => {
                let value = self.value(id);
                if self.is_stable(value)
                    && let ExprKind::Load(place) = self.lowering.program.exprs[value].kind
                {
                    return place;
                }
                let temporary = self.temporary(ty, span);
                let target = self.variable_place(temporary, span);
                self.emit(Operation::Assign { target, value }, span);
                target
            }
        }
    }

    pub(super) fn deref(
        &mut self,
        pointer: rorqual_cfa::ExprId,
        ty: rorqual_cfa::TypeId,
        span: rorqual_source::Span,
    ) -> PlaceId {
        self.known_target(pointer, ty, span)
            .unwrap_or_else(|| self.place_of(PlaceKind::Deref(pointer), ty, span))
    }

    /// The place that a pointer is known to point to: `*&x` is `x`, `*a` is `a[0]`, and `*(a + i)`
    /// is `a[i]` for an array `a`.
    fn known_target(
        &mut self,
        pointer: rorqual_cfa::ExprId,
        ty: rorqual_cfa::TypeId,
        span: rorqual_source::Span,
    ) -> Option<PlaceId> {
        let element_size = self.types().size_of(ty);
        let (pointer, index) = match self.lowering.program.exprs[pointer].kind {
            ExprKind::PointerOffset { pointer, index, stride } if element_size == Some(stride) => {
                (pointer, Some(index))
            }
            _ => (pointer, None),
        };
        let ExprKind::AddressOf(place) = self.lowering.program.exprs[pointer].kind else { return None };
        // A write through a pointer is told from the initialisation of a constant.
        if self.is_constant(place) {
            return None;
        }
        let place_ty = self.lowering.program.places[place].ty;
        if place_ty == ty && index.is_none() {
            return Some(place);
        }
        let Type::Array { element, .. } = *self.types().get(place_ty) else { return None };
        if element != ty {
            return None;
        }
        let index = index.unwrap_or_else(|| {
            let difference = self.types().model().difference_type();
            let difference = self.types().int(difference);
            self.int(0, difference, span)
        });
        Some(self.place_of(PlaceKind::Element { base: place, index }, ty, span))
    }

    /// Whether a place is in a constant variable.
    fn is_constant(&self, place: PlaceId) -> bool {
        match self.lowering.program.places[place].kind {
            PlaceKind::Variable(variable) => self.lowering.program.variables[variable].constant,
            PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => self.is_constant(base),
            PlaceKind::Deref(_) | PlaceKind::Text(_) => false,
        }
    }

    /// Notes that a pointer may know the variable that the place is in. The adapter has done so
    /// for named variables; here it is about the temporaries that values are put into.
    pub(super) fn take_address(&mut self, place: PlaceId) {
        match self.lowering.program.places[place].kind {
            PlaceKind::Variable(variable) => self.lowering.program.variables[variable].address_taken = true,
            PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => self.take_address(base),
            PlaceKind::Deref(_) | PlaceKind::Text(_) => {}
        }
    }

    /// The same place, independent of what a call may do: that cannot change a variable of this
    /// function which no pointer knows.
    pub(super) fn freeze_against_calls(&mut self, place: PlaceId) -> PlaceId {
        if self.depends_on_memory(place) { self.freeze(place) } else { place }
    }

    fn depends_on_memory(&self, place: PlaceId) -> bool {
        match self.lowering.program.places[place].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) => false,
            PlaceKind::Deref(pointer) => self.reads_memory(pointer),
            PlaceKind::Member { base, .. } => self.depends_on_memory(base),
            PlaceKind::Element { base, index } => self.depends_on_memory(base) || self.reads_memory(index),
        }
    }

    fn reads_memory(&self, value: rorqual_cfa::ExprId) -> bool {
        let program = &self.lowering.program;
        match &program.exprs[value].kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Text(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(..) => false,
            ExprKind::Load(place) => match program.places[*place].kind {
                PlaceKind::Variable(variable) => {
                    let variable = &program.variables[variable];
                    variable.kind.is_global() || variable.address_taken
                }
                _ => true,
            },
            ExprKind::AddressOf(place) => self.depends_on_memory(*place),
            ExprKind::Convert(operand) | ExprKind::Unary { operand, .. } => self.reads_memory(*operand),
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::PointerOffset { pointer: lhs, index: rhs, .. }
            | ExprKind::PointerDifference { lhs, rhs, .. }
            | ExprKind::Overflows { lhs, rhs, .. } => self.reads_memory(*lhs) || self.reads_memory(*rhs),
            // Only checks, which come after the lowering, ask for these.
            ExprKind::Faulty { .. }
            | ExprKind::FaultyBlock { .. }
            | ExprKind::BadFree(_)
            | ExprKind::Leaks => true,
        }
    }

    /// The same place, independent of later changes to the variables in its pointers and
    /// indices.
    pub(super) fn freeze(&mut self, place: PlaceId) -> PlaceId {
        if self.is_stable_place(place) {
            return place;
        }
        let ty = self.lowering.program.places[place].ty;
        let span = self.lowering.program.place_spans[place];
        let kind = match self.lowering.program.places[place].kind {
            PlaceKind::Variable(_) | PlaceKind::Text(_) => return place,
            PlaceKind::Deref(pointer) => PlaceKind::Deref(self.operand(pointer)),
            PlaceKind::Member { base, field } => PlaceKind::Member { base: self.freeze(base), field },
            PlaceKind::Element { base, index } => {
                let base = self.freeze(base);
                PlaceKind::Element { base, index: self.operand(index) }
            }
        };
        self.place_of(kind, ty, span)
    }
}
