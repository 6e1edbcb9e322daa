//! What loops by induction may keep: candidates, and what they say of states.
//!
//! Each candidate is an assertion at the head of the loop that counts if a symbol of its own holds. So one execution serves all
//! choices of candidates, and which of them are inductive together is for the solver to find out.

use std::collections::BTreeSet;

use rorqual_cfa::{BinaryOp, VariableId};
use rorqual_evidence::{Bytes, Extension, Kept, Moment, Relation, Scalar, Sum};
use rorqual_logic::{Bits, Sort, Term};

use crate::candidates::Guesses;
use crate::executor::Executor;
use crate::induction::Head;
use crate::memory::Span;
use crate::object::ObjectId;
use crate::pointer::{Aim, Target};
use crate::state::{Frame, State};

/// Something that a loop may keep.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What.
    pub kept: Kept,
    /// Whether it counts.
    pub counts: Term,
}

/// That a loop does not keep a candidate, if the candidate counts.
#[derive(Debug, Clone, Copy)]
pub struct Lapse {
    /// The head of the loop.
    pub head: Head,
    /// Which of its candidates.
    pub candidate: usize,
    /// When.
    pub guard: Term,
}

/// The candidates of a loop.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) all: Vec<Candidate>,
    pub(crate) known: BTreeSet<Kept>,
}

