//! The checker of proofs accepts every proof and rejects each way of spoiling one; proofs as text come back.

mod support;

use std::collections::BTreeMap;

use rorqual_solver::proof::{
    ClauseId, DerivedClause, Literal, Proof, ProofError, TextError, check, check_from, dimacs_text,
    lrat_text, parse_dimacs, parse_lrat,
};
use support::judged::refuted;

fn proofs(seeds: std::ops::Range<u64>) -> Vec<Proof> {
    refuted(seeds).into_iter().map(|(_, _, proof)| proof).collect()
}

/// The rules of LRAT in a few lines that share nothing with the checker.
fn is_accepted(proof: &Proof) -> bool {
    let mut known: BTreeMap<ClauseId, &[Literal]> = BTreeMap::new();
    for clause in &proof.originals {
        if known.insert(clause.id, &clause.literals).is_some() {
            return false;
        }
    }
    for clause in &proof.derived {
        let mut falsified: Vec<Literal> = clause.literals.clone();
        let mut open = true;
        for antecedent in &clause.antecedents {
            let Some(literals) = known.get(antecedent).filter(|_| open) else { return false };
            let rest: Vec<Literal> = literals.iter().copied().filter(|l| !falsified.contains(l)).collect();
            match rest.as_slice() {
                [] => open = false,
                &[unit] if !falsified.contains(&-unit) => falsified.push(-unit),
                _ => return false,
            }
        }
        if open || known.insert(clause.id, &clause.literals).is_some() {
            return false;
        }
    }
    proof.derived.last().is_some_and(|clause| clause.literals.is_empty())
}

/// Spoils each derived clause of each proof, in each of the ways that `spoil` gives.
fn assert_rejected(
    seeds: std::ops::Range<u64>,
    what: &str,
    spoil: impl Fn(&DerivedClause) -> Vec<DerivedClause>,
) {
    let mut count = 0;
    for proof in proofs(seeds) {
        for at in 0..proof.derived.len() {
            for clause in spoil(&proof.derived[at]) {
                let mut spoiled = proof.clone();
                spoiled.derived[at] = clause;
                assert!(check(&spoiled).is_err(), "{what}: {:?}", spoiled.derived[at]);
                count += 1;
            }
        }
    }
    assert!(count > 100, "{what}: {count} were spoiled");
}

#[test]
fn literals_that_are_dropped_or_added_are_noticed() {
    assert_rejected(0..150, "a literal is missing", |clause| {
        let without = |at| {
            let mut spoiled = clause.clone();
            spoiled.literals.remove(at);
            spoiled
        };
        (0..clause.literals.len()).map(without).collect()
    });
    assert_rejected(0..150, "a literal is new", |clause| {
        let mut spoiled = clause.clone();
        spoiled.literals.push(1_000_000);
        vec![spoiled]
    });
    assert_rejected(0..150, "a literal is not one", |clause| {
        [0, i32::MIN].map(|literal| DerivedClause { literals: vec![literal], ..clause.clone() }).to_vec()
    });
}

#[test]
fn antecedents_that_are_missing_foreign_or_superfluous_are_noticed() {
    assert_rejected(0..150, "an antecedent is missing", |clause| {
        let without = |at| {
            let mut spoiled = clause.clone();
            spoiled.antecedents.remove(at);
            spoiled
        };
        (0..clause.antecedents.len()).map(without).collect()
    });
    for proof in proofs(0..150) {
        for at in 0..proof.derived.len() {
            let clause = proof.derived[at].id;
            let last = proof.derived[proof.derived.len() - 1].id;
            // No clause at all, the clause itself, and one that comes later.
            for antecedent in [ClauseId(u64::MAX), clause, last] {
                let mut spoiled = proof.clone();
                spoiled.derived[at].antecedents[0] = antecedent;
                let unknown = ProofError::UnknownAntecedent { clause, antecedent };
                assert_eq!(check(&spoiled), Err(unknown));
            }
            let mut spoiled = proof.clone();
            spoiled.derived[at].antecedents.push(proof.originals[0].id);
            assert_eq!(check(&spoiled), Err(ProofError::EarlyConflict(clause)));
        }
    }
}

