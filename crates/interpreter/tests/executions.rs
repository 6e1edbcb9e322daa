//! Whole executions: outcomes, inputs, limits, and what library functions do.

mod support;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rorqual_cfa::{DataModel, ErrorKind};
use rorqual_interpreter::{Halt, Inputs, Limit, Outcome, Uninitialized, parse_inputs, render_inputs};
use support::Test;

const NONDET: &str = "int __VERIFIER_nondet_int(void); extern void reach_error(void);
    int main(void) { int x = __VERIFIER_nondet_int(); if (x == 42) reach_error(); return x; }";

#[test]
fn inputs_decide_and_are_recorded() {
    let (program, execution) = Test::new(NONDET).inputs("42").run();
    let kind = ErrorKind::Call { function: "reach_error".to_owned() };
    let Outcome::Violation { kind: found, span } = execution.outcome else {
        panic!("{:?}", execution.outcome)
    };
    assert_eq!(found, kind);
    assert_eq!(program.sources.position(span).line, 2);
    assert_eq!(execution.inputs.len(), 1);
    assert_eq!(execution.inputs[0].origin, "__VERIFIER_nondet_int");
    assert_eq!(execution.inputs[0].value.to_string(), "42");
    assert_eq!(execution.stack[0].function, "main");
    let other = Test::new(NONDET).inputs("7").run().1;
    assert_eq!(other.outcome, Outcome::Finished { status: 7 });
}

#[test]
fn a_seeded_run_replays_from_its_record() {
    let text = "int __VERIFIER_nondet_int(void); double __VERIFIER_nondet_double(void); unsigned any(char);
        int printf(const char *, ...);
        int main(void) { for (int i = 0; i < 20; i++)
            printf(\"%d %a %u\\n\", __VERIFIER_nondet_int(), __VERIFIER_nondet_double(), any('x')); return 0; }";
    let mut seeded = Test::new(text).with(|config| config.inputs = Inputs::Seeded(5));
    let first = seeded.run().1;
    assert_eq!(first.inputs.len(), 60);
    let list = parse_inputs(&render_inputs(&first.inputs)).unwrap();
    let mut replay = Test::new(text).with(|config| config.inputs = Inputs::List(list));
    assert_eq!(replay.run().1.steps, first.steps);
    assert_eq!(replay.console.output, seeded.console.output);
}

#[test]
fn inputs_that_are_missing_or_do_not_fit() {
    let missing = Test::new(NONDET).run().1.outcome;
    assert!(matches!(missing, Outcome::InputsExhausted { .. }), "{missing:?}");
    let bad = Test::new(NONDET).inputs("# big\n4294967296").run().1.outcome;
    assert!(matches!(bad, Outcome::BadInput { line: 2, .. }), "{bad:?}");
}

#[test]
fn uninitialised_variables_may_be_inputs() {
    let text = "int main(void) { int x; struct { char a; int b; } s; if (x != x) return 9; return x + s.b; }";
    let mut test = Test::new(text).inputs("3\n4");
    test.config.uninitialized = Uninitialized::Input;
    let execution = test.run().1;
    assert_eq!(execution.outcome, Outcome::Finished { status: 7 });
    assert_eq!(execution.inputs[1].origin, "uninitialized `s.b`");
}

#[test]
fn ends_of_programs() {
    let outcome = |text: &str| Test::new(text).run().1.outcome;
    let abort = outcome("void abort(void); int main(void) { abort(); }");
    assert!(matches!(abort, Outcome::Halted { kind: Halt::Abort, .. }), "{abort:?}");
    let exit = outcome("void exit(int); void f(void) { exit(4); } int main(void) { f(); return 0; }");
    assert_eq!(exit, Outcome::Finished { status: 4 });
    let assume = outcome("void __VERIFIER_assume(int); int main(void) { __VERIFIER_assume(0); return 0; }");
    assert!(matches!(assume, Outcome::AssumptionFailed { .. }), "{assume:?}");
    let assembly = outcome("int main(void) { int x; __asm__(\"nop\" : \"=r\"(x)); return 0; }");
    assert!(matches!(assembly, Outcome::Unsupported { .. }), "{assembly:?}");
    Test::new("int main(void) { __asm__ volatile(\"\" ::: \"memory\"); return 0; }").succeeds();
    let scan =
        outcome("int scanf(const char *, ...); int main(void) { int x; scanf(\"%d\", &x); return x; }");
    assert!(matches!(scan, Outcome::Unsupported { .. }), "{scan:?}");
}

#[test]
fn limits() {
    let limit = |mut test: Test<'_>| match test.run().1.outcome {
        Outcome::LimitReached { limit, .. } => limit,
        other => panic!("{other:?}"),
    };
    let endless = "int main(void) { for (;;); }";
    assert_eq!(limit(Test::new(endless).with(|config| config.step_limit = Some(1000))), Limit::Steps);
    let deep = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }";
    assert_eq!(limit(Test::new(deep)), Limit::CallDepth);
    let large = "void *__builtin_alloca(unsigned long); int main(void) { return !__builtin_alloca(-1ul); }";
    assert_eq!(limit(Test::new(large)), Limit::Memory);
    let leak = "void *malloc(unsigned long); int main(void) { for (;;) malloc(1000000); }";
    assert_eq!(limit(Test::new(leak).with(|config| config.memory_limit = 100_000_000)), Limit::Memory);
    let cancelled =
        Test::new(endless).with(|config| config.cancelled = Some(Arc::new(AtomicBool::new(true)))).run();
    assert!(matches!(cancelled.1.outcome, Outcome::Cancelled { .. }));
}

