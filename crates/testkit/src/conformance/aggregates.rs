//! Objects as a whole: initialised, assigned, passed, returned, seen through unions and bytes.

use super::integer::{integer_types, literal};
use super::shapes::{
    Shape, Storage, aggregate, any_shape, change, declarator, initialiser, leaves, observe_a_leaf,
    observe_leaves,
};
use super::writer::Writer;

/// Initialisers of all forms for all storage classes.
pub(super) fn initialisers(writer: &mut Writer) {
    let mut shape = any_shape(writer);
    while matches!(shape, Shape::Scalar(_)) || is_nameless(&shape) {
        shape = any_shape(writer);
    }
    for _ in 0..2 {
        let name = writer.global("object");
        let storage = writer.word(&["", "static ", "const "]);
        let value = initialiser(writer, &shape, Storage::Static);
        writer.file(format!("{storage}{} = {value};", declarator(&shape, &name)));
        observe_leaves(writer, &shape, &name);
    }
    let name = writer.name("local");
    let value = initialiser(writer, &shape, Storage::Automatic);
    let storage = writer.word(&["", "const ", "volatile "]);
    writer.line(format!("{storage}{} = {value};", declarator(&shape, &name)));
    observe_leaves(writer, &shape, &name);
    unsized_array(writer, &shape);
}

fn is_nameless(shape: &Shape) -> bool {
    match shape {
        Shape::Scalar(_) => false,
        Shape::Array(_, element) => is_nameless(element),
        Shape::Struct(name, _) | Shape::Union(name, _) => name.is_empty(),
    }
}

/// The initialiser says how many elements there are.
fn unsized_array(writer: &mut Writer, element: &Shape) {
    let name = writer.name("elements");
    let far = writer.number(1, 4);
    let first = initialiser(writer, element, Storage::Static);
    let last = initialiser(writer, element, Storage::Static);
    let storage = writer.word(&["", "static "]);
    let declared = declarator(element, &format!("{name}[]"));
    writer.line(format!("{storage}{declared} = {{ {first}, [{far}] = {last} }};"));
    writer.observe(format!("sizeof {name} / sizeof {name}[0]"));
    observe_a_leaf(writer, element, &format!("{name}[{far}]"));
    observe_a_leaf(writer, element, &format!("{name}[0]"));
}

/// Structures and unions as values.
pub(super) fn by_value(writer: &mut Writer) {
    let shape = loop {
        let shape = aggregate(writer);
        if !is_nameless(&shape) {
            break shape;
        }
    };
    let type_name = declarator(&shape, "").trim().to_owned();
    let (a, b) = (writer.name("a"), writer.name("b"));
    for name in [&a, &b] {
        let value = initialiser(writer, &shape, Storage::Automatic);
        writer.line(format!("{type_name} {name} = {value};"));
    }
    for _ in 0..3 {
        copy(writer, &shape, &type_name, &a, &b);
        let changed = change(writer, &shape, &a);
        writer.line(changed);
    }
    observe_leaves(writer, &shape, &a);
    observe_leaves(writer, &shape, &b);
}

