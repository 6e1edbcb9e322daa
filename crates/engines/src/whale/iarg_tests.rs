//! The rules of the inter-procedural ARG, on small programs.

use std::collections::BTreeSet;

use rorqual_encoding::{Encoding, Setting};
use rorqual_inference::contracts::{Spec, weaker_over};
use rorqual_logic::Sort;

use super::iarg::{ArgId, Iarg, Paths};

/// `first` and `second` call `shared`, which is recursive.
const PROGRAM: &str = "extern int any(void);
    int shared(int n) { if (n > 0) return shared(n - 1); return n; }
    int first(int n) { if (any()) return shared(n) + 1; return shared(n + 1) + first(n - 1); }
    int second(int n) { if (any()) return n; return second(n - 1) + shared(n); }
    int main(void) { return first(1) + second(2); }";

/// An inter-procedural ARG in which the first ARG, those of `first` and `second` and those that they call are complete.
fn expanded(encoding: &mut Encoding<'_>, merges: bool) -> Iarg {
    let first = encoding.first_procedure();
    let mut iarg = Iarg::new(&mut encoding.pool, first, merges);
    expand(encoding, &mut iarg, Iarg::root());
    for callee in callees(&iarg, Iarg::root()) {
        expand(encoding, &mut iarg, callee);
    }
    iarg
}

fn expand(encoding: &mut Encoding<'_>, iarg: &mut Iarg, id: ArgId) {
    let body = encoding.body_of(iarg.get(id).procedure);
    assert!(iarg.expand(&mut encoding.pool, id, &body, &Paths::All));
}

fn callees(iarg: &Iarg, id: ArgId) -> Vec<ArgId> {
    iarg.get(id).callees.values().copied().collect()
}

fn with_encoding(test: impl FnOnce(&mut Encoding<'_>)) {
    let program = rorqual_testkit::program(PROGRAM);
    test(&mut Encoding::of(&program, Setting::default()));
}

#[test]
fn calls_have_args_of_their_own() {
    with_encoding(|encoding| {
        let iarg = expanded(encoding, false);
        let all: Vec<ArgId> = iarg.ids().flat_map(|id| callees(&iarg, id)).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    });
}

#[test]
fn merged_calls_share_an_arg_unless_it_would_justify_itself() {
    with_encoding(|encoding| {
        let mut iarg = expanded(encoding, true);
        let top = callees(&iarg, Iarg::root());
        let [first, second] = top[..] else { panic!("{top:?}") };
        let of_first: BTreeSet<ArgId> = callees(&iarg, first).into_iter().collect();
        let of_second: BTreeSet<ArgId> = callees(&iarg, second).into_iter().collect();
        let shared: Vec<ArgId> = of_first.intersection(&of_second).copied().collect();
        let [shared] = shared[..] else { panic!("{shared:?}") };
        assert_eq!(iarg.callers(shared), BTreeSet::from([first, second]));
        assert!(!of_first.contains(&first), "a function does not justify its own recursive call");
        expand(encoding, &mut iarg, shared);
        assert_ne!(callees(&iarg, shared), [shared]);
    });
}

#[test]
fn reset_takes_back_only_what_the_arg_itself_demands() {
    with_encoding(|encoding| {
        let mut iarg = expanded(encoding, true);
        let top = callees(&iarg, Iarg::root());
        let sites: Vec<_> = iarg.get(top[0]).callees.iter().map(|(&call, &callee)| (call, callee)).collect();
        let is_shared = |callee: ArgId| iarg.callers(callee).len() == 2;
        let (call, shared) = sites.into_iter().find(|&(_, callee)| is_shared(callee)).expect("both call it");
        let (other, _) = iarg.get(top[1]).callees.iter().find(|&(_, &callee)| callee == shared).expect("so");
        let other = *other;
        let guards = ["x", "y"].map(|name| encoding.pool.symbol(name, Sort::Bool));
        let spec = |guard| Spec { guard, summaries: std::collections::BTreeMap::new() };
        iarg.update(&mut encoding.pool, (top[0], call), &spec(guards[0]));
        iarg.update(&mut encoding.pool, (top[1], other), &spec(guards[1]));
        let both = encoding.pool.or(&guards);
        assert_eq!(iarg.get(shared).spec.guard, both);
        iarg.set_safe(shared);
        iarg.reset(&mut encoding.pool, top[0]);
        assert_eq!(iarg.get(shared).spec.guard, guards[1]);
        assert!(iarg.get(shared).is_safe, "a weaker specification holds as well");
        iarg.reset(&mut encoding.pool, top[1]);
        assert!(!iarg.is_demanded(shared) && !iarg.get(shared).is_safe);
    });
}

#[test]
fn what_is_covered_covers_nothing() {
    with_encoding(|encoding| {
        let mut iarg = expanded(encoding, false);
        let top = callees(&iarg, Iarg::root());
        // The recursive calls of `first` and of `second`, and calls of `shared` in these.
        let [(inner_first, early), (_, late)] = [top[0], top[1]].map(|outer| {
            let procedure = iarg.get(outer).procedure;
            let is_same = |iarg: &Iarg, id: ArgId| iarg.get(id).procedure == procedure;
            let inner =
                callees(&iarg, outer).into_iter().find(|&id| is_same(&iarg, id)).expect("it is recursive");
            expand(encoding, &mut iarg, inner);
            let shared =
                callees(&iarg, inner).into_iter().find(|&id| !is_same(&iarg, id)).expect("it calls others");
            (inner, shared)
        });
        assert!(iarg.candidates(late).contains(&early));
        assert!(iarg.cover(late, early).is_empty());
        assert!(!iarg.uncovered().contains(&late));
        // Once the recursive call of `first` is covered, nobody explores `early`.
        assert_eq!(iarg.cover(inner_first, top[0]), [late]);
        let uncovered = iarg.uncovered();
        assert!(!uncovered.contains(&early) && uncovered.contains(&late));
    });
}

#[test]
fn projections_are_weaker_and_forget_other_symbols() {
    with_encoding(|encoding| {
        let pool = &mut encoding.pool;
        let [kept, other] = ["kept", "other"].map(|name| pool.symbol(name, Sort::Bool));
        let symbols = BTreeSet::from([kept]);
        let both = pool.and2(kept, other);
        assert_eq!(weaker_over(pool, both, &symbols), kept);
        let implied = pool.implies(other, kept);
        let top = pool.top();
        assert_eq!(weaker_over(pool, implied, &symbols), top);
        let negated = pool.not(implied);
        let not = pool.not(kept);
        assert_eq!(weaker_over(pool, negated, &symbols), not);
        let choice = pool.ite(other, kept, both);
        assert_eq!(weaker_over(pool, choice, &symbols), kept);
    });
}
