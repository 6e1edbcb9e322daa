//! Floating-point numbers of three sizes, and conversions from and to integers.

use super::integer::integer_types;
use super::program::Kind;
use super::writer::Writer;

const TYPES: [&str; 3] = ["float", "double", "long double"];

const VALUES: [&str; 16] = [
    "0.0",
    "1.0",
    "-1.0",
    "0.5",
    "-2.75",
    "3.0",
    "100.125",
    "1e10",
    "-1e-5",
    "0.1",
    "16777217.0",
    "1e-40",
    "123456789.0",
    "0x1.8p3",
    "7.999",
    "-0.0",
];

fn kind(type_name: &str) -> Kind {
    if type_name == "long double" { Kind::LongDouble } else { Kind::Double }
}

/// Arithmetic, comparisons, steps, compound assignments and conversions.
pub(super) fn floats(writer: &mut Writer) {
    let integers = integer_types(writer.model);
    for _ in 0..4 {
        let (left, right) = (writer.word(&TYPES), writer.word(&TYPES));
        let (x, y, i) = (writer.name("x"), writer.name("y"), writer.name("i"));
        let (a, b) = (writer.word(&VALUES), writer.word(&VALUES));
        let of = *writer.random.choose(&integers);
        let small = writer.number(0, if of.is_boolean { 1 } else { 100 });
        writer.line(format!("{left} {x} = {a}; {right} {y} = {b}; {} {i} = {small};", of.name));
        let wider =
            if left == "long double" || right == "long double" { Kind::LongDouble } else { Kind::Double };
        let operator = writer.word(&["+", "-", "*"]);
        writer.observe_as(wider, format!("{x} {operator} {y}"));
        writer.observe_as(wider, format!("{x} / ({y} == 0 ? 3 : {y})"));
        let comparison = writer.word(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"]);
        writer.observe(format!("{x} {comparison} {y}"));
        writer.observe_as(kind(left), format!("{x} {operator}= {i}"));
        writer.observe_as(kind(left), x.clone());
        let step = writer.word(&["++", "--"]);
        writer.observe_as(kind(right), format!("{y}{step}"));
        writer.observe_as(kind(right), y.clone());
        writer.observe_as(kind(right), format!("zero ? {i} : {y}"));
        writer.observe(format!("!{x} + ({y} ? 2 : 4)"));
        // Within the range of every type of at least 16 bits.
        writer.observe(format!("{x} > -100 && {x} < 100 ? (short){x} : 7"));
        writer.observe(format!("{y} >= 0 && {y} < 100 ? ({}){y} : 7", of.name));
        writer.observe(format!("(_Bool){x} + (_Bool){y}"));
        writer.observe_as(Kind::Double, format!("-(float){x}"));
        if of.integer.bits <= 64 {
            writer.observe(format!("{i} = {y} >= 0 && {y} < 100 ? {y} : {i}"));
        }
    }
}
