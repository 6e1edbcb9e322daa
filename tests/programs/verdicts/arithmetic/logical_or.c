// expect: safe
// why: the right operand is not evaluated if the left is true

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), n = 0;
    if (a > 0 || ++n)
        ;
    check(n == (a <= 0));
    return 0;
}
