//! The atoms of clauses about nodes.

use std::collections::{BTreeSet, HashMap};

use rorqual_encoding::{Cell, Elements, Encoding, Point};
use rorqual_logic::{Bits, Op, Term, TermPool};

use super::Nodes;
use crate::arrays;
use crate::facts::is_live;
use crate::samples::Samples;

/// The atoms that clauses at a point consist of.
pub(crate) struct Vocabulary {
    /// About the node that the index symbol stands for.
    pub(crate) node: Vec<Term>,
    /// About variables, and the nodes that they point to.
    pub(crate) state: Vec<Term>,
}

/// What atoms are made of.
pub(crate) struct Words {
    /// Pointers that loops move.
    moving: Vec<Term>,
    /// All variables that are pointers, those that move first.
    pointers: Vec<Term>,
    /// Pointers in nodes, as arrays.
    members: Vec<Term>,
    /// What the program says about numbers in a node, said about any.
    statements: Vec<Term>,
    /// Conditions on variables.
    conditions: Vec<Term>,
}

impl Words {
    pub(crate) fn collect(
        encoding: &mut Encoding<'_>,
        points: &[Point],
        samples: &Samples,
        nodes: &Nodes,
        budget: &arrays::Budget,
    ) -> Words {
        let moving = arrays::moving_pointers(encoding, points);
        let mut pointers = moving.clone();
        pointers.extend(arrays::pointers(encoding, points).into_iter().filter(|one| !moving.contains(one)));
        let mut statements = arrays::statements(encoding, points, samples, nodes.any, budget);
        statements.truncate(nodes.budget.statements);
        let conditions = arrays::conditions(encoding, points, budget);
        Words { moving, pointers, members: members(encoding, nodes.budget.members), statements, conditions }
    }

    /// What may be said at a point.
    pub(crate) fn at(&self, encoding: &mut Encoding<'_>, point: Point, nodes: &Nodes) -> Vocabulary {
        let live = |terms: &[Term], most: usize| -> Vec<Term> {
            terms.iter().copied().filter(|&term| is_live(encoding, point, term)).take(most).collect()
        };
        let moving = live(&self.moving, nodes.budget.moving);
        let pointers = live(&self.pointers, nodes.budget.pointers);
        let conditions = live(&self.conditions, nodes.budget.conditions);
        let pool = &mut encoding.pool;
        let mut node = self.about_node(pool, &moving, nodes);
        let mut state = self.about_pointers(pool, &pointers, &moving, nodes);
        for atoms in [&mut node, &mut state] {
            atoms.extend(&conditions);
            let mut seen = BTreeSet::new();
            atoms.retain(|&atom| pool.as_bool(atom).is_none() && seen.insert(atom));
        }
        Vocabulary { node, state }
    }

    fn about_node(&self, pool: &mut TermPool, moving: &[Term], nodes: &Nodes) -> Vec<Term> {
        let any = nodes.any;
        let null = pool.bv(0u8, pool.width(any));
        let mut atoms = self.statements.clone();
        atoms.extend(moving.iter().map(|&pointer| pool.eq(any, pointer)));
        for &member in &self.members {
            let next = pool.select(member, any);
            for &back in self.members.iter().filter(|&&back| back != member) {
                let other = pool.select(back, next);
                atoms.push(pool.eq(other, any));
            }
            atoms.extend([pool.eq(next, null), nodes.is_node(pool, next)]);
            atoms.extend(moving.iter().map(|&pointer| pool.eq(next, pointer)));
            atoms.extend(self.statements_about(pool, next, nodes));
        }
        atoms
    }

    fn about_pointers(
        &self,
        pool: &mut TermPool,
        pointers: &[Term],
        moving: &[Term],
        nodes: &Nodes,
    ) -> Vec<Term> {
        let null = pool.bv(0u8, pool.width(nodes.any));
        let mut atoms = Vec::new();
        for &pointer in pointers {
            atoms.extend([pool.eq(pointer, null), nodes.is_node(pool, pointer)]);
            atoms.extend(moving.iter().map(|&other| pool.eq(pointer, other)));
            atoms.extend(self.statements_about(pool, pointer, nodes));
        }
        atoms
    }

    fn statements_about(&self, pool: &mut TermPool, node: Term, nodes: &Nodes) -> Vec<Term> {
        let replaced = HashMap::from([(nodes.any, node)]);
        self.statements.iter().map(|&statement| pool.substitute(statement, &replaced)).collect()
    }
}

/// The pairs of atoms that never hold both: a term does not have two values at once, and there is no node at null.
pub(crate) fn exclusive(pool: &mut TermPool, nodes: &Nodes, atoms: &[Term]) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    let numbers: Vec<Option<(Term, Term)>> = atoms.iter().map(|&atom| number(pool, atom)).collect();
    for (at, &one) in numbers.iter().enumerate() {
        let Some((term, value)) = one else { continue };
        let is_other = |other: &Option<(Term, Term)>| other.is_some_and(|(same, _)| same == term);
        found.extend((0..at).filter(|&before| is_other(&numbers[before])).map(|before| (before, at)));
        if pool.width(term) == pool.width(nodes.any) && pool.as_bits(value).is_some_and(Bits::is_zero) {
            let is_node = nodes.is_node(pool, term);
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
fn members(encoding: &Encoding<'_>, most: usize) -> Vec<Term> {
    let types = &encoding.program.types;
    let is_pointer = |cell: &Cell| cell.ty.is_some_and(|ty| types.pointee(ty).is_some());
    let is_member = |cell: &Cell| cell.elements == Elements::Scattered && is_pointer(cell);
    let members = encoding.cells().iter().filter(|(_, cell)| is_member(cell)).map(|(_, cell)| cell.symbol);
    members.filter(|&member| matches!(encoding.pool.op(member), Op::Symbol(_))).take(most).collect()
}
