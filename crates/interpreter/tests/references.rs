//! Pointers to variables of other calls as values: programs do the same with them and without.

mod support;

use rorqual_cfa::{Program, references_as_values, violations};
use rorqual_interpreter::{Outcome, run};
use support::Test;

/// A text whose `main` returns what pointers have done, and whether the pass is to change it.
struct Case {
    text: &'static str,
    changes: bool,
}

const CASES: [Case; 7] = [
    Case {
        text: "void f(int n, int *out) { int below = 3; if (n > 0) f(n - 1, &below); *out = below * 2 + n; }
            int main(void) { int r = 1; f(4, &r); return r % 251; }",
        changes: true,
    },
    // The result is stored where a pointer of the call points to, and the pointer is handed on.
    Case {
        text: "int g(int n, long *a, int *b);
            int f(int n, int *b) { long own = n; if (n <= 0) return *b;
                *b += 2; *b = g(n - 1, &own, b); return (int)own + *b; }
            int g(int n, long *a, int *b) { int own = 1; *a = *a * 3 + 1;
                while (n > 2) { own = f(n - 2, &own); n--; } *b += f(n - 1, b); return own + *b; }
            int main(void) { int r = 7; int s = f(5, &r); return (r * 13 + s) % 251; }",
        changes: true,
    },
    // Control comes back to the entry, and there are several returns.
    Case {
        text: "int f(int n, short *out) { short own; do { own = 5; *out += 1; if (*out > 9) return n;
                if (n > 0) f(n - 1, &own); *out += own; } while (*out < 40); return -n; }
            int main(void) { short r = 2; return f(3, &r) + r + 100; }",
        changes: true,
    },
    // Both pointers point to one variable.
    Case {
        text: "void f(int n, int *a, int *b) { int own = 1; *a += 1; *b *= 2; if (n > 0) f(n - 1, &own, &own); *a += own; }
            int main(void) { int r = 3; f(3, &r, &r); return r; }",
        changes: false,
    },
    // The pointer is kept, compared, changed, or called through another one.
    Case {
        text: "int *kept; void f(int n, int *out) { int own = n; if (n > 0) f(n - 1, &own); kept = out; *kept += own; }
            int main(void) { int r = 3; f(3, &r); return r; }",
        changes: false,
    },
    Case {
        text: "int f(int n, int *out) { int own[2] = {n, 2}; out += 1; if (n > 0) f(n - 1, own); return *out + own[1]; }
            int main(void) { int r[2] = {3, 4}; return f(3, r) + r[1]; }",
        changes: false,
    },
    Case {
        text: "void f(int n, int *out) { int own = n; void (*again)(int, int *) = f; if (n > 0) again(n - 1, &own); *out += own; }
            int main(void) { int r = 3; f(3, &r); return r; }",
        changes: false,
    },
];

#[test]
fn the_pass_keeps_what_programs_do() {
    for case in CASES {
        let mut test = Test::new(case.text);
        let original = test.program();
        let changed = references_as_values(&original);
        assert_eq!(changed.is_some(), case.changes, "{}", case.text);
        let expected = outcome(&mut test, &original);
        assert!(matches!(expected, Outcome::Finished { .. }), "{expected:?} of {}", case.text);
        if let Some(changed) = changed {
            assert_eq!(violations(&changed), Vec::<String>::new());
            assert_eq!(outcome(&mut test, &changed), expected, "{}", case.text);
        }
    }
}

fn outcome(test: &mut Test<'_>, program: &Program) -> Outcome {
    run(program, &test.config, &mut test.console).outcome
}
