//! Random tests against brute force, with fixed seeds, and the classic cases of interpolation.

use std::collections::{BTreeMap, BTreeSet};

use dashu::integer::IBig;

use super::divisibility::{divisibility_interpolant, find_divisibility};
use super::farkas::{
    check_farkas, decomposed_dual_farkas_interpolant, decomposed_farkas_interpolant, dual_farkas_interpolant,
    farkas_interpolant, implies, strengthen_to_equalities,
};
use super::integer::{IntegerAnswer, Node, NodeId, Premise, RefutationTree, check_tree, solve};
use super::linear::{Constraint, LinearExpr, Variable};
use super::rational::Rational;
use super::simplex::{Feasibility, Simplex};

/// A multiplicative congruential generator: tests need the same numbers everywhere, not good ones.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    pub(super) fn between(&mut self, least: i64, greatest: i64) -> i64 {
        least + self.below((greatest - least + 1) as u64) as i64
    }

    pub(super) fn constraint(&mut self, variables: u32, factor: i64, constant: i64) -> Constraint {
        let count = self.between(1, 3);
        let variables: Vec<Variable> =
            (0..count).map(|_| Variable(self.below(variables.into()) as u32)).collect();
        let terms: Vec<_> =
            variables.into_iter().map(|variable| (self.between(-factor, factor), variable)).collect();
        Constraint::new(LinearExpr::new(terms, self.between(-constant, constant)))
    }
}

/// A plane through a box often misses its integer points, which takes splits to see.
impl Random {
    pub(super) fn knapsack(&mut self, greatest: i64) -> [Constraint; 2] {
        let terms: Vec<_> = (0..3).map(|index| (self.between(3, 11), Variable(index))).collect();
        Constraint::eq(&LinearExpr::new(terms, 0), &number(self.between(0, greatest)))
    }
}

fn variable(index: u32) -> LinearExpr {
    LinearExpr::variable(Variable(index))
}

fn number(value: i64) -> LinearExpr {
    LinearExpr::constant_of(value)
}

fn sum(terms: &[(i64, u32)], constant: i64) -> LinearExpr {
    LinearExpr::new(terms.iter().map(|&(factor, index)| (factor, Variable(index))), constant)
}

/// Every assignment of the first `count` variables within the box.
pub(super) fn assignments(count: u32, least: i64, greatest: i64) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .iter()
            .flat_map(|prefix| (least..=greatest).map(|value| [prefix.as_slice(), &[value]].concat()))
            .collect();
    }
    all
}

pub(super) fn holds(constraint: &Constraint, values: &[i64]) -> bool {
    constraint.holds(|variable| IBig::from(values[variable.0 as usize]))
}

/// The constraints of a conflict with their weights, or nothing if the conjunction is feasible.
fn refute(constraints: &[Constraint]) -> Option<(Vec<Constraint>, Vec<IBig>)> {
    let mut simplex = Simplex::new();
    let mut conflict = None;
    for constraint in constraints {
        let id = simplex.add(constraint);
        conflict = conflict.or_else(|| simplex.assert(id).err());
    }
    let conflict = match (conflict, simplex.check()) {
        (Some(conflict), _) | (None, Feasibility::Conflict(conflict)) => conflict,
        (None, Feasibility::Feasible(values)) => {
            assert!(constraints.iter().all(|constraint| satisfied(constraint, &values)));
            return None;
        }
    };
    let (used, weights): (Vec<_>, Vec<_>) =
        conflict.coefficients.into_iter().map(|(id, weight)| (constraints[id.0].clone(), weight)).unzip();
    assert!(weights.iter().all(|weight| *weight > IBig::ZERO));
    assert!(check_farkas(&used, &weights));
    Some((used, weights))
}

fn satisfied(constraint: &Constraint, values: &BTreeMap<Variable, Rational>) -> bool {
    let mut sum = Rational::from(constraint.expr().constant());
    for (variable, factor) in constraint.expr().terms() {
        sum = sum.plus(&Rational::from(factor).times(&values[&variable]));
    }
    !sum.is_positive()
}

