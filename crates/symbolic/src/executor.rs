//! Control: which state is executed next, where states meet, how far loops and recursion go.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use rorqual_cfa::{
    EdgeId, ErrorKind, FunctionId, Hazard, LocationId, Partings, Peril, PlaceId, Program, VariableId,
};
use rorqual_evidence::Unwinding;
use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits};
use rorqual_source::Span;
use rustc_hash::FxHashMap;

use crate::candidates::{Asked, Guesses};
use crate::induction::{Changes, Head, Stage};
use crate::kept::{Candidates, Lapse};
use crate::object::{Details, Kind, ObjectId};
use crate::order::Order;
use crate::pointer::Target;
use crate::state::{Frame, State, Value};
use crate::trace::Event;

/// How far loops and recursion are unwound.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounds {
    /// How often control may come back to the head of a loop, or a function may call itself, where inputs decide.
    pub undecided: u64,
    /// The same where inputs do not decide.
    pub decided: u64,
    /// Bounds of single loops.
    pub loops: BTreeMap<(FunctionId, LocationId), u64>,
    /// Loops that are proved by k-induction, each with its `k`.
    pub inductive: BTreeMap<(FunctionId, LocationId), u64>,
    /// What these loops may keep: which candidates are made, and how many for each.
    pub guesses: Guesses,
    /// The most candidates for each loop.
    pub candidates: usize,
    /// How many calls may be active at once.
    pub depth: usize,
    /// How many edges are executed at most.
    pub edges: u64,
    /// How many terms there may be, of all rounds together.
    pub terms: usize,
    /// How often at most the solver is asked whether a loop can go on, in all rounds together.
    pub queries: u64,
    /// How many conflicts each of these questions may take; a loop goes on if they are not enough.
    pub conflicts: u32,
    /// Whether it is asked if what is cut is possible.
    pub cuts: Cuts,
}

/// What is known of cuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cuts {
    /// The solver says that executions come there, or does not know.
    #[default]
    Possible,
    /// Nothing: a loop is cut without a question.
    Unknown,
}

/// Where something cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// What it is, to be followed by "is not supported".
    pub construct: String,
    /// Where.
    pub span: Span,
}

/// A violation that may be reached.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What is violated.
    pub error: ErrorKind,
    /// Where.
    pub span: Span,
    /// When.
    pub guard: Term,
}

/// A loop, or a function that calls itself, that was not followed any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// The function.
    pub function: FunctionId,
    /// The head of the loop; the entry of the function for recursion.
    pub location: LocationId,
    /// How often control has come there.
    pub count: u64,
}

/// What an execution within bounds has met.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The violations.
    pub failures: Vec<Failure>,
    /// What cannot be followed, and when it is met.
    pub obstacles: Vec<(Obstacle, Term)>,
    /// What is undefined, and when.
    pub hazards: Vec<(Hazard, Term)>,
    /// What was cut, and when; each cut is possible.
    pub cuts: Vec<(Cut, Term)>,
    /// How far loops and recursion were unwound.
    pub unwinding: Unwinding,
    /// Whether more was found that a loop by induction changes or may keep: execute again.
    pub is_preliminary: bool,
    /// Candidates that loops by induction do not keep.
    pub lapses: Vec<Lapse>,
    /// What executions take from outside.
    pub(crate) events: Vec<(Term, Event)>,
    /// What is not exact.
    pub(crate) approximations: Vec<(Term, String, Span)>,
}

/// What a symbol that nothing is known of stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Fresh {
    /// An input.
    Input,
    /// What lies outside of objects, or is not known for another reason.
    Outside,
}

/// The parts of an edge that are executed at different times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    Edge,
    /// Control is at the head of a loop by induction.
    Head,
    /// What a function has returned is stored.
    Return(FunctionId),
}

/// Where an execution is: the calls that lead there, and how often each loop was gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Moment(u32);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct MomentKey {
    /// The moment of the call, its edge, and the function.
    call: Option<(Moment, EdgeId, FunctionId)>,
    iterations: Box<[u32]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub(crate) moment: Moment,
    pub(crate) edge: Option<EdgeId>,
    pub(crate) phase: Phase,
}

