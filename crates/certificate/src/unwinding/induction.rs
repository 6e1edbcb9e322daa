//! Loops without a bound, by k-induction.
//!
//! An execution that goes wrong does so in its n-th iteration of the loop, or once it has left the loop after n. If n is at
//! most `k`, it is among those with `k` iterations. If not, the last `k + 1` iterations start in some state at the head, with
//! nothing wrong in the first `k` of them. All states at the head are like the first one but for what iterations change. So
//! the loop is entered once more, with everything that an iteration changes having any value: `k` iterations in which nothing
//! goes wrong and the loop is not left, and one more like any other. What the loop is said to keep goes wrong like an
//! assertion at its head, the one in front of the first iteration and those behind each.
//!
//! What an iteration changes is found by executing one until all that differs behind it has any value in front of it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rorqual_cfa::{Automaton, FunctionId, Id, LocationId};
use rorqual_evidence::Kept;
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
    pub(super) function: FunctionId,
    pub(super) body: &'a Automaton,
    pub(super) head: LocationId,
    pub(super) inner: &'a [Item],
}

/// A loop that is executed: what it is said to keep, and the state in which control came to it.
struct Run<'a> {
    this: &'a Loop<'a>,
    kept: Vec<&'a Kept>,
    entry: State,
    place: String,
}

/// What iterations change.
#[derive(Default, PartialEq, Eq, Clone)]
pub(super) struct Changes {
    slots: BTreeMap<usize, Range>,
    /// Bytes of objects, each with their number.
    bytes: BTreeMap<(ObjectId, u64), (u64, Range)>,
    /// Objects of which it is not known which bytes, and whether all of what is there is written.
    contents: BTreeMap<ObjectId, bool>,
}

/// The values that something may have. Any number is always right; what points somewhere is followed only if that is known.
#[derive(Default, PartialEq, Eq, Clone)]
struct Range {
    objects: BTreeSet<ObjectId>,
    constants: BTreeSet<Term>,
    is_any_number: bool,
    /// It may be left without a value.
    may_be_unset: bool,
}

