//! IMPACT after K. L. McMillan, *Lazy Abstraction with Interpolants*, CAV 2006.
//! Methods keep the paper's names; "Departure:" marks each place where we differ.

mod config;
mod harmless;
mod proof;
mod tree;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rorqual_cfa::Program;
use rorqual_encoding::{Detail, Encoding, Obstacle, Path, Point, Target, Undefined};
use rorqual_engine::{Event, Invariant, LocationInvariant, Observer, Reason, Trace, Verdict};
use rorqual_logic::Term;
use rorqual_solver::{GaveUp, Limits};

use crate::bmc;
use crate::facts::arrays::indices;
use crate::facts::{self, Facts, Learned};
use crate::solver::{PathAnswer, PathSolver};
use crate::stop::Stop;
use harmless::Harmless;
use proof::{Conjuncts, conjuncts_of, needed};
use tree::{NodeId, Place, Tree};

pub use config::Config;

/// Proves or refutes that a program violates its specification.
pub fn check(program: &Program, config: Config, limits: &Limits, observer: &mut dyn Observer) -> Verdict {
    observer.on(Event::Started { engine: "impact" });
    let mut impact = Impact::new(program, config, limits, observer);
    let learned = facts::learn_first(&mut impact.encoding, &mut impact.facts, limits);
    if learned == Learned::All && impact.has_proof() {
        return Verdict::Safe(impact.invariant());
    }
    impact.unwind()
}

/// Proves a program by facts alone, if some that exclude all violations are not hard to find.
pub fn prove_by_facts(program: &Program, limits: &Limits, observer: &mut dyn Observer) -> Option<Verdict> {
    let mut impact = Impact::new(program, Config::default(), limits, observer);
    let learned = facts::learn_first(&mut impact.encoding, &mut impact.facts, limits);
    let is_proof = learned == Learned::All && impact.has_proof();
    is_proof.then(|| Verdict::Safe(impact.invariant()))
}

