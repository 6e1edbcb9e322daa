// expect: unsafe
// why: the counter does not change when the lock is released

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int L = 0;
    unsigned new = 0, old;
    do {
        check(L == 0);
        L = 1;
        old = new;
        if (__VERIFIER_nondet_bool()) {
            check(L == 1);
            L = 0;
            new += 2 * L;
        }
    } while (new != old);
    check(L == 1);
    L = 0;
    return 0;
}
