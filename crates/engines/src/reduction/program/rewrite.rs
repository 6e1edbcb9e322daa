//! UNWIND: copies of recursive functions, one for each depth, and programs that call them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_cfa::{
    Automaton, AutomatonBuilder, BinaryOp, Callee, Draft, Edge, EdgeId, ErrorKind, ExprId, ExprKind,
    FunctionId, Id, IntKind, LocationId, Operation, PlaceId, PlaceKind, Program, TypeId, Variable,
    VariableId, VariableKind,
};
use rorqual_encoding::may_change;
use rorqual_source::Span;

use super::copy::Renaming;
use super::recursion::Recursion;
use super::{Arguments, Body, Deepest, Pair, Reduced};

/// The program in which calls of recursive functions are followed to depth `k`.
pub fn unwound(program: &Program, recursion: &Recursion, k: usize, deepest: Deepest<'_>) -> Reduced {
    let mut rewriter = Rewriter::new(program, recursion, k, deepest);
    unwound_functions(&mut rewriter);
    rewriter.finish()
}

/// The program whose only error is an outermost call of a function with some arguments, to depth `k`.
pub fn reaching(
    program: &Program,
    recursion: &Recursion,
    k: usize,
    (function, arguments): (FunctionId, &Arguments),
) -> Reduced {
    let mut rewriter = Rewriter::new(program, recursion, k, Deepest::Blocked);
    rewriter.excluded = Some((function, arguments));
    unwound_functions(&mut rewriter);
    rewriter.finish()
}

/// Makes the bodies of functions that are not recursive.
pub(super) fn unwound_functions(rewriter: &mut Rewriter<'_>) {
    let original = rewriter.original;
    for function in original.functions.ids() {
        if let (Some(body), None) =
            (&original.functions[function].body, rewriter.recursion.interface(function))
        {
            rewriter.rewrite(function, function, 0, body, Renaming::default());
        }
    }
}

