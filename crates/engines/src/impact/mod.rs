//! IMPACT after K. L. McMillan, *Lazy Abstraction with Interpolants*, CAV 2006.
//!
//! | Paper | Here |
//! |---|---|
//! | unwinding (V, E, `M_v`, `M_e`), labels ψ, covering ▷ | [`tree::Tree`] |
//! | EXPAND | [`Search::expand`] |
//! | REFINE | [`Search::refine`] |
//! | COVER | [`Search::cover`] |
//! | CLOSE | [`Search::close`] |
//! | DFS | [`Search::dfs`] |
//! | UNWIND | [`Search::unwind`] |
//! | UNWIND(L) | [`Interpolants::Restricted`] |
//! | FORCECOVER | [`Search::force_cover`] |
//!
//! "Departure:" marks each place where we differ.

mod config;
#[cfg(test)]
mod tests;
mod tree;

use rorqual_encoding::{Detail, Encoding, Obstacle, Path, Target};
use rorqual_evidence::{
    Answer, Event, Invariant, Observer, Origin, Reason, Stop, Technique, Trace, Verdict, Violation,
};
use rorqual_inference::Interest;
use rorqual_inference::proof::{Conjuncts, all_points, conjuncts_of, invariant};
use rorqual_logic::Term;
use rorqual_solver::{GaveUp, Limits};

use crate::harmless::Harmless;
use crate::inference::{Advice, Inference, Mattering};
use crate::registry::Engine;
use crate::solver::{PathAnswer, PathSolver};
use crate::task::Task;
use tree::{NodeId, Place, Tree};

pub use config::{Impact, Interpolants};

impl Engine for Impact {
    fn name(&self) -> &'static str {
        "impact"
    }

    fn summary(&self) -> &'static str {
        "lazy abstraction with interpolants: proofs for all unwindings"
    }

    fn run(
        &self,
        task: &Task<'_>,
        inference: &mut dyn Inference,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Answer {
        observer.on(Event::Started { engine: self.name() });
        let limits = self.conflicts.map_or(limits.clone(), |most| limits.clone().with_conflicts(most));
        let encoding = task.encoding(self.setting());
        let mut encoding = encoding.borrow_mut();
        let mut answer = Search::new(*self, &mut encoding, inference, limits, observer).run();
        answer.origin.heap_free = self.detail == Detail::HeapFree;
        answer
    }
}

struct Search<'s, 'p> {
    config: Impact,
    encoding: &'s mut Encoding<'p>,
    inference: &'s mut dyn Inference,
    limits: Limits,
    observer: &'s mut dyn Observer,
    solver: PathSolver,
    tree: Tree,
    /// Nodes that were uncovered, and may be open leaves again.
    uncovered: Vec<NodeId>,
    /// The path to the node that was looked at last, with the nodes along it.
    path: Path,
    along: Vec<NodeId>,
    /// The first obstacle that can be reached.
    obstacle: Option<Obstacle>,
    harmless: Harmless,
    refinements: usize,
}

