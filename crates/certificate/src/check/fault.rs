//! What automatic checks ask of memory. To say that an access is not undefined, the checker must know an object
//! that it lies in; otherwise it may be undefined in every way.
//!
//! Variables are found by their addresses, which may be any numbers: what holds for all of them does not rest on luck.
//! Allocated objects are found by the address that pointers carry of the object that they were derived from.

use rorqual_cfa::{Fault, Id, PlaceId, VariableId};
use rorqual_logic::{Sort, Term};
use rorqual_memory::GIVEN_SIZE;

use super::memory::Site;
use super::reach::Pointed;
use super::step::Step;
use crate::cells::{Facet, Ledger, object_size};

impl Step<'_> {
    /// Whether an access to a place may be undefined in the given way.
    pub(super) fn faulty(&mut self, place: PlaceId, fault: Fault) -> Term {
        if fault == Fault::Uninitialized {
            return self.is_unset(place);
        }
        let access = self.access(place);
        let bytes = match access.bits {
            None => self.world.program.types.size_of(access.ty).unwrap_or(0),
            Some(_) => self.bytes(access),
        };
        match (self.site(place), fault) {
            // A variable that is named is alive.
            (Site::Named(_), Fault::Life) => self.pool.bottom(),
            (Site::Named(named), _) => {
                let inside = self.is_inside(named.variable, named.offset, bytes);
                self.pool.not(inside)
            }
            (Site::Address(pointed), _) => self.faulty_address(place, &pointed, bytes, fault),
        }
    }

    fn is_inside(&mut self, variable: VariableId, offset: Term, bytes: u64) -> Term {
        match object_size(self.world.program, variable) {
            Some(size) if size >= bytes => {
                let last = self.pool.bv(size - bytes, self.world.pointer_width);
                self.pool.bv_ule(offset, last)
            }
            _ => self.pool.bottom(),
        }
    }

    /// An address in an object that is there is neither out of bounds nor after its life. Null pointers are the
    /// business of another check.
    fn faulty_address(&mut self, place: PlaceId, pointed: &Pointed, bytes: u64, fault: Fault) -> Term {
        let mut good: Vec<Term> = self.hits(pointed, bytes).0.iter().map(|hit| hit.inside).collect();
        for text in &pointed.reach.texts {
            let (base, size) = self.world.texts[text.index()];
            if size >= bytes {
                let offset = self.pool.bv_sub(pointed.address, base);
                let last = self.pool.bv(size - bytes, self.world.pointer_width);
                good.push(self.pool.bv_ule(offset, last));
            }
        }
        if let Some(pointer) = self.world.program.root_pointer(place) {
            let pointer = self.eval(pointer);
            let null = self.pool.bv(0u8, self.pool.width(pointer));
            good.push(self.pool.eq(pointer, null));
        }
        good.extend(self.good_by_base(place, pointed, bytes, fault));
        let good = self.pool.or(&good);
        self.pool.not(good)
    }

    /// The ways in which the object that the pointer was derived from makes the access good.
    fn good_by_base(&mut self, place: PlaceId, pointed: &Pointed, bytes: u64, fault: Fault) -> Vec<Term> {
        if !self.world.cells.facets().contains(&Facet::Base) {
            return Vec::new();
        }
        let base = self.base_of_place(place);
        let world = self.world;
        let is_outside = if world.cells.memory().may_be_outside(world.program, place) {
            let outside = self.start_of_outside();
            self.pool.bv_ule(outside, base)
        } else {
            self.pool.bottom()
        };
        if fault == Fault::Bounds {
            let is_allocated = self.in_heap(base);
            let inside = self.in_allocated((base, is_outside), pointed.address, bytes);
            return vec![self.pool.and2(is_allocated, inside)];
        }
        let scope = self.scope.clone();
        let mut good = vec![is_outside];
        for &variable in scope.iter().filter(|&&variable| pointed.reach.has(variable)) {
            let address = self.get(self.world.cells.address(variable));
            good.push(self.pool.eq(base, address));
        }
        good.extend([Ledger::HeapLives, Ledger::StackLives].map(|lives| self.is_living(lives, base)));
        good
    }

    /// Whether so many bytes at an address lie in the allocated object at another address, or in one from outside.
    fn in_allocated(&mut self, (base, is_outside): (Term, Term), address: Term, bytes: u64) -> Term {
        let Some(size) = self.recorded(Ledger::Sizes, base) else { return self.pool.bottom() };
        let given = self.pool.bv(GIVEN_SIZE, self.world.pointer_width);
        let size = self.pool.ite(is_outside, given, size);
        let (offset, bytes) =
            (self.pool.bv_sub(address, base), self.pool.bv(bytes, self.world.pointer_width));
        let last = self.pool.bv_sub(size, bytes);
        let (fits, before) = (self.pool.bv_ule(bytes, size), self.pool.bv_ule(offset, last));
        self.pool.and2(fits, before)
    }

    /// Whether some bits of the scalar in a place may never have been written.
    fn is_unset(&mut self, place: PlaceId) -> Term {
        let written = self.written(place);
        let width = self.pool.width(written);
        let all = self.plain(Facet::Written, Sort::BitVec(width));
        self.pool.ne(written, all)
    }
}