/// Builds a reduced program.
pub(super) struct Rewriter<'a> {
    pub(super) original: &'a Program,
    pub(super) recursion: &'a Recursion,
    k: usize,
    pub(super) deepest: Deepest<'a>,
    /// A call that is an error.
    excluded: Option<(FunctionId, &'a Arguments)>,
    pub(super) reduced: Reduced,
    /// How many inputs the start of a program that asserts a summary takes.
    pub(super) inputs: usize,
    /// The copies of recursive functions, by depth from 1 on.
    copies: BTreeMap<(FunctionId, usize), FunctionId>,
    /// Those whose bodies are still to be made.
    open: Vec<(FunctionId, usize)>,
    /// The functions that have a pair already.
    marked: BTreeSet<FunctionId>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        original: &'a Program,
        recursion: &'a Recursion,
        k: usize,
        deepest: Deepest<'a>,
    ) -> Rewriter<'a> {
        let mut program = original.clone();
        for function in recursion.functions() {
            program.functions[function].body = None;
        }
        let (pairs, variables, bodies) = (Vec::new(), HashMap::new(), BTreeMap::new());
        let reduced = Reduced {
            program,
            pairs,
            argument_inputs: Vec::new(),
            arguments: Vec::new(),
            stable: BTreeSet::new(),
            variables,
            bodies,
        };
        let (copies, open, marked) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
        Rewriter { original, recursion, k, deepest, excluded: None, reduced, inputs: 0, copies, open, marked }
    }

    /// The program, once all copies that are called have their bodies.
    pub(super) fn finish(mut self) -> Reduced {
        // Breadth first, so that the first copy of a function is an outermost one.
        let mut next = 0;
        while next < self.open.len() {
            let (function, depth) = self.open[next];
            next += 1;
            let copy = self.copies[&(function, depth)];
            let body = self.original.functions[function].body.as_ref().expect("it calls itself");
            let renaming = Renaming::of(&mut self.reduced.program, function, copy);
            self.reduced.variables.extend(renaming.variables().map(|(old, new)| (new, old)));
            let parameters = &self.original.functions[function].parameters;
            self.reduced.program.functions[copy].parameters =
                parameters.iter().map(|&parameter| renaming.variable(parameter)).collect();
            let stable = parameters.iter().filter(|&&one| !may_change(self.original, function, one));
            self.reduced.stable.extend(stable.map(|&one| renaming.variable(one)));
            self.rewrite(function, copy, depth, body, renaming);
        }
        self.reduced
    }

    /// The copy of a recursive function for a depth.
    pub(super) fn copy(&mut self, function: FunctionId, depth: usize) -> FunctionId {
        if let Some(&known) = self.copies.get(&(function, depth)) {
            return known;
        }
        let mut copy = self.original.functions[function].clone();
        copy.name = format!("{}__{depth}", self.original.unique_name(function).replace('#', "_"));
        copy.body = None;
        let id = self.reduced.program.functions.push(copy);
        self.copies.insert((function, depth), id);
        self.open.push((function, depth));
        id
    }

    /// Makes the body of a function from that of the original.
    fn rewrite(
        &mut self,
        original: FunctionId,
        function: FunctionId,
        depth: usize,
        old: &Automaton,
        renaming: Renaming,
    ) {
        let mut builder = AutomatonBuilder::default();
        let drafts: Vec<Draft> = old.locations().ids().map(|_| builder.location()).collect();
        for (&draft, location) in drafts.iter().zip(old.locations().values()) {
            location.loop_statements.iter().for_each(|&statement| builder.mark_loop(draft, statement));
            location.labels.iter().for_each(|label| builder.mark_label(draft, label.clone()));
        }
        // Contracts of loops say what holds behind them.
        let exits = self.recursion.loops(original).filter(|_| matches!(self.deepest, Deepest::Summarised(_)));
        for &behind in exits.flat_map(|(_, exits)| exits) {
            builder.mark(drafts[behind.index()]);
        }
        let (entry, exit) = (drafts[old.entry().index()], drafts[old.exit().index()]);
        let mut frame =
            Frame { original, function, depth, builder, drafts, renaming, sink: None, ends: None };
        let is_asked = matches!(self.deepest, Deepest::Blocked);
        let is_outermost = depth > 0 && is_asked && self.marked.insert(original);
        let entry = if is_outermost { self.open_pair(&mut frame, entry, exit) } else { entry };
        for edge in old.edges().values() {
            self.edge(&mut frame, edge);
        }
        let mut tracked = frame.drafts.clone();
        tracked.extend(frame.ends.iter().flat_map(|ends| [ends.entry, ends.exit]));
        let (automaton, found) = frame.builder.finish(entry, exit, &tracked);
        let (places, marks) = found.split_at(frame.drafts.len());
        if let (Some(ends), &[Some(entry), Some(exit)]) = (frame.ends, marks) {
            let (before, result) = (ends.before, ends.result);
            self.reduced.pairs.push(Pair { function: original, copy: function, entry, exit, before, result });
        }
        let body = back(original, old, &automaton, places);
        self.reduced.bodies.insert(function, body);
        let labels: Vec<_> = self.original.functions[original].labels.iter().collect();
        for (id, label) in labels {
            let place = label.location.and_then(|location| places[location.index()]);
            self.reduced.program.functions[function].labels[id].location = place;
        }
        self.reduced.program.functions[function].body = Some(automaton);
    }

    /// MARK: the entry, where parameters and what may be written are kept, and the exit with the result.
    fn open_pair(&mut self, frame: &mut Frame, start: Draft, exit: Draft) -> Draft {
        let span = self.original.functions[frame.original].span;
        let [entry, first, last] = std::array::from_fn(|_| frame.builder.location());
        frame.builder.mark(first);
        frame.builder.mark(last);
        let interface =
            self.recursion.interface(frame.original).expect("only such functions are copied").clone();
        let kept: Vec<VariableId> = interface.parameters.iter().chain(&interface.written).copied().collect();
        let (mut before, mut at) = (Vec::new(), entry);
        for variable in kept.into_iter().filter(|&variable| self.is_number(variable)).collect::<Vec<_>>() {
            let source = frame.renaming.variable(variable);
            if !may_change(self.original, frame.original, variable) {
                before.push((variable, source));
                continue;
            }
            let name = format!("{}__before", self.original.variables[variable].name);
            let holder = self.variable(frame.function, &name, self.original.variables[variable].ty);
            let (target, value) = (self.place(holder), self.load(source));
            at = frame.step(at, Operation::Assign { target, value }, span);
            before.push((variable, holder));
        }
        frame.builder.jump(at, first, span);
        self.enter(frame, (first, start), span);
        let result = interface.result.map(|ty| self.variable(frame.function, "returned", ty));
        let value = result.map(|result| self.load(result));
        frame.builder.edge(last, exit, Operation::Return { value }, span);
        frame.ends = Some(Ends { entry: first, exit: last, before, result });
        entry
    }

    /// Goes on from the entry of a pair, unless the call is excluded.
    fn enter(&mut self, frame: &mut Frame, (first, start): (Draft, Draft), span: Span) {
        let Some((_, arguments)) = self.excluded.filter(|&(function, _)| function == frame.original) else {
            return frame.builder.edge(first, start, Operation::Skip, span);
        };
        let mut at = first;
        let parameters = self.original.functions[frame.original].parameters.iter();
        for (&parameter, value) in parameters.zip(arguments) {
            let ty = self.original.variables[parameter].ty;
            let is_unsigned = self.original.types.is_unsigned(ty);
            let number = value
                .as_ref()
                .map(|value| if is_unsigned { value.unsigned().clone().into() } else { value.signed() });
            let Some(value) = number.and_then(|number| i128::try_from(number).ok()) else { continue };
            let passed = self.load(frame.renaming.variable(parameter));
            let value = self.reduced.program.add_expr(ExprKind::Int(value), ty, span);
            let condition = self.binary(BinaryOp::Eq, passed, value);
            frame.builder.edge(at, start, Operation::Assume { condition, holds: false }, span);
            at = frame.step(at, Operation::Assume { condition, holds: true }, span);
        }
        frame.error(at, ErrorKind::Assertion, span);
    }

    fn edge(&mut self, frame: &mut Frame, edge: &Edge) {
        let (from, to) = (frame.at(edge.source), frame.at(edge.target));
        if let Some(callees) = self.recursion.pointed(self.original, edge) {
            return self.call_pointed(frame, edge, &callees);
        }
        let operation = frame.renaming.operation(&mut self.reduced.program, &edge.operation);
        match operation {
            Operation::Return { value } if frame.ends.is_some() => {
                self.leave(frame, from, value, edge.span);
            }
            Operation::Call { callee: Callee::Function(callee), target, arguments } => {
                self.call(
                    frame,
                    (from, to),
                    callee,
                    Passed { target, arguments: &arguments, span: edge.span },
                );
            }
            Operation::Error(_) if !self.own_errors() => {
                let condition = self.number(0);
                frame.builder.edge(from, to, Operation::Assume { condition, holds: true }, edge.span);
            }
            operation => frame.builder.edge(from, to, operation, edge.span),
        }
    }

    fn own_errors(&self) -> bool {
        match self.deepest {
            Deepest::Summarised(instances) => instances.own_errors,
            Deepest::Blocked | Deepest::Forbidden => self.excluded.is_none(),
        }
    }

    /// A return from a function with a pair: the result is kept.
    fn leave(&mut self, frame: &mut Frame, from: Draft, value: Option<ExprId>, span: Span) {
        let Some(ends) = &frame.ends else { return };
        let (last, result) = (ends.exit, ends.result);
        let operation = match (result, value) {
            (Some(result), Some(value)) => Operation::Assign { target: self.place(result), value },
            _ => Operation::Skip,
        };
        frame.builder.edge(from, last, operation, span);
    }

    /// A call of a known function.
    fn call(
        &mut self,
        frame: &mut Frame,
        (from, to): (Draft, Draft),
        callee: FunctionId,
        passed: Passed<'_>,
    ) {
        if self.recursion.interface(callee).is_none() {
            return frame.call(from, to, callee, passed);
        }
        let is_deeper = frame.depth > 0 && self.recursion.are_mutual(frame.original, callee);
        let depth = if is_deeper { frame.depth + 1 } else { 1 };
        if depth <= self.k {
            let copy = self.copy(callee, depth);
            return frame.call(from, to, copy, passed);
        }
        match self.deepest {
            Deepest::Blocked => {
                let condition = self.number(0);
                frame.builder.edge(from, to, Operation::Assume { condition, holds: true }, passed.span);
            }
            Deepest::Forbidden => {
                let function = self.original.functions[callee].name.clone();
                frame.error(from, ErrorKind::Call { function }, passed.span);
            }
            Deepest::Summarised(instances) => self.instantiate(frame, (from, to), callee, passed, instances),
        }
    }

    /// A call through a pointer that may point to recursive functions: a case for each that it may point to.
    fn call_pointed(&mut self, frame: &mut Frame, edge: &Edge, callees: &[FunctionId]) {
        let operation = frame.renaming.operation(&mut self.reduced.program, &edge.operation);
        let Operation::Call { callee: Callee::Pointer(pointer), target, arguments } = operation else {
            return;
        };
        let to = frame.at(edge.target);
        // One edge for one, so that edges are found again.
        let mut at = frame.step(frame.at(edge.source), Operation::Skip, edge.span);
        for &callee in callees {
            let (ty, span) = (self.reduced.program.exprs[pointer].ty, edge.span);
            let address = self.reduced.program.add_expr(ExprKind::FunctionAddress(callee), ty, span);
            let condition = self.binary(BinaryOp::Eq, pointer, address);
            let inside = frame.step(at, Operation::Assume { condition, holds: true }, span);
            let passed = Passed { target, arguments: &arguments, span };
            self.call(frame, (inside, to), callee, passed);
            at = frame.step(at, Operation::Assume { condition, holds: false }, span);
        }
        let rest = if self.recursion.may_call_unknown(self.original, edge) {
            let construct = "a call through a pointer whose target is not modelled".to_owned();
            Operation::Unsupported { construct }
        } else {
            // Calling nothing is undefined, and ends the execution.
            Operation::Assume { condition: self.number(0), holds: true }
        };
        frame.builder.edge(at, to, rest, edge.span);
    }

    /// Whether summaries can speak of a variable: it is an integer or a pointer.
    pub(super) fn is_number(&self, variable: VariableId) -> bool {
        let types = &self.reduced.program.types;
        let ty = self.reduced.program.variables[variable].ty;
        types.is_integer(ty) || types.pointee(ty).is_some()
    }

    /// A new variable of a function.
    pub(super) fn variable(&mut self, function: FunctionId, name: &str, ty: TypeId) -> VariableId {
        let program = &mut self.reduced.program;
        let mut variable = Variable::new(name, ty, VariableKind::Temporary, &program.types, Span::NONE);
        variable.function = Some(function);
        program.variables.push(variable)
    }

    pub(super) fn place(&mut self, variable: VariableId) -> PlaceId {
        let ty = self.reduced.program.variables[variable].ty;
        self.reduced.program.add_place(PlaceKind::Variable(variable), ty, Span::NONE)
    }

    pub(super) fn load(&mut self, variable: VariableId) -> ExprId {
        let place = self.place(variable);
        let ty = self.reduced.program.variables[variable].ty;
        self.reduced.program.add_expr(ExprKind::Load(place), ty, Span::NONE)
    }

    /// The address of a variable.
    pub(super) fn address(&mut self, variable: VariableId) -> ExprId {
        let place = self.place(variable);
        let ty = self.reduced.program.variables[variable].ty;
        let ty = self.reduced.program.types.pointer_to(ty);
        self.reduced.program.add_expr(ExprKind::AddressOf(place), ty, Span::NONE)
    }

    pub(super) fn number(&mut self, value: i128) -> ExprId {
        let int = self.reduced.program.types.int(IntKind::Int);
        self.reduced.program.add_expr(ExprKind::Int(value), int, Span::NONE)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> ExprId {
        let int = self.reduced.program.types.int(IntKind::Int);
        self.reduced.program.add_expr(ExprKind::Binary { op, lhs, rhs }, int, Span::NONE)
    }
}

