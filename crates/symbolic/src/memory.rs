//! Reading and writing objects.

use rorqual_cfa::IntKind;
use rorqual_logic::{Bits, Op, Sort, Term};

use crate::executor::{Executor, Fresh};
use crate::object::{Cell, Cells, Content, Object, ObjectId, Piece, Rest, Shared, part};
use crate::pointer::low_bits;
use crate::state::State;

/// Objects with more candidates for an access at a symbolic offset become arrays.
const MOST_CANDIDATES: u64 = 1024;
/// Elements of arrays that are made from cells one by one.
const MOST_ELEMENTS: u64 = 1 << 16;

/// The offsets that an access may have: `start + stride * k`, where `k` is the selector.
struct Pattern {
    start: u64,
    stride: u64,
    selector: Term,
}

/// Whether bytes at a constant offset are in an object of at most so many bytes.
fn fits(capacity: Option<u64>, offset: u64, bytes: u32) -> bool {
    let end = offset.checked_add(u64::from(bytes));
    capacity.zip(end).is_some_and(|(capacity, end)| end <= capacity)
}

/// Bytes that are accessed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) object: ObjectId,
    pub(crate) offset: Term,
    pub(crate) bytes: u32,
}

impl State {
    /// An object that the state knows.
    pub(crate) fn object(&self, id: ObjectId) -> &Object {
        &self.memory.get(&id).expect("every object that a state knows is in its memory").0
    }

    pub(crate) fn set_object(&mut self, id: ObjectId, object: Object) {
        self.memory.insert(id, Shared(object.into()));
    }
}

