//! Where pointers point to. A pointer is a term over the addresses of objects; taking it apart gives the objects, each
//! with the condition under which it is the one, and the offset in it.

use std::rc::Rc;

use rorqual_logic::{Op, Term, TermPool};

use crate::executor::Executor;
use crate::object::ObjectId;

/// What a pointer may point to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target {
    /// If this holds. The conditions of all targets exclude each other, and one of them holds.
    pub(crate) guard: Term,
    pub(crate) aim: Aim,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// So many bytes behind the start of an object.
    Object(ObjectId, Term),
    /// A number that is the address of no object.
    Number(Term),
    /// It has to do with objects, but it is not known how.
    Lost(Term),
}

/// An object that a pointer may point to at more places has one target with a symbolic offset.
const MOST_PLACES: usize = 8;

impl Executor<'_> {
    /// What a pointer may point to.
    pub(crate) fn targets(&mut self, pointer: Term) -> Rc<[Target]> {
        if let Some(known) = self.known_targets.get(&pointer) {
            return known.clone();
        }
        let found = self.find_targets(pointer);
        let found: Rc<[Target]> = self.gathered(found).into();
        self.known_targets.insert(pointer, found.clone());
        found
    }

    fn find_targets(&mut self, pointer: Term) -> Vec<Target> {
        let always = self.pool.top();
        if let Some(&object) = self.objects_by_base.get(&pointer) {
            let start = self.pool.bv(0u8, self.pointer_width);
            return vec![Target { guard: always, aim: Aim::Object(object, start) }];
        }
        if !self.has_base(pointer) {
            return vec![Target { guard: always, aim: Aim::Number(pointer) }];
        }
        match (self.pool.op(pointer).clone(), self.pool.arguments(pointer)) {
            (Op::Ite, &[condition, then, otherwise]) => {
                let negation = self.pool.not(condition);
                let mut found = self.under(condition, then);
                found.extend(self.under(negation, otherwise));
                found
            }
            (Op::BvAdd, &[lhs, rhs]) => {
                let (base, distance) = if self.has_base(lhs) { (lhs, rhs) } else { (rhs, lhs) };
                // A sum of several addresses belongs to none of the objects.
                if self.has_base(distance) {
                    return vec![Target { guard: always, aim: Aim::Lost(pointer) }];
                }
                self.targets(base).iter().map(|target| self.moved(*target, distance)).collect()
            }
            _ => vec![Target { guard: always, aim: Aim::Lost(pointer) }],
        }
    }

    fn under(&mut self, condition: Term, pointer: Term) -> Vec<Target> {
        let targets = self.targets(pointer);
        let mut found = Vec::with_capacity(targets.len());
        for target in targets.iter() {
            let guard = self.pool.and2(condition, target.guard);
            if self.pool.as_bool(guard) != Some(false) {
                found.push(Target { guard, ..*target });
            }
        }
        found
    }

    pub(crate) fn moved(&mut self, target: Target, distance: Term) -> Target {
        let aim = match target.aim {
            Aim::Object(object, offset) => Aim::Object(object, self.pool.bv_add(offset, distance)),
            Aim::Number(number) => Aim::Number(self.pool.bv_add(number, distance)),
            Aim::Lost(term) => Aim::Lost(self.pool.bv_add(term, distance)),
        };
        Target { aim, ..target }
    }

    /// One target for each place, and one for each object that has many.
    fn gathered(&mut self, targets: Vec<Target>) -> Vec<Target> {
        let mut gathered: Vec<Target> = Vec::new();
        for target in targets {
            match gathered.iter().position(|other| other.aim == target.aim) {
                Some(at) => gathered[at].guard = self.pool.or2(gathered[at].guard, target.guard),
                None => gathered.push(target),
            }
        }
        let mut done: Vec<Target> = Vec::new();
        while let Some(first) = gathered.first().copied() {
            let Aim::Object(object, _) = first.aim else {
                done.push(gathered.remove(0));
                continue;
            };
            let is_same = |target: &Target| matches!(target.aim, Aim::Object(other, _) if other == object);
            let (same, others): (Vec<Target>, Vec<Target>) = gathered.into_iter().partition(is_same);
            gathered = others;
            if same.len() <= MOST_PLACES {
                done.extend(same);
            } else {
                done.push(self.united(object, &same));
            }
        }
        done
    }

    /// One target for many places in one object.
    fn united(&mut self, object: ObjectId, places: &[Target]) -> Target {
        let guards: Vec<Term> = places.iter().map(|place| place.guard).collect();
        let guard = self.pool.or(&guards);
        let mut offset = None;
        for place in places {
            let Aim::Object(_, own) = place.aim else { continue };
            offset = Some(offset.map_or(own, |others| self.pool.ite(place.guard, own, others)));
        }
        Target { guard, aim: Aim::Object(object, offset.expect("there are places")) }
    }

    /// Whether the address of an object occurs in a term.
    pub(crate) fn has_base(&mut self, root: Term) -> bool {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.base_known(term).is_some() {
                stack.pop();
                continue;
            }
            if self.objects_by_base.contains_key(&term) {
                self.set_base(term, true);
                stack.pop();
                continue;
            }
            let arguments = self.pool.arguments(term);
            let open: Vec<Term> =
                arguments.iter().copied().filter(|&argument| self.base_known(argument).is_none()).collect();
            if open.is_empty() {
                let has = arguments.iter().any(|&argument| self.base_known(argument) == Some(true));
                self.set_base(term, has);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        self.base_known(root) == Some(true)
    }

    fn base_known(&self, term: Term) -> Option<bool> {
        self.with_base.get(term.index()).copied().flatten()
    }

    fn set_base(&mut self, term: Term, has: bool) {
        if self.with_base.len() <= term.index() {
            self.with_base.resize(self.pool.len().max(term.index() + 1), None);
        }
        self.with_base[term.index()] = Some(has);
    }
}

