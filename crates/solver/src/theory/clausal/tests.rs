//! Random clauses against brute force, with every proof and lemma checked.

use std::collections::BTreeMap;

use dashu::integer::IBig;

use super::*;
use crate::proof::{Origin, check};
use crate::theory::linear::LinearExpr;
use crate::theory::tests::{Random, assignments, holds};

fn clause_holds(literals: &[Literal], value: impl Fn(i32) -> bool) -> bool {
    literals.iter().any(|&literal| value(literal.abs()) == (literal > 0))
}

/// Clauses over three integers from 0 to 3, 8 atoms, and 3 Boolean variables.
fn random_problem(random: &mut Random, clauses: u64) -> ClausalProblem {
    let mut problem = ClausalProblem::default();
    for atom in 1..=8 {
        problem.atoms.insert(atom, random.constraint(3, 5, 7));
    }
    let [below, above] = random.knapsack(40);
    problem.atoms.extend([(7, below), (8, above)]);
    for index in 0..3 {
        let bounds = [
            Constraint::at_least(Variable(index), &IBig::ZERO),
            Constraint::at_most(Variable(index), &IBig::from(3)),
        ];
        for bound in bounds {
            let atom = 12 + problem.clauses.len() as i32;
            problem.atoms.insert(atom, bound);
            problem.clauses.push((vec![atom], Part(index)));
        }
    }
    if random.below(2) == 0 {
        problem.clauses.extend([(vec![7], Part(3)), (vec![8, 9], Part(3)), (vec![8, -9], Part(3))]);
    }
    for _ in 0..clauses {
        let literals = (0..random.between(1, 4)).map(|_| {
            let variable = random.between(1, 11) as i32;
            if random.below(2) == 0 { variable } else { -variable }
        });
        let literals = literals.collect();
        problem.clauses.push((literals, Part(random.below(4) as u32)));
    }
    problem
}

fn satisfiable(problem: &ClausalProblem) -> bool {
    assignments(3, 0, 3).iter().any(|values| {
        (0..8).any(|bits: i32| {
            let value = |variable: i32| match problem.atoms.get(&variable) {
                Some(constraint) => holds(constraint, values),
                None => bits >> (variable - 9) & 1 == 1,
            };
            problem.clauses.iter().all(|(clause, _)| clause_holds(clause, value))
        })
    })
}

/// Checks a refutation as its readers do: the resolution steps, each lemma, and that the other clauses were given.
fn verify(problem: &ClausalProblem, refutation: &ClausalRefutation) {
    check(&refutation.proof).expect("the resolution proof is right");
    assert!(refutation.lemmas.iter().all(|lemma| check_lemma(lemma, &refutation.atoms)));
    for clause in &refutation.proof.originals {
        match clause.origin {
            Origin::Lemma(index) => assert_eq!(refutation.lemmas[index].literals, clause.literals),
            Origin::Part(part) => assert!(problem.clauses.iter().any(|(given, given_part)| {
                *given_part == part && given.iter().all(|literal| clause.literals.contains(literal))
            })),
        }
    }
    for (variable, constraint) in &refutation.atoms {
        if refutation.splits.contains(variable) {
            assert!(!problem.atoms.contains_key(variable));
            assert_eq!(constraint.expr().terms().len(), 1);
        } else {
            assert_eq!(problem.atoms.get(variable), Some(constraint));
        }
    }
}

#[test]
fn random_clauses_agree_with_brute_force() {
    let mut random = Random(11);
    let (mut sat, mut unsat, mut split) = (0, 0, 0);
    for seed in 0..3000 {
        let clauses = random.below(25);
        let problem = random_problem(&mut random, clauses);
        match solve(&problem, Budget::default()) {
            ClausalAnswer::Sat(model) => {
                assert!(satisfiable(&problem), "seed {seed}");
                let value = |variable: i32| model.booleans[&variable];
                assert!(problem.clauses.iter().all(|(clause, _)| clause_holds(clause, value)));
                for (variable, constraint) in &problem.atoms {
                    assert_eq!(value(*variable), constraint.holds(|v| model.integers[&v].clone()));
                }
                sat += 1;
            }
            ClausalAnswer::Unsat(refutation) => {
                assert!(!satisfiable(&problem), "seed {seed}");
                verify(&problem, &refutation);
                unsat += 1;
                split += usize::from(!refutation.splits.is_empty());
            }
            ClausalAnswer::GaveUp => panic!("seed {seed}: gave up"),
        }
    }
    assert!(sat > 500 && unsat > 500 && split > 5, "{sat} {unsat} {split}");
}

