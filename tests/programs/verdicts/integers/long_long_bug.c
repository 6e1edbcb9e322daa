// expect: unsafe
// why: a bit is lost when the first shift is one of 32 bits

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    long long wide = (long long)(i << 31) << 1;
    check(wide >> 32 == (int)i);
    return 0;
}
