// expect: safe
// why: division rounds towards zero

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a > -10 && a < 0)
        check(a / 10 == 0);
    return 0;
}
