//! What automatic checks ask of memory. To say that an access is not undefined, the checker must know an object
//! that it lies in; otherwise it may be undefined in every way.
//!
//! Variables are found by their addresses, which may be any numbers: what holds for all of them does not rest on luck.
//! Allocated objects are found by the address that pointers carry of the object that they were derived from.

use rorqual_cfa::{ExprId, Fault, Id, PlaceId, VariableId};
use rorqual_logic::{Sort, Term};
use rorqual_memory::{GIVEN_SIZE, Targets};

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
            (Site::Address(pointed), Fault::Constant) => {
                let bytes = self.pool.bv(bytes, self.world.pointer_width);
                self.is_constant(&pointed, bytes)
            }
            // A variable that is named is alive, and only its initialisation names a constant one to write it.
            (Site::Named(_), Fault::Life | Fault::Constant) => self.pool.bottom(),
            (Site::Named(named), _) => {
                let inside = self.is_inside(named.variable, named.offset, bytes);
                self.pool.not(inside)
            }
            (Site::Address(pointed), _) => self.faulty_address(place, &pointed, bytes, fault),
        }
    }

    /// Whether an access to so many bytes behind a pointer may be undefined in the given way.
    pub(super) fn faulty_block(&mut self, pointer: ExprId, length: ExprId, fault: Fault) -> Term {
        let (pointed, bytes) = (self.pointed(pointer), self.index(length));
        if fault == Fault::Constant {
            return self.is_constant(&pointed, bytes);
        }
        let has_bases = self.world.cells.facets().contains(&Facet::Base);
        let base = has_bases.then(|| self.base(pointer));
        let targets = self.world.cells.memory().targets(self.world.program, pointer);
        let mut good = self.good(&pointed, (base, &targets), bytes, fault);
        // Nothing is accessed, or through a null pointer.
        for number in [pointed.address, bytes] {
            let zero = self.pool.bv(0u8, self.world.pointer_width);
            good.push(self.pool.eq(number, zero));
        }
        let good = self.pool.or(&good);
        self.pool.not(good)
    }

    /// Whether bytes may be in an object that must not be written. No bytes are in none.
    fn is_constant(&mut self, pointed: &Pointed, bytes: Term) -> Term {
        let world = self.world;
        let mut bad = Vec::new();
        let scope = self.scope.clone();
        let is_constant = |&&variable: &&VariableId| {
            world.program.variables[variable].constant && pointed.reach.has(variable)
        };
        for &variable in scope.iter().filter(is_constant) {
            let start = self.get(world.cells.address(variable));
            bad.push(match object_size(world.program, variable) {
                Some(size) => {
                    let size = self.pool.bv(size, world.pointer_width);
                    self.is_in(pointed.address, bytes, (start, size))
                }
                None => self.pool.top(),
            });
        }
        for text in &pointed.reach.texts {
            let (start, size) = world.texts[text.index()];
            let size = self.pool.bv(size, world.pointer_width);
            bad.push(self.is_in(pointed.address, bytes, (start, size)));
        }
        let zero = self.pool.bv(0u8, world.pointer_width);
        let (bad, is_access) = (self.pool.or(&bad), self.pool.ne(bytes, zero));
        self.pool.and2(is_access, bad)
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
        let program = self.world.program;
        let has_bases = self.world.cells.facets().contains(&Facet::Base);
        let base = has_bases.then(|| self.base_of_place(place));
        let targets = self.world.cells.memory().objects(program, place);
        let bytes = self.pool.bv(bytes, self.world.pointer_width);
        let mut good = self.good(pointed, (base, &targets), bytes, fault);
        if let Some(pointer) = program.root_pointer(place) {
            let pointer = self.eval(pointer);
            let null = self.pool.bv(0u8, self.pool.width(pointer));
            good.push(self.pool.eq(pointer, null));
        }
        let good = self.pool.or(&good);
        self.pool.not(good)
    }

    /// The ways in which an access is good: in a variable or string literal, or by the object that the pointer was derived
    /// from.
    fn good(
        &mut self,
        pointed: &Pointed,
        (base, targets): (Option<Term>, &Targets),
        bytes: Term,
        fault: Fault,
    ) -> Vec<Term> {
        let world = self.world;
        let mut good = Vec::new();
        let scope = self.scope.clone();
        for &variable in scope.iter().filter(|&&variable| pointed.reach.has(variable)) {
            let start = self.get(world.cells.address(variable));
            if let Some(size) = object_size(world.program, variable) {
                let size = self.pool.bv(size, world.pointer_width);
                good.push(self.is_in(pointed.address, bytes, (start, size)));
            }
            if let (Some(base), Fault::Life) = (base, fault) {
                good.push(self.pool.eq(base, start));
            }
        }
        for text in &pointed.reach.texts {
            let (start, size) = world.texts[text.index()];
            let size = self.pool.bv(size, world.pointer_width);
            good.push(self.is_in(pointed.address, bytes, (start, size)));
        }
        if let Some(base) = base {
            good.push(self.is_good_by_base(pointed.address, (base, targets), bytes, fault));
        }
        good
    }

    /// Whether the allocated object that the pointer was derived from, or one from outside, makes the access good.
    pub(super) fn is_good_by_base(
        &mut self,
        address: Term,
        (base, targets): (Term, &Targets),
        bytes: Term,
        fault: Fault,
    ) -> Term {
        let is_outside = if self.world.cells.memory().may_be_outside(targets) {
            let outside = self.start_of_outside();
            self.pool.bv_ule(outside, base)
        } else {
            self.pool.bottom()
        };
        if fault == Fault::Life {
            let lives = [Ledger::HeapLives, Ledger::StackLives].map(|lives| self.is_living(lives, base));
            return self.pool.or(&[is_outside, lives[0], lives[1]]);
        }
        let Some(size) = self.recorded(Ledger::Sizes, base) else { return self.pool.bottom() };
        let given = self.pool.bv(GIVEN_SIZE, self.world.pointer_width);
        let size = self.pool.ite(is_outside, given, size);
        let (is_allocated, inside) = (self.in_heap(base), self.is_in(address, bytes, (base, size)));
        self.pool.and2(is_allocated, inside)
    }

    /// Whether so many bytes at an address lie in an object of a size.
    pub(super) fn is_in(&mut self, address: Term, bytes: Term, (start, size): (Term, Term)) -> Term {
        let (offset, last) = (self.pool.bv_sub(address, start), self.pool.bv_sub(size, bytes));
        let (fits, before) = (self.pool.bv_ule(bytes, size), self.pool.bv_ule(offset, last));
        self.pool.and2(fits, before)
    }

    /// Whether some bits of the scalar in a place may never have been written. An access that is undefined in another way is
    /// not in this one, and to ask is no access: what must be defined is only what finds the place.
    fn is_unset(&mut self, place: PlaceId) -> Term {
        let site = self.site(place);
        let to_find = self.hazards.len();
        let written = self.written(place);
        let mut to_access: Vec<Term> =
            self.hazards.drain(to_find..).map(|(_, condition)| condition).collect();
        if matches!(site, Site::Address(pointed) if pointed.reach.class().is_some()) {
            // Of allocated memory the conditions do not tell all.
            to_access.push(self.pool.fresh_symbol("valid", Sort::Bool));
        }
        let width = self.pool.width(written);
        let all = self.plain(Facet::Written, Sort::BitVec(width));
        let (is_valid, is_unset) = (self.pool.and(&to_access), self.pool.ne(written, all));
        self.pool.and2(is_valid, is_unset)
    }
}
