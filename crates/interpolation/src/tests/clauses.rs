//! Clauses: the rules on proofs by the resolver of these tests.

use std::collections::{BTreeMap, BTreeSet};

use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::Limits;
use rorqual_solver::proof::{ClauseId, Literal, Part, Proof};

use super::{Random, partitions, random_tree, resolver};
use crate::propositional::NoLemmas;
use crate::{
    Arrangement, Interpolants, InterpolationError, Kind, System, Tree, verify_binary, verify_sequence,
    verify_state_transition, verify_tree,
};

struct Partition {
    pool: TermPool,
    parts: Vec<Term>,
    proof: Proof,
}

/// Clauses of up to three literals over at most seven variables, in three to six parts, without a model.
fn random_partition(random: &mut Random) -> Partition {
    loop {
        let mut pool = TermPool::new();
        let variables = 3 + random.below(5) as i32;
        let count = 3 + random.below(4);
        let names = (1..=variables).map(|variable| (variable, format!("p{variable}")));
        let atoms: BTreeMap<i32, Term> =
            names.map(|(variable, name)| (variable, pool.symbol(&name, Sort::Bool))).collect();
        let clauses: Vec<(Part, Vec<Literal>)> = (0..6 * variables)
            .map(|_| (Part(random.below(count) as u32), random_clause(random, variables)))
            .collect();
        if let Some(proof) = resolver::refute(&clauses, atoms.clone()) {
            let parts: Vec<Term> =
                (0..count).map(|part| conjunction(&mut pool, &atoms, &clauses, part)).collect();
            if (0..count).all(|part| keeps_symbols(&pool, parts[part], &clauses, part)) {
                return Partition { pool, parts, proof };
            }
        }
    }
}

/// Constructors simplify: a part with `p` and `not p` is false and has no symbols, while the proof by
/// clauses has. Such partitions are not asked for.
fn keeps_symbols(pool: &TermPool, formula: Term, clauses: &[(Part, Vec<Literal>)], part: usize) -> bool {
    let of_part = clauses.iter().filter(|(of, _)| of.0 as usize == part);
    let variables: BTreeSet<i32> =
        of_part.flat_map(|(_, literals)| literals.iter().map(|literal| literal.abs())).collect();
    pool.free_symbols(formula).len() == variables.len()
}

fn random_clause(random: &mut Random, variables: i32) -> Vec<Literal> {
    let mut clause = Vec::new();
    for _ in 0..=random.below(3) {
        let variable = 1 + random.below(variables as usize) as i32;
        if !clause.contains(&variable) && !clause.contains(&-variable) {
            clause.push(if random.flip() { variable } else { -variable });
        }
    }
    clause
}

fn conjunction(
    pool: &mut TermPool,
    atoms: &BTreeMap<i32, Term>,
    clauses: &[(Part, Vec<Literal>)],
    part: usize,
) -> Term {
    let mut conjuncts = Vec::new();
    for (_, literals) in clauses.iter().filter(|(of, _)| of.0 as usize == part) {
        let mut disjuncts = Vec::new();
        for literal in literals {
            let atom = atoms[&literal.abs()];
            disjuncts.push(if *literal < 0 { pool.not(atom) } else { atom });
        }
        conjuncts.push(pool.or(&disjuncts));
    }
    pool.and(&conjuncts)
}

