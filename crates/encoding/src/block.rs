//! Blocks: everything between two points at which blocks end, as one formula.
//!
//! The edges of a block have no cycle, so they are translated in topological order. Where control meets, the
//! states are merged: a cell that differs becomes a conditional. Guards of branches that meet again fold back into
//! the guard before the branch.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use rorqual_cfa::{Automaton, Callee, EdgeId, ErrorKind, FunctionId, LocationId, Operation, PlaceId};
use rorqual_logic::{Op, SymbolId, Term, TermPool};
use rorqual_memory::Object;
use rorqual_source::Span;

use crate::cells::CellId;
use crate::context::{Context, Point};
use crate::procedure::{Call, Procedure};
use crate::state::State;
use crate::translate::{Obstacle, Taken, Translation};
use crate::{Blocks, Encoding};

/// A block: all ways from a point to the next ones.
#[derive(Debug)]
pub struct Block {
    /// The ways out, in a fixed order.
    pub exits: Vec<Exit>,
    /// Its edges in topological order.
    pub steps: Vec<Step>,
    /// All symbols that it mentions.
    pub symbols: Vec<(SymbolId, Term)>,
    /// All points that its edges lead to, whether or not they can be taken.
    pub ends: BTreeSet<Point>,
    /// The calls of procedures in it, each after those that come before it. Only bodies of procedures have any.
    pub calls: Vec<Call>,
}

/// A way out of a block.
#[derive(Debug)]
pub struct Exit {
    /// Where it leads.
    pub target: Target,
    /// When it is taken, over the cells at the start of the block and the block's own symbols.
    pub guard: Term,
    /// The cells that changed, with their new values.
    pub updates: Vec<(CellId, Term)>,
}

/// Where an exit leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// To another point.
    Point(Point),
    /// To a violation of the specification.
    Error,
    /// To something that is not supported.
    Unsupported(Obstacle),
}

/// An edge of a block.
#[derive(Debug)]
pub struct Step {
    /// In which context.
    pub context: Context,
    /// The edge of the active function.
    pub edge: EdgeId,
    /// When the edge is taken.
    pub guard: Term,
    /// What it takes from outside.
    pub taken: Vec<Taken>,
    /// What is not modelled exactly.
    pub approximations: Vec<String>,
    /// Whether it violates the specification.
    pub error: Option<ErrorKind>,
    /// The source text.
    pub span: Span,
    /// The call that happens on it, by its number, if procedures are not looked into.
    pub call: Option<usize>,
}

/// What is known of a function's automaton: where blocks end.
#[derive(Debug)]
pub(crate) struct Shape {
    ends: BTreeSet<LocationId>,
}

impl Shape {
    fn of(body: &Automaton, kind: Blocks) -> Shape {
        let mut ends = loop_heads(body);
        ends.extend(body.locations().ids().filter(|&at| body.locations()[at].is_marked));
        if kind == Blocks::Basic {
            let mut incoming: HashMap<LocationId, usize> = HashMap::new();
            for edge in body.edges().values() {
                *incoming.entry(edge.target).or_default() += 1;
            }
            let meets = |location: &LocationId| incoming.get(location).is_some_and(|&count| count > 1);
            ends.extend(body.locations().ids().filter(|at| meets(at) || body.outgoing(*at).count() > 1));
        }
        Shape { ends }
    }
}

/// The locations that edges lead back to in a depth-first search: every cycle has one.
fn loop_heads(body: &Automaton) -> BTreeSet<LocationId> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Open,
        Done,
    }
    let mut heads = BTreeSet::new();
    let mut marks: HashMap<LocationId, Mark> = HashMap::from([(body.entry(), Mark::Open)]);
    let mut stack = vec![(body.entry(), body.outgoing(body.entry()))];
    while let Some((location, edges)) = stack.last_mut() {
        let Some(edge) = edges.next() else {
            marks.insert(*location, Mark::Done);
            stack.pop();
            continue;
        };
        let target = body.edges()[edge].target;
        match marks.get(&target) {
            Some(Mark::Open) => {
                heads.insert(target);
            }
            Some(Mark::Done) => {}
            None => {
                marks.insert(target, Mark::Open);
                stack.push((target, body.outgoing(target)));
            }
        }
    }
    heads
}

