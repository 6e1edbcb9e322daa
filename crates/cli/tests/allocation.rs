//! Whether allocation succeeds is an assumption that verdicts name, and an option.

mod support;

use support::Workspace;

/// The prelude of all programs.
const PRELUDE: &str =
    "typedef __SIZE_TYPE__ size_t; void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
void free(void *); void *__builtin_alloca(size_t); void reach_error(void);\n";

fn first_line(options: &str, body: &str) -> String {
    let workspace = Workspace::new(&[("a.c", &format!("{PRELUDE}{body}"))]);
    let answer = workspace.rorqual(&format!("check a.c {options}"));
    answer.output.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn proofs_name_that_allocation_succeeds() {
    let checked = "int main(void) { int *p = malloc(4); if (!p) reach_error(); free(p); return 0; }";
    assert_eq!(first_line("", checked), "safe, assuming that allocation succeeds");
    assert!(first_line("--allocation may-fail", checked).starts_with("unsafe"));
    let careful = "int main(void) { int *p = malloc(4); if (p && (*p = 5, *p != 5)) reach_error(); free(p); return 0; }";
    assert_eq!(first_line("--allocation may-fail", careful), "safe");
    let none = "int main(void) { int x = 1; if (!x) reach_error(); return 0; }";
    assert_eq!(first_line("", none), "safe");
    let unused = "void *unused(void) { return malloc(1); } int main(void) { return 0; }";
    assert_eq!(first_line("", unused), "safe");
}

#[test]
fn every_allocator_may_fail_and_then_leaves_old_memory_alone() {
    for call in ["malloc(4)", "calloc(2, 2)", "realloc(0, 4)", "realloc(kept, 8)"] {
        let program = format!(
            "int main(void) {{ int *kept = malloc(4); if (!kept) return 0; *kept = 3; int *p = {call};\n\
             if (!p && CONDITION) reach_error(); return 0; }}"
        );
        let fails = first_line("--allocation may-fail", &program.replace("CONDITION", "*kept == 3"));
        assert!(fails.starts_with("unsafe"), "{call}: {fails}");
        let keeps = first_line("--allocation may-fail", &program.replace("CONDITION", "*kept != 3"));
        assert_eq!(keeps, "safe", "{call}");
    }
}

#[test]
fn what_may_fail_is_not_called_through_pointers() {
    let program = "int main(void) { void *(*make)(size_t) = malloc; if (!make(4)) reach_error(); return 0; }";
    assert_eq!(first_line("", program), "safe, assuming that allocation succeeds");
    assert!(first_line("--allocation may-fail", program).starts_with("unknown"));
}

#[test]
fn proofs_name_that_the_stack_has_room() {
    let array = "int f(int n) { int a[n]; a[0] = 1; return a[0]; }
        int main(void) { if (f(3) != 1) reach_error(); return 0; }";
    let claim = "safe, assuming that the stack has room for arrays of variable length";
    assert_eq!(first_line("", array), claim);
    let taken =
        "int main(void) { char *p = __builtin_alloca(4); *p = 1; if (*p != 1) reach_error(); return 0; }";
    assert_eq!(first_line("", taken), claim);
}
