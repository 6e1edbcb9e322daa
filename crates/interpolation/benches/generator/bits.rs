//! Conversions, masks, shifts, remainders, and idioms of bit fiddlers.

use super::Random;
use super::unroll::Unroll;

/// `char` and `short` variables: every operation promotes to `int` and converts back.
pub(crate) fn narrow(random: &mut Random, path: &mut Unroll) {
    path.declare("c", "(_ BitVec 8)");
    path.declare("h", "(_ BitVec 16)");
    path.ints(&["x", "n"]);
    let is_signed = random.flip();
    let extend = if is_signed { "sign_extend" } else { "zero_extend" };
    path.assign("c", "%8:0");
    path.assign("h", "%16:0");
    path.cut();
    for _ in 0..random.between(1, 14) {
        path.test(&format!("(bvslt ((_ {extend} 24) $c) %100)"));
        path.set("c", &format!("((_ extract 7 0) (bvadd ((_ {extend} 24) $c) %1))"));
        if random.flip() {
            path.assign("x", "((_ sign_extend 16) $h)");
            path.assign("h", "((_ extract 15 0) (bvadd $x %3))");
            path.cut();
        }
    }
    path.set("n", &format!("((_ {extend} 24) $c)"));
    let feasible = random.is_feasible();
    let claims =
        ["(bvsgt $n %100)", "(bvslt $n %0)", "(bvsgt $n %255)", "(bvslt ((_ sign_extend 16) $h) %0)"];
    path.test(if feasible { "(bvsge $n %0)" } else { random.pick(&claims) });
}

/// Flag words, nibbles and aligned addresses.
pub(crate) fn masks(random: &mut Random, path: &mut Unroll) {
    path.ints(&["flags", "p", "b", "x"]);
    let rounds = random.between(1, 12);
    let feasible = random.is_feasible();
    match random.below(4) {
        0 => {
            let bit = 1 << random.below(8);
            path.set("flags", &format!("(bvor $flags %{bit})"));
            for _ in 0..rounds {
                let other = [256, 512, 1024, 4096][random.below(4) as usize];
                let operation = random.pick(&["bvor", "bvxor"]);
                path.set("flags", &format!("({operation} $flags %{other})"));
            }
            let is = if feasible { "not (=" } else { "=" };
            let close = if feasible { ")" } else { "" };
            path.test(&format!("({is} (bvand $flags %{bit}) %0){close}"));
        }
        1 => {
            path.test("(= (bvand $p %3) %0)");
            for _ in 0..rounds {
                path.set("p", &format!("(bvadd $p %{})", 4 * random.between(1, 5)));
            }
            path.test(if feasible { "(= (bvand $p %7) %4)" } else { "(not (= (bvand $p %3) %0))" });
        }
        2 => {
            path.set("b", "(bvand $x %255)");
            for _ in 0..rounds {
                path.test("(bvult $b %4096)");
                path.set("x", "(bvadd (bvlshr $b %4) (bvand $b %15))");
                path.set("b", "(bvand (bvadd $x %17) %255)");
            }
            path.test(if feasible { "(bvugt $b %16)" } else { "(bvugt $b %255)" });
        }
        _ => {
            path.set("x", "(bvshl (bvand $p %15) %4)");
            for _ in 0..rounds {
                path.set("b", "(bvlshr $x %4)");
                path.set("x", "(bvor (bvshl $b %4) (bvand $x %15))");
            }
            path.test(if feasible {
                "(= $x %240)"
            } else {
                random.pick(&["(bvugt $x %240)", "(= (bvand $x %15) %1)"])
            });
        }
    }
}

