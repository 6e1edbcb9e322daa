// expect: unknown
// why: floating-point operations have any value, so no proof is found

extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 1.0)
        check(x > 0.5);
    return 0;
}