/// Some orders are as good as the one that was given; the reference says which.
#[test]
fn antecedents_in_a_wrong_order_are_noticed() {
    let (mut accepted, mut rejected) = (0, 0);
    for proof in proofs(0..150) {
        assert!(is_accepted(&proof));
        for at in 0..proof.derived.len() {
            for second in 1..proof.derived[at].antecedents.len() {
                let mut spoiled = proof.clone();
                spoiled.derived[at].antecedents.swap(0, second);
                let expected = is_accepted(&spoiled);
                assert_eq!(check(&spoiled).is_ok(), expected, "{:?}", spoiled.derived[at]);
                *if expected { &mut accepted } else { &mut rejected } += 1;
            }
        }
    }
    assert!(accepted > 100 && rejected > 100, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn wrong_numbers_and_missing_clauses_are_noticed() {
    for proof in proofs(0..150) {
        for at in 0..proof.derived.len() {
            let mut spoiled = proof.clone();
            spoiled.derived[at].id = proof.originals[0].id;
            assert!(check(&spoiled).is_err(), "a number is used twice");
            let mut spoiled = proof.clone();
            spoiled.derived.remove(at);
            assert!(check(&spoiled).is_err(), "a derived clause is missing");
        }
        for at in 0..proof.originals.len() {
            let mut spoiled = proof.clone();
            spoiled.originals.remove(at);
            assert!(check(&spoiled).is_err(), "an original clause is missing");
        }
        let mut spoiled = proof.clone();
        spoiled.derived.pop();
        assert_eq!(check(&spoiled), Err(ProofError::NoEmptyClause));
        if proof.derived.len() > 1 {
            let mut spoiled = proof.clone();
            spoiled.derived.reverse();
            assert!(check(&spoiled).is_err(), "clauses come before their antecedents");
        }
    }
    assert_eq!(check(&Proof::default()), Err(ProofError::NoEmptyClause));
}

#[test]
fn clauses_that_are_not_to_be_refuted_are_noticed() {
    for proof in proofs(0..150) {
        let clauses: Vec<Vec<Literal>> =
            proof.originals.iter().map(|clause| clause.literals.clone()).collect();
        assert_eq!(check_from(&proof, &clauses), Ok(()));
        for at in 0..clauses.len() {
            let mut fewer = clauses.clone();
            fewer.retain(|clause| *clause != clauses[at]);
            assert!(matches!(check_from(&proof, &fewer), Err(ProofError::ForeignClause(_))));
        }
    }
}

#[test]
fn proofs_come_back_from_text() {
    for proof in proofs(0..1000) {
        let (dimacs, lrat) = (dimacs_text(&proof), lrat_text(&proof));
        let clauses = parse_dimacs(&dimacs).expect("our own text");
        let parsed = parse_lrat(&clauses, &lrat).expect("our own text");
        assert_eq!(check_from(&parsed, &clauses), Ok(()));
        assert_eq!((dimacs_text(&parsed), lrat_text(&parsed)), (dimacs, lrat.clone()));
        let literals = |proof: &Proof| -> Vec<Vec<Literal>> {
            proof.derived.iter().map(|clause| clause.literals.clone()).collect()
        };
        assert_eq!(literals(&parsed), literals(&proof));
        let deletions = format!("{lrat}{} d 1 0\n", proof.originals.len() + proof.derived.len());
        assert_eq!(parse_lrat(&clauses, &deletions), Ok(parsed));
    }
}

#[test]
fn texts_that_are_no_proofs_are_noticed() {
    let flaw = |line, flaw| TextError { line, flaw };
    assert_eq!(parse_dimacs("p cnf 2 2\n1 2 0\n-1 0\n"), Ok(vec![vec![1, 2], vec![-1]]));
    let wrong = [
        ("c none\n1 2\n", flaw(2, "a clause does not end with 0")),
        ("1 x 0\n", flaw(1, "a literal is no number")),
        ("1 0 2 0\n", flaw(1, "something stands behind the clause")),
    ];
    for (text, flaw) in wrong {
        assert_eq!(parse_dimacs(text), Err(flaw));
    }
    let clauses = [vec![1], vec![-1]];
    let proof = parse_lrat(&clauses, "3 0 1 2 0\n").expect("a proof");
    assert_eq!(check(&proof), Ok(()));
    let wrong = [
        ("3 0 1 2\n", flaw(1, "the antecedents do not end with 0")),
        ("x 0 1 2 0\n", flaw(1, "a step starts with its number")),
        ("3 0 -1 2 0\n", flaw(1, "an antecedent is no clause number")),
        ("3 0 1 2 0 4\n", flaw(1, "something stands behind the antecedents")),
    ];
    for (text, flaw) in wrong {
        assert_eq!(parse_lrat(&clauses, text), Err(flaw));
    }
}
