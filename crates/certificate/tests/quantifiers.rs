//! Statements about all elements of arrays: good ones are accepted, and each way of spoiling one is noticed.

mod support;

use rorqual_cfa::DataModel;
use support::{accepts, allocated, program, rejects};

/// Fills an array and looks at it.
const FILL: &str = "int main(void) { int a[1000]; int i = 0, j = 0;
    while (i < 1000) { a[i] = 7; i++; }
    while (j < 1000) { if (a[j] != 7) reach_error(); j++; } return 0; }";

/// What holds for an index `k` if it is below a bound.
fn filled_to(bound: &str, value: u32) -> String {
    let element = "(select |main::a[]| ((_ sign_extend 32) k))";
    format!("(=> (bvult k {bound}) (= {element} #x{value:08x}))")
}

fn for_all(formulas: &[&str]) -> String {
    format!("(forall ((k (_ BitVec 32))) (and {}))", formulas.join(" "))
}

const COUNTED: &str = "(bvule |main::i| #x000003e8)";

/// The statements of both loops.
fn filled() -> [String; 2] {
    [for_all(&[COUNTED, &filled_to("|main::i|", 7)]), for_all(&["true", &filled_to("#x000003e8", 7)])]
}

#[test]
fn all_elements_up_to_a_counter() {
    let [first, second] = filled();
    accepts(FILL, &[&first, &second]);
}

#[test]
fn wrong_bounds() {
    let [first, second] = filled();
    let too_far = for_all(&[COUNTED, &filled_to("(bvadd |main::i| #x00000001)", 7)]);
    rejects(FILL, &[&too_far, &second], "holds whenever it is reached from <start>:0");
    let not_far_enough = for_all(&["true", &filled_to("#x000003e7", 7)]);
    rejects(FILL, &[&first, &not_far_enough], "no error is reached from");
    let beyond_the_end = for_all(&["true", &filled_to("#x000003e9", 7)]);
    rejects(FILL, &[&first, &beyond_the_end], "it can be false");
}

#[test]
fn wrong_values() {
    let [first, second] = filled();
    let wrong = for_all(&[COUNTED, &filled_to("|main::i|", 8)]);
    rejects(FILL, &[&wrong, &second], "it can be false");
    rejects(FILL, &[&first, &for_all(&["true", &filled_to("#x000003e8", 8)])], "it can be false");
    rejects(&FILL.replace("a[i] = 7", "a[i] = i"), &[&first, &second], "it can be false");
}

#[test]
fn wrong_places() {
    let [first, second] = filled();
    rejects(FILL, &[&second, &first], "holds whenever it is reached from <start>:0");
    rejects(FILL, &[&first, "true"], "`reach_error` is called");
    rejects(FILL, &["true", &second], "it can be false");
}

/// What is to be proved behind a stretch is assumed only before it: a loop that spoils one element is noticed.
#[test]
fn what_is_proved_is_not_assumed() {
    let [first, second] = filled();
    let spoiled = FILL.replace("a[i] = 7;", "a[i] = 7; if (i == 500) a[3] = 8;");
    rejects(&spoiled, &[&first, &second], "it can be false");
    let skipped = FILL.replace("a[i] = 7;", "if (i != 999) a[i] = 7;");
    rejects(&skipped, &[&first, &second], "it can be false");
    let later = FILL.replace("reach_error(); j++;", "reach_error(); j++; if (j < 900) a[j + 5] = 0;");
    rejects(&later, &[&first, &second], "it can be false");
    // The statement of a loop about itself says nothing about how it is entered.
    let unfilled = "int main(void) { int a[10]; int j = 0;
        while (j < 10) { if (a[j] != 7) reach_error(); j++; } return 0; }";
    rejects(unfilled, &[&for_all(&["true", &filled_to("#x0000000a", 7)])], "it can be false");
}

/// A bound variable is no cell, whatever its name is.
#[test]
fn bound_variables_hide_cells() {
    let text = "int i; int main(void) { while (i < 10) i++; if (i > 10) reach_error(); return 0; }";
    accepts(text, &["(bvsle i #x0000000a)"]);
    rejects(text, &["(forall ((i (_ BitVec 32))) (bvsle i #x0000000a))"], "it can be false");
    rejects(text, &["(forall ((i (_ BitVec 32))) (= i i))"], "`reach_error` is called");
}

/// Two indices: the elements so far are in order.
#[test]
fn two_bound_variables() {
    let text = "int main(void) { int a[1000]; int i = 1; a[0] = 0;
        while (i < 1000) { a[i] = a[i - 1] + 1; if (a[i] < a[i - 1]) return 0; i++; }
        if (a[300] > a[700]) reach_error(); return 0; }";
    let statement = |last: &str| {
        let element = |index: &str| format!("(select |main::a[]| ((_ sign_extend 32) {index}))");
        let last = element(last);
        format!(
            "(forall ((k (_ BitVec 32)) (l (_ BitVec 32))) (and (bvule #x00000001 |main::i|)
            (bvule |main::i| #x000003e8)
            (=> (bvult k |main::i|) (bvsle {} {last}))
            (=> (and (bvult k l) (bvult l |main::i|)) (bvsle {} {}))))",
            element("k"),
            element("k"),
            element("l")
        )
    };
    accepts(text, &[&statement("(bvsub |main::i| #x00000001)")]);
    rejects(text, &[&statement("#x00000000")], "it can be false");
}

/// Pushes nodes onto a list and looks at all of them.
const PUSH: &str = "void *malloc(unsigned long); struct node { int data; struct node *next; };
    int main(void) { struct node *top = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof(struct node)); new->data = 4; new->next = top; top = new; }
    while (top) { if (top->data != 4) reach_error(); top = top->next; } return 0; }";

/// That all nodes have a value and lead to nodes, where a condition says what a node is.
fn nodes(is_node: &str, value: u32) -> String {
    let class = allocated(&program(DataModel::Lp64, PUSH));
    let member = |name: &str| format!("(select |{class}[].{name}| k)");
    let is_null_or_node = |pointer: &str| {
        let null = "#x0000000000000000";
        format!("(or (= {pointer} {null}) (distinct (select |heap.size[]| {pointer}) {null}))")
    };
    let (data, next) = (member("data"), is_null_or_node(&member("next")));
    format!(
        "(forall ((k (_ BitVec 64))) (and {} (=> {is_node} (and (= {data} #x{value:08x}) {next}))))",
        is_null_or_node("|main::top|")
    )
}

/// There are nodes where objects have a size.
#[test]
fn all_nodes_of_a_list() {
    let is_node = "(distinct (select |heap.size[]| k) #x0000000000000000)";
    let all = nodes(is_node, 4);
    accepts(PUSH, &[&all, &all]);
    rejects(PUSH, &[&nodes(is_node, 5), &all], "it can be false");
    rejects(PUSH, &[&all, &nodes(is_node, 5)], "it can be false");
    rejects(PUSH, &[&nodes("true", 4), &all], "holds whenever it is reached from <start>:0");
    rejects(PUSH, &[&all, "true"], "`reach_error` is called");
    rejects(&PUSH.replace("data = 4", "data = top ? 3 : 4"), &[&all, &all], "it can be false");
    rejects(&PUSH.replace("new->next = top", "new->next = new + 1"), &[&all, &all], "it can be false");
}
