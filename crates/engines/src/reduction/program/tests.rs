use rorqual_cfa::{Id, Operation, Program, violations};

use super::{Asserted, Deepest, Demands, Instances, Recursion, Summaries, asserted, unwound};
use crate::reduction::summary::Conjunct;
use crate::tests::program;

const MUTUAL: &str = "int g; int odd(int n);
    int even(int n) { if (n == 0) return 1; n--; return odd(n); }
    int odd(int n) { if (n == 0) return 0; g++; return even(n - 1); }
    int main(void) { return even(__VERIFIER_nondet_int()); }";

/// The names of functions with a body that are called.
fn names(program: &Program) -> Vec<&str> {
    let with_body = program.functions.values().filter(|function| function.body.is_some());
    with_body.map(|function| function.name.as_str()).filter(|name| name.contains("__")).collect()
}

fn operations(program: &Program, name: &str) -> Vec<Operation> {
    let function = program.function_named(name).expect("it is there");
    let body = program.functions[function].body.as_ref().expect("it has a body");
    body.edges().values().map(|edge| edge.operation.clone()).collect()
}

#[test]
fn each_depth_has_a_copy() {
    let program = program(MUTUAL);
    let recursion = Recursion::of(&program);
    let reduced = unwound(&program, &recursion, 3, Deepest::Blocked);
    assert_eq!(violations(&reduced.program), Vec::<String>::new());
    assert!(Recursion::of(&reduced.program).is_empty());
    let mut found = names(&reduced.program);
    found.retain(|name| !name.starts_with("__VERIFIER"));
    assert_eq!(found, ["even__1", "odd__2", "even__3"]);
}

#[test]
fn the_outermost_copies_are_marked() {
    let program = program(MUTUAL);
    let recursion = Recursion::of(&program);
    let reduced = unwound(&program, &recursion, 3, Deepest::Blocked);
    let marked = |pair: &super::Pair| {
        let function = &reduced.program.functions[pair.copy];
        let locations = function.body.as_ref().expect("it has one").locations();
        assert!(locations[pair.entry].is_marked && locations[pair.exit].is_marked);
        function.name.clone()
    };
    assert_eq!(reduced.pairs.iter().map(marked).collect::<Vec<_>>(), ["even__1", "odd__2"]);
}

#[test]
fn blocked_calls_end_and_forbidden_ones_fail() {
    let program = program(MUTUAL);
    let recursion = Recursion::of(&program);
    let count = |deepest: Deepest<'_>| {
        let reduced = unwound(&program, &recursion, 1, deepest);
        let all = operations(&reduced.program, "even__1");
        let errors = all.iter().filter(|operation| matches!(operation, Operation::Error(_))).count();
        let calls = all.iter().filter(|operation| matches!(operation, Operation::Call { .. })).count();
        (errors, calls)
    };
    assert_eq!(count(Deepest::Blocked), (0, 0));
    assert_eq!(count(Deepest::Forbidden), (1, 0));
}

#[test]
fn locations_and_edges_are_found_again() {
    let program = program(MUTUAL);
    let recursion = Recursion::of(&program);
    let reduced = unwound(&program, &recursion, 2, Deepest::Blocked);
    let even = program.function_named("even").expect("it is there");
    let copy = reduced.program.function_named("even__1").expect("it is there");
    let (old, new) = (&program.functions[even].body, &reduced.program.functions[copy].body);
    let (old, new) = (old.as_ref().expect("it has one"), new.as_ref().expect("it has one"));
    let found: Vec<usize> = new
        .locations()
        .ids()
        .filter_map(|location| reduced.original_location(copy, location))
        .map(|(function, location)| {
            assert_eq!(function, even);
            location.index()
        })
        .collect();
    for location in old.locations().ids().filter(|&location| location != old.exit()) {
        assert!(found.contains(&location.index()), "{location:?} of {found:?}");
    }
}

#[test]
fn summaries_are_assumed_and_asserted() {
    let program =
        program("int f(int n) { if (n <= 0) return 0; return f(n - 1); } int main(void) { return f(3); }");
    let recursion = Recursion::of(&program);
    let function = program.function_named("f").expect("it is there");
    let mut summaries = Summaries::default();
    let zero = summaries.pool.bv(0u8, 32);
    let result = summaries.pool.symbol("f::return", rorqual_logic::Sort::BitVec(32));
    let claim = summaries.pool.eq(result, zero);
    summaries.add(Conjunct::Ensures(function, claim));
    let instances = Instances { summaries: &summaries, demands: &Demands::new(), own_errors: true };
    let reduced = asserted(&program, &recursion, Asserted { function, instances, claims: &[claim] });
    assert_eq!(violations(&reduced.program), Vec::<String>::new());
    let errors = |name: &str| {
        let all = operations(&reduced.program, name);
        all.into_iter().filter(|operation| matches!(operation, Operation::Error(_))).count()
    };
    assert_eq!((errors("check_summary"), errors("f__1")), (1, 0));
    let main = unwound(&program, &recursion, 0, Deepest::Summarised(instances));
    let has_havoc = |operation: &Operation| matches!(operation, Operation::Havoc { .. });
    assert!(operations(&main.program, "main").iter().any(has_havoc));
}
