// expect: unsafe
// why: another divisor gives another number

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_uchar();
    int b = a;
    b += 5;
    b -= 2;
    b *= 4;
    b /= 3;
    b %= 1000;
    b <<= 1;
    b >>= 2;
    check(b == a + 3);
    return 0;
}
