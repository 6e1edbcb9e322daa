// expect: unknown
// why: the trace rests on a comparison of floats, and the interpreter does not confirm it

extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 1.0)
        check(x > 1.5);
    return 0;
}