/// How control goes on after an edge.
#[derive(Debug, Clone, Copy)]
enum Move {
    /// To another location of the function.
    Along,
    /// Into a function.
    Into(FunctionId, Context),
    /// Over the call of a function that is not looked into.
    Over(FunctionId),
    /// Nowhere.
    End,
}

/// The state in which control is at a point of a block.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    pub(crate) guard: Term,
    pub(crate) state: State,
}

impl Encoding<'_> {
    /// The block that starts at a point.
    pub fn block(&mut self, start: Point) -> Rc<Block> {
        if let Some(known) = self.blocks.get(&start) {
            return known.clone();
        }
        let block = Rc::new(Builder::new(self, start).build());
        self.blocks.insert(start, block.clone());
        block
    }

    fn body(&self, context: Context) -> &Automaton {
        let function = self.contexts.function(context);
        self.program.functions[function].body.as_ref().expect("only functions with bodies are entered")
    }

    fn shape(&mut self, context: Context) -> Rc<Shape> {
        let function = self.contexts.function(context);
        if let Some(known) = self.heads.get(&function) {
            return known.clone();
        }
        let shape = Rc::new(Shape::of(self.body(context), self.kind));
        self.heads.insert(function, shape.clone());
        shape
    }

    /// Whether blocks end at the point.
    fn is_end(&mut self, point: Point) -> bool {
        self.shape(point.context).ends.contains(&point.location)
    }
}

pub(crate) struct Builder<'e, 'p> {
    pub(crate) encoding: &'e mut Encoding<'p>,
    start: Point,
    /// Where the procedure ends whose body is built, if it is one.
    exits: Option<BTreeSet<LocationId>>,
    arrivals: HashMap<Point, Vec<Arrival>>,
    /// Where the block ends, with all arrivals there.
    leaving: BTreeMap<Point, Vec<Arrival>>,
    pub(crate) errors: Vec<Term>,
    obstacles: Vec<(Obstacle, Term)>,
    pub(crate) steps: Vec<Step>,
    pub(crate) calls: Vec<Call>,
    ends: BTreeSet<Point>,
}

impl<'e, 'p> Builder<'e, 'p> {
    fn new(encoding: &'e mut Encoding<'p>, start: Point) -> Builder<'e, 'p> {
        Builder {
            encoding,
            start,
            exits: None,
            arrivals: HashMap::new(),
            leaving: BTreeMap::new(),
            errors: Vec::new(),
            obstacles: Vec::new(),
            steps: Vec::new(),
            calls: Vec::new(),
            ends: BTreeSet::new(),
        }
    }

    /// For the body of a procedure that starts at a point.
    pub(crate) fn of_procedure(
        encoding: &'e mut Encoding<'p>,
        procedure: Procedure,
        start: Point,
    ) -> Builder<'e, 'p> {
        let exits = Some(encoding.exits_of(procedure));
        Builder { exits, ..Builder::new(encoding, start) }
    }

    /// Whether the block ends at a point.
    fn is_end(&mut self, point: Point) -> bool {
        match &self.exits {
            Some(exits) => {
                self.encoding.contexts.caller(point.context).is_none() && exits.contains(&point.location)
            }
            None => point == self.start || self.encoding.is_end(point),
        }
    }

    /// Whether control at a point calls a loop.
    fn is_loop_call(&mut self, point: Point) -> bool {
        self.exits.is_some() && self.encoding.is_loop_call(point)
    }

    /// The point at a location of the same function after an edge.
    pub(crate) fn after(&self, context: Context, location: LocationId) -> Point {
        Point { context: self.encoding.contexts.after_edge(context), location }
    }

