//! Random structures, unions and arrays: their declarations, initialisers, and leaves.

use super::integer::{IntegerType, any_type, literal};
use super::writer::Writer;

/// A type of an object.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    Scalar(IntegerType),
    Array(usize, Box<Shape>),
    Struct(String, Vec<(String, Shape)>),
    Union(String, Vec<(String, Shape)>),
}

/// A scalar inside an object: how it is reached, and its type.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) path: String,
    pub(super) of: IntegerType,
}

/// Objects with more leaves than this are made anew: programs stay small.
const MOST_LEAVES: usize = 14;

/// A random structure or union whose type is declared at file scope.
pub(super) fn aggregate(writer: &mut Writer) -> Shape {
    loop {
        let shape = record(writer, 2);
        if leaves(&shape).len() <= MOST_LEAVES {
            declare(writer, &shape);
            return shape;
        }
    }
}

/// A random shape, declared if it is not a scalar.
pub(super) fn any_shape(writer: &mut Writer) -> Shape {
    loop {
        let shape = shape(writer, 3);
        if leaves(&shape).len() <= MOST_LEAVES {
            declare(writer, &shape);
            return shape;
        }
    }
}

fn shape(writer: &mut Writer, depth: usize) -> Shape {
    if depth == 0 {
        return Shape::Scalar(scalar(writer));
    }
    match writer.random.below(6) {
        0 | 1 => Shape::Array(writer.number(1, 3), Box::new(without_field(writer, depth - 1))),
        2 | 3 => record(writer, depth - 1),
        _ => Shape::Scalar(scalar(writer)),
    }
}

fn scalar(writer: &mut Writer) -> IntegerType {
    any_type(writer.model, &mut writer.random)
}

/// Elements of arrays are no bit-fields.
fn without_field(writer: &mut Writer, depth: usize) -> Shape {
    loop {
        let shape = shape(writer, depth);
        if !matches!(shape, Shape::Scalar(IntegerType { field: Some(_), .. })) {
            return shape;
        }
    }
}

fn record(writer: &mut Writer, depth: usize) -> Shape {
    let members = (0..writer.number(1, 4)).map(|_| (writer.name("m"), shape(writer, depth))).collect();
    let is_anonymous = depth < 2 && writer.random.once_in(4);
    let name = if is_anonymous { String::new() } else { writer.global("S") };
    if writer.random.once_in(5) { Shape::Union(name, members) } else { Shape::Struct(name, members) }
}

/// Declares the types inside out.
fn declare(writer: &mut Writer, shape: &Shape) {
    match shape {
        Shape::Scalar(_) => {}
        Shape::Array(_, element) => declare(writer, element),
        Shape::Struct(name, members) | Shape::Union(name, members) => {
            for (_, member) in members {
                declare(writer, member);
            }
            if !name.is_empty() {
                let text = definition(writer, shape);
                writer.file(format!("{text};"));
            }
        }
    }
}

fn definition(writer: &mut Writer, shape: &Shape) -> String {
    let (keyword, name, members) = match shape {
        Shape::Struct(name, members) => ("struct", name, members),
        Shape::Union(name, members) => ("union", name, members),
        Shape::Scalar(_) | Shape::Array(..) => return declarator(shape, ""),
    };
    let mut text = format!("{keyword} {name} {{ ");
    for (member, shape) in members {
        if matches!(shape, Shape::Scalar(IntegerType { field: Some(_), .. })) && writer.random.once_in(6) {
            text += writer.word(&["int : 0; ", "unsigned : 3; ", "long long : 9; "]);
        }
        text += &member_declaration(writer, shape, member);
    }
    text.push('}');
    if writer.random.once_in(8) {
        text += " __attribute__((packed))";
    }
    text
}

fn member_declaration(writer: &mut Writer, shape: &Shape, member: &str) -> String {
    match shape {
        Shape::Struct(name, _) | Shape::Union(name, _) if name.is_empty() => {
            format!("{} {member}; ", definition(writer, shape))
        }
        _ => format!("{}; ", declarator_with(writer, shape, member)),
    }
}

/// As `declarator`; elements of a type without a name are defined in place.
fn declarator_with(writer: &mut Writer, shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Array(count, element) => declarator_with(writer, element, &format!("{name}[{count}]")),
        Shape::Struct(tag, _) | Shape::Union(tag, _) if tag.is_empty() => {
            format!("{} {name}", definition(writer, shape))
        }
        _ => declarator(shape, name),
    }
}

/// `T name` for an object of the shape. Structures without a name cannot be declared so.
pub(super) fn declarator(shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Scalar(of) => match of.field {
            Some(width) => format!("{} {name} : {width}", of.name),
            None => format!("{} {name}", of.name),
        },
        Shape::Array(count, element) => declarator(element, &format!("{name}[{count}]")),
        Shape::Struct(tag, _) => format!("struct {tag} {name}"),
        Shape::Union(tag, _) => format!("union {tag} {name}"),
    }
}

/// The scalars of a shape that may be read after an initialisation: of a union only the first.
pub(super) fn leaves(shape: &Shape) -> Vec<Leaf> {
    match shape {
        Shape::Scalar(of) => vec![Leaf { path: String::new(), of: *of }],
        Shape::Array(count, element) => {
            (0..*count).flat_map(|index| below(&format!("[{index}]"), element)).collect()
        }
        Shape::Struct(_, members) => {
            members.iter().flat_map(|(name, member)| below(&format!(".{name}"), member)).collect()
        }
        Shape::Union(_, members) => {
            members.iter().take(1).flat_map(|(name, member)| below(&format!(".{name}"), member)).collect()
        }
    }
}

