//! Every constructor means what it says: random terms against the operations' definitions.

use crate::pool::TermPool;
use crate::smtlib::{parse_term, term_text};
use crate::sort::Sort;
use crate::testing::{Bank, Family, Generator};

/// Terms of each family, mixed with the other families so that rules meet all kinds of arguments.
fn check_family(family: Family, others: &[Family]) {
    let widths: [&[u32]; 12] = [
        &[1, 2],
        &[1, 3, 4],
        &[2, 5],
        &[3, 6],
        &[4, 8],
        &[1, 7, 8],
        &[5, 7],
        &[2, 3, 6],
        &[1],
        &[8, 32],
        &[32, 64],
        &[33, 100],
    ];
    let mut checked = 0;
    for seed in 0..1200u64 {
        let mut generator = Generator::new(seed * 31 + family as u64);
        let mut pool = TermPool::new();
        let widths = widths[seed as usize % widths.len()];
        let mut bank = Bank::new(&mut generator, &mut pool, widths, 6);
        for _ in 0..36 {
            let family = if generator.below(3) > 0 || others.is_empty() {
                checked += 1;
                family
            } else {
                others[generator.below(others.len())]
            };
            let step = bank.step(&mut generator, &mut pool, family);
            bank.check(&pool, &step);
        }
    }
    assert!(checked >= 20_000, "only {checked} terms of {family:?}");
}

#[test]
fn boolean_terms() {
    check_family(Family::Boolean, &[Family::Comparisons]);
}

#[test]
fn sums() {
    check_family(Family::Sums, &[Family::Slices, Family::Bitwise]);
}

#[test]
fn bitwise_operations() {
    check_family(Family::Bitwise, &[Family::Slices, Family::Sums]);
}

#[test]
fn divisions_and_shifts() {
    check_family(Family::Division, &[Family::Slices, Family::Sums]);
}

#[test]
fn slices() {
    check_family(Family::Slices, &[Family::Sums, Family::Bitwise, Family::Division]);
}

#[test]
fn comparisons() {
    check_family(Family::Comparisons, &[Family::Sums, Family::Slices, Family::Boolean]);
}

#[test]
fn overflows() {
    check_family(Family::Overflows, &[Family::Slices, Family::Sums]);
}

#[test]
fn arrays() {
    check_family(Family::Arrays, &[Family::Sums, Family::Boolean]);
}

#[test]
fn functions() {
    check_family(Family::Functions, &[Family::Sums, Family::Boolean]);
}

#[test]
fn integers() {
    check_family(Family::Integers, &[Family::Boolean]);
}

