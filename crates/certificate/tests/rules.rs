//! Each rule of the checker both ways: good certificates are accepted, and each way of spoiling one is
//! noticed.

mod support;

use support::{accepts, rejects};

const COUNTER: &str = "int main(void) { int i = 0, x = 0; while (i < 10) { i++; x += 2; }
    if (x != 20) reach_error(); return 0; }";

#[test]
fn counters() {
    let good = "(and (= |main::x| (bvmul #x00000002 |main::i|)) (bvsle |main::i| #x0000000a)
        (bvsle #x00000000 |main::i|))";
    accepts(COUNTER, &[good]);
    rejects(COUNTER, &["(= |main::x| #x00000001)"], "holds whenever it is reached from <start>:0");
    rejects(COUNTER, &["(= |main::x| #x00000000)"], "it can be false, for example from");
    rejects(COUNTER, &["(bvsle |main::i| #x0000000a)"], "`reach_error` is called at test.c:4:18");
    rejects(COUNTER, &["true"], "no error is reached from");
    accepts("int main(void) { for (;;) ; reach_error(); }", &["true"]);
    accepts("int main(void) { for (;;) ; reach_error(); }", &["false"][..0].as_ref().len().eq(&0).then_some("true").as_slice());
}

const LOCK: &str = "int L; void lock(void) { if (L) reach_error(); L = 1; }
    void unlock(void) { if (!L) reach_error(); L = 0; }
    int main(void) { int old, new = __VERIFIER_nondet_int();
      do { lock(); old = new; if (__VERIFIER_nondet_int()) { unlock(); new++; } } while (new != old);
      unlock(); return 0; }";

#[test]
fn the_lock_of_the_impact_paper() {
    accepts(LOCK, &["(= L #x00000000)"]);
    rejects(LOCK, &["true"], "`reach_error` is called");
    let spoiled = LOCK.replace("new++;", "");
    rejects(&spoiled, &["(= L #x00000000)"], "`reach_error` is called at test.c:4:33");
}