fn random_box(random: &mut Random, variables: u32, count: usize) -> Vec<Constraint> {
    let mut constraints: Vec<Constraint> = (0..count).map(|_| random.constraint(variables, 4, 9)).collect();
    if random.below(2) == 0 {
        constraints.truncate(2);
        constraints.extend(random.knapsack(20));
    }
    for index in 0..variables {
        constraints.push(Constraint::at_least(Variable(index), &IBig::from(-3)));
        constraints.push(Constraint::at_most(Variable(index), &IBig::from(3)));
    }
    constraints
}

#[test]
fn simplex_and_branching_agree_with_brute_force() {
    let mut random = Random(1);
    let all = assignments(3, -3, 3);
    let (mut feasible, mut refuted, mut split) = (0, 0, 0);
    for seed in 0..3000 {
        let count = random.between(2, 7) as usize;
        let constraints = random_box(&mut random, 3, count);
        let exists = all.iter().any(|values| constraints.iter().all(|constraint| holds(constraint, values)));
        let refuted_by_simplex = refute(&constraints).is_some();
        assert!(!(exists && refuted_by_simplex), "seed {seed}");
        match solve(&constraints, 1000) {
            IntegerAnswer::Sat(model) => {
                assert!(exists, "seed {seed}");
                assert!(constraints.iter().all(|constraint| constraint.holds(|v| model[&v].clone())));
                feasible += 1;
            }
            IntegerAnswer::Unsat(tree) => {
                assert!(!exists, "seed {seed}");
                assert!(check_tree(&constraints, &tree), "seed {seed}");
                refuted += 1;
                split += usize::from(tree.nodes.len() > 1);
            }
            IntegerAnswer::GaveUp => panic!("seed {seed}: gave up on a box"),
        }
    }
    assert!(feasible > 500 && refuted > 500 && split > 50, "{feasible} {refuted} {split}");
}

#[test]
fn bounds_can_be_taken_back() {
    let mut random = Random(2);
    for seed in 0..300 {
        let constraints: Vec<Constraint> = (0..12).map(|_| random.constraint(4, 3, 6)).collect();
        let mut simplex = Simplex::new();
        let ids: Vec<_> = constraints.iter().map(|constraint| simplex.add(constraint)).collect();
        let mut levels: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..40 {
            if random.below(3) == 0 && levels.len() > 1 {
                simplex.pop();
                levels.pop();
            } else {
                simplex.push();
                let chosen = random.below(12) as usize;
                let conflict = simplex.assert(ids[chosen]).is_err();
                levels.push(vec![chosen]);
                let live: Vec<Constraint> =
                    levels.iter().flatten().map(|&index| constraints[index].clone()).collect();
                let infeasible = conflict || matches!(simplex.check(), Feasibility::Conflict(_));
                assert_eq!(infeasible, refute(&live).is_some(), "seed {seed}");
                if infeasible {
                    simplex.pop();
                    levels.pop();
                }
            }
        }
    }
}

fn variables(constraints: &[Constraint]) -> BTreeSet<Variable> {
    constraints.iter().flat_map(|constraint| constraint.expr().variables()).collect()
}

fn infeasible(constraints: &[Constraint]) -> bool {
    refute(constraints).is_some()
}

