//! Loops without a bound, by k-induction.
//!
//! An execution that goes wrong does so in its n-th iteration of the loop, or once it has left the loop after n. If n is at
//! most `k`, it is among those with `k` iterations. If not, the last `k + 1` iterations start in some state at the head, with
//! nothing wrong in the first `k` of them. All states at the head are like the first one but for what iterations change. So
//! the loop is entered once more, with everything that an iteration changes having any value: `k` iterations in which nothing
//! goes wrong and the loop is not left, and one more like any other.
//!
//! What an iteration changes is found by executing one until all that differs behind it has any value in front of it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rorqual_cfa::{Automaton, Id, LocationId};
use rorqual_logic::{Sort, Term};
use rorqual_solver::GaveUp;

use super::addresses::Pointee;
use super::machine::{Event, Machine};
use super::memory::{Content, Object};
use super::order::Item;
use super::state::{ObjectId, State, Value};

/// What is more constants than these besides objects is any number.
const MOST_CONSTANTS: usize = 4;

/// A loop and the function that it is in.
#[derive(Clone, Copy)]
pub(super) struct Loop<'a> {
    pub(super) body: &'a Automaton,
    pub(super) head: LocationId,
    pub(super) inner: &'a [Item],
}

/// What iterations change.
#[derive(Default, PartialEq, Eq, Clone)]
struct Changes {
    slots: BTreeMap<usize, Range>,
    /// Bytes of objects, each with their number.
    bytes: BTreeMap<(ObjectId, u64), (u64, Range)>,
}

/// The values that something may have. Any number is always right; what points somewhere is followed only if that is known.
#[derive(Default, PartialEq, Eq, Clone)]
struct Range {
    objects: BTreeSet<ObjectId>,
    constants: BTreeSet<Term>,
    is_any_number: bool,
}

