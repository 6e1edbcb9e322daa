// expect: safe
// why: floats that do not matter do no harm

extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    float f = __VERIFIER_nondet_float();
    f = f * 2.0f;
    int a = __VERIFIER_nondet_int() & 1;
    check(a <= 1);
    return 0;
}
