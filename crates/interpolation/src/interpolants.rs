//! Interpolants of every kind from one refutation, for any assignment of its parts to positions.

use std::collections::BTreeSet;

use rorqual_logic::{Term, TermPool};
use rorqual_solver::proof::{Part, Proof};

use crate::error::{InterpolationError, Kind};
use crate::propositional::{Cut, Extent, Graph, LemmaInterpolator, Resolution, System};

/// Which position each part has: in the order of a sequence, or as the node of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangement {
    positions: Vec<usize>,
    count: usize,
}

impl Arrangement {
    /// Part `k` at position `k`.
    pub fn identity(parts: usize) -> Arrangement {
        Arrangement { positions: (0..parts).collect(), count: parts }
    }

    /// Part `k` at `positions[k]`, which is below `count`. Positions may have several parts or none.
    ///
    /// # Panics
    /// If a position is not below `count`.
    pub fn new(positions: Vec<usize>, count: usize) -> Arrangement {
        assert!(positions.iter().all(|&position| position < count), "positions are below {count}");
        Arrangement { positions, count }
    }

    /// How many positions there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The position of a part.
    ///
    /// # Panics
    /// If the arrangement does not have the part.
    pub fn position(&self, part: Part) -> usize {
        self.positions[part.0 as usize]
    }

    /// The conjunction of what each position has, from what each part has.
    pub fn conjunctions(&self, pool: &mut TermPool, parts: &[Term]) -> Vec<Term> {
        let mut gathered = vec![Vec::new(); self.count];
        for (&position, &part) in self.positions.iter().zip(parts) {
            gathered[position].push(part);
        }
        gathered.iter().map(|terms| pool.and(terms)).collect()
    }
}

/// A tree whose nodes are numbered so that children come before their parents; the last is the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    parents: Vec<usize>,
}

impl Tree {
    /// The tree in which node `k` has the parent `parents[k]`; the root, which comes last, has none.
    pub fn new(parents: Vec<usize>) -> Result<Tree, InterpolationError> {
        let root = parents.len();
        let is_wrong = |(node, &parent): (usize, &usize)| parent <= node || parent > root;
        match parents.iter().enumerate().position(is_wrong) {
            Some(node) => Err(InterpolationError::NotATree { node }),
            None => Ok(Tree { parents }),
        }
    }

    /// A path: the parent of each node is the next one.
    ///
    /// # Panics
    /// Without nodes, as every tree has a root.
    pub fn path(count: usize) -> Tree {
        assert!(count > 0, "a path has a root");
        Tree { parents: (1..count).collect() }
    }

    /// Leaves below one root, which comes behind them.
    pub fn star(leaves: usize) -> Tree {
        Tree { parents: vec![leaves; leaves] }
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.parents.len() + 1
    }

    /// The parent of a node; the root has none.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents.get(node).copied()
    }

    /// The children of a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let is_child = move |child: &usize| self.parents[*child] == node;
        (0..self.parents.len()).filter(is_child)
    }

    /// The node and all nodes below it.
    pub fn subtree(&self, node: usize) -> BTreeSet<usize> {
        let mut nodes = BTreeSet::from([node]);
        for below in (0..node).rev() {
            if nodes.contains(&self.parents[below]) {
                nodes.insert(below);
            }
        }
        nodes
    }
}

/// What WHALE asks for: for positions `P_0 … P_{n-1}`, states `I_0 = true … I_n = false` and
/// transitions `T_k` with `P_k ⊨ T_k` and `I_k ∧ T_k ⊨ I_{k+1}`.
///
/// Departure: the paper has states only between positions (`g_k` is `I_{k+1}` here) and no transition
/// interpolant at the first and the last position; here every position has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateTransition {
    /// One more than there are positions.
    pub states: Vec<Term>,
    /// One per position.
    pub transitions: Vec<Term>,
}

/// The interpolants of one refutation.
pub struct Interpolants<'p> {
    proof: &'p Proof,
    resolution: Resolution,
    system: System,
    graph: Graph,
    lemmas: Box<dyn LemmaInterpolator + 'p>,
    extent: Extent,
}

