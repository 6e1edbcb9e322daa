//! Structures, unions and arrays as a whole: one term for each leaf of the type.

use rorqual_cfa::{BitRange, Hazard, PlaceId, TypeId};
use rorqual_logic::{Sort, Term};
use rorqual_memory::LARGEST_UNION;

use super::memory::{Access, Named, Site};
use super::reach::Pointed;
use super::step::Step;
use crate::cells::{CellId, Facet};
use crate::leaves::{self, Leaf, LeafKind, joined, leaves};

/// Aggregates with arrays of more elements are not copied element by element: they become any value.
const LONGEST_COPY: u64 = 64;

impl Step<'_> {
    /// The value of an aggregate place: one term for each leaf of its type, of the leaf's sort.
    pub(super) fn load_aggregate(&mut self, id: PlaceId) -> Vec<Term> {
        let (site, ty) = (self.accessed(id), self.world.program.places[id].ty);
        self.during(Hazard::Access(id), |step| step.load_aggregate_at(&site, ty))
    }

    /// The value of an object of a type at a site.
    pub(super) fn load_aggregate_at(&mut self, site: &Site, ty: TypeId) -> Vec<Term> {
        let all = leaves(&self.world.program.types, ty);
        all.iter().map(|leaf| self.load_leaf(site, leaf)).collect()
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
            let part = self.leaf_site(site, leaf, position);
            let part = self.load_site(&part, access);
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
        let displacement = leaf.displacement(position);
        let bytes = self.pool.bv(leaf.offset + displacement, self.world.pointer_width);
        match site {
            Site::Address(pointed) => {
                // Elsewhere offsets are those in the first elements of arrays.
                let by = leaf.offset + if self.is_union_part(pointed, leaf) { displacement } else { 0 };
                let address = self.pool.bv_add(pointed.address, bytes);
                Site::Address(Pointed { address, at: pointed.at.map(|at| at + by), ..pointed.clone() })
            }
            Site::Named(named) => Site::Named(self.named_leaf(named.clone(), leaf, bytes, position)),
        }
    }

    fn named_leaf(&mut self, mut named: Named, leaf: &Leaf, bytes: Term, position: u64) -> Named {
        let width = self.world.pointer_width;
        // The aggregate is inside of its variable only if its own elements are inside of their arrays.
        named.outer_bounds = self.bounds(&named);
        named.run_position = None;
        named.offset = self.pool.bv_add(named.offset, bytes);
        if let Some(part) = &mut named.union {
            part.start = part.start.map(|start| self.pool.bv_add(start, bytes));
            return named;
        }
        named.path = joined(&named.path, &leaf.suffix);
        if !leaf.dimensions.is_empty() || named.position.is_some() {
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
        named
    }

    /// Stores an aggregate: one term for each leaf of the place's type.
    pub(super) fn store_aggregate(&mut self, id: PlaceId, values: &[Term]) {
        let site = self.accessed(id);
        let ty = self.world.program.places[id].ty;
        self.during(Hazard::Access(id), |step| step.store_aggregate_at(&site, ty, values));
    }

    /// Stores an aggregate at a site.
    pub(super) fn store_aggregate_at(&mut self, site: &Site, ty: TypeId, values: &[Term]) {
        self.forget_gaps(site, ty);
        self.store_leaves(site, ty, values);
    }

    /// Stores an aggregate at a site, and with it the bytes that belong to no leaf, if they are known.
    pub(super) fn store_with_gaps(&mut self, site: &Site, ty: TypeId, bytes: Option<Term>, values: &[Term]) {
        match (self.all_bytes(ty), bytes) {
            (Some(access), Some(bytes)) => match site {
                Site::Named(named) if named.union.is_some() => self.store_named(named, access, bytes),
                Site::Named(_) => {}
                Site::Address(pointed) if pointed.reach.is_variables() => {
                    self.store_address(pointed, access, bytes);
                }
                Site::Address(_) => self.forget_gaps(site, ty),
            },
            _ => self.forget_gaps(site, ty),
        }
        self.store_leaves(site, ty, values);
    }

    /// All bytes of an aggregate as one number, if some of them belong to no leaf.
    pub(super) fn load_all_bytes(&mut self, site: &Site, ty: TypeId) -> Option<Term> {
        let access = self.all_bytes(ty)?;
        Some(match site {
            Site::Named(named) => self.load_named(named, access),
            Site::Address(pointed) => self.load_address(pointed, access),
        })
    }

    /// A facet of all bytes of an aggregate that is constant, if some of them belong to no leaf.
    pub(super) fn plain_bytes(&mut self, facet: Facet, ty: TypeId) -> Option<Term> {
        let access = self.all_bytes(ty)?;
        let sort = Sort::BitVec(self.stored_width(access));
        Some(self.plain(facet, sort))
    }

    /// The access to all bytes of an aggregate, if some of them belong to no leaf.
    fn all_bytes(&self, ty: TypeId) -> Option<Access> {
        let size = self.world.program.types.size_of(ty)?;
        let width = u32::try_from(size.checked_mul(8)?).ok()?;
        (self.has_gaps(ty) && size <= LARGEST_UNION)
            .then_some(Access { ty, bits: Some(BitRange { start: 0, width }) })
    }

    fn has_gaps(&self, ty: TypeId) -> bool {
        let types = &self.world.program.types;
        let bytes = |leaf: &Leaf| match leaf.kind {
            LeafKind::BitField(_) => 0,
            _ => leaf.bytes(types) * leaf.count().unwrap_or(0),
        };
        leaves(types, ty).iter().map(bytes).sum::<u64>() != types.size_of(ty).unwrap_or(0)
    }

    fn store_leaves(&mut self, site: &Site, ty: TypeId, values: &[Term]) {
        for (leaf, &value) in leaves(&self.world.program.types, ty).iter().zip(values) {
            self.store_leaf(site, leaf, value);
        }
    }

    /// Bytes of an aggregate that belong to no leaf are copied too. That matters where they can be read
    /// as something else: in a union, in an object of another type, and where only bytes are known.
    fn forget_gaps(&mut self, site: &Site, ty: TypeId) {
        if !self.has_gaps(ty) {
            return;
        }
        let size = self.world.program.types.size_of(ty).unwrap_or(0);
        match site {
            Site::Named(named) if named.union.is_some() => {
                if self.world.cells.find(&named.path).is_some() {
                    self.forget(named.variable);
                }
            }
            Site::Named(_) => {}
            Site::Address(pointed) => {
                self.forget_range(pointed, ty, size);
                if !self.has_same_gaps(pointed, ty) {
                    self.forget_allocated(pointed);
                }
            }
        }
    }

    /// Gives every leaf that an object of some type at an address would touch any value, unless there is
    /// a part of that very type: then bytes that belong to no leaf fall on such bytes.
    fn forget_range(&mut self, pointed: &Pointed, ty: TypeId, bytes: u64) {
        let world = self.world;
        for hit in self.hits(pointed, bytes).0 {
            let mut same = self.pool.bottom();
            let whole = world.program.variables[hit.variable].ty;
            if !world.cells.is_bytes(hit.variable) {
                for part in leaves::parts(&world.program.types, whole, ty) {
                    let (here, _) = self.element_of(&part, hit);
                    same = self.pool.or2(same, here);
                }
            }
            let other = self.pool.not(same);
            for (leaf, cell) in world.cells.leaves(hit.variable) {
                let touched = self.touched(leaf, hit, bytes);
                let lost = self.pool.and2(touched, other);
                let kept = self.pool.not(lost);
                self.forget_cell_unless(kept, *cell);
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
                Site::Address(pointed) => self.forget_pointed(pointed),
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
                Site::Address(pointed) => self.store_address(&pointed, leaf_access(leaf), part),
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
        self.plain_aggregate(Facet::Content, ty)
    }

    /// A facet of an aggregate that is constant.
    pub(super) fn plain_aggregate(&mut self, facet: Facet, ty: TypeId) -> Vec<Term> {
        let types = &self.world.program.types;
        let sorts: Vec<Sort> = leaves(types, ty).iter().map(|leaf| leaf.sort(types)).collect();
        sorts.into_iter().map(|sort| self.plain(facet, sort)).collect()
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
