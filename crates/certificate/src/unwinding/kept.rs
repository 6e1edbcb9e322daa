//! What a certificate says that loops keep, in the states of an execution.
//!
//! It is an assertion at the head of the loop: where iterations are assumed to go right it is assumed, and elsewhere it has to
//! hold. A scalar that a state does not have tells nothing; whether there is one is asked when control comes to the loop.

use rorqual_cfa::{BinaryOp, CellNames, VariableId};
use rorqual_evidence::{Bytes, Extension, Kept, Moment, Relation, Scalar, Sum};
use rorqual_logic::{Bits, Term};

use super::addresses::{Case, Pointee};
use super::machine::{Event, Held, Machine};
use super::state::{Binding, State};

/// The states at the head of a loop that formulas are about.
#[derive(Clone, Copy)]
pub(super) struct Heads<'s> {
    /// When control came from outside.
    pub(super) entry: &'s State,
    pub(super) now: &'s State,
}

impl Machine<'_> {
    /// Those that say something about the states of a loop that is entered in this one.
    pub(super) fn meaningful<'k>(&mut self, kept: &'k [Kept], entry: &State) -> Vec<&'k Kept> {
        let heads = Heads { entry, now: entry };
        kept.iter().filter(|one| self.holds(one, heads).is_some()).collect()
    }

    /// A state at the head, where all this is assumed.
    pub(super) fn assume_kept(&mut self, kept: &[&Kept], entry: &State, now: State) -> State {
        let mut guard = now.guard;
        for one in kept {
            if let Some(holds) = self.holds(one, Heads { entry, now: &now }) {
                guard = self.store.pool.and2(guard, holds);
            }
        }
        State { guard, ..now }
    }

    /// A state at the head, where all this has to hold, and does from then on.
    pub(super) fn require_kept(&mut self, kept: &[&Kept], entry: &State, now: State, place: &str) -> State {
        // What goes wrong in an iteration that is assumed to go right does not happen.
        let required = if self.assuming == 0 { kept } else { &[] };
        for one in required {
            let holds = self.holds(one, Heads { entry, now: &now });
            let holds = holds.unwrap_or_else(|| self.store.pool.bottom());
            let fails = self.store.pool.not(holds);
            let what = one.text(&CellNames::new(self.program));
            let claim = format!("the {place} keeps `{what}`");
            self.state = now.clone();
            self.event(fails, Event::Failure(claim, "an iteration may not keep it".to_owned()));
        }
        self.assume_kept(kept, entry, now)
    }

    /// When something holds; none if a state does not have what it is about.
    fn holds(&mut self, kept: &Kept, heads: Heads<'_>) -> Option<Term> {
        match kept {
            Kept::Inside(pointer) => self.points_inside(pointer, BinaryOp::Le, heads.now),
            Kept::Within(pointer) => self.points_inside(pointer, BinaryOp::Lt, heads.now),
            Kept::Compared { relation, width, left, right } => {
                let (left, right) = (self.sum(left, *width, heads)?, self.sum(right, *width, heads)?);
                let pool = &mut self.store.pool;
                Some(match relation {
                    Relation::Equal => pool.eq(left, right),
                    Relation::AtMost => pool.bv_ule(left, right),
                    Relation::AtMostSigned => pool.bv_sle(left, right),
                    Relation::Less => pool.bv_ult(left, right),
                    Relation::LessSigned => pool.bv_slt(left, right),
                })
            }
        }
    }

    /// Whether a pointer points at most to the end of an object, or before it. Where it may point to something that is not
    /// known, that is no answer: an assumption must not exclude what may be inside.
    fn points_inside(&mut self, pointer: &Scalar, to_end: BinaryOp, state: &State) -> Option<Term> {
        let pointer = self.scalar_in(pointer, state).filter(|&term| self.is_address(term))?;
        let mut ways = Vec::new();
        for case in self.cases(pointer).iter() {
            let object = match case.pointee {
                Pointee::Object(object) => object,
                Pointee::Nothing => continue,
                Pointee::Unknown => return None,
            };
            let size = self.objects.get(object).size?;
            let is_inside = match to_end {
                BinaryOp::Le => self.store.pool.bv_ule(case.offset, size),
                _ => self.store.pool.bv_ult(case.offset, size),
            };
            ways.push(self.store.pool.and2(case.guard, is_inside));
        }
        Some(self.store.pool.or(&ways))
    }

    fn sum(&mut self, sum: &Sum, width: u32, heads: Heads<'_>) -> Option<Term> {
        let constant = |number: i64| Bits::from_signed(&number.into(), width);
        let mut total = self.store.pool.bits(constant(sum.constant));
        for multiple in &sum.multiples {
            let state = match multiple.when {
                Moment::Now => heads.now,
                Moment::Entry => heads.entry,
            };
            let scalar = self.scalar_in(&multiple.of, state)?;
            let pool = &mut self.store.pool;
            let own = pool.width(scalar);
            let wide = match multiple.extension {
                _ if own > width => pool.bv_extract(scalar, width - 1, 0),
                Extension::Unsigned => pool.bv_zero_extend(scalar, width),
                Extension::Signed => pool.bv_sign_extend(scalar, width),
            };
            let factor = pool.bits(constant(multiple.factor));
            let product = pool.bv_mul(factor, wide);
            total = pool.bv_add(total, product);
        }
        Some(total)
    }

    /// What is in a scalar.
    fn scalar_in(&mut self, scalar: &Scalar, state: &State) -> Option<Term> {
        let mut value = match (self.held_in(scalar.variable, state)?, scalar.own) {
            (Held::Slot(slot), None) => state.slots.get(slot).copied().flatten()?.term,
            (Held::Object(object), Some(bytes)) => {
                let (guard, offset) = (self.store.pool.top(), self.number(0));
                let start = Case { guard, pointee: Pointee::Object(object), offset };
                self.bytes_behind(&[start], bytes, state)
            }
            _ => return None,
        };
        for &bytes in &scalar.through {
            if !self.is_address(value) {
                return None;
            }
            let cases = self.cases(value);
            value = self.bytes_behind(&cases, bytes, state);
        }
        Some(value)
    }

    fn is_address(&self, term: Term) -> bool {
        self.store.pool.width(term) == self.pointer_width
    }

    fn bytes_behind(&mut self, cases: &[Case], bytes: Bytes, state: &State) -> Term {
        let offset = self.number(bytes.offset);
        let cases = self.moved(cases, offset);
        self.state = state.clone();
        let is_there = self.is_there(&cases, bytes.count.into());
        let value = self.read(&cases, bytes.count.into(), false).term;
        let any = self.any(8 * bytes.count).term;
        self.store.pool.ite(is_there, value, any)
    }

    /// When bytes are in an object that is alive. What is read elsewhere depends on how the state came about, so it counts as
    /// any value: an assumption about it excludes nothing, and it is never shown to hold.
    fn is_there(&mut self, cases: &[Case], bytes: u64) -> Term {
        let mut ways = Vec::new();
        for case in cases {
            let Pointee::Object(object) = case.pointee else { continue };
            let count = self.number(bytes);
            let is_inside = self.is_inside(object, case.offset, count);
            let is_alive = self.is_alive(object);
            ways.push(self.store.pool.and(&[case.guard, is_alive, is_inside]));
        }
        self.store.pool.or(&ways)
    }

    /// Where a variable is, in the latest call of its function.
    fn held_in(&self, variable: VariableId, state: &State) -> Option<Held> {
        if let Some(held) = self.global(variable) {
            return Some(held);
        }
        self.frames.iter().rev().find_map(|frame| {
            use super::plan::Storage;
            Some(match frame.plan.storage(variable)? {
                Storage::Slot(slot) => Held::Slot(frame.slots + slot),
                Storage::Fixed(at) => Held::Object(frame.fixed[at]),
                Storage::Bound(at) => match state.bindings.get(frame.bindings + at) {
                    Some(Binding::Object(object)) => Held::Object(*object),
                    _ => return None,
                },
            })
        })
    }
}
