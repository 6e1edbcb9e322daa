// expect: safe
// why: `long long` has 64 bits in both data models

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    long long wide = (long long)i << 32;
    check(wide >> 32 == (int)i);
    return 0;
}
