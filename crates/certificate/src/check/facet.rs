//! What is known of memory besides its content: the objects that pointers were derived from, and what was written.
//! These facets are found, read and written exactly as the content is, in cells of their own, if a check asks for them.

use rorqual_cfa::{ExprId, ExprKind, Hazard, PlaceId, PlaceKind, Type, TypeId};
use rorqual_logic::{Bits, Sort, Term};

use super::memory::Site;
use super::step::{Step, Value};
use crate::cells::{CellId, Facet};
use crate::leaves::{LeafKind, leaves};

/// A value with its facets. The content comes last: where something is stored is found by contents, which must not
/// change before everything is stored.
#[derive(Debug, Clone)]
pub(super) struct Faceted(Vec<(Facet, Value)>);

impl Faceted {
    /// A value of which nothing but the content is kept.
    pub(super) fn content(value: Value) -> Faceted {
        Faceted(vec![(Facet::Content, value)])
    }

    /// The facets with their values, in the order in which they are to be stored.
    pub(super) fn facets(&self) -> impl Iterator<Item = (Facet, &Value)> {
        self.0.iter().map(|(facet, value)| (*facet, value))
    }
}

impl Step<'_> {
    /// Does something with another facet of memory.
    pub(super) fn on<T>(&mut self, facet: Facet, action: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.facet, facet);
        let result = action(self);
        self.facet = before;
        result
    }

    /// The cell of the facet at hand of a part of memory, or the cell itself if it is none.
    pub(super) fn kept(&self, cell: CellId) -> Option<CellId> {
        let cells = self.world.cells;
        if cells.get(cell).is_content { cells.facet(cell, self.facet) } else { Some(cell) }
    }

    /// A facet of what is computed or constant: zero as a content, it points to no object, and it was written.
    pub(super) fn plain(&mut self, facet: Facet, sort: Sort) -> Term {
        let bits = |width| if facet == Facet::Written { Bits::ones(width) } else { Bits::new(0u8, width) };
        match sort {
            Sort::Array { index, element } => {
                let element = self.pool.bits(bits(element));
                self.pool.const_array(index, element)
            }
            _ => self.pool.bits(bits(sort.width().unwrap_or(1))),
        }
    }

    /// The value of an expression with its facets.
    pub(super) fn faceted(&mut self, expr: ExprId) -> Faceted {
        let mut all = Vec::new();
        for facet in self.world.cells.facets() {
            all.push((facet, self.facet_of(expr, facet)));
        }
        all.push((Facet::Content, self.value(expr)));
        Faceted(all)
    }

    /// A pointer to the start of an object, or null.
    pub(super) fn start(&mut self, address: Term) -> Faceted {
        let written = self.plain(Facet::Written, Sort::BitVec(self.world.pointer_width));
        let facets = [(Facet::Base, address), (Facet::Written, written), (Facet::Content, address)];
        Faceted(facets.map(|(facet, value)| (facet, Value::Scalar(value))).to_vec())
    }

    /// No value.
    pub(super) fn nothing(&self) -> Faceted {
        let facets = self.world.cells.facets().into_iter().chain([Facet::Content]);
        Faceted(facets.map(|facet| (facet, Value::Nothing)).collect())
    }

    fn facet_of(&mut self, expr: ExprId, facet: Facet) -> Value {
        let program = self.world.program;
        let ty = program.exprs[expr].ty;
        if program.types.is_scalar(ty) {
            let is_pointer = facet == Facet::Base && self.is_pointer(expr);
            let width = self.world.width(ty);
            let plain = self.plain(facet, Sort::BitVec(width));
            return Value::Scalar(if is_pointer { self.base(expr) } else { plain });
        }
        match (&program.exprs[expr].kind, program.types.get(ty)) {
            (_, Type::Void | Type::Function { .. }) => Value::Nothing,
            (ExprKind::Load(place), _) => {
                Value::Aggregate(self.on(facet, |step| step.load_aggregate(*place)))
            }
            (ExprKind::Zero | ExprKind::Text(_), _) => Value::Aggregate(self.plain_aggregate(facet, ty)),
            _ => Value::Aggregate(self.any_aggregate(ty)),
        }
    }

    /// A facet of something from outside: it was written, and pointers in it may point to any object. Bytes of a union
    /// that belong to no member may be missing.
    pub(super) fn given(&mut self, facet: Facet, ty: TypeId) -> Value {
        let types = &self.world.program.types;
        let is_written = facet == Facet::Written;
        if types.is_scalar(ty) {
            let sort = Sort::BitVec(self.world.width(ty));
            let any = self.pool.fresh_symbol("any", sort);
            return Value::Scalar(if is_written { self.plain(facet, sort) } else { any });
        }
        let mut values = Vec::new();
        for leaf in leaves(types, ty) {
            let sort = leaf.sort(types);
            values.push(if is_written && leaf.kind != LeafKind::Union {
                self.plain(facet, sort)
            } else {
                self.pool.fresh_symbol("any", sort)
            });
        }
        Value::Aggregate(values)
    }

    /// Stores a value with its facets in a place.
    pub(super) fn assign_all(&mut self, target: PlaceId, value: &Faceted) {
        for (facet, value) in value.facets() {
            self.on(facet, |step| step.assign(target, value));
        }
    }

    pub(super) fn is_pointer(&self, expr: ExprId) -> bool {
        let program = self.world.program;
        matches!(program.types.get(program.exprs[expr].ty), Type::Pointer(_))
    }

    /// The address of the object that a pointer was derived from. A number that becomes a pointer points to none.
    pub(super) fn base(&mut self, expr: ExprId) -> Term {
        if self.world.cells.memory().is_start(self.world.program, expr) {
            return self.eval(expr);
        }
        match self.world.program.exprs[expr].kind {
            ExprKind::Load(place) => self.on(Facet::Base, |step| step.load(place)),
            ExprKind::AddressOf(place) => self.base_of_place(place),
            ExprKind::PointerOffset { pointer, .. } => self.base(pointer),
            ExprKind::Convert(operand) if self.is_pointer(operand) => self.base(operand),
            _ => self.pool.bv(0u8, self.world.pointer_width),
        }
    }

    /// The address of the object that a place is in.
    pub(super) fn base_of_place(&mut self, place: PlaceId) -> Term {
        match self.world.program.places[place].kind {
            PlaceKind::Variable(variable) => self.get(self.world.cells.address(variable)),
            PlaceKind::Text(text) => self.text_address(text),
            PlaceKind::Deref(pointer) => self.base(pointer),
            PlaceKind::Member { base, .. } | PlaceKind::Element { base, .. } => self.base_of_place(base),
        }
    }

    /// Which bits of the scalar in a place were written, if an access there is valid.
    pub(super) fn written(&mut self, place: PlaceId) -> Term {
        let access = self.access(place);
        self.on(Facet::Written, |step| {
            let mut site = step.site(place);
            if let Site::Address(pointed) = &mut site {
                pointed.valid = Some(step.in_heap(pointed.address));
            }
            step.during(Hazard::Access(place), |step| step.load_site(&site, access))
        })
    }
}
