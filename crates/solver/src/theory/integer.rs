//! Conjunctions of linear constraints over the integers.
//!
//! Two means beyond the simplex, both with evidence that interpolates:
//! - Equalities without common integer solution are found first ([`divisibility`](super::divisibility)).
//! - Branch and bound. Splits are `x <= c` or `x >= c + 1` on single variables only: cuts over several
//!   variables would be stronger, but they mix the parts that an interpolant must separate. So the search
//!   is not complete on unbounded variables, and gives up when its budget is spent.

use std::collections::{BTreeMap, BTreeSet};

use dashu::integer::IBig;

use super::divisibility::{Divisibility, check_divisibility, find_divisibility};
use super::farkas::check_farkas;
use super::linear::{Constraint, Variable};
use super::simplex::{ConstraintId, Farkas, Simplex};

/// What [`solve`] finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntegerAnswer {
    /// Integers that satisfy all constraints.
    Sat(BTreeMap<Variable, IBig>),
    /// Why there are none.
    Unsat(RefutationTree),
    /// The budget of splits was spent.
    GaveUp,
}

/// What a leaf of a refutation rests on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Premise {
    /// One of the given constraints.
    Given(usize),
    /// The lower half of a split on the way from the root: the variable is at most this.
    AtMost(Variable, IBig),
    /// The upper half of a split on the way from the root: the variable is at least this.
    AtLeast(Variable, IBig),
}

/// The number of a node in a [`RefutationTree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub usize);

/// A step of a case distinction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// The premises with these positive weights contradict each other.
    Farkas(Vec<(Premise, IBig)>),
    /// Given equalities have no common integer solution.
    Divisibility(Divisibility),
    /// Either `variable <= bound`, refuted by `low`, or `variable >= bound + 1`, refuted by `high`.
    Split {
        /// What is split.
        variable: Variable,
        /// The greatest value of the lower half.
        bound: IBig,
        /// Refutes the lower half.
        low: NodeId,
        /// Refutes the upper half.
        high: NodeId,
    },
}

/// A refutation by cases. Children come before their parents, and the root comes last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefutationTree {
    /// The nodes; all of them are needed.
    pub nodes: Vec<Node>,
}

/// Decides a conjunction over the integers with at most this many splits.
pub fn solve(constraints: &[Constraint], splits: usize) -> IntegerAnswer {
    let mut search = BranchAndBound::new(splits);
    for (index, constraint) in constraints.iter().enumerate() {
        if let Err(conflict) = search.assert(Premise::Given(index), constraint) {
            let leaf = search.leaf(conflict);
            return IntegerAnswer::Unsat(RefutationTree { nodes: vec![leaf] });
        }
    }
    if let Err(conflict) = search.simplex.make_feasible() {
        let leaf = search.leaf(conflict);
        return IntegerAnswer::Unsat(RefutationTree { nodes: vec![leaf] });
    }
    if search.simplex.first_fractional().is_some()
        && let Some(evidence) = find_divisibility(constraints)
    {
        return IntegerAnswer::Unsat(RefutationTree { nodes: vec![Node::Divisibility(evidence)] });
    }
    search.run()
}

struct BranchAndBound {
    simplex: Simplex,
    /// What each constraint of the simplex is.
    premises: Vec<Premise>,
    nodes: Vec<Node>,
    /// The splits on the way from the root to the current node, with the refuted lower half once the
    /// search is in the upper one.
    path: Vec<(Variable, IBig, Option<Refuted>)>,
    splits_left: usize,
}

/// A refuted case, and the halves of splits above it that its refutation uses.
struct Refuted {
    node: NodeId,
    uses: BTreeSet<Premise>,
}

impl BranchAndBound {
    fn new(splits: usize) -> BranchAndBound {
        BranchAndBound {
            simplex: Simplex::new(),
            premises: Vec::new(),
            nodes: Vec::new(),
            path: Vec::new(),
            splits_left: splits,
        }
    }

    fn assert(&mut self, premise: Premise, constraint: &Constraint) -> Result<(), Farkas> {
        let id = self.simplex.add(constraint);
        self.premises.push(premise);
        self.simplex.assert(id)
    }

    fn run(&mut self) -> IntegerAnswer {
        let mut outcome = self.simplex.make_feasible();
        loop {
            if let Err(conflict) = outcome {
                match self.next_case(conflict) {
                    Ok(next) => outcome = next,
                    Err(root) => return IntegerAnswer::Unsat(self.tree(root)),
                }
                continue;
            }
            let Some((variable, value)) = self.simplex.first_fractional() else {
                let values = self.simplex.assignment();
                let model = values.into_iter().map(|(variable, value)| (variable, value.floor()));
                return IntegerAnswer::Sat(model.collect());
            };
            if self.splits_left == 0 {
                return IntegerAnswer::GaveUp;
            }
            self.splits_left -= 1;
            let bound = value.floor();
            self.path.push((variable, bound.clone(), None));
            outcome = self.enter(Premise::AtMost(variable, bound));
        }
    }

    fn enter(&mut self, half: Premise) -> Result<(), Farkas> {
        self.simplex.push();
        let constraint = half.as_bound().expect("a half of a split is a bound");
        self.assert(half, &constraint)?;
        self.simplex.make_feasible()
    }