    pub(crate) fn build(mut self) -> Block {
        let order = self.topological_order();
        let guard = self.encoding.pool.top();
        let state = self.first_state();
        self.arrivals.insert(self.start, vec![Arrival { guard, state }]);
        for point in order {
            if let Some(arrivals) = self.arrivals.remove(&point) {
                let arrival = meet(&mut self.encoding.pool, &self.encoding.cells, arrivals);
                self.go_on(point, &arrival);
            }
        }
        self.finish()
    }

    /// The state at the start of the block: nothing is allocated when the program starts.
    fn first_state(&mut self) -> State {
        let mut state = State::default();
        let starts = self.encoding.function(self.start.context) == self.encoding.program.start
            && self.start.location == self.encoding.start().location
            && !self.encoding.contexts.is_before_loop(self.start.context);
        if starts {
            self.encoding.open_ledgers(&mut state);
        }
        state
    }

    fn finish(mut self) -> Block {
        let mut exits = Vec::new();
        for (obstacle, guard) in std::mem::take(&mut self.obstacles) {
            exits.push(Exit { target: Target::Unsupported(obstacle), guard, updates: Vec::new() });
        }
        let errors = self.encoding.pool.or(&self.errors);
        exits.push(Exit { target: Target::Error, guard: errors, updates: Vec::new() });
        for (point, arrivals) in std::mem::take(&mut self.leaving) {
            let arrival = meet(&mut self.encoding.pool, &self.encoding.cells, arrivals);
            let updates = arrival.state.changes(&self.encoding.cells);
            exits.push(Exit { target: Target::Point(point), guard: arrival.guard, updates });
        }
        exits.retain(|exit| self.encoding.pool.as_bool(exit.guard) != Some(false));
        let symbols = symbols(self.encoding, &exits, &self.steps, &self.calls);
        Block { exits, steps: self.steps, symbols, ends: self.ends, calls: self.calls }
    }

    /// The points of the block, each after all points that lead to it.
    fn topological_order(&mut self) -> Vec<Point> {
        let mut order = Vec::new();
        let mut seen = BTreeSet::from([self.start]);
        let first = self.successors(self.start);
        let mut stack = vec![(self.start, first)];
        while let Some((point, successors)) = stack.last_mut() {
            let Some(next) = successors.pop() else {
                order.push(*point);
                stack.pop();
                continue;
            };
            if self.is_end(next) {
                self.ends.insert(next);
            } else if seen.insert(next) {
                let successors = self.successors(next);
                stack.push((next, successors));
            }
        }
        order.reverse();
        order
    }

    /// The points after a point.
    fn successors(&mut self, point: Point) -> Vec<Point> {
        if self.is_loop_call(point) {
            let function = self.encoding.function(point.context);
            let called = Procedure { function, head: Some(point.location) };
            let exits = self.encoding.exits_of(called).into_iter();
            return exits.map(|location| Point { location, ..point }).collect();
        }
        let edges: Vec<EdgeId> = self.encoding.body(point.context).outgoing(point.location).collect();
        if edges.is_empty() {
            return self.after_return(point).map(|(point, _, _)| point).into_iter().collect();
        }
        let mut successors = Vec::new();
        for edge in edges {
            let target = self.encoding.body(point.context).edges()[edge].target;
            for (step, _) in self.moves(point.context, edge) {
                match step {
                    Move::Along | Move::Over(_) => successors.push(self.after(point.context, target)),
                    Move::Into(function, context) => {
                        let body = self.encoding.program.functions[function].body.as_ref();
                        let entry = body.expect("functions without body are not entered").entry();
                        successors.push(Point { context, location: entry });
                    }
                    Move::End => {}
                }
            }
        }
        successors
    }