fn below(path: &str, shape: &Shape) -> Vec<Leaf> {
    let leaves = leaves(shape).into_iter();
    leaves.map(|leaf| Leaf { path: format!("{path}{}", leaf.path), ..leaf }).collect()
}

/// Whether the values of an initialiser must be constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    Static,
    Automatic,
}

/// An initialiser: complete or partial, with designators, with braces left out.
pub(super) fn initialiser(writer: &mut Writer, shape: &Shape, storage: Storage) -> String {
    match shape {
        Shape::Scalar(_) if writer.random.once_in(8) => format!("{{ {} }}", value(writer, shape, storage)),
        Shape::Scalar(_) => value(writer, shape, storage),
        Shape::Array(count, element) => {
            let parts: Vec<(String, &Shape)> =
                (0..*count).map(|index| (format!("[{index}]"), &**element)).collect();
            braced(writer, &parts, storage)
        }
        Shape::Struct(_, members) => {
            let parts: Vec<(String, &Shape)> =
                members.iter().map(|(name, member)| (format!(".{name}"), member)).collect();
            braced(writer, &parts, storage)
        }
        Shape::Union(_, members) => {
            let (name, member) = &members[0];
            let value = initialiser(writer, member, storage);
            if writer.random.once_in(2) {
                format!("{{ .{name} = {value} }}")
            } else {
                format!("{{ {value} }}")
            }
        }
    }
}

fn braced(writer: &mut Writer, parts: &[(String, &Shape)], storage: Storage) -> String {
    let items: Vec<String> = match writer.random.below(4) {
        0 => designated(writer, parts, storage),
        _ => {
            let count = if writer.random.once_in(3) { writer.number(1, parts.len()) } else { parts.len() };
            parts[..count].iter().map(|(_, part)| item(writer, part, storage)).collect()
        }
    };
    let comma = writer.word(&["", ","]);
    format!("{{ {}{comma} }}", items.join(", "))
}

/// In any order, scalars also twice, some positional after a designator, some through nested
/// designators. A part with braces is initialised once only: replacing it is refused.
fn designated(writer: &mut Writer, parts: &[(String, &Shape)], storage: Storage) -> Vec<String> {
    let mut items = Vec::new();
    let mut used = vec![false; parts.len()];
    for _ in 0..=parts.len() {
        let index = writer.random.below(parts.len());
        let (designator, part) = &parts[index];
        let is_scalar = matches!(part, Shape::Scalar(_));
        if used[index] && !is_scalar {
            continue;
        }
        if !is_scalar && !has_union(part) && writer.random.once_in(3) {
            let leaves = leaves(part);
            let leaf = writer.random.choose(&leaves).clone();
            let value = value(writer, &Shape::Scalar(leaf.of), storage);
            items.push(format!("{designator}{} = {value}", leaf.path));
        } else if is_scalar {
            items.push(format!("{designator} = {}", value(writer, part, storage)));
        } else {
            items.push(format!("{designator} = {}", initialiser(writer, part, storage)));
        }
        // After a nested designator the next item would be for the part behind the leaf.
        let is_whole = items.last().is_none_or(|item| item.starts_with(&format!("{designator} =")));
        used[index] = true;
        // Where there are braces, items without designators behind designators are refused.
        let has_braces = parts.iter().any(|(_, part)| !matches!(part, Shape::Scalar(_)));
        if is_whole && !has_braces && index + 1 < parts.len() && !used[index + 1] && writer.random.once_in(3)
        {
            items.push(value(writer, parts[index + 1].1, storage));
            used[index + 1] = true;
        }
    }
    items
}

fn has_union(shape: &Shape) -> bool {
    match shape {
        Shape::Scalar(_) => false,
        Shape::Array(_, element) => has_union(element),
        Shape::Struct(_, members) => members.iter().any(|(_, member)| has_union(member)),
        Shape::Union(..) => true,
    }
}

/// An item of a list: with its braces, or all of its scalars without any.
fn item(writer: &mut Writer, shape: &Shape, storage: Storage) -> String {
    if matches!(shape, Shape::Scalar(_)) || !writer.random.once_in(3) {
        return initialiser(writer, shape, storage);
    }
    let values = leaves(shape).into_iter().map(|leaf| value(writer, &Shape::Scalar(leaf.of), storage));
    values.collect::<Vec<_>>().join(", ")
}

fn value(writer: &mut Writer, shape: &Shape, storage: Storage) -> String {
    let Shape::Scalar(of) = shape else { return "0".to_owned() };
    let constant = literal(of.integer, of.value(&mut writer.random));
    if storage == Storage::Automatic && writer.random.once_in(3) {
        return format!("{constant} + zero");
    }
    constant
}

/// Compares all scalars of an object.
pub(super) fn observe_leaves(writer: &mut Writer, shape: &Shape, object: &str) {
    for leaf in leaves(shape) {
        writer.observe_integer(leaf.of.integer.bits, format!("{object}{}", leaf.path));
    }
}

/// Compares one scalar of an object.
pub(super) fn observe_a_leaf(writer: &mut Writer, shape: &Shape, object: &str) {
    let leaves = leaves(shape);
    let leaf = writer.random.choose(&leaves).clone();
    writer.observe_integer(leaf.of.integer.bits, format!("{object}{}", leaf.path));
}

/// A statement that assigns a random value to a scalar of an object.
pub(super) fn change(writer: &mut Writer, shape: &Shape, object: &str) -> String {
    let leaves = leaves(shape);
    let leaf = writer.random.choose(&leaves).clone();
    let constant = value(writer, &Shape::Scalar(leaf.of), Storage::Automatic);
    format!("{object}{} = {constant};", leaf.path)
}