    /// Records a conflict and enters the next open case; without one, returns the root of the refutation. A
    /// split that the refutation of one of its halves does not use is left out.
    fn next_case(&mut self, conflict: Farkas) -> Result<Result<(), Farkas>, NodeId> {
        let leaf = self.leaf(conflict);
        let mut done = self.refuted(leaf);
        while let Some((variable, bound, low)) = self.path.pop() {
            self.simplex.pop();
            let lower = Premise::AtMost(variable, bound.clone());
            let upper = Premise::AtLeast(variable, &bound + IBig::ONE);
            match low {
                None if done.uses.contains(&lower) => {
                    self.path.push((variable, bound, Some(done)));
                    return Ok(self.enter(upper));
                }
                Some(mut low) if done.uses.contains(&upper) => {
                    self.nodes.push(Node::Split { variable, bound, low: low.node, high: done.node });
                    done.node = NodeId(self.nodes.len() - 1);
                    done.uses.append(&mut low.uses);
                    done.uses.remove(&lower);
                    done.uses.remove(&upper);
                }
                _ => {}
            }
        }
        Err(done.node)
    }

    fn leaf(&self, conflict: Farkas) -> Node {
        let premise = |id: ConstraintId| self.premises[id.0].clone();
        Node::Farkas(conflict.coefficients.into_iter().map(|(id, weight)| (premise(id), weight)).collect())
    }

    fn refuted(&mut self, leaf: Node) -> Refuted {
        let uses = match &leaf {
            Node::Farkas(weights) => weights
                .iter()
                .map(|(premise, _)| premise.clone())
                .filter(|premise| !matches!(premise, Premise::Given(_)))
                .collect(),
            _ => BTreeSet::new(),
        };
        self.nodes.push(leaf);
        Refuted { node: NodeId(self.nodes.len() - 1), uses }
    }

    /// The nodes below the root, renumbered.
    fn tree(&mut self, root: NodeId) -> RefutationTree {
        let mut needed = BTreeSet::from([root]);
        for index in (0..=root.0).rev() {
            if let (true, Node::Split { low, high, .. }) =
                (needed.contains(&NodeId(index)), &self.nodes[index])
            {
                needed.extend([*low, *high]);
            }
        }
        let numbers: BTreeMap<NodeId, NodeId> =
            needed.iter().enumerate().map(|(new, &old)| (old, NodeId(new))).collect();
        let mut nodes: Vec<Node> = needed.iter().map(|old| self.nodes[old.0].clone()).collect();
        for node in &mut nodes {
            if let Node::Split { low, high, .. } = node {
                (*low, *high) = (numbers[low], numbers[high]);
            }
        }
        RefutationTree { nodes }
    }
}

impl Premise {
    fn as_bound(&self) -> Option<Constraint> {
        match self {
            Premise::Given(_) => None,
            Premise::AtMost(variable, bound) => Some(Constraint::at_most(*variable, bound)),
            Premise::AtLeast(variable, bound) => Some(Constraint::at_least(*variable, bound)),
        }
    }
}

/// Whether the tree refutes the conjunction of the constraints over the integers. Independent of the search.
pub fn check_tree(constraints: &[Constraint], tree: &RefutationTree) -> bool {
    let Some(root) = tree.nodes.len().checked_sub(1) else {
        return false;
    };
    let mut open = vec![(root, Vec::new())];
    while let Some((index, path)) = open.pop() {
        let holds = match &tree.nodes[index] {
            Node::Farkas(weights) => check_leaf(constraints, &path, weights),
            Node::Divisibility(evidence) => check_given_divisibility(constraints, evidence),
            Node::Split { variable, bound, low, high } => {
                for (child, half) in [
                    (low, Premise::AtMost(*variable, bound.clone())),
                    (high, Premise::AtLeast(*variable, bound + IBig::ONE)),
                ] {
                    let mut path = path.clone();
                    path.push(half);
                    open.push((child.0, path));
                }
                // Children come first, so the walk ends.
                low.0 < index && high.0 < index
            }
        };
        if !holds {
            return false;
        }
    }
    true
}

fn check_leaf(constraints: &[Constraint], path: &[Premise], weights: &[(Premise, IBig)]) -> bool {
    let resolve = |premise: &Premise| match premise {
        Premise::Given(index) => constraints.get(*index).cloned(),
        half => path.contains(half).then(|| half.as_bound()).flatten(),
    };
    let premises: Option<Vec<Constraint>> = weights.iter().map(|(premise, _)| resolve(premise)).collect();
    let weights: Vec<IBig> = weights.iter().map(|(_, weight)| weight.clone()).collect();
    premises.is_some_and(|premises| check_farkas(&premises, &weights))
}

fn check_given_divisibility(constraints: &[Constraint], evidence: &Divisibility) -> bool {
    let given: Option<Vec<Constraint>> =
        evidence.multipliers.iter().map(|(index, _)| constraints.get(*index).cloned()).collect();
    let multipliers: Vec<IBig> = evidence.multipliers.iter().map(|(_, factor)| factor.clone()).collect();
    given.is_some_and(|given| check_divisibility(&given, &multipliers, &evidence.modulus))
}
