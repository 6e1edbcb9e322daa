//! Contracts: good ones are accepted, and each way of spoiling one is noticed.

mod support;

use std::fmt::Write;

use rorqual_certificate::{Outcome, check, parse, write};
use rorqual_cfa::{DataModel, Id, Operation, Program};
use rorqual_solver::Limits;
use support::{head, program};

/// What a contract of a test is about.
enum About {
    Function(&'static str),
    /// The only loop of a function.
    Loop(&'static str),
}

use About::{Function, Loop};

type Contract = (About, &'static str, &'static str);

/// The text of a contract, with the numbers of locations.
fn contract_text(program: &Program, (about, requires, ensures): &Contract) -> String {
    let (Function(name) | Loop(name)) = about;
    let function = program.function_named(name).expect("the function is there");
    let body = program.functions[function].body.as_ref().expect("it has a body");
    let mut text = String::new();
    let exit = match about {
        Function(_) => {
            let _ = writeln!(text, "contract {name}");
            body.exit()
        }
        Loop(_) => {
            let is_head = |at: &rorqual_cfa::LocationId| !body.locations()[*at].loop_statements.is_empty();
            let found = body.locations().ids().find(is_head).expect("there is a loop");
            let _ = writeln!(text, "contract {name} loop {}", found.index());
            let leaves = |edge: &rorqual_cfa::EdgeId| {
                matches!(body.edges()[*edge].operation, Operation::Assume { holds: false, .. })
            };
            body.edges()[body.outgoing(found).find(leaves).expect("it is left")].target
        }
    };
    let _ = writeln!(text, "requires\n  {requires}\nensures at {}\n  {ensures}", exit.index());
    text
}

fn outcome(text: &str, contracts: &[Contract]) -> Outcome {
    let program = program(DataModel::Lp64, text);
    let mut certificate = head(&program).replacen("certificate 1", "certificate 2", 1);
    for contract in contracts {
        certificate += &contract_text(&program, contract);
    }
    certificate += "end\n";
    let read = parse(&program, &certificate).expect("the certificate can be read");
    let again =
        parse(&program, &write(&program, &read.claim, &read.header, None)).expect("it can be written");
    assert_eq!(
        support::invariant(&read.claim).contracts.len(),
        support::invariant(&again.claim).contracts.len()
    );
    let outcomes = [&read, &again].map(|one| check(&program, &one.claim, &Limits::none()));
    assert_eq!(outcomes[0], outcomes[1], "what is written says the same");
    outcomes.into_iter().next().expect("there are two")
}

#[track_caller]
fn accepts(text: &str, contracts: &[Contract]) {
    let outcome = outcome(text, contracts);
    assert!(matches!(outcome, Outcome::Accepted { .. }), "{outcome:?}");
}

#[track_caller]
fn rejects(text: &str, contracts: &[Contract], part: &str) {
    let outcome = outcome(text, contracts);
    let Outcome::Rejected(rejection) = outcome else { panic!("{outcome:?}") };
    let said = format!("{}: {}", rejection.obligation, rejection.reason);
    assert!(said.contains(part), "{said}");
}

const NINETY_ONE: &str = "int f(int p) { if (p > 100) return p - 10; return f(f(p + 11)); }
    int main(void) { if (f(__VERIFIER_nondet_int()) < 91) reach_error(); return 0; }";

#[test]
fn the_example_of_the_whale_paper() {
    let good = "(bvsge |f::return| #x0000005b)";
    accepts(NINETY_ONE, &[(Function("f"), "true", good)]);
    rejects(NINETY_ONE, &[], "recursion of `f`");
    rejects(NINETY_ONE, &[(Function("f"), "true", "true")], "`reach_error` is called");
    rejects(
        NINETY_ONE,
        &[(Function("f"), "true", "(bvsge |f::return| #x0000005c)")],
        "ensures what its contract says",
    );
    rejects(
        NINETY_ONE,
        &[(Function("f"), "(bvsle |f::p| #x00000064)", good)],
        "the requirement of `f` is not met",
    );
    rejects(NINETY_ONE, &[(Function("f"), "false", "false")], "the requirement of `f` is not met");
}

#[test]
fn old_values_are_those_of_the_call() {
    let text = "int f(int n) { int m = n; n = 0; return m == 0 ? 0 : f(m - 1) + 1; }
        int main(void) { int x = __VERIFIER_nondet_int(); if (f(x) != x) reach_error(); return 0; }";
    accepts(text, &[(Function("f"), "true", "(= |f::return| |old f::n|)")]);
    rejects(text, &[(Function("f"), "true", "(= |f::return| |f::n|)")], "`f::n` is not in scope");
    rejects(text, &[(Function("f"), "(= |old f::n| #x00000000)", "true")], "`old f::n` is not in scope");
    rejects(text, &[(Function("f"), "(= |f::m| #x00000000)", "true")], "`f::m` is not in scope");
    rejects(text, &[(Function("f"), "true", "(= |f::return| |old main::x|)")], "is not in scope");
}

#[test]
fn what_a_function_may_write_is_forgotten() {
    let text = "int g; void f(int n) { if (n > 0) { g = g + 2; f(n - 1); } }
        int main(void) { g = 0; int kept = 7; f(__VERIFIER_nondet_int()); if (kept != 7 || g % 2) reach_error(); return 0; }";
    let even = "(= ((_ extract 0 0) g) ((_ extract 0 0) |old g|))";
    accepts(text, &[(Function("f"), "true", even)]);
    rejects(text, &[(Function("f"), "true", "true")], "`reach_error` is called");
    rejects(text, &[(Function("f"), "true", "(= g |old g|)")], "ensures what its contract says");
}

#[test]
fn callers_variables_behind_pointers() {
    let text = "void f(int *p, int n) { if (n > 0) { *p = 1; f(p, n - 1); } }
        int main(void) { int x = 0, y = 5; f(&x, 3); if (x < 0 || x > 1 || y != 5) reach_error(); return 0; }";
    let kept = "(and (bvsge |main::x| #x00000000) (bvsle |main::x| #x00000001))";
    let stays = "(=> (and (bvsge |old main::x| #x00000000) (bvsle |old main::x| #x00000001))
        (and (bvsge |main::x| #x00000000) (bvsle |main::x| #x00000001)))";
    accepts(text, &[(Function("f"), "true", stays)]);
    rejects(text, &[(Function("f"), "true", kept)], "ensures what its contract says");
    rejects(text, &[(Function("f"), "true", "true")], "`reach_error` is called");
}

#[test]
fn two_functions_that_call_each_other() {
    let text = "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); }
        int odd(int n) { return n == 0 ? 0 : even(n - 1); }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0 && even(n) == n % 2) reach_error(); return 0; }";
    let even = "(= ((_ zero_extend 31) (bvnot ((_ extract 0 0) |old even::n|))) |even::return|)";
    let odd = "(= ((_ zero_extend 31) ((_ extract 0 0) |old odd::n|)) |odd::return|)";
    accepts(text, &[(Function("even"), "true", even), (Function("odd"), "true", odd)]);
    rejects(text, &[(Function("even"), "true", even), (Function("odd"), "true", "true")], "`even` ensures");
    // Each function that may be active already needs a contract.
    rejects(text, &[(Function("even"), "true", even)], "recursion of `odd`");
}

const COUNTER: &str = "int main(void) { int i = 0, x = 0, n = __VERIFIER_nondet_int();
    while (i < 10) { i++; x += 2; } if (x != 20 || n != n) reach_error(); return 0; }";

#[test]
fn loops_are_procedures() {
    let requires = "(and (= |main::x| (bvmul #x00000002 |main::i|)) (bvsle |main::i| #x0000000a) (bvsle #x00000000 |main::i|))";
    accepts(COUNTER, &[(Loop("main"), requires, "(= |main::x| #x00000014)")]);
    rejects(COUNTER, &[], "a cycle through");
    rejects(COUNTER, &[(Loop("main"), requires, "true")], "`reach_error` is called");
    rejects(COUNTER, &[(Loop("main"), "true", "(= |main::x| #x00000014)")], "ensures what its contract says");
    rejects(
        COUNTER,
        &[(Loop("main"), "(= |main::x| #x00000000)", "(= |main::x| #x00000014)")],
        "the requirement of the loop",
    );
    // What relates start and end does without an invariant.
    let relates = "(=> (and (bvsle |old main::i| #x0000000a) (bvsle #x00000000 |old main::i|))
        (= (bvsub |main::x| |old main::x|) (bvmul #x00000002 (bvsub #x0000000a |old main::i|))))";
    accepts(COUNTER, &[(Loop("main"), "true", relates)]);
}

#[test]
fn loops_must_name_all_their_exits() {
    let text = "int main(void) { int i = 0; while (i < 10) { if (i == 5) return 1; i++; } return 0; }";
    rejects(text, &[(Loop("main"), "true", "true")], "may return");
}

#[test]
fn several_variables_with_one_name_are_refused() {
    let text = "int f(int *p, int n) { int x = *p; return n ? f(&x, n - 1) : x; }
        int main(void) { int y = 3; if (f(&y, 4) != 3) reach_error(); return 0; }";
    let refusal = "several calls of one function may share `f::x`";
    rejects(text, &[(Function("f"), "true", "true")], refusal);
    let text = "int *kept; int f(int n) { int x = n; if (n == 4) kept = &x; return n ? f(n - 1) : *kept; }
        int main(void) { if (f(4) != 4) reach_error(); return 0; }";
    rejects(text, &[(Function("f"), "true", "true")], refusal);
    // The pointer is gone before the function is called again.
    let text = "void set(int *p) { *p = 3; }
        int f(int n) { int x; set(&x); if (n) f(n - 1); if (x != 3) reach_error(); return x; }
        int main(void) { f(4); return 0; }";
    accepts(text, &[(Function("f"), "true", "true")]);
}

#[test]
fn contracts_are_there_once() {
    let twice = [(Function("f"), "true", "true"), (Function("f"), "true", "true")];
    rejects(NINETY_ONE, &twice, "`f` has two contracts");
}

/// Calls that allocate leave any sizes behind.
#[test]
fn sizes_of_objects_change_with_calls() {
    let text = |body: &str| {
        format!(
            "void *malloc(unsigned long); struct node {{ struct node *next; }}; struct node *list;
            void push(void) {{ struct node *new = malloc(8); new->next = list; list = new; }}
            void act(void) {{ {body} }}
            int main(void) {{ push(); push(); act(); return 0; }}"
        )
    };
    let same = "(= |heap.size[]| |old heap.size[]|)";
    let contracts = || [(Function("push"), "true", "true"), (Function("act"), "true", same)];
    accepts(&text("list = list->next;"), &contracts());
    rejects(&text("push();"), &contracts(), "ensures what its contract says");
    rejects(&text(""), &[(Function("push"), "true", same)], "ensures what its contract says");
}