    /// How control can go on along an edge; for calls through a pointer, with the function.
    fn moves(&mut self, context: Context, edge: EdgeId) -> Vec<(Move, Option<FunctionId>)> {
        let program = self.encoding.program;
        let function = self.encoding.contexts.function(context);
        let body = program.functions[function].body.as_ref().expect("the edge is in it");
        match &body.edges()[edge].operation {
            Operation::Error(_) | Operation::Halt(_) | Operation::Unsupported { .. } => {
                vec![(Move::End, None)]
            }
            Operation::Call { callee, .. } => {
                let callees = self.encoding.analysis.memory.callees(program, *callee);
                let over: Vec<FunctionId> = match &self.exits {
                    Some(_) => {
                        callees.iter().copied().filter(|&one| self.encoding.is_procedure(one)).collect()
                    }
                    None => Vec::new(),
                };
                let enter = |callee: FunctionId| match &program.functions[callee].body {
                    None => (Move::Along, Some(callee)),
                    Some(_) if over.contains(&callee) => (Move::Over(callee), Some(callee)),
                    Some(_) => match self.encoding.contexts.enter(context, edge, callee) {
                        Some(inner) => (Move::Into(callee, inner), Some(callee)),
                        None => (Move::End, Some(callee)),
                    },
                };
                let mut moves: Vec<_> = callees.into_iter().map(enter).collect();
                if self.encoding.analysis.memory.may_call_unknown(program, *callee) {
                    moves.push((Move::End, None));
                }
                moves
            }
            _ => vec![(Move::Along, None)],
        }
    }

    /// Where control is after the function of a point returns from there, if it is at the exit.
    fn after_return(&self, point: Point) -> Option<(Point, FunctionId, Option<PlaceId>)> {
        let (caller, site) = self.encoding.contexts.caller(point.context)?;
        if self.encoding.body(point.context).exit() != point.location {
            return None;
        }
        let edge = &self.encoding.body(caller).edges()[site.edge];
        let Operation::Call { target, .. } = edge.operation else { return None };
        Some((Point { context: caller, location: edge.target }, site.callee, target))
    }

    /// Follows all edges of a point.
    fn go_on(&mut self, point: Point, arrival: &Arrival) {
        if self.is_loop_call(point) {
            return self.call_loop(point, arrival);
        }
        let edges: Vec<EdgeId> = self.encoding.body(point.context).outgoing(point.location).collect();
        if edges.is_empty() {
            self.go_back(point, arrival);
        }
        let mut taken_before: Vec<Term> = Vec::new();
        for edge in edges {
            for (step, callee) in self.moves(point.context, edge) {
                if let Move::Over(callee) = step {
                    self.call_function(point.context, edge, callee, arrival);
                    continue;
                }
                self.follow(point.context, edge, step, callee, arrival, &mut taken_before);
            }
        }
    }

    /// Returns to the caller.
    fn go_back(&mut self, point: Point, arrival: &Arrival) {
        let Some((next, callee, target)) = self.after_return(point) else { return };
        let (caller, site) = self.encoding.contexts.caller(point.context).expect("there is one");
        let span = self.encoding.body(caller).edges()[site.edge].span;
        let mut translation =
            Translation::new(self.encoding, next.context, site.edge, arrival.state.clone(), span);
        translation.end_stack(callee);
        let done = match target {
            Some(target) => translation.take_result(callee, target),
            None => Ok(()),
        };
        let mut outcome = Outcome::of(translation, done);
        let encoding = &*self.encoding;
        outcome.state.forget(|cell| encoding.is_local_to(cell, callee));
        if let Some(guard) = self.record(caller, site.edge, arrival.guard, span, &mut outcome, None) {
            self.arrive(next, Arrival { guard, state: outcome.state });
        }
    }

    fn follow(
        &mut self,
        context: Context,
        edge: EdgeId,
        step: Move,
        callee: Option<FunctionId>,
        arrival: &Arrival,
        taken_before: &mut Vec<Term>,
    ) {
        let program = self.encoding.program;
        let function = self.encoding.contexts.function(context);
        let details = &program.functions[function].body.as_ref().expect("it has the edge").edges()[edge];
        let mut translation =
            Translation::new(self.encoding, context, edge, arrival.state.clone(), details.span);
        // Control takes the first edge whose assumption holds.
        for &before in taken_before.iter() {
            let not = translation.encoding.pool.not(before);
            translation.require(not);
        }
        let done = translate(&mut translation, function, &details.operation, step, callee);
        if let Operation::Assume { .. } = details.operation {
            let condition = translation.conditions.last().copied();
            taken_before.extend(condition.filter(|_| done.is_ok()));
        }
        let mut outcome = Outcome::of(translation, done);
        let error = match &details.operation {
            Operation::Error(kind) => Some(kind.clone()),
            _ => None,
        };
        let is_error = error.is_some();
        let Some(guard) = self.record(context, edge, arrival.guard, details.span, &mut outcome, error) else {
            return;
        };
        match step {
            _ if is_error => self.errors.push(guard),
            Move::End | Move::Over(_) => {}
            Move::Along => {
                let next = self.after(context, details.target);
                self.arrive(next, Arrival { guard, state: outcome.state });
            }
            Move::Into(callee, inner) => {
                let entry = program.functions[callee].body.as_ref().expect("it has one").entry();
                let next = Point { context: inner, location: entry };
                self.arrive(next, Arrival { guard, state: outcome.state });
            }
        }
    }

