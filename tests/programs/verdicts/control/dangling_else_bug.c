// expect: unsafe
// why: negative numbers reach the inner test

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), r = 0;
    if (a > -5)
        if (a > 10)
            r = 1;
        else
            r = 2;
    check(r != 2 || (a > 0 && a <= 10));
    return 0;
}