/// A call that is to be made.
pub(crate) struct PendingCall {
    pub(crate) callee: FunctionId,
    pub(crate) edge: EdgeId,
    pub(crate) target: Option<PlaceId>,
    pub(crate) arguments: Vec<(Value, rorqual_cfa::TypeId)>,
    pub(crate) state: State,
    pub(crate) moment: Moment,
}

/// When a state is executed further. No two locations have the same turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    /// A position.
    position: u32,
    /// What comes back to the head of a loop has its turn after the last position of the loop: `None` comes first.
    back: Option<Reverse<usize>>,
}

impl Turn {
    fn at(position: u32) -> Turn {
        Turn { position, back: None }
    }

    /// Loops that end at one position have different turns: an inner one, whose number is greater, comes before those around.
    fn back(inner: usize, last: u32) -> Turn {
        Turn { position: last, back: Some(Reverse(inner)) }
    }
}

/// Whether control is in an iteration of a loop by induction.
#[derive(Debug, Clone, Copy, Default)]
struct Iterations {
    /// One that is assumed to be without failure.
    assumed: bool,
    /// One of which it is asked what it changes.
    watched: bool,
}

/// A function that is active.
pub(crate) struct Activation {
    pub(crate) function: FunctionId,
    order: Rc<Order>,
    /// The call that made it.
    call: Option<(Moment, EdgeId, FunctionId)>,
    /// What the caller goes on with.
    caller: Option<(Frame, Option<PlaceId>, LocationId)>,
    /// States by when their turn is.
    pending: BTreeMap<Turn, (LocationId, State)>,
    calls: VecDeque<PendingCall>,
    /// How often control has come back to each loop, and how often of these inputs decided.
    pub(crate) counts: Vec<(u64, u64)>,
    /// Where each loop is in its proof by induction, and the state that stands for all at its head.
    pub(crate) stages: Vec<Stage>,
    /// Whether it is asked what the iteration changes.
    pub(crate) watches: Vec<bool>,
    pub(crate) heads: Vec<Option<State>>,
    /// The state in which control came to each of these loops, and the candidates that are about such a state.
    pub(crate) entries: Vec<Option<(State, Rc<[usize]>)>>,
    /// The iterations of callers that the call is in, and those that the location is in.
    entered: Iterations,
    here: Iterations,
    /// The guard with which each loop was gone through last.
    guards: Vec<Option<Term>>,
    exit: Option<State>,
    /// The guard at the entry.
    guard: Term,
    /// Whether a violation may come after the function has returned.
    is_watched_after: bool,
}

impl Activation {
    /// Whether a location is in an iteration that is assumed to be without failure.
    pub(crate) fn is_assumed_at(&self, location: LocationId) -> bool {
        let mut around = self.order.around(location).iter();
        self.entered.assumed || around.any(|&inner| self.stages[inner] == Stage::Assuming)
    }
}

/// So many bytes that were never written have one symbol.
const GRANULE: u64 = 8;

/// Lower numbers count how often an object was made anew.
const FIRST_EPOCH: u32 = 1 << 20;

/// How large an object can be is asked with so many conflicts at most.
const CAPACITY_CONFLICTS: u32 = 500;

