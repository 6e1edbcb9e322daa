// expect: safe
// strategies: auto, summaries; interpolation = unknown; bounded = unknown
// why: the result of a recursive function is the same at any depth

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
    check(zero(n) == 0);
    return 0;
}
