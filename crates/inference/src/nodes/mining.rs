//! Clauses that hold in all of some observations, and none of whose literals can be left out.

use std::collections::BTreeSet;

/// A literal: an atom by its number, and whether it is to hold.
pub(crate) type Literal = (usize, bool);

/// A clause, with its literals in order.
pub(crate) type Clause = BTreeSet<Literal>;

/// What was observed: for each observation, whether each atom holds.
#[derive(Debug, Default)]
pub(crate) struct Observations {
    atoms: usize,
    /// Pairs of atoms that never hold both.
    exclusive: BTreeSet<(usize, usize)>,
    all: BTreeSet<Vec<bool>>,
}

impl Observations {
    pub(crate) fn new(atoms: usize, exclusive: BTreeSet<(usize, usize)>) -> Observations {
        Observations { atoms, exclusive, all: BTreeSet::new() }
    }

    pub(crate) fn add(&mut self, observation: Vec<bool>) {
        debug_assert_eq!(observation.len(), self.atoms, "all atoms are observed");
        self.all.insert(observation);
    }

    /// How many different ones there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The clauses of at most `longest` literals that hold in all observations, without those that have all literals of
    /// another one or of a known one; at most `most`, short ones first. Those that are refuted count as if they did not hold.
    pub(crate) fn clauses(
        &self,
        longest: usize,
        most: usize,
        known: &BTreeSet<Clause>,
        refuted: &BTreeSet<Clause>,
    ) -> Vec<Clause> {
        let literals: Vec<(Literal, Vec<bool>)> = (0..self.atoms)
            .flat_map(|atom| [(atom, true), (atom, false)])
            .map(|one| (one, self.truths(one)))
            .collect();
        let mut found: Vec<Clause> = Vec::new();
        let mut open: Vec<(Clause, Vec<bool>, usize)> = vec![(Clause::new(), vec![false; self.all.len()], 0)];
        for _ in 0..longest {
            let mut longer = Vec::new();
            for (clause, truths, from) in open {
                for (at, (literal, own)) in literals.iter().enumerate().skip(from) {
                    if clause.iter().any(|&other| self.are_redundant(other, *literal)) {
                        continue;
                    }
                    let mut clause = clause.clone();
                    clause.insert(*literal);
                    if found.iter().chain(known).any(|shorter| shorter.is_subset(&clause)) {
                        continue;
                    }
                    let truths: Vec<bool> =
                        truths.iter().zip(own).map(|(&one, &other)| one || other).collect();
                    if truths.iter().all(|&holds| holds) && !refuted.contains(&clause) {
                        found.push(clause);
                        if found.len() >= most {
                            return found;
                        }
                    } else {
                        longer.push((clause, truths, at + 1));
                    }
                }
            }
            open = longer;
        }
        found
    }

    /// Whether no clause needs both literals: one of them always holds, or one implies the other.
    fn are_redundant(&self, (one, positive): Literal, (other, likewise): Literal) -> bool {
        let are_exclusive = self.exclusive.contains(&(one, other)) || self.exclusive.contains(&(other, one));
        one == other || (are_exclusive && !(positive && likewise))
    }

    fn truths(&self, (atom, holds): Literal) -> Vec<bool> {
        self.all.iter().map(|observation| observation[atom] == holds).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_the_shortest_that_hold() {
        let mut observations = Observations::new(3, BTreeSet::new());
        observations.add(vec![true, false, true]);
        observations.add(vec![false, true, true]);
        let clause = |literals: &[Literal]| literals.iter().copied().collect::<Clause>();
        let one_or_other = [clause(&[(0, true), (1, true)]), clause(&[(0, false), (1, false)])];
        let third = clause(&[(2, true)]);
        let none = BTreeSet::new();
        let mut found = observations.clauses(2, 100, &none, &none);
        found.sort();
        let mut expected = vec![third.clone(), one_or_other[0].clone(), one_or_other[1].clone()];
        expected.sort();
        assert_eq!(found, expected);
        // What turned out to be wrong is weakened.
        let weaker = observations.clauses(2, 100, &none, &BTreeSet::from([third.clone()]));
        assert!(!weaker.contains(&third) && weaker.contains(&clause(&[(0, true), (2, true)])), "{weaker:?}");
        // What is known is not said again.
        let others = observations.clauses(2, 100, &BTreeSet::from([third]), &none);
        assert_eq!(others.len(), 2, "{others:?}");
    }
}
