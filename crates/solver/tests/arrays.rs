//! Arrays and functions against the oracle, at widths where it can try all contents.

mod support;

use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, GaveUp, Limits, Scopes};
use support::judged::judged;
use support::oracle::Oracle;
use support::random::{Family, Terms};

fn terms(pool: &mut TermPool, seed: u64) -> Terms {
    let width = 1 + (seed % 2) as u32;
    let mut terms = Terms::new(pool, seed, Family::Bitwise, width, 2);
    let sort = Sort::BitVec(width);
    // At width 2 an array has 8 bits: one array or function, or none of the other.
    let (arrays, functions) = match (width, seed / 2 % 3) {
        (1, 0) => (3, 0),
        (1, 1) => (2, 2),
        (1, _) => (0, 3),
        (_, 2) => (0, 1),
        _ => (1, 0),
    };
    let array = Sort::Array { index: width, element: width };
    terms.arrays = (0..arrays).map(|at| pool.symbol(&format!("a{at}"), array)).collect();
    terms.functions = (0..functions).map(|at| pool.function(&format!("f{at}"), &[sort], sort)).collect();
    terms
}

#[test]
fn arrays_and_functions_agree_with_the_oracle() {
    let mut counts = [0, 0];
    for batch in 0..300u64 {
        let mut pool = TermPool::new();
        let mut terms = terms(&mut pool, batch);
        let mut solver = BitVecSolver::new();
        for at in 0..20 {
            let atoms = 1 + terms.random.below(4);
            let query: Vec<Term> = (0..atoms).map(|_| terms.formula(&mut pool, 0, 3)).collect();
            let expected = Oracle::new(&pool, &query).is_satisfiable();
            counts[usize::from(expected)] += 1;
            match solver.check(&mut pool, &query, &Limits::none()) {
                Answer::Sat(model) => {
                    assert!(expected, "batch {batch}, {at}: a model of a contradiction");
                    let holds = query.iter().all(|&formula| model.satisfies(&pool, formula));
                    assert!(holds, "batch {batch}, {at}: no model");
                }
                Answer::Unsat(core) => {
                    assert!(!expected, "batch {batch}, {at}: a model is missed");
                    let is_core = !Oracle::new(&pool, core.assumptions()).is_satisfiable();
                    assert!(is_core, "batch {batch}, {at}: not a core");
                }
                Answer::Unknown(reason) => panic!("batch {batch}, {at}: {reason}"),
            }
        }
    }
    assert!(counts[0] > 500 && counts[1] > 500, "{counts:?}");
}

/// Refutes random parts against the oracle; answers how many refutations there were, and how many problems
/// mix parts.
fn refute_random(seeds: std::ops::Range<u64>, most: usize, scopes: Scopes<'_>) -> (usize, usize) {
    let (mut refuted, mut mixed) = (0, 0);
    for seed in seeds {
        let mut pool = TermPool::new();
        let mut terms = terms(&mut pool, seed);
        let count = 2 + terms.random.below(most - 1);
        let parts: Vec<Term> = (0..count).map(|_| terms.formula(&mut pool, 0, 2)).collect();
        match judged(&mut pool, &parts, scopes, seed) {
            Ok(refutation) => refuted += usize::from(refutation.is_some()),
            Err(reason) => {
                assert_eq!(reason, GaveUp::MixedParts, "seed {seed}");
                mixed += 1;
            }
        }
    }
    (refuted, mixed)
}

#[test]
fn refutations_of_arrays_and_functions_check_or_say_that_parts_mix() {
    let (refuted, mixed) = refute_random(0..3000, 4, Scopes::Own);
    assert!(refuted > 300 && mixed < refuted, "{refuted} refuted, {mixed} mixed");
}

#[test]
fn with_landmarks_two_parts_are_always_refuted() {
    let (refuted, mixed) = refute_random(3000..6000, 2, Scopes::Landmarks);
    assert!(refuted > 100, "{refuted} refuted");
    assert_eq!(mixed, 0);
}

#[test]
fn a_constant_array_of_many_elements_is_not_spelled_out() {
    let mut pool = TermPool::new();
    let sort = Sort::Array { index: 32, element: 8 };
    let (a, b) = (pool.symbol("a", sort), pool.symbol("b", sort));
    let seven = pool.bv(7u8, 8);
    let sevens = pool.const_array(32, seven);
    let (i, j) = (pool.symbol("i", Sort::BitVec(32)), pool.symbol("j", Sort::BitVec(32)));
    let written = pool.store(b, i, seven);
    let query = [pool.eq(a, sevens), pool.eq(a, written)];
    let mut solver = BitVecSolver::new();
    let model = solver.check(&mut pool, &query, &Limits::none()).model().expect("a model");
    assert!(query.iter().all(|&formula| model.satisfies(&pool, formula)));
    let read = pool.select(b, j);
    let differs = pool.ne(read, seven);
    let other = pool.ne(i, j);
    let query = [query[0], query[1], differs, other];
    assert!(solver.check(&mut pool, &query, &Limits::none()).is_unsat());
}
