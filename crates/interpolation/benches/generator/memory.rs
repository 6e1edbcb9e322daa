//! Indices into buffers, and the buffers themselves.

use super::Random;
use super::unroll::Unroll;

/// Copies in a buffer, with checks that offsets and lengths fit. Everything is unsigned.
pub(crate) fn bounds(random: &mut Random, path: &mut Unroll) {
    path.ints(&["off", "len", "cnt", "size"]);
    let size = random.between(8, 4096);
    path.assume(&format!("(bvule $size %{size})"));
    path.assign("off", "%0");
    path.cut();
    for _ in 0..random.between(1, 12) {
        path.havoc("cnt");
        path.test("(bvule $cnt (bvsub $size $off))");
        if random.flip() {
            path.test("(bvult %0 $cnt)");
        }
        path.set("off", "(bvadd $off $cnt)");
    }
    path.test("(bvult $len (bvsub $size $off))");
    let feasible = random.is_feasible();
    let claims = [
        "(bvuge (bvadd $off $len) $size)".to_owned(),
        "(bvugt $off $size)".to_owned(),
        format!("(bvuge (bvadd $off $len) %{size})"),
        format!("(bvugt $off %{size})"),
    ];
    let claim = claims[random.below(4) as usize].clone();
    path.test(if feasible { "(bvuge (bvadd $off $len) $off)" } else { &claim });
}

/// Arrays of words and bytes that are filled, copied and read.
pub(crate) fn arrays(random: &mut Random, path: &mut Unroll) {
    path.ints(&["i", "j", "k", "v"]);
    path.declare("a", "(Array (_ BitVec 32) (_ BitVec 32))");
    let rounds = random.between(1, 6);
    let feasible = random.is_feasible();
    match random.below(3) {
        0 => {
            path.set("i", "%0");
            for _ in 0..rounds {
                path.assign("a", "(store $a $i (bvmul %2 $i))");
                path.assign("i", "(bvadd $i %1)");
                path.cut();
            }
            let at = random.below(rounds);
            path.set("v", &format!("(select $a %{at})"));
            path.test(&if feasible {
                format!("(= $v %{})", 2 * at)
            } else {
                format!("(not (= $v %{}))", 2 * at)
            });
        }
        1 => {
            path.set("a", "(store $a $j %7)");
            for _ in 0..rounds {
                path.havoc("i");
                path.test("(not (= $i $j))");
                path.set("a", "(store $a $i %0)");
            }
            path.test(if feasible { "(= (select $a $k) %0)" } else { "(not (= (select $a $j) %7))" });
        }
        _ => {
            path.set("v", "%0");
            for at in 0..rounds {
                path.test(&format!("(bvsgt (select $a %{at}) $v)"));
                path.set("v", &format!("(select $a %{at})"));
            }
            path.test(&format!("(= $k %{})", random.below(rounds)));
            path.test(if feasible { "(= (select $a $k) $v)" } else { "(bvslt $v (select $a $k))" });
        }
    }
}