/// Something differs that no value can tell.
struct NotFollowed(&'static str);

impl Machine<'_> {
    /// A loop by induction, from what has arrived at its head on.
    pub(super) fn induct(
        &mut self,
        this: Loop<'_>,
        k: u64,
        arrivals: &mut [Option<State>],
    ) -> Result<(), GaveUp> {
        let head = this.head.index();
        let Some(first) = arrivals[head].clone() else { return Ok(()) };
        for _ in 0..k {
            if arrivals[head].is_none() {
                return Ok(());
            }
            self.location(this.body, this.head, arrivals)?;
            self.items(this.body, this.inner, arrivals)?;
        }
        let Some(State { guard, .. }) = arrivals[head].take() else { return Ok(()) };
        if self.is_impossible(guard)? {
            return Ok(());
        }
        // Executions that have not come back so often are known already.
        let first = State { guard, ..first };
        let Some(mut state) = self.any_iteration(this, &first)? else { return Ok(()) };
        for _ in 1..k {
            let Some(next) = self.assumed_iteration(this, state)? else { return Ok(()) };
            state = next;
        }
        arrivals[head] = Some(state);
        self.location(this.body, this.head, arrivals)?;
        self.items(this.body, this.inner, arrivals)?;
        // Whoever comes back now has come back before.
        arrivals[head] = None;
        Ok(())
    }

    /// The state behind any iteration in which nothing goes wrong; none if there is no such iteration.
    fn any_iteration(&mut self, this: Loop<'_>, first: &State) -> Result<Option<State>, GaveUp> {
        let mut changes = Changes::default();
        loop {
            let before = self.generalised(first, &changes);
            let events = self.events.len();
            let Some(after) = self.assumed_iteration(this, before.clone())? else { return Ok(None) };
            let known = changes.clone();
            if let Err(NotFollowed(what)) = self.note_changes(&mut changes, &before, &after) {
                let span = self.program.functions[self.frame().function].span;
                let always = self.store.pool.top();
                self.state = after;
                self.not_followed(always, what, span);
                return Ok(None);
            }
            if changes == known {
                return Ok(Some(after));
            }
            self.events.truncate(events);
        }
    }

    /// The state behind an iteration in which nothing goes wrong and after which the loop is not left.
    fn assumed_iteration(&mut self, this: Loop<'_>, before: State) -> Result<Option<State>, GaveUp> {
        let mut arrivals: Vec<Option<State>> = vec![None; this.body.locations().len()];
        arrivals[this.head.index()] = Some(before);
        self.assuming += 1;
        self.location(this.body, this.head, &mut arrivals)?;
        self.items(this.body, this.inner, &mut arrivals)?;
        self.assuming -= 1;
        Ok(arrivals[this.head.index()].take())
    }

    /// A state in which everything that changes has any value.
    fn generalised(&mut self, state: &State, changes: &Changes) -> State {
        let mut general = state.clone();
        for (&index, range) in &changes.slots {
            if let Some(value) = general.slots.get(index).copied().flatten() {
                let term = self.any_in(range, self.store.pool.width(value.term));
                general.slots.set(index, Some(Value { term, ..value }));
            }
        }
        for (&(id, at), (bytes, range)) in &changes.bytes {
            let Some(object) = general.object(id).cloned() else { continue };
            let mut content = object.content.clone();
            let set = content.read(&mut self.store, at, *bytes).set;
            let term = self.any_in(range, 8 * *bytes as u32);
            content.write(&mut self.store, at, *bytes, Value { term, set });
            general.set_object(id, Rc::new(Object { alive: object.alive, content }));
        }
        general
    }

    /// Any value of a range.
    fn any_in(&mut self, range: &Range, width: u32) -> Term {
        if range.is_any_number {
            return self.any(width).term;
        }
        let mut values: Vec<Term> = range.constants.iter().copied().collect();
        for &object in &range.objects {
            let (address, offset) = (self.address(object), self.any(width).term);
            values.push(self.store.pool.bv_add(address, offset));
        }
        let mut any = values.pop().unwrap_or_else(|| self.any(width).term);
        for value in values {
            let choice = self.store.pool.fresh_symbol("choice", Sort::Bool);
            any = self.store.pool.ite(choice, value, any);
        }
        any
    }

    /// Adds everything that differs in two states.
    fn note_changes(
        &mut self,
        changes: &mut Changes,
        before: &State,
        after: &State,
    ) -> Result<(), NotFollowed> {
        for index in before.slots.differences(&after.slots) {
            // What has no value in front of an iteration gets one before it is read.
            let (Some(&Some(old)), Some(&Some(new))) = (before.slots.get(index), after.slots.get(index))
            else {
                continue;
            };
            if old.term != new.term {
                self.widen(changes.slots.entry(index).or_default(), old.term, new.term);
            }
        }
        for index in before.bindings.differences(&after.bindings) {
            if before.bindings.get(index) != after.bindings.get(index) {
                return Err(NotFollowed("a loop by induction whose variables are not its own"));
            }
        }
        for index in 0..after.objects.len() {
            let id = ObjectId(index as u32);
            match (before.object(id), after.object(id)) {
                (Some(old), Some(new)) if !Rc::ptr_eq(old, new) => {
                    if old.alive != new.alive {
                        return Err(NotFollowed("a loop by induction that ends the life of an object"));
                    }
                    self.note_content(changes, id, &old.content, &new.content)?;
                }
                (None, Some(new)) if self.store.pool.as_bool(new.alive) != Some(false) => {
                    return Err(NotFollowed("a loop by induction that makes an object"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn note_content(
        &mut self,
        changes: &mut Changes,
        id: ObjectId,
        old: &Content,
        new: &Content,
    ) -> Result<(), NotFollowed> {
        let pieces =
            old.pieces_to(new).ok_or(NotFollowed("a loop by induction that copies whole objects"))?;
        for (at, bytes) in pieces {
            let (before, after) =
                (old.read(&mut self.store, at, bytes), new.read(&mut self.store, at, bytes));
            if before.term == after.term {
                continue;
            }
            let is_cut = |(key, known): (&(ObjectId, u64), &(u64, Range))| {
                key.1 + known.0 > at && (key.1, known.0) != (at, bytes)
            };
            if changes.bytes.range((id, 0)..(id, at + bytes)).any(is_cut) {
                return Err(NotFollowed(
                    "a loop by induction that writes parts of what it writes as a whole",
                ));
            }
            let (_, range) = changes.bytes.entry((id, at)).or_insert_with(|| (bytes, Range::default()));
            self.widen(range, before.term, after.term);
        }
        Ok(())
    }

    /// Makes a range include two values.
    fn widen(&mut self, range: &mut Range, one: Term, other: Term) {
        let is_pointer = self.store.pool.sort(one) == Sort::BitVec(self.pointer_width);
        range.is_any_number |= !is_pointer;
        for term in [one, other].into_iter().filter(|_| is_pointer) {
            for case in self.cases(term).iter() {
                match case.pointee {
                    Pointee::Object(object) => {
                        range.objects.insert(object);
                    }
                    Pointee::Nothing => {
                        range.constants.insert(case.offset);
                    }
                    Pointee::Unknown => range.is_any_number = true,
                }
            }
        }
        // Numbers that point to nothing are not only those that were seen.
        range.is_any_number |= range.objects.is_empty() || range.constants.len() > MOST_CONSTANTS;
        if range.is_any_number {
            range.objects.clear();
            range.constants.clear();
        }
    }

    /// Whether something that goes wrong is assumed not to.
    pub(super) fn is_assumed(&mut self, condition: Term, event: &Event) -> bool {
        if self.assuming == 0 || !matches!(event, Event::Hazard(_)) {
            return false;
        }
        let never = self.store.pool.not(condition);
        self.state.guard = self.store.pool.and2(self.state.guard, never);
        true
    }
}
