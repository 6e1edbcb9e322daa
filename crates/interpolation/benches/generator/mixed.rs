//! Large blocks, where branches meet before a part ends, and random programs.

use super::Random;
use super::unroll::Unroll;

/// A loop whose body is one block with branches inside.
pub(crate) fn blocks(random: &mut Random, path: &mut Unroll) {
    path.ints(&["i", "x", "y", "c", "err"]);
    let kind = random.below(3);
    path.assign("i", "%0");
    path.assign("x", "%0");
    path.assign("y", "%0");
    path.assign("err", "%0");
    path.cut();
    for _ in 0..random.between(1, 12) {
        path.havoc("c");
        path.assume("(bvslt $i %1000)");
        match kind {
            0 => {
                path.assign("x", "(ite (bvsgt $c %0) (bvadd $x %1) (bvadd $x %2))");
                path.assign_if("(bvslt $x $i)", "err", "%1");
            }
            1 => {
                path.assign("y", "(ite (= (bvand $c %1) %0) (bvadd $y %1) $y)");
                path.assign("x", "(ite (= (bvand $c %1) %0) $x (bvadd $x %1))");
                path.assign_if("(not (= (bvadd $x $y) (bvadd $i %1)))", "err", "%1");
            }
            _ => {
                path.assign_if("(and (= $err %0) (= $c %3))", "y", "%1");
                path.assign_if("(= $y %1)", "x", "%1");
                path.assign_if("(and (= $x %1) (= $y %0))", "err", "%1");
            }
        }
        path.assign("i", "(bvadd $i %1)");
        path.cut();
    }
    let feasible = random.is_feasible();
    let claims: &[&str] = match kind {
        0 => &["(= $err %1)", "(bvslt $x $i)", "(bvsgt $x (bvmul %2 $i))"],
        1 => &["(= $err %1)", "(not (= (bvadd $x $y) $i))", "(bvsgt $x $i)"],
        _ => &["(= $err %1)", "(and (= $x %1) (= $y %0))"],
    };
    path.test(if feasible { "(bvsge $x %0)" } else { random.pick(claims) });
}

/// A random program with a bounded input: guards hold in the run that is followed along, and the last
/// test holds in it (then the path is feasible) or does not.
pub(crate) fn random(random: &mut Random, path: &mut Unroll) {
    let names = ["p", "q", "r", "t"];
    path.ints(&names);
    let mut values = [0i32; 4];
    for (value, name) in values.iter_mut().zip(names) {
        *value = random.below(50) as i32;
        path.assign(name, &format!("%{value}"));
    }
    // One input, known to lie in a range.
    path.havoc("p");
    path.assume(&format!("(and (bvsle %{} $p) (bvsle $p %{}))", values[0], values[0] + 3));
    path.cut();
    for _ in 0..random.between(2, 24) {
        let (to, from) = (random.below(4) as usize, random.below(4) as usize);
        step(random, path, &names, &mut values, to, from);
    }
    let (at, other) = (random.below(4) as usize, random.below(4) as usize);
    let (lhs, rhs) = (names[at], names[other]);
    let holds = values[at] <= values[other];
    let relation = if holds == random.is_feasible() { "bvsle" } else { "bvsgt" };
    path.test(&format!("({relation} ${lhs} ${rhs})"));
}

fn step(
    random: &mut Random,
    path: &mut Unroll,
    names: &[&str],
    values: &mut [i32; 4],
    to: usize,
    from: usize,
) {
    let constant = random.between(1, 9) as i32;
    let (target, source) = (names[to], names[from]);
    match random.below(6) {
        0 => {
            values[to] = values[from].wrapping_add(constant);
            path.set(target, &format!("(bvadd ${source} %{constant})"));
        }
        1 => {
            values[to] = values[to].wrapping_sub(values[from]);
            path.set(target, &format!("(bvsub ${target} ${source})"));
        }
        2 => {
            values[to] = values[from].wrapping_mul(constant);
            path.set(target, &format!("(bvmul %{constant} ${source})"));
        }
        3 => {
            values[to] = values[from] & 15;
            path.set(target, &format!("(bvand ${source} %15)"));
        }
        4 => {
            let relation = if values[from] < values[to] { "bvslt" } else { "bvsge" };
            path.test(&format!("({relation} ${source} ${target})"));
        }
        _ => {
            let condition = values[from] > constant;
            values[to] = if condition { values[to].wrapping_add(1) } else { constant };
            let value = format!("(ite (bvsgt ${source} %{constant}) (bvadd ${target} %1) %{constant})");
            path.set(target, &value);
        }
    }
}
