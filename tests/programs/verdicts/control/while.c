// expect: safe
// strategies: auto, interpolation
// why: after a loop its condition is false

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uchar();
    while (n > 4)
        n -= 4;
    check(n <= 4);
    return 0;
}
