//! IMPACT as in its paper, without help.

use super::{Impact, Interpolants};
use crate::Blocks;
use crate::tests::{pair, prove, refute};

fn with(blocks: Blocks) -> Impact {
    Impact { blocks, ..Impact::default() }
}

/// UNWIND(L).
fn restricted() -> Impact {
    Impact { interpolants: Interpolants::Restricted { last_level: 3 }, ..Impact::default() }
}

fn all_kinds() -> [Impact; 4] {
    let basic = with(Blocks::Basic);
    [basic, with(Blocks::Large), restricted(), Impact { blocks: Blocks::Basic, ..restricted() }]
}

#[test]
fn branches() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); int y = 0;
        if (x > 10) { y = 1; } else if (x HERE 10) { y = 2; }
        if (y == 0) __VERIFIER_assert(x < 10); return 0; }";
    for impact in all_kinds() {
        pair(&impact, text, "==", "!=");
    }
}

#[test]
fn calls_with_results() {
    let text = "int g; int twice(int x) { g = g + 1; return x + x; }
        int main(void) { int a = twice(3); int b = twice(a); __VERIFIER_assert(b == 12 && g == HERE); return 0; }";
    for impact in all_kinds() {
        pair(&impact, text, "2", "1");
    }
}

#[test]
fn counting_loops() {
    let text = "int main(void) { int i; for (i = 0; i < 4; i++) ; __VERIFIER_assert(i HERE 4); return 0; }";
    for impact in all_kinds() {
        pair(&impact, text, "==", "<");
    }
}

#[test]
fn modes_and_counters() {
    let text = "int main(void) { int state = 1; int seen = 0;
        while (__VERIFIER_nondet_int()) {
            if (state == 1) { state = 2; }
            else if (state == 2) { if (seen == 0) seen = 1; state = 3; }
            else if (state == 3) { __VERIFIER_assert(seen == HERE); state = 2; }
        } return 0; }";
    for impact in [with(Blocks::Large), restricted()] {
        pair(&impact, text, "1", "0");
    }
}

/// The example of the paper, with its predicates.
#[test]
fn the_lock_of_the_paper() {
    let text = "int main(void) { int lock = 0; int old; int new = __VERIFIER_nondet_int();
        do {
            __VERIFIER_assert(lock == 0); lock = 1;
            old = new;
            if (__VERIFIER_nondet_int()) { HERE lock = 0; new = new + 1; }
        } while (new != old);
        __VERIFIER_assert(lock == 1); return 0; }";
    let invariant = prove(&with(Blocks::Basic), &text.replace("HERE", ""));
    let labels: Vec<String> =
        invariant.locations.iter().map(|place| invariant.pool.display(place.formula).to_string()).collect();
    let mentions = |what: &[&str]| labels.iter().any(|label| what.iter().any(|what| label.contains(what)));
    assert!(mentions(&["main::lock == 0"]), "{labels:?}");
    assert!(mentions(&["main::old == main::new", "main::new == main::old"]), "{labels:?}");
    for impact in all_kinds() {
        pair(&impact, text, "", "new = new - 1;");
    }
}

#[test]
fn what_cannot_go_wrong_is_not_unwound() {
    let text = "int main(void) { int i = 0, j = 0, k;
        while (i < 10) i++;
        __VERIFIER_assert(i == HERE);
        for (j = 0; j < 100; j++) for (k = 0; k < j; k++) i = i ^ (k + j);
        return 0; }";
    let invariant = prove(&Impact::default(), &text.replace("HERE", "10"));
    let trivial = |formula| invariant.pool.as_bool(formula) == Some(true);
    let unknown = invariant.locations.iter().filter(|location| trivial(location.formula)).count();
    assert_eq!(unknown, 3, "the start and both loops behind the check need nothing");
    refute(&Impact::default(), &text.replace("HERE", "11"));
}

#[test]
fn tables_are_known_element_by_element() {
    let text = "int main(void) { int weight[3] = {1, 2, HERE}; int sum = 0;
        while (__VERIFIER_nondet_int()) {
            unsigned int at = __VERIFIER_nondet_int();
            if (at < 3) { __VERIFIER_assert(weight[at] > 0); sum = weight[at]; }
        } return 0; }";
    refute(&Impact::default(), &text.replace("HERE", "0"));
}
