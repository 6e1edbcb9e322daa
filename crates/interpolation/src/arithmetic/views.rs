//! Whether symbols are better read as signed or as unsigned numbers.

use std::collections::HashMap;

use rorqual_logic::{Op, Term, TermPool};

use super::table::View;

/// The view of each symbol: what most comparisons use that the symbol, or one that an equation connects it
/// with, takes part in. Signed if they are even.
pub(super) fn views(pool: &TermPool, parts: &[Term]) -> HashMap<Term, View> {
    let mut classes = Classes::default();
    let mut votes: Vec<(Term, i64)> = Vec::new();
    for term in pool.subterms(parts) {
        let vote = match pool.op(term) {
            Op::BvUlt | Op::BvUle => -1,
            Op::BvSlt | Op::BvSle => 1,
            Op::Eq => 0,
            _ => continue,
        };
        let symbols: Vec<Term> = pool
            .free_variables(term)
            .into_iter()
            .filter(|&symbol| pool.sort(symbol).width().is_some())
            .collect();
        for &symbol in &symbols {
            votes.push((symbol, vote));
        }
        if *pool.op(term) == Op::Eq {
            for pair in symbols.windows(2) {
                classes.join(pair[0], pair[1]);
            }
        }
    }
    let mut sums: HashMap<Term, i64> = HashMap::new();
    for &(symbol, vote) in &votes {
        *sums.entry(classes.find(symbol)).or_default() += vote;
    }
    let view = |sum: i64| if sum < 0 { View::Unsigned } else { View::Signed };
    votes.iter().map(|&(symbol, _)| (symbol, view(sums[&classes.find(symbol)]))).collect()
}

/// Union-find over symbols.
#[derive(Default)]
struct Classes {
    parents: HashMap<Term, Term>,
}

impl Classes {
    fn find(&self, mut symbol: Term) -> Term {
        while let Some(&parent) = self.parents.get(&symbol) {
            symbol = parent;
        }
        symbol
    }

    fn join(&mut self, one: Term, other: Term) {
        let (one, other) = (self.find(one), self.find(other));
        if one != other {
            self.parents.insert(one.max(other), one.min(other));
        }
    }
}
