//! Procedures: functions and loops as bodies without cycles, whose calls are not looked into.
//!
//! A loop is a procedure that runs from its head to the first location behind it, and calls itself where control comes
//! back to the head. A call gives every cell that the procedure may write a symbol of its own; what relates these symbols to
//! the state before is for others to say.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rorqual_cfa::{Automaton, Callee, EdgeId, ExprId, FunctionId, LocationId, Operation, PlaceId, Program};
use rorqual_logic::{Sort, Term};
use rorqual_memory::{Ghost, Object, Writes};
use rorqual_source::Span;

use crate::Encoding;
use crate::block::{Arrival, Block, Builder, Outcome, Step};
use crate::cells::{CellId, Ledger};
use crate::context::{Context, Point};
use crate::loops::{Loop, loops};
use crate::state::State;
use crate::symbols::SymbolKind;
use crate::translate::{Obstacle, Translation};

/// The edges of a function that is too small to be a procedure of its own.
const SMALL: usize = 12;

/// A function, or a loop of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Procedure {
    /// The function.
    pub function: FunctionId,
    /// The head of the loop; none for the function as a whole.
    pub head: Option<LocationId>,
}

/// A call of a procedure in the body of another one.
#[derive(Debug, Clone)]
pub struct Call {
    /// What is called.
    pub procedure: Procedure,
    /// When it is called.
    pub guard: Term,
    /// The state before the call, and the parameters.
    state: State,
    parameters: BTreeMap<CellId, Term>,
    /// The cells that it may write, with the symbols of their values after it; also the function's result.
    pub outputs: Vec<(CellId, Term)>,
    /// Whether something goes wrong inside: a symbol.
    pub fails: Term,
    /// Whether it ends at an exit: a symbol for each.
    pub ends: Vec<(LocationId, Term)>,
    /// Where it is in the source.
    pub span: Span,
}

impl Call {
    /// The terms that the called procedure may see.
    pub(crate) fn given(&self) -> impl Iterator<Item = Term> {
        self.state.values().chain(self.parameters.values().copied())
    }

    /// What a cell is for the procedure that is called.
    pub fn input(&self, encoding: &Encoding<'_>, cell: CellId) -> Term {
        self.parameters.get(&cell).copied().unwrap_or_else(|| self.state.read(&encoding.cells, cell))
    }
}

