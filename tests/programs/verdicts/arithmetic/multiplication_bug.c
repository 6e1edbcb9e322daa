// expect: unsafe
// why: -128 has the largest square

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_char();
    check(a * a <= 16383);
    return 0;
}
