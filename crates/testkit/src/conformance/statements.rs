//! Control flow: loops, switches, jumps, statement expressions, blocks with shadowing. All
//! arithmetic is unsigned, so nothing overflows; all loops count down.

use super::writer::Writer;

/// How deep statements are nested.
const DEPTH: usize = 2;

/// What jumps may appear where.
#[derive(Clone, Copy)]
struct Context {
    depth: usize,
    in_loop: bool,
    in_switch: bool,
}

/// A function full of random statements, called once.
pub(super) fn control_flow(writer: &mut Writer) {
    let function = writer.global("flow");
    let mut labels = Vec::new();
    let context = Context { depth: DEPTH, in_loop: false, in_switch: false };
    let body = [(); 3].map(|()| statement(writer, context, &mut labels)).join("\n");
    writer.file(format!("static unsigned {function}(unsigned a, unsigned b) {{\nunsigned c = 1, d = 7, fuel = 7;\n{body}\nreturn a + b * 3 + c * 5 + d * 7 + fuel;\n}}"));
    let (a, b) = (writer.number(0, 12), writer.number(0, 12));
    writer.observe(format!("{function}({a} + zero, {b})"));
}

fn variable(writer: &mut Writer) -> &'static str {
    writer.word(&["a", "b", "c", "d"])
}

fn condition(writer: &mut Writer) -> String {
    let (x, y) = (variable(writer), variable(writer));
    match writer.random.below(5) {
        0 => format!("{x} & {}", writer.number(1, 4)),
        1 => format!("{x} < {y}"),
        2 => format!("{x} % {} == {y} % 3 || !{x}", writer.number(2, 5)),
        3 => format!("{x}++ > 2 && {y} != 5"),
        _ => format!("({x} ^ 2) > {}", writer.number(0, 9)),
    }
}

fn block(writer: &mut Writer, context: Context, labels: &mut Vec<String>) -> String {
    (0..writer.number(1, 2)).map(|_| statement(writer, context, labels)).collect::<Vec<_>>().join("\n")
}

fn simple(writer: &mut Writer) -> String {
    let (x, y, n) = (variable(writer), variable(writer), writer.number(1, 9));
    match writer.random.below(7) {
        0 => format!("{x} += {y} * {n};"),
        1 => format!("{x} ^= {y} >> {n};"),
        2 => format!("{x} = {y} % {n} + 1;"),
        3 => format!("{x}--;"),
        4 => format!("{x} = ({{ unsigned e = {y} + {n}; e *= 2; e + 1; }});"),
        5 => format!("{{ unsigned {x} = {n}; {{ unsigned {x} = {n} + 1; {y} += {x}; }} {y} ^= {x}; }}"),
        _ => format!("{x} = {y} > {n} ? {x} - 1 : {x} * 2;"),
    }
}

fn statement(writer: &mut Writer, context: Context, labels: &mut Vec<String>) -> String {
    if context.depth == 0 {
        return simple(writer);
    }
    let inner = Context { depth: context.depth - 1, ..context };
    let looping = Context { in_loop: true, in_switch: false, ..inner };
    match writer.random.below(14) {
        0 => format!("if ({}) {{\n{}\n}}", condition(writer), block(writer, inner, labels)),
        1 => {
            let (first, second) = (block(writer, inner, labels), block(writer, inner, labels));
            format!("if ({}) {{\n{first}\n}} else {{\n{second}\n}}", condition(writer))
        }
        2 => {
            let n = writer.number(1, 3);
            let index = writer.name("i");
            format!(
                "for (unsigned {index} = 0; {index} < {n}; {index}++) {{\nif (fuel-- == 0) return a;\n{}\nc += {index};\n}}",
                block(writer, looping, labels)
            )
        }
        3 => format!(
            "while (fuel > {} && ({})) {{\nfuel--;\n{}\n}}",
            writer.number(3, 6),
            condition(writer),
            block(writer, looping, labels)
        ),
        4 => format!(
            "do {{\nif (fuel < 3) break;\nfuel -= 3;\n{}\n}} while ({});",
            block(writer, looping, labels),
            condition(writer)
        ),
        5 | 6 => switch(writer, inner, labels),
        7 => {
            let label = writer.name("out");
            let body = block(writer, inner, labels);
            format!("{{\nif ({}) goto {label};\n{body}\n{label}: d += 3;\n}}", condition(writer))
        }
        8 => {
            let label = writer.name("again");
            let body = block(writer, inner, labels);
            format!(
                "{label}:\nif (fuel > 4) {{\nfuel -= 4;\n{body}\nif ({}) goto {label};\n}}",
                condition(writer)
            )
        }
        9 if context.in_loop || context.in_switch => format!("if ({}) break;", condition(writer)),
        10 if context.in_loop => format!("if ({}) continue;", condition(writer)),
        11 => duff(writer),
        _ => simple(writer),
    }
}

