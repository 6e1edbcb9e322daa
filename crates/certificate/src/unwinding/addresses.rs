//! Addresses: which object a pointer points to, how pointers compare, and what is known of the numbers.
//!
//! Each object has a symbol for its address, and a pointer is a term over such symbols. Where it points to is found by taking
//! the term apart: the object whose symbol it is a sum with, or several if it is a choice. Numbers are what they are for a
//! processor: no object is at null, objects that live at the same time are apart, and a new object may be where an old
//! one was.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rorqual_cfa::{BinaryOp, FunctionId, LabelId, StringId, VariableId};
use rorqual_logic::{Bits, Op, Sort, Term};

use super::machine::Machine;
use super::state::ObjectId;

/// In the first and the last page of memory there are no objects.
const PAGE: u64 = 1 << 12;
/// A pointer that may point to more objects is not followed.
const MOST_CASES: usize = 256;
/// With more pairs of objects, a comparison is one of numbers.
const MOST_PAIRS: usize = 1024;
/// Of more objects, only those that are compared are said to be apart.
const FEW_OBJECTS: usize = 32;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Variable(VariableId),
    /// From `malloc` and its like.
    Heap,
    /// From `alloca`, or a variable-length array.
    Stack,
    /// The array of a string literal.
    Text(StringId),
    Function(FunctionId),
    Label(FunctionId, LabelId),
    /// Memory that is not the program's: what is read there may be anything, whatever was written.
    Outside,
}

/// What does not change of an object.
#[derive(Debug, Clone)]
pub(super) struct Details {
    pub(super) kind: Kind,
    /// How many bytes it has; none if that is not known.
    pub(super) size: Option<Term>,
    /// How many it has at most, where that was proved.
    pub(super) most: Option<u64>,
    pub(super) align: u64,
    /// The symbol of its address, once it was asked for.
    symbol: Option<Term>,
    /// When control is where it is made.
    born_if: Term,
    /// When it was made, and when it may have ended first, in the order of execution.
    born: usize,
    ended: Option<usize>,
}

/// What a pointer may point to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pointee {
    Object(ObjectId),
    /// No object: the pointer is a constant.
    Nothing,
    /// The term does not tell.
    Unknown,
}

/// One of the things that a pointer may point to. Of all of them exactly one is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Case {
    /// When it is this one.
    pub(super) guard: Term,
    pub(super) pointee: Pointee,
    /// How many bytes behind the start of the object; the number itself if there is none.
    pub(super) offset: Term,
}

/// All objects.
#[derive(Debug, Default)]
pub(super) struct Objects {
    details: Vec<Details>,
    by_symbol: BTreeMap<Term, ObjectId>,
    texts: BTreeMap<StringId, ObjectId>,
    functions: BTreeMap<FunctionId, ObjectId>,
    labels: BTreeMap<(FunctionId, LabelId), ObjectId>,
    cases: rustc_hash::FxHashMap<Term, Rc<[Case]>>,
    /// Whether numbers are sums with addresses, as far as that was asked.
    ways: rustc_hash::FxHashMap<Term, bool>,
    /// Pairs of objects whose addresses were compared.
    compared: BTreeSet<(ObjectId, ObjectId)>,
}

impl Objects {
    pub(super) fn get(&self, id: ObjectId) -> &Details {
        &self.details[id.0 as usize]
    }

    /// The object that a symbol is the address of.
    pub(super) fn named(&self, symbol: Term) -> Option<ObjectId> {
        self.by_symbol.get(&symbol).copied()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.details.len() as u32).map(ObjectId)
    }
}

