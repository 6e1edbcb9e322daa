//! Facts about all nodes of linked structures: what random executions say about the members of a node, of the nodes
//! that it points to, and of those that variables point to.
//!
//! A node is an address at which an object on the heap starts. What holds for all nodes cannot be said without that: at other
//! addresses memory has any content.

mod mining;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rorqual_cfa::Type;
use rorqual_encoding::{Cell, Elements, Encoding, Point};
use rorqual_logic::{Bits, Evaluator, Op, Term, TermPool};
use rorqual_solver::Limits;

use super::arrays::indices;
use super::samples::{Samples, State, assignment};
use super::{Facts, arrays, clauses, houdini, is_live, suffice};
use mining::{Clause, Observations};

/// So many variables, members and statements about one node are looked at.
const MOST_POINTERS: usize = 5;
const MOST_MOVING: usize = 2;
const MOST_MEMBERS: usize = 2;
const MOST_STATEMENTS: usize = 5;
const MOST_CONDITIONS: usize = 3;
/// The literals and the number of clauses per point, in each attempt.
const LONGEST: [usize; 3] = [3, 4, 4];
const MOST_CLAUSES: usize = 600;
/// So many observations per point are kept.
const MOST_OBSERVATIONS: usize = 400;

/// The atoms that clauses at a point consist of.
struct Vocabulary {
    /// About the node that the index symbol stands for.
    node: Vec<Term>,
    /// About variables.
    state: Vec<Term>,
}

/// Learns facts about nodes; whether no violation is left.
pub(super) fn learn(
    encoding: &mut Encoding<'_>,
    facts: &mut Facts,
    points: &[Point],
    samples: &Samples,
    queries: usize,
    limits: &Limits,
) -> bool {
    let Some(sizes) = encoding.object_sizes() else { return false };
    let width = encoding.pointer_width();
    let Some(any) = indices::symbol(&mut encoding.pool, width) else { return false };
    let nodes = Nodes { sizes, any };
    let statements = arrays::statements(encoding, points, samples, any);
    let mut attempts = Vec::new();
    for &point in points {
        let vocabulary = nodes.vocabulary(encoding, points, point, &statements);
        attempts.push(nodes.observe(encoding, point, vocabulary, samples.at(point)));
    }
    for longest in LONGEST {
        let mut candidates = nodes.bounds(encoding, points);
        for attempt in &mut attempts {
            let list = candidates.entry(attempt.point).or_default();
            list.extend(attempt.candidates(encoding, &nodes, longest));
        }
        let mut inductive = houdini::largest_inductive(encoding, points, facts, candidates, queries, limits);
        for attempt in &mut attempts {
            attempt.note(inductive.get(&attempt.point).map_or(&[], Vec::as_slice));
        }
        for (&point, list) in &mut inductive {
            *list = clauses::strongest(&mut encoding.pool, list, facts.indexed(point));
        }
        facts.add(&mut encoding.pool, inductive);
        if suffice(encoding, facts, points, limits) {
            return true;
        }
    }
    false
}

/// What a node is.
struct Nodes {
    /// The sizes of objects on the heap, by their addresses.
    sizes: Term,
    /// Any address.
    any: Term,
}

impl Nodes {
    /// That there is a node at an address.
    fn is_node(&self, encoding: &mut Encoding<'_>, address: Term) -> Term {
        let size = encoding.pool.select(self.sizes, address);
        let none = encoding.pool.bv(0u8, encoding.pool.width(size));
        encoding.pool.ne(size, none)
    }

    /// That nodes lie where memory has been allocated.
    fn bounds(&self, encoding: &mut Encoding<'_>, points: &[Point]) -> BTreeMap<Point, Vec<Term>> {
        let top = encoding.cells().iter().find(|(_, cell)| cell.name == "heap.top");
        let Some(top) = top.map(|(_, cell)| cell.symbol) else { return BTreeMap::new() };
        let start = encoding.heap_start();
        let is_node = self.is_node(encoding, self.any);
        let pool = &mut encoding.pool;
        let (below, above) = (pool.bv_ult(self.any, top), pool.bv_ule(start, self.any));
        let bounds = [pool.implies(is_node, below), pool.implies(is_node, above), pool.bv_ule(start, top)];
        points.iter().map(|&point| (point, bounds.to_vec())).collect()
    }

