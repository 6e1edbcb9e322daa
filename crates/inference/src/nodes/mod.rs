//! Facts about all nodes of linked structures: what random executions say about the members of a node, of the nodes
//! that it points to, and of those that variables point to.
//!
//! A node is an address at which an object on the heap starts. What holds for all nodes cannot be said without that: at other
//! addresses memory has any content.

mod mining;
mod vocabulary;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_encoding::{Encoding, Heap, Point};
use rorqual_logic::{Bits, Evaluator, Term, TermPool};
use rorqual_solver::Limits;

use crate::arrays::indices;
use crate::candidates::clauses;
use crate::facts::{Facts, suffice};
use crate::round::RoundBudget;
use crate::samples::{Samples, State, assignment};
use mining::{Clause, Observations};
use vocabulary::{Vocabulary, Words, exclusive};

budget! {
    /// How many candidates about nodes there may be. Clauses are combinations of atoms, so each of these numbers is small.
    pub struct Budget {
        /// At most 3 literals per clause in the first attempt, and 4 in two further ones, the last of which weakens what was
        /// refuted.
        pub literals: [usize; 3] = [3, 4, 4],
        /// At most 600 clauses per point in each attempt, as Houdini has to prove them.
        pub clauses: usize = 600,
        /// At most 400 observations per point, of states and of single nodes: every atom is evaluated in each.
        pub observations: usize = 400,
        /// Atoms are about at most 5 pointers,
        pub pointers: usize = 5,
        /// at most 2 pointers that loops move, such as a node and its predecessor,
        pub moving: usize = 2,
        /// at most 2 members that are pointers, such as those of a doubly linked list,
        pub members: usize = 2,
        /// at most 5 statements about the other members,
        pub statements: usize = 5,
        /// and at most 3 conditions on variables.
        pub conditions: usize = 3,
    }
}

/// Adds facts about nodes, until no violation is left.
pub(crate) fn infer(
    encoding: &mut Encoding<'_>,
    facts: &mut Facts,
    points: &[Point],
    samples: &Samples,
    budget: &RoundBudget,
    limits: &Limits,
) {
    let Some(heap) = encoding.heap() else { return };
    let width = encoding.pointer_width();
    let Some(any) = indices::symbol(&mut encoding.pool, width) else { return };
    let nodes = Nodes { heap, any, budget: budget.all.nodes };
    let words = Words::collect(encoding, points, samples, &nodes, &budget.all.arrays);
    let mut attempts = Vec::new();
    for &point in points {
        let vocabulary = words.at(encoding, point, &nodes);
        attempts.push(nodes.observe(encoding, point, vocabulary, samples.at(point)));
    }
    let bounds = nodes.bounds(&mut encoding.pool);
    for longest in nodes.budget.literals {
        let mut candidates: BTreeMap<Point, Vec<Term>> =
            points.iter().map(|&point| (point, bounds.clone())).collect();
        for attempt in &mut attempts {
            let list = candidates.entry(attempt.point).or_default();
            list.extend(attempt.candidates(encoding, &nodes, longest));
        }
        let mut inductive = budget.largest_inductive(encoding, points, facts, candidates, limits);
        for attempt in &mut attempts {
            attempt.note(inductive.get(&attempt.point).map_or(&[], Vec::as_slice));
        }
        for (&point, list) in &mut inductive {
            *list = clauses::strongest(&mut encoding.pool, list, facts.indexed(point));
        }
        facts.add(&mut encoding.pool, inductive);
        if suffice(encoding, facts, points, limits) {
            return;
        }
    }
}

/// Where there are nodes.
struct Nodes {
    heap: Heap,
    /// Any address.
    any: Term,
    budget: Budget,
}

impl Nodes {
    /// That there is a node at an address.
    fn is_node(&self, pool: &mut TermPool, address: Term) -> Term {
        let size = pool.select(self.heap.sizes, address);
        let none = pool.bv(0u8, pool.width(size));
        pool.ne(size, none)
    }

