//! And-inverter graphs: where partial interpolants are built. Equal nodes exist once and constants
//! are propagated, so that the interpolants of many cuts of one proof share what they have in common.

use std::collections::{HashMap, HashSet};
use std::ops::Not;

use rorqual_logic::{Term, TermPool};

/// A node of a [`Graph`] or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge(u32);

impl Edge {
    pub(crate) const FALSE: Edge = Edge(0);
    pub(crate) const TRUE: Edge = Edge(1);

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    /// Falsity, which only the node 0 is.
    False,
    Leaf(Term),
    /// The smaller edge first, so that conjunction is commutative.
    And(Edge, Edge),
}

/// Boolean functions over Boolean terms as leaves.
#[derive(Debug)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    known: HashMap<Node, u32>,
}

impl Graph {
    pub(crate) fn new() -> Graph {
        Graph { nodes: vec![Node::False], known: HashMap::new() }
    }

    fn intern(&mut self, node: Node) -> Edge {
        if let Some(&known) = self.known.get(&node) {
            return Edge(known << 1);
        }
        let index = u32::try_from(self.nodes.len()).expect("a graph has fewer than two billion nodes");
        self.nodes.push(node);
        self.known.insert(node, index);
        Edge(index << 1)
    }

    /// How many leaves and conjunctions there are.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The function that a Boolean term is; its structure is not looked into.
    pub(crate) fn leaf(&mut self, pool: &TermPool, term: Term) -> Edge {
        match pool.as_bool(term) {
            Some(true) => Edge::TRUE,
            Some(false) => Edge::FALSE,
            None => self.intern(Node::Leaf(term)),
        }
    }

    pub(crate) fn and(&mut self, lhs: Edge, rhs: Edge) -> Edge {
        let (lhs, rhs) = (lhs.min(rhs), lhs.max(rhs));
        if lhs == Edge::FALSE || lhs == !rhs {
            return Edge::FALSE;
        }
        if lhs == Edge::TRUE || lhs == rhs {
            return rhs;
        }
        if let Some(simpler) = self.absorbed(lhs, rhs).or_else(|| self.absorbed(rhs, lhs)) {
            return simpler;
        }
        self.intern(Node::And(lhs, rhs))
    }

    /// `other ∧ edge` where an argument of the conjunction `other` decides: `(a ∧ b) ∧ a` is
    /// `a ∧ b`, `(a ∧ b) ∧ ¬a` is false, and `¬(a ∧ b) ∧ ¬a` is `¬a`.
    fn absorbed(&self, other: Edge, edge: Edge) -> Option<Edge> {
        let Node::And(first, second) = self.nodes[other.node()] else { return None };
        let (has_same, has_negated) = (first == edge || second == edge, first == !edge || second == !edge);
        match (other.is_inverted(), has_same, has_negated) {
            (false, true, _) => Some(other),
            (false, _, true) => Some(Edge::FALSE),
            (true, _, true) => Some(edge),
            _ => None,
        }
    }

    pub(crate) fn or(&mut self, lhs: Edge, rhs: Edge) -> Edge {
        !self.and(!lhs, !rhs)
    }

    /// The function as a term. Negations are pushed inwards, as comparisons have none.
    pub(crate) fn term(&self, pool: &mut TermPool, root: Edge) -> Term {
        let mut done: HashMap<Edge, Term> = HashMap::new();
        let mut stack = vec![root];
        while let Some(&edge) = stack.last() {
            if done.contains_key(&edge) {
                stack.pop();
                continue;
            }
            let term = match self.nodes[edge.node()] {
                Node::False => pool.bool(edge.is_inverted()),
                Node::Leaf(term) if edge.is_inverted() => pool.not(term),
                Node::Leaf(term) => term,
                Node::And(..) => {
                    let arguments = self.arguments(edge);
                    let waiting = arguments.iter().filter(|argument| !done.contains_key(argument));
                    let before = stack.len();
                    stack.extend(waiting);
                    if stack.len() > before {
                        continue;
                    }
                    let terms: Vec<Term> = arguments.iter().map(|argument| done[argument]).collect();
                    if edge.is_inverted() { pool.or(&terms) } else { pool.and(&terms) }
                }
            };
            done.insert(edge, term);
            stack.pop();
        }
        done[&root]
    }

    /// What a conjunction, or the disjunction that its negation is, consists of. Conjunctions in conjunctions are taken apart, as terms
    /// have none: a term for each of them would copy the arguments of a long one again and again.
    fn arguments(&self, edge: Edge) -> Vec<Edge> {
        let (mut arguments, mut open, mut seen) = (Vec::new(), vec![edge], HashSet::new());
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            match self.nodes[next.node()] {
                Node::And(lhs, rhs) if next.is_inverted() == edge.is_inverted() => {
                    open.extend(if edge.is_inverted() { [!lhs, !rhs] } else { [lhs, rhs] });
                }
                _ => arguments.push(next),
            }
        }
        arguments
    }
}

#[cfg(test)]
mod tests {
    use rorqual_logic::Sort;

    use super::*;

    #[test]
    fn constants_duplicates_and_complements_disappear() {
        let mut pool = TermPool::new();
        let mut graph = Graph::new();
        let (p, q) = (pool.symbol("p", Sort::Bool), pool.symbol("q", Sort::Bool));
        let (a, b) = (graph.leaf(&pool, p), graph.leaf(&pool, q));
        assert_eq!(graph.and(a, Edge::TRUE), a);
        assert_eq!(graph.and(Edge::FALSE, a), Edge::FALSE);
        assert_eq!(graph.or(a, !a), Edge::TRUE);
        let both = graph.and(a, b);
        assert_eq!(graph.and(b, a), both);
        assert_eq!(graph.and(both, a), both);
        assert_eq!(graph.and(both, !a), Edge::FALSE);
        assert_eq!(graph.or(both, a), a);
    }

    #[test]
    fn terms_have_negations_only_at_the_leaves() {
        let mut pool = TermPool::new();
        let mut graph = Graph::new();
        let (p, q) = (pool.symbol("p", Sort::Bool), pool.symbol("q", Sort::Bool));
        let (a, b) = (graph.leaf(&pool, p), graph.leaf(&pool, q));
        let both = graph.and(a, b);
        let (not_p, not_q) = (pool.not(p), pool.not(q));
        let expected = pool.or2(not_p, not_q);
        assert_eq!(graph.term(&mut pool, !both), expected);
        assert_eq!(graph.term(&mut pool, Edge::TRUE), pool.top());
    }
}
