//! Executes automata on terms. Calls are entered, loops are unwound, and states that meet at a location are merged, so that
//! control is at each location once for each way to unwind the loops and calls around it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rorqual_cfa::{
    Automaton, Edge, ErrorKind, ExprId, FunctionId, HaltKind, Hazard, Id, LocationId, Operation, Partings,
    Peril, Program, VariableId, VariableKind,
};
use rorqual_evidence::Unwinding;
use rorqual_logic::{Bounds, Op, Sort, Term};
use rorqual_solver::proof::Transcript;
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits};
use rorqual_source::Span;

use super::addresses::{Kind, Objects};
use super::induction::{Changes, Loop};
use super::memory::{Content, Filling, Object, Store};
use super::order::Item;
use super::plan::{Plan, Storage, is_slot};
use super::state::{Binding, ObjectId, Pages, State, Value, Whole};

/// The conflicts for finding out that control does not come back to the head of a loop.
const PRUNING_CONFLICTS: u32 = 2_000;

/// From this iteration on, it is asked whether control comes back to the head of a loop only at powers of two.
const SELDOM: u64 = 4;

/// What must not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// Something that is claimed does not hold: the claim, and what happens instead.
    Failure(String, String),
    /// An operation is undefined.
    Hazard(Hazard),
}

/// A call that is active.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    pub(super) plan: Rc<Plan>,
    /// The first of its slots and bindings.
    pub(super) slots: usize,
    pub(super) bindings: usize,
    /// The objects of its variables that live as long as the call.
    pub(super) fixed: Vec<ObjectId>,
    /// All objects that end with the call at the latest.
    pub(super) owned: Vec<ObjectId>,
    /// Whether a violation may come after the function has returned.
    is_watched_after: bool,
}

/// Where a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// In a slot, counted from the first of all.
    Slot(usize),
    Object(ObjectId),
    /// Nobody knows which of its objects it is.
    Mixed,
}

/// An execution of a program with all inputs at once.
pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) store: Store<'a>,
    pub(super) pointer_width: u32,
    /// Whether the program leaves the rounding of floating-point numbers as it is.
    pub(super) rounds_as_usual: bool,
    pub(super) objects: Objects,
    /// The state before the operation at hand, and then behind it.
    pub(super) state: State,
    pub(super) frames: Vec<Frame>,
    /// What may happen, with its condition, in the order of execution.
    pub(super) events: Vec<(Term, Event)>,
    /// How many claims were proved on the way.
    pub(super) proved: usize,
    peril: Peril,
    partings: Partings,
    /// In how many iterations control is that are assumed to go right.
    pub(super) assuming: u32,
    /// In how many iterations control is of which it is asked what they change.
    pub(super) watching: u32,
    /// What loops change, as far as it is known, by loop and by the first slot of the call.
    pub(super) changes: BTreeMap<(FunctionId, LocationId, usize), Changes>,
    pub(super) bounds: &'a Unwinding,
    limits: &'a Limits,
    solver: BitVecSolver,
    plans: BTreeMap<FunctionId, Rc<Plan>>,
    /// The variables of each function.
    locals: BTreeMap<FunctionId, Vec<VariableId>>,
    /// Where global variables are.
    globals: BTreeMap<VariableId, Held>,
    /// How many calls of a function are active.
    active: BTreeMap<FunctionId, u64>,
    clock: usize,
}

