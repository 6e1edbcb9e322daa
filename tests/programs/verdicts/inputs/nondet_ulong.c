// expect: safe
// why: an input of type `unsigned long` has 64 bits in lp64

extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    check(n / 2 <= 0x7fffffffffffffff);
    return 0;
}
