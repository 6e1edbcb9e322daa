// expect: safe
// why: a left shift multiplies

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uchar();
    unsigned n = __VERIFIER_nondet_uint() % 8;
    check(a << n <= 255u << 7);
    return 0;
}
