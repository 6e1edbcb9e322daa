//! Arrays, pointers, strings, storage classes and the library functions that work on memory.

use super::integer::{IntegerType, integer_types, literal};
use super::writer::Writer;

/// A type of at most 64 bits that is no `_Bool`.
pub(super) fn element_type(writer: &mut Writer) -> IntegerType {
    let types: Vec<IntegerType> = integer_types(writer.model)
        .into_iter()
        .filter(|of| !of.is_boolean && of.integer.bits <= 64)
        .collect();
    *writer.random.choose(&types)
}

pub(super) fn constant(writer: &mut Writer, of: IntegerType) -> String {
    let bits = of.value(&mut writer.random);
    literal(of.integer, bits)
}

fn constants(writer: &mut Writer, of: IntegerType, count: usize) -> String {
    (0..count).map(|_| constant(writer, of)).collect::<Vec<_>>().join(", ")
}

/// Arrays with one to three dimensions, and pointers into them.
pub(super) fn arrays_and_pointers(writer: &mut Writer) {
    let of = element_type(writer);
    let (name, type_name) = (writer.name("a"), of.name);
    let (rows, columns) = (writer.number(2, 3), writer.number(2, 4));
    let values = constants(writer, of, rows * columns);
    let storage = writer.word(&["", "static "]);
    writer.line(format!("{storage}{type_name} {name}[{rows}][{columns}] = {{ {values} }};"));
    let (row, column) = (writer.number(0, rows - 1), writer.number(0, columns - 1));
    let (p, q, whole) = (writer.name("p"), writer.name("q"), writer.name("rows"));
    writer.line(format!("{type_name} *{p} = &{name}[{row}][zero], *{q} = {name}[{row}] + {column};"));
    writer.line(format!("{type_name} (*{whole})[{columns}] = {name} + zero;"));
    for expression in [
        format!("{q} - {p}"),
        format!("*({p} + {column})"),
        format!("{column}[{p}]"),
        format!("{whole}[{row}][{column}]"),
        format!("*(*({whole} + {row}) + {column})"),
        format!("({whole} + {row}) - {name}"),
        format!("(char *){q} - (char *){name}"),
        format!("{p} <= {q}"),
        format!("{p} + {column} == {q}"),
        format!("{p} > {q}"),
        format!("!{p} + !!{q}"),
        format!("&{name}[{rows}] - {whole}"),
        format!("(*{p})++"),
        format!("*{p}"),
        format!("sizeof {name} / sizeof *{name}"),
        format!("sizeof *{whole}"),
        format!("(*&*{q})"),
        format!("({type_name} *)(void *){q} == {q}"),
        format!("({type_name} *)(__UINTPTR_TYPE__){q} == {q}"),
    ] {
        if !expression.contains("++") || !of.integer.signed {
            writer.observe(expression);
        }
    }
    walk(writer, of, rows * columns);
}

/// Steps of a pointer through an array, as values.
fn walk(writer: &mut Writer, of: IntegerType, count: usize) {
    let (name, p, type_name) = (writer.name("line"), writer.name("p"), of.name);
    let values = constants(writer, of, count);
    writer.line(format!("{type_name} {name}[{count}] = {{ {values} }}, *{p} = {name};"));
    let mut position = 0;
    for _ in 0..7 {
        match writer.random.below(6) {
            0 if position + 1 < count => {
                writer.observe(format!("*{p}++"));
                position += 1;
            }
            1 if position + 1 < count => {
                writer.observe(format!("*++{p}"));
                position += 1;
            }
            2 if position > 0 => {
                writer.observe(format!("*{p}--"));
                position -= 1;
            }
            3 if position > 0 => {
                writer.observe(format!("*--{p}"));
                position -= 1;
            }
            4 => {
                let to = writer.random.below(count);
                writer.observe(if to >= position {
                    format!("*({p} += {})", to - position)
                } else {
                    format!("({p} -= {}) - {name}", position - to)
                });
                position = to;
            }
            _ => {
                let value = constant(writer, of);
                if position + 1 < count {
                    writer.observe(format!("*{p}++ = {value}"));
                    position += 1;
                }
            }
        }
    }
    writer.observe(format!("{p} - {name}"));
    for index in 0..count {
        writer.observe(format!("{name}[{index}]"));
    }
}