fn switch(writer: &mut Writer, inner: Context, labels: &mut Vec<String>) -> String {
    let context = Context { in_switch: true, ..inner };
    let mut cases = String::new();
    let default = writer.random.below(5);
    for number in 0..4 {
        if number == default {
            cases += "default:\n";
        }
        cases += &match writer.random.below(3) {
            0 => format!("case {} ... {}:\n", number * 3, number * 3 + 1),
            1 => format!("case {}: case {}:\n", number * 3, number * 3 + 2),
            _ => format!("case {}:\n", number * 3 + 1),
        };
        cases += &block(writer, Context { depth: 0, ..context }, labels);
        cases += writer.word(&["\nbreak;\n", "\n", "\nbreak;\n"]);
    }
    let selector = match writer.random.below(3) {
        0 => format!("(unsigned char){}", variable(writer)),
        1 => format!("{} % 13", variable(writer)),
        _ => format!("(long long){} - 1", variable(writer)),
    };
    format!("switch ({selector}) {{\n{cases}}}")
}

fn duff(writer: &mut Writer) -> String {
    let (x, n) = (variable(writer), writer.name("n"));
    format!(
        "{{ unsigned {n} = {x} % 7 + 1; switch ({n} % 3) {{ case 0: do {{ c++; /* falls through */ case 2: d += 2; \
         case 1: {x} ^= 1; {n} = {n} > 3 ? {n} - 3 : 0; }} while ({n}); }} }}"
    )
}

/// Objects of blocks, variable-length arrays and local labels.
pub(super) fn blocks(writer: &mut Writer) {
    let id = writer.global("b");
    let (n, m, k) = (writer.number(2, 5), writer.number(1, 9), writer.number(1, 4));
    writer.file(format!("static unsigned vla{id}(int n) {{ unsigned a[n], total = 0; for (int i = 0; i < n; i++) a[i] = i * {m}; for (int i = n; i-- > 0;) total = total * 3 + a[i]; return total + sizeof a; }}"));
    writer.file(format!("static unsigned grid{id}(int n, int m) {{ unsigned short a[n][m]; unsigned short (*p)[m] = a; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) p[i][j] = i * 10 + j; p++; return (*p)[m - 1] + sizeof *p + sizeof a / sizeof a[0]; }}"));
    writer.file(format!("static int back{id}(void) {{ int *p = 0, rounds = 0; {{ again:; int x = 3; if (p == 0) {{ p = &x; x = {m}; rounds++; goto again; }} *p += {k}; return x + rounds; }} }}"));
    writer.file(format!("static int shadow{id}(int x) {{ int y = x; {{ int x = y + {m}; {{ int y = x * 2; x += y; }} y = x; }} for (int x = 0; x < {k}; x++) y += x; return x * 1000 + y; }}"));
    writer.file(format!("static int local{id}(int x) {{ __label__ out; enum {{ HERE = {m} }}; struct s {{ int v; }} s = {{ HERE }}; if (x > {k}) goto out; s.v += x; out: return s.v; }}"));
    writer.file(format!("static int early{id}(int x) {{ while (1) {{ switch (x) {{ case 0: return {m}; case 1: break; default: x--; continue; }} x = 0; }} }}"));
    writer.file(format!("static int nothing{id}(int x) {{ if (x) ; else return 1; for (;;) {{ if (x-- == 0) break; }} do ; while (0); return x; }}"));
    let expressions = [
        format!("vla{id}({n})"),
        format!("grid{id}({n}, {k} + zero)"),
        format!("back{id}()"),
        format!("shadow{id}({n})"),
        format!("local{id}({n}) * 100 + local{id}(zero)"),
        format!("early{id}({n}) + early{id}(zero)"),
        format!("nothing{id}({n}) + nothing{id}(zero)"),
        format!("({{ int t = {m}; for (int i = 0; i < {n}; i++) t = t * 2 - i; t; }})"),
        format!("(({{ __label__ skip; goto skip; skip: {n}; }}) + 1, ({{ ; }}), {k})"),
    ];
    for _ in 0..4 {
        let expression = writer.random.choose(&expressions).clone();
        writer.observe(expression);
    }
}
