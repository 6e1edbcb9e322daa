//! Equality with uninterpreted functions: congruence closure that explains itself, after R. Nieuwenhuis
//! and A. Oliveras, *Proof-Producing Congruence Closure*, RTA 2005.
//!
//! Each merge adds an edge to a forest whose paths are chains of equalities. The chain between two equal
//! terms is what interpolation reads: it cuts the chain where it changes sides. Equalities cannot be
//! taken back; conjunctions are small, and a new closure is cheap.

use std::collections::{BTreeMap, BTreeSet};

/// The number of a term in a [`Congruence`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub usize);

/// An uninterpreted function; constants are functions without arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function(pub u32);

/// Why two neighbours in a chain are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// An asserted equality, by the number its caller gave it.
    Given(usize),
    /// Both apply one function to arguments that are equal pairwise.
    Congruence,
}

/// An equality in a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The left side.
    pub from: TermId,
    /// The right side, and the left side of the next step.
    pub to: TermId,
    /// Why they are equal.
    pub because: Because,
}

/// A function and the arguments it is applied to.
type Application = (Function, Vec<TermId>);

/// The equalities that follow from asserted ones.
#[derive(Debug, Clone, Default)]
pub struct Congruence {
    terms: Vec<Application>,
    numbers: BTreeMap<Application, TermId>,
    representatives: Vec<TermId>,
    /// For representatives: the terms of the class, and the terms with an argument in it.
    members: Vec<Vec<TermId>>,
    uses: Vec<Vec<TermId>>,
    /// One term for each function and classes of arguments.
    signatures: BTreeMap<Application, TermId>,
    /// The forest: each term's edge towards the root of its tree.
    edges: Vec<Option<(TermId, Because)>>,
}

impl Congruence {
    /// A closure without terms.
    pub fn new() -> Congruence {
        Congruence::default()
    }

    /// The term that applies a function.
    pub fn term(&mut self, function: Function, arguments: &[TermId]) -> TermId {
        let application = (function, arguments.to_vec());
        if let Some(&term) = self.numbers.get(&application) {
            return term;
        }
        let term = TermId(self.terms.len());
        self.terms.push(application.clone());
        self.numbers.insert(application, term);
        self.representatives.push(term);
        self.members.push(vec![term]);
        self.uses.push(Vec::new());
        self.edges.push(None);
        for &argument in arguments {
            let class = self.representative(argument);
            self.uses[class.0].push(term);
        }
        let signature = self.signature(term);
        match self.signatures.get(&signature) {
            Some(&other) => self.merge_all(Step { from: term, to: other, because: Because::Congruence }),
            None => {
                self.signatures.insert(signature, term);
            }
        }
        term
    }

    /// A constant.
    pub fn constant(&mut self, function: Function) -> TermId {
        self.term(function, &[])
    }

    /// The function and the arguments of a term.
    pub fn application(&self, term: TermId) -> (Function, &[TermId]) {
        let (function, arguments) = &self.terms[term.0];
        (*function, arguments)
    }

    /// Asserts an equality; `literal` names it in explanations.
    pub fn assert_equal(&mut self, lhs: TermId, rhs: TermId, literal: usize) {
        self.merge_all(Step { from: lhs, to: rhs, because: Because::Given(literal) });
    }

    /// Whether the equality of two terms follows from the asserted ones.
    pub fn are_equal(&self, lhs: TermId, rhs: TermId) -> bool {
        self.representative(lhs) == self.representative(rhs)
    }

    /// The first disequality that does not hold, with the literals that refute it: asserted equalities
    /// and, last, its own.
    pub fn refute(&self, disequalities: &[(TermId, TermId, usize)]) -> Option<Vec<usize>> {
        let &(lhs, rhs, literal) = disequalities.iter().find(|(lhs, rhs, _)| self.are_equal(*lhs, *rhs))?;
        let mut literals: Vec<usize> = self.explain(lhs, rhs).into_iter().collect();
        literals.push(literal);
        Some(literals)
    }

    /// The asserted equalities from which the equality of two terms follows. They must be equal.
    pub fn explain(&self, lhs: TermId, rhs: TermId) -> BTreeSet<usize> {
        let mut literals = BTreeSet::new();
        let mut explained = BTreeSet::new();
        let mut open = vec![(lhs, rhs)];
        while let Some(pair) = open.pop() {
            if !explained.insert(pair) {
                continue;
            }
            for step in self.chain(pair.0, pair.1) {
                match step.because {
                    Because::Given(literal) => {
                        literals.insert(literal);
                    }
                    Because::Congruence => {
                        let (from, to) = (&self.terms[step.from.0].1, &self.terms[step.to.0].1);
                        open.extend(from.iter().copied().zip(to.iter().copied()));
                    }
                }
            }
        }
        literals
    }

    /// The equalities on the way from one term to another; none if they are the same. They must be equal.
    pub fn chain(&self, lhs: TermId, rhs: TermId) -> Vec<Step> {
        assert!(self.are_equal(lhs, rhs), "only equal terms have a chain");
        let (mut up, mut down) = (self.to_root(lhs), self.to_root(rhs));
        while let (Some(one), Some(other)) = (up.last(), down.last())
            && one == other
        {
            up.pop();
            down.pop();
        }
        let reversed = |step: Step| Step { from: step.to, to: step.from, because: step.because };
        up.extend(down.into_iter().rev().map(reversed));
        up
    }

