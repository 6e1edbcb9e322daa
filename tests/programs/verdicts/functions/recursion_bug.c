// expect: unsafe
// why: the shortest way to the error has no recursive call

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static unsigned zero(unsigned n) {
    return n ? zero(n - 1) : 0;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    check(zero(n) == 1);
    return 0;
}
