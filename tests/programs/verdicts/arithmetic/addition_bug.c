// expect: unsafe
// why: only one of the two is taken away

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    check(a + b - a == a);
    return 0;
}
