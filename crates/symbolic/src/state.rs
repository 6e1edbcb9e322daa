//! States: the values of variables and memory under a condition, and how two of them become one.

use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use rorqual_cfa::VariableId;
use rorqual_logic::{Op, Term, TermPool};

use crate::executor::Executor;
use crate::object::{Cells, Content, Kind, Object, ObjectId, Shared};

/// A value on its way from one place to another.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// None was given.
    Nothing,
    Scalar(Term),
    /// A structure, a union or an array.
    Block(Cells, u64),
}

/// A variable that is no object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) value: Term,
    /// Whether it was written.
    pub(crate) written: Term,
}

/// The variables of an active function.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frame {
    pub(crate) slots: OrdMap<VariableId, Slot>,
    pub(crate) objects: OrdMap<VariableId, ObjectId>,
    /// Memory that ends with the function.
    pub(crate) stack: OrdMap<ObjectId, ()>,
}

/// What holds when control is somewhere.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// Whether control comes here.
    pub(crate) guard: Term,
    pub(crate) frame: Frame,
    pub(crate) globals: OrdMap<VariableId, Slot>,
    pub(crate) memory: OrdMap<ObjectId, Shared>,
    /// What the function returns.
    pub(crate) result: Value,
}

/// How many conditions a guard may have before it gets a name.
const GUARD_PARTS: usize = 12;