    /// That nodes lie where memory has been allocated.
    fn bounds(&self, pool: &mut TermPool) -> Vec<Term> {
        let Heap { start, top, .. } = self.heap;
        let is_node = self.is_node(pool, self.any);
        let (below, above) = (pool.bv_ult(self.any, top), pool.bv_ule(start, self.any));
        vec![pool.implies(is_node, below), pool.implies(is_node, above), pool.bv_ule(start, top)]
    }

    /// What is observed at a point.
    fn observe(
        &self,
        encoding: &mut Encoding<'_>,
        point: Point,
        vocabulary: Vocabulary,
        states: &[State],
    ) -> Attempt {
        let [mut node, mut state] = [&vocabulary.node, &vocabulary.state]
            .map(|atoms| Observations::new(atoms.len(), exclusive(&mut encoding.pool, self, atoms)));
        for one in states {
            let mut values = assignment(encoding, one);
            let mut evaluator = Evaluator::new(&encoding.pool, &values);
            state.add(vocabulary.state.iter().map(|&atom| evaluator.holds(atom)).collect());
            let sizes = evaluator.value(self.heap.sizes).array().clone();
            let addresses: Vec<Bits> =
                sizes.entries().filter(|(_, size)| !size.is_zero()).map(|(at, _)| at.clone()).collect();
            for address in addresses {
                indices::set(&mut encoding.pool, &mut values, 0, &address);
                let mut evaluator = Evaluator::new(&encoding.pool, &values);
                node.add(vocabulary.node.iter().map(|&atom| evaluator.holds(atom)).collect());
            }
            if node.len() + state.len() > self.budget.observations {
                break;
            }
        }
        let [known, refuted] = Default::default();
        Attempt { point, vocabulary, node, state, tried: BTreeMap::new(), known, refuted }
    }
}

/// What was observed at a point, and tried.
struct Attempt {
    point: Point,
    vocabulary: Vocabulary,
    node: Observations,
    state: Observations,
    /// The clauses behind the candidates that were made last: about nodes first.
    tried: BTreeMap<Term, (usize, Clause)>,
    /// The clauses that were proved.
    known: [BTreeSet<Clause>; 2],
    /// The clauses that could not be proved.
    refuted: [BTreeSet<Clause>; 2],
}

impl Attempt {
    /// The candidates of the next attempt.
    fn candidates(&mut self, encoding: &mut Encoding<'_>, nodes: &Nodes, longest: usize) -> Vec<Term> {
        let is_node = nodes.is_node(&mut encoding.pool, nodes.any);
        let no_node = encoding.pool.not(is_node);
        let none = encoding.pool.bottom();
        self.tried.clear();
        let sources =
            [(&self.node, &self.vocabulary.node, no_node), (&self.state, &self.vocabulary.state, none)];
        for (which, (observations, atoms, unless)) in sources.into_iter().enumerate() {
            // Without observations everything seems to hold.
            if observations.len() == 0 {
                continue;
            }
            let mut clauses =
                observations.clauses(longest, nodes.budget.clauses, &self.known[which], &self.refuted[which]);
            // What could not be proved may follow from what is tried now.
            clauses.extend(self.refuted[which].iter().cloned());
            for clause in clauses {
                let mut literals = vec![unless];
                for &(atom, holds) in &clause {
                    let atom = atoms[atom];
                    literals.push(if holds { atom } else { encoding.pool.not(atom) });
                }
                let candidate = encoding.pool.or(&literals);
                self.tried.insert(candidate, (which, clause));
            }
        }
        self.tried.keys().copied().collect()
    }

    /// Notes which candidates were proved.
    fn note(&mut self, proved: &[Term]) {
        for (candidate, (which, clause)) in std::mem::take(&mut self.tried) {
            if proved.contains(&candidate) {
                self.refuted[which].remove(&clause);
                self.known[which].insert(clause);
            } else {
                self.refuted[which].insert(clause);
            }
        }
    }
}
