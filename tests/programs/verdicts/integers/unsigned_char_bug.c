// expect: unsafe
// why: the largest `unsigned char` is 255

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    int i = c;
    check(i >= 0 && i <= 254);
    return 0;
}