    fn to_root(&self, mut term: TermId) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some((to, because)) = self.edges[term.0] {
            steps.push(Step { from: term, to, because });
            term = to;
        }
        steps
    }

    fn representative(&self, term: TermId) -> TermId {
        self.representatives[term.0]
    }

    fn signature(&self, term: TermId) -> Application {
        let (function, arguments) = &self.terms[term.0];
        (*function, arguments.iter().map(|&argument| self.representative(argument)).collect())
    }

    /// Merges what an equality implies; terms that become congruent wait in a list.
    fn merge_all(&mut self, first: Step) {
        let mut pending = vec![first];
        while let Some(step) = pending.pop() {
            if !self.are_equal(step.from, step.to) {
                self.merge(step, &mut pending);
            }
        }
    }

    /// Moves the smaller class into the larger one.
    fn merge(&mut self, step: Step, pending: &mut Vec<Step>) {
        let (one, other) = (self.representative(step.from), self.representative(step.to));
        let (small, large, from, to) = if self.members[one.0].len() <= self.members[other.0].len() {
            (one, other, step.from, step.to)
        } else {
            (other, one, step.to, step.from)
        };
        self.reroot(from);
        self.edges[from.0] = Some((to, step.because));
        for member in std::mem::take(&mut self.members[small.0]) {
            self.representatives[member.0] = large;
            self.members[large.0].push(member);
        }
        for user in std::mem::take(&mut self.uses[small.0]) {
            self.uses[large.0].push(user);
            let signature = self.signature(user);
            match self.signatures.get(&signature) {
                Some(&twin) => pending.push(Step { from: user, to: twin, because: Because::Congruence }),
                None => {
                    self.signatures.insert(signature, user);
                }
            }
        }
    }

    /// Turns the edges between a term and the root of its tree around.
    fn reroot(&mut self, term: TermId) {
        let path = self.to_root(term);
        self.edges[term.0] = None;
        for step in path {
            self.edges[step.to.0] = Some((step.from, step.because));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::tests::Random;

    /// `f(f(f(a))) = a` and `f(f(f(f(f(a))))) = a` imply `f(a) = a`.
    #[test]
    fn powers_of_a_function() {
        let mut closure = Congruence::new();
        let a = closure.constant(Function(0));
        let mut powers = vec![a];
        for index in 0..5 {
            powers.push(closure.term(Function(1), &[powers[index]]));
        }
        closure.assert_equal(powers[3], a, 10);
        assert!(!closure.are_equal(powers[1], a));
        closure.assert_equal(powers[5], a, 20);
        assert_eq!(closure.refute(&[(powers[1], a, 30)]), Some(vec![10, 20, 30]));
        assert!(closure.chain(a, a).is_empty());
    }

    /// Adds the terms, in order, and the chosen equalities.
    fn closure(
        applications: &[Application],
        equalities: &[(TermId, TermId)],
        chosen: &BTreeSet<usize>,
    ) -> Congruence {
        let mut closure = Congruence::new();
        for (function, arguments) in applications {
            closure.term(*function, arguments);
        }
        for &index in chosen {
            closure.assert_equal(equalities[index].0, equalities[index].1, index);
        }
        closure
    }

    /// The classes by repeated comparison of all pairs.
    fn naive(applications: &[Application], equalities: &[(TermId, TermId)]) -> Vec<usize> {
        let mut class: Vec<usize> = (0..applications.len()).collect();
        let union = |class: &mut Vec<usize>, one: usize, other: usize| {
            let (old, new) = (class[one], class[other]);
            class.iter_mut().filter(|value| **value == old).for_each(|value| *value = new);
        };
        for (lhs, rhs) in equalities {
            union(&mut class, lhs.0, rhs.0);
        }
        loop {
            let before = class.clone();
            for one in 0..applications.len() {
                for other in 0..one {
                    let ((f, xs), (g, ys)) = (&applications[one], &applications[other]);
                    let same = xs.iter().zip(ys).all(|(x, y)| class[x.0] == class[y.0]);
                    if f == g && xs.len() == ys.len() && same {
                        union(&mut class, one, other);
                    }
                }
            }
            if class == before {
                return class;
            }
        }
    }

    #[test]
    fn random_closures_agree_with_comparison_of_all_pairs() {
        let mut random = Random(21);
        for seed in 0..1000 {
            let mut applications: Vec<Application> =
                (0..4).map(|index| (Function(index), Vec::new())).collect();
            for _ in 0..random.between(2, 12) {
                let count = random.between(1, 2) as usize;
                let arguments =
                    (0..count).map(|_| TermId(random.below(applications.len() as u64) as usize)).collect();
                let application = (Function(count as u32 + 10), arguments);
                if !applications.contains(&application) {
                    applications.push(application);
                }
            }
            let size = applications.len() as u64;
            let equalities: Vec<(TermId, TermId)> = (0..random.between(1, 6))
                .map(|_| (TermId(random.below(size) as usize), TermId(random.below(size) as usize)))
                .collect();
            let all: BTreeSet<usize> = (0..equalities.len()).collect();
            let found = closure(&applications, &equalities, &all);
            let expected = naive(&applications, &equalities);
            for one in 0..applications.len() {
                for other in 0..one {
                    let equal = found.are_equal(TermId(one), TermId(other));
                    assert_eq!(equal, expected[one] == expected[other], "seed {seed}");
                    if equal {
                        let reasons = found.explain(TermId(one), TermId(other));
                        let again = closure(&applications, &equalities, &reasons);
                        assert!(again.are_equal(TermId(one), TermId(other)), "seed {seed}");
                    }
                }
            }
        }
    }
}
