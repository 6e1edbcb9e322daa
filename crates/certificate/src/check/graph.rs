//! The program as one graph: nodes are locations in the context of the calls that are active, and calls
//! and returns are edges. From here on there are no functions any more.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rorqual_cfa::{
    Callee, Edge, EdgeId, ErrorKind, ExprId, FunctionId, HaltKind, Id, LocationId, Operation, PlaceId,
    Program, VariableId,
};
use rorqual_engine::{CallSite, CallString};
use rorqual_interpreter::{Effect, call_effect};
use rorqual_source::Span;

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
    /// The active function returns; the result goes to the place of the caller.
    Return { value: Option<ExprId>, target: Option<PlaceId> },
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
    calls: CallString,
    function: FunctionId,
    /// The variables that pointers can point into.
    pointed: Rc<[VariableId]>,
    functions: HashSet<FunctionId>,
}

/// The graph, whose contexts are made when they are met.
pub(super) struct Graph<'a> {
    program: &'a Program,
    cells: &'a Cells,
    contexts: Vec<Context>,
    numbers: HashMap<CallString, ContextId>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(program: &'a Program, cells: &'a Cells) -> Graph<'a> {
        Graph { program, cells, contexts: Vec::new(), numbers: HashMap::new() }
    }

    /// The context of a call string.
    pub(super) fn context(&mut self, calls: &CallString) -> ContextId {
        if let Some(&known) = self.numbers.get(calls) {
            return known;
        }
        let id = ContextId(self.contexts.len() as u32);
        let function = calls.function(self.program);
        let functions: HashSet<FunctionId> =
            calls.0.iter().map(|site| site.callee).chain([self.program.start]).collect();
        let is_pointed = |&variable: &VariableId| {
            self.cells.is_addressed(variable) && in_scope(self.program, &functions, variable)
        };
        let pointed = self.program.variables.ids().filter(is_pointed).collect();
        self.contexts.push(Context { calls: calls.clone(), function, pointed, functions });
        self.numbers.insert(calls.clone(), id);
        id
    }

    /// Where the program starts.
    pub(super) fn entry(&mut self) -> Option<Node> {
        let context = self.context(&CallString::default());
        let body = self.program.functions[self.program.start].body.as_ref()?;
        Some(Node { context, location: body.entry() })
    }

    /// The variables that pointers can point into.
    pub(super) fn pointed(&self, context: ContextId) -> Rc<[VariableId]> {
        self.contexts[context.0 as usize].pointed.clone()
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
        let mut calls = self.contexts[context.0 as usize].calls.clone();
        calls.0.pop()?;
        self.numbers.get(&calls).copied()
    }

    /// A node as people read it: `main:12 > f:7 (prog.c:3:4)`.
    pub(super) fn describe(&self, node: Node) -> String {
        let context = &self.contexts[node.context.0 as usize];
        let function = &self.program.functions[context.function];
        let path = context.calls.text(self.program);
        let separator = if path.is_empty() { "" } else { " > " };
        let place = self.program.sources.position(self.span(node));
        format!("{path}{separator}{}:{} ({place})", function.name, node.location.index())
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
        let goal = match operation {
            Operation::Error(ErrorKind::Assertion) => failure("the assertion fails".to_owned()),
            Operation::Error(ErrorKind::Call { function }) => failure(format!("`{function}` is called")),
            Operation::Error(ErrorKind::Check { what, .. }) => failure(what.clone()),
            Operation::Unsupported { construct } => failure(format!("{construct} is not supported")),
            Operation::Assembly { .. }
                if self.cells.memory().written_behind(self.program, operation).unknown =>
            {
                failure("inline assembly that writes memory is not supported".to_owned())
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
            Callee::Function(function) => self.call(node, id, function, None, edge).into_iter().collect(),
            Callee::Pointer(pointer) => {
                let callees = self.cells.memory().callees(self.program, callee);
                let call = |function| self.call(node, id, function, Some(pointer), edge);
                callees.into_iter().filter_map(call).collect()
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
    ) -> Option<Arc> {
        let function = &self.program.functions[callee];
        let action = Action::Call { edge: id, callee, pointer };
        let failure = |what: String| Goal::Failure(format!("{what} is not supported"), edge.span);
        let context = &self.contexts[node.context.0 as usize];
        let goal = match &function.body {
            None => match call_effect(self.program, function, &[]) {
                Effect::Ends => return None,
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
                Goal::Node(Node { context: self.context(&calls), location: body.entry() })
            }
        };
        Some(Arc { action, goal })
    }
}

fn in_scope(program: &Program, functions: &HashSet<FunctionId>, variable: VariableId) -> bool {
    let variable = &program.variables[variable];
    variable.kind.is_global() || variable.function.is_none_or(|function| functions.contains(&function))
}