/// Each rule, as two texts that become one term.
#[test]
fn rules_fire() {
    let rules = [
        ("(bvsub (bvadd x y) x)", "y"),
        ("(bvsub x x)", "#x00000000"),
        ("(bvadd x x)", "(bvmul #x00000002 x)"),
        ("(bvshl x #x00000003)", "(bvmul #x00000008 x)"),
        ("(bvadd (bvadd x y) z)", "(bvadd z (bvadd y x))"),
        ("(bvmul #x00000004 (bvadd x #x00000001))", "(bvadd #x00000004 (bvmul #x00000004 x))"),
        ("(bvneg (bvsub x y))", "(bvsub y x)"),
        ("(bvadd (bvnot x) #x00000001)", "(bvneg x)"),
        ("(bvsub #xffffffff x)", "(bvnot x)"),
        ("(bvmul (bvneg x) (bvmul #x00000003 y))", "(bvmul #xfffffffd (bvmul x y))"),
        ("(= (bvadd x #x00000001) (bvadd y #x00000003))", "(= x (bvadd y #x00000002))"),
        ("(= (bvadd x y) (bvadd x z))", "(= y z)"),
        ("(= (bvadd x #x00000001) (bvadd x #x00000002))", "false"),
        ("(bvand #x000000ff (bvand x #x00000f0f))", "(bvand x #x0000000f)"),
        ("(bvxor x (bvxor y x))", "y"),
        ("((_ extract 7 0) (bvadd ((_ zero_extend 24) c) #x00000001))", "(bvadd c #x01)"),
        ("((_ extract 11 4) ((_ zero_extend 24) c))", "((_ zero_extend 4) ((_ extract 7 4) c))"),
        ("((_ extract 15 8) ((_ sign_extend 24) c))", "((_ sign_extend 7) ((_ extract 7 7) c))"),
        ("(bvult ((_ zero_extend 24) c) ((_ zero_extend 24) d))", "(bvult c d)"),
        ("(bvslt ((_ zero_extend 24) c) ((_ zero_extend 24) d))", "(bvult c d)"),
        ("(bvslt ((_ sign_extend 24) c) ((_ sign_extend 24) d))", "(bvslt c d)"),
        ("(= ((_ zero_extend 24) c) ((_ zero_extend 24) d))", "(= c d)"),
        ("(bvsle ((_ zero_extend 24) c) #x00000007)", "(bvule c #x07)"),
        ("(bvslt ((_ sign_extend 24) c) #xfffffff0)", "(bvslt c #xf0)"),
        ("(bvult ((_ zero_extend 24) c) #x00000100)", "true"),
        ("(bvslt ((_ sign_extend 24) c) #x00000080)", "true"),
        ("(bvsdiv ((_ zero_extend 24) c) #x00000003)", "(bvudiv ((_ zero_extend 24) c) #x00000003)"),
        ("(and p (or p q))", "p"),
        ("(and p (or (not p) q))", "(and p q)"),
        ("(or p (and (not p) q))", "(or p q)"),
        ("(and (bvult x y) (or (bvule y x) q))", "(and (bvult x y) q)"),
        ("(= (not p) (not q))", "(= p q)"),
        ("(ite p p q)", "(or p q)"),
        ("(ite p q (not q))", "(= p q)"),
        ("(ite p (ite p x y) z)", "(ite p x z)"),
        ("(ite p (ite q x y) y)", "(ite (and p q) x y)"),
        ("(ite p x (ite q x y))", "(ite (or p q) x y)"),
        ("(select (store a (bvadd x #x00000001) c) x)", "(select a x)"),
        ("(store a x (select a x))", "a"),
        ("(+ n (* 2 m) (- n) 1)", "(+ 1 (* 2 m))"),
        ("(bvadd (bvurem x y) (bvmul (bvudiv x y) y))", "x"),
        ("(bvadd (bvmul y (bvsdiv x y)) z (bvsrem x y))", "(bvadd x z)"),
        ("(bvadd (bvmul #x0000000a (bvudiv x #x0000000a)) (bvurem x #x0000000a))", "x"),
        ("(bvsub z (bvurem x y) (bvmul (bvudiv x y) y))", "(bvsub z x)"),
        ("(<= (+ n 1) (+ 2 n))", "true"),
        ("(= (+ n 1) (+ 2 n))", "false"),
    ];
    let mut pool = TermPool::new();
    let array = Sort::Array { index: 32, element: 8 };
    let symbols =
        [("x y z", Sort::BitVec(32)), ("c d", Sort::BitVec(8)), ("p q", Sort::Bool), ("n m", Sort::Int)];
    for (names, sort) in symbols.into_iter().chain([("a", array)]) {
        for name in names.split(' ') {
            pool.symbol(name, sort);
        }
    }
    for (from, to) in rules {
        let terms = (parse_term(&mut pool, from).unwrap(), parse_term(&mut pool, to).unwrap());
        assert_eq!(terms.0, terms.1, "{from} became {}", term_text(&pool, terms.0));
    }
}

/// Long sums take linear time and still gather their constants.
#[test]
fn long_sums_are_built_quickly() {
    let mut pool = TermPool::new();
    let mut sum = pool.bv(0u8, 32);
    for at in 0..5000 {
        let (symbol, one) = (pool.symbol(&format!("x{at}"), Sort::BitVec(32)), pool.bv(1u8, 32));
        let next = pool.bv_add(symbol, one);
        sum = pool.bv_add(sum, next);
    }
    assert!(pool.len() < 40_000, "{} terms", pool.len());
    let first = pool.arguments(sum)[0];
    assert_eq!(pool.as_bits(first).and_then(crate::Bits::to_u64), Some(5000));
}

/// Implications along a path are resolved in linear time, without deep recursion.
#[test]
fn long_chains_of_implications_are_resolved() {
    let mut pool = TermPool::new();
    let symbols: Vec<_> = (0..100_000).map(|at| pool.symbol(&format!("p{at}"), Sort::Bool)).collect();
    let mut parts = vec![symbols[0]];
    for pair in symbols.windows(2) {
        parts.push(pool.implies(pair[0], pair[1]));
    }
    let (chain, all) = (pool.and(&parts), pool.and(&symbols));
    assert_eq!(chain, all);
}

/// Extraction walks down nested vectors without recursion.
#[test]
fn long_concatenations_are_cut() {
    let mut pool = TermPool::new();
    let bit = pool.symbol("b", Sort::BitVec(1));
    let long = parse_term(&mut pool, "((_ repeat 60000) b)").unwrap();
    assert_eq!(pool.bv_extract(long, 0, 0), bit);
    assert_eq!(pool.bv_extract(long, 59_999, 59_999), bit);
}
