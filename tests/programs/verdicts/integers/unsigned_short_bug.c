// expect: unsafe
// why: with an unsigned constant the difference is never negative

extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned short s = __VERIFIER_nondet_ushort();
    check(s - 65536u < 0);
    return 0;
}
