//! Declarators and functions: pointers to functions, functions that return pointers to arrays,
//! old-style definitions, variable arguments, recursion; and questions about types.

use super::integer::{any_type, integer_types};
use super::objects::{constant, element_type};
use super::writer::Writer;

/// Declarators of all forms.
pub(super) fn declarators(writer: &mut Writer) {
    let of = element_type(writer);
    let type_name = of.name;
    let id = writer.global("d");
    let (a, b) = (constant(writer, of), constant(writer, of));
    let (n, m) = (writer.number(2, 4), writer.number(1, 9));
    writer.file(format!(
        "typedef {type_name} element{id}, row{id}[{n}], *pointer{id}, function{id}({type_name}, {type_name});"
    ));
    writer.file(format!("static element{id} first{id}({type_name} x, {type_name} y) {{ return x; }}"));
    writer.file(format!("static function{id} second{id}; static {type_name} second{id}(x, y) {type_name} x, y; {{ return y; }}"));
    writer.file(format!("static row{id} rows{id}[2] = {{ {{ {a}, {b} }}, {{ {b}, {a} }} }};"));
    writer.file(format!("static {type_name} (*row_at{id}(int i))[{n}] {{ return rows{id} + i; }}"));
    writer.file(format!("static {type_name} (*choose{id}(int i))({type_name}, {type_name}) {{ return i ? first{id} : second{id}; }}"));
    writer.file(format!("static {type_name} (*(*chooser{id}[2])(int))({type_name}, {type_name}) = {{ choose{id}, &choose{id} }};"));
    writer.file(format!(
        "static function{id} *const functions{id}[] = {{ first{id}, &second{id}, *first{id} }};"
    ));
    writer.file(format!("static int apply{id}(int f(int), int x) {{ return f(x) + (*f)(-x); }}"));
    writer.file(format!("static {type_name} sum{id}({type_name} x[static 2], {type_name} y[], {type_name} (*z)[{n}]) {{ return x[1] ^ y[0] ^ (*z)[1]; }}"));
    writer.file(format!("static {type_name} table{id}(int rows, int columns, {type_name} t[rows][columns]) {{ return t[rows - 1][columns - 1] ^ sizeof t[0]; }}"));
    for expression in [
        format!("(*row_at{id}(1))[0]"),
        format!("row_at{id}(zero)[1][1]"),
        format!("choose{id}(1)({a}, {b})"),
        format!("choose{id}(zero)({a}, {b})"),
        format!("(*chooser{id}[1])({m} - 1)({b}, {a})"),
        format!("functions{id}[zero + 1]({a}, {b}) == functions{id}[2]({b}, {a})"),
        format!("(**functions{id}[0])({a}, {b})"),
        format!("functions{id}[0] == functions{id}[2]"),
        format!("apply{id}(abs, {m})"),
        format!("sum{id}(rows{id}[0], rows{id}[1], rows{id})"),
        format!("table{id}(2, {n}, rows{id})"),
        format!("sizeof(row{id}) + sizeof(pointer{id}) + sizeof(rows{id})"),
        format!("sizeof({type_name} (*[3])[{n}]) + sizeof(int (*)(void))"),
    ] {
        writer.observe(expression);
    }
    let (p, q) = (writer.name("p"), writer.name("q"));
    writer.line(format!("{type_name} (*(*{p})[2])[{n}] = &({type_name} (*[2])[{n}]){{ row_at{id}(1), row_at{id}(0) }}, *const *{q} = (pointer{id}[]){{ rows{id}[1] }};"));
    writer.observe(format!("(*(*{p})[1])[0] ^ **{q}"));
    writer.observe(format!("(*{p})[0] - (*{p})[1]"));
}

/// Conversions of arguments and results at every type, and evaluation of nested calls.
pub(super) fn calls(writer: &mut Writer) {
    let types = integer_types(writer.model);
    for _ in 0..5 {
        let (result, parameter, argument) =
            (*writer.random.choose(&types), *writer.random.choose(&types), *writer.random.choose(&types));
        let function = writer.global("convert");
        let style = writer.random.below(3);
        let (result_name, parameter_name) = (result.name, parameter.name);
        writer.file(match style {
            0 => format!("{result_name} {function}(x) {parameter_name} x; {{ return x; }}"),
            1 => format!("static inline {result_name} {function}(const {parameter_name} x) {{ return x; }}"),
            _ => format!("static {result_name} {function}({parameter_name} x) {{ {parameter_name} *p = &x; return p[0]; }}"),
        });
        let bits = argument.value(&mut writer.random);
        let variable = writer.variable(argument, bits);
        // An old-style definition does not convert its arguments.
        let converted = if style == 0 { format!("({parameter_name})") } else { String::new() };
        writer.observe_integer(result.integer.bits, format!("{function}({converted}{})", variable.access));
        writer.observe_integer(
            result.integer.bits,
            format!("{function}({converted}{function}({converted}{}))", variable.access),
        );
    }
}