/// Places that the assignment itself changes: the value is what was stored.
pub(super) fn self_modifying_places(writer: &mut Writer) {
    let of = element_type(writer);
    let (a, p, node, type_name) = (writer.name("a"), writer.name("p"), writer.name("node"), of.name);
    writer.line(format!("{type_name} {a}[4] = {{ 0 + zero, 2, 1, 3 }};"));
    for _ in 0..4 {
        let (index, value) = (writer.number(0, 3), writer.number(0, 3));
        let expression = match writer.random.below(6) {
            0 => format!("{a}[{a}[{index}]] = {value}"),
            1 => format!("{a}[{a}[{index}] & 3] = {a}[{value}]"),
            2 => format!("({a}[{a}[{index}]] ^= {value} & 3) & 3"),
            3 => format!("({a}[{a}[{a}[{index}]]] = {value}) + {index}"),
            4 => format!("{a}[{a}[{index}]] |= 1"),
            _ => format!("({a}[{a}[{index}]] &= {value}) == {value}"),
        };
        writer.observe(expression);
        for index in 0..4 {
            writer.line(format!("{a}[{index}] &= 3;"));
            writer.observe(format!("{a}[{index}]"));
        }
    }
    writer.line(format!("struct {node} {{ struct {node} *next; {type_name} value; unsigned bits : 3; }} {node}[3] = {{ {{ {node} + 1, 1 }}, {{ {node} + 2, 2 }}, {{ {node}, 3 }} }}, *{p} = {node};"));
    writer.observe(format!("({p}->next->next = {node} + zero) == {node}"));
    writer.observe(format!("({p} = {p}->next)->value"));
    writer.observe(format!("({p}->next = {p})->value"));
    writer.observe(format!("({p}->next = 0) == 0"));
    writer.observe(format!("{p}->bits = 13 + zero"));
    writer.observe(format!("{p}->bits += 5"));
    writer.observe(format!("({p} = ({p}->bits = 9, {node} + 2))->value++"));
    writer.observe(format!("{node}[2].value"));
    let pointer = writer.name("self");
    writer.line(format!("void *{pointer} = &{pointer};"));
    writer.observe(format!("(*(void **){pointer} = 0) == 0"));
    writer.observe(format!("{pointer} == 0"));
}

const STRINGS: [&str; 12] = [
    "hello",
    "",
    "a\\0b",
    "\\x41\\102\\n",
    "tab\\tend",
    "\\377\\x80",
    "a\" \"b\" \"c",
    "??",
    "%d",
    "0123456789",
    "\\'\\\"\\\\",
    "\\xf\" \"f",
];