/// A function whose body is being made.
pub(super) struct Frame {
    original: FunctionId,
    pub(super) function: FunctionId,
    depth: usize,
    pub(super) builder: AutomatonBuilder,
    /// The new location of each old one.
    drafts: Vec<Draft>,
    renaming: Renaming,
    sink: Option<Draft>,
    ends: Option<Ends>,
}

/// What makes a pair.
struct Ends {
    entry: Draft,
    exit: Draft,
    before: Vec<(VariableId, VariableId)>,
    result: Option<VariableId>,
}

/// What a call passes.
#[derive(Clone, Copy)]
pub(super) struct Passed<'e> {
    pub(super) target: Option<PlaceId>,
    pub(super) arguments: &'e [ExprId],
    pub(super) span: Span,
}

impl Frame {
    /// A body that starts empty.
    pub(super) fn empty(function: FunctionId) -> Frame {
        Frame {
            original: function,
            function,
            depth: 0,
            builder: AutomatonBuilder::default(),
            drafts: Vec::new(),
            renaming: Renaming::default(),
            sink: None,
            ends: None,
        }
    }

    fn at(&self, location: LocationId) -> Draft {
        self.drafts[location.index()]
    }

    /// Where control is after an operation.
    pub(super) fn step(&mut self, from: Draft, operation: Operation, span: Span) -> Draft {
        let next = self.builder.location();
        self.builder.edge(from, next, operation, span);
        next
    }

    pub(super) fn call(&mut self, from: Draft, to: Draft, callee: FunctionId, passed: Passed<'_>) {
        let (target, arguments) = (passed.target, passed.arguments.into());
        let operation = Operation::Call { target, callee: Callee::Function(callee), arguments };
        self.builder.edge(from, to, operation, passed.span);
    }

    pub(super) fn error(&mut self, from: Draft, kind: ErrorKind, span: Span) {
        let sink = *self.sink.get_or_insert_with(|| self.builder.location());
        self.builder.edge(from, sink, Operation::Error(kind), span);
    }
}

/// The way back from the locations and edges of a body. Each edge of the original starts with one edge.
fn back(original: FunctionId, old: &Automaton, new: &Automaton, places: &[Option<LocationId>]) -> Body {
    let mut body = Body { original: Some(original), ..Body::default() };
    for (location, place) in old.locations().ids().zip(places) {
        let Some(place) = *place else { continue };
        body.locations.insert(place, location);
        let edges: Vec<EdgeId> = new.outgoing(place).collect();
        body.edges.extend(edges.into_iter().zip(old.outgoing(location)));
    }
    body
}
