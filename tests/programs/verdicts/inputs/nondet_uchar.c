// expect: safe
// why: an input of this type is between 0 and 255

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long n = __VERIFIER_nondet_uchar();
    check(n >= 0 && n <= 255);
    return 0;
}
