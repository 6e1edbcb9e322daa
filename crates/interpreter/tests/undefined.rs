//! Each kind of undefined behaviour: a program without it, and the same one with it, with the
//! place of the report.

mod support;

use rorqual_cfa::DataModel;
use support::{Test, pair};

#[test]
fn division() {
    let program = "int main(void) { int x = 7, y = @@; int z = /*<*/x / y/*>*/; return z - z; }";
    pair(program, "2", "0", "division by zero");
    let program =
        "int main(void) { int x = -2147483647 - 1, y = @@; int z = /*<*/x % y/*>*/; return z - z; }";
    pair(program, "3", "-1", "the quotient does not fit into `int`");
}

#[test]
fn shifts() {
    let program = "int main(void) { int x = 1, n = @@; return (/*<*/x << n/*>*/) == 0; }";
    pair(program, "31", "32", "shift of a value with 32 bits by 32");
    pair(program, "3", "-1", "shift of a value with 32 bits by -1");
}

#[test]
fn overflow_is_reported_only_on_demand() {
    let text = "int main(void) { int x = 2147483647; return (/*<*/x + 1/*>*/) > 0; }";
    Test::new(text).succeeds();
    Test::new(text)
        .with(|config| config.overflow = true)
        .fails_with("signed overflow: the result of `+` does not fit into `int`");
    let text = "int main(void) { int x = 1; return (/*<*/x << 31/*>*/) == 0; }";
    Test::new(text)
        .with(|config| config.overflow = true)
        .fails_with("signed overflow: the result of `<<` does not fit into `int`");
    let unsigned = "int main(void) { unsigned x = 4294967295u; return x + 1 != 0; }";
    Test::new(unsigned).with(|config| config.overflow = true).succeeds();
}

#[test]
fn conversion_of_floating_point_numbers() {
    let program = "int main(void) { double x = @@; int y = /*<*/x/*>*/; return y - y; }";
    let message = "the floating-point number 3000000000.0 does not fit into `int`";
    pair(program, "2e9", "3e9", message);
}

#[test]
fn bounds() {
    let program = "int main(void) { int a[5] = {0}; int i = @@; return /*<*/a[i]/*>*/; }";
    pair(program, "4", "5", "index 5 is outside of `a`, which has 20 bytes");
    pair(program, "0", "-1", "index -1 is outside of `a`, which has 20 bytes");
    let program = "void *malloc(unsigned long); int main(void) { char *p = malloc(4); p += @@;
        /*<*/*p/*>*/ = 1; return 0; }";
    let message = "1 byte at offset 4 is written outside of heap memory, which has 4 bytes";
    pair(program, "3", "4", message);
}

#[test]
fn null_and_invalid_pointers() {
    let program = "int main(void) { int x = 0; int *p = @@; return /*<*/*p/*>*/; }";
    pair(program, "&x", "0", "memory is read through a null pointer");
    let message = "memory is read through 0x1000, which points to no object";
    pair(program, "&x", "(int *)4096", message);
    let program = "struct s { int a, b; }; int main(void) { struct s x = {0}; struct s *p = @@;
        /*<*/p->b/*>*/ = 1; return 0; }";
    pair(program, "&x", "0", "memory is written through a null pointer");
}

#[test]
fn lifetimes() {
    let program =
        "int *f(void) { @@ int x = 0; return &x; } int main(void) { int *p = f(); return /*<*/*p/*>*/; }";
    pair(program, "static", "", "`x` is read after its lifetime has ended");
    let program = "int main(void) { int *p; { @@ int x = 0; p = &x; } return /*<*/*p/*>*/; }";
    pair(program, "static", "", "`x` is read after its lifetime has ended");
    let program = "void *malloc(unsigned long); void free(void *);
        int main(void) { int *p = malloc(4); *p = 0; @@ return /*<*/*p/*>*/; }";
    pair(program, "", "free(p);", "heap memory is read after it was freed");
}

#[test]
fn a_variable_of_a_loop_is_a_new_one_in_each_round() {
    let program = "int main(void) { int *p = 0, s = 0; for (int i = 0; i < 2; i++) { int x; @@ p = &x; s += /*<*/x/*>*/; }
        return s; }";
    pair(program, "x = 0;", "if (i == 0) x = 0;", "`x` is used but was never set");
}

#[test]
fn free() {
    let program = "void *malloc(unsigned long); void free(void *); int x;
        int main(void) { char *p = malloc(4); char *q = (char *)&x; q = q; @@ return 0; }";
    pair(program, "free(p);", "free(p); /*<*/free(p)/*>*/;", "heap memory is freed twice");
    pair(program, "free(0);", "/*<*/free(q)/*>*/;", "`x` is freed but was not allocated by `malloc`");
    let message = "a pointer to offset 1 of heap memory is freed instead of its start";
    pair(program, "free(p);", "/*<*/free(p + 1)/*>*/;", message);
}

#[test]
fn string_literals_are_constant() {
    let program = "int main(void) { char @@ = \"abc\"; /*<*/s[0]/*>*/ = 'x'; return 0; }";
    Test::new(&program.replace("@@", "s[]")).succeeds();
    let bad = "int main(void) { char *s = \"abc\"; /*<*/*s/*>*/ = 'x'; return 0; }";
    Test::new(bad).fails_with("the string literal \"abc\" is written but cannot be changed");
}

