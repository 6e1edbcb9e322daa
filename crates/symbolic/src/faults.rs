//! What automatic checks ask of memory: whether an access would be undefined, and whether memory is lost.

use std::collections::BTreeMap;

use rorqual_cfa::{ExprId, Fault, PlaceId, VariableKind};
use rorqual_logic::Term;

use crate::executor::{Executor, Obstacle};
use crate::memory::Span;
use crate::object::{Content, Kind, ObjectId};
use crate::place::Where;
use crate::pointer::{Aim, Target};
use crate::state::{Frame, State};

impl Executor<'_> {
    /// Whether an access to a place is undefined in the given way.
    pub(crate) fn is_faulty(
        &mut self,
        state: &mut State,
        place: PlaceId,
        fault: Fault,
    ) -> Result<Term, Obstacle> {
        let site = self.site(state, place)?;
        let targets = match &site.at {
            Where::Slot(variable) => {
                if fault != Fault::Uninitialized {
                    return Ok(self.pool.bottom());
                }
                let details = &self.program.variables[*variable];
                let slots = if details.kind.is_global() { &state.globals } else { &state.frame.slots };
                let is_static = details.kind == VariableKind::Static;
                let written = slots.get(variable).map(|slot| slot.written);
                let written = written.unwrap_or_else(|| self.pool.bool(is_static));
                return Ok(self.pool.not(written));
            }
            Where::Memory(targets) => targets.clone(),
        };
        let ty = self.program.places[place].ty;
        let size = self.program.types.size_of(ty).unwrap_or(0);
        let bytes = site.bytes(size);
        let length = self.pool.bv(bytes, self.pointer_width);
        if fault == Fault::Uninitialized {
            return Ok(self.is_unset(state, &targets, bytes, self.program.types.is_scalar(ty)));
        }
        Ok(self.is_bad(state, &targets, length, fault))
    }

    /// Whether an access to so many bytes behind a pointer is undefined in the given way.
    pub(crate) fn is_faulty_block(
        &mut self,
        state: &mut State,
        pointer: ExprId,
        length: ExprId,
        fault: Fault,
    ) -> Result<Term, Obstacle> {
        let (pointer, length) = (self.eval(state, pointer)?, self.eval(state, length)?);
        let length = self.resized(length, self.pointer_width, false);
        let targets = self.targets(pointer);
        let zero = self.pool.bv(0u8, self.pointer_width);
        let is_some = self.pool.ne(length, zero);
        let bad = self.is_bad(state, &targets, length, fault);
        Ok(self.pool.and2(is_some, bad))
    }

    fn is_bad(&mut self, state: &State, targets: &[Target], length: Term, fault: Fault) -> Term {
        let mut bad = Vec::new();
        for target in targets {
            let is_bad = match target.aim {
                Aim::Object(object, offset) => self.is_bad_at(state, object, offset, length, fault),
                Aim::Number(number) => self.is_bad_number(state, target, number, fault),
                Aim::Lost(_) => {
                    self.refuse(
                        state,
                        target.guard,
                        "an access through a pointer that was computed from parts of others",
                    );
                    self.pool.bottom()
                }
            };
            bad.push(self.pool.and2(target.guard, is_bad));
        }
        self.pool.or(&bad)
    }

    /// Null pointers are another check's.
    fn is_bad_number(&mut self, state: &State, target: &Target, number: Term, fault: Fault) -> Term {
        match self.pool.as_bits(number) {
            Some(bits) => {
                let is_bad = !bits.is_zero() && fault == Fault::Bounds;
                self.pool.bool(is_bad)
            }
            None => {
                self.refuse(state, target.guard, "an access to memory from outside of the program");
                self.pool.bottom()
            }
        }
    }

    fn is_bad_at(
        &mut self,
        state: &State,
        object: ObjectId,
        offset: Term,
        length: Term,
        fault: Fault,
    ) -> Term {
        let dead = self.is_dead(state, object);
        let outside = self.outside(state, object, offset, length);
        let alive = self.pool.not(dead);
        match fault {
            Fault::Life => dead,
            Fault::Bounds => self.pool.and2(alive, outside),
            Fault::Uninitialized => self.pool.bottom(),
            Fault::Constant => {
                let is_constant = match self.details[object.0 as usize].kind {
                    Kind::Variable(variable) => self.program.variables[variable].constant,
                    Kind::Text(_) => true,
                    _ => false,
                };
                let (is_constant, inside) = (self.pool.bool(is_constant), self.pool.not(outside));
                self.pool.and(&[is_constant, alive, inside])
            }
        }
    }

    fn is_unset(&mut self, state: &mut State, targets: &[Target], bytes: u32, is_scalar: bool) -> Term {
        let mut unset = Vec::new();
        for target in targets {
            let Aim::Object(object, offset) = target.aim else { continue };
            if !is_scalar || bytes == 0 || !state.memory.contains_key(&object) {
                continue;
            }
            let length = self.pool.bv(bytes, self.pointer_width);
            let (dead, outside) = (self.is_dead(state, object), self.outside(state, object, offset, length));
            let bad = self.pool.or2(dead, outside);
            let fine = self.pool.not(bad);
            let written = self.read(state, Span { object, offset, bytes }).written;
            let unwritten = self.pool.not(written);
            unset.push(self.pool.and(&[target.guard, fine, unwritten]));
        }
        self.pool.or(&unset)
    }

    /// Whether a pointer must not be given to `free`.
    pub(crate) fn is_bad_free(&mut self, state: &State, pointer: Term) -> Term {
        let mut bad = Vec::new();
        let zero = self.pool.bv(0u8, self.pointer_width);
        for target in self.targets(pointer).iter() {
            let is_bad = match target.aim {
                Aim::Object(object, offset) => {
                    let is_heap = self.details[object.0 as usize].kind == Kind::Heap;
                    let (is_start, dead) = (self.pool.eq(offset, zero), self.is_dead(state, object));
                    let alive = self.pool.not(dead);
                    let is_heap = self.pool.bool(is_heap);
                    let good = self.pool.and(&[is_heap, is_start, alive]);
                    self.pool.not(good)
                }
                Aim::Number(number) => self.pool.ne(number, zero),
                Aim::Lost(_) => {
                    self.refuse(
                        state,
                        target.guard,
                        "freeing a pointer that was computed from parts of others",
                    );
                    self.pool.top()
                }
            };
            bad.push(self.pool.and2(target.guard, is_bad));
        }
        self.pool.or(&bad)
    }

    /// Whether there is heap memory that nothing points to.
    pub(crate) fn leaks(&mut self, state: &mut State) -> Result<Term, Obstacle> {
        let heap: Vec<ObjectId> = state
            .memory
            .keys()
            .copied()
            .filter(|id| self.details[id.0 as usize].kind == Kind::Heap)
            .filter(|&id| self.pool.as_bool(state.object(id).alive) != Some(false))
            .collect();
        if heap.is_empty() {
            return Ok(self.pool.bottom());
        }
        let mut found: BTreeMap<ObjectId, Term> = BTreeMap::new();
        for pointer in self.root_pointers(state) {
            let always = self.pool.top();
            self.reach(&mut found, pointer, always);
        }
        let never = self.pool.bottom();
        for _ in 0..heap.len() {
            let before = found.clone();
            for &object in &heap {
                let reached = found.get(&object).copied().unwrap_or(never);
                let alive = state.object(object).alive;
                let reached = self.pool.and2(reached, alive);
                if self.pool.as_bool(reached) != Some(false) {
                    for pointer in self.pointers_in(state, object)? {
                        self.reach(&mut found, pointer, reached);
                    }
                }
            }
            if before == found {
                break;
            }
        }
        let mut lost = Vec::new();
        for &object in &heap {
            let reached = found.get(&object).copied().unwrap_or(never);
            let unreached = self.pool.not(reached);
            lost.push(self.pool.and2(state.object(object).alive, unreached));
        }
        Ok(self.pool.or(&lost))
    }

    /// Notes that a pointer leads to its objects if it is reached.
    fn reach(&mut self, found: &mut BTreeMap<ObjectId, Term>, pointer: Term, reached: Term) {
        if !self.has_base(pointer) {
            return;
        }
        for target in self.targets(pointer).iter() {
            if let Aim::Object(object, _) = target.aim {
                let when = self.pool.and2(reached, target.guard);
                let known = found.get(&object).copied().unwrap_or_else(|| self.pool.bottom());
                let either = self.pool.or2(known, when);
                found.insert(object, either);
            }
        }
    }

    /// The values of all variables in scope, and of all memory that is no heap memory.
    fn root_pointers(&mut self, state: &State) -> Vec<Term> {
        let program = self.program;
        let of_frame = |frame: &Frame| -> Vec<Term> {
            let is_named = |variable: rorqual_cfa::VariableId| {
                program.variables[variable].kind != VariableKind::Temporary
            };
            frame
                .slots
                .iter()
                .filter(|(variable, _)| is_named(**variable))
                .map(|(_, slot)| slot.value)
                .collect()
        };
        let mut pointers = of_frame(&state.frame);
        for frame in self.caller_frames() {
            pointers.extend(of_frame(frame));
        }
        pointers.extend(state.globals.values().map(|slot| slot.value));
        for (id, object) in &state.memory {
            let is_heap = self.details[id.0 as usize].kind == Kind::Heap;
            if let (false, Content::Cells(cells)) = (is_heap, &object.0.content)
                && self.pool.as_bool(object.0.alive) != Some(false)
            {
                pointers.extend(cells.map.values().map(|cell| cell.value));
            }
        }
        pointers
    }

    fn pointers_in(&mut self, state: &State, object: ObjectId) -> Result<Vec<Term>, Obstacle> {
        match &state.object(object).content {
            Content::Cells(cells) => Ok(cells.map.values().map(|cell| cell.value).collect()),
            Content::Array { .. } => {
                Err(self.obstacle("the search for lost memory in arrays of unknown size"))
            }
        }
    }
}
