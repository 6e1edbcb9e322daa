//! Loops that are proved by k-induction instead of being unwound to their end.
//!
//! The first `k` iterations are executed as ever: the base. Then the loop is entered again, with any value for everything that
//! an iteration may change: `k` iterations that are assumed to be without failure and not to leave the loop, and one more that
//! must have none, from which the loop is left: the step. An execution that fails for the first time in an iteration behind
//! the `k`-th, or after it has left the loop from there, is among those of the step.
//!
//! The induction may rest on what the loop keeps (`kept.rs`), which is an assertion at its head. With it there need be no base:
//! `k` may be 0.
//!
//! What an iteration changes is found by going through one: a difference between the state before and the one behind it is
//! noted, and everything is executed again, until nothing new is found.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use imbl::ordmap::DiffItem;
use rorqual_cfa::{FunctionId, IntKind, LocationId, VariableId};
use rorqual_evidence::{Bytes, Scalar};
use rorqual_logic::{Bits, Sort, Term};
use rorqual_solver::{GaveUp, Limits};

use crate::candidates::{Asked, Guessed, Guesses, Origin, Subject};
use crate::executor::{Executor, Fresh, Phase, Step};
use crate::object::{Cell, Content, Kind, Object, ObjectId, Shared};
use crate::pointer::Aim;
use crate::state::{Frame, Slot, State};

/// The head of a loop.
pub(crate) type Head = (FunctionId, LocationId);

/// Where a loop that is proved by induction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// In iterations like those of any loop.
    Unwinding,
    /// In iterations without failure.
    Assuming,
    /// In the last one.
    Checking,
}

/// What the iterations of a loop may change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    slots: BTreeMap<VariableId, Values>,
    globals: BTreeMap<VariableId, Values>,
    /// Bytes of objects, by object and offset.
    cells: BTreeMap<ObjectId, BTreeMap<u64, (u32, Values)>>,
    /// Objects that are arrays, with the size of the elements.
    arrays: BTreeMap<ObjectId, u32>,
}

/// Which values something may get.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Values {
    Numbers,
    /// Places in these objects, and these addresses.
    Pointers(BTreeSet<ObjectId>, BTreeSet<Term>),
}

/// What an object is called.
#[derive(Debug, Clone)]
struct Name {
    of: Scalar,
    /// Whether it is what `of` points to, and not `of` itself.
    is_pointer: bool,
}

impl Name {
    fn bytes(&self, bytes: Bytes) -> Scalar {
        let mut scalar = self.of.clone();
        if self.is_pointer {
            scalar.through.push(bytes);
        } else {
            scalar.own = Some(bytes);
        }
        scalar
    }
}

/// Candidates are about so many cells of an object.
const MOST_CELLS: usize = 16;

/// A pointer that may be more addresses of no object is not followed.
const MOST_NUMBERS: usize = 4;

/// How an object is made, or ceases to be, or something else that cannot be told by giving values.
const SHAPES: [&str; 4] = [
    "a loop by induction that makes or frees memory",
    "a loop by induction that changes a pointer in an unknown way",
    "a loop by induction that writes parts of what it writes elsewhere as a whole",
    "a loop by induction that declares variables on several ways",
];

