//! Flags and state machines, as in drivers and protocols.

use super::Random;
use super::unroll::Unroll;

/// The example of SLAM: `do { lock(); old = new; if (*) { unlock(); new++; } } while (new != old);`
pub(crate) fn lock_and_counter(random: &mut Random, path: &mut Unroll) {
    path.ints(&["lock", "old", "new", "len"]);
    path.set("lock", "%0");
    let rounds = random.between(1, 10);
    for round in 1..=rounds {
        path.test("(= $lock %0)");
        path.set("lock", "%1");
        path.set("old", "$new");
        let last = round == rounds;
        if !last || random.flip() {
            path.test("(not (= $len %0))");
            path.assume("(= $lock %1)");
            path.assign("lock", "%0");
            path.cut();
            path.set("new", "(bvadd $new %1)");
            path.havoc("len");
        }
        path.test(if last { "(= $new $old)" } else { "(not (= $new $old))" });
    }
    let feasible = random.is_feasible();
    path.test(if feasible { "(= $lock %1)" } else { "(not (= $lock %1))" });
}

/// Many conditional locks, each to be released if it was taken.
pub(crate) fn many_locks(random: &mut Random, path: &mut Unroll) {
    let count = random.between(3, 9);
    for at in 0..count {
        path.ints(&[&format!("p{at}"), &format!("lk{at}")]);
    }
    for _ in 0..random.between(1, 2) {
        let taken: Vec<bool> = (0..count).map(|_| random.flip()).collect();
        for at in 0..count {
            path.assign(&format!("lk{at}"), "%0");
            path.havoc(&format!("p{at}"));
        }
        path.cut();
        for at in 0..count {
            if taken[at as usize] {
                path.assume(&format!("(not (= $p{at} %0))"));
                path.assign(&format!("lk{at}"), "%1");
            } else {
                path.assume(&format!("(= $p{at} %0)"));
            }
            path.cut();
        }
        for at in 0..count {
            if taken[at as usize] {
                path.assume(&format!("(not (= $p{at} %0))"));
                path.assume(&format!("(= $lk{at} %1)"));
                path.assign(&format!("lk{at}"), "%0");
            } else {
                path.assume(&format!("(= $p{at} %0)"));
            }
            path.cut();
        }
    }
    let at = random.below(count);
    let feasible = random.is_feasible();
    path.test(&if feasible { format!("(= $lk{at} %0)") } else { format!("(not (= $lk{at} %0))") });
}

const STATES: [u32; 10] = [8464, 8496, 8512, 8528, 8544, 8560, 8576, 8592, 8608, 8640];

/// A handshake: one variable for the state, tests for all states before the right one, a flag that says
/// how far the handshake got, and inputs that choose the next state.
pub(crate) fn state_machine(random: &mut Random, path: &mut Unroll) {
    path.ints(&["s", "flag", "hit", "tmp", "num"]);
    path.assign("s", &format!("%{}", STATES[0]));
    path.assign("flag", "%0");
    path.cut();
    let mut state = 0;
    let mut flag = 0;
    for _ in 0..random.between(2, 12) {
        // The switch compares with the states one by one.
        for other in STATES.iter().take(state) {
            path.assume(&format!("(not (= $s %{other}))"));
        }
        path.test(&format!("(= $s %{})", STATES[state]));
        path.havoc("tmp");
        let next = (state + random.between(1, 3) as usize) % STATES.len();
        if state % 2 == 1 && flag < 5 {
            path.test(&format!("(= $flag %{flag})"));
            flag += 1;
            path.set("flag", &format!("%{flag}"));
        }
        match random.below(3) {
            0 => path.test("(bvsgt $tmp %0)"),
            1 => path.assign("num", "(bvadd $num %1)"),
            _ => path.test("(= $hit %0)"),
        }
        path.set("s", &format!("%{}", STATES[next]));
        state = next;
    }
    let wrong = STATES[(state + 1 + random.below(8) as usize) % STATES.len()];
    let feasible = random.is_feasible();
    let claims = [
        format!("(= $s %{wrong})"),
        format!("(not (= $flag %{flag}))"),
        format!("(and (= $flag %{}) (= $s %{}))", flag + 1, STATES[state]),
        "(bvsgt $flag %5)".to_owned(),
    ];
    let claim = claims[random.below(4) as usize].clone();
    path.test(&if feasible { format!("(= $s %{})", STATES[state]) } else { claim });
}

/// A request goes down a stack of drivers: status codes, completion flags, a reference count.
pub(crate) fn driver(random: &mut Random, path: &mut Unroll) {
    path.ints(&["s", "status", "pended", "registered", "lower", "refs", "irql"]);
    path.assign("s", "%1");
    path.assign("pended", "%0");
    path.assign("registered", "%0");
    path.assign("refs", "%1");
    path.cut();
    path.test("(or (= $irql %0) (= $irql %2))");
    let mut refs = 1;
    for _ in 0..random.between(2, 9) {
        match random.below(5) {
            0 => {
                path.test("(= $s %1)");
                path.set("pended", "(ite (= $lower %259) %1 $pended)");
            }
            1 => {
                path.havoc("lower");
                path.test("(or (= $lower %0) (= $lower %259) (= $lower %-1073741823))");
                path.set("status", "$lower");
            }
            2 => {
                path.set("registered", "(ite (= $pended %1) %1 $registered)");
            }
            3 => {
                refs += 1;
                path.set("refs", "(bvadd $refs %1)");
            }
            _ => {
                path.test("(bvsgt $refs %0)");
                refs += 1;
                path.assign("refs", "(bvadd $refs %1)");
                path.assign("s", "(ite (= $registered %1) %1 $s)");
                path.cut();
            }
        }
    }
    let feasible = random.is_feasible();
    let claims = [
        "(not (= $s %1))".to_owned(),
        format!("(not (= $refs %{refs}))"),
        "(bvsgt $pended %1)".to_owned(),
        "(and (= $registered %1) (not (= $s %1)))".to_owned(),
        "(= $irql %1)".to_owned(),
    ];
    let claim = claims[random.below(5) as usize].clone();
    path.test(if feasible { "(bvsle $refs %12)" } else { &claim });
}
