//! Interpolants cut by cut, for parts whose one refutation would mix them.
//!
//! Every kind is a tree: a sequence is a path; transitions are the leaves of a star, and states the
//! interpolants of the path of transitions. The nodes of a tree are interpolated from the leaves to the root,
//! and each formula replaces its subtree in what follows, so that the formulas fit together whatever
//! refutations they come from. Each cut has two sides only, and landmarks serve where an axiom needs both.

use rorqual_logic::{Term, TermPool};

use crate::interpolants::Tree;
use crate::strategy::{Axioms, Chooser, Failure, Goal, Observer, Outcome};

impl<O: Observer> Chooser<'_, O> {
    /// Interpolants of parts that contradict each other.
    pub(crate) fn by_cuts(&mut self, pool: &mut TermPool, parts: &[Term], goal: &Goal) -> Outcome {
        let formulas = match goal {
            Goal::Sequence => self.path(pool, parts),
            Goal::Tree(tree) => self.tree(pool, tree, parts),
            Goal::StateTransition => self.star(pool, parts).and_then(|transitions| {
                let states = self.path(pool, &transitions)?;
                Ok([states, transitions].concat())
            }),
        };
        match formulas {
            Ok(formulas) => match self.verify(pool, parts, &formulas, goal, &self.configuration.limits) {
                Ok(()) => Outcome::Interpolated(formulas),
                Err(rejection) => Outcome::Failed(Failure::Rejected(rejection)),
            },
            // A cut may lack interpolants only because of those of the cuts before it.
            Err(Outcome::NotInLanguage(_)) => self.by_comparisons(pool, parts, goal),
            Err(outcome) => outcome,
        }
    }

    /// `true`, the formulas of the nodes of a path, and `false` at its root.
    fn path(&mut self, pool: &mut TermPool, parts: &[Term]) -> Result<Vec<Term>, Outcome> {
        let tree = Tree::path(parts.len());
        let formulas = self.tree(pool, &tree, parts)?;
        Ok([vec![pool.top()], formulas].concat())
    }

    /// One formula per part, which contradict each other.
    fn star(&mut self, pool: &mut TermPool, parts: &[Term]) -> Result<Vec<Term>, Outcome> {
        let tree = Tree::star(parts.len());
        let with_root = [parts, &[pool.top()]].concat();
        let mut formulas = self.tree(pool, &tree, &with_root)?;
        formulas.pop();
        Ok(formulas)
    }

    /// The formulas of the nodes done so far whose parents are not done, and the parts of the other nodes,
    /// always contradict each other.
    fn tree(&mut self, pool: &mut TermPool, tree: &Tree, parts: &[Term]) -> Result<Vec<Term>, Outcome> {
        let root = tree.count() - 1;
        let mut formulas: Vec<Term> = Vec::with_capacity(tree.count());
        for node in 0..root {
            let mut inside: Vec<Term> = tree.children(node).map(|child| formulas[child]).collect();
            inside.push(parts[node]);
            let is_outside = |done: &usize| tree.parent(*done).is_some_and(|parent| parent > node);
            let mut outside: Vec<Term> = (0..node).filter(is_outside).map(|done| formulas[done]).collect();
            outside.extend_from_slice(&parts[node + 1..]);
            let sides = [pool.and(&inside), pool.and(&outside)];
            formulas.push(self.between(pool, sides)?);
        }
        formulas.push(pool.bottom());
        Ok(formulas)
    }

    /// The interpolant of two sides.
    fn between(&mut self, pool: &mut TermPool, sides: [Term; 2]) -> Result<Term, Outcome> {
        match self.interpolate_with(pool, &sides, &Goal::Sequence, Axioms::Landmarks) {
            Outcome::Interpolated(formulas) => Ok(formulas[1]),
            other => Err(other),
        }
    }
}
