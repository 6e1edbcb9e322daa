//! The terms that a query is about: an incremental solver has met many more.

use std::collections::HashSet;

use rorqual_logic::{Op, Term, TermPool};

use crate::blast::is_abstracted;
use crate::lemmas::Instances;

/// Subterms of a query that matter for models. All lists are sorted.
#[derive(Debug, Default)]
pub(crate) struct Cone {
    symbols: Vec<Term>,
    reads: Vec<Term>,
    applications: Vec<Term>,
    equalities: Vec<Term>,
    indices: Vec<Term>,
}

impl Cone {
    /// The cone of some terms, with the instances that give meaning to equalities in it.
    pub(crate) fn of(pool: &TermPool, roots: &[Term], instances: &Instances) -> Cone {
        let mut cone = Cone::default();
        let mut seen: HashSet<Term> = HashSet::new();
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            stack.extend_from_slice(pool.arguments(term));
            match pool.op(term) {
                Op::Symbol(_) => cone.symbols.push(term),
                Op::Apply(_) => cone.applications.push(term),
                Op::Select => {
                    cone.reads.push(term);
                    cone.indices.push(pool.arguments(term)[1]);
                }
                Op::Store => cone.indices.push(pool.arguments(term)[1]),
                Op::Eq if is_abstracted(pool, term) => {
                    cone.equalities.push(term);
                    stack.extend_from_slice(instances.of(term));
                }
                _ => {}
            }
        }
        for list in [
            &mut cone.symbols,
            &mut cone.reads,
            &mut cone.applications,
            &mut cone.equalities,
            &mut cone.indices,
        ] {
            list.sort_unstable();
            list.dedup();
        }
        cone
    }

    /// Variables of all sorts.
    pub(crate) fn symbols(&self) -> &[Term] {
        &self.symbols
    }

    /// Elements of arrays.
    pub(crate) fn reads(&self) -> &[Term] {
        &self.reads
    }

    /// Applications of functions.
    pub(crate) fn applications(&self) -> &[Term] {
        &self.applications
    }

    /// Equalities of arrays.
    pub(crate) fn equalities(&self) -> &[Term] {
        &self.equalities
    }

    /// Indices of reads and writes.
    pub(crate) fn indices(&self) -> &[Term] {
        &self.indices
    }

    /// All terms that may be leaves.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = Term> {
        [&self.symbols, &self.reads, &self.applications, &self.equalities].into_iter().flatten().copied()
    }
}