impl Encoding<'_> {
    /// The procedure that the program starts with.
    pub fn first_procedure(&self) -> Procedure {
        Procedure { function: self.program.start, head: None }
    }

    /// The body of a procedure. Its exits lead to the locations where it ends.
    pub fn body_of(&mut self, procedure: Procedure) -> Rc<Block> {
        if let Some(known) = self.bodies.get(&procedure) {
            return known.clone();
        }
        let start = self.start_of(procedure);
        let block = Rc::new(Builder::of_procedure(self, procedure, start).build());
        self.bodies.insert(procedure, block.clone());
        block
    }

    /// The procedures that the program reaches.
    pub fn all_procedures(&mut self) -> BTreeSet<Procedure> {
        let mut found = BTreeSet::new();
        let mut open = vec![self.first_procedure()];
        while let Some(procedure) = open.pop() {
            if found.insert(procedure) {
                open.extend(self.body_of(procedure).calls.iter().map(|call| call.procedure));
            }
        }
        found
    }

    /// The loops of all functions, whether the program reaches them or not.
    pub fn all_loops(&mut self) -> Vec<Procedure> {
        let mut found = Vec::new();
        for function in self.program.functions.ids() {
            let loops = self.loops_of(function);
            found.extend(loops.keys().map(|&head| Procedure { function, head: Some(head) }));
        }
        found
    }

    /// The loop whose head a point is.
    pub fn loop_at(&self, point: Point) -> Procedure {
        Procedure { function: self.contexts.function(point.context), head: Some(point.location) }
    }

    /// Where a procedure starts.
    fn start_of(&mut self, procedure: Procedure) -> Point {
        let inner = self.contexts.of_any_call(procedure.function);
        match procedure.head {
            Some(head) => Point { context: self.contexts.before_loop(inner), location: head },
            None => {
                let body = self.program.functions[procedure.function].body.as_ref();
                Point { context: inner, location: body.expect("a procedure has a body").entry() }
            }
        }
    }

    /// The source text of a procedure: the loop statement, or the function.
    pub fn procedure_span(&self, procedure: Procedure) -> Span {
        let function = &self.program.functions[procedure.function];
        let locations = function.body.as_ref().map(Automaton::locations);
        let statement = procedure
            .head
            .zip(locations)
            .and_then(|(head, locations)| locations[head].loop_statements.first().copied());
        statement.unwrap_or(function.span)
    }

    /// Whether a function is a procedure of its own. Others are looked into where they are called: those with one call,
    /// as nothing is shared, and small ones without calls and loops, as a summary would be as long as the body.
    pub(crate) fn is_procedure(&mut self, function: FunctionId) -> bool {
        if let Some(&known) = self.procedures.get(&function) {
            return known;
        }
        let is = self.analysis.effects.is_recursive(function)
            || (self.analysis.memory.calls_of(self.program, function) > 1 && !self.is_small(function));
        self.procedures.insert(function, is);
        is
    }

    fn is_small(&mut self, function: FunctionId) -> bool {
        let has_loops = !self.loops_of(function).is_empty();
        let Some(body) = &self.program.functions[function].body else { return true };
        let calls = |edge: &rorqual_cfa::Edge| match &edge.operation {
            Operation::Call { callee, .. } => {
                let callees = self.analysis.memory.callees(self.program, *callee);
                callees.into_iter().any(|callee| self.program.functions[callee].body.is_some())
            }
            _ => false,
        };
        !has_loops && body.edges().len() <= SMALL && !body.edges().values().any(calls)
    }

    /// Where a procedure ends.
    pub fn exits_of(&mut self, procedure: Procedure) -> BTreeSet<LocationId> {
        match procedure.head {
            Some(head) => self.loops_of(procedure.function)[&head].exits.clone(),
            None => {
                let body = self.program.functions[procedure.function].body.as_ref();
                body.map(Automaton::exit).into_iter().collect()
            }
        }
    }

    pub(crate) fn loops_of(&mut self, function: FunctionId) -> Rc<BTreeMap<LocationId, Loop>> {
        if let Some(known) = self.loops.get(&function) {
            return known.clone();
        }
        let body = self.program.functions[function].body.as_ref();
        let found = Rc::new(body.map_or_else(BTreeMap::new, loops));
        self.loops.insert(function, found.clone());
        found
    }

    /// Whether control at a point starts a loop that is a procedure of its own.
    pub(crate) fn is_loop_call(&mut self, point: Point) -> bool {
        let function = self.contexts.function(point.context);
        !self.contexts.is_before_loop(point.context) && self.loops_of(function).contains_key(&point.location)
    }

    /// The cells that a call of a procedure may write; an error says why that is not known.
    fn written_cells(&mut self, procedure: Procedure) -> Result<Vec<CellId>, &'static str> {
        let writes = self.writes(procedure);
        if writes.anything {
            return Err("which may write anything");
        }
        let mut cells = Vec::new();
        for &object in &writes.objects {
            match object {
                Object::Variable(_) => cells.extend(self.layout(object).cells()),
                _ => {
                    if let Some(class) = self.analysis.memory.class_of(object) {
                        cells.extend(self.class_layout(class).cells());
                    }
                }
            }
        }
        if writes.allocates {
            cells.push(self.ledger(Ledger::Top));
            if self.ghosts.has(Ghost::Sizes) {
                cells.push(self.ledger(Ledger::Sizes));
            }
        }
        cells.sort_unstable();
        cells.dedup();
        Ok(cells)
    }

    fn writes(&mut self, procedure: Procedure) -> Writes {
        let Some(head) = procedure.head else {
            return self.analysis.effects.of_call(self.program, procedure.function);
        };
        let loops = self.loops_of(procedure.function);
        let body = self.program.functions[procedure.function].body.as_ref().expect("it has a loop");
        let edges = loops[&head].region.iter().flat_map(|&location| body.outgoing(location));
        self.analysis.effects.of_edges(self.program, &self.analysis.memory, procedure.function, edges)
    }

    /// Whether pointers between calls of a function that has not returned are about variables with one name.
    fn shares_names(&self, function: FunctionId) -> bool {
        let mut own =
            self.program.variables.iter().filter(|(_, variable)| variable.function == Some(function));
        own.any(|(id, variable)| {
            variable.address_taken
                && !self.analysis.effects.is_private(self.program, &self.analysis.memory, id)
        })
    }

    /// Whether the program calls a function again before it has returned.
    pub fn is_recursive(&self) -> bool {
        let mut functions = self.program.functions.ids();
        functions.any(|function| self.analysis.effects.is_recursive(function))
    }

    /// Whether a function may be active when control is in another one, whoever has called that.
    pub(crate) fn may_have_called(&self, caller: FunctionId, function: FunctionId) -> bool {
        self.analysis.effects.may_enter(caller, function)
    }
}

