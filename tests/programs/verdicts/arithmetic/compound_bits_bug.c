// expect: unsafe
// why: another bit is toggled

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = a;
    b &= 0xff;
    b |= 0x100;
    b ^= 0x80;
    check(b == (a & 0xff));
    return 0;
}
