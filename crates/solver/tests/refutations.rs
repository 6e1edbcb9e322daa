//! Refutations: every proof is accepted by the checker, every spoiled one is rejected.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::proof::{ClauseId, Origin, Part, Proof, ProofError, check};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits, refute};
use support::oracle::Oracle;
use support::random::{Family, Terms};

/// Random contradictions in parts, with their proofs.
fn refuted(seeds: std::ops::Range<u64>) -> Vec<(TermPool, Vec<Term>, Proof)> {
    let mut refuted = Vec::new();
    for seed in seeds {
        let mut pool = TermPool::new();
        let width = 2 + (seed % 3) as u32;
        let mut terms = Terms::new(&mut pool, seed, Family::All, width, 3);
        let count = 2 + terms.random.below(4);
        let parts: Vec<Term> = (0..count).map(|_| terms.formula(&mut pool, 1, 2)).collect();
        let expected = Oracle::new(&pool, &parts).is_satisfiable();
        match refute(&mut pool, &parts, &Limits::none()) {
            Answer::Sat(model) => {
                assert!(expected, "seed {seed}: a model of a contradiction");
                assert!(parts.iter().all(|&part| model.satisfies(&pool, part)), "seed {seed}: no model");
            }
            Answer::Unsat(refutation) => {
                assert!(!expected, "seed {seed}: a model is missed");
                let core: Vec<Term> = refutation.core().iter().map(|part| parts[part.0 as usize]).collect();
                assert!(!Oracle::new(&pool, &core).is_satisfiable(), "seed {seed}: not a core");
                refuted.push((pool, parts, refutation.into_proof()));
            }
            Answer::Unknown(reason) => panic!("seed {seed}: {reason}"),
        }
    }
    refuted
}

#[test]
fn proofs_check_and_share_only_atoms() {
    let refuted = refuted(0..3000);
    assert!(refuted.len() > 300, "{} refutations", refuted.len());
    for (pool, parts, proof) in refuted {
        assert_eq!(check(&proof), Ok(()));
        let mut users: BTreeMap<i32, BTreeSet<Part>> = BTreeMap::new();
        for clause in &proof.originals {
            let Origin::Part(part) = clause.origin else { panic!("there are no lemmas here") };
            for literal in &clause.literals {
                users.entry(literal.abs()).or_default().insert(part);
            }
        }
        for (variable, users) in users {
            match proof.atoms.get(&variable) {
                Some(&atom) => {
                    let symbols = pool.free_symbols(atom);
                    for part in users {
                        assert!(symbols.is_subset(&pool.free_symbols(parts[part.0 as usize])));
                    }
                }
                None => assert_eq!(users.len(), 1, "gates belong to one part"),
            }
        }
    }
}

#[test]
fn spoiled_proofs_are_rejected() {
    for (_, _, proof) in refuted(0..400) {
        for at in 0..proof.derived.len() {
            for dropped in 0..proof.derived[at].literals.len() {
                let mut spoiled = proof.clone();
                spoiled.derived[at].literals.remove(dropped);
                assert!(check(&spoiled).is_err(), "a literal is missing");
            }
            for dropped in 0..proof.derived[at].antecedents.len() {
                let mut spoiled = proof.clone();
                spoiled.derived[at].antecedents.remove(dropped);
                assert!(check(&spoiled).is_err(), "an antecedent is missing");
            }
            let (clause, foreign) = (proof.derived[at].id, ClauseId(u64::MAX));
            let mut spoiled = proof.clone();
            spoiled.derived[at].antecedents[0] = foreign;
            assert_eq!(check(&spoiled), Err(ProofError::UnknownAntecedent { clause, antecedent: foreign }));
            spoiled.derived[at].antecedents[0] = clause;
            assert_eq!(check(&spoiled), Err(ProofError::UnknownAntecedent { clause, antecedent: clause }));
            let mut spoiled = proof.clone();
            spoiled.derived[at].id = proof.originals[0].id;
            assert!(check(&spoiled).is_err(), "a number is used twice");
            let mut spoiled = proof.clone();
            spoiled.derived[at].antecedents.push(proof.originals[0].id);
            assert_eq!(check(&spoiled), Err(ProofError::EarlyConflict(clause)));
        }
        let mut spoiled = proof.clone();
        spoiled.derived.pop();
        assert_eq!(check(&spoiled), Err(ProofError::NoEmptyClause));
        let mut spoiled = proof.clone();
        spoiled.originals.pop();
        assert!(check(&spoiled).is_err(), "an original clause is missing");
        if proof.derived.len() > 1 {
            let mut spoiled = proof.clone();
            spoiled.derived.reverse();
            assert!(check(&spoiled).is_err(), "clauses come before their antecedents");
        }
    }
    assert_eq!(check(&Proof::default()), Err(ProofError::NoEmptyClause));
}

