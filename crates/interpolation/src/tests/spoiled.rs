//! The verifier rejects each way of spoiling interpolants, and names the condition.

use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::Limits;

use crate::{
    Condition, Rejection, StateTransition, Tree, verify_binary, verify_sequence, verify_state_transition,
    verify_tree,
};

/// `x0 = 0`, `x1 = x0 + 1`, `x1 = 0` over eight bits, with `x0 = 0` and `x1 = 1` between them.
fn path(pool: &mut TermPool) -> (Vec<Term>, Vec<Term>) {
    let [x0, x1] = ["x0", "x1"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let (zero, one) = (pool.bv(0u8, 8), pool.bv(1u8, 8));
    let next = pool.bv_add(x0, one);
    let parts = vec![pool.eq(x0, zero), pool.eq(x1, next), pool.eq(x1, zero)];
    let interpolants = vec![pool.top(), pool.eq(x0, zero), pool.eq(x1, one), pool.bottom()];
    (parts, interpolants)
}

fn violated(condition: Condition, index: usize) -> Result<(), Rejection> {
    Err(Rejection::Violated { condition, index })
}

#[test]
fn spoiled_sequences_are_rejected() {
    let mut pool = TermPool::new();
    let limits = Limits::none();
    let (parts, good) = path(&mut pool);
    let mut check = |formulas: &[Term]| verify_sequence(&mut pool, &parts, formulas, &limits);
    assert_eq!(check(&good), Ok(()));
    assert_eq!(check(&good[1..]), violated(Condition::Count { expected: 4, found: 3 }, 0));
    let with = |at: usize, formula: Term| {
        let mut spoiled = good.clone();
        spoiled[at] = formula;
        spoiled
    };
    assert_eq!(check(&with(0, good[1])), violated(Condition::First, 0));
    assert_eq!(check(&with(3, good[2])), violated(Condition::Last, 3));
    assert_eq!(check(&with(1, good[3])), violated(Condition::Step, 1));
    assert_eq!(check(&with(2, good[0])), violated(Condition::Step, 3));
    let foreign = Condition::Vocabulary { name: "x0".to_owned() };
    assert_eq!(check(&with(2, good[1])), violated(Condition::Step, 3));
    let both = pool.and2(good[1], good[2]);
    assert_eq!(
        verify_sequence(&mut pool, &parts, &with(2, both), &limits),
        violated(foreign, 2),
        "x0 is not known behind its last use"
    );
}

#[test]
fn spoiled_binary_interpolants_are_rejected() {
    let mut pool = TermPool::new();
    let limits = Limits::none();
    let (parts, good) = path(&mut pool);
    let (a, b) = parts.split_at(2);
    let mut check = |formula: Term| verify_binary(&mut pool, a, b, formula, &limits);
    assert_eq!(check(good[2]), Ok(()));
    assert_eq!(check(good[3]), violated(Condition::ImpliedByA, 0));
    assert_eq!(check(good[0]), violated(Condition::ContradictsB, 0));
}

#[test]
fn spoiled_trees_are_rejected() {
    let mut pool = TermPool::new();
    let limits = Limits::none();
    let (parts, good) = path(&mut pool);
    let tree = Tree::new(vec![1, 2]).expect("a path is a tree");
    let mut check = |formulas: &[Term]| verify_tree(&mut pool, &tree, &parts, formulas, &limits);
    assert_eq!(check(&good[1..]), Ok(()));
    assert_eq!(check(&[good[1], good[2], good[2]]), violated(Condition::Last, 2));
    assert_eq!(check(&[good[1], good[3], good[3]]), violated(Condition::Step, 1));
    assert_eq!(check(&[good[0], good[2], good[3]]), violated(Condition::Step, 1));
}

#[test]
fn spoiled_states_and_transitions_are_rejected() {
    let mut pool = TermPool::new();
    let limits = Limits::none();
    let (parts, states) = path(&mut pool);
    let good = StateTransition { states: states.clone(), transitions: parts.clone() };
    let mut check = |both: &StateTransition| verify_state_transition(&mut pool, &parts, both, &limits);
    assert_eq!(check(&good), Ok(()));
    let mut weak = good.clone();
    weak.transitions[1] = states[0];
    assert_eq!(check(&weak), violated(Condition::StateStep, 2));
    let mut strong = good;
    strong.transitions[1] = states[2];
    assert_eq!(check(&strong), violated(Condition::Transition, 1));
}
