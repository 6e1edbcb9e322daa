//! Snapshots of small plots.

use super::{cactus, scatter};
use crate::examples::{solved, unknown, wrong};
use crate::{Class, Comparison, Expected, Row};

fn rows() -> [Vec<Row>; 2] {
    let safe = |task, milliseconds| solved(task, Expected::Safe, milliseconds);
    let first = [
        safe("a.yml", 20),
        safe("b.yml", 1500),
        safe("c <&> \"d\".yml", 300),
        unknown("e.yml", Class::Timeout),
        unknown("f.yml", Class::Memory),
        safe("g.yml", 40_000),
    ];
    let second = [
        safe("a.yml", 2),
        safe("b.yml", 900),
        unknown("c <&> \"d\".yml", Class::Crash),
        safe("e.yml", 55_000),
        unknown("f.yml", Class::Timeout),
        wrong("g.yml", Expected::Unsafe),
    ];
    [first.to_vec(), second.to_vec()]
}

#[test]
fn a_scatter_plot() {
    let [first, second] = rows();
    insta::assert_snapshot!(scatter(&Comparison::new(&first, &second), ["old.csv", "new.csv"]));
}

#[test]
fn a_cactus_plot() {
    let [first, second] = rows();
    insta::assert_snapshot!(cactus([&first, &second], ["old.csv", "new.csv"]));
}

#[test]
fn nothing_can_be_drawn() {
    assert!(cactus([&[], &[]], ["a", "b"]).ends_with("</svg>\n"));
    assert!(scatter(&Comparison::new(&[], &[]), ["a", "b"]).ends_with("</svg>\n"));
}
