//! A stretch: the acyclic part of the graph from one cut point to the next ones, as formulas.
//!
//! Each arc has a Boolean that says that it is taken. An arc can be taken only if some arc into its source
//! is, and if its condition holds; then the values of cells where
//! arcs meet are those that it brings along. Operations on it that may be undefined have a Boolean each, which says that
//! they are assumed to be defined. Every execution of the stretch gives a model of the formulas,
//! and the formulas are as many as there are arcs, however many paths there are.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use rorqual_cfa::{FunctionId, HaltKind, Hazard, Operation};
use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::{GaveUp, Limits};
use rorqual_source::Span;

use super::ended::Past;
use super::graph::{Action, Arc, Goal, Graph, Node};
use super::step::{Births, State, Step, World};
use crate::cells::{CellId, Facet};

/// An arc as formulas.
struct Encoded {
    /// The place of its source in [`Stretch::order`].
    source: usize,
    /// What holds if it is taken.
    formulas: Vec<Term>,
}

/// An arrival: the arc, its Boolean, and the state it brings along.
#[derive(Clone)]
struct Arrival {
    arc: usize,
    taken: Term,
    state: State,
}

/// Something that must not be reached.
pub(super) struct Failure {
    /// What it is.
    pub(super) what: String,
    /// Where.
    pub(super) span: Span,
    /// The Boolean of the arc that leads there.
    pub(super) taken: Term,
    arc: usize,
}

/// A cut point where the stretch ends.
pub(super) struct End {
    /// The cut point.
    pub(super) node: Node,
    /// Whether it is reached.
    pub(super) reached: Term,
    /// The state in which it is reached.
    pub(super) state: State,
    arcs: Vec<usize>,
}

/// The formulas of a stretch.
#[derive(Default)]
pub(super) struct Stretch {
    arcs: Vec<Encoded>,
    /// The arcs into each node of the order.
    incoming: Vec<Vec<usize>>,
    /// What must not be reached.
    pub(super) failures: Vec<Failure>,
    /// Where it ends.
    pub(super) ends: Vec<End>,
}

/// Why there is no order.
pub(super) enum Unordered {
    /// A cycle meets no cut point; this is one of its nodes.
    Cycle(Node),
    /// It takes too long: call strings may be many.
    Limit(GaveUp),
}

/// The nodes of a stretch such that arcs lead forwards only.
pub(super) struct Order {
    /// The nodes that are not ends, the start first.
    nodes: Vec<(Node, Vec<Arc>)>,
}

impl Order {
    /// Sorts the nodes from a cut point on, up to the next cut points.
    pub(super) fn new(
        graph: &mut Graph<'_>,
        start: Node,
        is_cut: impl Fn(Node) -> bool,
        limits: &Limits,
    ) -> Result<Order, Unordered> {
        let mut finished: Vec<(Node, Vec<Arc>)> = Vec::new();
        let mut done: HashSet<Node> = HashSet::new();
        let mut open: HashSet<Node> = HashSet::from([start]);
        let mut stack = vec![(start, graph.arcs(start), 0)];
        while let Some((node, arcs, next)) = stack.last_mut() {
            let Some(arc) = arcs.get(*next) else {
                open.remove(node);
                done.insert(*node);
                let (node, arcs, _) = stack.pop().expect("there is a last entry");
                finished.push((node, arcs));
                continue;
            };
            *next += 1;
            if let Goal::Node(goal) = arc.goal
                && !is_cut(goal)
                && !done.contains(&goal)
            {
                if !open.insert(goal) {
                    return Err(Unordered::Cycle(goal));
                }
                limits.check(0).map_err(Unordered::Limit)?;
                let arcs = graph.arcs(goal);
                stack.push((goal, arcs, 0));
            }
        }
        finished.reverse();
        Ok(Order { nodes: finished })
    }

    /// The functions whose contracts are used on the way.
    pub(super) fn applied(&self) -> impl Iterator<Item = FunctionId> + '_ {
        let arcs = self.nodes.iter().flat_map(|(_, arcs)| arcs);
        arcs.filter_map(|arc| match &arc.action {
            Action::Apply(used, _) | Action::Violate(used) => used.procedure.of_whole_function(),
            _ => None,
        })
    }
}

/// Translates stretches.
pub(super) struct Translator<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) graph: &'a Graph<'a>,
    pub(super) pool: &'a mut TermPool,
    pub(super) births: &'a mut Births,
}

