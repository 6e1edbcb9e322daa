// expect: unsafe
// why: one goes on

extern int __VERIFIER_nondet_int(void);
extern void exit(int);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a > 1)
        exit(1);
    check(a <= 0);
    return 0;
}
