// expect: unsafe
// why: the count is always small enough

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = 1u << (n & 31);
    check(n < 32 && x != 0);
    return 0;
}
