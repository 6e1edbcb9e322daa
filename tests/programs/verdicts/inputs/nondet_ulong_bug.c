// expect: unsafe
// why: the largest number is allowed

extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    check(n / 2 <= 0x7ffffffffffffffe);
    return 0;
}