impl Executor<'_> {
    /// What a loop may keep.
    pub fn candidates(&self, head: Head) -> &[Candidate] {
        self.candidates.get(&head).map_or(&[], |candidates| &candidates.all)
    }

    /// Adds candidates; whether some are new.
    pub(crate) fn add_candidates(&mut self, head: Head, new: Vec<Kept>, most: usize) -> bool {
        let mut is_new = false;
        for kept in new {
            let candidates = self.candidates.entry(head).or_default();
            if candidates.all.len() < most && candidates.known.insert(kept.clone()) {
                let counts = self.pool.fresh_symbol("kept", Sort::Bool);
                candidates.all.push(Candidate { kept, counts });
                is_new = true;
            }
        }
        is_new
    }

    /// The candidates that say something about the states of a loop that is entered in this one.
    pub(crate) fn meaningful(&mut self, head: Head, entry: &State) -> Vec<usize> {
        let is_guessed = self.bounds().guesses != Guesses::None;
        let count = if is_guessed { self.candidates(head).len() } else { 0 };
        (0..count).filter(|&at| self.candidate_holds(head, at, entry, entry).is_some()).collect()
    }

    /// Assumes candidates at the head of a loop.
    pub(crate) fn assume_candidates(&mut self, head: Head, which: &[usize], entry: &State, now: &mut State) {
        for &at in which {
            let Some(holds) = self.candidate_holds(head, at, entry, now) else { continue };
            let counts = self.candidates(head)[at].counts;
            let given = self.pool.implies(counts, holds);
            now.guard = self.conjoined(now.guard, given);
        }
    }

    /// Requires candidates at the head of a loop, and assumes them from there on.
    pub(crate) fn require_candidates(&mut self, head: Head, which: &[usize], entry: &State, now: &mut State) {
        for &at in which {
            let holds = self.candidate_holds(head, at, entry, now);
            let fails = match holds {
                Some(holds) => self.pool.not(holds),
                None => self.pool.top(),
            };
            let guard = self.pool.and2(now.guard, fails);
            if self.pool.as_bool(guard) != Some(false) {
                self.outcome.lapses.push(Lapse { head, candidate: at, guard });
            }
        }
        self.assume_candidates(head, which, entry, now);
    }

    fn candidate_holds(&mut self, head: Head, at: usize, entry: &State, now: &State) -> Option<Term> {
        let kept = self.candidates(head)[at].kept.clone();
        match kept {
            Kept::Inside(pointer) => self.points_inside(&pointer, BinaryOp::Le, now),
            Kept::Within(pointer) => self.points_inside(&pointer, BinaryOp::Lt, now),
            Kept::Compared { relation, width, left, right } => {
                let left = self.sum(&left, width, entry, now)?;
                let right = self.sum(&right, width, entry, now)?;
                Some(match relation {
                    Relation::Equal => self.pool.eq(left, right),
                    Relation::AtMost => self.pool.bv_ule(left, right),
                    Relation::AtMostSigned => self.pool.bv_sle(left, right),
                    Relation::Less => self.pool.bv_ult(left, right),
                    Relation::LessSigned => self.pool.bv_slt(left, right),
                })
            }
        }
    }

    /// Whether a pointer points at most to the end of an object, or before it.
    fn points_inside(&mut self, pointer: &Scalar, to_end: BinaryOp, now: &State) -> Option<Term> {
        let mut state = now.clone();
        let pointer = self.scalar(pointer, &mut state)?;
        if self.pool.sort(pointer) != Sort::BitVec(self.pointer_width) {
            return None;
        }
        let mut ways = Vec::new();
        for target in self.targets(pointer).iter() {
            if let Aim::Object(object, offset) = target.aim
                && let Some(object) = state.memory.get(&object)
            {
                let size = object.0.size;
                let is_inside = match to_end {
                    BinaryOp::Le => self.pool.bv_ule(offset, size),
                    _ => self.pool.bv_ult(offset, size),
                };
                ways.push(self.pool.and2(target.guard, is_inside));
            }
        }
        Some(self.pool.or(&ways))
    }

    fn sum(&mut self, sum: &Sum, width: u32, entry: &State, now: &State) -> Option<Term> {
        let constant = |number: i64| Bits::from_signed(&number.into(), width);
        let mut total = self.pool.bits(constant(sum.constant));
        for multiple in &sum.multiples {
            let state = match multiple.when {
                Moment::Now => now,
                Moment::Entry => entry,
            };
            let scalar = self.scalar(&multiple.of, &mut state.clone())?;
            let wide = match multiple.extension {
                _ if self.pool.width(scalar) > width => self.pool.bv_extract(scalar, width - 1, 0),
                Extension::Unsigned => self.pool.bv_zero_extend(scalar, width),
                Extension::Signed => self.pool.bv_sign_extend(scalar, width),
            };
            let factor = self.pool.bits(constant(multiple.factor));
            let product = self.pool.bv_mul(factor, wide);
            total = self.pool.bv_add(total, product);
        }
        Some(total)
    }

    /// What is in a scalar.
    fn scalar(&mut self, scalar: &Scalar, state: &mut State) -> Option<Term> {
        let variable = scalar.variable;
        let mut value = match scalar.own {
            None => self.slot_of(variable, state)?,
            Some(bytes) => {
                let object = self.object_of(variable, state)?;
                let (guard, offset) = (self.pool.top(), self.pool.bv(0u8, self.pointer_width));
                self.bytes_behind(&[Target { guard, aim: Aim::Object(object, offset) }], bytes, state)?
            }
        };
        for &bytes in &scalar.through {
            if self.pool.sort(value) != Sort::BitVec(self.pointer_width) {
                return None;
            }
            let targets = self.targets(value);
            value = self.bytes_behind(&targets, bytes, state)?;
        }
        Some(value)
    }

    fn slot_of(&self, variable: VariableId, state: &State) -> Option<Term> {
        let is_global = self.program.variables[variable].kind.is_global();
        let slots = if is_global { &state.globals } else { &self.frame_of(variable, state)?.slots };
        slots.get(&variable).map(|slot| slot.value)
    }

    fn object_of(&self, variable: VariableId, state: &State) -> Option<ObjectId> {
        if self.program.variables[variable].kind.is_global() {
            return self.global_object(variable);
        }
        self.frame_of(variable, state)?.objects.get(&variable).copied()
    }

    /// The frame of the latest call of the function that a variable belongs to.
    fn frame_of<'s>(&'s self, variable: VariableId, state: &'s State) -> Option<&'s Frame> {
        let owner = self.program.variables[variable].function?;
        let mut frames = self.frames(state);
        frames.find_map(|(function, frame)| (function == owner).then_some(frame))
    }

    fn bytes_behind(&mut self, targets: &[Target], bytes: Bytes, state: &mut State) -> Option<Term> {
        let by = self.pool.bv(bytes.offset, self.pointer_width);
        let mut value: Option<Term> = None;
        for &target in targets {
            let Aim::Object(object, offset) = self.moved(target, by).aim else { continue };
            if !state.memory.contains_key(&object) {
                continue;
            }
            let own = self.read(state, Span { object, offset, bytes: bytes.count }).value;
            value = Some(value.map_or(own, |others| self.pool.ite(target.guard, own, others)));
        }
        value
    }
}
