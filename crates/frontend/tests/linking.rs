//! Programs of several files: what is shared, what is not, and what is refused.

use rorqual_cfa::{DataModel, Program};
use rorqual_frontend::{Failure, TranslationUnit};
use rorqual_testkit::{MemoryHost, read, render_failure};

fn link(files: &[&str]) -> Result<Program, Failure> {
    let names: Vec<String> =
        (0..files.len()).map(|number| format!("{}.c", (b'a' + number as u8) as char)).collect();
    let host =
        names.iter().zip(files).fold(MemoryHost::new(), |host, (name, text)| host.with_file(name, *text));
    let units: Vec<_> = names.iter().map(TranslationUnit::new).collect();
    read(&units, DataModel::Lp64, &host)
}

fn refusal(files: &[&str]) -> String {
    match link(files) {
        Ok(_) => panic!("the program is accepted"),
        Err(failure) => render_failure(&failure),
    }
}

#[test]
fn declarations_and_definitions_meet() {
    let program = link(&[
        "extern int x, a[]; int f(int); int main(void) { return f(x) + a[1]; }",
        "int x = 4, a[3]; int f(int n) { return n; }",
    ]);
    let program = program.expect("the program links");
    let named = |name: &str| program.variables.values().filter(|variable| variable.name == name).count();
    assert_eq!((named("x"), named("a")), (1, 1));
    let f = program.function_named("f").expect("f exists");
    assert!(program.functions[f].body.is_some());
    assert_eq!(rorqual_cfa::violations(&program), Vec::<String>::new());
}

#[test]
fn static_names_stay_in_their_file() {
    let program = link(&[
        "static int x = 1; static int g(void) { return x; } int f(void); int main(void) { return g() + f(); }",
        "static char x = 2; static int g(void) { return x; } int f(void) { return g(); }",
    ]);
    let program = program.expect("the program links");
    assert_eq!(program.functions.values().filter(|function| function.name == "g").count(), 2);
}

#[test]
fn one_structure_in_two_files_is_one_type() {
    let header = "struct node { struct node *next; struct { int k; } v; };";
    let program = link(&[
        &format!("{header} extern struct node n; int main(void) {{ return n.v.k; }}"),
        &format!("{header} struct node n;"),
    ]);
    let program = program.expect("the program links");
    assert_eq!(program.types.records().count(), 2);
}

#[test]
fn structures_that_differ_conflict() {
    let refusal = refusal(&[
        "struct s { int a; }; extern struct s v; int main(void) { return v.a; }",
        "struct s { long a; }; struct s v;",
    ]);
    assert!(refusal.contains("conflicting declarations of `v`"), "{refusal}");
}

#[test]
fn two_definitions_are_refused_with_both_places() {
    let refusal =
        refusal(&["int f(void) { return 1; } int main(void) { return f(); }", "int f(void) { return 2; }"]);
    assert!(refusal.contains("b.c:1:5") && refusal.contains("`f` is defined twice"), "{refusal}");
}

#[test]
fn types_must_agree() {
    let refusal = refusal(&["int f(int); int main(void) { return f(1); }", "int f(char *p) { return *p; }"]);
    assert!(refusal.contains("conflicting declarations of `f`"), "{refusal}");
}

#[test]
fn variables_must_agree_in_type() {
    let refusal = refusal(&["extern int x; int main(void) { return x; }", "double x;"]);
    assert!(refusal.contains("conflicting declarations of `x`"), "{refusal}");
}

#[test]
fn tentative_definitions_are_one_variable() {
    let program =
        link(&["int x; int main(void) { return x; }", "int x; int x = 3;"]).expect("the program links");
    assert_eq!(program.variables.values().filter(|variable| variable.name == "x").count(), 1);
}

#[test]
fn inline_definitions_may_stand_in_every_file() {
    let header = "inline int twice(int n) { return 2 * n; }";
    let program = link(&[
        &format!("{header} int other(void); int main(void) {{ return twice(1) + other(); }}"),
        &format!("{header} int other(void) {{ return twice(2); }}"),
    ]);
    assert!(program.is_ok());
}

#[test]
fn a_program_without_main_is_refused() {
    let refusal = refusal(&["int f(void) { return 1; }"]);
    assert!(refusal.contains("the entry function `main` is not defined"), "{refusal}");
}

#[test]
fn declarations_that_nothing_uses_leave_no_trace() {
    let program =
        link(&["extern int unused; int never(void); int main(void) { return 0; }"]).expect("it links");
    assert!(program.variables.values().all(|variable| variable.name != "unused"));
    assert!(program.function_named("never").is_none());
}

#[test]
fn a_block_may_declare_a_function_of_the_file() {
    let program =
        link(&["int main(void) { int f(int); return f(1); } int f(int n) { return n; }"]).expect("it links");
    assert_eq!(program.unsupported().count(), 0);
    assert!(program.function_named("f").is_some_and(|f| program.functions[f].body.is_some()));
}

#[test]
fn a_structure_that_one_file_only_mentions_is_the_one_of_the_other() {
    let mentions = "struct cell; struct list { struct cell *first; }; extern struct list l;
        int main(void) { struct list m = { 0 }; return m.first == l.first; }";
    let defines = "struct cell { int value; }; struct list { struct cell *first; }; struct list l;";
    for files in [[mentions, defines], [defines, mentions]] {
        let program = link(&files).expect("it links");
        assert_eq!(program.unsupported().count(), 0);
        assert_eq!(program.types.records().count(), 2);
    }
}