/// Parity and remainders by constants, with and without signs.
pub(crate) fn modulo(random: &mut Random, path: &mut Unroll) {
    path.ints(&["x", "y", "i"]);
    let rounds = random.between(1, 12);
    let feasible = random.is_feasible();
    match random.below(4) {
        0 => {
            path.set("x", "%0");
            for _ in 0..rounds {
                path.set("x", &format!("(bvadd $x %{})", 2 * random.between(1, 3)));
            }
            path.test(if feasible { "(= (bvurem $x %2) %0)" } else { "(= (bvurem $x %2) %1)" });
        }
        1 => {
            path.test("(= (bvurem $x %2) %0)");
            for _ in 0..rounds {
                path.set("x", "(bvadd $x %2)");
            }
            path.test(if feasible { "(= (bvurem $x %4) %2)" } else { "(not (= (bvurem $x %2) %0))" });
        }
        2 => {
            let size = random.between(3, 10);
            path.test(&format!("(bvult $i %{size})"));
            for _ in 0..rounds.min(6) {
                path.set("i", &format!("(bvurem (bvadd $i %1) %{size})"));
            }
            path.test(&if feasible { "(= $i %0)".to_owned() } else { format!("(bvuge $i %{size})") });
        }
        _ => {
            path.assume("(bvsge $x %0)");
            path.assume("(bvsle $x %10000)");
            path.assign("y", "(bvsrem $x %10)");
            path.cut();
            for _ in 0..rounds.min(4) {
                path.set("x", "(bvsdiv $x %10)");
                path.set("y", "(bvsrem $x %10)");
            }
            path.test(if feasible {
                "(bvsge $y %0)"
            } else {
                random.pick(&["(bvsge $y %10)", "(bvslt $y %0)"])
            });
        }
    }
}

/// Short paths over the tricks that people look up.
pub(crate) fn tricks(random: &mut Random, path: &mut Unroll) {
    path.ints(&["x", "y", "t", "m", "u"]);
    let feasible = random.is_feasible();
    match random.below(6) {
        0 => {
            path.set("m", "(bvashr $x %31)");
            path.set("t", "(bvxor $x $m)");
            path.set("y", "(bvsub $t $m)");
            path.test("(not (= $x %-2147483648))");
            path.test(if feasible { "(= $y %7)" } else { "(bvslt $y %0)" });
        }
        1 => {
            path.assign("t", "$x");
            path.assign("u", "$y");
            path.cut();
            path.set("x", "(bvxor $x $y)");
            path.set("y", "(bvxor $x $y)");
            path.set("x", "(bvxor $x $y)");
            path.test(if feasible { "(not (= $x $y))" } else { "(not (= $x $u))" });
        }
        2 => {
            path.test("(not (= $x %0))");
            path.set("t", "(bvand $x (bvneg $x))");
            path.set("m", "(bvsub $t %1)");
            path.test(if feasible { "(= $t %64)" } else { "(not (= (bvand $t $m) %0))" });
        }
        3 => {
            path.set("t", "(bvadd (bvand $x $y) (bvlshr (bvxor $x $y) %1))");
            path.test("(bvule $x $y)");
            path.test(if feasible {
                "(bvult $t $y)"
            } else {
                random.pick(&["(bvugt $t $y)", "(bvult $t $x)"])
            });
        }
        4 => {
            path.test("(bvult $x %256)");
            path.set("t", "(bvor $x (bvlshr $x %1))");
            path.set("t", "(bvor $t (bvlshr $t %2))");
            path.set("t", "(bvor $t (bvlshr $t %4))");
            path.set("t", "(bvadd $t %1)");
            path.test(if feasible { "(= $t %32)" } else { random.pick(&["(bvugt $t %256)", "(= $t %48)"]) });
        }
        _ => {
            path.set("t", "(ite (bvslt $x $y) $x $y)");
            path.set("u", "(ite (bvslt $x $y) $y $x)");
            path.set("m", "(bvxor $t (bvand (bvxor $t $u) (bvneg (ite (bvslt $t $u) %1 %0))))");
            path.test(if feasible {
                "(= $m $x)"
            } else {
                random.pick(&["(bvslt $u $t)", "(not (= $m $u))"])
            });
        }
    }
}