impl Translator<'_> {
    /// The formulas of a stretch.
    pub(super) fn stretch(
        &mut self,
        order: &Order,
        start: &State,
        limits: &Limits,
    ) -> Result<Stretch, GaveUp> {
        let mut stretch = Stretch::default();
        let mut arrivals: HashMap<Node, Vec<Arrival>> = HashMap::new();
        for (place, (node, arcs)) in order.nodes.iter().enumerate() {
            limits.check(0)?;
            let (reached, state) = if place == 0 {
                stretch.incoming.push(vec![]);
                (self.pool.top(), start.clone())
            } else {
                let arrived = arrivals.remove(node).unwrap_or_default();
                stretch.incoming.push(arrived.iter().map(|arrival| arrival.arc).collect());
                self.meet(*node, &arrived, &mut stretch)
            };
            for arc in arcs {
                self.arc(*node, arc, place, reached, &state, &mut stretch, &mut arrivals);
            }
        }
        let mut ends: Vec<(Node, Vec<Arrival>)> = arrivals.into_iter().collect();
        ends.sort_by_key(|(node, _)| *node);
        for (node, arrived) in ends {
            let (reached, state) = self.meet(node, &arrived, &mut stretch);
            let arcs = arrived.iter().map(|arrival| arrival.arc).collect();
            stretch.ends.push(End { node, reached, state, arcs });
        }
        Ok(stretch)
    }

    #[allow(clippy::too_many_arguments, reason = "the arc, its source, and the two tables it is entered in")]
    fn arc(
        &mut self,
        node: Node,
        arc: &Arc,
        source: usize,
        reached: Term,
        state: &State,
        stretch: &mut Stretch,
        arrivals: &mut HashMap<Node, Vec<Arrival>>,
    ) {
        let (taken, past) = (self.pool.fresh_symbol("taken", Sort::Bool), self.past(node, arc));
        let mut step = Step {
            world: self.world,
            pool: &mut *self.pool,
            births: &mut *self.births,
            taken,
            state: state.clone(),
            scope: self.graph.pointed(node.context),
            keepers: self.graph.keepers(node.context),
            conditions: Vec::new(),
            hazards: Vec::new(),
            hazard: None,
            facet: Facet::Content,
            past,
        };
        act(&mut step, self.graph, node, arc);
        let (mut conditions, hazards, mut state) = (step.conditions, step.hazards, step.state);
        conditions.push(reached);
        for (hazard, condition) in hazards {
            let is_assumed = self.births.assumption(self.pool, hazard);
            conditions.push(self.pool.implies(is_assumed, condition));
        }
        let condition = self.pool.and(&conditions);
        let formula = self.pool.implies(taken, condition);
        let number = stretch.arcs.len();
        stretch.arcs.push(Encoded { source, formulas: vec![formula] });
        match &arc.goal {
            Goal::Node(goal) => {
                let (graph, cells) = (self.graph, self.world.cells);
                state.retain(|cell| {
                    cells.get(cell).variable.is_none_or(|variable| graph.in_scope(goal.context, variable))
                });
                arrivals.entry(*goal).or_default().push(Arrival { arc: number, taken, state });
            }
            Goal::Failure(what, span) => {
                stretch.failures.push(Failure { what: what.clone(), span: *span, taken, arc: number });
            }
        }
    }

    /// What may have happened before memory is accessed on an arc. What a call returns is stored behind the call.
    fn past(&self, node: Node, arc: &Arc) -> Option<Rc<Past>> {
        let is_behind = match (&arc.action, &arc.goal) {
            (Action::Return { .. } | Action::Apply(..), _) => true,
            (Action::Call { .. }, Goal::Node(goal)) => goal.context == node.context,
            _ => false,
        };
        let point = match (&arc.goal, is_behind) {
            (Goal::Node(goal), true) => *goal,
            (Goal::Failure(..), true) => return None,
            (_, false) => node,
        };
        Some(self.world.ended.before(self.graph.function(point.context), point.location))
    }

    /// One state where arcs meet: cells on which they do not agree get a symbol that has the value of the
    /// arc that is taken.
    fn meet(&mut self, node: Node, arrived: &[Arrival], stretch: &mut Stretch) -> (Term, State) {
        let Some((first, others)) = arrived.split_first() else {
            return (self.pool.bottom(), State::default());
        };
        if others.is_empty() {
            return (first.taken, first.state.clone());
        }
        let changed: BTreeSet<CellId> =
            arrived.iter().flat_map(|arrival| arrival.state.iter().map(|(cell, _)| cell)).collect();
        let mut state = first.state.clone();
        for cell in changed {
            let known = self.world.cells.get(cell);
            debug_assert!(
                known.variable.is_none_or(|variable| self.graph.in_scope(node.context, variable)),
                "states are kept in scope"
            );
            let value = |pool: &mut TermPool, arrival: &Arrival| {
                arrival.state.get(cell).unwrap_or_else(|| pool.symbol(&known.name, known.sort))
            };
            let values: Vec<Term> = arrived.iter().map(|arrival| value(self.pool, arrival)).collect();
            if values.iter().all(|value| *value == values[0]) {
                state.set(cell, values[0]);
                continue;
            }
            let merged = self.pool.fresh_symbol(&known.name, known.sort);
            if known.sort == Sort::BitVec(self.world.pointer_width) {
                self.births.merged.insert(merged, values.clone());
            }
            for (arrival, value) in arrived.iter().zip(values) {
                let same = self.pool.eq(merged, value);
                let formula = self.pool.implies(arrival.taken, same);
                stretch.arcs[arrival.arc].formulas.push(formula);
            }
            state.set(cell, merged);
        }
        let taken: Vec<Term> = arrived.iter().map(|arrival| arrival.taken).collect();
        (self.pool.or(&taken), state)
    }
}

