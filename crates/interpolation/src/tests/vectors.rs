//! Bit-vectors: interpolants of random unsatisfiable partitions from the solver's proofs.

use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::proof::Part;
use rorqual_solver::{Limits, Refutation, refute};

use super::{Random, partitions, random_tree};
use crate::propositional::NoLemmas;
use crate::{
    Arrangement, Interpolants, System, verify_binary, verify_sequence, verify_state_transition, verify_tree,
};

pub(super) struct Partition {
    pub(super) pool: TermPool,
    pub(super) parts: Vec<Term>,
    pub(super) refutation: Refutation,
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
            let mut window = vec![symbols[part], symbols[part + 1]];
            window.push(symbols[random.below(symbols.len())]);
            let local = pool.symbol(&format!("local{part}"), Sort::BitVec(width));
            window.push(local);
            let conjuncts: Vec<Term> =
                (0..2 + random.below(3)).map(|_| random_formula(&mut pool, random, &window)).collect();
            parts.push(pool.and(&conjuncts));
        }
        if let Some(refutation) = refute(&mut pool, &parts, &Limits::none()).refutation() {
            return Partition { pool, parts, refutation };
        }
    }
}

fn random_formula(pool: &mut TermPool, random: &mut Random, window: &[Term]) -> Term {
    if random.below(4) == 0 {
        let (lhs, rhs) = (random_atom(pool, random, window), random_atom(pool, random, window));
        return pool.or2(lhs, rhs);
    }
    random_atom(pool, random, window)
}

fn random_atom(pool: &mut TermPool, random: &mut Random, window: &[Term]) -> Term {
    let (lhs, rhs) = (random_term(pool, random, window, 2), random_term(pool, random, window, 1));
    match random.below(6) {
        0..3 => pool.eq(lhs, rhs),
        3 => pool.bv_ult(lhs, rhs),
        4 => pool.bv_sle(lhs, rhs),
        _ => pool.ne(lhs, rhs),
    }
}

fn random_term(pool: &mut TermPool, random: &mut Random, window: &[Term], depth: usize) -> Term {
    let width = pool.width(window[0]);
    if depth == 0 || random.below(3) == 0 {
        if random.below(3) == 0 {
            return pool.bv(random.below(1 << width), width);
        }
        return window[random.below(window.len())];
    }
    let lhs = random_term(pool, random, window, depth - 1);
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

fn for_random_partitions(seed: u64, mut check: impl FnMut(&mut Partition, &mut Random, System, &str)) {
    for number in 0..partitions(500) {
        let seed = seed * 1_000_000 + number as u64;
        let mut random = Random::new(seed);
        let mut partition = random_partition(&mut random);
        for system in System::ALL {
            check(&mut partition, &mut random, system, &format!("{system:?}, seed {seed}"));
        }
    }
}

#[test]
fn binary_interpolants_verify() {
    for_random_partitions(11, |partition, random, system, place| {
        let sides: Vec<bool> = partition.parts.iter().map(|_| random.flip()).collect();
        let in_a = |part: Part| sides[part.0 as usize];
        let mut interpolants =
            Interpolants::new(partition.refutation.proof(), system, NoLemmas).expect(place);
        let interpolant = interpolants.binary(&mut partition.pool, &in_a).expect(place);
        let side = |wanted: bool| {
            let of_side = partition.parts.iter().zip(&sides).filter(|&(_, &side)| side == wanted);
            of_side.map(|(&part, _)| part).collect::<Vec<Term>>()
        };
        let (a, b) = (side(true), side(false));
        verify_binary(&mut partition.pool, &a, &b, interpolant, &Limits::none()).expect(place);
    });
}

#[test]
fn sequences_verify() {
    for_random_partitions(12, |partition, random, system, place| {
        let count = 2 + random.below(partition.parts.len());
        let positions = partition.parts.iter().map(|_| random.below(count)).collect();
        let arrangement = Arrangement::new(positions, count);
        let parts = arrangement.conjunctions(&mut partition.pool, &partition.parts);
        let mut interpolants =
            Interpolants::new(partition.refutation.proof(), system, NoLemmas).expect(place);
        let sequence = interpolants.sequence(&mut partition.pool, &arrangement).expect(place);
        if super::keeps_symbols(&partition.pool, &partition.parts, &arrangement, &parts) {
            verify_sequence(&mut partition.pool, &parts, &sequence, &Limits::none()).expect(place);
        }
    });
}

#[test]
fn trees_verify() {
    for_random_partitions(13, |partition, random, system, place| {
        if system == System::DualMcMillan {
            return;
        }
        let count = partition.parts.len();
        let tree = random_tree(random, count);
        let arrangement = Arrangement::identity(count);
        let mut interpolants =
            Interpolants::new(partition.refutation.proof(), system, NoLemmas).expect(place);
        let formulas = interpolants.tree(&mut partition.pool, &tree, &arrangement).expect(place);
        let parts = partition.parts.clone();
        verify_tree(&mut partition.pool, &tree, &parts, &formulas, &Limits::none()).expect(place);
    });
}

#[test]
fn states_and_transitions_verify() {
    for_random_partitions(14, |partition, _, system, place| {
        if system == System::DualMcMillan {
            return;
        }
        let arrangement = Arrangement::identity(partition.parts.len());
        let mut interpolants =
            Interpolants::new(partition.refutation.proof(), system, NoLemmas).expect(place);
        let both = interpolants.state_transition(&mut partition.pool, &arrangement).expect(place);
        let parts = partition.parts.clone();
        verify_state_transition(&mut partition.pool, &parts, &both, &Limits::none()).expect(place);
    });
}
