// expect: safe
// why: a compound assignment converts its result

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    int before = c;
    c += 200;
    check(c == (before + 200) % 256);
    return 0;
}