#[test]
fn the_stack_names_the_calls() {
    let text =
        "int g(int x) { return 1 / x; }\nint f(void) {\n return g(0); }\nint main(void) { return f(); }";
    let (program, execution) = Test::new(text).run();
    let lines: Vec<(String, u32)> = execution
        .stack
        .iter()
        .map(|entry| (entry.function.clone(), program.sources.position(entry.span).line))
        .collect();
    let expected = [("g", 1), ("f", 3), ("main", 4)].map(|(name, line)| (name.to_owned(), line));
    assert_eq!(lines[..3], expected);
}

#[test]
fn program_arguments() {
    let text = "int puts(const char *); int main(int argc, char **argv) {
        for (int i = 0; i < argc; i++) puts(argv[i]); return argv[argc] != 0; }";
    Test::new(text).with(|config| config.arguments = vec![b"p".to_vec(), b"one".to_vec()]).prints("p\none\n");
}

#[test]
fn standard_streams() {
    let text = "typedef struct file FILE; extern FILE *stdin, *stdout, *stderr; int fgetc(FILE *); int getchar(void);
        char *fgets(char *, int, FILE *); int fputs(const char *, FILE *); int fprintf(FILE *, const char *, ...);
        int main(void) { char line[8]; int a = fgetc(stdin); fprintf(stdout, \"%c%c\\n\", a, getchar());
        while (fgets(line, sizeof line, stdin)) fputs(line, stdout); fputs(\"end\", stderr);
        return getchar() != -1; }";
    Test::new(text).stdin("abcd\nlonger line\n").prints("ab\ncd\nlonger line\n");
}

#[test]
fn bit_fields() {
    let text = "int printf(const char *, ...);
        struct s { int a : 3; unsigned b : 13; long long c : 40; _Bool d : 1; unsigned e : 32; };
        int main(void) { struct s x = { 3, 8191, -1, 1, 0xffffffffu }; x.a++; x.b++; x.c -= 2; x.e--;
        printf(\"%d %d %lld %d %u\\n\", x.a, x.b, (long long)x.c, x.d, x.e); return 0; }";
    let expected = "-4 0 -3 1 4294967294\n";
    Test::new(text).prints(expected);
    Test::new(text).model(DataModel::Ilp32).prints(expected);
}

#[test]
fn variable_arguments_in_both_data_models() {
    let text = "int printf(const char *, ...); int vprintf(const char *, __builtin_va_list);
        static void log(const char *f, ...) { __builtin_va_list a, b; __builtin_va_start(a, f); __builtin_va_copy(b, a);
        vprintf(f, a); vprintf(f, b); __builtin_va_end(a); __builtin_va_end(b); }
        int main(void) { log(\"%d %s %.1f %lld;\", 1, \"two\", 3.0, 4LL); return 0; }";
    let expected = "1 two 3.0 4;1 two 3.0 4;";
    Test::new(text).prints(expected);
    Test::new(text).model(DataModel::Ilp32).prints(expected);
}

#[test]
fn function_pointers_and_callbacks() {
    let text = "int printf(const char *, ...); void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
        int by(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
        int main(void) { int a[] = { 3, 1, 2, 9, 5 }; qsort(a, 5, sizeof *a, by);
        for (int i = 0; i < 5; i++) printf(\"%d \", a[i]); int (*p)(const char *, ...) = printf; p(\"%d\\n\", 1); return 0; }";
    Test::new(text).prints("9 5 3 2 1 1\n");
}

#[test]
fn strings() {
    let text = "typedef unsigned long size_t; size_t strlen(const char *); char *strcpy(char *, const char *);
        char *strcat(char *, const char *); int strcmp(const char *, const char *); char *strchr(const char *, int);
        char *strstr(const char *, const char *); char *strtok(char *, const char *); char *strdup(const char *);
        char *strncpy(char *, const char *, size_t); int printf(const char *, ...); long strtol(const char *, char **, int);
        int main(void) { char b[20], *e; strcat(strcpy(b, \"ab\"), \"cd\");
        printf(\"%lu %d %s %s \", strlen(b), strcmp(b, \"abce\"), strchr(b, 'c'), strstr(b, \"bc\"));
        long n = strtol(\"-12xy\", &e, 10); printf(\"%ld%s \", n, e); strncpy(b, \"xyz\", 20); printf(\"%s%d \", b, b[19]);
        char t[] = \"a b,c\"; for (char *s = strtok(t, \" ,\"); s; s = strtok(0, \" ,\")) printf(\"[%s]\", s);
        printf(\"%s\\n\", strdup(\"copy\")); return 0; }";
    Test::new(text).prints("4 -1 cd bcd -12xy xyz0 [a][b][c]copy\n");
}

#[test]
fn long_double_and_infinities() {
    let text = "int printf(const char *, ...); int main(void) { long double x = 1.0L / 3; double z = 0;
        printf(\"%.20Lf %La %g %g %g\\n\", x, x, z / z, 1 / z, -z); return 0; }";
    Test::new(text).prints("0.33333333333333333334 0xa.aaaaaaaaaaaaaabp-5 -nan inf -0\n");
}

#[test]
fn computed_jumps() {
    let text = "int main(void) { static void *const t[] = { &&a, &&b, &&c }; int i = 0, s = 0; goto *t[i];
        a: s += 1; goto *t[++i]; b: s += 10; goto *t[++i]; c: return s - 11; }";
    Test::new(text).succeeds();
}

#[test]
fn values_of_records_pass_through_calls() {
    let text = "struct s { int *p; char c[5]; }; struct s f(struct s x) { x.c[0]++; *x.p += 1; return x; }
        int main(void) { int n = 0; struct s a = { &n, \"abcd\" }, b = f(f(a));
        return !(n == 2 && a.c[0] == 'a' && b.c[0] == 'c' && b.p == &n && *b.p == 2); }";
    Test::new(text).succeeds();
}

#[test]
fn functions_without_body_return_any_value_and_write_nothing() {
    let text = "struct p { short a; char b[2]; }; struct p any(int *); void nothing(int *);
        int main(void) { int x = 5; nothing(&x); struct p r = any(&x); any(&x); return x + r.a + r.b[1]; }";
    let execution = Test::new(text).inputs("100\n1\n'\\x02'").run().1;
    assert_eq!(execution.outcome, Outcome::Finished { status: 107 });
}
