//! The refiner: whether an abstract path to an error is a real one, and if not, which predicates say so.

use rorqual_encoding::{Encoding, Path};
use rorqual_evidence::Stop;
use rorqual_logic::Term;
use rorqual_solver::{Limits, Model};

use super::art::{Art, NodeId};
use super::config::Predicate;
use crate::solver::{PathAnswer, PathSolver};

/// What became of an abstract path.
pub(super) enum Refinement {
    /// It can be executed.
    Feasible(Model),
    /// It cannot. For each node along it, from the root on, an interpolant over the cells there.
    Spurious(Vec<(NodeId, Term)>),
}

/// Takes predicates from interpolants of paths: Extract (Algorithm 1).
pub(super) struct Refiner {
    solver: PathSolver,
    /// The path that was looked at last, with the nodes along it.
    path: Path,
    along: Vec<NodeId>,
}

impl Refiner {
    pub(super) fn new(config: &Predicate, limits: &Limits) -> Refiner {
        let solver = PathSolver::new(limits).accepting(config.interpolants);
        Refiner { solver, path: Path::new(), along: Vec::new() }
    }

    /// Whether a label implies another one; no if the solver gives up.
    pub(super) fn entails(&mut self, encoding: &mut Encoding<'_>, premise: Term, conclusion: Term) -> bool {
        self.solver.entails(encoding, premise, conclusion)
    }

    /// The path to a node and through one more exit of its block.
    pub(super) fn refine(
        &mut self,
        encoding: &mut Encoding<'_>,
        art: &Art,
        (node, exit): (NodeId, usize),
    ) -> Result<Refinement, Stop> {
        self.walk_to(encoding, art, node);
        let block = encoding.block(art.point(node));
        self.path.push(encoding, &block.exits[exit]);
        let parts = self.path.parts().to_vec();
        match self.solver.solve_path(encoding, &parts)? {
            PathAnswer::Feasible(model) => Ok(Refinement::Feasible(model)),
            PathAnswer::Refuted(interpolants) => {
                Ok(Refinement::Spurious(self.extract(encoding, &interpolants)))
            }
        }
    }

    /// Extract: the interpolants of the cuts, in terms of the cells at each of them.
    fn extract(&self, encoding: &mut Encoding<'_>, interpolants: &[Term]) -> Vec<(NodeId, Term)> {
        let cuts = self.along.iter().zip(interpolants).enumerate();
        cuts.map(|(position, (&node, &interpolant))| {
            (node, self.path.over_cells(encoding, interpolant, position))
        })
        .collect()
    }

    /// Makes `path` the path to a node. What it shares with the last one is kept.
    fn walk_to(&mut self, encoding: &mut Encoding<'_>, art: &Art, node: NodeId) {
        let branch = art.branch(node);
        let shared = self.along.iter().zip(&branch).take_while(|(one, other)| one == other).count();
        self.path.truncate(shared.saturating_sub(1));
        for &next in &branch[shared.max(1)..] {
            let (parent, exit) = art.parent(next).expect("only the root has no parent");
            let block = encoding.block(art.point(parent));
            self.path.push(encoding, &block.exits[exit]);
        }
        self.along = branch;
    }
}