/// Executes a program symbolically. Terms and what the solver has learned serve all rounds.
pub struct Executor<'p> {
    pub(crate) program: &'p Program,
    /// The terms.
    pub pool: TermPool,
    /// The solver, which knows what the names of guards stand for.
    pub(crate) solver: BitVecSolver,
    asserted: usize,
    pub(crate) pointer_width: u32,
    /// Where violations may be ahead: what comes after them is not executed.
    peril: Peril,
    pub(crate) partings: Partings,
    /// What never changes about each object.
    pub(crate) details: Vec<Details>,
    known_objects: FxHashMap<(Moment, Kind, Option<EdgeId>), ObjectId>,
    pub(crate) objects_by_base: FxHashMap<Term, ObjectId>,
    pub(crate) known_targets: FxHashMap<Term, Rc<[Target]>>,
    pub(crate) with_base: Vec<Option<bool>>,
    pub(crate) names: FxHashMap<Term, Term>,
    pub(crate) definitions: Vec<Term>,
    symbols: FxHashMap<(Step, u32, Fresh, Sort), Term>,
    epochs: FxHashMap<(Step, u32), u32>,
    pub(crate) unset_symbols: FxHashMap<(ObjectId, u32, u64, u32), Term>,
    moments: FxHashMap<MomentKey, Moment>,
    orders: FxHashMap<FunctionId, Rc<Order>>,
    /// What is being executed.
    pub(crate) step: Step,
    pub(crate) step_guard: Term,
    pub(crate) span: Span,
    counter: u32,
    stack: Vec<Activation>,
    bounds: Bounds,
    pub(crate) outcome: Outcome,
    known_hazards: BTreeSet<(Hazard, Term)>,
    edges: u64,
    queries: u64,
    /// What loops by induction change, as far as it is known.
    pub(crate) changes: BTreeMap<Head, Changes>,
    /// What they may keep.
    pub(crate) candidates: BTreeMap<Head, Candidates>,
    /// What the program compares, once that was asked.
    pub(crate) asked: Option<Rc<Asked>>,
}

