// expect: safe
// why: addition and subtraction undo each other even with wrapping

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    check(a + b - b == a);
    return 0;
}
