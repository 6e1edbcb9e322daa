//! The program as one graph: nodes are locations in the context of the calls that are active, and calls
//! and returns are edges. From here on there are no functions any more, but for those that have contracts: calls of
//! them are edges of their own.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rorqual_cfa::{
    Callee, Edge, EdgeId, ErrorKind, ExprId, FunctionId, HaltKind, Id, LocationId, Operation, PlaceId,
    Program, VariableId,
};
use rorqual_evidence::{CallSite, CallString};
use rorqual_interpreter::{Effect, call_effect};
use rorqual_source::Span;

use super::contract::{ProcedureId, Procedures};
use crate::cells::Cells;

/// A call string, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ContextId(u32);

/// A location in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node {
    /// The active calls.
    pub(super) context: ContextId,
    /// The location of the active function.
    pub(super) location: LocationId,
}

/// What happens on an arc.
#[derive(Debug, Clone)]
pub(super) enum Action {
    /// The operation of an edge of the active function.
    Operation(EdgeId),
    /// A call: the function is entered, or its effect happens if it has no body. `pointer` must point to
    /// it, if the call is through one.
    Call { edge: EdgeId, callee: FunctionId, pointer: Option<ExprId> },
    /// A call through a pointer that points to none of the functions that it may point to.
    CallNothing { edge: EdgeId, callees: Rc<[FunctionId]>, pointer: ExprId },
    /// The active function returns; the result goes to the place of the caller.
    Return { value: Option<ExprId>, target: Option<PlaceId> },
    /// The function whose contract is proved returns.
    Leave { value: Option<ExprId> },
    /// The requirement of a contract does not hold.
    Violate(Use),
    /// What a contract says happens, up to an exit.
    Apply(Use, LocationId),
}

/// A call of a function with a contract, or the start of a loop with one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    /// The contract.
    pub(super) procedure: ProcedureId,
    /// The edge with the call; a loop has none.
    pub(super) edge: Option<EdgeId>,
    /// What points to the function, if the call is through a pointer.
    pub(super) pointer: Option<ExprId>,
}

/// Where an arc leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Goal {
    /// To a node.
    Node(Node),
    /// To what must not be reached: an error, or something that is not supported.
    Failure(String, Span),
}

/// A step from a node.
#[derive(Debug, Clone)]
pub(super) struct Arc {
    pub(super) action: Action,
    pub(super) goal: Goal,
}

/// A context with what is in scope in it.
struct Context {
    /// The contract that is proved, if one is.
    base: Option<ProcedureId>,
    /// The calls inside of the program, or of what the contract is about.
    calls: CallString,
    function: FunctionId,
    /// The variables that pointers can point into.
    pointed: Rc<[VariableId]>,
    /// The variables that keep what they point to on the heap from being lost.
    keepers: Rc<[VariableId]>,
    functions: HashSet<FunctionId>,
}

/// What happens behind operations whose undefined behaviour changes the control of the program: calls through pointers
/// that point to no function, and points that must not be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undefined {
    /// The execution goes on.
    GoesOn,
    /// It ends: such operations are assumed to be defined.
    Ends,
}

/// The graph, whose contexts are made when they are met.
pub(super) struct Graph<'a> {
    program: &'a Program,
    cells: &'a Cells,
    procedures: &'a Procedures,
    contexts: Vec<Context>,
    numbers: HashMap<(Option<ProcedureId>, CallString), ContextId>,
    /// The contexts of the nodes that proofs of contracts start at. They have the arcs of the location itself, where the
    /// same location in the context of the contract has those of the contract.
    starts: HashMap<ContextId, ContextId>,
    /// The variables that may keep something on the heap from being lost.
    keepers: Vec<VariableId>,
    undefined: Undefined,
}

