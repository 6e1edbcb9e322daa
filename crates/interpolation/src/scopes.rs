//! Which names an instance of an axiom may be over in each part, so that interpolants from one refutation
//! keep their vocabulary. A name that occurs on both sides of every cut next to a part may be mentioned in it
//! as well: along a path, one that occurs before and behind; in a tree, one on whose branches it occurs.

use std::collections::BTreeMap;

use rorqual_logic::{Term, TermPool};
use rorqual_solver::{Name, Vocabulary, is_abstracted};

use crate::interpolants::Tree;
use crate::strategy::Goal;

/// The names for each part: its own, as what is refuted may have lost conjuncts, and those that are live.
pub(crate) fn scopes(pool: &TermPool, parts: &[Term], goal: &Goal) -> Vec<Vocabulary> {
    if !pool.subterms(parts).iter().any(|&term| is_abstracted(pool, term)) {
        return vec![Vocabulary::default(); parts.len()];
    }
    let mut scopes: Vec<Vocabulary> = parts.iter().map(|&part| Vocabulary::of(pool, &[part])).collect();
    let tree = match goal {
        Goal::Sequence if !parts.is_empty() => &Tree::path(parts.len()),
        Goal::Tree(tree) => tree,
        // The transition of a part is over names of that part.
        Goal::Sequence | Goal::StateTransition => return scopes,
    };
    let mut occurrences: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
    for (number, scope) in scopes.iter().enumerate() {
        for name in scope.names() {
            occurrences.entry(name).or_default().push(number);
        }
    }
    for (name, nodes) in occurrences {
        for node in between(tree, &nodes) {
            scopes[node].insert(name);
        }
    }
    scopes
}

/// The nodes that lie between some of the given ones.
fn between(tree: &Tree, nodes: &[usize]) -> Vec<usize> {
    let mut below = vec![0; tree.count()];
    let mut branches = vec![0; tree.count()];
    for &node in nodes {
        below[node] += 1;
    }
    for node in 0..tree.count() {
        if let Some(parent) = tree.parent(node) {
            below[parent] += below[node];
            branches[parent] += usize::from(below[node] > 0);
        }
    }
    let is_between = |&node: &usize| branches[node] + usize::from(below[node] < nodes.len()) > 1;
    (0..tree.count()).filter(is_between).collect()
}