impl Machine<'_> {
    /// A new object. It is alive only where the state says so, if it may end.
    pub(super) fn new_object(
        &mut self,
        kind: Kind,
        size: Option<Term>,
        align: u64,
        born_if: Term,
    ) -> ObjectId {
        let id = ObjectId(u32::try_from(self.objects.details.len()).unwrap_or(u32::MAX));
        let born = self.tick();
        self.objects.details.push(Details {
            kind,
            size,
            most: None,
            align,
            symbol: None,
            born_if,
            born,
            ended: None,
        });
        id
    }

    /// Notes that an object may have ended.
    pub(super) fn ended(&mut self, id: ObjectId) {
        let now = self.tick();
        self.objects.details[id.0 as usize].ended.get_or_insert(now);
    }

    /// The size of an object, if it is a constant.
    pub(super) fn constant_size(&self, id: ObjectId) -> Option<u64> {
        self.store.pool.as_bits(self.objects.get(id).size?).and_then(Bits::to_u64)
    }

    /// How many bytes an object has at most, if that is known.
    pub(super) fn most_size(&self, id: ObjectId) -> Option<u64> {
        self.constant_size(id).or(self.objects.get(id).most)
    }

    /// Finds out how many bytes an object can have whose size depends on inputs.
    pub(super) fn limit_size(&mut self, id: ObjectId, guard: Term) {
        let Some(size) = self.objects.get(id).size.filter(|&size| self.constant(size).is_none()) else {
            return;
        };
        for most in [64u64, 256, 1024, 4096] {
            let bound = self.number(most);
            let is_larger = self.store.pool.bv_ult(bound, size);
            let condition = self.store.pool.and2(guard, is_larger);
            if self.is_impossible(condition) == Ok(true) {
                self.objects.details[id.0 as usize].most = Some(most);
                return;
            }
        }
    }

    /// The symbol of an object's address.
    pub(super) fn address(&mut self, id: ObjectId) -> Term {
        if let Some(symbol) = self.objects.get(id).symbol {
            return symbol;
        }
        let symbol = self.store.pool.fresh_symbol("address", Sort::BitVec(self.pointer_width));
        self.objects.details[id.0 as usize].symbol = Some(symbol);
        self.objects.by_symbol.insert(symbol, id);
        symbol
    }

    pub(super) fn text_object(&mut self, text: StringId) -> ObjectId {
        if let Some(&known) = self.objects.texts.get(&text) {
            return known;
        }
        let literal = &self.program.strings[text];
        let (size, align) = (literal.bytes.len() as u64, self.program.types.align_of(literal.ty));
        let size = self.number(size);
        let always = self.store.pool.top();
        let id = self.new_object(Kind::Text(text), Some(size), align, always);
        self.objects.texts.insert(text, id);
        id
    }

    pub(super) fn function_object(&mut self, function: FunctionId) -> ObjectId {
        if let Some(&known) = self.objects.functions.get(&function) {
            return known;
        }
        let (size, always) = (self.number(1), self.store.pool.top());
        let id = self.new_object(Kind::Function(function), Some(size), 1, always);
        self.objects.functions.insert(function, id);
        id
    }

    pub(super) fn label_object(&mut self, function: FunctionId, label: LabelId) -> ObjectId {
        if let Some(&known) = self.objects.labels.get(&(function, label)) {
            return known;
        }
        let (size, always) = (self.number(1), self.store.pool.top());
        let id = self.new_object(Kind::Label(function, label), Some(size), 1, always);
        self.objects.labels.insert((function, label), id);
        id
    }

    /// A number of the width of an address.
    pub(super) fn number(&mut self, value: u64) -> Term {
        self.store.pool.bv(value, self.pointer_width)
    }

    /// What a pointer may point to.
    pub(super) fn cases(&mut self, pointer: Term) -> Rc<[Case]> {
        if let Some(known) = self.objects.cases.get(&pointer) {
            return known.clone();
        }
        let found: Rc<[Case]> = self.take_apart(pointer).into();
        self.objects.cases.insert(pointer, found.clone());
        found
    }

    fn take_apart(&mut self, pointer: Term) -> Vec<Case> {
        let (top, zero) = (self.store.pool.top(), self.number(0));
        if self.store.pool.as_bits(pointer).is_some() {
            return vec![Case { guard: top, pointee: Pointee::Nothing, offset: pointer }];
        }
        if let Some(object) = self.objects.named(pointer) {
            return vec![Case { guard: top, pointee: Pointee::Object(object), offset: zero }];
        }
        match (self.store.pool.op(pointer), self.store.pool.arguments(pointer)) {
            (Op::Ite, &[condition, then, otherwise]) => {
                let (then, otherwise) = (self.cases(then), self.cases(otherwise));
                self.joined_cases(condition, &then, &otherwise)
            }
            (Op::BvAdd, _) => self.take_sum_apart(pointer),
            _ => vec![Case { guard: top, pointee: Pointee::Unknown, offset: pointer }],
        }
    }

    /// A sum points into the object that one of its summands points into.
    fn take_sum_apart(&mut self, pointer: Term) -> Vec<Case> {
        let (mut open, mut summands) = (vec![pointer], Vec::new());
        while let Some(term) = open.pop() {
            match (self.store.pool.op(term), self.store.pool.arguments(term)) {
                (Op::BvAdd, arguments) => open.extend_from_slice(arguments),
                _ => summands.push(term),
            }
        }
        let mut found: Option<(usize, Rc<[Case]>)> = None;
        let mut is_ambiguous = false;
        for (at, &summand) in summands.iter().enumerate() {
            let cases = self.cases(summand);
            if cases.iter().any(|case| matches!(case.pointee, Pointee::Object(_))) {
                is_ambiguous |= found.is_some();
                found = Some((at, cases));
            }
        }
        let unknown = Case { guard: self.store.pool.top(), pointee: Pointee::Unknown, offset: pointer };
        let Some((at, cases)) = found.filter(|_| !is_ambiguous) else { return vec![unknown] };
        let mut rest = self.number(0);
        for (_, &summand) in summands.iter().enumerate().filter(|&(other, _)| other != at) {
            rest = self.store.pool.bv_add(rest, summand);
        }
        self.moved(&cases, rest).to_vec()
    }

    /// Whether a number is a sum with addresses among its summands, or a choice between such.
    pub(super) fn is_way(&mut self, number: Term) -> bool {
        let mut open = vec![number];
        let mut seen = Vec::new();
        while let Some(term) = open.pop() {
            if self.objects.named(term).is_some() || self.objects.ways.get(&term) == Some(&true) {
                // Of those on the way here, it is not known which lead here.
                for term in &seen {
                    self.objects.ways.remove(term);
                }
                self.objects.ways.insert(number, true);
                return true;
            }
            if self.objects.ways.insert(term, false).is_some() {
                continue;
            }
            seen.push(term);
            match (self.store.pool.op(term), self.store.pool.arguments(term)) {
                (Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot, arguments) => {
                    open.extend_from_slice(arguments);
                }
                (Op::Ite, &[_, then, otherwise]) => open.extend([then, otherwise]),
                _ => {}
            }
        }
        false
    }

    /// Pointers moved by some bytes.
    pub(super) fn moved(&mut self, cases: &[Case], by: Term) -> Rc<[Case]> {
        let is_constant = self.store.pool.as_bits(by).is_some();
        let mut moved = Vec::with_capacity(cases.len());
        for &case in cases {
            let offset = self.store.pool.bv_add(case.offset, by);
            // A number that is not a constant may be the address of something.
            let pointee = match case.pointee {
                Pointee::Nothing if !is_constant => Pointee::Unknown,
                pointee => pointee,
            };
            moved.push(Case { pointee, offset, ..case });
        }
        moved.into()
    }

    /// The first cases if a condition holds, else the others. Each object is there once.
    fn joined_cases(&mut self, condition: Term, then: &[Case], otherwise: &[Case]) -> Vec<Case> {
        let pool = &mut self.store.pool;
        let negation = pool.not(condition);
        let mut joined: Vec<Case> = Vec::with_capacity(then.len() + otherwise.len());
        let sides =
            then.iter().map(|case| (condition, case)).chain(otherwise.iter().map(|case| (negation, case)));
        for (side, case) in sides {
            let guard = pool.and2(side, case.guard);
            if pool.as_bool(guard) == Some(false) {
                continue;
            }
            match joined.iter_mut().find(|known| known.pointee == case.pointee) {
                // It is there once on each side.
                Some(known) => {
                    known.offset = pool.ite(condition, known.offset, case.offset);
                    known.guard = pool.or2(known.guard, guard);
                }
                None => joined.push(Case { guard, ..*case }),
            }
        }
        if joined.len() > MOST_CASES {
            let offset = joined[0].offset;
            return vec![Case { guard: pool.top(), pointee: Pointee::Unknown, offset }];
        }
        joined
    }

    /// Whether an object is alive.
    pub(super) fn is_alive(&mut self, id: ObjectId) -> Term {
        match self.objects.get(id).kind {
            Kind::Text(_) | Kind::Function(_) | Kind::Label(..) | Kind::Outside => self.store.pool.top(),
            _ => match self.state.object(id) {
                Some(object) => object.alive,
                None => self.store.pool.bottom(),
            },
        }
    }

    /// Whether so many bytes from an offset on are inside of an object.
    pub(super) fn is_inside(&mut self, id: ObjectId, offset: Term, bytes: Term) -> Term {
        let Some(size) = self.objects.get(id).size else { return self.store.pool.bottom() };
        let pool = &mut self.store.pool;
        let fits = pool.bv_ule(bytes, size);
        let last = pool.bv_sub(size, bytes);
        let before = pool.bv_ule(offset, last);
        pool.and2(fits, before)
    }

    /// A comparison of two numbers that may be addresses.
    pub(super) fn compare(&mut self, op: BinaryOp, lhs: Term, rhs: Term, is_unsigned: bool) -> Term {
        let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let is_wide = self.store.pool.width(lhs) == self.pointer_width;
        if is_wide && lhs != rhs && (is_unsigned || is_equality) {
            let (left, right) = (self.cases(lhs), self.cases(rhs));
            let points = |cases: &[Case]| cases.iter().any(|case| matches!(case.pointee, Pointee::Object(_)));
            if (points(&left) || points(&right)) && left.len() * right.len() <= MOST_PAIRS {
                return self.compare_cases(op, &left, &right);
            }
        }
        self.compare_numbers(op, lhs, rhs, is_unsigned)
    }

    fn compare_numbers(&mut self, op: BinaryOp, lhs: Term, rhs: Term, is_unsigned: bool) -> Term {
        let pool = &mut self.store.pool;
        match (op, is_unsigned) {
            (BinaryOp::Eq, _) => pool.eq(lhs, rhs),
            (BinaryOp::Ne, _) => pool.ne(lhs, rhs),
            (BinaryOp::Lt, true) => pool.bv_ult(lhs, rhs),
            (BinaryOp::Lt, false) => pool.bv_slt(lhs, rhs),
            (BinaryOp::Le, true) => pool.bv_ule(lhs, rhs),
            (BinaryOp::Le, false) => pool.bv_sle(lhs, rhs),
            (BinaryOp::Gt, true) => pool.bv_ult(rhs, lhs),
            (BinaryOp::Gt, false) => pool.bv_slt(rhs, lhs),
            (_, true) => pool.bv_ule(rhs, lhs),
            (_, false) => pool.bv_sle(rhs, lhs),
        }
    }

    fn compare_cases(&mut self, op: BinaryOp, left: &[Case], right: &[Case]) -> Term {
        let mut ways = Vec::new();
        for one in left {
            for other in right {
                let both = self.store.pool.and2(one.guard, other.guard);
                if self.store.pool.as_bool(both) == Some(false) {
                    continue;
                }
                let holds = match op {
                    BinaryOp::Ne => {
                        let equal = self.compare_pair(BinaryOp::Eq, *one, *other);
                        self.store.pool.not(equal)
                    }
                    op => self.compare_pair(op, *one, *other),
                };
                ways.push(self.store.pool.and2(both, holds));
            }
        }
        self.store.pool.or(&ways)
    }

    /// The number of an address.
    fn numeric(&mut self, case: Case) -> Term {
        match case.pointee {
            Pointee::Object(object) => {
                let address = self.address(object);
                self.store.pool.bv_add(address, case.offset)
            }
            _ => case.offset,
        }
    }

    /// A comparison other than `!=`.
    fn compare_pair(&mut self, op: BinaryOp, one: Case, other: Case) -> Term {
        let (left, right) = (self.numeric(one), self.numeric(other));
        let exact = self.compare_numbers(op, left, right, true);
        let (Some(left_in), Some(right_in)) = (self.is_number_known(one), self.is_number_known(other)) else {
            return exact;
        };
        let is_known = self.store.pool.and2(left_in, right_in);
        match (one.pointee, other.pointee) {
            (Pointee::Object(a), Pointee::Object(b)) if a == b => {
                let known = self.compare_numbers(op, one.offset, other.offset, true);
                self.store.pool.ite(is_known, known, exact)
            }
            (Pointee::Object(a), Pointee::Object(b)) => self.compare_objects(op, (one, a), (other, b), exact),
            // Objects lie above the first page, and below the last one.
            (Pointee::Object(_), Pointee::Nothing) | (Pointee::Nothing, Pointee::Object(_)) => {
                let is_left = matches!(one.pointee, Pointee::Object(_));
                let constant = if is_left { other.offset } else { one.offset };
                let is_low =
                    self.store.pool.as_bits(constant).and_then(Bits::to_u64).is_some_and(|at| at < PAGE);
                let less = is_left != is_low;
                let known = match op {
                    BinaryOp::Lt | BinaryOp::Le => less,
                    BinaryOp::Gt | BinaryOp::Ge => !less,
                    _ => false,
                };
                let known = self.store.pool.bool(known);
                self.store.pool.ite(is_known, known, exact)
            }
            _ => exact,
        }
    }

    /// When the place of an address among others is known: inside of an object or at its end, or in the first or last page.
    fn is_number_known(&mut self, case: Case) -> Option<Term> {
        match case.pointee {
            Pointee::Object(object) => {
                let none = self.number(0);
                self.objects.get(object).size?;
                Some(self.is_inside(object, case.offset, none))
            }
            Pointee::Nothing => {
                let number = self.store.pool.as_bits(case.offset)?.to_u64()?;
                let last = u64::MAX >> (64 - self.pointer_width);
                (number < PAGE || number > last - PAGE).then(|| self.store.pool.top())
            }
            Pointee::Unknown => None,
        }
    }

    /// Two different objects that are alive have no byte in common. A pointer to one that is not may be equal to any other.
    fn compare_objects(
        &mut self,
        op: BinaryOp,
        (one, a): (Case, ObjectId),
        (other, b): (Case, ObjectId),
        exact: Term,
    ) -> Term {
        self.objects.compared.insert((a.min(b), a.max(b)));
        let alive = [self.is_alive(a), self.is_alive(b)];
        let alive = self.store.pool.and(&alive);
        let is_text = |id: ObjectId| matches!(self.objects.get(id).kind, Kind::Text(_));
        let may_share = is_text(a) && is_text(b);
        let byte = self.number(1);
        let inside = [self.is_inside(a, one.offset, byte), self.is_inside(b, other.offset, byte)];
        let inside = self.store.pool.and(&inside);
        let open = self.store.pool.fresh_symbol("same", Sort::Bool);
        if may_share {
            return open;
        }
        let known = if op == BinaryOp::Eq {
            let apart = self.store.pool.not(inside);
            self.store.pool.and2(apart, exact)
        } else {
            exact
        };
        self.store.pool.ite(alive, known, open)
    }

    /// What is known of the addresses in some formulas.
    pub(super) fn axioms(&mut self, formulas: &[Term]) -> Result<Vec<Term>, String> {
        let subterms = self.store.pool.subterms(formulas);
        let mut found: Vec<ObjectId> = subterms.iter().filter_map(|&term| self.objects.named(term)).collect();
        found.retain(|&id| self.objects.get(id).size.is_some());
        let total: u128 = found.iter().map(|&id| u128::from(self.constant_size(id).unwrap_or(0))).sum();
        if total >> (self.pointer_width - 2) != 0 {
            return Err("the objects of the program do not fit into memory".to_owned());
        }
        let mut axioms = Vec::new();
        for (at, &id) in found.iter().enumerate() {
            axioms.push(self.place_axiom(id));
            for &other in &found[..at] {
                let pair = (id.min(other), id.max(other));
                let is_asked = found.len() <= FEW_OBJECTS || self.objects.compared.contains(&pair);
                if is_asked && self.live_together(pair.0, pair.1) {
                    axioms.push(self.apart_axiom(pair.0, pair.1));
                }
            }
        }
        Ok(axioms)
    }

    /// Whether both objects are there when the later one is made. String literals may be parts of each other.
    fn live_together(&self, one: ObjectId, other: ObjectId) -> bool {
        let (one, other) = (self.objects.get(one), self.objects.get(other));
        let is_text = |details: &Details| matches!(details.kind, Kind::Text(_));
        let last_born = one.born.max(other.born);
        let is_there = |details: &Details| details.ended.is_none_or(|ended| ended > last_born);
        is_there(one) && is_there(other) && !(is_text(one) && is_text(other))
    }

    /// An object is aligned, and neither in the first nor in the last page.
    fn place_axiom(&mut self, id: ObjectId) -> Term {
        let address = self.address(id);
        let (width, details) = (self.pointer_width, self.objects.get(id).clone());
        let (first, size) = (self.number(PAGE), details.size.unwrap_or(address));
        let last = self.store.pool.bv_neg(first);
        let pool = &mut self.store.pool;
        let end = pool.bv_add(address, size);
        let mut facts = vec![pool.bv_ule(first, address), pool.bv_ule(address, end), pool.bv_ule(end, last)];
        if details.align.is_power_of_two() && details.align > 1 {
            let low = details.align.trailing_zeros().min(width);
            let (bits, none) = (pool.bv_extract(address, low - 1, 0), pool.bv(0u8, low));
            facts.push(pool.eq(bits, none));
        }
        let facts = pool.and(&facts);
        pool.implies(details.born_if, facts)
    }

    /// Two objects have no byte in common; allocated ones have not the same address either.
    fn apart_axiom(&mut self, one: ObjectId, other: ObjectId) -> Term {
        let starts = [self.address(one), self.address(other)];
        let details = [self.objects.get(one).clone(), self.objects.get(other).clone()];
        let pool = &mut self.store.pool;
        let ends = [0, 1].map(|at| pool.bv_add(starts[at], details[at].size.unwrap_or(starts[at])));
        let (before, after) = (pool.bv_ule(ends[0], starts[1]), pool.bv_ule(ends[1], starts[0]));
        let mut apart = pool.or2(before, after);
        if details.iter().all(|details| details.kind == Kind::Heap) {
            let differ = pool.ne(starts[0], starts[1]);
            apart = pool.and2(apart, differ);
        }
        let both = pool.and2(details[0].born_if, details[1].born_if);
        pool.implies(both, apart)
    }
}