impl<'a> Machine<'a> {
    /// A machine in front of the first operation.
    pub(super) fn new(
        program: &'a Program,
        bounds: &'a Unwinding,
        solver: BitVecSolver,
        limits: &'a Limits,
    ) -> Machine<'a> {
        let mut store = Store::new(program);
        let guard = store.pool.top();
        let state = State {
            guard,
            slots: Pages::default(),
            bindings: Pages::default(),
            objects: Pages::default(),
            result: None,
        };
        let mut locals: BTreeMap<FunctionId, Vec<VariableId>> = BTreeMap::new();
        for (id, variable) in program.variables.iter().filter(|(_, variable)| !variable.kind.is_global()) {
            locals.entry(variable.function.unwrap_or(program.start)).or_default().push(id);
        }
        let mut machine = Machine {
            program,
            store,
            pointer_width: program.types.model().pointer_width(),
            rounds_as_usual: !program.functions.values().any(|function| sets_rounding(&function.name)),
            objects: Objects::default(),
            state,
            frames: Vec::new(),
            events: Vec::new(),
            proved: 0,
            peril: Peril::of(program),
            partings: Partings::default(),
            assuming: 0,
            watching: 0,
            changes: BTreeMap::new(),
            bounds,
            limits,
            solver,
            plans: BTreeMap::new(),
            locals,
            globals: BTreeMap::new(),
            active: BTreeMap::new(),
            clock: 0,
        };
        machine.place_globals();
        machine
    }

    fn place_globals(&mut self) {
        let program = self.program;
        let mut slots = 0;
        for (id, _) in program.variables.iter().filter(|(_, variable)| variable.kind.is_global()) {
            let held = if is_slot(program, id) {
                slots += 1;
                Held::Slot(slots - 1)
            } else {
                Held::Object(self.new_variable(id))
            };
            self.globals.insert(id, held);
        }
        self.state.slots.resize(slots, &None);
    }

    /// A point in time that was not yet.
    pub(super) fn tick(&mut self) -> usize {
        self.clock += 1;
        self.clock
    }

    /// Makes the object of a variable.
    fn new_variable(&mut self, id: VariableId) -> ObjectId {
        let variable = &self.program.variables[id];
        let size = variable.size.or(self.program.types.size_of(variable.ty));
        let size = size.map(|size| self.number(size));
        let align = self.program.types.align_of(variable.ty).max(variable.align);
        let filling = match variable.kind {
            VariableKind::Static => Filling::Zero,
            VariableKind::External => self.store.unknown(true),
            _ => self.store.unknown(false),
        };
        self.begin(Kind::Variable(id), size, align, filling)
    }

    /// Makes an object that is alive.
    pub(super) fn begin(&mut self, kind: Kind, size: Option<Term>, align: u64, filling: Filling) -> ObjectId {
        let guard = self.state.guard;
        let id = self.new_object(kind, size, align, guard);
        let alive = self.store.pool.top();
        self.state.set_object(id, Rc::new(Object { alive, content: Content::filled(filling) }));
        id
    }

    /// Ends the life of an object if a condition holds.
    pub(super) fn end(&mut self, id: ObjectId, condition: Term) {
        let Some(object) = self.state.object(id).cloned() else { return };
        let goes_on = self.store.pool.not(condition);
        let alive = self.store.pool.and2(object.alive, goes_on);
        if alive == object.alive {
            return;
        }
        self.ended(id);
        // What is in an object that has ended is never asked for.
        let is_over = self.store.pool.as_bool(alive) == Some(false);
        let content = if is_over { Content::zero() } else { object.content.clone() };
        self.state.set_object(id, Rc::new(Object { alive, content }));
    }

    /// Something may happen here if a condition holds.
    pub(super) fn event(&mut self, condition: Term, event: Event) {
        if self.is_assumed(condition, &event) {
            return;
        }
        let condition = self.store.pool.and2(self.state.guard, condition);
        if self.store.pool.as_bool(condition) != Some(false)
            && self.events.last() != Some(&(condition, event.clone()))
        {
            self.events.push((condition, event));
        }
    }

    /// An operation is undefined unless a condition holds.
    pub(super) fn require(&mut self, hazard: Hazard, condition: Term) {
        let undefined = self.store.pool.not(condition);
        self.event(undefined, Event::Hazard(hazard));
    }

    /// Something that is not followed happens if a condition holds.
    pub(super) fn not_followed(&mut self, condition: Term, what: &str, span: Span) {
        let place = self.program.sources.position(span);
        let claim = "every operation can be followed".to_owned();
        self.event(condition, Event::Failure(claim, format!("{what} at {place}")));
    }

    /// Any value of a width.
    pub(super) fn any(&mut self, width: u32) -> Value {
        let term = self.store.pool.fresh_symbol("any", Sort::BitVec(width));
        Value { term, set: self.store.pool.top() }
    }

    /// The active call.
    pub(super) fn frame(&self) -> &Frame {
        self.frames.last().expect("some function is active whenever something is executed")
    }

    fn plan(&mut self, function: FunctionId, body: &Automaton) -> Rc<Plan> {
        if let Some(known) = self.plans.get(&function) {
            return known.clone();
        }
        let heads = self
            .bounds
            .loops
            .keys()
            .chain(self.bounds.inductive.keys())
            .filter(|(owner, _)| *owner == function);
        let named: BTreeSet<LocationId> = heads.map(|&(_, head)| head).collect();
        let none = Vec::new();
        let variables = self.locals.get(&function).unwrap_or(&none);
        let plan = Rc::new(Plan::new(self.program, function, body, &named, variables));
        self.plans.insert(function, plan.clone());
        plan
    }

    /// Where a global variable is.
    pub(super) fn global(&self, variable: VariableId) -> Option<Held> {
        self.globals.get(&variable).copied()
    }

    /// Where a variable is; its life starts if it has not.
    pub(super) fn held(&mut self, variable: VariableId) -> Held {
        if let Some(&held) = self.globals.get(&variable) {
            return held;
        }
        let frame = self.frame();
        match frame.plan.storage(variable) {
            Some(Storage::Slot(slot)) => Held::Slot(frame.slots + slot),
            Some(Storage::Fixed(at)) => Held::Object(frame.fixed[at]),
            Some(Storage::Bound(at)) => {
                let index = frame.bindings + at;
                match self.state.bindings.get(index) {
                    Some(Binding::Object(object)) => Held::Object(*object),
                    Some(Binding::Mixed) => Held::Mixed,
                    _ => {
                        let object = self.new_variable(variable);
                        if let Some(frame) = self.frames.last_mut() {
                            frame.owned.push(object);
                        }
                        self.state.bindings.set(index, Binding::Object(object));
                        Held::Object(object)
                    }
                }
            }
            // A variable of another function cannot be named.
            None => Held::Mixed,
        }
    }

    /// Makes a function active. Its parameters have no values yet; the caller goes on at a location.
    pub(super) fn enter(&mut self, function: FunctionId, body: &Automaton, after: Option<LocationId>) {
        let plan = self.plan(function, body);
        let (slots, bindings) = (self.state.slots.len(), self.state.bindings.len());
        self.state.slots.resize(slots + plan.slots.len(), &None);
        self.state.bindings.resize(bindings + plan.bound, &Binding::None);
        let fixed: Vec<ObjectId> = plan.fixed.iter().map(|&variable| self.new_variable(variable)).collect();
        let owned = fixed.clone();
        let is_watched_after = self.frames.last().zip(after).is_some_and(|(caller, after)| {
            caller.is_watched_after || self.peril.is_ahead(caller.function, after)
        });
        self.frames.push(Frame { function, plan, slots, bindings, fixed, owned, is_watched_after });
        *self.active.entry(function).or_default() += 1;
    }

    /// Whether one more call of a function is within the bounds.
    pub(super) fn may_enter(&self, function: FunctionId) -> Result<(), u64> {
        let most = self.bounds.depths.get(&function).copied().unwrap_or(1);
        if self.active.get(&function).is_some_and(|&active| active >= most) { Err(most) } else { Ok(()) }
    }

    /// Executes the active function from a state on, up to where it returns, and makes the caller active again. None if
    /// it never returns.
    pub(super) fn run(&mut self, body: &Automaton, start: State) -> Result<Option<State>, GaveUp> {
        let plan = self.frame().plan.clone();
        let mut arrivals: Vec<Option<State>> = vec![None; body.locations().len()];
        arrivals[body.entry().index()] = Some(start);
        self.items(body, &plan.items, &mut arrivals)?;
        let end = arrivals[body.exit().index()].take();
        for state in arrivals.into_iter().flatten() {
            // All states were followed, or else nothing is proved.
            self.state = state;
            let (always, span) = (self.store.pool.top(), self.program.functions[self.frame().function].span);
            self.not_followed(always, "a jump into a loop of the function", span);
        }
        let frame = self.frames.pop();
        if let Some(frame) = &frame {
            *self.active.entry(frame.function).or_default() -= 1;
        }
        let (Some(end), Some(frame)) = (end, frame) else { return Ok(None) };
        self.state = end;
        let always = self.store.pool.top();
        for &object in &frame.owned {
            self.end(object, always);
        }
        self.state.slots.resize(frame.slots, &None);
        self.state.bindings.resize(frame.bindings, &Binding::None);
        Ok(Some(self.state.clone()))
    }

    pub(super) fn items(
        &mut self,
        body: &Automaton,
        items: &[Item],
        arrivals: &mut [Option<State>],
    ) -> Result<(), GaveUp> {
        for item in items {
            match item {
                Item::Location(location) if *location == body.exit() => {}
                Item::Location(location) => self.location(body, *location, arrivals)?,
                Item::Loop(head, inner) => self.unwind(body, *head, inner, arrivals)?,
            }
        }
        Ok(())
    }

    /// A loop, as often as control comes back to its head.
    fn unwind(
        &mut self,
        body: &Automaton,
        head: LocationId,
        inner: &[Item],
        arrivals: &mut [Option<State>],
    ) -> Result<(), GaveUp> {
        let function = self.frame().function;
        if let Some(&k) = self.bounds.inductive.get(&(function, head))
            && arrivals[head.index()].is_some()
        {
            return self.induct(&Loop { function, body, head, inner }, k, arrivals);
        }
        let bound = self.bounds.loops.get(&(function, head)).copied().unwrap_or(0);
        if arrivals[head.index()].is_none() {
            // Control may come in elsewhere.
            self.items(body, inner, arrivals)?;
        }
        let mut count: u64 = 0;
        while let Some(state) = arrivals[head.index()].take() {
            // Most bounds are exact, so that it is seldom of use to ask.
            let is_asked = count > bound || count > 0 && (count < SELDOM || count.is_power_of_two());
            if is_asked && self.is_impossible(state.guard)? {
                break;
            }
            if count > bound {
                self.state = state;
                let place = self.place_of(function, body, head);
                let claim = format!("control comes back to the head of the {place} at most {bound} times");
                let always = self.store.pool.top();
                self.event(always, Event::Failure(claim, "it may come back once more".to_owned()));
                break;
            }
            arrivals[head.index()] = Some(state);
            self.location(body, head, arrivals)?;
            // What comes back meanwhile waits.
            self.items(body, inner, arrivals)?;
            count += 1;
        }
        Ok(())
    }

    pub(super) fn place_of(&self, function: FunctionId, body: &Automaton, head: LocationId) -> String {
        let name = &self.program.functions[function].name;
        let edge = body.outgoing(head).next().map(|edge| body.edges()[edge].span);
        let span = body.locations()[head].loop_statements.first().copied().or(edge);
        let span = span.unwrap_or(self.program.functions[function].span);
        format!("loop of `{name}` at {}", self.program.sources.position(span))
    }

    /// Whether a condition is shown to be false without much effort.
    pub(super) fn is_impossible(&mut self, guard: Term) -> Result<bool, GaveUp> {
        if let Some(value) = self.store.pool.as_bool(guard) {
            return Ok(!value);
        }
        let limits = super::within(self.limits, PRUNING_CONFLICTS);
        match self.solver.check(&mut self.store.pool, &[guard], &limits) {
            Answer::Unsat(_) => {
                self.proved += 1;
                Ok(true)
            }
            Answer::Unknown(reason @ (GaveUp::Time | GaveUp::Cancelled | GaveUp::Memory)) => Err(reason),
            Answer::Sat(_) | Answer::Unknown(_) => {
                // Whether it is possible, or only not known to be impossible, makes no difference.
                self.solver.forget_model();
                Ok(false)
            }
        }
    }

    /// What the solver has answered, if that is kept.
    pub(super) fn transcript(&self) -> Option<Transcript> {
        self.solver.transcript()
    }

    /// Decides formulas together with what was said for ever.
    pub(super) fn decide(
        &mut self,
        formulas: &[Term],
        limits: &Limits,
    ) -> Answer<rorqual_solver::Model, rorqual_solver::Core> {
        self.solver.check(&mut self.store.pool, formulas, limits)
    }

    /// All edges from a location.
    pub(super) fn location(
        &mut self,
        body: &Automaton,
        location: LocationId,
        arrivals: &mut [Option<State>],
    ) -> Result<(), GaveUp> {
        let Some(state) = arrivals[location.index()].take() else { return Ok(()) };
        self.limits.spent().map_or(Ok(()), Err)?;
        // What comes after the last violation that is possible does not matter.
        let (function, is_watched_after) = (self.frame().function, self.frame().is_watched_after);
        let matters =
            |edge: &&Edge| is_watched_after || self.peril.is_on_or_behind(self.program, function, edge);
        let edges: Vec<&Edge> =
            body.outgoing(location).map(|edge| &body.edges()[edge]).filter(matters).collect();
        let is_branch = edges.len() < 2 || is_branch(&edges);
        let mut condition: Option<(ExprId, Term)> = None;
        let mut state = Some(state);
        for (at, edge) in edges.iter().enumerate() {
            let is_last = at + 1 == edges.len();
            let start = if is_last { state.take() } else { state.clone() };
            let Some(start) = start else { break };
            self.state = start;
            if !is_branch && !is_last {
                // Whichever edge is taken, no two are.
                let choice = self.store.pool.fresh_symbol("edge", Sort::Bool);
                let other = self.store.pool.not(choice);
                if let Some(rest) = &mut state {
                    rest.guard = self.store.pool.and2(rest.guard, other);
                }
                self.state.guard = self.store.pool.and2(self.state.guard, choice);
            }
            if self.follow(edge, &mut condition)? && self.store.pool.as_bool(self.state.guard) != Some(false)
            {
                self.arrive(edge.target, arrivals);
            }
        }
        Ok(())
    }

    /// The state comes to a location, where it is merged with what is there already.
    fn arrive(&mut self, location: LocationId, arrivals: &mut [Option<State>]) {
        let blank = State {
            guard: self.state.guard,
            slots: Pages::default(),
            bindings: Pages::default(),
            objects: Pages::default(),
            result: None,
        };
        let state = std::mem::replace(&mut self.state, blank);
        let merged = match arrivals[location.index()].take() {
            None => state,
            Some(other) => self.merged(&other, &state, Some(location)),
        };
        arrivals[location.index()] = Some(merged);
    }

    /// Follows an edge; whether control comes to its end.
    fn follow(&mut self, edge: &Edge, known: &mut Option<(ExprId, Term)>) -> Result<bool, GaveUp> {
        match &edge.operation {
            Operation::Assume { condition, holds } => {
                let truth = match *known {
                    Some((expr, truth)) if expr == *condition => truth,
                    _ => self.truth(*condition),
                };
                *known = Some((*condition, truth));
                let taken = if *holds { truth } else { self.store.pool.not(truth) };
                self.state.guard = self.store.pool.and2(self.state.guard, taken);
                self.narrow(edge);
                Ok(true)
            }
            Operation::Call { target, callee, arguments } => self.call(edge, *target, *callee, arguments),
            Operation::Return { value } => {
                let value = match value {
                    Some(value) => self.whole(*value),
                    None => Whole::Nothing,
                };
                self.state.result = Some(value);
                Ok(true)
            }
            Operation::Error(_) if self.assuming > 0 => Ok(false),
            Operation::Error(kind) => {
                let what = match kind {
                    ErrorKind::Assertion => "the assertion fails".to_owned(),
                    ErrorKind::Call { function } => format!("`{function}` is called"),
                    ErrorKind::Check { what, .. } => what.clone(),
                };
                let place = self.program.sources.position(edge.span);
                let always = self.store.pool.top();
                let claim = "no error is reached within the bounds".to_owned();
                self.event(always, Event::Failure(claim, format!("{what} at {place}")));
                Ok(false)
            }
            Operation::Unsupported { construct } => {
                let always = self.store.pool.top();
                self.not_followed(always, &format!("{construct}, which is not supported,"), edge.span);
                Ok(false)
            }
            Operation::Halt(kind) => {
                if let HaltKind::Exit(status) = kind {
                    self.eval(*status);
                }
                if *kind == HaltKind::Unreachable {
                    let never = self.store.pool.bottom();
                    self.require(Hazard::Unreachable(self.frame().function, edge.span), never);
                }
                Ok(false)
            }
            operation => {
                self.operation(operation, edge.span);
                Ok(true)
            }
        }
    }

    /// Replaces numbers by narrow terms that are equal to them wherever control comes here, unless control comes together with
    /// other branches of the function again: they would be taken for other values there.
    fn narrow(&mut self, edge: &Edge) {
        let function = self.frame().function;
        let bounds = Bounds::of(&self.store.pool, self.state.guard);
        let Some(body) = self.program.functions[function].body.as_ref() else { return };
        // An iteration changes what it narrows, as far as an induction can see.
        if self.watching > 0 || bounds.is_empty() || !self.partings.is_for_good(function, body, edge) {
            return;
        }
        let plan = self.frame().plan.clone();
        let first = self.frame().slots;
        for (at, &variable) in plan.slots.iter().enumerate() {
            let value = self.state.slots.get(first + at).copied().flatten();
            let is_number = self.program.types.is_integer(self.program.variables[variable].ty);
            if let Some(value) = value.filter(|_| is_number)
                && let Some(term) = bounds.narrowed(&mut self.store.pool, value.term)
            {
                self.state.slots.set(first + at, Some(Value { term, ..value }));
            }
        }
    }

    /// Two states that do not happen in one execution at the same time, as one. At a location, only what is of use there is
    /// kept.
    pub(super) fn merged(&mut self, one: &State, other: &State, at: Option<LocationId>) -> State {
        let (condition, guard) = self.distinction(one.guard, other.guard);
        let mut merged = State { guard, ..one.clone() };
        let first = self.frames.last().map_or(0, |frame| frame.slots);
        let plan = self.frames.last().map(|frame| frame.plan.clone());
        for index in one.slots.differences(&other.slots) {
            let (left, right) =
                (one.slots.get(index).copied().flatten(), other.slots.get(index).copied().flatten());
            if left == right {
                continue;
            }
            let is_live = match (&plan, at, index.checked_sub(first)) {
                (Some(plan), Some(location), Some(slot)) => plan.is_live(location, slot),
                _ => true,
            };
            let value = if is_live { self.merged_slots(condition, left, right) } else { None };
            merged.slots.set(index, value);
        }
        for index in one.bindings.differences(&other.bindings) {
            if one.bindings.get(index) != other.bindings.get(index) {
                merged.bindings.set(index, Binding::Mixed);
            }
        }
        self.merge_objects(condition, &mut merged, other);
        merged.result = self.merged_results(condition, one.result.as_ref(), other.result.as_ref());
        merged
    }

    fn merge_objects(&mut self, condition: Term, merged: &mut State, other: &State) {
        let len = merged.objects.len().max(other.objects.len());
        let mut right = other.objects.clone();
        right.resize(len, &None);
        merged.objects.resize(len, &None);
        for index in merged.objects.differences(&right) {
            let (left, right) =
                (merged.objects.get(index).cloned().flatten(), right.get(index).cloned().flatten());
            let object = match (left, right) {
                (None, None) => continue,
                (Some(left), Some(right)) if Rc::ptr_eq(&left, &right) => continue,
                (Some(left), Some(right)) => self.merged_object(condition, &left, &right),
                (Some(left), None) => {
                    let alive = self.store.pool.and2(condition, left.alive);
                    Rc::new(Object { alive, content: left.content.clone() })
                }
                (None, Some(right)) => {
                    let elsewhere = self.store.pool.not(condition);
                    let alive = self.store.pool.and2(elsewhere, right.alive);
                    Rc::new(Object { alive, content: right.content.clone() })
                }
            };
            merged.objects.set(index, Some(object));
        }
    }

    fn merged_object(&mut self, condition: Term, one: &Rc<Object>, other: &Rc<Object>) -> Rc<Object> {
        let alive = self.store.pool.ite(condition, one.alive, other.alive);
        let is_over = |object: &Object| self.store.pool.as_bool(object.alive) == Some(false);
        let content = match (is_over(one), is_over(other)) {
            (true, _) => other.content.clone(),
            (_, true) => one.content.clone(),
            _ => Content::merged(&mut self.store, condition, &one.content, &other.content),
        };
        Rc::new(Object { alive, content })
    }

    fn merged_slots(&mut self, condition: Term, one: Option<Value>, other: Option<Value>) -> Option<Value> {
        let sort = self.store.pool.sort(one.or(other)?.term);
        let mut unset = |value: Option<Value>| match value {
            Some(value) => value,
            None => {
                let term = self.store.pool.fresh_symbol("any", sort);
                Value { term, set: self.store.pool.bottom() }
            }
        };
        let (one, other) = (unset(one), unset(other));
        Some(self.store.choose(condition, one, other))
    }

    fn merged_results(
        &mut self,
        condition: Term,
        one: Option<&Whole>,
        other: Option<&Whole>,
    ) -> Option<Whole> {
        Some(match (one?, other?) {
            (Whole::Scalar(one), Whole::Scalar(other))
                if self.store.pool.sort(one.term) == self.store.pool.sort(other.term) =>
            {
                Whole::Scalar(self.store.choose(condition, *one, *other))
            }
            (Whole::Block(one), Whole::Block(other)) => {
                Whole::Block(Content::merged(&mut self.store, condition, one, other))
            }
            _ => Whole::Nothing,
        })
    }

    /// A condition that holds for one of two guards that exclude each other and not for the other, and the guard for both.
    fn distinction(&mut self, one: Term, other: Term) -> (Term, Term) {
        let pool = &mut self.store.pool;
        let conjuncts = |pool: &rorqual_logic::TermPool, guard: Term| match pool.op(guard) {
            Op::And => pool.arguments(guard).to_vec(),
            _ => vec![guard],
        };
        let (left, right) = (conjuncts(pool, one), conjuncts(pool, other));
        let (lefts, rights): (BTreeSet<Term>, BTreeSet<Term>) =
            (left.iter().copied().collect(), right.iter().copied().collect());
        let common: Vec<Term> = lefts.intersection(&rights).copied().collect();
        let left: Vec<Term> = left.into_iter().filter(|term| !rights.contains(term)).collect();
        let right: Vec<Term> = right.into_iter().filter(|term| !lefts.contains(term)).collect();
        let mut opposite = None;
        for &term in &left {
            let negation = pool.not(term);
            if rights.contains(&negation) {
                opposite = Some(term);
                break;
            }
        }
        let (left, right) = (pool.and(&left), pool.and(&right));
        let either = pool.or2(left, right);
        let guard = pool.and(&[common.as_slice(), &[either]].concat());
        (opposite.unwrap_or(left), guard)
    }
}

fn sets_rounding(function: &str) -> bool {
    matches!(function, "fesetround" | "fesetenv" | "feupdateenv")
}

/// Whether of two edges exactly one is taken.
fn is_branch(edges: &[&Edge]) -> bool {
    match edges {
        [one, other] => match (&one.operation, &other.operation) {
            (
                Operation::Assume { condition: left, holds: one },
                Operation::Assume { condition: right, holds: other },
            ) => left == right && one != other,
            _ => false,
        },
        _ => false,
    }
}
