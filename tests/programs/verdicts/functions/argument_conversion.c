// expect: safe
// why: arguments are converted to the types of parameters

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int low(unsigned char c) { return c; }

int main(void) {
    int a = __VERIFIER_nondet_int();
    check(low(a) == (a & 255));
    return 0;
}