#[test]
fn uninitialised_objects() {
    let program = "int main(void) { int x @@; return /*<*/x/*>*/; }";
    pair(program, "= 0", "", "`x` is used but was never set");
    let program =
        "struct s { int a, b; }; int main(void) { struct s x, y; x.a = 0; @@ y = x; return /*<*/y.b/*>*/; }";
    pair(program, "x.b = 0;", "", "`y.b` is used but was never set");
    let program = "int f(int x) { if (x) return 0; } int main(void) { int y = f(@@); return /*<*/y/*>*/; }";
    pair(program, "1", "0", "`y` is used but was never set");
}

#[test]
fn pointer_differences() {
    let program = "int a[4], b[4]; int main(void) { int *p = @@; return (/*<*/p - a/*>*/) == 99; }";
    pair(program, "a + 4", "b", "difference of pointers into different objects");
}

#[test]
fn calls_through_pointers() {
    // More arguments than parameters are evaluated and lost; a parameter without argument has no value.
    let program = "int f(int x) { return x; } int g(int x, int y) { return /*<*/@@/*>*/; }
        int main(void) { int (*p)(int) = (int (*)(int))g; return p(0) + ((int (*)(int, int))f)(0, 1); }";
    pair(program, "x", "y", "`y` is used but was never set");
    let program = "int f(int x) { return x; } int v;
        int main(void) { int (*p)(int) = @@; return /*<*/p/*>*/(0); }";
    pair(program, "f", "0", "call through a null pointer");
    let message = "call through a pointer that does not point to a function";
    pair(program, "f", "(int (*)(int))&v", message);
}

#[test]
fn arguments_of_the_wrong_type() {
    let program = "int f(@@ x) { return x != 0; } int main(void) { int (*p)(int) = (int (*)(int))f;
        return /*<*/p(0)/*>*/; }";
    let message = "argument 1 of `f` has type `int` where `long` is expected";
    pair(program, "unsigned", "long", message);
}

#[test]
fn variable_arguments() {
    let program = "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int s = 0;
        for (int i = 0; i < n; i++) s += /*<*/__builtin_va_arg(l, int)/*>*/; __builtin_va_end(l); return s; }
        int main(void) { return f(@@); }";
    pair(program, "2, 1, -1", "2, 0", "`va_arg` after the last of 1 further arguments");
    let message = "further argument 1 has type `double` but is fetched as `int`";
    pair(program, "1, 0", "1, 0.0", message);
}

#[test]
fn memcpy_must_not_overlap() {
    let program = "void *memcpy(void *, const void *, unsigned long); char a[8];
        int main(void) { /*<*/memcpy(a, a + @@, 4)/*>*/; return 0; }";
    pair(program, "4", "3", "source and target of `memcpy` overlap");
}

#[test]
fn formats() {
    let program = "int printf(const char *, ...); int main(void) { /*<*/printf(@@)/*>*/; return 0; }";
    let message = "`%ld` does not fit value 1 of the format, which has type `int`";
    pair(program, "\"%ld\", 1L", "\"%ld\", 1", message);
    let message = "`%d` needs value 2 of the format, but 1 were given";
    pair(program, "\"%d\", 1", "\"%d %d\", 1", message);
    let program = "int printf(const char *, ...); int main(void) { char s[2] = @@;
        /*<*/printf(\"%s\", s)/*>*/; return 0; }";
    let message = "1 byte at offset 2 is read outside of `s`, which has 2 bytes";
    pair(program, "\"a\"", "\"ab\"", message);
}

#[test]
fn promised_unreachable() {
    let program = "int main(void) { int x = @@; if (x) /*<*/__builtin_unreachable()/*>*/; return 0; }";
    let message = "control reaches a place that was promised unreachable";
    pair(program, "0", "1", message);
}

#[test]
fn integers_become_pointers_to_exposed_objects_only() {
    let text = "int main(void) { int x = 1; unsigned long a = (unsigned long)&x; *(int *)a = 0; return x; }";
    Test::new(text).succeeds();
    let guessed = "int a[1], b[1]; int main(void) { b[0] = 0; unsigned long d = (unsigned long)a;
        return /*<*/*(int *)(d + 4096)/*>*/; }";
    let execution = Test::new(guessed).run().1;
    assert!(matches!(execution.outcome, rorqual_interpreter::Outcome::Undefined { .. }));
}

#[test]
fn pointers_may_leave_their_object_and_come_back() {
    let text = "int a[4]; int main(void) { int *p = a; p -= 10; p += 12; *p = 1; return a[2] - 1; }";
    Test::new(text).succeeds();
    Test::new(text).model(DataModel::Ilp32).succeeds();
}

#[test]
fn copying_a_pointer_by_bytes_keeps_it_valid() {
    let text = "int main(void) { int x = 0; int *p = &x, *q; unsigned char *s = (unsigned char *)&p,
        *t = (unsigned char *)&q; for (int i = 0; i < sizeof p; i++) t[i] = s[i]; return *q; }";
    Test::new(text).succeeds();
    Test::new(text).model(DataModel::Ilp32).succeeds();
}