impl Executor<'_> {
    /// A guard with another condition. Long ones get a name, because conditions are sorted into them.
    pub(crate) fn conjoined(&mut self, guard: Term, condition: Term) -> Term {
        let both = self.pool.and2(guard, condition);
        self.named(both)
    }

    pub(crate) fn named(&mut self, guard: Term) -> Term {
        if !matches!(self.pool.op(guard), Op::And | Op::Or) || self.pool.arguments(guard).len() <= GUARD_PARTS
        {
            return guard;
        }
        if let Some(&name) = self.names.get(&guard) {
            return name;
        }
        let name = self.pool.fresh_symbol("guard", rorqual_logic::Sort::Bool);
        let definition = self.pool.eq(name, guard);
        self.definitions.push(definition);
        self.names.insert(guard, name);
        name
    }

    /// One of two conditions. Whether something was written would grow with each write if long conditions got no name.
    pub(crate) fn chosen(&mut self, choice: Term, one: Term, other: Term) -> Term {
        let chosen = self.pool.ite(choice, one, other);
        self.named(chosen)
    }

    /// Two states that exclude each other as one.
    pub(crate) fn merged(&mut self, one: State, other: State) -> State {
        let (guard, choice) = self.joined(one.guard, other.guard);
        let mut frame = one.frame.clone();
        self.merge_slots(&mut frame.slots, &other.frame.slots, choice);
        for (&variable, &object) in &other.frame.objects {
            if *frame.objects.entry(variable).or_insert(object) != object {
                let obstacle = self.obstacle("a variable that is declared on several ways");
                self.outcome.obstacles.push((obstacle, other.guard));
            }
        }
        for (&object, ()) in &other.frame.stack {
            frame.stack.insert(object, ());
        }
        let mut globals = one.globals.clone();
        self.merge_slots(&mut globals, &other.globals, choice);
        let memory = self.merged_memory(&one.memory, &other.memory, choice);
        let result = self.merged_value(one.result, other.result, choice);
        State { guard, frame, globals, memory, result }
    }

    /// The disjunction of two guards that exclude each other, and what tells the first from the second.
    fn joined(&mut self, one: Term, other: Term) -> (Term, Term) {
        let (left, right) = (conjuncts(&self.pool, one), conjuncts(&self.pool, other));
        let common: Vec<Term> = left.iter().copied().filter(|part| right.contains(part)).collect();
        let only = |parts: &[Term]| -> Vec<Term> {
            parts.iter().copied().filter(|part| !common.contains(part)).collect()
        };
        let (left, right) = (only(&left), only(&right));
        let is_shorter = left.len() <= right.len();
        let (left, right) = (self.pool.and(&left), self.pool.and(&right));
        let choice = if is_shorter { left } else { self.pool.not(right) };
        let either = self.pool.or2(left, right);
        let either = self.named(either);
        let mut parts = common;
        parts.push(either);
        let guard = self.pool.and(&parts);
        (self.named(guard), choice)
    }

    fn merge_slots(
        &mut self,
        into: &mut OrdMap<VariableId, Slot>,
        from: &OrdMap<VariableId, Slot>,
        choice: Term,
    ) {
        let differing: Vec<(VariableId, Slot)> = into
            .diff(from)
            .filter_map(|item| match item {
                DiffItem::Add(&variable, &slot) | DiffItem::Update { new: (&variable, &slot), .. } => {
                    Some((variable, slot))
                }
                DiffItem::Remove(..) => None,
            })
            .collect();
        for (variable, slot) in differing {
            // What only one of them has is not used before it is written.
            let merged = match into.get(&variable) {
                None => slot,
                Some(&own) => Slot {
                    value: self.pool.ite(choice, own.value, slot.value),
                    written: self.chosen(choice, own.written, slot.written),
                },
            };
            into.insert(variable, merged);
        }
    }

    fn merged_memory(
        &mut self,
        one: &OrdMap<ObjectId, Shared>,
        other: &OrdMap<ObjectId, Shared>,
        choice: Term,
    ) -> OrdMap<ObjectId, Shared> {
        let mut memory = one.clone();
        let items: Vec<(ObjectId, Option<Shared>, Option<Shared>)> = one
            .diff(other)
            .map(|item| match item {
                DiffItem::Add(&id, new) => (id, None, Some(new.clone())),
                DiffItem::Remove(&id, old) => (id, Some(old.clone()), None),
                DiffItem::Update { old: (&id, old), new: (_, new) } => {
                    (id, Some(old.clone()), Some(new.clone()))
                }
            })
            .collect();
        for (id, left, right) in items {
            let is_constant = matches!(
                self.details[id.0 as usize].kind,
                Kind::Text(_) | Kind::Function(_) | Kind::Label(..)
            );
            let object = match (left, right) {
                (Some(object), _) | (_, Some(object)) if is_constant => (*object.0).clone(),
                (Some(left), Some(right)) => self.merged_object(&left.0, &right.0, choice),
                (Some(left), None) => {
                    let alive = self.pool.and2(left.0.alive, choice);
                    Object { alive, ..(*left.0).clone() }
                }
                (None, Some(right)) => {
                    let otherwise = self.pool.not(choice);
                    let alive = self.pool.and2(right.0.alive, otherwise);
                    Object { alive, ..(*right.0).clone() }
                }
                (None, None) => continue,
            };
            memory.insert(id, Shared(object.into()));
        }
        memory
    }

    fn merged_object(&mut self, one: &Object, other: &Object, choice: Term) -> Object {
        let size = self.pool.ite(choice, one.size, other.size);
        let alive = self.pool.ite(choice, one.alive, other.alive);
        let capacity = one.capacity.zip(other.capacity).map(|(one, other)| one.max(other));
        let content = if self.pool.as_bool(one.alive) == Some(false) {
            other.content.clone()
        } else if self.pool.as_bool(other.alive) == Some(false) {
            one.content.clone()
        } else {
            self.merged_content(&one.content, &other.content, capacity, choice)
        };
        Object { size, capacity, alive, content }
    }

    fn merged_content(
        &mut self,
        one: &Content,
        other: &Content,
        capacity: Option<u64>,
        choice: Term,
    ) -> Content {
        match (one, other) {
            (Content::Cells(one), Content::Cells(other)) => {
                Content::Cells(self.merged_cells(one, other, capacity, choice))
            }
            (Content::Array { bytes, .. }, _) | (_, Content::Array { bytes, .. }) => {
                let one = self.as_array(one, *bytes, capacity);
                let other = self.as_array(other, *bytes, capacity);
                Content::Array { bytes: *bytes, term: self.pool.ite(choice, one, other) }
            }
        }
    }

    /// Cells that are the same in both are found without looking at them.
    pub(crate) fn merged_cells(
        &mut self,
        one: &Cells,
        other: &Cells,
        capacity: Option<u64>,
        choice: Term,
    ) -> Cells {
        if one.rest != other.rest {
            return self.merged_everywhere(one, other, capacity.unwrap_or(0), choice);
        }
        let mut merged = one.clone();
        let ranges: Vec<(u64, u64)> = one
            .map
            .diff(&other.map)
            .map(|item| match item {
                DiffItem::Add(&at, cell) | DiffItem::Remove(&at, cell) => (at, at + u64::from(cell.bytes)),
                DiffItem::Update { old: (&at, old), new: (_, new) } => {
                    (at, at + u64::from(old.bytes.max(new.bytes)))
                }
            })
            .collect();
        let mut done = 0;
        for (start, end) in ranges {
            let start = start.max(done);
            if start < end {
                self.merge_range(&mut merged, one, other, (start, end), choice);
                done = end;
            }
        }
        merged
    }

    fn merged_everywhere(&mut self, one: &Cells, other: &Cells, capacity: u64, choice: Term) -> Cells {
        let mut merged = one.clone();
        self.merge_range(&mut merged, one, other, (0, capacity), choice);
        merged
    }

    /// Merges bytes, in the coarsest pieces that both have.
    fn merge_range(
        &mut self,
        merged: &mut Cells,
        one: &Cells,
        other: &Cells,
        (start, end): (u64, u64),
        choice: Term,
    ) {
        let mut at = start;
        while at < end {
            let widest = |cells: &Cells| cells.pieces(at, (end - at).min(8))[0].bytes();
            let bytes = widest(one).min(widest(other)).min(8);
            let (left, right) = (self.read_cells(one, at, bytes), self.read_cells(other, at, bytes));
            let value = self.pool.ite(choice, left.value, right.value);
            let written = self.chosen(choice, left.written, right.written);
            merged.put(&mut self.pool, at, crate::object::Cell { bytes, value, written });
            at += u64::from(bytes);
        }
    }

    fn merged_value(&mut self, one: Value, other: Value, choice: Term) -> Value {
        match (one, other) {
            (Value::Scalar(one), Value::Scalar(other)) if self.pool.sort(one) == self.pool.sort(other) => {
                Value::Scalar(self.pool.ite(choice, one, other))
            }
            (Value::Block(one, size), Value::Block(other, _)) => {
                Value::Block(self.merged_cells(&one, &other, Some(size), choice), size)
            }
            (Value::Nothing, value) | (value, _) => value,
        }
    }
}

fn conjuncts(pool: &TermPool, guard: Term) -> Vec<Term> {
    match pool.op(guard) {
        Op::And => pool.arguments(guard).to_vec(),
        Op::Bool(true) => Vec::new(),
        _ => vec![guard],
    }
}
