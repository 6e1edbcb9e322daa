//! Facts, and what they were derived from.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_inference::solutions::Cube;
use rorqual_logic::Term;

use super::Key;

/// A fact, by its number. No number is used twice, so a fact is younger than all that it was derived from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FactId(u32);

/// A way in which a procedure may end.
#[derive(Debug)]
pub(super) struct Fact {
    /// Which predicates hold, over the cells before and after.
    pub(super) cube: Cube,
    pub(super) formula: Term,
    /// What happens in its calls, by their numbers.
    pub(super) calls: Vec<(usize, FactId)>,
}

/// All facts that were derived, and not dropped since.
#[derive(Debug, Default)]
pub(super) struct Facts {
    all: BTreeMap<FactId, (Key, Fact)>,
    by_key: BTreeMap<Key, BTreeSet<FactId>>,
    next: u32,
}

impl Facts {
    pub(super) fn add(&mut self, key: Key, fact: Fact) -> FactId {
        let id = FactId(self.next);
        self.next += 1;
        self.all.insert(id, (key, fact));
        self.by_key.entry(key).or_default().insert(id);
        id
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// A fact, and what it is about.
    pub(super) fn get(&self, fact: FactId) -> (Key, &Fact) {
        let (key, fact) = &self.all[&fact];
        (*key, fact)
    }

    /// The facts about one end of a procedure, oldest first.
    pub(super) fn about(&self, key: Key) -> impl Iterator<Item = (FactId, &Fact)> {
        self.by_key.get(&key).into_iter().flatten().map(|id| (*id, &self.all[id].1))
    }

    /// Drops the facts about some ends and all that were derived from them, directly or not. What the latter are about.
    pub(super) fn forget(&mut self, ends: &BTreeSet<Key>) -> BTreeSet<Key> {
        let mut gone = BTreeSet::new();
        let mut touched = BTreeSet::new();
        for (&id, (key, fact)) in &self.all {
            if ends.contains(key) || fact.calls.iter().any(|(_, inner)| gone.contains(inner)) {
                gone.insert(id);
                touched.insert(*key);
            }
        }
        self.all.retain(|id, _| !gone.contains(id));
        for facts in self.by_key.values_mut() {
            facts.retain(|id| !gone.contains(id));
        }
        touched
    }
}

#[cfg(test)]
mod tests {
    use rorqual_cfa::{FunctionId, Id};
    use rorqual_encoding::Procedure;
    use rorqual_logic::TermPool;

    use super::super::End;
    use super::*;

    fn fails(function: usize) -> Key {
        (Procedure { function: FunctionId::new(function), head: None }, End::Fails)
    }

    fn fact(calls: &[FactId]) -> Fact {
        let calls = calls.iter().enumerate().map(|(number, &inner)| (number, inner)).collect();
        Fact { cube: Cube::new(), formula: TermPool::new().top(), calls }
    }

    #[test]
    fn only_what_was_derived_from_dropped_facts_goes_with_them() {
        let mut facts = Facts::default();
        let (inner, other, outer, main) = (fails(0), fails(1), fails(2), fails(3));
        let first = facts.add(inner, fact(&[]));
        let beside = facts.add(other, fact(&[]));
        let above = facts.add(outer, fact(&[first]));
        let stays = facts.add(outer, fact(&[beside]));
        let root = facts.add(main, fact(&[beside, above]));
        assert_eq!(facts.get(root).0, main);
        assert_eq!(facts.forget(&BTreeSet::from([inner])), BTreeSet::from([inner, outer, main]));
        let left = |key| facts.about(key).map(|(id, _)| id).collect::<Vec<FactId>>();
        assert_eq!((left(inner), left(main)), (Vec::new(), Vec::new()));
        assert_eq!((left(other), left(outer)), (vec![beside], vec![stays]));
        // Numbers are not used again, or younger facts would look derived from what is gone.
        assert!(facts.add(inner, fact(&[])) > root);
    }
}