    /// Notes an edge and what stands in its way; the guard of what comes after it, unless it is false.
    pub(crate) fn record(
        &mut self,
        context: Context,
        edge: EdgeId,
        before: Term,
        span: Span,
        outcome: &mut Outcome,
        error: Option<ErrorKind>,
    ) -> Option<Term> {
        self.note_obstacles(before, outcome);
        let pool = &mut self.encoding.pool;
        let condition = pool.and(&outcome.conditions);
        let guard = pool.and2(before, condition);
        if outcome.is_blocked || pool.as_bool(guard) == Some(false) {
            return None;
        }
        let taken = std::mem::take(&mut outcome.taken);
        let approximations = std::mem::take(&mut outcome.approximations);
        self.steps.push(Step { context, edge, guard, taken, approximations, error, span, call: None });
        Some(guard)
    }

    /// Notes what stands in the way of an edge.
    pub(crate) fn note_obstacles(&mut self, before: Term, outcome: &mut Outcome) {
        let pool = &mut self.encoding.pool;
        for (guard, obstacle) in outcome.obstacles.drain(..) {
            let guard = pool.and2(before, guard);
            if pool.as_bool(guard) != Some(false) {
                self.obstacles.push((obstacle, guard));
            }
        }
    }

    pub(crate) fn arrive(&mut self, point: Point, arrival: Arrival) {
        if self.is_end(point) {
            self.leaving.entry(point).or_default().push(arrival);
        } else {
            self.arrivals.entry(point).or_default().push(arrival);
        }
    }
}

fn symbols(encoding: &Encoding<'_>, exits: &[Exit], steps: &[Step], calls: &[Call]) -> Vec<(SymbolId, Term)> {
    let pool = &encoding.pool;
    let mut roots: Vec<Term> = steps.iter().map(|step| step.guard).collect();
    for taken in steps.iter().flat_map(|step| &step.taken) {
        match taken {
            Taken::Input(inputs) => roots.extend(inputs),
            Taken::Declared(_, values) => roots.extend(values.iter().map(|&(_, value)| value)),
            Taken::Allocated { address, size, cells, .. } => {
                roots.extend([address, size]);
                roots.extend(cells.iter().map(|&(_, value)| value));
            }
        }
    }
    for exit in exits {
        roots.push(exit.guard);
        roots.extend(exit.updates.iter().map(|&(_, value)| value));
    }
    for call in calls {
        roots.extend([call.guard, call.fails]);
        roots.extend(call.ends.iter().map(|&(_, ends)| ends));
        roots.extend(call.given());
    }
    let terms = pool.subterms(&roots).into_iter();
    let symbol = |term: Term| match *pool.op(term) {
        Op::Symbol(symbol) => Some((symbol, term)),
        _ => None,
    };
    terms.filter_map(symbol).collect()
}

/// What an edge did.
pub(crate) struct Outcome {
    pub(crate) state: State,
    conditions: Vec<Term>,
    obstacles: Vec<(Term, Obstacle)>,
    pub(crate) taken: Vec<Taken>,
    pub(crate) approximations: Vec<String>,
    /// Nothing comes after it, because it is not supported.
    is_blocked: bool,
}

