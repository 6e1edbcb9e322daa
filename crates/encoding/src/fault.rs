//! What automatic checks ask of memory.
//!
//! An access that is *valid* must be so by the object that the pointer was derived from. Where that is one variable, its
//! address tells; elsewhere pointers carry the address of their object (`scalar.rs`), and the sizes and lives of
//! allocated objects are known by their addresses (`ghost.rs`).

use rorqual_cfa::{ExprId, Fault, PlaceId, PlaceKind, Program, VariableId};
use rorqual_interpreter::may_allocate;
use rorqual_logic::{Sort, Term};
use rorqual_memory::{GIVEN_SIZE, Object, Targets, given_start, is_unclear};

use crate::cells::{Facet, Ledger};
use crate::translate::{Obstacle, Translation};

/// So many pointers are looked at for what they keep from being lost.
const MOST_KEEPERS: usize = 8;

/// Bytes that are to be accessed.
struct Region {
    address: Term,
    bytes: Term,
    /// The address of the object that they must be in.
    base: Term,
    /// The pointer that they are found from.
    pointer: Option<Term>,
    targets: Targets,
}

/// The objects among some that must not be written; of all objects, if they are not known.
fn constant_objects(program: &Program, targets: &Targets) -> Vec<Object> {
    let is_constant = |object: &Object| match object {
        Object::Variable(variable) => program.variables[*variable].constant,
        Object::Text(_) => true,
        _ => false,
    };
    if !targets.unknown {
        return targets.objects().into_iter().filter(is_constant).collect();
    }
    let pointed = program.variables.iter().filter(|(_, variable)| variable.address_taken);
    let variables = pointed.map(|(id, _)| Object::Variable(id)).filter(is_constant);
    variables.chain(program.strings.ids().map(Object::Text)).collect()
}