impl<'p> Interpolants<'p> {
    /// Reads the proof; `lemmas` gives the partial interpolants of its theory lemmas.
    pub fn new(
        proof: &'p Proof,
        system: System,
        lemmas: impl LemmaInterpolator + 'p,
    ) -> Result<Interpolants<'p>, InterpolationError> {
        let resolution = Resolution::of(proof)?;
        let (graph, extent) = (Graph::new(), Extent::default());
        Ok(Interpolants { proof, resolution, system, graph, lemmas: Box::new(lemmas), extent })
    }

    /// Says what building interpolants may take.
    #[must_use]
    pub fn within(self, extent: Extent) -> Interpolants<'p> {
        Interpolants { extent, ..self }
    }

    /// Says that the atom of a variable is over symbols of these parts. Atoms that only theory lemmas
    /// mention need this; for others the clauses of the parts say so.
    pub fn add_occurrences(&mut self, variable: i32, parts: impl IntoIterator<Item = Part>) {
        self.resolution.add_occurrences(variable, parts);
    }

    /// `I` with `A ⊨ I` and `I ∧ B ⊨ false`, where A has the parts for which `in_a` holds.
    pub fn binary(
        &mut self,
        pool: &mut TermPool,
        in_a: &dyn Fn(Part) -> bool,
    ) -> Result<Term, InterpolationError> {
        let cut = Cut::new(self.proof, &self.resolution, self.system, in_a);
        let edge = cut.interpolate(pool, &mut self.graph, self.lemmas.as_mut(), &self.extent)?;
        Ok(self.graph.term(pool, edge))
    }

    /// `I_0 = true … I_n = false` with `I_k ∧ P_k ⊨ I_{k+1}`.
    pub fn sequence(
        &mut self,
        pool: &mut TermPool,
        arrangement: &Arrangement,
    ) -> Result<Vec<Term>, InterpolationError> {
        let last = arrangement.count();
        let mut interpolants = vec![pool.top()];
        for position in 1..last {
            interpolants.push(self.binary(pool, &|part| arrangement.position(part) < position)?);
        }
        interpolants.push(pool.bottom());
        Ok(interpolants)
    }

    /// One formula per node, `false` at the root: those of the children and what the node has imply
    /// that of the node.
    pub fn tree(
        &mut self,
        pool: &mut TermPool,
        tree: &Tree,
        arrangement: &Arrangement,
    ) -> Result<Vec<Term>, InterpolationError> {
        self.refuse_dual(Kind::Tree)?;
        let mut interpolants = Vec::with_capacity(tree.count());
        for node in 0..tree.count() - 1 {
            let subtree = tree.subtree(node);
            let in_a = |part| subtree.contains(&arrangement.position(part));
            interpolants.push(self.binary(pool, &in_a)?);
        }
        interpolants.push(pool.bottom());
        Ok(interpolants)
    }

    /// States and transitions that fit together.
    pub fn state_transition(
        &mut self,
        pool: &mut TermPool,
        arrangement: &Arrangement,
    ) -> Result<StateTransition, InterpolationError> {
        self.refuse_dual(Kind::StateTransition)?;
        let states = self.sequence(pool, arrangement)?;
        let mut transitions = Vec::with_capacity(arrangement.count());
        for position in 0..arrangement.count() {
            transitions.push(self.binary(pool, &|part| arrangement.position(part) == position)?);
        }
        Ok(StateTransition { states, transitions })
    }

    /// The weakest interpolants of several cuts need not fit together (Rollini, Sery, Sharygina,
    /// *Leveraging Interpolant Strength in Model Checking*, CAV 2012).
    fn refuse_dual(&self, kind: Kind) -> Result<(), InterpolationError> {
        match self.system {
            System::DualMcMillan => Err(InterpolationError::SystemRefused { system: self.system, kind }),
            System::McMillan | System::Pudlak => Ok(()),
        }
    }
}