/// What happens on an arc.
fn act(step: &mut Step<'_>, graph: &Graph<'_>, node: Node, arc: &Arc) {
    match &arc.action {
        Action::Operation(edge) => {
            let edge = graph.edge(node.context, *edge);
            if let Operation::Halt(HaltKind::Unreachable) = edge.operation {
                let never = step.pool.bottom();
                let hazard = Hazard::Unreachable(graph.function(node.context), edge.span);
                step.during(hazard, |step| step.require(never));
            }
            step.operation(&edge.operation);
        }
        Action::CallNothing { edge, callees, pointer } => {
            let Operation::Call { target, arguments, .. } = &graph.edge(node.context, *edge).operation else {
                return;
            };
            step.call_nothing(*pointer, callees, (*target, arguments));
        }
        Action::Call { edge, callee, pointer } => {
            let Operation::Call { target, arguments, .. } = &graph.edge(node.context, *edge).operation else {
                return;
            };
            step.must_point_to(*pointer, *callee);
            match &arc.goal {
                Goal::Node(goal) if goal.context != node.context => step.enter(*callee, arguments),
                _ => step.call_bodiless(*callee, (graph.function(node.context), *edge), *target, arguments),
            }
        }
        Action::Violate(used) | Action::Apply(used, _) => {
            let procedure = graph.procedures().get(used.procedure);
            let operation = used.edge.map(|edge| &graph.edge(node.context, edge).operation);
            step.must_point_to(used.pointer, procedure.function);
            match arc.action {
                Action::Apply(_, exit) => step.apply(procedure, exit, operation),
                _ => step.violate(procedure, operation),
            }
        }
        Action::Leave { value } => step.leave(graph.function(node.context), *value),
        Action::Return { value, target } => {
            let returned = value.map(|value| (step.faceted(value), step.world.program.exprs[value].ty));
            let Some(caller) = graph.caller(node.context) else { return };
            step.end_stack(graph.function(node.context));
            step.scope = graph.pointed(caller);
            if let Some(target) = target {
                let nothing = || (step.nothing(), None);
                let (value, ty) = returned.map_or_else(nothing, |(value, ty)| (value, Some(ty)));
                step.deliver(*target, &value, ty);
            }
        }
    }
}

impl Stretch {
    /// The formulas of all arcs on the way to some arcs.
    fn cone(&self, goals: &[usize]) -> Vec<Term> {
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let mut open = goals.to_vec();
        while let Some(arc) = open.pop() {
            if needed.insert(arc) {
                open.extend_from_slice(&self.incoming[self.arcs[arc].source]);
            }
        }
        needed.iter().flat_map(|&arc| self.arcs[arc].formulas.iter().copied()).collect()
    }

    /// The formulas on the way to all failures.
    pub(super) fn to_failures(&self) -> Vec<Term> {
        let arcs: Vec<usize> = self.failures.iter().map(|failure| failure.arc).collect();
        self.cone(&arcs)
    }

    /// The formulas on the way to an end.
    pub(super) fn to_end(&self, end: &End) -> Vec<Term> {
        self.cone(&end.arcs)
    }
}
