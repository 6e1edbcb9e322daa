//! The record of clauses from which a refutation is cut out.

use std::collections::{BTreeMap, BTreeSet};

use super::{ClausalRefutation, Evidence, Lemma};
use crate::proof::{ClauseId, DerivedClause, Literal, Origin, OriginalClause, Part, Proof};
use crate::theory::linear::Constraint;

/// The position of a clause in the log; later clauses follow from earlier ones.
pub(super) type Entry = usize;

enum Source {
    Part(Part),
    Lemma(Evidence),
    /// In LRAT order.
    Derived(Vec<Entry>),
}

#[derive(Default)]
pub(super) struct Log {
    entries: Vec<(Vec<Literal>, Source)>,
}

impl Log {
    pub(super) fn given(&mut self, literals: Vec<Literal>, part: Part) -> Entry {
        self.push(literals, Source::Part(part))
    }

    pub(super) fn lemma(&mut self, literals: Vec<Literal>, evidence: Evidence) -> Entry {
        self.push(literals, Source::Lemma(evidence))
    }

    pub(super) fn derived(&mut self, literals: Vec<Literal>, antecedents: Vec<Entry>) -> Entry {
        self.push(literals, Source::Derived(antecedents))
    }

    fn push(&mut self, literals: Vec<Literal>, source: Source) -> Entry {
        self.entries.push((literals, source));
        self.entries.len() - 1
    }

    /// The refutation that ends with the empty clause `last`. `first_split` and greater variables come
    /// from splits.
    pub(super) fn refutation(
        self,
        last: Entry,
        atoms: &BTreeMap<i32, Constraint>,
        first_split: i32,
    ) -> ClausalRefutation {
        let needed = self.needed(last);
        let mut proof = Proof::default();
        let mut lemmas = Vec::new();
        let mut numbers: BTreeMap<Entry, ClauseId> = BTreeMap::new();
        let is_derived = |entry: Entry| matches!(self.entries[entry].1, Source::Derived(_));
        let (derived, original): (Vec<Entry>, Vec<Entry>) =
            needed.iter().copied().partition(|&entry| is_derived(entry));
        for (number, &entry) in original.iter().chain(&derived).enumerate() {
            numbers.insert(entry, ClauseId(number as u64 + 1));
        }
        let mut variables = BTreeSet::new();
        for (entry, (literals, source)) in self.entries.into_iter().enumerate() {
            let Some(&id) = numbers.get(&entry) else {
                continue;
            };
            variables.extend(literals.iter().map(|literal| literal.abs()));
            let origin = match source {
                Source::Derived(antecedents) => {
                    let antecedents = antecedents.iter().map(|entry| numbers[entry]).collect();
                    proof.derived.push(DerivedClause { id, literals, antecedents });
                    continue;
                }
                Source::Part(part) => Origin::Part(part),
                Source::Lemma(evidence) => {
                    lemmas.push(Lemma { literals: literals.clone(), evidence });
                    Origin::Lemma(lemmas.len() - 1)
                }
            };
            proof.originals.push(OriginalClause { id, literals, origin });
        }
        let atoms: BTreeMap<i32, Constraint> =
            variables.iter().filter_map(|variable| Some((*variable, atoms.get(variable)?.clone()))).collect();
        let splits = variables.range(first_split..).copied().collect();
        ClausalRefutation { proof, lemmas, atoms, splits }
    }

    fn needed(&self, last: Entry) -> BTreeSet<Entry> {
        let mut needed = BTreeSet::from([last]);
        for entry in (0..=last).rev() {
            if let (true, Source::Derived(antecedents)) = (needed.contains(&entry), &self.entries[entry].1) {
                needed.extend(antecedents);
            }
        }
        needed
    }
}