/// Verifies the four interpolants of a refutation and a partition of it.
fn verify_partition(used: &[Constraint], weights: &[IBig], in_a: &[bool]) -> usize {
    let select = |side: bool| -> Vec<Constraint> {
        (0..used.len()).filter(|&index| in_a[index] == side).map(|index| used[index].clone()).collect()
    };
    let (a, b) = (select(true), select(false));
    let (in_a_only, in_b_only) = (variables(&a), variables(&b));
    let shared: BTreeSet<Variable> = in_a_only.intersection(&in_b_only).copied().collect();
    let with = |constraints: &[Constraint], more: &[Constraint]| [constraints, more].concat();
    let side = |index: usize| in_a[index];

    let strong = farkas_interpolant(used, weights, side);
    let weak = dual_farkas_interpolant(used, weights, side);
    for interpolant in [&strong, &weak] {
        assert!(implies(&a, interpolant));
        assert!(infeasible(&with(&b, std::slice::from_ref(interpolant))));
        assert!(variables(std::slice::from_ref(interpolant)).is_subset(&shared));
    }
    assert!(implies(std::slice::from_ref(&strong), &weak));

    let conjuncts = decomposed_farkas_interpolant(used, weights, side, |v| !shared.contains(&v));
    assert!(conjuncts.iter().all(|conjunct| implies(&a, conjunct)));
    assert!(infeasible(&with(&b, &conjuncts)));
    assert!(variables(&conjuncts).is_subset(&shared));
    assert!(implies(&conjuncts, &strong));

    let disjuncts = decomposed_dual_farkas_interpolant(used, weights, side, |v| !shared.contains(&v));
    let negated: Vec<Constraint> = disjuncts.iter().map(Constraint::negated).collect();
    assert!(infeasible(&with(&a, &negated)));
    assert!(disjuncts.iter().all(|disjunct| infeasible(&with(&b, std::slice::from_ref(disjunct)))));
    assert!(variables(&disjuncts).is_subset(&shared));
    conjuncts.len()
}

#[test]
fn interpolants_of_random_partitions_verify() {
    let mut random = Random(3);
    let (mut partitions, mut decomposed) = (0, 0);
    while partitions < 6000 {
        let count = random.between(3, 14) as usize;
        let constraints: Vec<Constraint> = (0..count).map(|_| random.constraint(7, 3, 5)).collect();
        let Some((used, weights)) = refute(&constraints) else {
            continue;
        };
        for _ in 0..3 {
            let in_a: Vec<bool> = used.iter().map(|_| random.below(2) == 0).collect();
            decomposed += usize::from(verify_partition(&used, &weights, &in_a) > 1);
            partitions += 1;
        }
    }
    assert!(decomposed > 200, "only {decomposed} decompositions");
}

#[test]
fn spoiled_refutations_are_rejected() {
    let constraints =
        [Constraint::lt(&variable(0), &variable(1)), Constraint::lt(&variable(1), &variable(0))];
    let (used, weights) = refute(&constraints).expect("x < y < x is infeasible");
    assert!(!check_farkas(&used, &weights[..1]));
    assert!(!check_farkas(&used, &[weights[0].clone(), &weights[1] + IBig::ONE]));
    assert!(!check_farkas(&used, &[IBig::ZERO, IBig::ZERO]));
    assert!(!check_farkas(&used, &[-&weights[0], -&weights[1]]));

    let leaf = |premise| Node::Farkas(vec![(premise, IBig::ONE), (Premise::Given(0), IBig::ONE)]);
    let low = leaf(Premise::AtLeast(Variable(0), IBig::ONE));
    let given = [Constraint::at_most(Variable(0), &IBig::ZERO)];
    assert!(!check_tree(&given, &RefutationTree { nodes: vec![low.clone()] }), "no such split");
    let split = |low, high| Node::Split { variable: Variable(0), bound: IBig::ZERO, low, high };
    let tree = RefutationTree { nodes: vec![low.clone(), split(NodeId(0), NodeId(0))] };
    assert!(!check_tree(&given, &tree), "the lower half is not refuted");
    let tree = RefutationTree { nodes: vec![low, split(NodeId(1), NodeId(0))] };
    assert!(!check_tree(&given, &tree), "a node is its own child");
    assert!(!check_tree(&given, &RefutationTree { nodes: Vec::new() }));
}

fn texts(constraints: &[Constraint]) -> Vec<String> {
    constraints.iter().map(ToString::to_string).collect()
}

