//! Places: where they are, what is read from them, and what changes when they are written.

use std::rc::Rc;

use rorqual_cfa::{BitRange, Hazard, IntKind, PlaceId, PlaceKind, TypeId};
use rorqual_logic::{Sort, Term};

use super::addresses::{Case, Kind, Pointee};
use super::machine::{Held, Machine};
use super::memory::{Content, Filling};
use super::state::{ObjectId, Value, Whole};

/// Scalars have at most so many bytes, each of which is an element where memory is an array.
const MOST_ELEMENTS: u64 = 16;

/// Where a place starts from.
#[derive(Debug, Clone, Copy)]
enum Base {
    Slot(usize),
    Object(ObjectId),
    Pointer(Term),
    /// A variable of which it is not known which of its objects it is.
    Mixed,
}

/// Where a place is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path {
    base: Base,
    /// How many bytes behind its start.
    offset: Term,
    pub(super) bits: Option<BitRange>,
    ty: TypeId,
}

impl Path {
    /// The slot that the place is, if it is one.
    pub(super) fn slot(self) -> Option<usize> {
        match self.base {
            Base::Slot(slot) => Some(slot),
            _ => None,
        }
    }
}

/// Whether memory is read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// A change of some bytes of an object.
#[derive(Debug, Clone, Copy)]
struct Change {
    /// The first byte.
    at: u64,
    /// The size of the object, if it is known.
    size: Option<u64>,
    /// When they are changed, if they are not always.
    condition: Option<Term>,
}