impl Translation<'_, '_> {
    /// Whether an access to a place is undefined in the given way.
    pub(crate) fn faulty(&mut self, place: PlaceId, fault: Fault) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        if fault == Fault::Uninitialized {
            return self.is_unset(place);
        }
        let targets = self.encoding.analysis.memory.objects(program, place);
        let address = self.address_of(place)?;
        if fault == Fault::Constant {
            let bytes = self.bytes(accessed_bytes(program, place));
            return self.is_constant(address, bytes, &targets);
        }
        let base = if is_unclear(&targets) { self.base_of_place(place)? } else { address };
        let pointer = program.root_pointer(place).map(|pointer| self.eval(pointer)).transpose()?;
        let bytes = self.bytes(accessed_bytes(program, place));
        self.is_bad(&Region { address, bytes, base, pointer, targets }, fault)
    }

    /// Whether an access to so many bytes behind a pointer is undefined in the given way.
    pub(crate) fn faulty_block(
        &mut self,
        pointer: ExprId,
        length: ExprId,
        fault: Fault,
    ) -> Result<Term, Obstacle> {
        let targets = self.encoding.analysis.memory.targets(self.encoding.program, pointer);
        let (address, length) = (self.eval(pointer)?, self.eval(length)?);
        if fault == Fault::Constant {
            let bytes = self.fitted_size(length);
            return self.is_constant(address, bytes, &targets);
        }
        let base = if is_unclear(&targets) { self.base(pointer)? } else { address };
        let bytes = self.fitted_size(length);
        self.is_bad(&Region { address, bytes, base, pointer: Some(address), targets }, fault)
    }

    /// Whether bytes are in a constant object. No bytes are in none.
    fn is_constant(&mut self, address: Term, bytes: Term, targets: &Targets) -> Result<Term, Obstacle> {
        let objects = constant_objects(self.encoding.program, targets);
        if objects.is_empty() {
            return Ok(self.encoding.pool.bottom());
        }
        let region = Region { address, bytes, base: address, pointer: None, targets: targets.clone() };
        let mut bad = Vec::new();
        for object in objects {
            let inside = self.contains(object, &region);
            bad.push(inside.ok_or_else(|| self.obstacle("a check of an object of unknown size"))?);
        }
        let pool = &mut self.encoding.pool;
        let (bad, zero) = (pool.or(&bad), pool.bv(0u8, pool.width(bytes)));
        let is_access = pool.ne(bytes, zero);
        Ok(pool.and2(is_access, bad))
    }

    fn is_bad(&mut self, region: &Region, fault: Fault) -> Result<Term, Obstacle> {
        // A pointer that was never set points to memory from outside, whatever number it is here.
        self.approximations.push("the object that a pointer belongs to".to_owned());
        let mut good = self.in_declared(region, fault)?;
        if is_unclear(&region.targets) {
            good.push(self.in_allocated(region, fault));
        }
        for number in region.pointer.into_iter().chain([region.bytes]) {
            let pool = &mut self.encoding.pool;
            let zero = pool.bv(0u8, pool.width(number));
            good.push(pool.eq(number, zero));
        }
        let good = self.encoding.pool.or(&good);
        Ok(self.encoding.pool.not(good))
    }

    /// The ways in which an access is good in objects that are declared.
    fn in_declared(&mut self, region: &Region, fault: Fault) -> Result<Vec<Term>, Obstacle> {
        let is_unclear = is_unclear(&region.targets);
        let mut good = Vec::new();
        for object in region.targets.objects() {
            if !matches!(object, Object::Variable(_) | Object::Text(_)) {
                continue;
            }
            if fault == Fault::Life && !self.is_alive_here(object) {
                continue;
            }
            let mut conditions = Vec::new();
            if is_unclear {
                let start = self.encoding.address(object);
                conditions.push(self.encoding.pool.eq(region.base, start));
            }
            // An access beyond the only object is undefined in another way than by its life, but to say so much makes
            // proofs that can be checked by addresses alone.
            if fault == Fault::Bounds || !is_unclear {
                let inside = self.contains(object, region);
                conditions.push(inside.ok_or_else(|| self.obstacle("a check of an object of unknown size"))?);
            }
            good.push(self.encoding.pool.and(&conditions));
        }
        Ok(good)
    }

    /// Whether an access is good in allocated memory, or in memory from outside.
    fn in_allocated(&mut self, region: &Region, fault: Fault) -> Term {
        let (start, given) = (self.encoding.heap_start(), given_start(self.encoding.program.types.model()));
        let given = self.bytes(given);
        let may_be_given = self.encoding.analysis.memory.may_be_outside(&region.targets);
        let pool = &mut self.encoding.pool;
        let is_allocated = pool.bv_ule(start, region.base);
        let is_given = if may_be_given { pool.bv_ule(given, region.base) } else { pool.bottom() };
        let good = if fault == Fault::Bounds {
            let size = self.recorded(Ledger::Sizes, region.base);
            let outside = self.bytes(GIVEN_SIZE);
            let size = self.encoding.pool.ite(is_given, outside, size);
            self.fits(region, region.base, size)
        } else {
            let lives =
                [Ledger::HeapLives, Ledger::StackLives].map(|lives| self.is_living(lives, region.base));
            let is_living = self.encoding.pool.or(&lives);
            self.encoding.pool.or2(is_given, is_living)
        };
        self.encoding.pool.and2(is_allocated, good)
    }

    /// Whether an access is in an object of a size at an address.
    fn fits(&mut self, region: &Region, start: Term, size: Term) -> Term {
        let pool = &mut self.encoding.pool;
        let (offset, last) = (pool.bv_sub(region.address, start), pool.bv_sub(size, region.bytes));
        let (fits, before) = (pool.bv_ule(region.bytes, size), pool.bv_ule(offset, last));
        pool.and2(fits, before)
    }

    /// Whether an access is in a declared object, if its size is known.
    fn contains(&mut self, object: Object, region: &Region) -> Option<Term> {
        let size = match object {
            Object::Variable(variable) => {
                let variable = &self.encoding.program.variables[variable];
                variable.size.or_else(|| self.encoding.program.types.size_of(variable.ty))?
            }
            _ => self.encoding.size(object),
        };
        let (start, size) = (self.encoding.address(object), self.bytes(size));
        Some(self.fits(region, start, size))
    }

    /// Whether some bits of the scalar in a place were never written. An access that is undefined in another way is not in
    /// this one, and to ask is no access: the conditions for it are those for finding the place.
    fn is_unset(&mut self, place: PlaceId) -> Result<Term, Obstacle> {
        self.address_of(place)?;
        let to_find = self.conditions.len();
        let written = self.load_facet(place, Facet::Written)?;
        let to_access: Vec<Term> = self.conditions.drain(to_find..).collect();
        let width = self.encoding.pool.width(written);
        let all = self.plain(Facet::Written, Sort::BitVec(width));
        let pool = &mut self.encoding.pool;
        let (is_valid, is_unset) = (pool.and(&to_access), pool.ne(written, all));
        Ok(pool.and2(is_valid, is_unset))
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
        let all = self.encoding.analysis.memory.keepers(self.encoding.program).into_iter();
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