/// Variable arguments, after default promotions.
pub(super) fn variable_arguments(writer: &mut Writer) {
    let function = writer.global("collect");
    let mut takes = String::new();
    let mut passed = String::new();
    for _ in 0..writer.number(1, 6) {
        let bits = match writer.random.below(6) {
            0 => {
                takes += "sum = sum * 31 + (unsigned long long)(long long)__builtin_va_arg(list, double);\n";
                passed += writer.word(&[", 3.75", ", -8.0f", ", 1e6"]);
                continue;
            }
            1 => {
                takes += "sum = sum * 31 + *__builtin_va_arg(list, char *);\n";
                passed += writer.word(&[", \"abc\"", ", \"\"", ", \"xyz\" + 1"]);
                continue;
            }
            2 => {
                takes += &format!(
                    "{{ struct pair{function} p = __builtin_va_arg(list, struct pair{function}); sum = sum * 31 + p.a - p.b; }}\n"
                );
                passed += &format!(", (struct pair{function}){{ {}, 2 }}", writer.number(0, 90));
                continue;
            }
            3 => "long long",
            4 => "unsigned long",
            _ => "int",
        };
        takes += &format!("sum = sum * 31 + __builtin_va_arg(list, {bits});\n");
        if bits == "int" {
            let of = loop {
                let of = any_type(writer.model, &mut writer.random);
                // What is promoted to `int`; `enum natural` is `unsigned`, as are wide bit-fields.
                if of.integer.bits < 32 || of.name == "int" {
                    break of;
                }
            };
            let value = of.value(&mut writer.random);
            passed += &format!(", {}", writer.variable(of, value).access);
        } else {
            passed += &format!(", ({bits}){}", writer.number(0, 99));
        }
    }
    writer.file(format!("struct pair{function} {{ short a; long long b; }};"));
    writer.file(format!("static unsigned long long {function}(int first, ...) {{\n__builtin_va_list list, again;\nunsigned long long sum = first;\n__builtin_va_start(list, first);\n__builtin_va_copy(again, list);\n{takes}__builtin_va_end(list);\n{}__builtin_va_end(again);\nreturn sum;\n}}", takes.replace("list,", "again,")));
    writer.observe(format!("{function}(5{passed})"));
    writer.observe(format!("{function}(zero{passed}) + 1"));
}

/// Recursion, direct and mutual, with arrays and structures in each frame.
pub(super) fn recursion(writer: &mut Writer) {
    let id = writer.global("r");
    let (n, m, k) = (writer.number(2, 5), writer.number(1, 3), writer.number(2, 5));
    writer.file(format!(
        "static unsigned fib{id}(unsigned n) {{ return n < 2 ? n : fib{id}(n - 1) + fib{id}(n - 2); }}"
    ));
    writer.file(format!("static int odd{id}(unsigned n); static int even{id}(unsigned n) {{ return n == 0 ? 1 : odd{id}(n - 1); }} static int odd{id}(unsigned n) {{ if (!n) return 0; return even{id}(--n); }}"));
    writer.file(format!("static long long depth{id}(int n, int *outer) {{ int mine[2] = {{ n, outer ? outer[0] : {k} }}; if (n == 0) return mine[1]; long long below = depth{id}(n - 1, mine); return below * {m} + mine[0] + mine[1]; }}"));
    writer.file(format!("struct s{id} {{ int a[2]; char c; }}; static struct s{id} turn{id}(struct s{id} s, int n) {{ if (n <= 0) return s; struct s{id} t = {{ {{ s.a[1], s.a[0] + n }}, s.c ^ n }}; return turn{id}(t, n - 1); }}"));
    writer.file(format!("static unsigned digits{id}(unsigned long long x, char *out) {{ static unsigned calls; calls++; if (x > 9) out += digits{id}(x / 10, out); *out = '0' + x % 10; out[1] = 0; unsigned n = x > 9 ? 1 : 0; while (x /= 10) n++; return x + n + (n == 0); }}"));
    let calls = [
        format!("fib{id}({n})"),
        format!("even{id}({n}) * 2 + odd{id}({n} + zero)"),
        format!("depth{id}({n}, 0)"),
        format!("turn{id}((struct s{id}){{ {{ 1, {k} }}, {m} }}, {n}).a[1]"),
        format!("turn{id}((struct s{id}){{ {{ {m} + zero, {k} }}, 'x' }}, {n}).c"),
        format!("({{ char text[24]; digits{id}({}, text) + text[0] * 256 + text[1] * 16; }})", 100 + n * 37),
    ];
    for _ in 0..2 {
        let call = writer.random.choose(&calls).clone();
        writer.observe(call);
    }
}

