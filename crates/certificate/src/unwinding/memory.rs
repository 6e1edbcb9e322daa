//! What objects contain: scalars at constant offsets, and what is where nothing was written.
//!
//! A content is made of cells, each of some bytes, which do not overlap. Between them is a *filling*. Where a scalar is read that
//! is not exactly one cell, it is put together from parts of cells, the lowest byte first.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rorqual_cfa::{Program, StringId};
use rorqual_logic::{Sort, Term, TermPool};
use rustc_hash::FxHashMap;

use super::state::Value;

/// Cells are shared in groups of so many bytes, and none goes beyond its group.
const GROUP: u64 = 64;
/// What was never written has one symbol for so many bytes.
const WORD: u64 = 8;

/// An object.
#[derive(Debug, Clone)]
pub(super) struct Object {
    /// Whether it is alive.
    pub(super) alive: Term,
    /// What it contains.
    pub(super) content: Content,
}

/// A scalar, or a part of one, in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    /// The first byte, counted from the start of the group.
    at: u64,
    bytes: u64,
    value: Value,
}

/// What is between cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Filling {
    /// Zeros.
    Zero,
    /// Nobody knows what, but always the same.
    Unknown {
        /// Different ones have nothing to do with each other.
        number: u32,
        /// Whether it counts as written.
        is_set: bool,
    },
    /// A string literal.
    Text(StringId),
    /// The elements of an array, each a byte.
    Array {
        elements: Term,
        /// Whether they count as written.
        is_set: bool,
    },
    /// That of another content from an offset on.
    Shifted(u64, Rc<Filling>),
    /// The first if a condition holds, else the second.
    Choice(Term, Rc<Filling>, Rc<Filling>),
}

impl Filling {
    fn is_set(&self) -> bool {
        match self {
            Filling::Zero | Filling::Text(_) => true,
            Filling::Unknown { is_set, .. } | Filling::Array { is_set, .. } => *is_set,
            Filling::Shifted(_, inner) => inner.is_set(),
            Filling::Choice(_, one, other) => one.is_set() && other.is_set(),
        }
    }
}

/// What an object contains.
#[derive(Debug, Clone)]
pub(super) struct Content {
    filling: Rc<Filling>,
    groups: Rc<BTreeMap<u64, Rc<Vec<Cell>>>>,
}

/// What contents need to be read: the terms, and the symbols of what was never written.
pub(super) struct Store<'a> {
    pub(super) program: &'a Program,
    pub(super) pool: TermPool,
    unknowns: FxHashMap<(u32, u64), Term>,
    truths: FxHashMap<(u32, u64), Term>,
    /// Fillings that became arrays.
    arrays: FxHashMap<u32, Term>,
    count: u32,
    pointer_width: u32,
}

