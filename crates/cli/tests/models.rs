//! The models of library functions do what the interpreter's own versions do, and are used where they are needed.

mod support;

use std::fmt::Write;

use rorqual_models::{MODELS, Model};
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
            "abs" | "labs" | "llabs" => write!(text, "out({name}({n} - 2));"),
            _ => write!(text, "for (int c = {c}; c < {c} + 9; c++) out({name}(c));"),
        };
        text.push_str("}\n");
    }
    text
}

#[test]
fn models_agree_with_the_interpreter() {
    let head = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n\
                #include <ctype.h>\nstatic void out(long n) { printf(\"%ld\\n\", n); }\n\
                static void bytes(char *p) { for (int i = 0; i < 12; i++) printf(\"%d \", p[i]); }\n";
    for model in MODELS.iter().filter(|model| model.is_standard()) {
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
    let answer = workspace.rorqual("check a.c");
    assert_eq!(answer.code, 10, "{answer:?}");
    for name in ["both", "get", "set"] {
        let line = format!("  = assumed: `{name}` returns any value and writes nothing\n");
        assert!(answer.messages.contains(&line), "{}", answer.messages);
    }
    assert!(!answer.messages.contains("unused"), "{}", answer.messages);
    let safe = UNDEFINED.replace("p.x == 7 &&", "p.x == 7 && 0 &&");
    let workspace = Workspace::new(&[("a.c", &safe)]);
    assert_eq!(workspace.rorqual("check a.c").code, 0);
    let answer = workspace.rorqual("check a.c --undefined havoc");
    assert_eq!(answer.code, 10, "{answer:?}");
    assert!(!answer.messages.contains("assumed"), "{}", answer.messages);
}

#[test]
fn undefined_functions_can_be_refused() {
    let workspace = Workspace::new(&[("a.c", UNDEFINED)]);
    let answer = workspace.rorqual("check a.c --undefined error");
    assert_eq!(answer.code, 20, "{answer:?}");
    let expected = "unknown: a call of the undefined function `set` is not supported (a.c:9)\n";
    assert_eq!(answer.output, expected);
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
        ("y != 0", "safe\n"),
        ("x != 0", "unknown: the only violation found rests on what `put` writes"),
        ("p == &y", "unknown: the only violation found rests on what `put` writes"),
    ] {
        let workspace = Workspace::new(&[("a.c", &program(condition))]);
        let answer = workspace.rorqual("check a.c --undefined havoc");
        assert!(answer.output.starts_with(verdict), "{condition}: {answer:?}");
        assert_eq!(workspace.rorqual("check a.c").output, "safe\n", "{condition}");
    }
}