impl Machine<'_> {
    /// Finds a place.
    pub(super) fn path(&mut self, id: PlaceId) -> Path {
        let place = &self.program.places[id];
        let (ty, zero) = (place.ty, self.number(0));
        let start = |base: Base| Path { base, offset: zero, bits: None, ty };
        match place.kind {
            PlaceKind::Variable(variable) => start(match self.held(variable) {
                Held::Slot(slot) => Base::Slot(slot),
                Held::Object(object) => Base::Object(object),
                Held::Mixed => Base::Mixed,
            }),
            PlaceKind::Text(text) => start(Base::Object(self.text_object(text))),
            PlaceKind::Deref(pointer) => start(Base::Pointer(self.eval(pointer))),
            PlaceKind::Member { base, field } => {
                let mut path = self.path(base);
                if let Some(record) = self.program.types.as_record(path.ty) {
                    let field = &self.program.types.record(record).fields[field as usize];
                    let by = self.number(field.offset);
                    path.offset = self.store.pool.bv_add(path.offset, by);
                    path.bits = field.bits;
                }
                Path { ty, ..path }
            }
            PlaceKind::Element { base, index } => {
                let path = self.path(base);
                let index = self.index(index);
                let stride = self.program.types.size_of(ty).unwrap_or(0);
                Path { ty, ..self.element(path, index, stride) }
            }
        }
    }

    fn element(&mut self, path: Path, index: Term, stride: u64) -> Path {
        let fits = self.fits(index, stride);
        if self.store.pool.as_bool(fits) == Some(true) {
            let offset = self.element_address(path.offset, index, stride);
            return Path { offset, ..path };
        }
        // An index that leaves the object for good leads nobody knows where.
        let base = self.start_address(path.base);
        let start = self.store.pool.bv_add(base, path.offset);
        let address = self.element_address(start, index, stride);
        Path { base: Base::Pointer(address), offset: self.number(0), ..path }
    }

    fn start_address(&mut self, base: Base) -> Term {
        match base {
            Base::Object(object) => self.address(object),
            Base::Pointer(pointer) => pointer,
            Base::Slot(_) | Base::Mixed => self.any(self.pointer_width).term,
        }
    }

    /// The address of a place.
    pub(super) fn address_of(&mut self, id: PlaceId) -> Term {
        let path = self.path(id);
        self.refuse_mixed(id, path);
        let start = self.start_address(path.base);
        self.store.pool.bv_add(start, path.offset)
    }

    /// A place in a variable of which it is not known which of its objects it is cannot be followed.
    pub(super) fn refuse_mixed(&mut self, id: PlaceId, path: Path) {
        if let Base::Mixed = path.base {
            self.mixed(id);
        }
    }

    fn mixed(&mut self, id: PlaceId) {
        let always = self.store.pool.top();
        let what = "a variable whose life depends on where control came from";
        self.not_followed(always, what, self.program.place_spans[id]);
    }

    /// What a place may be a part of.
    pub(super) fn cases_of(&mut self, path: Path) -> Rc<[Case]> {
        match path.base {
            Base::Object(object) => {
                let guard = self.store.pool.top();
                [Case { guard, pointee: Pointee::Object(object), offset: path.offset }].into()
            }
            Base::Pointer(pointer) if self.constant(path.offset) == Some(0) => self.cases(pointer),
            Base::Pointer(pointer) => {
                let address = self.store.pool.bv_add(pointer, path.offset);
                self.cases(address)
            }
            Base::Slot(_) | Base::Mixed => [].into(),
        }
    }

    /// How many bytes an access to a place touches.
    pub(super) fn bytes_of(&self, path: Path) -> u64 {
        match path.bits {
            Some(range) => u64::from((range.start + range.width).div_ceil(8)),
            None => self.program.types.size_of(path.ty).unwrap_or(0),
        }
    }

    /// Whether an access to so many bytes is defined, as far as that is known.
    pub(super) fn is_valid(&mut self, cases: &[Case], bytes: Term, access: Access) -> Term {
        let mut ways = Vec::with_capacity(cases.len());
        for &case in cases {
            let Pointee::Object(object) = case.pointee else { continue };
            let (is_allowed, is_outside) = match self.objects.get(object).kind {
                Kind::Text(_) => (access == Access::Read, false),
                Kind::Function(_) | Kind::Label(..) => (false, false),
                Kind::Outside => (true, true),
                _ => (true, false),
            };
            if !is_allowed {
                continue;
            }
            let alive = self.is_alive(object);
            let inside = if is_outside { alive } else { self.is_inside(object, case.offset, bytes) };
            ways.push(self.store.pool.and(&[case.guard, alive, inside]));
        }
        self.store.pool.or(&ways)
    }

    /// The scalar in a place.
    pub(super) fn load(&mut self, id: PlaceId) -> Value {
        let path = self.path(id);
        let width = self.width(path.ty);
        let is_bool = self.program.types.as_int(path.ty) == Some(IntKind::Bool);
        match path.base {
            Base::Slot(slot) => return self.load_slot(slot, path.ty),
            Base::Mixed => {
                self.mixed(id);
                return self.any(width);
            }
            Base::Object(_) | Base::Pointer(_) => {}
        }
        let (cases, bytes) = (self.cases_of(path), self.bytes_of(path));
        let span = self.number(bytes);
        let valid = self.is_valid(&cases, span, Access::Read);
        self.require(Hazard::Access(id), valid);
        let is_truth = is_bool && path.bits.is_none();
        let value = self.read(&cases, bytes, is_truth);
        if is_truth {
            let one = self.store.pool.bv(1u8, 8);
            let is_truth = self.store.pool.bv_ule(value.term, one);
            self.require(Hazard::Truth(id), is_truth);
        }
        match path.bits {
            None => {
                // The object of a bit-field's type may be wider than its values.
                let term = self.store.pool.bv_extract(value.term, width - 1, 0);
                Value { term, ..value }
            }
            Some(range) => {
                let field =
                    self.store.pool.bv_extract(value.term, range.start + range.width - 1, range.start);
                let term = self.resized(field, path.ty, width);
                Value { term, ..value }
            }
        }
    }

    fn load_slot(&mut self, slot: usize, ty: TypeId) -> Value {
        if let Some(&Some(value)) = self.state.slots.get(slot) {
            return value;
        }
        let value = Value { term: self.any_of(ty), set: self.store.pool.bottom() };
        self.state.slots.set(slot, Some(value));
        value
    }

    /// So many bytes of whatever is there.
    pub(super) fn read(&mut self, cases: &[Case], bytes: u64, is_truth: bool) -> Value {
        let mut value: Option<Value> = None;
        for &case in cases {
            let read = match case.pointee {
                Pointee::Object(object) => self.read_object(object, case.offset, bytes, is_truth),
                Pointee::Nothing => continue,
                Pointee::Unknown => Some(self.any_bytes(bytes, is_truth)),
            };
            let Some(read) = read else { continue };
            value = Some(match value {
                None => read,
                Some(other) => self.store.choose(case.guard, read, other),
            });
        }
        value.unwrap_or_else(|| self.any(8 * bytes.max(1) as u32))
    }

    /// What an object contains, if it may be alive.
    pub(super) fn content(&mut self, id: ObjectId) -> Option<Content> {
        match self.objects.get(id).kind {
            Kind::Text(text) => Some(Content::text(text)),
            Kind::Function(_) | Kind::Label(..) => None,
            Kind::Outside => Some(Content::filled(self.store.unknown(true))),
            _ => {
                let object = self.state.object(id)?;
                (self.store.pool.as_bool(object.alive) != Some(false)).then(|| object.content.clone())
            }
        }
    }

    fn read_object(&mut self, id: ObjectId, offset: Term, bytes: u64, is_truth: bool) -> Option<Value> {
        let mut content = self.content(id)?;
        if let Some(at) = self.constant(offset) {
            let size = self.constant_size(id);
            if size.is_some_and(|size| at.checked_add(bytes).is_none_or(|end| end > size)) || at >> 62 != 0 {
                return None;
            }
            if !is_truth {
                return Some(content.read(&mut self.store, at, bytes));
            }
            let value = content.read_truth(&mut self.store, at);
            self.set_content(id, content);
            return Some(value);
        }
        let Some(places) = self.places(id, offset, bytes) else {
            if is_truth || bytes > MOST_ELEMENTS {
                return Some(self.any_bytes(bytes, is_truth));
            }
            let (array, is_set) = content.as_array(&mut self.store);
            self.set_content(id, Content::filled(Filling::Array { elements: array, is_set }));
            return Some(self.store.elements(array, is_set, offset, bytes));
        };
        if is_truth {
            // What was never written becomes 0 or 1 wherever it may be read.
            for &at in &places.offsets {
                content.read_truth(&mut self.store, at);
            }
            self.set_content(id, content.clone());
        }
        let values: Vec<(u64, Value)> =
            places.offsets.iter().map(|&at| (at, content.read(&mut self.store, at, bytes))).collect();
        self.selected(offset, &values)
    }

    fn any_bytes(&mut self, bytes: u64, is_truth: bool) -> Value {
        if !is_truth {
            return self.any(8 * bytes as u32);
        }
        let choice = self.store.pool.fresh_symbol("any", Sort::Bool);
        Value { term: self.truth_value(choice, 8), set: self.store.pool.top() }
    }

    /// Replaces what an object contains.
    pub(super) fn set_content(&mut self, id: ObjectId, content: Content) {
        if let Some(known) = self.state.content_mut(id) {
            *known = content;
        }
    }

    /// What an object contains, if it may be alive. It is taken out, so that it can be changed where it is.
    fn take_content(&mut self, id: ObjectId) -> Option<Content> {
        let alive = self.state.object(id)?.alive;
        if self.store.pool.as_bool(alive) == Some(false) {
            return None;
        }
        self.state.content_mut(id).map(|content| std::mem::replace(content, Content::zero()))
    }

    /// Stores a scalar, all of which is set or not.
    pub(super) fn store_scalar(&mut self, id: PlaceId, value: Value) {
        let path = self.path(id);
        match path.base {
            Base::Slot(slot) => return self.state.slots.set(slot, Some(value)),
            Base::Mixed => return self.mixed(id),
            Base::Object(_) | Base::Pointer(_) => {}
        }
        let (cases, bytes) = (self.cases_of(path), self.bytes_of(path));
        self.check_write(id, &cases, bytes);
        let Some(range) = path.bits else {
            let term = self.store.pool.bv_zero_extend(value.term, 8 * bytes as u32);
            return self.write(&cases, bytes, Value { term, ..value });
        };
        // The other bits of the bytes stay as they are.
        let old = self.read(&cases, bytes, false);
        let pool = &mut self.store.pool;
        let mut new = pool.bv_extract(value.term, range.width - 1, 0);
        if range.start > 0 {
            let low = pool.bv_extract(old.term, range.start - 1, 0);
            new = pool.bv_concat(new, low);
        }
        let (end, all) = (range.start + range.width, 8 * bytes as u32);
        if end < all {
            let high = pool.bv_extract(old.term, all - 1, end);
            new = pool.bv_concat(high, new);
        }
        // Which of the bits were written is not told apart.
        let set = self.store.pool.and2(old.set, value.set);
        self.write(&cases, bytes, Value { term: new, set });
    }

    /// Requires that a write is defined. One that goes nobody knows where is not followed.
    fn check_write(&mut self, id: PlaceId, cases: &[Case], bytes: u64) {
        for case in cases.iter().filter(|case| case.pointee == Pointee::Unknown) {
            let what = "a write through a pointer of which it is not known where it points to";
            self.not_followed(case.guard, what, self.program.place_spans[id]);
        }
        let span = self.number(bytes);
        let valid = self.is_valid(cases, span, Access::Write);
        self.require(Hazard::Access(id), valid);
    }

    /// Writes so many bytes to whatever is there.
    pub(super) fn write(&mut self, cases: &[Case], bytes: u64, value: Value) {
        let (far, near): (Vec<Case>, Vec<Case>) =
            cases.iter().partition(|case| bytes <= MOST_ELEMENTS && self.is_far(case, bytes));
        for case in far {
            if let Pointee::Object(id) = case.pointee {
                self.write_element(id, case, bytes, value);
            }
        }
        let cases = near.as_slice();
        self.update(cases, bytes, |machine, content, change| {
            let new = match change.condition {
                None => value,
                Some(condition) => {
                    let old = content.read(&mut machine.store, change.at, bytes);
                    machine.store.choose(condition, value, old)
                }
            };
            content.write(&mut machine.store, change.at, bytes, new);
        });
    }

    /// Whether it is not known which bytes of an object these may be.
    fn is_far(&mut self, case: &Case, bytes: u64) -> bool {
        let Pointee::Object(id) = case.pointee else { return false };
        let is_writable = !matches!(self.objects.get(id).kind, Kind::Text(_) | Kind::Outside);
        is_writable && self.constant(case.offset).is_none() && self.places(id, case.offset, bytes).is_none()
    }

    /// Writes so many bytes somewhere in an object, which is an array from then on.
    fn write_element(&mut self, id: ObjectId, case: Case, bytes: u64, value: Value) {
        let Some(content) = self.take_content(id) else { return };
        let (old, is_set) = content.as_array(&mut self.store);
        let new = self.store.with_elements(old, case.offset, bytes, value);
        let elements = self.store.pool.ite(case.guard, new, old);
        let is_set = is_set && self.store.pool.as_bool(value.set) == Some(true);
        self.set_content(id, Content::filled(Filling::Array { elements, is_set }));
    }

    /// Changes so many bytes of whatever is there.
    fn update(&mut self, cases: &[Case], bytes: u64, apply: impl Fn(&mut Self, &mut Content, Change)) {
        for &case in cases {
            let Pointee::Object(id) = case.pointee else { continue };
            if matches!(self.objects.get(id).kind, Kind::Text(_) | Kind::Outside) {
                continue;
            }
            let size = self.constant_size(id);
            let always = self.store.pool.as_bool(case.guard) == Some(true);
            let change = Change { at: 0, size, condition: (!always).then_some(case.guard) };
            let at = self.constant(case.offset);
            let is_beyond = |at: u64| {
                at >> 62 != 0 || size.is_some_and(|size| at.checked_add(bytes).is_none_or(|end| end > size))
            };
            if at.is_some_and(is_beyond) {
                continue;
            }
            let Some(mut content) = self.take_content(id) else { continue };
            match at {
                Some(at) => apply(self, &mut content, Change { at, ..change }),
                None => {
                    self.update_somewhere(
                        id,
                        case,
                        bytes,
                        &mut content,
                        |machine, content, at, condition| {
                            apply(machine, content, Change { at, size, condition: Some(condition) });
                        },
                    );
                }
            }
            self.set_content(id, content);
        }
    }

    fn update_somewhere(
        &mut self,
        id: ObjectId,
        case: Case,
        bytes: u64,
        content: &mut Content,
        apply: impl Fn(&mut Self, &mut Content, u64, Term),
    ) {
        let Some(places) = self.places(id, case.offset, bytes) else {
            // It is all written if it was before and what is written is.
            let (mut written, always) = (Content::zero(), self.store.pool.top());
            apply(self, &mut written, 0, always);
            let is_set = content.is_set(&self.store.pool) && written.is_set(&self.store.pool);
            let any = Content::filled(self.store.unknown(is_set));
            *content = Content::merged(&mut self.store, case.guard, &any, content);
            return;
        };
        for &at in &places.offsets {
            let here = self.is_at(case.offset, at, &places);
            let condition = self.store.pool.and2(case.guard, here);
            if self.store.pool.as_bool(condition) != Some(false) {
                apply(self, content, at, condition);
            }
        }
    }

    /// The value of an aggregate place.
    pub(super) fn load_block(&mut self, id: PlaceId) -> Content {
        let path = self.path(id);
        self.refuse_mixed(id, path);
        let (cases, bytes) = (self.cases_of(path), self.bytes_of(path));
        let span = self.number(bytes);
        if bytes > 0 {
            let valid = self.is_valid(&cases, span, Access::Read);
            self.require(Hazard::Access(id), valid);
        }
        self.read_block(&cases, bytes)
    }

    /// So many bytes of whatever is there, as a content of their own.
    pub(super) fn read_block(&mut self, cases: &[Case], bytes: u64) -> Content {
        let mut block: Option<Content> = None;
        for &case in cases {
            let read = match case.pointee {
                Pointee::Object(object) => self.read_object_block(object, case.offset, bytes),
                Pointee::Nothing => None,
                Pointee::Unknown => Some(Content::filled(self.store.unknown(true))),
            };
            let Some(read) = read else { continue };
            block = Some(match block {
                None => read,
                Some(other) => Content::merged(&mut self.store, case.guard, &read, &other),
            });
        }
        block.unwrap_or_else(|| Content::filled(self.store.unknown(true)))
    }

    fn read_object_block(&mut self, id: ObjectId, offset: Term, bytes: u64) -> Option<Content> {
        let content = self.content(id)?;
        if let Some(at) = self.constant(offset) {
            let size = self.constant_size(id);
            let is_outside = size.is_some_and(|size| at.checked_add(bytes).is_none_or(|end| end > size));
            return (!is_outside && at >> 62 == 0).then(|| content.extract(&mut self.store, at, bytes));
        }
        let Some(places) = self.places(id, offset, bytes) else {
            return Some(Content::filled(self.store.unknown(true)));
        };
        let mut block: Option<Content> = None;
        for &at in &places.offsets {
            let part = content.extract(&mut self.store, at, bytes);
            block = Some(match block {
                None => part,
                Some(other) => {
                    let here = self.is_at(offset, at, &places);
                    Content::merged(&mut self.store, here, &part, &other)
                }
            });
        }
        block
    }

    /// Stores a value of any type in a place of its type.
    pub(super) fn store_whole(&mut self, id: PlaceId, value: &Whole) {
        match value {
            Whole::Scalar(value) => self.store_scalar(id, *value),
            Whole::Block(block) => self.store_block(id, block),
            Whole::Nothing => {
                let any = self.any_whole(self.program.places[id].ty);
                self.store_whole(id, &any);
            }
        }
    }

    fn store_block(&mut self, id: PlaceId, block: &Content) {
        let path = self.path(id);
        if let Base::Mixed = path.base {
            return self.mixed(id);
        }
        let (cases, bytes) = (self.cases_of(path), self.bytes_of(path));
        if bytes > 0 {
            self.check_write(id, &cases, bytes);
            self.write_block(&cases, bytes, block);
        }
    }

    /// Writes a content of so many bytes to whatever is there.
    pub(super) fn write_block(&mut self, cases: &[Case], bytes: u64, block: &Content) {
        self.update(cases, bytes, |machine, content, Change { at, size, condition }| match condition {
            None => content.insert(&mut machine.store, at, bytes, size, block),
            Some(condition) => {
                let mut new = content.clone();
                new.insert(&mut machine.store, at, bytes, size, block);
                *content = Content::merged(&mut machine.store, condition, &new, content);
            }
        });
    }

    /// Any value of a type.
    pub(super) fn any_whole(&mut self, ty: TypeId) -> Whole {
        if self.program.types.is_scalar(ty) {
            let term = self.any_of(ty);
            return Whole::Scalar(Value { term, set: self.store.pool.top() });
        }
        let mut content = Content::filled(self.store.unknown(true));
        for at in self.truths_in(ty, 0) {
            content.read_truth(&mut self.store, at);
        }
        Whole::Block(content)
    }

    /// Where the scalars of type `_Bool` are in an aggregate.
    fn truths_in(&self, ty: TypeId, start: u64) -> Vec<u64> {
        use rorqual_cfa::Type;
        let types = &self.program.types;
        match types.get(ty) {
            Type::Int(IntKind::Bool) => vec![start],
            Type::Array { element, length } => {
                let first = self.truths_in(*element, 0);
                let size = types.size_of(*element).unwrap_or(0);
                let starts = (0..length.unwrap_or(0)).filter(|_| !first.is_empty());
                starts.flat_map(|at| first.iter().map(move |offset| start + at * size + offset)).collect()
            }
            Type::Record(record) => {
                let fields = types.record(*record).fields.iter().filter(|field| field.bits.is_none());
                fields.flat_map(|field| self.truths_in(field.ty, start + field.offset)).collect()
            }
            _ => Vec::new(),
        }
    }
}