/// `x < y < z < w <= x`, cut after each constraint.
#[test]
fn chains_of_differences() {
    let constraints = [
        Constraint::lt(&variable(0), &variable(1)),
        Constraint::lt(&variable(1), &variable(2)),
        Constraint::lt(&variable(2), &variable(3)),
        Constraint::le(&variable(3), &variable(0)),
    ];
    let (used, weights) = refute(&constraints).expect("the chain is infeasible");
    let interpolants: Vec<Constraint> =
        (1..4).map(|cut| farkas_interpolant(&used, &weights, |index| index < cut)).collect();
    assert_eq!(texts(&interpolants), ["v0 - v1 + 1 <= 0", "v0 - v2 + 2 <= 0", "v0 - v3 + 3 <= 0"]);
}

/// The path `x = y = 0; n times { x++; y += 2 }; bad`, as constraints; variables `2k`, `2k + 1` are `x`
/// and `y` after `k` steps.
fn counters(steps: u32) -> Vec<Constraint> {
    let mut path = Vec::new();
    path.extend(Constraint::eq(&variable(0), &number(0)));
    path.extend(Constraint::eq(&variable(1), &number(0)));
    for step in 0..steps {
        path.extend(Constraint::eq(&variable(2 * step + 2), &sum(&[(1, 2 * step)], 1)));
        path.extend(Constraint::eq(&variable(2 * step + 3), &sum(&[(1, 2 * step + 1)], 2)));
    }
    path
}

#[test]
fn counters_are_related_not_enumerated() {
    for steps in [2, 10, 100] {
        let path = counters(steps);
        let (x, y) = (variable(2 * steps), variable(2 * steps + 1));
        let twice = sum(&[(2, 2 * steps)], 0);
        let bad = Constraint::lt(&twice, &y);
        let all = [path.as_slice(), &[bad]].concat();
        let (used, weights) = refute(&all).expect("y = 2x at the end");
        let middle = steps / 2;
        let in_a = |index: usize| {
            variables(std::slice::from_ref(&used[index])).iter().all(|v| v.0 <= 2 * middle + 1)
        };
        let interpolant = farkas_interpolant(&used, &weights, in_a);
        let expected = Constraint::le(&variable(2 * middle + 1), &sum(&[(2, 2 * middle)], 0));
        assert_eq!(interpolant, expected, "{steps} steps");
        let premises = &path[..4 + 4 * middle as usize];
        let relations = strengthen_to_equalities(premises, &[interpolant]);
        assert_eq!(relations.len(), 1);
        let expected = format!("2*v{} - v{} = 0", 2 * middle, 2 * middle + 1);
        assert_eq!(relations[0].to_string(), expected);

        // Violations that name values give bounds on one counter: small, though they do not generalise.
        let bad = [Constraint::le(&number(i64::from(steps)), &x), Constraint::lt(&number(0), &y)].to_vec();
        let bad = [bad, vec![Constraint::lt(&y, &number(2 * i64::from(steps)))]].concat();
        let all = [path.as_slice(), &bad].concat();
        let (used, weights) = refute(&all).expect("y is 2 * steps");
        let in_a = |index: usize| {
            variables(std::slice::from_ref(&used[index])).iter().all(|v| v.0 <= 2 * middle + 1)
        };
        let conjuncts = decomposed_farkas_interpolant(&used, &weights, in_a, |v| v.0 < 2 * middle);
        assert!(conjuncts.len() <= 2, "{:?}", texts(&conjuncts));
    }
}

