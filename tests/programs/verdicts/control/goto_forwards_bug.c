// expect: unsafe
// why: what was skipped did not write

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), r = 1;
    if (a == 0)
        goto done;
    r = 10 / a;
    done:
    check(a != 0 || r == 0);
    return 0;
}
