//! The unwinding: a tree whose nodes are labelled with formulas, and the covering relation on it.

use std::collections::HashMap;

use rorqual_encoding::{Obstacle, Point};
use rorqual_logic::Term;

/// A node of the unwinding, numbered in the order of creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(u32);

/// Where a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// At a point of the program.
    Point(Point),
    /// At a violation.
    Error,
    /// At something that is not supported.
    Unsupported(Obstacle),
}

#[derive(Debug)]
struct Node {
    place: Place,
    /// The parent, and the number of the exit of its block that leads here.
    parent: Option<(NodeId, usize)>,
    depth: usize,
    label: Term,
    children: Vec<NodeId>,
    is_expanded: bool,
    covered_by: Option<NodeId>,
    covers: Vec<NodeId>,
}

/// The unwinding.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    at_point: HashMap<Point, Vec<NodeId>>,
    bottom: Term,
}

impl Tree {
    /// A tree with a root that is labelled `top`.
    pub(super) fn new(root: Point, top: Term, bottom: Term) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), at_point: HashMap::new(), bottom };
        tree.add(Place::Point(root), None, 0, top);
        tree
    }

    pub(super) fn root() -> NodeId {
        NodeId(0)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn add(&mut self, place: Place, parent: Option<(NodeId, usize)>, depth: usize, label: Term) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        if let Place::Point(point) = place {
            self.at_point.entry(point).or_default().push(id);
        }
        let (children, covers) = (Vec::new(), Vec::new());
        let (is_expanded, covered_by) = (false, None);
        self.nodes.push(Node { place, parent, depth, label, children, is_expanded, covered_by, covers });
        id
    }

    /// Adds a child that the given exit of the node's block leads to.
    pub(super) fn add_child(&mut self, parent: NodeId, exit: usize, place: Place, label: Term) -> NodeId {
        debug_assert!(
            self.is_expanded(parent) && !self.is_covered(parent),
            "only what is expanded has children"
        );
        let depth = self.node(parent).depth + 1;
        let child = self.add(place, Some((parent, exit)), depth, label);
        self.node_mut(parent).children.push(child);
        child
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.0 as usize]
    }

    pub(super) fn place(&self, node: NodeId) -> &Place {
        &self.node(node).place
    }

    pub(super) fn label(&self, node: NodeId) -> Term {
        self.node(node).label
    }

    pub(super) fn set_label(&mut self, node: NodeId, label: Term) {
        self.node_mut(node).label = label;
    }

    pub(super) fn depth(&self, node: NodeId) -> usize {
        self.node(node).depth
    }

    pub(super) fn is_expanded(&self, node: NodeId) -> bool {
        self.node(node).is_expanded
    }

    pub(super) fn set_expanded(&mut self, node: NodeId) {
        self.node_mut(node).is_expanded = true;
    }

    /// The nodes from the root to the node.
    pub(super) fn branch(&self, node: NodeId) -> Vec<NodeId> {
        let mut branch = vec![node];
        let mut at = node;
        while let Some((parent, _)) = self.node(at).parent {
            branch.push(parent);
            at = parent;
        }
        branch.reverse();
        branch
    }

    /// The nodes from the root to the parent of the node.
    pub(super) fn proper_ancestors(&self, node: NodeId) -> Vec<NodeId> {
        let mut branch = self.branch(node);
        branch.pop();
        branch
    }

    /// Whether the node is a leaf that has to be explored: it was never expanded, is not covered, and may be reached.
    pub(super) fn is_open(&self, node: NodeId) -> bool {
        !self.is_expanded(node) && !self.is_covered(node) && !self.is_unreachable(node)
    }

    /// The parent and the exit that leads to the node.
    pub(super) fn parent(&self, node: NodeId) -> Option<(NodeId, usize)> {
        self.node(node).parent
    }

    /// The node and everything below it, parents first.
    pub(super) fn subtree(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = vec![node];
        let mut at = 0;
        while at < found.len() {
            found.extend_from_slice(&self.node(found[at]).children);
            at += 1;
        }
        found
    }

    /// The deepest node that both are at or below.
    pub(super) fn common_ancestor(&self, one: NodeId, other: NodeId) -> NodeId {
        let (mut one, mut other) = (one, other);
        while one != other {
            // A parent is older than its children, so the younger one is not the ancestor.
            let younger = if one > other { &mut one } else { &mut other };
            *younger = self.node(*younger).parent.expect("the root is the oldest").0;
        }
        one
    }

    /// Whether the node, or one above it, is covered.
    pub(super) fn is_covered(&self, node: NodeId) -> bool {
        let mut at = Some(node);
        while let Some(node) = at {
            let details = self.node(node);
            if details.covered_by.is_some() {
                return true;
            }
            at = details.parent.map(|(parent, _)| parent);
        }
        false
    }

    /// Whether the node's own label says that it cannot be reached, or that of one above.
    pub(super) fn is_unreachable(&self, node: NodeId) -> bool {
        let mut at = Some(node);
        while let Some(node) = at {
            let details = self.node(node);
            if details.label == self.bottom {
                return true;
            }
            at = details.parent.map(|(parent, _)| parent);
        }
        false
    }

    /// The older nodes at the same point that may cover the node, youngest first.
    pub(super) fn candidates(&self, node: NodeId) -> Vec<NodeId> {
        let Place::Point(point) = self.node(node).place else { return Vec::new() };
        let older = self.at_point[&point].iter().rev().skip_while(|&&other| other >= node);
        older.copied().filter(|&other| !self.is_covered(other) && !self.is_unreachable(other)).collect()
    }

    /// Covers a node. What it or nodes below it covered is uncovered, as a covered node covers nothing; those
    /// nodes are returned.
    pub(super) fn cover(&mut self, node: NodeId, by: NodeId) -> Vec<NodeId> {
        debug_assert!(by < node, "older nodes cover younger ones");
        debug_assert_eq!(self.place(by), self.place(node), "covers are at the same point");
        debug_assert!(!self.is_covered(by), "a covered node covers nothing");
        debug_assert!(self.covered_by(node).is_none(), "a node has one cover");
        let mut uncovered = Vec::new();
        for below in self.subtree(node) {
            uncovered.extend(self.uncover_all_covered_by(below));
        }
        self.node_mut(node).covered_by = Some(by);
        self.node_mut(by).covers.push(node);
        debug_assert!(self.is_well_covered(), "covers are by older, uncovered nodes at the same point");
        uncovered
    }

    /// Whether the covering relation is what it is documented to be. For assertions.
    fn is_well_covered(&self) -> bool {
        let ids = (0..self.nodes.len() as u32).map(NodeId);
        let mut pairs = ids.filter_map(|node| self.covered_by(node).map(|by| (node, by)));
        pairs.all(|(node, by)| {
            by < node
                && self.place(by) == self.place(node)
                && self.covers(by).contains(&node)
                && !self.is_covered(by)
        })
    }

    /// The leaves that are open. For assertions: the search keeps a list of its own.
    pub(super) fn open_leaves(&self) -> Vec<NodeId> {
        (0..self.nodes.len() as u32).map(NodeId).filter(|&node| self.is_open(node)).collect()
    }

    /// Uncovers everything that a node covers; the nodes that were.
    pub(super) fn uncover_all_covered_by(&mut self, node: NodeId) -> Vec<NodeId> {
        let covered = std::mem::take(&mut self.node_mut(node).covers);
        for &other in &covered {
            self.node_mut(other).covered_by = None;
        }
        covered
    }

    /// Takes a node out of the covering relation; whether it was in it.
    pub(super) fn uncover(&mut self, node: NodeId) -> bool {
        let Some(by) = self.node_mut(node).covered_by.take() else { return false };
        self.node_mut(by).covers.retain(|&other| other != node);
        true
    }

    /// What covers the node itself.
    pub(super) fn covered_by(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).covered_by
    }

    /// What the node itself covers.
    pub(super) fn covers(&self, node: NodeId) -> &[NodeId] {
        &self.node(node).covers
    }

    /// The nodes at each point that are neither covered nor known to be unreachable, sorted by point.
    pub(super) fn invariant(&self) -> Vec<(Point, Vec<NodeId>)> {
        let mut points: Vec<Point> = self.at_point.keys().copied().collect();
        points.sort_unstable();
        let live = |node: &NodeId| !self.is_covered(*node) && !self.is_unreachable(*node);
        let nodes = |point: Point| self.at_point[&point].iter().copied().filter(live).collect();
        points.into_iter().map(|point| (point, nodes(point))).collect()
    }
}
