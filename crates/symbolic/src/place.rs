//! Places: where they are, what is read from them, and what changes when they are written.

use rorqual_cfa::{BitRange, Hazard, IntKind, PlaceId, PlaceKind, TypeId, VariableId, VariableKind};
use rorqual_logic::Term;

use crate::executor::{Executor, Fresh, Obstacle};
use crate::memory::Span;
use crate::object::{Cell, Cells, Content, Kind, Object, ObjectId, Piece, Rest, part};
use crate::pointer::{Aim, Target};
use crate::state::{Slot, State, Value};

/// Where a place is.
#[derive(Debug, Clone)]
pub(crate) enum Where {
    /// A variable that is no object.
    Slot(VariableId),
    /// Where a pointer points to.
    Memory(Vec<Target>),
}

/// A place that was found.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) at: Where,
    /// The bits of a bit-field.
    pub(crate) bits: Option<BitRange>,
}

impl Site {
    /// How many bytes an access to a type touches.
    pub(crate) fn bytes(&self, size: u64) -> u32 {
        match self.bits {
            Some(range) => (range.start + range.width).div_ceil(8),
            None => size as u32,
        }
    }
}

impl Executor<'_> {
    /// Finds a place.
    pub(crate) fn site(&mut self, state: &mut State, id: PlaceId) -> Result<Site, Obstacle> {
        let program = self.program;
        let place = &program.places[id];
        let targets = match place.kind {
            PlaceKind::Variable(variable) if self.is_slot(variable) => {
                return Ok(Site { at: Where::Slot(variable), bits: None });
            }
            PlaceKind::Variable(variable) => {
                let object = self.variable_object(state, variable);
                vec![self.start_of(object)]
            }
            PlaceKind::Text(text) => {
                let object = self.constant_object(state, Kind::Text(text));
                vec![self.start_of(object)]
            }
            PlaceKind::Deref(pointer) => {
                let pointer = self.eval(state, pointer)?;
                self.targets(pointer).to_vec()
            }
            PlaceKind::Member { base, field } => {
                let record = program.types.as_record(program.places[base].ty);
                let Some(record) = record else {
                    return Err(self.obstacle("a member of something that is no record"));
                };
                let field = &program.types.record(record).fields[field as usize];
                let offset = self.pool.bv(field.offset, self.pointer_width);
                let targets = self.memory_targets(state, base)?;
                let moved = targets.into_iter().map(|target| self.moved(target, offset)).collect();
                return Ok(Site { at: Where::Memory(moved), bits: field.bits });
            }
            PlaceKind::Element { base, index } => {
                let stride = program.types.size_of(place.ty).unwrap_or(0);
                let targets = self.memory_targets(state, base)?;
                let index = self.eval(state, index)?;
                let zero = self.pool.bv(0u8, self.pointer_width);
                let distance = self.displaced(zero, index, stride);
                targets.into_iter().map(|target| self.moved(target, distance)).collect()
            }
        };
        Ok(Site { at: Where::Memory(targets), bits: None })
    }

    fn memory_targets(&mut self, state: &mut State, base: PlaceId) -> Result<Vec<Target>, Obstacle> {
        match self.site(state, base)?.at {
            Where::Memory(targets) => Ok(targets),
            Where::Slot(_) => Err(self.obstacle("a part of a scalar")),
        }
    }

    fn start_of(&mut self, object: ObjectId) -> Target {
        let (guard, start) = (self.pool.top(), self.pool.bv(0u8, self.pointer_width));
        Target { guard, aim: Aim::Object(object, start) }
    }

    /// The address of a place.
    pub(crate) fn address_of(&mut self, state: &mut State, id: PlaceId) -> Result<Term, Obstacle> {
        let site = self.site(state, id)?;
        let Where::Memory(targets) = site.at else {
            return Err(self.obstacle("the address of a variable that has none"));
        };
        let mut address = None;
        for target in targets {
            let own = match target.aim {
                Aim::Object(object, offset) => {
                    let base = self.details[object.0 as usize].base;
                    self.pool.bv_add(base, offset)
                }
                Aim::Number(term) | Aim::Lost(term) => term,
            };
            address = Some(address.map_or(own, |others| self.pool.ite(target.guard, own, others)));
        }
        address.ok_or_else(|| self.obstacle("a pointer to nothing"))
    }

    /// The object of a variable.
    pub(crate) fn variable_object(&mut self, state: &mut State, variable: VariableId) -> ObjectId {
        if let Some(&known) = state.frame.objects.get(&variable) {
            return known;
        }
        let details = &self.program.variables[variable];
        if details.kind.is_global() {
            return self.constant_object(state, Kind::Variable(variable));
        }
        let object = self.make_object(Kind::Variable(variable), details.align, false);
        let rest = Rest::Unset(object, 0);
        self.put_variable(state, object, variable, rest);
        state.frame.objects.insert(variable, object);
        object
    }

    fn put_variable(&mut self, state: &mut State, object: ObjectId, variable: VariableId, rest: Rest) {
        let details = &self.program.variables[variable];
        let size = details.size.or(self.program.types.size_of(details.ty)).unwrap_or(0);
        let new = self.sized_object(size, rest);
        state.set_object(object, new);
    }

    /// A live object of constant size.
    pub(crate) fn sized_object(&mut self, size: u64, rest: Rest) -> Object {
        let (alive, term) = (self.pool.top(), self.pool.bv(size, self.pointer_width));
        Object { size: term, capacity: Some(size), alive, content: Content::Cells(Cells::new(rest)) }
    }

    /// An object that is there from the start.
    pub(crate) fn constant_object(&mut self, state: &mut State, kind: Kind) -> ObjectId {
        let program = self.program;
        let (align, size, rest) = match kind {
            Kind::Text(text) => {
                let literal = &program.strings[text];
                (program.types.align_of(literal.ty), literal.bytes.len() as u64, Rest::Text(text))
            }
            Kind::Variable(variable) => {
                let details = &program.variables[variable];
                let size = details.size.or(program.types.size_of(details.ty)).unwrap_or(0);
                (details.align, size, Rest::Zero)
            }
            _ => (16, 0, Rest::Zero),
        };
        let object = self.make_global(kind, align);
        if !state.memory.contains_key(&object) {
            let is_external = match kind {
                Kind::Variable(variable) => program.variables[variable].kind == VariableKind::External,
                _ => false,
            };
            let rest = if is_external { Rest::Unset(object, 0) } else { rest };
            let new = self.sized_object(size, rest);
            state.set_object(object, new);
        }
        object
    }

    /// The scalar in a place.
    pub(crate) fn load(&mut self, state: &mut State, id: PlaceId) -> Result<Term, Obstacle> {
        let ty = self.program.places[id].ty;
        let site = self.site(state, id)?;
        let targets = match &site.at {
            Where::Slot(variable) => return Ok(self.load_slot(state, *variable)),
            Where::Memory(targets) => targets.clone(),
        };
        let size = self.program.types.size_of(ty).unwrap_or(0);
        let bytes = site.bytes(size);
        let Cell { value, written, .. } = self.load_targets(state, &targets, bytes, Hazard::Access(id));
        if self.program.types.pointee(ty).is_some() && self.pool.as_bool(written) != Some(true) {
            self.approximate("a pointer that was never set");
        }
        if let Some(range) = site.bits {
            return Ok(self.field_value(value, range, ty));
        }
        if self.is_bool(ty) && !self.is_truth(value) {
            let two = self.pool.bv(2u8, 8);
            let is_truth = self.pool.bv_ult(value, two);
            let bad = self.pool.not(is_truth);
            self.hazard(state, Hazard::Truth(id), bad);
        }
        Ok(value)
    }

    fn field_value(&mut self, value: Term, range: BitRange, ty: TypeId) -> Term {
        let types = &self.program.types;
        let (width, signed) = (types.width(ty), types.as_int(ty).is_some_and(IntKind::is_signed));
        let bits = self.pool.bv_extract(value, range.start + range.width - 1, range.start);
        self.resized(bits, width, signed)
    }

    fn load_slot(&mut self, state: &mut State, variable: VariableId) -> Term {
        let details = &self.program.variables[variable];
        let slots = if details.kind.is_global() { &mut state.globals } else { &mut state.frame.slots };
        if let Some(slot) = slots.get(&variable) {
            return slot.value;
        }
        let width = self.program.types.width(details.ty);
        let is_static = details.kind == VariableKind::Static;
        let value =
            if is_static { self.pool.bv(0u8, width) } else { self.any_scalar(Fresh::Outside, details.ty) };
        let written = self.pool.bool(is_static);
        let slots = if details.kind.is_global() { &mut state.globals } else { &mut state.frame.slots };
        slots.insert(variable, Slot { value, written });
        value
    }

    /// Any value of a scalar type.
    pub(crate) fn any_scalar(&mut self, kind: Fresh, ty: TypeId) -> Term {
        let width = self.program.types.width(ty);
        if self.is_bool(ty) {
            let bit = self.fresh(kind, rorqual_logic::Sort::BitVec(1));
            return self.pool.bv_zero_extend(bit, 8);
        }
        self.fresh(kind, rorqual_logic::Sort::BitVec(width))
    }

    /// Reads bytes where a pointer points to. An access that goes astray is undefined.
    pub(crate) fn load_targets(
        &mut self,
        state: &mut State,
        targets: &[Target],
        bytes: u32,
        hazard: Hazard,
    ) -> Cell {
        let bad = self.bad_access(state, targets, u64::from(bytes));
        self.hazard(state, hazard, bad);
        let mut found: Option<Cell> = None;
        for target in targets {
            let Aim::Object(object, offset) = target.aim else { continue };
            if bytes == 0 {
                break;
            }
            let cell = self.read(state, Span { object, offset, bytes });
            found = Some(match found {
                None => cell,
                Some(others) => Cell {
                    bytes,
                    value: self.pool.ite(target.guard, cell.value, others.value),
                    written: self.pool.ite(target.guard, cell.written, others.written),
                },
            });
        }
        match found {
            Some(cell) => cell,
            None => Cell {
                bytes,
                value: self.fresh(Fresh::Outside, rorqual_logic::Sort::BitVec(bytes.max(1) * 8)),
                written: self.pool.top(),
            },
        }
    }

    /// When an access to so many bytes is undefined.
    pub(crate) fn bad_access(&mut self, state: &State, targets: &[Target], bytes: u64) -> Term {
        let bytes = self.pool.bv(bytes, self.pointer_width);
        self.bad_block(state, targets, bytes)
    }

    /// When an access to a number of bytes, which need not be constant, is undefined. To access none is always defined.
    pub(crate) fn bad_block(&mut self, state: &State, targets: &[Target], size: Term) -> Term {
        let zero = self.pool.bv(0u8, self.pointer_width);
        let is_some = self.pool.ne(size, zero);
        let mut bad = Vec::new();
        for target in targets {
            let is_bad = match target.aim {
                Aim::Object(object, offset) => {
                    let outside = self.outside(state, object, offset, size);
                    let dead = self.is_dead(state, object);
                    self.pool.or2(outside, dead)
                }
                Aim::Number(number) => {
                    if self.pool.as_bits(number).is_none() {
                        self.refuse(state, target.guard, "an access to memory from outside of the program");
                    }
                    self.pool.top()
                }
                Aim::Lost(_) => {
                    self.refuse(
                        state,
                        target.guard,
                        "an access through a pointer that was computed from parts of others",
                    );
                    self.pool.top()
                }
            };
            bad.push(self.pool.and(&[target.guard, is_bad, is_some]));
        }
        self.pool.or(&bad)
    }

    /// Something cannot be followed if a condition holds.
    pub(crate) fn refuse(&mut self, state: &State, condition: Term, construct: &str) {
        let when = self.pool.and2(state.guard, condition);
        if self.pool.as_bool(when) != Some(false) {
            let obstacle = self.obstacle(construct);
            self.outcome.obstacles.push((obstacle, when));
        }
    }

    /// Stores a scalar in a place.
    pub(crate) fn store(&mut self, state: &mut State, id: PlaceId, value: Term) -> Result<(), Obstacle> {
        let ty = self.program.places[id].ty;
        let site = self.site(state, id)?;
        let targets = match &site.at {
            Where::Slot(variable) => {
                let slot = Slot { value, written: self.pool.top() };
                let is_global = self.program.variables[*variable].kind.is_global();
                let slots = if is_global { &mut state.globals } else { &mut state.frame.slots };
                slots.insert(*variable, slot);
                return Ok(());
            }
            Where::Memory(targets) => targets.clone(),
        };
        let size = self.program.types.size_of(ty).unwrap_or(0);
        let bytes = site.bytes(size);
        let bad = self.bad_access(state, &targets, u64::from(bytes));
        self.hazard(state, Hazard::Access(id), bad);
        for target in &targets {
            let Aim::Object(object, offset) = target.aim else { continue };
            let span = Span { object, offset, bytes };
            let stored = match site.bits {
                Some(range) => {
                    let old = self.read(state, span).value;
                    self.with_bits(old, range, value)
                }
                None => self.resized(value, bytes * 8, false),
            };
            self.write(state, span, stored, target.guard);
        }
        Ok(())
    }

    /// Bytes with some bits replaced.
    pub(crate) fn with_bits(&mut self, old: Term, range: BitRange, value: Term) -> Term {
        let width = self.pool.width(old);
        let end = range.start + range.width;
        let value = self.resized(value, range.width, false);
        let mut new = value;
        if range.start > 0 {
            let low = self.pool.bv_extract(old, range.start - 1, 0);
            new = self.pool.bv_concat(new, low);
        }
        if end < width {
            let high = self.pool.bv_extract(old, width - 1, end);
            new = self.pool.bv_concat(high, new);
        }
        new
    }

    /// What an aggregate place contains.
    pub(crate) fn load_block(
        &mut self,
        state: &mut State,
        targets: &[Target],
        size: u64,
        hazard: Hazard,
    ) -> Cells {
        let bad = self.bad_access(state, targets, size);
        self.hazard(state, hazard, bad);
        let mut found: Option<Cells> = None;
        for target in targets {
            let Aim::Object(object, offset) = target.aim else { continue };
            let cells = self.read_block(state, object, offset, size);
            found = Some(match found {
                None => cells,
                Some(others) => self.merged_cells(&cells, &others, Some(size), target.guard),
            });
        }
        found.unwrap_or_else(|| Cells::new(Rest::Zero))
    }

    /// Bytes of an object as cells of their own.
    fn read_block(&mut self, state: &mut State, object: ObjectId, offset: Term, size: u64) -> Cells {
        let mut block = Cells::new(Rest::Zero);
        let constant = self.pool.as_bits(offset).and_then(rorqual_logic::Bits::to_u64);
        if let (Content::Cells(cells), Some(start)) = (state.object(object).content.clone(), constant) {
            let capacity = state.object(object).capacity.unwrap_or(0);
            if start.checked_add(size).is_none_or(|end| end > capacity) {
                return block;
            }
            let mut at = 0;
            for piece in cells.pieces(start, size) {
                at = self.copy_piece(state, object, &cells, piece, (start, at), &mut block);
            }
            return block;
        }
        let step = self.chunk(offset, size);
        for at in (0..size).step_by(step as usize) {
            let distance = self.pool.bv(at, self.pointer_width);
            let offset = self.pool.bv_add(offset, distance);
            let cell = self.read(state, Span { object, offset, bytes: step });
            block.put(&mut self.pool, at, cell);
        }
        block
    }

    /// Copies a cell, or a gap in pieces of eight bytes at most; where it ends.
    fn copy_piece(
        &mut self,
        state: &mut State,
        object: ObjectId,
        cells: &Cells,
        piece: Piece,
        (start, at): (u64, u64),
        block: &mut Cells,
    ) -> u64 {
        match piece {
            Piece::Cell { cell, from, bytes } => {
                let copied = if bytes == cell.bytes { cell } else { part(&mut self.pool, cell, from, bytes) };
                block.put(&mut self.pool, at, copied);
            }
            Piece::Gap { offset, bytes } => {
                if cells.rest == Rest::Zero {
                    return at + u64::from(bytes);
                }
                let mut done = 0;
                while done < bytes {
                    let own = offset + u64::from(done);
                    let length = (8 - (own % 8) as u32).min(bytes - done);
                    let place = self.pool.bv(own, self.pointer_width);
                    let cell = self.read(state, Span { object, offset: place, bytes: length });
                    block.put(&mut self.pool, own - start, cell);
                    done += length;
                }
            }
        }
        at + u64::from(piece.bytes())
    }

    /// How many bytes are copied at a time where the offset is not constant.
    pub(crate) fn chunk(&self, offset: Term, size: u64) -> u32 {
        let low = crate::pointer::low_bits(&self.pool, offset);
        let aligned = if low.known == 0 { 1 } else { 1u64 << low.known.min(3) };
        let aligned = if low.value.is_multiple_of(aligned) { aligned } else { 1 };
        let mut chunk = aligned;
        while !size.is_multiple_of(chunk) {
            chunk /= 2;
        }
        chunk as u32
    }

    /// Stores an aggregate where a pointer points to.
    pub(crate) fn store_block(
        &mut self,
        state: &mut State,
        targets: &[Target],
        block: &Cells,
        size: u64,
        hazard: Hazard,
    ) {
        let bad = self.bad_access(state, targets, size);
        self.hazard(state, hazard, bad);
        for target in targets {
            let Aim::Object(object, offset) = target.aim else { continue };
            self.write_block(state, object, offset, block, size, target.guard);
        }
    }

    fn write_block(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: Term,
        block: &Cells,
        size: u64,
        condition: Term,
    ) {
        let constant = self.pool.as_bits(offset).and_then(rorqual_logic::Bits::to_u64);
        let is_cells = matches!(state.object(object).content, Content::Cells(_));
        if let (true, Some(start)) = (is_cells, constant) {
            let mut new = state.object(object).clone();
            let Content::Cells(cells) = &mut new.content else { return };
            if new.capacity.is_none_or(|capacity| start.checked_add(size).is_none_or(|end| end > capacity)) {
                return;
            }
            let replaced = self.replaced(cells, start, block, size);
            *cells = match self.pool.as_bool(condition) {
                Some(true) => replaced,
                _ => self.merged_cells(&replaced, &cells.clone(), new.capacity, condition),
            };
            return state.set_object(object, new);
        }
        let step = self.chunk(offset, size);
        for at in (0..size).step_by(step as usize) {
            let distance = self.pool.bv(at, self.pointer_width);
            let offset = self.pool.bv_add(offset, distance);
            let cell = self.read_cells(block, at, step);
            self.write_cell(state, Span { object, offset, bytes: step }, cell, condition);
        }
    }

    /// Cells with a block in the place of what was there.
    fn replaced(&mut self, cells: &Cells, start: u64, block: &Cells, size: u64) -> Cells {
        let mut cells = cells.clone();
        cells.clear(&mut self.pool, start, size);
        for piece_at in block.pieces(0, size).into_iter().scan(0, |at, piece| {
            let own = *at;
            *at += u64::from(piece.bytes());
            Some((own, piece))
        }) {
            match piece_at {
                (at, Piece::Cell { cell, from, bytes }) => {
                    let cell =
                        if bytes == cell.bytes { cell } else { part(&mut self.pool, cell, from, bytes) };
                    cells.put(&mut self.pool, start + at, cell);
                }
                (at, Piece::Gap { bytes, .. }) if cells.rest != Rest::Zero => {
                    // A gap of a block is zero.
                    let mut done = 0;
                    while done < bytes {
                        let length = (bytes - done).min(8);
                        let value = self.pool.bv(0u8, length * 8);
                        let written = self.pool.top();
                        let cell = Cell { bytes: length, value, written };
                        cells.put(&mut self.pool, start + at + u64::from(done), cell);
                        done += length;
                    }
                }
                _ => {}
            }
        }
        cells
    }

    /// Stores any value in a place.
    pub(crate) fn store_value(
        &mut self,
        state: &mut State,
        id: PlaceId,
        value: Value,
    ) -> Result<(), Obstacle> {
        match value {
            Value::Scalar(value) => self.store(state, id, value),
            Value::Block(block, size) => {
                let site = self.site(state, id)?;
                let Where::Memory(targets) = site.at else {
                    return Err(self.obstacle("a structure in the place of a scalar"));
                };
                self.store_block(state, &targets, &block, size, Hazard::Access(id));
                Ok(())
            }
            Value::Nothing => {
                let ty = self.program.places[id].ty;
                if self.program.types.is_scalar(ty) {
                    let any = self.any_scalar(Fresh::Outside, ty);
                    self.approximate("the value of a function that returned none");
                    return self.store(state, id, any);
                }
                Err(self.obstacle("a structure that no function returned"))
            }
        }
    }
}