/// String literals and arrays of characters.
pub(super) fn strings(writer: &mut Writer) {
    for _ in 0..2 {
        let text = *writer.random.choose(&STRINGS);
        let (array, pointer, sized) = (writer.name("text"), writer.name("p"), writer.name("sized"));
        let storage = writer.word(&["", "static "]);
        let type_name = writer.word(&["char", "signed char", "unsigned char", "const char"]);
        writer.line(format!("{storage}{type_name} {array}[] = \"{text}\", {sized}[14] = {{ \"{text}\" }};"));
        writer.line(format!("const char *{pointer} = \"{text}\";"));
        writer.observe(format!("sizeof {array}"));
        writer.observe(format!("sizeof \"{text}\""));
        writer.observe(format!("{array}[zero]"));
        writer.observe(format!("{sized}[13] + {sized}[sizeof {array} - 1]"));
        writer.observe(format!("\"{text}\"[sizeof \"{text}\" - 1]"));
        writer.observe(format!("*{pointer}"));
        writer.observe(format!("{pointer}[sizeof {array} / 2]"));
        if writer.random.once_in(3) {
            writer.observe(format!("strlen({pointer})"));
        }
    }
    let wide = writer.word(&["L", "u", "U"]);
    let type_name = match wide {
        "L" => "__WCHAR_TYPE__",
        "u" => "__CHAR16_TYPE__",
        _ => "__CHAR32_TYPE__",
    };
    let name = writer.name("wide");
    writer.line(format!("{type_name} {name}[] = {wide}\"ab\\x1234\\u00e9\";"));
    for index in 0..5 {
        writer.observe(format!("{name}[{index}]"));
    }
    writer.observe(format!("sizeof {name} + sizeof {wide}\"abc\""));
    for character in [
        "'a'",
        "'\\377'",
        "'\\x7f'",
        "'ab'",
        "L'\\x1234'",
        "u'\\xffff'",
        "'\\e'",
        "'\\0'",
        "u8\"\\u00e9\"[1]",
    ] {
        if writer.random.once_in(2) {
            writer.observe(character);
        }
    }
    let (fixed, cut) = (writer.name("fixed"), writer.name("cut"));
    writer.line(format!("char {fixed}[2][4] = {{ \"abc\", \"wxyz\" }}; char {cut}[3] = \"pqr\";"));
    for index in 0..4 {
        writer.observe(format!("{fixed}[1][{index}] * 256 + {fixed}[0][{index}]"));
    }
    writer.observe(format!("{cut}[2]"));
    let names = writer.name("names");
    writer.line(format!("static const char *const {names}[] = {{ \"one\", [3] = \"four\", \"five\" }};"));
    writer.observe(format!("sizeof {names} / sizeof *{names}"));
    writer.observe(format!("{names}[3][1] + {names}[4][zero] + !{names}[1]"));
}

/// Functions of `string.h` and `stdlib.h`.
pub(super) fn library(writer: &mut Writer) {
    let (a, b) = (writer.name("a"), writer.name("b"));
    let text = *writer.random.choose(&["conform", "abcabc", "x", "zz top"]);
    writer.line(format!("char {a}[12] = \"{text}\", {b}[12] = \"{text}\";"));
    for _ in 0..2 {
        let (n, m, c) = (writer.number(0, 5), writer.number(0, 5), writer.word(&["c", "a", "z", "\\0", "o"]));
        let call = match writer.random.below(16) {
            0 => format!("(memcpy({a} + {n}, {b}, {m}), {a}[{n}])"),
            1 => format!("(memmove({a} + {n}, {a}, {m}), {a}[{m}])"),
            2 => format!("((char *)memset({a} + {n}, '{c}', {m}) - {a})"),
            3 => format!("memcmp({a}, {b}, {n}) < 0"),
            4 => format!("(memcmp({a}, {b}, {n}) > 0) - (memcmp({b}, {a}, {m}) == 0)"),
            5 => format!("strlen({b} + (strlen({b}) > {n} ? {n} : 0))"),
            6 => format!("strcmp({b}, \"{text}\") == 0"),
            7 => format!("strcmp({b}, \"conf\") > 0"),
            8 => format!("strncmp({b}, \"confabc\", {n}) > 0"),
            9 => format!("strchr({b}, '{c}') ? strchr({b}, '{c}') - {b} : -1"),
            10 => format!("strrchr({b}, '{c}') ? strrchr({b}, '{c}') - {b} : -1"),
            11 => format!("(strcpy({b}, \"copy\"), {b}[{}])", n % 5),
            12 => format!("(strncpy({b}, \"abc\", {n}), {b}[{}])", n / 2),
            13 => format!("strlen(strcat(strcpy({b}, \"left\"), \"right\"))"),
            14 => format!("abs({n} - {m}) + labs({m} - {n}L)"),
            _ => format!("memchr({b}, '{c}', {n}) ? (char *)memchr({b}, '{c}', {n}) - {b} : -1"),
        };
        writer.observe(call);
    }
    for index in [0, 3, 7] {
        writer.observe(format!("{a}[{index}] * 256 + {b}[{index}]"));
    }
    let (of, heap) = (element_type(writer), writer.name("heap"));
    let count = writer.number(2, 5);
    writer.line(format!("{} *{heap} = calloc({count}, sizeof *{heap});", of.name));
    let value = constant(writer, of);
    writer.line(format!("{heap}[{}] = {value};", count - 1));
    writer.observe(format!("{heap}[0]"));
    writer.line(format!("{heap} = realloc({heap}, {} * sizeof *{heap});", count + 1));
    writer.line(format!("{heap}[{count}] = {heap}[{}] / 3;", count - 1));
    writer.observe(format!("{heap}[{count}]"));
    writer.observe(format!("{heap}[{}]", count - 1));
    writer.line(format!("free({heap});"));
}

