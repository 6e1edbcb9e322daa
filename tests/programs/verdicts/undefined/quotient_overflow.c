// expect: unknown
// why: the least number divided by -1 is undefined

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = -1;
    int q = a / b;
    check(q == -a && a != (-2147483647 - 1));
    return 0;
}