#[test]
fn degenerate_partitions_are_decided() {
    let mut pool = TermPool::new();
    assert!(refute(&mut pool, &[], &Limits::none()).is_sat());
    let (top, bottom) = (pool.top(), pool.bottom());
    assert!(refute(&mut pool, &[top, top], &Limits::none()).is_sat());
    let refutation = refute(&mut pool, &[top, bottom], &Limits::none()).refutation().expect("a refutation");
    assert_eq!(check(refutation.proof()), Ok(()));
    assert_eq!(refutation.core(), [Part(1)]);
    let sum = pool.symbol("n", Sort::Int);
    let zero = pool.int(0);
    let integers = pool.int_le(sum, zero);
    let answer = refute(&mut pool, &[integers], &Limits::none());
    assert!(matches!(answer, Answer::Unknown(GaveUp::Unsupported(_))));
}

/// Distributivity: too hard for bits to prove within any of the limits.
fn hard(pool: &mut TermPool) -> Vec<Term> {
    let mut symbol = |name: &str| pool.symbol(name, Sort::BitVec(64));
    let (x, y, z) = (symbol("x"), symbol("y"), symbol("z"));
    let sum = pool.bv_add(x, y);
    let (product, first, second) = (pool.bv_mul(sum, z), pool.bv_mul(x, z), pool.bv_mul(y, z));
    let products = pool.bv_add(first, second);
    vec![pool.ne(product, products), pool.bv_ult(x, y)]
}

#[test]
fn limits_end_hard_queries() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;
    let mut pool = TermPool::new();
    let query = hard(&mut pool);
    // Raised beforehand, so that the answer does not depend on how fast the machine is.
    let flag = Arc::new(AtomicBool::new(true));
    let limits = [
        (Limits::none().with_conflicts(100), GaveUp::Conflicts),
        (Limits::none().with_duration(Duration::ZERO), GaveUp::Time),
        (Limits::none().with_memory(10_000), GaveUp::Memory),
        (Limits::none().with_cancellation(flag), GaveUp::Cancelled),
    ];
    for (limits, reason) in limits {
        let mut solver = BitVecSolver::new();
        assert_eq!(solver.check(&mut pool, &query, &limits), Answer::Unknown(reason.clone()));
        assert_eq!(refute(&mut pool, &query, &limits), Answer::Unknown(reason));
    }
}

#[test]
fn frames_of_assertions_are_dropped() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(8));
    let (three, four) = (pool.bv(3u8, 8), pool.bv(4u8, 8));
    let (is_three, is_four) = (pool.eq(x, three), pool.eq(x, four));
    let mut solver = BitVecSolver::new();
    solver.assert(is_three);
    assert!(solver.check(&mut pool, &[], &Limits::none()).is_sat());
    solver.push();
    solver.assert(is_four);
    let core = solver.check(&mut pool, &[], &Limits::none()).refutation().expect("a core");
    assert!(core.assumptions().is_empty());
    solver.pop();
    let model = solver.check(&mut pool, &[], &Limits::none()).model().expect("a model");
    assert_eq!(pool.constant(&model.value(&pool, x)), three);
    let core = solver.check(&mut pool, &[is_four], &Limits::none()).refutation().expect("a core");
    assert_eq!(core.assumptions(), [is_four]);
}
