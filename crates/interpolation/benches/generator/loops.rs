//! Loops over counters, unrolled: what they keep is linear.

use super::Random;
use super::unroll::Unroll;

/// `i = s = 0; while (i < n) { i++; s += k; } assert(…)`
pub(crate) fn counters(random: &mut Random, path: &mut Unroll) {
    path.ints(&["i", "s", "n"]);
    let (rounds, step) = (random.between(1, 28), random.between(1, 4));
    path.assign("i", "%0");
    path.assign("s", "%0");
    path.cut();
    let bound = random.pick(&["$n", "%30", "%1000"]);
    for _ in 0..rounds {
        path.test(&format!("(bvslt $i {bound})"));
        path.assign("s", &format!("(bvadd $s %{step})"));
        path.assign("i", "(bvadd $i %1)");
        path.cut();
    }
    if random.is_feasible() {
        path.test(&format!("(bvsge $s %{})", rounds * step));
        return;
    }
    let claims = [
        format!("(not (= $s (bvmul %{step} $i)))"),
        format!("(bvsgt $i {bound})"),
        "(bvslt $s $i)".to_owned(),
        "(bvslt $i %0)".to_owned(),
        format!("(and (bvsge $i {bound}) (bvslt $s {bound}))"),
    ];
    path.test(&claims[random.below(5) as usize]);
}

/// Upwards, downwards, and with steps that may wrap, without signs.
pub(crate) fn unsigned_counters(random: &mut Random, path: &mut Unroll) {
    path.ints(&["i", "n", "m"]);
    let rounds = random.between(1, 25);
    if random.flip() {
        path.set("i", "%0");
        for _ in 0..rounds {
            path.test("(bvult $i $n)");
            path.set("i", "(bvadd $i %1)");
        }
        let feasible = random.is_feasible();
        path.test(if feasible { "(bvuge $i $n)" } else { random.pick(&["(bvugt $i $n)", "(= $n %0)"]) });
        return;
    }
    path.assume("(bvule $n %500)");
    path.assign("m", "$n");
    path.assign("i", "%0");
    path.cut();
    for _ in 0..rounds {
        path.assume("(bvugt $n %0)");
        path.assign("n", "(bvsub $n %1)");
        path.assign("i", "(bvadd $i %1)");
        path.cut();
    }
    let feasible = random.is_feasible();
    let claims = ["(not (= (bvadd $i $n) $m))", "(bvugt $i $m)", "(bvugt $n $m)", "(bvugt $i %500)"];
    path.test(if feasible { "(bvuge $n $i)" } else { random.pick(&claims) });
}

/// `for (i < n) { for (j < m) { k++; } }`
pub(crate) fn nested_counters(random: &mut Random, path: &mut Unroll) {
    path.ints(&["i", "j", "k", "n", "m"]);
    let (outer, inner) = (random.between(1, 4), random.between(1, 4));
    path.assign("i", "%0");
    path.assign("k", "%0");
    path.cut();
    for _ in 0..outer {
        path.assume("(bvslt $i $n)");
        path.assign("j", "%0");
        path.cut();
        for _ in 0..inner {
            path.assume("(bvslt $j $m)");
            path.assign("k", "(bvadd $k %1)");
            path.assign("j", "(bvadd $j %1)");
            path.cut();
        }
        path.test("(bvsge $j $m)");
        path.set("i", "(bvadd $i %1)");
    }
    let feasible = random.is_feasible();
    let claims = ["(bvslt $k $i)", "(bvslt $k $m)", "(bvsgt $i $n)", "(not (= $j $m))", "(bvslt $k %1)"];
    path.test(if feasible { "(bvsge $k $m)" } else { random.pick(&claims) });
}

/// Chains of comparisons, and two indices that move towards each other.
pub(crate) fn differences(random: &mut Random, path: &mut Unroll) {
    path.ints(&["x", "y", "lo", "hi", "mid"]);
    let rounds = random.between(2, 20);
    if random.flip() {
        path.set("y", "$x");
        for _ in 0..rounds {
            path.havoc("y");
            path.test(random.pick(&["(bvslt $x $y)", "(bvsle $x $y)"]));
            path.set("x", "$y");
        }
        path.set("lo", "$x");
        path.test("(bvslt $lo $x)");
        return;
    }
    path.assume("(bvsle %0 $lo)");
    path.assume("(bvsle $lo $hi)");
    path.assume("(bvslt $hi %100000)");
    path.cut();
    for _ in 0..rounds {
        path.assume("(bvsle $lo $hi)");
        path.assign("mid", "(bvadd $lo (bvashr (bvsub $hi $lo) %1))");
        path.cut();
        let (side, value) = if random.flip() { ("lo", "(bvadd $mid %1)") } else { ("hi", "(bvsub $mid %1)") };
        path.set(side, value);
    }
    let feasible = random.is_feasible();
    let claims = ["(bvslt $lo %0)", "(bvsge $hi %100000)", "(bvsgt $lo (bvadd $hi %1))"];
    path.test(if feasible { "(bvsgt $lo $hi)" } else { random.pick(&claims) });
}

/// Money moves between accounts.
pub(crate) fn sums(random: &mut Random, path: &mut Unroll) {
    path.ints(&["a", "b", "c", "total", "d"]);
    path.assume("(= (bvadd $a (bvadd $b $c)) $total)");
    path.cut();
    for _ in 0..random.between(1, 14) {
        let (from, to) = match random.below(3) {
            0 => ("a", "b"),
            1 => ("b", "c"),
            _ => ("c", "a"),
        };
        path.havoc("d");
        if random.flip() {
            path.assume("(bvsgt $d %0)");
            path.assume(&format!("(bvsle $d ${from})"));
        }
        path.assign(from, &format!("(bvsub ${from} $d)"));
        path.cut();
        path.set(to, &format!("(bvadd ${to} $d)"));
    }
    let feasible = random.is_feasible();
    path.test(if feasible { "(bvsgt $a $total)" } else { "(not (= (bvadd $a (bvadd $b $c)) $total))" });
}

/// `y == k * x + d` is kept; `z` is a shifted copy.
pub(crate) fn multiples(random: &mut Random, path: &mut Unroll) {
    path.ints(&["x", "y", "z"]);
    let (factor, offset) = (random.between(2, 11), random.below(6));
    if random.flip() {
        path.assign("x", "%0");
    }
    path.assign("y", &format!("(bvadd (bvmul %{factor} $x) %{offset})"));
    path.cut();
    for _ in 0..random.between(1, 16) {
        let by = random.between(1, 5);
        path.set("x", &format!("(bvadd $x %{by})"));
        path.set("y", &format!("(bvadd $y %{})", by * factor));
    }
    path.set("z", &format!("(bvsub $y (bvmul %{} $x))", factor - 1));
    let feasible = random.is_feasible();
    let claims = [
        format!("(not (= $y (bvadd (bvmul %{factor} $x) %{offset})))"),
        format!("(not (= $z (bvadd $x %{offset})))"),
        format!("(not (= (bvsub $y $z) (bvmul %{} $x)))", factor - 1),
    ];
    let claim = &claims[random.below(3) as usize];
    path.test(if feasible { "(bvslt $y $x)" } else { claim });
}