/// Tries to prove a program without looking at what is in memory, if it has any. Most proofs about large programs do not
/// depend on it, and formulas are much smaller without. What is no proof then means nothing.
pub fn prove_outline(
    program: &Program,
    config: Config,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Option<Verdict> {
    let config = Config { detail: Detail::Outline, ..config };
    let limits = limits.clone().with_conflicts(OUTLINE_CONFLICTS);
    let impact = Impact::new(program, config, &limits, observer);
    let verdict = impact.encoding.has_vague_memory().then(|| impact.unwind());
    verdict.filter(|verdict| matches!(verdict, Verdict::Safe(_)))
}

/// So much may be spent on each query and on the whole as long as the content of memory is left out.
const OUTLINE_CONFLICTS: u32 = 20_000;
const OUTLINE_REFINEMENTS: usize = 400;

/// How many blocks a bounded search may go on for each refinement so far, how many terms it may make and how many
/// queries it may ask. Where constants decide which way executions go, it goes far; where inputs do, it ends early.
const LOOK_AHEAD_STEPS: u64 = 400;
const LOOK_AHEAD_TERMS: usize = 20_000;
const LOOK_AHEAD_QUERIES: usize = 40;
const LOOK_AHEAD_CONFLICTS: u32 = 500;
/// More refinements than these do not let it go further.
const FARTHEST_LOOK: usize = 50;

struct Impact<'p, 'o> {
    encoding: Encoding<'p>,
    tree: Tree,
    solver: PathSolver,
    config: Config,
    limits: Limits,
    observer: &'o mut dyn Observer,
    /// Nodes that may be open leaves; the last one is explored next.
    leaves: Vec<NodeId>,
    /// The path to the node that was looked at last, with the nodes along it.
    path: Path,
    along: Vec<NodeId>,
    /// The first obstacle that can be reached.
    obstacle: Option<Obstacle>,
    facts: Facts,
    /// Whether facts are the proof, and not the tree.
    by_facts: bool,
    harmless: Harmless,
    refinements: usize,
    /// After so many refinements facts are learned next.
    learn_at: usize,
}

/// What refining the path to a node gives.
enum Refinement {
    /// A violation.
    Violation(Trace),
    /// Something that is not supported can be reached.
    Obstacle,
    Strengthened,
}

impl<'p, 'o> Impact<'p, 'o> {
    fn new(
        program: &'p Program,
        config: Config,
        limits: &Limits,
        observer: &'o mut dyn Observer,
    ) -> Impact<'p, 'o> {
        let mut encoding = Encoding::new(program, config.blocks, Undefined::Ends, config.detail);
        let (top, bottom) = (encoding.pool.top(), encoding.pool.bottom());
        let tree = Tree::new(encoding.start(), top, bottom);
        let root = Tree::root();
        Impact {
            encoding,
            tree,
            solver: PathSolver::new(limits),
            config,
            limits: limits.clone(),
            observer,
            leaves: vec![root],
            path: Path::new(),
            along: vec![root],
            obstacle: None,
            facts: Facts::default(),
            by_facts: false,
            harmless: Harmless::default(),
            refinements: 0,
            learn_at: config.first_facts,
        }
    }

    /// UNWIND. Ends with a feasible error path, or with no open leaf: then, at each point, the disjunction of
    /// the uncovered nodes' labels is an inductive invariant.
    fn unwind(mut self) -> Verdict {
        match self.explore() {
            Ok(Some(trace)) => return Verdict::Unsafe(trace),
            Ok(None) => {}
            Err(stop) => return stop.into(),
        }
        match self.obstacle.take() {
            Some(Obstacle { construct, span }) => Verdict::Unknown(Reason::Unsupported { construct, span }),
            None => Verdict::Safe(self.invariant()),
        }
    }

    /// DFS. Departures: an explicit stack, as unwindings outgrow the call stack; only strengthened nodes are
    /// closed after REFINE, as no other label has changed; and where nothing can go wrong, nothing is unwound.
    fn explore(&mut self) -> Result<Option<Trace>, Stop> {
        while let Some(node) = self.leaves.pop() {
            Stop::check(&self.limits)?;
            if self.tree.is_expanded(node) || self.tree.is_covered(node) || self.tree.is_unreachable(node) {
                continue;
            }
            let Place::Point(point) = *self.tree.place(node) else {
                match self.refine(node)? {
                    Refinement::Violation(trace) => return Ok(Some(trace)),
                    // With all of memory it may not be there.
                    Refinement::Obstacle if self.is_outline() => return Ok(None),
                    Refinement::Obstacle | Refinement::Strengthened => continue,
                }
            };
            if self.harmless.contains(&mut self.encoding, point) {
                continue;
            }
            self.close(node);
            if self.tree.covered_by(node).is_some() || self.force_cover(node)? {
                continue;
            }
            self.expand(node);
        }
        Ok(None)
    }

    /// EXPAND. Departure: an exit that the label excludes gets no child. Labels only grow stronger, so it never
    /// will need one.
    fn expand(&mut self, node: NodeId) {
        let Place::Point(point) = *self.tree.place(node) else { return };
        self.observer.on(Event::Expanded { nodes: self.tree.len(), span: self.encoding.span(point) });
        let block = self.encoding.block(point);
        let label = self.tree.label(node);
        let top = self.encoding.pool.top();
        self.tree.set_expanded(node);
        // Violations are looked at first: they come last onto the stack.
        for (number, exit) in block.exits.iter().enumerate().rev() {
            let known = self.facts.along(&mut self.encoding.pool, point, exit);
            if !self.solver.is_possible(&mut self.encoding, &[label, known, exit.guard]) {
                continue;
            }
            let place = match &exit.target {
                Target::Point(point) => Place::Point(*point),
                Target::Error => Place::Error,
                Target::Unsupported(obstacle) => Place::Unsupported(obstacle.clone()),
            };
            let label = match place {
                Place::Point(point) => self.facts.at(&mut self.encoding.pool, point),
                Place::Error | Place::Unsupported(_) => top,
            };
            let child = self.tree.add_child(node, number, place, label);
            self.leaves.push(child);
        }
    }

    /// REFINE. Conjoins the `k`-th interpolant to the label of the `k`-th node.
    fn refine(&mut self, error: NodeId) -> Result<Refinement, Stop> {
        self.walk_to(error);
        self.observer.on(Event::Refining { depth: self.path.len() });
        let parts = self.parts(0, self.path.len());
        let answer = match self.solver.solve_path(&mut self.encoding, &parts) {
            // What cannot be interpolated may follow from facts.
            Err(stop @ Stop::Solver(_)) => {
                let before = self.facts.len();
                if self.learn() == Learned::Some {
                    self.leaves.push(error);
                }
                return if self.facts.len() > before { Ok(Refinement::Strengthened) } else { Err(stop) };
            }
            answer => answer?,
        };
        match answer {
            PathAnswer::Feasible(model) => match self.tree.place(error) {
                Place::Unsupported(obstacle) => {
                    self.obstacle.get_or_insert_with(|| obstacle.clone());
                    Ok(Refinement::Obstacle)
                }
                Place::Error | Place::Point(_) => {
                    let trace = rorqual_encoding::trace(&mut self.encoding, model.assignment());
                    trace.map(Refinement::Violation).ok_or_else(Stop::without_trace)
                }
            },
            PathAnswer::Refuted(interpolants) => {
                let branch = self.along.clone();
                self.strengthen(&branch, &interpolants);
                self.refinements += 1;
                if self.is_outline() && self.refinements > OUTLINE_REFINEMENTS {
                    return Err(Stop::Solver(GaveUp::Conflicts));
                }
                if self.refinements == self.learn_at {
                    self.learn_at = 2 * self.learn_at + 1;
                    if !self.is_outline()
                        && let Some(trace) = self.look_ahead()
                    {
                        return Ok(Refinement::Violation(trace));
                    }
                    self.learn();
                }
                Ok(Refinement::Strengthened)
            }
        }
    }

    fn is_outline(&self) -> bool {
        self.config.detail == Detail::Outline
    }

    /// Departure: a bounded search looks for a violation further ahead than the unwinding got. Interpolants say nothing
    /// about a violation after the thousandth round of a loop until all rounds before are refuted, one by one.
    fn look_ahead(&self) -> Option<Trace> {
        let rounds = self.refinements.min(FARTHEST_LOOK);
        let config = bmc::Config {
            steps: Some(LOOK_AHEAD_STEPS * rounds as u64),
            size: LOOK_AHEAD_TERMS * rounds,
            queries: LOOK_AHEAD_QUERIES * rounds,
            undefined: Undefined::Ends,
        };
        let limits = self.limits.clone().with_conflicts(LOOK_AHEAD_CONFLICTS);
        match bmc::search(self.encoding.program, config, &limits, &mut ()) {
            bmc::Outcome::Violation(trace) => Some(trace),
            _ => None,
        }
    }

    /// Conjoins formulas over the symbols along the path to the labels of the nodes along it, and closes those whose
    /// labels have changed. The nodes are the last ones of the path.
    fn strengthen(&mut self, branch: &[NodeId], interpolants: &[Term]) {
        let mut changed = Vec::new();
        for (&node, &interpolant) in branch.iter().zip(interpolants) {
            let position = self.tree.depth(node);
            let formula = self.path.over_cells(&mut self.encoding, interpolant, position);
            let label = self.tree.label(node);
            if !self.solver.entails(&mut self.encoding, label, formula) {
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

    /// Departure: facts that are proved by induction join the labels of all nodes. Labels stay inductive, as facts are,
    /// and covers stay covers, as both nodes are at the same point. If they exclude all violations, they are the proof. If
    /// only something that is not supported is left, the unwinding begins again: other labels are in the way.
    fn learn(&mut self) -> Learned {
        let mut seen: BTreeMap<Point, Vec<Term>> = BTreeMap::new();
        for (point, nodes) in self.tree.invariant() {
            seen.insert(point, nodes.iter().map(|&node| self.tree.label(node)).collect());
        }
        let learned = facts::learn(&mut self.encoding, &mut self.facts, &seen, &self.limits);
        self.observer.on(Event::Learned { facts: self.facts.len() });
        if learned == Learned::All {
            self.begin_again();
            if self.has_proof() {
                self.leaves.clear();
            }
            return learned;
        }
        for node in self.tree.subtree(Tree::root()) {
            if let Place::Point(point) = *self.tree.place(node) {
                let fact = self.facts.at(&mut self.encoding.pool, point);
                let label = self.tree.label(node);
                let stronger = self.encoding.pool.and2(label, fact);
                self.tree.set_label(node, stronger);
                let open =
                    self.tree.is_expanded(node) || self.solver.is_possible(&mut self.encoding, &[stronger]);
                if !open {
                    let bottom = self.encoding.pool.bottom();
                    self.tree.set_label(node, bottom);
                }
            }
        }
        learned
    }

    /// Whether facts that exclude all violations exclude whatever is not supported too.
    fn has_proof(&mut self) -> bool {
        self.by_facts = facts::exclude_obstacles(&mut self.encoding, &self.facts, &self.limits);
        self.by_facts
    }

    fn begin_again(&mut self) {
        let (top, bottom) = (self.encoding.pool.top(), self.encoding.pool.bottom());
        self.tree = Tree::new(self.encoding.start(), top, bottom);
        self.leaves = vec![Tree::root()];
        self.along = vec![Tree::root()];
        self.path = Path::new();
    }

    /// What `node` covered need not imply its stronger label. Departure: a cover that still holds is kept.
    fn recheck_covers(&mut self, node: NodeId) {
        let label = self.tree.label(node);
        for covered in self.tree.covers(node).to_vec() {
            let own = self.tree.label(covered);
            if !self.solver.entails(&mut self.encoding, own, label) {
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
            self.leaves.extend(below.into_iter().filter(|&leaf| !self.tree.is_expanded(leaf)));
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
            if self.solver.entails(&mut self.encoding, label, weaker) {
                self.cover(node, candidate);
                self.observer.on(Event::Covered);
                return;
            }
        }
    }

    fn cover(&mut self, node: NodeId, by: NodeId) {
        let uncovered = self.tree.cover(node, by);
        self.reopen(&uncovered);
    }

    /// Forced covering (section 5 of the paper): strengthens the labels from the common ancestor on, so that the
    /// node implies an older one's label, if that is possible.
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
        let mut parts = vec![self.path.at(&mut self.encoding, known, from)];
        parts.extend(self.parts(from, to));
        let wanted = self.tree.label(candidate);
        let wanted = self.path.renamed(&mut self.encoding, wanted, to);
        parts.push(vec![self.encoding.pool.not(wanted)]);
        if self.solver.is_possible(&mut self.encoding, &parts.concat()) {
            return Ok(false);
        }
        let interpolants = match self.solver.solve_path(&mut self.encoding, &parts) {
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
        let holds = self.solver.entails(&mut self.encoding, label, weaker);
        if holds {
            self.cover(node, candidate);
        }
        Ok(holds)
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
                let fact = self.facts.along(&mut self.encoding.pool, *point, &block.exits[exit]);
                part.push(self.path.renamed(&mut self.encoding, fact, position));
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
            self.path.push(&mut self.encoding, &block.exits[exit]);
        }
        self.along = branch;
    }

    fn invariant(mut self) -> Invariant {
        let mut all = Conjuncts::new();
        let mut seen = BTreeSet::new();
        let points = if self.by_facts { facts::points(&mut self.encoding) } else { None };
        for point in points.into_iter().flatten() {
            all.insert(point, [&self.facts.conjuncts(point), self.facts.indexed(point)].concat());
        }
        for (point, nodes) in self.tree.invariant().into_iter().filter(|_| !self.by_facts) {
            let labels: Vec<Term> = nodes.iter().map(|&node| self.tree.label(node)).collect();
            let mut conjuncts = conjuncts_of(&mut self.encoding.pool, &labels);
            conjuncts.extend_from_slice(self.facts.indexed(point));
            all.insert(point, conjuncts);
        }
        // Loops that no execution gets to are part of the proof: it says so.
        let mut open = vec![self.encoding.start()];
        while let Some(point) = open.pop() {
            for &end in &self.encoding.block(point).ends {
                if self.harmless.contains(&mut self.encoding, end) {
                    all.insert(end, Vec::new());
                } else if let Entry::Vacant(place) = all.entry(end) {
                    place.insert(vec![self.encoding.pool.bottom()]);
                }
                if seen.insert(end) {
                    open.push(end);
                }
            }
        }
        let needed = needed(&mut self.encoding, all, &self.limits);
        let mut locations = Vec::new();
        for (point, conjuncts) in needed {
            let formula = self.encoding.pool.and(&conjuncts);
            let formula = self.encoding.with_address_symbols(formula);
            let bound = indices::in_formula(&mut self.encoding.pool, formula);
            let calls = self.encoding.calls(point.context);
            locations.push(LocationInvariant { calls, location: point.location, bound, formula });
        }
        locations.sort_by(|one, other| (&one.calls, one.location).cmp(&(&other.calls, other.location)));
        Invariant { pool: self.encoding.pool, locations, contracts: Vec::new() }
    }
}
