//! Refutations: every proof is accepted by the checker, degenerate parts and limits.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::proof::{Origin, Part, check};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits, refute};
use support::judged::refuted;

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