/// The call of an edge, or the start of a loop.
struct Site<'p> {
    context: Context,
    edge: EdgeId,
    span: Span,
    /// The arguments and the place of the result; none for a loop.
    call: Option<(Callee, &'p [ExprId], Option<PlaceId>)>,
}

impl Builder<'_, '_> {
    /// Calls a function that is not looked into.
    pub(crate) fn call_function(
        &mut self,
        context: Context,
        edge: EdgeId,
        callee: FunctionId,
        arrival: &Arrival,
    ) {
        let program: &Program = self.encoding.program;
        let function = self.encoding.function(context);
        let details = &program.functions[function].body.as_ref().expect("it has the edge").edges()[edge];
        let Operation::Call { callee: named, arguments, target } = &details.operation else { return };
        let site = Site { context, edge, span: details.span, call: Some((*named, arguments, *target)) };
        let procedure = Procedure { function: callee, head: None };
        let next = self.after(context, details.target);
        self.call(&site, procedure, arrival, &|_| next);
    }

    /// Starts a loop that is not looked into.
    pub(crate) fn call_loop(&mut self, point: Point, arrival: &Arrival) {
        let function = self.encoding.function(point.context);
        let procedure = Procedure { function, head: Some(point.location) };
        let span = self.encoding.span(point);
        let body = self.encoding.program.functions[function].body.as_ref().expect("it has a loop");
        let Some(edge) = body.outgoing(point.location).next() else { return };
        let site = Site { context: point.context, edge, span, call: None };
        self.call(&site, procedure, arrival, &|exit| Point { location: exit, ..point });
    }

    fn call(
        &mut self,
        site: &Site<'_>,
        procedure: Procedure,
        arrival: &Arrival,
        next: &dyn Fn(LocationId) -> Point,
    ) {
        let mut translation =
            Translation::new(self.encoding, site.context, site.edge, arrival.state.clone(), site.span);
        let made = translation.make_call(site, procedure, arrival.guard);
        let call = match made {
            Ok(call) => call,
            Err(obstacle) => {
                let mut outcome = Outcome::of(translation, Err(obstacle));
                self.record(site.context, site.edge, arrival.guard, site.span, &mut outcome, None);
                return;
            }
        };
        let conditions = translation.conditions.clone();
        let state = translation.state.clone();
        let mut outcome = Outcome::of(translation, Ok(()));
        self.note_obstacles(arrival.guard, &mut outcome);
        let pool = &mut self.encoding.pool;
        self.errors.push(pool.and2(call.guard, call.fails));
        let step = Step {
            context: site.context,
            edge: site.edge,
            guard: call.guard,
            taken: outcome.taken,
            approximations: outcome.approximations,
            error: None,
            span: site.span,
            call: Some(self.calls.len()),
        };
        self.steps.push(step);
        self.calls.push(call.clone());
        for &(exit, ends) in &call.ends {
            let pool = &mut self.encoding.pool;
            let mut conditions = conditions.clone();
            conditions.push(ends);
            let condition = pool.and(&conditions);
            let guard = pool.and2(arrival.guard, condition);
            let arrival = Arrival { guard, state: state.clone() };
            match site.call {
                Some((_, _, target)) => self.take(site, procedure.function, target, next(exit), &arrival),
                None => self.arrive(next(exit), arrival),
            }
        }
    }