impl Outcome {
    pub(crate) fn of(translation: Translation<'_, '_>, done: Result<(), Obstacle>) -> Outcome {
        let Translation { state, mut conditions, mut obstacles, taken, approximations, encoding, .. } =
            translation;
        let is_blocked = done.is_err();
        if let Err(obstacle) = done {
            // What is known before the obstacle still limits when it is met.
            let guard = encoding.pool.and(&conditions);
            obstacles.push((guard, obstacle));
            conditions.clear();
        }
        Outcome { state, conditions, obstacles, taken, approximations, is_blocked }
    }
}

/// What the edge does besides moving control.
fn translate(
    translation: &mut Translation<'_, '_>,
    function: FunctionId,
    operation: &Operation,
    step: Move,
    callee: Option<FunctionId>,
) -> Result<(), Obstacle> {
    match (operation, callee) {
        (Operation::Call { callee: named, arguments, target }, Some(callee)) => {
            if let Callee::Pointer(pointer) = named {
                let pointer = translation.eval(*pointer)?;
                let address = translation.encoding.address(Object::Function(callee));
                let same = translation.encoding.pool.eq(pointer, address);
                translation.require(same);
            }
            match step {
                Move::Along => translation.call_without_body(callee, *target, arguments),
                Move::Into(..) => translation.enter(callee, arguments),
                Move::End | Move::Over(_) => Err(translation.obstacle(format!(
                    "a recursive call of `{}`",
                    translation.encoding.program.functions[callee].name
                ))),
            }
        }
        (Operation::Call { .. }, None) => {
            Err(translation.obstacle("a call through a pointer whose target is not modelled"))
        }
        (Operation::Return { value }, _) => translation.leave(function, *value),
        (Operation::StackAllocate { target, size }, _) => translation.stack_allocate(*target, *size),
        (Operation::Error(_) | Operation::Halt(_), _) => Ok(()),
        (operation, _) => translation.perform(operation),
    }
}

/// One arrival for several. Guards exclude each other, as control is deterministic.
fn meet(pool: &mut TermPool, cells: &crate::cells::Cells, mut arrivals: Vec<Arrival>) -> Arrival {
    while arrivals.len() > 1 {
        let (first, second) = closest_pair(pool, &arrivals);
        let other = arrivals.remove(second);
        let one = arrivals.remove(first);
        let [shared, own, rest] = split(pool, one.guard, other.guard);
        let (own, rest) = (pool.and(&own), pool.and(&rest));
        let state = one.state.merge(pool, cells, own, &other.state);
        let either = pool.or2(own, rest);
        let mut guard = shared;
        guard.push(either);
        arrivals.insert(first, Arrival { guard: pool.and(&guard), state });
    }
    arrivals.pop().expect("at least one way leads here")
}

/// Two arrivals whose guards differ in one condition that one has and the other has negated; else the last two.
fn closest_pair(pool: &mut TermPool, arrivals: &[Arrival]) -> (usize, usize) {
    for second in (1..arrivals.len()).rev() {
        for first in (0..second).rev() {
            let [_, own, rest] = split(pool, arrivals[first].guard, arrivals[second].guard);
            if let ([own], [rest]) = (&own[..], &rest[..])
                && pool.not(*own) == *rest
            {
                return (first, second);
            }
        }
    }
    (arrivals.len() - 2, arrivals.len() - 1)
}

/// What two conjunctions share, and what each has besides.
fn split(pool: &TermPool, one: Term, other: Term) -> [Vec<Term>; 3] {
    let conjuncts = |term: Term| match pool.op(term) {
        Op::And => pool.arguments(term).to_vec(),
        Op::Bool(true) => Vec::new(),
        _ => vec![term],
    };
    let (one, other) = (conjuncts(one), conjuncts(other));
    let in_other: BTreeSet<Term> = other.iter().copied().collect();
    let in_one: BTreeSet<Term> = one.iter().copied().collect();
    let (shared, own) = one.into_iter().partition(|term| in_other.contains(term));
    let rest = other.into_iter().filter(|term| !in_one.contains(term)).collect();
    [shared, own, rest]
}