impl<'a> Store<'a> {
    pub(super) fn new(program: &'a Program) -> Store<'a> {
        let (unknowns, truths) = (FxHashMap::default(), FxHashMap::default());
        let (arrays, pointer_width) = (FxHashMap::default(), program.types.model().pointer_width());
        Store { program, pool: TermPool::new(), unknowns, truths, arrays, count: 0, pointer_width }
    }

    /// A filling of which nothing is known.
    pub(super) fn unknown(&mut self, is_set: bool) -> Filling {
        self.count += 1;
        Filling::Unknown { number: self.count, is_set }
    }

    /// A constant that was written.
    pub(super) fn constant(&mut self, number: u64, width: u32) -> Value {
        Value { term: self.pool.bv(number, width), set: self.pool.top() }
    }

    /// The first value if a condition holds, else the second.
    pub(super) fn choose(&mut self, condition: Term, one: Value, other: Value) -> Value {
        let term = self.pool.ite(condition, one.term, other.term);
        Value { term, set: self.pool.ite(condition, one.set, other.set) }
    }

    /// So many bytes of a value, from one on.
    fn part(&mut self, value: Value, from: u64, bytes: u64) -> Value {
        let (low, high) = (8 * from as u32, 8 * (from + bytes) as u32 - 1);
        Value { term: self.pool.bv_extract(value.term, high, low), ..value }
    }

    /// A value above another one.
    fn joined(&mut self, low: Option<Value>, high: Value) -> Value {
        let Some(low) = low else { return high };
        let term = self.pool.bv_concat(high.term, low.term);
        Value { term, set: self.pool.and2(low.set, high.set) }
    }

    /// So many bytes of a filling.
    fn filled(&mut self, filling: &Filling, at: u64, bytes: u64) -> Value {
        match filling {
            Filling::Zero => self.constant(0, 8 * bytes as u32),
            Filling::Array { elements, is_set } => {
                let offset = self.pool.bv(at, self.pointer_width);
                self.elements(*elements, *is_set, offset, bytes)
            }
            Filling::Shifted(by, inner) => self.filled(inner, at + by, bytes),
            Filling::Choice(condition, one, other) => {
                let (one, other) = (self.filled(one, at, bytes), self.filled(other, at, bytes));
                self.choose(*condition, one, other)
            }
            Filling::Text(text) => {
                let all = &self.program.strings[*text].bytes;
                let byte = |at: u64| u128::from(all.get(at as usize).copied().unwrap_or(0));
                let number = (at..at + bytes).rev().fold(0u128, |number, at| number << 8 | byte(at));
                Value { term: self.pool.bv(number, 8 * bytes as u32), set: self.pool.top() }
            }
            Filling::Unknown { number, is_set } => {
                let set = self.pool.bool(*is_set);
                let (mut value, end) = (None, at + bytes);
                let mut at = at;
                while at < end {
                    let (word, from) = (at / WORD, at % WORD);
                    let length = (WORD - from).min(end - at);
                    let pool = &mut self.pool;
                    let symbol = self.unknowns.entry((*number, word));
                    let term =
                        *symbol.or_insert_with(|| pool.fresh_symbol("memory", Sort::BitVec(8 * WORD as u32)));
                    let part = self.part(Value { term, set }, from, length);
                    value = Some(self.joined(value, part));
                    at += length;
                }
                value.unwrap_or_else(|| self.constant(0, 8))
            }
        }
    }

    /// The byte of a filling as a `_Bool`: what was never written is 0 or 1.
    fn filled_truth(&mut self, filling: &Filling, at: u64) -> Value {
        match filling {
            Filling::Shifted(by, inner) => self.filled_truth(inner, at + by),
            Filling::Choice(condition, one, other) => {
                let (one, other) = (self.filled_truth(one, at), self.filled_truth(other, at));
                self.choose(*condition, one, other)
            }
            Filling::Unknown { number, is_set } => {
                let pool = &mut self.pool;
                let symbol = self.truths.entry((*number, at));
                let truth = *symbol.or_insert_with(|| pool.fresh_symbol("memory", Sort::Bool));
                let (one, zero) = (pool.bv(1u8, 8), pool.bv(0u8, 8));
                Value { term: pool.ite(truth, one, zero), set: pool.bool(*is_set) }
            }
            Filling::Zero | Filling::Text(_) => self.filled(filling, at, 1),
            Filling::Array { .. } => {
                let byte = self.filled(filling, at, 1);
                let one = self.pool.bv(1u8, 8);
                let term = self.pool.bv_and(byte.term, one);
                Value { term, ..byte }
            }
        }
    }

    /// So many elements of an array of bytes, from an offset on.
    pub(super) fn elements(&mut self, array: Term, is_set: bool, offset: Term, bytes: u64) -> Value {
        let set = self.pool.bool(is_set);
        let mut value = None;
        for at in 0..bytes {
            let index = self.moved_index(offset, at);
            let part = Value { term: self.pool.select(array, index), set };
            value = Some(self.joined(value, part));
        }
        value.unwrap_or_else(|| self.constant(0, 8))
    }

    /// An array with a value in the place of so many elements from an offset on.
    pub(super) fn with_elements(&mut self, array: Term, offset: Term, bytes: u64, value: Value) -> Term {
        (0..bytes).fold(array, |array, at| {
            let index = self.moved_index(offset, at);
            let part = self.part(value, at, 1);
            self.pool.store(array, index, part.term)
        })
    }

    fn moved_index(&mut self, offset: Term, by: u64) -> Term {
        let by = self.pool.bv(by, self.pointer_width);
        self.pool.bv_add(offset, by)
    }

    /// A filling as an array of bytes.
    fn as_array(&mut self, filling: &Filling) -> Term {
        match filling {
            Filling::Array { elements, .. } => *elements,
            Filling::Zero => {
                let zero = self.pool.bv(0u8, 8);
                self.pool.const_array(self.pointer_width, zero)
            }
            Filling::Choice(condition, one, other) => {
                let (one, other) = (self.as_array(one), self.as_array(other));
                self.pool.ite(*condition, one, other)
            }
            Filling::Unknown { number, .. } => {
                // What was read of it before is not known to be the same.
                if let Some(&known) = self.arrays.get(number) {
                    return known;
                }
                let array = self.any_array();
                self.arrays.insert(*number, array);
                array
            }
            Filling::Text(_) | Filling::Shifted(..) => self.any_array(),
        }
    }

    fn any_array(&mut self) -> Term {
        let sort = Sort::Array { index: self.pointer_width, element: 8 };
        self.pool.fresh_symbol("memory", sort)
    }
}

impl Content {
    /// A filling and nothing else.
    pub(super) fn filled(filling: Filling) -> Content {
        Content { filling: Rc::new(filling), groups: Rc::default() }
    }

