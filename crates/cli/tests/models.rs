//! The models of library functions do what the interpreter's own versions do, and are used where they are needed.

mod support;

use std::fmt::Write;

use rorqual_models::{KnownTo, MODELS, Model};
use support::Workspace;

/// A small generator of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A short text with few different characters, so that texts often agree.
    fn text(&mut self) -> String {
        let letters = ["a", "b", "A", "ab", "1", "7", "-", " ", "\\xe9"];
        let mut text = String::new();
        for _ in 0..self.below(6) {
            let _ = write!(text, "\"{}\"", letters[self.below(9) as usize]);
        }
        text + "\"\""
    }
}

/// Calls of a function with random arguments that print what it gives and leaves.
fn calls(model: &Model, numbers: &mut Numbers) -> String {
    let mut text = String::new();
    for _ in 0..40 {
        let (a, b) = (numbers.text(), numbers.text());
        let c = numbers.below(3) * 95 + numbers.below(3);
        let n = numbers.below(5);
        let _ = writeln!(text, "{{ char a[32] = {a}; char b[32] = {b};");
        let name = model.name;
        let sign = |call: String| format!("int r = {call}; out((r > 0) - (r < 0));");
        let position = |call: String| format!("char *r = {call}; out(r ? r - a : -1);");
        let _ = match name {
            "strcmp" | "strcasecmp" => write!(text, "{}", sign(format!("{name}(a, b)"))),
            "strncmp" | "strncasecmp" | "memcmp" => write!(text, "{}", sign(format!("{name}(a, b, {n})"))),
            "strlen" => write!(text, "out(strlen(a));"),
            "strnlen" => write!(text, "out(strnlen(a, {n}));"),
            "strspn" | "strcspn" => write!(text, "out({name}(a, b));"),
            "strchr" | "strrchr" => write!(text, "{}", position(format!("{name}(a, {c})"))),
            "strstr" | "strpbrk" => write!(text, "{}", position(format!("{name}(a, b)"))),
            "memchr" => write!(text, "{}", position(format!("memchr(a, {c}, {n})"))),
            "strcpy" | "stpcpy" | "strcat" => write!(text, "{} bytes(a);", position(format!("{name}(a, b)"))),
            "strncpy" | "strncat" => write!(text, "{} bytes(a);", position(format!("{name}(a, b, {n})"))),
            "strdup" => write!(text, "char *r = strdup(a); out(strcmp(r, a)); bytes(strcpy(b, r)); free(r);"),
            "strndup" => {
                write!(text, "char *r = strndup(a, {n}); out(strlen(r)); bytes(strcpy(b, r)); free(r);")
            }
            "atoi" | "atol" | "atoll" => write!(text, "out({name}(a)); out({name}(\" -12{n}x\"));"),
            "div" | "ldiv" | "lldiv" => {
                write!(text, "out({name}({c} - 90, {n} - 5).quot); out({name}({c} - 90, {n} - 5).rem);")
            }
            "__ctype_b_loc" | "__ctype_tolower_loc" | "__ctype_toupper_loc" => {
                write!(text, "for (int c = {c} - 128; c < {c} - 100; c++) out((*{name}())[c]);")
            }
            "bsearch" => write!(
                text,
                "int v[] = {{1, 3, 4, 9, 20}}; for (int k = 0; k < 22; k++) \
                 {{ int *r = bsearch(&k, v, {n}, sizeof k, order); out(r ? r - v : -1); }}"
            ),
            "__errno_location" => {
                write!(text, "*{name}() = {c}; int *r = {name}(); out(*r); *r = 5; out(errno);")
            }
            "qsort" => write!(
                text,
                "int v[] = {{{c}, {n}, 3, 1, {n}, 2}}; qsort(v, {n} + 2, sizeof *v, order); \
                 for (int i = 0; i < 6; i++) out(v[i]);"
            ),
            "strtok" => {
                write!(text, "for (char *r = strtok(a, b); r; r = strtok(0, b)) out(r - a); bytes(a);")
            }
            "strtol" | "strtoll" | "strtoul" | "strtoull" | "strtoimax" | "strtoumax" => write!(
                text,
                "const char *t[] = {{a, \" -12{n}x\", \"0x{n}f\", \"0x\", \"+0{n}7\", \"99999999999999999999\", \
                 \"-9223372036854775808\", \"-9223372036854775809\", \"18446744073709551615\", \
                 \"18446744073709551616\", \"-2147483649\", \"zZ\"}}; \
                 for (int i = 0; i < 12; i++) {{ errno = 0; char *e; out({name}(t[i], &e, {base})); \
                 out(e - t[i]); out(errno); {name}(t[i], 0, {base}); }}",
                base = [0, 2, 8, 10, 16, 36][numbers.below(6) as usize]
            ),
            "abs" | "labs" | "llabs" | "imaxabs" => write!(text, "out({name}({n} - 2));"),
            _ => write!(text, "for (int c = {c}; c < {c} + 9; c++) out({name}(c));"),
        };
        text.push_str("}\n");
    }
    text
}

