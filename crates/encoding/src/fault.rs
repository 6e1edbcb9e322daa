//! What automatic checks ask of memory, where it can be told from the pointer alone: one object that it was
//! derived from, whose bounds are known, or objects that live as long as the program. Everything else is an obstacle.
//!
//! An access that is *valid* must be so by the object that the pointer was derived from. With several objects, an
//! address beyond one of them may lie in another, and the encoding could not tell.

use rorqual_cfa::{
    Callee, ExprKind, Fault, FunctionId, LocationId, Operation, PlaceId, PlaceKind, Program, VariableId,
};
use rorqual_interpreter::may_allocate;
use rorqual_logic::Term;
use rorqual_memory::{Object, Targets};

use crate::translate::{Obstacle, Translation};

impl Translation<'_, '_> {
    /// Whether an access to a place is undefined in the given way.
    pub(crate) fn faulty(&mut self, place: PlaceId, fault: Fault) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let targets = self.encoding.memory.objects(program, place);
        let all = |holds: fn(&Program, VariableId) -> bool| {
            let known = |object: &Object| match object {
                Object::Variable(variable) => holds(program, *variable),
                Object::Text(_) => true,
                _ => false,
            };
            !targets.unknown && targets.objects().iter().all(known)
        };
        match fault {
            Fault::Bounds => self.out_of_bounds(place, &targets),
            // An access in one of them is not after its life. One beyond them is undefined in another way, but to say
            // so much makes proofs that can be checked by addresses alone.
            Fault::Life if all(lives_for_ever) => self.misses(place, &targets),
            Fault::Life => Err(self.obstacle("a check of the life of what this points to")),
            Fault::Uninitialized if all(is_global) => Ok(self.encoding.pool.bottom()),
            Fault::Uninitialized => Err(self.obstacle("a check of whether this part of memory was written")),
        }
    }

    fn out_of_bounds(&mut self, place: PlaceId, targets: &Targets) -> Result<Term, Obstacle> {
        if targets.unknown || targets.objects().len() > 1 {
            return Err(self.obstacle("a check of the bounds of what this points to"));
        }
        self.misses(place, targets)
    }

    /// Whether a place is in none of the objects, and not found from a null pointer. Without any object, nothing that
    /// the program has can be there.
    fn misses(&mut self, place: PlaceId, targets: &Targets) -> Result<Term, Obstacle> {
        let program = self.encoding.program;
        let (address, bytes) = (self.address_of(place)?, accessed_bytes(program, place));
        // A pointer that was never set points to memory from outside, whatever number it is here.
        self.approximations.push("the object that a pointer belongs to".to_owned());
        let mut hits = Vec::new();
        for object in targets.objects() {
            let hit = self.contains(object, address, bytes);
            hits.push(hit.ok_or_else(|| self.obstacle("a check of an object of unknown size"))?);
        }
        let inside = self.encoding.pool.or(&hits);
        let mut fault = self.encoding.pool.not(inside);
        if let Some(pointer) = program.root_pointer(place) {
            let pointer = self.eval(pointer)?;
            let pool = &mut self.encoding.pool;
            let null = pool.bv(0u8, pool.width(pointer));
            let points = pool.ne(pointer, null);
            fault = pool.and2(points, fault);
        }
        Ok(fault)
    }

    /// Whether so many bytes at an address are in an object, if its size is known.
    fn contains(&mut self, object: Object, address: Term, bytes: u64) -> Option<Term> {
        let width = self.encoding.pointer_width();
        let size = match object {
            Object::Variable(variable) => {
                let variable = &self.encoding.program.variables[variable];
                let size = variable.size.or_else(|| self.encoding.program.types.size_of(variable.ty))?;
                self.encoding.pool.bv(size, width)
            }
            Object::Text(_) => {
                let size = self.encoding.size(object);
                self.encoding.pool.bv(size, width)
            }
            _ => return None,
        };
        let base = self.encoding.address(object);
        let pool = &mut self.encoding.pool;
        let (offset, bytes) = (pool.bv_sub(address, base), pool.bv(bytes, width));
        let last = pool.bv_sub(size, bytes);
        let (fits, before) = (pool.bv_ule(bytes, size), pool.bv_ule(offset, last));
        Some(pool.and2(fits, before))
    }

    /// Whether heap memory is lost. A program that never asks for any loses none.
    pub(crate) fn leaks(&mut self) -> Result<Term, Obstacle> {
        if may_allocate(self.encoding.program) {
            return Err(self.obstacle("a check of whether heap memory is lost"));
        }
        Ok(self.encoding.pool.bottom())
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

fn is_global(program: &Program, variable: VariableId) -> bool {
    program.variables[variable].kind.is_global()
}

/// Whether a variable lives until the program ends: it is global, or it belongs to a function that only the
/// start-up code calls, once, and its block is not entered again.
fn lives_for_ever(program: &Program, variable: VariableId) -> bool {
    let Some(function) = program.variables[variable].function.filter(|_| !is_global(program, variable))
    else {
        return true;
    };
    is_called_once(program, function) && is_born_once(program, function, variable)
}

fn is_called_once(program: &Program, function: FunctionId) -> bool {
    let has_address = program
        .exprs
        .values()
        .any(|expr| matches!(expr.kind, ExprKind::FunctionAddress(it) if it == function));
    let mut calls = 0;
    for (caller, details) in program.functions.iter() {
        let Some(body) = &details.body else { continue };
        for edge in body.edges().values() {
            if let Operation::Call { callee: Callee::Function(callee), .. } = edge.operation
                && callee == function
            {
                calls += 1;
                if caller != program.start || is_in_cycle(program, caller, edge.source) {
                    return false;
                }
            }
        }
    }
    calls == 1 && !has_address
}

fn is_born_once(program: &Program, function: FunctionId, variable: VariableId) -> bool {
    let Some(body) = &program.functions[function].body else { return false };
    let mut births = 0;
    for edge in body.edges().values() {
        match edge.operation {
            Operation::Expire(it) if it == variable => return false,
            Operation::Declare(it) if it == variable => {
                births += 1;
                if is_in_cycle(program, function, edge.source) {
                    return false;
                }
            }
            _ => {}
        }
    }
    births <= 1
}

/// Whether control can come back to a location.
fn is_in_cycle(program: &Program, function: FunctionId, location: LocationId) -> bool {
    let Some(body) = &program.functions[function].body else { return false };
    let mut seen = std::collections::BTreeSet::new();
    let mut open = vec![location];
    while let Some(at) = open.pop() {
        for edge in body.outgoing(at) {
            let target = body.edges()[edge].target;
            if target == location {
                return true;
            }
            if seen.insert(target) {
                open.push(target);
            }
        }
    }
    false
}
