//! The judge of interpolants: re-proves what defines each kind, with a solver that has seen nothing
//! of the proof that the interpolants come from, and checks that they are over shared symbols.

use std::collections::HashMap;
use std::fmt;

use rorqual_logic::{Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits, Name, Vocabulary};

use crate::interpolants::{StateTransition, Tree};

/// What an interpolant has to satisfy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// There are as many formulas as the kind asks for.
    Count {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A implies the interpolant.
    ImpliedByA,
    /// The interpolant contradicts B.
    ContradictsB,
    /// The first formula of a sequence is `true`.
    First,
    /// The last formula of a sequence, or the one at the root of a tree, is `false`.
    Last,
    /// A formula, with what its position has, implies the next one; in a tree, the formulas of the
    /// children and what the node has imply that of the node.
    Step,
    /// What a position has implies its transition.
    Transition,
    /// State and transition imply the next state.
    StateStep,
    /// Every name occurs on both sides of the cut.
    Vocabulary {
        /// A name that does not.
        name: String,
    },
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Count { expected, found } => write!(f, "{expected} formulas are needed, not {found}"),
            Condition::ImpliedByA => f.write_str("A implies it"),
            Condition::ContradictsB => f.write_str("it contradicts B"),
            Condition::First => f.write_str("the first formula is true"),
            Condition::Last => f.write_str("the last formula is false"),
            Condition::Step => f.write_str("it is implied by what comes before it"),
            Condition::Transition => f.write_str("its position implies it"),
            Condition::StateStep => f.write_str("state and transition imply the next state"),
            Condition::Vocabulary { name } => write!(f, "`{name}` occurs on both sides"),
        }
    }
}

/// Why interpolants are not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// A condition does not hold.
    Violated {
        /// The condition.
        condition: Condition,
        /// Of which formula.
        index: usize,
    },
    /// The solver gave up on a condition.
    Undecided {
        /// The condition.
        condition: Condition,
        /// Of which formula.
        index: usize,
        /// Why the solver gave up.
        reason: GaveUp,
    },
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Violated { condition, index } => {
                write!(f, "interpolant {index} violates the condition that {condition}")
            }
            Rejection::Undecided { condition, index, reason } => {
                write!(f, "that {condition} is not decided for interpolant {index}: {reason}")
            }
        }
    }
}

impl std::error::Error for Rejection {}

/// `A ⊨ I`, `I ∧ B ⊨ false`, and `I` is over names of both.
pub fn verify_binary(
    pool: &mut TermPool,
    a: &[Term],
    b: &[Term],
    interpolant: Term,
    limits: &Limits,
) -> Result<(), Rejection> {
    let mut solver = BitVecSolver::new();
    let mut judge = Judge::new(pool, limits, &mut solver);
    judge.implies(a, interpolant, Condition::ImpliedByA, 0)?;
    judge.contradicts(b, &[interpolant], Condition::ContradictsB, 0)?;
    judge.vocabulary(a, b, interpolant, 0)
}

/// `I_0 = true`, `I_n = false`, `I_k ∧ P_k ⊨ I_{k+1}`, and `I_k` is over names that occur both before
/// part `k` and from it on.
pub fn verify_sequence(
    pool: &mut TermPool,
    parts: &[Term],
    interpolants: &[Term],
    limits: &Limits,
) -> Result<(), Rejection> {
    Judge::new(pool, limits, &mut BitVecSolver::new()).sequence(parts, interpolants)
}

/// `false` at the root; the formulas of the children of a node and what the node has imply the
/// formula of the node, which is over names that occur both in its subtree and outside of it.
pub fn verify_tree(
    pool: &mut TermPool,
    tree: &Tree,
    parts: &[Term],
    interpolants: &[Term],
    limits: &Limits,
) -> Result<(), Rejection> {
    Judge::new(pool, limits, &mut BitVecSolver::new()).tree(tree, parts, interpolants)
}

/// The states are `true` at first and `false` at last, each position implies its transition, state and
/// transition imply the next state; states have the vocabulary of sequences, and a transition is over
/// names that its position shares with others.
pub fn verify_state_transition(
    pool: &mut TermPool,
    parts: &[Term],
    interpolants: &StateTransition,
    limits: &Limits,
) -> Result<(), Rejection> {
    Judge::new(pool, limits, &mut BitVecSolver::new()).state_transition(parts, interpolants)
}

fn count(expected: usize, found: usize) -> Result<(), Rejection> {
    if expected == found {
        return Ok(());
    }
    Err(Rejection::Violated { condition: Condition::Count { expected, found }, index: 0 })
}

/// Checks conditions with a solver that may have met the terms before, but has no assertions.
pub(crate) struct Judge<'v> {
    pool: &'v mut TermPool,
    limits: &'v Limits,
    solver: &'v mut BitVecSolver,
}