    /// Whether two contents are the same, as far as that is seen at once.
    fn is_same(&self, other: &Content) -> bool {
        Rc::ptr_eq(&self.groups, &other.groups) && self.filling == other.filling
    }

    /// The bytes in which another content may differ, in the coarsest pieces of both; none if they may differ everywhere.
    pub(super) fn pieces_to(&self, other: &Content) -> Option<Vec<(u64, u64)>> {
        if self.filling != other.filling {
            return None;
        }
        let mut pieces = Vec::new();
        let numbers: BTreeSet<u64> = self.groups.keys().chain(other.groups.keys()).copied().collect();
        for number in numbers {
            let (left, right) = (self.groups.get(&number), other.groups.get(&number));
            if left.zip(right).is_none_or(|(left, right)| !Rc::ptr_eq(left, right)) {
                pieces
                    .extend(bounds(left, right).into_iter().map(|(at, bytes)| (number * GROUP + at, bytes)));
            }
        }
        Some(pieces)
    }

    /// The same as an array of bytes and nothing else, and whether all of it is known to be written.
    pub(super) fn as_array(&self, store: &mut Store<'_>) -> (Term, bool) {
        let mut array = store.as_array(&self.filling);
        for (number, group) in self.groups.iter() {
            for cell in group.iter() {
                let offset = store.pool.bv(number * GROUP + cell.at, store.pointer_width);
                array = store.with_elements(array, offset, cell.bytes, cell.value);
            }
        }
        (array, self.is_set(&store.pool))
    }

    /// Whether all of it is known to be written.
    pub(super) fn is_set(&self, pool: &TermPool) -> bool {
        let mut cells = self.groups.values().flat_map(|group| group.iter());
        self.filling.is_set() && cells.all(|cell| pool.as_bool(cell.value.set) == Some(true))
    }

    /// The cell that a byte is in, or else how far it is to the next one in the group.
    fn find(&self, at: u64) -> Result<Cell, u64> {
        let (number, from) = (at / GROUP, at % GROUP);
        let Some(group) = self.groups.get(&number) else { return Err(GROUP - from) };
        let behind = group.partition_point(|cell| cell.at <= from);
        if let Some(cell) = behind.checked_sub(1).map(|before| group[before])
            && from < cell.at + cell.bytes
        {
            return Ok(cell);
        }
        Err(group.get(behind).map_or(GROUP, |cell| cell.at) - from)
    }

    /// So many bytes.
    pub(super) fn read(&self, store: &mut Store<'_>, at: u64, bytes: u64) -> Value {
        let (mut value, mut next, end) = (None, at, at + bytes);
        while next < end {
            let part = match self.find(next) {
                Ok(cell) => {
                    let from = next % GROUP - cell.at;
                    let length = (cell.bytes - from).min(end - next);
                    next += length;
                    store.part(cell.value, from, length)
                }
                Err(gap) => {
                    let length = gap.min(end - next);
                    next += length;
                    store.filled(&self.filling, next - length, length)
                }
            };
            value = Some(store.joined(value, part));
        }
        value.unwrap_or_else(|| store.constant(0, 8))
    }

    /// A byte that is read as a `_Bool`. What was never written is 0 or 1, and stays so.
    pub(super) fn read_truth(&mut self, store: &mut Store<'_>, at: u64) -> Value {
        if self.find(at).is_ok() {
            return self.read(store, at, 1);
        }
        let value = store.filled_truth(&self.filling, at);
        self.write(store, at, 1, value);
        value
    }

    /// Replaces so many bytes.
    pub(super) fn write(&mut self, store: &mut Store<'_>, at: u64, bytes: u64, value: Value) {
        let mut done = 0;
        while done < bytes {
            let next = at + done;
            let length = (GROUP - next % GROUP).min(bytes - done);
            let part = if length == bytes { value } else { store.part(value, done, length) };
            self.write_cell(store, next / GROUP, Cell { at: next % GROUP, bytes: length, value: part });
            done += length;
        }
    }

    fn write_cell(&mut self, store: &mut Store<'_>, number: u64, cell: Cell) {
        let group = Rc::make_mut(&mut self.groups).entry(number).or_default();
        let group = Rc::make_mut(group);
        let end = cell.at + cell.bytes;
        let first = group.partition_point(|other| other.at + other.bytes <= cell.at);
        let behind = group.partition_point(|other| other.at < end);
        let mut new = Vec::with_capacity(3);
        for &other in &group[first..behind] {
            if other.at < cell.at {
                let bytes = cell.at - other.at;
                new.push(Cell { bytes, value: store.part(other.value, 0, bytes), ..other });
            }
        }
        new.push(cell);
        for &other in &group[first..behind] {
            let other_end = other.at + other.bytes;
            if other_end > end {
                let value = store.part(other.value, end - other.at, other_end - end);
                new.push(Cell { at: end, bytes: other_end - end, value });
            }
        }
        group.splice(first..behind, new);
    }

