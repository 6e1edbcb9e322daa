//! Refutations and models that the oracle has judged.

use rorqual_logic::{Term, TermPool};
use rorqual_solver::{Answer, GaveUp, Limits, Refutation, Scopes, proof, refute_within};

use super::oracle::Oracle;
use super::random::{Family, Terms};

/// Refutes parts: `None` if they have a model. Models, proofs and cores are checked.
pub fn judged(
    pool: &mut TermPool,
    parts: &[Term],
    scopes: Scopes<'_>,
    seed: u64,
) -> Result<Option<Refutation>, GaveUp> {
    let expected = Oracle::new(pool, parts).is_satisfiable();
    match refute_within(pool, parts, scopes, &Limits::none()) {
        Answer::Sat(model) => {
            assert!(expected, "seed {seed}: a model of a contradiction");
            assert!(parts.iter().all(|&part| model.satisfies(pool, part)), "seed {seed}: no model");
            Ok(None)
        }
        Answer::Unsat(refutation) => {
            assert!(!expected, "seed {seed}: a model is missed");
            assert_eq!(proof::check(refutation.proof()), Ok(()), "seed {seed}");
            let core: Vec<Term> = refutation.core().iter().map(|part| parts[part.0 as usize]).collect();
            assert!(!Oracle::new(pool, &core).is_satisfiable(), "seed {seed}: not a core");
            Ok(Some(refutation))
        }
        Answer::Unknown(reason) => Err(reason),
    }
}

/// Random contradictions of bit-vectors in parts, with their proofs.
pub fn refuted(seeds: std::ops::Range<u64>) -> Vec<(TermPool, Vec<Term>, proof::Proof)> {
    let mut refuted = Vec::new();
    for seed in seeds {
        let mut pool = TermPool::new();
        let width = 2 + (seed % 3) as u32;
        let mut terms = Terms::new(&mut pool, seed, Family::All, width, 3);
        let count = 2 + terms.random.below(4);
        let parts: Vec<Term> = (0..count).map(|_| terms.formula(&mut pool, 1, 2)).collect();
        match judged(&mut pool, &parts, Scopes::Own, seed) {
            Ok(Some(refutation)) => refuted.push((pool, parts, refutation.into_proof())),
            Ok(None) => {}
            Err(reason) => panic!("seed {seed}: {reason}"),
        }
    }
    refuted
}
