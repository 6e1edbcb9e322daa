//! Bit-vectors, arrays and functions: random unsatisfiable partitions with the solver's proofs.

use rorqual_logic::{FunctionSymbol, Sort, Term, TermPool};
use rorqual_solver::{Limits, refute};

use super::kinds::{Partition, verify_all_kinds};
use super::{Random, for_seeds, partitions};

/// What a part may speak about.
pub(super) struct Window {
    pub(super) vectors: Vec<Term>,
    pub(super) arrays: Vec<Term>,
    pub(super) functions: Vec<FunctionSymbol>,
}

/// Three to six parts over vectors of two to eight bits that contradict each other. Neighbours share
/// symbols, and so do some parts that are far from each other.
pub(super) fn random_partition(random: &mut Random) -> Partition {
    loop {
        let mut pool = TermPool::new();
        let width = 2 + random.below(7) as u32;
        let count = 3 + random.below(4);
        let symbols: Vec<Term> =
            (0..=count).map(|at| pool.symbol(&format!("x{at}"), Sort::BitVec(width))).collect();
        let mut parts = Vec::new();
        for part in 0..count {
            let mut vectors = vec![symbols[part], symbols[part + 1]];
            vectors.push(symbols[random.below(symbols.len())]);
            vectors.push(pool.symbol(&format!("local{part}"), Sort::BitVec(width)));
            let window = Window { vectors, arrays: Vec::new(), functions: Vec::new() };
            parts.push(random_part(&mut pool, random, &window));
        }
        if let Some(refutation) = refute(&mut pool, &parts, &Limits::none()).refutation() {
            return Partition { pool, parts, proof: refutation.into_proof() };
        }
    }
}

/// Two to four formulas.
pub(super) fn random_part(pool: &mut TermPool, random: &mut Random, window: &Window) -> Term {
    let conjuncts: Vec<Term> =
        (0..2 + random.below(3)).map(|_| random_formula(pool, random, window)).collect();
    pool.and(&conjuncts)
}

fn random_formula(pool: &mut TermPool, random: &mut Random, window: &Window) -> Term {
    if random.below(4) == 0 {
        let (lhs, rhs) = (random_atom(pool, random, window), random_atom(pool, random, window));
        return pool.or2(lhs, rhs);
    }
    random_atom(pool, random, window)
}

fn random_atom(pool: &mut TermPool, random: &mut Random, window: &Window) -> Term {
    if !window.arrays.is_empty() && random.below(3) == 0 {
        return random_write(pool, random, window);
    }
    let (lhs, rhs) = (random_term(pool, random, window, 2), random_term(pool, random, window, 1));
    match random.below(6) {
        0..3 => pool.eq(lhs, rhs),
        3 => pool.bv_ult(lhs, rhs),
        4 => pool.bv_sle(lhs, rhs),
        _ => pool.ne(lhs, rhs),
    }
}

/// An array is another one, mostly with a write; or it is not.
fn random_write(pool: &mut TermPool, random: &mut Random, window: &Window) -> Term {
    let [from, to] = [(); 2].map(|()| window.arrays[random.below(window.arrays.len())]);
    let (index, value) = (random_term(pool, random, window, 0), random_term(pool, random, window, 1));
    let written = if random.below(6) == 0 { from } else { pool.store(from, index, value) };
    if random.below(8) == 0 { pool.ne(to, written) } else { pool.eq(to, written) }
}

fn random_term(pool: &mut TermPool, random: &mut Random, window: &Window, depth: usize) -> Term {
    let width = pool.width(window.vectors[0]);
    if depth == 0 || random.below(3) == 0 {
        if random.below(3) == 0 {
            return pool.bv(random.below(1 << width), width);
        }
        return window.vectors[random.below(window.vectors.len())];
    }
    let lhs = random_term(pool, random, window, depth - 1);
    if !window.arrays.is_empty() && random.below(2) == 0 {
        let array = window.arrays[random.below(window.arrays.len())];
        return pool.select(array, lhs);
    }
    if !window.functions.is_empty() && random.below(2) == 0 {
        return pool.apply(window.functions[random.below(window.functions.len())], &[lhs]);
    }
    let rhs = random_term(pool, random, window, depth - 1);
    match random.below(8) {
        0 | 1 => pool.bv_add(lhs, rhs),
        2 => pool.bv_sub(lhs, rhs),
        3 => pool.bv_mul(lhs, rhs),
        4 => pool.bv_and(lhs, rhs),
        5 => pool.bv_xor(lhs, rhs),
        6 => pool.bv_shl(lhs, rhs),
        _ => pool.bv_urem(lhs, rhs),
    }
}

#[test]
fn random_partitions_of_vectors_verify() {
    for_seeds(11, partitions(5000), |seed, random| {
        let mut partition = random_partition(random);
        verify_all_kinds(&mut partition, random, seed);
    });
}