impl Executor<'_> {
    /// The state with which a loop goes on that is proved by induction, once control is at its head; none if that is all.
    pub(crate) fn next_iteration(
        &mut self,
        inner: usize,
        head: Head,
        k: u64,
        mut state: State,
        limits: &Limits,
    ) -> Result<Option<State>, GaveUp> {
        let count = self.top().counts[inner].0;
        self.outcome.unwinding.inductive.insert(head, k);
        let is_asked = (1..=2 * k).contains(&count);
        if is_asked && !self.is_feasible(state.guard, limits)? {
            return Ok(None);
        }
        let moment = self.moment(head.1);
        let span = self.program.span_at(head.0, head.1);
        self.begin_step(Step { moment, edge: None, phase: Phase::Head }, &state, span);
        if count == k + 1 {
            let before = self.top().heads[inner].take();
            if !before.is_some_and(|before| self.changes_are_known(head, &before, &state)) {
                return Ok(None);
            }
        }
        let Some((entry, which)) = self.entry(inner, head, &state) else { return Ok(None) };
        if self.top().is_assumed_at(head.1) {
            self.assume_candidates(head, &which, &entry, &mut state);
        } else {
            self.require_candidates(head, &which, &entry, &mut state);
        }
        let stage = match count {
            _ if count < k => Stage::Unwinding,
            _ if count < 2 * k => Stage::Assuming,
            _ if count == 2 * k => Stage::Checking,
            _ => return Ok(None),
        };
        self.top().stages[inner] = stage;
        self.top().watches[inner] = count == k || stage == Stage::Assuming;
        if count == k {
            // All states at the head are like the first one, but for what changes.
            state = State { guard: state.guard, ..entry.clone() };
            self.generalise(head, &mut state);
            self.guess_candidates(head, &state);
            self.assume_candidates(head, &which, &entry, &mut state);
            self.top().heads[inner] = Some(state.clone());
        }
        Ok(Some(state))
    }

    /// The state in which control came to a loop, which is this one if it has just come, and what may be kept of it.
    fn entry(&mut self, inner: usize, head: Head, state: &State) -> Option<(State, Rc<[usize]>)> {
        if self.top().counts[inner].0 == 0 {
            let which = self.meaningful(head, state).into();
            self.top().entries[inner] = Some((state.clone(), which));
        }
        self.top().entries[inner].clone()
    }

    /// Makes candidates for what a loop keeps, from what it changes.
    fn guess_candidates(&mut self, head: Head, state: &State) {
        let (guesses, most) = (self.bounds().guesses, self.bounds().candidates);
        if guesses == Guesses::None {
            return;
        }
        let Some(changes) = self.changes.get(&head).cloned() else { return };
        let subjects = self.subjects(&changes, state);
        let program = self.program;
        let asked = self.asked.get_or_insert_with(|| Asked::of(program).into()).clone();
        let pointer_width = self.pointer_width;
        let mut guessed = Guessed { asked: &asked, pointer_width, guesses, found: Vec::new() };
        guessed.about(&subjects);
        let found = guessed.found;
        self.outcome.is_preliminary |= self.add_candidates(head, found, most);
    }

    /// The numbers and pointers that an iteration changes, and those near them that it does not.
    fn subjects(&mut self, changes: &Changes, state: &State) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for (variable, _) in state.globals.iter().chain(&state.frame.slots) {
            let ty = self.program.variables[*variable].ty;
            let change = changes.slots.get(variable).or(changes.globals.get(variable));
            let is_pointer = self.program.types.pointee(ty).is_some();
            if !is_pointer && !self.program.types.is_integer(ty) {
                continue;
            }
            subjects.push(Subject {
                scalar: Scalar::variable(*variable),
                origin: Origin::Variable(*variable),
                width: self.program.types.width(ty),
                is_signed: self.program.types.as_int(ty).is_some_and(IntKind::is_signed),
                is_pointer,
                is_changed: change.is_some(),
            });
        }
        let names = self.object_names(changes, state);
        for (&id, changed) in &changes.cells {
            let Some(name) = names.get(&id) else { continue };
            let Some(object) = state.memory.get(&id) else { continue };
            let Content::Cells(cells) = &object.0.content else { continue };
            for (&offset, cell) in cells.map.iter().take(MOST_CELLS).filter(|(_, cell)| cell.bytes <= 8) {
                let change = changed.get(&offset).filter(|(bytes, _)| *bytes == cell.bytes);
                let is_pointer = match change {
                    Some((_, values)) => matches!(values, Values::Pointers(..)),
                    None => self.has_base(cell.value),
                };
                let bytes = Bytes { offset, count: cell.bytes };
                let scalar = name.bytes(bytes);
                subjects.push(Subject {
                    scalar,
                    origin: Origin::Member(offset, u64::from(cell.bytes)),
                    width: cell.bytes * 8,
                    is_signed: false,
                    is_pointer,
                    is_changed: change.is_some(),
                });
            }
        }
        subjects
    }

    /// What objects can be called: variables, and what pointers point to that no iteration changes.
    fn object_names(&mut self, changes: &Changes, state: &State) -> BTreeMap<ObjectId, Name> {
        let mut names: BTreeMap<ObjectId, Name> = BTreeMap::new();
        let mut pointers: Vec<(Scalar, Term)> = Vec::new();
        let mut frames: Vec<&Frame> = Vec::new();
        let mut functions = BTreeSet::new();
        for (function, frame) in self.frames(state) {
            if functions.insert(function) {
                frames.push(frame);
            }
        }
        for frame in frames {
            for (&variable, &object) in &frame.objects {
                names.entry(object).or_insert(Name { of: Scalar::variable(variable), is_pointer: false });
            }
            let kept = frame.slots.iter().filter(|(variable, _)| !changes.slots.contains_key(variable));
            pointers.extend(kept.map(|(&variable, slot)| (Scalar::variable(variable), slot.value)));
        }
        for (&id, _) in &state.memory {
            if let Kind::Variable(variable) = self.details[id.0 as usize].kind
                && self.program.variables[variable].kind.is_global()
            {
                names.entry(id).or_insert(Name { of: Scalar::variable(variable), is_pointer: false });
            }
        }
        let kept = state.globals.iter().filter(|(variable, _)| !changes.globals.contains_key(variable));
        pointers.extend(kept.map(|(&variable, slot)| (Scalar::variable(variable), slot.value)));
        for (scalar, value) in pointers {
            if self.pool.sort(value) != Sort::BitVec(self.pointer_width) || !self.has_base(value) {
                continue;
            }
            for target in self.targets(value).iter() {
                if let Aim::Object(object, offset) = target.aim
                    && self.pool.as_bits(offset).is_some_and(Bits::is_zero)
                {
                    names.entry(object).or_insert(Name { of: scalar.clone(), is_pointer: true });
                }
            }
        }
        names
    }

    /// Gives everything that the loop may change any value.
    fn generalise(&mut self, head: Head, state: &mut State) {
        let changes = self.changes.get(&head).cloned().unwrap_or_default();
        for (&variable, values) in changes.slots.iter().chain(&changes.globals) {
            let is_global = changes.globals.contains_key(&variable);
            let slots = if is_global { &state.globals } else { &state.frame.slots };
            let Some(&slot) = slots.get(&variable) else { continue };
            let ty = self.program.variables[variable].ty;
            let value = match values {
                Values::Numbers => self.any_scalar(Fresh::Outside, ty),
                Values::Pointers(objects, numbers) => self.any_pointer(state, objects, numbers),
            };
            let slots = if is_global { &mut state.globals } else { &mut state.frame.slots };
            slots.insert(variable, Slot { value, ..slot });
        }
        for (&id, changed) in &changes.cells {
            if !state.memory.contains_key(&id) {
                continue;
            }
            let mut object = state.object(id).clone();
            let Content::Cells(mut cells) = object.content else { continue };
            for (&at, (bytes, values)) in changed {
                let written = self.read_cells(&cells, at, *bytes).written;
                let value = match values {
                    Values::Numbers => self.fresh(Fresh::Outside, Sort::BitVec(bytes * 8)),
                    Values::Pointers(objects, numbers) => self.any_pointer(state, objects, numbers),
                };
                cells.put(&mut self.pool, at, Cell { bytes: *bytes, value, written });
            }
            object.content = Content::Cells(cells);
            state.set_object(id, object);
        }
        for (&id, &bytes) in &changes.arrays {
            if state.memory.contains_key(&id) {
                let epoch = self.epoch();
                let term = self.unset_array(id, epoch, bytes);
                let object = Object { content: Content::Array { bytes, term }, ..state.object(id).clone() };
                state.set_object(id, object);
            }
        }
    }

    fn any_pointer(
        &mut self,
        state: &mut State,
        objects: &BTreeSet<ObjectId>,
        numbers: &BTreeSet<Term>,
    ) -> Term {
        let mut pointers: Vec<Term> = numbers.iter().copied().collect();
        for &object in objects {
            let kind = self.details[object.0 as usize].kind;
            if is_constant(kind) {
                self.constant_object(state, kind);
            }
            if !state.memory.contains_key(&object) {
                // A pointer to something that was made later, or elsewhere.
                let obstacle = self.obstacle(SHAPES[1]);
                self.outcome.obstacles.push((obstacle, state.guard));
                continue;
            }
            let offset = self.fresh(Fresh::Outside, Sort::BitVec(self.pointer_width));
            let base = self.details[object.0 as usize].base;
            pointers.push(self.pool.bv_add(base, offset));
        }
        let mut any = match pointers.pop() {
            Some(pointer) => pointer,
            None => self.fresh(Fresh::Outside, Sort::BitVec(self.pointer_width)),
        };
        for pointer in pointers {
            let choice = self.fresh(Fresh::Outside, Sort::Bool);
            any = self.pool.ite(choice, pointer, any);
        }
        any
    }

    /// Whether all differences between the state before an iteration and behind it are known; they are from now on.
    fn changes_are_known(&mut self, head: Head, before: &State, after: &State) -> bool {
        let known = self.changes.get(&head).cloned().unwrap_or_default();
        let mut changes = known.clone();
        if let Err(shape) = self.note_changes(&mut changes, before, after) {
            let obstacle = self.obstacle(shape);
            self.outcome.obstacles.push((obstacle, after.guard));
            return false;
        }
        let are_known = changes == known;
        self.changes.insert(head, changes);
        self.outcome.is_preliminary |= !are_known;
        are_known
    }

    fn note_changes(
        &mut self,
        changes: &mut Changes,
        before: &State,
        after: &State,
    ) -> Result<(), &'static str> {
        let [allocation, pointer, _, declaration] = SHAPES;
        let pairs = [
            (&before.frame.slots, &after.frame.slots, &mut changes.slots),
            (&before.globals, &after.globals, &mut changes.globals),
        ];
        for (before, after, changed) in pairs {
            for item in before.diff(after) {
                // What is declared in an iteration is not used before it is declared in the next one.
                let DiffItem::Update { old: (&variable, old), new: (_, new) } = item else { continue };
                if old.value != new.value {
                    let values = self.values(old.value, new.value).ok_or(pointer)?;
                    widen(changed, variable, values);
                }
            }
        }
        if before.frame.objects != after.frame.objects || before.frame.stack != after.frame.stack {
            return Err(declaration);
        }
        let differing: Vec<(ObjectId, Option<Shared>, Shared)> = before
            .memory
            .diff(&after.memory)
            .filter_map(|item| match item {
                DiffItem::Add(&id, new) => Some((id, None, new.clone())),
                DiffItem::Update { old: (&id, old), new: (_, new) } => {
                    Some((id, Some(old.clone()), new.clone()))
                }
                DiffItem::Remove(..) => None,
            })
            .collect();
        for (id, old, new) in differing {
            match old {
                None if self.is_temporary(id, &new.0) => {}
                None => return Err(allocation),
                Some(old) => self.note_changed_object(changes, id, &old.0, &new.0)?,
            }
        }
        Ok(())
    }

    /// Whether an object that was made in an iteration is of no use in the next one.
    fn is_temporary(&self, id: ObjectId, object: &Object) -> bool {
        is_constant(self.details[id.0 as usize].kind) || self.pool.as_bool(object.alive) == Some(false)
    }

    fn note_changed_object(
        &mut self,
        changes: &mut Changes,
        id: ObjectId,
        old: &Object,
        new: &Object,
    ) -> Result<(), &'static str> {
        let [allocation, pointer, parts, _] = SHAPES;
        if old.size != new.size || old.alive != new.alive {
            return Err(allocation);
        }
        let (old, new) = match (&old.content, &new.content) {
            (Content::Cells(old), Content::Cells(new)) => (old, new),
            (Content::Array { bytes, term }, Content::Array { bytes: other, term: changed }) => {
                if (bytes, term) != (other, changed) {
                    changes.arrays.insert(id, *other);
                }
                return Ok(());
            }
            (_, Content::Array { bytes, .. }) | (Content::Array { bytes, .. }, _) => {
                changes.arrays.insert(id, *bytes);
                changes.cells.remove(&id);
                return Ok(());
            }
        };
        if old.rest != new.rest {
            return Err(allocation);
        }
        let cells: Vec<(u64, Cell)> = old
            .map
            .diff(&new.map)
            .filter_map(|item| match item {
                DiffItem::Add(&at, &cell) | DiffItem::Update { new: (&at, &cell), .. } => Some((at, cell)),
                DiffItem::Remove(..) => None,
            })
            .collect();
        for (at, cell) in cells {
            let before = self.read_cells(old, at, cell.bytes);
            if before.value == cell.value {
                continue;
            }
            let values = self.values(before.value, cell.value).ok_or(pointer)?;
            let known = changes.cells.entry(id).or_default();
            let end = at + u64::from(cell.bytes);
            let overlaps = |(&start, (bytes, _)): (&u64, &(u32, Values))| {
                start < end && at < start + u64::from(*bytes) && (start, *bytes) != (at, cell.bytes)
            };
            if known.iter().any(overlaps) {
                return Err(parts);
            }
            let values = match known.get(&at) {
                Some((_, known)) => joined(known, &values),
                None => values,
            };
            known.insert(at, (cell.bytes, values));
        }
        Ok(())
    }

    /// Values that include two terms.
    fn values(&mut self, old: Term, new: Term) -> Option<Values> {
        if !self.has_base(old) && !self.has_base(new) {
            return Some(Values::Numbers);
        }
        let (mut objects, mut numbers) = (BTreeSet::new(), BTreeSet::new());
        for term in [old, new] {
            if self.pool.sort(term) != Sort::BitVec(self.pointer_width) {
                return None;
            }
            for target in self.targets(term).iter() {
                match target.aim {
                    Aim::Object(object, _) => {
                        objects.insert(object);
                    }
                    Aim::Number(number) if self.pool.as_bits(number).is_some() => {
                        numbers.insert(number);
                    }
                    Aim::Number(_) | Aim::Lost(_) => return None,
                }
            }
        }
        (numbers.len() <= MOST_NUMBERS).then_some(Values::Pointers(objects, numbers))
    }
}

fn is_constant(kind: Kind) -> bool {
    matches!(kind, Kind::Text(_) | Kind::Function(_) | Kind::Label(..))
}

fn widen(changed: &mut BTreeMap<VariableId, Values>, variable: VariableId, values: Values) {
    let values = match changed.get(&variable) {
        Some(known) => joined(known, &values),
        None => values,
    };
    changed.insert(variable, values);
}

/// Pointers stay pointers: what is a number first has no address of an object then.
fn joined(one: &Values, other: &Values) -> Values {
    match (one, other) {
        (Values::Pointers(objects, numbers), Values::Pointers(others, other_numbers)) => Values::Pointers(
            objects.union(others).copied().collect(),
            numbers.union(other_numbers).copied().collect(),
        ),
        (Values::Numbers, values) | (values, _) => values.clone(),
    }
}
