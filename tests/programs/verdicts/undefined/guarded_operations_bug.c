// expect: unknown
// strategies: auto, interpolation
// why: one element is missing

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int a[9];

static int quotient(int n) {
    return 100 / n;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 10)
        return 0;
    unsigned i;
    for (i = 0; i < n; i++)
        a[i] = 1;
    check(i <= 9);
    int divisor = __VERIFIER_nondet_int();
    if (divisor < 1 || divisor > 100)
        return 0;
    check(quotient(divisor) >= 1);
    unsigned count = __VERIFIER_nondet_uint() % 32;
    unsigned power = 1u << count;
    check(power != 0);
    return 0;
}
