//! What automatic checks ask of memory.
//!
//! An access that is *valid* must be so by the object that the pointer was derived from. Where that is one variable, its
//! address tells; elsewhere pointers carry the address of their object (`scalar.rs`), and the sizes and lives of
//! allocated objects are known by their addresses (`ghost.rs`).

use rorqual_cfa::{ExprId, Fault, PlaceId, PlaceKind, Program, VariableId};
use rorqual_interpreter::may_allocate;
use rorqual_logic::{Sort, Term};
use rorqual_memory::{GIVEN_SIZE, Object, Targets, given_start};

use crate::cells::{Facet, Ledger};
use crate::translate::{Obstacle, Translation};

/// So many pointers are looked at for what they keep from being lost.
const MOST_KEEPERS: usize = 8;

impl Translation<'_, '_> {
    /// Whether an access to a place is undefined in the given way.
    pub(crate) fn faulty(&mut self, place: PlaceId, fault: Fault) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        if fault == Fault::Uninitialized {
            return self.is_unset(place);
        }
        let bytes = accessed_bytes(program, place);
        if bytes == 0 {
            return Ok(self.encoding.pool.bottom());
        }
        // A pointer that was never set points to memory from outside, whatever number it is here.
        self.approximations.push("the object that a pointer belongs to".to_owned());
        let targets = self.encoding.memory.objects(program, place);
        let address = self.address_of(place)?;
        let mut good = self.in_declared(place, (address, bytes), &targets, fault)?;
        if self.encoding.memory.is_unclear(program, place) {
            good.push(self.in_allocated(place, (address, bytes), fault)?);
        }
        if let Some(pointer) = program.root_pointer(place) {
            let pointer = self.eval(pointer)?;
            let pool = &mut self.encoding.pool;
            let null = pool.bv(0u8, pool.width(pointer));
            good.push(pool.eq(pointer, null));
        }
        let good = self.encoding.pool.or(&good);
        Ok(self.encoding.pool.not(good))
    }

    /// The ways in which an access is good in objects that are declared.
    fn in_declared(
        &mut self,
        place: PlaceId,
        (address, bytes): (Term, u64),
        targets: &Targets,
        fault: Fault,
    ) -> Result<Vec<Term>, Obstacle> {
        let is_unclear = self.encoding.memory.is_unclear(self.encoding.program, place);
        let mut good = Vec::new();
        for object in targets.objects() {
            if !matches!(object, Object::Variable(_) | Object::Text(_)) {
                continue;
            }
            if fault == Fault::Life && !self.is_alive_here(object) {
                continue;
            }
            let mut conditions = Vec::new();
            if is_unclear {
                let (base, start) = (self.base_of_place(place)?, self.encoding.address(object));
                conditions.push(self.encoding.pool.eq(base, start));
            }
            // An access beyond the only object is undefined in another way than by its life, but to say so much makes
            // proofs that can be checked by addresses alone.
            if fault == Fault::Bounds || !is_unclear {
                let inside = self.contains(object, address, bytes);
                conditions.push(inside.ok_or_else(|| self.obstacle("a check of an object of unknown size"))?);
            }
            good.push(self.encoding.pool.and(&conditions));
        }
        Ok(good)
    }

    /// Whether an access is good in allocated memory, or in memory from outside.
    fn in_allocated(
        &mut self,
        place: PlaceId,
        (address, bytes): (Term, u64),
        fault: Fault,
    ) -> Result<Term, Obstacle> {
        let base = self.base_of_place(place)?;
        let program = self.encoding.program;
        let (start, given) = (self.encoding.heap_start(), given_start(program.types.model()));
        let given = self.bytes(given);
        let may_be_given = self.encoding.memory.may_be_outside(program, place);
        let pool = &mut self.encoding.pool;
        let is_allocated = pool.bv_ule(start, base);
        let is_given = if may_be_given { pool.bv_ule(given, base) } else { pool.bottom() };
        let good = if fault == Fault::Bounds {
            let size = self.recorded(Ledger::Sizes, base);
            let outside = self.bytes(GIVEN_SIZE);
            let pool = &mut self.encoding.pool;
            let (size, offset) = (pool.ite(is_given, outside, size), pool.bv_sub(address, base));
            self.fits(offset, bytes, size)
        } else {
            let on_heap = self.is_living(Ledger::HeapLives, base);
            let on_stack = self.is_living(Ledger::StackLives, base);
            self.encoding.pool.or(&[is_given, on_heap, on_stack])
        };
        Ok(self.encoding.pool.and2(is_allocated, good))
    }

    /// Whether so many bytes at an offset are in an object of a size.
    fn fits(&mut self, offset: Term, bytes: u64, size: Term) -> Term {
        let bytes = self.bytes(bytes);
        let pool = &mut self.encoding.pool;
        let last = pool.bv_sub(size, bytes);
        let (fits, before) = (pool.bv_ule(bytes, size), pool.bv_ule(offset, last));
        pool.and2(fits, before)
    }

    /// Whether so many bytes at an address are in a declared object, if its size is known.
    fn contains(&mut self, object: Object, address: Term, bytes: u64) -> Option<Term> {
        let size = match object {
            Object::Variable(variable) => {
                let variable = &self.encoding.program.variables[variable];
                variable.size.or_else(|| self.encoding.program.types.size_of(variable.ty))?
            }
            _ => self.encoding.size(object),
        };
        let (base, size) = (self.encoding.address(object), self.bytes(size));
        let offset = self.encoding.pool.bv_sub(address, base);
        Some(self.fits(offset, bytes, size))
    }

    /// Whether some bits of the scalar in a place were never written.
    fn is_unset(&mut self, place: PlaceId) -> Result<Term, Obstacle> {
        let written = self.load_facet(place, Facet::Written)?;
        let width = self.encoding.pool.width(written);
        let all = self.plain(Facet::Written, Sort::BitVec(width));
        Ok(self.encoding.pool.ne(written, all))
    }

    /// Whether a pointer must not be given to `free`.
    pub(crate) fn bad_free(&mut self, pointer: ExprId) -> Result<Term, Obstacle> {
        self.approximations.push("the object that a pointer belongs to".to_owned());
        let (value, base) = (self.eval(pointer)?, self.base(pointer)?);
        let is_living = self.is_living(Ledger::HeapLives, value);
        let pool = &mut self.encoding.pool;
        let is_start = pool.eq(base, value);
        let null = pool.bv(0u8, pool.width(value));
        let (is_null, is_block) = (pool.eq(value, null), pool.and2(is_start, is_living));
        let good = pool.or2(is_null, is_block);
        Ok(pool.not(good))
    }

    /// Whether heap memory is lost: there are more objects than variables point to. Those that are found from others count
    /// as lost here.
    pub(crate) fn leaks(&mut self) -> Result<Term, Obstacle> {
        if !may_allocate(self.encoding.program) {
            return Ok(self.encoding.pool.bottom());
        }
        self.approximations.push("what is found from variables".to_owned());
        let mut kept = self.bytes(0);
        let mut seen: Vec<Term> = Vec::new();
        for keeper in self.keepers() {
            let slot = self.whole(Object::Variable(keeper));
            let slot = self.slot(&slot)?;
            let base = self.read_facet(slot, Facet::Base);
            let mut conditions = vec![self.is_living(Ledger::HeapLives, base)];
            conditions.extend(seen.iter().map(|&other| self.encoding.pool.ne(other, base)));
            let is_new = self.encoding.pool.and(&conditions);
            let (one, zero) = (self.bytes(1), self.bytes(0));
            let pool = &mut self.encoding.pool;
            let more = pool.ite(is_new, one, zero);
            kept = pool.bv_add(kept, more);
            seen.push(base);
        }
        let count = self.encoding.ledger(Ledger::Count);
        let count = self.state.read(&self.encoding.cells, count);
        Ok(self.encoding.pool.bv_ult(kept, count))
    }

    /// Pointers that keep what they point to on the heap from being lost.
    fn keepers(&self) -> Vec<VariableId> {
        let all = self.encoding.memory.keepers(self.encoding.program).into_iter();
        let alive = all.filter(|&keeper| self.encoding.is_alive(self.context, Object::Variable(keeper)));
        alive.take(MOST_KEEPERS).collect()
    }
}

/// How many bytes an access to a place concerns.
fn accessed_bytes(program: &Program, place: PlaceId) -> u64 {
    if let PlaceKind::Member { base, field } = program.places[place].kind
        && let Some(record) = program.types.as_record(program.places[base].ty)
        && let Some(range) = program.types.record(record).fields[field as usize].bits
    {
        return u64::from((range.start + range.width).div_ceil(8));
    }
    program.types.size_of(program.places[place].ty).unwrap_or(0)
}