    /// A copy of so many bytes, as a content of its own.
    pub(super) fn extract(&self, store: &mut Store<'_>, at: u64, bytes: u64) -> Content {
        let filling =
            if at == 0 { self.filling.clone() } else { Rc::new(Filling::Shifted(at, self.filling.clone())) };
        let mut copy = Content { filling, groups: Rc::default() };
        for (from, length) in self.written(at, bytes) {
            let value = self.read(store, from, length);
            copy.write(store, from - at, length, value);
        }
        copy
    }

    /// The cells among so many bytes, cut to them: where they start, and their bytes.
    fn written(&self, at: u64, bytes: u64) -> Vec<(u64, u64)> {
        let end = at + bytes;
        let mut found = Vec::new();
        for (number, group) in self.groups.range(at / GROUP..=end / GROUP) {
            for cell in group.iter() {
                let from = (number * GROUP + cell.at).max(at);
                let to = (number * GROUP + cell.at + cell.bytes).min(end);
                if from < to {
                    found.push((from, to - from));
                }
            }
        }
        found
    }

    /// Replaces so many bytes by those of another content; all of them, if the object has no more.
    pub(super) fn insert(
        &mut self,
        store: &mut Store<'_>,
        at: u64,
        bytes: u64,
        size: Option<u64>,
        block: &Content,
    ) {
        if at == 0 && size == Some(bytes) {
            *self = block.clone();
            return;
        }
        let mut next = 0;
        for (from, length) in block.written(0, bytes).into_iter().chain([(bytes, 0)]) {
            while next < from {
                let length = (WORD - (at + next) % WORD).min(from - next);
                let value = store.filled(&block.filling, next, length);
                self.write(store, at + next, length, value);
                next += length;
            }
            if length > 0 {
                let value = block.read(store, from, length);
                self.write(store, at + from, length, value);
                next = from + length;
            }
        }
    }

    /// One content if a condition holds, else another.
    pub(super) fn merged(store: &mut Store<'_>, condition: Term, one: &Content, other: &Content) -> Content {
        match store.pool.as_bool(condition) {
            Some(true) => return one.clone(),
            Some(false) => return other.clone(),
            None if one.is_same(other) => return one.clone(),
            None => {}
        }
        let mut groups = BTreeMap::new();
        for &number in
            one.groups.keys().chain(other.groups.keys().filter(|key| !one.groups.contains_key(key)))
        {
            let group = match (one.groups.get(&number), other.groups.get(&number)) {
                (Some(left), Some(right)) if Rc::ptr_eq(left, right) => left.clone(),
                (left, right) => {
                    let bounds = bounds(left, right);
                    let mut cells = Vec::with_capacity(bounds.len());
                    for (at, bytes) in bounds {
                        let start = number * GROUP + at;
                        let (left, right) = (one.read(store, start, bytes), other.read(store, start, bytes));
                        cells.push(Cell { at, bytes, value: store.choose(condition, left, right) });
                    }
                    Rc::new(cells)
                }
            };
            groups.insert(number, group);
        }
        let filling = if one.filling == other.filling {
            one.filling.clone()
        } else {
            Rc::new(Filling::Choice(condition, one.filling.clone(), other.filling.clone()))
        };
        Content { filling, groups: Rc::new(groups) }
    }

    /// The values of all cells with so many bytes: what may be pointers.
    pub(super) fn values(&self, bytes: Option<u64>) -> impl Iterator<Item = Term> {
        let cells = self.groups.values().flat_map(|group| group.iter());
        cells.filter(move |cell| bytes.is_none_or(|bytes| cell.bytes == bytes)).map(|cell| cell.value.term)
    }

    /// All bytes zero.
    pub(super) fn zero() -> Content {
        Content::filled(Filling::Zero)
    }

    /// The bytes of a string literal, and zeros behind them.
    pub(super) fn text(text: StringId) -> Content {
        Content::filled(Filling::Text(text))
    }
}

/// The cells that two groups are cut into if each cell is to be in at most one of each.
fn bounds(one: Option<&Rc<Vec<Cell>>>, other: Option<&Rc<Vec<Cell>>>) -> Vec<(u64, u64)> {
    let cells = || one.into_iter().chain(other).flat_map(|group| group.iter());
    let mut edges: Vec<u64> = cells().flat_map(|cell| [cell.at, cell.at + cell.bytes]).collect();
    edges.sort_unstable();
    edges.dedup();
    let pairs = edges.windows(2).map(|pair| (pair[0], pair[1]));
    let is_written =
        |&(from, to): &(u64, u64)| cells().any(|cell| cell.at < to && from < cell.at + cell.bytes);
    pairs.filter(is_written).map(|(from, to)| (from, to - from)).collect()
}
