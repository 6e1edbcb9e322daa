// expect: unsafe
// why: high bits may be set

extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long n = __VERIFIER_nondet_long();
    check(n >> 33 == 0 && (n & 1) == 1);
    return 0;
}
