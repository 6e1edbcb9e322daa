// expect: unsafe
// why: it can be one

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    check(!!a == (a != 0) && !!a < 1);
    return 0;
}
