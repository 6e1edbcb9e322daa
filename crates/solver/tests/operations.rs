//! Every family of operations against the oracle: 20,000 formulas each.

mod support;

use rorqual_logic::{Term, TermPool};
use rorqual_solver::{Answer, BitVecSolver, Limits};
use support::oracle::Oracle;
use support::random::{Family, Terms};

const FORMULAS: u64 = 20_000;

/// Formulas that share one solver: enough to test reuse, few enough for it to stay small.
const BATCH: u64 = 25;

fn check(pool: &mut TermPool, solver: &mut BitVecSolver, query: &[Term], seed: u64) -> bool {
    let expected = Oracle::new(pool, query).is_satisfiable();
    match solver.check(pool, query, &Limits::none()) {
        Answer::Sat(model) => {
            assert!(expected, "seed {seed}: a model of a contradiction");
            assert!(query.iter().all(|&formula| model.satisfies(pool, formula)), "seed {seed}: no model");
        }
        Answer::Unsat(core) => {
            assert!(!expected, "seed {seed}: a model is missed");
            assert!(core.assumptions().iter().all(|formula| query.contains(formula)), "seed {seed}");
            let core_is_satisfiable = Oracle::new(pool, core.assumptions()).is_satisfiable();
            assert!(!core_is_satisfiable, "seed {seed}: not a core");
        }
        Answer::Unknown(reason) => panic!("seed {seed}: {reason}"),
    }
    expected
}

fn family(family: Family) {
    let mut satisfiable = 0;
    for batch in 0..FORMULAS / BATCH {
        let width = (batch % 8) as u32 + 1;
        // At most 12 bits, and 8 most of the time.
        let limit = if batch / 8 % 16 == 0 { 12 } else { 8 };
        let symbols = (limit / width).clamp(1, 3) as usize;
        let mut pool = TermPool::new();
        let mut terms = Terms::new(&mut pool, batch << 8 | family as u64, family, width, symbols);
        let mut solver = BitVecSolver::new();
        for at in 0..BATCH {
            let atoms = 1 + terms.random.below(3);
            // Nested division is slow for the solver and adds little.
            let depth = if family == Family::Division { 1 } else { 1 + terms.random.below(2) as u32 };
            let levels = u32::from(family == Family::Choice);
            let query: Vec<Term> = (0..atoms).map(|_| terms.formula(&mut pool, levels, depth)).collect();
            satisfiable += u64::from(check(&mut pool, &mut solver, &query, batch * BATCH + at));
        }
    }
    // A family where all answers are alike would test little.
    assert!((FORMULAS / 20..FORMULAS * 19 / 20).contains(&satisfiable), "{satisfiable} are satisfiable");
}

macro_rules! families {
    ($($name:ident: $family:ident,)*) => {
        $(#[test]
        fn $name() {
            family(Family::$family);
        })*
    };
}

families! {
    sums_agree_with_the_oracle: Sums,
    products_agree_with_the_oracle: Products,
    divisions_agree_with_the_oracle: Division,
    shifts_and_rotations_agree_with_the_oracle: Shifts,
    bitwise_operations_agree_with_the_oracle: Bitwise,
    extraction_and_extension_agree_with_the_oracle: Structure,
    comparisons_agree_with_the_oracle: Comparison,
    overflow_predicates_agree_with_the_oracle: Overflow,
    boolean_operations_agree_with_the_oracle: Choice,
    mixed_operations_agree_with_the_oracle: All,
}
