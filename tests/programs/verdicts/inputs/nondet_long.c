// expect: safe
// why: an input of type `long` has 64 bits in lp64

extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long n = __VERIFIER_nondet_long();
    check((n & 1) == 0 || (n & 1) == 1);
    return 0;
}
