// expect: safe
// why: executions that break an assumption do not count

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 3);
    check(n != 3);
    return 0;
}
