//! Houdini and the minimisation of proofs, over obligations made by hand and over those of C programs.

use std::collections::BTreeMap;

use rorqual_cfa::Program;
use rorqual_encoding::{Encoding, Setting};
use rorqual_logic::{Sort, Term};
use rorqual_solver::Limits;

use crate::budgets::{Budgets, Houdini, Minimize};
use crate::contracts::{ContractRounds, Contracts, Formulas, Ignored, Source, evidence, needed};
use crate::obligations::{Lists, Obligations, Premise, Site};
use crate::{Facts, Interest, Round, houdini, minimize, proof, suffice};

const PRELUDE: &str = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);\n";

fn program(text: &str) -> Program {
    rorqual_testkit::program(&format!("{PRELUDE}{text}"))
}

fn encoding(program: &Program) -> Encoding<'_> {
    Encoding::of(program, Setting::default())
}

/// A number that starts at 0 and grows by 2 for ever; it must never be 7.
struct Counter {
    number: Term,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Start,
    Add,
    Violation,
}

impl Counter {
    fn number_is(&self, encoding: &mut Encoding<'_>, value: u8) -> Term {
        let value = encoding.pool.bv(value, 32);
        encoding.pool.eq(self.number, value)
    }
}

impl Obligations for Counter {
    type List = ();
    type Step = Step;

    fn steps(&self, _encoding: &mut Encoding<'_>) -> Vec<Step> {
        vec![Step::Start, Step::Add, Step::Violation]
    }

    fn conclusion(&self, _encoding: &mut Encoding<'_>, step: Step) -> Option<()> {
        (step != Step::Violation).then_some(())
    }

    fn assumed(&self, _encoding: &mut Encoding<'_>, step: Step) -> Vec<()> {
        if step == Step::Start { Vec::new() } else { vec![()] }
    }

    fn premises(
        &mut self,
        _encoding: &mut Encoding<'_>,
        step: Step,
        lists: &Lists<()>,
        _goals: &[Term],
    ) -> Vec<Premise<()>> {
        let conjuncts = lists[&()].iter().filter(|_| step != Step::Start);
        conjuncts.map(|&conjunct| (conjunct, Some(((), conjunct)))).collect()
    }

    fn sites(&self, encoding: &mut Encoding<'_>, step: Step, conjuncts: &[Term]) -> Vec<Site> {
        match step {
            Step::Start => vec![(self.number_is(encoding, 0), conjuncts.to_vec())],
            Step::Violation => vec![(self.number_is(encoding, 7), conjuncts.to_vec())],
            Step::Add => {
                let two = encoding.pool.bv(2u8, 32);
                let next = encoding.pool.bv_add(self.number, two);
                let updates = [(self.number, next)].into();
                let here = conjuncts.iter().map(|&one| encoding.pool.substitute(one, &updates)).collect();
                vec![(encoding.pool.top(), here)]
            }
        }
    }
}

/// Some statements about the number: it is even; it is no multiple of 4 plus 1; it is at most 100.
fn statements(encoding: &mut Encoding<'_>, number: Term) -> [Term; 3] {
    let pool = &mut encoding.pool;
    let (zero, one, most) = (pool.bv(0u8, 1), pool.bv(1u8, 2), pool.bv(100u8, 32));
    let (last, last_two) = (pool.bv_extract(number, 0, 0), pool.bv_extract(number, 1, 0));
    [pool.eq(last, zero), pool.ne(last_two, one), pool.bv_ule(number, most)]
}

fn counter(encoding: &mut Encoding<'_>) -> Counter {
    Counter { number: encoding.pool.symbol("number", Sort::BitVec(32)) }
}

/// What Houdini keeps of candidates for the counter.
fn kept(encoding: &mut Encoding<'_>, candidates: Vec<Term>, budget: Houdini) -> Vec<Term> {
    let mut counter = counter(encoding);
    let candidates = BTreeMap::from([((), candidates)]);
    let lists = houdini::largest_inductive(encoding, &mut counter, candidates, budget, &Limits::none());
    lists.expect("there are no limits").remove(&()).unwrap_or_default()
}

#[test]
fn houdini_keeps_what_is_inductive_together() {
    let program = program("int main(void) { return 0; }");
    let mut encoding = encoding(&program);
    let number = counter(&mut encoding).number;
    let [even, not_one, small] = statements(&mut encoding, number);
    let all = kept(&mut encoding, vec![small, not_one, even], Houdini::default());
    assert_eq!(all, [not_one, even], "one of them is inductive only with the other");
    assert_eq!(kept(&mut encoding, vec![small, not_one], Houdini::default()), []);
}

