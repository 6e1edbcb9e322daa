//! Arrays and functions: random unsatisfiable partitions, for every goal of the chooser. Parts share arrays
//! and functions, so that many axioms are needed over names of several parts.

use std::sync::atomic::{AtomicUsize, Ordering};

use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::theory::clausal::Budget;
use rorqual_solver::{Answer, BitVecSolver, Limits};

use super::vectors::{Window, random_part};
use super::{Random, for_seeds, partitions, random_tree};
use crate::strategy::{Chooser, Configuration, Goal, Outcome};

/// Two to four parts over arrays in versions, a function, and vectors of one to three bits.
fn random_parts(random: &mut Random) -> (TermPool, Vec<Term>) {
    loop {
        let mut pool = TermPool::new();
        let width = 1 + random.below(3) as u32;
        let count = 2 + random.below(3);
        let sort = Sort::Array { index: width, element: width };
        let arrays: Vec<Term> = (0..=count).map(|at| pool.symbol(&format!("m{at}"), sort)).collect();
        let vector = Sort::BitVec(width);
        let shared = pool.symbol("shared", vector);
        let functions = vec![pool.function("f", &[vector], vector)];
        let mixes = random.flip();
        let mut parts = Vec::new();
        for part in 0..count {
            let local = pool.symbol(&format!("local{part}"), vector);
            let near = pool.symbol(&format!("near{}", part / 2), vector);
            // Where parts share few vectors and all arrays, axioms connect what no part has all of.
            let (vectors, arrays) = if mixes {
                (vec![local, local, near], arrays[..2].to_vec())
            } else {
                (vec![shared, near, local], arrays[part..part + 2].to_vec())
            };
            let window = Window { vectors, arrays, functions: functions.clone() };
            parts.push(random_part(&mut pool, random, &window));
        }
        if let Answer::Unsat(_) = BitVecSolver::new().check(&mut pool, &parts, &Limits::none()) {
            return (pool, parts);
        }
    }
}

/// Little work for strategies other than the bit-level one: what is tested is the way to it and back.
fn configuration() -> Configuration {
    let arithmetic = Budget { conflicts: 20, splits: 2, pivots: 100 };
    Configuration { simplification: 0, arithmetic, ..Configuration::default() }
}

#[test]
fn random_partitions_of_memory_verify() {
    let (interpolated, not_expressible) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let configuration = configuration();
    for_seeds(31, partitions(5000), |seed, random| {
        let (mut pool, parts) = random_parts(random);
        let (one, other) = parts.split_at(1 + random.below(parts.len() - 1));
        let sides = vec![pool.and(one), pool.and(other)];
        let tree = random_tree(random, parts.len());
        let goals = [
            (&sides, Goal::Sequence),
            (&parts, Goal::Sequence),
            (&parts, Goal::Tree(tree)),
            (&parts, Goal::StateTransition),
        ];
        for (parts, goal) in goals {
            // The chooser verifies what it answers.
            match Chooser::new(&configuration, &mut ()).interpolate(&mut pool, parts, &goal) {
                Outcome::Interpolated(_) => interpolated.fetch_add(1, Ordering::Relaxed),
                Outcome::NotExpressible => not_expressible.fetch_add(1, Ordering::Relaxed),
                outcome => panic!("seed {seed}, {goal:?}: {outcome:?}"),
            };
        }
    });
    let (interpolated, not_expressible) = (interpolated.into_inner(), not_expressible.into_inner());
    println!("{interpolated} interpolated, {not_expressible} not expressible");
    assert!(not_expressible * 50 <= interpolated, "{interpolated}, {not_expressible}");
}

/// One write changes one element. To say so between the sides takes a quantifier, or all indices.
#[test]
fn what_needs_a_quantifier_is_said_to_be_not_expressible() {
    let mut pool = TermPool::new();
    let sort = Sort::Array { index: 32, element: 32 };
    let [before, after] = ["before", "after"].map(|name| pool.symbol(name, sort));
    let [i, j, k, value] = ["i", "j", "k", "value"].map(|name| pool.symbol(name, Sort::BitVec(32)));
    let written = pool.store(before, i, value);
    let write = pool.eq(after, written);
    let mut conjuncts = vec![pool.ne(j, k)];
    for index in [j, k] {
        let (old, new) = (pool.select(before, index), pool.select(after, index));
        conjuncts.push(pool.ne(old, new));
    }
    let parts = [write, pool.and(&conjuncts)];
    let outcome = Chooser::new(&configuration(), &mut ()).interpolate(&mut pool, &parts, &Goal::Sequence);
    assert!(matches!(outcome, Outcome::NotExpressible), "{outcome:?}");
}
