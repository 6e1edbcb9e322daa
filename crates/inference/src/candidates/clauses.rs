//! Clauses: which facts say no more than others.

use std::collections::BTreeSet;

use rorqual_logic::{Op, Term, TermPool};

/// The literals of which one holds if a formula does.
fn literals(pool: &mut TermPool, formula: Term) -> BTreeSet<Term> {
    let disjuncts = match pool.op(formula) {
        Op::Or => pool.arguments(formula).to_vec(),
        _ => vec![formula],
    };
    let mut literals = BTreeSet::new();
    for disjunct in disjuncts {
        let inner =
            pool.arguments(disjunct).first().copied().filter(|_| matches!(pool.op(disjunct), Op::Not));
        match inner.filter(|&inner| matches!(pool.op(inner), Op::And)) {
            Some(inner) => {
                let conjuncts = pool.arguments(inner).to_vec();
                literals.extend(conjuncts.into_iter().map(|conjunct| pool.not(conjunct)));
            }
            None => drop(literals.insert(disjunct)),
        }
    }
    literals
}

/// The formulas without those that have all literals of another one, or of one that is known.
pub(crate) fn strongest(pool: &mut TermPool, formulas: &[Term], known: &[Term]) -> Vec<Term> {
    let mut clauses: Vec<(BTreeSet<Term>, Option<Term>)> =
        known.iter().map(|&formula| (literals(pool, formula), None)).collect();
    clauses.extend(formulas.iter().map(|&formula| (literals(pool, formula), Some(formula))));
    clauses.sort_by_key(|(literals, formula)| (literals.len(), *formula));
    let mut kept: Vec<(BTreeSet<Term>, Option<Term>)> = Vec::new();
    for (literals, formula) in clauses {
        if kept.iter().all(|(other, _)| !other.is_subset(&literals)) {
            kept.push((literals, formula));
        }
    }
    kept.into_iter().filter_map(|(_, formula)| formula).collect()
}

#[cfg(test)]
mod tests {
    use rorqual_logic::Sort;

    use super::*;

    #[test]
    fn weaker_formulas_are_left_out() {
        let mut pool = TermPool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, Sort::Bool));
        let both = pool.and2(a, b);
        let unless_both = pool.implies(both, c);
        let unless_a = pool.implies(a, c);
        let other = pool.or2(a, c);
        assert_eq!(strongest(&mut pool, &[unless_both, unless_a, other], &[]), [unless_a, other]);
        assert_eq!(strongest(&mut pool, &[unless_both, unless_a, other], &[c]), []);
        assert_eq!(strongest(&mut pool, &[unless_both], &[other]), [unless_both]);
    }
}