impl<'a> Graph<'a> {
    pub(super) fn new(
        program: &'a Program,
        cells: &'a Cells,
        procedures: &'a Procedures,
        undefined: Undefined,
    ) -> Graph<'a> {
        let (numbers, starts) = (HashMap::new(), HashMap::new());
        let keepers = cells.keepers(program);
        Graph { program, cells, procedures, contexts: Vec::new(), numbers, starts, keepers, undefined }
    }

    /// The context of a call string.
    pub(super) fn context(&mut self, calls: &CallString) -> ContextId {
        self.context_in(None, calls)
    }

    /// Where the proof of a contract starts, and the context of what comes then.
    pub(super) fn start_of(&mut self, id: ProcedureId) -> (Node, ContextId) {
        let inner = self.context_in(Some(id), &CallString::default());
        let procedure = self.procedures.get(id);
        let context = ContextId(self.contexts.len() as u32);
        let Context { calls, function, pointed, keepers, functions, .. } = &self.contexts[inner.0 as usize];
        let copy = Context {
            base: Some(id),
            calls: calls.clone(),
            function: *function,
            pointed: pointed.clone(),
            keepers: keepers.clone(),
            functions: functions.clone(),
        };
        self.contexts.push(copy);
        self.starts.insert(context, inner);
        (Node { context, location: procedure.start }, inner)
    }

    fn context_in(&mut self, base: Option<ProcedureId>, calls: &CallString) -> ContextId {
        let key = (base, calls.clone());
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let id = ContextId(self.contexts.len() as u32);
        let outermost = base.map_or(self.program.start, |base| self.procedures.get(base).function);
        let function = calls.0.last().map_or(outermost, |site| site.callee);
        let mut functions: HashSet<FunctionId> = calls.0.iter().map(|site| site.callee).collect();
        functions.extend([outermost, self.program.start]);
        // Whoever may call the function may be active, whatever is proved of it.
        functions.extend(base.iter().flat_map(|_| self.procedures.effects().callers(outermost)));
        let is_pointed = |&variable: &VariableId| {
            self.cells.is_addressed(variable) && in_scope(self.program, &functions, variable)
        };
        let pointed = self.program.variables.ids().filter(is_pointed).collect();
        let keepers = self.keepers.iter().copied();
        let keepers = keepers.filter(|&keeper| in_scope(self.program, &functions, keeper)).collect();
        self.contexts.push(Context { base, calls: calls.clone(), function, pointed, keepers, functions });
        self.numbers.insert(key, id);
        id
    }

    /// Where the program starts.
    pub(super) fn entry(&mut self) -> Option<Node> {
        let context = self.context(&CallString::default());
        let body = self.program.functions[self.program.start].body.as_ref()?;
        Some(Node { context, location: body.entry() })
    }

    /// The contracts.
    pub(super) fn procedures(&self) -> &'a Procedures {
        self.procedures
    }

    /// The variables that pointers can point into.
    pub(super) fn pointed(&self, context: ContextId) -> Rc<[VariableId]> {
        self.contexts[context.0 as usize].pointed.clone()
    }

    /// The variables of a context that keep what they point to on the heap from being lost.
    pub(super) fn keepers(&self, context: ContextId) -> Rc<[VariableId]> {
        self.contexts[context.0 as usize].keepers.clone()
    }

    /// Whether a variable lives in a context.
    pub(super) fn in_scope(&self, context: ContextId, variable: VariableId) -> bool {
        in_scope(self.program, &self.contexts[context.0 as usize].functions, variable)
    }

    /// The active function.
    pub(super) fn function(&self, context: ContextId) -> FunctionId {
        self.contexts[context.0 as usize].function
    }

    /// The edge behind an identity in the active function.
    pub(super) fn edge(&self, context: ContextId, edge: EdgeId) -> &'a Edge {
        let function = self.contexts[context.0 as usize].function;
        let body = self.program.functions[function].body.as_ref();
        &body.expect("only functions with a body are active").edges()[edge]
    }

    /// The context below the active function.
    pub(super) fn caller(&self, context: ContextId) -> Option<ContextId> {
        let Context { base, calls, .. } = &self.contexts[context.0 as usize];
        let mut calls = calls.clone();
        calls.0.pop()?;
        self.numbers.get(&(*base, calls)).copied()
    }

    /// A node as people read it: `main:12 > f:7 (prog.c:3:4)`.
    pub(super) fn describe(&self, node: Node) -> String {
        let context = &self.contexts[node.context.0 as usize];
        let function = &self.program.functions[context.function];
        let path = context.calls.text(self.program);
        let separator = if path.is_empty() { "" } else { " > " };
        let any = if context.base.is_some() { "any call of " } else { "" };
        let place = self.program.sources.position(self.span(node));
        format!("{any}{path}{separator}{}:{} ({place})", function.name, node.location.index())
    }

    /// Where a node is in the source.
    fn span(&self, node: Node) -> Span {
        let function = &self.program.functions[self.contexts[node.context.0 as usize].function];
        let Some(body) = &function.body else { return function.span };
        body.outgoing(node.location).next().map_or(function.span, |edge| body.edges()[edge].span)
    }

    /// The step of an edge that neither calls nor returns.
    fn plain(&self, node: Node, id: EdgeId, edge: &Edge, operation: &Operation) -> Option<Arc> {
        let failure = |what: String| Goal::Failure(what, edge.span);
        let called = self.cells.memory().called_behind(self.program, operation);
        let goal = match operation {
            Operation::Error(ErrorKind::Assertion) => failure("the assertion fails".to_owned()),
            Operation::Error(ErrorKind::Call { function }) => failure(format!("`{function}` is called")),
            Operation::Error(ErrorKind::Check { what, .. }) => failure(what.clone()),
            Operation::Unsupported { construct } => failure(format!("{construct} is not supported")),
            Operation::Assembly { .. } | Operation::Clobber { .. }
                if self.cells.memory().written_behind(self.program, operation).unknown =>
            {
                failure("a write to memory that is not modelled is not supported".to_owned())
            }
            Operation::Clobber { origin, .. } if called.is_some() => {
                let called = called.map_or("", |called| self.program.functions[called].name.as_str());
                failure(format!("a call of `{called}` by the undefined function `{origin}` is not supported"))
            }
            // Whatever comes then may be an error.
            Operation::Halt(HaltKind::Unreachable) if self.undefined == Undefined::GoesOn => {
                failure("a point that must not be reached is reached".to_owned())
            }
            Operation::Halt(
                HaltKind::Abort | HaltKind::Exit(_) | HaltKind::NoReturn { .. } | HaltKind::Unreachable,
            ) => return None,
            _ => Goal::Node(Node { context: node.context, location: edge.target }),
        };
        Some(Arc { action: Action::Operation(id), goal })
    }

    /// The steps from a node. Steps that end the program lead nowhere and are left out.
    pub(super) fn arcs(&mut self, node: Node) -> Vec<Arc> {
        let function = self.contexts[node.context.0 as usize].function;
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return vec![] };
        let (node, is_start) = match self.starts.get(&node.context) {
            Some(&context) => (Node { context, ..node }, true),
            None => (node, false),
        };
        if let Some(id) = self.procedures.of_loop(function, node.location).filter(|_| !is_start) {
            let exits = self.procedures.get(id).exits().map(|exit| Node { location: exit, ..node }).collect();
            return uses(Use { procedure: id, edge: None, pointer: None }, exits, program, self.span(node));
        }
        if node.location == body.exit() {
            return self.returns(node, None).into_iter().collect();
        }
        let mut arcs = Vec::new();
        for id in body.outgoing(node.location) {
            let edge = &body.edges()[id];
            match &edge.operation {
                Operation::Return { value } => arcs.extend(self.returns(node, *value)),
                Operation::Call { callee, .. } => arcs.extend(self.calls(node, id, *callee, edge)),
                operation => arcs.extend(self.plain(node, id, edge, operation)),
            }
        }
        arcs
    }

    fn returns(&self, node: Node, value: Option<ExprId>) -> Option<Arc> {
        let context = &self.contexts[node.context.0 as usize];
        if context.base.is_some() && context.calls.0.is_empty() {
            let exit = self.program.functions[context.function].body.as_ref()?.exit();
            let goal = Goal::Node(Node { context: node.context, location: exit });
            return (node.location != exit).then_some(Arc { action: Action::Leave { value }, goal });
        }
        let calls = &self.contexts[node.context.0 as usize].calls;
        let site = calls.0.last()?;
        let context = self.caller(node.context)?;
        let edge = self.edge(context, site.edge);
        let Operation::Call { target, .. } = edge.operation else { return None };
        let goal = Goal::Node(Node { context, location: edge.target });
        Some(Arc { action: Action::Return { value, target }, goal })
    }

    fn calls(&mut self, node: Node, id: EdgeId, callee: Callee, edge: &Edge) -> Vec<Arc> {
        match callee {
            Callee::Function(function) => self.call(node, id, function, None, edge),
            Callee::Pointer(pointer) => {
                let callees: Vec<FunctionId> =
                    self.cells.memory().callees(self.program, callee).into_iter().collect();
                let call = |&function: &FunctionId| self.call(node, id, function, Some(pointer), edge);
                let mut arcs: Vec<Arc> = callees.iter().flat_map(call).collect();
                if self.undefined == Undefined::GoesOn {
                    let action = Action::CallNothing { edge: id, callees: callees.into(), pointer };
                    arcs.push(Arc { action, goal: Goal::Node(Node { location: edge.target, ..node }) });
                }
                arcs
            }
        }
    }

    fn call(
        &mut self,
        node: Node,
        id: EdgeId,
        callee: FunctionId,
        pointer: Option<ExprId>,
        edge: &Edge,
    ) -> Vec<Arc> {
        if let Some(procedure) = self.procedures.of_function(callee) {
            let used = Use { procedure, edge: Some(id), pointer };
            let next = Node { location: edge.target, ..node };
            return uses(used, vec![next], self.program, edge.span);
        }
        let function = &self.program.functions[callee];
        let action = Action::Call { edge: id, callee, pointer };
        let failure = |what: String| Goal::Failure(format!("{what} is not supported"), edge.span);
        let context = &self.contexts[node.context.0 as usize];
        let goal = match &function.body {
            None => match call_effect(self.program, function, &[]) {
                Effect::Ends => return vec![],
                Effect::Unmodelled => failure(format!("the library function `{}`", function.name)),
                Effect::Input | Effect::Value | Effect::Memory => {
                    Goal::Node(Node { context: node.context, location: edge.target })
                }
            },
            Some(_) if context.functions.contains(&callee) => {
                failure(format!("recursion of `{}`", function.name))
            }
            Some(body) => {
                let mut calls = context.calls.clone();
                calls.0.push(CallSite { caller: context.function, edge: id, callee });
                let base = context.base;
                Goal::Node(Node { context: self.context_in(base, &calls), location: body.entry() })
            }
        };
        vec![Arc { action, goal }]
    }
}

/// The steps that a contract stands for: one to each exit, and one to what must not be.
fn uses(used: Use, exits: Vec<Node>, program: &Program, span: Span) -> Vec<Arc> {
    let what = format!("the requirement of {} is not met", used.procedure.describe(program));
    let mut arcs = vec![Arc { action: Action::Violate(used), goal: Goal::Failure(what, span) }];
    for exit in exits {
        arcs.push(Arc { action: Action::Apply(used, exit.location), goal: Goal::Node(exit) });
    }
    arcs
}

fn in_scope(program: &Program, functions: &HashSet<FunctionId>, variable: VariableId) -> bool {
    let variable = &program.variables[variable];
    variable.kind.is_global() || variable.function.is_none_or(|function| functions.contains(&function))
}
