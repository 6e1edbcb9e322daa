// expect: unsafe
// why: in 32 bits the product is zero

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    unsigned long long wide = a * (unsigned)0x100000000ull;
    check(wide >> 32 == a);
    return 0;
}