/// What is known of the low bits of a term: that so many of them are those of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LowBits {
    pub(crate) known: u32,
    pub(crate) value: u64,
}

/// How deep terms are looked at for their low bits.
const DEPTH: u32 = 12;

/// The low bits of a term that are known by its form.
pub(crate) fn low_bits(pool: &TermPool, term: Term) -> LowBits {
    low_bits_within(pool, term, DEPTH)
}

fn low_bits_within(pool: &TermPool, term: Term, depth: u32) -> LowBits {
    let nothing = LowBits { known: 0, value: 0 };
    let width = pool.width(term).min(64);
    let cut = |known: u32, value: u64| {
        let known = known.min(width);
        LowBits { known, value: if known >= 64 { value } else { value & ((1 << known) - 1) } }
    };
    if let Some(bits) = pool.as_bits(term) {
        return cut(64, bits.extract(width - 1, 0).to_u64().unwrap_or(0));
    }
    if depth == 0 {
        return nothing;
    }
    let of = |term: Term| low_bits_within(pool, term, depth - 1);
    match (pool.op(term), pool.arguments(term)) {
        (Op::BvAdd, &[lhs, rhs]) => {
            let (lhs, rhs) = (of(lhs), of(rhs));
            cut(lhs.known.min(rhs.known), lhs.value.wrapping_add(rhs.value))
        }
        (Op::BvNeg, &[inner]) => {
            let inner = of(inner);
            cut(inner.known, inner.value.wrapping_neg())
        }
        (Op::BvMul, &[lhs, rhs]) => {
            let (lhs, rhs) = (of(lhs), of(rhs));
            if lhs.known >= width && lhs.value != 0 {
                let zeros = lhs.value.trailing_zeros();
                return cut(rhs.known.saturating_add(zeros), lhs.value.wrapping_mul(rhs.value));
            }
            cut(lhs.known.min(rhs.known), lhs.value.wrapping_mul(rhs.value))
        }
        (Op::Ite, &[_, then, otherwise]) => {
            let (then, otherwise) = (of(then), of(otherwise));
            let same = (then.value ^ otherwise.value).trailing_zeros();
            cut(then.known.min(otherwise.known).min(same), then.value)
        }
        (Op::ZeroExtend | Op::SignExtend, &[inner]) => of(inner),
        (Op::Concat, &[_, low]) => of(low),
        _ => nothing,
    }
}