#[test]
fn houdini_proves_nothing_without_queries() {
    let program = program("int main(void) { return 0; }");
    let mut encoding = encoding(&program);
    let number = counter(&mut encoding).number;
    let [even, ..] = statements(&mut encoding, number);
    assert_eq!(kept(&mut encoding, vec![even], Houdini { queries: 1, ..Houdini::default() }), []);
}

#[test]
fn houdini_drops_only_what_is_too_hard() {
    let program = program("int main(void) { return 0; }");
    let mut encoding = encoding(&program);
    let number = counter(&mut encoding).number;
    let [even, not_one, _] = statements(&mut encoding, number);
    // That multiplication is distributive.
    let pool = &mut encoding.pool;
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, Sort::BitVec(32)));
    let square = pool.bv_mul(number, number);
    let (sum, products) = (pool.bv_add(a, b), [pool.bv_mul(square, a), pool.bv_mul(square, b)]);
    let (one, other) = (pool.bv_mul(square, sum), pool.bv_add(products[0], products[1]));
    let hard = pool.eq(one, other);
    let budget = Houdini { conflicts: 100, conflicts_of_part: 100, ..Houdini::default() };
    assert_eq!(kept(&mut encoding, vec![even, hard, not_one], budget), [even, not_one]);
}

#[test]
fn proofs_keep_the_conjuncts_that_they_need() {
    let program = program("int main(void) { return 0; }");
    let mut encoding = encoding(&program);
    let mut counter = counter(&mut encoding);
    let [even, not_one, small] = statements(&mut encoding, counter.number);
    let mut needed = |conjuncts: Vec<Term>| {
        let all = BTreeMap::from([((), conjuncts)]);
        minimize::needed(&mut encoding, &mut counter, all, Minimize::default(), &Limits::none())
    };
    assert_eq!(needed(vec![not_one, even]), BTreeMap::from([((), vec![even])]));
    // Without a proof all are kept.
    assert_eq!(needed(vec![not_one, small]), BTreeMap::from([((), vec![not_one, small])]));
}

#[test]
fn facts_at_points_exclude_violations() {
    let program = program(
        "int main(void) { int x = 0, y = 0;
            while (__VERIFIER_nondet_int()) { x++; y++; }
            if (x != y) __VERIFIER_error(); return 0; }",
    );
    let mut encoding = encoding(&program);
    let (mut facts, limits) = (Facts::none(), Limits::none());
    let round = Round::begin(&mut encoding, &Interest::new(), &Budgets::default(), &limits);
    let round = round.expect("the program is small");
    round.literals(&mut encoding, &mut facts, &limits);
    assert!(suffice(&mut encoding, &facts, round.points(), &limits), "{facts:?}");
    let invariant = proof::of_facts(&mut encoding, &facts, 100, &limits).expect("the program is small");
    let texts: Vec<String> = invariant
        .locations
        .iter()
        .map(|location| invariant.pool.display(location.formula).to_string())
        .collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts.iter().all(|text| text.len() < 40), "only the equation is needed: {texts:?}");
}

#[test]
fn contracts_of_recursive_functions_exclude_violations() {
    let program = program(
        "int f(int p) { if (p > 100) return p - 10; return f(f(p + 11)); }
        int main(void) { if (f(__VERIFIER_nondet_int()) < 91) __VERIFIER_error(); return 0; }",
    );
    let mut encoding = encoding(&program);
    let (limits, none) = (Limits::none(), Contracts::none());
    let mut rounds = ContractRounds::new(&mut encoding, &Budgets::default());
    assert_eq!(rounds.next_sources(), [Source::Samples]);
    let contracts = rounds
        .infer(&mut encoding, Source::Samples, &none, &Formulas::new(), &mut |_, _, _, _| (), &limits)
        .expect("there are no limits");
    let (procedures, ignored) = (rounds.procedures(), Ignored::new());
    assert!(contracts.suffice(&mut encoding, &procedures, &ignored, 10_000, &limits));
    let before = contracts.len();
    let needed = needed(&mut encoding, contracts, &procedures, &ignored, &limits);
    assert!(needed.len() < before && needed.suffice(&mut encoding, &procedures, &ignored, 10_000, &limits));
    assert_eq!(evidence(&mut encoding, &needed, &procedures).contracts.len(), 1);
}