    /// Gives the result of a function to the place of its caller.
    fn take(
        &mut self,
        site: &Site<'_>,
        callee: FunctionId,
        target: Option<PlaceId>,
        next: Point,
        arrival: &Arrival,
    ) {
        let mut translation =
            Translation::new(self.encoding, site.context, site.edge, arrival.state.clone(), site.span);
        let done = target.map_or(Ok(()), |target| translation.take_result(callee, target));
        let mut outcome = Outcome::of(translation, done);
        let encoding = &*self.encoding;
        outcome.state.forget(|cell| encoding.cells.get(cell).object == Some(Object::Result(callee)));
        if let Some(guard) =
            self.record(site.context, site.edge, arrival.guard, site.span, &mut outcome, None)
        {
            self.arrive(next, Arrival { guard, state: outcome.state });
        }
    }
}

impl Translation<'_, '_> {
    /// The call as formulas; afterwards the state is that after the call.
    fn make_call(&mut self, site: &Site<'_>, procedure: Procedure, guard: Term) -> Result<Call, Obstacle> {
        let program = self.encoding.program;
        let name = &program.functions[procedure.function].name;
        let mut parameters = BTreeMap::new();
        if let Some((named, arguments, _)) = site.call {
            if let Callee::Pointer(pointer) = named {
                let pointer = self.eval(pointer)?;
                let address = self.encoding.address(Object::Function(procedure.function));
                let same = self.encoding.pool.eq(pointer, address);
                self.require(same);
            }
            if self.encoding.shares_names(procedure.function) {
                return Err(self.obstacle(format!(
                    "a recursive call of `{name}`, whose variables other calls of it may reach,"
                )));
            }
            parameters = self.given(procedure.function, arguments)?;
        }
        let written = self.encoding.written_cells(procedure);
        let written = written.map_err(|why| self.obstacle(format!("a call of `{name}`, {why},")))?;
        let known = self.encoding.pool.and(&self.conditions);
        let guard = self.encoding.pool.and2(guard, known);
        let state = self.state.clone();
        let mut outputs = Vec::new();
        for cell in written {
            outputs.push((cell, self.output(cell)));
        }
        if procedure.head.is_none() {
            for cell in self.encoding.layout(Object::Result(procedure.function)).cells() {
                outputs.push((cell, self.output(cell)));
            }
        }
        self.let_memory_grow(&state);
        let fails = self.encoding.fresh(SymbolKind::Call, "fails", Sort::Bool);
        let exits = self.encoding.exits_of(procedure);
        let ends = exits
            .into_iter()
            .map(|exit| (exit, self.encoding.fresh(SymbolKind::Call, "ends", Sort::Bool)))
            .collect();
        Ok(Call { procedure, guard, state, parameters, outputs, fails, ends, span: site.span })
    }

    /// A new value for a cell.
    fn output(&mut self, cell: CellId) -> Term {
        let sort = self.encoding.pool.sort(self.encoding.cells.get(cell).symbol);
        let value = self.encoding.fresh(SymbolKind::Call, "output", sort);
        self.state.write(cell, value);
        self.restrict_bool(cell, value);
        value
    }

    /// Allocated memory only becomes more.
    fn let_memory_grow(&mut self, before: &State) {
        if self.encoding.allocates() {
            let top = self.encoding.ledger(Ledger::Top);
            let (old, new) =
                (before.read(&self.encoding.cells, top), self.state.read(&self.encoding.cells, top));
            let grows = self.encoding.pool.bv_ule(old, new);
            self.require(grows);
        }
    }

    /// The parameters of a function with their values. The function may be the one that calls, so that its parameters
    /// are read as well: the state stays as it is.
    fn given(
        &mut self,
        callee: FunctionId,
        arguments: &[ExprId],
    ) -> Result<BTreeMap<CellId, Term>, Obstacle> {
        let parameters = &self.encoding.program.functions[callee].parameters;
        let before = self.state.clone();
        let mut given = BTreeMap::new();
        for (index, &parameter) in parameters.iter().enumerate() {
            match arguments.get(index) {
                Some(&argument) => self.pass(parameter, argument)?,
                None => self.pass_nothing(parameter),
            }
            for cell in self.encoding.layout(Object::Variable(parameter)).cells() {
                given.insert(cell, self.state.read(&self.encoding.cells, cell));
            }
            self.state = before.clone();
        }
        Ok(given)
    }
}
