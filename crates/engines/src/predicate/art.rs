//! The abstract reachability tree: nodes at points, labelled with what is known there along the tree.
//!
//! Only expanded nodes cover, so a node that covers is never covered itself. One node may be covered by several together.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::Point;
use rorqual_logic::Term;

/// A node of the tree, numbered in the order of creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(u32);

/// What became of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has to be explored.
    Open,
    /// All exits that its label allows lead to children, or are refuted.
    Expanded,
    /// Its label implies the labels of expanded nodes at the same point.
    Covered,
    /// Nothing goes wrong behind it, or it is no part of the tree any more.
    Closed,
}

#[derive(Debug)]
struct Node {
    point: Point,
    /// The parent, and the number of the exit of its block that leads here.
    parent: Option<(NodeId, usize)>,
    depth: usize,
    label: Term,
    children: Vec<NodeId>,
    state: State,
    /// What it covers, alone or together with others.
    covers: Vec<NodeId>,
}

/// The tree, and what is left to explore.
#[derive(Debug)]
pub(super) struct Art {
    nodes: Vec<Node>,
    expanded: BTreeMap<Point, BTreeSet<NodeId>>,
    /// All points that nodes were at.
    points: BTreeSet<Point>,
    /// Nodes that may be open, by their depth: the shortest paths to errors are looked at first.
    open: BTreeSet<(usize, NodeId)>,
}

impl Art {
    /// A tree with an open root.
    pub(super) fn new(root: Point, label: Term) -> Art {
        let (expanded, points, open) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let mut art = Art { nodes: Vec::new(), expanded, points, open };
        art.add(root, None, 0, label);
        art
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.0 as usize]
    }

    /// How many nodes were made.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn add(&mut self, point: Point, parent: Option<(NodeId, usize)>, depth: usize, label: Term) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let (children, covers, state) = (Vec::new(), Vec::new(), State::Open);
        self.nodes.push(Node { point, parent, depth, label, children, state, covers });
        self.open.insert((depth, id));
        self.points.insert(point);
        id
    }

    /// All points that nodes were at.
    pub(super) fn points(&self) -> &BTreeSet<Point> {
        &self.points
    }

    /// Adds an open child that an exit of the node's block leads to.
    pub(super) fn add_child(&mut self, parent: NodeId, exit: usize, point: Point, label: Term) {
        let child = self.add(point, Some((parent, exit)), self.node(parent).depth + 1, label);
        self.node_mut(parent).children.push(child);
    }

    /// An open node with the least depth.
    pub(super) fn next_open(&mut self) -> Option<NodeId> {
        while let Some((_, node)) = self.open.pop_first() {
            if self.node(node).state == State::Open {
                return Some(node);
            }
        }
        None
    }

    pub(super) fn point(&self, node: NodeId) -> Point {
        self.node(node).point
    }

    pub(super) fn label(&self, node: NodeId) -> Term {
        self.node(node).label
    }

    /// The parent and the exit that leads to the node.
    pub(super) fn parent(&self, node: NodeId) -> Option<(NodeId, usize)> {
        self.node(node).parent
    }

    /// The nodes from the root to the node.
    pub(super) fn branch(&self, node: NodeId) -> Vec<NodeId> {
        let mut branch = vec![node];
        while let Some((parent, _)) = self.node(branch[branch.len() - 1]).parent {
            branch.push(parent);
        }
        branch.reverse();
        branch
    }

    /// The expanded nodes at a point, youngest first.
    pub(super) fn expanded_at(&self, point: Point) -> Vec<NodeId> {
        self.expanded.get(&point).into_iter().flatten().rev().copied().collect()
    }

    /// All points with the labels of the expanded nodes there.
    pub(super) fn labels(&self) -> Vec<(Point, Vec<Term>)> {
        let labels = |nodes: &BTreeSet<NodeId>| nodes.iter().map(|&node| self.label(node)).collect();
        self.expanded.iter().map(|(&point, nodes)| (point, labels(nodes))).collect()
    }

    pub(super) fn set_expanded(&mut self, node: NodeId) {
        self.node_mut(node).state = State::Expanded;
        let point = self.point(node);
        self.expanded.entry(point).or_default().insert(node);
    }

    /// The node need not be explored.
    pub(super) fn close(&mut self, node: NodeId) {
        self.node_mut(node).state = State::Closed;
    }

    /// Covers a node by expanded ones.
    pub(super) fn cover(&mut self, node: NodeId, by: &[NodeId]) {
        debug_assert!(by.iter().all(|&other| self.node(other).state == State::Expanded));
        debug_assert!(by.iter().all(|&other| self.point(other) == self.point(node)));
        self.node_mut(node).state = State::Covered;
        for &other in by {
            self.node_mut(other).covers.push(node);
        }
    }

    /// Takes everything below a node away, opens the node with another label, and opens whatever was covered by what is
    /// gone or changed. The number of nodes that are no longer covered.
    pub(super) fn restart(&mut self, node: NodeId, label: Term) -> usize {
        let mut uncovered = Vec::new();
        let mut below = std::mem::take(&mut self.node_mut(node).children);
        uncovered.extend(self.retire(node));
        while let Some(next) = below.pop() {
            below.append(&mut self.node_mut(next).children);
            uncovered.extend(self.retire(next));
        }
        self.node_mut(node).label = label;
        self.reopen(node);
        let still_covered = |&other: &NodeId| self.node(other).state == State::Covered;
        uncovered.retain(still_covered);
        for &other in &uncovered {
            self.reopen(other);
        }
        uncovered.len()
    }

    /// Takes a node out of the tree; what it covered.
    fn retire(&mut self, node: NodeId) -> Vec<NodeId> {
        let point = self.point(node);
        if let Some(expanded) = self.expanded.get_mut(&point) {
            expanded.remove(&node);
        }
        self.close(node);
        std::mem::take(&mut self.node_mut(node).covers)
    }

    fn reopen(&mut self, node: NodeId) {
        let details = self.node_mut(node);
        details.state = State::Open;
        let depth = details.depth;
        self.open.insert((depth, node));
    }
}
