//! The chooser: which strategy serves, languages, all goals.

use rorqual_logic::{Sort, Term, TermPool};
use rorqual_solver::{GaveUp, Limits};

use super::classic::cases;
use super::{Random, partitions, random_tree, vectors};
use crate::strategy::{Absence, Chooser, Configuration, Counts, Goal, Outcome, Served};
use crate::{Language, Shapes, System, Tree, verify_sequence};

fn run(pool: &mut TermPool, parts: &[Term], configuration: &Configuration) -> (Outcome, Counts) {
    let mut counts = Counts::default();
    let outcome = Chooser::new(configuration, &mut counts).interpolate(pool, parts, &Goal::Sequence);
    (outcome, counts)
}

#[test]
fn random_partitions_are_served_for_every_goal() {
    let mut counts = Counts::default();
    let configuration = Configuration { simplification: 40, ..Configuration::default() };
    for number in 0..partitions(60) {
        let seed = 21_000_000 + number as u64;
        let mut random = Random::new(seed);
        let mut partition = vectors::random_partition(&mut random);
        let tree = random_tree(&mut random, partition.parts.len());
        for goal in [Goal::Sequence, Goal::Tree(tree), Goal::StateTransition] {
            let mut chooser = Chooser::new(&configuration, &mut counts);
            // The chooser verifies what it answers.
            let outcome = chooser.interpolate(&mut partition.pool, &partition.parts, &goal);
            assert!(matches!(outcome, Outcome::Interpolated(_)), "seed {seed}, {goal:?}: {outcome:?}");
        }
    }
    let arithmetic = counts.served.keys().any(|served| matches!(served, Served::Arithmetic { .. }));
    let bits = counts.served.contains_key(&Served::BitLevel(System::McMillan));
    assert!(arithmetic && bits, "{counts:?}");
}

/// Trees have no preconditions, and products no arithmetic: what is left are proofs about bits, whose size is limited.
#[test]
fn large_interpolants_are_given_up() {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::BitVec(6)));
    let (product, square) = (pool.bv_mul(x, y), pool.bv_mul(z, z));
    let is_product = pool.eq(product, z);
    let two = pool.bv(2u8, 6);
    let odd = pool.bv(49u8, 6);
    let last = pool.eq(square, odd);
    let same = [pool.eq(x, y), pool.eq(y, two)];
    let parts = [is_product, pool.and(&same), last];
    let goal = Goal::Tree(Tree::star(2));
    let with = |conjunctions| Configuration { conjunctions, ..Configuration::default() };
    let mut outcome = |conjunctions| {
        let (configuration, mut counts) = (with(conjunctions), Counts::default());
        Chooser::new(&configuration, &mut counts).interpolate(&mut pool, &parts, &goal)
    };
    assert!(matches!(outcome(1), Outcome::Unknown(GaveUp::Memory)), "{:?}", outcome(1));
    assert!(matches!(outcome(10_000), Outcome::Interpolated(_)), "{:?}", outcome(10_000));
}

#[test]
fn products_of_symbols_are_served_by_weakest_preconditions() {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let product = pool.bv_mul(x, y);
    let three = pool.bv(3u8, 8);
    let first = pool.eq(product, three);
    let assign = pool.eq(z, product);
    let last = pool.ne(z, three);
    let parts = [first, assign, last];
    let (outcome, counts) = run(&mut pool, &parts, &Configuration::default());
    let Outcome::Interpolated(formulas) = outcome else { panic!("{outcome:?}") };
    verify_sequence(&mut pool, &parts, &formulas, &Limits::none()).expect("they verify");
    assert_eq!(formulas[1], first);
    assert_eq!(counts.served.keys().collect::<Vec<_>>(), [&Served::WeakestPreconditions]);
}

#[test]
fn constants_outside_of_the_language_are_refused() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(32));
    let six = pool.bv(6u8, 32);
    let parts = [pool.eq(x, six), pool.ne(x, six)];
    let with_level = |level| Configuration {
        language: Some(Language { level, ..Language::default() }),
        ..Configuration::default()
    };
    let (outcome, counts) = run(&mut pool, &parts, &with_level(0));
    assert!(matches!(outcome, Outcome::NotInLanguage(Absence::NotFound)), "{outcome:?}");
    assert_eq!(counts, Counts::default());
    let (outcome, _) = run(&mut pool, &parts, &with_level(6));
    assert!(matches!(outcome, Outcome::Interpolated(_)), "{outcome:?}");
}

/// `x = 6; y = x; y != 6`: without the constant 6 nothing separates the first part from the others; with the
/// constants 5 and 7, `5 < x < 7` does.
#[test]
fn comparisons_are_found_or_proved_not_to_exist() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(32)));
    let six = pool.bv(6u8, 32);
    let parts = [pool.eq(x, six), pool.eq(y, x), pool.ne(y, six)];
    let with_constants = |constants: &[i32]| Configuration {
        language: Some(Language {
            constants: constants.iter().map(|&constant| constant.into()).collect(),
            level: 0,
            shapes: Shapes::Comparisons,
        }),
        ..Configuration::default()
    };
    let (outcome, counts) = run(&mut pool, &parts, &with_constants(&[5]));
    assert!(matches!(outcome, Outcome::NotInLanguage(Absence::Proved)), "{outcome:?}");
    assert_eq!(counts, Counts::default());
    let (outcome, counts) = run(&mut pool, &parts, &with_constants(&[5, 7]));
    let Outcome::Interpolated(formulas) = outcome else { panic!("{outcome:?}") };
    assert_eq!(counts.served.keys().collect::<Vec<_>>(), [&Served::Comparisons]);
    verify_sequence(&mut pool, &parts, &formulas, &Limits::none()).expect("they verify");
    let (outcome, _) = run(&mut pool, &parts, &with_constants(&[6]));
    assert!(matches!(outcome, Outcome::Interpolated(_)), "{outcome:?}");
}

#[test]
fn counters_stay_in_the_language_of_the_program() {
    let mut pool = TermPool::new();
    let case = cases::counters(&mut pool, 5);
    let language = Language::of(&pool, &case.parts, 0);
    let configuration = Configuration { language: Some(language), ..Configuration::default() };
    let (outcome, _) = run(&mut pool, &case.parts, &configuration);
    assert!(matches!(outcome, Outcome::Interpolated(_)), "{outcome:?}");
}

#[test]
fn satisfiable_parts_have_a_model() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(8));
    let three = pool.bv(3u8, 8);
    let parts = [pool.bv_ult(x, three), pool.ne(x, three)];
    let (outcome, _) = run(&mut pool, &parts, &Configuration::default());
    let Outcome::Satisfiable(model) = outcome else { panic!("{outcome:?}") };
    assert!(model.satisfies(&pool, parts[0]));
}