impl Executor<'_> {
    /// Whether bytes are not all in an object. Those of no object always are: there are none.
    pub(crate) fn outside(&mut self, state: &State, id: ObjectId, offset: Term, bytes: Term) -> Term {
        let Some(object) = state.memory.get(&id) else { return self.pool.top() };
        let size = object.0.size;
        let too_long = self.pool.bv_ult(size, bytes);
        let room = self.pool.bv_sub(size, bytes);
        let too_far = self.pool.bv_ult(room, offset);
        self.pool.or2(too_long, too_far)
    }

    /// Whether the life of an object has ended.
    pub(crate) fn is_dead(&mut self, state: &State, id: ObjectId) -> Term {
        match state.memory.get(&id) {
            Some(object) => self.pool.not(object.0.alive),
            None => self.pool.top(),
        }
    }

    /// What bytes of an object are, if they are in it.
    pub(crate) fn read(&mut self, state: &mut State, span: Span) -> Cell {
        let Some(object) = state.memory.get(&span.object).cloned() else { return self.any_cell(span.bytes) };
        let constant = self.pool.as_bits(span.offset).and_then(Bits::to_u64);
        match (&object.0.content, constant) {
            (Content::Cells(cells), Some(offset)) => {
                if !fits(object.0.capacity, offset, span.bytes) {
                    return self.any_cell(span.bytes);
                }
                self.read_cells(cells, offset, span.bytes)
            }
            (Content::Cells(cells), None) => {
                let (pattern, count) = self.pattern(&object.0, span);
                if count > MOST_CANDIDATES {
                    self.become_array(state, span);
                    return self.read(state, span);
                }
                if count == 0 {
                    return self.any_cell(span.bytes);
                }
                let mut candidates = Vec::with_capacity(count as usize);
                for number in 0..count {
                    let offset = pattern.start + number * pattern.stride;
                    let cell = self.read_cells(cells, offset, span.bytes);
                    candidates.push(cell);
                }
                self.selected(pattern.selector, &candidates)
            }
            (Content::Array { bytes, term }, _) => {
                let (bytes, term) = (*bytes, *term);
                self.read_array(term, bytes, span)
            }
        }
    }

    fn any_cell(&mut self, bytes: u32) -> Cell {
        let value = self.fresh(Fresh::Outside, Sort::BitVec(bytes * 8));
        Cell { bytes, value, written: self.pool.top() }
    }

    /// The offsets that an access may have, and how many of them are inside.
    fn pattern(&mut self, object: &Object, span: Span) -> (Pattern, u64) {
        let pattern = self.pattern_of(span.offset);
        let capacity = object.capacity.unwrap_or(u64::MAX / 2);
        let end = pattern.start + u64::from(span.bytes);
        let count = if end > capacity { 0 } else { (capacity - end) / pattern.stride + 1 };
        (pattern, count)
    }

    fn pattern_of(&mut self, offset: Term) -> Pattern {
        let (constant, multiples) = self.linear(offset);
        if let [(factor, term)] = multiples[..]
            && (1..1 << 31).contains(&factor)
            && (factor.is_power_of_two() || self.is_narrow(term, factor))
        {
            let (constant, signed) = (constant.cast_signed(), factor.cast_signed());
            let start = constant.rem_euclid(signed).cast_unsigned();
            let skipped = Bits::from_signed(&constant.div_euclid(signed).into(), self.pointer_width);
            let skipped = self.pool.bits(skipped);
            let selector = self.pool.bv_add(term, skipped);
            return Pattern { start, stride: factor, selector };
        }
        let low = low_bits(&self.pool, offset);
        let known = low.known.min(16);
        let start = low.value & ((1 << known) - 1);
        let selector = self.pool.bv_extract(offset, self.pointer_width - 1, known);
        Pattern { start, stride: 1 << known, selector }
    }

    /// A constant and multiples of terms, as an offset in an object: less than half of the address space.
    fn linear(&self, term: Term) -> (u64, Vec<(u64, Term)>) {
        let mut constant = 0u64;
        let mut multiples = Vec::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match (self.pool.op(term), self.pool.arguments(term)) {
                (Op::Bits(bits), _) => {
                    let number = i64::try_from(bits.signed()).unwrap_or(0).cast_unsigned();
                    constant = constant.wrapping_add(number);
                }
                (Op::BvAdd, arguments) => open.extend_from_slice(arguments),
                (Op::BvMul, &[factor, of]) if self.pool.as_bits(factor).is_some() => {
                    let factor = self.pool.as_bits(factor).and_then(Bits::to_u64).unwrap_or(0);
                    multiples.push((factor, of));
                }
                _ => multiples.push((1, term)),
            }
        }
        (constant, multiples)
    }

    /// Whether a multiple of a term cannot run over the end of the address space.
    fn is_narrow(&self, term: Term, factor: u64) -> bool {
        let is_extension = matches!(self.pool.op(term), Op::ZeroExtend | Op::SignExtend);
        let inner = |term: Term| self.pool.width(self.pool.arguments(term)[0]);
        is_extension && inner(term) + (64 - factor.leading_zeros()) < self.pointer_width
    }

    /// The candidate whose number the low bits of a selector are.
    fn selected(&mut self, selector: Term, candidates: &[Cell]) -> Cell {
        let bytes = candidates[0].bytes;
        let mut level: Vec<(Term, Term)> =
            candidates.iter().map(|candidate| (candidate.value, candidate.written)).collect();
        let mut bit = 0;
        while level.len() > 1 {
            let is_set = self.bit(selector, bit);
            let mut next = Vec::with_capacity(level.len().div_ceil(2));
            for pair in level.chunks(2) {
                next.push(match *pair {
                    [(even, even_written), (odd, odd_written)] => {
                        (self.pool.ite(is_set, odd, even), self.pool.ite(is_set, odd_written, even_written))
                    }
                    [last] => last,
                    _ => unreachable!("chunks have one or two elements"),
                });
            }
            level = next;
            bit += 1;
        }
        let (value, written) = level[0];
        Cell { bytes, value, written }
    }

    fn bit(&mut self, term: Term, at: u32) -> Term {
        if at >= self.pool.width(term) {
            return self.pool.bottom();
        }
        let (bit, one) = (self.pool.bv_extract(term, at, at), self.pool.bv(1u8, 1));
        self.pool.eq(bit, one)
    }

    /// Bytes of cells at a constant offset.
    pub(crate) fn read_cells(&mut self, cells: &Cells, offset: u64, bytes: u32) -> Cell {
        if let Some(cell) = cells.map.get(&offset).filter(|cell| cell.bytes == bytes) {
            return *cell;
        }
        let pieces = cells.pieces(offset, u64::from(bytes));
        let mut whole: Option<(Term, Term)> = None;
        for piece in pieces {
            let cell = match piece {
                Piece::Cell { cell, from, bytes } => part(&mut self.pool, cell, from, bytes),
                Piece::Gap { offset, bytes } => self.rest(cells.rest, offset, bytes),
            };
            whole = Some(match whole {
                None => (cell.value, cell.written),
                Some((low, written)) => {
                    (self.pool.bv_concat(cell.value, low), self.pool.and2(written, cell.written))
                }
            });
        }
        let (value, written) = whole.expect("there are bytes");
        Cell { bytes, value, written }
    }

    fn rest(&mut self, rest: Rest, offset: u64, bytes: u32) -> Cell {
        let (value, is_written) = match rest {
            Rest::Zero => (self.pool.bv(0u8, bytes * 8), true),
            Rest::Unset(object, epoch) => (self.unset(object, epoch, offset, bytes), false),
            Rest::Text(text) => {
                let text = &self.program.strings[text].bytes;
                let byte = |at: u64| text.get(at as usize).copied().unwrap_or(0);
                let content: Vec<u8> = (offset..offset + u64::from(bytes)).map(byte).collect();
                let number = rorqual_logic::Bits::new(0u8, bytes * 8);
                let number = content.iter().enumerate().fold(number, |number, (at, &byte)| {
                    let byte = Bits::new(byte, bytes * 8).shl(&Bits::new(at as u64 * 8, bytes * 8));
                    number.or(&byte)
                });
                (self.pool.bits(number), true)
            }
        };
        Cell { bytes, value, written: self.pool.bool(is_written) }
    }

    /// Writes bytes of an object if a condition holds.
    pub(crate) fn write(&mut self, state: &mut State, span: Span, value: Term, condition: Term) {
        let written = self.pool.top();
        self.write_cell(state, span, Cell { bytes: span.bytes, value, written }, condition);
    }

    pub(crate) fn write_cell(&mut self, state: &mut State, span: Span, cell: Cell, condition: Term) {
        let Some(object) = state.memory.get(&span.object) else { return };
        let mut object = (*object.0).clone();
        let constant = self.pool.as_bits(span.offset).and_then(Bits::to_u64);
        match (&mut object.content, constant) {
            (Content::Cells(cells), Some(offset)) => {
                if !fits(object.capacity, offset, span.bytes) {
                    return;
                }
                self.put_if(cells, offset, cell, condition);
            }
            (Content::Cells(_), None) => {
                let (pattern, count) = self.pattern(&object, span);
                if count > MOST_CANDIDATES {
                    self.become_array(state, span);
                    return self.write_cell(state, span, cell, condition);
                }
                let Content::Cells(cells) = &mut object.content else { return };
                self.put_selected(cells, &pattern, count, cell, condition);
            }
            (Content::Array { bytes, term }, _) => {
                let new = self.written_array(*term, *bytes, span, cell.value);
                *term = self.pool.ite(condition, new, *term);
            }
        }
        state.set_object(span.object, object);
    }

    fn put_selected(
        &mut self,
        cells: &mut Cells,
        pattern: &Pattern,
        count: u64,
        cell: Cell,
        condition: Term,
    ) {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        let selector = match bits {
            0 => None,
            _ => Some(self.pool.bv_extract(pattern.selector, bits - 1, 0)),
        };
        for number in 0..count {
            let is_this = match selector {
                None => self.pool.top(),
                Some(selector) => {
                    let number = self.pool.bv(number, bits);
                    self.pool.eq(selector, number)
                }
            };
            let condition = self.pool.and2(condition, is_this);
            self.put_if(cells, pattern.start + number * pattern.stride, cell, condition);
        }
    }

    /// Puts a cell at a constant offset if a condition holds.
    fn put_if(&mut self, cells: &mut Cells, offset: u64, cell: Cell, condition: Term) {
        match self.pool.as_bool(condition) {
            Some(true) => cells.put(&mut self.pool, offset, cell),
            Some(false) => {}
            None => {
                let old = self.read_cells(cells, offset, cell.bytes);
                let value = self.pool.ite(condition, cell.value, old.value);
                let written = self.chosen(condition, cell.written, old.written);
                cells.put(&mut self.pool, offset, Cell { bytes: cell.bytes, value, written });
            }
        }
    }

    /// The cells of an object become an array, whose elements have the size of an access.
    fn become_array(&mut self, state: &mut State, span: Span) {
        let mut object = state.object(span.object).clone();
        let stride = u64::from(span.bytes);
        let aligned =
            |pattern: &Pattern| pattern.start.is_multiple_of(stride) && pattern.stride.is_multiple_of(stride);
        let pattern = self.pattern_of(span.offset);
        let is_fitting = span.bytes.is_power_of_two() && aligned(&pattern);
        let bytes = if is_fitting { span.bytes } else { 1 };
        let term = self.as_array(&object.content, bytes, object.capacity);
        object.content = Content::Array { bytes, term };
        state.set_object(span.object, object);
    }

    /// Content as an array of elements.
    pub(crate) fn as_array(&mut self, content: &Content, bytes: u32, capacity: Option<u64>) -> Term {
        let cells = match content {
            Content::Array { bytes: own, term } if *own == bytes => return *term,
            Content::Array { .. } => {
                let sort = Sort::Array { index: self.pointer_width, element: bytes * 8 };
                self.approximate("an array that is accessed in several ways");
                return self.fresh(Fresh::Outside, sort);
            }
            Content::Cells(cells) => cells,
        };
        let mut array = match cells.rest {
            Rest::Unset(object, epoch) => {
                self.approximate("what new memory contains");
                self.unset_array(object, epoch, bytes)
            }
            Rest::Zero | Rest::Text(_) => {
                let zero = self.pool.bv(0u8, bytes * 8);
                self.pool.const_array(self.pointer_width, zero)
            }
        };
        let is_text = matches!(cells.rest, Rest::Text(_));
        let each = u64::from(bytes);
        let mut numbers: Vec<u64> = if is_text {
            (0..capacity.unwrap_or(0).min(MOST_ELEMENTS) / each).collect()
        } else {
            let touched = |(&at, cell): (&u64, &Cell)| at / each..(at + u64::from(cell.bytes)).div_ceil(each);
            cells.map.iter().flat_map(touched).collect()
        };
        numbers.dedup();
        for number in numbers {
            let cell = self.read_cells(cells, number * each, bytes);
            let index = self.pool.bv(number, self.pointer_width);
            array = self.pool.store(array, index, cell.value);
        }
        array
    }

    /// The number of the first element that an access touches, if it touches whole elements.
    fn element(&mut self, bytes: u32, span: Span) -> Option<Term> {
        let each = u64::from(bytes);
        if !span.bytes.is_multiple_of(bytes) {
            return None;
        }
        let pattern = self.pattern_of(span.offset);
        if !pattern.start.is_multiple_of(each) || !pattern.stride.is_multiple_of(each) {
            return None;
        }
        let shift = each.trailing_zeros();
        let number = self.pool.bv_extract(span.offset, self.pointer_width - 1, shift);
        Some(self.pool.bv_zero_extend(number, self.pointer_width))
    }

    fn read_array(&mut self, array: Term, bytes: u32, span: Span) -> Cell {
        let written = self.pool.top();
        let Some(first) = self.element(bytes, span) else {
            self.approximate("an array that is accessed in several ways");
            return self.any_cell(span.bytes);
        };
        let mut whole = None;
        for number in 0..span.bytes / bytes {
            let distance = self.pool.bv(number, self.pointer_width);
            let index = self.pool.bv_add(first, distance);
            let element = self.pool.select(array, index);
            whole = Some(whole.map_or(element, |low| self.pool.bv_concat(element, low)));
        }
        Cell { bytes: span.bytes, value: whole.expect("there are bytes"), written }
    }

    fn written_array(&mut self, array: Term, bytes: u32, span: Span, value: Term) -> Term {
        let Some(first) = self.element(bytes, span) else {
            self.approximate("an array that is accessed in several ways");
            let sort = self.pool.sort(array);
            return self.fresh(Fresh::Outside, sort);
        };
        let mut array = array;
        for number in 0..span.bytes / bytes {
            let distance = self.pool.bv(number, self.pointer_width);
            let index = self.pool.bv_add(first, distance);
            let low = number * bytes * 8;
            let element = self.pool.bv_extract(value, low + bytes * 8 - 1, low);
            array = self.pool.store(array, index, element);
        }
        array
    }

    /// Whether a byte is 0 or 1 by its form.
    pub(crate) fn is_truth(&self, term: Term) -> bool {
        self.is_truth_within(term, 16)
    }

    fn is_truth_within(&self, term: Term, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        match (self.pool.op(term), self.pool.arguments(term)) {
            (Op::Bits(bits), _) => bits.to_u64().is_some_and(|value| value < 2),
            (Op::ZeroExtend, &[inner]) => self.pool.width(inner) == 1,
            (Op::Ite, &[_, then, otherwise]) => {
                self.is_truth_within(then, depth - 1) && self.is_truth_within(otherwise, depth - 1)
            }
            _ => false,
        }
    }

    /// The width of a `_Bool`.
    pub(crate) fn is_bool(&self, ty: rorqual_cfa::TypeId) -> bool {
        self.program.types.as_int(ty) == Some(IntKind::Bool)
    }
}