    /// What may be said at a point.
    fn vocabulary(
        &self,
        encoding: &mut Encoding<'_>,
        points: &[Point],
        point: Point,
        statements: &[Term],
    ) -> Vocabulary {
        let live = |encoding: &Encoding<'_>, terms: Vec<Term>, most: usize| -> Vec<Term> {
            terms.into_iter().filter(|&term| is_live(encoding, point, term)).take(most).collect()
        };
        let moving = arrays::moving_pointers(encoding, points);
        let moving = live(encoding, moving, MOST_MOVING);
        let mut pointers = moving.clone();
        pointers.extend(arrays::pointers(encoding, points).into_iter().filter(|one| !moving.contains(one)));
        let pointers = live(encoding, pointers, MOST_POINTERS);
        let members = members(encoding);
        let null = encoding.pool.bv(0u8, encoding.pool.width(self.any));
        let statements: Vec<Term> = statements.iter().copied().take(MOST_STATEMENTS).collect();
        let mut node = statements.clone();
        for &pointer in &moving {
            node.push(encoding.pool.eq(self.any, pointer));
        }
        for &member in &members {
            let next = encoding.pool.select(member, self.any);
            for &back in members.iter().filter(|&&back| back != member) {
                let other = encoding.pool.select(back, next);
                node.push(encoding.pool.eq(other, self.any));
            }
            node.extend([encoding.pool.eq(next, null), self.is_node(encoding, next)]);
            for &pointer in &moving {
                node.push(encoding.pool.eq(next, pointer));
            }
            for &statement in &statements {
                node.push(encoding.pool.substitute(statement, &HashMap::from([(self.any, next)])));
            }
        }
        let conditions = arrays::conditions(encoding, points);
        let conditions = live(encoding, conditions, MOST_CONDITIONS);
        let mut state = conditions.clone();
        for &pointer in &pointers {
            state.extend([encoding.pool.eq(pointer, null), self.is_node(encoding, pointer)]);
            state.extend(moving.iter().map(|&other| encoding.pool.eq(pointer, other)));
            for &statement in &statements {
                state.push(encoding.pool.substitute(statement, &HashMap::from([(self.any, pointer)])));
            }
        }
        node.extend(conditions);
        for atoms in [&mut node, &mut state] {
            atoms.retain(|&atom| encoding.pool.as_bool(atom).is_none());
            let mut seen = BTreeSet::new();
            atoms.retain(|&atom| seen.insert(atom));
        }
        Vocabulary { node, state }
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
            .map(|atoms| Observations::new(atoms.len(), exclusive(encoding, self, atoms)));
        for one in states {
            let mut values = assignment(encoding, one);
            let mut evaluator = Evaluator::new(&encoding.pool, &values);
            state.add(vocabulary.state.iter().map(|&atom| evaluator.holds(atom)).collect());
            let sizes = evaluator.value(self.sizes).array().clone();
            let addresses: Vec<Bits> =
                sizes.entries().filter(|(_, size)| !size.is_zero()).map(|(at, _)| at.clone()).collect();
            for address in addresses {
                indices::set(&mut encoding.pool, &mut values, 0, &address);
                let mut evaluator = Evaluator::new(&encoding.pool, &values);
                node.add(vocabulary.node.iter().map(|&atom| evaluator.holds(atom)).collect());
            }
            if node.len() + state.len() > MOST_OBSERVATIONS {
                break;
            }
        }
        let [known, refuted] = Default::default();
        Attempt { point, vocabulary, node, state, tried: HashMap::new(), known, refuted }
    }
}

/// What was observed at a point, and tried.
struct Attempt {
    point: Point,
    vocabulary: Vocabulary,
    node: Observations,
    state: Observations,
    /// The clauses behind the candidates that were made last: about nodes first.
    tried: HashMap<Term, (usize, Clause)>,
    /// The clauses that were proved.
    known: [BTreeSet<Clause>; 2],
    /// The clauses that could not be proved.
    refuted: [BTreeSet<Clause>; 2],
}

impl Attempt {
    /// The candidates of the next attempt.
    fn candidates(&mut self, encoding: &mut Encoding<'_>, nodes: &Nodes, longest: usize) -> Vec<Term> {
        let is_node = nodes.is_node(encoding, nodes.any);
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
                observations.clauses(longest, MOST_CLAUSES, &self.known[which], &self.refuted[which]);
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
        let mut candidates: Vec<Term> = self.tried.keys().copied().collect();
        candidates.sort_unstable();
        candidates
    }

    /// Notes which candidates were proved.
    fn note(&mut self, proved: &[Term]) {
        for (candidate, (which, clause)) in self.tried.drain() {
            if proved.contains(&candidate) {
                self.refuted[which].remove(&clause);
                self.known[which].insert(clause);
            } else {
                self.refuted[which].insert(clause);
            }
        }
    }
}

/// The pairs of atoms that never hold both: a term does not have two values at once, and there is no node at null.
fn exclusive(encoding: &mut Encoding<'_>, nodes: &Nodes, atoms: &[Term]) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    let numbers: Vec<Option<(Term, Term)>> = atoms.iter().map(|&atom| number(&encoding.pool, atom)).collect();
    for (at, &one) in numbers.iter().enumerate() {
        let Some((term, value)) = one else { continue };
        let is_other = |other: &Option<(Term, Term)>| other.is_some_and(|(same, _)| same == term);
        found.extend((0..at).filter(|&before| is_other(&numbers[before])).map(|before| (before, at)));
        if encoding.pool.width(term) == encoding.pool.width(nodes.any)
            && encoding.pool.as_bits(value).is_some_and(Bits::is_zero)
        {
            let is_node = nodes.is_node(encoding, term);
            found.extend(atoms.iter().position(|&atom| atom == is_node).map(|node| (at, node)));
        }
    }
    found
}

/// The term of which an atom says that it has a value.
fn number(pool: &TermPool, atom: Term) -> Option<(Term, Term)> {
    match (pool.op(atom), pool.arguments(atom)) {
        (Op::Eq, &[one, other]) if pool.as_bits(one).is_some() => Some((other, one)),
        (Op::Eq, &[one, other]) if pool.as_bits(other).is_some() => Some((one, other)),
        _ => None,
    }
}

/// The members of nodes that are pointers, as arrays.
fn members(encoding: &Encoding<'_>) -> Vec<Term> {
    let types = &encoding.program.types;
    let is_pointer = |cell: &Cell| cell.ty.is_some_and(|ty| matches!(types.get(ty), Type::Pointer(_)));
    let is_member = |cell: &Cell| cell.elements == Elements::Scattered && is_pointer(cell);
    let members = encoding.cells().iter().filter(|(_, cell)| is_member(cell));
    members
        .map(|(_, cell)| cell.symbol)
        .filter(|&member| matches!(encoding.pool.op(member), Op::Symbol(_)))
        .take(MOST_MEMBERS)
        .collect()
}
