// expect: safe
// why: multiplication in 64 bits does not lose the high half

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    unsigned long long wide = (unsigned long long)a * 0x100000000ull;
    check(wide >> 32 == a);
    return 0;
}