impl<'v> Judge<'v> {
    pub(crate) fn new(pool: &'v mut TermPool, limits: &'v Limits, solver: &'v mut BitVecSolver) -> Judge<'v> {
        Judge { pool, limits, solver }
    }

    /// [`verify_sequence`]
    pub(crate) fn sequence(&mut self, parts: &[Term], interpolants: &[Term]) -> Result<(), Rejection> {
        count(parts.len() + 1, interpolants.len())?;
        self.ends(interpolants)?;
        for (index, &part) in parts.iter().enumerate() {
            self.implies(&[interpolants[index], part], interpolants[index + 1], Condition::Step, index + 1)?;
        }
        self.cuts(parts, interpolants)
    }

    /// [`verify_tree`]
    pub(crate) fn tree(
        &mut self,
        tree: &Tree,
        parts: &[Term],
        interpolants: &[Term],
    ) -> Result<(), Rejection> {
        count(tree.count(), parts.len())?;
        count(tree.count(), interpolants.len())?;
        if self.pool.as_bool(interpolants[tree.count() - 1]) != Some(false) {
            return Err(Rejection::Violated { condition: Condition::Last, index: tree.count() - 1 });
        }
        for node in 0..tree.count() {
            let mut premises: Vec<Term> = tree.children(node).map(|child| interpolants[child]).collect();
            premises.push(parts[node]);
            self.implies(&premises, interpolants[node], Condition::Step, node)?;
            let subtree = tree.subtree(node);
            let (inside, outside): (Vec<usize>, Vec<usize>) =
                (0..tree.count()).partition(|other| subtree.contains(other));
            let terms = |nodes: &[usize]| nodes.iter().map(|&node| parts[node]).collect::<Vec<Term>>();
            self.vocabulary(&terms(&inside), &terms(&outside), interpolants[node], node)?;
        }
        Ok(())
    }

    /// [`verify_state_transition`]
    pub(crate) fn state_transition(
        &mut self,
        parts: &[Term],
        interpolants: &StateTransition,
    ) -> Result<(), Rejection> {
        let (states, transitions) = (&interpolants.states, &interpolants.transitions);
        count(parts.len() + 1, states.len())?;
        count(parts.len(), transitions.len())?;
        self.ends(states)?;
        self.cuts(parts, states)?;
        for (index, &part) in parts.iter().enumerate() {
            self.implies(&[part], transitions[index], Condition::Transition, index)?;
            let premises = [states[index], transitions[index]];
            self.implies(&premises, states[index + 1], Condition::StateStep, index + 1)?;
            let others = [&parts[..index], &parts[index + 1..]].concat();
            self.vocabulary(&[part], &others, transitions[index], index)?;
        }
        Ok(())
    }

    /// Names of the formula at `k` occur both before part `k` and from it on. Each part is looked at once.
    fn cuts(&self, parts: &[Term], interpolants: &[Term]) -> Result<(), Rejection> {
        let mut first: HashMap<Name, usize> = HashMap::new();
        let mut last: HashMap<Name, usize> = HashMap::new();
        for (at, &part) in parts.iter().enumerate() {
            for name in Vocabulary::of(self.pool, &[part]).names() {
                first.entry(name).or_insert(at);
                last.insert(name, at);
            }
        }
        for (index, &interpolant) in interpolants.iter().enumerate() {
            let is_shared = |name: &Name| {
                first.get(name).is_some_and(|&at| at < index) && last.get(name).is_some_and(|&at| at >= index)
            };
            let foreign = Vocabulary::of(self.pool, &[interpolant]).names().find(|name| !is_shared(name));
            if let Some(name) = foreign {
                let condition = Condition::Vocabulary { name: name.text(self.pool) };
                return Err(Rejection::Violated { condition, index });
            }
        }
        Ok(())
    }

    fn ends(&self, interpolants: &[Term]) -> Result<(), Rejection> {
        let last = interpolants.len() - 1;
        let expected = [(0, true, Condition::First), (last, false, Condition::Last)];
        for (index, value, condition) in expected {
            if self.pool.as_bool(interpolants[index]) != Some(value) {
                return Err(Rejection::Violated { condition, index });
            }
        }
        Ok(())
    }

    fn implies(
        &mut self,
        premises: &[Term],
        conclusion: Term,
        condition: Condition,
        index: usize,
    ) -> Result<(), Rejection> {
        let negated = self.pool.not(conclusion);
        self.contradicts(premises, &[negated], condition, index)
    }

    fn contradicts(
        &mut self,
        one: &[Term],
        other: &[Term],
        condition: Condition,
        index: usize,
    ) -> Result<(), Rejection> {
        let formulas = [one, other].concat();
        match self.solver.check(self.pool, &formulas, self.limits) {
            Answer::Unsat(_) => Ok(()),
            Answer::Sat(_) => Err(Rejection::Violated { condition, index }),
            Answer::Unknown(reason) => Err(Rejection::Undecided { condition, index, reason }),
        }
    }

    fn vocabulary(
        &self,
        one: &[Term],
        other: &[Term],
        interpolant: Term,
        index: usize,
    ) -> Result<(), Rejection> {
        let shared = Vocabulary::of(self.pool, one).shared(&Vocabulary::of(self.pool, other));
        match shared.foreign(self.pool, interpolant) {
            None => Ok(()),
            Some(name) => {
                let condition = Condition::Vocabulary { name: name.text(self.pool) };
                Err(Rejection::Violated { condition, index })
            }
        }
    }
}