fn copy(writer: &mut Writer, shape: &Shape, type_name: &str, a: &str, b: &str) {
    match writer.random.below(12) {
        0 => writer.line(format!("{b} = {a};")),
        1 => {
            let function = writer.global("through");
            let changed = change(writer, shape, "x");
            writer.file(format!(
                "static {type_name} {function}({type_name} x) {{ int zero = 0; {changed} return x; }}"
            ));
            writer.line(format!("{b} = {function}({a});"));
            observe_a_leaf(writer, shape, &format!("{function}({b})"));
        }
        2 => {
            let function = writer.global("second");
            writer.file(format!(
                "{type_name} {function}(char c, {type_name} x, long long l, {type_name} y) {{ return c + l > 5 ? x : y; }}"
            ));
            let chooser = writer.number(0, 6);
            writer.line(format!("{b} = {function}({chooser}, {a}, 3, {b});"));
        }
        3 => {
            let value = initialiser(writer, shape, Storage::Automatic);
            writer.line(format!("{b} = ({type_name}){value};"));
        }
        4 => {
            let value = initialiser(writer, shape, Storage::Automatic);
            observe_a_leaf(writer, shape, &format!("(({type_name}){value})"));
        }
        5 => observe_a_leaf(writer, shape, &format!("({b} = {a})")),
        6 => observe_a_leaf(writer, shape, &format!("(zero ? {a} : {b})")),
        7 => observe_a_leaf(writer, shape, &format!("(zero, {a})")),
        8 => {
            let pointer = writer.name("p");
            writer.line(format!("{type_name} *{pointer} = &{a}; {b} = *{pointer};"));
            observe_a_leaf(writer, shape, &format!("(*{pointer})"));
        }
        9 => {
            let array = writer.name("all");
            writer.line(format!(
                "{type_name} {array}[3]; {array}[2] = {a}; {array}[1] = {array}[2 + zero]; {b} = {array}[1];"
            ));
        }
        10 => writer.line(format!("memcpy(&{b}, &{a}, sizeof {a});")),
        _ => {
            let function = writer.global("store");
            writer.file(format!(
                "static void {function}({type_name} *to, const {type_name} *from) {{ *to = *from; }}"
            ));
            writer.line(format!("{function}(&{b}, &{a});"));
            observe_a_leaf(writer, shape, &format!("({{ {type_name} c = {b}; c; }})"));
        }
    }
}

/// Unions whose members are read as another type than they were written.
pub(super) fn unions(writer: &mut Writer) {
    let types: Vec<_> = integer_types(writer.model).into_iter().filter(|of| !of.is_boolean).collect();
    for _ in 0..3 {
        let (written, read) = (*writer.random.choose(&types), *writer.random.choose(&types));
        let (name, width) = (writer.name("u"), writer.number(1, 8));
        let bits = written.value(&mut writer.random);
        let constant = literal(written.integer, bits);
        writer.line(format!(
            "union {{ unsigned char bytes[16]; {} written; {} read; struct {{ unsigned char first; unsigned short second; }} parts; \
             struct {{ unsigned char low : {width}; }} field; signed char small[4]; unsigned short half[2]; }} {name} = {{ {{ 0 }} }};",
            written.name, read.name
        ));
        writer.line(format!("{name}.written = {constant} + zero;"));
        writer.observe_integer(read.integer.bits, format!("{name}.read"));
        for part in ["bytes[1]", "parts.second", "field.low", "small[0]", "half[1]"] {
            if writer.random.once_in(2) {
                writer.observe(format!("{name}.{part}"));
            }
        }
        let byte = writer.number(0, 255);
        let (index, low) = (writer.number(0, 6), writer.number(0, 1));
        writer.line(format!("{name}.bytes[{index}] = {byte};"));
        writer.observe_integer(written.integer.bits, format!("{name}.written"));
        writer.observe(format!("{name}.field.low = {low}"));
        writer.observe_integer(read.integer.bits, format!("{name}.read"));
    }
}

/// Layout: sizes, alignments, offsets, and the bytes of an object whose padding is zero.
pub(super) fn layout(writer: &mut Writer) {
    let shape = loop {
        let shape = aggregate(writer);
        if !is_nameless(&shape) {
            break shape;
        }
    };
    let type_name = declarator(&shape, "").trim().to_owned();
    writer.observe(format!("sizeof({type_name})"));
    writer.observe(format!("_Alignof({type_name})"));
    for leaf in leaves(&shape).into_iter().filter(|leaf| leaf.of.field.is_none()).take(4) {
        writer.observe(format!("__builtin_offsetof({type_name}, {})", &leaf.path[1..]));
    }
    let (object, bytes) = (writer.name("object"), writer.name("bytes"));
    writer.line(format!("{type_name} {object}; memset(&{object}, 0, sizeof {object});"));
    for _ in 0..5 {
        let changed = change(writer, &shape, &object);
        writer.line(changed);
    }
    writer.line(format!("const unsigned char *{bytes} = (const unsigned char *)&{object};"));
    for _ in 0..6 {
        let at = writer.number(0, 15);
        writer.observe(format!("{bytes}[{at} % sizeof {object}]"));
    }
    let index = writer.number(0, 15);
    writer.line(format!("((unsigned char *)&{object})[{index} % sizeof {object}] ^= 1;"));
    writer.observe(format!("{bytes}[{index} % sizeof {object}]"));
}