impl<'p> Executor<'p> {
    /// An executor of a program.
    pub fn new(program: &'p Program) -> Executor<'p> {
        let mut pool = TermPool::new();
        let step_guard = pool.top();
        Executor {
            program,
            pool,
            solver: BitVecSolver::for_similar_queries(),
            asserted: 0,
            pointer_width: program.types.model().pointer_width(),
            peril: Peril::of(program),
            partings: Partings::default(),
            details: Vec::new(),
            known_objects: FxHashMap::default(),
            objects_by_base: FxHashMap::default(),
            known_targets: FxHashMap::default(),
            with_base: Vec::new(),
            names: FxHashMap::default(),
            definitions: Vec::new(),
            symbols: FxHashMap::default(),
            epochs: FxHashMap::default(),
            unset_symbols: FxHashMap::default(),
            moments: FxHashMap::default(),
            orders: FxHashMap::default(),
            step: Step { moment: Moment(0), edge: None, phase: Phase::Edge },
            step_guard,
            span: Span::NONE,
            counter: 0,
            stack: Vec::new(),
            bounds: Bounds::default(),
            outcome: Outcome::default(),
            known_hazards: BTreeSet::new(),
            edges: 0,
            queries: 0,
            changes: BTreeMap::new(),
            candidates: BTreeMap::new(),
            asked: None,
        }
    }

    /// Executes the program within bounds.
    ///
    /// # Errors
    /// If the limits are reached.
    pub fn execute(&mut self, bounds: &Bounds, limits: &Limits) -> Result<Outcome, GaveUp> {
        self.bounds = bounds.clone();
        self.outcome = Outcome::default();
        self.known_hazards.clear();
        self.stack.clear();
        self.edges = 0;
        let guard = self.pool.top();
        let state = self.first_state(guard);
        self.activate(self.program.start, state, None, None);
        while !self.stack.is_empty() {
            self.advance(limits)?;
        }
        Ok(std::mem::take(&mut self.outcome))
    }

    /// Whether a place where executions were cut is the head of a loop, and not the entry of a function that calls itself.
    pub fn is_loop(&mut self, (function, location): (FunctionId, LocationId)) -> bool {
        self.order(function).loops().iter().any(|one| one.head == location)
    }

    /// Whether the edges of the last bounds are spent.
    pub fn is_spent(&self) -> bool {
        self.edges > self.bounds.edges
    }

    /// Whether some execution fulfils conditions.
    ///
    /// # Errors
    /// If the limits are reached.
    pub fn ask(
        &mut self,
        conditions: &[Term],
        limits: &Limits,
    ) -> Result<Answer<rorqual_solver::Model, rorqual_solver::Core>, GaveUp> {
        self.assert_definitions(limits)?;
        let answer = self.solver.check(&mut self.pool, conditions, limits);
        if !matches!(answer, Answer::Sat(_)) || self.definitions.is_empty() {
            return Ok(answer);
        }
        // A model has values for what is asked for: also for what the names of guards stand for.
        let all = [self.definitions.as_slice(), conditions].concat();
        Ok(self.solver.check(&mut self.pool, &all, limits))
    }

    fn assert_definitions(&mut self, limits: &Limits) -> Result<(), GaveUp> {
        while self.asserted < self.definitions.len() {
            let definition = self.definitions[self.asserted];
            self.solver.assert_for_ever(&mut self.pool, definition, limits)?;
            self.asserted += 1;
        }
        Ok(())
    }

    /// Whether a guard may hold; it may if that is hard to tell.
    pub(crate) fn is_feasible(&mut self, guard: Term, limits: &Limits) -> Result<bool, GaveUp> {
        if let Some(known) = self.pool.as_bool(guard) {
            return Ok(known);
        }
        self.queries += 1;
        if self.queries > self.bounds.queries {
            return Err(GaveUp::Conflicts);
        }
        self.assert_definitions(limits)?;
        let few = limits.clone().with_conflicts(self.bounds.conflicts);
        let mut assumptions = self.defined();
        assumptions.push(guard);
        match self.solver.check(&mut self.pool, &assumptions, &few) {
            Answer::Sat(_) | Answer::Unknown(GaveUp::Conflicts) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// That nothing that is undefined has happened.
    fn defined(&mut self) -> Vec<Term> {
        self.outcome.hazards.iter().map(|&(_, when)| self.pool.not(when)).collect()
    }

    /// The largest of some numbers that a term may exceed in a state.
    pub(crate) fn capacity(&mut self, guard: Term, size: Term) -> Option<u64> {
        if let Some(size) = self.pool.as_bits(size) {
            return size.to_u64();
        }
        for most in [16u64, 64, 256, 1024, 4096] {
            let bound = self.pool.bv(most, self.pointer_width);
            let more = self.pool.bv_ult(bound, size);
            let possible = self.pool.and2(guard, more);
            if self.is_easily_refuted(possible) {
                return Some(most);
            }
        }
        None
    }

    /// Whether a condition is refuted with few conflicts.
    pub(crate) fn is_easily_refuted(&mut self, condition: Term) -> bool {
        let few = Limits::none().with_conflicts(CAPACITY_CONFLICTS);
        match self.pool.as_bool(condition) {
            Some(holds) => !holds,
            None => matches!(self.ask(&[condition], &few), Ok(Answer::Unsat(_))),
        }
    }

    fn order(&mut self, function: FunctionId) -> Rc<Order> {
        let program = self.program;
        let make = || {
            let body =
                program.functions[function].body.as_ref().expect("only functions with a body are active");
            Rc::new(Order::of(body))
        };
        self.orders.entry(function).or_insert_with(make).clone()
    }

    fn activate(
        &mut self,
        function: FunctionId,
        state: State,
        call: Option<(Moment, EdgeId, FunctionId)>,
        caller: Option<(Frame, Option<PlaceId>, LocationId)>,
    ) {
        let order = self.order(function);
        let loops = order.loops().len();
        let guard = state.guard;
        let mut activation = Activation {
            function,
            call,
            caller,
            pending: BTreeMap::new(),
            calls: VecDeque::new(),
            counts: vec![(0, 0); loops],
            stages: vec![Stage::Unwinding; loops],
            watches: vec![false; loops],
            heads: vec![None; loops],
            entries: vec![None; loops],
            entered: self.here(),
            here: self.here(),
            guards: vec![None; loops],
            exit: None,
            guard,
            is_watched_after: false,
            order,
        };
        if let (Some((.., after)), Some(active)) = (&activation.caller, self.stack.last()) {
            activation.is_watched_after =
                active.is_watched_after || self.peril.is_ahead(active.function, *after);
        }
        let entry = self.body(function).entry();
        let position = activation.order.position(entry);
        activation.pending.insert(Turn::at(position), (entry, state));
        self.stack.push(activation);
    }

    pub(crate) fn body(&self, function: FunctionId) -> &'p rorqual_cfa::Automaton {
        self.program.functions[function].body.as_ref().expect("only functions with a body are active")
    }

    pub(crate) fn top(&mut self) -> &mut Activation {
        self.stack.last_mut().expect("a function is active")
    }

    fn here(&self) -> Iterations {
        self.stack.last().map_or_else(Iterations::default, |active| active.here)
    }

    /// Whether an iteration is executed that is assumed to be without failure.
    pub(crate) fn is_assuming(&self) -> bool {
        self.here().assumed
    }

    /// Whether an iteration is executed of which it is asked what it changes.
    pub(crate) fn is_watching(&self) -> bool {
        self.here().watched
    }

    pub(crate) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The frames of all active calls with their functions, the latest first.
    pub(crate) fn frames<'s>(&'s self, state: &'s State) -> impl Iterator<Item = (FunctionId, &'s Frame)> {
        let callers = self.stack.iter().skip(1).filter_map(|active| active.caller.as_ref());
        let frames: Vec<&Frame> = callers.map(|(frame, ..)| frame).chain([&state.frame]).collect();
        self.stack.iter().map(|active| active.function).zip(frames).rev()
    }

    /// The frames of the callers, for who looks for pointers.
    pub(crate) fn caller_frames(&self) -> impl Iterator<Item = &Frame> {
        self.stack.iter().filter_map(|activation| activation.caller.as_ref().map(|(frame, ..)| frame))
    }

    pub(crate) fn function(&self) -> FunctionId {
        self.stack.last().expect("a function is active").function
    }

    /// One location, or one call, further.
    fn advance(&mut self, limits: &Limits) -> Result<(), GaveUp> {
        if let Some(call) = self.top().calls.pop_front() {
            self.enter(call, limits)?;
            return Ok(());
        }
        let Some((turn, (location, mut state))) = self.top().pending.pop_first() else {
            self.leave();
            return Ok(());
        };
        let activation = self.top();
        let order = activation.order.clone();
        let own =
            order.around(location).last().copied().filter(|&inner| order.loops()[inner].head == location);
        if let Some(inner) = own {
            let head = (activation.function, location);
            if turn.back.is_none() {
                activation.counts[inner] = (0, 0);
                activation.stages[inner] = Stage::Unwinding;
            } else {
                activation.counts[inner].0 += 1;
            }
            if let Some(&k) = self.bounds.inductive.get(&head) {
                match self.next_iteration(inner, head, k, state, limits)? {
                    Some(next) => state = next,
                    None => return Ok(()),
                }
            } else if turn.back.is_some() && !self.may_go_on(inner, location, &state, limits)? {
                return Ok(());
            }
            self.top().guards[inner] = Some(state.guard);
        }
        self.location(location, state, limits)
    }

    /// Whether a loop is gone through once more.
    fn may_go_on(
        &mut self,
        inner: usize,
        location: LocationId,
        state: &State,
        limits: &Limits,
    ) -> Result<bool, GaveUp> {
        let activation = self.top();
        let is_decided = activation.guards[inner] == Some(state.guard);
        let (count, undecided) = &mut activation.counts[inner];
        *undecided += u64::from(!is_decided);
        let (count, undecided) = (*count, *undecided);
        let function = self.function();
        let bound = self.bounds.loops.get(&(function, location)).copied();
        let is_cut = match bound {
            Some(bound) => count > bound,
            None => undecided > self.bounds.undecided || count > self.bounds.decided,
        };
        let is_asked = !(is_decided || is_cut && self.bounds.cuts == Cuts::Unknown);
        if is_asked && !self.is_feasible(state.guard, limits)? {
            return Ok(false);
        }
        if is_cut || self.edges > self.bounds.edges {
            let cut = Cut { function, location, count: count - 1 };
            self.outcome.cuts.push((cut, state.guard));
            return Ok(false);
        }
        let most = self.outcome.unwinding.loops.entry((function, location)).or_default();
        *most = (*most).max(count);
        Ok(true)
    }

    fn location(&mut self, location: LocationId, state: State, limits: &Limits) -> Result<(), GaveUp> {
        let function = self.function();
        let body = self.body(function);
        if location == body.exit() {
            let merged = match self.top().exit.take() {
                None => state,
                Some(other) => self.merged(other, state),
            };
            self.top().exit = Some(merged);
            return Ok(());
        }
        let activation = self.top();
        let assumed = activation.is_assumed_at(location);
        let mut around = activation.order.around(location).iter();
        let watched = activation.entered.watched || around.any(|&inner| activation.watches[inner]);
        activation.here = Iterations { assumed, watched };
        let moment = self.moment(location);
        for edge in body.outgoing(location) {
            limits.spent().map_or(Ok(()), Err)?;
            if self.pool.len() > self.bounds.terms {
                return Err(GaveUp::Memory);
            }
            let details = &body.edges()[edge];
            let is_watched_after = self.top().is_watched_after;
            if !is_watched_after && !self.peril.is_on_or_behind(self.program, function, details) {
                continue;
            }
            self.edges += 1;
            self.begin_step(Step { moment, edge: Some(edge), phase: Phase::Edge }, &state, details.span);
            let mut state = state.clone();
            match self.operation(&mut state, &details.operation, edge) {
                Ok(true) => self.arrive(details.source, details.target, state),
                Ok(false) => {}
                Err(obstacle) => self.outcome.obstacles.push((obstacle, state.guard)),
            }
        }
        Ok(())
    }

    pub(crate) fn begin_step(&mut self, step: Step, state: &State, span: Span) {
        self.step = step;
        self.step_guard = state.guard;
        self.counter = 0;
        self.span = span;
    }

    /// A state comes to a location of the active function.
    fn arrive(&mut self, source: LocationId, target: LocationId, state: State) {
        if self.pool.as_bool(state.guard) == Some(false) {
            return;
        }
        let activation = self.top();
        let around = activation.order.around(target);
        let leaves = |inner: &usize| activation.stages[*inner] == Stage::Assuming && !around.contains(inner);
        if activation.order.around(source).iter().any(leaves) {
            return;
        }
        let turn = match activation.order.back(source, target) {
            Some(inner) => Turn::back(inner, activation.order.loops()[inner].last),
            None => Turn::at(activation.order.position(target)),
        };
        let merged = match self.top().pending.remove(&turn) {
            None => state,
            Some((_, other)) => self.merged(other, state),
        };
        self.top().pending.insert(turn, (target, merged));
    }

    /// Whether a function may be called once more; those that call themselves are cut like loops.
    fn may_enter(&mut self, call: &PendingCall, limits: &Limits) -> Result<bool, GaveUp> {
        let callee = call.callee;
        let same: Vec<Term> =
            self.stack.iter().filter(|active| active.function == callee).map(|active| active.guard).collect();
        let depth = same.len() as u64;
        if depth > 0 {
            let is_decided = same.last() == Some(&call.state.guard);
            if !is_decided && !self.is_feasible(call.state.guard, limits)? {
                return Ok(false);
            }
            let undecided = same.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
            let most = if is_decided { self.bounds.decided } else { self.bounds.undecided };
            let spent = if is_decided { depth } else { undecided + 1 };
            if spent > most || self.stack.len() > self.bounds.depth || self.edges > self.bounds.edges {
                let location = self.body(callee).entry();
                let cut = Cut { function: callee, location, count: depth };
                self.outcome.cuts.push((cut, call.state.guard));
                return Ok(false);
            }
            let most = self.outcome.unwinding.depths.entry(callee).or_default();
            *most = (*most).max(depth + 1);
        }
        Ok(true)
    }

    fn enter(&mut self, call: PendingCall, limits: &Limits) -> Result<(), GaveUp> {
        if self.pool.as_bool(call.state.guard) == Some(false) || !self.may_enter(&call, limits)? {
            return Ok(());
        }
        let PendingCall { callee, edge, target, arguments, mut state, moment } = call;
        let after = self.body(self.function()).edges()[edge].target;
        let caller = std::mem::take(&mut state.frame);
        state.result = Value::Nothing;
        self.activate(callee, state, Some((moment, edge, callee)), Some((caller, target, after)));
        let entry = self.body(callee).entry();
        let moment = self.moment(entry);
        let span = self.program.functions[callee].span;
        let (&turn, _) = self.top().pending.first_key_value().expect("the entry is pending");
        let (_, mut state) = self.top().pending.remove(&turn).expect("it was there");
        self.begin_step(Step { moment, edge: None, phase: Phase::Edge }, &state, span);
        match self.set_parameters(&mut state, callee, arguments) {
            Ok(()) => {
                self.top().pending.insert(turn, (entry, state));
            }
            Err(obstacle) => self.outcome.obstacles.push((obstacle, state.guard)),
        }
        Ok(())
    }

    /// The active function is done: its caller goes on.
    fn leave(&mut self) {
        let Some(activation) = self.stack.pop() else { return };
        let (Some(mut state), Some((frame, target, after))) = (activation.exit, activation.caller) else {
            return;
        };
        self.end_frame(&mut state);
        state.frame = frame;
        let Some((moment, edge, callee)) = activation.call else { return };
        let source = self.body(self.function()).edges()[edge].source;
        let span = self.body(self.function()).edges()[edge].span;
        self.begin_step(Step { moment, edge: Some(edge), phase: Phase::Return(callee) }, &state, span);
        let result = std::mem::replace(&mut state.result, Value::Nothing);
        match self.deliver_result(&mut state, callee, target, result) {
            Ok(()) => self.arrive(source, after, state),
            Err(obstacle) => self.outcome.obstacles.push((obstacle, state.guard)),
        }
    }

    pub(crate) fn push_call(&mut self, call: PendingCall) {
        self.top().calls.push_back(call);
    }

    pub(crate) fn moment(&mut self, location: LocationId) -> Moment {
        let activation = self.top();
        let counts = &activation.counts;
        let iterations =
            activation.order.around(location).iter().map(|&inner| counts[inner].0 as u32).collect();
        let key = MomentKey { call: activation.call, iterations };
        let next = Moment(self.moments.len() as u32);
        *self.moments.entry(key).or_insert(next)
    }

    /// A symbol for something that is not known. In every round it is the same at the same moment.
    pub(crate) fn fresh(&mut self, kind: Fresh, sort: Sort) -> Term {
        self.counter += 1;
        let key = (self.step, self.counter, kind, sort);
        if let Some(&known) = self.symbols.get(&key) {
            return known;
        }
        let hint = match kind {
            Fresh::Input => "input",
            Fresh::Outside => "any",
        };
        let symbol = self.pool.fresh_symbol(hint, sort);
        self.symbols.insert(key, symbol);
        symbol
    }

    /// A number for content of an object that is not known, the same in every round.
    pub(crate) fn epoch(&mut self) -> u32 {
        self.counter += 1;
        let next = FIRST_EPOCH + self.epochs.len() as u32;
        *self.epochs.entry((self.step, self.counter)).or_insert(next)
    }

    /// Notes that something is not exact.
    pub(crate) fn approximate(&mut self, what: &str) {
        self.outcome.approximations.push((self.step_guard, what.to_owned(), self.span));
    }

    /// What bytes contain that were never written: a part of the symbols for the eight bytes around each.
    pub(crate) fn unset(&mut self, object: ObjectId, epoch: u32, offset: u64, bytes: u32) -> Term {
        let mut whole: Option<Term> = None;
        let (mut at, end) = (offset, offset + u64::from(bytes));
        while at < end {
            let first = at - at % GRANULE;
            let last = end.min(first + GRANULE);
            let symbol = self.granule(object, epoch, first);
            let (low, high) = ((at - first) as u32 * 8, (last - first) as u32 * 8 - 1);
            let piece = self.pool.bv_extract(symbol, high, low);
            whole = Some(whole.map_or(piece, |low| self.pool.bv_concat(piece, low)));
            at = last;
        }
        whole.expect("there are bytes")
    }

    fn granule(&mut self, object: ObjectId, epoch: u32, first: u64) -> Term {
        let key = (object, epoch, first, GRANULE as u32);
        if let Some(&known) = self.unset_symbols.get(&key) {
            return known;
        }
        let symbol = self.pool.fresh_symbol("unset", Sort::BitVec(GRANULE as u32 * 8));
        self.unset_symbols.insert(key, symbol);
        symbol
    }

    /// The same for elements of so many bytes.
    pub(crate) fn unset_array(&mut self, object: ObjectId, epoch: u32, bytes: u32) -> Term {
        let key = (object, epoch, u64::MAX, bytes);
        if let Some(&known) = self.unset_symbols.get(&key) {
            return known;
        }
        let sort = Sort::Array { index: self.pointer_width, element: bytes * 8 };
        let symbol = self.pool.fresh_symbol("unset", sort);
        self.unset_symbols.insert(key, symbol);
        symbol
    }

    /// The object of a global variable, if it was ever accessed.
    pub(crate) fn global_object(&self, variable: VariableId) -> Option<ObjectId> {
        self.known_objects.get(&(Moment(u32::MAX), Kind::Variable(variable), None)).copied()
    }

    /// The object that is made at the current moment, by the current edge if there may be several.
    pub(crate) fn make_object(&mut self, kind: Kind, align: u64, by_edge: bool) -> ObjectId {
        self.known_object((self.step.moment, kind, self.step.edge.filter(|_| by_edge)), align)
    }

    /// The object that is there from the start on.
    pub(crate) fn make_global(&mut self, kind: Kind, align: u64) -> ObjectId {
        self.known_object((Moment(u32::MAX), kind, None), align)
    }

    /// The address of an object is a multiple of its alignment.
    fn known_object(&mut self, key: (Moment, Kind, Option<EdgeId>), align: u64) -> ObjectId {
        let kind = key.1;
        if let Some(&known) = self.known_objects.get(&key) {
            return known;
        }
        let id = ObjectId(self.details.len() as u32);
        let zeros = align.max(1).trailing_zeros();
        let high = self.pool.fresh_symbol("address", Sort::BitVec(self.pointer_width - zeros));
        let base = match zeros {
            0 => high,
            _ => {
                let low = self.pool.bv(0u8, zeros);
                self.pool.bv_concat(high, low)
            }
        };
        self.details.push(Details { kind, base });
        self.objects_by_base.insert(base, id);
        self.known_objects.insert(key, id);
        id
    }

    /// Something is undefined if a condition holds. An execution that does it always ends there.
    pub(crate) fn hazard(&mut self, state: &mut State, hazard: Hazard, condition: Term) {
        if self.pool.as_bool(condition) == Some(false) {
            return;
        }
        let when = self.pool.and2(state.guard, condition);
        if self.pool.as_bool(when) == Some(false) {
            return;
        }
        if self.is_assuming() {
            let fine = self.pool.not(condition);
            state.guard = self.conjoined(state.guard, fine);
            return;
        }
        if self.known_hazards.insert((hazard, when)) {
            self.outcome.hazards.push((hazard, when));
        }
        if self.pool.as_bool(condition) == Some(true) {
            state.guard = self.pool.bottom();
        }
    }

    pub(crate) fn obstacle(&self, construct: impl Into<String>) -> Obstacle {
        Obstacle { construct: construct.into(), span: self.span }
    }

    pub(crate) fn note_event(&mut self, state: &State, event: Event) {
        self.outcome.events.push((state.guard, event));
    }

    /// Reports an error that the program itself names.
    pub(crate) fn failure(&mut self, state: &State, error: &ErrorKind) {
        if self.is_assuming() {
            return;
        }
        let (error, guard, span) = (error.clone(), state.guard, self.span);
        self.outcome.failures.push(Failure { error, span, guard });
    }

    pub(crate) fn is_slot(&self, variable: VariableId) -> bool {
        let details = &self.program.variables[variable];
        !details.address_taken && self.program.types.is_scalar(details.ty)
    }
}
