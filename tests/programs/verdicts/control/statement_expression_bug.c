// expect: unsafe
// why: two is possible

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = ({ int t = a & 1; t + 1; });
    check(b == 1 || b == 3);
    return 0;
}