fn for_random_partitions(seed: u64, mut check: impl FnMut(&mut Partition, &mut Random, System, &str)) {
    for number in 0..partitions(1500) {
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
    for_random_partitions(1, |partition, random, system, place| {
        let sides: Vec<bool> = partition.parts.iter().map(|_| random.flip()).collect();
        let mut interpolants = Interpolants::new(&partition.proof, system, NoLemmas).expect(place);
        let in_a = |part: Part| sides[part.0 as usize];
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
    for_random_partitions(2, |partition, random, system, place| {
        let count = 2 + random.below(partition.parts.len());
        let positions = partition.parts.iter().map(|_| random.below(count)).collect();
        let arrangement = Arrangement::new(positions, count);
        let mut interpolants = Interpolants::new(&partition.proof, system, NoLemmas).expect(place);
        let sequence = interpolants.sequence(&mut partition.pool, &arrangement).expect(place);
        let parts = arrangement.conjunctions(&mut partition.pool, &partition.parts);
        if super::keeps_symbols(&partition.pool, &partition.parts, &arrangement, &parts) {
            verify_sequence(&mut partition.pool, &parts, &sequence, &Limits::none()).expect(place);
        }
    });
}

#[test]
fn trees_verify_and_the_dual_system_is_refused() {
    for_random_partitions(3, |partition, random, system, place| {
        let count = partition.parts.len();
        let tree = random_tree(random, count);
        let arrangement = Arrangement::identity(count);
        let mut interpolants = Interpolants::new(&partition.proof, system, NoLemmas).expect(place);
        let result = interpolants.tree(&mut partition.pool, &tree, &arrangement);
        if system == System::DualMcMillan {
            let refused = InterpolationError::SystemRefused { system, kind: Kind::Tree };
            assert_eq!(result, Err(refused), "{place}");
            return;
        }
        let formulas = result.expect(place);
        let parts = partition.parts.clone();
        verify_tree(&mut partition.pool, &tree, &parts, &formulas, &Limits::none()).expect(place);
    });
}

#[test]
fn states_and_transitions_verify_and_the_dual_system_is_refused() {
    for_random_partitions(4, |partition, _, system, place| {
        let arrangement = Arrangement::identity(partition.parts.len());
        let mut interpolants = Interpolants::new(&partition.proof, system, NoLemmas).expect(place);
        let result = interpolants.state_transition(&mut partition.pool, &arrangement);
        if system == System::DualMcMillan {
            let refused = InterpolationError::SystemRefused { system, kind: Kind::StateTransition };
            assert_eq!(result, Err(refused), "{place}");
            return;
        }
        let both = result.expect(place);
        let parts = partition.parts.clone();
        verify_state_transition(&mut partition.pool, &parts, &both, &Limits::none()).expect(place);
    });
}

/// The parts `p`, `p => q`, `q => r`, `not r`.
fn chain() -> Partition {
    let mut pool = TermPool::new();
    let names = [(1, "p"), (2, "q"), (3, "r")];
    let atoms: BTreeMap<i32, Term> =
        names.iter().map(|&(variable, name)| (variable, pool.symbol(name, Sort::Bool))).collect();
    let clauses: Vec<(Part, Vec<Literal>)> =
        vec![(Part(0), vec![1]), (Part(1), vec![-1, 2]), (Part(2), vec![-2, 3]), (Part(3), vec![-3])];
    let proof = resolver::refute(&clauses, atoms.clone()).expect("the chain has no model");
    let parts = (0..4).map(|part| conjunction(&mut pool, &atoms, &clauses, part)).collect();
    Partition { pool, parts, proof }
}

#[test]
fn a_chain_of_implications_gives_its_links() {
    let Partition { mut pool, parts, proof } = chain();
    let links = ["p", "q", "r"].map(|name| pool.symbol(name, Sort::Bool));
    let expected = [vec![pool.top()], links.to_vec(), vec![pool.bottom()]].concat();
    for system in System::ALL {
        let mut interpolants = Interpolants::new(&proof, system, NoLemmas).expect("a proof");
        let sequence = interpolants.sequence(&mut pool, &Arrangement::identity(4)).expect("a sequence");
        assert_eq!(sequence, expected, "{system:?}");
        verify_sequence(&mut pool, &parts, &sequence, &Limits::none()).expect("they verify");
    }
}

#[test]
fn spoiled_proofs_are_typed_errors() {
    let Partition { proof, .. } = chain();
    let error = |proof: &Proof| Interpolants::new(proof, System::McMillan, NoLemmas).err();

    let mut cut_off = proof.clone();
    cut_off.derived.pop();
    assert_eq!(error(&cut_off), Some(InterpolationError::NotARefutation));

    let mut missing = proof.clone();
    let last = missing.derived.len() - 1;
    let clause = missing.derived[last].id;
    missing.derived[last].antecedents[0] = ClauseId(99);
    let antecedent = ClauseId(99);
    assert_eq!(error(&missing), Some(InterpolationError::MissingAntecedent { clause, antecedent }));

    let mut broken = proof.clone();
    broken.derived[last].antecedents.pop();
    assert_eq!(error(&broken), Some(InterpolationError::BrokenChain { clause }));

    let mut nameless = proof;
    nameless.atoms.clear();
    let mut interpolants = Interpolants::new(&nameless, System::McMillan, NoLemmas).expect("a proof");
    let result = interpolants.binary(&mut TermPool::new(), &|part| part.0 == 0);
    assert_eq!(result, Err(InterpolationError::SharedWithoutAtom { variable: 1 }));
}

#[test]
fn parents_must_make_a_tree() {
    assert!(Tree::new(vec![2, 2]).is_ok());
    assert_eq!(Tree::new(vec![2, 1]), Err(InterpolationError::NotATree { node: 1 }));
    assert_eq!(Tree::new(vec![3]), Err(InterpolationError::NotATree { node: 0 }));
}