#[test]
fn models_agree_with_the_interpreter() {
    let head = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n\
                #include <ctype.h>\n#include <errno.h>\n#include <inttypes.h>\nstatic void out(long n) { printf(\"%ld\\n\", n); }\n\
                static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n\
                static void bytes(char *p) { for (int i = 0; i < 12; i++) printf(\"%d \", p[i]); }\n";
    for model in MODELS.iter().filter(|model| model.known_to == KnownTo::Interpreter) {
        let calls = calls(model, &mut Numbers(model.name.len() as u64));
        let program = format!("{head}#undef {}\nint main(void) {{\n{calls}return 0; }}\n", model.name);
        let workspace = Workspace::new(&[("a.c", &program), ("model.c", model.text)]);
        assert_eq!(workspace.rorqual(&format!("show models {}", model.name)).output, model.text);
        let native = workspace.rorqual("run a.c");
        let modelled = workspace.rorqual("run a.c --model model.c");
        assert_eq!((native.code, modelled.code), (0, 0), "{}: {native:?} {modelled:?}", model.name);
        assert!(native.output.len() >= 40, "{}: {native:?}", model.name);
        assert_eq!(native.output, modelled.output, "{}", model.name);
    }
}

#[test]
fn all_models_are_listed() {
    let answer = Workspace::new(&[]).rorqual("show models");
    assert_eq!(answer.output.lines().count(), MODELS.len());
    assert!(answer.output.contains("strlen       string.h\n"), "{}", answer.output);
    let answer = Workspace::new(&[]).rorqual("show models frobnicate");
    assert_eq!(answer.code, 64, "{answer:?}");
}

#[test]
fn a_model_of_the_user_comes_before_our_own() {
    let program = "extern int isdigit(int); extern void reach_error(void);\n\
                   int main(void) { if (isdigit('x')) reach_error(); return 0; }";
    let workspace = Workspace::new(&[("a.c", program), ("mine.c", "int isdigit(int c) { return 1; }")]);
    assert_eq!(workspace.rorqual("check a.c").code, 0);
    assert_eq!(workspace.rorqual("check a.c --model mine.c").code, 10);
}

const UNDEFINED: &str = "struct pair { int x, y; };\nextern int get(void);\nextern void set(int *p);\n\
                         extern struct pair both(void);\nextern void reach_error(void);\n\
                         extern void unused(void);\n\
                         int main(void) {\n  int n = 0;\n  set(&n);\n  struct pair p = both();\n  \
                         if (n != 0 || (p.x == 7 && p.y == get())) reach_error();\n  return 0;\n}\n";

#[test]
fn assumptions_about_undefined_functions_are_named() {
    let workspace = Workspace::new(&[("a.c", UNDEFINED)]);
    let answer = workspace.rorqual("check a.c --undefined any");
    assert_eq!(answer.code, 10, "{answer:?}");
    let line = "  = assuming that `both`, `get` and `set` write nothing\n";
    assert!(answer.output.contains(line), "{}", answer.output);
    assert!(!answer.output.contains("unused"), "{}", answer.output);
    let safe = UNDEFINED.replace("p.x == 7 &&", "p.x == 7 && 0 &&");
    let workspace = Workspace::new(&[("a.c", &safe)]);
    let answer = workspace.rorqual("check a.c --undefined any --certificate a.cert");
    assert_eq!(answer.line(), "safe, assuming that `both` and `set` write nothing\n");
    let certified = workspace.rorqual("certify a.c --undefined any --certificate a.cert");
    assert!(certified.output.ends_with(", assuming that `both` and `set` write nothing\n"), "{certified:?}");
    let certificate = workspace.read("a.cert").replace("assuming writes-nothing set\n", "");
    workspace.write("a.cert", certificate.as_bytes());
    let certified = workspace.rorqual("certify a.c --undefined any --certificate a.cert");
    let expected =
        "rejected: the proof rests on what the certificate does not name: that `set` writes nothing\n";
    assert_eq!((certified.code, certified.output.as_str()), (20, expected));
    let answer = workspace.rorqual("check a.c");
    assert_eq!(answer.code, 10, "{answer:?}");
    assert!(
        answer.output.contains("write only the objects and members that they get pointers to\n"),
        "{}",
        answer.output
    );
}

#[test]
fn undefined_functions_can_be_refused() {
    let workspace = Workspace::new(&[("a.c", UNDEFINED)]);
    let answer = workspace.rorqual("check a.c --undefined error");
    assert_eq!(answer.code, 20, "{answer:?}");
    let expected = "unknown: a call of the undefined function `set` is not supported (a.c:9)\n";
    assert_eq!(answer.line(), expected);
}

#[test]
fn variables_of_the_library_change_unless_that_is_assumed_away() {
    let program = "#include <unistd.h>\nextern void reach_error(void);\nint main(int argc, char **argv) {\n  \
                   optind = 1;\n  getopt(argc, argv, \"a\");\n  if (optind != 1) reach_error();\n  return 0;\n}\n";
    let workspace = Workspace::new(&[("a.c", program)]);
    let answer = workspace.rorqual("check a.c");
    assert_eq!(answer.line(), "unknown: the library function `getopt` is not supported (a.c:5)\n");
    let answer = workspace.rorqual("check a.c --undefined any");
    assert_eq!(answer.line(), "safe, assuming that `getopt` writes nothing\n");
}

#[test]
fn undefined_functions_may_call_what_they_are_given() {
    let called = "static void f(void) { reach_error(); }\n";
    for (functions, argument) in [(called, "f"), ("", "reach_error")] {
        let program = format!(
            "extern void g(void (*)(void)); extern void reach_error(void);\n{functions}\
             int main(void) {{ g({argument}); return 0; }}"
        );
        let workspace = Workspace::new(&[("a.c", &program)]);
        for engine in ["bmc", "impact"] {
            let answer = workspace.rorqual(&format!("check a.c --engine {engine}"));
            let expected =
                format!("unknown: a call of `{argument}` by the undefined function `g` is not supported");
            assert!(answer.output.starts_with(&expected), "{engine}: {answer:?}");
        }
        assert_eq!(workspace.rorqual("check a.c").code, 20);
        let answer = workspace.rorqual("check a.c --undefined any");
        let expected =
            "safe, assuming that `g` writes nothing and that `g` calls no function of the program\n";
        assert_eq!(answer.line(), expected);
    }
}

#[test]
fn undefined_functions_write_what_they_can_reach() {
    let program = |condition: &str| {
        format!(
            "extern void put(int **p); extern void reach_error(void); int x, y;\n\
             int main(void) {{ int *p = &x; put(&p); if ({condition}) reach_error(); return 0; }}"
        )
    };
    for (condition, verdict) in [
        (
            "y != 0",
            "safe, assuming that `put` writes only the objects and members that it gets pointers to\n",
        ),
        ("x != 0", "unknown: the only violation found rests on what `put` writes"),
        ("p == &y", "unknown: the only violation found rests on what `put` writes"),
    ] {
        let workspace = Workspace::new(&[("a.c", &program(condition))]);
        let answer = workspace.rorqual("check a.c");
        assert!(answer.output.starts_with(verdict), "{condition}: {answer:?}");
        let answer = workspace.rorqual("check a.c --undefined any");
        assert_eq!(answer.line(), "safe, assuming that `put` writes nothing\n", "{condition}");
        let answer = workspace.rorqual("check a.c --undefined havoc-all");
        assert_ne!(answer.code, 0, "{condition}: {answer:?}");
    }
}

/// Formats with arguments, each with a model.
const PRINTED: &[&str] = &[
    "\"\"",
    "\"a%%b\"",
    "\"%d|%i\", -12, 2147483647",
    "\"%d\", -2147483647 - 1",
    "\"%5d|%-5d|%05d|%-05d\", -42, -42, -42, -42",
    "\"%u %x %X\", 4000000000u, 0xabcdefu, 0xabcdefu",
    "\"%02x%08X\", 10, 48879",
    "\"%ld %lu %lx\", -9223372036854775807L - 1, 18446744073709551615UL, 255L",
    "\"%lld %llu\", -5LL, 5ULL",
    "\"%zu %3zu\", sizeof(int), sizeof(long)",
    "\"%hhd %hhu %hd %hu\", 200, -1, 40000, -1",
    "\"%hhx\", (unsigned char)0xfe",
    "\"%c%3c%-3c|\", 'a', 'b', 'c'",
    "\"[%s|%5s|%-5s|%1s]\", \"abc\", \"abc\", \"abc\", \"abc\"",
    "\"%s=%d;\\xe9\", \"key\", 7",
];

#[test]
fn what_is_printed_to_memory_is_what_the_interpreter_prints() {
    let head = "#include <stdio.h>\n#include <string.h>\nextern void reach_error(void);\n";
    for arguments in PRINTED {
        for size in [0, 1, 4, 40] {
            let call = format!("char t[40] = \"#\"; int n = snprintf(t, {size}, {arguments});");
            let shown = format!(
                "{head}int main(void) {{ {call} printf(\"%d\", n); for (int i = 0; i < 40; i++) printf(\" %d\", t[i]); }}"
            );
            let shown = Workspace::new(&[("a.c", &shown)]).rorqual("run a.c").output;
            let numbers: Vec<&str> = shown.split(' ').collect();
            assert_eq!(numbers.len(), 41, "{arguments}: {shown}");
            let (count, bytes) = (numbers[0], numbers[1..].join(", "));
            let claimed = |count: &str| {
                format!(
                    "{head}int main(void) {{ {call} char e[40] = {{{bytes}}}; if (n != {count} || memcmp(t, e, 40)) reach_error(); return 0; }}"
                )
            };
            let workspace = Workspace::new(&[("a.c", &claimed(count)), ("b.c", &claimed("77"))]);
            let answer = workspace.rorqual("check a.c --engine bmc --check assertions,bounds");
            assert_eq!(answer.line(), "safe\n", "{arguments}, {size}: {answer:?}");
            assert_eq!(workspace.rorqual("check b.c --engine bmc").code, 10, "{arguments}, {size}");
        }
    }
}

#[test]
fn that_sorting_keeps_the_order_of_equal_elements_is_assumed() {
    let program = "#include <stdlib.h>\nextern void reach_error(void);\n\
                   static int same(const void *a, const void *b) { return 0; }\n\
                   int main(void) { int v[2] = {2, 1}; qsort(v, 2, sizeof v[0], same); if (v[0] != 2) reach_error(); }";
    let workspace = Workspace::new(&[("a.c", program)]);
    let answer = workspace.rorqual("check a.c --certificate a.cert");
    assert_eq!(answer.line(), "safe, assuming that `qsort` keeps the order of equal elements\n");
    let certified = workspace.rorqual("certify a.c --certificate a.cert");
    assert_eq!(certified.code, 0, "{certified:?}");
    let certificate = workspace.read("a.cert").replace("assuming keeps-order qsort\n", "");
    workspace.write("a.cert", certificate.as_bytes());
    let certified = workspace.rorqual("certify a.c --certificate a.cert");
    assert_eq!(certified.code, 20, "{certified:?}");
}

#[test]
fn what_does_not_fit_is_out_of_bounds() {
    let program = |call: &str| {
        format!("#include <stdio.h>\nint main(void) {{ char t[4]; int n = 100; {call}; return 0; }}")
    };
    for (call, code) in [
        ("sprintf(t, \"%d\", n)", 0),
        ("sprintf(t, \"%d.\", n)", 10),
        ("snprintf(t, 4, \"%d.\", n)", 0),
        ("snprintf(t, 6, \"%d.\", n)", 10),
    ] {
        let workspace = Workspace::new(&[("a.c", &program(call))]);
        let answer = workspace.rorqual("check a.c --check bounds");
        assert_eq!(answer.code, code, "{call}: {answer:?}");
    }
}

#[test]
fn errno_is_what_the_program_stores_unless_a_function_may_have_set_it() {
    let program = |call: &str, condition: &str| {
        format!(
            "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
             extern void reach_error(void);\nint main(void) {{ char a[4] = \"12\"; errno = 3; {call};\n\
             if ({condition}) reach_error(); return 0; }}"
        )
    };
    let unknown =
        "unknown: the only violation found rests on the result of `errno`, which is not modelled exactly";
    for (call, condition, verdict) in [
        ("memcpy(a, \"34\", 3)", "errno != 3", "safe\n"),
        ("strlen(a)", "errno != 3", "safe\n"),
        ("strtol(a, 0, 10)", "errno != 3", "safe\n"),
        ("strtol(a, 0, 10)", "errno == 3", "unsafe: "),
        ("strtol(\"99999999999999999999\", 0, 10)", "errno != ERANGE", "safe\n"),
        ("puts(a)", "errno == 4", unknown),
        ("puts(a)", "errno != 3", unknown),
        ("strtod(a, 0)", "errno == ERANGE", unknown),
        ("int (*f)(const char *) = puts; f(a)", "errno != 3", unknown),
        ("puts(a); errno = 3", "errno != 3", "safe\n"),
        ("puts(a); errno = 3", "errno == 3", "unsafe: "),
    ] {
        let workspace = Workspace::new(&[("a.c", &program(call, condition))]);
        let answer = workspace.rorqual("check a.c");
        assert!(answer.output.starts_with(verdict), "{call}, {condition}: {answer:?}");
    }
    let memory = program("getpid()", "0").replace("<string.h>", "<string.h>\n#include <unistd.h>");
    let answer = Workspace::new(&[("a.c", &memory)]).rorqual("check a.c --check bounds,null,uninitialized");
    assert_eq!(answer.code, 0, "what is not known of `errno` is no access: {answer:?}");
    let workspace = Workspace::new(&[("a.c", "extern int errno; int main(void) { return errno; }")]);
    let declared = workspace.rorqual("check a.c --check overflow");
    assert!(declared.output.starts_with("unknown: the value of the external variable errno"), "{declared:?}");
    // Another function than that of the library has no `errno` behind it.
    let other = "extern long *__errno_location(void); extern void reach_error(void);\n\
                 int main(void) { if (*__errno_location() == 7) reach_error(); return 0; }";
    let answer = Workspace::new(&[("a.c", other)]).rorqual("check a.c");
    assert_ne!(answer.code, 0, "{answer:?}");
}

/// Prelude, call, and what may be different afterwards.
const WRITERS: &[(&str, &str, &str)] = &[
    ("#include <math.h>\nint x;", "frexpf(2, &x)", "x"),
    ("#include <math.h>\nint x;", "remquol(2, 1, &x)", "x"),
    ("#include <math.h>\nfloat x;", "modff(2.5f, &x)", "x"),
    ("#include <poll.h>\nstruct pollfd x;", "poll(&x, 1, 0)", "x.revents"),
    ("#include <sys/ioctl.h>\nint x;", "ioctl(0, 1, &x)", "x"),
    ("#include <fcntl.h>\nstruct flock x;", "fcntl(0, F_GETLK, &x)", "x.l_type"),
    ("#include <sys/random.h>\nint x;", "getrandom(&x, sizeof x, 0)", "x"),
    ("#include <wchar.h>\nwchar_t x[4];", "swprintf(x, 4, L\"a\")", "x[0]"),
    ("#include <sys/utsname.h>\nstruct utsname x;", "uname(&x)", "x.release[0]"),
    ("#include <sys/wait.h>\nint x;", "wait(&x)", "x"),
    ("#include <time.h>\nstruct timespec x;", "clock_gettime(0, &x)", "x.tv_sec"),
    ("#include <unistd.h>\nint x[2];", "pipe(x)", "x[1]"),
    ("#include <unistd.h>\nchar x[8];", "read(0, x, 8)", "x[7]"),
    ("#include <sys/uio.h>\nint x; struct iovec v = {&x, sizeof x};", "readv(0, &v, 1)", "x"),
    ("#include <sys/stat.h>\nstruct stat x;", "stat(\"a\", &x)", "x.st_size"),
    ("#include <stdio.h>\nint x;", "sscanf(\"1\", \"%d\", &x)", "x"),
    ("#include <stdlib.h>\nunsigned x = 0;", "rand_r(&x)", "x"),
    (
        "unsigned long strlcpy(char *, const char *, unsigned long); char x[4];",
        "strlcpy(x, \"a\", 4)",
        "x[0]",
    ),
    (
        "void *__memcpy_chk(void *, const void *, unsigned long, unsigned long); int x, y = 1;",
        "__memcpy_chk(&x, &y, sizeof x, sizeof x)",
        "x",
    ),
    (
        "void *__memset_chk(void *, int, unsigned long, unsigned long); int x;",
        "__memset_chk(&x, 1, 4, 4)",
        "x",
    ),
    ("int x, y = 1;", "__builtin___memcpy_chk(&x, &y, sizeof x, __builtin_object_size(&x, 0))", "x"),
    ("char x[4];", "__builtin___strcpy_chk(x, \"a\", __builtin_object_size(x, 1))", "x[0]"),
    ("char x[4];", "__builtin___snprintf_chk(x, 4, 0, 4, \"%d\", 1)", "x[0]"),
    (
        "int __sprintf_chk(char *, int, unsigned long, const char *, ...); char x[4];",
        "__sprintf_chk(x, 0, 4, \"%d\", 1)",
        "x[0]",
    ),
    ("long __read_chk(int, void *, unsigned long, unsigned long); int x;", "__read_chk(0, &x, 4, 4)", "x"),
    (
        "unsigned __builtin_addc(unsigned, unsigned, unsigned, unsigned *); unsigned x;",
        "__builtin_addc(-1u, 1, 0, &x)",
        "x",
    ),
    (
        "#include <pthread.h>\nint x; pthread_once_t once; void set(void) { x = 1; }",
        "pthread_once(&once, set)",
        "x",
    ),
    (
        "#include <stdlib.h>\nint x, a[2]; int less(const void *p, const void *q) { x = 1; return 0; }",
        "qsort(a, 2, sizeof *a, less)",
        "x",
    ),
    ("int mine(int *); int x;", "mine(&x)", "x"),
    ("int mine(); int x;", "mine(&x)", "x"),
    ("int mine(const char *, ...); int x;", "mine(\"a\", &x)", "x"),
    ("int mine(int *const *); int x, *p = &x;", "mine(&p)", "x"),
    ("struct s { int *p; }; int mine(struct s); int x;", "mine((struct s){&x})", "x"),
    ("struct s { int *p; }; int mine(const struct s *); int x; struct s s = {&x};", "mine(&s)", "x"),
    ("int mine(void (*)(void)); int x; void set(void) { x = 1; }", "mine(set)", "x"),
    (
        "struct s { void (*f)(void); }; int mine(struct s *); int x; void set(void) { x = 1; } struct s s = {set};",
        "mine(&s)",
        "x",
    ),
    ("int mine(int *); int x; int (*call)(int *) = mine;", "call(&x)", "x"),
    ("int __builtin_frobnicate(int *); int x;", "__builtin_frobnicate(&x)", "x"),
];

#[test]
fn what_functions_without_a_body_write_is_not_proved_unchanged() {
    for (prelude, call, changed) in WRITERS {
        let program = |condition: &str| {
            format!(
                "{prelude}\nvoid reach_error(void); int other;\n\
                 int main(void) {{ {call}; if ({condition}) reach_error(); return 0; }}\n"
            )
        };
        let workspace = Workspace::new(&[("a.c", &program(changed))]);
        let answer = workspace.rorqual("check a.c --time-limit 10s");
        assert!([10, 20].contains(&answer.code), "{call}: {answer:?}");
    }
}

/// Declaration, call, and what is never different afterwards.
const OTHERS: &[(&str, &str, &str)] = &[
    ("int mine(const int *);", "mine(&x)", "x"),
    ("int mine(const char *);", "mine(\"a\")", "x"),
    ("int mine(int);", "mine(x)", "x"),
    ("int mine(int *); int y;", "mine(&y)", "x"),
    ("#include <stdio.h>", "printf(\"%d\", x)", "x"),
    ("#include <unistd.h>\nchar b[8];", "read(0, b, 8)", "x"),
    ("#include <math.h>\nint e;", "frexpf(2, &e)", "x"),
    ("#include <unistd.h>", "getpid()", "x"),
    ("#include <stdio.h>", "setvbuf(stdout, 0, _IONBF, 0)", "x"),
];

#[test]
fn what_functions_without_a_body_cannot_write_is_proved_unchanged() {
    for (prelude, call, kept) in OTHERS {
        let program = format!(
            "{prelude}\nvoid reach_error(void); int x;\n\
             int main(void) {{ {call}; if ({kept}) reach_error(); return 0; }}\n"
        );
        let workspace = Workspace::new(&[("a.c", &program)]);
        let answer = workspace.rorqual("check a.c");
        assert!(answer.output.starts_with("safe"), "{call}: {answer:?}");
    }
}

#[test]
fn task_definitions_follow_the_rule_of_the_competition() {
    let program = "void mine(int *); void reach_error(void); int x;\n\
                   int main(void) { mine(&x); if (x) reach_error(); return 0; }\n";
    let task = "format_version: '2.0'\ninput_files: 'a.c'\noptions:\n  language: C\n  data_model: LP64\n";
    let workspace = Workspace::new(&[("a.c", program), ("a.yml", task)]);
    assert_eq!(workspace.rorqual("check a.yml").line(), "safe, assuming that `mine` writes nothing\n");
    assert_eq!(workspace.rorqual("check a.yml --undefined havoc").code, 10);
    assert_eq!(workspace.rorqual("check a.c").code, 10);
}

/// What was written once may be written again, by way of pointers that are not known any more.
#[test]
fn undefined_functions_find_what_they_have_found_before() {
    let program = "void fill(int **p); void reach_error(void);\n\
                   int main(void) { int y = 0, *q = &y; fill(&q); y = 0; fill(&q); if (y) reach_error(); return 0; }\n";
    let workspace = Workspace::new(&[("a.c", program)]);
    for engine in ["auto", "bmc", "impact"] {
        let answer = workspace.rorqual(&format!("check a.c --engine {engine}"));
        assert_ne!(answer.code, 0, "{engine}: {answer:?}");
    }
}

#[test]
fn undefined_functions_may_write_globals_if_nothing_is_assumed() {
    let program = "void mine(void); void keep(int **p); void reach_error(void); int x; int *p = &x;\n\
                   int main(void) { int y = 0, *q = &y; keep(&q); y = 0; mine(); if (CONDITION) reach_error(); }\n";
    for (condition, code) in [("x", 20), ("p != &x", 20), ("y", 20)] {
        let workspace = Workspace::new(&[("a.c", &program.replace("CONDITION", condition))]);
        let answer = workspace.rorqual("check a.c --undefined havoc-all");
        assert!([code, 10].contains(&answer.code), "{condition}: {answer:?}");
        let answer = workspace.rorqual("check a.c");
        assert!(answer.output.starts_with("safe, assuming that "), "{condition}: {answer:?}");
    }
}