/// Sizes and types of expressions, which depend on promotions and decay.
pub(super) fn type_queries(writer: &mut Writer) {
    let types = integer_types(writer.model);
    let mut generic = String::new();
    for (number, of) in types.iter().enumerate() {
        // Enumerations are compatible with a type that is in the list already.
        if !of.name.starts_with("enum") {
            generic += &format!("{}: {}, ", of.name, number + 1);
        }
    }
    generic += "float: 50, double: 51, long double: 52, char *: 53, const char *: 54, void *: 55, int *: 56, default: 99";
    let (s, a, f) = (writer.name("s"), writer.name("a"), writer.global("f"));
    writer.file(format!("static short {f}(char c) {{ return c; }}"));
    writer.line(format!("struct {{ unsigned narrow : 5; unsigned full : 32; int sign : 9; _Bool truth : 1; char c; }} {s} = {{ 1, 2, 3, 1, 4 }}; int {a}[3] = {{ 1, 2, 3 }};"));
    for _ in 0..10 {
        let (left, right) =
            (any_type(writer.model, &mut writer.random), any_type(writer.model, &mut writer.random));
        let (l, r) = (format!("({})1", left.name), format!("({})1", right.name));
        let operator = writer.word(&["+", "*", "<<", "<", "&&", "|", "-", ">>", "=="]);
        let expression = match writer.random.below(14) {
            0..=3 => format!("{l} {operator} {r}"),
            4 => format!("zero ? {l} : {r}"),
            5 => format!("-{l}"),
            6 => format!("!{l}"),
            7 => format!("({l}, {r})"),
            8 => format!("+{s}.{}", writer.word(&["narrow", "full", "sign", "truth", "c"])),
            9 => format!("{s}.{} + 1L", writer.word(&["narrow", "full", "sign", "truth", "c"])),
            10 => format!("{f}(1)"),
            11 => writer
                .word(&[
                    "1",
                    "1u",
                    "1L",
                    "1ul",
                    "1LL",
                    "0x80000000",
                    "2147483648",
                    "0xffffffffffffffff",
                    "'a'",
                    "1.f",
                    "1.",
                    "1.L",
                    "4294967296",
                    "037777777777",
                    "0b11",
                ])
                .to_owned(),
            12 => writer
                .word(&[
                    "\"text\"",
                    "&\"text\"[0]",
                    "(void *)0",
                    "zero ? (void *)0 : &zero",
                    "&zero",
                    "\"a\" + 1",
                    "(const char *)0",
                ])
                .to_owned(),
            _ => format!("{l} + 1.0f"),
        };
        writer.observe(format!("_Generic(({expression}), {generic})"));
        writer.observe(format!("sizeof({expression})"));
    }
    writer.observe(format!("sizeof {a} + sizeof({a} + 0) + sizeof *{a} + sizeof &{a} + sizeof {f}(1)"));
    let (t, n) = (writer.name("t"), writer.number(1, 9));
    writer.line(format!("__typeof__({a}[0] + 1LL) {t} = {n}; __typeof__({a}) u{t} = {{ 7 }}; __typeof__(&{a}[1]) v{t} = u{t}; __auto_type w{t} = {s}.c;"));
    writer.observe(format!("{t} + u{t}[2] + *v{t} + w{t} + sizeof {t} + sizeof u{t} + sizeof w{t}"));
    // The operand of sizeof is not evaluated.
    writer.observe(format!("sizeof({t}++) + sizeof({f}({a}[0]++))"));
    writer.observe(format!("{t} + {a}[0]"));
    for of in [types[writer.random.below(types.len())], types[writer.random.below(types.len())]] {
        writer.observe(format!("_Alignof({}) + _Alignof(struct {{ char c; {} m; }})", of.name, of.name));
        writer.observe(format!("__builtin_offsetof(struct {{ char c; {} m[3]; }}, m[1])", of.name));
    }
}
