//! Clauses: the rules on proofs by the resolver of these tests.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::proof::{ClauseId, Literal, Part, Proof};
use rorqual_solver::{GaveUp, Limits};

use super::kinds::{Partition, verify_all_kinds};
use super::{Random, for_seeds, partitions, resolver};
use crate::propositional::{Extent, NoLemmas};
use crate::{Arrangement, Interpolants, InterpolationError, System, Tree, verify_sequence};

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

#[test]
fn random_partitions_of_clauses_verify() {
    for_seeds(1, partitions(5000), |seed, random| {
        let mut partition = random_partition(random);
        verify_all_kinds(&mut partition, random, seed);
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

/// Interpolants end with the limits while they are built, of whatever kind they are.
#[test]
fn building_stops_at_the_limits() {
    let Partition { mut pool, proof, .. } = chain();
    let over = Limits::none().with_cancellation(Arc::new(AtomicBool::new(true)));
    let ended = Extent { limits: over, ..Extent::default() };
    let small = Extent { conjunctions: 1, ..Extent::default() };
    for (extent, reason) in [(ended, GaveUp::Cancelled), (small, GaveUp::Memory)] {
        let interpolants = Interpolants::new(&proof, System::McMillan, NoLemmas).expect("a proof");
        let mut interpolants = interpolants.within(extent);
        let spent = Err(InterpolationError::Spent(reason));
        let arrangement = Arrangement::identity(4);
        assert_eq!(interpolants.tree(&mut pool, &Tree::star(3), &arrangement), spent);
        assert_eq!(interpolants.sequence(&mut pool, &arrangement), spent);
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