/// Something differs that no value can tell.
struct NotFollowed(&'static str);

impl Machine<'_> {
    /// A loop by induction, from what has arrived at its head on.
    pub(super) fn induct(
        &mut self,
        this: &Loop<'_>,
        k: u64,
        arrivals: &mut [Option<State>],
    ) -> Result<(), GaveUp> {
        let head = this.head.index();
        let Some(entry) = arrivals[head].take() else { return Ok(()) };
        let said: &[Kept] = self.bounds.kept.get(&(this.function, this.head)).map_or(&[], Vec::as_slice);
        let kept = self.meaningful(said, &entry);
        let place = self.place_of(this.function, this.body, this.head);
        let run = Run { this, kept, entry, place };
        let mut arrived = self.require_kept(&run.kept, &run.entry, run.entry.clone(), &run.place);
        for _ in 0..k {
            arrivals[head] = Some(arrived);
            self.iterate(this, arrivals)?;
            let Some(next) = arrivals[head].take() else { return Ok(()) };
            arrived = self.require_kept(&run.kept, &run.entry, next, &run.place);
        }
        if self.is_impossible(arrived.guard)? {
            return Ok(());
        }
        // Executions that have not come back so often are known already.
        let first = State { guard: arrived.guard, ..run.entry.clone() };
        if k == 0 {
            return self.last_iteration(&run, &first, arrivals);
        }
        let Some(mut state) = self.any_iteration(&run, &first)? else { return Ok(()) };
        for _ in 1..k {
            let Some(next) = self.assumed_iteration(&run, state)? else { return Ok(()) };
            state = next;
        }
        arrivals[head] = Some(state);
        self.iterate(this, arrivals)?;
        // Whoever comes back now has come back before.
        if let Some(last) = arrivals[head].take() {
            self.require_kept(&run.kept, &run.entry, last, &run.place);
        }
        Ok(())
    }

    /// Executes an iteration, from what is at the head on.
    fn iterate(&mut self, this: &Loop<'_>, arrivals: &mut [Option<State>]) -> Result<(), GaveUp> {
        self.location(this.body, this.head, arrivals)?;
        self.items(this.body, this.inner, arrivals)
    }

    /// Any iteration, without one before it in which nothing goes wrong. What it changes is found on the way.
    fn last_iteration(
        &mut self,
        run: &Run<'_>,
        first: &State,
        arrivals: &mut [Option<State>],
    ) -> Result<(), GaveUp> {
        let head = run.this.head.index();
        loop {
            let before = self.generalised_head(run, first);
            let (events, mut reached) = (self.events.len(), arrivals.to_vec());
            reached[head] = Some(before.clone());
            self.watching += 1;
            let done = self.iterate(run.this, &mut reached);
            self.watching -= 1;
            done?;
            let after = reached[head].take();
            let is_known = match &after {
                Some(after) => self.changes_are_known(run, &before, after),
                None => Ok(true),
            };
            match is_known {
                Ok(false) => self.events.truncate(events),
                Err(NotFollowed(what)) => {
                    self.give_up(what, &before);
                    return Ok(());
                }
                Ok(true) => {
                    arrivals.clone_from_slice(&reached);
                    if let Some(after) = after {
                        self.require_kept(&run.kept, &run.entry, after, &run.place);
                    }
                    return Ok(());
                }
            }
        }
    }

    /// The state behind any iteration in which nothing goes wrong; none if there is no such iteration.
    fn any_iteration(&mut self, run: &Run<'_>, first: &State) -> Result<Option<State>, GaveUp> {
        loop {
            let before = self.generalised_head(run, first);
            let events = self.events.len();
            let Some(after) = self.assumed_iteration(run, before.clone())? else { return Ok(None) };
            match self.changes_are_known(run, &before, &after) {
                Ok(true) => return Ok(Some(after)),
                Ok(false) => self.events.truncate(events),
                Err(NotFollowed(what)) => {
                    self.give_up(what, &before);
                    return Ok(None);
                }
            }
        }
    }

    fn give_up(&mut self, what: &str, before: &State) {
        let span = self.program.functions[self.frame().function].span;
        let always = self.store.pool.top();
        self.state = before.clone();
        self.not_followed(always, what, span);
    }

    /// Any state at the head.
    fn generalised_head(&mut self, run: &Run<'_>, first: &State) -> State {
        let changes = self.changes.get(&self.key(run.this)).cloned().unwrap_or_default();
        let general = self.generalised(first, &changes);
        self.assume_kept(&run.kept, &run.entry, general)
    }

    fn key(&self, this: &Loop<'_>) -> (FunctionId, LocationId, usize) {
        (this.function, this.head, self.frame().slots)
    }

    /// Whether nothing else differs behind an iteration than what is known to; it is known from then on.
    fn changes_are_known(
        &mut self,
        run: &Run<'_>,
        before: &State,
        after: &State,
    ) -> Result<bool, NotFollowed> {
        let key = self.key(run.this);
        let known = self.changes.get(&key).cloned().unwrap_or_default();
        let mut changes = known.clone();
        self.note_changes(&mut changes, before, after)?;
        let are_known = changes == known;
        self.changes.insert(key, changes);
        Ok(are_known)
    }

    /// The state behind an iteration in which nothing goes wrong and after which the loop is not left.
    fn assumed_iteration(&mut self, run: &Run<'_>, before: State) -> Result<Option<State>, GaveUp> {
        let mut arrivals: Vec<Option<State>> = vec![None; run.this.body.locations().len()];
        let head = run.this.head.index();
        arrivals[head] = Some(before);
        self.assuming += 1;
        self.watching += 1;
        let done = self.iterate(run.this, &mut arrivals);
        self.assuming -= 1;
        self.watching -= 1;
        done?;
        let Some(after) = arrivals[head].take() else { return Ok(None) };
        Ok(Some(self.assume_kept(&run.kept, &run.entry, after)))
    }

    /// A state in which everything that changes has any value.
    fn generalised(&mut self, state: &State, changes: &Changes) -> State {
        let mut general = state.clone();
        for (&index, range) in &changes.slots {
            if let Some(value) = general.slots.get(index).copied().flatten() {
                let term = self.any_in(range, self.store.pool.width(value.term));
                let set = if range.may_be_unset { self.store.pool.bottom() } else { value.set };
                general.slots.set(index, Some(Value { term, set }));
            }
        }
        for (&(id, at), (bytes, range)) in &changes.bytes {
            let Some(object) = general.object(id).cloned() else { continue };
            let mut content = object.content.clone();
            let set = content.read(&mut self.store, at, *bytes).set;
            let set = if range.may_be_unset { self.store.pool.bottom() } else { set };
            let term = self.any_in(range, 8 * *bytes as u32);
            content.write(&mut self.store, at, *bytes, Value { term, set });
            general.set_object(id, Rc::new(Object { alive: object.alive, content }));
        }
        for (&id, &is_set) in &changes.contents {
            let Some(object) = general.object(id).cloned() else { continue };
            let content = Content::filled(self.store.unknown(is_set));
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
            if old != new {
                self.widen(changes.slots.entry(index).or_default(), old, new);
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
        let pieces = old.pieces_to(new).filter(|_| !changes.contents.contains_key(&id));
        let Some(pieces) = pieces else {
            // What is read of an object somewhere becomes an array, and stays what it is.
            if old.as_array(&mut self.store).0 == new.as_array(&mut self.store).0 {
                return Ok(());
            }
            let is_set = old.is_set(&self.store.pool) && new.is_set(&self.store.pool);
            *changes.contents.entry(id).or_insert(is_set) &= is_set;
            return Ok(());
        };
        for (at, bytes) in pieces {
            let (before, after) =
                (old.read(&mut self.store, at, bytes), new.read(&mut self.store, at, bytes));
            if before == after {
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
            self.widen(range, before, after);
        }
        Ok(())
    }

    /// Makes a range include two values.
    fn widen(&mut self, range: &mut Range, before: Value, after: Value) {
        let (one, other) = (before.term, after.term);
        range.may_be_unset |= before.set != after.set && self.store.pool.as_bool(after.set) != Some(true);
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