/// Why a search is over before the unwinding is complete.
enum End {
    /// A path to an error is feasible.
    Violation(Trace),
    /// Inference knows the answer.
    Answered(Box<Answer>),
    Stopped(Stop),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        End::Stopped(stop)
    }
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(
        config: Impact,
        encoding: &'s mut Encoding<'p>,
        inference: &'s mut dyn Inference,
        limits: Limits,
        observer: &'s mut dyn Observer,
    ) -> Search<'s, 'p> {
        let (top, bottom) = (encoding.pool.top(), encoding.pool.bottom());
        Search {
            config,
            tree: Tree::new(encoding.start(), top, bottom),
            encoding,
            inference,
            solver: PathSolver::new(&limits).accepting(config.interpolants),
            limits,
            observer,
            uncovered: vec![Tree::root()],
            path: Path::new(),
            along: vec![Tree::root()],
            obstacle: None,
            harmless: Harmless::default(),
            refinements: 0,
        }
    }

    fn run(mut self) -> Answer {
        let verdict = match self.unwind() {
            Ok(()) => match self.obstacle.take() {
                Some(Obstacle { construct, span }) => {
                    Verdict::Unknown(Reason::Unsupported { construct, span })
                }
                None => Verdict::Safe(self.invariant().into()),
            },
            Err(End::Violation(trace)) => Verdict::Unsafe(Violation::Trace(trace)),
            Err(End::Answered(answer)) => return *answer,
            Err(End::Stopped(stop)) => stop.into(),
        };
        let with_facts = !self.inference.facts().is_empty();
        Answer::with_origin(verdict, Origin { with_facts, ..Technique::Interpolation.into() })
    }

    /// UNWIND. Ends with a feasible error path, or with no open leaf: then, at each point, the disjunction of
    /// the uncovered nodes' labels is an inductive invariant.
    fn unwind(&mut self) -> Result<(), End> {
        while let Some(leaf) = self.uncovered.pop() {
            if self.tree.is_open(leaf) {
                for ancestor in self.tree.proper_ancestors(leaf) {
                    self.close(ancestor);
                }
                self.dfs(leaf)?;
            }
        }
        debug_assert!(self.is_complete(), "no leaf is left out");
        Ok(())
    }

    /// Whether all leaves are covered or unreachable, but for those that lead to no violation. For assertions.
    fn is_complete(&mut self) -> bool {
        let open = self.tree.open_leaves();
        open.into_iter().all(|leaf| match *self.tree.place(leaf) {
            Place::Point(point) => self.harmless.contains(self.encoding, point),
            Place::Error => false,
            Place::Unsupported(_) => self.obstacle.is_some(),
        })
    }

    /// DFS. Departures: an explicit stack, as unwindings outgrow the call stack; and where no path leads to an error,
    /// nothing is unwound. After REFINE only strengthened nodes are closed, as the paper suggests.
    fn dfs(&mut self, start: NodeId) -> Result<(), End> {
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            Stop::check(&self.limits)?;
            if !self.tree.is_open(node) {
                continue;
            }
            let Place::Point(point) = *self.tree.place(node) else {
                self.refine(node)?;
                continue;
            };
            if self.harmless.contains(self.encoding, point) {
                continue;
            }
            self.close(node);
            if !self.tree.is_covered(node) && !self.force_cover(node)? {
                stack.extend(self.expand(node));
            }
        }
        Ok(())
    }

    /// EXPAND. The children, those at errors last. Departure: an exit that the label excludes gets no child. Labels only
    /// grow stronger, so it never will need one.
    fn expand(&mut self, node: NodeId) -> Vec<NodeId> {
        let Place::Point(point) = *self.tree.place(node) else { return Vec::new() };
        self.observer.on(Event::Expanded { nodes: self.tree.len(), span: self.encoding.span(point) });
        let block = self.encoding.block(point);
        let label = self.tree.label(node);
        self.tree.set_expanded(node);
        let mut children = Vec::new();
        for (number, exit) in block.exits.iter().enumerate().rev() {
            let known = self.inference.facts().along(&mut self.encoding.pool, point, exit);
            if !self.solver.is_possible(self.encoding, &[label, known, exit.guard]) {
                continue;
            }
            let pool = &mut self.encoding.pool;
            let (place, label) = match &exit.target {
                Target::Point(point) => (Place::Point(*point), self.inference.facts().at(pool, *point)),
                Target::Error => (Place::Error, pool.top()),
                Target::Unsupported(obstacle) => (Place::Unsupported(obstacle.clone()), pool.top()),
            };
            children.push(self.tree.add_child(node, number, place, label));
        }
        children
    }

    /// REFINE. Conjoins the `k`-th interpolant to the label of the `k`-th node.
    fn refine(&mut self, error: NodeId) -> Result<(), End> {
        self.walk_to(error);
        self.observer.on(Event::Refining { depth: self.path.len() });
        let parts = self.parts(0, self.path.len());
        match self.solver.solve_path(self.encoding, &parts) {
            Ok(PathAnswer::Feasible(model)) => return self.reached(error, model.assignment()),
            Ok(PathAnswer::Refuted(interpolants)) => {
                let branch = self.along.clone();
                self.strengthen(&branch, &interpolants);
                debug_assert!(self.tree.is_unreachable(error), "the last interpolant is `false`");
            }
            // What cannot be interpolated may follow from facts.
            Err(stop @ Stop::Solver(_)) => {
                if !self.consult()? {
                    return Err(stop.into());
                }
                self.uncovered.push(error);
            }
            Err(stop) => return Err(stop.into()),
        }
        self.refinements += 1;
        if self.config.refinements.is_some_and(|most| self.refinements > most) {
            return Err(Stop::Solver(GaveUp::Conflicts).into());
        }
        if self.inference.is_due(self.refinements) {
            self.consult()?;
        }
        Ok(())
    }

    /// The path to an error is feasible, or that to something that is not supported.
    fn reached(&mut self, node: NodeId, model: &rorqual_logic::Assignment) -> Result<(), End> {
        if let Place::Unsupported(obstacle) = self.tree.place(node) {
            self.obstacle.get_or_insert_with(|| obstacle.clone());
            // With all of memory it may not be there, and a proof is out of reach.
            let is_over = self.config.detail == Detail::HeapFree;
            return if is_over { Err(Stop::Solver(GaveUp::Conflicts).into()) } else { Ok(()) };
        }
        let trace = rorqual_encoding::trace(self.encoding, model);
        Err(trace.map_or_else(|| Stop::without_trace().into(), End::Violation))
    }

    /// Conjoins formulas over the symbols along the path to the labels of the nodes along it, and closes those whose
    /// labels have changed. The nodes are the last ones of the path.
    fn strengthen(&mut self, branch: &[NodeId], interpolants: &[Term]) {
        let mut changed = Vec::new();
        for (&node, &interpolant) in branch.iter().zip(interpolants) {
            let position = self.tree.depth(node);
            let formula = self.path.over_cells(self.encoding, interpolant, position);
            let label = self.tree.label(node);
            if !self.solver.entails(self.encoding, label, formula) {
                let stronger = self.encoding.pool.and2(label, formula);
                self.tree.set_label(node, stronger);
                changed.push(node);
            }
        }
        for &node in &changed {
            self.recheck_covers(node);
        }
        for node in changed {
            if !self.tree.is_covered(node) {
                self.close(node);
            }
        }
    }

    /// What `node` covered need not imply its stronger label. Departure: a cover that still holds is kept.
    fn recheck_covers(&mut self, node: NodeId) {
        let label = self.tree.label(node);
        for covered in self.tree.covers(node).to_vec() {
            let own = self.tree.label(covered);
            if !self.solver.entails(self.encoding, own, label) {
                self.tree.uncover(covered);
                self.reopen(&[covered]);
            }
        }
    }

    /// Nodes that are no longer covered have leaves to explore.
    fn reopen(&mut self, nodes: &[NodeId]) {
        for &node in nodes {
            self.observer.on(Event::Uncovered);
            let below = self.tree.subtree(node);
            self.uncovered.extend(below.into_iter().filter(|&leaf| !self.tree.is_expanded(leaf)));
        }
    }

    /// CLOSE. Tries to cover a node by the older ones at its point.
    fn close(&mut self, node: NodeId) {
        if self.tree.covered_by(node).is_some() || self.tree.is_unreachable(node) {
            return;
        }
        let label = self.tree.label(node);
        for candidate in self.tree.candidates(node) {
            let weaker = self.tree.label(candidate);
            if self.solver.entails(self.encoding, label, weaker) {
                self.cover(node, candidate);
                self.observer.on(Event::Covered);
                return;
            }
        }
    }

    /// COVER, of a node whose label implies that of an older one.
    fn cover(&mut self, node: NodeId, by: NodeId) {
        let uncovered = self.tree.cover(node, by);
        self.reopen(&uncovered);
    }

    /// FORCECOVER (section 2 of the paper): strengthens the labels from the common ancestor on, so that the node implies
    /// an older one's label, if that is possible.
    fn force_cover(&mut self, node: NodeId) -> Result<bool, Stop> {
        let candidates = self.tree.candidates(node);
        for &candidate in candidates.iter().take(self.config.forced_covers) {
            if self.force_cover_by(node, candidate)? {
                self.observer.on(Event::ForcedCover);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn force_cover_by(&mut self, node: NodeId, candidate: NodeId) -> Result<bool, Stop> {
        self.walk_to(node);
        let ancestor = self.tree.common_ancestor(node, candidate);
        let (from, to) = (self.tree.depth(ancestor), self.tree.depth(node));
        let known = self.tree.label(ancestor);
        let mut parts = vec![self.path.at(self.encoding, known, from)];
        parts.extend(self.parts(from, to));
        let wanted = self.tree.label(candidate);
        let wanted = self.path.renamed(self.encoding, wanted, to);
        parts.push(vec![self.encoding.pool.not(wanted)]);
        if self.solver.is_possible(self.encoding, &parts.concat()) {
            return Ok(false);
        }
        let interpolants = match self.solver.solve_path(self.encoding, &parts) {
            Ok(PathAnswer::Refuted(interpolants)) => interpolants,
            // Without interpolants there is no cover, and the search goes on.
            Ok(PathAnswer::Feasible(_)) | Err(Stop::Solver(_)) => return Ok(false),
            Err(stop) => return Err(stop),
        };
        let branch = self.along[from..].to_vec();
        // The first formula is `true`, before the ancestor's label.
        self.strengthen(&branch, &interpolants[1..]);
        if self.tree.is_covered(candidate) || self.tree.is_covered(node) {
            return Ok(self.tree.is_covered(node));
        }
        let (label, weaker) = (self.tree.label(node), self.tree.label(candidate));
        let holds = self.solver.entails(self.encoding, label, weaker);
        if holds {
            self.cover(node, candidate);
        }
        Ok(holds)
    }

    /// Departure: proved facts, if inference has any, join the labels of all nodes. Labels stay inductive, as facts are,
    /// and covers stay covers, as both nodes are at the same point. Returns whether there are new ones.
    fn consult(&mut self) -> Result<bool, End> {
        let mut interest = Interest::new();
        for (point, nodes) in self.tree.invariant() {
            interest.insert(point, nodes.iter().map(|&node| self.tree.label(node)).collect());
        }
        let mattering = Mattering::AtPoints(&interest);
        match self.inference.consult(self.encoding, mattering, self.refinements, &self.limits, self.observer)
        {
            Advice::Nothing => Ok(false),
            Advice::Answer(answer) => Err(End::Answered(answer)),
            Advice::Facts => {
                self.join_facts();
                Ok(true)
            }
        }
    }

    fn join_facts(&mut self) {
        for node in self.tree.subtree(Tree::root()) {
            let Place::Point(point) = *self.tree.place(node) else { continue };
            let fact = self.inference.facts().at(&mut self.encoding.pool, point);
            let stronger = self.encoding.pool.and2(self.tree.label(node), fact);
            self.tree.set_label(node, stronger);
            if !self.tree.is_expanded(node) && !self.solver.is_possible(self.encoding, &[stronger]) {
                let bottom = self.encoding.pool.bottom();
                self.tree.set_label(node, bottom);
            }
        }
    }

    /// The formulas along the path between two positions, with the facts that hold on the way. Facts are in the labels
    /// too, so what follows from them is well labelled.
    fn parts(&mut self, from: usize, to: usize) -> Vec<Vec<Term>> {
        let mut parts = self.path.parts()[from..to].to_vec();
        for (part, position) in parts.iter_mut().zip(from..) {
            let exit = self.tree.parent(self.along[position + 1]).map(|(_, exit)| exit);
            if let (Place::Point(point), Some(exit)) = (self.tree.place(self.along[position]), exit) {
                let block = self.encoding.block(*point);
                // One conjunct: there may be hundreds of facts, and the solver is slow with thousands of assumptions.
                let facts = self.inference.facts();
                let fact = facts.along(&mut self.encoding.pool, *point, &block.exits[exit]);
                part.push(self.path.renamed(self.encoding, fact, position));
            }
        }
        parts
    }

    /// Makes `path` the path to a node. What it shares with the last one is kept.
    fn walk_to(&mut self, node: NodeId) {
        let branch = self.tree.branch(node);
        let shared = self.along.iter().zip(&branch).take_while(|(one, other)| one == other).count();
        self.path.truncate(shared - 1);
        for &next in &branch[shared..] {
            let (parent, exit) = self.tree.parent(next).expect("only the root has no parent");
            let Place::Point(point) = *self.tree.place(parent) else { continue };
            let block = self.encoding.block(point);
            self.path.push(self.encoding, &block.exits[exit]);
        }
        self.along = branch;
    }

    /// The invariant that a complete unwinding gives.
    fn invariant(&mut self) -> Invariant {
        let mut all = Conjuncts::new();
        for (point, nodes) in self.tree.invariant() {
            let labels: Vec<Term> = nodes.iter().map(|&node| self.tree.label(node)).collect();
            let mut conjuncts = conjuncts_of(&mut self.encoding.pool, &labels);
            conjuncts.extend_from_slice(self.inference.facts().indexed(point));
            all.insert(point, conjuncts);
        }
        // Where nothing was unwound, nothing has to hold.
        for point in all_points(self.encoding) {
            if self.harmless.contains(self.encoding, point) {
                all.insert(point, Vec::new());
            }
        }
        invariant(self.encoding, all, &self.limits)
    }
}
