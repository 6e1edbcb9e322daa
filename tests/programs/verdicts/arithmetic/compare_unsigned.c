// expect: safe
// why: a comparison with an unsigned number is unsigned

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0)
        check(a > 5u);
    return 0;
}