/// `x + y = 10` is kept by `x--, y++`.
#[test]
fn sums_are_kept() {
    let mut path = Vec::new();
    path.extend(Constraint::eq(&sum(&[(1, 0), (1, 1)], 0), &number(10)));
    for step in 0..6 {
        path.extend(Constraint::eq(&variable(2 * step + 2), &sum(&[(1, 2 * step)], -1)));
        path.extend(Constraint::eq(&variable(2 * step + 3), &sum(&[(1, 2 * step + 1)], 1)));
    }
    path.push(Constraint::lt(&number(10), &sum(&[(1, 12), (1, 13)], 0)));
    let (used, weights) = refute(&path).expect("the sum is kept");
    let in_a = |index: usize| variables(std::slice::from_ref(&used[index])).iter().all(|v| v.0 <= 7);
    let interpolant = farkas_interpolant(&used, &weights, in_a);
    assert_eq!(interpolant.to_string(), "v6 + v7 - 10 <= 0");
    let relations = strengthen_to_equalities(&path[..14], &[interpolant]);
    assert_eq!(relations[0].to_string(), "v6 + v7 - 10 = 0");
}

/// One sum over A, but two independent facts: the decomposition finds both.
#[test]
fn independent_facts_are_separated() {
    // A: x <= a, a <= 0, y <= b, b <= 0. B: x + y >= 1.
    let constraints = [
        Constraint::le(&variable(0), &variable(2)),
        Constraint::le(&variable(2), &number(0)),
        Constraint::le(&variable(1), &variable(3)),
        Constraint::le(&variable(3), &number(0)),
        Constraint::le(&number(1), &sum(&[(1, 0), (1, 1)], 0)),
    ];
    let (used, weights) = refute(&constraints).expect("both are at most zero");
    let whole = farkas_interpolant(&used, &weights, |index| index < 4);
    assert_eq!(whole.to_string(), "v0 + v1 <= 0");
    let parts = decomposed_farkas_interpolant(&used, &weights, |index| index < 4, |v| v.0 >= 2);
    let parts: BTreeSet<String> = texts(&parts).into_iter().collect();
    assert_eq!(parts, BTreeSet::from(["v0 <= 0".to_string(), "v1 <= 0".to_string()]));
}

/// `x = 2a` and `x = 2b + 1` over unbounded variables: no number of splits helps.
#[test]
fn parity_is_refuted_by_divisibility() {
    let even = Constraint::eq(&variable(0), &sum(&[(2, 1)], 0));
    let odd = Constraint::eq(&variable(0), &sum(&[(2, 2)], 1));
    let constraints = [even, odd].concat();
    let IntegerAnswer::Unsat(mut tree) = solve(&constraints, 100) else {
        panic!("no number is even and odd");
    };
    assert!(check_tree(&constraints, &tree));
    let found = find_divisibility(&constraints).expect("the simplex has a solution");
    assert_eq!(tree.nodes, [Node::Divisibility(found.clone())]);
    let exprs: Vec<LinearExpr> =
        found.multipliers.iter().map(|(index, _)| constraints[*index].expr().clone()).collect();
    let multipliers: Vec<IBig> = found.multipliers.iter().map(|(_, factor)| factor.clone()).collect();
    let interpolant = divisibility_interpolant(&exprs, &multipliers, &found.modulus, |index| {
        found.multipliers[index].0 < 2
    });
    assert_eq!(found.modulus, IBig::from(2));
    assert_eq!(interpolant.variables().collect::<Vec<_>>(), [Variable(0)]);

    let Node::Divisibility(evidence) = &mut tree.nodes[0] else {
        panic!("the tree was compared above");
    };
    evidence.modulus = IBig::from(3);
    assert!(!check_tree(&constraints, &tree));
    assert!(!check_tree(&constraints[1..], &RefutationTree { nodes: vec![Node::Divisibility(found)] }));
}

#[test]
fn unbounded_searches_give_up() {
    // 3x - 3y is never 1, but with an inequality between, no equality says so.
    let difference = sum(&[(3, 0), (-3, 1)], 0);
    let third = sum(&[(3, 2), (1, 3)], 0);
    let mut constraints = Constraint::eq(&difference, &third).to_vec();
    constraints.push(Constraint::le(&number(1), &variable(3)));
    constraints.push(Constraint::le(&variable(3), &number(2)));
    assert_eq!(solve(&constraints, 50), IntegerAnswer::GaveUp);
}