/// Storage classes, linkage and qualifiers.
pub(super) fn storage_classes(writer: &mut Writer) {
    let of = element_type(writer);
    let type_name = of.name;
    let (counter, tentative, later) =
        (writer.global("count"), writer.global("tentative"), writer.global("later"));
    let (value, other) = (constant(writer, of), constant(writer, of));
    writer.file(format!("static unsigned {counter}(void) {{ static {type_name} n = {value}; static unsigned calls; unsigned char fresh = 7; fresh += 1; n ^= 1; return ++calls + fresh + (n == {value}); }}"));
    writer.file(format!("{type_name} {tentative}; static {type_name} i{tentative}; {type_name} {tentative}; static {type_name} i{tentative} = {other};"));
    writer.file(format!("extern {type_name} {later}; static {type_name} r{later}(void) {{ extern {type_name} {later}; return {later}; }} {type_name} {later} = {other};"));
    for _ in 0..3 {
        writer.observe(format!("{counter}()"));
    }
    writer.observe(&tentative);
    writer.observe(format!("i{tentative}"));
    writer.observe(format!("r{later}()"));
    let (array, inner) = (writer.global("array"), writer.name("inner"));
    let (n, m) = (writer.number(1, 5), writer.number(1, 9));
    writer.file(format!(
        "extern int {array}[]; int *l{array}(void) {{ return &{array}[1]; }} int {array}[{}] = {{ 1, {m} }};",
        n + 2
    ));
    writer.observe(format!("*l{array}() + sizeof {array}"));
    writer.line(format!("{{ extern int {array}[]; int {inner} = {array}[1]; {array}[0] += {inner}; {{ int {inner} = {n}; {array}[0] *= {inner}; }} }}"));
    writer.observe(format!("{array}[0]"));
    let (address, tables) = (writer.global("address"), writer.global("table"));
    writer.file(format!("static int *const {address} = &{array}[1]; static struct {{ int *p; const char *s; int (*f)(int); }} {tables}[2] = {{ {{ {array} + 1, \"text\" + 1, abs }} }};"));
    writer.observe(format!("*{address} + {tables}[0].s[0] + *{tables}[0].p + ({tables}[1].f == 0)"));
    writer.observe(format!("{tables}[zero].f(-{m})"));
    let (inline, register) = (writer.global("inlined"), writer.name("fast"));
    writer.file(format!("static inline __attribute__((always_inline)) {type_name} {inline}(register {type_name} x) {{ return x; }}"));
    writer.line(format!("register {type_name} {register} = {inline}({value}); volatile const {type_name} v{register} = {register}; _Atomic int t{register} = {m};"));
    writer.observe(format!("v{register}"));
    writer.observe(format!("(t{register} += {n}) * 2"));
    writer.observe(format!("t{register}++"));
    writer.observe(format!("t{register}"));
}