#[test]
fn spoiled_lemmas_are_rejected() {
    let mut random = Random(12);
    let mut spoiled = 0;
    while spoiled < 200 {
        let problem = random_problem(&mut random, 25);
        let ClausalAnswer::Unsat(refutation) = solve(&problem, Budget::default()) else {
            continue;
        };
        for lemma in &refutation.lemmas {
            let Evidence::Farkas(weights) = &lemma.evidence else {
                continue;
            };
            for index in 0..weights.len() {
                let mut wrong = lemma.clone();
                wrong.literals.remove(index);
                assert!(!check_lemma(&wrong, &refutation.atoms), "too few weights");
                // A constraint that is false by itself is so with every positive weight.
                let changed = if weights.len() > 1 { &weights[index] + IBig::ONE } else { IBig::ZERO };
                for weight in [-&weights[index], IBig::ZERO, changed] {
                    let mut other = weights.clone();
                    other[index] = weight;
                    let wrong = Lemma { evidence: Evidence::Farkas(other), ..lemma.clone() };
                    assert!(!check_lemma(&wrong, &refutation.atoms), "{wrong:?}");
                }
                let mut wrong = lemma.clone();
                wrong.literals[index] = 9;
                assert!(!check_lemma(&wrong, &refutation.atoms), "a Boolean variable");
                spoiled += 1;
            }
        }
    }
}

/// A path whose last condition is a disequality: two lemmas, one for each direction.
fn counters(steps: u32) -> ClausalProblem {
    let mut problem = ClausalProblem::default();
    let unit = |problem: &mut ClausalProblem, part: u32, constraints: &[Constraint]| {
        for constraint in constraints {
            let atom = problem.atoms.len() as i32 + 1;
            problem.atoms.insert(atom, constraint.clone());
            problem.clauses.push((vec![atom], Part(part)));
        }
    };
    let scaled =
        |factor: i32, index: u32, constant: u32| LinearExpr::new([(factor, Variable(index))], constant);
    unit(&mut problem, 0, &Constraint::eq(&scaled(1, 0, 0), &LinearExpr::default()));
    unit(&mut problem, 0, &Constraint::eq(&scaled(1, 1, 0), &LinearExpr::default()));
    for step in 0..steps {
        unit(&mut problem, step + 1, &Constraint::eq(&scaled(1, 2 * step + 2, 0), &scaled(1, 2 * step, 1)));
        unit(
            &mut problem,
            step + 1,
            &Constraint::eq(&scaled(1, 2 * step + 3, 0), &scaled(1, 2 * step + 1, 2)),
        );
    }
    let (y, twice_x) = (scaled(1, 2 * steps + 1, 0), scaled(2, 2 * steps, 0));
    let atom = problem.atoms.len() as i32 + 1;
    problem.atoms.insert(atom, Constraint::lt(&y, &twice_x));
    problem.atoms.insert(atom + 1, Constraint::lt(&twice_x, &y));
    problem.clauses.push((vec![atom, atom + 1], Part(steps + 1)));
    problem
}

#[test]
fn a_disequality_needs_one_lemma_per_direction() {
    let problem = counters(20);
    let ClausalAnswer::Unsat(refutation) = solve(&problem, Budget::default()) else {
        panic!("y = 2x at the end");
    };
    verify(&problem, &refutation);
    assert_eq!(refutation.lemmas.len(), 2);
    assert!(refutation.splits.is_empty());
}

#[test]
fn parity_is_refuted_without_bounds() {
    let mut problem = ClausalProblem::default();
    let expr = |terms: &[(i32, u32)], constant: i32| {
        LinearExpr::new(terms.iter().map(|&(factor, index)| (factor, Variable(index))), constant)
    };
    let even = Constraint::eq(&expr(&[(1, 0)], 0), &expr(&[(2, 1)], 0));
    let odd = Constraint::eq(&expr(&[(1, 0)], 0), &expr(&[(2, 2)], 1));
    for (index, constraint) in even.into_iter().chain(odd).enumerate() {
        let atom = index as i32 + 1;
        problem.atoms.insert(atom, constraint);
        problem.clauses.push((vec![atom], Part(u32::from(index >= 2))));
    }
    let ClausalAnswer::Unsat(refutation) = solve(&problem, Budget::default()) else {
        panic!("no number is even and odd");
    };
    verify(&problem, &refutation);
    assert!(matches!(refutation.lemmas[0].evidence, Evidence::Divisibility { .. }));
}

#[test]
fn empty_and_contradictory_clauses() {
    for clauses in [vec![vec![]], vec![vec![1], vec![-1]], vec![vec![1, 2], vec![-1], vec![-2, 1]]] {
        let clauses = clauses.into_iter().map(|literals| (literals, Part(0))).collect();
        let problem = ClausalProblem { clauses, atoms: BTreeMap::new() };
        let ClausalAnswer::Unsat(refutation) = solve(&problem, Budget::default()) else {
            panic!("the clauses contradict each other");
        };
        verify(&problem, &refutation);
    }
    let problem = ClausalProblem { clauses: vec![(vec![3, -3], Part(0))], atoms: BTreeMap::new() };
    assert!(matches!(solve(&problem, Budget::default()), ClausalAnswer::Sat(_)));
}

#[test]
fn a_spent_budget_gives_up() {
    let problem = counters(20);
    let budget = Budget { conflicts: 0, ..Budget::default() };
    assert_eq!(solve(&problem, budget), ClausalAnswer::GaveUp);
}
