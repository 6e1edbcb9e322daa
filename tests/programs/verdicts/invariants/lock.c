// expect: safe
// strategies: auto, interpolation, bounded
// why: the example of the paper on IMPACT needs L = 0 and old = new

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
            new++;
        }
    } while (new != old);
    check(L == 1);
    L = 0;
    return 0;
}
